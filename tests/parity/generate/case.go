// SPDX-License-Identifier: Apache-2.0

package generate

import (
	"encoding/json"
	"fmt"

	"sigs.k8s.io/yaml"
)

// Case is one runtime and one TrainJob, as a user would submit them.
type Case struct {
	Runtime, Job []byte // JSON
}

// Generator makes cases; some of them start from a runtime that ships with
// the operator.
type Generator struct {
	shipped []object
}

// New takes the shipped runtimes as YAML.
func New(shipped [][]byte) (*Generator, error) {
	g := &Generator{}
	for _, text := range shipped {
		document := object{}
		if err := yaml.Unmarshal(text, &document); err != nil {
			return nil, err
		}
		g.shipped = append(g.shipped, document)
	}
	return g, nil
}

// Case makes case number index of a seed.
func (g *Generator) Case(seed, index uint64) Case {
	d := newDice(seed, index)
	var runtime object
	if d.chance(18) {
		runtime = d.mutated(clone(pick(d, g.shipped...)))
	} else {
		runtime = d.runtime()
	}
	return Case{encode(runtime), encode(d.trainJob(runtime))}
}

// mutated gives a shipped runtime a policy, resources and a count.
func (d dice) mutated(runtime object) object {
	spec := runtime["spec"].(object)
	d.maybe(88, spec, "podGroupPolicy", func() any { return d.podGroupPolicy() })
	if policy, ok := spec["mlPolicy"].(object); ok {
		d.maybe(40, policy, "numNodes", func() any { return d.numNodes(true) })
	}
	template := spec["template"].(object)
	d.maybe(20, template, "metadata", func() any { return d.templateMetadata() })
	for _, job := range template["spec"].(object)["replicatedJobs"].(list) {
		pod := job.(object)["template"].(object)["spec"].(object)["template"].(object)
		podSpec := pod["spec"].(object)
		container := podSpec["containers"].(list)[0].(object)
		d.maybe(50, container, "resources", func() any { return d.resources() })
		d.maybe(15, podSpec, "priorityClassName", func() any { return pick(d, "high", "low") })
		d.maybe(10, podSpec, "initContainers", func() any { return d.initContainers() })
		d.maybe(15, pod, "metadata", func() any { return d.marks() })
	}
	return runtime
}

func clone(document object) object {
	copied := object{}
	if err := json.Unmarshal(encode(document), &copied); err != nil {
		panic(err)
	}
	return copied
}

func encode(document any) []byte {
	text, err := json.Marshal(document)
	if err != nil {
		panic(fmt.Sprintf("a generated document does not encode: %v", err))
	}
	return text
}
