// SPDX-License-Identifier: Apache-2.0

package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"strings"
	"testing"
	"time"
)

const settingsHead = "apiVersion: operator.libgang.dev/v1alpha1\nkind: OperatorConfiguration\n"

func readFrom(t *testing.T, text string, arguments ...string) (*settings, error) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "config.yaml")
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return readSettings(append(arguments, "-config", file))
}

// A flag takes the place of a value of the file, and the file of a default.
func TestSettings(t *testing.T) {
	read, err := readFrom(t, settingsHead+
		"mode: Enforce\nnamespaceSelector: gangs=on\nwakeInterval: 5s\nwebhook: {port: 1}\n"+
		"client: {qps: 7.5}\nkinds: [Job]\n",
		"-webhook-port", "2", "-namespaces=")
	if err != nil {
		t.Fatal(err)
	}
	if read.Mode != modeEnforce || read.WakeInterval != 5*time.Second || read.Client.QPS != 7.5 {
		t.Errorf("%+v", read)
	}
	if read.Webhook.Port != 2 || read.NamespaceSelector != "" || read.Health != ":8081" {
		t.Errorf("%+v", read)
	}
	if read, err = readSettings(nil); err != nil || read.Mode != modeReport {
		t.Errorf("%+v %v", read, err)
	}
}

// The example of the documentation has every field, with its default but for the namespaces and the
// metrics.
func TestDocumentedSettings(t *testing.T) {
	page, err := os.ReadFile("../doc/operator.md")
	if err != nil {
		t.Fatal(err)
	}
	_, text, _ := strings.Cut(string(page), "```yaml\n")
	text, _, _ = strings.Cut(text, "```")
	read, err := readFrom(t, text)
	if err != nil {
		t.Fatal(err)
	}
	wanted, err := readSettings([]string{"-namespaces", "gangs=on", "-metrics", ":8080"})
	if err != nil {
		t.Fatal(err)
	}
	wanted.APIVersion, wanted.Kind = read.APIVersion, read.Kind
	wanted.Kinds, wanted.Backends, wanted.ReportedRules = []string{}, []string{}, []string{}
	if !reflect.DeepEqual(read, wanted) {
		t.Errorf("%+v instead of %+v", read, wanted)
	}
	fields := reflect.TypeFor[settings]()
	for i := range fields.NumField() {
		if name := fields.Field(i).Tag.Get("yaml"); !strings.Contains(text, "\n"+name+": ") && i > 0 {
			t.Errorf("%s is not in the example", name)
		}
	}
}

func TestWrongSettings(t *testing.T) {
	for text, words := range map[string][]string{
		"mode: Report\nmodus: x\nclient: {qsp: 1}\n": {"line 4: field modus", "line 5: field qsp"},
		"mode: Report\nmode: Report\n":               {"line 4", "already defined"},
		"wakeInterval: soon\nclient: {burst: x}\n":   {"line 3", "line 4"},
		"mode: report\nnamespaceSelector: '='\nkinds: [Node, Job]\nbackends: [Volcano]\n": {
			`mode: "report" is neither Report nor Enforce`, "namespaceSelector:", `kinds: "Node"`,
			`no backend "Volcano"`},
		"wakeInterval: -1s\n":     {"wakeInterval: -1s must not be negative"},
		"policy: ''\n":            {"policy, namespace: must not be empty"},
		"mode: Report\n---\na: b": {"more than one document"},
		"mode: Report\n---\n":     {},
		"apiVersion: other/v1\n":  {"already defined"},
		"---\nkind: Other\n":      {"more than one document"},
	} {
		_, err := readFrom(t, settingsHead+text)
		if err == nil && len(words) > 0 {
			t.Errorf("%q is accepted", text)
			continue
		}
		for _, word := range words {
			if !strings.Contains(err.Error(), word) {
				t.Errorf("%q: %v lacks %q", text, err, word)
			}
		}
	}
	for _, text := range []string{"", "kind: Other\n", "- a\n"} {
		if _, err := readFrom(t, text); err == nil {
			t.Errorf("%q is accepted", text)
		}
	}
	if _, err := readSettings([]string{"-config", "/none"}); err == nil {
		t.Error("no file")
	}
}

// The chart takes the intervals that the operator takes: the pattern is that of its schema.
func TestWakeIntervals(t *testing.T) {
	text, err := os.ReadFile("chart/values.schema.json")
	if err != nil {
		t.Fatal(err)
	}
	var schema struct {
		Properties struct {
			WakeInterval struct{ Pattern string }
		}
	}
	if err := json.Unmarshal(text, &schema); err != nil {
		t.Fatal(err)
	}
	pattern := regexp.MustCompile(schema.Properties.WakeInterval.Pattern)
	for _, text := range []string{"30s", "0", "0s", "+0", "500us", "500\u00b5s", "500\u03bcs", "1ns", ".5s",
		"1.s", "1h2m3.5s", "-1s", "-0", "", "5", "s", ".s", "1x", "1 s", "1S", "soon"} {
		_, err := readFrom(t, settingsHead+"wakeInterval: \""+text+"\"\n")
		if pattern.MatchString(text) != (err == nil && text != "-0") {
			t.Errorf("%q: %v, and the schema says the contrary", text, err)
		}
		_, err = readSettings([]string{"-wake-interval", text})
		if pattern.MatchString(text) != (err == nil && text != "-0") {
			t.Errorf("-wake-interval %q: %v, and the schema says the contrary", text, err)
		}
	}
}

// The administrator turns gangs on namespace by namespace.
func TestActs(t *testing.T) {
	w := newWorld(t, policyOf("volcano", ""))
	w.create(parse(t,
		`{apiVersion: v1, kind: Namespace, metadata: {name: ml, labels: {gangs: "on"}}}`))
	for _, one := range []struct {
		mode, namespaces string
		acts             bool
	}{
		{modeReport, "", false},
		{modeEnforce, "", true},
		{modeEnforce, "gangs=on", true},
		{modeEnforce, "gangs=off", false},
		{modeReport, "gangs=on", false},
	} {
		s := &settings{Mode: one.mode, NamespaceSelector: one.namespaces}
		if acts := s.acts(w.client)(t.Context(), "ml"); acts != one.acts {
			t.Errorf("%+v: %v", one, acts)
		}
	}
	s := &settings{Mode: modeEnforce, NamespaceSelector: "gangs=on"}
	if s.acts(w.client)(t.Context(), "unknown") {
		t.Error("a namespace that cannot be read")
	}
}
