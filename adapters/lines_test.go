// SPDX-License-Identifier: Apache-2.0

package adapters

import (
	"os"
	"os/exec"
	"regexp"
	"testing"
)

const head = `package lines
import ("libgang.dev/gang/adapters/grove"; "libgang.dev/gang/adapters/lws"
	"libgang.dev/gang/adapters/trainingoperator"; "libgang.dev/gang/k8sgang/apply"
	"sigs.k8s.io/lws/pkg/schedulerprovider")
`

// TestLinesToChange compiles the Go lines of the pages, between what stands around them in the
// operator. Those for Trainer are in trainer/manager.
func TestLinesToChange(t *testing.T) {
	source := head
	for page, around := range map[string][2]string{
		"grove":             {"var profile struct{ Name string }", "_ = backend"},
		"leaderworkerset":   {"var sp schedulerprovider.SchedulerProvider", "_ = sp"},
		"training-operator": {"", "_ = gangSchedulingSetupFunc"},
	} {
		text, err := os.ReadFile("../doc/adapters/" + page + ".md")
		lines := regexp.MustCompile("(?s)```go\n(.*?)```").FindSubmatch(text)
		if err != nil || lines == nil {
			t.Fatalf("%s: no lines of Go: %v", page, err)
		}
		source += "func _(keeper *apply.Keeper) {\n" + around[0] + "\n" + string(lines[1]) +
			around[1] + "\n}\n"
	}
	folder, err := os.MkdirTemp(".", "lines")
	if err != nil {
		t.Fatal(err)
	}
	defer os.RemoveAll(folder)
	if err := os.WriteFile(folder+"/lines.go", []byte(source), 0o600); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command("go", "vet", "./"+folder).CombinedOutput(); err != nil {
		t.Fatalf("%s\n%s", out, source)
	}
}
