// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"sigs.k8s.io/yaml"
)

// A recorder keeps what real servers returned, as golden cases: the input, the live objects, and the
// action that is right for a settled job, Leave.
type recorder struct {
	root, folder string // the repository, and tests/recorded/live/VERSION in it
	lock         sync.Mutex
}

// Few samples show all forms: one role, initializers, and a launcher that comes late.
var recorded = []string{"examples/torch", "examples/torchtune-llama", "examples/deepspeed"}

// keep writes the settled state of a lane. A state about which the library says something more than
// Leave needs an expectation that somebody derived.
func (r *recorder) keep(v *convergence, l *lane, stage string, p plan, live []document) error {
	if !slices.Contains(recorded, l.sample.name) || stage == "another backend" || speaksOfLive(p) {
		return nil
	}
	r.lock.Lock()
	defer r.lock.Unlock()
	name := strings.ReplaceAll(strings.TrimPrefix(l.sample.name, "examples/")+"-"+l.policy.name, " ", "-")
	folder := filepath.Join(r.folder, name, strings.ReplaceAll(stage, " ", "-"))
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return err
	}
	copies := map[string]string{l.policy.policy: "policy.yaml", v.facts[l.policy.workload]: "cluster.yaml"}
	for from, to := range copies {
		if err := copyFile(from, filepath.Join(folder, to)); err != nil {
			return err
		}
	}
	if err := writeDocuments(filepath.Join(folder, "trainjob.yaml"), []document{l.job}); err != nil {
		return err
	}
	if err := writeDocuments(filepath.Join(folder, "live.yaml"), live); err != nil {
		return err
	}
	return r.writeExpected(folder, l, p)
}

// Diagnostics about live objects have the codes after GANG850.
func speaksOfLive(p plan) bool {
	return slices.ContainsFunc(p.Diagnostics, func(one diagnostic) bool {
		return one.Code > "GANG850"
	})
}

func (r *recorder) writeExpected(folder string, l *lane, p plan) error {
	var text strings.Builder
	text.WriteString("# Recorded from real servers after the job had settled.\ninputs:\n")
	for _, file := range l.sample.files {
		if file == jobFile(l.sample) {
			file = filepath.Join(folder, "trainjob.yaml")
		}
		name, err := filepath.Rel(r.root, file)
		if err != nil {
			return err
		}
		fmt.Fprintf(&text, "- %s\n", name)
	}
	text.WriteString("outcome: Gang\nreconciled:")
	for _, one := range p.Objects {
		fmt.Fprintf(&text, "\n- {action: Leave, kind: %s, name: %s}", kindOf(one.Object),
			nameOf(one.Object))
	}
	if len(p.Objects) == 0 {
		text.WriteString(" []")
	}
	text.WriteString("\n")
	return os.WriteFile(filepath.Join(folder, "expected.yaml"), []byte(text.String()), 0o644)
}

func writeDocuments(path string, documents []document) error {
	var content strings.Builder
	for _, one := range documents {
		text, err := yaml.Marshal(withoutManagers(one))
		if err != nil {
			return err
		}
		content.WriteString("---\n")
		content.Write(text)
	}
	return os.WriteFile(path, []byte(content.String()), 0o644)
}

// managedFields are half of every document, and nothing reads them.
func withoutManagers(object document) document {
	stripped := copyOf(object)
	if metadata, ok := stripped["metadata"].(document); ok {
		delete(metadata, "managedFields")
	}
	return stripped
}
