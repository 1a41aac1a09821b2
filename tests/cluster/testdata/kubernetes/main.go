// SPDX-License-Identifier: Apache-2.0

// One binary for the four programs of a control plane. The first argument chooses the program.
package main

import (
	"fmt"
	"net/url"
	"os"

	"github.com/spf13/cobra"
	"go.etcd.io/etcd/server/v3/embed"
	"k8s.io/component-base/cli"
	_ "k8s.io/component-base/logs/json/register"
	_ "k8s.io/component-base/metrics/prometheus/clientgo"
	_ "k8s.io/component-base/metrics/prometheus/version"
	server "k8s.io/kubernetes/cmd/kube-apiserver/app"
	controllers "k8s.io/kubernetes/cmd/kube-controller-manager/app"
	scheduler "k8s.io/kubernetes/cmd/kube-scheduler/app"
)

func main() {
	var command *cobra.Command
	program := os.Args[1]
	os.Args = append([]string{program}, os.Args[2:]...)
	switch program {
	case "etcd":
		runEtcd(os.Args[1], os.Args[2], os.Args[3])
		return
	case "kube-apiserver":
		command = server.NewAPIServerCommand()
	case "kube-scheduler":
		command = scheduler.NewSchedulerCommand()
	case "kube-controller-manager":
		command = controllers.NewControllerManagerCommand()
	}
	os.Exit(cli.Run(command))
}

// The data lives as long as one run of the tests, so nothing is synchronized to the disk.
func runEtcd(folder, client, peer string) {
	config := embed.NewConfig()
	config.Dir = folder
	config.UnsafeNoFsync = true
	config.LogLevel = "error"
	config.QuotaBackendBytes = 2 << 30
	config.ListenClientUrls = []url.URL{address(client)}
	config.AdvertiseClientUrls = config.ListenClientUrls
	config.ListenPeerUrls = []url.URL{address(peer)}
	config.AdvertisePeerUrls = config.ListenPeerUrls
	config.InitialCluster = config.InitialClusterFromName(config.Name)
	etcd, err := embed.StartEtcd(config)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	fmt.Fprintln(os.Stderr, <-etcd.Err())
	os.Exit(1)
}

func address(hostPort string) url.URL {
	return url.URL{Scheme: "http", Host: hostPort}
}
