// SPDX-License-Identifier: Apache-2.0

// Package trainer puts libgang behind the runtimes of Kubeflow Trainer, in place of its plugins for
// the coscheduling plugin and Volcano: the GangPolicy says which scheduler gets the gang of a
// TrainJob. The list of plugins is fixed in the operator, so a Runtime wraps what they build.
package trainer

import (
	"context"
	"fmt"

	trainer "github.com/kubeflow/trainer/v2/pkg/apis/trainer/v1alpha1"
	operator "github.com/kubeflow/trainer/v2/pkg/runtime"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"k8s.io/utils/ptr"
	"sigs.k8s.io/controller-runtime/pkg/builder"
	"sigs.k8s.io/controller-runtime/pkg/cache"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/handler"
	"sigs.k8s.io/controller-runtime/pkg/webhook/admission"
	jobset "sigs.k8s.io/jobset/client-go/applyconfiguration/jobset/v1alpha2"
	"sigs.k8s.io/yaml"

	"libgang.dev/gang"
	"libgang.dev/gang/k8sgang"
	"libgang.dev/gang/k8sgang/apply"
)

// A Runtime is one of the operator with libgang for its gangs.
type Runtime struct {
	operator.Runtime
	*apply.Keeper
}

// Wrap wraps the runtimes that core.New has made, before controller and webhooks are set up. The
// keeper also reads runtimes, and the controller of TrainJobs watches its Kinds. The Inputs of its
// planner are not used: they are the runtime of the TrainJob.
func Wrap(keeper *apply.Keeper, runtimes map[string]operator.Runtime) map[string]operator.Runtime {
	wrapped := map[string]operator.Runtime{}
	for name, one := range runtimes {
		wrapped[name] = &Runtime{one, keeper}
	}
	return wrapped
}

// NewObjects keeps the objects of the gang, and returns the others with the marks of the gang. The
// PodGroups of the operator's plugins are left out.
func (r *Runtime) NewObjects(ctx context.Context, job *trainer.TrainJob) (
	[]runtime.ApplyConfiguration, error) {
	built, err := r.Runtime.NewObjects(ctx, job)
	if err != nil {
		return nil, err
	}
	known, err := asUnstructured(job)
	if err != nil {
		return nil, err
	}
	plan, err := r.plan(ctx, job, known)
	if err != nil {
		return nil, err
	}
	defer plan.Close()
	if _, err := r.Keep(ctx, plan, []*unstructured.Unstructured{known}, nil); err != nil {
		return nil, err
	}
	var objects []runtime.ApplyConfiguration
	for _, object := range built {
		made, isJobSet := object.(*jobset.JobSetApplyConfiguration)
		if isJobSet {
			if object, err = marked(plan, made); err != nil {
				return nil, err
			}
		}
		if isJobSet || !isPodGroup(object) {
			objects = append(objects, object)
		}
	}
	return objects, nil
}

func isPodGroup(object runtime.ApplyConfiguration) bool {
	kind := struct{ Kind string }{}
	text, err := runtime.DefaultUnstructuredConverter.ToUnstructured(object)
	if err == nil {
		kind.Kind, _, _ = unstructured.NestedString(text, "kind")
	}
	return kind.Kind == "PodGroup"
}

// What the operator's plugins put on the pods of every role, members or not.
var pluginsMarks = [][]string{
	{"metadata", "labels", "scheduling.x-k8s.io/pod-group"},
	{"metadata", "annotations", "scheduling.k8s.io/group-name"},
}

// marked has the marks of the plan alone.
func marked(plan *gang.Plan, made *jobset.JobSetApplyConfiguration) (
	*jobset.JobSetApplyConfiguration, error) {
	fields, err := runtime.DefaultUnstructuredConverter.ToUnstructured(made)
	if err != nil {
		return nil, err
	}
	object := &unstructured.Unstructured{Object: fields}
	roles, _, err := unstructured.NestedSlice(fields, "spec", "replicatedJobs")
	if err != nil {
		return nil, err
	}
	for _, role := range roles {
		role, _ := role.(map[string]any)
		template, _, _ := unstructured.NestedFieldNoCopy(role, "template", "spec", "template")
		if pods, ok := template.(map[string]any); ok {
			for _, mark := range pluginsMarks {
				unstructured.RemoveNestedField(pods, mark...)
			}
		}
	}
	if err := unstructured.SetNestedSlice(fields, roles, "spec", "replicatedJobs"); err != nil {
		return nil, err
	}
	if err := k8sgang.PatchUnstructuredJobSet(plan, object); err != nil {
		return nil, err
	}
	patched := &jobset.JobSetApplyConfiguration{}
	err = runtime.DefaultUnstructuredConverter.FromUnstructured(object.Object, patched)
	return patched, err
}

// EventHandlerRegistrars also watches the objects of gangs: one that is deleted is created again.
// One runtime of the operator watches for all.
func (r *Runtime) EventHandlerRegistrars() []operator.ReconcilerBuilder {
	built := r.Runtime.EventHandlerRegistrars()
	if len(built) == 0 {
		return nil
	}
	watch := func(b *builder.Builder, c client.Client, _ cache.Cache) *builder.Builder {
		toOwner := handler.EnqueueRequestForOwner(c.Scheme(), c.RESTMapper(), &trainer.TrainJob{},
			handler.OnlyControllerOwner())
		for _, kind := range r.Kinds {
			b = b.Watches(apply.New(kind), toOwner)
		}
		return b
	}
	return append(built, watch)
}

// ValidateObjects also refuses a job whose gang libgang refuses, with all diagnostics, and passes
// warnings on.
func (r *Runtime) ValidateObjects(ctx context.Context, before, job *trainer.TrainJob) (
	admission.Warnings, field.ErrorList) {
	warnings, problems := r.Runtime.ValidateObjects(ctx, before, job)
	known, err := asUnstructured(job)
	if err != nil || len(problems) > 0 {
		return warnings, problems
	}
	plan, err := r.plan(ctx, job, known)
	defer plan.Close()
	found := append(k8sgang.Diagnostics(err), plan.Diagnostics()...)
	for i := range found {
		if found[i].Severity == gang.SeverityWarning {
			warnings = append(warnings, found[i].String())
		}
	}
	reference := field.NewPath("spec", "runtimeRef")
	problems = k8sgang.FieldErrors(found, gang.DocumentTrainJob, reference)
	if err != nil && len(problems) == 0 {
		problems = field.ErrorList{field.InternalError(nil, err)}
	}
	return warnings, problems
}

func asUnstructured(job *trainer.TrainJob) (*unstructured.Unstructured, error) {
	fields, err := runtime.DefaultUnstructuredConverter.ToUnstructured(job)
	object := &unstructured.Unstructured{Object: fields}
	object.SetGroupVersionKind(trainer.GroupVersion.WithKind(trainer.TrainJobKind))
	return object, err
}

func (r *Runtime) plan(ctx context.Context, job *trainer.TrainJob,
	known *unstructured.Unstructured) (
	*gang.Plan, error) {
	planner := &apply.Planner{Policy: r.Planner.Policy, Facts: r.Planner.Facts,
		RunsApart: r.Planner.RunsApart, FallBack: r.Planner.FallBack}
	planner.Inputs = func(ctx context.Context, _ client.Reader, _ *gang.Document) (
		[]*gang.Document, error) {
		document, err := r.runtimeOf(ctx, job)
		return []*gang.Document{document}, err
	}
	return planner.Plan(ctx, r.Client, known, 0)
}

// Of the ConfigMap in which the operator keeps the runtime as it was when the job was created.
const (
	snapshotSuffix = "-runtime-snapshot"
	snapshotKey    = "runtime"
)

// runtimeOf reads what the operator builds from: its copy of the runtime, if it has made one.
func (r *Runtime) runtimeOf(ctx context.Context, job *trainer.TrainJob) (*gang.Document, error) {
	kind := ptr.Deref(job.Spec.RuntimeRef.Kind, trainer.ClusterTrainingRuntimeKind)
	key := client.ObjectKey{Name: job.Spec.RuntimeRef.Name}
	var found client.Object = &trainer.ClusterTrainingRuntime{}
	if kind == trainer.TrainingRuntimeKind {
		key.Namespace, found = job.Namespace, &trainer.TrainingRuntime{}
	}
	copied, err := r.readCopy(ctx, job, found)
	if err == nil && !copied {
		err = r.Client.Get(ctx, key, found)
	}
	if err != nil {
		return nil, fmt.Errorf("the runtime of the TrainJob: %w", err)
	}
	return k8sgang.Parse(trainer.GroupVersion.WithKind(kind), found)
}

func (r *Runtime) readCopy(ctx context.Context, job *trainer.TrainJob, into client.Object) (
	bool, error) {
	kept := &corev1.ConfigMap{}
	key := client.ObjectKey{Namespace: job.Namespace, Name: job.Name + snapshotSuffix}
	if err := r.Client.Get(ctx, key, kept); err != nil {
		return false, client.IgnoreNotFound(err)
	}
	if owner := metav1.GetControllerOf(kept); owner == nil || owner.UID != job.UID {
		return false, nil
	}
	return true, yaml.Unmarshal([]byte(kept.Data[snapshotKey]), into)
}
