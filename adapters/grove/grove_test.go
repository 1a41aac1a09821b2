// SPDX-License-Identifier: Apache-2.0

package grove_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	utiljson "k8s.io/apimachinery/pkg/util/json"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"libgang.dev/gang"
	"libgang.dev/gang/adapters/grove"
	"libgang.dev/gang/adapters/internal/world"
	"libgang.dev/gang/k8sgang"
	"libgang.dev/gang/k8sgang/apply"
)

type object = map[string]any

// A recorded case is what Grove's own code answered: tests/recorded/README.md.
type recorded struct {
	ID       string
	Profiles []string
	Default  string
	Objects  []any
	Steps    []step
	Main     struct{ Steps []answer }
}

type step struct {
	Apply, Admit, Prepare object
	Sync, Sched           string
}

type answer struct {
	Backend             *string
	Error, BackendError string
	NamePanic           string
	NameErrors          []string
	PodGroups, PodGangs []object
	Pod                 *struct {
		Labels, Annotations map[string]string
		SchedulerName       string
	}
}

func cases(t *testing.T) (found []recorded) {
	t.Helper()
	file, err := os.Open("../../tests/recorded/grove/grove.ndjson")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close() //nolint:errcheck // it was only read
	lines := bufio.NewScanner(file)
	lines.Buffer(nil, 1<<24)
	for lines.Scan() {
		one := recorded{}
		if err := json.Unmarshal(lines.Bytes(), &one); err != nil {
			t.Fatal(err)
		}
		found = append(found, one)
	}
	if lines.Err() != nil || len(found) != 276 {
		t.Fatal(len(found), lines.Err())
	}
	return found
}

// keeper has a server with the objects, and a policy that enables what Grove's configuration does.
func (r *recorded) keeper(t *testing.T) *apply.Keeper {
	t.Helper()
	backends := []object{}
	for _, profile := range append(slices.Clone(r.Profiles), "default-scheduler") {
		kind := map[string]string{"kai-scheduler": "KAI", "volcano": "Volcano"}[profile]
		if kind == "" {
			kind = "None"
		}
		one := object{"name": profile, "type": kind, "schedulerName": profile}
		known := func(other object) bool { return other["name"] == profile }
		if !slices.ContainsFunc(backends, known) {
			backends = append(backends, one)
		}
	}
	text, err := json.Marshal(object{"apiVersion": "policy.libgang.dev/v1alpha1",
		"kind": "GangPolicy", "metadata": object{"name": "grove"},
		"spec": object{"backends": backends, "defaultBackend": r.Default}})
	if err != nil {
		t.Fatal(err)
	}
	policy, err := gang.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	c := world.Client(t, []func(*runtime.Scheme) error{corev1.AddToScheme})
	for _, one := range r.Objects {
		if fields, ok := one.(object); ok { // "$volcano" is what Grove asks for, not the adapter
			create(t, c, fields)
		}
	}
	return &apply.Keeper{Client: c, Planner: &apply.Planner{
		Policy: func(context.Context) (*gang.Document, error) { return policy, nil }}}
}

// create has the kind that the recording shows with the scheduler in front.
func create(t *testing.T, c client.Client, fields object) {
	t.Helper()
	made := &unstructured.Unstructured{Object: runtime.DeepCopyJSON(numbers(t, fields))}
	made.SetResourceVersion("")
	known := apply.New(made.GroupVersionKind())
	err := c.Get(t.Context(), client.ObjectKeyFromObject(made), known)
	if err == nil {
		err = c.Delete(t.Context(), known)
	}
	if client.IgnoreNotFound(err) == nil {
		err = c.Create(t.Context(), made)
	}
	if err != nil {
		t.Fatal(err)
	}
}

func numbers(t *testing.T, fields object) object {
	t.Helper()
	text, err := json.Marshal(fields)
	read := &unstructured.Unstructured{}
	if err == nil {
		err = read.UnmarshalJSON(text)
	}
	if err != nil {
		t.Fatal(err)
	}
	return read.Object
}

func typed(t *testing.T, fields object, into any) bool {
	t.Helper()
	text, err := json.Marshal(fields)
	if err != nil {
		t.Fatal(err)
	}
	return json.Unmarshal(text, into) == nil
}

// Findings of libgang that Grove does not have: tests/recorded/README.md says why. Those of objects
// that no API server admits are among them.
var refusals = []gang.Code{
	gang.CodeSchedulersDisagree, gang.CodeSchedulerMismatch, gang.CodeGroveQueueConflict,
	gang.CodePodgroupUnknown, gang.CodePodgroupInTwoConfigs, gang.CodeDuplicateItem,
	gang.CodeInvalidName, gang.CodeKaiGroupRefused, gang.CodeInvalidLabelValue,
	gang.CodeValueOutOfRange,
}

func isRefusedOnPurpose(err error) bool {
	return slices.ContainsFunc(k8sgang.Diagnostics(err), func(one gang.Diagnostic) bool {
		return one.Severity == gang.SeverityError && slices.Contains(refusals, one.Code)
	})
}

// A tally counts what was compared, so that what is left out cannot grow unseen: groups that are
// equal, PodGangs that both refuse, or libgang alone, sets and pods.
type tally struct{ groups, refused, refusedOnPurpose, sets, pods, unlabelled int }

// TestRecorded plays what was recorded of Grove's own backends.
func TestRecorded(t *testing.T) {
	compared := tally{}
	for _, one := range cases(t) {
		t.Run(one.ID, func(t *testing.T) { play(t, &one, &compared) })
	}
	if want := (tally{109, 67, 72, 120, 13, 11}); compared != want {
		t.Errorf("compared %+v, not %+v", compared, want)
	}
}

func play(t *testing.T, one *recorded, compared *tally) {
	t.Helper()
	var keeper *apply.Keeper
	for i, step := range one.Steps {
		answer := &one.Main.Steps[i]
		if keeper == nil && (step.Apply != nil || step.Admit != nil || step.Prepare != nil ||
			len(answer.PodGangs) > 0) { // Grove's configuration is another matter
			keeper = one.keeper(t)
		}
		switch {
		case step.Apply != nil:
			create(t, keeper.Client, step.Apply)
		case step.Sync != "":
			playSync(t, one, keeper, step.Sync, answer, compared)
		case step.Admit != nil:
			playAdmission(t, keeper, step.Admit, answer, compared)
		case step.Prepare != nil:
			playPod(t, keeper, step, answer, compared)
		}
		for _, made := range answer.PodGangs {
			made["apiVersion"] = podGang.GroupVersion().String()
			create(t, keeper.Client, made)
		}
	}
}

var podGang = schema.GroupVersionKind{
	Group: "scheduler.grove.io", Version: "v1alpha1", Kind: "PodGang"}

var groupKinds = map[string]string{
	"kai.PodGroup": "scheduling.run.ai/v2alpha2", "volcano.PodGroup": "scheduling.volcano.sh/v1beta1"}

func playSync(t *testing.T, one *recorded, keeper *apply.Keeper, name string, answer *answer,
	compared *tally) {
	t.Helper()
	namespace, name, _ := strings.Cut(name, "/")
	known := apply.New(podGang)
	key := client.ObjectKey{Namespace: namespace, Name: name}
	if err := keeper.Client.Get(t.Context(), key, known); err != nil {
		t.Fatal(err)
	}
	given := &grove.PodGang{}
	if !typed(t, known.Object, given) {
		return // no API server admits it
	}
	err := grove.New(*answer.Backend, keeper).SyncPodGang(t.Context(), given)
	switch {
	case err != nil && answer.Error != "":
		compared.refused++
	case err != nil && isRefusedOnPurpose(err):
		compared.refusedOnPurpose++
	case err != nil || answer.Error != "":
		t.Errorf("%v, and Grove: %s", err, answer.Error)
	default:
		for _, group := range answer.PodGroups {
			compared.groups++
			compare(t, one, keeper.Client, group)
		}
		return
	}
	for _, group := range answer.PodGroups { // as Grove leaves it for the next step
		put(t, keeper.Client, group)
	}
}

func put(t *testing.T, c client.Client, group object) {
	t.Helper()
	copied := runtime.DeepCopyJSON(numbers(t, group))
	kind, _ := copied["kind"].(string)
	if groupKinds[kind] == "" {
		return
	}
	copied["apiVersion"], copied["kind"] = groupKinds[kind], "PodGroup"
	create(t, c, copied)
}

func compare(t *testing.T, one *recorded, c client.Client, expected object) {
	t.Helper()
	kind, _ := expected["kind"].(string)
	want := &unstructured.Unstructured{Object: numbers(t, expected)}
	found := apply.New(schema.FromAPIVersionAndKind(groupKinds[kind], "PodGroup"))
	if err := c.Get(t.Context(), client.ObjectKeyFromObject(want), found); err != nil {
		t.Error(err)
		return
	}
	if owners := want.GetOwnerReferences(); len(owners) == 1 && owners[0].UID == "" {
		want.SetOwnerReferences(nil) // libgang writes no owner without a uid
	}
	for what, pair := range map[string][2]any{
		"labels":      {found.GetLabels(), want.GetLabels()},
		"annotations": {found.GetAnnotations(), want.GetAnnotations()},
		"spec":        {one.asGrove(t, found.Object["spec"]), withoutEmpty(want.Object["spec"])},
	} {
		if fmt.Sprint(pair[0]) != fmt.Sprint(pair[1]) {
			t.Errorf("%s: %v, not %v", what, pair[0], pair[1])
		}
	}
	if !reflect.DeepEqual(found.GetOwnerReferences(), want.GetOwnerReferences()) {
		t.Errorf("owners: %v, not %v", found.GetOwnerReferences(), want.GetOwnerReferences())
	}
}

// asGrove has what libgang does otherwise on purpose as Grove has it: the name of the binding in
// place of the topology that the binding names, and the default queue of Volcano where cliques
// alone name one.
func (r *recorded) asGrove(t *testing.T, spec any) any {
	t.Helper()
	fields, _ := withoutEmpty(spec).(object)
	text, err := json.Marshal(fields)
	if err != nil {
		t.Fatal(err)
	}
	for from, to := range r.topologies() {
		text = bytes.ReplaceAll(text, []byte(`"topology":"`+from+`"`), []byte(`"topology":"`+to+`"`))
	}
	if strings.HasPrefix(r.ID, "volcano/clique-only queue") {
		text = bytes.ReplaceAll(text, []byte(`"queue":"gpu"`), []byte(`"queue":"default"`))
	}
	return numbersOf(t, text)
}

func (r *recorded) topologies() map[string]string {
	found := map[string]string{}
	for _, one := range r.Objects {
		fields, _ := one.(object)
		made := unstructured.Unstructured{Object: fields}
		if made.GetKind() != "ClusterTopologyBinding" {
			continue
		}
		bindings, _, _ := unstructured.NestedSlice(fields, "spec", "schedulerTopologyBindings")
		for _, binding := range bindings {
			binding, _ := binding.(object)
			reference, _ := binding["topologyReference"].(string)
			found[reference] = made.GetName()
		}
	}
	return found
}

func numbersOf(t *testing.T, text []byte) any {
	t.Helper()
	var read any
	if err := utiljson.Unmarshal(text, &read); err != nil {
		t.Fatal(err)
	}
	return read
}

// withoutEmpty leaves out what Go writes as `{}` and `[]`, and others not at all.
func withoutEmpty(spec any) any {
	fields, _ := spec.(object)
	kept := object{}
	for name, value := range fields {
		inner, isMap := value.(object)
		list, isList := value.([]any)
		if !(isMap && len(inner) == 0) && !(isList && len(list) == 0) && value != nil {
			kept[name] = value
		}
	}
	return kept
}

// Facts that only a cluster has: whether a queue of Volcano is open.
func isFact(text string) bool {
	return strings.Contains(text, "does not exist") || strings.Contains(text, "is not Open")
}

func playAdmission(t *testing.T, keeper *apply.Keeper, fields object, answer *answer,
	compared *tally) {
	t.Helper()
	set := &grove.PodCliqueSet{}
	if !typed(t, fields, set) || answer.Backend == nil {
		return
	}
	if answer.NamePanic != "" {
		return // there is no clique
	}
	err := grove.New(*answer.Backend, keeper).ValidatePodCliqueSet(t.Context(), set)
	refuses := len(answer.NameErrors) > 0 ||
		answer.BackendError != "" && !isFact(answer.BackendError)
	compared.sets++
	if (err != nil) != refuses && !isRefusedOnPurpose(err) {
		t.Errorf("%v: %v %s", err, answer.NameErrors, answer.BackendError)
	}
}

func playPod(t *testing.T, keeper *apply.Keeper, step step, answer *answer, compared *tally) {
	t.Helper()
	pod := &corev1.Pod{}
	if !typed(t, step.Prepare, pod) || answer.Backend == nil || answer.Pod == nil {
		return
	}
	create(t, keeper.Client, numbersOf(t, []byte(`{"apiVersion": "grove.io/v1alpha1",
"kind": "PodCliqueSet", "metadata": {"name": "job", "namespace": "default", "uid": "u",
"labels": {"kai.scheduler/queue": "q"}}, "spec": {"template": {"cliques": [
{"name": "a", "spec": {"roleName": "a", "podSpec": {"containers": []}}}]}}}`)).(object))
	if pod.Labels["grove.io/podgang"] != "" {
		create(t, keeper.Client, object{"apiVersion": podGang.GroupVersion().String(),
			"kind": podGang.Kind, "metadata": object{"name": pod.Labels["grove.io/podgang"],
				"namespace": "default", "labels": object{"grove.io/scheduler-name": *answer.Backend},
				"ownerReferences": []any{object{"apiVersion": "grove.io/v1alpha1", "kind": "PodCliqueSet",
					"name": "job", "uid": "u", "controller": true}}},
			"spec": object{"podgroups": []any{object{"name": pod.Labels["grove.io/podclique"],
				"minReplicas": 1, "podReferences": []any{}}}}})
	}
	err := grove.New(*answer.Backend, keeper).PreparePod(pod)
	if pod.Labels["grove.io/podgang"] == "" || pod.Labels["grove.io/podclique"] == "" {
		compared.unlabelled++ // Grove gives each pod both labels; not every backend reads them
		if err == nil {
			t.Error("a pod of no PodGang is prepared")
		}
		return
	}
	compared.pods++
	if (err != nil) != (answer.Error != "") {
		t.Errorf("%v: %s", err, answer.Error)
	}
	if fmt.Sprint(pod.Labels) != fmt.Sprint(answer.Pod.Labels) ||
		fmt.Sprint(pod.Annotations) != fmt.Sprint(answer.Pod.Annotations) ||
		pod.Spec.SchedulerName != answer.Pod.SchedulerName {
		t.Errorf("%v %v %s, not %+v", pod.Labels, pod.Annotations, pod.Spec.SchedulerName, answer.Pod)
	}
}
