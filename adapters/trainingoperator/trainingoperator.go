// SPDX-License-Identifier: Apache-2.0

// Package trainingoperator is a PodGroupControlInterface of the training operator v1: the
// operator calls it to create the gang of a job and to mark the pods, and the GangPolicy says
// which scheduler gets the gang. Group names, annotations and owners are those of the operator's
// own controls.
package trainingoperator

import (
	"cmp"
	"context"
	"fmt"
	"strings"
	"sync"

	"github.com/kubeflow/training-operator/pkg/controller.v1/common"
	"github.com/kubeflow/training-operator/pkg/controller.v1/control"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/apiutil"
	"sigs.k8s.io/scheduler-plugins/apis/scheduling/v1alpha1"

	"libgang.dev/gang"
	"libgang.dev/gang/adapters/internal/neutral"
	"libgang.dev/gang/k8sgang/apply"
)

// Control implements PodGroupControlInterface. The operator computes a minimum and resources, and
// puts them into a PodGroup of the coscheduling plugin; of that, only the name and the owner are
// used. Its fields are not changed after it is used first; any number of goroutines may use it.
type Control struct {
	*apply.Keeper
	// SchedulerName is that of most jobs. The operator warns of a job whose pods name another
	// one.
	SchedulerName string

	owners sync.Map // types.NamespacedName of a gang to its metav1.OwnerReference
}

var _ control.PodGroupControlInterface = (*Control)(nil)

// SetUp is the argument of each NewReconciler of the operator.
func (c *Control) SetUp() common.GangSchedulingSetupFunc {
	return func(controller *common.JobController) {
		controller.Config.GangScheduling = "libgang" // not volcano: its PodGroups have another type
		controller.PodGroupControl = c
	}
}

// NewEmptyPodGroup returns what carries the name and the owner.
func (*Control) NewEmptyPodGroup() client.Object { return &v1alpha1.PodGroup{} }

// GetSchedulerName returns SchedulerName.
func (c *Control) GetSchedulerName() string { return c.SchedulerName }

// DelayPodCreationDueToPodGroup is false: pods may wait for their PodGroup, not the reverse.
func (*Control) DelayPodCreationDueToPodGroup(metav1.Object) bool { return false }

// GetPodGroup tells whether the job has objects of a gang.
func (c *Control) GetPodGroup(namespace, name string) (metav1.Object, error) {
	owner, err := c.owner(types.NamespacedName{Namespace: namespace, Name: name})
	if err != nil {
		return nil, err
	}
	group := c.NewEmptyPodGroup()
	group.SetNamespace(namespace)
	group.SetName(name)
	group.SetOwnerReferences([]metav1.OwnerReference{*owner})
	return group, nil
}

// owner is remembered, or found in the objects that an earlier process of the operator has
// created.
func (c *Control) owner(of types.NamespacedName) (*metav1.OwnerReference, error) {
	if known, ok := c.owners.Load(of); ok {
		owner, _ := known.(metav1.OwnerReference)
		return &owner, nil
	}
	found, err := c.Objects(context.Background(), of.Namespace, isOf(of.Name, ""))
	if err != nil {
		return nil, err
	}
	if len(found) == 0 {
		return nil, apierrors.NewNotFound(v1alpha1.Resource("podgroups"), of.Name)
	}
	owner := metav1.GetControllerOf(&found[0])
	c.owners.Store(of, *owner)
	return owner, nil
}

// isOf tells whether the controller of an object is a job of a name.
func isOf(job string, uid types.UID) func(*unstructured.Unstructured) bool {
	return func(object *unstructured.Unstructured) bool {
		owner := metav1.GetControllerOf(object)
		return owner != nil && owner.Name == job &&
			strings.HasPrefix(owner.APIVersion, "kubeflow.org/") && (uid == "" || owner.UID == uid)
	}
}

// CreatePodGroup creates what the gang lacks, and writes what differs.
func (c *Control) CreatePodGroup(group client.Object) error {
	ctx := context.Background() // the interface has none
	owner := metav1.GetControllerOf(group)
	if owner == nil {
		return fmt.Errorf("PodGroup %s/%s has no job as its controller",
			group.GetNamespace(), group.GetName())
	}
	typed, err := c.Client.Scheme().New(schema.FromAPIVersionAndKind(owner.APIVersion, owner.Kind))
	if err != nil {
		return err
	}
	job, _ := typed.(client.Object)
	key := client.ObjectKey{Namespace: group.GetNamespace(), Name: owner.Name}
	if err := c.Client.Get(ctx, key, job); err != nil {
		return client.IgnoreNotFound(err)
	}
	plan, known, err := c.plan(ctx, job)
	if err != nil {
		return err
	}
	defer plan.Close()
	owner.UID = job.GetUID() // another than before, if the job was created again under its name
	c.owners.Store(key, *owner)
	_, err = c.Keep(ctx, plan, []*unstructured.Unstructured{known},
		func(object *unstructured.Unstructured) { apply.Inherit(object, job.GetAnnotations()) })
	return err
}

// UpdatePodGroup is called in every round, since the operator compares a PodGroup with a pointer
// to it. Nothing is written where nothing differs.
func (c *Control) UpdatePodGroup(group client.Object) error { return c.CreatePodGroup(group) }

// DeletePodGroup deletes the objects of the gang: the job has ended or is suspended.
func (c *Control) DeletePodGroup(namespace, name string) error {
	of := types.NamespacedName{Namespace: namespace, Name: name}
	owner, err := c.owner(of)
	if err != nil {
		return err
	}
	if err := c.Delete(context.Background(), namespace, isOf(name, owner.UID)); err != nil {
		return err
	}
	c.owners.Delete(of)
	return nil
}

// DecoratePodTemplateSpec marks the pods of one replica type. A scheduler that the user has
// chosen stays. The interface has no error: a job that is refused was refused in CreatePodGroup.
func (c *Control) DecoratePodTemplateSpec(template *corev1.PodTemplateSpec,
	object metav1.Object, replicas string) {
	ctx := context.Background()
	job, _ := object.(client.Object)
	patches, err := c.Patches(ctx, job, "", func() ([]gang.Patch, error) {
		plan, _, err := c.plan(ctx, job)
		return apply.PatchesOf(plan, err)
	})
	chosen := template.Spec.SchedulerName
	for i := range patches {
		if patches[i].Role == strings.ToLower(replicas) {
			err = neutral.Mark(&patches[i], replicas, template)
		}
	}
	template.Spec.SchedulerName = cmp.Or(chosen, template.Spec.SchedulerName)
	if err != nil {
		ctrl.Log.Error(err, "pods without the marks of their gang", "job", object.GetName())
	}
}

func (c *Control) plan(ctx context.Context, job client.Object) (
	*gang.Plan, *unstructured.Unstructured, error) {
	kind, err := apiutil.GVKForObject(job, c.Client.Scheme())
	if err != nil {
		return nil, nil, err
	}
	object, err := runtime.DefaultUnstructuredConverter.ToUnstructured(job)
	if err != nil {
		return nil, nil, err
	}
	known := &unstructured.Unstructured{Object: object}
	known.SetGroupVersionKind(kind)
	plan, err := c.Planner.Plan(ctx, c.Client, known, 0)
	return plan, known, err
}
