// SPDX-License-Identifier: Apache-2.0
package main

import (
	"fmt"

	ray "github.com/ray-project/kuberay/ray-operator/apis/ray/v1"
	"github.com/ray-project/kuberay/ray-operator/controllers/ray/common"
	"github.com/ray-project/kuberay/ray-operator/controllers/ray/utils"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	utilruntime "k8s.io/apimachinery/pkg/util/runtime"
	kueueraycluster "sigs.k8s.io/kueue/pkg/controller/jobs/raycluster"
	kueuerayjob "sigs.k8s.io/kueue/pkg/controller/jobs/rayjob"
)

const rayCounts = "KubeRay v1.6.2 utils.GetWorkerGroupDesiredReplicas (count), " +
	"utils.CalculateMinReplicas (minCount), common.DefaultHeadPodTemplate and " +
	"DefaultWorkerPodTemplate (requests, with the containers that the operator adds)"

func init() {
	register(kind{name: "RayCluster", make: makeRayCluster, ask: askRayCluster,
		source: rayCounts + "; Kueue v0.19.2 (*raycluster.RayCluster).PodSets"})
	register(kind{name: "RayJob", make: makeRayJob, ask: askRayJob,
		source: rayCounts + ", common.GetSubmitterTemplate; Kueue v0.19.2 " +
			"(*rayjob.RayJob).PodSets. The submitter's edges follow from the source of " +
			"RayJobReconciler.Reconcile; they were not run"})
	register(kind{name: "RayService", make: makeRayService, ask: askRayService,
		source: rayCounts + "; Kueue v0.19.2 raycluster.BuildPodSets"})
}

// ---- documents ----

func makeRayCluster(r random) object {
	document := object{"apiVersion": "ray.io/v1", "kind": "RayCluster",
		"metadata": r.metadata("cluster"), "spec": r.rayClusterSpec()}
	spec := document["spec"].(object)
	r.maybe(15, spec, "suspend", r.chance(70))
	r.maybe(15, spec, "managedBy", rayManager(r))
	return document
}

func rayManager(r random) string {
	return choose(r, "ray.io/kuberay-operator", "kueue.x-k8s.io/multikueue")
}

func (r random) rayClusterSpec() object {
	autoscaling := r.chance(35)
	groups := []any{}
	for i := range r.between(0, 3) {
		groups = append(groups, r.workerGroup(fmt.Sprintf("group-%d", i), autoscaling))
	}
	spec := object{
		"headGroupSpec": object{"rayStartParams": object{}, "template": r.podTemplate("ray-head")},
	}
	if len(groups) > 0 || r.chance(50) {
		spec["workerGroupSpecs"] = groups
	}
	if autoscaling {
		spec["enableInTreeAutoscaling"] = true
		if r.chance(40) {
			options := object{}
			if resources := r.resources(); resources != nil && r.chance(70) {
				options["resources"] = resources
			}
			spec["autoscalerOptions"] = options
		}
	} else {
		r.maybe(10, spec, "enableInTreeAutoscaling", false)
	}
	return spec
}

// The CRD sets both bounds where they are absent.
func (r random) workerGroup(name string, autoscaling bool) object {
	group := object{"groupName": name, "rayStartParams": object{},
		"template": r.podTemplate("ray-worker")}
	low := r.between(0, 3)
	r.maybe(80, group, "replicas", r.between(0, 6))
	r.maybe(70, group, "minReplicas", low)
	r.maybe(70, group, "maxReplicas", low+r.between(0, 4))
	r.maybe(30, group, "numOfHosts", choose(r, 1, 2, 4))
	if !autoscaling { // KubeRay refuses both
		r.maybe(15, group, "suspend", r.chance(60))
	}
	return group
}

func makeRayJob(r random) object {
	spec := object{"entrypoint": "python main.py"}
	document := object{"apiVersion": "ray.io/v1", "kind": "RayJob",
		"metadata": r.metadata("rayjob"), "spec": spec}
	r.maybe(10, spec, "managedBy", rayManager(r))
	if r.chance(5) {
		spec["clusterSelector"] = object{"ray.io/cluster": "other"}
		return document
	}
	spec["rayClusterSpec"] = r.rayClusterSpec()
	r.maybe(60, spec, "submissionMode",
		choose(r, "K8sJobMode", "HTTPMode", "InteractiveMode", "SidecarMode"))
	if mode, given := spec["submissionMode"]; !given || mode == "K8sJobMode" {
		if r.chance(30) {
			spec["submitterPodTemplate"] = r.batchTemplate("submit")
		}
	}
	if r.chance(20) {
		spec["suspend"] = r.chance(70)
		spec["shutdownAfterJobFinishes"] = true
	}
	return document
}

func makeRayService(r random) object {
	return object{"apiVersion": "ray.io/v1", "kind": "RayService",
		"metadata": r.metadata("serve"),
		"spec": object{"serveConfigV2": "applications: []",
			"rayClusterConfig": r.rayClusterSpec()}}
}

// ---- answers ----

func askRayCluster(document object) *answer {
	cluster := decode[ray.RayCluster](document)
	defaultRayCluster(&cluster.Spec)
	utilruntime.Must(utils.ValidateRayClusterSpec(&cluster.Spec, nil))
	result := &answer{Suspend: cluster.Spec.Suspend != nil && *cluster.Spec.Suspend}
	if managedElsewhere(cluster.Spec.ManagedBy, utils.KubeRayController) {
		result.NoGang = true
		return result
	}
	theirs := fromPodSets((*kueueraycluster.RayCluster)(cluster).PodSets(background, nil))
	result.Roles = rayRoles(&cluster.Spec)
	result.sameAsKueue(theirs, rayReason(&cluster.Spec))
	return result
}

func askRayJob(document object) *answer {
	job := decode[ray.RayJob](document)
	if job.Spec.SubmissionMode == "" {
		job.Spec.SubmissionMode = ray.K8sJobMode
	}
	if job.Spec.RayClusterSpec != nil {
		defaultRayCluster(job.Spec.RayClusterSpec)
	}
	utilruntime.Must(utils.ValidateRayJobSpec(job))
	result := &answer{Suspend: job.Spec.Suspend}
	if len(job.Spec.ClusterSelector) > 0 ||
		managedElsewhere(job.Spec.ManagedBy, utils.KubeRayController) {
		result.NoGang = true
		return result
	}
	spec := job.Spec.RayClusterSpec
	theirs := fromPodSets((*kueuerayjob.RayJob)(job).PodSets(background, nil))
	result.Roles = rayRoles(spec)
	switch job.Spec.SubmissionMode {
	case ray.K8sJobMode:
		template := common.GetSubmitterTemplate(&job.Spec, spec)
		result.Roles = append(result.Roles, submitter(&template, result.Roles))
	case ray.SidecarMode:
		pod := headPod(spec)
		pod.Spec.Containers = append(pod.Spec.Containers, common.GetDefaultSubmitterContainer(spec))
		result.Roles[0].Requests = requestsOf(pod)
	}
	result.sameAsKueue(theirs, rayReason(spec))
	return result
}

func askRayService(document object) *answer {
	service := decode[ray.RayService](document)
	spec := &service.Spec.RayClusterSpec
	defaultRayCluster(spec)
	utilruntime.Must(utils.ValidateRayServiceSpec(service))
	theirs := fromPodSets(kueueraycluster.BuildPodSets(spec, nil))
	result := &answer{Roles: rayRoles(spec),
		Suspend: spec.Suspend != nil && *spec.Suspend}
	result.sameAsKueue(theirs, rayReason(spec))
	return result
}

// defaultRayCluster sets the CRD's defaults of a worker group.
func defaultRayCluster(spec *ray.RayClusterSpec) {
	for i := range spec.WorkerGroupSpecs {
		group := &spec.WorkerGroupSpecs[i]
		for _, one := range []struct {
			field    **int32
			absently int32
		}{{&group.Replicas, 0}, {&group.MinReplicas, 0}, {&group.MaxReplicas, 1<<31 - 1}} {
			if *one.field == nil {
				*one.field = number(one.absently)
			}
		}
		if group.NumOfHosts == 0 {
			group.NumOfHosts = 1
		}
	}
}

// rayRoles asks the operator for each group alone: its sums have no numbers of one group.
func rayRoles(spec *ray.RayClusterSpec) []*role {
	roles := []*role{{Name: "head", Count: 1, Requests: requestsOf(headPod(spec))}}
	for i := range spec.WorkerGroupSpecs {
		group := spec.WorkerGroupSpecs[i].DeepCopy()
		one := &role{Name: group.GroupName, Count: utils.GetWorkerGroupDesiredReplicas(*group),
			Requests: requestsOf(workerPod(spec, group))}
		if utils.IsAutoscalingEnabled(spec) {
			alone := &ray.RayCluster{Spec: ray.RayClusterSpec{
				WorkerGroupSpecs: []ray.WorkerGroupSpec{*group}}}
			if least := utils.CalculateMinReplicas(alone); least != one.Count {
				one.MinCount = number(least)
			}
		}
		roles = append(roles, one)
	}
	return roles
}

func rayCluster(spec *ray.RayClusterSpec) ray.RayCluster {
	return ray.RayCluster{ObjectMeta: metav1.ObjectMeta{Name: "cluster"}, Spec: *spec.DeepCopy()}
}

func headPod(spec *ray.RayClusterSpec) *corev1.PodTemplateSpec {
	cluster := rayCluster(spec)
	pod := common.DefaultHeadPodTemplate(background, cluster, cluster.Spec.HeadGroupSpec, "head",
		"6379")
	return &pod
}

func workerPod(spec *ray.RayClusterSpec, group *ray.WorkerGroupSpec) *corev1.PodTemplateSpec {
	cluster := rayCluster(spec)
	pod := common.DefaultWorkerPodTemplate(background, cluster, *group.DeepCopy(), "worker", "head",
		"6379", "", 0, 0)
	return &pod
}

// The submitter's Job is made when the RayCluster's state is ready: every pod that it wants runs.
func submitter(template *corev1.PodTemplateSpec, cluster []*role) *role {
	after := map[string]string{}
	for _, one := range cluster {
		if one.Count > 0 {
			after[one.Name] = "Ready"
		}
	}
	return &role{Name: "submitter", Count: 1, After: after, Requests: requestsOf(template)}
}

// rayReason lists where Kueue's pod sets differ from the pods that KubeRay creates.
func rayReason(spec *ray.RayClusterSpec) func(string, string) string {
	autoscaling := utils.IsAutoscalingEnabled(spec)
	return func(name, field string) string {
		for i := range spec.WorkerGroupSpecs {
			group := &spec.WorkerGroupSpecs[i]
			if group.GroupName != name {
				continue
			}
			switch {
			case field == "count" && group.Suspend != nil && *group.Suspend:
				return "Kueue counts the pods of a suspended group"
			case field == "count" && (*group.Replicas < *group.MinReplicas ||
				*group.Replicas > *group.MaxReplicas):
				return "Kueue does not limit replicas to minReplicas and maxReplicas"
			case field == "minCount" && autoscaling:
				return "Kueue has no minimum of an autoscaled group"
			case field == "requests":
				return "Kueue leaves out the init container wait-gcs-ready of the workers"
			}
		}
		return ""
	}
}
