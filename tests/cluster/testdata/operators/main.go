// SPDX-License-Identifier: Apache-2.0

// The controllers of KubeRay, training-operator and AppWrapper, without their leader election,
// certificates and validating webhooks. The first argument chooses one of them; the next two, if
// there are any, are the scheduler of the operator's own gangs, and the namespace of its jobs. No
// Ray runs here, so KubeRay gets a dashboard that answers instead of Ray's.
package main

import (
	"context"
	"os"
	"sync"
	"time"

	training "github.com/kubeflow/training-operator/pkg/apis/kubeflow.org/v1"
	"github.com/kubeflow/training-operator/pkg/config"
	trainingcontrollers "github.com/kubeflow/training-operator/pkg/controller.v1"
	"github.com/kubeflow/training-operator/pkg/controller.v1/common"
	appwrapper "github.com/project-codeflare/appwrapper/api/v1beta2"
	appwrapperconfig "github.com/project-codeflare/appwrapper/pkg/config"
	appwrappercontroller "github.com/project-codeflare/appwrapper/pkg/controller"
	configapi "github.com/ray-project/kuberay/ray-operator/apis/config/v1alpha1"
	rayv1 "github.com/ray-project/kuberay/ray-operator/apis/ray/v1"
	"github.com/ray-project/kuberay/ray-operator/controllers/ray"
	"github.com/ray-project/kuberay/ray-operator/controllers/ray/batchscheduler"
	"github.com/ray-project/kuberay/ray-operator/controllers/ray/utils"
	"github.com/ray-project/kuberay/ray-operator/controllers/ray/utils/dashboardclient"
	utiltypes "github.com/ray-project/kuberay/ray-operator/controllers/ray/utils/types"
	"k8s.io/apimachinery/pkg/runtime"
	utilruntime "k8s.io/apimachinery/pkg/util/runtime"
	clientgoscheme "k8s.io/client-go/kubernetes/scheme"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/cache"
	"sigs.k8s.io/controller-runtime/pkg/log/zap"
	"sigs.k8s.io/controller-runtime/pkg/manager"
	metrics "sigs.k8s.io/controller-runtime/pkg/metrics/server"
	groups "sigs.k8s.io/scheduler-plugins/apis/scheduling/v1alpha1"
	volcano "volcano.sh/apis/pkg/apis/scheduling/v1beta1"
	volcanoclient "volcano.sh/apis/pkg/client/clientset/versioned"
)

func main() {
	ctrl.SetLogger(zap.New())
	scheme := runtime.NewScheme()
	utilruntime.Must(clientgoscheme.AddToScheme(scheme))
	utilruntime.Must(rayv1.AddToScheme(scheme))
	utilruntime.Must(training.AddToScheme(scheme))
	utilruntime.Must(appwrapper.AddToScheme(scheme))
	utilruntime.Must(groups.AddToScheme(scheme)) // which training-operator watches
	utilruntime.Must(volcano.AddToScheme(scheme))
	server := ctrl.GetConfigOrDie()
	server.QPS, server.Burst = 500, 1000
	options := ctrl.Options{Scheme: scheme, Metrics: metrics.Options{BindAddress: "0"},
		HealthProbeBindAddress: "0"}
	scheduler := ""
	if len(os.Args) > 3 {
		scheduler = os.Args[2]
		options.Cache.DefaultNamespaces = map[string]cache.Config{os.Args[3]: {}}
	}
	m, err := ctrl.NewManager(server, options)
	utilruntime.Must(err)
	ctx := ctrl.SetupSignalHandler()
	switch os.Args[1] {
	case "kuberay":
		setUpRay(ctx, m, scheduler)
	case "training-operator":
		setUpTraining(m, scheduler)
	case "appwrapper":
		settings := appwrapperconfig.NewAppWrapperConfig()
		settings.Autopilot.InjectAntiAffinities = false
		utilruntime.Must(appwrappercontroller.SetupIndexers(ctx, m, settings))
		utilruntime.Must(appwrappercontroller.SetupControllers(m, settings))
	}
	utilruntime.Must(m.Start(ctx))
}

const workers = 4

func setUpTraining(m manager.Manager, scheduler string) {
	config.Config.PyTorchInitContainerImage = config.PyTorchInitContainerImageDefault
	config.Config.PyTorchInitContainerTemplateFile = config.PyTorchInitContainerTemplateFileDefault
	config.Config.PyTorchInitContainerMaxTries = config.PyTorchInitContainerMaxTriesDefault
	gangs := common.GenNonGangSchedulerSetupFunc()
	switch scheduler {
	case "":
	case "volcano":
		gangs = common.GenVolcanoSetupFunc(volcanoclient.NewForConfigOrDie(m.GetConfig()))
	default:
		gangs = common.GenSchedulerPluginsSetupFunc(m.GetClient(), scheduler)
	}
	for kind, setUp := range trainingcontrollers.SupportedSchemeReconciler {
		if kind != training.MPIJobKind { // that of mpi-operator has the same name
			utilruntime.Must(setUp(m, gangs, workers))
		}
	}
}

// setUpRay does what the main function of KubeRay does.
func setUpRay(ctx context.Context, m manager.Manager, scheduler string) {
	gangs, err := batchscheduler.NewSchedulerManager(ctx,
		configapi.Configuration{BatchScheduler: scheduler}, m.GetConfig(), m.GetClient())
	utilruntime.Must(err)
	gangs.AddToScheme(m.GetScheme())
	board := &dashboard{seen: map[string]*rayRun{}}
	utilruntime.Must(ray.NewReconciler(ctx, m, ray.RayClusterReconcilerOptions{
		BatchSchedulerManager: gangs}).SetupWithManager(m, workers))
	utilruntime.Must(ray.NewRayJobReconciler(ctx, m, ray.RayJobReconcilerOptions{
		BatchSchedulerManager: gangs}, board).SetupWithManager(m, workers))
	utilruntime.Must(ray.NewRayServiceReconciler(ctx, m, board).SetupWithManager(m, workers))
}

// A dashboard stands for those of all heads. The job of a RayJob succeeds after two seconds, runs
// on where its head runs endlessly, or fails where the head says so, but not in a second cluster.
type dashboard struct {
	lock sync.Mutex
	seen map[string]*rayRun // by namespace and RayJob
}

type rayRun struct {
	cluster string
	since   time.Time
	tries   int
}

const endless, failing = "cluster.test/endless", "cluster.test/fails-once"

func (d *dashboard) GetDashboardClient(context.Context, manager.Manager) func(*rayv1.RayCluster,
	string) (dashboardclient.RayDashboardClientInterface, error) {
	return func(cluster *rayv1.RayCluster, _ string) (dashboardclient.RayDashboardClientInterface,
		error) {
		return &answers{board: d, cluster: cluster}, nil
	}
}

func (d *dashboard) GetHttpProxyClient(manager.Manager) func(string, string, string,
	int) utils.RayHttpProxyClientInterface {
	return func(string, string, string, int) utils.RayHttpProxyClientInterface { return healthy{} }
}

type healthy struct{}

func (healthy) CheckProxyActorHealth(context.Context) error { return nil }

// Answers are those of the head of one cluster. Other calls than these are not expected.
type answers struct {
	dashboardclient.RayDashboardClientInterface
	board   *dashboard
	cluster *rayv1.RayCluster
}

func (a *answers) status() rayv1.JobStatus {
	a.board.lock.Lock()
	defer a.board.lock.Unlock()
	key := a.cluster.Namespace + "/" + a.cluster.Labels[utils.RayOriginatedFromCRNameLabelKey]
	run := a.board.seen[key]
	if run == nil {
		run = &rayRun{}
		a.board.seen[key] = run
	}
	if run.cluster != a.cluster.Name {
		run.cluster, run.since, run.tries = a.cluster.Name, time.Now(), run.tries+1
	}
	wishes := a.cluster.Spec.HeadGroupSpec.Template.Annotations
	switch {
	case time.Since(run.since) < 2*time.Second:
		return rayv1.JobStatusRunning
	case wishes[failing] != "" && run.tries == 1:
		return rayv1.JobStatusFailed
	case wishes[endless] != "":
		return rayv1.JobStatusRunning
	}
	return rayv1.JobStatusSucceeded
}

func (a *answers) GetJobInfo(_ context.Context, id string) (*utiltypes.RayJobInfo, error) {
	return &utiltypes.RayJobInfo{JobStatus: a.status(), SubmissionId: id, JobId: id}, nil
}

func (a *answers) StopJob(context.Context, string) error { return nil }

func (a *answers) UpdateDeployments(context.Context, []byte) error { return nil }

func (a *answers) GetMultiApplicationStatus(context.Context) (
	map[string]*utiltypes.ServeApplicationStatus, error) {
	return map[string]*utiltypes.ServeApplicationStatus{"app": {Name: "app", Status: "RUNNING"}}, nil
}
