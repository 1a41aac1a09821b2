// SPDX-License-Identifier: Apache-2.0

//go:build bench

// Package bench compares the time that the real operator and libgang take for one job, in one run.
package bench

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"syscall"
	"testing"

	trainer "github.com/kubeflow/trainer/v2/pkg/apis/trainer/v1alpha1"
	"libgang.dev/gang"
	"libgang.dev/tests/parity/upstream"
	"sigs.k8s.io/yaml"
)

const jobText = `{"apiVersion":"trainer.kubeflow.org/v1alpha1","kind":"TrainJob","metadata":{"name":"train",` +
	`"namespace":"ml","uid":"5f3c2c1e-0000-4000-8000-000000000001"},"spec":{"runtimeRef":{"name":%q},` +
	`"trainer":{"numNodes":4,"resourcesPerNode":{"requests":{"cpu":"2","nvidia.com/gpu":"8"}}}}}`

// BenchmarkJob has, for each runtime that the operator ships, one job by
//
//	operator  the operator's plugins, from the typed job to all its objects
//	typed     libgang, from the typed job to objects and patches: the job is encoded as JSON first
//	bytes     libgang, from the job as JSON to objects and patches
//	text      libgang, from the job as JSON to the objects as one JSON text
//
// The work is that of one reconcile. The operator's part has a typed job, gets the stored typed
// runtime as a copy from its client, which has a map in place of a network, and makes the typed
// PodGroup and JobSet with the marks; nothing is written to a server, and nothing is encoded.
// libgang's part parses the job, holds the runtime parsed, as the operator's client holds it typed,
// and makes the PodGroup as JSON and the marks of every role as maps; it makes no JobSet, because it
// is there to be used beside the operator, which does. `copy` is the part of the operator's time
// that the copy of the runtime takes. `typed` is the fair comparison for a controller that gets typed
// jobs from a cache, `bytes` for one that gets JSON, a webhook.
func BenchmarkJob(b *testing.B) {
	moduleDir, err := upstream.ModuleDir()
	if err != nil {
		b.Fatal(err)
	}
	operator, err := upstream.New(context.Background(), moduleDir)
	if err != nil {
		b.Fatal(err)
	}
	shipped, err := upstream.ShippedRuntimes(moduleDir)
	if err != nil {
		b.Fatal(err)
	}
	for _, one := range shipped {
		name := strings.TrimSuffix(one.Name, ".yaml")
		b.Run(name, func(b *testing.B) { benchmarkRuntime(b, operator, one) })
	}
}

var copied *trainer.TrainingRuntimeSpec // so that the compiler keeps the copy

func benchmarkRuntime(b *testing.B, operator *upstream.Operator, shipped upstream.ShippedRuntime) {
	runtimeText, job := documents(b, shipped)
	outcome := operator.Run(context.Background(), runtimeText, job)
	if outcome.Stage != upstream.StageRendered {
		b.Skipf("%s: %v", outcome.Stage, outcome.Errors)
	}
	runtime, err := gang.Parse(runtimeText)
	if err != nil {
		b.Fatal(err)
	}
	b.Run("operator", func(b *testing.B) {
		defer reportProcessor(b)()
		for b.Loop() {
			if err := operator.Build(context.Background(), outcome); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("copy", func(b *testing.B) {
		defer reportProcessor(b)()
		for b.Loop() {
			copied = outcome.Spec.DeepCopy()
		}
	})
	b.Run(gang.Engine()+"/typed", func(b *testing.B) {
		defer reportProcessor(b)()
		for b.Loop() {
			text, err := json.Marshal(outcome.Job)
			if err != nil {
				b.Fatal(err)
			}
			render(b, text, runtime, nil)
		}
	})
	b.Run(gang.Engine()+"/bytes", func(b *testing.B) {
		defer reportProcessor(b)()
		for b.Loop() {
			render(b, job, runtime, nil)
		}
	})
	b.Run(gang.Engine()+"/text", func(b *testing.B) {
		defer reportProcessor(b)()
		for b.Loop() {
			render(b, job, runtime, func(plan *gang.Plan) error {
				_, err := plan.Serialize(gang.TargetObjects, gang.FormatJSON)
				return err
			})
		}
	})
}

// reportProcessor adds the time of the processor, of all threads with the collector's. On a busy
// machine it says more than the time of the clock.
func reportProcessor(b *testing.B) func() {
	start := processorTime(b)
	return func() { b.ReportMetric(float64(processorTime(b)-start)/float64(b.N), "cpu-ns/op") }
}

func processorTime(b *testing.B) int64 {
	var usage syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage); err != nil {
		b.Fatal(err)
	}
	return usage.Utime.Nano() + usage.Stime.Nano()
}

func render(b *testing.B, job []byte, runtime *gang.Document, then func(*gang.Plan) error) {
	document, err := gang.Parse(job)
	if err != nil {
		b.Fatal(err)
	}
	plan, err := gang.Render(document, runtime)
	if err != nil {
		b.Fatal(err)
	}
	if len(plan.Objects()) != 1 || len(plan.Patches()) == 0 {
		b.Fatal("no PodGroup, or no marks")
	}
	if then != nil {
		if err := then(plan); err != nil {
			b.Fatal(err)
		}
	}
	plan.Close()
	document.Close()
}

// documents is a shipped runtime with Volcano's policy, and a job for it.
func documents(b *testing.B, shipped upstream.ShippedRuntime) (runtime, job []byte) {
	policy := strings.Replace(string(shipped.YAML), "\nspec:\n", "\nspec:\n  podGroupPolicy: {volcano: {}}\n", 1)
	text, err := yaml.YAMLToJSON([]byte(policy))
	if err != nil {
		b.Fatal(err)
	}
	var head struct{ Metadata struct{ Name string } }
	if err := json.Unmarshal(text, &head); err != nil {
		b.Fatal(err)
	}
	return text, fmt.Appendf(nil, jobText, head.Metadata.Name)
}
