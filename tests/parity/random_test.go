// SPDX-License-Identifier: Apache-2.0

package parity

import (
	"context"
	"testing"

	"libgang.dev/tests/parity/generate"
	"libgang.dev/tests/parity/upstream"
	"sigs.k8s.io/yaml"
)

// TestRandom compares seeded random runtimes and TrainJobs.
func TestRandom(t *testing.T) {
	r := newRig(t)
	cases := setting(t, "PARITY_CASES", 20000)
	seed := uint64(setting(t, "PARITY_SEED", 1))
	first := setting(t, "PARITY_FIRST", 0)
	t.Logf("seed %d, from case %d", seed, first)
	generator := newGenerator(t, r)
	total := newTally()
	inParallel(cases, func(worker, offset int) {
		index := first + offset
		made := generator.Case(seed, uint64(index))
		documents := &Documents{made.Runtime, made.Job}
		outcome := r.operators[worker].Run(context.Background(), made.Runtime, made.Job)
		runtime, job := made.Runtime, made.Job
		if index%4 == 3 {
			runtime, job = asYAML(runtime), asYAML(job)
		}
		plan, err := r.library.Plan(runtime, job)
		total.add(index, documents, outcome, Compare(documents, outcome, plan, err))
	})
	total.conclude(t)
	total.checkCoverage(t)
}

func newGenerator(t *testing.T, r *rig) *generate.Generator {
	t.Helper()
	var texts [][]byte
	for _, shipped := range r.shipped {
		texts = append(texts, shipped.YAML)
	}
	generator, err := generate.New(texts)
	if err != nil {
		t.Fatal(err)
	}
	return generator
}

// checkCoverage fails when a run of full length missed a quirk, or when too
// few cases get past admission to say much.
func (t *tally) checkCoverage(test *testing.T) {
	test.Helper()
	for _, quirk := range upstream.Quirks {
		test.Logf("  %6d %s", t.quirks[quirk.Name], quirk.Name)
		if t.quirks[quirk.Name] == 0 && t.cases >= 5000 {
			test.Errorf("no case exercises: %s", quirk.Name)
		}
	}
	if rendered := t.stages[upstream.StageRendered]; rendered*10 < t.cases*6 {
		test.Errorf("only %d of %d cases reach the end of the operator", rendered, t.cases)
	}
}

// asYAML says the same as a generated document says in JSON. Numbers keep
// their value, not their spelling.
func asYAML(document []byte) []byte {
	text, err := yaml.JSONToYAML(document)
	if err != nil {
		return document
	}
	return text
}
