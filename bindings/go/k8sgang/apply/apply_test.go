// SPDX-License-Identifier: Apache-2.0

package apply

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"reflect"
	"slices"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/managedfields"
	"k8s.io/client-go/rest"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/fake"
	"sigs.k8s.io/controller-runtime/pkg/client/interceptor"
	"sigs.k8s.io/controller-runtime/pkg/event"
	metrics "sigs.k8s.io/controller-runtime/pkg/metrics/server"
	"sigs.k8s.io/yaml"

	"libgang.dev/gang"
	"libgang.dev/gang/k8sgang"
)

var (
	volcanoKind = schema.GroupVersionKind{
		Group: "scheduling.volcano.sh", Version: "v1beta1", Kind: "PodGroup"}
	coschedulingKind = schema.GroupVersionKind{
		Group: "scheduling.x-k8s.io", Version: "v1alpha1", Kind: "PodGroup"}
	workloads    = schema.GroupVersion{Group: "scheduling.k8s.io", Version: "v1alpha2"}
	workloadKind = workloads.WithKind("Workload")
	groupKind    = workloads.WithKind("PodGroup")
	jobSetKind   = schema.GroupVersionKind{
		Group: "jobset.x-k8s.io", Version: "v1alpha2", Kind: "JobSet"}
	batchJobKind = schema.GroupVersionKind{Group: "batch", Version: "v1", Kind: "Job"}
	testKinds    = []schema.GroupVersionKind{volcanoKind, coschedulingKind, workloadKind, groupKind,
		koordinatorKind}
	theJob = types.NamespacedName{Namespace: "ml", Name: "bert"}
)

// Two stages of two and four pods: two gangs.
const stages = `apiVersion: jobset.x-k8s.io/v1alpha2
kind: JobSet
metadata: {name: bert, namespace: ml, uid: job-uid}
spec:
  replicatedJobs:
  - name: prepare
    template:
      spec:
        parallelism: 2
        completions: 2
        template: {spec: {containers: [{name: c, image: none}]}}
  - name: train
    replicas: 2
    dependsOn: [{name: prepare, status: Complete}]
    template:
      spec:
        parallelism: 2
        completions: 2
        template: {spec: {containers: [{name: c, image: none}]}}
`

const clusterFacts = `{"apiVersion": "policy.libgang.dev/v1alpha1", "kind": "GangCluster",
"metadata": {"name": "test"}, "spec": {"kubernetesVersion": "1.36", "servedVersions": [
{"groupVersion": "scheduling.volcano.sh/v1beta1"}, {"groupVersion": "scheduling.x-k8s.io/v1alpha1"},
{"groupVersion": "scheduling.sigs.k8s.io/v1alpha1"},
{"groupVersion": "scheduling.k8s.io/v1alpha2", "resources": ["podgroups", "workloads"]}]}}`

func object(t *testing.T, text string) *unstructured.Unstructured {
	t.Helper()
	read := &unstructured.Unstructured{}
	if err := yaml.Unmarshal([]byte(text), &read.Object); err != nil {
		t.Fatal(err)
	}
	data, err := read.MarshalJSON() // numbers as a server sends them
	if err == nil {
		err = read.UnmarshalJSON(data)
	}
	if err != nil {
		t.Fatal(err)
	}
	return read
}

// A world is a fake API server with one JobSet, and what the last round reported.
type world struct {
	*testing.T
	client     client.WithWatch
	reconciler *Reconciler
	writes     []string // to the objects of gangs
	fail       func(verb string, object client.Object) error
	outcome    *Outcome
	backend    string
	rest       string
	created    int
}

func newWorld(t *testing.T, backend string) *world {
	t.Helper()
	w := &world{T: t, backend: backend, fail: func(string, client.Object) error { return nil }}
	scheme := runtime.NewScheme()
	if err := corev1.AddToScheme(scheme); err != nil {
		t.Fatal(err)
	}
	for _, kind := range append(slices.Clip(testKinds), jobSetKind, crdKind) {
		scheme.AddKnownTypeWithName(kind, &unstructured.Unstructured{})
		list := kind.GroupVersion().WithKind(kind.Kind + "List")
		scheme.AddKnownTypeWithName(list, &unstructured.UnstructuredList{})
	}
	builder := fake.NewClientBuilder().WithScheme(scheme).WithObjects(object(t, stages)).
		WithTypeConverters(managedfields.NewDeducedTypeConverter()).
		WithInterceptorFuncs(w.watchWrites())
	for _, kind := range append(slices.Clip(testKinds), podKind) {
		builder = builder.WithIndex(New(kind), IndexName, Concerns)
	}
	w.client = builder.Build()
	facts, err := gang.Parse([]byte(clusterFacts))
	if err != nil {
		t.Fatal(err)
	}
	planner := &Planner{Policy: w.policy,
		Facts: func(context.Context) (*gang.Document, error) { return facts, nil }}
	w.reconciler = &Reconciler{Client: w.client, Planner: planner, Kind: jobSetKind, Kinds: testKinds,
		Report: func(_ context.Context, outcome *Outcome) error {
			w.outcome = outcome
			return nil
		}}
	return w
}

func (w *world) policy(context.Context) (*gang.Document, error) {
	return k8sgang.ParseYAML([]byte(`apiVersion: policy.libgang.dev/v1alpha1
kind: GangPolicy
metadata: {name: test}
spec:
  backends:
  - {name: volcano, type: Volcano}
  - {name: coscheduling, type: Coscheduling}
  - {name: koordinator, type: Koordinator}
  - {name: yunikorn, type: YuniKorn}
  - {name: workload, type: Workload}
  - {name: none, type: None}
  defaultBackend: ` + w.backend + "\n" + w.rest))
}

// watchWrites notes writes, lets them fail, and gives new objects a uid as an API server does.
func (w *world) watchWrites() interceptor.Funcs {
	note := func(verb string, object client.Object) error {
		w.writes = append(w.writes, verb+" "+object.GetName())
		return w.fail(verb, object)
	}
	return interceptor.Funcs{
		Create: func(ctx context.Context, c client.WithWatch, object client.Object,
			options ...client.CreateOption) error {
			if err := note("create", object); err != nil {
				return err
			}
			w.created++
			object.SetUID(types.UID(fmt.Sprintf("uid-%d", w.created)))
			return c.Create(ctx, object, options...)
		},
		Update: func(ctx context.Context, c client.WithWatch, object client.Object,
			options ...client.UpdateOption) error {
			if err := note("update", object); err != nil {
				return err
			}
			return c.Update(ctx, object, options...)
		},
		Delete: func(ctx context.Context, c client.WithWatch, object client.Object,
			options ...client.DeleteOption) error {
			if err := note("delete", object); err != nil {
				return err
			}
			chosen := client.DeleteOptions{}
			for _, one := range options {
				one.ApplyToDelete(&chosen)
			}
			if chosen.Preconditions == nil || *chosen.Preconditions.UID != object.GetUID() {
				w.Errorf("%s is deleted without a precondition", object.GetName())
			}
			return c.Delete(ctx, object, options...)
		},
	}
}

// round reconciles once and returns the writes.
func (w *world) round() (ctrl.Result, []string) {
	w.Helper()
	w.writes, w.outcome = nil, nil
	result, err := w.reconciler.Reconcile(w.Context(), ctrl.Request{NamespacedName: theJob})
	if err != nil {
		w.Fatal(err)
	}
	return result, w.writes
}

func (w *world) expect(expected ...string) {
	w.Helper()
	if _, writes := w.round(); !slices.Equal(writes, expected) {
		w.Errorf("%q instead of %q", writes, expected)
	}
}

func (w *world) create(object *unstructured.Unstructured) {
	w.Helper()
	if err := w.client.Create(w.Context(), object); err != nil {
		w.Fatal(err)
	}
}

// get returns nil for an object that does not exist.
func (w *world) get(kind schema.GroupVersionKind, name string) *unstructured.Unstructured {
	w.Helper()
	read := New(kind)
	err := w.client.Get(w.Context(), types.NamespacedName{Namespace: "ml", Name: name}, read)
	if apierrors.IsNotFound(err) {
		return nil
	}
	if err != nil {
		w.Fatal(err)
	}
	return read
}

func (w *world) has(code string) bool {
	return w.outcome != nil && slices.ContainsFunc(w.outcome.Diagnostics,
		func(diagnostic gang.Diagnostic) bool { return diagnostic.ID == code })
}

func waitingPod(group string) *unstructured.Unstructured {
	pod := New(podKind)
	pod.SetNamespace("ml")
	pod.SetName(group + "-0")
	pod.SetLabels(map[string]string{"scheduling.x-k8s.io/pod-group": group})
	pod.Object["status"] = map[string]any{"phase": "Pending"}
	return pod
}

// Each gang of a job has its objects. The second round writes nothing.
func TestGangsOfAJob(t *testing.T) {
	w := newWorld(t, "volcano")
	w.expect("create bert", "create bert-s1")
	group := w.get(volcanoKind, "bert-s1")
	minimum, _, _ := unstructured.NestedInt64(group.Object, "spec", "minMember")
	if minimum != 4 || len(w.outcome.Plans) != 2 || !w.outcome.Acted || w.outcome.Err != nil {
		t.Errorf("%d, %+v", minimum, w.outcome)
	}
	if result, writes := w.round(); len(writes) != 0 || result != (ctrl.Result{}) {
		t.Errorf("%q, %+v", writes, result)
	}
}

// What is known of a plan is what its document says, for each gang and for a job without one. In
// the second round the type of the backend is remembered, and forgotten with the policy.
func TestPlanned(t *testing.T) {
	gangs, remembered := 0, 0
	w := newWorld(t, "coscheduling")
	planner := w.reconciler.Planner
	for _, backend := range []string{"coscheduling", "coscheduling", "volcano", "none", "volcano"} {
		other := newWorld(t, backend).reconciler.Planner
		planner.Policy, planner.Facts = always(t, other.Policy), always(t, other.Facts)
		for round := range 2 {
			if round == 1 && backend != "none" {
				planner.types.known[backend] = "Remembered"
			}
			plans, err := planner.Plans(t.Context(), w.client, object(t, stages))
			if err != nil {
				t.Fatal(err)
			}
			for _, plan := range plans {
				document, err := plan.Document()
				if err != nil {
					t.Fatal(err)
				}
				want := &Planned{Plan: plan.Plan, Outcome: document.Outcome,
					ByPolicy: document.Backend == nil}
				if chosen := document.Backend; chosen != nil {
					want.Backend = &Backend{chosen.Name, chosen.Type, chosen.SchedulerName}
				}
				if document.Gang != nil {
					want.Gang = &GangSize{document.Gang.Minimum, document.Gang.Pods}
					gangs++
				}
				if round == 1 && plan.Backend != nil && plan.Backend.Type == "Remembered" {
					want.Backend.Type = "Remembered"
					remembered++
				}
				if !reflect.DeepEqual(plan, want) {
					t.Errorf("%+v instead of %+v", plan, want)
				}
			}
			Close(plans)
		}
	}
	if gangs != 16 || remembered != 8 {
		t.Errorf("%d gangs, %d remembered", gangs, remembered)
	}
	plans, err := planner.Plans(t.Context(), w.client, object(t, stages), 1)
	if err != nil || len(plans) != 1 || plans[0].Objects()[0].Name != "bert-s1" {
		t.Fatal(plans, err)
	}
	Close(plans)
}

// always returns the same document, as a program does until it has another policy or other facts.
func always(t *testing.T, read func(context.Context) (*gang.Document, error)) func(
	context.Context) (*gang.Document, error) {
	document, err := read(t.Context())
	return func(context.Context) (*gang.Document, error) { return document, err }
}

// A PodGroup names its Workload by the uid that the server gave to it, so it is created second. A
// round that is interrupted between the two reports nothing, and the next one carries it on.
func TestPodGroupAfterItsWorkload(t *testing.T) {
	w := newWorld(t, "workload")
	w.fail = func(verb string, object client.Object) error {
		if object.GetObjectKind().GroupVersionKind().Kind == "PodGroup" {
			return apierrors.NewConflict(schema.GroupResource{}, object.GetName(), errors.New("later"))
		}
		return nil
	}
	result, writes := w.round()
	if len(writes) != 4 || result.RequeueAfter != lateAfter || w.outcome != nil {
		t.Errorf("%q, %+v, %+v", writes, result, w.outcome)
	}
	w.fail = func(string, client.Object) error { return nil }
	w.expectGroups(2)
	w.expect()
	w = newWorld(t, "workload")
	w.expectGroups(4)
	w.expect()
}

// expectGroups expects a round with so many writes, after which each gang has its two objects.
func (w *world) expectGroups(expected int) {
	w.Helper()
	_, writes := w.round()
	groups, err := List(w.Context(), w.client, groupKind)
	if len(writes) != expected || len(groups) != 2 || err != nil || w.outcome == nil {
		w.Fatalf("%q, %d groups, %v", writes, len(groups), err)
	}
	for _, owner := range groups[0].GetOwnerReferences() {
		if owner.Kind == "Workload" && owner.UID != w.get(workloadKind, owner.Name).GetUID() {
			w.Errorf("%+v", owner)
		}
	}
}

// Another policy moves a job without pods; a job with pods keeps its groups until they are gone.
func TestPolicyChanges(t *testing.T) {
	w := newWorld(t, "coscheduling")
	w.expect("create bert", "create bert-s1")
	pod := waitingPod("bert")
	w.create(pod)
	w.backend = "volcano"
	w.round()
	w.round()
	if w.get(coschedulingKind, "bert") == nil || !w.has("GANG861") {
		t.Errorf("the group of a pod is deleted: %+v", w.outcome)
	}
	if err := w.client.Delete(t.Context(), pod, client.Preconditions{
		UID: new(w.get(podKind, pod.GetName()).GetUID())}); err != nil {
		t.Fatal(err)
	}
	w.round()
	w.round()
	if w.get(coschedulingKind, "bert") != nil || w.get(volcanoKind, "bert") == nil {
		t.Error("the job has not moved")
	}
}

// createForeign creates a PodGroup of another job.
func (w *world) createForeign(name string) *unstructured.Unstructured {
	foreign := New(volcanoKind)
	foreign.SetNamespace("ml")
	foreign.SetName(name)
	foreign.SetOwnerReferences([]metav1.OwnerReference{{APIVersion: "batch/v1", Kind: "Job",
		Name: "other", UID: "other", Controller: new(true)}})
	w.create(foreign)
	return foreign
}

// An object of another owner is left alone, and the other gang is created meanwhile.
func TestConflict(t *testing.T) {
	w := newWorld(t, "volcano")
	foreign := w.createForeign("bert")
	w.expect("create bert-s1")
	if !w.has("GANG851") {
		t.Errorf("%+v", w.outcome.Diagnostics)
	}
	// Nothing tells this job that the object goes, so it is asked again.
	if result, _ := w.round(); result.RequeueAfter != retryAfter {
		t.Errorf("%+v", result)
	}
	if err := w.client.Delete(t.Context(), foreign, client.Preconditions{
		UID: new(w.get(volcanoKind, "bert").GetUID())}); err != nil {
		t.Fatal(err)
	}
	w.expect("create bert")
	if result, _ := w.round(); result.RequeueAfter != 0 {
		t.Errorf("%+v", result)
	}
}

// A deleted group is created again. One that a finalizer keeps is waited for, and the finalizer
// stays.
func TestDeletedByHand(t *testing.T) {
	w := newWorld(t, "volcano")
	w.round()
	held := w.get(volcanoKind, "bert")
	held.SetFinalizers([]string{"scheduler.example.com/protection"})
	if err := w.client.Update(t.Context(), held); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"bert", "bert-s1"} {
		group := w.get(volcanoKind, name)
		uid := group.GetUID()
		if err := w.client.Delete(t.Context(), group, client.Preconditions{UID: &uid}); err != nil {
			t.Fatal(err)
		}
	}
	w.expect("create bert-s1")
	if held = w.get(volcanoKind, "bert"); len(held.GetFinalizers()) != 1 {
		t.Errorf("%v", held.GetFinalizers())
	}
	held.SetFinalizers(nil)
	if err := w.client.Update(t.Context(), held); err != nil {
		t.Fatal(err)
	}
	w.expect("create bert")
}

// The cache can be late, and another program can be faster. Then the next round decides again.
// Every other error is returned, also beside these.
func TestFailedWrites(t *testing.T) {
	resource := schema.GroupResource{Resource: "podgroups"}
	for name, one := range map[string]struct {
		err      error
		returned bool
	}{
		"conflict": {apierrors.NewConflict(resource, "bert", errors.New("changed")), false},
		"exists":   {apierrors.NewAlreadyExists(resource, "bert"), false},
		"gone":     {apierrors.NewNotFound(resource, "bert"), false},
		"refused":  {apierrors.NewForbidden(resource, "bert", errors.New("no")), true},
		"busy":     {apierrors.NewTooManyRequests("later", 1), true},
		"broken":   {apierrors.NewInternalError(errors.New("away")), true},
	} {
		w := newWorld(t, "volcano")
		w.fail = func(_ string, object client.Object) error {
			if object.GetName() == "bert" {
				return one.err
			}
			return apierrors.NewAlreadyExists(resource, "bert-s1")
		}
		result, err := w.reconciler.Reconcile(t.Context(), ctrl.Request{NamespacedName: theJob})
		if (err != nil) != one.returned || !one.returned && result.RequeueAfter != lateAfter ||
			len(w.writes) != 2 || (w.outcome != nil) != (name == "refused") {
			t.Errorf("%s: %+v %v %q %+v", name, result, err, w.writes, w.outcome)
		}
		if w.outcome != nil && !apierrors.IsForbidden(w.outcome.Failed) {
			t.Errorf("%s: %v", name, w.outcome.Failed)
		}
	}
}

// What looks late may last: the kind of the object, or its namespace, is gone. Each pause is twice
// as long as the one before, and the job is told.
func TestLateForLong(t *testing.T) {
	w := newWorld(t, "volcano")
	failure := apierrors.NewNotFound(schema.GroupResource{Resource: "podgroups"}, "bert")
	w.fail = func(string, client.Object) error { return failure }
	for _, want := range []time.Duration{1, 2, 4, 8, 16, 32} {
		result, _ := w.round()
		isTold := w.outcome != nil && apierrors.IsNotFound(w.outcome.Failed)
		if result.RequeueAfter != want*time.Second || isTold != (want > 4) {
			t.Errorf("%+v %+v", result, w.outcome)
		}
	}
	w.fail = func(string, client.Object) error { return nil }
	w.expect("create bert", "create bert-s1")
	if w.outcome.Failed != nil {
		t.Error(w.outcome.Failed)
	}
}

func TestRefused(t *testing.T) {
	w := newWorld(t, "volcano")
	w.rest = "  rules:\n  - {name: deny, match: {}, action: Deny}\n"
	result, writes := w.round()
	if len(writes) != 0 || result.RequeueAfter != retryAfter || w.outcome.Err == nil {
		t.Errorf("%q %+v %+v", writes, result, w.outcome)
	}
	w.reconciler.Report = nil
	request := ctrl.Request{NamespacedName: theJob}
	if _, err := w.reconciler.Reconcile(t.Context(), request); err == nil {
		t.Error("the refusal is lost")
	}
}

// Where nothing may be written, everything is planned.
func TestActsNot(t *testing.T) {
	w := newWorld(t, "volcano")
	w.reconciler.Acts = func(_ context.Context, job *unstructured.Unstructured,
		_ []*Planned) bool {
		return job.GetNamespace() != "ml"
	}
	w.expect()
	if w.outcome.Acted || len(w.outcome.Plans) != 2 ||
		w.outcome.Plans[0].Actions[0] != gang.ActionCreate {
		t.Errorf("%+v", w.outcome)
	}
}

func TestJobIsGone(t *testing.T) {
	w := newWorld(t, "volcano")
	if err := w.client.Delete(t.Context(), w.get(jobSetKind, "bert"), client.Preconditions{
		UID: new(types.UID("job-uid"))}); err != nil {
		t.Fatal(err)
	}
	w.expect()
}

// A round reads what concerns its job, and nothing else of the namespace.
func TestExisting(t *testing.T) {
	w := newWorld(t, "coscheduling")
	w.round()
	other := New(coschedulingKind)
	other.SetNamespace("ml")
	other.SetName("other")
	w.create(other)
	w.create(waitingPod("other"))
	w.create(waitingPod("bert-s1"))
	w.round()
	var names []string
	for _, one := range w.outcome.Existing {
		names = append(names, one.GetKind()+" "+one.GetName())
	}
	for _, pod := range w.outcome.Pods {
		names = append(names, "Pod "+pod.Name)
	}
	if !slices.Equal(names, []string{"JobSet bert", "PodGroup bert", "PodGroup bert-s1",
		"Pod bert-s1-0"}) {
		t.Errorf("%q", names)
	}
	request := []ctrl.Request{{NamespacedName: theJob}}
	if found := w.reconciler.everyJob(t.Context(), nil); !slices.Equal(found, request) {
		t.Errorf("%v", found)
	}
}

// Two writers that disagree write ever more rarely.
func TestCompetingWriter(t *testing.T) {
	w := newWorld(t, "volcano")
	w.round()
	answers := 0
	for range 5 {
		group := w.get(volcanoKind, "bert")
		_ = unstructured.SetNestedField(group.Object, int64(1), "spec", "minMember")
		if err := w.client.Update(t.Context(), group); err != nil {
			t.Fatal(err)
		}
		result, writes := w.round()
		answers += len(writes)
		if len(writes) == 0 && (result.RequeueAfter <= 0 || result.RequeueAfter > shortestPause) {
			t.Errorf("%+v", result)
		}
	}
	if answers != 1 {
		t.Errorf("%d answers", answers)
	}
}

func TestPacer(t *testing.T) {
	p := &pacer{}
	if p.ask(theJob, false) != 0 || p.ask(theJob, true) != 0 {
		t.Error("the first change waits")
	}
	if late := p.ask(theJob, true); late <= 0 || late > shortestPause {
		t.Error(late)
	}
	for before, after := range map[lastWrite]time.Duration{
		{time.Now().Add(-15 * time.Second), 10 * time.Second}: 20 * time.Second,
		{time.Now().Add(-longestPause), longestPause}:         longestPause,
		{time.Now().Add(-time.Hour), longestPause}:            shortestPause,
	} {
		p.writes.Store(theJob, before)
		if late := p.ask(theJob, true); late != 0 {
			t.Error(late)
		}
		if now, _ := p.writes.Load(theJob); now.(lastWrite).pause != after {
			t.Errorf("%+v after %+v", now, before)
		}
	}
}

// The first round with a waiting pod starts the interval, the next one wakes. A scheduler that does
// not sleep is not woken.
func TestWake(t *testing.T) {
	for backend, wakes := range map[string]bool{"coscheduling": true, "volcano": false} {
		w := newWorld(t, backend)
		w.reconciler.WakeInterval = time.Millisecond
		w.round()
		w.create(waitingPod("bert"))
		if result, writes := w.round(); len(writes) != 0 || (result.RequeueAfter > 0) != wakes {
			t.Errorf("%s: %q, %+v", backend, writes, result)
		}
		time.Sleep(2 * time.Millisecond)
		if _, writes := w.round(); (len(writes) == 1) != wakes {
			t.Errorf("%s: %q", backend, writes)
		}
	}
}

func TestWaker(t *testing.T) {
	w := &waker{}
	for i, waits := range []bool{false, true, true} {
		options, after := w.ask(theJob, waits, time.Hour)
		if len(options) != 0 || (after > 0) != waits {
			t.Errorf("%d: %d options, %s", i, len(options), after)
		}
	}
	w.due.Store(theJob, time.Now())
	if options, after := w.ask(theJob, true, time.Hour); len(options) != 1 || after != time.Hour {
		t.Errorf("%d options, %s", len(options), after)
	}
	if options, _ := w.ask(theJob, true, time.Hour); len(options) != 0 {
		t.Error("two wakes in an interval")
	}
}

// Up to 300 gangs are woken in the usual interval. With more it is that of ten wakes in a second,
// until so many wait no longer.
func TestWakerOfMany(t *testing.T) {
	const usual = 30 * time.Second
	w := &waker{}
	job := func(i int) types.NamespacedName {
		return types.NamespacedName{Namespace: "default", Name: fmt.Sprint(i)}
	}
	expect := func(waiting int, interval time.Duration) {
		t.Helper()
		w.due.Store(job(0), time.Now())
		if options, after := w.ask(job(0), true, usual); len(options) != 1 || after != interval {
			t.Errorf("%d wait: %d options, %s", waiting, len(options), after)
		}
	}
	for i := range 300 {
		w.ask(job(i), true, usual)
		w.ask(job(i), true, usual) // still the same job
	}
	expect(300, usual)
	w.ask(job(300), true, usual)
	expect(301, usual+time.Second/wakesPerSecond)
	for range 2 { // the second time it is unknown
		w.ask(job(300), false, usual)
		w.forget(job(299))
	}
	w.ask(job(299), true, usual)
	expect(300, usual)
	w.ask(job(300), true, usual)
	expect(301, usual+time.Second/wakesPerSecond)
}

// A change of the status of a policy plans no job again. A ConfigMap has no generation.
func TestSpecMatters(t *testing.T) {
	for generations, matters := range map[[2]int64]bool{{1, 1}: false, {1, 2}: true, {0, 0}: true} {
		before, after := waitingPod("a"), waitingPod("a")
		before.SetGeneration(generations[0])
		after.SetGeneration(generations[1])
		if specMatters(event.UpdateEvent{ObjectOld: before, ObjectNew: after}) != matters {
			t.Error(generations)
		}
	}
}

// Several reconcilers share the index and have a controller each.
func TestSetUp(t *testing.T) {
	mapper := meta.NewDefaultRESTMapper(nil)
	for _, kind := range []schema.GroupVersionKind{jobSetKind, volcanoKind, batchJobKind, podKind} {
		mapper.Add(kind, meta.RESTScopeNamespace)
	}
	m, err := ctrl.NewManager(&rest.Config{}, ctrl.Options{
		Metrics:        metrics.Options{BindAddress: "0"},
		MapperProvider: func(*rest.Config, *http.Client) (meta.RESTMapper, error) { return mapper, nil },
	})
	if err != nil {
		t.Fatal(err)
	}
	reconcilers := []*Reconciler{{Kind: jobSetKind, Children: []schema.GroupVersionKind{batchJobKind}},
		{Kind: batchJobKind}}
	if err := SetUp(t.Context(), m, reconcilers, &corev1.ConfigMap{}); err != nil {
		t.Fatal(err)
	}
	for _, r := range reconcilers {
		if !slices.Equal(r.Kinds, []schema.GroupVersionKind{volcanoKind}) {
			t.Errorf("%v", r.Kinds)
		}
	}
	groups := &Groups{Client: m.GetClient(), Kinds: reconcilers[0].Kinds}
	if err := groups.SetUp(m); err != nil {
		t.Error(err)
	}
}
