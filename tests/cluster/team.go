// SPDX-License-Identifier: Apache-2.0

package main

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// A team is a namespace whose jobs one scheduler runs on nodes of their own.
type team struct {
	cluster   *cluster
	gangctl   *gangctl
	namespace string
	backend   backend
	pool      string
	policy    string      // libgang's policy, with which the test itself makes the gangs
	operator  *operator   // or the operator with libgang that makes them; else upstream's plugins do
	other     string      // a policy that chooses another backend
	jobs      [][2]string // the kinds of the jobs
	parts     [][2]string // the kinds of what operators make of them
	kinds     [][2]string // of the objects of all backends
	facts     string
	runtimes  map[string]document
	writes    []string // every write of the team's objects
	only      string   // the one job to reconcile; empty: all
	conflicts map[string]string
}

// A backend is a scheduler under test.
type backend struct {
	name, scheduler string
	policy          string // the member of podGroupPolicy of the operator's own plugin, or none
	kinds           [][2]string
}

var coschedulingBackend = backend{"coscheduling", "scheduler-plugins-scheduler", "coscheduling",
	[][2]string{{"scheduling.x-k8s.io/v1alpha1", "PodGroup"}}}
var volcanoBackend = backend{"volcano", "volcano", "volcano",
	[][2]string{{"scheduling.volcano.sh/v1beta1", "PodGroup"}}}

func workloadBackend(version string) backend {
	group := "scheduling.k8s.io/" + version
	return backend{"workload", "default-scheduler", "",
		[][2]string{{group, "Workload"}, {group, "PodGroup"}}}
}

var kaiBackend = backend{"kai", "kai-scheduler", "",
	[][2]string{{"scheduling.run.ai/v2alpha2", "PodGroup"}}}

// The pods of YuniKorn carry their gang, and it has no objects.
var yunikornBackend = backend{"yunikorn", "yunikorn", "", nil}
var koordinatorBackend = backend{"koordinator", "koord-scheduler", "",
	[][2]string{{"scheduling.sigs.k8s.io/v1alpha1", "PodGroup"}}}

// The backends of an operator's policy, by name.
var backendTypes = map[string]document{
	"coscheduling": {"type": "Coscheduling"}, "volcano": {"type": "Volcano"},
	"workload": {"type": "Workload"},
	// The podgrouper does not run beside it.
	"kai":      {"type": "KAI", "kai": document{"podGroup": "Create"}},
	"yunikorn": {"type": "YuniKorn"}, "koordinator": {"type": "Koordinator"},
}

// allKinds are the kinds of all backends, with a version of the Workload API.
func allKinds(version string) [][2]string {
	return slices.Concat(coschedulingBackend.kinds, volcanoBackend.kinds,
		workloadBackend(version).kinds)
}

// newTeam creates the namespace.
func newTeam(c *cluster, g *gangctl, name string, b backend) (*team, error) {
	t := &team{cluster: c, gangctl: g, namespace: name, backend: b, pool: b.name,
		jobs:     [][2]string{{trainer, "TrainJob"}},
		parts:    [][2]string{{"jobset.x-k8s.io/v1alpha2", "JobSet"}, {"v1", "Pod"}},
		kinds:    allKinds(minors[c.minor].workloads[0]),
		runtimes: map[string]document{}, conflicts: map[string]string{}}
	_, err := c.client.create(document{"apiVersion": "v1", "kind": "Namespace",
		"metadata": document{"name": name}})
	return t, err
}

// useLibgang makes libgang decide for the jobs of the team.
func (t *team) useLibgang(m *marker, policy, facts string) {
	t.policy, t.facts = policy, facts
	m.register(t.namespace, func(name string) (*plan, error) {
		job, err := t.trainjob(name)
		if err != nil {
			return nil, err
		}
		plans, err := t.ask("mark-"+name, []document{job}, nil)
		if err != nil || len(plans) != 1 {
			return nil, fmt.Errorf("no plan for %s: %w", name, err)
		}
		return &plans[0], nil
	})
}

func (t *team) title() string { return t.namespace }

// isUpstream tells whether upstream's plugins make the gangs.
func (t *team) isUpstream() bool { return t.policy == "" && t.operator == nil }

const trainer = "trainer.kubeflow.org/v1alpha1"

func (t *team) trainjob(name string) (document, error) {
	return t.cluster.client.get(trainer, "TrainJob", t.namespace, name)
}

// addRuntime creates a shipped runtime as a TrainingRuntime of the namespace, on the pool's nodes.
// Upstream's plugins get the podGroupPolicy and the scheduler in every template.
func (t *team) addRuntime(shipped document) error {
	runtime := copyOf(shipped)
	runtime["kind"] = "TrainingRuntime"
	set(runtime, t.namespace, "metadata", "namespace")
	if t.isUpstream() {
		set(runtime, document{}, "spec", "podGroupPolicy", t.backend.policy)
	}
	for _, role := range list(at(runtime, "spec", "template", "spec", "replicatedJobs")) {
		spec := at(role, "template", "spec", "template", "spec").(document)
		set(spec, t.pool, "nodeSelector", "pool")
		delete(spec, "serviceAccountName")
		if t.isUpstream() {
			set(spec, t.backend.scheduler, "schedulerName")
		}
	}
	stored, err := t.cluster.client.create(runtime)
	if err != nil {
		return err
	}
	stored["apiVersion"], stored["kind"] = trainer, "TrainingRuntime"
	t.runtimes[nameOf(shipped)] = stored
	return nil
}

// A job is a TrainJob to create.
type job struct {
	name, runtime string
	nodes, gpus   int
	suspended     bool
}

// submit creates a TrainJob. Trainer's webhook reads runtimes from a cache, which can be late.
func (t *team) submit(j job) error {
	object := document{
		"apiVersion": trainer, "kind": "TrainJob",
		"metadata": document{"name": j.name, "namespace": t.namespace},
		"spec": document{
			"runtimeRef": document{"name": j.runtime, "kind": "TrainingRuntime"},
			"suspend":    j.suspended,
			"trainer": document{"numNodes": float64(j.nodes), "resourcesPerNode": document{
				"limits": document{"nvidia.com/gpu": fmt.Sprint(j.gpus)}}},
		},
	}
	var last error
	err := within(20*time.Second, j.name+" is created", func() bool {
		_, last = t.cluster.client.create(object)
		return last == nil || !strings.Contains(last.Error(), "must be created before")
	})
	if last != nil {
		return last
	}
	return err
}

// live lists what a caller of reconcile passes: jobs, JobSets, pods and the schedulers' objects.
func (t *team) live() ([]document, error) {
	kinds := slices.Concat(t.jobs, t.parts, t.kinds)
	var all []document
	for _, kind := range kinds {
		some, err := t.cluster.client.items(kind[0], kind[1], t.namespace)
		if err != nil {
			return nil, err
		}
		all = append(all, some...)
	}
	return all, nil
}

// ask renders the plans of jobs, or reconciles them where live objects are given.
func (t *team) ask(name string, jobs, live []document) ([]plan, error) {
	var documents []document
	for _, runtime := range sortedKeys(t.runtimes) {
		documents = append(documents, t.runtimes[runtime])
	}
	documents = append(documents, jobs...)
	input, err := t.gangctl.write(t.namespace+"-"+name+".yaml", documents...)
	if err != nil {
		return nil, err
	}
	asked := question{files: []string{input}, policy: t.policy, cluster: t.facts}
	if live == nil {
		return t.gangctl.render(asked)
	}
	asked.live, err = t.gangctl.write(t.namespace+"-"+name+"-live.yaml", live...)
	if err != nil {
		return nil, err
	}
	return t.gangctl.reconcile(asked)
}

// plans reconciles all jobs of the team with what exists.
func (t *team) plans() ([]plan, error) {
	live, err := t.live()
	if err != nil {
		return nil, err
	}
	var jobs []document
	for _, one := range live {
		if t.isJob(one) && (t.only == "" || t.only == nameOf(one)) {
			jobs = append(jobs, one)
		}
	}
	if len(jobs) == 0 {
		return nil, nil
	}
	return t.ask("reconcile", jobs, live)
}

func (t *team) isJob(object document) bool {
	return slices.Contains(t.jobs, [2]string{text(object, "apiVersion"), kindOf(object)})
}

// round reconciles once and carries out the actions. It returns how many writes there were. Where
// an operator makes the gangs there is nothing to do.
func (t *team) round() (int, error) {
	if t.policy == "" {
		return 0, nil
	}
	plans, err := t.plans()
	if err != nil {
		return 0, err
	}
	return t.perform(plans), nil
}

// perform carries out the actions of plans and returns how many writes there were.
func (t *team) perform(plans []plan) int {
	writes := 0
	for _, one := range plans {
		if because := conflictOf(one); because != "" {
			t.conflicts[one.Metadata.Name] = because
			continue
		}
		for _, action := range one.Objects {
			if action.Action == "Leave" {
				continue
			}
			writes++
			what := fmt.Sprintf("%s %s %s", action.Action, text(action.Object, "kind"),
				nameOf(action.Object))
			if err := t.carryOut(action); err != nil {
				what += ": " + err.Error()
			}
			t.writes = append(t.writes, what)
		}
	}
	return writes
}

func conflictOf(p plan) string {
	for _, action := range p.Objects {
		if action.Action == "Conflict" {
			return fmt.Sprintf("%s %s: %s", text(action.Object, "kind"), nameOf(action.Object),
				strings.Join(p.errors(), " "))
		}
	}
	return ""
}

func (t *team) carryOut(one action) error {
	client := t.cluster.client
	switch one.Action {
	case "Create":
		_, err := client.create(one.Object)
		return err
	case "Apply":
		return t.replace(one.Object)
	case "Delete":
		return client.remove(one.Object)
	case "Recreate":
		return t.recreate(one.Object)
	}
	return fmt.Errorf("unknown action %s", one.Action)
}

// replace writes an object as kubectl replace does. Where a kind has no status subresource, a PUT
// without the status erases it.
func (t *team) replace(object document) error {
	before, err := t.cluster.client.get(text(object, "apiVersion"), kindOf(object), t.namespace,
		nameOf(object))
	if err != nil {
		return err
	}
	after, err := t.cluster.client.replace(object)
	if err == nil && at(before, "status") != nil && at(after, "status") == nil {
		err = errors.New("the status was erased")
	}
	return err
}

func (t *team) recreate(object document) error {
	client := t.cluster.client
	named := copyOf(object)
	delete(named["metadata"].(document), "uid")
	if err := client.remove(named); err != nil {
		return err
	}
	err := within(10*time.Second, nameOf(object)+" is gone", func() bool {
		_, err := client.get(text(object, "apiVersion"), text(object, "kind"), t.namespace,
			nameOf(object))
		return isStatus(err, 404)
	})
	if err != nil {
		return err
	}
	_, err = client.create(object)
	return err
}

// shippedRuntimes are the runtimes of the operator's release.
func shippedRuntimes(operator string) (map[string]document, error) {
	found := map[string]document{}
	folder := filepath.Join(operator, "manifests/trainer/runtimes")
	for _, pattern := range []string{"*.yaml", "*/*.yaml", "*/*/*.yaml"} {
		files, err := filepath.Glob(filepath.Join(folder, pattern))
		if err != nil {
			return nil, err
		}
		for _, file := range files {
			documents, err := readDocuments(file)
			if err != nil {
				return nil, err
			}
			for _, one := range documents {
				if text(one, "kind") == "ClusterTrainingRuntime" {
					found[nameOf(one)] = one
				}
			}
		}
	}
	return found, nil
}
