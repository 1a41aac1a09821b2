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
	"fmt"
	"os"
	"slices"
	"sync/atomic"

	"github.com/kubeflow/spark-operator/v2/api/v1beta2"
	"github.com/kubeflow/spark-operator/v2/pkg/common"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/kubernetes"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"libgang.dev/gang"
	"libgang.dev/gang/adapters/internal/neutral"
	"libgang.dev/gang/k8sgang"
	"libgang.dev/gang/k8sgang/apply"
)

// Name is that of the batch scheduler: for spec.batchScheduler and --default-batch-scheduler.
const Name = "libgang"

// Scheduler creates the gang of the executors and marks the pods. The driver creates the executors,
// so it is outside of their gang, except with YuniKorn, whose placeholders hold room for pods that
// do not exist yet. Its fields are not changed after it is used first; any number of goroutines may
// use it.
type Scheduler struct {
	Client  client.Client
	Planner *apply.Planner
	// Kinds are those of gangs that the cluster has: k8sgang.ServedKinds finds them.
	Kinds []schema.GroupVersionKind

	last atomic.Int32 // the neutral.Style of the plan before
}

// New is for a program with one policy. The client writes the objects of gangs; the reader, which
// has no cache, and the clients read the facts of the cluster, until the context ends.
func New(ctx context.Context, policyFile string, c client.Client, reader client.Reader,
	clients kubernetes.Interface) (*Scheduler, error) {
	text, err := os.ReadFile(policyFile)
	if err != nil {
		return nil, err
	}
	planner, err := apply.NewPlanner(ctx, text, clients, reader)
	if err != nil {
		return nil, err
	}
	kinds, err := k8sgang.ServedKinds(c.RESTMapper())
	return &Scheduler{Client: c, Planner: planner, Kinds: kinds}, err
}

// Name is that of the batch scheduler.
func (*Scheduler) Name() string { return Name }

// ShouldSchedule is true: the policy says whether the application has a gang.
func (*Scheduler) ShouldSchedule(*v1beta2.SparkApplication) bool { return true }

// Schedule creates or updates the objects of the gang, and puts the marks of the pods into the
// application, which the operator is about to submit. An error has the findings for the author of
// the application: see k8sgang.Diagnostics.
func (s *Scheduler) Schedule(app *v1beta2.SparkApplication) error {
	ctx := context.Background() // the interface has none
	plan, err := neutral.Plan(ctx, s.Planner, s.Client, &s.last,
		func(style neutral.Style) (*neutral.Job, error) { return jobOf(app, style) })
	if err != nil || plan == nil {
		return err // without a plan all executors come later
	}
	defer plan.Close()
	if neutral.StyleOf(plan) == neutral.Volcano {
		return s.scheduleWithVolcano(ctx, app, slices.ContainsFunc(plan.Objects(), reserves))
	}
	return s.keep(ctx, app, plan, setResources)
}

// scheduleWithVolcano has two groups. The driver is in that of the operator, and the executors in
// one of their own that asks the queue for nothing: the driver creates them. If the policy reserves
// resources for them, the driver's group asks for those of the whole application, so the driver
// starts when there is room for all.
func (s *Scheduler) scheduleWithVolcano(ctx context.Context, app *v1beta2.SparkApplication,
	reserves bool) error {
	executors, err := jobOf(app, neutral.Volcano)
	if err != nil {
		return err
	}
	ofDriver, err := driverOf(executors, reserves)
	if err != nil {
		return err
	}
	if ofDriver == nil {
		return s.schedule(ctx, app, executors, setResources)
	}
	executors.Set(rolePrefix+app.Name+"-exec-pg", "groupName")
	err = s.schedule(ctx, app, executors,
		func(group *unstructured.Unstructured, _ *v1beta2.BatchSchedulerConfiguration) {
			unstructured.RemoveNestedField(group.Object, "spec", "minResources")
		})
	if err != nil {
		return err
	}
	return s.schedule(ctx, app, ofDriver, setResources)
}

// driverOf is the driver alone, perhaps with the requests of all. Nil: no pod of the job is the
// driver.
func driverOf(job *neutral.Job, ofAll bool) (*neutral.Job, error) {
	alone := &neutral.Job{Unstructured: job.DeepCopy()}
	var only map[string]any
	all := corev1.ResourceList{}
	for _, role := range alone.Roles() {
		requests, _ := role["requests"].(map[string]any)
		for name, amount := range requests {
			sum, err := resource.ParseQuantity(fmt.Sprint(amount))
			if err != nil {
				return nil, err
			}
			count, _ := cmp.Or(role["minCount"], role["count"], any(int64(1))).(int64)
			sum.Mul(count)
			sum.Add(all[corev1.ResourceName(name)])
			all[corev1.ResourceName(name)] = sum
		}
		if role["name"] == driver {
			only = role
		}
	}
	if only == nil {
		return nil, nil
	}
	if ofAll {
		only["requests"] = amounts(all)
	}
	delete(only, "membership")
	alone.Set([]any{only}, "roles")
	return alone, nil
}

func (s *Scheduler) schedule(ctx context.Context, app *v1beta2.SparkApplication, job *neutral.Job,
	complete completion) error {
	plan, err := s.Planner.Plan(ctx, s.Client, job.Unstructured, 0)
	if err != nil {
		return err
	}
	defer plan.Close()
	return s.keep(ctx, app, plan, complete)
}

// A completion adds to an object of a gang; nil: nothing.
type completion func(*unstructured.Unstructured, *v1beta2.BatchSchedulerConfiguration)

func (s *Scheduler) keep(ctx context.Context, app *v1beta2.SparkApplication, plan *gang.Plan,
	complete completion) error {
	keeper := apply.Keeper{Client: s.Client, Complete: func(object *unstructured.Unstructured) {
		if complete != nil {
			complete(object, app.Spec.BatchSchedulerOptions)
		}
	}}
	if _, err := keeper.Keep(ctx, plan, nil, gang.Adopt()); err != nil {
		return err
	}
	for _, patch := range plan.Patches() {
		if err := mark(app, &patch); err != nil {
			return err
		}
	}
	return nil
}

// Cleanup deletes the objects of the gang, also of an application that is refused by now, and none
// that others control: the application has ended.
func (s *Scheduler) Cleanup(app *v1beta2.SparkApplication) error {
	ctx := context.Background()
	names := []string{groupName(app), volcanoName(app)}
	for _, kind := range s.Kinds {
		objects, err := apply.List(ctx, s.Client, kind, client.InNamespace(app.Namespace))
		if err != nil {
			return err
		}
		for i := range objects {
			owner := metav1.GetControllerOf(&objects[i])
			if owner == nil && !slices.Contains(names, objects[i].GetName()) ||
				owner != nil && owner.UID != app.UID {
				continue
			}
			uid := objects[i].GetUID()
			err := s.Client.Delete(ctx, &objects[i], client.Preconditions{UID: &uid})
			if client.IgnoreNotFound(err) != nil {
				return err
			}
		}
	}
	return nil
}

func groupName(app *v1beta2.SparkApplication) string { return app.Name + "-pg" }

func volcanoName(app *v1beta2.SparkApplication) string { return "spark-" + groupName(app) }

// What the Spark operator's schedulers for Volcano and YuniKorn write.
const (
	yunikornID   = "yunikorn.apache.org/app-id"
	yunikornName = "yunikorn.apache.org/queue"
	queueLabel   = "queue" // of older releases of YuniKorn
	rolePrefix   = "spark-"
	driver       = "driver"
)

// jobOf is nil for an application without a gang, such as one whose executors all come later.
func jobOf(app *v1beta2.SparkApplication, style neutral.Style) (*neutral.Job, error) {
	given := app.DeepCopy()
	given.Spec.BatchScheduler = nil // else libgang would leave the gang to the operator
	for _, pod := range []*v1beta2.SparkPodSpec{
		&given.Spec.Driver.SparkPodSpec, &given.Spec.Executor.SparkPodSpec} {
		pod.NodeSelector = NodeSelector(given.Spec.NodeSelector, pod.NodeSelector)
	}
	given.Spec.NodeSelector = nil
	kind := v1beta2.SchemeGroupVersion.WithKind("SparkApplication")
	job, err := neutral.Of(kind, given, app.Labels)
	if err != nil || job == nil {
		return nil, err
	}
	job.Set(groupName(app), "groupName")
	switch style {
	case neutral.Volcano:
		job.Set(volcanoName(app), "groupName")
	case neutral.YuniKorn:
		err = withPlaceholders(job, given)
	}
	return job, err
}

func reserves(object gang.Object) bool {
	return bytes.Contains(object.JSON, []byte(`"minResources"`))
}

// withPlaceholders puts the driver and as many executors as Spark asks for at the start into the
// gang.
func withPlaceholders(job *neutral.Job, app *v1beta2.SparkApplication) error {
	for _, role := range job.Roles() {
		pod := &app.Spec.Executor.SparkPodSpec
		if role["name"] == driver {
			pod = &app.Spec.Driver.SparkPodSpec
		}
		template := cmp.Or(pod.Template.DeepCopy(), &corev1.PodTemplateSpec{})
		template.Labels = neutral.Merge(template.Labels, pod.Labels)
		template.Spec.NodeSelector = NodeSelector(template.Spec.NodeSelector, pod.NodeSelector)
		template.Spec.Tolerations = append(template.Spec.Tolerations, pod.Tolerations...)
		template.Spec.Affinity = cmp.Or(pod.Affinity, template.Spec.Affinity)
		if err := neutral.Place(role, template); err != nil {
			return err
		}
		role["name"] = fmt.Sprint(rolePrefix, role["name"])
		for _, field := range []string{"membership", "dependsOn", "minCount", "firstCount"} {
			delete(role, field)
		}
	}
	return nil
}

// NodeSelector is that of the pods: spark-submit gets that of the application, and the operator's
// webhook adds that of the driver or the executors. Nil: neither has one.
func NodeSelector(ofApp, ofPod map[string]string) map[string]string {
	return neutral.Merge(ofApp, ofPod)
}

// setResources has the user's own amounts win, as they do with the operator's scheduler for
// Volcano.
func setResources(object *unstructured.Unstructured, options *v1beta2.BatchSchedulerConfiguration) {
	if options == nil || len(options.Resources) == 0 {
		return
	}
	_ = unstructured.SetNestedMap(object.Object, amounts(options.Resources), "spec", "minResources")
}

func amounts(of corev1.ResourceList) map[string]any {
	found := map[string]any{}
	for name, amount := range of {
		found[string(name)] = amount.String()
	}
	return found
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
	if patch.Role == driver || patch.Role == rolePrefix+driver {
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
