// SPDX-License-Identifier: Apache-2.0

package apply

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/selection"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/tools/events"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/builder"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/event"
	"sigs.k8s.io/controller-runtime/pkg/handler"
	"sigs.k8s.io/controller-runtime/pkg/manager"
	"sigs.k8s.io/controller-runtime/pkg/predicate"

	"libgang.dev/gang"
	"libgang.dev/gang/k8sgang"
)

// GroupLabel is that of pods without a controller that name their gang themselves, in the words of
// Kueue, with or without it: the annotation pod-group-total-count says how many there will be.
const (
	GroupLabel     = "kueue.x-k8s.io/pod-group-name"
	fastAnnotation = "kueue.x-k8s.io/pod-group-fast-admission"
)

var podListKind = schema.GroupVersionKind{Version: "v1", Kind: "PodList"}

// InGroups selects the pods of the cache that Groups needs.
func InGroups() labels.Selector {
	requirement, err := labels.NewRequirement(GroupLabel, selection.Exists, nil)
	if err != nil {
		panic(err) // about the key alone
	}
	return labels.NewSelector().Add(*requirement)
}

// Groups keeps the objects of the gangs of pods that name their gang themselves: see GroupLabel.
// The pods own them, so they go with the last one. It implements reconcile.Reconciler; the name of
// a request is that of the group.
type Groups struct {
	// Client reads pods through a cache, which may be limited to InGroups.
	Client  client.Client
	Planner *Planner
	// Acts tells whether to write in a namespace; else the pods are told what would be made.
	Acts func(ctx context.Context, namespace string) bool
	// Reports tells of a list of the pods of a group whether they are only told, too, unless they have
	// marks already. Nil: never.
	Reports func(ctx context.Context, reader client.Reader, pods *unstructured.Unstructured) bool
	// Events of the first pod of a group tell what became of it.
	Events       events.EventRecorder
	WakeInterval time.Duration // as of Reconciler
	// Kinds are those of the objects, which are made again when they are deleted: as of Reconciler. Nil:
	// none is watched.
	Kinds []schema.GroupVersionKind

	waker waker
}

// SetUp makes a controller of it.
func (g *Groups) SetUp(m manager.Manager) error {
	groupOf := func(pod client.Object) []ctrl.Request {
		return []ctrl.Request{{NamespacedName: types.NamespacedName{
			Namespace: pod.GetNamespace(), Name: pod.GetLabels()[GroupLabel]}}}
	}
	made := ctrl.NewControllerManagedBy(m).Named("gangs-pods").
		Watches(New(podKind), whenSettled(settle, pause, groupOf))
	onlyDeleted := predicate.Funcs{CreateFunc: func(event.CreateEvent) bool { return false },
		UpdateFunc: func(event.UpdateEvent) bool { return false }}
	for _, kind := range g.Kinds {
		made = made.Watches(New(kind), handler.EnqueueRequestsFromMapFunc(g.groupOfObject),
			builder.WithPredicates(onlyDeleted))
	}
	return made.Complete(g)
}

// groupOfObject is the group of the pods that own an object.
func (g *Groups) groupOfObject(ctx context.Context, object client.Object) []ctrl.Request {
	for _, owner := range object.GetOwnerReferences() {
		pod, key := New(podKind), types.NamespacedName{Namespace: object.GetNamespace(), Name: owner.Name}
		if owner.APIVersion != "v1" || owner.Kind != podKind.Kind || g.Client.Get(ctx, key, pod) != nil {
			continue
		}
		if key.Name = pod.GetLabels()[GroupLabel]; key.Name != "" {
			return []ctrl.Request{{NamespacedName: key}}
		}
	}
	return nil
}

// Reconcile carries out one round. A group of which pods are missing has no plan yet: its pods wait
// for their PodGroup.
func (g *Groups) Reconcile(ctx context.Context, request ctrl.Request) (ctrl.Result, error) {
	pods, err := List(ctx, g.Client, podKind, client.InNamespace(request.Namespace),
		client.MatchingLabels{GroupLabel: request.Name})
	pods = slices.DeleteFunc(pods, func(pod unstructured.Unstructured) bool {
		return metav1.GetControllerOf(&pod) != nil
	})
	if err != nil || len(pods) == 0 {
		g.waker.forget(request.NamespacedName)
		return ctrl.Result{}, err
	}
	all := podList(pods...)
	plans, err := g.Planner.Plans(ctx, g.Client, all, 0)
	if err != nil {
		return ctrl.Result{RequeueAfter: retryAfter}, g.tell(&pods[0], err)
	}
	defer Close(plans)
	planned := plans[0]
	if planned.Outcome != gang.OutcomeGang {
		return ctrl.Result{}, nil
	}
	text := fmt.Sprintf("%d of %d pods must start together, scheduled by %s", planned.Gang.Minimum,
		planned.Gang.Pods, planned.Backend.SchedulerName)
	if !g.Acts(ctx, request.Namespace) ||
		g.Reports != nil && len(Concerns(&pods[0])) == 0 && g.Reports(ctx, g.Client, all) {
		g.Events.Eventf(&pods[0], nil, corev1.EventTypeNormal, "GangPlanned", "Plan", "%s", text)
		return ctrl.Result{}, nil
	}
	options, after := g.waker.ask(request.NamespacedName, g.WakeInterval > 0 &&
		k8sgang.SleepsOnRoom(planned.Backend.Type) && slices.ContainsFunc(pods, isWaiting),
		g.WakeInterval)
	var known []*unstructured.Unstructured // what may change depends on the pods that exist
	for i := range pods {
		known = append(known, &pods[i])
	}
	wrote, err := (&Keeper{Client: g.Client}).Keep(ctx, planned.Plan, known, ownedBy(pods), options...)
	if err == nil {
		err = g.own(ctx, planned.Plan, pods)
	}
	if isLate(err) || errors.Is(err, errUnfinished) {
		return ctrl.Result{RequeueAfter: lateAfter}, nil
	}
	if wrote && err == nil && len(options) == 0 {
		g.Events.Eventf(&pods[0], nil, corev1.EventTypeNormal, "GangReady", "Plan", "%s", text)
	}
	if len(k8sgang.Diagnostics(err)) > 0 { // a conflict
		after = sooner(after, retryAfter)
	}
	return ctrl.Result{RequeueAfter: after}, g.tell(&pods[0], err)
}

// tell writes events about diagnostics, and returns another error.
func (g *Groups) tell(pod *unstructured.Unstructured, err error) error {
	diagnostics := k8sgang.Diagnostics(err)
	for _, event := range k8sgang.Events(diagnostics) {
		g.Events.Eventf(pod, nil, event.Type, event.Reason, "Plan", "%.900s", event.Note)
	}
	if len(diagnostics) > 0 {
		return nil
	}
	return err
}

func isWaiting(pod unstructured.Unstructured) bool {
	node, _, _ := unstructured.NestedString(pod.Object, "spec", "nodeName")
	return node == "" && pod.GetDeletionTimestamp() == nil
}

// own has the pods own the objects of a plan that lack one of them as an owner: with the last owner
// an object goes, even under pods that replace its first ones.
func (g *Groups) own(ctx context.Context, plan *gang.Plan, pods []unstructured.Unstructured) error {
	objects, err := (&Keeper{Client: g.Client}).existing(ctx, plan, nil)
	for _, object := range objects {
		owners := object.GetOwnerReferences()
		if err != nil || !slices.ContainsFunc(pods, func(pod unstructured.Unstructured) bool {
			return pod.GetDeletionTimestamp() == nil && !slices.ContainsFunc(owners,
				func(one metav1.OwnerReference) bool { return one.UID == pod.GetUID() })
		}) {
			continue
		}
		owned := object.DeepCopy() // with its status, which not every kind keeps apart
		ownedBy(pods)(owned)
		err = g.Client.Update(ctx, owned)
	}
	return err
}

// ownedBy has the pods own an object, none of them as its controller.
func ownedBy(pods []unstructured.Unstructured) func(*unstructured.Unstructured) {
	return func(object *unstructured.Unstructured) {
		var owners []metav1.OwnerReference
		for i := range pods {
			owners = append(owners, metav1.OwnerReference{APIVersion: "v1", Kind: podKind.Kind,
				Name: pods[i].GetName(), UID: pods[i].GetUID()})
		}
		object.SetOwnerReferences(append(slices.DeleteFunc(object.GetOwnerReferences(),
			func(one metav1.OwnerReference) bool { return one.Kind == podKind.Kind }), owners...))
	}
}

// podList changes the pods: the API server has written the priority of their class into them, where
// no author may write one.
func podList(pods ...unstructured.Unstructured) *unstructured.Unstructured {
	list, items := New(podListKind), []any{}
	slices.SortFunc(pods, func(a, b unstructured.Unstructured) int {
		return strings.Compare(a.GetName(), b.GetName())
	})
	for i := range pods {
		unstructured.RemoveNestedField(pods[i].Object, "spec", "priority")
		items = append(items, pods[i].Object)
	}
	list.Object["items"] = items
	return list
}

// GroupOf is a list that stands for the group of a new pod, as if the others were like it. Nil: the
// pod names no group, or an operator has created it.
func GroupOf(pod *unstructured.Unstructured) *unstructured.Unstructured {
	if pod.GetLabels()[GroupLabel] == "" || metav1.GetControllerOf(pod) != nil {
		return nil
	}
	like := pod.DeepCopy()
	_ = annotate(like, fastAnnotation, "true") // the others come later
	return podList(*like)
}

// MarkMember marks a new pod of a group as if the others were like it: the mark of most schedulers
// is the name of the group alone. Where the pods describe the gang, as with YuniKorn, it is
// refused.
func (p *Planner) MarkMember(ctx context.Context, reader client.Reader,
	pod *unstructured.Unstructured) error {
	group := GroupOf(pod)
	if group == nil {
		return nil
	}
	plan, err := p.Plan(ctx, reader, group, 0)
	if err != nil {
		return err
	}
	defer plan.Close()
	for _, patch := range plan.Patches() {
		for _, memory := range listMemories() {
			if memory.Parts != "" && patch.Annotations[memory.Parts] != "" {
				return fmt.Errorf("the pods of the group %s would have to describe the whole gang for "+
					"this scheduler; use a Job", pod.GetLabels()[GroupLabel])
			}
		}
		if patch.Role != "" {
			if err := k8sgang.PatchUnstructured(&patch, pod.Object); err != nil {
				return err
			}
		}
	}
	return nil
}
