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
//		for _, finding := range failed.Findings { ... }
//	}
type Error struct {
	Result   Result
	Findings []Finding // also warnings and infos
	message  string
}

// Error lists all findings that are errors.
func (e *Error) Error() string {
	var messages []string
	if e.message != "" {
		messages = append(messages, e.message)
	}
	for i := range e.Findings {
		if e.Findings[i].Severity == SeverityError {
			messages = append(messages, e.Findings[i].String())
		}
	}
	return strings.TrimSuffix("gang: "+e.Result.String()+": "+strings.Join(messages, "; "), ": ")
}

// Is tells whether the target is an *Error with the same result and without findings, so that
// errors.Is(err, &gang.Error{Result: gang.ResultDenied}) works.
func (e *Error) Is(target error) bool {
	other, ok := target.(*Error)
	return ok && len(other.Findings) == 0 && other.Result == e.Result
}

// invalid is the error of an argument that the library is not asked about.
func invalid(message string) *Error {
	return &Error{Result: ResultInvalidArgument, message: message}
}

// A Finding is one problem or note. doc/diagnostics.md explains the codes.
type Finding struct {
	Code     Code         `json:"-"`
	ID       string       `json:"code"`   // the code as text, "GANG012"
	Reason   string       `json:"reason"` // "StructuralDeadlock"; never changes
	Severity Severity     `json:"severity"`
	Document DocumentType `json:"document,omitempty"` // the input that it refers to

	// The document that it refers to. Not part of the JSON of a plan.
	Kind      string `json:"-"`
	Namespace string `json:"-"`
	Name      string `json:"-"`

	Job     string `json:"job,omitempty"` // of a finding in a policy or cluster: namespace/name
	Path    string `json:"path,omitempty"`
	Line    int    `json:"line,omitempty"`   // from 1
	Column  int    `json:"column,omitempty"` // in characters, from 1
	Message string `json:"message"`
	Hint    string `json:"hint,omitempty"` // what to write instead
}

// String is the finding in one line, without the hint.
func (f *Finding) String() string {
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
func (f *Finding) UnmarshalJSON(data []byte) error {
	type plain Finding
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
	if failed.Findings, err = s.findings(kindError, word, c.numbers[1], without); err != nil {
		return err
	}
	return failed
}

// findingList is the findings of a document, decision or plan, read when they are first asked for.
type findingList struct {
	once  sync.Once
	count uint64
	list  []Finding
}

func (l *findingList) read(of kind, h *handle, without unlocated) []Finding {
	l.once.Do(func() {
		if l.count == 0 {
			return
		}
		_ = (&call{subject: h}).within(func(s *session) error {
			word, err := s.word(h)
			if err == nil {
				l.list, err = s.findings(of, word, l.count, without)
			}
			return err
		})
	})
	return l.list
}

// findings reads the diagnostics of an error, document, decision or plan.
func (s *session) findings(of kind, word, count uint64, without unlocated) ([]Finding, error) {
	findings := make([]Finding, 0, count)
	for i := range count {
		c, err := s.get(callFinding, of, word, i)
		if err != nil {
			return nil, err
		}
		if without&only(DocumentType(c.numbers[2])) != 0 {
			c.numbers[3], c.numbers[4] = 0, 0
		}
		findings = append(findings, Finding{
			Code: Code(c.numbers[0]), Severity: Severity(c.numbers[1]),
			Document: DocumentType(c.numbers[2]), Line: int(c.numbers[3]), Column: int(c.numbers[4]),
			ID: s.text(c, 0), Reason: s.text(c, 1),
			Kind: s.text(c, 2), Namespace: s.text(c, 3), Name: s.text(c, 4),
			Job: s.text(c, 5), Path: s.text(c, 6), Message: s.text(c, 7), Hint: s.text(c, 8),
		})
	}
	return findings, nil
}
