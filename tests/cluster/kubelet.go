// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"time"
)

// The kubelet runs no containers. It reports that a bound pod runs, and later that it succeeded.
type kubelet struct {
	client *client
	lock   sync.Mutex
	seen   map[string]bool
	// lifetime says how long a pod runs. Pods without an end run until they are deleted.
	lifetime time.Duration
}

const startDelay = 300 * time.Millisecond

// startKubelet watches pods and claims until the cluster stops.
func (c *cluster) startKubelet(lifetime time.Duration) *kubelet {
	k := &kubelet{client: c.client, seen: map[string]bool{}, lifetime: lifetime}
	ctx, cancel := context.WithCancel(context.Background())
	c.closers = append(c.closers, cancel)
	go c.client.watch(ctx, "v1", "Pod", k.observe)
	go c.client.watch(ctx, "v1", "PersistentVolumeClaim", k.provide)
	return k
}

func (k *kubelet) observe(one event) {
	if one.Type == "DELETED" || one.Type == "BOOKMARK" || one.Type == "ERROR" {
		return
	}
	pod := one.Object
	uid := text(pod, "metadata", "uid")
	if text(pod, "metadata", "deletionTimestamp") != "" {
		if k.first(uid + " deleted") {
			go k.finish(pod)
		}
		return
	}
	if text(pod, "spec", "nodeName") != "" && k.first(uid) {
		go k.runPod(pod)
	}
}

func (k *kubelet) first(key string) bool {
	k.lock.Lock()
	defer k.lock.Unlock()
	known := k.seen[key]
	k.seen[key] = true
	return !known
}

func (k *kubelet) runPod(pod document) {
	time.Sleep(startDelay)
	k.report(pod, runningStatus(pod))
	k.executors(pod)
	if isEndless(pod) {
		return
	}
	time.Sleep(k.lifetime)
	k.report(pod, endedStatus(pod))
}

func (k *kubelet) report(pod document, status document) {
	_, _ = k.client.merge("v1", "Pod", namespaceOf(pod), nameOf(pod), "/status",
		document{"metadata": document{"uid": text(pod, "metadata", "uid")}, "status": status})
}

// finish completes a deletion that waits for the kubelet.
func (k *kubelet) finish(pod document) {
	path, err := k.client.pathOf(document{"apiVersion": "v1", "kind": "Pod",
		"metadata": pod["metadata"]}, true)
	if err == nil {
		_, _ = k.client.send("DELETE", path, "application/json",
			document{"gracePeriodSeconds": 0, "preconditions": document{
				"uid": text(pod, "metadata", "uid")}})
	}
}

// The workers of an MPI job serve their launcher until the job is over.
func isEndless(pod document) bool {
	if text(pod, "metadata", "annotations", "cluster.test/endless") != "" || isPlaceholder(pod) {
		return true
	}
	for _, container := range list(at(pod, "spec", "containers")) {
		for _, word := range list(at(container, "command")) {
			if word, _ := word.(string); strings.HasSuffix(word, "sshd") {
				return true
			}
		}
	}
	return false
}

// isPlaceholder says whether YuniKorn holds room with the pod.
func isPlaceholder(pod document) bool {
	return text(pod, "metadata", "annotations", "internal.yunikorn.apache.org/placeholder") != ""
}

func conditions(ready string, kinds ...string) []any {
	var all []any
	for _, kind := range kinds {
		all = append(all, document{"type": kind, "status": ready,
			"lastTransitionTime": time.Now().UTC().Format(time.RFC3339)})
	}
	return all
}

func runningStatus(pod document) document {
	now := time.Now().UTC().Format(time.RFC3339)
	return document{
		"phase": "Running", "startTime": now,
		"podIP": "10.1.0.1", "podIPs": []any{document{"ip": "10.1.0.1"}},
		"conditions":        conditions("True", "PodScheduled", "Initialized", "ContainersReady", "Ready"),
		"containerStatuses": statuses(pod, true, document{"running": document{"startedAt": now}}),
	}
}

func endedStatus(pod document) document {
	now := time.Now().UTC().Format(time.RFC3339)
	return document{
		"phase": "Succeeded",
		"conditions": append(conditions("True", "PodScheduled", "Initialized"),
			conditions("False", "ContainersReady", "Ready")...),
		"containerStatuses": statuses(pod, false, document{"terminated": document{
			"exitCode": 0, "reason": "Completed", "startedAt": now, "finishedAt": now}}),
	}
}

// failedStatus is that of a pod whose process was killed.
func failedStatus(pod document) document {
	status := endedStatus(pod)
	status["phase"] = "Failed"
	status["containerStatuses"] = statuses(pod, false, document{"terminated": document{
		"exitCode": 137, "reason": "Error"}})
	return status
}

func statuses(pod document, ready bool, state document) []any {
	var all []any
	for _, container := range list(at(pod, "spec", "containers")) {
		all = append(all, document{
			"name": text(container, "name"), "image": text(container, "image"),
			"imageID": "none", "ready": ready, "restartCount": 0, "state": state,
		})
	}
	return all
}

// provide creates a volume for every claim.
func (k *kubelet) provide(one event) {
	claim := one.Object
	if one.Type != "ADDED" || text(claim, "spec", "volumeName") != "" {
		return
	}
	name := "volume-" + text(claim, "metadata", "uid")
	_, _ = k.client.create(document{
		"apiVersion": "v1", "kind": "PersistentVolume", "metadata": document{"name": name},
		"spec": document{
			"capacity":                      document{"storage": "1Ti"},
			"accessModes":                   at(claim, "spec", "accessModes"),
			"persistentVolumeReclaimPolicy": "Retain",
			"hostPath":                      document{"path": "/nowhere"},
			"claimRef": document{"apiVersion": "v1", "kind": "PersistentVolumeClaim",
				"namespace": namespaceOf(claim), "name": nameOf(claim),
				"uid": text(claim, "metadata", "uid")},
		},
	})
}

// addNode creates a ready node.
func (c *cluster) addNode(name, pool string, gpus int) error {
	resources := document{"cpu": "64", "memory": "512Gi", "pods": "110",
		"ephemeral-storage": "1Ti", "nvidia.com/gpu": fmt.Sprint(gpus)}
	node := document{
		"apiVersion": "v1", "kind": "Node",
		"metadata": document{"name": name, "labels": document{"kubernetes.io/hostname": name,
			"kubernetes.io/os": "linux", "topology.kubernetes.io/zone": "a", "pool": pool}},
	}
	if _, err := c.client.create(node); err != nil {
		return err
	}
	now := time.Now().UTC().Format(time.RFC3339)
	_, err := c.client.merge("v1", "Node", "", name, "/status", document{"status": document{
		"capacity": resources, "allocatable": resources,
		"conditions": []any{document{"type": "Ready", "status": "True", "reason": "KubeletReady",
			"lastHeartbeatTime": now, "lastTransitionTime": now}},
	}})
	if err != nil {
		return err
	}
	// Admission adds the taint of a node that is not ready yet.
	_, err = c.client.merge("v1", "Node", "", name, "", document{"spec": document{"taints": nil}})
	return err
}
