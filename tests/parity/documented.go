// SPDX-License-Identifier: Apache-2.0

package parity

import (
	"encoding/json"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	"libgang.dev/tests/parity/upstream"
	jobset "sigs.k8s.io/jobset/api/jobset/v1alpha2"
)

// Documents are the two inputs of one case, as JSON.
type Documents struct{ Runtime, Job []byte }

// difference is one that we mean to have. Each stands in the README.
type difference struct {
	name     string
	verdict  Verdict
	explains func(*Documents, *upstream.Outcome) bool
}

// documented is the whole list. Whether one holds is worked out from the
// inputs and the operator's answer, never from what libgang says.
var documented = []difference{
	{"the operator panics", OnlyLibrary, fluxWithoutNumNodes},
	{"both policies at once", OnlyServer, bothPolicies},
	{"amount beyond 2^63-1, or more than 2^31-1 pods", OnlyServer, overflows},
	{"what the operator of another cluster refuses", OnlyServer, refusedElsewhere},
	{"exponent beyond 64", OnlyServer, func(d *Documents, _ *upstream.Outcome) bool {
		return d.anyAmount(farExponent)
	}},
	{"amount of more than 64 bytes", OnlyServer, func(d *Documents, _ *upstream.Outcome) bool {
		return d.anyAmount(func(text string) bool { return len(text) > 64 })
	}},
	{"whole number beyond 2^53 with an exponent", OnlyLibrary,
		func(d *Documents, _ *upstream.Outcome) bool {
			return d.any(func(text string, bare bool) bool { return bare && farWhole(text) })
		}},
	{"blanks around an amount", OnlyLibrary, func(d *Documents, _ *upstream.Outcome) bool {
		return d.anyAmount(func(text string) bool { return text != strings.TrimSpace(text) })
	}},
}

func explain(verdict Verdict, documents *Documents, outcome *upstream.Outcome) string {
	for _, candidate := range documented {
		if candidate.verdict == verdict && candidate.explains(documents, outcome) {
			return candidate.name
		}
	}
	return ""
}

func fluxWithoutNumNodes(_ *Documents, outcome *upstream.Outcome) bool {
	if outcome.Stage != upstream.StagePanic || outcome.Spec.MLPolicy.Flux == nil {
		return false
	}
	return outcome.Job.Spec.Trainer == nil || outcome.Job.Spec.Trainer.NumNodes == nil
}

func overflows(documents *Documents, outcome *upstream.Outcome) bool {
	return documents.anyAmount(beyondInt64) || outcome.Answer != nil && totalsOverflow(outcome.Answer) ||
		slices.ContainsFunc(outcome.Spec.Template.Spec.ReplicatedJobs, podOverflows) ||
		outcome.Elsewhere != nil && overflows(documents, outcome.Elsewhere)
}

func refusedElsewhere(_ *Documents, outcome *upstream.Outcome) bool {
	return outcome.Elsewhere != nil && outcome.Elsewhere.Stage == upstream.StageOperator
}

func bothPolicies(_ *Documents, outcome *upstream.Outcome) bool {
	policy := outcome.Spec.PodGroupPolicy
	return policy != nil && policy.Coscheduling != nil && policy.Volcano != nil
}

// anyAmount asks about every quantity of both documents, as it is spelled.
func (d *Documents) anyAmount(holds func(string) bool) bool {
	return d.any(func(text string, _ bool) bool { return holds(text) })
}

// question is put to an amount; bare is one that is a JSON number.
type question func(text string, bare bool) bool

func (d *Documents) any(ask question) bool {
	return amountIn(tree(d.Runtime), ask) || amountIn(tree(d.Job), ask)
}

func amountIn(node any, ask question) bool {
	switch node := node.(type) {
	case map[string]any:
		for key, child := range node {
			amounts := key == "requests" || key == "limits" || key == "overhead"
			if amounts && heldBy(child, ask) || amountIn(child, ask) {
				return true
			}
		}
	case []any:
		for _, child := range node {
			if amountIn(child, ask) {
				return true
			}
		}
	}
	return false
}

func heldBy(node any, ask question) bool {
	amounts, _ := node.(map[string]any)
	for _, amount := range amounts {
		switch amount := amount.(type) {
		case string:
			if ask(amount, false) {
				return true
			}
		case json.Number:
			if ask(fmt.Sprint(amount), true) {
				return true
			}
		}
	}
	return false
}

var maxAmount = resource.NewQuantity(math.MaxInt64, resource.DecimalSI)

func beyondInt64(text string) bool {
	parsed, err := resource.ParseQuantity(text)
	return err == nil && (parsed.Cmp(*maxAmount) > 0)
}

// farWhole is true for 1e18: JSON readers take a number with an exponent for a float, and the
// server takes only floats up to 2^53-1 for integers.
func farWhole(text string) bool {
	value, err := strconv.ParseFloat(text, 64)
	return err == nil && strings.ContainsAny(text, "eE") && math.Abs(value) > 1<<53-1
}

var exponent = regexp.MustCompile(`[eE]([-+]?[0-9]+)$`)

func farExponent(text string) bool {
	match := exponent.FindStringSubmatch(text)
	if match == nil {
		return false
	}
	value, err := strconv.Atoi(match[1])
	return err != nil || value < -64 || value > 64
}

// totalsOverflow sums again, in Kubernetes' arithmetic but looking for the
// point at which its own printing goes wrong.
func totalsOverflow(answer *upstream.Answer) bool {
	totals := map[string]*resource.Quantity{}
	var members int64
	for _, role := range answer.Roles {
		members += int64(role.Counted)
		if role.Pods() > math.MaxInt32 {
			return true
		}
		for name, text := range role.Requests {
			amount := resource.MustParse(text)
			amount.Mul(int64(role.Counted))
			if totals[name] == nil {
				totals[name] = &resource.Quantity{}
			}
			totals[name].Add(amount)
			if outOfRange(*totals[name]) {
				return true
			}
		}
	}
	return members > math.MaxInt32 || members < math.MinInt32
}

// podOverflows says whether a sum within one pod may pass the end, though a
// pod-level request may take its place in the answer.
func podOverflows(job jobset.ReplicatedJob) bool {
	return everythingOverflows(&job.Template.Spec.Template.Spec)
}

// everythingOverflows sums every amount of the pod: only then may a sum on the
// way to the answer overflow.
func everythingOverflows(spec *corev1.PodSpec) bool {
	var total resource.Quantity
	lists := []corev1.ResourceList{spec.Overhead}
	for _, container := range append(spec.InitContainers, spec.Containers...) {
		lists = append(lists, container.Resources.Requests)
	}
	for _, amounts := range lists {
		for _, amount := range amounts {
			total.Add(amount)
		}
	}
	return outOfRange(total)
}

func outOfRange(amount resource.Quantity) bool {
	return amount.Cmp(*maxAmount) > 0 || amount.Cmp(*minAmount) < 0
}
