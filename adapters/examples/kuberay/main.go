// SPDX-License-Identifier: Apache-2.0

// The program kuberay is KubeRay's operator with libgang for its gangs. KubeRay chooses a batch
// scheduler by a name in its own code, so this program makes the controllers itself: that of
// RayClusters as KubeRay's SetupWithManager does, with the objects of gangs among what it owns.
package main

import (
	"context"
	"flag"
	"os"

	configapi "github.com/ray-project/kuberay/ray-operator/apis/config/v1alpha1"
	rayv1 "github.com/ray-project/kuberay/ray-operator/apis/ray/v1"
	"github.com/ray-project/kuberay/ray-operator/controllers/ray"
	"github.com/ray-project/kuberay/ray-operator/controllers/ray/batchscheduler"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime"
	utilruntime "k8s.io/apimachinery/pkg/util/runtime"
	clientgoscheme "k8s.io/client-go/kubernetes/scheme"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/builder"
	"sigs.k8s.io/controller-runtime/pkg/healthz"
	"sigs.k8s.io/controller-runtime/pkg/log/zap"
	"sigs.k8s.io/controller-runtime/pkg/predicate"

	"libgang.dev/gang/adapters/kuberay"
	"libgang.dev/gang/k8sgang/apply"
)

func main() {
	scheme := runtime.NewScheme()
	utilruntime.Must(clientgoscheme.AddToScheme(scheme))
	utilruntime.Must(rayv1.AddToScheme(scheme))
	options := ctrl.Options{Scheme: scheme}
	policy := flag.String("policy", "/etc/libgang/policy.yaml", "the GangPolicy")
	flag.StringVar(&options.Metrics.BindAddress, "metrics-addr", configapi.DefaultMetricsAddr,
		"as of KubeRay")
	flag.StringVar(&options.HealthProbeBindAddress, "health-probe-bind-address",
		configapi.DefaultProbeAddr, "as of KubeRay")
	flag.Parse()
	ctrl.SetLogger(zap.New())
	if err := run(ctrl.SetupSignalHandler(), options, *policy); err != nil {
		ctrl.Log.Error(err, "the operator ends")
		os.Exit(1)
	}
}

func run(ctx context.Context, options ctrl.Options, policyFile string) error {
	server := ctrl.GetConfigOrDie()
	server.QPS, server.Burst = float32(configapi.DefaultQPS), configapi.DefaultBurst
	manager, err := ctrl.NewManager(server, options)
	if err != nil {
		return err
	}
	keeper, err := apply.NewKeeper(ctx, policyFile, manager)
	if err != nil {
		return err
	}
	if err := setUp(ctx, manager, &kuberay.Factory{Keeper: keeper}); err != nil {
		return err
	}
	if err := manager.AddHealthzCheck("healthz", healthz.Ping); err != nil {
		return err
	}
	return manager.Start(ctx)
}

func setUp(ctx context.Context, manager ctrl.Manager, factory *kuberay.Factory) error {
	scheduler, err := factory.New(ctx, manager.GetConfig(), manager.GetClient())
	if err != nil {
		return err
	}
	schedulers := batchscheduler.NewSchedulerManagerForTest(scheduler)
	clusters := ray.NewReconciler(ctx, manager,
		ray.RayClusterReconcilerOptions{BatchSchedulerManager: schedulers})
	changed := predicate.Or(predicate.GenerationChangedPredicate{}, predicate.LabelChangedPredicate{},
		predicate.AnnotationChangedPredicate{})
	made := ctrl.NewControllerManagedBy(manager).
		For(&rayv1.RayCluster{}, builder.WithPredicates(changed)).
		Owns(&corev1.Pod{}).Owns(&corev1.Service{}).Owns(&corev1.Secret{})
	if err := factory.ConfigureReconciler(made).Complete(clusters); err != nil {
		return err
	}
	configuration := configapi.Configuration{}
	jobs := ray.NewRayJobReconciler(ctx, manager,
		ray.RayJobReconcilerOptions{BatchSchedulerManager: schedulers}, configuration)
	if err := jobs.SetupWithManager(manager, 1); err != nil {
		return err
	}
	return ray.NewRayServiceReconciler(ctx, manager, configuration).SetupWithManager(manager, 1)
}
