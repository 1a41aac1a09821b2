// SPDX-License-Identifier: Apache-2.0

package upstream

import (
	"slices"

	trainer "github.com/kubeflow/trainer/v2/pkg/apis/trainer/v1alpha1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	"k8s.io/utils/ptr"
	jobset "sigs.k8s.io/jobset/api/jobset/v1alpha2"
)

const ancestorLabel = "trainer.kubeflow.org/trainjob-ancestor-step"

// Quirk is one behaviour of the operator that a reader of its API would not
// expect, or a feature that changes the gang.
type Quirk struct {
	Name  string
	holds func(*facts) bool
}

// facts are what the quirks look at, for a case that was rendered.
type facts struct {
	policy  *trainer.MLPolicy
	gang    *trainer.PodGroupPolicy
	jobs    []jobset.ReplicatedJob
	trainer trainer.Trainer
	job     *trainer.TrainJob
}

// QuirksOf names the quirks that a rendered case exercises.
func QuirksOf(outcome *Outcome) []string {
	f := &facts{
		policy: outcome.Spec.MLPolicy, gang: outcome.Spec.PodGroupPolicy,
		jobs: outcome.Spec.Template.Spec.ReplicatedJobs, job: outcome.Job,
	}
	if outcome.Job.Spec.Trainer != nil {
		f.trainer = *outcome.Job.Spec.Trainer
	}
	var names []string
	for _, quirk := range Quirks {
		if quirk.holds(f) {
			names = append(names, quirk.Name)
		}
	}
	return names
}

// Quirks is what a good run of random cases has met at least once each.
var Quirks = []Quirk{
	{"torch with numNodes from the TrainJob", func(f *facts) bool {
		return f.policy != nil && f.policy.Torch != nil && f.nodes() > 1
	}},
	{"coscheduling with its default timeout", func(f *facts) bool {
		return f.coscheduling() != nil && *f.coscheduling().ScheduleTimeoutSeconds == 60
	}},
	{"coscheduling timeout of zero or less", func(f *facts) bool {
		return f.coscheduling() != nil && *f.coscheduling().ScheduleTimeoutSeconds <= 0
	}},
	{"Volcano topology with its defaults", func(f *facts) bool {
		topology := f.topology()
		return topology != nil && topology.Mode == "hard" && *topology.HighestTierAllowed == 1
	}},
	{"resources under limits only", func(f *facts) bool { return f.anyContainer(limitsOnly) }},
	{"resourcesPerNode beside limits of the runtime", func(f *facts) bool {
		return f.trainer.ResourcesPerNode != nil && f.policy != nil && f.anyContainer(limitsOnly)
	}},
	{"resourcesPerNode with a GPU", func(f *facts) bool {
		if f.trainer.ResourcesPerNode == nil {
			return false
		}
		_, ok := f.trainer.ResourcesPerNode.Requests["nvidia.com/gpu"]
		return ok
	}},
	{"launcher as node, several nodes", func(f *facts) bool { return f.launcherAsNode() && f.nodes() > 1 }},
	{"launcher as node, one node becomes two pods", func(f *facts) bool {
		return f.launcherAsNode() && f.nodes() == 1
	}},
	{"numNodes of the runtime scales a labelled launcher", func(f *facts) bool {
		return f.mpi() != nil && f.trainer.NumNodes == nil && f.ancestorOf("launcher") == "trainer" &&
			ptr.Deref(f.policy.NumNodes, 1) > 1
	}},
	{"resourcesPerNode passes by the MPI node", func(f *facts) bool {
		return f.mpi() != nil && !f.launcherAsNode() && f.ancestorOf("launcher") == "trainer" &&
			f.trainer.ResourcesPerNode != nil
	}},
	{"MPI with the label on the node", func(f *facts) bool {
		return f.mpi() != nil && f.ancestorOf("node") == "trainer"
	}},
	{"no ML policy, numNodes counts, resourcesPerNode does not", func(f *facts) bool {
		return f.policy == nil && f.nodes() > 1 && f.trainer.ResourcesPerNode != nil &&
			f.labelled("trainer") > 0
	}},
	{"replicas are not counted", func(f *facts) bool {
		return slices.ContainsFunc(f.jobs, func(job jobset.ReplicatedJob) bool { return job.Replicas > 1 })
	}},
	{"replicas of zero", func(f *facts) bool {
		return slices.ContainsFunc(f.jobs, func(job jobset.ReplicatedJob) bool { return job.Replicas == 0 })
	}},
	{"numNodes of the runtime zero or less", func(f *facts) bool {
		return f.policy != nil && f.policy.NumNodes != nil && *f.policy.NumNodes < 1 &&
			f.labelled("trainer") > 0
	}},
	{"numNodes of the TrainJob zero", func(f *facts) bool {
		return f.trainer.NumNodes != nil && *f.trainer.NumNodes == 0
	}},
	{"numNodes of the TrainJob negative", func(f *facts) bool { return f.nodes() < 0 }},
	{"flux", func(f *facts) bool { return f.policy != nil && f.policy.Flux != nil && f.nodes() > 1 }},
	{"two jobs labelled trainer, the first takes numNodes", func(f *facts) bool {
		return f.labelled("trainer") > 1 && f.nodes() > 1
	}},
	{"initializers are counted", func(f *facts) bool {
		return f.labelled("dataset-initializer")+f.labelled("model-initializer") > 0
	}},
	{"decimal and binary amounts of one resource", func(f *facts) bool {
		return f.formats()[resource.BinarySI] && f.formats()[resource.DecimalSI]
	}},
	{"sidecar among init containers", func(f *facts) bool {
		return f.anyPod(func(pod *corev1.PodSpec) bool {
			return len(pod.InitContainers) > 1 && slices.ContainsFunc(pod.InitContainers, sidecar)
		})
	}},
	{"pod overhead", func(f *facts) bool {
		return f.anyPod(func(pod *corev1.PodSpec) bool {
			return len(pod.Overhead) > 0
		})
	}},
	{"pod-level requests", func(f *facts) bool {
		return f.anyPod(func(pod *corev1.PodSpec) bool {
			return pod.Resources != nil && len(pod.Resources.Requests) > 0
		})
	}},
	{"priorities that disagree", func(f *facts) bool { return f.priorities() > 1 }},
	{"several runtime patches", func(f *facts) bool { return len(f.job.Spec.RuntimePatches) > 1 }},
	{"patch of a job that does not exist", func(f *facts) bool { return f.patchesUnknown() }},
	{"patch that labels a job trainer", func(f *facts) bool { return f.patchesAncestor() }},
	{"patch that reorders init containers", func(f *facts) bool { return f.patchesInitContainers() }},
	{"queue from a patch", func(f *facts) bool { return f.patchesQueue() }},
	{"pod template with a mark already set", func(f *facts) bool { return f.presetMark() }},
	{"jobs that wait for others", func(f *facts) bool {
		return slices.ContainsFunc(f.jobs, func(job jobset.ReplicatedJob) bool {
			return len(job.DependsOn) > 0
		})
	}},
	{"suspended", func(f *facts) bool { return ptr.Deref(f.job.Spec.Suspend, false) }},
	{"both policies at once", func(f *facts) bool {
		return f.coscheduling() != nil && f.gang.Volcano != nil
	}},
	{"no policy", func(f *facts) bool { return f.gang == nil }},
}

func (f *facts) nodes() int32 { return ptr.Deref(f.trainer.NumNodes, 1) }

func (f *facts) coscheduling() *trainer.CoschedulingPodGroupPolicySource {
	if f.gang == nil {
		return nil
	}
	return f.gang.Coscheduling
}

func (f *facts) mpi() *trainer.MPIMLPolicySource {
	if f.policy == nil {
		return nil
	}
	return f.policy.MPI
}

func (f *facts) launcherAsNode() bool {
	return f.mpi() != nil && ptr.Deref(f.mpi().RunLauncherAsNode, false) && f.trainer.NumNodes != nil
}

func (f *facts) ancestorOf(name string) string {
	for _, job := range f.jobs {
		if job.Name == name {
			return job.Template.Labels[ancestorLabel]
		}
	}
	return ""
}

func (f *facts) labelled(ancestor string) int {
	count := 0
	for _, job := range f.jobs {
		if job.Template.Labels[ancestorLabel] == ancestor {
			count++
		}
	}
	return count
}

func (f *facts) anyPod(holds func(*corev1.PodSpec) bool) bool {
	return slices.ContainsFunc(f.jobs, func(job jobset.ReplicatedJob) bool {
		return holds(&job.Template.Spec.Template.Spec)
	})
}

func (f *facts) anyContainer(holds func(corev1.Container) bool) bool {
	return f.anyPod(func(pod *corev1.PodSpec) bool { return slices.ContainsFunc(pod.Containers, holds) })
}

func limitsOnly(c corev1.Container) bool {
	return len(c.Resources.Limits) > 0 && len(c.Resources.Requests) == 0
}

func sidecar(c corev1.Container) bool {
	return ptr.Deref(c.RestartPolicy, "") == corev1.ContainerRestartPolicyAlways
}

func (f *facts) formats() map[resource.Format]bool {
	found := map[resource.Format]bool{}
	f.anyContainer(func(c corev1.Container) bool {
		if memory, ok := c.Resources.Requests[corev1.ResourceMemory]; ok {
			found[memory.Format] = true
		}
		return false
	})
	return found
}

func (f *facts) priorities() int {
	names := map[string]bool{}
	f.anyPod(func(pod *corev1.PodSpec) bool {
		names[pod.PriorityClassName] = true
		return false
	})
	delete(names, "")
	return len(names)
}

func (f *facts) presetMark() bool {
	return slices.ContainsFunc(f.jobs, func(job jobset.ReplicatedJob) bool {
		_, labelled := job.Template.Spec.Template.Labels["scheduling.x-k8s.io/pod-group"]
		_, annotated := job.Template.Spec.Template.Annotations["scheduling.k8s.io/group-name"]
		return labelled || annotated
	})
}
