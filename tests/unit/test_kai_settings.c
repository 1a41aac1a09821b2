/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/backend/kai/kai.h"

#include "unit/kai_jobs.h"
#include "unit/typed.h"

/*
 * Source: pkg/podgrouper/podgrouper/plugins/defaultgrouper/default_grouper_test.go@d5bc503a. Where
 * upstream falls back to a ConfigMap, which libgang does not read, the podgrouper's constant is
 * used.
 */
static const struct {
    const char *name;
    const char *owner; /* labels */
    const char *pod;
    const char *pod_class;
    const char *queue;
    const char *priority;
    const char *preemptibility; /* "" for none */
} cases_of_labels[] = {
    {"GetPodGroupMetadata", "{'a':'b'}", NULL, "", "default-queue", "train", ""},
    {"OnQueueFromOwnerDefaultNP", "{'project':'my-proj'}", NULL, "", "my-proj", "train", ""},
    {"InferQueueFromProjectNodepool", "{'project':'my-proj'}", "{'kai.scheduler/node-pool':'np-1'}",
     "", "my-proj-np-1", "train", ""},
    {"OnQueueFromOwner", "{'project':'my-proj','kai.scheduler/queue':'my-proj-np-1'}", NULL, "",
     "my-proj-np-1", "train", ""},
    {"OnQueueFromPod", NULL, "{'kai.scheduler/queue':'my-queue'}", "", "my-queue", "train", ""},
    {"OwnersQueueFirst", "{'kai.scheduler/queue':'a'}", "{'kai.scheduler/queue':'b'}", "", "a",
     "train", ""},
    {"ProjectFromPod", NULL, "{'project':'p','kai.scheduler/node-pool':'np'}", "", "p-np", "train",
     ""},
    {"EmptyQueue", "{'kai.scheduler/queue':''}", "{'kai.scheduler/queue':'b'}", "", "", "train",
     ""},
    {"EmptyProject", "{'project':''}", NULL, "", "default-queue", "train", ""},
    {"OnPriorityClassFromOwner", "{'priorityClassName':'my-priority'}", NULL, "", "default-queue",
     "my-priority", ""},
    {"OnPriorityClassFromPod", NULL, "{'priorityClassName':'my-priority'}", "", "default-queue",
     "my-priority", ""},
    {"OnPriorityClassFromPodSpec", NULL, NULL, "my-priority", "default-queue", "my-priority", ""},
    {"InvalidPriorityClassFallsBack", "{'priorityClassName':'missing'}", NULL, "", "default-queue",
     "train", ""},
    {"FirstLabelDecides", "{'priorityClassName':'missing'}", "{'priorityClassName':'my-priority'}",
     "my-priority", "default-queue", "train", ""},
    {"CalcPodGroupPreemptibility: owner first",
     "{'kai.scheduler/preemptibility':'non-preemptible'}",
     "{'kai.scheduler/preemptibility':'preemptible'}", "", "default-queue", "train",
     "non-preemptible"},
    {"CalcPodGroupPreemptibility: owner invalid", "{'kai.scheduler/preemptibility':'x'}",
     "{'kai.scheduler/preemptibility':'preemptible'}", "", "default-queue", "train", "preemptible"},
    {"CalcPodGroupPreemptibility: invalid only", "{'kai.scheduler/preemptibility':'Preemptible'}",
     NULL, "", "default-queue", "train", ""},
};

static struct gang_cluster *
cluster_with_one_class(void)
{
    static const char text[] =
        "{\"apiVersion\":\"policy.libgang.dev/v1alpha1\",\"kind\":\"GangCluster\","
        "\"metadata\":{\"name\":\"c\"},\"spec\":{\"priorityClasses\":[{\"name\":"
        "\"my-priority\",\"value\":1}]}}";
    struct gang_cluster *cluster = NULL;

    ck_assert_int_eq(parse_cluster(NULL, text, strlen(text), 0, &cluster, NULL), GANG_OK);
    return cluster;
}

START_TEST(reads_labels_like_the_podgrouper)
{
    struct arena *arena = arena_new(0);
    struct gang_cluster *cluster = cluster_with_one_class();
    struct kai_sources sources = {
        .owners = {{.labels = kai_tree(arena, cases_of_labels[_i].owner)}},
        .num_owners = 1,
        .pod = {.labels = kai_tree(arena, cases_of_labels[_i].pod)},
        .pod_priority_class = slice_from_text(cases_of_labels[_i].pod_class),
        .cluster = cluster,
    };
    struct kai_pod_group group = {0};

    kai_settings_fill(&sources, &group, arena);
    ck_slice_eq(group.queue, cases_of_labels[_i].queue);
    ck_slice_eq(group.priority_class_name, cases_of_labels[_i].priority);
    ck_slice_eq(group.preemptibility, cases_of_labels[_i].preemptibility);
    unref_cluster(cluster);
    arena_free(arena);
}
END_TEST

/* TestCalcPodGroupPreemptionDelay, and the grace period, which may be negative. */
static const struct {
    const char *owner;
    const char *pod;
    const char *delay;
    const char *grace;
} delays[] = {
    {"5m", NULL, "5m0s", "5m0s"}, {"5", NULL, "", ""},          {"-3m", NULL, "", "-3m0s"},
    {"abc", NULL, "", ""},        {"abc", "30s", "30s", "30s"}, {NULL, "30s", "30s", "30s"},
    {"0s", "30s", "0s", "0s"},    {NULL, NULL, "", ""},
};

static const struct node *
delay_tree(struct arena *arena, const char *value)
{
    return value ? kai_tree(arena, arena_format(arena,
                                                "{'kai.scheduler/preemption-delay':'%s',"
                                                "'kai.scheduler/staleness-grace-period':'%s'}",
                                                value, value))
                 : NULL;
}

START_TEST(reads_delays)
{
    struct arena *arena = arena_new(0);
    struct kai_sources sources = {
        .owners = {{.annotations = delay_tree(arena, delays[_i].owner)}},
        .num_owners = 1,
        .pod = {.annotations = delay_tree(arena, delays[_i].pod)},
    };
    struct kai_pod_group group = {0};

    kai_settings_fill(&sources, &group, arena);
    ck_slice_eq(group.preemption_delay, delays[_i].delay);
    ck_slice_eq(group.staleness_grace_period, delays[_i].grace);
    arena_free(arena);
}
END_TEST

START_TEST(reads_topology_of_the_owner_alone)
{
    struct arena *arena = arena_new(0);
    struct kai_sources sources = {
        .owners = {{.annotations =
                        kai_tree(arena, "{'kai.scheduler/topology-required-placement':'rack',"
                                        "'kai.scheduler/topology':''}")}},
        .num_owners = 1,
        .pod = {.annotations = kai_tree(arena, "{'kai.scheduler/topology':'t'}")},
    };
    struct kai_pod_group group = {0};

    kai_settings_fill(&sources, &group, arena);
    ck_slice_eq(group.placement.required, "rack");
    ck_assert(!slice_is_set(group.placement.topology));
    ck_assert(!slice_is_set(group.placement.preferred));
    arena_free(arena);
}
END_TEST

static const struct {
    const char *first;
    const char *second;
    const char *merged;
} merges[] = {
    {"{'b':'1','a':'2'}", "{'c':'3','a':'4'}", "{\"a\":\"2\",\"b\":\"1\",\"c\":\"3\"}"},
    {"{'b':'1','a':'2'}", NULL, "{\"a\":\"2\",\"b\":\"1\"}"},
    {NULL, "{'b':'1','a':'2'}", "{\"a\":\"2\",\"b\":\"1\"}"},
};

START_TEST(merges_maps)
{
    struct arena *arena = arena_new(0);

    ck_assert_str_eq(job_print(arena, build_merged(kai_tree(arena, merges[_i].first),
                                                   kai_tree(arena, merges[_i].second), arena)),
                     merges[_i].merged);
    ck_assert_ptr_null(build_merged(NULL, kai_tree(arena, "{}"), arena));
    arena_free(arena);
}
END_TEST

START_TEST(merges_nothing_without_memory)
{
    struct arena *arena = arena_new(0);
    struct arena *small = arena_new(1);

    ck_assert_ptr_null(build_merged(kai_tree(arena, "{'a':'b'}"), NULL, small));
    ck_assert(arena_failed(small));
    arena_free(small);
    arena_free(arena);
}
END_TEST

START_TEST(joins_texts)
{
    struct arena *arena = arena_new(0);
    struct arena *small = arena_new(1);

    ck_slice_eq(kai_join(SLICE("a"), '.', SLICE("b"), arena), "a.b");
    ck_slice_eq(kai_join(SLICE("a"), '-', SLICE(""), arena), "a-");
    ck_assert(!slice_is_set(kai_join(SLICE("a"), '-', SLICE("b"), small)));
    arena_free(small);
    arena_free(arena);
}
END_TEST

void
add_tests(TCase *cases)
{
    add_rows(cases, reads_labels_like_the_podgrouper, cases_of_labels, name, owner, pod);
    add_rows(cases, reads_delays, delays, owner, pod, grace);
    tcase_add_test(cases, reads_topology_of_the_owner_alone);
    tcase_add_test(cases, joins_texts);
    add_rows(cases, merges_maps, merges, first, second);
    tcase_add_test(cases, merges_nothing_without_memory);
}
