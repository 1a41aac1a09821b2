// SPDX-License-Identifier: Apache-2.0

package k8sgang

import (
	"errors"
	"fmt"
	"strings"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"libgang.dev/gang"
)

// PatchUnstructuredJobSet is PatchJobSet for a webhook: it keeps the fields of newer versions of
// JobSet and of Kubernetes that the typed JobSet would lose, and can set every field of a patch.
func PatchUnstructuredJobSet(plan *gang.Plan, jobSet *unstructured.Unstructured) error {
	if plan == nil || jobSet == nil {
		return errNil
	}
	patched := jobSet.DeepCopy()
	roles, _, err := unstructured.NestedSlice(patched.Object, "spec", "replicatedJobs")
	if err != nil {
		return fmt.Errorf("k8sgang: %w", err)
	}
	for _, patch := range plan.Patches() {
		target := patched.Object
		if patch.Role != "" {
			target = unstructuredTemplate(roles, patch.Role)
		}
		if target == nil {
			return fmt.Errorf("k8sgang: JobSet %s/%s has no replicatedJob %q",
				jobSet.GetNamespace(), jobSet.GetName(), patch.Role)
		}
		if err := PatchUnstructured(&patch, target); err != nil {
			return err
		}
	}
	if roles != nil {
		err = unstructured.SetNestedSlice(patched.Object, roles, "spec", "replicatedJobs")
	}
	if err == nil {
		jobSet.Object = patched.Object
	}
	return err
}

func unstructuredTemplate(roles []any, name string) map[string]any {
	for _, role := range roles {
		role, _ := role.(map[string]any)
		if role["name"] != name {
			continue
		}
		template, _, _ := unstructured.NestedFieldNoCopy(role, "template", "spec", "template")
		found, _ := template.(map[string]any)
		return found
	}
	return nil
}

// PatchUnstructured sets the fields of a patch in a pod template, or in a pod that is not created yet.
// If it fails, nothing is set.
func PatchUnstructured(patch *gang.Patch, target map[string]any) error {
	if patch == nil || target == nil {
		return errNil
	}
	var fields []patchedField
	set := func(value string, path ...string) {
		fields = append(fields, patchedField{value, path})
	}
	for key, value := range patch.Labels {
		set(value, "metadata", "labels", key)
	}
	for key, value := range patch.Annotations {
		set(value, "metadata", "annotations", key)
	}
	for path, value := range patch.Spec { // "schedulingGroup.podGroupName"
		set(value, append([]string{"spec"}, strings.Split(path, ".")...)...)
	}
	return setAll(target, fields)
}

type patchedField struct {
	value string
	path  []string
}

// setAll sets the fields unless one of them is below a value that is no map.
func setAll(target map[string]any, fields []patchedField) error {
	var failed error
	for _, field := range fields {
		_, _, err := unstructured.NestedFieldNoCopy(target, field.path...)
		failed = errors.Join(failed, err)
	}
	for i := 0; i < len(fields) && failed == nil; i++ {
		removeNulls(target, fields[i].path)
		failed = unstructured.SetNestedField(target, fields[i].value, fields[i].path...)
	}
	if failed != nil {
		return fmt.Errorf("k8sgang: %w", failed)
	}
	return nil
}

// removeNulls makes room for a field: a map that is null is one that is not set.
func removeNulls(target map[string]any, path []string) {
	for _, name := range path {
		if value, found := target[name]; found && value == nil {
			delete(target, name)
		}
		target, _ = target[name].(map[string]any)
	}
}
