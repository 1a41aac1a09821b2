// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
	"testing"

	admissionv1 "k8s.io/api/admission/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/webhook/admission"

	"libgang.dev/gang"
	"libgang.dev/gang/k8sgang/apply"
)

func policyObject(t *testing.T, name, text string) *unstructured.Unstructured {
	t.Helper()
	object := parse(t, text)
	object.SetName(name)
	object.SetGeneration(1)
	return object
}

func submit(t *testing.T, object *unstructured.Unstructured) admission.Response {
	t.Helper()
	text, err := json.Marshal(object)
	if err != nil {
		t.Fatal(err)
	}
	return validate(t.Context(), admission.Request{AdmissionRequest: admissionv1.AdmissionRequest{
		Operation: admissionv1.Create, Object: runtime.RawExtension{Raw: text}}})
}

// All errors are told at once, with path and hint; a field that the schema does not know is one. The
// server's own fields are none.
func TestPolicyIsValidated(t *testing.T) {
	good := policyObject(t, "good", policyOf("volcano", ""))
	good.SetUID("u")
	good.SetResourceVersion("7")
	good.SetManagedFields([]metav1.ManagedFieldsEntry{{Manager: "kubectl"}})
	good.SetAnnotations(map[string]string{"a": "b"})
	good.Object["status"] = map[string]any{"stamp": "x"}
	if response := submit(t, good); !response.Allowed || len(response.Warnings) != 0 {
		t.Errorf("%+v", response)
	}
	wrong := policyObject(t, "wrong", policyOf("volcano", "  rulez: []\n  defaults: {membres: All}\n"))
	response := submit(t, wrong)
	for _, word := range []string{"spec.rulez", `did you mean "rules"?`, "spec.defaults.membres",
		`did you mean "members"?`, "[GANG301]"} {
		if response.Allowed || !strings.Contains(response.Result.Message, word) {
			t.Errorf("%q: %+v", word, response.Result)
		}
	}
	doubtful := policyObject(t, "doubtful", policyOf("volcano",
		"  rules:\n  - {name: all, match: {}, action: Skip}\n  - {name: late, match: {}, action: Skip}\n"))
	response = submit(t, doubtful)
	if !response.Allowed || len(response.Warnings) != 1 ||
		!strings.HasPrefix(response.Warnings[0], "spec.rules[1]: no job reaches the rule late") {
		t.Errorf("%+v", response)
	}
	cluster := policyObject(t, "cluster", clusterFacts)
	if response := submit(t, cluster); !response.Allowed {
		t.Errorf("%+v", response.Result)
	}
	unstructured.RemoveNestedField(cluster.Object, "spec", "kubernetesVersion")
	cluster.Object["spec"].(map[string]any)["kubernetesVersions"] = "1.36"
	if response := submit(t, cluster); response.Allowed {
		t.Error("a misspelt fact")
	}
}

func (w *world) statusOf(kind string, writer *statusWriter) (writtenStatus, metav1.Condition,
	metav1.Condition) {
	w.Helper()
	if _, err := writer.Reconcile(w.Context(),
		ctrl.Request{NamespacedName: client.ObjectKey{Name: kind}}); err != nil {
		w.Fatal(err)
	}
	object, read := apply.New(writer.kind), writtenStatus{}
	if err := w.client.Get(w.Context(), client.ObjectKey{Name: kind}, object); err != nil {
		w.Fatal(err)
	}
	fields, _, _ := unstructured.NestedMap(object.Object, "status")
	if err := runtime.DefaultUnstructuredConverter.FromUnstructured(fields, &read); err != nil {
		w.Fatal(err)
	}
	if len(read.Conditions) != 2 {
		w.Fatalf("%+v", read)
	}
	return read, read.Conditions[0], read.Conditions[1]
}

// The GangPolicy that the settings name is in force, else the ConfigMap. Others say that they are
// not, and why.
func TestPolicyInForce(t *testing.T) {
	w := newWorld(t, policyOf("volcano", ""))
	w.policy.served = true
	writer := &statusWriter{client: w.client, kind: policyKind, chosen: w.policy.name.Name,
		origin: w.policy.origin}
	backend := func() string {
		plans, err := w.planner.Plans(t.Context(), w.client, w.get(trainJobKind, theJob.Name))
		if err != nil {
			t.Fatal(err)
		}
		defer apply.Close(plans)
		document, err := plans[0].Document()
		if err != nil {
			t.Fatal(err)
		}
		return document.Backend.Name
	}
	w.create(policyObject(t, "staged", policyOf("workload", "")))
	if backend() != "volcano" {
		t.Error("a policy of another name is in force")
	}
	_, valid, used := w.statusOf("staged", writer)
	if valid.Status != "True" || used.Status != "False" || used.Reason != "OtherName" ||
		!strings.HasPrefix(used.Message, "the ConfigMap libgang-system/gang-policy is in force") {
		t.Errorf("%+v %+v", valid, used)
	}
	shadowing := policyOf("coscheduling", "  rules:\n  - {name: all, match: {namespaces: [none]}}\n"+
		"  - {name: late, match: {namespaces: [none]}}\n")
	w.create(policyObject(t, "gang-policy", shadowing))
	if backend() != "coscheduling" {
		t.Error("the GangPolicy is not in force")
	}
	read, valid, used := w.statusOf("gang-policy", writer)
	if used.Status != "True" || read.Stamp == "" || read.ObservedGeneration != 1 ||
		!slices.Equal(read.UnreachableRules, []string{"late"}) ||
		!strings.Contains(valid.Message, "late") {
		t.Errorf("%+v", read)
	}
	_, _, used = w.statusOf("staged", writer)
	if !strings.HasPrefix(used.Message, "the GangPolicy gang-policy is") {
		t.Errorf("%+v", used)
	}
	// The same text has the same stamp wherever it is read.
	same, err := gang.Parse([]byte(mustJSON(t, policyObject(t, "gang-policy", shadowing))))
	if err != nil || same.Stamp() != read.Stamp {
		t.Errorf("%s instead of %s: %v", read.Stamp, same.Stamp(), err)
	}
}

// A policy of another name says what it would decide otherwise about the jobs that exist, as their
// authors wrote them: neither their marks nor the children of jobs count.
func TestComparison(t *testing.T) {
	w := newWorld(t, policyOf("volcano", ""))
	w.policy.served = true
	job := w.submitted(parse(t, indexedJob))
	w.create(owned(parse(t, strings.ReplaceAll(indexedJob, job.GetName(), "part")), w.submitted(
		parse(t, plainJobSet))))
	kinds := []*jobKind{rowOf("trainer.kubeflow.org/v1alpha1", "TrainJob"),
		rowOf("batch/v1", "Job"), rowOf("jobset.x-k8s.io/v1alpha2", "JobSet")}
	writer := &statusWriter{client: w.client, kind: policyKind, chosen: w.policy.name.Name,
		origin: w.policy.origin, planner: w.planner, kinds: kinds}
	for rest, expected := range map[string][]string{
		"": nil,
		"  rules:\n  - {name: jobs, match: {kinds: [Job]}, action: Skip}\n": {
			"Job ml/sweep: 3 of 3 pods by volcano; with this policy: no gang"},
		"  rules:\n  - {name: jobs, match: {kinds: [Job]}, queue: {name: blue}}\n": {
			"Job ml/sweep: 3 of 3 pods by volcano; with this policy: " +
				"3 of 3 pods by volcano in the queue blue"},
		"  rules:\n  - {name: jobs, match: {kinds: [Job]}, priorityClassName: {name: high}}\n": {
			"Job ml/sweep: 3 of 3 pods by volcano; with this policy: " +
				"the same, with other objects or marks"},
		"  rules:\n  - {name: jobs, match: {kinds: [Job]}, action: Deny}\n": {
			"Job ml/sweep: 3 of 3 pods by volcano; with this policy: refused: GANG670 RuleDenies"},
	} {
		other := policyObject(t, "other", policyOf("volcano", rest))
		w.create(other)
		read, _, _ := w.statusOf("other", writer)
		if one := read.Comparison; one == nil || one.Jobs != 3 || one.Changed != len(expected) ||
			!slices.Equal(one.Examples, expected) {
			t.Errorf("%s: %+v", rest, one)
		}
		if err := w.client.Delete(t.Context(), other); err != nil {
			t.Fatal(err)
		}
	}
}

// A policy that becomes invalid behind the webhook's back: the last valid one stays.
func TestInvalidStoredPolicy(t *testing.T) {
	w := newWorld(t, policyOf("volcano", ""))
	w.policy.served = true
	writer := &statusWriter{client: w.client, kind: policyKind, chosen: w.policy.name.Name,
		origin: w.policy.origin}
	object := policyObject(t, "gang-policy", policyOf("coscheduling", ""))
	w.create(object)
	before, err := w.policy.current(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	object.Object["spec"].(map[string]any)["rulez"] = int64(1)
	if err := w.client.Update(t.Context(), object); err != nil {
		t.Fatal(err)
	}
	if after, err := w.policy.current(t.Context()); err != nil || after != before {
		t.Errorf("%v %v", after, err)
	}
	if event := w.event(); !strings.Contains(event, "InvalidGangPolicy") {
		t.Error(event)
	}
	read, valid, used := w.statusOf("gang-policy", writer)
	if valid.Status != "False" || !strings.Contains(valid.Message, "spec.rulez") ||
		used.Reason != "Invalid" || read.Stamp != "" {
		t.Errorf("%+v", read)
	}
	// A second round has nothing to write.
	versionOf := func() string {
		if err := w.client.Get(t.Context(), client.ObjectKeyFromObject(object), object); err != nil {
			t.Fatal(err)
		}
		return object.GetResourceVersion()
	}
	version := versionOf()
	w.statusOf("gang-policy", writer)
	if versionOf() != version {
		t.Error("the status was written again")
	}
}

// What the administrator writes into the GangCluster takes the place of what was found.
func TestKnownFacts(t *testing.T) {
	w := newWorld(t, policyOf("volcano", ""))
	known := (&settings{Cluster: "cluster"}).knownFacts(w.client)
	if fields, err := known(t.Context()); err != nil || fields != nil {
		t.Errorf("%v %v", fields, err)
	}
	w.create(policyObject(t, "cluster", clusterFacts))
	if fields, err := known(t.Context()); err != nil || fields["kubernetesVersion"] != "1.36" {
		t.Errorf("%v %v", fields, err)
	}
	writer := &statusWriter{client: w.client, kind: clusterKind, chosen: "cluster",
		origin: func(context.Context) string { return "" }}
	if _, valid, used := w.statusOf("cluster", writer); valid.Status != "True" || used.Status != "True" {
		t.Errorf("%+v %+v", valid, used)
	}
}

func mustJSON(t *testing.T, object *unstructured.Unstructured) string {
	t.Helper()
	text, err := json.Marshal(map[string]any{"apiVersion": object.GetAPIVersion(),
		"kind": object.GetKind(), "metadata": map[string]any{"name": object.GetName()},
		"spec": object.Object["spec"]})
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
