/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LIBGANG_POLICY_POLICY_H
#define LIBGANG_POLICY_POLICY_H

#include "libgang/base/report.h"
#include "libgang/catalog/catalog.h"
#include "libgang/document/document.h"
#include "libgang/gang/gang.h"
#include "libgang/kube/names.h"
#include "libgang/policy/constraint.h"
#include "libgang/policy/rule.h"
#include "libgang/policy/rule_filter.h"

/* One entry of `backends[]`: a scheduler that the administrator enables. */
struct policy_backend {
    struct slice name;
    const struct descriptor *descriptor; /* NULL for the type None: no gang */
    struct slice scheduler_name;         /* the policy's, else the descriptor's */
    struct slice api_version;            /* unset: chosen by the cluster */
    const struct node *options;          /* `<type in lower case>`; NULL: every option at its default */
    const struct node *source;
};

/* What becomes of a runtime's podGroupPolicy. */
enum runtime_policy { RUNTIME_POLICY_HONOR, RUNTIME_POLICY_REQUIRE, RUNTIME_POLICY_IGNORE };

/* Metadata of the rendered objects. */
struct policy_output {
    const struct node *labels; /* NULL: none */
    const struct node *annotations;
    bool policy_stamp; /* annotation POLICY_STAMP_KEY: `<name>@<hash>` */
    bool omits_owner;  /* ownerReferences: Never */
    const struct node *source;
};

/* A GangPolicy: what the administrator decided. Read strictly; anything unknown refuses the whole. */
struct gang_policy {
    struct gang_document document;
    struct slice name; /* ends in NUL, for the getter */
    const struct node *root;
    const struct schema *schema; /* of the root, with what this build's backends add */
    enum gang_compatibility compatibility;
    const struct node *compatibility_source; /* NULL when the default stands in */

    bool lists_backends; /* absent: every backend is enabled */
    struct policy_backend *backends;
    size_t num_backends;
    const struct policy_backend *default_backend; /* NULL: none */
    const struct node *default_backend_source;
    enum runtime_policy runtime_policy;
    const struct node *runtime_policy_source;
    struct policy_settings defaults;
    struct policy_rule *rules; /* the first that matches counts */
    size_t num_rules;
    const struct rule_filter *filters;     /* of the rules */
    struct policy_constraint *constraints; /* every one that matches is checked */
    size_t num_constraints;
    struct policy_output output;
    struct slice stamp; /* <name>@<hash>; in an annotation only where the output asks for it */
};

/* The compiled document; NULL for one of another kind. */
static inline const struct gang_policy *
policy_of(const struct gang_document *document)
{
    return document_is(document, GANG_DOCUMENT_POLICY) ? (const struct gang_policy *)document : NULL;
}

void policy_compile(struct gang_document *document, struct parse_call *call);

extern const char *const compatibility_names[];

#define POLICY_STAMP_KEY "policy.libgang.dev/policy"

/* One reading of a policy that keeps to its schema, or of which every departure was reported. */
struct policy_reader {
    struct gang_policy *policy; /* its backends are read first */
    struct arena *arena;
    struct report *report;
};

/* The place of the word in its enumeration; 0 when it is absent or none of them. */
int policy_choice(const struct node *word, const char *const *names);

/* The number, or 0 when it is absent or none. */
int64_t policy_number(const struct node *number);

/* Reports a text that is no name of its kind; an empty one is the schema's to refuse. */
void policy_check_name(struct policy_reader *reader, const struct node *name, enum name_rule rule);

/* The enabled backend that the text names; NULL, which is reported, for none. */
const struct policy_backend *policy_read_backend(struct policy_reader *reader, const struct node *name);

#endif
