// SPDX-License-Identifier: Apache-2.0

package gang

import (
	"strconv"
	"sync"
)

// names knows the names of an enumeration, which it asks the library for once.
type names[T ~int32] struct {
	enumeration enumeration
	values      []T
	once        sync.Once
	texts       map[T]string
	byText      map[string]T
	err         error
}

func (s *session) name(of enumeration, value int64) (string, error) {
	c := &call{words: words{number: uint64(of), index: uint64(value)}}
	if err := s.invoke(callName, &c.words, nil, nil); err != nil {
		return "", err
	}
	return s.text(c, 0), nil
}

func (n *names[T]) load() error {
	n.once.Do(func() {
		n.texts, n.byText = map[T]string{}, map[string]T{}
		n.err = (&call{}).within(func(s *session) error {
			for _, value := range n.values {
				text, err := s.name(n.enumeration, int64(value))
				if err != nil {
					return err
				}
				if text != "" {
					n.texts[value], n.byText[text] = text, value
				}
			}
			return nil
		})
	})
	return n.err
}

func (n *names[T]) text(value T) string {
	if n.load() == nil {
		if text, ok := n.texts[value]; ok {
			return text
		}
	}
	return strconv.Itoa(int(value))
}

func (n *names[T]) marshal(value T) ([]byte, error) {
	if err := n.load(); err != nil {
		return nil, err
	}
	return []byte(n.text(value)), nil
}

func (n *names[T]) unmarshal(text []byte, value *T) error {
	if err := n.load(); err != nil {
		return err
	}
	*value = n.byText[string(text)]
	return nil
}
