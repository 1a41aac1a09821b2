// SPDX-License-Identifier: Apache-2.0

package apply

import (
	"context"
	"encoding/json"
	"errors"
	"maps"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
	"unique"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/tools/cache"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"libgang.dev/gang/k8sgang"
)

var podKind = schema.GroupVersionKind{Version: "v1", Kind: "Pod"}

// A Pod is what a round reads of a pod. A whole pod takes some 30 KiB of memory, and this one less
// than 400 bytes: pods of one template share most of their text.
type Pod struct {
	Name, Node, Phase string
	Terminating       bool
	HoldsRoom         bool // for another pod, as the placeholders of YuniKorn do

	namespace string
	uid       string
	labels    string // that its siblings have with other values: members of a JSON object
	status    unique.Handle[string]
	shared    unique.Handle[siblings]
}

// siblings is what the pods of one template have in common: members of JSON objects, and the groups
// that they name, separated by NUL.
type siblings struct{ labels, metadata, spec, groups string }

// AppendJSON appends the manifest without what neither the reconciler nor libgang reads.
func (p *Pod) AppendJSON(to []byte) []byte {
	shared, own, node := p.shared.Value(), `"name":`+strconv.Quote(p.Name), ""
	if p.uid != "" {
		own += `,"uid":` + strconv.Quote(p.uid)
	}
	if p.Node != "" {
		node = `"nodeName":` + strconv.Quote(p.Node)
	}
	to = append(to, `{"kind":"Pod","apiVersion":"v1","metadata":{`...)
	to = append(appendMembers(to, own, shared.metadata), `,"labels":{`...)
	to = append(appendMembers(to, p.labels, shared.labels), `}},"spec":{`...)
	to = append(appendMembers(to, node, shared.spec), `},"status":`...)
	return append(append(to, p.status.Value()...), '}')
}

// appendMembers leaves out empty texts.
func appendMembers(to []byte, first, second string) []byte {
	if to = append(to, first...); first != "" && second != "" {
		to = append(to, ',')
	}
	return append(to, second...)
}

// membersOf are those of a JSON object.
func membersOf(value any) (string, error) {
	text, err := json.Marshal(value)
	return strings.TrimSuffix(strings.TrimPrefix(string(text), "{"), "}"), err
}

// oneOfEach leaves out pods that differ only by their names, numbers and nodes. That is enough for
// Plan.Reconcile, which asks whether a group has pods and whether one waits, and for a large gang it
// is a thousandth of the text.
func oneOfEach(pods []*Pod) (found []*Pod) {
	type sort struct {
		shared unique.Handle[siblings]
		status unique.Handle[string]
		waits  bool
	}
	seen := map[sort]bool{}
	for _, pod := range pods {
		if one := (sort{pod.shared, pod.status, pod.Node == ""}); !seen[one] {
			found, seen[one] = append(found, pod), true
		}
	}
	return found
}

func (p *Pod) groups() []string {
	return strings.FieldsFunc(p.shared.Value().groups, func(one rune) bool { return one == 0 })
}

func (p *Pod) key() types.NamespacedName {
	return types.NamespacedName{Namespace: p.namespace, Name: p.Name}
}

func (p *Pod) isOver() bool {
	return p.Phase == string(corev1.PodSucceeded) || p.Phase == string(corev1.PodFailed)
}

// waits tells whether a scheduler could bind the pod.
func (p *Pod) waits() bool {
	return p.Node == "" && p.Phase == string(corev1.PodPending) && !p.Terminating
}

// podStatus is what is read of the status.
type podStatus struct {
	Phase      corev1.PodPhase       `json:"phase,omitempty"`
	Conditions []corev1.PodCondition `json:"conditions"`
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

// withoutUnread leaves out what controllers write and neither libgang nor a round reads.
func withoutUnread(from map[string]string) map[string]string {
	kept := maps.Clone(from)
	for _, key := range []string{"controller-uid", "batch.kubernetes.io/controller-uid", "job-name",
		"batch.kubernetes.io/job-completion-index", "statefulset.kubernetes.io/pod-name"} {
		delete(kept, key)
	}
	return kept
}

// splitLabels tells those apart that number the pods of a template.
func splitLabels(all map[string]string) (own, shared map[string]string) {
	own, shared = map[string]string{}, map[string]string{}
	for key, value := range withoutUnread(all) {
		if strings.HasSuffix(key, "-index") {
			own[key] = value
		} else {
			shared[key] = value
		}
	}
	return own, shared
}

// slimPod takes the marks in the spec from `fields`.
func slimPod(pod *corev1.Pod, fields map[string]any) (*Pod, error) {
	spec := map[string]any{}
	for field, value := range map[string]string{"schedulerName": pod.Spec.SchedulerName,
		"priorityClassName": pod.Spec.PriorityClassName} {
		if value != "" {
			spec[field] = value
		}
	}
	for _, field := range listMarks().spec {
		if value, found := fields[field]; found {
			spec[field] = value
		}
	}
	status := podStatus{Phase: pod.Status.Phase}
	isRead := func(one corev1.PodCondition) bool { return one.Type == corev1.PodScheduled }
	if i := slices.IndexFunc(pod.Status.Conditions, isRead); i >= 0 {
		status.Conditions = pod.Status.Conditions[i : i+1]
	}
	own, common := splitLabels(pod.Labels)
	var texts [5]string
	var problem error
	for i, value := range []any{own, common,
		&metav1.ObjectMeta{Namespace: pod.Namespace, Annotations: withoutUnread(pod.Annotations),
			OwnerReferences: pod.OwnerReferences, CreationTimestamp: pod.CreationTimestamp,
			DeletionTimestamp: pod.DeletionTimestamp}, spec, &status} {
		text, err := membersOf(value)
		texts[i], problem = text, errors.Join(problem, err)
	}
	return &Pod{Name: pod.Name, Node: unique.Make(pod.Spec.NodeName).Value(),
		Phase:       unique.Make(string(pod.Status.Phase)).Value(),
		Terminating: pod.DeletionTimestamp != nil, HoldsRoom: isPlaceholder(pod),
		namespace: unique.Make(pod.Namespace).Value(),
		uid:       string(pod.UID), labels: texts[0], status: unique.Make("{" + texts[4] + "}"),
		shared: unique.Make(siblings{texts[1], texts[2], texts[3],
			strings.Join(groupsOf(pod, spec), "\x00")})}, problem
}

// matters tells whether what is written can depend on the difference between two states of a pod.
// Most updates are of its conditions, and a round for each of them would be most of the work.
func (p *Pod) matters(before *Pod) bool {
	return before == nil || p.shared != before.shared || p.uid != before.uid ||
		p.labels != before.labels || p.Node != before.Node || p.Phase != before.Phase
}

// A podStore has the pods that name a group. It is the store of a reflector, which fills it.
type podStore struct {
	// changed is told of a pod whose change matters, with the groups that it names or named, and when
	// to look at it.
	changed func(namespace string, groups []string, after time.Duration)
	synced  chan struct{} // closed when all pods are there

	lock   sync.RWMutex
	pods   map[string]map[string]*Pod // by namespace, and then by name
	groups map[string][]*Pod          // by namespace/group; sorted by name
	past   past
}

func newPodStore(changed func(string, []string, time.Duration)) *podStore {
	return &podStore{changed: changed, synced: make(chan struct{}), pods: map[string]map[string]*Pod{},
		groups: map[string][]*Pod{}, past: newPast()}
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
	found := []*Pod{}
	for group := range groups {
		found = append(found, s.groups[namespace+"/"+group]...)
	}
	slices.SortFunc(found, byName)
	return slices.Compact(found), nil
}

func byName(a, b *Pod) int { return strings.Compare(a.Name, b.Name) }

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
	before := s.swap(pod.key(), pod)
	s.lock.Unlock()
	s.tell(before, pod)
	return nil
}

// Update is as Add.
func (s *podStore) Update(object any) error { return s.Add(object) }

// Delete is for a pod that is gone.
func (s *podStore) Delete(object any) error {
	key, err := cache.DeletionHandlingObjectToName(object)
	if err != nil {
		return err
	}
	s.remove(types.NamespacedName(key))
	return nil
}

func (s *podStore) remove(key types.NamespacedName) {
	s.lock.Lock()
	before := s.swap(key, nil)
	s.lock.Unlock()
	s.tell(before, nil)
}

// Replace is for a list of all pods.
func (s *podStore) Replace(objects []any, _ string) error {
	listed := map[types.NamespacedName]bool{}
	for _, object := range objects {
		pod, err := podOf(object)
		if err != nil {
			return err
		}
		listed[pod.key()] = true
		if err := s.Add(pod); err != nil {
			return err
		}
	}
	s.lock.RLock()
	gone := []types.NamespacedName{}
	for namespace, pods := range s.pods {
		for name := range pods {
			if key := (types.NamespacedName{Namespace: namespace, Name: name}); !listed[key] {
				gone = append(gone, key)
			}
		}
	}
	s.lock.RUnlock()
	for _, key := range gone {
		s.remove(key)
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
func (s *podStore) swap(key types.NamespacedName, pod *Pod) (before *Pod) {
	pods := s.pods[key.Namespace]
	if before = pods[key.Name]; before != nil {
		delete(pods, key.Name)
		for _, group := range before.groups() {
			s.leave(key.Namespace+"/"+group, before)
			if pod == nil || pod.isOver() && !before.isOver() {
				s.past.end(key.Namespace + "/" + group)
			}
		}
	}
	if pod == nil || pod.shared.Value().groups == "" {
		if len(pods) == 0 {
			delete(s.pods, key.Namespace)
		}
		return before
	}
	if pods == nil {
		pods = map[string]*Pod{}
		s.pods[key.Namespace] = pods
	}
	pods[key.Name] = pod
	for _, group := range pod.groups() {
		s.join(key.Namespace+"/"+group, pod)
	}
	return before
}

func (s *podStore) join(group string, pod *Pod) {
	at, _ := slices.BinarySearchFunc(s.groups[group], pod, byName)
	s.groups[group] = slices.Insert(s.groups[group], at, pod)
}

func (s *podStore) leave(group string, pod *Pod) {
	at, _ := slices.BinarySearchFunc(s.groups[group], pod, byName)
	s.groups[group] = slices.Delete(s.groups[group], at, at+1)
	if len(s.groups[group]) == 0 {
		delete(s.groups, group)
	}
}

// tell is silent during the first list: every job has its first round then.
func (s *podStore) tell(before, after *Pod) {
	switch {
	case !s.isSynced():
	case after == nil && before != nil:
		s.changed(before.namespace, before.groups(), settle)
	case after != nil && after.matters(before):
		groups := after.groups()
		if before != nil {
			groups = slices.Concat(groups, before.groups())
		}
		wait := settle
		if !after.isOver() {
			wait = calm
		}
		if len(groups) > 0 {
			s.changed(after.namespace, groups, wait)
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
