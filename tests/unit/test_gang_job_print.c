/* SPDX-License-Identifier: Apache-2.0 */
#include "unit/jobs.h"

static struct gang_blob *
print_job(const struct job_case *opened)
{
    struct gang_blob *blob = NULL;

    ck_assert_int_eq(
        gang_job_serialize(NULL, opened->document, 0, GANG_FORMAT_JSON, 0, &blob, NULL), GANG_OK);
    return blob;
}

#define PRINTED(spec)                                                                              \
    "{'apiVersion':'policy.libgang.dev/v1alpha1','kind':'GangJob','metadata':{'name':'job',"       \
    "'namespace':'ml'},'spec':{'owner':{'apiVersion':'a.io/v1','kind':'Job','name':'job'}," spec   \
    "}}"

static const struct {
    const char *text;
    const char *printed; /* without the line end */
} prints[] = {
    {GANG_JOB(JOB_ROLES(JOB_ROLE("a", ""))), PRINTED("'roles':[{'name':'a','count':1}]")},
    {GANG_JOB(JOB_ROLES(JOB_ROLE(
         "a", ",'count':8,'minCount':4,'unit':2,'unitLabel':'example.com/slice','firstCount':1,"
              "'requests':{'cpu':'1.5'},'extraRequests':{'memory':'1Gi'},'membership':'Member','"
              "retries':true"))),
     PRINTED("'roles':[{'name':'a','count':8,'minCount':4,'unit':2,'unitLabel':'example.com/slice',"
             "'firstCount':1,'membership':'Member','requests':{'cpu':'1500m'},'extraRequests':{'"
             "memory':'1Gi'},'retries':true}"
             "]")},
    {GANG_JOB(JOB_ROLES(JOB_PODS("") "," JOB_ROLE(
         "b", ",'requests':{},'dependsOn':[{'role':'a','status':'Scheduled'}]"))),
     PRINTED("'roles':[{'name':'a','count':1,'requests':{}},{'name':'b','count':1,'dependsOn':[{"
             "'role':'a','status':'Scheduled'}],'requests':{}}]")},
    /* a template is printed as what the pods request */
    {GANG_JOB(JOB_ROLES(JOB_ROLE(
         "a", ",'template':{'spec':{'schedulerName':'s','priorityClassName':'p','containers':[{"
              "'name':'c','resources':{'limits':{'gpu':2}}}]}}"))),
     PRINTED("'roles':[{'name':'a','count':1,'requests':{'gpu':'2'},'schedulerName':'s',"
             "'priorityClassName':'p'}]")},
    {GANG_JOB("'groupName':'g','suspend':true,'managedElsewhere':true,'backend':'kai','queue':'q',"
              "'priorityClassName':'p','scheduleTimeoutSeconds':60,'topology':{'required':'rack'},"
              "'minimum':1,'podMarks':'Pod','groups':[{'name':'x','parent':'y','minimum':1},{'name'"
              ":'y'}]," //
              JOB_ROLES(JOB_PODS(",'group':'x'"))),
     PRINTED("'groupName':'g','suspend':true,'managedElsewhere':true,'backend':'kai','queue':'q',"
             "'priorityClassName':'p','scheduleTimeoutSeconds':60,'topology':{'required':'rack'},"
             "'minimum':1,'podMarks':'Pod','roles':[{'name':'a','count':1,'requests':{},'group':"
             "'x'}],'groups':[{'name':'x','parent':'y','minimum':1},{'name':'y'}]")},
    {GANG_JOB(JOB_ROLES(JOB_PODS("") "," JOB_ROLE("b", ",'membership':'Elsewhere'"))),
     PRINTED("'roles':[{'name':'a','count':1,'requests':{}},{'name':'b','count':1,'membership':"
             "'Elsewhere'}]")},
    /* the first of two stages: the other one has a gang of its own, too */
    {GANG_JOB(JOB_ROLES(JOB_ROLE("a", ",'count':2") "," JOB_ROLE(
         "b", ",'count':3,'dependsOn':[{'role':'a','status':'Complete'}]"))),
     PRINTED("'roles':[{'name':'a','count':2,'membership':'Member'},{'name':'b','count':3,"
             "'dependsOn':[{'role':'a','status':'Complete'}],'membership':'Elsewhere'}]")},
    {"{'apiVersion':'policy.libgang.dev/v1alpha1','kind':'GangJob','metadata':{'name':'job',"
     "'namespace':'ml','labels':{'team':'a'},'annotations':{'b':'c'}},'spec':{" JOB_OWNER JOB_ROLES(
         JOB_PODS("")) "}}",
     "{'apiVersion':'policy.libgang.dev/v1alpha1','kind':'GangJob','metadata':{'name':'job',"
     "'namespace':'ml','labels':{'team':'a'},'annotations':{'b':'c'}},'spec':{'owner':{"
     "'apiVersion':'a.io/v1','kind':'Job','name':'job'},'roles':[{'name':'a','count':1,'requests':"
     "{}}]}}"},
    {GANG_JOB("'noGang':true," JOB_ROLES(JOB_PODS(""))),
     PRINTED("'noGang':true,'roles':[{'name':'a','count':1,'requests':{}}]")},
};

START_TEST(a_job_is_printed_with_its_defaults)
{
    char wanted[DOCUMENT_SIZE];
    struct front_place unused;
    struct job_case opened;
    struct gang_blob *blob;

    front_text(wanted, prints[_i].printed, &unused);
    job_open_good(&opened, prints[_i].text);
    blob = print_job(&opened);
    strcat(wanted, "\n");
    ck_assert_str_eq(gang_blob_get_data(blob, NULL), wanted);
    gang_blob_unref(blob);
    job_close(&opened);
}
END_TEST

/* Its pods are created one after another, so it has no gang, and its GangJob has none either. */
START_TEST(a_job_without_a_gang_stays_without)
{
    struct job_case opened;
    struct job_case printed;
    struct gang_blob *blob;

    job_open_good(&opened, "{'apiVersion':'apps/v1','kind':'StatefulSet','metadata':{'name':'s'},"
                           "'spec':{'replicas':3,'serviceName':'s','selector':{},'template':{"
                           "'spec':{'containers':[]}}}}");
    ck_assert_ptr_nonnull(opened.job->why_no_gang);
    blob = print_job(&opened);
    job_open_good(&printed, gang_blob_get_data(blob, NULL));
    ck_assert_ptr_nonnull(printed.job->why_no_gang);
    gang_blob_unref(blob);
    job_close(&printed);
    job_close(&opened);
}
END_TEST

/* What is printed reads as the same job. */
START_TEST(a_printed_job_prints_the_same_again)
{
    struct job_case first;
    struct job_case second;
    struct gang_blob *blobs[2];

    job_open_good(&first, prints[_i].text);
    blobs[0] = print_job(&first);
    job_open_good(&second, gang_blob_get_data(blobs[0], NULL));
    blobs[1] = print_job(&second);
    ck_assert_str_eq(gang_blob_get_data(blobs[1], NULL), gang_blob_get_data(blobs[0], NULL));
    gang_blob_unref(blobs[0]);
    gang_blob_unref(blobs[1]);
    job_close(&first);
    job_close(&second);
}
END_TEST

START_TEST(wrong_arguments)
{
    struct gang_blob *blob = NULL;
    struct job_case opened;

    job_open_good(&opened, GANG_JOB(JOB_ROLES(JOB_PODS(""))));
    ck_assert_int_eq(gang_job_serialize(NULL, NULL, 0, GANG_FORMAT_JSON, 0, &blob, NULL),
                     GANG_ERROR_INVALID_ARGUMENT);
    ck_assert_int_eq(gang_job_serialize(NULL, opened.document, 1, GANG_FORMAT_JSON, 0, &blob, NULL),
                     GANG_ERROR_INVALID_ARGUMENT);
    ck_assert_int_eq(gang_job_serialize(NULL, opened.document, 0, 99, 0, &blob, NULL),
                     GANG_ERROR_INVALID_ARGUMENT);
    ck_assert_int_eq(gang_job_serialize(NULL, opened.document, 0, GANG_FORMAT_JSON, 0, NULL, NULL),
                     GANG_ERROR_INVALID_ARGUMENT);
    ck_assert_int_eq(gang_job_serialize(NULL, opened.document, 0, GANG_FORMAT_JSON, 1, &blob, NULL),
                     GANG_ERROR_UNSUPPORTED_FLAG);
    ck_assert_ptr_null(blob);
    job_close(&opened);
}
END_TEST

void
add_tests(TCase *cases)
{
    tcase_add_test(cases, a_job_without_a_gang_stays_without);
    add_rows(cases, a_job_is_printed_with_its_defaults, prints, text);
    add_rows(cases, a_printed_job_prints_the_same_again, prints, text);
    tcase_add_test(cases, wrong_arguments);
}
