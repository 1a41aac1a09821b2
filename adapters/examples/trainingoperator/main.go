// SPDX-License-Identifier: Apache-2.0

// The program trainingoperator is the training operator v1 with libgang for its gangs. The
// certificate of its webhooks is in the folder that controller-runtime expects.
package main

import (
	"context"
	"flag"
	"os"

	kubeflow "github.com/kubeflow/training-operator/pkg/apis/kubeflow.org/v1"
	controllers "github.com/kubeflow/training-operator/pkg/controller.v1"
	"github.com/kubeflow/training-operator/pkg/webhooks"
	"k8s.io/apimachinery/pkg/runtime"
	utilruntime "k8s.io/apimachinery/pkg/util/runtime"
	"k8s.io/client-go/kubernetes"
	clientgoscheme "k8s.io/client-go/kubernetes/scheme"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/healthz"
	"sigs.k8s.io/controller-runtime/pkg/log/zap"
	"sigs.k8s.io/scheduler-plugins/apis/scheduling/v1alpha1"

	"libgang.dev/gang/adapters/trainingoperator"
	"libgang.dev/gang/k8sgang"
	"libgang.dev/gang/k8sgang/apply"
)

func main() {
	policy := flag.String("policy", "/etc/libgang/policy.yaml", "the GangPolicy")
	scheduler := flag.String("scheduler-name", "", "the scheduler of most jobs")
	flag.Parse()
	ctrl.SetLogger(zap.New())
	if err := run(ctrl.SetupSignalHandler(), *policy, *scheduler); err != nil {
		ctrl.Log.Error(err, "the manager ends")
		os.Exit(1)
	}
}

func run(ctx context.Context, policyFile, scheduler string) error {
	scheme := runtime.NewScheme()
	utilruntime.Must(clientgoscheme.AddToScheme(scheme))
	utilruntime.Must(kubeflow.AddToScheme(scheme))
	utilruntime.Must(v1alpha1.AddToScheme(scheme))
	manager, err := ctrl.NewManager(ctrl.GetConfigOrDie(), ctrl.Options{Scheme: scheme})
	if err != nil {
		return err
	}
	policy, err := os.ReadFile(policyFile)
	if err != nil {
		return err
	}
	planner, err := apply.NewPlanner(ctx, policy, kubernetes.NewForConfigOrDie(manager.GetConfig()),
		manager.GetAPIReader())
	if err != nil {
		return err
	}
	kinds, err := k8sgang.ServedKinds(manager.GetRESTMapper())
	if err != nil {
		return err
	}
	control := &trainingoperator.Control{
		Client: manager.GetClient(), Planner: planner, Kinds: kinds, SchedulerName: scheduler}
	for kind, setUp := range controllers.SupportedSchemeReconciler {
		if err := setUp(manager, control.SetUp(), 1); err != nil {
			return err
		}
		if err := webhooks.SupportedSchemeWebhook[kind](manager); err != nil {
			return err
		}
	}
	if err := manager.AddHealthzCheck("healthz", healthz.Ping); err != nil {
		return err
	}
	return manager.Start(ctx)
}
