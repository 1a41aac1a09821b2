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
	"sigs.k8s.io/controller-runtime/pkg/client"

	"libgang.dev/gang"
	"libgang.dev/gang/k8sgang"
	"libgang.dev/gang/k8sgang/apply"
)

// The condition of a TrainJob: true if its gang and the objects of the gang are as planned.
const conditionType = "GangReady"

// A reporter tells the author of a job in a condition and in events what became of its gang.
type reporter struct {
	client client.Client
	events events.EventRecorder
}

// report is the Report of the reconciler.
func (r *reporter) report(ctx context.Context, outcome *apply.Outcome) error {
	if outcome.Err != nil {
		return r.refuse(ctx, outcome.Job, outcome.Err)
	}
	return r.reportPlan(ctx, outcome.Job, outcome.Plans[0], outcome.Findings)
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
	document *gang.PlanDocument, findings []gang.Finding) error {
	condition := k8sgang.Condition(conditionType, document.Outcome.String(), findings)
	if condition.Status == metav1.ConditionTrue && document.Gang != nil {
		condition.Message = fmt.Sprintf("%d of %d pods must start together, scheduled by %s",
			document.Gang.Minimum, document.Gang.Pods, document.Backend.SchedulerName)
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

// write writes the condition and, if it has changed, an event for each error and warning. The
// write also makes Kubeflow Trainer try at once to create a JobSet that the webhook has refused. A
// job that never had a gang gets no condition.
func (r *reporter) write(ctx context.Context, job *unstructured.Unstructured,
	condition metav1.Condition, findings []gang.Finding) error {
	status := struct {
		Conditions []metav1.Condition `json:"conditions"`
	}{}
	fields, _, _ := unstructured.NestedMap(job.Object, "status")
	if err := runtime.DefaultUnstructuredConverter.FromUnstructured(fields, &status); err != nil {
		return err
	}
	had := meta.FindStatusCondition(status.Conditions, conditionType)
	if had == nil && condition.Reason == gang.OutcomeNoGang.String() {
		return nil
	}
	condition.ObservedGeneration = job.GetGeneration()
	if !meta.SetStatusCondition(&status.Conditions, condition) {
		return nil
	}
	condition = *meta.FindStatusCondition(status.Conditions, conditionType)
	if err := r.apply(ctx, job, &condition); err != nil {
		return client.IgnoreNotFound(err)
	}
	notes := k8sgang.Events(findings)
	if len(findings) == 0 && condition.Status == metav1.ConditionFalse {
		notes = []k8sgang.Event{{Type: corev1.EventTypeWarning, Reason: condition.Reason,
			Note: fmt.Sprintf("%.900s", condition.Message)}}
	}
	for _, event := range notes {
		r.events.Eventf(job, nil, event.Type, event.Reason, "Plan", "%s", event.Note)
	}
	return nil
}

// apply writes one condition and leaves those of Trainer alone.
func (r *reporter) apply(ctx context.Context, job *unstructured.Unstructured,
	condition *metav1.Condition) error {
	fields, err := runtime.DefaultUnstructuredConverter.ToUnstructured(condition)
	if err != nil {
		return err
	}
	applied := apply.New(trainJobKind)
	applied.Object["metadata"] = map[string]any{ // the uid: not a job that was created again
		"namespace": job.GetNamespace(), "name": job.GetName(), "uid": string(job.GetUID())}
	applied.Object["status"] = map[string]any{"conditions": []any{fields}}
	return r.client.Status().Apply(ctx, client.ApplyConfigurationFromUnstructured(applied),
		client.FieldOwner("libgang"), client.ForceOwnership)
}
