/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TESTS_UNIT_KAI_JOBS_H
#define TESTS_UNIT_KAI_JOBS_H

#include "libgang/backend/kai/kai.h"
#include "unit/job.h"
#include "unit/tree.h"

/* Jobs as the podgrouper finds them, from texts in which ' stands for a double quote. */

static inline const char *
kai_spell(struct arena *arena, const char *text)
{
    char *out = arena_alloc(arena, strlen(text) + 1);

    for (size_t i = 0; text[i]; i++)
        out[i] = text[i] == '\'' ? '"' : text[i];
    return out;
}

static inline const struct node *
kai_tree(struct arena *arena, const char *text)
{
    return text ? tree_of(arena, kai_spell(arena, text)) : NULL;
}

/* "v0.16.8"; "main" is what comes after the newest release. */
static inline struct release
kai_release_of(const char *text)
{
    struct release release = {.is_known = true, .minor = 18};

    if (strcmp(text, "main") != 0)
        ck_assert(release_parse(slice_from_text(text), &release));
    return release;
}

enum kai_order { KAI_ORDER_ANY, KAI_ORDER_IN_ORDER };

/*
 * Roles separated by spaces, `name(replicas,pods)`, and behind it the text of batch-min-member in
 * its template: `worker(2,4)=5`.
 */
static inline const struct kai_job_role *
kai_roles_of(struct arena *arena, const char *text, size_t *count)
{
    struct kai_job_role *roles = arena_array(arena, 16, sizeof(*roles));

    for (*count = 0; *text; text += strspn(text, " ")) {
        struct kai_job_role *role = &roles[(*count)++];
        size_t len = strcspn(text, "(");

        role->name = arena_copy(arena, (struct slice){text, len});
        text += len + 1;
        role->replicas = strtoll(text, NULL, 10);
        role->pods = strtoll(strchr(text, ',') + 1, NULL, 10);
        text = strchr(text, ')') + 1;
        if (*text != '=')
            continue;
        len = strcspn(++text, " ");
        role->annotations =
            kai_tree(arena, arena_format(arena, "{'kai.scheduler/batch-min-member':'%.*s'}",
                                         (int)len, text));
        text += len;
    }
    return roles;
}

/* The JobSet `js`, uid `uid`, of a TrainJob of that name. */
static inline struct kai_job
kai_job_of(struct arena *arena, const char *release, enum kai_order order, const char *roles,
           const char *annotation)
{
    struct kai_job job = {
        .release = kai_release_of(release),
        .name = SLICE("js"),
        .namespace_ = SLICE("ml"),
        .jobset_uid = SLICE("uid"),
        .trainjob_uid = SLICE("uid-tj"),
        .in_order = order == KAI_ORDER_IN_ORDER,
    };

    job.roles = kai_roles_of(arena, roles, &job.num_roles);
    if (annotation)
        job.jobset.annotations = kai_tree(
            arena, arena_format(arena, "{'kai.scheduler/batch-min-member':'%s'}", annotation));
    return job;
}

/* The JobSet of a gang's roles, one replica each. */
static inline struct kai_job
kai_job_of_gang(const struct job *source, const char *release, enum kai_order order,
                const char *annotation)
{
    struct kai_job job = kai_job_of(source->arena, release, order, "", annotation);
    struct kai_job_role *roles =
        arena_array(source->arena, source->gang.num_roles + 1, sizeof(*roles));

    for (size_t i = 0; i < source->gang.num_roles; i++) {
        roles[i].name = source->gang.roles[i].name;
        roles[i].pods = source->gang.roles[i].count;
    }
    job.roles = roles;
    job.num_roles = source->gang.num_roles;
    return job;
}

#endif
