// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"
)

// How long a pod runs in the tests.
const lifetime = 2 * time.Second

// How each scheduler is built and started, except that of Kubernetes, which always runs.
var schedulerStarts = map[string]struct {
	recipe func() recipe
	start  func(c *cluster, binaries string) error
}{
	"coscheduling": {coschedulingRecipe, (*cluster).startCoscheduling},
	"volcano":      {volcanoRecipe, (*cluster).startVolcano},
	"kai":          {kaiRecipe, (*cluster).startKAI},
	"yunikorn":     {yunikornRecipe, (*cluster).startYuniKorn},
	"koordinator":  {koordinatorRecipe, (*cluster).startKoordinator},
}

// startWorld starts a cluster in which jobs run: controllers, coscheduling and Volcano, the
// operators and the kubelet.
func (s *session) startWorld(operators ...func(*cluster) error) (*cluster, error) {
	return s.startWorldOf([]string{"coscheduling", "volcano"}, operators...)
}

// startWorldOf starts one with other schedulers.
func (s *session) startWorldOf(schedulers []string, operators ...func(*cluster) error) (*cluster,
	error) {
	var steps []func(*cluster) error
	for _, name := range schedulers {
		one, known := schedulerStarts[name]
		if !known {
			continue // that of Kubernetes
		}
		steps = append(steps, func(c *cluster) error {
			return c.startBuilt(one.recipe(), one.start)
		})
	}
	steps = append(steps, (*cluster).startControllers, (*cluster).startScheduler)
	return s.startWith(append(steps, operators...)...)
}

// startWith starts a cluster with the kubelet and what the steps start.
func (s *session) startWith(steps ...func(*cluster) error) (*cluster, error) {
	c, err := startCluster(s.minor, s.kubernetes)
	if err != nil {
		return nil, err
	}
	for _, step := range append(steps, (*cluster).allRun) {
		if err := step(c); err != nil {
			c.stop()
			return nil, err
		}
	}
	c.startKubelet(lifetime)
	return c, nil
}

// Convergence runs without the operator, whose webhook forbids to change the size of a job.
func applyTrainer(c *cluster) error {
	operator, err := operatorRecipe().build()
	if err != nil {
		return err
	}
	return c.applyDefinitions(filepath.Join(operator, "manifests/trainer/crds"))
}

func runConvergence(s *session) (bool, error) {
	c, err := s.startWorld(applyTrainer)
	if err != nil {
		return false, err
	}
	defer c.stop()
	v := &convergence{cluster: c, gangctl: s.gangctl, facts: map[string]string{},
		reached: map[string]int{}, tried: map[string]int{}, skipped: map[string]int{},
		problems: map[string][]string{}}
	if v.policies, err = forcedPolicies(s.gangctl, s.minor); err != nil {
		return false, err
	}
	for _, one := range v.policies {
		if v.facts[one.workload], err = s.gangctl.facts(c, one.workload); err != nil {
			return false, err
		}
	}
	v.recorder = s.recorder()
	if err := v.run(s.root); err != nil {
		return false, err
	}
	return v.report(), nil
}

// recorder returns nothing if live documents are not to be kept.
func (s *session) recorder() *recorder {
	if !s.record {
		return nil
	}
	folder := filepath.Join(s.root, "build/recorded-live", kubernetesVersions[s.minor])
	return &recorder{root: s.root, folder: folder}
}

// runScheduling fills the table of doc/backends.md.
func runScheduling(s *session) (bool, error) {
	c, err := s.startWorld(startTrainer)
	if err != nil {
		return false, err
	}
	defer c.stop()
	configure, err := s.libgangByTest(c)
	if err != nil {
		return false, err
	}
	teams, err := s.newTeams(c, "libgang", configure)
	if err != nil {
		return false, err
	}
	table := newTable(s.minor, ofLibgang)
	if err := playTable(teams, table); err != nil {
		return false, err
	}
	ours := notUpstream(teams)
	if recorder := s.recorder(); recorder != nil {
		for _, t := range ours {
			if err := recorder.keepFinished(t, "torch", "deepspeed-3", "llama-1b-4"); err != nil {
				return false, err
			}
		}
	}
	if err := s.playAllScenarios(c, ours, table); err != nil {
		return false, err
	}
	table.print()
	if err := table.write(filepath.Join(s.root, "doc", "backends.md")); err != nil {
		return false, err
	}
	return table.passed(), nil
}

// playTable runs the jobs of the table in all teams at once.
func playTable(teams []*team, table *table) error {
	say("the cluster runs; %d teams with %d jobs each", len(teams), len(tableJobs))
	err := together(teams, func(t *team) error {
		outcomes, err := t.playJobs(tableJobs, 3*time.Minute, 25*time.Second)
		table.addOutcomes(t, outcomes)
		return err
	})
	say("the jobs of the table have ended")
	return err
}

func (s *session) playAllScenarios(c *cluster, teams []*team, table *table) error {
	if err := removeBigNodes(c, teams); err != nil {
		return err
	}
	return together(teams, func(t *team) error {
		if err := t.settleEnded(); err != nil {
			return err
		}
		start, before := time.Now(), len(t.writes)
		seen, err := t.playScenarios(table.scenarios)
		table.addScenarios(t, seen)
		if err != nil {
			return err
		}
		_, err = t.until(time.Minute-time.Since(start), func() bool { return false })
		table.addWrites(t, writesFor(tableJobs, t.writes[before:]))
		return err
	})
}

// removeBigNodes leaves a team the small nodes of its scenarios.
func removeBigNodes(c *cluster, teams []*team) error {
	for _, t := range teams {
		if err := c.client.remove(nodeNamed(t.pool + "-big")); err != nil {
			return err
		}
	}
	return nil
}

// settleEnded lets two rounds write for the jobs that have ended. Nothing may be written for them
// afterwards.
func (t *team) settleEnded() error {
	for range 2 {
		if _, err := t.round(); err != nil {
			return err
		}
		time.Sleep(time.Second)
	}
	return nil
}

// writesFor picks the writes of groups of some jobs.
func writesFor(jobs []job, writes []string) []string {
	var found []string
	for _, what := range writes {
		name := strings.Fields(what)[2]
		if slices.ContainsFunc(jobs, func(one job) bool { return strings.HasPrefix(name, one.name) }) {
			found = append(found, what)
		}
	}
	return found
}

func nodeNamed(name string) document {
	return document{"apiVersion": "v1", "kind": "Node", "metadata": document{"name": name}}
}

// libgangByTest makes the test itself decide for a team with libgang, as an operator would.
func (s *session) libgangByTest(c *cluster) (func(*team, int) error, error) {
	m, err := c.startMarker()
	if err != nil {
		return nil, err
	}
	policies, err := forcedPolicies(s.gangctl, s.minor)
	if err != nil {
		return nil, err
	}
	return func(t *team, i int) error {
		facts, err := s.gangctl.facts(c, policies[i].workload)
		if err != nil {
			return err
		}
		t.useLibgang(m, policies[i].policy, facts)
		t.other = policies[(i+1)%len(backendsOf(s.minor))].policy
		return nil
	}, nil
}

func backendsOf(minor string) []backend {
	return []backend{coschedulingBackend, volcanoBackend, workloadBackend(minors[minor].workloads[0])}
}

// newTeams makes a team for each backend, and one of upstream's own plugin if there is one. What
// makes the gangs of the former is set by `configure`, which gets the number of the backend.
func (s *session) newTeams(c *cluster, prefix string,
	configure func(*team, int) error) ([]*team, error) {
	operator, err := operatorRecipe().build()
	if err != nil {
		return nil, err
	}
	runtimes, err := shippedRuntimes(operator)
	if err != nil {
		return nil, err
	}
	var teams []*team
	for i, one := range backendsOf(s.minor) {
		if err := c.addNode(one.name+"-big", one.name, 64); err != nil {
			return nil, err
		}
		ours, err := newTeam(c, s.gangctl, prefix+"-"+one.name, one)
		if err != nil {
			return nil, err
		}
		if err := configure(ours, i); err != nil {
			return nil, err
		}
		teams = append(teams, ours)
		if one.policy == "" {
			continue
		}
		upstream, err := newTeam(c, s.gangctl, "upstream-"+one.name, one)
		if err != nil {
			return nil, err
		}
		teams = append(teams, upstream)
	}
	for _, t := range teams {
		for _, name := range sortedKeys(runtimes) {
			if err := t.addRuntime(runtimes[name]); err != nil {
				return nil, fmt.Errorf("%s: %w", name, err)
			}
		}
	}
	return teams, nil
}

func notUpstream(teams []*team) []*team {
	return slices.DeleteFunc(slices.Clone(teams), (*team).isUpstream)
}

// together runs the teams at once and joins what went wrong.
func together[T interface{ title() string }](teams []T, each func(T) error) error {
	var wait sync.WaitGroup
	problems := make([]string, len(teams))
	for i, one := range teams {
		wait.Add(1)
		go func() {
			defer wait.Done()
			if err := each(one); err != nil {
				problems[i] = one.title() + ": " + err.Error()
			}
		}()
	}
	wait.Wait()
	all := strings.Trim(strings.Join(problems, "\n"), "\n")
	if all != "" {
		return fmt.Errorf("%s", all)
	}
	return nil
}
