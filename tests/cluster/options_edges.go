// SPDX-License-Identifier: Apache-2.0

package main

import (
	"slices"
	"strings"
)

// An edge changes a job to a size at a limit, and says whether the kind has such a size.
type edge struct {
	name  string
	apply func(document) bool
}

var edges = []edge{
	{"as written", func(document) bool { return true }},
	{"0", func(job document) bool { return setCounts(job, 0) }},
	{"last role 0", lastRoleEmpty},
	{"1", func(job document) bool { return setCounts(job, 1) }},
	{"suspended", func(job document) bool { return setSuspend(job, true) }},
	{"elastic", setElastic},
}

// A podCount is the number of pods of a role: fields that have the same value.
type podCount struct {
	parent document
	keys   []string
	least  float64
}

func (c podCount) set(value float64) {
	for _, key := range c.keys {
		c.parent[key] = max(value, c.least)
	}
}

// countsOf finds the numbers of pods that the author of a job writes, role by role.
func countsOf(job document) []podCount {
	spec, _ := job["spec"].(document)
	var found []podCount
	add := func(parent any, keys ...string) {
		if fields, ok := parent.(document); ok {
			found = append(found, podCount{parent: fields, keys: keys})
		}
	}
	switch kind := kindOf(job); kind {
	case "Job":
		add(spec, "parallelism", "completions")
	case "StatefulSet":
		add(spec, "replicas")
	case "JobSet":
		for _, role := range list(spec["replicatedJobs"]) {
			add(role, "replicas")
		}
	case "LeaderWorkerSet":
		add(spec, "replicas")
		found = append(found, podCount{at(spec, "leaderWorkerTemplate").(document), []string{"size"}, 1})
	case "DisaggregatedSet":
		for _, role := range list(spec["roles"]) {
			add(at(role, "spec"), "replicas")
		}
	case "RayCluster", "RayJob", "RayService":
		for _, group := range list(rayClusterOf(job)["workerGroupSpecs"]) {
			add(group, "replicas", "minReplicas")
		}
	case "SparkApplication":
		add(spec["executor"], "instances")
	case "AppWrapper":
		for _, component := range list(spec["components"]) {
			wrapped, _ := at(component, "template").(document)
			found = append(found, countsOf(wrapped)...)
		}
	case "GangJob":
		for _, role := range list(spec["roles"]) {
			add(role, "count")
		}
	case "TrainJob":
		add(spec["trainer"], "numNodes")
	default: // MPIJob, PyTorchJob and their relatives
		for _, name := range sortedKeys(spec) {
			if strings.HasSuffix(strings.ToLower(name), "replicaspecs") {
				types := spec[name].(document)
				for _, role := range sortedKeys(types) {
					add(types[role], "replicas")
				}
			}
		}
	}
	return found
}

func rayClusterOf(job document) document {
	path := map[string][]string{"RayCluster": {"spec"}, "RayJob": {"spec", "rayClusterSpec"},
		"RayService": {"spec", "rayClusterConfig"}}[kindOf(job)]
	found, _ := at(job, path...).(document)
	return found
}

func setCounts(job document, value float64) bool {
	counts := countsOf(job)
	for _, one := range counts {
		one.set(value)
	}
	return len(counts) > 0
}

func lastRoleEmpty(job document) bool {
	counts := countsOf(job)
	if len(counts) > 1 {
		counts[len(counts)-1].set(0)
	}
	return len(counts) > 1
}

// setSuspend suspends or resumes a job whose kind can be suspended.
func setSuspend(job document, value bool) bool {
	spec, _ := job["spec"].(document)
	switch kind := kindOf(job); kind {
	case "Job", "JobSet", "RayCluster", "RayJob", "SparkApplication", "AppWrapper", "TrainJob",
		"GangJob":
		spec["suspend"] = value
	case "MPIJob", "PyTorchJob", "TFJob", "XGBoostJob", "PaddleJob", "JAXJob":
		set(spec, value, "runPolicy", "suspend")
	default:
		return false
	}
	return true
}

// setElastic lets a job start with fewer pods than it has, where its kind can say so.
func setElastic(job document) bool {
	spec, _ := job["spec"].(document)
	switch kind := kindOf(job); kind {
	case "Job":
		set(job, "1", "metadata", "annotations", "kueue.x-k8s.io/job-min-parallelism")
	case "RayCluster", "RayJob", "RayService":
		rayClusterOf(job)["enableInTreeAutoscaling"] = true
		for _, group := range list(rayClusterOf(job)["workerGroupSpecs"]) {
			group.(document)["minReplicas"] = 0.0
		}
	case "SparkApplication":
		spec["dynamicAllocation"] = document{"enabled": true, "minExecutors": 1.0, "maxExecutors": 4.0}
	case "GangJob":
		for _, role := range list(spec["roles"]) {
			set(role.(document), 0.0, "minCount")
		}
	case "MPIJob", "PyTorchJob", "TFJob", "XGBoostJob", "PaddleJob", "JAXJob":
		set(spec, 1.0, "runPolicy", "schedulingPolicy", "minAvailable")
	default:
		return false
	}
	return true
}

// changesOf are what an author can do to a job that exists, the first that the server takes counts.
func changesOf(job document) []document {
	larger := copyOf(job)
	var all []document
	for _, one := range slices.Backward(countsOf(larger)) {
		value, isNumber := one.parent[one.keys[0]].(float64)
		if kindOf(job) == "JobSet" || one.least > 0 { // immutable
			continue
		}
		if !isNumber {
			value = 1
		}
		one.set(value + 1)
		all = append(all, larger)
		break
	}
	other := copyOf(job)
	if setSuspend(other, !isSuspended(job)) {
		all = append(all, other)
		if isSuspended(job) {
			slices.Reverse(all)
		}
	}
	return all
}

func isSuspended(job document) bool {
	for _, path := range [][]string{{"spec", "suspend"}, {"spec", "runPolicy", "suspend"}} {
		if suspended, _ := at(job, path...).(bool); suspended {
			return true
		}
	}
	return false
}
