// SPDX-License-Identifier: Apache-2.0

package apply

import (
	"encoding/json"
	"maps"
	"unique"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	utiljson "k8s.io/apimachinery/pkg/util/json"
	"k8s.io/client-go/tools/cache"
)

// Slim is for the DefaultTransform of the manager's cache. What many objects have is kept once, and
// of jobs, as isJob knows them, what no plan reads is left out, which is most of a usual pod
// template. The rest of their spec is packed into a text: the maps of an unstructured object take
// ten times as much memory. A reader calls [Unpack]; the reconciler does.
func Slim(isJob func(apiVersion, kind string) bool) cache.TransformFunc {
	return func(object any) (any, error) {
		read, isRead := object.(*unstructured.Unstructured)
		if !isRead {
			return object, nil
		}
		read.SetManagedFields(nil)
		spec, hasSpec := read.Object["spec"].(map[string]any)
		if hasSpec && isJob(read.GetAPIVersion(), read.GetKind()) {
			if annotations := read.GetAnnotations(); annotations != nil {
				delete(annotations, corev1.LastAppliedConfigAnnotation)
				read.SetAnnotations(annotations)
			}
			dropUnread(spec)
			text, err := json.Marshal(spec)
			if err != nil {
				return nil, err
			}
			read.Object["spec"] = string(text)
		}
		read.Object = interned(read.Object)
		return read, nil
	}
}

// Unpack gives an object of the cache its spec back. It changes the object, and nothing that the
// cache has.
func Unpack(object *unstructured.Unstructured) error {
	text, isPacked := object.Object["spec"].(string)
	if !isPacked {
		return nil
	}
	spec := map[string]any{}
	object.Object = maps.Clone(object.Object)
	object.Object["spec"] = spec
	return utiljson.Unmarshal([]byte(text), &spec)
}

// Fields of containers that libgang does not read. Of env it reads that of the head of a
// RayCluster.
var unread = []string{"command", "args", "envFrom", "volumeMounts", "livenessProbe", "readinessProbe",
	"startupProbe", "lifecycle", "securityContext", "terminationMessagePath",
	"terminationMessagePolicy", "imagePullPolicy", "workingDir"}

func dropUnread(value any) {
	switch value := value.(type) {
	case map[string]any:
		for key, below := range value {
			containers, isList := below.([]any)
			if isList && (key == "containers" || key == "initContainers") {
				for _, one := range containers {
					container, _ := one.(map[string]any)
					for _, field := range unread {
						delete(container, field)
					}
				}
			}
			dropUnread(below)
		}
	case []any:
		for _, item := range value {
			dropUnread(item)
		}
	}
}

func interned(from map[string]any) map[string]any {
	to := make(map[string]any, len(from))
	for key, value := range from {
		switch below := value.(type) {
		case map[string]any:
			value = interned(below)
		case []any:
			for i, item := range below {
				if one, isMap := item.(map[string]any); isMap {
					below[i] = interned(one)
				}
			}
		}
		to[unique.Make(key).Value()] = value
	}
	return to
}
