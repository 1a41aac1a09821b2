// SPDX-License-Identifier: Apache-2.0

package apply

import (
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"k8s.io/apimachinery/pkg/types"

	"libgang.dev/gang"
	"libgang.dev/gang/k8sgang"
)

// wake returns the options for Reconcile, and when to ask again; 0: never. A job of a scheduler
// that does not sleep is not asked about.
func (r *Reconciler) wake(job types.NamespacedName, outcome *Outcome) (
	[]gang.Option, time.Duration) {
	sleeps := r.WakeInterval > 0 && outcome.Acted &&
		slices.ContainsFunc(outcome.Pods, (*Pod).waits) &&
		slices.ContainsFunc(outcome.Plans, func(plan *Planned) bool {
			return plan.Backend != nil && k8sgang.SleepsOnRoom(plan.Backend.Type)
		})
	options, after := r.waker.ask(job, sleeps, r.WakeInterval)
	if len(options) > 0 {
		wakesTotal.WithLabelValues(r.Kind.Kind).Inc()
	}
	return options, after
}

// A waker says when to wake a gang with pods that are not bound. Coscheduling does not try a
// waiting gang again when room appears, but does so when its PodGroup changes. Each wake is one
// write and one scheduling attempt, so there is one in an interval, which is longer where so many
// gangs wait that their attempts would be all that the scheduler does. Without a wake it tries each
// gang every five minutes.
type waker struct {
	due   sync.Map     // of the jobs that wait: when to wake them
	count atomic.Int64 // of them
}

// wakesPerSecond is how many gangs are woken in a second at most. kube-scheduler tries some hundred
// pods in a second.
const wakesPerSecond = 10

func (w *waker) ask(job types.NamespacedName, waits bool, interval time.Duration) (
	[]gang.Option, time.Duration) {
	if !waits {
		w.forget(job)
		return nil, 0
	}
	interval = max(interval, time.Duration(w.count.Load())*time.Second/wakesPerSecond)
	// A job that was not waiting is being tried by the scheduler now.
	due, waited := w.due.LoadOrStore(job, time.Now().Add(interval))
	if !waited {
		w.count.Add(1)
	}
	if left := time.Until(due.(time.Time)); left > 0 {
		return nil, left
	}
	w.due.Store(job, time.Now().Add(interval))
	return []gang.Option{gang.Wake()}, interval
}

func (w *waker) forget(job types.NamespacedName) {
	if _, waited := w.due.LoadAndDelete(job); waited {
		w.count.Add(-1)
	}
}

// A pacer waits longer before each further change of the objects of a job, because another writer
// may change them back each time. After a time without a change the pause is short again.
type pacer struct{ writes sync.Map }

type lastWrite struct {
	at    time.Time
	pause time.Duration // before the next one
}

const shortestPause, longestPause = time.Second, 5 * time.Minute

// ask is about the changes of one round, if there are some. It returns how long they have to wait.
func (p *pacer) ask(job types.NamespacedName, changes bool) time.Duration {
	if !changes {
		return 0
	}
	now, pause := time.Now(), shortestPause
	if found, ok := p.writes.Load(job); ok {
		last := found.(lastWrite)
		if wait := last.pause - now.Sub(last.at); wait > 0 {
			return wait
		}
		if now.Sub(last.at) < 2*last.pause {
			pause = min(2*last.pause, longestPause)
		}
	}
	p.writes.Store(job, lastWrite{now, pause})
	return 0
}

func (p *pacer) forget(job types.NamespacedName) { p.writes.Delete(job) }
