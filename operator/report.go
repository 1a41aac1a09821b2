// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/tools/events"
	"k8s.io/utils/lru"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/log"

	"libgang.dev/gang"
	"libgang.dev/gang/k8sgang"
	"libgang.dev/gang/k8sgang/apply"
)

const (
	// The condition of a job: true if its gang and the objects of the gang are as planned.
	conditionType = "GangReady"
	// Where gangs are only reported: what the operator would do.
	plannedType = "GangPlanned"
	// The reason for a job whose pods have no marks.
	notMarked = "CreatedBeforeOperator"
)

// What was created before was told by the program before this one.
var started = time.Now()

// A reporter tells the author of a job in a condition and in events what became of its gang. A kind
// of job without a list of conditions has the events alone.
type reporter struct {
	client  client.Client
	events  events.EventRecorder
	acts    func(ctx context.Context, namespace string) bool
	reports rulesTest
	planner *apply.Planner
	ledger  *ledger
	told    *lru.Cache // by uid: the last condition of a job that has no list of them
	waiting *lru.Cache // by uid: why a job does not start
	busy    sync.Map   // by kind: when its controller has last created the pods of a waiting job
}

func newReporter(c client.Client, recorder events.EventRecorder,
	acts func(context.Context, string) bool, reports rulesTest, planner *apply.Planner) *reporter {
	return &reporter{client: c, events: recorder, acts: acts, reports: reports, planner: planner,
		ledger: newLedger(), told: lru.New(100_000), waiting: lru.New(100_000)}
}

// report is the Report of the reconcilers.
func (r *reporter) report(ctx context.Context, outcome *apply.Outcome) error {
	job := outcome.Job
	kind := conditionType
	if !r.acts(ctx, job.GetNamespace()) ||
		!outcome.Acted && !isMarked(job) && r.reports(ctx, r.client, job) {
		kind = plannedType
	}
	switch {
	case outcome.Err != nil:
		return r.refuse(ctx, outcome, kind)
	case outcome.Failed != nil:
		outcome.Diagnostics = nil
		return r.write(ctx, outcome, metav1.Condition{Type: kind, Status: metav1.ConditionFalse,
			Reason:  string(apierrors.ReasonForError(outcome.Failed)),
			Message: outcome.Failed.Error()})
	case outcome.Acted || !hasGang(outcome.Plans) &&
		(kind == plannedType || !isMarked(job) || hasBackendOf(outcome.Plans[0], job)):
		return r.reportPlan(ctx, outcome, kind)
	case hasGang(outcome.Plans) && !isAwaited(outcome.Plans):
		return nil
	case kind == plannedType:
		return r.write(ctx, outcome, metav1.Condition{Type: plannedType, Status: metav1.ConditionTrue,
			Reason: "Report", Message: summary(outcome.Plans) + "; nothing is marked or written"})
	}
	outcome.Diagnostics = nil
	if isMarked(job) {
		return r.write(ctx, outcome, metav1.Condition{Type: conditionType, Status: metav1.ConditionTrue,
			Reason: gang.CodeGangKept.String(), Message: "the pods keep the gang that they were created " +
				"with, of the backend " + noteOf(job).Backend + "; create the job again to move it"})
	}
	return r.write(ctx, outcome, metav1.Condition{Type: conditionType, Status: metav1.ConditionFalse,
		Reason: notMarked, Message: "the pods have no marks, so they start one by one: the job was " +
			"created before the operator acted, or its marks were removed; create it again"})
}

func hasGang(plans []*apply.Planned) bool {
	return slices.ContainsFunc(plans, func(plan *apply.Planned) bool { return plan.Gang != nil })
}

// isAwaited tells whether something is left to do for a gang; there is nothing for a job that has
// ended.
func isAwaited(plans []*apply.Planned) bool {
	return slices.ContainsFunc(plans, func(plan *apply.Planned) bool {
		return plan.Gang != nil && (len(plan.Actions) == 0 ||
			slices.Contains(plan.Actions, gang.ActionCreate))
	})
}

// summary says which pods start together.
func summary(plans []*apply.Planned) string {
	var texts []string
	for _, plan := range plans {
		if plan.Gang != nil {
			texts = append(texts, fmt.Sprintf("%d of %d pods must start together, scheduled by %s",
				plan.Gang.Minimum, plan.Gang.Pods, plan.Backend.SchedulerName))
		}
	}
	if len(texts) < 2 {
		return strings.Join(texts, "")
	}
	return fmt.Sprintf("%d gangs; of the first one %s", len(texts), texts[0])
}

// refuse reports a job that has no plan. Nothing is written or deleted for it.
func (r *reporter) refuse(ctx context.Context, outcome *apply.Outcome, kind string) error {
	outcome.Diagnostics = k8sgang.Diagnostics(outcome.Err)
	condition := k8sgang.Condition(kind, "", outcome.Diagnostics)
	if reason := reasonOf(outcome.Err); condition.Status != metav1.ConditionFalse {
		if reason == "" {
			return outcome.Err
		}
		condition.Status, condition.Reason = metav1.ConditionFalse, reason
		condition.Message = outcome.Err.Error()
	}
	return r.write(ctx, outcome, condition)
}

// reasonOf is the reason of a condition about an error without diagnostics; "" for one that may be
// over at the next try.
func reasonOf(err error) string {
	known := lack{reason: errors.New("")}
	_ = errors.As(err, &known)
	return known.reason.Error()
}

func (r *reporter) reportPlan(ctx context.Context, outcome *apply.Outcome, kind string) error {
	plans, diagnostics := outcome.Plans, outcome.Diagnostics
	condition := k8sgang.Condition(kind, plans[0].Outcome.String(), diagnostics)
	switch {
	case condition.Status == metav1.ConditionTrue && hasGang(plans):
		condition.Reason, condition.Message = gang.OutcomeGang.String(), summary(plans)
	case condition.Status == metav1.ConditionTrue:
		condition.Message = "the job has no gang any more" // one that never had is not told
	}
	var warnings []string
	for _, diagnostic := range diagnostics {
		if diagnostic.Code == gang.CodeGangKept && condition.Status == metav1.ConditionTrue {
			condition.Reason = gang.CodeGangKept.String()
			condition.Message = "the pods keep the gang that they were created with: " +
				diagnostic.Message
		}
		warning := "warning " + diagnostic.ID + " " + diagnostic.Reason
		if diagnostic.Severity == gang.SeverityWarning && !slices.Contains(warnings, warning) {
			warnings = append(warnings, warning)
		}
	}
	condition.Message = strings.Join(append([]string{condition.Message}, warnings...), "; ")
	return r.write(ctx, outcome, condition)
}

// write writes the condition and, if it has changed, events. The write also makes Kubeflow Trainer
// try at once to create a JobSet that the webhook has refused. A job that never had a gang gets no
// condition.
func (r *reporter) write(ctx context.Context, outcome *apply.Outcome,
	condition metav1.Condition) error {
	job := outcome.Job
	r.enter(ctx, outcome, &condition)
	row := rowOf(job.GetAPIVersion(), job.GetKind())
	changed, err := r.set(ctx, job, condition, r.causeOf(ctx, outcome, &condition))
	if err != nil || !changed {
		return client.IgnoreNotFound(err)
	}
	shows := row != nil && row.hasConditions && condition.Type != plannedType
	for _, event := range eventsOf(outcome.Diagnostics, &condition, shows) {
		r.events.Eventf(job, nil, event.Type, event.Reason, "Plan", "%s", event.Note)
	}
	return nil
}

// eventsOf has one event for each reason, because the recorder counts those of one reason and shows
// the first note. Where the job has no condition that shows it, a single event says everything.
func eventsOf(diagnostics []gang.Diagnostic, condition *metav1.Condition,
	shows bool) []k8sgang.Event {
	var notes []k8sgang.Event
	for _, event := range k8sgang.Events(diagnostics) {
		isSame := func(other k8sgang.Event) bool { return other.Reason == event.Reason }
		if !slices.ContainsFunc(notes, isSame) {
			notes = append(notes, event)
		}
	}
	switch isTrue := condition.Status == metav1.ConditionTrue; {
	case !isTrue && len(notes) == 0:
		return []k8sgang.Event{eventOf(corev1.EventTypeWarning, condition)}
	case isTrue && !shows:
		all := eventOf(corev1.EventTypeNormal, condition)
		for _, warning := range notes {
			all.Type = corev1.EventTypeWarning
			all.Note = fmt.Sprintf("%.900s", all.Note+"; "+warning.Note)
		}
		return []k8sgang.Event{all}
	}
	return notes
}

// enter writes the entry of the job into the ledger.
func (r *reporter) enter(ctx context.Context, outcome *apply.Outcome, condition *metav1.Condition) {
	one := entry{kind: outcome.Job.GetKind(), state: condition.Reason,
		planned: condition.Type == plannedType && condition.Reason != gang.OutcomeNoGang.String()}
	for _, plan := range outcome.Plans {
		if plan.Gang != nil {
			one.backend = plan.Backend.Type
			one.minimum, one.pods = one.minimum+plan.Gang.Minimum, one.pods+plan.Gang.Pods
		}
	}
	r.ledger.note(ctx, jobKey{one.kind, client.ObjectKeyFromObject(outcome.Job)}, one)
}

// A wait is a gang that does not start.
type wait struct {
	hasPods    bool
	next       time.Time // when it may be diagnosed again
	pause      time.Duration
	code, text string          // of the cause
	told       map[string]bool // the codes of causes that an event told of
}

// How long a gang may wait before it is asked why. Each pause until it is asked again is twice as
// long as the one before.
const patience, longestPause, turn = 15 * time.Second, 5 * time.Minute, time.Second / 20

// leastPause grows with the gangs that wait: on average one of them is asked in each turn.
func (r *reporter) leastPause() time.Duration { return time.Duration(r.waiting.Len()) * turn }

// causeOf says why a gang that was carried out does not start, "" if it starts; an event tells of
// each cause once. A gang that starts soon is never diagnosed.
func (r *reporter) causeOf(ctx context.Context, outcome *apply.Outcome,
	condition *metav1.Condition) string {
	uid, index := outcome.Job.GetUID(), firstWaiting(outcome)
	if !outcome.Acted || condition.Status != metav1.ConditionTrue || index < 0 {
		r.waiting.Remove(uid)
		return ""
	}
	found, known := r.waiting.Get(uid)
	if !known {
		found = &wait{next: time.Now().Add(max(patience, r.leastPause())), pause: patience,
			told: map[string]bool{}}
		r.waiting.Add(uid, found)
	}
	one := found.(*wait)
	if !one.hasPods && len(outcome.Pods) > 0 {
		one.hasPods = true
		r.busy.Store(outcome.Job.GetKind(), time.Now())
	}
	if left := time.Until(one.next); left > 0 {
		outcome.Again = left
		return one.text
	}
	one.pause = min(2*one.pause, longestPause)
	one.next = time.Now().Add(max(one.pause, r.leastPause()))
	answer, err := r.planner.Diagnose(ctx, r.client, outcome, uint64(index))
	if err != nil {
		log.FromContext(ctx).Error(err, "it is unknown why the gang does not start")
		return one.text
	}
	r.tell(outcome, one, answer)
	return one.text
}

// passes tells of a cause for which nobody has to do anything. In a burst of jobs most gangs have
// one, and an event of each would add writes when there are many already. A controller that creates
// the pods of other jobs is not silent: this job waits in its queue.
func (r *reporter) passes(kind, cause string) bool {
	last, isBusy := r.busy.Load(kind)
	isBusy = isBusy && time.Since(last.(time.Time)) < time.Minute
	return cause == gang.CodePodsComing.String() || cause == gang.CodeSchedulingNow.String() ||
		isBusy && cause == gang.CodeOperatorSilent.String()
}

// tell keeps the text of a cause while it is the same, because numbers in it change. A gang without
// one is asked again, even if nothing changes: what passes by itself may turn out not to.
func (r *reporter) tell(outcome *apply.Outcome, one *wait, answer *apply.Diagnosis) {
	kind := map[string]string{"Waiting": corev1.EventTypeNormal, "Stuck": corev1.EventTypeWarning,
		"Impossible": corev1.EventTypeWarning}[answer.Verdict]
	if kind == "" || answer.Cause == nil || r.passes(outcome.Job.GetKind(), answer.Cause.Reason) {
		one.code, one.text, outcome.Again = "", "", time.Until(one.next)
		return
	}
	if one.code == answer.Cause.Code {
		return
	}
	one.code = answer.Cause.Code
	one.text = fmt.Sprintf("; %s: %s [%s]", answer.Verdict, answer.Cause.Message, one.code)
	if !one.told[one.code] {
		one.told[one.code] = true
		r.events.Eventf(outcome.Job, nil, kind, answer.Cause.Reason, "Diagnose", "%.900s", one.text[2:])
	}
}

// firstWaiting is the number of the first gang with fewer pods on nodes than it needs, or -1.
func firstWaiting(outcome *apply.Outcome) int {
	bound := int64(0)
	for _, pod := range outcome.Pods {
		if pod.Node != "" && !pod.HoldsRoom {
			bound++
		}
	}
	for i, plan := range outcome.Plans {
		if plan.Gang == nil {
			continue
		}
		if bound -= plan.Gang.Minimum; bound < 0 {
			return i
		}
	}
	return -1
}

func eventOf(kind string, condition *metav1.Condition) k8sgang.Event {
	reason := condition.Reason
	if condition.Status == metav1.ConditionTrue && reason != gang.OutcomeNoGang.String() {
		reason = condition.Type
	}
	return k8sgang.Event{Type: kind, Reason: reason, Note: fmt.Sprintf("%.900s", condition.Message)}
}

// set writes the condition and the cause, or remembers the condition for a kind without conditions.
// It tells whether anything but the cause has changed.
func (r *reporter) set(ctx context.Context, job *unstructured.Unstructured,
	condition metav1.Condition, cause string) (bool, error) {
	isNone := condition.Reason == gang.OutcomeNoGang.String()
	if row := rowOf(job.GetAPIVersion(), job.GetKind()); row == nil || !row.hasConditions {
		before, had := r.told.Get(job.GetUID())
		r.told.Add(job.GetUID(), condition)
		isStill := isNone && (!had || before.(metav1.Condition).Reason == condition.Reason)
		wasTold := !had && condition.Type == conditionType && condition.Status == metav1.ConditionTrue &&
			!job.GetCreationTimestamp().Time.IsZero() && job.GetCreationTimestamp().Time.Before(started)
		return !isStill && !wasTold && before != any(condition), nil
	}
	status := writtenStatus{}
	fields, _, _ := unstructured.NestedMap(job.Object, "status")
	if err := runtime.DefaultUnstructuredConverter.FromUnstructured(fields, &status); err != nil {
		return false, err
	}
	former := meta.FindStatusCondition(status.Conditions, condition.Type)
	if isNone && former == nil {
		return false, nil
	}
	isNew := former == nil || former.Status != condition.Status || former.Reason != condition.Reason ||
		!strings.HasPrefix(former.Message, condition.Message)
	condition.Message += cause
	condition.ObservedGeneration = job.GetGeneration()
	if !meta.SetStatusCondition(&status.Conditions, condition) {
		return false, nil
	}
	written := *meta.FindStatusCondition(status.Conditions, condition.Type)
	return isNew, writeStatus(ctx, r.client, job, &writtenStatus{Conditions: []metav1.Condition{written}})
}

// writeStatus writes what a status has, and leaves the conditions of others alone.
func writeStatus(ctx context.Context, c client.Client, of *unstructured.Unstructured,
	status *writtenStatus) error {
	fields, err := runtime.DefaultUnstructuredConverter.ToUnstructured(status)
	if err != nil {
		return err
	}
	applied := apply.New(of.GroupVersionKind())
	applied.SetNamespace(of.GetNamespace())
	applied.SetName(of.GetName())
	applied.SetUID(of.GetUID()) // not one that was created again
	applied.Object["status"] = fields
	return c.Status().Apply(ctx, client.ApplyConfigurationFromUnstructured(applied),
		client.FieldOwner("libgang"), client.ForceOwnership)
}
