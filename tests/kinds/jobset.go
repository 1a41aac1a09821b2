// SPDX-License-Identifier: Apache-2.0
package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"

	batchv1 "k8s.io/api/batch/v1"
	utilruntime "k8s.io/apimachinery/pkg/util/runtime"
	jobset "sigs.k8s.io/jobset/api/jobset/v1alpha2"
	kueuejobset "sigs.k8s.io/kueue/pkg/controller/jobs/jobset"
)

const (
	exclusive    = "alpha.jobset.sigs.k8s.io/exclusive-topology"
	nodeSelector = "alpha.jobset.sigs.k8s.io/node-selector"
)

func init() {
	register(kind{name: "JobSet", make: makeJobSet, askAll: askJobSets,
		source: "Kueue v0.19.2 (*jobset.JobSet).PodSets after the defaults of the CRD; the order " +
			"from JobSet v0.12.0 (*controllers.JobSetReconciler).Reconcile on a fake client; " +
			"firstCount from its rule for followers of an exclusive topology"})
}

// ---- documents ----

func makeJobSet(r random) object {
	roles := make([]any, 0, 4)
	names := []string{}
	inOrder := r.chance(20)
	edges := !inOrder && r.chance(60)
	for i := range r.between(1, 4) {
		name := choose(r, "prepare", "workers", "driver", "export") + fmt.Sprint(i)
		roles = append(roles, replicatedJob(r, name, names, edges))
		names = append(names, name)
	}
	spec := object{"replicatedJobs": roles}
	switch {
	case inOrder:
		spec["startupPolicy"] = object{"startupPolicyOrder": "InOrder"}
	case r.chance(20):
		spec["startupPolicy"] = object{"startupPolicyOrder": "AnyOrder"}
	}
	r.maybe(20, spec, "suspend", r.chance(70))
	r.maybe(15, spec, "managedBy", choose(r, "jobset.sigs.k8s.io/jobset-controller",
		"kueue.x-k8s.io/multikueue"))
	document := object{"apiVersion": "jobset.x-k8s.io/v1alpha2", "kind": "JobSet",
		"metadata": r.metadata("pipeline"), "spec": spec}
	if r.chance(15) {
		annotate(document, exclusive, "cloud.example/rack")
		if r.chance(30) {
			annotate(document, nodeSelector, "true")
		}
	}
	return document
}

func replicatedJob(r random, name string, earlier []string, edges bool) object {
	spec := object{"template": r.batchTemplate("main")}
	jobNumbers(r, spec)
	template := object{"spec": spec}
	if r.chance(10) {
		template["metadata"] = object{"annotations": object{exclusive: "cloud.example/rack"}}
		if r.chance(30) {
			template["metadata"].(object)["annotations"].(object)[nodeSelector] = "true"
		}
	}
	role := object{"name": name, "template": template}
	r.maybe(60, role, "replicas", choose(r, 1, 1, 2, 3, 0))
	if !edges || len(earlier) == 0 {
		return role
	}
	after := []any{}
	for _, other := range earlier {
		if r.chance(45) {
			after = append(after, object{"name": other, "status": choose(r, "Ready", "Complete")})
		}
	}
	if len(after) > 0 {
		role["dependsOn"] = after
	}
	return role
}

// ---- answer ----

func askJobSets(documents []object) []*answer {
	sets := make([]*jobset.JobSet, len(documents))
	for i, document := range documents {
		sets[i] = decode[jobset.JobSet](document)
		defaultJobSet(sets[i], document)
	}
	answers := make([]*answer, len(sets))
	for i, order := range ordersOf(sets) {
		answers[i] = answerOfJobSet(sets[i], order)
	}
	return answers
}

func answerOfJobSet(set *jobset.JobSet, order jobSetOrder) *answer {
	result := &answer{Suspend: set.Spec.Suspend != nil && *set.Spec.Suspend}
	roles := fromPodSets((*kueuejobset.JobSet)(set).PodSets(background, nil))
	after := closure(order.After)
	for _, role := range roles {
		role.After = after[role.Name]
		first := order.First[role.Name]
		if first != role.Count {
			role.FirstCount = &first
		}
		// Also in the cluster of another manager.
		result.Refused = result.Refused || (first == 0 && role.Count > 0)
	}
	result.NoGang = managedElsewhere(set.Spec.ManagedBy, jobset.JobSetControllerName)
	if !result.NoGang {
		result.Roles = roles
	}
	return result
}

// The defaults of the CRD, of the webhook and of Jobs that the counts and the order need. The type
// has replicas without a pointer, so only the document says whether they were given.
func defaultJobSet(set *jobset.JobSet, document object) {
	set.Kind, set.APIVersion, set.UID = "JobSet", jobset.SchemeGroupVersion.String(), "uid"
	set.Spec.SuccessPolicy = &jobset.SuccessPolicy{Operator: jobset.OperatorAll}
	if set.Spec.StartupPolicy == nil {
		set.Spec.StartupPolicy = &jobset.StartupPolicy{StartupPolicyOrder: jobset.AnyOrder}
	}
	enabled := true
	set.Spec.Network = &jobset.Network{EnableDNSHostnames: &enabled,
		PublishNotReadyAddresses: &enabled}
	written := document["spec"].(object)["replicatedJobs"].([]any)
	for i := range set.Spec.ReplicatedJobs {
		replicated := &set.Spec.ReplicatedJobs[i]
		if _, given := written[i].(object)["replicas"]; !given {
			replicated.Replicas = 1
		}
		if replicated.GroupName == "" {
			replicated.GroupName = "default"
		}
		indexed := batchv1.IndexedCompletion
		if replicated.Template.Spec.CompletionMode == nil {
			replicated.Template.Spec.CompletionMode = &indexed
		}
		defaultJob(&replicated.Template.Spec)
	}
}

// ---- order ----

type jobSetOrder struct {
	After map[string]map[string]string `json:"after"`
	First map[string]int32             `json:"first"`
}

// ordersOf asks the program order, which contains JobSet's reconciler and webhook.
func ordersOf(sets []*jobset.JobSet) []jobSetOrder { return askOrder[jobSetOrder](sets) }

func askOrder[T any](sets []*jobset.JobSet, arguments ...string) []T {
	input := &bytes.Buffer{}
	for _, set := range sets {
		utilruntime.Must(json.NewEncoder(input).Encode(set))
	}
	command := exec.Command(orderProgram, arguments...)
	command.Stdin = input
	command.Stderr = os.Stderr
	output, err := command.Output()
	utilruntime.Must(err)
	answers := make([]T, len(sets))
	lines := json.NewDecoder(bytes.NewReader(output))
	for i := range answers {
		utilruntime.Must(lines.Decode(&answers[i]))
	}
	return answers
}

// closure adds what follows by way of others. A role that waits for a role which waits for a third
// one waits for the third one, too; of two answers the later status holds.
func closure(order map[string]map[string]string) map[string]map[string]string {
	for changed := true; changed; {
		changed = false
		for role, direct := range order {
			for other := range direct {
				for third, status := range order[other] {
					if later(status, order[role][third]) {
						order[role][third] = status
						changed = true
					}
				}
			}
		}
	}
	return order
}

var ranks = map[string]int{"": 0, "Scheduled": 1, "Ready": 2, "Complete": 3}

func later(status, than string) bool { return ranks[status] > ranks[than] }
