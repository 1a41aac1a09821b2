// SPDX-License-Identifier: Apache-2.0

// Random clusters and gangs, placed by the filters of Kubernetes' own scheduler, and asked about
// with `gangctl why`: what the scheduler places can never be said not to fit.
//
//	fit -gangctl PATH [-cases N] [-seed N] [-keep FOLDER]
package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"math/rand"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"sort"
	"strings"
	"sync"

	v1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	utilfeature "k8s.io/apiserver/pkg/util/feature"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes/fake"
	"k8s.io/kubernetes/pkg/scheduler/backend/cache"
	"k8s.io/kubernetes/pkg/scheduler/framework"
	"k8s.io/kubernetes/pkg/scheduler/framework/plugins"
	"k8s.io/kubernetes/pkg/scheduler/framework/plugins/defaultbinder"
	"k8s.io/kubernetes/pkg/scheduler/framework/plugins/names"
	"k8s.io/kubernetes/pkg/scheduler/framework/plugins/queuesort"
	schedulerruntime "k8s.io/kubernetes/pkg/scheduler/framework/runtime"
	"k8s.io/kubernetes/pkg/scheduler/metrics"
	tf "k8s.io/kubernetes/pkg/scheduler/testing/framework"
)

// ---- the scheduler ----

// A lister shows the filters the pods that are placed so far.
type lister struct{ *cache.Snapshot }

type filters struct {
	framework framework.Framework
	lister    *lister
}

// The filters that nodes and pods alone decide.
var plugged = []string{names.NodeResourcesFit, names.NodeName, names.NodePorts, names.NodeAffinity,
	names.NodeUnschedulable, names.TaintToleration, names.InterPodAffinity, names.PodTopologySpread}

func newFilters() (*filters, error) {
	f := &filters{lister: &lister{cache.NewSnapshot(nil, nil)}}
	registry := plugins.NewInTreeRegistry()
	register := []tf.RegisterPluginFunc{
		tf.RegisterQueueSortPlugin(queuesort.Name, queuesort.New),
		tf.RegisterBindPlugin(defaultbinder.Name, defaultbinder.New),
	}
	for _, name := range plugged {
		extensions := []string{"Filter"}
		if name != names.NodeName && name != names.NodeUnschedulable && name != names.TaintToleration {
			extensions = append(extensions, "PreFilter")
		}
		register = append(register, tf.RegisterPluginAsExtensions(name, registry[name], extensions...))
	}
	client := fake.NewSimpleClientset()
	var err error
	f.framework, err = tf.NewFramework(context.Background(), register, "default-scheduler",
		schedulerruntime.WithSnapshotSharedLister(f.lister), schedulerruntime.WithClientSet(client),
		schedulerruntime.WithInformerFactory(informers.NewSharedInformerFactory(client, 0)))
	return f, err
}

// place returns the nodes that may take the pod beside the others.
func (f *filters) place(pod *v1.Pod, nodes []*v1.Node, placed []*v1.Pod) []*v1.Node {
	f.lister.Snapshot = cache.NewSnapshot(placed, nodes)
	state := framework.NewCycleState()
	allowed, status, _ := f.framework.RunPreFilterPlugins(context.Background(), state, pod)
	if !status.IsSuccess() {
		return nil
	}
	var found []*v1.Node
	for _, node := range nodes {
		info, err := f.lister.NodeInfos().Get(node.Name)
		if err != nil || allowed != nil && !allowed.AllNodes() && !allowed.NodeNames.Has(node.Name) {
			continue
		}
		if f.framework.RunFilterPlugins(context.Background(), state, pod, info).IsSuccess() {
			found = append(found, node)
		}
	}
	return found
}

// ---- a case ----

const gpu = "nvidia.com/gpu"
const rack = "example.com/rack"

type fitCase struct {
	nodes            []*v1.Node
	others           []*v1.Pod // of other jobs
	waiting, members []*v1.Pod // of the gang: without and with a node
	minimum          int
	rack             bool // all in one rack
	backend          string
	priority         int32
	roles            int
}

func (c *fitCase) needed() int { return c.minimum - len(c.members) }

// A moment is what of the cluster counts.
type moment int

const (
	now moment = iota
	byPreemption
	empty
)

func isPassing(taint v1.Taint) bool { return strings.HasPrefix(taint.Key, "node.kubernetes.io/") }

func (c *fitCase) at(when moment) ([]*v1.Node, []*v1.Pod) {
	nodes := c.nodes
	var placed []*v1.Pod
	if when == empty {
		nodes = nil
		for _, node := range c.nodes {
			node = node.DeepCopy()
			node.Spec.Unschedulable = false
			var taints []v1.Taint
			for _, taint := range node.Spec.Taints {
				if !isPassing(taint) {
					taints = append(taints, taint)
				}
			}
			node.Spec.Taints = taints
			nodes = append(nodes, node)
		}
		return nodes, nil
	}
	for _, pod := range c.others {
		ended := pod.Status.Phase == v1.PodSucceeded || pod.Status.Phase == v1.PodFailed
		if !ended && (when == now || *pod.Spec.Priority >= c.priority) {
			placed = append(placed, pod)
		}
	}
	return nodes, append(placed, c.members...)
}

// isBound tells whether the scheduler's filters let the gang start in one of some orders.
func (c *fitCase) isBound(f *filters, r *rand.Rand, when moment) bool {
	nodes, placed := c.at(when)
	for _, domain := range c.domains(nodes, when) {
		for try := range 8 {
			if c.tryOnce(f, r, domain, nodes, placed, try%2 == 0) {
				return true
			}
		}
	}
	return false
}

// domains are the racks that may take the gang: that of its members, if it has some.
func (c *fitCase) domains(nodes []*v1.Node, when moment) [][]*v1.Node {
	if !c.rack {
		return [][]*v1.Node{nodes}
	}
	byRack := map[string][]*v1.Node{}
	for _, node := range nodes {
		if value, found := node.Labels[rack]; found {
			byRack[value] = append(byRack[value], node)
		}
	}
	var all [][]*v1.Node
	for _, value := range sortedRacks(byRack) {
		has := func(pod *v1.Pod) bool {
			for _, node := range byRack[value] {
				if node.Name == pod.Spec.NodeName {
					return true
				}
			}
			return false
		}
		fixed := when != empty && len(c.members) > 0 && !has(c.members[0])
		if !fixed {
			all = append(all, byRack[value])
		}
	}
	return all
}

func sortedRacks(of map[string][]*v1.Node) []string {
	var all []string
	for value := range of {
		all = append(all, value)
	}
	sort.Strings(all)
	return all
}

func (c *fitCase) tryOnce(f *filters, r *rand.Rand, domain, nodes []*v1.Node, placed []*v1.Pod,
	packs bool) bool {
	placed = append([]*v1.Pod{}, placed...)
	inDomain := map[string]bool{}
	for _, node := range domain {
		inDomain[node.Name] = true
	}
	done := 0
	for _, i := range r.Perm(len(c.waiting)) {
		var possible []*v1.Node
		for _, node := range f.place(c.waiting[i], nodes, placed) {
			if inDomain[node.Name] {
				possible = append(possible, node)
			}
		}
		if len(possible) == 0 {
			continue
		}
		pod := c.waiting[i].DeepCopy()
		pod.Spec.NodeName = choose(possible, placed, r, packs).Name
		placed = append(placed, pod)
		if done++; done >= c.needed() {
			return true
		}
	}
	return done >= c.needed()
}

// choose takes any of the nodes, or the one with most pods.
func choose(possible []*v1.Node, placed []*v1.Pod, r *rand.Rand, packs bool) *v1.Node {
	if !packs {
		return possible[r.Intn(len(possible))]
	}
	best, most := possible[0], -1
	for _, node := range possible {
		count := 0
		for _, pod := range placed {
			if pod.Spec.NodeName == node.Name {
				count++
			}
		}
		if count > most {
			best, most = node, count
		}
	}
	return best
}

// ---- random clusters ----

func oneOf(r *rand.Rand, values ...string) string { return values[r.Intn(len(values))] }

func often(r *rand.Rand, percent int) bool { return r.Intn(100) < percent }

func amounts(r *rand.Rand, cpu, memory []string, gpus int) v1.ResourceList {
	list := v1.ResourceList{
		v1.ResourceCPU:    resource.MustParse(oneOf(r, cpu...)),
		v1.ResourceMemory: resource.MustParse(oneOf(r, memory...)),
	}
	if gpus > 0 {
		list[gpu] = *resource.NewQuantity(int64(gpus), resource.DecimalSI)
	}
	return list
}

func randomNode(r *rand.Rand, i int) *v1.Node {
	name := fmt.Sprintf("n%d", i)
	node := &v1.Node{TypeMeta: metav1.TypeMeta{APIVersion: "v1", Kind: "Node"}}
	node.Name, node.Labels = name, map[string]string{"kubernetes.io/hostname": name}
	if often(r, 80) {
		node.Labels["zone"] = oneOf(r, "a", "b")
	}
	if often(r, 85) {
		node.Labels[rack] = oneOf(r, "r1", "r2")
	}
	if often(r, 50) {
		node.Labels["disk"] = oneOf(r, "ssd", "hdd", "7")
	}
	node.Status.Allocatable = amounts(r, []string{"1", "2", "3500m", "4", "999500u", "8", "16"},
		[]string{"2Gi", "4Gi", "3500000Ki", "4294967296500m", "8Gi", "32Gi"}, r.Intn(9))
	node.Status.Allocatable[v1.ResourcePods] = resource.MustParse(oneOf(r, "2", "3", "5", "110", "110"))
	if often(r, 15) {
		node.Status.Allocatable["example.com/fpga"] = resource.MustParse(oneOf(r, "0", "1", "2"))
	}
	node.Spec.Unschedulable = often(r, 7)
	for _, key := range []string{"dedicated", "node.kubernetes.io/not-ready", "spot"} {
		if often(r, 7) {
			node.Spec.Taints = append(node.Spec.Taints, v1.Taint{Key: key, Value: oneOf(r, "", "a", "b"),
				Effect: v1.TaintEffect(oneOf(r, "NoSchedule", "NoExecute", "PreferNoSchedule"))})
		}
	}
	if node.Spec.Unschedulable && often(r, 50) {
		node.Spec.Taints = append(node.Spec.Taints,
			v1.Taint{Key: "node.kubernetes.io/unschedulable", Effect: v1.TaintEffectNoSchedule})
	}
	return node
}

func requests(r *rand.Rand, gpus int) v1.ResourceRequirements {
	list := amounts(r, []string{"100m", "500m", "1", "1500m", "2", "1500500u"},
		[]string{"100Mi", "512Mi", "1Gi", "1500Mi", "1000500m", "2Gi"}, gpus)
	for _, name := range []v1.ResourceName{v1.ResourceCPU, v1.ResourceMemory} {
		if often(r, 25) {
			delete(list, name)
		}
	}
	return v1.ResourceRequirements{Requests: list}
}

func randomPod(r *rand.Rand, name string, gpus int) *v1.Pod {
	pod := &v1.Pod{TypeMeta: metav1.TypeMeta{APIVersion: "v1", Kind: "Pod"}}
	pod.Name, pod.Namespace, pod.UID = name, "ml", types.UID(name)
	zero := int32(0)
	pod.Spec.Priority = &zero
	pod.Spec.Containers = []v1.Container{{Name: "c", Image: "c", Resources: requests(r, gpus)}}
	if often(r, 20) {
		pod.Spec.Containers = append(pod.Spec.Containers,
			v1.Container{Name: "d", Image: "d", Resources: requests(r, 0)})
	}
	if often(r, 25) {
		init := v1.Container{Name: "i", Image: "i", Resources: requests(r, r.Intn(2)*gpus)}
		if often(r, 50) {
			always := v1.ContainerRestartPolicyAlways
			init.RestartPolicy = &always
		}
		pod.Spec.InitContainers = append(pod.Spec.InitContainers, init)
	}
	if often(r, 20) {
		pod.Spec.InitContainers = append(pod.Spec.InitContainers,
			v1.Container{Name: "j", Image: "j", Resources: requests(r, 0)})
	}
	if often(r, 15) {
		pod.Spec.Overhead = amounts(r, []string{"250m"}, []string{"120Mi"}, 0)
	}
	return pod
}

// restrict gives the pods of a role the same selector, tolerations, ports and affinity.
func restrict(r *rand.Rand, pod *v1.Pod) {
	if often(r, 12) {
		pod.Spec.NodeSelector = map[string]string{oneOf(r, "zone", "disk"): oneOf(r, "a", "ssd")}
	}
	for range r.Intn(3) {
		pod.Spec.Tolerations = append(pod.Spec.Tolerations, randomToleration(r))
	}
	pod.Spec.Affinity = &v1.Affinity{}
	if often(r, 15) {
		selector := &v1.NodeSelector{}
		for range 1 + r.Intn(2) {
			selector.NodeSelectorTerms = append(selector.NodeSelectorTerms, randomTerm(r))
		}
		pod.Spec.Affinity.NodeAffinity = &v1.NodeAffinity{
			RequiredDuringSchedulingIgnoredDuringExecution: selector}
	}
	if often(r, 10) {
		pod.Spec.Containers[0].Ports = []v1.ContainerPort{{ContainerPort: 80, HostPort: 8080,
			Protocol: v1.ProtocolTCP}}
	}
	if often(r, 12) {
		pod.Spec.Affinity.PodAntiAffinity = &v1.PodAntiAffinity{
			RequiredDuringSchedulingIgnoredDuringExecution: []v1.PodAffinityTerm{{
				TopologyKey:   oneOf(r, "kubernetes.io/hostname", "zone"),
				LabelSelector: &metav1.LabelSelector{MatchLabels: map[string]string{"app": oneOf(r, "gang", "other")}}}}}
	}
	if often(r, 8) {
		pod.Spec.TopologySpreadConstraints = []v1.TopologySpreadConstraint{{MaxSkew: 1,
			TopologyKey: "zone", WhenUnsatisfiable: v1.DoNotSchedule,
			LabelSelector: &metav1.LabelSelector{MatchLabels: map[string]string{"app": "gang"}}}}
	}
}

func randomToleration(r *rand.Rand) v1.Toleration {
	toleration := v1.Toleration{
		Key: oneOf(r, "dedicated", "spot", "node.kubernetes.io/not-ready",
			"node.kubernetes.io/unschedulable", ""),
		Operator: v1.TolerationOperator(oneOf(r, "Exists", "Equal", "")),
		Effect:   v1.TaintEffect(oneOf(r, "", "NoSchedule", "NoExecute")),
	}
	if toleration.Key == "" {
		toleration.Operator = v1.TolerationOpExists
	}
	if toleration.Operator != v1.TolerationOpExists {
		toleration.Value = oneOf(r, "", "a", "b")
	}
	return toleration
}

func randomTerm(r *rand.Rand) v1.NodeSelectorTerm {
	if often(r, 15) {
		return v1.NodeSelectorTerm{MatchFields: []v1.NodeSelectorRequirement{{Key: "metadata.name",
			Operator: v1.NodeSelectorOpIn, Values: []string{oneOf(r, "n0", "n1", "n2")}}}}
	}
	term := v1.NodeSelectorTerm{}
	for range 1 + r.Intn(2) {
		one := v1.NodeSelectorRequirement{Key: oneOf(r, "zone", "disk", "absent"),
			Operator: v1.NodeSelectorOperator(oneOf(r, "In", "NotIn", "Exists", "DoesNotExist"))}
		if one.Operator == v1.NodeSelectorOpIn || one.Operator == v1.NodeSelectorOpNotIn {
			one.Values = []string{oneOf(r, "a", "ssd"), oneOf(r, "b", "hdd")}
		}
		if often(r, 10) {
			one = v1.NodeSelectorRequirement{Key: "disk", Operator: v1.NodeSelectorOpGt, Values: []string{"5"}}
		}
		term.MatchExpressions = append(term.MatchExpressions, one)
	}
	return term
}

func randomCase(r *rand.Rand) *fitCase {
	c := &fitCase{backend: oneOf(r, "coscheduling", "kube"), priority: int32(r.Intn(2))}
	c.rack = c.backend == "kube" && often(r, 35)
	for i := range 1 + r.Intn(7) {
		c.nodes = append(c.nodes, randomNode(r, i))
	}
	for i := range r.Intn(2 * len(c.nodes)) {
		c.others = append(c.others, randomOther(r, c.nodes, i))
	}
	c.roles = 1 + r.Intn(3)
	for role := range c.roles {
		c.addRole(r, role)
	}
	c.minimum = len(c.waiting) + len(c.members)
	if often(r, 20) {
		c.minimum = max(1+len(c.members), c.minimum-1-r.Intn(2))
	}
	return c
}

func randomOther(r *rand.Rand, nodes []*v1.Node, i int) *v1.Pod {
	pod := randomPod(r, fmt.Sprintf("other-%d", i), r.Intn(2))
	priority := int32(r.Intn(3) - 1)
	pod.Spec.Priority, pod.Labels = &priority, map[string]string{"app": "other"}
	pod.Spec.NodeName = nodes[r.Intn(len(nodes))].Name
	pod.Status.Phase = v1.PodPhase(oneOf(r, "Running", "Running", "Running", "Succeeded", "Failed"))
	if often(r, 10) {
		gone := metav1.Unix(1800000000, 0)
		pod.DeletionTimestamp = &gone
	}
	return pod
}

func (c *fitCase) addRole(r *rand.Rand, role int) {
	template := randomPod(r, "", r.Intn(3))
	if often(r, 4) {
		template.Spec.Containers[0].Resources.Requests["example.com/fpga"] = resource.MustParse("1")
	}
	restrict(r, template)
	for i := range 1 + r.Intn(4) {
		pod := template.DeepCopy()
		pod.Name = fmt.Sprintf("gang-%d-%d", role, i)
		pod.UID = types.UID(pod.Name)
		pod.Spec.Priority = &c.priority
		pod.Labels = map[string]string{"app": "gang", "jobset.sigs.k8s.io/jobset-name": "job",
			"jobset.sigs.k8s.io/replicatedjob-name": fmt.Sprintf("r%d", role)}
		pod.Status.Phase = v1.PodPending
		if often(r, 12) && (len(c.members) == 0 || !c.rack) {
			pod.Spec.NodeName, pod.Status.Phase = c.nodes[r.Intn(len(c.nodes))].Name, v1.PodRunning
			c.members = append(c.members, pod)
			continue
		}
		c.waiting = append(c.waiting, pod)
	}
}

// ---- what gangctl reads ----

type document = map[string]any

func (c *fitCase) documents() ([]byte, error) {
	var all []any
	group := document{"apiVersion": "scheduling.x-k8s.io/v1alpha1", "kind": "PodGroup",
		"spec": document{"minMember": c.minimum}}
	if c.backend == "kube" {
		spec := document{"schedulingPolicy": document{"gang": document{"minCount": c.minimum}}}
		if c.rack {
			spec["schedulingConstraints"] = document{"topology": []any{document{"key": rack}}}
		}
		group = document{"apiVersion": "scheduling.k8s.io/v1alpha2", "kind": "PodGroup", "spec": spec}
	}
	group["metadata"] = document{"name": "job", "namespace": "ml", "uid": "group"}
	all = append(all, c.jobSet(), group)
	for _, node := range c.nodes {
		all = append(all, node)
	}
	for _, pod := range c.others {
		all = append(all, pod)
	}
	for _, pod := range append(append([]*v1.Pod{}, c.members...), c.waiting...) {
		marked, err := c.mark(pod)
		if err != nil {
			return nil, err
		}
		all = append(all, marked)
	}
	return json.Marshal(document{"apiVersion": "v1", "kind": "List", "items": all})
}

func (c *fitCase) jobSet() document {
	var jobs []any
	counts := map[string]int{}
	for _, pod := range append(append([]*v1.Pod{}, c.members...), c.waiting...) {
		counts[pod.Labels["jobset.sigs.k8s.io/replicatedjob-name"]]++
	}
	for role := range c.roles {
		name := fmt.Sprintf("r%d", role)
		jobs = append(jobs, document{"name": name, "replicas": 1, "template": document{
			"spec": document{"parallelism": counts[name], "completions": counts[name],
				"template": document{"spec": document{"restartPolicy": "Never",
					"containers": []any{document{"name": "c", "image": "c"}}}}}}})
	}
	return document{"apiVersion": "jobset.x-k8s.io/v1alpha2", "kind": "JobSet",
		"metadata": document{"name": "job", "namespace": "ml", "uid": "job"},
		"spec":     document{"replicatedJobs": jobs}}
}

func (c *fitCase) mark(pod *v1.Pod) (document, error) {
	text, err := json.Marshal(pod)
	marked := document{}
	if err == nil {
		err = json.Unmarshal(text, &marked)
	}
	if err != nil {
		return nil, err
	}
	if c.backend == "kube" {
		marked["spec"].(document)["schedulingGroup"] = document{"podGroupName": "job"}
	} else {
		labels := marked["metadata"].(document)["labels"].(document)
		labels["scheduling.x-k8s.io/pod-group"] = "job"
		marked["spec"].(document)["schedulerName"] = "scheduler-plugins-scheduler"
	}
	return marked, nil
}

type cause struct{ Code, Certainty, Message string }

type answer struct {
	Verdict string
	Cause   cause
	Also    []cause
	Fit     struct{ Answer string }
}

func ask(gangctl, file string) (*answer, error) {
	output, err := exec.Command(gangctl, "why", "--live", file, "--job", "job", "--now",
		"2030-01-01T00:00:00Z", "-o", "json").Output()
	var status *exec.ExitError
	if err != nil && (!errors.As(err, &status) || status.ExitCode() == 2) {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	given := &answer{}
	return given, json.Unmarshal(output, given)
}

// The causes that say that the gang has no room, and those that say that it never will.
var noRoom = map[string]bool{"GANG1051": true, "GANG1052": true, "GANG1053": true, "GANG1054": true,
	"GANG1055": true, "GANG1056": true, "GANG1057": true, "GANG1058": true}

func (a *answer) says() moment {
	switch a.Fit.Answer {
	case "Never":
		return empty
	case "NotByPreemption":
		return byPreemption
	case "NotNow":
		return now
	}
	return -1
}

// refuted returns what the scheduler's filters contradict.
func (a *answer) refuted(bound map[moment]bool) string {
	if says := a.says(); says >= 0 {
		for when := now; when <= says; when++ {
			if bound[when] {
				return fmt.Sprintf("it answers %s, and the filters take the gang", a.Fit.Answer)
			}
		}
	}
	for _, one := range append([]cause{a.Cause}, a.Also...) {
		if noRoom[one.Code] && one.Certainty == "Proven" && bound[now] {
			return "the cause is " + one.Code + ", and the filters take the gang"
		}
	}
	if a.Verdict == "Impossible" && bound[empty] {
		return "it is Impossible, and the filters take the gang on empty nodes"
	}
	return ""
}

// ---- all of it ----

type counts struct {
	lock                                                sync.Mutex
	cases, bound, told, untold, never, neverTold, wrong int
	byRoles                                             [4][2]int
	answers                                             map[string]int
}

func (t *counts) add(c *fitCase, bound map[moment]bool, given *answer) {
	t.lock.Lock()
	defer t.lock.Unlock()
	t.cases++
	t.answers[given.Fit.Answer]++
	says := given.says()
	switch {
	case bound[now]:
		t.bound++
	case says >= 0:
		t.told++
		t.byRoles[c.roles][0]++
	default:
		t.untold++
		t.byRoles[c.roles][1]++
	}
	if !bound[empty] {
		t.never++
		if says == empty {
			t.neverTold++
		}
	}
}

func play(gangctl, folder, keep string, seed int64, f *filters, t *counts) error {
	r := rand.New(rand.NewSource(seed))
	c := randomCase(r)
	if len(c.waiting) == 0 || c.needed() <= 0 {
		return nil
	}
	text, err := c.documents()
	if err != nil {
		return err
	}
	file := filepath.Join(folder, fmt.Sprintf("%d.json", seed%16))
	if err := os.WriteFile(file, text, 0o644); err != nil {
		return err
	}
	given, err := ask(gangctl, file)
	if err != nil {
		return fmt.Errorf("seed %d: %w", seed, err)
	}
	bound := map[moment]bool{}
	for _, when := range []moment{now, byPreemption, empty} {
		bound[when] = c.isBound(f, r, when)
	}
	bound[byPreemption] = bound[byPreemption] || bound[now]
	t.add(c, bound, given)
	problem := given.refuted(bound)
	if problem == "" {
		return nil
	}
	t.lock.Lock()
	defer t.lock.Unlock()
	t.wrong++
	if t.wrong <= 10 {
		fmt.Printf("seed %d: %s: %s\n", seed, problem, given.Cause.Message)
		if keep != "" {
			return os.WriteFile(filepath.Join(keep, fmt.Sprintf("fit-%d.json", seed)), text, 0o644)
		}
	}
	return nil
}

func run() error {
	gangctl := flag.String("gangctl", "gangctl", "the gangctl to test")
	cases := flag.Int("cases", 20000, "how many clusters")
	seed := flag.Int64("seed", 1, "of the first one")
	keep := flag.String("keep", "", "a folder for the documents of wrong answers")
	flag.Parse()
	metrics.Register()
	// Since 1.37 it cannot be switched off, but no DeviceClass stands for a resource here.
	gates := utilfeature.DefaultMutableFeatureGate
	if !gates.GetAll()["DRAExtendedResource"].LockToDefault {
		if err := gates.Set("DRAExtendedResource=false"); err != nil {
			return err
		}
	}
	t := &counts{answers: map[string]int{}}
	var wait sync.WaitGroup
	problems := make([]error, runtime.NumCPU())
	for worker := range problems {
		wait.Add(1)
		go func() {
			defer wait.Done()
			problems[worker] = work(*gangctl, *keep, *seed+int64(worker), int64(len(problems)),
				*seed+int64(*cases), t)
		}()
	}
	wait.Wait()
	t.print()
	if t.wrong > 0 {
		problems = append(problems, fmt.Errorf("%d answers are refuted", t.wrong))
	}
	return errors.Join(problems...)
}

func work(gangctl, keep string, seed, step, end int64, t *counts) error {
	folder, err := os.MkdirTemp("", "fit-")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(folder) }()
	f, err := newFilters()
	for ; err == nil && seed < end; seed += step {
		err = play(gangctl, folder, keep, seed, f, t)
	}
	return err
}

func (t *counts) print() {
	fmt.Printf("%d gangs: the filters take %d; of the other %d, %d are told and %d cannot be told; "+
		"%d answers are refuted\n", t.cases, t.bound, t.told+t.untold, t.told, t.untold, t.wrong)
	fmt.Printf("%d gangs fit not even on empty nodes, of which %d are told\n", t.never, t.neverTold)
	for roles := 1; roles <= 3; roles++ {
		fmt.Printf("%d roles: %d told, %d cannot be told\n", roles, t.byRoles[roles][0], t.byRoles[roles][1])
	}
	fmt.Println("answers:", t.answers)
}

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, "fit:", err)
		os.Exit(1)
	}
}
