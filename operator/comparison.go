// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"fmt"
	"strings"
	"time"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/log"

	"libgang.dev/gang"
	"libgang.dev/gang/k8sgang"
	"libgang.dev/gang/k8sgang/apply"
)

// A comparison is between the policy in force and another one: what the other one would decide
// about the jobs of the cluster if they were created now.
type comparison struct {
	Jobs     int      `json:"jobs"`
	Changed  int      `json:"changed"`
	Examples []string `json:"examples,omitempty"`
}

// The comparison is made again, because jobs come and go.
const mostExamples, compareAgain = 10, 10 * time.Minute

// compareWith decides twice about each job. A child of another job is a part of that one.
func compareWith(ctx context.Context, reader client.Reader, kinds []*jobKind,
	inForce *apply.Planner, policy *gang.Document) *comparison {
	current := &apply.Planner{Facts: inForce.Facts, Inputs: runtimes{}.read, Policy: inForce.Policy,
		RunsApart: inForce.RunsApart}
	other := &apply.Planner{Facts: current.Facts, Inputs: current.Inputs, RunsApart: current.RunsApart,
		Policy: func(context.Context) (*gang.Document, error) { return policy, nil }}
	found := &comparison{}
	for _, row := range kinds {
		jobs, err := apply.List(ctx, reader, row.kind, client.UnsafeDisableDeepCopy)
		if err != nil { // the cache is not there yet: the next comparison has the jobs
			log.FromContext(ctx).Error(err, "no list of jobs", "kind", row.kind.Kind)
		}
		for i := range jobs {
			owner := rowOfController(&jobs[i])
			if owner != nil && creates(owner, &jobs[i]) || apply.Unpack(&jobs[i]) != nil {
				continue
			}
			job := apply.Unmarked(&jobs[i])
			found.add(job, answerOf(ctx, reader, current, job), answerOf(ctx, reader, other, job))
		}
	}
	return found
}

func (c *comparison) add(job *unstructured.Unstructured, before, after answer) {
	c.Jobs++
	if before == after {
		return
	}
	text := after.text
	if text == before.text {
		text = "the same, with other objects or marks"
	}
	if c.Changed++; len(c.Examples) < mostExamples {
		c.Examples = append(c.Examples, fmt.Sprintf("%s %s/%s: %s; with this policy: %s",
			job.GetKind(), job.GetNamespace(), job.GetName(), before.text, text))
	}
}

// An answer is what a policy makes of a job: a line for people, and all that would be written.
type answer struct{ text, written string }

func answerOf(ctx context.Context, reader client.Reader, planner *apply.Planner,
	job *unstructured.Unstructured) answer {
	var gangs, written []string
	err := planner.Decide(ctx, reader, job, func(decision *gang.Decision) error {
		plan, err := decision.Render()
		if err != nil {
			return err
		}
		defer plan.Close()
		objects, err := plan.Serialize(gang.TargetObjects, gang.FormatJSON)
		gangs = append(gangs, inWords(decision))
		written = append(written, string(objects), fmt.Sprint(plan.Patches()))
		return err
	})
	if err == nil {
		return answer{strings.Join(gangs, ", "), strings.Join(written, "\n")}
	}
	var refused []string
	for _, one := range k8sgang.Diagnostics(err) {
		if one.Severity == gang.SeverityError {
			refused = append(refused, one.ID+" "+one.Reason)
		}
	}
	if len(refused) == 0 {
		return answer{text: "no plan: " + reasonOf(err)}
	}
	return answer{text: "refused: " + strings.Join(refused, ", ")}
}

func inWords(decision *gang.Decision) string {
	if decision.Outcome() != gang.OutcomeGang {
		return "no gang"
	}
	text := fmt.Sprintf("%d of %d pods by %s", decision.Minimum(), decision.Pods(),
		decision.Backend())
	if queue := decision.Queue(); queue != "" {
		text += " in the queue " + queue
	}
	return text
}
