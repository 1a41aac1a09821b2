/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GANGCTL_FACTS_TEXT_H
#define GANGCTL_FACTS_TEXT_H

#include <stdbool.h>
#include <stddef.h>

/* Output of kubectl that is neither YAML nor JSON. */
enum plain_text {
    PLAIN_NONE,         /* a document */
    PLAIN_BLANK,        /* only blanks */
    PLAIN_API_VERSIONS, /* kubectl api-versions */
    PLAIN_METRICS,      /* kubectl get --raw /metrics, or only its lines about feature gates */
    /* kubectl api-resources, which shows only one version of each resource */
    PLAIN_API_RESOURCES,
};

enum plain_text plain_text_of(const char *data, size_t len);

/* One line of a text; false at its end. `*at` advances. */
struct text_line {
    const char *data;
    size_t len; /* without the line break */
};
bool plain_text_next(const char **at, const char *end, struct text_line *line);

/* Whether the text is "apps/v1" or "v1". */
bool is_group_version(const char *text, size_t len);

/* Reads a line about a feature gate: its name and whether it is enabled. */
bool read_gate_line(const struct text_line *line, struct text_line *name, bool *is_on);

#endif
