// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"slices"
	"sync"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/builder"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller"
	"sigs.k8s.io/controller-runtime/pkg/event"
	"sigs.k8s.io/controller-runtime/pkg/handler"
	"sigs.k8s.io/controller-runtime/pkg/log"
	"sigs.k8s.io/controller-runtime/pkg/manager"
	"sigs.k8s.io/controller-runtime/pkg/predicate"

	"libgang.dev/gang"
	"libgang.dev/gang/k8sgang"
)

// setUp names everything after which a TrainJob is reconciled. A scheduler that is installed later
// needs a restart of the operator.
func (r *reconciler) setUp(ctx context.Context, m manager.Manager) (err error) {
	if r.kinds, err = k8sgang.ServedKinds(m.GetRESTMapper()); err != nil {
		return err
	}
	every := handler.EnqueueRequestsFromMapFunc(r.everyJob)
	owner := handler.EnqueueRequestForOwner(m.GetScheme(), m.GetRESTMapper(), newObject(trainJobKind),
		handler.OnlyControllerOwner())
	made := ctrl.NewControllerManagedBy(m).Named("gangs").For(newObject(trainJobKind)).
		Watches(newObject(podKind), handler.EnqueueRequestsFromMapFunc(jobOfPod),
			builder.WithPredicates(predicate.Funcs{UpdateFunc: podMatters})).
		Watches(newObject(runtimeKind), every).
		Watches(newObject(anyRuntimeKind), every).
		Watches(&corev1.ConfigMap{}, every).
		WithOptions(controller.Options{MaxConcurrentReconciles: 4})
	for _, kind := range append(slices.Clip(r.kinds), jobSetKind) {
		made = made.Watches(newObject(kind), owner)
	}
	for _, kind := range append(slices.Clip(r.kinds), jobSetKind, podKind) {
		err := m.GetFieldIndexer().IndexField(ctx, newObject(kind), concernIndex, concernsOf)
		if err != nil {
			return err
		}
	}
	return made.Complete(r)
}

func (r *reconciler) everyJob(ctx context.Context, _ client.Object) []ctrl.Request {
	jobs, err := r.list(ctx, trainJobKind)
	if err != nil {
		log.FromContext(ctx).Error(err, "no list of TrainJobs")
	}
	var requests []ctrl.Request
	for i := range jobs {
		requests = append(requests, ctrl.Request{NamespacedName: client.ObjectKeyFromObject(&jobs[i])})
	}
	return requests
}

// podMatters tells whether an update of a pod can change what is written: most updates are of the
// conditions in its status, and a round for each of them would be most of the work.
func podMatters(update event.UpdateEvent) bool {
	before, isOld := update.ObjectOld.(*unstructured.Unstructured)
	after, isNew := update.ObjectNew.(*unstructured.Unstructured)
	if !isOld || !isNew {
		return true
	}
	for _, path := range [][]string{{"metadata", "labels"}, {"metadata", "annotations"},
		{"metadata", "deletionTimestamp"}, {"spec"}, {"status", "phase"}} {
		was, _, _ := unstructured.NestedFieldNoCopy(before.Object, path...)
		is, _, _ := unstructured.NestedFieldNoCopy(after.Object, path...)
		if !equality.Semantic.DeepEqual(was, is) {
			return true
		}
	}
	return false
}

// A JobSet of Kubeflow Trainer has the name of its TrainJob.
func jobOfPod(_ context.Context, pod client.Object) []ctrl.Request {
	name := types.NamespacedName{Namespace: pod.GetNamespace(), Name: pod.GetLabels()[jobSetLabel]}
	return []ctrl.Request{{NamespacedName: name}}
}

// A waker says when to wake a gang with pods that are not bound. Coscheduling does not try a
// waiting gang again when room appears, but does so when its PodGroup changes. Each wake is one
// write and one scheduling attempt, so there is one in an interval. A job of another scheduler is
// not asked about.
type waker struct {
	interval time.Duration
	due      sync.Map // of the jobs that wait: when to wake them
}

// ask returns the options for Reconcile, and when to ask again; 0: never.
func (w *waker) ask(job types.NamespacedName, waits bool) ([]gang.Option, time.Duration) {
	if !waits {
		w.due.Delete(job)
		return nil, 0
	}
	// A job that was not waiting is being tried by the scheduler now.
	due, _ := w.due.LoadOrStore(job, time.Now().Add(w.interval))
	if left := time.Until(due.(time.Time)); left > 0 {
		return nil, left
	}
	w.due.Store(job, time.Now().Add(w.interval))
	return []gang.Option{gang.Wake()}, w.interval
}

// A pacer waits longer before each further change of the objects of a job, because another writer
// may change them back each time. After a time without a change the pause is short again.
type pacer struct{ writes sync.Map }

type lastWrite struct {
	at    time.Time
	pause time.Duration // before the next one
}

// paced is the error of a write that has to wait.
type paced struct{ wait time.Duration }

func (p paced) Error() string { return "another writer changes the objects; wait " + p.wait.String() }

const shortestPause, longestPause = time.Second, 5 * time.Minute

// ask is about the changes of one round, if there are some.
func (p *pacer) ask(job types.NamespacedName, changes bool) error {
	if !changes {
		return nil
	}
	now, pause := time.Now(), shortestPause
	if found, ok := p.writes.Load(job); ok {
		last := found.(lastWrite)
		if wait := last.pause - now.Sub(last.at); wait > 0 {
			return paced{wait}
		}
		if now.Sub(last.at) < 2*last.pause {
			pause = min(2*last.pause, longestPause)
		}
	}
	p.writes.Store(job, lastWrite{now, pause})
	return nil
}

func (p *pacer) forget(job types.NamespacedName) { p.writes.Delete(job) }
