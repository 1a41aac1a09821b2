// SPDX-License-Identifier: Apache-2.0

package lws_test

import (
	"testing"

	"sigs.k8s.io/lws/pkg/schedulerprovider"
	volcano "volcano.sh/apis/pkg/apis/scheduling/v1beta1"

	"libgang.dev/gang/adapters/internal/world"
)

// both has LWS's own provider and the adapter, each with a fake client that knows its PodGroup.
func both(b *testing.B, run func(*testing.B, schedulerprovider.SchedulerProvider)) {
	b.Helper()
	ours, set := provider(b, "Volcano", nil)
	other, _ := provider(b, "Volcano", nil)
	if err := volcano.AddToScheme(other.Client.Scheme()); err != nil {
		b.Fatal(err)
	}
	leading := pod(leader, "1", "0")
	leading.Annotations = map[string]string{"scheduling.k8s.io/group-name": "serve-1-abc"}
	for name, one := range map[string]schedulerprovider.SchedulerProvider{
		"lws": schedulerprovider.NewVolcanoProvider(other.Client), "libgang": ours,
	} {
		if err := one.CreatePodGroupIfNotExists(b.Context(), set, leading); err != nil {
			b.Fatal(err)
		}
		b.Run(name, func(b *testing.B) { run(b, one) })
	}
}

// BenchmarkPod marks one pod.
func BenchmarkPod(b *testing.B) {
	both(b, func(b *testing.B, p schedulerprovider.SchedulerProvider) {
		defer world.CPU(b)()
		for b.Loop() {
			marked := pod("serve-1-3", "1", "3")
			marked.Annotations = map[string]string{}
			if err := p.InjectPodGroupMetadata(marked); err != nil {
				b.Fatal(err)
			}
		}
	})
}

// BenchmarkJob is a round in which nothing has to be created.
func BenchmarkJob(b *testing.B) {
	both(b, func(b *testing.B, p schedulerprovider.SchedulerProvider) {
		_, set := provider(b, "Volcano", nil)
		leading := pod(leader, "1", "0")
		leading.Annotations = map[string]string{"scheduling.k8s.io/group-name": "serve-1-abc"}
		defer world.CPU(b)()
		for b.Loop() {
			if err := p.CreatePodGroupIfNotExists(b.Context(), set, leading); err != nil {
				b.Fatal(err)
			}
		}
	})
}
