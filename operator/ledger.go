// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"k8s.io/apimachinery/pkg/types"
	periodic "k8s.io/apimachinery/pkg/util/wait"
	"sigs.k8s.io/controller-runtime/pkg/log"

	"libgang.dev/gang"
)

// An entry is what was told last about a job.
type entry struct {
	kind, backend string
	state         string // the reason of the condition
	planned       bool   // it is only reported
	minimum, pods int64
}

type jobKey struct {
	kind string
	types.NamespacedName
}

// A ledger has an entry for each job. It makes the metric of the jobs by their state, and in the
// log a table of what would change where gangs are only reported.
type ledger struct {
	lock    sync.Mutex
	entries map[jobKey]entry
	changed atomic.Bool // since the totals were logged
}

func newLedger() *ledger { return &ledger{entries: map[jobKey]entry{}} }

// note takes the entry of a job, and logs a row of the table if it is new.
func (l *ledger) note(ctx context.Context, key jobKey, one entry) {
	l.lock.Lock()
	defer l.lock.Unlock()
	if before, found := l.entries[key]; found && before == one {
		return
	}
	l.entries[key] = one
	l.changed.Store(true)
	if one.planned {
		log.FromContext(ctx).Info("would change", "kind", key.kind, "namespace", key.Namespace,
			"name", key.Name, "state", one.state, "backend", one.backend, "minimum", one.minimum,
			"pods", one.pods)
	}
}

func (l *ledger) forget(kind string) func(types.NamespacedName) {
	return func(name types.NamespacedName) {
		l.lock.Lock()
		defer l.lock.Unlock()
		delete(l.entries, jobKey{kind, name})
	}
}

// totals counts the jobs by all of an entry but the numbers of pods.
func (l *ledger) totals() map[entry]int {
	l.lock.Lock()
	defer l.lock.Unlock()
	counts := map[entry]int{}
	for _, one := range l.entries {
		one.minimum, one.pods = 0, 0
		counts[one]++
	}
	return counts
}

// Start logs the totals of the table each minute if they have changed. It implements
// manager.Runnable, which runs in the replica that leads.
func (l *ledger) Start(ctx context.Context) error {
	periodic.UntilWithContext(ctx, l.logTotals, time.Minute)
	return nil
}

func (l *ledger) logTotals(ctx context.Context) {
	if !l.changed.Swap(false) {
		return
	}
	for one, count := range l.totals() {
		if one.planned {
			log.FromContext(ctx).Info("would change in all", "kind", one.kind, "state", one.state,
				"backend", one.backend, "jobs", count)
		}
	}
}

var (
	jobsMetric = prometheus.NewDesc("gang_jobs",
		"Jobs by the state of their gang; planned: it is only reported.",
		[]string{"kind", "backend", "state", "planned"}, nil)
	policyInfo = prometheus.NewGaugeVec(prometheus.GaugeOpts{Name: "gang_policy_info",
		Help: "The policy in force."}, []string{"stamp"})
	policyErrors = prometheus.NewCounter(prometheus.CounterOpts{Name: "gang_policy_errors_total",
		Help: "Invalid policies that were read."})
)

func ownMetrics() []prometheus.Collector {
	labels := prometheus.Labels{"version": gang.Version(), "engine": gang.Engine()}
	buildInfo := prometheus.NewGaugeFunc(prometheus.GaugeOpts{Name: "gang_build_info",
		Help: "The version of libgang.", ConstLabels: labels}, func() float64 { return 1 })
	return []prometheus.Collector{policyInfo, policyErrors, buildInfo}
}

// Describe and Collect make a prometheus.Collector of the ledger.
func (l *ledger) Describe(out chan<- *prometheus.Desc) { out <- jobsMetric }

// Collect counts the jobs.
func (l *ledger) Collect(out chan<- prometheus.Metric) {
	for one, count := range l.totals() {
		out <- prometheus.MustNewConstMetric(jobsMetric, prometheus.GaugeValue, float64(count), one.kind,
			one.backend, one.state, strconv.FormatBool(one.planned))
	}
}
