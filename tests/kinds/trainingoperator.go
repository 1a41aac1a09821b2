// SPDX-License-Identifier: Apache-2.0
package main

import (
	"slices"
	"strings"

	kubeflow "github.com/kubeflow/training-operator/pkg/apis/kubeflow.org/v1"
	"github.com/kubeflow/training-operator/pkg/config"
	"github.com/kubeflow/training-operator/pkg/controller.v1/common"
	"github.com/kubeflow/training-operator/pkg/controller.v1/pytorch"
	corev1 "k8s.io/api/core/v1"
	schedulingv1 "k8s.io/api/scheduling/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	utilruntime "k8s.io/apimachinery/pkg/util/runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/kueue/pkg/controller/jobs/kubeflow/jobs/jaxjob"
	"sigs.k8s.io/kueue/pkg/controller/jobs/kubeflow/jobs/paddlejob"
	"sigs.k8s.io/kueue/pkg/controller/jobs/kubeflow/jobs/pytorchjob"
	"sigs.k8s.io/kueue/pkg/controller/jobs/kubeflow/jobs/tfjob"
	"sigs.k8s.io/kueue/pkg/controller/jobs/kubeflow/jobs/xgboostjob"
	"sigs.k8s.io/kueue/pkg/controller/jobs/kubeflow/kubeflowjob"
)

// replicaType is one entry of spec.<kind>ReplicaSpecs: how often a document has it, and its limit.
type replicaType struct {
	name    string
	percent int
	most    int
}

// trainingKind is one kind of training-operator v1.
type trainingKind struct {
	name, specs, container string
	types                  []replicaType
	elastic                bool
	read                   func(object) training
}

// training is what the answer needs of a defaulted job.
type training struct {
	control kubeflowjob.KFJobControl
	least   *int32 // elasticPolicy.minReplicas
	job     client.Object
}

var trainingKinds = []trainingKind{
	{name: "PyTorchJob", specs: "pytorchReplicaSpecs", container: "pytorch", elastic: true,
		types: []replicaType{{"Master", 70, 1}, {"Worker", 80, 5}}, read: readPyTorchJob},
	{name: "TFJob", specs: "tfReplicaSpecs", container: "tensorflow",
		types: []replicaType{{"Chief", 30, 1}, {"Master", 20, 1}, {"PS", 50, 3}, {"Worker", 80, 5},
			{"Evaluator", 30, 2}},
		read: readTFJob},
	{name: "XGBoostJob", specs: "xgbReplicaSpecs", container: "xgboost",
		types: []replicaType{{"Master", 100, 1}, {"Worker", 70, 5}}, read: readXGBoostJob},
	{name: "PaddleJob", specs: "paddleReplicaSpecs", container: "paddle", elastic: true,
		types: []replicaType{{"Master", 50, 2}, {"Worker", 80, 5}}, read: readPaddleJob},
	{name: "JAXJob", specs: "jaxReplicaSpecs", container: "jax",
		types: []replicaType{{"Worker", 100, 5}}, read: readJAXJob},
}

func init() {
	config.Config.PyTorchInitContainerImage = config.PyTorchInitContainerImageDefault
	config.Config.PyTorchInitContainerMaxTries = config.PyTorchInitContainerMaxTriesDefault
	for _, one := range trainingKinds {
		register(kind{name: one.name, make: one.make, ask: one.ask,
			source: "training-operator v1.9.4 SetDefaults_" + one.name + ", " +
				"common.CalcPGMinResources, and for PyTorchJob (*PyTorchJobReconciler)." +
				"SetClusterSpec; Kueue v0.19.2 (*kubeflowjob.KubeflowJob).PodSets"})
	}
}

// ---- documents ----

func (k trainingKind) make(r random) object {
	replicas := object{}
	total, workers := 0, 0
	for i, one := range k.types {
		last := i == len(k.types)-1
		twice := one.name == "Master" && replicas["Chief"] != nil
		if twice || (!r.chance(one.percent) && !(last && len(replicas) == 0)) {
			continue
		}
		count := r.between(1, one.most)
		spec := object{"template": r.podTemplate(k.container)}
		if one.most == 1 {
			// The webhooks of PyTorch and XGBoost refuse a Master without replicas.
			spec["replicas"] = 1
		} else if r.chance(80) {
			spec["replicas"] = count
		} else {
			count = 1
		}
		replicas[one.name] = spec
		total += count
		if one.name == "Worker" {
			workers = count
		}
	}
	spec := object{k.specs: replicas, "runPolicy": runPolicy(r, total, "training-operator")}
	if k.elastic && workers > 0 && r.chance(40) {
		policy := object{}
		r.maybe(70, policy, "minReplicas", r.between(1, workers))
		r.maybe(60, policy, "maxReplicas", r.between(workers, workers+3))
		spec["elasticPolicy"] = policy
	}
	return object{"apiVersion": "kubeflow.org/v1", "kind": k.name,
		"metadata": r.metadata("training"), "spec": spec}
}

// runPolicy is nearly the same in training-operator and mpi-operator.
func runPolicy(r random, total int, operator string) object {
	policy := object{}
	r.maybe(20, policy, "suspend", r.chance(70))
	r.maybe(15, policy, "managedBy",
		choose(r, "kubeflow.org/"+operator, "kueue.x-k8s.io/multikueue"))
	r.maybe(20, policy, "backoffLimit", r.between(0, 3))
	if r.chance(40) {
		scheduling := object{}
		r.maybe(60, scheduling, "minAvailable", r.between(1, total))
		r.maybe(30, scheduling, "queue", "research")
		r.maybe(30, scheduling, "scheduleTimeoutSeconds", 60)
		policy["schedulingPolicy"] = scheduling
	}
	return policy
}

// ---- answers ----

func readPyTorchJob(document object) training {
	job := decode[kubeflow.PyTorchJob](document)
	kubeflow.SetDefaults_PyTorchJob(job)
	result := training{control: (*pytorchjob.JobControl)(job), job: job}
	if job.Spec.ElasticPolicy != nil {
		result.least = job.Spec.ElasticPolicy.MinReplicas
	}
	return result
}

func readPaddleJob(document object) training {
	job := decode[kubeflow.PaddleJob](document)
	kubeflow.SetDefaults_PaddleJob(job)
	result := training{control: (*paddlejob.JobControl)(job), job: job}
	if job.Spec.ElasticPolicy != nil {
		result.least = job.Spec.ElasticPolicy.MinReplicas
	}
	return result
}

func readTFJob(document object) training {
	job := decode[kubeflow.TFJob](document)
	kubeflow.SetDefaults_TFJob(job)
	return training{control: (*tfjob.JobControl)(job), job: job}
}

func readXGBoostJob(document object) training {
	job := decode[kubeflow.XGBoostJob](document)
	kubeflow.SetDefaults_XGBoostJob(job)
	return training{control: (*xgboostjob.JobControl)(job), job: job}
}

func readJAXJob(document object) training {
	job := decode[kubeflow.JAXJob](document)
	kubeflow.SetDefaults_JAXJob(job)
	return training{control: (*jaxjob.JobControl)(job), job: job}
}

func (k trainingKind) ask(document object) *answer {
	job := k.read(document)
	policy := job.control.RunPolicy()
	result := &answer{Suspend: policy.Suspend != nil && *policy.Suspend}
	// jaxjob_controller.go has no look at it
	if k.name != "JAXJob" && managedElsewhere(policy.ManagedBy, kubeflow.KubeflowJobsController) {
		result.NoGang = true
		return result
	}
	theirs := fromPodSets((&kubeflowjob.KubeflowJob{KFJobControl: job.control}).
		PodSets(background, nil))
	specs := job.control.ReplicaSpecs()
	for _, one := range k.types {
		if spec := specs[kubeflow.ReplicaType(one.name)]; spec != nil {
			result.Roles = append(result.Roles, job.role(one.name, spec))
		}
	}
	if policy.SchedulingPolicy != nil {
		result.Minimum = policy.SchedulingPolicy.MinAvailable
	}
	result.sameAsKueue(theirs, job.reason)
	if result.Minimum == nil {
		result.sameAsMinResources(specs, k.name)
	}
	return result
}

func (t training) role(name string, spec *kubeflow.ReplicaSpec) *role {
	one := &role{Name: strings.ToLower(name), Count: *spec.Replicas,
		Requests: requestsOf(t.pod(name, spec))}
	if name == "Worker" && t.least != nil && *t.least < one.Count {
		one.MinCount = t.least
	}
	return one
}

// pod returns the template with the init container that the operator gives to PyTorch's workers.
func (t training) pod(name string, spec *kubeflow.ReplicaSpec) *corev1.PodTemplateSpec {
	template := spec.Template.DeepCopy()
	if job, ok := t.job.(*kubeflow.PyTorchJob); ok {
		reconciler := &pytorch.PyTorchJobReconciler{}
		utilruntime.Must(reconciler.SetClusterSpec(job, template, strings.ToLower(name), "0"))
	}
	return template
}

func (t training) reason(_, field string) string {
	switch {
	case field == "minCount":
		return "Kueue does not read elasticPolicy"
	case field == "requests":
		return "Kueue leaves out the init container init-pytorch of the workers"
	}
	return ""
}

// ---- the operator's own PodGroup ----

type replicaSpecs = map[kubeflow.ReplicaType]*kubeflow.ReplicaSpec

// sameAsMinResources compares the sum of all pods with minResources of the operator's PodGroup.
func (a *answer) sameAsMinResources(specs replicaSpecs, kind string) {
	total := int32(0)
	for _, spec := range specs {
		total += *spec.Replicas
	}
	none := func(string) (*schedulingv1.PriorityClass, error) { return nil, nil }
	copied := replicaSpecs{}
	for name, spec := range specs {
		copied[name] = spec.DeepCopy()
	}
	theirs := amountsOf(*common.CalcPGMinResources(total, copied, none))
	if !sameAmounts(theirs, a.total()) {
		a.differ("training-operator", "", "minResources", theirs, minResourcesReason(specs, kind))
	}
}

func (a *answer) total() amounts {
	sum := corev1.ResourceList{}
	for _, one := range a.Roles {
		for name, amount := range one.Requests {
			quantity := resource.MustParse(amount)
			quantity.Mul(int64(one.Count))
			all := sum[corev1.ResourceName(name)]
			all.Add(quantity)
			sum[corev1.ResourceName(name)] = all
		}
	}
	return amountsOf(sum)
}

func minResourcesReason(specs replicaSpecs, kind string) string {
	var reasons []string
	for name, spec := range specs {
		pod := &spec.Template.Spec
		if len(pod.InitContainers) > 0 {
			reasons = append(reasons, "init containers are left out")
		}
		for i := range pod.Containers {
			resources := &pod.Containers[i].Resources
			for amount := range resources.Limits {
				if _, given := resources.Requests[amount]; !given && resources.Requests != nil {
					reasons = append(reasons, "limits of a container with requests are left out")
				}
			}
		}
		if kind == kubeflow.PyTorchJobKind && name == kubeflow.PyTorchJobReplicaTypeWorker {
			reasons = append(reasons, "init-pytorch is left out")
		}
	}
	slices.Sort(reasons)
	return strings.Join(slices.Compact(reasons), "; ")
}
