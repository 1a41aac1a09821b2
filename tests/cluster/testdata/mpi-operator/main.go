// SPDX-License-Identifier: Apache-2.0

// The controller of mpi-operator, without the leader election and the health check of its own
// program, which listens on port 8080 of all interfaces. The arguments are the namespace, or
// nothing for all, and the scheduler of its own gangs, or nothing for none.
package main

import (
	"context"
	"os"

	"github.com/kubeflow/mpi-operator/cmd/mpi-operator/app/options"
	mpi "github.com/kubeflow/mpi-operator/pkg/client/clientset/versioned"
	mpischeme "github.com/kubeflow/mpi-operator/pkg/client/clientset/versioned/scheme"
	mpiinformers "github.com/kubeflow/mpi-operator/pkg/client/informers/externalversions"
	"github.com/kubeflow/mpi-operator/pkg/controller"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/kubernetes/scheme"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"
	"k8s.io/klog/v2"
	schedulerplugins "sigs.k8s.io/scheduler-plugins/pkg/generated/clientset/versioned"
	volcano "volcano.sh/apis/pkg/client/clientset/versioned"
)

func main() {
	config, err := clientcmd.BuildConfigFromFlags("", os.Getenv("KUBECONFIG"))
	must(err)
	config.QPS, config.Burst = 500, 1000
	must(mpischeme.AddToScheme(scheme.Scheme))
	must(run(context.Background(), config, os.Args[1], os.Args[2]))
}

func must(err error) {
	if err != nil {
		klog.Fatal(err)
	}
}

func run(ctx context.Context, config *rest.Config, namespace, gangs string) error {
	kube, err := kubernetes.NewForConfig(config)
	must(err)
	jobs, err := mpi.NewForConfig(config)
	must(err)
	volcanoGroups, err := volcano.NewForConfig(config)
	must(err)
	groups, err := schedulerplugins.NewForConfig(config)
	must(err)
	core := informers.NewSharedInformerFactoryWithOptions(kube, 0,
		informers.WithNamespace(namespace))
	mpiJobs := mpiinformers.NewSharedInformerFactoryWithOptions(jobs, 0,
		mpiinformers.WithNamespace(namespace))
	running, err := controller.NewMPIJobController(ctx, kube, jobs, volcanoGroups, groups,
		core.Core().V1().ConfigMaps(), core.Core().V1().Secrets(), core.Core().V1().Services(),
		core.Batch().V1().Jobs(), core.Core().V1().Pods(),
		core.Scheduling().V1().PriorityClasses(), mpiJobs.Kubeflow().V2beta1().MPIJobs(),
		&options.ServerOption{Namespace: namespace, GangSchedulingName: gangs,
			ControllerRateLimit: 100, ControllerBurst: 1000})
	must(err)
	core.Start(ctx.Done())
	mpiJobs.Start(ctx.Done())
	if running.PodGroupCtrl != nil {
		running.PodGroupCtrl.StartInformerFactory(ctx.Done())
	}
	return running.Run(2, ctx.Done())
}
