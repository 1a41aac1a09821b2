// SPDX-License-Identifier: Apache-2.0

// The program trainingoperator is the training operator v1 with libgang for its gangs. The
// certificate of its webhooks is in the folder that controller-runtime expects.
package main

import (
	"context"
	"flag"
	"os"

	kubeflow "github.com/kubeflow/training-operator/pkg/apis/kubeflow.org/v1"
	"github.com/kubeflow/training-operator/pkg/config"
	controllers "github.com/kubeflow/training-operator/pkg/controller.v1"
	"github.com/kubeflow/training-operator/pkg/webhooks"
	"k8s.io/apimachinery/pkg/runtime"
	utilruntime "k8s.io/apimachinery/pkg/util/runtime"
	clientgoscheme "k8s.io/client-go/kubernetes/scheme"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/healthz"
	"sigs.k8s.io/controller-runtime/pkg/log/zap"
	"sigs.k8s.io/controller-runtime/pkg/webhook"
	"sigs.k8s.io/scheduler-plugins/apis/scheduling/v1alpha1"
	"volcano.sh/apis/pkg/apis/scheduling/v1beta1"

	"libgang.dev/gang/adapters/trainingoperator"
	"libgang.dev/gang/k8sgang/apply"
)

func main() {
	o := settings{}
	flag.StringVar(&o.policy, "policy", "/etc/libgang/policy.yaml", "the GangPolicy")
	flag.StringVar(&o.scheduler, "scheduler-name", "", "the scheduler of most jobs")
	flag.Var(&o.schemes, "enable-scheme", "a kind of jobs; without it all, as of the operator")
	flag.StringVar(&o.Metrics.BindAddress, "metrics-bind-address", ":8080", "as of the operator")
	flag.StringVar(&o.HealthProbeBindAddress, "health-probe-bind-address", ":8081",
		"as of the operator")
	port := flag.Int("webhook-server-port", 9443, "as of the operator")
	qps := flag.Float64("kube-api-qps", 20, "as of the operator")
	flag.IntVar(&o.burst, "kube-api-burst", 30, "as of the operator")
	bindImages()
	flag.Parse()
	o.qps = float32(*qps)
	o.WebhookServer = webhook.NewServer(webhook.Options{Port: *port})
	ctrl.SetLogger(zap.New())
	if err := run(ctrl.SetupSignalHandler(), &o); err != nil {
		ctrl.Log.Error(err, "the manager ends")
		os.Exit(1)
	}
}

// bindImages has the flags of the operator for the containers that it adds to pods.
func bindImages() {
	of := &config.Config
	flag.StringVar(&of.PyTorchInitContainerImage, "pytorch-init-container-image",
		config.PyTorchInitContainerImageDefault, "as of the operator")
	flag.StringVar(&of.PyTorchInitContainerTemplateFile, "pytorch-init-container-template-file",
		config.PyTorchInitContainerTemplateFileDefault, "as of the operator")
	flag.IntVar(&of.PyTorchInitContainerMaxTries, "pytorch-init-container-max-tries",
		config.PyTorchInitContainerMaxTriesDefault, "as of the operator")
	flag.StringVar(&of.MPIKubectlDeliveryImage, "mpi-kubectl-delivery-image",
		config.MPIKubectlDeliveryImageDefault, "as of the operator")
}

type settings struct {
	ctrl.Options
	policy, scheduler string
	schemes           controllers.EnabledSchemes
	qps               float32
	burst             int
}

func run(ctx context.Context, o *settings) error {
	o.Scheme = runtime.NewScheme()
	utilruntime.Must(clientgoscheme.AddToScheme(o.Scheme))
	utilruntime.Must(kubeflow.AddToScheme(o.Scheme))
	utilruntime.Must(v1alpha1.AddToScheme(o.Scheme))
	utilruntime.Must(v1beta1.AddToScheme(o.Scheme)) // the operator watches the PodGroups of both
	server := ctrl.GetConfigOrDie()
	server.QPS, server.Burst = o.qps, o.burst
	manager, err := ctrl.NewManager(server, o.Options)
	if err != nil {
		return err
	}
	keeper, err := apply.NewKeeper(ctx, o.policy, manager)
	if err != nil {
		return err
	}
	control := &trainingoperator.Control{Keeper: keeper, SchedulerName: o.scheduler}
	if o.schemes.Empty() {
		o.schemes.FillAll()
	}
	for _, kind := range o.schemes {
		setUp := controllers.SupportedSchemeReconciler[kind]
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
	ready := manager.GetWebhookServer().StartedChecker() // probed by the operator's manifests
	if err := manager.AddReadyzCheck("readyz", ready); err != nil {
		return err
	}
	return manager.Start(ctx)
}
