// SPDX-License-Identifier: Apache-2.0

package controller

import (
	"syscall"
	"testing"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	"k8s.io/utils/ptr"

	kubeflow "github.com/kubeflow/mpi-operator/pkg/apis/kubeflow/v2beta1"

	"libgang.dev/gang/adapters/mpioperator"
)

// BenchmarkJob counts a job, which the operator does in each round.
func BenchmarkJob(b *testing.B) {
	template := corev1.PodTemplateSpec{Spec: corev1.PodSpec{Containers: []corev1.Container{{
		Name: "mpi", Image: "mpi",
		Resources: corev1.ResourceRequirements{Requests: corev1.ResourceList{
			corev1.ResourceCPU: resource.MustParse("2")}}}}}}
	job := &kubeflow.MPIJob{}
	job.Name, job.Namespace = "horovod", "ml"
	job.Spec.MPIReplicaSpecs = map[kubeflow.MPIReplicaType]*kubeflow.ReplicaSpec{
		kubeflow.MPIReplicaTypeLauncher: {Replicas: ptr.To[int32](1), Template: template},
		kubeflow.MPIReplicaTypeWorker:   {Replicas: ptr.To[int32](3), Template: template},
	}
	for name, count := range map[string]func() bool{
		"mpi-operator": func() bool {
			return calPGMinResource(calculateMinAvailable(job), job, nil) != nil
		},
		"libgang": func() bool {
			size, err := mpioperator.SizeOf(job)
			return err == nil && size.Minimum == 4
		},
	} {
		b.Run(name, func(b *testing.B) {
			before := used()
			for b.Loop() {
				if !count() {
					b.Fatal("no size")
				}
			}
			b.ReportMetric(float64(used()-before)/float64(b.N), "cpu-ns/op")
		})
	}
}

func used() int64 {
	var usage syscall.Rusage
	_ = syscall.Getrusage(syscall.RUSAGE_SELF, &usage) // its arguments are right
	return usage.Utime.Nano() + usage.Stime.Nano()
}
