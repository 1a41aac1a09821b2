// SPDX-License-Identifier: Apache-2.0

package apply

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	rbacv1 "k8s.io/api/rbac/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/log"

	"libgang.dev/gang"
	"libgang.dev/gang/k8sgang"
)

// Facts makes the GangCluster. It is made again after ten seconds, so that a job that lacked a fact
// is planned soon after the cluster has it. While the server cannot answer, the last facts stay.
type Facts struct {
	// Source is where the facts come from. Tests set their own.
	Source k8sgang.ClusterSource
	// Reader reads the CRD of JobSet, without a cache: it tells which marks pod templates keep. Nil:
	// that is unknown.
	Reader client.Reader
	// Known returns fields of the spec of a GangCluster that somebody knows better than discovery,
	// such as the versions of schedulers. A field takes the place of one that was found; in
	// components and featureGates each entry does. Nil: there are none.
	Known func(context.Context) (map[string]any, error)

	lock       sync.Mutex
	crdVersion string // the resourceVersion of the CRD that was read last
	made       time.Time
	facts      *gang.Document
}

// NewFacts starts the listers of namespaces, LimitRanges, priority and runtime classes, and waits
// for them. They end with the context.
func NewFacts(ctx context.Context, clients kubernetes.Interface, reader client.Reader) (
	*Facts, error) {
	all := informers.NewSharedInformerFactory(clients, 0)
	facts := &Facts{Reader: reader, Source: k8sgang.ClusterSource{
		Name: "cluster", Discovery: clients.Discovery(),
		Namespaces:      all.Core().V1().Namespaces().Lister(),
		LimitRanges:     all.Core().V1().LimitRanges().Lister(),
		PriorityClasses: all.Scheduling().V1().PriorityClasses().Lister(),
		RuntimeClasses:  all.Node().V1().RuntimeClasses().Lister(),
	}}
	all.Start(ctx.Done())
	for kind, synced := range all.WaitForCacheSync(ctx.Done()) {
		if !synced {
			return nil, fmt.Errorf("no list of %s", kind)
		}
	}
	return facts, nil
}

// Current is for Planner.Facts.
func (f *Facts) Current(ctx context.Context) (*gang.Document, error) {
	f.lock.Lock()
	defer f.lock.Unlock()
	if time.Since(f.made) < 10*time.Second {
		return f.facts, nil
	}
	f.readPodFields(ctx)
	if facts, err := f.make(ctx); err == nil {
		f.facts = facts
	} else if f.facts == nil {
		return nil, fmt.Errorf("the facts of the cluster: %w", err)
	}
	f.made = time.Now() // also if the last ones stay: not each plan shall ask the server
	return f.facts, nil
}

func (f *Facts) make(ctx context.Context) (*gang.Document, error) {
	text, err := f.text(ctx)
	if err != nil {
		return nil, err
	}
	return gang.Parse(text, gang.Generated())
}

// text is the GangCluster with what is known otherwise.
func (f *Facts) text(ctx context.Context) ([]byte, error) {
	text, err := k8sgang.ClusterFacts(f.Source)
	if err != nil || f.Known == nil {
		return text, err
	}
	known, err := f.Known(ctx)
	if err != nil {
		return nil, err
	}
	found := map[string]any{}
	if err := json.Unmarshal(text, &found); err != nil {
		return nil, err
	}
	spec, _ := found["spec"].(map[string]any)
	for name, value := range known {
		entries, isMap := value.(map[string]any)
		if before, wasMap := spec[name].(map[string]any); isMap && wasMap {
			maps.Copy(before, entries)
		} else {
			spec[name] = value
		}
	}
	return json.Marshal(found)
}

var crdKind = schema.GroupVersionKind{
	Group: "apiextensions.k8s.io", Version: "v1", Kind: "CustomResourceDefinition"}

const jobSetCRD = "jobsets.jobset.x-k8s.io"

// readPodFields reads which marks the CRD of JobSet keeps: an older one drops schedulingGroup
// silently. Where the CRD was never read, that is unknown.
func (f *Facts) readPodFields(ctx context.Context) {
	if f.Reader == nil {
		return
	}
	key := client.ObjectKey{Name: jobSetCRD}
	seen := &metav1.PartialObjectMetadata{}
	seen.SetGroupVersionKind(crdKind)
	err := f.Reader.Get(ctx, key, seen)
	if err == nil && seen.ResourceVersion == f.crdVersion {
		return
	}
	crd := New(crdKind)
	if err == nil {
		err = f.Reader.Get(ctx, key, crd)
	}
	if apierrors.IsNotFound(err) { // a cluster without JobSet
		f.crdVersion, f.Source.PodTemplateFields = "", nil
		return
	}
	if err != nil {
		log.FromContext(ctx).Error(err, "it is unknown which fields the CRD of JobSet keeps")
		return
	}
	f.crdVersion, f.Source.PodTemplateFields = crd.GetResourceVersion(), k8sgang.KeptPodFields(crd)
}

// Rules lists what a program with reconcilers must be allowed to do: with the objects of the
// backends, all of them if none is named; with jobs of these kinds and their children; with pods;
// and for the facts. It writes jobs nowhere: a program that reports in their status needs more.
// `finalizers` are for clusters with the admission plugin OwnerReferencesPermissionEnforcement.
func Rules(jobs []schema.GroupVersionKind, backends ...string) ([]rbacv1.PolicyRule, error) {
	rules, err := k8sgang.Rules(backends...)
	for i := range rules {
		isPatch := func(verb string) bool { return verb == "patch" } // none is ever sent
		rules[i].Verbs = slices.DeleteFunc(rules[i].Verbs, isPatch)
	}
	for _, kind := range jobs {
		plural := strings.ToLower(kind.Kind) + "s"
		rules = append(rules,
			rule(kind.Group, plural, "get", "list", "watch"),
			rule(kind.Group, plural+"/finalizers", "update"))
	}
	crd := rule(crdKind.Group, "customresourcedefinitions", "get")
	crd.ResourceNames = []string{jobSetCRD}
	return append(rules, rule("", "pods", "get", "list", "watch"), crd,
		rule("scheduling.k8s.io", "workloads/finalizers", "update")), err
}

func rule(group, resource string, verbs ...string) rbacv1.PolicyRule {
	return rbacv1.PolicyRule{APIGroups: []string{group}, Resources: []string{resource}, Verbs: verbs}
}
