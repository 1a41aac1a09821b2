// SPDX-License-Identifier: Apache-2.0

package generate

import "strings"

var plainQuantities = map[string][]any{
	"cpu": {
		"1", "2", "4", "8", "500m", "250m", "100m", "1500m", "0.5", "1.5", "0.1", ".5", "1.", "2.50",
		number("1"), number("3"), number("16"),
	},
	"memory": {
		"1Gi", "2Gi", "4Gi", "64Gi", "512Mi", "128Mi", "1.5Gi", "0.5Gi", "1G", "500M", "128974848", "129e6",
		"123Mi", "1e9", number("1073741824"), number("512"),
	},
	"nvidia.com/gpu":     {"1", "2", "8", number("1"), number("4"), number("8")},
	"ephemeral-storage":  {"1Gi", "10Gi", "100M", "2.5Gi"},
	"hugepages-2Mi":      {"2Mi", "4Mi", "100Mi"},
	"example.com/dongle": {"1", "3", number("2")},
}

// oddQuantities are spelled as few people would, and are all admitted.
var oddQuantities = []any{
	"0", "0.0", "+1", "005", "0100m", "1.500", "1.", "1E3", "1e+3", "1e0", "1e1", "1e2", "1e-3", "1.5e3",
	"2e0", "1E0", "1k", "1000", "1000k", "0.5Ki", "0.25Mi", "1.0001Ki", "1000Ki", "1023Ki", "1024Ki", "8Ki",
	"7Ki", "0.0001Ki", "100Ti", "99Ti", "1Pi", "3Ei", "1.5Ti", "0.1m", "1n", "0.1n", "1.1n", "999999999n",
	"100u", "1.123456789", "1.1234567891", "123456789.123456789", "12.5k", "0.3Gi", "7.5Gi", "1.1Gi",
	"536870912", "2147483648Ki", "1E", "1P", "5T", number("0"), number("2.0"), number("1e3"),
	number("1000"),
}

// hugeQuantities reach the edges of every number type involved.
var hugeQuantities = []any{
	"7Ei", "8Ei", "16Ei", "9E", "10E", "100E", "999E", "1000E", "8191Pi", "8192Pi", "9223372036854775807",
	"9223372036854775808", "9223372036854775807Ki", "1e18", "1e19", "1e21", "1e30", "1e60", "1e64", "1e65",
	"1e100", "1e-18", "1e-64", "1e-65", "0e100", "0.00000000000000000000000000001", "99999999999999999999",
	"1.00000000000000000000000000001", "0000000000000000000000000000000000000000000000000000000000000001",
	"00000000000000000000000000000000000000000000000000000000000000001", number("9223372036854775807"),
	number("1e18"),
}

// badQuantities are refused somewhere, or should be looked at twice.
var badQuantities = []any{
	"", "1K", "abc", "1 Gi", " 1", "1gi", "-1", "-500m", "1e3.5", "1e", "0x10", ".", "m", "Ki", "1_000",
	number("0.5"), number("1.5e-1"), true, nil, list{}, object{}, number("-2"), "1Gi\n",
}

var suffixes = []string{
	"", "", "", "n", "u", "m", "k", "M", "G", "T", "P", "Ki", "Mi", "Gi", "Ti", "e3", "e6", "e-3", "E2", "e1",
}

// quantity is a value for one resource name.
func (d dice) quantity(resource string) any {
	switch {
	case !d.tame && d.chance(0.25):
		return pick(d, badQuantities...)
	case d.chance(0.35):
		return pick(d, hugeQuantities...)
	case d.chance(6):
		return pick(d, oddQuantities...)
	case d.chance(6):
		return d.assembled(6)
	}
	return pick(d, plainQuantities[resource]...)
}

// assembled puts a number together out of its parts.
func (d dice) assembled(digits int) string {
	text := ""
	if d.chance(3) {
		text = "+"
	}
	text += d.digits(digits)
	if d.chance(45) {
		text += "." + d.digits(digits)
	}
	return text + pick(d, suffixes...)
}

// quantityText is any text at all that could meet a quantity parser: most of
// it parses, and a good part lies near the edges.
func (d dice) quantityText() string {
	switch {
	case d.chance(4):
		return d.scrap()
	case d.chance(6):
		if text, ok := pick(d, badQuantities...).(string); ok {
			return text
		}
	case d.chance(8):
		if text, ok := pick(d, hugeQuantities...).(string); ok {
			return text
		}
	case d.chance(15):
		if text, ok := pick(d, oddQuantities...).(string); ok {
			return text
		}
	case d.chance(10):
		return "-" + d.assembled(9)
	case d.chance(10):
		return d.assembled(20)
	}
	return d.assembled(9)
}

// scrap is a short text over the letters that the parser knows.
func (d dice) scrap() string {
	const letters = "0123456789+-.eEinumkKMGTP x"
	var text strings.Builder
	for range d.between(0, 7) {
		text.WriteByte(letters[d.IntN(len(letters))])
	}
	return text.String()
}
