// SPDX-License-Identifier: Apache-2.0

package gang_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"testing"

	"libgang.dev/gang"
)

// Two stages, and so two gangs: 2 pods prepare, and 8 train.
const (
	podsJSON = `"template":{"spec":{"template":{"spec":{"containers":[{"name":"c","image":"i",` +
		`"resources":{"requests":{"cpu":"1"}}}]}}}}`
	jobSetJSON = `{"apiVersion":"jobset.x-k8s.io/v1alpha2","kind":"JobSet",` +
		`"metadata":{"name":"bert","namespace":"ml","uid":"u-1"},"spec":{"replicatedJobs":[` +
		`{"name":"prepare","replicas":2,` + podsJSON + `},{"name":"train","replicas":8,` +
		`"dependsOn":[{"name":"prepare","status":"Complete"}],` + podsJSON + `}]}}`
	sizesJSON = `{"apiVersion":"policy.libgang.dev/v1alpha1","kind":"GangPolicy",` +
		`"metadata":{"name":"sizes"},"spec":{"rules":[` +
		`{"name":"large","match":{"kinds":["JobSet"],"minNodes":8},"backend":"volcano"},` +
		`{"name":"rest","match":{"kinds":["*"]},"backend":"coscheduling"}]}}`
	servingJSON = `{"apiVersion":"leaderworkerset.x-k8s.io/v1","kind":"LeaderWorkerSet",` +
		`"metadata":{"name":"chat","namespace":"ml","uid":"u-2"},"spec":{"replicas":%d,` +
		`"leaderWorkerTemplate":{"size":4,"workerTemplate":{"spec":{"containers":[` +
		`{"name":"c","image":"i"}]}}}}}`
)

func TestNumGangs(t *testing.T) {
	for text, gangs := range map[string]uint64{
		jobSetJSON:                        2,
		fmt.Sprintf(servingJSON, 1000000): 1000000,
		fmt.Sprintf(servingJSON, 0):       0,
		jobJSON:                           1,
		policyJSON:                        0,
		runtimeJSON:                       0,
	} {
		if document := parse(t, text); document.NumGangs() != gangs {
			t.Errorf("%s %s: %d gangs", document.Kind(), document.Name(), document.NumGangs())
		}
	}
}

// Each gang of a job is decided by itself: here by rules for its size.
func TestSeveralGangs(t *testing.T) {
	job, policy := parse(t, jobSetJSON), parse(t, sizesJSON)
	for index, expected := range []struct {
		backend, name string
		minimum       int64
	}{{"coscheduling", "bert", 2}, {"volcano", "bert-s1", 8}} {
		inputs := gang.Inputs{Documents: []*gang.Document{policy}, Gang: uint64(index)}
		decision, err := gang.Resolve(job, inputs)
		if err != nil {
			t.Fatal(err)
		}
		plan, err := decision.Render()
		if err != nil {
			t.Fatal(err)
		}
		objects := plan.Objects()
		if decision.Backend() != expected.backend || decision.Minimum() != expected.minimum ||
			len(objects) != 1 || objects[0].Name != expected.name {
			t.Errorf("gang %d: %+v %+v", index, decision, objects)
		}
	}
	_, err := gang.Resolve(job, gang.Inputs{Documents: []*gang.Document{policy}, Gang: 2})
	if err == nil {
		t.Error("there is no gang 2")
	}
}

// Only a decision has a row: one line of JSON, which says of which gang it is.
func TestRow(t *testing.T) {
	job, policy := parse(t, jobSetJSON), parse(t, sizesJSON)
	decision, err := gang.Resolve(job, gang.Inputs{Documents: []*gang.Document{policy}, Gang: 1})
	if err != nil {
		t.Fatal(err)
	}
	text, err := decision.Serialize(gang.FormatRow)
	if err != nil || bytes.Count(text, []byte("\n")) != 1 {
		t.Fatalf("%s %v", text, err)
	}
	type columns struct {
		Namespace, Name, Kind, Outcome, Backend string
		Gang, Gangs, Minimum                    int64
	}
	var row columns
	if err := json.Unmarshal(text, &row); err != nil {
		t.Fatal(err)
	}
	if (row != columns{"ml", "bert", "JobSet", "Gang", "volcano", 1, 2, 8}) {
		t.Errorf("%+v", row)
	}
	plan, err := decision.Render()
	if err != nil {
		t.Fatal(err)
	}
	_, err = plan.Serialize(gang.TargetPlan, gang.FormatRow)
	if !hasResult(err, gang.ResultInvalidArgument) {
		t.Errorf("the row of a plan: %v", err)
	}
}

// What a job is read as is a document that has the same gang.
func TestGangJob(t *testing.T) {
	job, policy := parse(t, jobSetJSON), parse(t, sizesJSON)
	for index := range job.NumGangs() {
		text, err := job.GangJob(index, gang.FormatJSON)
		if err != nil {
			t.Fatal(err)
		}
		read := parse(t, string(text))
		if read.Kind() != "GangJob" || read.Type() != gang.DocumentJob || read.NumGangs() != 1 {
			t.Errorf("%s %s of %d gangs", read.Type(), read.Kind(), read.NumGangs())
		}
		again, err := read.GangJob(0, gang.FormatJSON)
		if err != nil || !bytes.Equal(again, text) {
			t.Errorf("%s\n%s\n%v", text, again, err)
		}
		plans := [2][]gang.Object{}
		for i, one := range []struct {
			job *gang.Document
			at  uint64
		}{{job, index}, {read, 0}} {
			inputs := gang.Inputs{Documents: []*gang.Document{policy}, Gang: one.at}
			decision, err := gang.Resolve(one.job, inputs)
			if err != nil {
				t.Fatal(err)
			}
			plan, err := decision.Render()
			if err != nil {
				t.Fatal(err)
			}
			plans[i] = plan.Objects()
		}
		if fmt.Sprint(plans[0]) != fmt.Sprint(plans[1]) {
			t.Errorf("%+v\n%+v", plans[0], plans[1])
		}
	}
	if _, err := job.GangJob(2, gang.FormatJSON); !hasResult(err, gang.ResultInvalidArgument) {
		t.Errorf("%v", err)
	}
	if _, err := parse(t, jobJSON).GangJob(0, gang.FormatJSON); !hasResult(
		err, gang.ResultInvalidArgument,
	) {
		t.Errorf("%v", err)
	}
}

// The last of very many gangs costs what the first costs.
func TestLastGang(t *testing.T) {
	job := parse(t, fmt.Sprintf(servingJSON, 1000000))
	text, err := job.GangJob(999999, gang.FormatJSON)
	var document struct{ Spec struct{ GroupName string } }
	if err != nil || json.Unmarshal(text, &document) != nil ||
		document.Spec.GroupName != "chat-999999" {
		t.Errorf("%s %v", text, err)
	}
}

func TestTypeOf(t *testing.T) {
	for _, one := range []struct {
		version, kind string
		expected      gang.DocumentType
	}{
		{"jobset.x-k8s.io/v1alpha2", "JobSet", gang.DocumentJob},
		{"", "RayJob", gang.DocumentJob},
		{"ray.io/v2", "RayJob", gang.DocumentNone},
		{"trainer.kubeflow.org/v1alpha1", "TrainJob", gang.DocumentTrainJob},
		{"v1", "ConfigMap", gang.DocumentNone},
		{"", "", gang.DocumentNone},
		{"batch/v1\x00", "Job", gang.DocumentNone},
		{"batch/v1", "Job\x00", gang.DocumentNone},
	} {
		if found := gang.TypeOf(one.version, one.kind); found != one.expected {
			t.Errorf("%s %s: %s, not %s", one.version, one.kind, found, one.expected)
		}
	}
}
