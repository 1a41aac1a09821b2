// SPDX-License-Identifier: Apache-2.0

// Package generate makes runtimes and TrainJobs out of a seed. Case i of a
// seed is the same document on every machine and in any order of asking.
package generate

import (
	"encoding/json"
	"math/rand/v2"
	"strconv"
)

// object is a document or a part of one, as encoding/json holds it.
type object = map[string]any

// list is the other half of a document.
type list = []any

// dice is the source of every choice in one case. A tame one leaves out what
// no server would store: wrong types, malformed quantities, nulls.
type dice struct {
	*rand.Rand
	tame bool
}

func newDice(seed, index uint64) dice {
	return dice{Rand: rand.New(rand.NewPCG(seed, index))}
}

func newTameDice(seed, index uint64) dice {
	return dice{Rand: rand.New(rand.NewPCG(seed, index)), tame: true}
}

// chance is true in percent of 100 throws.
func (d dice) chance(percent float64) bool { return d.Float64()*100 < percent }

// between includes both ends.
func (d dice) between(low, high int) int { return low + d.IntN(high-low+1) }

func pick[T any](d dice, from ...T) T { return from[d.IntN(len(from))] }

// digits is a decimal number of up to n digits, leading zeros allowed.
func (d dice) digits(n int) string {
	text := ""
	for range d.between(1, n) {
		text += strconv.Itoa(d.IntN(10))
	}
	return text
}

// number keeps a spelling that encoding/json would otherwise normalise.
func number(spelling string) json.Number { return json.Number(spelling) }

func (d dice) maybe(percent float64, into object, key string, make func() any) {
	if d.chance(percent) {
		into[key] = make()
	}
}
