// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"slices"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/tools/events"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"libgang.dev/gang"
	"libgang.dev/gang/k8sgang"
)

// A reconciler keeps the objects of the gangs of TrainJobs: gang_reconcile() says what to write.
type reconciler struct {
	client  client.Client
	planner *planner
	events  events.EventRecorder
	waker   *waker
	kinds   []schema.GroupVersionKind // that libgang renders and the cluster has
}

func (r *reconciler) Reconcile(ctx context.Context, request ctrl.Request) (ctrl.Result, error) {
	job := newObject(trainJobKind)
	if err := r.client.Get(ctx, request.NamespacedName, job); err != nil {
		r.waker.ask(request.NamespacedName, false)
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	plan, err := r.planner.plan(ctx, r.client, job)
	if err != nil {
		return r.refuse(ctx, job, err)
	}
	defer plan.Close()
	existing, err := r.existing(ctx, job, plan)
	if err != nil {
		return ctrl.Result{}, err
	}
	options, after := r.waker.ask(request.NamespacedName, slices.ContainsFunc(existing, waits))
	findings, err := r.keep(ctx, plan, existing, options)
	if apierrors.IsConflict(err) || apierrors.IsAlreadyExists(err) || apierrors.IsNotFound(err) {
		return ctrl.Result{RequeueAfter: lateAfter}, nil // the cache lacks the last write
	}
	if err == nil {
		err = r.reportPlan(ctx, job, plan, findings)
	}
	return ctrl.Result{RequeueAfter: after}, err
}

// keep compares the plan with what exists and writes the difference. A plan with a conflict is
// carried out too: what it says about the other objects is correct meanwhile.
func (r *reconciler) keep(ctx context.Context, plan *gang.Plan,
	existing []*unstructured.Unstructured, options []gang.Option) ([]gang.Finding, error) {
	live, err := k8sgang.ParseLive(existing)
	if err != nil {
		return nil, err
	}
	defer live.Close()
	compared, conflict := plan.Reconcile(live, options...)
	if compared == nil {
		return nil, conflict
	}
	defer compared.Close()
	steps, err := k8sgang.Steps(compared)
	for i := 0; err == nil && i < len(steps); i++ {
		err = r.carryOut(ctx, steps[i], existing)
		if i == 0 && steps[i].Action == gang.ActionCreate {
			break // the next round knows its uid, by which a PodGroup names its Workload
		}
	}
	if conflict != nil {
		return k8sgang.Findings(conflict), err
	}
	return compared.Findings(), err
}

func (r *reconciler) carryOut(ctx context.Context, step k8sgang.Step,
	existing []*unstructured.Unstructured) error {
	switch step.Action {
	case gang.ActionCreate:
		return r.client.Create(ctx, step.Object, strictly)
	case gang.ActionApply:
		return r.client.Update(ctx, step.Object, strictly)
	case gang.ActionDelete, gang.ActionRecreate: // once it is gone, the next plan has Create
		return r.remove(ctx, step.Object, existing)
	}
	return nil
}

// A field that the server would drop is an error.
const strictly = client.FieldValidation(metav1.FieldValidationStrict)

func (r *reconciler) remove(ctx context.Context, object *unstructured.Unstructured,
	existing []*unstructured.Unstructured) error {
	for _, one := range existing {
		if one.GetName() == object.GetName() && one.GetKind() == object.GetKind() &&
			one.GroupVersionKind().Group == object.GroupVersionKind().Group {
			uid := one.GetUID()
			return r.client.Delete(ctx, one, client.Preconditions{UID: &uid})
		}
	}
	return nil
}

// existing lists what belongs to the job, and the objects of others that have a name of the plan.
func (r *reconciler) existing(ctx context.Context, job *unstructured.Unstructured,
	plan *gang.Plan) ([]*unstructured.Unstructured, error) {
	found := []*unstructured.Unstructured{job}
	names := map[string]bool{job.GetName(): true}
	for _, object := range plan.Objects() {
		names[object.Name] = true
	}
	concerned := func(object *unstructured.Unstructured) bool {
		return object.GetKind() == podKind.Kind || names[object.GetName()] ||
			metav1.IsControlledBy(object, job)
	}
	for _, kind := range append(slices.Clip(r.kinds), jobSetKind, podKind) {
		options := []client.ListOption{client.InNamespace(job.GetNamespace())}
		if kind == podKind {
			options = append(options, client.MatchingLabels{jobSetLabel: job.GetName()})
		}
		list, err := r.list(ctx, kind, options...)
		if err != nil {
			return nil, err
		}
		for i := range list {
			if concerned(&list[i]) {
				found = append(found, &list[i])
			}
		}
	}
	return found, nil
}

func (r *reconciler) list(ctx context.Context, kind schema.GroupVersionKind,
	options ...client.ListOption) ([]unstructured.Unstructured, error) {
	list := &unstructured.UnstructuredList{}
	list.SetGroupVersionKind(kind)
	err := r.client.List(ctx, list, options...)
	return list.Items, err
}

// waits tells whether an object is a pod that a scheduler could bind.
func waits(object *unstructured.Unstructured) bool {
	node, _, _ := unstructured.NestedString(object.Object, "spec", "nodeName")
	phase, _, _ := unstructured.NestedString(object.Object, "status", "phase")
	return object.GetKind() == podKind.Kind && node == "" && phase == "Pending" &&
		object.GetDeletionTimestamp() == nil
}
