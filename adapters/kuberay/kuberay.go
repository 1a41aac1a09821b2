// SPDX-License-Identifier: Apache-2.0

// Package kuberay is a batch scheduler of KubeRay: KubeRay calls it to create the gang of a
// RayCluster or RayJob and to mark the pods, and the GangPolicy says which scheduler gets the
// gang. The PodGroups of Volcano have the names, labels and annotations of KubeRay's own plugin.
package kuberay

import (
	"cmp"
	"context"
	"fmt"
	"strconv"
	"strings"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/rest"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/builder"
	"sigs.k8s.io/controller-runtime/pkg/client"

	rayv1 "github.com/ray-project/kuberay/ray-operator/apis/ray/v1"
	schedulerinterface "github.com/ray-project/kuberay/ray-operator/controllers/ray/batchscheduler/interface"
	"github.com/ray-project/kuberay/ray-operator/controllers/ray/common"
	"github.com/ray-project/kuberay/ray-operator/controllers/ray/utils"

	"libgang.dev/gang"
	"libgang.dev/gang/adapters/internal/neutral"
	"libgang.dev/gang/k8sgang/apply"
)

// Factory implements BatchSchedulerFactory. The controller of RayClusters watches the Kinds.
type Factory struct{ *apply.Keeper }

// New returns a Scheduler.
func (f *Factory) New(context.Context, *rest.Config, client.Client) (
	schedulerinterface.BatchScheduler, error) {
	return &Scheduler{Keeper: f.Keeper}, nil
}

// AddToScheme has nothing to add: the objects are unstructured.
func (*Factory) AddToScheme(*runtime.Scheme) {}

// ConfigureReconciler watches the objects of gangs, so that one that is deleted is created again.
func (f *Factory) ConfigureReconciler(b *builder.Builder) *builder.Builder {
	return f.Owns(b)
}

var (
	clusterKind = rayv1.SchemeGroupVersion.WithKind("RayCluster")
	jobKind     = rayv1.SchemeGroupVersion.WithKind("RayJob")

	// The labels of a job that its pods get, too, and the keys of those that have another in older
	// releases of YuniKorn. The application that the user has named stays.
	volcanoLabels  = neutral.Keys{"volcano.sh/queue-name": "", utils.RayPriorityClassName: ""}
	yunikornLabels = neutral.Keys{
		"yunikorn.apache.org/app-id": "applicationId", "yunikorn.apache.org/queue": "queue"}
	topologyFields = map[string]string{"hard": "required", "soft": "preferred"}
	// The task groups of YuniKorn by role. A group of workers has its own.
	taskGroupNames = map[string]string{
		"head": utils.RayNodeHeadGroupLabelValue, "submitter": utils.RayNodeSubmitterGroupLabelValue}
)

// Scheduler implements BatchScheduler. Its fields are not changed after it is used first; any
// number of goroutines may use it.
type Scheduler struct {
	*apply.Keeper
	// SchedulerName is set in the pods of clusters and jobs without a gang. Empty: it stays
	// unset.
	SchedulerName string
}

// Name is that of the batch scheduler.
func (*Scheduler) Name() string { return "libgang" }

// DoBatchSchedulingOnSubmission creates or updates the objects of the gang. A RayCluster of a
// RayJob is in the gang of the RayJob.
func (s *Scheduler) DoBatchSchedulingOnSubmission(ctx context.Context, object metav1.Object) error {
	if ownerOf(object) != nil {
		return nil
	}
	_, err := s.keep(ctx, object)
	return err
}

// keep returns whether it wrote. KubeRay takes a PodGroup of the right name for its own, whoever
// made it; here this is so for one without a controller.
func (s *Scheduler) keep(ctx context.Context, job metav1.Object) (bool, error) {
	plan, err := s.plan(ctx, job)
	if err != nil || plan == nil {
		return false, err
	}
	defer plan.Close()
	return s.Keep(ctx, plan, nil, neutral.Inherits(job.GetAnnotations()), gang.Adopt())
}

// ownerOf is the RayJob that has created a RayCluster. Nil: there is none.
func ownerOf(object metav1.Object) *metav1.OwnerReference {
	if owner := metav1.GetControllerOf(object); owner != nil && owner.Kind == jobKind.Kind {
		return owner
	}
	labels := object.GetLabels()
	if job := labels[utils.RayOriginatedFromCRNameLabelKey]; job != "" &&
		labels[utils.RayOriginatedFromCRDLabelKey] == string(utils.RayJobCRD) {
		return &metav1.OwnerReference{Name: job}
	}
	return nil
}

// plan is nil for a job without pods of its own, such as a RayJob on an existing RayCluster. A
// RayCluster of a RayJob is planned as the RayJob, whose submitter is not among its pods.
func (s *Scheduler) plan(ctx context.Context, object metav1.Object) (*gang.Plan, error) {
	kind, job := clusterKind, client.Object(nil)
	switch object := object.(type) {
	case *rayv1.RayJob:
		kind, job = jobKind, object
	case *rayv1.RayCluster:
		job = object
		if owner := ownerOf(object); owner != nil {
			of := object.ObjectMeta
			of.Name, of.UID, of.OwnerReferences = owner.Name, owner.UID, nil
			kind, job = jobKind, &rayv1.RayJob{ObjectMeta: of, Spec: rayv1.RayJobSpec{
				RayClusterSpec: &object.Spec, SubmissionMode: rayv1.HTTPMode, Entrypoint: "none"}}
		}
	default:
		return nil, fmt.Errorf("a gang of a %T: only RayCluster and RayJob have one", object)
	}
	return neutral.Plan(ctx, s.Keeper, kind, job, utils.RayGangSchedulingEnabled, neutral.Names{
		neutral.Volcano: func(known *neutral.Job) error {
			known.Set(volcanoName(job.GetName()), "groupName")
			return setTopology(job.GetLabels(), known)
		},
		neutral.YuniKorn: func(known *neutral.Job) error {
			return known.Place(taskGroupNames, templatesOf(job))
		},
	})
}

func templatesOf(job client.Object) map[string]*corev1.PodTemplateSpec {
	found, cluster := map[string]*corev1.PodTemplateSpec{}, &rayv1.RayClusterSpec{}
	if of, isJob := job.(*rayv1.RayJob); isJob {
		cluster = of.Spec.RayClusterSpec
		submitter := common.GetSubmitterTemplate(&of.Spec, cluster)
		found["submitter"] = &submitter
	} else if of, isCluster := job.(*rayv1.RayCluster); isCluster {
		cluster = &of.Spec
	}
	found["head"] = &cluster.HeadGroupSpec.Template
	for i := range cluster.WorkerGroupSpecs {
		group := &cluster.WorkerGroupSpecs[i]
		found[strings.ToLower(group.GroupName)] = &group.Template
	}
	return found
}

// KubeRay's name for a PodGroup of Volcano. That of other schedulers is the name of the job.
func volcanoName(job string) string { return "ray-" + job + "-pg" }

// setTopology reads the labels for Volcano. Without a tier it is 1, as in Volcano's CRD.
func setTopology(labels map[string]string, job *neutral.Job) error {
	mode, asked := labels["volcano.sh/network-topology-mode"]
	if !asked {
		return nil
	}
	const key = "volcano.sh/network-topology-highest-tier-allowed"
	tier := cmp.Or(labels[key], "1")
	if _, err := strconv.Atoi(tier); err != nil {
		return fmt.Errorf("failed to convert %s label to int: %w", key, err)
	}
	job.Set(tier, "topology", cmp.Or(topologyFields[mode], "required"))
	return nil
}

// AddMetadataToChildResource marks a pod, or the pod template of the submitter. The RayCluster of
// a RayJob, whose group has no name, gets what all pods of YuniKorn's application must agree on.
// The interface has no error: a job that is refused has been refused on submission, with all
// diagnostics.
func (s *Scheduler) AddMetadataToChildResource(ctx context.Context, parent, child metav1.Object,
	group string) {
	patches, err := s.Patches(ctx, parent, "", func() ([]gang.Patch, error) {
		return s.patches(ctx, parent)
	})
	if err == nil {
		err = mark(patches, child, group)
	}
	if err != nil {
		ctrl.LoggerFrom(ctx).Error(err, "a pod without the marks of its gang", "group", group)
	}
}

// patches are those of the roles, and last that of pods without a role: the task groups of
// YuniKorn, which a submitter has, too, though it is never the first pod. Those that the RayCluster
// has from its RayJob are in force.
func (s *Scheduler) patches(ctx context.Context, job metav1.Object) ([]gang.Patch, error) {
	patches, err := apply.PatchesOf(s.plan(ctx, job))
	if err != nil {
		return nil, err
	}
	rest := gang.Patch{Spec: map[string]string{}}
	if s.SchedulerName != "" {
		rest.Spec["schedulerName"] = s.SchedulerName
	}
	for _, patch := range patches {
		if groups := patch.Annotations[neutral.TaskGroups]; groups != "" {
			given := job.GetAnnotations()[neutral.TaskGroups]
			rest.Spec["schedulerName"] = neutral.YuniKornName
			rest.Annotations = map[string]string{neutral.TaskGroups: cmp.Or(given, groups)}
		}
	}
	patches = append(patches, rest)
	for i := range patches {
		patch := &patches[i]
		if patch.Annotations[neutral.GroupMark] != "" {
			patch.Labels = neutral.Merge(patch.Labels, volcanoLabels.Of(job.GetLabels()))
		} else if patch.Spec["schedulerName"] == neutral.YuniKornName {
			patch.Labels = neutral.Merge(patch.Labels, yunikornLabels.Of(job.GetLabels()))
		}
		if patch.Annotations[neutral.TaskGroup] != "" { // one that comes later may name no group
			patch.Annotations = neutral.Merge(patch.Annotations, rest.Annotations)
		}
	}
	return patches, nil
}

func mark(patches []gang.Patch, child metav1.Object, group string) error {
	patch := patches[len(patches)-1]
	for _, one := range patches {
		if group != "" && (one.Role == strings.ToLower(group) || taskGroupNames[one.Role] == group) {
			patch = one
		}
	}
	if patch.Role == "" && patch.Annotations != nil && group != "" {
		patch.Annotations = neutral.Merge(patch.Annotations, map[string]string{neutral.TaskGroup: group})
	}
	return neutral.Mark(&patch, group, child)
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
	if err != nil || cluster.DeletionTimestamp != nil {
		return neutral.Release(ctx, s.Client, job.Namespace, volcanoName(job.Name))
	}
	cluster.ObjectMeta = job.ObjectMeta
	cluster.OwnerReferences = []metav1.OwnerReference{*metav1.NewControllerRef(job, jobKind)}
	return s.keep(ctx, cluster)
}
