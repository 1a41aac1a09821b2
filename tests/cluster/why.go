// SPDX-License-Identifier: Apache-2.0

package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"sigs.k8s.io/yaml"
)

// A stuckCase is a state in which a gang does not start, or has started, and its cause: the reason
// of the diagnostic that gang_diagnose() must answer. The causes were written before the first run.
type stuckCase struct {
	name, cause string
	pods        int    // of the job; 0: 3
	minimum     int    // of the group; 0: none
	spec        string // of the pods, in YAML
	objects     string // what else is created first, documents in YAML
	suspend     bool
	unmarked    bool          // the pods do not name the group
	wait        time.Duration // before the objects are read; 0: whyPatience
	other       string        // schedulerName of a second Job with one pod in the group
}

// Long enough for a scheduler to try the pods several times.
const whyPatience = 12 * time.Second

// A whyScheduler is a scheduler with its marks and the object of its group.
type whyScheduler struct {
	name, schedulerName, pool string
	mark                      func(metadata, spec document, group string)
	group                     func(minimum int) document
}

var whyKube = whyScheduler{
	name: "kube", schedulerName: "default-scheduler", pool: "why-kube",
	mark: func(_, spec document, group string) {
		spec["schedulingGroup"] = document{"podGroupName": group}
	},
	group: func(minimum int) document {
		return document{"apiVersion": "scheduling.k8s.io/v1alpha2", "kind": "PodGroup",
			"spec": document{"schedulingPolicy": document{"gang": document{"minCount": minimum}}}}
	},
}

var whyCoscheduling = whyScheduler{
	name: "coscheduling", schedulerName: "scheduler-plugins-scheduler", pool: "why-coscheduling",
	mark: func(metadata, _ document, group string) {
		set(metadata, group, "labels", "scheduling.x-k8s.io/pod-group")
	},
	group: func(minimum int) document {
		return document{"apiVersion": "scheduling.x-k8s.io/v1alpha1", "kind": "PodGroup",
			"spec": document{"minMember": minimum}}
	},
}

var whyVolcano = whyScheduler{
	name: "volcano", schedulerName: "volcano", pool: "volcano",
	mark: func(metadata, _ document, group string) {
		set(metadata, group, "annotations", "scheduling.k8s.io/group-name")
	},
	group: func(minimum int) document {
		return document{"apiVersion": "scheduling.volcano.sh/v1beta1", "kind": "PodGroup",
			"spec": document{"minMember": minimum, "queue": "default"}}
	},
}

const whyNode = `nodeSelector: {pool: POOL}
containers: [{name: c, image: c, resources: {limits: {nvidia.com/gpu: "1"}}}]`

// Every scheduler has two nodes with four GPUs each.
var whyCases = []stuckCase{
	{name: "started", cause: "GangStarted", minimum: 3, spec: whyNode},
	{name: "minimum-above-job", cause: "MinimumAboveJob", pods: 2, minimum: 3, spec: whyNode},
	{name: "group-missing", cause: "GroupMissing", spec: whyNode},
	{name: "group-elsewhere", cause: "GroupElsewhere", spec: whyNode, objects: "elsewhere"},
	{name: "scheduler-name", cause: "SchedulerNameWrong", minimum: 3,
		spec: whyNode + "\nschedulerName: WRONG"},
	{name: "schedulers-differ", cause: "SchedulersDiffer", pods: 2, minimum: 3, spec: whyNode,
		other: "WRONG"},
	{name: "no-room", cause: "NoRoomNow", pods: 3, minimum: 3, objects: "filler", spec: whyNode},
	{name: "taint", cause: "NodesExcluded", minimum: 3,
		spec: strings.Replace(whyNode, "{pool: POOL}", "{pool: POOL-tainted}", 1)},
	{name: "selector", cause: "NodesExcluded", minimum: 3,
		spec: strings.Replace(whyNode, "{pool: POOL}", "{pool: nowhere}", 1)},
	{name: "claim-missing", cause: "VolumeNotReady", minimum: 3,
		spec: whyNode + "\nvolumes: [{name: v, persistentVolumeClaim: {claimName: absent}}]"},
	{name: "host-port", cause: "OnePerNode", minimum: 3, spec: strings.Replace(whyNode, "image: c,",
		"image: c, ports: [{containerPort: 80, hostPort: 8080}],", 1)},
	{name: "gated", cause: "MembersGated", minimum: 3,
		spec: whyNode + "\nschedulingGates: [{name: example.com/wait}]"},
	{name: "suspended", cause: "JobSuspended", minimum: 3, spec: whyNode, suspend: true},
	{name: "quota", cause: "QuotaRefusesPods", minimum: 3, spec: whyNode, objects: `apiVersion: v1
kind: ResourceQuota
metadata: {name: two}
spec: {hard: {pods: "2"}}`},
	{name: "priority-class", cause: "PriorityClassMissing", spec: whyNode +
		"\npriorityClassName: absent"},
	{name: "webhook", cause: "WebhookRefusesPods", minimum: 3, spec: whyNode, objects: `
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingWebhookConfiguration
metadata: {name: "NS"}
webhooks:
- name: down.example.com
  admissionReviewVersions: [v1]
  sideEffects: None
  clientConfig: {url: "https://127.0.0.1:9/"}
  namespaceSelector: {matchLabels: {kubernetes.io/metadata.name: "NS"}}
  rules: [{apiGroups: [""], apiVersions: [v1], operations: [CREATE], resources: [pods]}]`},
	{name: "scheduler-unknown", cause: "SchedulerSilent", minimum: 3, wait: 70 * time.Second,
		spec: whyNode + "\nschedulerName: nobody"},
	{name: "never", cause: "PodTooLarge", minimum: 3, spec: strings.Replace(whyNode, `"1"`, `"16"`, 1)},
}

// runWhy makes the states on real schedulers. With -record it keeps what exists in tests/recorded/why.
func runWhy(s *session) (bool, error) {
	c, err := s.startWith((*cluster).startControllers, (*cluster).startScheduler)
	if err != nil {
		return false, err
	}
	defer c.stop()
	w := &whyRun{session: s, cluster: c}
	passed := true
	for _, one := range []struct {
		scheduler whyScheduler
		recipe    recipe
		start     func(*cluster, string) error
	}{
		{whyKube, recipe{}, nil},
		{whyVolcano, volcanoRecipe(), (*cluster).startVolcano},
		{whyCoscheduling, coschedulingRecipe(), (*cluster).startCoscheduling},
	} {
		if one.start != nil {
			folder, err := one.recipe.build()
			if err != nil {
				return false, err
			}
			if err := one.start(c, folder); err != nil {
				return false, err
			}
		}
		ok, err := w.play(one.scheduler)
		if err != nil {
			return false, err
		}
		passed = passed && ok
	}
	return passed, nil
}

type whyRun struct {
	session *session
	cluster *cluster
}

// play makes all states of one scheduler at once, each in a namespace of its own.
func (w *whyRun) play(scheduler whyScheduler) (bool, error) {
	for i := range 2 {
		name := fmt.Sprintf("%s-%d", scheduler.name, i)
		if err := w.cluster.addNode(name, scheduler.pool, 4); err != nil {
			return false, err
		}
	}
	if err := w.addTainted(scheduler); err != nil {
		return false, err
	}
	passed := true
	for _, one := range whyCases {
		ok, err := w.playCase(scheduler, one)
		if err != nil {
			return false, fmt.Errorf("%s/%s: %w", scheduler.name, one.name, err)
		}
		passed = passed && ok
	}
	return passed, nil
}

func (w *whyRun) addTainted(scheduler whyScheduler) error {
	name := scheduler.name + "-tainted"
	if err := w.cluster.addNode(name, scheduler.pool+"-tainted", 4); err != nil {
		return err
	}
	_, err := w.cluster.client.merge("v1", "Node", "", name, "", document{"spec": document{
		"taints": []any{document{"key": "example.com/reserved", "effect": "NoSchedule"}}}})
	return err
}

func (w *whyRun) playCase(scheduler whyScheduler, one stuckCase) (bool, error) {
	namespace := "why-" + scheduler.name + "-" + one.name
	objects, err := w.objectsOf(scheduler, one, namespace)
	if err != nil {
		return false, err
	}
	for _, object := range objects {
		if _, err := w.cluster.client.create(object); err != nil {
			return false, fmt.Errorf("%s %s: %w", kindOf(object), nameOf(object), err)
		}
		if isExtra(object) {
			time.Sleep(5 * time.Second) // until it holds its room, or the server knows it
		}
	}
	wait := one.wait
	if wait == 0 {
		wait = whyPatience
	}
	time.Sleep(wait)
	live, err := w.read(namespace)
	if err != nil {
		return false, err
	}
	now := time.Now().UTC().Format(time.RFC3339)
	answer, err := w.ask(live, now)
	if err != nil {
		return false, err
	}
	say("%s/%s: %s, expected %s", scheduler.name, one.name, answer, one.cause)
	if w.session.record {
		if err := w.keep(scheduler.name+"/"+one.name, one.cause, now, live); err != nil {
			return false, err
		}
	}
	return answer == one.cause, w.clear(namespace, objects)
}

func isExtra(object document) bool {
	return nameOf(object) == "filler" || kindOf(object) == "ResourceQuota" ||
		kindOf(object) == "ValidatingWebhookConfiguration"
}

// objectsOf are the objects of a case in the order in which they are created.
func (w *whyRun) objectsOf(scheduler whyScheduler, one stuckCase, namespace string) ([]document,
	error) {
	objects := []document{named("v1", "Namespace", "", namespace)}
	if one.objects == "elsewhere" {
		group := scheduler.group(3)
		group["metadata"] = document{"name": "job", "namespace": "default"}
		objects = append(objects, group)
	} else if one.objects == "filler" {
		objects = append(objects, w.job(scheduler, "filler", namespace, 7, whyNode))
	} else if one.objects != "" {
		extra := document{}
		if err := yaml.Unmarshal([]byte(strings.ReplaceAll(one.objects, "NS", namespace)), &extra); err != nil {
			return nil, err
		}
		if text(extra, "kind") == "ResourceQuota" {
			set(extra, namespace, "metadata", "namespace")
		}
		objects = append(objects, extra)
	}
	if one.minimum > 0 {
		group := scheduler.group(one.minimum)
		group["metadata"] = document{"name": "job", "namespace": namespace}
		objects = append(objects, group)
	}
	pods := one.pods
	if pods == 0 {
		pods = 3
	}
	job := w.job(scheduler, "job", namespace, pods, one.spec)
	w.mark(scheduler, job)
	if one.suspend {
		set(job, true, "spec", "suspend")
	}
	objects = append(objects, job)
	if one.other != "" {
		second := w.job(scheduler, "second", namespace, 1, one.spec+"\nschedulerName: "+one.other)
		w.mark(scheduler, second)
		objects = append(objects, second)
	}
	return objects, nil
}

func named(version, kind, namespace, name string) document {
	metadata := document{"name": name}
	if namespace != "" {
		metadata["namespace"] = namespace
	}
	return document{"apiVersion": version, "kind": kind, "metadata": metadata}
}

func (w *whyRun) mark(scheduler whyScheduler, job document) {
	template := at(job, "spec", "template").(document)
	scheduler.mark(template["metadata"].(document), template["spec"].(document), "job")
}

func (w *whyRun) job(scheduler whyScheduler, name, namespace string, pods int,
	podSpec string) document {
	wrong := "volcano"
	if scheduler.name == "volcano" {
		wrong = "scheduler-plugins-scheduler"
	}
	spec := document{}
	podSpec = strings.ReplaceAll(podSpec, "POOL", scheduler.pool)
	if err := yaml.Unmarshal([]byte(strings.ReplaceAll(podSpec, "WRONG", wrong)), &spec); err != nil {
		panic(err)
	}
	if spec["schedulerName"] == nil {
		spec["schedulerName"] = scheduler.schedulerName
	}
	spec["restartPolicy"] = "Never"
	job := named("batch/v1", "Job", namespace, name)
	job["spec"] = document{"parallelism": pods, "completions": pods,
		"template": document{"metadata": document{"annotations": document{"cluster.test/endless": "true"}},
			"spec": spec}}
	return job
}

var whyKinds = [][2]string{
	{"batch/v1", "Job"}, {"v1", "Pod"}, {"v1", "Event"}, {"v1", "ResourceQuota"},
	{"v1", "PersistentVolumeClaim"},
	{"scheduling.k8s.io/v1alpha2", "PodGroup"}, {"scheduling.x-k8s.io/v1alpha1", "PodGroup"},
	{"scheduling.volcano.sh/v1beta1", "PodGroup"},
}

// read returns everything that exists in the namespace, the nodes and the queues, and what has the
// name of the group in the namespace default.
func (w *whyRun) read(namespace string) ([]document, error) {
	var found []document
	for _, kind := range whyKinds {
		for _, space := range []string{namespace, "default"} {
			if !w.cluster.client.serves(kind[0], kind[1]) || space == "default" && kind[1] != "PodGroup" {
				continue
			}
			items, err := w.cluster.client.items(kind[0], kind[1], space)
			if err != nil {
				return nil, err
			}
			found = append(found, items...)
		}
	}
	for _, kind := range [][2]string{{"v1", "Node"}, {"scheduling.volcano.sh/v1beta1", "Queue"}} {
		if w.cluster.client.serves(kind[0], kind[1]) {
			items, err := w.cluster.client.items(kind[0], kind[1], "")
			if err != nil {
				return nil, err
			}
			found = append(found, items...)
		}
	}
	for _, object := range found {
		if metadata, ok := object["metadata"].(document); ok {
			delete(metadata, "managedFields")
		}
	}
	return found, nil
}

// ask returns the reason of the cause that gangctl names.
func (w *whyRun) ask(live []document, now string) (string, error) {
	file, err := w.session.gangctl.write("live.yaml", live...)
	if err != nil {
		return "", err
	}
	output, err := w.session.gangctl.call("why", "--live", file, "--now", now, "--job", "job",
		"-o", "json")
	var status *exec.ExitError
	if errors.As(err, &status) && status.ExitCode() == 3 {
		return "CannotTell", nil
	}
	answer := document{}
	if err == nil {
		err = json.Unmarshal(output, &answer)
	}
	return text(answer, "cause", "reason"), err
}

func (w *whyRun) keep(name, cause, now string, live []document) error {
	folder := filepath.Join(w.session.root, "tests/recorded/why")
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return err
	}
	path := filepath.Join(folder, kubernetesVersions[w.session.minor]+".ndjson")
	cases := map[string]string{}
	old, err := os.ReadFile(path)
	if err != nil && !os.IsNotExist(err) {
		return err
	}
	for line := range strings.Lines(string(old)) {
		entry := document{}
		if err := json.Unmarshal([]byte(line), &entry); err != nil {
			return err
		}
		cases[text(entry, "case")] = line
	}
	content, err := json.Marshal(document{"case": name, "cause": cause, "now": now, "live": live})
	if err != nil {
		return err
	}
	cases[name] = string(content) + "\n"
	var all strings.Builder
	for _, key := range slices.Sorted(maps.Keys(cases)) {
		all.WriteString(cases[key])
	}
	return os.WriteFile(path, []byte(all.String()), 0o644)
}

// clear removes what other cases would see.
func (w *whyRun) clear(namespace string, objects []document) error {
	for i := len(objects) - 1; i >= 0; i-- {
		if err := w.cluster.client.remove(objects[i]); err != nil {
			return err
		}
	}
	deadline := time.Now().Add(20 * time.Second)
	for time.Now().Before(deadline) {
		pods, err := w.cluster.client.items("v1", "Pod", namespace)
		if err != nil || len(pods) == 0 {
			return err
		}
		time.Sleep(200 * time.Millisecond)
	}
	return nil
}
