// SPDX-License-Identifier: Apache-2.0

package k8sgang

import (
	"fmt"
	"maps"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/jobset/api/jobset/v1alpha2"

	"libgang.dev/gang"
)

// PatchTemplate sets the fields of a patch in a pod template. Existing values of other fields are
// kept. A field that this version of Kubernetes' types does not have is an error, and the template is
// not changed.
func PatchTemplate(patch *gang.Patch, template *corev1.PodTemplateSpec) error {
	if patch == nil || template == nil {
		return errNil
	}
	return patchPod(patch, &template.ObjectMeta, &template.Spec)
}

// PatchPod sets the fields of a patch in a pod that is not created yet.
func PatchPod(patch *gang.Patch, pod *corev1.Pod) error {
	if patch == nil || pod == nil {
		return errNil
	}
	return patchPod(patch, &pod.ObjectMeta, &pod.Spec)
}

// PatchObject sets the fields of a patch in a pod or a pod template, and its labels and annotations
// in an object of another type.
func PatchObject(patch *gang.Patch, object metav1.Object) error {
	switch object := object.(type) {
	case *corev1.Pod:
		return PatchPod(patch, object)
	case *corev1.PodTemplateSpec:
		return PatchTemplate(patch, object)
	case nil:
		return errNil
	}
	if patch == nil {
		return errNil
	}
	object.SetLabels(merged(object.GetLabels(), patch.Labels))
	object.SetAnnotations(merged(object.GetAnnotations(), patch.Annotations))
	return nil
}

// The fields of a pod that a patch may set, by their paths.
var podFields = map[string]func(*corev1.PodSpec, string){
	"schedulerName":     func(pod *corev1.PodSpec, value string) { pod.SchedulerName = value },
	"priorityClassName": func(pod *corev1.PodSpec, value string) { pod.PriorityClassName = value },
	"schedulingGroup.podGroupName": func(pod *corev1.PodSpec, value string) {
		pod.SchedulingGroup = &corev1.PodSchedulingGroup{PodGroupName: &value}
	},
}

func patchPod(patch *gang.Patch, metadata *metav1.ObjectMeta, spec *corev1.PodSpec) error {
	for path := range patch.Spec {
		if podFields[path] == nil {
			return fmt.Errorf("k8sgang: pods of k8s.io/api have no spec.%s", path)
		}
	}
	for path, value := range patch.Spec {
		podFields[path](spec, value)
	}
	patchMetadata(patch, metadata)
	return nil
}

func patchMetadata(patch *gang.Patch, metadata *metav1.ObjectMeta) {
	metadata.Labels = merged(metadata.Labels, patch.Labels)
	metadata.Annotations = merged(metadata.Annotations, patch.Annotations)
}

func merged(into, from map[string]string) map[string]string {
	if into == nil && len(from) > 0 {
		into = map[string]string{}
	}
	maps.Copy(into, from)
	return into
}

// PatchJobSet sets the fields of all patches of a plan in a JobSet that is not created yet: those of
// the job in its metadata, those of a role in its replicatedJob. A role that the JobSet does not have
// is an error, and the JobSet is not changed.
func PatchJobSet(plan *gang.Plan, jobSet *v1alpha2.JobSet) error {
	if plan == nil || jobSet == nil {
		return errNil
	}
	patched := jobSet.DeepCopy()
	for _, patch := range plan.Patches() {
		if patch.Role == "" {
			if len(patch.Spec) > 0 {
				return fmt.Errorf("k8sgang: a patch of spec for the %s", patch.Target)
			}
			patchMetadata(&patch, &patched.ObjectMeta)
			continue
		}
		template := templateOf(patched, patch.Role)
		if template == nil {
			return fmt.Errorf("k8sgang: JobSet %s/%s has no replicatedJob %q",
				jobSet.Namespace, jobSet.Name, patch.Role)
		}
		if err := PatchTemplate(&patch, template); err != nil {
			return err
		}
	}
	*jobSet = *patched
	return nil
}

func templateOf(jobSet *v1alpha2.JobSet, role string) *corev1.PodTemplateSpec {
	for i := range jobSet.Spec.ReplicatedJobs {
		if jobSet.Spec.ReplicatedJobs[i].Name == role {
			return &jobSet.Spec.ReplicatedJobs[i].Template.Spec.Template
		}
	}
	return nil
}
