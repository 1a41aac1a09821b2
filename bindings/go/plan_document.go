// SPDX-License-Identifier: Apache-2.0

package gang

import "encoding/json"

// DecisionDocument is the GangDecision document. doc/plan.md explains the fields.
type DecisionDocument struct {
	APIVersion    string       `json:"apiVersion"`
	Kind          string       `json:"kind"`
	Metadata      Metadata     `json:"metadata"`
	Outcome       Outcome      `json:"outcome"`
	Reason        string       `json:"reason,omitempty"`
	Compatibility string       `json:"compatibility"`
	Owner         Owner        `json:"owner"`
	RunNumber     *int64       `json:"runNumber,omitempty"`
	Backend       *Backend     `json:"backend,omitempty"`
	Gang          *Gang        `json:"gang,omitempty"`
	Roles         []Role       `json:"roles"`
	Diagnostics   []Diagnostic `json:"diagnostics"`
	Trace         []Trace      `json:"trace"`
	// Policy is what decided of the policy; nil without one, and in a plan.
	Policy *PolicyUse `json:"policy,omitempty"`
	// UnmatchedRules has the rules of the policy before the one that decides.
	UnmatchedRules []UnmatchedRule `json:"unmatchedRules,omitempty"`
}

// PolicyUse is what of a policy decided about a job.
type PolicyUse struct {
	Name        string             `json:"name"`
	Rule        *PolicyRule        `json:"rule,omitempty"`
	Settings    []PolicySetting    `json:"settings"`
	Constraints []JudgedConstraint `json:"constraints"`
}

// PolicyRule is the rule that matches the job.
type PolicyRule struct {
	Name string `json:"name"`
	Path string `json:"path"`
	Line int    `json:"line,omitempty"`
}

// PolicySetting is a setting of a policy that decided an attribute.
type PolicySetting struct {
	Attribute string `json:"attribute"`
	Path      string `json:"path"`
	Line      int    `json:"line,omitempty"`
}

// JudgedConstraint is a constraint that selects the job, and its verdict: Held, Broken or Unknown.
type JudgedConstraint struct {
	Name    string `json:"name"`
	Path    string `json:"path"`
	Line    int    `json:"line,omitempty"`
	Verdict string `json:"verdict"`
}

// UnmatchedRule is a rule that does not match the job, and why.
type UnmatchedRule struct {
	Name   string `json:"name"`
	Path   string `json:"path"`
	Line   int    `json:"line,omitempty"`
	Reason string `json:"reason"`
}

// PlanDocument is the GangPlan document. doc/plan.md explains the fields.
type PlanDocument struct {
	DecisionDocument
	Objects     []PlannedObject `json:"objects"`
	Patches     []PlannedPatch  `json:"patches"`
	Predictions []Prediction    `json:"predictions"`
	Losses      []Loss          `json:"losses"`
}

// Metadata names a job. GenerateName is set in place of a name that the API server makes.
type Metadata struct {
	GenerateName string `json:"generateName,omitempty"`
	Name         string `json:"name,omitempty"`
	Namespace    string `json:"namespace,omitempty"`
}

// Owner is the job as an owner of objects.
type Owner struct {
	APIVersion string `json:"apiVersion"`
	Kind       string `json:"kind"`
	Name       string `json:"name,omitempty"`
	UID        string `json:"uid,omitempty"`
}

// Backend is the chosen backend.
type Backend struct {
	Name          string `json:"name"`
	Type          string `json:"type"`
	APIVersion    string `json:"apiVersion,omitempty"`
	SchedulerName string `json:"schedulerName"`
}

// Gang is the pods that start together.
type Gang struct {
	Name                   string            `json:"name"`
	Minimum                int64             `json:"minimum"`
	Members                int64             `json:"members"`
	LateMembers            int64             `json:"lateMembers"`
	Pods                   int64             `json:"pods"`
	Resources              map[string]string `json:"resources"`
	Queue                  *string           `json:"queue,omitempty"`
	PriorityClassName      string            `json:"priorityClassName,omitempty"`
	ScheduleTimeoutSeconds *int64            `json:"scheduleTimeoutSeconds,omitempty"`
	Topology               json.RawMessage   `json:"topology,omitempty"`
	Subgroups              []Subgroup        `json:"subgroups"`
}

// Subgroup is a part of a gang with a minimum of its own.
type Subgroup struct {
	Name      string          `json:"name"`
	Minimum   int64           `json:"minimum"`
	Roles     []string        `json:"roles"`
	Topology  json.RawMessage `json:"topology,omitempty"`
	Subgroups []Subgroup      `json:"subgroups"`
}

// Role is one kind of pod in the job.
type Role struct {
	Name              string            `json:"name"`
	Ancestor          string            `json:"ancestor,omitempty"`
	Count             int64             `json:"count"`
	MinCount          *int64            `json:"minCount,omitempty"`   // pods that must start
	FirstCount        *int64            `json:"firstCount,omitempty"` // created before any has a node
	Unit              *int64            `json:"unit,omitempty"`       // of use only together
	Membership        string            `json:"membership"`           // Member, LateMember, Outside
	Stage             int64             `json:"stage"`
	Wave              int64             `json:"wave"`
	DependsOn         []Dependency      `json:"dependsOn"`
	Requests          map[string]string `json:"requests"` // of one pod
	SchedulerName     string            `json:"schedulerName,omitempty"`
	PriorityClassName string            `json:"priorityClassName,omitempty"`
}

// Dependency is one edge of the start order.
type Dependency struct {
	Role   string `json:"role"`
	Status string `json:"status"` // Ready, Complete, Scheduled
}

// Trace is an attribute of the gang with every candidate, in order of precedence.
type Trace struct {
	Attribute  string      `json:"attribute"`
	Value      *string     `json:"value,omitempty"`
	Candidates []Candidate `json:"candidates"`
}

// Candidate is one value that was considered.
type Candidate struct {
	Value    *string      `json:"value,omitempty"`
	Document DocumentType `json:"document,omitempty"`
	Path     string       `json:"path,omitempty"`
	Line     int          `json:"line,omitempty"`
	Verdict  string       `json:"verdict"`
	Reason   string       `json:"reason"`
}

// PlannedObject is an entry of `objects`.
type PlannedObject struct {
	Action Action          `json:"action"`
	Object json.RawMessage `json:"object"`
}

// PlannedPatch is an entry of `patches`.
type PlannedPatch struct {
	Target   string          `json:"target"`
	Role     string          `json:"role,omitempty"`
	Metadata *PatchMetadata  `json:"metadata,omitempty"`
	Spec     json.RawMessage `json:"spec,omitempty"`
}

// PatchMetadata is what a patch adds to the metadata.
type PatchMetadata struct {
	Labels      map[string]string `json:"labels,omitempty"`
	Annotations map[string]string `json:"annotations,omitempty"`
}

// Prediction is an object that another controller will create.
type Prediction struct {
	Controller string          `json:"controller"`
	Version    string          `json:"version"`
	Object     json.RawMessage `json:"object"`
}

// Loss is a field that the backend does not support.
type Loss struct {
	Field  string  `json:"field"`
	Value  *string `json:"value,omitempty"`
	Reason string  `json:"reason"`
}
