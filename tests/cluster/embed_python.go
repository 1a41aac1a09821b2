// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

// runSweep plays examples/embed/controller.py on a real API server, with the official client, and
// gangs of Kubernetes' own scheduler: a gang starts whole or not at all, and a round in which all
// exists creates nothing.
func runSweep(s *session) (bool, error) {
	c, err := s.startWith((*cluster).startControllers, (*cluster).startScheduler)
	if err != nil {
		return false, err
	}
	defer c.stop()
	if err := c.applyDefinition(sweepDefinition()); err != nil {
		return false, err
	}
	if err := c.addNode("sweep", "sweep", 2); err != nil {
		return false, err
	}
	if _, err := c.client.create(sweep(3)); err != nil {
		return false, err
	}
	policy, err := s.gangctl.write("sweep-policy.yaml", document{
		"apiVersion": policyVersion, "kind": "GangPolicy", "metadata": document{"name": "sweep"},
		"spec": document{"backends": []any{document{"name": "native", "type": "Workload"}},
			"defaultBackend": "native", "defaults": document{}}})
	if err != nil {
		return false, err
	}
	facts, err := s.gangctl.facts(c, "")
	if err != nil {
		return false, err
	}
	bound := func() (count int) {
		pods, _ := c.client.items("v1", "Pod", "default")
		for _, pod := range pods {
			if text(pod, "spec", "nodeName") != "" {
				count++
			}
		}
		return count
	}
	first, err := s.round(c, policy, facts)
	if err != nil {
		return false, err
	}
	time.Sleep(quiet)
	short := bound()
	if err := c.addNode("sweep-more", "sweep", 1); err != nil {
		return false, err
	}
	whole := within(long, "", func() bool { return bound() == 3 }) == nil
	again, err := s.round(c, policy, facts)
	if err != nil {
		return false, err
	}
	say("controller in Python: %s pods created, %d with a node where 2 fit, whole with room for 3: %v, "+
		"then %s created", first, short, whole, again)
	return first == "3" && short == 0 && whole && again == "0", nil
}

// round plays rounds of the controller, and returns how many pods the last one created.
func (s *session) round(c *cluster, shared ...string) (string, error) {
	arguments := append([]string{filepath.Join(s.root, "tests/cluster/testdata/embed/sweep.py"),
		filepath.Join(s.root, "examples/embed/controller.py")}, shared...)
	command := exec.Command(s.python, append(arguments, "default", "lr")...)
	library := filepath.Join(filepath.Dir(s.gangctl.path), "..", "..", "libgang", "libgang.so")
	command.Env = append(os.Environ(), "KUBECONFIG="+c.kubeconfig, "LIBGANG_LIBRARY="+library,
		"PYTHONPATH="+filepath.Join(s.root, "bindings/python/src"), "PYTHONDONTWRITEBYTECODE=1")
	output, err := command.CombinedOutput()
	if err != nil {
		return "", fmt.Errorf("sweep.py: %w\n%s", err, tail(string(output), 30))
	}
	return strings.TrimSpace(string(output)), nil
}

func sweep(workers float64) document {
	return document{"apiVersion": "cluster.test/v1", "kind": "Sweep",
		"metadata": document{"name": "lr", "namespace": "default"},
		"spec": document{"workers": workers, "template": document{"spec": document{
			"restartPolicy": "Never", "nodeSelector": document{"pool": "sweep"},
			"containers": []any{document{"name": "main", "image": "none",
				"resources": document{"limits": document{"nvidia.com/gpu": "1"}}}}},
			"metadata": document{"annotations": document{"cluster.test/endless": "true"}}}}}
}

func sweepDefinition() document {
	open := document{"type": "object", "x-kubernetes-preserve-unknown-fields": true}
	return document{"apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition",
		"metadata": document{"name": "sweeps.cluster.test"},
		"spec": document{"group": "cluster.test", "scope": "Namespaced",
			"names": document{"plural": "sweeps", "singular": "sweep", "kind": "Sweep"},
			"versions": []any{document{"name": "v1", "served": true, "storage": true,
				"schema": document{"openAPIV3Schema": open}}}}}
}
