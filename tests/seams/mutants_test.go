// SPDX-License-Identifier: Apache-2.0

package seams

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// A mutant is a mistake in the library: a line of its one file in C, and another in its place.
type mutant struct{ what, line, instead string }

var mutants = []mutant{
	{
		"a role has one pod in the minimum",
		"gang->minimum = integer_add_capped(gang->minimum, gang_pods_of_minimum(gang, role));",
		"gang->minimum = integer_add_capped(gang->minimum, 1);",
	},
	{
		"pods that are created late are in the minimum",
		"if (gang_membership(gang, role) == ROLE_LATE_MEMBER) {",
		"if (!role->count) {",
	},
	{
		"a task group has one pod",
		`build_int(&group, SLICE("minMember"), gang_role_minimum(call->gang, index));`,
		`build_int(&group, SLICE("minMember"), 1);`,
	},
	{
		"no object has an owner",
		"if (!owner || !owner->uid.len)",
		"if (!owner || owner->uid.len)",
	},
}

// Judges are the packages whose cases a mutant may fail: one for each adapter and form of a gang.
var judges = []string{"lws schedulerprovider", "kuberay volcano", "kuberay yunikorn",
	"spark volcano", "spark yunikorn"}

// TestMutants shows that upstream's tests notice mistakes in the library: a build with each of them
// fails cases that pass without. It compiles the library with cgo and without optimisation.
func TestMutants(t *testing.T) {
	if os.Getenv("LIBGANG_MUTANTS") == "" {
		t.Skip("LIBGANG_MUTANTS=1 ./dev adapters runs it: each mutant compiles the library")
	}
	for _, one := range mutants {
		t.Run(one.what, func(t *testing.T) {
			library := mutated(t, one)
			noticed := 0
			for _, s := range seams {
				if !slices.Contains(judges, s.title()) {
					continue
				}
				before := noticed
				for _, result := range runCases(t, build(t, &s, library), s.run) {
					if _, differs := s.differs[result.Name]; !result.Passed && !differs {
						noticed++
					}
				}
				t.Logf("%d cases of %s fail", noticed-before, s.title())
			}
			if noticed == 0 {
				t.Error("no case of upstream's tests notices it")
			}
		})
	}
}

// mutated is a copy of the Go binding whose library has a mistake.
func mutated(t *testing.T, one mutant) string {
	t.Helper()
	folder := t.TempDir()
	source := "../../bindings/go"
	entries, err := os.ReadDir(source)
	if err != nil {
		t.Fatal(err)
	}
	for _, entry := range entries {
		name := entry.Name()
		if entry.IsDir() || strings.HasSuffix(name, "_test.go") {
			continue
		}
		text, err := os.ReadFile(filepath.Join(source, name))
		if err != nil {
			t.Fatal(err)
		}
		if name == "gang.c" && bytes.Count(text, []byte(one.line)) != 1 {
			t.Fatalf("%s does not have the line once: %s", name, one.line)
		}
		text = bytes.Replace(text, []byte(one.line), []byte(one.instead), 1)
		text = bytes.Replace(text, []byte("CFLAGS: -std=c11"), []byte("CFLAGS: -O0 -std=c11"), 1)
		if err := os.WriteFile(filepath.Join(folder, name), text, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return folder
}
