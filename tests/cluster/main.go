// SPDX-License-Identifier: Apache-2.0

// The tests against real servers. README.md describes them.
//
//	cluster -gangctl PATH [-root FOLDER] [-record] [-share N] [-seed N] MINOR [PART...]
package main

import (
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"time"
)

var started = time.Now()

func say(format string, arguments ...any) {
	fmt.Printf("%6.1f s  %s\n", time.Since(started).Seconds(), fmt.Sprintf(format, arguments...))
}

// The main goroutine starts all children, and they die with its thread.
func init() { runtime.LockOSThread() }

// A part is one group of tests.
type part struct {
	name   string
	minors []string
	run    func(*session) (bool, error)
}

// The order is that of a run.
var parts = []part{
	{"acceptance", []string{"35", "36", "37"}, runAcceptance},
	{"convergence", []string{"36", "37"}, runConvergence},
	{"scheduling", []string{"36", "37"}, runScheduling},
	{"operator", []string{"36", "37"}, runOperatorKinds},
	{"operator", []string{"36", "37"}, runOperator},
	{"adapters", []string{"36", "37"}, runAdapters},
	{"install", []string{"36"}, runInstall},
	{"faults", []string{"36", "37"}, runFaults},
	{"native", []string{"37"}, runNative},
	{"scale", []string{"36", "37"}, runScale},
	{"options", []string{"35", "36", "37"}, runOptions},
	{"kinds", []string{"36", "37"}, runKinds},
	{"kueue", []string{"36"}, runKueue},
	{"embed", []string{"36", "37"}, runEmbed},
	{"embed", []string{"36", "37"}, runSweep},
	{"why", []string{"36", "37"}, runWhy},
	{"plugin", []string{"36"}, runPlugin},
	{"fit", []string{"35", "36", "37"}, runFit},
}

// A session is one run of the program.
type session struct {
	minor, root string
	python      string
	gangctl     *gangctl
	kubernetes  string // the folder of the built programs
	record      bool   // whether live documents are kept as test data
	// Which jobs with options are played: one of so many.
	share, seed  int
	wakeInterval string         // of gang-operator; empty: a short one
	jobs         int            // of the part scale
	only         string         // kinds and backends of the part operator
	states       *regexp.Regexp // of the part why
	cases        int            // of the part fit
}

func main() {
	if len(os.Args) > 3 && os.Args[1] == "spark-submit" {
		if err := submitSpark(os.Args[2:]); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	}
	path := flag.String("gangctl", os.Getenv("GANGCTL"), "the gangctl to test")
	root := flag.String("root", "../..", "the repository")
	record := flag.Bool("record", false, "keep live documents in tests/recorded/live")
	python := flag.String("python", "", "a Python with PyYAML and the client of Kubernetes")
	share := flag.Int("share", 20, "play one of so many of the jobs with options")
	seed := flag.Int("seed", 1, "chooses those jobs")
	jobs := flag.Int("jobs", 500, "how many jobs the part scale creates")
	only := flag.String("only", "", "KIND,BACKEND,... that the part operator plays, words in the name "+
		"of a fault, or helm3, helm4 or kustomize")
	states := flag.String("states", "", "play the states of the part why whose names match")
	cases := flag.Int("cases", 20500, "how many clusters the part fit makes")
	flag.Parse()
	ok, err := run(session{root: *root, record: *record, python: *python, share: *share, seed: *seed,
		only: *only, states: regexp.MustCompile(*states), cases: *cases, jobs: *jobs,
		gangctl: &gangctl{path: *path}}, flag.Args())
	if err != nil {
		fmt.Fprintln(os.Stderr, "cluster:", err)
		os.Exit(2)
	}
	if !ok {
		os.Exit(1)
	}
}

func run(s session, arguments []string) (bool, error) {
	s.minor = "36"
	if len(arguments) > 0 {
		s.minor, arguments = arguments[0], arguments[1:]
	}
	if _, known := minors[s.minor]; !known {
		return false, fmt.Errorf("no minor %q; there are 35, 36 and 37", s.minor)
	}
	for _, name := range arguments {
		known := func(one part) bool { return one.name == name }
		if !slices.ContainsFunc(parts, known) {
			return false, fmt.Errorf("no part %q", name)
		}
	}
	if err := s.prepare(!slices.Equal(arguments, []string{"fit"})); err != nil {
		return false, err
	}
	defer func() { _ = os.RemoveAll(s.gangctl.folder) }()
	return s.runParts(arguments)
}

func (s *session) prepare(needsServers bool) error {
	var err error
	if s.root, err = filepath.Abs(s.root); err != nil {
		return err
	}
	if needsServers {
		if s.kubernetes, err = kubernetesRecipe(s.minor).build(); err != nil {
			return err
		}
	}
	s.gangctl.folder, err = os.MkdirTemp("", "gangctl-")
	return err
}

func (s *session) runParts(names []string) (bool, error) {
	passed := true
	for _, one := range parts {
		if len(names) > 0 && !slices.Contains(names, one.name) || !slices.Contains(one.minors, s.minor) {
			continue
		}
		ok, err := one.run(s)
		if err != nil {
			return false, fmt.Errorf("%s: %w", one.name, err)
		}
		passed = passed && ok
	}
	say("done")
	return passed, nil
}

// runAcceptance needs no controllers: what it creates is only looked at.
func runAcceptance(s *session) (bool, error) {
	c, err := startCluster(s.minor, s.kubernetes)
	if err != nil {
		return false, err
	}
	defer c.stop()
	if err := applyKinds(c, operatorRecipe(), coschedulingRecipe(), volcanoRecipe()); err != nil {
		return false, err
	}
	a := &acceptance{cluster: c, gangctl: s.gangctl, python: s.python, refusals: map[string]int{}}
	if err := a.run(s.root); err != nil {
		return false, err
	}
	a.report()
	return a.count.Refused+a.count.Dropped == 0, nil
}

// runFit asks about random clusters and gangs, which the filters of Kubernetes' scheduler place.
func runFit(s *session) (bool, error) {
	folder, err := fitRecipe(s.minor).build()
	if err != nil {
		return false, err
	}
	command := exec.Command(program(folder, "fit"), "-gangctl", s.gangctl.path, "-keep", os.TempDir(),
		"-cases", fmt.Sprint(s.cases), "-seed", fmt.Sprint(s.seed))
	command.Stdout, command.Stderr = os.Stdout, os.Stderr
	return command.Run() == nil, nil
}

// applyKinds creates all CustomResourceDefinitions that recipes have.
func applyKinds(c *cluster, recipes ...recipe) error {
	for _, one := range recipes {
		folder, err := one.manifests().build()
		if err != nil {
			return err
		}
		for _, name := range sortedKeys(one.Copies) {
			if !strings.HasSuffix(name, "/crds") {
				continue
			}
			if err := c.applyDefinitions(filepath.Join(folder, "manifests", name)); err != nil {
				return err
			}
		}
	}
	return nil
}
