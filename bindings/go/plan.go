// SPDX-License-Identifier: Apache-2.0

package gang

import "encoding/json"

// A Plan holds the objects to write and the patches for the pods of a job.
type Plan struct {
	handle   *handle
	limits   *Limits
	objects  []Object
	patches  []Patch
	findings findingList
}

// An Object is one object of a plan and what to do with it.
type Object struct {
	Action                            Action
	APIVersion, Kind, Namespace, Name string
	JSON                              []byte // the manifest
}

// A Patch has the fields to set in the pod template of one role, or in the job object.
type Patch struct {
	Target      string // "Role", or the kind of the job object, "JobSet"
	Role        string // "" for a patch of the job
	Labels      map[string]string
	Annotations map[string]string
	Spec        map[string]string // paths below spec: "schedulerName", "schedulingGroup.podGroupName"
}

func makePlan(f function, limits *Limits, c *call) (*Plan, error) {
	c.context = limits.context()
	p := &Plan{limits: limits}
	err := withSession(c.handles(), func(s *session) error { return p.make(s, f, c) })
	return p.finish(err)
}

func (p *Plan) make(s *session, f function, c *call) error {
	h, err := s.make(kindPlan, f, c)
	if h == nil {
		return err
	}
	p.handle = h
	if failed := p.read(s, c); failed != nil {
		return failed
	}
	return err
}

// finish is the plan, if there is one, perhaps beside an error.
func (p *Plan) finish(err error) (*Plan, error) {
	if p.handle == nil {
		return nil, err
	}
	return closeWith(p, p.handle), err
}

// read takes over all that the plan has, with the limits of the call that made it.
func (p *Plan) read(s *session, made *call) error {
	word := made.words.handle
	c, err := s.get(callPlanGet, kindPlan, word, 0)
	if err != nil {
		return err
	}
	for i := range c.numbers[0] {
		if err := p.readObject(s, made.words.context, word, i); err != nil {
			return err
		}
	}
	for i := range c.numbers[2] {
		if err := p.readPatch(s, word, i); err != nil {
			return err
		}
	}
	p.findings.count = c.numbers[1]
	return nil
}

func (p *Plan) readObject(s *session, context, word, index uint64) error {
	c := &call{words: words{subject: word, index: index, format: uint64(FormatJSON), context: context}}
	if err := s.invoke(callObjectGet, &c.words, nil, nil); err != nil {
		return err
	}
	if result := Result(int64(c.result)); result != ResultOK {
		return s.takeError(result, c.err)
	}
	p.objects = append(p.objects, Object{
		Action:     Action(c.numbers[0]),
		APIVersion: s.text(c, 0), Kind: s.text(c, 1), Namespace: s.text(c, 2), Name: s.text(c, 3),
		JSON: s.copy(c.blob),
	})
	s.release(kindBlob, c.words.handle)
	return nil
}

func (p *Plan) readPatch(s *session, word, index uint64) error {
	c, err := s.get(callPatchGet, kindPlan, word, index)
	if err != nil {
		return err
	}
	patch := Patch{Target: s.text(c, 0), Role: s.text(c, 1)}
	sections := [...]*map[string]string{&patch.Labels, &patch.Annotations, &patch.Spec}
	for i, section := range namesPatchSection.values {
		for field := range c.numbers[i] {
			w := words{subject: word, index: index, number: uint64(section), numbers: [6]uint64{field}}
			if err := s.invoke(callPatchField, &w, nil, nil); err != nil {
				return err
			}
			if *sections[i] == nil {
				*sections[i] = make(map[string]string, c.numbers[i])
			}
			(*sections[i])[string(s.view(w.texts[0]))] = string(s.view(w.texts[1]))
		}
	}
	p.patches = append(p.patches, patch)
	return nil
}

// Close releases the plan. What its methods returned stays valid.
func (p *Plan) Close() { p.handle.close() }

// Objects lists the objects in the order to apply.
func (p *Plan) Objects() []Object { return p.objects }

// Patches lists the patches: that of the job object first, then those of the roles.
func (p *Plan) Patches() []Patch { return p.patches }

// Findings lists the findings of the decision, and those of Reconcile. A closed plan has none, unless
// they were read before.
func (p *Plan) Findings() []Finding { return p.findings.read(kindPlan, p.handle) }

// Serialize writes the plan, only its objects, or an input document with the patches in it.
func (p *Plan) Serialize(target Target, format Format) ([]byte, error) {
	c := &call{context: p.limits.context(), subject: p.handle}
	c.number, c.format = uint64(target), uint64(format)
	return bytesOf(callPlanSerialize, c)
}

// Document decodes the GangPlan document.
func (p *Plan) Document() (*PlanDocument, error) {
	data, err := p.Serialize(TargetPlan, FormatJSON)
	if err != nil {
		return nil, err
	}
	document := &PlanDocument{}
	return document, json.Unmarshal(data, document)
}

// Reconcile compares the plan with the existing objects and gives each object its action. Nil means
// that no object exists. Wake is the only option with an effect.
//
// If there are conflicts it returns an error and a plan. A person must decide on the object in
// conflict; the actions of the other objects are correct meanwhile.
func (p *Plan) Reconcile(live *Document, with ...Option) (*Plan, error) {
	c := &call{subject: p.handle, other: live.handleOrNil()}
	c.flags = uint64(optionsOf(with).reconcile)
	return makePlan(callReconcile, p.limits, c)
}
