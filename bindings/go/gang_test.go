// SPDX-License-Identifier: Apache-2.0

package gang_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"reflect"
	"runtime"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"libgang.dev/gang"
)

const (
	runtimeJSON = `{"apiVersion":"trainer.kubeflow.org/v1alpha1","kind":"ClusterTrainingRuntime",
		"metadata":{"name":"torch"},"spec":{"mlPolicy":{"numNodes":1,"torch":{}},
		"podGroupPolicy":{"volcano":{}},"template":{"spec":{"replicatedJobs":[{"name":"node",
		"template":{
		"metadata":{"labels":{"trainer.kubeflow.org/trainjob-ancestor-step":"trainer"}},
		"spec":{"template":{"spec":{"containers":[{"name":"node","image":"torch"}]}}}}}]}}}}`
	jobJSON = `{"apiVersion":"trainer.kubeflow.org/v1alpha1","kind":"TrainJob",
		"metadata":{"name":"llama","namespace":"ml","uid":"8b7e"},
		"spec":{"runtimeRef":{"name":"torch"},"trainer":{"numNodes":4}}}`
	policyJSON = `{"apiVersion":"policy.libgang.dev/v1alpha1","kind":"GangPolicy",
		"metadata":{"name":"main"},"spec":{"rules":[
		{"name":"closed","match":{"namespaces":["ml"]},"action":"Deny"}]}}`
)

func parse(t testing.TB, text string, with ...gang.Option) *gang.Document {
	t.Helper()
	document, err := gang.Parse([]byte(text), with...)
	if err != nil {
		t.Fatal(err)
	}
	return document
}

func hasResult(err error, result gang.Result) bool {
	return errors.Is(err, &gang.Error{Result: result})
}

// Why a suspended Job does not start, as a document and as a picture.
func TestDiagnose(t *testing.T) {
	const text = `{"apiVersion":"batch/v1","kind":"Job","metadata":{"name":"sweep","namespace":"ml",
		"uid":"u"},"spec":{"completionMode":"Indexed","parallelism":2,"completions":2,"suspend":true,
		"template":{"spec":{"containers":[{"name":"c","image":"c"}],"restartPolicy":"Never"}}}}`
	job := parse(t, text)
	live, err := gang.ParseLiveForDiagnosis([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	defer live.Close()
	answer, err := gang.Diagnose(job, live, gang.Inputs{}, "", gang.FormatJSON)
	why := struct {
		Verdict string
		Cause   struct{ Code, Reason string }
	}{}
	if err = errors.Join(err, json.Unmarshal(answer, &why)); err != nil {
		t.Fatal(err)
	}
	if why.Verdict != "Waiting" || why.Cause.Reason != "JobSuspended" {
		t.Errorf("%s", answer)
	}
	picture, err := gang.Diagnose(job, live, gang.Inputs{}, "2026-11-25T08:30:00Z", gang.FormatSvg)
	if err != nil || !strings.HasPrefix(string(picture), "<svg ") {
		t.Errorf("%s %v", picture, err)
	}
	for _, wrong := range []string{"yesterday", "2026-11-25"} {
		_, err := gang.Diagnose(job, live, gang.Inputs{}, wrong, gang.FormatJSON)
		if !hasResult(err, gang.ResultInvalidArgument) {
			t.Errorf("%s: %v", wrong, err)
		}
	}
}

func TestDocument(t *testing.T) {
	job := parse(t, jobJSON)
	if job.Type() != gang.DocumentTrainJob || job.Kind() != "TrainJob" || job.Name() != "llama" ||
		job.Namespace() != "ml" || job.UID() != "8b7e" ||
		job.APIVersion() != "trainer.kubeflow.org/v1alpha1" {
		t.Errorf("%+v", job)
	}
	if name := job.Reference("ClusterTrainingRuntime"); name != "torch" {
		t.Errorf("reference %q", name)
	}
	if name := job.Reference("Pod\x00"); name != "" {
		t.Errorf("reference %q", name)
	}
	diagnostics := job.Diagnostics()
	if len(diagnostics) == 0 || diagnostics[0].Severity != gang.SeverityInfo ||
		diagnostics[0].Code != gang.CodeDefaultApplied || diagnostics[0].Name != "llama" {
		t.Errorf("diagnostics %+v", diagnostics)
	}
}

func TestDecision(t *testing.T) {
	job, runtime := parse(t, jobJSON), parse(t, runtimeJSON)
	decision, err := gang.Resolve(job, gang.Inputs{Documents: []*gang.Document{runtime}})
	if err != nil {
		t.Fatal(err)
	}
	if decision.Outcome() != gang.OutcomeGang || decision.Backend() != "volcano" ||
		decision.SchedulerName() != "volcano" ||
		decision.Minimum() != 4 || decision.Members() != 4 || decision.Pods() != 4 ||
		decision.Reason() == "" {
		t.Errorf("%+v", decision)
	}
	document, err := decision.Document()
	if err != nil || document.Outcome != gang.OutcomeGang || document.Gang.Minimum != 4 {
		t.Errorf("%+v, %v", document, err)
	}
}

func TestPlan(t *testing.T) {
	plan, err := gang.Render(parse(t, jobJSON), parse(t, runtimeJSON))
	if err != nil {
		t.Fatal(err)
	}
	objects := plan.Objects()
	if len(objects) != 1 || objects[0].Action != gang.ActionCreate ||
		objects[0].Kind != "PodGroup" ||
		objects[0].Name != "llama" ||
		!strings.Contains(string(objects[0].JSON), `"minMember":4`) {
		t.Errorf("%+v", plan.Objects())
	}
	patches := plan.Patches()
	if len(patches) != 1 || patches[0].Role != "node" ||
		patches[0].Spec["schedulerName"] != "volcano" ||
		patches[0].Annotations["scheduling.k8s.io/group-name"] != "llama" {
		t.Errorf("%+v", plan.Patches())
	}
}

// A denied job has an error and a decision with the trace; the one-shot call has the error alone.
func TestDenied(t *testing.T) {
	documents := []*gang.Document{parse(t, runtimeJSON), parse(t, policyJSON)}
	decision, err := gang.Resolve(parse(t, jobJSON), gang.Inputs{Documents: documents})
	var failed *gang.Error
	if !errors.As(err, &failed) || failed.Result != gang.ResultDenied ||
		!hasResult(err, gang.ResultDenied) {
		t.Fatalf("%v", err)
	}
	if decision == nil || decision.Outcome() != gang.OutcomeDenied ||
		!strings.Contains(err.Error(), "[GANG") {
		t.Errorf("%+v %v", decision, err)
	}
	plan, err := gang.Render(parse(t, jobJSON), documents...)
	if plan != nil || !hasResult(err, gang.ResultDenied) {
		t.Errorf("%+v %v", plan, err)
	}
}

func TestEveryDiagnostic(t *testing.T) {
	invalid := strings.NewReplacer(
		`"numNodes":4`, `"numNodes":"x"`, `"name":"torch"`, `"name":7`,
	)
	_, err := gang.Parse([]byte(invalid.Replace(jobJSON)))
	var failed *gang.Error
	if !errors.As(err, &failed) || failed.Result != gang.ResultInvalid ||
		len(failed.Diagnostics) < 2 {
		t.Fatalf("%v", err)
	}
	for _, diagnostic := range failed.Diagnostics {
		if diagnostic.ID == "" || diagnostic.Line == 0 || diagnostic.Path == "" ||
			diagnostic.Message == "" ||
			diagnostic.Code.String() != diagnostic.Reason {
			t.Errorf("%+v", diagnostic)
		}
	}
}

func TestOptions(t *testing.T) {
	text := strings.Replace(jobJSON, `"runtimeRef"`, `"unknown":1,"runtimeRef"`, 1)
	parse(t, text).Close()
	if _, err := gang.Parse([]byte(text), gang.Strict()); !hasResult(err, gang.ResultInvalid) {
		t.Errorf("strict: %v", err)
	}
	limits, err := gang.NewLimits(map[gang.Limit]uint64{gang.LimitDepth: 3})
	if err != nil {
		t.Fatal(err)
	}
	_, err = gang.Parse([]byte(runtimeJSON), gang.WithLimits(limits))
	if !hasResult(err, gang.ResultLimit) {
		t.Errorf("limits: %v", err)
	}
	_, err = gang.NewLimits(map[gang.Limit]uint64{0: 3})
	if !hasResult(err, gang.ResultInvalidArgument) {
		t.Errorf("no such limit: %v", err)
	}
	_, err = gang.NewLimits(map[gang.Limit]uint64{gang.LimitNodes: 9, gang.LimitDepth: 0})
	if err == nil || err.Error() != "gang: InvalidArgument: nesting depth: 0 is out of range" {
		t.Errorf("out of range: %v", err)
	}
	runtime := parse(t, runtimeJSON)
	inputs := gang.Inputs{Documents: []*gang.Document{runtime}, CreatedUID: "a\x00b"}
	if _, err := gang.Resolve(parse(t, jobJSON), inputs); err == nil {
		t.Error("a uid with a NUL")
	}
}

// A job keeps the limits that it was parsed with, also where they were closed meanwhile.
func TestLimitsOfJob(t *testing.T) {
	limits, err := gang.NewLimits(map[gang.Limit]uint64{gang.LimitOutputBytes: 100})
	if err != nil {
		t.Fatal(err)
	}
	job, runtime := parse(t, jobJSON, gang.WithLimits(limits)), parse(t, runtimeJSON)
	if _, err := gang.Render(job, runtime); !hasResult(err, gang.ResultLimit) {
		t.Errorf("%v", err)
	}
	limits.Close()
	if _, err := gang.Render(job, runtime); err == nil {
		t.Error("closed limits")
	}
	if limits, err = gang.NewLimits(nil); err != nil {
		t.Fatal(err)
	}
	job = parse(t, jobJSON, gang.WithLimits(limits))
	limits.Close()
	if _, err := gang.Render(job, runtime); err == nil {
		t.Error("closed limits that a document keeps")
	}
	if _, err := gang.Parse([]byte(jobJSON), gang.WithLimits(limits)); err == nil {
		t.Error("a document with closed limits")
	}
	if plan, err := gang.Render(parse(t, jobJSON), job, runtime); plan != nil || err == nil {
		t.Errorf("a job among the inputs: %v", err)
	}
}

func TestClose(t *testing.T) {
	job, runtime := parse(t, jobJSON), parse(t, runtimeJSON)
	plan, err := gang.Render(job, runtime)
	if err != nil {
		t.Fatal(err)
	}
	for range 2 {
		job.Close()
		runtime.Close()
	}
	if _, err := gang.Render(job, runtime); !hasResult(err, gang.ResultInvalidArgument) {
		t.Errorf("closed documents: %v", err)
	}
	text, err := plan.Serialize(gang.TargetObjects, gang.FormatYAML)
	if err != nil || !strings.Contains(string(text), "minMember: 4") {
		t.Errorf("%s %v", text, err)
	}
	if job.Name() != "llama" {
		t.Error("a closed document keeps its name")
	}
	plan.Close()
	plan.Close()
	if _, err := plan.Serialize(gang.TargetObjects, gang.FormatYAML); err == nil {
		t.Error("closed plan")
	}
	if len(plan.Objects()) != 1 {
		t.Error("a closed plan keeps its objects")
	}
	var none gang.Document
	none.Close()
	if _, err := gang.Render(&none, &none); !hasResult(err, gang.ResultInvalidArgument) {
		t.Errorf("%v", err)
	}
}

// A document is nil if the error of Parse was not checked. A job must not get a gang because the
// policy that denies it could not be read.
func TestNilDocument(t *testing.T) {
	job, runtime := parse(t, jobJSON), parse(t, runtimeJSON)
	policy, _ := gang.Parse([]byte(strings.Replace(policyJSON, "spec", "sepc", 1)))
	if policy != nil {
		t.Fatal("the policy is valid")
	}
	plan, err := gang.Render(job, runtime)
	if err != nil {
		t.Fatal(err)
	}
	binding := parse(t, bindingJSON)
	for name, call := range map[string]func() error{
		"job":           func() error { _, err := gang.Render(nil, runtime); return err },
		"documents[1]":  func() error { _, err := gang.Render(job, runtime, policy); return err },
		"live":          func() error { _, err := plan.Reconcile(nil); return err },
		"live topology": func() error { _, err := binding.CompareTopology(nil); return err },
		"policy":        func() error { return binding.CheckTopology(policy) },
		"policy[1]":     func() error { return binding.CheckTopology(runtime, runtime) },
		"documents[0]": func() error {
			_, err := gang.Resolve(job, gang.Inputs{Documents: []*gang.Document{policy}})
			return err
		},
	} {
		err := call()
		argument, _, _ := strings.Cut(name, " ")
		if !hasResult(err, gang.ResultInvalidArgument) || !strings.Contains(err.Error(), argument+": ") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// A method may be called on nil, as a function of the library with NULL: it returns nothing, or an
// error.
func TestNilHandles(t *testing.T) {
	for _, none := range []any{
		(*gang.Document)(nil), (*gang.Stream)(nil), (*gang.Decision)(nil), (*gang.Plan)(nil),
		(*gang.Limits)(nil), &gang.Document{}, &gang.Stream{}, &gang.Decision{}, &gang.Plan{},
		&gang.Limits{},
	} {
		value := reflect.ValueOf(none)
		for i := range value.NumMethod() {
			name := fmt.Sprintf("%T %t %s", none, value.IsNil(), value.Type().Method(i).Name)
			callWithZeros(t, name, value.Method(i))
		}
	}
}

func callWithZeros(t *testing.T, name string, method reflect.Value) {
	t.Helper()
	var arguments []reflect.Value
	for i := range method.Type().NumIn() {
		arguments = append(arguments, reflect.Zero(method.Type().In(i)))
	}
	call := method.Call
	if method.Type().IsVariadic() {
		call = method.CallSlice
	}
	results := call(arguments)
	for i, result := range results {
		isError := result.Type() == reflect.TypeFor[error]()
		if isError == result.IsZero() {
			t.Errorf("%s: result %d is %v", name, i, result)
		}
	}
}

func TestNilOption(t *testing.T) {
	if _, err := gang.Parse([]byte(jobJSON), nil, gang.WithLimits(nil)); err != nil {
		t.Error(err)
	}
}

// The lines of a text that a program wrote mean nothing to a reader. Those of other documents stay.
func TestGenerated(t *testing.T) {
	wrong := strings.Replace(jobJSON, `"numNodes":4`, `"numNodes":"x"`, 1)
	_, err := gang.Parse([]byte(wrong), gang.Generated())
	var failed *gang.Error
	if !errors.As(err, &failed) || failed.Diagnostics[0].Line != 0 ||
		failed.Diagnostics[0].Column != 0 {
		t.Errorf("%v", err)
	}
	job, err := gang.Parse([]byte(jobJSON), gang.Generated())
	if err != nil {
		t.Fatal(err)
	}
	policy := parse(t, policyJSON)
	decision, err := gang.Resolve(job, gang.Inputs{
		Documents: []*gang.Document{parse(t, runtimeJSON), policy},
	})
	if !errors.As(err, &failed) {
		t.Fatal(err)
	}
	for _, diagnostic := range slices.Concat(
		job.Diagnostics(), decision.Diagnostics(), failed.Diagnostics) {
		generated := diagnostic.Document == gang.DocumentTrainJob
		if diagnostic.Path != "" && generated != (diagnostic.Line == 0) {
			t.Errorf("%+v", diagnostic)
		}
	}
	serving := parse(t, fmt.Sprintf(servingJSON, 2), gang.Generated())
	plan, err := gang.Render(serving, parse(t, sizesJSON))
	if err != nil {
		t.Fatal(err)
	}
	_, err = plan.Serialize(gang.TargetJob, gang.FormatJSON)
	if !errors.As(err, &failed) || failed.Diagnostics[0].Path == "" || failed.Diagnostics[0].Line != 0 {
		t.Errorf("%v", err)
	}
}

func TestReconcile(t *testing.T) {
	plan, err := gang.Render(parse(t, jobJSON), parse(t, runtimeJSON))
	if err != nil {
		t.Fatal(err)
	}
	again, err := plan.Reconcile(noObjects(t))
	if err != nil || again.Objects()[0].Action != gang.ActionCreate {
		t.Fatalf("%+v %v", again, err)
	}
	live, err := gang.ParseLive(plan.Objects()[0].JSON)
	if err != nil || live.Type() != gang.DocumentLive {
		t.Fatal(err)
	}
	again, err = plan.Reconcile(live)
	if err != nil || again.Objects()[0].Action != gang.ActionLeave {
		t.Errorf("%+v %v", again, err)
	}
	orphan, err := gang.ParseLive(withoutOwner(t, plan.Objects()[0].JSON))
	if err != nil {
		t.Fatal(err)
	}
	again, err = plan.Reconcile(orphan)
	if err == nil || again.Objects()[0].Action != gang.ActionConflict {
		t.Errorf("%+v %v", again, err)
	}
	again, err = plan.Reconcile(orphan, gang.Adopt())
	if err != nil || again.Objects()[0].Action != gang.ActionApply {
		t.Errorf("%+v %v", again, err)
	}
	another := strings.Replace(string(plan.Objects()[0].JSON), "8b7e", "another", 1)
	stranger, err := gang.ParseLive([]byte(another))
	if err != nil {
		t.Fatal(err)
	}
	again, err = plan.Reconcile(stranger)
	if err == nil || again == nil || again.Objects()[0].Action != gang.ActionConflict {
		t.Errorf("%+v %v", again, err)
	}
}

func noObjects(t *testing.T) *gang.Document {
	t.Helper()
	live, err := gang.ParseLive(nil)
	if err != nil {
		t.Fatal(err)
	}
	return live
}

func withoutOwner(t *testing.T, text []byte) []byte {
	t.Helper()
	var object map[string]any
	if err := json.Unmarshal(text, &object); err != nil {
		t.Fatal(err)
	}
	delete(object["metadata"].(map[string]any), "ownerReferences")
	text, err := json.Marshal(object)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

func TestStream(t *testing.T) {
	stream, err := gang.Split([]byte(jobJSON + "\n" + runtimeJSON))
	if err != nil {
		t.Fatal(err)
	}
	documents := stream.Documents()
	if len(documents) != 2 || documents[0].Kind != "TrainJob" || documents[1].Name != "torch" ||
		documents[1].Line != 4 ||
		string(documents[1].Data) != runtimeJSON {
		t.Errorf("%+v", documents)
	}
	text, err := stream.Convert(0, gang.FormatYAML)
	if err != nil || !strings.HasPrefix(string(text), "apiVersion: trainer") {
		t.Errorf("%s %v", text, err)
	}
	indexes := []int{-1, 2, math.MaxInt}
	if strconv.IntSize > 32 { // the lower half of the last one is 0
		indexes = append(indexes, math.MaxInt-math.MaxUint32)
	}
	for _, index := range indexes {
		_, err := stream.Convert(index, gang.FormatYAML)
		if !hasResult(err, gang.ResultInvalidArgument) {
			t.Errorf("%d: %v", index, err)
		}
	}
}

const bindingJSON = `{"apiVersion":"grove.io/v1alpha1","kind":"ClusterTopologyBinding",
	"metadata":{"name":"t","uid":"u"},"spec":{"levels":[{"domain":"zone","key":"z"}]}}`

func TestTopologyBinding(t *testing.T) {
	binding := parse(t, bindingJSON)
	if err := binding.CheckTopology(); err != nil {
		t.Error(err)
	}
	topology, err := binding.Topology(gang.FormatJSON)
	if err != nil || !strings.Contains(string(topology), `"kind":"Topology"`) {
		t.Fatalf("%s %v", topology, err)
	}
	if action, err := binding.CompareTopology(noObjects(t)); err != nil || action != gang.ActionCreate {
		t.Errorf("%s %v", action, err)
	}
	live, err := gang.ParseLive(topology)
	if err != nil {
		t.Fatal(err)
	}
	if action, err := binding.CompareTopology(live); err != nil || action != gang.ActionLeave {
		t.Errorf("%s %v", action, err)
	}
	_, err = parse(t, jobJSON).Topology(gang.FormatJSON)
	if !hasResult(err, gang.ResultInvalidArgument) {
		t.Errorf("%v", err)
	}
}

func TestLibrary(t *testing.T) {
	t.Log(gang.Engine(), gang.Version(), gang.Compiler())
	if gang.Version() == "" || gang.HasYAML() != (gang.Engine() == "system") {
		t.Errorf("version %q, YAML %t", gang.Version(), gang.HasYAML())
	}
	if names := gang.BackendNames(); len(names) < 4 {
		t.Errorf("%v", names)
	}
	text, err := gang.Backends(gang.FormatJSON)
	if err != nil || !strings.Contains(string(text), `"volcano"`) {
		t.Errorf("%s %v", text, err)
	}
	text, err = gang.Schema("GangPolicy", gang.FormatJSON)
	if err != nil || !strings.Contains(string(text), "$schema") {
		t.Errorf("%s %v", text, err)
	}
	if _, err := gang.Schema("Pod", gang.FormatJSON); !hasResult(err, gang.ResultInvalidArgument) {
		t.Errorf("%v", err)
	}
	if gang.Action(99).String() != "99" || gang.ActionCreate.String() != "Create" ||
		gang.ResultDenied.String() != "Denied" {
		t.Error("names")
	}
}

// Two goroutines for each thread do what a controller does, with shared and with own documents.
func TestGoroutines(t *testing.T) {
	shared := parse(t, runtimeJSON)
	expected, err := gang.Render(parse(t, jobJSON), shared)
	if err != nil {
		t.Fatal(err)
	}
	var group sync.WaitGroup
	for i := range 10_000 {
		group.Go(func() {
			job, err := gang.Parse([]byte(jobJSON))
			if err != nil {
				t.Error(err)
				return
			}
			plan, err := gang.Render(job, shared)
			if err != nil {
				t.Error(err)
				return
			}
			if string(plan.Objects()[0].JSON) != string(expected.Objects()[0].JSON) ||
				len(plan.Diagnostics()) != len(expected.Diagnostics()) {
				t.Errorf("%s", plan.Objects()[0].JSON)
			}
			if i%2 == 0 { // what is not closed is collected
				plan.Close()
				job.Close()
			}
		})
	}
	group.Wait()
}

// One goroutine closes what others use: they get the answer or an error.
func TestCloseWhileUsed(t *testing.T) {
	for range 200 {
		job, runtime := parse(t, jobJSON), parse(t, runtimeJSON)
		var group sync.WaitGroup
		for range 4 {
			group.Go(func() {
				plan, err := gang.Render(job, runtime)
				if err == nil && len(plan.Objects()) != 1 {
					t.Errorf("%+v", plan)
				}
			})
		}
		group.Go(runtime.Close)
		group.Wait()
	}
}

// What is in use is not collected, although the object is not needed after the call.
func TestCollectWhileUsed(t *testing.T) {
	done := make(chan struct{})
	var group sync.WaitGroup
	group.Go(func() {
		for {
			select {
			case <-done:
				return
			default:
				runtime.GC()
			}
		}
	})
	torch := parse(t, runtimeJSON)
	for range 3000 {
		plan, err := gang.Render(parse(t, jobJSON), torch)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := plan.Serialize(gang.TargetObjects, gang.FormatJSON); err != nil {
			t.Fatal(err)
		}
	}
	close(done)
	group.Wait()
}

func TestAnswersInParallel(t *testing.T) {
	cases := readAnswers(t)
	var group sync.WaitGroup
	for range 4 {
		group.Go(func() {
			for _, i := range rand.Perm(len(cases)) {
				cases[i].replay(t.Errorf)
			}
		})
	}
	group.Wait()
}

// tryEverything does with a text what can be done with a document. It must not panic.
func tryEverything(text []byte) {
	_, _ = gang.Split(text)
	_, _ = gang.ParseLive(text)
	document, err := gang.Parse(text)
	if err != nil {
		_ = err.Error()
		return
	}
	runtime, _ := gang.Parse([]byte(runtimeJSON))
	plan, err := gang.Render(document, runtime)
	if err != nil {
		return
	}
	_, _ = plan.Document()
	live, err := gang.ParseLive(text)
	if err == nil {
		_, _ = plan.Reconcile(live)
	}
}

func TestGarbage(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	tryEverything(nil)
	tryEverything([]byte(strings.Repeat("[", 1<<20)))
	for range 2000 {
		for _, text := range []string{jobJSON, runtimeJSON, policyJSON, bindingJSON} {
			changed := []byte(text)
			for range 1 + random.IntN(3) {
				at := random.IntN(len(changed))
				switch random.IntN(3) {
				case 0:
					changed[at] = byte(random.Uint32())
				case 1:
					changed = append(changed[:at], changed[at+random.IntN(len(changed)-at):]...)
				default:
					changed = append(changed, changed[at:]...)
				}
				if len(changed) == 0 {
					break
				}
			}
			tryEverything(changed)
		}
	}
}

func FuzzDocument(f *testing.F) {
	for _, text := range []string{jobJSON, runtimeJSON, policyJSON, bindingJSON, "{", "[\x00"} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) { tryEverything(text) })
}

// LIBGANG_CALLS=1000000 go test -run TestLeak: memory must not grow with the calls. A handle has
// 10 KB or more, so 20,000 lost ones are 200 MB. Under -race the detector's own memory grows by
// 20 MB, so only the runs without it compare.
func TestLeak(t *testing.T) {
	calls, _ := strconv.Atoi(os.Getenv("LIBGANG_CALLS"))
	if calls == 0 {
		calls = 20_000
	}
	shared := parse(t, runtimeJSON)
	for _, kind := range []struct {
		name  string
		close bool
	}{{"closed", true}, {"collected", false}} {
		t.Run(kind.name, func(t *testing.T) {
			once := func() {
				job := parse(t, jobJSON)
				plan, err := gang.Render(job, shared)
				if err != nil {
					t.Fatal(err)
				}
				if _, err := gang.Parse([]byte(`{"kind":"Pod"}`)); err == nil {
					t.Fatal("a pod")
				}
				if kind.close {
					plan.Close()
					job.Close()
				}
			}
			for range calls / 10 {
				once()
			}
			before := residentBytes(t)
			for range calls {
				once()
			}
			after := residentBytes(t)
			t.Logf("%d jobs: %d KB resident, %d KB more than after a tenth",
				calls, after>>10, (after-before)>>10)
			if after-before > 16<<20 && !underRace {
				t.Errorf("grown by %d KB", (after-before)>>10)
			}
		})
	}
}

func residentBytes(t *testing.T) int {
	t.Helper()
	debug.FreeOSMemory()
	text, err := os.ReadFile("/proc/self/statm")
	if err != nil {
		t.Skip("no /proc")
	}
	var size, resident int
	if _, err := fmt.Sscan(string(text), &size, &resident); err != nil {
		t.Fatal(err)
	}
	return resident * os.Getpagesize()
}
