// SPDX-License-Identifier: Apache-2.0

package apply

import (
	"context"
	"fmt"
	"testing"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/fake"

	"libgang.dev/gang"
	"libgang.dev/gang/k8sgang"
)

func policyOf(t *testing.T, backend string) *gang.Document {
	t.Helper()
	policy, err := k8sgang.ParseYAML([]byte(`{apiVersion: policy.libgang.dev/v1alpha1,
kind: GangPolicy, metadata: {name: p}, spec: {backends: [{name: b, type: ` + backend + `}],
defaultBackend: b}}`))
	if err != nil {
		t.Fatal(err)
	}
	return policy
}

// A remembering is a keeper whose policy and facts can be exchanged, and how often it planned.
type remembering struct {
	*testing.T
	*Keeper
	policy, facts *gang.Document
	plans         int
}

func newRemembering(t *testing.T) *remembering {
	t.Helper()
	facts, err := gang.Parse([]byte(clusterFacts))
	if err != nil {
		t.Fatal(err)
	}
	r := &remembering{T: t, policy: policyOf(t, "Volcano"), facts: facts}
	r.Keeper = &Keeper{Client: fake.NewClientBuilder().Build(), Planner: &Planner{
		Policy: func(context.Context) (*gang.Document, error) { return r.policy, nil },
		Facts:  func(context.Context) (*gang.Document, error) { return r.facts, nil },
	}}
	return r
}

// of returns the scheduler of the pods of the second gang, and whether it was planned.
func (r *remembering) of(job *unstructured.Unstructured, variant string) (string, bool) {
	r.Helper()
	before := r.plans
	patches, err := r.Patches(r.Context(), job, variant, func() ([]gang.Patch, error) {
		r.plans++
		return PatchesOf(r.Planner.Plan(r.Context(), r.Client, job, 1))
	})
	if err != nil || len(patches) == 0 {
		r.Fatal(patches, err)
	}
	return patches[0].Spec["schedulerName"], r.plans > before
}

// The pods of a job have the patches of the pod before, until the job, the policy or the facts
// change.
func TestPatches(t *testing.T) {
	r, job := newRemembering(t), object(t, stages)
	job.SetResourceVersion("1")
	expect := func(what, scheduler string, planned bool) {
		t.Helper()
		if got, isPlanned := r.of(job, ""); got != scheduler || isPlanned != planned {
			t.Errorf("%s: %q, planned: %v", what, got, isPlanned)
		}
	}
	expect("the first pod", "volcano", true)
	expect("the second pod", "volcano", false)
	job.SetResourceVersion("2")
	expect("a job that was changed", "volcano", true)
	expect("its second pod", "volcano", false)
	r.policy = policyOf(t, "Coscheduling")
	expect("another policy", "scheduler-plugins-scheduler", true)
	expect("its second pod", "scheduler-plugins-scheduler", false)
	facts, err := gang.Parse([]byte(clusterFacts))
	if err != nil {
		t.Fatal(err)
	}
	r.facts = facts
	expect("other facts", "scheduler-plugins-scheduler", true)
	job.SetUID("another")
	expect("another job of the name", "scheduler-plugins-scheduler", true)
	if _, planned := r.of(job, "1"); !planned {
		t.Error("another gang has the patches of the first one")
	}
	expect("the first gang", "scheduler-plugins-scheduler", false)
	r.policy = policyOf(t, "Volcano")
	expect("the first policy again", "volcano", true)
	if len(r.patches.known) != 1 { // others would keep documents that are in force no more
		t.Errorf("%d patches are kept", len(r.patches.known))
	}
}

// A planner need have neither a policy nor facts.
func TestPatchesWithoutDocuments(t *testing.T) {
	keeper, job, made := &Keeper{Planner: &Planner{}}, object(t, stages), 0
	job.SetResourceVersion("1")
	for range 2 {
		patches, err := keeper.Patches(t.Context(), job, "", func() ([]gang.Patch, error) {
			made++
			return []gang.Patch{{Role: "r"}}, nil
		})
		if err != nil || len(patches) != 1 || made != 1 {
			t.Errorf("%v %v, made %d times", patches, err, made)
		}
	}
}

// What may have changed without a trace is planned each time, and so is what was refused.
func TestPatchesAreMadeAgain(t *testing.T) {
	r := newRemembering(t)
	for what, change := range map[string]func(job *unstructured.Unstructured){
		"no uid":             func(job *unstructured.Unstructured) { job.SetUID("") },
		"no resourceVersion": func(job *unstructured.Unstructured) { job.SetResourceVersion("") },
		"inputs": func(*unstructured.Unstructured) {
			r.Planner.Inputs = func(context.Context, client.Reader, *gang.Document) (
				[]*gang.Document, error) {
				return nil, nil
			}
		},
	} {
		job := object(t, stages)
		job.SetResourceVersion("1")
		change(job)
		for range 2 {
			if _, planned := r.of(job, what); !planned {
				t.Errorf("%s: remembered", what)
			}
		}
		r.Planner.Inputs = nil
	}
	job := object(t, stages)
	job.SetResourceVersion("1")
	for range 2 {
		_, err := r.Patches(t.Context(), job, "", func() ([]gang.Patch, error) {
			return nil, fmt.Errorf("refused")
		})
		if err == nil {
			t.Error("an error is remembered as no patches")
		}
	}
}

// The memory has an end: no call says that a job has ended.
func TestPatchesAreFew(t *testing.T) {
	r, job := newRemembering(t), object(t, stages)
	job.SetResourceVersion("1")
	for i := range mostKnown + 100 {
		job.SetUID(types.UID(fmt.Sprint(i)))
		if _, err := r.Patches(t.Context(), job, "", func() ([]gang.Patch, error) {
			return []gang.Patch{{Role: "r"}}, nil
		}); err != nil {
			t.Fatal(err)
		}
	}
	if len(r.patches.known) != mostKnown {
		t.Errorf("%d", len(r.patches.known))
	}
	if _, planned := r.of(job, ""); planned {
		t.Error("the newest is forgotten")
	}
}
