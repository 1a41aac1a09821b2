// SPDX-License-Identifier: Apache-2.0

//go:build !cgo || libgang_wasm

package gang

import (
	"context"
	_ "embed"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"
)

const engineName = "wasm"

// A release contains gang.wasm, in a clone it has to be made. Where it is missing, the go command
// prints the pattern, which matches no other file.
//
//go:embed "gang.was[m: run dev amalgamate]"
var module []byte

const (
	// Linear memory never shrinks. An instance that grew beyond this is thrown away when nothing in
	// it is in use.
	largestIdleMemory = 64 << 20
	// A 32-bit module cannot have more.
	largestMemoryPages = 65536
)

// The module is compiled once. Instances of it are made when all others are busy, up to the number
// of threads that run Go.
var engine struct {
	once      sync.Once
	err       error
	runtime   wazero.Runtime
	compiled  wazero.CompiledModule
	cache     wazero.CompilationCache
	lastID    atomic.Uint64
	mutex     sync.Mutex // of what follows
	instances []*instance
	next      int
}

// setCompilationCache takes effect before the first use of the library.
func setCompilationCache(folder string) error {
	cache, err := wazero.NewCompilationCacheWithDir(folder)
	if err != nil {
		return err
	}
	engine.mutex.Lock()
	defer engine.mutex.Unlock()
	if engine.runtime != nil {
		return errors.New("gang: the library is in use already")
	}
	engine.cache = cache
	return nil
}

func startEngine() error {
	engine.once.Do(func() {
		engine.mutex.Lock()
		defer engine.mutex.Unlock()
		config := wazero.NewRuntimeConfig().WithMemoryLimitPages(largestMemoryPages)
		if engine.cache != nil {
			config = config.WithCompilationCache(engine.cache)
		}
		engine.runtime = wazero.NewRuntimeWithConfig(context.Background(), config)
		engine.compiled, engine.err = engine.runtime.CompileModule(context.Background(), module)
	})
	return engine.err
}

// An instance is one copy of the library with a memory of its own. Its mutex is held by the session
// that uses it.
type instance struct {
	mutex     sync.Mutex
	module    api.Module
	enter     api.Function
	room      api.Function
	block     uint32 // the input of a call
	blockSize uint64
	stack     [6]uint64
	scratch   []byte
	copies    map[uint64]uint64 // id of a place -> its object in this instance
	broken    error
	pinned    atomic.Int64 // objects that exist only here

	left      sync.Mutex // of what follows
	abandoned []object   // released by callers, and not yet by the library
}

type object struct {
	kind kind
	word uint64
	id   uint64 // 0 for a pinned one
}

func newInstance() (*instance, error) {
	config := wazero.NewModuleConfig().WithName("").WithStartFunctions("_initialize")
	m, err := engine.runtime.InstantiateModule(context.Background(), engine.compiled, config)
	if err != nil {
		return nil, fmt.Errorf("gang: no instance of the library: %w", err)
	}
	return &instance{
		module: m, enter: m.ExportedFunction("call_run"), room: m.ExportedFunction("call_room"),
		copies: map[uint64]uint64{},
	}, nil
}

// abandon leaves an object to the session that uses the instance, or to one that just begins.
func (i *instance) abandon(o object) {
	i.left.Lock()
	i.abandoned = append(i.abandoned, o)
	i.left.Unlock()
	if i.mutex.TryLock() {
		if s, err := begin(i); err == nil {
			s.end()
		}
	}
}

// place is where an object lies: in one instance, or, for what is made of text alone, in each
// instance that needed it. An instance that has no copy makes one by the recipe.
type place struct {
	kind   kind
	word   uint64
	home   *instance // of a pinned object
	id     uint64
	make   function
	recipe *call

	mutex sync.Mutex // of what follows
	homes []*instance
}

func (p *place) release() {
	if p.home != nil {
		p.home.pinned.Add(-1)
		p.home.abandon(object{kind: p.kind, word: p.word})
		return
	}
	p.mutex.Lock()
	homes := p.homes
	p.homes = nil
	p.mutex.Unlock()
	for _, i := range homes {
		i.abandon(object{kind: p.kind, id: p.id})
	}
	if p.recipe.context != nil {
		p.recipe.context.done()
	}
}

// forget makes room for another object. The homes were given up already.
func (p *place) forget() {
	p.kind, p.word, p.home, p.id, p.make, p.recipe = 0, 0, nil, 0, 0, nil
}

// settle notes that an instance has a copy.
func (p *place) settle(s *session, word uint64) {
	s.copies[p.id] = word
	p.mutex.Lock()
	p.homes = append(p.homes, s.instance)
	p.mutex.Unlock()
}

// A session is the use of one instance.
type session struct{ *instance }

func newSession(lists ...[]*handle) (*session, error) {
	if err := startEngine(); err != nil {
		return nil, fmt.Errorf("gang: the library does not compile: %w", err)
	}
	for _, handles := range lists {
		for _, h := range handles {
			if h != nil && h.place().home != nil {
				home := h.place().home
				home.mutex.Lock()
				return begin(home)
			}
		}
	}
	for {
		i, err := idleInstance()
		if err != nil {
			return nil, err
		}
		if s, err := begin(i); err == nil {
			return s, nil
		} // it was thrown away while we waited for it
	}
}

func begin(i *instance) (*session, error) {
	s := &session{i}
	if i.broken != nil {
		err := i.broken
		i.mutex.Unlock()
		return nil, err
	}
	s.releaseAbandoned()
	return s, nil
}

// idleInstance returns an instance with its mutex held. The first ones come first, because they
// hold more of what is shared.
func idleInstance() (*instance, error) {
	engine.mutex.Lock()
	for _, i := range engine.instances {
		if i.mutex.TryLock() {
			engine.mutex.Unlock()
			return i, nil
		}
	}
	if len(engine.instances) >= runtime.GOMAXPROCS(0) {
		engine.next = (engine.next + 1) % len(engine.instances)
		i := engine.instances[engine.next]
		engine.mutex.Unlock()
		i.mutex.Lock()
		return i, nil
	}
	defer engine.mutex.Unlock()
	i, err := newInstance()
	if err != nil {
		return nil, err
	}
	i.mutex.Lock()
	engine.instances = append(engine.instances, i)
	return i, nil
}

func (s *session) releaseAbandoned() {
	s.left.Lock()
	abandoned := s.abandoned
	s.abandoned = nil
	s.left.Unlock()
	for _, o := range abandoned {
		if o.id != 0 {
			o.word = s.copies[o.id]
			delete(s.copies, o.id)
		}
		s.release(o.kind, o.word)
	}
}

func (s *session) end() {
	s.left.Lock()
	waiting := len(s.abandoned)
	s.left.Unlock()
	if waiting > 0 && s.broken == nil {
		s.releaseAbandoned()
	}
	if s.broken != nil || s.pinned.Load() == 0 && s.module.Memory().Size() > largestIdleMemory {
		s.discard()
	}
	s.mutex.Unlock()
}

// discard takes the instance out of use. Who waits for it gets an error, or another.
func (s *session) discard() {
	if s.broken == nil {
		s.broken = errDiscarded
	}
	engine.mutex.Lock()
	engine.instances = slices.DeleteFunc(
		engine.instances, func(i *instance) bool { return i == s.instance },
	)
	engine.mutex.Unlock()
	_ = s.module.Close(context.Background())
}

var errDiscarded = errors.New("gang: the instance is gone")

// word is the object of a handle in this instance. It is made if it is not there yet.
func (s *session) word(h *handle) (uint64, error) {
	p := h.place()
	if p.home != nil {
		if p.home != s.instance {
			return 0, errors.New("gang: two results of different instances")
		}
		return p.word, nil
	}
	if word, ok := s.copies[p.id]; ok {
		return word, nil
	}
	again := call{context: p.recipe.context, limits: p.recipe.limits, text: p.recipe.text}
	again.flags = p.recipe.flags
	if err := s.perform(p.make, &again); err != nil {
		return 0, err
	}
	p.settle(s, again.handle)
	return again.handle, nil
}

// keep makes a handle of an object. What was made of text and limits alone can be made again in
// any instance. Everything else stays where it is.
func (s *session) keep(of kind, word uint64, f function, c *call) *handle {
	switch of {
	case kindContext, kindDocument, kindStream:
		recipe := &call{
			context: c.context,
			limits:  slices.Clone(c.limits),
			text:    slices.Clone(c.text),
		}
		recipe.flags = c.flags
		if recipe.context != nil {
			recipe.context.share() // until the place is released; our caller has it open
		}
		return newHandle(func(p *place) {
			p.kind, p.id, p.make, p.recipe = of, engine.lastID.Add(1), f, recipe
			p.settle(s, word)
		})
	default:
		s.pinned.Add(1)
		return newHandle(func(p *place) { p.kind, p.word, p.home = of, word, s.instance })
	}
}

const (
	wordBytes  = 8
	wordsBytes = wordBytes * wordCount
)

// invoke lays words, list and text one behind the other into the memory of the instance.
func (s *session) invoke(f function, w *words, text []byte, list []uint64) error {
	if s.broken != nil {
		return s.broken
	}
	listAt := uint64(wordsBytes)
	textAt := listAt + uint64(len(list))*wordBytes
	at, err := s.reserve(textAt + uint64(len(text)) + 1)
	if err != nil {
		return err
	}
	s.scratch = w.append(s.scratch[:0])
	for _, word := range list {
		s.scratch = binary.LittleEndian.AppendUint64(s.scratch, word)
	}
	memory := s.module.Memory()
	if !memory.Write(at, s.scratch) || !memory.Write(at+uint32(textAt), text) {
		return s.fail(errors.New("block out of bounds"))
	}
	s.stack = [6]uint64{
		uint64(f),
		uint64(at),
		uint64(at) + textAt,
		uint64(len(text)),
		uint64(at) + listAt,
		uint64(len(list)),
	}
	if err := s.enter.CallWithStack(context.Background(), s.stack[:]); err != nil {
		return s.fail(err)
	}
	answer, ok := memory.Read(at, wordsBytes)
	if !ok {
		return s.fail(errors.New("answer out of bounds"))
	}
	w.read(answer)
	return nil
}

// reserve returns a block for one call, the same one for as long as it is large enough.
func (s *session) reserve(size uint64) (uint32, error) {
	if size <= s.blockSize {
		return s.block, nil
	}
	if size > math.MaxInt32 {
		return 0, &Error{Result: ResultLimit, message: "more than 2 GiB of input"}
	}
	s.blockSize = 0
	s.stack[0] = size
	if err := s.room.CallWithStack(context.Background(), s.stack[:1]); err != nil {
		return 0, s.fail(err)
	}
	if s.stack[0] == 0 {
		return 0, &Error{Result: ResultNoMemory, message: "no memory for the input"}
	}
	s.block, s.blockSize = uint32(s.stack[0]), size
	return s.block, nil
}

// fail takes an instance out of use whose memory can no longer be trusted.
func (s *session) fail(err error) error {
	s.broken = fmt.Errorf("gang: the wasm engine failed: %w", err)
	return s.broken
}

// view is text in the memory of the instance, until the next call.
func (s *session) view(t textWord) []byte {
	if t.data == 0 || t.len == 0 {
		return nil
	}
	data, _ := s.module.Memory().Read(uint32(t.data), uint32(t.len))
	return data
}

func (s *session) copy(t textWord) []byte { return append(make([]byte, 0, t.len), s.view(t)...) }

const wordCount = 8 + 3 + 2 + 6 + 2*10

func (w *words) append(data []byte) []byte {
	for _, word := range [...]uint64{w.context, w.subject, w.other, w.kind, w.flags, w.format, w.index, w.number} {
		data = binary.LittleEndian.AppendUint64(data, word)
	}
	data = append(data, emptyAnswer[:]...)
	binary.LittleEndian.PutUint64(data[13*wordBytes:], w.numbers[0])
	return data
}

var emptyAnswer [wordsBytes - 8*wordBytes]byte

func (w *words) read(data []byte) {
	at := 8 * wordBytes
	take := func() uint64 {
		word := binary.LittleEndian.Uint64(data[at:])
		at += wordBytes
		return word
	}
	w.result, w.handle, w.err = take(), take(), take()
	w.blob = textWord{take(), take()}
	for i := range w.numbers {
		w.numbers[i] = take()
	}
	for i := range w.texts {
		w.texts[i] = textWord{take(), take()}
	}
}
