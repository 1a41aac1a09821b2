// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"go.yaml.in/yaml/v3"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/tools/events"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/builder"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/handler"
	"sigs.k8s.io/controller-runtime/pkg/log"
	"sigs.k8s.io/controller-runtime/pkg/manager"
	"sigs.k8s.io/controller-runtime/pkg/predicate"
	"sigs.k8s.io/controller-runtime/pkg/webhook/admission"

	"libgang.dev/gang"
	"libgang.dev/gang/k8sgang"
	"libgang.dev/gang/k8sgang/apply"
)

var (
	policyKind  = gvk("policy.libgang.dev/v1alpha1", "GangPolicy")
	clusterKind = gvk("policy.libgang.dev/v1alpha1", "GangCluster")
)

const policyKey = "policy.yaml" // the entry of the ConfigMap

// parseStored parses a GangPolicy or GangCluster without what the API server and this program add to
// it. An unknown field is an error.
func parseStored(object *unstructured.Unstructured) (*gang.Document, error) {
	written := apply.New(object.GroupVersionKind())
	written.SetName(object.GetName())
	if spec, found := object.Object["spec"]; found {
		written.Object["spec"] = spec
	}
	text, err := written.MarshalJSON()
	if err != nil {
		return nil, err
	}
	return gang.Parse(text, gang.Strict(), gang.Generated())
}

// A policySource finds the policy in force: the GangPolicy of the configured name, and without one
// the ConfigMap of that name. An invalid policy is reported, and the last valid one stays in force.
// Without a valid policy there is no plan, and the webhook refuses: a job must not run as if the
// administrator had decided nothing.
type policySource struct {
	name   types.NamespacedName // the namespace is that of the ConfigMap
	served bool                 // the cluster has the CRD
	reader client.Reader        // with a cache: a plan costs no request
	events events.EventRecorder
	// rules that the settings name
	reported []string
	lock     sync.Mutex
	seen     string // kind and resourceVersion of what was parsed last
	valid    *gang.Document
	wrong    error // about what was parsed last
}

func (s *policySource) current(ctx context.Context) (*gang.Document, error) {
	object, err := s.find(ctx)
	s.lock.Lock()
	defer s.lock.Unlock()
	if err == nil {
		if seen := fmt.Sprintf("%T %s", object, object.GetResourceVersion()); seen != s.seen {
			s.seen, s.wrong = seen, s.take(ctx, object)
		}
	}
	if s.valid == nil {
		return nil, fmt.Errorf("there is no valid GangPolicy %s, and none in the ConfigMap %s: %w",
			s.name.Name, s.name, errors.Join(err, s.wrong))
	}
	return s.valid, nil
}

func (s *policySource) find(ctx context.Context) (client.Object, error) {
	if s.served {
		policy := apply.New(policyKind)
		err := s.reader.Get(ctx, client.ObjectKey{Name: s.name.Name}, policy)
		if !apierrors.IsNotFound(err) {
			return policy, err
		}
	}
	config := &corev1.ConfigMap{}
	return config, s.reader.Get(ctx, s.name, config)
}

// take does not close the former policy, because a plan may be in the making with it.
func (s *policySource) take(ctx context.Context, object client.Object) error {
	policy, err := parsePolicy(object)
	if err == nil && policy.Type() != gang.DocumentPolicy {
		err = fmt.Errorf("a %s instead of a GangPolicy", policy.Kind())
	}
	if err != nil {
		policyErrors.Inc()
		log.FromContext(ctx).Error(err, "the policy is invalid, the last valid one stays in force")
		s.events.Eventf(object, nil, corev1.EventTypeWarning, "InvalidGangPolicy", "Parse",
			"%.900s", err.Error())
		return err
	}
	s.valid = policy
	s.checkReported(ctx, object)
	policyInfo.Reset()
	policyInfo.WithLabelValues(policy.Stamp()).Set(1)
	log.FromContext(ctx).Info("the policy is in force", "policy", policy.Stamp())
	return nil
}

// checkReported tells of names in the settings that are no rules: jobs of a rule that was renamed
// get gangs.
func (s *policySource) checkReported(ctx context.Context, object client.Object) {
	var spec map[string]any
	if config, isConfig := object.(*corev1.ConfigMap); isConfig {
		document := map[string]any{}
		_ = yaml.Unmarshal([]byte(config.Data[policyKey]), &document) // it has been parsed
		spec, _ = document["spec"].(map[string]any)
	} else {
		spec, _ = object.(*unstructured.Unstructured).Object["spec"].(map[string]any)
	}
	rules, _ := spec["rules"].([]any)
	for _, name := range s.reported {
		if !slices.ContainsFunc(rules, func(rule any) bool { return nameOf(rule) == name }) {
			s.events.Eventf(object, nil, corev1.EventTypeWarning, "UnknownReportedRule", "Parse",
				"reportedRules names %q, and the policy has no rule of this name", name)
			log.FromContext(ctx).Info("reportedRules names no rule of the policy", "rule", name)
		}
	}
}

func nameOf(rule any) string {
	members, _ := rule.(map[string]any)
	name, _ := members["name"].(string)
	return name
}

func parsePolicy(object client.Object) (*gang.Document, error) {
	if config, isConfig := object.(*corev1.ConfigMap); isConfig {
		return k8sgang.ParseYAML([]byte(config.Data[policyKey]))
	}
	return parseStored(object.(*unstructured.Unstructured))
}

// origin says where the policy in force is from.
func (s *policySource) origin(ctx context.Context) string {
	if _, err := s.current(ctx); err != nil {
		return "no policy"
	}
	object, err := s.find(ctx)
	if _, isConfig := object.(*corev1.ConfigMap); isConfig && err == nil {
		return "the ConfigMap " + s.name.String()
	}
	return "the GangPolicy " + s.name.Name
}

// validate answers for a GangPolicy or GangCluster that is written: all errors at once refuse it,
// and its warnings are shown to who writes it.
func validate(_ context.Context, request admission.Request) admission.Response {
	object := &unstructured.Unstructured{}
	if err := object.UnmarshalJSON(request.Object.Raw); err != nil {
		return admission.Errored(http.StatusBadRequest, err)
	}
	document, err := parseStored(object)
	diagnostics := k8sgang.Diagnostics(err)
	if err == nil {
		diagnostics = document.Diagnostics()
		document.Close()
	} else if len(diagnostics) == 0 {
		return admission.Errored(http.StatusInternalServerError, err)
	}
	response := admission.Allowed("")
	of := gang.TypeOf(object.GetAPIVersion(), object.GetKind())
	if refused := k8sgang.FieldErrors(diagnostics, of, nil); len(refused) > 0 {
		response = admission.Denied(refused.ToAggregate().Error())
	}
	return response.WithWarnings(warningsOf(diagnostics)...)
}

func warningsOf(diagnostics []gang.Diagnostic) (texts []string) {
	for i := range diagnostics {
		if one := &diagnostics[i]; one.Severity == gang.SeverityWarning {
			text := one.Path + ": " + one.Message
			if one.Hint != "" {
				text += "; " + one.Hint
			}
			texts = append(texts, text+" ["+one.ID+"]")
		}
	}
	return texts
}

// A statusWriter keeps the status of the GangPolicies or of the GangClusters.
type statusWriter struct {
	client client.Client
	kind   schema.GroupVersionKind
	chosen string // the name of the one that is in force
	// origin says what the operator uses instead of one that has another name.
	origin func(context.Context) string
	// Of policies: what is in force, with which the other ones are compared for jobs of these
	// kinds.
	planner *apply.Planner
	kinds   []*jobKind
}

func (w *statusWriter) setUp(m manager.Manager) error {
	all := handler.EnqueueRequestsFromMapFunc(func(ctx context.Context, _ client.Object) []ctrl.Request {
		return apply.Requests(ctx, w.client, w.kind)
	})
	return ctrl.NewControllerManagedBy(m).Named("status-"+strings.ToLower(w.kind.Kind)).
		Watches(apply.New(w.kind), all, builder.WithPredicates(predicate.GenerationChangedPredicate{})).
		Watches(&corev1.ConfigMap{}, all).Complete(w)
}

// A writtenStatus is that of a GangPolicy or GangCluster; of a job it has a condition.
type writtenStatus struct {
	ObservedGeneration int64              `json:"observedGeneration,omitempty"`
	Stamp              string             `json:"stamp,omitempty"`
	UnreachableRules   []string           `json:"unreachableRules,omitempty"`
	Comparison         *comparison        `json:"comparison,omitempty"`
	Conditions         []metav1.Condition `json:"conditions"`
}

// Reconcile writes the status if it changes.
func (w *statusWriter) Reconcile(ctx context.Context, request ctrl.Request) (ctrl.Result, error) {
	object := apply.New(w.kind)
	if err := w.client.Get(ctx, request.NamespacedName, object); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	before, after := writtenStatus{}, writtenStatus{ObservedGeneration: object.GetGeneration()}
	fields, _, _ := unstructured.NestedMap(object.Object, "status")
	if err := runtime.DefaultUnstructuredConverter.FromUnstructured(fields, &before); err != nil {
		return ctrl.Result{}, err
	}
	after.Conditions = slices.Clone(before.Conditions)
	result := ctrl.Result{}
	if w.judge(ctx, object, &after); after.Comparison != nil {
		result.RequeueAfter = compareAgain
	}
	if equality.Semantic.DeepEqual(before, after) {
		return result, nil
	}
	return result, client.IgnoreNotFound(writeStatus(ctx, w.client, object, &after))
}

func (w *statusWriter) judge(ctx context.Context, object *unstructured.Unstructured,
	into *writtenStatus) {
	document, err := parseStored(object)
	diagnostics := k8sgang.Diagnostics(err)
	if err == nil {
		defer document.Close()
		diagnostics, into.Stamp = document.Diagnostics(), document.Stamp()
	}
	valid := k8sgang.Condition("Valid", "Valid", diagnostics)
	if valid.Status == metav1.ConditionTrue {
		valid.Message = strings.Join(warningsOf(diagnostics), "; ")
	}
	used := metav1.Condition{Type: "InForce", Status: metav1.ConditionFalse}
	switch {
	case object.GetName() != w.chosen:
		if document != nil && w.planner != nil {
			into.Comparison = compareWith(ctx, w.client, w.kinds, w.planner, document)
		}
		used.Reason = "OtherName"
		used.Message = w.origin(ctx) + " is in force; the one that is named " + w.chosen + " would be"
	case valid.Status != metav1.ConditionTrue:
		used.Reason, used.Message = "Invalid", "what was valid before stays in force"
	default:
		used.Status, used.Reason = metav1.ConditionTrue, "Named"
		used.Message = "the setting of the operator names it"
	}
	for _, condition := range []metav1.Condition{valid, used} {
		condition.ObservedGeneration = object.GetGeneration()
		meta.SetStatusCondition(&into.Conditions, condition)
	}
	into.UnreachableRules = unreachable(object, diagnostics)
}

var ruleIndex = regexp.MustCompile(`^spec\.rules\[(\d+)\]`)

// unreachable are the names of the rules that no job reaches, because an earlier one matches all of
// their jobs.
func unreachable(policy *unstructured.Unstructured, diagnostics []gang.Diagnostic) (
	names []string) {
	rules, _, _ := unstructured.NestedSlice(policy.Object, "spec", "rules")
	for _, diagnostic := range diagnostics {
		found := ruleIndex.FindStringSubmatch(diagnostic.Path)
		if diagnostic.Code != gang.CodeShadowedRule || found == nil {
			continue
		}
		if i, _ := strconv.Atoi(found[1]); i < len(rules) {
			names = append(names, nameOf(rules[i]))
		}
	}
	return names
}
