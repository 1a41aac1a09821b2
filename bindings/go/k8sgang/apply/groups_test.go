// SPDX-License-Identifier: Apache-2.0

package apply

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/tools/events"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

func groupedPod(t *testing.T, index int, more string) *unstructured.Unstructured {
	t.Helper()
	return object(t, fmt.Sprintf(`{apiVersion: v1, kind: Pod, metadata: {name: solve-%d, namespace: ml,
  labels: {kueue.x-k8s.io/pod-group-name: solve}, annotations: {
  kueue.x-k8s.io/pod-group-total-count: "3"}%s}, spec: {priority: 0, containers: [{name: c, image: i}]}}`, index, more))
}

// groups has no pods, and a recorder of its events.
func groups(t *testing.T, backend string) (*world, *Groups, *events.FakeRecorder) {
	t.Helper()
	w, recorder := newWorld(t, backend), events.NewFakeRecorder(10)
	return w, &Groups{Client: w.client, Planner: w.reconciler.Planner, Events: recorder,
		Acts: func(context.Context, string) bool { return true }}, recorder
}

func (w *world) groupRound(g *Groups) (ctrl.Result, []string) {
	w.Helper()
	w.writes = nil
	result, err := g.Reconcile(w.Context(), ctrl.Request{NamespacedName: types.NamespacedName{
		Namespace: "ml", Name: "solve"}})
	if err != nil {
		w.Fatal(err)
	}
	return result, w.writes
}

// createMembers creates the pods of a group with their marks.
func (w *world) createMembers(g *Groups) {
	w.Helper()
	for i := range 3 {
		pod := groupedPod(w.T, i, "")
		if err := g.Planner.MarkMember(w.Context(), w.client, pod); err != nil {
			w.Fatal(err)
		}
		pod.SetUID(types.UID(fmt.Sprint("uid-of-", i)))
		w.create(pod)
	}
}

// Each pod gets the mark when it is created, and the PodGroup comes with the last one: its minimum
// is that of all. The pods own it.
func TestGroupOfPods(t *testing.T) {
	for _, backend := range []string{"volcano", "coscheduling", "koordinator", "workload"} {
		w, g, recorder := groups(t, backend)
		for i := range 3 {
			if _, writes := w.groupRound(g); len(writes) > 0 {
				t.Errorf("%s: %q with %d pods", backend, writes, i)
			}
			pod := groupedPod(t, i, "")
			if err := g.Planner.MarkMember(t.Context(), w.client, pod); err != nil {
				t.Fatal(err)
			}
			if len(Concerns(pod)) != 1 || pod.GetAnnotations()[fastAnnotation] != "" {
				t.Errorf("%s: %v", backend, pod.Object)
			}
			pod.SetUID(types.UID(fmt.Sprint("uid-of-", i)))
			w.create(pod)
		}
		_, writes := w.groupRound(g)
		if len(writes) == 0 || !strings.HasPrefix(writes[len(writes)-1], "create solve") {
			t.Errorf("%s: %q", backend, writes)
		}
		var group *unstructured.Unstructured
		for _, kind := range testKinds {
			found, err := List(t.Context(), w.client, kind)
			if err != nil {
				t.Fatal(err)
			}
			for i := range found {
				group = &found[i]
				if len(group.GetOwnerReferences()) < 3 {
					t.Errorf("%s: %v", backend, group.Object)
				}
			}
		}
		pods, _ := List(t.Context(), w.client, podKind)
		if group == nil || Concerns(&pods[0])[0] != group.GetName() {
			t.Errorf("%s: the pods name %v", backend, Concerns(&pods[0]))
		}
		if _, writes := w.groupRound(g); len(writes) > 0 {
			t.Errorf("%s: %q when nothing has changed", backend, writes)
		}
		told := ""
		for len(recorder.Events) > 0 {
			told += <-recorder.Events
		}
		if strings.Count(told, "PodGroupIncomplete") != 2 ||
			!strings.Contains(told, "GangReady 3 of 3 pods must start") {
			t.Error(told)
		}
	}
}

// YuniKorn reads the whole gang from its first pod; pods with a controller belong to a job; and
// without the number of pods nothing is known.
func TestPodsThatAreNotMarked(t *testing.T) {
	w, g, _ := groups(t, "yunikorn")
	err := g.Planner.MarkMember(t.Context(), w.client, groupedPod(t, 0, ""))
	if err == nil || !strings.Contains(err.Error(), "use a Job") {
		t.Error(err)
	}
	w, g, _ = groups(t, "volcano")
	owned := groupedPod(t, 0, `, ownerReferences: [{apiVersion: batch/v1, kind: Job, name: j, uid: u,
  controller: true}]`)
	plain := waitingPod("a")
	plain.SetLabels(nil)
	for _, pod := range []*unstructured.Unstructured{owned, plain} {
		if err := g.Planner.MarkMember(t.Context(), w.client, pod); err != nil || len(Concerns(pod)) > 0 {
			t.Error(pod.Object, err)
		}
	}
	alone := groupedPod(t, 0, "")
	alone.SetAnnotations(nil)
	if err := g.Planner.MarkMember(t.Context(), w.client, alone); err == nil {
		t.Error("marked")
	}
}

// An object that is deleted is made again: the pods that own it say whose it is.
func TestGroupOfADeletedObject(t *testing.T) {
	w, g, _ := groups(t, "workload")
	for i := range 3 {
		w.create(groupedPod(t, i, ""))
	}
	w.groupRound(g)
	made, err := List(t.Context(), w.client, groupKind)
	if err != nil || len(made) != 1 || made[0].GetName() == "solve" {
		t.Fatal(made, err)
	}
	want := []ctrl.Request{{NamespacedName: types.NamespacedName{Namespace: "ml", Name: "solve"}}}
	if found := g.groupOfObject(t.Context(), &made[0]); !slices.Equal(found, want) {
		t.Errorf("%v", found)
	}
	made[0].SetOwnerReferences([]metav1.OwnerReference{{APIVersion: "v1", Kind: "Pod", Name: "gone"}})
	if found := g.groupOfObject(t.Context(), &made[0]); len(found) != 0 {
		t.Errorf("%v", found)
	}
}

// A gang of pods that waits for room is woken as that of a job is.
func TestGroupIsWoken(t *testing.T) {
	for backend, wakes := range map[string]bool{"coscheduling": true, "volcano": false} {
		w, g, _ := groups(t, backend)
		g.WakeInterval = time.Millisecond
		w.createMembers(g)
		w.groupRound(g) // creates the PodGroup, and starts the interval
		time.Sleep(2 * g.WakeInterval)
		if _, writes := w.groupRound(g); (len(writes) == 1) != wakes {
			t.Errorf("%s: %q", backend, writes)
		}
	}
}

// Pods that replace others own the objects, too, which would else go with the last of the first.
func TestGroupWithPodsThatReplaceOthers(t *testing.T) {
	for _, backend := range []string{"volcano", "workload"} {
		w, g, _ := groups(t, backend)
		w.createMembers(g)
		w.groupRound(g)
		pods, err := List(t.Context(), w.client, podKind)
		uid := pods[0].GetUID()
		err = errors.Join(err, w.client.Delete(t.Context(), &pods[0], client.Preconditions{UID: &uid}))
		next := groupedPod(t, 3, "")
		if err = errors.Join(err, g.Planner.MarkMember(t.Context(), w.client, next)); err != nil {
			t.Fatal(err)
		}
		w.create(next)
		if _, writes := w.groupRound(g); len(writes) == 0 {
			t.Errorf("%s: nothing is written", backend)
		}
		for _, kind := range testKinds {
			found, _ := List(t.Context(), w.client, kind)
			for i := range found {
				var owners []string
				for _, one := range found[i].GetOwnerReferences() {
					if one.Kind == podKind.Kind {
						owners = append(owners, one.Name)
					}
				}
				if !slices.Equal(owners, []string{"solve-1", "solve-2", "solve-3"}) {
					t.Errorf("%s: %s %s has the owners %v", backend, kind.Kind, found[i].GetName(), owners)
				}
			}
		}
		if _, writes := w.groupRound(g); len(writes) > 0 {
			t.Errorf("%s: %q when nothing has changed", backend, writes)
		}
	}
}

// What is immutable is not made again under pods that exist, as of a job.
func TestGroupOfPodsThatExistStays(t *testing.T) {
	w, g, _ := groups(t, "workload")
	w.createMembers(g)
	w.groupRound(g)
	pods, err := List(t.Context(), w.client, podKind)
	for i := range pods[1:] { // a group of two
		setIn(pods[i+1].Object, "2", "metadata", "annotations", "kueue.x-k8s.io/pod-group-total-count")
		err = errors.Join(err, w.client.Update(t.Context(), &pods[i+1]))
	}
	uid := pods[0].GetUID()
	err = errors.Join(err, w.client.Delete(t.Context(), &pods[0], client.Preconditions{UID: &uid}))
	if err != nil {
		t.Fatal(err)
	}
	if result, writes := w.groupRound(g); len(writes) > 0 || result.RequeueAfter != retryAfter {
		t.Errorf("%q %+v", writes, result)
	}
}

// A group whose object has another owner is asked again: nothing tells it when that goes.
func TestGroupInConflict(t *testing.T) {
	w, g, _ := groups(t, "volcano")
	w.createForeign("solve")
	for i := range 3 {
		w.create(groupedPod(t, i, ""))
	}
	if result, writes := w.groupRound(g); len(writes) > 0 || result.RequeueAfter != retryAfter {
		t.Errorf("%q %+v", writes, result)
	}
}

// In the mode Report the pods are told, and nothing is written.
func TestGroupIsReported(t *testing.T) {
	w, g, recorder := groups(t, "volcano")
	g.Acts = func(context.Context, string) bool { return false }
	for i := range 3 {
		w.create(groupedPod(t, i, ""))
	}
	if _, writes := w.groupRound(g); len(writes) > 0 {
		t.Error(writes)
	}
	if event := <-recorder.Events; !strings.Contains(event, "GangPlanned 3 of 3") {
		t.Error(event)
	}
}
