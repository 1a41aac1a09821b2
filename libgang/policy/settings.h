/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LIBGANG_POLICY_SETTINGS_H
#define LIBGANG_POLICY_SETTINGS_H

#include "libgang/gang/wishes.h"

struct policy_backend;

/* Whether a value of the runtime or the TrainJob has precedence over this value. */
enum policy_override { OVERRIDE_IF_UNSET, OVERRIDE_ALWAYS };

enum queue_choice {
    QUEUE_UNSET,
    QUEUE_NAME,
    QUEUE_FROM_NAMESPACE,
    QUEUE_FROM_LABEL,
    QUEUE_FROM_NAMESPACE_LABEL,
};

struct policy_queue {
    enum queue_choice choice;
    struct slice name;   /* QUEUE_NAME */
    struct slice key;    /* QUEUE_FROM_LABEL, QUEUE_FROM_NAMESPACE_LABEL: of the job or namespace */
    struct slice prefix; /* for every choice but QUEUE_NAME; may be empty */
    enum policy_override override;
    const struct node *source; /* NULL if unset */
};

struct policy_priority {
    struct slice name;
    enum policy_override override;
    const struct node *source; /* NULL if unset */
};

struct policy_topology {
    struct slice mode;
    struct slice level;
    const struct node *source; /* NULL if unset */
};

struct policy_reader;

/*
 * The settings of a rule or of the policy's defaults. A setting is unset if its source is NULL. One
 * `override` applies to backend, timeout, members and topology. Queue and priority may have their
 * own; otherwise they inherit that of the block, so that `override: Always` in a block with a queue
 * also applies to the queue.
 */
struct policy_settings {
    const struct policy_backend *backend;
    const struct node *backend_source;
    struct policy_queue queue;
    struct policy_priority priority;
    int64_t timeout_seconds;
    const struct node *timeout_source;
    enum gang_members members;
    const struct node *members_source;
    enum gang_resources resources;
    const struct node *resources_source;
    enum gang_reserve reserve;
    const struct node *reserve_source;
    struct policy_topology topology;
    enum policy_override override;
    const struct node *override_source; /* NULL if the default applies */
};

/* Reads the settings of a rule or of the policy's defaults. */
struct policy_settings settings_read(struct policy_reader *reader, const struct node *block);
/* Whether the block, its queue or its priority has `override: Always`, which is rare. */
bool settings_are_strict(const struct policy_settings *settings);
/* Returns the first setting of the block, for a rule without a gang; NULL if there is none. */
const struct node *settings_first_field(const struct node *block);

#endif
