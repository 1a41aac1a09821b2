/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/backend/kai/kai.h"

#include "libgang/document/writer.h"
#include "unit/kai_jobs.h"

#define OWNED                                                                                      \
    "'ownerReferences':[{'apiVersion':'jobset.x-k8s.io/"                                           \
    "v1alpha2','kind':'JobSet','name':'js','uid':'uid'}]"
#define TOP_OWNER                                                                                  \
    "'annotations':{'kai.scheduler/top-owner-metadata':'name: js\\nuid: uid\\ngroup: "             \
    "jobset.x-k8s.io\\n"                                                                           \
    "version: v1alpha2\\nkind: JobSet\\n'}"
#define SETTINGS "'queue':'default-queue','priorityClassName':'train','topologyConstraint':{}"
#define GROUP(name_, spec_)                                                                        \
    "{'apiVersion':'scheduling.run.ai/v2alpha2','kind':'PodGroup','metadata':{'name':'" name_      \
    "','namespace':'ml'," TOP_OWNER "," OWNED "},'spec':{" spec_ "}}"

/* Source: pkg/podgrouper/podgrouper/plugins/jobset/jobset_grouper_test.go@d5bc503a and its history
 * at the tags. */
static const struct {
    const char *name;
    const char *release;
    enum kai_order order;
    const char *roles;
    const char *manifests;
} shapes[] = {
    {"worker(1,4)", "main", KAI_ORDER_ANY, "worker(1,4)",
     GROUP("pg-js-uid",
           "'minSubGroup':1," SETTINGS ",'subGroups':[{'name':'worker','minSubGroup':1},"
           "{'name':'worker-replica-0','parent':'worker','minMember':4}]")},
    {"worker(3,4)", "v0.16.8", KAI_ORDER_ANY, "worker(3,4)",
     GROUP("pg-js-uid",
           "'minSubGroup':1," SETTINGS ",'subGroups':[{'name':'worker','minSubGroup':3},"
           "{'name':'worker-replica-0','parent':'worker','minMember':4},"
           "{'name':'worker-replica-1','parent':'worker','minMember':4},"
           "{'name':'worker-replica-2','parent':'worker','minMember':4}]")},
    {"leader and worker InOrder", "main", KAI_ORDER_IN_ORDER, "leader(1,1) worker(2,4)",
     GROUP("pg-js-uid",
           "'minSubGroup':1," SETTINGS ",'subGroups':[{'name':'leader','minSubGroup':1},"
           "{'name':'leader-replica-0','parent':'leader','minMember':1},"
           "{'name':'worker','minSubGroup':2},"
           "{'name':'worker-replica-0','parent':'worker','minMember':4},"
           "{'name':'worker-replica-1','parent':'worker','minMember':4}]")},
    {"legacy InOrder", "v0.14.7", KAI_ORDER_IN_ORDER, "leader(1,1) worker(2,4)",
     GROUP("pg-js-uid-leader", "'minMember':1," SETTINGS)
         GROUP("pg-js-uid-worker", "'minMember':8," SETTINGS)},
    {"legacy AnyOrder", "v0.14.7", KAI_ORDER_ANY, "leader(1,1) worker(1,8)",
     GROUP("pg-js-uid", "'minMember':9," SETTINGS)},
};

static const char *
manifests_of(const struct kai_job *job, struct arena *arena)
{
    struct kai_grouping grouping = kai_grouping_of(job, arena);
    struct kai_prediction prediction = kai_predict(job, &grouping, arena);
    struct buffer out = {0};
    struct slice text;

    for (size_t i = 0; i < prediction.count; i++)
        json_write(&out, kai_predicted_manifest(job, &prediction, i, arena));
    buffer_append_byte(&out, '\0');
    text = arena_copy(arena, (struct slice){out.data, out.len});
    buffer_clear(&out);
    return text.data;
}

START_TEST(predicts_the_shape)
{
    struct arena *arena = arena_new(0);
    struct kai_job job =
        kai_job_of(arena, shapes[_i].release, shapes[_i].order, shapes[_i].roles, NULL);

    ck_assert_str_eq(manifests_of(&job, arena), kai_spell(arena, shapes[_i].manifests));
    arena_free(arena);
}
END_TEST

START_TEST(has_no_group_name_without_a_uid)
{
    struct arena *arena = arena_new(0);
    struct kai_job job = kai_job_of(arena, "v0.14.7", KAI_ORDER_ANY, "worker(1,8)", NULL);

    job.jobset_uid = NO_SLICE;
    job.namespace_ = NO_SLICE;
    ck_assert_str_eq(
        manifests_of(&job, arena),
        kai_spell(arena,
                  "{'apiVersion':'scheduling.run.ai/v2alpha2','kind':'PodGroup','metadata':{"
                  "'generateName':'pg-js-'},'spec':{'minMember':8,"
                  "'queue':'default-queue','priorityClassName':'train','topologyConstraint':{}}}"));
    arena_free(arena);
}
END_TEST

START_TEST(takes_topology_of_both_levels)
{
    struct arena *arena = arena_new(0);
    struct kai_job job = kai_job_of(arena, "main", KAI_ORDER_ANY, "a(1,1) b(1,1) c(1,1)", NULL);
    struct kai_job_role roles[3] = {job.roles[0], job.roles[1], job.roles[2]};
    struct kai_grouping grouping;
    struct kai_pod_group *group;

    roles[0].annotations = kai_tree(arena, "{'kai.scheduler/topology':'t',"
                                           "'kai.scheduler/topology-required-placement':'rack'}");
    roles[1].annotations = kai_tree(arena, "{'kai.scheduler/topology':'t'}");
    roles[2].annotations = kai_tree(arena, "{'kai.scheduler/topology':'t',"
                                           "'kai.scheduler/topology-preferred-placement':'host'}");
    job.roles = roles;
    job.trainjob.annotations = kai_tree(arena, "{'kai.scheduler/topology':'root'}");
    grouping = kai_grouping_of(&job, arena);
    group = &kai_predict(&job, &grouping, arena).groups[0].group;
    ck_slice_eq(group->placement.topology, "root");
    ck_assert(!slice_is_set(group->subgroups[0].placement.topology));
    ck_slice_eq(group->subgroups[1].placement.required, "rack");
    ck_assert(!slice_is_set(group->subgroups[3].placement.topology));
    ck_slice_eq(group->subgroups[5].placement.preferred, "host");
    arena_free(arena);
}
END_TEST

START_TEST(routes_pods)
{
    struct arena *arena = arena_new(0);
    struct kai_job job =
        kai_job_of(arena, _i ? "main" : "v0.15.3", KAI_ORDER_ANY, "worker(3,4)", NULL);
    struct kai_grouping grouping = kai_grouping_of(&job, arena);
    struct kai_prediction prediction = kai_predict(&job, &grouping, arena);

    ck_slice_eq(kai_predicted_subgroup(&prediction, SLICE("worker"), 2, arena),
                _i ? "worker-replica-2" : "");
    arena_free(arena);
}
END_TEST

/* A job without roles, a failure, and a tree that no object holds. */
static const struct {
    const char *roles;
    const char *annotation;
} without_groups[] = {{"", NULL}, {"a(1,1)", "x"}, {"a(5000,1) b(4999,1)", NULL}};

START_TEST(predicts_nothing)
{
    struct arena *arena = arena_new(0);
    struct kai_job job = kai_job_of(arena, "main", KAI_ORDER_ANY, without_groups[_i].roles,
                                    without_groups[_i].annotation);
    struct kai_grouping grouping = kai_grouping_of(&job, arena);

    ck_assert_uint_eq(kai_predict(&job, &grouping, arena).count, 0);
    arena_free(arena);
}
END_TEST

START_TEST(predicts_the_largest)
{
    struct arena *arena = arena_new(0);
    struct kai_job job = kai_job_of(arena, "main", KAI_ORDER_ANY, "a(5000,1) b(4998,1)", NULL);
    struct kai_grouping grouping = kai_grouping_of(&job, arena);

    ck_assert_uint_eq(kai_predict(&job, &grouping, arena).groups[0].group.num_subgroups,
                      KAI_MOST_SUBGROUPS);
    arena_free(arena);
}
END_TEST

/*
 * Out of memory at any allocation: nothing is written past the end, and the arena reports the
 * failure.
 */
START_TEST(survives_every_failed_allocation)
{
    enum { LIMIT = 1 << 18 };
    struct arena *arena = arena_new(0);
    struct arena *small = arena_new(LIMIT);
    struct kai_job job = kai_job_of(arena, "main", KAI_ORDER_ANY, "a(1,1) b(2,1)", NULL);
    struct kai_grouping grouping;
    struct kai_prediction prediction;

    job.trainjob.labels = kai_tree(arena, "{'a':'b'}");
    arena_alloc(small, LIMIT - 32 * (size_t)_i);
    grouping = kai_grouping_of(&job, small);
    prediction = kai_predict(&job, &grouping, small);
    for (size_t i = 0; i < prediction.count; i++)
        kai_predicted_manifest(&job, &prediction, i, small);
    ck_assert(arena_failed(small));
    arena_free(small);
    arena_free(arena);
}
END_TEST

void
add_tests(TCase *cases)
{
    add_rows(cases, predicts_the_shape, shapes, name, release, roles);
    tcase_add_test(cases, has_no_group_name_without_a_uid);
    tcase_add_test(cases, takes_topology_of_both_levels);
    tcase_add_loop_test(cases, routes_pods, 0, 2);
    add_rows(cases, predicts_nothing, without_groups, roles, annotation);
    tcase_add_test(cases, predicts_the_largest);
    tcase_add_loop_test(cases, survives_every_failed_allocation, 1, 60);
}
