// SPDX-License-Identifier: Apache-2.0

//go:build spark

package main

import (
	"strconv"

	spark "github.com/kubeflow/spark-operator/v2/api/v1beta2"
	sparkutil "github.com/kubeflow/spark-operator/v2/pkg/util"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	utilruntime "k8s.io/apimachinery/pkg/util/runtime"
	kueuespark "sigs.k8s.io/kueue/pkg/controller/jobs/sparkapplication"

	"libgang.dev/tests/kinds/resourceusage"
)

func init() {
	register(kind{name: "SparkApplication", make: makeSpark, ask: askSpark,
		source: "Spark operator v2.5.2 SetSparkApplicationDefaults, " +
			"util.GetInitialExecutorNumber (count), yunikorn/resourceusage (cpu and memory); " +
			"Kueue v0.19.2 (*sparkapplication.SparkApplication).PodSets (the other containers, " +
			"GPUs). The executors' edge follows from Spark: the driver creates them"})
	kueueWebhooks["SparkApplication"] = asks(&kueuespark.SparkApplicationWebhook{}, readSpark)
}

// ---- documents ----

func makeSpark(r random) object {
	language := choose(r, "Scala", "Java", "Python", "R")
	conf := object{}
	spec := object{"type": language, "sparkVersion": "4.0.0",
		"mainApplicationFile": "local:///opt/app",
		"driver":              sparkPod(r), "executor": sparkPod(r)}
	r.maybe(60, spec, "mode", choose(r, "cluster", "cluster", "cluster", "client"))
	r.maybe(20, spec, "suspend", r.chance(70))
	r.maybe(20, spec, "memoryOverheadFactor", choose(r, "0.2", "0.5", "0.05"))
	executor := spec["executor"].(object)
	r.maybe(60, executor, "instances", r.between(1, 6))
	switch {
	case r.chance(35):
		dynamic := object{"enabled": r.chance(85)}
		r.maybe(60, dynamic, "initialExecutors", r.between(0, 5))
		r.maybe(60, dynamic, "minExecutors", r.between(0, 4))
		r.maybe(40, dynamic, "maxExecutors", r.between(6, 9))
		spec["dynamicAllocation"] = dynamic
	case executor["instances"] == nil:
		r.maybe(40, conf, "spark.executor.instances", strconv.Itoa(r.between(1, 6)))
	}
	r.maybe(15, conf, "spark.executor.pyspark.memory", choose(r, "512m", "1g", "300"))
	if r.chance(15) {
		conf["spark.memory.offHeap.enabled"] = choose(r, "true", "true", "false")
		conf["spark.memory.offHeap.size"] = choose(r, "512m", "1g")
	}
	if len(conf) > 0 {
		spec["sparkConf"] = conf
	}
	return object{"apiVersion": "sparkoperator.k8s.io/v1beta2", "kind": "SparkApplication",
		"metadata": r.metadata("etl"), "spec": spec}
}

func sparkPod(r random) object {
	pod := object{}
	r.maybe(60, pod, "cores", r.between(1, 4))
	r.maybe(30, pod, "coreRequest", choose(r, "500m", "2", "1500m"))
	r.maybe(20, pod, "coreLimit", "4")
	r.maybe(75, pod, "memory", choose(r, "512m", "1g", "4g", "10g", "700m", "1t", "900000k"))
	r.maybe(25, pod, "memoryOverhead", choose(r, "512m", "1g", "100m"))
	r.maybe(10, pod, "memoryLimit", "2t")
	if r.chance(30) {
		pod["gpu"] = object{"name": "nvidia.com/gpu", "quantity": r.between(1, 8)}
	}
	if r.chance(10) {
		pod["sidecars"] = []any{r.container("proxy")}
	}
	if r.chance(10) {
		pod["initContainers"] = []any{r.container("prepare")}
	}
	return pod
}

// ---- answers ----

func readSpark(document object) *spark.SparkApplication {
	app := decode[spark.SparkApplication](document)
	spark.SetSparkApplicationDefaults(app)
	return app
}

func askSpark(document object) *answer {
	app := readSpark(document)
	pods, err := (*kueuespark.SparkApplication)(app).PodSets(background, nil)
	theirs := fromPodSets(pods, err)
	result := &answer{Suspend: app.Spec.Suspend != nil && *app.Spec.Suspend}
	requests, err := resourceusage.DriverPodRequests(app)
	utilruntime.Must(err)
	driver := &role{Name: "driver", Count: 1,
		Requests: sparkRequests(&pods[0].Template, requests)}
	requests, err = resourceusage.ExecutorPodRequests(app)
	utilruntime.Must(err)
	executor := &role{Name: "executor", Count: sparkutil.GetInitialExecutorNumber(app),
		Requests: sparkRequests(&pods[1].Template, requests)}
	dynamic := sparkutil.IsDynamicAllocationEnabled(app)
	if conf, given := app.Spec.SparkConf["spark.executor.instances"]; given && !dynamic &&
		app.Spec.Executor.Instances == nil {
		result.differ("Spark operator", "executor", "count", executor.Count,
			"GetInitialExecutorNumber does not read spark.executor.instances, spark-submit does")
		count, err := strconv.Atoi(conf)
		utilruntime.Must(err)
		executor.Count = int32(count)
	}
	if dynamic {
		least := int32(0)
		if given := app.Spec.DynamicAllocation.MinExecutors; given != nil {
			least = *given
		}
		if least < executor.Count {
			executor.MinCount = &least
		}
	}
	if app.Spec.Mode == spark.DeployModeClient {
		result.Roles = []*role{executor} // Kueue's webhook refuses this mode
		return result
	}
	executor.After = map[string]string{"driver": "Ready"}
	result.Roles = []*role{driver, executor}
	result.sameAsKueue(theirs, sparkReason)
	return result
}

// sparkRequests replaces cpu and memory of Spark's own container, which Kueue reads differently.
func sparkRequests(template *corev1.PodTemplateSpec, own map[string]string) amounts {
	template = template.DeepCopy()
	main := &template.Spec.Containers[0].Resources
	main.Requests = corev1.ResourceList{}
	for name, amount := range own {
		main.Requests[corev1.ResourceName(name)] = resource.MustParse(amount)
	}
	return requestsOf(template)
}

func sparkReason(name, field string) string {
	switch {
	case name == "executor" && field == "count":
		return "Kueue reads executor.instances alone, and 0 without it"
	case name == "executor" && field == "minCount":
		return "Kueue refuses dynamic allocation"
	case field == "requests":
		return "Kueue leaves out the memory overhead, PySpark's memory and the cores field"
	}
	return ""
}
