// SPDX-License-Identifier: Apache-2.0

package seams

import "strings"

const (
	kuberay = "github.com/ray-project/kuberay/ray-operator"
	plugins = "controllers/ray/batchscheduler/"
	spark   = "github.com/kubeflow/spark-operator/v2"
	trainer = "github.com/kubeflow/trainer/v2"
	runtime = "pkg/runtime/framework/plugins/"
)

// The suite parity runs these with each engine, and counts those that can notice a gang.
var trainersPlugins = map[string]string{
	runtime + "coscheduling/coscheduling.go": "../../parity/plugin/testdata/coscheduling/coscheduling.go",
	runtime + "volcano/volcano.go":           "../../parity/plugin/testdata/volcano/volcano.go",
}

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
			"TestCreatePodGroup_NetworkTopologyOnlyModeLabel": "the tier is written out as 1, which was the " +
				"default of Volcano's CRD up to 1.13: 1.14 has none",
			// Its cases report to the test itself.
			"TestCalculatePodGroupParams": "KubeRay adds the container of the autoscaler to the head " +
				"pod, 500m and 512Mi (controllers/ray/common/pod.go:205, :715), and sums the template " +
				"without it (controllers/ray/utils/util.go:496): TestAutoscalerContainer in adapters/kuberay",
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
		operator: "kuberay", module: kuberay, pkg: plugins + "yunikorn",
		files: map[string]string{"yunikorn_scheduler.go": "kuberay/yunikorn_scheduler.go"},
		cases: 14,
	},
	{
		// KubeRay's choice by name, which knows nothing of gangs.
		operator: "kuberay", module: kuberay, pkg: strings.TrimSuffix(plugins, "/"),
		files: map[string]string{
			"volcano/volcano_scheduler.go":           "kuberay/volcano_scheduler.go",
			"scheduler-plugins/scheduler_plugins.go": "kuberay/scheduler_plugins.go",
			"kai-scheduler/kai_scheduler.go":         "kuberay/kai_scheduler.go",
			"yunikorn/yunikorn_scheduler.go":         "kuberay/yunikorn_scheduler.go",
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
	{
		operator: "spark", module: spark, pkg: "internal/scheduler/volcano",
		files: map[string]string{"scheduler.go": "spark/volcano.go"},
		cases: 7,
	},
	{
		operator: "spark", module: spark, pkg: "internal/scheduler/kubescheduler",
		files: map[string]string{"scheduler.go": "spark/kubescheduler.go"},
		cases: 8,
		differs: map[string]string{
			"TestScheduleCreatesPodGroupAndLabelsApp": "its application is none that Spark starts: 1Gi " +
				"is no size of the JVM (JavaUtils.byteStringAs). With sizes of Spark, it wants one " +
				"group with the minimum 1 for the driver and the executors (kubescheduler/scheduler.go, " +
				"Schedule), in which executors start in part",
			"TestScheduleUpdatesExistingPodGroup": "as above",
		},
	},
	{
		operator: "spark", module: spark, pkg: "internal/scheduler/yunikorn",
		files: map[string]string{"scheduler.go": "spark/yunikorn.go"},
		cases: 8,
		differs: map[string]string{
			"TestSchedule": "the one below",
			"TestSchedule/Dynamic_allocation_and_memory_overhead": "spelling: 2000m is written as 2, " +
				"and 67584Mi as 66Gi, as Kubernetes writes them",
		},
	},
	{
		operator: "trainer", module: trainer, pkg: runtime + "coscheduling", home: "../parity",
		shared: trainersPlugins, cases: 11,
	},
	{
		operator: "trainer", module: trainer, pkg: runtime + "volcano", home: "../parity",
		shared: trainersPlugins, cases: 12,
	},
	{
		// The framework and the runtimes call the two plugins with all others.
		operator: "trainer framework", module: trainer, pkg: "pkg/runtime/framework/core",
		home: "../parity", shared: trainersPlugins, cases: 35,
	},
	{
		operator: "trainer runtime", module: trainer, pkg: "pkg/runtime/core",
		home: "../parity", shared: trainersPlugins, cases: 45,
	},
}
