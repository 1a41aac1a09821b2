// SPDX-License-Identifier: Apache-2.0

package gang_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"strings"
	"testing"

	"libgang.dev/gang"
)

// An answersCase is one line of tests/bindings/answers: what the library answered in C.
type answersCase struct {
	Case      string
	Documents map[string]string
	Answers   map[string]answer
}

type answer struct {
	Result int
	Error  string // the diagnostics as JSON
	Text   string
}

// answersFile is written by `./dev test go`.
const answersFile = "LIBGANG_ANSWERS"

func readAnswers(t testing.TB) []answersCase {
	t.Helper()
	name := os.Getenv(answersFile)
	if name == "" {
		t.Skipf("%s is not set: ./dev test go sets it", answersFile)
	}
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	var cases []answersCase
	lines := bufio.NewScanner(bytes.NewReader(data))
	lines.Buffer(nil, len(data)+1)
	for lines.Scan() {
		var one answersCase
		if err := json.Unmarshal(lines.Bytes(), &one); err != nil {
			t.Fatal(err)
		}
		cases = append(cases, one)
	}
	if len(cases) < 100 {
		t.Fatalf("only %d cases", len(cases))
	}
	return cases
}

// complain tells t of differences; a run of many goroutines has another one.
type complain func(format string, arguments ...any)

// replay asks what the C program asked, and compares every byte.
func (c *answersCase) replay(complain complain) {
	documents := map[string]*gang.Document{}
	for name, text := range c.Documents {
		if name == "live" {
			continue
		}
		document, err := gang.Parse([]byte(text))
		c.compare(complain, "parse "+name, nil, err)
		if document != nil {
			defer document.Close()
			documents[name] = document
		}
	}
	job := documents["trainjob"]
	if job == nil {
		job = documents["podgang"]
	}
	if job == nil {
		return
	}
	var inputs gang.Inputs
	for _, name := range []string{"runtime", "podcliqueset", "policy", "cluster"} {
		// A document that is not well-formed is none for the C program, and a nil one is an error.
		if documents[name] != nil {
			inputs.Documents = append(inputs.Documents, documents[name])
		}
	}
	decision, err := gang.Resolve(job, inputs)
	c.compare(complain, "resolve", nil, err)
	if decision != nil {
		defer decision.Close()
		c.replayDecision(complain, decision)
	}
}

func (c *answersCase) replayDecision(complain complain, decision *gang.Decision) {
	text, err := decision.Serialize(gang.FormatJSON)
	c.compare(complain, "decision", text, err)
	plan, err := decision.Render()
	c.compare(complain, "render", nil, err)
	if plan == nil {
		return
	}
	defer plan.Close()
	c.replayPlan(complain, "render", plan)
	live, found := c.Documents["live"]
	if !found {
		live = c.Answers["render objects json"].Text
	}
	existing, err := gang.ParseLive([]byte(live))
	c.compare(complain, "parse live", nil, err)
	if existing == nil {
		return
	}
	defer existing.Close()
	reconciled, err := plan.Reconcile(existing)
	c.compare(complain, "reconcile", nil, err)
	if reconciled != nil {
		defer reconciled.Close()
		c.replayPlan(complain, "reconcile", reconciled)
	}
}

func (c *answersCase) replayPlan(complain complain, prefix string, plan *gang.Plan) {
	for _, target := range []gang.Target{gang.TargetPlan, gang.TargetObjects, gang.TargetRuntime, gang.TargetJob} {
		for _, format := range []gang.Format{gang.FormatJSON, gang.FormatYAML} {
			text, err := plan.Serialize(target, format)
			c.compare(complain, prefix+" "+target.String()+" "+format.String(), text, err)
		}
	}
	c.checkGetters(complain, plan)
}

func (c *answersCase) compare(complain complain, step string, text []byte, err error) {
	expected, found := c.Answers[step]
	if !found {
		complain("%s: %s: the C program did not ask it", c.Case, step)
		return
	}
	result, diagnostics := 0, ""
	var failed *gang.Error
	switch {
	case errors.As(err, &failed):
		result = int(failed.Result)
		if failed.Diagnostics != nil {
			diagnostics = asJSON(failed.Diagnostics)
		}
	case err != nil:
		complain("%s: %s: %v", c.Case, step, err)
		return
	}
	if result != expected.Result || diagnostics != expected.Error {
		complain(
			"%s: %s: %d\n%s\nC: %d\n%s", c.Case, step, result, diagnostics, expected.Result,
			expected.Error,
		)
	}
	if string(text) != expected.Text {
		complain("%s: %s:\n%s\nC:\n%s", c.Case, step, text, expected.Text)
	}
}

// asJSON writes as the library does.
func asJSON(value any) string {
	var text bytes.Buffer
	encoder := json.NewEncoder(&text)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(value); err != nil {
		return err.Error()
	}
	return text.String()
}

// Both engines answer byte for byte what the library answers in C.
func TestAnswers(t *testing.T) {
	cases := readAnswers(t)
	for i := range cases {
		t.Run(cases[i].Case, func(t *testing.T) { cases[i].replay(t.Errorf) })
	}
}

// The typed documents know every field, and lose none.
func TestDocuments(t *testing.T) {
	for _, one := range readAnswers(t) {
		checkDocument[gang.PlanDocument](t, &one, "render plan json")
		checkDocument[gang.PlanDocument](t, &one, "reconcile plan json")
		checkDocument[gang.DecisionDocument](t, &one, "decision")
	}
}

func checkDocument[T any](t *testing.T, one *answersCase, step string) {
	t.Helper()
	text, found := one.Answers[step]
	if !found {
		return
	}
	decoder := json.NewDecoder(bytes.NewReader([]byte(text.Text)))
	decoder.DisallowUnknownFields()
	var document T
	if err := decoder.Decode(&document); err != nil {
		t.Errorf("%s: %v", one.Case, err)
	} else if again := asJSON(document); !sameJSON(again, text.Text) {
		t.Errorf("%s: %s\nC: %s", one.Case, again, text.Text)
	}
}

// checkGetters compares what the getters return with the document.
func (c *answersCase) checkGetters(complain complain, plan *gang.Plan) {
	document, err := plan.Document()
	if err != nil {
		complain("%s: %v", c.Case, err)
		return
	}
	if len(document.Objects) != len(plan.Objects()) ||
		len(document.Patches) != len(plan.Patches()) {
		complain("%s: %d objects, %d patches", c.Case, len(plan.Objects()), len(plan.Patches()))
		return
	}
	for i, object := range plan.Objects() {
		if object.Action != document.Objects[i].Action ||
			!sameJSON(string(object.JSON), string(document.Objects[i].Object)) {
			complain("%s: object %d: %s %s", c.Case, i, object.Action, object.JSON)
		}
	}
	for i, patch := range plan.Patches() {
		if again := asPlanned(&patch); !sameJSON(asJSON(again), asJSON(document.Patches[i])) {
			complain(
				"%s: patch %d: %s, document %s", c.Case, i, asJSON(again),
				asJSON(document.Patches[i]),
			)
		}
	}
	if asJSON(plan.Diagnostics()) != asJSON(document.Diagnostics) && len(document.Diagnostics) > 0 {
		complain("%s: diagnostics: %s", c.Case, asJSON(plan.Diagnostics()))
	}
}

// asPlanned gives a patch the form that it has in the document.
func asPlanned(patch *gang.Patch) map[string]any {
	planned := map[string]any{"target": patch.Target}
	if patch.Role != "" {
		planned["role"] = patch.Role
	}
	metadata := map[string]any{}
	if patch.Labels != nil {
		metadata["labels"] = patch.Labels
	}
	if patch.Annotations != nil {
		metadata["annotations"] = patch.Annotations
	}
	if len(metadata) > 0 {
		planned["metadata"] = metadata
	}
	spec := map[string]any{}
	for path, value := range patch.Spec {
		holder := spec
		steps := strings.Split(path, ".")
		for _, step := range steps[:len(steps)-1] {
			inner, _ := holder[step].(map[string]any)
			if inner == nil {
				inner = map[string]any{}
				holder[step] = inner
			}
			holder = inner
		}
		holder[steps[len(steps)-1]] = value
	}
	if len(spec) > 0 {
		planned["spec"] = spec
	}
	return planned
}

func sameJSON(a, b string) bool {
	var first, second any
	if json.Unmarshal([]byte(a), &first) != nil || json.Unmarshal([]byte(b), &second) != nil {
		return false
	}
	return asJSON(first) == asJSON(second)
}
