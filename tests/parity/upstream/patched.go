// SPDX-License-Identifier: Apache-2.0

package upstream

import (
	"slices"

	trainer "github.com/kubeflow/trainer/v2/pkg/apis/trainer/v1alpha1"
	volcano "volcano.sh/apis/pkg/apis/scheduling/v1beta1"
)

// jobPatches are the replicated jobs that the TrainJob's patches name.
func (f *facts) jobPatches() []trainer.ReplicatedJobPatch {
	var patches []trainer.ReplicatedJobPatch
	for _, template := range f.templatePatches() {
		if template.Spec != nil {
			patches = append(patches, template.Spec.ReplicatedJobs...)
		}
	}
	return patches
}

func (f *facts) templatePatches() []*trainer.JobSetTemplatePatch {
	var templates []*trainer.JobSetTemplatePatch
	for _, patch := range f.job.Spec.RuntimePatches {
		if patch.TrainingRuntimeSpec != nil && patch.TrainingRuntimeSpec.Template != nil {
			templates = append(templates, patch.TrainingRuntimeSpec.Template)
		}
	}
	return templates
}

func (f *facts) patchesUnknown() bool {
	return slices.ContainsFunc(f.jobPatches(), func(patch trainer.ReplicatedJobPatch) bool {
		for _, job := range f.jobs {
			if job.Name == patch.Name {
				return false
			}
		}
		return true
	})
}

func (f *facts) patchesAncestor() bool {
	return slices.ContainsFunc(f.jobPatches(), func(patch trainer.ReplicatedJobPatch) bool {
		return patch.Template != nil && patch.Template.Metadata != nil &&
			patch.Template.Metadata.Labels[ancestorLabel] == "trainer"
	})
}

func (f *facts) patchesInitContainers() bool {
	return slices.ContainsFunc(f.jobPatches(), func(patch trainer.ReplicatedJobPatch) bool {
		return patch.Template != nil && patch.Template.Spec != nil && patch.Template.Spec.Template != nil &&
			patch.Template.Spec.Template.Spec != nil &&
			len(patch.Template.Spec.Template.Spec.InitContainers) > 1
	})
}

func (f *facts) patchesQueue() bool {
	return slices.ContainsFunc(f.templatePatches(), func(template *trainer.JobSetTemplatePatch) bool {
		return template.Metadata != nil &&
			template.Metadata.Annotations["scheduling.volcano.sh/queue-name"] != ""
	})
}

func (f *facts) topology() *volcano.NetworkTopologySpec {
	if f.gang == nil || f.gang.Volcano == nil {
		return nil
	}
	return f.gang.Volcano.NetworkTopology
}
