// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"os"
	"path/filepath"
	"time"

	"sigs.k8s.io/yaml"
)

const kueueGroup = "kueue.x-k8s.io/v1beta2"

// What Kueue needs for the jobs of tests/golden/kueue: a queue with CPUs on nodes of one flavor,
// which Kueue assigns to racks.
const kueueSetup = `apiVersion: kueue.x-k8s.io/v1beta2
kind: Topology
metadata: {name: racks}
spec: {levels: [{nodeLabel: topology.example.com/rack}, {nodeLabel: kubernetes.io/hostname}]}
---
apiVersion: kueue.x-k8s.io/v1beta2
kind: ResourceFlavor
metadata: {name: spot}
spec:
  nodeLabels: {instance-type: spot}
  tolerations: [{key: spot, operator: Exists}]
  topologyName: racks
---
apiVersion: kueue.x-k8s.io/v1beta2
kind: ClusterQueue
metadata: {name: research}
spec:
  namespaceSelector: {}
  resourceGroups:
  - coveredResources: [cpu]
    flavors: [{name: spot, resources: [{name: cpu, nominalQuota: 2}]}]
---
apiVersion: kueue.x-k8s.io/v1beta2
kind: LocalQueue
metadata: {name: research, namespace: team-a}
spec: {clusterQueue: research}
`

// A kueueCase is a folder of tests/golden/kueue whose live documents come from Kueue.
type kueueCase struct {
	name string
	// The queue admits nothing, and the documents are those before libgang writes its objects.
	holds bool
	ready func(live []document) bool
}

var kueueCases = []kueueCase{
	{"suspended", true, func(live []document) bool {
		return count(live, "JobSet") == 1 && count(live, "PodGroup") == 1 && count(live, "Workload") == 1
	}},
	{"admitted", false, hasTwoPods},
}

// Kueue admits a Job in part, and a TrainJob never.
var kueueJobCase = kueueCase{"admitted-in-part", false, hasTwoPods}

func hasTwoPods(live []document) bool {
	return count(live, "PodGroup") == 1 && count(live, "Pod") == 2
}

func count(live []document, kind string) int {
	found := 0
	for _, one := range live {
		if kindOf(one) == kind {
			found++
		}
	}
	return found
}

func kindsOf(live []document) []string {
	var found []string
	for _, one := range live {
		found = append(found, text(one, "apiVersion")+" "+kindOf(one)+" "+nameOf(one))
	}
	return found
}

// runKueue runs jobs that Kueue queues, and compares what libgang makes of the documents with
// tests/golden/kueue. With -record it writes them there.
func runKueue(s *session) (bool, error) {
	// The server refuses that Kueue admits a Job in part whose gang the Job controller made.
	defer s.withoutJobGangs()()
	c, err := s.startWorld(startTrainer, startKueue)
	if err != nil {
		return false, err
	}
	defer c.stop()
	m, err := c.startMarker()
	if err != nil {
		return false, err
	}
	t, err := newTeam(c, s.gangctl, "team-a", coschedulingBackend)
	if err != nil {
		return false, err
	}
	t.parts = append(t.parts, [2]string{kueueGroup, "Workload"})
	if err := setUpKueue(c); err != nil {
		return false, err
	}
	for _, one := range kueueCases {
		if err := s.playKueue(t, m, one); err != nil {
			return false, fmt.Errorf("%s: %w", one.name, err)
		}
	}
	if err := s.playKueueJob(t, kueueJobCase); err != nil {
		return false, fmt.Errorf("%s: %w", kueueJobCase.name, err)
	}
	return true, nil
}

func setUpKueue(c *cluster) error {
	for i := range 2 {
		name := fmt.Sprintf("spot-%d", i)
		if err := c.addNode(name, "spot", 0); err != nil {
			return err
		}
		_, err := c.client.merge("v1", "Node", "", name, "", document{"metadata": document{
			"labels": document{"instance-type": "spot", "topology.example.com/rack": name}}})
		if err != nil {
			return err
		}
	}
	file, err := c.writeFile("kueue-setup.yaml", kueueSetup)
	if err != nil {
		return err
	}
	documents, err := readDocuments(file)
	if err != nil {
		return err
	}
	for _, one := range documents {
		if _, err := c.client.create(one); err != nil {
			return err
		}
	}
	return nil
}

// playKueue runs the job of a case until what exists is that of the case.
func (s *session) playKueue(t *team, m *marker, one kueueCase) error {
	folder := filepath.Join(s.root, "tests/golden/kueue", one.name)
	hold := "None"
	if one.holds {
		hold = "Hold"
	}
	_, err := t.cluster.client.merge(kueueGroup, "ClusterQueue", "", "research", "",
		document{"spec": document{"stopPolicy": hold}})
	if err != nil {
		return err
	}
	runtime, job, err := kueueInputs(folder)
	if err != nil {
		return err
	}
	stored, err := t.cluster.client.create(runtime)
	if err != nil {
		return err
	}
	stored["apiVersion"], stored["kind"] = trainer, kindOf(runtime)
	t.runtimes = map[string]document{nameOf(runtime): stored}
	t.useLibgang(m, filepath.Join(filepath.Dir(folder), "policy.yaml"), "")
	if err := submitTo(t, job); err != nil {
		return err
	}
	live, err := t.settleKueue(one, nameOf(job))
	if err != nil {
		return err
	}
	if s.record {
		err = t.writeKueue(folder, "trainjob.yaml", live)
	}
	if s.record && one.holds && err == nil {
		err = writeReleased(folder, live)
	}
	if err == nil {
		err = t.cluster.client.remove(job)
	}
	if err == nil {
		err = t.cluster.client.remove(runtime)
	}
	return err
}

// playKueueJob runs the Job of a case, which has its marks from the start.
func (s *session) playKueueJob(queued *team, one kueueCase) error {
	t := *queued
	t.jobs = [][2]string{{"batch/v1", "Job"}}
	t.parts = [][2]string{{"v1", "Pod"}, {kueueGroup, "Workload"}}
	t.runtimes = nil
	file := filepath.Join(s.root, "tests/cluster/testdata/kueue", one.name+".yaml")
	job, err := t.gangctl.marked(question{files: []string{file}, policy: t.policy})
	if err != nil {
		return err
	}
	if _, err := t.cluster.client.create(job); err != nil {
		return err
	}
	live, err := t.settleKueue(one, nameOf(job))
	if err == nil && s.record {
		err = t.writeKueue(filepath.Join(s.root, "tests/golden/kueue", one.name), "job.yaml", live)
	}
	return err
}

// settleKueue reconciles until what exists is that of the case.
func (t *team) settleKueue(one kueueCase, job string) (live []document, err error) {
	err = within(time.Minute, "all is there", func() bool {
		if !one.holds {
			if writes, err := t.round(); err != nil || writes > 0 {
				return false
			}
		}
		all, _ := t.live()
		live = t.belongingTo(all, job)
		return one.ready(live)
	})
	if err != nil {
		return nil, fmt.Errorf("%w: %v %v", err, kindsOf(live), t.writes)
	}
	say("%s: %v", one.name, kindsOf(live))
	return live, nil
}

// kueueInputs are the documents of a case as a user writes them, without what Kueue adds.
func kueueInputs(folder string) (runtime, job document, err error) {
	for name, into := range map[string]*document{"runtime.yaml": &runtime, "trainjob.yaml": &job} {
		documents, err := readDocuments(filepath.Join(folder, name))
		if err != nil {
			return nil, nil, err
		}
		*into = documents[0]
	}
	for _, field := range []string{"uid", "resourceVersion", "creationTimestamp", "generation"} {
		delete(job["metadata"].(document), field)
	}
	delete(job, "status")
	delete(job["spec"].(document), "runtimePatches")
	set(job, false, "spec", "suspend")
	return runtime, job, nil
}

func submitTo(t *team, job document) error {
	var last error
	err := within(20*time.Second, "the job is created", func() bool {
		_, last = t.cluster.client.create(job)
		return last == nil
	})
	if last != nil {
		return last
	}
	return err
}

// writeKueue replaces the documents of a case: the job, and what exists beside it.
func (t *team) writeKueue(folder, file string, live []document) error {
	var others []document
	for _, one := range live {
		if !t.isJob(one) {
			others = append(others, one)
			continue
		}
		if err := writeDocuments(filepath.Join(folder, file), []document{one}); err != nil {
			return err
		}
	}
	path := filepath.Join(folder, "live.yaml")
	if err := writeDocuments(path, others); err != nil {
		return err
	}
	content, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	const comment = "# Recorded with Kueue v0.19.2: ./dev cluster -record 36 kueue\n"
	return os.WriteFile(path, append([]byte(comment), content...), 0o644)
}

// writeReleased writes what is right while Kueue holds the job: the group as it is, without the
// resources that the scheduler would reserve.
func writeReleased(folder string, live []document) error {
	for _, one := range live {
		if kindOf(one) != "PodGroup" {
			continue
		}
		group := withoutManagers(one)
		delete(group["spec"].(document), "minResources")
		content, err := yaml.Marshal(document{"outcome": "Gang", "found": []any{},
			"reconciled": []any{document{"action": "Apply", "kind": "PodGroup", "name": nameOf(one),
				"object": group}}})
		if err != nil {
			return err
		}
		const comment = "# While Kueue keeps the job suspended, the PodGroup that Kubeflow Trainer has " +
			"created\n# reserves nothing. Kueue's Workload is not among the objects.\n"
		return os.WriteFile(filepath.Join(folder, "expected.yaml"), append([]byte(comment), content...),
			0o644)
	}
	return nil
}
