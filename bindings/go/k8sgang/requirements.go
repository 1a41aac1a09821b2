// SPDX-License-Identifier: Apache-2.0

package k8sgang

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"sync"

	rbacv1 "k8s.io/api/rbac/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"libgang.dev/gang"
)

// listed is a backend in the list of the library.
type listed struct {
	Name, Type   string
	SleepsOnRoom bool
	Versions     []struct {
		APIVersion string
		Objects    []string
		Mark       string
	}
}

var listBackends = sync.OnceValues(func() ([]listed, error) {
	text, err := gang.Backends(gang.FormatJSON)
	if err != nil {
		return nil, err
	}
	var table struct{ Backends []listed }
	return table.Backends, json.Unmarshal(text, &table)
})

// SleepsOnRoom tells whether the scheduler of a type of backend, "Coscheduling", considers a waiting
// gang again only when its PodGroup changes: Plan.Reconcile with gang.Wake is for these.
func SleepsOnRoom(backendType string) bool {
	table, err := listBackends()
	return err == nil && slices.ContainsFunc(table, func(backend listed) bool {
		return backend.Type == backendType && backend.SleepsOnRoom
	})
}

// Kinds lists the kinds of objects that backends render, in every version, for Owns() of a
// controller. A controller passes those that its cluster serves. No name means all backends; a name
// that no backend has is an error.
func Kinds(backends ...string) ([]schema.GroupVersionKind, error) {
	table, err := listBackends()
	if err != nil {
		return nil, err
	}
	known := gang.BackendNames()
	for _, name := range backends {
		if !slices.Contains(known, name) {
			return nil, fmt.Errorf("k8sgang: no backend %q; there are: %s", name, strings.Join(known, ", "))
		}
	}
	var kinds []schema.GroupVersionKind
	for _, backend := range table {
		if len(backends) > 0 && !slices.Contains(backends, backend.Name) {
			continue
		}
		for _, version := range backend.Versions {
			for _, object := range version.Objects {
				kinds = append(kinds, schema.FromAPIVersionAndKind(version.APIVersion, object))
			}
		}
	}
	return kinds, nil
}

// Marks lists by what pods name their group, for all backends and versions: "label KEY", "annotation
// KEY" or "spec.FIELD".
func Marks() ([]string, error) {
	table, err := listBackends()
	var found []string
	for _, backend := range table {
		for _, version := range backend.Versions {
			if !slices.Contains(found, version.Mark) {
				found = append(found, version.Mark)
			}
		}
	}
	return found, err
}

// Rules lists what a controller must be allowed to do with the objects of backends, and what
// ClusterFacts reads.
func Rules(backends ...string) ([]rbacv1.PolicyRule, error) {
	kinds, err := Kinds(backends...)
	if err != nil {
		return nil, err
	}
	resources := map[string][]string{}
	for _, kind := range kinds {
		plural := strings.ToLower(kind.Kind) + "s"
		if !slices.Contains(resources[kind.Group], plural) {
			resources[kind.Group] = append(resources[kind.Group], plural)
		}
	}
	var rules []rbacv1.PolicyRule
	for group, names := range resources {
		rules = append(rules, rbacv1.PolicyRule{
			APIGroups: []string{group}, Resources: names,
			Verbs: []string{"create", "delete", "get", "list", "patch", "update", "watch"},
		})
	}
	slices.SortFunc(rules, func(a, b rbacv1.PolicyRule) int {
		return strings.Compare(a.APIGroups[0], b.APIGroups[0])
	})
	return append(rules,
		readRule("", "limitranges", "namespaces"),
		readRule("node.k8s.io", "runtimeclasses"),
		readRule("scheduling.k8s.io", "priorityclasses"),
	), nil
}

func readRule(group string, resources ...string) rbacv1.PolicyRule {
	return rbacv1.PolicyRule{
		APIGroups: []string{group}, Resources: resources, Verbs: []string{"get", "list", "watch"},
	}
}
