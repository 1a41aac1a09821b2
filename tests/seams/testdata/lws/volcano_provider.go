// SPDX-License-Identifier: Apache-2.0

// This file takes the place of upstream's file of the same name.

package schedulerprovider

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
	leaderworkerset "sigs.k8s.io/lws/api/leaderworkerset/v1"

	"libgang.dev/gang"
	"libgang.dev/gang/adapters/lws"
	"libgang.dev/gang/k8sgang/apply"
)

const Volcano ProviderType = "volcano"

type VolcanoProvider struct{ lws.Provider }

const policy = `{"apiVersion":"policy.libgang.dev/v1alpha1","kind":"GangPolicy","metadata":{"name":"volcano"},
"spec":{"backends":[{"name":"volcano","type":"Volcano"}],"defaultBackend":"volcano",
"defaults":{"reserve":"Always"}}}`

func NewVolcanoProvider(client client.Client) *VolcanoProvider {
	read := func(context.Context) (*gang.Document, error) { return gang.Parse([]byte(policy)) }
	return &VolcanoProvider{lws.Provider{Keeper: &apply.Keeper{Client: client, Planner: &apply.Planner{Policy: read}}}}
}

// CreatePodGroupIfNotExists fills in what the API server requires and the tests leave out.
func (v *VolcanoProvider) CreatePodGroupIfNotExists(ctx context.Context,
	set *leaderworkerset.LeaderWorkerSet, leader *corev1.Pod) error {
	set = set.DeepCopy()
	if set.Spec.StartupPolicy == "" {
		set.Spec.StartupPolicy = leaderworkerset.LeaderCreatedStartupPolicy
	}
	if set.Spec.RolloutStrategy.Type == "" {
		set.Spec.RolloutStrategy.Type = leaderworkerset.RollingUpdateStrategyType
	}
	template := &set.Spec.LeaderWorkerTemplate
	if template.RestartPolicy == "" {
		template.RestartPolicy = leaderworkerset.RecreateGroupOnPodRestart
	}
	if len(template.WorkerTemplate.Spec.Containers) == 0 {
		template.WorkerTemplate.Spec.Containers = []corev1.Container{{Name: "worker"}}
	}
	return v.Provider.CreatePodGroupIfNotExists(ctx, set, leader)
}
