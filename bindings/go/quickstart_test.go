// SPDX-License-Identifier: Apache-2.0

package gang_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"libgang.dev/gang"
)

const quickstartProgram = `package main

import (
	"fmt"
	"os"

	"libgang.dev/gang"
)

func main() {
	if err := run([]byte(os.Args[1]), []byte(os.Args[2])); err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
}

func apply(objects []gang.Object, patches []gang.Patch) error {
	for _, object := range objects {
		fmt.Printf("%%s %%s", object.Action, object.JSON)
	}
	for _, patch := range patches {
		fmt.Println(patch.Role, patch.Annotations, patch.Spec)
	}
	return nil
}

func run(jobJSON, runtimeJSON []byte) error {
%s	return err
}
`

// The quickstart of the README, in a module that requires this one as the README says.
func TestQuickstart(t *testing.T) {
	block := regexp.MustCompile("(?s)```go\n(.*?)```")
	quickstart := block.FindStringSubmatch(read(t, "../../README.md"))
	if quickstart == nil {
		t.Fatal("README.md has no Go")
	}
	if lines := strings.Count(quickstart[1], "\n"); lines > 12 {
		t.Errorf("%d lines", lines)
	}
	here, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	folder := t.TempDir()
	program := fmt.Appendf(nil, quickstartProgram, quickstart[1])
	if err := os.WriteFile(filepath.Join(folder, "main.go"), program, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, command := range []string{
		"go mod init example.com/quickstart",
		"go mod edit -require=libgang.dev/gang@v0.1.0 -replace=libgang.dev/gang=" + here,
		"go mod tidy",
		"go build -o quickstart .",
	} {
		inFolder(t, folder, strings.Fields(command)...)
	}
	answer := inFolder(t, folder, filepath.Join(folder, "quickstart"), jobJSON, runtimeJSON)
	if !strings.Contains(
		answer,
		`Create {"apiVersion":"scheduling.volcano.sh/v1beta1","kind":"PodGroup"`,
	) ||
		!strings.Contains(answer, "node map[scheduling.k8s.io/group-name:llama] map[schedulerName:volcano]") {
		t.Errorf("%s", answer)
	}
}

func inFolder(t *testing.T, folder string, command ...string) string {
	t.Helper()
	run := exec.Command(command[0], command[1:]...)
	run.Dir = folder
	engine := "CGO_ENABLED=0"
	if strings.HasPrefix(gang.Engine(), "cgo") { // that of the test: a clone may have no other
		engine = "CGO_ENABLED=1"
	}
	run.Env = append(os.Environ(), "GOFLAGS=", "GOWORK=off", engine)
	text, err := run.CombinedOutput()
	if err != nil {
		t.Fatalf("%s: %v\n%s", strings.Join(command[:2], " "), err, text)
	}
	return string(text)
}
