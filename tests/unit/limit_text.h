/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TESTS_UNIT_LIMIT_TEXT_H
#define TESTS_UNIT_LIMIT_TEXT_H

#include "libgang/kube/pod_requests.h"
#include "unit/resource_text.h"

/*
 * A LimitRange in a short form, "Container min{cpu=1} max{cpu=4}; Pod max{cpu=8}": for each limit
 * its type and its lists; `ratio` is maxLimitRequestRatio.
 */
static inline void
limit_build(struct builder *limits, struct slice text)
{
    struct builder limit = build_map_item(limits);

    while (text.len && text.data[0] == ' ')
        text = (struct slice){text.data + 1, text.len - 1};
    build_string(&limit, SLICE("type"), text_cut(&text, ' '));
    while (text.len) {
        struct slice name;
        struct slice amounts;
        struct builder list;

        while (text.len && text.data[0] == ' ')
            text = (struct slice){text.data + 1, text.len - 1};
        name = text_cut(&text, '{');
        amounts = text_cut(&text, '}');
        if (!name.len)
            break;
        list = build_map_member(
            &limit, slice_equal(name, SLICE("ratio")) ? SLICE("maxLimitRequestRatio") : name);
        text_build_resources(&list, amounts);
    }
}

static inline struct limit_range
limit_range_from(struct arena *arena, struct slice name, struct slice text, struct report *report)
{
    struct builder range = build_map(arena);
    struct builder limits;
    struct slice limit;

    build_string(&range, SLICE("name"), name);
    build_string(&range, SLICE("namespace"), SLICE("ml"));
    limits = build_list_member(&range, SLICE("limits"));
    while (slice_is_set(limit = text_cut(&text, ';')))
        limit_build(&limits, limit);
    return limit_range_read(range.node, report);
}

#endif
