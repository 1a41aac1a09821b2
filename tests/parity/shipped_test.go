// SPDX-License-Identifier: Apache-2.0

package parity

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"testing"

	"libgang.dev/tests/parity/upstream"
	"sigs.k8s.io/yaml"
)

// policies are put under the spec of a shipped runtime.
var policies = []struct{ name, yaml string }{
	{"none", ""},
	{"coscheduling", "  podGroupPolicy:\n    coscheduling: {}\n"},
	{"coscheduling with timeout", "  podGroupPolicy:\n    coscheduling: {scheduleTimeoutSeconds: 300}\n"},
	{"volcano", "  podGroupPolicy:\n    volcano: {}\n"},
	{"volcano with topology", `  podGroupPolicy:
    volcano:
      networkTopology:
        mode: soft
        highestTierAllowed: 2
`},
}

// jobSpecs are what people ask of a shipped runtime, without runtimeRef.
var jobSpecs = []struct{ name, yaml string }{
	{"nothing", ""},
	{"empty trainer", "  trainer: {}\n"},
	{"one node", "  trainer: {numNodes: 1}\n"},
	{"two nodes", "  trainer: {numNodes: 2}\n"},
	{"many nodes", "  trainer: {numNodes: 512}\n"},
	{"no node", "  trainer: {numNodes: 0}\n"},
	{"requests", "  trainer: {numNodes: 4, resourcesPerNode: {requests: {cpu: 2, nvidia.com/gpu: 8}}}\n"},
	{"requests on one node", `  trainer:
    numNodes: 1
    resourcesPerNode: {requests: {cpu: 500m, memory: 1.5Gi}}
`},
	{"limits", "  trainer: {numNodes: 3, resourcesPerNode: {limits: {nvidia.com/gpu: 4}}}\n"},
	{"both", `  trainer:
    numNodes: 3
    resourcesPerNode: {limits: {cpu: 2}, requests: {cpu: '0.5', memory: 0.5Ki}}
`},
	{"suspended", "  suspend: true\n  trainer: {numNodes: 2}\n"},
	{"managed elsewhere", "  managedBy: kueue.x-k8s.io/multikueue\n"},
	{"queue in a patch", `  runtimePatches:
  - manager: people.example.io/one
    trainingRuntimeSpec:
      template:
        metadata: {annotations: {scheduling.volcano.sh/queue-name: research}}
`},
	{"node selector in a patch", `  trainer: {numNodes: 2}
  runtimePatches:
  - manager: people.example.io/one
    trainingRuntimeSpec:
      template:
        spec:
          replicatedJobs:
          - name: node
            template: {spec: {template: {spec: {nodeSelector: {disk: fast}}}}}
`},
	{"stranger in a patch", `  runtimePatches:
  - manager: people.example.io/one
    trainingRuntimeSpec: {template: {spec: {replicatedJobs: [{name: stranger}]}}}
`},
}

const jobHead = `apiVersion: trainer.kubeflow.org/v1alpha1
kind: TrainJob
metadata:
  name: train
  namespace: ml
  uid: 5f3c2c1e-0000-4000-8000-000000000001
spec:
  runtimeRef:
    name: %s
`

// TestShipped compares every runtime that the operator ships, under every
// policy, with every job; libgang reads YAML and JSON.
func TestShipped(t *testing.T) {
	r := newRig(t)
	type pair struct{ runtime, job []byte }
	var pairs []pair
	for _, shipped := range r.shipped {
		for _, policy := range policies {
			for _, spec := range jobSpecs {
				job := fmt.Sprintf(jobHead, nameOf(t, shipped.YAML)) + spec.yaml
				pairs = append(pairs, pair{withPolicy(t, shipped, policy.yaml), []byte(job)})
			}
		}
	}
	total := newTally()
	inParallel(len(pairs), func(worker, index int) {
		documents := &Documents{asJSON(pairs[index].runtime), asJSON(pairs[index].job)}
		outcome := r.operators[worker].Run(context.Background(), documents.Runtime, documents.Job)
		plan, err := r.library.Plan(pairs[index].runtime, pairs[index].job)
		total.add(index, documents, outcome, Compare(documents, outcome, plan, err))
		plan, err = r.library.Plan(documents.Runtime, documents.Job)
		total.add(index, documents, outcome, Compare(documents, outcome, plan, err))
	})
	total.conclude(t)
	if rendered := total.stages[upstream.StageRendered]; rendered < total.cases*8/10 {
		t.Errorf("only %d of %d cases reach the end of the operator", rendered, total.cases)
	}
}

// withPolicy keeps the runtime's own text, comments and all.
func withPolicy(t *testing.T, shipped upstream.ShippedRuntime, policy string) []byte {
	t.Helper()
	head, tail, found := bytes.Cut(shipped.YAML, []byte("\nspec:\n"))
	if !found {
		t.Fatalf("%s has no spec", shipped.Name)
	}
	return slices.Concat(head, []byte("\nspec:\n"+policy), tail)
}

func nameOf(t *testing.T, document []byte) string {
	t.Helper()
	var head struct {
		Metadata struct {
			Name string `json:"name"`
		} `json:"metadata"`
	}
	if err := yaml.Unmarshal(document, &head); err != nil {
		t.Fatal(err)
	}
	return head.Metadata.Name
}

// asJSON is kubectl's conversion; a text that does not convert stays as it is.
func asJSON(document []byte) []byte {
	text, err := yaml.YAMLToJSON(document)
	if err != nil {
		return document
	}
	return text
}
