// SPDX-License-Identifier: Apache-2.0

package volcano

import (
	"context"
	"syscall"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/utils/ptr"
	"sigs.k8s.io/controller-runtime/pkg/client/fake"
	"volcano.sh/apis/pkg/apis/scheduling/v1beta1"
	volcanofake "volcano.sh/apis/pkg/client/clientset/versioned/fake"

	"github.com/kubeflow/spark-operator/v2/api/v1beta2"

	"libgang.dev/gang"
	"libgang.dev/gang/adapters/sparkoperator"
	"libgang.dev/gang/k8sgang/apply"
)

const policy = `{"apiVersion":"policy.libgang.dev/v1alpha1","kind":"GangPolicy","metadata":{"name":"p"},
"spec":{"backends":[{"name":"volcano","type":"Volcano"}],"defaultBackend":"volcano"}}`

// BenchmarkJob submits an application whose PodGroup exists.
func BenchmarkJob(b *testing.B) {
	scheme := runtime.NewScheme()
	if err := v1beta1.AddToScheme(scheme); err != nil {
		b.Fatal(err)
	}
	parsed, err := gang.Parse([]byte(policy))
	if err != nil {
		b.Fatal(err)
	}
	read := func(context.Context) (*gang.Document, error) { return parsed, nil }
	app := &v1beta2.SparkApplication{ObjectMeta: metav1.ObjectMeta{
		Name: "etl", Namespace: "ml", UID: "00000000-0000-4000-8000-000000000000"}}
	pod := v1beta2.SparkPodSpec{Cores: ptr.To[int32](1), Memory: ptr.To("1g")}
	app.Spec = v1beta2.SparkApplicationSpec{Type: v1beta2.SparkApplicationTypeScala,
		Mode: v1beta2.DeployModeCluster, SparkVersion: "4.0.0",
		MainApplicationFile: ptr.To("local:///a"),
		Driver:              v1beta2.DriverSpec{SparkPodSpec: pod},
		Executor: v1beta2.ExecutorSpec{SparkPodSpec: pod,
			Instances: ptr.To[int32](3)}}
	for name, schedule := range map[string]func(*v1beta2.SparkApplication) error{
		"spark-operator": (&Scheduler{volcanoClient: volcanofake.NewSimpleClientset()}).Schedule,
		"libgang": (&sparkoperator.Scheduler{Keeper: &apply.Keeper{Planner: &apply.Planner{Policy: read},
			Client: fake.NewClientBuilder().WithScheme(scheme).Build()}}).Schedule,
	} {
		b.Run(name, func(b *testing.B) {
			before := used()
			for b.Loop() {
				if err := schedule(app.DeepCopy()); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(used()-before)/float64(b.N), "cpu-ns/op")
		})
	}
}

func used() int64 {
	var usage syscall.Rusage
	_ = syscall.Getrusage(syscall.RUSAGE_SELF, &usage) // its arguments are right
	return usage.Utime.Nano() + usage.Stime.Nano()
}
