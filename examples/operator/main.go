// SPDX-License-Identifier: Apache-2.0

// Command operator makes gangs for the TrainJobs of an unmodified Kubeflow Trainer. A webhook sets
// the marks of the gang in each JobSet, and a controller keeps the PodGroups or Workloads.
// README.md describes it.
package main

import (
	"context"
	"flag"
	"log"
	"log/slog"
	"os"
	"time"

	"github.com/go-logr/logr"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/fields"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/events"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/cache"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/manager"
	metrics "sigs.k8s.io/controller-runtime/pkg/metrics/server"
	"sigs.k8s.io/controller-runtime/pkg/webhook"

	"libgang.dev/gang/k8sgang/apply"
)

type settings struct {
	policy          types.NamespacedName
	webhook         webhook.Options
	metrics, health string
	wakeInterval    time.Duration
}

func main() {
	s := settings{}
	flag.StringVar(&s.policy.Namespace, "namespace", "libgang-system", "of the ConfigMap")
	flag.StringVar(&s.policy.Name, "policy", "gang-policy", "the ConfigMap with the GangPolicy")
	flag.StringVar(&s.webhook.Host, "webhook-host", "", "the address of the webhook; empty: all")
	flag.IntVar(&s.webhook.Port, "webhook-port", 9443, "the port of the webhook")
	flag.StringVar(&s.webhook.CertDir, "certificates", "/certificates", "with tls.crt and tls.key")
	flag.StringVar(&s.metrics, "metrics", "0", "the address of the metrics; 0: none")
	flag.StringVar(&s.health, "health", ":8081", "the address of /readyz and /healthz; 0: none")
	flag.DurationVar(&s.wakeInterval, "wake-interval", 30*time.Second,
		"how often a gang that waits for room is woken where its scheduler sleeps")
	flag.Parse()
	ctrl.SetLogger(logr.FromSlogHandler(slog.NewJSONHandler(os.Stderr, nil)))
	if err := run(ctrl.SetupSignalHandler(), s, ctrl.GetConfigOrDie()); err != nil {
		log.Fatalln("operator:", err)
	}
}

func run(ctx context.Context, s settings, config *rest.Config) error {
	m, err := ctrl.NewManager(config, s.managerOptions())
	if err != nil {
		return err
	}
	facts, err := apply.NewFacts(ctx, kubernetes.NewForConfigOrDie(config), m.GetAPIReader())
	if err != nil {
		return err
	}
	events := m.GetEventRecorder("libgang-operator")
	planner := newPlanner(
		&policySource{name: s.policy, reader: m.GetClient(), events: events}, facts)
	webhooks := m.GetWebhookServer()
	webhooks.Register("/mark-jobset",
		&webhook.Admission{Handler: newWebhook(planner, m.GetAPIReader())})
	if err := m.AddHealthzCheck("webhook", webhooks.StartedChecker()); err != nil {
		return err
	}
	if err := m.AddReadyzCheck("webhook", webhooks.StartedChecker()); err != nil {
		return err
	}
	trainJobs := newReconciler(m.GetClient(), planner, events)
	trainJobs.WakeInterval = s.wakeInterval
	if err := apply.SetUp(ctx, m, []*apply.Reconciler{trainJobs}, apply.New(runtimeKind),
		apply.New(anyRuntimeKind), &corev1.ConfigMap{}); err != nil {
		return err
	}
	return m.Start(ctx)
}

// newReconciler keeps the objects of the gangs of TrainJobs.
func newReconciler(c client.Client, planner *apply.Planner,
	recorder events.EventRecorder) *apply.Reconciler {
	return &apply.Reconciler{Client: c, Planner: planner, Kind: trainJobKind,
		Children: []schema.GroupVersionKind{jobSetKind},
		Report:   (&reporter{c, recorder}).report}
}

// managerOptions keep in memory what is read: the pods of JobSets, and one ConfigMap.
func (s settings) managerOptions() manager.Options {
	ofJobSets, _ := labels.Parse(jobSetLabel) // any value
	theOne := cache.Config{FieldSelector: fields.OneTermEqualSelector("metadata.name", s.policy.Name)}
	return manager.Options{
		Cache: cache.Options{
			DefaultTransform: cache.TransformStripManagedFields(),
			ByObject: map[client.Object]cache.ByObject{
				apply.New(podKind): {Label: ofJobSets, Transform: apply.SlimPod},
				&corev1.ConfigMap{}: {
					Namespaces: map[string]cache.Config{s.policy.Namespace: theOne}},
			},
		},
		Client:                 client.Options{Cache: &client.CacheOptions{Unstructured: true}},
		Metrics:                metrics.Options{BindAddress: s.metrics},
		HealthProbeBindAddress: s.health,
		LeaderElection:         true, // one of several operators reconciles, all mark
		LeaderElectionID:       "libgang-operator",
		// The program ends when the manager does, so another one can lead at once.
		LeaderElectionReleaseOnCancel: true,
		LeaderElectionNamespace:       s.policy.Namespace,
		WebhookServer:                 webhook.NewServer(s.webhook),
	}
}
