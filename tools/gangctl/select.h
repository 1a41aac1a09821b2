/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GANGCTL_SELECT_H
#define GANGCTL_SELECT_H

#include <stdbool.h>

#include "documents.h"

/* One part of a label selector, as kubectl writes them: "a=b", "a!=b", "a in (b,c)", "a", "!a". */
struct requirement {
    char *key;
    char **values; /* none: the key exists, or with `is_not` it does not */
    size_t num_values;
    bool is_not;
};

/* The jobs that --job, -n and -l name. Empty: all jobs. */
struct selection {
    const char *job; /* "name" or "namespace/name"; NULL: any */
    const char *namespace_;
    struct requirement *requirements;
    size_t num_requirements;
};

/* Returns false if the text is no label selector. */
bool selection_add_labels(struct selection *selection, const char *text);
bool selection_is_empty(const struct selection *selection);
/* Whether the selection has the job. Its labels are read only if they are needed. */
bool selection_has(const struct selection *selection, const struct document *job);
void selection_free(struct selection *selection);

#endif
