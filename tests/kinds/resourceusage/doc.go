// SPDX-License-Identifier: Apache-2.0

// Package resourceusage is the package of this name inside Spark operator, which no other module
// may import. `./dev kinds` adds its files when it builds with the tag "spark" (go build -overlay).
package resourceusage
