// SPDX-License-Identifier: Apache-2.0

// Package kuberay is a batch scheduler of KubeRay: KubeRay calls it to create the gang of a
// RayCluster or RayJob and to mark the pods, and the GangPolicy says which scheduler gets the
// gang. The PodGroups of Volcano have the names, labels and annotations of KubeRay's own plugin.
package kuberay

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"

	rayv1 "github.com/ray-project/kuberay/ray-operator/apis/ray/v1"
	"github.com/ray-project/kuberay/ray-operator/controllers/ray/utils"

	"libgang.dev/gang"
	"libgang.dev/gang/adapters/internal/neutral"
	"libgang.dev/gang/k8sgang"
	"libgang.dev/gang/k8sgang/apply"
)

// What KubeRay's plugins for Volcano and YuniKorn read and write.
const (
	yunikorn     = "yunikorn"
	groupMark    = "scheduling.k8s.io/group-name"
	taskMark     = "volcano.sh/task-spec"
	queueLabel   = "volcano.sh/queue-name"
	topologyMode = "volcano.sh/network-topology-mode"
	topologyTier = "volcano.sh/network-topology-highest-tier-allowed"
)

// Scheduler implements BatchScheduler. Its fields are not changed after it is used first; any
// number of goroutines may use it.
type Scheduler struct {
	Client  client.Client
	Planner *apply.Planner
	// SchedulerName is set in the pods of clusters and jobs without a gang. Empty: it stays
	// unset.
	SchedulerName string

	last atomic.Int32 // the neutral.Style of the plan before
}

// Name is that of the batch scheduler.
func (*Scheduler) Name() string { return "libgang" }

// DoBatchSchedulingOnSubmission creates or updates the objects of the gang. A RayCluster of a
// RayJob is in the gang of the RayJob.
func (s *Scheduler) DoBatchSchedulingOnSubmission(ctx context.Context, object metav1.Object) error {
	job, err := subjectOf(object)
	if err != nil || job.kind.Kind != job.owner.Kind {
		return err
	}
	_, err = s.keep(ctx, job)
	return err
}

// keep returns whether it wrote. KubeRay takes a PodGroup of the right name for its own, whoever
// made it; here this is so for one without a controller.
func (s *Scheduler) keep(ctx context.Context, job *subject) (bool, error) {
	plan, err := s.plan(ctx, job)
	if err != nil || plan == nil {
		return false, err
	}
	defer plan.Close()
	keeper := apply.Keeper{Client: s.Client, Complete: func(object *unstructured.Unstructured) {
		if object.GroupVersionKind().Group == neutral.VolcanoGroup {
			apply.Inherit(object, job.annotations)
		}
	}}
	return keeper.Keep(ctx, plan, nil, gang.Adopt())
}

// AddMetadataToChildResource marks a pod, or the pod template of the submitter. The RayCluster of
// a RayJob, whose group has no name, gets what all pods of YuniKorn's application must agree on.
// The interface has no error: a job that is refused has been refused on submission, with all
// diagnostics.
func (s *Scheduler) AddMetadataToChildResource(ctx context.Context, parent, child metav1.Object,
	group string) {
	job, err := subjectOf(parent)
	if err == nil {
		err = s.mark(ctx, job, child, group)
	}
	if err != nil {
		ctrl.LoggerFrom(ctx).Error(err, "a pod without the marks of its gang", "group", group)
	}
}

func (s *Scheduler) mark(ctx context.Context, job *subject, child metav1.Object,
	group string) error {
	plan, err := s.plan(ctx, job)
	if err != nil {
		return err
	}
	defer plan.Close()
	patch := s.patchOf(plan.Patches(), group)
	if patch.Annotations[groupMark] != "" {
		patch.Annotations[taskMark] = group
		patch.Labels = map[string]string{}
		for _, key := range []string{queueLabel, utils.RayPriorityClassName} {
			if value := job.labels[key]; value != "" {
				patch.Labels[key] = value
			}
		}
	}
	if patch.Spec["schedulerName"] == yunikorn {
		addOldLabels(&patch, job)
	}
	switch child := child.(type) {
	case *corev1.Pod:
		return k8sgang.PatchPod(&patch, child)
	case *corev1.PodTemplateSpec:
		return k8sgang.PatchTemplate(&patch, child)
	case *rayv1.RayCluster:
		if patch.Spec["schedulerName"] == yunikorn {
			child.SetLabels(neutral.Merge(child.Labels, patch.Labels))
			child.SetAnnotations(neutral.Merge(child.Annotations, patch.Annotations))
		}
		return nil
	}
	return fmt.Errorf("no marks for a %T", child)
}

// patchOf is that of a group. Without a group, or for one that no role has, it is what the pods
// have in common: the task groups of YuniKorn, which a submitter has, too, though it is never the
// first pod.
func (s *Scheduler) patchOf(patches []gang.Patch, group string) gang.Patch {
	common := gang.Patch{Spec: map[string]string{}}
	if s.SchedulerName != "" {
		common.Spec["schedulerName"] = s.SchedulerName
	}
	grouped := slices.IndexFunc(patches, func(patch gang.Patch) bool {
		return patch.Annotations[neutral.TaskGroups] != ""
	})
	at := slices.IndexFunc(patches, func(patch gang.Patch) bool { return isOf(patch.Role, group) })
	if at >= 0 {
		common = patches[at]
	} else if grouped >= 0 {
		common.Spec["schedulerName"], common.Annotations = yunikorn, map[string]string{}
		if group != "" {
			common.Annotations[neutral.TaskGroup] = group
		}
	}
	if grouped >= 0 && common.Annotations != nil {
		common.Annotations[neutral.TaskGroups] = patches[grouped].Annotations[neutral.TaskGroups]
	}
	return common
}

// oldLabels are those of older releases of YuniKorn, which KubeRay's plugin sets.
var oldLabels = map[string]string{
	"yunikorn.apache.org/app-id": "applicationId", "yunikorn.apache.org/queue": "queue"}

// addOldLabels keeps the application that the user has named, and the task groups that the
// RayCluster has from its RayJob: those of the first pod are in force.
func addOldLabels(patch *gang.Patch, job *subject) {
	for key, old := range oldLabels {
		if value := job.labels[key]; value != "" {
			patch.Labels = neutral.Merge(patch.Labels, map[string]string{key: value, old: value})
		}
	}
	if given := job.annotations[neutral.TaskGroups]; given != "" &&
		patch.Annotations[neutral.TaskGroups] != "" {
		patch.Annotations[neutral.TaskGroups] = given
	}
}

// isOf tells whether a role is that of a group of KubeRay.
func isOf(role, group string) bool {
	switch group {
	case utils.RayNodeHeadGroupLabelValue:
		return role == "head" || role == group
	case utils.RayNodeSubmitterGroupLabelValue:
		return role == "submitter" || role == group
	}
	return role == strings.ToLower(group)
}

// CleanupOnCompletion gives the gang of a RayJob that has ended the size of what is left of its
// RayCluster: a PodGroup of Volcano with a minimum of 0 holds no capacity of its queue.
func (s *Scheduler) CleanupOnCompletion(ctx context.Context, object metav1.Object) (bool, error) {
	job, ok := object.(*rayv1.RayJob)
	if !ok || len(job.Spec.ClusterSelector) > 0 || job.Status.RayClusterName == "" {
		return false, nil
	}
	cluster := &rayv1.RayCluster{}
	key := client.ObjectKey{Namespace: job.Namespace, Name: job.Status.RayClusterName}
	err := s.Client.Get(ctx, key, cluster)
	if client.IgnoreNotFound(err) != nil {
		return false, err
	}
	if err == nil && cluster.DeletionTimestamp == nil {
		left := &rayv1.RayCluster{ObjectMeta: job.ObjectMeta, Spec: cluster.Spec}
		left.OwnerReferences = []metav1.OwnerReference{*metav1.NewControllerRef(job, jobKind)}
		ofLeft, err := subjectOf(left)
		if err != nil {
			return false, err
		}
		return s.keep(ctx, ofLeft)
	}
	return s.release(ctx, volcanoName(job.Name), job.Namespace)
}

func (s *Scheduler) release(ctx context.Context, name, namespace string) (bool, error) {
	group := apply.New(schema.GroupVersionKind{Group: neutral.VolcanoGroup, Version: "v1beta1",
		Kind: "PodGroup"})
	err := s.Client.Get(ctx, client.ObjectKey{Namespace: namespace, Name: name}, group)
	if err != nil {
		return false, client.IgnoreNotFound(err)
	}
	spec, _ := group.Object["spec"].(map[string]any)
	if minimum, _, _ := unstructured.NestedInt64(spec, "minMember"); minimum == 0 {
		return false, nil
	}
	spec["minMember"], spec["minResources"] = int64(0), map[string]any{}
	return true, s.Client.Update(ctx, group)
}
