// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
)

// embedded is examples/embed/webhook.c behind an API server: one line in, one line out.
type embedded struct {
	lock     sync.Mutex
	program  *exec.Cmd
	in       io.WriteCloser
	out      *bufio.Reader
	exchange []document // reviews, and the jobs that the server stored
}

// embeddedKinds are the resources of the jobs that are created.
var embeddedKinds = []any{"jobs", "jobsets", "rayjobs", "leaderworkersets", "mpijobs",
	"pytorchjobs", "sparkapplications"}

// embeddedRefusals are the kinds of examples/jobs whose gangs share their pod templates.
var embeddedRefusals = map[string]string{"LeaderWorkerSet": "GANG051"}

// runEmbed creates the jobs of examples/jobs on a real API server, which calls the program for each.
// A stored job must be marked: gangctl finds nothing to add to it.
func runEmbed(s *session) (bool, error) {
	c, err := startCluster(s.minor, s.kubernetes)
	if err != nil {
		return false, err
	}
	defer c.stop()
	if err := applyKinds(c, operatorRecipe(), lwsRecipe(), mpiOperatorRecipe(), kubeRayRecipe(),
		trainingOperatorRecipe(), sparkRecipe()); err != nil {
		return false, err
	}
	policy := filepath.Join(s.root, "examples", "policies", "other-operators.yaml")
	e, err := s.startEmbedded(c, policy)
	if err != nil {
		return false, err
	}
	defer e.stop()
	ok, err := e.createAll(s, c, policy)
	if err != nil || !s.record {
		return ok, err
	}
	return ok, e.write(filepath.Join(s.root, "tests", "recorded", "reviews", "reviews.ndjson"))
}

func (s *session) startEmbedded(c *cluster, policy string) (*embedded, error) {
	library := filepath.Join(filepath.Dir(s.gangctl.path), "..", "..", "libgang")
	binary := filepath.Join(c.folder, "webhook")
	built, err := exec.Command("sh", "-c", `cc -I"$1/include" "$1/examples/embed/webhook.c" -o "$2" `+
		`$(pkg-config --cflags --libs json-c) -L"$3" -lgang -Wl,-rpath,"$3"`,
		"sh", s.root, binary, library).CombinedOutput()
	if err != nil {
		return nil, fmt.Errorf("%w: %s", err, built)
	}
	e := &embedded{program: exec.Command(binary, policy)}
	if e.in, err = e.program.StdinPipe(); err != nil {
		return nil, err
	}
	out, err := e.program.StdoutPipe()
	if err != nil {
		return nil, err
	}
	e.out, e.program.Stderr = bufio.NewReader(out), os.Stderr
	if err := e.program.Start(); err != nil {
		return nil, err
	}
	return e, e.register(c)
}

func (e *embedded) register(c *cluster) error {
	port, err := c.serveHook(e)
	if err != nil {
		return err
	}
	_, err = c.client.create(document{
		"apiVersion": "admissionregistration.k8s.io/v1", "kind": "MutatingWebhookConfiguration",
		"metadata": document{"name": "embedded"},
		"webhooks": []any{document{
			"name": "embedded.cluster.test", "clientConfig": c.hookAddress(port, "/"),
			"admissionReviewVersions": []any{"v1"}, "sideEffects": "None", "failurePolicy": "Fail",
			"rules": []any{document{"apiGroups": []any{"*"}, "apiVersions": []any{"*"},
				"operations": []any{"CREATE"}, "resources": embeddedKinds}},
		}},
	})
	return err
}

func (e *embedded) stop() {
	_ = e.in.Close()
	_ = e.program.Wait()
}

func (e *embedded) ServeHTTP(writer http.ResponseWriter, incoming *http.Request) {
	e.lock.Lock()
	defer e.lock.Unlock()
	var line bytes.Buffer
	body, err := io.ReadAll(incoming.Body)
	if err == nil {
		err = json.Compact(&line, body)
	}
	line.WriteByte('\n')
	if err == nil {
		_, err = e.in.Write(line.Bytes())
	}
	answer, readError := e.out.ReadBytes('\n')
	if err = errors.Join(err, readError); err != nil {
		http.Error(writer, err.Error(), http.StatusInternalServerError)
		return
	}
	asked := document{}
	_ = json.Unmarshal(line.Bytes(), &asked)
	e.exchange = append(e.exchange, document{"review": asked})
	writer.Header().Set("Content-Type", "application/json")
	_, _ = writer.Write(answer)
}

func (e *embedded) createAll(s *session, c *cluster, policy string) (bool, error) {
	files, err := filepath.Glob(filepath.Join(s.root, "examples", "jobs", "*.yaml"))
	if err != nil {
		return false, err
	}
	marked, refused := 0, 0
	for _, file := range files {
		jobs, err := readDocuments(file)
		if err != nil {
			return false, err
		}
		for _, job := range jobs {
			if !slices.Contains(embeddedKinds, any(strings.ToLower(text(job, "kind"))+"s")) {
				continue
			}
			err := e.createMarked(s, c, inNamespace(job, "default"), policy)
			code := embeddedRefusals[text(job, "kind")]
			switch {
			case code != "" && err != nil && strings.Contains(err.Error(), code):
				refused++
			case code != "" || err != nil:
				say("%s: %v", filepath.Base(file), err)
				return false, nil
			default:
				marked++
			}
		}
	}
	spec := document{"template": document{"spec": document{"restartPolicy": "Never",
		"containers": []any{document{"name": "a", "image": "a"}}}}}
	unnamed := document{"apiVersion": "batch/v1", "kind": "Job",
		"metadata": document{"generateName": "a-", "namespace": "default"}, "spec": spec}
	stored, err := c.client.create(unnamed)
	if err != nil {
		say("a Job without a name and without a gang: %v", err)
		return false, nil
	}
	e.exchange[len(e.exchange)-1]["stored"] = stored
	spec["completionMode"], spec["completions"], spec["parallelism"] = "Indexed", 2, 2
	if _, err := c.client.create(unnamed); err != nil && strings.Contains(err.Error(), "GANG303") {
		refused++
	}
	say("embedded webhook: %d jobs marked, %d refused with their diagnostics", marked, refused)
	return marked > 0 && refused == len(embeddedRefusals)+1, nil
}

// createMarked creates a job. The decision of gangctl about the stored one must need no other mark.
func (e *embedded) createMarked(s *session, c *cluster, job document, policy string) error {
	calls := len(e.exchange)
	stored, err := c.client.create(job)
	if err != nil {
		return err
	}
	if len(e.exchange) != calls+1 {
		return fmt.Errorf("%d calls of the webhook for one job", len(e.exchange)-calls)
	}
	e.exchange[calls]["stored"] = stored
	before, err := json.Marshal(stored)
	if err != nil {
		return err
	}
	render := exec.Command(s.gangctl.path, "render", "-f", "-", "-p", policy, "--target", "job",
		"-o", "json")
	render.Stdin, render.Stderr = bytes.NewReader(before), os.Stderr
	after, err := render.Output()
	if err != nil {
		return err
	}
	again := document{}
	if err := json.Unmarshal(after, &again); err != nil {
		return err
	}
	if lacks := differences(again, stored); len(lacks) > 0 {
		return fmt.Errorf("the stored job lacks marks: %s", strings.Join(lacks, ", "))
	}
	asked := at(e.exchange[calls], "review", "request", "object", "spec")
	if marks := differences(at(stored, "spec"), asked); len(marks) == 0 {
		return errors.New("the server stored the job as it came")
	}
	return nil
}

func (e *embedded) write(path string) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	var lines bytes.Buffer
	encoder := json.NewEncoder(&lines)
	for _, one := range e.exchange {
		if err := encoder.Encode(one); err != nil {
			return err
		}
	}
	return os.WriteFile(path, lines.Bytes(), 0o644)
}
