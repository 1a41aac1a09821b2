// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/go-logr/logr"
	"github.com/go-logr/logr/funcr"
	"github.com/prometheus/client_golang/prometheus"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	ctrl "sigs.k8s.io/controller-runtime"
)

// jobMetrics are the values of gang_jobs.
func (w *world) jobMetrics() (found []string) {
	w.Helper()
	registry := prometheus.NewRegistry()
	registry.MustRegister(w.reporter.ledger)
	families, err := registry.Gather()
	if err != nil {
		w.Fatal(err)
	}
	for _, family := range families {
		for _, one := range family.GetMetric() {
			text := family.GetName()
			for _, label := range one.GetLabel() {
				text += " " + label.GetValue()
			}
			found = append(found, fmt.Sprintf("%s %v", text, one.GetGauge().GetValue()))
		}
	}
	slices.Sort(found)
	return found
}

func (w *world) expectJobs(wanted ...string) {
	w.Helper()
	if found := w.jobMetrics(); !slices.Equal(found, wanted) {
		w.Errorf("%q instead of %q", found, wanted)
	}
}

func TestJobsByState(t *testing.T) {
	w := newWorld(t, policyOf("volcano", ""))
	w.reconcile()
	w.reconcile()
	w.expectJobs("gang_jobs Volcano TrainJob false Gang 1") // labels by name: backend, kind, planned, state
	w.setPolicy(policyOf("volcano", "  rules:\n  - {name: deny, match: {}, action: Deny}\n"))
	w.reconcile()
	w.expectJobs("gang_jobs  TrainJob false RuleDenies 1")
	if err := w.client.Delete(t.Context(), w.get(trainJobKind, theJob.Name)); err != nil {
		t.Fatal(err)
	}
	w.reconcile()
	w.expectJobs()
}

// Where gangs are only reported the log has one line for each job that would change, and the totals.
func TestTableOfChanges(t *testing.T) {
	w := newWorld(t, policyOf("volcano", ""))
	w.acts = false
	var lines []string
	ctx := logr.NewContext(t.Context(), funcr.New(func(_, line string) { lines = append(lines, line) },
		funcr.Options{}))
	round := func() {
		if _, err := w.reconciler.Reconcile(ctx, ctrl.Request{NamespacedName: theJob}); err != nil {
			t.Fatal(err)
		}
		w.reporter.ledger.logTotals(ctx)
	}
	round()
	round()
	isOther := func(line string) bool { return !strings.Contains(line, "would change") }
	lines = slices.DeleteFunc(lines, isOther)
	wanted := []string{
		`"level"=0 "msg"="would change" "kind"="TrainJob" "namespace"="ml" "name"="llama" ` +
			`"state"="Report" "backend"="Volcano" "minimum"=4 "pods"=6`,
		`"level"=0 "msg"="would change in all" "kind"="TrainJob" "state"="Report" ` +
			`"backend"="Volcano" "jobs"=1`}
	if !slices.Equal(lines, wanted) {
		t.Errorf("%s", strings.Join(lines, "\n"))
	}
	w.expectJobs("gang_jobs Volcano TrainJob true Report 1")
	// A refusal is only what would happen, too: the condition GangReady is for jobs that are acted on.
	w.setPolicy(policyOf("volcano", "  rules:\n  - {name: deny, match: {}, action: Deny}\n"))
	round()
	if w.conditionOf(plannedType).Reason != "RuleDenies" || w.condition() != (metav1.Condition{}) {
		t.Errorf("%+v %+v", w.conditionOf(plannedType), w.condition())
	}
	// A job without a gang would not change.
	lines = nil
	w.setPolicy(policyOf("volcano", "  rules:\n  - {name: skip, match: {}, action: Skip}\n"))
	round()
	for _, line := range lines {
		if strings.Contains(line, "would change") {
			t.Error(line)
		}
	}
}

// A gang that waits is asked why, but not at once and not often; the cause stands in the condition,
// and an event tells of each other cause.
func TestCause(t *testing.T) {
	w := newWorld(t, policyOf("volcano", ""))
	job := w.get(trainJobKind, theJob.Name)
	job.SetCreationTimestamp(metav1.Now())
	if err := w.client.Update(t.Context(), job); err != nil {
		t.Fatal(err)
	}
	w.reconcile()
	result, _ := w.reconcile()
	first := w.condition().Message
	if result.RequeueAfter <= 0 || strings.Contains(first, "GANG10") || w.event() != "" {
		t.Errorf("%+v %s", result, first)
	}
	later := func() string {
		one, _ := w.reporter.waiting.Get(w.get(trainJobKind, theJob.Name).GetUID())
		one.(*wait).next = time.Now()
		w.reconcile()
		return w.condition().Message
	}
	// Trainer has not created the JobSet.
	if message := later(); !strings.HasPrefix(message, first+"; ") ||
		!strings.Contains(message, "[GANG1018]") {
		t.Error(message)
	}
	event := w.event()
	if !strings.Contains(event, "[GANG1018]") || w.event() != "" {
		t.Error(event)
	}
	version := w.get(trainJobKind, theJob.Name).GetResourceVersion()
	later()
	if w.event() != "" || w.get(trainJobKind, theJob.Name).GetResourceVersion() != version {
		t.Error("the same cause is told again")
	}
	// Pods with nodes: the gang has started.
	for i := range 4 {
		one := pod(fmt.Sprintf("llama-%d", i), nil)
		one.SetNamespace(theJob.Namespace)
		one.SetAnnotations(map[string]string{"scheduling.k8s.io/group-name": "llama"})
		one.Object["spec"] = map[string]any{"nodeName": "a", "schedulerName": "volcano"}
		w.create(one)
	}
	if w.reconcile(); w.condition().Message != first {
		t.Error(w.condition().Message)
	}
}

// A job whose pods are about to be created, or to be scheduled, has no event of it, nor one that
// waits while its controller creates the pods of another job.
func TestPassingCause(t *testing.T) {
	w := newWorld(t, policyOf("volcano", ""))
	reconcile := func(name string, age time.Duration) string {
		t.Helper()
		job := w.get(batchJobKind, name)
		job.SetCreationTimestamp(metav1.NewTime(time.Now().Add(-age)))
		if err := w.client.Update(t.Context(), job); err != nil {
			t.Fatal(err)
		}
		if found, known := w.reporter.waiting.Get(job.GetUID()); known {
			found.(*wait).next = time.Now()
		}
		result, _ := w.reconcileKindOnce(job)
		event := w.event()
		if event == "" && result.RequeueAfter == 0 {
			t.Errorf("%s is not asked again", name)
		}
		return event
	}
	for _, name := range []string{"a", "b"} {
		job := parse(t, indexedJob)
		job.SetName(name)
		job.SetUID(types.UID(name))
		w.create(w.marked(job))
		// Not before the program started, which makes a difference.
		if event := reconcile(name, -time.Second); !strings.HasPrefix(event, "Normal GangReady") {
			t.Error(event)
		}
	}
	silent := func() bool { return strings.Contains(reconcile("a", 70*time.Second), "OperatorSilent") }
	if event := reconcile("a", 50*time.Second); event != "" {
		t.Error(event)
	}
	for i := range 3 {
		one := owned(pod(fmt.Sprintf("b-%d", i), nil), w.get(batchJobKind, "b"))
		one.SetAnnotations(map[string]string{"scheduling.k8s.io/group-name": "b"})
		one.SetCreationTimestamp(metav1.Now())
		one.Object["spec"] = map[string]any{"schedulerName": "volcano"}
		w.create(one)
		if event := reconcile("b", 10*time.Second); event != "" || silent() {
			t.Error(event)
		}
	}
	w.reporter.busy.Store(batchJobKind.Kind, time.Now().Add(-time.Minute))
	if !silent() {
		t.Error("nothing is told of a controller that has created no pods for a minute")
	}
}
