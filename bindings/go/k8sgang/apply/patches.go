// SPDX-License-Identifier: Apache-2.0

package apply

import (
	"context"
	"slices"
	"sync"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"libgang.dev/gang"
)

// A memory has what was made last with the documents in force.
type memory[K comparable, V any] struct {
	lock      sync.Mutex
	documents []*gang.Document
	known     map[K]V
}

// An operator creates the pods of a job one after the other, and each has the patches of the pod
// before it.
type patchKey struct {
	job     types.UID
	variant string
}

type madePatches struct {
	resourceVersion string
	patches         []gang.Patch
}

// A patch of a role takes about a kilobyte, most of it the task groups of YuniKorn.
const mostKnown = 1024

// Patches returns what `make` returns, such as the [PatchesOf] a plan: without calling it, if the
// job, the policy and the facts are those of an earlier call. A variant tells the gangs of one job
// apart. The patches are shared with other calls, so they must not be changed.
//
// The job must be as the API server returned it: its uid and resourceVersion stand for all of it.
// Without them, and if the planner has Inputs, nothing is remembered.
func (k *Keeper) Patches(ctx context.Context, job metav1.Object, variant string,
	make func() ([]gang.Patch, error)) ([]gang.Patch, error) {
	documents, err := k.Planner.inForce(ctx)
	if err != nil {
		return nil, err
	}
	key, version := patchKey{job.GetUID(), variant}, job.GetResourceVersion()
	remembers := key.job != "" && version != "" && k.Planner.Inputs == nil
	if remembers {
		if known := k.patches.get(documents, key); known.resourceVersion == version {
			return known.patches, nil
		}
	}
	patches, err := make()
	if err == nil && remembers {
		k.patches.put(documents, key, madePatches{version, patches})
	}
	return patches, err
}

// PatchesOf returns the patches of a plan that was just made, and closes it.
func PatchesOf(plan *gang.Plan, err error) ([]gang.Patch, error) {
	defer plan.Close()
	return plan.Patches(), err
}

// get forgets all if other documents are in force by now.
func (m *memory[K, V]) get(documents []*gang.Document, key K) V {
	m.lock.Lock()
	defer m.lock.Unlock()
	if m.known == nil || !slices.Equal(m.documents, documents) {
		m.documents, m.known = documents, map[K]V{}
	}
	return m.known[key]
}

// put forgets any other if there are too many.
func (m *memory[K, V]) put(documents []*gang.Document, key K, made V) {
	m.lock.Lock()
	defer m.lock.Unlock()
	if !slices.Equal(m.documents, documents) {
		return // they are not in force any more
	}
	for other := range m.known {
		if len(m.known) < mostKnown {
			break
		}
		delete(m.known, other)
	}
	m.known[key] = made
}
