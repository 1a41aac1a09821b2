// SPDX-License-Identifier: Apache-2.0

package apply

import (
	"context"
	"slices"
	"strings"
	"sync"

	"k8s.io/apimachinery/pkg/api/equality"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/builder"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller"
	"sigs.k8s.io/controller-runtime/pkg/event"
	"sigs.k8s.io/controller-runtime/pkg/handler"
	"sigs.k8s.io/controller-runtime/pkg/log"
	"sigs.k8s.io/controller-runtime/pkg/manager"
	"sigs.k8s.io/controller-runtime/pkg/predicate"

	"libgang.dev/gang/k8sgang"
)

var podKind = schema.GroupVersionKind{Version: "v1", Kind: "Pod"}

// SetUp makes a controller of each reconciler. A change of one of the triggers, such as the
// ConfigMap with the policy, plans all jobs again. Call it once for a manager; a scheduler that is
// installed later needs a restart.
func SetUp(ctx context.Context, m manager.Manager, reconcilers []*Reconciler,
	triggers ...client.Object) error {
	kinds, err := k8sgang.ServedKinds(m.GetRESTMapper())
	if err != nil {
		return err
	}
	indexed := []schema.GroupVersionKind{podKind}
	for _, r := range reconcilers {
		if r.Kinds == nil {
			r.Kinds = kinds
		}
		indexed = append(indexed, slices.Concat(r.Kinds, r.Children)...)
	}
	slices.SortFunc(indexed, func(a, b schema.GroupVersionKind) int {
		return strings.Compare(a.String(), b.String())
	})
	for _, kind := range slices.Compact(indexed) {
		if err := m.GetFieldIndexer().IndexField(ctx, New(kind), IndexName, Concerns); err != nil {
			return err
		}
	}
	for _, r := range reconcilers {
		if err := r.setUp(m, triggers); err != nil {
			return err
		}
	}
	return nil
}

func (r *Reconciler) setUp(m manager.Manager, triggers []client.Object) error {
	owner := handler.EnqueueRequestForOwner(m.GetScheme(), m.GetRESTMapper(), New(r.Kind),
		handler.OnlyControllerOwner())
	name := "gangs-" + strings.ToLower(r.Kind.GroupKind().String())
	made := ctrl.NewControllerManagedBy(m).Named(name).
		For(New(r.Kind)).
		Watches(New(podKind), handler.EnqueueRequestsFromMapFunc(r.jobsOfPod),
			builder.WithPredicates(predicate.Funcs{UpdateFunc: podMatters})).
		WithOptions(controller.Options{MaxConcurrentReconciles: 4})
	for _, kind := range slices.Concat(r.Kinds, r.Children) {
		made = made.Watches(New(kind), owner)
	}
	for _, trigger := range slices.Concat(triggers, r.Triggers) {
		made = made.Watches(trigger, handler.EnqueueRequestsFromMapFunc(r.everyJob),
			builder.WithPredicates(predicate.Funcs{UpdateFunc: specMatters}))
	}
	return made.Complete(r)
}

func (r *Reconciler) everyJob(ctx context.Context, _ client.Object) []ctrl.Request {
	return Requests(ctx, r.Client, r.Kind)
}

// Requests has one for each object of a kind.
func Requests(ctx context.Context, reader client.Reader, kind schema.GroupVersionKind) []ctrl.Request {
	objects, err := List(ctx, reader, kind)
	if err != nil {
		log.FromContext(ctx).Error(err, "no list of objects", "kind", kind.Kind)
	}
	var requests []ctrl.Request
	for i := range objects {
		requests = append(requests,
			ctrl.Request{NamespacedName: client.ObjectKeyFromObject(&objects[i])})
	}
	return requests
}

// specMatters tells whether an update of a trigger can change a plan: one of its status cannot. A
// kind without a status, such as ConfigMap, has no generation.
func specMatters(update event.UpdateEvent) bool {
	return update.ObjectNew.GetGeneration() == 0 ||
		update.ObjectNew.GetGeneration() != update.ObjectOld.GetGeneration()
}

// jobsOfPod finds the job through the group that the pod names, whose controller the job is.
func (r *Reconciler) jobsOfPod(ctx context.Context, pod client.Object) []ctrl.Request {
	names := map[string]bool{}
	for _, name := range Concerns(pod) {
		names[name] = true
	}
	requests := map[ctrl.Request]bool{}
	for _, kind := range r.Kinds {
		groups, err := r.concerning(ctx, kind, pod.GetNamespace(), names)
		if err != nil {
			log.FromContext(ctx).Error(err, "no list of groups", "kind", kind.Kind)
		}
		for _, group := range groups {
			owner := metav1.GetControllerOf(group)
			if owner != nil && owner.Kind == r.Kind.Kind &&
				schema.FromAPIVersionAndKind(owner.APIVersion, "").Group == r.Kind.Group {
				key := types.NamespacedName{Namespace: pod.GetNamespace(), Name: owner.Name}
				requests[ctrl.Request{NamespacedName: key}] = true
			}
		}
	}
	var list []ctrl.Request
	for request := range requests {
		list = append(list, request)
	}
	return list
}

// podMatters tells whether an update of a pod can change what is written: most updates are of the
// conditions in its status, and a round for each of them would be most of the work.
func podMatters(update event.UpdateEvent) bool {
	before, isOld := update.ObjectOld.(*unstructured.Unstructured)
	after, isNew := update.ObjectNew.(*unstructured.Unstructured)
	if !isOld || !isNew {
		return true
	}
	for _, path := range [][]string{{"metadata", "labels"}, {"metadata", "annotations"},
		{"metadata", "deletionTimestamp"}, {"spec"}, {"status", "phase"}} {
		was, _, _ := unstructured.NestedFieldNoCopy(before.Object, path...)
		is, _, _ := unstructured.NestedFieldNoCopy(after.Object, path...)
		if !equality.Semantic.DeepEqual(was, is) {
			return true
		}
	}
	return false
}

// IndexName is the index of the cache by which a round finds what concerns its job. SetUp makes it;
// a fake client needs it for the kinds that are served, the children and pods.
const IndexName = "libgang-concerns"

// The labels and annotations, and the fields of spec, by which pods name their group.
type marks struct{ metadata, spec []string }

var listMarks = sync.OnceValue(func() (found marks) {
	texts, err := k8sgang.Marks()
	if err != nil {
		panic(err) // the table is a part of the library
	}
	for _, text := range texts { // "label pod-group", "spec.schedulingGroup"
		if field, isField := strings.CutPrefix(text, "spec."); isField {
			found.spec = append(found.spec, field)
		} else if _, key, isKey := strings.Cut(text, " "); isKey {
			found.metadata = append(found.metadata, key)
		}
	}
	return found
})

// Concerns are the entries of an object in the index: of a pod the groups that it names, of another
// object its own name and the uid of its controller.
func Concerns(object client.Object) []string {
	if object.GetObjectKind().GroupVersionKind().Kind == podKind.Kind {
		return groupsOf(object)
	}
	keys := []string{object.GetName()}
	if owner := metav1.GetControllerOf(object); owner != nil {
		keys = append(keys, string(owner.UID))
	}
	return keys
}

func groupsOf(pod client.Object) (groups []string) {
	known := listMarks()
	for _, key := range known.metadata {
		for _, values := range []map[string]string{pod.GetLabels(), pod.GetAnnotations()} {
			if value := values[key]; value != "" {
				groups = append(groups, value)
			}
		}
	}
	if read, ok := pod.(*unstructured.Unstructured); ok {
		for _, field := range known.spec { // {podGroupName: x}, {name: x, podGroup: y}
			values, _, _ := unstructured.NestedStringMap(read.Object, "spec", field)
			for _, value := range values {
				groups = append(groups, value)
			}
		}
	}
	return groups
}

// SlimPod removes from a pod what neither the reconciler nor libgang reads. Use it as the transform
// of the cache for pods: a whole pod takes some 30 KiB.
func SlimPod(object any) (any, error) {
	pod, ok := object.(*unstructured.Unstructured)
	if !ok {
		return object, nil
	}
	pod.SetManagedFields(nil)
	spec, _, _ := unstructured.NestedMap(pod.Object, "spec")
	kept := map[string]any{}
	for _, field := range append([]string{"nodeName", "schedulerName", "priorityClassName"},
		listMarks().spec...) {
		if value, found := spec[field]; found {
			kept[field] = value
		}
	}
	status, _, _ := unstructured.NestedMap(pod.Object, "status")
	slim := map[string]any{}
	for _, field := range []string{"phase", "conditions"} {
		if value, found := status[field]; found {
			slim[field] = value
		}
	}
	pod.Object["spec"], pod.Object["status"] = kept, slim
	return pod, nil
}

func byName(a, b *unstructured.Unstructured) int {
	return strings.Compare(a.GetName(), b.GetName())
}
