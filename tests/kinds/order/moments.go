// SPDX-License-Identifier: Apache-2.0
package main

import (
	"sort"

	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"
	utilruntime "k8s.io/apimachinery/pkg/util/runtime"
	"k8s.io/client-go/tools/events"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	jobset "sigs.k8s.io/jobset/api/jobset/v1alpha2"
	"sigs.k8s.io/jobset/pkg/controllers"
)

// moment is what the operator creates before any other pod must be ready or complete: roles and
// the number of their pods that JobSet's webhook lets in.
type moment map[string]int32

// course is the answer about one JobSet.
type course struct {
	// Moments follow each other: all pods of the earlier ones are ready, or complete, before.
	Moments []moment `json:"moments"`
	// Resumed are the moments after a suspension: that with this number had just been created.
	Paused  int      `json:"paused"`
	Resumed []moment `json:"resumed"`
	// Never are the roles with pods that the operator does not create at all.
	Never []string `json:"never,omitempty"`
}

// courseOf runs a JobSet twice: to its end, and with a suspension. One that is suspended at first
// is resumed before its first moment.
func courseOf(set *jobset.JobSet, admission *admission, number int) course {
	straight := newRun(set, admission)
	moments := straight.untilEnd(-1)
	answer := course{Moments: moments, Resumed: []moment{}, Never: neverIn(set, moments)}
	if len(moments) == 0 {
		answer.Moments = []moment{}
		return answer
	}
	answer.Paused = number % len(moments)
	paused := newRun(set, admission)
	paused.untilEnd(answer.Paused)
	paused.suspend()
	answer.Resumed = paused.untilEnd(-1)
	return answer
}

func neverIn(set *jobset.JobSet, moments []moment) []string {
	var never []string
	for i := range set.Spec.ReplicatedJobs {
		role := &set.Spec.ReplicatedJobs[i]
		job := &batchv1.Job{Spec: role.Template.Spec}
		created := role.Replicas == 0 || podsOf(job) == 0
		for _, one := range moments {
			created = created || one[role.Name] > 0
		}
		if !created {
			never = append(never, role.Name)
		}
	}
	sort.Strings(never)
	return never
}

// ---- one cluster ----

type run struct {
	client.Client
	operator  *controllers.JobSetReconciler
	admission *admission
	key       types.NamespacedName
	begun     map[string]bool // Jobs whose pods exist, or have existed since the last suspension
	jobs      []batchv1.Job   // as last observed
	state     int             // a number that changes with the Jobs
}

func newRun(set *jobset.JobSet, admission *admission) *run {
	cluster := newCluster(set, nil)
	one := &run{
		Client:    cluster,
		operator:  controllers.NewJobSetReconciler(cluster, scheme, events.NewFakeRecorder(1000)),
		admission: admission,
		key:       client.ObjectKeyFromObject(set),
		begun:     map[string]bool{},
	}
	if set.Spec.Suspend != nil && *set.Spec.Suspend {
		one.settle()
	}
	return one
}

func (r *run) setSuspend(value bool) {
	set := &jobset.JobSet{}
	utilruntime.Must(r.Get(background, r.key, set))
	set.Spec.Suspend = &value
	utilruntime.Must(r.Update(background, set))
}

// suspend deletes the pods of all Jobs that are not complete, as the controller of Jobs does.
func (r *run) suspend() {
	r.setSuspend(true)
	r.settle()
	for i := range r.jobs {
		job := &r.jobs[i]
		if isComplete(job) {
			continue
		}
		delete(r.begun, job.Name)
		job.Status = batchv1.JobStatus{}
		utilruntime.Must(r.Status().Update(background, job))
	}
	r.settle()
}

// untilEnd returns the moments until nothing happens any more, or until one with a number.
func (r *run) untilEnd(last int) []moment {
	r.setSuspend(false)
	moments := []moment{}
	for {
		next := r.settle()
		if len(next) == 0 {
			r.mark("Ready")
			next = r.settle()
		}
		if len(next) > 0 {
			moments = append(moments, next)
		} else if !r.mark("Complete") {
			return moments
		}
		if len(moments) == last+1 && last >= 0 {
			return moments
		}
	}
}

// settle runs the operator until it changes nothing. What needs no pod happens by itself.
func (r *run) settle() moment {
	created := moment{}
	for before := -1; before != r.state; {
		before = r.state
		_, err := r.operator.Reconcile(background, ctrl.Request{NamespacedName: r.key})
		utilruntime.Must(err)
		r.observe(created)
	}
	return created
}

// observe adds the pods that exist now to a moment.
func (r *run) observe(created moment) {
	list := &batchv1.JobList{}
	utilruntime.Must(r.List(background, list))
	r.jobs, r.state = list.Items, len(list.Items)
	for i := range r.jobs {
		job := &r.jobs[i]
		if job.Spec.Suspend != nil && *job.Spec.Suspend {
			continue
		}
		r.state++
		if !r.begun[job.Name] && !isComplete(job) {
			r.begin(job, created)
		}
	}
	r.state += len(r.begun)
}

func (r *run) begin(job *batchv1.Job, created moment) {
	r.begun[job.Name] = true
	role := job.Labels[jobset.ReplicatedJobNameKey]
	if pods := r.admission.first(map[string][]*batchv1.Job{role: {job}})[role]; pods > 0 {
		created[role] += pods
	}
	if job.Spec.Completions != nil && *job.Spec.Completions == 0 {
		r.setStatus(job, "Complete")
	}
}

// mark gives a status to all Jobs with pods. It says whether one had another status before.
func (r *run) mark(status string) bool {
	changed := false
	for i := range r.jobs {
		job := &r.jobs[i]
		if podsOf(job) > 0 && r.begun[job.Name] && !isComplete(job) {
			r.setStatus(job, status)
			changed = true
		}
	}
	return changed
}

func (r *run) setStatus(job *batchv1.Job, status string) {
	marked := inStatus(job, status)
	marked.ResourceVersion = job.ResourceVersion
	utilruntime.Must(r.Status().Update(background, marked))
}

func isComplete(job *batchv1.Job) bool {
	for _, condition := range job.Status.Conditions {
		if condition.Type == batchv1.JobComplete && condition.Status == corev1.ConditionTrue {
			return true
		}
	}
	return false
}
