// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"strings"
	"time"
)

// The jobs of the table: the nine runtimes of the operator's release.
var tableJobs = []job{
	{name: "torch", runtime: "torch-distributed", nodes: 3, gpus: 1},
	{name: "jax", runtime: "jax-distributed", nodes: 2, gpus: 1},
	{name: "xgboost", runtime: "xgboost-distributed", nodes: 2, gpus: 1},
	{name: "mlx", runtime: "mlx-distributed", nodes: 2, gpus: 1},
	{name: "deepspeed-2", runtime: "deepspeed-distributed", nodes: 2, gpus: 1},
	{name: "deepspeed-3", runtime: "deepspeed-distributed", nodes: 3, gpus: 1},
	{name: "data-cache", runtime: "torch-distributed-with-cache", nodes: 2, gpus: 1},
	{name: "llama-1b", runtime: "torchtune-llama3.2-1b", nodes: 1, gpus: 1},
	{name: "llama-1b-4", runtime: "torchtune-llama3.2-1b", nodes: 4, gpus: 1},
	{name: "llama-3b", runtime: "torchtune-llama3.2-3b", nodes: 1, gpus: 1},
	{name: "qwen", runtime: "torchtune-qwen2.5-1.5b", nodes: 1, gpus: 1},
}

// An outcome is what became of one job.
type outcome struct {
	minimum, pods, bound int
	whole, complete      bool
	seconds              float64
	because              string
}

func (o outcome) String() string {
	switch {
	case o.complete && o.whole:
		return fmt.Sprintf("complete (gang of %d)", o.minimum)
	case o.complete:
		return fmt.Sprintf("complete, but not whole (gang of %d)", o.minimum)
	}
	state := fmt.Sprintf("**stuck**: minimum %d, %d of %d pods bound", o.minimum, o.bound, o.pods)
	if o.because != "" {
		state += " (" + o.because + ")"
	}
	return state
}

// playJobs submits the jobs of the table and runs the team until all are complete or nothing moves
// any more.
func (t *team) playJobs(jobs []job, limit, calm time.Duration) (map[string]outcome, error) {
	for _, one := range jobs {
		if err := t.submit(one); err != nil {
			return nil, fmt.Errorf("%s: %w", one.name, err)
		}
	}
	watched := t.watchJobs()
	start, moved, last := time.Now(), time.Now(), ""
	for time.Since(start) < limit && time.Since(moved) < calm {
		if t.policy != "" {
			if _, err := t.round(); err != nil {
				return nil, err
			}
		}
		if err := watched.look(); err != nil {
			return nil, err
		}
		if watched.complete(len(jobs)) {
			break
		}
		if now := watched.fingerprint(); now != last {
			last, moved = now, time.Now()
		}
		time.Sleep(300 * time.Millisecond)
	}
	return watched.outcomes(), nil
}

// A watcher follows the pods of the jobs of one team.
type watcher struct {
	team  *team
	start time.Time
	state map[string]*watchedJob
	// Groups that a TrainJob owns. Volcano makes groups of one pod for the others.
	groups map[string]bool
}

type watchedJob struct {
	minimum         int // of the gang
	pods            map[string]bool
	bound           map[string]time.Time
	members         map[string]bool
	complete        bool
	completedAt     time.Time
	inPart          bool // some members were bound and the gang was not whole some time later
	incompleteSince time.Time
}

func (t *team) watchJobs() *watcher {
	return &watcher{team: t, start: time.Now(), state: map[string]*watchedJob{},
		groups: map[string]bool{}}
}

func (w *watcher) of(name string) *watchedJob {
	if w.state[name] == nil {
		w.state[name] = &watchedJob{pods: map[string]bool{}, bound: map[string]time.Time{},
			members: map[string]bool{}}
	}
	return w.state[name]
}

const jobLabel = "jobset.sigs.k8s.io/jobset-name"

// look reads the jobs, their groups and their pods once.
func (w *watcher) look() error {
	live, err := w.team.live()
	if err != nil {
		return err
	}
	for _, one := range live {
		switch text(one, "kind") {
		case "TrainJob":
			job := w.of(nameOf(one))
			if !job.complete && hasCondition(one, "Complete") {
				job.complete, job.completedAt = true, time.Now()
			}
		case "PodGroup":
			w.observeGroup(one)
		}
	}
	for _, one := range live {
		if text(one, "kind") == "Pod" {
			w.observePod(one)
		}
	}
	w.judge()
	return nil
}

func (w *watcher) observeGroup(group document) {
	for _, owner := range list(at(group, "metadata", "ownerReferences")) {
		if text(owner, "kind") != "TrainJob" {
			continue
		}
		w.groups[nameOf(group)] = true
		minimum := max(number(group, "spec", "minMember"),
			number(group, "spec", "schedulingPolicy", "gang", "minCount"))
		if minimum > 0 {
			w.of(text(owner, "name")).minimum = minimum
		}
	}
}

func (w *watcher) observePod(pod document) {
	name := text(pod, "metadata", "labels", jobLabel)
	if name == "" {
		return
	}
	job, uid := w.of(name), text(pod, "metadata", "uid")
	job.pods[uid] = true
	if w.isMember(pod) {
		job.members[uid] = true
	}
	if _, known := job.bound[uid]; !known && text(pod, "spec", "nodeName") != "" {
		job.bound[uid] = time.Now()
	}
}

// isMember says whether a pod names a group of a TrainJob. A pod can name several groups: the Job
// controller of Kubernetes 1.36 makes one of its own.
func (w *watcher) isMember(pod document) bool {
	return w.groups[text(pod, "spec", "schedulingGroup", "podGroupName")] ||
		w.groups[text(pod, "metadata", "labels", "scheduling.x-k8s.io/pod-group")] ||
		w.groups[text(pod, "metadata", "annotations", "scheduling.k8s.io/group-name")]
}

// A gang binds pod by pod, so for a moment it is in part. It must not stay so.
const patience = 8 * time.Second

func (w *watcher) judge() {
	for _, job := range w.state {
		bound := job.boundMembers()
		partly := bound > 0 && bound < job.minimum
		if !partly {
			job.incompleteSince = time.Time{}
		} else if job.incompleteSince.IsZero() {
			job.incompleteSince = time.Now()
		} else if time.Since(job.incompleteSince) > patience {
			job.inPart = true
		}
	}
}

func (j *watchedJob) boundMembers() int {
	count := 0
	for uid := range j.bound {
		if j.members[uid] {
			count++
		}
	}
	return count
}

func hasCondition(object document, kind string) bool {
	for _, one := range list(at(object, "status", "conditions")) {
		if text(one, "type") == kind {
			return text(one, "status") == "True"
		}
	}
	return false
}

func (w *watcher) complete(jobs int) bool {
	done := 0
	for _, job := range w.state {
		if job.complete {
			done++
		}
	}
	return done == jobs
}

func (w *watcher) fingerprint() string {
	var all strings.Builder
	for _, name := range sortedKeys(w.state) {
		job := w.state[name]
		fmt.Fprintf(&all, "%s %d %d %v;", name, len(job.pods), len(job.bound), job.complete)
	}
	return all.String()
}

func (w *watcher) outcomes() map[string]outcome {
	found := map[string]outcome{}
	for name, job := range w.state {
		found[name] = outcome{
			minimum: job.minimum, pods: len(job.pods), bound: len(job.bound),
			whole:    job.minimum > 0 && job.boundMembers() >= job.minimum && !job.inPart,
			complete: job.complete, seconds: job.completedAt.Sub(w.start).Seconds(),
			because: w.team.conflicts[name],
		}
	}
	return found
}
