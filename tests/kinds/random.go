// SPDX-License-Identifier: Apache-2.0
package main

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
)

// object is a document as a user writes it: what the API server decodes, before any default.
type object = map[string]any

// random makes the values of one object. Object i of a seed never changes.
type random struct{ *rand.Rand }

func newRandom(seed uint64, kind string, index int) random {
	hash := seed
	for _, letter := range kind {
		hash = hash*1099511628211 ^ uint64(letter)
	}
	return random{rand.New(rand.NewPCG(hash, uint64(index)))}
}

// chance is true in percent of a hundred cases.
func (r random) chance(percent int) bool { return r.IntN(100) < percent }

// between returns a number from low to high, both included.
func (r random) between(low, high int) int { return low + r.IntN(high-low+1) }

func choose[T any](r random, values ...T) T { return values[r.IntN(len(values))] }

// maybe sets a key in percent of a hundred cases; otherwise the document does not have it.
func (r random) maybe(percent int, target object, key string, value any) {
	if r.chance(percent) {
		target[key] = value
	}
}

// ---- pods ----

// resources returns the amounts of one container: requests, limits, both, limits alone, or nothing.
func (r random) resources() object {
	amounts := func() object {
		all := object{}
		r.maybe(80, all, "cpu", choose(r, "1", "2", "500m", "0.25", "4", "1500m"))
		r.maybe(70, all, "memory", choose(r, "1Gi", "512Mi", "2G", "4096Mi", "100M", "1.5Gi"))
		r.maybe(15, all, "ephemeral-storage", choose(r, "1Gi", "10G"))
		return all
	}
	extended := object{}
	r.maybe(40, extended, choose(r, "nvidia.com/gpu", "amd.com/gpu", "google.com/tpu"),
		choose(r, "1", "2", "8"))
	merged := func(all ...object) object {
		sum := object{}
		for _, one := range all {
			for key, value := range one {
				sum[key] = value
			}
		}
		return sum
	}
	requests := amounts()
	switch r.IntN(6) {
	case 0:
		return nil
	case 1:
		return object{"limits": merged(requests, extended)}
	case 2:
		return object{"requests": merged(requests, extended), "limits": extended}
	case 3: // an extended resource under limits alone beside requests
		return object{"requests": requests, "limits": extended}
	case 4:
		limits := merged(requests, extended)
		r.maybe(50, limits, "cpu", "8")
		return object{"requests": requests, "limits": limits}
	}
	return object{"requests": merged(requests, extended), "limits": extended}
}

func (r random) container(name string) object {
	container := object{"name": name, "image": "registry.example/" + name + ":v1"}
	if resources := r.resources(); resources != nil {
		container["resources"] = resources
	}
	return container
}

// podTemplate returns a template; name is that of its first container.
func (r random) podTemplate(name string) object {
	containers := []any{r.container(name)}
	if r.chance(25) {
		containers = append(containers, r.container("helper"))
	}
	spec := object{"containers": containers}
	if r.chance(25) {
		first := r.container("prepare")
		inits := []any{first}
		if r.chance(40) {
			sidecar := r.container("proxy")
			sidecar["restartPolicy"] = "Always"
			if r.chance(50) {
				inits = append(inits, sidecar)
			} else {
				inits = []any{sidecar, first}
			}
		}
		spec["initContainers"] = inits
	}
	r.maybe(10, spec, "priorityClassName", choose(r, "high", "low"))
	template := object{"spec": spec}
	if r.chance(20) {
		template["metadata"] = object{"labels": object{"app": "example"}}
	}
	return template
}

// batchTemplate returns the template of a Job: its restartPolicy must be given.
func (r random) batchTemplate(name string) object {
	template := r.podTemplate(name)
	template["spec"].(object)["restartPolicy"] = choose(r, "Never", "OnFailure")
	return template
}

// ---- documents ----

func (r random) metadata(name string) object {
	metadata := object{"name": name, "namespace": "team-a"}
	r.maybe(50, metadata, "uid", "00000000-0000-4000-8000-000000000001")
	return metadata
}

func annotate(document object, key, value string) {
	metadata := document["metadata"].(object)
	annotations, ok := metadata["annotations"].(object)
	if !ok {
		annotations = object{}
		metadata["annotations"] = annotations
	}
	annotations[key] = value
}

// decode reads a document into the type of an operator, as its API server does. Every field must
// exist there: the generators must not write what an operator does not know.
func decode[T any](document object) *T {
	text, err := marshal(document)
	if err != nil {
		panic(err)
	}
	typed := new(T)
	if err := json.Unmarshal(text, typed); err != nil {
		panic(fmt.Sprintf("%s: %v", text, err))
	}
	return typed
}

func marshal(document object) ([]byte, error) { return json.Marshal(document) }
