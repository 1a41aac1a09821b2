/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/grove/scheduler.h"

#include "unit/grove_documents.h"

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
    ck_assert_ptr_null(grove_scheduler_at(COUNT_OF(schedulers)));
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

START_TEST(others_are_not_known)
{
    ck_assert_ptr_null(grove_scheduler_named(slice_from_text(strangers[_i])));
}
END_TEST

#define CONSTRAINT ", 'topologyConstraint': {'pack': {'required': 'rack'}}"
#define LPX                                                                                        \
    "Forbidden: lpx-scheduler does not support Grove topology constraints; placement topology "    \
    "must be "                                                                                     \
    "expressed through the LPX workload contract"
#define KUBE "topologyConstraint is lost: default-scheduler gets nothing of it"

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

START_TEST(without_topology_nothing_is_said)
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

void
add_tests(TCase *cases)
{
    tcase_add_test(cases, grove_drives_no_others);
    add_rows(cases, grove_has_four_schedulers, schedulers, name, type);
    add_items(cases, others_are_not_known, strangers);
    add_items(cases, topology_is_for_kai_alone, topology_findings);
    add_items(cases, without_topology_nothing_is_said, topology_findings);
}
