/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/jobs/gang_job.h"

#include "unit/job_roles.h"

#define POD_WITH(containers) ",'template':{'spec':{'containers':[" containers "]}}"

static const struct {
    const char *role;      /* members of the role */
    const char *effective; /* resource_list_in_words() */
    const char *requests_only;
} sums[] = {
    {GANG_JOB(JOB_ROLES(JOB_ROLE("a", ",'requests':{'cpu':'1500m'}"))), "cpu 1500m", "cpu 1500m"},
    {GANG_JOB(JOB_ROLES(
         JOB_ROLE("a", ",'requests':{'cpu':2},'extraRequests':{'cpu':'500m','memory':'1Gi'}"))),
     "cpu 2500m, memory 1Gi", "cpu 2500m, memory 1Gi"},
    {GANG_JOB(JOB_ROLES(JOB_ROLE("a", ",'extraRequests':{'cpu':'500m'}"))), "cpu 500m", "cpu 500m"},
    /* a limit is the request of a resource that has none */
    {GANG_JOB(JOB_ROLES(JOB_ROLE(
         "a", POD_WITH("{'name':'c','resources':{'requests':{'cpu':1},'limits':{'gpu':2}}}")))),
     "cpu 1, gpu 2", "cpu 1"},
    {GANG_JOB(JOB_ROLES(JOB_ROLE(
         "a", POD_WITH("{'name':'c','resources':{'requests':{'cpu':1}}},"
                       "{'name':'d','resources':{'requests':{'cpu':2}}}") ",'extraRequests':{"
                                                                          "'cpu':'1'}"))),
     "cpu 4", "cpu 4"},
};

START_TEST(a_pod_requests_what_its_containers_and_its_operator_do)
{
    struct arena *arena = arena_new(0);
    struct resource_list list = {0};
    struct job_case opened;
    const struct role *role;

    job_open_good(&opened, sums[_i].role);
    role = &opened.job->roles[0];
    ck_assert(gang_job_sum_requests(role, role->resources, POD_REQUESTS_EFFECTIVE, arena, &list));
    ck_assert_str_eq(resource_list_in_words(&list, arena), sums[_i].effective);
    list = (struct resource_list){0};
    ck_assert(gang_job_sum_requests(role, role->resources, POD_REQUESTS_ONLY, arena, &list));
    ck_assert_str_eq(resource_list_in_words(&list, arena), sums[_i].requests_only);
    job_close(&opened);
    arena_free(arena);
}
END_TEST

static const struct job_verdict verdicts[] = {
    {GANG_JOB(JOB_ROLES(JOB_ROLE("a", ",'requests':{'cpu':'x'}"))), true,
     "QuantitySyntax spec.roles[0].requests[cpu]"},
    {GANG_JOB(JOB_ROLES(JOB_ROLE("a", ",'extraRequests':{'cpu':'-1'}"))), false,
     "QuantityNegative spec.roles[0].extraRequests.cpu, RoleRequestsUnknown spec.roles[0]"},
    {GANG_JOB(JOB_ROLES(
         JOB_ROLE("a", ",'template':{'metadata':{'labels':{'a':'!'}},'spec':{'containers':[]}}"))),
     true, "InvalidLabelValue spec.roles[0].template.metadata.labels[a]"},
};

START_TEST(containers_are_limited)
{
    static const size_t counts[] = {256, 257};
    char containers[DOCUMENT_SIZE / 2] = "";
    char job[DOCUMENT_SIZE];
    char found[DOCUMENT_SIZE];
    struct job_case opened;

    for (size_t i = 0; i < counts[_i]; i++)
        job_roles_add(containers, sizeof(containers), "%s{'name':'c%zu'}", i ? "," : "", i);
    snprintf(job, sizeof(job), GANG_JOB(JOB_ROLES(JOB_ROLE("a", POD_WITH("%s")))), containers);
    job_open(&opened, job);
    ck_assert_str_eq(job_case_findings(&opened, found, sizeof(found)),
                     _i ? "LimitContainers spec.roles[0].template.spec.containers" : "");
    job_close(&opened);
}
END_TEST

START_TEST(findings_in_templates_and_amounts)
{
    job_check_verdict(&verdicts[_i]);
}
END_TEST

START_TEST(a_template_names_the_scheduler_and_the_class)
{
    struct job_case opened;

    job_open_good(&opened,
                  GANG_JOB(JOB_ROLES(JOB_ROLE("a", ",'template':{'spec':{'schedulerName':'s',"
                                                   "'priorityClassName':'high'}}"))));
    ck_slice_eq(opened.job->roles[0].scheduler_name, "s");
    ck_slice_eq(opened.job->roles[0].priority_class_name, "high");
    ck_assert_ptr_nonnull(opened.job->roles[0].scheduler_name_source);
    job_close(&opened);
}
END_TEST

START_TEST(requests_are_known_from_a_template_or_amounts)
{
    ck_assert(gang_job_lacks_requests(&(struct role){.count = 1}));
    ck_assert(!gang_job_lacks_requests(&(struct role){.requests_source = &(struct node){0}}));
    ck_assert(!gang_job_lacks_requests(&(struct role){.pod_template = &(struct node){0}}));
}
END_TEST

void
add_tests(TCase *cases)
{
    add_rows(cases, a_pod_requests_what_its_containers_and_its_operator_do, sums, role);
    add_rows(cases, findings_in_templates_and_amounts, verdicts, text);
    tcase_add_loop_test(cases, containers_are_limited, 0, 2);
    tcase_add_test(cases, a_template_names_the_scheduler_and_the_class);
    tcase_add_test(cases, requests_are_known_from_a_template_or_amounts);
}
