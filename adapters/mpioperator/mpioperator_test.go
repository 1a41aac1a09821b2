// SPDX-License-Identifier: Apache-2.0

package mpioperator_test

import (
	"testing"

	kubeflow "github.com/kubeflow/mpi-operator/pkg/apis/kubeflow/v2beta1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/utils/ptr"

	"libgang.dev/gang/adapters/mpioperator"
	"libgang.dev/gang/k8sgang"
)

func job(policy kubeflow.LauncherCreationPolicy) *kubeflow.MPIJob {
	template := corev1.PodTemplateSpec{Spec: corev1.PodSpec{Containers: []corev1.Container{{
		Image: "mpi", Resources: corev1.ResourceRequirements{
			Requests: corev1.ResourceList{corev1.ResourceCPU: resource.MustParse("2")}},
	}}}}
	return &kubeflow.MPIJob{
		ObjectMeta: metav1.ObjectMeta{Name: "solve", Namespace: "ml", UID: "u-1"},
		Spec: kubeflow.MPIJobSpec{
			LauncherCreationPolicy: policy,
			MPIReplicaSpecs: map[kubeflow.MPIReplicaType]*kubeflow.ReplicaSpec{
				kubeflow.MPIReplicaTypeLauncher: {Replicas: ptr.To[int32](1), Template: template},
				kubeflow.MPIReplicaTypeWorker:   {Replicas: ptr.To[int32](3), Template: template},
			},
		},
	}
}

// A launcher that is created when the workers are ready must not be waited for
// (kubeflow/mpi-operator#608): the operator by itself asks for 4 of these 3 pods.
func TestLauncherThatWaits(t *testing.T) {
	for policy, minimum := range map[kubeflow.LauncherCreationPolicy]int32{
		kubeflow.LauncherCreationPolicyAtStartup:           4,
		kubeflow.LauncherCreationPolicyWaitForWorkersReady: 3,
	} {
		size, err := mpioperator.SizeOf(job(policy))
		if err != nil {
			t.Fatal(err)
		}
		if size.Minimum != minimum || size.Resources.Cpu().String() != "8" {
			t.Errorf("%s: %+v", policy, size)
		}
	}
}

// The operator asks for the resources of `minAvailable` pods: podgroup.go, calPGMinResource. The
// patch leaves them to it where the minimum is not that of all pods.
func TestMinAvailable(t *testing.T) {
	of := job(kubeflow.LauncherCreationPolicyAtStartup)
	of.Spec.RunPolicy.SchedulingPolicy = &kubeflow.SchedulingPolicy{MinAvailable: ptr.To[int32](2)}
	if size, err := mpioperator.SizeOf(of); err != nil || size.Minimum != 4 {
		t.Errorf("%+v: %v", size, err)
	}
	if *of.Spec.RunPolicy.SchedulingPolicy.MinAvailable != 2 {
		t.Error("the job was changed")
	}
}

// The operator overwrites a scheduler that the templates name: podgroup.go, decoratePodTemplateSpec.
func TestSchedulerOfTemplates(t *testing.T) {
	of := job(kubeflow.LauncherCreationPolicyWaitForWorkersReady)
	for _, replicas := range of.Spec.MPIReplicaSpecs {
		replicas.Template.Spec.SchedulerName = "volcano"
	}
	if size, err := mpioperator.SizeOf(of); err != nil || size.Minimum != 3 {
		t.Errorf("%+v: %v", size, err)
	}
}

func TestRefused(t *testing.T) {
	of := job(kubeflow.LauncherCreationPolicyAtStartup)
	of.Spec.MPIReplicaSpecs[kubeflow.MPIReplicaTypeLauncher].Template.Spec.PriorityClassName = "high"
	if _, err := mpioperator.SizeOf(of); len(k8sgang.Diagnostics(err)) == 0 {
		t.Errorf("no diagnostics: %v", err)
	}
	if of.Spec.MPIReplicaSpecs[kubeflow.MPIReplicaTypeWorker].Template.Spec.Containers[0].Name != "" {
		t.Error("the job was changed")
	}
}
