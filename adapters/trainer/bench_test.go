// SPDX-License-Identifier: Apache-2.0

package trainer_test

import (
	"syscall"
	"testing"

	api "github.com/kubeflow/trainer/v2/pkg/apis/trainer/v1alpha1"
	operator "github.com/kubeflow/trainer/v2/pkg/runtime"
	corev1 "k8s.io/api/core/v1"
)

// BenchmarkJob is a round of the operator: its plugin builds a PodGroup, which the operator
// applies, and the adapter compares one with that which exists. The copy of the runtime is made
// anew, since the fake client loses the kind in it.
func BenchmarkJob(b *testing.B) {
	w := open(b, "torch", "Coscheduling", func(runtime *api.ClusterTrainingRuntime) {
		seconds := int32(60)
		runtime.Spec.PodGroupPolicy = &api.PodGroupPolicy{PodGroupPolicySource: api.PodGroupPolicySource{
			Coscheduling: &api.CoschedulingPodGroupPolicySource{ScheduleTimeoutSeconds: &seconds}}}
	})
	for name, one := range map[string]operator.Runtime{"trainer": w.bare, "libgang": w.runtime} {
		round := func(b *testing.B) {
			copied := &corev1.ConfigMap{}
			copied.Name, copied.Namespace = w.job.Name+"-runtime-snapshot", w.job.Namespace
			_, err := one.NewObjects(b.Context(), w.job)
			if err == nil {
				err = w.client.Delete(b.Context(), copied)
			}
			if err != nil {
				b.Fatal(err)
			}
		}
		round(b)
		b.Run(name, func(b *testing.B) {
			before := used()
			for b.Loop() {
				round(b)
			}
			b.ReportMetric(float64(used()-before)/float64(b.N), "cpu-ns/op")
		})
	}
}

// used is the processor time, which other programs do not change much.
func used() int64 {
	var usage syscall.Rusage
	_ = syscall.Getrusage(syscall.RUSAGE_SELF, &usage) // its arguments are right
	return usage.Utime.Nano() + usage.Stime.Nano()
}
