/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/jobs/added_containers.h"

#include "unit/jobs.h"

/* A pod template, containers that are added to it, and by how much it needs more. */
struct added_case {
    const char *spec;
    struct {
        bool is_init;
        const char *cpu; /* NULL: not added */
        const char *memory;
    } added[2];
    const char *expected;
};

#define ADDED_POD(containers) "'containers':[" containers "]"
#define ADDED_WITH(amounts) "{'name':'a','resources':{'requests':{" amounts "}}}"
#define ADDED_ONE(amounts) ADDED_POD(ADDED_WITH(amounts))
#define ADDED_MOST ADDED_WITH("'cpu':'9223372036854775807'")

static const struct added_case added_cases[] = {
    {ADDED_ONE("'cpu':'1'"), {{false, "500m", "1Gi"}}, "cpu 500m, memory 1Gi"},
    {ADDED_ONE("'cpu':'1'"),
     {{false, "500m", "1Gi"}, {false, "1", "1Gi"}},
     "cpu 1500m, memory 2Gi"},
    {ADDED_ONE("'cpu':'1','memory':'1Gi'"), {{true, "500m", "1Gi"}}, NULL},
    {ADDED_ONE("'cpu':'1'"), {{true, "3", "1Gi"}}, "cpu 2, memory 1Gi"},
    {"", {{true, "3", "1Gi"}}, "cpu 3, memory 1Gi"},
    /* the template's init container is the peak, so there is room beside the container */
    {ADDED_ONE("'cpu':'1'") ",'initContainers':[{'name':'i','resources':{'requests':{'cpu':'4',"
                            "'memory':'9Gi'}}}]",
     {{false, "2", "1Gi"}},
     NULL},
    /* the pod's own amounts are for all containers together */
    {ADDED_ONE("'cpu':'1'") ",'resources':{'requests':{'cpu':'4','memory':'9Gi'}}",
     {{false, "2", "1Gi"}},
     NULL},
    /* a sum beyond a quantity is an error of the role, in the template or with what is added */
    {ADDED_POD(ADDED_MOST "," ADDED_MOST), {{false, "1", "1Gi"}}, NULL},
    {ADDED_POD(ADDED_MOST), {{false, "1", "1Gi"}}, "cpu 1, memory 1Gi"},
    /* a negative amount is reported; less it than the most is no quantity */
    {ADDED_ONE("'cpu':'-9223372036854775807'"),
     {{true, "9223372036854775807", "1Gi"}},
     "memory 1Gi"},
};

START_TEST(containers_raise_the_requests)
{
    const struct added_case *one = &added_cases[_i];
    char text[DOCUMENT_SIZE];
    struct job_case opened;
    struct added_container added[2];
    struct resource_list list;
    struct job_source source;
    struct report report;
    const struct node *extra;
    size_t count = 0;

    snprintf(text, sizeof(text), GANG_JOB(JOB_ROLES(JOB_ROLE("a", ",'template':{'spec':{%s}}"))),
             one->spec);
    job_open_good(&opened, text);
    report_init(&report, opened.document->arena, context_limits(NULL));
    source = (struct job_source){
        .arena = opened.document->arena, .limits = context_limits(NULL), .report = &report};
    for (; count < COUNT_OF(added) && one->added[count].cpu; count++)
        added[count] = (struct added_container){
            one->added[count].is_init,
            added_resources(slice_from_text(one->added[count].cpu),
                            slice_from_text(one->added[count].memory), source.arena)};
    extra = added_requests(opened.job->roles[0].pod_template, added, count, &source);
    list = resource_list_read(extra, source.arena, &report);
    ck_assert_str_eq(resource_list_in_words(&list, source.arena),
                     one->expected ? one->expected : "nothing");
    ck_assert_int_eq(!extra, !one->expected);
    job_close(&opened);
}
END_TEST

void
add_tests(TCase *cases)
{
    add_rows(cases, containers_raise_the_requests, added_cases, spec);
}
