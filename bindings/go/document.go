// SPDX-License-Identifier: Apache-2.0

package gang

// A Document is one parsed document: a TrainJob, a runtime, a PodGang, a job of another kind, a
// GangPolicy, a GangCluster and so on, or the existing objects. Parse it once and use it for any
// number of calls.
type Document struct {
	handle    *handle
	limits    *Limits
	unlocated unlocated
	documentInfo
}

type documentInfo struct {
	kindOf                                          DocumentType
	apiVersion, kind, namespace, name, uid, policys string
	diagnostics                                     diagnosticList
	gangs                                           uint64
}

// Parse reads and checks one document in JSON, or in YAML if HasYAML. Its apiVersion and kind say
// what it is. The error lists every invalid place.
func Parse(data []byte, with ...Option) (*Document, error) {
	return parse(callDocumentParse, data, with)
}

// ParseLive reads the existing objects for Reconcile: documents or lists, as `kubectl get -o json`
// prints them. No data means that no object exists.
func ParseLive(data []byte, with ...Option) (*Document, error) {
	return parse(callDocumentParseLive, data, with)
}

// ParseLiveForDiagnosis does the same and keeps what Diagnose reads, too: conditions and events with
// their texts, containers, nodes, queues and quotas.
func ParseLiveForDiagnosis(data []byte, with ...Option) (*Document, error) {
	return parseWith(callDocumentParseLive, data, uint64(liveDiagnose), with)
}

func parse(f function, data []byte, with []Option) (*Document, error) {
	return parseWith(f, data, 0, with)
}

func parseWith(f function, data []byte, flags uint64, with []Option) (*Document, error) {
	chosen := optionsOf(with)
	d := &Document{limits: chosen.limits}
	c := &call{context: chosen.limits.context(), text: data, unlocated: chosen.unlocated}
	c.flags = uint64(chosen.parse) | flags
	err := c.within(func(s *session) error {
		h, err := s.make(kindDocument, f, c)
		if err == nil {
			d.handle = h
			d.read(s, c)
			d.unlocated = chosen.unlocated & only(d.kindOf)
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	return d, nil
}

// read takes over what the call that made the document returned.
func (d *documentInfo) read(s *session, made *call) {
	d.kindOf, d.diagnostics.count = DocumentType(made.numbers[0]), made.numbers[1]
	d.gangs = made.numbers[2]
	s.setTexts(made, &d.apiVersion, &d.kind, &d.namespace, &d.name, &d.uid, &d.policys)
}

// Close releases the document. Decisions and plans that were made of it stay valid.
func (d *Document) Close() { d.orEmpty().handle.close() }

// orEmpty lets a method be called on nil, as functions of the library can be with NULL.
func (d *Document) orEmpty() *Document {
	if d == nil {
		return &Document{}
	}
	return d
}

// Type tells what the document is.
func (d *Document) Type() DocumentType { return d.orEmpty().kindOf }

// APIVersion is the apiVersion, "" if it has none.
func (d *Document) APIVersion() string { return d.orEmpty().apiVersion }

// Kind is the kind.
func (d *Document) Kind() string { return d.orEmpty().kind }

// Namespace is metadata.namespace, "" if it has none.
func (d *Document) Namespace() string { return d.orEmpty().namespace }

// Name is metadata.name.
func (d *Document) Name() string { return d.orEmpty().name }

// UID is metadata.uid, "" if it has none.
func (d *Document) UID() string { return d.orEmpty().uid }

// Stamp identifies the contents of a GangPolicy, "name@hash". It is "" for other documents.
func (d *Document) Stamp() string { return d.orEmpty().policys }

// Diagnostics lists the warnings and infos of the parser. A decision contains them too, with the
// severity that its policy gives them. A closed document has none, unless they were read before.
func (d *Document) Diagnostics() []Diagnostic {
	d = d.orEmpty()
	return d.diagnostics.read(kindDocument, d.handle, d.unlocated)
}

// Reference is the name of the object of a kind that the document refers to: the
// "ClusterTrainingRuntime" of a TrainJob, the "PodCliqueSet" of a PodGang. It is "" if there is
// none.
func (d *Document) Reference(kind string) string {
	text, err := cString(kind)
	if err != nil {
		return ""
	}
	name := ""
	c := &call{subject: d.orEmpty().handle, text: text}
	_ = c.within(func(s *session) error {
		err := s.run(callDocumentReference, c)
		name = s.text(c, 0)
		return err
	})
	return name
}

// NumGangs is the number of gangs of a job, which are resolved one by one: see Inputs.Gang. A
// LeaderWorkerSet has one for each replica, a JobSet one for each stage with several pods. It is 0
// for a document that is no job, and without replicas or stages that have a gang. A job that
// Resolve gives no gang, such as a Job that is not Indexed, counts as one.
func (d *Document) NumGangs() uint64 { return d.orEmpty().gangs }

// GangJob writes the GangJob that one gang of a job of another kind than TrainJob and PodGang is
// read as: its roles, their counts and requests, and the start order. The index is less than
// NumGangs. It fails with ResultInvalidArgument for a job without pods of its own.
func (d *Document) GangJob(index uint64, format Format) ([]byte, error) {
	c := d.orEmpty().call()
	c.index, c.format = index, uint64(format)
	return bytesOf(callJobSerialize, c)
}

// TypeOf is the type of a document with this apiVersion and kind, without parsing it:
// DocumentJob for each kind of job that is read as a GangJob, DocumentNone for a kind that is not
// read. An empty apiVersion is any.
func TypeOf(apiVersion, kind string) DocumentType {
	version, err := cString(apiVersion)
	if err != nil {
		return DocumentNone
	}
	name, err := cString(kind)
	if err != nil {
		return DocumentNone
	}
	c := &call{text: append(version, name...)} // each ends with a NUL
	_ = c.within(func(s *session) error { return s.run(callDocumentTypeOf, c) })
	return DocumentType(c.numbers[0])
}

// CheckTopology checks the schedulers that a ClusterTopologyBinding names against the backends that
// a policy enables. Without a policy all are enabled; a nil policy is an error.
func (d *Document) CheckTopology(policy ...*Document) error {
	c := d.orEmpty().call()
	if len(policy) > 1 {
		return invalid("policy[1]: at most one policy")
	}
	for _, one := range policy {
		if err := c.compareWith(one, "policy"); err != nil {
			return err
		}
	}
	return c.within(func(s *session) error { return s.perform(callTopologybindingCheck, c) })
}

// Topology writes KAI's Topology that Grove's operator creates for a ClusterTopologyBinding. It is
// empty if the binding names a Topology of another owner.
func (d *Document) Topology(format Format) ([]byte, error) {
	c := d.orEmpty().call()
	c.format = uint64(format)
	return bytesOf(callTopologybindingSerialize, c)
}

// CompareTopology compares a ClusterTopologyBinding with the existing Topology of KAI. ParseLive(nil)
// means that no object exists; nil is an error. A conflict is an error beside ActionConflict.
func (d *Document) CompareTopology(live *Document) (Action, error) {
	c := d.orEmpty().call()
	if err := c.compareWith(live, "live"); err != nil {
		return 0, err
	}
	err := c.within(func(s *session) error { return s.perform(callTopologybindingCompare, c) })
	return Action(c.numbers[0]), err
}

func (d *Document) call() *call {
	return &call{context: d.limits.context(), subject: d.handle, unlocated: d.unlocated}
}

// compareWith adds the second document of a call.
func (c *call) compareWith(other *Document, name string) error {
	if other == nil {
		return invalid(name + ": a nil document; was the error of Parse checked?")
	}
	c.other = other.handle
	c.unlocated |= other.unlocated
	return nil
}

// unlocated is a set of types of documents whose diagnostics have no lines and columns.
type unlocated uint64

const everyType = ^unlocated(0)

func only(of DocumentType) unlocated { return 1 << uint(of) }
