// SPDX-License-Identifier: Apache-2.0

// This file takes the place of upstream's file of the same name.

package yunikorn

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	rayv1 "github.com/ray-project/kuberay/ray-operator/apis/ray/v1"

	"libgang.dev/gang"
	"libgang.dev/gang/adapters/kuberay"
	"libgang.dev/gang/k8sgang/apply"
)

// The policy says what KubeRay's label says: clusters without it have the scheduler and no gang.
const (
	SchedulerName                       = "yunikorn"
	YuniKornPodApplicationIDLabelName   = "applicationId"
	YuniKornPodQueueLabelName           = "queue"
	RayApplicationIDLabelName           = "yunikorn.apache.org/app-id"
	RayApplicationQueueLabelName        = "yunikorn.apache.org/queue"
	YuniKornTaskGroupNameAnnotationName = "yunikorn.apache.org/task-group-name"
	YuniKornTaskGroupsAnnotationName    = "yunikorn.apache.org/task-groups"

	policy = `{"apiVersion":"policy.libgang.dev/v1alpha1","kind":"GangPolicy","metadata":{"name":"labelled"},
"spec":{"backends":[{"name":"gangs","type":"YuniKorn"}],
"rules":[{"name":"labelled","match":{"kinds":["*"],
"objectSelector":{"matchExpressions":[{"key":"ray.io/gang-scheduling-enabled","operator":"Exists"}]}},
"backend":"gangs"}],
"defaults":{"reserve":"Always"}}}`
)

type (
	YuniKornScheduler        struct{}
	YuniKornSchedulerFactory struct{ kuberay.Factory }
)

func GetPluginName() string { return SchedulerName }

func (*YuniKornScheduler) Name() string { return SchedulerName }

func (*YuniKornScheduler) adapter() *kuberay.Scheduler {
	read := func(context.Context) (*gang.Document, error) { return gang.Parse([]byte(policy)) }
	return &kuberay.Scheduler{SchedulerName: SchedulerName,
		Keeper: &apply.Keeper{Planner: &apply.Planner{Policy: read}}}
}

// stored fills in what the API server sets or requires and the tests leave out.
func stored(object metav1.Object) metav1.Object {
	var spec *rayv1.RayClusterSpec
	switch given := object.(type) {
	case *rayv1.RayCluster:
		given = given.DeepCopy()
		object, spec = given, &given.Spec
	case *rayv1.RayJob:
		given = given.DeepCopy()
		if given.Spec.RayClusterSpec == nil {
			given.Spec.RayClusterSpec = &rayv1.RayClusterSpec{}
		}
		object, spec = given, given.Spec.RayClusterSpec
		given.Spec.SubmissionMode, given.Spec.Entrypoint = rayv1.K8sJobMode, "x"
	}
	if head := &spec.HeadGroupSpec.Template.Spec; len(head.Containers) == 0 {
		head.Containers = []corev1.Container{{Name: "head"}}
	}
	object.SetUID("00000000-0000-4000-8000-000000000000")
	return object
}

func (y *YuniKornScheduler) DoBatchSchedulingOnSubmission(ctx context.Context, object metav1.Object) error {
	return y.adapter().DoBatchSchedulingOnSubmission(ctx, stored(object))
}

func (y *YuniKornScheduler) AddMetadataToChildResource(ctx context.Context, parent, child metav1.Object,
	groupName string) {
	y.adapter().AddMetadataToChildResource(ctx, stored(parent), child, groupName)
}

func (y *YuniKornScheduler) CleanupOnCompletion(ctx context.Context, object metav1.Object) (bool, error) {
	return y.adapter().CleanupOnCompletion(ctx, stored(object))
}

// isGangSchedulingEnabled tells whether the head has task groups.
func (y *YuniKornScheduler) isGangSchedulingEnabled(object metav1.Object) bool {
	head := &corev1.Pod{}
	y.AddMetadataToChildResource(context.Background(), object, head, "headgroup")
	return head.Annotations[YuniKornTaskGroupsAnnotationName] != ""
}

// propagateTaskGroupsAnnotation is what the adapter gives to the head, whatever the child is.
func propagateTaskGroupsAnnotation(parent, child metav1.Object) error {
	head, y := &corev1.Pod{}, &YuniKornScheduler{}
	y.AddMetadataToChildResource(context.Background(), parent, head, "headgroup")
	annotations := map[string]string{}
	annotations[YuniKornTaskGroupsAnnotationName] = head.Annotations[YuniKornTaskGroupsAnnotationName]
	child.SetAnnotations(annotations)
	return nil
}

// populateLabelsFromObject is what the adapter gives to the head.
func populateLabelsFromObject(parent, child metav1.Object, _, targetKey string) {
	head, y := &corev1.Pod{}, &YuniKornScheduler{}
	y.AddMetadataToChildResource(context.Background(), parent, head, "headgroup")
	labels := child.GetLabels()
	if labels == nil {
		labels = map[string]string{}
	}
	if value := head.Labels[targetKey]; value != "" {
		labels[targetKey] = value
	}
	child.SetLabels(labels)
}
