// SPDX-License-Identifier: Apache-2.0

// Command render writes the objects of a job: render JOB.json RUNTIME.json [POLICY.json ...]
package main

import (
	"fmt"
	"os"

	"libgang.dev/gang"
)

func main() {
	if len(os.Args) < 2 {
		fmt.Fprintln(os.Stderr, "usage: render JOB [DOCUMENT...]")
		os.Exit(2)
	}
	if err := render(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func render(names []string) error {
	var documents []*gang.Document
	for _, name := range names {
		text, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		document, err := gang.Parse(text)
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		defer document.Close()
		documents = append(documents, document)
	}
	plan, err := gang.Render(documents[0], documents[1:]...)
	if err != nil {
		return err
	}
	defer plan.Close()
	for _, object := range plan.Objects() {
		fmt.Printf("%s", object.JSON)
	}
	return nil
}
