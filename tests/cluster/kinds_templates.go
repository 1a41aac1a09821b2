// SPDX-License-Identifier: Apache-2.0

package main

import (
	"maps"
	"slices"
	"strings"
)

// templatesOf finds the pod templates of a job, by the name that the role has in a plan.
func templatesOf(job document) map[string]document {
	spec, _ := job["spec"].(document)
	found := map[string]document{}
	add := func(role string, template any) {
		if one, ok := template.(document); ok {
			found[role] = one
		}
	}
	switch kind := kindOf(job); kind {
	case "Pod":
		add("main", job)
	case "RoleBasedGroup":
		for _, role := range list(spec["roles"]) {
			for _, pattern := range []string{"standalonePattern", "leaderWorkerPattern"} {
				add(text(role, "name"), at(role, pattern, "template"))
			}
		}
	case "Job", "StatefulSet":
		add("main", spec["template"])
	case "CronJob":
		add("main", at(spec, "jobTemplate", "spec", "template"))
	case "JobSet":
		for _, role := range list(spec["replicatedJobs"]) {
			add(text(role, "name"), at(role, "template", "spec", "template"))
		}
	case "LeaderWorkerSet":
		for _, role := range []string{"leader", "worker"} {
			add(role, at(spec, "leaderWorkerTemplate", role+"Template"))
		}
	case "DisaggregatedSet":
		for _, role := range list(spec["roles"]) {
			addGroupTemplates(text(role, "name"), at(role, "spec", "leaderWorkerTemplate"), add)
		}
	case "RayCluster":
		addRayTemplates(spec, add)
	case "RayJob", "RayService":
		cluster, _ := at(spec, map[string]string{"RayJob": "rayClusterSpec",
			"RayService": "rayClusterConfig"}[kind]).(document)
		addRayTemplates(cluster, add)
		add("submitter", spec["submitterPodTemplate"])
	case "SparkApplication":
		for _, role := range []string{"driver", "executor"} {
			add(role, at(spec, role, "template"))
		}
	case "AppWrapper":
		for _, component := range list(spec["components"]) {
			wrapped, _ := at(component, "template").(document)
			for role, template := range templatesOf(wrapped) {
				found[role] = template
			}
		}
	default: // MPIJob, PyTorchJob and their relatives
		for name, replicas := range spec {
			if strings.HasSuffix(strings.ToLower(name), "replicaspecs") {
				for role, one := range replicas.(document) {
					add(strings.ToLower(role), at(one, "template"))
				}
			}
		}
	}
	return found
}

// addGroupTemplates adds those of a group, whose pods are one role or a leader and workers.
func addGroupTemplates(name string, group any, add func(string, any)) {
	for _, role := range []string{name, name + "-leader", name + "-worker"} {
		add(role, at(group, "workerTemplate"))
	}
	add(name+"-leader", at(group, "leaderTemplate"))
}

func addRayTemplates(cluster document, add func(string, any)) {
	add("head", at(cluster, "headGroupSpec", "template"))
	for _, group := range list(at(cluster, "workerGroupSpecs")) {
		add(strings.ToLower(text(group, "groupName")), at(group, "template"))
	}
}

// onNodes makes all pods of a job run on nodes with some labels.
func onNodes(job document, labels map[string]string) {
	for _, template := range templatesOf(job) {
		for label, value := range labels {
			set(template, value, "spec", "nodeSelector", label)
		}
	}
}

// withImages gives every container an image: the API server wants one.
func withImages(job document) {
	for _, template := range append(itemsOf(job), slices.Collect(maps.Values(templatesOf(job)))...) {
		for _, kind := range []string{"containers", "initContainers"} {
			for _, container := range list(at(template, "spec", kind)) {
				if text(container, "image") == "" {
					container.(document)["image"] = "none"
				}
			}
		}
	}
}
