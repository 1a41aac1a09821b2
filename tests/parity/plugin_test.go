// SPDX-License-Identifier: Apache-2.0

package parity

import (
	"bytes"
	"encoding/json"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	// What upstream's tests import, so that go.sum knows it.
	_ "github.com/kubeflow/trainer/v2/pkg/util/testing"
	_ "k8s.io/klog/v2/ktesting"

	"libgang.dev/tests/parity/upstream"
)

const (
	trainerModule = "github.com/kubeflow/trainer/v2"
	plugins       = "pkg/runtime/framework/plugins"
)

// The packages whose tests run, how many cases their tables had in v2.3.0, and how many of these fail
// without a gang. Those of the framework and of the runtimes call the two plugins with all others.
var tested = []struct {
	name            string
	cases, noticing int
}{
	{plugins + "/coscheduling", 10, 6},
	{plugins + "/volcano", 10, 6},
	{"pkg/runtime/framework/core", 27, 4},
	{"pkg/runtime/core", 36, 2},
}

// pluginOff is plugin.Off. The package is not imported: it would bring the library of the Go binding,
// which reads JSON only, into the program that compares the library of the build.
const pluginOff = "LIBGANG_PLUGIN_OFF"

// Both engines contain the library as it was built last.
var engines = []string{"cgo", "wasm"}

// TestPlugins runs upstream's own tests with libgang in place of its plugins CoScheduling and
// Volcano. Nothing is copied: an overlay shows the go command a module below this folder, whose
// files are those of the module cache, but for the two plugins. Then the plugins do nothing: a case
// that passes all the same says nothing about libgang.
func TestPlugins(t *testing.T) {
	moduleDir, err := upstream.ModuleDir()
	if err != nil {
		t.Fatal(err)
	}
	here, err := filepath.Abs("plugin")
	if err != nil {
		t.Fatal(err)
	}
	folder := t.TempDir()
	overlay := filepath.Join(folder, "overlay.json")
	writeJSON(t, overlay, map[string]any{"Replace": replacements(t, moduleDir, here)})
	modFile := writeModFile(t, folder)
	program := filepath.Join(folder, "tests")
	cases, noticing := 0, 0
	for _, one := range tested {
		t.Run(one.name, func(t *testing.T) {
			for _, engine := range engines {
				runCommand(t, "go", "test", "-c", "-vet=off", "-tags", "libgang_"+engine, "-overlay", overlay,
					"-modfile", modFile, "-o", program, trainerModule+"/"+one.name)
				t.Run(engine, func(t *testing.T) {
					reportCases(t, runCases(t, program), one.cases)
				})
			}
			t.Setenv(pluginOff, "1")
			all := runCases(t, program)
			failing := slices.DeleteFunc(slices.Clone(all), func(c result) bool { return c.passed })
			if len(failing) < one.noticing {
				t.Errorf("only %d cases can notice libgang", len(failing))
			}
			t.Logf("%d of %d cases can notice libgang", len(failing), len(all))
			cases, noticing = cases+len(all), noticing+len(failing)
		})
	}
	t.Logf("%d of %d cases of upstream's tests can notice libgang: the others pass without it, too", noticing, cases)
}

func runCommand(t *testing.T, name string, arguments ...string) (output []byte) {
	t.Helper()
	var failure bytes.Buffer
	command := exec.Command(name, arguments...)
	command.Stderr = &failure
	output, err := command.Output()
	if err != nil {
		t.Errorf("%v: %v\n%s", arguments, err, failure.Bytes())
	}
	return output
}

// replacements says which file is read where the go command looks for another.
func replacements(t *testing.T, moduleDir, here string) map[string]string {
	t.Helper()
	module := filepath.Join(here, "trainer")
	files := map[string]string{filepath.Join(module, "go.mod"): filepath.Join(moduleDir, "go.mod")}
	err := filepath.WalkDir(filepath.Join(moduleDir, "pkg"),
		func(path string, entry fs.DirEntry, err error) error {
			if err == nil && entry.Type().IsRegular() {
				files[module+strings.TrimPrefix(path, moduleDir)] = path
			}
			return err
		})
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"coscheduling/coscheduling.go", "volcano/volcano.go"} {
		replaced := filepath.Join(module, plugins, name)
		if files[replaced] == "" {
			t.Fatalf("upstream has no %s", name)
		}
		files[replaced] = filepath.Join(here, "testdata", name)
	}
	return files
}

// writeModFile writes the go.mod of the parity tests with the module that the overlay shows.
func writeModFile(t *testing.T, folder string) string {
	t.Helper()
	for _, name := range []string{"go.mod", "go.sum"} {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if name == "go.mod" {
			text = append(text, "\nreplace "+trainerModule+" => ./plugin/trainer\n"...)
		}
		if err := os.WriteFile(filepath.Join(folder, name), text, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return filepath.Join(folder, "go.mod")
}

func writeJSON(t *testing.T, name string, value any) {
	t.Helper()
	text, err := json.Marshal(value)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, text, 0o600); err != nil {
		t.Fatal(err)
	}
}

// An event is a line of test2json.
type event struct{ Action, Test, Output string }

// A result is that of one case in one of upstream's tables.
type result struct {
	name, output string
	passed       bool
}

// runCases runs a program of upstream's tests.
func runCases(t *testing.T, program string) (results []result) {
	t.Helper()
	command := exec.Command("go", "tool", "test2json", program, "-test.v=test2json")
	output, err := command.Output()
	if err != nil && command.ProcessState == nil {
		t.Fatal(err)
	}
	texts, tables := map[string]string{}, map[string]bool{}
	for decoder := json.NewDecoder(bytes.NewReader(output)); decoder.More(); {
		var one event
		if err := decoder.Decode(&one); err != nil {
			t.Fatalf("%v\n%s", err, output)
		}
		texts[one.Test] += one.Output
		table, _, _ := strings.Cut(one.Test, "/")
		tables[table] = tables[table] || table != one.Test
		isCase := one.Test != "" && (table != one.Test || !tables[table])
		if isCase && slices.Contains([]string{"pass", "fail", "skip"}, one.Action) {
			results = append(results, result{one.Test, texts[one.Test], one.Action == "pass"})
		}
	}
	return results
}

// reportCases has a subtest for each case.
func reportCases(t *testing.T, cases []result, atLeast int) {
	t.Helper()
	if len(cases) < atLeast {
		t.Errorf("only %d cases", len(cases))
	}
	for _, one := range cases {
		t.Run(one.name, func(t *testing.T) {
			if !one.passed {
				t.Error(one.output)
			}
		})
	}
}
