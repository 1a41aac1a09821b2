// SPDX-License-Identifier: Apache-2.0

package main

import (
	"slices"
	"strings"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	ctrl "sigs.k8s.io/controller-runtime"
)

func (w *world) giveRuntimePodGroupPolicy() {
	w.Helper()
	object := w.get(anyRuntimeKind, read(w.T, "../torchtune-llama/runtime.yaml").GetName())
	policy := map[string]any{"volcano": map[string]any{}}
	if err := unstructured.SetNestedMap(object.Object, policy, "spec", "podGroupPolicy"); err != nil {
		w.Fatal(err)
	}
	if err := w.client.Update(w.Context(), object); err != nil {
		w.Fatal(err)
	}
}

// The second round writes nothing.
func TestReconcileCreatesPodGroup(t *testing.T) {
	w := newWorld(t, policyOf("volcano", ""))
	if _, writes := w.reconcile(); writes != 1 {
		t.Errorf("%d writes", writes)
	}
	group := w.get(volcanoKind, "llama")
	if numberAt(group, "spec", "minMember") != 4 || !metav1.IsControlledBy(group, w.get(trainJobKind,
		"llama")) {
		t.Errorf("%+v", group)
	}
	condition := w.condition()
	if condition.Status != metav1.ConditionTrue || condition.Reason != "Gang" ||
		!strings.HasPrefix(condition.Message, "4 of 6 pods must start together, scheduled by volcano") {
		t.Errorf("%+v", condition)
	}
	if result, writes := w.reconcile(); writes != 0 || result != (ctrl.Result{}) {
		t.Errorf("%d writes, %+v", writes, result)
	}
}

// The PodGroup names its Workload by the uid, which exists after the first round.
func TestReconcileWorkloadInTwoRounds(t *testing.T) {
	w := newWorld(t, policyOf("workload", ""))
	w.reconcile()
	workload := w.get(workloadKind, "llama")
	if workload == nil {
		t.Fatal("no Workload")
	}
	w.reconcile()
	list, err := w.reconciler.list(t.Context(), groupKind)
	if err != nil || len(list) != 1 {
		t.Fatalf("%v %v", list, err)
	}
	owned := false
	for _, owner := range list[0].GetOwnerReferences() {
		owned = owned || owner.UID == workload.GetUID()
	}
	if _, writes := w.reconcile(); writes != 0 || !owned {
		t.Errorf("%d writes, %+v", writes, list[0].GetOwnerReferences())
	}
}

func TestReconcileConflict(t *testing.T) {
	w := newWorld(t, policyOf("volcano", ""))
	foreign := newObject(volcanoKind)
	foreign.SetNamespace("ml")
	foreign.SetName("llama")
	foreign.SetOwnerReferences([]metav1.OwnerReference{{APIVersion: "batch/v1", Kind: "Job",
		Name: "other", UID: "other", Controller: new(true)}})
	w.create(foreign)
	if _, writes := w.reconcile(); writes != 0 {
		t.Errorf("%d writes", writes)
	}
	condition := w.condition()
	if condition.Status != metav1.ConditionFalse || !strings.Contains(condition.Message, "GANG851") {
		t.Errorf("%+v", condition)
	}
	event := <-w.events.Events
	if !strings.HasPrefix(event, "Warning "+condition.Reason) {
		t.Error(event)
	}
	for len(w.events.Events) > 0 {
		<-w.events.Events
	}
	w.reconcile()
	if len(w.events.Events) > 0 {
		t.Errorf("again: %s", <-w.events.Events)
	}
}

// Before the JobSet exists a job takes another backend; afterwards it keeps its gang.
func TestPolicyChanges(t *testing.T) {
	w := newWorld(t, policyOf("volcano", ""))
	w.reconcile()
	w.setPolicy(policyOf("coscheduling", ""))
	w.reconcile()
	w.reconcile()
	if w.get(volcanoKind, "llama") != nil || w.get(coschedulingKind, "llama") == nil {
		t.Error("the job has not moved")
	}
	created := jobSet()
	if err := (&marker{planner: w.planner, reader: w.client}).mark(t.Context(), created); err != nil {
		t.Fatal(err)
	}
	w.create(created)
	w.setPolicy(policyOf("volcano", ""))
	if _, writes := w.reconcile(); writes != 0 || w.get(coschedulingKind, "llama") == nil {
		t.Errorf("%d writes", writes)
	}
	if message := w.condition().Message; !strings.Contains(message, "warning GANG865") {
		t.Error(message)
	}
}

func TestInvalidPolicy(t *testing.T) {
	w := newWorld(t, policyOf("volcano", ""))
	w.reconcile()
	w.setPolicy("spec: {backends: [1]}")
	if _, writes := w.reconcile(); writes != 0 {
		t.Errorf("%d writes", writes)
	}
	if event := <-w.events.Events; !strings.HasPrefix(event, "Warning InvalidGangPolicy") {
		t.Error(event)
	}
	w.setPolicy(policyOf("coscheduling", ""))
	w.reconcile()
	if w.get(coschedulingKind, "llama") == nil {
		t.Error("the valid policy was not read")
	}
	none := newWorld(t, clusterFacts)
	request := ctrl.Request{NamespacedName: theJob}
	if _, err := none.reconciler.Reconcile(t.Context(), request); err == nil {
		t.Error("a plan without a policy")
	}
}

// Nothing is written for a job that the policy denies, or that Trainer's plugins handle.
func TestRefused(t *testing.T) {
	denied := newWorld(t, policyOf("volcano", "  rules:\n  - {name: deny, match: {}, action: Deny}\n"))
	ofTrainer := newWorld(t, policyOf("volcano", ""))
	ofTrainer.giveRuntimePodGroupPolicy()
	for reason, w := range map[string]*world{"RuleDenies": denied,
		"RuntimeHasPodGroupPolicy": ofTrainer} {
		result, writes := w.reconcile()
		condition := w.condition()
		if writes != 0 || result.RequeueAfter != retryAfter ||
			condition.Status != metav1.ConditionFalse || condition.Reason != reason {
			t.Errorf("%s: %d writes, %+v, %+v", reason, writes, result, condition)
		}
	}
}

func TestNoGangNoCondition(t *testing.T) {
	w := newWorld(t, policyOf("volcano", "  rules:\n  - {name: a, match: {}, action: Skip}\n"))
	if _, writes := w.reconcile(); writes != 0 || w.condition() != (metav1.Condition{}) {
		t.Errorf("%d writes, %+v", writes, w.condition())
	}
	w.setPolicy(policyOf("volcano", ""))
	w.reconcile()
	w.setPolicy(policyOf("volcano", "  rules:\n  - {name: a, match: {}, action: Skip}\n"))
	w.reconcile()
	if w.get(volcanoKind, "llama") != nil || w.condition().Reason != "NoGang" {
		t.Errorf("%+v", w.condition())
	}
}

func TestJobIsGone(t *testing.T) {
	w := newWorld(t, policyOf("volcano", ""))
	if err := w.client.Delete(t.Context(), w.get(trainJobKind, "llama")); err != nil {
		t.Fatal(err)
	}
	if _, writes := w.reconcile(); writes != 0 {
		t.Errorf("%d writes", writes)
	}
}

func waitingPod() *unstructured.Unstructured {
	pod := newObject(podKind)
	pod.SetNamespace("ml")
	pod.SetName("llama-node-0-0")
	pod.SetLabels(map[string]string{jobSetLabel: "llama",
		"scheduling.x-k8s.io/pod-group": "llama"})
	pod.Object["status"] = map[string]any{"phase": "Pending"}
	return pod
}

// The first round with a waiting pod starts the interval, the next one wakes.
func TestReconcileWakes(t *testing.T) {
	w := newWorld(t, policyOf("coscheduling", ""))
	w.reconciler.waker.interval = time.Millisecond
	w.reconcile()
	w.create(waitingPod())
	if result, writes := w.reconcile(); writes != 0 || result.RequeueAfter <= 0 {
		t.Errorf("%d writes, %+v", writes, result)
	}
	time.Sleep(2 * time.Millisecond)
	if _, writes := w.reconcile(); writes != 1 {
		t.Errorf("%d writes", writes)
	}
	group := w.get(coschedulingKind, "llama")
	if group.GetAnnotations()["policy.libgang.dev/wake"] == "" {
		t.Errorf("%+v", group.GetAnnotations())
	}
}

func TestWaker(t *testing.T) {
	w := &waker{interval: time.Hour}
	for i, waits := range []bool{false, true, true} {
		options, after := w.ask(theJob, waits)
		if len(options) != 0 || (after > 0) != waits {
			t.Errorf("%d: %d options, %s", i, len(options), after)
		}
	}
	w.due.Store(theJob, time.Now())
	if options, after := w.ask(theJob, true); len(options) != 1 || after != time.Hour {
		t.Errorf("%d options, %s", len(options), after)
	}
	if options, _ := w.ask(theJob, true); len(options) != 0 {
		t.Error("two wakes in an interval")
	}
}

func TestWaits(t *testing.T) {
	bound, ended, leaving := waitingPod(), waitingPod(), waitingPod()
	_ = unstructured.SetNestedField(bound.Object, "node", "spec", "nodeName")
	_ = unstructured.SetNestedField(ended.Object, "Failed", "status", "phase")
	leaving.SetDeletionTimestamp(new(metav1.Now()))
	if !waits(waitingPod()) || waits(bound) || waits(ended) || waits(leaving) || waits(jobSet()) {
		t.Error("waits")
	}
}

func TestEveryJob(t *testing.T) {
	w := newWorld(t, policyOf("volcano", ""))
	expected := []ctrl.Request{{NamespacedName: theJob}}
	if jobs := w.reconciler.everyJob(t.Context(), nil); !slices.Equal(jobs, expected) {
		t.Errorf("%v", jobs)
	}
	if jobs := jobOfPod(t.Context(), waitingPod()); !slices.Equal(jobs, expected) {
		t.Errorf("%v", jobs)
	}
}
