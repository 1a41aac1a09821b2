// SPDX-License-Identifier: Apache-2.0

package neutral

import (
	"cmp"
	"context"
	"errors"
	"maps"
	"slices"
	"strings"
	"sync/atomic"

	"sigs.k8s.io/controller-runtime/pkg/client"

	"libgang.dev/gang"
	"libgang.dev/gang/k8sgang/apply"
)

// A Style is how the operators name what a scheduler gets.
type Style int32

// The styles. All schedulers but two have plain names.
const (
	Plain Style = iota
	Volcano
	YuniKorn
	styles
)

// What has the styles of Volcano and YuniKorn.
const (
	VolcanoGroup = "scheduling.volcano.sh"
	TaskGroups   = "yunikorn.apache.org/task-groups"
	TaskGroup    = "yunikorn.apache.org/task-group-name"
)

// StyleOf is that of the scheduler that a plan is for.
func StyleOf(plan *gang.Plan) Style {
	if slices.ContainsFunc(plan.Objects(), func(object gang.Object) bool {
		return strings.HasPrefix(object.APIVersion, VolcanoGroup+"/")
	}) {
		return Volcano
	}
	if slices.ContainsFunc(plan.Patches(), func(patch gang.Patch) bool {
		return patch.Annotations[TaskGroup] != ""
	}) {
		return YuniKorn
	}
	return Plain
}

// Plan plans a job in the style of the scheduler that the policy chooses. Only a plan tells which,
// so the first one is made in the style of the plan before, which `last` keeps. Nil: `as` returns
// no job.
func Plan(ctx context.Context, planner *apply.Planner, reader client.Reader, last *atomic.Int32,
	as func(Style) (*Job, error)) (*gang.Plan, error) {
	guess := Style(last.Load())
	var failed error
	for range styles {
		job, err := as(guess)
		var plan *gang.Plan
		if err == nil && job != nil {
			plan, err = planner.Plan(ctx, reader, job.Unstructured, 0)
		}
		if err != nil && guess != Plain { // it may be right for another scheduler
			guess, failed = Plain, err
			continue
		}
		if err != nil || plan == nil || StyleOf(plan) == guess {
			return plan, err
		}
		guess = StyleOf(plan)
		plan.Close()
		last.Store(int32(guess))
	}
	return nil, cmp.Or(failed, errChanging)
}

var errChanging = errors.New("the policy changes while the job is planned")

// Merge returns the values with others in addition or in their place. Nil: there are none.
func Merge(values, more map[string]string) map[string]string {
	if len(values)+len(more) == 0 {
		return nil
	}
	merged := map[string]string{}
	maps.Copy(merged, values)
	maps.Copy(merged, more)
	return merged
}
