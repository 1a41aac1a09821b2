/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/jobs/gang_job_stages.h"

/* The stages of a job that has more than one, and which of them have a gang. */
struct gang_job_stages {
    uint32_t *of_role; /* NULL if the job has one gang */
    uint32_t *gangs;   /* stage of each gang */
    size_t num_gangs;
};

/* Whether the roles can be in several stages, of which no role chooses one. */
static bool
gang_job_may_be_split(const struct gang_job *job)
{
    bool has_stages = false;

    for (size_t i = 0; i < job->num_roles; i++) {
        if (job->roles[i].membership == GANG_JOB_MEMBER)
            return false;
        for (size_t e = 0; e < job->roles[i].num_edges; e++)
            has_stages |= job->roles[i].edges[e].status == GANG_JOB_COMPLETE;
    }
    return has_stages;
}

/* Raises the stage of a role to what its edges say. Returns whether it changed. */
static bool
gang_job_raise_stage(const struct gang_job *job, size_t index, uint32_t *of_role)
{
    const struct gang_job_role *role = &job->roles[index];
    uint32_t stage = of_role[index];

    for (size_t e = 0; e < role->num_edges; e++) {
        const struct gang_job_role *target = gang_job_find_role(job, role->edges[e].role);
        uint32_t behind;

        if (!target || target->count == 0)
            continue; /* the edge holds at once */
        behind = of_role[target - job->roles] + (role->edges[e].status == GANG_JOB_COMPLETE);
        if (behind > stage)
            stage = behind;
    }
    if (stage == of_role[index] || stage >= job->num_roles)
        return false; /* no chain has more steps than there are roles, except in a cycle */
    of_role[index] = stage;
    return true;
}

static void
gang_job_set_stages(const struct gang_job *job, uint32_t *of_role)
{
    bool has_changed = true;

    for (size_t pass = 0; has_changed && pass < job->num_roles; pass++) {
        has_changed = false;
        for (size_t i = 0; i < job->num_roles; i++)
            has_changed |= gang_job_raise_stage(job, i, of_role);
    }
}

static int64_t
gang_job_pods_of_stage(const struct gang_job *job, const uint32_t *of_role, uint32_t stage)
{
    int64_t pods = 0;

    for (size_t i = 0; i < job->num_roles; i++)
        if (of_role[i] == stage && job->roles[i].membership != GANG_JOB_OUTSIDE &&
            job->roles[i].count > 0)
            pods += job->roles[i].count;
    return pods;
}

/* There may be no gangs. */
static void
gang_job_list_gangs(const struct gang_job *job, struct gang_job_stages *stages)
{
    gang_job_set_stages(job, stages->of_role);
    for (uint32_t stage = 0; stage < job->num_roles; stage++)
        if (gang_job_pods_of_stage(job, stages->of_role, stage) > 1)
            stages->gangs[stages->num_gangs++] = stage;
}

static bool
gang_job_is_split(const struct gang_job_stages *stages)
{
    return stages->of_role && stages->gangs;
}

static struct gang_job_stages
gang_job_split(const struct gang_job *job, struct arena *arena)
{
    struct gang_job_stages stages = {.of_role = NULL};

    if (!gang_job_may_be_split(job))
        return stages;
    stages.of_role = arena_array(arena, job->num_roles, sizeof(*stages.of_role));
    stages.gangs = arena_array(arena, job->num_roles, sizeof(*stages.gangs));
    if (gang_job_is_split(&stages))
        gang_job_list_gangs(job, &stages);
    return stages;
}

static void
gang_job_name_stage(struct gang_job *job, uint64_t gang, struct arena *arena)
{
    const struct slice name = slice_is_set(job->group_name) ? job->group_name : job->owner.name;

    if (gang)
        job->group_name = slice_from_text(
            arena_format(arena, "%.*s-s%llu", SLICE_ARG(name), (unsigned long long)gang));
}

static bool
gang_job_has_gang(const struct gang_job_stages *stages, uint32_t stage)
{
    for (size_t i = 0; i < stages->num_gangs; i++)
        if (stages->gangs[i] == stage)
            return true;
    return false;
}

static void
gang_job_place_role(const struct gang_job_stages *stages, uint64_t gang, uint32_t stage,
                    struct gang_job_role *role)
{
    const bool is_auto = role->membership == GANG_JOB_AUTO;

    if (stage != stages->gangs[gang])
        role->elsewhere = gang > 0 || (is_auto && gang_job_has_gang(stages, stage));
    else if (is_auto && role->count > 0)
        role->membership = GANG_JOB_MEMBER;
}

void
gang_job_take_stage(struct gang_job *job, uint64_t gang, const struct job_source *source)
{
    const struct gang_job_stages stages = gang_job_split(job, source->arena);

    if (!gang_job_is_split(&stages))
        return;
    if (!stages.num_gangs) {
        gang_job_stand_back(job, source->spec, "no stage of the job has more than one pod");
        return;
    }
    job->num_gangs = stages.num_gangs;
    if (gang >= stages.num_gangs)
        return;
    gang_job_name_stage(job, gang, source->arena);
    for (size_t i = 0; i < job->num_roles; i++)
        gang_job_place_role(&stages, gang, stages.of_role[i], &job->roles[i]);
}
