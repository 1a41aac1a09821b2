// SPDX-License-Identifier: Apache-2.0

// The program manager is Kubeflow Trainer's controller manager with libgang for its gangs: the main
// of the operator, whose runtimes are wrapped. The certificate of its webhooks is in the folder
// that controller-runtime expects.
package main

import (
	"context"
	"flag"
	"os"

	configuration "github.com/kubeflow/trainer/v2/pkg/apis/config/v1alpha1"
	api "github.com/kubeflow/trainer/v2/pkg/apis/trainer/v1alpha1"
	"github.com/kubeflow/trainer/v2/pkg/config"
	"github.com/kubeflow/trainer/v2/pkg/controller"
	"github.com/kubeflow/trainer/v2/pkg/runtime/core"
	"github.com/kubeflow/trainer/v2/pkg/webhooks"
	"k8s.io/apimachinery/pkg/runtime"
	utilruntime "k8s.io/apimachinery/pkg/util/runtime"
	clientgoscheme "k8s.io/client-go/kubernetes/scheme"
	ctrl "sigs.k8s.io/controller-runtime"
	ctrlpkg "sigs.k8s.io/controller-runtime/pkg/controller"
	"sigs.k8s.io/controller-runtime/pkg/healthz"
	"sigs.k8s.io/controller-runtime/pkg/log/zap"
	jobset "sigs.k8s.io/jobset/api/jobset/v1alpha2"
	coscheduling "sigs.k8s.io/scheduler-plugins/apis/scheduling/v1alpha1"
	volcano "volcano.sh/apis/pkg/apis/scheduling/v1beta1"

	"libgang.dev/gang/adapters/trainer"
	"libgang.dev/gang/k8sgang/apply"
)

func main() {
	policy := flag.String("policy", "/etc/libgang/policy.yaml", "the GangPolicy")
	file := flag.String("config", "", "the Configuration of the operator")
	flag.Parse()
	ctrl.SetLogger(zap.New())
	if err := run(ctrl.SetupSignalHandler(), *policy, *file); err != nil {
		ctrl.Log.Error(err, "the manager ends")
		os.Exit(1)
	}
}

func run(ctx context.Context, policyFile, configFile string) error {
	scheme := runtime.NewScheme()
	for _, add := range []func(*runtime.Scheme) error{clientgoscheme.AddToScheme,
		configuration.AddToScheme, api.AddToScheme, jobset.AddToScheme, coscheduling.AddToScheme,
		volcano.AddToScheme} {
		utilruntime.Must(add(scheme))
	}
	options, settings, err := config.Load(scheme, configFile)
	if err != nil {
		return err
	}
	manager, err := ctrl.NewManager(ctrl.GetConfigOrDie(), options)
	if err != nil {
		return err
	}
	gangs, err := apply.NewKeeper(ctx, policyFile, manager)
	if err != nil {
		return err
	}
	runtimes, err := core.New(ctx, manager.GetClient(), manager.GetFieldIndexer(), &settings)
	if err != nil {
		return err
	}
	runtimes = trainer.Wrap(gangs, runtimes)
	if _, err := controller.SetupControllers(manager, runtimes, ctrlpkg.Options{}); err != nil {
		return err
	}
	if _, err := webhooks.Setup(manager, runtimes); err != nil {
		return err
	}
	if err := manager.AddHealthzCheck("healthz", healthz.Ping); err != nil {
		return err
	}
	ready := manager.GetWebhookServer().StartedChecker() // probed by the operator's manifests
	if err := manager.AddReadyzCheck("readyz", ready); err != nil {
		return err
	}
	return manager.Start(ctx)
}
