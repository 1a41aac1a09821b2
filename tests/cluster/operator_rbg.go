// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"fmt"
	"time"
)

const rbgVersion = "workloads.x-k8s.io/v1alpha2"

// startRoleBasedGroups imitates the controller of RoleBasedGroups: no module has it. Its CRD takes
// every field.
func startRoleBasedGroups(c *cluster) error {
	anything := document{"type": "object", "x-kubernetes-preserve-unknown-fields": true}
	err := c.applyDefinition(document{"apiVersion": "apiextensions.k8s.io/v1",
		"kind":     "CustomResourceDefinition",
		"metadata": document{"name": "rolebasedgroups.workloads.x-k8s.io"},
		"spec": document{"group": "workloads.x-k8s.io", "scope": "Namespaced",
			"names": document{"kind": "RoleBasedGroup", "plural": "rolebasedgroups"},
			"versions": []any{document{"name": "v1alpha2", "served": true, "storage": true,
				"subresources": document{"status": document{}},
				"schema": document{"openAPIV3Schema": document{"type": "object",
					"properties": document{"spec": anything, "status": anything}}}}}}})
	if err != nil {
		return err
	}
	ctx, cancel := context.WithCancel(context.Background())
	c.closers = append(c.closers, cancel)
	go func() {
		for ; ctx.Err() == nil; time.Sleep(500 * time.Millisecond) {
			groups, _ := c.client.items(rbgVersion, "RoleBasedGroup", "")
			for _, group := range groups {
				c.keepRoleBasedGroup(group)
			}
		}
	}()
	return nil
}

// keepRoleBasedGroup creates the pods of a group that are missing, and those that failed again.
// Labels: sgl-project/rbg:api/workloads/constants/label.go@v0.8.0-alpha.5.
func (c *cluster) keepRoleBasedGroup(group document) {
	ready := true
	for _, role := range list(at(group, "spec", "roles")) {
		for i := range number(role, "replicas") {
			name := fmt.Sprintf("%s-%s-%d", nameOf(group), text(role, "name"), i)
			template := at(role, "standalonePattern", "template")
			if template != nil {
				ready = c.keepPodOf(group, role.(document), template.(document), name, "") && ready
				continue
			}
			template = at(role, "leaderWorkerPattern", "template")
			for k := range number(role, "leaderWorkerPattern", "size") {
				component := map[bool]string{true: "leader", false: "worker"}[k == 0]
				ready = c.keepPodOf(group, role.(document), template.(document),
					fmt.Sprintf("%s-%d", name, k), component) && ready
			}
		}
	}
	if ready && !hasCondition(group, "Ready") {
		_, _ = c.client.merge(rbgVersion, "RoleBasedGroup", namespaceOf(group), nameOf(group), "/status",
			document{"status": document{"conditions": []any{document{"type": "Ready", "status": "True",
				"reason": "AllRolesReady", "message": "", "lastTransitionTime": "2026-01-01T00:00:00Z"}}}})
	}
}

// keepPodOf tells whether the pod runs.
func (c *cluster) keepPodOf(group, role, template document, name, component string) bool {
	pod, err := c.client.get("v1", "Pod", namespaceOf(group), name)
	switch {
	case err == nil && text(pod, "status", "phase") == "Failed":
		pod["apiVersion"], pod["kind"] = "v1", "Pod"
		_ = c.client.remove(pod)
	case err == nil:
		return text(pod, "status", "phase") == "Running"
	case at(group, "metadata", "deletionTimestamp") == nil:
		pod = copyOf(template)
		pod["apiVersion"], pod["kind"] = "v1", "Pod"
		set(pod, name, "metadata", "name")
		set(pod, namespaceOf(group), "metadata", "namespace")
		for label, value := range map[string]string{"group-name": nameOf(group),
			"role-name": text(role, "name"), "component-name": component} {
			set(pod, value, "metadata", "labels", "rbg.workloads.x-k8s.io/"+label)
		}
		set(pod, []any{document{"apiVersion": rbgVersion, "kind": "RoleBasedGroup",
			"name": nameOf(group), "uid": at(group, "metadata", "uid"), "controller": true}},
			"metadata", "ownerReferences")
		_, _ = c.client.create(pod)
	}
	return false
}
