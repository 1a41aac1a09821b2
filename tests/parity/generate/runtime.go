// SPDX-License-Identifier: Apache-2.0

package generate

const (
	apiVersion    = "trainer.kubeflow.org/v1alpha1"
	ancestorLabel = "trainer.kubeflow.org/trainjob-ancestor-step"
	queueKey      = "scheduling.volcano.sh/queue-name"
	runtimeName   = "made"
	namespace     = "ml"
)

// layout is one replicated job before it is filled in.
type layout struct {
	name, ancestor, container string
	after                     []string // jobs it depends on
	status                    string
	small                     bool // the operator writes a line for each pod
}

// runtime is a whole runtime document.
func (d dice) runtime() object {
	jobs, policy := d.layouts()
	for i := range jobs {
		_, jobs[i].small = policy["mpi"]
	}
	spec := object{"template": object{"spec": d.jobSetSpec(jobs)}}
	if policy != nil {
		spec["mlPolicy"] = policy
	}
	d.maybe(40, spec["template"].(object), "metadata", func() any { return d.templateMetadata() })
	d.maybe(88, spec, "podGroupPolicy", func() any { return d.podGroupPolicy() })
	document := object{"apiVersion": apiVersion, "kind": "ClusterTrainingRuntime", "spec": spec}
	metadata := object{"name": runtimeName}
	if d.chance(40) {
		document["kind"] = "TrainingRuntime"
		metadata["namespace"] = namespace
	}
	d.maybe(10, metadata, "labels", func() any {
		return object{"trainer.kubeflow.org/webhook-validation": "disabled"}
	})
	document["metadata"] = metadata
	return document
}

func (d dice) templateMetadata() object {
	metadata := object{}
	d.maybe(30, metadata, "labels", func() any {
		return object{"team": "vision", "kai.scheduler/queue": "q7"}
	})
	d.maybe(75, metadata, "annotations", func() any {
		annotations := object{"note": "n"}
		d.maybe(80, annotations, queueKey, func() any { return d.queue() })
		return annotations
	})
	return metadata
}

func (d dice) queue() any {
	if d.chance(3) {
		return ""
	}
	return pick(d, "q1", "default", "research", "a.b", "Über_Queue")
}

// layouts chooses the shape of the job and the ML policy that goes with it.
func (d dice) layouts() ([]layout, object) {
	switch shape := d.IntN(100); {
	case shape < 20:
		return d.trainerOnly(), d.mlPolicy("torch")
	case shape < 38:
		return d.withInitializers(), d.mlPolicy(pick(d, "torch", "torch", "jax", "none", ""))
	case shape < 56:
		return d.mpi(), d.mlPolicy("mpi")
	case shape < 62:
		return d.trainerOnly(), d.mlPolicy("flux")
	case shape < 76:
		return d.trainerOnly(), d.mlPolicy(pick(d, "jax", "xgboost", "none", ""))
	}
	return d.anything(), d.mlPolicy(pick(d, "torch", "jax", "xgboost", "mpi", "none", "", ""))
}

func (d dice) trainerOnly() []layout {
	return []layout{{name: "node", ancestor: "trainer", container: "node"}}
}

func initializer(name string) layout { return layout{name: name, ancestor: name, container: name} }

func (d dice) withInitializers() []layout {
	jobs := []layout{
		initializer("dataset-initializer"),
		initializer("model-initializer"),
		{name: "node", ancestor: "trainer", container: "node", status: "Complete"},
	}
	if d.chance(75) {
		jobs[2].after = []string{"dataset-initializer", "model-initializer"}
	}
	if d.chance(20) {
		return jobs[1:]
	}
	return jobs
}

// mpi is the layout of the shipped MPI runtimes (the label on the launcher)
// or the one of upstream's own tests (the label on the node).
func (d dice) mpi() []layout {
	node := layout{name: "node", container: "node"}
	launcher := layout{name: "launcher", container: "node", status: "Ready"}
	if d.chance(60) {
		launcher.ancestor = "trainer"
	} else {
		node.ancestor = "trainer"
	}
	if d.chance(60) {
		launcher.after = []string{"node"}
	}
	jobs := []layout{node, launcher}
	if d.chance(20) {
		jobs = []layout{launcher, node}
	}
	if d.chance(15) {
		jobs = append(jobs, initializer("dataset-initializer"))
	}
	return jobs
}

var jobNames = []string{"node", "launcher", "worker", "server", "dataset-initializer", "evaluator"}

// anything has up to six jobs, labelled without much sense.
func (d dice) anything() []layout {
	names := append([]string(nil), jobNames...)
	d.Shuffle(len(names), func(i, j int) { names[i], names[j] = names[j], names[i] })
	var jobs []layout
	for i, name := range names[:d.between(1, len(names))] {
		job := layout{name: name, status: pick(d, "Ready", "Complete")}
		job.container = pick(d, "node", "node", "main")
		switch {
		case d.chance(40):
			job.ancestor, job.container = "trainer", "node"
		case d.chance(15):
			job.ancestor, job.container = "dataset-initializer", "dataset-initializer"
		case d.chance(8):
			job.ancestor = pick(d, "Trainer", "worker", "node", "")
		}
		if d.chance(2) {
			job.container = "wrong"
		}
		if i > 0 && d.chance(25) {
			job.after = []string{pick(d, names[:i]...)}
		}
		jobs = append(jobs, job)
	}
	return jobs
}

func (d dice) jobSetSpec(jobs []layout) object {
	var replicated list
	ordered := true
	for _, job := range jobs {
		replicated = append(replicated, d.replicatedJob(job))
		ordered = ordered && len(job.after) == 0
	}
	spec := object{"replicatedJobs": replicated}
	if ordered && d.chance(8) || d.chance(0.3) {
		spec["startupPolicy"] = object{"startupPolicyOrder": pick(d, "InOrder", "AnyOrder")}
	}
	d.maybe(4, spec, "network", func() any { return object{"subdomain": "net", "enableDNSHostnames": true} })
	d.maybe(3, spec, "suspend", func() any { return d.chance(50) })
	return spec
}

func (d dice) replicatedJob(job layout) object {
	jobSpec := object{"template": object{"spec": d.podSpec(job.container)}}
	d.maybe(35, jobSpec, "parallelism", func() any { return d.parallelism(job.small) })
	d.maybe(15, jobSpec, "completions", func() any { return d.between(1, 6) })
	d.maybe(15, jobSpec, "backoffLimit", func() any { return 0 })
	d.maybe(30, jobSpec["template"].(object), "metadata", func() any { return d.marks() })
	template := object{"spec": jobSpec}
	metadata := object{}
	if job.ancestor != "" || d.chance(3) {
		metadata["labels"] = object{ancestorLabel: job.ancestor, "tier": "x"}
	}
	d.maybe(6, metadata, "annotations", func() any { return object{queueKey: "ignored"} })
	if len(metadata) > 0 {
		template["metadata"] = metadata
	}
	made := object{"name": job.name, "template": template}
	if job.ancestor == "" || d.chance(1) {
		d.maybe(45, made, "replicas", func() any { return d.replicas() })
	} else {
		d.maybe(30, made, "replicas", func() any { return 1 })
	}
	d.maybe(5, made, "groupName", func() any { return "g" })
	if len(job.after) > 0 {
		var edges list
		for _, name := range job.after {
			edges = append(edges, object{"name": name, "status": job.status})
		}
		made["dependsOn"] = edges
	}
	return made
}

func (d dice) parallelism(small bool) any {
	if !small && d.chance(0.4) {
		return 2147483647
	}
	if d.tame {
		return d.between(-1, 16)
	}
	return pick[any](d, 1, 1, 2, 3, 4, 6, 16, 0, -1, nil, number("2.0"))
}

func (d dice) replicas() any {
	if d.tame {
		return d.between(0, 3)
	}
	return pick[any](d, 1, 1, 2, 3, 0, number("2.0"), nil)
}
