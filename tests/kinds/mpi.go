// SPDX-License-Identifier: Apache-2.0
package main

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/kubeflow/mpi-operator/cmd/mpi-operator/app/options"
	kubeflow "github.com/kubeflow/mpi-operator/pkg/apis/kubeflow/v2beta1"
	"github.com/kubeflow/mpi-operator/pkg/apis/kubeflow/validation"
	mpifake "github.com/kubeflow/mpi-operator/pkg/client/clientset/versioned/fake"
	mpischeme "github.com/kubeflow/mpi-operator/pkg/client/clientset/versioned/scheme"
	mpiinformers "github.com/kubeflow/mpi-operator/pkg/client/informers/externalversions"
	"github.com/kubeflow/mpi-operator/pkg/controller"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	utilruntime "k8s.io/apimachinery/pkg/util/runtime"
	"k8s.io/client-go/informers"
	kubefake "k8s.io/client-go/kubernetes/fake"
	kueuempijob "sigs.k8s.io/kueue/pkg/controller/jobs/mpijob"
	schedulerfake "sigs.k8s.io/scheduler-plugins/pkg/generated/clientset/versioned/fake"
	volcanofake "volcano.sh/apis/pkg/client/clientset/versioned/fake"
)

func init() {
	register(kind{name: "MPIJob", make: makeMPIJob, askAll: askMPIJobs,
		source: "mpi-operator v0.8.2 (*controller.MPIJobController).Run on fake clientsets: pods, " +
			"PodGroup of Volcano, and when the launcher exists; Kueue v0.19.2 " +
			"(*mpijob.MPIJob).PodSets"})
}

// ---- documents ----

func makeMPIJob(r random) object {
	launcher := object{"template": r.podTemplate("mpi")}
	r.maybe(50, launcher, "replicas", 1)
	specs := object{"Launcher": launcher}
	workers := 0
	if r.chance(90) {
		workers = r.between(1, 5)
		specs["Worker"] = object{"replicas": workers, "template": r.podTemplate("mpi")}
	}
	spec := object{"mpiReplicaSpecs": specs}
	if r.chance(80) {
		spec["runPolicy"] = runPolicy(r, workers+1, "mpi-operator")
	}
	r.maybe(50, spec, "launcherCreationPolicy", choose(r, "AtStartup", "WaitForWorkersReady",
		"WaitForWorkersReady"))
	r.maybe(20, spec, "runLauncherAsWorker", r.chance(70))
	r.maybe(20, spec, "slotsPerWorker", r.between(1, 8))
	return object{"apiVersion": "kubeflow.org/v2beta1", "kind": "MPIJob",
		"metadata": r.metadata("horovod"), "spec": spec}
}

// ---- answers ----

func askMPIJobs(documents []object) []*answer {
	// A watch of the fake clientsets panics when more than a hundred events wait in it. A job has at
	// most five workers, each of which is created and becomes ready.
	const batch = 9
	answers := make([]*answer, 0, len(documents))
	for some := range slices.Chunk(documents, batch) {
		answers = append(answers, askSomeMPIJobs(some)...)
	}
	return answers
}

func askSomeMPIJobs(documents []object) []*answer {
	jobs := make([]*kubeflow.MPIJob, len(documents))
	for i, document := range documents {
		jobs[i] = decode[kubeflow.MPIJob](document)
		defaulted := jobs[i].DeepCopy()
		kubeflow.SetDefaults_MPIJob(defaulted)
		if !isOfOthers(jobs[i]) { // syncHandler validates no others
			utilruntime.Must(validation.ValidateMPIJob(defaulted).ToAggregate())
		}
		jobs[i].Namespace = fmt.Sprintf("case-%d", i)
	}
	operator := newMPIOperator(jobs)
	defer operator.stop()
	operator.handle(jobs)
	answers := make([]*answer, len(jobs))
	for i, job := range jobs {
		answers[i] = operator.answer(job)
	}
	return answers
}

func (o *mpiOperator) answer(job *kubeflow.MPIJob) *answer {
	suspend := job.Spec.RunPolicy.Suspend != nil && *job.Spec.RunPolicy.Suspend
	result := &answer{Suspend: suspend}
	if isOfOthers(job) {
		result.NoGang = true
		return result
	}
	late := !o.hasLauncher(job)
	defaulted := job.DeepCopy()
	kubeflow.SetDefaults_MPIJob(defaulted)
	specs := defaulted.Spec.MPIReplicaSpecs
	if spec := specs[kubeflow.MPIReplicaTypeWorker]; spec != nil {
		count := *spec.Replicas
		if !suspend {
			count = o.countPods(job)
		}
		result.Roles = append(result.Roles, &role{Name: "worker", Count: count,
			Requests: requestsOf(&spec.Template)})
	}
	launcher := &role{Name: "launcher", Count: 1,
		Requests: requestsOf(&specs[kubeflow.MPIReplicaTypeLauncher].Template)}
	result.Roles = append(result.Roles, launcher)
	if late {
		o.setReady(job)
		launcher.After = map[string]string{"worker": "Ready"}
	}
	if policy := job.Spec.RunPolicy.SchedulingPolicy; policy != nil {
		result.Minimum = policy.MinAvailable
	}
	theirs := fromPodSets((*kueuempijob.MPIJob)(job).PodSets(background, nil))
	result.sameAsKueue(theirs, func(string, string) string { return "" })
	if !suspend && result.Minimum == nil {
		o.samePodGroup(job, result)
	}
	return result
}

// samePodGroup compares the PodGroup that the operator makes for Volcano with the pods that exist
// when it must fill.
func (o *mpiOperator) samePodGroup(job *kubeflow.MPIJob, result *answer) {
	group, err := o.volcano.SchedulingV1beta1().PodGroups(job.Namespace).
		Get(background, job.Name, metav1.GetOptions{})
	utilruntime.Must(err)
	first := int32(0)
	for _, one := range result.Roles {
		if len(one.After) == 0 {
			first += one.Count
		}
	}
	if group.Spec.MinMember != first {
		reason := ""
		if result.role("launcher").After != nil {
			reason = "the launcher is counted, though it is created after the workers are ready"
		}
		result.differ("mpi-operator", "", "minMember", group.Spec.MinMember, reason)
	}
	if theirs := amountsOf(*group.Spec.MinResources); !sameAmounts(theirs, result.total()) {
		result.differ("mpi-operator", "", "minResources", theirs, mpiResourcesReason(job))
	}
}

func mpiResourcesReason(job *kubeflow.MPIJob) string {
	var reasons []string
	for _, spec := range job.Spec.MPIReplicaSpecs {
		pod := &spec.Template.Spec
		if len(pod.InitContainers) > 0 {
			reasons = append(reasons, "init containers are left out")
		}
		for i := range pod.Containers {
			resources := &pod.Containers[i].Resources
			for _, all := range []corev1.ResourceList{resources.Requests, resources.Limits} {
				// Such a quantity has a pointer that all its copies share.
				if _, whole := all.Memory().AsInt64(); !whole {
					reasons = append(reasons, "an amount such as 1.5Gi is multiplied in place, "+
						"by the replicas at each pass")
				}
			}
		}
	}
	slices.Sort(reasons)
	return strings.Join(slices.Compact(reasons), "; ")
}

func isOfOthers(job *kubeflow.MPIJob) bool {
	return managedElsewhere(job.Spec.RunPolicy.ManagedBy, kubeflow.KubeflowJobController)
}

// ---- the operator on fake clientsets ----

type mpiOperator struct {
	kube    *kubefake.Clientset
	mpi     *mpifake.Clientset
	volcano *volcanofake.Clientset
	stop    func()
}

// newMPIOperator starts the operator, with the jobs in its caches.
func newMPIOperator(jobs []*kubeflow.MPIJob) *mpiOperator {
	ctx, cancel := context.WithCancel(background)
	objects := make([]runtime.Object, len(jobs))
	for i, job := range jobs {
		objects[i] = job.DeepCopy()
	}
	o := &mpiOperator{kube: kubefake.NewSimpleClientset(),
		mpi: mpifake.NewSimpleClientset(objects...), volcano: volcanofake.NewSimpleClientset()}
	core := informers.NewSharedInformerFactory(o.kube, 0)
	mpi := mpiinformers.NewSharedInformerFactory(o.mpi, 0)
	running, err := controller.NewMPIJobController(ctx, o.kube, o.mpi, o.volcano,
		schedulerfake.NewSimpleClientset(), core.Core().V1().ConfigMaps(),
		core.Core().V1().Secrets(), core.Core().V1().Services(), core.Batch().V1().Jobs(),
		core.Core().V1().Pods(), core.Scheduling().V1().PriorityClasses(),
		mpi.Kubeflow().V2beta1().MPIJobs(), &options.ServerOption{
			Namespace: metav1.NamespaceAll, GangSchedulingName: options.GangSchedulerVolcano,
			ControllerRateLimit: 100000, ControllerBurst: 100000})
	utilruntime.Must(err)
	core.Start(ctx.Done())
	mpi.Start(ctx.Done())
	running.PodGroupCtrl.StartInformerFactory(ctx.Done())
	ended := make(chan error, 1)
	go func() { ended <- running.Run(1, ctx.Done()) }()
	o.stop = func() {
		cancel()
		// It ends with an error if it is stopped before its caches are full, as when no job is its
		// own.
		<-ended
		core.Shutdown()
		mpi.Shutdown()
	}
	return o
}

// handle waits until the operator has handled each job once.
func (o *mpiOperator) handle(jobs []*kubeflow.MPIJob) {
	for _, job := range jobs {
		if !isOfOthers(job) {
			until("the operator handles "+job.Namespace, func() bool { return o.handled(job) })
		}
	}
}

// The conditions are written at the end of a pass.
func (o *mpiOperator) handled(job *kubeflow.MPIJob) bool {
	now, err := o.mpi.KubeflowV2beta1().MPIJobs(job.Namespace).
		Get(background, job.Name, metav1.GetOptions{})
	utilruntime.Must(err)
	return len(now.Status.Conditions) > 0
}

// until waits for what takes milliseconds, and minutes where the machine does other work.
func until(what string, done func() bool) {
	const longest = 5 * time.Minute
	for start := time.Now(); time.Since(start) < longest; time.Sleep(10 * time.Millisecond) {
		if done() {
			return
		}
	}
	panic("timeout: " + what)
}

func (o *mpiOperator) hasLauncher(job *kubeflow.MPIJob) bool {
	list, err := o.kube.BatchV1().Jobs(job.Namespace).List(background, metav1.ListOptions{})
	utilruntime.Must(err)
	return len(list.Items) > 0
}

func (o *mpiOperator) pods(job *kubeflow.MPIJob) []corev1.Pod {
	list, err := o.kube.CoreV1().Pods(job.Namespace).List(background, metav1.ListOptions{})
	utilruntime.Must(err)
	return list.Items
}

func (o *mpiOperator) countPods(job *kubeflow.MPIJob) int32 {
	count := int32(0)
	for _, pod := range o.pods(job) {
		if strings.Contains(pod.Name, "-worker-") {
			count++
		}
	}
	return count
}

// setReady makes the workers ready and waits for the launcher.
func (o *mpiOperator) setReady(job *kubeflow.MPIJob) {
	for _, pod := range o.pods(job) {
		pod.ResourceVersion = "2" // the operator ignores an update of the same version
		pod.Status.Phase = corev1.PodRunning
		pod.Status.Conditions = []corev1.PodCondition{
			{Type: corev1.PodReady, Status: corev1.ConditionTrue}}
		_, err := o.kube.CoreV1().Pods(job.Namespace).
			UpdateStatus(background, &pod, metav1.UpdateOptions{})
		utilruntime.Must(err)
	}
	until("the launcher of "+job.Namespace, func() bool { return o.hasLauncher(job) })
}

func init() { utilruntime.Must(kubeflow.AddToScheme(mpischeme.Scheme)) }
