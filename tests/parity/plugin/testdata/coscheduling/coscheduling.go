// SPDX-License-Identifier: Apache-2.0

// Package coscheduling takes the place of upstream's package of the same name.
package coscheduling

import (
	"context"

	configapi "github.com/kubeflow/trainer/v2/pkg/apis/config/v1alpha1"
	trainer "github.com/kubeflow/trainer/v2/pkg/apis/trainer/v1alpha1"
	"github.com/kubeflow/trainer/v2/pkg/runtime/framework"
	"k8s.io/apimachinery/pkg/runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	scheduling "sigs.k8s.io/scheduler-plugins/apis/scheduling/v1alpha1"
	schedulingac "sigs.k8s.io/scheduler-plugins/pkg/generated/applyconfiguration/scheduling/v1alpha1"

	"libgang.dev/tests/parity/plugin"
)

// Name is the plugin's name in the operator's registry.
const Name = "CoScheduling"

type libgang = plugin.Plugin

// CoScheduling has the fields that the framework's tests name.
type CoScheduling struct {
	client client.Client
	*libgang
}

var (
	_ framework.EnforcePodGroupPolicyPlugin = (*CoScheduling)(nil)
	_ framework.WatchExtensionPlugin        = (*CoScheduling)(nil)
	_ framework.ComponentBuilderPlugin      = (*CoScheduling)(nil)
)

// New is upstream's.
func New(
	_ context.Context, c client.Client, _ client.FieldIndexer, _ *configapi.Configuration,
) (framework.Plugin, error) {
	made, err := plugin.New(c, plugin.Scheduler{
		Selects:  func(policy *trainer.PodGroupPolicy) bool { return policy.Coscheduling != nil },
		PodGroup: func() client.Object { return &scheduling.PodGroup{} },
		Apply:    func() runtime.ApplyConfiguration { return &schedulingac.PodGroupApplyConfiguration{} },
	})
	return &CoScheduling{c, made}, err
}

// Name is the plugin's name in the operator's registry.
func (*CoScheduling) Name() string { return Name }
