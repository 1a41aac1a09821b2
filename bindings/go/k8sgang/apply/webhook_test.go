// SPDX-License-Identifier: Apache-2.0

package apply

import (
	"context"
	"encoding/json"
	"errors"
	"reflect"
	"strings"
	"testing"

	admissionv1 "k8s.io/api/admission/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"sigs.k8s.io/controller-runtime/pkg/webhook/admission"

	"libgang.dev/gang"
)

func raw(t *testing.T, object *unstructured.Unstructured) []byte {
	t.Helper()
	text, err := object.MarshalJSON()
	if err != nil {
		t.Fatal(err)
	}
	return text
}

func (w *world) hook() *Webhook {
	return &Webhook{Job: gang.DocumentJob, Other: field.NewPath("spec"),
		Mark: func(ctx context.Context, job *unstructured.Unstructured) error {
			return w.reconciler.Planner.Mark(ctx, w.client, job)
		}}
}

// admit sends a new object, or the change of a former one.
func (w *world) admit(former, object *unstructured.Unstructured) admission.Response {
	w.Helper()
	request := admission.Request{}
	request.Operation = admissionv1.Create
	if former != nil {
		request.Operation, request.OldObject.Raw = admissionv1.Update, raw(w.T, former)
	}
	request.Object.Raw, request.Kind.Kind = raw(w.T, object), object.GetKind()
	return w.hook().Handle(w.Context(), request)
}

func text(value any) string {
	data, _ := json.Marshal(value)
	return string(data)
}

// Each gang has its own mark, in one object.
func TestWebhookMarks(t *testing.T) {
	w := newWorld(t, "volcano")
	response := w.admit(nil, object(t, stages))
	patches := text(response.Patches)
	for _, word := range []string{`"scheduling.k8s.io/group-name":"bert"`,
		`"scheduling.k8s.io/group-name":"bert-s1"`, `"volcano"`, MarksAnnotation[:20]} {
		if !strings.Contains(patches, word) {
			t.Errorf("%s is not in %s", word, patches)
		}
	}
	if !response.Allowed {
		t.Errorf("%+v", response)
	}
}

// The server has noted who owns which field before it calls the webhook. Without that a field that a
// later server-side apply leaves out would stay forever.
func TestWebhookKeepsManagedFields(t *testing.T) {
	job := object(t, stages)
	setIn(job.Object, []any{map[string]any{"manager": "kubectl", "operation": "Apply",
		"fieldsV1": map[string]any{"f:spec": map[string]any{"f:suspend": map[string]any{}}}}},
		"metadata", "managedFields")
	response := newWorld(t, "volcano").admit(nil, job)
	if patches := text(response.Patches); !strings.Contains(patches, "bert-s1") ||
		strings.Contains(patches, "managedFields") {
		t.Error(patches)
	}
	former := job.DeepCopy()
	if err := newWorld(t, "volcano").hook().Mark(t.Context(), former); err != nil {
		t.Fatal(err)
	}
	response = newWorld(t, "volcano").admit(former, job)
	if patches := text(response.Patches); !strings.Contains(patches, "bert-s1") ||
		strings.Contains(patches, "managedFields") {
		t.Error(patches)
	}
}

// A template of Helm without annotations says `annotations:`, which is null.
func TestMarksBesideNull(t *testing.T) {
	job := object(t, strings.Replace(stages, "{name", "{annotations: null, name", 1))
	if err := newWorld(t, "volcano").hook().Mark(t.Context(), job); err != nil {
		t.Fatal(err)
	}
	restored := object(t, stages)
	if err := Restore(job, restored); err != nil || !HasMarks(restored) {
		t.Errorf("%v %s", err, text(job))
	}
}

func TestWebhookAnswers(t *testing.T) {
	skip, deny := newWorld(t, "volcano"), newWorld(t, "volcano")
	skip.rest = "  rules:\n  - {name: a, match: {}, action: Skip}\n"
	deny.rest = "  rules:\n  - {name: a, match: {}, action: Deny, message: ask the administrators}\n"
	noName := object(t, stages)
	noName.SetName("")
	unstructured.RemoveNestedField(noName.Object, "metadata", "uid")
	noUID := object(t, stages)
	unstructured.RemoveNestedField(noUID.Object, "metadata", "uid")
	broken := newWorld(t, "volcano")
	broken.reconciler.Planner.Policy = func(context.Context) (*gang.Document, error) {
		return nil, errors.New("no policy")
	}
	for name, one := range map[string]struct {
		response admission.Response
		code     int32
		message  string
	}{
		"skipped": {skip.admit(nil, object(t, stages)), 200, ""},
		"denied":  {deny.admit(nil, object(t, stages)), 403, "ask the administrators"},
		// The name of a native group needs the uid, so templates cannot have it.
		"native":    {newWorld(t, "workload").admit(nil, noUID), 403, "depends on the uid"},
		"no name":   {newWorld(t, "volcano").admit(nil, noName), 403, "metadata.name"},
		"no policy": {broken.admit(nil, object(t, stages)), 500, "no policy"},
		"no object": {newWorld(t, "volcano").admit(nil, &unstructured.Unstructured{
			Object: map[string]any{}}), 400, ""},
	} {
		code, message := int32(200), ""
		if result := one.response.Result; result != nil {
			code, message = result.Code, result.Message
		}
		if one.response.Allowed != (one.code == 200) || len(one.response.Patches) != 0 ||
			code != one.code || !strings.Contains(message, one.message) {
			t.Errorf("%s: %+v", name, one.response)
		}
	}
}

// marked is a JobSet as the webhook leaves it.
func marked(t *testing.T, backend string) *unstructured.Unstructured {
	t.Helper()
	w, job := newWorld(t, backend), object(t, stages)
	if err := w.hook().Mark(t.Context(), job); err != nil {
		t.Fatal(err)
	}
	return job
}

// Who replaces a marked object does not remove its marks.
func TestRestore(t *testing.T) {
	for _, backend := range []string{"volcano", "coscheduling"} {
		before := marked(t, backend)
		after := object(t, stages)
		after.SetLabels(map[string]string{"new": "kept"})
		if err := Restore(before, after); err != nil {
			t.Fatal(err)
		}
		after.SetLabels(nil)
		if text(after) != text(before) {
			t.Errorf("%s instead of %s", text(after), text(before))
		}
	}
	// A user's change of a mark is no loss: the reconciler reports it.
	before := marked(t, "volcano")
	after := object(t, strings.ReplaceAll(stages, "containers:", "schedulerName: other, containers:"))
	if err := Restore(before, after); err != nil || strings.Count(text(after), `"other"`) != 2 {
		t.Errorf("%s %v", text(after), err)
	}
}

// An update never adds marks to an object that had none: a change of its templates can restart it.
func TestRestoreAddsNothing(t *testing.T) {
	response := newWorld(t, "volcano").admit(object(t, stages), object(t, stages))
	if !response.Allowed || len(response.Patches) != 0 {
		t.Errorf("%+v", response)
	}
	response = newWorld(t, "volcano").admit(marked(t, "volcano"), object(t, stages))
	if !response.Allowed || !strings.Contains(text(response.Patches), "bert-s1") {
		t.Errorf("%+v", response)
	}
}

// A worker group that is appended to a marked cluster is in its gang. KubeRay sets spec, labels and
// annotations of a RayCluster to what its RayService says.
func TestRestoreAppended(t *testing.T) {
	cluster := func(groups ...string) *unstructured.Unstructured {
		list := ""
		for _, name := range groups {
			list += `{groupName: ` + name + `, replicas: 1, template: {spec: {containers: [{name: c}]}}},`
		}
		return object(t, `{apiVersion: ray.io/v1, kind: RayCluster, metadata: {name: r, namespace: ml},
spec: {headGroupSpec: {template: {spec: {containers: [{name: h}]}}}, 
  workerGroupSpecs: [`+list+`]}}`)
	}
	w := newWorld(t, "volcano")
	before := cluster("a", "b")
	if err := w.hook().Mark(t.Context(), before); err != nil {
		t.Fatal(err)
	}
	after := cluster("b", "c")
	if err := Restore(before, after); err != nil {
		t.Fatal(err)
	}
	if marks := strings.Count(text(after), `"scheduling.k8s.io/group-name":"r"`); marks != 3 ||
		strings.Count(text(after), `"schedulerName":"volcano"`) != 3 {
		t.Errorf("%d: %s", marks, text(after))
	}
}

// The API server makes the name of a job with generateName after the webhook, so nothing is marked
// with a name that is not the job's.
func TestMarkWithGenerateName(t *testing.T) {
	w := newWorld(t, "volcano")
	job := object(t, stages)
	unstructured.RemoveNestedField(job.Object, "metadata", "name")
	job.SetGenerateName("bert-")
	before := job.DeepCopy()
	err := w.reconciler.Planner.Mark(t.Context(), w.client, job)
	if err == nil || !strings.Contains(err.Error(), "generateName") {
		t.Error(err)
	}
	w.rest = "  rules:\n  - {name: a, match: {}, action: Skip}\n"
	if err := w.reconciler.Planner.Mark(t.Context(), w.client, job); err != nil {
		t.Error(err)
	}
	if !reflect.DeepEqual(before, job) {
		t.Errorf("%+v", job)
	}
}
