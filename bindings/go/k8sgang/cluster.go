// SPDX-License-Identifier: Apache-2.0

package k8sgang

import (
	"encoding/json"
	"regexp"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	nodev1 "k8s.io/api/node/v1"
	resourcev1 "k8s.io/api/resource/v1"
	schedulingv1 "k8s.io/api/scheduling/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/discovery"
	corelisters "k8s.io/client-go/listers/core/v1"
	nodelisters "k8s.io/client-go/listers/node/v1"
	resourcelisters "k8s.io/client-go/listers/resource/v1"
	schedulinglisters "k8s.io/client-go/listers/scheduling/v1"

	"libgang.dev/gang"
)

// ClusterSource is where the facts of a GangCluster come from. A source that is nil leaves its facts
// unknown.
type ClusterSource struct {
	Name            string // metadata.name, for messages
	Discovery       discovery.DiscoveryInterface
	Namespaces      corelisters.NamespaceLister
	LimitRanges     corelisters.LimitRangeLister
	PriorityClasses schedulinglisters.PriorityClassLister
	RuntimeClasses  nodelisters.RuntimeClassLister
	// All nodes and DeviceClasses, for the constraint mustFit of a policy. The informers of the
	// listers must have synced, because a node that is missing counts as not there.
	Nodes         corelisters.NodeLister
	DeviceClasses resourcelisters.DeviceClassLister
	// Components are versions that are known otherwise, of schedulers and operators of jobs: the
	// keys are those of spec.components, such as kai, jobset and kuberay.
	Components map[string]string
	// PodTemplateFields says which of schedulingGroup and workloadRef the CRDs of JobSet and Trainer
	// keep. Nil: unknown. KeptPodFields reads it.
	PodTemplateFields []string
}

type clusterSpec struct {
	KubernetesVersion string            `json:"kubernetesVersion,omitempty"`
	ServedVersions    []servedVersion   `json:"servedVersions,omitempty"`
	Components        map[string]string `json:"components,omitempty"`
	PodTemplateFields []string          `json:"podTemplateFields,omitzero"`
	Namespaces        []namespace       `json:"namespaces,omitzero"`
	PriorityClasses   []priorityClass   `json:"priorityClasses,omitzero"`
	RuntimeClasses    []runtimeClass    `json:"runtimeClasses,omitzero"`
	LimitRanges       []limitRange      `json:"limitRanges,omitzero"`
	Nodes             []node            `json:"nodes,omitzero"`
	DeviceClasses     []deviceClass     `json:"deviceClasses,omitzero"`
}

type node struct {
	Name        string              `json:"name"`
	Labels      map[string]string   `json:"labels,omitempty"`
	Annotations map[string]string   `json:"annotations,omitempty"`
	Allocatable corev1.ResourceList `json:"allocatable"`
}

type deviceClass struct {
	Name                 string  `json:"name"`
	ExtendedResourceName *string `json:"extendedResourceName,omitempty"`
}

type servedVersion struct {
	GroupVersion string   `json:"groupVersion"`
	Resources    []string `json:"resources,omitzero"`
}

type namespace struct {
	Name   string            `json:"name"`
	Labels map[string]string `json:"labels,omitempty"`
}

type priorityClass struct {
	Name             string                   `json:"name"`
	Value            int32                    `json:"value"`
	GlobalDefault    bool                     `json:"globalDefault,omitempty"`
	PreemptionPolicy *corev1.PreemptionPolicy `json:"preemptionPolicy,omitempty"`
}

type runtimeClass struct {
	Name     string              `json:"name"`
	Overhead corev1.ResourceList `json:"overhead,omitempty"`
}

type limitRange struct {
	Namespace string                  `json:"namespace"`
	Name      string                  `json:"name"`
	Limits    []corev1.LimitRangeItem `json:"limits"`
}

// ClusterFacts reads the sources and returns a GangCluster as JSON, sorted by name, so that equal
// facts are equal bytes.
func ClusterFacts(source ClusterSource) ([]byte, error) {
	spec := clusterSpec{Components: source.Components, PodTemplateFields: source.PodTemplateFields}
	for _, read := range []func(*ClusterSource) error{
		spec.readDiscovery, spec.readNamespaces, spec.readPriorityClasses, spec.readRuntimeClasses, spec.readLimitRanges,
		spec.readNodes, spec.readDeviceClasses,
	} {
		if err := read(&source); err != nil {
			return nil, err
		}
	}
	return json.Marshal(map[string]any{
		"apiVersion": "policy.libgang.dev/v1alpha1", "kind": "GangCluster",
		"metadata": map[string]string{"name": source.Name}, "spec": spec,
	})
}

// Cluster is ClusterFacts, parsed.
func Cluster(source ClusterSource, with ...gang.Option) (*gang.Document, error) {
	text, err := ClusterFacts(source)
	if err != nil {
		return nil, err
	}
	return gang.Parse(text, generated(with)...)
}

var leadingNumber = regexp.MustCompile(`^\d+`)

// Some providers write a minor version as "36+".
func (c *clusterSpec) readDiscovery(source *ClusterSource) error {
	if source.Discovery == nil {
		return nil
	}
	version, err := source.Discovery.ServerVersion()
	if err != nil {
		return err
	}
	major, minor := leadingNumber.FindString(version.Major), leadingNumber.FindString(version.Minor)
	c.KubernetesVersion = major + "." + minor
	// An aggregated API that does not answer makes an error beside the others' lists.
	_, lists, err := source.Discovery.ServerGroupsAndResources()
	silent, isPartial := discovery.GroupDiscoveryFailedErrorGroups(err)
	if err != nil && !isPartial {
		return err
	}
	return c.setServed(lists, silent)
}

// setServed takes the groups of which the library renders objects. What is not listed would count as
// not served, so a version that does not answer is listed without resources: they are unknown.
func (c *clusterSpec) setServed(
	lists []*metav1.APIResourceList, silent map[schema.GroupVersion]error,
) error {
	kinds, err := Kinds()
	if err != nil {
		return err
	}
	rendered := map[string]bool{}
	for _, kind := range kinds {
		rendered[kind.Group] = true
	}
	for _, list := range lists {
		if group, _, _ := strings.Cut(list.GroupVersion, "/"); rendered[group] {
			served := servedVersion{list.GroupVersion, plainResources(list)}
			c.ServedVersions = append(c.ServedVersions, served)
		}
	}
	for version := range silent {
		if rendered[version.Group] {
			served := servedVersion{GroupVersion: version.String()}
			c.ServedVersions = append(c.ServedVersions, served)
		}
	}
	slices.SortFunc(c.ServedVersions, func(a, b servedVersion) int {
		return strings.Compare(a.GroupVersion, b.GroupVersion)
	})
	return nil
}

func plainResources(list *metav1.APIResourceList) []string {
	names := []string{}
	for _, resource := range list.APIResources {
		if !strings.Contains(resource.Name, "/") { // a subresource
			names = append(names, resource.Name)
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// sorted converts what a lister returns. An empty list means that there are none.
func sorted[From any, To any](
	objects []From, err error, convert func(From) To, name func(To) string,
) ([]To, error) {
	converted := make([]To, 0, len(objects))
	for _, object := range objects {
		converted = append(converted, convert(object))
	}
	slices.SortFunc(converted, func(a, b To) int { return strings.Compare(name(a), name(b)) })
	return converted, err
}

func (c *clusterSpec) readNamespaces(source *ClusterSource) (err error) {
	if source.Namespaces == nil {
		return nil
	}
	objects, err := source.Namespaces.List(labels.Everything())
	c.Namespaces, err = sorted(objects, err, func(object *corev1.Namespace) namespace {
		return namespace{object.Name, object.Labels}
	}, func(one namespace) string { return one.Name })
	return err
}

func (c *clusterSpec) readPriorityClasses(source *ClusterSource) (err error) {
	if source.PriorityClasses == nil {
		return nil
	}
	objects, err := source.PriorityClasses.List(labels.Everything())
	convert := func(class *schedulingv1.PriorityClass) priorityClass {
		return priorityClass{class.Name, class.Value, class.GlobalDefault, class.PreemptionPolicy}
	}
	c.PriorityClasses, err = sorted(objects, err, convert, func(one priorityClass) string {
		return one.Name
	})
	return err
}

func (c *clusterSpec) readRuntimeClasses(source *ClusterSource) (err error) {
	if source.RuntimeClasses == nil {
		return nil
	}
	objects, err := source.RuntimeClasses.List(labels.Everything())
	c.RuntimeClasses, err = sorted(objects, err, func(object *nodev1.RuntimeClass) runtimeClass {
		class := runtimeClass{Name: object.Name}
		if object.Overhead != nil {
			class.Overhead = object.Overhead.PodFixed
		}
		return class
	}, func(one runtimeClass) string { return one.Name })
	return err
}

func (c *clusterSpec) readLimitRanges(source *ClusterSource) (err error) {
	if source.LimitRanges == nil {
		return nil
	}
	objects, err := source.LimitRanges.List(labels.Everything())
	c.LimitRanges, err = sorted(objects, err, func(object *corev1.LimitRange) limitRange {
		return limitRange{object.Namespace, object.Name, object.Spec.Limits}
	}, func(one limitRange) string { return one.Namespace + "/" + one.Name })
	return err
}

// amplified is the annotation of Koordinator for nodes that take more than allocatable.
const amplified = "node.koordinator.sh/resource-amplification-ratio"

func (c *clusterSpec) readNodes(source *ClusterSource) (err error) {
	if source.Nodes == nil {
		return nil
	}
	objects, err := source.Nodes.List(labels.Everything())
	c.Nodes, err = sorted(objects, err, func(object *corev1.Node) node {
		one := node{object.Name, object.Labels, nil, object.Status.Allocatable}
		if ratio, found := object.Annotations[amplified]; found {
			one.Annotations = map[string]string{amplified: ratio}
		}
		if one.Allocatable == nil {
			one.Allocatable = corev1.ResourceList{}
		}
		return one
	}, func(one node) string { return one.Name })
	return err
}

func (c *clusterSpec) readDeviceClasses(source *ClusterSource) (err error) {
	if source.DeviceClasses == nil {
		return nil
	}
	objects, err := source.DeviceClasses.List(labels.Everything())
	c.DeviceClasses, err = sorted(objects, err, func(object *resourcev1.DeviceClass) deviceClass {
		return deviceClass{object.Name, object.Spec.ExtendedResourceName}
	}, func(one deviceClass) string { return one.Name })
	return err
}

// KeptPodFields says which of the fields schedulingGroup and workloadRef of pod templates the CRD of
// JobSet keeps in all served versions: for PodTemplateFields where a webhook sets them in the JobSet.
func KeptPodFields(crd *unstructured.Unstructured) []string {
	kept := []string{}
	versions, _, _ := unstructured.NestedSlice(crd.Object, "spec", "versions")
	for _, name := range []string{"schedulingGroup", "workloadRef"} {
		drops := func(version any) bool {
			fields, _ := version.(map[string]any)
			root, _, _ := unstructured.NestedMap(fields, "schema", "openAPIV3Schema")
			return fields["served"] == true && !keeps(root, "spec", "replicatedJobs", "", "template",
				"spec", "template", "spec", name)
		}
		if len(versions) > 0 && !slices.ContainsFunc(versions, drops) {
			kept = append(kept, name)
		}
	}
	return kept
}

// keeps follows a path in a schema; an empty step goes from a list to its items.
func keeps(at map[string]any, path ...string) bool {
	for _, step := range path {
		if at["x-kubernetes-preserve-unknown-fields"] == true {
			return true
		}
		steps := []string{"properties", step}
		if step == "" {
			steps = []string{"items"}
		}
		next, found, _ := unstructured.NestedFieldNoCopy(at, steps...)
		if at, _ = next.(map[string]any); !found {
			return false
		}
	}
	return true
}
