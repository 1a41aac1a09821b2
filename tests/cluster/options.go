// SPDX-License-Identifier: Apache-2.0

package main

import (
	"cmp"
	"errors"
	"fmt"
	"hash/fnv"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
)

// options submits jobs of every kind, at sizes at the limit, under every option of every backend.
// Each job gets its objects and its marks, and is then changed once.
type options struct {
	*session
	cluster *cluster
	share   uint32
	seed    int
	lock    sync.Mutex
	kinds   map[string]*tally
	choices map[string]*tally
	// By what is said, the jobs: the diagnostics of those that libgang refuses, what the server
	// says of those that are wrong without libgang, too, and what went wrong.
	codes, said, wrong map[string][]string
}

// A tally counts what became of the jobs of one row.
type tally struct {
	Jobs, Refusing, NoGang, InvalidBefore     int // InvalidBefore: wrong without libgang, too
	Submitted, Refused, Dropped               int
	Settled, Unsettled, Changed, ChangedWrong int
}

// A trial is one job under one setting.
type trial struct {
	*options
	name      string // of the job
	edge      edge
	files     []string // what the plan needs beside the job
	job       document
	setting   *setting
	namespace string
	count     tally
}

func runOptions(s *session) (bool, error) {
	c, err := startCluster(s.minor, s.kubernetes)
	if err != nil {
		return false, err
	}
	defer c.stop()
	err = applyKinds(c, operatorRecipe(), coschedulingRecipe(), volcanoRecipe(), koordinatorRecipe(),
		lwsRecipe(), mpiOperatorRecipe(), kubeRayRecipe(), trainingOperatorRecipe(), sparkRecipe(),
		appWrapperRecipe(), kaiRecipe())
	if err != nil {
		return false, err
	}
	if err := errors.Join(amendKAI(c), (&acceptance{cluster: c}).canFail()); err != nil {
		return false, err
	}
	o := &options{session: s, cluster: c, share: uint32(s.share), seed: s.seed,
		kinds: map[string]*tally{}, choices: map[string]*tally{}, codes: map[string][]string{},
		said: map[string][]string{}, wrong: map[string][]string{}}
	trials, err := o.trials()
	if err != nil {
		return false, err
	}
	say("%d jobs and settings", len(trials))
	if err := o.playAll(trials); err != nil {
		return false, err
	}
	return o.report()
}

// amendKAI makes the CRD of KAI v0.12, the newest that the module proxy has, count as those of v0.15
// to v0.17, the first releases in which others may create PodGroups. Source:
// kai-scheduler/KAI-Scheduler:deployments/kai-scheduler/crds/scheduling.run.ai_podgroups.yaml@02078e2.
func amendKAI(c *cluster) error {
	const version = "apiextensions.k8s.io/v1"
	definition, err := c.client.get(version, "CustomResourceDefinition", "",
		"podgroups.scheduling.run.ai")
	if err != nil {
		return err
	}
	from := func(least float64) document {
		return document{"type": "integer", "format": "int32", "minimum": least}
	}
	for _, one := range list(at(definition, "spec", "versions")) {
		spec := at(one, "schema", "openAPIV3Schema", "properties", "spec").(document)
		set(spec, from(1), "properties", "minSubGroup")
		group := at(spec, "properties", "subGroups", "items").(document)
		set(group, from(0), "properties", "minMember")
		set(group, from(0), "properties", "minSubGroup")
	}
	_, err = c.client.replace(definition)
	return err
}

// trials are the jobs at all edges under all settings. Of those with a choice a share is played.
func (o *options) trials() ([]*trial, error) {
	jobs, err := kindSamples(o.root)
	if err != nil {
		return nil, err
	}
	if err := o.everyKindIn(jobs); err != nil {
		return nil, err
	}
	runtimes := map[string]string{}
	for _, example := range []string{"torch", "torchtune-llama", "deepspeed"} {
		folder := filepath.Join(o.root, "examples", example)
		documents, err := readDocuments(filepath.Join(folder, "trainjob.yaml"))
		if err != nil {
			return nil, err
		}
		jobs[example], runtimes[example] = documents[0], filepath.Join(folder, "runtime.yaml")
	}
	if err := o.createClasses(jobs); err != nil {
		return nil, err
	}
	settings, err := o.gangctl.settings(o.cluster)
	if err != nil {
		return nil, err
	}
	var all []*trial
	for _, name := range sortedKeys(jobs) {
		for _, edge := range edges {
			job := copyOf(jobs[name])
			if !edge.apply(job) {
				continue
			}
			for _, setting := range settings {
				one := &trial{options: o, name: name, edge: edge, job: job, setting: setting}
				if runtimes[name] != "" {
					one.files = []string{runtimes[name]}
				}
				if one.isPlayed() {
					all = append(all, one)
				}
			}
		}
	}
	return all, nil
}

// createClasses makes the priority classes that jobs name, so that the facts have them.
func (o *options) createClasses(jobs map[string]document) error {
	classes := &acceptance{cluster: o.cluster}
	for _, name := range sortedKeys(jobs) {
		for _, class := range classesOf(jobs[name]) {
			err := classes.ensureClasses(document{"spec": document{"priorityClassName": class}})
			if err != nil {
				return err
			}
		}
	}
	return nil
}

var kindRow = regexp.MustCompile(`(?m)^ +ROW\(\w+, "(\w+)",`)

// everyKindIn fails if libgang reads a kind of which there is no job here.
func (o *options) everyKindIn(jobs map[string]document) error {
	header, err := os.ReadFile(filepath.Join(o.root, "libgang/catalog/job_names.h"))
	if err != nil {
		return err
	}
	// The CRDs of Grove are in no module; a PodList is a List of Pods.
	here := map[string]bool{"TrainJob": true, "PodGang": true, "PodCliqueSet": true, "PodList": true}
	for _, job := range jobs {
		here[kindOf(job)] = true
	}
	rows := kindRow.FindAllStringSubmatch(string(header), -1)
	if len(rows) == 0 {
		return fmt.Errorf("no kinds are in job_names.h")
	}
	for _, row := range rows {
		if !here[row[1]] {
			err = errors.Join(err, fmt.Errorf("no job of the kind %s", row[1]))
		}
	}
	return err
}

// isPlayed is true of all jobs without a choice, and of a share of the others.
func (c *trial) isPlayed() bool {
	sum := fnv.New32a()
	fmt.Fprintf(sum, "%d %s", c.seed, c.title())
	weight := []uint32{1, c.share, c.share * 8}[len(c.setting.choices)]
	return sum.Sum32()%weight == 0
}

func (c *trial) title() string {
	return fmt.Sprintf("%s, %s (%s; %s)", c.name, c.edge.name, c.setting.title(), c.setting.options())
}

func (o *options) playAll(trials []*trial) error {
	work := make(chan *trial)
	var workers sync.WaitGroup
	var failure error
	for range 3 {
		workers.Add(1)
		go func() {
			defer workers.Done()
			for one := range work {
				if err := one.play(); err != nil {
					o.lock.Lock()
					failure = cmp.Or(failure, fmt.Errorf("%s: %w", one.title(), err))
					o.lock.Unlock()
				}
			}
		}()
	}
	for i, one := range trials {
		one.namespace = fmt.Sprintf("options-%d", i)
		work <- one
		if i%1000 == 999 {
			say("%d played", i+1)
		}
	}
	close(work)
	workers.Wait()
	return failure
}

// play creates a job and what it needs, changes it, and counts.
func (c *trial) play() error {
	defer c.add()
	c.count.Jobs++
	_, err := c.cluster.client.create(document{"apiVersion": "v1", "kind": "Namespace",
		"metadata": document{"name": c.namespace}})
	if err != nil {
		return err
	}
	c.job = unnumbered(c.job, c.namespace)
	plans, refused, err := c.render()
	if refused {
		c.count.Refusing++
	}
	if err != nil || refused {
		return err
	}
	isGang := func(one plan) bool { return one.Outcome == "Gang" }
	if !slices.ContainsFunc(plans, isGang) {
		c.count.NoGang++
		return nil
	}
	created, err := c.createJob()
	if err != nil || !created {
		return err
	}
	if c.settle("created", &c.count.Settled, &c.count.Unsettled); c.count.Unsettled > 0 {
		return nil
	}
	if err := c.tryPods(); err != nil {
		return err
	}
	if !c.change() {
		return nil
	}
	if _, refused, err := c.render(); err != nil || refused {
		return err
	}
	c.settle("changed", &c.count.Changed, &c.count.ChangedWrong)
	return nil
}

func (c *trial) ask() (question, error) {
	file, err := c.gangctl.write(c.namespace+".yaml", c.job)
	return question{files: append([]string{file}, c.files...), policy: c.setting.policy,
		cluster: c.setting.facts}, err
}

var errorCode = regexp.MustCompile(`"severity":"error","code":"(GANG\d+)"`)

// render says whether libgang refuses the job.
func (c *trial) render() (plans []plan, refused bool, err error) {
	asked, err := c.ask()
	if err != nil {
		return nil, false, err
	}
	plans, err = c.gangctl.render(asked)
	if err != nil || len(plans) > 0 {
		return plans, false, err
	}
	diagnostics, err := c.gangctl.call(append([]string{"lint", "-o", "json"}, asked.arguments()...)...)
	for _, found := range errorCode.FindAllStringSubmatch(string(diagnostics), -1) {
		c.say(c.codes, found[1])
	}
	return nil, true, err
}

func (c *trial) say(rows map[string][]string, what string) {
	c.lock.Lock()
	defer c.lock.Unlock()
	rows[what] = append(rows[what], c.title())
}

// createJob creates the job with the marks in its templates, where they can be there. What the
// server refuses without them, too, is not submitted.
func (c *trial) createJob() (bool, error) {
	if kindOf(c.job) == "GangJob" {
		return true, nil
	}
	asked, err := c.ask()
	if err != nil {
		return false, err
	}
	marked := c.job
	if c.files == nil {
		written, err := c.gangctl.marked(asked)
		if err != nil {
			return false, err
		}
		if written != nil {
			marked = written
		}
	}
	for _, one := range itemsOf(c.job) {
		_, err := c.cluster.client.createWith(unnumbered(one, c.namespace), "&dryRun=All")
		if err != nil {
			c.count.InvalidBefore++
			c.say(c.said, kindOf(one)+": "+reasonOf(err))
			return false, nil
		}
	}
	var stored []any
	for _, one := range itemsOf(marked) {
		answer := c.submit(unnumbered(one, c.namespace))
		if answer == nil {
			return false, nil
		}
		stored = append(stored, answer)
	}
	if c.job["items"] != nil {
		c.job["items"] = stored
	} else {
		c.job = stored[0].(document)
	}
	return true, nil
}

// submit creates an object and compares what the server stored. It returns nil if the server
// refused.
func (c *trial) submit(object document) document { return c.submitWith(object, "") }

func (c *trial) submitWith(object document, query string) document {
	return c.judge("create", object, func() (document, error) {
		return c.cluster.client.createWith(object, query)
	})
}

func (c *trial) judge(what string, object document, write func() (document, error)) document {
	c.count.Submitted++
	stored, err := write()
	if err != nil {
		c.count.Refused++
		c.problem("refused to %s %s: %s", what, kindOf(object), withoutSpace(err.Error(), c))
		return nil
	}
	sent := copyOf(object)
	delete(sent, "status")
	for _, key := range []string{"uid", "resourceVersion", "generation", "creationTimestamp",
		"managedFields"} {
		delete(sent["metadata"].(document), key)
	}
	if dropped := differences(sent, stored); len(dropped) > 0 {
		c.count.Dropped += len(dropped)
		c.problem("dropped of %s: %s", kindOf(object), strings.Join(dropped, "; "))
	}
	return stored
}

func withoutSpace(text string, c *trial) string {
	return strings.ReplaceAll(text, c.namespace, "NAMESPACE")
}

func (c *trial) problem(format string, arguments ...any) {
	c.say(c.wrong, fmt.Sprintf(format, arguments...))
}

// settle carries out what reconcile says until everything is Leave.
func (c *trial) settle(stage string, good, bad *int) {
	var last []string
	for range rounds {
		plans, err := c.reconcile()
		if err == nil {
			last, err = c.carryOut(plans)
		}
		if err != nil {
			*bad++
			c.problem("%s: %s", stage, withoutSpace(err.Error(), c))
			return
		}
		if len(last) == 0 {
			*good++
			return
		}
	}
	*bad++
	c.problem("%s: not settled after %d rounds: %s", stage, rounds, strings.Join(last, ", "))
}

func (c *trial) reconcile() ([]plan, error) {
	live := []document{{"apiVersion": "v1", "kind": "List", "items": []any{}}}
	if kindOf(c.job) != "GangJob" {
		live = itemsOf(c.job)
	}
	for _, kind := range c.setting.kinds {
		some, err := c.cluster.client.items(kind[0], kind[1], c.namespace)
		if err != nil {
			return nil, err
		}
		live = append(live, some...)
	}
	asked, err := c.ask()
	if err != nil {
		return nil, err
	}
	if asked.live, err = c.gangctl.write(c.namespace+"-live.yaml", live...); err != nil {
		return nil, err
	}
	return c.gangctl.reconcile(asked)
}

func (c *trial) carryOut(plans []plan) ([]string, error) {
	if len(plans) == 0 {
		return nil, fmt.Errorf("reconcile says nothing")
	}
	var done []string
	t := &team{cluster: c.cluster, namespace: c.namespace}
	for _, one := range plans {
		if found := one.errors(); len(found) > 0 {
			return nil, fmt.Errorf("reconcile finds %s", strings.Join(found, " "))
		}
		for _, action := range one.Objects {
			object := action.Object
			isServed := c.cluster.client.serves(text(object, "apiVersion"), kindOf(object))
			if action.Action == "Leave" || !isServed {
				continue
			}
			done = append(done, action.Action+" "+kindOf(object))
			err := (&acceptance{cluster: c.cluster}).ensureClasses(object)
			if err != nil && !isStatus(err, 409) {
				return nil, err
			}
			switch action.Action {
			case "Create":
				c.submit(object)
			case "Apply":
				c.judge("replace", object, func() (document, error) {
					return c.cluster.client.replace(object)
				})
			default:
				if err := c.removeAs(t, action); err != nil {
					return nil, err
				}
			}
		}
	}
	return done, nil
}

// removeAs deletes or recreates an object. Before, it does what the controller that protects
// PodGroups does when no pod is left: it does not run.
func (c *trial) removeAs(t *team, one action) error {
	_, err := c.cluster.client.merge(text(one.Object, "apiVersion"), kindOf(one.Object), c.namespace,
		nameOf(one.Object), "", document{"metadata": document{"finalizers": nil}})
	if err != nil {
		return err
	}
	return t.carryOut(one)
}

// tryPods submits a pod of each role with its marks, which the server does not keep, and for a
// TrainJob its JobSet.
func (c *trial) tryPods() error {
	plans, refused, err := c.render()
	if err != nil || refused {
		return err
	}
	templates := templatesOf(c.job)
	if c.files != nil {
		if templates, err = c.tryJobSet(plans[0]); err != nil {
			return err
		}
	}
	for _, role := range sortedKeys(templates) {
		for i, plan := range plans {
			merged := copyOf(templates[role])
			if patch := patchOf(plan, role); len(patch) > 0 {
				mergeInto(merged, copyOf(patch))
				pod := podOf(merged, fmt.Sprintf("%s-%d", strings.ToLower(role), i), c.namespace)
				c.submitWith(pod, "&dryRun=All")
			}
		}
	}
	return nil
}

func (c *trial) tryJobSet(p plan) (map[string]document, error) {
	runtime, err := runtimeOf(c.files)
	if err != nil {
		return nil, err
	}
	jobset := jobsetOf(runtime, p.Metadata.Name, c.namespace)
	templates := templatesOf(copyOf(jobset))
	for role, template := range templatesOf(jobset) {
		mergeInto(template, copyOf(patchOf(p, role)))
	}
	mergeInto(jobset, copyOf(patchOf(p, "")))
	if keepsMark(p) {
		c.submitWith(jobset, "&dryRun=All")
	}
	return templates, nil
}

// change makes the first change that the server takes.
func (c *trial) change() bool {
	if c.job["items"] != nil {
		return false
	}
	for _, changed := range changesOf(c.job) {
		stored, err := changed, error(nil)
		if kindOf(changed) != "GangJob" {
			stored, err = c.cluster.client.replace(changed)
		}
		if err == nil {
			c.job = stored
			return true
		}
	}
	return false
}

// add puts the counts into those of the kind and of each choice.
func (c *trial) add() {
	c.lock.Lock()
	defer c.lock.Unlock()
	kind := cmp.Or(kindOf(c.job), "List")
	rows := []*tally{rowOf(c.kinds, kind)}
	if len(c.setting.choices) == 0 {
		rows = append(rows, rowOf(c.choices, c.setting.title()+", no option"))
	}
	for _, one := range c.setting.choices {
		rows = append(rows, rowOf(c.choices, c.setting.title()+", "+one.String()))
	}
	for _, row := range rows {
		row.sum(c.count)
	}
}

func rowOf(rows map[string]*tally, key string) *tally {
	if rows[key] == nil {
		rows[key] = &tally{}
	}
	return rows[key]
}

func (t *tally) sum(n tally) {
	for i, field := range t.fields() {
		*field += *n.fields()[i]
	}
}

func (t *tally) fields() []*int {
	return []*int{&t.Jobs, &t.Refusing, &t.NoGang, &t.InvalidBefore, &t.Submitted, &t.Refused,
		&t.Dropped, &t.Settled, &t.Unsettled, &t.Changed, &t.ChangedWrong}
}

var tallyTitles = []string{"jobs", "libgang refuses", "no gang", "invalid without libgang, too",
	"submitted", "refused", "dropped", "settled", "settled after a change"}

func (t *tally) columns() []string {
	var all []string
	for _, value := range t.fields()[:7] {
		all = append(all, fmt.Sprint(*value))
	}
	return append(all, fmt.Sprintf("%d of %d", t.Settled, t.Settled+t.Unsettled),
		fmt.Sprintf("%d of %d", t.Changed, t.Changed+t.ChangedWrong))
}

func (o *options) report() (bool, error) {
	var all strings.Builder
	fmt.Fprintf(&all, "Kubernetes %s, seed %d, share 1/%d.\n\n", kubernetesVersions[o.minor], o.seed,
		o.share)
	passed := true
	for i, rows := range []map[string]*tally{o.kinds, o.choices} {
		row(&all, append([]string{[]string{"kind", "backend and option"}[i]}, tallyTitles...))
		row(&all, make([]string, 1+len(tallyTitles)))
		for _, key := range sortedKeys(rows) {
			row(&all, append([]string{key}, rows[key].columns()...))
			passed = passed && rows[key].Refused+rows[key].Dropped+rows[key].Unsettled+
				rows[key].ChangedWrong == 0
		}
		all.WriteString("\n")
	}
	say("%s", all.String())
	for title, rows := range map[string]map[string][]string{"libgang refuses": o.codes,
		"the server refuses without libgang, too": o.said, "wrong": o.wrong} {
		for _, what := range sortedKeys(rows) {
			say("%s: %5d x %s (%s)", title, len(rows[what]), what, rows[what][0])
		}
	}
	return passed, writeResults(filepath.Join(o.root, "doc", "kinds.md"), "options",
		"./dev cluster "+o.minor+" options", o.minor, strings.TrimSuffix(all.String(), "\n"))
}
