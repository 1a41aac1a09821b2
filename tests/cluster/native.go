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

// A nativeLab has two Jobs of three pods side by side, each with nodes of its own. gang-operator
// makes the gang of the first; the second asks the Job controller for it, with spec.scheduling.
type nativeLab struct {
	*team
	problem error
}

const nativeSpace = "native"

var nativeJobs = [2]string{"marked", "native"}

// What is done with each Job, in this order, and what must be seen of the two.
var nativeSteps = []struct {
	name     string
	run      func(l *nativeLab, job string) string
	expected [2]string
}{
	{"groups of the Job, and the one that its pods name", (*nativeLab).groups,
		[2]string{"basic, gang; its pods: gang", "gang; its pods: gang"}},
	{"a node for two of three pods", (*nativeLab).short, [2]string{"0 run", "0 run"}},
	{"a node for all", (*nativeLab).whole, [2]string{"3 run", "3 run"}},
	{"a pod fails while gang-operator is away", (*nativeLab).failed,
		[2]string{"2 run, and 3 when it is back", "3 run"}},
	{"`parallelism` and `completions` become 4", (*nativeLab).larger,
		[2]string{"4 run, minimum 4", "4 run, minimum 4"}},
	{"its PodGroup is deleted by hand, pods keep it, `parallelism` and `completions` become 5",
		(*nativeLab).terminating, [2]string{"5 run, minimum 5", "5 run, minimum 5"}},
	{"suspended, its groups are deleted by hand, resumed with a node for three of five pods",
		(*nativeLab).emptied, [2]string{"0 run", "3 run, in no group"}},
}

// runNative compares the gang of gang-operator with that of spec.scheduling.
func runNative(s *session) (bool, error) {
	c, err := s.startWith((*cluster).startControllers, (*cluster).startScheduler)
	if err != nil {
		return false, err
	}
	defer c.stop()
	one := workloadBackend(minors[s.minor].workloads[0])
	o, err := s.startGangOperator(c, map[string]*teamPolicy{nativeSpace: {backend: one.name}})
	if err != nil {
		return false, err
	}
	t, err := newTeam(c, s.gangctl, nativeSpace, one)
	if err != nil {
		return false, err
	}
	t.operator = o
	l := &nativeLab{team: t}
	for _, name := range nativeJobs {
		l.note(c.addNode(name, name, 2))
		l.note(l.createJob(name))
	}
	var text strings.Builder
	fmt.Fprintf(&text, "Kubernetes %s:\n\n", kubernetesVersions[s.minor])
	row(&text, []string{"what happens", "gang-operator", "`spec.scheduling`"})
	row(&text, make([]string, 3))
	passed := true
	for _, step := range nativeSteps {
		var seen [2]string
		for i, name := range nativeJobs {
			seen[i] = step.run(l, name)
		}
		passed = passed && seen == step.expected
		say("%s: %s | %s (%v)", step.name, seen[0], seen[1], seen == step.expected)
		row(&text, []string{step.name, seen[0], seen[1]})
	}
	if l.problem != nil {
		return false, l.problem
	}
	return passed, writeResults(filepath.Join(s.root, "doc", "operator.md"), "two gangs",
		"./dev cluster "+s.minor+" native", s.minor, text.String())
}

func (l *nativeLab) note(err error) { l.problem = errors.Join(l.problem, err) }

func (l *nativeLab) createJob(name string) error {
	spec := document{"completionMode": "Indexed", "parallelism": 3.0, "completions": 3.0,
		"template": document{"metadata": document{"annotations": document{
			"cluster.test/endless": "true"}}, "spec": document{"restartPolicy": "Never",
			"nodeSelector": document{"pool": name},
			"containers": []any{document{"name": "main", "image": "none", "resources": document{
				"limits": document{"nvidia.com/gpu": "1"}}}}}}}
	if name == nativeJobs[1] {
		spec["scheduling"] = document{"schedulingPolicy": document{"gang": document{}}}
	}
	job := named("batch/v1", "Job", l.namespace, name)
	job["spec"] = spec
	_, err := l.cluster.client.create(job)
	return err
}

// room sets how many pods of the Job have room.
func (l *nativeLab) room(job string, gpus int) {
	amount := document{"nvidia.com/gpu": fmt.Sprint(gpus)}
	_, err := l.cluster.client.merge("v1", "Node", "", job, "/status", document{"status": document{
		"capacity": amount, "allocatable": amount}})
	l.note(err)
}

func (l *nativeLab) change(job string, spec document) {
	_, err := l.cluster.client.merge("batch/v1", "Job", l.namespace, job, "",
		document{"spec": spec})
	l.note(err)
}

// pods are those of a Job that have not ended.
func (l *nativeLab) pods(job string) []document {
	all, err := l.cluster.client.items("v1", "Pod", l.namespace)
	l.note(err)
	return slices.DeleteFunc(all, func(pod document) bool {
		return text(pod, "spec", "nodeSelector", "pool") != job ||
			slices.Contains([]string{"Failed", "Succeeded"}, text(pod, "status", "phase"))
	})
}

func (l *nativeLab) running(job string) (count int) {
	for _, pod := range l.pods(job) {
		if text(pod, "spec", "nodeName") != "" {
			count++
		}
	}
	return count
}

// runs waits until so many pods of a Job have a node.
func (l *nativeLab) runs(job string, pods int) string {
	_ = within(long, "", func() bool { return l.running(job) == pods })
	return fmt.Sprintf("%d run", l.running(job))
}

// created waits until a Job has so many pods, and then until its scheduler has looked at them.
func (l *nativeLab) created(job string, pods int) {
	l.note(within(long, fmt.Sprintf("%s has %d pods", job, pods), func() bool {
		return len(l.pods(job)) == pods
	}))
	time.Sleep(quiet)
}

// owned are the Workloads, or the PodGroups, of a Job.
func (l *nativeLab) owned(job string, kind [2]string) []document {
	all, err := l.cluster.client.items(kind[0], kind[1], l.namespace)
	l.note(err)
	return slices.DeleteFunc(all, func(one document) bool {
		return !slices.ContainsFunc(list(at(one, "metadata", "ownerReferences")), func(owner any) bool {
			return text(owner, "kind") == "Job" && text(owner, "name") == job
		})
	})
}

// policies are what the PodGroups of a Job ask for, by name.
func (l *nativeLab) policies(job string) map[string]string {
	found := map[string]string{}
	for _, group := range l.owned(job, l.backend.kinds[1]) {
		policy, _ := at(group, "spec", "schedulingPolicy").(document)
		found[nameOf(group)] = strings.Join(sortedKeys(policy), " ")
	}
	return found
}

func (l *nativeLab) groups(job string) string {
	l.created(job, 3)
	policies := l.policies(job)
	all, named := []string{}, map[string]bool{}
	for _, policy := range policies {
		all = append(all, policy)
	}
	for _, pod := range l.pods(job) {
		named[policies[text(pod, "spec", "schedulingGroup", "podGroupName")]] = true
	}
	slices.Sort(all)
	return fmt.Sprintf("%s; its pods: %s", strings.Join(all, ", "),
		strings.Join(sortedKeys(named), ", "))
}

func (l *nativeLab) short(job string) string { return fmt.Sprintf("%d run", l.running(job)) }

func (l *nativeLab) whole(job string) string {
	l.room(job, 3)
	return l.runs(job, 3)
}

// failed ends a pod as a node does that lost it.
func (l *nativeLab) failed(job string) string {
	l.operator.process.stop()
	pod := l.pods(job)[0]
	_, err := l.cluster.client.merge("v1", "Pod", l.namespace, nameOf(pod), "/status",
		document{"status": failedStatus(pod)})
	l.note(err)
	_ = within(20*time.Second, "", func() bool { return len(l.pods(job)) == 3 })
	time.Sleep(quiet)
	away := l.running(job)
	l.note(l.operator.start())
	if seen := l.runs(job, 3); away != 3 {
		back, _, _ := strings.Cut(seen, " ")
		return fmt.Sprintf("%d run, and %s when it is back", away, back)
	}
	return fmt.Sprintf("%d run", away)
}

func (l *nativeLab) larger(job string) string { return l.grow(job, 4) }

func (l *nativeLab) terminating(job string) string {
	for _, group := range l.owned(job, l.backend.kinds[1]) {
		l.note(l.cluster.client.remove(group))
	}
	return l.grow(job, 5)
}

func (l *nativeLab) grow(job string, pods int) string {
	l.room(job, pods)
	l.change(job, document{"parallelism": float64(pods), "completions": float64(pods)})
	seen, minimum := l.runs(job, pods), 0
	_ = within(long, "", func() bool { // the lease of the operator that was killed has to end
		for _, group := range l.owned(job, l.backend.kinds[1]) {
			minimum = max(minimum, number(group, "spec", "schedulingPolicy", "gang", "minCount"))
		}
		return minimum == pods
	})
	return fmt.Sprintf("%s, minimum %d", seen, minimum)
}

func (l *nativeLab) emptied(job string) string {
	l.change(job, document{"suspend": true})
	l.note(within(long, job+" has no pods", func() bool { return len(l.pods(job)) == 0 }))
	for _, kind := range l.backend.kinds {
		for _, one := range l.owned(job, kind) {
			if err := l.cluster.client.remove(one); !isStatus(err, 404) {
				l.note(err)
			}
		}
	}
	l.room(job, 3)
	l.change(job, document{"suspend": false})
	l.created(job, 5)
	seen := fmt.Sprintf("%d run", l.running(job))
	if pods := l.pods(job); at(pods[0], "spec", "schedulingGroup") == nil {
		seen += ", in no group"
	}
	return seen
}
