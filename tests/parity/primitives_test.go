// SPDX-License-Identifier: Apache-2.0

package parity

import (
	"cmp"
	"encoding/json"
	"fmt"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"sync"
	"testing"

	trainer "github.com/kubeflow/trainer/v2/pkg/apis/trainer/v1alpha1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	utiljson "k8s.io/apimachinery/pkg/util/json"
	"k8s.io/apimachinery/pkg/util/strategicpatch"
	resourcehelpers "k8s.io/component-helpers/resource"
	"libgang.dev/tests/parity/generate"
	jobset "sigs.k8s.io/jobset/api/jobset/v1alpha2"
	kjson "sigs.k8s.io/json"
)

// expectation is what libgang must answer to one primitive.
type expectation struct {
	text      string
	refused   bool // must be an error
	mayRefuse bool // either an error or the text
}

func (e expectation) met(text string, ok bool) bool {
	if !ok {
		return e.refused || e.mayRefuse
	}
	return !e.refused && text == e.text
}

func (e expectation) String() string {
	if e.refused {
		return "an error"
	}
	return strconv.Quote(e.text)
}

// runPrimitive runs many cases of one primitive and reports what differs.
func runPrimitive(t *testing.T, check func(seed, index uint64) string) {
	t.Helper()
	cases := setting(t, "PARITY_PRIMITIVE_CASES", 100000)
	seed := uint64(setting(t, "PARITY_SEED", 1))
	var mutex sync.Mutex
	var found diagnostics
	inParallel(cases, func(_, index int) {
		if text := check(seed, uint64(index)); text != "" {
			mutex.Lock()
			defer mutex.Unlock()
			found.add(index, text)
		}
	})
	t.Logf("seed %d, %d cases", seed, cases)
	found.conclude(t)
}

// TestQuantity compares reading, printing and arithmetic of amounts.
func TestQuantity(t *testing.T) {
	runPrimitive(t, func(seed, index uint64) string {
		made := generate.Quantities(seed, index)
		want := expectQuantity(made)
		text, ok := quantity(made.Op, made.A, made.B)
		if want.met(text, ok) {
			return ""
		}
		return fmt.Sprintf("%s: want %v, libgang %q ok=%t\n%q %q", made.Op, want, text, ok, made.A, made.B)
	})
}

func expectQuantity(made generate.Arithmetic) expectation {
	operands := []string{made.A}
	if made.Op == "add" || made.Op == "sub" || made.Op == "cmp" {
		operands = append(operands, made.B)
	}
	parsed := make([]resource.Quantity, len(operands))
	for i, text := range operands {
		if deviates(text) {
			return expectation{refused: true}
		}
		amount, err := resource.ParseQuantity(text)
		if err != nil || outOfRange(amount) {
			return expectation{refused: true}
		}
		parsed[i] = amount
	}
	return compute(made, parsed)
}

func compute(made generate.Arithmetic, operands []resource.Quantity) expectation {
	a := operands[0]
	switch made.Op {
	case "string":
		return expectation{text: a.String()}
	case "canonical":
		a.Add(resource.Quantity{})
	case "add":
		a.Add(operands[1])
	case "sub":
		a.Sub(operands[1])
	case "cmp":
		return expectation{text: strconv.Itoa(a.Cmp(operands[1]))}
	case "reread":
		a = reread(a)
		fallthrough
	case "mul":
		factor, _ := strconv.ParseInt(made.B, 10, 64)
		a.Mul(factor)
	}
	return expectation{text: a.String(), refused: outOfRange(a)}
}

func reread(a resource.Quantity) resource.Quantity {
	text, err := json.Marshal(&a)
	if err != nil {
		panic(err)
	}
	var read resource.Quantity
	if err := json.Unmarshal(text, &read); err != nil {
		panic(err)
	}
	return read
}

var digitBeforeSuffix = regexp.MustCompile(`^[-+]?[0-9.]*[0-9]`)

// deviates tells texts that libgang refuses on purpose: without a digit before
// the suffix, with an exponent beyond 64, or of more than 64 bytes.
func deviates(text string) bool {
	return !digitBeforeSuffix.MatchString(text) || farExponent(text) || len(text) > 64
}

var minAmount = resource.NewQuantity(-maxAmount.Value(), resource.DecimalSI)

// TestPodRequests compares what one pod asks for.
func TestPodRequests(t *testing.T) {
	runPrimitive(t, func(seed, index uint64) string {
		document := stored(generate.PodSpec(seed, index))
		want := expectRequests(document)
		text, ok := podRequests(string(document))
		if ok {
			text = canonicalJSON([]byte(text))
		}
		if want.met(text, ok) {
			return ""
		}
		return fmt.Sprintf("pod requests: want %v, libgang %q ok=%t\n%s", want, text, ok, document)
	})
}

// stored spells numbers as the API server does.
func stored(document []byte) []byte {
	var object map[string]any
	if err := utiljson.Unmarshal(document, &object); err != nil {
		panic(err)
	}
	text, err := utiljson.Marshal(object)
	if err != nil {
		panic(err)
	}
	return text
}

func expectRequests(document []byte) expectation {
	documents := &Documents{Runtime: document, Job: []byte("{}")}
	refused := func(text string) bool { return deviates(text) || beyondInt64(text) }
	if documents.anyAmount(refused) {
		return expectation{refused: true}
	}
	var spec corev1.PodSpec
	if err := kjson.UnmarshalCaseSensitivePreserveInts(document, &spec); err != nil {
		return expectation{refused: true}
	}
	want := expectation{mayRefuse: everythingOverflows(&spec)}
	texts := map[string]string{}
	pod := &corev1.Pod{Spec: spec}
	for name, amount := range resourcehelpers.PodRequests(pod, resourcehelpers.PodResourcesOptions{}) {
		texts[string(name)] = amount.String()
		want.refused = want.refused || outOfRange(amount)
	}
	want.text = text(texts)
	return want
}

// TestStrategicMerge compares patched JobSet specs, lists by their keys.
func TestStrategicMerge(t *testing.T) {
	runPrimitive(t, func(seed, index uint64) string {
		base, changes := generate.Merge(seed, index)
		spec, patch := typed[jobset.JobSetSpec](base), typed[trainer.JobSetSpecPatch](changes)
		want := mergeAsOperator(spec, patch)
		merged, ok := strategicMerge(string(spec), string(patch))
		if ok && reflect.DeepEqual(want, tree([]byte(merged))) {
			return ""
		}
		return fmt.Sprintf("merge: want %s, libgang %s ok=%t\nspec: %s\npatch: %s",
			text(want), merged, ok, spec, patch)
	})
}

// mergeAsOperator merges, then restores the order of the jobs; jobs that the
// patch adds come first, as unknown names do upstream.
func mergeAsOperator(spec, patch []byte) any {
	merged, err := strategicpatch.StrategicMergePatch(spec, patch, jobset.JobSetSpec{})
	if err != nil {
		panic(err)
	}
	order := map[any]int{}
	for i, name := range jobNames(tree(spec)) {
		order[name] = i
	}
	want := tree(merged)
	slices.SortStableFunc(jobsOf(want), func(a, b any) int {
		return cmp.Compare(order[nameIn(a)], order[nameIn(b)])
	})
	return want
}

func jobsOf(spec any) []any { return spec.(map[string]any)["replicatedJobs"].([]any) }

func nameIn(job any) any { return job.(map[string]any)["name"] }

func jobNames(spec any) []any {
	var names []any
	for _, job := range jobsOf(spec) {
		names = append(names, nameIn(job))
	}
	return names
}

// typed is how the operator writes a document before it merges it.
func typed[T any](document []byte) []byte {
	var object T
	if err := kjson.UnmarshalCaseSensitivePreserveInts(stored(document), &object); err != nil {
		panic(fmt.Sprintf("%v: %s", err, document))
	}
	text, err := json.Marshal(&object)
	if err != nil {
		panic(err)
	}
	return text
}

// canonicalJSON sorts the keys of a document.
func canonicalJSON(document []byte) string { return text(tree(document)) }
