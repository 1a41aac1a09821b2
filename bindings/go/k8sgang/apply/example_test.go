// SPDX-License-Identifier: Apache-2.0

package apply_test

import (
	"context"
	"os"
	"time"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/kubernetes"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/webhook"

	"libgang.dev/gang"
	"libgang.dev/gang/k8sgang"
	"libgang.dev/gang/k8sgang/apply"
)

// A controller of JobSets gets gangs: the webhook marks new JobSets, and the reconciler keeps their
// PodGroups.
func Example() {
	jobSets := schema.GroupVersionKind{Group: "jobset.x-k8s.io", Version: "v1alpha2", Kind: "JobSet"}
	setUpGangs := func(ctx context.Context, m ctrl.Manager, policyYAML []byte) error {
		policy, err := k8sgang.ParseYAML(policyYAML)
		if err != nil {
			return err
		}
		facts, err := apply.NewFacts(ctx, kubernetes.NewForConfigOrDie(m.GetConfig()), m.GetAPIReader())
		if err != nil {
			return err
		}
		planner := &apply.Planner{Facts: facts.Current,
			Policy: func(context.Context) (*gang.Document, error) { return policy, nil }}
		m.GetWebhookServer().Register("/mark", &webhook.Admission{Handler: &apply.Webhook{
			Mark: func(ctx context.Context, job *unstructured.Unstructured) error {
				return planner.Mark(ctx, m.GetClient(), job)
			}, Job: gang.DocumentJob}})
		return apply.SetUp(ctx, m, []*apply.Reconciler{{Client: m.GetClient(), Planner: planner,
			Kind: jobSets, WakeInterval: 30 * time.Second}})
	}
	m, err := ctrl.NewManager(ctrl.GetConfigOrDie(), ctrl.Options{
		Client: client.Options{Cache: &client.CacheOptions{Unstructured: true}}})
	if err == nil {
		text, _ := os.ReadFile("policy.yaml")
		err = setUpGangs(context.Background(), m, text)
	}
	if err != nil {
		panic(err)
	}
}
