// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"path/filepath"
	"strconv"
	"strings"
)

// applyRay installs the CRDs of KubeRay, whose operator does not run.
func applyRay(c *cluster) error {
	binaries, err := kubeRayRecipe().build()
	if err != nil {
		return err
	}
	return c.applyDefinitions(filepath.Join(binaries, "manifests/kuberay/crds"))
}

// The labels of KubeRay v1.6.2, controllers/ray/common/pod.go: labelPod, DefaultWorkerPodTemplate.
const (
	rayCluster = "ray.io/cluster"
	rayGroup   = "ray.io/group"
	rayReplica = "ray.io/worker-group-replica-index"
	rayHead    = "headgroup"
)

// createRayPods creates the pods of a RayCluster that exists as KubeRay does: the head, and the
// hosts of each replica, which have its index.
func (t *kindTeam) createRayPods(ray document) error {
	spec, _ := ray["spec"].(document)
	head, _ := at(spec, "headGroupSpec", "template").(document)
	err := t.createRayPod(ray, head, "head", map[string]string{rayGroup: rayHead})
	for _, group := range list(spec["workerGroupSpecs"]) {
		template, _ := at(group, "template").(document)
		hosts := number(group, "numOfHosts")
		for i := 0; i < number(group, "replicas")*hosts && err == nil; i++ {
			name := fmt.Sprintf("%s-%d-%d", text(group, "groupName"), i/hosts, i%hosts)
			err = t.createRayPod(ray, template, name, map[string]string{
				rayGroup: text(group, "groupName"), rayReplica: strconv.Itoa(i / hosts)})
		}
	}
	return err
}

func (t *kindTeam) createRayPod(ray, template document, name string,
	labels map[string]string) error {
	pod := copyOf(template)
	mergeInto(pod, document{"apiVersion": "v1", "kind": "Pod", "metadata": document{
		"name": nameOf(ray) + "-" + name, "namespace": t.namespace,
		"ownerReferences": []any{document{"apiVersion": ray["apiVersion"], "kind": kindOf(ray),
			"name": nameOf(ray), "uid": at(ray, "metadata", "uid"), "controller": true}},
	}})
	set(pod, nameOf(ray), "metadata", "labels", rayCluster)
	for label, value := range labels {
		set(pod, value, "metadata", "labels", label)
	}
	_, err := t.cluster.client.create(pod)
	return err
}

// allBound says whether a RayCluster runs: it has no operator that would say so in its status.
func (t *kindTeam) allBound(ray document) bool {
	pods := t.ledger.podsOf(nameOf(ray))
	return pods > 0 && t.ledger.boundOf(nameOf(ray)) == pods
}

// rayRole is the role of a pod's group.
func rayRole(group string) string {
	if group == rayHead {
		return "head"
	}
	return strings.ToLower(group)
}
