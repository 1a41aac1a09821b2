/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/grove/grove.h"

#include "unit/suite.h"
#include "unit/grove_documents.h"
#include "unit/typed.h"

/* ---- aggregate ---- */

enum { AGGREGATE_MOST = 4 };

#define NAMED(name, labels, spec)                                                                  \
    "{'apiVersion': 'scheduler.grove.io/v1alpha1', 'kind': 'PodGang', 'metadata': {'name': '" name \
    "', "                                                                                          \
    "'namespace': 'ml', 'labels': {" labels "}" OWNED_BY_JOB "}, 'spec': {" spec "}}"
#define REPLICA "'grove.io/podcliqueset-replica-index': '0'"
#define SCALED REPLICA ", 'grove.io/podcliquescalinggroup': 'job-0-workers'"
#define PODGROUP(name, minimum)                                                                    \
    "{'name': '" name "', 'minReplicas': " minimum ", 'podReferences': []}"
#define BASE                                                                                       \
    NAMED("job-0", REPLICA,                                                                        \
          "'podgroups': [" PODGROUP("base-b", "2") ", " PODGROUP("base-a", "1") "]")
#define ONE(name, podgroup) NAMED(name, SCALED, "'podgroups': [" PODGROUP(podgroup, "3") "]")

/*
 * aggregate_test.go of ai-dynamo/grove's pull request 735 @ebe5f5a0: base only, base and two
 * scaled, and what is refused. One line for each subgroup: name, minimum, the one around it.
 */
static const struct {
    const char *podgangs[AGGREGATE_MOST]; /* the first is resolved */
    int64_t minimum_groups;
    const char *groups;
    const char *findings;
} aggregates[] = {
    {{BASE}, 1, "job-0 2 -\nbase-a 1 job-0\nbase-b 2 job-0\n", ""},
    {{BASE, ONE("job-0-workers-1", "w2"), ONE("job-0-workers-0", "w1")},
     2,
     "job-0 2 -\nbase-a 1 job-0\nbase-b 2 job-0\nscaled-podgangs 0 -\njob-0-workers-0 1 "
     "scaled-podgangs\n"
     "w1 3 job-0-workers-0\njob-0-workers-1 1 scaled-podgangs\nw2 3 job-0-workers-1\n",
     ""},
    {{NAMED("job-0", REPLICA,
            "'podgroups': [" PODGROUP("a", "1") ", " PODGROUP(
                "b", "1") "], 'topologyConstraintGroupConfigs': [{'name': 'job-0-workers-0', "
                          "'podGroupNames': ['b']}, {'name': 'x', "
                          "'podGroupNames': []}]"),
      ONE("job-0-workers-0", "w1")},
     2,
     "job-0 2 -\njob-0-workers-0 1 job-0\na 1 job-0\nb 1 job-0-workers-0\nscaled-podgangs 0 -\n"
     "job-0-workers-0-gang 1 scaled-podgangs\nw1 3 job-0-workers-0-gang\n",
     ""},
    /* of another replica */
    {{BASE, NAMED("job-1", "'grove.io/podcliqueset-replica-index': '1'",
                  "'podgroups': [" PODGROUP("c", "1") "]")},
     1,
     "job-0 2 -\nbase-a 1 job-0\nbase-b 2 job-0\n",
     ""},
    /* of a set with the same name in another namespace */
    {{BASE, "{'apiVersion': 'scheduler.grove.io/v1alpha1', 'kind': 'PodGang', 'metadata': {'name': "
            "'job-0-workers-0', 'namespace': 'other', 'labels': {" SCALED "}" OWNED_BY_JOB
            "}, 'spec': {'podgroups': [" PODGROUP("w1", "3") "]}}"},
     1,
     "job-0 2 -\nbase-a 1 job-0\nbase-b 2 job-0\n",
     ""},
    {{BASE, NAMED("job-0-workers-0", REPLICA, "'podgroups': [" PODGROUP("w", "1") "]")},
     2,
     "job-0 2 -\nbase-a 1 job-0\nbase-b 2 job-0\nscaled-podgangs 0 -\njob-0-workers-0 1 "
     "scaled-podgangs\nw 1 "
     "job-0-workers-0\n",
     "GANG816 : scaled PodGang ml/job-0-workers-0 is missing required label "
     "\"grove.io/podcliquescalinggroup\""},
    {{BASE, NAMED("scaled-podgangs", SCALED, "'podgroups': [" PODGROUP("w", "1") "]")},
     2,
     "job-0 2 -\nbase-a 1 job-0\nbase-b 2 job-0\nscaled-podgangs 0 -\nscaled-podgangs-gang 1 "
     "scaled-podgangs\nw 1 "
     "scaled-podgangs-gang\n",
     ""},
    {{NAMED("job-0", REPLICA, "'podgroups': [" PODGROUP("scaled-podgangs", "1") "]")},
     1,
     "job-0 1 -\nscaled-podgangs 1 job-0\n",
     "GANG308 spec.podgroups[0].name: Invalid value: \"scaled-podgangs\": is the name of the "
     "subgroup of all "
     "scaled "
     "PodGangs"},
    {{BASE, NAMED("job-0-workers-0", SCALED,
                  "'priorityClassName': 'high', 'podgroups': [" PODGROUP("w", "1") "]")},
     2,
     "job-0 2 -\nbase-a 1 job-0\nbase-b 2 job-0\nscaled-podgangs 0 -\njob-0-workers-0 1 "
     "scaled-podgangs\nw 1 "
     "job-0-workers-0\n",
     "GANG817 : PodGang ml/job-0-workers-0 has the priority class \"high\", the base PodGang \"\""},
    {{BASE, ONE("job-0-workers-0", "base-a")},
     2,
     "job-0 2 -\nbase-a 1 job-0\nbase-b 2 job-0\nscaled-podgangs 0 -\njob-0-workers-0 1 "
     "scaled-podgangs\nbase-a 3 "
     "job-0-workers-0\n",
     "GANG308 spec.podgroups[0].name: Duplicate value: \"base-a\""},
    {{NAMED("job-0", REPLICA, "'podgroups': [" PODGROUP("A.b", "1") "]")},
     1,
     "job-0 1 -\na-b-4ff54a775f 1 job-0\n",
     ""},
};

static const char *
tree_in_words(const struct gang_wishes *wishes, struct arena *arena)
{
    const char *text = "";

    for (size_t i = 0; i < wishes->num_groups; i++) {
        const struct gang_group *group = &wishes->groups[i];
        struct slice parent =
            group->parent == GROUP_OF_GANG ? SLICE("-") : wishes->groups[group->parent].name;

        text = arena_format(arena, "%s%.*s %lld %.*s\n", text, SLICE_ARG(group->name),
                            (long long)group->minimum, SLICE_ARG(parent));
    }
    return text;
}

/* A job of the first text, with the others as inputs. */
struct crew {
    struct gang_podgang *podgangs[AGGREGATE_MOST];
    size_t count;
    struct grove_job job;
};

static void
crew_open(struct crew *crew, const char *const texts[AGGREGATE_MOST])
{
    char text[DOCUMENT_SIZE];

    *crew = (struct crew){0};
    for (; crew->count < AGGREGATE_MOST && texts[crew->count]; crew->count++) {
        spell(text, texts[crew->count]);
        ck_assert_int_eq(
            parse_podgang(NULL, text, strlen(text), 0, &crew->podgangs[crew->count], NULL),
            GANG_OK);
    }
    crew->job.podgang = crew->podgangs[0];
    crew->job.siblings = (const struct gang_podgang *const *)&crew->podgangs[1];
    crew->job.num_siblings = crew->count - 1;
}

static void
crew_close(struct crew *crew)
{
    for (size_t i = 0; i < crew->count; i++)
        unref_podgang(crew->podgangs[i]);
}

/* The gang that the PodGangs make together, and what is found on the way. */
struct aggregate_run {
    struct crew *crew;
    struct arena *arena;
    struct report report;
    struct gang_wishes wishes;
};

/* Ends with end_aggregate(). */
static struct aggregate_run
run_aggregate(const char *const texts[AGGREGATE_MOST])
{
    struct aggregate_run run = {.arena = arena_new(0)};

    run.crew = arena_alloc(run.arena, sizeof(*run.crew));
    crew_open(run.crew, texts);
    report_init(&run.report, run.arena, &standard_limits);
    ck_assert_ptr_eq(aggregate_base(&run.crew->job, &run.report), run.crew->podgangs[0]);
    aggregate_fill(&run.crew->job, &run.wishes, &run.report);
    for (size_t i = 0; i < run.report.count; i++)
        ck_assert_int_eq(run.report.items[i].document, GANG_DOCUMENT_PODGANG);
    return run;
}

static void
end_aggregate(struct aggregate_run *run)
{
    crew_close(run->crew);
    arena_free(run->arena);
}

START_TEST(one_gang_for_a_replica)
{
    struct aggregate_run run = run_aggregate(aggregates[_i].podgangs);

    ck_assert_str_eq(tree_in_words(&run.wishes, run.arena), aggregates[_i].groups);
    ck_assert_int_eq(run.wishes.minimum_groups, aggregates[_i].minimum_groups);
    check_findings(&run.report, aggregates[_i].findings);
    ck_slice_eq(run.wishes.name, "grove-job-0");
    ck_slice_eq(run.wishes.owner.kind, "PodCliqueSet");
    ck_slice_eq(run.wishes.owner.name, "job");
    end_aggregate(&run);
}
END_TEST

#define OF_OTHER_SET                                                                               \
    "{'apiVersion': 'scheduler.grove.io/v1alpha1', 'kind': 'PodGang', 'metadata': {'name': "       \
    "'job-0', "                                                                                    \
    "'labels': {" REPLICA "}, 'ownerReferences': [{'apiVersion': 'grove.io/v1alpha1', 'kind': "    \
    "'PodCliqueSet', 'name': 'other', 'uid': 'u', 'controller': true}]}, 'spec': {'podgroups': "   \
    "[]}}"
#define OF_OTHER_REPLICA                                                                           \
    NAMED("job-1", "'grove.io/podcliqueset-replica-index': '1'", "'podgroups': []")

/* The scaled PodGang finds its base, or reports that it is missing. */
static const struct {
    const char *podgangs[AGGREGATE_MOST];
    const char *base; /* NULL: none */
    const char *finding;
} bases[] = {
    {{ONE("job-0-workers-0", "w1"), BASE}, "job-0", ""},
    {{ONE("job-0-workers-0", "w1"), ONE("job-0-workers-1", "w2")},
     NULL,
     "GANG815 metadata.name: the base PodGang job-0 is not among the inputs"},
    {{ONE("job-0-workers-0", "w1"), OF_OTHER_SET, OF_OTHER_REPLICA, BASE}, "job-0", ""},
    {{ONE("job-0-workers-0", "w1"), OF_OTHER_SET, OF_OTHER_REPLICA},
     NULL,
     "GANG815 metadata.name: the base PodGang job-0 is not among the inputs"},
    {{NAMED("job-0", "'a': 'b'", "'podgroups': []")},
     NULL,
     "GANG816 metadata.labels: PodGang ml/job-0 is missing required "
     "label "
     "\"grove.io/podcliqueset-replica-index\""},
};

START_TEST(base_is_found)
{
    struct crew crew;
    struct arena *arena = arena_new(0);
    const struct gang_podgang *base;
    struct report report;

    crew_open(&crew, bases[_i].podgangs);
    report_init(&report, arena, &standard_limits);
    base = aggregate_base(&crew.job, &report);
    ck_assert_pstr_eq(gang_document_get_name(document_of(base)), bases[_i].base);
    check_findings(&report, bases[_i].finding);
    arena_free(arena);
    crew_close(&crew);
}
END_TEST

/* A constraint of a scaled PodGang is on its branch unless it equals the root's. */
START_TEST(topology_of_branches)
{
    static const char *const texts[AGGREGATE_MOST] = {
        NAMED("job-0", REPLICA,
              "'topologyConstraint': {'packConstraint': {'required': 'zone'}}, 'podgroups': []"),
        NAMED("job-0-workers-0", SCALED,
              "'topologyConstraint': {'packConstraint': {'required': 'rack'}}, 'podgroups': []"),
        NAMED("job-0-workers-1", SCALED,
              "'topologyConstraint': {'packConstraint': {'required': 'zone'}}, 'podgroups': []"),
    };
    struct aggregate_run run = run_aggregate(texts);

    ck_slice_eq(run.wishes.placement.required, "zone");
    ck_assert_uint_eq(run.wishes.num_groups, 4);
    ck_assert(!run.wishes.groups[0].placement.is_set);
    ck_slice_eq(run.wishes.groups[2].placement.required, "rack");
    ck_assert(!run.wishes.groups[3].placement.is_set);
    end_aggregate(&run);
}
END_TEST

#define PLACED(name, labels, annotations, constraint)                                              \
    "{'apiVersion': 'scheduler.grove.io/v1alpha1', 'kind': 'PodGang', 'metadata': {'name': '" name \
    "', 'namespace': 'ml', 'labels': {" labels "}, 'annotations': {" annotations "}" OWNED_BY_JOB  \
    "}, 'spec': {'topologyConstraint': {'packConstraint': {" constraint "}}, 'podgroups': []}}"
#define TOPOLOGY_IS(name) "'grove.io/topology-name': '" name "'"

/* Which constraint of a scaled PodGang is the root's: the one that is the same in every part. */
static const struct {
    const char *scaled;
    bool is_own;
    const char *findings;
} placed[] = {
    {PLACED("job-0-w-0", SCALED, TOPOLOGY_IS("t"), "'required': 'zone', 'preferred': 'rack'"),
     false, ""},
    {PLACED("job-0-w-0", SCALED, TOPOLOGY_IS("t"), "'required': 'rack', 'preferred': 'rack'"), true,
     ""},
    {PLACED("job-0-w-0", SCALED, TOPOLOGY_IS("t"), "'required': 'zone', 'preferred': 'host'"), true,
     ""},
    {PLACED("job-0-w-0", SCALED, TOPOLOGY_IS("other"), "'required': 'zone', 'preferred': 'rack'"),
     true, "GANG817 : PodGang ml/job-0-w-0 has the topology \"other\", the base PodGang \"t\""},
    {NAMED("job-0-w-0", SCALED, "'podgroups': []"), false,
     "GANG817 : PodGang ml/job-0-w-0 has the topology \"\", the base PodGang \"t\""},
};

START_TEST(topology_constraint_of_the_root)
{
    const char *const texts[AGGREGATE_MOST] = {
        PLACED("job-0", REPLICA, TOPOLOGY_IS("t"), "'required': 'zone', 'preferred': 'rack'"),
        placed[_i].scaled};
    struct aggregate_run run = run_aggregate(texts);

    check_findings(&run.report, placed[_i].findings);
    ck_assert_uint_eq(run.wishes.num_groups, 3);
    ck_assert_int_eq(run.wishes.groups[2].placement.is_set, placed[_i].is_own);
    end_aggregate(&run);
}
END_TEST

/* ---- kai name ---- */

/*
 * The first four were seen with the upstream function, the others follow from its rule with the
 * hash of coreutils' sha256sum.
 */
static const struct {
    const char *name;
    const char *stable;
} names[] = {
    {"job.v1-0", "job-v1-0-5b01e80703"},
    {"Job-0", "job-0-11670a19b2"},
    {"a--b", "a-b-90827a2e56"},
    {"___", "kai-bda251550b"},
    {"job-0", "job-0"},
    {"0", "0"},
    {"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
     "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"},
    {"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
     "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa-ffe054fe7a"},
    {"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa-bbbbbbbbbbbbbbbbbbbb",
     "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa-c6901826cb"},
    {"a{b", "a-b-acef99516b"},
    {"a:b", "a-b-6783a31eab"},
    {"-a", "a-c274891790"},
    {"a-", "a-9baf440720"},
    {"a.", "a-5ab640fad5"},
    {"", "kai-e3b0c44298"},
    {"\xc3\xa4"
     "b",
     "b-72d5766a14"},
};

START_TEST(names_are_stable)
{
    struct arena *arena = arena_new(0);

    ck_slice_eq(aggregate_stable_name(slice_from_text(names[_i].name), arena), names[_i].stable);
    arena_free(arena);
}
END_TEST

void
add_tests(TCase *cases)
{
    add_rows(cases, one_gang_for_a_replica, aggregates, groups, podgangs[0], podgangs[1]);
    add_rows(cases, base_is_found, bases, base, podgangs[0], podgangs[1]);
    tcase_add_test(cases, topology_of_branches);
    add_rows(cases, topology_constraint_of_the_root, placed, scaled);
    add_rows(cases, names_are_stable, names, name);
}
