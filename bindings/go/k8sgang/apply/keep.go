// SPDX-License-Identifier: Apache-2.0

package apply

import (
	"context"
	"errors"
	"maps"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"libgang.dev/gang"
	"libgang.dev/gang/k8sgang"
)

// A Keeper carries out one plan at the place where an operator asks for the gang of a job: for an
// operator that has a reconciler of its own. It has no state.
type Keeper struct {
	Client client.Client
	// Complete may add to an object that is created or changed what the operator's users expect in
	// it. Nil: nothing is added.
	Complete func(*unstructured.Unstructured)
}

// Keep compares the objects of a plan with those that exist and writes the differences, as
// [Reconciler] does. It reads the objects of the plan by name, and does not list others, so it
// deletes nothing that the plan does not name. `known` are objects that the caller has read, such
// as the job. It tells whether it wrote. An object in conflict is an error with diagnostics, and is
// left alone. One that has to be created again is deleted; the next call creates it.
func (k *Keeper) Keep(ctx context.Context, plan *gang.Plan, known []*unstructured.Unstructured,
	with ...gang.Option) (wrote bool, err error) {
	for range phases {
		existing, err := k.existing(ctx, plan, known)
		if err != nil {
			return wrote, err
		}
		steps, conflict, err := compare(plan, existing, with)
		if err != nil {
			return wrote, err
		}
		for _, step := range steps {
			wrote = wrote || writes(step)
			if k.Complete != nil && (step.Action == gang.ActionCreate || changes(step)) {
				k.Complete(step.Object)
			}
		}
		_, err = carryOut(ctx, k.Client, steps, existing, false)
		if !errors.Is(err, errUnfinished) {
			return wrote, errors.Join(conflict, err)
		}
	}
	return wrote, errUnfinished
}

// Inherit adds annotations of a job to an object of its gang, as some operators do. Those that
// the object has stay, and what kubectl keeps in one of the job's is not the object's.
func Inherit(object *unstructured.Unstructured, annotations map[string]string) {
	inherited := map[string]string{}
	maps.Copy(inherited, annotations)
	delete(inherited, corev1.LastAppliedConfigAnnotation)
	maps.Copy(inherited, object.GetAnnotations())
	object.SetAnnotations(inherited)
}

// compare returns what to do. The conflict has no effect on the steps.
func compare(plan *gang.Plan, existing []*unstructured.Unstructured, with []gang.Option) (
	steps []k8sgang.Step, conflict, err error) {
	live, err := k8sgang.ParseLive(existing)
	if err != nil {
		return nil, nil, err
	}
	defer live.Close()
	compared, conflict := plan.Reconcile(live, with...)
	if compared == nil {
		return nil, nil, conflict
	}
	defer compared.Close()
	steps, err = k8sgang.Steps(compared)
	return steps, conflict, err
}

func (k *Keeper) existing(ctx context.Context, plan *gang.Plan, known []*unstructured.Unstructured) (
	[]*unstructured.Unstructured, error) {
	found := append([]*unstructured.Unstructured{}, known...)
	for _, planned := range plan.Objects() {
		object := New(schema.FromAPIVersionAndKind(planned.APIVersion, planned.Kind))
		key := client.ObjectKey{Namespace: planned.Namespace, Name: planned.Name}
		if err := k.Client.Get(ctx, key, object); client.IgnoreNotFound(err) != nil {
			return nil, err
		} else if err == nil {
			found = append(found, object)
		}
	}
	return found, nil
}
