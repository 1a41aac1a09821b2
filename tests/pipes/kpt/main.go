// SPDX-License-Identifier: Apache-2.0

// The functions of kpt: "kpt fn ...". The whole program cannot be built from Go modules, because
// the proxy does not serve the one with its command for rollouts.
package main

import (
	"context"
	"fmt"
	"os"

	"github.com/kptdev/kpt/commands/fn"
	"github.com/kptdev/kpt/pkg/printer"
)

func main() {
	ctx := printer.WithContext(context.Background(), printer.New(os.Stdout, os.Stderr))
	if len(os.Args) < 2 || os.Args[1] != "fn" {
		fmt.Fprintln(os.Stderr, "usage: kpt fn ...")
		os.Exit(2)
	}
	command := fn.GetCommand(ctx, "kpt")
	command.SetArgs(os.Args[2:])
	if err := command.Execute(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
