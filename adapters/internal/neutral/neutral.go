// SPDX-License-Identifier: Apache-2.0

// Package neutral has the GangJob of a job, in which an adapter changes what its operator's users
// see otherwise: names, the owner, and which pods wait for others.
package neutral

import (
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"libgang.dev/gang"
	"libgang.dev/gang/k8sgang"
)

// A Job is a GangJob.
type Job struct{ *unstructured.Unstructured }

// Of translates a job, which is not changed. Labels are those of the job, all of them: a policy may
// select by any. Nil: the job has no pods of its own.
func Of(kind schema.GroupVersionKind, job any, labels map[string]string) (*Job, error) {
	document, err := k8sgang.Parse(kind, job)
	if err != nil {
		return nil, err
	}
	defer document.Close()
	if document.NumGangs() == 0 {
		return nil, nil
	}
	text, err := document.GangJob(0, gang.FormatJSON)
	if err != nil {
		return nil, err
	}
	neutral := &Job{&unstructured.Unstructured{}}
	if err := neutral.UnmarshalJSON(text); err != nil {
		return nil, err
	}
	neutral.SetLabels(labels)
	return neutral, nil
}

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

// Place says where the pods of a role fit, with the labels by which other pods select them: a
// GangJob has the requests of its pods alone, and a placeholder without the rest holds another
// node.
func Place(role map[string]any, pod *corev1.PodTemplateSpec) error {
	spec := corev1.PodSpec{
		NodeSelector: pod.Spec.NodeSelector, Tolerations: pod.Spec.Tolerations,
		Affinity: pod.Spec.Affinity, TopologySpreadConstraints: pod.Spec.TopologySpreadConstraints,
		SchedulerName: pod.Spec.SchedulerName, PriorityClassName: pod.Spec.PriorityClassName,
	}
	labelled := corev1.PodTemplateSpec{Spec: spec}
	labelled.Labels = pod.Labels
	template, err := runtime.DefaultUnstructuredConverter.ToUnstructured(&labelled)
	if err != nil {
		return err
	}
	resources := map[string]any{"requests": role["requests"]}
	container := map[string]any{"name": "requests", "resources": resources}
	if err := unstructured.SetNestedSlice(
		template, []any{container}, "spec", "containers"); err != nil {
		return err
	}
	for _, field := range []string{"requests", "schedulerName", "priorityClassName"} {
		delete(role, field)
	}
	role["template"] = template
	return nil
}
