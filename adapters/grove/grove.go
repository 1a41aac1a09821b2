// SPDX-License-Identifier: Apache-2.0

// Package grove is a scheduler backend of Grove's operator: the operator calls it for each PodGang,
// each pod and each PodCliqueSet, and the GangPolicy says what they get. It shows what Grove would
// have to link: Grove's module cannot be downloaded, so the interface is restated here, and
// types_gen.go has the types. The PodGroups are those of Grove's own backends.
package grove

import (
	"context"
	"fmt"
	"slices"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"libgang.dev/gang"
	"libgang.dev/gang/k8sgang"
	"libgang.dev/gang/k8sgang/apply"
)

// Backend is Grove's interface of this name. Source:
// ai-dynamo/grove:operator/internal/scheduler/types.go@fcc3b3bb.
type Backend interface {
	Name() string
	Init(directClient client.Client) error
	SyncPodGang(ctx context.Context, podGang *PodGang) error
	PreparePod(pod *corev1.Pod) error
	ValidatePodCliqueSet(ctx context.Context, pcs *PodCliqueSet) error
}

var _ Backend = (*Gangs)(nil)

var (
	podGangKind = schema.GroupVersionKind{
		Group: "scheduler.grove.io", Version: "v1alpha1", Kind: "PodGang"}
	setKind = schema.GroupVersionKind{
		Group: "grove.io", Version: "v1alpha1", Kind: "PodCliqueSet"}
	topologyKind = setKind.GroupVersion().WithKind("ClusterTopologyBinding")
)

// The labels by which a pod is in a PodGang, and in which of its groups.
const (
	podGangLabel = "grove.io/podgang"
	cliqueLabel  = "grove.io/podclique"
)

// Gangs implements Backend for one scheduler profile of Grove's configuration, whose name the
// policy gives to one of its backends. Grove chooses the profile of a PodGang; one that names none
// is that of the default profile. Its client also reads the objects of Grove. Any number of
// goroutines may use it.
type Gangs struct {
	*apply.Keeper
	profile string
}

// New is one backend. The keeper is that of all profiles; the Inputs of its planner are not used:
// they are the objects of Grove.
func New(profile string, keeper *apply.Keeper) *Gangs {
	planner := *keeper.Planner
	planner.FallBack, planner.Inputs = true, inputs
	return &Gangs{profile: profile, Keeper: &apply.Keeper{
		Client: keeper.Client, Planner: &planner, Kinds: keeper.Kinds}}
}

// Name is that of the profile.
func (g *Gangs) Name() string { return g.profile }

// Init has nothing to do: the keeper has a client, and the objects are unstructured.
func (*Gangs) Init(client.Client) error { return nil }

// SyncPodGang creates or updates the objects of the gang, and marks the PodGang where its scheduler
// would otherwise make a group, too. A PodGroup of the right name without a controller is taken
// over, as Grove does it.
func (g *Gangs) SyncPodGang(ctx context.Context, podGang *PodGang) error {
	plan, err := g.plan(ctx, podGangKind, podGang)
	if err != nil {
		return err
	}
	defer plan.Close()
	for _, patch := range plan.Patches() {
		if err := g.mark(ctx, podGang, &patch); err != nil {
			return err
		}
	}
	_, err = g.Keep(ctx, plan, nil, nil, gang.Adopt())
	return err
}

func (g *Gangs) mark(ctx context.Context, podGang *PodGang, patch *gang.Patch) error {
	if patch.Role != "" {
		return nil
	}
	before := apply.New(podGangKind)
	before.SetNamespace(podGang.Namespace)
	before.SetName(podGang.Name)
	before.SetLabels(podGang.Labels)
	before.SetAnnotations(podGang.Annotations)
	marked := before.DeepCopy()
	if err := k8sgang.PatchObject(patch, marked); err != nil {
		return err
	}
	return g.Client.Patch(ctx, marked, client.MergeFrom(before))
}

// PreparePod marks a pod that is not created yet. Its PodGang exists: Grove creates it first.
func (g *Gangs) PreparePod(pod *corev1.Pod) error {
	ctx := context.Background() // the interface has none
	for _, label := range []string{podGangLabel, cliqueLabel} {
		if pod.Labels[label] == "" {
			return fmt.Errorf("%s requires pod label %q", g.profile, label)
		}
	}
	podGang := apply.New(podGangKind)
	key := client.ObjectKey{Namespace: pod.Namespace, Name: pod.Labels[podGangLabel]}
	if err := g.Client.Get(ctx, key, podGang); err != nil {
		return err
	}
	patches, err := g.Patches(ctx, podGang, "", func() ([]gang.Patch, error) {
		return apply.PatchesOf(g.Planner.Plan(ctx, g.Client, podGang, 0))
	})
	if err != nil {
		return err
	}
	ofClique := func(patch gang.Patch) bool { return patch.Role == pod.Labels[cliqueLabel] }
	if at := slices.IndexFunc(patches, ofClique); at >= 0 {
		return k8sgang.PatchPod(&patches[at], pod)
	}
	pod.Spec.SchedulerName = g.profile // a profile without gangs
	return nil
}

// ValidatePodCliqueSet refuses what libgang refuses, with all diagnostics.
func (g *Gangs) ValidatePodCliqueSet(ctx context.Context, pcs *PodCliqueSet) error {
	plan, err := g.plan(ctx, setKind, pcs)
	plan.Close()
	return err
}

func (g *Gangs) plan(ctx context.Context, kind schema.GroupVersionKind, object any) (
	*gang.Plan, error) {
	document, err := k8sgang.Parse(kind, object)
	if err != nil {
		return nil, err
	}
	defer document.Close()
	return g.Planner.PlanDocument(ctx, g.Client, document, 0)
}

// inputs reads the PodCliqueSet of a PodGang and the topology that it names. What does not exist is
// left out, and libgang says where that matters.
func inputs(ctx context.Context, reader client.Reader, job *gang.Document) (
	found []*gang.Document, err error) {
	for _, kind := range []schema.GroupVersionKind{setKind, topologyKind} {
		object, key := apply.New(kind), client.ObjectKey{Name: job.Reference(kind.Kind)}
		if key.Name == "" {
			continue
		}
		if kind == setKind {
			key.Namespace = job.Namespace()
		}
		if err := reader.Get(ctx, key, object); client.IgnoreNotFound(err) != nil {
			return found, err
		} else if err != nil {
			continue
		}
		document, err := k8sgang.Parse(kind, object)
		if err != nil {
			return found, err
		}
		found = append(found, document)
	}
	return found, nil
}
