// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"
)

// A bugCase is a defect of an operator's own gangs. It is played with the unmodified operator and
// with the adapter.
type bugCase struct {
	what, operator string
	kind           string // of gangRows
	backend        backend
	// play returns what was seen, and whether the defect is not there.
	play func(*gangCell) (seen string, right bool)
}

var bugCases = []bugCase{
	{"a RayJob does not start", "KubeRay", "RayJob", coschedulingBackend, playRayJob},
	{"a PodGroup keeps its first size (kuberay#5205)", "KubeRay", "RayCluster",
		coschedulingBackend, playRayGrowth},
	{"a RayCluster and a RayJob of one name share a PodGroup", "KubeRay", "RayCluster",
		volcanoBackend, playSameName},
	{"the autoscaler's container is not counted (kuberay#3895)", "KubeRay", "RayCluster",
		volcanoBackend, playAutoscaler},
	{"a group with exclusive-topology does not start", "LeaderWorkerSet", "LeaderWorkerSet",
		volcanoBackend, playExclusive},
	{"the default scheduler runs a part of a group (lws#630)", "LeaderWorkerSet",
		"LeaderWorkerSet", volcanoBackend, playWrongScheduler},
	{"a PodGroup is written in every round", "training operator", "PyTorchJob",
		coschedulingBackend, playRounds},
	{"a launcher that waits for the workers is counted (mpi-operator#608)", "mpi-operator",
		"MPIJob",
		coschedulingBackend, playLateLauncher},
	{"initializers, which end before the others start, are counted", "Kubeflow Trainer", "TrainJob",
		coschedulingBackend, playInitializers},
	{"executors start in part: the minimum is 1", "Spark operator", "SparkApplication",
		volcanoBackend, playExecutors},
}

// A bugRow is what was seen of a case.
type bugRow struct {
	before, after string
	right         bool
}

func bugsNamespace(one backend) string { return "bugs-" + one.name }

// playBugs plays all cases with the unmodified operators, and then with the adapters.
func (s *session) playBugs(runs []*adapterRun) (string, bool, error) {
	rows := make([]bugRow, len(bugCases))
	policy, err := s.bugsPolicy()
	if err != nil {
		return "", false, err
	}
	for _, one := range runs {
		one.policy, one.namespace = policy, bugsNamespace
	}
	for _, ours := range []bool{false, true} {
		l, err := s.newBugLab(runs, ours)
		if err != nil {
			return "", false, err
		}
		l.playBugs(ours, rows)
		l.cluster.stop()
	}
	var all strings.Builder
	all.WriteString("\nDefects of the operators' own gangs, seen with the unmodified operator and " +
		"with the adapter:\n\n")
	row(&all, []string{"operator, scheduler", "defect", "unmodified", "with libgang"})
	row(&all, make([]string, 4))
	right := true
	for i, one := range bugCases {
		right = right && rows[i].right
		row(&all, []string{one.operator + ", " + one.backend.name, one.what, rows[i].before,
			rows[i].after})
	}
	return all.String(), right, nil
}

// newBugLab starts a cluster with the adapters or the unmodified operators.
func (s *session) newBugLab(runs []*adapterRun, ours bool) (*gangLab, error) {
	backends := []backend{coschedulingBackend, volcanoBackend,
		workloadBackend(minors[s.minor].workloads[0])}
	rows, _ := adapterRows(gangRows)
	c, err := s.startWith(s.gangServers(rows, backends)...)
	if err != nil {
		return nil, err
	}
	l := &gangLab{session: s, cluster: c, rows: rows, silent: true}
	err = l.addCells(rows, backends, bugsNamespace)
	l.adaptCells()
	for _, one := range runs {
		if err == nil && ours {
			err = s.startAdapter(c, one)
		} else if err == nil {
			err = c.startUnmodified(one)
		}
	}
	if err == nil {
		err = c.allRun()
	}
	if err != nil {
		c.stop()
		return nil, err
	}
	return l, nil
}

func (l *gangLab) playBugs(ours bool, rows []bugRow) {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	books := map[*gangBook]bool{}
	var wait sync.WaitGroup
	for i, one := range bugCases {
		at := slices.IndexFunc(l.cells, func(c *gangCell) bool {
			return c.kind == one.kind && c.team.backend.name == one.backend.name
		})
		cell := *l.cells[at]
		cell.gangRow = &gangRow{}
		*cell.gangRow = *l.cells[at].gangRow
		cell.document = copyOf(cell.document)
		cell.title = fmt.Sprintf("bug-%d", i)
		if !books[cell.book] {
			books[cell.book] = true
			go cell.book.keep(ctx)
		}
		wait.Go(func() {
			seen, right := one.play(&cell)
			say("%s: %s: %s (%v)", one.operator, one.what, seen, right)
			if ours {
				rows[i].after, rows[i].right = seen, rows[i].right && right
			} else {
				rows[i].before, rows[i].right = seen, !right
			}
		})
	}
	wait.Wait()
}

// bugsPolicy also reserves resources, as the operators do.
func (s *session) bugsPolicy() (string, error) {
	policies := map[string]*teamPolicy{}
	for _, one := range []backend{coschedulingBackend, volcanoBackend} {
		policies[bugsNamespace(one)] = &teamPolicy{backend: one.name}
	}
	policy := (&operator{policies: policies}).policy()
	set(policy, "Always", "spec", "defaults", "reserve")
	return s.gangctl.write("bugs-policy.yaml", policy)
}

// startUnmodified starts what the adapter is for as it was published, with its own gangs. Where one
// program has one scheduler, there is one for each namespace.
func (c *cluster) startUnmodified(one *adapterRun) error {
	switch one.name {
	case "lws":
		return c.startManagerOf(lwsRecipe(), "lws",
			lwsConfig+"gangSchedulingManagement: {schedulerProvider: volcano}\n")
	case "trainer":
		return c.startManagerOf(operatorRecipe(), "trainer", trainerConfig)
	case "spark-operator":
		binaries, err := sparkRecipe().build()
		if err != nil {
			return err
		}
		return c.startSparkFrom(program(binaries, "spark-operator"), binaries,
			"--enable-batch-scheduler", "--default-batch-scheduler=volcano")
	case "mpi-operator":
		if err := applyMPI(c); err != nil {
			return err
		}
		return c.startMPI(bugsNamespace(coschedulingBackend), coschedulingBackend.scheduler)
	}
	if err := applyKinds(c, one.content); err != nil {
		return err
	}
	binaries, err := operatorsRecipe().build()
	if err != nil {
		return err
	}
	if err := c.admitAdmin(one); err != nil {
		return err
	}
	defer func() { c.environment = nil }()
	for _, backend := range []backend{coschedulingBackend, volcanoBackend} {
		scheduler := backend.scheduler
		if one.name == "kuberay" && backend.name == "coscheduling" {
			scheduler = "scheduler-plugins" // KubeRay's word
		}
		_, err := c.run(one.name+"-"+backend.name, program(binaries, "operators"), one.name,
			scheduler,
			bugsNamespace(backend))
		if err != nil {
			return err
		}
	}
	return nil
}

// admitAdmin makes the programs that start next one user of the group whose requests are kept.
func (c *cluster) admitAdmin(one *adapterRun) error {
	const group = "rbac.authorization.k8s.io"
	name := adapterPrefix + one.name
	_, err := c.client.create(document{"apiVersion": group + "/v1", "kind": "ClusterRoleBinding",
		"metadata": document{"name": name},
		"roleRef":  document{"apiGroup": group, "kind": "ClusterRole", "name": "cluster-admin"},
		"subjects": []any{document{"apiGroup": group, "kind": "User", "name": name}}})
	if err != nil {
		return err
	}
	config, err := c.writeKubeconfig(name+".kubeconfig", name)
	c.environment = []string{"KUBECONFIG=" + config}
	return err
}

const bugPatience = 25 * time.Second

// start creates the job of a case, with room for so many of its pods.
func (c *gangCell) start(gpus int) error {
	set(c.document, "true", "metadata", "labels", "ray.io/gang-scheduling-enabled")
	if err := c.room(c.job(c.title), gpus); err != nil {
		return err
	}
	return c.submit(c.title, true)
}

// sees starts the job, waits until so many pods have a node or for a while, and counts them.
func (c *gangCell) sees(gpus, pods int) (string, bool) {
	if err := c.start(gpus); err != nil {
		return wrong(err), false
	}
	c.wait(bugPatience, func() bool { return c.bound() >= pods })
	seen := c.book.count(c.job(c.title))
	return fmt.Sprintf("pods: %d, with a node: %d", seen.all, c.bound()), c.bound() == pods
}

func (c *gangCell) bound() int { return c.book.count(c.job(c.title)).bound }

func (c *gangCell) group(name string) document {
	group, err := c.team.cluster.client.get(c.team.backend.kinds[0][0], "PodGroup",
		c.team.namespace, name)
	if err != nil {
		return nil
	}
	return group
}

func playRayJob(c *gangCell) (string, bool) { return c.sees(3, 3) }

func playRayGrowth(c *gangCell) (string, bool) {
	if seen, ok := c.sees(4, 3); !ok {
		return seen, false
	}
	groups := list(at(c.read(c.title), "spec", "workerGroupSpecs"))
	groups[0].(document)["replicas"] = 3.0
	if err := c.change(c.title, nested(groups, "spec", "workerGroupSpecs")); err != nil {
		return wrong(err), false
	}
	c.wait(bugPatience, func() bool { return c.bound() == 4 })
	time.Sleep(2 * time.Second)
	minimum := number(c.group(c.job(c.title)), "spec", "minMember")
	return fmt.Sprintf("minMember %d for %d pods", minimum, c.bound()), minimum == 4
}

// playSameName has a RayJob of one worker more under the name of the RayCluster.
func playSameName(c *gangCell) (string, bool) {
	if seen, ok := c.sees(8, 3); !ok {
		return seen, false
	}
	documents, err := jobsByKind()
	if err != nil {
		return wrong(err), false
	}
	job := documents["RayJob"]
	set(job, c.job(c.title), "metadata", "name")
	set(job, c.team.namespace, "metadata", "namespace")
	list(at(job, "spec", "rayClusterSpec", "workerGroupSpecs"))[0].(document)["replicas"] = 3.0
	for _, template := range templatesOf(job) {
		c.place(template, c.job(c.title), true)
	}
	ctx, cancel := context.WithTimeout(context.Background(), bugPatience)
	defer cancel()
	sizes := []string{}
	go c.team.cluster.client.watch(ctx, c.team.backend.kinds[0][0], "PodGroup", func(one event) {
		size := fmt.Sprint(number(one.Object, "spec", "minMember"))
		isNew := len(sizes) == 0 || sizes[len(sizes)-1] != size
		if nameOf(one.Object) == "ray-"+c.job(c.title)+"-pg" && isNew && ctx.Err() == nil {
			sizes = append(sizes, size)
		}
	})
	time.Sleep(time.Second)
	if _, err := c.team.cluster.client.create(job); err != nil {
		return wrong(err), false
	}
	<-ctx.Done()
	time.Sleep(time.Second) // the watch has ended
	changes := len(sizes) - 1
	return fmt.Sprintf("minMember %s, changed %d times",
		strings.Join(sizes[:min(2, len(sizes))], ", "), changes), changes == 0 && sizes[0] == "3"
}

// playAutoscaler compares what the group asks for with what its pods request.
func playAutoscaler(c *gangCell) (string, bool) {
	set(c.document, true, "spec", "enableInTreeAutoscaling")
	if seen, ok := c.sees(3, 3); !ok {
		return seen, false
	}
	sum := 0
	pods, err := c.team.cluster.client.items("v1", "Pod", c.team.namespace)
	if err != nil {
		return wrong(err), false
	}
	for _, pod := range pods {
		if text(pod, "metadata", "labels", "ray.io/cluster") != c.job(c.title) {
			continue
		}
		own, first := 0, 0
		for _, container := range list(at(pod, "spec", "containers")) {
			own += millis(text(container, "resources", "requests", "cpu"))
		}
		for _, container := range list(at(pod, "spec", "initContainers")) {
			first = max(first, millis(text(container, "resources", "requests", "cpu")))
		}
		sum += max(own, first)
	}
	asked := millis(text(c.group("ray-"+c.job(c.title)+"-pg"), "spec", "minResources", "cpu"))
	return fmt.Sprintf("minResources %dm CPU, its pods request %dm", asked, sum), asked == sum
}

// millis reads CPUs as Kubernetes writes them.
func millis(quantity string) (amount int) {
	if whole, isMilli := strings.CutSuffix(quantity, "m"); isMilli {
		_, _ = fmt.Sscan(whole, &amount)
		return amount
	}
	_, _ = fmt.Sscan(quantity, &amount)
	return amount * 1000
}

func playExclusive(c *gangCell) (string, bool) {
	set(c.document, 1.0, "spec", "replicas")
	set(c.document, c.team.backend.scheduler, "spec", "leaderWorkerTemplate", "workerTemplate",
		"spec",
		"schedulerName")
	set(c.document, "kubernetes.io/hostname", "metadata", "annotations",
		"leaderworkerset.sigs.k8s.io/exclusive-topology")
	return c.sees(2, 2)
}

// playWrongScheduler has room for one of two pods, which no template gives to a scheduler.
func playWrongScheduler(c *gangCell) (string, bool) {
	set(c.document, 1.0, "spec", "replicas")
	return c.part(1, 2)
}

// part starts a job with too little room: no member may have a node.
func (c *gangCell) part(gpus, pods int) (string, bool) {
	if err := c.start(gpus); err != nil {
		return wrong(err), false
	}
	c.wait(bugPatience, func() bool { return c.book.count(c.job(c.title)).all >= pods })
	time.Sleep(quiet)
	seen := c.book.count(c.job(c.title))
	return fmt.Sprintf("%d of %d pods have a node", seen.bound, seen.all),
		seen.all == pods && seen.bound <= c.outside+c.alone
}

// playRounds has the operator reconcile a job five times in which nothing is to be done.
func playRounds(c *gangCell) (string, bool) {
	if seen, ok := c.sees(3, 3); !ok {
		return seen, false
	}
	time.Sleep(5 * time.Second)
	before := c.groupWrites()
	for i := range 5 {
		if err := c.change(c.title, nested(fmt.Sprint(i), "metadata", "labels", "round")); err != nil {
			return wrong(err), false
		}
		time.Sleep(time.Second)
	}
	time.Sleep(2 * time.Second)
	writes := c.groupWrites() - before
	return fmt.Sprintf("%d writes for 5 changes of a label of the job", writes), writes == 0
}

func (c *gangCell) groupWrites() (count int) {
	requests, err := c.team.cluster.requests()
	if err != nil {
		return -1
	}
	for _, one := range requests {
		if one.isWrite() && one.ObjectRef.Resource == "podgroups" &&
			one.ObjectRef.Namespace == c.team.namespace && one.ObjectRef.Name == c.job(c.title) {
			count++
		}
	}
	return count
}

func playLateLauncher(c *gangCell) (string, bool) {
	set(c.document, "WaitForWorkersReady", "spec", "launcherCreationPolicy")
	return c.sees(3, 4)
}

// playInitializers runs a shipped runtime whose trainer depends on initializers.
func playInitializers(c *gangCell) (string, bool) {
	const name = "torchtune-llama3.2-1b"
	binaries, err := operatorRecipe().build()
	if err != nil {
		return wrong(err), false
	}
	runtimes, err := shippedRuntimes(binaries)
	if err != nil {
		return wrong(err), false
	}
	if err := c.team.addRuntime(runtimes[name]); err != nil {
		return wrong(err), false
	}
	if err := c.team.cluster.addNode(c.team.pool+"-big", c.team.pool, 8); err != nil {
		return wrong(err), false
	}
	of := job{name: c.job(c.title), runtime: name, nodes: 2, gpus: 1}
	if err := c.team.submit(of); err != nil {
		return wrong(err), false
	}
	ended := c.wait(time.Minute, func() bool { return isThrough(c.read(c.title)) })
	minimum := number(c.group(c.job(c.title)), "spec", "minMember")
	if !ended {
		return fmt.Sprintf("minMember %d, the job does not complete", minimum), false
	}
	return fmt.Sprintf("minMember %d, the job completes", minimum), true
}

// playExecutors has room for two of three executors. The driver, which uses no GPU, may run.
func playExecutors(c *gangCell) (string, bool) {
	if err := c.start(2); err != nil {
		return wrong(err), false
	}
	c.wait(bugPatience, func() bool { return c.bound() >= 3 })
	return fmt.Sprintf("pods with a node: %d, with room for the driver and 2 of 3 executors",
		c.bound()), c.bound() <= 1
}
