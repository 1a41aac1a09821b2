// SPDX-License-Identifier: Apache-2.0

// Package mpioperator counts the gang of an MPIJob for the mpi-operator, whose seam for gangs
// only its own package can implement: adapters/patches/mpi-operator.patch calls it from there.
package mpioperator

import (
	"encoding/json"
	"fmt"
	"sync"

	kubeflow "github.com/kubeflow/mpi-operator/pkg/apis/kubeflow/v2beta1"
	corev1 "k8s.io/api/core/v1"

	"libgang.dev/gang"
	"libgang.dev/gang/k8sgang"
)

// A Size is how many pods of a job must start together, and what all of its pods request.
type Size struct {
	Minimum   int32
	Resources corev1.ResourceList
}

// The operator has chosen the scheduler and writes the PodGroup itself, so any backend that
// reserves resources does. The rule has precedence over a schedulerName of the templates, which
// the operator overwrites.
const policyText = `{"apiVersion":"policy.libgang.dev/v1alpha1","kind":"GangPolicy",` +
	`"metadata":{"name":"size"},"spec":{"backends":[{"name":"size","type":"Coscheduling"}],` +
	`"rules":[{"name":"size","match":{},"backend":"size","override":"Always","reserve":"Always"}]}}`

var readPolicy = sync.OnceValues(func() (*gang.Document, error) {
	return gang.Parse([]byte(policyText))
})

// SizeOf counts the gang of a job, which is not changed. A launcher that waits for the workers to
// be ready is not in the minimum: its pod is created when they run. A `minAvailable` of the job is
// not read: the operator sums the requests of fewer pods itself. The error has the diagnostics for
// the author of the job: see k8sgang.Diagnostics. Any number of goroutines may call it.
func SizeOf(job *kubeflow.MPIJob) (*Size, error) {
	policy, err := readPolicy()
	if err != nil {
		return nil, err
	}
	document, err := k8sgang.Parse(kubeflow.SchemeGroupVersionKind, counted(job))
	if err != nil {
		return nil, err
	}
	defer document.Close()
	decision, err := gang.Resolve(document, gang.Inputs{Documents: []*gang.Document{policy}})
	defer decision.Close()
	if err != nil {
		return nil, err
	}
	plan, err := decision.Render()
	if err != nil {
		return nil, err
	}
	defer plan.Close()
	return read(plan)
}

func read(plan *gang.Plan) (*Size, error) {
	for _, object := range plan.Objects() {
		group := struct {
			Spec struct {
				MinMember    int32               `json:"minMember"`
				MinResources corev1.ResourceList `json:"minResources"`
			} `json:"spec"`
		}{}
		err := json.Unmarshal(object.JSON, &group)
		return &Size{group.Spec.MinMember, group.Spec.MinResources}, err
	}
	return nil, fmt.Errorf("the job has no gang")
}

// counted names what the API server requires to have a name, for jobs that it never saw, and leaves
// out the minimum.
func counted(job *kubeflow.MPIJob) *kubeflow.MPIJob {
	named := job.DeepCopy()
	if policy := named.Spec.RunPolicy.SchedulingPolicy; policy != nil {
		policy.MinAvailable = nil
	}
	for _, replicas := range named.Spec.MPIReplicaSpecs {
		for i := range replicas.Template.Spec.Containers {
			if container := &replicas.Template.Spec.Containers[i]; container.Name == "" {
				container.Name = fmt.Sprintf("container-%d", i)
			}
		}
	}
	return named
}
