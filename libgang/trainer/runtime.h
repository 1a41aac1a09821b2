/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LIBGANG_TRAINER_RUNTIME_H
#define LIBGANG_TRAINER_RUNTIME_H

#include "libgang/document/document.h"
#include "libgang/trainer/jobset_roles.h"
#include "libgang/trainer/ml_policy.h"
#include "libgang/trainer/pod_group_policy.h"

/*
 * A compiled TrainingRuntime or ClusterTrainingRuntime: everything that no trainjob can change is
 * computed in advance.
 */
struct gang_runtime {
    struct gang_document document;
    struct slice kind; /* these three are NUL-terminated, for the getters */
    struct slice name;
    struct slice namespace_;
    struct object_meta meta;
    struct ml_policy ml_policy;
    struct pod_group_policy pod_group_policy;
    const struct node *template_metadata; /* labels and annotations of the JobSet */
    struct jobset jobset;
    struct jobset_roles roles;
    bool is_exclusive;     /* exclusive_topology_is_in() some metadata of the JobSet */
    bool jobset_is_sound;  /* result of jobset_rules_find_nothing() */
    unsigned queue_places; /* result of queue_places_in_runtime() */
};

/* Returns the compiled document; NULL for a document of another kind. */
static inline const struct gang_runtime *
runtime_of(const struct gang_document *document)
{
    return document_is(document, GANG_DOCUMENT_RUNTIME) ? (const struct gang_runtime *)document
                                                        : NULL;
}

void runtime_compile(struct gang_document *document, struct parse_call *call);

/* Reports the problems of the JobSet and its counts, which are otherwise reported for each job. */
void runtime_judge(const struct gang_document *document, struct report *report);

#endif
