// SPDX-License-Identifier: Apache-2.0

package k8sgang

import (
	"errors"
	"strings"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"libgang.dev/gang"
)

// Diagnostics are those of an error of package gang. Another error, and nil, has none.
func Diagnostics(err error) []gang.Diagnostic {
	var failed *gang.Error
	if errors.As(err, &failed) {
		return failed.Diagnostics
	}
	return nil
}

// FieldErrors makes the errors among diagnostics field errors for a webhook of the job. A
// diagnostic in another document than the job's is put on the field `other`, because the author of
// the job does not see that document: field.NewPath("spec", "runtimeRef") for a TrainJob.
func FieldErrors(
	diagnostics []gang.Diagnostic, job gang.DocumentType, other *field.Path,
) field.ErrorList {
	var list field.ErrorList
	for i := range diagnostics {
		diagnostic := &diagnostics[i]
		if diagnostic.Severity != gang.SeverityError {
			continue
		}
		path, message := diagnostic.Path, diagnostic.Message
		if diagnostic.Document != job && other != nil {
			path, message = other.String(), inDocument(diagnostic)+": "+message
		}
		list = append(list, fieldError(path, message, diagnostic))
	}
	return list
}

func inDocument(diagnostic *gang.Diagnostic) string {
	text := diagnostic.Document.String()
	if diagnostic.Name != "" {
		text += " " + diagnostic.Name
	}
	if diagnostic.Path != "" {
		text += ": " + diagnostic.Path
	}
	return text
}

// The library words its messages as Kubernetes does: the type of the error comes first, alone or
// before a colon.
var fieldTypes = []field.ErrorType{
	field.ErrorTypeNotFound, field.ErrorTypeRequired, field.ErrorTypeDuplicate,
	field.ErrorTypeNotSupported, field.ErrorTypeForbidden, field.ErrorTypeTooLong,
	field.ErrorTypeTooMany,
}

func fieldError(path, message string, diagnostic *gang.Diagnostic) *field.Error {
	kind := field.ErrorTypeInvalid
	for _, other := range fieldTypes {
		if strings.HasPrefix(message+": ", other.String()+": ") {
			kind = other
		}
	}
	detail := strings.TrimSuffix(strings.TrimPrefix(message+": ", kind.String()+": "), ": ")
	if detail != "" && diagnostic.Hint != "" {
		detail += "; "
	}
	detail = strings.TrimPrefix(detail+diagnostic.Hint+" ["+diagnostic.ID+"]", " ")
	return &field.Error{Type: kind, Field: path, BadValue: field.OmitValueType{}, Detail: detail}
}

// first is the diagnostic to show where there is room for one.
func first(diagnostics []gang.Diagnostic) *gang.Diagnostic {
	var chosen *gang.Diagnostic
	for i := range diagnostics {
		if chosen == nil || diagnostics[i].Severity < chosen.Severity {
			chosen = &diagnostics[i]
		}
	}
	return chosen
}

// Condition is a condition of the given type: false with the reason of the first error, else true
// with the given reason.
func Condition(kind, reason string, diagnostics []gang.Diagnostic) metav1.Condition {
	condition := metav1.Condition{Type: kind, Status: metav1.ConditionTrue, Reason: reason}
	diagnostic := first(diagnostics)
	if diagnostic != nil && diagnostic.Severity == gang.SeverityError {
		condition.Status = metav1.ConditionFalse
		condition.Reason = diagnostic.Reason
		condition.Message = text(diagnostics, gang.SeverityError)
	}
	return condition
}

// The API server refuses an event whose note has 1024 bytes or more, and a condition whose message
// has more than 32768.
const (
	longestNote    = 1000
	longestMessage = 32768
)

func text(diagnostics []gang.Diagnostic, severity gang.Severity) string {
	var lines []string
	for i := range diagnostics {
		if diagnostics[i].Severity == severity {
			lines = append(lines, diagnostics[i].String())
		}
	}
	return cut(strings.Join(lines, "; "), longestMessage)
}

func cut(text string, longest int) string {
	if len(text) <= longest {
		return text
	}
	return strings.ToValidUTF8(text[:longest-3], "") + "..."
}

// An Event is what an event recorder takes.
type Event struct{ Type, Reason, Note string }

// Events has an event for each error and warning among diagnostics.
func Events(diagnostics []gang.Diagnostic) []Event {
	var events []Event
	for i := range diagnostics {
		if diagnostics[i].Severity > gang.SeverityWarning {
			continue
		}
		note := cut(diagnostics[i].String(), longestNote)
		events = append(events, Event{corev1.EventTypeWarning, diagnostics[i].Reason, note})
	}
	return events
}
