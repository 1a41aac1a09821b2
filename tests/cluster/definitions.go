// SPDX-License-Identifier: Apache-2.0

package main

import (
	"encoding/base64"
	"fmt"
	"os"
	"path/filepath"
	"sort"
	"strconv"
	"strings"
	"time"

	"sigs.k8s.io/yaml"
)

// applyDefinitions creates the CustomResourceDefinitions of a folder and waits until they are
// served.
func (c *cluster) applyDefinitions(folder string) error {
	files, err := filepath.Glob(filepath.Join(folder, "*.yaml"))
	if err != nil {
		return err
	}
	sort.Strings(files)
	for _, file := range files {
		documents, err := readDocuments(file)
		if err != nil {
			return err
		}
		for _, one := range documents {
			if text(one, "kind") != "CustomResourceDefinition" {
				continue
			}
			if err := c.applyDefinition(one); err != nil {
				return fmt.Errorf("%s: %w", filepath.Base(file), err)
			}
		}
	}
	return nil
}

func (c *cluster) applyDefinition(definition document) error {
	_, err := c.client.create(definition)
	if isStatus(err, 409) {
		return nil // mpi-operator and training-operator define one kind in two versions
	} else if err != nil {
		return err
	}
	group, kind := text(definition, "spec", "group"), text(definition, "spec", "names", "kind")
	version := text(list(at(definition, "spec", "versions"))[0], "name")
	return within(2*time.Minute, kind+" is served", func() bool {
		return c.client.serves(group+"/"+version, kind)
	})
}

// within waits until a condition holds.
func within(limit time.Duration, what string, holds func() bool) error {
	for deadline := time.Now().Add(limit); time.Now().Before(deadline); {
		if holds() {
			return nil
		}
		time.Sleep(100 * time.Millisecond)
	}
	return fmt.Errorf("not within %s: %s", limit, what)
}

// applyWebhooks creates the webhook configurations of a folder. The server calls them at a port of
// the loopback interface instead of a Service.
func (c *cluster) applyWebhooks(folder, prefix string, port int) error {
	return c.applyWebhookFile(filepath.Join(folder, "manifests.yaml"), prefix, port)
}

func (c *cluster) applyWebhookFile(file, prefix string, port int) error {
	documents, err := readDocuments(file)
	if err != nil {
		return err
	}
	if err := patchWebhooks(filepath.Dir(file), documents); err != nil {
		return err
	}
	for _, one := range documents {
		set(one, prefix+nameOf(one), "metadata", "name")
		for _, hook := range list(one["webhooks"]) {
			path := text(hook, "clientConfig", "service", "path")
			hook.(document)["clientConfig"] = c.hookAddress(port, path)
			if strings.HasSuffix(nameOf(one), gangHooks) { // the manifests are for the mode Report
				hook.(document)["failurePolicy"] = "Fail"
			}
		}
		if _, err := c.client.create(one); err != nil {
			return err
		}
	}
	return nil
}

// patchWebhooks replaces the webhooks that the kustomization of LWS replaces: those of pods get an
// objectSelector.
func patchWebhooks(folder string, documents []document) error {
	for _, one := range documents {
		name := strings.ToLower(strings.TrimSuffix(kindOf(one), "WebhookConfiguration"))
		content, err := os.ReadFile(filepath.Join(folder, name+"-patch.yaml"))
		if os.IsNotExist(err) {
			continue
		} else if err != nil {
			return err
		}
		var changes []struct {
			Path  string
			Value document
		}
		if err := yaml.Unmarshal(content, &changes); err != nil {
			return err
		}
		for _, change := range changes {
			i, err := strconv.Atoi(strings.TrimPrefix(change.Path, "/webhooks/"))
			if hooks := list(one["webhooks"]); err == nil && i < len(hooks) {
				hooks[i] = change.Value
			}
		}
	}
	return nil
}

func (c *cluster) hookAddress(port int, path string) document {
	return document{
		"url":      "https://" + loopback(port) + path,
		"caBundle": base64.StdEncoding.EncodeToString(c.certificates.authority),
	}
}

// writeFile writes a configuration into the folder of the cluster.
func (c *cluster) writeFile(name, content string) (string, error) {
	path := filepath.Join(c.folder, name)
	return path, os.WriteFile(path, []byte(content), 0o600)
}

// startTrainer starts the managers of JobSet and Trainer with their webhooks.
func startTrainer(c *cluster) error {
	if err := startJobSet(c); err != nil {
		return err
	}
	return c.startManagerOf(operatorRecipe(), "trainer", trainerConfig)
}

func startJobSet(c *cluster) error {
	return c.startManagerOf(operatorRecipe(), "jobset", jobsetConfig)
}

func startKueue(c *cluster) error { return c.startManagerOf(kueueRecipe(), "kueue", kueueConfig) }

func startLWS(c *cluster) error { return c.startManagerOf(lwsRecipe(), "lws", lwsConfig) }

// startManagerOf builds a manager, creates its CRDs and starts it.
func (c *cluster) startManagerOf(from recipe, name, config string) error {
	binaries, err := from.build()
	if err != nil {
		return err
	}
	if err := c.applyDefinitions(filepath.Join(binaries, "manifests", name, "crds")); err != nil {
		return err
	}
	if err := c.copyCertificates(); err != nil {
		return err
	}
	return c.startManager(binaries, name, config)
}

func (c *cluster) hooksFolder() string {
	return filepath.Join(c.folder, "k8s-webhook-server", "serving-certs")
}

// copyCertificates puts them where managers look for them, below TMPDIR. Managers watch the files,
// so they are written only once.
func (c *cluster) copyCertificates() error {
	hooks := c.hooksFolder()
	if _, err := os.Stat(hooks); err == nil {
		return nil
	}
	if err := os.MkdirAll(hooks, 0o700); err != nil {
		return err
	}
	for _, name := range []string{"tls.crt", "tls.key"} {
		if err := copyFile(filepath.Join(c.folder, name), filepath.Join(hooks, name)); err != nil {
			return err
		}
	}
	return nil
}

const jobsetConfig = `apiVersion: config.jobset.x-k8s.io/v1alpha1
kind: Configuration
webhook: {port: %[1]d, host: 127.0.0.1}
health: {healthProbeBindAddress: "127.0.0.1:%[2]d"}
metrics: {bindAddress: "0"}
leaderElection: {leaderElect: false}
internalCertManagement: {enable: false}
clientConnection: {qps: 500, burst: 1000}
`

const trainerConfig = `apiVersion: config.trainer.kubeflow.org/v1alpha1
kind: Configuration
webhook: {port: %[1]d, host: 127.0.0.1}
health: {healthProbeBindAddress: "127.0.0.1:%[2]d", readinessEndpointName: readyz,
  livenessEndpointName: healthz}
metrics: {bindAddress: "0", secureServing: false}
leaderElection: {leaderElect: false}
certManagement: {enable: false}
clientConnection: {qps: 500, burst: 1000}
`

const lwsConfig = `apiVersion: config.lws.x-k8s.io/v1alpha1
kind: Configuration
webhook: {port: %[1]d, host: 127.0.0.1, certDir: %[3]q}
health: {healthProbeBindAddress: "127.0.0.1:%[2]d"}
metrics: {bindAddress: "0"}
leaderElection: {leaderElect: false}
internalCertManagement: {enable: false}
clientConnection: {qps: 500, burst: 1000}
`

const kueueConfig = `apiVersion: config.kueue.x-k8s.io/v1beta2
kind: Configuration
webhook: {port: %[1]d, host: 127.0.0.1, certDir: %[3]q}
health: {healthProbeBindAddress: "127.0.0.1:%[2]d"}
metrics: {bindAddress: "0"}
leaderElection: {leaderElect: false}
internalCertManagement: {enable: false}
clientConnection: {qps: 500, burst: 1000}
featureGates: {VisibilityOnDemand: false}
integrations:
  frameworks: [batch/job, jobset.x-k8s.io/jobset, trainer.kubeflow.org/trainjob]
`

func (c *cluster) startManager(binaries, name, config string) error {
	ports, err := freePorts(2)
	if err != nil {
		return err
	}
	path, err := c.writeFile(name+".yaml", fmt.Sprintf(config, ports[0], ports[1],
		c.hooksFolder()))
	if err != nil {
		return err
	}
	manager, err := c.run(name, program(binaries, name), "--config="+path)
	if err != nil {
		return err
	}
	listening := func() bool { return isListening(ports[0]) }
	if err := manager.waitFor(time.Minute, listening); err != nil {
		return err
	}
	return c.applyWebhooks(filepath.Join(binaries, "manifests", name, "webhook"), name+"-", ports[0])
}
