// SPDX-License-Identifier: Apache-2.0

//go:build cgo && !libgang_wasm

package gang

/*
#cgo !libgang_system CFLAGS: -std=c11 -DNDEBUG
#cgo libgang_system CFLAGS: -DLIBGANG_SYSTEM
#cgo libgang_system pkg-config: libgang
#cgo noescape call_run
#cgo nocallback call_run
#if !defined(LIBGANG_SYSTEM) && !__has_include("gang.h")
#error "gang.c and gang.h are in releases; ./dev amalgamate makes them in a clone"
#endif
#include "call.h"
*/
import "C"

import (
	"unsafe"
)

// place is the address of an object. C owns the memory, and the number means nothing to Go.
type place struct {
	kind kind
	word uint64
}

func (p *place) release() {
	var s session
	s.release(p.kind, p.word)
}

func (p *place) forget() { *p = place{} }

// A session has no state here: the library may be called from any thread.
type session struct{}

func newSession(...[]*handle) (*session, error) { return &session{}, nil }

func (*session) end() {}

func (*session) word(h *handle) (uint64, error) { return h.place().word, nil }

// keep makes a handle of an object. It can be made again nowhere but here.
func (*session) keep(of kind, word uint64, _ function, _ *call) *handle {
	return newHandle(func(p *place) { p.kind, p.word = of, word })
}

func (*session) invoke(f function, w *words, text []byte, list []uint64) error {
	C.call_run(C.uint32_t(f), (*C.struct_call)(unsafe.Pointer(w)),
		(*C.char)(unsafe.Pointer(unsafe.SliceData(text))), C.uint64_t(len(text)),
		(*C.uint64_t)(unsafe.Pointer(unsafe.SliceData(list))), C.uint64_t(len(list)))
	return nil
}

// view is text of the library, until the call after next.
func (*session) view(t textWord) []byte {
	if t.data == 0 || t.len == 0 {
		return nil
	}
	return unsafe.Slice(*(**byte)(unsafe.Pointer(&t.data)), int(t.len))
}

func (s *session) copy(t textWord) []byte { return append(make([]byte, 0, t.len), s.view(t)...) }

func setCompilationCache(string) error { return nil }
