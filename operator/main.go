// SPDX-License-Identifier: Apache-2.0

// Command operator makes gangs for the jobs of unmodified operators. A webhook sets the marks of
// the gangs in jobs or pods, and controllers keep the PodGroups or Workloads. README.md describes
// it.
package main

import (
	"context"
	"flag"
	"fmt"
	"log"
	"log/slog"
	"os"
	"time"

	"github.com/go-logr/logr"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/fields"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/cache"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/manager"
	metrics "sigs.k8s.io/controller-runtime/pkg/metrics/server"
	"sigs.k8s.io/controller-runtime/pkg/webhook"

	"libgang.dev/gang"
	"libgang.dev/gang/k8sgang/apply"
)

type settings struct {
	policy          types.NamespacedName
	webhook         webhook.Options
	metrics, health string
	wakeInterval    time.Duration
	mode            string
	namespaces      string // a selector
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
	flag.StringVar(&s.mode, "mode", modeReport,
		"Report: plan and report, mark and write nothing; Enforce: make the gangs")
	flag.StringVar(&s.namespaces, "namespaces", "",
		"a label selector of the namespaces where the mode Enforce holds; in others it is Report")
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
	acts, err := s.acts(m.GetClient())
	if err != nil {
		return err
	}
	events := m.GetEventRecorder("libgang-operator")
	planner := newPlanner(
		&policySource{name: s.policy, reader: m.GetClient(), events: events}, facts)
	webhooks := m.GetWebhookServer()
	webhooks.Register("/mark", &webhook.Admission{Handler: &marker{planner: planner,
		cached: m.GetClient(), live: m.GetAPIReader(), acts: acts}})
	if err := m.AddHealthzCheck("webhook", webhooks.StartedChecker()); err != nil {
		return err
	}
	if err := m.AddReadyzCheck("webhook", webhooks.StartedChecker()); err != nil {
		return err
	}
	reconcilers, err := s.reconcilers(m.GetRESTMapper(),
		newReporter(m.GetClient(), events, acts), planner)
	if err != nil {
		return err
	}
	if err := apply.SetUp(ctx, m, reconcilers, &corev1.ConfigMap{}); err != nil {
		return err
	}
	return m.Start(ctx)
}

const modeReport, modeEnforce = "Report", "Enforce"

// acts makes the function that tells where gangs are made.
func (s settings) acts(reader client.Reader) (func(context.Context, string) bool, error) {
	selector, err := labels.Parse(s.namespaces)
	if err != nil {
		return nil, fmt.Errorf("-namespaces: %w", err)
	}
	if s.mode != modeReport && s.mode != modeEnforce {
		return nil, fmt.Errorf("-mode: %q is neither %s nor %s", s.mode, modeReport, modeEnforce)
	}
	return func(ctx context.Context, name string) bool {
		if s.mode == modeReport || selector.Empty() {
			return s.mode == modeEnforce
		}
		namespace := &corev1.Namespace{}
		err := reader.Get(ctx, client.ObjectKey{Name: name}, namespace)
		return err == nil && selector.Matches(labels.Set(namespace.Labels))
	}, nil
}

// reconcilers are for the kinds of jobs that the cluster has.
func (s settings) reconcilers(mapper meta.RESTMapper, told *reporter, planner *apply.Planner) (
	[]*apply.Reconciler, error) {
	var list []*apply.Reconciler
	for i := range jobKinds {
		_, err := mapper.RESTMapping(jobKinds[i].kind.GroupKind(), jobKinds[i].kind.Version)
		if meta.IsNoMatchError(err) {
			continue
		}
		if err != nil {
			return nil, err
		}
		one := newReconciler(&jobKinds[i], told, planner)
		one.WakeInterval = s.wakeInterval
		list = append(list, one)
	}
	return list, nil
}

// newReconciler keeps the objects of the gangs of one kind of job, if the pods of the job have
// marks.
func newReconciler(row *jobKind, told *reporter, planner *apply.Planner) *apply.Reconciler {
	made := &apply.Reconciler{Client: told.client, Planner: planner, Kind: row.kind,
		Report: told.report, Acts: func(ctx context.Context, job *unstructured.Unstructured,
			plans []*gang.Plan) bool {
			return told.acts(ctx, job.GetNamespace()) &&
				(row == rowOfTrainJobs || isMarked(job) && hasBackendOf(plans[0], job))
		}}
	if row == rowOfTrainJobs { // whose JobSet the library compares with the plan
		made.Children = row.children
		made.Triggers = []client.Object{apply.New(runtimeKind), apply.New(anyRuntimeKind)}
	}
	return made
}

// managerOptions keep in memory what is read: a part of each pod, and one ConfigMap.
func (s settings) managerOptions() manager.Options {
	theOne := cache.Config{FieldSelector: fields.OneTermEqualSelector("metadata.name", s.policy.Name)}
	return manager.Options{
		Cache: cache.Options{
			DefaultTransform: cache.TransformStripManagedFields(),
			ByObject: map[client.Object]cache.ByObject{
				apply.New(podKind): {Transform: apply.SlimPod},
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
