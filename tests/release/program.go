// SPDX-License-Identifier: Apache-2.0

// A program as a user of the released modules writes it: program RUNTIME TRAINJOB ENGINE
package main

import (
	"fmt"
	"log"
	"os"

	"libgang.dev/gang"
	"libgang.dev/gang/k8sgang"
)

func parse(path string) *gang.Document {
	text, err := os.ReadFile(path)
	if err != nil {
		log.Fatal(err)
	}
	document, err := k8sgang.ParseYAML(text)
	if err != nil {
		log.Fatal(err)
	}
	return document
}

func main() {
	if gang.Engine() != os.Args[3] {
		log.Fatalf("the engine is %s", gang.Engine())
	}
	runtime := parse(os.Args[1])
	job := parse(os.Args[2])
	plan, err := gang.Render(job, runtime)
	if err != nil {
		log.Fatal(err)
	}
	objects := plan.Objects()
	if len(objects) != 1 || objects[0].Kind != "PodGroup" {
		log.Fatalf("%d objects", len(objects))
	}
	fmt.Println(string(objects[0].JSON))
}
