// SPDX-License-Identifier: Apache-2.0

package main

import (
	"cmp"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"
)

// An operator is operator, which makes the gangs beside an unmodified Kubeflow Trainer. It
// has the permissions of its manifests and no others.
type operator struct {
	cluster   *cluster
	binary    string
	manifests string
	arguments []string
	port      int
	metrics   string // an address, as the next
	health    string
	process   *process
	starts    int
	lock      sync.Mutex
	policies  map[string]*teamPolicy // by namespace
}

// A teamPolicy is the part of the GangPolicy for one namespace.
type teamPolicy struct {
	backend, other string // the names of the one to use, and of another one
	maxMembers     int    // 0: any number
}

// The objects of the manifests, and what the binary reads.
const (
	operatorNamespace = "libgang-system"
	operatorPolicy    = "gang-policy"
	operatorUser      = "system:serviceaccount:libgang-system:libgang-operator"
	operatorToken     = "operator"
	gangHooks         = "zz-libgang-operator"
)

// startGangOperator builds the operator, applies its manifests and starts it. The teams' policies
// must be known.
func (s *session) startGangOperator(c *cluster,
	policies map[string]*teamPolicy) (*operator, error) {
	o := &operator{cluster: c, policies: policies,
		manifests: filepath.Join(s.root, "operator/manifests")}
	if err := o.build(s.root); err != nil {
		return nil, err
	}
	// The Deployment is only checked: the binary runs beside the servers.
	for _, one := range [][2]string{
		{"namespace.yaml", ""}, {"rbac.yaml", ""}, {"deployment.yaml", "&dryRun=All"}} {
		if err := o.applyManifest(one[0], one[1]); err != nil {
			return nil, err
		}
	}
	if err := c.applyDefinitions(filepath.Join(s.root, "operator/chart/files")); err != nil {
		return nil, err
	}
	if err := o.createPolicy(); err != nil {
		return nil, err
	}
	ports, err := freePorts(3)
	if err != nil {
		return nil, err
	}
	o.port, o.metrics, o.health = ports[0], loopback(ports[1]), loopback(ports[2])
	config, err := c.writeKubeconfig("operator.kubeconfig", operatorToken)
	if err != nil {
		return nil, err
	}
	o.arguments = []string{"--kubeconfig=" + config, "--certificates=" + c.folder,
		"--webhook-host=127.0.0.1", "--mode=Enforce",
		"--wake-interval=" + cmp.Or(s.wakeInterval, "4s")}
	if err := o.start(); err != nil {
		return nil, err
	}
	return o, c.applyWebhookFile(filepath.Join(o.manifests, "webhook.yaml"), "", o.port)
}

// build puts the binary where those of the recipes are. Go's cache makes later builds short.
func (o *operator) build(root string) error {
	cache, err := os.UserCacheDir()
	if err != nil {
		return err
	}
	o.binary = filepath.Join(cache, "libgang", "cluster", "operator")
	fresh := fmt.Sprintf("%s.%d", o.binary, os.Getpid())
	start := time.Now()
	command := []string{"build", "-mod=readonly", "-trimpath", "-o", fresh, "."}
	if _, err := runGo(filepath.Join(root, "operator"), command...); err != nil {
		return err
	}
	say("built the operator in %.0f s", time.Since(start).Seconds())
	return os.Rename(fresh, o.binary)
}

func (o *operator) applyManifest(file, query string) error {
	documents, err := readDocuments(filepath.Join(o.manifests, file))
	if err != nil {
		return err
	}
	for _, one := range documents {
		if _, err := o.cluster.client.createWith(one, query); err != nil {
			return fmt.Errorf("%s: %s: %w", file, nameOf(one), err)
		}
	}
	return nil
}

// preStop is how long a replica serves after its end was decided, by its Deployment.
func (o *operator) preStop() (time.Duration, error) {
	documents, err := readDocuments(filepath.Join(o.manifests, "deployment.yaml"))
	for _, one := range documents {
		for _, container := range list(at(one, "spec", "template", "spec", "containers")) {
			seconds := number(container, "lifecycle", "preStop", "sleep", "seconds")
			return time.Duration(seconds) * time.Second, err
		}
	}
	return 0, err
}

// replica starts one of several, which serves the webhook at another port.
func (o *operator) replica(port int) (*process, error) {
	ports, err := freePorts(1)
	if err != nil {
		return nil, err
	}
	return o.run(port, "0", loopback(ports[0]))
}

// start must be called from the main goroutine, as every start of a process.
func (o *operator) start() (err error) {
	o.process, err = o.run(o.port, o.metrics, o.health)
	return err
}

// run starts the operator and waits until it is ready. Each start has a log and addresses of its own.
func (o *operator) run(port int, metrics, health string) (*process, error) {
	o.starts++
	started, err := o.cluster.run(fmt.Sprintf("operator-%d", o.starts), o.binary,
		slices.Concat(o.arguments, []string{fmt.Sprintf("--webhook-port=%d", port),
			"--metrics=" + metrics, "--health=" + health})...)
	if err != nil {
		return nil, err
	}
	return started, started.waitFor(time.Minute, func() bool {
		response, err := http.Get("http://" + health + "/readyz")
		if err != nil {
			return false
		}
		defer response.Body.Close()
		return response.StatusCode == http.StatusOK
	})
}

// policy is one for all teams: a rule and perhaps a constraint for each namespace.
func (o *operator) policy() document {
	rules, constraints := []any{}, []any{}
	for _, namespace := range sortedKeys(o.policies) {
		own := o.policies[namespace]
		match := document{"namespaces": []any{namespace}}
		rules = append(rules, document{"name": namespace, "match": match, "backend": own.backend})
		if own.maxMembers > 0 {
			constraints = append(constraints, document{"name": namespace, "match": match,
				"maxMembers": float64(own.maxMembers)})
		}
	}
	used := map[string]document{}
	for _, own := range o.policies {
		for _, name := range []string{own.backend, own.other} {
			if name != "" {
				used[name] = copyOf(backendTypes[name])
			}
		}
	}
	backends := []any{}
	for _, name := range sortedKeys(used) {
		used[name]["name"] = name
		backends = append(backends, used[name])
	}
	return document{"apiVersion": policyVersion, "kind": "GangPolicy",
		"metadata": document{"name": operatorPolicy},
		"spec":     document{"backends": backends, "rules": rules, "constraints": constraints}}
}

const policyVersion = "policy.libgang.dev/v1alpha1"

func (o *operator) createPolicy() error {
	_, err := o.cluster.client.create(o.policy())
	return err
}

// change writes another policy for a team and waits until the operator must have read it.
func (o *operator) change(t *team, how func(*teamPolicy)) (restore func(), err error) {
	before, err := o.write(t, how)
	restore = func() {
		_, err := o.write(t, func(own *teamPolicy) { *own = before })
		if err != nil {
			say("%s: the policy was not restored: %v", t.namespace, err)
		}
	}
	return restore, err
}

func (o *operator) write(t *team, how func(*teamPolicy)) (before teamPolicy, err error) {
	o.lock.Lock()
	defer o.lock.Unlock()
	before = *o.policies[t.namespace]
	how(o.policies[t.namespace])
	_, err = o.cluster.client.merge(policyVersion, "GangPolicy", "", operatorPolicy, "", o.policy())
	time.Sleep(time.Second)
	return before, err
}

// conflict is what the condition of a job says if its gang cannot be reconciled.
func (o *operator) conflict(t *team, name string) string {
	status, message := t.gangReady(name)
	if status == "False" && strings.Contains(message, "GANG864") {
		return "condition GangReady: GANG864"
	}
	return ""
}

// gangReady is the status of the operator's condition, and its reason and message.
func (t *team) gangReady(name string) (status, message string) {
	job, err := t.trainjob(name)
	if err != nil {
		return "", ""
	}
	for _, one := range list(at(job, "status", "conditions")) {
		if text(one, "type") == "GangReady" {
			return text(one, "status"), text(one, "reason") + ": " + text(one, "message")
		}
	}
	return "", ""
}

// runOperator fills the table of the operator.
func runOperator(s *session) (bool, error) {
	if s.only != "" {
		return true, nil
	}
	c, err := s.startWorld(startTrainer)
	if err != nil {
		return false, err
	}
	defer c.stop()
	policies := map[string]*teamPolicy{}
	backends := backendsOf(s.minor)
	for i, one := range backends {
		policies["operator-"+one.name] = &teamPolicy{backend: one.name,
			other: backends[(i+1)%len(backends)].name}
	}
	o, err := s.startGangOperator(c, policies)
	if err != nil {
		return false, err
	}
	teams, err := s.newTeams(c, "operator", func(t *team, _ int) error {
		t.operator = o
		return nil
	})
	if err != nil {
		return false, err
	}
	table := newTable(s.minor, ofOperator)
	if err := playTable(teams, table); err != nil {
		return false, err
	}
	ours := notUpstream(teams)
	if err := removeBigNodes(c, ours); err != nil {
		return false, err
	}
	if err := together(ours, func(t *team) error {
		seen, err := t.playScenarios(table.scenarios)
		table.addScenarios(t, seen)
		return err
	}); err != nil {
		return false, err
	}
	if err := o.restart(ours, table); err != nil {
		return false, err
	}
	if err := together(ours, func(t *team) error { return t.watchEnded(table) }); err != nil {
		return false, err
	}
	table.print()
	if err := table.write(filepath.Join(s.root, "doc", "backends.md")); err != nil {
		return false, err
	}
	return table.passed(), nil
}

// watchEnded looks for a minute at the jobs of the table, which have ended: nothing of them may
// change any more.
func (t *team) watchEnded(table *table) error {
	before, err := t.versions()
	if err != nil {
		return err
	}
	time.Sleep(time.Minute)
	after, err := t.versions()
	var writes []string
	for _, what := range sortedKeys(after) {
		if before[what] != after[what] {
			writes = append(writes, what)
		}
	}
	table.addWrites(t, writes)
	return err
}

// versions are the resourceVersions of the jobs of the table and of their groups.
func (t *team) versions() (map[string]string, error) {
	live, err := t.live()
	found := map[string]string{}
	for _, one := range tableJobs {
		for _, object := range t.belongingTo(live, one.name) {
			if kind := kindOf(object); kind == "TrainJob" || kind == "PodGroup" || kind == "Workload" {
				what := "Update " + kind + " " + nameOf(object)
				found[what] = text(object, "metadata", "resourceVersion")
			}
		}
	}
	return found, err
}

// restart kills the operator while a job runs its initializers, creates another job meanwhile, and
// starts the operator again.
func (o *operator) restart(teams []*team, table *table) error {
	table.scenarios = append(table.scenarios, scenario{name: "the operator is killed while " +
		"initializers run: a new job has no JobSet until it is back, then both complete"})
	for _, t := range teams {
		err := t.submit(job{name: "before", runtime: "torchtune-llama3.2-1b", nodes: 1, gpus: 1})
		if err == nil {
			err = t.created("before", 1)
		}
		if err != nil {
			return err
		}
	}
	o.process.stop()
	for _, t := range teams {
		err := t.submit(job{name: "meanwhile", runtime: "torch-distributed", nodes: 3, gpus: 1})
		if err != nil {
			return err
		}
	}
	time.Sleep(quiet)
	admitted := map[string]bool{}
	for _, t := range teams {
		_, err := t.cluster.client.get("jobset.x-k8s.io/v1alpha2", "JobSet", t.namespace, "meanwhile")
		admitted[t.namespace] = err == nil
	}
	if err := o.start(); err != nil {
		return err
	}
	return together(teams, func(t *team) error {
		ok, err := t.until(time.Minute, func() bool {
			return t.isComplete("before") && t.isComplete("meanwhile")
		})
		table.addScenarios(t, append(table.seen[t.namespace], answer(ok && !admitted[t.namespace],
			"JobSet without the operator: %v, complete: %v", admitted[t.namespace], ok)))
		return err
	})
}
