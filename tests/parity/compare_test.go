// SPDX-License-Identifier: Apache-2.0

package parity

import (
	"context"
	"encoding/json"
	"testing"

	"libgang.dev/tests/parity/upstream"
)

// spoilers each make a perfect plan wrong in one place.
var spoilers = []struct {
	name  string
	spoil func(*Plan)
}{
	{"outcome", func(p *Plan) { p.Outcome = "NoGang" }},
	{"object", func(p *Plan) { p.Objects[0].Object = json.RawMessage(`{"spec":{}}`) }},
	{"no object", func(p *Plan) { p.Objects = nil }},
	{"minimum", func(p *Plan) { p.Gang.Minimum += "0" }},
	{"resources", func(p *Plan) { p.Gang.Resources["made-up"] = "1" }},
	{"count", func(p *Plan) { p.Roles[0].Count++ }},
	{"requests", func(p *Plan) { p.Roles[0].Requests = map[string]string{"made-up": "1"} }},
	{"role", func(p *Plan) { p.Roles[0].Name += "x" }},
	{"order", func(p *Plan) { p.Roles = append(p.Roles[1:], p.Roles[0]) }},
	{"missing patch", func(p *Plan) { p.Patches = p.Patches[1:] }},
	{"scheduler", func(p *Plan) { p.Patches[0].Spec = map[string]any{"schedulerName": "made-up"} }},
	{"mark", func(p *Plan) { p.Patches[0].Metadata.Labels = map[string]string{"made-up": "1"} }},
	{"JobSet", func(p *Plan) { p.Patches[0].Role = "" }},
}

// TestCompare checks the judge: a plan made of the operator's own answer
// passes, and the same plan spoilt in one place does not.
func TestCompare(t *testing.T) {
	outcome := exampleOutcome(t)
	if found := differences(outcome, perfectPlan(t, outcome.Answer)); len(found) > 0 {
		t.Fatalf("the perfect plan differs: %q", found)
	}
	for _, spoiler := range spoilers {
		plan := perfectPlan(t, outcome.Answer)
		spoiler.spoil(plan)
		if len(differences(outcome, plan)) == 0 {
			t.Errorf("a plan with wrong %s passes", spoiler.name)
		}
	}
}

func exampleOutcome(t *testing.T) *upstream.Outcome {
	t.Helper()
	moduleDir, err := upstream.ModuleDir()
	if err != nil {
		t.Fatal(err)
	}
	operator, err := upstream.New(context.Background(), moduleDir)
	if err != nil {
		t.Fatal(err)
	}
	runtime := asJSON([]byte(`
apiVersion: trainer.kubeflow.org/v1alpha1
kind: ClusterTrainingRuntime
metadata: {name: made}
spec:
  podGroupPolicy: {volcano: {networkTopology: {}}}
  template:
    spec:
      replicatedJobs:
      - name: front
        replicas: 3
        template: {spec: {template: {spec: {containers: [{name: a, resources: {requests: {cpu: 1}}}]}}}}
      - name: back
        template: {spec: {parallelism: 2, template: {spec: {containers: [{name: a}]}}}}
`))
	job := asJSON([]byte(`
apiVersion: trainer.kubeflow.org/v1alpha1
kind: TrainJob
metadata: {name: train, namespace: ml, uid: u}
spec: {runtimeRef: {name: made}}
`))
	outcome := operator.Run(context.Background(), runtime, job)
	if outcome.Stage != upstream.StageRendered {
		t.Fatalf("%s: %q", outcome.Stage, outcome.Errors)
	}
	return outcome
}

// perfectPlan says what the operator says, in libgang's words.
func perfectPlan(t *testing.T, answer *upstream.Answer) *Plan {
	t.Helper()
	spec := tree(answer.PodGroups[0]).(map[string]any)["spec"].(map[string]any)
	var roles, patches []any
	for _, role := range answer.Roles {
		roles = append(roles, map[string]any{
			"name": role.Name, "count": role.Pods(), "requests": role.Requests,
		})
		patches = append(patches, map[string]any{"role": role.Name, "metadata": role.Marks})
	}
	plan, err := decodePlan([]byte(text(map[string]any{
		"outcome": "Gang",
		"gang":    map[string]any{"minimum": spec["minMember"], "resources": spec["minResources"]},
		"roles":   roles,
		"objects": []any{map[string]any{"action": "Create", "object": answer.PodGroups[0]}},
		"patches": patches,
	})))
	if err != nil {
		t.Fatal(err)
	}
	return plan
}
