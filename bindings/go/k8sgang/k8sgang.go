// SPDX-License-Identifier: Apache-2.0

// Package k8sgang connects package gang with the types of Kubernetes: typed jobs and YAML in; objects
// to apply, patched pod templates and JobSets, field errors, conditions and events out; and the facts
// of a cluster from its discovery and listers.
package k8sgang

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"sigs.k8s.io/yaml"

	"libgang.dev/gang"
)

// An argument is nil if the error of the call that made it was not checked.
var errNil = errors.New("k8sgang: a nil argument; was an error checked?")

// ParseYAML parses a document in YAML or JSON with any engine. Diagnostics have no lines and
// columns: they would be those of the JSON that it is converted to.
func ParseYAML(text []byte, with ...gang.Option) (*gang.Document, error) {
	data, err := yaml.YAMLToJSONStrict(text)
	if err != nil {
		return nil, err
	}
	return gang.Parse(data, generated(with)...)
}

func generated(with []gang.Option) []gang.Option {
	return append(slices.Clip(with), gang.Generated())
}

// Parse parses a typed or unstructured object. Diagnostics have no lines and columns. A typed
// object that was read through a cache has no apiVersion and kind, so they are arguments; those of
// the object are not used.
func Parse(kind schema.GroupVersionKind, object any, with ...gang.Option) (*gang.Document, error) {
	data, err := encode(kind, object)
	if err != nil {
		return nil, err
	}
	return gang.Parse(data, generated(with)...)
}

// encode writes apiVersion and kind in front of an object that has none, and only rewrites one that
// has others: each member is read again then.
func encode(kind schema.GroupVersionKind, object any) ([]byte, error) {
	if read, ok := object.(*unstructured.Unstructured); ok && read != nil &&
		read.GroupVersionKind() == kind {
		return read.MarshalJSON()
	}
	data, err := json.Marshal(object)
	if err != nil {
		return nil, err
	}
	_, isTree := object.(runtime.Unstructured) // whose names may be null
	if typed, ok := object.(runtime.Object); ok && !isTree && len(data) > 2 && data[0] == '{' {
		switch typed.GetObjectKind().GroupVersionKind() {
		case kind:
			return data, nil
		case schema.GroupVersionKind{}:
			of := metav1.TypeMeta{Kind: kind.Kind, APIVersion: kind.GroupVersion().String()}
			head, err := json.Marshal(of)
			return slices.Concat(head[:len(head)-1], []byte{','}, data[1:]), err
		}
	}
	var members map[string]json.RawMessage
	if err := json.Unmarshal(data, &members); err != nil {
		return nil, fmt.Errorf("k8sgang: %T is no object: %w", object, err)
	}
	if members == nil {
		return nil, fmt.Errorf("k8sgang: no object: %T", object)
	}
	apiVersion, name := kind.ToAPIVersionAndKind()
	members["apiVersion"], _ = json.Marshal(apiVersion)
	members["kind"], _ = json.Marshal(name)
	return json.Marshal(members)
}

// ParseLive parses the existing objects for Plan.Reconcile. They must have apiVersion and kind, as
// unstructured objects have.
func ParseLive(objects []*unstructured.Unstructured, with ...gang.Option) (*gang.Document, error) {
	var text []byte
	for _, object := range objects {
		if object == nil {
			return nil, errNil
		}
		data, err := object.MarshalJSON()
		if err != nil {
			return nil, err
		}
		text = append(text, data...)
	}
	return gang.ParseLive(text, generated(with)...)
}

// A Step is one object of a plan and what to do with it.
type Step struct {
	Action gang.Action
	Object *unstructured.Unstructured
}

// Steps lists what to do with the objects of a plan, in order. An object in conflict must be left
// alone; the actions of the others are correct meanwhile.
func Steps(plan *gang.Plan) ([]Step, error) {
	if plan == nil {
		return nil, errNil
	}
	var steps []Step
	for _, planned := range plan.Objects() {
		object := &unstructured.Unstructured{}
		if err := object.UnmarshalJSON(planned.JSON); err != nil {
			return nil, err
		}
		steps = append(steps, Step{planned.Action, object})
	}
	return steps, nil
}

// ApplyConfigurations lists the objects of a rendered plan that are to be created or applied, for
// server-side apply. The dynamic client takes them as they are, that of controller-runtime as
// client.ApplyConfigurationFromUnstructured makes them of these: it takes no type of others.
func ApplyConfigurations(plan *gang.Plan) ([]*unstructured.Unstructured, error) {
	steps, err := Steps(plan)
	var objects []*unstructured.Unstructured
	for _, step := range steps {
		if step.Action == gang.ActionCreate || step.Action == gang.ActionApply {
			objects = append(objects, step.Object)
		}
	}
	return objects, err
}
