// SPDX-License-Identifier: Apache-2.0

package parity

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"

	"libgang.dev/tests/parity/upstream"
)

const (
	firstWavePolicy = `{"apiVersion":"policy.libgang.dev/v1alpha1","kind":"GangPolicy",` +
		`"metadata":{"name":"targets"},"spec":{}}`
	// its marks are on the JobSet, too
	kaiPolicy = `{"apiVersion":"policy.libgang.dev/v1alpha1","kind":"GangPolicy",` +
		`"metadata":{"name":"targets"},"spec":{"backends":[{"name":"kai","type":"KAI","kai":{"podGroup":"Delegate"}}],` +
		`"rules":[{"name":"all","backend":"kai","queue":{"name":"research","override":"Always"},"override":"Always"}]}}`
)

// targetTally counts what became of the cases of the targets.
type targetTally struct {
	mutex             sync.Mutex
	marked, unmarked  int // gangs, and jobs without one
	refused, rejected int // by libgang, and by the operator
	onJobSet          int
	reasons           map[string]int // of libgang's refusals
	diagnostics       diagnostics
}

// TestTargets gives the operator the runtime and the job that libgang writes.
// It must create the JobSet that has libgang's patches, and no PodGroup.
func TestTargets(t *testing.T) {
	r := newRig(t)
	generator := newGenerator(t, r)
	shipped := shippedDocuments(t, r)
	random := setting(t, "PARITY_TARGET_CASES", 5000)
	seed := uint64(setting(t, "PARITY_SEED", 1))
	for _, policy := range []struct {
		name, text string
		cases      int
		least      int // percent of the cases that libgang gets must end with marks
	}{
		// 45 % with seed 1. Half of the others are of a generator that means them: marks that the
		// job sets itself, pods that name another scheduler, classes that disagree, no nodes.
		{"first wave", firstWavePolicy, len(shipped) + random, 40},
		// 34 % with seed 1: KAI's podgrouper cannot hold a start order, and most shipped runtimes
		// have one (KaiDelegateStuck, every second refusal).
		{"KAI", kaiPolicy, len(shipped) + random/5, 30},
	} {
		library, err := OpenLibrary(policy.text)
		if err != nil {
			t.Fatal(err)
		}
		total := &targetTally{reasons: map[string]int{}}
		inParallel(policy.cases, func(worker, index int) {
			documents := &Documents{}
			if index < len(shipped) {
				*documents = shipped[index]
			} else {
				made := generator.Case(seed, uint64(index))
				*documents = Documents{made.Runtime, made.Job}
			}
			total.add(index, documents, r.operators[worker], library)
		})
		library.Close()
		total.conclude(t, policy.name, policy.least)
	}
}

func shippedDocuments(t *testing.T, r *rig) []Documents {
	t.Helper()
	var all []Documents
	for _, shipped := range r.shipped {
		for _, policy := range policies {
			for _, spec := range jobSpecs {
				job := fmt.Sprintf(jobHead, nameOf(t, shipped.YAML)) + spec.yaml
				all = append(all, Documents{asJSON(withPolicy(t, shipped, policy.yaml)), asJSON([]byte(job))})
			}
		}
	}
	return all
}

func (t *targetTally) add(index int, documents *Documents, operator *upstream.Operator, library *Library) {
	before := operator.Run(context.Background(), documents.Runtime, documents.Job)
	if before.Stage != upstream.StageRendered {
		t.count(&t.rejected)
		return
	}
	made, err := library.Targets(documents.Runtime, documents.Job)
	if err != nil {
		t.refuse(err)
		return
	}
	wanted := clone(before.Unmarked)
	for _, patch := range made.Plan.Patches {
		if !apply(wanted, patch.Role, patch.Metadata, patch.Spec) {
			t.find(index, []string{fmt.Sprintf("patch of role %q", patch.Role)}, documents)
			return
		}
		if patch.Role == "" {
			t.count(&t.onJobSet)
		}
	}
	after := operator.Run(context.Background(), made.Runtime, made.Job)
	if differences := targetDifferences(wanted, after); len(differences) > 0 {
		t.find(index, differences, &Documents{made.Runtime, made.Job})
	}
	if len(made.Plan.Patches) > 0 {
		t.count(&t.marked)
	} else {
		t.count(&t.unmarked)
	}
}

func targetDifferences(wanted *upstream.Answer, after *upstream.Outcome) []string {
	if after.Stage != upstream.StageRendered {
		return []string{fmt.Sprintf("the operator does not take the documents: %s: %q", after.Stage, after.Errors)}
	}
	var r report
	r.compare("PodGroups of the operator", len(after.Answer.PodGroups), 0)
	r.compareMark("JobSet", after.Answer.JobSet, wanted.JobSet)
	r.compare("number of roles", len(after.Answer.Roles), len(wanted.Roles))
	for i, role := range after.Answer.Roles[:min(len(after.Answer.Roles), len(wanted.Roles))] {
		name := "pods of " + role.Name
		r.compareMark(name, role.Marks, wanted.Roles[i].Marks)
		role.Marks, role.Requests = wanted.Roles[i].Marks, wanted.Roles[i].Requests // a patch may spell them differently
		if !reflect.DeepEqual(role, wanted.Roles[i]) {
			r = append(r, fmt.Sprintf("%s: operator %+v, wanted %+v", name, role, wanted.Roles[i]))
		}
	}
	return r
}

func (t *targetTally) count(number *int) {
	t.mutex.Lock()
	defer t.mutex.Unlock()
	*number++
}

// refuse counts why libgang refuses a job: the first error, "document path: Reason: message".
func (t *targetTally) refuse(err error) {
	t.count(&t.refused)
	var refusal *Refusal
	if !errors.As(err, &refusal) || len(refusal.Diagnostics) == 0 {
		return
	}
	parts := strings.SplitN(refusal.Diagnostics[0], ": ", 3)
	t.mutex.Lock()
	defer t.mutex.Unlock()
	t.reasons[parts[min(1, len(parts)-1)]]++
}

func (t *targetTally) find(index int, differences []string, documents *Documents) {
	t.mutex.Lock()
	defer t.mutex.Unlock()
	t.diagnostics.add(index, fmt.Sprintln(differences)+reproducer(documents))
}

func (t *targetTally) conclude(test *testing.T, policy string, least int) {
	test.Helper()
	test.Logf("targets under the policy %q", policy)
	test.Logf("  %6d with marks, %d of them on the JobSet", t.marked, t.onJobSet)
	test.Logf("  %6d without marks", t.unmarked)
	test.Logf("  %6d refused by the operator before, %d by libgang", t.rejected, t.refused)
	for _, reason := range slices.Sorted(maps.Keys(t.reasons)) {
		test.Logf("  %6d refused: %s", t.reasons[reason], reason)
	}
	t.diagnostics.conclude(test)
	if seen := t.marked + t.unmarked + t.refused; 100*t.marked < least*seen {
		test.Errorf("only %d of %d cases have marks, less than %d %%", t.marked, seen, least)
	}
}
