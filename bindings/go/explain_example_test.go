// SPDX-License-Identifier: Apache-2.0

package gang_test

import (
	"fmt"
	"log"

	"libgang.dev/gang"
)

// Why a job is scheduled as it is, for a log or a person.
func ExampleDecision_Explain() {
	runtime, err := gang.Parse([]byte(runtimeJSON))
	if err != nil {
		log.Fatal(err)
	}
	job, err := gang.Parse([]byte(jobJSON))
	if err != nil {
		log.Fatal(err)
	}
	decision, err := gang.Resolve(job, gang.Inputs{Documents: []*gang.Document{runtime}})
	if err != nil {
		log.Fatal(err)
	}
	defer decision.Close()
	text, err := decision.Explain()
	if err != nil {
		log.Fatal(err)
	}
	fmt.Print(text)
	// Output:
	// TrainJob ml/llama  runtime ClusterTrainingRuntime/torch  policy none
	// OUTCOME   GANG: set in the runtime's podGroupPolicy (0 errors, 0 warnings)
	// backend   volcano        runtime podGroupPolicy.volcano  over: no template names a scheduler
	// scheduler volcano        the backend's default
	// queue     default        the scheduler's own default     over: neither the trainjob nor the runtime names a queue
	// members   4 = node 4     members: Auto
	// minimum   4 of 4 pods start together or not at all
	// resources none requested
	// objects   Create scheduling.volcano.sh/v1beta1 PodGroup llama
}
