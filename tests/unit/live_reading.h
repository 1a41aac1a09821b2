/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TESTS_UNIT_LIVE_READING_H
#define TESTS_UNIT_LIVE_READING_H

#include "libgang/reconcile/live.h"
#include "unit/workloads.h"

#define OBJECT(name) "{'apiVersion':'g/v1','kind':'K','metadata':{'name':'" name "'}}"

/* What reading a text of live objects gives. Quotes of texts are apostrophes. */
struct live_reading {
    struct arena *arena;
    struct report report;
    struct live_objects objects;
};

/* Takes over the arena. The text is as it is. */
static inline struct live_reading
read_live_bytes_for(struct slice text, uint32_t flags, struct arena *arena,
                    const struct limits *limits)
{
    struct live_reading live = {.arena = arena};

    report_init(&live.report, arena, limits);
    live.objects = live_objects_read(text, flags, limits, arena, &live.report);
    return live;
}

static inline struct live_reading
read_live_bytes(struct slice text, struct arena *arena, const struct limits *limits)
{
    return read_live_bytes_for(text, 0, arena, limits);
}

static inline struct live_reading
read_live_for(const char *text, uint32_t flags)
{
    struct arena *arena = arena_new(0);

    return read_live_bytes_for(slice_from_text(workload_quoted(arena, text)), flags, arena,
                               &standard_limits);
}

static inline struct live_reading
read_live_within(const char *text, const struct limits *limits)
{
    struct arena *arena = arena_new(0);

    return read_live_bytes(slice_from_text(workload_quoted(arena, text)), arena, limits);
}

static inline struct live_reading
read_live(const char *text)
{
    return read_live_within(text, &standard_limits);
}

static inline void
end_live(struct live_reading *live)
{
    arena_free(live->arena);
}

#endif
