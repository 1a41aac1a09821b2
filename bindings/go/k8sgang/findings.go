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

// Findings are those of an error of package gang. Another error, and nil, has none.
func Findings(err error) []gang.Finding {
	var failed *gang.Error
	if errors.As(err, &failed) {
		return failed.Findings
	}
	return nil
}

// FieldErrors makes the errors among findings field errors for a webhook of the job. A finding in
// another document than the job's is put on the field `other`, because the author of the job does not
// see that document: field.NewPath("spec", "runtimeRef") for a TrainJob.
func FieldErrors(
	findings []gang.Finding, job gang.DocumentType, other *field.Path,
) field.ErrorList {
	var list field.ErrorList
	for i := range findings {
		finding := &findings[i]
		if finding.Severity != gang.SeverityError {
			continue
		}
		path, detail := finding.Path, finding.Message
		if finding.Document != job && other != nil {
			path, detail = other.String(), inDocument(finding)+": "+detail
		}
		if finding.Hint != "" {
			detail += "; " + finding.Hint
		}
		list = append(list, fieldError(path, detail+" ["+finding.ID+"]"))
	}
	return list
}

func inDocument(finding *gang.Finding) string {
	text := finding.Document.String()
	if finding.Name != "" {
		text += " " + finding.Name
	}
	if finding.Path != "" {
		text += ": " + finding.Path
	}
	return text
}

// The library words its messages as Kubernetes does: the type of the error comes first.
var fieldTypes = []field.ErrorType{
	field.ErrorTypeNotFound, field.ErrorTypeRequired, field.ErrorTypeDuplicate,
	field.ErrorTypeNotSupported, field.ErrorTypeForbidden, field.ErrorTypeTooLong,
	field.ErrorTypeTooMany,
}

func fieldError(path, detail string) *field.Error {
	kind := field.ErrorTypeInvalid
	for _, other := range fieldTypes {
		if strings.HasPrefix(detail, other.String()+": ") {
			kind = other
		}
	}
	detail = strings.TrimPrefix(detail, kind.String()+": ")
	return &field.Error{Type: kind, Field: path, BadValue: field.OmitValueType{}, Detail: detail}
}

// first is the finding to show where there is room for one.
func first(findings []gang.Finding) *gang.Finding {
	var chosen *gang.Finding
	for i := range findings {
		if chosen == nil || findings[i].Severity < chosen.Severity {
			chosen = &findings[i]
		}
	}
	return chosen
}

// Condition is a condition of the given type: false with the reason of the first error, else true
// with the given reason.
func Condition(kind, reason string, findings []gang.Finding) metav1.Condition {
	condition := metav1.Condition{Type: kind, Status: metav1.ConditionTrue, Reason: reason}
	if finding := first(findings); finding != nil && finding.Severity == gang.SeverityError {
		condition.Status = metav1.ConditionFalse
		condition.Reason = finding.Reason
		condition.Message = text(findings, gang.SeverityError)
	}
	return condition
}

// The API server refuses an event whose note has 1024 bytes or more, and a condition whose message
// has more than 32768.
const (
	longestNote    = 1000
	longestMessage = 32768
)

func text(findings []gang.Finding, severity gang.Severity) string {
	var lines []string
	for i := range findings {
		if findings[i].Severity == severity {
			lines = append(lines, findings[i].String())
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

// Events has an event for each error and warning among findings.
func Events(findings []gang.Finding) []Event {
	var events []Event
	for i := range findings {
		if findings[i].Severity > gang.SeverityWarning {
			continue
		}
		note := cut(findings[i].String(), longestNote)
		events = append(events, Event{corev1.EventTypeWarning, findings[i].Reason, note})
	}
	return events
}
