// SPDX-License-Identifier: Apache-2.0

//go:build race

package gang_test

const underRace = true
