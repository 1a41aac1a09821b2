// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/tools/events"
	"k8s.io/utils/lru"
	"sigs.k8s.io/controller-runtime/pkg/client"

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

// A reporter tells the author of a job in a condition and in events what became of its gang. A kind
// of job without a list of conditions has the events alone.
type reporter struct {
	client client.Client
	events events.EventRecorder
	acts   func(ctx context.Context, namespace string) bool
	told   *lru.Cache // by uid: the last condition of a job that has no list of them
}

func newReporter(c client.Client, recorder events.EventRecorder,
	acts func(context.Context, string) bool) *reporter {
	return &reporter{client: c, events: recorder, acts: acts, told: lru.New(10_000)}
}

// report is the Report of the reconcilers.
func (r *reporter) report(ctx context.Context, outcome *apply.Outcome) error {
	job := outcome.Job
	switch {
	case outcome.Err != nil:
		return r.refuse(ctx, job, outcome.Err)
	case outcome.Acted || !hasGang(outcome.Plans):
		return r.reportPlan(ctx, job, outcome.Plans, outcome.Findings)
	case !isAwaited(outcome.Plans):
		return nil
	case !r.acts(ctx, job.GetNamespace()):
		return r.write(ctx, job, metav1.Condition{Type: plannedType, Status: metav1.ConditionTrue,
			Reason: "Report", Message: summary(outcome.Plans) + "; nothing is marked or written"},
			outcome.Findings)
	}
	if isMarked(job) {
		return r.write(ctx, job, metav1.Condition{Type: conditionType, Status: metav1.ConditionTrue,
			Reason: gang.CodeGangKept.String(), Message: "the pods keep the gang that they were created " +
				"with, of the backend " + noteOf(job).Backend + "; create the job again to move it"}, nil)
	}
	return r.write(ctx, job, metav1.Condition{Type: conditionType, Status: metav1.ConditionFalse,
		Reason: notMarked, Message: "the pods have no marks, so they start one by one: the job was " +
			"created before the operator acted, or its marks were removed; create it again"}, nil)
}

func hasGang(plans []*gang.PlanDocument) bool {
	return slices.ContainsFunc(plans, func(plan *gang.PlanDocument) bool { return plan.Gang != nil })
}

// isAwaited tells whether something is left to do for a gang; there is nothing for a job that has
// ended.
func isAwaited(plans []*gang.PlanDocument) bool {
	return slices.ContainsFunc(plans, func(plan *gang.PlanDocument) bool {
		return plan.Gang != nil && (len(plan.Objects) == 0 ||
			slices.ContainsFunc(plan.Objects, func(object gang.PlannedObject) bool {
				return object.Action == gang.ActionCreate
			}))
	})
}

// summary says which pods start together.
func summary(plans []*gang.PlanDocument) string {
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
func (r *reporter) refuse(ctx context.Context, job *unstructured.Unstructured, err error) error {
	findings := k8sgang.Findings(err)
	condition := k8sgang.Condition(conditionType, "", findings)
	if reason := reasonOf(err); condition.Status != metav1.ConditionFalse {
		if reason == "" {
			return err
		}
		condition.Status, condition.Reason, condition.Message = metav1.ConditionFalse, reason, err.Error()
	}
	return r.write(ctx, job, condition, findings)
}

// reasonOf is the reason of a condition about an error without findings; "" for one that may be
// over at the next try.
func reasonOf(err error) string {
	if errors.Is(err, errOfTrainer) {
		return "RuntimeHasPodGroupPolicy"
	}
	for _, reason := range []error{errNoPolicy, errNoFacts, errNoRuntime} {
		if errors.Is(err, reason) {
			return reason.Error()
		}
	}
	return ""
}

func (r *reporter) reportPlan(ctx context.Context, job *unstructured.Unstructured,
	plans []*gang.PlanDocument, findings []gang.Finding) error {
	condition := k8sgang.Condition(conditionType, plans[0].Outcome.String(), findings)
	if condition.Status == metav1.ConditionTrue && hasGang(plans) {
		condition.Reason, condition.Message = gang.OutcomeGang.String(), summary(plans)
	}
	if kept := keptGang(findings); kept != "" && condition.Status == metav1.ConditionTrue {
		condition.Reason, condition.Message = gang.CodeGangKept.String(), kept
	}
	var warnings []string
	for _, finding := range findings {
		warning := "warning " + finding.ID + " " + finding.Reason
		if finding.Severity == gang.SeverityWarning && !slices.Contains(warnings, warning) {
			warnings = append(warnings, warning)
		}
	}
	condition.Message = strings.Join(append([]string{condition.Message}, warnings...), "; ")
	return r.write(ctx, job, condition, findings)
}

// keptGang says that the pods have another gang than the plan, which is not carried out.
func keptGang(findings []gang.Finding) string {
	for _, finding := range findings {
		if finding.Code == gang.CodeGangKept {
			return "the pods keep the gang that they were created with: " + finding.Message
		}
	}
	return ""
}

// write writes the condition and, if it has changed, an event for each error and warning. The write
// also makes Kubeflow Trainer try at once to create a JobSet that the webhook has refused. A job
// that never had a gang gets no condition.
func (r *reporter) write(ctx context.Context, job *unstructured.Unstructured,
	condition metav1.Condition, findings []gang.Finding) error {
	changed, err := r.set(ctx, job, condition)
	if err != nil || !changed {
		return client.IgnoreNotFound(err)
	}
	notes := k8sgang.Events(findings)
	row := rowOf(job.GetAPIVersion(), job.GetKind())
	switch {
	case len(notes) == 0 && condition.Status == metav1.ConditionFalse:
		notes = append(notes, eventOf(corev1.EventTypeWarning, &condition))
	case row == nil || !row.hasConditions || condition.Type == plannedType:
		notes = append(notes, eventOf(corev1.EventTypeNormal, &condition))
	}
	for _, event := range notes {
		r.events.Eventf(job, nil, event.Type, event.Reason, "Plan", "%s", event.Note)
	}
	return nil
}

func eventOf(kind string, condition *metav1.Condition) k8sgang.Event {
	reason := condition.Reason
	if condition.Status == metav1.ConditionTrue {
		reason = condition.Type
	}
	return k8sgang.Event{Type: kind, Reason: reason, Note: fmt.Sprintf("%.900s", condition.Message)}
}

// set writes the condition, or remembers it for a kind without conditions. It tells whether it has
// changed.
func (r *reporter) set(ctx context.Context, job *unstructured.Unstructured,
	condition metav1.Condition) (bool, error) {
	isNone := condition.Reason == gang.OutcomeNoGang.String()
	if row := rowOf(job.GetAPIVersion(), job.GetKind()); row == nil || !row.hasConditions {
		before, had := r.told.Get(job.GetUID())
		r.told.Add(job.GetUID(), condition)
		return (had || !isNone) && before != any(condition), nil
	}
	status := struct {
		Conditions []metav1.Condition `json:"conditions"`
	}{}
	fields, _, _ := unstructured.NestedMap(job.Object, "status")
	if err := runtime.DefaultUnstructuredConverter.FromUnstructured(fields, &status); err != nil {
		return false, err
	}
	if isNone && meta.FindStatusCondition(status.Conditions, condition.Type) == nil {
		return false, nil
	}
	condition.ObservedGeneration = job.GetGeneration()
	if !meta.SetStatusCondition(&status.Conditions, condition) {
		return false, nil
	}
	return true, r.apply(ctx, job, meta.FindStatusCondition(status.Conditions, condition.Type))
}

// apply writes one condition and leaves those of others alone.
func (r *reporter) apply(ctx context.Context, job *unstructured.Unstructured,
	condition *metav1.Condition) error {
	fields, err := runtime.DefaultUnstructuredConverter.ToUnstructured(condition)
	if err != nil {
		return err
	}
	applied := apply.New(job.GroupVersionKind())
	applied.Object["metadata"] = map[string]any{ // the uid: not a job that was created again
		"namespace": job.GetNamespace(), "name": job.GetName(), "uid": string(job.GetUID())}
	applied.Object["status"] = map[string]any{"conditions": []any{fields}}
	return r.client.Status().Apply(ctx, client.ApplyConfigurationFromUnstructured(applied),
		client.FieldOwner("libgang"), client.ForceOwnership)
}
