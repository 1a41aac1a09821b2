// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"errors"
	"fmt"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"libgang.dev/gang"
	"libgang.dev/gang/k8sgang"
	"libgang.dev/gang/k8sgang/apply"
)

// newWebhook marks the JobSet that Kubeflow Trainer creates for a TrainJob. It is called for the
// creation only: afterwards the pod templates of a JobSet are immutable, and Trainer's server-side
// apply keeps the fields that it does not own. Trainer writes the refusal into an event of the
// TrainJob, whose author does not see the runtime.
func newWebhook(planner *apply.Planner, reader client.Reader) *apply.Webhook {
	m := &marker{planner, reader}
	return &apply.Webhook{Mark: m.mark, Job: gang.DocumentTrainJob,
		Other: field.NewPath("spec", "runtimeRef")}
}

type marker struct {
	planner *apply.Planner
	reader  client.Reader // without a cache: the TrainJob may be a few milliseconds old
}

// mark leaves a JobSet of another owner, or of a job that Trainer's own plugins handle, as it is.
func (m *marker) mark(ctx context.Context, jobSet *unstructured.Unstructured) error {
	owner := metav1.GetControllerOf(jobSet)
	if owner == nil || owner.Kind != trainJobKind.Kind || owner.APIVersion != trainer.String() {
		return nil
	}
	job := apply.New(trainJobKind)
	key := client.ObjectKey{Namespace: jobSet.GetNamespace(), Name: owner.Name}
	if err := m.reader.Get(ctx, key, job); err != nil {
		return fmt.Errorf("the TrainJob of the JobSet: %w", err)
	}
	if job.GetUID() != owner.UID {
		return fmt.Errorf("there is no TrainJob %s with the uid %s", key, owner.UID)
	}
	plans, err := m.planner.Plans(ctx, m.reader, job)
	if errors.Is(err, errOfTrainer) {
		return nil
	}
	if err != nil {
		return err
	}
	defer apply.Close(plans)
	return k8sgang.PatchUnstructuredJobSet(plans[0], jobSet) // a TrainJob has one gang
}
