// SPDX-License-Identifier: Apache-2.0

// Package volcano takes the place of upstream's package of the same name.
package volcano

import (
	"context"

	configapi "github.com/kubeflow/trainer/v2/pkg/apis/config/v1alpha1"
	trainer "github.com/kubeflow/trainer/v2/pkg/apis/trainer/v1alpha1"
	opruntime "github.com/kubeflow/trainer/v2/pkg/runtime"
	"github.com/kubeflow/trainer/v2/pkg/runtime/framework"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/webhook/admission"
	scheduling "volcano.sh/apis/pkg/apis/scheduling/v1beta1"
	schedulingac "volcano.sh/apis/pkg/client/applyconfiguration/scheduling/v1beta1"

	"libgang.dev/tests/parity/plugin"
)

// Name is the plugin's name in the operator's registry.
const Name = "Volcano"

type libgang = plugin.Plugin

// Volcano has the fields that the framework's tests name.
type Volcano struct {
	client client.Client
	*libgang
}

var (
	_ framework.EnforcePodGroupPolicyPlugin = (*Volcano)(nil)
	_ framework.WatchExtensionPlugin        = (*Volcano)(nil)
	_ framework.ComponentBuilderPlugin      = (*Volcano)(nil)
	_ framework.CustomValidationPlugin      = (*Volcano)(nil)
)

// New is upstream's.
func New(
	_ context.Context, c client.Client, _ client.FieldIndexer, _ *configapi.Configuration,
) (framework.Plugin, error) {
	made, err := plugin.New(c, plugin.Scheduler{
		Selects:  func(policy *trainer.PodGroupPolicy) bool { return policy.Volcano != nil },
		PodGroup: func() client.Object { return &scheduling.PodGroup{} },
		Apply:    func() runtime.ApplyConfiguration { return &schedulingac.PodGroupApplyConfiguration{} },
	})
	return &Volcano{c, made}, err
}

// Name is the plugin's name in the operator's registry.
func (*Volcano) Name() string { return Name }

// Validate refuses what upstream's plugin refuses.
func (v *Volcano) Validate(
	ctx context.Context, info *opruntime.Info, _, job *trainer.TrainJob,
) (admission.Warnings, field.ErrorList) {
	return v.Problems(ctx, info, job)
}
