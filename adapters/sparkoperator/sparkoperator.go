// SPDX-License-Identifier: Apache-2.0

// Package sparkoperator is a batch scheduler of the Spark operator: the operator calls it before it
// submits an application, and the GangPolicy says which scheduler gets the gang. The names of
// PodGroups and task groups are those of the operator's own schedulers.
//
// The interface is internal to the operator, and a Scheduler has its methods:
// adapters/patches/spark-operator.patch registers it there.
package sparkoperator

import (
	"bytes"
	"cmp"
	"context"
	"slices"

	"github.com/kubeflow/spark-operator/v2/api/v1beta2"
	"github.com/kubeflow/spark-operator/v2/pkg/common"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"sigs.k8s.io/controller-runtime/pkg/cluster"

	"libgang.dev/gang"
	"libgang.dev/gang/adapters/internal/neutral"
	"libgang.dev/gang/k8sgang"
	"libgang.dev/gang/k8sgang/apply"
)

// Name is that of the batch scheduler: for spec.batchScheduler and --default-batch-scheduler.
const Name = "libgang"

// What the Spark operator's schedulers for Volcano and YuniKorn write.
const (
	yunikornID   = "yunikorn.apache.org/app-id"
	yunikornName = "yunikorn.apache.org/queue"
	queueLabel   = "queue" // of older releases of YuniKorn
	driver       = "driver"
	executor     = "executor"
)

// The task groups of YuniKorn by role.
var taskGroupNames = map[string]string{driver: "spark-driver", executor: "spark-executor"}

// Scheduler creates the gang of the executors and marks the pods. The driver creates the executors,
// so it is outside of their gang, except with YuniKorn, whose placeholders hold room for pods that
// do not exist yet. Any number of goroutines may use it.
type Scheduler struct{ *apply.Keeper }

// New is for a program with one policy: see apply.NewKeeper.
func New(ctx context.Context, policyFile string, manager cluster.Cluster) (*Scheduler, error) {
	keeper, err := apply.NewKeeper(ctx, policyFile, manager)
	return &Scheduler{keeper}, err
}

// Name is that of the batch scheduler.
func (*Scheduler) Name() string { return Name }

// ShouldSchedule is true: the policy says whether the application has a gang.
func (*Scheduler) ShouldSchedule(*v1beta2.SparkApplication) bool { return true }

func groupName(app *v1beta2.SparkApplication) string { return app.Name + "-pg" }

func volcanoName(app *v1beta2.SparkApplication) string { return "spark-" + groupName(app) }

// Schedule creates or updates the objects of the gang, and puts the marks of the pods into the
// application, which the operator is about to submit. An error has the findings for the author of
// the application: see k8sgang.Diagnostics.
func (s *Scheduler) Schedule(app *v1beta2.SparkApplication) error {
	ctx := context.Background() // the interface has none
	given := app.DeepCopy()
	given.Spec.BatchScheduler = nil // else libgang would leave the gang to the operator
	for _, pod := range []*v1beta2.SparkPodSpec{
		&given.Spec.Driver.SparkPodSpec, &given.Spec.Executor.SparkPodSpec} {
		pod.NodeSelector = NodeSelector(given.Spec.NodeSelector, pod.NodeSelector)
	}
	given.Spec.NodeSelector = nil
	var executors, alone *neutral.Job
	kind := v1beta2.SchemeGroupVersion.WithKind("SparkApplication")
	plan, err := neutral.Plan(ctx, s.Keeper, kind, given, "", neutral.Names{
		neutral.Plain: func(job *neutral.Job) error {
			job.Set(groupName(app), "groupName")
			return nil
		},
		neutral.Volcano: func(job *neutral.Job) error {
			job.Set(volcanoName(app), "groupName")
			if alone = driverOf(job); alone != nil {
				executors = job
				job.Set("spark-"+app.Name+"-exec-pg", "groupName")
			}
			return nil
		},
		neutral.YuniKorn: func(job *neutral.Job) error {
			job.Set(groupName(app), "groupName")
			return withPlaceholders(job, given)
		},
	})
	if err != nil || plan == nil {
		return err // without a plan all executors come later
	}
	defer plan.Close()
	if alone == nil {
		return s.keep(ctx, app, plan, setResources(app))
	}
	return s.keepBoth(ctx, app, plan, executors, alone)
}

// keepBoth has two groups of Volcano. The driver is in that of the operator, and the executors in
// one of their own that asks the queue for nothing: the driver creates them. If the policy reserves
// resources for them, the driver's group asks for those of the whole application, so the driver
// starts when there is room for all.
func (s *Scheduler) keepBoth(ctx context.Context, app *v1beta2.SparkApplication, plan *gang.Plan,
	executors, alone *neutral.Job) error {
	reserves := func(object gang.Object) bool {
		return bytes.Contains(object.JSON, []byte(`"minResources"`))
	}
	if slices.ContainsFunc(plan.Objects(), reserves) {
		ofAll, err := executors.Requests()
		if err != nil {
			return err
		}
		alone.Roles()[0]["requests"] = ofAll
	}
	if err := s.keep(ctx, app, plan, func(group *unstructured.Unstructured) {
		unstructured.RemoveNestedField(group.Object, "spec", "minResources")
	}); err != nil {
		return err
	}
	ofDriver, err := s.Planner.Plan(ctx, s.Client, alone.Unstructured, 0)
	if err != nil {
		return err
	}
	defer ofDriver.Close()
	return s.keep(ctx, app, ofDriver, setResources(app))
}

// driverOf is the driver alone. Nil: no pod of the job is the driver.
func driverOf(job *neutral.Job) *neutral.Job {
	alone := &neutral.Job{Unstructured: job.DeepCopy()}
	for _, role := range alone.Roles() {
		if role["name"] == driver {
			delete(role, "membership")
			alone.Set([]any{role}, "roles")
			return alone
		}
	}
	return nil
}

// withPlaceholders puts the driver and as many executors as Spark asks for at the start into the
// gang.
func withPlaceholders(job *neutral.Job, app *v1beta2.SparkApplication) error {
	templates := map[string]*corev1.PodTemplateSpec{}
	for name, pod := range map[string]*v1beta2.SparkPodSpec{
		driver: &app.Spec.Driver.SparkPodSpec, executor: &app.Spec.Executor.SparkPodSpec} {
		template := cmp.Or(pod.Template.DeepCopy(), &corev1.PodTemplateSpec{})
		template.Labels = neutral.Merge(template.Labels, pod.Labels)
		template.Spec.NodeSelector = NodeSelector(template.Spec.NodeSelector, pod.NodeSelector)
		template.Spec.Tolerations = append(template.Spec.Tolerations, pod.Tolerations...)
		template.Spec.Affinity = cmp.Or(pod.Affinity, template.Spec.Affinity)
		templates[name] = template
	}
	for _, role := range job.Roles() {
		for _, field := range []string{"membership", "dependsOn", "minCount", "firstCount"} {
			delete(role, field)
		}
	}
	return job.Place(taskGroupNames, templates)
}

// NodeSelector is that of the pods: spark-submit gets that of the application, and the operator's
// webhook adds that of the driver or the executors. Nil: neither has one.
func NodeSelector(ofApp, ofPod map[string]string) map[string]string {
	return neutral.Merge(ofApp, ofPod)
}

func (s *Scheduler) keep(ctx context.Context, app *v1beta2.SparkApplication, plan *gang.Plan,
	complete apply.Completion) error {
	if _, err := s.Keep(ctx, plan, nil, complete, gang.Adopt()); err != nil {
		return err
	}
	for _, patch := range plan.Patches() {
		if err := mark(app, &patch); err != nil {
			return err
		}
	}
	return nil
}

// setResources has the user's own amounts win, as they do with the operator's scheduler for
// Volcano.
func setResources(app *v1beta2.SparkApplication) apply.Completion {
	options := app.Spec.BatchSchedulerOptions
	if options == nil || len(options.Resources) == 0 {
		return nil
	}
	return func(group *unstructured.Unstructured) {
		asked := neutral.Amounts(options.Resources)
		_ = unstructured.SetNestedMap(group.Object, asked, "spec", "minResources")
	}
}

// Cleanup deletes the objects of the gang, also of an application that is refused by now, and none
// that others control: the application has ended.
func (s *Scheduler) Cleanup(app *v1beta2.SparkApplication) error {
	names := []string{groupName(app), volcanoName(app)}
	return s.Delete(context.Background(), app.Namespace, func(object *unstructured.Unstructured) bool {
		owner := metav1.GetControllerOf(object)
		if owner == nil {
			return slices.Contains(names, object.GetName())
		}
		return owner.UID == app.UID
	})
}

// mark puts a patch into the driver or the executors. What is no label or annotation goes into the
// pod template, as for spark-submit: the operator's webhook reads the stored application. The id of
// an application of YuniKorn is Spark's own, in the label spark-app-selector: each submission has a
// new one.
func mark(app *v1beta2.SparkApplication, patch *gang.Patch) error {
	delete(patch.Labels, yunikornID)
	if queue := patch.Labels[yunikornName]; queue != "" {
		patch.Labels[queueLabel] = queue
	}
	pod, container := &app.Spec.Executor.SparkPodSpec, common.Spark3DefaultExecutorContainerName
	if patch.Role == driver || patch.Role == taskGroupNames[driver] {
		pod, container = &app.Spec.Driver.SparkPodSpec, common.SparkDriverContainerName
	}
	pod.Labels = neutral.Merge(pod.Labels, patch.Labels)
	pod.Annotations = neutral.Merge(pod.Annotations, patch.Annotations)
	if len(patch.Spec) == 0 {
		return nil
	}
	if name := patch.Spec["schedulerName"]; name != "" {
		pod.SchedulerName = &name // for others that look at the application
	}
	if pod.Template == nil { // as that of the operator
		pod.Template = &corev1.PodTemplateSpec{
			Spec: corev1.PodSpec{Containers: []corev1.Container{{Name: container}}}}
	}
	return k8sgang.PatchTemplate(&gang.Patch{Spec: patch.Spec}, pod.Template)
}
