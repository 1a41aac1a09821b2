// SPDX-License-Identifier: Apache-2.0

package main

import (
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"sigs.k8s.io/yaml"
)

// An installation follows an administrator: the operator in the mode Report, a policy, the first
// gang, an upgrade, and the removal. The operator runs beside the servers with the configuration,
// the permissions, the webhooks and the certificate that the chart gives it; a slice of endpoints
// says where its Service is.
type installation struct {
	cluster  *cluster
	program  string // of the administrator
	folder   string // of the operator
	begin    time.Time
	binary   string
	host     string // an address that a Service may have
	port     int
	health   int
	operator *process
	starts   int
	problems []string
}

const installedIn = "libgang-system"

const (
	firstPolicy = `{apiVersion: policy.libgang.dev/v1alpha1, kind: GangPolicy,
metadata: {name: gang-policy},
spec: {backends: [{name: coscheduling, type: Coscheduling}], defaultBackend: coscheduling}}`
	wrongPolicy = `{apiVersion: policy.libgang.dev/v1alpha1, kind: GangPolicy,
metadata: {name: gang-policy}, spec: {backends: [{name: coscheduling, type: Coscheduling}],
defaultBakend: coscheduling, defaults: {membres: All}}}`
	gangJob = `{apiVersion: batch/v1, kind: Job, metadata: {name: NAME, namespace: ml},
spec: {completionMode: Indexed, completions: 3, parallelism: 3, template: {spec: {restartPolicy: Never,
containers: [{name: main, image: none, command: [sleep, infinity]}]}}}}`
)

// What the chart is validated with, by the API server itself and strictly.
var chartValues = [][]string{{}, {"mode=Enforce", "namespaceSelector=gangs=on", "replicas=3"},
	{"kinds={TrainJob,RayJob}", "backends={volcano,workload}"}, {"certificates.source=Secret"},
	{"metrics.dashboard=true", "policy.spec.defaultBackend=volcano", "podLabels.team=ml"}}

var helmSteps = []func(*installation) error{(*installation).validate, (*installation).install,
	(*installation).givePolicy, (*installation).report, (*installation).enforce,
	(*installation).upgrade, (*installation).uninstall, (*installation).deleteNamespace}

// The programs with which an administrator installs the operator, each on a cluster of its own.
var installers = []struct {
	program string
	steps   []func(*installation) error
}{
	{"helm3", helmSteps}, {"helm4", helmSteps},
	{"kustomize", []func(*installation) error{(*installation).applyManifests,
		(*installation).givePolicy, (*installation).report, (*installation).removeManifests}},
}

func runInstall(s *session) (bool, error) {
	passed, played := true, false
	for _, one := range installers {
		if !s.plays(one.program) {
			continue
		}
		played = true
		say("%s", one.program)
		ok, err := s.playInstallation(one.program, one.steps)
		if err != nil {
			return false, fmt.Errorf("%s: %w", one.program, err)
		}
		passed = passed && ok
	}
	if !played {
		return false, fmt.Errorf("-only: %q is none of helm3, helm4 and kustomize", s.only)
	}
	return passed, nil
}

func (s *session) playInstallation(program string, steps []func(*installation) error) (bool, error) {
	folder, err := coschedulingRecipe().build()
	if err != nil {
		return false, err
	}
	c, err := s.startWith(func(c *cluster) error { return c.startCoscheduling(folder) },
		(*cluster).startControllers, (*cluster).startScheduler)
	if err != nil {
		return false, err
	}
	defer c.stop()
	// Webhooks find the endpoints of their Service, as in a cluster with kube-proxy.
	c.arguments = append(c.arguments, "--enable-aggregator-routing=true")
	if err := c.restartServer(0); err != nil {
		return false, err
	}
	i := &installation{cluster: c, program: filepath.Join(s.root, "build/pipes/bin", program),
		folder: filepath.Join(s.root, "operator"), binary: filepath.Join(c.folder, "operator")}
	if _, err := os.Stat(i.program); err != nil {
		return false, fmt.Errorf("%w; ./dev pipes builds it", err)
	}
	if err := i.prepare(); err != nil {
		return false, err
	}
	for _, step := range steps {
		if err := step(i); err != nil {
			return false, err
		}
	}
	for _, problem := range i.problems {
		say("FAILED: %s", problem)
	}
	say("the installation: %d problems", len(i.problems))
	return len(i.problems) == 0, nil
}

func (i *installation) expect(ok bool, format string, values ...any) {
	if !ok {
		i.problems = append(i.problems, fmt.Sprintf(format, values...))
	}
}

func (i *installation) prepare() error {
	addresses, err := net.InterfaceAddrs()
	if err != nil {
		return err
	}
	for _, one := range addresses {
		if network, ok := one.(*net.IPNet); ok && network.IP.To4() != nil && !network.IP.IsLoopback() {
			i.host = network.IP.String()
		}
	}
	if i.host == "" {
		return errors.New("this machine has no address that a Service may have")
	}
	ports, err := freePorts(2)
	if err != nil {
		return err
	}
	i.port, i.health = ports[0], ports[1]
	command := []string{"build", "-mod=readonly", "-trimpath", "-o", i.binary, "."}
	if _, err := runGo(i.folder, command...); err != nil {
		return err
	}
	for _, name := range []string{"ml", installedIn} {
		made := fmt.Sprintf(`{apiVersion: v1, kind: Namespace, metadata: {name: %s}}`, name)
		if err := i.make(made); err != nil {
			return err
		}
	}
	return i.cluster.addNode("node", "install", 8)
}

func (i *installation) make(text string) error {
	object := document{}
	if err := yaml.Unmarshal([]byte(text), &object); err != nil {
		return err
	}
	_, err := i.cluster.client.create(object)
	return err
}

// within waits for something that others do.
func (i *installation) within(limit time.Duration, what string, done func() bool) {
	for start := time.Now(); !done(); time.Sleep(200 * time.Millisecond) {
		if time.Since(start) > limit {
			i.expect(false, "%s: not within %s", what, limit)
			return
		}
	}
}

func (i *installation) run(arguments ...string) (string, error) {
	command := exec.Command(i.program, arguments...)
	command.Env = append(os.Environ(), "KUBECONFIG="+i.cluster.kubeconfig, "HOME="+i.cluster.folder)
	output, err := command.CombinedOutput()
	if err != nil {
		err = fmt.Errorf("%s %s: %w\n%s", filepath.Base(i.program), arguments[0], err, output)
	}
	return string(output), err
}

// chart is given to helm.
func (i *installation) chart() string { return filepath.Join(i.folder, "chart") }

func sets(values []string) (arguments []string) {
	for _, value := range values {
		arguments = append(arguments, "--set", value)
	}
	return arguments
}

// validate sends everything that the chart renders to the server, with strict field validation.
func (i *installation) validate() error {
	count := 0
	for _, values := range chartValues {
		text, err := i.run(append([]string{"template", "libgang-operator", i.chart(), "-n", installedIn,
			"--kube-version", "1.36.0"}, sets(values)...)...)
		if err != nil {
			return err
		}
		file, err := i.cluster.writeFile("chart.yaml", text)
		if err != nil {
			return err
		}
		documents, err := readDocuments(file)
		if err != nil {
			return err
		}
		for _, one := range documents {
			_, err := i.cluster.client.createWith(one, "&dryRun=All")
			i.expect(err == nil, "%v: %s %s: %v", values, kindOf(one), nameOf(one), err)
			count++
		}
	}
	say("the server takes the %d objects that the chart renders with %d sets of values", count,
		len(chartValues))
	return nil
}

// install runs the command of the documentation, and then what the Deployment would run.
func (i *installation) install() error {
	i.begin = time.Now()
	if err := i.runInstall(); err != nil {
		return err
	}
	say("step 1: helm install")
	return i.serve()
}

// serve tells where the Service of the operator is, and starts the operator.
func (i *installation) serve() error {
	slice := fmt.Sprintf(`{apiVersion: discovery.k8s.io/v1, kind: EndpointSlice, metadata: {name: operator,
namespace: %s, labels: {kubernetes.io/service-name: libgang-operator}}, addressType: IPv4,
endpoints: [{addresses: [%s], conditions: {ready: true}}], ports: [{name: "", port: %d}]}`,
		installedIn, i.host, i.port)
	if err := i.make(slice); err != nil {
		return err
	}
	return i.startOperator()
}

// manifests are what kustomize makes of the folder. The pods of the Deployment find no node.
func (i *installation) manifests() ([]document, error) {
	text, err := i.run("build", filepath.Join(i.folder, "manifests"))
	if err != nil {
		return nil, err
	}
	file, err := i.cluster.writeFile("manifests.yaml", text)
	if err != nil {
		return nil, err
	}
	documents, err := readDocuments(file)
	for _, one := range documents {
		if kindOf(one) == "Deployment" {
			set(one, "such", "spec", "template", "spec", "nodeSelector", "none")
		}
	}
	return documents, err
}

// applyManifests sends them as kubectl apply -k does, with strict field validation.
func (i *installation) applyManifests() error {
	i.begin = time.Now()
	documents, err := i.manifests()
	if err != nil {
		return err
	}
	for _, one := range documents {
		err := within(20*time.Second, kindOf(one)+" "+nameOf(one), func() bool {
			_, last := i.cluster.client.create(one)
			return last == nil || isStatus(last, 409) && kindOf(one) == "Namespace"
		})
		if err != nil {
			return err
		}
	}
	say("step 1: the %d objects that kustomize makes are created", len(documents))
	return i.serve()
}

// removeManifests deletes them as kubectl delete -k does.
func (i *installation) removeManifests() error {
	documents, err := i.manifests()
	if err != nil {
		return err
	}
	for _, one := range documents {
		if err := i.cluster.client.remove(one); err != nil {
			return err
		}
	}
	i.operator.stop()
	i.within(time.Minute, "all objects go", func() bool {
		return !slices.ContainsFunc(documents, func(one document) bool {
			_, err := i.cluster.client.get(text(one, "apiVersion"), kindOf(one), namespaceOf(one),
				nameOf(one))
			return err == nil
		})
	})
	err = i.submit("after")
	i.expect(err == nil, "a new job after the removal: %v", err)
	i.within(20*time.Second, "the job runs without the operator", func() bool {
		return i.running("after") == 3
	})
	say("step 4: nothing of the %d objects is left, and new jobs run", len(documents))
	return nil
}

// runInstall keeps the pods of the Deployment from the node: they would be endpoints without a program.
func (i *installation) runInstall(values ...string) error {
	_, err := i.run(append([]string{"install", "libgang-operator", i.chart(), "-n", installedIn},
		sets(append(values, "nodeSelector.none=such"))...)...)
	return err
}

// startOperator starts the operator with the configuration of the cluster, as its Deployment does
// when the configuration has changed.
func (i *installation) startOperator() error {
	if i.operator != nil {
		i.operator.stop()
	}
	config, err := i.cluster.client.get("v1", "ConfigMap", installedIn, "libgang-operator")
	if err != nil {
		return err
	}
	file, err := i.cluster.writeFile("operator.yaml", text(config, "data", "config.yaml"))
	if err != nil {
		return err
	}
	kubeconfig, err := i.cluster.writeKubeconfig("operator.kubeconfig", operatorToken)
	if err != nil {
		return err
	}
	i.starts++
	i.operator, err = i.cluster.run(fmt.Sprintf("operator-%d", i.starts), i.binary, "--config="+file,
		"--kubeconfig="+kubeconfig, fmt.Sprintf("--webhook-port=%d", i.port), "--metrics=0",
		"--health="+loopback(i.health))
	if err != nil {
		return err
	}
	ready := &client{address: "http://" + loopback(i.health), http: i.cluster.client.http}
	return i.operator.waitFor(time.Minute, func() bool {
		_, err := ready.raw(time.Second, "GET", "/readyz", "", nil)
		return err == nil
	})
}

// givePolicy writes a policy with two mistakes, and then without.
func (i *installation) givePolicy() error {
	i.within(10*time.Second, "the certificate is trusted", func() bool {
		err := i.make(wrongPolicy)
		return err != nil && strings.Contains(err.Error(), "denied the request")
	})
	err := i.make(wrongPolicy)
	for _, word := range []string{"spec.defaultBakend", "spec.defaults.membres", `did you mean "members"?`} {
		i.expect(err != nil && strings.Contains(err.Error(), word), "the refusal lacks %s: %v", word, err)
	}
	if err := i.make(firstPolicy); err != nil {
		return err
	}
	i.within(10*time.Second, "the policy is in force", func() bool {
		policy, err := i.cluster.client.get("policy.libgang.dev/v1alpha1", "GangPolicy", "", "gang-policy")
		for _, one := range list(at(policy, "status", "conditions")) {
			if text(one, "type") == "InForce" && text(one, "status") == "True" {
				return err == nil && text(policy, "status", "stamp") != ""
			}
		}
		return false
	})
	say("step 2: a policy; one with two mistakes is refused with both")
	return nil
}

func (i *installation) submit(name string) error {
	return i.make(strings.ReplaceAll(gangJob, "NAME", name))
}

func (i *installation) marks(name string) string {
	job, _ := i.cluster.client.get("batch/v1", "Job", "ml", name)
	return text(job, "metadata", "annotations", "policy.libgang.dev/marks")
}

func (i *installation) groups() (names []string) {
	groups, _ := i.cluster.client.items("scheduling.x-k8s.io/v1alpha1", "PodGroup", "ml")
	for _, one := range groups {
		names = append(names, nameOf(one)+" "+text(one, "metadata", "resourceVersion"))
	}
	return names
}

func (i *installation) events(reason, job string) int {
	count := 0
	found, _ := i.cluster.client.items("events.k8s.io/v1", "Event", "ml")
	for _, one := range found {
		if text(one, "reason") == reason && text(one, "regarding", "name") == job {
			count++
		}
	}
	return count
}

// report: a job runs as before, and an event says what would change.
func (i *installation) report() error {
	if err := i.submit("before"); err != nil {
		return err
	}
	i.within(20*time.Second, "the event GangPlanned", func() bool {
		return i.events("GangPlanned", "before") > 0
	})
	i.expect(i.marks("before") == "" && !i.isGang("before"), "a job is marked in the mode Report")
	say("step 3: what would change is told, and nothing is marked")
	return nil
}

func (i *installation) isGang(name string) bool {
	pods, _ := i.cluster.client.items("v1", "Pod", "ml")
	for _, pod := range pods {
		group := text(pod, "metadata", "labels", "scheduling.x-k8s.io/pod-group")
		if strings.HasPrefix(nameOf(pod), name+"-") && group != "" {
			return true
		}
	}
	return false
}

// enforce labels a namespace and upgrades the release. What the operator wrote into the webhook
// configuration outlives the upgrade.
func (i *installation) enforce() error {
	_, err := i.cluster.client.merge("v1", "Namespace", "", "ml", "",
		document{"metadata": document{"labels": document{"gangs": "on"}}})
	if err != nil {
		return err
	}
	before := i.trust()
	if _, err := i.run("upgrade", "libgang-operator", i.chart(), "-n", installedIn, "--reuse-values",
		"--set", "mode=Enforce", "--set", "namespaceSelector=gangs=on"); err != nil {
		return err
	}
	i.expect(before != "" && i.trust() == before, "the upgrade took the caBundle away")
	if err := i.startOperator(); err != nil {
		return err
	}
	if err := i.submit("first"); err != nil {
		return err
	}
	i.within(20*time.Second, "the first gang runs", func() bool {
		return i.marks("first") != "" && i.isGang("first") && len(i.groups()) == 1 &&
			i.running("first") == 3
	})
	say("step 4: the first gang runs, in the namespace with the label, %.0f s after helm install",
		time.Since(i.begin).Seconds())
	return nil
}

func (i *installation) running(name string) (count int) {
	pods, _ := i.cluster.client.items("v1", "Pod", "ml")
	for _, pod := range pods {
		if strings.HasPrefix(nameOf(pod), name+"-") && text(pod, "spec", "nodeName") != "" {
			count++
		}
	}
	return count
}

func (i *installation) hooks() (found []document) {
	for _, one := range [][2]string{{"MutatingWebhookConfiguration", "zz-libgang-operator"},
		{"ValidatingWebhookConfiguration", "libgang-operator"}} {
		hooks, err := i.cluster.client.get("admissionregistration.k8s.io/v1", one[0], "", one[1])
		if err == nil {
			found = append(found, hooks)
		}
	}
	return found
}

func (i *installation) trust() string {
	for _, one := range i.hooks() {
		return text(list(one["webhooks"])[0], "clientConfig", "caBundle")
	}
	return ""
}

// upgrade installs another release. Jobs that run are left alone.
func (i *installation) upgrade() error {
	time.Sleep(5 * time.Second) // the scheduler writes the status
	before := i.groups()
	if _, err := i.run("upgrade", "libgang-operator", i.chart(), "-n", installedIn, "--reuse-values",
		"--set", "replicas=3"); err != nil {
		return err
	}
	if err := i.startOperator(); err != nil {
		return err
	}
	time.Sleep(10 * time.Second)
	i.expect(fmt.Sprint(before) == fmt.Sprint(i.groups()), "the upgrade wrote: %v, %v", before,
		i.groups())
	say("step 5: an upgrade writes nothing for the gang that runs")
	return nil
}

// uninstall removes the release: what runs is left alone, new jobs are created, policies stay.
func (i *installation) uninstall() error {
	before := i.groups()
	if _, err := i.run("uninstall", "libgang-operator", "-n", installedIn); err != nil {
		return err
	}
	i.operator.stop()
	i.expect(len(i.hooks()) == 0, "webhook configurations stay")
	err := i.submit("without")
	i.expect(err == nil, "a new job after the removal: %v", err)
	i.within(20*time.Second, "the job runs without the operator", func() bool {
		return i.running("without") == 3
	})
	i.expect(fmt.Sprint(before) == fmt.Sprint(i.groups()) && i.isGang("first"),
		"the gang that runs was changed")
	_, err = i.cluster.client.get("policy.libgang.dev/v1alpha1", "GangPolicy", "", "gang-policy")
	i.expect(err == nil, "the policy is gone: %v", err)
	say("step 6: helm uninstall; the gang runs on, and new jobs are created")
	return nil
}

// deleteNamespace installs again and deletes the namespace of the operator, without helm.
func (i *installation) deleteNamespace() error {
	if err := i.runInstall("mode=Enforce"); err != nil {
		return err
	}
	if err := i.startOperator(); err != nil {
		return err
	}
	i.within(10*time.Second, "the namespace owns the webhooks", func() bool {
		for _, one := range i.hooks() {
			if len(list(at(one, "metadata", "ownerReferences"))) != 1 {
				return false
			}
		}
		return true
	})
	err := i.cluster.client.remove(document{"apiVersion": "v1", "kind": "Namespace",
		"metadata": document{"name": installedIn}})
	if err != nil {
		return err
	}
	i.operator.stop()
	i.within(2*time.Minute, "the webhooks go with the namespace", func() bool {
		return len(i.hooks()) == 0
	})
	err = i.submit("after")
	i.expect(err == nil, "a new job after the namespace is deleted: %v", err)
	say("step 7: the namespace is deleted; nothing is left that refuses jobs")
	return nil
}
