// SPDX-License-Identifier: Apache-2.0

// Package apply carries plans out: a reconciler for controller-runtime that keeps the objects of
// the gangs of jobs, a webhook that marks new jobs, and the facts of the cluster that both plan
// with. One [Planner] for both makes the marks and the objects agree.
package apply

import (
	"context"
	"encoding/json"
	"net/http"
	"slices"
	"time"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/kubernetes"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"libgang.dev/gang"
	"libgang.dev/gang/k8sgang"
)

// A Planner plans the gangs of jobs.
type Planner struct {
	// Policy and Facts return the GangPolicy and the GangCluster in force. The planner does not close
	// them. Nil: there is none.
	Policy, Facts func(context.Context) (*gang.Document, error)
	// Inputs reads the documents that belong to one job, such as the runtime of a TrainJob. The
	// planner closes them. Nil: there are none.
	Inputs func(ctx context.Context, reader client.Reader, job *gang.Document) (
		[]*gang.Document, error)

	// RunsApart says that the program asks Admit about the pods of gangs, so that no run of a gang
	// begins while its scheduler counts the one before. Then plans need no number of the run.
	RunsApart bool
	// FallBack is that of gang.Inputs.
	FallBack bool

	pods  *podStore              // SetUp sets it
	types memory[string, string] // of backends, by their names
}

// NewPlanner makes the planner of a program with one policy, a GangPolicy as YAML or JSON, which
// finds the facts of the cluster as [NewFacts] does.
func NewPlanner(ctx context.Context, policy []byte, clients kubernetes.Interface,
	reader client.Reader) (*Planner, error) {
	document, err := k8sgang.ParseYAML(policy)
	if err != nil {
		return nil, err
	}
	facts, err := NewFacts(ctx, clients, reader)
	if err != nil {
		return nil, err
	}
	inForce := func(context.Context) (*gang.Document, error) { return document, nil }
	return &Planner{Policy: inForce, Facts: facts.Current}, nil
}

// Plans renders the plans of these gangs of a job, or of each gang: see gang.Inputs. If one gang is
// refused there are no plans. The error has the diagnostics for the author of the job:
// [k8sgang.Diagnostics]. Close the plans with [Close].
func (p *Planner) Plans(ctx context.Context, reader client.Reader, job *unstructured.Unstructured,
	gangs ...uint64) ([]*Planned, error) {
	text, err := textOf(job)
	if err != nil {
		return nil, err
	}
	return p.plans(ctx, reader, text, gangs)
}

func (p *Planner) plans(ctx context.Context, reader client.Reader, job []byte, gangs []uint64) (
	plans []*Planned, err error) {
	err = p.withText(ctx, reader, job, func(document *gang.Document, inputs gang.Inputs) error {
		if len(gangs) == 0 {
			gangs = make([]uint64, max(document.NumGangs(), 1))
			for i := range gangs {
				gangs[i] = uint64(i)
			}
		}
		for _, inputs.Gang = range gangs {
			decision, plan, err := render(document, inputs)
			if err != nil {
				return err
			}
			plans = append(plans, &Planned{Plan: plan})
			if err := p.describe(plans[len(plans)-1], decision, inputs.Documents); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		Close(plans)
		return nil, err
	}
	return plans, nil
}

// Plan renders the plan of one gang of a job: see gang.Inputs.
func (p *Planner) Plan(ctx context.Context, reader client.Reader, job *unstructured.Unstructured,
	index uint64) (plan *gang.Plan, err error) {
	err = p.with(ctx, reader, job, func(document *gang.Document, inputs gang.Inputs) (err error) {
		inputs.Gang = index
		_, plan, err = render(document, inputs)
		return err
	})
	return plan, err
}

// PlanDocument is Plan for a job that is parsed already. It does not close the document.
func (p *Planner) PlanDocument(ctx context.Context, reader client.Reader, job *gang.Document,
	index uint64) (plan *gang.Plan, err error) {
	err = p.withDocument(ctx, reader, job, func(inputs gang.Inputs) (err error) {
		inputs.Gang = index
		_, plan, err = render(job, inputs)
		return err
	})
	return plan, err
}

// Decide resolves each gang of a job without making a plan. A decision is closed after its use. If
// one gang is refused that is the error: see Plans.
func (p *Planner) Decide(ctx context.Context, reader client.Reader, job *unstructured.Unstructured,
	use func(*gang.Decision) error) error {
	return p.with(ctx, reader, job, func(document *gang.Document, inputs gang.Inputs) error {
		for inputs.Gang = range max(document.NumGangs(), 1) {
			decision, err := gang.Resolve(document, inputs)
			if err == nil {
				err = use(decision)
			}
			decision.Close() // one of a refused job comes with the error
			if err != nil {
				return err
			}
		}
		return nil
	})
}

// Ready tells whether a plan can be made at once. The first call finds the facts and compiles the
// library, so a program that uses it as its readiness check has no slow first webhook call. It is a
// healthz.Checker.
func (p *Planner) Ready(request *http.Request) error {
	ctx := context.WithoutCancel(request.Context()) // what a probe does not wait for is kept
	if p.Policy != nil {
		_, _ = p.Policy(ctx) // without one the program answers too: each plan says so
	}
	if p.Facts == nil {
		return nil
	}
	_, err := p.Facts(ctx)
	return err
}

// with parses a job and reads what it is planned with.
func (p *Planner) with(ctx context.Context, reader client.Reader, job *unstructured.Unstructured,
	use func(*gang.Document, gang.Inputs) error) error {
	text, err := textOf(job)
	if err != nil {
		return err
	}
	return p.withText(ctx, reader, text, use)
}

func (p *Planner) withText(ctx context.Context, reader client.Reader, job []byte,
	use func(*gang.Document, gang.Inputs) error) error {
	document, err := gang.Parse(job, gang.Generated())
	if err != nil {
		return err
	}
	defer document.Close()
	return p.withDocument(ctx, reader, document, func(inputs gang.Inputs) error {
		return use(document, inputs)
	})
}

func (p *Planner) withDocument(ctx context.Context, reader client.Reader, job *gang.Document,
	use func(gang.Inputs) error) error {
	shared, err := p.inForce(ctx)
	if err != nil {
		return err
	}
	var own []*gang.Document
	if p.Inputs != nil {
		if own, err = p.Inputs(ctx, reader, job); err != nil {
			return err
		}
	}
	for _, one := range own {
		defer one.Close()
	}
	inputs := gang.Inputs{Documents: slices.Concat(shared, own), FallBack: p.FallBack}
	if p.RunsApart {
		inputs.RunNumber = new(int64)
	}
	return use(inputs)
}

// inForce returns the policy and the facts that there are.
func (p *Planner) inForce(ctx context.Context) (found []*gang.Document, err error) {
	for _, source := range p.sources() {
		document, err := source(ctx)
		if err != nil {
			return nil, err
		}
		found = append(found, document)
	}
	return found, nil
}

func (p *Planner) sources() []func(context.Context) (*gang.Document, error) {
	return slices.DeleteFunc([]func(context.Context) (*gang.Document, error){p.Policy, p.Facts},
		func(one func(context.Context) (*gang.Document, error)) bool { return one == nil })
}

// render returns the decision closed.
func render(job *gang.Document, inputs gang.Inputs) (
	decision *gang.Decision, plan *gang.Plan, err error) {
	start := time.Now()
	decision, err = gang.Resolve(job, inputs)
	if err == nil {
		plan, err = decision.Render()
	}
	countPlan(job.Kind(), start, decision, err)
	decision.Close() // one of a refused job comes with the error
	countDiagnostics(append(k8sgang.Diagnostics(err), plan.Diagnostics()...))
	return decision, plan, err
}

// A Diagnosis says why a gang does not start: a part of the GangWhy document.
type Diagnosis struct {
	Verdict string `json:"verdict"` // Started, Finished, Waiting, Stuck, Impossible, CannotTell
	Cause   *struct {
		Code, Reason, Certainty, Message string
	} `json:"cause"`
}

// Diagnose says why one gang of a job does not start, from what a round has read. Events and nodes
// are not read for it, so what only they show is not found.
func (p *Planner) Diagnose(ctx context.Context, reader client.Reader, outcome *Outcome,
	index uint64) (*Diagnosis, error) {
	now := time.Now().UTC().Format(time.RFC3339)
	var answer []byte
	job, err := outcome.textOf(outcome.Job)
	if err != nil {
		return nil, err
	}
	text, err := outcome.existingText(outcome.Pods)
	if err != nil {
		return nil, err
	}
	live, err := gang.ParseLiveForDiagnosis(text, gang.Generated())
	if err != nil {
		return nil, err
	}
	defer live.Close()
	err = p.withText(ctx, reader, job, func(document *gang.Document,
		inputs gang.Inputs) (err error) {
		inputs.Gang = index
		answer, err = gang.Diagnose(document, live, inputs, now, gang.FormatJSON)
		return err
	})
	found := &Diagnosis{}
	if err == nil {
		err = json.Unmarshal(answer, found)
	}
	return found, err
}

// A Planned is the plan of one gang with what a round reads of it; gang.Plan.Document has all. Most
// of that document explains the plan, and decoding it would be a quarter of the work of a round.
type Planned struct {
	*gang.Plan
	Outcome gang.Outcome
	Backend *Backend  // nil if none was chosen
	Gang    *GangSize // nil without a gang
	// ByPolicy tells that there is no gang because the policy skips the job, or chooses no backend for
	// it. Else the job itself is the reason: it has no pods, for example.
	ByPolicy bool
	// Actions are those of the objects, from the comparison with what exists; nil before it.
	Actions []gang.Action
}

// A Backend is that of a plan. Its API version can depend on the job: the document has it.
type Backend struct{ Name, Type, SchedulerName string }

// GangSize says how many of the pods of a gang must start together.
type GangSize struct{ Minimum, Pods int64 }

// describe decodes a document once for the type of each backend: the policy and the facts say it by
// its name, but for a job with documents of its own.
func (p *Planner) describe(planned *Planned, decision *gang.Decision,
	documents []*gang.Document) error {
	name, hasOwn := decision.Backend(), len(documents) > len(p.sources())
	planned.Outcome = decision.Outcome()
	if planned.Outcome == gang.OutcomeGang {
		planned.Gang = &GangSize{decision.Minimum(), decision.Pods()}
	}
	if planned.Gang != nil && !hasOwn {
		if known := p.types.get(documents, name); known != "" {
			planned.Backend = &Backend{name, known, decision.SchedulerName()}
			return nil
		}
	}
	document, err := planned.Document()
	if err != nil {
		return err
	}
	chosen := document.Backend
	if chosen == nil {
		planned.ByPolicy = !isRefusedByJob(document.Trace)
		return nil
	}
	planned.Backend = &Backend{chosen.Name, chosen.Type, chosen.SchedulerName}
	if !hasOwn {
		p.types.put(documents, name, chosen.Type)
	}
	return nil
}

// isRefusedByJob tells whether something in the job itself is a reason for no backend.
func isRefusedByJob(trace []gang.Trace) bool {
	return slices.ContainsFunc(trace, func(one gang.Trace) bool {
		return one.Attribute == "backend" && slices.ContainsFunc(one.Candidates,
			func(candidate gang.Candidate) bool {
				return candidate.Document != gang.DocumentPolicy && candidate.Verdict == "Refused"
			})
	})
}

// Close closes all plans.
func Close(plans []*Planned) {
	for _, plan := range plans {
		plan.Close()
	}
}

// New returns an empty object of a kind.
func New(kind schema.GroupVersionKind) *unstructured.Unstructured {
	object := &unstructured.Unstructured{}
	object.SetGroupVersionKind(kind)
	return object
}

// List lists the objects of a kind.
func List(ctx context.Context, reader client.Reader, kind schema.GroupVersionKind,
	options ...client.ListOption) ([]unstructured.Unstructured, error) {
	list := &unstructured.UnstructuredList{}
	list.SetGroupVersionKind(kind)
	err := reader.List(ctx, list, options...)
	return list.Items, err
}
