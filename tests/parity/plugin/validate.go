// SPDX-License-Identifier: Apache-2.0

package plugin

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"strings"

	trainer "github.com/kubeflow/trainer/v2/pkg/apis/trainer/v1alpha1"
	opruntime "github.com/kubeflow/trainer/v2/pkg/runtime"
	schedulingv1 "k8s.io/api/scheduling/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"sigs.k8s.io/controller-runtime/pkg/webhook/admission"
	volcano "volcano.sh/apis/pkg/apis/scheduling/v1beta1"

	"libgang.dev/gang"
)

// Problems are the diagnostics for which upstream's plugin for Volcano refuses a job. It is not
// named Validate, because the plugin for coscheduling has no such method.
func (p *Plugin) Problems(
	ctx context.Context, info *opruntime.Info, job *trainer.TrainJob,
) (admission.Warnings, field.ErrorList) {
	if !p.applies(info, job) {
		return nil, nil
	}
	diagnostics, err := p.diagnostics(ctx, info, job)
	if err != nil {
		return nil, field.ErrorList{field.InternalError(nil, err)}
	}
	var problems field.ErrorList
	for _, diagnostic := range diagnostics {
		if problem := asUpstream(&diagnostic); problem != nil {
			problems = append(problems, problem)
		}
	}
	return nil, problems
}

// diagnostics of a job that libgang denies or refuses are those of the error.
func (p *Plugin) diagnostics(
	ctx context.Context, info *opruntime.Info, job *trainer.TrainJob,
) ([]gang.Diagnostic, error) {
	cluster, err := clusterOf(ctx, p.client)
	if err != nil {
		return nil, err
	}
	defer cluster.Close()
	decision, err := p.resolve(info, job, cluster)
	if decision != nil {
		defer decision.Close()
		return decision.Diagnostics(), nil
	}
	var refused *gang.Error
	if errors.As(err, &refused) {
		return refused.Diagnostics, nil
	}
	return nil, err
}

var unknownClass = regexp.MustCompile(`^Invalid value: "([^"]*)": no PriorityClass`)

// asUpstream gives a diagnostic the field and the words that it has upstream.
func asUpstream(diagnostic *gang.Diagnostic) *field.Error {
	spec := field.NewPath("spec")
	switch diagnostic.Code {
	case gang.CodeEmptyQueue:
		path := spec.Child("annotations").Key(volcano.QueueNameAnnotationKey)
		return field.Invalid(path, "", strings.TrimPrefix(diagnostic.Message, `Invalid value: "": `))
	case gang.CodeUnknownPriorityClass:
		name := unknownClass.FindStringSubmatch(diagnostic.Message)[1]
		path := spec.Child("templateSpec").Child("priorityClassName")
		missing := apierrors.NewNotFound(schedulingv1.Resource("priorityclasses"), name)
		return field.Invalid(path, name, fmt.Sprintf("PriorityClass %q doesn't exist: %v", name, missing))
	}
	return nil
}
