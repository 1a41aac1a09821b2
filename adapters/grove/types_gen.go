// SPDX-License-Identifier: Apache-2.0
// Written by tools/generate-grove-types of libgang/grove, do not edit.

package grove

import (
	"encoding/json"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// PodGangPack is a part of a PodGang.
type PodGangPack struct {
	Preferred string `json:"preferred,omitempty"`
	Required  string `json:"required,omitempty"`
}

// PodGangConstraint is a part of a PodGang.
type PodGangConstraint struct {
	PackConstraint *PodGangPack `json:"packConstraint,omitempty"`
}

// PodGangReference is a part of a PodGang.
type PodGangReference struct {
	Name      string `json:"name"`
	Namespace string `json:"namespace"`
}

// PodGangPodgroupItem is a part of a PodGang.
type PodGangPodgroupItem struct {
	MinReplicas        int32              `json:"minReplicas"`
	Name               string             `json:"name"`
	PodReferences      []PodGangReference `json:"podReferences"`
	TopologyConstraint *PodGangConstraint `json:"topologyConstraint,omitempty"`
}

// PodGangConfigItem is a part of a PodGang.
type PodGangConfigItem struct {
	Name               string             `json:"name"`
	PodGroupNames      []string           `json:"podGroupNames"`
	TopologyConstraint *PodGangConstraint `json:"topologyConstraint,omitempty"`
}

// PodGangSpec is a part of a PodGang.
type PodGangSpec struct {
	Podgroups                      []PodGangPodgroupItem `json:"podgroups"`
	PriorityClassName              string                `json:"priorityClassName,omitempty"`
	ReuseReservationRef            *PodGangReference     `json:"reuseReservationRef,omitempty"`
	TopologyConstraint             *PodGangConstraint    `json:"topologyConstraint,omitempty"`
	TopologyConstraintGroupConfigs []PodGangConfigItem   `json:"topologyConstraintGroupConfigs,omitempty"`
}

// PodGang is the object of Grove.
type PodGang struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata"`

	Spec   PodGangSpec     `json:"spec"`
	Status json.RawMessage `json:"status,omitempty"`
}

// PodCliqueSetPack is a part of a PodCliqueSet.
type PodCliqueSetPack struct {
	Preferred string `json:"preferred,omitempty"`
	Required  string `json:"required,omitempty"`
}

// PodCliqueSetTopology is a part of a PodCliqueSet.
type PodCliqueSetTopology struct {
	Pack         *PodCliqueSetPack `json:"pack,omitempty"`
	PackDomain   string            `json:"packDomain,omitempty"`
	TopologyName string            `json:"topologyName,omitempty"`
}

// PodCliqueSetCliqueSpec is a part of a PodCliqueSet.
type PodCliqueSetCliqueSpec struct {
	AutoScalingConfig json.RawMessage `json:"autoScalingConfig,omitempty"`
	MinAvailable      *int32          `json:"minAvailable,omitempty"`
	PodSpec           corev1.PodSpec  `json:"podSpec"`
	Replicas          *int32          `json:"replicas,omitempty"`
	RoleName          string          `json:"roleName"`
	StartsAfter       []string        `json:"startsAfter,omitempty"`
}

// PodCliqueSetClique is a part of a PodCliqueSet.
type PodCliqueSetClique struct {
	Annotations        map[string]string      `json:"annotations,omitempty"`
	Labels             map[string]string      `json:"labels,omitempty"`
	Name               string                 `json:"name"`
	ResourceSharing    json.RawMessage        `json:"resourceSharing,omitempty"`
	RollingUpdate      json.RawMessage        `json:"rollingUpdate,omitempty"`
	Spec               PodCliqueSetCliqueSpec `json:"spec"`
	TopologyConstraint *PodCliqueSetTopology  `json:"topologyConstraint,omitempty"`
}

// PodCliqueSetGroup is a part of a PodCliqueSet.
type PodCliqueSetGroup struct {
	Annotations        map[string]string     `json:"annotations,omitempty"`
	CliqueNames        []string              `json:"cliqueNames"`
	MinAvailable       *int32                `json:"minAvailable,omitempty"`
	Name               string                `json:"name"`
	Replicas           *int32                `json:"replicas,omitempty"`
	ResourceSharing    json.RawMessage       `json:"resourceSharing,omitempty"`
	RollingUpdate      json.RawMessage       `json:"rollingUpdate,omitempty"`
	ScaleConfig        json.RawMessage       `json:"scaleConfig,omitempty"`
	TopologyConstraint *PodCliqueSetTopology `json:"topologyConstraint,omitempty"`
}

// PodCliqueSetTemplate is a part of a PodCliqueSet.
type PodCliqueSetTemplate struct {
	CliqueStartupType      string                `json:"cliqueStartupType,omitempty"`
	Cliques                []PodCliqueSetClique  `json:"cliques"`
	HeadlessServiceConfig  json.RawMessage       `json:"headlessServiceConfig,omitempty"`
	PodCliqueScalingGroups []PodCliqueSetGroup   `json:"podCliqueScalingGroups,omitempty"`
	PriorityClassName      string                `json:"priorityClassName,omitempty"`
	ResourceClaimTemplates json.RawMessage       `json:"resourceClaimTemplates,omitempty"`
	ResourceSharing        json.RawMessage       `json:"resourceSharing,omitempty"`
	TerminationDelay       string                `json:"terminationDelay,omitempty"`
	TopologyConstraint     *PodCliqueSetTopology `json:"topologyConstraint,omitempty"`
}

// PodCliqueSetSpec is a part of a PodCliqueSet.
type PodCliqueSetSpec struct {
	Replicas       *int32               `json:"replicas,omitempty"`
	Template       PodCliqueSetTemplate `json:"template"`
	UpdateStrategy json.RawMessage      `json:"updateStrategy,omitempty"`
}

// PodCliqueSet is the object of Grove.
type PodCliqueSet struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata"`

	Spec   PodCliqueSetSpec `json:"spec"`
	Status json.RawMessage  `json:"status,omitempty"`
}
