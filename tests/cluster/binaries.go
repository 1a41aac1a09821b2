// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bytes"
	"crypto/sha256"
	_ "embed"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

//go:embed testdata/kubernetes/main.go
var kubernetesMain string

//go:embed testdata/fit/main.go
var fitMain string

//go:embed testdata/mpi-operator/main.go
var mpiOperatorMain string

//go:embed testdata/operators/main.go
var operatorsMain string

// A recipe builds programs from the Go module proxy: the requirements of one published module,
// changed so that another module can have them.
type recipe struct {
	Name     string
	Module   string // its go.mod is the base
	Version  string
	Staging  string            // the version of the k8s.io modules without one, v0.36.3
	Replaces map[string]string // module: version
	Also     map[string]string `json:",omitempty"` // modules that Main needs besides
	Main     string            // the source of a main package, or nothing
	Packages map[string]string // program: package
	Flags    string            // for the linker
	Copies   map[string]string // what else is kept of the module zips: folder: module/path
	Edited   *editedMain       `json:",omitempty"`
}

// An editedMain is the main package of the module, a file in which a text is replaced.
type editedMain struct{ File, Find, Replace string }

type goModule struct {
	Go      string
	Godebug []struct{ Key, Value string }
	Require []struct {
		Path, Version string
		Indirect      bool
	}
	Replace []struct {
		Old, New struct{ Path, Version string }
	}
}

// Every published version that the tests run, by minor.
var kubernetesVersions = map[string]string{"35": "1.35.4", "36": "1.36.3", "37": "1.37.1"}

func kubernetesRecipe(minor string) recipe {
	version := kubernetesVersions[minor]
	const flag = "-X k8s.io/component-base/version."
	return recipe{
		Name: "kubernetes-" + version, Module: "k8s.io/kubernetes", Version: "v" + version,
		Staging:  "v0" + strings.TrimPrefix(version, "1"),
		Main:     kubernetesMain,
		Packages: map[string]string{"kubernetes": "."},
		Flags: flag + "gitVersion=v" + version + " " + flag + "gitMajor=1 " + flag + "gitMinor=" +
			minor,
	}
}

// The test of what fits runs the filters of a scheduler of Kubernetes in its own process.
func fitRecipe(minor string) recipe {
	of := kubernetesRecipe(minor)
	return recipe{Name: "fit-" + kubernetesVersions[minor], Module: of.Module, Version: of.Version,
		Staging: of.Staging, Main: fitMain, Packages: map[string]string{"fit": "."}}
}

func operatorRecipe() recipe {
	return recipe{
		Name: "trainer-2.3.0", Module: "github.com/kubeflow/trainer/v2", Version: "v2.3.0",
		Packages: map[string]string{
			"trainer": "github.com/kubeflow/trainer/v2/cmd/trainer-controller-manager",
			"jobset":  "sigs.k8s.io/jobset",
		},
		Copies: map[string]string{
			"trainer/crds":     "github.com/kubeflow/trainer/v2/manifests/base/crds",
			"trainer/webhook":  "github.com/kubeflow/trainer/v2/manifests/base/webhook",
			"trainer/runtimes": "github.com/kubeflow/trainer/v2/manifests/base/runtimes",
			"jobset/crds":      "sigs.k8s.io/jobset/config/components/crd/bases",
			"jobset/webhook":   "sigs.k8s.io/jobset/config/components/webhook",
		},
	}
}

func coschedulingRecipe() recipe {
	return recipe{
		Name: "coscheduling-0.35.4", Module: "sigs.k8s.io/scheduler-plugins",
		Version: "v0.35.4-devel",
		Packages: map[string]string{
			"coscheduling":            "sigs.k8s.io/scheduler-plugins/cmd/scheduler",
			"coscheduling-controller": "sigs.k8s.io/scheduler-plugins/cmd/controller",
		},
		Flags: "-X k8s.io/component-base/version.gitVersion=v1.35.4 " +
			"-X k8s.io/component-base/version.gitMajor=1 -X k8s.io/component-base/version.gitMinor=35",
		Copies: map[string]string{
			"coscheduling/crds": "sigs.k8s.io/scheduler-plugins/manifests/coscheduling",
			// Without ElasticQuota the controller ends after two minutes.
			"coscheduling/quotas": "sigs.k8s.io/scheduler-plugins/manifests/capacityscheduling",
		},
	}
}

func volcanoRecipe() recipe {
	return recipe{
		Name: "volcano-1.14.1", Module: "volcano.sh/volcano", Version: "v1.14.1",
		Staging:  "v0.34.4",
		Replaces: map[string]string{"volcano.sh/apis": "v1.14.0"},
		Packages: map[string]string{
			"volcano-scheduler":  "volcano.sh/volcano/cmd/scheduler",
			"volcano-controller": "volcano.sh/volcano/cmd/controller-manager",
		},
		Copies: map[string]string{"volcano/crds": "volcano.sh/volcano/config/crd/volcano/bases"},
	}
}

func lwsRecipe() recipe {
	return recipe{
		Name: "lws-0.9.0", Module: "sigs.k8s.io/lws", Version: "v0.9.0",
		Packages: map[string]string{"lws": "sigs.k8s.io/lws/cmd"},
		Copies: map[string]string{
			"lws/crds":    "sigs.k8s.io/lws/config/crd/bases",
			"lws/webhook": "sigs.k8s.io/lws/config/webhook",
		},
	}
}

func mpiOperatorRecipe() recipe {
	return recipe{
		Name: "mpi-operator-0.8.2", Module: "github.com/kubeflow/mpi-operator", Version: "v0.8.2",
		Main:     mpiOperatorMain,
		Packages: map[string]string{"mpi-operator": "."},
		Copies: map[string]string{
			"mpi-operator/crds": "github.com/kubeflow/mpi-operator/manifests/base",
		},
	}
}

// The kinds of operators and schedulers that are not built.
func kubeRayRecipe() recipe {
	const module = "github.com/ray-project/kuberay/ray-operator"
	return recipe{Name: "kuberay-1.6.2", Module: module, Version: "v1.6.2",
		Copies: map[string]string{"kuberay/crds": module + "/config/crd/bases"}}
}

// One program for KubeRay, training-operator and AppWrapper, with one version of Kubernetes.
func operatorsRecipe() recipe {
	return recipe{
		Name: "operators-1.6.2-1.9.4-1.2.2", Module: "github.com/kubeflow/training-operator",
		Version: "v1.9.4",
		Also: map[string]string{"github.com/ray-project/kuberay/ray-operator": "v1.6.2",
			"github.com/project-codeflare/appwrapper": "v1.2.2"},
		Main:     operatorsMain,
		Packages: map[string]string{"operators": "."},
	}
}

func koordinatorRecipe() recipe {
	const module = "github.com/koordinator-sh/koordinator"
	return recipe{Name: "koordinator-1.8.0", Module: module, Version: "v1.8.0",
		Packages: map[string]string{"koord-scheduler": module + "/cmd/koord-scheduler"},
		Copies: map[string]string{"koordinator/crds": module + "/config/crd/bases",
			"koordinator/manager": module + "/config/manager"}}
}

func yunikornRecipe() recipe {
	const module = "github.com/apache/yunikorn-k8shim"
	return recipe{Name: "yunikorn-1.8.0", Module: module, Version: "v1.8.0",
		Packages: map[string]string{"yunikorn": module + "/pkg/cmd/shim"}}
}

// The newest KAI Scheduler that the module proxy has.
func kaiRecipe() recipe {
	const module = "github.com/NVIDIA/KAI-scheduler"
	return recipe{Name: "kai-0.12.0", Module: module, Version: "v0.12.0",
		Packages: map[string]string{
			"kai-scheduler":       module + "/cmd/scheduler",
			"kai-binder":          module + "/cmd/binder",
			"kai-podgrouper":      module + "/cmd/podgrouper",
			"kai-queuecontroller": module + "/cmd/queuecontroller",
			// The status of queues is the sum of that of PodGroups.
			"kai-podgroupcontroller": module + "/cmd/podgroupcontroller",
		},
		Copies: map[string]string{"kai/crds": module + "/deployments/kai-scheduler/crds"}}
}

func trainingOperatorRecipe() recipe {
	const module = "github.com/kubeflow/training-operator"
	return recipe{Name: "training-operator-1.9.4", Module: module, Version: "v1.9.4",
		Copies: map[string]string{"training-operator/crds": module + "/manifests/base/crds"}}
}

func sparkRecipe() recipe {
	const module = "github.com/kubeflow/spark-operator/v2"
	return recipe{Name: "spark-operator-2.5.2", Module: module, Version: "v2.5.2",
		Packages: map[string]string{"spark-operator": module + "/cmd/operator"},
		Copies: map[string]string{
			"spark-operator/crds":    module + "/config/crd/bases",
			"spark-operator/webhook": module + "/config/webhook",
		}}
}

func appWrapperRecipe() recipe {
	const module = "github.com/project-codeflare/appwrapper"
	return recipe{Name: "appwrapper-1.2.2", Module: module, Version: "v1.2.2",
		Copies: map[string]string{"appwrapper/crds": module + "/config/crd/bases"}}
}

// Without certificates that it makes itself, Kueue reads those of its metrics from a folder of the
// system, also if it serves no metrics. Here it reads those of the webhooks.
func kueueRecipe() recipe {
	return recipe{
		Name: "kueue-0.19.2", Module: "sigs.k8s.io/kueue", Version: "v0.19.2",
		Edited: &editedMain{"cmd/kueue/main.go", `metricsCertPath := "/etc/kueue/metrics/certs"`,
			`metricsCertPath := os.Getenv("TMPDIR") + "/k8s-webhook-server/serving-certs"`},
		Packages: map[string]string{"kueue": "."},
		Copies: map[string]string{
			"kueue/crds":    "sigs.k8s.io/kueue/config/components/crd/bases",
			"kueue/webhook": "sigs.k8s.io/kueue/config/components/webhook",
		},
	}
}

// folder is where the built programs of a recipe lie. A changed recipe has another one.
func (r recipe) folder() (string, error) {
	text, err := json.Marshal(r)
	if err != nil {
		return "", err
	}
	cache, err := os.UserCacheDir()
	if err != nil {
		return "", err
	}
	sum := sha256.Sum256(text)
	return filepath.Join(cache, "libgang", "cluster", r.Name+"-"+hex.EncodeToString(sum[:6])), nil
}

// manifests is the recipe without its programs: what a server needs to know the kinds.
func (r recipe) manifests() recipe {
	r.Name, r.Packages, r.Flags = r.Name+"-manifests", nil, ""
	return r
}

// build returns the folder of the programs, and builds them if it is the first time.
func (r recipe) build() (string, error) {
	target, err := r.folder()
	if err != nil {
		return "", err
	}
	if _, err := os.Stat(target); err == nil {
		return target, nil
	}
	say("building %s (only once)", r.Name)
	start := time.Now()
	work := target + fmt.Sprintf(".%d", os.Getpid())
	if err := os.MkdirAll(filepath.Join(work, "bin"), 0o755); err != nil {
		return "", err
	}
	defer func() { _ = os.RemoveAll(work) }()
	if err := r.buildIn(work); err != nil {
		return "", fmt.Errorf("%s: %w", r.Name, err)
	}
	say("built %s in %.0f s", r.Name, time.Since(start).Seconds())
	return target, finish(work, target)
}

// Two runs can build at once: the first one wins.
func finish(work, target string) error {
	err := os.Rename(work, target)
	if _, missing := os.Stat(target); missing == nil {
		return nil
	}
	return err
}

func (r recipe) buildIn(work string) error {
	source := filepath.Join(work, "source")
	if err := os.MkdirAll(source, 0o755); err != nil {
		return err
	}
	if err := r.writeModule(source); err != nil {
		return err
	}
	packages := slices.Concat([]string{"list", "-deps"}, slices.Collect(maps.Values(r.Packages)))
	if _, err := runGo(source, packages...); err != nil {
		return err
	}
	for program, name := range r.Packages {
		output := filepath.Join(work, "bin", program)
		_, err := runGo(source, "build", "-trimpath", "-ldflags", "-s -w "+r.Flags, "-o", output, name)
		if err != nil {
			return err
		}
	}
	for folder, path := range r.Copies {
		if err := copyFromModule(source, path, filepath.Join(work, "manifests", folder)); err != nil {
			return err
		}
	}
	return os.RemoveAll(source)
}

// writeModule writes a go.mod that requires the module and everything it requires, and the main
// package.
func (r recipe) writeModule(source string) error {
	base, folder, err := r.baseModule()
	if err != nil {
		return err
	}
	text := r.moduleText(base)
	if err := os.WriteFile(filepath.Join(source, "go.mod"), []byte(text), 0o644); err != nil {
		return err
	}
	// The checksums that the module was published with: the database does not know all modules.
	sums := filepath.Join(folder, "go.sum")
	if err := copyFile(sums, filepath.Join(source, "go.sum")); err != nil && !os.IsNotExist(err) {
		return err
	}
	main, err := r.mainOf(folder)
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(source, "main.go"), []byte(main), 0o644)
}

// mainOf is the source of the main package, where folder is the module's.
func (r recipe) mainOf(folder string) (string, error) {
	switch {
	case r.Edited != nil:
		content, err := os.ReadFile(filepath.Join(folder, r.Edited.File))
		if err == nil && !bytes.Contains(content, []byte(r.Edited.Find)) {
			err = fmt.Errorf("%s does not contain %s", r.Edited.File, r.Edited.Find)
		}
		return strings.Replace(string(content), r.Edited.Find, r.Edited.Replace, 1), err
	case r.Main != "":
		return r.Main, nil
	}
	return "package main\n", nil
}

// baseModule returns the go.mod of the module and its folder.
func (r recipe) baseModule() (*goModule, string, error) {
	text, err := runGo(os.TempDir(), "mod", "download", "-json", r.Module+"@"+r.Version)
	if err != nil {
		return nil, "", err
	}
	var downloaded struct{ Dir, GoMod string }
	if err := json.Unmarshal(text, &downloaded); err != nil {
		return nil, "", err
	}
	text, err = runGo(os.TempDir(), "mod", "edit", "-json", downloaded.GoMod)
	if err != nil {
		return nil, "", err
	}
	base := &goModule{}
	return base, downloaded.Dir, json.Unmarshal(text, base)
}

func (r recipe) moduleText(base *goModule) string {
	var text strings.Builder
	fmt.Fprintf(&text, "module cluster.test/%s\n\ngo %s\n\n", r.Name, base.Go)
	for _, setting := range base.Godebug {
		fmt.Fprintf(&text, "godebug %s=%s\n", setting.Key, setting.Value)
	}
	fmt.Fprintf(&text, "require %s %s\n", r.Module, r.Version)
	for _, module := range slices.Sorted(maps.Keys(r.Also)) {
		fmt.Fprintf(&text, "require %s %s\n", module, r.Also[module])
	}
	for _, one := range base.Require {
		fmt.Fprintf(&text, "require %s %s\n", one.Path, r.versionOf(one.Path, one.Version))
	}
	for _, one := range base.Replace {
		version := r.versionOf(one.Old.Path, one.New.Version)
		path := one.New.Path
		if strings.HasPrefix(path, ".") {
			path = one.Old.Path
		}
		fmt.Fprintf(&text, "replace %s => %s %s\n", one.Old.Path, path, version)
	}
	return text.String()
}

// versionOf replaces the versions that exist only in the module's own repository.
func (r recipe) versionOf(path, version string) string {
	if replaced, found := r.Replaces[path]; found {
		return replaced
	}
	if path == "k8s.io/kubernetes" && r.Staging != "" {
		return "v1" + strings.TrimPrefix(r.Staging, "v0")
	}
	if r.Staging != "" && isStaging(path, version) {
		return r.Staging
	}
	return version
}

// The modules of the Kubernetes repository have the version v0 and the minor and patch; the
// others under k8s.io have versions of their own.
func isStaging(path, version string) bool {
	if !strings.HasPrefix(path, "k8s.io/") {
		return false
	}
	return version == "v0.0.0" || version == "" || strings.HasPrefix(version, "v0.34.")
}

func runGo(folder string, arguments ...string) ([]byte, error) {
	command := exec.Command("go", arguments...)
	command.Dir = folder
	command.Env = append(os.Environ(), "GOFLAGS=-mod=mod", "CGO_ENABLED=0", "GOWORK=off")
	var output, errors bytes.Buffer
	command.Stdout, command.Stderr = &output, &errors
	if err := command.Run(); err != nil {
		return nil, fmt.Errorf("go %s: %w\n%s", arguments[0], err, tail(errors.String(), 30))
	}
	return output.Bytes(), nil
}

func tail(text string, lines int) string {
	all := strings.Split(strings.TrimSpace(text), "\n")
	return strings.Join(all[max(0, len(all)-lines):], "\n")
}

// copyFromModule copies a folder of a module that the one in source requires.
func copyFromModule(source, path, target string) error {
	module, rest := path, ""
	for {
		version, err := runGo(source, "list", "-m", "-f", "{{.Version}}", module)
		if err == nil {
			return copyDownloaded(module+"@"+strings.TrimSpace(string(version)), rest, target)
		}
		slash := strings.LastIndexByte(module, '/')
		if slash < 0 {
			return fmt.Errorf("no module has %s", path)
		}
		module, rest = module[:slash], path[slash+1:]
	}
}

func copyDownloaded(module, rest, target string) error {
	text, err := runGo(os.TempDir(), "mod", "download", "-json", module)
	if err != nil {
		return err
	}
	var downloaded struct{ Dir string }
	if err := json.Unmarshal(text, &downloaded); err != nil {
		return err
	}
	return copyFolder(filepath.Join(downloaded.Dir, rest), target)
}

func copyFolder(from, to string) error {
	return filepath.WalkDir(from, func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		target := filepath.Join(to, strings.TrimPrefix(path, from))
		if entry.IsDir() {
			return os.MkdirAll(target, 0o755)
		}
		return copyFile(path, target)
	})
}

func copyFile(from, to string) error {
	input, err := os.Open(from)
	if err != nil {
		return err
	}
	defer func() { _ = input.Close() }()
	output, err := os.Create(to)
	if err != nil {
		return err
	}
	_, err = io.Copy(output, input)
	if closed := output.Close(); err == nil {
		err = closed
	}
	return err
}

// program is the path of a program in the folder that build returned.
func program(folder, name string) string { return filepath.Join(folder, "bin", name) }
