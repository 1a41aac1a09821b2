// SPDX-License-Identifier: Apache-2.0

package apply

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
	"time"

	admissionv1 "k8s.io/api/admission/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/webhook/admission"

	"libgang.dev/gang"
	"libgang.dev/gang/k8sgang"
)

// A Webhook marks new objects. It implements admission.Handler. When an object that it has marked
// is replaced without the marks they are put back, and none are added: pods that run cannot get
// any, and a change of a template can restart them.
type Webhook struct {
	// Mark sets the marks in a new object, or leaves it as it is: [Planner.Mark], for example.
	// Diagnostics in its error refuse the object, and another error refuses it for now.
	Mark func(ctx context.Context, object *unstructured.Unstructured) error
	// Job and Other say how diagnostics are shown to the author of the object: see
	// k8sgang.FieldErrors.
	Job   gang.DocumentType
	Other *field.Path
}

var refusals = map[int32]string{
	http.StatusForbidden: "Denied", http.StatusServiceUnavailable: "Held"}

// Handle answers one request.
func (w *Webhook) Handle(ctx context.Context, request admission.Request) admission.Response {
	start := time.Now()
	response := w.answer(ctx, request)
	result := "Unchanged"
	switch {
	case !response.Allowed:
		result = "Failed"
		if response.Result != nil {
			result = cmp.Or(refusals[response.Result.Code], result)
		}
	case len(response.Patches) > 0:
		result = "Marked"
	}
	webhookSeconds.WithLabelValues(request.Kind.Kind, result).Observe(time.Since(start).Seconds())
	return response
}

func (w *Webhook) answer(ctx context.Context, request admission.Request) admission.Response {
	object, former := &unstructured.Unstructured{}, &unstructured.Unstructured{}
	if err := object.UnmarshalJSON(request.Object.Raw); err != nil {
		return admission.Errored(http.StatusBadRequest, err)
	}
	var err error
	if request.Operation != admissionv1.Update {
		if object.GetNamespace() == "" {
			object.SetNamespace(request.Namespace)
		}
		err = w.Mark(ctx, object)
	} else if err = former.UnmarshalJSON(request.OldObject.Raw); err == nil {
		err = Restore(former, object)
	}
	refusal := k8sgang.FieldErrors(k8sgang.Diagnostics(err), w.Job, w.Other)
	if len(refusal) > 0 {
		return admission.Denied(refusal.ToAggregate().Error())
	}
	if errors.Is(err, ErrRemembered) {
		return admission.Errored(http.StatusServiceUnavailable, err)
	}
	marked, failed := object.MarshalJSON()
	if err = errors.Join(err, failed); err != nil {
		return admission.Errored(http.StatusInternalServerError, err)
	}
	return admission.PatchResponseFromRaw(request.Object.Raw, marked)
}

// Mark sets the marks of all gangs of a new job in its pod templates. A job whose templates cannot
// have them is an error with a hint: its pods must be marked when they are created. So must those
// of a gang with generateName: its marks have the name that the API server gives it later.
func (p *Planner) Mark(ctx context.Context, reader client.Reader,
	job *unstructured.Unstructured) error {
	plans, err := p.Plans(ctx, reader, Named(job))
	if err != nil {
		return err
	}
	defer Close(plans)
	isGang := func(plan *Planned) bool { return plan.Outcome == gang.OutcomeGang }
	if job.GetName() != "" {
		return SetMarks(plans, job)
	}
	if slices.ContainsFunc(plans, isGang) {
		return fmt.Errorf("the marks of the gang have the name of the %s, which has generateName; "+
			"name it, or mark its pods when they are created", job.GetKind())
	}
	return nil
}

// Named is a new job as it will be once the API server has made its name of generateName, for a
// plan: another name is of the same form. A job with a name is returned itself.
func Named(job *unstructured.Unstructured) *unstructured.Unstructured {
	if job.GetName() == "" && job.GetGenerateName() != "" {
		job = job.DeepCopy()
		job.SetName(job.GetGenerateName() + "x")
	}
	return job
}

// SetMarks sets the marks of all plans of a job as Planner.Mark does. The library leaves out
// managedFields, so those of the job stay: without them a field that its author removes with the
// next server-side apply would not go.
func SetMarks(plans []*Planned, job *unstructured.Unstructured) error {
	text, err := plans[0].Serialize(gang.TargetJob, gang.FormatJSON) // it has the marks of all gangs
	if err != nil {
		return err
	}
	metadata, _ := job.Object["metadata"].(map[string]any)
	managed, isManaged := metadata["managedFields"]
	if err := job.UnmarshalJSON(text); err != nil {
		return err
	}
	if isManaged {
		setIn(job.Object, managed, "metadata", "managedFields")
	}
	return Remember(plans, job)
}

// MarksAnnotation of a marked object lists the keys of its marks, which Restore puts back, as JSON.
const MarksAnnotation = "policy.libgang.dev/marks"

// Keys are those of marks in pod templates.
type keys struct {
	Labels      []string `json:"labels,omitempty"`
	Annotations []string `json:"annotations,omitempty"`
	Spec        []string `json:"spec,omitempty"`

	isOfServer bool // the object is of a kind that the API server itself defines
}

// Remember writes MarksAnnotation into an object that has the marks of plans, if they have marks.
// The plan of an object that was marked before sets no field that is already right, so the keys
// that the annotation has stay.
func Remember(plans []*Planned, object *unstructured.Unstructured) error {
	known := keysOf(object)
	for _, plan := range plans {
		for _, patch := range plan.Patches() {
			known.Labels = withKeys(known.Labels, patch.Labels)
			known.Annotations = withKeys(known.Annotations, patch.Annotations)
			known.Spec = withKeys(known.Spec, patch.Spec)
		}
	}
	if len(known.Labels)+len(known.Annotations)+len(known.Spec) == 0 {
		return nil
	}
	text, err := json.Marshal(known)
	return errors.Join(err, annotate(object, MarksAnnotation, string(text)))
}

// annotate also takes an object whose annotations are null.
func annotate(object *unstructured.Unstructured, key, value string) error {
	of := &gang.Patch{Annotations: map[string]string{key: value}}
	return k8sgang.PatchUnstructured(of, object.Object)
}

func keysOf(object *unstructured.Unstructured) (found keys) {
	_ = json.Unmarshal([]byte(object.GetAnnotations()[MarksAnnotation]), &found) // else none
	return found
}

// HasMarks tells whether the spec of an object has a key of MarksAnnotation, or the mark of any
// scheduler, such as gangctl writes.
func HasMarks(object *unstructured.Unstructured) bool {
	known, all := keysOf(object), listMarks()
	return hasKey(object.Object["spec"],
		slices.Concat(known.Labels, known.Annotations, all.metadata, all.spec))
}

func hasKey(value any, keys []string) bool {
	switch value := value.(type) {
	case map[string]any:
		for key, member := range value {
			if slices.Contains(keys, key) || hasKey(member, keys) {
				return true
			}
		}
	case []any:
		return slices.ContainsFunc(value, func(item any) bool { return hasKey(item, keys) })
	}
	return false
}

// Unmarked is an object as its author wrote it: a mark would be taken for his own choice.
func Unmarked(object *unstructured.Unstructured) *unstructured.Unstructured {
	if object.GetAnnotations()[MarksAnnotation] == "" {
		return object
	}
	known, written := keysOf(object), object.DeepCopy()
	known.Annotations = append(known.Annotations, MarksAnnotation)
	known.remove(written.Object)
	return written
}

func (k *keys) remove(from any) {
	switch from := from.(type) {
	case map[string]any:
		for member, keys := range map[string][]string{
			"labels": k.Labels, "annotations": k.Annotations} {
			fields, _ := from[member].(map[string]any)
			for _, key := range keys {
				delete(fields, key)
			}
		}
		for _, path := range k.Spec {
			field, _, _ := strings.Cut(path, ".") // of "schedulingGroup.podGroupName" the whole
			delete(from, field)
		}
		for _, below := range from {
			k.remove(below)
		}
	case []any:
		for _, item := range from {
			k.remove(item)
		}
	}
}

func withKeys(list []string, from map[string]string) []string {
	list = slices.AppendSeq(list, maps.Keys(from))
	slices.Sort(list)
	return slices.Compact(list)
}

func setIn(object map[string]any, value any, path ...string) {
	_ = unstructured.SetNestedField(object, value, path...) // the path has no lists
}

// Restore puts the marks of the former object back where the new one lacks them. An entry that is
// new in a list, such as a worker group, gets those of the first entry. An object without
// MarksAnnotation was not marked, and is left as it is. In its own kinds the API server writes its
// scheduler where the new object names none, before it calls the webhook: that is a lack, too.
func Restore(former, object *unstructured.Unstructured) error {
	text := former.GetAnnotations()[MarksAnnotation]
	if text == "" {
		return nil
	}
	known := keys{}
	if err := json.Unmarshal([]byte(text), &known); err != nil {
		return nil //nolint:nilerr // somebody else's annotation
	}
	known.isOfServer = slices.Contains([]string{"", "apps", "batch"}, object.GroupVersionKind().Group)
	known.Annotations = append(known.Annotations, MarksAnnotation)
	for i, path := range known.Spec { // of "schedulingGroup.podGroupName" the field as a whole
		known.Spec[i], _, _ = strings.Cut(path, ".")
	}
	for _, part := range []string{"metadata", "spec"} {
		from, _ := former.Object[part].(map[string]any)
		known.restore(map[string]any{part: from}, object.Object)
	}
	return nil
}

// restore goes through two maps side by side.
func (k *keys) restore(from, into map[string]any) {
	for _, field := range k.Spec {
		value, found := into[field]
		if (!found || (k.isOfServer && value == corev1.DefaultSchedulerName)) && from[field] != nil {
			into[field] = from[field]
		}
	}
	k.restoreIn(from, into, "labels", k.Labels)
	k.restoreIn(from, into, "annotations", k.Annotations)
	for name, former := range from {
		switch former := former.(type) {
		case map[string]any:
			k.restoreMap(former, into, name)
		case []any:
			current, _ := into[name].([]any)
			k.restoreList(former, current)
		}
	}
}

func (k *keys) restoreMap(from, into map[string]any, name string) {
	current, found := into[name].(map[string]any)
	if !found && name != "metadata" {
		return
	}
	if !found {
		current = map[string]any{}
	}
	if k.restore(from, current); len(current) > 0 {
		into[name] = current
	}
}

// restoreIn is about labels or annotations.
func (k *keys) restoreIn(from, into map[string]any, name string, known []string) {
	former, _ := from[name].(map[string]any)
	current, found := into[name].(map[string]any)
	if !found {
		current = map[string]any{}
	}
	for _, key := range known {
		if _, has := current[key]; !has && former[key] != nil {
			current[key] = former[key]
			into[name] = current
		}
	}
}

func (k *keys) restoreList(from, into []any) {
	for i, item := range into {
		current, _ := item.(map[string]any)
		if former := counterpart(from, current, i); current != nil && former != nil {
			k.restore(former, current)
		}
	}
}

// counterpart finds the entry of the same name; without names the one at the same place. An entry
// that is new has the first one as its model.
func counterpart(from []any, current map[string]any, index int) map[string]any {
	for _, name := range []string{"name", "groupName"} {
		for _, item := range from {
			former, _ := item.(map[string]any)
			if former[name] != nil && former[name] == current[name] {
				return former
			}
		}
	}
	if index >= len(from) || current["name"] != nil || current["groupName"] != nil {
		index = 0
	}
	if len(from) == 0 {
		return nil
	}
	former, _ := from[index].(map[string]any)
	return former
}
