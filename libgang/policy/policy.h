/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LIBGANG_POLICY_POLICY_H
#define LIBGANG_POLICY_POLICY_H

#include "libgang/catalog/catalog.h"
#include "libgang/document/document.h"
#include "libgang/policy/constraint.h"
#include "libgang/policy/rule_filter.h"

/* One entry of `backends[]`: a scheduler that the administrator enables. */
struct policy_backend {
    struct slice name;
    const struct descriptor *descriptor; /* NULL for the type None: no gang */
    struct slice scheduler_name;         /* from the policy, else from the descriptor */
    struct slice api_version;            /* unset: chosen from the cluster facts */
    /* the block with the type in lower case; NULL: every option has its default */
    const struct node *options;
    const struct node *source;
};

/* How libgang uses a runtime's podGroupPolicy. */
enum runtime_policy { RUNTIME_POLICY_HONOR, RUNTIME_POLICY_REQUIRE, RUNTIME_POLICY_IGNORE };

/* Metadata for the rendered objects. */
struct policy_output {
    const struct node *labels; /* NULL if absent */
    const struct node *annotations;
    bool policy_stamp; /* annotation POLICY_STAMP_KEY: `<name>@<hash>` */
    bool omits_owner;  /* ownerReferences: Never */
    const struct node *source;
};

/*
 * A GangPolicy: the decisions of the administrator. Read in strict mode: an unknown field refuses
 * the policy.
 */
struct gang_policy {
    struct gang_document document;
    struct slice name; /* ends in NUL, because a getter returns it */
    const struct node *root;
    /* of the root, including the options of the backends in this build */
    const struct schema *schema;
    enum gang_compatibility compatibility;
    const struct node *compatibility_source; /* NULL if the default applies */

    bool lists_backends; /* false if absent: every backend is enabled */
    struct policy_backend *backends;
    size_t num_backends;
    const struct policy_backend *default_backend; /* NULL if there is none */
    const struct node *default_backend_source;
    enum runtime_policy runtime_policy;
    const struct node *runtime_policy_source;
    struct policy_settings defaults;
    struct policy_rule *rules; /* the first rule that matches applies */
    size_t num_rules;
    const struct rule_filter *filters;     /* of the rules */
    struct policy_constraint *constraints; /* every constraint that matches is checked */
    size_t num_constraints;
    struct policy_output output;
    struct slice stamp; /* <name>@<hash>; becomes an annotation only if the output enables it */
};

/* Returns the compiled document; NULL if the document is of another kind. */
static inline const struct gang_policy *
policy_of(const struct gang_document *document)
{
    return document_is(document, GANG_DOCUMENT_POLICY) ? (const struct gang_policy *)document
                                                       : NULL;
}

void policy_compile(struct gang_document *document, struct parse_call *call);

extern const char *const compatibility_names[];

#define POLICY_STAMP_KEY "policy.libgang.dev/policy"

/*
 * The state while a policy is read. The policy conforms to its schema, or every violation was
 * already reported.
 */
struct policy_reader {
    struct gang_policy *policy; /* its backends are read first */
    struct arena *arena;
    struct report *report;
};

/* Returns the index of the word in its enumeration; 0 if it is absent or invalid. */
int policy_choice(const struct node *word, const char *const *names);

/* Returns the number; 0 if it is absent or invalid. */
int64_t policy_number(const struct node *number);

/* Reports a text that is not a valid name. The schema reports empty names. */
void policy_check_name(struct policy_reader *reader, const struct node *name, enum name_rule rule);

/* Returns the enabled backend of that name. NULL if there is none, which is reported. */
const struct policy_backend *policy_read_backend(struct policy_reader *reader,
                                                 const struct node *name);

#endif
