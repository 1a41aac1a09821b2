// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/managedfields"
	"k8s.io/client-go/tools/events"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/fake"
	"sigs.k8s.io/controller-runtime/pkg/client/interceptor"
	"sigs.k8s.io/yaml"

	"libgang.dev/gang"
	"libgang.dev/gang/k8sgang/apply"
)

// A world is a fake API server with the example torchtune-llama: two initializers, then four nodes.
type world struct {
	*testing.T
	client     client.WithWatch
	policy     *policySource
	marker     *marker
	acts       bool
	reported   []string // rules
	planner    *apply.Planner
	reconciler *apply.Reconciler
	reporter   *reporter
	events     *events.FakeRecorder
	writes     int // to objects other than the status
	created    int
}

var (
	volcanoKind = schema.GroupVersionKind{
		Group: "scheduling.volcano.sh", Version: "v1beta1", Kind: "PodGroup"}
	coschedulingKind = schema.GroupVersionKind{
		Group: "scheduling.x-k8s.io", Version: "v1alpha1", Kind: "PodGroup"}
	workloads    = schema.GroupVersion{Group: "scheduling.k8s.io", Version: "v1alpha2"}
	workloadKind = workloads.WithKind("Workload")
	groupKind    = workloads.WithKind("PodGroup")
)

var testKinds = []schema.GroupVersionKind{
	volcanoKind, coschedulingKind, workloadKind, groupKind, jobSetKind, podKind}

const clusterFacts = `{"apiVersion": "policy.libgang.dev/v1alpha1", "kind": "GangCluster",
"metadata": {"name": "test"}, "spec": {"kubernetesVersion": "1.36", "servedVersions": [
{"groupVersion": "scheduling.volcano.sh/v1beta1"}, {"groupVersion": "scheduling.x-k8s.io/v1alpha1"},
{"groupVersion": "scheduling.sigs.k8s.io/v1alpha1", "resources": ["podgroups"]},
{"groupVersion": "scheduling.k8s.io/v1alpha2", "resources": ["podgroups", "workloads"]}]}}`

func policyOf(backend, rest string) string {
	return `apiVersion: policy.libgang.dev/v1alpha1
kind: GangPolicy
metadata: {name: test}
spec:
  backends:
  - {name: volcano, type: Volcano}
  - {name: coscheduling, type: Coscheduling}
  - {name: workload, type: Workload}
  - {name: yunikorn, type: YuniKorn}
  - {name: koordinator, type: Koordinator}
  defaultBackend: ` + backend + "\n" + rest
}

func read(t *testing.T, path string) *unstructured.Unstructured {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	object := &unstructured.Unstructured{}
	if err := yaml.Unmarshal(text, &object.Object); err != nil {
		t.Fatal(err)
	}
	return object
}

func newWorld(t *testing.T, policy string) *world {
	t.Helper()
	runtimeObject := read(t, "../examples/torchtune-llama/runtime.yaml")
	unstructured.RemoveNestedField(runtimeObject.Object, "spec", "podGroupPolicy")
	job := read(t, "../examples/torchtune-llama/trainjob.yaml")
	job.SetUID("job-uid")
	w := &world{T: t, events: events.NewFakeRecorder(100)}
	builder := fake.NewClientBuilder().WithScheme(testScheme()).
		WithTypeConverters(managedfields.NewDeducedTypeConverter()).
		WithObjects(runtimeObject, job, w.config(policy)).
		WithStatusSubresource(apply.New(trainJobKind), apply.New(jobSetKind),
			apply.New(policyKind), apply.New(clusterKind)).
		WithInterceptorFuncs(w.countWrites())
	for _, kind := range testKinds {
		builder = builder.WithIndex(apply.New(kind), apply.IndexName, apply.Concerns)
	}
	w.client = builder.Build()
	w.policy = &policySource{reader: w.client, events: w.events, name: w.policyName()}
	facts, err := gang.Parse([]byte(clusterFacts))
	if err != nil {
		t.Fatal(err)
	}
	w.planner = newPlanner(w.policy, nil, w.client)
	w.planner.Facts = func(context.Context) (*gang.Document, error) { return facts, nil }
	w.acts = true
	acts := func(context.Context, string) bool { return w.acts }
	w.marker = &marker{planner: w.planner, cached: w.client, live: w.client, acts: acts,
		reports: w.reports}
	w.reconciler = w.reconcilerOf(trainJobKind)
	return w
}

func (w *world) reports(ctx context.Context, reader client.Reader,
	job *unstructured.Unstructured) bool {
	return ofRules(w.planner, w.reported)(ctx, reader, job)
}

func (w *world) reconcilerOf(kind schema.GroupVersionKind) *apply.Reconciler {
	acts := func(context.Context, string) bool { return w.acts }
	w.reporter = newReporter(w.client, w.events, acts, w.reports, w.planner)
	made := newReconciler(rowOf(kind.GroupVersion().String(), kind.Kind), w.reporter)
	made.Kinds = testKinds[:4]
	return made
}

func testScheme(more ...schema.GroupVersionKind) *runtime.Scheme {
	scheme := runtime.NewScheme()
	if err := corev1.AddToScheme(scheme); err != nil {
		panic(err)
	}
	kinds := append(slices.Clip(testKinds[:4]), runtimeKind, anyRuntimeKind, policyKind, clusterKind)
	for _, row := range jobKinds {
		kinds = append(kinds, row.kind)
	}
	for _, kind := range append(kinds, more...) {
		scheme.AddKnownTypeWithName(kind, &unstructured.Unstructured{})
		scheme.AddKnownTypeWithName(kind.GroupVersion().WithKind(kind.Kind+"List"),
			&unstructured.UnstructuredList{})
	}
	return scheme
}

// applyStatus replaces the conditions; the fake client does not know which lists are maps.
func applyStatus(ctx context.Context, c client.Client, _ string,
	applied runtime.ApplyConfiguration, _ ...client.SubResourceApplyOption) error {
	text, err := json.Marshal(applied)
	if err != nil {
		return err
	}
	wanted := &unstructured.Unstructured{}
	if err := wanted.UnmarshalJSON(text); err != nil {
		return err
	}
	object := apply.New(wanted.GroupVersionKind())
	if err := c.Get(ctx, client.ObjectKeyFromObject(wanted), object); err != nil {
		return err
	}
	object.Object["status"] = wanted.Object["status"]
	return c.Status().Update(ctx, object)
}

// countWrites counts, and gives new objects a uid as an API server does.
func (w *world) countWrites() interceptor.Funcs {
	return interceptor.Funcs{
		Create: func(ctx context.Context, c client.WithWatch, object client.Object,
			options ...client.CreateOption) error {
			w.writes++
			w.created++
			object.SetUID(types.UID(fmt.Sprintf("uid-%d", w.created)))
			return c.Create(ctx, object, options...)
		},
		Update: func(ctx context.Context, c client.WithWatch, object client.Object,
			options ...client.UpdateOption) error {
			w.writes++
			return c.Update(ctx, object, options...)
		},
		Delete: func(ctx context.Context, c client.WithWatch, object client.Object,
			options ...client.DeleteOption) error {
			w.writes++
			return c.Delete(ctx, object, options...)
		},
		SubResourceApply: applyStatus,
	}
}

func (w *world) policyName() types.NamespacedName {
	return types.NamespacedName{Namespace: "libgang-system", Name: "gang-policy"}
}

func (w *world) config(policy string) *corev1.ConfigMap {
	return &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{
		Namespace: w.policyName().Namespace, Name: w.policyName().Name},
		Data: map[string]string{policyKey: policy}}
}

func (w *world) setPolicy(policy string) {
	w.Helper()
	config := &corev1.ConfigMap{}
	if err := w.client.Get(w.Context(), w.policyName(), config); err != nil {
		w.Fatal(err)
	}
	config.Data[policyKey] = policy
	if err := w.client.Update(w.Context(), config); err != nil {
		w.Fatal(err)
	}
	w.writes = 0
}

var theJob = types.NamespacedName{Namespace: "ml", Name: "llama"}

func (w *world) create(object *unstructured.Unstructured) {
	w.Helper()
	if err := w.client.Create(w.Context(), object); err != nil {
		w.Fatal(err)
	}
	w.writes = 0
}

// get returns nil for an object that does not exist.
func (w *world) get(kind schema.GroupVersionKind, name string) *unstructured.Unstructured {
	w.Helper()
	object := apply.New(kind)
	key := types.NamespacedName{Namespace: theJob.Namespace, Name: name}
	if kind == anyRuntimeKind {
		key.Namespace = ""
	}
	if err := w.client.Get(w.Context(), key, object); err != nil {
		if client.IgnoreNotFound(err) != nil {
			w.Fatal(err)
		}
		return nil
	}
	return object
}

// reconcile returns the number of writes.
func (w *world) reconcile() (ctrl.Result, int) {
	w.Helper()
	w.writes = 0
	result, err := w.reconciler.Reconcile(w.Context(), ctrl.Request{NamespacedName: theJob})
	if err != nil {
		w.Fatal(err)
	}
	return result, w.writes
}

func (w *world) condition() metav1.Condition { return w.conditionOf(conditionType) }

func (w *world) conditionOf(kind string) metav1.Condition {
	w.Helper()
	status := struct {
		Conditions []metav1.Condition `json:"conditions"`
	}{}
	fields, _, _ := unstructured.NestedMap(w.get(trainJobKind, theJob.Name).Object, "status")
	if err := runtime.DefaultUnstructuredConverter.FromUnstructured(fields, &status); err != nil {
		w.Fatal(err)
	}
	for _, one := range status.Conditions {
		if one.Type == kind {
			return one
		}
	}
	return metav1.Condition{}
}

// jobSet is what Kubeflow Trainer creates, as far as libgang looks at it, with a field that this
// program does not know.
func jobSet() *unstructured.Unstructured {
	object := apply.New(jobSetKind)
	object.SetNamespace(theJob.Namespace)
	object.SetName(theJob.Name)
	object.SetOwnerReferences([]metav1.OwnerReference{{APIVersion: trainer.String(),
		Kind: trainJobKind.Kind, Name: theJob.Name, UID: "job-uid", Controller: new(true)}})
	roles := []any{}
	for name, count := range map[string]int64{
		"dataset-initializer": 1, "model-initializer": 1, "node": 4} {
		template := map[string]any{"spec": map[string]any{"futureField": "kept",
			"containers": []any{map[string]any{"name": "c", "image": "none"}}}}
		roles = append(roles, map[string]any{"name": name, "replicas": int64(1),
			"template": map[string]any{"spec": map[string]any{
				"parallelism": count, "completions": count, "template": template}}})
	}
	object.Object["spec"] = map[string]any{"replicatedJobs": roles}
	return object
}

// event is the next one, "" if there is none.
func (w *world) event() string {
	select {
	case event := <-w.events.Events:
		return event
	default:
		return ""
	}
}

func numberAt(object *unstructured.Unstructured, path ...string) int64 {
	number, _, _ := unstructured.NestedInt64(object.Object, path...)
	return number
}

func contains(text []byte, words ...string) bool {
	for _, word := range words {
		if !bytes.Contains(text, []byte(word)) {
			return false
		}
	}
	return true
}
