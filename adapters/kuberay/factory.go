// SPDX-License-Identifier: Apache-2.0

package kuberay

import (
	"context"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/rest"
	"sigs.k8s.io/controller-runtime/pkg/builder"
	"sigs.k8s.io/controller-runtime/pkg/client"

	schedulerinterface "github.com/ray-project/kuberay/ray-operator/controllers/ray/batchscheduler/interface"

	"libgang.dev/gang/k8sgang/apply"
)

// Factory implements BatchSchedulerFactory.
type Factory struct {
	Planner *apply.Planner
	// Kinds are those of gangs that the cluster has: k8sgang.ServedKinds finds them. The
	// controller of RayClusters watches them.
	Kinds []schema.GroupVersionKind
}

var (
	_ schedulerinterface.BatchScheduler        = (*Scheduler)(nil)
	_ schedulerinterface.BatchSchedulerFactory = (*Factory)(nil)
)

// New returns a Scheduler.
func (f *Factory) New(_ context.Context, _ *rest.Config, c client.Client) (
	schedulerinterface.BatchScheduler, error) {
	return &Scheduler{Client: c, Planner: f.Planner}, nil
}

// AddToScheme has nothing to add: the objects are unstructured.
func (*Factory) AddToScheme(*runtime.Scheme) {}

// ConfigureReconciler watches the objects of gangs, so that one that is deleted is created again.
func (f *Factory) ConfigureReconciler(b *builder.Builder) *builder.Builder {
	for _, kind := range f.Kinds {
		b = b.Owns(apply.New(kind))
	}
	return b
}
