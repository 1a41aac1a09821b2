/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/jobs/gang_job.h"

#include "libgang/gang/gang.h"

/* The stages of a job that may have more than one. */
struct gang_job_stages {
    struct role *roles; /* with their stages; NULL if the job has one gang */
    int64_t *pods;      /* of each stage; several pods have a gang */
};

/* Whether the roles can be in several stages, of which no role chooses one. */
static bool
gang_job_may_be_split(const struct gang_job *job)
{
    bool has_stages = false;

    for (size_t i = 0; i < job->num_roles; i++) {
        if (job->roles[i].wish == WISH_MEMBER)
            return false;
        for (size_t e = 0; e < job->roles[i].num_dependencies; e++)
            has_stages |= job->roles[i].dependencies[e].status == DEPENDENCY_COMPLETE;
    }
    return has_stages;
}

/*
 * Returns the roles with their stages; NULL if they wait for each other. What is wrong in their
 * order is reported for the gang.
 */
static struct role *
gang_job_order_roles(const struct gang_job *job, const struct job_source *source)
{
    struct gang_wishes wishes = {.num_roles = 0};
    struct report unread;

    gang_job_copy_roles(job, &wishes, source->arena);
    if (!wishes.roles)
        return NULL;
    report_init(&unread, source->arena, source->limits);
    unread.is_brief = true;
    return wishes_order_roles(&wishes, source->arena, &unread) ? wishes.roles : NULL;
}

static struct gang_job_stages
gang_job_split(const struct gang_job *job, const struct job_source *source)
{
    struct gang_job_stages stages = {.roles = NULL};

    if (!gang_job_may_be_split(job))
        return stages;
    stages.pods = arena_array(source->arena, job->num_roles, sizeof(*stages.pods));
    if (stages.pods)
        stages.roles = gang_job_order_roles(job, source);
    for (size_t i = 0; stages.roles && i < job->num_roles; i++)
        if (job->roles[i].wish != WISH_OUTSIDE && job->roles[i].count > 0)
            stages.pods[stages.roles[i].stage] += job->roles[i].count;
    return stages;
}

static bool
gang_job_has_gang(const struct gang_job_stages *stages, uint32_t stage)
{
    return stages->pods[stage] > 1;
}

static uint64_t
gang_job_count_stages(const struct gang_job_stages *stages, size_t num_roles)
{
    uint64_t count = 0;

    for (uint32_t stage = 0; stage < num_roles; stage++)
        count += gang_job_has_gang(stages, stage);
    return count;
}

/* Returns the stage of a gang, which must exist. */
static uint32_t
gang_job_stage_of(const struct gang_job_stages *stages, uint64_t gang)
{
    uint32_t stage = 0;

    while (!gang_job_has_gang(stages, stage) || gang-- > 0)
        stage++;
    return stage;
}

struct slice
gang_job_name_of_stage(struct slice first, uint64_t gang, struct arena *arena)
{
    return gang ? slice_from_text(
                      arena_format(arena, "%.*s-s%llu", SLICE_ARG(first), (unsigned long long)gang))
                : first;
}

static void
gang_job_name_stage(struct gang_job *job, uint64_t gang, struct arena *arena)
{
    const struct slice name = slice_is_set(job->group_name) ? job->group_name : job->owner.name;

    if (gang)
        job->group_name = gang_job_name_of_stage(name, gang, arena);
}

/*
 * `stage` is that of the gang. A role in no gang is marked by the plan of the first one, wherever
 * it is, and by no other: a pod has one mark.
 */
static void
gang_job_place_role(const struct gang_job_stages *stages, uint64_t gang, uint32_t stage,
                    size_t index, struct role *role)
{
    const uint32_t own = stages->roles[index].stage;
    const bool is_auto = role->wish == WISH_AUTO;

    if (own != stage || role->wish == WISH_OUTSIDE)
        role->elsewhere |= gang > 0 || (is_auto && gang_job_has_gang(stages, own));
    else if (is_auto && role->count > 0)
        role->wish = WISH_MEMBER;
}

void
gang_job_take_stage(struct gang_job *job, uint64_t gang, const struct job_source *source)
{
    const struct gang_job_stages stages = gang_job_split(job, source);
    uint64_t num_gangs;
    uint32_t stage;

    if (!stages.roles)
        return;
    num_gangs = gang_job_count_stages(&stages, job->num_roles);
    if (!num_gangs) {
        gang_job_stand_back(job, source->spec, "no stage of the job has more than one pod");
        return;
    }
    job->num_gangs = num_gangs;
    if (gang >= num_gangs)
        return;
    gang_job_name_stage(job, gang, source->arena);
    stage = gang_job_stage_of(&stages, gang);
    for (size_t i = 0; i < job->num_roles; i++)
        gang_job_place_role(&stages, gang, stage, i, &job->roles[i]);
}
