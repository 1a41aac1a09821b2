// SPDX-License-Identifier: Apache-2.0

package main

import (
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"strings"
	"sync"
	"time"
)

// A rayBoard stands for the dashboards of all heads, at the addresses of their Services: it is the
// HTTP proxy of KubeRay. The job of a RayJob succeeds after two seconds, runs on where its head
// runs endlessly, or fails where the head says so, but not in a second cluster.
type rayBoard struct {
	client *client
	lock   sync.Mutex
	seen   map[string]*rayRun // by namespace and RayJob
}

type rayRun struct {
	cluster string
	since   time.Time
	tries   int
}

// imitateRay serves the dashboards until the cluster stops, to the programs that start next.
func (c *cluster) imitateRay() error {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	server := &http.Server{Handler: &rayBoard{client: c.client, seen: map[string]*rayRun{}}}
	go func() { _ = server.Serve(listener) }() // until it is closed
	c.closers = append(c.closers, func() { _ = server.Close() })
	c.environment = append(c.environment, fmt.Sprintf("HTTP_PROXY=http://%s", listener.Addr()))
	return nil
}

func (b *rayBoard) ServeHTTP(writer http.ResponseWriter, asked *http.Request) {
	answer := document{}
	switch path := asked.URL.Path; {
	case strings.HasPrefix(path, "/api/serve/"):
		answer["applications"] = document{"app": document{"name": "app", "status": "RUNNING"}}
	case strings.HasSuffix(path, "/stop"):
		answer["stopped"] = true
	case strings.HasPrefix(path, "/api/jobs/"):
		service, rest, _ := strings.Cut(asked.URL.Hostname(), ".")
		namespace, _, _ := strings.Cut(rest, ".")
		id := strings.TrimPrefix(path, "/api/jobs/")
		answer = document{"job_id": id, "submission_id": id,
			"status": b.status(namespace, service)}
	}
	writer.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(writer).Encode(answer)
}

func (b *rayBoard) status(namespace, service string) string {
	clusters, err := b.client.items("ray.io/v1", "RayCluster", namespace)
	if err != nil {
		return "PENDING"
	}
	for _, one := range clusters {
		if text(one, "status", "head", "serviceName") == service {
			return b.statusOf(one)
		}
	}
	return "PENDING"
}

func (b *rayBoard) statusOf(cluster document) string {
	b.lock.Lock()
	defer b.lock.Unlock()
	key := namespaceOf(cluster) + "/" +
		text(cluster, "metadata", "labels", "ray.io/originated-from-cr-name")
	run := b.seen[key]
	if run == nil {
		run = &rayRun{}
		b.seen[key] = run
	}
	if run.cluster != nameOf(cluster) {
		run.cluster, run.since, run.tries = nameOf(cluster), time.Now(), run.tries+1
	}
	wishes := []string{"spec", "headGroupSpec", "template", "metadata", "annotations"}
	switch {
	case time.Since(run.since) < 2*time.Second:
		return "RUNNING"
	case text(cluster, append(wishes, "cluster.test/fails-once")...) != "" && run.tries == 1:
		return "FAILED"
	case text(cluster, append(wishes, "cluster.test/endless")...) != "":
		return "RUNNING"
	}
	return "SUCCEEDED"
}
