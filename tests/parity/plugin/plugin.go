// SPDX-License-Identifier: Apache-2.0

// Package plugin does with libgang what the plugins CoScheduling and Volcano of Kubeflow Trainer do.
// It is not shipped: a test runs upstream's own tests of these plugins, and of the framework that
// calls them, with this package in their place.
package plugin

import (
	"context"
	"encoding/json"
	"maps"
	"os"

	trainer "github.com/kubeflow/trainer/v2/pkg/apis/trainer/v1alpha1"
	opruntime "github.com/kubeflow/trainer/v2/pkg/runtime"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/runtime"
	"sigs.k8s.io/controller-runtime/pkg/builder"
	"sigs.k8s.io/controller-runtime/pkg/cache"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/apiutil"
	"sigs.k8s.io/controller-runtime/pkg/handler"

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

// resolve is libgang's decision on a job. It may come with an error.
func (p *Plugin) resolve(
	info *opruntime.Info, job *trainer.TrainJob, facts ...*gang.Document,
) (*gang.Decision, error) {
	runtimeDocument, err := parse(runtimeOf(info))
	if err != nil {
		return nil, err
	}
	defer runtimeDocument.Close()
	jobDocument, err := parse(jobOf(job))
	if err != nil {
		return nil, err
	}
	defer jobDocument.Close()
	documents := append([]*gang.Document{runtimeDocument, p.policy}, facts...)
	return gang.Resolve(jobDocument, gang.Inputs{Documents: documents})
}

func (p *Plugin) render(info *opruntime.Info, job *trainer.TrainJob) (*gang.Plan, error) {
	decision, err := p.resolve(info, job)
	if err != nil {
		return nil, err
	}
	defer decision.Close()
	return decision.Render()
}

// EnforcePodGroupPolicy puts libgang's marks on the pods. They are equal for all roles: in
// compatibility mode every pod is a member of the gang.
func (p *Plugin) EnforcePodGroupPolicy(info *opruntime.Info, job *trainer.TrainJob) error {
	if !p.applies(info, job) {
		return nil
	}
	marked := *info
	if len(marked.TemplateSpec.PodSets) == 0 { // upstream marks the pods of such a runtime, too
		marked.TemplateSpec = opruntime.TemplateSpec{PodSets: []opruntime.PodSet{{Name: "pods"}}}
	}
	plan, err := p.render(&marked, job)
	if err != nil {
		return err
	}
	defer plan.Close()
	for _, patch := range plan.Patches() {
		putMarks(&info.Scheduler.PodLabels, patch.Labels, job)
		putMarks(&info.Scheduler.PodAnnotations, patch.Annotations, job)
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

// Build returns the PodGroup if libgang says that it must be created or written.
func (p *Plugin) Build(
	ctx context.Context, info *opruntime.Info, job *trainer.TrainJob,
) ([]runtime.ApplyConfiguration, error) {
	if !p.applies(info, job) {
		return nil, nil
	}
	existing := p.scheduler.PodGroup()
	if err := p.client.Get(ctx, client.ObjectKeyFromObject(job), existing); apierrors.IsNotFound(err) {
		existing = nil
	} else if err != nil {
		return nil, err
	}
	plan, err := p.render(info, job)
	if err != nil {
		return nil, err
	}
	defer plan.Close()
	return p.write(plan, existing, job)
}

// write returns the objects that do not have to be left alone. Upstream applies what it renders, and
// leaves it to the API server to merge it with what exists.
func (p *Plugin) write(
	plan *gang.Plan, existing client.Object, job *trainer.TrainJob,
) ([]runtime.ApplyConfiguration, error) {
	actions, err := actionsOn(plan, existing)
	if err != nil {
		return nil, err
	}
	var objects []runtime.ApplyConfiguration
	for i, rendered := range plan.Objects() {
		if actions[i] != gang.ActionCreate && actions[i] != gang.ActionApply {
			continue
		}
		apply := p.scheduler.Apply()
		if err := json.Unmarshal(realNames(rendered.JSON, job), apply); err != nil {
			return nil, err
		}
		objects = append(objects, apply)
	}
	return objects, nil
}

func actionsOn(plan *gang.Plan, existing client.Object) ([]gang.Action, error) {
	var actions []gang.Action
	text, err := liveOf(existing, plan.Objects())
	if err != nil {
		return nil, err
	}
	live, err := gang.ParseLive(text)
	if err != nil {
		return nil, err
	}
	defer live.Close()
	reconciled, err := plan.Reconcile(live)
	if err != nil {
		return nil, err
	}
	defer reconciled.Close()
	for _, object := range reconciled.Objects() {
		actions = append(actions, object.Action)
	}
	return actions, nil
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
