/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LIBGANG_POLICY_SELECTOR_H
#define LIBGANG_POLICY_SELECTOR_H

#include "libgang/document/schema.h"

/*
 * Patterns for names: `*` matches any text, including the empty one; every other character matches
 * itself. Case-sensitive.
 */
enum { GLOB_LONGEST = 253 };

/*
 * Takes at most length of glob times length of text steps, and usually only the sum of both
 * lengths.
 */
bool glob_matches(struct slice glob, struct slice text);

/* Whether `wide` matches every name that `narrow` matches. */
bool glob_covers(struct slice wide, struct slice narrow);

/* Whether any name matches both globs. */
bool globs_meet(struct slice a, struct slice b);

/* The kind of names, which determines the allowed characters. */
enum glob_names { GLOB_OF_LABELS, GLOB_OF_SUBDOMAINS };

/* Reports a glob that can never match a name. */
void glob_check(const struct node *glob, enum glob_names names, struct report *report);

enum label_operator { LABEL_IN, LABEL_NOT_IN, LABEL_EXISTS, LABEL_DOES_NOT_EXIST };

/* One condition on a label; an entry of matchLabels is an In with one value. */
struct label_requirement {
    struct slice key;
    enum label_operator operator_;
    const struct slice *values;
    size_t count;
};

/*
 * Kubernetes' LabelSelector: every requirement must be satisfied. An empty selector selects
 * everything, as in Kubernetes.
 */
struct label_selector {
    const struct node *source; /* NULL if absent: selects everything */
    const struct label_requirement *requirements;
    size_t count;
};

/* kubernetes/apimachinery:pkg/apis/meta/v1/types.go LabelSelector, for every field of that type. */
extern const struct schema_field label_selector_fields[2];

/* Compiles a selector that conforms to the schema. Reports other problems in Kubernetes' words. */
struct label_selector label_selector_read(const struct node *source, struct report *report);

/* `labels` is the map of an object's labels; NULL if absent. */
bool label_selector_matches(const struct label_selector *selector, const struct node *labels);

/* Returns the number of labels, expressions and values. */
size_t label_selector_entries(const struct label_selector *selector);

/* True only if `wide` selects every object that `narrow` selects; false may also mean unknown. */
bool label_selector_covers(const struct label_selector *wide, const struct label_selector *narrow);

#endif
