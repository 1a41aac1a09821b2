/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LIBGANG_POLICY_RULE_H
#define LIBGANG_POLICY_RULE_H

#include "libgang/policy/settings.h"

enum rule_action { RULE_GANG, RULE_SKIP, RULE_DENY };
enum rule_kueue { KUEUE_ANY, KUEUE_MANAGED, KUEUE_UNMANAGED };

/* Texts of a list, in one block; NULL and 0 when the field is absent, which means any. */
struct rule_texts {
    const struct slice *items;
    size_t count;
};

/* Kubernetes' LabelSelector, as written. */
struct rule_selector {
    const struct node *source; /* NULL when absent: any */
};

/* Every part that is set must agree. */
struct policy_match {
    struct rule_texts namespaces; /* globs: name characters and `*` */
    struct rule_texts runtimes;   /* globs */
    struct rule_selector namespace_selector;
    struct rule_selector trainjob_selector;
    struct rule_selector runtime_selector;
    struct rule_texts frameworks; /* the runtime's label trainer.kubeflow.org/framework */
    struct rule_texts resources;  /* any of them is requested */
    bool has_min_nodes;
    bool has_max_nodes;
    int64_t min_nodes;
    int64_t max_nodes;
    enum rule_kueue kueue;
    const struct node *source; /* NULL when absent */
};

struct policy_rule {
    struct slice name;
    struct policy_match match;
    struct policy_match exclude; /* not in force without a source */
    enum rule_action action;
    struct slice message; /* for Deny and Skip; unset without one */
    struct policy_settings settings;
    const struct node *source;
};

#endif
