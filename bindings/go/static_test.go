// SPDX-License-Identifier: Apache-2.0

//go:build linux && (!cgo || libgang_wasm)

package gang_test

import (
	"debug/elf"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// Without cgo the program needs nothing: it runs where there is no other file.
func TestEmptyRoot(t *testing.T) {
	folder := t.TempDir()
	build := exec.Command("go", "build", "-o", filepath.Join(folder, "render"), "./examples/render")
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	if text, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	checkStatic(t, filepath.Join(folder, "render"))
	for name, text := range map[string]string{"job.json": jobJSON, "runtime.json": runtimeJSON} {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	run := exec.Command("/render", "/job.json", "/runtime.json")
	run.Env = []string{}
	run.Dir = "/"
	run.SysProcAttr = &syscall.SysProcAttr{Chroot: folder}
	if os.Getuid() != 0 {
		run.SysProcAttr.Cloneflags = syscall.CLONE_NEWUSER
		run.SysProcAttr.UidMappings = []syscall.SysProcIDMap{{HostID: os.Getuid(), Size: 1}}
	}
	text, err := run.CombinedOutput()
	if err != nil || !strings.Contains(string(text), `"minMember":4`) {
		t.Errorf("%v\n%s", err, text)
	}
}

func checkStatic(t *testing.T, name string) {
	t.Helper()
	file, err := elf.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = file.Close() }()
	libraries, err := file.ImportedLibraries()
	if err != nil || len(libraries) > 0 {
		t.Errorf("it needs %v, %v", libraries, err)
	}
	for _, part := range file.Progs {
		if part.Type == elf.PT_INTERP {
			t.Error("it needs a loader")
		}
	}
}
