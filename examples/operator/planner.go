// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"errors"
	"fmt"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
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
	crdKind = schema.GroupVersionKind{
		Group: "apiextensions.k8s.io", Version: "v1", Kind: "CustomResourceDefinition"}
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

// What a plan lacks: the condition of the TrainJob has it as its reason.
var (
	errNoPolicy  = errors.New("PolicyMissing")
	errNoFacts   = errors.New("FactsMissing")
	errNoRuntime = errors.New("RuntimeMissing")
)

// A lack is an error with one of these reasons.
type lack struct{ reason, err error }

func (l lack) Error() string   { return l.err.Error() }
func (l lack) Unwrap() []error { return []error{l.reason, l.err} }

// plan reads the runtime of a TrainJob and makes its plan. An error of package gang has the
// findings for the author of the job.
func (p *planner) plan(ctx context.Context, reader client.Reader,
	object *unstructured.Unstructured) (*gang.Plan, error) {
	policy, err := p.policy.current(ctx)
	if err != nil {
		return nil, lack{errNoPolicy, err}
	}
	facts, err := p.facts.current(ctx)
	if err != nil {
		return nil, lack{errNoFacts, fmt.Errorf("the facts of the cluster: %w", err)}
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
		err = fmt.Errorf("the runtime of the TrainJob: %w", err)
		if apierrors.IsNotFound(err) {
			err = lack{errNoRuntime, err}
		}
		return nil, err
	}
	if _, found, _ := unstructured.NestedMap(runtime.Object, "spec", "podGroupPolicy"); found {
		return nil, errOfTrainer
	}
	return k8sgang.Parse(runtime.GroupVersionKind(), runtime)
}
