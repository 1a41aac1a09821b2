// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"path/filepath"
	"slices"
	"sort"
	"strings"
)

// acceptance submits what plans contain to a real API server, with strict field validation.
type acceptance struct {
	cluster  *cluster
	gangctl  *gangctl
	python   string // with PyYAML, or empty
	count    counts
	problems []string
	refusals map[string]int // what the server says of templates that are wrong without the plan too
	spaces   int
}

type counts struct {
	Plans, Submitted, Refused, Agreed, Dropped int
	PlanErrors, NoGang, OtherServer, NotServed int
	InvalidBefore, Pod                         int
	Objects, JobSets                           int
}

// canFail shows that the server refuses an unknown field, and that a dropped one is found.
func (a *acceptance) canFail() error {
	object := document{"apiVersion": "v1", "kind": "Pod",
		"metadata": document{"name": "check", "namespace": "default"},
		"spec": document{"unknown": true, "containers": []any{
			document{"name": "c", "image": "none"}}}}
	if _, err := a.cluster.client.create(object); !isStatus(err, 400) {
		return fmt.Errorf("the server does not refuse an unknown field: %v", err)
	}
	path, err := a.cluster.client.pathOf(object, false)
	if err != nil {
		return err
	}
	stored, err := a.cluster.client.send("POST", path+"?dryRun=All", "application/json", object)
	if err != nil {
		return err
	}
	if found := differences(object, stored); !slices.Equal(found, []string{".spec.unknown: dropped"}) {
		return fmt.Errorf("a dropped field is not found: %q", found)
	}
	return nil
}

func (a *acceptance) run(root string) error {
	if err := a.canFail(); err != nil {
		return err
	}
	all, err := samples(root)
	if err != nil {
		return err
	}
	policies, err := forcedPolicies(a.gangctl, a.cluster.minor)
	if err != nil {
		return err
	}
	facts := map[string]string{}
	for _, policy := range policies {
		if facts[policy.workload], err = a.gangctl.facts(a.cluster, policy.workload); err != nil {
			return err
		}
	}
	some, err := decisions(a.python, root, a.gangctl.folder)
	if err != nil {
		return err
	}
	for _, one := range slices.Concat(all, some) {
		if err := a.submitSample(one); err != nil {
			return fmt.Errorf("%s: %w", one.name, err)
		}
	}
	for _, one := range distinct(all) {
		if one.policy != "" {
			continue
		}
		for _, policy := range policies {
			one := sample{name: one.name + " (" + policy.name + ")", files: one.files,
				policy: policy.policy, cluster: facts[policy.workload]}
			if err := a.submitSample(one); err != nil {
				return fmt.Errorf("%s: %w", one.name, err)
			}
		}
	}
	return nil
}

func (a *acceptance) submitSample(one sample) error {
	asked := question{files: one.files, policy: one.policy, cluster: one.cluster}
	plans, err := a.gangctl.render(asked)
	if err != nil {
		return err
	}
	if len(plans) == 0 { // gangctl prints nothing if a plan has errors
		a.count.PlanErrors++
	}
	for _, plan := range plans {
		if plan.Outcome != "Gang" {
			a.count.NoGang++
			continue
		}
		if !a.isForThisServer(plan) {
			a.count.OtherServer++
			continue
		}
		a.count.Plans++
		if err := a.submitPlan(one, asked, plan, len(plans) == 1); err != nil {
			return err
		}
	}
	return nil
}

// Each version of the Workload API belongs to other minors of Kubernetes.
func (a *acceptance) isForThisServer(p plan) bool {
	return p.Backend.Type != "Workload" || a.cluster.client.serves(p.Backend.APIVersion, "Workload")
}

// submitPlan uses a namespace of its own, so that no two plans share a name.
func (a *acceptance) submitPlan(one sample, asked question, p plan, alone bool) error {
	a.spaces++
	namespace := fmt.Sprintf("case-%d", a.spaces)
	space := document{"apiVersion": "v1", "kind": "Namespace", "metadata": document{"name": namespace}}
	if _, err := a.cluster.client.create(space); err != nil {
		return err
	}
	if err := a.submitObjects(one, asked, p, namespace, alone); err != nil {
		return err
	}
	if len(one.files) < 2 || filepath.Base(one.files[0])[:2] == "po" {
		return nil
	}
	return a.submitTemplates(one, p, namespace)
}

// submitObjects creates the objects in their order. What comes after a Workload is rendered again
// with its uid.
func (a *acceptance) submitObjects(one sample, asked question, p plan, namespace string,
	alone bool) error {
	objects := p.Objects
	for i := 0; i < len(objects); i++ {
		object := inNamespace(objects[i].Object, namespace)
		if !a.cluster.client.serves(text(object, "apiVersion"), text(object, "kind")) {
			a.count.NotServed++
			continue
		}
		if err := a.ensureClasses(object); err != nil {
			return err
		}
		a.count.Objects++
		stored := a.submit(one, object)
		if stored == nil || !alone || text(object, "kind") != "Workload" {
			continue
		}
		asked.workload = text(stored, "metadata", "uid")
		again, err := a.gangctl.render(asked)
		if err != nil {
			return err
		}
		objects = again[0].Objects
	}
	return nil
}

func inNamespace(object document, namespace string) document {
	moved := copyOf(object)
	set(moved, namespace, "metadata", "namespace")
	return moved
}

// submit creates one object and compares what the server stored. It returns nil if the server
// refused.
func (a *acceptance) submit(one sample, object document) document {
	a.count.Submitted++
	what := fmt.Sprintf("%s: %s %s %s", one.name, text(object, "apiVersion"), text(object, "kind"),
		nameOf(object))
	stored, err := a.cluster.client.create(object)
	if err != nil && one.ofOperator && a.refuses(one) {
		a.count.Agreed++
		a.refusals[reasonOf(err)]++
		return nil
	}
	if err != nil {
		a.count.Refused++
		a.problems = append(a.problems, fmt.Sprintf("refused %s: %v", what, err))
		return nil
	}
	if dropped := differences(object, stored); len(dropped) > 0 {
		a.count.Dropped += len(dropped)
		a.problems = append(a.problems, fmt.Sprintf("dropped %s: %s", what, strings.Join(dropped, "; ")))
	}
	return stored
}

// refuses says that without compatibility libgang refuses the input, as the server refuses what the
// operator makes of it.
func (a *acceptance) refuses(one sample) bool {
	plans, err := a.gangctl.render(question{files: one.files, cluster: one.cluster})
	return err == nil && len(plans) == 0
}

// submitTemplates creates a pod of each role with its patch, and a JobSet with all patches.
func (a *acceptance) submitTemplates(one sample, p plan, namespace string) error {
	runtime, err := runtimeOf(one.files)
	if err != nil || runtime == nil {
		return err
	}
	jobset := jobsetOf(runtime, p.Metadata.Name, namespace)
	bare := copyOf(jobset)
	for _, role := range list(at(jobset, "spec", "replicatedJobs")) {
		role := role.(document)
		template, _ := at(role, "template", "spec", "template").(document)
		before := podOf(template, text(role, "name"), namespace)
		if err := a.ensureClasses(before); err != nil {
			return err
		}
		if template == nil {
			continue
		}
		mergeInto(template, patchOf(p, text(role, "name")))
		pod := podOf(template, text(role, "name"), namespace)
		if err := a.ensureClasses(pod); err != nil {
			return err
		}
		if a.isInvalid(before) {
			continue
		}
		a.count.Pod++
		a.submit(one, pod)
	}
	if !keepsMark(p) || a.isInvalid(bare) {
		return nil
	}
	if patch := patchOf(p, ""); len(patch) > 0 {
		mergeInto(jobset, patch)
	}
	a.count.JobSets++
	a.submit(one, jobset)
	return nil
}

// isInvalid says that the server refuses a document already without the patches of the plan.
func (a *acceptance) isInvalid(object document) bool {
	_, err := a.cluster.client.createWith(object, "&dryRun=All")
	if err != nil {
		a.count.InvalidBefore++
		a.refusals[reasonOf(err)]++
	}
	return err != nil
}

func reasonOf(err error) string {
	said := err.Error()
	if colon := strings.Index(said, "is invalid: "); colon >= 0 {
		said = said[colon+len("is invalid: "):]
	}
	return said[:min(len(said), 140)]
}

// No JobSet of the tested version keeps workloadRef in its pod templates (GANG703).
func keepsMark(p plan) bool {
	for _, patch := range p.Patches {
		if patch.Spec["workloadRef"] != nil {
			return false
		}
	}
	return true
}

func runtimeOf(files []string) (document, error) {
	for _, file := range files {
		documents, err := readDocuments(file)
		if err != nil {
			return nil, err
		}
		for _, one := range documents {
			if strings.HasSuffix(text(one, "kind"), "TrainingRuntime") {
				return one, nil
			}
		}
	}
	return nil, nil
}

// jobsetOf is the JobSet of a runtime's template, suspended: nothing is to run.
func jobsetOf(runtime document, name, namespace string) document {
	template, _ := at(runtime, "spec", "template").(document)
	jobset := document{"apiVersion": "jobset.x-k8s.io/v1alpha2", "kind": "JobSet",
		"metadata": document{}, "spec": document{}}
	mergeInto(jobset, copyOf(template))
	set(jobset, name, "metadata", "name")
	set(jobset, namespace, "metadata", "namespace")
	for _, role := range list(at(jobset, "spec", "replicatedJobs")) {
		for _, container := range list(at(role, "template", "spec", "template", "spec", "containers")) {
			if text(container, "image") == "" {
				container.(document)["image"] = "none"
			}
		}
	}
	return jobset
}

func podOf(template document, name, namespace string) document {
	pod := document{"apiVersion": "v1", "kind": "Pod", "metadata": document{}, "spec": document{}}
	mergeInto(pod, copyOf(template))
	set(pod, name, "metadata", "name")
	set(pod, namespace, "metadata", "namespace")
	if text(pod, "spec", "restartPolicy") == "" {
		set(pod, "Never", "spec", "restartPolicy")
	}
	withoutVolumes(pod)
	return pod
}

// The volumes of an operator's claims do not exist in a pod that no operator makes.
func withoutVolumes(pod document) {
	known := map[string]bool{}
	for _, volume := range list(at(pod, "spec", "volumes")) {
		known[text(volume, "name")] = true
	}
	for _, kind := range []string{"containers", "initContainers"} {
		for _, container := range list(at(pod, "spec", kind)) {
			var kept []any
			for _, mount := range list(at(container, "volumeMounts")) {
				if known[text(mount, "name")] {
					kept = append(kept, mount)
				}
			}
			delete(container.(document), "volumeMounts")
			if len(kept) > 0 {
				container.(document)["volumeMounts"] = kept
			}
		}
	}
}

func patchOf(p plan, role string) document {
	merged := document{}
	for _, one := range p.Patches {
		if one.Role == role {
			if one.Metadata != nil {
				merged["metadata"] = one.Metadata
			}
			if one.Spec != nil {
				merged["spec"] = one.Spec
			}
		}
	}
	return merged
}

// ensureClasses creates the priority and runtime classes that a document names.
func (a *acceptance) ensureClasses(object document) error {
	if class := text(object, "spec", "priorityClassName"); class != "" {
		err := a.ensure(document{"apiVersion": "scheduling.k8s.io/v1", "kind": "PriorityClass",
			"metadata": document{"name": class}, "value": 1000.0})
		if err != nil {
			return err
		}
	}
	if class := text(object, "spec", "runtimeClassName"); class != "" {
		return a.ensure(document{"apiVersion": "node.k8s.io/v1", "kind": "RuntimeClass",
			"metadata": document{"name": class}, "handler": "none"})
	}
	return nil
}

func (a *acceptance) ensure(object document) error {
	_, err := a.cluster.client.get(text(object, "apiVersion"), text(object, "kind"), "",
		nameOf(object))
	if isStatus(err, 404) {
		_, err = a.cluster.client.create(object)
	}
	return err
}

func (a *acceptance) report() {
	n := a.count
	say("acceptance %s: %d plans, %d submitted (%d objects, %d pods, %d JobSets): %d refused, "+
		"%d fields dropped", a.cluster.minor, n.Plans, n.Submitted, n.Objects, n.Pod, n.JobSets,
		n.Refused, n.Dropped)
	say("%d objects of the operator refused, whose inputs libgang refuses without compatibility", n.Agreed)
	say("not submitted: %d inputs that libgang refuses, %d without a gang, %d plans for another "+
		"Kubernetes, %d objects of APIs that are not served here, %d templates that the server refuses "+
		"without the plan too", n.PlanErrors, n.NoGang, n.OtherServer, n.NotServed, n.InvalidBefore)
	for _, reason := range sortedKeys(a.refusals) {
		say("  %4d x %s", a.refusals[reason], reason)
	}
	for _, problem := range a.problems {
		say("  %s", problem)
	}
}

func sortedKeys[V any](values map[string]V) []string {
	var keys []string
	for key := range values {
		keys = append(keys, key)
	}
	sort.Strings(keys)
	return keys
}
