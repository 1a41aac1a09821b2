// SPDX-License-Identifier: Apache-2.0

// The program lws is LeaderWorkerSet's manager with libgang for its gangs. It reads the
// configuration of LWS, whose gangSchedulingManagement it does not use. The certificate of its
// webhooks is in the folder that the configuration names.
package main

import (
	"context"
	"flag"
	"os"

	"k8s.io/apimachinery/pkg/runtime"
	utilruntime "k8s.io/apimachinery/pkg/util/runtime"
	clientgoscheme "k8s.io/client-go/kubernetes/scheme"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/healthz"
	"sigs.k8s.io/controller-runtime/pkg/log/zap"
	configapi "sigs.k8s.io/lws/api/config/v1alpha1"
	leaderworkerset "sigs.k8s.io/lws/api/leaderworkerset/v1"
	"sigs.k8s.io/lws/pkg/config"
	"sigs.k8s.io/lws/pkg/controllers"
	"sigs.k8s.io/lws/pkg/webhooks"

	"libgang.dev/gang/adapters/lws"
	"libgang.dev/gang/k8sgang/apply"
)

func main() {
	file := flag.String("config", "", "the configuration of LWS")
	policy := flag.String("policy", "/etc/libgang/policy.yaml", "the GangPolicy")
	flag.Parse()
	ctrl.SetLogger(zap.New())
	if err := run(ctrl.SetupSignalHandler(), *file, *policy); err != nil {
		ctrl.Log.Error(err, "the manager ends")
		os.Exit(1)
	}
}

func run(ctx context.Context, file, policyFile string) error {
	scheme := runtime.NewScheme()
	utilruntime.Must(clientgoscheme.AddToScheme(scheme))
	utilruntime.Must(leaderworkerset.AddToScheme(scheme))
	utilruntime.Must(configapi.AddToScheme(scheme))
	options, settings, err := config.Load(scheme, file)
	if err != nil {
		return err
	}
	options.Scheme = scheme
	config.AddWebhookSettingsTo(&options, &settings, nil)
	server := ctrl.GetConfigOrDie()
	server.QPS, server.Burst = *settings.ClientConnection.QPS, int(*settings.ClientConnection.Burst)
	manager, err := ctrl.NewManager(server, options)
	if err != nil {
		return err
	}
	if err := controllers.SetupIndexes(manager.GetFieldIndexer()); err != nil {
		return err
	}
	keeper, err := apply.NewKeeper(ctx, policyFile, manager)
	if err != nil {
		return err
	}
	if err := setUp(manager, &lws.Provider{Keeper: keeper}); err != nil {
		return err
	}
	return manager.Start(ctx)
}

// setUp passes the provider to the two that call it: the reconciler of leaders creates the gang,
// and the webhook of pods marks them.
func setUp(manager ctrl.Manager, provider *lws.Provider) error {
	c, scheme := manager.GetClient(), manager.GetScheme()
	events := manager.GetEventRecorder("leaderworkerset")
	sets := controllers.NewLeaderWorkerSetReconciler(c, scheme, events)
	if err := sets.SetupWithManager(manager); err != nil {
		return err
	}
	pods := controllers.NewPodReconciler(c, scheme, events, provider)
	if err := pods.SetupWithManager(manager); err != nil {
		return err
	}
	if err := webhooks.SetupLeaderWorkerSetWebhook(manager); err != nil {
		return err
	}
	if err := webhooks.NewPodWebhook(provider).Setup(manager); err != nil {
		return err
	}
	if err := manager.AddHealthzCheck("healthz", healthz.Ping); err != nil {
		return err
	}
	return manager.AddReadyzCheck("readyz", manager.GetWebhookServer().StartedChecker())
}
