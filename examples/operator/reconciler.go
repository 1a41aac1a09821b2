// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"errors"
	"slices"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
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
	pacer   pacer
	events  events.EventRecorder
	waker   *waker
	kinds   []schema.GroupVersionKind // that libgang renders and the cluster has
}

func (r *reconciler) Reconcile(ctx context.Context, request ctrl.Request) (ctrl.Result, error) {
	job := newObject(trainJobKind)
	if err := r.client.Get(ctx, request.NamespacedName, job); err != nil {
		r.waker.ask(request.NamespacedName, false)
		r.pacer.forget(request.NamespacedName)
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	plan, err := r.planner.plan(ctx, r.client, job)
	if err != nil {
		return r.refuse(ctx, job, err)
	}
	defer plan.Close()
	document, err := plan.Document()
	if err != nil {
		return ctrl.Result{}, err
	}
	existing, err := r.existing(ctx, job, plan)
	if err != nil {
		return ctrl.Result{}, err
	}
	sleeps := document.Backend != nil && k8sgang.SleepsOnRoom(document.Backend.Type)
	options, after := r.waker.ask(request.NamespacedName,
		sleeps && slices.ContainsFunc(existing, waits))
	findings, err := r.keep(ctx, request.NamespacedName, plan, existing, options)
	if errors.Is(err, errUnfinished) || apierrors.IsConflict(err) || apierrors.IsAlreadyExists(err) ||
		apierrors.IsNotFound(err) {
		return ctrl.Result{RequeueAfter: lateAfter}, nil // the cache lacks the last write
	}
	if late := (paced{}); errors.As(err, &late) {
		return ctrl.Result{RequeueAfter: late.wait}, nil
	}
	if err == nil {
		err = r.reportPlan(ctx, job, document, findings)
	}
	return ctrl.Result{RequeueAfter: after}, err
}

// keep compares the plan with what exists and writes the difference. A plan with a conflict is
// carried out too: what it says about the other objects is correct meanwhile.
func (r *reconciler) keep(ctx context.Context, job types.NamespacedName, plan *gang.Plan,
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
	late := r.pacer.ask(job, slices.ContainsFunc(steps, changes))
	for i := 0; err == nil && i < len(steps); i++ {
		if late != nil && changes(steps[i]) {
			continue
		}
		err = r.carryOut(ctx, steps[i], existing)
		if err == nil && i == 0 && len(steps) > 1 && steps[i].Action == gang.ActionCreate {
			return nil, errUnfinished
		}
	}
	if err == nil {
		err = late
	}
	if conflict != nil {
		return k8sgang.Findings(conflict), err
	}
	return compared.Findings(), err
}

// errUnfinished ends a round after its first object: the next one knows its uid, by which a PodGroup
// names its Workload. There is no condition yet, because the operator may end between the two.
var errUnfinished = errors.New("the next round creates the other objects")

func changes(step k8sgang.Step) bool { return step.Action == gang.ActionApply }

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
	names := []string{job.GetName()}
	for _, object := range plan.Objects() {
		names = append(names, object.Name)
	}
	keys := append(slices.Clip(names), string(job.GetUID()))
	slices.Sort(keys)
	keys = slices.Compact(keys)
	found := []*unstructured.Unstructured{job}
	seen := map[types.UID]bool{}
	for _, kind := range append(slices.Clip(r.kinds), jobSetKind, podKind) {
		if kind == podKind {
			keys = []string{job.GetName()}
		}
		for _, key := range keys {
			list, err := r.list(ctx, kind, client.InNamespace(job.GetNamespace()),
				client.MatchingFields{concernIndex: key})
			if err != nil {
				return nil, err
			}
			for i := range list {
				if !seen[list[i].GetUID()] {
					found, seen[list[i].GetUID()] = append(found, &list[i]), true
				}
			}
		}
	}
	return found, nil
}

// The index of the cache by which a round finds what concerns its job: pods by the name of their
// JobSet, other objects by their own name and by the uid of their controller. The cost of a round does
// not grow with the namespace.
const concernIndex = "concerns"

func concernsOf(object client.Object) []string {
	if object.GetObjectKind().GroupVersionKind().Kind == podKind.Kind {
		return []string{object.GetLabels()[jobSetLabel]}
	}
	keys := []string{object.GetName()}
	if owner := metav1.GetControllerOf(object); owner != nil {
		keys = append(keys, string(owner.UID))
	}
	return keys
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
