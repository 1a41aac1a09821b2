// SPDX-License-Identifier: Apache-2.0

package overlay

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os/exec"
	"slices"
	"strings"
)

// A Result is that of one test or case: all that `go test -v` counts.
type Result struct {
	Name, Output string
	Passed       bool
	isTable      bool // a test that has cases
}

// Run runs a program that `go test -c` has compiled. An empty pattern selects all tests.
func Run(program, pattern string) (results []Result, err error) {
	command := exec.Command("go", "tool", "test2json", program, "-test.v=test2json",
		"-test.run="+pattern)
	output, err := command.Output()
	if err != nil && command.ProcessState == nil {
		return nil, err
	}
	texts, tables := map[string]string{}, map[string]bool{}
	for decoder := json.NewDecoder(bytes.NewReader(output)); decoder.More(); {
		var one struct{ Action, Test, Output string }
		if err := decoder.Decode(&one); err != nil {
			return nil, fmt.Errorf("%w\n%s", err, output)
		}
		texts[one.Test] += one.Output
		if slash := strings.LastIndexByte(one.Test, '/'); slash > 0 {
			tables[one.Test[:slash]] = true
		}
		if one.Test != "" && slices.Contains([]string{"pass", "fail", "skip"}, one.Action) {
			results = append(results, Result{one.Test, texts[one.Test], one.Action == "pass",
				tables[one.Test]})
		}
	}
	return results, nil
}

// Cases leaves out the tests that only have others.
func Cases(results []Result) []Result {
	return slices.DeleteFunc(slices.Clone(results), func(one Result) bool { return one.isTable })
}
