// SPDX-License-Identifier: Apache-2.0

package main

import (
	"path/filepath"
	"strings"
)

// kindSamples are the cases and the golden jobs.
func kindSamples(root string) (map[string]document, error) {
	found := map[string]document{}
	for _, one := range kindCases {
		job, err := one.document()
		if err != nil {
			return nil, err
		}
		found[one.name] = job
	}
	files, err := filepath.Glob(filepath.Join(root, "tests/golden/jobs/*/job.yaml"))
	for _, file := range files {
		documents, err := readDocuments(file)
		if err != nil {
			return nil, err
		}
		withImages(documents[0])
		withoutSlices(documents[0])
		found["golden/"+filepath.Base(filepath.Dir(file))] = documents[0]
	}
	return found, err
}

// withoutSlices makes a DisaggregatedSet one of LWS v0.9, whose CRD has no slices.
func withoutSlices(job document) {
	if spec, ok := job["spec"].(document); ok && kindOf(job) == "DisaggregatedSet" {
		delete(spec, "slices")
	}
}

// classesOf finds the priority classes that a job names anywhere.
func classesOf(value any) []string {
	var found []string
	for _, item := range list(value) {
		found = append(found, classesOf(item)...)
	}
	fields, _ := value.(document)
	for key, member := range fields {
		if name, isText := member.(string); isText && strings.HasPrefix(key, "priorityClass") {
			found = append(found, name)
		}
		found = append(found, classesOf(member)...)
	}
	return found
}

// itemsOf are the pods of a list, or the job itself.
func itemsOf(job document) []document {
	items := list(job["items"])
	if items == nil {
		return []document{job}
	}
	var pods []document
	for _, item := range items {
		pods = append(pods, item.(document))
	}
	return pods
}

// unnumbered is a job for another namespace. The server gives it a uid.
func unnumbered(job document, namespace string) document {
	moved := inNamespace(job, namespace)
	delete(moved["metadata"].(document), "uid")
	return moved
}
