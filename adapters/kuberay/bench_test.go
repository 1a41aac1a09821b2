// SPDX-License-Identifier: Apache-2.0

package kuberay_test

import (
	"testing"

	schedulerinterface "github.com/ray-project/kuberay/ray-operator/controllers/ray/batchscheduler/interface"
	volcanoplugin "github.com/ray-project/kuberay/ray-operator/controllers/ray/batchscheduler/volcano"
	corev1 "k8s.io/api/core/v1"

	"libgang.dev/gang/adapters/internal/world"
)

// both has KubeRay's own plugin and the adapter, each with a fake client that knows its PodGroup.
func both(b *testing.B, run func(*testing.B, schedulerinterface.BatchScheduler)) {
	b.Helper()
	ours, client := scheduler(b, "Volcano"), scheduler(b, "Volcano").Client
	theirs, err := (&volcanoplugin.VolcanoBatchSchedulerFactory{}).New(b.Context(), nil, client)
	if err != nil {
		b.Fatal(err)
	}
	for _, one := range []schedulerinterface.BatchScheduler{theirs, ours} {
		if err := one.DoBatchSchedulingOnSubmission(b.Context(), cluster(3)); err != nil {
			b.Fatal(err)
		}
		b.Run(one.Name(), func(b *testing.B) { run(b, one) })
	}
}

// BenchmarkPod marks one pod.
func BenchmarkPod(b *testing.B) {
	both(b, func(b *testing.B, s schedulerinterface.BatchScheduler) {
		of := cluster(3)
		defer world.CPU(b)()
		for b.Loop() {
			s.AddMetadataToChildResource(b.Context(), of, &corev1.Pod{}, "Big")
		}
	})
}

// BenchmarkJob is a round in which nothing has to be written.
func BenchmarkJob(b *testing.B) {
	both(b, func(b *testing.B, s schedulerinterface.BatchScheduler) {
		of := cluster(3)
		defer world.CPU(b)()
		for b.Loop() {
			if err := s.DoBatchSchedulingOnSubmission(b.Context(), of); err != nil {
				b.Fatal(err)
			}
		}
	})
}
