// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"errors"
	"fmt"
	"net/http"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/webhook/admission"

	"libgang.dev/gang"
	"libgang.dev/gang/k8sgang"
)

// A marker is the webhook. It sets the patches of a plan in the JobSet that Kubeflow Trainer
// creates for a TrainJob. It is called for the creation only: afterwards the pod templates of a
// JobSet are immutable, and Trainer's server-side apply keeps the fields that it does not own.
type marker struct {
	planner *planner
	reader  client.Reader // without a cache: the TrainJob may be a few milliseconds old
}

func (m *marker) Handle(ctx context.Context, request admission.Request) admission.Response {
	jobSet := &unstructured.Unstructured{}
	if err := jobSet.UnmarshalJSON(request.Object.Raw); err != nil {
		return admission.Errored(http.StatusBadRequest, err)
	}
	err := m.mark(ctx, jobSet)
	// Trainer writes the refusal into an event of the TrainJob, whose author does not see the runtime.
	refusal := k8sgang.FieldErrors(k8sgang.Findings(err), gang.DocumentTrainJob,
		field.NewPath("spec", "runtimeRef"))
	if len(refusal) > 0 {
		return admission.Denied(refusal.ToAggregate().Error())
	}
	marked, failed := jobSet.MarshalJSON()
	if err = errors.Join(err, failed); err != nil {
		return admission.Errored(http.StatusInternalServerError, err)
	}
	return admission.PatchResponseFromRaw(request.Object.Raw, marked)
}

// mark leaves a JobSet of another owner, or of a job that Trainer's own plugins handle, as it is.
func (m *marker) mark(ctx context.Context, jobSet *unstructured.Unstructured) error {
	owner := metav1.GetControllerOf(jobSet)
	if owner == nil || owner.Kind != trainJobKind.Kind || owner.APIVersion != trainer.String() {
		return nil
	}
	job := newObject(trainJobKind)
	key := client.ObjectKey{Namespace: jobSet.GetNamespace(), Name: owner.Name}
	if err := m.reader.Get(ctx, key, job); err != nil {
		return fmt.Errorf("the TrainJob of the JobSet: %w", err)
	}
	if job.GetUID() != owner.UID {
		return fmt.Errorf("there is no TrainJob %s with the uid %s", key, owner.UID)
	}
	plan, err := m.planner.plan(ctx, m.reader, job)
	if errors.Is(err, errOfTrainer) {
		return nil
	}
	if err != nil {
		return err
	}
	defer plan.Close()
	return k8sgang.PatchUnstructuredJobSet(plan, jobSet)
}
