// SPDX-License-Identifier: Apache-2.0

// Package gang decides which pods of a Kubernetes job must start together, and returns the objects
// to create and the fields to set on the pods. It is the Go binding of libgang, which is pure: no
// files, no network, no clock. The same inputs give the same bytes.
//
//	runtime, err := gang.Parse(runtimeJSON) // once
//	job, err := gang.Parse(jobJSON)
//	plan, err := gang.Render(job, runtime)
//	for _, object := range plan.Objects() {
//		apply(object.JSON)
//	}
//
// With cgo the library is compiled from gang.c in this folder. Without cgo the same sources run as
// a WebAssembly module, gang.wasm, which needs nothing of the system. Both give the same bytes.
// They read JSON only. With the build tag libgang_system the installed library is linked, which
// also reads YAML. The tag libgang_wasm chooses WebAssembly although cgo is on.
//
// Documents, decisions and plans are immutable and may be used by all goroutines at the same time.
// Each has a method Close. An object that is not closed is closed when it is collected.
package gang

// Engine names what runs the library: "cgo", "wasm", or "system" for the installed library.
func Engine() string { return engineName }

// Version is the version of the library, "0.1.0". It is empty if the engine does not work.
func Version() string {
	text, _ := libraryText(0)
	return text
}

// Compiler names the compiler that the binding's C was compiled with.
func Compiler() string {
	text, _ := libraryText(1)
	return text
}

func libraryText(index int) (text string, err error) {
	c := &call{}
	err = c.within(func(s *session) error {
		err := s.run(callLibrary, c)
		if err == nil {
			text = s.text(c, index)
		}
		return err
	})
	return text, err
}

// HasYAML tells whether the library reads YAML. Without it the library reads and writes JSON, and
// writes YAML.
func HasYAML() bool {
	c := &call{}
	err := c.within(func(s *session) error { return s.run(callLibrary, c) })
	return err == nil && c.numbers[1] != 0
}

// SetCompilationCache names a folder where the wasm engine keeps the compiled module, so that the
// next process need not compile it. It must be called before any other function. Other engines
// ignore it.
func SetCompilationCache(folder string) error { return setCompilationCache(folder) }

// BackendNames lists the backends ("volcano") in the order of the library's table.
func BackendNames() []string {
	var names []string
	_ = (&call{}).within(func(s *session) error {
		for {
			name, err := s.name(nameBackend, int64(len(names)))
			if err != nil || name == "" {
				return err
			}
			names = append(names, name)
		}
	})
	return names
}

// Backends writes a document that lists what the library can render: the backends with their
// versions, objects and options.
func Backends(format Format) ([]byte, error) {
	c := &call{words: words{format: uint64(format)}}
	return bytesOf(callBackends, c)
}

// Schema writes the JSON Schema of a kind of document. The library has those of
// "GangPolicy", "GangCluster" and "GangJob".
func Schema(kind string, format Format) ([]byte, error) {
	text, err := cString(kind)
	if err != nil {
		return nil, err
	}
	return bytesOf(callSchema, &call{words: words{format: uint64(format)}, text: text})
}

// bytesOf makes one call that writes.
func bytesOf(f function, c *call) (data []byte, err error) {
	err = c.within(func(s *session) error {
		data, err = s.bytes(f, c)
		return err
	})
	return data, err
}
