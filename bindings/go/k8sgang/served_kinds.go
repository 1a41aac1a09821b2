// SPDX-License-Identifier: Apache-2.0

package k8sgang

import (
	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// ServedKinds lists the kinds of Kinds that a cluster has, each in its newest version: what a
// controller watches and passes to ParseLive. Plan.Reconcile compares objects of different
// versions.
func ServedKinds(mapper meta.RESTMapper, backends ...string) ([]schema.GroupVersionKind, error) {
	kinds, err := Kinds(backends...)
	if err != nil {
		return nil, err
	}
	var served []schema.GroupVersionKind
	seen := map[schema.GroupKind]bool{}
	for _, kind := range kinds { // newest version first
		if seen[kind.GroupKind()] {
			continue
		}
		_, err := mapper.RESTMapping(kind.GroupKind(), kind.Version)
		if meta.IsNoMatchError(err) {
			continue
		}
		if err != nil {
			return nil, err
		}
		served, seen[kind.GroupKind()] = append(served, kind), true
	}
	return served, nil
}
