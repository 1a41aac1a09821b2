// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"errors"
	"fmt"
	"slices"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/yaml"

	"libgang.dev/gang"
	"libgang.dev/gang/k8sgang"
	"libgang.dev/gang/k8sgang/apply"
)

// newPlanner makes the planner of TrainJobs. The webhook and the reconciler have the same one, so
// that the marks of the pods and the objects come from the same policy and the same facts.
func newPlanner(policy *policySource, facts *apply.Facts, live client.Reader) *apply.Planner {
	return &apply.Planner{Policy: orLack(errNoPolicy, policy.current),
		Facts: orLack(errNoFacts, facts.Current), Inputs: runtimes{live}.read, RunsApart: true}
}

type rulesTest func(context.Context, client.Reader, *unstructured.Unstructured) bool

// ofRules makes the function that tells whether one of these rules of the policy decides about a
// job. A job that is refused, or that cannot be planned now, is of none: its error is told
// elsewhere.
func ofRules(planner *apply.Planner, names []string) rulesTest {
	return func(ctx context.Context, reader client.Reader,
		job *unstructured.Unstructured) (found bool) {
		if len(names) == 0 {
			return false
		}
		_ = planner.Decide(ctx, reader, job, func(decision *gang.Decision) error {
			document, err := decision.Document()
			if err == nil && document.Policy != nil && document.Policy.Rule != nil {
				found = slices.Contains(names, document.Policy.Rule.Name)
			}
			return err
		})
		return found
	}
}

// What a plan lacks: the condition of the TrainJob has it as its reason.
var (
	errNoPolicy  = errors.New("PolicyMissing")
	errNoFacts   = errors.New("FactsMissing")
	errNoRuntime = errors.New("RuntimeMissing")
)

// errOfTrainer is returned for a job whose runtime has a podGroupPolicy. Then a plugin of Kubeflow
// Trainer makes a PodGroup of the same name, and applies it again while the job is suspended: two
// writers would never agree.
var errOfTrainer = lack{errors.New("RuntimeHasPodGroupPolicy"), errors.New("the runtime has a " +
	"podGroupPolicy, so Kubeflow Trainer makes the PodGroup; remove it from the runtime (gangctl " +
	"render --target runtime) to let libgang plan")}

// A lack is an error with a reason. It is over when something is created or changed.
type lack struct{ reason, err error }

func (l lack) Error() string   { return l.err.Error() }
func (l lack) Unwrap() []error { return []error{l.reason, l.err} }

func orLack(reason error, read func(context.Context) (*gang.Document, error)) func(
	context.Context) (*gang.Document, error) {
	return func(ctx context.Context) (*gang.Document, error) {
		document, err := read(ctx)
		if err != nil {
			err = lack{reason, err}
		}
		return document, err
	}
}

// runtimes reads what Kubeflow Trainer builds the JobSet of a job from: since v2.3 a copy of the
// runtime, in a ConfigMap that no cache has. So the copy is read only if it may differ. nil: never.
type runtimes struct{ live client.Reader }

func (r runtimes) read(ctx context.Context, reader client.Reader, job *gang.Document) (
	[]*gang.Document, error) {
	if job.Type() != gang.DocumentTrainJob {
		return nil, nil
	}
	key, runtime := client.ObjectKey{}, apply.New(anyRuntimeKind)
	if key.Name = job.Reference(anyRuntimeKind.Kind); key.Name == "" {
		key.Name, key.Namespace = job.Reference(runtimeKind.Kind), job.Namespace()
		runtime = apply.New(runtimeKind)
	}
	err := reader.Get(ctx, key, runtime)
	if r.live != nil && client.IgnoreNotFound(err) == nil && isYounger(ctx, reader, runtime, job) {
		err = r.readCopy(ctx, job, runtime, err)
	}
	if err != nil {
		err = fmt.Errorf("the runtime of the TrainJob: %w", err)
		if apierrors.IsNotFound(err) {
			err = lack{errNoRuntime, err}
		}
		return nil, err
	}
	if _, found, _ := unstructured.NestedMap(runtime.Object, "spec", "podGroupPolicy"); found {
		return nil, errOfTrainer
	}
	document, err := k8sgang.Parse(runtime.GroupVersionKind(), runtime)
	return []*gang.Document{document}, err
}

// isYounger tells whether a runtime may have been created, changed or deleted after a job was
// created.
func isYounger(ctx context.Context, reader client.Reader, runtime *unstructured.Unstructured,
	job *gang.Document) bool {
	known := apply.New(trainJobKind)
	err := reader.Get(ctx, client.ObjectKey{Namespace: job.Namespace(), Name: job.Name()}, known)
	changed, created := runtime.GetCreationTimestamp(), known.GetCreationTimestamp()
	return err != nil || runtime.GetGeneration() != 1 || !changed.Before(&created)
}

// readCopy reads the copy, if it is of this job: one of an earlier job of the same name goes with
// that. Without a copy, or the permission, the runtime decides; `missing` tells that there is none.
// Source: kubeflow/trainer:pkg/runtime/core/snapshot.go@v2.3.0
func (r runtimes) readCopy(ctx context.Context, job *gang.Document,
	into *unstructured.Unstructured, missing error) error {
	kept := &corev1.ConfigMap{}
	key := client.ObjectKey{Namespace: job.Namespace(), Name: job.Name() + "-runtime-snapshot"}
	err := r.live.Get(ctx, key, kept)
	if owner := metav1.GetControllerOf(kept); owner != nil && string(owner.UID) == job.UID() {
		return yaml.Unmarshal([]byte(kept.Data["runtime"]), &into.Object)
	}
	if client.IgnoreNotFound(err) == nil || apierrors.IsForbidden(err) {
		return missing
	}
	return err
}
