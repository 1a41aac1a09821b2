// SPDX-License-Identifier: Apache-2.0

// Package upstream answers what a cluster with the Kubeflow Trainer operator
// would do: the API server's admission of the two documents, then the
// operator's own plugins on what the API server stored.
package upstream

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"sigs.k8s.io/yaml"
)

const trainerModule = "github.com/kubeflow/trainer/v2"

// ModuleDir is where the sources of the pinned operator lie.
func ModuleDir() (string, error) {
	out, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", trainerModule).Output()
	if err != nil {
		return "", fmt.Errorf("diagnostic the sources of %s: %w", trainerModule, err)
	}
	return strings.TrimSpace(string(out)), nil
}

// ShippedRuntime is one runtime that the operator's module carries.
type ShippedRuntime struct {
	Name string // of the file, without directories and suffix
	YAML []byte
}

// ShippedRuntimes reads every runtime of the operator's manifests, by path.
func ShippedRuntimes(moduleDir string) ([]ShippedRuntime, error) {
	var found []ShippedRuntime
	root := filepath.Join(moduleDir, "manifests", "base", "runtimes")
	err := filepath.WalkDir(root, func(path string, entry os.DirEntry, err error) error {
		if err != nil || filepath.Ext(path) != ".yaml" || entry.Name() == "kustomization.yaml" {
			return err
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		found = append(found, ShippedRuntime{strings.TrimSuffix(entry.Name(), ".yaml"), text})
		return nil
	})
	return found, err
}

func readCRD(moduleDir, plural string) (*apiextensionsv1.CustomResourceDefinition, error) {
	path := filepath.Join(moduleDir, "manifests", "base", "crds", "trainer.kubeflow.org_"+plural+".yaml")
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	crd := &apiextensionsv1.CustomResourceDefinition{}
	if err := yaml.UnmarshalStrict(text, crd); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return crd, nil
}
