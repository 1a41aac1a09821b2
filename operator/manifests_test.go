// SPDX-License-Identifier: Apache-2.0

package main

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	rbacv1 "k8s.io/api/rbac/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"sigs.k8s.io/yaml"

	"libgang.dev/gang/k8sgang/apply"
)

func documents(t *testing.T, name string) []string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("manifests", name))
	if err != nil {
		t.Fatal(err)
	}
	return strings.Split(string(text), "\n---\n")
}

// allows tells whether rules have a resource with some of the verbs that matter.
func allows(rules []rbacv1.PolicyRule, group, resource string, verbs ...string) bool {
	var allowed []string
	for _, rule := range rules {
		if slices.Contains(rule.APIGroups, group) && slices.Contains(rule.Resources, resource) {
			allowed = append(allowed, rule.Verbs...)
		}
	}
	for _, verb := range verbs {
		if !slices.Contains(allowed, verb) {
			return false
		}
	}
	return true
}

// Everything that the library renders, and every fact that it reads, is in the manifest's role.
func TestRoleHasWhatTheLibraryNeeds(t *testing.T) {
	role := rbacv1.ClusterRole{}
	if err := yaml.Unmarshal([]byte(documents(t, "rbac.yaml")[1]), &role); err != nil {
		t.Fatal(err)
	}
	var kinds []schema.GroupVersionKind
	for _, row := range jobKinds {
		kinds = append(kinds, row.kind)
	}
	needed, err := apply.Rules(kinds)
	if err != nil {
		t.Fatal(err)
	}
	for _, rule := range needed {
		for _, resource := range rule.Resources {
			if !allows(role.Rules, rule.APIGroups[0], resource, rule.Verbs...) {
				t.Errorf("%s %s %v", rule.APIGroups[0], resource, rule.Verbs)
			}
		}
	}
}

func TestManifests(t *testing.T) {
	kustomization := struct{ Resources []string }{}
	text := documents(t, "kustomization.yaml")[0]
	if err := yaml.Unmarshal([]byte(text), &kustomization); err != nil {
		t.Fatal(err)
	}
	files, err := filepath.Glob("manifests/*.yaml")
	// Each file, but for itself; and the folder with the CRDs.
	if err != nil || len(files) != len(kustomization.Resources) ||
		kustomization.Resources[0] != "../chart/files" {
		t.Errorf("%v %v %v", files, kustomization.Resources, err)
	}
	for _, name := range kustomization.Resources[1:] {
		documents(t, name)
	}
	webhook := documents(t, "webhook.yaml")[0]
	for _, word := range []string{"path: /mark", "failurePolicy: Fail", "sideEffects: None"} {
		if !strings.Contains(webhook, word) {
			t.Error(word)
		}
	}
	deployment := strings.Join(documents(t, "deployment.yaml"), "\n")
	for _, word := range []string{"readinessProbe:", "livenessProbe:", "podAntiAffinity:",
		"kind: PodDisruptionBudget"} {
		if !strings.Contains(deployment, word) {
			t.Error(word)
		}
	}
}

var blank = regexp.MustCompile(`(?m)^\s*(//.*)?\n`)

// The operator is to stay one that can be read.
func TestSize(t *testing.T) {
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	lines := 0
	for _, name := range files {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if !strings.HasSuffix(name, "_test.go") {
			lines += strings.Count(blank.ReplaceAllString(string(text), ""), "\n")
		}
	}
	if lines > 1500 {
		t.Errorf("%d lines without comments", lines)
	}
}
