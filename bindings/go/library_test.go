// SPDX-License-Identifier: Apache-2.0

package gang_test

import (
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// Symbols of the library that the binding does not call, and why.
var leftOut = map[string]string{
	"gang_audit":                "a call costs little in Go: jobs are resolved one by one",
	"gang_blob_ref":             "the binding copies the bytes",
	"gang_config_set_workspace": "a call costs more in Go than its memory: no difference was measured",
	"gang_context_ref":          "handle.go counts the users of a handle",
	"gang_decision_ref":         "handle.go counts the users of a handle",
	"gang_document_ref":         "handle.go counts the users of a handle",
	"gang_document_parse_named": "operators hold objects, not files",
	"gang_error_serialize":      "the diagnostics of an error are read one by one",
	"gang_patch_serialize":      "a patch is read field by field",
	"gang_plan_ref":             "handle.go counts the users of a handle",
	"gang_stream_ref":           "handle.go counts the users of a handle",
}

func read(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(name)
	if os.IsNotExist(err) {
		t.Skipf("%s is not here: this is no checkout", name)
	}
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// Every public function is called, or left out for a reason.
func TestSymbols(t *testing.T) {
	source := read(t, "call.c")
	for _, match := range regexp.MustCompile(`(?m)^ {4}(gang_\w+);`).FindAllStringSubmatch(read(t, "../../libgang/libgang.map"), -1) {
		symbol := match[1]
		called := regexp.MustCompile(`\b` + symbol + `\b`).MatchString(source)
		_, listed := leftOut[symbol]
		switch {
		case !called && !listed:
			t.Errorf("%s is neither called in call.c nor left out for a reason", symbol)
		case called && listed:
			t.Errorf("%s is called in call.c and listed as left out", symbol)
		}
	}
}

// call.go and call.h agree on functions, kinds, names and words.
func TestCallLayout(t *testing.T) {
	header, source := read(t, "call.h"), read(t, "call.go")
	for name, prefix := range map[string]string{"call_function": "call", "call_name": "name", "call_kind": "kind"} {
		body := regexp.MustCompile(`(?s)enum ` + name + ` \{(.*?)\}`).FindStringSubmatch(header)[1]
		var inC []string
		for _, word := range regexp.MustCompile(`\w+`).FindAllString(body, -1) {
			inC = append(inC, strings.ToLower(strings.ReplaceAll(word, "_", "")))
		}
		start := regexp.MustCompile(`\t` + prefix + `\w+ \w+ = iota\n`).FindStringIndex(source)[0]
		block := source[start : start+strings.Index(source[start:], "\n)")]
		var inGo []string
		for _, match := range regexp.MustCompile(`(?m)^\t(\w+)`).FindAllStringSubmatch(block, -1) {
			inGo = append(inGo, strings.ToLower(match[1]))
		}
		if !slices.Equal(inC, inGo) {
			t.Errorf("%s: C %v, Go %v", name, inC, inGo)
		}
	}
	fields := regexp.MustCompile(`(?s)struct call \{(.*?)\n\};`).FindStringSubmatch(header)[1]
	var inC []string
	for _, match := range regexp.MustCompile(`(?m)^ +(?:uint64_t|struct call_text) (\w+)`).FindAllStringSubmatch(fields, -1) {
		inC = append(inC, match[1])
	}
	body := regexp.MustCompile(`(?s)type words struct \{(.*?)\n\}`).FindStringSubmatch(source)[1]
	body = regexp.MustCompile(`\buint64\b|\btextWord\b|\[\d+\]`).ReplaceAllString(body, "")
	inGo := regexp.MustCompile(`\w+`).FindAllString(body, -1)
	for i, word := range inGo {
		if word == "err" {
			inGo[i] = "error"
		}
	}
	if !slices.Equal(inC, inGo) {
		t.Errorf("words: C %v, Go %v", inC, inGo)
	}
}
