// SPDX-License-Identifier: Apache-2.0

package main

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"net"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"time"
)

// A faultLab is a namespace with the operator in two replicas, whose world breaks in one
// way after the other. All the while a watcher follows all jobs.
type faultLab struct {
	*team
	replicas []*process
	ports    []int
	problem  error // what went wrong in a fault; the steps after it do no harm
	watcher  *watcher
	lock     sync.Mutex
	lies     map[string]bool // jobs that were called gangs and were none
	// endpoints are the ports of the replicas to which connections go in turn. None: the first
	// replica that answers.
	endpoints []int
	passed    int
}

// Faults are played one after the other by the main goroutine, which starts processes. Each returns
// what was seen.
var faults = []struct {
	name string
	run  func(*faultLab) string
}{
	// The other replica tries to lead every 2 s, with a jitter of 20 %, and a lease ends after 15 s.
	{"the leader of two replicas ends gracefully", func(l *faultLab) string {
		return l.leaderEnds("graceful", syscall.SIGTERM, 6*time.Second)
	}},
	{"the leader of two replicas is killed", func(l *faultLab) string {
		return l.leaderEnds("killed", syscall.SIGKILL, 25*time.Second)
	}},
	{"the objects of a gang are deleted by hand while its pods wait", (*faultLab).objectsDeleted},
	{"all replicas are killed five times while 25 jobs come", (*faultLab).restless},
	{"the API server is away for 3 s", func(l *faultLab) string {
		return l.serverAway("away-shortly", 3*time.Second)
	}},
	{"the API server is away for 25 s", func(l *faultLab) string {
		return l.serverAway("away-long", 25*time.Second)
	}},
	{"the webhook hangs for 15 s", (*faultLab).webhookHangs},
	{"an unrelated aggregated API is dead, and the operator restarts", (*faultLab).deadAPI},
	{"the policy is deleted", (*faultLab).policyDeleted},
	{"the operator restarts without a policy", (*faultLab).restartWithoutPolicy},
	{"all replicas are away while 100 TrainJobs and 10 Jobs come", (*faultLab).burst},
	{"both replicas are replaced one by one while Jobs and TrainJobs come", (*faultLab).rolling},
	{"a namespace is left out by the selector", (*faultLab).optedOut},
	{"200 jobs of 3 pods at once", func(l *faultLab) string { return l.crowd("many", 200, nil) }},
	{"the CRD of JobSet drops the marks", (*faultLab).marksDropped},
}

func runFaults(s *session) (bool, error) {
	c, err := s.startWith((*cluster).startControllers, (*cluster).startScheduler, startTrainer)
	if err != nil {
		return false, err
	}
	defer c.stop()
	l, err := s.newFaultLab(c)
	if err != nil {
		return false, err
	}
	stop := l.watch()
	var text strings.Builder
	fmt.Fprintf(&text, "Kubernetes %s, `%s` of the Workload API:\n\n", kubernetesVersions[s.minor],
		minors[s.minor].workloads[0])
	row(&text, []string{"fault", "what is seen"})
	row(&text, make([]string, 2))
	passed := true
	tell := func(name, seen string) {
		say("%s: %s", name, seen)
		row(&text, []string{name, seen})
		passed = passed && strings.HasPrefix(seen, "yes")
	}
	for _, one := range faults {
		if !strings.Contains(one.name, s.only) {
			continue
		}
		tell(one.name, l.play(one.run))
	}
	stop()
	tell("all jobs that were marked are complete, and each was whole", l.allWhole())
	tell("no job with `GangReady` had unmarked pods, or ran in part", answer(len(l.lies) == 0,
		"%s", cmp.Or(strings.Join(sortedKeys(l.lies), ", "), "none did")))
	if s.only != "" {
		return passed, nil
	}
	return passed, writeResults(filepath.Join(s.root, "doc", "backends.md"), "faults",
		"./dev cluster "+s.minor+" faults", s.minor, text.String())
}

func (l *faultLab) play(fault func(*faultLab) string) string {
	l.problem = nil
	seen := fault(l)
	if l.problem != nil {
		return "no: " + strings.ReplaceAll(l.problem.Error(), "\n", " ")
	}
	return seen
}

func (s *session) newFaultLab(c *cluster) (*faultLab, error) {
	const namespace = "faults"
	one := workloadBackend(minors[s.minor].workloads[0])
	o, err := s.startGangOperator(c, map[string]*teamPolicy{namespace: {backend: one.name}})
	if err != nil {
		return nil, err
	}
	t, err := newTeam(c, s.gangctl, namespace, one)
	if err != nil {
		return nil, err
	}
	t.kinds, t.operator = one.kinds, o
	binaries, err := operatorRecipe().build()
	if err != nil {
		return nil, err
	}
	runtimes, err := shippedRuntimes(binaries)
	if err != nil {
		return nil, err
	}
	l := &faultLab{team: t, replicas: []*process{o.process, o.process}, lies: map[string]bool{}}
	l.end(syscall.SIGTERM, o.process) // two replicas take its place
	l.ports, err = freePorts(2)
	return l, errors.Join(err, l.problem, t.addRuntime(runtimes["torch-distributed"]),
		c.addPoolNode(t.pool, 0, 3), l.balance(), l.startAll())
}

// balance serves the webhook at its address and passes each connection to a replica, as the Service
// of the manifests does.
func (l *faultLab) balance() error {
	listener, err := net.Listen("tcp", loopback(l.operator.port))
	if err != nil {
		return err
	}
	l.cluster.closers = append(l.cluster.closers, func() { _ = listener.Close() })
	go func() {
		for {
			incoming, err := listener.Accept()
			if err != nil {
				return
			}
			go l.pass(incoming)
		}
	}()
	return nil
}

func (l *faultLab) pass(incoming net.Conn) {
	defer func() { _ = incoming.Close() }()
	l.lock.Lock()
	ports := slices.Clone(l.ports)
	if l.passed++; len(l.endpoints) > 0 {
		ports = []int{l.endpoints[l.passed%len(l.endpoints)]}
	}
	l.lock.Unlock()
	for _, port := range ports {
		if outgoing, err := net.DialTimeout("tcp", loopback(port), time.Second); err == nil {
			go func() {
				_, _ = io.Copy(outgoing, incoming)
				_ = outgoing.Close()
			}()
			_, _ = io.Copy(incoming, outgoing)
			return
		}
	}
}

// startAll starts the replicas that do not run, as their Deployment would do. Where none runs, the
// first one leads.
func (l *faultLab) startAll() error {
	for i, port := range l.ports {
		if _, ended := l.replicas[i].hasEnded(); !ended {
			continue
		}
		started, err := l.operator.replica(port)
		if err != nil {
			return err
		}
		l.replicas[i] = started
		err = within(30*time.Second, "a replica leads", func() bool { return l.holder() != "" })
		if err != nil {
			return err
		}
	}
	return nil
}

// end sends a signal to replicas and waits until they have ended.
func (l *faultLab) end(signal syscall.Signal, replicas ...*process) {
	l.signal(signal, replicas...)
	for _, one := range replicas {
		l.note(within(time.Minute, one.name+" ends", func() bool {
			_, ended := one.hasEnded()
			return ended
		}))
	}
}

func (l *faultLab) signal(signal syscall.Signal, replicas ...*process) {
	for _, one := range replicas {
		if _, ended := one.hasEnded(); !ended {
			l.note(one.command.Process.Signal(signal))
		}
	}
}

func (l *faultLab) restart() {
	l.end(syscall.SIGTERM, l.replicas...)
	l.note(l.startAll())
}

func (l *faultLab) note(err error) { l.problem = errors.Join(l.problem, err) }

func (l *faultLab) holder() string {
	lease, _ := l.cluster.client.get("coordination.k8s.io/v1", "Lease", operatorNamespace,
		"libgang-operator")
	return text(lease, "spec", "holderIdentity")
}

// begin submits a job and returns when.
func (l *faultLab) begin(name string, nodes int) time.Time {
	l.note(l.submit(job{name: name, runtime: "torch-distributed", nodes: nodes, gpus: 1}))
	return time.Now()
}

// waits returns the seconds since a time until a condition held.
func (l *faultLab) waits(start time.Time, limit time.Duration, holds func() bool) (float64, bool) {
	ok, err := l.until(limit, func() bool {
		l.note(l.startAll()) // a replica that lost the lead has ended
		return l.problem != nil || holds()
	})
	l.note(err)
	return time.Since(start).Seconds(), ok
}

// completes says when a job had its PodGroup, when it was complete, and what its condition is.
func (l *faultLab) completes(name string, start time.Time, limit time.Duration) string {
	group, _ := l.waits(start, limit, func() bool { return l.hasGroup(name) })
	all, ok := l.waits(start, limit, func() bool { return l.isComplete(name) })
	status, message := l.gangReady(name)
	if status != "True" {
		status += " (" + message + ")"
	}
	return answer(ok && status == "True", "PodGroup after %.1f s, complete: %v after %.0f s, "+
		"GangReady %s", group, ok, all, status)
}

func (l *faultLab) hasGroup(name string) bool { return l.groupOf(name, "PodGroup") != nil }

// groupOf is the first object of a kind that belongs to a job.
func (l *faultLab) groupOf(name, kind string) document {
	live, _ := l.live()
	for _, one := range l.belongingTo(live, name) {
		if kindOf(one) == kind {
			return one
		}
	}
	return nil
}

// also is an answer with a further condition.
func also(ok bool, seen, format string, arguments ...any) string {
	_, rest, _ := strings.Cut(seen, ": ")
	return answer(ok && strings.HasPrefix(seen, "yes"), format+"; %s", append(arguments, rest)...)
}

func (l *faultLab) leaderEnds(name string, signal syscall.Signal, limit time.Duration) string {
	l.restart()
	before := l.holder()
	l.end(signal, l.replicas[0])
	start := l.begin(name, 3)
	ok, err := l.until(limit, func() bool { return l.hasGroup(name) })
	l.note(err)
	late, led := time.Since(start), l.holder() != before
	return also(ok && led, l.completes(name, start, time.Minute),
		"the other one reconciles after %.1f s", late.Seconds())
}

func (l *faultLab) objectsDeleted() string {
	const name = "emptied"
	start := l.begin(name, 4)
	l.note(l.created(name, 4))
	latest, remade := 0.0, true
	for _, kind := range []string{"PodGroup", "Workload"} {
		_, found := l.waits(start, 20*time.Second, func() bool { return l.groupOf(name, kind) != nil })
		before := l.groupOf(name, kind)
		l.note(l.cluster.client.remove(before))
		late, again := l.waits(time.Now(), 20*time.Second, func() bool {
			now := l.groupOf(name, kind) // pods protect their PodGroup by its finalizer
			return at(now, "metadata", "finalizers") != nil ||
				now != nil && text(now, "metadata", "uid") != text(before, "metadata", "uid")
		})
		latest, remade = max(latest, late), remade && found && again
	}
	time.Sleep(time.Second)
	before := l.groupOf(name, "Workload")
	time.Sleep(3 * time.Second)
	calm := text(before, "metadata", "uid") == text(l.groupOf(name, "Workload"), "metadata", "uid")
	bound, err := l.boundOf(name)
	l.note(err)
	l.note(l.cluster.addPoolNode(l.pool, 1, 1))
	return also(remade && calm && bound == 0, l.completes(name, time.Now(), 90*time.Second),
		"there again, or still as its pods need it, within %.1f s: %v, and then left alone: %v; bound "+
			"before there is room: %d", latest, remade, calm, bound)
}

func (l *faultLab) restless() string {
	for i := range 6 { // a node takes 110 pods
		l.note(l.cluster.addPoolNode(l.pool, 2+i, 100))
	}
	return l.crowd("restless", 25, func(i int) {
		if i%5 == 2 {
			time.Sleep(300 * time.Millisecond) // rounds are under way
			l.end(syscall.SIGKILL, l.replicas...)
			l.note(l.startAll())
		}
	})
}

// crowd submits many jobs and waits until they are complete.
func (l *faultLab) crowd(prefix string, count int, disturb func(int)) string {
	start := time.Now()
	for i := range count {
		l.begin(fmt.Sprintf("%s-%d", prefix, i), 3)
		if disturb != nil {
			disturb(i)
		}
	}
	complete := 0
	late, ok := l.waits(start, 8*time.Minute, func() bool {
		complete = l.countComplete(prefix + "-")
		return complete == count
	})
	return answer(ok, "%d of %d complete after %.0f s", complete, count, late)
}

// burst creates jobs while no operator runs. The JobSets of TrainJobs are made later; a Job is
// refused, and whoever created it tries again.
func (l *faultLab) burst() string {
	l.end(syscall.SIGKILL, l.replicas...)
	refused := 0
	for i := range 10 {
		if l.createJob(fmt.Sprintf("burst-job-%d", i)) != nil {
			refused++
		}
	}
	start := time.Now()
	for i := range 100 {
		l.begin(fmt.Sprintf("burst-%d", i), 3)
	}
	early := 0
	jobSets, err := l.cluster.client.items("jobset.x-k8s.io/v1alpha2", "JobSet", l.namespace)
	l.note(err)
	for _, one := range jobSets {
		if strings.HasPrefix(nameOf(one), "burst-") {
			early++
		}
	}
	l.note(l.startAll())
	complete := 0
	late, ok := l.waits(start, 8*time.Minute, func() bool {
		complete = l.countComplete("burst-")
		return complete == 100
	})
	return answer(ok && early == 0 && refused == 10, "%d of 10 Jobs refused, %d JobSets meanwhile; %d "+
		"of 100 TrainJobs complete after %.0f s", refused, early, complete, late)
}

// createJob creates a Job of three pods.
func (l *faultLab) createJob(name string) error {
	_, err := l.cluster.client.create(document{"apiVersion": "batch/v1", "kind": "Job",
		"metadata": document{"name": name, "namespace": l.namespace},
		"spec": document{"completionMode": "Indexed", "parallelism": 3.0, "completions": 3.0,
			"template": document{"spec": document{"restartPolicy": "Never",
				"nodeSelector": document{"pool": l.pool},
				"containers": []any{document{"name": "main", "image": "none", "resources": document{
					"limits": document{"nvidia.com/gpu": "1"}}}}}}}})
	return err
}

func (l *faultLab) countComplete(prefix string) (complete int) {
	for _, kind := range [][2]string{{trainer, "TrainJob"}, {"batch/v1", "Job"}} {
		all, _ := l.cluster.client.items(kind[0], kind[1], l.namespace)
		for _, one := range all {
			isPart := len(list(at(one, "metadata", "ownerReferences"))) > 0
			if strings.HasPrefix(nameOf(one), prefix) && !isPart && hasCondition(one, "Complete") {
				complete++
			}
		}
	}
	return complete
}

// rolling replaces the replicas as a Deployment does: a new one serves before an old one ends, after
// its preStop. Proxies are late: all connections go to the old one for two seconds more.
func (l *faultLab) rolling() string {
	l.restart()
	pause, err := l.operator.preStop()
	l.note(err)
	l.route(l.ports...)
	stop, done := make(chan bool), make(chan [2]int)
	go func() { done <- l.createSteadily("rolling-", stop) }()
	start := time.Now()
	for i := 0; i < len(l.replicas) && l.problem == nil; i++ {
		time.Sleep(3 * time.Second)
		l.replace(i, pause)
	}
	time.Sleep(3 * time.Second)
	close(stop)
	seen := <-done
	l.route()
	complete := 0
	late, ok := l.waits(start, 4*time.Minute, func() bool {
		complete = l.countComplete("rolling-")
		return complete == seen[0]
	})
	return answer(ok && seen[1] == 0, "%d of %d jobs complete after %.0f s, %d refused", complete,
		seen[0], late, seen[1])
}

func (l *faultLab) route(ports ...int) {
	l.lock.Lock()
	defer l.lock.Unlock()
	l.endpoints = slices.Clone(ports)
}

// replace starts another replica in the place of one, which ends after a pause.
func (l *faultLab) replace(i int, pause time.Duration) {
	old := l.replicas[i]
	ports, err := freePorts(1)
	l.note(err)
	if l.problem != nil {
		return
	}
	started, err := l.operator.replica(ports[0])
	l.note(err)
	if l.problem != nil {
		return
	}
	l.lock.Lock()
	leaving := l.ports[i]
	l.replicas[i], l.ports[i] = started, ports[0]
	l.lock.Unlock()
	l.route(leaving)
	time.AfterFunc(2*time.Second, func() { l.route(l.ports...) })
	time.Sleep(pause)
	l.end(syscall.SIGTERM, old)
	time.Sleep(3 * time.Second)
}

// createSteadily creates a Job or a TrainJob four times a second. It returns how many were created
// and how many refused.
func (l *faultLab) createSteadily(prefix string, stop chan bool) (seen [2]int) {
	for i := 0; ; i++ {
		select {
		case <-stop:
			return seen
		case <-time.After(250 * time.Millisecond):
		}
		name, send := fmt.Sprintf("%s%d", prefix, i), l.createJob
		if i%2 == 1 {
			send = func(name string) error {
				return l.submit(job{name: name, runtime: "torch-distributed", nodes: 3, gpus: 1})
			}
		}
		if err := send(name); err != nil {
			say("%s: %v", name, err)
			seen[1]++
		} else {
			seen[0]++
		}
	}
}

// optedOut labels the namespace, which the selector of the operator leaves out then.
func (l *faultLab) optedOut() string {
	const name = "left-out"
	before := l.operator.arguments
	l.operator.arguments = append(slices.Clone(before), "--namespaces=gangs notin (off)")
	l.label("off")
	l.restart()
	l.note(l.createJob(name))
	_, ok := l.waits(time.Now(), time.Minute, func() bool { return l.countComplete(name) == 1 })
	job, err := l.cluster.client.get("batch/v1", "Job", l.namespace, name)
	l.note(err)
	marked := at(job, "metadata", "annotations", "policy.libgang.dev/marks") != nil
	groups := l.hasGroup(name)
	l.label(nil)
	l.operator.arguments = before
	l.restart()
	return also(ok && !marked && !groups, l.completes("let-in", l.begin("let-in", 3), time.Minute),
		"complete: %v, marked: %v, has a group: %v; without the label", ok, marked, groups)
}

func (l *faultLab) label(value any) {
	_, err := l.cluster.client.merge("v1", "Namespace", "", l.namespace, "",
		document{"metadata": document{"labels": document{"gangs": value}}})
	l.note(err)
}

func (l *faultLab) serverAway(name string, pause time.Duration) string {
	l.note(l.cluster.restartServer(pause))
	back, ended := time.Now(), 0
	for _, one := range l.replicas {
		if _, has := one.hasEnded(); has {
			ended++
		}
	}
	l.note(l.startAll())
	l.begin(name, 3)
	return also(true, l.completes(name, back, 2*time.Minute), "%d of 2 replicas had ended", ended)
}

func (l *faultLab) webhookHangs() string {
	const name = "hanging"
	l.signal(syscall.SIGSTOP, l.replicas...)
	l.begin(name, 3)
	time.Sleep(15 * time.Second)
	without := !l.hasJobSet(name)
	l.signal(syscall.SIGCONT, l.replicas...)
	return also(without, l.completes(name, time.Now(), 90*time.Second), "no JobSet meanwhile: %v",
		without)
}

func (l *faultLab) hasJobSet(name string) bool {
	_, err := l.cluster.client.get("jobset.x-k8s.io/v1alpha2", "JobSet", l.namespace, name)
	return err == nil
}

// The API of a metrics server whose Service has no endpoints.
func (l *faultLab) deadAPI() string {
	service := document{"apiVersion": "apiregistration.k8s.io/v1", "kind": "APIService",
		"metadata": document{"name": "v1beta1.metrics.k8s.io"},
		"spec": document{"group": "metrics.k8s.io", "version": "v1beta1", "groupPriorityMinimum": 100.0,
			"versionPriority": 100.0, "insecureSkipTLSVerify": true,
			"service": document{"name": "metrics", "namespace": "default"}}}
	_, err := l.cluster.client.create(service)
	l.note(err)
	defer func() { _ = l.cluster.client.remove(service) }()
	l.note(within(20*time.Second, "the API is dead", func() bool {
		_, err := l.cluster.client.raw(time.Second, "GET", root("metrics.k8s.io/v1beta1"), "", nil)
		return isStatus(err, 503)
	}))
	l.restart()
	return l.completes("dead-api", l.begin("dead-api", 3), time.Minute)
}

func (l *faultLab) policyDeleted() string {
	l.note(l.cluster.client.remove(l.operator.policy()))
	time.Sleep(2 * time.Second)
	return l.completes("last-policy", l.begin("last-policy", 3), time.Minute)
}

// The policy is gone already.
func (l *faultLab) restartWithoutPolicy() string {
	const name = "no-policy"
	l.restart()
	_, told := l.waits(l.begin(name, 3), 20*time.Second, func() bool {
		status, message := l.gangReady(name)
		return status == "False" && strings.HasPrefix(message, "PolicyMissing")
	})
	without := !l.hasJobSet(name)
	l.note(l.operator.createPolicy())
	return also(told && without, l.completes(name, time.Now(), 90*time.Second),
		"condition PolicyMissing: %v, no JobSet meanwhile: %v", told, without)
}

// A server of JobSet before v0.12 drops the field that is the mark of the Workload API.
func (l *faultLab) marksDropped() string {
	const name = "unmarked"
	definition, err := l.cluster.client.get("apiextensions.k8s.io/v1", "CustomResourceDefinition", "",
		"jobsets.jobset.x-k8s.io")
	l.note(err)
	dropped := 0
	withoutField(definition["spec"], "schedulingGroup", &dropped)
	_, err = l.cluster.client.replace(definition)
	l.note(err)
	time.Sleep(2 * time.Second)
	l.restart()
	_, told := l.waits(l.begin(name, 3), 30*time.Second, func() bool {
		status, _ := l.gangReady(name)
		return status == "False"
	})
	_, message := l.gangReady(name)
	reason, _, _ := strings.Cut(message, ":")
	bound, err := l.boundOf(name)
	l.note(err)
	return answer(told && dropped > 0 && bound == 0, "GangReady False: %v, %s, %d of 3 bound", told,
		reason, bound)
}

// withoutField removes a property of schemas.
func withoutField(value any, field string, removed *int) {
	for _, item := range list(value) {
		withoutField(item, field, removed)
	}
	fields, _ := value.(document)
	if properties, ok := fields["properties"].(document); ok && properties[field] != nil {
		delete(properties, field)
		*removed++
	}
	for _, member := range fields {
		withoutField(member, field, removed)
	}
}

// watch looks at all jobs until it is stopped. A look that the server does not answer is left out.
func (l *faultLab) watch() (stop func()) {
	l.watcher = l.watchJobs()
	done, ended := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(ended)
		for {
			select {
			case <-done:
				return
			case <-time.After(300 * time.Millisecond):
				l.look()
			}
		}
	}()
	return func() {
		close(done)
		<-ended
		l.look() // what the last fault has waited for
		l.watcher.stop()
	}
}

func (l *faultLab) look() {
	jobs, err := l.cluster.client.items(trainer, "TrainJob", l.namespace)
	if err != nil || l.watcher.look() != nil {
		return
	}
	l.watcher.lock.Lock()
	defer l.watcher.lock.Unlock()
	for _, one := range jobs {
		state := l.watcher.of(nameOf(one))
		if hasCondition(one, "GangReady") && (state.inPart || l.watcher.hasUnmarked(state)) {
			l.lies[nameOf(one)] = true
		}
	}
}

// allWhole is about all jobs but that of the last fault, which cannot be marked.
func (l *faultLab) allWhole() string {
	whole, jobs := 0, l.watcher.outcomes()
	delete(jobs, "unmarked")
	var wrong []string
	for _, name := range sortedKeys(jobs) {
		if jobs[name].complete && jobs[name].whole {
			whole++
		} else {
			wrong = append(wrong, name+" "+jobs[name].String())
		}
	}
	return answer(whole == len(jobs) && whole > 0, "%d of %d%s", whole, len(jobs),
		strings.Join(append([]string{""}, wrong...), ", "))
}
