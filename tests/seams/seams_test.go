// SPDX-License-Identifier: Apache-2.0

// Package seams runs the tests that operators have for their gangs with libgang behind them.
package seams

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// A seam is a package of an operator whose tests run with other files in place of some of its
// own.
type seam struct {
	operator, module, pkg string
	// Files has the files that are replaced, and those in testdata that take their places. The
	// other tests of the package do not concern gangs if `run` selects some.
	files map[string]string
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
				if !result.passed {
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
func compare(t *testing.T, one *seam, results []result) {
	t.Helper()
	if len(results) != one.cases {
		t.Errorf("%d cases, not %d", len(results), one.cases)
	}
	known := maps.Clone(one.differs)
	for _, result := range results {
		reason, differs := known[result.name]
		delete(known, result.name)
		switch {
		case result.passed && differs:
			t.Errorf("%s passes: it was to fail because %s", result.name, reason)
		case !result.passed && !differs:
			t.Errorf("%s fails:\n%s", result.name, result.output)
		}
	}
	for name := range known {
		t.Errorf("there is no case %s", name)
	}
}

// build returns the program of the tests. `library` is a folder with another libgang.
func build(t *testing.T, one *seam, library string) string {
	t.Helper()
	folder := t.TempDir()
	program := filepath.Join(folder, "tests")
	tags := "libgang_wasm"
	if library != "" {
		tags = "libgang_cgo"
	}
	command(t, "go", "test", "-c", "-vet=off", "-tags", tags, "-overlay",
		writeOverlay(t, folder, one), "-modfile",
		writeModFile(t, folder, one, library), "-o", program, one.module+"/"+one.pkg)
	return program
}

func writeOverlay(t *testing.T, folder string, one *seam) string {
	t.Helper()
	overlay := filepath.Join(folder, "overlay.json")
	text, err := json.Marshal(map[string]any{"Replace": replacements(t, one)})
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(overlay, text, 0o600); err != nil {
		t.Fatal(err)
	}
	return overlay
}

func command(t *testing.T, name string, arguments ...string) []byte {
	t.Helper()
	var failure bytes.Buffer
	process := exec.Command(name, arguments...)
	process.Stderr = &failure
	output, err := process.Output()
	if err != nil {
		t.Fatalf("%v: %v\n%s", arguments, err, failure.Bytes())
	}
	return output
}

func (s *seam) title() string { return s.operator + " " + filepath.Base(s.pkg) }

// shown is the folder, below this one, in which the overlay shows a module.
func (s *seam) shown() string { return "overlay/" + s.operator }

// replacements says which file is read where the go command looks for another.
func replacements(t *testing.T, one *seam) map[string]string {
	t.Helper()
	source := strings.TrimSpace(string(command(t, "go", "list", "-m", "-f", "{{.Dir}}", one.module)))
	here, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	shown := filepath.Join(here, one.shown())
	files := map[string]string{}
	err = filepath.WalkDir(source, func(path string, entry fs.DirEntry, err error) error {
		if err == nil && entry.Type().IsRegular() {
			files[shown+strings.TrimPrefix(path, source)] = path
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if one.patch != "" {
		patch(t, filepath.Join(here, "../../adapters/patches", one.patch), source, shown, files)
	}
	for name, replacement := range one.files {
		name = filepath.Join(shown, one.pkg, name)
		if files[name] == "" {
			t.Fatalf("upstream has no %s", name)
		}
		files[name] = ""
		if replacement != "" {
			files[name] = filepath.Join(here, "testdata", replacement)
		}
	}
	return files
}

// patch shows the files that a patch changes as they are with it.
func patch(t *testing.T, name, source, shown string, files map[string]string) {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	folder := t.TempDir()
	for _, line := range strings.Split(string(text), "\n") {
		path, changed := strings.CutPrefix(line, "+++ b/")
		if !changed {
			continue
		}
		target := filepath.Join(folder, path)
		if err := os.MkdirAll(filepath.Dir(target), 0o750); err != nil {
			t.Fatal(err)
		}
		original, err := os.ReadFile(filepath.Join(source, path))
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(target, original, 0o600); err != nil {
			t.Fatal(err)
		}
		files[filepath.Join(shown, path)] = target
	}
	command(t, "git", "-C", folder, "apply", name)
}

// writeModFile writes the go.mod of this module with the module that the overlay shows.
func writeModFile(t *testing.T, folder string, one *seam, library string) string {
	t.Helper()
	for _, name := range []string{"go.mod", "go.sum"} {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if name == "go.mod" {
			text = append(text, "\nreplace "+one.module+" => ./"+one.shown()+"\n"...)
			if library != "" {
				text = bytes.ReplaceAll(text, []byte("libgang.dev/gang => ../../bindings/go\n"),
					[]byte("libgang.dev/gang => "+library+"\n"))
			}
		}
		if err := os.WriteFile(filepath.Join(folder, name), text, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return filepath.Join(folder, "go.mod")
}

// An event is a line of test2json.
type event struct{ Action, Test, Output string }

// A result is that of one test or case: all that `go test -v` counts.
type result struct {
	name, output string
	passed       bool
}

// runCases runs a program of upstream's tests.
func runCases(t *testing.T, program, run string) (results []result) {
	t.Helper()
	process := exec.Command("go", "tool", "test2json", program, "-test.v=test2json", "-test.run="+run)
	output, err := process.Output()
	if err != nil && process.ProcessState == nil {
		t.Fatal(err)
	}
	texts := map[string]string{}
	for decoder := json.NewDecoder(bytes.NewReader(output)); decoder.More(); {
		var one event
		if err := decoder.Decode(&one); err != nil {
			t.Fatalf("%v\n%s", err, output)
		}
		texts[one.Test] += one.Output
		if one.Test != "" && slices.Contains([]string{"pass", "fail", "skip"}, one.Action) {
			results = append(results, result{one.Test, texts[one.Test], one.Action == "pass"})
		}
	}
	return results
}

// TestPatchedPrograms compiles what calls the adapters from within the operator, where no test
// does.
func TestPatchedPrograms(t *testing.T) {
	one := seam{operator: "spark", module: spark, pkg: "cmd/operator/controller",
		patch: "spark-operator.patch"}
	folder := t.TempDir()
	command(t, "go", "build", "-tags", "libgang_wasm", "-overlay", writeOverlay(t, folder, &one),
		"-modfile", writeModFile(t, folder, &one, ""), "-o", os.DevNull, one.module+"/"+one.pkg)
}
