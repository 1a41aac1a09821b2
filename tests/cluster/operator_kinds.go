// SPDX-License-Identifier: Apache-2.0

package main

import (
	"cmp"
	"context"
	_ "embed"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"sigs.k8s.io/yaml"
)

//go:embed testdata/operator/jobs.yaml
var gangJobs string

// A gangRow is one kind of job that gang-operator makes gangs of, and what is expected of it.
type gangRow struct {
	kind  string
	title string   // where several rows have one kind
	by    string   // what creates its pods here
	needs []string // programs, of gangPrograms
	gangs []int    // the minimum of each gang
	pods  int      // members
	// The pods that exist before any member has a node, those of the job that are in no gang, and the
	// GPUs of the whole job and of one that must wait.
	waits, outside, gpus, tooFew int
	// Of the members, those that come when the others run. Koordinator has them in no gang.
	late int

	alone   int      // members whose gang is one pod, which has no GPU
	serves  bool     // it does not end
	suspend []string // the field
	queue   bool     // Kueue queues it, and suspends it when its queue is stopped
	grow    growth
	failing string // a part of the name of the pod that fails
	// prepareRetry changes the job whose pod fails.
	prepareRetry func(document)
	// Why a phase is not played, by "PHASE", "BACKEND PHASE", "1.MINOR PHASE" or, for all phases,
	// "BACKEND".
	except map[string]string

	document document
}

func (r *gangRow) name() string { return cmp.Or(r.title, r.kind) }

// A growth is a change of the size, with the members and gangs afterwards.
type growth struct {
	patch document
	pods  int
	gangs []int
}

// trio is a kind whose job is one gang of three pods with one GPU each.
func trio(row gangRow) gangRow {
	row.gangs, row.pods, row.waits, row.gpus, row.tooFew = []int{3}, 3, 3, 3, 2
	row.grow.pods, row.grow.gangs = 4, []int{4}
	return row
}

// trainingRow is a kind of training-operator, which is made larger to so many workers.
func trainingRow(kind, specs string, workers float64) gangRow {
	return trio(gangRow{kind: kind, by: "training-operator v1.9.4",
		needs:   []string{"training-operator"},
		suspend: []string{"spec", "runPolicy", "suspend"}, failing: "-worker-1",
		grow: growth{patch: document{"spec": document{specs: document{
			"Worker": document{"replicas": workers}}}}}})
}

const kubernetesItself, hasNone = "Kubernetes", "the kind has none"

var gangRows = []gangRow{
	trio(gangRow{kind: "TrainJob", by: "Kubeflow Trainer v2.3.0, JobSet v0.12.0",
		needs: []string{"JobSet", "Trainer"}, suspend: []string{"spec", "suspend"}, failing: "-node-0-1-",
		except: map[string]string{"scale": "`spec.trainer` is immutable"}}),
	trio(gangRow{kind: "JobSet", by: "JobSet v0.12.0", needs: []string{"JobSet"},
		suspend: []string{"spec", "suspend"}, failing: "-worker-0-1-",
		except: map[string]string{"scale": "`spec.replicatedJobs` is immutable"}}),
	trio(gangRow{kind: "Job", by: kubernetesItself, suspend: []string{"spec", "suspend"},
		failing: "-1-", grow: growth{patch: document{"spec": document{
			"parallelism": 4.0, "completions": 4.0}}},
		except: map[string]string{"1.36 scale": "the server refuses it with WorkloadWithJob"}}),
	trio(gangRow{kind: "JobSet", title: "JobSet queued by Kueue", by: "JobSet v0.12.0, Kueue v0.19.2",
		needs: []string{"JobSet", "Kueue"}, queue: true, failing: "-worker-0-1-",
		except: map[string]string{"scale": "`spec.replicatedJobs` is immutable"}}),
	trio(gangRow{kind: "Job", title: "Job queued by Kueue", by: "Kubernetes, Kueue v0.19.2",
		needs: []string{"JobSet", "Kueue"}, queue: true, failing: "-1-",
		except: map[string]string{"scale": "Kueue admits it again for that"}}),
	trio(gangRow{kind: "CronJob", by: kubernetesItself, except: map[string]string{
		"suspend": "it stops the schedule; its Jobs are suspended as others",
		"resume":  "see suspend", "scale": "a change is for later Jobs",
		"retry": "see Job"}}),
	trio(gangRow{kind: "StatefulSet", by: kubernetesItself, serves: true, failing: "-1",
		grow:   growth{patch: document{"spec": document{"replicas": 4.0}}},
		except: map[string]string{"suspend": hasNone, "resume": hasNone}}),
	trainingRow("PyTorchJob", "pytorchReplicaSpecs", 3),
	trainingRow("TFJob", "tfReplicaSpecs", 4),
	trainingRow("XGBoostJob", "xgbReplicaSpecs", 3),
	trainingRow("PaddleJob", "paddleReplicaSpecs", 4),
	trainingRow("JAXJob", "jaxReplicaSpecs", 4),
	{kind: "MPIJob", by: "mpi-operator v0.8.2", needs: []string{"mpi-operator"},
		gangs: []int{4}, pods: 4, waits: 4, gpus: 3, tooFew: 2,
		suspend: []string{"spec", "runPolicy", "suspend"}, failing: "-launcher",
		grow: growth{pods: 5, gangs: []int{5}, patch: document{"spec": document{
			"mpiReplicaSpecs": document{"Worker": document{"replicas": 4.0}}}}}},
	{kind: "LeaderWorkerSet", by: "LWS v0.9.0", needs: []string{"LWS"}, serves: true,
		gangs: []int{2, 2}, pods: 4, waits: 4, gpus: 4, tooFew: 1, failing: "-0-1",
		grow: growth{pods: 6, gangs: []int{2, 2, 2},
			patch: document{"spec": document{"replicas": 3.0}}},
		except: map[string]string{"suspend": hasNone, "resume": hasNone}},
	trio(gangRow{kind: "DisaggregatedSet", by: "LWS v0.9.0", needs: []string{"LWS"}, serves: true,
		failing: "-prefill-0-1", except: map[string]string{"suspend": hasNone, "resume": hasNone,
			"scale": "another group is no part of the minimum"}}),
	trio(gangRow{kind: "RoleBasedGroup", by: "a script that creates the same pods",
		needs: []string{"RoleBasedGroup"}, serves: true, failing: "-prefill-0-1",
		except: map[string]string{"suspend": hasNone, "resume": hasNone,
			"scale": "the script does not create more pods"}}),
	trio(gangRow{kind: "Pod", by: "three pods that name their gang",
		except: map[string]string{"suspend": hasNone, "resume": hasNone, "scale": hasNone,
			"retry":    "no operator creates another pod",
			"yunikorn": "each pod would have to describe the whole gang"}}),
	trio(gangRow{kind: "RayCluster", by: "KubeRay v1.6.2", needs: []string{"kuberay"}, serves: true,
		suspend: []string{"spec", "suspend"}, failing: "-worker-",
		grow: growth{patch: document{"spec": document{"workerGroupSpecs": "replicas"}}}}),
	{kind: "RayJob", by: "KubeRay v1.6.2, an imitated dashboard", needs: []string{"kuberay"},
		gangs: []int{3}, pods: 4, late: 1, waits: 3, gpus: 3, tooFew: 2,
		suspend: []string{"spec", "suspend"}, prepareRetry: func(job document) {
			set(job, "true", "spec", "rayClusterSpec", "headGroupSpec", "template", "metadata",
				"annotations", "cluster.test/fails-once")
		},
		except: map[string]string{"scale": "KubeRay does not change the cluster of a job",
			"kai": "v0.12 has no subgroup whose pods come later"}},
	trio(gangRow{kind: "RayService", by: "KubeRay v1.6.2, an imitated dashboard",
		needs: []string{"kuberay"}, serves: true, except: map[string]string{
			"suspend": "see RayCluster", "resume": "see RayCluster", "scale": "see RayCluster",
			"retry": "see RayCluster"}}),
	{kind: "SparkApplication", by: "Spark operator v2.5.2, an imitated spark-submit",
		needs: []string{"Spark"}, gangs: []int{3}, pods: 3, outside: 1, waits: 4, gpus: 3, tooFew: 2,
		suspend: []string{"spec", "suspend"}, failing: "-driver",
		except: map[string]string{"scale": "a change submits the application again"}},
	trio(gangRow{kind: "AppWrapper", by: "AppWrapper v1.2.2, around a Job",
		needs: []string{"appwrapper"}, suspend: []string{"spec", "suspend"}, failing: "-1-",
		except: map[string]string{"scale": "`spec.components` is immutable"}}),
}

// The programs that create the pods, in the order of their starts.
var gangPrograms = []struct {
	name  string
	start func(*cluster) error
}{
	{"JobSet", startJobSet},
	{"Trainer", func(c *cluster) error {
		return c.startManagerOf(operatorRecipe(), "trainer", trainerConfig)
	}},
	{"Kueue", startKueue},
	{"LWS", startLWS},
	{"mpi-operator", func(c *cluster) error {
		if err := applyMPI(c); err != nil {
			return err
		}
		return c.startMPI("", "")
	}},
	{"kuberay", func(c *cluster) error { return c.startOperators("kuberay", kubeRayRecipe()) }},
	{"appwrapper", func(c *cluster) error {
		return c.startOperators("appwrapper", appWrapperRecipe())
	}},
	{"Spark", startSpark},
	{"RoleBasedGroup", startRoleBasedGroups},
	{"training-operator", func(c *cluster) error {
		return c.startOperators("training-operator", trainingOperatorRecipe())
	}},
}

// startOperators starts one of the operators of testdata/operators, with the CRDs of a recipe.
func (c *cluster) startOperators(name string, definitions recipe) error {
	if err := applyKinds(c, definitions); err != nil {
		return err
	}
	binaries, err := operatorsRecipe().build()
	if err != nil {
		return err
	}
	_, err = c.run(name, program(binaries, "operators"), name)
	return err
}

// A gangLab is a cluster with gang-operator, the operators of all kinds, and a namespace for each
// scheduler.
type gangLab struct {
	session *session
	cluster *cluster
	rows    []gangRow
	cells   []*gangCell
	runtime document
	silent  bool // nothing tells of gangs in events and conditions
}

// plays tells whether -only names a kind or backend: "JobSet,volcano"; nothing: all.
func (s *session) plays(name string) bool {
	names := strings.FieldsFunc(s.only, isComma)
	return len(names) == 0 || slices.ContainsFunc(names, func(one string) bool {
		return strings.EqualFold(one, name)
	})
}

// chosen are the kinds and backends of -only: each of the two is all if none is named. A name that
// is neither is an error.
func (s *session) chosen() (rows []gangRow, backends []backend, err error) {
	known := []string{}
	for _, row := range gangRows {
		known = append(known, row.kind, row.name())
		if s.plays(row.kind) || row.title != "" && s.plays(row.title) {
			rows = append(rows, row)
		}
	}
	all := gangBackends(s.minor)
	for _, one := range all {
		known = append(known, one.name)
		if s.plays(one.name) {
			backends = append(backends, one)
		}
	}
	for _, name := range strings.FieldsFunc(s.only, isComma) {
		if !slices.ContainsFunc(known, func(one string) bool { return strings.EqualFold(one, name) }) {
			return nil, nil, fmt.Errorf("-only: %q is none of %s", name, strings.Join(known, ", "))
		}
	}
	if len(rows) == 0 {
		rows = gangRows
	}
	if len(backends) == 0 {
		backends = all
	}
	return rows, backends, nil
}

// gangBackends are the schedulers of the table.
func gangBackends(minor string) []backend {
	return append(backendsOf(minor), kaiBackend, yunikornBackend, koordinatorBackend)
}

func isComma(r rune) bool { return r == ',' }

func runOperatorKinds(s *session) (bool, error) {
	rows, backends, err := s.chosen()
	if err != nil {
		return false, err
	}
	l, err := s.newGangLab(rows, backends)
	if err != nil {
		return false, err
	}
	defer l.cluster.stop()
	l.play()
	if s.only != "" && !s.record {
		l.print("")
		return l.passed(), nil
	}
	results, err := readResults(filepath.Join(s.root, "doc", "operator.md"), "gangs",
		"./dev cluster "+s.minor+" operator", s.minor)
	if err != nil {
		return false, err
	}
	l.print(results.text)
	return l.passed(), results.write(l.text(results.text))
}

func (s *session) newGangLab(rows []gangRow, backends []backend) (*gangLab, error) {
	c, err := s.startWith(s.gangServers(rows, backends)...)
	if err != nil {
		return nil, err
	}
	l := &gangLab{session: s, cluster: c, rows: gangRows}
	if err := l.fill(rows, backends); err != nil {
		c.stop()
		return nil, err
	}
	return l, nil
}

// gangServers are the schedulers and operators that some rows need.
func (s *session) gangServers(rows []gangRow, backends []backend) []func(*cluster) error {
	steps := []func(*cluster) error{(*cluster).startControllers}
	for _, one := range backends {
		if scheduler, known := schedulerStarts[one.name]; known {
			steps = append(steps, func(c *cluster) error {
				return c.startBuilt(scheduler.recipe(), scheduler.start)
			})
		} else {
			steps = append(steps, (*cluster).startScheduler)
		}
	}
	for _, one := range gangPrograms {
		if slices.ContainsFunc(rows, func(row gangRow) bool {
			return slices.Contains(row.needs, one.name)
		}) {
			steps = append(steps, one.start)
		}
	}
	return steps
}

func (c *cluster) startBuilt(from recipe, start func(*cluster, string) error) error {
	binaries, err := from.build()
	if err != nil {
		return err
	}
	return start(c, binaries)
}

// fill starts gang-operator, and makes the namespaces and cells.
func (l *gangLab) fill(rows []gangRow, backends []backend) error {
	policies := map[string]*teamPolicy{}
	for _, one := range backends {
		policies["gangs-"+one.name] = &teamPolicy{backend: one.name}
	}
	if _, err := l.session.startGangOperator(l.cluster, policies); err != nil {
		return err
	}
	return l.addCells(rows, backends, func(one backend) string { return "gangs-" + one.name })
}

// addCells makes a namespace for each backend.
func (l *gangLab) addCells(rows []gangRow, backends []backend, name func(backend) string) error {
	documents, err := jobsByKind()
	if err != nil {
		return err
	}
	for _, one := range backends {
		t, err := newTeam(l.cluster, l.session.gangctl, name(one), one)
		if err != nil {
			return err
		}
		t.kinds, t.jobs = one.kinds, nil
		book := newGangBook(t)
		for _, row := range rows {
			row.document = copyOf(documents[row.kind])
			if one.name == koordinatorBackend.name {
				row.pods, row.outside = row.pods-row.late, row.outside+row.late
			}
			if row.queue {
				if err := l.addQueue(t.namespace, row.slug()); err != nil {
					return err
				}
				set(row.document, row.slug(), "metadata", "labels", kueueLabel)
			}
			t.jobs = append(t.jobs, [2]string{text(row.document, "apiVersion"), row.kind})
			l.cells = append(l.cells, &gangCell{gangRow: &row, team: t, book: book, lab: l,
				seen: map[string]string{}})
		}
	}
	return l.readRuntime()
}

// addQueue makes a queue of Kueue for one cell, which has GPUs for all.
func (l *gangLab) addQueue(namespace, name string) error {
	metadata := document{"name": namespace + "-" + name}
	for _, one := range []document{
		{"kind": "ResourceFlavor", "metadata": metadata},
		{"kind": "ClusterQueue", "metadata": metadata, "spec": document{
			"namespaceSelector": document{}, "resourceGroups": []any{document{
				"coveredResources": []any{"nvidia.com/gpu"},
				"flavors": []any{document{"name": metadata["name"], "resources": []any{
					document{"name": "nvidia.com/gpu", "nominalQuota": 64.0}}}}}}}},
		{"kind": "LocalQueue", "metadata": document{"name": name, "namespace": namespace},
			"spec": document{"clusterQueue": metadata["name"]}},
	} {
		one["apiVersion"] = kueueGroup
		var last error
		err := within(30*time.Second, "Kueue answers", func() bool {
			_, last = l.cluster.client.create(one)
			return last == nil || !isStatus(last, 500)
		})
		if err = errors.Join(err, last); err != nil {
			return err
		}
	}
	return nil
}

func jobsByKind() (map[string]document, error) {
	found := map[string]document{}
	for _, one := range strings.Split(gangJobs, "\n---\n") {
		job := document{}
		if err := yaml.Unmarshal([]byte(one), &job); err != nil {
			return nil, err
		}
		found[kindOf(job)] = job
	}
	return found, nil
}

// readRuntime keeps the runtime of the TrainJobs.
func (l *gangLab) readRuntime() error {
	binaries, err := operatorRecipe().build()
	if err != nil {
		return err
	}
	runtimes, err := shippedRuntimes(binaries)
	l.runtime = runtimes["torch-distributed"]
	return err
}

// runtimeFor makes the runtime of one TrainJob, which names it: its pods have nodes of their own.
func (l *gangLab) runtimeFor(job document) document {
	runtime := copyOf(l.runtime)
	runtime["kind"] = "TrainingRuntime"
	runtime["metadata"] = document{"name": nameOf(job), "namespace": namespaceOf(job)}
	set(job, nameOf(job), "spec", "runtimeRef", "name")
	set(runtime, 2.0, "spec", "template", "spec", "failurePolicy", "maxRestarts") // a Job has no retry
	for _, role := range list(at(runtime, "spec", "template", "spec", "replicatedJobs")) {
		delete(at(role, "template", "spec", "template", "spec").(document), "serviceAccountName")
	}
	return runtime
}

// atOnce is how many cells are played at the same time: each has a few waiting jobs.
const atOnce = 14

func (l *gangLab) play() {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	books := map[*gangBook]bool{}
	var wait sync.WaitGroup
	slots := make(chan struct{}, atOnce)
	for _, one := range l.cells {
		if !books[one.book] {
			books[one.book] = true
			go one.book.keep(ctx)
		}
		wait.Go(func() {
			slots <- struct{}{}
			defer func() { <-slots }()
			one.play()
			say("%s, %s: %s", one.name(), one.team.backend.name, one.summary())
		})
	}
	wait.Wait()
}

// summary names the phases that went wrong.
func (c *gangCell) summary() string {
	var all []string
	for _, phase := range gangPhases {
		if seen := c.seen[phase.name]; strings.HasPrefix(seen, "no") {
			all = append(all, phase.name+": "+seen)
		}
	}
	return cmp.Or(strings.Join(all, "; "), "yes")
}

func (l *gangLab) passed() bool {
	return !slices.ContainsFunc(l.cells, func(c *gangCell) bool { return c.summary() != "yes" })
}

// text is the table, and why a phase was not played. Of what -only has left out it keeps the rows
// of an earlier one.
func (l *gangLab) text(earlier string) string {
	var all strings.Builder
	fmt.Fprintf(&all, "Kubernetes %s, `%s` of the Workload API:\n\n",
		kubernetesVersions[l.session.minor], minors[l.session.minor].workloads[0])
	titles := []string{"kind", "pods from", "scheduler"}
	for _, phase := range gangPhases {
		titles = append(titles, phase.name)
	}
	row(&all, titles)
	row(&all, make([]string, len(titles)))
	var reasons []string
	for _, one := range l.rows {
		for _, scheduler := range gangBackends(l.session.minor) {
			start := []string{one.name(), one.by, scheduler.name}
			i := slices.IndexFunc(l.cells, func(cell *gangCell) bool {
				return cell.name() == one.name() && cell.team.backend.name == scheduler.name
			})
			if i < 0 {
				all.WriteString(lineFrom(earlier, "| "+strings.Join(start, " | ")+" | "))
				continue
			}
			for _, phase := range gangPhases {
				start = append(start, l.cells[i].seen[phase.name])
			}
			row(&all, start)
		}
		for _, key := range sortedKeys(one.except) {
			phase := strings.TrimPrefix(key, "1."+l.session.minor+" ")
			if !strings.HasPrefix(phase, "1.") { // of another minor
				reasons = append(reasons, fmt.Sprintf("- %s, %s: %s.", one.name(), phase, one.except[key]))
			}
		}
	}
	table := all.String()
	reasons = slices.DeleteFunc(reasons, func(reason string) bool { // of a scheduler without a row
		return slices.ContainsFunc(gangBackends(l.session.minor), func(one backend) bool {
			return strings.Contains(reason, ", "+one.name+": ") &&
				!strings.Contains(table, " | "+one.name+" | ")
		})
	})
	return table + "\nNot played (–):\n\n" + strings.Join(reasons, "\n") + "\n"
}

// lineFrom is the line of a text that starts so, or nothing.
func lineFrom(text, start string) string {
	for line := range strings.Lines(text) {
		if strings.HasPrefix(line, start) {
			return line
		}
	}
	return ""
}

func (l *gangLab) print(earlier string) {
	for _, line := range strings.Split(strings.TrimSpace(l.text(earlier)), "\n") {
		say("%s", line)
	}
	if requests, err := l.cluster.requests(); err == nil {
		writes, reads := 0, 0
		for _, one := range requests {
			switch {
			case one.isWrite():
				writes++
			case one.Verb != "watch":
				reads++
			}
		}
		say("the operator sent %d writes and %d reads", writes, reads)
	}
	if os.Getenv("CLUSTER_KEEP_LOGS") != "" {
		say("the requests of the operator are in %s/audit.log", l.cluster.folder)
	}
}
