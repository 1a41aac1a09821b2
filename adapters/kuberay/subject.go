// SPDX-License-Identifier: Apache-2.0

package kuberay

import (
	"context"
	"fmt"
	"maps"
	"strconv"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"sigs.k8s.io/controller-runtime/pkg/client"

	rayv1 "github.com/ray-project/kuberay/ray-operator/apis/ray/v1"
	"github.com/ray-project/kuberay/ray-operator/controllers/ray/utils"

	"libgang.dev/gang"
	"libgang.dev/gang/k8sgang"
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
// that asks KubeRay's plugins for a gang, and the mark and the owner of a RayCluster of a RayJob.
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
	found.object.SetLabels(without(found.labels, utils.RayGangSchedulingEnabled))
	found.object.SetAnnotations(without(found.annotations, groupMark, taskMark))
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
	document, err := k8sgang.Parse(job.kind, job.object)
	if err != nil {
		return nil, err
	}
	defer document.Close()
	if document.NumGangs() == 0 {
		return nil, nil
	}
	text, err := document.GangJob(0, gang.FormatJSON)
	if err != nil {
		return nil, err
	}
	neutral := &unstructured.Unstructured{}
	if err := neutral.UnmarshalJSON(text); err != nil {
		return nil, err
	}
	neutral.SetLabels(job.labels) // a policy may select by any of them
	set := func(value any, path ...string) {
		_ = unstructured.SetNestedField(neutral.Object, value, path...) // spec is an object
	}
	set(job.owner.Kind, "spec", "owner", "kind")
	set(job.owner.Name, "spec", "owner", "name")
	set(string(job.owner.UID), "spec", "owner", "uid")
	set(job.owner.Name, "spec", "groupName")
	plan, err := s.Planner.Plan(ctx, s.Client, neutral, 0)
	if err != nil || !isVolcano(plan) {
		return plan, err
	}
	plan.Close()
	set(volcanoName(job.owner.Name), "spec", "groupName")
	if err := setTopology(job.labels, set); err != nil {
		return nil, err
	}
	return s.Planner.Plan(ctx, s.Client, neutral, 0)
}

func isVolcano(plan *gang.Plan) bool {
	for _, object := range plan.Objects() {
		return strings.HasPrefix(object.APIVersion, volcano+"/")
	}
	return false
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
	set(tier, "spec", "topology", field)
	return nil
}
