// SPDX-License-Identifier: Apache-2.0

package apply

import (
	"bytes"
	"context"
	"errors"
	"maps"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"libgang.dev/gang"
	"libgang.dev/gang/k8sgang"
)

const (
	// A refused job is tried again after this time: nothing watches all facts of the cluster. So is one
	// with a conflict: an event of the object that is in its way names another job, or none.
	retryAfter = time.Minute
	// The cache lacks the last write. Each pause is twice as long as the one before; what lasts longer
	// than is usual for a cache is told.
	lateAfter, usuallyLate = time.Second, 4 * time.Second
)

// A Reconciler keeps the objects of the gangs of one kind of jobs: Plan.Reconcile says what to
// write. It implements reconcile.Reconciler; [SetUp] makes a controller of it.
//
// It writes nothing but what a plan says, with strict validation, and deletes with the uid as a
// precondition. It adds and removes no finalizers: an object that a scheduler protects goes when
// the scheduler lets it, and is created again afterwards.
type Reconciler struct {
	// Client reads through a cache with the index that SetUp makes.
	Client  client.Client
	Planner *Planner
	// Kind is that of the jobs.
	Kind schema.GroupVersionKind
	// Children are kinds that an operator creates from a job and whose pod templates are compared
	// with the plan: the JobSet of a TrainJob.
	Children []schema.GroupVersionKind
	// Triggers are kinds of which every change plans all jobs again, such as runtimes.
	Triggers []client.Object
	// Acts tells whether to write for a job with these plans. Where it is false everything is
	// planned and reported, and nothing is written. Nil: always.
	Acts func(context.Context, *unstructured.Unstructured, []*Planned) bool
	// Report takes the result of each round that came to an end. Its error is that of the round. A
	// job without a plan is tried again in a minute, and one that Report returns an error for with a
	// back-off. Nil: the error is that of the job.
	Report func(context.Context, *Outcome) error
	// Forget is told of a job that is gone. Nil: nothing is.
	Forget func(types.NamespacedName)
	// WakeInterval is how often a gang that waits for room is woken, where its scheduler sleeps. At
	// most ten are woken in a second, so it is longer where very many wait. 0: never.
	WakeInterval time.Duration

	// Kinds are those that libgang renders and the cluster has: those of the backends that a program
	// uses, from k8sgang.ServedKinds. If it is nil, SetUp sets those of all backends.
	Kinds []schema.GroupVersionKind

	pods  *podStore // nil, with a fake client: pods are read as other objects
	queue atomic.Pointer[requests]
	waker waker
	pacer pacer
	late  sync.Map // by job: the last pause of one whose writes come late
	// Of groups without objects: the job by namespace and group, see groupsWithoutObjects.
	groups sync.Map
}

// An Outcome is the result of one round for a job.
type Outcome struct {
	Job         *unstructured.Unstructured
	Plans       []*Planned        // of each gang
	Diagnostics []gang.Diagnostic // of all plans, conflicts included
	// Existing has the job, and what belongs to it or has the name of one of its objects. The others
	// lie in the cache: they must not be changed, and [Unpack] gives their spec and status.
	Existing []*unstructured.Unstructured
	Pods     []*Pod // that name one of its groups
	// Acted is false if nothing may be written for the job: see Reconciler.Acts.
	Acted bool
	// Err is set if there is no plan.
	Err error
	// Failed is set if the server refuses a write, which is tried again with a back-off.
	Failed error
	// Again is set by Report to be called again after this time. 0: when something changes.
	Again time.Duration

	text []byte // of the job
}

// Reconcile carries out one round.
func (r *Reconciler) Reconcile(ctx context.Context, request ctrl.Request) (ctrl.Result, error) {
	job := New(r.Kind)
	if err := r.Client.Get(ctx, request.NamespacedName, job); err != nil {
		r.waker.forget(request.NamespacedName)
		r.pacer.forget(request.NamespacedName)
		r.late.Delete(request.NamespacedName)
		r.forgetGroups(request.NamespacedName)
		if r.Forget != nil && apierrors.IsNotFound(err) {
			r.Forget(request.NamespacedName)
		}
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	text, err := textOf(job)
	if err = errors.Join(err, Unpack(job)); err != nil {
		return ctrl.Result{}, err
	}
	plans, err := r.Planner.plans(ctx, r.Client, text, nil)
	outcome := &Outcome{Job: job, Plans: plans, Err: err, text: text}
	if err != nil {
		return ctrl.Result{RequeueAfter: retryAfter}, r.report(ctx, outcome)
	}
	defer Close(plans)
	if err = r.read(ctx, outcome); err != nil {
		return ctrl.Result{}, err
	}
	wait, after, err := r.keep(ctx, request.NamespacedName, outcome)
	if wait > 0 || err != nil {
		return r.tryAgain(ctx, request.NamespacedName, outcome, wait, err)
	}
	r.late.Delete(request.NamespacedName)
	err = r.report(ctx, outcome)
	after = sooner(after, outcome.Again)
	if slices.ContainsFunc(plans, (*Planned).conflicts) {
		after = sooner(after, retryAfter)
	}
	return ctrl.Result{RequeueAfter: after}, err
}

// tryAgain ends a round that has not written everything. What passes by itself is not reported.
func (r *Reconciler) tryAgain(ctx context.Context, job types.NamespacedName, outcome *Outcome,
	wait time.Duration, err error) (ctrl.Result, error) {
	if isLate(err) {
		wait = lateAfter
		if last, found := r.late.Load(job); found {
			wait = min(2*last.(time.Duration), longestPause)
		}
		if r.late.Store(job, wait); wait > usuallyLate {
			outcome.Failed = err
			return ctrl.Result{RequeueAfter: wait}, r.report(ctx, outcome)
		}
		return ctrl.Result{RequeueAfter: wait}, nil
	}
	if apierrors.IsForbidden(err) || apierrors.IsInvalid(err) || apierrors.IsBadRequest(err) {
		outcome.Failed = err
		return ctrl.Result{}, errors.Join(err, r.report(ctx, outcome))
	}
	return ctrl.Result{RequeueAfter: wait}, err
}

// sooner leaves out a time of 0, which is never.
func sooner(one, other time.Duration) time.Duration {
	if one == 0 || other > 0 && other < one {
		return other
	}
	return one
}

func (p *Planned) conflicts() bool { return slices.Contains(p.Actions, gang.ActionConflict) }

func (r *Reconciler) report(ctx context.Context, outcome *Outcome) error {
	if r.Report == nil {
		return outcome.Err
	}
	return r.Report(ctx, outcome)
}

// A gang has a Workload, and then the PodGroups that name its uid.
const phases = 3

// keep compares the plans with what exists and writes the differences. `wait` is set if another
// round has to carry it on, else `after` may say when to look again.
func (r *Reconciler) keep(ctx context.Context, job types.NamespacedName, outcome *Outcome) (
	wait, after time.Duration, err error) {
	for range phases {
		outcome.Acted = r.Acts == nil || r.Acts(ctx, outcome.Job, outcome.Plans)
		options, later := r.wake(job, outcome)
		after = later
		steps, err := outcome.compareAll(options...)
		if err != nil || !outcome.Acted {
			return 0, after, err
		}
		r.renew(ctx, outcome, steps)
		wait, err = r.act(ctx, job, steps, outcome)
		if !errors.Is(err, errUnfinished) {
			return wait, after, err
		}
	}
	return lateAfter, after, nil
}

// act carries out the steps of all gangs. A plan with a conflict is carried out too: what it says
// about the other objects is correct meanwhile.
func (r *Reconciler) act(ctx context.Context, job types.NamespacedName, steps [][]k8sgang.Step,
	outcome *Outcome) (wait time.Duration, err error) {
	wait = r.pacer.ask(job, slices.ContainsFunc(slices.Concat(steps...), changes))
	paused, unfinished, late := wait > 0, error(nil), error(nil)
	for _, ofGang := range steps {
		created, failed := carryOut(ctx, r.Client, ofGang, outcome.Existing, paused)
		outcome.Existing = append(outcome.Existing, created...)
		switch {
		case errors.Is(failed, errUnfinished):
			unfinished = failed
		case isLate(failed):
			late = failed
		default:
			err = errors.Join(err, failed)
		}
	}
	if err == nil {
		err = late
	}
	if err == nil && wait == 0 {
		err = unfinished
	}
	return wait, err
}

// compareAll compares all gangs with what exists.
func (o *Outcome) compareAll(options ...gang.Option) ([][]k8sgang.Step, error) {
	live, err := o.live()
	if err != nil {
		return nil, err
	}
	defer live.Close()
	o.Diagnostics = nil
	var steps [][]k8sgang.Step
	for _, plan := range o.Plans {
		ofGang, err := o.compare(plan.Plan, live, options)
		if err != nil {
			return nil, err
		}
		steps, plan.Actions = append(steps, ofGang), nil
		for _, step := range ofGang {
			plan.Actions = append(plan.Actions, step.Action)
		}
	}
	return steps, nil
}

func (o *Outcome) live() (*gang.Document, error) {
	text, err := o.existingText(oneOfEach(o.Pods))
	if err != nil {
		return nil, err
	}
	return gang.ParseLive(text, gang.Generated())
}

// existingText is the JSON of a list of the objects that exist and of pods. To read a list costs
// two thirds of reading the objects one after the other.
func (o *Outcome) existingText(pods []*Pod) (text []byte, err error) {
	const usual = 700 // bytes, of a pod; other objects are larger
	text = make([]byte, 0, usual*(3*len(o.Existing)+len(pods)))
	text = append(text, `{"kind":"List","apiVersion":"v1","items":[`...)
	for _, object := range o.Existing {
		one, err := o.textOf(object)
		if err != nil {
			return nil, err
		}
		text = append(append(text, one...), ',')
	}
	for _, pod := range pods {
		text = append(pod.AppendJSON(text), ',')
	}
	return append(bytes.TrimSuffix(text, []byte(",")), "]}"...), nil
}

// textOf makes the text of the job once.
func (o *Outcome) textOf(object *unstructured.Unstructured) (text []byte, err error) {
	if object == o.Job && o.text != nil {
		return o.text, nil
	}
	return textOf(object)
}

// compare adds the diagnostics of one gang to the outcome and returns what to do.
func (o *Outcome) compare(plan *gang.Plan, live *gang.Document, options []gang.Option) (
	[]k8sgang.Step, error) {
	compared, conflict := plan.Reconcile(live, options...)
	if compared == nil {
		return nil, conflict
	}
	defer compared.Close()
	if conflict != nil {
		o.Diagnostics = append(o.Diagnostics, k8sgang.Diagnostics(conflict)...)
	} else {
		o.Diagnostics = append(o.Diagnostics, compared.Diagnostics()...)
	}
	return k8sgang.Steps(compared)
}

// errUnfinished is returned after the first object of a gang: by its uid, which it has now, a
// PodGroup names its Workload. Nothing is reported yet, because the program may end between the
// two.
var errUnfinished = errors.New("the other objects of the gang are to be created")

// isLate tells whether the cache lacks the last write, or another program was faster.
func isLate(err error) bool {
	return apierrors.IsConflict(err) || apierrors.IsAlreadyExists(err) || apierrors.IsNotFound(err)
}

// changes tells whether a step may answer another writer, who may answer in turn.
func changes(step k8sgang.Step) bool { return step.Action == gang.ActionApply }

func writes(step k8sgang.Step) bool {
	return step.Action != gang.ActionLeave && step.Action != gang.ActionConflict
}

// carryOut returns the objects that it has created, as the server returns them.
func carryOut(ctx context.Context, c client.Client, steps []k8sgang.Step,
	existing []*unstructured.Unstructured, late bool) (
	created []*unstructured.Unstructured, err error) {
	for i, step := range steps {
		if late && changes(step) {
			continue
		}
		if err := write(ctx, c, step, existing); err != nil {
			return created, err
		}
		if step.Action != gang.ActionCreate {
			continue
		}
		if created = append(created, step.Object); i == 0 && len(steps) > 1 {
			return created, errUnfinished
		}
	}
	return created, nil
}

// A field that the server would drop is an error.
const strictly = client.FieldValidation(metav1.FieldValidationStrict)

func write(ctx context.Context, c client.Client, step k8sgang.Step,
	existing []*unstructured.Unstructured) error {
	err := send(ctx, c, step, existing)
	if result := "done"; writes(step) {
		if err != nil {
			result = "failed"
		}
		objectsTotal.WithLabelValues(step.Object.GetKind(), step.Action.String(), result).Inc()
	}
	return err
}

func send(ctx context.Context, c client.Client, step k8sgang.Step,
	existing []*unstructured.Unstructured) error {
	switch step.Action {
	case gang.ActionCreate:
		return c.Create(ctx, step.Object, strictly)
	case gang.ActionApply:
		return c.Update(ctx, step.Object, strictly)
	case gang.ActionDelete, gang.ActionRecreate: // once it is gone, the next plan has Create
		return remove(ctx, c, step.Object, existing)
	}
	return nil
}

func remove(ctx context.Context, c client.Client, object *unstructured.Unstructured,
	existing []*unstructured.Unstructured) error {
	for _, one := range existing {
		if one.GetName() == object.GetName() && one.GetKind() == object.GetKind() &&
			one.GroupVersionKind().Group == object.GroupVersionKind().Group {
			if one.GetDeletionTimestamp() != nil {
				return nil // a finalizer of its scheduler keeps it
			}
			uid := one.GetUID()
			return c.Delete(ctx, one, client.Preconditions{UID: &uid})
		}
	}
	return nil
}

// read lists the job, what belongs to it, the objects of others that have a name of the plans, and
// the pods that have the mark of one of these groups.
func (r *Reconciler) read(ctx context.Context, outcome *Outcome) error {
	job := outcome.Job
	names := map[string]bool{job.GetName(): true, string(job.GetUID()): true}
	for _, plan := range outcome.Plans {
		for _, object := range plan.Objects() {
			names[object.Name] = true
		}
	}
	outcome.Existing = []*unstructured.Unstructured{job}
	for _, kind := range slices.Concat(r.Kinds, r.Children) {
		objects, err := concerning(ctx, r.Client, kind, job.GetNamespace(), names)
		if err != nil {
			return err
		}
		outcome.Existing = append(outcome.Existing, objects...)
	}
	groups := maps.Clone(names)
	for _, object := range outcome.Existing {
		groups[object.GetName()] = true
	}
	for _, group := range r.groupsWithoutObjects(job, outcome.Plans) {
		groups[group] = true
	}
	var err error
	outcome.Pods, err = r.podsOf(ctx, job.GetNamespace(), groups)
	return err
}

func (r *Reconciler) podsOf(ctx context.Context, namespace string, groups map[string]bool) (
	pods []*Pod, err error) {
	if r.pods != nil {
		return r.pods.find(ctx, namespace, groups)
	}
	found, err := concerning(ctx, r.Client, podKind, namespace, groups)
	for _, object := range found {
		pod, failed := podOf(object)
		pods, err = append(pods, pod), errors.Join(err, failed)
	}
	return pods, err
}

// concerning looks in the index. The cost of a round does not grow with the namespace. What it
// returns is the cache's own.
func concerning(ctx context.Context, reader client.Reader, kind schema.GroupVersionKind,
	namespace string, names map[string]bool) (found []*unstructured.Unstructured, err error) {
	seen := map[string]bool{}
	for name := range names {
		list, err := List(ctx, reader, kind, client.InNamespace(namespace),
			client.MatchingFields{IndexName: name}, client.UnsafeDisableDeepCopy)
		if err != nil {
			return nil, err
		}
		for i := range list {
			if !seen[list[i].GetName()] {
				found, seen[list[i].GetName()] = append(found, &list[i]), true
			}
		}
	}
	slices.SortFunc(found, func(a, b *unstructured.Unstructured) int {
		return strings.Compare(a.GetName(), b.GetName())
	})
	return found, nil
}
