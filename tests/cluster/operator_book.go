// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"
)

// A gangBook follows all pods and gangs of a namespace, and what the operator says of them.
type gangBook struct {
	team  *team
	lock  sync.Mutex
	pods  map[string]*bookPod // by uid
	gangs map[string]*bookGang
	told  map[string]string // by the name of a job: what the operator said last
	ready map[string]time.Time
	loose map[string]int // by job: the most pods that ran at one time and were in no gang
}

type bookPod struct {
	job   string // the case whose nodes it uses
	marks []string
	phase string
	bound bool      // also when it has ended or is gone
	when  time.Time // it was seen to be bound
	gone  bool
	since time.Time
}

type bookGang struct {
	minimum int
	since   time.Time // when some of its members had a node and others waited
	inPart  time.Duration
}

func newGangBook(t *team) *gangBook {
	return &gangBook{team: t, pods: map[string]*bookPod{}, gangs: map[string]*bookGang{},
		told: map[string]string{}, ready: map[string]time.Time{},
		loose: map[string]int{}}
}

// keep writes the book until the context ends.
func (b *gangBook) keep(ctx context.Context) {
	client := b.team.cluster.client
	go client.watch(ctx, "v1", "Pod", func(one event) {
		if namespaceOf(one.Object) == b.team.namespace {
			b.observe(one)
		}
	})
	go client.watch(ctx, "events.k8s.io/v1", "Event", func(one event) {
		if namespaceOf(one.Object) == b.team.namespace && one.Type != "DELETED" &&
			text(one.Object, "reportingController") == "libgang-operator" &&
			text(one.Object, "action") != "Diagnose" { // which says why it waits
			b.tell(text(one.Object, "regarding", "name"), text(one.Object, "reason"))
		}
	})
	for ctx.Err() == nil {
		read := time.Now()
		b.readGangs()
		b.judge(read)
		time.Sleep(500 * time.Millisecond)
	}
}

func (b *gangBook) observe(one event) {
	if isPlaceholder(one.Object) {
		return
	}
	b.lock.Lock()
	defer b.lock.Unlock()
	if name, minimum := taskGroupsOf(one.Object); minimum > 0 && b.gangs[name] == nil {
		b.gangs[name] = &bookGang{minimum: minimum}
	}
	uid := text(one.Object, "metadata", "uid")
	pod := b.pods[uid]
	if pod == nil {
		pod = &bookPod{since: time.Now()}
		b.pods[uid] = pod
	}
	_, pod.job, _ = strings.Cut(text(one.Object, "spec", "nodeSelector", "case"), ".")
	pod.marks = marksOf(one.Object)
	pod.phase = text(one.Object, "status", "phase")
	if !pod.bound && text(one.Object, "spec", "nodeName") != "" {
		pod.bound, pod.when = true, time.Now()
	}
	pod.gone = one.Type == "DELETED"
}

// taskGroupsOf is the gang of YuniKorn that a pod describes, and its minimum.
func taskGroupsOf(pod document) (name string, minimum int) {
	var groups []document
	written := text(pod, "metadata", "annotations", "yunikorn.apache.org/task-groups")
	if json.Unmarshal([]byte(written), &groups) != nil {
		return "", 0
	}
	for _, group := range groups {
		minimum += number(group, "minMember")
	}
	return text(pod, "metadata", "labels", "yunikorn.apache.org/app-id"), minimum
}

// tell keeps what was said last. A warning of the plan is said together with GangReady, before it or
// after it.
func (b *gangBook) tell(job, what string) {
	b.lock.Lock()
	defer b.lock.Unlock()
	if what == "GangReady" {
		b.ready[job] = time.Now()
	} else if b.told[job] == "GangReady" && time.Since(b.ready[job]) < time.Second {
		return
	}
	b.told[job] = what
}

// readGangs reads the minimum of each group, and the conditions of jobs that have them.
func (b *gangBook) readGangs() {
	for _, kind := range b.team.kinds {
		groups, err := b.team.cluster.client.items(kind[0], kind[1], b.team.namespace)
		if err != nil || kind[1] != "PodGroup" {
			continue
		}
		for _, group := range groups {
			if strings.HasPrefix(nameOf(group), "podgroup-") ||
				strings.Count(nameOf(group), ".") == 2 {
				continue // Volcano's own, of a pod that names none; KAI's of a role in no gang
			}
			minimum := max(number(group, "spec", "minMember"),
				number(group, "spec", "schedulingPolicy", "gang", "minCount"))
			for _, one := range list(at(group, "spec", "subGroups")) { // of KAI
				minimum += number(one, "minMember")
			}
			b.lock.Lock()
			if b.gangs[nameOf(group)] == nil {
				b.gangs[nameOf(group)] = &bookGang{}
			}
			b.gangs[nameOf(group)].minimum = minimum
			b.lock.Unlock()
		}
	}
	for _, kind := range b.team.jobs {
		jobs, _ := b.team.cluster.client.items(kind[0], kind[1], b.team.namespace)
		for _, job := range jobs {
			for _, one := range list(at(job, "status", "conditions")) {
				if text(one, "type") != "GangReady" {
					continue
				}
				what := text(one, "reason")
				if text(one, "status") == "True" {
					what = "GangReady"
				}
				b.tell(nameOf(job), what)
			}
		}
	}
}

// judge finds gangs of which some members run while others wait. Members bind one by one, so for a
// moment each gang is in part.
// A pod that was bound after the groups were read can be in one that is not known yet.
func (b *gangBook) judge(read time.Time) {
	b.lock.Lock()
	defer b.lock.Unlock()
	loose := map[string]int{}
	for _, pod := range b.pods {
		if pod.bound && pod.when.Before(read) && !pod.gone && b.gangOf(pod) == "" {
			loose[pod.job]++
			b.loose[pod.job] = max(b.loose[pod.job], loose[pod.job])
		}
	}
	for name, gang := range b.gangs {
		running, waiting := 0, 0
		for _, pod := range b.pods {
			if pod.gone || !slices.Contains(pod.marks, name) {
				continue
			}
			if pod.bound {
				running++
			} else {
				waiting++
			}
		}
		if running == 0 || waiting == 0 || running >= gang.minimum {
			gang.since = time.Time{}
		} else if gang.since.IsZero() {
			gang.since = time.Now()
		} else {
			gang.inPart = max(gang.inPart, time.Since(gang.since))
		}
	}
}

// A memberCount is of the pods of one job.
type memberCount struct {
	all, bound, marked, ran int // marked: bound and in a gang; ran: marked, also if they are gone
	unmarked                int // that have a node
}

func (b *gangBook) count(job string) (found memberCount) {
	b.lock.Lock()
	defer b.lock.Unlock()
	for _, pod := range b.pods {
		if pod.job != job {
			continue
		}
		isMarked := b.gangOf(pod) != ""
		if isMarked && pod.bound {
			found.ran++
		}
		if pod.gone {
			continue
		}
		found.all++
		if !pod.bound || pod.phase == "Failed" {
			continue
		}
		found.bound++
		if isMarked {
			found.marked++
		} else {
			found.unmarked++
		}
	}
	return found
}

// gangOf is the group of a pod that exists or existed; the caller has the lock.
func (b *gangBook) gangOf(pod *bookPod) string {
	for _, mark := range pod.marks {
		if mark != "" && b.gangs[mark] != nil {
			return mark
		}
	}
	return ""
}

// minimums are those of the gangs that a job has now.
func (b *gangBook) minimums(job string) (found []int) {
	b.lock.Lock()
	defer b.lock.Unlock()
	seen := map[string]bool{}
	for _, pod := range b.pods {
		if name := b.gangOf(pod); pod.job == job && !pod.gone && name != "" && !seen[name] {
			seen[name] = true
			found = append(found, b.gangs[name].minimum)
		}
	}
	slices.Sort(found)
	return found
}

// groups are the names of all gangs that a job has or had.
func (b *gangBook) groups(job string) map[string]bool {
	b.lock.Lock()
	defer b.lock.Unlock()
	found := map[string]bool{}
	for _, pod := range b.pods {
		if name := b.gangOf(pod); pod.job == job && name != "" {
			found[name] = true
		}
	}
	return found
}

// uids are those of the members of a job that exist.
func (b *gangBook) uids(job string) (found []string) {
	b.lock.Lock()
	defer b.lock.Unlock()
	for uid, pod := range b.pods {
		if pod.job == job && !pod.gone && b.gangOf(pod) != "" {
			found = append(found, uid)
		}
	}
	return found
}

// saying is what the operator said last of a job, or of an object that was created from it.
func (b *gangBook) saying(job string) (what string) {
	b.lock.Lock()
	defer b.lock.Unlock()
	for _, name := range sortedKeys(b.told) {
		if strings.HasPrefix(name, job) {
			what = b.told[name]
		}
	}
	return what
}

// without is how many pods of a job ran in no gang.
func (b *gangBook) without(job string) int {
	b.lock.Lock()
	defer b.lock.Unlock()
	return b.loose[job]
}

// partly names a gang of a job that stayed in part.
func (b *gangBook) partly(job string) string {
	for name := range b.groups(job) {
		b.lock.Lock()
		late := b.gangs[name].inPart
		b.lock.Unlock()
		if late > patience {
			return fmt.Sprintf("%s was in part for %.0f s", name, late.Seconds())
		}
	}
	return ""
}

// An audited request is one that the operator sent.
type audited struct {
	Verb           string
	StageTimestamp time.Time
	ObjectRef      struct{ Resource, Namespace, Name, Subresource, APIGroup string }
	ResponseStatus struct{ Code int }
}

func (a *audited) isWrite() bool {
	return !slices.Contains([]string{"get", "list", "watch"}, a.Verb) &&
		!slices.Contains([]string{"leases", "selfsubjectaccessreviews"}, a.ObjectRef.Resource)
}

func (a *audited) String() string {
	return fmt.Sprintf("%s %s %s", a.Verb, strings.TrimSuffix(a.ObjectRef.Resource+"/"+
		a.ObjectRef.Subresource, "/"), a.ObjectRef.Name)
}

const auditPolicy = `apiVersion: audit.k8s.io/v1
kind: Policy
omitStages: [RequestReceived]
rules:
- {level: Metadata, users: ["` + operatorUser + `"]}
- {level: Metadata, userGroups: [` + adaptersGroup + `]}
- {level: None}
`

// requests reads what the operator has sent to the server so far.
func (c *cluster) requests() (found []audited, err error) {
	file, err := os.Open(filepath.Join(c.folder, "audit.log"))
	if err != nil {
		return nil, err
	}
	defer func() { _ = file.Close() }()
	lines := bufio.NewScanner(file)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		one := audited{}
		if json.Unmarshal(lines.Bytes(), &one) == nil { // the last line may be half a line
			found = append(found, one)
		}
	}
	return found, lines.Err()
}
