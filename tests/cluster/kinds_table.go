// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"slices"
	"strings"
	"sync"
)

// kindResults is what a run showed, as it stands in doc/kinds.md.
type kindResults struct {
	minor string
	lock  sync.Mutex
	teams map[string]*kindTeam
}

func newKindResults(minor string) *kindResults {
	return &kindResults{minor: minor, teams: map[string]*kindTeam{}}
}

func (r *kindResults) add(t *kindTeam) {
	r.lock.Lock()
	defer r.lock.Unlock()
	r.teams[t.namespace] = t
}

// isRight says whether a case did what it should with a scheduler.
func (o *kindOutcome) isRight(one kindCase, scheduler string) bool {
	for i, bound := range o.bound {
		if bound != one.boundBy(scheduler, i) {
			return false
		}
	}
	return o.atEnd == one.rooms[len(one.rooms)-1].bound && o.ended && o.inPart == "" && o.problem == ""
}

// text says what was seen: the members with a node while there was too little room, and the end.
func (o *kindOutcome) text(one kindCase, scheduler string) string {
	var before []string
	for _, bound := range o.bound {
		before = append(before, fmt.Sprint(bound))
	}
	seen := strings.Join(before, ", then ") + " bound; "
	switch {
	case o.problem != "":
		seen += "**" + o.problem + "**"
	case o.inPart != "":
		seen += "**in part**: " + o.inPart
	case !o.ended:
		seen += fmt.Sprintf("**stuck**: minimum %d, %d of %d pods bound", o.minimum,
			o.atEnd, o.pods)
	case one.isService():
		seen += "ready"
	default:
		seen += "complete"
	}
	if !o.isRight(one, scheduler) && !strings.Contains(seen, "**") {
		seen = "**" + seen + "**"
	}
	return seen
}

func (k kindCase) isService() bool {
	return strings.HasPrefix(k.name, "lws") || strings.HasPrefix(k.name, "ray") ||
		k.name == "stateful-set"
}

func (r *kindResults) passed() bool {
	for name, t := range r.teams {
		for _, one := range t.cases {
			if strings.HasPrefix(name, "kinds-") && !t.outcomes[one.name].isRight(one, t.backend.name) {
				return false
			}
		}
		if len(t.refusedWrites()) > 0 {
			return false
		}
	}
	return true
}

// refusedWrites are the writes of the team that the server refused. A write can meet a newer
// version of its object.
func (t *kindTeam) refusedWrites() []string {
	return slices.DeleteFunc(slices.Clone(t.writes), func(what string) bool {
		return !strings.Contains(what, ": ") || strings.Contains(what, ": 409 ")
	})
}

func (r *kindResults) text() string {
	var all strings.Builder
	fmt.Fprintf(&all, "Kubernetes %s, `%s` of the Workload API.\n\n", kubernetesVersions[r.minor],
		minors[r.minor].workloads[0])
	row(&all, []string{"job", "minimum of each gang", "too little room", "Coscheduling", "Volcano",
		"Workload"})
	row(&all, make([]string, 6))
	for _, one := range kindCases {
		file := fmt.Sprintf("[%s](../tests/cluster/testdata/kinds/%s.yaml)", one.name, one.name)
		cells := []string{file, one.gangs, one.short}
		for _, backend := range []string{"coscheduling", "volcano", "workload"} {
			cells = append(cells, r.cell("kinds-"+backend, one))
		}
		row(&all, cells)
	}
	all.WriteString("\nThe gangs of mpi-operator itself (`--gang-scheduling`):\n\n")
	row(&all, []string{"job", "too little room", "mpi-operator, Coscheduling",
		"mpi-operator, Volcano"})
	row(&all, make([]string, 4))
	for _, one := range r.teams["upstream-volcano"].cases {
		row(&all, []string{one.name, one.short, r.cell("upstream-coscheduling", one),
			r.cell("upstream-volcano", one)})
	}
	return all.String()
}

func (r *kindResults) cell(team string, one kindCase) string {
	if t := r.teams[team]; t != nil && t.outcomes[one.name] != nil {
		return t.outcomes[one.name].text(one, t.backend.name)
	}
	return "-"
}

func (r *kindResults) print() {
	for _, line := range strings.Split(strings.TrimSpace(r.text()), "\n") {
		say("%s", line)
	}
	for _, name := range sortedKeys(r.teams) {
		for _, what := range r.teams[name].refusedWrites() {
			say("%s: %s", name, what)
		}
	}
}

func (r *kindResults) write(page string) error {
	return writeResults(page, "kinds", "./dev cluster "+r.minor+" kinds", r.minor, r.text())
}
