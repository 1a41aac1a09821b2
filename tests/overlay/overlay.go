// SPDX-License-Identifier: Apache-2.0

// Package overlay shows the go command the module of an operator with other files in place of some
// of its own, and runs the tests of its packages. The folder of the module does not exist: the
// files are read from the module cache, where they cannot be replaced.
package overlay

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// A Module is one that the go.mod in the folder Home requires.
type Module struct {
	Path, Home string
	// Files are shown in place of others, or are more tests, by their paths in the module. Empty:
	// it has no such file.
	Files map[string]string
	// Patch is a file with changes of the module, for git.
	Patch string
	// Replace has folders of other modules, by their paths.
	Replace map[string]string
}

// folder is where the module is shown, below Home.
func (m *Module) folder() string { return "overlay/" + filepath.Base(m.Path) }

// Go runs a go command in Home that compiles: `work` is a folder for files, which must be kept as
// long as the command runs.
func (m *Module) Go(work string, verb string, arguments ...string) error {
	shown, err := m.shown(work)
	if err != nil {
		return err
	}
	text, err := json.Marshal(map[string]any{"Replace": shown})
	if err != nil {
		return err
	}
	overlay := filepath.Join(work, "overlay.json")
	if err := os.WriteFile(overlay, text, 0o600); err != nil {
		return err
	}
	modFile, err := m.writeModFile(work)
	if err != nil {
		return err
	}
	all := slices.Concat([]string{verb, "-overlay", overlay, "-modfile", modFile}, arguments)
	_, err = run(m.Home, "go", all...)
	return err
}

func run(folder, name string, arguments ...string) ([]byte, error) {
	var failure bytes.Buffer
	command := exec.Command(name, arguments...)
	command.Dir, command.Stderr = folder, &failure
	output, err := command.Output()
	if err != nil {
		err = fmt.Errorf("%s %v: %w\n%s", name, arguments, err, failure.Bytes())
	}
	return output, err
}

// shown says which file is read where the go command looks for another.
func (m *Module) shown(work string) (map[string]string, error) {
	home, err := filepath.Abs(m.Home)
	if err != nil {
		return nil, err
	}
	listed, err := run(home, "go", "list", "-m", "-f", "{{.Dir}}", m.Path)
	if err != nil {
		return nil, err
	}
	source, target := strings.TrimSpace(string(listed)), filepath.Join(home, m.folder())
	files := map[string]string{}
	err = filepath.WalkDir(source, func(path string, entry fs.DirEntry, err error) error {
		if err == nil && entry.Type().IsRegular() {
			files[target+strings.TrimPrefix(path, source)] = path
		}
		return err
	})
	if err == nil && m.Patch != "" {
		err = m.patch(work, source, func(path, changed string) {
			files[filepath.Join(target, path)] = changed
		})
	}
	for name, instead := range m.Files {
		name = filepath.Join(target, name)
		if files[name] == "" && !strings.HasSuffix(name, "_test.go") && err == nil {
			err = fmt.Errorf("%s has no %s", m.Path, name)
		}
		files[name] = instead
	}
	return files, err
}

// patch reports each file that the patch changes, as it is with it.
func (m *Module) patch(work, source string, changes func(path, changed string)) error {
	text, err := os.ReadFile(m.Patch)
	if err != nil {
		return err
	}
	folder, err := os.MkdirTemp(work, "patched-")
	if err != nil {
		return err
	}
	for line := range strings.Lines(string(text)) {
		path, isName := strings.CutPrefix(strings.TrimSpace(line), "+++ b/")
		if !isName {
			continue
		}
		target := filepath.Join(folder, path)
		original, err := os.ReadFile(filepath.Join(source, path))
		if err == nil {
			err = os.MkdirAll(filepath.Dir(target), 0o750)
		}
		if err == nil {
			err = os.WriteFile(target, original, 0o600)
		}
		if err != nil {
			return err
		}
		changes(path, target)
	}
	patch, err := filepath.Abs(m.Patch)
	if err == nil {
		_, err = run(folder, "git", "apply", patch)
	}
	return err
}

// writeModFile writes the go.mod of Home with the module that is shown.
func (m *Module) writeModFile(work string) (string, error) {
	for _, name := range []string{"go.mod", "go.sum"} {
		text, err := os.ReadFile(filepath.Join(m.Home, name))
		if err == nil {
			err = os.WriteFile(filepath.Join(work, name), text, 0o600)
		}
		if err != nil {
			return "", err
		}
	}
	modFile := filepath.Join(work, "go.mod")
	edits := []string{"mod", "edit", "-replace", m.Path + "=./" + m.folder()}
	for path, folder := range m.Replace {
		edits = append(edits, "-replace", path+"="+folder)
	}
	_, err := run(m.Home, "go", append(edits, modFile)...)
	return modFile, err
}
