// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"errors"
	"fmt"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"libgang.dev/gang"
	"libgang.dev/gang/k8sgang"
)

const jobSetLabel = "jobset.sigs.k8s.io/jobset-name"

var (
	trainer        = schema.GroupVersion{Group: "trainer.kubeflow.org", Version: "v1alpha1"}
	trainJobKind   = trainer.WithKind("TrainJob")
	runtimeKind    = trainer.WithKind("TrainingRuntime")
	anyRuntimeKind = trainer.WithKind("ClusterTrainingRuntime")
	jobSetKind     = schema.GroupVersionKind{
		Group: "jobset.x-k8s.io", Version: "v1alpha2", Kind: "JobSet"}
	podKind = schema.GroupVersionKind{Version: "v1", Kind: "Pod"}
)

func newObject(kind schema.GroupVersionKind) *unstructured.Unstructured {
	object := &unstructured.Unstructured{}
	object.SetGroupVersionKind(kind)
	return object
}

// A planner makes the plans of TrainJobs. The webhook and the reconciler have the same one, so that
// the marks of the pods and the objects come from the same policy and the same facts.
type planner struct {
	policy *policySource
	facts  *factSource
}

// errOfTrainer is returned for a job whose runtime has a podGroupPolicy. Then a plugin of Kubeflow
// Trainer makes a PodGroup of the same name, and applies it again while the job is suspended: two
// writers would never agree.
var errOfTrainer = errors.New("the runtime has a podGroupPolicy, so Kubeflow Trainer makes the " +
	"PodGroup; remove it from the runtime (gangctl render --target runtime) to let libgang plan")

// plan reads the runtime of a TrainJob and makes its plan. An error of package gang has the
// findings for the author of the job.
func (p *planner) plan(ctx context.Context, reader client.Reader,
	object *unstructured.Unstructured) (*gang.Plan, error) {
	policy, err := p.policy.current(ctx)
	if err != nil {
		return nil, err
	}
	facts, err := p.facts.current()
	if err != nil {
		return nil, err
	}
	job, err := k8sgang.Parse(trainJobKind, object)
	if err != nil {
		return nil, err
	}
	defer job.Close()
	runtime, err := readRuntime(ctx, reader, job)
	if err != nil {
		return nil, err
	}
	defer runtime.Close()
	return gang.Render(job, runtime, policy, facts)
}

func readRuntime(ctx context.Context, reader client.Reader,
	job *gang.Document) (*gang.Document, error) {
	key, runtime := client.ObjectKey{}, newObject(anyRuntimeKind)
	if key.Name = job.Reference(anyRuntimeKind.Kind); key.Name == "" {
		key.Name, key.Namespace = job.Reference(runtimeKind.Kind), job.Namespace()
		runtime = newObject(runtimeKind)
	}
	if err := reader.Get(ctx, key, runtime); err != nil {
		return nil, fmt.Errorf("the runtime of the TrainJob: %w", err)
	}
	if _, found, _ := unstructured.NestedMap(runtime.Object, "spec", "podGroupPolicy"); found {
		return nil, errOfTrainer
	}
	return k8sgang.Parse(runtime.GroupVersionKind(), runtime)
}
