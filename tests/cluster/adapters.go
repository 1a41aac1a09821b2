// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"libgang.dev/tests/overlay"
)

// An adapter is an operator with libgang in it: a program of the folder adapters. It has the
// permissions of the operator's own manifests and those of adapters/rbac.yaml, and no others.
type adapter struct {
	name    string
	title   string   // of the operator, in the table
	kinds   []string // of gangRows
	needs   []string // of gangPrograms
	build   func(root, target string) error
	content recipe // its CRDs and webhooks
	role    string // the file of the operator's ClusterRole
	start   func(c *cluster, one *adapterRun) error
}

// An adapterRun is one that is started.
type adapterRun struct {
	*adapter
	binary, manifests, policy string
	namespace                 func(backend) string
}

// Mpi-operator is before the training operator, whose kind MPIJob has an older version.
var adapters = []adapter{
	{name: "kuberay", title: "KubeRay v1.6.2",
		kinds: []string{"RayCluster", "RayJob", "RayService"},
		build: example("adapters", "./examples/kuberay"), content: kubeRayRecipe(),
		role: "config/rbac/role.yaml", start: startRayAdapter},
	{name: "lws", title: "LeaderWorkerSet v0.9.0", kinds: []string{"LeaderWorkerSet"},
		build: example("adapters", "./examples/lws"), content: lwsRecipe(),
		role: "config/rbac/role.yaml", start: func(c *cluster, one *adapterRun) error {
			return c.startWithHooks(one, lwsConfig, "-policy="+one.policy)
		}},
	{name: "mpi-operator", title: "mpi-operator v0.8.2 with the patch", kinds: []string{"MPIJob"},
		build:   patched("mpi-operator", "github.com/kubeflow/mpi-operator", "cmd/mpi-operator"),
		content: mpiOperatorRecipe(), role: "manifests/base/cluster-role.yaml",
		start: startMPIAdapter},
	{name: "training-operator", title: "training operator v1.9.4",
		kinds:   []string{"PyTorchJob", "TFJob", "XGBoostJob", "PaddleJob", "JAXJob"},
		build:   example("adapters", "./examples/trainingoperator"),
		content: trainingOperatorRecipe(),
		role:    "manifests/base/rbac/role.yaml", start: startTrainingAdapter},
	{name: "trainer", title: "Kubeflow Trainer v2.3.0", kinds: []string{"TrainJob"},
		needs: []string{"JobSet"},
		build: example("adapters/trainer", "./manager"), content: operatorRecipe(),
		role: "manifests/base/rbac/role.yaml", start: func(c *cluster, one *adapterRun) error {
			return c.startWithHooks(one, trainerConfig, "-policy="+one.policy)
		}},
	{name: "spark-operator", title: "Spark operator v2.5.2 with the patch",
		kinds:   []string{"SparkApplication"},
		build:   patched("spark-operator", "github.com/kubeflow/spark-operator/v2", "cmd/operator"),
		content: sparkRecipe(), role: "config/rbac/role.yaml", start: startSparkAdapter},
}

const adaptersGroup, adapterPrefix = "adapters", "adapter-"

// adapterTokens are those of the adapters' users, whose names they are, for the server.
func adapterTokens() string {
	var lines strings.Builder
	for _, one := range adapters {
		name := adapterPrefix + one.name
		fmt.Fprintf(&lines, "%s,%s,%s,%s\n", name, name, name, adaptersGroup)
	}
	return lines.String()
}

// Without -trimpath and with cgo the packages are those that ./dev adapters compiles.
func example(module, pkg string) func(root, target string) error {
	return func(root, target string) error {
		command := exec.Command("go", "build", "-mod=readonly", "-tags=libgang_wasm", "-o", target,
			pkg)
		command.Dir = filepath.Join(root, module)
		output, err := command.CombinedOutput()
		if err != nil {
			return fmt.Errorf("%s: %w\n%s", pkg, err, tail(string(output), 30))
		}
		return nil
	}
}

// patched builds the program of an operator with its patch, and the main function of testdata.
func patched(name, module, pkg string) func(root, target string) error {
	return func(root, target string) error {
		main := filepath.Join(root, "tests/cluster/testdata", name, "main.go")
		shown := overlay.Module{Path: module, Home: filepath.Join(root, "tests/seams"),
			Patch: filepath.Join(root, "adapters/patches", name+".patch"),
			Files: map[string]string{pkg + "/main.go": main}}
		work, err := os.MkdirTemp("", "overlay-")
		if err != nil {
			return err
		}
		defer func() { _ = os.RemoveAll(work) }()
		return shown.Go(work, "build", "-tags=libgang_wasm", "-o", target,
			module+"/"+pkg)
	}
}

// buildAdapters builds programs. Go's cache makes later builds short.
func (s *session) buildAdapters(needed []adapter, policy string) (runs []*adapterRun, err error) {
	cache, err := os.UserCacheDir()
	for _, one := range needed {
		run := &adapterRun{adapter: &one, policy: policy, namespace: adaptersNamespace,
			binary: filepath.Join(cache, "libgang", "cluster", adapterPrefix+one.name)}
		begin := time.Now()
		fresh := fmt.Sprintf("%s.%d", run.binary, os.Getpid())
		if err == nil {
			err = one.build(s.root, fresh)
		}
		if err == nil {
			err = os.Rename(fresh, run.binary)
		}
		if err == nil {
			run.manifests, err = one.manifests()
		}
		if err != nil {
			return nil, err
		}
		say("built %s in %.0f s", one.name, time.Since(begin).Seconds())
		runs = append(runs, run)
	}
	return runs, err
}

// manifests are those of the operator.
func (a *adapter) manifests() (string, error) {
	content := a.content.manifests()
	content.Name, content.Copies = adapterPrefix+content.Name, maps.Clone(content.Copies)
	base := content.Module + "/" + filepath.Dir(a.role)
	content.Copies["role"] = base
	if a.name == "training-operator" {
		content.Copies["training-operator/webhook"] = filepath.Dir(base) + "/webhook"
	}
	folder, err := content.build()
	return filepath.Join(folder, "manifests"), err
}

// startAdapter gives an adapter a user.
func (s *session) startAdapter(c *cluster, one *adapterRun) error {
	if err := c.applyDefinitions(filepath.Join(one.manifests, one.name, "crds")); err != nil {
		return err
	}
	for _, file := range []string{filepath.Join(one.manifests, "role", filepath.Base(one.role)),
		filepath.Join(s.root, "adapters/rbac.yaml")} {
		if err := c.permit(one, file); err != nil {
			return err
		}
	}
	if err := c.copyCertificates(); err != nil {
		return err
	}
	config, err := c.writeKubeconfig(adapterPrefix+one.name+".kubeconfig", adapterPrefix+one.name)
	if err != nil {
		return err
	}
	c.environment = []string{"KUBECONFIG=" + config}
	defer func() { c.environment = nil }()
	return one.start(c, one)
}

// permit binds the first ClusterRole of a file to the user of an adapter.
func (c *cluster) permit(one *adapterRun, file string) error {
	documents, err := readDocuments(file)
	if err != nil {
		return err
	}
	at := slices.IndexFunc(documents, func(d document) bool { return kindOf(d) == "ClusterRole" })
	if at < 0 {
		return fmt.Errorf("%s has no ClusterRole", file)
	}
	role := documents[at]
	name := adapterPrefix + one.name + "-" + nameOf(role)
	role["metadata"] = document{"name": name}
	if _, err := c.client.create(role); err != nil {
		return err
	}
	const group = "rbac.authorization.k8s.io"
	_, err = c.client.create(document{"apiVersion": group + "/v1", "kind": "ClusterRoleBinding",
		"metadata": document{"name": name},
		"roleRef":  document{"apiGroup": group, "kind": "ClusterRole", "name": name},
		"subjects": []any{document{"apiGroup": group, "kind": "User",
			"name": adapterPrefix + one.name}}})
	return err
}

// startWithHooks starts a manager that serves webhooks and reads a configuration.
func (c *cluster) startWithHooks(one *adapterRun, config string, arguments ...string) error {
	ports, err := freePorts(2)
	if err != nil {
		return err
	}
	path, err := c.writeFile(adapterPrefix+one.name+".yaml",
		fmt.Sprintf(config, ports[0], ports[1], c.hooksFolder()))
	if err != nil {
		return err
	}
	return c.serveHooks(one, ports[0], append(arguments, "-config="+path)...)
}

func (c *cluster) serveHooks(one *adapterRun, port int, arguments ...string) error {
	started, err := c.run(adapterPrefix+one.name, one.binary, arguments...)
	if err != nil {
		return err
	}
	if err := started.waitFor(time.Minute, func() bool { return isListening(port) }); err != nil {
		return err
	}
	return c.applyWebhooks(filepath.Join(one.manifests, one.name, "webhook"), one.name+"-", port)
}

func startTrainingAdapter(c *cluster, one *adapterRun) error {
	ports, err := freePorts(1)
	if err != nil {
		return err
	}
	arguments := []string{"-policy=" + one.policy, "-metrics-bind-address=0",
		"-health-probe-bind-address=0", fmt.Sprintf("-webhook-server-port=%d", ports[0]),
		"-kube-api-qps=500", "-kube-api-burst=1000"}
	for _, kind := range one.kinds { // without MPIJob: that of mpi-operator has the same name
		arguments = append(arguments, "-enable-scheme="+kind)
	}
	return c.serveHooks(one, ports[0], arguments...)
}

func startRayAdapter(c *cluster, one *adapterRun) error {
	if err := c.imitateRay(); err != nil {
		return err
	}
	_, err := c.run(adapterPrefix+one.name, one.binary, "-policy="+one.policy, "-metrics-addr=0",
		"-health-probe-bind-address=0")
	return err
}

// startMPIAdapter starts a program for each scheduler, since each makes gangs for one.
func startMPIAdapter(c *cluster, one *adapterRun) error {
	for _, backend := range []backend{coschedulingBackend, volcanoBackend} {
		if !c.client.serves(backend.kinds[0][0], "PodGroup") {
			continue // not of this run
		}
		_, err := c.run(adapterPrefix+one.name+"-"+backend.name, one.binary,
			one.namespace(backend), backend.scheduler)
		if err != nil {
			return err
		}
	}
	return nil
}

func startSparkAdapter(c *cluster, one *adapterRun) error {
	hooks, err := sparkRecipe().build()
	if err != nil {
		return err
	}
	return c.startSparkFrom(one.binary, hooks,
		"--enable-batch-scheduler", "--default-batch-scheduler=libgang",
		"--gang-policy="+one.policy)
}

func adaptersNamespace(one backend) string { return "adapters-" + one.name }

// adapterRows are the rows of gangRows for the adapters of some of these kinds.
func adapterRows(chosen []gangRow) (rows []gangRow, needed []adapter) {
	for _, one := range adapters {
		uses := false
		for _, row := range chosen {
			if row.title == "" && slices.Contains(one.kinds, row.kind) {
				row.by, row.needs, uses = one.title, one.needs, true
				rows = append(rows, row)
			}
		}
		if uses {
			needed = append(needed, one)
		}
	}
	return rows, needed
}

// adaptCells knows what differs from gang-operator: mpi-operator has two schedulers, and with
// Volcano the driver of a SparkApplication has a group of its own.
func (l *gangLab) adaptCells() {
	l.cells = slices.DeleteFunc(l.cells, func(cell *gangCell) bool {
		return cell.kind == "MPIJob" && cell.team.backend.name == "workload"
	})
	for _, cell := range l.cells {
		if cell.kind == "SparkApplication" && cell.team.backend.name == "volcano" {
			row := *cell.gangRow
			row.gangs, row.pods, row.outside, row.alone = []int{1, 3}, 4, 0, 1
			cell.gangRow = &row
		}
	}
}

// runAdapters plays the phases of the part operator with the adapters in place of gang-operator.
func runAdapters(s *session) (bool, error) {
	chosen, backends, err := s.chosen()
	if err != nil {
		return false, err
	}
	backends = slices.DeleteFunc(backends, func(one backend) bool {
		return !slices.ContainsFunc(backendsOf(s.minor), func(known backend) bool {
			return known.name == one.name
		})
	})
	rows, needed := adapterRows(chosen)
	policies := map[string]*teamPolicy{}
	for _, one := range backends {
		policies[adaptersNamespace(one)] = &teamPolicy{backend: one.name}
	}
	policy, err := s.gangctl.write("adapters-policy.yaml", (&operator{policies: policies}).policy())
	if err != nil {
		return false, err
	}
	runs, err := s.buildAdapters(needed, policy)
	if err != nil {
		return false, err
	}
	c, err := s.startWith(s.gangServers(rows, backends)...)
	if err != nil {
		return false, err
	}
	defer c.stop()
	l := &gangLab{session: s, cluster: c, rows: rows, silent: true}
	if err := l.addCells(rows, backends, adaptersNamespace); err != nil {
		return false, err
	}
	for _, one := range runs {
		if err := s.startAdapter(c, one); err != nil {
			return false, err
		}
	}
	l.adaptCells()
	if err := c.allRun(); err != nil {
		return false, err
	}
	l.play()
	l.print("")
	if err := c.allRun(); err != nil || s.only != "" {
		return l.passed(), err
	}
	c.stop()
	bugs, right, err := s.playBugs(runs)
	if err != nil {
		return false, err
	}
	say("%s", bugs)
	return l.passed() && right, writeResults(filepath.Join(s.root, "doc", "adapters.md"), "jobs",
		"./dev cluster "+s.minor+" adapters", s.minor, l.text("")+bugs)
}
