// SPDX-License-Identifier: Apache-2.0

package gang

import (
	"encoding/json"
	"fmt"
	"math"
)

// Inputs are the documents that a job is resolved with.
type Inputs struct {
	// Runtime, policy, cluster, PodCliqueSet and so on, in any order. A nil entry is an error: a
	// policy that could not be parsed must not be left out.
	Documents []*Document
	// CreatedUID is the uid that the API server gave to the first object of the plan, so that the
	// other objects can name it as their owner. Reconcile reads it from the existing objects.
	CreatedUID string
	// RunNumber is how often the job was resumed or restarted before: 0 for its first pods. Some
	// schedulers never start other pods under the name of an earlier gang; for them the number is a
	// part of the name. Nil: unknown, which counts as 0, and a diagnostic says where that matters.
	RunNumber *int64
	// Gang is the gang to resolve of a job with several: less than Document.NumGangs.
	Gang uint64
	// FallBack makes a scheduler that a PodGang names and that is not enabled a warning, and the
	// default scheduler is used.
	FallBack bool
}

// A Decision says which backend schedules a job, which pods start together, and why.
type Decision struct {
	handle    *handle
	limits    *Limits
	unlocated unlocated
	decisionInfo
}

type decisionInfo struct {
	outcome                           Outcome
	minimum, members, pods            int64
	backend, scheduler, queue, reason string
	diagnostics                       diagnosticList
}

// Resolve chooses the backend and the gang of a job: a TrainJob, PodGang, PodCliqueSet, or a job of
// another kind, such as a JobSet or RayJob.
//
// If the job is denied or an input is invalid it returns an error and a decision, which has the
// trace of what was considered. The decision is nil if the inputs do not fit the job.
func Resolve(job *Document, inputs Inputs) (*Decision, error) {
	var room [4]*handle // enough for most jobs
	c := &call{list: room[:0]}
	if err := c.setInputs(job, &inputs); err != nil {
		return nil, err
	}
	d := &Decision{limits: job.limits, unlocated: c.unlocated}
	err := c.within(func(s *session) error {
		h, err := s.make(kindDecision, callResolve, c)
		if h != nil {
			d.handle = h
			d.read(s, c)
		}
		return err
	})
	if d.handle == nil {
		return nil, err
	}
	return d, err
}

// Diagnose says why the gang of a job does not start: a GangWhy document, whose fields and causes
// doc/why.md describes. The live objects are those of ParseLiveForDiagnosis. The time of the question
// is a text such as 2026-11-25T08:30:00Z; without it, it is the newest one in the objects. The job
// may be one that Resolve refuses. CreatedUID and FallBack have no effect.
func Diagnose(job, live *Document, inputs Inputs, now string, format Format) ([]byte, error) {
	var room [4]*handle // enough for most jobs
	c := &call{list: room[:0]}
	inputs.CreatedUID, inputs.FallBack = "", false
	if err := c.setInputs(job, &inputs); err != nil {
		return nil, err
	}
	if err := c.compareWith(live, "live"); err != nil {
		return nil, err
	}
	if now != "" {
		text, err := cString(now)
		if err != nil {
			return nil, err
		}
		c.text = text
	}
	c.format = uint64(format)
	return bytesOf(callDiagnose, c)
}

const unknownRun = math.MaxUint64 // -1 in C

// setInputs fills in the call.
func (c *call) setInputs(job *Document, inputs *Inputs) (err error) {
	if job == nil {
		return invalid("job: a nil document; was the error of Parse checked?")
	}
	c.context, c.subject, c.unlocated = job.limits.context(), job.handle, job.unlocated
	for i, document := range inputs.Documents {
		if document == nil {
			return invalid(fmt.Sprintf(
				"documents[%d]: a nil document; was the error of Parse checked?", i))
		}
		c.list = append(c.list, document.handle)
		c.unlocated |= document.unlocated
	}
	if inputs.FallBack {
		c.flags = uint64(resolveFallBack)
	}
	c.index, c.number = inputs.Gang, unknownRun
	if inputs.RunNumber != nil {
		c.number = uint64(max(*inputs.RunNumber, -1))
	}
	if inputs.CreatedUID != "" {
		c.text, err = cString(inputs.CreatedUID)
	}
	return err
}

// read takes over what the call that made the decision returned.
func (d *decisionInfo) read(s *session, made *call) {
	n := &made.numbers
	d.outcome, d.diagnostics.count = Outcome(n[0]), n[1]
	d.minimum, d.members, d.pods = int64(n[2]), int64(n[3]), int64(n[4])
	s.setTexts(made, &d.backend, &d.scheduler, &d.queue, &d.reason)
}

// Close releases the decision. Plans that were made of it stay valid.
func (d *Decision) Close() { d.orEmpty().handle.close() }

func (d *Decision) orEmpty() *Decision {
	if d == nil {
		return &Decision{}
	}
	return d
}

// Outcome tells whether there is a gang.
func (d *Decision) Outcome() Outcome { return d.orEmpty().outcome }

// Backend is the chosen backend as the policy names it, "" without a gang.
func (d *Decision) Backend() string { return d.orEmpty().backend }

// SchedulerName is the scheduler of the pods, "" if none was chosen.
func (d *Decision) SchedulerName() string { return d.orEmpty().scheduler }

// Queue is the queue of the gang, "" if it has none.
func (d *Decision) Queue() string { return d.orEmpty().queue }

// Reason says why the decision has its outcome. The text may change between releases.
func (d *Decision) Reason() string { return d.orEmpty().reason }

// Minimum is the number of pods that must start together.
func (d *Decision) Minimum() int64 { return d.orEmpty().minimum }

// Members is the number of pods in the gang.
func (d *Decision) Members() int64 { return d.orEmpty().members }

// Pods is the number of all pods of the job.
func (d *Decision) Pods() int64 { return d.orEmpty().pods }

// Diagnostics lists all diagnostics of the documents and of the decision. A closed decision has
// none, unless they were read before.
func (d *Decision) Diagnostics() []Diagnostic {
	d = d.orEmpty()
	return d.diagnostics.read(kindDecision, d.handle, d.unlocated)
}

// Serialize writes the GangDecision document, with the trace. In FormatSvg it writes a picture of the
// roles and the gang, in FormatRow one line of JSON for tables of many jobs, in FormatText and
// FormatHTML what was decided and why, for people.
func (d *Decision) Serialize(format Format) ([]byte, error) {
	d = d.orEmpty()
	c := &call{context: d.limits.context(), subject: d.handle}
	c.format = uint64(format)
	return bytesOf(callDecisionSerialize, c)
}

// Explain says what was decided and why, as lines of text for people: what `gangctl explain` prints,
// with the objects that Render makes. Verbose is the option with an effect. The words may change
// between releases; Document has the same facts for programs, and Serialize in FormatHTML writes
// them as a fragment of a page.
func (d *Decision) Explain(with ...Option) (string, error) {
	plan, err := d.Render()
	if err != nil {
		return "", err
	}
	defer plan.Close()
	return plan.Explain(with...)
}

// Document decodes the GangDecision document.
func (d *Decision) Document() (*DecisionDocument, error) {
	data, err := d.Serialize(FormatJSON)
	if err != nil {
		return nil, err
	}
	document := &DecisionDocument{}
	return document, json.Unmarshal(data, document)
}

// PreparePod writes a pod with the scheduler and the marks of the decision: as Grove's operator
// prepares it, for a PodGang or PodCliqueSet; of another job, by the role that the label
// "policy.libgang.dev/role" of the pod names.
func (d *Decision) PreparePod(pod []byte, format Format) ([]byte, error) {
	d = d.orEmpty()
	c := &call{context: d.limits.context(), subject: d.handle, text: pod, unlocated: d.unlocated}
	c.format = uint64(format)
	return bytesOf(callPreparePod, c)
}

// Render makes the plan of the decision. A decision without a gang gives a plan without objects.
func (d *Decision) Render() (*Plan, error) {
	d = d.orEmpty()
	return makePlan(callRender, d.limits, &call{subject: d.handle, unlocated: d.unlocated})
}

// Render resolves a job with its runtime and other documents, and renders the decision. An error
// leaves no plan; Resolve also gives the decision then.
func Render(job *Document, with ...*Document) (*Plan, error) {
	var room [4]*handle // enough for most jobs
	c := &call{list: room[:0]}
	if err := c.setInputs(job, &Inputs{Documents: with}); err != nil {
		return nil, err
	}
	return makePlan(callRenderJob, job.limits, c)
}
