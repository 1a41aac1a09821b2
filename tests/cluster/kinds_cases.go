// SPDX-License-Identifier: Apache-2.0

package main

import (
	"embed"
	"fmt"
	"slices"

	"sigs.k8s.io/yaml"
)

//go:embed testdata/kinds
var kindFiles embed.FS

// A kindCase is a job of another kind than TrainJob, in a file of testdata/kinds.
type kindCase struct {
	name  string
	gangs string // the minimum of each gang
	// What there is room for, step by step. The last step is enough for the whole job.
	short   string
	rooms   []room
	inUnits unitRoom
	// The job is created suspended, and resumed before the first step is looked at.
	resume bool
}

// A room is a node, which is also a rack, and how many members have a node when it is there.
type room struct{ gpus, bound int }

// With a scheduler that starts whole units, fewer members have a node: index is that of the room.
type unitRoom struct{ index, bound int }

// boundBy says how many members have a node in a room.
func (k kindCase) boundBy(scheduler string, index int) int {
	if scheduler == "volcano" && k.inUnits.bound > 0 && index == k.inUnits.index {
		return k.inUnits.bound
	}
	return k.rooms[index].bound
}

// Each pod uses one GPU; the launcher of an MPIJob uses none.
var kindCases = []kindCase{
	{name: "jobset", gangs: "5", short: "4 GPUs", rooms: []room{{4, 0}, {1, 5}}},
	{name: "jobset-stages", gangs: "2, then 4", short: "1 GPU, then 2",
		rooms: []room{{1, 0}, {1, 2}, {2, 6}}},
	{name: "jobset-exclusive", gangs: "2 of 6", short: "one rack", rooms: []room{{64, 0}, {64, 6}}},
	{name: "job-indexed", gangs: "3", short: "2 GPUs", rooms: []room{{2, 0}, {1, 3}}},
	{name: "job-asked", gangs: "3", short: "2 GPUs", rooms: []room{{2, 0}, {1, 3}}},
	{name: "job-elastic", gangs: "2 of 4", short: "1 GPU", rooms: []room{{1, 0}, {1, 4}}},
	{name: "stateful-set", gangs: "3", short: "2 GPUs", rooms: []room{{2, 0}, {1, 3}}},
	{name: "lws", gangs: "3 and 3", short: "2 GPUs, then 3", rooms: []room{{2, 0}, {1, 3}, {3, 6}}},
	{name: "lws-leader-ready", gangs: "1 of 3, twice", short: "none", rooms: []room{{0, 0}, {6, 6}}},
	{name: "lws-subgroups", gangs: "1 of 5", short: "1 GPU, then 4",
		rooms: []room{{1, 1}, {3, 4}, {1, 5}}, inUnits: unitRoom{1, 3}},
	{name: "lws-exclusive", gangs: "1 of 3, twice", short: "one rack",
		rooms: []room{{64, 3}, {64, 6}}},
	{name: "ray-units", gangs: "5 of 7", short: "4 GPUs, then 6",
		rooms: []room{{4, 0}, {2, 6}, {1, 7}}, inUnits: unitRoom{1, 5}},
	{name: "mpi", gangs: "4", short: "2 GPUs", rooms: []room{{2, 0}, {1, 4}}},
	{name: "mpi-late", gangs: "3 of 4", short: "2 GPUs", rooms: []room{{2, 0}, {1, 4}}},
	{name: "mpi-suspended", gangs: "4", short: "2 GPUs", rooms: []room{{2, 0}, {1, 4}}, resume: true},
}

// document reads the job. Anchors of YAML are resolved.
func (k kindCase) document() (document, error) {
	content, err := kindFiles.ReadFile("testdata/kinds/" + k.name + ".yaml")
	if err != nil {
		return nil, err
	}
	job := document{}
	if err := yaml.Unmarshal(content, &job); err != nil {
		return nil, fmt.Errorf("%s: %w", k.name, err)
	}
	withImages(job)
	return job, nil
}

// The kinds of the jobs, which operators also create for parts of others.
var jobKinds = [][2]string{
	{"jobset.x-k8s.io/v1alpha2", "JobSet"}, {"batch/v1", "Job"}, {"apps/v1", "StatefulSet"},
	{"leaderworkerset.x-k8s.io/v1", "LeaderWorkerSet"}, {"kubeflow.org/v2beta1", "MPIJob"},
	{"ray.io/v1", "RayCluster"},
}

// hasEnded says whether a job did what it is for: it completed, or it serves.
func hasEnded(job document) bool {
	if kindOf(job) == "StatefulSet" {
		wanted := number(job, "spec", "replicas")
		return wanted > 0 && number(job, "status", "readyReplicas") == wanted
	}
	return slices.ContainsFunc([]string{"Completed", "Complete", "Succeeded", "Available"},
		func(kind string) bool { return hasCondition(job, kind) })
}
