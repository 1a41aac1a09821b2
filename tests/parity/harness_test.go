// SPDX-License-Identifier: Apache-2.0

package parity

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"libgang.dev/tests/parity/upstream"
)

const (
	workers      = 2
	shownPerTest = 5 // diagnostics printed in full
	shownKinds   = 20
)

// rig is what every test of whole documents needs.
type rig struct {
	library   *Library
	operators []*upstream.Operator // one for each worker
	shipped   []upstream.ShippedRuntime
}

func newRig(t *testing.T) *rig {
	t.Helper()
	moduleDir, err := upstream.ModuleDir()
	if err != nil {
		t.Fatal(err)
	}
	r := &rig{}
	for range workers {
		operator, err := upstream.New(context.Background(), moduleDir)
		if err != nil {
			t.Fatal(err)
		}
		r.operators = append(r.operators, operator)
	}
	if r.shipped, err = upstream.ShippedRuntimes(moduleDir); err != nil {
		t.Fatal(err)
	}
	if r.library, err = OpenLibrary(compatibilityPolicy); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(r.library.Close)
	return r
}

// inParallel runs work for 0..count-1, each worker every workers-th number.
func inParallel(count int, work func(worker, index int)) {
	var group sync.WaitGroup
	for worker := range workers {
		group.Go(func() {
			for index := worker; index < count; index += workers {
				work(worker, index)
			}
		})
	}
	group.Wait()
}

// tally counts cases, from several workers at once.
type tally struct {
	mutex       sync.Mutex
	cases       int
	stages      map[upstream.Stage]int
	verdicts    [numVerdicts]int
	reasons     map[string]int // documented differences
	quirks      map[string]int
	diagnostics diagnostics
}

func newTally() *tally {
	return &tally{stages: map[upstream.Stage]int{}, reasons: map[string]int{}, quirks: map[string]int{}}
}

// add counts one case.
func (t *tally) add(index int, documents *Documents, outcome *upstream.Outcome, comparison *Comparison) {
	t.mutex.Lock()
	defer t.mutex.Unlock()
	t.cases++
	t.stages[outcome.Stage]++
	t.verdicts[comparison.Verdict]++
	if comparison.Documented != "" {
		t.reasons[comparison.Documented]++
	}
	if outcome.Stage == upstream.StageRendered {
		for _, quirk := range upstream.QuirksOf(outcome) {
			t.quirks[quirk]++
		}
	}
	if comparison.Unexplained() {
		t.diagnostics.add(index, strings.Join(comparison.Differences, "\n")+"\n"+reproducer(documents))
	}
}

// conclude prints the summary and fails the test on any diagnostic.
func (t *tally) conclude(test *testing.T) {
	test.Helper()
	test.Logf("%d cases", t.cases)
	for _, stage := range slices.Sorted(maps.Keys(t.stages)) {
		test.Logf("  %6d operator side: %s", t.stages[stage], stage)
	}
	for verdict, count := range t.verdicts {
		test.Logf("  %6d %s", count, Verdict(verdict))
	}
	for _, reason := range slices.Sorted(maps.Keys(t.reasons)) {
		test.Logf("  %6d documented difference: %s", t.reasons[reason], reason)
	}
	t.diagnostics.conclude(test)
}

// diagnostics counts unexplained differences and keeps the first few in full.
// The zero value is ready; it does not lock.
type diagnostics struct {
	count int
	kinds map[string]int
	first []diagnostic
}

type diagnostic struct {
	index int
	text  string
}

func (f *diagnostics) add(index int, text string) {
	f.count++
	if f.kinds == nil {
		f.kinds = map[string]int{}
	}
	f.kinds[kindOf(text)]++
	f.first = append(f.first, diagnostic{index, text})
	slices.SortFunc(f.first, func(a, b diagnostic) int { return cmp.Compare(a.index, b.index) })
	f.first = f.first[:min(len(f.first), shownPerTest)]
}

// conclude says how many of each kind there are, and fails on the first few.
func (f *diagnostics) conclude(test *testing.T) {
	test.Helper()
	test.Logf("  %6d differences without a documented reason", f.count)
	moreFrequent := func(a, b string) int { return cmp.Compare(f.kinds[b], f.kinds[a]) }
	frequent := slices.SortedFunc(maps.Keys(f.kinds), moreFrequent)
	for _, kind := range frequent[:min(len(frequent), shownKinds)] {
		test.Logf("  %6d diagnostics like: %s", f.kinds[kind], kind)
	}
	for _, found := range f.first {
		test.Errorf("case %d:\n%s", found.index, found.text)
	}
}

var values = regexp.MustCompile(`"(\\.|[^"\\])*"|\{.*\}|[0-9]+`)

// kindOf is the first difference of a diagnostic without the values in it.
func kindOf(text string) string {
	line, _, _ := strings.Cut(text, "\n")
	kind := values.ReplaceAllString(line, "_")
	return kind[:min(len(kind), 140)]
}

// reproducer prints a case in the form that `upstream/show` reads.
func reproducer(documents *Documents) string {
	return fmt.Sprintf("runtime: %s\ntrainjob: %s", documents.Runtime, documents.Job)
}

// setting reads a number from the environment.
func setting(t *testing.T, name string, fallback int) int {
	t.Helper()
	text := os.Getenv(name)
	if text == "" {
		return fallback
	}
	value, err := strconv.Atoi(text)
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return value
}
