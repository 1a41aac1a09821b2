// SPDX-License-Identifier: Apache-2.0

package trainingoperator_test

import (
	"testing"

	"github.com/kubeflow/training-operator/pkg/controller.v1/common"
	operator "github.com/kubeflow/training-operator/pkg/controller.v1/control"
	corev1 "k8s.io/api/core/v1"
	schedulingv1 "k8s.io/api/scheduling/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/scheduler-plugins/apis/scheduling/v1alpha1"

	"libgang.dev/gang/adapters/internal/world"
)

// both has the operator's own control for the coscheduling plugin and the adapter, with a PodGroup
// that exists.
func both(b *testing.B, run func(*testing.B, operator.PodGroupControlInterface)) {
	b.Helper()
	of := job(2)
	ours := control(b, "Coscheduling", of)
	if err := v1alpha1.AddToScheme(ours.Client.Scheme()); err != nil {
		b.Fatal(err)
	}
	theirs := operator.NewSchedulerPluginsControl(ours.Client, "scheduler-plugins-scheduler")
	for name, one := range map[string]operator.PodGroupControlInterface{
		"training-operator": theirs, "libgang": ours} {
		if err := one.CreatePodGroup(carrier(ours, of)); client.IgnoreAlreadyExists(err) != nil {
			b.Fatal(err)
		}
		b.Run(name, func(b *testing.B) { run(b, one) })
	}
}

// BenchmarkPod marks one pod.
func BenchmarkPod(b *testing.B) {
	both(b, func(b *testing.B, c operator.PodGroupControlInterface) {
		of := job(2)
		defer world.CPU(b)()
		for b.Loop() {
			c.DecoratePodTemplateSpec(&corev1.PodTemplateSpec{}, of, "Worker")
		}
	})
}

// BenchmarkJob is a round of the operator in which nothing has to be written. The operator computes
// a minimum and resources, also for the adapter.
func BenchmarkJob(b *testing.B) {
	both(b, func(b *testing.B, c operator.PodGroupControlInterface) {
		of := job(2)
		controller := common.JobController{PodGroupControl: c}
		classes := func(string) (*schedulingv1.PriorityClass, error) { return nil, nil }
		fill := func(group metav1.Object) error {
			group.(*v1alpha1.PodGroup).Spec = v1alpha1.PodGroupSpec{MinMember: 3,
				MinResources: *common.CalcPGMinResources(3, of.Spec.PyTorchReplicaSpecs, classes)}
			return nil
		}
		defer world.CPU(b)()
		for b.Loop() {
			if _, err := controller.SyncPodGroup(of, fill); err != nil {
				b.Fatal(err)
			}
		}
	})
}
