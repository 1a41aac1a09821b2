// SPDX-License-Identifier: Apache-2.0

package main

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	admissionv1 "k8s.io/api/admission/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/webhook/admission"

	"libgang.dev/gang"
	"libgang.dev/gang/k8sgang"
	"libgang.dev/gang/k8sgang/apply"
)

// A marker sets the marks in jobs, in what operators create from them, and in pods, as jobKinds
// says.
type marker struct {
	planner *apply.Planner
	// The job of a child or a pod may be a few milliseconds old, so the cache may lack it.
	cached, live client.Reader
	acts         func(ctx context.Context, namespace string) bool
	reports      rulesTest
}

// Handle answers for every kind. Trainer writes a refusal into an event of the TrainJob, whose
// author does not see the runtime.
func (m *marker) Handle(ctx context.Context, request admission.Request) admission.Response {
	if request.Operation != admissionv1.Update && !m.acts(ctx, request.Namespace) {
		return admission.Allowed("gangs are only reported here")
	}
	hook := &apply.Webhook{Job: gang.DocumentJob, Other: field.NewPath("spec")}
	hook.Mark = func(ctx context.Context, object *unstructured.Unstructured) error {
		if rowOfController(object).isTrainJob() {
			hook.Job, hook.Other = gang.DocumentTrainJob, field.NewPath("spec", "runtimeRef")
		}
		return m.mark(ctx, object)
	}
	return hook.Handle(ctx, request)
}

func (m *marker) mark(ctx context.Context, object *unstructured.Unstructured) error {
	if object.GroupVersionKind() == podKind {
		return m.markPod(ctx, object)
	}
	if row := rowOfController(object); row != nil && creates(row, object) {
		return m.markChild(ctx, row, metav1.GetControllerOf(object), object)
	}
	if row := rowOf(object.GetAPIVersion(), object.GetKind()); row != nil {
		return m.markJob(ctx, row, object)
	}
	return nil
}

func creates(row *jobKind, object *unstructured.Unstructured) bool {
	return slices.ContainsFunc(row.children, func(kind schema.GroupVersionKind) bool {
		return kind.GroupKind() == object.GroupVersionKind().GroupKind()
	})
}

// markJob marks the templates of a new job, or notes in it that its children or pods are to be
// marked. A job without the note was there before the operator: its pods get no marks one by one,
// because a gang of which some pods have no mark never fills.
func (m *marker) markJob(ctx context.Context, row *jobKind, job *unstructured.Unstructured) error {
	named := apply.Named(job) // the name is there when the children and pods come
	plans, err := m.plansFor(ctx, row, named)
	if err != nil {
		return err
	}
	defer apply.Close(plans)
	planned := plans[0]
	if planned.Outcome != gang.OutcomeGang || m.reports(ctx, m.live, named) {
		return nil
	}
	where := row.placeFor(planned.Backend.Type)
	if where == inTemplates && job.GetName() == "" {
		where = row.workload // the place where the job has its name
	}
	if where == inTemplates {
		if err := apply.SetMarks(plans, job); err != nil {
			return err
		}
	}
	return note(job, where, planned.Backend)
}

// plansFor plans all gangs of a job if its templates may get marks; else the first one says which
// backend it has. A LeaderWorkerSet may have thousands.
func (m *marker) plansFor(ctx context.Context, row *jobKind, job *unstructured.Unstructured) (
	[]*apply.Planned, error) {
	if row.labels == inTemplates {
		return m.planner.Plans(ctx, m.live, job)
	}
	return m.planner.Plans(ctx, m.live, job, 0)
}

// A placeNote is the value of the annotation, with the keys of the marks in the templates.
type placeNote struct {
	Place       place    `json:"place"`
	Backend     string   `json:"backend"` // its type
	Scheduler   string   `json:"scheduler,omitempty"`
	Labels      []string `json:"labels,omitempty"`
	Annotations []string `json:"annotations,omitempty"`
	Spec        []string `json:"spec,omitempty"`
}

// membersOf the specs whose metadata get the label: of Jobs, else of pods.
var membersOf = map[place]string{inChildren: "template", inTemplates: "containers",
	onPods: "containers"}

func note(job *unstructured.Unstructured, where place, backend *apply.Backend) error {
	written := noteOf(job)
	written.Place, written.Backend, written.Scheduler = where, backend.Type, backend.SchedulerName
	if where != inTemplates || k8sgang.Remembers(backend.Type) {
		written.Labels = slices.Compact(slices.Sorted(slices.Values(append(written.Labels, markLabel))))
		labelBelow(job.Object["spec"], membersOf[where])
	}
	text, err := json.Marshal(written)
	of := &gang.Patch{Annotations: map[string]string{apply.MarksAnnotation: string(text)}}
	return errors.Join(err, k8sgang.PatchUnstructured(of, job.Object))
}

// markLabel is that of the pods, and of the Jobs of JobSets, for which the API server calls the
// webhook, so that no others wait for the operator: those that are to be marked, and those that may
// have to wait for the end of an earlier run.
const markLabel = "policy.libgang.dev/mark"

// labelBelow labels each template below a value: a map whose spec has a member, which is
// `containers` in a pod and `template` in a Job. The driver and executors of a SparkApplication
// have labels of their own.
func labelBelow(value any, member string) {
	switch value := value.(type) {
	case map[string]any:
		if spec, _ := value["spec"].(map[string]any); spec[member] != nil {
			_ = unstructured.SetNestedField(value, "true", "metadata", "labels", markLabel)
			return
		}
		for name, below := range value {
			if part, isMap := below.(map[string]any); isMap && (name == "driver" || name == "executor") {
				_ = unstructured.SetNestedField(part, "true", "labels", markLabel)
			}
			labelBelow(below, member)
		}
	case []any:
		for _, item := range value {
			labelBelow(item, member)
		}
	}
}

func noteOf(job *unstructured.Unstructured) (found placeNote) {
	_ = json.Unmarshal([]byte(job.GetAnnotations()[apply.MarksAnnotation]), &found) // else none
	return found
}

func noted(job *unstructured.Unstructured) place { return noteOf(job).Place }

// markChild marks the templates of an object that the operator of a job creates. A TrainJob needs
// no note: its JobSet has all of its pods.
func (m *marker) markChild(ctx context.Context, row *jobKind, owner *metav1.OwnerReference,
	child *unstructured.Unstructured) error {
	job, err := m.job(ctx, child.GetNamespace(), jobName{row, owner.Name, owner.UID})
	if err != nil {
		return fmt.Errorf("the %s of the %s: %w", owner.Kind, child.GetKind(), err)
	}
	if row.isTrainJob() && m.reports(ctx, m.live, job) ||
		!row.isTrainJob() && noted(job) != inChildren {
		return nil
	}
	plans, err := m.planner.Plans(ctx, m.live, job)
	if errors.Is(err, errOfTrainer) {
		return nil
	}
	if err != nil {
		return err
	}
	defer apply.Close(plans)
	if err := refuseOther(plans[0], job); err != nil {
		return err
	}
	backend := plans[0].Backend
	for role, template := range childTemplates(row, child) {
		for _, plan := range plans {
			err = errors.Join(err, patchRole(plan, template, role))
		}
		if err == nil && backend != nil && k8sgang.Remembers(backend.Type) {
			_ = unstructured.SetNestedField(template, "true", "metadata", "labels", markLabel)
		}
	}
	return errors.Join(err, apply.Remember(plans, child))
}

// childTemplates are the pod templates of a child by the names of their roles in the plan of the
// job.
func childTemplates(row *jobKind, child *unstructured.Unstructured) map[string]map[string]any {
	found := map[string]map[string]any{}
	add := func(role string, at map[string]any, path ...string) {
		template, _, _ := unstructured.NestedFieldNoCopy(at, path...)
		if template, ok := template.(map[string]any); ok {
			found[role] = template
		}
	}
	each := func(list, name string, path ...string) {
		items, _, _ := unstructured.NestedFieldNoCopy(child.Object, "spec", list)
		entries, _ := items.([]any)
		for _, item := range entries {
			entry, _ := item.(map[string]any)
			role, _ := entry[name].(string)
			add(strings.ToLower(role), entry, path...)
		}
	}
	switch child.GetKind() {
	case jobSetKind.Kind:
		each("replicatedJobs", "name", "template", "spec", "template")
	case rayClusterKind.Kind:
		each("workerGroupSpecs", "groupName", "template")
		add("head", child.Object, "spec", "headGroupSpec", "template")
	case batchJobKind.Kind:
		add(row.roles(child)[0], child.Object, "spec", "template")
	}
	return found
}

// patchRole sets the marks of the first role that the plan has; "": it has none.
func patchRole(plan *apply.Planned, target map[string]any, roles ...string) error {
	for _, patch := range plan.Patches() {
		if patch.Role != "" && slices.Contains(roles, patch.Role) {
			return k8sgang.PatchUnstructured(&patch, target)
		}
	}
	return nil
}

// markPod marks a pod whose template may not have the marks, and refuses it as long as the
// scheduler counts pods of an earlier run of its gang.
func (m *marker) markPod(ctx context.Context, pod *unstructured.Unstructured) error {
	var err error
	if !apply.IsRemembered(pod) {
		err = m.markOne(ctx, pod)
	}
	return cmp.Or(err, m.planner.Admit(ctx, pod))
}

// markOne marks a pod whose job has the note, or one that names its gang itself.
func (m *marker) markOne(ctx context.Context, pod *unstructured.Unstructured) error {
	row, job, err := m.jobOf(ctx, pod, pod)
	if err == nil && row == nil {
		if group := apply.GroupOf(pod); group == nil || m.reports(ctx, m.live, group) {
			return nil
		}
		return m.planner.MarkMember(ctx, m.live, pod)
	}
	if err != nil || noted(job) != onPods {
		return err
	}
	index := uint64(0)
	if row.gangOf != nil {
		index = row.gangOf(pod)
		// LWS counts a group of a rollout there, but not before its leader exists.
		_ = unstructured.SetNestedField(job.Object, int64(index)+1, "status", "replicas")
	}
	plans, err := m.planner.Plans(ctx, m.live, job, index)
	if err != nil {
		return err
	}
	defer apply.Close(plans)
	if err := refuseOther(plans[0], job); err != nil {
		return err
	}
	return patchRole(plans[0], pod.Object, row.roles(pod)...)
}

// hasBackendOf tells whether the pods of a job have, or get, the marks of a plan. After a change of
// the policy a job keeps the gang that it has, also if the policy wants none by now: pods of two
// schedulers are no gang. A job that is no gang any more by itself has no other pods.
func hasBackendOf(plan *apply.Planned, job *unstructured.Unstructured) bool {
	switch written := noteOf(job); {
	case written.Backend == "":
		return true
	case plan.Backend == nil:
		return !plan.ByPolicy
	default:
		return plan.Backend.Type == written.Backend &&
			(written.Scheduler == "" || plan.Backend.SchedulerName == written.Scheduler)
	}
}

// refuseOther returns an error for a new pod, or a child, of a job that keeps another gang than that
// of a plan.
func refuseOther(plan *apply.Planned, job *unstructured.Unstructured) error {
	if hasBackendOf(plan, job) {
		return nil
	}
	return fmt.Errorf("the %s %s was created when the policy chose the backend %s for it; create it "+
		"again", job.GetKind(), job.GetName(), noteOf(job).Backend)
}

// A jobName is what an object says of its job.
type jobName struct {
	row  *jobKind
	name string
	uid  types.UID // "": a label alone names it
}

// jobOf follows the labels of a pod, or the controllers of an object, to the job of the gang: that
// of the outermost owner with a note.
func (m *marker) jobOf(ctx context.Context, pod, object *unstructured.Unstructured) (*jobKind,
	*unstructured.Unstructured, error) {
	for _, named := range jobNames(pod, object) {
		job, err := m.job(ctx, pod.GetNamespace(), named)
		if isMissing(err) {
			continue // kinds of one operator have the same label
		}
		if err != nil {
			return nil, nil, err
		}
		outer, owner, err := m.jobOf(ctx, pod, job)
		if err != nil || outer != nil {
			return outer, owner, err
		}
		return named.row, job, nil
	}
	return nil, nil, nil
}

func jobNames(pod, object *unstructured.Unstructured) (names []jobName) {
	controller, owner := rowOfController(object), metav1.GetControllerOf(object)
	for i := range jobKinds {
		row := &jobKinds[i]
		name := pod.GetLabels()[row.jobLabel]
		// Of another kind with the same label: it costs no request. Of the controller more is known.
		isOfOther := controller != nil && controller.jobLabel == row.jobLabel
		if object == pod && row.jobLabel != "" && name != "" && !isOfOther {
			names = append(names, jobName{row: row, name: name})
		}
	}
	if controller != nil {
		names = append(names, jobName{controller, owner.Name, owner.UID})
	}
	return names
}

func rowOfController(object *unstructured.Unstructured) *jobKind {
	if owner := metav1.GetControllerOf(object); owner != nil {
		return rowOf(owner.APIVersion, owner.Kind)
	}
	return nil
}

func isMissing(err error) bool { return apierrors.IsNotFound(err) || meta.IsNoMatchError(err) }

// job asks the server if the cache has an earlier job of the same name, or none.
func (m *marker) job(ctx context.Context, namespace string, named jobName) (
	*unstructured.Unstructured, error) {
	key := client.ObjectKey{Namespace: namespace, Name: named.name}
	job := apply.New(named.row.kind)
	if !named.row.isTrainJob() {
		err := m.cached.Get(ctx, key, job)
		if err == nil && (named.uid == "" || job.GetUID() == named.uid) {
			return job, apply.Unpack(job)
		}
		job = apply.New(named.row.kind)
	}
	err := m.live.Get(ctx, key, job)
	if err == nil && named.uid != "" && job.GetUID() != named.uid {
		err = fmt.Errorf("there is no %s %s with the uid %s", job.GetKind(), key, named.uid)
	}
	return job, err
}

// isMarked tells whether the pods of a job have marks, or will get them: by the note, or by a mark
// in one of its templates.
func isMarked(job *unstructured.Unstructured) bool {
	where := noted(job)
	return where == inChildren || where == onPods || apply.HasMarks(job)
}
