/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/backend/loss.h"

#include "libgang/base/integer.h"
#include "libgang/base/quote.h"
#include "libgang/document/finding.h"

/* By the names that the plan's trace has for these attributes. */
static const struct slice loss_names[] = {
    [LOSS_QUEUE] = SLICE_INIT("queue"),
    [LOSS_TIMEOUT] = SLICE_INIT("scheduleTimeoutSeconds"),
    [LOSS_TOPOLOGY] = SLICE_INIT("topology"),
};

struct slice
loss_field_name(enum loss_field field)
{
    return loss_names[field];
}

static struct slice
loss_integer(int64_t value, struct arena *arena)
{
    char text[INTEGER_TEXT_SIZE];

    return arena_copy(arena, integer_format(value, text));
}

/* `hard/2`, or the mode alone. */
static struct slice
loss_topology(const struct gang_topology *topology, struct arena *arena)
{
    if (!topology->has_tier)
        return topology->mode;
    return slice_from_text(
        arena_format(arena, "%.*s/%lld", SLICE_ARG(topology->mode), (long long)topology->highest_tier));
}

/* Unset when nobody asked for it. */
static struct slice
loss_value(enum loss_field field, const struct gang *gang, struct arena *arena)
{
    switch (field) {
    case LOSS_QUEUE:
        return gang->queue_source && gang->queue.len ? gang->queue : NO_SLICE;
    case LOSS_TIMEOUT:
        return gang->timeout_source && gang->has_timeout ? loss_integer(gang->timeout_seconds, arena)
                                                         : NO_SLICE;
    case LOSS_TOPOLOGY:
        return gang->topology.source && gang->topology.is_set ? loss_topology(&gang->topology, arena)
                                                              : NO_SLICE;
    }
    return NO_SLICE;
}

static const struct node *
loss_source(enum loss_field field, const struct gang *gang)
{
    switch (field) {
    case LOSS_QUEUE:
        return gang->queue_source;
    case LOSS_TIMEOUT:
        return gang->timeout_source;
    case LOSS_TOPOLOGY:
        return gang->topology.source;
    }
    return NULL;
}

void
loss_report(const struct loss *losses, size_t count, const struct gang *gang, struct report *report)
{
    for (size_t i = 0; i < count; i++) {
        struct slice value = loss_value(losses[i].field, gang, report->arena);
        struct quoted quoted;

        if (slice_is_set(value))
            find_note(report, GANG_CODE_FIELD_LOST, loss_source(losses[i].field, gang),
                      "remove the field, or choose a backend that has a place for it", "%s %s is lost: %s",
                      loss_names[losses[i].field].data, quote(&quoted, value), losses[i].reason);
    }
}

void
loss_render(const struct loss *losses, size_t count, const struct gang *gang, struct plan_content *content)
{
    for (size_t i = 0; i < count; i++) {
        struct slice value = loss_value(losses[i].field, gang, content->arena);

        if (slice_is_set(value))
            plan_add_loss(content, loss_names[losses[i].field], value, losses[i].reason);
    }
}
