// SPDX-License-Identifier: Apache-2.0
package main

import (
	"encoding/json"
	"fmt"
	"path/filepath"

	jobset "sigs.k8s.io/jobset/api/jobset/v1alpha2"
)

// staged is one line of moments.jsonl; the program order describes the answer.
type staged struct {
	ID     string          `json:"id"`
	Object object          `json:"object"`
	Answer json.RawMessage `json:"answer"`
}

// recordMoments writes moments.jsonl: JobSets, and when the operator creates their pods.
func recordMoments(chosen *choice) error {
	objects := make([]object, chosen.cases)
	sets := make([]*jobset.JobSet, chosen.cases)
	for i := range objects {
		index := chosen.first + i
		objects[i] = makeStagedJobSet(newRandom(chosen.seed, "moments", index))
		objects[i]["metadata"].(object)["name"] = fmt.Sprintf("staged-%d", index)
		sets[i] = decode[jobset.JobSet](objects[i])
		defaultJobSet(sets[i], objects[i])
	}
	lines := make([]any, len(objects))
	for i, answer := range askOrder[json.RawMessage](sets, "-moments") {
		id := fmt.Sprintf("moments/%d/%d", chosen.seed, chosen.first+i)
		lines[i] = staged{id, objects[i], answer}
	}
	return writeLines(filepath.Join(chosen.record, "moments.jsonl"), lines)
}

// makeStagedJobSet makes a JobSet whose roles wait for each other, and in which roles have no Jobs,
// or Jobs without pods, which are ready at once and may never be complete.
func makeStagedJobSet(r random) object {
	inOrder := r.chance(25)
	edges := !inOrder && r.chance(90)
	roles, names := []any{}, []string{}
	for i := range r.between(1, 6) {
		name := fmt.Sprintf("r%d", i)
		roles = append(roles, stagedRole(r, name, names, edges))
		names = append(names, name)
	}
	spec := object{"replicatedJobs": roles}
	switch {
	case inOrder:
		spec["startupPolicy"] = object{"startupPolicyOrder": "InOrder"}
	case r.chance(20):
		spec["startupPolicy"] = object{"startupPolicyOrder": "AnyOrder"}
	}
	r.maybe(25, spec, "suspend", r.chance(70))
	set := object{"apiVersion": "jobset.x-k8s.io/v1alpha2", "kind": "JobSet",
		"metadata": object{"name": "", "namespace": "team-a", "uid": "u"}, "spec": spec}
	if r.chance(6) {
		annotate(set, exclusive, "cloud.example/rack")
	}
	return set
}

func stagedRole(r random, name string, earlier []string, edges bool) object {
	pod := object{"spec": object{"restartPolicy": "Never",
		"containers": []any{object{"name": "main", "image": "main:v1"}}}}
	if r.chance(2) {
		pod["metadata"] = object{"labels": object{
			choose(r, "scheduling.x-k8s.io/pod-group", "kai.scheduler/subgroup-name"): "mine"}}
	}
	job := object{"template": pod}
	parallelism := choose(r, 0, 1, 1, 2, 2, 3, 3)
	r.maybe(85, job, "parallelism", parallelism)
	switch r.IntN(5) {
	case 0:
		job["completions"] = parallelism
	case 1:
		job["completions"] = r.between(0, 4)
	}
	r.maybe(25, job, "completionMode", choose(r, "Indexed", "NonIndexed"))
	template := object{"spec": job}
	if r.chance(10) {
		template["metadata"] = object{"labels": object{"trainer.kubeflow.org/trainjob-ancestor-step": choose(
			r, "trainer", "trainer", "dataset-initializer")}}
	}
	role := object{"name": name, "template": template}
	r.maybe(60, role, "replicas", choose(r, 0, 1, 1, 2, 3))
	after := []any{}
	for _, other := range earlier {
		if edges && r.chance(40) {
			after = append(after, object{"name": other, "status": choose(r, "Ready", "Complete")})
		}
	}
	if len(after) > 0 {
		role["dependsOn"] = after
	}
	return role
}
