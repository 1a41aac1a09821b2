// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"sigs.k8s.io/yaml"
)

// The files whose jobs exist, and no controller looks at them, except at the Job.
var pluginExamples = []string{"torch/runtime.yaml", "torch/trainjob.yaml", "jobs/jobset.yaml",
	"jobs/job.yaml"}

// Two jobs that do not start: llama has too little room, and the queue of wait is missing. The node
// is for llama alone.
const pluginObjects = `apiVersion: scheduling.k8s.io/v1alpha2
kind: PodGroup
metadata: {name: llama, namespace: stuck}
spec: {schedulingPolicy: {gang: {minCount: 3}}}
---
apiVersion: batch/v1
kind: Job
metadata: {name: llama, namespace: stuck}
spec:
  parallelism: 3
  completions: 3
  template:
    spec:
      restartPolicy: Never
      schedulingGroup: {podGroupName: llama}
      tolerations: [{key: example.com/llama, operator: Exists}]
      containers: [{name: c, image: c, resources: {limits: {nvidia.com/gpu: "1"}}}]
---
apiVersion: scheduling.volcano.sh/v1beta1
kind: Queue
metadata: {name: default}
spec: {weight: 1}
---
apiVersion: scheduling.volcano.sh/v1beta1
kind: PodGroup
metadata: {name: wait, namespace: stuck}
spec: {minMember: 2, queue: research}
---
apiVersion: batch/v1
kind: Job
metadata: {name: wait, namespace: stuck}
spec:
  parallelism: 2
  completions: 2
  template:
    metadata: {annotations: {scheduling.k8s.io/group-name: wait}}
    spec:
      restartPolicy: Never
      schedulerName: volcano
      containers: [{name: c, image: c, resources: {requests: {cpu: "1"}}}]
`

// What the users of the contexts may list, besides c, who may do everything.
const pluginRoles = `apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata: {name: reader}
rules:
- {apiGroups: [trainer.kubeflow.org], resources: ["*"], verbs: [list]}
- {apiGroups: [batch], resources: [jobs], verbs: [list]}
- {apiGroups: [apps], resources: [statefulsets], verbs: [list]}
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata: {name: member}
rules:
- {apiGroups: [trainer.kubeflow.org, jobset.x-k8s.io, scheduling.volcano.sh], resources: ["*"], verbs: [list]}
- {apiGroups: [batch, apps, scheduling.k8s.io], resources: ["*"], verbs: [list]}
- {apiGroups: [""], resources: [pods, events], verbs: [list]}
`

// runPlugin asks a real kubectl what the tests of kubectl-gang ask. With -record it keeps the answers
// in tests/recorded/kubectl.
func runPlugin(s *session) (bool, error) {
	c, err := s.startWith((*cluster).startControllers, (*cluster).startScheduler)
	if err != nil {
		return false, err
	}
	defer c.stop()
	if err := c.makePluginWorld(s.root); err != nil {
		return false, err
	}
	kubeconfig, err := c.writePluginContexts()
	if err != nil {
		return false, err
	}
	answers := filepath.Join(s.root, "tests/recorded/kubectl/answers.ndjson")
	before, err := os.ReadFile(answers)
	if err == nil {
		err = os.WriteFile(answers, nil, 0o644)
	}
	if err != nil {
		return false, err
	}
	passed := s.testPlugin(kubeconfig)
	if !s.record || !passed {
		err = os.WriteFile(answers, before, 0o644)
	}
	return passed, err
}

// testPlugin runs the tests with kubectl instead of its recorded answers, which they write.
func (s *session) testPlugin(kubeconfig string) bool {
	python := s.python
	if python == "" {
		python = "python3"
	}
	tests := exec.Command(python, filepath.Join(s.root, "tests/cli/run"), s.gangctl.path, "plugin")
	tests.Env = append(os.Environ(), "RECORD_KUBECTL=yes", "KUBECONFIG="+kubeconfig)
	output, err := tests.CombinedOutput()
	say("the tests of kubectl-gang with kubectl:\n%s", tail(string(output), 40))
	return err == nil
}

func (c *cluster) makePluginWorld(root string) error {
	if err := applyKinds(c, operatorRecipe(), volcanoRecipe()); err != nil {
		return err
	}
	if err := c.addNode("node", "llama", 2); err != nil {
		return err
	}
	taint := document{"key": "example.com/llama", "effect": "NoSchedule"}
	_, err := c.client.merge("v1", "Node", "", "node", "",
		document{"spec": document{"taints": []any{taint}}})
	for _, name := range []string{"ml", "other", "batch", "stuck"} {
		if err == nil {
			_, err = c.client.create(named("v1", "Namespace", "", name))
		}
	}
	if err != nil {
		return err
	}
	objects, err := pluginDocuments(root)
	for _, one := range objects {
		if err == nil {
			_, err = c.client.create(one)
		}
	}
	if err != nil {
		return err
	}
	return within(time.Minute, "the scheduler has refused llama", c.hasRefusedLlama)
}

func pluginDocuments(root string) ([]document, error) {
	var found []document
	for _, name := range pluginExamples {
		read, err := readDocuments(filepath.Join(root, "examples", name))
		if err != nil {
			return nil, err
		}
		found = append(found, read...)
	}
	second := copyOf(found[1])
	set(second, "other", "metadata", "namespace")
	found = append(found, second)
	for part := range strings.SplitSeq(pluginObjects+"---\n"+pluginRoles, "---\n") {
		one := document{}
		if err := yaml.Unmarshal([]byte(part), &one); err != nil {
			return nil, err
		}
		found = append(found, one)
	}
	for _, name := range []string{"reader", "member"} {
		binding := named("rbac.authorization.k8s.io/v1", "ClusterRoleBinding", "", name)
		binding["roleRef"] = document{"apiGroup": "rbac.authorization.k8s.io", "kind": "ClusterRole",
			"name": name}
		binding["subjects"] = []any{document{
			"apiGroup": "rbac.authorization.k8s.io", "kind": "User", "name": name}}
		found = append(found, binding)
	}
	return found, nil
}

func (c *cluster) hasRefusedLlama() bool {
	events, err := c.client.items("v1", "Event", "stuck")
	refused := 0
	for _, one := range events {
		if text(one, "reason") == "FailedScheduling" {
			refused++
		}
	}
	return err == nil && refused >= 3
}

// writePluginContexts writes a kubeconfig with a context for each user, and one without a server.
func (c *cluster) writePluginContexts() (string, error) {
	ports, err := freePorts(1)
	if err != nil {
		return "", err
	}
	content := fmt.Sprintf("apiVersion: v1\nkind: Config\nclusters:\n"+
		"- {name: c, cluster: {server: %q, certificate-authority: %q}}\n"+
		"- {name: down, cluster: {server: \"https://%s\"}}\nusers:\n- {name: c, user: {token: %s}}\n",
		c.client.address, c.certificates.certificate, loopback(ports[0]), token)
	contexts := "contexts:\n- {name: c, context: {cluster: c, user: c}}\n" +
		"- {name: down, context: {cluster: down, user: c}}\n"
	for _, name := range []string{"reader", "member", "stranger"} {
		content += fmt.Sprintf("- {name: %s, user: {token: %s, as: %s}}\n", name, token, name)
		contexts += fmt.Sprintf("- {name: %s, context: {cluster: c, user: %s}}\n", name, name)
	}
	return c.writeFile("contexts", content+contexts+"current-context: c\n")
}
