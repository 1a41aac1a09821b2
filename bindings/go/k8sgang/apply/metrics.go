// SPDX-License-Identifier: Apache-2.0

package apply

import (
	"strings"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"sigs.k8s.io/controller-runtime/pkg/metrics"

	"libgang.dev/gang"
)

// The metrics of every program that uses this package, in the registry of controller-runtime. Labels
// have no names of jobs, so their number does not grow with the cluster.
var (
	plansTotal = prometheus.NewCounterVec(prometheus.CounterOpts{Name: "gang_plans_total",
		Help: "Plans of gangs by the kind of the job, the backend and the outcome; Refused: there is none."},
		[]string{"kind", "backend", "outcome"})
	diagnosticsTotal = prometheus.NewCounterVec(prometheus.CounterOpts{Name: "gang_diagnostics_total",
		Help: "Errors and warnings of plans by their code."}, []string{"code", "severity"})
	objectsTotal = prometheus.NewCounterVec(prometheus.CounterOpts{Name: "gang_objects_total",
		Help: "Objects of gangs that were written, by their kind and the action; failed: the server refused it."},
		[]string{"kind", "action", "result"})
	wakesTotal = prometheus.NewCounterVec(prometheus.CounterOpts{Name: "gang_wakes_total",
		Help: "Gangs that were woken because their scheduler sleeps, by the kind of the job."},
		[]string{"kind"})
	planSeconds = prometheus.NewHistogramVec(prometheus.HistogramOpts{Name: "gang_plan_seconds",
		Help: "Time to plan one gang without the reading of objects.", Buckets: buckets}, []string{"kind"})
	webhookSeconds = prometheus.NewHistogramVec(prometheus.HistogramOpts{Name: "gang_webhook_seconds",
		Help: "Time to answer the API server: Marked, Unchanged, Denied or Failed.", Buckets: buckets},
		[]string{"kind", "result"})

	buckets = prometheus.ExponentialBuckets(0.00001, 4, 10) // 10 µs to 2.6 s
)

func init() {
	metrics.Registry.MustRegister(plansTotal, diagnosticsTotal, objectsTotal, wakesTotal, planSeconds,
		webhookSeconds)
}

func countPlan(kind string, start time.Time, decision *gang.Decision, err error) {
	planSeconds.WithLabelValues(kind).Observe(time.Since(start).Seconds())
	outcome := decision.Outcome().String()
	if err != nil {
		outcome = "Refused"
	}
	plansTotal.WithLabelValues(kind, decision.Backend(), outcome).Inc()
}

func countDiagnostics(diagnostics []gang.Diagnostic) {
	for i := range diagnostics {
		if diagnostics[i].Severity <= gang.SeverityWarning {
			diagnosticsTotal.WithLabelValues(diagnostics[i].ID,
				strings.ToLower(diagnostics[i].Severity.String())).Inc()
		}
	}
}
