// SPDX-License-Identifier: Apache-2.0

// Package plugin passes the calls that Kubeflow Trainer makes of its plugins CoScheduling and
// Volcano on to adapters/trainer. It is not shipped: a test runs upstream's own tests of these
// plugins, and of the framework that calls them, with this package in their place.
package plugin

import (
	"context"
	"encoding/json"
	"maps"
	"os"

	trainer "github.com/kubeflow/trainer/v2/pkg/apis/trainer/v1alpha1"
	opruntime "github.com/kubeflow/trainer/v2/pkg/runtime"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"sigs.k8s.io/controller-runtime/pkg/builder"
	"sigs.k8s.io/controller-runtime/pkg/cache"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/apiutil"
	"sigs.k8s.io/controller-runtime/pkg/handler"
	jobset "sigs.k8s.io/jobset/client-go/applyconfiguration/jobset/v1alpha2"

	"libgang.dev/gang"
)

// A Scheduler is one of the two schedulers that the operator knows.
type Scheduler struct {
	// Selects tells whether a runtime asks for the scheduler.
	Selects func(*trainer.PodGroupPolicy) bool
	// PodGroup is the scheduler's object, and Apply the same as an apply configuration.
	PodGroup func() client.Object
	Apply    func() runtime.ApplyConfiguration
}

// Plugin has the methods that the operator's plugins for both schedulers have.
type Plugin struct {
	client    client.Client
	scheduler Scheduler
	policy    *gang.Document
}

const policyJSON = `{"apiVersion":"policy.libgang.dev/v1alpha1","kind":"GangPolicy",` +
	`"metadata":{"name":"plugin"},"spec":{"compatibility":"KubeflowTrainer"}}`

// New returns a plugin that answers with libgang in its compatibility mode.
func New(client client.Client, scheduler Scheduler) (*Plugin, error) {
	policy, err := gang.Parse([]byte(policyJSON))
	if err != nil {
		return nil, err
	}
	return &Plugin{client, scheduler, policy}, nil
}

// Off makes the plugin do nothing, so that a test can count the cases that notice.
const Off = "LIBGANG_PLUGIN_OFF"

func (p *Plugin) applies(info *opruntime.Info, job *trainer.TrainJob) bool {
	return os.Getenv(Off) == "" && info != nil && job != nil && info.RuntimePolicy.PodGroupPolicy != nil &&
		p.scheduler.Selects(info.RuntimePolicy.PodGroupPolicy)
}

// EnforcePodGroupPolicy puts the marks of the JobSet's pods on the pods of the operator. They are
// equal for all roles: in compatibility mode every pod is a member of the gang.
func (p *Plugin) EnforcePodGroupPolicy(info *opruntime.Info, job *trainer.TrainJob) error {
	if !p.applies(info, job) {
		return nil
	}
	marked := *info
	if len(marked.TemplateSpec.PodSets) == 0 { // upstream marks the pods of such a runtime, too
		marked.TemplateSpec = opruntime.TemplateSpec{PodSets: []opruntime.PodSet{{Name: "pods"}}}
	}
	call, err := p.call(&marked, job, nil)
	if err != nil {
		return err
	}
	objects, err := call.runtime.NewObjects(context.Background(), call.job)
	if err != nil {
		return err
	}
	for _, object := range objects {
		made, ok := object.(*jobset.JobSetApplyConfiguration)
		if !ok {
			continue
		}
		for i := range made.Spec.ReplicatedJobs {
			pods := made.Spec.ReplicatedJobs[i].Template.Spec.Template
			if metadata := pods.ObjectMetaApplyConfiguration; metadata != nil {
				putMarks(&info.Scheduler.PodLabels, metadata.Labels, job)
				putMarks(&info.Scheduler.PodAnnotations, metadata.Annotations, job)
			}
		}
	}
	return nil
}

func putMarks(into *map[string]string, marks map[string]string, job *trainer.TrainJob) {
	if len(marks) == 0 {
		return
	}
	if *into == nil {
		*into = map[string]string{}
	}
	maps.Copy(*into, marks)
	for key, value := range marks {
		if value == standInName(job) {
			(*into)[key] = job.Name
		}
	}
}

// SyncParallelCount has nothing to do: the plugin has no template.
func (*Plugin) SyncParallelCount(*opruntime.Info) error { return nil }

// Build returns the PodGroup if the adapter creates or writes it.
func (p *Plugin) Build(ctx context.Context, info *opruntime.Info, job *trainer.TrainJob) (
	[]runtime.ApplyConfiguration, error) {
	if !p.applies(info, job) {
		return nil, nil
	}
	existing := p.scheduler.PodGroup()
	if err := p.client.Get(ctx, client.ObjectKeyFromObject(job), existing); apierrors.IsNotFound(err) {
		existing = nil
	} else if err != nil {
		return nil, err
	}
	call, err := p.call(info, job, existing)
	if err != nil {
		return nil, err
	}
	if _, err := call.runtime.NewObjects(ctx, call.job); err != nil {
		return nil, err
	}
	var objects []runtime.ApplyConfiguration
	for _, written := range call.written {
		for _, field := range []string{"resourceVersion", "creationTimestamp"} {
			unstructured.RemoveNestedField(written.Object, "metadata", field)
		}
		delete(written.Object, "status")
		text, err := written.MarshalJSON()
		if err != nil {
			return nil, err
		}
		apply := p.scheduler.Apply()
		if err := json.Unmarshal(realNames(text, job), apply); err != nil {
			return nil, err
		}
		objects = append(objects, apply)
	}
	return objects, nil
}

// ReconcilerBuilders watches the PodGroups of the jobs. Upstream also watches RuntimeClasses and
// LimitRanges, whose values it does not use.
func (p *Plugin) ReconcilerBuilders() []opruntime.ReconcilerBuilder {
	kind, err := apiutil.GVKForObject(p.scheduler.PodGroup(), p.client.Scheme())
	if err != nil {
		return nil
	}
	if _, err := p.client.RESTMapper().RESTMapping(kind.GroupKind(), kind.Version); err != nil {
		return nil // the scheduler is not installed
	}
	return []opruntime.ReconcilerBuilder{
		func(b *builder.Builder, c client.Client, _ cache.Cache) *builder.Builder {
			return b.Watches(p.scheduler.PodGroup(), handler.EnqueueRequestForOwner(
				c.Scheme(), c.RESTMapper(), &trainer.TrainJob{}, handler.OnlyControllerOwner(),
			))
		},
	}
}
