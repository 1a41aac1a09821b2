// SPDX-License-Identifier: Apache-2.0

package parity

import (
	"path/filepath"
	"slices"
	"testing"

	// What upstream's tests import, so that go.sum knows it.
	_ "github.com/kubeflow/trainer/v2/pkg/util/testing"
	_ "k8s.io/klog/v2/ktesting"

	"libgang.dev/tests/overlay"
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
// Volcano. Then the plugins do nothing: a case that passes all the same says nothing about libgang.
func TestPlugins(t *testing.T) {
	shown := overlay.Module{Path: trainerModule, Home: ".", Files: map[string]string{}}
	for _, name := range []string{"coscheduling/coscheduling.go", "volcano/volcano.go"} {
		instead, err := filepath.Abs(filepath.Join("plugin/testdata", name))
		if err != nil {
			t.Fatal(err)
		}
		shown.Files[filepath.Join(plugins, name)] = instead
	}
	work := t.TempDir()
	program := filepath.Join(work, "tests")
	cases, noticing := 0, 0
	for _, one := range tested {
		t.Run(one.name, func(t *testing.T) {
			for _, engine := range engines {
				if err := shown.Go(work, "test", "-c", "-vet=off", "-tags", "libgang_"+engine, "-o",
					program,
					trainerModule+"/"+one.name); err != nil {
					t.Error(err)
				}
				t.Run(engine, func(t *testing.T) {
					reportCases(t, runCases(t, program), one.cases)
				})
			}
			t.Setenv(pluginOff, "1")
			all := runCases(t, program)
			failing := slices.DeleteFunc(slices.Clone(all),
				func(c overlay.Result) bool { return c.Passed })
			if len(failing) < one.noticing {
				t.Errorf("only %d cases can notice libgang", len(failing))
			}
			t.Logf("%d of %d cases can notice libgang", len(failing), len(all))
			cases, noticing = cases+len(all), noticing+len(failing)
		})
	}
	t.Logf("%d of %d cases of upstream's tests can notice libgang: the others pass without it, too", noticing, cases)
}

// runCases runs a program of upstream's tests.
func runCases(t *testing.T, program string) []overlay.Result {
	t.Helper()
	results, err := overlay.Run(program, "")
	if err != nil {
		t.Fatal(err)
	}
	return overlay.Cases(results)
}

// reportCases has a subtest for each case.
func reportCases(t *testing.T, cases []overlay.Result, atLeast int) {
	t.Helper()
	if len(cases) < atLeast {
		t.Errorf("only %d cases", len(cases))
	}
	for _, one := range cases {
		t.Run(one.Name, func(t *testing.T) {
			if !one.Passed {
				t.Error(one.Output)
			}
		})
	}
}
