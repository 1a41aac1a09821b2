// SPDX-License-Identifier: Apache-2.0

package upstream

import (
	"context"
	"errors"
	"fmt"

	"github.com/go-logr/logr"
	trainer "github.com/kubeflow/trainer/v2/pkg/apis/trainer/v1alpha1"
	opruntime "github.com/kubeflow/trainer/v2/pkg/runtime"
	"github.com/kubeflow/trainer/v2/pkg/runtime/core"
	"github.com/kubeflow/trainer/v2/pkg/util/trainjob"
	"github.com/kubeflow/trainer/v2/pkg/webhooks"
	utilerrors "k8s.io/apimachinery/pkg/util/errors"
	"k8s.io/klog/v2"
	"sigs.k8s.io/controller-runtime/pkg/log"
)

// Stage says how far a case came.
type Stage string

const (
	StageAPIServer Stage = "API server" // refused by schema, CEL or decoding
	StageWebhook   Stage = "webhook"    // refused by a validating webhook
	StageOperator  Stage = "operator"   // admitted, but the operator returns an error
	StagePanic     Stage = "panic"      // admitted, but the operator panics
	StageIgnored   Stage = "ignored"    // admitted, managed by another controller
	StageRendered  Stage = "rendered"
)

// Outcome is what happens to one runtime and one TrainJob.
type Outcome struct {
	Stage  Stage    `json:"stage"`
	Errors []string `json:"errors,omitempty"` // why it was refused

	// What the API server stored, as far as the documents were admitted.
	Spec *trainer.TrainingRuntimeSpec `json:"-"`
	Job  *trainer.TrainJob            `json:"-"`

	Answer *Answer `json:"answer,omitempty"`
	// Elsewhere is the outcome of an ignored job in the cluster to which it is passed on.
	Elsewhere *Outcome `json:"-"`
	// Unmarked is the answer with podGroupPolicy removed from the runtime.
	Unmarked *Answer `json:"-"`
}

// Operator is one API server with one Kubeflow Trainer. It serves one case at
// a time. New must not run concurrently: the operator keeps package state.
type Operator struct {
	clusterRuntimes *customResource
	runtimes        *customResource
	trainJobs       *customResource
	cluster         *cluster
	plugins         map[string]opruntime.Runtime
}

// New starts the operator with the resource definitions of its own module.
func New(ctx context.Context, moduleDir string) (*Operator, error) {
	o := &Operator{}
	for plural, into := range map[string]**customResource{
		"clustertrainingruntimes": &o.clusterRuntimes,
		"trainingruntimes":        &o.runtimes,
		"trainjobs":               &o.trainJobs,
	} {
		crd, err := readCRD(moduleDir, plural)
		if err != nil {
			return nil, err
		}
		if *into, err = newResource(crd); err != nil {
			return nil, fmt.Errorf("%s: %w", plural, err)
		}
	}
	quiet()
	var err error
	if o.cluster, err = newCluster(); err != nil {
		return nil, err
	}
	o.plugins, err = core.New(ctx, o.cluster, o.cluster, nil)
	return o, err
}

// quiet drops what the operator logs about odd inputs.
func quiet() {
	klog.SetLogger(logr.Discard())
	log.SetLogger(logr.Discard())
}

// Run submits the runtime, then the TrainJob, then reconciles the TrainJob.
func (o *Operator) Run(ctx context.Context, runtimeDocument, jobDocument []byte) *Outcome {
	outcome := &Outcome{}
	if err := o.admitRuntime(ctx, runtimeDocument, outcome); err != nil {
		return outcome.refused(StageAPIServer, fmt.Errorf("runtime: %w", err))
	}
	outcome.Job = &trainer.TrainJob{}
	if err := o.trainJobs.admit(ctx, jobDocument, outcome.Job); err != nil {
		return outcome.refused(StageAPIServer, fmt.Errorf("trainjob: %w", err))
	}
	if err := guarded(func() error { return o.callWebhooks(ctx, outcome.Job) }); err != nil {
		return outcome.refused(StageWebhook, err)
	}
	if trainjob.IsManagedByExternalController(outcome.Job) {
		outcome.Stage = StageIgnored
		outcome.Elsewhere = o.reconcile(ctx, &Outcome{Spec: outcome.Spec, Job: outcome.Job})
		return outcome
	}
	return o.reconcile(ctx, outcome)
}

func (o *Operator) admitRuntime(ctx context.Context, document []byte, outcome *Outcome) error {
	kind, err := kindOf(document)
	if err != nil {
		return err
	}
	o.cluster.clusterRuntime, o.cluster.runtime = nil, nil
	if kind == o.runtimes.kind {
		stored := &trainer.TrainingRuntime{}
		o.cluster.runtime, outcome.Spec = stored, &stored.Spec
		return o.runtimes.admit(ctx, document, stored)
	}
	stored := &trainer.ClusterTrainingRuntime{}
	o.cluster.clusterRuntime, outcome.Spec = stored, &stored.Spec
	return o.clusterRuntimes.admit(ctx, document, stored)
}

// callWebhooks runs the validating webhooks of the runtime and the TrainJob.
// The mutating webhook only stamps a time on the patches and is left out.
func (o *Operator) callWebhooks(ctx context.Context, job *trainer.TrainJob) error {
	if stored := o.cluster.clusterRuntime; stored != nil && watched(stored.Labels) {
		if _, err := (&webhooks.ClusterTrainingRuntimeValidator{}).ValidateCreate(ctx, stored); err != nil {
			return err
		}
	}
	if stored := o.cluster.runtime; stored != nil && watched(stored.Labels) {
		if _, err := (&webhooks.TrainingRuntimeValidator{}).ValidateCreate(ctx, stored); err != nil {
			return err
		}
	}
	plugins, err := o.pluginsFor(job)
	if err != nil {
		return err
	}
	_, errs := plugins.ValidateObjects(ctx, nil, job.DeepCopy())
	return errs.ToAggregate()
}

// watched mirrors the objectSelector of the webhook configuration.
func watched(labels map[string]string) bool {
	return labels["trainer.kubeflow.org/webhook-validation"] != "disabled"
}

func (o *Operator) pluginsFor(job *trainer.TrainJob) (opruntime.Runtime, error) {
	key := opruntime.RuntimeRefToRuntimeRegistryKey(job.Spec.RuntimeRef)
	plugins, ok := o.plugins[key]
	if !ok {
		return nil, fmt.Errorf("unsupported runtime: %s", key)
	}
	return plugins, nil
}

func (o *Operator) reconcile(ctx context.Context, outcome *Outcome) *Outcome {
	err := guarded(func() (err error) {
		outcome.Answer, err = o.render(ctx, outcome, outcome.Spec.PodGroupPolicy)
		if err != nil {
			return err
		}
		outcome.Unmarked, err = o.render(ctx, outcome, nil)
		return err
	})
	if _, ok := err.(panicError); ok {
		return outcome.refused(StagePanic, err)
	}
	if err != nil {
		return outcome.refused(StageOperator, err)
	}
	outcome.Stage = StageRendered
	return outcome
}

func (o *Operator) render(
	ctx context.Context, outcome *Outcome, policy *trainer.PodGroupPolicy,
) (*Answer, error) {
	plugins, err := o.pluginsFor(outcome.Job)
	if err != nil {
		return nil, err
	}
	defer o.replacePolicy(o.replacePolicy(policy))
	objects, err := plugins.NewObjects(ctx, outcome.Job.DeepCopy())
	if err != nil {
		return nil, err
	}
	spec := outcome.Spec.DeepCopy()
	info, err := plugins.RuntimeInfo(outcome.Job.DeepCopy(), spec.Template, spec.MLPolicy, policy)
	if err != nil {
		return nil, err
	}
	return newAnswer(objects, info)
}

// Build makes the objects of an admitted job, as each of its reconciles does.
func (o *Operator) Build(ctx context.Context, outcome *Outcome) error {
	plugins, err := o.pluginsFor(outcome.Job)
	if err != nil {
		return err
	}
	_, err = plugins.NewObjects(ctx, outcome.Job)
	return err
}

// replacePolicy sets the policy of the stored runtime and returns the old one.
func (o *Operator) replacePolicy(policy *trainer.PodGroupPolicy) *trainer.PodGroupPolicy {
	spec := o.storedSpec()
	old := spec.PodGroupPolicy
	spec.PodGroupPolicy = policy
	return old
}

func (o *Operator) storedSpec() *trainer.TrainingRuntimeSpec {
	if o.cluster.runtime != nil {
		return &o.cluster.runtime.Spec
	}
	return &o.cluster.clusterRuntime.Spec
}

func (outcome *Outcome) refused(stage Stage, err error) *Outcome {
	outcome.Stage = stage
	var several utilerrors.Aggregate
	if !errors.As(err, &several) {
		outcome.Errors = []string{err.Error()}
		return outcome
	}
	for _, one := range several.Errors() {
		outcome.Errors = append(outcome.Errors, one.Error())
	}
	return outcome
}

type panicError struct{ value any }

func (p panicError) Error() string { return fmt.Sprintf("panic: %v", p.value) }

func guarded(call func() error) (err error) {
	defer func() {
		if value := recover(); value != nil {
			err = panicError{value}
		}
	}()
	return call()
}
