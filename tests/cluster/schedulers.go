// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"path/filepath"
	"time"
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
