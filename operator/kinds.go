// SPDX-License-Identifier: Apache-2.0

package main

import (
	"slices"
	"strconv"
	"strings"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

var (
	trainer        = schema.GroupVersion{Group: "trainer.kubeflow.org", Version: "v1alpha1"}
	trainJobKind   = trainer.WithKind("TrainJob")
	runtimeKind    = trainer.WithKind("TrainingRuntime")
	anyRuntimeKind = trainer.WithKind("ClusterTrainingRuntime")
	jobSetKind     = gvk("jobset.x-k8s.io/v1alpha2", "JobSet")
	batchJobKind   = gvk("batch/v1", "Job")
	rayClusterKind = gvk("ray.io/v1", "RayCluster")
	podKind        = gvk("v1", "Pod")
)

func gvk(apiVersion, kind string) schema.GroupVersionKind {
	return schema.FromAPIVersionAndKind(apiVersion, kind)
}

// A place is where the marks of a gang are put.
type place string

const (
	inTemplates place = "Templates" // of the job, when it is created
	inChildren  place = "Children"  // in the templates of the objects that its operator creates
	onPods      place = "Pods"      // when they are created
)

// A jobKind says where the marks of a kind of job are put, and how its pods and children name their
// job, role and gang.
//
// The name of a group of the Workload API contains the uid of the job, which does not exist when
// the job's webhook is called, so its marks are never in the job's own templates. A child or a pod
// knows the uid of its owner.
type jobKind struct {
	kind     schema.GroupVersionKind
	labels   place // for schedulers whose marks are labels and annotations
	workload place // for the Workload API
	children []schema.GroupVersionKind
	// Labels of the pods: their job and their role. Without the first one the controller of the pod,
	// or of its Job, is the job; without the second one the role is main.
	jobLabel, roleLabel string
	// roleOf reads the role where no label has it, partOf the part of a role that the library may have
	// made a role of its own, gangOf the number of the gang.
	roleOf, partOf func(*unstructured.Unstructured) string
	gangOf         func(*unstructured.Unstructured) uint64
	// The status has a list of metav1.Condition that is a map, so one more does no harm.
	hasConditions bool
}

// Sources: the code that labels pods and creates children.
var jobKinds = []jobKind{
	// kubeflow/trainer:pkg/runtime/framework/plugins/jobset/jobset.go@v2.3.0: the JobSet has the name
	// of the TrainJob, and fields that Trainer does not own stay.
	{kind: trainJobKind, labels: inChildren, workload: inChildren,
		children: []schema.GroupVersionKind{jobSetKind}, hasConditions: true},
	// kubernetes-sigs/jobset:pkg/controllers/jobset_controller.go@v0.12.0 labelAndAnnotateObject: the
	// labels are on Jobs and pods. RestartJobSet makes new Jobs.
	{kind: jobSetKind, labels: inTemplates, workload: inChildren,
		children: []schema.GroupVersionKind{batchJobKind},
		jobLabel: "jobset.sigs.k8s.io/jobset-name", roleLabel: "jobset.sigs.k8s.io/replicatedjob-name",
		hasConditions: true},
	// k8s.io/api:batch/v1/types.go@v0.36.2 JobNameLabel. A Job of a CronJob has a name.
	{kind: batchJobKind, labels: inTemplates, workload: onPods},
	// kubernetes/kubernetes:pkg/controller/statefulset@v1.36.3: a change of the template restarts
	// pods.
	{kind: gvk("apps/v1", "StatefulSet"), labels: inTemplates, workload: onPods},
	// ray-project/kuberay:ray-operator/controllers/ray/common/pod.go@v1.6.2 labelPod. CRDs before
	// v1.7 drop schedulingGroup from templates.
	{kind: rayClusterKind, labels: inTemplates, workload: onPods,
		jobLabel: "ray.io/cluster", roleOf: rayRole},
	// rayjob_controller.go@v1.6.2 constructRayClusterForRayJob, createK8sJobIfNeed: each retry has a
	// new RayCluster. Its pods are those of a RayCluster.
	{kind: gvk("ray.io/v1", "RayJob"), labels: inChildren, workload: onPods,
		children: []schema.GroupVersionKind{rayClusterKind, batchJobKind}, roleOf: rayRole},
	// kubernetes-sigs/lws:pkg/webhooks/pod_webhook.go@v0.9.0: all groups have one template, and a
	// change of it restarts them, so even schedulerName is set on the pods.
	{kind: gvk("leaderworkerset.x-k8s.io/v1", "LeaderWorkerSet"), labels: onPods, workload: onPods,
		jobLabel: "leaderworkerset.sigs.k8s.io/name", roleOf: lwsRole, gangOf: lwsGroup},
	// kubernetes-sigs/lws:pkg/controllers/disaggregatedset/lws_manager.go@v0.9.0 Create: the
	// labels are those of its LeaderWorkerSets and their pods.
	{kind: gvk("disaggregatedset.x-k8s.io/v1", "DisaggregatedSet"), labels: onPods, workload: onPods,
		jobLabel: "disaggregatedset.x-k8s.io/name", roleLabel: "disaggregatedset.x-k8s.io/role",
		partOf: lwsRole, gangOf: numberIn("disaggregatedset.x-k8s.io/slice")},
	// sgl-project/rbg:api/workloads/constants/label.go@v0.8.0-alpha.5
	{kind: gvk("workloads.x-k8s.io/v1alpha2", "RoleBasedGroup"), labels: inTemplates, workload: onPods,
		jobLabel: "rbg.workloads.x-k8s.io/group-name", roleLabel: "rbg.workloads.x-k8s.io/role-name",
		partOf: rbgComponent},
	// kubeflow/mpi-operator:pkg/controller/mpi_job_controller.go@v0.8.2 defaultLabels, newLauncherJob
	{kind: gvk("kubeflow.org/v2beta1", "MPIJob"), labels: inTemplates, workload: onPods,
		jobLabel: "training.kubeflow.org/job-name", roleLabel: "training.kubeflow.org/job-role"},
	trainingKind("PyTorchJob"), trainingKind("TFJob"), trainingKind("XGBoostJob"),
	trainingKind("PaddleJob"), trainingKind("JAXJob"),
	// kubeflow/spark-operator:pkg/common/spark.go@v2.5.2 LabelSparkAppName, and Spark's own
	// spark-role. A change of the spec submits the application again.
	{kind: gvk("sparkoperator.k8s.io/v1beta2", "SparkApplication"), labels: inTemplates,
		workload: onPods, jobLabel: "sparkoperator.k8s.io/app-name", roleLabel: "spark-role"},
}

// kubeflow/training-operator:pkg/apis/kubeflow.org/v1/common_types.go@v1.9.3 JobNameLabel,
// ReplicaTypeLabel
func trainingKind(name string) jobKind {
	return jobKind{kind: gvk("kubeflow.org/v1", name), labels: inTemplates, workload: onPods,
		jobLabel: "training.kubeflow.org/job-name", roleLabel: "training.kubeflow.org/replica-type"}
}

// rowOf finds a kind. Versions do not matter: webhooks are called with that of the rule.
func rowOf(apiVersion, kind string) *jobKind {
	wanted := gvk(apiVersion, kind).GroupKind()
	for i := range jobKinds {
		if jobKinds[i].kind.GroupKind() == wanted {
			return &jobKinds[i]
		}
	}
	return nil
}

func kindNames() []string {
	names := []string{podKind.Kind} // those that name their gang themselves
	for i := range jobKinds {
		names = append(names, jobKinds[i].kind.Kind)
	}
	return names
}

// kindsOf adds to names of kinds those that their operators create: the pods of a JobSet of a
// TrainJob belong to a Job.
func kindsOf(names []string) []string {
	found := slices.Clone(names)
	for i := 0; i < len(found); i++ {
		for _, row := range jobKinds {
			for _, child := range row.children {
				if row.kind.Kind == found[i] && !slices.Contains(found, child.Kind) {
					found = append(found, child.Kind)
				}
			}
		}
	}
	return found
}

// chooseKinds leaves the rows of the named kinds; of none: all.
func chooseKinds(names []string) {
	wanted := kindsOf(names)
	jobKinds = slices.DeleteFunc(slices.Clone(jobKinds), func(row jobKind) bool {
		return len(names) > 0 && !slices.Contains(wanted, row.kind.Kind)
	})
}

func (k *jobKind) isTrainJob() bool { return k != nil && k.kind == trainJobKind }

func (k *jobKind) placeFor(backendType string) place {
	if backendType == "Workload" {
		return k.workload
	}
	return k.labels
}

// roles are the names that the role of a pod can have in a plan.
func (k *jobKind) roles(object *unstructured.Unstructured) []string {
	switch label := object.GetLabels()[k.roleLabel]; {
	case k.partOf != nil:
		return []string{label, label + "-" + k.partOf(object)}
	case k.roleOf != nil:
		return []string{k.roleOf(object)}
	case k.roleLabel != "":
		return []string{label}
	}
	return []string{"main"}
}

// rayRole of a pod is its group; the pods of a submitter have none.
func rayRole(pod *unstructured.Unstructured) string {
	switch group := pod.GetLabels()["ray.io/group"]; group {
	case "headgroup":
		return "head"
	case "":
		return "submitter"
	default:
		return strings.ToLower(group)
	}
}

func lwsRole(pod *unstructured.Unstructured) string {
	if pod.GetLabels()["leaderworkerset.sigs.k8s.io/worker-index"] == "0" {
		return "leader"
	}
	return "worker"
}

func rbgComponent(pod *unstructured.Unstructured) string {
	return pod.GetLabels()["rbg.workloads.x-k8s.io/component-name"]
}

// lwsGroup reads the number of the group. LWS's webhook labels the leader with it, perhaps later;
// the name of the leader ends in it.
func lwsGroup(pod *unstructured.Unstructured) uint64 {
	index, found := pod.GetLabels()["leaderworkerset.sigs.k8s.io/group-index"]
	if !found {
		index = pod.GetName()[strings.LastIndex(pod.GetName(), "-")+1:]
	}
	number, _ := strconv.ParseUint(index, 10, 32)
	return number
}

func numberIn(label string) func(*unstructured.Unstructured) uint64 {
	return func(pod *unstructured.Unstructured) uint64 {
		number, _ := strconv.ParseUint(pod.GetLabels()[label], 10, 32) // without it: the only one
		return number
	}
}
