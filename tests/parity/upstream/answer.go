// SPDX-License-Identifier: Apache-2.0

package upstream

import (
	"encoding/json"
	"errors"
	"fmt"

	opruntime "github.com/kubeflow/trainer/v2/pkg/runtime"
	"k8s.io/apimachinery/pkg/api/resource"
	"k8s.io/apimachinery/pkg/runtime"
	jobset "sigs.k8s.io/jobset/client-go/applyconfiguration/jobset/v1alpha2"
	coscheduling "sigs.k8s.io/scheduler-plugins/pkg/generated/applyconfiguration/scheduling/v1alpha1"
	volcano "volcano.sh/apis/pkg/client/applyconfiguration/scheduling/v1beta1"
)

// Answer is what the operator would create for one TrainJob.
type Answer struct {
	PodGroups []json.RawMessage `json:"podGroups"`
	JobSet    Marks             `json:"jobSet"`
	Roles     []Role            `json:"roles"`
}

// Role is one replicated job of the rendered JobSet.
type Role struct {
	Name              string            `json:"name"`
	Counted           int32             `json:"counted"` // by the PodGroup: one replica's parallelism
	Replicas          int32             `json:"replicas"`
	Requests          map[string]string `json:"requests"`
	SchedulerName     string            `json:"schedulerName,omitempty"`
	PriorityClassName string            `json:"priorityClassName,omitempty"`
	Marks
}

// Marks are the labels and annotations of one object or pod template.
type Marks struct {
	Labels      map[string]string `json:"labels,omitempty"`
	Annotations map[string]string `json:"annotations,omitempty"`
}

func newAnswer(objects []runtime.ApplyConfiguration, info *opruntime.Info) (*Answer, error) {
	answer := &Answer{}
	for _, object := range objects {
		switch object := object.(type) {
		case *coscheduling.PodGroupApplyConfiguration, *volcano.PodGroupApplyConfiguration:
			text, err := json.Marshal(object)
			if err != nil {
				return nil, err
			}
			answer.PodGroups = append(answer.PodGroups, text)
		case *jobset.JobSetApplyConfiguration:
			answer.JobSet = Marks{object.Labels, object.Annotations}
			answer.Roles = newRoles(object.Spec.ReplicatedJobs)
		}
	}
	return answer, answer.addRequests(info.TemplateSpec.PodSets)
}

func newRoles(jobs []jobset.ReplicatedJobApplyConfiguration) []Role {
	roles := make([]Role, len(jobs))
	for i, job := range jobs {
		template := job.Template.Spec.Template
		roles[i] = Role{Name: *job.Name, Counted: *job.Template.Spec.Parallelism, Replicas: 1}
		if job.Replicas != nil {
			roles[i].Replicas = *job.Replicas
		}
		if template.ObjectMetaApplyConfiguration != nil {
			roles[i].Marks = Marks{template.Labels, template.Annotations}
		}
		if template.Spec.SchedulerName != nil {
			roles[i].SchedulerName = *template.Spec.SchedulerName
		}
		if template.Spec.PriorityClassName != nil {
			roles[i].PriorityClassName = *template.Spec.PriorityClassName
		}
	}
	return roles
}

// Pods is how many pods of the role will exist.
func (r *Role) Pods() int64 { return int64(r.Counted) * int64(r.Replicas) }

// addRequests takes the requests of one pod of each role from the operator's
// own intermediate model, the only place where it states them.
func (a *Answer) addRequests(sets []opruntime.PodSet) error {
	if len(sets) != len(a.Roles) {
		return errors.New("the JobSet and the pod sets differ in length")
	}
	for i, set := range sets {
		if set.Name != a.Roles[i].Name {
			return fmt.Errorf("role %d is %s in the JobSet and %s in the pod sets", i, a.Roles[i].Name, set.Name)
		}
		a.Roles[i].Requests = map[string]string{}
		for name, quantity := range set.SinglePodRequests {
			quantity.Add(resource.Quantity{}) // forgets text that was copied verbatim
			a.Roles[i].Requests[string(name)] = quantity.String()
		}
	}
	return nil
}
