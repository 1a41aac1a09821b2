// SPDX-License-Identifier: Apache-2.0
package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	appsv1 "k8s.io/api/apps/v1"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/defaulting"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/listtype"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/objectmeta"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/pruning"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/validation"
	"k8s.io/apimachinery/pkg/runtime"
	utiljson "k8s.io/apimachinery/pkg/util/json"
	utilruntime "k8s.io/apimachinery/pkg/util/runtime"
	utilyaml "k8s.io/apimachinery/pkg/util/yaml"
	kjson "sigs.k8s.io/json"
	"sigs.k8s.io/yaml"
)

// readAsKubectl returns the documents of a stream, as kubectl's StreamVisitor does.
func readAsKubectl(text string) ([]object, error) {
	var documents []object
	decoder := utilyaml.NewYAMLOrJSONDecoder(strings.NewReader(text), 4096)
	for {
		one := runtime.RawExtension{}
		if err := decoder.Decode(&one); errors.Is(err, io.EOF) {
			return documents, nil
		} else if err != nil {
			return nil, err
		}
		raw := bytes.TrimSpace(one.Raw)
		if len(raw) == 0 || bytes.Equal(raw, []byte("null")) {
			continue
		}
		document := object{}
		if err := utiljson.Unmarshal(raw, &document); err != nil {
			return nil, err
		}
		documents = append(documents, document)
	}
}

// ---- kinds of Kubernetes itself ----

var builtIn = map[string]func() any{
	"Job":         func() any { return &batchv1.Job{} },
	"StatefulSet": func() any { return &appsv1.StatefulSet{} },
	"Pod":         func() any { return &corev1.Pod{} },
	"PodList":     nil, // kubectl sends its items
}

// admitBuiltIn decodes a document as the server does with fieldValidation=Strict.
func admitBuiltIn(document object) (object, []refusal) {
	text, err := marshal(document)
	utilruntime.Must(err)
	typed := builtIn[document["kind"].(string)]()
	strict, err := kjson.UnmarshalStrict(text, typed)
	if err != nil {
		strict = []error{err}
	}
	var refusals []refusal
	for _, one := range strict {
		refusals = append(refusals, refusal{Detail: one.Error()})
	}
	text, err = json.Marshal(typed)
	utilruntime.Must(err)
	stored := object{}
	utilruntime.Must(utiljson.Unmarshal(text, &stored))
	return stored, refusals
}

// ---- kinds of CRDs ----

// crdFolder contains the CRDs, which tests/kinds/build copies from the operators' modules.
var crdFolder string

type customResource struct {
	structural *schema.Structural
	validator  validation.SchemaValidator
	hasStatus  bool
}

var customResources = map[string]*customResource{}

func customResourceOf(document object) *customResource {
	name := document["kind"].(string)
	if customResources[name] == nil {
		customResources[name] = loadCRD(name, document["apiVersion"].(string))
	}
	return customResources[name]
}

func loadCRD(name, apiVersion string) *customResource {
	text, err := os.ReadFile(filepath.Join(crdFolder, strings.ToLower(name)+"s.yaml"))
	utilruntime.Must(err)
	crd := &apiextensionsv1.CustomResourceDefinition{}
	utilruntime.Must(yaml.Unmarshal(text, crd))
	for _, version := range crd.Spec.Versions {
		if crd.Spec.Group+"/"+version.Name != apiVersion {
			continue
		}
		internal := &apiextensions.CustomResourceValidation{}
		convert := apiextensionsv1.
			Convert_v1_CustomResourceValidation_To_apiextensions_CustomResourceValidation
		utilruntime.Must(convert(version.Schema, internal, nil))
		structural, err := schema.NewStructural(internal.OpenAPIV3Schema)
		utilruntime.Must(err)
		validator, _, err := validation.NewSchemaValidator(internal.OpenAPIV3Schema)
		utilruntime.Must(err)
		return &customResource{structural, validator,
			version.Subresources != nil && version.Subresources.Status != nil}
	}
	panic("no version " + apiVersion + " of " + name)
}

// admit does what apiextensions-apiserver does with a document: schemaCoercingDecoder, defaults and
// customResourceValidator. Rules in CEL are left out: no spelling changes them.
func (c *customResource) admit(document object) (object, []refusal) {
	meta, _, unknown, err := objectmeta.GetObjectMetaWithOptions(document,
		objectmeta.ObjectMetaOptions{ReturnUnknownFieldPaths: true})
	if err != nil {
		return nil, []refusal{{"metadata", err.Error()}}
	}
	unknown = append(unknown, pruning.PruneWithOptions(document, c.structural, true,
		schema.UnknownFieldPathOptions{TrackUnknownFieldPaths: true})...)
	defaulting.PruneNonNullableNullsWithoutDefaults(document, c.structural)
	var refusals []refusal
	for _, path := range unknown {
		refusals = append(refusals, refusal{path, "unknown field"})
	}
	failed, _ := objectmeta.CoerceWithOptions(nil, document, c.structural, false,
		objectmeta.CoerceOptions{})
	if failed != nil {
		return nil, append(refusals, refusal{failed.Field, failed.ErrorBody()})
	}
	utilruntime.Must(objectmeta.SetObjectMeta(document, meta))
	defaulting.Default(document, c.structural)
	if c.hasStatus {
		delete(document, "status")
	}
	failures := validation.ValidateCustomResource(nil, document, c.validator)
	failures = append(failures, objectmeta.Validate(nil, document, c.structural, true)...)
	if len(failures) == 0 {
		failures = listtype.ValidateListSetsAndMaps(nil, c.structural, document)
	}
	for _, one := range failures {
		refusals = append(refusals, refusal{one.Field, one.ErrorBody()})
	}
	return document, refusals
}

// ---- all ----

// admit returns the document as the server stores it, and why it does not. What an AppWrapper holds
// is admitted when its controller creates it.
func admit(document object) (object, []refusal) {
	name, _ := document["kind"].(string)
	if name == "PodList" {
		items, _ := document["items"].([]any)
		return document, admitAll(items, "items[%d]", func(i int, item object) { items[i] = item })
	}
	if builtIn[name] != nil {
		return admitBuiltIn(document)
	}
	stored, refusals := customResourceOf(document).admit(document)
	if document["kind"] != "AppWrapper" || len(refusals) > 0 {
		return stored, refusals
	}
	components := stored["spec"].(object)["components"].([]any)
	wrapped := make([]any, len(components))
	for i := range components {
		wrapped[i] = components[i].(object)["template"]
	}
	return stored, admitAll(wrapped, "spec.components[%d].template", func(i int, item object) {
		components[i].(object)["template"] = item
	})
}

// admitAll admits and stores documents.
func admitAll(items []any, place string, store func(int, object)) []refusal {
	var refusals []refusal
	for i, item := range items {
		path := fmt.Sprintf(place, i)
		inner, inside := admit(item.(object))
		store(i, inner)
		for _, one := range inside {
			refusals = append(refusals,
				refusal{strings.TrimSuffix(path+"."+one.Field, "."), one.Detail})
		}
	}
	return refusals
}

// plain returns a document with the types of numbers that a decoder makes.
func plain(document object) object {
	text, err := json.Marshal(document)
	utilruntime.Must(err)
	result := object{}
	utilruntime.Must(utiljson.Unmarshal(text, &result))
	return result
}
