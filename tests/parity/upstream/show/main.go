// SPDX-License-Identifier: Apache-2.0

// Command show prints what the operator answers for a runtime and a TrainJob.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"

	"libgang.dev/tests/parity/upstream"
	"sigs.k8s.io/yaml"
)

func main() {
	if len(os.Args) != 3 {
		fmt.Fprintln(os.Stderr, "usage: show RUNTIME TRAINJOB")
		os.Exit(2)
	}
	if err := show(os.Args[1], os.Args[2]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func show(runtimePath, jobPath string) error {
	runtime, err := readJSON(runtimePath)
	if err != nil {
		return err
	}
	job, err := readJSON(jobPath)
	if err != nil {
		return err
	}
	moduleDir, err := upstream.ModuleDir()
	if err != nil {
		return err
	}
	operator, err := upstream.New(context.Background(), moduleDir)
	if err != nil {
		return err
	}
	encoder := json.NewEncoder(os.Stdout)
	encoder.SetIndent("", "  ")
	return encoder.Encode(operator.Run(context.Background(), runtime, job))
}

func readJSON(path string) ([]byte, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	return yaml.YAMLToJSON(text)
}
