// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"slices"
	"sync"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller"
	"sigs.k8s.io/controller-runtime/pkg/handler"
	"sigs.k8s.io/controller-runtime/pkg/log"
	"sigs.k8s.io/controller-runtime/pkg/manager"

	"libgang.dev/gang"
	"libgang.dev/gang/k8sgang"
)

// setUp names everything after which a TrainJob is reconciled. A scheduler that is installed later
// needs a restart of the operator.
func (r *reconciler) setUp(m manager.Manager) (err error) {
	if r.kinds, err = k8sgang.ServedKinds(m.GetRESTMapper()); err != nil {
		return err
	}
	every := handler.EnqueueRequestsFromMapFunc(r.everyJob)
	owner := handler.EnqueueRequestForOwner(m.GetScheme(), m.GetRESTMapper(), newObject(trainJobKind),
		handler.OnlyControllerOwner())
	made := ctrl.NewControllerManagedBy(m).Named("gangs").For(newObject(trainJobKind)).
		Watches(newObject(podKind), handler.EnqueueRequestsFromMapFunc(jobOfPod)).
		Watches(newObject(runtimeKind), every).
		Watches(newObject(anyRuntimeKind), every).
		Watches(&corev1.ConfigMap{}, every).
		WithOptions(controller.Options{MaxConcurrentReconciles: 4})
	for _, kind := range append(slices.Clip(r.kinds), jobSetKind) {
		made = made.Watches(newObject(kind), owner)
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

// A JobSet of Kubeflow Trainer has the name of its TrainJob.
func jobOfPod(_ context.Context, pod client.Object) []ctrl.Request {
	name := types.NamespacedName{Namespace: pod.GetNamespace(), Name: pod.GetLabels()[jobSetLabel]}
	return []ctrl.Request{{NamespacedName: name}}
}

// A waker says when to wake a gang with pods that are not bound. Coscheduling does not try a
// waiting gang again when room appears, but does so when its PodGroup changes. Each wake is one
// write and one scheduling attempt, so there is one in an interval. Plans for other schedulers do
// not change.
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
