// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"
)

// A ledger follows all pods of a team and the gangs that they are in.
type ledger struct {
	lock  sync.Mutex
	pods  map[string]*ledgerPod  // by uid
	gangs map[string]*ledgerGang // by the name of the group
}

type ledgerPod struct {
	job   string // the case whose nodes it uses
	marks []string
	bound bool // also when it has ended
	phase string
}

type ledgerGang struct {
	job     string
	minimum int
	since   time.Time // when it began to have a node for some of its members only
	inPart  bool
}

func newLedger() *ledger {
	return &ledger{pods: map[string]*ledgerPod{}, gangs: map[string]*ledgerGang{}}
}

func (l *ledger) observe(pod document) {
	l.lock.Lock()
	defer l.lock.Unlock()
	uid := text(pod, "metadata", "uid")
	one := l.pods[uid]
	if one == nil {
		one = &ledgerPod{}
		l.pods[uid] = one
	}
	_, one.job, _ = strings.Cut(text(pod, "spec", "nodeSelector", "case"), ".")
	one.marks = marksOf(pod)
	one.bound = one.bound || text(pod, "spec", "nodeName") != ""
	one.phase = text(pod, "status", "phase")
}

func (l *ledger) addGang(job, name string, minimum int) {
	l.lock.Lock()
	defer l.lock.Unlock()
	if l.gangs[name] == nil {
		l.gangs[name] = &ledgerGang{job: job}
	}
	l.gangs[name].minimum = minimum
}

// judge finds gangs that stay in part. They bind pod by pod, so for a moment each is in part.
func (l *ledger) judge() {
	l.lock.Lock()
	defer l.lock.Unlock()
	for name, gang := range l.gangs {
		bound := l.boundMembers(name)
		if bound == 0 || bound >= gang.minimum {
			gang.since = time.Time{}
		} else if gang.since.IsZero() {
			gang.since = time.Now()
		} else if time.Since(gang.since) > patience {
			gang.inPart = true
		}
	}
}

func (l *ledger) boundMembers(gang string) int {
	count := 0
	for _, pod := range l.pods {
		if pod.bound && slices.Contains(pod.marks, gang) {
			count++
		}
	}
	return count
}

// boundOf counts the members of all gangs of a job that have or had a node.
func (l *ledger) boundOf(job string) int {
	l.lock.Lock()
	defer l.lock.Unlock()
	count := 0
	for name, gang := range l.gangs {
		if gang.job == job {
			count += l.boundMembers(name)
		}
	}
	return count
}

func (l *ledger) podsOf(job string) int {
	l.lock.Lock()
	defer l.lock.Unlock()
	count := 0
	for _, pod := range l.pods {
		if pod.job == job {
			count++
		}
	}
	return count
}

func (l *ledger) minimumOf(job string) int {
	l.lock.Lock()
	defer l.lock.Unlock()
	most := 0
	for _, gang := range l.gangs {
		if gang.job == job {
			most = max(most, gang.minimum)
		}
	}
	return most
}

// inPart names a gang of a job that stayed in part.
func (l *ledger) inPart(job string) string {
	l.lock.Lock()
	defer l.lock.Unlock()
	for _, name := range sortedKeys(l.gangs) {
		if l.gangs[name].job == job && l.gangs[name].inPart {
			return name
		}
	}
	return ""
}

func (l *ledger) fingerprint() string {
	l.lock.Lock()
	defer l.lock.Unlock()
	var all strings.Builder
	for _, uid := range sortedKeys(l.pods) {
		fmt.Fprintf(&all, "%s %v %s;", uid, l.pods[uid].bound, l.pods[uid].phase)
	}
	return all.String()
}
