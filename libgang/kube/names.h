/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LIBGANG_KUBE_NAMES_H
#define LIBGANG_KUBE_NAMES_H

#include <stdint.h>

#include "libgang/base/report.h"
#include "libgang/document/node.h"

/*
 * Kubernetes' default scheduler, which the API server sets in pods without a schedulerName: core/v1
 * DefaultSchedulerName.
 */
#define SCHEDULER_NAME_OF_KUBERNETES "default-scheduler"

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
/* Reports every reason why a name that is made of others is not valid; `at` is what to change. */
void name_check_made(struct slice name, enum name_rule rule, enum gang_code code,
                     const struct node *at, const char *hint, struct report *report);
/* The same for the key of a member, marked at the key. */
void name_check_key(const struct node *member, enum name_rule rule, enum gang_code code,
                    const char *hint, struct report *report);

/* A document without a namespace gets that of the other when it is applied. */
static inline bool
namespaces_meet(struct slice one, struct slice other)
{
    return !slice_is_set(one) || !slice_is_set(other) || slice_equal(one, other);
}

/* The fields of a document's `metadata` that libgang uses. Absent fields are unset. */
struct object_meta {
    struct slice name;
    struct slice namespace_;
    struct slice uid;
    const struct node *labels;
    const struct node *annotations;
    const struct node *source;      /* the metadata map itself */
    const struct node *name_source; /* its member `name`; else `generateName` */
    bool name_is_generated;         /* `name` is an example of what the API server makes */
};

/* kubernetes/apimachinery:pkg/apis/meta/v1/types.go ObjectMeta */
extern const struct schema object_meta_schema;

/* A job can have `generateName` in place of a name as long as it is no gang. */
enum object_names { NAMES_WRITTEN, NAMES_GENERATED_TOO };

/*
 * Reads `metadata` of a document root and checks labels, annotations and their sizes. Reports a
 * missing name. The caller must check the form of the name.
 */
struct object_meta object_meta_read(const struct node *root, enum object_names names,
                                    struct report *report);
void object_meta_require_name(const struct object_meta *meta, struct report *report);
void object_meta_check_name(const struct object_meta *meta, enum name_rule rule,
                            enum gang_code code, struct report *report);

/*
 * Returns the first owner reference with `controller: true` in metadata; NULL if there is none. As
 * kubernetes/apimachinery:pkg/apis/meta/v1/controller_ref.go.
 */
const struct node *object_meta_controller(const struct node *metadata);
/* Returns the first of the conditions of a status that has the type; NULL if there is none. */
const struct node *status_condition(const struct node *status, struct slice type);

/* Checks a map of labels or annotations, also in pod templates. */
void object_meta_check_labels(const struct node *labels, struct report *report);
void object_meta_check_annotations(const struct node *annotations, struct report *report);

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
SELDOM bool release_parse(struct slice text, struct release *out);

/* Returns a number less than, equal to or greater than zero. Both releases must be known. */
int release_compare(const struct release *a, const struct release *b);

/* False when the release is unknown. */
bool release_at_least(const struct release *release, uint32_t major, uint32_t minor);

#endif
