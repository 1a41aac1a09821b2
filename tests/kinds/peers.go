// SPDX-License-Identifier: Apache-2.0

//go:build spark

package main

import (
	mpi "github.com/kubeflow/mpi-operator/pkg/apis/kubeflow/v2beta1"
	spark "github.com/kubeflow/spark-operator/v2/api/v1beta2"
	sparkutil "github.com/kubeflow/spark-operator/v2/pkg/util"
	kubeflow "github.com/kubeflow/training-operator/pkg/apis/kubeflow.org/v1"
	"github.com/kubeflow/training-operator/pkg/controller.v1/common"
	ray "github.com/ray-project/kuberay/ray-operator/apis/ray/v1"
	schedulerplugins "github.com/ray-project/kuberay/ray-operator/controllers/ray/batchscheduler/scheduler-plugins"
	rayvolcano "github.com/ray-project/kuberay/ray-operator/controllers/ray/batchscheduler/volcano"
	schedulingv1 "k8s.io/api/scheduling/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	utilruntime "k8s.io/apimachinery/pkg/util/runtime"
	"sigs.k8s.io/controller-runtime/pkg/client/fake"
	lws "sigs.k8s.io/lws/api/leaderworkerset/v1"
	volcano "volcano.sh/apis/pkg/apis/scheduling/v1beta1"
)

// peer is a job for which an operator's own gang is wrong: what its code answers, and what a gang
// for it must be, derived by hand.
type peer struct {
	ID     string `json:"id"`
	Who    string `json:"who"`
	What   string `json:"what"`
	Object object `json:"object"`
	Theirs gang   `json:"theirs"`
	Wanted gang   `json:"wanted"`
}

type gang struct {
	Error        string  `json:"error,omitempty"`
	MinMember    int32   `json:"minMember,omitempty"`
	MinResources amounts `json:"minResources,omitempty"`
	// Created are the pods that the operator creates before the gang fills.
	Created int32 `json:"created,omitempty"`
}

func init() {
	peers = func() []any {
		return []any{peerRayJob(), peerRayCluster(), peerSpark(), peerLWS(), peerMPIJob(),
			peerPyTorchJob()}
	}
}

func pod(name string, requests, limits object) object {
	return object{"spec": object{"containers": []any{object{"name": name,
		"image":     "registry.example/" + name + ":v1",
		"resources": object{"requests": requests, "limits": limits}}}}}
}

func named(apiVersion, kind, name string, spec object) object {
	return object{"apiVersion": apiVersion, "kind": kind,
		"metadata": object{"name": name, "namespace": "team-a"}, "spec": spec}
}

// ---- KubeRay ----

func peerRayClusterSpec() object {
	return object{
		"headGroupSpec": object{"rayStartParams": object{},
			"template": pod("ray-head", object{"cpu": "2", "memory": "4Gi"}, object{})},
		"workerGroupSpecs": []any{object{"groupName": "gpu", "rayStartParams": object{},
			"replicas": 1, "minReplicas": 2, "maxReplicas": 4, "numOfHosts": 2,
			"template": pod("ray-worker", object{"cpu": "8", "memory": "16Gi"},
				object{"nvidia.com/gpu": "1"})}}}
}

func rayScheme() *runtime.Scheme {
	scheme := runtime.NewScheme()
	utilruntime.Must(ray.AddToScheme(scheme))
	return scheme
}

func peerRayJob() *peer {
	document := named("ray.io/v1", "RayJob", "refused", object{"entrypoint": "python main.py",
		"submissionMode": "HTTPMode", "rayClusterSpec": peerRayClusterSpec()})
	plugin, err := (&schedulerplugins.KubeSchedulerFactory{}).New(background, nil,
		fake.NewClientBuilder().WithScheme(rayScheme()).Build())
	utilruntime.Must(err)
	refusal := plugin.DoBatchSchedulingOnSubmission(background, decode[ray.RayJob](document))
	return &peer{ID: "kuberay-scheduler-plugins-refuses-rayjob", Object: document,
		Who:    "KubeRay v1.6.2 batchscheduler/scheduler-plugins DoBatchSchedulingOnSubmission",
		What:   "with --batch-scheduler=scheduler-plugins no RayJob starts",
		Theirs: gang{Error: refusal.Error()},
		Wanted: gang{MinMember: 5, MinResources: amounts{"cpu": "34", "memory": "73014444032",
			"nvidia.com/gpu": "4"}}}
}

func peerRayCluster() *peer {
	document := named("ray.io/v1", "RayCluster", "unclamped", peerRayClusterSpec())
	cluster := fake.NewClientBuilder().WithScheme(rayScheme()).Build()
	plugin, err := (&rayvolcano.VolcanoBatchSchedulerFactory{}).New(background, nil, cluster)
	utilruntime.Must(err)
	utilruntime.Must(plugin.DoBatchSchedulingOnSubmission(background,
		decode[ray.RayCluster](document)))
	list := &volcano.PodGroupList{}
	utilruntime.Must(cluster.List(background, list))
	spec := list.Items[0].Spec
	return &peer{ID: "kuberay-volcano-minresources-not-clamped", Object: document,
		Who:    "KubeRay v1.6.2 batchscheduler/volcano DoBatchSchedulingOnSubmission",
		What:   "minResources are those of replicas, minMember is that of minReplicas",
		Theirs: gang{MinMember: spec.MinMember, MinResources: amountsOf(*spec.MinResources)},
		Wanted: gang{MinMember: 5, MinResources: amounts{"cpu": "34", "memory": "73014444032",
			"nvidia.com/gpu": "4"}}}
}

// ---- Spark operator ----

func peerSpark() *peer {
	document := named("sparkoperator.k8s.io/v1beta2", "SparkApplication", "etl", object{
		"type": "Scala", "mode": "cluster", "sparkVersion": "4.0.0",
		"mainApplicationFile": "local:///opt/app", "driver": object{},
		"executor": object{"instances": 3, "memory": "512m",
			"gpu": object{"name": "nvidia.com/gpu", "quantity": 1}}})
	app := decode[spark.SparkApplication](document)
	spark.SetSparkApplicationDefaults(app)
	theirs := &answer{Roles: []*role{
		{Count: 1, Requests: amountsOf(sparkutil.GetDriverRequestResource(app))},
		{Count: 1, Requests: amountsOf(sparkutil.GetExecutorRequestResource(app))}}}
	return &peer{ID: "spark-java-sizes", Object: document,
		Who: "Spark operator v2.5.2 util.GetDriverRequestResource, GetExecutorRequestResource",
		What: "the default memory 1g does not parse and is dropped, 512m is 0.512 bytes, GPUs are " +
			"not counted; every pod is marked, and the minimum is 1",
		Theirs: gang{MinMember: 1, MinResources: theirs.total()},
		Wanted: gang{MinMember: 3, MinResources: amounts{"cpu": "3", "memory": "2818572288",
			"nvidia.com/gpu": "3"}}}
}

// ---- LWS ----

func peerLWS() *peer {
	document := named("leaderworkerset.x-k8s.io/v1", "LeaderWorkerSet", "stuck", object{
		"replicas": 1, "leaderWorkerTemplate": object{"size": 3,
			"workerTemplate": pod("serve", object{"cpu": "4"}, object{"nvidia.com/gpu": "8"})}})
	annotate(document, lwsExclusive, "cloud.example/rack")
	set := decode[lws.LeaderWorkerSet](document)
	defaultLWS(set)
	group := newLWSGroup(set)
	group.reconcile()
	created := int32(1)
	if workers := group.workers(); workers != nil {
		created += *workers.Spec.Replicas
	}
	spec := group.podGroup().Spec
	return &peer{ID: "lws-exclusive-topology-deadlock", Object: document,
		Who:  "LWS v0.9.0 (*controllers.PodReconciler).Reconcile with the provider volcano",
		What: "minMember counts workers that are created only after the leader has a node",
		Theirs: gang{MinMember: spec.MinMember, Created: created,
			MinResources: amountsOf(*spec.MinResources)},
		Wanted: gang{MinMember: 1, MinResources: amounts{"cpu": "12", "nvidia.com/gpu": "24"}}}
}

// ---- MPI operator ----

func peerMPIJob() *peer {
	document := named("kubeflow.org/v2beta1", "MPIJob", "horovod", object{
		"launcherCreationPolicy": "WaitForWorkersReady", "mpiReplicaSpecs": object{
			"Launcher": object{"template": pod("mpi", object{"cpu": "500m", "memory": "1Gi"},
				object{})},
			"Worker": object{"replicas": 3, "template": pod("mpi", object{"cpu": "4"},
				object{"nvidia.com/gpu": "1"})}}})
	job := decode[mpi.MPIJob](document)
	operator := newMPIOperator([]*mpi.MPIJob{job})
	defer operator.stop()
	operator.handle([]*mpi.MPIJob{job})
	created := operator.countPods(job)
	if operator.hasLauncher(job) {
		created++
	}
	group, err := operator.volcano.SchedulingV1beta1().PodGroups(job.Namespace).
		Get(background, job.Name, metav1.GetOptions{})
	utilruntime.Must(err)
	return &peer{ID: "mpi-operator-minimum-with-late-launcher", Object: document,
		Who:  "mpi-operator v0.8.2 (*controller.MPIJobController).Run, Volcano",
		What: "minMember counts the launcher, which is created when the workers are ready",
		Theirs: gang{MinMember: group.Spec.MinMember, Created: created,
			MinResources: amountsOf(*group.Spec.MinResources)},
		Wanted: gang{MinMember: 3, MinResources: amounts{"cpu": "12.5", "memory": "1073741824",
			"nvidia.com/gpu": "3"}}}
}

// ---- training-operator ----

func peerPyTorchJob() *peer {
	template := pod("pytorch", object{"cpu": "1", "memory": "1Gi"},
		object{"nvidia.com/gpu": "1"})
	document := named("kubeflow.org/v1", "PyTorchJob", "lost", object{"pytorchReplicaSpecs": object{
		"Master": object{"replicas": 1, "template": template},
		"Worker": object{"replicas": 2, "template": template}}})
	job := decode[kubeflow.PyTorchJob](document)
	kubeflow.SetDefaults_PyTorchJob(job)
	none := func(string) (*schedulingv1.PriorityClass, error) { return nil, nil }
	resources := common.CalcPGMinResources(3, job.Spec.PyTorchReplicaSpecs, none)
	return &peer{ID: "training-operator-loses-limits", Object: document,
		Who:    "training-operator v1.9.4 common.CalcPGMinResources",
		What:   "a GPU under limits beside a request is not in minResources",
		Theirs: gang{MinMember: 3, MinResources: amountsOf(*resources)},
		Wanted: gang{MinMember: 3, MinResources: amounts{"cpu": "3", "memory": "3221225472",
			"nvidia.com/gpu": "3"}}}
}
