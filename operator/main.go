// SPDX-License-Identifier: Apache-2.0

// Command operator makes gangs for the jobs of unmodified operators. A webhook sets the marks of
// the gangs in jobs or pods, and controllers keep the PodGroups or Workloads. README.md describes
// it.
package main

import (
	"context"
	"crypto/tls"
	"errors"
	"flag"
	"log"
	"log/slog"
	"os"
	"runtime/debug"
	measures "runtime/metrics"
	"slices"
	"time"

	"github.com/go-logr/logr"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/fields"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	periodic "k8s.io/apimachinery/pkg/util/wait"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/tools/events"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/cache"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/manager"
	"sigs.k8s.io/controller-runtime/pkg/metrics"
	metricsserver "sigs.k8s.io/controller-runtime/pkg/metrics/server"
	"sigs.k8s.io/controller-runtime/pkg/webhook"
	"sigs.k8s.io/controller-runtime/pkg/webhook/admission"

	"libgang.dev/gang/k8sgang"
	"libgang.dev/gang/k8sgang/apply"
)

func main() {
	s, err := readSettings(os.Args[1:])
	if errors.Is(err, flag.ErrHelp) {
		os.Exit(0)
	}
	if err == nil {
		ctrl.SetLogger(logr.FromSlogHandler(slog.NewJSONHandler(os.Stderr, nil)))
		err = run(ctrl.SetupSignalHandler(), s)
	}
	if err != nil {
		log.Fatalln("operator:", err)
	}
}

func run(ctx context.Context, s *settings) error {
	go periodic.UntilWithContext(ctx, setCollection, 10*time.Second)
	config, err := ctrl.GetConfig()
	if err != nil {
		return err
	}
	chooseKinds(s.Kinds)
	config.QPS, config.Burst = s.Client.QPS, s.Client.Burst
	certificates := &certificate{namespace: s.Namespace, makes: s.Webhook.Certificates == ""}
	m, err := ctrl.NewManager(config, s.managerOptions(certificates))
	if err != nil {
		return err
	}
	if err := certificates.setUp(m); err != nil {
		return err
	}
	facts, err := apply.NewFacts(ctx, kubernetes.NewForConfigOrDie(config), m.GetAPIReader())
	if err != nil {
		return err
	}
	policy := &policySource{name: types.NamespacedName{Namespace: s.Namespace, Name: s.Policy},
		reader: m.GetClient(), events: m.GetEventRecorder("libgang-operator"),
		reported: s.ReportedRules}
	triggers, planner := []client.Object{&corev1.ConfigMap{}}, newPlanner(policy, facts, m.GetAPIReader())
	_, err = m.GetRESTMapper().RESTMapping(policyKind.GroupKind(), policyKind.Version)
	if policy.served = err == nil; policy.served {
		facts.Known = s.knownFacts(m.GetClient())
		triggers = append(triggers, apply.New(policyKind))
		if err := s.setUpStatus(m, policy, planner); err != nil {
			return err
		}
	}
	if err := s.setUpJobs(ctx, m, planner, triggers); err != nil {
		return err
	}
	return m.Start(ctx)
}

// setCollection lets the heap grow by half, and at least by 32 MiB, before garbage is collected:
// with few jobs the collections are much of the work, with 10,000 the garbage is much of the memory.
func setCollection(context.Context) {
	live := []measures.Sample{{Name: "/gc/heap/live:bytes"}}
	measures.Read(live)
	debug.SetGCPercent(int(min(max(100*(32<<20)/(live[0].Value.Uint64()+1), 50), 400)))
}

// setUpJobs makes the webhooks and a controller for each kind of job.
func (s *settings) setUpJobs(ctx context.Context, m manager.Manager, planner *apply.Planner,
	triggers []client.Object) error {
	acts := s.acts(m.GetClient())
	reports := ofRules(planner, s.ReportedRules)
	webhooks := m.GetWebhookServer()
	marks := &marker{planner: planner, cached: m.GetClient(), live: m.GetAPIReader(), acts: acts,
		reports: reports}
	webhooks.Register("/mark", &webhook.Admission{Handler: marks})
	webhooks.Register("/validate", &webhook.Admission{Handler: admission.HandlerFunc(validate)})
	told := newReporter(m.GetClient(), m.GetEventRecorder("libgang-operator"), acts, reports,
		planner)
	metrics.Registry.MustRegister(append(ownMetrics(), told.ledger)...)
	if err := errors.Join(m.AddHealthzCheck("webhook", webhooks.StartedChecker()),
		m.AddReadyzCheck("webhook", webhooks.StartedChecker()),
		m.AddReadyzCheck("planner", planner.Ready), m.Add(told.ledger)); err != nil {
		return err
	}
	reconcilers, err := s.reconcilers(m.GetRESTMapper(), told)
	if len(s.Kinds) == 0 || slices.Contains(s.Kinds, podKind.Kind) {
		groups := groupsOf(m.GetClient(), told.events, marks, s.WakeInterval)
		kinds, failed := k8sgang.ServedKinds(m.GetRESTMapper(), s.Backends...)
		groups.Kinds = kinds
		err = errors.Join(err, failed, groups.SetUp(m))
	}
	return errors.Join(err, apply.SetUp(ctx, m, reconcilers, triggers...))
}

// groupsOf keeps the gangs of pods that name them, with what the webhook marks these with.
func groupsOf(c client.Client, recorder events.EventRecorder, marks *marker,
	wakeInterval time.Duration) *apply.Groups {
	return &apply.Groups{Client: c, Planner: marks.planner, Events: recorder, Acts: marks.acts,
		Reports: marks.reports, WakeInterval: wakeInterval}
}

// setUpStatus makes the controllers that write the status of GangPolicies and GangClusters.
func (s *settings) setUpStatus(m manager.Manager, policy *policySource,
	planner *apply.Planner) error {
	kinds, err := servedKinds(m.GetRESTMapper())
	if err != nil {
		return err
	}
	named := func(context.Context) string { return "the GangCluster " + s.Cluster }
	for _, one := range []*statusWriter{
		{client: m.GetClient(), kind: policyKind, chosen: s.Policy, origin: policy.origin,
			planner: planner, kinds: kinds},
		{client: m.GetClient(), kind: clusterKind, chosen: s.Cluster, origin: named}} {
		if err := one.setUp(m); err != nil {
			return err
		}
	}
	return nil
}

// knownFacts are those of the GangCluster that the settings name, if it exists.
func (s *settings) knownFacts(reader client.Reader) func(context.Context) (map[string]any, error) {
	return func(ctx context.Context) (map[string]any, error) {
		cluster := apply.New(clusterKind)
		err := reader.Get(ctx, client.ObjectKey{Name: s.Cluster}, cluster)
		spec, _ := cluster.Object["spec"].(map[string]any)
		return spec, client.IgnoreNotFound(err)
	}
}

// reconcilers are for the kinds of jobs that the cluster has.
func (s *settings) reconcilers(mapper meta.RESTMapper, told *reporter) ([]*apply.Reconciler, error) {
	objects, err := k8sgang.ServedKinds(mapper, s.Backends...)
	if err != nil {
		return nil, err
	}
	rows, err := servedKinds(mapper)
	var list []*apply.Reconciler
	for _, row := range rows {
		one := newReconciler(row, told)
		one.WakeInterval, one.Kinds = s.WakeInterval, append([]schema.GroupVersionKind{}, objects...)
		list = append(list, one)
	}
	return list, err
}

// servedKinds are the kinds of jobs that the cluster has.
func servedKinds(mapper meta.RESTMapper) (rows []*jobKind, err error) {
	for i := range jobKinds {
		_, err := mapper.RESTMapping(jobKinds[i].kind.GroupKind(), jobKinds[i].kind.Version)
		if err != nil && !meta.IsNoMatchError(err) {
			return nil, err
		}
		if err == nil {
			rows = append(rows, &jobKinds[i])
		}
	}
	return rows, nil
}

// newReconciler keeps the objects of the gangs of one kind of job, if the pods of the job have
// marks.
func newReconciler(row *jobKind, told *reporter) *apply.Reconciler {
	acts := func(ctx context.Context, job *unstructured.Unstructured,
		plans []*apply.Planned) bool {
		return told.acts(ctx, job.GetNamespace()) &&
			(row.isTrainJob() && !told.reports(ctx, told.client, job) ||
				isMarked(job) && hasBackendOf(plans[0], job))
	}
	made := &apply.Reconciler{Client: told.client, Planner: told.planner, Kind: row.kind, Acts: acts,
		Report: told.report, Forget: told.ledger.forget(row.kind.Kind)}
	if row.isTrainJob() { // whose JobSet the library compares with the plan
		made.Children = row.children
		made.Triggers = []client.Object{apply.New(runtimeKind), apply.New(anyRuntimeKind)}
	}
	return made
}

// managerOptions keep in memory what is read: of the ConfigMaps only one.
func (s *settings) managerOptions(certificates *certificate) manager.Options {
	theOne := cache.Config{FieldSelector: fields.OneTermEqualSelector("metadata.name", s.Policy)}
	return manager.Options{
		Cache: cache.Options{
			DefaultTransform: apply.Slim(func(of, kind string) bool { return rowOf(of, kind) != nil }),
			ByObject: map[client.Object]cache.ByObject{
				&corev1.ConfigMap{}: {
					Namespaces: map[string]cache.Config{s.Namespace: theOne}},
				apply.New(podKind): {Label: apply.InGroups()},
			},
		},
		Client:                 client.Options{Cache: &client.CacheOptions{Unstructured: true}},
		Metrics:                metricsserver.Options{BindAddress: s.Metrics},
		HealthProbeBindAddress: s.Health,
		LeaderElection:         true, // one of several operators reconciles, all mark
		LeaderElectionID:       "libgang-operator",
		// The program ends when the manager does, so another one can lead at once.
		LeaderElectionReleaseOnCancel: true,
		LeaderElectionNamespace:       s.Namespace,
		WebhookServer:                 webhook.NewServer(s.webhookOptions(certificates)),
	}
}

func (s *settings) webhookOptions(certificates *certificate) webhook.Options {
	options := webhook.Options{Host: s.Webhook.Host, Port: s.Webhook.Port,
		CertDir: s.Webhook.Certificates}
	if certificates.makes {
		options.TLSOpts = []func(*tls.Config){func(config *tls.Config) {
			config.GetCertificate = certificates.serve
		}}
	}
	return options
}
