// SPDX-License-Identifier: Apache-2.0

// Package lws is a SchedulerProvider of LeaderWorkerSet: LWS calls it to create the gang of each
// group of pods and to mark the pods, and the GangPolicy says which scheduler gets the gang.
// Names, labels and owners are those of the provider for Volcano in LWS.
package lws

import (
	"context"
	"fmt"
	"maps"
	"strconv"
	"strings"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"sigs.k8s.io/controller-runtime/pkg/client"
	leaderworkerset "sigs.k8s.io/lws/api/leaderworkerset/v1"

	"libgang.dev/gang"
	"libgang.dev/gang/k8sgang"
	"libgang.dev/gang/k8sgang/apply"
)

// Provider implements schedulerprovider.SchedulerProvider. Its client also reads LeaderWorkerSets.
// Any number of goroutines may use it.
type Provider struct{ *apply.Keeper }

var kind = leaderworkerset.GroupVersion.WithKind("LeaderWorkerSet")

const (
	volcano       = "scheduling.volcano.sh" // the group of its PodGroups
	volcanoPrefix = "volcano.sh/"           // of the annotations that LWS copies to them
)

// CreatePodGroupIfNotExists creates what the gang of the leader's group lacks. An existing object
// is never changed: the revision in its name is that of the size and the templates.
func (p *Provider) CreatePodGroupIfNotExists(ctx context.Context,
	set *leaderworkerset.LeaderWorkerSet, leader *corev1.Pod) error {
	plan, err := p.plan(ctx, set, leader)
	if err != nil {
		return err
	}
	defer plan.Close()
	complete := func(object *unstructured.Unstructured) { completed(object, set, leader) }
	for _, planned := range plan.Objects() {
		if exists, err := p.exists(ctx, &planned); err != nil {
			return err
		} else if !exists {
			_, err := p.Keep(ctx, plan, nil, complete)
			return err
		}
	}
	return nil
}

// exists reads through the cache of the operator where the operator knows the kind.
func (p *Provider) exists(ctx context.Context, planned *gang.Object) (bool, error) {
	of := schema.FromAPIVersionAndKind(planned.APIVersion, planned.Kind)
	var object client.Object = apply.New(of)
	if known, err := p.Client.Scheme().New(of); err == nil {
		object, _ = known.(client.Object)
		object.GetObjectKind().SetGroupVersionKind(of)
	}
	key := client.ObjectKey{Namespace: planned.Namespace, Name: planned.Name}
	err := p.Client.Get(ctx, key, object)
	return err == nil, client.IgnoreNotFound(err)
}

// InjectPodGroupMetadata marks a pod that is not created yet.
func (p *Provider) InjectPodGroupMetadata(pod *corev1.Pod) error {
	ctx := context.Background() // the interface has none
	set := &leaderworkerset.LeaderWorkerSet{}
	name := pod.Labels[leaderworkerset.SetNameLabelKey]
	key := client.ObjectKey{Namespace: pod.Namespace, Name: name}
	if err := p.Client.Get(ctx, key, set); err != nil {
		return err
	}
	ofGroup := pod.Labels[leaderworkerset.GroupIndexLabelKey] + "/" +
		pod.Labels[leaderworkerset.RevisionKey]
	patches, err := p.Patches(ctx, set, ofGroup, func() ([]gang.Patch, error) {
		return apply.PatchesOf(p.plan(ctx, set, pod))
	})
	if err != nil {
		return err
	}
	role := "worker"
	if pod.Labels[leaderworkerset.WorkerIndexLabelKey] == "0" {
		role = "leader"
	}
	for i := range patches {
		if patches[i].Role == role {
			return k8sgang.PatchPod(&patches[i], pod)
		}
	}
	return nil
}

// plan is that of the group of a pod. The labels of the pod say which group of which revision it
// is: its number may be above spec.replicas during a rolling update.
func (p *Provider) plan(ctx context.Context, set *leaderworkerset.LeaderWorkerSet,
	pod *corev1.Pod) (*gang.Plan, error) {
	index, err := strconv.ParseInt(pod.Labels[leaderworkerset.GroupIndexLabelKey], 10, 32)
	if err != nil {
		return nil, fmt.Errorf("label %s of pod %s/%s: %w",
			leaderworkerset.GroupIndexLabelKey, pod.Namespace, pod.Name, err)
	}
	ofPod := set.DeepCopy()
	ofPod.Labels = maps.Clone(set.Labels)
	if ofPod.Labels == nil {
		ofPod.Labels = map[string]string{}
	}
	ofPod.Labels[leaderworkerset.RevisionKey] = pod.Labels[leaderworkerset.RevisionKey]
	if replicas := int32(index) + 1; ofPod.Spec.Replicas == nil || *ofPod.Spec.Replicas < replicas {
		ofPod.Spec.Replicas = &replicas
	}
	document, err := k8sgang.Parse(kind, ofPod)
	if err != nil {
		return nil, err
	}
	defer document.Close()
	return p.Planner.PlanDocument(ctx, p.Client, document, uint64(index))
}

// completed adds what LWS has in its PodGroups. The leader owns those of Volcano: when LWS
// creates a group anew, the PodGroup is new, too.
func completed(object *unstructured.Unstructured, set *leaderworkerset.LeaderWorkerSet,
	leader *corev1.Pod) {
	labels := map[string]string{leaderworkerset.SetNameLabelKey: set.Name}
	for _, key := range []string{leaderworkerset.GroupIndexLabelKey, leaderworkerset.RevisionKey} {
		labels[key] = leader.Labels[key]
	}
	maps.Copy(labels, object.GetLabels())
	object.SetLabels(labels)
	if object.GroupVersionKind().Group != volcano {
		return
	}
	annotations := map[string]string{}
	for key, value := range set.Annotations {
		if strings.HasPrefix(key, volcanoPrefix) {
			annotations[key] = value
		}
	}
	apply.Inherit(object, annotations)
	object.SetOwnerReferences([]metav1.OwnerReference{
		*metav1.NewControllerRef(leader, corev1.SchemeGroupVersion.WithKind("Pod"))})
}
