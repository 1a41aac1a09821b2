// SPDX-License-Identifier: Apache-2.0

package kuberay

import (
	"cmp"
	"context"
	"fmt"
	"maps"
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
// that asks KubeRay's plugins for a gang, and the marks, the origin and the owner of a RayCluster
// of a RayJob.
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
	found.object.SetAnnotations(without(found.annotations, groupMark, taskMark, neutral.TaskGroups))
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

// plan is nil for a job without pods of its own, such as a RayJob on an existing RayCluster.
func (s *Scheduler) plan(ctx context.Context, job *subject) (*gang.Plan, error) {
	return neutral.Plan(ctx, s.Planner, s.Client, &s.last, job.as)
}

// as has KubeRay's names.
func (j *subject) as(style neutral.Style) (*neutral.Job, error) {
	planned, err := neutral.Of(j.kind, j.object, j.labels)
	if err != nil || planned == nil {
		return nil, err
	}
	planned.Set(j.owner.Kind, "owner", "kind")
	planned.Set(j.owner.Name, "owner", "name")
	planned.Set(string(j.owner.UID), "owner", "uid")
	planned.Set(j.owner.Name, "groupName")
	switch style {
	case neutral.Volcano:
		planned.Set(volcanoName(j.owner.Name), "groupName")
		err = setTopology(j.labels, planned.Set)
	case neutral.YuniKorn:
		err = j.nameTaskGroups(planned)
	}
	return planned, err
}

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
