/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/jobs/gang_job.h"

#include "unit/job_roles.h"
#include "unit/jobs.h"
#include "unit/tree.h"

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

#define STAGE_ROLE(name, count, more) JOB_ROLE(name, ",'requests':{},'count':" count more)
#define STAGE_AFTER(role, status) ",'dependsOn':[{'role':'" role "','status':'" status "'}]"
#define STAGE_NEXT(name, count, before) STAGE_ROLE(name, count, STAGE_AFTER(before, "Complete"))

/* Each gang as `name:member`, the role that fixes its stage; `-` for a job as it is written. */
static const struct {
    const char *text;
    const char *gangs;
} splits[] = {
    {GANG_JOB(JOB_ROLES(STAGE_ROLE("a", "4", ""))), "job:-"},
    {GANG_JOB(
         JOB_ROLES(STAGE_ROLE("a", "4", "") "," STAGE_ROLE("b", "1", STAGE_AFTER("a", "Ready")))),
     "job:-"},
    /* prepare, train, export: stages that never run together */
    {GANG_JOB(JOB_ROLES(STAGE_ROLE("prepare", "2", "") "," STAGE_NEXT(
         "train", "8", "prepare") "," STAGE_NEXT("export", "4", "train"))),
     "job:prepare job-s1:train job-s2:export"},
    /* a stage of one pod needs no gang */
    {GANG_JOB(JOB_ROLES(STAGE_ROLE("prepare", "1", "") "," STAGE_NEXT(
         "train", "8", "prepare") "," STAGE_NEXT("export", "1", "train"))),
     "job:train"},
    {GANG_JOB(JOB_ROLES(STAGE_ROLE("a", "1", "") "," STAGE_NEXT("b", "1", "a"))), "job:-"},
    /* pods of one stage count together */
    {GANG_JOB(JOB_ROLES(
         STAGE_ROLE("a", "1", "") "," STAGE_ROLE("b", "1", "") "," STAGE_NEXT("c", "3", "a"))),
     "job:a job-s1:c"},
    /* a Ready edge stays within a stage, which its role can raise */
    {GANG_JOB(JOB_ROLES(STAGE_ROLE("c", "2", STAGE_AFTER("b", "Ready")) "," STAGE_NEXT(
         "b", "2", "a") "," STAGE_ROLE("a", "2", ""))),
     "job:a job-s1:c"},
    /* a role that is a Member says which stage is the gang */
    {GANG_JOB(
         JOB_ROLES(STAGE_ROLE("a", "4", ",'membership':'Member'") "," STAGE_NEXT("b", "4", "a"))),
     "job:a"},
    {GANG_JOB(
         JOB_ROLES(STAGE_ROLE("a", "4", ",'membership':'Outside'") "," STAGE_NEXT("b", "4", "a"))),
     "job:b"},
    /* an edge to a role without pods holds at once */
    {GANG_JOB(JOB_ROLES(STAGE_ROLE("a", "0", "") "," STAGE_NEXT("b", "4", "a"))), "job:b"},
    /* a role without pods fixes no stage */
    {GANG_JOB(JOB_ROLES(
         STAGE_ROLE("a", "0", "") "," STAGE_ROLE("b", "2", "") "," STAGE_NEXT("c", "4", "b"))),
     "job:b job-s1:c"},
    {GANG_JOB(JOB_ROLES(STAGE_NEXT("b", "4", "a")) ",'groupName':'g'"), "g:b"},
    {GANG_JOB(JOB_ROLES(STAGE_ROLE("a", "2", "") "," STAGE_NEXT("b", "4", "a")) ",'groupName':'g'"),
     "g:a g-s1:b"},
    /* roles that wait for each other have no stages */
    {GANG_JOB(JOB_ROLES(STAGE_NEXT("a", "2", "b") "," STAGE_NEXT("b", "4", "a"))), "job:-"},
    /* an edge to a later role, and one to no role */
    {GANG_JOB(JOB_ROLES(
         STAGE_NEXT("c", "2", "b") "," STAGE_NEXT("b", "2", "a") "," STAGE_NEXT("a", "2", "none"))),
     "job:a job-s1:b job-s2:c"},
};

/* A pod has one mark, so one plan marks it: the first one those of roles that are in no gang. */
static const struct {
    const char *membership;
    bool is_elsewhere[2]; /* for each gang */
} outside[] = {
    {"Outside", {false, true}},
    {"Elsewhere", {true, true}},
};

START_TEST(a_role_outside_is_marked_by_the_first_gang_alone)
{
    const char *const edges[] = {"", STAGE_AFTER("a", "Complete")};
    char text[DOCUMENT_SIZE];

    for (size_t i = 0; i < COUNT_OF(edges); i++)
        for (uint64_t gang = 0; gang < 2; gang++) {
            struct arena *arena = arena_new(0);
            struct report report;
            struct job_case opened;

            report_init(&report, arena, &standard_limits);
            snprintf(text, sizeof(text),
                     GANG_JOB(JOB_ROLES(STAGE_ROLE("a", "2", "") "," STAGE_NEXT(
                         "b", "4", "a") "," STAGE_ROLE("c", "2", ",'membership':'%s'%s"))),
                     outside[_i].membership, edges[i]);
            job_open_good(&opened, text);
            ck_assert_int_eq(job_document_gang(opened.typed, gang, &report)->roles[2].elsewhere,
                             outside[_i].is_elsewhere[gang]);
            job_close(&opened);
            arena_free(arena);
        }
}
END_TEST

/* The gang that marks the pods of a role is one of the job's. */
START_TEST(a_role_of_another_gang_is_elsewhere)
{
    struct arena *arena = arena_new(0);
    struct report report;
    struct job_case opened;
    const struct gang_wishes *job;

    report_init(&report, arena, &standard_limits);
    job_open_good(&opened, GANG_JOB(JOB_ROLES(STAGE_ROLE("a", "2", "") "," STAGE_NEXT(
                               "b", "4", "a") "," STAGE_NEXT("c", "1", "b"))));
    ck_assert(!opened.job->roles[0].elsewhere);
    ck_assert(opened.job->roles[1].elsewhere);
    ck_assert(!opened.job->roles[2].elsewhere); /* one pod: of no gang */
    job = job_document_gang(opened.typed, 1, &report);
    ck_assert(job->roles[0].elsewhere);
    ck_assert(!job->roles[1].elsewhere);
    job_close(&opened);
    arena_free(arena);
}
END_TEST

static const char *
member_of(const struct gang_wishes *job)
{
    for (size_t i = 0; i < job->num_roles; i++)
        if (job->roles[i].wish == WISH_MEMBER)
            return job->roles[i].name.data;
    return "-";
}

START_TEST(each_stage_of_several_pods_is_a_gang)
{
    struct arena *arena = arena_new(0);
    struct report report;
    struct job_case opened;
    char found[512] = "";
    size_t len = 0;

    report_init(&report, arena, &standard_limits);
    job_open_good(&opened, splits[_i].text);
    for (uint64_t i = 0; i < gang_document_num_gangs(opened.document); i++) {
        const struct gang_wishes *job = job_document_gang(opened.typed, i, &report);
        const struct slice name = slice_is_set(job->name) ? job->name : job->owner.name;

        len += (size_t)snprintf(found + len, sizeof(found) - len, "%s%.*s:%s", i ? " " : "",
                                SLICE_ARG(name), member_of(job));
    }
    ck_assert_str_eq(found, splits[_i].gangs);
    ck_assert_uint_eq(report.count, 0);
    job_close(&opened);
    arena_free(arena);
}
END_TEST

/* A cycle is reported when the job is resolved; here it must only end. */
START_TEST(a_cycle_has_no_stages)
{
    struct job_case opened;

    job_open_good(&opened,
                  GANG_JOB(JOB_ROLES(STAGE_NEXT("a", "2", "b") "," STAGE_NEXT("b", "2", "a"))));
    ck_assert_uint_ge(gang_document_num_gangs(opened.document), 1);
    job_close(&opened);
}
END_TEST

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
    gang_job_count_requests_only(&made.wishes, &made.report);
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
    const struct pod_admission admission = {
        .limit_ranges = &range, .num_limit_ranges = 1, .knows_runtime_classes = true};

    wishes_open(
        &made, GANG_JOB(JOB_ROLES(
                   JOB_ROLE("a", ",'template':{'spec':{'containers':[{'name':'c'}]}}") "," JOB_ROLE(
                       "b", ",'requests':{}"))));
    source = tree_of(made.arena, "{\"namespace\":\"ml\",\"name\":\"r\",\"limits\":[{\"type\":"
                                 "\"Container\",\"defaultRequest\":{\"cpu\":\"2\"}}]}");
    range = limit_range_read(source, &made.report);
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
    const struct pod_admission admission = {.knows_runtime_classes = true};
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
    ck_assert_ptr_eq(chain->set.labels, made.opened.job->meta->labels);
    ck_assert_ptr_null(chain->job.labels);
    wishes_close(&made);
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
    add_rows(cases, each_stage_of_several_pods_is_a_gang, splits, text);
    tcase_add_test(cases, a_role_of_another_gang_is_elsewhere);
    add_rows(cases, a_role_outside_is_marked_by_the_first_gang_alone, outside, membership);
    tcase_add_test(cases, a_cycle_has_no_stages);
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
