// SPDX-License-Identifier: Apache-2.0
package main

import (
	"context"
	"sort"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	kueue "sigs.k8s.io/kueue/apis/kueue/v1beta2"

	podresource "k8s.io/component-helpers/resource"
)

// amounts are the requests of one pod: names and exact decimal numbers of the base unit.
type amounts map[string]string

// answer is what an operator's own code says about one object, in the shape of a GangJob.
type answer struct {
	// NoGang says that the operator creates no pods here: managed elsewhere, or another cluster's.
	NoGang bool `json:"noGang,omitempty"`
	// Refused says that the operator never lets in the pods of a role.
	Refused bool `json:"refused,omitempty"`
	// Components are the answers about what an AppWrapper holds, one for each component.
	Components []*answer `json:"components,omitempty"`
	// Gangs is the number of groups of these roles, if the kind has several; nil: one gang.
	Gangs *int32 `json:"gangs,omitempty"`
	// Minimum is the minimum that the user asks for; nil: the roles alone say it.
	Minimum *int32  `json:"minimum,omitempty"`
	Suspend bool    `json:"suspend,omitempty"`
	Roles   []*role `json:"roles,omitempty"`
	// Differences list where Kueue's PodSets() or the operator's own PodGroup differ from the pods
	// that the operator creates, and why.
	Differences []difference `json:"differences,omitempty"`
}

type role struct {
	Name     string `json:"name"`
	Count    int32  `json:"count"`
	MinCount *int32 `json:"minCount,omitempty"`
	// FirstCount is given only where pods of the role wait for the first of them.
	FirstCount *int32 `json:"firstCount,omitempty"`
	// After names every role that must be Scheduled, Ready or Complete before a pod of this one
	// exists, also those that are named by way of others.
	After map[string]string `json:"after,omitempty"`
	// Requests of one pod, as the scheduler counts them.
	Requests amounts `json:"requests,omitempty"`
}

// difference is one listed behavior of Kueue, or of the operator's own code for gangs.
type difference struct {
	Who    string `json:"who"`
	Role   string `json:"role"`
	Field  string `json:"field"`
	Value  any    `json:"value"`
	Reason string `json:"reason"`
}

func (a *answer) role(name string) *role {
	for _, one := range a.Roles {
		if one.Name == name {
			return one
		}
	}
	return nil
}

func number(value int32) *int32 { return &value }

// exact returns a quantity as a decimal number without an exponent and without trailing zeros.
func exact(quantity resource.Quantity) string {
	text := quantity.AsDec().String()
	if strings.Contains(text, ".") {
		text = strings.TrimRight(strings.TrimRight(text, "0"), ".")
	}
	return text
}

func amountsOf(list corev1.ResourceList) amounts {
	all := amounts{}
	for name, quantity := range list {
		if !quantity.IsZero() {
			all[string(name)] = exact(quantity)
		}
	}
	return all
}

// requestsOf returns the effective requests of a pod of this template: a limit without a request is
// a request (the API server's default), then the scheduler's sum over all containers.
func requestsOf(template *corev1.PodTemplateSpec) amounts {
	spec := template.Spec.DeepCopy()
	for _, containers := range [][]corev1.Container{spec.Containers, spec.InitContainers} {
		for i := range containers {
			limitsAsRequests(&containers[i].Resources)
		}
	}
	pod := &corev1.Pod{Spec: *spec}
	return amountsOf(podresource.PodRequests(pod, podresource.PodResourcesOptions{}))
}

// As SetDefaults_Pod of k8s.io/kubernetes/pkg/apis/core/v1 does.
func limitsAsRequests(resources *corev1.ResourceRequirements) {
	for name, quantity := range resources.Limits {
		if resources.Requests == nil {
			resources.Requests = corev1.ResourceList{}
		}
		if _, given := resources.Requests[name]; !given {
			resources.Requests[name] = quantity.DeepCopy()
		}
	}
}

// fromPodSets takes roles as Kueue sees them.
func fromPodSets(podSets []kueue.PodSet, err error) []*role {
	if err != nil {
		panic(err)
	}
	roles := make([]*role, 0, len(podSets))
	for i := range podSets {
		podSet := &podSets[i]
		roles = append(roles, &role{
			Name: string(podSet.Name), Count: podSet.Count, MinCount: podSet.MinCount,
			Requests: requestsOf(&podSet.Template),
		})
	}
	return roles
}

// sameAsKueue adds a difference for each field in which Kueue differs from the operator's answer.
// A difference without a reason in reasons stays without one, and the run fails.
func (a *answer) sameAsKueue(theirs []*role, reason func(role, field string) string) {
	add := func(name, field string, value any) {
		a.differ("Kueue", name, field, value, reason(name, field))
	}
	seen := map[string]bool{}
	for _, their := range theirs {
		seen[their.Name] = true
		our := a.role(their.Name)
		if our == nil {
			if their.Count != 0 {
				add(their.Name, "role", their.Count)
			}
			continue
		}
		if our.Count != their.Count {
			add(their.Name, "count", their.Count)
		}
		if !sameNumber(our.MinCount, their.MinCount) {
			add(their.Name, "minCount", their.MinCount)
		}
		if !sameAmounts(our.Requests, their.Requests) {
			add(their.Name, "requests", their.Requests)
		}
	}
	for _, our := range a.Roles {
		if !seen[our.Name] && our.Count != 0 {
			add(our.Name, "role", nil)
		}
	}
}

func (a *answer) differ(who, name, field string, value any, reason string) {
	a.Differences = append(a.Differences, difference{who, name, field, value, reason})
}

func sameNumber(a, b *int32) bool {
	return a == b || (a != nil && b != nil && *a == *b)
}

func sameAmounts(a, b amounts) bool {
	if len(a) != len(b) {
		return false
	}
	for name, amount := range a {
		if b[name] != amount {
			return false
		}
	}
	return true
}

// sorted is for output that must not depend on the order of a map.
func sorted[V any](all map[string]V) []string {
	names := make([]string, 0, len(all))
	for name := range all {
		names = append(names, name)
	}
	sort.Strings(names)
	return names
}

var background = context.Background()
