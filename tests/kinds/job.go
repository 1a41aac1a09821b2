// SPDX-License-Identifier: Apache-2.0
package main

import (
	"strconv"

	batchv1 "k8s.io/api/batch/v1"
	kueuejob "sigs.k8s.io/kueue/pkg/controller/jobs/job"
)

func init() {
	register(kind{name: "Job", make: makeJob, ask: askJob,
		source: "Kueue v0.19.2 (*job.Job).PodSets, after the defaults of k8s.io/kubernetes " +
			"pkg/apis/batch/v1"})
}

func makeJob(r random) object {
	spec := object{"template": r.batchTemplate("main")}
	jobNumbers(r, spec)
	job := object{"apiVersion": "batch/v1", "kind": "Job",
		"metadata": r.metadata("nightly"), "spec": spec}
	r.maybe(20, spec, "suspend", r.chance(70))
	r.maybe(15, spec, "managedBy", choose(r, "kubernetes.io/job-controller",
		"kueue.x-k8s.io/multikueue"))
	r.maybe(30, spec, "backoffLimit", r.between(0, 6))
	// Kueue's webhook refuses a minimum that is not below the number of pods.
	if pods := podsOfJob(spec); pods > 1 && r.chance(35) {
		annotate(job, "kueue.x-k8s.io/job-min-parallelism", strconv.Itoa(r.between(1, pods-1)))
	}
	return job
}

// jobNumbers sets parallelism, completions and completionMode, each of them absent at times.
func jobNumbers(r random, spec object) {
	parallelism := r.between(1, 5)
	r.maybe(75, spec, "parallelism", parallelism)
	switch r.IntN(4) {
	case 0:
		spec["completions"] = parallelism
	case 1:
		spec["completions"] = r.between(1, 8)
	}
	if _, given := spec["completions"]; given {
		r.maybe(60, spec, "completionMode", choose(r, "Indexed", "Indexed", "NonIndexed"))
	}
}

func podsOfJob(spec object) int {
	pods := 1
	if parallelism, given := spec["parallelism"]; given {
		pods = parallelism.(int)
	}
	if completions, given := spec["completions"]; given {
		pods = min(pods, completions.(int))
	}
	return pods
}

func defaultJob(spec *batchv1.JobSpec) {
	if spec.Completions == nil && spec.Parallelism == nil {
		spec.Completions = number(1)
		spec.Parallelism = number(1)
	}
	if spec.Parallelism == nil {
		spec.Parallelism = number(1)
	}
}

func askJob(document object) *answer {
	job := decode[batchv1.Job](document)
	defaultJob(&job.Spec)
	result := &answer{Suspend: job.Spec.Suspend != nil && *job.Spec.Suspend}
	if managedElsewhere(job.Spec.ManagedBy, "kubernetes.io/job-controller") {
		result.NoGang = true
		return result
	}
	result.Roles = fromPodSets((*kueuejob.Job)(job).PodSets(background, nil))
	return result
}

func managedElsewhere(managedBy *string, own string) bool {
	return managedBy != nil && *managedBy != own
}
