// SPDX-License-Identifier: Apache-2.0
package main

import (
	"fmt"
	"maps"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"k8s.io/apimachinery/pkg/api/resource"
	utilruntime "k8s.io/apimachinery/pkg/util/runtime"
	"sigs.k8s.io/kueue/pkg/controller/jobs/pod/constants"
)

// written is one line of written.jsonl: a job as people write it, and what becomes of it.
type written struct {
	ID       string    `json:"id"`
	Object   object    `json:"object"` // as the API server stores it
	Text     string    `json:"text"`
	Answer   *answer   `json:"answer,omitempty"`
	Refusals []refusal `json:"refusals,omitempty"`
	// Refused is why the operator does not take a job that the server stores.
	Refused string `json:"refused,omitempty"`
}

// recordWritten writes written.jsonl.
func recordWritten(chosen *choice) error {
	var lines []any
	for _, one := range chosen.chosen() {
		for _, line := range writtenOf(one, chosen) {
			lines = append(lines, line)
		}
	}
	return writeLines(filepath.Join(chosen.record, "written.jsonl"), lines)
}

const askedTogether = 15

func writtenOf(one kind, chosen *choice) []*written {
	habits := habitsOf(one)
	all := make([]*written, chosen.cases)
	var stored []*written
	for i := range all {
		index := chosen.first + i
		r := newRandom(chosen.seed, "written "+one.name, index)
		document := one.make(newRandom(chosen.seed, one.name, index))
		name := fmt.Sprintf("%s-%d", strings.ToLower(one.name), index)
		document["metadata"].(object)["name"] = name
		if one.named != nil {
			one.named(document)
		}
		document = habits.alter(r, plain(document))
		all[i] = &written{ID: caseID(one, chosen, index-chosen.first), Text: handwrite(r, document)}
		all[i].Object, all[i].Refusals = admit(all[i].read(document))
		if len(all[i].Refusals) == 0 {
			stored = append(stored, all[i])
		} else {
			all[i].Object = document
		}
	}
	for some := range slices.Chunk(stored, askedTogether) {
		one.askWritten(some)
	}
	return all
}

// read returns the job among the documents, as kubectl reads it. It is what was meant, unless a
// merge key stands below a member that it replaces.
func (w *written) read(meant object) object {
	documents, err := readAsKubectl(w.Text)
	if err != nil {
		panic(fmt.Sprintf("%s: %v\n%s", w.ID, err, w.Text))
	}
	for _, one := range documents {
		if one["kind"] != "ConfigMap" {
			if !reflect.DeepEqual(one, meant) && !strings.Contains(w.Text, "<<") {
				panic(fmt.Sprintf("%s: %s\n%s\n%s", w.ID, w.Text, textOf(one), textOf(meant)))
			}
			return one
		}
	}
	panic(w.ID + ": no document\n" + w.Text)
}

// askWritten asks about all jobs together, and one by one if the operator does not take one.
func (k kind) askWritten(cases []*written) {
	defer func() {
		reason := recover()
		switch {
		case reason == nil:
		case len(cases) == 1:
			cases[0].Refused = fmt.Sprint(reason)
		default:
			k.askWritten(cases[:len(cases)/2])
			k.askWritten(cases[len(cases)/2:])
		}
	}()
	if len(cases) == 0 {
		return
	}
	objects := make([]object, len(cases))
	for i := range cases {
		objects[i] = plain(cases[i].Object)
	}
	for i, one := range k.answers(objects) {
		cases[i].Answer = one
	}
}

// ---- what people write beside what a job needs ----

// habits are the optional fields of a kind: for each place those that some documents leave out.
type habits struct {
	kind     kind
	optional map[string][]string
}

const habitSamples = 300

func habitsOf(one kind) habits {
	seen, times := map[string]map[string]int{}, map[string]int{}
	for i := range habitSamples {
		document := plain(one.make(newRandom(0, one.name, i)))
		visit("", document, func(place string, value any) {
			if all, isMap := value.(object); isMap {
				times[place]++
				for key := range all {
					if seen[place] == nil {
						seen[place] = map[string]int{}
					}
					seen[place][key]++
				}
			}
		})
	}
	result := habits{one, map[string][]string{}}
	for _, place := range sorted(seen) {
		for _, key := range sorted(seen[place]) {
			if seen[place][key] < times[place] {
				result.optional[place] = append(result.optional[place], key)
			}
		}
	}
	return result
}

// visit calls a function for a value and everything inside, in a fixed order. The items of a list
// have one place, the fields of a kind are those of the kind.
func visit(place string, value any, do func(string, any)) {
	do(place, value)
	switch all := value.(type) {
	case object:
		if name, given := all["kind"].(string); given {
			place += "(" + name + ")"
		}
		for _, key := range sorted(all) {
			if child, given := all[key]; given {
				visit(place+"."+key, child, do)
			}
		}
	case []any:
		for _, item := range all {
			visit(place+"[]", item, do)
		}
	}
}

func (h habits) alter(r random, document object) object {
	if r.chance(40) && h.kind.name != "PodList" { // see README.md, fast admission
		h.copyParts(r, document)
	}
	if r.chance(50) {
		h.addNothing(r, document, choose(r, 5, 20, 50))
	}
	if r.chance(10) {
		setSomeCountToZero(r, document)
	}
	if r.chance(60) {
		h.unquoteAmounts(r, document)
	}
	if r.chance(6) && h.kind.name != "PodList" { // which the server wrote
		makeMistake(r, document)
	}
	return plain(document)
}

// copyParts makes resources and templates equal to others, as one who writes anchors means them.
func (h habits) copyParts(r random, document object) {
	parts := map[string][]object{}
	visit("", document, func(place string, value any) {
		all, isMap := value.(object)
		switch key := place[strings.LastIndex(place, ".")+1:]; {
		case !isMap:
		case key == "resources":
			parts[key] = append(parts[key], all)
		case key == "template" && all["spec"] != nil && all["spec"].(object)["containers"] != nil:
			parts[key] = append(parts[key], all)
		}
	})
	if h.kind.name == "AppWrapper" {
		delete(parts, "template") // of several kinds
	}
	for _, key := range sorted(parts) {
		for _, target := range parts[key][1:] {
			if r.chance(60) {
				clear(target)
				maps.Copy(target, plain(parts[key][0]))
			}
		}
	}
}

// emptyOf are empty values that mean what an absent field means.
var emptyOf = map[string][]string{
	"containers[]": {"resources={}", "env=[]", "command=null", "args=[]", "ports=null",
		"volumeMounts=[]", "securityContext={}"},
	"resources": {"limits=null", "requests={}"},
	"spec": {"nodeSelector={}", "tolerations=[]", "volumes=[]", "initContainers=[]",
		"affinity=null", "imagePullSecrets=null"},
	"metadata": {"annotations={}", "labels=null"},
}

// addNothing writes absent fields, in percent of the cases, as null or empty.
func (h habits) addNothing(r random, document object, percent int) {
	visit("", document, func(place string, value any) {
		all, isMap := value.(object)
		if !isMap || place == "(PodList).metadata" {
			return
		}
		for _, key := range h.optional[place] {
			// libgang names each null that the API server drops (GANG315), so they are rare.
			isRare := h.isFreeKey(place) && (h.kind.name == "PodList" || !r.chance(2))
			// Pods of several roles in a group with fast admission are not made, see README.md.
			isRare = isRare || (key == constants.RoleHashAnnotation &&
				all[constants.GroupFastAdmissionAnnotationKey] != nil)
			if _, given := all[key]; !given && !isRare && r.chance(percent) {
				all[key] = nil
			}
		}
		key := place[strings.LastIndex(place, ".")+1:]
		if key == "spec" && all["containers"] == nil {
			return
		}
		for _, one := range emptyOf[key] {
			name, empty, _ := strings.Cut(one, "=")
			if _, given := all[name]; !given && r.chance(percent) {
				all[name] = map[string]any{"{}": object{}, "[]": []any{}, "null": nil}[empty]
			}
		}
	})
	if h.kind.name != "PodList" {
		r.maybe(percent, document["metadata"].(object), "creationTimestamp", nil)
		r.maybe(percent, document, "status", choose[any](r, nil, object{}))
	}
}

// isFreeKey says that the keys of a map are names that a CRD does not list.
func (h habits) isFreeKey(place string) bool {
	member := place[strings.LastIndex(place, ".")+1:]
	if h.kind.name == "PodList" && (member == "requests" || member == "limits") {
		return true // to Kueue null and absent are not equal
	}
	names := []string{"requests", "limits", "annotations", "labels", "nodeSelector", "sparkConf"}
	_, isKubernetes := builtIn[h.kind.name]
	return !isKubernetes &&
		(slices.Contains(names, member) || strings.HasSuffix(member, "ReplicaSpecs"))
}

func setSomeCountToZero(r random, document object) {
	visit("", document, func(place string, value any) {
		all, isMap := value.(object)
		// training-operator's webhooks, which are not run, take no zero.
		isTraining := strings.Contains(place, "ReplicaSpecs.") &&
			!strings.Contains(place, "(MPIJob)")
		if isMap && all["replicas"] != nil && !isTraining {
			r.maybe(30, all, "replicas", 0)
		}
	})
}

// unquoteAmounts writes amounts as numbers: of kinds of Kubernetes itself any, of CRDs integers.
func (h habits) unquoteAmounts(r random, document object) {
	fractions := 2
	if builtIn[h.kind.name] != nil {
		fractions = 80
	}
	percent := choose(r, 20, 60, 100)
	visit("", document, func(place string, value any) {
		all, isMap := value.(object)
		isList := strings.HasSuffix(place, ".requests") || strings.HasSuffix(place, ".limits")
		if !isMap || !isList {
			return
		}
		for _, name := range sorted(all) {
			text, isText := all[name].(string)
			if !isText || !r.chance(percent) {
				continue
			}
			if _, err := strconv.ParseFloat(text, 64); err != nil && h.kind.name == "PodList" {
				continue // Kueue compares amounts as texts, libgang by value
			}
			number, err := strconv.ParseFloat(exact(resource.MustParse(text)), 64)
			utilruntime.Must(err)
			if number == float64(int64(number)) {
				all[name] = int64(number)
			} else if r.chance(fractions) {
				all[name] = number
			}
		}
	})
}

// makeMistake writes one value with another type: quotes too many or too few, half a pod, a list of
// one item without its dash.
func makeMistake(r random, document object) {
	type spot struct {
		all object
		key string
	}
	var spots []spot
	visit("", document, func(place string, value any) {
		if all, isMap := value.(object); isMap && place != "" && place != "(PodList).metadata" {
			for _, key := range slices.Sorted(maps.Keys(all)) {
				if !(strings.HasSuffix(place, ").metadata") && key == "name") {
					spots = append(spots, spot{all, key})
				}
			}
		}
	})
	one := choose(r, spots...)
	switch value := one.all[one.key].(type) {
	case int64:
		one.all[one.key] = choose[any](r, strconv.FormatInt(value, 10), float64(value)+0.5, true)
	case int:
		one.all[one.key] = strconv.Itoa(value)
	case bool:
		one.all[one.key] = choose[any](r, strconv.FormatBool(value), int64(1))
	case string:
		number, err := strconv.ParseInt(value, 10, 64)
		if err != nil {
			number = 7
		}
		one.all[one.key] = choose[any](r, number, false, object{}, []any{value})
	case []any:
		if len(value) > 0 {
			one.all[one.key] = value[0]
		}
	case object:
		one.all[one.key] = choose[any](r, []any{value}, "")
	}
}
