/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/grove/grove.h"

#include "unit/grove_documents.h"

/* ---- scheduler ---- */

/* ai-dynamo/grove:operator/api/config/v1alpha1/types.go@fcc3b3bb SupportedSchedulerNames, in its
 * order. */
static const struct {
    const char *name;
    const char *type; /* NULL: it has no gangs */
    bool has_queue;
} schedulers[] = {
    {"kai-scheduler", "KAI", true},
    {"default-scheduler", NULL, false},
    {"volcano", "Volcano", true},
    {"lpx-scheduler", NULL, false},
};

START_TEST(grove_has_four_schedulers)
{
    const struct grove_scheduler *scheduler =
        grove_scheduler_named(slice_from_text(schedulers[_i].name));

    ck_assert_ptr_nonnull(scheduler);
    ck_assert_ptr_eq(scheduler, grove_scheduler_at((size_t)_i));
    ck_assert_ptr_null(grove_scheduler_at(ITEMS_OF(schedulers)));
    ck_assert_int_eq(scheduler->grove->queue_rule != GROVE_QUEUE_NONE, schedulers[_i].has_queue);
    if (schedulers[_i].type) {
        ck_slice_eq(scheduler->descriptor->type, schedulers[_i].type);
        ck_assert_ptr_eq(grove_scheduler_of(scheduler->descriptor), scheduler);
    } else {
        ck_assert_ptr_null(scheduler->descriptor);
    }
}
END_TEST

START_TEST(grove_drives_no_others)
{
    ck_assert_ptr_null(grove_scheduler_of(&coscheduling_descriptor));
    ck_assert_ptr_null(grove_scheduler_of(&workload_descriptor));
}
END_TEST

/* Nothing is trimmed, nothing folded. */
static const char *const strangers[] = {"",        " ",   "   ", "kai-scheduler ", "KAI-scheduler",
                                        "unknown", "kube"};

START_TEST(other_schedulers_are_unknown)
{
    ck_assert_ptr_null(grove_scheduler_named(slice_from_text(strangers[_i])));
}
END_TEST

#define CONSTRAINT ", 'topologyConstraint': {'pack': {'required': 'rack'}}"
#define LPX                                                                                        \
    "Forbidden: lpx-scheduler does not support Grove topology constraints; placement topology "    \
    "must be "                                                                                     \
    "expressed through the LPX workload contract"
#define KUBE "topologyConstraint is lost: Grove does not pass it to default-scheduler"

static const char constrained_set[] = SET_TEXT(
    "",
    "'cliques': [" CLIQUE_TEXT("a", CONSTRAINT) "], 'podCliqueScalingGroups': [{'name': 'sg', "
                                                "'cliqueNames': ['a']" CONSTRAINT "}]" CONSTRAINT);

static const char *const topology_findings[] = {
    "",
    "GANG038 spec.template.topologyConstraint: " KUBE "\n"
    "GANG038 spec.template.cliques[0].topologyConstraint: " KUBE "\n"
    "GANG038 spec.template.podCliqueScalingGroups[0].topologyConstraint: " KUBE,
    "GANG810 spec.template.topologyConstraint: Forbidden: volcano scheduler backend does not "
    "support "
    "topologyConstraint on "
    "PodCliqueSet\n"
    "GANG810 spec.template.cliques[0].topologyConstraint: Forbidden: volcano scheduler backend "
    "does not "
    "support "
    "topologyConstraint on PodClique \"a\"\n"
    "GANG810 spec.template.podCliqueScalingGroups[0].topologyConstraint: Forbidden: volcano "
    "scheduler "
    "backend "
    "does not "
    "support topologyConstraint on PodCliqueScalingGroup \"sg\"",
    "GANG810 spec.template.topologyConstraint: " LPX "\n"
    "GANG810 spec.template.cliques[0].topologyConstraint: " LPX "\n"
    "GANG810 spec.template.podCliqueScalingGroups[0].topologyConstraint: " LPX,
};

START_TEST(topology_is_for_kai_alone)
{
    struct grove_documents documents = grove_documents(NULL, constrained_set);

    grove_scheduler_check_topology(grove_scheduler_at((size_t)_i), documents.podcliqueset,
                                   &documents.report);
    check_findings(&documents.report, topology_findings[_i]);
    grove_documents_free(&documents);
}
END_TEST

START_TEST(without_topology_nothing_is_reported)
{
    struct grove_documents documents = grove_documents(
        NULL, SET_TEXT("", "'cliques': [" CLIQUE_TEXT(
                               "a", "") "], 'podCliqueScalingGroups': [{'name': 'sg', "
                                        "'cliqueNames': ['a']}]"));

    grove_scheduler_check_topology(grove_scheduler_at((size_t)_i), documents.podcliqueset,
                                   &documents.report);
    check_findings(&documents.report, "");
    grove_documents_free(&documents);
}
END_TEST

/* ---- queue ---- */

#define KAI_LABEL(queue) ", 'labels': {'kai.scheduler/queue': '" queue "'}"
#define KAI_ANNOTATION(queue) ", 'annotations': {'kai.scheduler/queue': '" queue "'}"
#define KAI_LABEL_EMPTY ", 'labels': {'kai.scheduler/queue': \"\"}"
#define ANNOTATION_EMPTY ", 'annotations': {'scheduling.grove.io/volcano-queue': \"\"}"
#define ANNOTATION(queue) ", 'annotations': {'scheduling.grove.io/volcano-queue': '" queue "'}"
#define TWO(first, second)                                                                         \
    "'cliques': [" CLIQUE_TEXT("a", first) ", " CLIQUE_TEXT("worker", second) "]"

/*
 * ai-dynamo/grove:operator/internal/scheduler/kai/backend_test.go@fcc3b3bb, the cases of its queue
 * by name. Its sync fails as its validation does; a PodGang without an owner, and one whose
 * PodCliqueSet is absent, are in test_grove_gang.c.
 */
static const struct {
    const char *name;
    const char *set;
    const char *queue; /* NULL: none */
    const char *findings;
} kai_cases[] = {
    {"Validate: matching",
     SET_TEXT(KAI_LABEL("team-a"), TWO(KAI_LABEL("team-a"), KAI_LABEL("team-a"))), "team-a", ""},
    {"Validate: PCS only", SET_TEXT(KAI_LABEL("team-a"), TWO("", KAI_LABEL_EMPTY)), "team-a", ""},
    {"Validate: template only", SET_TEXT("", TWO("", KAI_LABEL("team-a"))), "team-a", ""},
    {"UsesUniquePodCliqueTemplateQueue",
     SET_TEXT("", TWO(KAI_LABEL("team-a"), KAI_LABEL("team-a"))), "team-a", ""},
    {"Validate: labels over annotations",
     SET_TEXT(KAI_LABEL("team-a") KAI_ANNOTATION("team-b"), TWO("", "")), "team-a", ""},
    {"Validate: annotation fallback",
     SET_TEXT(KAI_ANNOTATION("team-a"), TWO("", KAI_ANNOTATION("team-a"))), "team-a", ""},
    {"empty label falls back", SET_TEXT(KAI_LABEL_EMPTY KAI_ANNOTATION("team-a"), TWO("", "")),
     "team-a", ""},
    {"Validate: PCS vs template; Sync: conflict",
     SET_TEXT(KAI_LABEL("team-a"), TWO("", KAI_LABEL("team-b"))), NULL,
     "GANG807 spec.template.cliques[1].labels[kai.scheduler/queue]: KAI queue on PodCliqueSet "
     "ml/job is "
     "\"team-a\" but "
     "PodClique template \"worker\" resolves to \"team-b\""},
    {"PCS vs both templates", SET_TEXT(KAI_LABEL("q"), TWO(KAI_LABEL("r"), KAI_ANNOTATION("s"))),
     NULL,
     "GANG807 spec.template.cliques[0].labels[kai.scheduler/queue]: KAI queue on PodCliqueSet "
     "ml/job is "
     "\"q\" "
     "but "
     "PodClique template \"a\" resolves to \"r\"\n"
     "GANG807 spec.template.cliques[1].annotations[kai.scheduler/queue]: KAI queue on PodCliqueSet "
     "ml/job is "
     "\"q\" but "
     "PodClique template \"worker\" resolves to \"s\""},
    {"Validate: templates differ", SET_TEXT("", TWO(KAI_LABEL("team-b"), KAI_LABEL("team-a"))),
     NULL,
     "GANG807 spec.template.cliques[0].labels[kai.scheduler/queue]: conflicting KAI queues on "
     "PodCliqueSet "
     "ml/job "
     "PodClique templates: [team-a team-b]"},
    {"Validate: none; Sync: no queue", SET_TEXT("", TWO("", "")), NULL,
     "GANG806 metadata.labels: no KAI queue is configured on PodCliqueSet ml/job or its "
     "PodClique "
     "templates"},
};

START_TEST(kai_uses_the_queue_of_the_podcliqueset)
{
    struct grove_documents documents = grove_documents(
        PODGANG_TEXT(OWNED_BY_JOB KAI_LABEL("of-podgang"), "'podgroups': []"), kai_cases[_i].set);
    struct grove_job job = grove_documents_job(&documents);
    struct grove_queue queue = grove_queue_read(grove_scheduler_of(&kai_descriptor), &job,
                                                GROVE_QUEUE_NEEDED, &documents.report);

    check_findings(&documents.report, kai_cases[_i].findings);
    ck_assert_int_eq(slice_is_set(queue.name), kai_cases[_i].queue != NULL);
    if (kai_cases[_i].queue) {
        ck_slice_eq(queue.name, kai_cases[_i].queue);
        ck_assert_ptr_nonnull(queue.source);
    }
    grove_documents_free(&documents);
}
END_TEST

START_TEST(kai_has_no_queue_without_the_set)
{
    struct grove_documents documents = grove_documents(
        PODGANG_TEXT(OWNED_BY_JOB KAI_LABEL("of-podgang"), "'podgroups': []"), NULL);
    struct grove_job job = grove_documents_job(&documents);

    ck_assert(!slice_is_set(grove_queue_read(grove_scheduler_of(&kai_descriptor), &job,
                                             GROVE_QUEUE_NEEDED, &documents.report)
                                .name));
    ck_assert_uint_eq(documents.report.errors, 1);
    grove_documents_free(&documents);
}
END_TEST

/* What somebody else names need not be here; what is here must be right all the same. */
static const struct {
    enum grove_queue_need need;
    const char *set; /* NULL: not passed in */
    const char *queue;
    size_t errors;
} kai_needs[] = {
    {GROVE_QUEUE_NEEDED, SET_TEXT("", TWO("", "")), NULL, 1},
    {GROVE_QUEUE_OPTIONAL, SET_TEXT("", TWO("", "")), NULL, 0},
    {GROVE_QUEUE_IGNORED, SET_TEXT("", TWO("", "")), NULL, 0},
    {GROVE_QUEUE_OPTIONAL, SET_TEXT(KAI_LABEL("q"), TWO("", "")), "q", 0},
    {GROVE_QUEUE_IGNORED, SET_TEXT(KAI_LABEL("q"), TWO("", "")), "q", 0},
    {GROVE_QUEUE_OPTIONAL, SET_TEXT("", TWO(KAI_LABEL("a"), KAI_LABEL("b"))), NULL, 1},
    {GROVE_QUEUE_IGNORED, SET_TEXT("", TWO(KAI_LABEL("a"), KAI_LABEL("b"))), NULL, 1},
    {GROVE_QUEUE_OPTIONAL, NULL, NULL, 1},
    {GROVE_QUEUE_IGNORED, NULL, NULL, 0},
};

START_TEST(kai_needs_a_queue)
{
    struct grove_documents documents =
        grove_documents(PODGANG_TEXT(OWNED_BY_JOB, "'podgroups': []"), kai_needs[_i].set);
    struct grove_job job = grove_documents_job(&documents);
    struct grove_queue queue = grove_queue_read(grove_scheduler_of(&kai_descriptor), &job,
                                                kai_needs[_i].need, &documents.report);

    ck_assert_uint_eq(documents.report.errors, kai_needs[_i].errors);
    ck_assert_int_eq(slice_is_set(queue.name), kai_needs[_i].queue != NULL);
    if (kai_needs[_i].queue)
        ck_slice_eq(queue.name, kai_needs[_i].queue);
    grove_documents_free(&documents);
}
END_TEST

#define NOT_A_SUBDOMAIN                                                                            \
    "Invalid value: \"Invalid_Queue\": a lowercase RFC 1123 subdomain must consist of lower case " \
    "alphanumeric "                                                                                \
    "characters, '-' or '.', and must start and end with an alphanumeric character (e.g. "         \
    "'example.com', "                                                                              \
    "regex used for validation is "                                                                \
    "'[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')"
#define SAME_QUEUE                                                                                 \
    "all PodCliques in a PodCliqueSet using volcano scheduler must resolve to the same queue"

/*
 * ai-dynamo/grove:operator/internal/scheduler/volcano/{backend,queue}_test.go@fcc3b3bb, its tables
 * by name: TestResolvePodCliqueQueue and what is validated of a PodCliqueSet. A missing queue is in
 * test_resolve.c; whether a queue is Open is in no document here.
 */
static const struct {
    const char *name;
    const char *set;
    const char *queue; /* on which all agree; NULL: none, or they differ */
    const char *findings;
} volcano_cases[] = {
    {"resolve: global only; validate: PCS queue open", SET_TEXT(ANNOTATION("gpu"), TWO("", "")),
     "gpu", ""},
    {"resolve: both same; validate: repeated",
     SET_TEXT(ANNOTATION("gpu"), TWO(ANNOTATION("gpu"), ANNOTATION("gpu"))), "gpu", ""},
    {"trimmed", SET_TEXT(ANNOTATION("  gpu\\t"), TWO(ANNOTATION("gpu "), "")), "gpu", ""},
    {"resolve: clique only", SET_TEXT("", TWO(ANNOTATION("gpu"), ANNOTATION("gpu"))), "gpu", ""},
    {"resolve: both unset defaults to default; validate: none and default open",
     SET_TEXT("", TWO("", "")), "default", ""},
    {"blank", SET_TEXT(ANNOTATION("   "), TWO(ANNOTATION_EMPTY, "")), "default", ""},
    {"default is as none", SET_TEXT("", TWO(ANNOTATION("default"), "")), "default", ""},
    {"resolve: conflict; validate: conflict", SET_TEXT(ANNOTATION("a"), TWO("", ANNOTATION("b"))),
     NULL,
     "GANG807 spec.template.cliques[1].annotations[scheduling.grove.io/volcano-queue]: conflicting "
     "volcano "
     "queue "
     "annotations: PodCliqueSet has \"a\", PodClique has \"b\""},
    {"validate: cliques differ", SET_TEXT("", TWO(ANNOTATION("a"), ANNOTATION("b"))), NULL,
     "GANG807 "
     "spec.template.cliques[1].annotations[scheduling.grove.io/volcano-queue]: " SAME_QUEUE},
    {"clique against unset", SET_TEXT("", TWO(ANNOTATION("a"), "")), NULL,
     "GANG807 spec.template.cliques[1]: " SAME_QUEUE},
    {"validate: Invalid_Queue", SET_TEXT(ANNOTATION("Invalid_Queue"), TWO("", ANNOTATION("b"))),
     NULL, "GANG411 metadata.annotations[scheduling.grove.io/volcano-queue]: " NOT_A_SUBDOMAIN},
    {"invalid clique", SET_TEXT(ANNOTATION("gpu"), TWO(ANNOTATION("Invalid_Queue"), "")), NULL,
     "GANG411 "
     "spec.template.cliques[0].annotations[scheduling.grove.io/volcano-queue]: " NOT_A_SUBDOMAIN
     "\n"
     "GANG807 spec.template.cliques[0].annotations[scheduling.grove.io/volcano-queue]: conflicting "
     "volcano "
     "queue "
     "annotations: PodCliqueSet has \"gpu\", PodClique has \"Invalid_Queue\""},
};

START_TEST(volcano_queues_must_agree)
{
    struct grove_documents documents = grove_documents(NULL, volcano_cases[_i].set);
    const struct grove_job job = {.podcliqueset = documents.podcliqueset};
    struct grove_queue queue = grove_queue_read(grove_scheduler_of(&volcano_descriptor), &job,
                                                GROVE_QUEUE_NEEDED, &documents.report);

    check_findings(&documents.report, volcano_cases[_i].findings);
    ck_assert_int_eq(slice_is_set(queue.name), volcano_cases[_i].queue != NULL);
    if (volcano_cases[_i].queue)
        ck_slice_eq(queue.name, volcano_cases[_i].queue);
    grove_documents_free(&documents);
}
END_TEST

/*
 * The queue of the PodGang, which mirrors the PodCliqueSet's annotation but not those of cliques;
 * first TestEffectiveQueueFromAnnotations of queue_test.go, then what that leaves open.
 */
static const struct {
    const char *name;
    const char *podgang;
    const char *set; /* NULL: not known */
    const char *queue;
    const char *findings;
} volcano_gangs[] = {
    {"nil", "", NULL, "default", ""},
    {"{}", ", 'annotations': {}", NULL, "default", ""},
    {"empty", ANNOTATION_EMPTY, NULL, "default", ""},
    {"blank", ANNOTATION("   "), NULL, "default", ""},
    {"gpu-training", ANNOTATION("gpu-training"), NULL, "gpu-training", ""},
    {"trimmed", ANNOTATION(" gpu "), NULL, "gpu", ""},
    {"as the set", ANNOTATION("gpu"), SET_TEXT(ANNOTATION("gpu"), TWO("", "")), "gpu", ""},
    {"a clique names the default", "", SET_TEXT("", TWO(ANNOTATION("default"), "")), "default", ""},
    {"cliques alone name one", "", SET_TEXT("", TWO(ANNOTATION("gpu"), ANNOTATION("gpu"))), "gpu",
     "GANG808 spec.template.cliques[0].annotations[scheduling.grove.io/volcano-queue]: Grove "
     "admits the "
     "queue "
     "\"gpu\" and "
     "then uses \"default\": it reads only the annotation of the PodGang"},
    {"the set was changed", ANNOTATION("old"), SET_TEXT(ANNOTATION("new"), TWO("", "")), "old",
     "GANG808 metadata.annotations[scheduling.grove.io/volcano-queue]: the PodGang's queue \"old\" "
     "is used, although its PodCliqueSet names \"new\""},
};

START_TEST(volcano_uses_the_queue_of_the_podgang)
{
    char podgang[DOCUMENT_SIZE];
    struct grove_documents documents;
    struct grove_job job;

    with_change(podgang, PODGANG_TEXT("@", "'podgroups': []"), "@", volcano_gangs[_i].podgang);
    documents = grove_documents(podgang, volcano_gangs[_i].set);
    job = grove_documents_job(&documents);
    ck_slice_eq(grove_queue_read(grove_scheduler_of(&volcano_descriptor), &job, GROVE_QUEUE_NEEDED,
                                 &documents.report)
                    .name,
                volcano_gangs[_i].queue);
    check_findings(&documents.report, volcano_gangs[_i].findings);
    grove_documents_free(&documents);
}
END_TEST

void
add_tests(TCase *cases)
{
    tcase_add_test(cases, grove_drives_no_others);
    add_rows(cases, grove_has_four_schedulers, schedulers, name, type);
    add_items(cases, other_schedulers_are_unknown, strangers);
    add_items(cases, topology_is_for_kai_alone, topology_findings);
    add_items(cases, without_topology_nothing_is_reported, topology_findings);
    add_rows(cases, kai_uses_the_queue_of_the_podcliqueset, kai_cases, name, set);
    tcase_add_test(cases, kai_has_no_queue_without_the_set);
    add_rows(cases, kai_needs_a_queue, kai_needs, need, set);
    add_rows(cases, volcano_queues_must_agree, volcano_cases, name, set);
    add_rows(cases, volcano_uses_the_queue_of_the_podgang, volcano_gangs, name, podgang, set);
}
