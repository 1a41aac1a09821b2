// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"sigs.k8s.io/yaml"
)

// A whyScheduler is a scheduler with its marks and the object of its group.
type whyScheduler struct {
	name, schedulerName, pool string
	mark                      func(pods whyPods)
	group                     func(minimum int) document
	// It places no pods without a group: those outside of the gang have one of their own.
	groupsAll bool
	// What is started for it alone. It plays only the cases that name it.
	operator func(*cluster) error
}

// whyPods is a template whose pods are to name a group.
type whyPods struct {
	metadata, spec document
	group          string // its name
	namespace      string
	minimum        int // 0: the group does not say it
}

// The first version that Kubernetes serves is in the table of minors.
const whyWorkloadGroup = "scheduling.k8s.io/"

var whyKube = whyScheduler{
	name: "kube", schedulerName: "default-scheduler", pool: "why-kube",
	mark: func(pods whyPods) {
		pods.spec["schedulingGroup"] = document{"podGroupName": pods.group}
	},
	group: func(minimum int) document {
		return document{"apiVersion": whyWorkloadGroup + "v1alpha2", "kind": "PodGroup",
			"spec": document{"schedulingPolicy": document{"gang": document{"minCount": minimum}}}}
	},
}

var whyCoscheduling = whyScheduler{
	name: "coscheduling", schedulerName: "scheduler-plugins-scheduler", pool: "why-coscheduling",
	mark: func(pods whyPods) {
		set(pods.metadata, pods.group, "labels", "scheduling.x-k8s.io/pod-group")
	},
	group: func(minimum int) document {
		return document{"apiVersion": "scheduling.x-k8s.io/v1alpha1", "kind": "PodGroup",
			"spec": document{"minMember": minimum}}
	},
}

var whyVolcano = whyScheduler{
	name: "volcano", schedulerName: "volcano", pool: "volcano",
	mark: func(pods whyPods) {
		set(pods.metadata, pods.group, "annotations", "scheduling.k8s.io/group-name")
	},
	group: func(minimum int) document {
		return document{"apiVersion": "scheduling.volcano.sh/v1beta1", "kind": "PodGroup",
			"spec": document{"minMember": minimum, "queue": "default"}}
	},
}

var whyKAI = whyScheduler{
	name: "kai", schedulerName: "kai-scheduler", pool: "why-kai", groupsAll: true,
	mark: func(pods whyPods) {
		set(pods.metadata, pods.group, "annotations", "pod-group-name")
	},
	group: func(minimum int) document {
		return document{"apiVersion": "scheduling.run.ai/v2alpha2", "kind": "PodGroup",
			"spec": document{"minMember": minimum, "queue": "default-queue"}}
	},
}

// The pods of YuniKorn carry all of their group, and the name of the application is unique in the
// cluster.
var whyYuniKorn = whyScheduler{
	name: "yunikorn", schedulerName: "yunikorn", pool: "why-yunikorn",
	mark: func(pods whyPods) {
		set(pods.metadata, pods.namespace+"-"+pods.group, "labels", "yunikorn.apache.org/app-id")
		if pods.minimum == 0 {
			return
		}
		group := document{"name": "member", "minMember": pods.minimum, "minResource": document{}}
		for _, one := range list(at(pods.spec, "containers")) {
			limits, _ := at(one, "resources", "limits").(document)
			maps.Copy(group["minResource"].(document), limits)
		}
		for _, field := range []string{"nodeSelector", "tolerations", "affinity",
			"topologySpreadConstraints"} {
			if value := pods.spec[field]; value != nil {
				group[field] = value
			}
		}
		groups, _ := json.Marshal([]any{group})
		for key, value := range map[string]string{"task-group-name": "member",
			"task-groups":                string(groups),
			"schedulingPolicyParameters": "placeholderTimeoutInSeconds=600 gangSchedulingStyle=Soft"} {
			set(pods.metadata, value, "annotations", "yunikorn.apache.org/"+key)
		}
	},
}

var whyKoordinator = whyScheduler{
	name: "koordinator", schedulerName: "koord-scheduler", pool: "why-koordinator",
	mark: func(pods whyPods) {
		set(pods.metadata, pods.group, "labels", "pod-group.scheduling.sigs.k8s.io")
	},
	group: func(minimum int) document {
		return document{"apiVersion": "scheduling.sigs.k8s.io/v1alpha1", "kind": "PodGroup",
			"spec": document{"minMember": minimum}}
	},
}

// Kueue suspends the Jobs of its queues, and Kubernetes' scheduler places what it admits.
var whyKueue = whyScheduler{
	name: "kueue", schedulerName: whyKube.schedulerName, pool: "why-kueue",
	mark: whyKube.mark, group: whyKube.group, operator: startKueue,
}

var whySchedulers = []whyScheduler{whyKube, whyVolcano, whyCoscheduling, whyKAI,
	whyYuniKorn, whyKoordinator, whyKueue}

// runWhy makes the states on real schedulers, on each of them one after another. With -record it
// keeps what exists in tests/recorded/why.
func runWhy(s *session) (bool, error) {
	var chosen []whyScheduler
	var names []string
	operators := []func(*cluster) error{startJobSet}
	for _, scheduler := range whySchedulers {
		if slices.ContainsFunc(whyCases, func(one stuckCase) bool {
			return s.makes(scheduler, one)
		}) {
			chosen, names = append(chosen, scheduler), append(names, scheduler.name)
			if scheduler.operator != nil {
				operators = append(operators, scheduler.operator)
			}
		}
	}
	c, err := s.startWorldOf(names, operators...)
	if err != nil {
		return false, err
	}
	defer c.stop()
	w := &whyRun{session: s, cluster: c}
	err = together(chosen, w.play)
	for _, line := range w.wrong {
		say("%s", line)
	}
	say("%d answers and %d moments of jobs that start, run or end; %d of them wrong", w.played,
		w.moments, len(w.wrong))
	return len(w.wrong) == 0, err
}

type whyRun struct {
	session *session
	cluster *cluster
	lock    sync.Mutex
	played  int
	moments int
	wrong   []string
}

func (s whyScheduler) title() string { return s.name }

func (s *session) makes(scheduler whyScheduler, one stuckCase) bool {
	return one.causeOn(scheduler, s.minor) != "" &&
		s.states.MatchString(scheduler.name+"/"+one.name)
}

// play makes the states of one scheduler, each in a namespace of its own.
func (w *whyRun) play(scheduler whyScheduler) error {
	for i := range 2 {
		name := fmt.Sprintf("%s-%d", scheduler.name, i)
		if err := w.cluster.addNode(name, scheduler.pool, 4); err != nil {
			return err
		}
	}
	for name, spec := range map[string]document{
		"tainted":  {"taints": []any{document{"key": "example.com/reserved", "effect": "NoSchedule"}}},
		"cordoned": {"unschedulable": true}} {
		if err := w.addClosed(scheduler, name, spec); err != nil {
			return err
		}
	}
	for _, one := range whyCases {
		if !w.session.makes(scheduler, one) {
			continue
		}
		if err := w.playCase(scheduler, one); err != nil {
			return fmt.Errorf("%s/%s: %w", scheduler.name, one.name, err)
		}
	}
	return nil
}

// addClosed adds a node that takes no pods.
func (w *whyRun) addClosed(scheduler whyScheduler, suffix string, spec document) error {
	name := scheduler.name + "-" + suffix
	if err := w.cluster.addNode(name, scheduler.pool+"-"+suffix, 4); err != nil {
		return err
	}
	_, err := w.cluster.client.merge("v1", "Node", "", name, "", document{"spec": spec})
	return err
}

func (w *whyRun) playCase(scheduler whyScheduler, one stuckCase) error {
	namespace := "why-" + scheduler.name + "-" + one.name
	objects, err := w.objectsOf(scheduler, one, namespace)
	if err != nil {
		return err
	}
	if err := w.createAll(objects); err != nil {
		return err
	}
	if one.act != nil {
		time.Sleep(whyPatience)
		if err := one.act(w, namespace); err != nil {
			return err
		}
	}
	name, cause := scheduler.name+"/"+one.name, one.causeOn(scheduler, w.session.minor)
	patience := max(one.wait, whyPatience)
	isCalm := one.act == nil && one.other == "" && slices.Contains(whyCalm, cause)
	if isCalm && one.name != "host-port" { // of which only the imitated kubelet starts all pods
		err = w.watch(name, namespace, patience)
	} else {
		time.Sleep(patience)
	}
	if err == nil {
		err = w.judge(name, cause, namespace)
	}
	if err != nil {
		return err
	}
	return w.clear(namespace, objects)
}

// whyCalm are the causes of jobs that start, run and end on their own.
var whyCalm = []string{"GangStarted", "JobFinished", "EarlierStageRuns"}

// watch asks about a calm job each second: it is stuck at no moment.
func (w *whyRun) watch(name, namespace string, patience time.Duration) error {
	for end := time.Now().Add(patience); time.Now().Before(end); time.Sleep(time.Second) {
		live, err := w.read(namespace)
		if err != nil {
			return err
		}
		now := time.Now().UTC().Format(time.RFC3339)
		cause, verdict, err := w.ask(namespace, live, now)
		if err != nil {
			return err
		}
		w.lock.Lock()
		w.moments++
		if verdict == "Stuck" || verdict == "Impossible" {
			w.wrong = append(w.wrong, fmt.Sprintf("%s: %s %s at %s", name, verdict, cause, now))
		}
		w.lock.Unlock()
	}
	return nil
}

// createAll creates the objects, and waits after what others build on. An object that is owned by
// another one gets its uid.
func (w *whyRun) createAll(objects []document) error {
	uids := map[string]any{}
	for _, object := range objects {
		for _, owner := range list(at(object, "metadata", "ownerReferences")) {
			owner.(document)["uid"] = uids[text(owner, "kind")+text(owner, "name")]
		}
		made, err := w.cluster.client.create(object)
		if err != nil {
			return fmt.Errorf("%s %s: %w", kindOf(object), nameOf(object), err)
		}
		uids[kindOf(object)+nameOf(object)] = at(made, "metadata", "uid")
		if status, ok := object["status"].(document); ok {
			time.Sleep(3 * time.Second) // until its controller has opened it
			_, err := w.cluster.client.merge(text(object, "apiVersion"), kindOf(object), "",
				nameOf(object), "/status", document{"status": status})
			if err != nil {
				return err
			}
		}
		isEarlier := slices.Contains([]string{"filler", "first"}, nameOf(object))
		if isEarlier || slices.Contains(whySlow, kindOf(object)) {
			time.Sleep(5 * time.Second) // until it holds its room, or the servers know it
		}
	}
	return nil
}

var whySlow = []string{"ResourceQuota", "ElasticQuota", "ValidatingWebhookConfiguration", "Queue",
	"PriorityClass"}

func (w *whyRun) judge(name, cause, namespace string) error {
	live, err := w.read(namespace)
	if err != nil {
		return err
	}
	now := time.Now().UTC().Format(time.RFC3339)
	answer, _, err := w.ask(namespace, live, now)
	if err != nil {
		return err
	}
	say("%s: %s, expected %s", name, answer, cause)
	w.lock.Lock()
	defer w.lock.Unlock()
	w.played++
	if answer != cause {
		w.wrong = append(w.wrong, fmt.Sprintf("%s: %s, not %s", name, answer, cause))
	}
	if !w.session.record {
		return nil
	}
	return w.keep(name, cause, now, live)
}

// objectsOf are the objects of a case in the order in which they are created.
func (w *whyRun) objectsOf(scheduler whyScheduler, one stuckCase, namespace string) ([]document,
	error) {
	space := named("v1", "Namespace", "", namespace)
	if one.labels != nil {
		set(space, one.labels, "metadata", "labels")
	}
	objects := []document{space}
	if scheduler.groupsAll {
		alone := scheduler.group(1)
		alone["metadata"] = document{"name": whyAlone, "namespace": namespace}
		objects = append(objects, alone)
	}
	if one.elsewhere && scheduler.group != nil {
		group := scheduler.group(3)
		group["metadata"] = document{"name": "job", "namespace": "default"}
		objects = append(objects, group)
	}
	extra, err := scheduler.documents(one.objects, namespace)
	if err != nil {
		return nil, err
	}
	objects = append(objects, extra...)
	if one.filler != "" {
		filler := scheduler.job("filler", namespace, one.fillers, scheduler.pod(one.filler))
		scheduler.markOther(at(filler, "spec", "template").(document))
		objects = append(objects, filler)
	}
	group, err := scheduler.groupOf(one, namespace)
	if err != nil {
		return nil, err
	}
	job, err := scheduler.jobOf(one, namespace)
	switch {
	case err != nil:
		return nil, err
	case group == nil:
		objects = append(objects, job)
	case at(group, "metadata", "ownerReferences") != nil && one.owner == "job":
		objects = append(objects, job, group)
	default:
		objects = append(objects, group, job)
	}
	if one.other != "" {
		spec := scheduler.pod(one.spec + "\nschedulerName: " + one.other)
		second := scheduler.job("second", namespace, 1, spec)
		scheduler.markTemplate(at(second, "spec", "template").(document), one, namespace)
		objects = append(objects, second)
	}
	for _, object := range objects {
		if text(object, "apiVersion") == whyWorkloadGroup+"v1alpha2" {
			object["apiVersion"] = whyWorkloadGroup + minors[w.session.minor].workloads[0]
		}
	}
	return objects, nil
}

// documents reads what stands in a case, for this scheduler and namespace.
func (s whyScheduler) documents(manifest, namespace string) ([]document, error) {
	var all []document
	for _, one := range strings.Split(manifest, "---\n") {
		extra := document{}
		if err := yaml.Unmarshal([]byte(s.fill(one, namespace)), &extra); err != nil {
			return nil, err
		}
		if len(extra) > 0 {
			all = append(all, extra)
		}
	}
	return all, nil
}

func (s whyScheduler) fill(text, namespace string) string {
	wrong := map[string]string{"volcano": "scheduler-plugins-scheduler",
		"kai": "default-scheduler"}[s.name]
	return strings.NewReplacer("POOL", s.pool, "WRONG", cmp.Or(wrong, "volcano"), "NS", namespace,
		"SCHEDULER", s.schedulerName).Replace(text)
}

// groupOf is the group of the job, or nothing.
func (s whyScheduler) groupOf(one stuckCase, namespace string) (document, error) {
	if one.minimum == 0 || s.group == nil {
		return nil, nil
	}
	group := s.group(one.minimum)
	group["metadata"] = document{"name": "job", "namespace": namespace}
	if one.owner != "" {
		set(group, []any{document{"apiVersion": "batch/v1", "kind": "Job", "name": one.owner,
			"controller": true}}, "metadata", "ownerReferences")
	}
	extra := document{}
	err := yaml.Unmarshal([]byte(s.fill(one.group, namespace)), &extra)
	mergeInto(group, document{"spec": extra})
	return group, err
}

// jobOf is the Job of a case, or its JobSet.
func (s whyScheduler) jobOf(one stuckCase, namespace string) (document, error) {
	if len(one.roles) > 0 {
		return s.jobSet(one, namespace), nil
	}
	pods := one.pods
	if pods == 0 {
		pods = 3
	}
	job := s.job("job", namespace, pods, s.pod(strings.ReplaceAll(one.spec, "NS", namespace)))
	if one.queue != "" {
		set(job, s.fill(one.queue, namespace), "metadata", "labels", kueueLabel)
	}
	if !one.unmarked {
		s.markTemplate(at(job, "spec", "template").(document), one, namespace)
	}
	if one.ends {
		delete(at(job, "spec", "template", "metadata").(document), "annotations")
		if !one.unmarked {
			s.markTemplate(at(job, "spec", "template").(document), one, namespace)
		}
	}
	extra := document{}
	err := yaml.Unmarshal([]byte(s.fill(one.job, namespace)), &extra)
	mergeInto(job, document{"spec": extra})
	return job, err
}

func named(version, kind, namespace, name string) document {
	metadata := document{"name": name}
	if namespace != "" {
		metadata["namespace"] = namespace
	}
	return document{"apiVersion": version, "kind": kind, "metadata": metadata}
}

func (s whyScheduler) markTemplate(template document, one stuckCase, namespace string) {
	s.mark(whyPods{metadata: template["metadata"].(document), spec: template["spec"].(document),
		group: "job", namespace: namespace, minimum: one.minimum})
}

// whyAlone is the group of pods outside of the gang. Its minimum is one.
const whyAlone = "alone"

func (s whyScheduler) markOther(template document) {
	if s.groupsAll {
		s.mark(whyPods{metadata: template["metadata"].(document), spec: template["spec"].(document),
			group: whyAlone})
	}
}

// pod reads the spec of a pod.
func (s whyScheduler) pod(podSpec string) document {
	spec := document{}
	if err := yaml.Unmarshal([]byte(s.fill(podSpec, "")), &spec); err != nil {
		panic(err)
	}
	if spec["schedulerName"] == nil {
		spec["schedulerName"] = s.schedulerName
	}
	spec["restartPolicy"] = "Never"
	return spec
}

func (s whyScheduler) job(name, namespace string, pods int, spec document) document {
	job := named("batch/v1", "Job", namespace, name)
	job["spec"] = document{"parallelism": pods, "completions": pods, "template": endless(spec)}
	return job
}

// endless is a template whose pods run until they are deleted.
func endless(spec document) document {
	return document{"metadata": document{"annotations": document{"cluster.test/endless": "true"}},
		"spec": spec}
}

func (s whyScheduler) jobSet(one stuckCase, namespace string) document {
	var jobs []any
	for _, role := range one.roles {
		template := endless(s.pod(role.spec))
		if role.marked {
			s.markTemplate(template, one, namespace)
		} else if !one.unmarked {
			s.markOther(template)
		}
		job := document{"name": role.name, "replicas": 1, "template": document{"spec": document{
			"parallelism": role.pods, "completions": role.pods, "template": template}}}
		if role.after != "" {
			job["dependsOn"] = []any{document{"name": role.after, "status": role.status}}
		}
		jobs = append(jobs, job)
	}
	set := named("jobset.x-k8s.io/v1alpha2", "JobSet", namespace, "job")
	set["spec"] = document{"replicatedJobs": jobs}
	return set
}

var whyKinds = [][2]string{
	{"jobset.x-k8s.io/v1alpha2", "JobSet"}, {"batch/v1", "Job"}, {"v1", "Pod"}, {"v1", "Event"},
	{"v1", "ResourceQuota"},
	{"v1", "PersistentVolumeClaim"}, {"resource.k8s.io/v1", "ResourceClaim"},
	{"scheduling.k8s.io/v1alpha2", "PodGroup"}, {"scheduling.k8s.io/v1beta1", "PodGroup"},
	{"scheduling.x-k8s.io/v1alpha1", "PodGroup"},
	{"scheduling.volcano.sh/v1beta1", "PodGroup"}, {"scheduling.run.ai/v2alpha2", "PodGroup"},
	{"scheduling.sigs.k8s.io/v1alpha1", "PodGroup"},
	{"scheduling.sigs.k8s.io/v1alpha1", "ElasticQuota"},
	{kueueGroup, "Workload"}, {kueueGroup, "LocalQueue"},
}

// What belongs to no namespace.
var whyShared = [][2]string{
	{"v1", "Node"}, {"scheduling.volcano.sh/v1beta1", "Queue"}, {"scheduling.run.ai/v2", "Queue"},
	{"kai.scheduler/v1alpha1", "Topology"},
	{kueueGroup, "ClusterQueue"}, {kueueGroup, "ResourceFlavor"}, {kueueGroup, "Topology"},
	{kueueGroup, "AdmissionCheck"},
}

// read returns everything that exists in the namespace, the nodes and the queues, and what has the
// name of the group in the namespace default.
func (w *whyRun) read(namespace string) ([]document, error) {
	var found []document
	for _, kind := range whyKinds {
		for _, space := range []string{namespace, "default"} {
			isRead := space == namespace || // only one case has its group elsewhere
				kind[1] == "PodGroup" && strings.HasSuffix(namespace, "group-elsewhere")
			if !isRead || !w.cluster.client.serves(kind[0], kind[1]) {
				continue
			}
			items, err := w.cluster.client.items(kind[0], kind[1], space)
			if err != nil {
				return nil, err
			}
			found = append(found, items...)
		}
	}
	for _, kind := range whyShared {
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
	return newestEvents(found), nil
}

// mostEvents is how many events of one object and reason are kept, the newest ones. Koordinator
// writes some twenty in a second.
const mostEvents = 6

// newestEvents leaves out the older ones of many events.
func newestEvents(objects []document) []document {
	times := map[string][]string{}
	key := func(one document) string {
		return text(one, "involvedObject", "uid") + " " + text(one, "reason")
	}
	made := func(one document) string {
		return text(one, "metadata", "creationTimestamp") + " " + text(one, "eventTime")
	}
	for _, one := range objects {
		if kindOf(one) == "Event" {
			times[key(one)] = append(times[key(one)], made(one))
		}
	}
	for _, all := range times {
		slices.Sort(all)
	}
	return slices.DeleteFunc(objects, func(one document) bool {
		all := times[key(one)]
		return kindOf(one) == "Event" && len(all) > mostEvents &&
			made(one) < all[len(all)-mostEvents]
	})
}

// ask returns the reason of the cause that gangctl names, and the verdict.
func (w *whyRun) ask(name string, live []document, now string) (cause, verdict string, err error) {
	file, err := w.session.gangctl.write(name+".yaml", live...)
	if err != nil {
		return "", "", err
	}
	output, err := w.session.gangctl.call("why", "--live", file, "--now", now, "--job", "job",
		"-o", "json")
	var status *exec.ExitError
	if errors.As(err, &status) && status.ExitCode() == 3 {
		return "CannotTell", "CannotTell", nil
	}
	answer := document{}
	if err == nil {
		err = json.Unmarshal(output, &answer)
	}
	return text(answer, "cause", "reason"), text(answer, "verdict"), err
}

func isShared(object document) bool {
	return slices.Contains(whyShared, [2]string{text(object, "apiVersion"), kindOf(object)})
}

// keep writes a case into the records: a line for each object of whyShared, which many cases have,
// then a line for each case.
func (w *whyRun) keep(name, cause, now string, live []document) error {
	folder := filepath.Join(w.session.root, "tests/recorded/why")
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return err
	}
	path := filepath.Join(folder, kubernetesVersions[w.session.minor]+".ndjson")
	lines, err := readRecords(path)
	if err != nil {
		return err
	}
	var kept []any
	for _, object := range live {
		if !isShared(object) {
			kept = append(kept, object)
			continue
		}
		text, err := json.Marshal(object)
		if err != nil {
			return err
		}
		sum := sha256.Sum256(text)
		key := hex.EncodeToString(sum[:6])
		lines["document "+key], err = json.Marshal(document{"document": key, "is": object})
		if err != nil {
			return err
		}
		kept = append(kept, key)
	}
	lines[name], err = json.Marshal(document{"case": name, "cause": cause, "now": now, "live": kept})
	if err != nil {
		return err
	}
	return writeRecords(path, lines)
}

func readRecords(path string) (map[string][]byte, error) {
	lines := map[string][]byte{}
	old, err := os.ReadFile(path)
	if err != nil && !os.IsNotExist(err) {
		return nil, err
	}
	for line := range bytes.Lines(old) {
		entry := document{}
		if err := json.Unmarshal(line, &entry); err != nil {
			return nil, err
		}
		name := text(entry, "case")
		if name == "" {
			name = "document " + text(entry, "document")
		}
		lines[name] = bytes.TrimSpace(line)
	}
	return lines, nil
}

func writeRecords(path string, lines map[string][]byte) error {
	var all, cases bytes.Buffer
	for _, name := range slices.Sorted(maps.Keys(lines)) {
		if !strings.HasPrefix(name, "document ") {
			cases.Write(append(lines[name], '\n'))
		}
	}
	for _, name := range slices.Sorted(maps.Keys(lines)) {
		key, isDocument := strings.CutPrefix(name, "document ")
		if isDocument && bytes.Contains(cases.Bytes(), []byte(`"`+key+`"`)) {
			all.Write(append(lines[name], '\n'))
		}
	}
	return os.WriteFile(path, append(all.Bytes(), cases.Bytes()...), 0o644)
}

// clear removes what other cases would see.
func (w *whyRun) clear(namespace string, objects []document) error {
	objects = append(objects, nodeNamed(namespace)) // of a case that has added one
	for i := len(objects) - 1; i >= 0; i-- {
		if err := w.cluster.client.remove(objects[i]); err != nil {
			return err
		}
	}
	for deadline := time.Now().Add(20 * time.Second); time.Now().Before(deadline); {
		pods, err := w.cluster.client.items("v1", "Pod", namespace)
		if err != nil || len(pods) == 0 {
			return err
		}
		time.Sleep(200 * time.Millisecond)
	}
	return nil
}
