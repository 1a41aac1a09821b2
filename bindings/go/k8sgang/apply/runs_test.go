// SPDX-License-Identifier: Apache-2.0

package apply

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/util/workqueue"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

var koordinatorKind = schema.GroupVersionKind{
	Group: "scheduling.sigs.k8s.io", Version: "v1alpha1", Kind: "PodGroup"}

// memberOf is a new pod as the webhook sees it: with the marks that libgang renders for a gang of
// two pods.
func memberOf(t *testing.T, backend, name string) *unstructured.Unstructured {
	t.Helper()
	marks := map[string]string{
		"koordinator": `labels: {pod-group.scheduling.sigs.k8s.io: bert}`,
		"yunikorn": `labels: {yunikorn.apache.org/app-id: bert}, annotations: {
		  yunikorn.apache.org/task-groups: '[{"name": "a", "minMember": 1}, {"name": "b", "minMember": 1}]'}`,
		"alone": `labels: {yunikorn.apache.org/app-id: bert}, annotations: {
		  yunikorn.apache.org/task-groups: '[{"name": "a", "minMember": 1}]'}`,
		"outside": `labels: {yunikorn.apache.org/app-id: bert}`,
		"holds room": `labels: {yunikorn.apache.org/app-id: bert}, annotations: {
		  internal.yunikorn.apache.org/placeholder: "true"}`,
		"volcano": `annotations: {scheduling.k8s.io/group-name: bert}`,
	}[backend]
	return object(t, `{apiVersion: v1, kind: Pod, metadata: {name: `+name+`, namespace: ml, `+marks+
		`}, spec: {containers: [{name: c}]}, status: {phase: Pending}}`)
}

// A run is a test in a time of its own.
type run struct {
	*testing.T
	planner *Planner
	store   *podStore
}

func inRun(t *testing.T, play func(run)) {
	t.Helper()
	listMemories() // the library is compiled outside of the time of the test
	synctest.Test(t, func(t *testing.T) {
		store := newPodStore(func(string, []string, time.Duration) {})
		if err := store.Replace(nil, ""); err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Hour)
		play(run{t, &Planner{pods: store}, store})
	})
}

func (r run) expect(when, backend string, admitted bool) {
	r.Helper()
	err := r.planner.Admit(r.Context(), memberOf(r.T, backend, "new"))
	if (err == nil) != admitted || err != nil && !errors.Is(err, ErrRemembered) {
		r.Errorf("%s: %s: %v", backend, when, err)
	}
}

// add has a pod in a state: "", "ends" (it is being deleted), "Running", "Failed".
func (r run) add(backend, name, state string) {
	r.Helper()
	pod := memberOf(r.T, backend, name)
	switch state {
	case "":
	case "ends":
		pod.Object["metadata"].(map[string]any)["deletionTimestamp"] = "2026-01-01T00:00:00Z"
	default:
		pod.Object["status"] = map[string]any{"phase": state}
	}
	if err := r.store.Add(pod); err != nil {
		r.Fatal(err)
	}
}

func (r run) remove(backend, name string) {
	r.Helper()
	if err := r.store.Delete(memberOf(r.T, backend, name)); err != nil {
		r.Fatal(err)
	}
}

// YuniKorn forgets an application 30 seconds after its last pod: completingTimeout in
// apache/yunikorn-core:pkg/scheduler/objects/application.go@v1.8.0.
func TestRunsOfYuniKorn(t *testing.T) {
	inRun(t, func(r run) {
		r.expect("the first pod", "yunikorn", true)
		r.add("yunikorn", "a", "Running")
		r.add("yunikorn", "b", "")
		r.add("yunikorn", "b", "ends")
		r.expect("beside a sibling", "yunikorn", true)
		r.add("yunikorn", "a", "Failed")
		r.expect("a sibling still ends", "yunikorn", false)
		r.remove("yunikorn", "b")
		r.remove("yunikorn", "a")
		time.Sleep(30 * time.Second)
		r.expect("30 s later", "yunikorn", false)
		for _, other := range []string{"alone", "outside", "volcano"} {
			r.expect("30 s later", other, true)
		}
		time.Sleep(lateScheduler)
		r.expect("35 s later", "yunikorn", true)
	})
}

// Pods that hold the room of a gang are no siblings, and the application lives as long as they do.
func TestPlaceholders(t *testing.T) {
	inRun(t, func(r run) {
		r.add("holds room", "p", "Running")
		r.expect("with a placeholder alone", "yunikorn", false)
		r.remove("holds room", "p")
		r.expect("just after", "yunikorn", false)
		time.Sleep(time.Minute)
		r.expect("a minute later", "yunikorn", true)
	})
}

// What ended before the program started is not known.
func TestRunsBeforeTheStart(t *testing.T) {
	inRun(t, func(r run) {
		if err := r.store.Replace(nil, ""); err != nil { // a later list changes nothing
			r.Fatal(err)
		}
		r.expect("after an hour", "yunikorn", true)
		r.store.past.since = time.Now()
		r.expect("at the start", "yunikorn", false)
		time.Sleep(longestMemory())
		r.expect("35 s later", "yunikorn", true)
	})
}

// Koordinator forgets a gang with its PodGroup.
func TestRunsOfKoordinator(t *testing.T) {
	group := New(koordinatorKind)
	group.SetNamespace("ml")
	group.SetName("bert")
	group.SetUID("u-1")
	inRun(t, func(r run) {
		r.expect("before the PodGroup", "koordinator", true)
		r.store.appears(group, false)
		r.add("koordinator", "a", "Running")
		r.expect("beside a sibling", "koordinator", true)
		if r.store.isSpent(group) {
			r.Error("spent while a pod runs")
		}
		r.add("koordinator", "a", "ends")
		if r.store.isSpent(group) {
			r.Error("spent while a pod ends")
		}
		r.remove("koordinator", "a")
		time.Sleep(time.Hour)
		r.expect("an hour later", "koordinator", false)
		if !r.store.isSpent(group) {
			r.Error("not spent")
		}
		next := group.DeepCopy()
		next.SetUID("u-2")
		r.store.isReplaced(group, group)
		r.expect("after a change", "koordinator", false)
		r.store.isReplaced(group, next)
		r.expect("just after a new PodGroup", "koordinator", false)
		time.Sleep(lateScheduler)
		r.expect("later", "koordinator", true)
		r.store.disappears(next)
		r.store.appears(next, true)
		time.Sleep(time.Hour)
		r.expect("a PodGroup that is older than the program", "koordinator", false)
	})
}

// Ends that no scheduler remembers are forgotten here, too.
func TestEndsAreForgotten(t *testing.T) {
	inRun(t, func(r run) {
		for i := range 5000 {
			r.store.past.end(strings.Repeat("x", i))
			time.Sleep(time.Second)
		}
		if found := len(r.store.past.ends.times); found > 1100 {
			r.Errorf("%d ends", found)
		}
	})
}

// renewable is a world in which the PodGroups of both gangs exist, and a pod of the second one has
// ended. A Job without a status has no pods for libgang, so it has neither ended nor started.
func renewable(t *testing.T) (*world, *podStore) {
	t.Helper()
	w := newWorld(t, "koordinator")
	w.expect("create bert", "create bert-s1")
	store := newPodStore(func(string, []string, time.Duration) {})
	w.reconciler.pods = store
	pod := memberOf(t, "koordinator", "a")
	pod.SetLabels(map[string]string{"pod-group.scheduling.sigs.k8s.io": "bert-s1"})
	if err := errors.Join(store.Replace(nil, ""), store.Add(pod)); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"bert", "bert-s1"} {
		store.appears(w.get(koordinatorKind, name), false)
	}
	w.expect()
	if err := store.Delete(pod); err != nil {
		t.Fatal(err)
	}
	return w, store
}

// The PodGroup of a gang that had pods is made again before other pods come; that of one without
// pods stays.
func TestPodGroupOfTheNextRun(t *testing.T) {
	w, store := renewable(t)
	w.expect("delete bert-s1")
	store.disappears(New(koordinatorKind))
	w.expect("create bert-s1")
	former := w.get(koordinatorKind, "bert-s1")
	store.disappears(former)
	store.appears(former, false)
	w.expect()
}

// A job that has ended needs no PodGroup for another run.
func TestPodGroupAfterTheEnd(t *testing.T) {
	w, _ := renewable(t)
	job := w.get(jobSetKind, "bert")
	job.Object["status"] = map[string]any{"terminalState": "Completed", "conditions": []any{
		map[string]any{"type": "Completed", "status": "True", "lastTransitionTime": "2026-01-01T00:00:00Z",
			"reason": "AllJobsCompleted", "message": ""}}}
	if err := w.client.Update(t.Context(), job); err != nil {
		t.Fatal(err)
	}
	if _, writes := w.round(); slices.Contains(writes, "delete bert-s1") {
		t.Error(writes)
	}
}

// A gang of YuniKorn has no object: its pods start a round of the job whose templates name it.
func TestGroupsWithoutObjects(t *testing.T) {
	w := newWorld(t, "yunikorn")
	pods := newPodWatch(w.client, testKinds, []*Reconciler{w.reconciler})
	store := newPodStore(pods.changed)
	w.reconciler.pods = store
	if err := store.Replace(nil, ""); err != nil {
		t.Fatal(err)
	}
	if w.expect(); !w.has("GANG542") {
		t.Errorf("%v", w.outcome.Diagnostics)
	}
	w.reconciler.Planner.RunsApart = true
	if w.expect(); w.has("GANG542") {
		t.Errorf("%v", w.outcome.Diagnostics)
	}
	queue := requests(workqueue.NewTypedRateLimitingQueue(
		workqueue.DefaultTypedControllerRateLimiter[ctrl.Request]()))
	defer queue.ShutDown()
	w.reconciler.queue.Store(&queue)
	group := ""
	w.reconciler.groups.Range(func(key, _ any) bool {
		group = key.(types.NamespacedName).Name
		return true
	})
	pod := memberOf(t, "yunikorn", "a")
	pod.SetLabels(map[string]string{"yunikorn.apache.org/app-id": group})
	if err := store.Add(pod); err != nil {
		t.Fatal(err)
	}
	if job, _ := queue.Get(); job.NamespacedName != theJob {
		t.Errorf("%v for %q", job, group)
	}
	if w.expect(); len(w.outcome.Pods) != 1 {
		t.Errorf("%v", w.outcome.Pods)
	}
	job := w.get(jobSetKind, "bert")
	uid := job.GetUID()
	if err := w.client.Delete(t.Context(), job, client.Preconditions{UID: &uid}); err != nil {
		t.Fatal(err)
	}
	w.round()
	if jobs := w.reconciler.jobOfGroup("ml", group); jobs != nil {
		t.Error(jobs)
	}
}
