// SPDX-License-Identifier: Apache-2.0

package gang_test

import (
	"testing"

	"libgang.dev/gang"
)

// BenchmarkRender is one job with a runtime that is parsed already, to its objects and patches.
func BenchmarkRender(b *testing.B) {
	runtime := parse(b, runtimeJSON)
	b.ReportAllocs()
	for b.Loop() {
		job := parse(b, jobJSON)
		plan, err := gang.Render(job, runtime)
		if err != nil || len(plan.Objects()) != 1 || len(plan.Patches()) != 1 {
			b.Fatal(plan, err)
		}
		plan.Close()
		job.Close()
	}
}
