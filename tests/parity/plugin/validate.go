// SPDX-License-Identifier: Apache-2.0

package plugin

import (
	"context"
	"fmt"
	"regexp"

	trainer "github.com/kubeflow/trainer/v2/pkg/apis/trainer/v1alpha1"
	opruntime "github.com/kubeflow/trainer/v2/pkg/runtime"
	schedulingv1 "k8s.io/api/scheduling/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"sigs.k8s.io/controller-runtime/pkg/webhook/admission"
	volcano "volcano.sh/apis/pkg/apis/scheduling/v1beta1"
)

// Problems are those for which upstream's plugin for Volcano refuses a job. It is not
// named Validate, because the plugin for coscheduling has no such method.
func (p *Plugin) Problems(
	ctx context.Context, info *opruntime.Info, job *trainer.TrainJob,
) (admission.Warnings, field.ErrorList) {
	if !p.applies(info, job) {
		return nil, nil
	}
	call, err := p.call(info, job, nil)
	if err != nil {
		return nil, field.ErrorList{field.InternalError(nil, err)}
	}
	warnings, problems := call.runtime.ValidateObjects(ctx, nil, call.job)
	for i := range problems {
		problems[i] = asUpstream(problems[i].Detail, problems[i])
	}
	for _, warning := range warnings { // in compatibility mode: the API server refuses such pods
		if problem := asUpstream(warning, nil); problem != nil {
			problems = append(problems, problem)
		}
	}
	return nil, problems
}

var (
	emptyQueue   = regexp.MustCompile(`"": (Volcano queue name must not be empty)`)
	unknownClass = regexp.MustCompile(`"([^"]*)": no PriorityClass`)
)

// asUpstream gives a text the field and the words that it has upstream. Any other problem stays,
// and fails the case.
func asUpstream(text string, problem *field.Error) *field.Error {
	spec := field.NewPath("spec")
	if words := emptyQueue.FindStringSubmatch(text); words != nil {
		path := spec.Child("annotations").Key(volcano.QueueNameAnnotationKey)
		return field.Invalid(path, "", words[1])
	}
	if words := unknownClass.FindStringSubmatch(text); words != nil {
		path, name := spec.Child("templateSpec").Child("priorityClassName"), words[1]
		missing := apierrors.NewNotFound(schedulingv1.Resource("priorityclasses"), name)
		return field.Invalid(path, name, fmt.Sprintf("PriorityClass %q doesn't exist: %v", name, missing))
	}
	return problem
}
