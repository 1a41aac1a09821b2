// SPDX-License-Identifier: Apache-2.0

package gang_test

import (
	"go/ast"
	"go/doc"
	"go/parser"
	"go/token"
	"path/filepath"
	"strings"
	"testing"
)

// packageDoc is the documentation of the package in a folder, as pkg.go.dev shows it.
func packageDoc(t *testing.T, folder string) *doc.Package {
	t.Helper()
	files := token.NewFileSet()
	names, err := filepath.Glob(filepath.Join(folder, "*.go"))
	if err != nil {
		t.Fatal(err)
	}
	var parsed []*ast.File
	for _, name := range names {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(files, name, nil, parser.ParseComments)
		if err != nil {
			t.Fatal(err)
		}
		parsed = append(parsed, file)
	}
	shown, err := doc.NewFromFiles(files, parsed, "libgang.dev/gang/"+folder)
	if err != nil {
		t.Fatal(err)
	}
	return shown
}

// undocumented lists the exported names without a comment, and how many names there are.
func undocumented(shown *doc.Package) (missing []string, count int) {
	see := func(name, text string) {
		count++
		if strings.TrimSpace(text) == "" {
			missing = append(missing, name)
		}
	}
	values := func(groups []*doc.Value) {
		for _, group := range groups {
			see(strings.Join(group.Names, ", "), group.Doc)
		}
	}
	functions := func(of string, list []*doc.Func) {
		for _, one := range list {
			see(of+one.Name, one.Doc)
		}
	}
	see("package "+shown.Name, shown.Doc)
	values(shown.Consts)
	values(shown.Vars)
	functions("", shown.Funcs)
	for _, one := range shown.Types {
		see(one.Name, one.Doc)
		values(one.Consts)
		values(one.Vars)
		functions("", one.Funcs)
		functions(one.Name+".", one.Methods)
	}
	return missing, count
}

func TestDocumentation(t *testing.T) {
	least := map[string]int{".": 80, "k8sgang": 25, "k8sgang/apply": 10}
	for folder, fewest := range least {
		missing, count := undocumented(packageDoc(t, folder))
		if len(missing) > 0 || count < fewest {
			t.Errorf("%s: %d names, without a comment: %q", folder, count, missing)
		}
	}
}

// Every enumeration is one group of constants, which its type shows.
func TestConstantsAreGrouped(t *testing.T) {
	shown := packageDoc(t, ".")
	enumerations := 0
	for _, one := range shown.Types {
		if strings.Contains(one.Doc, " is enum gang_") {
			enumerations++
			if len(one.Consts) != 1 || len(one.Consts[0].Names) < 2 {
				t.Errorf("%s: %d groups of constants", one.Name, len(one.Consts))
			}
		}
	}
	if enumerations < 10 || len(shown.Consts) > 0 {
		t.Errorf("%d enumerations, %d groups without a type", enumerations, len(shown.Consts))
	}
}
