// SPDX-License-Identifier: Apache-2.0
package main

import (
	"errors"
	"fmt"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"

	mpi "github.com/kubeflow/mpi-operator/pkg/apis/kubeflow/v2beta1"
	codeflare "github.com/project-codeflare/appwrapper/api/v1beta2"
	ray "github.com/ray-project/kuberay/ray-operator/apis/ray/v1"
	appsv1 "k8s.io/api/apps/v1"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime"
	utilerrors "k8s.io/apimachinery/pkg/util/errors"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/webhook/admission"
	jobset "sigs.k8s.io/jobset/api/jobset/v1alpha2"
	kueue "sigs.k8s.io/kueue/apis/kueue/v1beta2"
	"sigs.k8s.io/kueue/pkg/controller/jobframework"
	kueueappwrapper "sigs.k8s.io/kueue/pkg/controller/jobs/appwrapper"
	kueuejob "sigs.k8s.io/kueue/pkg/controller/jobs/job"
	kueuejobset "sigs.k8s.io/kueue/pkg/controller/jobs/jobset"
	"sigs.k8s.io/kueue/pkg/controller/jobs/kubeflow/kubeflowjob"
	kueuelws "sigs.k8s.io/kueue/pkg/controller/jobs/leaderworkerset"
	kueuempijob "sigs.k8s.io/kueue/pkg/controller/jobs/mpijob"
	kueuepod "sigs.k8s.io/kueue/pkg/controller/jobs/pod"
	kueueraycluster "sigs.k8s.io/kueue/pkg/controller/jobs/raycluster"
	kueuerayjob "sigs.k8s.io/kueue/pkg/controller/jobs/rayjob"
	kueuerayservice "sigs.k8s.io/kueue/pkg/controller/jobs/rayservice"
	kueuestatefulset "sigs.k8s.io/kueue/pkg/controller/jobs/statefulset"
	utilpod "sigs.k8s.io/kueue/pkg/util/pod"
	"sigs.k8s.io/kueue/pkg/workloadslicing"
	lws "sigs.k8s.io/lws/api/leaderworkerset/v1"
)

// verdict is what the validating webhooks of Kueue say about one object with a queue label.
type verdict struct {
	// Refusals are in the order of the webhooks.
	Refusals []refusal `json:"refusals,omitempty"`
	// Error is an answer without fields: the webhook stopped there.
	Error string `json:"error,omitempty"`
	// Stops says that the webhook does not come to what needs the number of pods.
	Stops bool `json:"stops,omitempty"`
}

type refusal struct {
	Field  string `json:"field"`
	Detail string `json:"detail"`
}

// judged is one line of webhooks.jsonl.
type judged struct {
	ID      string   `json:"id"`
	Object  object   `json:"object"`
	Webhook *verdict `json:"webhook"`
}

// kueueWebhooks has for each kind the function that asks Kueue about a document of it.
var kueueWebhooks = map[string]func(object) *verdict{
	"Job":             asks(&kueuejob.JobWebhook{}, readJob),
	"JobSet":          asks(&kueuejobset.JobSetWebhook{}, readJobSet),
	"MPIJob":          asks(&kueuempijob.MpiJobWebhook{}, decode[mpi.MPIJob]),
	"RayCluster":      asks(&kueueraycluster.RayClusterWebhook{}, readRayCluster),
	"RayService":      askRayServiceWebhook,
	"LeaderWorkerSet": asks(&kueuelws.Webhook{}, readLWS),
	"StatefulSet":     askStatefulSetWebhook,
}

func init() {
	// These two call other functions of the map.
	kueueWebhooks["AppWrapper"] = askAppWrapperWebhook
	kueueWebhooks["RayJob"] = askRayJobWebhook
	for _, one := range trainingKinds {
		kueueWebhooks[one.name] = asks(&jobframework.BaseWebhook[client.Object]{
			FromObject: func(job client.Object) jobframework.GenericJob {
				return job.(*trainingObject).job
			}}, func(document object) client.Object {
			read := one.read(document)
			return &trainingObject{read.job, &kubeflowjob.KubeflowJob{KFJobControl: read.control}}
		})
	}
}

// trainingObject has Kueue's view of a job of training-operator with it.
type trainingObject struct {
	client.Object
	job *kubeflowjob.KubeflowJob
}

func asks[T runtime.Object](
	webhook admission.Validator[T], read func(object) T,
) func(object) *verdict {
	return func(document object) *verdict {
		_, err := webhook.ValidateCreate(background, read(document))
		return verdictOf(err)
	}
}

// Kueue names an annotation of an elastic Job like a field.
var annotationPath = regexp.MustCompile(`\.annotations\.(kueue\.x-k8s\.io/[^.[]+)$`)

func verdictOf(err error) *verdict {
	result := &verdict{}
	if err == nil {
		return result
	}
	var all utilerrors.Aggregate
	if !errors.As(err, &all) {
		result.Error = err.Error()
		return result
	}
	for _, one := range all.Errors() {
		var refused *field.Error
		if errors.As(one, &refused) {
			result.Refusals = append(result.Refusals, refusal{
				annotationPath.ReplaceAllString(refused.Field, ".annotations[$1]"), refused.ErrorBody()})
		} else {
			result.Error = one.Error()
		}
	}
	return result
}

// correct replaces the beginning of paths that are wrong in Kueue's answer.
func (v *verdict) correct(wrong, right string) {
	for i := range v.Refusals {
		if rest, found := strings.CutPrefix(v.Refusals[i].Field, wrong); found {
			v.Refusals[i].Field = right + rest
		}
	}
}

// add takes what a webhook says about an object that a controller makes of a part of this one.
func (v *verdict) add(part *verdict, from, to string) {
	v.Stops = v.Stops || part.Stops
	if part.Error != "" {
		v.Error = to + ": " + part.Error
	}
	for _, one := range part.Refusals {
		v.Refusals = append(v.Refusals, refusal{to + strings.TrimPrefix(one.Field, from), one.Detail})
	}
}

// ---- documents as the API server and mutating webhooks leave them ----

func readJob(document object) *batchv1.Job {
	job := decode[batchv1.Job](document)
	defaultJob(&job.Spec)
	return job
}

func readJobSet(document object) *jobset.JobSet {
	set := decode[jobset.JobSet](document)
	defaultJobSet(set, document)
	return set
}

func readLWS(document object) *lws.LeaderWorkerSet {
	set := decode[lws.LeaderWorkerSet](document)
	defaultLWS(set)
	return set
}

// Kueue's mutating webhook sets the gates that its validating webhook requires.
func readRayCluster(document object) *ray.RayCluster {
	cluster := decode[ray.RayCluster](document)
	defaultRayCluster(&cluster.Spec)
	if workloadslicing.Enabled(cluster) {
		utilpod.GateTemplate(&cluster.Spec.HeadGroupSpec.Template, kueue.ElasticJobSchedulingGate)
		for i := range cluster.Spec.WorkerGroupSpecs {
			utilpod.GateTemplate(&cluster.Spec.WorkerGroupSpecs[i].Template,
				kueue.ElasticJobSchedulingGate)
		}
	}
	return cluster
}

func readRayService(document object) *ray.RayService {
	service := decode[ray.RayService](document)
	defaultRayCluster(&service.Spec.RayClusterSpec)
	return service
}

func readRayJob(document object) *ray.RayJob {
	job := decode[ray.RayJob](document)
	if job.Spec.SubmissionMode == "" {
		job.Spec.SubmissionMode = ray.K8sJobMode
	}
	if job.Spec.RayClusterSpec != nil {
		defaultRayCluster(job.Spec.RayClusterSpec)
	}
	return job
}

// ---- kinds of which Kueue also checks what their controllers create ----

// Kueue names spec.rayClusterSpec, which is the field of a RayJob.
func askRayServiceWebhook(document object) *verdict {
	result := asks(&kueuerayservice.RayServiceWebhook{}, readRayService)(document)
	result.correct("spec.rayClusterSpec", "spec.rayClusterConfig")
	return result
}

// The submitter is a Job, which KubeRay creates. Kueue has no path for a group with it.
func askRayJobWebhook(document object) *verdict {
	result := asks(&kueuerayjob.RayJobWebhook{}, readRayJob)(document)
	annotations := "spec.submitterPodTemplate.metadata.annotations"
	result.correct("[", annotations+"[")
	result.correct("<nil>", annotations)
	template, given := document["spec"].(object)["submitterPodTemplate"]
	if given {
		job := object{"kind": "Job", "spec": object{"template": template}}
		result.add(judge(job), "spec.template", "spec.submitterPodTemplate")
	}
	return result
}

// Kueue checks annotations of the pods of a StatefulSet when they are created.
func askStatefulSetWebhook(document object) *verdict {
	result := asks(&kueuestatefulset.Webhook{}, decode[appsv1.StatefulSet])(document)
	template := document["spec"].(object)["template"].(object)
	result.add(asks(&kueuepod.PodWebhook{}, decode[corev1.Pod])(template),
		"metadata", "spec.template.metadata")
	return result
}

// The components have no queue of their own, but their webhooks check the annotations of pods.
func askAppWrapperWebhook(document object) *verdict {
	result := asks(&jobframework.BaseWebhook[*codeflare.AppWrapper]{
		FromObject: func(wrapper *codeflare.AppWrapper) jobframework.GenericJob {
			return (*kueueappwrapper.AppWrapper)(wrapper)
		}}, decode[codeflare.AppWrapper])(document)
	for i, component := range document["spec"].(object)["components"].([]any) {
		wrapped := component.(object)["template"].(object)
		result.add(judge(wrapped), "", fmt.Sprintf("spec.components[%d].template.", i))
	}
	return result
}

// ---- random labels and annotations ----

const (
	kueuePrefix = "kueue.x-k8s.io/"
	podSet      = kueuePrefix + "podset-"
)

var levels = []string{"cloud.example/rack", "cloud.example/rack", "cloud.example/rack",
	"kubernetes.io/hostname", "bad level", "a/b/c", "", "UPPER/x", "/x"}

// queued makes a job that Kueue manages of a job of the generators: with a queue, and with labels
// and annotations of Kueue, one in a few of them wrong. Fields that hand the job over are left out.
func queued(r random, document object) {
	spec := document["spec"].(object)
	leaveOutManager(spec)
	asGang(r, document)
	eachPod(document, func(pod object) { placement(r, pod) })
	jobLabels(r, document["metadata"].(object))
	jobAnnotations(r, document)
	switch document["kind"] {
	case "RayJob":
		r.maybe(80, spec, "shutdownAfterJobFinishes", r.chance(90))
		rayGroups(r, spec["rayClusterSpec"].(object))
	case "RayCluster":
		rayGroups(r, spec)
	case "RayService":
		rayGroups(r, spec["rayClusterConfig"].(object))
	}
}

// asGang makes most objects of the kinds gangs that are none by default.
func asGang(r random, document object) {
	spec := document["spec"].(object)
	switch document["kind"] {
	case "Job":
		annotate(document, "policy.libgang.dev/gang", "true")
		for _, key := range []string{"parallelism", "completions"} {
			if number, given := spec[key].(int); given || key == "parallelism" {
				spec[key] = max(number, 2)
			}
		}
	case "StatefulSet":
		spec["podManagementPolicy"] = "Parallel"
		fallthrough
	case "LeaderWorkerSet":
		r.maybe(90, spec, "replicas", r.between(1, 3))
	case "AppWrapper":
		for _, component := range spec["components"].([]any) {
			wrapped := component.(object)["template"].(object)
			asGang(r, wrapped)
			if wrapped["kind"] == "StatefulSet" {
				wrapped["spec"].(object)["replicas"] = r.between(1, 3)
			}
		}
	}
}

func leaveOutManager(spec object) {
	delete(spec, "managedBy")
	if policy, ok := spec["runPolicy"].(object); ok {
		delete(policy, "managedBy")
	}
	if _, selects := spec["clusterSelector"]; selects {
		delete(spec, "clusterSelector")
		spec["rayClusterSpec"] = object{"headGroupSpec": object{"rayStartParams": object{},
			"template": object{"spec": object{"containers": []any{}}}}}
	}
}

// eachPod calls do with each pod template, and with the driver and the executor of Spark.
func eachPod(at any, do func(object)) {
	switch node := at.(type) {
	case []any:
		for _, item := range node {
			eachPod(item, do)
		}
	case object:
		spec, _ := node["spec"].(object)
		if _, isPod := spec["containers"]; isPod {
			do(node)
			return
		}
		for _, key := range sorted(node) {
			if pod, ok := node[key].(object); ok && (key == "driver" || key == "executor") {
				do(pod)
			} else {
				eachPod(node[key], do)
			}
		}
	}
}

// placement sets annotations of a pod template, and makes the rest of it small.
func placement(r random, pod object) {
	metadata := pod
	if spec, isTemplate := pod["spec"].(object); isTemplate {
		name := "main"
		if containers := spec["containers"].([]any); len(containers) > 0 {
			name = containers[0].(object)["name"].(string)
		}
		pod["spec"] = object{"containers": []any{object{"name": name, "image": "example"}}}
		if policy, given := spec["restartPolicy"]; given {
			pod["spec"].(object)["restartPolicy"] = policy
		}
		var given bool
		if metadata, given = pod["metadata"].(object); !given {
			metadata = object{}
		}
	}
	annotations := object{}
	switch r.IntN(8) {
	case 0, 1:
	case 2:
		annotations[podSet+choose(r, "required-topology", "preferred-topology")] = levels[0]
	case 3:
		annotations[podSet+"slice-required-topology"] = levels[0]
		annotations[podSet+"slice-size"] = choose(r, "1", "1", "2", "2", "3")
	case 4:
		annotations[podSet+"group-name"] = "together"
		annotations[podSet+choose(r, "required-topology", "required-topology",
			"preferred-topology")] = levels[0]
	case 5:
		annotations[podSet+"slice-required-topology-constraints"] = r.constraints()
		r.maybe(20, annotations, podSet+"required-topology", levels[0])
	default:
		r.anyPlacement(annotations)
	}
	if len(annotations) > 0 {
		metadata["annotations"] = annotations
		if _, isTemplate := pod["spec"].(object); isTemplate {
			pod["metadata"] = metadata
		}
	}
}

func (r random) anyPlacement(annotations object) {
	r.maybe(25, annotations, podSet+"required-topology", choose(r, levels...))
	r.maybe(20, annotations, podSet+"preferred-topology", choose(r, levels...))
	r.maybe(25, annotations, podSet+"unconstrained-topology",
		choose(r, "true", "false", "T", "0", "yes", ""))
	r.maybe(25, annotations, podSet+"slice-required-topology", choose(r, levels...))
	r.maybe(30, annotations, podSet+"slice-size", choose(r, "1", "2", "3", "5", "0", "-1", "+2",
		"x", "", "1.5", "2147483647", "2147483648"))
	r.maybe(8, annotations, podSet+"slice-required-topology-constraints", r.constraints())
	r.maybe(25, annotations, podSet+"group-name", choose(r, "together", "together", "other", "7",
		"007", "-7", "18446744073709551615", "18446744073709551616", ""))
}

func (r random) constraints() string {
	if r.chance(30) {
		return choose(r, "", "x", "[]", "{}", "null", "[null]", "[1]", `[{"size":1}]`,
			`[{"topology":"cloud.example/rack"}]`, `[{"topology":"cloud.example/rack","size":"2"}]`,
			`[{"topology":"cloud.example/rack","size":1.5}]`, `[{"topology":"a","size":2147483648}]`,
			`[{"topology":"cloud.example/rack","size":1,"more":true}]`, ` [ {"topology":"a","size":1} ] `,
			`[{"topology":"a","size":1}]]`, `[{"topology":1,"size":1}]`,
			`[{"topology":"a","size":null}]`)
	}
	layers := make([]string, choose(r, 1, 1, 1, 2, 2, 2, 3, 4))
	size := choose(r, 1, 2, 4, 8)
	for i := range layers {
		level := fmt.Sprintf("cloud.example/level-%d", i)
		if r.chance(10) {
			level = choose(r, levels...)
		}
		if r.chance(10) {
			size = r.between(-1, 5)
		}
		layers[i] = fmt.Sprintf(`{"topology":%q,"size":%d}`, level, size)
		size = max(size/2, 1)
	}
	return "[" + strings.Join(layers, ",") + "]"
}

func judge(document object) *verdict {
	said := kueueWebhooks[document["kind"].(string)](document)
	said.Stops = said.Stops || stopsEarly(document, said.Refusals)
	return said
}

// stopsEarly says whether Kueue cannot make the pod sets of a document or read the size of slices,
// or whether the webhook of Jobs has refused an annotation of the pods before.
func stopsEarly(document object, refusals []refusal) bool {
	stops := false
	eachPod(document, func(pod object) {
		metadata, given := pod["metadata"].(object)
		if !given {
			metadata = pod
		}
		annotations, _ := metadata["annotations"].(object)
		typed := decode[corev1.Pod](object{"metadata": object{"annotations": annotations}})
		_, err := jobframework.NewPodSetTopologyRequest(&typed.ObjectMeta).Build()
		stops = stops || err != nil
		if size, sized := annotations[podSet+"slice-size"].(string); sized {
			_, err = strconv.ParseInt(size, 10, 32)
			stops = stops || err != nil
		}
	})
	for _, one := range refusals {
		stops = stops || (document["kind"] == "Job" && strings.HasPrefix(one.Field, "spec.template."))
	}
	return stops
}

func jobLabels(r random, metadata object) {
	labels := object{kueueQueue: "research"}
	r.maybe(8, labels, kueueQueue,
		choose(r, "Research", "a_b", "a..b", "a.b", strings.Repeat("q", 63)))
	r.maybe(20, labels, kueuePrefix+"max-exec-time-seconds", choose(r, "60", "60", "0", "ten", "",
		"1e3", "0x10", "1_0", "007", "9223372036854775807", "9223372036854775808"))
	r.maybe(8, labels, kueuePrefix+"prebuilt-workload-name", choose(r, "mine", "Mine", "a_b", ""))
	metadata["labels"] = labels
}

func jobAnnotations(r random, document object) {
	all := object{}
	r.maybe(12, all, "elastic-job", choose(r, "true", "true", "false", "True"))
	r.maybe(15, all, "job-min-parallelism", choose(r, "1", "2", "+1", "3", "0", "-1", "x", "", "100"))
	r.maybe(8, all, "job-completions-equal-parallelism",
		choose(r, "true", "true", "T", "false", "0", "yes", ""))
	r.maybe(8, all, "prebuilt-workload-name", choose(r, "mine", "Mine", "", strings.Repeat("w", 64)))
	r.maybe(8, all, "admission-gated-by", choose(r, "example.com/gate",
		"example.com/a, example.com/b", "example.com/a,example.com/a", "gate", ",", " ", "",
		"example.com/a,", "Example.com/a", "example.com/", "/a", "example.com/a b",
		"example.com/"+strings.Repeat("g", 60)))
	for _, key := range sorted(all) {
		annotate(document, kueuePrefix+key, all[key].(string))
	}
}

// rayGroups gives a worker group the name of the head at times, or makes too many groups. Most
// clusters have no autoscaler, which only an elastic job may have.
func rayGroups(r random, cluster object) {
	if r.chance(70) {
		delete(cluster, "enableInTreeAutoscaling")
	}
	groups, _ := cluster["workerGroupSpecs"].([]any)
	if len(groups) == 0 {
		return
	}
	if r.chance(6) {
		groups[r.IntN(len(groups))].(object)["groupName"] = "head"
		// Kueue takes one of the two pod sets of this name for the other.
		eachPod(cluster, func(pod object) { delete(pod, "metadata") })
	}
	if r.chance(2) {
		for i := len(groups); i < choose(r, 17, 18); i++ {
			groups = append(groups, object{"groupName": fmt.Sprintf("more-%d", i),
				"rayStartParams": object{}, "replicas": 1, "template": groups[0].(object)["template"]})
		}
		cluster["workerGroupSpecs"] = groups
	}
}

// ---- recording ----

// recordWebhooks writes webhooks.jsonl: jobs with a queue, and what Kueue's webhooks refuse.
func recordWebhooks(chosen *choice) error {
	lines := []any{}
	for _, one := range chosen.chosen() {
		if _, known := kueueWebhooks[one.name]; !known {
			continue
		}
		for i := range chosen.cases {
			index := chosen.first + i
			r := newRandom(chosen.seed, one.name, index)
			document := one.make(r)
			document["metadata"].(object)["name"] = fmt.Sprintf("j-%d", index)
			queued(r, document)
			id := "webhook/" + caseID(one, chosen, i)
			lines = append(lines, judged{id, document, judge(document)})
		}
	}
	return writeLines(filepath.Join(chosen.record, "webhooks.jsonl"), lines)
}
