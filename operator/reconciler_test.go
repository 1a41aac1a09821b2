// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	fakediscovery "k8s.io/client-go/discovery/fake"
	clienttesting "k8s.io/client-go/testing"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/interceptor"
	"sigs.k8s.io/yaml"

	"libgang.dev/gang"
	"libgang.dev/gang/k8sgang"
	"libgang.dev/gang/k8sgang/apply"
)

func (w *world) giveRuntimePodGroupPolicy() {
	w.Helper()
	object := w.get(anyRuntimeKind, read(w.T, "../examples/torchtune-llama/runtime.yaml").GetName())
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
	// There are no pods yet: if that lasts, the job is asked why.
	if result, writes := w.reconcile(); writes != 0 || result.RequeueAfter > patience {
		t.Errorf("%d writes, %+v", writes, result)
	}
}

// The PodGroup names its Workload by the uid that the server has given to it.
func TestReconcileWorkload(t *testing.T) {
	w := newWorld(t, policyOf("workload", ""))
	_, writes := w.reconcile()
	workload := w.get(workloadKind, "llama")
	if workload == nil || writes != 2 {
		t.Fatalf("%d writes", writes)
	}
	list, err := apply.List(t.Context(), w.client, groupKind)
	if err != nil || len(list) != 1 {
		t.Fatalf("%v %v", list, err)
	}
	owned := false
	for _, owner := range list[0].GetOwnerReferences() {
		owned = owned || owner.UID == workload.GetUID()
	}
	_, writes = w.reconcile()
	if writes != 0 || !owned || w.condition().Status != metav1.ConditionTrue {
		t.Errorf("%d writes, %+v", writes, list[0].GetOwnerReferences())
	}
}

func TestReconcileConflict(t *testing.T) {
	w := newWorld(t, policyOf("volcano", ""))
	foreign := apply.New(volcanoKind)
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
	event := w.event()
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

// A write that the server refuses is told: the job is not ready without its PodGroup.
func TestWriteIsRefused(t *testing.T) {
	w := newWorld(t, policyOf("volcano", ""))
	w.reconcile()
	if err := w.client.Delete(t.Context(), w.get(volcanoKind, "llama")); err != nil {
		t.Fatal(err)
	}
	whole, request := w.client, ctrl.Request{NamespacedName: theJob}
	w.client = interceptor.NewClient(whole, interceptor.Funcs{Create: func(context.Context,
		client.WithWatch, client.Object, ...client.CreateOption) error {
		return apierrors.NewForbidden(schema.GroupResource{Resource: "podgroups"}, "llama",
			errors.New("the queue is closed"))
	}})
	w.reconciler = w.reconcilerOf(trainJobKind)
	for len(w.events.Events) > 0 {
		w.event()
	}
	if _, err := w.reconciler.Reconcile(t.Context(), request); !apierrors.IsForbidden(err) {
		t.Error(err)
	}
	condition := w.condition()
	if event := w.event(); condition.Status != metav1.ConditionFalse || condition.Reason != "Forbidden" ||
		!strings.Contains(condition.Message, "the queue is closed") ||
		!strings.HasPrefix(event, "Warning Forbidden podgroups") {
		t.Errorf("%+v %s", condition, event)
	}
	w.client = whole
	w.reconciler = w.reconcilerOf(trainJobKind)
	w.reconcile()
	if condition := w.condition(); condition.Status != metav1.ConditionTrue {
		t.Errorf("%+v", condition)
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
	if err := w.marker.mark(t.Context(), created); err != nil {
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
	noFacts.reconciler.Planner = newPlanner(noFacts.policy,
		&apply.Facts{Source: k8sgang.ClusterSource{Name: "c", Discovery: server}}, noFacts.client)
	noRuntime := newWorld(t, policyOf("volcano", ""))
	runtimeName := read(t, "../examples/torchtune-llama/runtime.yaml").GetName()
	object := noRuntime.get(anyRuntimeKind, runtimeName)
	if err := noRuntime.client.Delete(t.Context(), object); err != nil {
		t.Fatal(err)
	}
	for reason, w := range map[string]*world{
		"PolicyMissing": noPolicy, "FactsMissing": noFacts, "RuntimeMissing": noRuntime} {
		result, writes := w.reconcile()
		condition := w.condition()
		if writes != 0 || result.RequeueAfter != time.Minute || condition.Reason != reason ||
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

// copyRuntime keeps the runtime as Trainer does from v2.3 on (pkg/runtime/core/snapshot.go).
func (w *world) copyRuntime(owner types.UID) *unstructured.Unstructured {
	w.Helper()
	current := w.get(anyRuntimeKind, read(w.T, "../examples/torchtune-llama/runtime.yaml").GetName())
	text, err := yaml.Marshal(current.Object)
	if err != nil {
		w.Fatal(err)
	}
	made := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Namespace: theJob.Namespace,
		Name: theJob.Name + "-runtime-snapshot", OwnerReferences: []metav1.OwnerReference{{
			APIVersion: trainer.String(), Kind: trainJobKind.Kind, Name: theJob.Name, UID: owner,
			Controller: new(true)}}}, Data: map[string]string{"runtime": string(text)}}
	if err := w.client.Create(w.Context(), made); err != nil {
		w.Fatal(err)
	}
	return current
}

// Kubeflow Trainer builds the JobSet from its copy of the runtime, whatever becomes of the runtime.
// Where it makes none, or it may not be read, the runtime decides.
func TestCopyOfRuntime(t *testing.T) {
	drop := func(w *world, object *unstructured.Unstructured) error {
		return w.client.Delete(w.Context(), object)
	}
	shrink := func(w *world, object *unstructured.Unstructured) error {
		roles, _, err := unstructured.NestedSlice(object.Object, "spec", "template", "spec",
			"replicatedJobs")
		return errors.Join(err, unstructured.SetNestedSlice(object.Object, roles[:2], "spec",
			"template", "spec", "replicatedJobs"), w.client.Update(w.Context(), object))
	}
	ofTrainer := func(w *world, _ *unstructured.Unstructured) error {
		w.giveRuntimePodGroupPolicy()
		return nil
	}
	for _, one := range []struct {
		name   string
		change func(*world, *unstructured.Unstructured) error
		owner  types.UID
		denied bool
		reason string
	}{
		{"changed", shrink, "job-uid", false, "Gang"},
		{"deleted", drop, "job-uid", false, "Gang"},
		{"of Trainer by now", ofTrainer, "job-uid", false, "Gang"},
		{"changed, the copy is of an earlier job", shrink, "earlier", false, "EmptyGang"},
		{"changed, the copy may not be read", shrink, "job-uid", true, "EmptyGang"},
		{"deleted, the copy may not be read", drop, "job-uid", true, "RuntimeMissing"},
	} {
		w := newWorld(t, policyOf("volcano", ""))
		w.reconcile() // it has a gang
		if err := one.change(w, w.copyRuntime(one.owner)); err != nil {
			t.Fatal(err)
		}
		if one.denied {
			w.planner.Inputs = runtimes{&liveReads{Reader: w.client, fail: apierrors.NewForbidden(
				schema.GroupResource{Resource: "configmaps"}, "", nil)}}.read
		}
		w.reconcile()
		if found := w.condition(); found.Reason != one.reason {
			t.Errorf("%s: %+v", one.name, found)
		}
	}
}

// A runtime that is older than the job, and as it was created, is what Trainer has copied.
func TestCopyIsNotReadInVain(t *testing.T) {
	w := newWorld(t, policyOf("volcano", ""))
	runtimeName := read(t, "../examples/torchtune-llama/runtime.yaml").GetName()
	for i, object := range []*unstructured.Unstructured{
		w.get(anyRuntimeKind, runtimeName), w.get(trainJobKind, theJob.Name)} {
		object.SetGeneration(1)
		object.SetCreationTimestamp(metav1.Unix(int64(i), 0))
		if err := w.client.Update(t.Context(), object); err != nil {
			t.Fatal(err)
		}
	}
	live := &liveReads{Reader: w.client}
	w.planner.Inputs = runtimes{live}.read
	if w.reconcile(); w.condition().Reason != "Gang" || live.count != 0 {
		t.Errorf("%d live reads, %+v", live.count, w.condition())
	}
}

// A replica that ends gives the lead away; the next one need not wait for the lease.
// Ready makes what the first plan needs. A missing policy does not keep the webhook from answering.
func TestReady(t *testing.T) {
	w := newWorld(t, clusterFacts) // which is no policy
	facts, made := w.planner.Facts, 0
	w.planner.Facts = func(ctx context.Context) (*gang.Document, error) {
		made++
		if err := ctx.Err(); err != nil {
			return nil, err // an API server is not asked any more
		}
		return facts(ctx)
	}
	gone, cancel := context.WithCancel(t.Context())
	cancel() // as a probe that does not wait
	request := httptest.NewRequestWithContext(gone, http.MethodGet, "/readyz", nil)
	if err := w.planner.Ready(request); err != nil || made != 1 {
		t.Errorf("%v, made %d times", err, made)
	}
	w.planner.Facts = func(ctx context.Context) (*gang.Document, error) {
		return nil, errors.New("no server")
	}
	if err := w.planner.Ready(request); err == nil {
		t.Error("it is ready without facts")
	}
}

func TestLeaderReleases(t *testing.T) {
	if options := (&settings{}).managerOptions(&certificate{}); !options.LeaderElectionReleaseOnCancel {
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
	if event := w.event(); !strings.HasPrefix(event, "Warning InvalidGangPolicy") {
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
		if writes != 0 || result.RequeueAfter != time.Minute ||
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
