// SPDX-License-Identifier: Apache-2.0
package main

import (
	"fmt"
	"strings"

	codeflare "github.com/project-codeflare/appwrapper/api/v1beta2"
)

func init() {
	register(kind{name: "AppWrapper", make: makeAppWrapper, askAll: askAppWrappers,
		source: "the answers about the components, and AppWrapper v1.2.2 utils.InferPodSets"})
}

// wrappedKinds are those that AppWrapper infers pods of.
var wrappedKinds = []string{"Job", "JobSet", "PyTorchJob", "RayCluster", "RayJob", "StatefulSet"}

func kindOf(name string) kind {
	for _, one := range kinds {
		if one.name == name {
			return one
		}
	}
	panic(name)
}

// ---- documents ----

func makeAppWrapper(r random) object {
	components := []any{}
	for i := range choose(r, 1, 1, 1, 2, 3) {
		wrapped := kindOf(choose(r, wrappedKinds...)).make(r)
		metadata := wrapped["metadata"].(object)
		metadata["name"] = fmt.Sprintf("%s-%d", metadata["name"], i)
		delete(metadata, "uid") // it does not exist yet
		delete(wrapped["spec"].(object), "managedBy")
		if policy, ok := wrapped["spec"].(object)["runPolicy"].(object); ok {
			delete(policy, "managedBy")
		}
		components = append(components, object{"template": wrapped})
	}
	spec := object{"components": components}
	r.maybe(30, spec, "suspend", r.chance(70))
	r.maybe(15, spec, "managedBy",
		choose(r, codeflare.AppWrapperControllerName, "kueue.x-k8s.io/multikueue"))
	return object{"apiVersion": "workload.codeflare.dev/v1beta2", "kind": "AppWrapper",
		"metadata": r.metadata("wrapper"), "spec": spec}
}

// ---- answers ----

// place says which component of which AppWrapper a wrapped object is.
type place struct{ wrapper, component int }

// askAppWrappers asks about all components of one kind together: some answers are slow one by one.
func askAppWrappers(documents []object) []*answer {
	answers := make([]*answer, len(documents))
	objects := map[string][]object{}
	places := map[string][]place{}
	for i, document := range documents {
		spec := document["spec"].(object)
		manager, managed := spec["managedBy"].(string)
		answers[i] = &answer{Suspend: spec["suspend"] == true,
			NoGang: managed && manager != codeflare.AppWrapperControllerName}
		components := spec["components"].([]any)
		answers[i].Components = make([]*answer, len(components))
		for k, component := range components {
			wrapped := component.(object)["template"].(object)
			name := wrapped["kind"].(string)
			objects[name] = append(objects[name], wrapped)
			places[name] = append(places[name], place{i, k})
		}
	}
	for _, name := range sorted(objects) {
		for i, inner := range kindOf(name).answers(objects[name]) {
			inner.Differences = nil
			inner.sameAsInferred(name, objects[name][i])
			at := places[name][i]
			answers[at.wrapper].Components[at.component] = inner
		}
	}
	for _, one := range answers {
		if one.NoGang {
			one.leaveOutComponents()
		}
	}
	return answers
}

// leaveOutComponents keeps only that a component is refused, as it is in any cluster.
func (a *answer) leaveOutComponents() {
	for _, inner := range a.Components {
		a.Refused = a.Refused || inner.Refused
	}
	a.Components = nil
}

// sameAsInferred compares with what AppWrapper itself tells Kueue. It has no names of roles; its
// order is that of the operator's own list.
func (a *answer) sameAsInferred(name string, wrapped object) {
	if a.NoGang {
		return
	}
	theirs := inferred(wrapped)
	for i, our := range a.Roles {
		if i >= len(theirs) {
			a.differ("AppWrapper", our.Name, "role", nil, inferredReason(name, our.Name, "role"))
			continue
		}
		if our.Count != theirs[i].Count {
			a.differ("AppWrapper", our.Name, "count", theirs[i].Count,
				inferredReason(name, our.Name, "count"))
		}
		if !sameAmounts(our.Requests, theirs[i].Requests) {
			a.differ("AppWrapper", our.Name, "requests", theirs[i].Requests,
				inferredReason(name, our.Name, "requests"))
		}
	}
}

func inferredReason(name, role, field string) string {
	isRay := strings.HasPrefix(name, "Ray")
	switch {
	case isRay && field == "role" && role == "submitter":
		return "AppWrapper does not know the submitter"
	case isRay && field == "count":
		return "AppWrapper does not know numOfHosts, suspend and the limits of replicas"
	case field == "requests":
		return "AppWrapper copies requests and limits of containers, no restartPolicy, and leaves " +
			"out containers that the operator adds"
	}
	return ""
}
