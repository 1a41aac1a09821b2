// SPDX-License-Identifier: Apache-2.0

package upstream

import (
	"context"
	"fmt"

	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	structuralschema "k8s.io/apiextensions-apiserver/pkg/apiserver/schema"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/cel"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/defaulting"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/listtype"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/objectmeta"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/pruning"
	schemavalidation "k8s.io/apiextensions-apiserver/pkg/apiserver/validation"
	apivalidation "k8s.io/apimachinery/pkg/api/validation"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	utiljson "k8s.io/apimachinery/pkg/util/json"
	"k8s.io/apimachinery/pkg/util/validation/field"
	celconfig "k8s.io/apiserver/pkg/apis/cel"
	kjson "sigs.k8s.io/json"
)

// customResource admits documents of one custom resource as the API server does.
type customResource struct {
	kind       string
	apiVersion string
	namespaced bool
	structural *structuralschema.Structural
	schema     schemavalidation.SchemaValidator
	rules      *cel.Validator
}

func newResource(crd *apiextensionsv1.CustomResourceDefinition) (*customResource, error) {
	version := crd.Spec.Versions[0]
	internal := &apiextensions.CustomResourceValidation{}
	convert := apiextensionsv1.Convert_v1_CustomResourceValidation_To_apiextensions_CustomResourceValidation
	if err := convert(version.Schema, internal, nil); err != nil {
		return nil, err
	}
	structural, err := structuralschema.NewStructural(internal.OpenAPIV3Schema)
	if err != nil {
		return nil, err
	}
	structural = structural.DeepCopy()
	if err := defaulting.PruneDefaults(structural); err != nil {
		return nil, err
	}
	validator, _, err := schemavalidation.NewSchemaValidator(internal.OpenAPIV3Schema)
	if err != nil {
		return nil, err
	}
	return &customResource{
		kind:       crd.Spec.Names.Kind,
		apiVersion: crd.Spec.Group + "/" + version.Name,
		namespaced: crd.Spec.Scope == apiextensionsv1.NamespaceScoped,
		structural: structural,
		schema:     validator,
		rules:      cel.NewValidator(structural, true, celconfig.PerCallLimit),
	}, nil
}

// admit decodes, prunes, defaults and validates a document and decodes what
// would be stored into the operator's type.
func (r *customResource) admit(ctx context.Context, document []byte, into any) error {
	object := map[string]any{}
	if err := utiljson.Unmarshal(document, &object); err != nil {
		return fmt.Errorf("decoding: %w", err)
	}
	if err := r.coerce(object); err != nil {
		return fmt.Errorf("coercing: %w", err)
	}
	defaulting.Default(object, r.structural)
	delete(object, "status")
	if errs := r.validate(ctx, object); len(errs) > 0 {
		return errs.ToAggregate()
	}
	stored, err := utiljson.Marshal(object)
	if err != nil {
		return err
	}
	if err := kjson.UnmarshalCaseSensitivePreserveInts(stored, into); err != nil {
		return fmt.Errorf("decoding into %s: %w", r.kind, err)
	}
	return nil
}

// coerce drops unknown fields and nulls, keeping type and object metadata.
func (r *customResource) coerce(object map[string]any) error {
	if object["kind"] != r.kind || object["apiVersion"] != r.apiVersion {
		return fmt.Errorf("not a %s of %s", r.kind, r.apiVersion)
	}
	meta, found, err := objectmeta.GetObjectMeta(object, false)
	if err != nil {
		return err
	}
	pruning.Prune(object, r.structural, true)
	defaulting.PruneNonNullableNullsWithoutDefaults(object, r.structural)
	if err := objectmeta.Coerce(nil, object, r.structural, false, false); err != nil {
		return err
	}
	object["kind"], object["apiVersion"] = r.kind, r.apiVersion
	if found {
		return objectmeta.SetObjectMeta(object, meta)
	}
	return nil
}

func (r *customResource) validate(ctx context.Context, object map[string]any) field.ErrorList {
	meta := &unstructured.Unstructured{Object: object}
	errs := apivalidation.ValidateObjectMetaAccessor(
		meta, r.namespaced, apivalidation.NameIsDNSSubdomain, field.NewPath("metadata"))
	errs = append(errs, schemavalidation.ValidateCustomResource(nil, object, r.schema)...)
	errs = append(errs, objectmeta.Validate(nil, object, r.structural, false)...)
	errs = append(errs, listtype.ValidateListSetsAndMaps(nil, r.structural, object)...)
	if len(errs) > 0 {
		return errs
	}
	errs, _ = r.rules.Validate(ctx, nil, r.structural, object, nil, celconfig.RuntimeCELCostBudget)
	return errs
}

func kindOf(document []byte) (string, error) {
	head := struct {
		Kind string `json:"kind"`
	}{}
	err := kjson.UnmarshalCaseSensitivePreserveInts(document, &head)
	return head.Kind, err
}
