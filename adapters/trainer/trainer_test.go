// SPDX-License-Identifier: Apache-2.0

package trainer_test

import (
	"context"
	"fmt"
	"net/http"
	"os"
	"strings"
	"testing"

	configuration "github.com/kubeflow/trainer/v2/pkg/apis/config/v1alpha1"
	api "github.com/kubeflow/trainer/v2/pkg/apis/trainer/v1alpha1"
	"github.com/kubeflow/trainer/v2/pkg/controller"
	operator "github.com/kubeflow/trainer/v2/pkg/runtime"
	"github.com/kubeflow/trainer/v2/pkg/runtime/core"
	testutil "github.com/kubeflow/trainer/v2/pkg/util/testing"
	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/rest"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	ctrlpkg "sigs.k8s.io/controller-runtime/pkg/controller"
	metrics "sigs.k8s.io/controller-runtime/pkg/metrics/server"
	jobset "sigs.k8s.io/jobset/client-go/applyconfiguration/jobset/v1alpha2"
	"sigs.k8s.io/yaml"

	"libgang.dev/gang"
	"libgang.dev/gang/adapters/trainer"
	"libgang.dev/gang/k8sgang/apply"
)

const examples = "../../examples/"

func read(t testing.TB, file string, into any) {
	t.Helper()
	text, err := os.ReadFile(examples + file)
	if err == nil {
		err = yaml.Unmarshal(text, into)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// A world has an example, whose runtime asks for the operator's own plugin unless it is changed.
type world struct {
	client  client.Client
	runtime operator.Runtime // with libgang
	bare    operator.Runtime
	job     *api.TrainJob
	wrapped map[string]operator.Runtime
}

func open(t testing.TB, example, backend string, change func(*api.ClusterTrainingRuntime)) *world {
	t.Helper()
	runtime, job := &api.ClusterTrainingRuntime{}, &api.TrainJob{}
	read(t, example+"/runtime.yaml", runtime)
	read(t, example+"/trainjob.yaml", job)
	job.UID, job.Spec.RuntimeRef.Kind = "u-1", &runtime.Kind
	if group := api.GroupVersion.Group; job.Spec.RuntimeRef.APIGroup == nil {
		job.Spec.RuntimeRef.APIGroup = &group
	}
	change(runtime)
	builder := testutil.NewClientBuilder().WithObjects(runtime, job)
	c := builder.Build()
	made, err := core.New(t.Context(), c, testutil.AsIndex(testutil.NewClientBuilder()),
		&configuration.Configuration{})
	if err != nil {
		t.Fatal(err)
	}
	text := fmt.Sprintf(`{"apiVersion": "policy.libgang.dev/v1alpha1", "kind": "GangPolicy",
"metadata": {"name": "p"}, "spec": {"backends": [{"name": "one", "type": %q}],
"defaultBackend": "one"}}`,
		backend)
	policy, err := gang.Parse([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	gangs := &apply.Keeper{Client: c, Planner: &apply.Planner{
		Policy: func(context.Context) (*gang.Document, error) { return policy, nil }},
		Kinds: []schema.GroupVersionKind{groupKind}}
	name := core.ClusterTrainingRuntimeGroupKind
	wrapped := trainer.Wrap(gangs, made)
	return &world{c, wrapped[name], made[name], job, wrapped}
}

var groupKind = schema.GroupVersionKind{
	Group: "scheduling.x-k8s.io", Version: "v1alpha1", Kind: "PodGroup"}

// The controller of the operator is built with what the adapter watches.
func TestController(t *testing.T) {
	w := open(t, "bert-coscheduling", "Coscheduling", func(*api.ClusterTrainingRuntime) {})
	manager, err := ctrl.NewManager(&rest.Config{Host: "127.0.0.1:1"}, ctrl.Options{
		Scheme: w.client.Scheme(), Metrics: metrics.Options{BindAddress: "0"},
		MapperProvider: func(*rest.Config, *http.Client) (meta.RESTMapper, error) {
			return w.client.RESTMapper(), nil
		}})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := controller.SetupControllers(manager, w.wrapped, ctrlpkg.Options{}); err != nil {
		t.Error(err)
	}
}

// templates are the pod templates of the built JobSet, by role, and the kinds of the other objects.
func templates(t *testing.T, of operator.Runtime, job *api.TrainJob) (
	found map[string]string, kinds []string) {
	t.Helper()
	objects, err := of.NewObjects(t.Context(), job)
	if err != nil {
		t.Fatal(err)
	}
	found = map[string]string{}
	for _, object := range objects {
		made, ok := object.(*jobset.JobSetApplyConfiguration)
		if !ok {
			text, _ := yaml.Marshal(object)
			kinds = append(kinds, string(text))
			continue
		}
		for _, role := range made.Spec.ReplicatedJobs {
			text, err := yaml.Marshal(role.Template.Spec.Template)
			if err != nil {
				t.Fatal(err)
			}
			found[*role.Name] = string(text)
		}
	}
	return found, kinds
}

func minimum(t *testing.T, c client.Client, apiVersion, name string) int64 {
	t.Helper()
	found := apply.New(schema.FromAPIVersionAndKind(apiVersion, "PodGroup"))
	if err := c.Get(t.Context(), client.ObjectKey{Namespace: "ml", Name: name}, found); err != nil {
		t.Fatal(err)
	}
	value, _, _ := unstructured.NestedInt64(found.Object, "spec", "minMember")
	return value
}

const mark = "scheduling.x-k8s.io/pod-group"

// The initializers run before the trainers, and end: the operator counts and marks them, so no pod
// of this job ever starts.
func TestInitializersAreOutside(t *testing.T) {
	const example = "torchtune-llama"
	withPolicy := func(runtime *api.ClusterTrainingRuntime) {
		seconds := int32(60)
		runtime.Spec.PodGroupPolicy = &api.PodGroupPolicy{PodGroupPolicySource: api.PodGroupPolicySource{
			Coscheduling: &api.CoschedulingPodGroupPolicySource{ScheduleTimeoutSeconds: &seconds}}}
	}
	before := open(t, example, "Coscheduling", withPolicy)
	marks, kinds := templates(t, before.bare, before.job)
	if !strings.Contains(marks["model-initializer"], mark) || len(kinds) == 0 ||
		!strings.Contains(strings.Join(kinds, ""), "PodGroup") {
		t.Fatalf("the operator has changed: %v %v", marks, kinds)
	}
	after := open(t, example, "Coscheduling", withPolicy)
	marks, kinds = templates(t, after.runtime, after.job)
	if strings.Contains(strings.Join(kinds, ""), "PodGroup") {
		t.Errorf("the operator's PodGroup is left: %v", kinds)
	}
	for role, template := range marks {
		if strings.Contains(template, mark) != (role == "node") {
			t.Errorf("%s: %s", role, template)
		}
		if !strings.Contains(template, "schedulerName: scheduler-plugins-scheduler") {
			t.Errorf("%s has no scheduler: %s", role, template)
		}
	}
	minimum(t, after.client, "scheduling.x-k8s.io/v1alpha1", after.job.Name)
}

// A policy gives the operator the backends that it has no plugin for.
func TestOtherBackends(t *testing.T) {
	for backend, scheduler := range map[string]string{"KAI": "kai-scheduler", "YuniKorn": "yunikorn",
		"Koordinator": "koord-scheduler", "Volcano": "volcano", "Workload": "schedulingGroup"} {
		w := open(t, "torch", backend, func(runtime *api.ClusterTrainingRuntime) {
			runtime.Spec.PodGroupPolicy = nil
		})
		marks, _ := templates(t, w.runtime, w.job)
		for role, template := range marks {
			if !strings.Contains(template, scheduler) {
				t.Errorf("%s: %s: %s", backend, role, template)
			}
		}
	}
}

// All that is wrong is told when the job is created.
func TestRefused(t *testing.T) {
	w := open(t, "torch", "Volcano", func(runtime *api.ClusterTrainingRuntime) {
		pods := &runtime.Spec.Template.Spec.ReplicatedJobs[0].Template.Spec.Template
		pods.Spec.SchedulerName = "my-scheduler"
	})
	_, problems := w.runtime.ValidateObjects(t.Context(), nil, w.job)
	if len(problems) == 0 {
		t.Error("no problem")
	}
}

// What is no error is told, too: in compatibility mode a class that the cluster does not have.
func TestWarned(t *testing.T) {
	w := open(t, "torch", "Coscheduling", func(runtime *api.ClusterTrainingRuntime) {
		runtime.Spec.PodGroupPolicy = &api.PodGroupPolicy{PodGroupPolicySource: api.PodGroupPolicySource{
			Coscheduling: &api.CoschedulingPodGroupPolicySource{}}}
		pods := &runtime.Spec.Template.Spec.ReplicatedJobs[0].Template.Spec.Template
		pods.Spec.PriorityClassName = "missing"
	})
	parsed := func(text string) func(context.Context) (*gang.Document, error) {
		return func(context.Context) (*gang.Document, error) { return gang.Parse([]byte(text)) }
	}
	runtime, _ := w.runtime.(*trainer.Runtime)
	runtime.Planner.Policy = parsed(`{"apiVersion": "policy.libgang.dev/v1alpha1",
"kind": "GangPolicy", "metadata": {"name": "p"}, "spec": {"compatibility": "KubeflowTrainer"}}`)
	runtime.Planner.Facts = parsed(`{"apiVersion": "policy.libgang.dev/v1alpha1",
"kind": "GangCluster", "metadata": {"name": "c"}, "spec": {"priorityClasses": []}}`)
	warnings, problems := w.runtime.ValidateObjects(t.Context(), nil, w.job)
	if !strings.Contains(strings.Join(warnings, "\n"), "GANG645") || len(problems) > 0 {
		t.Errorf("%v %v", warnings, problems)
	}
}
