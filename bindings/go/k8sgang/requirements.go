// SPDX-License-Identifier: Apache-2.0

package k8sgang

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	rbacv1 "k8s.io/api/rbac/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"libgang.dev/gang"
)

// listed is a backend in the list of the library.
type listed struct {
	Name, Type                   string
	SleepsOnRoom                 bool
	Forgets, Parts, Placeholders string
	Versions                     []struct {
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

// SleepsOnRoom tells whether the scheduler of a type of backend, "Coscheduling", considers a
// waiting gang again only when its PodGroup changes: Plan.Reconcile with gang.Wake is for these.
func SleepsOnRoom(backendType string) bool {
	table, err := listBackends()
	return err == nil && slices.ContainsFunc(table, func(backend listed) bool {
		return backend.Type == backendType && backend.SleepsOnRoom
	})
}

// A Memory is what a scheduler keeps of the pods of a gang that have ended. Pods that come before
// it forgets them are no gang: they start one by one, or never.
type Memory struct {
	// Label of the pods that names their group.
	Label string
	// After is when it forgets them, once the last pod has ended. 0: when the object of this kind is
	// deleted, which has the name of the group.
	After time.Duration
	Kind  schema.GroupKind
	// Parts is an annotation of all members: a JSON list of the parts of the gang, each with a
	// minMember. Empty: what has the label is a member.
	Parts string
	// Placeholders is an annotation of pods that only hold room. Empty: there are none.
	Placeholders string
}

// Memories lists those of all schedulers that have one.
func Memories() ([]Memory, error) {
	table, err := listBackends()
	var found []Memory
	for _, backend := range table {
		if backend.Forgets == "" {
			continue
		}
		newest := backend.Versions[0]
		_, label, _ := strings.Cut(newest.Mark, " ") // "label KEY"
		one := Memory{Label: label, Parts: backend.Parts, Placeholders: backend.Placeholders}
		if after, err := time.ParseDuration(backend.Forgets); err == nil {
			one.After = after
		} else {
			one.Kind = schema.FromAPIVersionAndKind(newest.APIVersion, backend.Forgets).GroupKind()
		}
		found = append(found, one)
	}
	return found, err
}

// Remembers tells whether the scheduler of a type of backend, "YuniKorn", has a Memory.
func Remembers(backendType string) bool {
	table, err := listBackends()
	return err == nil && slices.ContainsFunc(table, func(backend listed) bool {
		return backend.Type == backendType && backend.Forgets != ""
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

// Marks lists by what pods name their group, for all backends and versions: "label KEY",
// "annotation KEY" or "spec.FIELD".
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
