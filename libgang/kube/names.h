/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LIBGANG_KUBE_NAMES_H
#define LIBGANG_KUBE_NAMES_H

#include "libgang/base/report.h"
#include "libgang/document/node.h"

enum name_rule {
    NAME_DNS1123_LABEL,
    NAME_DNS1123_SUBDOMAIN,
    NAME_DNS1035_LABEL,
    NAME_LABEL_VALUE,
    NAME_QUALIFIED,      /* key of a label, name of a resource */
    NAME_ANNOTATION_KEY, /* a qualified name in any letter case */
    NAME_DOMAIN_PREFIXED_PATH,
};

enum { NAME_MOST_PROBLEMS = 4, NAME_PROBLEM_SIZE = 384 };

/*
 * The reasons why a name is invalid, in Kubernetes' words
 * (kubernetes/apimachinery:pkg/util/validation).
 */
struct name_problems {
    size_t count;
    char text[NAME_MOST_PROBLEMS][NAME_PROBLEM_SIZE];
};

bool name_is_valid(enum name_rule rule, struct slice name);
/* Like name_is_valid(), but also sets `out` to the reasons. */
bool name_check(enum name_rule rule, struct slice name, struct name_problems *out);

/*
 * Return a part of a name: at most `most` characters of the text, in lower case, with `-` for what
 * is no letter or digit, and a letter or digit at both ends; and the part with a hash behind it, so
 * that different texts have different names.
 */
struct slice name_stem(struct slice text, size_t most, struct arena *arena);
struct slice name_with_hash(struct slice stem, uint32_t hash, struct arena *arena);

/*
 * Reports every reason why the text is not a valid name. Unset and empty names are reported by the
 * schema instead.
 */
void name_check_node(const struct node *name, enum name_rule rule, enum gang_code code,
                     const char *hint, struct report *report);
/* The same for the key of a member, marked at the key. */
void name_check_key(const struct node *member, enum name_rule rule, enum gang_code code,
                    const char *hint, struct report *report);

#endif
