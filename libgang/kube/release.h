/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LIBGANG_KUBE_RELEASE_H
#define LIBGANG_KUBE_RELEASE_H

#include <stdint.h>

#include "libgang/base/slice.h"

/*
 * The version of Kubernetes or of a component, as it is released: "1.36", "v0.14.2", "v2.3.0-rc.1", "v1.36.3+k3s1". A
 * missing patch is 0. What stands behind `-` or `+` is checked and left out: a pre-release has what its release has.
 */
struct release {
    bool is_known;
    uint32_t major;
    uint32_t minor;
    uint32_t patch;
};

/* False, and `out` not known, when the text is none. */
bool release_parse(struct slice text, struct release *out);

/* Below, equal or above zero; both must be known. */
int release_compare(const struct release *a, const struct release *b);

/* False when the release is unknown. */
bool release_at_least(const struct release *release, uint32_t major, uint32_t minor);

#endif
