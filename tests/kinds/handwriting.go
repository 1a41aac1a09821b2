// SPDX-License-Identifier: Apache-2.0
package main

import (
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"

	utilruntime "k8s.io/apimachinery/pkg/util/runtime"
	"sigs.k8s.io/yaml"
)

// hand writes a document as YAML in a style of its own, as people and tools do. What a text means
// is what kubectl reads of it.
type hand struct {
	random
	text    strings.Builder
	step    int  // columns of a level
	inset   bool // the items of a list are indented
	comment int  // percent of the lines
	unusual int  // percent of the scalars in a rare spelling
	flow    int  // percent of the maps and lists
	anchors int  // percent of what is written twice
	merges  int
	named   map[string]string // the JSON text of what has an anchor: its name
	shared  []*leaf           // the maps with an anchor, in the order of the text
	names   int
	orderly bool // merge keys come first
}

// leaf is one value of a document whose order and anchors are chosen.
type leaf struct {
	value    any
	id       string // the value as JSON
	keys     []string
	children []*leaf
	anchor   string
	alias    string
	merge    []string // names of the maps that are merged
	first    bool     // the merge key comes first, so that nothing is replaced by what is merged
	isFlow   bool
}

// handwrite returns the document, with other documents around it.
func handwrite(r random, document object) string {
	h := &hand{random: r, step: choose(r, 2, 2, 2, 4, 3), inset: r.chance(50),
		comment: choose(r, 0, 5, 25), unusual: choose(r, 0, 5, 30), flow: choose(r, 0, 10, 40),
		anchors: choose(r, 0, 60, 95), merges: choose(r, 0, 50, 90), named: map[string]string{},
		orderly: document["kind"] == "PodList"}
	root := h.arrange(document, 0)
	h.share(root)
	h.text.WriteString(h.before())
	h.block(root, 0, true)
	h.text.WriteString(h.after())
	text := h.text.String()
	if r.chance(15) {
		text = strings.ReplaceAll(text, "\n", "\r\n")
	}
	if r.chance(10) {
		text = "\ufeff" + text
	}
	return text
}

const otherDocument = "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: settings\ndata:\n" +
	"  script: |\n    # not a comment\n    kind: Job\n   \n    echo \"a: b\"\n"

func (h *hand) before() string {
	return choose(h.random, "", "", "", "---\n", "---\n---\n", "# a job\n", "\n\n", "# a: b\n---\n",
		"--- # the job\n", otherDocument+"---\n", "---\n"+otherDocument+"...\n---\n",
		"---\n# nothing\n---\n")
}

func (h *hand) after() string {
	return choose(h.random, "", "", "", "...\n", "---\n", "---\n# the end\n", "\n\n",
		"---\n"+otherDocument, "...\n---\n"+otherDocument+"...\n", "---\n---\n", "# the end")
}

// ---- order, anchors, merge keys ----

func (h *hand) arrange(value any, depth int) *leaf {
	one := &leaf{value: value, id: textOf(value)}
	switch all := value.(type) {
	case object:
		one.keys = slices.Sorted(maps.Keys(all))
		if h.chance(70) {
			h.Shuffle(len(one.keys), func(i, j int) {
				one.keys[i], one.keys[j] = one.keys[j], one.keys[i]
			})
		}
		for _, key := range one.keys {
			one.children = append(one.children, h.arrange(all[key], depth+1))
		}
		one.isFlow = len(all) == 0 || (depth > 0 && h.chance(h.flow))
	case []any:
		for _, item := range all {
			one.children = append(one.children, h.arrange(item, depth+1))
		}
		one.isFlow = len(all) == 0 || h.chance(h.flow)
	}
	return one
}

func textOf(value any) string {
	text, err := json.Marshal(value)
	utilruntime.Must(err)
	return string(text)
}

// libgang takes no more (GANG206).
const mostAnchors = 64

// share gives anchors to values, replaces later ones that are equal by aliases, and merges maps.
// A value that an alias replaces has no anchors inside.
func (h *hand) share(one *leaf) {
	if name, given := h.named[one.id]; given && h.chance(h.anchors) {
		one.alias = name
		return
	}
	all, isMap := one.value.(object)
	_, isList := one.value.([]any)
	worth := len(one.children) > 0 || (!isMap && !isList && one.value != nil && h.chance(5))
	if isMap && len(one.keys) > 0 && h.chance(h.merges) {
		h.mergeInto(one)
	}
	for i, child := range one.children {
		if isMap && one.keys[i] == "items" { // libgang reads the items one by one
			for _, item := range child.children {
				h.named, h.shared = map[string]string{}, nil
				h.share(item)
			}
			h.named, h.shared = map[string]string{}, nil
			continue
		}
		h.share(child)
	}
	if !worth || h.names == mostAnchors || !h.chance(h.anchors) {
		return
	}
	h.names++
	one.anchor = choose(h.random, "a", "default-", "x_", "Job_", "1-") + strconv.Itoa(h.names)
	h.named[one.id] = one.anchor
	if isMap && len(all) > 0 {
		h.shared = append(h.shared, one)
	}
}

// mergeInto leaves out members that a map with an anchor has, too. Members beside the merge key
// replace those of the merged map.
func (h *hand) mergeInto(one *leaf) {
	var merged []*leaf
	for _, other := range h.shared {
		if len(merged) < 2 && other.fitsInto(one) {
			merged = append(merged, other)
		}
	}
	if len(merged) == 0 {
		return
	}
	known := object{}
	own := one.value.(object)
	for _, other := range slices.Backward(merged) { // the first one wins
		one.merge = append([]string{other.anchor}, one.merge...)
		maps.Copy(known, other.value.(object))
	}
	for _, name := range []string{"name", "groupName", "replicas"} {
		one.first = one.first || textOf(known[name]) != textOf(own[name])
	}
	var keys []string
	var children []*leaf
	for i, key := range one.keys {
		value, given := known[key]
		if given && textOf(value) == one.children[i].id && h.chance(95) {
			continue
		}
		keys = append(keys, key)
		children = append(children, one.children[i])
	}
	one.keys, one.children = keys, children
}

// fitsInto says that every key of the map is one of the other map, and at least one value is equal.
func (one *leaf) fitsInto(other *leaf) bool {
	target := other.value.(object)
	equal := false
	for key, value := range one.value.(object) {
		their, given := target[key]
		if !given {
			return false
		}
		equal = equal || textOf(value) == textOf(their)
	}
	return equal
}

// ---- block style ----

func (h *hand) put(parts ...string) {
	for _, part := range parts {
		h.text.WriteString(part)
	}
}

var remarks = []string{"# TODO", "# key: value", "#", "# \"quote", "# 'quote", "#--- not the end",
	"# größer", "# {a: [b", "# & * ! | > %", "#\ttab"}

// end ends a line.
func (h *hand) end() {
	if h.chance(h.comment) {
		h.put(choose(h.random, " ", "  ", "\t", " \t"), choose(h.random, remarks...))
	} else if h.chance(3) {
		h.put("  ")
	}
	h.put("\n")
}

// pad begins a line, at times after a comment or an empty line.
func (h *hand) pad(indent int) {
	for h.chance(h.comment) {
		if h.chance(30) {
			h.put("\n")
			continue
		}
		h.put(strings.Repeat(" ", indent), choose(h.random, remarks...), "\n")
	}
	h.put(strings.Repeat(" ", indent))
}

func (one *leaf) isBlock() bool {
	return one.alias == "" && !one.isFlow && len(one.keys)+len(one.children)+len(one.merge) > 0
}

// block writes a map or list from a column on; fresh says that the line has not begun.
func (h *hand) block(one *leaf, indent int, fresh bool) {
	begin := func() {
		if fresh {
			h.pad(indent)
		}
		fresh = true
	}
	if _, isMap := one.value.(object); !isMap {
		for _, item := range one.children {
			begin()
			h.put("-")
			h.item(item, indent)
		}
		return
	}
	at := -1
	switch {
	case one.merge == nil:
	case one.first || h.orderly:
		at = 0
	default:
		at = choose(h.random, 0, 0, 0, 0, 0, 0, 0, 0, h.IntN(len(one.keys)+1))
	}
	for i := range len(one.keys) + 1 {
		if i == at {
			begin()
			h.put(choose(h.random, "<<", "<<", "<<", "<< "), ": ", one.mergeValue(h))
			h.end()
		}
		if i < len(one.keys) {
			begin()
			h.put(h.key(one.keys[i]), choose(h.random, ":", ":", ":", ":", " :"))
			h.member(one.children[i], indent)
		}
	}
}

func (one *leaf) mergeValue(h *hand) string {
	if len(one.merge) == 1 && h.chance(80) {
		return "*" + one.merge[0]
	}
	return "[*" + strings.Join(one.merge, " , *") + " ]"
}

func (h *hand) item(item *leaf, indent int) {
	if !item.isBlock() {
		h.put(" ")
		h.inline(item, indent)
		return
	}
	if item.anchor != "" || h.chance(10) {
		h.anchor(item)
		h.put(choose(h.random, "\n", "\n", " # an item\n")) // go-yaml takes no tab here
		h.block(item, indent+h.step, true)
		return
	}
	spaces := choose(h.random, 1, 1, 1, 3)
	h.put(strings.Repeat(" ", spaces))
	h.block(item, indent+1+spaces, false)
}

func (h *hand) anchor(one *leaf) {
	if one.anchor != "" {
		h.put(" &", one.anchor)
	}
}

func (h *hand) member(child *leaf, indent int) {
	if !child.isBlock() {
		if child.value == nil && child.alias == "" && h.chance(40) {
			h.end() // null without a word
			return
		}
		h.put(choose(h.random, " ", " ", " ", "  ", "   "))
		h.inline(child, indent)
		return
	}
	h.anchor(child)
	h.end()
	if _, isMap := child.value.(object); isMap || h.inset {
		indent += h.step
	}
	h.block(child, indent, true)
}

// inline writes a value that begins in the line of its key.
func (h *hand) inline(one *leaf, indent int) {
	if one.alias != "" {
		h.put("*", one.alias)
		h.end()
		return
	}
	if one.anchor != "" {
		h.put("&", one.anchor, " ")
	}
	text, isText := one.value.(string)
	if isText && h.chance(h.unusual) && h.several(text, indent) {
		return
	}
	h.put(h.content(one, indent+h.step, one.isFlow))
	h.end()
}

// several writes a text on lines of its own, or says that its spelling does not allow it.
func (h *hand) several(text string, indent int) bool {
	if text == "" || strings.ContainsAny(text, "\n\t") || strings.TrimSpace(text) != text {
		return false
	}
	pad := strings.Repeat(" ", indent+h.step)
	words := strings.ReplaceAll(text, " ", "\n"+pad)
	switch h.IntN(4) {
	case 0:
		h.put("|-")
		h.end()
		h.put(pad, text, "\n")
	case 1:
		h.put(">-")
		h.end()
		h.put(pad, words, "\n")
	case 2:
		h.put("\"", strings.ReplaceAll(strings.ReplaceAll(words, `\`, `\\`), `"`, `\"`), "\"")
		h.end()
	default:
		half := len(text) / 2
		if text[half] == ' ' || strings.ContainsAny(text, `"\`) {
			return false
		}
		h.put("\"", text[:half], "\\\n", pad, text[half:], "\"")
		h.end()
	}
	return true
}

// ---- flow style ----

// inFlow returns a value inside of a flow map or list.
func (h *hand) inFlow(one *leaf, indent int) string {
	switch {
	case one.alias != "":
		return "*" + one.alias + " " // a comma may be part of a name
	case one.anchor != "":
		return "&" + one.anchor + " " + h.content(one, indent, true)
	}
	return h.content(one, indent, true)
}

// content returns a scalar, or a map or list in flow style.
func (h *hand) content(one *leaf, indent int, inFlow bool) string {
	var parts []string
	switch one.value.(type) {
	case object:
		if one.merge != nil {
			parts = append(parts, "<<: "+one.mergeValue(h)+" ")
		}
		for i, key := range one.keys {
			name, value, colon := h.key(key), h.inFlow(one.children[i], indent), ": "
			if strings.HasSuffix(name, `"`) && h.chance(20) {
				colon = ":" // as in JSON
			}
			parts = append(parts, name+colon+value)
		}
		return h.enclose("{", parts, "}", indent)
	case []any:
		for _, child := range one.children {
			parts = append(parts, h.inFlow(child, indent))
		}
		return h.enclose("[", parts, "]", indent)
	}
	return h.scalar(one.value, inFlow)
}

func (h *hand) enclose(open string, parts []string, end string, indent int) string {
	if len(parts) == 0 {
		return open + choose(h.random, "", "", " ") + end
	}
	pad := "\n" + strings.Repeat(" ", indent)
	switch h.IntN(5) {
	case 0:
		return open + strings.Join(parts, ", ") + end
	case 1:
		return open + " " + strings.Join(parts, " , ") + " " + end
	case 2:
		return open + strings.Join(parts, ","+pad) + end
	case 3:
		return open + pad + strings.Join(parts, ", # one"+pad) + "," + pad + end
	}
	return open + strings.Join(parts, ", ") + "," + end
}

// ---- keys and scalars ----

func (h *hand) key(name string) string {
	switch {
	case h.chance(90):
		return name
	case h.chance(50):
		return `"` + name + `"`
	}
	return "'" + name + "'"
}

func (h *hand) scalar(value any, inFlow bool) string {
	unusual := h.chance(h.unusual)
	switch value := value.(type) {
	case nil:
		return choose(h.random, "null", "null", "~", "Null", "NULL")
	case bool:
		return h.truth(value, unusual)
	case int64:
		return h.integer(value, unusual)
	case float64:
		return h.fraction(value, unusual)
	case string:
		return h.words(value, inFlow, unusual)
	}
	panic(fmt.Sprintf("%T", value))
}

func (h *hand) truth(value, unusual bool) string {
	switch {
	case !unusual:
		return strconv.FormatBool(value)
	case value:
		return choose(h.random, "True", "TRUE", "yes", "Yes", "on", "On", "y", "!!bool true")
	}
	return choose(h.random, "False", "FALSE", "no", "No", "off", "OFF", "n", "!!bool no")
}

func (h *hand) integer(value int64, unusual bool) string {
	decimal := strconv.FormatInt(value, 10)
	if !unusual || value < 0 {
		return decimal
	}
	spellings := []string{"+" + decimal, fmt.Sprintf("0x%X", value), fmt.Sprintf("0%o", value),
		fmt.Sprintf("0o%o", value), fmt.Sprintf("0b%b", value), decimal + ".0", decimal + ".",
		decimal + "e0", decimal + "E+0", "!!int " + decimal, "!!int \"" + decimal + "\"",
		"!!float " + decimal}
	if len(decimal) > 3 {
		cut := len(decimal) - 3
		spellings = append(spellings, decimal[:cut]+"_"+decimal[cut:])
		digits := strings.TrimRight(decimal, "0")
		spellings = append(spellings, fmt.Sprintf("%se%d", digits, len(decimal)-len(digits)))
	}
	return choose(h.random, spellings...)
}

func (h *hand) fraction(value float64, unusual bool) string {
	decimal := strconv.FormatFloat(value, 'f', -1, 64)
	if !unusual {
		return decimal
	}
	spellings := []string{"+" + decimal, strconv.FormatFloat(value, 'e', -1, 64),
		strconv.FormatFloat(value, 'E', -1, 64), decimal + "e0", "!!float " + decimal}
	if value < 1 && value > 0 {
		spellings = append(spellings, strings.TrimPrefix(decimal, "0"))
	}
	if math.Trunc(value) != value {
		spellings = append(spellings, decimal+"0")
	}
	return choose(h.random, spellings...)
}

var plainText = regexp.MustCompile(`^[A-Za-z0-9_./][A-Za-z0-9_./:=+-]*( [A-Za-z0-9_./=+-]+)*$`)

// isPlain says that a text without quotes is read as this text.
func isPlain(text string) bool {
	if !plainText.MatchString(text) || strings.HasSuffix(text, ":") {
		return false
	}
	var read any
	return yaml.Unmarshal([]byte(text), &read) == nil && read == any(text)
}

func (h *hand) words(text string, inFlow, unusual bool) string {
	single := "'" + strings.ReplaceAll(text, "'", "''") + "'"
	double := strconv.Quote(text)
	if !unusual {
		if isPlain(text) && h.chance(80) && !(inFlow && strings.Contains(text, ":")) {
			return text
		}
		return choose(h.random, single, double)
	}
	spellings := []string{single, double, "!!str " + double}
	if text != "" {
		cut := h.IntN(len(text))
		spellings = append(spellings,
			fmt.Sprintf("\"%s\\x%02x%s\"", text[:cut], text[cut], text[cut+1:]),
			fmt.Sprintf("\"%s\\u%04X%s\"", text[:cut], text[cut], text[cut+1:]))
		if strings.ContainsAny(text, "\"\\\n") || text[cut] >= 0x80 {
			spellings = spellings[:3]
		}
	}
	if plainText.MatchString(text) && !strings.Contains(text, ":") {
		spellings = append(spellings, "!!str "+text)
	}
	return choose(h.random, spellings...)
}
