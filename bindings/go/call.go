// SPDX-License-Identifier: Apache-2.0

package gang

import (
	"fmt"
	"unsafe"
)

// function, kind and enumeration are the enumerations of call.h.
type (
	function    uint32
	kind        uint64
	enumeration uint64
)

const (
	callLibrary function = iota
	callName
	callBackends
	callSchema
	callContextNew
	callStreamParse
	callStreamGet
	callStreamSerialize
	callDocumentParse
	callDocumentParseLive
	callDocumentReference
	callDocumentTypeOf
	callJobSerialize
	callResolve
	callDecisionSerialize
	callPreparePod
	callRender
	callRenderJob
	callReconcile
	callDiagnose
	callPlanSerialize
	callTopologybindingCheck
	callTopologybindingSerialize
	callTopologybindingCompare
	callErrorGet
	callDiagnostic
	callRelease
	callCount
)

const (
	nameResult enumeration = iota
	nameSeverity
	nameDocumentType
	nameLimit
	nameOutcome
	nameAction
	nameTarget
	nameFormat
	namePatchSection
	nameCode
	nameBackend
)

const (
	kindNone kind = iota
	kindContext
	kindStream
	kindDocument
	kindDecision
	kindPlan
	kindError
	kindBlob
	kindPack
)

// textWord is struct call_text.
type textWord struct{ data, len uint64 }

// words is struct call: what goes to the library and comes back.
type words struct {
	context, subject, other, kind, flags, format, index, number uint64

	result, handle, err uint64
	blob                textWord
	numbers             [6]uint64
	texts               [10]textWord
}

// A call is one function of the library with its arguments. Handles are those of the caller, who
// keeps them open until the call is done.
type call struct {
	words
	context *handle
	subject *handle
	other   *handle
	list    []*handle
	limits  []uint64 // pairs of limit and value, instead of a list
	text    []byte
	// Types of documents of which an error has no lines.
	unlocated unlocated
}

var errClosed error = invalid("use of a closed handle")

// run makes the call in a session that has its handles. A word without a handle stays as it is.
func (s *session) run(f function, c *call) (err error) {
	if c.context != nil {
		c.words.context, err = s.word(c.context)
	}
	if c.subject != nil && err == nil {
		c.words.subject, err = s.word(c.subject)
	}
	if c.other != nil && err == nil {
		c.words.other, err = s.word(c.other)
	}
	if err != nil {
		return err
	}
	var room [8]uint64 // enough for most calls
	list := append(room[:0], c.limits...)
	for _, h := range c.list {
		word := uint64(0) // for the library to refuse
		if h != nil {
			if word, err = s.word(h); err != nil {
				return err
			}
		}
		list = append(list, word)
	}
	return s.invoke(f, &c.words, c.text, list)
}

// perform makes a call that can fail in the library: its error becomes an *Error.
func (s *session) perform(f function, c *call) error {
	if err := s.run(f, c); err != nil {
		return err
	}
	if Result(int64(c.result)) == ResultOK {
		return nil
	}
	return s.takeError(Result(int64(c.result)), c.err, c.unlocated)
}

// bytes performs a call that writes a blob, and copies the blob.
func (s *session) bytes(f function, c *call) ([]byte, error) {
	if err := s.perform(f, c); err != nil {
		return nil, err
	}
	data := s.copy(c.blob)
	s.release(kindBlob, c.handle)
	return data, nil
}

func (s *session) text(c *call, index int) string { return string(s.view(c.texts[index])) }

// setTexts copies the first texts of an answer. They share one piece of memory.
func (s *session) setTexts(c *call, into ...*string) {
	size := 0
	for i := range into {
		size += int(c.texts[i].len)
	}
	all := make([]byte, 0, size)
	for i := range into {
		all = append(all, s.view(c.texts[i])...)
	}
	rest := unsafe.String(unsafe.SliceData(all), len(all)) // these bytes do not change any more
	for i, text := range into {
		*text, rest = rest[:c.texts[i].len], rest[c.texts[i].len:]
	}
}

// get asks for what a handle of this copy of the library is.
func (s *session) get(f function, of kind, word, index uint64) (*call, error) {
	c := &call{words: words{subject: word, kind: uint64(of), index: index}}
	return c, s.invoke(f, &c.words, nil, nil)
}

func (s *session) release(of kind, word uint64) {
	if word != 0 {
		w := words{subject: word, kind: uint64(of)}
		_ = s.invoke(callRelease, &w, nil, nil) // a failed copy of the library is thrown away whole
	}
}

// cString is the bytes of a C string.
func cString(text string) ([]byte, error) {
	data := append(make([]byte, 0, len(text)+1), text...)
	for _, b := range data {
		if b == 0 {
			return nil, invalid(fmt.Sprintf("text with a NUL: %q", text))
		}
	}
	return append(data, 0), nil
}

// within opens the handles of a call, runs f with a session and closes them.
func (c *call) within(f func(*session) error) error {
	collectIfMany()
	first := [...]*handle{c.context, c.subject, c.other}
	if !openAll(first[:]) {
		return errClosed
	}
	defer closeAll(first[:])
	if !openAll(c.list) {
		return errClosed
	}
	defer closeAll(c.list)
	s, err := newSession(first[:], c.list)
	if err != nil {
		return err
	}
	defer s.end()
	return f(s)
}

// openAll opens all handles or none.
func openAll(handles []*handle) bool {
	for i, h := range handles {
		if h != nil && !h.open() {
			closeAll(handles[:i])
			return false
		}
	}
	return true
}

func closeAll(handles []*handle) {
	for _, h := range handles {
		if h != nil {
			h.done()
		}
	}
}
