// SPDX-License-Identifier: Apache-2.0

package main

import (
	"encoding/json"
	"net/http"
	"strconv"
	"sync"
)

// The kind marker is a webhook that puts the patch of a role on each pod when it is created, as an
// operator with libgang would: where several gangs share a pod template, where an operator does not
// keep a mark in its templates, and for the Workload API, because the names of its groups contain a
// hash of the uid, which a job gets when it is created.
type kindMarker struct {
	lock  sync.Mutex
	teams map[string]*kindTeam // by namespace
	plans map[string][]plan    // by namespace/job, a plan for each gang
}

// startKindMarker registers the webhook with a name behind those of operators: LWS numbers the
// groups in its own webhook, and they are called in the order of their names.
func (c *cluster) startKindMarker() (*kindMarker, error) {
	m := &kindMarker{teams: map[string]*kindTeam{}, plans: map[string][]plan{}}
	port, err := c.serveHook(m)
	if err != nil {
		return nil, err
	}
	_, err = c.client.create(document{
		"apiVersion": "admissionregistration.k8s.io/v1", "kind": "MutatingWebhookConfiguration",
		"metadata": document{"name": "z-marks"},
		"webhooks": []any{document{
			"name": "pods.cluster.test", "clientConfig": c.hookAddress(port, "/"),
			"admissionReviewVersions": []any{"v1"}, "sideEffects": "None", "failurePolicy": "Fail",
			"rules": []any{document{"apiGroups": []any{""}, "apiVersions": []any{"v1"},
				"operations": []any{"CREATE"}, "resources": []any{"pods"}}},
		}},
	})
	return m, err
}

func (m *kindMarker) ServeHTTP(writer http.ResponseWriter, incoming *http.Request) {
	answerReview(writer, incoming, m.patchFor)
}

func (m *kindMarker) patchFor(asked *request) ([]byte, error) {
	owner := ownerOf(asked.Object)
	m.lock.Lock()
	defer m.lock.Unlock()
	t := m.teams[asked.Namespace]
	if t == nil || !t.byPod[owner.job] {
		return nil, nil
	}
	plans, err := m.plansOf(t, owner.kind, owner.job)
	if err != nil {
		return nil, err
	}
	patched := copyOf(asked.Object)
	mergeInto(patched, copyOf(owner.patch(plans)))
	var changes []document
	for _, part := range []string{"metadata", "spec"} {
		changes = append(changes, document{"op": "replace", "path": "/" + part,
			"value": patched[part]})
	}
	return json.Marshal(changes)
}

// plansOf renders the plans of a job that exists, once.
func (m *kindMarker) plansOf(t *kindTeam, kind [2]string, name string) ([]plan, error) {
	key := t.namespace + "/" + name
	if m.plans[key] == nil {
		job, err := t.cluster.client.get(kind[0], kind[1], t.namespace, name)
		if err != nil {
			return nil, err
		}
		if m.plans[key], err = t.ask("mark", []document{job}, nil); err != nil {
			return nil, err
		}
	}
	return m.plans[key], nil
}

// A podOwner is the job of a pod, as its operator labels it.
type podOwner struct {
	kind      [2]string
	job, role string
	gang      int // of a LeaderWorkerSet, whose gangs have the same roles
}

var ownerLabels = []struct{ kind, job, role string }{
	{"LeaderWorkerSet", "leaderworkerset.sigs.k8s.io/name", ""},
	{"RayCluster", rayCluster, rayGroup},
	{"MPIJob", "training.kubeflow.org/job-name", "training.kubeflow.org/job-role"},
	{"JobSet", "jobset.sigs.k8s.io/jobset-name", "jobset.sigs.k8s.io/replicatedjob-name"},
	{"Job", "batch.kubernetes.io/job-name", ""},
}

func ownerOf(pod document) podOwner {
	labels, _ := at(pod, "metadata", "labels").(document)
	found := podOwner{role: "main"}
	kind := "StatefulSet"
	for _, owner := range list(at(pod, "metadata", "ownerReferences")) {
		found.job = text(owner, "name")
	}
	for _, one := range ownerLabels {
		if job := text(labels, one.job); job != "" {
			kind, found.job = one.kind, job
			if one.role != "" {
				found.role = text(labels, one.role)
			}
			break
		}
	}
	if kind == "LeaderWorkerSet" {
		found.role = "worker"
		if text(labels, "leaderworkerset.sigs.k8s.io/worker-index") == "0" {
			found.role = "leader"
		}
		found.gang, _ = strconv.Atoi(text(labels, "leaderworkerset.sigs.k8s.io/group-index"))
	}
	if kind == "RayCluster" {
		found.role = rayRole(found.role)
	}
	for _, one := range jobKinds {
		if one[1] == kind {
			found.kind = one
		}
	}
	return found
}

// patch is that of the gang of a LeaderWorkerSet, or of the one gang that has the role.
func (o podOwner) patch(plans []plan) document {
	if o.kind[1] == "LeaderWorkerSet" && o.gang < len(plans) {
		return patchOf(plans[o.gang], o.role)
	}
	for _, one := range plans {
		if patch := patchOf(one, o.role); len(patch) > 0 {
			return patch
		}
	}
	return document{}
}
