// SPDX-License-Identifier: Apache-2.0

package seams

import (
	"os"
	"slices"
	"testing"

	rbacv1 "k8s.io/api/rbac/v1"
	"sigs.k8s.io/yaml"

	"libgang.dev/gang/k8sgang/apply"
)

const rulesFile = "../../adapters/rbac.yaml"

// TestRules writes what an operator must be allowed to do beside what it is allowed already. Each
// may read the pods and the jobs of its kinds.
func TestRules(t *testing.T) {
	rules, err := apply.Rules(nil)
	if err != nil {
		t.Fatal(err)
	}
	rules = slices.DeleteFunc(rules, func(rule rbacv1.PolicyRule) bool {
		return slices.Equal(rule.Resources, []string{"pods"})
	})
	role := rbacv1.ClusterRole{Rules: rules}
	role.APIVersion, role.Kind = rbacv1.SchemeGroupVersion.String(), "ClusterRole"
	role.Name = "libgang-adapter"
	text, err := yaml.Marshal(role)
	if err != nil {
		t.Fatal(err)
	}
	text = append([]byte("# SPDX-License-Identifier: Apache-2.0\n"+
		"# Written by LIBGANG_UPDATE=1 ./dev adapters, do not edit.\n"), text...)
	if os.Getenv("LIBGANG_UPDATE") != "" {
		if err := os.WriteFile(rulesFile, text, 0o600); err != nil {
			t.Fatal(err)
		}
	} else if found, err := os.ReadFile(rulesFile); err != nil || string(found) != string(text) {
		t.Errorf("%s has other rules: LIBGANG_UPDATE=1 ./dev adapters (%v)", rulesFile, err)
	}
}
