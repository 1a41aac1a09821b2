// SPDX-License-Identifier: Apache-2.0

package upstream

import (
	"context"

	trainer "github.com/kubeflow/trainer/v2/pkg/apis/trainer/v1alpha1"
	corev1 "k8s.io/api/core/v1"
	schedulingv1 "k8s.io/api/scheduling/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	clientgoscheme "k8s.io/client-go/kubernetes/scheme"
	"sigs.k8s.io/controller-runtime/pkg/client"
	jobset "sigs.k8s.io/jobset/api/jobset/v1alpha2"
	coscheduling "sigs.k8s.io/scheduler-plugins/apis/scheduling/v1alpha1"
	volcano "volcano.sh/apis/pkg/apis/scheduling/v1beta1"
)

// cluster is the client that the plugins see: it holds the runtimes of one
// case, every Secret and PriorityClass, and nothing else. Unlike a fake
// client it keeps the text of quantities, as a real server does.
type cluster struct {
	client.Client
	scheme         *runtime.Scheme
	clusterRuntime *trainer.ClusterTrainingRuntime
	runtime        *trainer.TrainingRuntime
}

func newCluster() (*cluster, error) {
	scheme := runtime.NewScheme()
	for _, add := range []func(*runtime.Scheme) error{
		clientgoscheme.AddToScheme, trainer.AddToScheme, jobset.AddToScheme,
		coscheduling.AddToScheme, volcano.AddToScheme,
	} {
		if err := add(scheme); err != nil {
			return nil, err
		}
	}
	return &cluster{scheme: scheme}, nil
}

func (c *cluster) Scheme() *runtime.Scheme { return c.scheme }

func (c *cluster) RESTMapper() meta.RESTMapper { return meta.NewDefaultRESTMapper(nil) }

// Get answers Secrets as present, so that no SSH key is generated for MPI.
func (c *cluster) Get(
	_ context.Context, key client.ObjectKey, object client.Object, _ ...client.GetOption,
) error {
	switch into := object.(type) {
	case *corev1.Secret, *schedulingv1.PriorityClass:
		return nil
	case *trainer.ClusterTrainingRuntime:
		if c.clusterRuntime != nil && c.clusterRuntime.Name == key.Name {
			c.clusterRuntime.DeepCopyInto(into)
			return nil
		}
	case *trainer.TrainingRuntime:
		if c.runtime != nil && client.ObjectKeyFromObject(c.runtime) == key {
			c.runtime.DeepCopyInto(into)
			return nil
		}
	}
	return apierrors.NewNotFound(schema.GroupResource{}, key.Name)
}

func (c *cluster) Apply(context.Context, runtime.ApplyConfiguration, ...client.ApplyOption) error {
	return nil
}

// IndexField is part of starting the plugins; nothing is ever listed here.
func (c *cluster) IndexField(context.Context, client.Object, string, client.IndexerFunc) error {
	return nil
}
