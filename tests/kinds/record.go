// SPDX-License-Identifier: Apache-2.0
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// recorded is one line of a recording.
type recorded struct {
	ID     string  `json:"id"`
	Object object  `json:"object"`
	Answer *answer `json:"answer"`
}

func caseID(one kind, chosen *choice, index int) string {
	return fmt.Sprintf("%s/%d/%d", one.name, chosen.seed, chosen.first+index)
}

// record writes <kind>.ndjson for each kind: objects and answers, for the tests without Go.
func record(chosen *choice) error {
	for _, one := range chosen.chosen() {
		objects, answers := objectsOf(one, chosen)
		lines := make([]any, len(objects))
		for i := range objects {
			lines[i] = recorded{caseID(one, chosen, i), objects[i], answers[i]}
		}
		path := filepath.Join(chosen.record, strings.ToLower(one.name)+".ndjson")
		if err := writeLines(path, lines); err != nil {
			return err
		}
	}
	if peers == nil || chosen.only != "" {
		return nil
	}
	return writeLines(filepath.Join(chosen.record, "peers.jsonl"), peers())
}

func writeLines(path string, lines []any) error {
	file, err := os.Create(path)
	if err != nil {
		return err
	}
	text := bufio.NewWriter(file)
	encoder := json.NewEncoder(text)
	encoder.SetEscapeHTML(false)
	for _, line := range lines {
		if err := encoder.Encode(line); err != nil {
			return err
		}
	}
	if err := text.Flush(); err != nil {
		return err
	}
	return file.Close()
}
