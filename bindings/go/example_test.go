// SPDX-License-Identifier: Apache-2.0

package gang_test

import (
	"errors"
	"fmt"
	"log"
	"os"
	"strings"

	"libgang.dev/gang"
)

// A runtime of Kubeflow Trainer, as its API server returns it.
const torchRuntime = `{
  "apiVersion": "trainer.kubeflow.org/v1alpha1", "kind": "ClusterTrainingRuntime",
  "metadata": {"name": "torch"},
  "spec": {"mlPolicy": {"numNodes": 1, "torch": {}}, "template": {"spec": {"replicatedJobs": [{
    "name": "node", "template": {
      "metadata": {"labels": {"trainer.kubeflow.org/trainjob-ancestor-step": "trainer"}},
      "spec": {"template": {"spec": {"containers": [{"name": "node", "image": "torch"}]}}}}}]}}}}`

const trainJob = `{
  "apiVersion": "trainer.kubeflow.org/v1alpha1", "kind": "TrainJob",
  "metadata": {"name": "llama", "namespace": "ml", "uid": "8b7e"},
  "spec": {"runtimeRef": {"name": "torch"}, "trainer": {"numNodes": 4}}}`

const volcanoPolicy = `{
  "apiVersion": "policy.libgang.dev/v1alpha1", "kind": "GangPolicy", "metadata": {"name": "main"},
  "spec": {"backends": [{"name": "volcano", "type": "Volcano"}], "defaultBackend": "volcano"}}`

func mustParse(text string) *gang.Document {
	document, err := gang.Parse([]byte(text))
	if err != nil {
		log.Fatal(err)
	}
	return document
}

// The objects to create for a job, and the fields to set on its pods.
func ExampleRender() {
	plan, err := gang.Render(mustParse(trainJob), mustParse(torchRuntime), mustParse(volcanoPolicy))
	if err != nil {
		log.Fatal(err)
	}
	defer plan.Close()
	for _, object := range plan.Objects() {
		fmt.Println(object.Action, object.Kind, object.Namespace+"/"+object.Name)
	}
	for _, patch := range plan.Patches() {
		fmt.Println(patch.Target, patch.Role, patch.Annotations, patch.Spec)
	}
	// Output:
	// Create PodGroup ml/llama
	// Role node map[scheduling.k8s.io/group-name:llama] map[schedulerName:volcano]
}

// Which pods start together, and why.
func ExampleResolve() {
	inputs := gang.Inputs{Documents: []*gang.Document{
		mustParse(torchRuntime), mustParse(volcanoPolicy),
	}}
	decision, err := gang.Resolve(mustParse(trainJob), inputs)
	if err != nil {
		log.Fatal(err)
	}
	defer decision.Close()
	fmt.Println(decision.Outcome(), decision.Backend(), decision.SchedulerName())
	fmt.Println(decision.Minimum(), "of", decision.Pods(), "pods")
	fmt.Println(decision.Reason())
	// Output:
	// Gang volcano volcano
	// 4 of 4 pods
	// the policy's defaultBackend
}

// Why an attribute has its value: every candidate, with the reason why it was not chosen.
func ExampleDecision_Document() {
	inputs := gang.Inputs{Documents: []*gang.Document{
		mustParse(torchRuntime), mustParse(volcanoPolicy),
	}}
	decision, err := gang.Resolve(mustParse(trainJob), inputs)
	if err != nil {
		log.Fatal(err)
	}
	defer decision.Close()
	document, err := decision.Document()
	if err != nil {
		log.Fatal(err)
	}
	for _, attribute := range document.Trace {
		if attribute.Attribute != "backend" {
			continue
		}
		for _, candidate := range attribute.Candidates {
			fmt.Printf("%s %s: %s\n", candidate.Verdict, candidate.Document, candidate.Reason)
		}
	}
	// Output:
	// Unset runtime: the runtime's podGroupPolicy names no backend
	// Unset runtime: no template names a scheduler
	// Chosen policy: the policy's defaultBackend
}

// The row of a job in an audit, as gangctl audit -o ndjson prints it.
func ExampleDecision_Serialize() {
	inputs := gang.Inputs{Documents: []*gang.Document{
		mustParse(torchRuntime), mustParse(volcanoPolicy),
	}}
	decision, err := gang.Resolve(mustParse(trainJob), inputs)
	if err != nil {
		log.Fatal(err)
	}
	defer decision.Close()
	row, err := decision.Serialize(gang.FormatRow)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(strings.TrimSpace(string(row)))
	// Output:
	// {"apiVersion":"policy.libgang.dev/v1alpha1","namespace":"ml","name":"llama","kind":"TrainJob","outcome":"Gang","backend":"volcano","minimum":4,"members":4,"pods":4,"gpus":0,"schedulerName":"volcano","reason":"the policy's defaultBackend","diagnostics":[]}
}

// A policy that forbids a job: the error names the rule, and the decision has the trace.
func ExampleError() {
	policy := mustParse(`{"apiVersion": "policy.libgang.dev/v1alpha1", "kind": "GangPolicy",
		"metadata": {"name": "main"}, "spec": {"rules": [
		{"name": "closed", "match": {"namespaces": ["ml"]}, "action": "Deny"}]}}`)
	inputs := gang.Inputs{Documents: []*gang.Document{mustParse(torchRuntime), policy}}
	decision, err := gang.Resolve(mustParse(trainJob), inputs)
	var failed *gang.Error
	if errors.As(err, &failed) {
		fmt.Println(failed.Result, decision.Outcome())
		fmt.Println(failed)
	}
	decision.Close()
	// Output:
	// Denied Denied
	// gang: Denied: policy:3:65: spec.rules[0].action: rule closed denies the job [GANG670]
}

// A mistake in a policy, with its place and what was meant.
func ExampleParse() {
	_, err := gang.Parse([]byte(`{"apiVersion": "policy.libgang.dev/v1alpha1", "kind": "GangPolicy",
		"metadata": {"name": "main"}, "spec": {"defaultBackand": "volcano"}}`))
	var failed *gang.Error
	if errors.As(err, &failed) {
		for _, diagnostic := range failed.Diagnostics {
			fmt.Println(diagnostic.Line, diagnostic.Path, diagnostic.Message)
			fmt.Println(diagnostic.Hint)
		}
	}
	// Output:
	// 2 spec.defaultBackand unknown field "spec.defaultBackand"
	// did you mean "defaultBackend"?
}

// What a cluster does not serve cannot be created there.
func ExampleInputs() {
	cluster := mustParse(`{"apiVersion": "policy.libgang.dev/v1alpha1", "kind": "GangCluster",
		"metadata": {"name": "cluster"}, "spec": {"kubernetesVersion": "1.36",
		"servedVersions": [{"groupVersion": "trainer.kubeflow.org/v1alpha1"}]}}`)
	inputs := gang.Inputs{Documents: []*gang.Document{
		mustParse(torchRuntime), mustParse(volcanoPolicy), cluster,
	}}
	_, err := gang.Resolve(mustParse(trainJob), inputs)
	var failed *gang.Error
	if errors.As(err, &failed) {
		for _, diagnostic := range failed.Diagnostics {
			if diagnostic.Severity == gang.SeverityError {
				fmt.Println(diagnostic.ID, diagnostic.Message)
			}
		}
	}
	// Output:
	// GANG649 the cluster does not serve podgroups of scheduling.volcano.sh/v1beta1, which the backend volcano renders
}

// What is to be done with the objects that exist.
func ExamplePlan_Reconcile() {
	plan, err := gang.Render(mustParse(trainJob), mustParse(torchRuntime), mustParse(volcanoPolicy))
	if err != nil {
		log.Fatal(err)
	}
	live, err := gang.ParseLive(nil) // nothing exists
	if err != nil {
		log.Fatal(err)
	}
	next, err := plan.Reconcile(live)
	if err != nil {
		log.Fatal(err)
	}
	created := next.Objects()[0]
	fmt.Println(created.Action, created.Kind)
	if live, err = gang.ParseLive(created.JSON); err != nil { // as the API server has it now
		log.Fatal(err)
	}
	if next, err = plan.Reconcile(live); err != nil {
		log.Fatal(err)
	}
	fmt.Println(next.Objects()[0].Action)
	// Output:
	// Create PodGroup
	// Leave
}

// The documents of one text, as kubectl prints them.
func ExampleSplit() {
	stream, err := gang.Split([]byte(torchRuntime + "\n" + trainJob))
	if err != nil {
		log.Fatal(err)
	}
	defer stream.Close()
	for _, document := range stream.Documents() {
		fmt.Println(document.Line, document.Kind, document.Name)
	}
	yaml, err := stream.Convert(1, gang.FormatYAML)
	if err != nil {
		log.Fatal(err)
	}
	_, _ = os.Stdout.Write(yaml)
	// Output:
	// 1 ClusterTrainingRuntime torch
	// 8 TrainJob llama
	// apiVersion: trainer.kubeflow.org/v1alpha1
	// kind: TrainJob
	// metadata:
	//   name: llama
	//   namespace: ml
	//   uid: "8b7e"
	// spec:
	//   runtimeRef:
	//     name: torch
	//   trainer:
	//     numNodes: 4
}
