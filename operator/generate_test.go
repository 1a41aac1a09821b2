// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bytes"
	"encoding/json"
	"flag"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	rbacv1 "k8s.io/api/rbac/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"sigs.k8s.io/yaml"

	"libgang.dev/gang"
	"libgang.dev/gang/k8sgang/apply"
)

// go test -run TestGenerated -update writes the files that are made from the tables.
var update = flag.Bool("update", false, "write the generated files")

const generated = "# SPDX-License-Identifier: Apache-2.0\n" +
	"# Generated: go test -run TestGenerated -update\n"

func TestGenerated(t *testing.T) {
	for name, make := range map[string]func(*testing.T) []byte{
		"chart/files/crds.yaml":   crds,
		"chart/files/tables.yaml": tables,
	} {
		wanted := append([]byte(generated), make(t)...)
		if *update {
			if err := os.WriteFile(filepath.FromSlash(name), wanted, 0o600); err != nil {
				t.Fatal(err)
			}
		}
		if found, err := os.ReadFile(filepath.FromSlash(name)); err != nil || !bytes.Equal(found, wanted) {
			t.Errorf("%s is stale: go test -run TestGenerated -update (%v)", name, err)
		}
	}
}

type object = map[string]any

func yamlOf(t *testing.T, value any) []byte {
	t.Helper()
	text, err := yaml.Marshal(value)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

func crds(t *testing.T) []byte {
	t.Helper()
	return bytes.Join([][]byte{
		yamlOf(t, crd(t, "GangPolicy", object{
			"stamp": object{"type": "string",
				"description": "The stamp of the policy, which plans name."},
			"unreachableRules": object{"type": "array", "items": object{"type": "string"},
				"description": "Rules that no job reaches, because an earlier one matches all of their jobs."},
			"comparison": object{"type": "object", "description": "What the policy would decide otherwise " +
				"than the one in force about the jobs of the cluster, if they were created now.",
				"properties": object{"jobs": object{"type": "integer", "description": "All jobs."},
					"changed":  object{"type": "integer", "description": "Those with another decision."},
					"examples": object{"type": "array", "items": object{"type": "string"}}}}})),
		yamlOf(t, crd(t, "GangCluster", object{}))}, []byte("---\n"))
}

// crd makes the definition of a kind from the library's schema of it.
func crd(t *testing.T, kind string, status object) object {
	t.Helper()
	text, err := gang.Schema(kind, gang.FormatJSON)
	if err != nil {
		t.Fatal(err)
	}
	schema := object{}
	if err := json.Unmarshal(text, &schema); err != nil {
		t.Fatal(err)
	}
	spec := schema["properties"].(object)["spec"].(object)
	status["conditions"] = conditionsSchema
	status["observedGeneration"] = object{"type": "integer", "format": "int64"}
	singular := strings.ToLower(kind)
	plural := strings.Replace(singular+"s", "ys", "ies", 1)
	column := func(name, path string) object {
		return object{"name": name, "type": "string", "jsonPath": path}
	}
	of := func(kind string) string { return `.status.conditions[?(@.type=="` + kind + `")].status` }
	return object{
		"apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition",
		"metadata": object{"name": plural + "." + policyKind.Group,
			"annotations": object{"helm.sh/resource-policy": "keep"}},
		"spec": object{"group": policyKind.Group, "scope": "Cluster",
			"names": object{"kind": kind, "listKind": kind + "List", "plural": plural, "singular": singular},
			"versions": []object{{"name": policyKind.Version, "served": true, "storage": true,
				"subresources": object{"status": object{}},
				"additionalPrinterColumns": []object{column("In force", of("InForce")),
					column("Valid", of("Valid")),
					{"name": "Changes", "type": "integer", "jsonPath": ".status.comparison.changed"},
					{"name": "Age", "type": "date", "jsonPath": ".metadata.creationTimestamp"}},
				"schema": object{"openAPIV3Schema": object{"type": "object", "required": []string{"spec"},
					"description": schema["description"],
					"properties": object{"apiVersion": object{"type": "string"},
						"kind": object{"type": "string"}, "metadata": object{"type": "object"},
						"spec": structural(spec), "status": object{"type": "object", "properties": status}}}},
			}}}}
}

var conditionsSchema = object{"type": "array", "x-kubernetes-list-type": "map",
	"x-kubernetes-list-map-keys": []string{"type"}, "items": object{"type": "object",
		"required": []string{"lastTransitionTime", "message", "reason", "status", "type"},
		"properties": object{
			"lastTransitionTime": object{"type": "string", "format": "date-time"},
			"message":            object{"type": "string"},
			"observedGeneration": object{"type": "integer", "format": "int64"},
			"reason":             object{"type": "string"},
			"status":             object{"type": "string", "enum": []string{"True", "False", "Unknown"}},
			"type":               object{"type": "string"}}}}

// structural makes a part of a JSON Schema structural, as the API server demands. Defaults are left
// out: in a rule, what is absent is decided by the policy's defaults. An object keeps the fields that
// the schema does not know, so that the webhook can refuse them: the API server would drop them.
func structural(schema object) object {
	made := maps.Clone(schema)
	for _, name := range []string{"default", "additionalProperties", "uniqueItems"} {
		delete(made, name)
	}
	switch kinds := schema["type"].(type) {
	case nil:
		made["x-kubernetes-preserve-unknown-fields"] = true
	case []any: // of numbers or quantities, and texts
		delete(made, "type")
		made["x-kubernetes-int-or-string"] = true
	case string:
		if values, isMap := schema["additionalProperties"].(object); isMap {
			made["additionalProperties"] = structural(values)
		} else if kinds == "object" {
			made["x-kubernetes-preserve-unknown-fields"] = true
		}
	}
	if properties, found := schema["properties"].(object); found {
		parts := object{}
		for name, property := range properties {
			parts[name] = structural(property.(object))
		}
		made["properties"] = parts
	}
	if items, found := schema["items"].(object); found {
		made["items"] = structural(items)
		if schema["uniqueItems"] == true {
			made["x-kubernetes-list-type"] = "set"
		}
	}
	return made
}

// The API server refuses these in a structural schema (apiextensions-apiserver@v0.36.3
// pkg/apiserver/schema/validation.go).
func TestSchemasAreStructural(t *testing.T) {
	var walk func(path string, schema object)
	walk = func(path string, schema object) {
		for _, name := range []string{"default", "uniqueItems", "$ref", "$schema", "$id", "title"} {
			if _, found := schema[name]; found {
				t.Errorf("%s has %s", path, name)
			}
		}
		_, hasType := schema["type"].(string)
		if !hasType && schema["x-kubernetes-int-or-string"] != true &&
			schema["x-kubernetes-preserve-unknown-fields"] != true {
			t.Errorf("%s has no type", path)
		}
		properties, _ := schema["properties"].(object)
		if strings.HasPrefix(path, ".spec") && properties != nil &&
			schema["x-kubernetes-preserve-unknown-fields"] != true {
			t.Errorf("%s loses what it does not know", path)
		}
		for name, property := range properties {
			walk(path+"."+name, property.(object))
		}
		for _, name := range []string{"items", "additionalProperties"} {
			if part, found := schema[name].(object); found {
				walk(path+"."+name, part)
			}
		}
	}
	for _, text := range documents(t, "../chart/files/crds.yaml") {
		definition := object{}
		if err := yaml.Unmarshal([]byte(text), &definition); err != nil {
			t.Fatal(err)
		}
		versions := definition["spec"].(object)["versions"].([]any)
		walk("", versions[0].(object)["schema"].(object)["openAPIV3Schema"].(object))
	}
}

// withChildren are the kinds that come with one kind: those that its operator creates.
func withChildren(kind string) (found []jobKind) {
	names := kindsOf([]string{kind})
	for _, row := range jobKinds {
		if slices.Contains(names, row.kind.Kind) {
			found = append(found, row)
		}
	}
	return found
}

func ruleOf(group string, resources []string, verbs ...string) rbacv1.PolicyRule {
	return rbacv1.PolicyRule{APIGroups: []string{group}, Resources: resources, Verbs: verbs}
}

// tables are what the chart makes permissions and webhooks of, for the kinds and backends that are
// chosen.
func tables(t *testing.T) []byte {
	t.Helper()
	rules := func(kinds []schema.GroupVersionKind, backends ...string) []rbacv1.PolicyRule {
		found, err := apply.Rules(kinds, backends...)
		if err != nil {
			t.Fatal(err)
		}
		return found
	}
	without := func(from, others []rbacv1.PolicyRule) []rbacv1.PolicyRule {
		return slices.DeleteFunc(slices.Clone(from), func(one rbacv1.PolicyRule) bool {
			return slices.ContainsFunc(others, func(other rbacv1.PolicyRule) bool {
				return reflect.DeepEqual(one, other)
			})
		})
	}
	const noObjects = "yunikorn" // the pods say it all
	common := rules(nil, noObjects)
	made := object{"kinds": object{}, "backends": object{}}
	for _, backend := range gang.BackendNames() {
		made["backends"].(object)[backend] = without(rules(nil, backend), common)
	}
	for _, row := range jobKinds {
		var allowed []rbacv1.PolicyRule
		hooks := map[string][]object{"jobs": {}, "builtIn": {}}
		for _, part := range withChildren(row.kind.Kind) {
			plural := strings.ToLower(part.kind.Kind) + "s"
			own := rules([]schema.GroupVersionKind{part.kind}, noObjects)
			allowed = append(allowed, without(own, common)...)
			if part.isTrainJob() {
				allowed = append(allowed, ruleOf(part.kind.Group,
					[]string{"trainingruntimes", "clustertrainingruntimes"}, "get", "list", "watch"),
					ruleOf("", []string{"configmaps"}, "get")) // copies of runtimes
			}
			if part.hasConditions {
				allowed = append(allowed, ruleOf(part.kind.Group, []string{plural + "/status"}, "patch"))
			}
			where := "jobs"
			if part.kind.Group == "batch" || part.kind.Group == "apps" {
				where = "builtIn"
			}
			if !part.isTrainJob() { // whose JobSet is marked
				hooks[where] = append(hooks[where], object{"apiGroups": []string{part.kind.Group},
					"apiVersions": []string{part.kind.Version}, "operations": []string{"CREATE", "UPDATE"},
					"resources": []string{plural}, "scope": "Namespaced"})
			}
		}
		made["kinds"].(object)[row.kind.Kind] = object{"rules": allowed, "jobs": hooks["jobs"],
			"builtIn": hooks["builtIn"]}
	}
	own := []string{"gangpolicies", "gangclusters"}
	webhooks := ruleOf("admissionregistration.k8s.io",
		[]string{"mutatingwebhookconfigurations", "validatingwebhookconfigurations"}, "get", "update")
	webhooks.ResourceNames = []string{mutatingHooks, serviceName}
	made["always"] = append(common, webhooks,
		ruleOf(policyKind.Group, own, "get", "list", "watch"),
		ruleOf(policyKind.Group, []string{own[0] + "/status", own[1] + "/status"}, "patch"),
		ruleOf("", []string{"events"}, "create", "patch"),
		ruleOf("events.k8s.io", []string{"events"}, "create", "patch"))
	return yamlOf(t, made)
}
