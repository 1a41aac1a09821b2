// SPDX-License-Identifier: Apache-2.0

package apply

import (
	"encoding/json"
	"maps"
	"sync"
	"unique"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	utiljson "k8s.io/apimachinery/pkg/util/json"
	"k8s.io/client-go/tools/cache"

	"libgang.dev/gang/k8sgang"
)

// Slim is for the DefaultTransform of the manager's cache. What many objects have is kept once, and
// of jobs, as isJob knows them, what no plan reads is left out, which is most of a usual pod
// template. The rest of a job, and the objects that libgang renders, are packed into texts: the maps
// of an unstructured object take ten times as much memory. A reader calls [Unpack]; the reconciler
// does.
func Slim(isJob func(apiVersion, kind string) bool) cache.TransformFunc {
	return func(object any) (any, error) {
		read, isRead := object.(*unstructured.Unstructured)
		if !isRead {
			return object, nil
		}
		read.SetManagedFields(nil)
		packs := listRendered()[read.GroupVersionKind().GroupKind()]
		if isJob(read.GetAPIVersion(), read.GetKind()) {
			packs = true
			if annotations := read.GetAnnotations(); annotations != nil {
				delete(annotations, corev1.LastAppliedConfigAnnotation)
				read.SetAnnotations(annotations)
			}
			dropUnread(read.Object["spec"])
		}
		var err error
		if packs {
			err = pack(read.Object)
		}
		read.Object = interned(read.Object)
		return read, err
	}
}

var packed = []string{"spec", "status"}

func pack(object map[string]any) error {
	for _, part := range packed {
		value, isMap := object[part].(map[string]any)
		if !isMap {
			continue
		}
		text, err := json.Marshal(value)
		if err != nil {
			return err
		}
		object[part] = string(text)
	}
	return nil
}

// Unpack gives an object of the cache its spec and status back. It changes the object, and nothing
// that the cache has.
func Unpack(object *unstructured.Unstructured) (err error) {
	whole := maps.Clone(object.Object)
	for _, part := range packed {
		if value, exists := whole[part]; exists {
			if whole[part], err = unpacked(value); err != nil {
				return err
			}
		}
	}
	object.Object = whole
	return nil
}

// textOf is the manifest of an object of the cache. The packed parts are texts already.
func textOf(object *unstructured.Unstructured) ([]byte, error) {
	whole := maps.Clone(object.Object)
	for _, part := range packed {
		if text, isPacked := whole[part].(string); isPacked {
			whole[part] = json.RawMessage(text)
		}
	}
	return json.Marshal(whole)
}

func unpacked(value any) (any, error) {
	text, isPacked := value.(string)
	if !isPacked {
		return value, nil
	}
	whole := map[string]any{}
	return whole, utiljson.Unmarshal([]byte(text), &whole)
}

var listRendered = sync.OnceValue(func() map[schema.GroupKind]bool {
	kinds, err := k8sgang.Kinds()
	if err != nil {
		panic(err) // the table is a part of the library
	}
	found := map[schema.GroupKind]bool{}
	for _, kind := range kinds {
		found[kind.GroupKind()] = true
	}
	return found
})

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
