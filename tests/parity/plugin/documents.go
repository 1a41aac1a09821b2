// SPDX-License-Identifier: Apache-2.0

package plugin

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	trainer "github.com/kubeflow/trainer/v2/pkg/apis/trainer/v1alpha1"
	opruntime "github.com/kubeflow/trainer/v2/pkg/runtime"
	corev1 "k8s.io/api/core/v1"
	schedulingv1 "k8s.io/api/scheduling/v1"
	"k8s.io/utils/ptr"
	"sigs.k8s.io/controller-runtime/pkg/client"
	jobset "sigs.k8s.io/jobset/client-go/applyconfiguration/jobset/v1alpha2"

	"libgang.dev/gang"
)

// object is a JSON object.
type object = map[string]any

func parse(document object) (*gang.Document, error) {
	text, err := json.Marshal(document)
	if err != nil {
		return nil, err
	}
	return gang.Parse(text)
}

// A role is what the plugins know of the pods of one replicated job.
type role struct {
	name          string
	count         int32
	requests      corev1.ResourceList
	priorityClass string
}

// rolesOf takes names, counts and requests from the pod sets, as upstream's plugins do, and the
// priority classes from the template. Tests of Validate have a template without pod sets.
func rolesOf(info *opruntime.Info) []role {
	classes := priorityClasses(info)
	var roles []role
	for _, set := range info.TemplateSpec.PodSets {
		roles = append(roles, role{
			name: set.Name, count: ptr.Deref(set.Count, 1), requests: set.SinglePodRequests,
			priorityClass: classes[set.Name],
		})
	}
	if len(roles) == 0 {
		for _, name := range slices.Sorted(maps.Keys(classes)) {
			roles = append(roles, role{name: cmp.Or(name, "unnamed"), count: 1, priorityClass: classes[name]})
		}
	}
	return roles
}

func priorityClasses(info *opruntime.Info) map[string]string {
	classes := map[string]string{}
	template, ok := opruntime.TemplateSpecApply[jobset.JobSetSpecApplyConfiguration](info)
	if !ok || template == nil {
		return classes
	}
	for _, job := range template.ReplicatedJobs {
		if job.Template == nil || job.Template.Spec == nil || job.Template.Spec.Template == nil ||
			job.Template.Spec.Template.Spec == nil {
			continue
		}
		classes[ptr.Deref(job.Name, "")] = ptr.Deref(job.Template.Spec.Template.Spec.PriorityClassName, "")
	}
	return classes
}

// runtimeOf is a runtime with what has become of the runtime in the operator: the counts are those
// of the job already, so no role has the label of the trainer, and mlPolicy is left out.
func runtimeOf(info *opruntime.Info) object {
	jobs := []object{}
	for _, role := range rolesOf(info) {
		pod := object{"containers": []object{{
			"name": "pod", "resources": object{"requests": role.requests},
		}}}
		if role.priorityClass != "" {
			pod["priorityClassName"] = role.priorityClass
		}
		jobs = append(jobs, object{"name": role.name, "template": object{"spec": object{
			"parallelism": role.count, "completions": role.count, "template": object{"spec": pod},
		}}})
	}
	return object{
		"apiVersion": trainer.GroupVersion.String(), "kind": trainer.ClusterTrainingRuntimeKind,
		"metadata": object{"name": "runtime"},
		"spec": object{
			"podGroupPolicy": info.RuntimePolicy.PodGroupPolicy,
			"template": object{
				"metadata": object{"labels": info.Labels, "annotations": info.Annotations},
				"spec":     object{"replicatedJobs": jobs},
			},
		},
	}
}

// The tests of upstream have jobs that no API server admits: names with capital letters, and no uid.
// libgang gets a stand-in for each, and realNames puts the job's own into the result.
const standInUID = "00000000-0000-4000-8000-000000000000"

func standInName(job *trainer.TrainJob) string { return strings.ToLower(job.Name) }

func standIn(job *trainer.TrainJob) *trainer.TrainJob {
	known := job.DeepCopy()
	known.Name, known.UID = standInName(job), cmp.Or(job.UID, standInUID)
	known.Spec = trainer.TrainJobSpec{Suspend: ptr.To(ptr.Deref(job.Spec.Suspend, false)),
		RuntimeRef: trainer.RuntimeRef{Name: "runtime"}}
	return known
}

func realNames(text []byte, job *trainer.TrainJob) []byte {
	quoted := func(value string) string { return fmt.Sprintf("%q", value) }
	return []byte(strings.NewReplacer(
		quoted(standInName(job)), quoted(job.Name), quoted(standInUID), quoted(string(job.UID)),
	).Replace(string(text)))
}

// clusterOf is the facts that Validate needs.
func clusterOf(ctx context.Context, reader client.Reader) (*gang.Document, error) {
	var list schedulingv1.PriorityClassList
	if err := reader.List(ctx, &list); err != nil {
		return nil, err
	}
	classes := []object{}
	for _, class := range list.Items {
		classes = append(classes, object{"name": class.Name, "value": class.Value})
	}
	return parse(object{
		"apiVersion": "policy.libgang.dev/v1alpha1", "kind": "GangCluster",
		"metadata": object{"name": "cluster"}, "spec": object{"priorityClasses": classes},
	})
}
