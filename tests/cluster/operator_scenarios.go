// SPDX-License-Identifier: Apache-2.0

package main

import (
	"slices"
	"strings"
	"time"
)

var ofOperator = results{"results of the operator", "./dev cluster operator", "operator",
	slices.Concat(operatorFirst, scenarios, operatorScenarios)}

var operatorFirst = []scenario{
	{"each job above has the condition GangReady, also after its end", areReady},
}

var operatorScenarios = []scenario{
	{"a job that the policy denies has no pods, and runs once the policy allows it", deniedJob},
	{"a job after a change of the policy has the new scheduler", nextJobMoves},
	{"a gang that waits for room is woken, if its scheduler sleeps", woken},
	{"all objects of a deleted job go, and it runs when created again", deleted},
}

func areReady(t *team) (string, error) {
	count := 0
	for _, one := range tableJobs {
		if status, _ := t.gangReady(one.name); status == "True" {
			count++
		}
	}
	return answer(count == len(tableJobs), "%d of %d", count, len(tableJobs)), nil
}

// woken counts the wakes of a gang that does not fit, and deletes it.
func woken(t *team) (string, error) {
	name := "sleepy"
	err := t.submit(job{name: name, runtime: "torch-distributed", nodes: 9, gpus: 1})
	if err == nil {
		err = t.created(name, 9)
	}
	if err != nil {
		return "", err
	}
	_, err = t.until(2*quiet, func() bool { return false })
	if err != nil {
		return "", err
	}
	live, err := t.live()
	wakes := "0"
	for _, one := range t.belongingTo(live, name) {
		if count := text(one, "metadata", "annotations", "policy.libgang.dev/wake"); count != "" {
			wakes = count
		}
	}
	if err != nil {
		return "", err
	}
	sleeps := t.backend.name == coschedulingBackend.name
	return answer(sleeps == (wakes != "0"), "%s wakes in %.0f s", wakes, (2 * quiet).Seconds()),
		t.removeJob(name)
}

// deniedJob asks for more pods than the policy allows. The webhook refuses the JobSet.
func deniedJob(t *team) (string, error) {
	restore, err := t.operator.change(t, func(own *teamPolicy) { own.maxMembers = 2 })
	if err != nil {
		return "", err
	}
	name := "large"
	err = t.submit(job{name: name, runtime: "torch-distributed", nodes: 3, gpus: 1})
	if err != nil {
		restore()
		return "", err
	}
	denied, _ := t.until(20*time.Second, func() bool {
		status, _ := t.gangReady(name)
		return status == "False"
	})
	_, message := t.gangReady(name)
	pods, err := t.podsOf(name)
	restore()
	if err != nil || !denied || len(pods) > 0 {
		return answer(false, "%d pods, condition: %s", len(pods), message), err
	}
	ok, err := t.until(30*time.Second, func() bool { return t.isComplete(name) })
	reason, _, _ := strings.Cut(message, ":")
	return answer(ok, "condition GangReady: %s; complete: %v", reason, ok), err
}

// nextJobMoves looks at the marks only: the nodes of a team belong to its own scheduler.
func nextJobMoves(t *team) (string, error) {
	restore, err := t.operator.change(t, func(own *teamPolicy) { own.backend = own.other })
	if err != nil {
		return "", err
	}
	defer restore()
	name := "next"
	err = t.submit(job{name: name, runtime: "torch-distributed", nodes: 3, gpus: 9})
	if err == nil {
		err = t.created(name, 3)
	}
	pods, _ := t.podsOf(name)
	if err != nil || len(pods) == 0 {
		return "", err
	}
	scheduler := text(pods[0], "spec", "schedulerName")
	return answer(scheduler != t.backend.scheduler, "%s instead of %s", scheduler,
		t.backend.scheduler), t.removeJob(name)
}

func (t *team) removeJob(name string) error {
	job, err := t.trainjob(name)
	if err != nil {
		return err
	}
	job["apiVersion"], job["kind"] = trainer, "TrainJob"
	return t.cluster.client.remove(job)
}

// remains counts the objects of a job.
func (t *team) remains(name string) int {
	live, err := t.live()
	if err != nil {
		return -1
	}
	return len(t.belongingTo(live, name))
}

// deleted deletes a job that waits for room.
func deleted(t *team) (string, error) {
	name := "again"
	err := t.submit(job{name: name, runtime: "torch-distributed", nodes: 9, gpus: 1})
	if err == nil {
		err = t.created(name, 9)
	}
	if err != nil {
		return "", err
	}
	count := t.remains(name)
	if err := t.removeJob(name); err != nil {
		return "", err
	}
	gone, err := t.until(30*time.Second, func() bool { return t.remains(name) == 0 })
	if err != nil || !gone {
		return answer(false, "%d of %d objects are left", t.remains(name), count), err
	}
	err = t.submit(job{name: name, runtime: "torch-distributed", nodes: 3, gpus: 1})
	if err != nil {
		return "", err
	}
	ok, err := t.until(40*time.Second, func() bool { return t.isComplete(name) })
	return answer(ok, "%d objects gone; created again, complete: %v", count, ok), err
}
