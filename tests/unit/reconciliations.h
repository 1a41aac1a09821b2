/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TESTS_UNIT_RECONCILIATIONS_H
#define TESTS_UNIT_RECONCILIATIONS_H

#include "libgang/document/writer.h"
#include "libgang/render/render.h"
#include "support/live.h"
#include "unit/plans.h"
#include "unit/workloads.h"
#include "unit/typed.h"

/*
 * The trainjob `my-job` in `ml` with eight nodes of one CPU, what exists of it, and what is to be
 * done. Quotes are written as apostrophes; documents of what exists stand one behind the other.
 */
struct reconciliation {
    const char *gang_policy; /* podGroupPolicy of the runtime */
    const char
        *trainjob; /* members behind its metadata.name and namespace; NULL: with the uid alone */
    const char *policy;  /* members of the policy's spec; NULL: no policy */
    const char *cluster; /* members of the cluster's spec; NULL: nothing is known */
    const char *live;
    const char *actions;  /* "Create PodGroup my-job", a line each; NULL: there is no plan */
    const char *findings; /* the reasons of what is found beside the decision, in order */
    const char *object;   /* `metadata` and `spec` of the first object; NULL: not looked at */
};

#define UID_OF_JOB "'uid':'" TRAINJOB_UID "'"
#define AS_USUAL "," UID_OF_JOB "},'spec':{'runtimeRef':{'name':'tune'},'trainer':{'numNodes':8}"
#define USUAL AS_USUAL "}"
#define WITHOUT_UID "},'spec':{'runtimeRef':{'name':'tune'},'trainer':{'numNodes':8}}"
#define SUSPENDED AS_USUAL ",'suspend':true}"
#define CONDITION(type) "'conditions':[{'type':'" type "','status':'True'}]"
#define SUSPENDED_WITHOUT_UID                                                                      \
    "},'spec':{'runtimeRef':{'name':'tune'},'trainer':{'numNodes':8},'suspend':true}"
#define FINISHED AS_USUAL "},'status':{" CONDITION("Complete") "}"

#define OWNER_OF(kind, uid)                                                                        \
    "{'apiVersion':'trainer.kubeflow.org/v1alpha1','kind':'" kind "','name':'my-job','uid':'" uid  \
    "','controller':true,'blockOwnerDeletion':true}"
#define OUR_OWNER OWNER_OF("TrainJob", TRAINJOB_UID)
#define OURS ",'ownerReferences':[" OUR_OWNER "]"
#define LIVE(api, kind, name, metadata, spec)                                                      \
    "{'apiVersion':'" api "','kind':'" kind "','metadata':{'name':'" name                          \
    "','namespace':'ml','uid':'o-1','resourceVersion':'7'" metadata "},'spec':{" spec              \
    "},'status':{'phase':'Running'}}\n"
#define LIVE_JOB(metadata, status)                                                                 \
    "{'apiVersion':'trainer.kubeflow.org/v1alpha1','kind':'TrainJob','metadata':{'name':'my-job'," \
    "'namespace':'ml'" metadata "},'status':{" status "}}\n"
#define LIVE_POD(metadata, spec, phase)                                                            \
    "{'apiVersion':'v1','kind':'Pod','metadata':{'name':'p','namespace':'ml'" metadata             \
    "},'spec':{" spec "},'status':{'phase':'" phase "'}}\n"
/* The JobSet of the job with its one role; `state` is more of the spec, `metadata` and `spec` are
 * the pod template's. */
#define LIVE_JOBSET_OF(pods, state, metadata, spec, status)                                        \
    "{'apiVersion':'jobset.x-k8s.io/v1alpha2','kind':'JobSet','metadata':{'name':'my-job',"        \
    "'namespace':'ml','uid':'js-1'" OURS "},'spec':{" state                                        \
    "'replicatedJobs':[{'name':'node','replicas':1,'template':{'spec':{'parallelism':" pods        \
    ",'template':{'metadata':"                                                                     \
    "{" metadata "},'spec':{" spec "}}}}}]},'status':{" status "}}\n"
#define LIVE_JOBSET(state, metadata, spec) LIVE_JOBSET_OF("8", state, metadata, spec, "")
#define STOPPED "'suspend':true,"
#define RUNS "'suspend':false,"
#define GOING ",'deletionTimestamp':'2026-01-01T00:00:00Z'"

static const char reconciled_runtime[] =
    "{'apiVersion':'trainer.kubeflow.org/"
    "v1alpha1','kind':'ClusterTrainingRuntime','metadata':{'name':'tune'},"
    "'spec':{'mlPolicy':{'numNodes':8},'podGroupPolicy':%s,'template':{'spec':{'replicatedJobs':[{'"
    "name':'"
    "node',"
    "'replicas':1,'template':{'metadata':{'labels':{'trainer.kubeflow.org/"
    "trainjob-ancestor-step':'trainer'}},"
    "'spec':{'backoffLimit':0,'template':{'spec':{'containers':[{'name':'node','image':'i','"
    "resources':"
    "{'requests':{'cpu':'1'}}}]}}}}}]}}}}";

/* What one comparison came to. `plan` is what was rendered, `reconciled` what it became. */
struct comparison {
    struct arena *arena;
    struct gang_runtime *runtime;
    struct gang_trainjob *trainjob;
    struct gang_policy *policy;
    struct gang_cluster *cluster;
    struct gang_decision *decision;
    struct gang_plan *plan;
    struct gang_plan *reconciled;
    struct gang_error *error;
    int result;
};

static inline void
comparison_parse(struct comparison *comparison, const struct reconciliation *row)
{
    struct arena *arena = comparison->arena;
    char text[DOCUMENT_SIZE];
    char spelled[DOCUMENT_SIZE];

    snprintf(text, sizeof(text), reconciled_runtime, row->gang_policy);
    spell(spelled, text);
    ck_assert_int_eq(parse_runtime(NULL, spelled, strlen(spelled), 0, &comparison->runtime, NULL),
                     GANG_OK);
    snprintf(text, sizeof(text),
             "{'apiVersion':'trainer.kubeflow.org/"
             "v1alpha1','kind':'TrainJob','metadata':{'name':'my-job',"
             "'namespace':'ml'%s}",
             row->trainjob ? row->trainjob : USUAL);
    spell(spelled, text);
    ck_assert_int_eq(parse_trainjob(NULL, spelled, strlen(spelled), 0, &comparison->trainjob, NULL),
                     GANG_OK);
    comparison->cluster = workload_cluster(arena, row->cluster);
    if (!row->policy)
        return;
    snprintf(text, sizeof(text),
             "{'apiVersion':'policy.libgang.dev/"
             "v1alpha1','kind':'GangPolicy','metadata':{'name':'lab'},'spec':{%s}}",
             row->policy);
    spell(spelled, text);
    ck_assert_int_eq(parse_policy(NULL, spelled, strlen(spelled), 0, &comparison->policy, NULL),
                     GANG_OK);
}

static inline struct comparison
compare_live(const struct reconciliation *row)
{
    struct comparison comparison = {.arena = arena_new(0)};
    char live[DOCUMENT_SIZE];
    int result;

    comparison_parse(&comparison, row);
    result = resolve_trainjob_with(NULL, comparison.runtime, comparison.trainjob, comparison.policy,
                                   comparison.cluster, 0, &comparison.decision, NULL);
    ck_assert_msg(comparison.decision != NULL, "no decision: %d", result);
    ck_assert_int_eq(gang_render(NULL, comparison.decision, 0, &comparison.plan, NULL), GANG_OK);
    spell(live, row->live);
    comparison.result = reconcile_text(NULL, comparison.plan, live, strlen(live),
                                       &comparison.reconciled, &comparison.error);
    return comparison;
}

static inline void
end_comparison(struct comparison *comparison)
{
    gang_error_free(comparison->error);
    gang_plan_unref(comparison->reconciled);
    gang_plan_unref(comparison->plan);
    gang_decision_unref(comparison->decision);
    unref_policy(comparison->policy);
    unref_cluster(comparison->cluster);
    unref_trainjob(comparison->trainjob);
    unref_runtime(comparison->runtime);
    arena_free(comparison->arena);
}

/* "Apply PodGroup my-job", a line each. */
static inline const char *
actions_in_words(const struct gang_plan *plan, struct arena *arena)
{
    const char *text = "";

    for (size_t i = 0; plan && i < plan->content.num_objects; i++) {
        const struct gang_object *object = &plan->content.objects[i];

        text = arena_format(arena, "%s%s %.*s %.*s\n", text, gang_action_name((int)object->action),
                            SLICE_ARG(node_string(node_member(object->manifest, SLICE("kind")))),
                            SLICE_ARG(node_string(node_at(object->manifest, "metadata.name"))));
    }
    return text;
}

/* Of the numbers 851 to 899: what is found about objects that exist. */
static inline const char *
live_findings_in_words(const struct comparison *comparison, struct arena *arena)
{
    size_t count = comparison->reconciled ? gang_plan_num_diagnostics(comparison->reconciled)
                                          : gang_error_num_diagnostics(comparison->error);
    const char *text = "";

    for (size_t i = 0; i < count; i++) {
        const struct gang_diagnostic *finding =
            comparison->reconciled ? gang_plan_get_diagnostic(comparison->reconciled, i)
                                   : gang_error_get_diagnostic(comparison->error, i);

        if (gang_diagnostic_get_code(finding) > 850)
            text = arena_format(arena, "%s%s%s", text, text[0] ? " " : "",
                                gang_code_name(gang_diagnostic_get_code(finding)));
    }
    return text;
}

/* `metadata` and `spec` of the first object, quotes as apostrophes. */
static inline const char *
first_object(const struct gang_plan *plan, struct arena *arena)
{
    const struct node *manifest = plan->content.objects[0].manifest;
    struct buffer out = {0};
    char *text;

    json_write(&out, node_member(manifest, SLICE("metadata")));
    if (node_member(manifest, SLICE("spec"))) {
        buffer_append_byte(&out, ' ');
        json_write(&out, node_member(manifest, SLICE("spec")));
    }
    text = (char *)(size_t)arena_copy(arena, (struct slice){out.data, out.len}).data;
    buffer_clear(&out);
    for (char *at = text; *at; at++)
        if (*at == '"')
            *at = '\'';
    return text;
}

/* The job, its JobSet and its pods, as they were. */
static inline void
add_bystanders(struct buffer *live, const char *text)
{
    struct gang_stream *stream = NULL;
    char spelled[DOCUMENT_SIZE];

    spell(spelled, text);
    ck_assert_int_eq(gang_stream_parse(NULL, spelled, strlen(spelled), 0, &stream, NULL), GANG_OK);
    for (size_t i = 0; i < gang_stream_num_documents(stream); i++) {
        const char *kind = gang_stream_get_kind(stream, i);
        size_t len;
        const char *document = gang_stream_get_data(stream, i, &len);

        if (strcmp(kind, "Pod") == 0 || strcmp(kind, "TrainJob") == 0 ||
            strcmp(kind, "JobSet") == 0)
            buffer_append(live, document, len);
    }
    gang_stream_unref(stream);
}

/* Of an object that the plan has updated while it was being deleted, it has yet to go. */
static inline enum gang_action
action_after(const struct gang_object *object)
{
    return object->action == GANG_ACTION_APPLY &&
                   node_at(object->manifest, "metadata.deletionTimestamp")
               ? GANG_ACTION_RECREATE
               : GANG_ACTION_LEAVE;
}

/* After the actions of the plan, no action is left. */
static inline void
check_settles(const struct gang_plan *plan, const char *bystanders)
{
    struct gang_plan *again = NULL;
    struct buffer live = {0};

    add_bystanders(&live, bystanders);
    for (size_t i = 0; i < plan->content.num_objects; i++)
        if (plan->content.objects[i].action != GANG_ACTION_DELETE)
            json_write(&live, plan->content.objects[i].manifest);
    ck_assert_int_eq(reconcile_text(NULL, plan, live.data, live.len, &again, NULL), GANG_OK);
    for (size_t i = 0; i < gang_plan_num_objects(again); i++)
        ck_assert_int_eq(gang_object_get_action(gang_plan_get_object(again, i)),
                         action_after(&plan->content.objects[i]));
    gang_plan_unref(again);
    buffer_clear(&live);
}

/* The whole row. */
static inline void
check_reconciliation(const struct reconciliation *row)
{
    struct comparison comparison = compare_live(row);
    bool is_held = row->actions &&
                   (strstr(row->actions, "Conflict") || strstr(row->findings, "PodsWithoutGang"));

    ck_assert_int_eq(comparison.reconciled != NULL, row->actions != NULL);
    check_text(live_findings_in_words(&comparison, comparison.arena), row->findings);
    ck_assert_int_eq(comparison.result, row->actions && !is_held ? GANG_OK : GANG_ERROR_INVALID);
    ck_assert_int_eq(comparison.error != NULL, comparison.result != GANG_OK);
    if (row->actions)
        check_text(actions_in_words(comparison.reconciled, comparison.arena), row->actions);
    if (row->object)
        check_text(first_object(comparison.reconciled, comparison.arena), row->object);
    if (row->actions && !is_held)
        check_settles(comparison.reconciled, row->live);
    end_comparison(&comparison);
}

#endif
