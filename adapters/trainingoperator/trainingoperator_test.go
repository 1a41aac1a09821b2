// SPDX-License-Identifier: Apache-2.0

package trainingoperator_test

import (
	"testing"

	kubeflow "github.com/kubeflow/training-operator/pkg/apis/kubeflow.org/v1"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/utils/ptr"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"libgang.dev/gang/adapters/internal/world"
	"libgang.dev/gang/adapters/trainingoperator"
	"libgang.dev/gang/k8sgang/apply"
)

var volcanoKind = schema.GroupVersionKind{
	Group: "scheduling.volcano.sh", Version: "v1beta1", Kind: "PodGroup"}

func job(workers int32) *kubeflow.PyTorchJob {
	template := corev1.PodTemplateSpec{Spec: corev1.PodSpec{Containers: []corev1.Container{{
		Name: "pytorch", Image: "train", Resources: corev1.ResourceRequirements{
			Limits: corev1.ResourceList{corev1.ResourceCPU: resource.MustParse("2")}},
	}}}}
	return &kubeflow.PyTorchJob{
		ObjectMeta: metav1.ObjectMeta{Name: "bert", Namespace: "ml", UID: "u-1", ResourceVersion: "1",
			Annotations: map[string]string{"team": "nlp"}},
		Spec: kubeflow.PyTorchJobSpec{PyTorchReplicaSpecs: map[kubeflow.ReplicaType]*kubeflow.ReplicaSpec{
			kubeflow.PyTorchJobReplicaTypeMaster: {Replicas: ptr.To[int32](1), Template: template},
			kubeflow.PyTorchJobReplicaTypeWorker: {Replicas: ptr.To(workers), Template: template},
		}},
	}
}

func control(t testing.TB, backend string, objects ...client.Object) *trainingoperator.Control {
	t.Helper()
	groups := func(scheme *runtime.Scheme) error {
		scheme.AddKnownTypeWithName(volcanoKind, &unstructured.Unstructured{})
		scheme.AddKnownTypeWithName(volcanoKind.GroupVersion().WithKind("PodGroupList"),
			&unstructured.UnstructuredList{})
		return nil
	}
	types := []func(*runtime.Scheme) error{kubeflow.AddToScheme, corev1.AddToScheme, groups}
	return &trainingoperator.Control{Keeper: &apply.Keeper{
		Client: world.Client(t, types, objects...), Planner: world.Planner(t, backend),
		Kinds: []schema.GroupVersionKind{volcanoKind},
	}}
}

// carrier is what the operator passes: a PodGroup of the coscheduling plugin, owned by the job.
func carrier(c *trainingoperator.Control, of *kubeflow.PyTorchJob) client.Object {
	group := c.NewEmptyPodGroup()
	group.SetName(of.Name)
	group.SetNamespace(of.Namespace)
	group.SetOwnerReferences([]metav1.OwnerReference{
		*metav1.NewControllerRef(of, kubeflow.GroupVersion.WithKind(kubeflow.PyTorchJobKind))})
	return group
}

func group(t *testing.T, c client.Client) *unstructured.Unstructured {
	t.Helper()
	return world.Group(t, c, volcanoKind.GroupVersion().String(), "bert")
}

// A gang is created, not written without need, resized, found by another process, and deleted.
func TestLife(t *testing.T) {
	of := job(3)
	c := control(t, "Volcano", of)
	if _, err := c.GetPodGroup("ml", "bert"); !apierrors.IsNotFound(err) {
		t.Fatal(err)
	}
	if err := c.CreatePodGroup(carrier(c, of)); err != nil {
		t.Fatal(err)
	}
	created := group(t, c.Client)
	if world.Minimum(created) != 4 || created.GetAnnotations()["team"] != "nlp" {
		t.Errorf("%v", created)
	}
	found, err := c.GetPodGroup("ml", "bert")
	if err != nil {
		t.Fatal(err)
	}
	carried, _ := found.(client.Object)
	if err := c.UpdatePodGroup(carried); err != nil {
		t.Fatal(err)
	}
	if again := group(t, c.Client); again.GetResourceVersion() != created.GetResourceVersion() {
		t.Error("written without need")
	}
	of.Spec.PyTorchReplicaSpecs[kubeflow.PyTorchJobReplicaTypeWorker].Replicas = ptr.To[int32](7)
	if err := c.Client.Update(t.Context(), of); err != nil {
		t.Fatal(err)
	}
	other := &trainingoperator.Control{Keeper: c.Keeper}
	if found, err = other.GetPodGroup("ml", "bert"); err != nil {
		t.Fatal(err)
	}
	carried, _ = found.(client.Object)
	if err := other.UpdatePodGroup(carried); err != nil {
		t.Fatal(err)
	}
	if resized := group(t, c.Client); world.Minimum(resized) != 8 {
		t.Errorf("minMember %d", world.Minimum(resized))
	}
	if err := other.DeletePodGroup("ml", "bert"); err != nil {
		t.Fatal(err)
	}
	if _, err := other.GetPodGroup("ml", "bert"); !apierrors.IsNotFound(err) {
		t.Error(err)
	}
}

// A job that is created again under its name has another uid, which DeletePodGroup must know.
func TestSecondJob(t *testing.T) {
	first, second := job(3), job(3)
	second.UID, second.Annotations = "u-2", nil
	c := control(t, "Volcano", second)
	if err := c.CreatePodGroup(carrier(c, first)); err != nil { // what was remembered of the first
		t.Fatal(err)
	}
	if owner := metav1.GetControllerOf(group(t, c.Client)); owner == nil || owner.UID != "u-2" {
		t.Errorf("owner %v", owner)
	}
	if err := c.DeletePodGroup("ml", "bert"); err != nil {
		t.Fatal(err)
	}
	if _, err := c.GetPodGroup("ml", "bert"); !apierrors.IsNotFound(err) {
		t.Error(err)
	}
}

// The PodGroup of another owner is left alone: the operator's own control writes into it.
func TestForeignPodGroup(t *testing.T) {
	of := job(3)
	foreign := apply.New(volcanoKind)
	foreign.SetName("bert")
	foreign.SetNamespace("ml")
	foreign.SetOwnerReferences([]metav1.OwnerReference{
		{APIVersion: "v1", Kind: "ConfigMap", Name: "x", UID: "u-9", Controller: ptr.To(true)}})
	c := control(t, "Volcano", of, foreign)
	if err := c.CreatePodGroup(carrier(c, of)); err == nil {
		t.Error("no conflict")
	}
	if world.Minimum(group(t, c.Client)) != 0 {
		t.Error("written")
	}
}

func TestMarks(t *testing.T) {
	of := job(3)
	for backend, label := range map[string]string{
		"Volcano": "", "Coscheduling": "scheduling.x-k8s.io/pod-group",
		"Koordinator": "pod-group.scheduling.sigs.k8s.io",
	} {
		template := &of.Spec.PyTorchReplicaSpecs[kubeflow.PyTorchJobReplicaTypeWorker].DeepCopy().Template
		control(t, backend, of).DecoratePodTemplateSpec(template, of, "worker")
		mark := template.Labels[label]
		if backend == "Volcano" {
			mark = template.Annotations["scheduling.k8s.io/group-name"]
		}
		if mark == "" || template.Spec.SchedulerName == "" {
			t.Errorf("%s: %v %v %q", backend, template.Labels, template.Annotations,
				template.Spec.SchedulerName)
		}
	}
}
