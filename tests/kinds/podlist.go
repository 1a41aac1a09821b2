// SPDX-License-Identifier: Apache-2.0
package main

import (
	"encoding/json"
	"fmt"
	"sort"
	"strconv"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"
	utilruntime "k8s.io/apimachinery/pkg/util/runtime"
	"k8s.io/apimachinery/pkg/util/sets"
	"k8s.io/client-go/tools/events"
	"k8s.io/utils/clock"
	"sigs.k8s.io/controller-runtime/pkg/client/fake"
	kueue "sigs.k8s.io/kueue/apis/kueue/v1beta2"
	kueuepod "sigs.k8s.io/kueue/pkg/controller/jobs/pod"
	"sigs.k8s.io/kueue/pkg/controller/jobs/pod/constants"
	"sigs.k8s.io/kueue/pkg/util/expectations"
	utilpod "sigs.k8s.io/kueue/pkg/util/pod"
)

const kueueQueue = "kueue.x-k8s.io/queue-name"

func init() {
	register(kind{name: "PodList", make: makePodList, named: nameGroup, ask: askPodList,
		source: "Kueue v0.19.2 (*pod.Pod).Load, ConstructComposableWorkload (everything)"})
}

// makePodList makes a list of pods of one group, with a number that is mostly right. Limits are
// requests, as the API server has them when Kueue reads a pod.
func makePodList(r random) object {
	shapes := make([]object, r.between(1, 3))
	for i := range shapes {
		shapes[i] = r.podShape()
	}
	count := r.between(1, 6)
	total := count
	if r.chance(25) {
		total = r.between(0, 7)
	}
	hashed, gated, fast := r.chance(30), r.chance(20), r.chance(15)
	if fast {
		shapes = shapes[:1] // of mixed shapes Kueue takes the first one for all pods
	}
	items := make([]any, count)
	for i := range items {
		pod := r.podOfGroup(choose(r, shapes...), i, total)
		if fast {
			annotate(pod, constants.GroupFastAdmissionAnnotationKey, "true")
		}
		if gated {
			pod["spec"].(object)["schedulingGates"] =
				[]any{object{"name": constants.SchedulingGateName}}
		}
		if hashed {
			hash, err := utilpod.GenerateRoleHash(&decode[corev1.Pod](pod).Spec)
			utilruntime.Must(err)
			annotate(pod, constants.RoleHashAnnotation, hash)
		}
		items[i] = pod
	}
	return object{"apiVersion": "v1", "kind": "PodList", "metadata": object{"name": "pods"},
		"items": items}
}

func (r random) podShape() object {
	spec := r.podTemplate("main")["spec"].(object)
	delete(spec, "priorityClassName") // Kueue reads the number, which admission sets
	for _, containers := range []string{"containers", "initContainers"} {
		list, _ := spec[containers].([]any)
		for _, container := range list {
			resources, _ := container.(object)["resources"].(object)
			limits, _ := resources["limits"].(object)
			requests, ok := resources["requests"].(object)
			if !ok && limits != nil {
				requests = object{}
				resources["requests"] = requests
			}
			for name, amount := range limits {
				if _, given := requests[name]; !given {
					requests[name] = amount
				}
			}
		}
	}
	r.maybe(30, spec, "nodeSelector", object{"pool": choose(r, "a", "b")})
	r.maybe(20, spec, "tolerations", []any{object{"key": "gpu", "operator": "Exists"}})
	return spec
}

func (r random) podOfGroup(shape object, index, total int) object {
	spec := object{}
	for key, value := range shape {
		spec[key] = value
	}
	created := time.Date(2026, 11, 22, 10, r.IntN(60), index, 0, time.UTC)
	metadata := object{"name": fmt.Sprintf("pod-%d", index), "namespace": "team-a",
		"labels":            object{kueueQueue: "queue"},
		"creationTimestamp": created.Format(time.RFC3339)}
	pod := object{"apiVersion": "v1", "kind": "Pod", "metadata": metadata, "spec": spec}
	if !r.chance(2) {
		annotate(pod, constants.GroupTotalCountAnnotation, strconv.Itoa(total))
	}
	if r.chance(2) {
		metadata["labels"].(object)[kueueQueue] = "other"
	} else if index > 0 { // Kueue compares the others with the first pod, even if it has failed
		r.maybe(5, pod, "status", object{"phase": choose(r, "Failed", "Succeeded", "Running")})
	}
	return pod
}

// nameGroup gives the group the name of the list.
func nameGroup(list object) {
	for _, item := range list["items"].([]any) {
		labels := item.(object)["metadata"].(object)["labels"].(object)
		labels[constants.GroupNameLabel] = list["metadata"].(object)["name"]
	}
}

func askPodList(list object) *answer {
	pods := make([]*corev1.Pod, 0)
	builder := fake.NewClientBuilder().WithScheme(lwsScheme).WithIndex(
		&corev1.Pod{}, kueuepod.PodGroupNameCacheKey, kueuepod.IndexPodGroupName)
	for _, item := range list["items"].([]any) {
		pods = append(pods, decode[corev1.Pod](item.(object)))
		builder = builder.WithObjects(pods[len(pods)-1])
	}
	group := kueuepod.NewPod(kueuepod.WithClock(clock.RealClock{}),
		kueuepod.WithExcessPodExpectations(expectations.NewStore("pods")))
	cluster := builder.Build()
	key := types.NamespacedName{Namespace: "group/team-a",
		Name: list["metadata"].(object)["name"].(string)}
	_, err := group.Load(background, cluster, &key)
	utilruntime.Must(err)
	for _, pod := range pods {
		if refusedByWebhook(pod) {
			return &answer{Refused: true}
		}
	}
	result := &answer{Suspend: suspendedPods(pods)}
	workload, err := group.ConstructComposableWorkload(background, cluster,
		events.NewFakeRecorder(100), sets.New[string](), sets.New[string]())
	if err != nil {
		if len(runnable(pods)) == 0 {
			return &answer{NoGang: true}
		}
		return &answer{Refused: true}
	}
	result.Roles = rolesOfGroup(pods, workload)
	return result
}

// refusedByWebhook: both keys of a group must be set (pod_webhook.go validatePodGroupMetadata).
func refusedByWebhook(pod *corev1.Pod) bool {
	count, err := strconv.Atoi(pod.Annotations[constants.GroupTotalCountAnnotation])
	return err != nil || count < 1
}

func runnable(pods []*corev1.Pod) []*corev1.Pod {
	some := make([]*corev1.Pod, 0, len(pods))
	for _, pod := range pods {
		if pod.Status.Phase != corev1.PodFailed {
			some = append(some, pod)
		}
	}
	return some
}

// suspendedPods: the pods wait for admission. Kueue also counts a group with a pod that has ended
// as suspended, which says nothing about the others.
func suspendedPods(pods []*corev1.Pod) bool {
	return len(pods[0].Spec.SchedulingGates) > 0
}

// rolesOfGroup names the pod sets: by the hash that the pods have, or by the order of their pods if
// they have none or an empty one, which Kueue takes for a hash.
func rolesOfGroup(pods []*corev1.Pod, workload *kueue.Workload) []*role {
	roles := fromPodSets(workload.Spec.PodSets, nil)
	names := map[string]string{}
	for _, pod := range orderedPods(pods, roles) {
		hash, given := pod.Annotations[constants.RoleHashAnnotation]
		if !given {
			made, err := utilpod.GenerateRoleHash(&stored(pod).Spec)
			utilruntime.Must(err)
			hash = made
		}
		if _, known := names[hash]; !known && given && hash != "" {
			names[hash] = hash
		} else if !known {
			names[hash] = fmt.Sprintf("role-%d", len(names))
		}
	}
	for _, one := range roles {
		one.Name = names[one.Name]
	}
	return roles
}

// stored is the pod as an API server returns it: with quantities in their canonical form.
func stored(pod *corev1.Pod) *corev1.Pod {
	text, err := json.Marshal(pod)
	utilruntime.Must(err)
	again := &corev1.Pod{}
	utilruntime.Must(json.Unmarshal(text, again))
	return again
}

// orderedPods are in the order of the list, or by age if Kueue has deleted some.
func orderedPods(pods []*corev1.Pod, roles []*role) []*corev1.Pod {
	some := runnable(pods)
	total := 0
	for _, one := range roles {
		total += int(one.Count)
	}
	if total >= len(some) {
		return some
	}
	sort.SliceStable(some, func(i, j int) bool {
		return some[i].CreationTimestamp.Before(&some[j].CreationTimestamp)
	})
	return some[:total]
}
