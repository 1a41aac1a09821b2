// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"sort"
	"strings"

	"sigs.k8s.io/yaml"
)

// A sample is one input of the library among the examples and the golden cases.
type sample struct {
	name            string
	files           []string // runtime and trainjob, or podgang and podcliqueset
	policy, cluster string
	ofOperator      bool // under compatibility, what the operator renders
}

// samples finds every example and every golden case of the repository.
func samples(root string) ([]sample, error) {
	return samplesBelow(root, "examples", "tests/golden")
}

func samplesBelow(root string, folders ...string) ([]sample, error) {
	var found []sample
	for _, folder := range folders {
		err := filepath.WalkDir(filepath.Join(root, folder),
			func(path string, entry fs.DirEntry, err error) error {
				if err != nil || !entry.IsDir() {
					return err
				}
				some, err := samplesOf(root, path)
				found = append(found, some...)
				return err
			})
		if err != nil {
			return nil, err
		}
	}
	sort.Slice(found, func(i, j int) bool { return found[i].name < found[j].name })
	return found, nil
}

// decisions finds the golden cases that stand many in a file. A script writes them as folders.
func decisions(python, root, folder string) ([]sample, error) {
	if python == "" {
		say("no Python with PyYAML: the cases of tests/golden/decisions are left out")
		return nil, nil
	}
	script := filepath.Join(root, "tests/cluster/write-decisions")
	output, err := exec.Command(python, script, filepath.Join(folder, "decisions")).CombinedOutput()
	if err != nil {
		return nil, fmt.Errorf("%s: %w: %s", script, err, output)
	}
	return samplesBelow(folder, "decisions")
}

func samplesOf(root, folder string) ([]sample, error) {
	name, err := filepath.Rel(root, folder)
	if err != nil {
		return nil, err
	}
	files, err := inputsOf(root, folder)
	if err != nil || len(files) == 0 {
		return nil, err
	}
	own := sample{name: name, files: files, policy: existing(folder, "policy.yaml"),
		cluster: existing(folder, "cluster.yaml")}
	all := []sample{own}
	if existing(folder, "expected.compatibility.yaml") != "" {
		own.name += " (compatibility)"
		own.ofOperator = true
		own.policy = filepath.Join(root, "examples/policies/compatibility.yaml")
		all = append(all, own)
	}
	return all, nil
}

func existing(folder, name string) string {
	path := filepath.Join(folder, name)
	if _, err := os.Stat(path); err != nil {
		return ""
	}
	return path
}

// inputsOf finds the inputs as the golden runner does: those that expected.yaml names, those of the
// folder, or, in a folder that has only expected.yaml, those of the folder above.
func inputsOf(root, folder string) ([]string, error) {
	expected := existing(folder, "expected.yaml")
	if expected != "" {
		named, err := namedInputs(root, expected)
		if err != nil || len(named) > 0 {
			return named, err
		}
	}
	if files := filesOf(folder); len(files) > 0 || expected == "" {
		return files, nil
	}
	return filesOf(filepath.Dir(folder)), nil
}

func namedInputs(root, expected string) ([]string, error) {
	content, err := os.ReadFile(expected)
	if err != nil {
		return nil, err
	}
	var named struct{ Inputs []string }
	if err := yaml.Unmarshal(content, &named); err != nil {
		return nil, fmt.Errorf("%s: %w", expected, err)
	}
	for i, name := range named.Inputs {
		named.Inputs[i] = filepath.Join(root, name)
	}
	return named.Inputs, nil
}

func filesOf(folder string) []string {
	for _, pair := range [][2]string{{"runtime", "trainjob"}, {"podcliqueset", "podgang"}} {
		for _, ending := range []string{".yaml", ".json"} {
			one := existing(folder, pair[0]+ending)
			two := existing(folder, pair[1]+ending)
			if two != "" && one != "" {
				return []string{one, two}
			}
			if two != "" && pair[1] == "podgang" {
				return []string{two}
			}
		}
	}
	return nil
}

// distinct leaves out samples with the inputs of another one: only their policies and cluster facts
// differ.
func distinct(all []sample) []sample {
	var kept []sample
	seen := map[string]bool{}
	for _, one := range all {
		key := strings.Join(one.files, " ")
		if one.policy != "" || !seen[key] {
			kept = append(kept, one)
		}
		seen[key] = seen[key] || one.policy == ""
	}
	return kept
}

// A forced policy chooses one backend for every job.
type forced struct{ name, policy, workload string }

func forcedPolicies(g *gangctl, minor string) ([]forced, error) {
	all := []forced{{"coscheduling", "{name: b, type: Coscheduling}", ""},
		{"volcano", "{name: b, type: Volcano}", ""}}
	for _, version := range minors[minor].workloads {
		all = append(all, forced{"workload " + version,
			"{name: b, type: Workload, apiVersion: scheduling.k8s.io/" + version + "}", version})
	}
	for i, one := range all {
		path := filepath.Join(g.folder, "policy-"+strings.ReplaceAll(one.name, " ", "-")+".yaml")
		text := `apiVersion: policy.libgang.dev/v1alpha1
kind: GangPolicy
metadata: {name: forced}
spec:
  backends:
  - ` + one.policy + `
  rules:
  - {name: all, match: {}, backend: b, override: Always}
`
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			return nil, err
		}
		all[i].policy = path
	}
	return all, nil
}
