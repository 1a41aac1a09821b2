// SPDX-License-Identifier: Apache-2.0

package lws_test

import (
	"testing"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	leaderworkerset "sigs.k8s.io/lws/api/leaderworkerset/v1"
	"sigs.k8s.io/lws/pkg/schedulerprovider"

	"libgang.dev/gang/adapters/internal/world"
	"libgang.dev/gang/adapters/lws"
	"libgang.dev/gang/k8sgang/apply"
)

var _ schedulerprovider.SchedulerProvider = (*lws.Provider)(nil)

const leader = "serve-1"

// provider has a client that knows one LeaderWorkerSet of 3 groups of 4 pods with 2 CPUs each.
func provider(t testing.TB, backend string, edit func(*leaderworkerset.LeaderWorkerSet)) (
	*lws.Provider, *leaderworkerset.LeaderWorkerSet) {
	t.Helper()
	replicas, size := int32(3), int32(4)
	set := &leaderworkerset.LeaderWorkerSet{
		ObjectMeta: metav1.ObjectMeta{Name: "serve", Namespace: "ml", UID: "u-1"},
		Spec: leaderworkerset.LeaderWorkerSetSpec{
			Replicas: &replicas, StartupPolicy: leaderworkerset.LeaderCreatedStartupPolicy,
			RolloutStrategy: leaderworkerset.RolloutStrategy{
				Type: leaderworkerset.RollingUpdateStrategyType},
			LeaderWorkerTemplate: leaderworkerset.LeaderWorkerTemplate{
				Size: &size, RestartPolicy: leaderworkerset.RecreateGroupOnPodRestart,
				WorkerTemplate: corev1.PodTemplateSpec{Spec: corev1.PodSpec{Containers: []corev1.Container{{
					Name: "serve", Image: "serve", Resources: corev1.ResourceRequirements{
						Requests: corev1.ResourceList{corev1.ResourceCPU: resource.MustParse("2")}},
				}}}},
			},
		},
	}
	if edit != nil {
		edit(set)
	}
	types := []func(*runtime.Scheme) error{leaderworkerset.AddToScheme, corev1.AddToScheme}
	return &lws.Provider{Keeper: &apply.Keeper{
		Client: world.Client(t, types, set), Planner: world.Planner(t, backend)}}, set
}

func pod(name, group, worker string) *corev1.Pod {
	return &corev1.Pod{ObjectMeta: metav1.ObjectMeta{
		Name: name, Namespace: "ml", UID: "u-2",
		Labels: map[string]string{
			leaderworkerset.SetNameLabelKey: "serve", leaderworkerset.GroupIndexLabelKey: group,
			leaderworkerset.WorkerIndexLabelKey: worker, leaderworkerset.RevisionKey: "abc",
		},
	}}
}

// Every backend marks the pods with the group that is created for them.
func TestBackends(t *testing.T) {
	for _, one := range []struct {
		backend, apiVersion, scheduler string
		mark                           func(*corev1.Pod) string
	}{
		{"Volcano", "scheduling.volcano.sh/v1beta1", "volcano",
			func(p *corev1.Pod) string { return p.Annotations["scheduling.k8s.io/group-name"] }},
		{"Coscheduling", "scheduling.x-k8s.io/v1alpha1", "scheduler-plugins-scheduler",
			func(p *corev1.Pod) string { return p.Labels["scheduling.x-k8s.io/pod-group"] }},
		{"Workload", "scheduling.k8s.io/v1beta1", "",
			func(p *corev1.Pod) string { return *p.Spec.SchedulingGroup.PodGroupName }},
	} {
		t.Run(one.backend, func(t *testing.T) {
			p, set := provider(t, one.backend, nil)
			for _, worker := range []string{"0", "3"} {
				marked := pod(leader, "1", worker)
				if err := p.InjectPodGroupMetadata(marked); err != nil {
					t.Fatal(err)
				}
				if marked.Spec.SchedulerName != one.scheduler {
					t.Errorf("scheduler %q", marked.Spec.SchedulerName)
				}
				if worker == "0" {
					if err := p.CreatePodGroupIfNotExists(t.Context(), set, marked); err != nil {
						t.Fatal(err)
					}
				}
				world.Group(t, p.Client, one.apiVersion, one.mark(marked))
			}
		})
	}
}

// The owner of a PodGroup of Volcano is the leader, and an existing one is left alone.
func TestExisting(t *testing.T) {
	p, set := provider(t, "Volcano", nil)
	first := pod(leader, "1", "0")
	if err := p.CreatePodGroupIfNotExists(t.Context(), set, first); err != nil {
		t.Fatal(err)
	}
	created := world.Group(t, p.Client, "scheduling.volcano.sh/v1beta1", "serve-1-abc")
	owner := metav1.GetControllerOf(created)
	if owner == nil || owner.Kind != "Pod" || owner.UID != "u-2" {
		t.Errorf("owner %v", owner)
	}
	if queue, _, _ := unstructured.NestedString(created.Object, "spec", "queue"); queue != "research" {
		t.Errorf("queue %q", queue)
	}
	if err := p.CreatePodGroupIfNotExists(t.Context(), set, first); err != nil {
		t.Fatal(err)
	}
	again := world.Group(t, p.Client, "scheduling.volcano.sh/v1beta1", "serve-1-abc")
	if again.GetResourceVersion() != created.GetResourceVersion() {
		t.Error("written again")
	}
}

// LWS creates the workers when the leader has a node, so a minimum of all 4 pods never starts.
func TestExclusiveTopology(t *testing.T) {
	p, set := provider(t, "Volcano", func(set *leaderworkerset.LeaderWorkerSet) {
		set.Annotations = map[string]string{leaderworkerset.ExclusiveKeyAnnotationKey: "rack"}
	})
	if err := p.CreatePodGroupIfNotExists(t.Context(), set, pod(leader, "1", "0")); err != nil {
		t.Fatal(err)
	}
	created := world.Group(t, p.Client, "scheduling.volcano.sh/v1beta1", "serve-1-abc")
	if minimum, _, _ := unstructured.NestedInt64(created.Object, "spec", "minMember"); minimum != 1 {
		t.Errorf("minMember %d", minimum)
	}
}
