// SPDX-License-Identifier: Apache-2.0

package gang

import (
	"encoding/binary"
	"encoding/json"
	"sync"
	"unsafe"
)

// A Plan holds the objects to write and the patches for the pods of a job.
type Plan struct {
	handle      *handle
	limits      *Limits
	diagnostics diagnosticList
	unlocated   unlocated

	pack    []byte // of call.c, until it is unpacked
	once    sync.Once
	objects []Object
	patches []Patch
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

// makePlan makes one call that returns a plan, perhaps beside an error.
func makePlan(f function, limits *Limits, c *call) (*Plan, error) {
	c.context = limits.context()
	p := &Plan{limits: limits, unlocated: c.unlocated}
	err := c.within(func(s *session) error {
		h, err := s.make(kindPlan, f, c)
		if h != nil {
			p.handle = h
			p.pack, p.diagnostics.count = s.copy(c.blob), c.numbers[0]
			s.release(kindPack, c.blob.data)
		}
		return err
	})
	if p.handle == nil {
		return nil, err
	}
	return p, err
}

// unpack decodes the pack at the first question, into texts and manifests that lie in the pack. The
// manifests are the caller's to change; no text shares a byte with them.
func (p *Plan) unpack() *Plan {
	p.once.Do(func() {
		if p.handle == nil {
			return
		}
		u := unpacker{p.pack}
		p.objects = make([]Object, 0, u.number())
		for range cap(p.objects) {
			p.objects = append(p.objects, u.object())
		}
		p.patches = make([]Patch, 0, u.number())
		for range cap(p.patches) {
			p.patches = append(p.patches, u.patch())
		}
		p.pack = nil
	})
	return p
}

// An unpacker reads the numbers and texts of a pack in the order in which call.c writes them.
type unpacker struct{ rest []byte }

func (u *unpacker) number() int {
	number := binary.LittleEndian.Uint64(u.rest)
	u.rest = u.rest[8:]
	return int(number)
}

func (u *unpacker) bytes() []byte {
	size := u.number()
	bytes := u.rest[:size:size]
	u.rest = u.rest[size:]
	return bytes
}

func (u *unpacker) text() string {
	bytes := u.bytes()
	return unsafe.String(unsafe.SliceData(bytes), len(bytes))
}

func (u *unpacker) object() Object {
	return Object{
		Action: Action(u.number()), APIVersion: u.text(), Kind: u.text(), Namespace: u.text(),
		Name: u.text(), JSON: u.bytes(),
	}
}

func (u *unpacker) patch() Patch {
	return Patch{
		Target:      u.text(),
		Role:        u.text(),
		Labels:      u.fields(),
		Annotations: u.fields(),
		Spec:        u.fields(),
	}
}

func (u *unpacker) fields() map[string]string {
	count := u.number()
	if count == 0 {
		return nil
	}
	fields := make(map[string]string, count)
	for range count {
		key := u.text()
		fields[key] = u.text()
	}
	return fields
}

// Close releases the plan. What its methods returned stays valid.
func (p *Plan) Close() { p.orEmpty().handle.close() }

func (p *Plan) orEmpty() *Plan {
	if p == nil {
		return &Plan{}
	}
	return p
}

// Objects lists the objects in the order to apply.
func (p *Plan) Objects() []Object { return p.orEmpty().unpack().objects }

// Patches lists the patches: that of the job object first, then those of the roles.
func (p *Plan) Patches() []Patch { return p.orEmpty().unpack().patches }

// Diagnostics lists the diagnostics of the decision, and those of Reconcile. A closed plan has
// none, unless they were read before.
func (p *Plan) Diagnostics() []Diagnostic {
	p = p.orEmpty()
	return p.diagnostics.read(kindPlan, p.handle, p.unlocated)
}

// Serialize writes the plan, only its objects, or an input document with the patches in it. The
// formats FormatText and FormatHTML are for people, see Explain, and only for TargetPlan.
func (p *Plan) Serialize(target Target, format Format) ([]byte, error) {
	p = p.orEmpty()
	c := &call{context: p.limits.context(), subject: p.handle, unlocated: p.unlocated}
	c.number, c.format = uint64(target), uint64(format)
	return bytesOf(callPlanSerialize, c)
}

// Explain says what was decided and why, and what to do with each object, as lines of text for
// people. Verbose is the option with an effect.
func (p *Plan) Explain(with ...Option) (string, error) {
	p = p.orEmpty()
	c := &call{context: p.limits.context(), subject: p.handle}
	c.number, c.format = uint64(TargetPlan), uint64(FormatText)
	c.flags = uint64(optionsOf(with).serialize)
	text, err := bytesOf(callPlanSerialize, c)
	return string(text), err
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

// Reconcile compares the plan with the existing objects and gives each object its action.
// ParseLive(nil) means that no object exists; nil is an error. Wake and Adopt are the options with
// an effect.
//
// If there are conflicts it returns an error and a plan. A person must decide on the object in
// conflict; the actions of the other objects are correct meanwhile.
func (p *Plan) Reconcile(live *Document, with ...Option) (*Plan, error) {
	p = p.orEmpty()
	c := &call{subject: p.handle, unlocated: p.unlocated}
	if err := c.compareWith(live, "live"); err != nil {
		return nil, err
	}
	c.flags = uint64(optionsOf(with).reconcile)
	return makePlan(callReconcile, p.limits, c)
}
