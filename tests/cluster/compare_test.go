// SPDX-License-Identifier: Apache-2.0

package main

import (
	"slices"
	"strings"
	"testing"
)

func TestDifferences(t *testing.T) {
	stored := document{"spec": document{"minMember": 3.0, "cpu": "1", "memory": "1Gi", "added": true,
		"queue": "a", "names": []any{"x", "y"}}}
	cases := []struct {
		name string
		spec document
		want []string
	}{
		{"equal", document{"minMember": 3.0, "queue": "a"}, nil},
		{"another spelling", document{"cpu": "1000m", "memory": "1073741824"}, nil},
		{"another amount", document{"cpu": "1001m"}, []string{".spec.cpu: sent 1001m, stored 1"}},
		{"kilo is not kibi", document{"memory": "1G"}, []string{".spec.memory: sent 1G, stored 1Gi"}},
		{"dropped", document{"lost": false}, []string{".spec.lost: dropped"}},
		{"dropped map", document{"lost": document{}}, []string{".spec.lost: dropped"}},
		{"another value", document{"queue": "b"}, []string{".spec.queue: sent b, stored a"}},
		{"another order", document{"names": []any{"y"}}, []string{".spec.names[0]: sent y, stored x"}},
		{"null is absent", document{"lost": nil}, nil},
	}
	for _, one := range cases {
		found := differences(document{"spec": one.spec}, stored)
		if !slices.Equal(found, one.want) {
			t.Errorf("%s: %q, expected %q", one.name, found, one.want)
		}
	}
}

func TestModuleText(t *testing.T) {
	base := &goModule{Go: "1.26.0"}
	base.Require = append(base.Require, struct {
		Path, Version string
		Indirect      bool
	}{"k8s.io/api", "v0.0.0", false}, struct {
		Path, Version string
		Indirect      bool
	}{"k8s.io/utils", "v0.0.0-20260210185600-b8788abfbbc2", false})
	var replace struct {
		Old, New struct{ Path, Version string }
	}
	replace.Old.Path, replace.New.Path = "k8s.io/api", "./staging/src/k8s.io/api"
	base.Replace = append(base.Replace, replace)
	text := kubernetesRecipe("36").moduleText(base)
	for _, line := range []string{
		"require k8s.io/kubernetes v1.36.3", "require k8s.io/api v0.36.3",
		"require k8s.io/utils v0.0.0-20260210185600-b8788abfbbc2",
		"replace k8s.io/api => k8s.io/api v0.36.3",
	} {
		if !strings.Contains(text, line+"\n") {
			t.Errorf("no line %q in\n%s", line, text)
		}
	}
}
