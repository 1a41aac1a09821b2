/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LIBGANG_POLICY_SELECTOR_H
#define LIBGANG_POLICY_SELECTOR_H

#include "libgang/base/report.h"
#include "libgang/document/node.h"
#include "libgang/document/schema.h"

/*
 * Patterns of names: `*` stands for any text, the empty one included, every other character for itself. Letter case
 * counts.
 */
enum { GLOB_LONGEST = 253 };

/* Takes at most as many steps as glob times text have bytes, and nearly always only their sum. */
bool glob_matches(struct slice glob, struct slice text);

/* Whether `wide` matches whatever `narrow` matches. */
bool glob_covers(struct slice wide, struct slice narrow);

/* Of which characters the names are that a glob is for. */
enum glob_names { GLOB_OF_LABELS, GLOB_OF_SUBDOMAINS };

/* Reports what could never match a name. */
void glob_check(const struct node *glob, enum glob_names names, struct report *report);

enum label_operator { LABEL_IN, LABEL_NOT_IN, LABEL_EXISTS, LABEL_DOES_NOT_EXIST };

/* One condition on a label; an entry of matchLabels is an In with one value. */
struct label_requirement {
    struct slice key;
    enum label_operator operator_;
    const struct slice *values;
    size_t count;
};

/* Kubernetes' LabelSelector: every requirement must hold. Without any it selects everything, as in Kubernetes. */
struct label_selector {
    const struct node *source; /* NULL when absent: any */
    const struct label_requirement *requirements;
    size_t count;
};

/* kubernetes/apimachinery:pkg/apis/meta/v1/types.go LabelSelector, for every field of that type. */
extern const struct schema_field label_selector_fields[2];

/* Compiles a selector that keeps to the schema; what is wrong beyond that is reported in Kubernetes' words. */
struct label_selector label_selector_read(const struct node *source, struct report *report);

/* `labels` is the map of an object's labels; NULL for none. */
bool label_selector_matches(const struct label_selector *selector, const struct node *labels);

/* How many labels, expressions and values it lists. */
size_t label_selector_entries(const struct label_selector *selector);

/* True only when `wide` selects whatever `narrow` selects; false may mean that it is not known. */
bool label_selector_covers(const struct label_selector *wide, const struct label_selector *narrow);

#endif
