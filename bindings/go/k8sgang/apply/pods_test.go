// SPDX-License-Identifier: Apache-2.0

package apply

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"reflect"
	goruntime "runtime"
	"slices"
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/tools/cache"
	"k8s.io/client-go/util/workqueue"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/event"

	"libgang.dev/gang"
)

func slim(t *testing.T, object any) *Pod {
	t.Helper()
	pod, err := podOf(object)
	if err != nil {
		t.Fatal(err)
	}
	return pod
}

// typed is the pod as the typed client of Kubernetes reads it.
func typed(t *testing.T, object *unstructured.Unstructured) *corev1.Pod {
	t.Helper()
	pod := &corev1.Pod{}
	err := runtime.DefaultUnstructuredConverter.FromUnstructured(object.Object, pod)
	if err != nil {
		t.Fatal(err, object)
	}
	return pod
}

// Every mark of a scheduler leads to the group, in the index of a fake client and in the store.
func TestConcerns(t *testing.T) {
	for text, group := range map[string]string{
		`{metadata: {labels: {scheduling.x-k8s.io/pod-group: a}}}`:                          "a",
		`{metadata: {annotations: {scheduling.k8s.io/group-name: b}}}`:                      "b",
		`{metadata: {annotations: {pod-group-name: c}}}`:                                    "c",
		`{spec: {schedulingGroup: {podGroupName: d}}}`:                                      "d",
		`{spec: {workloadRef: {name: e}}}`:                                                  "e",
		`{metadata: {labels: {pod-group.scheduling.sigs.k8s.io: f}}, spec: {nodeName: n1}}`: "f",
	} {
		pod := object(t, "{apiVersion: v1, kind: Pod, "+text[1:])
		for from, found := range map[string][]string{"index": Concerns(pod), "JSON": slim(t, pod).groups(),
			"types": slim(t, typed(t, pod)).groups()} {
			// The types of Kubernetes 1.36 have no workloadRef.
			if from != "types" || group != "e" {
				if !slices.Equal(found, []string{group}) {
					t.Errorf("%s, %s: %q", text, from, found)
				}
			}
		}
	}
}

const wholePod = `{apiVersion: v1, kind: Pod, metadata: {name: p, namespace: ml,
    uid: u-1, resourceVersion: "7", labels: {a: b, a-index: "1"}, managedFields: [{manager: m}], finalizers: [f]},
  spec: {nodeName: node-1, containers: [{name: c, image: i}], schedulingGroup: {podGroupName: g}},
  status: {phase: Running, podIP: 10.0.0.1, conditions: [{type: Ready, status: "True"},
    {type: PodScheduled, status: "True", lastProbeTime: null, lastTransitionTime: null}]}}`

// What the reconciler and libgang read of a pod is kept, and nothing else.
func TestSlimPod(t *testing.T) {
	whole := object(t, wholePod)
	for _, from := range []any{whole, typed(t, whole)} {
		if pod := slim(t, from); string(pod.AppendJSON(nil)) != `{"kind":"Pod",`+
			`"apiVersion":"v1","metadata":{"name":"p","uid":"u-1","namespace":"ml",`+
			`"labels":{"a-index":"1","a":"b"}},`+
			`"spec":{"nodeName":"node-1","schedulingGroup":{"podGroupName":"g"}},`+
			`"status":{"phase":"Running","conditions":[{"type":"PodScheduled","status":"True",`+
			`"lastProbeTime":null,"lastTransitionTime":null}]}}` || pod.Node != "node-1" ||
			pod.Phase != "Running" || pod.Terminating {
			t.Errorf("%s %+v", pod.AppendJSON(nil), pod)
		}
	}
}

// A pod without labels, and one with nothing but a number: what is written can be read.
func TestSlimPodIsJSON(t *testing.T) {
	for _, labels := range []string{"{}", "{a-index: '1'}", "{a: b}", "{a: b, a-index: '1'}"} {
		pod := slim(t, typed(t, object(t, "{apiVersion: v1, kind: Pod, metadata: {name: p, labels: "+
			labels+"}}")))
		read := map[string]any{}
		if err := json.Unmarshal(pod.AppendJSON(nil), &read); err != nil {
			t.Errorf("%s: %s, %v", labels, pod.AppendJSON(nil), err)
		}
	}
}

func TestWaits(t *testing.T) {
	bound, ended, leaving := waitingPod("a"), waitingPod("a"), waitingPod("a")
	_ = unstructured.SetNestedField(bound.Object, "node", "spec", "nodeName")
	_ = unstructured.SetNestedField(ended.Object, "Failed", "status", "phase")
	leaving.SetDeletionTimestamp(new(metav1.Now()))
	if !slim(t, waitingPod("a")).waits() || slim(t, bound).waits() || slim(t, ended).waits() ||
		slim(t, leaving).waits() {
		t.Error("waits")
	}
}

// A watched is a store of pods, and the groups that it told of.
type watched struct {
	*podStore
	*testing.T
	told  []string
	after time.Duration // of the last one
}

func newWatched(t *testing.T) *watched {
	w := &watched{T: t}
	w.podStore = newPodStore(func(namespace string, groups []string, after time.Duration) {
		w.after = after
		w.told = append(w.told, namespace+": "+strings.Join(groups, " "))
	})
	return w
}

func (w *watched) expect(what string, err error, told ...string) {
	w.Helper()
	if err != nil || !slices.Equal(w.told, told) {
		w.Errorf("%s: %q, %v", what, w.told, err)
	}
	w.told = nil
}

func (w *watched) names(group string) (names string) {
	w.Helper()
	pods, err := w.find(w.Context(), "ml", map[string]bool{group: true})
	if err != nil {
		w.Error(err)
	}
	for _, pod := range pods {
		names += pod.Name + " "
	}
	return names
}

// A job is told of its pods when that can change something: most updates of a pod are of the
// conditions in its status.
func TestPodChanges(t *testing.T) {
	for change, matters := range map[string]bool{"status phase": true, "spec nodeName": true,
		"metadata deletionTimestamp": true, "metadata labels x": true, "metadata annotations x": true,
		"metadata uid": true, "metadata labels x-index": true,
		"metadata resourceVersion": false, "status podIP": false, "status conditions": false} {
		w := newWatched(t)
		w.expect("first list", w.Replace([]any{typed(t, waitingPod("a"))}, ""))
		after, value := waitingPod("a"), any("changed")
		switch change {
		case "metadata deletionTimestamp":
			value = "2026-01-01T00:00:00Z"
		case "status conditions":
			value = []any{map[string]any{"type": "PodScheduled", "status": "False"}}
		}
		_ = unstructured.SetNestedField(after.Object, value, strings.Fields(change)...)
		if told := []string{"ml: a a"}; matters {
			w.expect(change, w.Update(typed(t, after)), told...)
		} else {
			w.expect(change, w.Update(typed(t, after)))
		}
		pods, _ := w.find(t.Context(), "ml", map[string]bool{"a": true})
		text := string(pods[0].AppendJSON(nil))
		if change == "status conditions" && !strings.Contains(text, `"False"`) {
			t.Errorf("the condition is lost: %s", text)
		}
	}
}

// Nothing is written because of a pod that comes or gets a node; one that ends or goes may be the
// last of its run.
func TestPodsThatEndAreUrgent(t *testing.T) {
	w := newWatched(t)
	w.expect("first list", w.Replace(nil, ""))
	for _, one := range []struct {
		phase, node string
		after       time.Duration
		told        string // the groups that it names and named
	}{{"Pending", "", calm, "ml: a"}, {"Pending", "node", calm, "ml: a a"},
		{"Running", "node", calm, "ml: a a"}, {"Succeeded", "node", settle, "ml: a a"}} {
		pod := waitingPod("a")
		_ = unstructured.SetNestedField(pod.Object, one.phase, "status", "phase")
		_ = unstructured.SetNestedField(pod.Object, one.node, "spec", "nodeName")
		if w.expect(one.phase, w.Add(typed(t, pod)), one.told); w.after != one.after {
			t.Errorf("%s on %q: %s instead of %s", one.phase, one.node, w.after, one.after)
		}
	}
	w.after = 0
	if w.expect("deleted", w.Delete(typed(t, waitingPod("a"))), "ml: a"); w.after != settle {
		t.Errorf("deleted: %s", w.after)
	}
}

// The store follows pods that come, change their group, go, and are missing in a later list.
func TestPodStore(t *testing.T) {
	w := newWatched(t)
	moved, plain := waitingPod("a"), waitingPod("b")
	moved.SetLabels(map[string]string{"scheduling.x-k8s.io/pod-group": "b"})
	plain.SetLabels(nil)
	w.expect("first list", w.Replace([]any{slim(t, typed(t, waitingPod("a")))}, ""))
	w.expect("new", w.Add(typed(t, waitingPod("b"))), "ml: b")
	if w.names("a") != "a-0 " || w.names("b") != "b-0 " {
		t.Error(w.names("a"), w.names("b"))
	}
	w.expect("moved", w.Update(typed(t, moved)), "ml: b a")
	if w.names("a") != "" || w.names("b") != "a-0 b-0 " {
		t.Error(w.names("a"), w.names("b"))
	}
	w.expect("without a mark", w.Update(typed(t, plain)), "ml: b")
	w.expect("still", w.Update(typed(t, plain)))
	w.expect("deleted", w.Delete(cache.DeletedFinalStateUnknown{Key: "ml/a-0"}), "ml: b")
	w.expect("again", w.Delete(typed(t, moved)))
	w.expect("new", w.Add(typed(t, waitingPod("c"))), "ml: c")
	w.expect("list", w.Replace([]any{slim(t, typed(t, waitingPod("d")))}, ""), "ml: d", "ml: c")
	if len(w.pods["ml"]) != 1 || len(w.pods) != 1 || len(w.groups) != 1 {
		t.Errorf("%v %v", w.pods, w.groups)
	}
}

// A round waits for the first list.
func TestPodStoreIsSynced(t *testing.T) {
	w := newWatched(t)
	ctx, cancel := context.WithTimeout(t.Context(), time.Millisecond)
	defer cancel()
	if _, err := w.find(ctx, "ml", nil); err == nil {
		t.Error("pods before the list")
	}
	go func() { _ = w.Replace(nil, "") }()
	if _, err := w.find(t.Context(), "ml", nil); err != nil {
		t.Error(err)
	}
}

// The pods of a job make one round, of the reconciler of the job alone.
func TestPodWatch(t *testing.T) {
	w := newWorld(t, "coscheduling")
	w.round()
	idle := newPodWatch(nil, testKinds, []*Reconciler{w.reconciler})
	idle.changed("ml", []string{"bert"}, settle) // reads nothing in a replica that does not lead
	other := &Reconciler{Kind: batchJobKind}
	pods := newPodWatch(w.client, testKinds, []*Reconciler{w.reconciler, other})
	store := newPodStore(pods.changed)
	for _, r := range pods.reconcilers {
		r.pods = store
		queue := requests(workqueue.NewTypedRateLimitingQueue(
			workqueue.DefaultTypedControllerRateLimiter[ctrl.Request]()))
		defer queue.ShutDown()
		r.queue.Store(&queue)
	}
	if err := store.Replace(nil, ""); err != nil {
		t.Fatal(err)
	}
	for i := range 10 {
		pod := waitingPod("bert-s1")
		pod.SetName(fmt.Sprintf("pod-%d", i))
		if err := store.Add(typed(t, pod)); err != nil {
			t.Fatal(err)
		}
	}
	queue := *w.reconciler.queue.Load()
	if job, _ := queue.Get(); job.NamespacedName != theJob || queue.Len() != 0 {
		t.Errorf("%v, and %d", job, queue.Len())
	}
	time.Sleep(settle / 5)
	if queue.Len()+(*other.queue.Load()).Len() != 0 {
		t.Error("more rounds")
	}
	w.round()
	if len(w.outcome.Pods) != 10 {
		t.Errorf("%d pods", len(w.outcome.Pods))
	}
}

// delays are those with which requests are added to a queue.
type delays struct {
	requests
	found []time.Duration
}

func (d *delays) AddAfter(_ ctrl.Request, after time.Duration) { d.found = append(d.found, after) }

// An object that is created and one whose spec is changed wait as long as their kind says, and a
// deletion not at all. A status waits longest if it has only other numbers and times.
func TestWhenSettled(t *testing.T) {
	const created, changed = time.Minute, time.Hour
	// Of a Job whose three pods wait, and of one that is complete, as Kubernetes 1.36.3 wrote them.
	waits := `{"active": 3, "ready": 0, "startTime": "2026-11-26T02:36:33Z", "terminating": 0,
		"uncountedTerminatedPods": {}}`
	complete := `{"completedIndexes": "0-3", "completionTime": "2026-11-23T01:11:46Z", "conditions": [
		{"lastProbeTime": "2026-11-23T01:11:46Z", "lastTransitionTime": "2026-11-23T01:11:46Z",
		"message": "Reached expected number of succeeded pods", "reason": "CompletionsReached",
		"status": "True", "type": "Complete"}], "ready": 0, "startTime": "2026-11-23T01:11:08Z",
		"succeeded": 4, "terminating": 0, "uncountedTerminatedPods": {}}`
	for _, one := range []struct {
		status, from, to string // in the former object, and in the new one
		after            time.Duration
	}{
		{waits, `"generation":1`, `"generation":2`, changed},
		{waits, `"labels":{}`, `"labels":{"a":"b"}`, changed},
		{`{}`, `{}}`, waits + `}`, calm},
		{waits, `"ready": 0`, `"ready": 3`, calm},
		{waits, `"active": 3, `, ``, calm},
		{waits, `:33Z`, `:34Z`, calm},
		{waits, `"ready": 0`, `"ready": true`, pause},
		{waits, waits, complete, pause},
		{complete, `"succeeded": 4`, `"succeeded": 5`, calm},
		{complete, `:46Z`, `:47Z`, calm},
		{complete, `"Complete"`, `"Failed"`, pause},
		{complete, `"True"`, `"False"`, pause},
		{complete, complete, `{}`, pause},
	} {
		text := `{"apiVersion":"batch/v1","kind":"Job","metadata":{"name":"a","generation":1,
			"labels":{}},"status":` + one.status + `}`
		before, after := object(t, text), object(t, strings.ReplaceAll(text, one.from, one.to))
		if reflect.DeepEqual(before, after) {
			t.Fatalf("%q is not in the text", one.from)
		}
		slim := Slim(func(string, string) bool { return true })
		for range 2 { // as the server sends them, and as the cache has them
			queue := &delays{}
			changes := whenSettled(created, changed,
				func(client.Object) []ctrl.Request { return []ctrl.Request{{}} })
			changes.Create(t.Context(), event.CreateEvent{Object: after}, queue)
			changes.Update(t.Context(), event.UpdateEvent{ObjectOld: before, ObjectNew: after}, queue)
			changes.Delete(t.Context(), event.DeleteEvent{Object: after}, queue)
			if want := []time.Duration{created, one.after, 0}; !slices.Equal(queue.found, want) {
				t.Errorf("%s -> %s: %v instead of %v", one.from, one.to, queue.found, want)
			}
			for _, one := range []any{before, after} {
				if _, err := slim(one); err != nil {
					t.Fatal(err)
				}
			}
		}
	}
}

// countedLists counts what is listed.
type countedLists struct {
	client.Reader
	lists int
}

func (c *countedLists) List(ctx context.Context, list client.ObjectList,
	options ...client.ListOption) error {
	c.lists++
	return c.Reader.List(ctx, list, options...)
}

// The job of a group is looked for once while a round of it is due, and each time as long as no
// job is found: its PodGroup may come next.
func TestPodWatchLooksOnce(t *testing.T) {
	w := newWorld(t, "coscheduling")
	w.round()
	queue := requests(workqueue.NewTypedRateLimitingQueue(
		workqueue.DefaultTypedControllerRateLimiter[ctrl.Request]()))
	defer queue.ShutDown()
	w.reconciler.queue.Store(&queue)
	reader := &countedLists{Reader: w.client}
	pods := newPodWatch(reader, testKinds, []*Reconciler{w.reconciler})
	for _, one := range []struct {
		group string
		after time.Duration
		looks bool
	}{{"bert-s1", pause, true}, {"bert-s1", pause, false}, {"bert-s1", settle, true},
		{"bert-s1", pause, false}, {"none", pause, true}, {"none", pause, true}} {
		before := reader.lists
		pods.changed("ml", []string{one.group}, one.after)
		if found := reader.lists > before; found != one.looks {
			t.Errorf("%s in %s: %t", one.group, one.after, found)
		}
	}
}

// A timetable forgets what is over only when it has many times.
func TestTimetable(t *testing.T) {
	due := timetable{times: map[string]time.Time{}, keep: func() time.Duration { return 0 }}
	const most = 1002
	due.set("first", time.Now().Add(time.Hour))
	for count := 2; count <= most+1; count++ {
		due.set(fmt.Sprint(count), time.Now().Add(-time.Minute))
		if found := len(due.times); found != count && count <= most || found != 1 && count > most {
			t.Fatalf("%d times of %d", found, count)
		}
	}
}

// usualPod is a pod of a Job as a server sends it: with what kubelets and webhooks add.
func usualPod(index int) *corev1.Pod {
	job := fmt.Sprintf("training-run-%d", index/10)
	name := fmt.Sprintf("%s-%d-x7k2p", job, index%10)
	environment := []corev1.EnvVar{}
	for i := range 30 {
		environment = append(environment, corev1.EnvVar{Name: fmt.Sprintf("VARIABLE_%d", i),
			Value: strings.Repeat("value ", 10)})
	}
	now := metav1.Now()
	conditions := []corev1.PodCondition{}
	for _, kind := range []corev1.PodConditionType{corev1.PodReady, corev1.PodInitialized,
		corev1.ContainersReady, corev1.PodScheduled} {
		conditions = append(conditions, corev1.PodCondition{Type: kind, Status: "True",
			LastTransitionTime: now})
	}
	return &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Name: name, Namespace: "research",
		UID: types.UID(fmt.Sprintf("4a1f0e5c-7f0e-4d4e-9d60-%012d", index)), CreationTimestamp: now,
		Labels: map[string]string{"batch.kubernetes.io/job-name": job, "job-name": job,
			"batch.kubernetes.io/controller-uid":       "4a1f0e5c-7f0e-4d4e-9d60-0123456789ab",
			"batch.kubernetes.io/job-completion-index": fmt.Sprint(index % 10),
			"scheduling.x-k8s.io/pod-group":            job},
		Annotations: map[string]string{
			"batch.kubernetes.io/job-completion-index": fmt.Sprint(index % 10)},
		OwnerReferences: []metav1.OwnerReference{{APIVersion: "batch/v1", Kind: "Job", Name: job,
			UID: "4a1f0e5c-7f0e-4d4e-9d60-0123456789ab", Controller: new(true),
			BlockOwnerDeletion: new(true)}},
		ManagedFields: []metav1.ManagedFieldsEntry{{Manager: "kube-controller-manager",
			FieldsV1: metav1.NewFieldsV1(strings.Repeat(`{"f:a":{}}`, 200))}}},
		Spec: corev1.PodSpec{NodeName: fmt.Sprintf("node-%d", index%500),
			SchedulerName: "scheduler-plugins-scheduler",
			Containers:    []corev1.Container{{Name: "main", Image: "image", Env: environment}}},
		Status: corev1.PodStatus{Phase: corev1.PodRunning, Conditions: conditions}}
}

// What is kept of a pod has a limit: with 100,000 pods it is most of the memory of a program.
func TestMemoryOfPods(t *testing.T) {
	const count, limit = 10_000, 400
	heap := func() uint64 {
		stats := goruntime.MemStats{}
		goruntime.GC()
		goruntime.ReadMemStats(&stats)
		return stats.HeapAlloc
	}
	listMarks() // it starts the library
	store, before := newPodStore(func(string, []string, time.Duration) {}), heap()
	for i := range count {
		if err := store.Add(usualPod(i)); err != nil {
			t.Fatal(err)
		}
	}
	used := (heap() - before) / count
	t.Logf("%d bytes a pod", used)
	if used > limit {
		t.Errorf("%d bytes a pod", used)
	}
	goruntime.KeepAlive(store)
}

// A status write that changes nothing here costs the encoding of a small pod.
func TestAllocationsOfAnUpdate(t *testing.T) {
	store, pod := newPodStore(func(string, []string, time.Duration) { t.Error("told") }), usualPod(1)
	if err := store.Replace([]any{slim(t, pod)}, ""); err != nil {
		t.Fatal(err)
	}
	const limit = 45
	if found := testing.AllocsPerRun(100, func() { _ = store.Update(pod) }); found > limit {
		t.Errorf("%.0f allocations", found)
	} else {
		t.Logf("%.0f allocations", found)
	}
}

// A job and the objects of gangs are packed in the cache, and a reader that unpacks them changes
// nothing there.
func TestSlim(t *testing.T) {
	job, group := object(t, stages), New(volcanoKind)
	_ = unstructured.SetNestedField(job.Object, int64(3), "spec", "ttlSecondsAfterFinished")
	for _, one := range []*unstructured.Unstructured{job, group} {
		_ = unstructured.SetNestedField(one.Object, int64(1), "spec", "minMember")
		_ = unstructured.SetNestedField(one.Object, "Running", "status", "phase")
	}
	for _, one := range []struct {
		object          *unstructured.Unstructured
		isJob, isPacked bool
	}{{job, true, true}, {job, false, false}, {group, false, true}} {
		kept, err := Slim(func(string, string) bool { return one.isJob })(one.object.DeepCopy())
		if err != nil {
			t.Fatal(err)
		}
		cached := kept.(*unstructured.Unstructured)
		read := *cached
		err = Unpack(&read)
		if err != nil || !equality.Semantic.DeepEqual(read.Object, one.object.Object) {
			t.Error(read.Object, err)
		}
		text, err := textOf(cached)
		if manifest, _ := read.MarshalJSON(); err != nil || string(text)+"\n" != string(manifest) {
			t.Errorf("%s instead of %s, %v", text, manifest, err)
		}
		for _, part := range []string{"spec", "status"} {
			if _, isPacked := cached.Object[part].(string); isPacked != one.isPacked {
				t.Error(cached.Object)
			}
		}
	}
}

// What is to be done does not depend on pods that are left out: of gangs of any state, with and
// without waking, while the job runs, is suspended or has another minimum.
func TestOneOfEach(t *testing.T) {
	random, cases, left, decided := rand.New(rand.NewPCG(1, 2)), 0, 0, 0
	for _, backend := range []string{"coscheduling", "volcano", "koordinator", "workload"} {
		w := newWorld(t, backend)
		w.round()
		for range 50 {
			job := w.get(jobSetKind, theJob.Name)
			if random.IntN(2) == 0 {
				_ = unstructured.SetNestedField(job.Object, true, "spec", "suspend")
			}
			plans, err := w.reconciler.Planner.Plans(t.Context(), w.client, job)
			if err != nil {
				t.Fatal(err)
			}
			outcome := &Outcome{Job: job, Existing: w.outcome.Existing}
			outcome.Existing[0] = job
			for i := range random.IntN(16) {
				outcome.Pods = append(outcome.Pods, anyPod(t, random, i))
			}
			few := oneOfEach(outcome.Pods)
			for _, plan := range plans {
				for _, options := range [][]gang.Option{nil, {gang.Wake()}} {
					want, none := comparedWith(t, plan, outcome, outcome.Pods, options),
						comparedWith(t, plan, outcome, nil, options)
					if found := comparedWith(t, plan, outcome, few, options); found != want {
						t.Fatalf("%s instead of %s", found, want)
					}
					cases++
					if len(few) < len(outcome.Pods) {
						left++
					}
					if want != none {
						decided++
					}
				}
			}
			Close(plans)
		}
	}
	t.Logf("%d cases, %d with pods left out, %d that pods decided", cases, left, decided)
	if left < cases/3 || decided < cases/10 {
		t.Errorf("%d cases, %d with pods left out, %d that pods decided", cases, left, decided)
	}
}

// anyPod is one of a few states, so that pods are often alike.
func anyPod(t *testing.T, random *rand.Rand, index int) *Pod {
	pod := waitingPod([]string{"bert", "bert-s1"}[random.IntN(2)])
	pod.SetName(fmt.Sprintf("pod-%d", index))
	pod.SetUID(types.UID(fmt.Sprint(index)))
	pod.Object["status"] = map[string]any{
		"phase": []string{"Pending", "Running", "Succeeded"}[random.IntN(3)]}
	if random.IntN(2) == 0 {
		pod.Object["spec"] = map[string]any{"nodeName": fmt.Sprint("node-", index)}
	}
	if random.IntN(4) == 0 {
		pod.SetDeletionTimestamp(&metav1.Time{Time: time.Unix(1, 0)})
	}
	return slim(t, pod)
}

func comparedWith(t *testing.T, plan *Planned, outcome *Outcome, pods []*Pod,
	options []gang.Option) string {
	text, err := outcome.existingText(pods)
	if err != nil {
		t.Fatal(err)
	}
	live, err := gang.ParseLive(text, gang.Generated())
	if err != nil {
		t.Fatal(err)
	}
	defer live.Close()
	compared, conflict := plan.Reconcile(live, options...)
	document, err := compared.Serialize(gang.TargetPlan, gang.FormatJSON)
	compared.Close() // there is one with a conflict, too
	if err != nil {
		t.Fatal(err)
	}
	return fmt.Sprint(string(document), conflict)
}
