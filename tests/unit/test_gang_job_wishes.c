/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/jobs/gang_job.h"

#include "unit/jobs.h"
#include "unit/tree.h"

/* The wishes of a job; what they borrow is in `opened`. */
struct wishes_case {
    struct job_case opened;
    struct arena *arena;
    struct report report;
    struct gang_wishes wishes;
};

static void
wishes_open(struct wishes_case *made, const char *text)
{
    *made = (struct wishes_case){.arena = arena_new(0)};
    job_open_good(&made->opened, text);
    report_init(&made->report, made->arena, &standard_limits);
    gang_job_fill(made->opened.job, &made->wishes, NULL, &made->report);
}

static void
wishes_close(struct wishes_case *made)
{
    job_close(&made->opened);
    arena_free(made->arena);
}

START_TEST(the_owner_is_that_of_the_job)
{
    struct wishes_case made;

    wishes_open(&made, GANG_JOB(JOB_ROLES(JOB_PODS("")) ",'suspend':true,'minimum':1"));
    ck_slice_eq(made.wishes.owner.api_version, "a.io/v1");
    ck_slice_eq(made.wishes.owner.kind, "Job");
    ck_slice_eq(made.wishes.owner.name, "job");
    ck_slice_eq(made.wishes.owner.namespace_, "ml");
    ck_slice_eq(made.wishes.name, "job");
    ck_assert(made.wishes.suspended);
    ck_assert(made.wishes.declares_members);
    ck_assert(!made.wishes.is_of_jobs);
    ck_assert_int_eq(made.wishes.minimum, 1);
    ck_assert_ptr_nonnull(made.wishes.minimum_source);
    wishes_close(&made);
}
END_TEST

START_TEST(a_group_can_have_a_name_of_its_own)
{
    struct wishes_case made;

    wishes_open(&made, GANG_JOB(JOB_ROLES(JOB_PODS("")) ",'groupName':'job-exec'"));
    ck_slice_eq(made.wishes.name, "job-exec");
    ck_slice_eq(made.wishes.owner.name, "job");
    wishes_close(&made);
}
END_TEST

static const struct {
    const char *text; /* members of the role `b` behind the role `a` */
    enum membership_wish wish;
    int64_t count;
    int64_t min_count;
    int64_t first_count;
    int64_t unit;
    bool has_min_count;
    size_t edges;
    enum dependency_status status; /* of the first edge */
} roles[] = {
    {"", WISH_AUTO, 1, 1, 0, 0, false, 0, DEPENDENCY_READY},
    {",'count':4,'minCount':4", WISH_AUTO, 4, 4, 0, 0, false, 0, DEPENDENCY_READY},
    {",'count':4,'minCount':2,'unit':2", WISH_AUTO, 4, 2, 0, 2, true, 0, DEPENDENCY_READY},
    {",'count':4,'firstCount':1", WISH_AUTO, 4, 4, 1, 0, false, 0, DEPENDENCY_READY},
    {",'membership':'Member'", WISH_MEMBER, 1, 1, 0, 0, false, 0, DEPENDENCY_READY},
    {",'membership':'Outside'", WISH_OUTSIDE, 1, 1, 0, 0, false, 0, DEPENDENCY_READY},
    {",'dependsOn':[{'role':'a','status':'Ready'}]", WISH_AUTO, 1, 1, 0, 0, false, 1,
     DEPENDENCY_READY},
    {",'dependsOn':[{'role':'a','status':'Complete'}]", WISH_AUTO, 1, 1, 0, 0, false, 1,
     DEPENDENCY_COMPLETE},
    {",'dependsOn':[{'role':'a','status':'Scheduled'}]", WISH_AUTO, 1, 1, 0, 0, false, 1,
     DEPENDENCY_SCHEDULED},
};

START_TEST(a_role_has_the_fields_of_the_document)
{
    char text[DOCUMENT_SIZE];
    struct wishes_case made;
    const struct role *role;

    snprintf(text, sizeof(text), GANG_JOB(JOB_ROLES(JOB_PODS("") "," JOB_ROLE("b", "%s"))),
             roles[_i].text);
    wishes_open(&made, text);
    ck_assert_uint_eq(made.wishes.num_roles, 2);
    role = &made.wishes.roles[1];
    ck_slice_eq(role->name, "b");
    ck_assert_int_eq(role->wish, roles[_i].wish);
    ck_assert_int_eq(role->count, roles[_i].count);
    ck_assert_int_eq(role->operator_count, roles[_i].count);
    ck_assert_int_eq(role->min_count, roles[_i].min_count);
    ck_assert_int_eq(role->has_min_count, roles[_i].has_min_count);
    ck_assert_int_eq(role->first_count, roles[_i].first_count);
    ck_assert_int_eq(role->unit, roles[_i].unit);
    ck_assert_uint_eq(role->num_dependencies, roles[_i].edges);
    if (roles[_i].edges) {
        ck_assert_int_eq(role->dependencies[0].status, roles[_i].status);
        ck_slice_eq(role->dependencies[0].role, "a");
        ck_assert_ptr_nonnull(role->dependencies[0].source);
    }
    ck_assert(role->lacks_requests);
    ck_assert(!made.wishes.roles[0].lacks_requests);
    wishes_close(&made);
}
END_TEST

static const char templated[] = GANG_JOB(
    JOB_ROLES(JOB_ROLE("a", ",'retries':true,'template':{'metadata':{'labels':{'x':'y'}},'spec':{"
                            "'schedulerName':'s','priorityClassName':'p','containers':[{'name':'c',"
                            "'resources':{'requests':{'cpu':1},'limits':{'gpu':2}}}]}}")));

START_TEST(a_template_gives_the_pods_of_a_role)
{
    struct wishes_case made;
    const struct role *role;

    wishes_open(&made, templated);
    role = &made.wishes.roles[0];
    ck_slice_eq(role->scheduler_name, "s");
    ck_slice_eq(role->priority_class_name, "p");
    ck_assert(role->retries);
    ck_assert_ptr_nonnull(role->pod_spec);
    ck_assert_ptr_nonnull(node_at(role->pod_metadata, "labels.x"));
    ck_assert_str_eq(resource_list_in_words(&role->requests, made.arena), "cpu 1, gpu 2");
    gang_job_count_requests_only(made.opened.job, &made.wishes, &made.report);
    ck_assert_str_eq(resource_list_in_words(&role->requests, made.arena), "cpu 1");
    wishes_close(&made);
}
END_TEST

/* The default requests of a namespace reach a template, and amounts are as the document has them.
 */
START_TEST(admission_sets_defaults_in_a_template)
{
    struct wishes_case made;
    const struct node *source;
    struct limit_range range;
    const struct pod_admission admission = {.knows_limit_ranges = true,
                                            .limit_ranges = &range,
                                            .num_limit_ranges = 1,
                                            .knows_runtime_classes = true};

    wishes_open(
        &made, GANG_JOB(JOB_ROLES(
                   JOB_ROLE("a", ",'template':{'spec':{'containers':[{'name':'c'}]}}") "," JOB_ROLE(
                       "b", ",'requests':{}"))));
    source = tree_of(made.arena, "{\"namespace\":\"ml\",\"name\":\"r\",\"limits\":[{\"type\":"
                                 "\"Container\",\"defaultRequest\":{\"cpu\":\"2\"}}]}");
    range = limit_range_read(source, made.arena, &made.report);
    made.wishes = (struct gang_wishes){.num_roles = 0};
    gang_job_fill(made.opened.job, &made.wishes, &admission, &made.report);
    ck_assert_str_eq(resource_list_in_words(&made.wishes.roles[0].requests, made.arena), "cpu 2");
    ck_assert(made.wishes.roles[0].requests_are_defaults);
    ck_assert_uint_eq(made.wishes.roles[1].requests.count, 0);
    ck_assert(!made.wishes.roles[1].requests_are_defaults);
    wishes_close(&made);
}
END_TEST

#define ADMITTED(containers, members)                                                              \
    GANG_JOB(                                                                                      \
        JOB_ROLES(JOB_ROLE("a", ",'template':{'spec':{'containers':[" containers "]}}" members)))
#define MOST_CPU "{'name':'c','resources':{'requests':{'cpu':'9223372036854775807'}}}"

START_TEST(a_sum_beyond_a_quantity_is_reported)
{
    struct wishes_case made;

    wishes_open(&made, GANG_JOB(JOB_ROLES(JOB_ROLE(
                           "a", ",'requests':{'cpu':'9223372036854775807'},'extraRequests':{'cpu':"
                                "'9223372036854775807'}"))));
    ck_assert_uint_eq(made.report.count, 1);
    ck_assert_int_eq(made.report.items[0].code, GANG_CODE_QUANTITY_OVERFLOW);
    wishes_close(&made);
}
END_TEST

static const struct {
    const char *text;
    size_t findings; /* about the sum of the requests */
} admitted[] = {
    {ADMITTED("", ""), 0},
    {ADMITTED("{'name':'c'}", ""), 0},
    {ADMITTED("{'name':'c','resources':{'requests':{'cpu':1}}}", ""), 0},
    {ADMITTED(MOST_CPU "," MOST_CPU, ""), 1},
    {ADMITTED(MOST_CPU "," MOST_CPU, ",'extraRequests':{'memory':1}"), 1},
};

/* Without a LimitRange there are no defaults. */
START_TEST(requests_of_the_template_are_no_defaults)
{
    const struct pod_admission admission = {.knows_limit_ranges = true,
                                            .knows_runtime_classes = true};
    struct wishes_case made;

    wishes_open(&made, admitted[_i].text);
    made.report.count = 0;
    gang_job_fill(made.opened.job, &made.wishes, &admission, &made.report);
    ck_assert(!made.wishes.roles[0].requests_are_defaults);
    ck_assert_uint_eq(made.report.count, admitted[_i].findings);
    if (admitted[_i].findings)
        ck_assert_int_eq(made.report.items[0].code, GANG_CODE_QUANTITY_OVERFLOW);
    wishes_close(&made);
}
END_TEST

/* Either the arena has failed, or everything is there. */
START_TEST(memory_can_run_out_at_every_allocation)
{
    const size_t step = 16;
    struct job_case opened;
    bool is_enough = false;
    bool is_complete;

    job_open_good(&opened, GANG_JOB(JOB_ROLES(JOB_PODS(",'group':'g'") "," JOB_ROLE(
                               "b", ",'requests':{'cpu':1},'dependsOn':[{'role':'a','status':"
                                    "'Ready'}]")) ",'groups':[{'name':'g'}]"));
    for (size_t limit = step; !is_enough; limit += step) {
        struct arena *arena = arena_new(limit);
        struct gang_wishes wishes = {.num_roles = 0};
        struct report report;

        report_init(&report, arena, &standard_limits);
        gang_job_fill(opened.job, &wishes, NULL, &report);
        is_complete = wishes.num_groups == 3 && wishes.roles[1].num_dependencies == 1;
        ck_assert_int_eq(is_complete, !arena_failed(arena));
        is_enough = gang_job_chain(opened.job, arena) != NULL;
        ck_assert_int_eq(is_enough, !arena_failed(arena));
        arena_free(arena);
    }
    job_close(&opened);
}
END_TEST

START_TEST(the_job_is_the_owner_that_schedulers_read)
{
    struct wishes_case made;
    const struct owner_chain *chain;

    wishes_open(&made,
                "{'apiVersion':'policy.libgang.dev/v1alpha1','kind':'GangJob','metadata':{"
                "'name':'job','labels':{'a':'b'}},'spec':{" JOB_OWNER JOB_ROLES(JOB_PODS("")) "}}");
    chain = gang_job_chain(made.opened.job, made.arena);
    ck_assert(chain->is_foreign);
    ck_assert_ptr_eq(chain->set.labels, made.opened.job->meta.labels);
    ck_assert_ptr_null(chain->job.labels);
    wishes_close(&made);
}
END_TEST

void
add_tests(TCase *cases)
{
    tcase_add_test(cases, the_owner_is_that_of_the_job);
    tcase_add_test(cases, a_group_can_have_a_name_of_its_own);
    add_rows(cases, a_role_has_the_fields_of_the_document, roles, text);
    tcase_add_test(cases, a_template_gives_the_pods_of_a_role);
    tcase_add_test(cases, admission_sets_defaults_in_a_template);
    tcase_add_test(cases, a_sum_beyond_a_quantity_is_reported);
    add_rows(cases, requests_of_the_template_are_no_defaults, admitted, text);
    tcase_add_test(cases, memory_can_run_out_at_every_allocation);
    tcase_add_test(cases, the_job_is_the_owner_that_schedulers_read);
}
