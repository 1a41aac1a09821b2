// SPDX-License-Identifier: Apache-2.0

package gang

import (
	"encoding/json"
	"fmt"
	"strings"
	"sync"
)

// An Error is a failed call, with everything that was found. Use errors.As to get it:
//
//	var failed *gang.Error
//	if errors.As(err, &failed) {
//		for _, diagnostic := range failed.Diagnostics { ... }
//	}
type Error struct {
	Result      Result
	Diagnostics []Diagnostic // also warnings and infos
	message     string
}

// Error lists all diagnostics that are errors.
func (e *Error) Error() string {
	var messages []string
	if e.message != "" {
		messages = append(messages, e.message)
	}
	for i := range e.Diagnostics {
		if e.Diagnostics[i].Severity == SeverityError {
			messages = append(messages, e.Diagnostics[i].String())
		}
	}
	return strings.TrimSuffix("gang: "+e.Result.String()+": "+strings.Join(messages, "; "), ": ")
}

// Is tells whether the target is an *Error with the same result and without diagnostics, so that
// errors.Is(err, &gang.Error{Result: gang.ResultDenied}) works.
func (e *Error) Is(target error) bool {
	other, ok := target.(*Error)
	return ok && len(other.Diagnostics) == 0 && other.Result == e.Result
}

// invalid is the error of an argument that the library is not asked about.
func invalid(message string) *Error {
	return &Error{Result: ResultInvalidArgument, message: message}
}

// A Diagnostic is one problem or note. doc/diagnostics.md explains the codes.
type Diagnostic struct {
	Code     Code         `json:"-"`
	ID       string       `json:"code"`   // the code as text, "GANG012"
	Reason   string       `json:"reason"` // "StructuralDeadlock"; never changes
	Severity Severity     `json:"severity"`
	Document DocumentType `json:"document,omitempty"` // the input that it refers to

	// The document that it refers to. Not part of the JSON of a plan.
	Kind      string `json:"-"`
	Namespace string `json:"-"`
	Name      string `json:"-"`

	Job     string `json:"job,omitempty"` // of a diagnostic in a policy or cluster: namespace/name
	Path    string `json:"path,omitempty"`
	Line    int    `json:"line,omitempty"`   // from 1
	Column  int    `json:"column,omitempty"` // in characters, from 1
	Message string `json:"message"`
	Hint    string `json:"hint,omitempty"` // what to write instead
}

// String is the diagnostic in one line, without the hint.
func (f *Diagnostic) String() string {
	var text strings.Builder
	if f.Document != DocumentNone {
		text.WriteString(f.Document.String())
		if f.Line > 0 {
			fmt.Fprintf(&text, ":%d:%d", f.Line, f.Column)
		}
		text.WriteString(": ")
	}
	if f.Path != "" {
		text.WriteString(f.Path + ": ")
	}
	fmt.Fprintf(&text, "%s [%s]", f.Message, f.ID)
	return text.String()
}

// UnmarshalJSON reads an entry of `diagnostics` of a plan.
func (f *Diagnostic) UnmarshalJSON(data []byte) error {
	type plain Diagnostic
	if err := json.Unmarshal(data, (*plain)(f)); err != nil {
		return err
	}
	return f.Code.UnmarshalText([]byte(f.Reason))
}

// takeError makes an error of the library one of Go and releases it.
func (s *session) takeError(result Result, word uint64, without unlocated) error {
	failed := &Error{Result: result}
	if word == 0 {
		return failed
	}
	defer s.release(kindError, word)
	c, err := s.get(callErrorGet, kindError, word, 0)
	if err != nil {
		return err
	}
	if failed.Diagnostics, err = s.diagnostics(kindError, word, c.numbers[1], without); err != nil {
		return err
	}
	return failed
}

// diagnosticList is the diagnostics of a document, decision or plan, read when they are first asked
// for.
type diagnosticList struct {
	once  sync.Once
	count uint64
	list  []Diagnostic
}

func (l *diagnosticList) read(of kind, h *handle, without unlocated) []Diagnostic {
	l.once.Do(func() {
		if l.count == 0 {
			return
		}
		_ = (&call{subject: h}).within(func(s *session) error {
			word, err := s.word(h)
			if err == nil {
				l.list, err = s.diagnostics(of, word, l.count, without)
			}
			return err
		})
	})
	return l.list
}

// diagnostics reads the diagnostics of an error, document, decision or plan.
func (s *session) diagnostics(of kind, word, count uint64, without unlocated) (
	[]Diagnostic, error) {
	diagnostics := make([]Diagnostic, 0, count)
	for i := range count {
		c, err := s.get(callDiagnostic, of, word, i)
		if err != nil {
			return nil, err
		}
		if without&only(DocumentType(c.numbers[2])) != 0 {
			c.numbers[3], c.numbers[4] = 0, 0
		}
		diagnostics = append(diagnostics, Diagnostic{
			Code: Code(c.numbers[0]), Severity: Severity(c.numbers[1]),
			Document: DocumentType(c.numbers[2]), Line: int(c.numbers[3]), Column: int(c.numbers[4]),
			ID: s.text(c, 0), Reason: s.text(c, 1),
			Kind: s.text(c, 2), Namespace: s.text(c, 3), Name: s.text(c, 4),
			Job: s.text(c, 5), Path: s.text(c, 6), Message: s.text(c, 7), Hint: s.text(c, 8),
		})
	}
	return diagnostics, nil
}
