// SPDX-License-Identifier: Apache-2.0

package parity

import (
	"flag"
	"fmt"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"

	trainer "github.com/kubeflow/trainer/v2/pkg/apis/trainer/v1alpha1"
	jobset "sigs.k8s.io/jobset/api/jobset/v1alpha2"
)

var writeZeros = flag.Bool("zeros", false, "write tests/unit/patch_zeros.h")

// A place in a patch; merged is its type in the JobSet, which says how lists are merged.
type place struct {
	parent        string
	patch, merged reflect.Type
}

type zeros struct {
	walked map[place]bool
	rows   []string
}

func element(t reflect.Type) reflect.Type {
	for slices.Contains([]reflect.Kind{reflect.Pointer, reflect.Slice, reflect.Map}, t.Kind()) {
		t = t.Elem()
	}
	return t
}

// members are the fields of a struct by their names in JSON.
func members(t reflect.Type) map[string]reflect.StructField {
	found := map[string]reflect.StructField{}
	for i := range element(t).NumField() {
		field := element(t).Field(i)
		name, _, _ := strings.Cut(field.Tag.Get("json"), ",")
		if name == "" && field.Anonymous && element(field.Type).Kind() == reflect.Struct {
			for name, field := range members(field.Type) {
				found[name] = field
			}
		} else if name != "-" {
			found[name] = field
		}
	}
	return found
}

func (z *zeros) walk(at place, mergeKey string) {
	at.patch, at.merged = element(at.patch), element(at.merged)
	if at.patch.Kind() != reflect.Struct || at.merged.Kind() != reflect.Struct || z.walked[at] {
		return
	}
	z.walked[at] = true
	theirs := members(at.merged)
	for name, field := range members(at.patch) {
		merged, found := theirs[name]
		zero := map[reflect.Kind]string{reflect.String: `\"\"`, reflect.Bool: "false",
			reflect.Int32: "0", reflect.Int64: "0"}[field.Type.Kind()]
		if !found || name == mergeKey || field.Type.Kind() == reflect.Slice &&
			!strings.Contains(merged.Tag.Get("patchStrategy"), "merge") {
			continue // it names an item, or is replaced as a whole
		}
		if zero != "" {
			z.rows = append(z.rows, fmt.Sprintf("    {%q, \"{\\\"%s\\\":%s}\", %t},\n", at.parent, name,
				zero, strings.Contains(field.Tag.Get("json"), "omitempty")))
		}
		z.walk(place{name, field.Type, merged.Type}, merged.Tag.Get("patchMergeKey"))
	}
}

// The zeros of a patch that Go omits when the operator writes it again, in places that the merge
// reaches, are those that a test of the library has on record.
func TestZerosOfPatches(t *testing.T) {
	const path = "../unit/patch_zeros.h"
	z := zeros{walked: map[place]bool{}}
	z.walk(place{"spec", reflect.TypeFor[trainer.JobSetSpecPatch](),
		reflect.TypeFor[jobset.JobSetSpec]()}, "")
	slices.Sort(z.rows)
	text := "/* SPDX-License-Identifier: Apache-2.0 */\n" +
		"/* Written by tests/parity, go test -run TestZerosOfPatches -zeros . */\n" +
		"/* clang-format off */\nstatic const struct patch_zero {\n    const char *parent, *member;\n" +
		"    bool omitted;\n} patch_zeros[] = {\n" + strings.Join(slices.Compact(z.rows), "") + "};\n"
	if *writeZeros {
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if recorded, err := os.ReadFile(path); err != nil || string(recorded) != text {
		t.Errorf("%s is not what the operator's types say (%v); -zeros writes it", path, err)
	}
}
