// SPDX-License-Identifier: Apache-2.0

package seams

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"libgang.dev/tests/overlay"
)

// TestCosts runs benchmarks of what only the package of the operator can call, beside the adapter.
func TestCosts(t *testing.T) {
	if os.Getenv("LIBGANG_COSTS") == "" {
		t.Skip("LIBGANG_COSTS=1 ./dev adapters runs it: the times are those of one machine")
	}
	for _, one := range []struct{ module, pkg, file string }{
		{"github.com/kubeflow/mpi-operator", "pkg/controller", "mpi_test.go"},
		{spark, "internal/scheduler/volcano", "spark_test.go"},
	} {
		file, err := filepath.Abs(filepath.Join("testdata/costs", one.file))
		if err != nil {
			t.Fatal(err)
		}
		shown := overlay.Module{Path: one.module, Home: ".",
			Files: map[string]string{one.pkg + "/costs_test.go": file}}
		work := t.TempDir()
		program := filepath.Join(work, "tests")
		if err := shown.Go(work, "test", "-c", "-vet=off", "-tags", "libgang_wasm", "-o", program,
			one.module+"/"+one.pkg); err != nil {
			t.Fatal(err)
		}
		output, err := exec.Command(program, "-test.run=^$", "-test.bench=.",
			"-test.benchtime=3000x").CombinedOutput()
		t.Logf("%s\n%s", one.module, output)
		if err != nil {
			t.Error(err)
		}
	}
}
