// SPDX-License-Identifier: Apache-2.0

package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"sigs.k8s.io/yaml"
)

// executorsAnnotation of a driver has the pod of its executors, and their number.
const executorsAnnotation = "cluster.test/executors"

type sparkExecutors struct {
	Pod   document
	Count int
}

// startSpark starts the controller and the webhook of Spark operator. The controller runs
// $SPARK_HOME/bin/spark-submit, which is this program: see submitSpark.
func startSpark(c *cluster) error {
	binaries, err := sparkRecipe().build()
	if err != nil {
		return err
	}
	return c.startSparkFrom(program(binaries, "spark-operator"), binaries)
}

// startSparkFrom starts a program as the controller, which gets the arguments.
func (c *cluster) startSparkFrom(binary, binaries string, arguments ...string) error {
	manifests := filepath.Join(binaries, "manifests/spark-operator")
	if err := c.applyDefinitions(filepath.Join(manifests, "crds")); err != nil {
		return err
	}
	own, err := os.Executable()
	if err != nil {
		return err
	}
	home := filepath.Join(c.folder, "spark")
	if err := os.MkdirAll(filepath.Join(home, "bin"), 0o755); err != nil {
		return err
	}
	script := fmt.Sprintf("#!/bin/sh\nexec %q spark-submit %q %q \"$@\"\n", own, c.client.address,
		c.certificates.certificate)
	err = os.WriteFile(filepath.Join(home, "bin", "spark-submit"), []byte(script), 0o755)
	if err != nil {
		return err
	}
	c.environment = append(c.environment, "SPARK_HOME="+home, "KUBERNETES_SERVICE_HOST=127.0.0.1",
		"KUBERNETES_SERVICE_PORT=443")
	all := append([]string{"controller", "start", "--namespaces=", "--health-probe-bind-address=0",
		"--kube-api-qps=500", "--kube-api-burst=1000", "--workqueue-ratelimiter-bucket-qps=100"},
		arguments...)
	if _, err := c.run("spark-operator", binary, all...); err != nil {
		return err
	}
	c.environment = nil
	return c.startSparkWebhook(program(binaries, "spark-operator"), manifests)
}

// startSparkWebhook gives the webhook the certificate of the cluster, as cert-manager would do.
func (c *cluster) startSparkWebhook(binary, manifests string) error {
	const namespace, name = "spark-operator", "spark-operator-webhook-certs"
	private, err := os.ReadFile(c.certificates.key)
	if err != nil {
		return err
	}
	authority := string(c.certificates.authority)
	for _, one := range []document{
		{"apiVersion": "v1", "kind": "Namespace", "metadata": document{"name": namespace}},
		{"apiVersion": "v1", "kind": "Secret", "metadata": document{"namespace": namespace, "name": name},
			"stringData": document{"ca.crt": authority, "tls.crt": authority, "tls.key": string(private)}},
	} {
		if _, err := c.client.create(one); err != nil {
			return err
		}
	}
	ports, err := freePorts(1)
	if err != nil {
		return err
	}
	hook, err := c.run("spark-webhook", binary, "webhook", "start", "--namespaces=",
		"--health-probe-bind-address=0", "--enable-cert-manager",
		fmt.Sprintf("--webhook-port=%d", ports[0]),
		"--webhook-cert-dir="+filepath.Join(c.folder, "spark"))
	if err != nil {
		return err
	}
	if err := hook.waitFor(time.Minute, func() bool { return isListening(ports[0]) }); err != nil {
		return err
	}
	return c.applySparkHooks(filepath.Join(manifests, "webhook/manifests.yaml"), ports[0])
}

// applySparkHooks selects pods as the operator's Helm chart does.
func (c *cluster) applySparkHooks(file string, port int) error {
	documents, err := readDocuments(file)
	if err != nil {
		return err
	}
	for _, one := range documents {
		set(one, "spark-operator-webhook", "metadata", "name")
		for _, entry := range list(one["webhooks"]) {
			each := entry.(document)
			each["clientConfig"] = c.hookAddress(port, text(each, "clientConfig", "service", "path"))
			if strings.HasPrefix(text(each, "name"), "mutate-pod") {
				each["objectSelector"] = document{"matchLabels": document{
					"sparkoperator.k8s.io/launched-by-spark-operator": "true"}}
			}
		}
		if _, err := c.client.create(one); err != nil {
			return err
		}
	}
	return nil
}

// submitSpark does what spark-submit does in cluster mode: it creates the driver. The driver would
// create the executors; here the kubelet does.
//
// Source: BasicDriverFeatureStep, BasicExecutorFeatureStep and DriverCommandFeatureStep in
// apache/spark:resource-managers/kubernetes@v4.0.0
func submitSpark(arguments []string) error {
	conf := map[string]string{}
	for i, one := range arguments {
		if key, value, ok := strings.Cut(one, "="); ok && i > 0 && arguments[i-1] == "--conf" {
			conf[key] = value
		}
	}
	content, err := os.ReadFile(arguments[1])
	if err != nil {
		return err
	}
	certificates, err := readCertificates(content)
	if err != nil {
		return err
	}
	driver, err := sparkPod(conf, "driver")
	if err != nil {
		return err
	}
	executor, err := sparkPod(conf, "executor")
	if err != nil {
		return err
	}
	count, err := strconv.Atoi(conf["spark.executor.instances"])
	if err != nil {
		return err
	}
	executors, err := json.Marshal(sparkExecutors{executor, count})
	if err != nil {
		return err
	}
	set(driver, string(executors), "metadata", "annotations", executorsAnnotation)
	set(driver, conf["spark.kubernetes.driver.pod.name"], "metadata", "name")
	_, err = newClient(arguments[0], certificates).create(driver)
	return err
}

// sparkPod makes the pod of a side of its template and settings.
func sparkPod(conf map[string]string, side string) (document, error) {
	prefix := "spark.kubernetes." + side + "."
	pod := document{}
	content, err := os.ReadFile(conf[prefix+"podTemplateFile"])
	if err == nil {
		err = yaml.Unmarshal(content, &pod)
	}
	if err != nil {
		return nil, err
	}
	delete(pod, "status")
	pod["apiVersion"], pod["kind"] = "v1", "Pod"
	set(pod, conf["spark.kubernetes.namespace"], "metadata", "namespace")
	set(pod, side, "metadata", "labels", "spark-role")
	set(pod, "Never", "spec", "restartPolicy")
	for key, value := range conf {
		if label, ok := strings.CutPrefix(key, prefix+"label."); ok {
			set(pod, value, "metadata", "labels", label)
		}
		if annotation, ok := strings.CutPrefix(key, prefix+"annotation."); ok {
			set(pod, value, "metadata", "annotations", annotation)
		}
	}
	for _, container := range list(at(pod, "spec", "containers")) {
		container.(document)["image"] = "none"
	}
	return pod, nil
}

// executors creates those of a driver that runs, and returns when they have ended. Spark asks again
// for those that the server refused: callSubscriber in
// apache/spark:resource-managers/kubernetes/core/
// src/main/scala/org/apache/spark/scheduler/cluster/k8s/ExecutorPodsSnapshotsStoreImpl.scala.
func (k *kubelet) executors(driver document) {
	wanted := sparkExecutors{}
	text := text(driver, "metadata", "annotations", executorsAnnotation)
	if json.Unmarshal([]byte(text), &wanted) != nil {
		return
	}
	for i := range wanted.Count {
		pod := copyOf(wanted.Pod)
		set(pod, fmt.Sprintf("%s-exec-%d", nameOf(driver), i+1), "metadata", "name")
		set(pod, fmt.Sprint(i+1), "metadata", "labels", "spark-exec-id")
		set(pod, []any{document{"apiVersion": "v1", "kind": "Pod", "name": nameOf(driver),
			"uid": at(driver, "metadata", "uid"), "controller": true}}, "metadata", "ownerReferences")
		_, err := k.client.create(pod)
		for ; err != nil && k.exists(driver); _, err = k.client.create(pod) {
			time.Sleep(time.Second)
		}
	}
	for running := true; running; time.Sleep(500 * time.Millisecond) {
		running = k.exists(driver) && k.executorsRun(driver, wanted.Count)
	}
}

func (k *kubelet) exists(pod document) bool {
	found, err := k.client.get("v1", "Pod", namespaceOf(pod), nameOf(pod))
	return err == nil && at(found, "metadata", "uid") == at(pod, "metadata", "uid")
}

func (k *kubelet) executorsRun(driver document, count int) bool {
	for i := range count {
		pod, err := k.client.get("v1", "Pod", namespaceOf(driver),
			fmt.Sprintf("%s-exec-%d", nameOf(driver), i+1))
		if err == nil && text(pod, "status", "phase") != "Succeeded" {
			return true
		}
	}
	return false
}
