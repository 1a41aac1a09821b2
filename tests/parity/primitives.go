// SPDX-License-Identifier: Apache-2.0

package parity

/*
#include <stdlib.h>
#include "shim.h"
*/
import "C"

import "unsafe"

// quantity runs one operation of libgang on quantities; false means refused.
func quantity(op, a, b string) (string, bool) {
	arguments := cStrings(op, a, b)
	defer arguments.free()
	var out *C.char
	code := C.shim_quantity(arguments[0], arguments[1], arguments[2], &out)
	return takeText(code, out)
}

// podRequests sums a pod spec in libgang.
func podRequests(podSpec string) (string, bool) {
	arguments := cStrings(podSpec)
	defer arguments.free()
	var out *C.char
	return takeText(C.shim_pod_requests(arguments[0], &out), out)
}

// strategicMerge patches a JobSet spec in libgang.
func strategicMerge(spec, patch string) (string, bool) {
	arguments := cStrings(spec, patch)
	defer arguments.free()
	var out *C.char
	return takeText(C.shim_strategic_merge(arguments[0], arguments[1], &out), out)
}

type cTexts []*C.char

func cStrings(texts ...string) cTexts {
	made := make(cTexts, len(texts))
	for i, text := range texts {
		made[i] = C.CString(text)
	}
	return made
}

func (t cTexts) free() {
	for _, text := range t {
		C.free(unsafe.Pointer(text))
	}
}

func takeText(code C.int, out *C.char) (string, bool) {
	if code != 0 {
		return "", false
	}
	defer C.free(unsafe.Pointer(out))
	return C.GoString(out), true
}
