// SPDX-License-Identifier: Apache-2.0

//go:build cgo && !libgang_wasm && !libgang_system

package gang

const engineName = "cgo"
