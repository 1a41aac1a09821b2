// SPDX-License-Identifier: Apache-2.0

package apply

import (
	"errors"
	"fmt"
	"testing"
	"time"

	dto "github.com/prometheus/client_model/go"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/metrics"
)

// counts are the metrics of this package that are not 0, as Prometheus writes them: name{a="b"}.
func counts(t *testing.T) map[string]float64 {
	t.Helper()
	families, err := metrics.Registry.Gather()
	if err != nil {
		t.Fatal(err)
	}
	found := map[string]float64{}
	for _, family := range families {
		for _, one := range family.GetMetric() {
			found[name(family.GetName(), one)] = one.GetCounter().GetValue() +
				float64(one.GetHistogram().GetSampleCount())
		}
	}
	return found
}

func name(text string, one *dto.Metric) string {
	for _, label := range one.GetLabel() {
		text += fmt.Sprintf(" %s=%s", label.GetName(), label.GetValue())
	}
	return text
}

func TestMetrics(t *testing.T) {
	before := counts(t)
	w := newWorld(t, "coscheduling") // two gangs
	w.reconciler.WakeInterval = time.Millisecond
	if !w.admit(nil, object(t, stages)).Allowed {
		t.Fatal("refused")
	}
	w.fail = func(string, client.Object) error { return errors.New("away") }
	if _, err := w.reconciler.Reconcile(t.Context(), ctrl.Request{NamespacedName: theJob}); err == nil {
		t.Error("the failure is lost")
	}
	w.fail = func(string, client.Object) error { return nil }
	w.round()
	w.create(waitingPod("bert"))
	w.round()
	time.Sleep(2 * time.Millisecond)
	w.round()
	w.rest = "  rules:\n  - {name: deny, match: {}, action: Deny}\n"
	w.admit(nil, object(t, stages))
	after := counts(t)
	for name := range after {
		after[name] -= before[name]
	}
	for name, wanted := range map[string]float64{
		"gang_plans_total backend=coscheduling kind=JobSet outcome=Gang": 10,
		"gang_plans_total backend= kind=JobSet outcome=Refused":          1,
		"gang_plan_seconds kind=JobSet":                                  11,
		"gang_diagnostics_total code=GANG670 severity=error":             1,
		"gang_objects_total action=Create kind=PodGroup result=failed":   2,
		"gang_objects_total action=Create kind=PodGroup result=done":     2,
		"gang_objects_total action=Apply kind=PodGroup result=done":      1, // of the gang with the pod
		"gang_wakes_total kind=JobSet":                                   1,
		"gang_webhook_seconds kind=JobSet result=Marked":                 1,
		"gang_webhook_seconds kind=JobSet result=Denied":                 1,
	} {
		if after[name] != wanted {
			t.Errorf("%s: %v instead of %v", name, after[name], wanted)
		}
	}
}
