// SPDX-License-Identifier: Apache-2.0
package main

import (
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	schedulingv1 "k8s.io/api/scheduling/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	utilruntime "k8s.io/apimachinery/pkg/util/runtime"
	clientgoscheme "k8s.io/client-go/kubernetes/scheme"
	"k8s.io/client-go/tools/events"
	podresource "k8s.io/component-helpers/resource"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/fake"
	kueue "sigs.k8s.io/kueue/apis/kueue/v1beta2"
	"sigs.k8s.io/kueue/pkg/controller/core/indexer"
	kueuelws "sigs.k8s.io/kueue/pkg/controller/jobs/leaderworkerset"
	lws "sigs.k8s.io/lws/api/leaderworkerset/v1"
	"sigs.k8s.io/lws/pkg/controllers"
	"sigs.k8s.io/lws/pkg/schedulerprovider"
	"sigs.k8s.io/lws/pkg/utils/revision"
	"sigs.k8s.io/lws/pkg/webhooks"
	volcano "volcano.sh/apis/pkg/apis/scheduling/v1beta1"
)

const lwsExclusive = "leaderworkerset.sigs.k8s.io/exclusive-topology"

func init() {
	register(kind{name: "LeaderWorkerSet", make: makeLWS, ask: askLWS,
		source: "LWS v0.9.0 (*controllers.PodReconciler).Reconcile on a fake client (the workers' " +
			"StatefulSet and what it waits for), schedulerprovider \"volcano\" (PodGroup); Kueue v0.19.2 " +
			"(*leaderworkerset.Reconciler).Reconcile on a fake client (pod sets)"})
}

// ---- documents ----

func makeLWS(r random) object {
	template := object{"workerTemplate": r.podTemplate("serve")}
	size := 1
	if r.chance(85) {
		size = r.between(1, 5)
		template["size"] = size
	}
	r.maybe(50, template, "leaderTemplate", r.podTemplate("serve"))
	r.maybe(40, template, "restartPolicy",
		choose(r, "RecreateGroupOnPodRestart", "None"))
	if size > 2 && r.chance(20) {
		template["subGroupPolicy"] = object{"subGroupSize": divisor(r, size)}
	}
	spec := object{"leaderWorkerTemplate": template}
	r.maybe(80, spec, "replicas", r.between(0, 4))
	r.maybe(50, spec, "startupPolicy", choose(r, "LeaderCreated", "LeaderReady", "LeaderReady"))
	document := object{"apiVersion": "leaderworkerset.x-k8s.io/v1", "kind": "LeaderWorkerSet",
		"metadata": r.metadata("serving"), "spec": spec}
	if r.chance(25) {
		annotate(document, lwsExclusive, "cloud.example/rack")
	}
	return document
}

// divisor returns a size of subgroups that the webhook accepts.
func divisor(r random, size int) int {
	var all []int
	for part := 1; part <= size; part++ {
		if size%part == 0 || (size-1)%part == 0 {
			all = append(all, part)
		}
	}
	return choose(r, all...)
}

// ---- answers ----

var lwsScheme = func() *runtime.Scheme {
	all := runtime.NewScheme()
	utilruntime.Must(clientgoscheme.AddToScheme(all))
	utilruntime.Must(lws.AddToScheme(all))
	utilruntime.Must(volcano.AddToScheme(all))
	utilruntime.Must(kueue.AddToScheme(all))
	return all
}()

func askLWS(document object) *answer {
	set := decode[lws.LeaderWorkerSet](document)
	defaultLWS(set)
	group := newLWSGroup(set)
	leaderTemplate := set.Spec.LeaderWorkerTemplate.LeaderTemplate
	if leaderTemplate == nil {
		leaderTemplate = &set.Spec.LeaderWorkerTemplate.WorkerTemplate
	}
	result := &answer{Gangs: set.Spec.Replicas, Roles: []*role{
		{Name: "leader", Count: 1, Requests: requestsOf(leaderTemplate)}}}
	after := group.workersWaitFor()
	if workers := group.workers(); workers != nil {
		one := &role{Name: "worker", Count: *workers.Spec.Replicas,
			Requests: requestsOf(&workers.Spec.Template)}
		if after != "" {
			one.After = map[string]string{"leader": after}
		}
		result.Roles = append(result.Roles, one)
	}
	written := &answer{}
	for _, one := range result.Roles {
		template := leaderTemplate
		if one.Name == "worker" {
			template = &set.Spec.LeaderWorkerTemplate.WorkerTemplate
		}
		written.Roles = append(written.Roles, &role{Count: one.Count,
			Requests: amountsOf(podresource.PodRequests(&corev1.Pod{Spec: template.Spec},
				podresource.PodResourcesOptions{}))})
	}
	result.sameAsLWSGroup(group.podGroup(), written.total())
	result.sameAsKueue(kueueLWS(set), func(name, field string) string {
		if field == "role" && set.Spec.LeaderWorkerTemplate.LeaderTemplate == nil {
			return "without leaderTemplate Kueue has one pod set, main, of all pods of a group"
		}
		return ""
	})
	return result
}

func priorityClass(name string) *schedulingv1.PriorityClass {
	return &schedulingv1.PriorityClass{ObjectMeta: metav1.ObjectMeta{Name: name}}
}

// kueueLWS returns the pod sets of one group: Kueue makes a Workload for each.
func kueueLWS(set *lws.LeaderWorkerSet) []*role {
	set = set.DeepCopy()
	set.ResourceVersion = ""
	set.Spec.Replicas = number(1)
	cluster := fake.NewClientBuilder().WithScheme(lwsScheme).
		WithObjects(set, priorityClass("high"), priorityClass("low")).
		WithIndex(&kueue.Workload{}, indexer.OwnerReferenceUID, indexer.IndexOwnerUID).Build()
	reconciler, err := kueuelws.NewReconciler(background, cluster, nil, events.NewFakeRecorder(100))
	utilruntime.Must(err)
	key := types.NamespacedName{Namespace: set.Namespace, Name: set.Name}
	_, err = reconciler.Reconcile(background, ctrl.Request{NamespacedName: key})
	utilruntime.Must(err)
	list := &kueue.WorkloadList{}
	utilruntime.Must(cluster.List(background, list))
	return fromPodSets(list.Items[0].Spec.PodSets, nil)
}

// defaultLWS sets the defaults of the CRD and of the webhook, which must accept the set.
func defaultLWS(set *lws.LeaderWorkerSet) {
	set.UID = "uid"
	if set.Spec.Replicas == nil {
		set.Spec.Replicas = number(1)
	}
	if set.Spec.LeaderWorkerTemplate.Size == nil {
		set.Spec.LeaderWorkerTemplate.Size = number(1)
	}
	if set.Spec.StartupPolicy == "" {
		set.Spec.StartupPolicy = lws.LeaderCreatedStartupPolicy
	}
	webhook := &webhooks.LeaderWorkerSetWebhook{}
	utilruntime.Must(webhook.Default(background, set))
	_, err := webhook.ValidateCreate(background, set)
	utilruntime.Must(err)
}

// sameAsLWSGroup compares with the PodGroup that LWS makes for Volcano.
func (a *answer) sameAsLWSGroup(group *volcano.PodGroup, raw amounts) {
	first := int32(0)
	for _, one := range a.Roles {
		if len(one.After) == 0 {
			first += one.Count
		}
	}
	if group.Spec.MinMember != first {
		reason := ""
		if worker := a.role("worker"); worker != nil && worker.After["leader"] == "Scheduled" {
			reason = "the workers are counted, though they are created after the leader has a node"
		}
		a.differ("LWS", "", "minMember", group.Spec.MinMember, reason)
	}
	if theirs := amountsOf(*group.Spec.MinResources); !sameAmounts(theirs, a.total()) {
		reason := ""
		if sameAmounts(theirs, raw) {
			reason = "limits are not taken as requests"
		}
		a.differ("LWS", "", "minResources", theirs, reason)
	}
}

// ---- the operator on a fake client ----

type lwsGroup struct {
	set     *lws.LeaderWorkerSet
	cluster client.Client
	pods    *controllers.PodReconciler
}

const lwsRevision = "r1"

// newLWSGroup makes group 0: the leader pod as its StatefulSet and the webhook make it.
func newLWSGroup(set *lws.LeaderWorkerSet) *lwsGroup {
	node := &corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: "node",
		Labels: map[string]string{"cloud.example/rack": "a"}}}
	cluster := fake.NewClientBuilder().WithScheme(lwsScheme).WithObjects(set, node).
		WithStatusSubresource(&corev1.Pod{}).Build()
	made, err := revision.NewRevision(background, cluster, set, lwsRevision)
	utilruntime.Must(err)
	_, err = revision.CreateRevision(background, cluster, made)
	utilruntime.Must(err)
	provider, err := schedulerprovider.NewSchedulerProvider(schedulerprovider.Volcano, cluster)
	utilruntime.Must(err)
	leader := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{
		Name: set.Name + "-0", Namespace: set.Namespace, Annotations: map[string]string{},
		Labels: map[string]string{lws.SetNameLabelKey: set.Name, lws.WorkerIndexLabelKey: "0",
			lws.GroupIndexLabelKey: "0", lws.RevisionKey: lwsRevision}}}
	utilruntime.Must(provider.InjectPodGroupMetadata(leader))
	utilruntime.Must(cluster.Create(background, leader))
	return &lwsGroup{set, cluster, controllers.NewPodReconciler(cluster, lwsScheme,
		events.NewFakeRecorder(1000), provider)}
}

func (g *lwsGroup) reconcile() {
	key := types.NamespacedName{Namespace: g.set.Namespace, Name: g.set.Name + "-0"}
	_, err := g.pods.Reconcile(background, ctrl.Request{NamespacedName: key})
	utilruntime.Must(err)
}

// workersWaitFor creates, schedules and readies the leader until its workers exist.
func (g *lwsGroup) workersWaitFor() string {
	leader := &corev1.Pod{}
	key := types.NamespacedName{Namespace: g.set.Namespace, Name: g.set.Name + "-0"}
	g.reconcile()
	if g.workers() != nil {
		return ""
	}
	utilruntime.Must(g.cluster.Get(background, key, leader))
	leader.Spec.NodeName = "node"
	utilruntime.Must(g.cluster.Update(background, leader))
	g.reconcile()
	if g.workers() != nil {
		return "Scheduled"
	}
	utilruntime.Must(g.cluster.Get(background, key, leader))
	leader.Status.Phase = corev1.PodRunning
	leader.Status.Conditions = []corev1.PodCondition{
		{Type: corev1.PodReady, Status: corev1.ConditionTrue}}
	utilruntime.Must(g.cluster.Status().Update(background, leader))
	g.reconcile()
	if g.workers() != nil {
		return "Ready"
	}
	return ""
}

func (g *lwsGroup) workers() *appsv1.StatefulSet {
	list := &appsv1.StatefulSetList{}
	utilruntime.Must(g.cluster.List(background, list))
	if len(list.Items) == 0 {
		return nil
	}
	return &list.Items[0]
}

func (g *lwsGroup) podGroup() *volcano.PodGroup {
	list := &volcano.PodGroupList{}
	utilruntime.Must(g.cluster.List(background, list))
	return &list.Items[0]
}
