// SPDX-License-Identifier: Apache-2.0
package main

import (
	appwrapper "github.com/project-codeflare/appwrapper/pkg/utils"
	appsv1 "k8s.io/api/apps/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	utilruntime "k8s.io/apimachinery/pkg/util/runtime"
)

func init() {
	register(kind{name: "StatefulSet", make: makeStatefulSet, ask: askStatefulSet,
		source: "AppWrapper v1.2.2 utils.InferPodSets (count). " +
			"firstCount follows from the controller of StatefulSets, which was not run"})
}

func makeStatefulSet(r random) object {
	spec := object{"serviceName": "store", "template": r.podTemplate("store"),
		"selector": object{"matchLabels": object{"app": "example"}}}
	spec["template"].(object)["metadata"] = object{"labels": object{"app": "example"}}
	r.maybe(85, spec, "replicas", r.between(0, 6))
	r.maybe(60, spec, "podManagementPolicy", choose(r, "Parallel", "Parallel", "OrderedReady"))
	return object{"apiVersion": "apps/v1", "kind": "StatefulSet",
		"metadata": r.metadata("store"), "spec": spec}
}

func askStatefulSet(document object) *answer {
	set := decode[appsv1.StatefulSet](document)
	theirs := inferred(document)[0]
	main := &role{Name: "main", Count: theirs.Count, Requests: requestsOf(&set.Spec.Template)}
	result := &answer{Roles: []*role{main}}
	if !sameAmounts(main.Requests, theirs.Requests) {
		result.differ("AppWrapper", "main", "requests", theirs.Requests,
			inferredReason("StatefulSet", "main", "requests"))
	}
	policy := document["spec"].(object)["podManagementPolicy"]
	if policy != "Parallel" && main.Count > 1 {
		main.FirstCount = number(1)
	}
	return result
}

// inferred asks AppWrapper what it reads of an object inside it. It knows numbers only as integers.
func inferred(document object) []*role {
	wrapped := decodeUnstructured(document)
	podSets, err := appwrapper.InferPodSets(wrapped)
	utilruntime.Must(err)
	roles := make([]*role, 0, len(podSets))
	for _, podSet := range podSets {
		template, err := appwrapper.GetPodTemplateSpec(wrapped, podSet.Path)
		utilruntime.Must(err)
		roles = append(roles, &role{Name: podSet.Path, Count: appwrapper.Replicas(podSet),
			Requests: requestsOf(template)})
	}
	return roles
}

func decodeUnstructured(document object) *unstructured.Unstructured {
	text, err := marshal(document)
	utilruntime.Must(err)
	wrapped := &unstructured.Unstructured{}
	utilruntime.Must(wrapped.UnmarshalJSON(text))
	return wrapped
}
