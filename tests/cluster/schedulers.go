// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"sigs.k8s.io/yaml"
)

const coschedulingConfig = `apiVersion: kubescheduler.config.k8s.io/v1
kind: KubeSchedulerConfiguration
leaderElection: {leaderElect: false}
clientConnection: {kubeconfig: %q, qps: 500, burst: 1000}
profiles:
- schedulerName: scheduler-plugins-scheduler
  plugins:
    multiPoint: {enabled: [{name: Coscheduling}]}
    queueSort: {enabled: [{name: Coscheduling}], disabled: [{name: "*"}]}
  pluginConfig:
  - name: Coscheduling
    args: {permitWaitingTimeSeconds: 10}
`

// startCoscheduling starts the scheduler with the plugin, and the controller of its PodGroups.
func (c *cluster) startCoscheduling(binaries string) error {
	for _, folder := range []string{"crds", "quotas"} {
		err := c.applyDefinitions(filepath.Join(binaries, "manifests/coscheduling", folder))
		if err != nil {
			return err
		}
	}
	config, err := c.writeFile("coscheduling.yaml", fmt.Sprintf(coschedulingConfig, c.kubeconfig))
	if err != nil {
		return err
	}
	_, err = c.run("coscheduling", program(binaries, "coscheduling"), "--config="+config,
		"--secure-port=0", "--bind-address=127.0.0.1")
	if err != nil {
		return err
	}
	_, err = c.run("coscheduling-controller", program(binaries, "coscheduling-controller"),
		"--metricsAddr=0", "--probeAddr=0", "--qps=500", "--burst=1000")
	return err
}

const volcanoConfig = `actions: "enqueue, allocate, backfill"
tiers:
- plugins: [{name: priority}, {name: gang, enablePreemptable: false}, {name: conformance}]
- plugins: [{name: overcommit}, {name: drf, enablePreemptable: false}, {name: predicates},
    {name: proportion}, {name: nodeorder}, {name: binpack}]
`

// startVolcano starts the scheduler, which sees only the nodes of its own pool, and the controllers
// of PodGroups and queues.
func (c *cluster) startVolcano(binaries string) error {
	if err := c.applyDefinitions(filepath.Join(binaries, "manifests/volcano/crds")); err != nil {
		return err
	}
	config, err := c.writeFile("volcano.yaml", volcanoConfig)
	if err != nil {
		return err
	}
	ports, err := freePorts(4)
	if err != nil {
		return err
	}
	scheduler, err := c.run("volcano-scheduler", program(binaries, "volcano-scheduler"),
		"--kubeconfig="+c.kubeconfig, "--leader-elect=false", "--scheduler-conf="+config,
		"--schedule-period=500ms", "--node-selector=pool:volcano", "--cache-dumper=false",
		"--kube-api-qps=500", "--kube-api-burst=1000", "--listen-address="+loopback(ports[0]),
		"--healthz-address="+loopback(ports[1]))
	if err != nil {
		return err
	}
	_, err = c.run("volcano-controller", program(binaries, "volcano-controller"),
		"--kubeconfig="+c.kubeconfig, "--leader-elect=false", "--kube-api-qps=500",
		"--kube-api-burst=1000", "--controllers=pg-controller,queue-controller,gc-controller",
		"--listen-address="+loopback(ports[2]),
		"--healthz-address="+loopback(ports[3]))
	if err != nil {
		return err
	}
	return scheduler.waitFor(time.Minute, func() bool {
		queue, err := c.client.get("scheduling.volcano.sh/v1beta1", "Queue", "", "default")
		return err == nil && text(queue, "status", "state") == "Open"
	})
}

// Namespaces with this label have the podgrouper, which groups every pod by its owner. In the
// others the pods keep the groups that they name, as they do in all namespaces since v0.15 with the
// annotation kai.scheduler/skip-podgrouper.
const podgrouperLabel = "cluster.test/podgrouper"

// The queues of KAI's chart: deployments/kai-scheduler/templates/default-queue.yaml.
const kaiQueues = `apiVersion: scheduling.run.ai/v2
kind: Queue
metadata: {name: default-parent-queue}
spec:
  resources:
    cpu: &unlimited {quota: 0, limit: -1, overQuotaWeight: 1}
    gpu: *unlimited
    memory: *unlimited
---
apiVersion: scheduling.run.ai/v2
kind: Queue
metadata: {name: default-queue}
spec:
  parentQueue: default-parent-queue
  resources:
    cpu: &unlimited {quota: 0, limit: -1, overQuotaWeight: 1}
    gpu: *unlimited
    memory: *unlimited
`

// startKAI starts the scheduler, the binder, which carries its decisions out, and the controllers
// of PodGroups and queues. The webhooks are not served.
func (c *cluster) startKAI(binaries string) error {
	if err := c.applyDefinitions(filepath.Join(binaries, "manifests/kai/crds")); err != nil {
		return err
	}
	for _, text := range strings.Split(kaiQueues, "---\n") {
		queue := document{}
		if err := yaml.Unmarshal([]byte(text), &queue); err != nil {
			return err
		}
		if _, err := c.client.create(queue); err != nil {
			return err
		}
	}
	ports, err := freePorts(2)
	if err != nil {
		return err
	}
	scheduler, err := c.run("kai-scheduler", program(binaries, "kai-scheduler"),
		fmt.Sprintf("--plugin-server-port=%d", ports[0]), "--listen-address="+loopback(ports[1]),
		"--qps=500", "--burst=1000")
	if err != nil {
		return err
	}
	const noMetrics, noProbes = "--metrics-bind-address=0", "--health-probe-bind-address=0"
	for name, arguments := range map[string][]string{
		"kai-binder": {noMetrics, noProbes},
		"kai-podgrouper": {noMetrics, noProbes,
			"--namespace-label-selector=" + podgrouperLabel + "=true"},
		"kai-queuecontroller":    {"--enable-webhook=false", "--metrics-listen-address=0"},
		"kai-podgroupcontroller": {noMetrics, noProbes, "--enable-podgroup-webhook=false"},
	} {
		if _, err := c.run(name, program(binaries, name), arguments...); err != nil {
			return err
		}
	}
	return scheduler.waitFor(time.Minute, func() bool { return isListening(ports[1]) })
}

// A queue named by a pod counts if it exists, else that of the namespace does, as YuniKorn has it
// without another configuration.
const yunikornConfig = `
partitions:
- name: default
  placementrules: [{name: provided, create: false}, {name: tag, value: namespace, create: true}]
  queues:
  - name: root
    submitacl: "*"
    queues:
    - name: two
      resources: {max: {nvidia.com/gpu: 2}}
    - name: four
      resources: {max: {nvidia.com/gpu: 4}}
`

// startYuniKorn starts the scheduler, which serves its state at port 9080 of all addresses. Its
// admission controller does not run.
func (c *cluster) startYuniKorn(binaries string) error {
	const space = "yunikorn"
	config := named("v1", "ConfigMap", space, "yunikorn-configs")
	config["data"] = document{"queues.yaml": yunikornConfig, "log.level": "INFO",
		"kubernetes.qps": "500", "kubernetes.burst": "1000"}
	for _, one := range []document{named("v1", "Namespace", "", space), config} {
		if _, err := c.client.create(one); err != nil {
			return err
		}
	}
	c.environment = append(c.environment, "NAMESPACE="+space)
	scheduler, err := c.run("yunikorn", program(binaries, "yunikorn"))
	c.environment = c.environment[:len(c.environment)-1]
	if err != nil {
		return err
	}
	return scheduler.waitFor(time.Minute, func() bool { return isListening(9080) })
}

// startKoordinator starts the scheduler with the configuration of its manifests.
func (c *cluster) startKoordinator(binaries string) error {
	definitions := filepath.Join(binaries, "manifests/koordinator/crds")
	if err := c.applyDefinitions(definitions); err != nil {
		return err
	}
	documents, err := readDocuments(filepath.Join(binaries,
		"manifests/koordinator/manager/scheduler-config.yaml"))
	if err != nil {
		return err
	}
	settings := document{}
	err = yaml.Unmarshal([]byte(text(documents[0], "data", "koord-scheduler-config")), &settings)
	if err != nil {
		return err
	}
	settings["leaderElection"] = document{"leaderElect": false}
	settings["clientConnection"] = document{"kubeconfig": c.kubeconfig, "qps": 500, "burst": 1000}
	content, err := yaml.Marshal(settings)
	if err != nil {
		return err
	}
	config, err := c.writeFile("koordinator.yaml", string(content))
	if err != nil {
		return err
	}
	if _, err := c.client.create(named("v1", "Namespace", "", "koordinator-system")); err != nil {
		return err
	}
	ports, err := freePorts(1)
	if err != nil {
		return err
	}
	scheduler, err := c.run("koord-scheduler", program(binaries, "koord-scheduler"),
		"--config="+config, "--port=0", "--bind-address=127.0.0.1",
		fmt.Sprintf("--secure-port=%d", ports[0]))
	if err != nil {
		return err
	}
	return scheduler.waitFor(time.Minute, func() bool { return isListening(ports[0]) })
}
