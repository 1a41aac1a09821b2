// SPDX-License-Identifier: Apache-2.0

package apply

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/go-logr/logr/funcr"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/version"
	fakediscovery "k8s.io/client-go/discovery/fake"
	"k8s.io/client-go/kubernetes/fake"
	clienttesting "k8s.io/client-go/testing"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/log"

	"libgang.dev/gang"
)

// serverOf136 returns the clients of a server of Kubernetes 1.36, and its discovery.
func serverOf136() (*fake.Clientset, *fakediscovery.FakeDiscovery) {
	clients := fake.NewClientset()
	server := clients.Discovery().(*fakediscovery.FakeDiscovery)
	server.FakedServerVersion = &version.Info{Major: "1", Minor: "36"}
	return clients, server
}

// While the server cannot answer, the last facts stay.
func TestFacts(t *testing.T) {
	clients, server := serverOf136()
	facts, err := NewFacts(t.Context(), clients, nil)
	if err != nil {
		t.Fatal(err)
	}
	first, err := facts.Current(t.Context())
	if err != nil || first.Type() != gang.DocumentCluster {
		t.Fatalf("%v %v", first, err)
	}
	server.PrependReactor("*", "*", func(clienttesting.Action) (bool, runtime.Object, error) {
		return true, nil, errors.New("away")
	})
	for _, made := range []time.Time{time.Now(), {}} {
		facts.made = made
		if second, err := facts.Current(t.Context()); err != nil || second != first {
			t.Errorf("%v %v", second, err)
		}
	}
	none := &Facts{Source: facts.Source}
	if document, err := none.Current(t.Context()); err == nil {
		t.Errorf("%v", document)
	}
}

// What somebody knows better takes the place of what was found; in maps each entry does.
func TestKnownFacts(t *testing.T) {
	clients, _ := serverOf136()
	facts, err := NewFacts(t.Context(), clients, nil)
	if err != nil {
		t.Fatal(err)
	}
	facts.Source.Components = map[string]string{"jobset": "v0.12.0"}
	specWith := func(known map[string]any) map[string]any {
		facts.Known = func(context.Context) (map[string]any, error) { return known, nil }
		text, err := facts.text(t.Context())
		document := struct{ Spec map[string]any }{}
		if err = errors.Join(err, json.Unmarshal(text, &document)); err != nil {
			t.Fatal(err)
		}
		return document.Spec
	}
	wanted := specWith(nil)
	if wanted["kubernetesVersion"] != "1.36" || len(wanted) < 5 {
		t.Errorf("%v", wanted)
	}
	spec := specWith(map[string]any{"kubernetesVersion": "1.37", "queues": []any{},
		"components": map[string]any{"volcano": "v1.15.0"}})
	wanted["kubernetesVersion"], wanted["queues"] = "1.37", []any{}
	wanted["components"] = map[string]any{"jobset": "v0.12.0", "volcano": "v1.15.0"}
	if !reflect.DeepEqual(spec, wanted) {
		t.Errorf("%v", spec)
	}
	before, err := facts.Current(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	specWith(map[string]any{"kubernetesVersion": []any{}})
	facts.made = time.Time{}
	if after, err := facts.Current(t.Context()); err != nil || after != before {
		t.Errorf("facts that cannot be read: %v %v", after, err)
	}
	facts.Known = func(context.Context) (map[string]any, error) {
		t.Error("asked again within ten seconds")
		return nil, nil
	}
	if after, err := facts.Current(t.Context()); err != nil || after != before {
		t.Errorf("%v %v", after, err)
	}
}

// A planner of one policy plans with it. NewPlanner reports an error of the policy, and a context
// that ends before the lists of the server come.
func TestNewPlanner(t *testing.T) {
	clients, _ := serverOf136()
	policy := []byte("apiVersion: policy.libgang.dev/v1alpha1\nkind: GangPolicy\n" +
		"metadata: {name: one}\nspec: {backends: [{name: own, type: Koordinator}],\n" +
		"  defaultBackend: own}\n")
	planner, err := NewPlanner(t.Context(), policy, clients, nil)
	if err != nil {
		t.Fatal(err)
	}
	plan, err := planner.Plan(t.Context(), nil, object(t, stages), 0)
	if err != nil {
		t.Fatal(err)
	}
	defer plan.Close()
	if text, err := plan.Explain(); err != nil || !strings.Contains(text, "koord-scheduler") {
		t.Errorf("%s %v", text, err)
	}
	wrong := bytes.Replace(policy, []byte("backends"), []byte("backend"), 1)
	if planner, err := NewPlanner(t.Context(), wrong, clients, nil); err == nil {
		t.Errorf("%v", planner)
	}
	ended, end := context.WithCancel(t.Context())
	end()
	if planner, err := NewPlanner(ended, policy, clients, nil); err == nil {
		t.Errorf("%v", planner)
	}
}

// away is a server that does not answer.
type away struct{ client.Reader }

func (away) Get(context.Context, client.ObjectKey, client.Object, ...client.GetOption) error {
	return context.DeadlineExceeded
}

// A CRD of JobSet that drops the mark is a fact, also after it was replaced.
func TestPodFieldsOfJobSet(t *testing.T) {
	w := newWorld(t, "workload")
	facts := &Facts{Reader: w.client}
	logged := ""
	logger := funcr.New(func(_, line string) { logged += line }, funcr.Options{})
	facts.readPodFields(log.IntoContext(t.Context(), logger))
	if facts.Source.PodTemplateFields != nil || logged != "" {
		t.Errorf("known without a CRD, or an error: %s", logged)
	}
	crd := New(crdKind)
	crd.SetName(jobSetCRD)
	crd.Object["spec"] = map[string]any{"versions": []any{map[string]any{"served": true}}}
	w.create(crd)
	facts.readPodFields(t.Context())
	if fields := facts.Source.PodTemplateFields; fields == nil || len(fields) != 0 {
		t.Errorf("%v", fields)
	}
	facts.Reader = away{w.client} // what is known stays
	facts.readPodFields(log.IntoContext(t.Context(), logger))
	if fields := facts.Source.PodTemplateFields; fields == nil || logged == "" {
		t.Errorf("%v %s", fields, logged)
	}
	facts.Reader = w.client
	open := map[string]any{"x-kubernetes-preserve-unknown-fields": true}
	crd.Object["spec"] = map[string]any{"versions": []any{map[string]any{"served": true,
		"schema": map[string]any{"openAPIV3Schema": open}}}}
	if err := w.client.Update(t.Context(), crd); err != nil {
		t.Fatal(err)
	}
	facts.readPodFields(t.Context())
	if fields := facts.Source.PodTemplateFields; !slices.Contains(fields, "schedulingGroup") {
		t.Errorf("%v", fields)
	}
	uid := crd.GetUID()
	if err := w.client.Delete(t.Context(), crd, client.Preconditions{UID: &uid}); err != nil {
		t.Fatal(err)
	}
	if facts.readPodFields(t.Context()); facts.Source.PodTemplateFields != nil {
		t.Error("known without the CRD")
	}
}

// The rules name the jobs and the objects of the backends that are asked for, and no Secret.
func TestRules(t *testing.T) {
	rules, err := Rules([]schema.GroupVersionKind{jobSetKind}, "volcano")
	if err != nil {
		t.Fatal(err)
	}
	allowed := map[string][]string{}
	for _, rule := range rules {
		for _, resource := range rule.Resources {
			allowed[rule.APIGroups[0]+"/"+resource] = rule.Verbs
		}
	}
	for resource, verbs := range map[string][]string{
		"jobset.x-k8s.io/jobsets":            {"get", "list", "watch"},
		"jobset.x-k8s.io/jobsets/finalizers": {"update"},
		"/pods":                              {"get", "list", "watch"},
		"scheduling.volcano.sh/podgroups":    {"create", "delete", "get", "list", "update", "watch"},
		"scheduling.x-k8s.io/podgroups":      nil,
		"/secrets":                           nil,
	} {
		if !slices.Equal(allowed[resource], verbs) {
			t.Errorf("%s: %v", resource, allowed[resource])
		}
	}
	if _, err := Rules(nil, "unknown"); err == nil {
		t.Error("an unknown backend")
	}
}
