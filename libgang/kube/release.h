/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LIBGANG_KUBE_RELEASE_H
#define LIBGANG_KUBE_RELEASE_H

#include <stdint.h>

#include "libgang/base/slice.h"

/*
 * A version of Kubernetes or of a component, as in its release: "1.36", "v0.14.2", "v2.3.0-rc.1",
 * "v1.36.3+k3s1". A missing patch number is 0. The text after `-` or `+` is checked and ignored: a
 * pre-release has the features of its release.
 */
struct release {
    bool is_known;
    uint32_t major;
    uint32_t minor;
    uint32_t patch;
};

/* Parses a version. False if the text is not a version; `out` is then unknown. */
bool release_parse(struct slice text, struct release *out);

/* Returns a number less than, equal to or greater than zero. Both releases must be known. */
int release_compare(const struct release *a, const struct release *b);

/* False when the release is unknown. */
bool release_at_least(const struct release *release, uint32_t major, uint32_t minor);

#endif
