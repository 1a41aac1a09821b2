/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TESTS_UNIT_WORKLOADS_H
#define TESTS_UNIT_WORKLOADS_H

#include "libgang/document/writer.h"
#include "libgang/gang/gang.h"
#include "unit/job.h"
#include "unit/tree.h"
#include "unit/typed.h"

#define WORKLOAD_UID "99999999-8888-7777-6666-555555555555"
#define TRAINJOB_UID "11111111-2222-3333-4444-555555555555"
#define V1ALPHA1 "scheduling.k8s.io/v1alpha1"
#define V1ALPHA2 "scheduling.k8s.io/v1alpha2"
#define V1ALPHA3 "scheduling.k8s.io/v1alpha3"
#define V1BETA1 "scheduling.k8s.io/v1beta1"

/* The facts of clusters that are as they should be. Quotes are written as apostrophes throughout.
 */
#define SERVES(version, resources)                                                                 \
    "'servedVersions':[{'groupVersion':'" version "','resources':[" resources "]}]"
#define BOTH_GATES "'featureGates':{'GenericWorkload':true,'GangScheduling':true}"
#define GOOD_1_35                                                                                  \
    SERVES(V1ALPHA1, "'workloads'") "," BOTH_GATES ",'podTemplateFields':['workloadRef']"
#define GOOD_1_36                                                                                  \
    SERVES(V1ALPHA2, "'workloads','podgroups'")                                                    \
    "," BOTH_GATES ",'podTemplateFields':['schedulingGroup']"
#define GOOD_1_37_OF(version)                                                                      \
    SERVES(version, "'workloads','podgroups'")                                                     \
    ",'featureGates':{'GenericWorkload':true},'podTemplateFields':['schedulingGroup']"
#define GOOD_1_37 GOOD_1_37_OF(V1BETA1)

/* A job `my-job` in `ml` for the Workload API. */
struct workload_case {
    const char *roles;      /* as in job.h */
    const char *options;    /* JSON; NULL: none */
    const char *cluster;    /* JSON of the facts; NULL: nothing is known */
    const char *scheduling; /* JSON; NULL: none */
    const char *uid;        /* NULL: none */
    const char *created;    /* uid of the Workload; NULL: none */
    const char *wanted;     /* api version that a policy pins; NULL: none */
};

struct workload_run {
    struct job job;
    struct gang_cluster *cluster;
    struct backend_call call;
};

static inline const char *
workload_quoted(struct arena *arena, const char *text)
{
    struct slice copy = arena_copy(arena, slice_from_text(text));
    char *bytes = (char *)(size_t)copy.data;

    for (size_t i = 0; i < copy.len; i++)
        if (bytes[i] == '\'')
            bytes[i] = '"';
    return bytes;
}

static inline const struct node *
workload_tree(struct arena *arena, const char *text)
{
    return text ? tree_of(arena, workload_quoted(arena, text)) : NULL;
}

static inline struct gang_cluster *
workload_cluster(struct arena *arena, const char *facts)
{
    struct gang_cluster *cluster = NULL;
    const char *text;

    if (!facts)
        return NULL;
    text = workload_quoted(
        arena, arena_format(arena,
                            "{'apiVersion':'policy.libgang.dev/v1alpha1','kind':'GangCluster',"
                            "'metadata':{'name':'lab'},'spec':{%s}}",
                            facts));
    ck_assert_int_eq(parse_cluster(NULL, text, strlen(text), 0, &cluster, NULL), GANG_OK);
    return cluster;
}

static inline void
workload_call_open(struct workload_run *run, const struct workload_case *wanted)
{
    run->cluster = workload_cluster(run->job.arena, wanted->cluster);
    run->call = (struct backend_call){
        .gang = &run->job.gang,
        .cluster = run->cluster,
        .options = workload_tree(run->job.arena, wanted->options),
        .api_version = slice_from_text(wanted->wanted),
        .created_uid = slice_from_text(wanted->created),
    };
}

/* Everything that the engine does before it lets a backend validate; `add` may change the roles
 * before that. */
static inline void
workload_open_with(struct workload_run *run, const struct workload_case *wanted,
                   void (*add)(struct job *job))
{
    run->job = job_make(wanted->roles);
    run->job.wishes->owner.name = SLICE("my-job");
    run->job.wishes->owner.uid = slice_from_text(wanted->uid);
    run->job.wishes->scheduling = workload_tree(run->job.arena, wanted->scheduling);
    if (add)
        add(&run->job);
    workload_call_open(run, wanted);
    wishes_order_roles(run->job.wishes, &run->job.report);
    workload_backend.prepare(run->call.options, run->job.wishes, run->job.arena);
    gang_form(run->job.wishes, &run->job.gang, &run->job.report);
    run->call.api_version = backend_api_version(&workload_backend, &run->call, &run->job.report);
    job_take_priority(&run->job);
    run->call.state = workload_backend.open(&run->call, &run->job.report);
}

static inline void
workload_open(struct workload_run *run, const struct workload_case *wanted)
{
    workload_open_with(run, wanted, NULL);
}

static inline void
workload_close(struct workload_run *run)
{
    unref_cluster(run->cluster);
    job_free(&run->job);
}

static inline struct plan_content
workload_render_all(struct workload_run *run)
{
    struct plan_content content;
    struct report unheard;

    ck_assert(plan_content_init(&content, run->job.arena, &run->job.gang));
    report_init(&unheard, run->job.arena, &standard_limits);
    run->call.losses = backend_find_losses(&workload_backend, &run->call, &unheard);
    backend_render(&workload_backend, &run->call, &content);
    return content;
}

static inline const char *
workload_patch(struct arena *arena, const struct gang_patch *patch)
{
    const char *text;

    if (plan_patch_is_empty(patch))
        return "";
    text = arena_format(arena, "%.*s{", SLICE_ARG(patch->role));
    if (slice_is_set(patch->scheduler_name))
        text = arena_format(arena, "%sscheduler %.*s;", text, SLICE_ARG(patch->scheduler_name));
    if (slice_is_set(patch->scheduling_group))
        text = arena_format(arena, "%sgroup %.*s", text, SLICE_ARG(patch->scheduling_group));
    if (slice_is_set(patch->workload_ref.name))
        text = arena_format(arena, "%sref %.*s/%.*s", text, SLICE_ARG(patch->workload_ref.name),
                            SLICE_ARG(patch->workload_ref.pod_group));
    return arena_format(arena, "%s}", text);
}

/* All manifests, a line each, and then the patches: `node{group my-job-trainer-x} launcher{ref
 * my-job/trainer}`. */
static inline const char *
workload_text(struct workload_run *run)
{
    struct plan_content content = workload_render_all(run);
    struct buffer out = {0};
    const char *text;

    for (size_t i = 0; i < content.num_objects; i++) {
        json_write(&out, content.objects[i].manifest);
        buffer_append_byte(&out, '\n');
    }
    for (size_t i = 0; i < content.num_patches; i++) {
        const char *patch = workload_patch(run->job.arena, &content.patches[i]);

        buffer_append(&out, patch, strlen(patch));
    }
    text = arena_copy(run->job.arena, (struct slice){out.data, out.len}).data;
    buffer_clear(&out);
    return text;
}

/* The findings of the backend, without those of libgang/gang. */
static inline const char *
workload_findings(struct workload_run *run)
{
    run->job.report.count = run->job.report.errors = 0;
    backend_validate(&workload_backend, &run->call, &run->job.report);
    return job_findings(&run->job);
}

#endif
