// SPDX-License-Identifier: Apache-2.0

package main

import (
	"encoding/json"
	"fmt"
	"os"
	"strings"

	"sigs.k8s.io/yaml"
)

// at follows a path of keys and returns nil if one is missing.
func at(object any, path ...string) any {
	for _, key := range path {
		fields, ok := object.(document)
		if !ok {
			return nil
		}
		object = fields[key]
	}
	return object
}

func text(object any, path ...string) string {
	found, _ := at(object, path...).(string)
	return found
}

func number(object any, path ...string) int {
	found, _ := at(object, path...).(float64)
	return int(found)
}

func list(value any) []any {
	found, _ := value.([]any)
	return found
}

func nameOf(object document) string      { return text(object, "metadata", "name") }
func kindOf(object document) string      { return text(object, "kind") }
func namespaceOf(object document) string { return text(object, "metadata", "namespace") }

// set writes a value below a path and creates the maps on the way.
func set(object document, value any, path ...string) {
	for _, key := range path[:len(path)-1] {
		next, ok := object[key].(document)
		if !ok {
			next = document{}
			object[key] = next
		}
		object = next
	}
	object[path[len(path)-1]] = value
}

func copyOf(object document) document {
	text, err := json.Marshal(object)
	if err != nil {
		panic(err)
	}
	copied := document{}
	if err := json.Unmarshal(text, &copied); err != nil {
		panic(err)
	}
	return copied
}

// mergeInto adds the fields of a patch, map by map.
func mergeInto(target document, patch document) {
	for key, value := range patch {
		fields, isMap := value.(document)
		existing, hasMap := target[key].(document)
		if isMap && hasMap {
			mergeInto(existing, fields)
		} else {
			target[key] = value
		}
	}
}

// readDocuments reads a file of YAML or JSON documents.
func readDocuments(path string) ([]document, error) {
	content, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	var found []document
	for _, part := range strings.Split("\n"+string(content), "\n---") {
		one := document{}
		if err := yaml.Unmarshal([]byte(part), &one); err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
		if len(one) > 0 {
			found = append(found, one)
		}
	}
	return found, nil
}
