// SPDX-License-Identifier: Apache-2.0

package apply

import (
	"context"
	"errors"
	"maps"
	"os"
	"slices"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/kubernetes"
	"sigs.k8s.io/controller-runtime/pkg/builder"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/cluster"
	"sigs.k8s.io/controller-runtime/pkg/log"

	"libgang.dev/gang"
	"libgang.dev/gang/k8sgang"
)

// A Keeper has the gangs of an operator that has a reconciler of its own: it plans a job, carries
// the plan out where the operator asks for the gang, and marks the pods that the operator creates.
// Its fields are not changed after it is used first; any number of goroutines may use it.
type Keeper struct {
	Client  client.Client
	Planner *Planner
	// Kinds are those of gangs that the cluster has: k8sgang.ServedKinds finds them. Delete and
	// Objects list them.
	Kinds []schema.GroupVersionKind

	patches memory[patchKey, madePatches]
}

// NewKeeper is for a program with one policy, a file with a GangPolicy. The facts of the cluster
// are read until the context ends.
func NewKeeper(ctx context.Context, policyFile string, manager cluster.Cluster) (*Keeper, error) {
	policy, err := os.ReadFile(policyFile)
	if err != nil {
		return nil, err
	}
	clients, err := kubernetes.NewForConfig(manager.GetConfig())
	if err != nil {
		return nil, err
	}
	planner, err := NewPlanner(ctx, policy, clients, manager.GetAPIReader())
	if err != nil {
		return nil, err
	}
	kinds, err := k8sgang.ServedKinds(manager.GetRESTMapper())
	return &Keeper{Client: manager.GetClient(), Planner: planner, Kinds: kinds}, err
}

// A Completion adds to an object that is created or changed what the operator's users expect in it.
// Nil: nothing is added.
type Completion func(*unstructured.Unstructured)

// Keep compares the objects of a plan with those that exist and writes the differences, as
// [Reconciler] does. It reads the objects of the plan by name, and does not list others, so it
// deletes nothing that the plan does not name. `known` are objects that the caller has read, such
// as the job. It tells whether it wrote. An object in conflict is an error with diagnostics, and is
// left alone. One that has to be created again is deleted; the next call creates it.
//
// If an object would go, and `known` has no pods, those that name it are listed: while they exist
// it stays as it is, which is logged, and is no error, so that the operator goes on with the job.
// Without the permission there are none. A gang is woken ([gang.Wake]) only for pods in `known`.
func (k *Keeper) Keep(ctx context.Context, plan *gang.Plan, known []*unstructured.Unstructured,
	complete Completion, with ...gang.Option) (wrote bool, err error) {
	for range phases {
		existing, err := k.existing(ctx, plan, known)
		if err != nil {
			return wrote, err
		}
		steps, conflict, err := k.compare(ctx, plan, existing, with)
		if err != nil {
			return wrote, err
		}
		for _, step := range steps {
			wrote = wrote || writes(step)
			if complete != nil && (step.Action == gang.ActionCreate || changes(step)) {
				complete(step.Object)
			}
		}
		created, err := carryOut(ctx, k.Client, steps, existing, false)
		if !errors.Is(err, errUnfinished) {
			return wrote, errors.Join(conflict, err)
		}
		known = slices.Concat(known, created) // a cache may lack them
	}
	return wrote, errUnfinished
}

// Owns has a controller watch the objects of gangs, so that one that is deleted is created again.
func (k *Keeper) Owns(b *builder.Builder) *builder.Builder {
	for _, kind := range k.Kinds {
		b = b.Owns(New(kind))
	}
	return b
}

// Objects lists the objects of Kinds in a namespace for which `isOf` is true, such as those of a
// job.
func (k *Keeper) Objects(ctx context.Context, namespace string,
	isOf func(*unstructured.Unstructured) bool) (found []unstructured.Unstructured, err error) {
	for _, kind := range k.Kinds {
		objects, err := List(ctx, k.Client, kind, client.InNamespace(namespace))
		if err != nil {
			return nil, err
		}
		for i := range objects {
			if isOf(&objects[i]) {
				found = append(found, objects[i])
			}
		}
	}
	return found, nil
}

// Delete deletes what Objects lists: the job has ended, and its objects shall not wait for it to be
// deleted. One that somebody has created again under its name stays.
func (k *Keeper) Delete(ctx context.Context, namespace string,
	isOf func(*unstructured.Unstructured) bool) error {
	found, err := k.Objects(ctx, namespace, isOf)
	if err != nil {
		return err
	}
	for i := range found {
		uid := found[i].GetUID()
		err := k.Client.Delete(ctx, &found[i], client.Preconditions{UID: &uid})
		if client.IgnoreNotFound(err) != nil {
			return err
		}
	}
	return nil
}

// Inherit adds annotations of a job to an object of its gang, as some operators do. Those that
// the object has stay, and what kubectl keeps in one of the job's is not the object's.
func Inherit(object *unstructured.Unstructured, annotations map[string]string) {
	inherited := map[string]string{}
	maps.Copy(inherited, annotations)
	delete(inherited, corev1.LastAppliedConfigAnnotation)
	maps.Copy(inherited, object.GetAnnotations())
	object.SetAnnotations(inherited)
}

// compare returns what to do. The conflict has no effect on the steps.
func compare(plan *gang.Plan, existing []*unstructured.Unstructured, with []gang.Option) (
	steps []k8sgang.Step, conflict, err error) {
	live, err := k8sgang.ParseLive(existing)
	if err != nil {
		return nil, nil, err
	}
	defer live.Close()
	compared, conflict := plan.Reconcile(live, with...)
	if compared == nil {
		return nil, nil, conflict
	}
	defer compared.Close()
	steps, err = k8sgang.Steps(compared)
	return steps, conflict, err
}

// compare reads pods only if they can keep an object from being deleted.
func (k *Keeper) compare(ctx context.Context, plan *gang.Plan,
	existing []*unstructured.Unstructured, with []gang.Option) (steps []k8sgang.Step, conflict, err error) {
	steps, conflict, err = compare(plan, existing, with)
	isPod := func(one *unstructured.Unstructured) bool { return one.GroupVersionKind() == podKind }
	i := slices.IndexFunc(steps, removes)
	if i < 0 || slices.ContainsFunc(existing, isPod) {
		return steps, conflict, err
	}
	pods, err := k.podsOf(ctx, plan, steps[i].Object)
	if len(pods) == 0 || err != nil {
		return steps, conflict, err
	}
	steps, conflict, err = compare(plan, slices.Concat(existing, pods), with)
	if found := k8sgang.Diagnostics(conflict); len(found) > 0 && !slices.ContainsFunc(found, isOther) {
		log.FromContext(ctx).Info("the gang stays while its pods exist", "why", conflict.Error())
		conflict = nil
	}
	return steps, conflict, err
}

func removes(step k8sgang.Step) bool {
	return step.Action == gang.ActionDelete || step.Action == gang.ActionRecreate
}

// isOther leaves out what ends with the pods of the gang.
func isOther(one gang.Diagnostic) bool {
	return one.Severity == gang.SeverityError && one.Code != gang.CodeImmutableField
}

// podsOf lists one of each sort of the pods that name this object or one of a plan.
func (k *Keeper) podsOf(ctx context.Context, plan *gang.Plan, removed *unstructured.Unstructured) (
	found []*unstructured.Unstructured, err error) {
	names := map[string]bool{removed.GetName(): true}
	for _, planned := range plan.Objects() {
		names[planned.Name] = true
	}
	list, err := List(ctx, k.Client, podKind, client.InNamespace(removed.GetNamespace()))
	if apierrors.IsForbidden(err) {
		return nil, nil
	}
	var pods []*Pod
	for i := range list {
		if slices.ContainsFunc(Concerns(&list[i]), func(name string) bool { return names[name] }) {
			pod, failed := podOf(&list[i])
			pods, err = append(pods, pod), errors.Join(err, failed)
		}
	}
	if err != nil {
		return nil, err
	}
	for _, pod := range oneOfEach(pods) {
		one := New(podKind)
		err = errors.Join(err, one.UnmarshalJSON(pod.AppendJSON(nil)))
		found = append(found, one)
	}
	return found, err
}

func (k *Keeper) existing(ctx context.Context, plan *gang.Plan, known []*unstructured.Unstructured) (
	[]*unstructured.Unstructured, error) {
	found := append([]*unstructured.Unstructured{}, known...)
	for _, planned := range plan.Objects() {
		object := New(schema.FromAPIVersionAndKind(planned.APIVersion, planned.Kind))
		key := client.ObjectKey{Namespace: planned.Namespace, Name: planned.Name}
		if err := k.Client.Get(ctx, key, object); client.IgnoreNotFound(err) != nil {
			return nil, err
		} else if err == nil {
			if err := Unpack(object); err != nil {
				return nil, err
			}
			found = append(found, object)
		}
	}
	return found, nil
}
