// SPDX-License-Identifier: Apache-2.0

package main

import (
	"crypto/tls"
	"encoding/json"
	"net"
	"net/http"
	"sync"
)

// The marker puts the patches of a plan into the JobSet of a TrainJob, as an operator with libgang
// would. The patches of a job stay as they were when its JobSet was created.
type marker struct {
	lock  sync.Mutex
	jobs  map[string]func(trainjob string) (*plan, error) // by namespace
	plans map[string]*plan                                // by namespace/name/uid
}

type review struct {
	APIVersion string    `json:"apiVersion"`
	Kind       string    `json:"kind"`
	Request    *request  `json:"request,omitempty"`
	Response   *response `json:"response,omitempty"`
}

type request struct {
	UID       string   `json:"uid"`
	Namespace string   `json:"namespace"`
	Object    document `json:"object"`
}

type response struct {
	UID       string   `json:"uid"`
	Allowed   bool     `json:"allowed"`
	Patch     []byte   `json:"patch,omitempty"`
	PatchType string   `json:"patchType,omitempty"`
	Status    document `json:"status,omitempty"`
}

// startMarker serves the webhook on the loopback interface and registers it.
func (c *cluster) startMarker() (*marker, error) {
	m := &marker{jobs: map[string]func(string) (*plan, error){}, plans: map[string]*plan{}}
	port, err := c.serveHook(m)
	if err != nil {
		return nil, err
	}
	_, err = c.client.create(document{
		"apiVersion": "admissionregistration.k8s.io/v1", "kind": "MutatingWebhookConfiguration",
		"metadata": document{"name": "gang-marks"},
		"webhooks": []any{document{
			"name": "marks.cluster.test", "clientConfig": c.hookAddress(port, "/"),
			"admissionReviewVersions": []any{"v1"}, "sideEffects": "None", "failurePolicy": "Fail",
			"rules": []any{document{"apiGroups": []any{"jobset.x-k8s.io"},
				"apiVersions": []any{"v1alpha2"}, "operations": []any{"CREATE", "UPDATE"},
				"resources": []any{"jobsets"}}},
		}},
	})
	return m, err
}

// serveHook serves a webhook on a port of the loopback interface until the cluster stops.
func (c *cluster) serveHook(hook http.Handler) (int, error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return 0, err
	}
	secure := tls.NewListener(listener, &tls.Config{
		Certificates: []tls.Certificate{c.certificates.pair}})
	server := &http.Server{Handler: hook}
	go func() { _ = server.Serve(secure) }() // until it is closed
	c.closers = append(c.closers, func() { _ = server.Close() })
	return listener.Addr().(*net.TCPAddr).Port, nil
}

func (m *marker) ServeHTTP(writer http.ResponseWriter, incoming *http.Request) {
	answerReview(writer, incoming, func(asked *request) ([]byte, error) {
		return m.patchFor(asked.Object)
	})
}

// answerReview answers one review with a JSON patch, or with none.
func answerReview(writer http.ResponseWriter, incoming *http.Request,
	patchFor func(*request) ([]byte, error)) {
	var asked review
	if err := json.NewDecoder(incoming.Body).Decode(&asked); err != nil || asked.Request == nil {
		http.Error(writer, "no review", http.StatusBadRequest)
		return
	}
	answer := &response{UID: asked.Request.UID, Allowed: true}
	patch, err := patchFor(asked.Request)
	if err != nil {
		answer.Allowed = false
		answer.Status = document{"message": err.Error()}
	} else if patch != nil {
		answer.Patch, answer.PatchType = patch, "JSONPatch"
	}
	asked.Request, asked.Response = nil, answer
	writer.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(writer).Encode(asked)
}

func (m *marker) patchFor(jobset document) ([]byte, error) {
	p, err := m.planOf(jobset)
	if err != nil || p == nil {
		return nil, err
	}
	jobset = copyOf(jobset)
	for _, role := range list(at(jobset, "spec", "replicatedJobs")) {
		template, _ := at(role, "template", "spec", "template").(document)
		if template != nil {
			mergeInto(template, patchOf(*p, text(role, "name")))
		}
	}
	return json.Marshal([]document{{"op": "replace", "path": "/spec/replicatedJobs",
		"value": at(jobset, "spec", "replicatedJobs")}})
}

// planOf renders the plan of the TrainJob that owns a JobSet, once.
func (m *marker) planOf(jobset document) (*plan, error) {
	owners := list(at(jobset, "metadata", "ownerReferences"))
	if len(owners) == 0 {
		return nil, nil
	}
	m.lock.Lock()
	defer m.lock.Unlock()
	key := namespaceOf(jobset) + "/" + text(owners[0], "name") + "/" + text(owners[0], "uid")
	render := m.jobs[namespaceOf(jobset)]
	if render == nil || m.plans[key] != nil {
		return m.plans[key], nil
	}
	p, err := render(text(owners[0], "name"))
	if err == nil {
		m.plans[key] = p
	}
	return p, err
}

func (m *marker) register(namespace string, render func(string) (*plan, error)) {
	m.lock.Lock()
	defer m.lock.Unlock()
	m.jobs[namespace] = render
}
