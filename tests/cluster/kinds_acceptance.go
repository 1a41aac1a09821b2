// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"path/filepath"
	"strings"
)

// A kindAcceptance submits the jobs of the cases and of tests/golden/jobs, with the objects and the
// marks that libgang renders for them, to an API server with the CRDs of all operators.
type kindAcceptance struct {
	*acceptance
	jobs  int
	byPod map[string]bool // kinds of jobs whose templates cannot have the marks
}

func (s *session) acceptKinds() (*kindAcceptance, error) {
	c, err := startCluster(s.minor, s.kubernetes)
	if err != nil {
		return nil, err
	}
	defer c.stop()
	err = applyKinds(c, operatorRecipe(), coschedulingRecipe(), volcanoRecipe(), lwsRecipe(),
		mpiOperatorRecipe(), kubeRayRecipe(), trainingOperatorRecipe(), sparkRecipe(),
		appWrapperRecipe())
	if err != nil {
		return nil, err
	}
	a := &kindAcceptance{
		acceptance: &acceptance{cluster: c, gangctl: s.gangctl, refusals: map[string]int{}},
		byPod:      map[string]bool{}}
	if err := a.canFail(); err != nil {
		return nil, err
	}
	jobs, err := kindSamples(s.root)
	if err != nil {
		return nil, err
	}
	for _, job := range jobs {
		for _, class := range classesOf(job) {
			if err := a.ensureClasses(document{"spec": document{"priorityClassName": class}}); err != nil {
				return nil, err
			}
		}
	}
	policies, err := forcedPolicies(s.gangctl, s.minor)
	if err != nil {
		return nil, err
	}
	for _, policy := range policies {
		facts, err := s.gangctl.facts(c, policy.workload)
		if err != nil {
			return nil, err
		}
		for name, job := range jobs {
			one := sample{name: name + " (" + policy.name + ")", policy: policy.policy, cluster: facts}
			if err := a.submitKind(one, job); err != nil {
				return nil, fmt.Errorf("%s: %w", one.name, err)
			}
		}
	}
	a.print()
	return a, nil
}

// kindSamples are the cases and the golden jobs.
func kindSamples(root string) (map[string]document, error) {
	found := map[string]document{}
	for _, one := range kindCases {
		job, err := one.document()
		if err != nil {
			return nil, err
		}
		found[one.name] = job
	}
	files, err := filepath.Glob(filepath.Join(root, "tests/golden/jobs/*/job.yaml"))
	for _, file := range files {
		documents, err := readDocuments(file)
		if err != nil {
			return nil, err
		}
		withImages(documents[0])
		found["golden/"+filepath.Base(filepath.Dir(file))] = documents[0]
	}
	return found, err
}

// classesOf finds the priority classes that a job names anywhere.
func classesOf(value any) []string {
	var found []string
	for _, item := range list(value) {
		found = append(found, classesOf(item)...)
	}
	fields, _ := value.(document)
	for key, member := range fields {
		if name, isText := member.(string); isText && strings.HasPrefix(key, "priorityClass") {
			found = append(found, name)
		}
		found = append(found, classesOf(member)...)
	}
	return found
}

// submitKind submits one job for one backend.
func (a *kindAcceptance) submitKind(one sample, job document) error {
	file, err := a.gangctl.write("kind.yaml", job)
	if err != nil {
		return err
	}
	one.files = []string{file}
	asked := question{files: one.files, policy: one.policy, cluster: one.cluster}
	plans, err := a.gangctl.render(asked)
	if err != nil {
		return err
	}
	if len(plans) == 0 {
		a.count.PlanErrors++
		a.problems = append(a.problems, "libgang refuses "+one.name)
		return nil
	}
	a.spaces++
	namespace := fmt.Sprintf("kind-%d", a.spaces)
	space := document{"apiVersion": "v1", "kind": "Namespace", "metadata": document{"name": namespace}}
	if _, err := a.cluster.client.create(space); err != nil {
		return err
	}
	for _, plan := range plans {
		if plan.Outcome != "Gang" {
			a.count.NoGang++
			continue
		}
		a.count.Plans++
		if err := a.submitObjects(one, asked, plan, namespace, len(plans) == 1); err != nil {
			return err
		}
	}
	if kindOf(job) == "GangJob" {
		return nil
	}
	written, err := a.gangctl.marked(asked)
	if err == nil {
		a.submitJob(one.name, namespace, job, written, plans)
	}
	return err
}

// submitJob creates the job with the marks in its templates. Where they cannot have them, a pod of
// each role is created with its marks.
func (a *kindAcceptance) submitJob(name, namespace string, job, written document, plans []plan) {
	a.jobs++
	if written != nil {
		for _, one := range itemsOf(written) {
			a.submit(name, unnumbered(one, namespace))
		}
		return
	}
	a.byPod[kindOf(job)] = true
	a.submit(name, unnumbered(job, namespace))
	for role, template := range templatesOf(job) {
		for i, plan := range plans {
			merged := copyOf(template)
			if patch := patchOf(plan, role); len(patch) > 0 {
				mergeInto(merged, copyOf(patch))
				a.count.Pod++
				a.submit(name, podOf(merged, fmt.Sprintf("%s-%d", role, i), namespace))
			}
		}
	}
}

// itemsOf are the pods of a list, or the job itself.
func itemsOf(job document) []document {
	items := list(job["items"])
	if items == nil {
		return []document{job}
	}
	var pods []document
	for _, item := range items {
		pods = append(pods, item.(document))
	}
	return pods
}

// unnumbered is a job for another namespace. The server gives it a uid.
func unnumbered(job document, namespace string) document {
	moved := inNamespace(job, namespace)
	delete(moved["metadata"].(document), "uid")
	return moved
}

func (a *kindAcceptance) passed() bool {
	return a.count.Refused+a.count.Dropped == 0
}

func (a *kindAcceptance) text() string {
	n := a.count
	return fmt.Sprintf("%d jobs with their marks, %d objects and %d pods were submitted with strict\n"+
		"field validation: %d refused, %d fields dropped.", a.jobs, n.Objects, n.Pod, n.Refused,
		n.Dropped)
}

func (a *kindAcceptance) print() {
	say("%s", strings.ReplaceAll(a.text(), "\n", " "))
	say("%d plans, %d without a gang, %d jobs that libgang refuses", a.count.Plans, a.count.NoGang,
		a.count.PlanErrors)
	say("marks on pods: %s", strings.Join(sortedKeys(a.byPod), ", "))
	for _, problem := range a.problems {
		say("  %s", problem)
	}
}
