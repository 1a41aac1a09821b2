// SPDX-License-Identifier: Apache-2.0

// Package world has what the tests of the adapters share.
package world

import (
	"context"
	"fmt"
	"syscall"
	"testing"

	"k8s.io/apimachinery/pkg/api/resource"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/fake"

	"libgang.dev/gang"
	"libgang.dev/gang/k8sgang/apply"
)

// Planner has a policy with one backend that reserves resources, in the queue research.
func Planner(t testing.TB, backend string) *apply.Planner {
	t.Helper()
	return PlannerWith(t, backend, "Always")
}

// PlannerWith has a policy that reserves resources always, never or where all pods exist at once.
func PlannerWith(t testing.TB, backend, reserve string) *apply.Planner {
	t.Helper()
	policy, err := gang.Parse([]byte(fmt.Sprintf(`{"apiVersion": "policy.libgang.dev/v1alpha1",
"kind": "GangPolicy", "metadata": {"name": "p"}, "spec": {
"backends": [{"name": "one", "type": %q}], "defaultBackend": "one",
"output": {"policyStamp": "Annotation"},
"defaults": {"reserve": %q, "queue": {"name": "research"}}}}`, backend, reserve)))
	if err != nil {
		t.Fatal(err)
	}
	inForce := func(context.Context) (*gang.Document, error) { return policy, nil }
	return &apply.Planner{Policy: inForce}
}

// Client is a fake one that knows the types and has the objects.
func Client(t testing.TB, types []func(*runtime.Scheme) error,
	objects ...client.Object) client.Client {
	t.Helper()
	scheme := runtime.NewScheme()
	for _, add := range types {
		if err := add(scheme); err != nil {
			t.Fatal(err)
		}
	}
	return fake.NewClientBuilder().WithScheme(scheme).WithObjects(objects...).Build()
}

// Group is a PodGroup in the namespace ml.
func Group(t testing.TB, c client.Client, apiVersion, name string) *unstructured.Unstructured {
	t.Helper()
	found := apply.New(schema.FromAPIVersionAndKind(apiVersion, "PodGroup"))
	if err := c.Get(t.Context(), client.ObjectKey{Namespace: "ml", Name: name}, found); err != nil {
		t.Fatal(err)
	}
	return found
}

// Quantity parses an amount.
func Quantity(text string) *resource.Quantity {
	amount := resource.MustParse(text)
	return &amount
}

// Minimum is that of a PodGroup of Volcano or coscheduling.
func Minimum(of *unstructured.Unstructured) int64 {
	value, _, _ := unstructured.NestedInt64(of.Object, "spec", "minMember")
	return value
}

// CPU reports the processor time of an operation, which other programs do not change much: call
// what it returns at the end of a benchmark.
func CPU(b *testing.B) func() {
	start := used()
	return func() { b.ReportMetric(float64(used()-start)/float64(b.N), "cpu-ns/op") }
}

func used() int64 {
	var usage syscall.Rusage
	_ = syscall.Getrusage(syscall.RUSAGE_SELF, &usage) // its arguments are right
	return usage.Utime.Nano() + usage.Stime.Nano()
}
