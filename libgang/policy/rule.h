/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LIBGANG_POLICY_RULE_H
#define LIBGANG_POLICY_RULE_H

#include "libgang/catalog/job_names.h"
#include "libgang/kube/names.h"
#include "libgang/policy/selector.h"
#include "libgang/policy/settings.h"

enum rule_action { RULE_GANG, RULE_SKIP, RULE_DENY };
enum rule_kueue { KUEUE_ANY, KUEUE_MANAGED, KUEUE_UNMANAGED };

/* The texts of a list, in one block; NULL and 0 if the field is absent, which matches any text. */
struct rule_texts {
    const struct slice *items;
    size_t count;
};

/* Every field that is set must match. */
struct policy_match {
    /*
     * The kinds of job that can match: those of the field `kinds`, and of the fields that only jobs
     * of some kinds have.
     */
    job_kind_set kinds;
    struct rule_texts namespaces; /* globs: name characters and `*` */
    struct rule_texts runtimes;   /* globs */
    struct label_selector namespace_selector;
    struct label_selector object_selector; /* of a job of any kind */
    struct label_selector trainjob_selector;
    struct label_selector runtime_selector;
    struct label_selector podgang_selector; /* only PodGangs have these labels */
    struct rule_texts frameworks;           /* the runtime's label trainer.kubeflow.org/framework */
    struct rule_texts resources;            /* matches if the job requests any of them */
    bool has_min_nodes;
    bool has_max_nodes;
    int64_t min_nodes; /* of a TrainJob; pods of the gang of another job */
    int64_t max_nodes;
    enum rule_kueue kueue;
    const struct node *source; /* NULL if absent */
};

struct policy_rule {
    struct slice name;
    struct policy_match match;
    struct policy_match exclude; /* ignored if its source is NULL */
    enum rule_action action;
    struct slice message; /* for Deny and Skip; unset if absent */
    struct policy_settings settings;
    bool is_strict; /* a setting has `override: Always` */
    const struct node *source;
};

bool rule_texts_match(const struct rule_texts *globs, struct slice name);
bool rule_texts_have(const struct rule_texts *texts, struct slice text);

/* Returns the first field that excludes all of these kinds; the match itself if none does. */
const struct node *rule_field_against(const struct policy_match *match, job_kind_set kinds);

struct policy_reader;

struct policy_match rule_read_match(struct policy_reader *reader, const struct node *source);
struct policy_rule rule_read(struct policy_reader *reader, const struct node *source);
/* Read the texts of a list: strings, globs, names. Report invalid ones. */
struct rule_texts rule_read_texts(struct policy_reader *reader, const struct node *list);
struct rule_texts rule_read_globs(struct policy_reader *reader, const struct node *list,
                                  enum glob_names names);
struct rule_texts rule_read_names(struct policy_reader *reader, const struct node *list,
                                  enum name_rule rule, enum gang_code code);
/* Reports a match and an exclude with more entries than a rule may have. */
void rule_check_entries(struct policy_reader *reader, const struct node *source,
                        const struct policy_match *match, const struct policy_match *exclude);

#endif
