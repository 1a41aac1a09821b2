// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"math/big"
	"reflect"
	"regexp"
	"sort"
	"strings"
)

// differences lists what of a sent document the stored one does not have. Fields that the server
// added do not count.
func differences(sent, stored any) []string {
	var found []string
	compare("", sent, stored, &found)
	sort.Strings(found)
	return found
}

func compare(path string, sent, stored any, found *[]string) {
	switch value := sent.(type) {
	case document:
		compareMaps(path, value, stored, found)
	case []any:
		compareLists(path, value, stored, found)
	default:
		if !reflect.DeepEqual(sent, stored) && !equalQuantities(sent, stored) {
			*found = append(*found, fmt.Sprintf("%s: sent %v, stored %v", path, sent, stored))
		}
	}
}

func compareMaps(path string, sent document, stored any, found *[]string) {
	fields, ok := stored.(document)
	if !ok {
		*found = append(*found, fmt.Sprintf("%s: sent a map, stored %v", path, stored))
		return
	}
	for key, value := range sent {
		if value == nil {
			continue
		}
		if _, present := fields[key]; !present {
			*found = append(*found, path+"."+key+": dropped")
			continue
		}
		compare(path+"."+key, value, fields[key], found)
	}
}

func compareLists(path string, sent []any, stored any, found *[]string) {
	items, ok := stored.([]any)
	if !ok || len(items) < len(sent) {
		*found = append(*found, fmt.Sprintf("%s: sent %d items, stored %v", path, len(sent), stored))
		return
	}
	for i, value := range sent {
		compare(fmt.Sprintf("%s[%d]", path, i), value, items[i], found)
	}
}

var quantity = regexp.MustCompile(
	`^([+-]?[0-9.]+)(m|u|n|k|M|G|T|P|E|Ki|Mi|Gi|Ti|Pi|Ei|[eE][+-]?[0-9]+)?$`)

// equalQuantities compares 1000m with 1, and 2 with "2".
func equalQuantities(sent, stored any) bool {
	one, two := amount(sent), amount(stored)
	return one != nil && two != nil && one.Cmp(two) == 0
}

func amount(value any) *big.Rat {
	parts := quantity.FindStringSubmatch(fmt.Sprint(value))
	if parts == nil {
		return nil
	}
	number, ok := new(big.Rat).SetString(parts[1])
	if !ok {
		return nil
	}
	scale, ok := scaleOf(parts[2])
	if !ok {
		return nil
	}
	return number.Mul(number, scale)
}

func scaleOf(suffix string) (*big.Rat, bool) {
	if suffix == "" {
		return big.NewRat(1, 1), true
	}
	if suffix[0] == 'e' || (suffix[0] == 'E' && len(suffix) > 1 && suffix != "Ei") {
		return new(big.Rat).SetString("1" + suffix)
	}
	if small := strings.Index("mun", suffix); small >= 0 {
		return new(big.Rat).SetFrac(big.NewInt(1), power(1000, small+1)), true
	}
	base, steps := int64(1000), strings.Index("kMGTPE", suffix[:1])
	if strings.HasSuffix(suffix, "i") {
		base, steps = 1024, strings.Index("KMGTPE", suffix[:1])
	}
	return new(big.Rat).SetInt(power(base, steps+1)), steps >= 0
}

func power(base int64, exponent int) *big.Int {
	return new(big.Int).Exp(big.NewInt(base), big.NewInt(int64(exponent)), nil)
}
