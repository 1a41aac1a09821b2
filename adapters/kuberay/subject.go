// SPDX-License-Identifier: Apache-2.0

package kuberay

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"sigs.k8s.io/controller-runtime/pkg/client"

	rayv1 "github.com/ray-project/kuberay/ray-operator/apis/ray/v1"
	"github.com/ray-project/kuberay/ray-operator/controllers/ray/common"
	"github.com/ray-project/kuberay/ray-operator/controllers/ray/utils"

	"libgang.dev/gang"
	"libgang.dev/gang/adapters/internal/neutral"
)

var (
	clusterKind = rayv1.SchemeGroupVersion.WithKind("RayCluster")
	jobKind     = rayv1.SchemeGroupVersion.WithKind("RayJob")
)

// A subject is what a gang is planned from, and the object that the gang is of.
type subject struct {
	object              client.Object
	kind                schema.GroupVersionKind
	owner               metav1.OwnerReference
	labels, annotations map[string]string
}

// subjectOf copies an object without what would make libgang leave the gang to KubeRay: the label
// that asks KubeRay's plugins for a gang, and the marks, the origin and the owner of a RayCluster of
// a RayJob.
func subjectOf(object metav1.Object) (*subject, error) {
	found := &subject{labels: object.GetLabels(), annotations: object.GetAnnotations()}
	switch object := object.(type) {
	case *rayv1.RayJob:
		found.object, found.kind = object.DeepCopy(), jobKind
	case *rayv1.RayCluster:
		found.object, found.kind = object.DeepCopy(), clusterKind
	default:
		return nil, fmt.Errorf("a gang of a %T: only RayCluster and RayJob have one", object)
	}
	found.owner = *metav1.NewControllerRef(object, found.kind)
	if job := object.GetLabels()[utils.RayOriginatedFromCRNameLabelKey]; job != "" &&
		object.GetLabels()[utils.RayOriginatedFromCRDLabelKey] == string(utils.RayJobCRD) {
		found.owner = metav1.OwnerReference{Kind: jobKind.Kind, Name: job}
	}
	if owner := metav1.GetControllerOf(object); owner != nil && owner.Kind == jobKind.Kind {
		found.owner = *owner
	}
	found.object.SetOwnerReferences(nil)
	found.object.SetLabels(without(found.labels, utils.RayGangSchedulingEnabled,
		utils.RayOriginatedFromCRDLabelKey))
	found.object.SetAnnotations(without(found.annotations, groupMark, taskMark, taskGroups))
	return found, nil
}

func without(values map[string]string, keys ...string) map[string]string {
	copied := maps.Clone(values)
	for _, key := range keys {
		delete(copied, key)
	}
	return copied
}

// KubeRay's name for a PodGroup of Volcano. That of other schedulers is the name of the owner.
func volcanoName(owner string) string { return "ray-" + owner + "-pg" }

// A style is how KubeRay names what a scheduler gets.
type style int32

const (
	plain style = iota
	volcanos
	yunikorns
	styles
)

func styleOf(plan *gang.Plan) style {
	switch {
	case slices.ContainsFunc(plan.Objects(), isVolcanos):
		return volcanos
	case slices.ContainsFunc(plan.Patches(), isYuniKorns):
		return yunikorns
	}
	return plain
}

// plan is nil for a job without pods of its own, such as a RayJob on an existing RayCluster. Only a
// plan tells which scheduler the policy has chosen, so the first one is made as for the job before.
func (s *Scheduler) plan(ctx context.Context, job *subject) (*gang.Plan, error) {
	guess := style(s.last.Load())
	var failed error
	for range styles {
		plan, err := s.planAs(ctx, job, guess)
		if err != nil && guess != plain { // it may be right for another scheduler
			guess, failed = plain, err
			continue
		}
		if err != nil || plan == nil || styleOf(plan) == guess {
			return plan, err
		}
		guess = styleOf(plan)
		plan.Close()
		s.last.Store(int32(guess))
	}
	return nil, failed
}

func (s *Scheduler) planAs(ctx context.Context, job *subject, as style) (*gang.Plan, error) {
	planned, err := neutral.Of(job.kind, job.object, job.labels)
	if err != nil || planned == nil {
		return nil, err
	}
	planned.Set(job.owner.Kind, "owner", "kind")
	planned.Set(job.owner.Name, "owner", "name")
	planned.Set(string(job.owner.UID), "owner", "uid")
	planned.Set(job.owner.Name, "groupName")
	switch as {
	case volcanos:
		planned.Set(volcanoName(job.owner.Name), "groupName")
		err = setTopology(job.labels, planned.Set)
	case yunikorns:
		err = job.nameTaskGroups(planned)
	}
	if err != nil {
		return nil, err
	}
	return s.Planner.Plan(ctx, s.Client, planned.Unstructured, 0)
}

func isVolcanos(object gang.Object) bool {
	return strings.HasPrefix(object.APIVersion, volcano+"/")
}

func isYuniKorns(patch gang.Patch) bool { return patch.Annotations[taskGroups] != "" }

// taskGroupNames are KubeRay's, by role. A group of workers has its own.
var taskGroupNames = map[any]string{
	"head": utils.RayNodeHeadGroupLabelValue, "submitter": utils.RayNodeSubmitterGroupLabelValue}

// nameTaskGroups gives the task groups KubeRay's names, and their placeholders the nodes of the
// pods.
func (j *subject) nameTaskGroups(planned *neutral.Job) error {
	templates := j.templates()
	for _, role := range planned.Roles() {
		name, _ := role["name"].(string)
		if template := templates[name]; template != nil {
			if err := neutral.Place(role, template); err != nil {
				return err
			}
		}
		role["name"] = cmp.Or(taskGroupNames[name], name)
		edges, _ := role["dependsOn"].([]any)
		for _, edge := range edges {
			if edge, ok := edge.(map[string]any); ok && taskGroupNames[edge["role"]] != "" {
				edge["role"] = taskGroupNames[edge["role"]]
			}
		}
	}
	return nil
}

func (j *subject) templates() map[string]*corev1.PodTemplateSpec {
	found := map[string]*corev1.PodTemplateSpec{}
	var cluster *rayv1.RayClusterSpec
	switch object := j.object.(type) {
	case *rayv1.RayCluster:
		cluster = &object.Spec
	case *rayv1.RayJob:
		cluster = object.Spec.RayClusterSpec
		submitter := common.GetSubmitterTemplate(&object.Spec, cluster)
		found["submitter"] = &submitter
	}
	found["head"] = &cluster.HeadGroupSpec.Template
	for i := range cluster.WorkerGroupSpecs {
		group := &cluster.WorkerGroupSpecs[i]
		found[strings.ToLower(group.GroupName)] = &group.Template
	}
	return found
}

// setTopology reads the labels for Volcano. Without a tier it is 1, as in Volcano's CRD.
func setTopology(labels map[string]string, set func(any, ...string)) error {
	mode, asked := labels[topologyMode]
	if !asked {
		return nil
	}
	tier, hasTier := labels[topologyTier]
	if !hasTier {
		tier = "1"
	}
	if _, err := strconv.Atoi(tier); err != nil {
		return fmt.Errorf("failed to convert %s label to int: %w", topologyTier, err)
	}
	field := "required"
	if mode == "soft" {
		field = "preferred"
	}
	set(tier, "topology", field)
	return nil
}
