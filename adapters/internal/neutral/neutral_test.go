// SPDX-License-Identifier: Apache-2.0

package neutral_test

import (
	"context"
	"strings"
	"testing"

	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/utils/ptr"

	"libgang.dev/gang"
	"libgang.dev/gang/adapters/internal/neutral"
	"libgang.dev/gang/adapters/internal/world"
	"libgang.dev/gang/k8sgang/apply"
)

// job has four pods of 2 CPUs, a label by which a policy selects it, and an old mark.
func job() *batchv1.Job {
	of := &batchv1.Job{}
	of.Name, of.Namespace, of.UID = "bert", "ml", "u-1"
	of.Labels = map[string]string{"ask": "gang", "team": "nlp"}
	of.Annotations = map[string]string{neutral.GroupMark: "an old group"}
	of.Spec.CompletionMode = ptr.To(batchv1.IndexedCompletion)
	of.Spec.Parallelism, of.Spec.Completions = ptr.To[int32](4), ptr.To[int32](4)
	container := corev1.Container{Name: "c", Image: "none"}
	container.Resources.Requests = corev1.ResourceList{corev1.ResourceCPU: *world.Quantity("2")}
	of.Spec.Template.Spec.Containers = []corev1.Container{container}
	of.Spec.Template.Spec.NodeSelector = map[string]string{"pool": "a"}
	return of
}

func keeper(t *testing.T, backend string) *apply.Keeper {
	t.Helper()
	types := []func(*runtime.Scheme) error{batchv1.AddToScheme}
	return &apply.Keeper{Client: world.Client(t, types), Planner: world.Planner(t, backend)}
}

var kind = batchv1.SchemeGroupVersion.WithKind("Job")

func plan(t *testing.T, keeper *apply.Keeper, names neutral.Names) (*gang.Plan, error) {
	t.Helper()
	of := job()
	made, err := neutral.Plan(t.Context(), keeper, kind, of, "ask", names)
	if of.Annotations[neutral.GroupMark] == "" || of.Labels["ask"] == "" {
		t.Error("the job is changed")
	}
	return made, err
}

// The names of a style are used for its schedulers alone, and a job is planned as it is otherwise.
func TestStyles(t *testing.T) {
	named := func(suffix string) func(*neutral.Job) error {
		return func(job *neutral.Job) error {
			job.Set("bert-"+suffix, "groupName")
			return nil
		}
	}
	names := neutral.Names{neutral.Volcano: named("v"), neutral.YuniKorn: named("y")}
	for backend, want := range map[string]struct {
		style neutral.Style
		name  string
	}{
		"Volcano": {neutral.Volcano, "bert-v"}, "YuniKorn": {neutral.YuniKorn, "ml-bert-y-"},
		"Coscheduling": {neutral.Plain, "bert"}, "Koordinator": {neutral.Plain, "bert"},
	} {
		made, err := plan(t, keeper(t, backend), names)
		if err != nil {
			t.Fatal(err)
		}
		name := made.Patches()[0].Labels["yunikorn.apache.org/app-id"]
		if objects := made.Objects(); len(objects) > 0 {
			name = objects[0].Name
		}
		if neutral.StyleOf(made) != want.style || !strings.HasPrefix(name, want.name) {
			t.Errorf("%s: %d %q", backend, neutral.StyleOf(made), name)
		}
		made.Close()
	}
}

// A policy may select by the label that libgang does not see in the job itself.
func TestLabels(t *testing.T) {
	k := keeper(t, "Volcano")
	policy, err := gang.Parse([]byte(`{"apiVersion": "policy.libgang.dev/v1alpha1",
"kind": "GangPolicy", "metadata": {"name": "p"}, "spec": {
"backends": [{"name": "one", "type": "Volcano"}], "rules": [{"name": "asked", "match":
{"kinds": ["Job"], "objectSelector": {"matchLabels": {"ask": "gang"}}}, "backend": "one"}]}}`))
	if err != nil {
		t.Fatal(err)
	}
	k.Planner.Policy = func(context.Context) (*gang.Document, error) { return policy, nil }
	made, err := plan(t, k, nil)
	if err != nil || len(made.Objects()) != 1 {
		t.Fatalf("%v: %v", made.Objects(), err)
	}
	made.Close()
}

// A placeholder fits where the pods fit, and has their requests.
func TestPlace(t *testing.T) {
	template := &job().Spec.Template
	made, err := plan(t, keeper(t, "YuniKorn"), neutral.Names{
		neutral.YuniKorn: func(known *neutral.Job) error {
			role, _ := known.Roles()[0]["name"].(string)
			return known.Place(map[string]string{role: "all-pods"},
				map[string]*corev1.PodTemplateSpec{role: template})
		}})
	if err != nil {
		t.Fatal(err)
	}
	defer made.Close()
	groups := made.Patches()[0].Annotations[neutral.TaskGroups]
	for _, part := range []string{`"name":"all-pods"`, `"minMember":4`, `"cpu":"2"`,
		`"nodeSelector":{"pool":"a"}`} {
		if !strings.Contains(groups, part) {
			t.Errorf("%s is not in %s", part, groups)
		}
	}
}

// What a runtime class adds to the pods is in their requests already.
func TestOverhead(t *testing.T) {
	template := &job().Spec.Template
	template.Spec.RuntimeClassName = ptr.To("kata")
	template.Spec.Overhead = corev1.ResourceList{corev1.ResourceCPU: *world.Quantity("1")}
	k := keeper(t, "YuniKorn")
	facts, err := gang.Parse([]byte(`{"apiVersion": "policy.libgang.dev/v1alpha1",
"kind": "GangCluster", "metadata": {"name": "c"}, "spec": {"runtimeClasses": [
{"name": "kata", "overhead": {"cpu": "1"}}]}}`))
	if err != nil {
		t.Fatal(err)
	}
	k.Planner.Facts = func(context.Context) (*gang.Document, error) { return facts, nil }
	made, err := plan(t, k, neutral.Names{neutral.YuniKorn: func(known *neutral.Job) error {
		role, _ := known.Roles()[0]["name"].(string)
		return known.Place(nil, map[string]*corev1.PodTemplateSpec{role: template})
	}})
	if err != nil {
		t.Fatal(err)
	}
	defer made.Close()
	if groups := made.Patches()[0].Annotations[neutral.TaskGroups]; !strings.Contains(groups,
		`"cpu":"2"`) {
		t.Errorf("%s", groups)
	}
}

func TestRequests(t *testing.T) {
	_, err := plan(t, keeper(t, "Volcano"), neutral.Names{
		neutral.Volcano: func(known *neutral.Job) error {
			sum, err := known.Requests()
			if err != nil || len(sum) != 1 || sum["cpu"] != "8" {
				t.Errorf("%v: %v", sum, err)
			}
			return nil
		}})
	if err != nil {
		t.Fatal(err)
	}
}

func TestKeys(t *testing.T) {
	keys := neutral.Keys{"app": "old-app", "queue": ""}
	found := keys.Of(map[string]string{"app": "a", "queue": "q", "other": "o"})
	if len(found) != 3 || found["app"] != "a" || found["old-app"] != "a" || found["queue"] != "q" {
		t.Errorf("%v", found)
	}
	if found := keys.Of(nil); len(found) > 0 {
		t.Errorf("%v", found)
	}
}
