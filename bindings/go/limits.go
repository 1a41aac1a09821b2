// SPDX-License-Identifier: Apache-2.0

package gang

import (
	"fmt"
	"maps"
	"slices"
)

// Limits bound what one call may read, hold or write. They are immutable. doc/limits.md has the
// defaults and the ceilings.
type Limits struct{ handle *handle }

// NewLimits returns the default limits with those given set to other values. A value out of range
// is an *Error with ResultInvalidArgument, which names the limit.
func NewLimits(values map[Limit]uint64) (*Limits, error) {
	c := &call{}
	for _, limit := range slices.Sorted(maps.Keys(values)) {
		c.limits = append(c.limits, uint64(int64(limit)), values[limit])
	}
	h, err := makeHandle(kindContext, callContextNew, c)
	if Result(int64(c.result)) == ResultInvalidArgument {
		return nil, invalid(fmt.Sprintf(
			"%v: %d is out of range", Limit(c.numbers[0]), values[Limit(c.numbers[0])]))
	}
	if h == nil {
		return nil, err
	}
	return &Limits{h}, err
}

// Close releases the limits. Documents that were parsed with them keep them, but no longer can be
// resolved.
func (l *Limits) Close() { l.context().close() }

func (l *Limits) context() *handle {
	if l == nil {
		return nil
	}
	return l.handle
}

// makeHandle makes one call that returns an object.
func makeHandle(of kind, f function, c *call) (h *handle, err error) {
	err = c.within(func(s *session) error {
		h, err = s.make(of, f, c)
		return err
	})
	return h, err
}

// make performs a call that returns an object, perhaps beside an error.
func (s *session) make(of kind, f function, c *call) (*handle, error) {
	err := s.perform(f, c)
	if c.handle == 0 {
		return nil, err
	}
	return s.keep(of, c.handle, f, c), err
}

// An Option changes how a document is parsed, or a plan is reconciled or explained.
type Option func(*options)

type options struct {
	limits    *Limits
	unlocated unlocated
	parse     parseFlags
	serialize serializeFlags
	reconcile reconcileFlags
}

// WithLimits sets the limits of a document, and of the decisions and plans that are made of it. Nil
// stands for the defaults.
func WithLimits(limits *Limits) Option { return func(o *options) { o.limits = limits } }

// Strict makes unknown fields errors, not warnings. A GangPolicy or GangCluster is always strict.
func Strict() Option { return func(o *options) { o.parse |= parseStrict } }

// Generated says that a program wrote the text: diagnostics have no lines and columns, which are
// those of a text that does not exist.
func Generated() Option { return func(o *options) { o.unlocated = everyType } }

// Wake makes Reconcile wake gangs that wait for room: see the flag of gang_reconcile() in gang.h.
func Wake() Option { return func(o *options) { o.reconcile |= reconcileWake } }

// Adopt makes Reconcile take over objects without a controller: see the flag of gang_reconcile() in
// gang.h.
func Adopt() Option { return func(o *options) { o.reconcile |= reconcileAdopt } }

// Verbose makes Explain also write infos, the place of each source, attributes without a value, and
// all rules that do not match.
func Verbose() Option { return func(o *options) { o.serialize |= serializeVerbose } }

func optionsOf(list []Option) (o options) {
	for _, option := range list {
		if option != nil {
			option(&o)
		}
	}
	return o
}
