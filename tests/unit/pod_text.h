/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TESTS_UNIT_POD_TEXT_H
#define TESTS_UNIT_POD_TEXT_H

#include "unit/resource_text.h"

/*
 * Pods in a short form, "c{cpu=1|cpu=2} s{memory=1Gi}": a letter, then requests and, behind a bar,
 * limits. c container, i init container, s sidecar, p pod level, o overhead (no limits).
 */
struct pod_part {
    char kind;
    struct slice requests;
    struct slice limits;
};

static inline bool
pod_next_part(struct slice *rest, struct pod_part *part)
{
    struct slice text = text_cut(rest, '}');

    while (text.len && text.data[0] == ' ')
        text = (struct slice){text.data + 1, text.len - 1};
    if (!text.len)
        return false;
    part->kind = text.data[0];
    ck_assert_int_eq(text.data[1], '{');
    text = (struct slice){text.data + 2, text.len - 2};
    part->requests = text_cut(&text, '|');
    part->limits = text;
    return true;
}

static inline void
pod_build_resources(struct builder *owner, const struct pod_part *part)
{
    struct builder resources = build_map_member(owner, SLICE("resources"));
    struct builder requests = build_map_member(&resources, SLICE("requests"));
    struct builder limits = build_map_member(&resources, SLICE("limits"));

    text_build_resources(&requests, part->requests);
    text_build_resources(&limits, part->limits);
}

static inline void
pod_build_container(struct builder *list, const struct pod_part *part)
{
    struct builder container = build_map_item(list);

    build_string(&container, SLICE("name"), SLICE("main"));
    if (part->kind == 's')
        build_string(&container, SLICE("restartPolicy"), SLICE("Always"));
    pod_build_resources(&container, part);
}

static inline const struct node *
pod_build(struct arena *arena, const char *text)
{
    struct builder spec = build_map(arena);
    struct builder containers = build_list_member(&spec, SLICE("containers"));
    struct builder init_containers = build_list_member(&spec, SLICE("initContainers"));
    struct slice rest = slice_from_text(text);
    struct pod_part part;

    while (pod_next_part(&rest, &part)) {
        if (part.kind == 'p') {
            pod_build_resources(&spec, &part);
        } else if (part.kind == 'o') {
            struct builder overhead = build_map_member(&spec, SLICE("overhead"));

            text_build_resources(&overhead, part.requests);
        } else {
            pod_build_container(part.kind == 'c' ? &containers : &init_containers, &part);
        }
    }
    return spec.node;
}

#endif
