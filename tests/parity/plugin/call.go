// SPDX-License-Identifier: Apache-2.0

package plugin

import (
	"context"
	"encoding/json"

	trainer "github.com/kubeflow/trainer/v2/pkg/apis/trainer/v1alpha1"
	opruntime "github.com/kubeflow/trainer/v2/pkg/runtime"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/validation/field"
	batchac "k8s.io/client-go/applyconfigurations/batch/v1"
	coreac "k8s.io/client-go/applyconfigurations/core/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/fake"
	"sigs.k8s.io/controller-runtime/pkg/client/interceptor"
	"sigs.k8s.io/controller-runtime/pkg/webhook/admission"
	jobset "sigs.k8s.io/jobset/client-go/applyconfiguration/jobset/v1alpha2"

	"libgang.dev/gang"
	adapter "libgang.dev/gang/adapters/trainer"
	"libgang.dev/gang/k8sgang/apply"
)

// A call is one of the adapter's runtime: upstream's tests call a plugin with parts of what a
// runtime has.
type call struct {
	runtime opruntime.Runtime
	job     *trainer.TrainJob
	written []*unstructured.Unstructured
}

// call has a server with the runtime and the existing PodGroup, if there is one. Upstream's plugins
// take every PodGroup of the job's name for their own; libgang refuses to change one that has no
// owner reference of the job.
func (p *Plugin) call(info *opruntime.Info, job *trainer.TrainJob, existing client.Object) (
	*call, error) {
	made := &call{job: standIn(job)}
	text, err := json.Marshal(runtimeOf(info))
	if err != nil {
		return nil, err
	}
	known := &trainer.ClusterTrainingRuntime{}
	if err := json.Unmarshal(text, known); err != nil {
		return nil, err
	}
	server := fake.NewClientBuilder().WithScheme(p.client.Scheme()).WithObjects(known).
		WithInterceptorFuncs(interceptor.Funcs{Create: made.create, Update: made.update})
	if existing != nil {
		existing.SetName(made.job.Name)
		existing.SetResourceVersion("")
		existing.SetOwnerReferences([]metav1.OwnerReference{*metav1.NewControllerRef(made.job,
			trainer.GroupVersion.WithKind(trainer.TrainJobKind))})
		server = server.WithObjects(existing)
	}
	keeper := &apply.Keeper{Client: server.Build(), Planner: &apply.Planner{
		Policy: func(context.Context) (*gang.Document, error) { return p.policy, nil },
		Facts:  func(ctx context.Context) (*gang.Document, error) { return clusterOf(ctx, p.client) },
	}}
	bare := map[string]opruntime.Runtime{"bare": &bareRuntime{roles: rolesOf(info)}}
	made.runtime = adapter.Wrap(keeper, bare)["bare"]
	return made, nil
}

func (c *call) create(ctx context.Context, server client.WithWatch, object client.Object,
	options ...client.CreateOption) error {
	c.record(object)
	return server.Create(ctx, object, options...)
}

func (c *call) update(ctx context.Context, server client.WithWatch, object client.Object,
	options ...client.UpdateOption) error {
	c.record(object)
	return server.Update(ctx, object, options...)
}

func (c *call) record(object client.Object) {
	if object, ok := object.(*unstructured.Unstructured); ok {
		c.written = append(c.written, object.DeepCopy())
	}
}

// A bareRuntime builds the JobSet of a TrainJob, and no PodGroup.
type bareRuntime struct {
	opruntime.Runtime
	roles []role
}

func (b *bareRuntime) NewObjects(context.Context, *trainer.TrainJob) (
	[]runtime.ApplyConfiguration, error) {
	spec := jobset.JobSetSpec()
	for _, role := range b.roles {
		spec.WithReplicatedJobs(jobset.ReplicatedJob().WithName(role.name).WithTemplate(
			batchac.JobTemplateSpec().WithSpec(batchac.JobSpec().WithTemplate(
				coreac.PodTemplateSpec()))))
	}
	return []runtime.ApplyConfiguration{jobset.JobSet("job", "").WithSpec(spec)}, nil
}

func (*bareRuntime) ValidateObjects(_ context.Context, _, _ *trainer.TrainJob) (
	admission.Warnings, field.ErrorList) {
	return nil, nil
}
