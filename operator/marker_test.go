// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"encoding/json"
	"strings"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/webhook/admission"
)

func (w *world) admit(object *unstructured.Unstructured) admission.Response {
	w.Helper()
	text, err := object.MarshalJSON()
	if err != nil {
		w.Fatal(err)
	}
	request := admission.Request{}
	request.Object.Raw = text
	return w.marker.Handle(w.Context(), request)
}

// Every role gets the scheduler, and only the four nodes get the mark of the gang.
func TestWebhookMarks(t *testing.T) {
	response := newWorld(t, policyOf("volcano", "")).admit(jobSet())
	marks, schedulers := 0, 0
	for _, patch := range response.Patches {
		text, _ := json.Marshal(patch.Value)
		switch {
		case strings.HasSuffix(patch.Path, "/schedulerName") && patch.Value == "volcano":
			schedulers++
		case contains(text, "scheduling.k8s.io/group-name", "llama") &&
			strings.Contains(patch.Path, "/template/"):
			marks++
		case patch.Path == "/metadata/annotations":
		default:
			t.Errorf("%s %s %s", patch.Operation, patch.Path, text)
		}
	}
	if !response.Allowed || marks != 1 || schedulers != 3 {
		t.Errorf("%d marks, %d schedulers: %+v", marks, schedulers, response)
	}
}

// The mark of Kubernetes' own gangs is a field that only the webhook can set.
func TestWebhookMarksForWorkload(t *testing.T) {
	response := newWorld(t, policyOf("workload", "")).admit(jobSet())
	text, err := json.Marshal(response.Patches)
	if err != nil || !response.Allowed || !contains(text, "schedulingGroup", "podGroupName") {
		t.Errorf("%s %v", text, err)
	}
}

func TestWebhookLeavesOthersAlone(t *testing.T) {
	foreign := jobSet() // of another controller
	foreign.SetOwnerReferences([]metav1.OwnerReference{{APIVersion: "example.com/v1", Kind: "Other",
		Name: "o", UID: "o", Controller: new(true)}})
	skipped := newWorld(t, policyOf("volcano", "  rules:\n  - {name: a, match: {}, action: Skip}\n"))
	ofTrainer := newWorld(t, policyOf("volcano", ""))
	ofTrainer.giveRuntimePodGroupPolicy()
	reported := newWorld(t, policyOf("volcano", ""))
	reported.acts = false
	for name, response := range map[string]admission.Response{
		"foreign":         skipped.admit(foreign),
		"skipped by rule": skipped.admit(jobSet()),
		"podGroupPolicy":  ofTrainer.admit(jobSet()),
		"only reported":   reported.admit(jobSet()),
	} {
		if !response.Allowed || len(response.Patches) > 0 {
			t.Errorf("%s: %+v", name, response)
		}
	}
}

func TestWebhookRefuses(t *testing.T) {
	rule := "  rules:\n  - {name: deny, match: {}, action: Deny, message: ask the administrators}\n"
	former := jobSet()
	owners := former.GetOwnerReferences()
	owners[0].UID = "another"
	former.SetOwnerReferences(owners)
	for name, one := range map[string]struct {
		response admission.Response
		code     int32
		message  string
	}{
		"denied": {newWorld(t, policyOf("volcano", rule)).admit(jobSet()), 403,
			"ask the administrators"},
		"no policy": {newWorld(t, "spec: {").admit(jobSet()), 500, "no valid GangPolicy"},
		"another job": {newWorld(t, policyOf("volcano", "")).admit(former), 500,
			"no TrainJob ml/llama with the uid another"},
		"no JSON": {newWorld(t, policyOf("volcano", "")).admit(&unstructured.Unstructured{
			Object: map[string]any{}}), 400, ""},
	} {
		result := one.response.Result
		if one.response.Allowed || result.Code != one.code ||
			!strings.Contains(result.Message, one.message) {
			t.Errorf("%s: %+v", name, result)
		}
	}
}

// A countingReader counts what is read, by kind.
type countingReader struct {
	client.Reader
	kinds map[string]int
}

func (r countingReader) Get(ctx context.Context, key client.ObjectKey, object client.Object,
	options ...client.GetOption) error {
	r.kinds[object.GetObjectKind().GroupVersionKind().Kind]++
	return r.Reader.Get(ctx, key, object, options...)
}

// Kinds of one operator have the same label. The controller of the pod says which one it is, and
// nothing is asked about the others.
func TestPodsAskForTheirOwnKindOnly(t *testing.T) {
	w := newWorld(t, policyOf("workload", ""))
	job := parse(t, `{apiVersion: kubeflow.org/v1, kind: JAXJob, metadata: {name: jax, namespace: ml,
  uid: u-1}, spec: {jaxReplicaSpecs: {Worker: {replicas: 2,
    template: {spec: {containers: [{name: jax, image: i}]}}}}}}`)
	job = w.submitted(job)
	counting := countingReader{w.client, map[string]int{}}
	w.marker.cached, w.marker.live = counting, counting
	w.marked(owned(pod("jax-worker-0", map[string]string{
		"training.kubeflow.org/job-name": "jax", "training.kubeflow.org/replica-type": "worker"}), job))
	if counting.kinds["JAXJob"] == 0 || counting.kinds["MPIJob"]+counting.kinds["PyTorchJob"] > 0 {
		t.Error(counting.kinds)
	}
}

// A staleReader is a cache that still has an earlier object of the same name.
type staleReader struct {
	client.Reader
	former *unstructured.Unstructured
}

func (r staleReader) Get(ctx context.Context, key client.ObjectKey, object client.Object,
	options ...client.GetOption) error {
	read, _ := object.(*unstructured.Unstructured)
	if read != nil && read.GetKind() == r.former.GetKind() && key.Name == r.former.GetName() {
		r.former.DeepCopyInto(read)
		return nil
	}
	return r.Reader.Get(ctx, key, object, options...)
}

// A job is created again under its name, and the cache is late: the pods and children are those of
// the job that their owner reference means. One whose job is gone is not marked as of another one.
func TestJobIsCreatedAgain(t *testing.T) {
	w := newWorld(t, policyOf("workload", ""))
	former := parse(t, indexedJob)
	former.SetUID("former")
	former = w.marked(former)
	job := w.submitted(parse(t, indexedJob))
	right := text(w.marked(owned(pod("sweep-0", nil), job)).Object["spec"])
	w.marker.cached = staleReader{w.client, former}
	if found := text(w.marked(owned(pod("sweep-0", nil), job)).Object["spec"]); found != right {
		t.Errorf("%s instead of %s", found, right)
	}
	w.marker.cached = w.client
	err := w.marker.mark(t.Context(), owned(pod("sweep-0", nil), former))
	if err == nil || !strings.Contains(err.Error(), "no Job ml/sweep with the uid former") {
		t.Error(err)
	}
	ray := parse(t, rayJob)
	ray.SetUID("former")
	ray = w.marked(ray)
	again := w.submitted(parse(t, rayJob))
	w.marker.cached = staleReader{w.client, ray}
	w.marked(rayClusterOf(t, again))
}
