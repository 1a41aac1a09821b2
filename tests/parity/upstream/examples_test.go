// SPDX-License-Identifier: Apache-2.0

package upstream

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"strings"
	"testing"

	"sigs.k8s.io/yaml"
)

// example is a behaviour of the operator worked out by hand. When a new
// version of the operator changes one, this test says so before the
// comparison with libgang does.
type example struct {
	name      string
	shipped   string // a shipped runtime, or
	mlPolicy  string // a runtime made of these
	jobs      string
	trainer   string
	members   int
	resources map[string]string
}

const (
	torch   = "torch_distributed"
	tune    = "llama3_2_1B"
	deep    = "deepspeed_distributed"
	labeled = `template: {metadata: {labels: {trainer.kubeflow.org/trainjob-ancestor-step: trainer}}, spec: `
	oneCPU  = `template: {spec: {containers: [{name: node, resources: {requests: {cpu: 1}}}]}}`
)

func node(name string) string {
	return fmt.Sprintf("- {name: %s, %s{%s}}}\n", name, labeled, oneCPU)
}

var examples = []example{
	{name: "no resources", shipped: torch, trainer: "{numNodes: 3}", members: 3, resources: nil},
	{name: "limits are not requests", shipped: tune, trainer: "{}", members: 3, resources: nil},
	{
		name: "requests of the job beside limits of the runtime", shipped: tune, members: 3,
		trainer:   "{resourcesPerNode: {requests: {cpu: 4, memory: 16Gi}}}",
		resources: map[string]string{"cpu": "4", "memory": "16Gi"},
	},
	{
		name: "launcher as node", shipped: deep, members: 4,
		trainer:   "{numNodes: 4, resourcesPerNode: {requests: {cpu: 2, nvidia.com/gpu: 8}}}",
		resources: map[string]string{"cpu": "8", "nvidia.com/gpu": "32"},
	},
	{
		name: "launcher as node with one node", shipped: deep, members: 2,
		trainer:   "{numNodes: 1, resourcesPerNode: {requests: {cpu: 2, nvidia.com/gpu: 8}}}",
		resources: map[string]string{"cpu": "4", "nvidia.com/gpu": "16"},
	},
	{
		name: "no ML policy", jobs: node("node"), trainer: "{numNodes: 5, resourcesPerNode: {requests: {cpu: 3}}}",
		members: 5, resources: map[string]string{"cpu": "5"},
	},
	{
		name: "replicas and completions are not counted", members: 6, resources: map[string]string{"cpu": "6"},
		jobs: fmt.Sprintf("- {name: worker, replicas: 2, template: {spec: {parallelism: 6, completions: 12, %s}}}\n", oneCPU),
	},
	{
		name: "numNodes zero in the runtime", mlPolicy: "{numNodes: 0}", jobs: node("node"),
		members: 1, resources: map[string]string{"cpu": "1"},
	},
	{
		name: "numNodes zero in the job", mlPolicy: "{torch: {}}", jobs: node("node"), trainer: "{numNodes: 0}",
		members: 0, resources: map[string]string{"cpu": "0"},
	},
	{
		name: "flux", mlPolicy: "{flux: {}}", jobs: node("node"), trainer: "{numNodes: 2}",
		members: 2, resources: map[string]string{"cpu": "2"},
	},
	{
		name: "two labelled jobs", mlPolicy: "{numNodes: 2, torch: {}}", jobs: node("a") + node("b"),
		trainer: "{numNodes: 5}", members: 7, resources: map[string]string{"cpu": "7"},
	},
	{
		name: "the first amount decides the format", members: 3, resources: map[string]string{"memory": "2477413Ki"},
		jobs: "- {name: a, template: {spec: {template: {spec: {containers: [{name: m, resources: {requests: {memory: 512Mi}}}]}}}}}\n" +
			"- {name: b, template: {spec: {parallelism: 2, template: {spec: {containers: [{name: m, resources: {requests: {memory: 1G}}}]}}}}}\n",
	},
	{
		name: "sidecars, init containers and overhead", mlPolicy: "{torch: {}}", trainer: "{numNodes: 3}",
		members: 3, resources: map[string]string{"cpu": "6750m", "memory": "12Gi"},
		jobs: "- {name: node, " + labeled + `{template: {spec: {overhead: {cpu: 250m}, initContainers: [
    {name: i1, resources: {requests: {cpu: 2}}},
    {name: s1, restartPolicy: Always, resources: {requests: {cpu: 100m}}},
    {name: i2, resources: {requests: {cpu: 1, memory: 4Gi}}}],
    containers: [{name: node, resources: {requests: {cpu: 500m, memory: 1.5Gi}}}]}}}}}
`,
	},
	{
		name: "pod-level requests", mlPolicy: "{torch: {}}", trainer: "{numNodes: 2}",
		members: 2, resources: map[string]string{"cpu": "8", "memory": "4Gi", "nvidia.com/gpu": "4"},
		jobs: "- {name: node, " + labeled + `{template: {spec: {resources: {requests: {cpu: 4, nvidia.com/gpu: 1}},
    containers: [{name: node, resources: {requests: {cpu: 1, memory: 2Gi, nvidia.com/gpu: 2}}}]}}}}}
`,
	},
}

func TestExamples(t *testing.T) {
	moduleDir, err := ModuleDir()
	if err != nil {
		t.Fatal(err)
	}
	operator, err := New(context.Background(), moduleDir)
	if err != nil {
		t.Fatal(err)
	}
	shipped, err := ShippedRuntimes(moduleDir)
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range examples {
		t.Run(test.name, func(t *testing.T) {
			runtime, job := test.documents(t, shipped)
			checkExample(t, test, operator.Run(context.Background(), runtime, job))
		})
	}
}

func checkExample(t *testing.T, test example, outcome *Outcome) {
	t.Helper()
	if outcome.Stage != StageRendered || len(outcome.Answer.PodGroups) != 1 {
		t.Fatalf("%s: %v", outcome.Stage, outcome.Errors)
	}
	var podGroup struct {
		Spec struct {
			MinMember    int               `json:"minMember"`
			MinResources map[string]string `json:"minResources"`
		} `json:"spec"`
	}
	if err := json.Unmarshal(outcome.Answer.PodGroups[0], &podGroup); err != nil {
		t.Fatal(err)
	}
	if podGroup.Spec.MinMember != test.members || !maps.Equal(podGroup.Spec.MinResources, test.resources) {
		t.Errorf("%d members with %v, want %d with %v",
			podGroup.Spec.MinMember, podGroup.Spec.MinResources, test.members, test.resources)
	}
}

// documents are the example's runtime, gang-scheduled, and its TrainJob.
func (e example) documents(t *testing.T, shipped []ShippedRuntime) (runtime, job []byte) {
	t.Helper()
	text := "apiVersion: trainer.kubeflow.org/v1alpha1\nkind: ClusterTrainingRuntime\nmetadata: {name: made}\nspec:\n"
	if e.mlPolicy != "" {
		text += "  mlPolicy: " + e.mlPolicy + "\n"
	}
	text += "  template:\n    spec:\n      replicatedJobs:\n" + indented(e.jobs)
	for _, candidate := range shipped {
		if candidate.Name == e.shipped {
			text = string(candidate.YAML)
		}
	}
	document := map[string]any{}
	if err := yaml.Unmarshal([]byte(text), &document); err != nil {
		t.Fatalf("%v in\n%s", err, text)
	}
	document["spec"].(map[string]any)["podGroupPolicy"] = map[string]any{"coscheduling": map[string]any{}}
	name := document["metadata"].(map[string]any)["name"]
	spec := map[string]any{"runtimeRef": map[string]any{"name": name}}
	if e.trainer != "" {
		spec["trainer"] = json.RawMessage(toJSON(t, e.trainer))
	}
	return encode(t, document), encode(t, map[string]any{
		"apiVersion": "trainer.kubeflow.org/v1alpha1", "kind": "TrainJob", "spec": spec,
		"metadata": map[string]any{"name": "train", "namespace": "ml", "uid": "u"},
	})
}

func indented(text string) string {
	return "      " + strings.ReplaceAll(strings.TrimSuffix(text, "\n"), "\n", "\n      ") + "\n"
}

func toJSON(t *testing.T, text string) []byte {
	t.Helper()
	converted, err := yaml.YAMLToJSON([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return converted
}

func encode(t *testing.T, document any) []byte {
	t.Helper()
	text, err := json.Marshal(document)
	if err != nil {
		t.Fatal(err)
	}
	return text
}
