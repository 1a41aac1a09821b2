// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// runKinds runs jobs of other kinds than TrainJob with their own controllers: those of Kubernetes,
// JobSet, LeaderWorkerSet and mpi-operator.
func runKinds(s *session) (bool, error) {
	c, err := s.startWorld(startJobSet, startLWS, applyMPI, applyRay)
	if err != nil {
		return false, err
	}
	defer c.stop()
	teams, err := s.newKindTeams(c)
	if err != nil {
		return false, err
	}
	upstream, err := newUpstreamMPI(c)
	if err != nil {
		return false, err
	}
	results := newKindResults(s.minor)
	err = together(slices.Concat(teams, upstream), func(t *kindTeam) error {
		err := t.play()
		results.add(t)
		return err
	})
	if err != nil {
		return false, err
	}
	if recorder := s.recorder(); recorder != nil {
		for _, t := range teams {
			if err := recorder.keepKinds(t); err != nil {
				return false, err
			}
		}
	}
	results.print()
	return results.passed(), results.write(filepath.Join(s.root, "doc", "kinds.md"))
}

// A kindTeam is a namespace in which one scheduler runs every case once. All cases run at the same
// time, each on nodes of its own.
type kindTeam struct {
	*team
	byPod    map[string]bool // the cases whose marks are put on the pods
	cases    []kindCase
	ledger   *ledger
	outcomes map[string]*kindOutcome
}

// A kindOutcome is what became of one case.
type kindOutcome struct {
	bound   []int // members with a node, after each room that is too little
	atEnd   int
	pods    int
	inPart  string // a gang of which some members ran and others had no node
	ended   bool
	minimum int
	problem string
}

func applyMPI(c *cluster) error {
	binaries, err := mpiOperatorRecipe().build()
	if err != nil {
		return err
	}
	return c.applyDefinitions(filepath.Join(binaries, "manifests/mpi-operator/crds"))
}

// startMPI starts mpi-operator for one namespace. It makes gangs itself for a scheduler that is not
// empty.
func (c *cluster) startMPI(namespace, scheduler string) error {
	binaries, err := mpiOperatorRecipe().build()
	if err == nil {
		_, err = c.run("mpi-operator-"+namespace, program(binaries, "mpi-operator"), namespace,
			scheduler)
	}
	return err
}

// newKindTeams makes a team for each backend.
func (s *session) newKindTeams(c *cluster) ([]*kindTeam, error) {
	policies, err := forcedPolicies(s.gangctl, s.minor)
	if err != nil {
		return nil, err
	}
	marks, err := c.startKindMarker()
	if err != nil {
		return nil, err
	}
	var teams []*kindTeam
	for i, one := range backendsOf(s.minor) {
		t, err := newTeam(c, s.gangctl, "kinds-"+one.name, one)
		if err != nil {
			return nil, err
		}
		t.jobs, t.parts, t.policy = jobKinds, [][2]string{{"v1", "Pod"}}, policies[i].policy
		if t.facts, err = s.gangctl.facts(c, policies[i].workload); err != nil {
			return nil, err
		}
		if err := c.startMPI(t.namespace, ""); err != nil {
			return nil, err
		}
		one := newKindTeam(t, kindCases)
		marks.teams[t.namespace] = one
		teams = append(teams, one)
	}
	return teams, nil
}

func newKindTeam(t *team, cases []kindCase) *kindTeam {
	return &kindTeam{team: t, byPod: map[string]bool{}, cases: cases, ledger: newLedger(),
		outcomes: map[string]*kindOutcome{}}
}

// newUpstreamMPI makes teams in which mpi-operator makes the gangs of its jobs itself.
func newUpstreamMPI(c *cluster) ([]*kindTeam, error) {
	isOther := func(one kindCase) bool { return !strings.HasPrefix(one.name, "mpi") }
	cases := slices.DeleteFunc(slices.Clone(kindCases), isOther)
	var teams []*kindTeam
	for _, one := range []backend{coschedulingBackend, volcanoBackend} {
		t, err := newTeam(c, nil, "upstream-"+one.name, one)
		if err != nil {
			return nil, err
		}
		t.jobs = [][2]string{{"kubeflow.org/v2beta1", "MPIJob"}}
		t.parts = [][2]string{{"v1", "Pod"}}
		if err := c.startMPI(t.namespace, t.backend.scheduler); err != nil {
			return nil, err
		}
		teams = append(teams, newKindTeam(t, cases))
	}
	return teams, nil
}

// play submits all cases and adds room step by step.
func (t *kindTeam) play() error {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	go t.cluster.client.watch(ctx, "v1", "Pod", func(one event) {
		if namespaceOf(one.Object) == t.namespace {
			t.ledger.observe(one.Object)
		}
	})
	for step := range 3 {
		if err := t.addRooms(step); err != nil {
			return err
		}
		if step == 0 {
			if err := t.submitAll(); err != nil {
				return err
			}
		}
		if err := t.settle(patience+2*time.Second, t.nothing); err != nil {
			return err
		}
		t.look(step)
	}
	// The scheduler of Kubernetes 1.37 tries a gang again after up to a minute.
	if err := t.settle(90*time.Second, t.allEnded); err != nil {
		return err
	}
	t.finish()
	return t.releaseEnded()
}

// releaseEnded lets a last write free what a scheduler reserves for jobs that have ended.
func (t *kindTeam) releaseEnded() error {
	for range 3 {
		if err := t.reconcileAll(); err != nil {
			return err
		}
		time.Sleep(time.Second)
	}
	return nil
}

func (t *kindTeam) nothing() bool { return false }

func (t *kindTeam) allEnded() bool {
	t.finish()
	for _, one := range t.cases {
		if !t.outcomes[one.name].ended {
			return false
		}
	}
	return true
}

// addRooms creates the next node of each case. A node is a rack, too.
func (t *kindTeam) addRooms(step int) error {
	for _, one := range t.cases {
		if step >= len(one.rooms) {
			continue
		}
		name := fmt.Sprintf("%s-%s-%d", t.namespace, one.name, step)
		if err := t.cluster.addNode(name, t.pool, one.rooms[step].gpus); err != nil {
			return err
		}
		labels := document{"case": t.namespace + "." + one.name, "rack": name}
		_, err := t.cluster.client.merge("v1", "Node", "", name, "",
			document{"metadata": document{"labels": labels}})
		if err != nil {
			return err
		}
	}
	return nil
}

// submitAll creates the jobs, and resumes those that are suspended.
func (t *kindTeam) submitAll() error {
	for _, one := range t.cases {
		t.outcomes[one.name] = &kindOutcome{}
		if err := t.submitCase(one); err != nil {
			return fmt.Errorf("%s: %w", one.name, err)
		}
	}
	if err := t.settle(patience, t.nothing); err != nil {
		return err
	}
	for _, one := range t.cases {
		if !one.resume {
			continue
		}
		if pods := t.ledger.podsOf(one.name); pods > 0 {
			t.outcomes[one.name].problem = fmt.Sprintf("%d pods while suspended", pods)
		}
		_, err := t.cluster.client.merge("kubeflow.org/v2beta1", "MPIJob", t.namespace, one.name, "",
			document{"spec": document{"runPolicy": document{"suspend": false}}})
		if err != nil {
			return err
		}
	}
	return nil
}

// submitCase creates a job with the marks in its templates. Where they cannot be there, the webhook
// puts them on the pods.
func (t *kindTeam) submitCase(one kindCase) error {
	job, err := one.document()
	if err != nil {
		return err
	}
	set(job, t.namespace, "metadata", "namespace")
	onNodes(job, map[string]string{"pool": t.pool, "case": t.namespace + "." + one.name})
	if !t.isUpstream() {
		if job, err = t.markCase(one, job); err != nil {
			return err
		}
	}
	stored, err := t.cluster.client.create(job)
	if err != nil {
		return err
	}
	if dropped := differences(job, stored); len(dropped) > 0 {
		return fmt.Errorf("%s", strings.Join(dropped, "; "))
	}
	if kindOf(stored) == "RayCluster" {
		return t.createRayPods(stored)
	}
	return nil
}

func (t *kindTeam) markCase(one kindCase, job document) (document, error) {
	if kindOf(job) == "LeaderWorkerSet" || t.backend.name == "workload" {
		t.byPod[one.name] = true
		return job, nil
	}
	file, err := t.gangctl.write(t.namespace+"-"+one.name+".yaml", job)
	if err != nil {
		return nil, err
	}
	marked, err := t.gangctl.marked(question{files: []string{file}, policy: t.policy,
		cluster: t.facts})
	if err == nil && marked == nil {
		err = fmt.Errorf("libgang writes no marks into the templates")
	}
	return marked, err
}

// settle reconciles until nothing has moved for a while, or all is done.
func (t *kindTeam) settle(calm time.Duration, done func() bool) error {
	start, moved, last := time.Now(), time.Now(), ""
	for time.Since(start) < 4*time.Minute && time.Since(moved) < calm && !done() {
		if err := t.reconcileAll(); err != nil {
			return err
		}
		if now := t.ledger.fingerprint(); now != last {
			last, moved = now, time.Now()
		}
		time.Sleep(300 * time.Millisecond)
	}
	return nil
}

func (t *kindTeam) reconcileAll() error {
	if t.isUpstream() {
		return t.readGroups()
	}
	plans, err := t.plans()
	if err != nil {
		return err
	}
	for _, one := range plans {
		if one.Gang.Name != "" {
			t.ledger.addGang(one.Metadata.Name, one.Gang.Name, one.Gang.Minimum)
		}
	}
	t.perform(plans)
	t.ledger.judge()
	return nil
}

// readGroups reads the groups that upstream's operator made.
func (t *kindTeam) readGroups() error {
	groups, err := t.cluster.client.items(t.backend.kinds[0][0], "PodGroup", t.namespace)
	for _, group := range groups {
		t.ledger.addGang(nameOf(group), nameOf(group), number(group, "spec", "minMember"))
	}
	t.ledger.judge()
	return err
}

func (t *kindTeam) look(step int) {
	for _, one := range t.cases {
		if step < len(one.rooms)-1 {
			outcome := t.outcomes[one.name]
			outcome.bound = append(outcome.bound, t.ledger.boundOf(one.name))
		}
	}
}

// finish reads what became of the jobs.
func (t *kindTeam) finish() {
	for _, kind := range t.jobs {
		jobs, err := t.cluster.client.items(kind[0], kind[1], t.namespace)
		for _, job := range jobs {
			if outcome := t.outcomes[nameOf(job)]; outcome != nil && err == nil {
				outcome.ended = hasEnded(job) || kindOf(job) == "RayCluster" && t.allBound(job)
			}
		}
	}
	for name, outcome := range t.outcomes {
		outcome.atEnd = t.ledger.boundOf(name)
		outcome.pods = t.ledger.podsOf(name)
		outcome.inPart = t.ledger.inPart(name)
		outcome.minimum = t.ledger.minimumOf(name)
		if because := t.conflicts[name]; because != "" {
			outcome.problem = because
		}
	}
}
