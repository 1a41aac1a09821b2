// SPDX-License-Identifier: Apache-2.0

package sparkoperator_test

import (
	"testing"

	"github.com/kubeflow/spark-operator/v2/api/v1beta2"
	"github.com/kubeflow/spark-operator/v2/pkg/common"
	"github.com/kubeflow/spark-operator/v2/pkg/util"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/utils/ptr"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"libgang.dev/gang/adapters/internal/world"
	"libgang.dev/gang/adapters/sparkoperator"
	"libgang.dev/gang/k8sgang"
	"libgang.dev/gang/k8sgang/apply"
)

const (
	coscheduling = "scheduling.x-k8s.io/v1alpha1"
	volcano      = "scheduling.volcano.sh/v1beta1"
	volcanoMark  = "scheduling.k8s.io/group-name"
)

func pod(cores int32, memory string) v1beta2.SparkPodSpec {
	return v1beta2.SparkPodSpec{Cores: ptr.To(cores), Memory: ptr.To(memory)}
}

func application() *v1beta2.SparkApplication {
	return &v1beta2.SparkApplication{
		ObjectMeta: metav1.ObjectMeta{Name: "etl", Namespace: "ml", UID: "u-1"},
		Spec: v1beta2.SparkApplicationSpec{
			Type: v1beta2.SparkApplicationTypeScala, SparkVersion: "4.0.0",
			MainApplicationFile: ptr.To("local:///app.jar"), BatchScheduler: ptr.To("libgang"),
			Driver:   v1beta2.DriverSpec{SparkPodSpec: pod(1, "1g")},
			Executor: v1beta2.ExecutorSpec{SparkPodSpec: pod(4, "10g"), Instances: ptr.To[int32](3)},
		},
	}
}

func scheduler(t *testing.T, backend string, objects ...client.Object) *sparkoperator.Scheduler {
	t.Helper()
	types := []func(*runtime.Scheme) error{v1beta2.AddToScheme}
	return &sparkoperator.Scheduler{Keeper: &apply.Keeper{
		Client: world.Client(t, types, objects...), Planner: world.Planner(t, backend),
		Kinds: []schema.GroupVersionKind{
			schema.FromAPIVersionAndKind(coscheduling, "PodGroup"),
			schema.FromAPIVersionAndKind(volcano, "PodGroup"),
		},
	}}
}

// What the operator counts today: no memory, since it reads 10g as a quantity of Kubernetes, in one
// group of four pods whose minimum is 1.
func TestCountOfToday(t *testing.T) {
	today := util.GetExecutorRequestResource(application())
	if today.Memory().String() != "0" || today.Cpu().String() != "12" {
		t.Errorf("%v: the operator counts memory by now", today)
	}
}

// The three executors of 10g and an overhead of a tenth start together; the driver that creates
// them starts before. With Volcano it is in the group that the operator has, which has room for
// all.
func TestExecutorsStartTogether(t *testing.T) {
	for _, one := range []struct{ backend, version, name, cpu, memory string }{
		{"Coscheduling", coscheduling, "etl-pg", "12", "33Gi"},
		{"Volcano", volcano, "spark-etl-exec-pg", "", ""},
	} {
		backend, version := one.backend, one.version
		s, app := scheduler(t, backend), application()
		if err := s.Schedule(app); err != nil {
			t.Fatal(err)
		}
		group := world.Group(t, s.Client, version, one.name)
		if world.Minimum(group) != 3 || resource(group, "cpu") != one.cpu ||
			resource(group, "memory") != one.memory {
			t.Errorf("%s: %v", backend, group.Object["spec"])
		}
		checkTemplates(t, app)
		if backend == "Volcano" {
			checkDriver(t, world.Group(t, s.Client, version, "spark-etl-pg"), app)
		} else if len(app.Spec.Driver.Annotations)+len(app.Spec.Driver.Labels) > 0 {
			t.Errorf("%s: the driver waits for its executors", backend)
		}
		if err := s.Cleanup(app); err != nil {
			t.Fatal(err)
		}
		left, err := apply.List(t.Context(), s.Client,
			schema.FromAPIVersionAndKind(version, "PodGroup"))
		if err != nil || len(left) > 0 {
			t.Errorf("%s: %v %v", backend, left, err)
		}
	}
}

// checkTemplates looks where spark-submit takes the scheduler from. The operator's webhook reads
// the application that is stored, not the one that is submitted.
func checkTemplates(t *testing.T, app *v1beta2.SparkApplication) {
	t.Helper()
	for name, pod := range map[string]*v1beta2.SparkPodSpec{
		common.SparkDriverContainerName:           &app.Spec.Driver.SparkPodSpec,
		common.Spark3DefaultExecutorContainerName: &app.Spec.Executor.SparkPodSpec,
	} {
		if pod.Template == nil || pod.Template.Spec.SchedulerName == "" ||
			len(pod.Template.Spec.Containers) != 1 || pod.Template.Spec.Containers[0].Name != name {
			t.Errorf("%s: %+v", name, pod.Template)
		}
	}
}

// checkDriver: 1g and the least overhead, 384Mi, are 1408Mi.
func checkDriver(t *testing.T, group *unstructured.Unstructured, app *v1beta2.SparkApplication) {
	t.Helper()
	if world.Minimum(group) != 1 || resource(group, "cpu") != "13" ||
		resource(group, "memory") != "35200Mi" {
		t.Errorf("the driver's group: %v", group.Object["spec"])
	}
	if app.Spec.Driver.Annotations[volcanoMark] != "spark-etl-pg" ||
		app.Spec.Executor.Annotations[volcanoMark] != "spark-etl-exec-pg" {
		t.Errorf("%v, %v", app.Spec.Driver.Annotations, app.Spec.Executor.Annotations)
	}
}

func resource(group *unstructured.Unstructured, name string) string {
	amount, _, _ := unstructured.NestedString(group.Object, "spec", "minResources", name)
	return amount
}

// A policy that reserves nothing for pods that come later has the driver ask for itself alone.
func TestWithoutReservation(t *testing.T) {
	s, app := scheduler(t, "Volcano"), application()
	s.Planner = world.PlannerWith(t, "Volcano", "Auto")
	if err := s.Schedule(app); err != nil {
		t.Fatal(err)
	}
	group := world.Group(t, s.Client, volcano, "spark-etl-pg")
	if world.Minimum(group) != 1 || resource(group, "cpu") != "1" {
		t.Errorf("%v", group.Object["spec"])
	}
}

// In client mode there is no pod of the driver.
func TestClientMode(t *testing.T) {
	s, app := scheduler(t, "Volcano"), application()
	app.Spec.Mode = v1beta2.DeployModeClient
	if err := s.Schedule(app); err != nil {
		t.Fatal(err)
	}
	group := world.Group(t, s.Client, volcano, "spark-etl-pg")
	if world.Minimum(group) != 3 || resource(group, "cpu") != "12" {
		t.Errorf("%v", group.Object["spec"])
	}
}

// A second try finds the PodGroup of the first, and does not write it.
func TestRetry(t *testing.T) {
	s, app := scheduler(t, "Volcano"), application()
	app.Spec.BatchSchedulerOptions = &v1beta2.BatchSchedulerConfiguration{
		Resources: corev1.ResourceList{corev1.ResourceCPU: *world.Quantity("40")}}
	for range 2 {
		if err := s.Schedule(app.DeepCopy()); err != nil {
			t.Fatal(err)
		}
		spec, _ := world.Group(t, s.Client, volcano, "spark-etl-pg").Object["spec"].(map[string]any)
		resources, _ := spec["minResources"].(map[string]any)
		if len(resources) != 1 || resources["cpu"] != "40" {
			t.Errorf("not the user's resources: %v", resources)
		}
	}
}

// The group of another application of that name, which was deleted, is in conflict, and stays.
func TestForeignGroup(t *testing.T) {
	s := scheduler(t, "Volcano")
	if err := s.Schedule(application()); err != nil {
		t.Fatal(err)
	}
	again := application()
	again.UID = "u-2"
	if err := s.Schedule(again); err == nil {
		t.Error("no conflict")
	}
	if err := s.Cleanup(again); err != nil {
		t.Fatal(err)
	}
	world.Group(t, s.Client, volcano, "spark-etl-pg")
}

// The field that says which pod belongs to a native group is in no SparkApplication, so it is in
// the pod template.
func TestWorkload(t *testing.T) {
	s, app := scheduler(t, "Workload"), application()
	if err := s.Schedule(app); err != nil {
		t.Fatal(err)
	}
	template := app.Spec.Executor.Template
	if template == nil || template.Spec.SchedulingGroup == nil || app.Spec.Driver.Template != nil {
		t.Errorf("%+v", template)
	}
}

func TestRefused(t *testing.T) {
	app := application()
	app.Spec.Executor.Memory, app.Spec.Driver.Cores = ptr.To("10Gi"), ptr.To[int32](0)
	if err := scheduler(t, "Volcano").Schedule(app); len(k8sgang.Diagnostics(err)) < 2 {
		t.Errorf("not all diagnostics: %v", err)
	}
}
