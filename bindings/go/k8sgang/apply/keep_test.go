// SPDX-License-Identifier: Apache-2.0

package apply

import (
	"context"
	"fmt"
	"strings"
	"testing"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/fake"
	"sigs.k8s.io/controller-runtime/pkg/client/interceptor"

	"libgang.dev/gang"
	"libgang.dev/gang/k8sgang"
)

// keep plans the second gang of the JobSet, that of the workers, and carries it out.
func keep(t *testing.T, keeper *Keeper, backend string, with ...gang.Option) (bool, error) {
	t.Helper()
	return keepJob(t, keeper, backend, object(t, stages), with...)
}

func keepJob(t *testing.T, keeper *Keeper, backend string, job *unstructured.Unstructured,
	with ...gang.Option) (bool, error) {
	t.Helper()
	planner := &Planner{
		Policy: func(context.Context) (*gang.Document, error) {
			return k8sgang.ParseYAML([]byte(`{apiVersion: policy.libgang.dev/v1alpha1, kind: GangPolicy,
metadata: {name: p}, spec: {backends: [{name: b, type: ` + backend + `}], defaultBackend: b}}`))
		},
		Facts: func(context.Context) (*gang.Document, error) { return gang.Parse([]byte(clusterFacts)) },
	}
	plan, err := planner.Plan(t.Context(), keeper.Client, job, 1)
	if err != nil {
		t.Fatal(err)
	}
	defer plan.Close()
	made := func(o *unstructured.Unstructured) {
		o.SetAnnotations(map[string]string{"made": "by the operator"})
	}
	return keeper.Keep(t.Context(), plan, []*unstructured.Unstructured{job}, made, with...)
}

// The PodGroup names the uid of its Workload, which one call creates both.
func TestKeepWorkload(t *testing.T) {
	keeper := &Keeper{Client: fake.NewClientBuilder().Build()}
	if wrote, err := keep(t, keeper, "Workload"); !wrote || err != nil {
		t.Fatal(wrote, err)
	}
	for _, kind := range testKinds[2:4] {
		found, err := List(t.Context(), keeper.Client, kind)
		if err != nil || len(found) != 1 || found[0].GetAnnotations()["made"] == "" {
			t.Errorf("%s: %v %v", kind.Kind, found, err)
		}
	}
	if wrote, err := keep(t, keeper, "Workload"); wrote || err != nil {
		t.Error(wrote, err)
	}
}

// The cache of a manager does not have what was just created.
func TestKeepBehindACache(t *testing.T) {
	empty := fake.NewClientBuilder().Build()
	w := newWorld(t, "workload")
	keeper := &Keeper{Client: interceptor.NewClient(w.client, interceptor.Funcs{
		Get: func(ctx context.Context, _ client.WithWatch, key client.ObjectKey, into client.Object,
			options ...client.GetOption) error {
			return empty.Get(ctx, key, into, options...)
		}})}
	if wrote, err := keep(t, keeper, "Workload"); !wrote || err != nil || w.created != 2 {
		t.Error(wrote, err, w.writes)
	}
}

// An object of another owner is left alone, and one without a controller is adopted if it may be.
func TestKeepConflict(t *testing.T) {
	for _, one := range []struct {
		owners []metav1.OwnerReference
		with   []gang.Option
		kept   bool
	}{
		{[]metav1.OwnerReference{{APIVersion: "v1", Kind: "Pod", Name: "x", UID: "u", Controller: new(bool)}}, nil, false},
		{nil, []gang.Option{gang.Adopt()}, true},
	} {
		for i := range one.owners {
			*one.owners[i].Controller = true
		}
		foreign := New(volcanoKind)
		foreign.SetNamespace("ml")
		foreign.SetName("bert-s1")
		foreign.SetOwnerReferences(one.owners)
		keeper := &Keeper{Client: fake.NewClientBuilder().WithObjects(foreign).Build()}
		wrote, err := keep(t, keeper, "Volcano", one.with...)
		if wrote != one.kept || (err == nil) != one.kept {
			t.Errorf("wrote %v: %v", wrote, err)
		}
		if !one.kept && len(k8sgang.Diagnostics(err)) == 0 {
			t.Errorf("no diagnostics: %v", err)
		}
	}
}

// A larger job needs a larger PodGroup, whose size is immutable. While its pods exist the group
// stays, and the operator goes on; without them, and where they cannot be read, it is made again.
func TestKeepWhilePodsExist(t *testing.T) {
	for _, one := range []struct {
		of     string // of the pods
		denied bool
		wrote  bool
	}{{"the group", false, false}, {"another group", false, true}, {"the group", true, true}} {
		server := fake.NewClientBuilder().Build()
		keeper := &Keeper{Client: interceptor.NewClient(server, interceptor.Funcs{
			List: func(ctx context.Context, c client.WithWatch, list client.ObjectList,
				options ...client.ListOption) error {
				if one.denied {
					return apierrors.NewForbidden(schema.GroupResource{Resource: "pods"}, "", nil)
				}
				return c.List(ctx, list, options...)
			}})}
		if _, err := keep(t, keeper, "Workload"); err != nil {
			t.Fatal(err)
		}
		groups, err := List(t.Context(), server, groupKind)
		if err != nil || len(groups) != 1 {
			t.Fatal(groups, err)
		}
		name := map[string]string{"the group": groups[0].GetName()}[one.of]
		for i := range 2 {
			pod := object(t, `{apiVersion: v1, kind: Pod, metadata: {namespace: ml}, spec: {nodeName: one,
schedulingGroup: {podGroupName: "`+name+`"}, containers: [{name: c, image: i}]}, status: {phase: Running}}`)
			pod.SetName(fmt.Sprint("bert-", i))
			if err := server.Create(t.Context(), pod); err != nil {
				t.Fatal(err)
			}
		}
		larger := object(t, strings.Replace(stages, "replicas: 2", "replicas: 3", 1))
		wrote, err := keepJob(t, keeper, "Workload", larger)
		if wrote != one.wrote || err != nil {
			t.Errorf("%+v: %v %v", one, wrote, err)
		}
		left, err := List(t.Context(), server, groupKind)
		if err != nil || (len(left) == 0) != one.wrote {
			t.Errorf("%+v: %v %v", one, left, err)
		}
	}
}

// Only the objects that are meant are deleted, of the kinds that the cluster has.
func TestDelete(t *testing.T) {
	var objects []client.Object
	for _, name := range []string{"ours", "other"} {
		for _, namespace := range []string{"ml", "dev"} {
			made := New(volcanoKind)
			made.SetName(name)
			made.SetNamespace(namespace)
			objects = append(objects, made)
		}
	}
	keeper := &Keeper{Client: fake.NewClientBuilder().WithObjects(objects...).Build(),
		Kinds: []schema.GroupVersionKind{volcanoKind}}
	isOurs := func(o *unstructured.Unstructured) bool { return o.GetName() == "ours" }
	if err := keeper.Delete(t.Context(), "ml", isOurs); err != nil {
		t.Fatal(err)
	}
	left, err := List(t.Context(), keeper.Client, volcanoKind)
	if err != nil || len(left) != 3 {
		t.Errorf("%v %v", left, err)
	}
	found, err := keeper.Objects(t.Context(), "dev", isOurs)
	if err != nil || len(found) != 1 || found[0].GetNamespace() != "dev" {
		t.Errorf("%v %v", found, err)
	}
}
