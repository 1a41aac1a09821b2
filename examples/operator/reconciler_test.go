// SPDX-License-Identifier: Apache-2.0

package main

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	fakediscovery "k8s.io/client-go/discovery/fake"
	clienttesting "k8s.io/client-go/testing"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/event"

	"libgang.dev/gang/k8sgang"
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

// The PodGroup names its Workload by the uid, which exists after the first round. A Workload alone is
// no gang, so there is no condition yet.
func TestReconcileWorkloadInTwoRounds(t *testing.T) {
	w := newWorld(t, policyOf("workload", ""))
	result, _ := w.reconcile()
	if condition := w.condition(); condition.Status != "" || result.RequeueAfter != lateAfter {
		t.Errorf("%+v %+v", condition, result)
	}
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
	_, writes := w.reconcile()
	if writes != 0 || !owned || w.condition().Status != metav1.ConditionTrue {
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
	// The condition tells of the gang that the pods have, not of the plan, and each warning once.
	condition := w.condition()
	if condition.Reason != "GangKept" || strings.Contains(condition.Message, "scheduled by volcano") ||
		strings.Count(condition.Message, "warning GANG865") != 1 ||
		!strings.Contains(condition.Message, "the pods keep the gang") {
		t.Errorf("%+v", condition)
	}
}

// A job from before the operator, or whose JobSet lost the marks, is no gang.
func TestJobSetWithoutMarks(t *testing.T) {
	w := newWorld(t, policyOf("volcano", ""))
	w.create(jobSet())
	w.reconcile()
	condition := w.condition()
	if condition.Status != metav1.ConditionFalse || !strings.Contains(condition.Message, "[GANG868]") {
		t.Errorf("%+v", condition)
	}
}

// The author of the job sees what is missing, and once it is there the job is planned.
func TestMissing(t *testing.T) {
	noPolicy := newWorld(t, clusterFacts)
	noFacts := newWorld(t, policyOf("volcano", ""))
	server := &fakediscovery.FakeDiscovery{Fake: &clienttesting.Fake{}}
	server.AddReactor("*", "*", func(clienttesting.Action) (bool, runtime.Object, error) {
		return true, nil, errors.New("away")
	})
	noFacts.planner.facts = &factSource{source: k8sgang.ClusterSource{Name: "c", Discovery: server}}
	noRuntime := newWorld(t, policyOf("volcano", ""))
	object := noRuntime.get(anyRuntimeKind, read(t, "../torchtune-llama/runtime.yaml").GetName())
	if err := noRuntime.client.Delete(t.Context(), object); err != nil {
		t.Fatal(err)
	}
	for reason, w := range map[string]*world{
		"PolicyMissing": noPolicy, "FactsMissing": noFacts, "RuntimeMissing": noRuntime} {
		result, writes := w.reconcile()
		condition := w.condition()
		if writes != 0 || result.RequeueAfter != retryAfter || condition.Reason != reason ||
			condition.Status != metav1.ConditionFalse || condition.Message == "" {
			t.Errorf("%s: %d writes, %+v, %+v", reason, writes, result, condition)
		}
		found := false
		for len(w.events.Events) > 0 {
			found = strings.HasPrefix(<-w.events.Events, "Warning "+reason) || found
		}
		if !found {
			t.Errorf("%s: no event", reason)
		}
	}
	object.SetResourceVersion("")
	noRuntime.create(object)
	noRuntime.reconcile()
	if condition := noRuntime.condition(); condition.Status != metav1.ConditionTrue {
		t.Errorf("%+v", condition)
	}
}

// A round reads what concerns its job, and nothing else of the namespace.
func TestExistingObjects(t *testing.T) {
	w := newWorld(t, policyOf("volcano", ""))
	w.reconcile()
	for _, name := range []string{"other", "third"} {
		group, pod, set := newObject(volcanoKind), waitingPod(), jobSet()
		group.SetNamespace("ml")
		group.SetName(name)
		pod.SetName(name)
		pod.SetLabels(map[string]string{jobSetLabel: name})
		set.SetName(name)
		set.SetOwnerReferences(nil)
		for _, object := range []*unstructured.Unstructured{group, pod, set} {
			w.create(object)
		}
	}
	w.create(waitingPod())
	w.create(jobSet())
	plan, err := w.planner.plan(t.Context(), w.client, w.get(trainJobKind, "llama"))
	if err != nil {
		t.Fatal(err)
	}
	existing, err := w.reconciler.existing(t.Context(), w.get(trainJobKind, "llama"), plan)
	var kinds []string
	for _, object := range existing {
		kinds = append(kinds, object.GetKind())
	}
	if err != nil || !slices.Equal(kinds, []string{"TrainJob", "PodGroup", "JobSet", "Pod"}) {
		t.Errorf("%v %v", kinds, err)
	}
}

// Two writers that disagree write ever more rarely.
func TestCompetingWriter(t *testing.T) {
	w := newWorld(t, policyOf("volcano", ""))
	w.reconcile()
	answers := 0
	for range 5 {
		group := w.get(volcanoKind, "llama")
		_ = unstructured.SetNestedField(group.Object, int64(1), "spec", "minMember")
		if err := w.client.Update(t.Context(), group); err != nil {
			t.Fatal(err)
		}
		result, writes := w.reconcile()
		answers += writes
		if writes == 0 && (result.RequeueAfter <= 0 || result.RequeueAfter > shortestPause) {
			t.Errorf("%+v", result)
		}
	}
	if answers != 1 {
		t.Errorf("%d answers", answers)
	}
}

func TestPacer(t *testing.T) {
	p := &pacer{}
	if p.ask(theJob, false) != nil || p.ask(theJob, true) != nil {
		t.Error("the first change waits")
	}
	var late paced
	if err := p.ask(theJob, true); !errors.As(err, &late) || late.wait > shortestPause {
		t.Errorf("%v", err)
	}
	for before, after := range map[lastWrite]time.Duration{
		{time.Now().Add(-15 * time.Second), 10 * time.Second}: 20 * time.Second,
		{time.Now().Add(-longestPause), longestPause}:         longestPause,
		{time.Now().Add(-time.Hour), longestPause}:            shortestPause,
	} {
		p.writes.Store(theJob, before)
		if err := p.ask(theJob, true); err != nil {
			t.Error(err)
		}
		if now, _ := p.writes.Load(theJob); now.(lastWrite).pause != after {
			t.Errorf("%+v after %+v", now, before)
		}
	}
}

// The conditions of a pod's status change often and mean nothing here.
func TestPodMatters(t *testing.T) {
	before := waitingPod()
	for path, matters := range map[string]bool{"status conditions": false, "metadata resourceVersion": false,
		"status phase": true, "spec nodeName": true, "metadata deletionTimestamp": true,
		"metadata labels x": true, "metadata annotations x": true} {
		after := before.DeepCopy()
		_ = unstructured.SetNestedField(after.Object, "changed", strings.Fields(path)...)
		if podMatters(event.UpdateEvent{ObjectOld: before, ObjectNew: after}) != matters {
			t.Error(path)
		}
	}
}

// Only schedulers that sleep are woken: a job of another one is not looked at again.
func TestNoWakeForVolcano(t *testing.T) {
	w := newWorld(t, policyOf("volcano", ""))
	w.reconciler.waker.interval = time.Millisecond
	w.reconcile()
	w.create(waitingPod())
	for range 2 {
		if result, writes := w.reconcile(); writes != 0 || result != (ctrl.Result{}) {
			t.Errorf("%d writes, %+v", writes, result)
		}
	}
}

// A CRD of JobSet that drops the mark is a fact, also after it was replaced.
func TestPodFieldsOfJobSet(t *testing.T) {
	w := newWorld(t, policyOf("workload", ""))
	source := &factSource{reader: w.client}
	source.readPodFields(t.Context())
	if source.source.PodTemplateFields != nil {
		t.Error("known without a CRD")
	}
	crd := newObject(crdKind)
	crd.SetName("jobsets.jobset.x-k8s.io")
	crd.Object["spec"] = map[string]any{"versions": []any{map[string]any{"served": true}}}
	w.create(crd)
	source.readPodFields(t.Context())
	if fields := source.source.PodTemplateFields; fields == nil || len(fields) != 0 {
		t.Errorf("%v", fields)
	}
	open := map[string]any{"x-kubernetes-preserve-unknown-fields": true}
	crd.Object["spec"] = map[string]any{"versions": []any{map[string]any{"served": true,
		"schema": map[string]any{"openAPIV3Schema": open}}}}
	if err := w.client.Update(t.Context(), crd); err != nil {
		t.Fatal(err)
	}
	source.readPodFields(t.Context())
	if fields := source.source.PodTemplateFields; !slices.Contains(fields, "schedulingGroup") {
		t.Errorf("%v", fields)
	}
}

// A replica that ends gives the lead away; the next one need not wait for the lease.
func TestLeaderReleases(t *testing.T) {
	if options := (settings{}).managerOptions(); !options.LeaderElectionReleaseOnCancel {
		t.Error("the lease is kept")
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
