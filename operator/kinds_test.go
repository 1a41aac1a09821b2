// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	admissionv1 "k8s.io/api/admission/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/webhook/admission"
	"sigs.k8s.io/yaml"

	"libgang.dev/gang"
	"libgang.dev/gang/k8sgang/apply"
)

const (
	volcanoMark = "scheduling.k8s.io/group-name"
	lwsName     = "leaderworkerset.sigs.k8s.io/name"
)

func parse(t *testing.T, text string) *unstructured.Unstructured {
	t.Helper()
	object := &unstructured.Unstructured{}
	data, err := yaml.YAMLToJSON([]byte(text))
	if err == nil {
		err = object.UnmarshalJSON(data)
	}
	if err != nil {
		t.Fatal(err)
	}
	return object
}

func text(object any) string {
	data, _ := json.Marshal(object)
	return string(data)
}

// owned gives an object the controller that the operator of the job gives to it.
func owned(object, owner *unstructured.Unstructured) *unstructured.Unstructured {
	object.SetNamespace(owner.GetNamespace())
	object.SetOwnerReferences([]metav1.OwnerReference{{APIVersion: owner.GetAPIVersion(),
		Kind: owner.GetKind(), Name: owner.GetName(), UID: owner.GetUID(), Controller: new(true)}})
	return object
}

func pod(name string, labels map[string]string) *unstructured.Unstructured {
	made := apply.New(podKind)
	made.SetNamespace("ml")
	made.SetName(name)
	made.SetLabels(labels)
	made.Object["spec"] = map[string]any{"containers": []any{map[string]any{"name": "c"}}}
	return made
}

// marked returns an object as the webhook leaves it, and fails if the webhook does.
func (w *world) marked(object *unstructured.Unstructured) *unstructured.Unstructured {
	w.Helper()
	object = object.DeepCopy()
	if err := w.marker.mark(w.Context(), object); err != nil {
		w.Fatal(err)
	}
	return object
}

// submitted is a job that the server has stored after the webhook was called.
func (w *world) submitted(job *unstructured.Unstructured) *unstructured.Unstructured {
	w.Helper()
	job = w.marked(job)
	w.create(job)
	return job
}

const indexedJob = `{apiVersion: batch/v1, kind: Job, metadata: {name: sweep, namespace: ml},
spec: {completionMode: Indexed, parallelism: 3, completions: 3,
  template: {spec: {restartPolicy: Never, containers: [{name: c, image: i}]}}}}`

const plainJobSet = `{apiVersion: jobset.x-k8s.io/v1alpha2, kind: JobSet,
metadata: {name: bert, namespace: ml}, spec: {replicatedJobs: [{name: train, replicas: 1,
  template: {spec: {parallelism: 2, completions: 2,
    template: {spec: {containers: [{name: c, image: i}]}}}}}]}}`

const jobOfJobSet = `{apiVersion: batch/v1, kind: Job, metadata: {name: bert-train-0, labels:
  {jobset.sigs.k8s.io/jobset-name: bert, jobset.sigs.k8s.io/replicatedjob-name: train}},
spec: {template: {spec: {containers: [{name: c, image: i}]}}}}`

const rayJob = `{apiVersion: ray.io/v1, kind: RayJob, metadata: {name: train, namespace: ml},
spec: {entrypoint: x, rayClusterSpec: {headGroupSpec: {template: {spec: {containers: [{name: h}]}}},
  workerGroupSpecs: [{groupName: GPU, replicas: 2, minReplicas: 2, maxReplicas: 2,
    template: {spec: {containers: [{name: w}]}}}]}}}`

const lws = `{apiVersion: leaderworkerset.x-k8s.io/v1, kind: LeaderWorkerSet,
metadata: {name: serve, namespace: ml}, spec: {replicas: 2, leaderWorkerTemplate: {size: 3,
  workerTemplate: {spec: {containers: [{name: c, image: i}]}}}}}`

func rayClusterOf(t *testing.T, job *unstructured.Unstructured) *unstructured.Unstructured {
	t.Helper()
	cluster := parse(t, `{apiVersion: ray.io/v1, kind: RayCluster, metadata: {name: train-x1y2z,
  labels: {ray.io/originated-from-crd: RayJob}}}`)
	cluster.Object["spec"], _, _ = unstructured.NestedMap(job.Object, "spec", "rayClusterSpec")
	return owned(cluster, job)
}

// The examples of the documentation: each kind where its row says, for both sorts of schedulers.
func TestPlaces(t *testing.T) {
	for file, expected := range map[string][2]place{
		"jobset.yaml": {inTemplates, inChildren}, "job.yaml": {inTemplates, onPods},
		"rayjob.yaml": {inChildren, onPods}, "leaderworkerset.yaml": {onPods, onPods},
		"mpijob.yaml": {inTemplates, onPods}, "pytorchjob.yaml": {inTemplates, onPods},
		"sparkapplication.yaml": {inTemplates, onPods},
	} {
		for i, backend := range []string{"volcano", "workload"} {
			w := newWorld(t, policyOf(backend, ""))
			job := read(t, filepath.Join("../examples/jobs", file))
			job.SetUID("")
			job = w.marked(job)
			where := noted(job)
			hasMark := strings.Contains(text(job.Object["spec"]), volcanoMark)
			hasLabel := strings.Contains(text(job.Object["spec"]), markLabel)
			if where != expected[i] || !isMarked(job) || hasMark != (where == inTemplates) ||
				hasLabel != (where == onPods || (where == inChildren && job.GetKind() == "JobSet")) {
				t.Errorf("%s, %s: %q: %s", file, backend, where, text(job))
			}
		}
	}
}

// The webhook is asked about the pods of gangs whose schedulers count those of an earlier run, also
// where the marks are in the template; the label is no change of what was marked.
func TestPodsOfTheNextRun(t *testing.T) {
	for backend, asks := range map[string]bool{"yunikorn": true, "koordinator": true, "volcano": false} {
		w := newWorld(t, policyOf(backend, ""))
		for _, file := range []string{"jobset.yaml", "job.yaml", "sparkapplication.yaml"} {
			job := read(t, filepath.Join("../examples/jobs", file))
			job.SetUID("")
			job = w.submitted(job)
			if hasLabel := strings.Contains(text(job.Object["spec"]), markLabel); hasLabel != asks ||
				noted(job) != inTemplates {
				t.Errorf("%s, %s: %s", backend, file, text(job))
			}
			// As after another webhook: no key is forgotten that an update must get back.
			if again := w.marked(job); text(again) != text(job) {
				t.Errorf("%s, %s: %s instead of %s", backend, file, text(again), text(job))
			}
			if former := job.DeepCopy(); asks {
				unlabelled := parse(t, strings.ReplaceAll(text(job), `"`+markLabel+`":"true"`, `"a":"b"`))
				if err := apply.Restore(former, unlabelled); err != nil ||
					!strings.Contains(text(unlabelled.Object["spec"]), markLabel) {
					t.Errorf("%s, %s: %s %v", backend, file, text(unlabelled), err)
				}
			}
		}
		for _, child := range []*unstructured.Unstructured{
			w.marked(jobSet()), w.marked(rayClusterOf(t, w.submitted(parse(t, rayJob))))} {
			if strings.Contains(text(child.Object["spec"]), markLabel) != asks {
				t.Errorf("%s: %s", backend, text(child))
			}
		}
	}
}

const disaggregatedSet = `{apiVersion: disaggregatedset.x-k8s.io/v1, kind: DisaggregatedSet,
metadata: {name: pair, namespace: ml}, spec: {roles: [
  {name: prefill, spec: {replicas: 2, leaderWorkerTemplate: {size: 2,
    workerTemplate: {spec: {containers: [{name: c, image: i}]}}}}},
  {name: decode, spec: {replicas: 1, leaderWorkerTemplate: {size: 2,
    leaderTemplate: {spec: {containers: [{name: l, image: i}]}},
    workerTemplate: {spec: {containers: [{name: c, image: i}]}}}}}]}}`

// The pods of a DisaggregatedSet are those of its LeaderWorkerSets, which are no gangs themselves.
func TestDisaggregatedSet(t *testing.T) {
	w := newWorld(t, policyOf("volcano", ""))
	set := w.submitted(parse(t, disaggregatedSet))
	if noted(set) != onPods || strings.Count(text(set.Object["spec"]), markLabel) != 3 {
		t.Fatal(text(set))
	}
	for role, parts := range map[string][]string{"prefill": {"0", "1"}, "decode": {"0", "1"}} {
		name := "pair-7f9b8c-" + role
		child := owned(parse(t, strings.Replace(lws, "serve", name, 1)), set)
		if made := w.submitted(child); noted(made) != "" {
			t.Error(text(made))
		}
		for _, part := range parts {
			made := w.marked(pod(name+"-0-"+part, map[string]string{lwsName: name,
				"disaggregatedset.x-k8s.io/name": "pair", "disaggregatedset.x-k8s.io/role": role,
				"leaderworkerset.sigs.k8s.io/worker-index": part}))
			if made.GetAnnotations()[volcanoMark] != "pair-0" || !strings.Contains(text(made), `"volcano"`) {
				t.Errorf("%s %s: %s", role, part, text(made))
			}
		}
	}
}

const roleBasedGroup = `{apiVersion: workloads.x-k8s.io/v1alpha2, kind: RoleBasedGroup,
metadata: {name: chat, namespace: ml, uid: u-1}, spec: {roles: [
  {name: router, replicas: 1, standalonePattern: {template: {spec: {containers: [{name: r}]}}}},
  {name: prefill, replicas: 2, leaderWorkerPattern: {size: 2,
    template: {spec: {containers: [{name: c}]}},
    leaderTemplatePatch: {spec: {containers: [{name: c, image: leader}]}}}}]}}`

// A RoleBasedGroup has the marks in its templates and patches; those of the Workload API are set on
// its pods, whose role or component is a role of the plan.
func TestRoleBasedGroup(t *testing.T) {
	w := newWorld(t, policyOf("volcano", ""))
	group := w.marked(parse(t, roleBasedGroup))
	if noted(group) != inTemplates || strings.Count(text(group.Object["spec"]), volcanoMark) < 2 {
		t.Error(text(group))
	}
	w = newWorld(t, policyOf("workload", ""))
	group = w.submitted(parse(t, roleBasedGroup))
	for role, component := range map[string]string{"router": "", "prefill": "leader"} {
		made := w.marked(owned(pod("chat-"+role, map[string]string{
			"rbg.workloads.x-k8s.io/group-name": "chat", "rbg.workloads.x-k8s.io/role-name": role,
			"rbg.workloads.x-k8s.io/component-name": component}), group))
		if !strings.Contains(text(made), "podGroupName") {
			t.Errorf("%s: %s", role, text(made))
		}
	}
}

// Every job that was recorded from real operators can be marked or has no gang, except those that
// the library refuses; and a marked one loses nothing when it is replaced.
func TestRecordedJobs(t *testing.T) {
	files, err := filepath.Glob("../tests/recorded/kinds/*job*.ndjson")
	more, _ := filepath.Glob("../tests/recorded/kinds/[rsl]*.ndjson")
	files = slices.Concat(files, more)
	slices.Sort(files)
	w, counts := newWorld(t, policyOf("volcano", "")), map[string]int{}
	for _, file := range slices.Compact(files) {
		for _, job := range recorded(t, file) {
			if rowOf(job.GetAPIVersion(), job.GetKind()) == nil {
				continue
			}
			job.SetUID("")
			setServerDefaults(job)
			answer := w.admitTo(nil, job)
			if !answer.Allowed {
				counts["refused"]++
				t.Log(job.GetKind(), job.GetName(), answer.Result.Message)
				continue
			}
			marked := job.DeepCopy()
			if err := w.marker.mark(t.Context(), marked); err != nil {
				t.Fatal(err)
			}
			if text(marked) == text(job) {
				counts["no gang"]++
				continue
			}
			counts["marked"]++
			again := job.DeepCopy()
			if err := apply.Restore(marked, again); err != nil || text(again) != text(marked) {
				t.Fatalf("%s instead of %s", text(again), text(marked))
			}
		}
	}
	t.Log(err, counts)
	if counts["marked"] < 900 || counts["refused"] > 10 {
		t.Errorf("%v", counts)
	}
}

// What the cache leaves out of a job changes no plan of it, for schedulers of both sorts.
func TestSlimJobs(t *testing.T) {
	files, _ := filepath.Glob("../tests/recorded/kinds/*.ndjson")
	planned, saved := 0, 0
	for _, backend := range []string{"volcano", "yunikorn"} {
		w := newWorld(t, policyOf(backend, ""))
		for _, file := range files {
			for _, job := range recorded(t, file) {
				if rowOf(job.GetAPIVersion(), job.GetKind()) == nil {
					continue
				}
				job = parse(t, strings.ReplaceAll(text(job), `"containers":[{`, `"containers":[{"command":["x"],`+
					`"livenessProbe":{"exec":{"command":["y"]}},"securityContext":{},"workingDir":"/",`))
				whole := answerOf(t.Context(), w.client, w.marker.planner, job)
				slim, err := apply.Slim(func(string, string) bool { return true })(job.DeepCopy())
				if err != nil {
					t.Fatal(err)
				}
				small := slim.(*unstructured.Unstructured)
				packed := small.Object["spec"]
				if err := apply.Unpack(small); err != nil || packed == nil {
					t.Fatal(err, packed)
				}
				if found := answerOf(t.Context(), w.client, w.marker.planner, small); found != whole {
					t.Fatalf("%s %s: %+v instead of %+v", job.GetKind(), job.GetName(), found, whole)
				}
				if planned++; len(text(small)) < len(text(job)) {
					saved++
				}
			}
		}
	}
	if planned < 2000 || saved < 500 {
		t.Errorf("%d plans, %d jobs became smaller", planned, saved)
	}
}

// setServerDefaults does what the API server does with its own kinds before it calls a webhook
// (SetDefaults_PodSpec of pkg/apis/core/v1/defaults.go): pods without a scheduler get its own.
func setServerDefaults(job *unstructured.Unstructured) {
	path := []string{"spec", "template", "spec", "schedulerName"}
	_, has, _ := unstructured.NestedString(job.Object, path...)
	if group := job.GroupVersionKind().Group; !has && (group == "batch" || group == "apps") {
		_ = unstructured.SetNestedField(job.Object, "default-scheduler", path...)
	}
}

func recorded(t *testing.T, path string) (jobs []*unstructured.Unstructured) {
	t.Helper()
	file, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = file.Close() }()
	lines := bufio.NewScanner(file)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		one := struct{ Object json.RawMessage }{}
		object := &unstructured.Unstructured{}
		if json.Unmarshal(lines.Bytes(), &one) == nil && object.UnmarshalJSON(one.Object) == nil {
			jobs = append(jobs, object)
		}
	}
	return jobs
}

func (w *world) admitTo(former, object *unstructured.Unstructured) admission.Response {
	request := admission.Request{}
	request.Operation, request.Object.Raw = admissionv1.Create, []byte(text(object))
	if former != nil {
		request.Operation, request.OldObject.Raw = admissionv1.Update, []byte(text(former))
	}
	return w.marker.Handle(w.Context(), request)
}

// A Job without a name gets its pods marked, by the name that it has then.
func TestGenerateName(t *testing.T) {
	w := newWorld(t, policyOf("volcano", ""))
	job := parse(t, strings.Replace(indexedJob, "name: sweep", "generateName: sweep-", 1))
	job = w.marked(job)
	if noted(job) != onPods || strings.Contains(text(job.Object["spec"]), volcanoMark) {
		t.Fatal(text(job))
	}
	job.SetName("sweep-abcde")
	w.create(job)
	made := w.marked(owned(pod("sweep-abcde-0", nil), job))
	if made.GetAnnotations()[volcanoMark] != "sweep-abcde" ||
		!strings.Contains(text(made), `"volcano"`) {
		t.Error(text(made))
	}
	set := parse(t, strings.Replace(plainJobSet, "name: bert", "generateName: bert-", 1))
	if set = w.marked(set); noted(set) != inChildren {
		t.Error(text(set))
	}
}

// The name of a group of the Workload API has the uid of the job.
func TestNamesWithUID(t *testing.T) {
	w := newWorld(t, policyOf("workload", ""))
	set := w.submitted(parse(t, plainJobSet))
	child := w.marked(owned(parse(t, jobOfJobSet), set))
	group, _, _ := unstructured.NestedString(child.Object, "spec", "template", "spec",
		"schedulingGroup", "podGroupName")
	if w.reconcileKind(jobSetKind, "bert"); w.get(groupKind, group) == nil {
		w.reconcileKind(jobSetKind, "bert")
	}
	if group == "" || w.get(groupKind, group) == nil {
		t.Errorf("no group %q: %s", group, text(child))
	}
}

func (w *world) reconcileKind(kind schema.GroupVersionKind, name string) (ctrl.Result, int) {
	w.Helper()
	w.writes = 0
	key := types.NamespacedName{Namespace: "ml", Name: name}
	result, err := w.reconcilerOf(kind).Reconcile(w.Context(), ctrl.Request{NamespacedName: key})
	if err != nil {
		w.Fatal(err)
	}
	return result, w.writes
}

// The Job controller has put the pods of a Job into a group of its own, with WorkloadWithJob: they
// get that of the gang.
func TestGroupOfTheJobController(t *testing.T) {
	w := newWorld(t, policyOf("workload", ""))
	job := parse(t, indexedJob)
	job.SetUID("u-1")
	job = w.submitted(job)
	made := owned(pod("sweep-0", nil), job)
	plain := text(w.marked(made).Object["spec"])
	_ = unstructured.SetNestedField(made.Object, "basic", "spec", "schedulingGroup", "podGroupName")
	if found := text(w.marked(made).Object["spec"]); found != plain || strings.Contains(found, "basic") {
		t.Errorf("%s instead of %s", found, plain)
	}
}

// A Job with spec.scheduling is left alone, and refused if the API server would drop the field.
func TestGroupThatTheJobAsksFor(t *testing.T) {
	for gate, refused := range map[string]bool{"true": false, "false": true} {
		w := newWorld(t, policyOf("workload", ""))
		facts, err := gang.Parse([]byte(strings.Replace(clusterFacts, `"1.36"`,
			`"1.37", "featureGates": {"WorkloadWithJob": `+gate+"}", 1)))
		if err != nil {
			t.Fatal(err)
		}
		w.planner.Facts = func(context.Context) (*gang.Document, error) { return facts, nil }
		job := parse(t, strings.Replace(indexedJob, "spec: {",
			"spec: {scheduling: {schedulingPolicy: {gang: {}}}, ", 1))
		before := text(job)
		err = w.marker.mark(t.Context(), job)
		if refused != (err != nil && strings.Contains(err.Error(), "GANG956")) ||
			!refused && text(job) != before {
			t.Errorf("WorkloadWithJob %s: %v, %s", gate, err, text(job))
		}
	}
}

// Each group of a LeaderWorkerSet is a gang. The webhook of LWS labels a leader with the number of
// its group perhaps later; workers have it in their template.
func TestGroupsOfLWS(t *testing.T) {
	w := newWorld(t, policyOf("volcano", ""))
	job := w.submitted(parse(t, lws))
	if noted(job) != onPods || strings.Contains(text(job.Object["spec"]), "volcano") {
		t.Error(text(job))
	}
	for name, labels := range map[string]map[string]string{
		"serve-1":   {lwsName: "serve", "leaderworkerset.sigs.k8s.io/worker-index": "0"},
		"serve-1-2": {lwsName: "serve", "leaderworkerset.sigs.k8s.io/group-index": "1"},
	} {
		if made := w.marked(pod(name, labels)); made.GetAnnotations()[volcanoMark] != "serve-1" {
			t.Error(text(made))
		}
	}
	if _, writes := w.reconcileKind(job.GroupVersionKind(), "serve"); writes != 2 {
		t.Errorf("%d writes", writes)
	}
}

// A RayJob has one gang: its RayCluster, and that of each retry, are marked, and the submitter.
func TestRayJob(t *testing.T) {
	w := newWorld(t, policyOf("volcano", ""))
	job := w.submitted(parse(t, rayJob))
	cluster := w.marked(rayClusterOf(t, job))
	if marks := strings.Count(text(cluster), `"`+volcanoMark+`":"train"`); marks != 2 {
		t.Errorf("%d: %s", marks, text(cluster))
	}
	submitter := w.marked(owned(parse(t, `{apiVersion: batch/v1, kind: Job, metadata: {name: train},
spec: {template: {spec: {containers: [{name: c, image: i}]}}}}`), job))
	if !strings.Contains(text(submitter), `"schedulerName":"volcano"`) {
		t.Error(text(submitter))
	}
	native := newWorld(t, policyOf("workload", ""))
	job = native.submitted(parse(t, rayJob))
	cluster = native.marked(rayClusterOf(t, job))
	native.create(cluster)
	made := native.marked(owned(pod("train-x1y2z-gpu-0",
		map[string]string{"ray.io/cluster": "train-x1y2z", "ray.io/group": "GPU"}), cluster))
	if !strings.Contains(text(made), "podGroupName") ||
		strings.Contains(text(cluster), "podGroupName") {
		t.Error(text(made))
	}
}

// KubeRay sets spec, labels and annotations of a RayCluster to what its RayService says.
func TestMarksAreRestored(t *testing.T) {
	w := newWorld(t, policyOf("volcano", ""))
	plain := rayClusterOf(t, parse(t, rayJob))
	plain.SetOwnerReferences([]metav1.OwnerReference{{APIVersion: "ray.io/v1", Kind: "RayService",
		Name: "s", UID: "s", Controller: new(true)}})
	plain.SetLabels(nil)
	marked := w.marked(plain)
	if answer := w.admitTo(marked, plain); !answer.Allowed || len(answer.Patches) == 0 {
		t.Errorf("%+v", answer)
	}
	w.acts = false // also after the operator was set to report
	if answer := w.admitTo(marked, plain); len(answer.Patches) == 0 {
		t.Errorf("%+v", answer)
	}
	if answer := w.admitTo(plain, plain); !answer.Allowed || len(answer.Patches) != 0 {
		t.Errorf("an update adds marks: %+v", answer)
	}
}

// Kueue sets labels and annotations of the template to those that it saw when it suspended the Job.
func TestRestoredByKueue(t *testing.T) {
	w := newWorld(t, policyOf("coscheduling", ""))
	job := w.marked(parse(t, indexedJob))
	evicted := job.DeepCopy()
	unstructured.RemoveNestedField(evicted.Object, "spec", "template", "metadata")
	answer := w.admitTo(job, evicted)
	if !answer.Allowed || !strings.Contains(text(answer.Patches), "scheduling.x-k8s.io/pod-group") {
		t.Errorf("%+v", answer)
	}
}

// A job whose pods have no marks is no gang, nothing is written for it, and it is told once. Its
// pods get no marks one by one.
func TestCreatedBeforeOperator(t *testing.T) {
	for kind, job := range map[string]string{"Job": indexedJob, "JobSet": plainJobSet,
		"LeaderWorkerSet": lws, "RayJob": rayJob} {
		w := newWorld(t, policyOf("volcano", ""))
		object := parse(t, job)
		w.create(object)
		for range 2 {
			if _, writes := w.reconcileKindOnce(object); writes != 0 {
				t.Errorf("%s: %d writes", kind, writes)
			}
		}
		if event := w.event(); !strings.HasPrefix(event, "Warning "+notMarked) ||
			len(w.events.Events) != 0 {
			t.Errorf("%s: %s", kind, event)
		}
		made := owned(pod(object.GetName()+"-0", map[string]string{lwsName: object.GetName()}), object)
		if after := w.marked(made); text(after) != text(made) {
			t.Errorf("%s: %s", kind, text(after))
		}
	}
}

// reconcileKindOnce keeps the reconciler, which remembers what it has told.
func (w *world) reconcileKindOnce(job *unstructured.Unstructured) (ctrl.Result, int) {
	if w.reconciler.Kind != job.GroupVersionKind() {
		w.reconciler = w.reconcilerOf(job.GroupVersionKind())
	}
	w.writes = 0
	key := types.NamespacedName{Namespace: "ml", Name: job.GetName()}
	result, err := w.reconciler.Reconcile(w.Context(), ctrl.Request{NamespacedName: key})
	if err != nil {
		w.Fatal(err)
	}
	return result, w.writes
}

// After a change of the policy a job keeps the gang of its pods, is told so, and gets no pods of
// another scheduler. Templates name their scheduler, so the plan of such a job stays the same.
func TestPolicyChangesForKinds(t *testing.T) {
	w := newWorld(t, policyOf("volcano", ""))
	job, groups := w.submitted(parse(t, indexedJob)), w.submitted(parse(t, lws))
	w.reconcileKindOnce(job)
	w.reconcileKindOnce(job)
	w.setPolicy(policyOf("coscheduling", ""))
	for len(w.events.Events) > 0 {
		w.event()
	}
	_, writes := w.reconcileKindOnce(job)
	if event := w.event(); writes != 0 || w.get(volcanoKind, "sweep") == nil || event != "" {
		t.Errorf("%d writes, %s", writes, event)
	}
	_, writes = w.reconcileKindOnce(groups)
	if event := w.event(); writes != 0 ||
		!strings.HasPrefix(event, "Normal GangReady the pods keep the gang") {
		t.Errorf("%d writes, %s", writes, event)
	}
	member := pod("serve-0", map[string]string{lwsName: groups.GetName(),
		"leaderworkerset.sigs.k8s.io/worker-index": "0"})
	if err := w.marker.mark(t.Context(), member); err == nil ||
		!strings.Contains(err.Error(), "chose the backend Volcano") {
		t.Error(err)
	}
}

// lwsPod is a pod of the first group of a LeaderWorkerSet.
func lwsPod(index string) *unstructured.Unstructured {
	return pod("serve-0-"+index, map[string]string{lwsName: "serve",
		"leaderworkerset.sigs.k8s.io/group-index": "0", "leaderworkerset.sigs.k8s.io/worker-index": index})
}

// refuses fails unless the webhook refuses an object because its job keeps the gang of a backend.
func (w *world) refuses(object *unstructured.Unstructured, backend string) {
	w.Helper()
	err := w.marker.mark(w.Context(), object.DeepCopy())
	if err == nil || !strings.Contains(err.Error(), "chose the backend "+backend) {
		w.Errorf("%s %s: %v", object.GetKind(), object.GetName(), err)
	}
}

const skipAll = "  rules:\n  - {name: all, match: {}, action: Skip}\n"

// If the policy takes the gang away from a job with pods that have marks, the job keeps it: its new
// pods are not mixed in without marks. Neither are they if no backend is chosen any more.
func TestPolicySkipsLater(t *testing.T) {
	noDefault := strings.ReplaceAll(policyOf("volcano", ""), "defaultBackend: volcano", "rules: []")
	for name, policy := range map[string]string{
		"skipped": policyOf("volcano", skipAll), "no backend": noDefault} {
		w := newWorld(t, policyOf("volcano", ""))
		job := w.submitted(parse(t, lws))
		if first := w.marked(lwsPod("0")); first.GetAnnotations()[volcanoMark] != "serve-0" {
			t.Fatal(text(first))
		}
		w.reconcileKindOnce(job)
		w.event()
		w.setPolicy(policy)
		w.refuses(lwsPod("1"), "Volcano")
		_, writes := w.reconcileKindOnce(job)
		if event := w.event(); writes != 0 || w.get(volcanoKind, "serve-0") == nil ||
			!strings.HasPrefix(event, "Normal GangReady the pods keep the gang") {
			t.Errorf("%s: %d writes, %s", name, writes, event)
		}
	}
}

// A rollout with maxSurge has more groups than replicas. Each has a gang as long as it exists, so
// that the rollout does not wait for pods that are refused.
func TestSurgeOfLeaderWorkerSet(t *testing.T) {
	w := newWorld(t, policyOf("volcano", ""))
	job := parse(t, lws)
	set := func(job *unstructured.Unstructured, value any, path ...string) {
		if err := unstructured.SetNestedField(job.Object, value, path...); err != nil {
			t.Fatal(err)
		}
	}
	set(job, int64(1), "spec", "rolloutStrategy", "rollingUpdateConfiguration", "maxSurge")
	job = w.submitted(job)
	replicas, _, _ := unstructured.NestedInt64(job.Object, "spec", "replicas")
	leader := func(group int64) *unstructured.Unstructured {
		number := strconv.FormatInt(group, 10)
		return pod("serve-"+number, map[string]string{lwsName: "serve",
			"leaderworkerset.sigs.k8s.io/group-index":  number,
			"leaderworkerset.sigs.k8s.io/worker-index": "0"})
	}
	surge := fmt.Sprint("serve-", replicas)
	if marked := w.marked(leader(replicas)); marked.GetAnnotations()[volcanoMark] != surge {
		t.Error(text(marked))
	}
	if err := w.marker.mark(t.Context(), leader(replicas+1)); err == nil {
		t.Error("more groups than a rollout may have")
	}
	if w.reconcileKindOnce(job); w.get(volcanoKind, surge) != nil {
		t.Error("a gang of a group that does not exist")
	}
	set(job, replicas+1, "status", "replicas")
	if err := w.client.Update(t.Context(), job); err != nil {
		t.Fatal(err)
	}
	if w.reconcileKindOnce(job); w.get(volcanoKind, surge) == nil {
		t.Error("no gang of a group of the rollout")
	}
	set(job, replicas, "status", "replicas")
	if err := w.client.Update(t.Context(), job); err != nil {
		t.Fatal(err)
	}
	if w.reconcileKindOnce(job); w.get(volcanoKind, surge) != nil {
		t.Error("the gang of the surge stays after the rollout")
	}
}

// Two backends may have the type of one scheduler: the pods of a gang get those of one of them.
func TestTwoBackendsOfOneType(t *testing.T) {
	policy := strings.NewReplacer("{name: volcano, type: Volcano}",
		"{name: volcano, type: Volcano}\n  - {name: other, type: Volcano, schedulerName: other}")
	w := newWorld(t, policy.Replace(policyOf("volcano", "")))
	job := w.submitted(parse(t, lws))
	w.marked(lwsPod("0"))
	w.setPolicy(policy.Replace(policyOf("other", "")))
	w.refuses(lwsPod("1"), "Volcano")
	w.reconcileKindOnce(job)
	if event := w.event(); !strings.HasPrefix(event, "Normal GangReady the pods keep the gang") {
		t.Error(event)
	}
	// A note of an older operator does not name the scheduler.
	job = w.get(job.GroupVersionKind(), job.GetName())
	job.SetAnnotations(map[string]string{apply.MarksAnnotation: `{"place":"Pods","backend":"Volcano"}`})
	if err := w.client.Update(t.Context(), job); err != nil {
		t.Fatal(err)
	}
	w.marked(lwsPod("1"))
}

// What the operator of a job creates is refused as pods are: the RayCluster of a retry, and the Jobs
// of a JobSet.
func TestChildrenAfterPolicyChange(t *testing.T) {
	for _, later := range []string{policyOf("coscheduling", ""), policyOf("coscheduling", skipAll)} {
		w := newWorld(t, policyOf("volcano", ""))
		job := w.submitted(parse(t, rayJob))
		w.marked(rayClusterOf(t, job))
		w.setPolicy(later)
		w.refuses(rayClusterOf(t, job), "Volcano")
		w = newWorld(t, policyOf("workload", ""))
		set := w.submitted(parse(t, plainJobSet))
		child := owned(parse(t, jobOfJobSet), set)
		w.marked(child)
		w.setPolicy(later)
		w.refuses(child, "Workload")
	}
}

// A job that is no gang any more by its own spec gets pods without marks.
func TestJobIsNoGangAnyMore(t *testing.T) {
	w := newWorld(t, policyOf("workload", ""))
	job := w.submitted(parse(t, indexedJob))
	_ = unstructured.SetNestedField(job.Object, int64(2), "spec", "parallelism")
	if err := w.client.Update(t.Context(), job); err != nil {
		t.Fatal(err)
	}
	if made := w.marked(owned(pod("sweep-0", nil), job)); strings.Contains(text(made), "podGroupName") {
		t.Error(text(made))
	}
	w = newWorld(t, policyOf("volcano", ""))
	job = w.submitted(parse(t, lws))
	w.reconcileKindOnce(job)
	w.event()
	_ = unstructured.SetNestedField(job.Object, int64(0), "spec", "replicas")
	if err := w.client.Update(t.Context(), job); err != nil {
		t.Fatal(err)
	}
	w.reconcileKindOnce(job)
	if event := w.event(); event != "Normal NoGang the job has no gang any more" {
		t.Error(event)
	}
}

// A job that never had a gang is not told that it has none any more, whatever warnings come and go:
// as of the Workload that Kubernetes 1.36 makes of a Job of a JobSet, when Kueue admits it.
func TestJobThatNeverHadGang(t *testing.T) {
	w := newWorld(t, policyOf("volcano", ""))
	child := owned(parse(t, jobOfJobSet), parse(t, plainJobSet))
	for _, step := range []struct {
		outcome gang.Outcome
		message string
		isTold  bool
	}{
		{gang.OutcomeNoGang, "", false},
		{gang.OutcomeNoGang, "; warning GANG648 SecondGang", false},
		{gang.OutcomeGang, "3 of 3", true},
		{gang.OutcomeNoGang, "", true},
		{gang.OutcomeNoGang, "; warning GANG648 SecondGang", false},
	} {
		changed, err := w.reporter.set(t.Context(), child, metav1.Condition{Type: conditionType,
			Status: metav1.ConditionTrue, Reason: step.outcome.String(), Message: step.message}, "")
		if err != nil || changed != step.isTold {
			t.Errorf("%s%s: %v, %v", step.outcome, step.message, changed, err)
		}
	}
}

// What gangctl has marked is a gang, too.
func TestMarkedByGitOps(t *testing.T) {
	w := newWorld(t, policyOf("volcano", ""))
	job := w.marked(parse(t, indexedJob))
	job.SetAnnotations(nil)
	w.create(job)
	if _, writes := w.reconcileKindOnce(job); writes != 1 || w.get(volcanoKind, "sweep") == nil {
		t.Errorf("%d writes", writes)
	}
}

const twoRules = `  rules:
  - {name: sweeps, match: {objectSelector: {matchLabels: {team: sweeps}}}, backend: volcano}
  - {name: rest, match: {}, backend: volcano}
`

// Of the jobs of a rule that is only reported, everything is told, and nothing is marked or
// written. Jobs of the other rules have gangs.
func TestReportedRule(t *testing.T) {
	w := newWorld(t, policyOf("volcano", twoRules))
	w.reported = []string{"sweeps"}
	job := parse(t, indexedJob)
	job.SetLabels(map[string]string{"team": "sweeps"})
	if answer := w.admitTo(nil, job); !answer.Allowed || len(answer.Patches) != 0 {
		t.Errorf("%+v", answer)
	}
	w.create(job)
	_, writes := w.reconcileKindOnce(job)
	if event := w.event(); writes != 0 ||
		!strings.Contains(event, "Normal GangPlanned 3 of 3 pods") {
		t.Errorf("%d writes, %s", writes, event)
	}
	other := parse(t, indexedJob)
	other.SetName("other")
	other.SetUID("other")
	other = w.marked(other)
	w.create(other)
	if _, writes := w.reconcileKindOnce(other); writes != 1 {
		t.Errorf("%d writes", writes)
	}
	// A job keeps its gang if its rule is only reported from now on.
	w.reported = []string{"sweeps", "rest"}
	if _, writes := w.reconcileKindOnce(other); writes != 0 || w.get(volcanoKind, "other") == nil {
		t.Errorf("%d writes", writes)
	}
	if err := w.client.Delete(t.Context(), w.get(volcanoKind, "other")); err != nil {
		t.Fatal(err)
	}
	if _, writes := w.reconcileKindOnce(other); writes != 1 {
		t.Errorf("%d writes", writes)
	}
}

// The same holds for pods that name their gang themselves: neither marks nor a PodGroup. Pods that
// have marks already keep their gang.
func TestReportedRuleOfPods(t *testing.T) {
	w := newWorld(t, policyOf("volcano", twoRules))
	member := func(index int) *unstructured.Unstructured {
		made := pod(fmt.Sprintf("p-%d", index), map[string]string{apply.GroupLabel: "few"})
		made.SetAnnotations(map[string]string{"kueue.x-k8s.io/pod-group-total-count": "2"})
		return made
	}
	groups := groupsOf(w.client, w.events, w.marker, 0)
	round := func() int {
		w.writes = 0
		key := types.NamespacedName{Namespace: "ml", Name: "few"}
		if _, err := groups.Reconcile(t.Context(), ctrl.Request{NamespacedName: key}); err != nil {
			t.Fatal(err)
		}
		return w.writes
	}
	w.reported = []string{"rest"}
	for i := range 2 {
		answer := w.admitTo(nil, member(i))
		if !answer.Allowed || len(answer.Patches) != 0 {
			t.Errorf("%+v", answer)
		}
		w.create(member(i))
	}
	writes := round()
	if event := w.event(); writes != 0 || !strings.HasPrefix(event, "Normal GangPlanned 2 of 2 pods") {
		t.Errorf("%d writes, %s", writes, event)
	}
	w.reported = nil
	for i := range 2 {
		if err := w.client.Delete(t.Context(), member(i)); err != nil {
			t.Fatal(err)
		}
		w.create(w.marked(member(i)))
	}
	w.reported = []string{"rest"}
	if writes := round(); writes != 1 || w.get(volcanoKind, "few") == nil {
		t.Errorf("%d writes", writes)
	}
}

func TestReportedRuleOfTrainJobs(t *testing.T) {
	w := newWorld(t, policyOf("volcano", twoRules))
	w.reported = []string{"rest"}
	if answer := w.admit(jobSet()); !answer.Allowed || len(answer.Patches) != 0 {
		t.Errorf("%+v", answer)
	}
	if _, writes := w.reconcile(); writes != 0 || w.conditionOf(plannedType).Status != "True" ||
		w.condition() != (metav1.Condition{}) {
		t.Errorf("%d writes, %+v", writes, w.conditionOf(plannedType))
	}
	w.reported = []string{"sweeps"}
	if answer := w.admit(jobSet()); len(answer.Patches) == 0 {
		t.Errorf("%+v", answer)
	}
	if _, writes := w.reconcile(); writes != 1 || w.condition().Status != "True" {
		t.Errorf("%d writes, %+v", writes, w.condition())
	}
}

// A name in the settings that is no rule is told, in a GangPolicy and in a ConfigMap.
func TestReportedRuleIsUnknown(t *testing.T) {
	for _, served := range []bool{false, true} {
		w := newWorld(t, policyOf("volcano", twoRules))
		w.policy.served, w.policy.reported = served, []string{"sweeps", "swept"}
		if served {
			w.create(policyObject(t, w.policy.name.Name, policyOf("volcano", twoRules)))
		}
		if _, err := w.policy.current(t.Context()); err != nil {
			t.Fatal(err)
		}
		want := "Warning UnknownReportedRule reportedRules names \"swept\", and the policy has no " +
			"rule of this name"
		if event := w.event(); event != want || len(w.events.Events) > 0 {
			t.Errorf("served %v: %s", served, event)
		}
	}
}

// In the mode Report everything is told, and nothing is marked or written.
func TestReportMode(t *testing.T) {
	w := newWorld(t, policyOf("volcano", ""))
	w.acts = false
	if answer := w.admitTo(nil, parse(t, indexedJob)); !answer.Allowed || len(answer.Patches) != 0 {
		t.Errorf("%+v", answer)
	}
	job := parse(t, indexedJob)
	w.create(job)
	_, writes := w.reconcileKindOnce(job)
	event := w.event()
	if writes != 0 || event != "Normal GangPlanned 3 of 3 pods must start together, scheduled by "+
		"volcano; nothing is marked or written" {
		t.Errorf("%d writes, %s", writes, event)
	}
	w.reconciler = w.reconcilerOf(trainJobKind)
	if _, writes := w.reconcile(); writes != 0 || w.conditionOf(plannedType).Status != "True" ||
		w.condition() != (metav1.Condition{}) {
		t.Errorf("%d writes, %+v", writes, w.conditionOf(plannedType))
	}
}

// Each row is a kind of job that the library reads.
func TestRows(t *testing.T) {
	for _, row := range jobKinds {
		apiVersion, kind := row.kind.ToAPIVersionAndKind()
		if one := gang.TypeOf(apiVersion, kind); one != gang.DocumentJob && one != gang.DocumentTrainJob {
			t.Errorf("%s: %s", kind, one)
		}
		if row.labels == "" || row.workload == "" || (row.gangOf != nil && row.labels != onPods) {
			t.Errorf("%+v", row)
		}
	}
}
