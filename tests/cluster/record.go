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
	root, folder string // the repository, and build/recorded-live/VERSION in it
	lock         sync.Mutex
}

// Few samples show all forms: one role, initializers, and a launcher that comes late.
var recorded = []string{"examples/torch", "examples/torchtune-llama", "examples/deepspeed"}

var recordedStages = []string{"created", "one node more", "suspended", "resumed"}

// keep writes what exists after everything was carried out. All of it must be Leave, also if it is
// not yet. A settled state about which the library says more than Leave needs an expectation that
// somebody derived.
func (r *recorder) keep(v *convergence, l *lane, stage string, p plan, live []document,
	settled bool) error {
	if !slices.Contains(recorded, l.sample.name) || !slices.Contains(recordedStages, stage) ||
		settled && speaksOfLive(p) {
		return nil
	}
	r.lock.Lock()
	defer r.lock.Unlock()
	full := strings.TrimPrefix(l.sample.name, "examples/") + "-" + l.policy.name
	name := strings.ReplaceAll(full, " ", "-")
	folder := filepath.Join(r.folder, name, strings.ReplaceAll(stage, " ", "-"))
	facts := v.facts[l.policy.workload]
	if err := writeSettings(filepath.Dir(folder), l.policy.policy, facts); err != nil {
		return err
	}
	if err := writeCase(folder, l.job, live); err != nil {
		return err
	}
	var inputs []string
	for _, file := range l.sample.files {
		if file == jobFile(l.sample) {
			file = filepath.Join(folder, "trainjob.yaml")
		}
		name, err := filepath.Rel(r.root, file)
		if err != nil {
			return err
		}
		inputs = append(inputs, name)
	}
	return writeExpected(folder, inputs, p)
}

// keepFinished writes what is left of jobs that have ended, with their pods.
func (r *recorder) keepFinished(t *team, names ...string) error {
	all, err := t.live()
	if err != nil {
		return err
	}
	for _, name := range names {
		job, err := t.trainjob(name)
		if err != nil {
			return err
		}
		live := t.belongingTo(all, name)
		plans, err := t.ask("record", []document{job}, live)
		if err != nil || len(plans) != 1 {
			return fmt.Errorf("no plan for %s: %w", name, err)
		}
		folder := filepath.Join(r.folder, "finished", name+"-"+t.backend.name)
		if err := writeSettings(folder, t.policy, t.facts); err != nil {
			return err
		}
		if err := writeCase(folder, job, live); err != nil {
			return err
		}
		runtime := t.runtimes[text(job, "spec", "runtimeRef", "name")]
		if err := writeDocuments(filepath.Join(folder, "runtime.yaml"), []document{runtime}); err != nil {
			return err
		}
		if err := writeExpected(folder, nil, plans[0]); err != nil {
			return err
		}
	}
	return nil
}

// Few cases show all forms: gangs of two stages and of two replicas, an elastic minimum, and a member
// that comes late.
var recordedKinds = []string{"jobset-stages", "job-elastic", "lws", "mpi-late"}

// keepKinds writes what is left of jobs of other kinds that did what they should: a case for each
// gang.
func (r *recorder) keepKinds(t *kindTeam) error {
	all, err := t.live()
	if err != nil {
		return err
	}
	for _, name := range recordedKinds {
		job, live := t.pick(all, name)
		plans, err := t.ask("record", []document{job}, live)
		if err != nil {
			return err
		}
		folder := filepath.Join(r.folder, "kinds", name+"-"+t.backend.name)
		if err := writeSettings(folder, t.policy, t.facts); err != nil {
			return err
		}
		file := filepath.Join(folder, "job.yaml")
		if err := writeDocuments(file, []document{job}); err != nil {
			return err
		}
		input, err := filepath.Rel(r.root, file)
		if err != nil {
			return err
		}
		for i, plan := range plans {
			gang := filepath.Join(folder, fmt.Sprintf("gang-%d", i))
			if err := os.MkdirAll(gang, 0o755); err != nil {
				return err
			}
			if err := writeDocuments(filepath.Join(gang, "live.yaml"), live); err != nil {
				return err
			}
			if err := writeExpected(gang, []string{input}, plan); err != nil {
				return err
			}
			if len(plans) > 1 {
				if err := appendTo(gang, fmt.Sprintf("select: %d\n", i)); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// pick finds a job, and its pods and the groups that it owns.
func (t *kindTeam) pick(all []document, name string) (job document, live []document) {
	for _, one := range all {
		isOwned := slices.ContainsFunc(list(at(one, "metadata", "ownerReferences")),
			func(owner any) bool { return text(owner, "name") == name })
		switch {
		case t.isJob(one):
			if nameOf(one) == name {
				job = one
				live = append(live, one)
			}
		case isOwned && kindOf(one) != "Pod",
			text(one, "spec", "nodeSelector", "case") == t.namespace+"."+name:
			live = append(live, one)
		}
	}
	return job, live
}

func appendTo(folder, line string) error {
	path := filepath.Join(folder, "expected.yaml")
	content, err := os.ReadFile(path)
	if err == nil {
		err = os.WriteFile(path, append(content, line...), 0o644)
	}
	return err
}

// belongingTo picks a job, its JobSet and pods, and the groups that it owns.
func (t *team) belongingTo(all []document, job string) []document {
	var found []document
	for _, one := range all {
		owned := slices.ContainsFunc(list(at(one, "metadata", "ownerReferences")), func(owner any) bool {
			return text(owner, "kind") == t.jobs[0][1] && text(owner, "name") == job
		})
		if owned || text(one, "metadata", "labels", jobLabel) == job ||
			t.isJob(one) && nameOf(one) == job {
			found = append(found, one)
		}
	}
	return found
}

// writeSettings copies the policy and the cluster facts, which the stages of a job share.
func writeSettings(folder, policy, facts string) error {
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return err
	}
	for from, to := range map[string]string{policy: "policy.yaml", facts: "cluster.yaml"} {
		if err := copyFile(from, filepath.Join(folder, to)); err != nil {
			return err
		}
	}
	return nil
}

func writeCase(folder string, job document, live []document) error {
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return err
	}
	if err := writeDocuments(filepath.Join(folder, "trainjob.yaml"), []document{job}); err != nil {
		return err
	}
	return writeDocuments(filepath.Join(folder, "live.yaml"), live)
}

// Diagnostics about live objects have the codes from GANG851 to GANG899.
func speaksOfLive(p plan) bool {
	return slices.ContainsFunc(p.Diagnostics, func(one diagnostic) bool {
		return one.Code > "GANG850" && one.Code < "GANG900"
	})
}

func writeExpected(folder string, inputs []string, p plan) error {
	var text strings.Builder
	text.WriteString("# Recorded from real servers: what exists is what the plan asks for.\n")
	if len(inputs) > 0 {
		text.WriteString("inputs:\n- " + strings.Join(inputs, "\n- ") + "\n")
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
