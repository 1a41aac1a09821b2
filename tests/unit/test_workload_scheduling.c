/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/backend/workload/workload_scheduling.h"

#include "unit/workloads.h"

#define GANG "'schedulingPolicy':{'gang':{}}"
#define BASIC "'schedulingPolicy':{'basic':{}}"
#define TARGETS(names) "'targetReplicatedJobs':[" names "]"
#define ENTRIES(items) "{'replicatedJobs':[" items "]}"
#define BOTH_ROLES TARGETS("'data','node'")

/* What Kubernetes, JobSet and KEP-3015 would answer, in the server's words where it has any. */
static const struct {
    const char *scheduling; /* of the roles data and node, which waits for it */
    const char *findings;
    const char *said; /* in the first message; NULL: anything */
} checks[] = {
    {NULL, "", NULL},
    {"{}", "", NULL},
    {"{" GANG "}", "", NULL},
    {"{" BASIC "}", "", NULL},
    {"{" GANG ",'schedulingConstraints':{'topology':[{'key':'rack'}]},'disruptionMode':{'all':{}}}",
     "", NULL},
    {"{'schedulingPolicy':{}}", "SchedulingUnion", "must specify one of: `basic`, `gang`"},
    {"{'schedulingPolicy':{'gang':{},'basic':{}}}", "SchedulingUnion",
     "must specify exactly one of: `basic`, `gang`"},
    {"{'schedulingPolicy':{'gang':{},'basic':null}}", "", NULL},
    {"{'schedulingPolicy':{'gang':{'minCount':8}}}", "ComputedCount",
     "Forbidden: minCount is computed from the roles of the group"},
    {"{'schedulingPolicy':{'gang':{'minGroupCount':2}}}", "ComputedCount",
     "minGroupCount is computed"},
    {"{" BASIC ",'disruptionMode':{'all':{}}}", "DisruptionOfBasic",
     "the disruptionMode `all` is not supported with the Basic scheduling policy"},
    {"{" BASIC ",'disruptionMode':{'single':{}}}", "", NULL},
    /* what the server does not know it drops, before it counts */
    {"{'schedulingPolicy':{'both':{}}}", "SchedulingUnion", "must specify one of: `basic`, `gang`"},
    {"{'disruptionMode':{'some':{}}}", "SchedulingUnion", "must specify one of: `single`, `all`"},
    {"{'disruptionMode':{'some':{},'all':{}}}", "", NULL},
    {"{" BASIC ",'disruptionMode':{'single':null,'all':{}}}", "DisruptionOfBasic", NULL},
    {"{'disruptionMode':{}}", "SchedulingUnion", "must specify one of: `single`, `all`"},
    {"{'disruptionMode':{'single':{},'all':{}}}", "SchedulingUnion",
     "must specify exactly one of: `single`, `all`"},
    {"{'schedulingConstraints':{'topology':[{'key':'no key'}]}}", "InvalidLabelKey",
     "Invalid value: \"no key\""},
    {"{'schedulingConstraints':{'topology':[{'key':1}]}}", "", NULL},
    /* levels 2 and 3 */
    {ENTRIES("{" BOTH_ROLES "}"), "", NULL},
    {ENTRIES("{" TARGETS("'data'") "," BASIC "},{" TARGETS("'node'") "," GANG "}"), "", NULL},
    {ENTRIES("{" TARGETS("'data'") ",'job':{" BASIC "}},{" TARGETS(
         "'node'") ",'job':{'resourceClaims':["
                   "{'name':'gpu','resourceClaimName':'c'}]}}"),
     "", NULL},
    {"{" GANG ",'replicatedJobs':[{" BOTH_ROLES "}]}", "SchedulingUnion",
     "must specify exactly one of"},
    {ENTRIES("{" TARGETS("'data'") "},{" TARGETS("'node'") "," GANG ",'job':{" GANG "}}"),
     "SchedulingUnion",
     "must specify exactly one of: `schedulingPolicy` with its constraints, `job`"},
    {ENTRIES("{" TARGETS("'data'") "},{" TARGETS("'node'") ",'disruptionMode':null,'job':{}}"), "",
     NULL},
    {ENTRIES("{" TARGETS("'node'") "}"), "TargetedOnce",
     "Required value: role \"data\" belongs to no group"},
    {ENTRIES("{" BOTH_ROLES "},{" TARGETS("'node'") "}"), "TargetedOnce",
     "Duplicate value: \"node\""},
    {ENTRIES("{" TARGETS("'data','node','eval'") "}"), "TargetedOnce",
     "Invalid value: \"eval\": no role has this name"},
    /* a list that is longer than there are roles is not read to its end */
    {ENTRIES("{" TARGETS("'data','node','x','y','z'") "}"), "TargetedOnce", "Invalid value: \"x\""},
    {ENTRIES("{" BOTH_ROLES ",'job':{}}"), "SchedulingUnion",
     "Too many: 2: must have at most 1 item with `job`"},
    {ENTRIES("{" TARGETS("'nobody'") ",'job':{}},{" BOTH_ROLES "}"), "TargetedOnce", NULL},
    {ENTRIES("{" TARGETS("'data'") "},{" TARGETS(
         "'node'") ",'job':{'schedulingPolicy':{},'resourceClaims':["
                   "{'name':'gpu'},{'name':'net','resourceClaimName':"
                   "'a','resourceClaimTemplateName':'b'}]}}"),
     "SchedulingUnion SchedulingUnion SchedulingUnion", NULL},
};

START_TEST(reports_what_would_be_refused)
{
    struct job job = job_form("data node*2@trainer<data:R");

    job.gang.scheduling = workload_tree(job.arena, checks[_i].scheduling);
    job.report.count = 0;
    workload_scheduling_check(&job.gang, NULL, &job.report);
    ck_assert_str_eq(job_findings(&job), checks[_i].findings);
    if (checks[_i].said)
        ck_assert_ptr_nonnull(strstr(job.report.items[0].message, checks[_i].said));
    job_free(&job);
}
END_TEST

/* Jobs of one replicatedJob share a template, so that they cannot carry the marks of several
 * groups. */
START_TEST(a_group_for_each_job_needs_one_replica)
{
    static const struct {
        const char *source;
        const char *findings;
    } replicas[] = {
        {"{'name':'node'}", ""},
        {"{'name':'node','replicas':1}", ""},
        {"{'name':'node','replicas':2}", "SchedulingUnion"},
    };

    for (int i = 0; i < COUNT_OF(replicas); i++) {
        struct job job = job_form("node*2@trainer");

        job.gang.roles[0].source = workload_tree(job.arena, replicas[i].source);
        job.gang.scheduling = workload_tree(job.arena, ENTRIES("{" TARGETS("'node'") ",'job':{}}"));
        job.report.count = 0;
        workload_scheduling_check(&job.gang, NULL, &job.report);
        ck_assert_str_eq(job_findings(&job), replicas[i].findings);
        job_free(&job);
    }
}
END_TEST

/* Each release in its own words, as servers 1.35.4, 1.36.3 and 1.37.1 were heard to say them. */
static const struct {
    const char *version;
    const char *scheduling;
    const char *said;
} words[] = {
    {V1ALPHA1, "{'schedulingPolicy':{}}",
     "Invalid value: exactly one of `basic`, `gang` is required"},
    {V1ALPHA1, "{'schedulingPolicy':{'gang':{},'basic':{}}}",
     "Invalid value: exactly one of `basic`, `gang` is required"},
    {V1ALPHA1, ENTRIES("{" BOTH_ROLES ",'schedulingPolicy':{}}"),
     "Invalid value: exactly one of `basic`, `gang` is required"},
    {V1ALPHA2, "{'schedulingPolicy':{}}", "Invalid value: must specify one of: `basic`, `gang`"},
    {V1ALPHA2, "{'schedulingPolicy':{'gang':{},'basic':{}}}",
     "Invalid value: must specify exactly one of: `basic`, `gang`"},
    {V1ALPHA3, "{'schedulingPolicy':{}}", "Invalid value: must specify one of: `basic`, `gang`"},
    {V1BETA1, "{'schedulingPolicy':{'gang':{},'basic':{}}}",
     "Invalid value: must specify exactly one of: `basic`, `gang`"},
};

START_TEST(says_what_the_server_of_each_release_says)
{
    struct job job = job_form("data node*2@trainer<data:R");

    job.gang.scheduling = workload_tree(job.arena, words[_i].scheduling);
    job.report.count = 0;
    workload_scheduling_check(&job.gang, workload_version_of(slice_from_text(words[_i].version)),
                              &job.report);
    ck_assert_uint_eq(job.report.count, 1);
    ck_assert_msg(strstr(job.report.items[0].message, words[_i].said) != NULL, "%s",
                  job.report.items[0].message);
    job_free(&job);
}
END_TEST

/* A claim has exactly one source, a short name, and a long one of its source. */
static const struct {
    const char *claims;
    const char *said; /* NULL: nothing is wrong */
} claims[] = {
    {"[{'name':'a','resourceClaimName':'c'}]", NULL},
    {"[{'name':'a','resourceClaimTemplateName':'t'}]", NULL},
    {"[{'name':'a'}]", "must specify one of: `resourceClaimName`, `resourceClaimTemplateName`"},
    {"[{'name':'a','resourceClaimName':'c','resourceClaimTemplateName':'t'}]",
     "must specify exactly one of: `resourceClaimName`, `resourceClaimTemplateName`"},
    {"[{'name':'GPU','resourceClaimName':'c'}]",
     "Invalid value: \"GPU\": a lowercase RFC 1123 label must consist of"},
    {"[{'name':'gpu.a','resourceClaimName':'c'}]",
     "Invalid value: \"gpu.a\": must not contain dots"},
    {"[{'name':'a','resourceClaimName':'c.d'}]", NULL},
    {"[{'name':'a','resourceClaimName':'C'}]",
     "Invalid value: \"C\": a lowercase RFC 1123 subdomain must consist of"},
    {"[{'name':'a','resourceClaimTemplateName':'t/u'}]",
     "Invalid value: \"t/u\": a lowercase RFC 1123 subdomain must consist of"},
};

START_TEST(a_claim_has_one_source)
{
    struct job job = job_form("node");

    workload_check_claims(workload_tree(job.arena, claims[_i].claims), &job.report);
    ck_assert_uint_eq(job.report.count, claims[_i].said != NULL);
    if (claims[_i].said)
        ck_assert_msg(strstr(job.report.items[0].message, claims[_i].said) != NULL, "%s",
                      job.report.items[0].message);
    job_free(&job);
}
END_TEST

void
add_tests(TCase *cases)
{
    add_rows(cases, reports_what_would_be_refused, checks, scheduling);
    add_rows(cases, says_what_the_server_of_each_release_says, words, version, scheduling);
    tcase_add_test(cases, a_group_for_each_job_needs_one_replica);
    add_rows(cases, a_claim_has_one_source, claims, claims);
}
