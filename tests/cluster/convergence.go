// SPDX-License-Identifier: Apache-2.0

package main

import (
	"errors"
	"fmt"
	"regexp"
	"sort"
	"strings"
	"sync"
	"time"
)

// A stage changes something and says what must happen before everything is Leave again.
type stage struct {
	name  string
	apply func(*convergence, *lane) error
}

var stages = []stage{
	{"created", func(*convergence, *lane) error { return nil }},
	{"one node more", (*convergence).oneNodeMore},
	{"deleted and created again", (*convergence).createAgain},
	{"suspended", (*convergence).suspend},
	{"resumed", (*convergence).resume},
	{"another backend", (*convergence).otherBackend},
}

// convergence reconciles the jobs of all samples with a real server until nothing is to be done.
type convergence struct {
	cluster  *cluster
	gangctl  *gangctl
	policies []forced
	facts    map[string]string
	lock     sync.Mutex
	reached  map[string]int // by stage: how many settled, and of how many
	tried    map[string]int
	problems map[string][]string // what went wrong: in which lanes
	skipped  map[string]int
	writes   int
	recorder *recorder
}

// A lane is one sample under one policy, in a namespace of its own.
type lane struct {
	name      string
	sample    sample
	policy    forced
	namespace string
	job       document // as the server returned it
	sent      document
}

const rounds = 3 // one that writes, one more for what a first write makes possible, and a quiet one

func (v *convergence) run(root string) error {
	all, err := samples(root)
	if err != nil {
		return err
	}
	lanes := make(chan *lane)
	var workers sync.WaitGroup
	for range 4 {
		workers.Add(1)
		go func() {
			defer workers.Done()
			for one := range lanes {
				v.runLane(one)
			}
		}()
	}
	count := 0
	for _, one := range distinct(all) {
		if one.policy != "" || strings.Contains(one.name, "(compatibility)") || !hasTrainJob(one) {
			continue
		}
		for _, policy := range v.policies {
			count++
			lanes <- &lane{name: one.name + " (" + policy.name + ")", sample: one, policy: policy,
				namespace: fmt.Sprintf("lane-%d", count)}
		}
	}
	close(lanes)
	workers.Wait()
	return nil
}

func hasTrainJob(one sample) bool {
	for _, file := range one.files {
		if strings.Contains(file, "trainjob") {
			return true
		}
	}
	return false
}

func (v *convergence) skip(because string) {
	v.lock.Lock()
	defer v.lock.Unlock()
	v.skipped[because]++
}

func (v *convergence) runLane(l *lane) {
	if because, err := v.prepare(l); err != nil || because != "" {
		if err != nil {
			because = "TrainJob refused by the server: " + reasonOf(err)
		}
		v.skip(because)
		return
	}
	for _, one := range stages {
		err := one.apply(v, l)
		if err == errNotApplicable {
			continue
		}
		if err == nil {
			err = v.settle(l, one.name)
		}
		v.lock.Lock()
		v.tried[one.name]++
		if err == nil {
			v.reached[one.name]++
		} else {
			what := fmt.Sprintf("%s, %s: %v", one.name, l.policy.name, withoutNames(err.Error(), l))
			v.problems[what] = append(v.problems[what], l.sample.name)
		}
		v.lock.Unlock()
	}
}

// withoutNames makes the same problem of two jobs the same text.
func withoutNames(problem string, l *lane) string {
	name := regexp.MustCompile(regexp.QuoteMeta(nameOf(l.job)) + `[-a-z0-9]*`)
	return name.ReplaceAllString(problem, "NAME")
}

// prepare creates the namespace and the TrainJob, if libgang makes a gang of it.
func (v *convergence) prepare(l *lane) (string, error) {
	documents, err := readDocuments(jobFile(l.sample))
	if err != nil || len(documents) != 1 || kindOf(documents[0]) != "TrainJob" {
		return "not one TrainJob in the file", nil
	}
	l.sent = documents[0]
	for _, key := range []string{"uid", "resourceVersion", "creationTimestamp", "deletionTimestamp",
		"deletionGracePeriodSeconds", "generation", "ownerReferences", "finalizers"} {
		delete(l.sent["metadata"].(document), key)
	}
	delete(l.sent, "status")
	set(l.sent, l.namespace, "metadata", "namespace")
	_, err = v.cluster.client.create(document{"apiVersion": "v1", "kind": "Namespace",
		"metadata": document{"name": l.namespace}})
	if err != nil {
		return "", err
	}
	if err := v.createJob(l); err != nil {
		return "", err
	}
	plans, err := v.ask(l, nil)
	if err != nil || len(plans) != 1 || plans[0].Outcome != "Gang" || len(plans[0].errors()) > 0 {
		return "the plan has errors or no gang", nil
	}
	return "", v.ensurePriorities(plans[0])
}

func (v *convergence) ensurePriorities(p plan) error {
	a := &acceptance{cluster: v.cluster}
	for _, one := range p.Objects {
		if err := a.ensureClasses(one.Object); err != nil && !isStatus(err, 409) {
			return err
		}
	}
	return nil
}

func jobFile(one sample) string {
	for _, file := range one.files {
		if strings.Contains(file, "trainjob") {
			return file
		}
	}
	return ""
}

func (v *convergence) createJob(l *lane) error {
	stored, err := v.cluster.client.createWith(l.sent, "")
	if err == nil {
		l.job = stored
	}
	return err
}

// ask renders the plan, or reconciles it with what exists.
func (v *convergence) ask(l *lane, live []document) ([]plan, error) {
	job, err := v.gangctl.write(l.namespace+"-job.yaml", l.job)
	if err != nil {
		return nil, err
	}
	asked := question{files: []string{job}, policy: l.policy.policy,
		cluster: v.facts[l.policy.workload]}
	for _, file := range l.sample.files {
		if file != jobFile(l.sample) {
			asked.files = append(asked.files, file)
		}
	}
	if live == nil {
		return v.gangctl.render(asked)
	}
	if asked.live, err = v.gangctl.write(l.namespace+"-live.yaml", live...); err != nil {
		return nil, err
	}
	return v.gangctl.reconcile(asked)
}

func (v *convergence) live(l *lane) ([]document, error) {
	version := l.policy.workload
	if version == "" {
		version = minors[v.cluster.minor].workloads[0]
	}
	var all []document
	for _, kind := range append([][2]string{{trainer, "TrainJob"}}, allKinds(version)...) {
		some, err := v.cluster.client.items(kind[0], kind[1], l.namespace)
		if err != nil {
			return nil, err
		}
		all = append(all, some...)
	}
	return all, nil
}

// settle reconciles and carries out until every object is Leave.
func (v *convergence) settle(l *lane, name string) error {
	var last []string
	for round := range rounds {
		live, err := v.live(l)
		if err != nil {
			return err
		}
		plans, err := v.ask(l, live)
		if err != nil {
			return err
		}
		if len(plans) != 1 {
			return fmt.Errorf("%d plans", len(plans))
		}
		last, err = v.carryOut(l, plans[0])
		if err != nil {
			return err
		}
		settled := len(last) == 0
		if v.recorder != nil && (settled || round == rounds-1) {
			if err := v.recorder.keep(v, l, name, plans[0], live, settled); err != nil {
				return err
			}
		}
		if settled {
			return nil
		}
	}
	return fmt.Errorf("not settled after %d rounds: %s", rounds, strings.Join(last, ", "))
}

func (v *convergence) carryOut(l *lane, p plan) ([]string, error) {
	if because := conflictOf(p); because != "" {
		return nil, fmt.Errorf("conflict: %s", because)
	}
	t := &team{cluster: v.cluster, namespace: l.namespace}
	var done []string
	for _, one := range p.Objects {
		if one.Action == "Leave" {
			continue
		}
		what := fmt.Sprintf("%s %s %s", one.Action, text(one.Object, "kind"), nameOf(one.Object))
		if err := t.carryOut(one); err != nil && !isLater(err) {
			return nil, fmt.Errorf("%s: %w", what, err)
		}
		done = append(done, what)
	}
	v.lock.Lock()
	v.writes += len(done)
	v.lock.Unlock()
	return done, nil
}

// Another writer was faster, or the object is still being deleted: the next round sees it.
func isLater(err error) bool { return isStatus(err, 409) }

// The size of a TrainJob is immutable, also while it is suspended. So only libgang sees the new size
// until the next stage creates the job again.
func (v *convergence) oneNodeMore(l *lane) error {
	nodes := max(1, number(l.job, "spec", "trainer", "numNodes"))
	l.job = copyOf(l.job)
	set(l.job, float64(nodes+1), "spec", "trainer", "numNodes")
	set(l.sent, float64(nodes+1), "spec", "trainer", "numNodes")
	return nil
}

func (v *convergence) suspend(l *lane) error { return v.change(l, document{"suspend": true}) }

func (v *convergence) resume(l *lane) error { return v.change(l, document{"suspend": false}) }

func (v *convergence) change(l *lane, spec document) error {
	stored, err := v.cluster.client.merge(trainer, "TrainJob", l.namespace, nameOf(l.job), "",
		document{"spec": spec})
	if err == nil {
		l.job = stored
	}
	return err
}

// createAgain waits for the garbage collector: the objects of the former job must not be adopted.
func (v *convergence) createAgain(l *lane) error {
	if err := v.cluster.client.remove(l.job); err != nil {
		return err
	}
	err := within(time.Minute, "the job and its objects are gone", func() bool {
		live, err := v.live(l)
		return err == nil && len(live) == 0
	})
	if err != nil {
		return err
	}
	return v.createJob(l)
}

func (v *convergence) otherBackend(l *lane) error {
	for i, one := range v.policies {
		if one.name == l.policy.name {
			l.policy = v.policies[(i+1)%len(v.policies)]
			break
		}
	}
	plans, err := v.ask(l, nil)
	if err != nil {
		return err
	}
	if len(plans) != 1 || plans[0].Outcome != "Gang" {
		return errNotApplicable
	}
	return v.ensurePriorities(plans[0])
}

// Not every job can be a gang of every backend.
var errNotApplicable = errors.New("not applicable")

func (v *convergence) report() bool {
	passed := true
	say("convergence %s, every object is Leave after at most %d rounds (%d writes):",
		v.cluster.minor, rounds, v.writes)
	for _, one := range stages {
		say("  %-28s %d of %d", one.name, v.reached[one.name], v.tried[one.name])
		passed = passed && v.reached[one.name] == v.tried[one.name]
	}
	for _, reason := range sortedKeys(v.skipped) {
		say("  left out: %4d x %s", v.skipped[reason], reason)
	}
	for _, what := range sortedKeys(v.problems) {
		lanes := v.problems[what]
		sort.Strings(lanes)
		say("  %4d x %s (%s)", len(lanes), what, strings.Join(lanes[:min(3, len(lanes))], ", "))
	}
	return passed && len(v.tried) > 0
}
