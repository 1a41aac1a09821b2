// SPDX-License-Identifier: Apache-2.0

// Package seams runs the tests that operators have for their gangs with libgang behind them.
package seams

import (
	"cmp"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"libgang.dev/tests/overlay"
)

// A seam is a package of an operator whose tests run with other files in place of some of its
// own.
type seam struct {
	operator, module, pkg string
	// Home is the folder whose go.mod has the module. Empty: this one.
	home string
	// Files has the files that are replaced, and those in testdata that take their places. The
	// other tests of the package do not concern gangs if `run` selects some.
	files map[string]string
	// Shared has files of other packages of the module that are replaced, by their paths in it.
	shared map[string]string
	// Patch is a file in adapters/patches that is applied to the module.
	patch string
	run   string
	cases int
	// Differs has the cases that fail, and why. One that passes is an error.
	differs map[string]string
}

// TestSeams copies nothing: an overlay shows the go command a module below this folder, whose
// files are those of the module cache, but for the replaced ones. doc/adapters.md has the
// results.
func TestSeams(t *testing.T) {
	total, passed, rows := 0, 0, ""
	for _, one := range seams {
		name := one.title()
		t.Run(name, func(t *testing.T) {
			results := runCases(t, build(t, &one, ""), one.run)
			compare(t, &one, results)
			ok := len(results)
			for _, result := range results {
				if !result.Passed {
					ok--
				}
			}
			rows += fmt.Sprintf("| %s | %d | %d | %d |\n", name, len(results), ok, len(results)-ok)
			total, passed = total+len(results), passed+ok
		})
	}
	rows += fmt.Sprintf("| all | %d | %d | %d |\n", total, passed, total-passed)
	rows += "\n| package of tests | case that differs | why |\n|---|---|---|\n"
	for _, one := range seams {
		for _, name := range slices.Sorted(maps.Keys(one.differs)) {
			rows += fmt.Sprintf("| %s | `%s` | %s |\n", one.title(), name, one.differs[name])
		}
	}
	t.Log("\n" + rows)
	document(t, rows)
}

const (
	page  = "../../doc/adapters.md"
	start = "<!-- written by ./dev adapters, do not edit -->\n"
	end   = "\n<!-- end of the results -->"
)

// document compares the results with the page. LIBGANG_UPDATE=1 writes them into it.
func document(t *testing.T, rows string) {
	t.Helper()
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	before, rest, _ := strings.Cut(string(text), start)
	_, after, found := strings.Cut(rest, end)
	if !found {
		t.Fatalf("%s has no place for the results", page)
	}
	header := "\n| operator and package of tests | cases | pass | differ |\n|---|---|---|---|\n"
	written := before + start + header + rows + end + after
	if os.Getenv("LIBGANG_UPDATE") != "" {
		err = os.WriteFile(page, []byte(written), 0o600)
	} else if written != string(text) && !t.Failed() {
		t.Errorf("%s has other results: LIBGANG_UPDATE=1 ./dev adapters", page)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// compare checks that exactly the expected cases fail.
func compare(t *testing.T, one *seam, results []overlay.Result) {
	t.Helper()
	if len(results) != one.cases {
		t.Errorf("%d cases, not %d", len(results), one.cases)
	}
	known := maps.Clone(one.differs)
	for _, result := range results {
		reason, differs := known[result.Name]
		delete(known, result.Name)
		switch {
		case result.Passed && differs:
			t.Errorf("%s passes: it was to fail because %s", result.Name, reason)
		case !result.Passed && !differs:
			t.Errorf("%s fails:\n%s", result.Name, result.Output)
		}
	}
	for name := range known {
		t.Errorf("there is no case %s", name)
	}
}

// build returns the program of the tests. `library` is a folder with another libgang.
func build(t *testing.T, one *seam, library string) string {
	t.Helper()
	shown := one.shown()
	tags := "libgang_wasm"
	if library != "" {
		tags = "libgang_cgo"
		shown.Replace = map[string]string{"libgang.dev/gang": library}
	}
	work := t.TempDir()
	program := filepath.Join(work, "tests")
	if err := shown.Go(work, "test", "-c", "-vet=off", "-tags", tags, "-o", program,
		one.module+"/"+one.pkg); err != nil {
		t.Fatal(err)
	}
	return program
}

func (s *seam) title() string { return s.operator + " " + filepath.Base(s.pkg) }

// shown is the module with the files in testdata and the patch.
func (s *seam) shown() *overlay.Module {
	shown := &overlay.Module{Path: s.module, Home: cmp.Or(s.home, "."), Files: map[string]string{}}
	for name, instead := range s.files {
		shown.Files[filepath.Join(s.pkg, name)], _ = filepath.Abs(filepath.Join("testdata", instead))
	}
	for name, instead := range s.shared {
		shown.Files[name], _ = filepath.Abs(filepath.Join("testdata", instead))
	}
	if s.patch != "" {
		shown.Patch = filepath.Join("../../adapters/patches", s.patch)
	}
	return shown
}

// runCases runs a program of upstream's tests.
func runCases(t *testing.T, program, pattern string) []overlay.Result {
	t.Helper()
	results, err := overlay.Run(program, pattern)
	if err != nil {
		t.Fatal(err)
	}
	return results
}

// TestPatchedPrograms compiles what calls the adapters from within the operator, where no test
// does.
func TestPatchedPrograms(t *testing.T) {
	one := seam{operator: "spark", module: spark, pkg: "cmd/operator/controller",
		patch: "spark-operator.patch"}
	if err := one.shown().Go(t.TempDir(), "build", "-tags", "libgang_wasm", "-o", os.DevNull,
		one.module+"/"+one.pkg); err != nil {
		t.Fatal(err)
	}
}
