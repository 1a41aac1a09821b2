// SPDX-License-Identifier: Apache-2.0

// Package neutral has the GangJob of a job, in which an adapter changes what its operator's users
// see otherwise for some schedulers: names, and which pods wait for others.
package neutral

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"libgang.dev/gang"
	"libgang.dev/gang/k8sgang"
	"libgang.dev/gang/k8sgang/apply"
)

// A Job is a GangJob.
type Job struct{ *unstructured.Unstructured }

// Set sets a field of the spec.
func (j *Job) Set(value any, path ...string) {
	spec := append([]string{"spec"}, path...)
	_ = unstructured.SetNestedField(j.Object, value, spec...) // spec and its members are objects
}

// Roles are the roles of the job, which may be changed.
func (j *Job) Roles() (roles []map[string]any) {
	spec, _ := j.Object["spec"].(map[string]any)
	list, _ := spec["roles"].([]any)
	for _, item := range list {
		if role, ok := item.(map[string]any); ok {
			roles = append(roles, role)
		}
	}
	return roles
}

// Requests sums those of all pods that the job starts with.
func (j *Job) Requests() (map[string]any, error) {
	sum := corev1.ResourceList{}
	for _, role := range j.Roles() {
		requests, _ := role["requests"].(map[string]any)
		count, _ := cmp.Or(role["minCount"], role["count"], any(int64(1))).(int64)
		for name, amount := range requests {
			ofPods, err := resource.ParseQuantity(fmt.Sprint(amount))
			if err != nil {
				return nil, err
			}
			ofPods.Mul(count)
			ofPods.Add(sum[corev1.ResourceName(name)])
			sum[corev1.ResourceName(name)] = ofPods
		}
	}
	return Amounts(sum), nil
}

// Amounts are those of a list as an unstructured object has them.
func Amounts(of corev1.ResourceList) map[string]any {
	found := map[string]any{}
	for name, amount := range of {
		found[string(name)] = amount.String()
	}
	return found
}

// Place gives the roles other names, by which the pods name their task group, and says where the
// pods fit, with the labels by which other pods select them: a GangJob has the requests of its pods
// alone, and a placeholder without the rest holds another node.
func (j *Job) Place(names map[string]string, templates map[string]*corev1.PodTemplateSpec) error {
	for _, role := range j.Roles() {
		name, _ := role["name"].(string)
		if template := templates[name]; template != nil {
			if err := place(role, template); err != nil {
				return err
			}
		}
		role["name"] = cmp.Or(names[name], name)
		edges, _ := role["dependsOn"].([]any)
		for _, edge := range edges {
			edge, _ := edge.(map[string]any)
			if awaited, _ := edge["role"].(string); names[awaited] != "" {
				edge["role"] = names[awaited]
			}
		}
	}
	return nil
}

func place(role map[string]any, template *corev1.PodTemplateSpec) error {
	of := &template.Spec
	fits := corev1.PodTemplateSpec{Spec: corev1.PodSpec{
		NodeSelector: of.NodeSelector, Tolerations: of.Tolerations, Affinity: of.Affinity,
		TopologySpreadConstraints: of.TopologySpreadConstraints,
		SchedulerName:             of.SchedulerName, PriorityClassName: of.PriorityClassName,
	}}
	fits.Labels = template.Labels
	placed, err := runtime.DefaultUnstructuredConverter.ToUnstructured(&fits)
	if err != nil {
		return err
	}
	spec, _ := placed["spec"].(map[string]any)
	spec["containers"] = []any{map[string]any{"name": "requests",
		"resources": map[string]any{"requests": role["requests"]}}}
	for _, field := range []string{"requests", "schedulerName", "priorityClassName"} {
		delete(role, field)
	}
	role["template"] = placed
	return nil
}

// A Style is how the operators name what a scheduler gets.
type Style int

// The styles. All schedulers but two have plain names.
const (
	Plain Style = iota
	Volcano
	YuniKorn
)

// What has the styles of Volcano and YuniKorn.
const (
	VolcanoGroup = "scheduling.volcano.sh"
	GroupMark    = "scheduling.k8s.io/group-name"
	TaskMark     = "volcano.sh/task-spec"
	YuniKornName = "yunikorn" // of the scheduler
	TaskGroups   = "yunikorn.apache.org/task-groups"
	TaskGroup    = "yunikorn.apache.org/task-group-name"
)

// Mark is k8sgang.PatchObject with the name of the task, which pods of Volcano have, too.
func Mark(patch *gang.Patch, task string, object metav1.Object) error {
	if err := k8sgang.PatchObject(patch, object); err != nil {
		return err
	}
	if patch.Annotations[GroupMark] != "" {
		object.SetAnnotations(Merge(object.GetAnnotations(), map[string]string{TaskMark: task}))
	}
	return nil
}

// Inherits has the PodGroups of Volcano inherit the annotations of a job.
func Inherits(annotations map[string]string) apply.Completion {
	return func(object *unstructured.Unstructured) {
		if object.GroupVersionKind().Group == VolcanoGroup {
			apply.Inherit(object, annotations)
		}
	}
}

// Release gives a PodGroup of Volcano, if there is one, a minimum of 0, with which it holds no
// capacity of its queue. It tells whether it wrote.
func Release(ctx context.Context, c client.Client, namespace, name string) (bool, error) {
	key := client.ObjectKey{Namespace: namespace, Name: name}
	group := apply.New(schema.GroupVersionKind{Group: VolcanoGroup, Version: "v1beta1",
		Kind: "PodGroup"})
	if err := c.Get(ctx, key, group); err != nil {
		return false, client.IgnoreNotFound(err)
	}
	spec, _ := group.Object["spec"].(map[string]any)
	if minimum, _, _ := unstructured.NestedInt64(spec, "minMember"); minimum == 0 {
		return false, nil
	}
	spec["minMember"], spec["minResources"] = int64(0), map[string]any{}
	return true, c.Update(ctx, group)
}

// Keys are the labels of a job that its pods get, too. Some have a second key there.
type Keys map[string]string

// Of has the labels for the pods of a job.
func (k Keys) Of(job map[string]string) map[string]string {
	found := map[string]string{}
	for key, second := range k {
		if job[key] == "" {
			continue
		}
		found[key] = job[key]
		if second != "" {
			found[second] = job[key]
		}
	}
	return found
}

// StyleOf is that of the scheduler that a plan is for.
func StyleOf(plan *gang.Plan) Style {
	for _, object := range plan.Objects() {
		if strings.HasPrefix(object.APIVersion, VolcanoGroup+"/") {
			return Volcano
		}
	}
	for _, patch := range plan.Patches() {
		if patch.Annotations[TaskGroup] != "" {
			return YuniKorn
		}
	}
	return Plain
}

// Names change a job that is planned for a scheduler of a style.
type Names map[Style]func(*Job) error

// Plan plans a job, which is not changed. Only a plan tells which scheduler the policy chooses: if
// its style has names, the job is planned again with these.
//
// The plan is made of a copy without what would make libgang leave the gang to the operator's own
// plugins: the marks of the job, and the label by which users ask for one, if there is such a
// label. The policy may select by all labels. Nil: the job has no pods of its own.
func Plan(ctx context.Context, keeper *apply.Keeper, kind schema.GroupVersionKind,
	job client.Object, label string, names Names) (*gang.Plan, error) {
	copied, _ := job.DeepCopyObject().(client.Object)
	delete(copied.GetLabels(), label)
	for _, mark := range []string{GroupMark, TaskMark, TaskGroups} {
		delete(copied.GetAnnotations(), mark)
	}
	known, err := of(kind, copied, job.GetLabels())
	if err != nil || known == nil {
		return nil, err
	}
	plan, err := keeper.Planner.Plan(ctx, keeper.Client, known.Unstructured, 0)
	style := StyleOf(plan)
	if err != nil || names[style] == nil {
		return plan, err
	}
	plan.Close()
	if err := names[style](known); err != nil {
		return nil, err
	}
	plan, err = keeper.Planner.Plan(ctx, keeper.Client, known.Unstructured, 0)
	if err == nil && StyleOf(plan) != style {
		plan.Close()
		return nil, errors.New("the policy changes while the job is planned")
	}
	return plan, err
}

func of(kind schema.GroupVersionKind, job any, labels map[string]string) (*Job, error) {
	document, err := k8sgang.Parse(kind, job)
	if err != nil {
		return nil, err
	}
	defer document.Close()
	if document.NumGangs() == 0 {
		return nil, nil
	}
	text, err := document.GangJob(0, gang.FormatJSON)
	if errors.Is(err, &gang.Error{Result: gang.ResultInvalidArgument}) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	known := &Job{&unstructured.Unstructured{}}
	if err := known.UnmarshalJSON(text); err != nil {
		return nil, err
	}
	known.SetLabels(labels)
	return known, nil
}

// Merge returns the values with others in addition or in their place. Nil: there are none.
func Merge(values, more map[string]string) map[string]string {
	if len(values)+len(more) == 0 {
		return nil
	}
	merged := map[string]string{}
	maps.Copy(merged, values)
	maps.Copy(merged, more)
	return merged
}
