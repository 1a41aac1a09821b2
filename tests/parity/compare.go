// SPDX-License-Identifier: Apache-2.0

package parity

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"reflect"

	"libgang.dev/tests/parity/upstream"
)

// Verdict is how the two answers to one case relate.
type Verdict int

const (
	BothRender  Verdict = iota // and they are equal, or the case is reported
	BothRefuse                 // neither gives objects
	OnlyLibrary                // API server, webhook or operator refuses, libgang renders
	OnlyServer                 // libgang refuses, the operator renders
	numVerdicts
)

func (v Verdict) String() string {
	return [...]string{"both render", "both refuse", "only libgang renders", "only the operator renders"}[v]
}

// Comparison is what became of one case.
type Comparison struct {
	Verdict     Verdict
	Differences []string // empty where both render the same
	Documented  string   // name of the documented difference that explains them
}

// Unexplained tells a diagnostic from parity and from what the README lists.
func (c *Comparison) Unexplained() bool { return len(c.Differences) > 0 && c.Documented == "" }

// Compare sets the operator's outcome against libgang's plan or error.
func Compare(documents *Documents, outcome *upstream.Outcome, plan *Plan, err error) *Comparison {
	comparison := &Comparison{}
	rendered := outcome.Stage == upstream.StageRendered || outcome.Stage == upstream.StageIgnored
	var refusal *Refusal
	switch {
	case err != nil && !errors.As(err, &refusal):
		comparison.Differences = []string{err.Error()}
	case rendered && refusal == nil:
		comparison.Differences = differences(outcome, plan)
	case rendered:
		comparison.Verdict = OnlyServer
		comparison.Differences = []string{"libgang refuses: " + refusal.Error()}
	case refusal == nil:
		comparison.Verdict = OnlyLibrary
		comparison.Differences = []string{fmt.Sprintf("%s refuses: %q", outcome.Stage, outcome.Errors)}
	default:
		comparison.Verdict = BothRefuse
	}
	if len(comparison.Differences) > 0 {
		comparison.Documented = explain(comparison.Verdict, documents, outcome)
	}
	return comparison
}

// report collects what differs.
type report []string

func (r *report) compare(what string, operator, library any) {
	if !reflect.DeepEqual(operator, library) {
		*r = append(*r, fmt.Sprintf("%s: operator %v, libgang %v", what, operator, library))
	}
}

func differences(outcome *upstream.Outcome, plan *Plan) []string {
	var r report
	answer := outcome.Answer
	if outcome.Stage == upstream.StageIgnored {
		answer = &upstream.Answer{}
	}
	if len(answer.PodGroups) == 0 {
		r.compare("outcome", "NoGang", plan.Outcome)
		r.compare("number of patches", 0, len(plan.Patches))
	} else {
		r.compare("outcome", "Gang", plan.Outcome)
	}
	r.compareObjects(answer, plan)
	if outcome.Stage == upstream.StageRendered {
		r.compareRoles(answer, plan)
		r.compareMarks(outcome, plan)
	}
	return r
}

func (r *report) compareObjects(answer *upstream.Answer, plan *Plan) {
	r.compare("number of objects", len(answer.PodGroups), len(plan.Objects))
	if len(answer.PodGroups) != len(plan.Objects) {
		return
	}
	for i, podGroup := range answer.PodGroups {
		operator, library := tree(podGroup), tree(plan.Objects[i].Object)
		if !reflect.DeepEqual(operator, library) {
			*r = append(*r, fmt.Sprintf("object: operator %s, libgang %s", text(operator), text(library)))
		}
		r.compareGang(operator, plan)
	}
}

// compareGang checks that the plan's own summary says what its object says.
func (r *report) compareGang(podGroup any, plan *Plan) {
	if plan.Gang == nil {
		*r = append(*r, "the plan has a PodGroup but no gang")
		return
	}
	spec := podGroup.(map[string]any)["spec"].(map[string]any)
	resources := map[string]any{}
	for name, amount := range plan.Gang.Resources {
		resources[name] = amount
	}
	r.compare("gang.minimum", spec["minMember"], plan.Gang.Minimum)
	r.compare("gang.resources", spec["minResources"], resources)
}

func (r *report) compareRoles(answer *upstream.Answer, plan *Plan) {
	r.compare("number of roles", len(answer.Roles), len(plan.Roles))
	if len(answer.Roles) != len(plan.Roles) {
		return
	}
	for i, role := range answer.Roles {
		name := "role " + role.Name
		r.compare(name+": name", role.Name, plan.Roles[i].Name)
		r.compare(name+": pods", role.Pods(), plan.Roles[i].Count)
		r.compare(name+": requests", role.Requests, plan.Roles[i].Requests)
	}
}

// compareMarks applies libgang's patches to the JobSet that the operator makes
// without podGroupPolicy and expects the one that it makes with it.
func (r *report) compareMarks(outcome *upstream.Outcome, plan *Plan) {
	patched := clone(outcome.Unmarked)
	for _, patch := range plan.Patches {
		if !apply(patched, patch.Role, patch.Metadata, patch.Spec) {
			*r = append(*r, fmt.Sprintf("patch of role %q, which the operator does not have", patch.Role))
		}
	}
	r.compareMark("JobSet", outcome.Answer.JobSet, patched.JobSet)
	for i, role := range outcome.Answer.Roles {
		name := "pods of " + role.Name
		r.compareMark(name, role.Marks, patched.Roles[i].Marks)
		r.compare(name+": schedulerName", role.SchedulerName, patched.Roles[i].SchedulerName)
		r.compare(name+": priorityClassName", role.PriorityClassName, patched.Roles[i].PriorityClassName)
	}
}

func (r *report) compareMark(what string, operator, library upstream.Marks) {
	same := maps.Equal(operator.Labels, library.Labels) && maps.Equal(operator.Annotations, library.Annotations)
	if !same {
		*r = append(*r, fmt.Sprintf("%s: marks: operator %v, libgang %v", what, operator, library))
	}
}

// apply merges one patch; a patch without role is one of the JobSet itself.
func apply(answer *upstream.Answer, role string, metadata upstream.Marks, spec map[string]any) bool {
	if role == "" {
		answer.JobSet = merged(answer.JobSet, metadata)
		return len(spec) == 0
	}
	for i := range answer.Roles {
		if answer.Roles[i].Name != role {
			continue
		}
		answer.Roles[i].Marks = merged(answer.Roles[i].Marks, metadata)
		for field, value := range spec {
			switch field {
			case "schedulerName":
				answer.Roles[i].SchedulerName = fmt.Sprint(value)
			case "priorityClassName":
				answer.Roles[i].PriorityClassName = fmt.Sprint(value)
			default:
				return false
			}
		}
		return true
	}
	return false
}

func merged(marks, patch upstream.Marks) upstream.Marks {
	return upstream.Marks{
		Labels:      overlaid(marks.Labels, patch.Labels),
		Annotations: overlaid(marks.Annotations, patch.Annotations),
	}
}

func overlaid(base, over map[string]string) map[string]string {
	result := map[string]string{}
	maps.Copy(result, base)
	maps.Copy(result, over)
	return result
}

func clone(answer *upstream.Answer) *upstream.Answer {
	copied := *answer
	copied.Roles = append([]upstream.Role(nil), answer.Roles...)
	return &copied
}

// tree decodes JSON and keeps the spelling of its numbers.
func tree(document []byte) any {
	var decoded any
	decoder := json.NewDecoder(bytes.NewReader(document))
	decoder.UseNumber()
	if err := decoder.Decode(&decoded); err != nil {
		return err.Error()
	}
	return decoded
}

func text(decoded any) string {
	encoded, err := json.Marshal(decoded)
	if err != nil {
		return err.Error()
	}
	return string(encoded)
}
