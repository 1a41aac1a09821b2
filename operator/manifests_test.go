// SPDX-License-Identifier: Apache-2.0

package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/prometheus/client_golang/prometheus"
	rbacv1 "k8s.io/api/rbac/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"sigs.k8s.io/controller-runtime/pkg/metrics"
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

// permissions are rules as one text for each verb of each resource.
func permissions(rules []rbacv1.PolicyRule) map[string]bool {
	found := map[string]bool{}
	for _, rule := range rules {
		for _, group := range rule.APIGroups {
			for _, resource := range rule.Resources {
				for _, verb := range rule.Verbs {
					found[strings.Join(append([]string{verb, group, resource}, rule.ResourceNames...), " ")] = true
				}
			}
		}
	}
	return found
}

// The role of the manifests has what the library needs for every kind and backend, what the operator
// itself does, and nothing else.
func TestRole(t *testing.T) {
	role := rbacv1.ClusterRole{}
	if err := yaml.Unmarshal([]byte(documents(t, "rbac.yaml")[1]), &role); err != nil {
		t.Fatal(err)
	}
	var kinds []schema.GroupVersionKind
	for _, row := range jobKinds {
		kinds = append(kinds, row.kind)
	}
	rules, err := apply.Rules(kinds)
	if err != nil {
		t.Fatal(err)
	}
	needed := permissions(rules)
	hooks := " zz-libgang-operator libgang-operator"
	for _, own := range []string{"patch trainer.kubeflow.org trainjobs/status",
		"patch jobset.x-k8s.io jobsets/status", "create  events", "patch  events", "get  configmaps",
		"create events.k8s.io events", "patch events.k8s.io events",
		"get admissionregistration.k8s.io mutatingwebhookconfigurations" + hooks,
		"update admissionregistration.k8s.io mutatingwebhookconfigurations" + hooks,
		"get admissionregistration.k8s.io validatingwebhookconfigurations" + hooks,
		"update admissionregistration.k8s.io validatingwebhookconfigurations" + hooks,
		"patch policy.libgang.dev gangpolicies/status", "patch policy.libgang.dev gangclusters/status"} {
		needed[own] = true
	}
	for _, verb := range []string{"get", "list", "watch"} {
		for _, read := range []string{"trainer.kubeflow.org trainingruntimes",
			"trainer.kubeflow.org clustertrainingruntimes", "policy.libgang.dev gangpolicies",
			"policy.libgang.dev gangclusters"} {
			needed[verb+" "+read] = true
		}
	}
	allowed := permissions(role.Rules)
	for one := range needed {
		if !allowed[one] {
			t.Errorf("%s is not allowed", one)
		}
	}
	for one := range allowed {
		if !needed[one] {
			t.Errorf("%s is allowed for nothing", one)
		}
	}
}

// Every expression of the dashboard names metrics that the operator registers, with their labels.
func TestDashboard(t *testing.T) {
	text, err := os.ReadFile("chart/files/dashboard.json")
	if err != nil {
		t.Fatal(err)
	}
	dashboard := struct {
		Panels []struct {
			Targets []struct{ Expr, LegendFormat string }
		}
	}{}
	if err := json.Unmarshal(text, &dashboard); err != nil {
		t.Fatal(err)
	}
	known := registered(t)
	checked := map[string]bool{}
	for _, panel := range dashboard.Panels {
		for _, target := range panel.Targets {
			for _, name := range metricName.FindAllString(target.Expr, -1) {
				name = histogramSuffix.ReplaceAllString(name, "")
				labels, found := known[name]
				if !found {
					t.Errorf("%s: %s is not registered", target.Expr, name)
				}
				checked[name] = true
				for _, by := range byLabels.FindAllStringSubmatch(target.Expr, -1) {
					for _, label := range strings.Split(by[1], ", ") {
						isCommon := slices.Contains([]string{"le", "instance", "version"}, label)
						if !isCommon && !strings.Contains(labels, label) {
							t.Errorf("%s: %s has no label %s, but %s", target.Expr, name, label, labels)
						}
					}
				}
			}
		}
	}
	for name := range known {
		if strings.HasPrefix(name, "gang_") && !checked[name] {
			t.Errorf("no panel shows %s", name)
		}
	}
}

var (
	metricName      = regexp.MustCompile(`\b(gang|workqueue|controller_runtime|rest_client|process)_[a-z_]+`)
	histogramSuffix = regexp.MustCompile(`_(bucket|count|sum)$`)
	byLabels        = regexp.MustCompile(`by \(([a-z, ]+)\)`)
	description     = regexp.MustCompile(`fqName: "([^"]+)".*variableLabels: {(.*)}`)
)

// registered are the metrics of the operator with their labels.
func registered(t *testing.T) map[string]string {
	t.Helper()
	all := prometheus.NewRegistry()
	for _, collector := range append([]prometheus.Collector{newLedger()}, ownMetrics()...) {
		all.MustRegister(collector)
	}
	descriptions := make(chan *prometheus.Desc, 10_000)
	all.Describe(descriptions)
	metrics.Registry.(*prometheus.Registry).Describe(descriptions)
	close(descriptions)
	found := map[string]string{}
	for one := range descriptions {
		match := description.FindStringSubmatch(one.String())
		if match == nil {
			t.Fatal(one.String())
		}
		found[match[1]] = match[2]
	}
	return found
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
	if lines > 1850 {
		t.Errorf("%d lines without comments", lines)
	}
}
