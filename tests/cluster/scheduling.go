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
	defer watched.stop()
	start, moved, last := time.Now(), time.Now(), ""
	for time.Since(start) < limit && time.Since(moved) < calm {
		if _, err := t.round(); err != nil {
			return nil, err
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

// A watcher follows the pods of the jobs of one team. Pods are watched, because JobSet deletes some
// as soon as a job is complete.
type watcher struct {
	team  *team
	start time.Time
	stop  context.CancelFunc
	lock  sync.Mutex
	state map[string]*watchedJob
	// Groups that a TrainJob owns. Volcano makes groups of one pod for the others.
	groups map[string]bool
}

type watchedJob struct {
	minimum     int             // of the gang
	pods        map[string]bool // whether the pod is bound, by uid
	marks       map[string][]string
	complete    bool
	completedAt time.Time
	inPart      bool // some members were bound and the gang was not whole some time later
	partSince   time.Time
}

func (t *team) watchJobs() *watcher {
	ctx, cancel := context.WithCancel(context.Background())
	w := &watcher{team: t, start: time.Now(), stop: cancel, state: map[string]*watchedJob{},
		groups: map[string]bool{}}
	go t.cluster.client.watch(ctx, "v1", "Pod", func(one event) {
		if namespaceOf(one.Object) == t.namespace {
			w.observePod(one.Object)
		}
	})
	return w
}

func (w *watcher) of(name string) *watchedJob {
	if w.state[name] == nil {
		w.state[name] = &watchedJob{pods: map[string]bool{}, marks: map[string][]string{}}
	}
	return w.state[name]
}

const jobLabel = "jobset.sigs.k8s.io/jobset-name"

// look reads the jobs and their groups once.
func (w *watcher) look() error {
	live, err := w.team.live()
	if err != nil {
		return err
	}
	w.lock.Lock()
	defer w.lock.Unlock()
	for _, one := range live {
		switch kindOf(one) {
		case "TrainJob":
			job := w.of(nameOf(one))
			if !job.complete && hasCondition(one, "Complete") {
				job.complete, job.completedAt = true, time.Now()
			}
		case "PodGroup":
			w.observeGroup(one)
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
	w.lock.Lock()
	defer w.lock.Unlock()
	job, uid := w.of(name), text(pod, "metadata", "uid")
	job.pods[uid] = job.pods[uid] || text(pod, "spec", "nodeName") != ""
	job.marks[uid] = marksOf(pod)
}

// marksOf lists the groups that a pod names. There can be several: the Job controller of Kubernetes
// 1.36 makes one of its own.
func marksOf(pod document) []string {
	return []string{
		text(pod, "spec", "schedulingGroup", "podGroupName"),
		text(pod, "metadata", "labels", "scheduling.x-k8s.io/pod-group"),
		text(pod, "metadata", "annotations", "scheduling.k8s.io/group-name"),
		text(pod, "metadata", "annotations", "pod-group-name"),
		text(pod, "metadata", "labels", "yunikorn.apache.org/app-id"),
		text(pod, "metadata", "labels", "pod-group.scheduling.sigs.k8s.io"),
	}
}

// A gang binds pod by pod, so for a moment it is in part. It must not stay so.
const patience = 8 * time.Second

func (w *watcher) judge() {
	for _, job := range w.state {
		bound := w.boundMembers(job)
		partly := bound > 0 && bound < job.minimum
		if !partly {
			job.partSince = time.Time{}
		} else if job.partSince.IsZero() {
			job.partSince = time.Now()
		} else if time.Since(job.partSince) > patience {
			job.inPart = true
		}
	}
}

func (w *watcher) boundMembers(job *watchedJob) int {
	count := 0
	for uid, bound := range job.pods {
		isOurs := func(mark string) bool { return w.groups[mark] }
		if bound && slices.ContainsFunc(job.marks[uid], isOurs) {
			count++
		}
	}
	return count
}

// hasUnmarked tells whether a pod of a job names no group of a TrainJob.
func (w *watcher) hasUnmarked(job *watchedJob) bool {
	isOurs := func(mark string) bool { return w.groups[mark] }
	for _, marks := range job.marks {
		if !slices.ContainsFunc(marks, isOurs) {
			return true
		}
	}
	return false
}

func (j *watchedJob) bound() int {
	count := 0
	for _, bound := range j.pods {
		if bound {
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
	w.lock.Lock()
	defer w.lock.Unlock()
	done := 0
	for _, job := range w.state {
		if job.complete {
			done++
		}
	}
	return done == jobs
}

func (w *watcher) fingerprint() string {
	w.lock.Lock()
	defer w.lock.Unlock()
	var all strings.Builder
	for _, name := range sortedKeys(w.state) {
		job := w.state[name]
		fmt.Fprintf(&all, "%s %d %d %v;", name, len(job.pods), job.bound(), job.complete)
	}
	return all.String()
}

func (w *watcher) outcomes() map[string]outcome {
	w.lock.Lock()
	defer w.lock.Unlock()
	found := map[string]outcome{}
	for name, job := range w.state {
		found[name] = outcome{
			minimum: job.minimum, pods: len(job.pods), bound: job.bound(),
			whole:    job.minimum > 0 && w.boundMembers(job) >= job.minimum && !job.inPart,
			complete: job.complete, seconds: job.completedAt.Sub(w.start).Seconds(),
			because: w.team.conflicts[name],
		}
	}
	return found
}
