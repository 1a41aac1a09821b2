// SPDX-License-Identifier: Apache-2.0

package k8sgang_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	nodev1 "k8s.io/api/node/v1"
	resourcev1 "k8s.io/api/resource/v1"
	schedulingv1 "k8s.io/api/scheduling/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/managedfields"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"k8s.io/apimachinery/pkg/version"
	"k8s.io/client-go/discovery"
	fakediscovery "k8s.io/client-go/discovery/fake"
	corelisters "k8s.io/client-go/listers/core/v1"
	nodelisters "k8s.io/client-go/listers/node/v1"
	resourcelisters "k8s.io/client-go/listers/resource/v1"
	schedulinglisters "k8s.io/client-go/listers/scheduling/v1"
	clienttesting "k8s.io/client-go/testing"
	"k8s.io/client-go/tools/cache"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/fake"
	"sigs.k8s.io/jobset/api/jobset/v1alpha2"

	"libgang.dev/gang"
	"libgang.dev/gang/k8sgang"
)

const runtimeYAML = `
apiVersion: trainer.kubeflow.org/v1alpha1
kind: ClusterTrainingRuntime
metadata: {name: torch}
spec:
  mlPolicy: {numNodes: 1, torch: {}}
  podGroupPolicy: {volcano: {}}
  template:
    spec:
      replicatedJobs:
      - name: node
        template:
          metadata: {labels: {trainer.kubeflow.org/trainjob-ancestor-step: trainer}}
          spec: {template: {spec: {containers: [{name: node, image: torch}]}}}
`

// trainJob is as a typed object that comes from a cache: without apiVersion and kind.
type trainJob struct {
	metav1.TypeMeta `json:",inline"`
	Metadata        metav1.ObjectMeta `json:"metadata"`
	Spec            map[string]any    `json:"spec"`
}

func jobOf(nodes any) trainJob {
	return trainJob{
		Metadata: metav1.ObjectMeta{Name: "llama", Namespace: "ml", UID: "8b7e"},
		Spec:     map[string]any{"runtimeRef": map[string]any{"name": "torch"}, "trainer": map[string]any{"numNodes": nodes}},
	}
}

var trainJobKind = schema.GroupVersionKind{Group: "trainer.kubeflow.org", Version: "v1alpha1", Kind: "TrainJob"}

func parsed(t *testing.T) (job, runtime *gang.Document) {
	t.Helper()
	runtime, err := k8sgang.ParseYAML([]byte(runtimeYAML))
	if err != nil {
		t.Fatal(err)
	}
	job, err = k8sgang.Parse(trainJobKind, jobOf(4))
	if err != nil {
		t.Fatal(err)
	}
	return job, runtime
}

func rendered(t *testing.T) *gang.Plan {
	t.Helper()
	job, runtime := parsed(t)
	plan, err := gang.Render(job, runtime)
	if err != nil {
		t.Fatal(err)
	}
	return plan
}

func TestParse(t *testing.T) {
	for _, object := range []any{nil, 7, []string{}, func() {}} {
		if _, err := k8sgang.Parse(trainJobKind, object); err == nil {
			t.Errorf("%T", object)
		}
	}
	if _, err := k8sgang.ParseYAML([]byte("a: 1\na: 2")); err == nil {
		t.Error("a duplicate key")
	}
	for _, apiVersion := range []any{nil, "", "a/b/c", "v1"} { // those of the object are not used
		tree := &unstructured.Unstructured{Object: map[string]any{
			"apiVersion": apiVersion, "kind": apiVersion, "metadata": map[string]any{"name": "llama"},
			"spec": map[string]any{"runtimeRef": map[string]any{"name": "torch"}},
		}}
		if job, err := k8sgang.Parse(trainJobKind, tree); err != nil || job.Kind() != "TrainJob" {
			t.Errorf("%v: %v", apiVersion, err)
		}
	}
}

// No user has the JSON that this package makes, so nothing points into it.
func TestNoLocations(t *testing.T) {
	_, err := k8sgang.Parse(trainJobKind, jobOf("many"))
	_, policyErr := k8sgang.ParseYAML([]byte("{apiVersion: policy.libgang.dev/v1alpha1, kind: GangPolicy, metadata: {name: 7}}"))
	for _, err := range []error{err, policyErr} {
		diagnostics := k8sgang.Diagnostics(err)
		message := k8sgang.Condition("GangReady", "", diagnostics).Message
		if len(diagnostics) == 0 || diagnostics[0].Line != 0 ||
			regexp.MustCompile(`:\d+:\d+`).MatchString(err.Error()+message) {
			t.Errorf("%v", err)
		}
	}
}

func TestNilArguments(t *testing.T) {
	plan := rendered(t)
	_, steps := k8sgang.Steps(nil)
	_, live := k8sgang.ParseLive([]*unstructured.Unstructured{nil})
	for i, err := range []error{
		steps, live, k8sgang.PatchPod(nil, nil), k8sgang.PatchPod(&plan.Patches()[0], nil),
		k8sgang.PatchTemplate(nil, &corev1.PodTemplateSpec{}), k8sgang.PatchTemplate(&plan.Patches()[0], nil),
		k8sgang.PatchJobSet(plan, nil), k8sgang.PatchUnstructuredJobSet(plan, nil),
		k8sgang.PatchJobSet(nil, &v1alpha2.JobSet{}), k8sgang.PatchUnstructuredJobSet(nil, &unstructured.Unstructured{}),
	} {
		if err == nil {
			t.Errorf("%d: no error", i)
		}
	}
}

func TestApplyConfigurations(t *testing.T) {
	plan := rendered(t)
	objects, err := k8sgang.ApplyConfigurations(plan)
	if err != nil || len(objects) != 1 || objects[0].GetKind() != "PodGroup" || objects[0].GetOwnerReferences()[0].UID != "8b7e" {
		t.Fatalf("%v %v", objects, err)
	}
	applyWithClient(t, objects[0].DeepCopy())
	live, err := k8sgang.ParseLive(objects)
	if err != nil {
		t.Fatal(err)
	}
	plan, err = plan.Reconcile(live)
	if err != nil {
		t.Fatal(err)
	}
	steps, err := k8sgang.Steps(plan)
	if err != nil || len(steps) != 1 || steps[0].Action != gang.ActionLeave {
		t.Errorf("%v %v", steps, err)
	}
	if objects, err = k8sgang.ApplyConfigurations(plan); err != nil || len(objects) != 0 {
		t.Errorf("%v %v", objects, err)
	}
}

// applyWithClient sends an object as the documentation says.
func applyWithClient(t *testing.T, object *unstructured.Unstructured) {
	t.Helper()
	kind, scheme := object.GroupVersionKind(), runtime.NewScheme()
	scheme.AddKnownTypeWithName(kind, &unstructured.Unstructured{})
	c := fake.NewClientBuilder().WithScheme(scheme).WithTypeConverters(managedfields.NewDeducedTypeConverter()).Build()
	err := c.Apply(t.Context(), client.ApplyConfigurationFromUnstructured(object.DeepCopy()), client.FieldOwner("test"))
	stored := &unstructured.Unstructured{}
	stored.SetGroupVersionKind(kind)
	if err = errors.Join(err, c.Get(t.Context(), client.ObjectKeyFromObject(object), stored)); err != nil {
		t.Error(err)
	}
}

func TestConflict(t *testing.T) {
	plan := rendered(t)
	objects, err := k8sgang.ApplyConfigurations(plan)
	if err != nil {
		t.Fatal(err)
	}
	objects[0].SetOwnerReferences([]metav1.OwnerReference{{APIVersion: "v1", Kind: "Pod", Name: "x", UID: "y", Controller: new(true)}})
	live, err := k8sgang.ParseLive(objects)
	if err != nil {
		t.Fatal(err)
	}
	plan, err = plan.Reconcile(live)
	if err == nil || plan == nil {
		t.Fatal("no conflict")
	}
	steps, err := k8sgang.Steps(plan)
	if err != nil || len(steps) != 1 || steps[0].Action != gang.ActionConflict {
		t.Errorf("%v %v", steps, err)
	}
	if objects, err = k8sgang.ApplyConfigurations(plan); err != nil || len(objects) != 0 {
		t.Errorf("%v %v", objects, err)
	}
}

func jobSet(role string) *v1alpha2.JobSet {
	jobSet := &v1alpha2.JobSet{ObjectMeta: metav1.ObjectMeta{Name: "llama"}}
	jobSet.Spec.ReplicatedJobs = []v1alpha2.ReplicatedJob{{Name: role}}
	jobSet.Spec.ReplicatedJobs[0].Template.Spec.Template.Labels = map[string]string{"kept": "yes"}
	return jobSet
}

func TestPatchJobSet(t *testing.T) {
	plan, set := rendered(t), jobSet("node")
	if err := k8sgang.PatchJobSet(plan, set); err != nil {
		t.Fatal(err)
	}
	template := set.Spec.ReplicatedJobs[0].Template.Spec.Template
	if template.Spec.SchedulerName != "volcano" || template.Annotations["scheduling.k8s.io/group-name"] != "llama" ||
		template.Labels["kept"] != "yes" {
		t.Errorf("%+v", template)
	}
	stranger := jobSet("stranger")
	if err := k8sgang.PatchJobSet(plan, stranger); err == nil || stranger.Spec.ReplicatedJobs[0].Template.Spec.Template.Spec.SchedulerName != "" {
		t.Errorf("%v", err)
	}
}

// Fields that the typed JobSet does not have are kept and set.
func TestPatchUnstructuredJobSet(t *testing.T) {
	plan := rendered(t)
	object := func() *unstructured.Unstructured {
		return &unstructured.Unstructured{Object: map[string]any{
			"spec": map[string]any{"newer": true, "replicatedJobs": []any{map[string]any{"name": "node",
				"template": map[string]any{"spec": map[string]any{"template": map[string]any{}}}}}},
		}}
	}
	set := object()
	if err := k8sgang.PatchUnstructuredJobSet(plan, set); err != nil {
		t.Fatal(err)
	}
	text, err := set.MarshalJSON()
	const expected = `{"spec":{"newer":true,"replicatedJobs":[{"name":"node","template":{"spec":` +
		`{"template":{"metadata":{"annotations":{"scheduling.k8s.io/group-name":"llama"}},` +
		`"spec":{"schedulerName":"volcano"}}}}}]}}`
	if err == nil && strings.TrimSpace(string(text)) != expected {
		t.Errorf("%s", text)
	}
	for _, wrong := range []any{map[string]any{"newer": true}, "no map",
		map[string]any{"replicatedJobs": []any{map[string]any{"name": "node"}}},
		map[string]any{"replicatedJobs": []any{map[string]any{"name": "node", "template": map[string]any{
			"spec": map[string]any{"template": map[string]any{"spec": "no map"}}}}}}} {
		set := &unstructured.Unstructured{Object: map[string]any{"spec": wrong}}
		before := set.DeepCopy()
		if err := k8sgang.PatchUnstructuredJobSet(plan, set); err == nil ||
			!reflect.DeepEqual(before, set) {
			t.Errorf("%v %v", set, err)
		}
	}
}

// A map that is null is not set.
func TestPatchUnstructuredWithNulls(t *testing.T) {
	patch := gang.Patch{Annotations: map[string]string{"a": "b"}, Spec: map[string]string{"s.t": "c"}}
	expected := map[string]any{"metadata": map[string]any{"annotations": map[string]any{"a": "b"}},
		"spec": map[string]any{"s": map[string]any{"t": "c"}}}
	for _, target := range []map[string]any{
		{"metadata": nil, "spec": nil},
		{"metadata": map[string]any{"annotations": nil}, "spec": map[string]any{"s": nil}},
		{"spec": map[string]any{"s": map[string]any{"t": nil}}},
	} {
		if err := k8sgang.PatchUnstructured(&patch, target); err != nil || !reflect.DeepEqual(target, expected) {
			t.Errorf("%v %v", target, err)
		}
	}
	target := map[string]any{"spec": map[string]any{"s": "text"}}
	if err := k8sgang.PatchUnstructured(&patch, target); err == nil || len(target) != 1 {
		t.Errorf("%v %v", target, err)
	}
}

func TestPatchPod(t *testing.T) {
	pod := &corev1.Pod{}
	patch := gang.Patch{Labels: map[string]string{"a": "b"}, Spec: map[string]string{
		"schedulerName": "s", "priorityClassName": "high", "schedulingGroup.podGroupName": "group",
	}}
	if err := k8sgang.PatchPod(&patch, pod); err != nil || pod.Labels["a"] != "b" || pod.Spec.SchedulerName != "s" ||
		pod.Spec.PriorityClassName != "high" || *pod.Spec.SchedulingGroup.PodGroupName != "group" {
		t.Errorf("%+v %v", pod, err)
	}
	patch.Spec["workloadRef.name"] = "w"
	pod = &corev1.Pod{}
	if err := k8sgang.PatchPod(&patch, pod); err == nil || pod.Spec.SchedulerName != "" || pod.Labels != nil {
		t.Errorf("%+v %v", pod, err)
	}
}

// A pod and a pod template get all fields, an object of another type its labels and annotations.
func TestPatchObject(t *testing.T) {
	patch := gang.Patch{Labels: map[string]string{"a": "b"}, Annotations: map[string]string{"c": "d"},
		Spec: map[string]string{"schedulerName": "s"}}
	pod, template, claim := &corev1.Pod{}, &corev1.PodTemplateSpec{}, &corev1.PersistentVolumeClaim{}
	claim.Labels = map[string]string{"kept": "yes"}
	for _, object := range []metav1.Object{pod, template, claim} {
		if err := k8sgang.PatchObject(&patch, object); err != nil || object.GetLabels()["a"] != "b" ||
			object.GetAnnotations()["c"] != "d" {
			t.Errorf("%+v %v", object, err)
		}
	}
	if pod.Spec.SchedulerName != "s" || template.Spec.SchedulerName != "s" || claim.Labels["kept"] == "" {
		t.Errorf("%+v %+v %+v", pod, template, claim)
	}
	if k8sgang.PatchObject(nil, claim) == nil || k8sgang.PatchObject(&patch, nil) == nil {
		t.Error("a nil argument")
	}
}

func TestFieldErrors(t *testing.T) {
	diagnostics := []gang.Diagnostic{
		{Severity: gang.SeverityError, Document: gang.DocumentTrainJob, Path: "spec.trainer.numNodes", ID: "GANG001",
			Message: "Invalid value: 0: must be greater than 0", Hint: "write 1"},
		{Severity: gang.SeverityError, Document: gang.DocumentRuntime, Name: "torch", Path: "spec.x", ID: "GANG002", Message: "Forbidden: no"},
		{Severity: gang.SeverityWarning, Document: gang.DocumentTrainJob, Message: "a warning"},
	}
	reference := field.NewPath("spec", "runtimeRef")
	list := k8sgang.FieldErrors(diagnostics, gang.DocumentTrainJob, reference)
	if len(list) != 2 {
		t.Fatalf("%v", list)
	}
	if text := list[0].Error(); text != "spec.trainer.numNodes: Invalid value: 0: must be greater than 0; write 1 [GANG001]" {
		t.Errorf("%s", text)
	}
	if list[1].Field != "spec.runtimeRef" || !strings.Contains(list[1].Error(), "runtime torch: spec.x: Forbidden: no [GANG002]") {
		t.Errorf("%s", list[1])
	}
	_, err := k8sgang.Parse(trainJobKind, jobOf("many"))
	list = k8sgang.FieldErrors(k8sgang.Diagnostics(err), gang.DocumentTrainJob, nil)
	if len(list) == 0 || !strings.Contains(list[0].Field, "numNodes") {
		t.Errorf("%v", list)
	}
	if k8sgang.Diagnostics(nil) != nil {
		t.Error("diagnostics of nil")
	}
}

// A message may be the type of the error alone.
func TestFieldErrorOfTypeAlone(t *testing.T) {
	diagnostics := []gang.Diagnostic{
		{Severity: gang.SeverityError, Path: "a", ID: "GANG303", Message: "Required value", Hint: "write a"},
		{Severity: gang.SeverityError, Path: "b", ID: "GANG303", Message: "Required value"},
		{Severity: gang.SeverityError, Path: "c", ID: "GANG001", Message: "Required values are few"},
	}
	list := k8sgang.FieldErrors(diagnostics, gang.DocumentNone, nil)
	const expected = "[a: Required value: write a [GANG303], b: Required value: [GANG303], " +
		"c: Invalid value: Required values are few [GANG001]]"
	if text := list.ToAggregate().Error(); text != expected || list[0].Type != field.ErrorTypeRequired {
		t.Errorf("%s %s", list[0].Type, text)
	}
}

func TestConditionAndEvents(t *testing.T) {
	long := strings.Repeat("ä", 2000)
	diagnostics := []gang.Diagnostic{
		{Severity: gang.SeverityInfo, Reason: "DefaultApplied", Message: "info"},
		{Severity: gang.SeverityError, Reason: "StructuralDeadlock", Message: long, ID: "GANG012"},
	}
	condition := k8sgang.Condition("GangReady", "Rendered", diagnostics)
	if condition.Status != metav1.ConditionFalse || condition.Reason != "StructuralDeadlock" || !strings.Contains(condition.Message, "GANG012") {
		t.Errorf("%+v", condition)
	}
	condition = k8sgang.Condition("GangReady", "Rendered", diagnostics[:1])
	if condition.Status != metav1.ConditionTrue || condition.Reason != "Rendered" {
		t.Errorf("%+v", condition)
	}
	events := k8sgang.Events(diagnostics)
	if len(events) != 1 || events[0].Reason != "StructuralDeadlock" || len(events[0].Note) >= 1024 || !strings.HasSuffix(events[0].Note, "...") {
		t.Errorf("%+v", events)
	}
}

func TestRequirements(t *testing.T) {
	kinds, err := k8sgang.Kinds("volcano")
	if err != nil || !slices.Equal(kinds, []schema.GroupVersionKind{{Group: "scheduling.volcano.sh", Version: "v1beta1", Kind: "PodGroup"}}) {
		t.Errorf("%v %v", kinds, err)
	}
	if all, err := k8sgang.Kinds(); err != nil || len(all) < 6 {
		t.Errorf("%v %v", all, err)
	}
	for _, name := range []string{"nosuch", "Volcano"} {
		_, err := k8sgang.Kinds("volcano", name)
		_, ofRules := k8sgang.Rules(name)
		_, ofServed := k8sgang.ServedKinds(meta.NewDefaultRESTMapper(nil), name)
		for _, err := range []error{err, ofRules, ofServed} {
			if err == nil || !strings.Contains(err.Error(), name) || !strings.Contains(err.Error(), "volcano, kai") {
				t.Errorf("%s: %v", name, err)
			}
		}
	}
	rules, err := k8sgang.Rules("workload")
	if err != nil || rules[0].APIGroups[0] != "scheduling.k8s.io" || !slices.Contains(rules[0].Resources, "workloads") {
		t.Errorf("%+v %v", rules, err)
	}
}

func TestSleepsOnRoom(t *testing.T) {
	for name, sleeps := range map[string]bool{"Coscheduling": true, "Volcano": false, "nosuch": false} {
		if k8sgang.SleepsOnRoom(name) != sleeps {
			t.Error(name)
		}
	}
}

// A deadDiscovery has aggregated APIs without endpoints.
type deadDiscovery struct {
	discovery.DiscoveryInterface
	dead []schema.GroupVersion
}

func (d deadDiscovery) ServerGroupsAndResources() ([]*metav1.APIGroup, []*metav1.APIResourceList, error) {
	groups, lists, _ := d.DiscoveryInterface.ServerGroupsAndResources()
	failed := map[schema.GroupVersion]error{}
	for _, version := range d.dead {
		failed[version] = discovery.StaleGroupVersionError{}
	}
	return groups, lists, &discovery.ErrGroupDiscoveryFailed{Groups: failed}
}

// An API that libgang does not render is not asked for. One that it renders is unknown, not absent.
func TestDeadAggregatedAPI(t *testing.T) {
	all := source(t)
	all.Discovery = deadDiscovery{all.Discovery, []schema.GroupVersion{
		{Group: "metrics.k8s.io", Version: "v1beta1"}, {Group: "scheduling.x-k8s.io", Version: "v1alpha1"}}}
	text, err := k8sgang.ClusterFacts(all)
	if err != nil || strings.Contains(string(text), "metrics") ||
		!strings.Contains(string(text), `{"groupVersion":"scheduling.x-k8s.io/v1alpha1"}`) {
		t.Errorf("%v %s", err, text)
	}
	if _, err := k8sgang.Cluster(all); err != nil {
		t.Error(err)
	}
}

// Sources: kubernetes-sigs/jobset:config/components/crd/bases/jobset.x-k8s.io_jobsets.yaml, whose pod
// templates have schedulingGroup from v0.12 on.
func TestKeptPodFields(t *testing.T) {
	const path = `{"properties": {"spec": {"properties": {"replicatedJobs": {"items": {"properties": {"template":
		{"properties": {"spec": {"properties": {"template": {"properties": {"spec": %s}}}}}}}}}}}}}`
	version := func(served bool, spec string) string {
		return fmt.Sprintf(`{"served": %t, "schema": {"openAPIV3Schema": `+path+`}}`, served, spec)
	}
	const current, older = `{"properties": {"schedulingGroup": {}}}`, `{"properties": {"nodeName": {}}}`
	for _, one := range []struct {
		versions string
		fields   []string
	}{
		{version(true, current), []string{"schedulingGroup"}},
		{version(true, older), []string{}},
		{version(true, current) + "," + version(true, older), []string{}},
		{version(true, current) + "," + version(false, older), []string{"schedulingGroup"}},
		{version(true, `{"x-kubernetes-preserve-unknown-fields": true}`), []string{"schedulingGroup", "workloadRef"}},
		{`{"served": true}`, []string{}},
		{"", []string{}},
	} {
		crd := &unstructured.Unstructured{}
		if err := json.Unmarshal([]byte(`{"spec": {"versions": [`+one.versions+`]}}`), &crd.Object); err != nil {
			t.Fatal(err)
		}
		if fields := k8sgang.KeptPodFields(crd); !slices.Equal(fields, one.fields) {
			t.Errorf("%s: %v", one.versions, fields)
		}
	}
}

// Of two versions the newer one counts, and what is not served does not.
func TestServedKinds(t *testing.T) {
	mapper := meta.NewDefaultRESTMapper(nil)
	for _, version := range []string{"v1alpha3", "v1beta1"} {
		group := schema.GroupVersion{Group: "scheduling.k8s.io", Version: version}
		mapper.Add(group.WithKind("PodGroup"), meta.RESTScopeNamespace)
	}
	kinds, err := k8sgang.ServedKinds(mapper)
	expected := []schema.GroupVersionKind{
		{Group: "scheduling.k8s.io", Version: "v1beta1", Kind: "PodGroup"}}
	if err != nil || !slices.Equal(kinds, expected) {
		t.Errorf("%v %v", kinds, err)
	}
}

func indexed(t *testing.T, objects ...any) cache.Indexer {
	t.Helper()
	indexer := cache.NewIndexer(cache.MetaNamespaceKeyFunc, cache.Indexers{})
	for _, object := range objects {
		if err := indexer.Add(object); err != nil {
			t.Fatal(err)
		}
	}
	return indexer
}

func source(t *testing.T) k8sgang.ClusterSource {
	t.Helper()
	server := &fakediscovery.FakeDiscovery{Fake: &clienttesting.Fake{}, FakedServerVersion: &version.Info{Major: "1", Minor: "36+"}}
	server.Resources = []*metav1.APIResourceList{
		{GroupVersion: "scheduling.volcano.sh/v1beta1", APIResources: []metav1.APIResource{{Name: "queues"}, {Name: "podgroups"}, {Name: "podgroups/status"}}},
		{GroupVersion: "batch/v1", APIResources: []metav1.APIResource{{Name: "jobs"}}},
	}
	quantities := corev1.ResourceList{corev1.ResourceCPU: resource.MustParse("100m")}
	return k8sgang.ClusterSource{
		Name: "gpu", Discovery: server, Components: map[string]string{"volcano": "v1.14.1"}, PodTemplateFields: []string{},
		Namespaces: corelisters.NewNamespaceLister(indexed(t,
			&corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: "web"}},
			&corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: "ml", Labels: map[string]string{"team": "a"}}})),
		PriorityClasses: schedulinglisters.NewPriorityClassLister(indexed(t,
			&schedulingv1.PriorityClass{ObjectMeta: metav1.ObjectMeta{Name: "high"}, Value: 10})),
		RuntimeClasses: nodelisters.NewRuntimeClassLister(indexed(t,
			&nodev1.RuntimeClass{ObjectMeta: metav1.ObjectMeta{Name: "gvisor"}, Overhead: &nodev1.Overhead{PodFixed: quantities}})),
		LimitRanges: corelisters.NewLimitRangeLister(indexed(t, &corev1.LimitRange{
			ObjectMeta: metav1.ObjectMeta{Name: "limits", Namespace: "ml"},
			Spec:       corev1.LimitRangeSpec{Limits: []corev1.LimitRangeItem{{Type: corev1.LimitTypeContainer, DefaultRequest: quantities}}},
		})),
		Nodes: corelisters.NewNodeLister(indexed(t, &corev1.Node{
			ObjectMeta: metav1.ObjectMeta{Name: "a", Labels: map[string]string{"zone": "z"}, Annotations: map[string]string{
				"other": "o", "node.koordinator.sh/resource-amplification-ratio": "2"}},
			Status: corev1.NodeStatus{Allocatable: quantities}},
			&corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: "b"}})),
		DeviceClasses: resourcelisters.NewDeviceClassLister(indexed(t,
			&resourcev1.DeviceClass{ObjectMeta: metav1.ObjectMeta{Name: "gpu"}})),
	}
}

// The facts are a document that the library reads, and they count: the LimitRange's default becomes a
// request.
func TestCluster(t *testing.T) {
	text, err := k8sgang.ClusterFacts(source(t))
	if err != nil {
		t.Fatal(err)
	}
	const expected = `{"apiVersion":"policy.libgang.dev/v1alpha1","kind":"GangCluster","metadata":{"name":"gpu"},"spec":{` +
		`"kubernetesVersion":"1.36","servedVersions":[{"groupVersion":"scheduling.volcano.sh/v1beta1","resources":["podgroups","queues"]}],"components":{"volcano":"v1.14.1"},` +
		`"podTemplateFields":[],"namespaces":[{"name":"ml","labels":{"team":"a"}},{"name":"web"}],` +
		`"priorityClasses":[{"name":"high","value":10}],"runtimeClasses":[{"name":"gvisor","overhead":{"cpu":"100m"}}],` +
		`"limitRanges":[{"namespace":"ml","name":"limits","limits":[{"type":"Container",` +
		`"defaultRequest":{"cpu":"100m"}}]}],` +
		`"nodes":[{"name":"a","labels":{"zone":"z"},"annotations":` +
		`{"node.koordinator.sh/resource-amplification-ratio":"2"},"allocatable":{"cpu":"100m"}},` +
		`{"name":"b","allocatable":{}}],"deviceClasses":[{"name":"gpu"}]}}`
	if string(text) != expected {
		t.Errorf("%s", text)
	}
	cluster, err := k8sgang.Cluster(source(t))
	if err != nil {
		t.Fatal(err)
	}
	job, runtime := parsed(t)
	decision, err := gang.Resolve(job, gang.Inputs{Documents: []*gang.Document{runtime, cluster}})
	if err != nil {
		t.Fatal(err)
	}
	document, err := decision.Document()
	if err != nil || document.Gang.Resources["cpu"] != "400m" {
		t.Errorf("%+v %v", document.Gang, err)
	}
	if text, err = k8sgang.ClusterFacts(k8sgang.ClusterSource{Name: "x"}); err != nil || !strings.HasSuffix(string(text), `"spec":{}}`) {
		t.Errorf("%s %v", text, err)
	}
}
