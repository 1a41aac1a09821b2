// SPDX-License-Identifier: Apache-2.0

package main

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
)

// A described backend is what `gangctl backends` prints of one.
type describedBackend struct {
	Name, Type string
	Versions   []struct {
		APIVersion string
		Objects    []string
	}
	Options []string
}

// A choice sets one field of a policy to a value that is not its default.
type choice struct {
	key, value string
	ofRule     bool // it is beside the rule's backend; else an option of the backend
}

func (c choice) String() string {
	if strings.ContainsAny(c.value, "[{.") {
		return c.key
	}
	return c.key + ": " + c.value
}

// A setting is one backend with some choices, as a policy in a file.
type setting struct {
	backend    describedBackend
	apiVersion string
	kinds      [][2]string // of its objects, as far as the server has them
	isServed   bool
	choices    []choice
	policy     string
	facts      string
}

func (s *setting) title() string {
	if s.backend.Type == "Workload" {
		return s.backend.Name + " " + s.apiVersion[strings.Index(s.apiVersion, "/")+1:]
	}
	return s.backend.Name
}

func (s *setting) options() string {
	var all []string
	for _, one := range s.choices {
		all = append(all, one.String())
	}
	return strings.Join(all, ", ")
}

// settings are all backends of this build with no choice, with each choice, and with each pair.
func (g *gangctl) settings(c *cluster) ([]*setting, error) {
	schema := document{}
	if err := g.read(&schema, "policy", "schema"); err != nil {
		return nil, err
	}
	var described struct{ Backends []describedBackend }
	if err := g.read(&described, "backends", "-o", "json"); err != nil {
		return nil, err
	}
	var all []*setting
	for _, backend := range described.Backends {
		choices := choicesOf(schema, backend)
		for _, version := range backend.Versions {
			one := setting{backend: backend, apiVersion: version.APIVersion, isServed: true}
			for _, kind := range version.Objects {
				if c.client.serves(version.APIVersion, kind) {
					one.kinds = append(one.kinds, [2]string{version.APIVersion, kind})
				} else {
					one.isServed = false
				}
			}
			if backend.Type == "Workload" && len(one.kinds) == 0 {
				continue // another minor of Kubernetes has it
			}
			some, err := g.withChoices(c, one, choices)
			if err != nil {
				return nil, err
			}
			all = append(all, some...)
		}
	}
	return all, nil
}

func (g *gangctl) read(into any, arguments ...string) error {
	output, err := g.call(arguments...)
	if err != nil {
		return err
	}
	return json.Unmarshal(output, into)
}

// choicesOf finds in the schema of policies every value of every option of a backend, and of what a
// rule says about the objects.
func choicesOf(schema document, backend describedBackend) []choice {
	spec := at(schema, "properties", "spec", "properties")
	block := at(spec, "backends", "items", "properties", backend.Name, "properties")
	rule, _ := at(spec, "rules", "items", "properties").(document)
	var found []choice
	for _, option := range backend.Options {
		for _, value := range valuesOf(at(block, option)) {
			found = append(found, choice{option, value, false})
		}
	}
	for _, field := range sortedKeys(rule) {
		if slices.Contains([]string{"members", "reserve", "resources"}, field) {
			for _, value := range valuesOf(rule[field]) {
				found = append(found, choice{field, value, true})
			}
		}
	}
	return found
}

// valuesOf are those of an enumeration, and one of any other type.
func valuesOf(property any) []string {
	var found []string
	for _, one := range list(at(property, "enum")) {
		if one != at(property, "default") && one != "Auto" {
			found = append(found, one.(string))
		}
	}
	switch text(property, "type") {
	case "integer":
		return []string{"60"}
	case "array":
		return []string{"[{name: shared, resourceClaimTemplateName: shared}]"}
	case "string":
		if found == nil {
			return []string{"topology.kubernetes.io/rack"}
		}
	}
	return found
}

func (g *gangctl) withChoices(c *cluster, base setting, choices []choice) ([]*setting, error) {
	version := ""
	if base.backend.Type == "Workload" {
		_, version, _ = strings.Cut(base.apiVersion, "/")
	}
	facts := "" // with which libgang refuses what is not served
	if base.isServed || version != "" {
		var err error
		if facts, err = g.facts(c, version); err != nil {
			return nil, err
		}
	}
	sets := [][]choice{nil}
	for i, one := range choices {
		sets = append(sets, []choice{one})
		for _, other := range choices[i+1:] {
			if other.key != one.key {
				sets = append(sets, []choice{one, other})
			}
		}
	}
	var all []*setting
	for i, set := range sets {
		one := base
		one.choices, one.facts = set, facts
		var err error
		one.policy, err = g.writePolicy(&one, fmt.Sprintf("%s-%d",
			strings.ReplaceAll(one.title(), " ", "-"), i))
		if err != nil {
			return nil, err
		}
		all = append(all, &one)
	}
	return all, nil
}

func (g *gangctl) writePolicy(s *setting, name string) (string, error) {
	rule, options := document{"name": "all", "match": document{}, "backend": "b",
		"override": "Always"}, document{}
	for _, one := range s.choices {
		target := options
		if one.ofRule {
			target = rule
		}
		target[one.key] = one.parsed()
	}
	backend := document{"name": "b", "type": s.backend.Type}
	if len(options) > 0 {
		backend[s.backend.Name] = options
	}
	if s.apiVersion != "" {
		backend["apiVersion"] = s.apiVersion
	}
	path, err := g.write("policy-"+name+".yaml", document{
		"apiVersion": "policy.libgang.dev/v1alpha1", "kind": "GangPolicy",
		"metadata": document{"name": "forced"},
		"spec":     document{"backends": []any{backend}, "rules": []any{rule}}})
	return filepath.Clean(path), err
}

func (c choice) parsed() any {
	switch {
	case c.value == "60":
		return 60
	case strings.HasPrefix(c.value, "["):
		return []any{document{"name": "shared", "resourceClaimTemplateName": "shared"}}
	}
	return c.value
}
