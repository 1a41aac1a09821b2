// SPDX-License-Identifier: Apache-2.0

package main

import (
	"cmp"
	"errors"
	"fmt"
	"strings"
	"time"
)

// A stuckCase is a state in which a gang does not start, or has started, and its cause: the reason
// of the diagnostic that gang_diagnose() must answer. The causes were written before the first run.
type stuckCase struct {
	name, cause string
	on          map[string]string // the cause on some schedulers; empty: it is not played there
	pods        int               // of the job; 0: 3
	minimum     int               // of the group; 0: none
	group       string            // more of its spec, in YAML
	owner       string            // the Job that owns the group
	spec        string            // of the pods, in YAML
	job         string            // more of the spec of the Job
	queue       string            // the LocalQueue of Kueue that the Job names
	objects     string            // what else is created first, documents in YAML
	elsewhere   bool              // the group exists in another namespace
	labels      document          // of the namespace
	filler      string            // the pods that hold room
	fillers     int
	unmarked    bool          // the pods do not name the group
	ends        bool          // the pods succeed
	wait        time.Duration // before the objects are read; 0: whyPatience
	other       string        // schedulerName of a second Job with one pod in the group
	roles       []stuckRole   // of a JobSet instead of the Job
	act         func(w *whyRun, namespace string) error
}

type stuckRole struct {
	name, spec    string
	pods          int
	marked        bool
	after, status string
}

func (one stuckCase) causeOn(scheduler whyScheduler, minor string) string {
	if cause, found := whyDiffers[scheduler.name+" "+minor][one.name]; found {
		return cause
	}
	if cause, found := one.on[scheduler.name]; found {
		return cause
	}
	if cause, found := whyDiffers[scheduler.name][one.name]; found || scheduler.operator != nil {
		return cause
	}
	return one.cause
}

// whyDiffers are the causes of cases that all schedulers have, where they differ from the others;
// empty: the scheduler does not have the state.
var whyDiffers = map[string]map[string]string{
	// The group has the priority 0, and 1.37 wants that of the pods.
	"kube 37": {"may-not-preempt": "SchedulersDiffer"},
	"kai": {
		// KAI knows groups by their name alone, so the pods are in the group of the other
		// namespace.
		"group-elsewhere": "GangStarted",
		// It does not look at the name of the scheduler of a member: pkg/scheduler/cache@v0.12.0.
		"schedulers-differ": "GangStarted", "scheduler-unknown": "GangStarted",
		// It does not run the plugin of these constraints:
		// pkg/scheduler/k8s_internal/predicates@v0.12.0.
		"spread": "GangStarted",
		// The priority of the group counts, which has none.
		"may-not-preempt": "NoRoomNow",
		"stale-resources": "", // a group has no resources
	},
	"yunikorn": {
		// Pods have all of their group with them.
		"group-missing": "", "group-elsewhere": "", "group-of-another": "", "stale-resources": "",
		// Placeholders stand for pods that do not exist, so the others start.
		"minimum-above-job": "GangStarted", "schedulers-differ": "GangStarted",
		"later-pods": "GangStarted", "later-launcher": "GangStarted",
		// Pods without marks are an application of their own.
		"unmarked": "GangStarted",
		// It knows no resource claims: pkg/plugin/predicates@v1.8.0.
		"device-class": "",
		// A pod takes the node of a placeholder without a look at its ports, at the pods beside it,
		// and at a claim that names its volume, as the run has shown. The real kubelet would not
		// start it.
		"host-port": "GangStarted", "anti-affinity": "GangStarted", "claim-unbound": "GangStarted",
		// Only queues preempt.
		"may-not-preempt": "NoRoomNow",
		// A pod that replaces another one is placed alone.
		"retried": "GangStarted",
	},
	"koordinator": {
		// Once the gang has started, a pod that replaces another one is placed alone.
		"retried": "GangStarted",
		// It does not read the resources of a group.
		"stale-resources": "GangStarted",
	},
}

// Long enough for a scheduler to try the pods several times.
const whyPatience = 12 * time.Second

const whyNode = `nodeSelector: {pool: POOL}
containers: [{name: c, image: c, resources: {limits: {nvidia.com/gpu: "1"}}}]`

func gpus(count int) string { return strings.Replace(whyNode, `"1"`, fmt.Sprintf(`"%d"`, count), 1) }

func inPool(pool string) string { return strings.Replace(whyNode, "{pool: POOL}", pool, 1) }

// only are the causes of a case on some schedulers, after the name of each. It has none on others.
func only(causes ...string) map[string]string {
	all := map[string]string{}
	for _, scheduler := range whySchedulers {
		all[scheduler.name] = ""
	}
	for i := 0; i < len(causes); i += 2 {
		all[causes[i]] = causes[i+1]
	}
	return all
}

func volcanoQueue(spec string) string {
	return "apiVersion: scheduling.volcano.sh/v1beta1\nkind: Queue\nmetadata: {name: NS}\n" + spec
}

// kaiQueue is a queue with a quota and a limit of GPUs. Less than zero is no limit.
func kaiQueue(quota, limit int) string {
	return fmt.Sprintf(`apiVersion: scheduling.run.ai/v2
kind: Queue
metadata: {name: NS}
spec:
  parentQueue: default-parent-queue
  resources:
    cpu: {quota: -1, limit: -1, overQuotaWeight: 1}
    memory: {quota: -1, limit: -1, overQuotaWeight: 1}
    gpu: {quota: %d, limit: %d, overQuotaWeight: 1}
`, quota, limit)
}

// inLabel and inAnnotation are more of a Job, whose pods have the label or annotation.
func inLabel(key, value string) string { return inMetadata("labels", key, value) }

func inAnnotation(key, value string) string { return inMetadata("annotations", key, value) }

func inMetadata(field, key, value string) string {
	return fmt.Sprintf("template: {metadata: {%s: {%s: %q}}}", field, key, value)
}

// inSubgroup is more of a Job, whose pods are in a subgroup of KAI's group.
func inSubgroup(name string) string { return inLabel("kai.scheduler/subgroup-name", name) }

// yunikornFiller is a gang with so many placeholders, and one pod.
func yunikornFiller(minimum int) string {
	return fmt.Sprintf(`apiVersion: v1
kind: Pod
metadata:
  name: filler
  namespace: "NS"
  labels: {yunikorn.apache.org/app-id: NS-filler}
  annotations:
    cluster.test/endless: "true"
    yunikorn.apache.org/task-group-name: member
    yunikorn.apache.org/task-groups: '[{"name":"member","minMember":%d,
      "minResource":{"nvidia.com/gpu":"1"},"nodeSelector":{"pool":"POOL"}}]'
    yunikorn.apache.org/schedulingPolicyParameters: placeholderTimeoutInSeconds=600 gangSchedulingStyle=Soft
spec:
  schedulerName: yunikorn
  nodeSelector: {pool: POOL}
  containers: [{name: c, image: c, resources: {limits: {nvidia.com/gpu: "1"}}}]`, minimum)
}

const koordinatorQuotaLabel = "quota.scheduling.koordinator.sh/name"

// koordinatorQuota is a quota of so many GPUs.
func koordinatorQuota(most int) string {
	return fmt.Sprintf(`apiVersion: scheduling.sigs.k8s.io/v1alpha1
kind: ElasticQuota
metadata: {name: "NS", namespace: "NS"}
spec: {min: {nvidia.com/gpu: %d}, max: {cpu: 100, memory: 1Ti, nvidia.com/gpu: %d}}
`, most, most)
}

const kueueLabel = "kueue.x-k8s.io/queue-name"

// kueueQueue is a queue of Kueue with so many GPUs, and more of its spec and of its flavor.
func kueueQueue(gpus int, spec, flavor string) string {
	return fmt.Sprintf(`apiVersion: kueue.x-k8s.io/v1beta2
kind: ResourceFlavor
metadata: {name: NS}
spec: {nodeLabels: {pool: POOL}%s}
---
apiVersion: kueue.x-k8s.io/v1beta2
kind: ClusterQueue
metadata: {name: NS}
spec:
  namespaceSelector: {}
  resourceGroups:
  - coveredResources: [nvidia.com/gpu]
    flavors: [{name: NS, resources: [{name: nvidia.com/gpu, nominalQuota: %d}]}]
%s
`, flavor, gpus, spec) + localQueue("{clusterQueue: NS}")
}

func localQueue(spec string) string {
	return `---
apiVersion: kueue.x-k8s.io/v1beta2
kind: LocalQueue
metadata: {name: NS, namespace: NS}
spec: ` + spec + "\n"
}

// kueueJob is a Job of the queue with so many pods.
func kueueJob(name string, pods int) string {
	return fmt.Sprintf(`---
apiVersion: batch/v1
kind: Job
metadata: {name: %s, namespace: NS, labels: {%s: NS}}
spec:
  parallelism: %[3]d
  completions: %[3]d
  template:
    metadata: {annotations: {cluster.test/endless: "true"}}
    spec:
      restartPolicy: Never
      containers: [{name: c, image: c, resources: {limits: {nvidia.com/gpu: "1"}}}]
`, name, kueueLabel, pods)
}

const kueueCheck = `apiVersion: kueue.x-k8s.io/v1beta2
kind: AdmissionCheck
metadata: {name: NS}
spec: {controllerName: example.com/nothing}
`

const kueueTopology = `apiVersion: kueue.x-k8s.io/v1beta2
kind: Topology
metadata: {name: NS}
spec: {levels: [{nodeLabel: kubernetes.io/hostname}]}
---
`

// kueueState is a case of Kueue, whose nodes have eight GPUs.
func kueueState(name, cause string, one stuckCase) stuckCase {
	one.name, one.on, one.queue = name, only("kueue", cause), cmp.Or(one.queue, "NS")
	one.pods = cmp.Or(one.pods, 3)
	one.minimum, one.spec = one.pods, cmp.Or(one.spec, whyNode)
	return one
}

const kaiTopology = `apiVersion: kai.scheduler/v1alpha1
kind: Topology
metadata: {name: NS}
spec: {levels: [{nodeLabel: kubernetes.io/hostname}]}`

// Every scheduler has two nodes with four GPUs each, one with a taint and a cordoned one.
var whyCases = []stuckCase{
	{name: "started", cause: "GangStarted", minimum: 3, spec: whyNode},
	{name: "finished", cause: "JobFinished", minimum: 3, spec: whyNode, ends: true},
	{name: "minimum-above-job", cause: "MinimumAboveJob", pods: 2, minimum: 3, spec: whyNode},
	{name: "group-missing", cause: "GroupMissing", spec: whyNode},
	{name: "group-elsewhere", cause: "GroupElsewhere", spec: whyNode, elsewhere: true},
	{name: "group-of-another", cause: "GroupOfAnother", minimum: 5, owner: "other", spec: whyNode,
		objects: `apiVersion: batch/v1
kind: Job
metadata: {name: other, namespace: "NS"}
spec: {suspend: true, template: {spec: {restartPolicy: Never, containers: [{name: c, image: c}]}}}`},
	// Volcano's controller makes a group of their own for these pods.
	{name: "unmarked", cause: "MarksMissing", on: map[string]string{"volcano": "GangStarted"},
		minimum: 3, owner: "job", spec: whyNode, unmarked: true},
	{name: "scheduler-name", cause: "SchedulerNameWrong", minimum: 3,
		spec: whyNode + "\nschedulerName: WRONG"},
	// The pod of the other scheduler is placed alone. Volcano counts it, as the run has shown.
	{name: "schedulers-differ", cause: "SchedulersDiffer", on: map[string]string{"volcano": "GangStarted"},
		pods: 2, minimum: 3, spec: whyNode, other: "WRONG"},
	{name: "no-room", cause: "NoRoomNow", minimum: 3, fillers: 7, filler: whyNode, spec: whyNode},
	{name: "fragmented", cause: "Fragmented", pods: 1, minimum: 1, fillers: 2, filler: gpus(3),
		spec: gpus(2)},
	{name: "never", cause: "PodTooLarge", minimum: 3, spec: gpus(16)},
	{name: "never-together", cause: "NeverTogether", minimum: 3, spec: gpus(4)},
	{name: "resource-nowhere", cause: "ResourceNowhere", minimum: 3,
		spec: strings.Replace(whyNode, `"1"`, `"1", example.com/fpga: "1"`, 1)},
	{name: "taint", cause: "NodesExcluded", minimum: 3, spec: inPool("{pool: POOL-tainted}")},
	{name: "cordon", cause: "NodesExcluded", minimum: 3, spec: inPool("{pool: POOL-cordoned}")},
	{name: "selector", cause: "NodesExcluded", minimum: 3, spec: inPool("{pool: nowhere}")},
	{name: "pod-affinity", cause: "NodesExcluded", minimum: 3, spec: whyNode + `
affinity: {podAffinity: {requiredDuringSchedulingIgnoredDuringExecution: [
  {topologyKey: kubernetes.io/hostname, labelSelector: {matchLabels: {app: absent}}}]}}`},
	{name: "anti-affinity", cause: "OnePerNode", minimum: 3, spec: whyNode + `
affinity: {podAntiAffinity: {requiredDuringSchedulingIgnoredDuringExecution: [
  {topologyKey: kubernetes.io/hostname, labelSelector: {matchLabels: {
    batch.kubernetes.io/job-name: job}}}]}}`},
	{name: "spread", cause: "TopologyTooSmall", minimum: 3, spec: whyNode + `
topologySpreadConstraints: [{maxSkew: 1, topologyKey: example.com/absent,
  whenUnsatisfiable: DoNotSchedule, labelSelector: {}}]`},
	{name: "host-port", cause: "OnePerNode", minimum: 3, spec: strings.Replace(whyNode, "image: c,",
		"image: c, ports: [{containerPort: 80, hostPort: 8080}],", 1)},
	{name: "claim-missing", cause: "VolumeNotReady", minimum: 3,
		spec: whyNode + "\nvolumes: [{name: v, persistentVolumeClaim: {claimName: absent}}]"},
	{name: "claim-unbound", cause: "VolumeNotReady", minimum: 3,
		spec: whyNode + "\nvolumes: [{name: v, persistentVolumeClaim: {claimName: data}}]",
		objects: `apiVersion: v1
kind: PersistentVolumeClaim
metadata: {name: data, namespace: "NS"}
spec: {volumeName: absent, accessModes: [ReadWriteMany], resources: {requests: {storage: 1Gi}}}`},
	// Volcano does not look at the claims, and places the pods.
	{name: "device-class", cause: "ClaimNotAllocated", on: map[string]string{"volcano": ""},
		pods: 1, minimum: 1, spec: `nodeSelector: {pool: POOL}
resourceClaims: [{name: r, resourceClaimName: gpu}]
containers: [{name: c, image: c, resources: {claims: [{name: r}]}}]`,
		objects: `apiVersion: resource.k8s.io/v1
kind: ResourceClaim
metadata: {name: gpu, namespace: "NS"}
spec: {devices: {requests: [{name: r, exactly: {deviceClassName: absent}}]}}`},
	// Volcano is configured without preemption here.
	{name: "may-not-preempt", cause: "MayNotPreempt", on: map[string]string{"volcano": "NoRoomNow"},
		minimum: 3, spec: whyNode + "\npriorityClassName: NS-high", fillers: 7,
		filler: whyNode, objects: `apiVersion: scheduling.k8s.io/v1
kind: PriorityClass
metadata: {name: "NS-high"}
value: 1000
preemptionPolicy: Never`},
	{name: "gated", cause: "MembersGated", minimum: 3,
		spec: whyNode + "\nschedulingGates: [{name: example.com/wait}]"},
	{name: "suspended", cause: "JobSuspended", minimum: 3, spec: whyNode, job: "suspend: true"},
	{name: "quota", cause: "QuotaRefusesPods", minimum: 3, spec: whyNode, objects: `apiVersion: v1
kind: ResourceQuota
metadata: {name: two, namespace: "NS"}
spec: {hard: {pods: "2"}}`},
	{name: "pod-security", cause: "PodsRefused", minimum: 3, spec: whyNode,
		labels: document{"pod-security.kubernetes.io/enforce": "restricted"}},
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
	{name: "operator-silent", cause: "OperatorSilent", minimum: 3, wait: 70 * time.Second,
		spec: whyNode, job: "managedBy: example.com/nothing"},
	{name: "scheduler-unknown", cause: "SchedulerSilent", minimum: 3, wait: 70 * time.Second,
		spec: whyNode + "\nschedulerName: absent"},
	// The pods of two indexes have succeeded, and the third one is created again.
	{name: "retried", cause: "MemberRetriedAfterSuccess", on: map[string]string{"volcano": "GangStarted"},
		minimum: 3, spec: whyNode, act: retryOne},
	// The pods that held the room are gone. All three try the gang again, as the run has shown.
	{name: "room-came", cause: "GangStarted", minimum: 3, fillers: 7, filler: whyNode, spec: whyNode,
		act: removeFiller},
	// A node came. Coscheduling does not look at it before five minutes have passed.
	{name: "node-came", cause: "GangStarted", on: map[string]string{"coscheduling": "SchedulerAsleep"},
		pods: 10, minimum: 10, spec: whyNode, act: addOne},
	{name: "later-pods", cause: "MinimumCountsLaterPods", minimum: 4, roles: []stuckRole{
		{name: "initializer", pods: 1, spec: whyNode, marked: true},
		{name: "node", pods: 3, spec: whyNode, marked: true, after: "initializer", status: "Complete"}}},
	{name: "later-launcher", cause: "MinimumCountsLaterPods", minimum: 3, roles: []stuckRole{
		{name: "node", pods: 2, spec: whyNode, marked: true},
		{name: "launcher", pods: 1, spec: whyNode, marked: true, after: "node", status: "Ready"}}},
	{name: "earlier-runs", cause: "EarlierStageRuns", minimum: 3, roles: []stuckRole{
		{name: "initializer", pods: 1, spec: whyNode},
		{name: "node", pods: 3, spec: whyNode, marked: true, after: "initializer", status: "Complete"}}},
	{name: "earlier-stuck", cause: "EarlierStageStuck", minimum: 3, roles: []stuckRole{
		{name: "initializer", pods: 1, spec: gpus(16)},
		{name: "node", pods: 3, spec: whyNode, marked: true, after: "initializer", status: "Complete"}}},
	// Two roles, of which one finds room.
	{name: "two-roles", cause: "NoRoomNow", minimum: 5, fillers: 2, filler: gpus(3), roles: []stuckRole{
		{name: "worker", pods: 2, spec: gpus(1), marked: true},
		{name: "server", pods: 3, spec: gpus(1), marked: true}}},
	// The group asks for more than its pods do.
	{name: "stale-resources", cause: "GroupStale", on: map[string]string{"kube": ""}, minimum: 3,
		group: `minResources: {nvidia.com/gpu: "100"}`, spec: whyNode},
	{name: "task-minimum", on: only("volcano", "TaskMinimumUnmet"), minimum: 3,
		group: "minTaskMember: {worker: 3}", spec: whyNode},
	{name: "queue-missing", on: only("volcano", "QueueMissing", "kai", "QueueMissing"), minimum: 3,
		group: "queue: absent", spec: whyNode},
	{name: "queue-closed", on: only("volcano", "QueueClosed"), minimum: 3, group: "queue: NS",
		spec: whyNode, objects: volcanoQueue("spec: {weight: 1}\nstatus: {state: Closed}")},
	{name: "queue-limit", on: only("volcano", "AboveQueueLimit"), minimum: 3,
		group: `{queue: NS, minResources: {nvidia.com/gpu: "3"}}`, spec: whyNode,
		objects: volcanoQueue(`spec: {weight: 1, capability: {nvidia.com/gpu: "2"}}`)},
	{name: "queue-used-up", on: only("volcano", "QueueUsedUp"), minimum: 3,
		group: `{queue: NS, minResources: {nvidia.com/gpu: "3"}}`, spec: whyNode,
		objects: volcanoQueue(`spec: {weight: 1, capability: {nvidia.com/gpu: "4"}}`) + `
---
apiVersion: scheduling.volcano.sh/v1beta1
kind: PodGroup
metadata: {name: first, namespace: "NS"}
spec: {minMember: 2, queue: "NS"}
---
apiVersion: batch/v1
kind: Job
metadata: {name: filler, namespace: "NS"}
spec:
  parallelism: 2
  template:
    metadata: {annotations: {scheduling.k8s.io/group-name: first, cluster.test/endless: "true"}}
    spec:
      schedulerName: volcano
      restartPolicy: Never
      nodeSelector: {pool: POOL}
      containers: [{name: c, image: c, resources: {limits: {nvidia.com/gpu: "1"}}}]`},
	// A group without pods holds the room from the moment it exists.
	{name: "room-reserved", on: only("volcano", "RoomReserved"), minimum: 3,
		group: `minResources: {nvidia.com/gpu: "3"}`, spec: whyNode,
		objects: `apiVersion: scheduling.volcano.sh/v1beta1
kind: PodGroup
metadata: {name: filler, namespace: "NS"}
spec: {minMember: 8, queue: default, minResources: {nvidia.com/gpu: "8"}}`},
	{name: "queue-parent", on: only("kai", "QueueClosed"), minimum: 3,
		group: "queue: default-parent-queue", spec: whyNode},
	{name: "queue-limit", on: only("kai", "AboveQueueLimit"), minimum: 3, group: "queue: NS",
		spec: whyNode, objects: kaiQueue(-1, 2)},
	{name: "queue-used-up", on: only("kai", "QueueUsedUp"), minimum: 3, group: "queue: NS",
		spec: whyNode, objects: kaiQueue(-1, 4) + `---
apiVersion: scheduling.run.ai/v2alpha2
kind: PodGroup
metadata: {name: first, namespace: "NS"}
spec: {minMember: 2, queue: "NS"}
---
apiVersion: batch/v1
kind: Job
metadata: {name: filler, namespace: "NS"}
spec:
  parallelism: 2
  template:
    metadata: {annotations: {pod-group-name: first, cluster.test/endless: "true"}}
    spec:
      schedulerName: kai-scheduler
      restartPolicy: Never
      nodeSelector: {pool: POOL}
      containers: [{name: c, image: c, resources: {limits: {nvidia.com/gpu: "1"}}}]`},
	{name: "over-quota", on: only("kai", "NonPreemptibleOverQuota"), minimum: 3, spec: whyNode,
		group: `{queue: NS, preemptibility: non-preemptible}`, objects: kaiQueue(2, -1)},
	{name: "subgroup-unknown", on: only("kai", "SubgroupUnknown"), minimum: 3, spec: whyNode,
		group: "subGroups: [{name: a, minMember: 3}]", job: inSubgroup("b")},
	{name: "subgroup-empty", on: only("kai", "SubgroupsEmpty"), pods: 4, minimum: 4, spec: whyNode,
		group: "subGroups: [{name: a, minMember: 3}, {name: b, minMember: 1}]",
		job:   inSubgroup("a")},
	{name: "topology-missing", on: only("kai", "TopologyTooSmall"), minimum: 3, spec: whyNode,
		group: "topologyConstraint: {topology: absent, requiredTopologyLevel: kubernetes.io/hostname}"},
	// Six pods on one node, of which each has four GPUs.
	{name: "topology", on: only("kai", "TopologyTooSmall"), pods: 6, minimum: 6, spec: whyNode,
		group:   "topologyConstraint: {topology: NS, requiredTopologyLevel: kubernetes.io/hostname}",
		objects: kaiTopology},
	// The podgrouper does not find the owner of the Job.
	{name: "grouper-failed", on: only("kai", "GrouperFailed"), spec: whyNode, unmarked: true,
		labels: document{podgrouperLabel: "true"}, job: "suspend: true", act: disownJob},
	{name: "queue-limit", on: only("yunikorn", "AboveQueueLimit"), minimum: 3, spec: whyNode,
		job: inLabel("yunikorn.apache.org/queue", "root.two")},
	{name: "queue-used-up", on: only("yunikorn", "QueueUsedUp"), minimum: 3, spec: whyNode,
		job: inLabel("yunikorn.apache.org/queue", "root.four"), objects: `apiVersion: batch/v1
kind: Job
metadata: {name: filler, namespace: "NS"}
spec:
  parallelism: 2
  template:
    metadata:
      labels: {yunikorn.apache.org/app-id: NS-filler, yunikorn.apache.org/queue: root.four}
      annotations: {cluster.test/endless: "true"}
    spec:
      schedulerName: yunikorn
      restartPolicy: Never
      nodeSelector: {pool: POOL}
      containers: [{name: c, image: c, resources: {limits: {nvidia.com/gpu: "1"}}}]`},
	// The placeholders of a gang that waits for a ninth GPU hold all eight.
	{name: "room-held", on: only("yunikorn", "RoomReserved"), minimum: 3, spec: whyNode,
		objects: yunikornFiller(9)},
	{name: "groups-malformed", on: only("yunikorn", "GangSwitchedOff"), minimum: 3, spec: whyNode,
		fillers: 7, filler: whyNode, job: inAnnotation("yunikorn.apache.org/task-groups", "[{")},
	// The placeholders of the group that exists hold the room.
	{name: "group-undefined", on: only("yunikorn", "SubgroupUnknown"), minimum: 3, spec: whyNode,
		fillers: 5, filler: whyNode,
		job: inAnnotation("yunikorn.apache.org/task-group-name", "other")},
	{name: "timeout-soft", on: only("yunikorn", "GangSwitchedOff"), minimum: 3, spec: whyNode,
		fillers: 7, filler: whyNode, wait: 35 * time.Second,
		job: inAnnotation("yunikorn.apache.org/schedulingPolicyParameters",
			"placeholderTimeoutInSeconds=15 gangSchedulingStyle=Soft")},
	{name: "timeout-hard", on: only("yunikorn", "GangTimedOut"), minimum: 3, spec: whyNode,
		fillers: 7, filler: whyNode, wait: 20 * time.Second,
		job: inAnnotation("yunikorn.apache.org/schedulingPolicyParameters",
			"placeholderTimeoutInSeconds=15 gangSchedulingStyle=Hard")},
	{name: "elastic-quota", on: only("koordinator", "QuotaOfUser"), minimum: 3, spec: whyNode,
		job: inLabel(koordinatorQuotaLabel, "NS"), objects: koordinatorQuota(4) + `---
apiVersion: batch/v1
kind: Job
metadata: {name: filler, namespace: "NS"}
spec:
  parallelism: 2
  template:
    metadata:
      labels: {` + koordinatorQuotaLabel + `: "NS"}
      annotations: {cluster.test/endless: "true"}
    spec:
      schedulerName: koord-scheduler
      restartPolicy: Never
      nodeSelector: {pool: POOL}
      containers: [{name: c, image: c, resources: {limits: {nvidia.com/gpu: "1"}}}]`},
	{name: "elastic-quota-limit", on: only("koordinator", "AboveQueueLimit"), minimum: 3,
		spec: whyNode,
		job:  inLabel(koordinatorQuotaLabel, "NS"), objects: koordinatorQuota(2)},
	// The gang runs. Pods beyond its minimum that existed before it started never get a node.
	{name: "beyond-minimum", on: only("koordinator", "GangStarted"), pods: 5, minimum: 3,
		spec: whyNode},
	kueueState("admitted", "GangStarted", stuckCase{objects: kueueQueue(8, "", "")}),
	kueueState("admitted-never", "NeverTogether", stuckCase{objects: kueueQueue(20, "", ""),
		spec: gpus(4)}),
	kueueState("quota-used", "QuotaNotReserved", stuckCase{
		objects: kueueQueue(4, "", "") + kueueJob("filler", 2)}),
	kueueState("quota-never", "QuotaNeverSuffices", stuckCase{objects: kueueQueue(2, "", "")}),
	// The first of two Jobs waits for room, and the queue is strict.
	kueueState("behind", "BehindOthers", stuckCase{pods: 1,
		objects: kueueQueue(4, "  queueingStrategy: StrictFIFO", "") + kueueJob("filler", 2) +
			kueueJob("first", 3)}),
	kueueState("check-open", "AdmissionCheckOpen", stuckCase{objects: kueueCheck +
		"status: {conditions: [{type: Active, status: \"True\", reason: Active, message: \"\", " +
		"lastTransitionTime: \"2026-01-01T00:00:00Z\"}]}\n---\n" +
		kueueQueue(8, "  admissionChecksStrategy: {admissionChecks: [{name: NS}]}", "")}),
	// Nothing serves the check.
	kueueState("check-inactive", "KueueQueueUnusable", stuckCase{objects: kueueCheck + "---\n" +
		kueueQueue(8, "  admissionChecksStrategy: {admissionChecks: [{name: NS}]}", "")}),
	kueueState("flavor-taint", "FlavorOrTopologyExcluded", stuckCase{
		objects: kueueQueue(8, "", ", nodeTaints: [{key: reserved, effect: NoSchedule}]")}),
	kueueState("topology", "FlavorOrTopologyExcluded", stuckCase{pods: 6,
		job:     inAnnotation("kueue.x-k8s.io/podset-required-topology", "kubernetes.io/hostname"),
		objects: kueueTopology + kueueQueue(8, "", ", topologyName: NS")}),
	kueueState("queue-missing", "KueueQueueUnusable", stuckCase{queue: "absent"}),
	kueueState("cluster-queue-missing", "KueueQueueUnusable", stuckCase{
		objects: localQueue("{clusterQueue: NS}")}),
	kueueState("queue-held", "KueueQueueUnusable", stuckCase{
		objects: kueueQueue(8, "  stopPolicy: Hold", "")}),
	kueueState("local-queue-held", "KueueQueueUnusable", stuckCase{
		objects: strings.Replace(kueueQueue(8, "", ""), "{clusterQueue: NS}",
			"{clusterQueue: NS, stopPolicy: Hold}", 1)}),
	kueueState("queue-drained", "KueueQueueUnusable", stuckCase{objects: kueueQueue(8, "", ""),
		act: drain}),
	kueueState("deactivated", "WorkloadDeactivated", stuckCase{objects: kueueQueue(8, "", ""),
		act: deactivate}),
}

// drain stops the queue, and what it has admitted.
func drain(w *whyRun, namespace string) error {
	_, err := w.cluster.client.merge(kueueGroup, "ClusterQueue", "", namespace, "",
		document{"spec": document{"stopPolicy": "HoldAndDrain"}})
	return err
}

// deactivate takes the job out of its queue.
func deactivate(w *whyRun, namespace string) error {
	workloads, err := w.cluster.client.items(kueueGroup, "Workload", namespace)
	if err != nil || len(workloads) == 0 {
		return cmp.Or(err, errors.New("no Workload"))
	}
	_, err = w.cluster.client.merge(kueueGroup, "Workload", namespace, nameOf(workloads[0]), "",
		document{"spec": document{"active": false}})
	return err
}

// retryOne lets all pods of the job but one succeed, and deletes that one.
func retryOne(w *whyRun, namespace string) error {
	pods, err := w.cluster.client.items("v1", "Pod", namespace)
	if err != nil {
		return err
	}
	for i, pod := range pods {
		if i == 0 {
			continue
		}
		_, err := w.cluster.client.merge("v1", "Pod", namespace, nameOf(pod), "/status",
			document{"status": endedStatus(pod)})
		if err != nil {
			return err
		}
	}
	return w.cluster.client.remove(pods[0])
}

// disownJob gives the Job an owner of a kind that is not served, and resumes it.
func disownJob(w *whyRun, namespace string) error {
	owner := document{"apiVersion": "example.com/v1", "kind": "Thing", "name": "absent",
		"uid": "absent"}
	_, err := w.cluster.client.merge("batch/v1", "Job", namespace, "job", "", document{
		"metadata": document{"ownerReferences": []any{owner}}, "spec": document{"suspend": false}})
	return err
}

func removeFiller(w *whyRun, namespace string) error {
	return w.cluster.client.remove(named("batch/v1", "Job", namespace, "filler"))
}

// addOne adds a node for the scheduler of the case. It goes with the other objects.
func addOne(w *whyRun, namespace string) error {
	pods, err := w.cluster.client.items("v1", "Pod", namespace)
	if err != nil {
		return err
	}
	return w.cluster.addNode(namespace, text(pods[0], "spec", "nodeSelector", "pool"), 4)
}
