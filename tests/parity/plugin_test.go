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

// The packages whose tests run, and how many cases their tables had in v2.3.0. Those of the framework
// and of the runtimes call the two plugins with all others.
var tested = []struct {
	name  string
	cases int
}{
	{plugins + "/coscheduling", 10},
	{plugins + "/volcano", 10},
	{"pkg/runtime/framework/core", 27},
	{"pkg/runtime/core", 36},
}

// TestPlugins runs upstream's own tests with libgang in place of its plugins CoScheduling and
// Volcano. Nothing is copied: an overlay shows the go command a module below this folder, whose
// files are those of the module cache, but for the two plugins.
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
	for _, one := range tested {
		t.Run(one.name, func(t *testing.T) {
			program := filepath.Join(folder, "tests")
			runCommand(t, "go", "test", "-c", "-vet=off", "-tags", "libgang_wasm", "-overlay", overlay,
				"-modfile", modFile, "-o", program, trainerModule+"/"+one.name)
			cases := reportCases(t, runCommand(t, "go", "tool", "test2json", program, "-test.v=test2json"))
			if cases < one.cases {
				t.Errorf("only %d cases", cases)
			}
		})
	}
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

// reportCases has a subtest for each case of upstream's tables, and returns their number.
func reportCases(t *testing.T, output []byte) int {
	t.Helper()
	texts, tables, cases, passed := map[string]string{}, map[string]bool{}, 0, 0
	for decoder := json.NewDecoder(bytes.NewReader(output)); decoder.More(); {
		var one event
		if err := decoder.Decode(&one); err != nil {
			t.Fatalf("%v\n%s", err, output)
		}
		texts[one.Test] += one.Output
		table, _, _ := strings.Cut(one.Test, "/")
		tables[table] = tables[table] || table != one.Test
		isCase := one.Test != "" && (table != one.Test || !tables[table])
		if !isCase || !slices.Contains([]string{"pass", "fail", "skip"}, one.Action) {
			continue
		}
		cases++
		if t.Run(one.Test, func(t *testing.T) {
			if one.Action != "pass" {
				t.Errorf("%s\n%s", one.Action, texts[one.Test])
			}
		}) {
			passed++
		}
	}
	t.Logf("%d of %d cases of upstream's tests pass", passed, cases)
	return cases
}
