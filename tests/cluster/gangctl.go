// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
)

// A plan is what the tests read of a GangPlan.
type plan struct {
	Metadata struct{ Name, Namespace string }
	Outcome  string
	Backend  struct{ Name, Type, APIVersion, SchedulerName string }
	Gang     struct {
		Name             string
		Minimum, Members int
	}
	Objects     []action
	Patches     []patch
	Diagnostics []diagnostic
}

type action struct {
	Action string
	Object document
}

type patch struct {
	Role           string
	Metadata, Spec document
}

type diagnostic struct{ Code, Severity, Document, Message string }

func (p *plan) errors() []string {
	var found []string
	for _, one := range p.Diagnostics {
		if one.Severity == "error" {
			found = append(found, one.Code)
		}
	}
	return found
}

// Gangctl runs the command line.
type gangctl struct{ path, folder string }

// question is the input of one call.
type question struct {
	files           []string
	policy, cluster string
	workload        string // the uid of the Workload
	live            string
}

func (q question) arguments() []string {
	var all []string
	for _, file := range q.files {
		all = append(all, "-f", file)
	}
	for flag, value := range map[string]string{"-p": q.policy, "--cluster": q.cluster,
		"--workload-uid": q.workload, "--live": q.live} {
		if value != "" {
			all = append(all, flag, value)
		}
	}
	return all
}

func (g *gangctl) render(q question) ([]plan, error) {
	return g.plans(append([]string{"render", "--target", "plan", "-o", "json"}, q.arguments()...))
}

// marked returns a job of another kind than TrainJob with the marks in its templates, or nothing if
// they cannot have them.
func (g *gangctl) marked(q question) (document, error) {
	output, err := g.call(append([]string{"render", "--target", "job", "-o", "json"},
		q.arguments()...)...)
	if err != nil || len(output) == 0 {
		return nil, err
	}
	job := document{}
	return job, json.Unmarshal(output, &job)
}

func (g *gangctl) reconcile(q question) ([]plan, error) {
	return g.plans(append([]string{"reconcile", "-o", "json"}, q.arguments()...))
}

func (g *gangctl) plans(arguments []string) ([]plan, error) {
	output, err := g.call(arguments...)
	if err != nil {
		return nil, err
	}
	var all []plan
	decoder := json.NewDecoder(bytes.NewReader(output))
	for decoder.More() {
		var one plan
		if err := decoder.Decode(&one); err != nil {
			return nil, err
		}
		if one.Outcome != "" {
			all = append(all, one)
		}
	}
	return all, nil
}

// call runs gangctl. The exit status 1 means diagnostics, which are part of the output.
func (g *gangctl) call(arguments ...string) ([]byte, error) {
	var output, complaints bytes.Buffer
	command := exec.Command(g.path, arguments...)
	command.Stdout, command.Stderr = &output, &complaints
	err := command.Run()
	var status *exec.ExitError
	if errors.As(err, &status) && status.ExitCode() == 1 {
		err = nil
	}
	if err != nil {
		return nil, fmt.Errorf("gangctl %s: %w: %s", strings.Join(arguments, " "), err,
			complaints.String())
	}
	return output.Bytes(), nil
}

// write stores documents in a file and returns its name.
func (g *gangctl) write(name string, documents ...document) (string, error) {
	var content bytes.Buffer
	for _, one := range documents {
		text, err := json.Marshal(one)
		if err != nil {
			return "", err
		}
		content.WriteString("---\n")
		content.Write(text)
		content.WriteString("\n")
	}
	path := filepath.Join(g.folder, name)
	return path, os.WriteFile(path, content.Bytes(), 0o600)
}

// facts makes the GangCluster of a running cluster, as doc/cluster.md describes it. With an empty
// version all versions of the Workload API count that the server serves.
func (g *gangctl) facts(c *cluster, workload string) (string, error) {
	var input bytes.Buffer
	paths := []string{
		"/apis/apiextensions.k8s.io/v1/customresourcedefinitions",
		"/api/v1/namespaces", "/apis/scheduling.k8s.io/v1/priorityclasses", "/version", "/apis",
	}
	for _, version := range minors[c.minor].workloads {
		if workload == "" || workload == version {
			paths = append(paths, "/apis/scheduling.k8s.io/"+version)
		}
	}
	for _, path := range paths {
		answer, err := c.client.send("GET", path, "", nil)
		if err != nil {
			return "", err
		}
		withKinds(answer)
		switch path {
		case "/apis":
			dropWorkloads(answer, workload)
		case "/version":
			answer = document{"serverVersion": answer} // as kubectl prints it
		}
		text, _ := json.Marshal(answer)
		fmt.Fprintf(&input, "---\n%s\n", text)
	}
	gates, err := c.gateLines()
	if err != nil {
		return "", err
	}
	fmt.Fprintf(&input, "---\n%s", gates)
	return g.makeFacts(input.Bytes(), "cluster-"+c.minor+workload)
}

func (g *gangctl) makeFacts(input []byte, name string) (string, error) {
	raw := filepath.Join(g.folder, name+".raw.yaml")
	if err := os.WriteFile(raw, input, 0o600); err != nil {
		return "", err
	}
	output, err := g.call("cluster", "-f", raw)
	if err != nil {
		return "", err
	}
	path := filepath.Join(g.folder, name+".yaml")
	return path, os.WriteFile(path, output, 0o600)
}

// A list says its kind once, its items do not.
func withKinds(answer document) {
	kind := strings.TrimSuffix(text(answer, "kind"), "List")
	for _, one := range list(answer["items"]) {
		one.(document)["kind"] = kind
		one.(document)["apiVersion"] = answer["apiVersion"]
	}
}

// dropWorkloads leaves one version of the Workload API, to test an older one than the newest.
func dropWorkloads(groups document, keep string) {
	for _, one := range list(groups["groups"]) {
		group := one.(document)
		if text(group, "name") != "scheduling.k8s.io" || keep == "" {
			continue
		}
		var kept []any
		for _, version := range list(group["versions"]) {
			if name := text(version, "version"); name == keep || name == "v1" {
				kept = append(kept, version)
			}
		}
		group["versions"] = kept
	}
}

// The API server has hundreds of gates. These words are in the names of those about gangs.
var ofGangs = regexp.MustCompile(`name="\w*(Workload|Gang|PodGroup|Eviction)`)

func (c *cluster) gateLines() (string, error) {
	metrics, err := c.client.raw(requestLimit, "GET", "/metrics", "", nil)
	if err != nil {
		return "", err
	}
	var lines strings.Builder
	for _, line := range strings.Split(string(metrics), "\n") {
		if strings.HasPrefix(line, "kubernetes_feature_enabled") && ofGangs.MatchString(line) {
			lines.WriteString(line + "\n")
		}
	}
	return lines.String(), nil
}
