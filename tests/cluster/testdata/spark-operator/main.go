// SPDX-License-Identifier: Apache-2.0

// The controller of the Spark operator, with the versions of other modules that the adapters have:
// its webhook does not compile with them.
package main

import (
	"os"

	"github.com/kubeflow/spark-operator/v2/cmd/operator/controller"
)

func main() {
	command := controller.NewCommand()
	command.SetArgs(os.Args[2:]) // without its name
	if command.Execute() != nil {
		os.Exit(1)
	}
}
