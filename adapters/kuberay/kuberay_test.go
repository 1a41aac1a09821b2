// SPDX-License-Identifier: Apache-2.0

package kuberay_test

import (
	"context"
	"strings"
	"testing"

	rayv1 "github.com/ray-project/kuberay/ray-operator/apis/ray/v1"
	schedulerinterface "github.com/ray-project/kuberay/ray-operator/controllers/ray/batchscheduler/interface"
	"github.com/ray-project/kuberay/ray-operator/controllers/ray/common"
	"github.com/ray-project/kuberay/ray-operator/controllers/ray/utils"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/utils/ptr"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"libgang.dev/gang"
	"libgang.dev/gang/adapters/internal/world"
	"libgang.dev/gang/adapters/kuberay"
	"libgang.dev/gang/k8sgang/apply"
)

var (
	_ schedulerinterface.BatchScheduler        = (*kuberay.Scheduler)(nil)
	_ schedulerinterface.BatchSchedulerFactory = (*kuberay.Factory)(nil)
)

const (
	coscheduling = "scheduling.x-k8s.io/v1alpha1"
	volcano      = "scheduling.volcano.sh/v1beta1"
)

func spec(workers int32) rayv1.RayClusterSpec {
	template := corev1.PodTemplateSpec{Spec: corev1.PodSpec{Containers: []corev1.Container{{
		Name: "ray", Image: "ray", Resources: corev1.ResourceRequirements{Requests: corev1.ResourceList{
			corev1.ResourceCPU: resource.MustParse("2"), corev1.ResourceMemory: resource.MustParse("4Gi")}},
	}}}}
	return rayv1.RayClusterSpec{
		HeadGroupSpec: rayv1.HeadGroupSpec{Template: template},
		WorkerGroupSpecs: []rayv1.WorkerGroupSpec{{
			GroupName: "Big", Replicas: ptr.To(workers), MinReplicas: ptr.To[int32](1),
			MaxReplicas: ptr.To[int32](9), NumOfHosts: 1, Template: template,
		}},
	}
}

func cluster(workers int32) *rayv1.RayCluster {
	return &rayv1.RayCluster{
		ObjectMeta: metav1.ObjectMeta{Name: "tune", Namespace: "ml", UID: "u-1", ResourceVersion: "1",
			Labels: map[string]string{"ray.io/gang-scheduling-enabled": "true"}},
		Spec: spec(workers),
	}
}

func job(workers int32) *rayv1.RayJob {
	of := spec(workers)
	return &rayv1.RayJob{
		ObjectMeta: metav1.ObjectMeta{Name: "tune", Namespace: "ml", UID: "u-2"},
		Spec: rayv1.RayJobSpec{
			RayClusterSpec: &of, SubmissionMode: rayv1.K8sJobMode, Entrypoint: "x"},
	}
}

func scheduler(t testing.TB, backend string, objects ...client.Object) *kuberay.Scheduler {
	t.Helper()
	types := []func(*runtime.Scheme) error{rayv1.AddToScheme}
	return &kuberay.Scheduler{Keeper: &apply.Keeper{
		Client: world.Client(t, types, objects...), Planner: world.Planner(t, backend)}}
}

// A job without a plan is an error: no gang is left out in silence. Here each plan is made with
// another policy than the one before.
func TestPolicyThatChanges(t *testing.T) {
	s, round := scheduler(t, "Volcano"), 0
	volcano, yunikorn := s.Planner.Policy, world.Planner(t, "YuniKorn").Policy
	s.Planner.Policy = func(ctx context.Context) (*gang.Document, error) {
		if round++; round%2 == 0 {
			return yunikorn(ctx)
		}
		return volcano(ctx)
	}
	err := s.DoBatchSchedulingOnSubmission(t.Context(), cluster(3))
	if err == nil || !strings.Contains(err.Error(), "the policy changes") || round != 2 {
		t.Errorf("%v after %d plans", err, round)
	}
}

// With the plugin for coscheduling in KubeRay no RayJob starts: it refuses every object but a
// RayCluster, before the RayCluster of the RayJob is created.
func TestRayJobWithCoscheduling(t *testing.T) {
	s := scheduler(t, "Coscheduling")
	if err := s.DoBatchSchedulingOnSubmission(t.Context(), job(3)); err != nil {
		t.Fatal(err)
	}
	if created := world.Group(t, s.Client, coscheduling, "tune"); world.Minimum(created) != 4 {
		t.Errorf("minMember %d: the submitter waits for the other pods", world.Minimum(created))
	}
}

// A RayJob on a RayCluster that exists has no pods of its own that start together.
func TestRayJobOnCluster(t *testing.T) {
	of := job(3)
	of.Spec.RayClusterSpec, of.Spec.ClusterSelector = nil, map[string]string{"ray.io/cluster": "tune"}
	for _, backend := range []string{"Volcano", "YuniKorn"} {
		s := scheduler(t, backend)
		if err := s.DoBatchSchedulingOnSubmission(t.Context(), of); err != nil {
			t.Fatal(err)
		}
		submitter := &corev1.PodTemplateSpec{}
		s.AddMetadataToChildResource(t.Context(), of, submitter, "submittergroup")
		if len(submitter.Annotations) > 0 {
			t.Errorf("%s: %v", backend, submitter.Annotations)
		}
	}
}

// A submitter that comes later has no placeholder, so it names no task group.
func TestLateSubmitter(t *testing.T) {
	s := scheduler(t, "YuniKorn")
	s.Planner = world.PlannerWith(t, "YuniKorn", "Never")
	submitter := &corev1.PodTemplateSpec{}
	s.AddMetadataToChildResource(t.Context(), job(3), submitter, "submittergroup")
	if submitter.Spec.SchedulerName != "yunikorn" ||
		submitter.Annotations["yunikorn.apache.org/task-group-name"] != "" {
		t.Errorf("%q %v", submitter.Spec.SchedulerName, submitter.Annotations)
	}
}

// KubeRay's plugin for coscheduling never writes a PodGroup again (kuberay#5205).
func TestResize(t *testing.T) {
	s := scheduler(t, "Coscheduling")
	for _, workers := range []int32{3, 7, 2} {
		if err := s.DoBatchSchedulingOnSubmission(t.Context(), cluster(workers)); err != nil {
			t.Fatal(err)
		}
		group := world.Group(t, s.Client, coscheduling, "tune")
		if got := world.Minimum(group); got != int64(workers)+1 {
			t.Errorf("%d workers: minMember %d", workers, got)
		}
	}
	before := world.Group(t, s.Client, coscheduling, "tune").GetResourceVersion()
	if err := s.DoBatchSchedulingOnSubmission(t.Context(), cluster(2)); err != nil {
		t.Fatal(err)
	}
	if world.Group(t, s.Client, coscheduling, "tune").GetResourceVersion() != before {
		t.Error("written without need")
	}
}

// A RayCluster and a RayJob of one name have one name for their PodGroup of Volcano. The second
// finds that it is not its own.
func TestSameName(t *testing.T) {
	s := scheduler(t, "Volcano")
	if err := s.DoBatchSchedulingOnSubmission(t.Context(), cluster(3)); err != nil {
		t.Fatal(err)
	}
	if err := s.DoBatchSchedulingOnSubmission(t.Context(), job(5)); err == nil {
		t.Error("no conflict")
	}
	if got := world.Minimum(world.Group(t, s.Client, volcano, "ray-tune-pg")); got != 4 {
		t.Errorf("minMember %d", got)
	}
}

// The pods of a RayJob have the group of the RayJob, those of the RayCluster that it creates as
// well.
func TestMarksOfRayJob(t *testing.T) {
	s := scheduler(t, "Volcano")
	of := job(3)
	made := cluster(3)
	made.Name = "tune-x7k2p"
	made.Labels = map[string]string{utils.RayOriginatedFromCRNameLabelKey: of.Name,
		utils.RayOriginatedFromCRDLabelKey: string(utils.RayJobCRD)}
	made.OwnerReferences = []metav1.OwnerReference{
		*metav1.NewControllerRef(of, rayv1.SchemeGroupVersion.WithKind("RayJob"))}
	if err := s.DoBatchSchedulingOnSubmission(t.Context(), made); err != nil {
		t.Fatal(err)
	}
	for name, parent := range map[string]metav1.Object{
		"headgroup": made, "Big": made, "submittergroup": of} {
		pod := &corev1.Pod{}
		s.AddMetadataToChildResource(t.Context(), parent, pod, name)
		if pod.Annotations["scheduling.k8s.io/group-name"] != "ray-tune-pg" ||
			pod.Annotations["volcano.sh/task-spec"] != name || pod.Spec.SchedulerName != "volcano" {
			t.Errorf("%s: %v %q", name, pod.Annotations, pod.Spec.SchedulerName)
		}
	}
	list := &unstructured.UnstructuredList{}
	list.SetGroupVersionKind(schema.FromAPIVersionAndKind(volcano, "PodGroupList"))
	if err := s.Client.List(t.Context(), list); err == nil && len(list.Items) > 0 {
		t.Error("the RayCluster of a RayJob has a PodGroup of its own")
	}
}

// Annotations of the policy are beside those of the owner, which may have none.
func TestAnnotations(t *testing.T) {
	for _, owners := range []map[string]string{nil, {"team": "nlp"}} {
		s := scheduler(t, "Volcano")
		of := cluster(3)
		of.Annotations = owners
		if err := s.DoBatchSchedulingOnSubmission(t.Context(), of); err != nil {
			t.Fatal(err)
		}
		created := world.Group(t, s.Client, volcano, "ray-tune-pg").GetAnnotations()
		if len(created) != len(owners)+1 || created["team"] != owners["team"] {
			t.Errorf("%v", created)
		}
	}
}

// A policy gives KubeRay the backends that it has no plugin for.
func TestOtherBackends(t *testing.T) {
	for backend, name := range map[string]string{
		"Koordinator": "koord-scheduler", "KAI": "kai-scheduler",
		"YuniKorn": "yunikorn"} {
		pod := &corev1.Pod{}
		s := scheduler(t, backend)
		if err := s.DoBatchSchedulingOnSubmission(t.Context(), cluster(3)); err != nil {
			t.Errorf("%s: %v", backend, err)
		}
		s.AddMetadataToChildResource(t.Context(), cluster(3), pod, "Big")
		if pod.Spec.SchedulerName != name {
			t.Errorf("%s: %q", backend, pod.Spec.SchedulerName)
		}
	}
}

// All pods of an application of YuniKorn have the same task groups: the RayCluster of a RayJob has
// those of the RayJob, which has a submitter, and its placeholders the nodes of the pods.
func TestTaskGroups(t *testing.T) {
	s := scheduler(t, "YuniKorn")
	of, made := job(3), cluster(3)
	workers := &of.Spec.RayClusterSpec.WorkerGroupSpecs[0].Template.Spec
	workers.NodeSelector = map[string]string{"pool": "a"}
	made.OwnerReferences = []metav1.OwnerReference{
		*metav1.NewControllerRef(of, rayv1.SchemeGroupVersion.WithKind("RayJob"))}
	s.AddMetadataToChildResource(t.Context(), of, made, "")
	submitter, worker := &corev1.PodTemplateSpec{}, &corev1.Pod{}
	s.AddMetadataToChildResource(t.Context(), of, submitter, "submittergroup")
	s.AddMetadataToChildResource(t.Context(), made, worker, "Big")
	const key = "yunikorn.apache.org/task-groups"
	groups := worker.Annotations[key]
	for _, part := range []string{
		`"headgroup"`, `"submittergroup"`, `"nodeSelector":{"pool":"a"}`} {
		if !strings.Contains(groups, part) {
			t.Errorf("%s is not in %s", part, groups)
		}
	}
	if made.Annotations[key] != groups || len(made.Labels) > 1 {
		t.Errorf("not %s: %v %v", groups, made.Annotations, made.Labels)
	}
	if submitter.Annotations["yunikorn.apache.org/task-group-name"] != "submittergroup" ||
		worker.Annotations["yunikorn.apache.org/task-group-name"] != "big" {
		t.Errorf("%v %v", submitter.Annotations, worker.Annotations)
	}
}

// With the autoscaler KubeRay adds a container to the head pod (controllers/ray/common/pod.go:205
// and 715), and sums the template, which does not have it, for minResources
// (controllers/ray/utils/util.go:496, from volcano_scheduler.go:206).
func TestAutoscalerContainer(t *testing.T) {
	of := cluster(1)
	of.Spec.EnableInTreeAutoscaling = ptr.To(true)
	of.Spec.HeadGroupSpec.RayStartParams = map[string]string{}
	head := common.DefaultHeadPodTemplate(t.Context(), *of, of.Spec.HeadGroupSpec, "head", "6379")
	ofHead := utils.CalculatePodResource(head.Spec)
	created := ofHead.Cpu()
	created.Add(resource.MustParse("2")) // and one worker
	if counted := utils.CalculateMinResources(of); created.String() != "4500m" ||
		counted.Cpu().String() != "4" {
		t.Errorf("KubeRay counts it by now: %s in the pods, %s in the PodGroup",
			created, counted.Cpu())
	}
	s := scheduler(t, "Volcano")
	if err := s.DoBatchSchedulingOnSubmission(t.Context(), of); err != nil {
		t.Fatal(err)
	}
	counted, _, _ := unstructured.NestedString(
		world.Group(t, s.Client, volcano, "ray-tune-pg").Object, "spec", "minResources", "cpu")
	if counted != "4500m" {
		t.Errorf("%s", counted)
	}
}
