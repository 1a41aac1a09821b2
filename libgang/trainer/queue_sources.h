/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LIBGANG_TRAINER_QUEUE_SOURCES_H
#define LIBGANG_TRAINER_QUEUE_SOURCES_H

#include "libgang/trainer/trainer_gang.h"

enum queue_place {
    QUEUE_IN_PATCHES,       /* runtimePatches[].trainingRuntimeSpec.template.metadata, the last patch first */
    QUEUE_IN_TEMPLATE,      /* the runtime's spec.template.metadata */
    QUEUE_ON_TRAINJOB,      /* the trainjob's own metadata */
    QUEUE_ON_RUNTIME,       /* the runtime's own metadata */
    QUEUE_ON_JOB_TEMPLATES, /* replicatedJobs[].template.metadata, patches merged in */
    QUEUE_ON_POD_TEMPLATES, /* the same of the pod templates */
    QUEUE_IN_GANG_POLICY,   /* the runtime's spec.podGroupPolicy; the key is a path below it, "kind.queue" */
};

enum queue_form { QUEUE_LABEL, QUEUE_ANNOTATION, QUEUE_FIELD };

enum { QUEUE_NOT_READ = -1 };

/* One place where a backend's queue may be written. */
struct queue_source {
    struct slice backend; /* by the name of its type in lower case */
    struct slice key;
    enum queue_form form;
    enum queue_place place;
    /* The lowest that is written is in force; those of one precedence must agree. QUEUE_NOT_READ: nobody reads it there. */
    int precedence;
    const char *hint; /* QUEUE_NOT_READ: what to write instead */
};

/* Backends side by side, and of each the sources in order of precedence, those that nobody reads behind. */
extern const struct queue_source queue_sources[];
extern const size_t num_queue_sources;

/* A value that was found, and where it belongs. */
struct queue_found {
    const struct node *value;
    const struct queue_source *source;
};

struct queue_values {
    struct queue_found *items; /* in `arena`; NULL without any */
    size_t count;
};

/* The places in a runtime where a key of some backend stands, one bit for each `enum queue_place`. */
unsigned queue_places_in_runtime(const struct gang_runtime *runtime, struct arena *arena);

/*
 * Every value that this backend reads, in order of precedence; in the patches that of the last one first. A backend
 * without sources of its own has no queues: whatever asks for a queue is read for it, so that it can be reported as lost.
 */
struct queue_values queue_sources_read(const struct trainer_job *job, struct slice backend,
                                       struct arena *arena);

/* Every value whose key is one of other backends and none of this one, wherever it stands. */
struct queue_values queue_sources_of_others(const struct trainer_job *job, struct slice backend,
                                            struct arena *arena);

/* Reports queues that stand where nobody reads them. */
void queue_sources_check_places(const struct trainer_job *job, struct report *report);

#endif
