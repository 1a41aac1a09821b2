// SPDX-License-Identifier: Apache-2.0

package gang

import (
	"runtime"
	"sync"
	"sync/atomic"
	"time"
)

// A handle is an object of the library. It counts who uses it: the owner until Close, and each call
// while it runs. The object is released when its last user is done, so Close is safe at any time.
//
// Each call refers to its handles until it ends, so the collector does not find them before.
type handle struct {
	users  atomic.Int64 // 0: released, and there is no keeper
	closed atomic.Bool
	keeper *keeper
}

// A keeper releases the object of a handle that is not closed, when the collector finds it. To
// register that with the collector is slow, so the keepers of closed handles are used again.
type keeper struct{ kept *kept }

// kept is not a part of its keeper, because the collector must not find the keeper through it.
type kept struct {
	place place // where the engine finds the object
	inUse atomic.Bool
}

var keepers sync.Pool

func newKeeper() any {
	k := &keeper{&kept{}}
	runtime.AddCleanup(k, (*kept).release, k.kept)
	return k
}

// newHandle takes over an object, which the engine says how to find.
func newHandle(set func(*place)) *handle {
	h := &handle{keeper: keepers.Get().(*keeper)}
	set(h.place())
	h.keeper.kept.inUse.Store(true)
	h.users.Store(1)
	alive.Add(1)
	return h
}

// place is where the engine finds the object, for a user.
func (h *handle) place() *place { return &h.keeper.kept.place }

// release releases the object, if there is one.
func (k *kept) release() {
	if !k.inUse.CompareAndSwap(true, false) {
		return
	}
	if left := alive.Add(-1); left < collectAt.Load()/4 {
		collectAt.Store(max(fewHandles, 2*left))
	}
	k.place.release()
	k.place.forget()
}

// The collector does not see the memory of the library. Where handles are not closed it would come
// too late, so who makes one waits for it when their number has doubled.
var (
	alive      atomic.Int64
	collectAt  atomic.Int64
	collecting atomic.Bool
)

const fewHandles = 1024

func init() {
	keepers.New = newKeeper
	collectAt.Store(fewHandles)
}

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

// open adds a user, unless the owner has closed the handle.
func (h *handle) open() bool { return !h.closed.Load() && h.share() }

// share adds a user, unless the handle is released.
func (h *handle) share() bool {
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
		keeper := h.keeper
		h.keeper = nil
		keeper.kept.release()
		keepers.Put(keeper)
	}
}

// close ends the use by the owner, once.
func (h *handle) close() {
	if h != nil && h.closed.CompareAndSwap(false, true) {
		h.done()
	}
}
