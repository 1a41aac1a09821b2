// SPDX-License-Identifier: Apache-2.0

package apply

import (
	"bytes"
	"compress/flate"
	"context"
	"encoding/json"
	"errors"
	"hash/maphash"
	"io"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"
	"unique"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/tools/cache"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"libgang.dev/gang/k8sgang"
)

var podKind = schema.GroupVersionKind{Version: "v1", Kind: "Pod"}

// A Pod is what a round reads of a pod.
type Pod struct {
	Name, Node, Phase string
	Terminating       bool
	HoldsRoom         bool // for another pod, as the placeholders of YuniKorn do

	namespace string
	groups    []string // that it names
	packed    []byte   // see JSON
	essence   uint64   // a hash of the manifest without its conditions
}

// JSON is the manifest without what neither the reconciler nor libgang reads. It is kept
// compressed: a whole pod takes some 30 KiB of memory, and this one some 500 bytes.
func (p *Pod) JSON() ([]byte, error) {
	reader := inflaters.Get().(io.Reader)
	defer inflaters.Put(reader)
	err := reader.(flate.Resetter).Reset(bytes.NewReader(p.packed), usualManifest)
	if err != nil {
		return nil, err
	}
	return io.ReadAll(reader)
}

// usualManifest has what most manifests have, in their order.
var usualManifest = []byte(`"leaderworkerset.sigs.k8s.io/name":""training.kubeflow.org/job-name":"` +
	`"ray.io/cluster":"yunikorn.apache.org/app-id":"pod-group.scheduling.sigs.k8s.io":"` +
	`scheduling.k8s.io/group-name":"{"kind":"Pod","apiVersion":"v1","metadata":{"name":"",` +
	`"namespace":"","uid":"","creationTimestamp":"2026-","labels":{"batch.kubernetes.io/job-name":"",` +
	`"jobset.sigs.k8s.io/jobset-name":"","jobset.sigs.k8s.io/replicatedjob-name":"",` +
	`"scheduling.x-k8s.io/pod-group":""},"annotations":{"":""},"ownerReferences":[{"apiVersion":` +
	`"batch/v1","kind":"Job","name":"","uid":"","controller":true,"blockOwnerDeletion":true}]},` +
	`"spec":{"nodeName":"","schedulerName":"scheduler-plugins-scheduler","schedulingGroup":` +
	`{"podGroupName":""}},"status":{"phase":"Pending","phase":"Running","conditions":[{"type":` +
	`"PodScheduled","status":"True","lastProbeTime":null,"lastTransitionTime":"2026-","reason":` +
	`"Unschedulable","message":"0/1 nodes are available: "}]}}`)

var (
	inflaters = sync.Pool{New: func() any {
		return flate.NewReaderDict(bytes.NewReader(nil), usualManifest)
	}}
	deflaters = sync.Pool{New: func() any {
		writer, err := flate.NewWriterDict(io.Discard, 2, usualManifest) // 1 would not use the manifest
		if err != nil {
			panic(err) // about the level alone
		}
		return writer
	}}
	hashSeed = maphash.MakeSeed()
)

func pack(text []byte) ([]byte, error) {
	packed, writer := bytes.Buffer{}, deflaters.Get().(*flate.Writer)
	defer deflaters.Put(writer)
	writer.Reset(&packed)
	_, err := writer.Write(text)
	err = errors.Join(err, writer.Close())
	return bytes.Clone(packed.Bytes()), err
}

func (p *Pod) isOver() bool {
	return p.Phase == string(corev1.PodSucceeded) || p.Phase == string(corev1.PodFailed)
}

// waits tells whether a scheduler could bind the pod.
func (p *Pod) waits() bool {
	return p.Node == "" && p.Phase == string(corev1.PodPending) && !p.Terminating
}

// manifest is the JSON of a Pod.
type manifest struct {
	metav1.TypeMeta `json:",inline"`
	Metadata        *metav1.ObjectMeta `json:"metadata"`
	Spec            map[string]any     `json:"spec"`
	Status          struct {
		Phase      corev1.PodPhase       `json:"phase,omitempty"`
		Conditions []corev1.PodCondition `json:"conditions"` // last: see Pod.essence
	} `json:"status"`
}

// podOf takes a typed pod, or an unstructured one, which may have fields that this version of
// Kubernetes' types has no more: workloadRef.
func podOf(object any) (*Pod, error) {
	switch object := object.(type) {
	case *corev1.Pod:
		fields := map[string]any{}
		if group := object.Spec.SchedulingGroup; group != nil && group.PodGroupName != nil {
			fields["schedulingGroup"] = map[string]any{"podGroupName": *group.PodGroupName}
		}
		return slimPod(object, fields)
	case *unstructured.Unstructured:
		pod := &corev1.Pod{}
		err := runtime.DefaultUnstructuredConverter.FromUnstructured(object.Object, pod)
		if err != nil {
			return nil, err
		}
		spec, _ := object.Object["spec"].(map[string]any)
		return slimPod(pod, spec)
	}
	found, _ := object.(*Pod) // podStore.Transformer has made it
	return found, nil
}

// withoutUnread leaves out what the Job controller writes and neither libgang nor a round reads.
func withoutUnread(from map[string]string) map[string]string {
	kept := maps.Clone(from)
	for _, key := range []string{"controller-uid", "batch.kubernetes.io/controller-uid", "job-name",
		"batch.kubernetes.io/job-completion-index"} {
		delete(kept, key)
	}
	return kept
}

// slimPod takes the marks in the spec from `fields`.
func slimPod(pod *corev1.Pod, fields map[string]any) (*Pod, error) {
	written := manifest{TypeMeta: metav1.TypeMeta{APIVersion: "v1", Kind: podKind.Kind},
		Spec: map[string]any{}, Metadata: &metav1.ObjectMeta{Name: pod.Name, Namespace: pod.Namespace,
			UID: pod.UID, Labels: withoutUnread(pod.Labels), Annotations: withoutUnread(pod.Annotations),
			OwnerReferences: pod.OwnerReferences, CreationTimestamp: pod.CreationTimestamp,
			DeletionTimestamp: pod.DeletionTimestamp}}
	for field, value := range map[string]string{"nodeName": pod.Spec.NodeName,
		"schedulerName": pod.Spec.SchedulerName, "priorityClassName": pod.Spec.PriorityClassName} {
		if value != "" {
			written.Spec[field] = value
		}
	}
	for _, field := range listMarks().spec {
		if value, found := fields[field]; found {
			written.Spec[field] = value
		}
	}
	written.Status.Phase = pod.Status.Phase
	isRead := func(one corev1.PodCondition) bool { return one.Type == corev1.PodScheduled }
	if i := slices.IndexFunc(pod.Status.Conditions, isRead); i >= 0 {
		written.Status.Conditions = pod.Status.Conditions[i : i+1]
	}
	text, err := json.Marshal(&written)
	packed, failed := pack(text)
	essence, _, _ := bytes.Cut(text, []byte(`"conditions":`)) // in a text the marks would have a \
	return &Pod{Name: pod.Name, Node: unique.Make(pod.Spec.NodeName).Value(),
		Phase:       unique.Make(string(pod.Status.Phase)).Value(),
		Terminating: pod.DeletionTimestamp != nil, HoldsRoom: isPlaceholder(pod), packed: packed,
		essence: maphash.Bytes(hashSeed, essence), namespace: unique.Make(pod.Namespace).Value(),
		groups: groupsOf(pod, written.Spec)}, errors.Join(err, failed)
}

// matters tells whether what is written can depend on the difference between two states of a pod.
// Most updates are of its conditions, and a round for each of them would be most of the work.
func (p *Pod) matters(before *Pod) bool {
	return before == nil || p.essence != before.essence
}

// A podStore has the pods that name a group. It is the store of a reflector, which fills it.
type podStore struct {
	// changed is told of a pod whose change matters, with the groups that it names or named, and when
	// to look at it.
	changed func(namespace string, groups []string, after time.Duration)
	synced  chan struct{} // closed when all pods are there

	lock   sync.RWMutex
	pods   map[string]*Pod            // by namespace/name
	groups map[string]map[string]*Pod // by namespace/group, and then by name
	past   past
}

func newPodStore(changed func(string, []string, time.Duration)) *podStore {
	return &podStore{changed: changed, synced: make(chan struct{}), pods: map[string]*Pod{},
		groups: map[string]map[string]*Pod{}, past: newPast()}
}

// find returns the pods that name one of the groups, by their names. It waits for the first list.
func (s *podStore) find(ctx context.Context, namespace string, groups map[string]bool) (
	[]*Pod, error) {
	select {
	case <-s.synced:
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	s.lock.RLock()
	defer s.lock.RUnlock()
	found := map[string]*Pod{}
	for group := range groups {
		for name, pod := range s.groups[namespace+"/"+group] {
			found[name] = pod
		}
	}
	return sortedPods(found), nil
}

func sortedPods(byName map[string]*Pod) []*Pod {
	list := make([]*Pod, 0, len(byName))
	for _, pod := range byName {
		list = append(list, pod)
	}
	slices.SortFunc(list, func(a, b *Pod) int { return strings.Compare(a.Name, b.Name) })
	return list
}

// Transformer makes the reflector keep small pods while it reads the first list.
func (s *podStore) Transformer() cache.TransformFunc {
	return func(object any) (any, error) { return podOf(object) }
}

// Add is for a pod that is new or changed.
func (s *podStore) Add(object any) error {
	pod, err := podOf(object)
	if err != nil {
		return err
	}
	s.lock.Lock()
	before := s.swap(pod.namespace+"/"+pod.Name, pod)
	s.lock.Unlock()
	s.tell(before, pod)
	return nil
}

// Update is as Add.
func (s *podStore) Update(object any) error { return s.Add(object) }

// Delete is for a pod that is gone.
func (s *podStore) Delete(object any) error {
	key, err := cache.DeletionHandlingMetaNamespaceKeyFunc(object)
	if err != nil {
		return err
	}
	s.lock.Lock()
	before := s.swap(key, nil)
	s.lock.Unlock()
	s.tell(before, nil)
	return nil
}

// Replace is for a list of all pods.
func (s *podStore) Replace(objects []any, _ string) error {
	listed := map[string]bool{}
	for _, object := range objects {
		pod, err := podOf(object)
		if err != nil {
			return err
		}
		listed[pod.namespace+"/"+pod.Name] = true
		if err := s.Add(pod); err != nil {
			return err
		}
	}
	s.lock.RLock()
	gone := []*Pod{}
	for key, pod := range s.pods {
		if !listed[key] {
			gone = append(gone, pod)
		}
	}
	s.lock.RUnlock()
	for _, pod := range gone {
		if err := s.Delete(cache.ExplicitKey(pod.namespace + "/" + pod.Name)); err != nil {
			return err
		}
	}
	if !s.isSynced() {
		s.lock.Lock()
		s.past.since = time.Now()
		s.lock.Unlock()
		close(s.synced)
	}
	return nil
}

func (s *podStore) isSynced() bool {
	select {
	case <-s.synced:
		return true
	default:
		return false
	}
}

// Resync has nothing to do.
func (s *podStore) Resync() error { return nil }

// swap puts a pod into the place of another one; nil: of none. The lock is held.
func (s *podStore) swap(key string, pod *Pod) (before *Pod) {
	if before = s.pods[key]; before != nil {
		delete(s.pods, key)
		if pod == nil || pod.isOver() && !before.isOver() {
			for _, group := range before.groups {
				s.past.end(before.namespace + "/" + group)
			}
		}
		for _, group := range before.groups {
			of := before.namespace + "/" + group
			if delete(s.groups[of], before.Name); len(s.groups[of]) == 0 {
				delete(s.groups, of)
			}
		}
	}
	if pod == nil || len(pod.groups) == 0 {
		return before
	}
	s.pods[key] = pod
	for _, group := range pod.groups {
		of := pod.namespace + "/" + group
		if s.groups[of] == nil {
			s.groups[of] = map[string]*Pod{}
		}
		s.groups[of][pod.Name] = pod
	}
	return before
}

// tell is silent during the first list: every job has its first round then.
func (s *podStore) tell(before, after *Pod) {
	switch {
	case !s.isSynced():
	case after == nil && before != nil:
		s.changed(before.namespace, before.groups, settle)
	case after != nil && after.matters(before):
		groups := after.groups
		if before != nil {
			groups = slices.Concat(groups, before.groups)
		}
		pause := settle
		if !after.isOver() { // others will follow, and nothing is written because of one that runs
			pause = manyPods
		}
		if len(groups) > 0 {
			s.changed(after.namespace, groups, pause)
		}
	}
}

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

func groupsOf(pod client.Object, spec map[string]any) (groups []string) {
	known := listMarks()
	for _, values := range []map[string]string{pod.GetLabels(), pod.GetAnnotations()} {
		for _, key := range known.metadata {
			if value := values[key]; value != "" {
				groups = append(groups, unique.Make(value).Value())
			}
		}
	}
	for _, field := range known.spec { // {podGroupName: x}, {name: x, podGroup: y}
		values, _ := spec[field].(map[string]any)
		for _, value := range values {
			if name, isText := value.(string); isText && name != "" {
				groups = append(groups, name)
			}
		}
	}
	slices.Sort(groups)
	return slices.Compact(groups)
}
