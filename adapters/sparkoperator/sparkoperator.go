// SPDX-License-Identifier: Apache-2.0

// Package sparkoperator is a batch scheduler of the Spark operator: the operator calls it before it
// submits an application, and the GangPolicy says which scheduler gets the gang. The names of
// PodGroups and task groups are those of the operator's own schedulers.
//
// The interface is internal to the operator, and a Scheduler has its methods:
// adapters/patches/spark-operator.patch registers it there.
package sparkoperator

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"

	"github.com/kubeflow/spark-operator/v2/api/v1beta2"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/kubernetes"
	"k8s.io/utils/ptr"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"libgang.dev/gang"
	"libgang.dev/gang/adapters/internal/neutral"
	"libgang.dev/gang/k8sgang"
	"libgang.dev/gang/k8sgang/apply"
)

// Name is that of the batch scheduler: for spec.batchScheduler and --default-batch-scheduler.
const Name = "libgang"

// Scheduler creates the gang of the executors and marks their pods. The driver creates the
// executors, so it is outside of their gang, except with YuniKorn, whose placeholders hold room for
// pods that do not exist yet. Its fields are not changed after it is used first; any number of
// goroutines may use it.
type Scheduler struct {
	Client  client.Client
	Planner *apply.Planner
	// Kinds are those of gangs that the cluster has: k8sgang.ServedKinds finds them.
	Kinds []schema.GroupVersionKind
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
	plan, err := s.plan(ctx, app)
	if err != nil || plan == nil {
		return err
	}
	defer plan.Close()
	keeper := apply.Keeper{Client: s.Client, Complete: func(object *unstructured.Unstructured) {
		setResources(object, app.Spec.BatchSchedulerOptions)
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
	volcano      = "scheduling.volcano.sh"
	taskGroup    = "yunikorn.apache.org/task-group-name"
	yunikornID   = "yunikorn.apache.org/app-id"
	yunikornName = "yunikorn.apache.org/queue"
	queueLabel   = "queue" // of older releases of YuniKorn
	rolePrefix   = "spark-"
	driver       = "driver"
)

// plan is nil for an application without a gang, such as one whose executors all come later.
func (s *Scheduler) plan(ctx context.Context, app *v1beta2.SparkApplication) (*gang.Plan, error) {
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
	plan, err := s.Planner.Plan(ctx, s.Client, job.Unstructured, 0)
	if err != nil {
		return nil, err
	}
	switch {
	case slices.ContainsFunc(plan.Objects(), isVolcanos):
		job.Set(volcanoName(app), "groupName")
	case slices.ContainsFunc(plan.Patches(), isYuniKorns):
		if err := withPlaceholders(job, given); err != nil {
			return nil, err
		}
	default:
		return plan, nil
	}
	plan.Close()
	return s.Planner.Plan(ctx, s.Client, job.Unstructured, 0)
}

func isVolcanos(object gang.Object) bool {
	return strings.HasPrefix(object.APIVersion, volcano+"/")
}

func isYuniKorns(patch gang.Patch) bool { return patch.Annotations[taskGroup] != "" }

// withPlaceholders puts the driver and as many executors as Spark asks for at the start into the
// gang.
func withPlaceholders(job *neutral.Job, app *v1beta2.SparkApplication) error {
	for _, role := range job.Roles() {
		pod := &app.Spec.Executor.SparkPodSpec
		if role["name"] == driver {
			pod = &app.Spec.Driver.SparkPodSpec
		}
		template := cmp.Or(pod.Template.DeepCopy(), &corev1.PodTemplateSpec{})
		put(&template.Labels, pod.Labels)
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
	if len(ofApp)+len(ofPod) == 0 {
		return nil
	}
	merged := map[string]string{}
	maps.Copy(merged, ofApp)
	maps.Copy(merged, ofPod)
	return merged
}

// setResources has the user's own amounts win, as they do with the operator's scheduler for
// Volcano.
func setResources(object *unstructured.Unstructured, options *v1beta2.BatchSchedulerConfiguration) {
	if options == nil || len(options.Resources) == 0 {
		return
	}
	amounts := map[string]any{}
	for name, amount := range options.Resources {
		amounts[string(name)] = amount.String()
	}
	_ = unstructured.SetNestedMap(object.Object, amounts, "spec", "minResources")
}

// mark puts a patch into the driver or the executors: into the pod template what the application
// has no field for. The id of an application of YuniKorn is Spark's own, in the label
// spark-app-selector: each submission has a new one.
func mark(app *v1beta2.SparkApplication, patch *gang.Patch) error {
	delete(patch.Labels, yunikornID)
	if queue := patch.Labels[yunikornName]; queue != "" {
		patch.Labels[queueLabel] = queue
	}
	pod, priority := &app.Spec.Executor.SparkPodSpec, &app.Spec.Executor.PriorityClassName
	if patch.Role == driver || patch.Role == rolePrefix+driver {
		pod, priority = &app.Spec.Driver.SparkPodSpec, &app.Spec.Driver.PriorityClassName
	}
	put(&pod.Labels, patch.Labels)
	put(&pod.Annotations, patch.Annotations)
	rest := gang.Patch{Spec: maps.Clone(patch.Spec)}
	for path, field := range map[string]**string{
		"schedulerName": &pod.SchedulerName, "priorityClassName": priority} {
		if value, ok := rest.Spec[path]; ok {
			*field = ptr.To(value)
			delete(rest.Spec, path)
		}
	}
	if len(rest.Spec) == 0 {
		return nil
	}
	if pod.Template == nil {
		pod.Template = &corev1.PodTemplateSpec{}
	}
	return k8sgang.PatchTemplate(&rest, pod.Template)
}

func put(into *map[string]string, marks map[string]string) {
	for key, value := range marks {
		if *into == nil {
			*into = map[string]string{}
		}
		(*into)[key] = value
	}
}
