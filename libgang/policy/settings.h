/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LIBGANG_POLICY_SETTINGS_H
#define LIBGANG_POLICY_SETTINGS_H

#include "libgang/document/node.h"
#include "libgang/gang/gang.h"

struct policy_backend;

/* Whether a value gives way to one that the runtime or the trainjob names. */
enum policy_override { OVERRIDE_IF_UNSET, OVERRIDE_ALWAYS };

enum queue_choice { QUEUE_UNSET, QUEUE_NAME, QUEUE_FROM_NAMESPACE, QUEUE_FROM_LABEL };

struct policy_queue {
    enum queue_choice choice;
    struct slice name;   /* QUEUE_NAME */
    struct slice key;    /* QUEUE_FROM_LABEL: a label of the trainjob */
    struct slice prefix; /* the other two; may be empty */
    enum policy_override override;
    const struct node *source; /* NULL when unset */
};

struct policy_priority {
    struct slice name;
    enum policy_override override;
    const struct node *source; /* NULL when unset */
};

struct policy_topology {
    struct slice mode;
    struct slice level;
    const struct node *source; /* NULL when unset */
};

struct policy_reader;

/*
 * What a rule, or the policy's defaults, choose. Every part is unset when its source is NULL. The block has one
 * `override` for backend, timeout, members and topology; queue and priority may each have one of their own and take
 * the block's without it, so that whoever writes `override: Always` over a queue gets what it says.
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
    const struct node *override_source; /* NULL when the default stands in */
};

/* Reads the fields of the block out of a rule or the policy's defaults. */
struct policy_settings settings_read(struct policy_reader *reader, const struct node *block);
/* Whether the block, its queue or its priority says override Always; few do. */
bool settings_are_strict(const struct policy_settings *settings);
/* The first field of the block that is set, for a rule that makes no gang; NULL for none. */
const struct node *settings_first_field(const struct node *block);

#endif
