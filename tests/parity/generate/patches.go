// SPDX-License-Identifier: Apache-2.0

package generate

import "fmt"

// runtimePatches is one to three patches, each by a manager of its own.
func (d dice) runtimePatches(runtime object) list {
	var patches list
	for i := range d.between(1, 3) {
		manager := fmt.Sprintf("manager-%d.example.io/x", i)
		if d.chance(0.5) {
			manager = pick(d, "plain", "a/b/", "Example.io/x")
		}
		patch := object{"manager": manager}
		template := object{}
		d.maybe(35, template, "metadata", func() any { return d.patchMetadata() })
		d.maybe(75, template, "spec", func() any { return d.patchSpec(jobSetSpecOf(runtime)) })
		patch["trainingRuntimeSpec"] = object{"template": template}
		if d.chance(2) {
			patch["trainingRuntimeSpec"] = pick[any](d, nil, object{}, object{"template": nil})
		}
		patches = append(patches, patch)
	}
	return patches
}

func (d dice) patchMetadata() object {
	metadata := object{}
	d.maybe(40, metadata, "labels", func() any {
		return object{"team": "audio", "kai.scheduler/queue": "q8"}
	})
	d.maybe(70, metadata, "annotations", func() any { return object{queueKey: d.queue(), "by": "patch"} })
	return metadata
}

func jobSetSpecOf(runtime object) object {
	return runtime["spec"].(object)["template"].(object)["spec"].(object)
}

func (d dice) patchSpec(jobSet object) object {
	jobs := jobSet["replicatedJobs"].(list)
	order := d.Perm(len(jobs))
	var patched list
	for _, i := range order[:d.between(1, len(jobs))] {
		patched = append(patched, d.jobPatch(jobs[i].(object)))
	}
	if d.chance(6) {
		pod := object{"spec": object{"schedulingGates": list{}}}
		patched = append(patched, object{"name": "extra", "template": object{"spec": object{"template": pod}}})
	}
	return object{"replicatedJobs": patched}
}

func (d dice) jobPatch(job object) object {
	patch := object{"name": job["name"]}
	template := object{}
	d.maybe(15, template, "metadata", func() any {
		label := pick(d, "trainer", "trainer", "trainer", "dataset-initializer", "other")
		return object{"labels": object{ancestorLabel: label}}
	})
	d.maybe(75, template, "spec", func() any {
		podTemplate := object{}
		d.maybe(45, podTemplate, "metadata", func() any { return d.marks() })
		d.maybe(70, podTemplate, "spec", func() any { return d.podSpecPatch(job) })
		return object{"template": podTemplate}
	})
	if len(template) > 0 {
		patch["template"] = template
	}
	return patch
}

// podSpecPatch names containers of the job, in an order of its own, and now
// and then one that does not exist.
func (d dice) podSpecPatch(job object) object {
	spec := job["template"].(object)["spec"].(object)["template"].(object)["spec"].(object)
	patch := object{}
	d.maybe(50, patch, "containers", func() any { return d.containerPatches(spec["containers"]) })
	if _, ok := spec["initContainers"]; ok || d.chance(5) {
		d.maybe(60, patch, "initContainers", func() any { return d.containerPatches(spec["initContainers"]) })
	}
	d.maybe(20, patch, "nodeSelector", func() any { return object{"zone": "b"} })
	d.maybe(15, patch, "tolerations", func() any { return list{object{"key": "spot", "operator": "Exists"}} })
	d.maybe(10, patch, "schedulingGates", func() any { return list{object{"name": "example.io/gate"}} })
	d.maybe(5, patch, "serviceAccountName", func() any { return "runner" })
	d.maybe(3, patch, "terminationGracePeriodSeconds", func() any { return 5 })
	d.maybe(3, patch, "schedulerName", func() any { return "pruned" })
	return patch
}

func (d dice) containerPatches(containers any) list {
	existing, _ := containers.(list)
	patches := list{}
	for _, i := range d.Perm(len(existing)) {
		if !d.chance(70) {
			continue
		}
		patch := object{"name": existing[i].(object)["name"]}
		d.maybe(30, patch, "securityContext", func() any { return object{"runAsUser": 1000} })
		d.maybe(4, patch, "env", func() any { return list{object{"name": "PATCHED", "value": "1"}} })
		d.maybe(5, patch, "resources", func() any { return d.resources() })
		patches = append(patches, patch)
	}
	if d.chance(6) {
		patches = append(patches, object{"name": "appended"})
	}
	return patches
}
