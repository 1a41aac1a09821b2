// SPDX-License-Identifier: Apache-2.0

package generate

import (
	"fmt"
	"strings"
)

var managers = []string{
	"trainer.kubeflow.org/trainjob-controller", "trainer.kubeflow.org/trainjob-controller",
	"kueue.x-k8s.io/multikueue",
}

// trainJob is a TrainJob that refers to the given runtime.
func (d dice) trainJob(runtime object) object {
	spec := object{"runtimeRef": d.runtimeRef(runtime)}
	d.maybe(82, spec, "trainer", func() any { return d.trainer(policySource(runtime)) })
	d.maybe(30, spec, "runtimePatches", func() any { return d.runtimePatches(runtime) })
	d.maybe(20, spec, "suspend", func() any { return pick[any](d, true, false, nil) })
	d.maybe(6, spec, "managedBy", func() any {
		return pick(d, managers...)
	})
	d.maybe(0.3, spec, "managedBy", func() any { return "somebody/else" })
	d.maybe(3, spec, "activeDeadlineSeconds", func() any { return 600 })
	d.maybe(1, spec, "unknown", func() any { return object{"a": 1} })
	return object{"apiVersion": apiVersion, "kind": "TrainJob", "metadata": d.jobMetadata(), "spec": spec}
}

// policySource is the key of the ML policy's source, or "".
func policySource(runtime object) string {
	policy, _ := runtime["spec"].(object)["mlPolicy"].(object)
	for _, source := range []string{"mpi", "flux", "torch", "jax", "xgboost"} {
		if _, ok := policy[source]; ok {
			return source
		}
	}
	return ""
}

func (d dice) jobMetadata() object {
	uid := fmt.Sprintf("uid-%d", d.IntN(1000000))
	metadata := object{"name": d.jobName(), "namespace": namespace, "uid": uid}
	d.maybe(15, metadata, "labels", func() any {
		return object{"kai.scheduler/queue": "team-a", "scheduling.x-k8s.io/pod-group": "never-used"}
	})
	d.maybe(10, metadata, "annotations", func() any { return object{queueKey: "never-used"} })
	return metadata
}

func (d dice) jobName() any {
	switch {
	case d.chance(0.8):
		return pick[any](d, "Train", "1train", "train_1", "-train", "train-", "a.b", "")
	case d.chance(0.5):
		return "a" + strings.Repeat("b", pick(d, 62, 63))
	}
	return pick(d, "train", "llama", "job-1", "x", "fine-tune-20")
}

func (d dice) runtimeRef(runtime object) object {
	kind := runtime["kind"]
	reference := object{"name": runtime["metadata"].(object)["name"], "kind": kind}
	if kind == "ClusterTrainingRuntime" && d.chance(40) {
		delete(reference, "kind")
	}
	d.maybe(30, reference, "apiGroup", func() any { return pick[any](d, "trainer.kubeflow.org", nil) })
	d.maybe(0.2, reference, "apiGroup", func() any { return pick(d, "", "other.io") })
	d.maybe(0.3, reference, "kind", func() any { return pick(d, "", "JobTemplate") })
	d.maybe(0.3, reference, "name", func() any { return pick(d, "absent", "") })
	return reference
}

func (d dice) trainer(source string) any {
	if d.chance(1) {
		return nil
	}
	trainer := object{}
	numNodes := 70.0
	if source == "flux" {
		numNodes = 97 // the operator cannot do without it
	}
	d.maybe(numNodes, trainer, "numNodes", func() any { return d.numNodes(source == "mpi") })
	d.maybe(50, trainer, "resourcesPerNode", func() any { return d.resources() })
	d.maybe(15, trainer, "numProcPerNode", func() any { return pick[any](d, 1, 2, 8, nil) })
	d.maybe(25, trainer, "image", func() any { return "registry.example/mine" })
	d.maybe(20, trainer, "command", func() any { return pick(d, list{"python", "x.py"}, list{"run"}) })
	d.maybe(0.4, trainer, "command", func() any { return list{"tune", "run"} })
	d.maybe(15, trainer, "args", func() any { return list{"--epochs", "3"} })
	d.maybe(15, trainer, "env", func() any { return list{object{"name": "SIZE", "value": "large"}} })
	d.maybe(0.3, trainer, "env", func() any { return list{object{"name": "PET_NNODES", "value": "3"}} })
	return trainer
}
