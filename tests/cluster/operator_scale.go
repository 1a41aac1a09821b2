// SPDX-License-Identifier: Apache-2.0

package main

import (
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
)

// A scaleLab measures what gang-operator costs with many jobs. No scheduler runs, so nothing but
// the operator reacts to their pods.
type scaleLab struct {
	cluster  *cluster
	operator *operator
	jobs     int
	created  map[string]time.Time // when a Job was sent
	text     strings.Builder
	passed   bool
}

const scaleNamespace, podsOfJob = "scale", 10

// runScale creates -jobs Jobs of ten pods each.
func runScale(s *session) (bool, error) {
	defer s.withoutJobGangs()() // the operator would tell of the second gang in an event
	c, err := s.startWith((*cluster).startControllers, func(c *cluster) error {
		return applyKinds(c, coschedulingRecipe())
	})
	if err != nil {
		return false, err
	}
	defer c.stop()
	s.wakeInterval = "30s" // the default: woken more often, each job has more writes
	o, err := s.startGangOperator(c, map[string]*teamPolicy{
		scaleNamespace: {backend: coschedulingBackend.name}})
	if err != nil {
		return false, err
	}
	_, err = c.client.create(document{"apiVersion": "v1", "kind": "Namespace",
		"metadata": document{"name": scaleNamespace}})
	if err != nil {
		return false, err
	}
	l := &scaleLab{cluster: c, operator: o, jobs: s.jobs, created: map[string]time.Time{},
		passed: true}
	fmt.Fprintf(&l.text, "Kubernetes %s, %d Jobs of %d pods for coscheduling, without a scheduler: "+
		"every gang waits.\n\n", kubernetesVersions[s.minor], l.jobs, podsOfJob)
	row(&l.text, []string{"figure", "limit", "measured"})
	row(&l.text, make([]string, 3))
	if err := errors.Join(l.create(), l.wait(), l.touch(), l.rest(), l.restart()); err != nil {
		return false, err
	}
	section, command := "scale", "./dev cluster "+s.minor+" scale"
	if l.jobs > 1000 {
		section, command = "many jobs", fmt.Sprintf("./dev cluster -jobs %d %s scale", l.jobs, s.minor)
	}
	return l.passed, writeResults(filepath.Join(s.root, "doc", "operator.md"), section, command,
		s.minor, l.text.String())
}

// tell adds a figure, which must not be above its limit; 0: there is none.
func (l *scaleLab) tell(what string, limit, value float64, unit string) {
	bound := "–"
	if limit > 0 {
		bound = fmt.Sprintf("%g %s", limit, unit)
		l.passed = l.passed && value <= limit
	}
	measured := fmt.Sprintf("%.4g %s", value, unit)
	say("%s: %s (%s)", what, measured, bound)
	row(&l.text, []string{what, bound, measured})
}

// create sends all Jobs and waits for their PodGroups and pods.
func (l *scaleLab) create() error {
	before, start := l.usage(), time.Now()
	if err := l.sendJobs(); err != nil {
		return err
	}
	sent := time.Since(start)
	err := within(40*time.Minute, "all pods are created", func() bool {
		pods, err := l.cluster.client.count("v1", "Pod", scaleNamespace)
		groups, _ := l.cluster.client.count(coschedulingBackend.kinds[0][0], "PodGroup", scaleNamespace)
		time.Sleep(time.Second)
		return err == nil && pods == l.jobs*podsOfJob && groups == l.jobs
	})
	if err != nil {
		return err
	}
	time.Sleep(5 * time.Second)
	after, jobs := l.usage(), float64(l.jobs)
	l.tell("seconds to send the Jobs", 0, sent.Seconds(), "s")
	l.tell("seconds until all pods and PodGroups existed", 0, time.Since(start).Seconds()-5, "s")
	l.tell("CPU of the operator per job, with the events of its pods", 0,
		1000*(after.cpu-before.cpu).Seconds()/jobs, "ms")
	l.tell("memory (resident)", 0, after.memory, "MiB")
	return errors.Join(l.tellRequests(), l.tellWebhook())
}

var webhookBucket = regexp.MustCompile(`(?m)^gang_webhook_seconds_bucket\{.*le="([^"]+)"\} (\d+)$`)

// tellWebhook reads how long the operator took to answer the API server: bounds of its histogram.
func (l *scaleLab) tellWebhook() error {
	response, err := http.Get("http://" + l.operator.metrics + "/metrics")
	if err != nil {
		return err
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	counts, all := map[float64]float64{}, 0.0
	for _, found := range webhookBucket.FindAllStringSubmatch(string(text), -1) {
		bound, _ := strconv.ParseFloat(found[1], 64)
		count, _ := strconv.ParseFloat(found[2], 64)
		counts[bound] += count // the answers of at most this time, of all kinds and results
		all = max(all, counts[bound])
	}
	if all == 0 {
		return errors.Join(err, errors.New("the webhook was not asked"))
	}
	for _, one := range []struct {
		name         string
		share, limit float64
	}{{"median", 0.5, 0}, {"99 of 100", 0.99, 10.25}} {
		bounds := slices.Sorted(maps.Keys(counts))
		at := slices.IndexFunc(bounds,
			func(bound float64) bool { return counts[bound] >= one.share*all })
		l.tell("answers of the webhook, its own time, at most: "+one.name, one.limit,
			1000*bounds[at], "ms")
	}
	return err
}

// tellRequests is about what the operator sent, and when.
func (l *scaleLab) tellRequests() error {
	requests, err := l.cluster.requests()
	jobs := float64(l.jobs)
	writes, wakes, reads, late := 0, 0, 0, []float64{}
	for _, one := range requests {
		switch {
		case one.ObjectRef.Namespace != scaleNamespace:
		case one.Verb == "update" && one.ObjectRef.Resource == "podgroups":
			wakes++
		case one.isWrite():
			writes++
		case one.Verb != "watch":
			reads++
		}
		if created, ok := l.created[one.ObjectRef.Name]; ok && one.Verb == "create" &&
			one.ObjectRef.Resource == "podgroups" {
			late = append(late, one.StageTimestamp.Sub(created).Seconds())
		}
	}
	slices.Sort(late)
	l.tell("writes per job, events included", 3, float64(writes)/jobs, "")
	l.tell("writes per job to wake its gang, one in 30 s", 0, float64(wakes)/jobs, "")
	l.tell("live reads per job", 0.05, float64(reads)/jobs, "")
	if len(late) > 0 {
		l.tell("from the Job to its PodGroup, median", 0, late[len(late)/2], "s")
		l.tell("from the Job to its PodGroup, 99 of 100", 0, late[len(late)*99/100], "s")
	}
	return err
}

func (l *scaleLab) sendJobs() error {
	var lock sync.Mutex
	return eight(l.jobs, func(i int) error {
		name, sent := fmt.Sprintf("job-%d", i), time.Now()
		_, err := l.cluster.client.create(document{"apiVersion": "batch/v1", "kind": "Job",
			"metadata": document{"name": name, "namespace": scaleNamespace},
			"spec": document{"completionMode": "Indexed", "parallelism": float64(podsOfJob),
				"completions": float64(podsOfJob), "template": document{"spec": document{
					"restartPolicy": "Never", "containers": []any{document{
						"name": "main", "image": "none"}}}}}})
		lock.Lock()
		defer lock.Unlock()
		l.created[name] = sent
		return err
	})
}

// eight does as many things, eight at a time.
func eight(count int, do func(int) error) (problem error) {
	var all sync.WaitGroup
	var lock sync.Mutex
	next := make(chan int)
	for range 8 {
		all.Go(func() {
			for i := range next {
				if err := do(i); err != nil {
					lock.Lock()
					problem = errors.Join(problem, err)
					lock.Unlock()
				}
			}
		})
	}
	for i := range count {
		next <- i
	}
	close(next)
	all.Wait()
	return problem
}

// wait looks at gangs that wait: they are asked why, and woken.
func (l *scaleLab) wait() error {
	before := l.usage()
	time.Sleep(20 * time.Second)
	spent := 1000 * (l.usage().cpu - before.cpu).Seconds() / float64(l.jobs)
	l.tell("CPU per job in the next 20 s, in which it is asked why it waits", 0, spent, "ms")
	before = l.usage()
	time.Sleep(20 * time.Second)
	l.tell("CPU per second while all gangs wait, for 1,000 of them", 0,
		1000*1000*(l.usage().cpu-before.cpu).Seconds()/20/float64(l.jobs), "ms")
	return nil
}

// touch changes the phase of every pod, so that no gang is woken any more, and then a condition, as
// kubelets do.
func (l *scaleLab) touch() error {
	for _, one := range []struct {
		what   string
		limit  float64
		most   int // pods
		status document
	}{
		{"CPU per change of a pod's phase, while other gangs wait", 0, l.jobs * podsOfJob,
			document{"phase": "Running"}},
		{"CPU per status write of a pod that changes nothing here", 1, 10_000,
			document{"conditions": []any{
				document{"type": "PodReadyToStartContainers", "status": "True"}}}},
	} {
		pods, err := l.pods()
		if err != nil {
			return err
		}
		pods = pods[:min(one.most, len(pods))]
		before := l.usage()
		if err := eight(len(pods), func(i int) error {
			_, err := l.cluster.client.merge("v1", "Pod", scaleNamespace, pods[i], "/status",
				document{"status": one.status})
			return err
		}); err != nil {
			return err
		}
		time.Sleep(5 * time.Second)
		l.tell(one.what, one.limit,
			1000*(l.usage().cpu-before.cpu).Seconds()/float64(len(pods)), "ms")
	}
	return nil
}

// pods are the names of all pods, read in pages.
func (l *scaleLab) pods() (names []string, err error) {
	path, err := l.cluster.client.path("v1", "Pod", scaleNamespace, "")
	for more := "?limit=1000"; more != "" && err == nil; {
		answer, failed := l.cluster.client.send("GET", path+more, "", nil)
		for _, one := range list(answer["items"]) {
			names = append(names, nameOf(one.(document)))
		}
		if more, err = text(answer, "metadata", "continue"), failed; more != "" {
			more = "?limit=1000&continue=" + url.QueryEscape(more)
		}
	}
	return names, err
}

// rest looks at an operator for which there is nothing to do.
func (l *scaleLab) rest() error {
	before, writes := l.usage(), l.writes()
	time.Sleep(20 * time.Second)
	l.tell("CPU in 20 s in which nothing happens", 0, (l.usage().cpu - before.cpu).Seconds(), "s")
	l.tell("writes in these 20 s", 0, float64(l.writes()-writes), "")
	l.passed = l.passed && l.writes() == writes
	return nil
}

func (l *scaleLab) writes() (count int) {
	requests, _ := l.cluster.requests()
	for _, one := range requests {
		if one.ObjectRef.Namespace == scaleNamespace && one.isWrite() {
			count++
		}
	}
	return count
}

func (l *scaleLab) restart() error {
	l.operator.process.stop()
	writes, start := l.writes(), time.Now()
	if err := l.operator.start(); err != nil {
		return err
	}
	l.tell("from the start of the program to its webhook", 0, time.Since(start).Seconds(), "s")
	// It leads when the lease of the former one is over.
	if err := within(10*time.Minute, "all jobs are known again", l.knowsJobs); err != nil {
		return err
	}
	l.tell("from the start of the program until it has looked at all jobs", 0,
		time.Since(start).Seconds(), "s")
	for last := time.Duration(-1); l.usage().cpu-last > 100*time.Millisecond; {
		last = l.usage().cpu
		time.Sleep(5 * time.Second)
	}
	after := l.usage()
	l.tell("CPU of a restart", 0, after.cpu.Seconds(), "s")
	l.tell("memory (resident) after it", 0, after.memory, "MiB")
	l.tell("writes after it", 0, float64(l.writes()-writes), "")
	return nil
}

var jobsMetric = regexp.MustCompile(`(?m)^gang_jobs\{.*\} (\S+)$`)

func (l *scaleLab) knowsJobs() bool {
	response, err := http.Get("http://" + l.operator.metrics + "/metrics")
	if err != nil {
		return false
	}
	defer response.Body.Close()
	text, _ := io.ReadAll(response.Body)
	known := 0.0
	for _, found := range jobsMetric.FindAllStringSubmatch(string(text), -1) {
		count, _ := strconv.ParseFloat(found[1], 64)
		known += count
	}
	return known >= float64(l.jobs)
}

type usage struct {
	cpu    time.Duration
	memory float64 // MiB
}

// usage reads that of the operator from /proc.
func (l *scaleLab) usage() (found usage) {
	folder := fmt.Sprintf("/proc/%d/", l.operator.process.command.Process.Pid)
	stat, _ := os.ReadFile(folder + "stat")
	_, numbers, _ := strings.Cut(string(stat), ") ") // after the name of the program
	if fields := strings.Fields(numbers); len(fields) > 12 {
		user, _ := strconv.Atoi(fields[11])
		system, _ := strconv.Atoi(fields[12])
		found.cpu = time.Duration(user+system) * 10 * time.Millisecond
	}
	status, _ := os.ReadFile(folder + "status")
	if _, rest, ok := strings.Cut(string(status), "VmRSS:"); ok {
		kib, _ := strconv.ParseFloat(strings.Fields(rest)[0], 64)
		found.memory = kib / 1024
	}
	return found
}
