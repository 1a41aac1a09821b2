// SPDX-License-Identifier: Apache-2.0

package gang

import "math"

// A Stream is the documents of one text, as `kustomize build` or `kubectl get` prints them.
type Stream struct {
	handle    *handle
	limits    *Limits
	documents []StreamDocument
}

// A StreamDocument is one document of a stream. What it does not have is "".
type StreamDocument struct {
	APIVersion, Kind, Namespace, Name string
	Data                              []byte // as Parse reads it
	Line                              int    // of the stream on which it starts, from 1
}

// Split finds the documents of a text. Empty documents are skipped. Only WithLimits has an effect.
func Split(data []byte, with ...Option) (*Stream, error) {
	chosen := optionsOf(with)
	stream := &Stream{limits: chosen.limits}
	c := &call{context: chosen.limits.context(), text: data}
	err := c.within(func(s *session) error {
		h, err := s.make(kindStream, callStreamParse, c)
		if err != nil {
			return err
		}
		stream.handle = h
		return stream.read(s, c.handle)
	})
	if err != nil {
		return nil, err
	}
	return stream, nil
}

func (t *Stream) read(s *session, word uint64) error {
	for i := uint64(0); ; i++ {
		c, err := s.get(callStreamGet, kindStream, word, i)
		if err != nil || i >= c.numbers[0] {
			return err
		}
		t.documents = append(t.documents, StreamDocument{
			APIVersion: s.text(c, 0), Kind: s.text(c, 1),
			Namespace: s.text(c, 2), Name: s.text(c, 3),
			Data: s.copy(c.texts[4]), Line: int(c.numbers[1]),
		})
	}
}

// Close releases the stream. Its documents stay valid.
func (t *Stream) Close() { t.orEmpty().handle.close() }

func (t *Stream) orEmpty() *Stream {
	if t == nil {
		return &Stream{}
	}
	return t
}

// Documents lists the documents.
func (t *Stream) Documents() []StreamDocument { return t.orEmpty().documents }

// Convert writes one document in another format. Comments are dropped; aliases and merge keys are
// replaced by their values.
func (t *Stream) Convert(index int, format Format) ([]byte, error) {
	t = t.orEmpty()
	c := &call{context: t.limits.context(), subject: t.handle}
	c.index, c.format = min(uint64(index), math.MaxUint32), uint64(format) // size_t of wasm
	return bytesOf(callStreamSerialize, c)
}
