// SPDX-License-Identifier: Apache-2.0

package gang

import (
	"runtime"
	"sync/atomic"
	"time"
)

// A handle is an object of the library. It counts who uses it: the owner until Close, and each call
// while it runs. The object is released when its last user is done, so Close is safe at any time.
type handle struct {
	users  atomic.Int64 // 0: released
	closed atomic.Bool
	place  *place // where the engine finds the object
}

func newHandle(p *place) *handle {
	h := &handle{place: p}
	h.users.Store(1)
	alive.Add(1)
	return h
}

// The collector does not see the memory of the library. Where handles are not closed it would come
// too late, so who makes one waits for it when their number has doubled.
var (
	alive      atomic.Int64
	collectAt  atomic.Int64
	collecting atomic.Bool
)

const fewHandles = 1024

func init() { collectAt.Store(fewHandles) }

func collectIfMany() {
	if alive.Load() <= collectAt.Load() || !collecting.CompareAndSwap(false, true) {
		return
	}
	runtime.GC()
	for before := alive.Load(); ; before = alive.Load() { // its cleanups run in another goroutine
		time.Sleep(time.Millisecond)
		if alive.Load() >= before {
			break
		}
	}
	collectAt.Store(max(fewHandles, 2*alive.Load()))
	collecting.Store(false)
}

// open adds a user, unless the handle is released.
func (h *handle) open() bool {
	for {
		users := h.users.Load()
		if users == 0 {
			return false
		}
		if h.users.CompareAndSwap(users, users+1) {
			return true
		}
	}
}

func (h *handle) done() {
	if h.users.Add(-1) == 0 {
		if left := alive.Add(-1); left < collectAt.Load()/4 {
			collectAt.Store(max(fewHandles, 2*left))
		}
		h.place.release()
	}
}

// close ends the use by the owner, once.
func (h *handle) close() {
	if h != nil && h.closed.CompareAndSwap(false, true) {
		h.done()
	}
}

// closeWith closes the handle when the collector finds its owner, if it is not closed yet.
func closeWith[T any](owner *T, h *handle) *T {
	collectIfMany()
	runtime.AddCleanup(owner, (*handle).close, h)
	return owner
}
