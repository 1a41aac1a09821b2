// SPDX-License-Identifier: Apache-2.0

package main

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"
)

// A scenario shows one promise of a gang. It returns what was seen, which starts with "yes" if the
// promise held.
type scenario struct {
	name string
	run  func(*team) (string, error)
}

var scenarios = []scenario{
	{"3 of 4 nodes: nothing is bound", oneTooFew},
	{"the fourth node comes: all are bound", roomAppears},
	{"two jobs of 60 %: one runs whole, then the other", twoJobs},
	{"a suspended job binds nothing, and runs after it is resumed", suspendAndResume},
	{"a launcher that comes late joins its nodes", lateLauncher},
	{"the policy chooses another backend after the JobSet exists: a conflict, or the pods still run",
		changedPolicy},
}

const quiet = 6 * time.Second

func (t *team) boundOf(name string) (int, error) {
	pods, err := t.podsOf(name)
	bound := 0
	for _, pod := range pods {
		if text(pod, "spec", "nodeName") != "" {
			bound++
		}
	}
	return bound, err
}

func (t *team) podsOf(name string) ([]document, error) {
	pods, err := t.cluster.client.items("v1", "Pod", t.namespace)
	var found []document
	for _, pod := range pods {
		if text(pod, "metadata", "labels", jobLabel) == name {
			found = append(found, pod)
		}
	}
	return found, err
}

func (t *team) isComplete(name string) bool {
	one, err := t.trainjob(name)
	return err == nil && hasCondition(one, "Complete")
}

// until reconciles until a condition holds, and says whether it did.
func (t *team) until(limit time.Duration, holds func() bool) (bool, error) {
	for deadline := time.Now().Add(limit); time.Now().Before(deadline); {
		if _, err := t.round(); err != nil {
			return false, err
		}
		if holds() {
			return true, nil
		}
		time.Sleep(300 * time.Millisecond)
	}
	return false, nil
}

// created waits until all pods of a job exist.
func (t *team) created(name string, count int) error {
	ok, err := t.until(30*time.Second, func() bool {
		pods, err := t.podsOf(name)
		return err == nil && len(pods) >= count
	})
	if err == nil && !ok {
		err = fmt.Errorf("the pods of %s were not created", name)
	}
	return err
}

func answer(ok bool, format string, arguments ...any) string {
	word := "no"
	if ok {
		word = "yes"
	}
	return word + ": " + fmt.Sprintf(format, arguments...)
}

// The pool has three nodes with one GPU each here.
func oneTooFew(t *team) (string, error) {
	if err := t.submit(job{name: "four", runtime: "torch-distributed", nodes: 4, gpus: 1}); err != nil {
		return "", err
	}
	if err := t.created("four", 4); err != nil {
		return "", err
	}
	most := 0
	_, err := t.until(quiet, func() bool {
		bound, _ := t.boundOf("four")
		most = max(most, bound)
		return false
	})
	return answer(most == 0, "%d of 4 bound", most), err
}

// Coscheduling does not notice a new node, so its PodGroup is touched after a while, unless an
// operator does it.
func roomAppears(t *team) (string, error) {
	if err := t.cluster.addPoolNode(t.pool, 3, 1); err != nil {
		return "", err
	}
	start := time.Now()
	all := func() bool { bound, _ := t.boundOf("four"); return bound == 4 }
	how := "by itself"
	ok, err := t.until(quiet, all)
	if err == nil && !ok {
		how = "after its PodGroup was changed"
		if err := t.touch("four"); err != nil {
			return "", err
		}
		ok, err = t.until(20*time.Second, all)
	}
	if err != nil {
		return "", err
	}
	seen := answer(ok, "%s, after %.0f s", how, time.Since(start).Seconds())
	if ok {
		_, err = t.until(30*time.Second, func() bool { return t.isComplete("four") })
	}
	return seen, err
}

// touch changes an annotation of the groups of a job, unless an operator wakes them.
func (t *team) touch(name string) error {
	if t.operator != nil {
		return nil
	}
	for _, kind := range t.backend.kinds {
		groups, err := t.cluster.client.items(kind[0], kind[1], t.namespace)
		if err != nil {
			return err
		}
		for _, group := range groups {
			for _, owner := range list(at(group, "metadata", "ownerReferences")) {
				if text(owner, "name") != name {
					continue
				}
				change := document{"metadata": document{"annotations": document{
					"cluster.test/touched": fmt.Sprint(time.Now().UnixNano())}}}
				_, err := t.cluster.client.merge(kind[0], kind[1], t.namespace, nameOf(group), "", change)
				if err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// The pool has four nodes now, and a fifth is added: each job asks for three.
func twoJobs(t *team) (string, error) {
	if err := t.cluster.addPoolNode(t.pool, 4, 1); err != nil {
		return "", err
	}
	names := []string{"first", "second"}
	for _, name := range names {
		err := t.submit(job{name: name, runtime: "torch-distributed", nodes: 3, gpus: 1})
		if err != nil {
			return "", err
		}
	}
	partly, since := "", map[string]time.Time{}
	touched := time.Now()
	ok, err := t.until(60*time.Second, func() bool {
		done := true
		for _, name := range names {
			bound, _ := t.boundOf(name)
			if bound == 0 || bound == 3 {
				delete(since, name)
			} else if since[name].IsZero() {
				since[name] = time.Now()
			} else if time.Since(since[name]) > patience {
				partly = fmt.Sprintf("%s stayed at %d of 3, ", name, bound)
			}
			done = done && t.isComplete(name)
		}
		if time.Since(touched) > 20*time.Second && t.backend.name == "coscheduling" {
			touched = time.Now()
			_ = t.touch("first")
			_ = t.touch("second")
		}
		return done
	})
	return answer(ok && partly == "", "%sboth complete: %v", partly, ok), err
}

func suspendAndResume(t *team) (string, error) {
	name := "paused"
	one := job{name: name, runtime: "torch-distributed", nodes: 3, gpus: 1, suspended: true}
	if err := t.submit(one); err != nil {
		return "", err
	}
	most := 0
	_, err := t.until(quiet/2, func() bool {
		bound, _ := t.boundOf(name)
		most = max(most, bound)
		return false
	})
	if err != nil {
		return "", err
	}
	_, err = t.cluster.client.merge(trainer, "TrainJob", t.namespace, name, "",
		document{"spec": document{"suspend": false}})
	if err != nil {
		return "", err
	}
	marked := true // Trainer writes the JobSet again when it resumes the job
	ok, err := t.until(40*time.Second, func() bool {
		marked = marked && t.allMarked(name)
		return t.isComplete(name)
	})
	seen := answer(ok && most == 0, "%d bound while suspended, complete after resume: %v", most, ok)
	if !marked {
		seen = answer(false, "pods without the mark of the gang after resume")
	}
	return seen, err
}

func (t *team) allMarked(name string) bool {
	pods, err := t.podsOf(name)
	isSet := func(mark string) bool { return mark != "" }
	for _, pod := range pods {
		if !slices.ContainsFunc(marksOf(pod), isSet) {
			return false
		}
	}
	return err == nil
}

func lateLauncher(t *team) (string, error) {
	name := "mpi"
	err := t.submit(job{name: name, runtime: "deepspeed-distributed", nodes: 3, gpus: 1})
	if err != nil {
		return "", err
	}
	most := 0
	ok, err := t.until(60*time.Second, func() bool {
		bound, _ := t.boundOf(name)
		most = max(most, bound)
		return t.isComplete(name)
	})
	return answer(ok, "%d pods bound, complete: %v", most, ok), err
}

// The pod templates of a JobSet are frozen, so the marks of its pods stay those of the old backend.
func changedPolicy(t *team) (string, error) {
	name := "moved"
	one := job{name: name, runtime: "torch-distributed", nodes: 3, gpus: 1, suspended: true}
	if err := t.submit(one); err != nil {
		return "", err
	}
	_, err := t.until(20*time.Second, func() bool {
		_, err := t.cluster.client.get("jobset.x-k8s.io/v1alpha2", "JobSet", t.namespace, name)
		return err == nil
	})
	if err != nil {
		return "", err
	}
	restore, err := t.changePolicy(name)
	if err != nil {
		return "", err
	}
	defer restore()
	if _, err := t.round(); err != nil {
		return "", err
	}
	_, err = t.cluster.client.merge(trainer, "TrainJob", t.namespace, name, "",
		document{"spec": document{"suspend": false}})
	if err != nil {
		return "", err
	}
	lie := ""
	_, err = t.until(25*time.Second, func() bool {
		lie = cmp.Or(lie, t.falseScheduler(name))
		return t.isComplete(name) || t.operator == nil && t.conflict(name) != ""
	})
	bound, _ := t.boundOf(name)
	complete := t.isComplete(name)
	if lie != "" {
		return answer(false, "the condition GangReady says: scheduled by %s", lie), err
	}
	if because := t.conflict(name); because != "" && !complete {
		return answer(true, "conflict (%s)", because), err
	}
	return answer(complete, "%d of 3 bound, complete: %v", bound, complete), err
}

// falseScheduler is the scheduler that the operator's condition names, if it is not that of the pods.
func (t *team) falseScheduler(name string) string {
	status, message := t.gangReady(name)
	_, named, found := strings.Cut(message, "scheduled by ")
	pods, err := t.podsOf(name)
	if status != "True" || !found || err != nil || len(pods) == 0 {
		return ""
	}
	named, _, _ = strings.Cut(named, ";")
	if named == text(pods[0], "spec", "schedulerName") {
		return ""
	}
	return named
}

// changePolicy chooses another backend: the operator for all jobs of the team, the test only for
// one, because the jobs that have ended keep their policy.
func (t *team) changePolicy(only string) (restore func(), err error) {
	if t.operator != nil {
		return t.operator.change(t, func(own *teamPolicy) { own.backend = own.other })
	}
	before := t.policy
	t.policy, t.only = t.other, only
	return func() { t.policy, t.only = before, "" }, nil
}

// conflict says why a job cannot be reconciled, if it cannot.
func (t *team) conflict(name string) string {
	if t.operator != nil {
		return t.operator.conflict(t, name)
	}
	return t.conflicts[name]
}

// addPoolNode creates a node of a pool.
func (c *cluster) addPoolNode(pool string, number, gpus int) error {
	return c.addNode(fmt.Sprintf("%s-%d", pool, number), pool, gpus)
}

// playScenarios runs them one after the other, with a pool of three nodes at the beginning.
func (t *team) playScenarios(scenarios []scenario) ([]string, error) {
	for i := range 3 {
		if err := t.cluster.addPoolNode(t.pool, i, 1); err != nil {
			return nil, err
		}
	}
	var seen []string
	for _, one := range scenarios {
		what, err := one.run(t)
		if err != nil {
			what = "no: " + strings.ReplaceAll(err.Error(), "\n", " ")
		}
		say("%s: %s: %s", t.namespace, one.name, what)
		seen = append(seen, what)
	}
	return seen, nil
}
