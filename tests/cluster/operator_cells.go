// SPDX-License-Identifier: Apache-2.0

package main

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"
)

// A gangCell is one kind of job under one scheduler.
type gangCell struct {
	*gangRow
	team  *team
	book  *gangBook
	lab   *gangLab
	ended time.Time // when its first job had ended
	seen  map[string]string
	// Its first job has too few pods, so that nothing else would come to an end.
	stopped bool
}

// The phases of a cell, in this order. Each returns what was seen.
var gangPhases = []struct {
	name string
	run  func(*gangCell) string
}{
	{"too few nodes", (*gangCell).short},
	{"whole", (*gangCell).whole},
	{"complete", (*gangCell).complete},
	{"suspend", (*gangCell).suspended},
	{"resume", (*gangCell).resumed},
	{"scale", (*gangCell).scaled},
	{"retry", (*gangCell).retried},
	{"0 writes", (*gangCell).quiet},
	{"delete", (*gangCell).deleted},
}

const long = 75 * time.Second // Kubernetes 1.37 tries a gang again after up to a minute

func (c *gangCell) play() {
	for _, phase := range gangPhases {
		if c.cannot(phase.name) != "" {
			c.seen[phase.name] = "–"
			continue
		}
		if c.stopped && phase.name != "delete" {
			c.seen[phase.name] = "no: not reached"
			continue
		}
		c.seen[phase.name] = phase.run(c)
	}
	for _, which := range []string{"life", "held", "retry"} {
		if partly := c.book.partly(c.job(which)); partly != "" {
			c.seen["whole"] = "no: " + partly
		}
		if loose := c.book.without(c.job(which)); loose > c.outside {
			c.seen["whole"] = fmt.Sprintf("no: %d pods of %s ran in no gang", loose, c.job(which))
		}
	}
}

// cannot says why a phase is not played.
func (c *gangCell) cannot(phase string) string {
	name := c.team.backend.name
	return cmp.Or(c.except[name+" "+phase], c.except[name], c.except[phase],
		c.except["1."+c.team.cluster.minor+" "+phase])
}

func (c *gangCell) job(which string) string { return c.slug() + "-" + which }

func (r *gangRow) slug() string {
	kind := strings.ToLower(r.kind)
	if r.queue {
		return "queued-" + kind
	}
	return kind
}

func (c *gangCell) wait(limit time.Duration, holds func() bool) bool {
	return within(limit, "", holds) == nil
}

// room sets how many GPUs there are for the pods of a job.
func (c *gangCell) room(job string, gpus int) error {
	name := c.team.namespace + "-" + job
	client := c.team.cluster.client
	if _, err := client.get("v1", "Node", "", name); err != nil {
		if err := c.team.cluster.addNode(name, c.team.pool, gpus); err != nil {
			return err
		}
		_, err := client.merge("v1", "Node", "", name, "", document{"metadata": document{
			"labels": document{"case": c.team.namespace + "." + job}}})
		return err
	}
	amount := document{"nvidia.com/gpu": fmt.Sprint(gpus)}
	_, err := client.merge("v1", "Node", "", name, "/status", document{"status": document{
		"capacity": amount, "allocatable": amount}})
	return err
}

// submit creates a job of the cell; its pods run until they are deleted if it is endless.
func (c *gangCell) submit(which string, endless bool) error {
	name := c.job(which)
	job := copyOf(c.document)
	set(job, name, "metadata", "name")
	set(job, c.team.namespace, "metadata", "namespace")
	for _, component := range list(at(job, "spec", "components")) { // of an AppWrapper
		set(component.(document), document{"name": name + "-job", "namespace": c.team.namespace},
			"template", "metadata")
	}
	if c.kind == "TrainJob" {
		runtime := c.lab.runtimeFor(job)
		for _, role := range list(at(runtime, "spec", "template", "spec", "replicatedJobs")) {
			c.place(at(role, "template", "spec", "template").(document), name, endless)
		}
		if _, err := c.team.cluster.client.create(runtime); err != nil {
			return err
		}
	}
	for role, template := range templatesOf(job) {
		c.place(template, name, endless && role != "submitter") // KubeRay waits for its end
	}
	var last error
	err := within(20*time.Second, name+" is created", func() bool {
		last = c.create(job)
		return last == nil || !strings.Contains(last.Error(), "must be created before")
	})
	if last != nil {
		return last
	}
	return err
}

// create sends a job. One of bare pods is three pods, of which the first has the name of the job.
func (c *gangCell) create(job document) error {
	if c.kind != "Pod" {
		_, err := c.team.cluster.client.create(job)
		return err
	}
	for _, pod := range barePods(job) {
		set(pod, nameOf(job), "metadata", "labels", "kueue.x-k8s.io/pod-group-name")
		if _, err := c.team.cluster.client.create(pod); err != nil {
			return err
		}
	}
	return nil
}

func barePods(first document) (pods []document) {
	for _, suffix := range []string{"", "-1", "-2"} {
		pod := copyOf(first)
		set(pod, nameOf(first)+suffix, "metadata", "name")
		if suffix != "" {
			delete(pod["metadata"].(document), "uid")
		}
		pods = append(pods, pod)
	}
	return pods
}

func (c *gangCell) place(template document, job string, endless bool) {
	set(template, c.team.pool, "spec", "nodeSelector", "pool")
	set(template, c.team.namespace+"."+job, "spec", "nodeSelector", "case")
	if endless || c.serves {
		set(template, "true", "metadata", "annotations", "cluster.test/endless")
	}
}

func (c *gangCell) read(which string) document {
	job, err := c.team.cluster.client.get(text(c.document, "apiVersion"), c.kind, c.team.namespace,
		c.job(which))
	if err != nil {
		return nil
	}
	job["kind"] = c.kind
	return job
}

func wrong(err error) string { return "no: " + strings.ReplaceAll(err.Error(), "\n", " ") }

// short gives a job one GPU less than its gang needs.
func (c *gangCell) short() string {
	life := c.job("life")
	if err := c.room(life, c.tooFew); err != nil {
		return wrong(err)
	}
	if err := c.submit("life", false); err != nil {
		return wrong(err)
	}
	if !c.wait(c.first(), func() bool { return c.book.count(life).all >= c.waits }) {
		c.stopped = true
		return fmt.Sprintf("no: %d of %d pods were created", c.book.count(life).all, c.waits)
	}
	time.Sleep(quiet)
	seen := c.book.count(life)
	if seen.marked > c.alone || seen.unmarked > c.outside {
		return fmt.Sprintf("no: %d members and %d other pods run", seen.marked, seen.unmarked)
	}
	return "yes"
}

// first is how long the pods of a job may take to be there. A gang of YuniKorn begins 35 seconds
// after an earlier run and after the start of the operator, which does not know what ran before,
// and a Job tries again after up to a minute.
func (c *gangCell) first() time.Duration {
	if c.kind == "AppWrapper" { // it makes a Job again that has no pods after a minute, 90 s later
		return 4 * time.Minute
	}
	if c.kind == "CronJob" || c.team.backend.name == yunikornBackend.name {
		return 2 * time.Minute
	}
	return time.Minute
}

func (c *gangCell) whole() string {
	life := c.job("life")
	if err := c.room(life, c.gpus); err != nil {
		return wrong(err)
	}
	sizes := []int{}
	ok := c.wait(long, func() bool {
		if now := c.book.minimums(life); len(now) > 0 {
			sizes = now
		}
		return c.book.count(life).ran >= c.pods
	})
	if !ok {
		return fmt.Sprintf("no: %d of %d members had a node", c.book.count(life).ran, c.pods)
	}
	if !slices.Equal(sizes, c.gangs) {
		return fmt.Sprintf("no: the minimums are %v, not %v", sizes, c.gangs)
	}
	said := func() bool { return c.book.saying(life) == "GangReady" }
	if !c.lab.silent && !c.wait(5*time.Second, said) {
		return "no: the operator says " + c.book.saying(life)
	}
	return "yes"
}

func (c *gangCell) complete() string {
	through := func() bool { return isThrough(c.read("life")) }
	if c.kind == "DisaggregatedSet" { // LWS v0.9 writes no status of it
		through = func() bool { return c.book.count(c.job("life")).marked == c.pods }
	}
	if !c.wait(long, through) {
		return "no: it does not end"
	}
	if c.kind == "CronJob" { // the operator would tell of the gang of the next minute's Job
		if err := c.change("life", document{"spec": document{"suspend": true}}); err != nil {
			return wrong(err)
		}
	}
	c.ended = time.Now()
	return "yes"
}

// holds starts an endless job and waits until it is whole.
func (c *gangCell) holds(which string) string {
	name := c.job(which)
	if err := c.room(name, c.gpus); err != nil {
		return wrong(err)
	}
	if err := c.submit(which, true); err != nil {
		return wrong(err)
	}
	return c.runs(name, c.pods, c.gangs)
}

// runs waits until a job has so many members, all of them with a node.
func (c *gangCell) runs(name string, pods int, gangs []int) string {
	ok := c.wait(long, func() bool {
		seen := c.book.count(name)
		return seen.marked == pods && slices.Equal(c.book.minimums(name), gangs)
	})
	if !ok {
		return fmt.Sprintf("no: %d of %d members run, the minimums are %v, not %v",
			c.book.count(name).marked, pods, c.book.minimums(name), gangs)
	}
	return "yes"
}

func (c *gangCell) suspended() string {
	if seen := c.holds("held"); seen != "yes" {
		return seen
	}
	if err := c.hold(true); err != nil {
		return wrong(err)
	}
	if !c.wait(long, func() bool { return c.book.count(c.job("held")).all == 0 }) {
		return fmt.Sprintf("no: %d pods are left", c.book.count(c.job("held")).all)
	}
	return "yes"
}

// hold suspends or resumes the job.
func (c *gangCell) hold(holds bool) error {
	if !c.queue {
		return c.change("held", nested(holds, c.suspend...))
	}
	policy := map[bool]string{true: "HoldAndDrain", false: "None"}[holds]
	_, err := c.team.cluster.client.merge(kueueGroup, "LocalQueue", c.team.namespace, c.slug(), "",
		nested(policy, "spec", "stopPolicy"))
	return err
}

func nested(value any, path ...string) document {
	changes := document{}
	set(changes, value, path...)
	return changes
}

func (c *gangCell) change(which string, changes document) error {
	_, err := c.team.cluster.client.merge(text(c.document, "apiVersion"), c.kind, c.team.namespace,
		c.job(which), "", copyOf(changes))
	return err
}

// resumed finds one GPU less than the gang needs at first.
func (c *gangCell) resumed() string {
	held := c.job("held")
	if err := c.room(held, c.tooFew); err != nil {
		return wrong(err)
	}
	if err := c.hold(false); err != nil {
		return wrong(err)
	}
	if !c.wait(max(long, c.first()), func() bool { return c.book.count(held).all >= c.waits }) {
		return fmt.Sprintf("no: %d of %d pods were created", c.book.count(held).all, c.waits)
	}
	time.Sleep(quiet)
	if seen := c.book.count(held); seen.marked > c.alone || seen.unmarked > c.outside {
		return fmt.Sprintf("no: %d members run with too few nodes", seen.marked)
	}
	if err := c.room(held, c.gpus); err != nil {
		return wrong(err)
	}
	return c.runs(held, c.pods, c.gangs)
}

// scaled makes the job larger, and the room afterwards. What runs goes on.
func (c *gangCell) scaled() string {
	held := c.job("held")
	if c.cannot("suspend") != "" {
		if seen := c.holds("held"); seen != "yes" {
			return seen
		}
	}
	before := c.book.uids(held)
	if err := c.change("held", c.larger()); err != nil {
		return wrong(err)
	}
	if err := c.room(held, c.gpus+c.grow.pods-c.pods); err != nil {
		return wrong(err)
	}
	gangs := c.grow.gangs
	keeps := []string{"yunikorn"} // the minimum of a group that exists
	if c.team.cluster.minor == "36" {
		keeps = append(keeps, "workload") // its API server does
	}
	if slices.Contains(keeps, c.team.backend.name) && len(gangs) == len(c.gangs) {
		gangs = c.gangs
	}
	seen := c.runs(held, c.grow.pods, gangs)
	now := c.book.uids(held)
	for _, uid := range before {
		if seen == "yes" && !slices.Contains(now, uid) {
			return "no: pods that ran were created again"
		}
	}
	return seen
}

// larger is the patch that makes the job larger. A merge patch replaces a list as a whole.
func (c *gangCell) larger() document {
	patch := copyOf(c.grow.patch)
	if at(patch, "spec", "workerGroupSpecs") == nil {
		return patch
	}
	groups := list(at(c.read("held"), "spec", "workerGroupSpecs"))
	for _, group := range groups {
		group.(document)["replicas"] = float64(number(group, "replicas") + 1)
	}
	return nested(groups, "spec", "workerGroupSpecs")
}

// retried lets a pod fail. The job gets another one, or all pods again.
func (c *gangCell) retried() string {
	name := c.job("retry")
	if c.prepareRetry != nil {
		c.prepareRetry(c.document)
	}
	if seen := c.holds("retry"); seen != "yes" {
		return seen
	}
	before := c.book.uids(name)
	if err := c.fail(name); err != nil {
		return wrong(err)
	}
	replaced := func() bool {
		return slices.ContainsFunc(c.book.uids(name), func(uid string) bool {
			return !slices.Contains(before, uid)
		})
	}
	if !c.wait(long, replaced) {
		return "no: the pod that failed has no successor"
	}
	return c.runs(name, c.pods, c.gangs)
}

// fail ends a pod of a job as a node does that lost it.
func (c *gangCell) fail(job string) error {
	if c.failing == "" {
		return nil
	}
	var chosen document
	isChosen := func(pod document) bool {
		_, of, _ := strings.Cut(text(pod, "spec", "nodeSelector", "case"), ".")
		return of == job && strings.Contains(nameOf(pod), c.failing)
	}
	running := c.wait(20*time.Second, func() bool {
		pods, _ := c.team.cluster.client.items("v1", "Pod", c.team.namespace)
		// The first by name: those of Spark's executors begin with that of their driver.
		if i := slices.IndexFunc(pods, isChosen); i >= 0 {
			chosen = pods[i]
		}
		return text(chosen, "status", "phase") == "Running"
	})
	if !running {
		return fmt.Errorf("no pod %s of %s runs", c.failing, job)
	}
	_, err := c.team.cluster.client.merge("v1", "Pod", c.team.namespace, nameOf(chosen), "/status",
		document{"status": failedStatus(chosen)})
	return err
}

// quiet counts what the operator wrote for the first job since it ended.
func (c *gangCell) quiet() string {
	if c.ended.IsZero() {
		return "no: it does not end"
	}
	settled := c.ended.Add(10 * time.Second)
	time.Sleep(time.Until(settled.Add(12 * time.Second)))
	requests, err := c.team.cluster.requests()
	if err != nil {
		return wrong(err)
	}
	var writes []string
	for _, one := range requests {
		if c.lab.silent && one.ObjectRef.Resource == "events" {
			continue // operators write them one after another, and late
		}
		if one.isWrite() && one.ObjectRef.Namespace == c.team.namespace &&
			strings.HasPrefix(one.ObjectRef.Name, c.job("life")) && one.StageTimestamp.After(settled) {
			writes = append(writes, one.String())
		}
	}
	if len(writes) > 0 {
		return fmt.Sprintf("no: %d, %s", len(writes), writes[0])
	}
	return "yes"
}

// deleted deletes all jobs of the cell.
func (c *gangCell) deleted() string {
	names := []string{}
	for _, which := range []string{"life", "held", "retry"} {
		job := c.read(which)
		if job == nil {
			continue
		}
		names = append(names, c.job(which))
		parts := []document{job}
		if c.kind == "Pod" {
			parts = barePods(job)
		}
		for _, one := range parts {
			if err := c.team.cluster.client.remove(one); err != nil {
				return wrong(err)
			}
		}
	}
	var left []string
	ok := c.wait(long, func() bool {
		left = c.left(names)
		return len(left) == 0
	})
	if !ok {
		return "no: left are " + strings.Join(left, ", ")
	}
	return "yes"
}

// left names the pods and groups of jobs that exist.
func (c *gangCell) left(jobs []string) (left []string) {
	groups := map[string]bool{}
	for _, job := range jobs {
		maps.Copy(groups, c.book.groups(job))
		if pods := c.book.count(job).all; pods > 0 {
			left = append(left, fmt.Sprintf("%d pods of %s", pods, job))
		}
	}
	for _, kind := range c.team.kinds {
		objects, err := c.team.cluster.client.items(kind[0], kind[1], c.team.namespace)
		for _, one := range objects {
			isOf := slices.ContainsFunc(jobs, func(job string) bool {
				return strings.HasPrefix(nameOf(one), job)
			})
			if err == nil && (isOf || groups[nameOf(one)]) {
				left = append(left, kind[1]+" "+nameOf(one))
			}
		}
	}
	return left
}

// isThrough says whether a job did what it is for: it completed, or it serves.
func isThrough(job document) bool {
	switch kindOf(job) {
	case "":
		return false
	case "RayCluster":
		return text(job, "status", "state") == "ready"
	case "RayJob":
		return text(job, "status", "jobDeploymentStatus") == "Complete"
	case "SparkApplication":
		return text(job, "status", "applicationState", "state") == "COMPLETED"
	case "CronJob":
		return text(job, "status", "lastSuccessfulTime") != ""
	case "Pod":
		return text(job, "status", "phase") == "Succeeded"
	case "AppWrapper":
		return text(job, "status", "phase") == "Succeeded"
	}
	return hasEnded(job) || hasCondition(job, "Ready")
}
