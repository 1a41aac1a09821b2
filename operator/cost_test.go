// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"fmt"
	"runtime"
	"runtime/debug"
	"strings"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"libgang.dev/gang"
)

// liveReads counts what is read without a cache.
type liveReads struct {
	client.Reader
	count int
	fail  error
}

func (l *liveReads) Get(ctx context.Context, key client.ObjectKey, object client.Object,
	options ...client.GetOption) error {
	if l.count++; l.fail != nil {
		return l.fail
	}
	return l.Reader.Get(ctx, key, object, options...)
}

// A Job whose three pods wait costs its PodGroup, one event that it is a gang, and one about why it
// waits, however many rounds there are. Nothing is read from the server.
func TestCostOfAJob(t *testing.T) {
	w := newWorld(t, policyOf("coscheduling", ""))
	live := &liveReads{Reader: w.client}
	w.marker.live = live
	job := w.submitted(parse(t, indexedJob))
	writes, told := 0, 0
	for i := range 12 {
		if i > 0 && i < 4 {
			w.create(waitingPod(job, i))
		}
		if one, known := w.reporter.waiting.Get(job.GetUID()); known && i > 4 {
			one.(*wait).next = time.Now() // it may be asked why
		}
		_, wrote := w.reconcileKindOnce(job)
		for writes += wrote; len(w.events.Events) > 0; told++ {
			t.Log(w.event())
		}
		if told == 0 {
			t.Error("the first round tells that the job is a gang")
		}
	}
	if writes != 1 || told != 2 || live.count != 0 {
		t.Errorf("%d writes, %d events, %d live reads", writes, told, live.count)
	}
}

func waitingPod(job *unstructured.Unstructured, index int) *unstructured.Unstructured {
	one := owned(pod(fmt.Sprintf("%s-%d", job.GetName(), index), map[string]string{
		"scheduling.x-k8s.io/pod-group": job.GetName()}), job)
	one.SetNamespace(job.GetNamespace())
	one.SetCreationTimestamp(metav1.NewTime(time.Now().Add(-time.Hour)))
	one.Object["spec"] = map[string]any{"schedulerName": "scheduler-plugins-scheduler"}
	one.Object["status"] = map[string]any{"phase": "Pending"}
	return one
}

// Each pause until a job is asked again why it waits is twice as long as the one before.
func TestPausesOfCauses(t *testing.T) {
	w := newWorld(t, policyOf("volcano", ""))
	w.reconcile()
	w.reconcile()
	for _, pause := range []time.Duration{2 * patience, 4 * patience, 8 * patience} {
		one, _ := w.reporter.waiting.Get(types.UID("job-uid"))
		one.(*wait).next = time.Now()
		w.reconcile()
		if left := time.Until(one.(*wait).next); left > pause || left < pause-5*time.Second {
			t.Errorf("%s instead of %s", left, pause)
		}
	}
}

// Some gangs that wait are asked after 15 seconds, and again after 30; very many later, twenty in a
// second.
func TestPausesOfManyGangs(t *testing.T) {
	for waiting, pauses := range map[int][2]time.Duration{
		1: {15 * time.Second, 30 * time.Second}, 300: {15 * time.Second, 30 * time.Second},
		600: {30 * time.Second, 30 * time.Second}, 10_000: {500 * time.Second, 500 * time.Second}} {
		w := newWorld(t, policyOf("volcano", ""))
		for i := range waiting - 1 {
			w.reporter.waiting.Add(i, &wait{})
		}
		w.reconcile()
		w.reconcile()
		found, _ := w.reporter.waiting.Get(types.UID("job-uid"))
		one := found.(*wait)
		for _, pause := range pauses {
			if left := time.Until(one.next); left > pause || left < pause-5*time.Second {
				t.Errorf("%s instead of %s for %d gangs", left, pause, waiting)
			}
			one.next = time.Now()
			w.reconcile()
		}
	}
}

// Much garbage may pile up beside a small heap, and half as much as a large one.
func TestCollection(t *testing.T) {
	defer debug.SetGCPercent(debug.SetGCPercent(100))
	percent := func() int {
		runtime.GC()
		setCollection(t.Context())
		return debug.SetGCPercent(100)
	}
	if little := percent(); little <= 50 || little > 400 {
		t.Errorf("%d percent of a small heap", little)
	}
	held := make([]byte, 128<<20)
	if much := percent(); much != 50 {
		t.Errorf("%d percent of a large heap", much)
	}
	runtime.KeepAlive(held)
}

// The recorder shows the first event of a reason only, so there is one.
func TestEventsOf(t *testing.T) {
	twice := []gang.Diagnostic{{ID: "GANG648", Reason: "SecondGang", Message: "one",
		Severity: gang.SeverityWarning}, {ID: "GANG648", Reason: "SecondGang", Message: "two",
		Severity: gang.SeverityWarning}}
	isReady := &metav1.Condition{Type: conditionType, Status: metav1.ConditionTrue, Message: "3 of 3"}
	shown := eventsOf(twice, isReady, true)
	if len(shown) != 1 || shown[0].Reason != "SecondGang" {
		t.Errorf("%+v", shown)
	}
	alone := eventsOf(twice, isReady, false)
	if len(alone) != 1 || alone[0].Type != "Warning" || alone[0].Reason != conditionType ||
		!strings.HasPrefix(alone[0].Note, "3 of 3; ") || !strings.Contains(alone[0].Note, "GANG648") {
		t.Errorf("%+v", alone)
	}
}

// After a restart a job that has its gang is not told so again; one that is no gang is, and so is a
// new one.
func TestEventsAfterARestart(t *testing.T) {
	told := func(created time.Time, marks bool) string {
		w := newWorld(t, policyOf("volcano", ""))
		job := parse(t, indexedJob)
		if marks {
			job = w.marked(job)
		}
		job.SetCreationTimestamp(metav1.NewTime(created))
		w.create(job)
		w.reconcileKindOnce(job)
		w.reporter.told.Clear()
		for len(w.events.Events) > 0 {
			<-w.events.Events
		}
		w.reconcileKindOnce(job)
		if len(w.events.Events) == 0 {
			return ""
		}
		return <-w.events.Events
	}
	before, after := started.Add(-time.Hour), started.Add(time.Hour)
	if event := told(before, true); event != "" {
		t.Error(event)
	}
	if event := told(after, true); !strings.Contains(event, "GangReady") {
		t.Error(event)
	}
	if event := told(before, false); !strings.Contains(event, notMarked) {
		t.Error(event)
	}
}
