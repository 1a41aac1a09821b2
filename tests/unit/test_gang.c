/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/gang/gang.h"

#include <stdio.h>

#include "unit/job.h"

#define TORCHTUNE(nodes)                                                                           \
    "dataset@dataset-initializer model@model-initializer node*" nodes "@trainer<dataset:C<model:C"
#define DEEPSPEED(nodes) "node*" nodes " launcher@trainer<node:R"

static char
membership_letter(enum membership membership)
{
    static const char letters[] = {
        [ROLE_MEMBER] = 'M', [ROLE_LATE_MEMBER] = 'L', [ROLE_OUTSIDE] = 'O'};

    return letters[membership];
}

static void
check_numbers(const struct job *job, const char *memberships, int64_t minimum, int64_t members,
              int64_t pods)
{
    ck_assert_uint_eq(strlen(memberships), job->gang.num_roles);
    for (size_t i = 0; i < job->gang.num_roles; i++)
        ck_assert_msg(membership_letter(job->gang.parts[i].membership) == memberships[i],
                      "%.*s is %c, not %c", SLICE_ARG(job->gang.roles[i].name),
                      membership_letter(job->gang.parts[i].membership), memberships[i]);
    ck_assert_int_eq(job->gang.minimum, minimum);
    ck_assert_int_eq(job->gang.members, members);
    ck_assert_int_eq(job->gang.late_members, members - minimum);
    ck_assert_int_eq(job->gang.pods, pods);
}

/* One letter per role: member, late, outside. */
static const struct {
    const char *roles;
    const char *memberships;
    int64_t minimum;
    int64_t members;
    int64_t pods;
    const char *findings;
} gangs[] = {
    /* shipped runtimes */
    {"node*3@trainer", "M", 3, 3, 3, ""},
    {TORCHTUNE("1"), "OOM", 1, 1, 3, ""},
    {TORCHTUNE("4"), "OOM", 4, 4, 6, ""},
    {"dataset@dataset-initializer node*2@trainer<dataset:C", "OM", 2, 2, 3, ""},
    {DEEPSPEED("2"), "ML", 2, 3, 3, "LateMembers"},
    /* nothing labelled: the last stage */
    {"a*5", "M", 5, 5, 5, ""},
    {"a b<a:C", "OM", 1, 1, 2, ""},
    {"a b<a:C c<a:C d*2<c:R", "OMML", 2, 4, 5, "LateMembers"},
    {"a b<a:C c", "OMO", 1, 1, 3, ""},
    /* the labelled stage, at any position */
    {"node*2@trainer eval<node:C", "MO", 2, 2, 3, ""},
    {"prep a<prep:C node*2@trainer<prep:C", "OMM", 3, 3, 4, ""},
    {"prep node*2@trainer<prep:C eval*9<node:C", "OMO", 2, 2, 12, ""},
    /* initializers by label only */
    {"dataset@dataset-initializer node*2@trainer", "OM", 2, 2, 3, ""},
    {"model@model-initializer node*2@trainer<model:R", "OM", 2, 2, 3, ""},
    {"dataset node*2@trainer", "MM", 3, 3, 3, ""},
    {"warmup@some-other-step node*2@trainer", "MM", 3, 3, 3, ""},
    /* several trainers of one stage */
    {"a@trainer b*2@trainer", "MM", 3, 3, 3, ""},
    {"a@trainer b*2@trainer<a:R", "ML", 1, 3, 3, "LateMembers"},
    /* a role outside is between two members */
    {"a*2@trainer x@dataset-initializer<a:R b<x:R", "MOL", 2, 3, 4, "LateMembers"},
    /* refused */
    {"a@trainer b@trainer<a:C", "MO", 1, 1, 2, "GangStageAmbiguous"},
    {"dataset@dataset-initializer model@model-initializer<dataset:C", "OO", 0, 0, 2, "EmptyGang"},
    {"", "", 0, 0, 0, "EmptyGang"},
    {"a<b:R b<a:C", "MM", 2, 2, 2, "StartOrderCycle"},
    {"a<ghost:C", "M", 1, 1, 1, "UnknownDependency"},
};

START_TEST(forms_gangs_of_the_first_wave)
{
    struct job job = job_form(gangs[_i].roles);

    ck_assert_str_eq(job_findings(&job), gangs[_i].findings);
    check_numbers(&job, gangs[_i].memberships, gangs[_i].minimum, gangs[_i].members,
                  gangs[_i].pods);
    ck_slice_eq(job.gang.name, "llama");
    job_free(&job);
}
END_TEST

/*
 * By hand, after the arithmetic of the model: the minimum is the sum over the members of the first
 * wave of firstCount, or else minCount, or else count; the resources are those of minCount of every
 * member; late are the members of later waves, and the pods of a role beyond its first ones.
 */
static const struct {
    const char *roles;
    const char *memberships;
    int64_t minimum;
    int64_t members;
    int64_t late;
    int64_t pods;
    const char *resources;
    const char *findings;
} counted[] = {
    /* elastic: two to four */
    {"node*4%2+cpu=1", "M", 2, 4, 0, 4, "cpu=2", ""},
    {"node*4%4+cpu=1", "M", 4, 4, 0, 4, "cpu=4", ""},
    {"node*4%0+cpu=1 head+cpu=2", "MM", 1, 5, 0, 5, "cpu=2", ""},
    /* one pod of each of three Jobs of four first */
    {"node*12$3|4+cpu=1", "M", 3, 12, 9, 12, "cpu=12", "LateMembers"},
    {"node*12$12+cpu=1", "M", 12, 12, 0, 12, "cpu=12", ""},
    /* an elastic role whose pods come one by one: OrderedReady */
    {"main*5%3$1+cpu=1", "M", 1, 5, 4, 5, "cpu=3", "LateMembers"},
    /* a first wave of both kinds */
    {"a*6$2 b*8%4|2 c*3", "MMM", 9, 17, 4, 17, "", "LateMembers"},
    /* a Ray cluster with its submitter, a job of MPI whose launcher comes late */
    {"head+cpu=2500m gpu*8%4|2+cpu=8 submitter<head:R<gpu:R+cpu=500m", "MML", 5, 10, 1, 10,
     "cpu=35", "ReadyOfElasticRole LateMembers"},
    {"worker*3+cpu=4 launcher<worker:R+cpu=500m", "ML", 3, 4, 1, 4, "cpu=12500m", "LateMembers"},
    /* the executors wait for a driver that is outside */
    {"driver&O+cpu=1 executor*3<driver:R+cpu=1", "OM", 3, 3, 0, 4, "cpu=3", ""},
    /* a late role is late with all its pods, and asks for the pods that must start */
    {"a b*4%2$1<a:S+cpu=1", "ML", 1, 5, 4, 5, "cpu=2", "LateMembers"},
    /* workers of a group that come when the leader has a node */
    {"leader worker*7<leader:S", "ML", 1, 8, 7, 8, "", "LateMembers"},
    /* declared memberships */
    {"prepare train*2&M<prepare:C export<train:C", "OMO", 2, 2, 0, 4, "", ""},
    {"prepare train*2<prepare:C export&O<train:C", "OOO", 0, 0, 0, 4, "", "EmptyGang"},
    {"a&M b&M<a:C", "MO", 1, 1, 0, 2, "", "GangStageAmbiguous"},
    {"a&M b&O", "MO", 1, 1, 0, 2, "", ""},
    /* a role without pods does not separate stages or waves */
    {"a*0 b*2<a:C", "MM", 2, 2, 0, 2, "", "EmptyDependency"},
    {"a*0 b*2<a:R c<a:S<b:R", "MML", 2, 3, 1, 3, "", "EmptyDependency EmptyDependency LateMembers"},
    {"a*0%0 b<a:R", "MM", 1, 1, 0, 1, "", "EmptyDependency"},
    /* Scheduled and Complete edges from an elastic role wait for less, or for the end */
    {"a*4%2 b<a:S", "ML", 2, 5, 1, 5, "", "LateMembers"},
    {"a*4%2 b<a:C", "OM", 1, 1, 0, 5, "", ""},
};

START_TEST(counts_elastic_and_staggered_roles)
{
    struct job job = job_form(counted[_i].roles);

    ck_assert_str_eq(job_findings(&job), counted[_i].findings);
    for (size_t i = 0; i < job.gang.num_roles; i++)
        ck_assert_int_eq(membership_letter(job.gang.parts[i].membership),
                         counted[_i].memberships[i]);
    ck_assert_int_eq(job.gang.minimum, counted[_i].minimum);
    ck_assert_int_eq(job.gang.members, counted[_i].members);
    ck_assert_int_eq(job.gang.late_members, counted[_i].late);
    ck_assert_int_eq(job.gang.pods, counted[_i].pods);
    ck_assert_str_eq(job_resources(&job), counted[_i].resources);
    job_free(&job);
}
END_TEST

/* The operator knows nothing of it: all pods count, and a gang that comes in parts never fills. */
static const struct {
    const char *roles;
    int64_t minimum;
    const char *findings;
} staggered_operator_gangs[] = {
    {"node*4%2", 4, ""},
    {"node*12$3", 12, "StructuralDeadlock"},
    {"node*3$3", 3, ""},
};

START_TEST(counts_all_pods_in_compatibility)
{
    struct job job =
        job_form_for(staggered_operator_gangs[_i].roles, COMPATIBILITY_KUBEFLOW_TRAINER);

    ck_assert_str_eq(job_findings(&job), staggered_operator_gangs[_i].findings);
    ck_assert_int_eq(job.gang.minimum, staggered_operator_gangs[_i].minimum);
    ck_assert_int_eq(gang_role_minimum(&job.gang, 0), job.gang.roles[0].count);
    job_free(&job);
}
END_TEST

/* How many pods of the first role must start together. */
static const struct {
    const char *roles;
    int64_t minimum;
} role_minima[] = {
    {"a*4", 4}, {"a*4%2", 2}, {"a*4%0", 0}, {"a*12$3", 3}, {"a*12%6$3", 3}, {"a*0", 0},
};

START_TEST(knows_the_minimum_of_a_role)
{
    struct job job = job_form(role_minima[_i].roles);

    ck_assert_int_eq(gang_role_minimum(&job.gang, 0), role_minima[_i].minimum);
    job_free(&job);
}
END_TEST

/* The documents may set the minimum: at most the pods that exist before the gang starts. */
static const struct {
    const char *roles;
    int64_t wish;
    const char *findings;
    const char *path;
    const char *message;
} minima[] = {
    {"a*4", 1, "", NULL, NULL},
    {"a*4", 4, "", NULL, NULL},
    {"a*4%2", 4, "", NULL, NULL},
    {"a*4%2", 1, "", NULL, NULL},
    {"a*4", 5, "ValueOutOfRange", "minimum",
     "Invalid value: 5: must be less than or equal to 4, the pods of the gang"},
    {"a*4 b&O", 5, "ValueOutOfRange", "minimum",
     "Invalid value: 5: must be less than or equal to 4, the pods of the gang"},
    {"worker*3 launcher<worker:R", 3, "LateMembers", NULL, NULL},
    {"worker*3 launcher<worker:R", 4, "LateMembers StructuralDeadlock",
     "replicatedJobs[1].dependsOn[0]",
     "the gang can never start: \"launcher\" waits for \"worker\" to be Ready, which waits until "
     "4 pods of the gang exist, but only 3 can exist before that"},
    {"leader worker*7<leader:S", 8, "LateMembers StructuralDeadlock",
     "replicatedJobs[1].dependsOn[0]",
     "the gang can never start: \"worker\" waits for \"leader\" to be Scheduled, which waits until "
     "8 pods of the gang exist, but only 1 can exist before that"},
    {"node*12$3", 3, "LateMembers", NULL, NULL},
    {"node*12$3", 4, "LateMembers StructuralDeadlock", "replicatedJobs[0]",
     "the gang can never start: \"node\" creates 9 of its 12 pods when the other 3 have nodes, "
     "which wait until 4 pods of the gang exist, but only 3 can exist before that"},
    {"a*2 node*12$3", 6, "LateMembers StructuralDeadlock", "replicatedJobs[1]",
     "the gang can never start: \"node\" creates 9 of its 12 pods when the other 3 have nodes, "
     "which wait until 6 pods of the gang exist, but only 5 can exist before that"},
};

START_TEST(takes_a_minimum_that_can_fill)
{
    struct job job = job_make(minima[_i].roles);
    struct builder map = build_map(job.arena);

    build_int(&map, SLICE("minimum"), minima[_i].wish);
    job.wishes->minimum = minima[_i].wish;
    job.wishes->minimum_source = map.last;
    job_form_again(&job);
    ck_assert_int_eq(job.gang.minimum, minima[_i].wish);
    ck_assert_str_eq(job_findings(&job), minima[_i].findings);
    ck_assert_int_eq(report_has_errors(&job.report), minima[_i].path != NULL);
    if (minima[_i].path) {
        ck_assert_str_eq(job.report.items[job.report.count - 1].path, minima[_i].path);
        ck_assert_str_eq(job.report.items[job.report.count - 1].message, minima[_i].message);
    }
    job_free(&job);
}
END_TEST

/* The pods of one role cannot be left out of the gang in part, but a policy can refuse them. */
START_TEST(handles_late_pods_as_the_policy_says)
{
    static const char *const findings[] = {
        [LATE_JOIN] = "LateMembers",
        [LATE_EXCLUDE] = "LateMembers",
        [LATE_REFUSE] = "LateMembersRefused",
    };
    struct job job = job_make("node*12$3");

    job.wishes->late = (enum gang_late)_i;
    job_form_again(&job);
    ck_assert_str_eq(job_findings(&job), findings[_i]);
    ck_assert_int_eq(report_has_errors(&job.report), _i == LATE_REFUSE);
    ck_assert_int_eq(job.gang.members, 12);
    ck_assert_str_eq(job.report.items[0].path, "replicatedJobs[0]");
    ck_assert_str_eq(job.report.items[0].message,
                     "pods that join after the first wave are not in the minimum: 9 of the 12 "
                     "pods of \"node\" are created after the other 3 have nodes");
    job_free(&job);
}
END_TEST

/* Every role is a member and all pods are the minimum, as the operator makes it. */
static const struct {
    const char *roles;
    int64_t minimum;
    const char *findings;
} operator_gangs[] = {
    {"node*3@trainer", 3, ""},
    {TORCHTUNE("1"), 3, "MarkOnWaitingRole StructuralDeadlock"},
    {TORCHTUNE("4"), 6, "MarkOnWaitingRole StructuralDeadlock"},
    {"dataset@dataset-initializer node*2@trainer<dataset:C", 3,
     "MarkOnWaitingRole StructuralDeadlock"},
    {DEEPSPEED("2"), 3, "StructuralDeadlock"},
    {"node*3 launcher@trainer", 4, ""},
    {"dataset@dataset-initializer node*2@trainer", 3, "MarkOnWaitingRole"},
    {"a@trainer b@trainer<a:C", 2, "GangStageAmbiguous MarkOnWaitingRole StructuralDeadlock"},
    {"dataset@dataset-initializer", 1, "EmptyGang MarkOnWaitingRole"},
    {"a<b:R b<a:C c*3", 5, "StartOrderCycle"},
    {"a<ghost:C b", 2, "UnknownDependency"},
    {"node*0@trainer", 0, ""},
    {"", 0, "EmptyGang"},
};

START_TEST(counts_as_the_operator_in_compatibility)
{
    struct job job = job_form_for(operator_gangs[_i].roles, COMPATIBILITY_KUBEFLOW_TRAINER);

    ck_assert_str_eq(job_findings(&job), operator_gangs[_i].findings);
    ck_assert(!report_has_errors(&job.report));
    ck_assert_int_eq(job.gang.minimum, operator_gangs[_i].minimum);
    ck_assert_int_eq(job.gang.members, operator_gangs[_i].minimum);
    ck_assert_int_eq(job.gang.late_members, 0);
    for (size_t i = 0; i < job.gang.num_roles; i++)
        ck_assert_int_eq(job.gang.parts[i].membership, ROLE_MEMBER);
    job_free(&job);
}
END_TEST

/* replicas 2, parallelism 6: twelve pods run, and the operator counts six. */
START_TEST(counts_pods_that_exist_or_that_the_operator_sees)
{
    enum gang_compatibility mode = _i ? COMPATIBILITY_KUBEFLOW_TRAINER : COMPATIBILITY_NONE;
    struct job job = job_make_for("workers+cpu=1", mode);

    job.wishes->roles[0].count = 12;
    job.wishes->roles[0].operator_count = 6;
    job_form_again(&job);
    ck_assert_int_eq(job.gang.minimum, _i ? 6 : 12);
    ck_assert_int_eq(job.gang.pods, 12);
    ck_assert_str_eq(job_resources(&job), _i ? "cpu=6" : "cpu=12");
    job_free(&job);
}
END_TEST

static const struct {
    const char *roles;
    enum gang_compatibility mode;
    const char *resources;
} sums[] = {
    {"node*4@trainer+cpu=1+memory=2Gi", COMPATIBILITY_NONE, "cpu=4 memory=8Gi"},
    {"node*3@trainer", COMPATIBILITY_NONE, ""},
    {"a+cpu=1000m", COMPATIBILITY_NONE, "cpu=1"},
    {"a*2+cpu=500m", COMPATIBILITY_NONE, "cpu=1"},
    {"a*3+cpu=500m", COMPATIBILITY_NONE, "cpu=1500m"},
    {"a*4+memory=0.5Gi", COMPATIBILITY_NONE, "memory=2Gi"},
    {"a*128+memory=8Gi", COMPATIBILITY_NONE, "memory=1Ti"},
    /* the format of the first term that is not zero */
    {"a+memory=512Mi b*2+memory=1G", COMPATIBILITY_NONE, "memory=2477413Ki"},
    {"b*2+memory=1G a+memory=512Mi", COMPATIBILITY_NONE, "memory=2536870912"},
    {"a+memory=0 b+memory=1Gi", COMPATIBILITY_NONE, "memory=1Gi"},
    /* nothing asked for is still named */
    {"a*3+cpu=1+example.com/nic=0", COMPATIBILITY_NONE, "cpu=3 example.com/nic=0"},
    {"node*0@trainer+cpu=1", COMPATIBILITY_KUBEFLOW_TRAINER, "cpu=0"},
    /* but not of a role without pods, or of which no pods must start */
    {"a*2+cpu=1 b*0+gpu=1", COMPATIBILITY_NONE, "cpu=2"},
    {"a*2+cpu=1 b*4%0+gpu=1", COMPATIBILITY_NONE, "cpu=2"},
    /* roles outside do not count, late members do */
    {"d@dataset-initializer+cpu=1+memory=4Gi node*2@trainer<d:C+cpu=3", COMPATIBILITY_NONE,
     "cpu=6"},
    {"node*3+cpu=2+nvidia.com/gpu=8 launcher@trainer<node:R+cpu=2+nvidia.com/gpu=8",
     COMPATIBILITY_NONE, "cpu=8 nvidia.com/gpu=32"},
    /* but all of them for the operator */
    {"d@dataset-initializer+cpu=1 m@model-initializer+cpu=1 node*30@trainer+cpu=1",
     COMPATIBILITY_KUBEFLOW_TRAINER, "cpu=32"},
    {"d+cpu=1+memory=4Gi m+cpu=1+memory=4Gi node*100+cpu=2+memory=8Gi",
     COMPATIBILITY_KUBEFLOW_TRAINER, "cpu=202 memory=808Gi"},
    {"launcher*4+cpu=2+nvidia.com/gpu=8 node+cpu=2+nvidia.com/gpu=8",
     COMPATIBILITY_KUBEFLOW_TRAINER, "cpu=10 nvidia.com/gpu=40"},
};

START_TEST(sums_requests_in_the_order_of_the_roles)
{
    struct job job = job_form_for(sums[_i].roles, sums[_i].mode);

    ck_assert_str_eq(job_resources(&job), sums[_i].resources);
    ck_assert(!report_has_errors(&job.report));
    job_free(&job);
}
END_TEST

static const struct {
    const char *roles;
    const char *findings;
    const char *path;
} overflows[] = {
    {"a*2147483647", "", NULL},
    {"a*2147483646 b", "", NULL},
    {"a*2147483647 b", "CountOverflow", "replicatedJobs[1]"},
    {"a*2147483647 b*2147483647 c*2147483647", "CountOverflow", "replicatedJobs[1]"},
    {"a*2147483647+memory=7Ei", "QuantityOverflow", "replicatedJobs[0]"},
    {"a+memory=7Ei", "", NULL},
    {"a+memory=4Ei b+memory=4Ei", "QuantityOverflow", "replicatedJobs[1]"},
    {"a*3+memory=4Ei+cpu=9E", "QuantityOverflow QuantityOverflow", "replicatedJobs[0]"},
};

START_TEST(refuses_overflow_in_both_modes)
{
    int row = _i / 2;
    struct job job = job_form_for(overflows[row].roles,
                                  _i % 2 ? COMPATIBILITY_KUBEFLOW_TRAINER : COMPATIBILITY_NONE);

    ck_assert_str_eq(job_findings(&job), overflows[row].findings);
    ck_assert_int_eq(report_has_errors(&job.report), overflows[row].path != NULL);
    if (overflows[row].path)
        ck_assert_str_eq(job.report.items[0].path, overflows[row].path);
    job_free(&job);
}
END_TEST

/* The upstream operator does not multiply by the replicas, so the sum exceeds the limit later. */
START_TEST(compatible_counts_are_those_of_the_operator)
{
    struct job job = job_make_for("a*2147483646 b*2147483647 c", COMPATIBILITY_KUBEFLOW_TRAINER);

    job.wishes->roles[1].operator_count = 1;
    job_form_again(&job);
    ck_assert_str_eq(job_findings(&job), "CountOverflow");
    ck_assert_str_eq(job.report.items[0].path, "replicatedJobs[2]");
    job_free(&job);
}
END_TEST

START_TEST(late_members_count_for_the_limit)
{
    struct job job = job_form("a*2147483647@trainer b@trainer<a:R");

    ck_assert_str_eq(job_findings(&job), "LateMembers CountOverflow");
    job_free(&job);
}
END_TEST

START_TEST(pods_outside_do_not_overflow)
{
    struct job job = job_form("a*2147483647<b:C b*2147483647");

    ck_assert_str_eq(job_findings(&job), "");
    ck_assert_int_eq(job.gang.pods, 4294967294);
    job_free(&job);
}
END_TEST

static const struct {
    const char *roles;
    enum gang_code code;
    const char *path;
    const char *message;
} messages[] = {
    {DEEPSPEED("2"), GANG_CODE_LATE_MEMBERS, "replicatedJobs[1]",
     "members that join after the first wave are not in the minimum: \"launcher\"; \"launcher\" "
     "waits for "
     "\"node\" to be Ready"},
    {"a@trainer b c@trainer<a:C d@trainer<a:C", GANG_CODE_GANG_STAGE_AMBIGUOUS, "replicatedJobs[2]",
     "roles \"a\" and \"c\" are both labelled trainer but are in different stages: one comes "
     "after "
     "Complete dependencies that the other does not wait for"},
    {"a@dataset-initializer", GANG_CODE_EMPTY_GANG, "replicatedJobs",
     "the gang has no members: every role of the last stage is labelled as an initializer"},
    {"a*4%2 b<a:R", GANG_CODE_READY_OF_ELASTIC_ROLE, "replicatedJobs[1].dependsOn[0]",
     "role \"b\" is created when all 4 pods of role \"a\" are ready; the gang starts with 2 of "
     "them"},
    {"a*0 b<a:C", GANG_CODE_EMPTY_DEPENDENCY, "replicatedJobs[1].dependsOn[0]",
     "role \"b\" does not wait for role \"a\", which has no pods"},
    {"a*3%0 b<a:R", GANG_CODE_ROLE_COUNTS_DISAGREE, "replicatedJobs[0]",
     "the gang has a minimum of 0: no pod of its first wave must start"},
};

static const struct {
    const char *roles;
    enum gang_members choice;
    enum gang_code code;
    const char *message;
    const char *hint;
} declared_messages[] = {
    {"a&M b c&M<a:C", MEMBERS_AUTO, GANG_CODE_GANG_STAGE_AMBIGUOUS,
     "roles \"a\" and \"c\" are both members but are in different stages: one comes after Complete "
     "dependencies that the other does not wait for",
     "declare only roles that run at the same time as members"},
    {"a&O", MEMBERS_AUTO, GANG_CODE_EMPTY_GANG,
     "the gang has no members: every role of the last stage is declared outside the gang",
     "set `membership: Member` on the roles that must start together"},
    {"a", MEMBERS_TRAINER_ONLY, GANG_CODE_EMPTY_GANG,
     "the gang has no members: no role is declared a member",
     "set `membership: Member` on the roles that must start together"},
};

START_TEST(messages_name_what_declares_members)
{
    struct job job = job_make(declared_messages[_i].roles);
    const struct gang_diagnostic *finding;

    job.wishes->declares_members = true;
    job.wishes->members_choice = declared_messages[_i].choice;
    job_form_again(&job);
    finding = job_finding(&job, declared_messages[_i].code);
    ck_assert_str_eq(finding->message, declared_messages[_i].message);
    ck_assert_str_eq(finding->hint, declared_messages[_i].hint);
    job_free(&job);
}
END_TEST

START_TEST(empty_gang_messages)
{
    struct job job = job_form(messages[_i].roles);
    const struct gang_diagnostic *finding = job_finding(&job, messages[_i].code);

    ck_assert_str_eq(finding->path, messages[_i].path);
    ck_assert_str_eq(finding->message, messages[_i].message);
    job_free(&job);
}
END_TEST

START_TEST(keeps_a_name_that_is_set)
{
    struct job job = job_make("a");

    job.wishes->name = SLICE("other");
    job_form_again(&job);
    ck_slice_eq(job.gang.name, "other");
    job_free(&job);
}
END_TEST

/*
 * A start-order checker without stages and waves: it simulates a cluster. A role is created when
 * all its edges allow; its pods run when it is unmarked, or when as many marked pods exist as the
 * gang's minimum.
 */
struct replay {
    const struct gang *gang;
    bool created[8];
    bool open;
};

static bool
replay_runs(const struct replay *replay, size_t role)
{
    return replay->created[role] &&
           (replay->open || replay->gang->parts[role].membership == ROLE_OUTSIDE);
}

static bool
replay_may_create(const struct replay *replay, const struct role *role)
{
    for (size_t e = 0; e < role->num_dependencies; e++)
        if (!replay_runs(replay, role->dependencies[e].index))
            return false;
    return true;
}

static bool
replay_all_created(const struct gang *gang)
{
    struct replay replay = {.gang = gang};
    size_t done = 0;

    for (size_t round = 0; round <= 2 * gang->num_roles; round++) {
        int64_t exist = 0;

        done = 0;
        for (size_t i = 0; i < gang->num_roles; i++) {
            if (replay_may_create(&replay, &gang->roles[i]))
                replay.created[i] = true;
            done += replay.created[i];
            if (replay.created[i] && gang->parts[i].membership != ROLE_OUTSIDE)
                exist += gang->roles[i].count;
        }
        replay.open |= exist >= gang->minimum;
    }
    return done == gang->num_roles;
}

static uint32_t
next_random(uint64_t *state)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(*state >> 33);
}

static const char *
random_job(uint64_t *state)
{
    static const char *const labels[] = {
        "", "", "", "@trainer", "@dataset-initializer", "@model-initializer"};
    static char text[1024];
    size_t count = 1 + next_random(state) % 8;
    size_t len = 0;

    for (size_t i = 0; i < count; i++) {
        len += (size_t)snprintf(text + len, sizeof(text) - len, "%sr%zu*%u%s", i ? " " : "", i,
                                1 + next_random(state) % 3, labels[next_random(state) % 6]);
        for (size_t before = 0; before < i; before++)
            if (next_random(state) % 3 == 0)
                len += (size_t)snprintf(text + len, sizeof(text) - len, "<r%zu:%c", before,
                                        next_random(state) % 3 ? 'R' : 'C');
    }
    return text;
}

static bool
has_finding(const struct job *job, enum gang_code code)
{
    for (size_t i = 0; i < job->report.count; i++)
        if (job->report.items[i].code == code)
            return true;
    return false;
}

START_TEST(every_random_gang_can_start)
{
    uint64_t state = (uint64_t)_i + 1;
    int gangs_seen = 0;

    for (int n = 0; n < 250; n++) {
        struct job job = job_form(random_job(&state));

        ck_assert(!has_finding(&job, GANG_CODE_STRUCTURAL_DEADLOCK));
        if (!report_has_errors(&job.report)) {
            gangs_seen++;
            ck_assert_int_ge(job.gang.minimum, 1);
            ck_assert_int_eq(job.gang.members, job.gang.minimum + job.gang.late_members);
            ck_assert(replay_all_created(&job.gang));
        }
        job_free(&job);
    }
    ck_assert_int_gt(gangs_seen, 100);
}
END_TEST

START_TEST(reports_exactly_the_deadlocks_of_the_operator)
{
    uint64_t state = (uint64_t)_i + 5000;
    int stuck = 0;

    for (int n = 0; n < 250; n++) {
        struct job job = job_form_for(random_job(&state), COMPATIBILITY_KUBEFLOW_TRAINER);
        bool fills = replay_all_created(&job.gang);

        ck_assert_int_eq(has_finding(&job, GANG_CODE_STRUCTURAL_DEADLOCK), !fills);
        stuck += !fills;
        job_free(&job);
    }
    ck_assert_int_gt(stuck, 0);
    ck_assert_int_lt(stuck, 250);
}
END_TEST

/* Out of memory at any allocation: no crash, and the arena reports the failure. */
START_TEST(survives_every_failed_allocation)
{
    const size_t limit = 10 * 1024;
    bool failed = true;

    for (size_t filler = 0; failed && filler <= limit; filler += 32) {
        struct job job = job_make(
            "d@dataset-initializer node*2@trainer<d:C+cpu=1 b<node:R<ghost:R+cpu=2 c<b:R<c:R");
        struct arena *arena = arena_new(limit);

        arena_alloc(arena, limit - filler);
        job.report.arena = arena;
        job.gang = (struct gang){.wishes = NULL};
        wishes_order_roles(job.wishes, &job.report);
        gang_form(job.wishes, &job.gang, &job.report);
        failed = arena_failed(arena);
        arena_free(arena);
        arena_free(job.arena);
    }
    ck_assert(!failed);
}
END_TEST

void
add_tests(TCase *cases)
{
    add_rows(cases, forms_gangs_of_the_first_wave, gangs, roles);
    add_rows(cases, counts_elastic_and_staggered_roles, counted, roles);
    add_rows(cases, counts_all_pods_in_compatibility, staggered_operator_gangs, roles);
    add_rows(cases, knows_the_minimum_of_a_role, role_minima, roles);
    add_rows(cases, takes_a_minimum_that_can_fill, minima, roles, wish);
    tcase_add_loop_test(cases, handles_late_pods_as_the_policy_says, LATE_JOIN, LATE_REFUSE + 1);
    add_rows(cases, messages_name_what_declares_members, declared_messages, roles, choice);
    add_rows(cases, counts_as_the_operator_in_compatibility, operator_gangs, roles);
    tcase_add_loop_test(cases, counts_pods_that_exist_or_that_the_operator_sees, 0, 2);
    add_rows(cases, sums_requests_in_the_order_of_the_roles, sums, roles, mode);
    tcase_add_loop_test(cases, refuses_overflow_in_both_modes, 0, 2 * ITEMS_OF(overflows));
    tcase_add_test(cases, compatible_counts_are_those_of_the_operator);
    tcase_add_test(cases, late_members_count_for_the_limit);
    tcase_add_test(cases, pods_outside_do_not_overflow);
    add_rows(cases, empty_gang_messages, messages, roles);
    tcase_add_test(cases, keeps_a_name_that_is_set);
    tcase_add_loop_test(cases, every_random_gang_can_start, 0, seeds(40));
    tcase_add_loop_test(cases, reports_exactly_the_deadlocks_of_the_operator, 0, seeds(40));
    tcase_add_test(cases, survives_every_failed_allocation);
}
