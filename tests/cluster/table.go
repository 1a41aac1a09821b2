// SPDX-License-Identifier: Apache-2.0

package main

import (
	"errors"
	"fmt"
	"os"
	"strings"
	"sync"
)

// A table is what the run of one minor showed, as it stands in doc/backends.md.
type table struct {
	results
	minor    string
	lock     sync.Mutex
	outcomes map[string]map[string]outcome // by team and job
	writes   map[string][]string
	seen     map[string][]string // what the scenarios showed, by team
}

// Results are those of one part of the tests.
type results struct {
	name, command string // in the comment above the table
	teams         string // what the namespaces of the teams begin with, and their name in the table
	scenarios     []scenario
}

var ofLibgang = results{"results", "./dev cluster", "libgang", scenarios}

func newTable(minor string, of results) *table {
	return &table{results: of, minor: minor, outcomes: map[string]map[string]outcome{},
		writes: map[string][]string{}, seen: map[string][]string{}}
}

func (t *table) addOutcomes(one *team, outcomes map[string]outcome) {
	t.lock.Lock()
	defer t.lock.Unlock()
	t.outcomes[one.namespace] = outcomes
}

func (t *table) addWrites(one *team, writes []string) {
	t.lock.Lock()
	defer t.lock.Unlock()
	t.writes[one.namespace] = writes
}

func (t *table) addScenarios(one *team, seen []string) {
	t.lock.Lock()
	defer t.lock.Unlock()
	t.seen[one.namespace] = seen
}

// passed says whether every job that libgang planned was whole and complete and every promise held.
func (t *table) passed() bool {
	for name, outcomes := range t.outcomes {
		for _, one := range outcomes {
			if strings.HasPrefix(name, t.teams) && (!one.whole || !one.complete) {
				return false
			}
		}
	}
	for _, writes := range t.writes {
		if len(writes) > 0 {
			return false
		}
	}
	for _, seen := range t.seen {
		for _, one := range seen {
			if !strings.HasPrefix(one, "yes") {
				return false
			}
		}
	}
	return true
}

// columns are the namespaces of the teams and their titles.
func (t *table) columns() (columns, titles []string) {
	return []string{t.teams + "-coscheduling", "upstream-coscheduling", t.teams + "-volcano",
			"upstream-volcano", t.teams + "-workload"},
		[]string{t.teams + ", Coscheduling", "upstream, Coscheduling", t.teams + ", Volcano",
			"upstream, Volcano", t.teams + ", Workload"}
}

func (t *table) text() string {
	var all strings.Builder
	columns, titles := t.columns()
	fmt.Fprintf(&all, "\nKubernetes %s, %s:\n\n", kubernetesVersions[t.minor], "`"+
		minors[t.minor].workloads[0]+"` of the Workload API")
	row(&all, append([]string{"job", "nodes"}, titles...))
	row(&all, make([]string, 2+len(titles)))
	for _, job := range tableJobs {
		cells := []string{job.name, fmt.Sprint(job.nodes)}
		for _, column := range columns {
			cells = append(cells, t.outcome(column, job.name))
		}
		row(&all, cells)
	}
	all.WriteString("\n")
	row(&all, []string{"guarantee", titles[0], titles[2], titles[4]})
	row(&all, make([]string, 4))
	for i, one := range t.scenarios {
		cells := []string{one.name}
		for _, column := range []int{0, 2, 4} {
			cells = append(cells, cell(t.seen[columns[column]], i))
		}
		row(&all, cells)
	}
	if len(t.writes) == 0 {
		return all.String()
	}
	cells := []string{"writes for the jobs above after they have ended, in at least one minute"}
	for _, column := range []int{0, 2, 4} {
		cells = append(cells, fmt.Sprint(len(t.writes[columns[column]])))
	}
	row(&all, cells)
	return all.String()
}

func (t *table) outcome(column, name string) string {
	if one, played := t.outcomes[column][name]; played {
		return one.String()
	}
	return "-"
}

func cell(values []string, i int) string {
	if i < len(values) {
		return values[i]
	}
	return "-"
}

func row(all *strings.Builder, cells []string) {
	for _, one := range cells {
		if one == "" {
			one = "---"
		}
		all.WriteString("| " + one + " ")
	}
	all.WriteString("|\n")
}

func (t *table) print() {
	for _, line := range strings.Split(strings.TrimSpace(t.text()), "\n") {
		say("%s", line)
	}
	for _, name := range sortedKeys(t.writes) {
		for _, what := range t.writes[name][:min(5, len(t.writes[name]))] {
			say("%s wrote again: %s", name, what)
		}
	}
}

// write replaces the part of the page that belongs to this minor.
func (t *table) write(page string) error {
	command := strings.Replace(t.command, "cluster", "cluster "+t.minor, 1)
	return writeResults(page, t.name, command, t.minor, strings.TrimPrefix(t.text(), "\n"))
}

// A resultPage is a page with the results of a part between two lines.
type resultPage struct{ path, before, text, after string }

func readResults(page, name, command, minor string) (*resultPage, error) {
	content, err := os.ReadFile(page)
	if err != nil {
		return nil, err
	}
	begin := fmt.Sprintf("<!-- %s on Kubernetes 1.%s: written by %s, do not edit -->\n", name, minor,
		command)
	const end = "<!-- end of the results -->\n"
	before, rest, found := strings.Cut(string(content), begin)
	if !found {
		return nil, fmt.Errorf("%w: %s has no line %s", errNoPlace, page, strings.TrimSpace(begin))
	}
	text, after, found := strings.Cut(rest, end)
	if !found {
		return nil, fmt.Errorf("%s has no line %s", page, strings.TrimSpace(end))
	}
	return &resultPage{page, before + begin, text, end + after}, nil
}

func (p *resultPage) write(text string) error {
	return os.WriteFile(p.path, []byte(p.before+text+p.after), 0o644)
}

var errNoPlace = errors.New("no place for the results")

// writeResults replaces the part of a page that a command writes for one minor. A page need not
// have the results of every minor.
func writeResults(page, name, command, minor, text string) error {
	results, err := readResults(page, name, command, minor)
	if errors.Is(err, errNoPlace) {
		say("%v", err)
		return nil
	}
	if err != nil {
		return err
	}
	return results.write(text)
}
