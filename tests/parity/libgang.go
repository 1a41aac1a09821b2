// SPDX-License-Identifier: Apache-2.0

// Package parity compares libgang with the real Kubeflow Trainer operator.
package parity

/*
#include <stdlib.h>
#include <gang/gang.h>
*/
import "C"

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"unsafe"

	"libgang.dev/tests/parity/upstream"
)

const compatibilityPolicy = `{"apiVersion":"policy.libgang.dev/v1alpha1","kind":"GangPolicy",` +
	`"metadata":{"name":"parity"},"spec":{"compatibility":"KubeflowTrainer"}}`

// Plan is what is compared of a GangPlan.
type Plan struct {
	Outcome string `json:"outcome"`
	Gang    *struct {
		Name              string            `json:"name"`
		Minimum           json.Number       `json:"minimum"`
		Members           json.Number       `json:"members"`
		Resources         map[string]string `json:"resources"`
		Queue             string            `json:"queue"`
		PriorityClassName string            `json:"priorityClassName"`
	} `json:"gang"`
	Roles []struct {
		Name     string            `json:"name"`
		Count    int64             `json:"count"`
		Requests map[string]string `json:"requests"`
	} `json:"roles"`
	Objects []struct {
		Action string          `json:"action"`
		Object json.RawMessage `json:"object"`
	} `json:"objects"`
	Patches []struct {
		Role     string         `json:"role"`
		Metadata upstream.Marks `json:"metadata"`
		Spec     map[string]any `json:"spec"`
	} `json:"patches"`
}

// Refusal is libgang's error: everything it found wrong.
type Refusal struct {
	Code        int
	Diagnostics []string // "document path: Reason: message"
}

func (r *Refusal) Error() string {
	return fmt.Sprintf("code %d: %s", r.Code, strings.Join(r.Diagnostics, "; "))
}

// Library renders under one policy. It may be shared by threads.
type Library struct{ policy *C.struct_gang_document }

// OpenLibrary parses the policy.
func OpenLibrary(policy string) (*Library, error) {
	library := &Library{}
	text := []byte(policy)
	var problem *C.struct_gang_error
	code := C.gang_document_parse(nil, chars(text), C.size_t(len(text)), 0, &library.policy, &problem)
	return library, takeError(code, problem)
}

// Close releases the policy.
func (l *Library) Close() { C.gang_document_unref(l.policy) }

// Plan renders one TrainJob. Both documents may be JSON or YAML.
func (l *Library) Plan(runtimeDocument, jobDocument []byte) (*Plan, error) {
	texts, err := l.render(runtimeDocument, jobDocument, C.GANG_TARGET_PLAN)
	if err != nil {
		return nil, err
	}
	return decodePlan(texts[0])
}

// Targets is a plan and the documents with its patches in them.
type Targets struct {
	Plan         *Plan
	Runtime, Job []byte
}

// Targets renders one TrainJob and writes its documents.
func (l *Library) Targets(runtimeDocument, jobDocument []byte) (*Targets, error) {
	texts, err := l.render(runtimeDocument, jobDocument,
		C.GANG_TARGET_PLAN, C.GANG_TARGET_RUNTIME, C.GANG_TARGET_JOB)
	if err != nil {
		return nil, err
	}
	plan, err := decodePlan(texts[0])
	return &Targets{plan, texts[1], texts[2]}, err
}

func (l *Library) render(runtimeDocument, jobDocument []byte, targets ...C.int) ([][]byte, error) {
	var runtime *C.struct_gang_document
	var job *C.struct_gang_document
	var problem *C.struct_gang_error
	length := C.size_t(len(runtimeDocument))
	code := C.gang_document_parse(nil, chars(runtimeDocument), length, 0, &runtime, &problem)
	defer func() { C.gang_document_unref(runtime) }()
	if err := takeError(code, problem); err != nil {
		return nil, err
	}
	length = C.size_t(len(jobDocument))
	code = C.gang_document_parse(nil, chars(jobDocument), length, 0, &job, &problem)
	defer func() { C.gang_document_unref(job) }()
	if err := takeError(code, problem); err != nil {
		return nil, err
	}
	return l.renderParsed(runtime, job, targets)
}

func (l *Library) renderParsed(runtime, job *C.struct_gang_document, targets []C.int) ([][]byte, error) {
	var decision *C.struct_gang_decision
	var plan *C.struct_gang_plan
	var problem *C.struct_gang_error
	inputs := C.gang_inputs_new()
	defer C.gang_inputs_free(inputs)
	for _, document := range []*C.struct_gang_document{runtime, l.policy} {
		if code := C.gang_inputs_add(inputs, document); code != C.GANG_OK {
			return nil, fmt.Errorf("gang_inputs_add: code %d", int(code))
		}
	}
	code := C.gang_resolve(nil, job, inputs, 0, &decision, &problem)
	defer func() { C.gang_decision_unref(decision) }()
	if err := takeError(code, problem); err != nil {
		return nil, err
	}
	code = C.gang_render(nil, decision, 0, &plan, &problem)
	defer func() { C.gang_plan_unref(plan) }()
	if err := takeError(code, problem); err != nil {
		return nil, err
	}
	var texts [][]byte
	for _, target := range targets {
		text, err := serialize(plan, target)
		if err != nil {
			return nil, err
		}
		texts = append(texts, text)
	}
	return texts, nil
}

func serialize(plan *C.struct_gang_plan, target C.int) ([]byte, error) {
	var blob *C.struct_gang_blob
	var problem *C.struct_gang_error
	code := C.gang_plan_serialize(nil, plan, target, C.GANG_FORMAT_JSON, 0, &blob, &problem)
	defer func() { C.gang_blob_unref(blob) }()
	if err := takeError(code, problem); err != nil {
		return nil, err
	}
	var length C.size_t
	data := C.gang_blob_get_data(blob, &length)
	return C.GoBytes(unsafe.Pointer(data), C.int(length)), nil
}

func decodePlan(text []byte) (*Plan, error) {
	plan := &Plan{}
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.UseNumber()
	if err := decoder.Decode(plan); err != nil {
		return nil, fmt.Errorf("libgang's plan does not decode: %w: %s", err, text)
	}
	return plan, nil
}

// takeError turns a result into a Go error and frees libgang's.
func takeError(code C.int, problem *C.struct_gang_error) error {
	if code == C.GANG_OK {
		return nil
	}
	defer C.gang_error_free(problem)
	refusal := &Refusal{Code: int(code)}
	for i := range C.gang_error_num_diagnostics(problem) {
		diagnostic := C.gang_error_get_diagnostic(problem, i)
		if C.gang_diagnostic_get_severity(diagnostic) != C.GANG_SEVERITY_ERROR {
			continue
		}
		refusal.Diagnostics = append(refusal.Diagnostics, describe(diagnostic))
	}
	return refusal
}

func describe(diagnostic *C.struct_gang_diagnostic) string {
	document := [...]string{"", "runtime", "trainjob", "policy"}[C.gang_diagnostic_get_document(diagnostic)]
	return fmt.Sprintf("%s %s: %s: %s", document, C.GoString(C.gang_diagnostic_get_path(diagnostic)),
		C.GoString(C.gang_code_name(C.gang_diagnostic_get_code(diagnostic))), C.GoString(C.gang_diagnostic_get_message(diagnostic)))
}

func chars(text []byte) *C.char { return (*C.char)(unsafe.Pointer(unsafe.SliceData(text))) }
