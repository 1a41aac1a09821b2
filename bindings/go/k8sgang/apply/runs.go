// SPDX-License-Identifier: Apache-2.0

package apply

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"sync"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/tools/cache"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/manager"

	"libgang.dev/gang"
	"libgang.dev/gang/k8sgang"
)

// A scheduler's clock starts when it has seen the last pod end, or the object go.
const lateScheduler = 5 * time.Second

var listMemories = sync.OnceValue(func() []k8sgang.Memory {
	found, err := k8sgang.Memories()
	if err != nil {
		panic(err) // the table is a part of the library
	}
	return found
})

func longestMemory() (longest time.Duration) {
	for _, one := range listMemories() {
		longest = max(longest, one.After)
	}
	return longest + lateScheduler
}

func isPlaceholder(pod *corev1.Pod) bool {
	return slices.ContainsFunc(listMemories(), func(one k8sgang.Memory) bool {
		return one.Placeholders != "" && pod.Annotations[one.Placeholders] != ""
	})
}

// A timetable has a time for each key, and forgets those that are over for long enough.
type timetable struct {
	times  map[string]time.Time
	keep   func() time.Duration
	enough int // so many before old ones are forgotten
}

func (t *timetable) set(key string, at time.Time) {
	t.times[key] = at
	if len(t.times) > t.enough {
		keep := t.keep()
		maps.DeleteFunc(t.times, func(_ string, at time.Time) bool { return time.Since(at) > keep })
		t.enough = 2*len(t.times) + 1000
	}
}

// A past knows which pods have ended that a scheduler may still count. Its times are those of this
// program, so no clocks have to agree. What ended before the program started is not known.
type past struct {
	since time.Time // when the pods were known
	ends  timetable // by namespace/group: of its last pod, or of its object
	// By namespace/group, of schedulers that forget with an object: the object exists, and whether
	// pods may have ended since it does.
	objects map[string]bool
}

func newPast() past {
	return past{ends: timetable{times: map[string]time.Time{}, keep: longestMemory},
		objects: map[string]bool{}}
}

func (p *past) end(group string) {
	p.ends.set(group, time.Now())
	if _, exists := p.objects[group]; exists {
		p.objects[group] = true
	}
}

// follow watches the objects with which schedulers forget.
func (s *podStore) follow(ctx context.Context, m manager.Manager,
	kinds []schema.GroupVersionKind) error {
	for _, kind := range kinds {
		if !slices.ContainsFunc(listMemories(), func(one k8sgang.Memory) bool {
			return one.Kind == kind.GroupKind()
		}) {
			continue
		}
		informer, err := m.GetCache().GetInformer(ctx, New(kind))
		if err != nil {
			return err
		}
		if _, err := informer.AddEventHandler(cache.ResourceEventHandlerDetailedFuncs{
			AddFunc: s.appears, UpdateFunc: s.isReplaced, DeleteFunc: s.disappears}); err != nil {
			return err
		}
	}
	return nil
}

// appears is told of an object that is new, or was there before the program: then it may have had
// pods.
func (s *podStore) appears(object any, isInFirstList bool) {
	if key, err := cache.MetaNamespaceKeyFunc(object); err == nil {
		s.lock.Lock()
		defer s.lock.Unlock()
		s.past.objects[key] = isInFirstList
	}
}

func (s *podStore) disappears(object any) {
	if key, err := cache.DeletionHandlingMetaNamespaceKeyFunc(object); err == nil {
		s.lock.Lock()
		defer s.lock.Unlock()
		delete(s.past.objects, key)
		s.past.end(key)
	}
}

func (s *podStore) isReplaced(before, after any) {
	old, isOld := before.(client.Object)
	made, isMade := after.(client.Object)
	if isOld && isMade && old.GetUID() != made.GetUID() {
		s.disappears(before)
		s.appears(after, false)
	}
}

// runs tells whether pods of a group run or wait, and whether others are about to end.
func (s *podStore) runs(group string) (some, ending bool) {
	for _, pod := range s.groups[group] {
		if !pod.isOver() {
			isEnding := pod.Terminating || pod.HoldsRoom
			some, ending = some || !isEnding, ending || isEnding
		}
	}
	return some, ending
}

// remembers tells whether a scheduler counts pods of an earlier run for a group, so that a new pod
// would not wait for its siblings.
func (s *podStore) remembers(group string, memory k8sgang.Memory) bool {
	s.lock.RLock()
	defer s.lock.RUnlock()
	some, ending := s.runs(group)
	end := s.past.ends.times[group]
	switch {
	case some || ending:
		return !some
	case memory.After == 0:
		return s.past.objects[group] || time.Since(end) < lateScheduler
	case end.Before(s.past.since):
		end = s.past.since
	}
	return time.Since(end) < memory.After+lateScheduler
}

// isSpent tells whether an object has to be made again before new pods come.
func (s *podStore) isSpent(object *unstructured.Unstructured) bool {
	group := object.GetNamespace() + "/" + object.GetName()
	s.lock.RLock()
	defer s.lock.RUnlock()
	some, ending := s.runs(group)
	return s.past.objects[group] && !some && !ending &&
		slices.ContainsFunc(listMemories(), func(one k8sgang.Memory) bool {
			return one.Kind == object.GroupVersionKind().GroupKind()
		})
}

// IsRemembered tells whether a new pod has got the mark of a scheduler that counts earlier pods
// with its template.
func IsRemembered(pod *unstructured.Unstructured) bool {
	return slices.ContainsFunc(listMemories(), func(one k8sgang.Memory) bool {
		return pod.GetLabels()[one.Label] != ""
	})
}

// ErrRemembered is in the error of Planner.Admit.
var ErrRemembered = errors.New("the scheduler still counts pods of an earlier run")

// Admit returns an error for a pod of a new run of a gang that its scheduler would not start as a
// gang: while it counts pods that have ended, each new pod starts alone, or never. The operator of
// the job creates the pod again later. Pods that join others of their gang are not held. SetUp must
// have been called; for 35 seconds after that nothing is known about the pods before.
func (p *Planner) Admit(ctx context.Context, pod *unstructured.Unstructured) error {
	for _, memory := range listMemories() {
		group := pod.GetLabels()[memory.Label]
		if group == "" || p.pods == nil || memory.Parts != "" && partsOf(pod, memory.Parts) < 2 {
			continue
		}
		select {
		case <-p.pods.synced:
		case <-ctx.Done():
			return ctx.Err()
		}
		if p.pods.remembers(pod.GetNamespace()+"/"+group, memory) {
			return fmt.Errorf("%w of the gang %s, so this pod would not wait for the others; it can "+
				"be created in some seconds", ErrRemembered, group)
		}
	}
	return nil
}

// partsOf is the minimum of a gang that its members describe; 0: the pod is no member.
func partsOf(pod *unstructured.Unstructured, annotation string) (minimum int) {
	var parts []struct{ MinMember int }
	_ = json.Unmarshal([]byte(pod.GetAnnotations()[annotation]), &parts) // else no gang
	for _, part := range parts {
		minimum += part.MinMember
	}
	return minimum
}

// groupsWithoutObjects are those that pods name and no object has. It notes whose they are: their
// pods are all that tells of them.
func (r *Reconciler) groupsWithoutObjects(job *unstructured.Unstructured,
	plans []*Planned) (groups []string) {
	for _, plan := range plans {
		for _, patch := range plan.Patches() {
			for _, memory := range listMemories() {
				group := patch.Labels[memory.Label]
				if memory.Parts == "" || patch.Annotations[memory.Parts] == "" || group == "" {
					continue
				}
				groups = append(groups, group)
				r.groups.Store(types.NamespacedName{Namespace: job.GetNamespace(), Name: group},
					client.ObjectKeyFromObject(job))
			}
		}
	}
	return groups
}

func (r *Reconciler) forgetGroups(job types.NamespacedName) {
	r.groups.Range(func(group, of any) bool {
		if of == job {
			r.groups.Delete(group)
		}
		return true
	})
}

// jobOfGroup is the job of a group without an object.
func (r *Reconciler) jobOfGroup(namespace, group string) []ctrl.Request {
	if job, found := r.groups.Load(types.NamespacedName{Namespace: namespace, Name: group}); found {
		return []ctrl.Request{{NamespacedName: job.(types.NamespacedName)}}
	}
	return nil
}

// renew has the objects of gangs made again whose schedulers count pods of an earlier run.
func (r *Reconciler) renew(ctx context.Context, outcome *Outcome, steps [][]k8sgang.Step) {
	for index, ofGang := range steps {
		for i, step := range ofGang {
			if (step.Action == gang.ActionLeave || step.Action == gang.ActionApply) && r.pods != nil &&
				r.pods.isSpent(step.Object) && !r.hasFinished(ctx, outcome, uint64(index)) {
				ofGang[i].Action = gang.ActionRecreate
			}
		}
	}
}

func (r *Reconciler) hasFinished(ctx context.Context, outcome *Outcome, index uint64) bool {
	found, err := r.Planner.Diagnose(ctx, r.Client, outcome, index)
	return err != nil || found.Verdict == "Finished"
}
