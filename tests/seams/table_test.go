// SPDX-License-Identifier: Apache-2.0

package seams

import "strings"

const (
	kuberay = "github.com/ray-project/kuberay/ray-operator"
	plugins = "controllers/ray/batchscheduler/"
)

var seams = []seam{
	{
		operator: "lws", module: "sigs.k8s.io/lws", pkg: "pkg/schedulerprovider",
		files: map[string]string{"volcano_provider.go": "lws/volcano_provider.go"},
		cases: 6,
	},
	{
		operator: "kuberay", module: kuberay, pkg: plugins + "volcano",
		files: map[string]string{"volcano_scheduler.go": "kuberay/volcano_scheduler.go"},
		cases: 35,
		differs: map[string]string{
			// Its cases report to the test itself.
			"TestCalculatePodGroupParams": "KubeRay forgets the container of the autoscaler: " +
				"500m and 512Mi in the head pod (controllers/ray/common/pod.go, BuildAutoscalerContainer)",
			"TestCreatePodGroup_NetworkTopologyOnlyModeLabel": "the tier is written out: 1, the default of Volcano's CRD",
		},
	},
	{
		operator: "kuberay", module: kuberay, pkg: plugins + "scheduler-plugins",
		files: map[string]string{"scheduler_plugins.go": "kuberay/scheduler_plugins.go"},
		cases: 6,
	},
	{
		operator: "kuberay", module: kuberay, pkg: plugins + "kai-scheduler",
		files: map[string]string{"kai_scheduler.go": "kuberay/kai_scheduler.go"},
		cases: 6,
	},
	{
		// KubeRay's choice by name, which knows nothing of gangs.
		operator: "kuberay", module: kuberay, pkg: strings.TrimSuffix(plugins, "/"),
		files: map[string]string{
			"volcano/volcano_scheduler.go":           "kuberay/volcano_scheduler.go",
			"scheduler-plugins/scheduler_plugins.go": "kuberay/scheduler_plugins.go",
			"kai-scheduler/kai_scheduler.go":         "kuberay/kai_scheduler.go",
		},
		cases: 13,
	},
	{
		operator: "mpi-operator", module: "github.com/kubeflow/mpi-operator", pkg: "pkg/controller",
		patch: "mpi-operator.patch",
		run: "^(TestNewPodGroup|TestCalcPriorityClassName|TestDecoratePodTemplateSpec|" +
			"TestCalculatePGMinResources|TestAddResources|TestCalculateMinAvailable|TestReplicasOrder)$",
		cases: 32,
	},
}
