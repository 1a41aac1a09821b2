// SPDX-License-Identifier: Apache-2.0

package gang

import "encoding/json"

// Inputs are the documents that a job is resolved with.
type Inputs struct {
	// Runtime, policy, cluster, PodCliqueSet and so on, in any order. Nil entries are skipped.
	Documents []*Document
	// CreatedUID is the uid that the API server gave to the first object of the plan, so that the
	// other objects can name it as their owner. Reconcile reads it from the existing objects.
	CreatedUID string
	// FallBack makes a scheduler that a PodGang names and that is not enabled a warning, and the
	// default scheduler is used.
	FallBack bool
}

// A Decision says which backend schedules a job, which pods start together, and why.
type Decision struct {
	handle *handle
	limits *Limits
	decisionInfo
}

type decisionInfo struct {
	outcome                           Outcome
	minimum, members, pods            int64
	backend, scheduler, queue, reason string
	findings                          findingList
}

// Resolve chooses the backend and the gang of a job, a TrainJob, PodGang or PodCliqueSet.
//
// If the job is denied or an input is invalid it returns an error and a decision, which has the
// trace of what was considered. The decision is nil if the inputs do not fit the job.
func Resolve(job *Document, inputs Inputs) (*Decision, error) {
	c, err := resolveCall(job, &inputs)
	if err != nil {
		return nil, err
	}
	d := &Decision{limits: job.limitsOrNil()}
	err = withSession(c.handles(), func(s *session) error {
		h, err := s.make(kindDecision, callResolve, c)
		if h == nil {
			return err
		}
		d.handle = h
		if failed := d.read(s, c.words.handle); failed != nil {
			return failed
		}
		return err
	})
	if d.handle == nil {
		return nil, err
	}
	return closeWith(d, d.handle), err
}

// A nil job is for the library to refuse.
func resolveCall(job *Document, inputs *Inputs) (*call, error) {
	c := &call{context: job.limitsOrNil().context(), subject: job.handleOrNil()}
	for _, document := range inputs.Documents {
		if document != nil {
			c.list = append(c.list, document.handle)
		}
	}
	if inputs.FallBack {
		c.flags = uint64(resolveFallBack)
	}
	if inputs.CreatedUID == "" {
		return c, nil
	}
	text, err := cString(inputs.CreatedUID)
	c.text = text
	return c, err
}

func (d *decisionInfo) read(s *session, word uint64) error {
	c, err := s.get(callDecisionGet, kindDecision, word, 0)
	if err != nil {
		return err
	}
	d.outcome = Outcome(c.numbers[0])
	d.minimum, d.members, d.pods = int64(c.numbers[2]), int64(c.numbers[3]), int64(c.numbers[4])
	d.backend, d.scheduler, d.queue, d.reason = s.text(c, 0), s.text(c, 1), s.text(c, 2), s.text(c, 3)
	d.findings.count = c.numbers[1]
	return nil
}

// Close releases the decision. Plans that were made of it stay valid.
func (d *Decision) Close() { d.handle.close() }

// Outcome tells whether there is a gang.
func (d *Decision) Outcome() Outcome { return d.outcome }

// Backend is the chosen backend as the policy names it, "" without a gang.
func (d *Decision) Backend() string { return d.backend }

// SchedulerName is the scheduler of the pods, "" if none was chosen.
func (d *Decision) SchedulerName() string { return d.scheduler }

// Queue is the queue of the gang, "" if it has none.
func (d *Decision) Queue() string { return d.queue }

// Reason says why the decision has its outcome. The text may change between releases.
func (d *Decision) Reason() string { return d.reason }

// Minimum is the number of pods that must start together.
func (d *Decision) Minimum() int64 { return d.minimum }

// Members is the number of pods in the gang.
func (d *Decision) Members() int64 { return d.members }

// Pods is the number of all pods of the job.
func (d *Decision) Pods() int64 { return d.pods }

// Findings lists all findings of the documents and of the decision. A closed decision has none,
// unless they were read before.
func (d *Decision) Findings() []Finding { return d.findings.read(kindDecision, d.handle) }

// Serialize writes the GangDecision document, with the trace.
func (d *Decision) Serialize(format Format) ([]byte, error) {
	c := &call{context: d.limits.context(), subject: d.handle}
	c.format = uint64(format)
	return bytesOf(callDecisionSerialize, c)
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

// PreparePod writes a pod as Grove's operator prepares it for the scheduler of the decision, which
// is one of a PodGang or PodCliqueSet.
func (d *Decision) PreparePod(pod []byte, format Format) ([]byte, error) {
	c := &call{context: d.limits.context(), subject: d.handle, text: pod}
	c.format = uint64(format)
	return bytesOf(callPreparePod, c)
}

// Render makes the plan of the decision. A decision without a gang gives a plan without objects.
func (d *Decision) Render() (*Plan, error) {
	return makePlan(callRender, d.limits, &call{subject: d.handle})
}

// Render resolves a job with its runtime and other documents, and renders the decision. An error
// leaves no plan; Resolve also gives the decision then.
func Render(job *Document, with ...*Document) (*Plan, error) {
	c, err := resolveCall(job, &Inputs{Documents: with})
	if err != nil {
		return nil, err
	}
	p := &Plan{limits: job.limitsOrNil()}
	err = withSession(c.handles(), func(s *session) error {
		err := s.perform(callResolve, c)
		decision := c.words.handle
		defer s.release(kindDecision, decision)
		if err != nil {
			return err
		}
		render := &call{context: c.context, words: words{subject: decision}}
		return p.make(s, callRender, render)
	})
	return p.finish(err)
}
