/* SPDX-License-Identifier: Apache-2.0 */

#include "libgang/trainer/trainer.h"

#include "unit/suite.h"
#include "unit/front.h"
#include "unit/documents.h"

/* ---- jobset rules ---- */

/* Expected values follow ValidateCreate in pkg/webhooks/jobset_webhook.go of jobset v0.12.0. */
#define JOB(index) "spec.template.spec.replicatedJobs[" index "]"
#define DEPENDS(name) "'dependsOn':[{'name':" name ",'status':'Ready'}],"
#define BARE(name) ROLE(name, "", PLAIN, "", NODE_POD)
#define WAITS(name, on) ROLE(name, DEPENDS(on), PLAIN, "", NODE_POD)

static const struct remark dependencies[] = {
    {RUNTIME("", "{'name':'a','dependsOn':@[{'name':'b','status':'Ready'}],'template':{'spec':{'"
                 "template':{'"
                 "spec':{" NODE_POD "}}}}}," BARE("b")),
     TRAINJOB(""), GANG_CODE_DEPENDENCY_RULE, JOB("0") ".dependsOn"},
    {RUNTIME("", ROLE("a", "'dependsOn':[@{'name':'b','status':'Ready'}],", PLAIN, "",
                      NODE_POD) "," BARE("b")),
     TRAINJOB(""), GANG_CODE_DEPENDENCY_RULE, JOB("0") ".dependsOn[0]"},
    {RUNTIME("",
             BARE("a") "," ROLE(
                 "b", "'dependsOn':[{'name':'a','status':'Ready'},@{'name':'c','status':'Ready'}],",
                 PLAIN, "", NODE_POD) "," BARE("c")),
     TRAINJOB(""), GANG_CODE_DEPENDENCY_RULE, JOB("1") ".dependsOn[1]"},
};

START_TEST(roles_depend_on_roles_before_them)
{
    check_remark(&dependencies[_i], COMPATIBILITY_NONE, GANG_SEVERITY_ERROR);
    check_remark(&dependencies[_i], COMPATIBILITY_KUBEFLOW_TRAINER, GANG_SEVERITY_WARNING);
}
END_TEST

static const struct remark good_dependencies[] = {
    {RUNTIME("", BARE("a") "," WAITS("b", "'a'")), TRAINJOB(""), GANG_CODE_DEPENDENCY_RULE, NULL},
    {RUNTIME("", BARE("a") "," BARE("b") "," WAITS("c", "'a'")), TRAINJOB(""),
     GANG_CODE_DEPENDENCY_RULE, NULL},
    /* an empty list is left out of the JobSet that the operator writes */
    {RUNTIME("", ROLE("a", "'dependsOn':[],", PLAIN, "", NODE_POD) "," BARE("b")), TRAINJOB(""),
     GANG_CODE_DEPENDENCY_RULE, NULL},
};

START_TEST(good_dependencies_pass)
{
    check_no_remark(&good_dependencies[_i], COMPATIBILITY_NONE);
}
END_TEST

/* The webhook's set of names holds the role itself already; a name that no role has is another
 * finding's. */
static const char *const left_to_others[] = {
    RUNTIME("", BARE("a") "," WAITS("b", "'b'")),
    RUNTIME("", BARE("a") "," WAITS("b", "'nobody'")),
};

START_TEST(leaves_cycles_and_unknown_names_to_the_gang)
{
    struct front front;

    front_open(&front, left_to_others[_i], TRAINJOB(""), COMPATIBILITY_NONE);
    front.report.count = 0;
    jobset_rules_check(&front.job, &front.wishes, &front.report);
    ck_assert_uint_eq(front.report.count, 0);
    front_close(&front);
}
END_TEST

static const struct {
    const char *name;
    bool good;
} role_names[] = {
    {"a", true},    {"1", true},          {"a-b", true},  {"-a", true},   {"a-", true},
    {"0a9z", true}, {"A", false},         {"a.b", false}, {"a_b", false}, {"a b", false},
    {"aB", false},  {"a\xc3\xa4", false}, {"a/b", false}, {"a:b", false},
};

/*
 * `<trainjob>-<role>-<index>` must be a DNS-1035 label; the text around the role makes its ends
 * valid.
 */
START_TEST(role_names_are_parts_of_labels)
{
    char runtime[DOCUMENT_SIZE];
    struct remark remark = {runtime, TRAINJOB(""), GANG_CODE_INVALID_ROLE_NAME, JOB("0") ".name"};

    snprintf(runtime, sizeof(runtime),
             RUNTIME("", "{'name':@'%s','template':{'spec':{'template':{'spec':{" NODE_POD "}}}}}"),
             role_names[_i].name);
    if (role_names[_i].good) {
        check_no_remark(&remark, COMPATIBILITY_NONE);
    } else {
        check_remark(&remark, COMPATIBILITY_NONE, GANG_SEVERITY_ERROR);
        check_remark(&remark, COMPATIBILITY_KUBEFLOW_TRAINER, GANG_SEVERITY_WARNING);
    }
}
END_TEST

/*
 * Longest names: <trainjob>-<role>-<replica>-<pod>-abcde for Indexed jobs, JobSet's default, and
 * <trainjob>-<role>-<replica> for others. At 63 characters they pass.
 */
static const struct {
    size_t trainjob; /* characters of its name */
    size_t role;
    int replicas;
    int parallelism;
    const char *mode;
    size_t too_many; /* characters above 63 */
} lengths[] = {
    /* 1 + 4 + 1 + 1 + 1 + 1 + 6 = 15 beside the trainjob */
    {48, 4, 1, 1, "", 0},
    {49, 4, 1, 1, "", 1},
    {47, 4, 1, 1, "", 0},
    {52, 4, 1, 1, "", 4},
    {44, 8, 1, 1, "", 0},
    {44, 9, 1, 1, "", 1},
    /* digits of the last pod */
    {48, 4, 1, 10, "", 0},
    {48, 4, 1, 11, "", 1},
    {47, 4, 1, 100, "", 0},
    {47, 4, 1, 101, "", 1},
    {46, 4, 1, 1000, "", 0},
    /* digits of the last replica */
    {48, 4, 10, 1, "", 0},
    {48, 4, 11, 1, "", 1},
    {47, 4, 11, 11, "", 1},
    {46, 4, 11, 11, "", 0},
    {48, 4, 0, 1, "", 0},
    /* not indexed: 1 + 4 + 1 + 1 = 7 beside the trainjob */
    {56, 4, 1, 1, "'completionMode':'NonIndexed',", 0},
    {57, 4, 1, 1, "'completionMode':'NonIndexed',", 1},
    {56, 4, 1, 1000, "'completionMode':'NonIndexed',", 0},
    {55, 4, 11, 1, "'completionMode':'NonIndexed',", 0},
    {56, 4, 11, 1, "'completionMode':'NonIndexed',", 1},
    {48, 4, 1, 1, "'completionMode':'Indexed',", 0},
    {49, 4, 1, 1, "'completionMode':'Indexed',", 1},
};

static const char *
name_of_length(char out[64], size_t length)
{
    memset(out, 'a', length);
    out[length] = '\0';
    return out;
}

START_TEST(generated_names_have_63_characters)
{
    char runtime[DOCUMENT_SIZE];
    char trainjob[DOCUMENT_SIZE];
    char name[64];
    char role[64];
    char hint[64];
    struct remark remark = {runtime, trainjob, GANG_CODE_DERIVED_NAME_TOO_LONG, "metadata.name"};
    struct front front;

    snprintf(runtime, sizeof(runtime),
             RUNTIME("", ROLE("%s", "'replicas':%d,", PLAIN, "%s'parallelism':%d,", NODE_POD)),
             name_of_length(role, lengths[_i].role), lengths[_i].replicas, lengths[_i].mode,
             lengths[_i].parallelism);
    snprintf(trainjob, sizeof(trainjob), TRAINJOB_NAMED("@'%s'", "'tune'", ""),
             name_of_length(name, lengths[_i].trainjob));
    if (!lengths[_i].too_many) {
        check_no_remark(&remark, COMPATIBILITY_NONE);
        return;
    }
    check_remark(&remark, COMPATIBILITY_NONE, GANG_SEVERITY_ERROR);
    check_remark(&remark, COMPATIBILITY_KUBEFLOW_TRAINER, GANG_SEVERITY_WARNING);
    front_open(&front, runtime, trainjob, COMPATIBILITY_NONE);
    front.report.count = 0;
    jobset_rules_check(&front.job, &front.wishes, &front.report);
    snprintf(hint, sizeof(hint), "shorten it by %zu characters", lengths[_i].too_many);
    ck_assert_uint_eq(front.report.count, 1);
    ck_assert_str_eq(front.report.items[0].hint, hint);
    front_close(&front);
}
END_TEST

/* The number of pods is the one that the operator writes, not the template's. */
START_TEST(num_nodes_decide_the_last_pod)
{
    struct remark remark = {RUNTIME("", NODE_ROLE), NULL, GANG_CODE_DERIVED_NAME_TOO_LONG,
                            "metadata.name"};

    remark.trainjob = TRAINJOB_NAMED("'a12345678901234567890123456789012345678901234567'", "'tune'",
                                     TRAINER("'numNodes':10"));
    check_no_remark(&remark, COMPATIBILITY_NONE);
    remark.trainjob = TRAINJOB_NAMED("@'a12345678901234567890123456789012345678901234567'",
                                     "'tune'", TRAINER("'numNodes':11"));
    check_remark(&remark, COMPATIBILITY_NONE, GANG_SEVERITY_ERROR);
}
END_TEST

/*
 * validateCoordinator, of the JobSet that the operator writes: numNodes are the completions of the
 * trainer. validateCoordinatorLabelValue: <trainjob>-node-0-0.<trainjob> has 63 characters at most.
 */
#define COORDINATED(members, more)                                                                 \
    RUNTIME("", NODE_ROLE "],'coordinator':{'replicatedJob':'node'" members "}," more              \
                          "'volumeClaimPolicies':[")
#define NAME_26 "abcdefghijklmnopqrstuvwxyz"

static const struct remark coordinators[] = {
    {COORDINATED(",'jobIndex':@1", ""), NODES("1"), GANG_CODE_REFUSED_BY_OPERATOR,
     "spec.template.spec.coordinator.jobIndex"},
    {COORDINATED(",'podIndex':@1", ""), NODES("1"), GANG_CODE_REFUSED_BY_OPERATOR,
     "spec.template.spec.coordinator.podIndex"},
    {COORDINATED(",'podIndex':@2", ""), NODES("2"), GANG_CODE_REFUSED_BY_OPERATOR,
     "spec.template.spec.coordinator.podIndex"},
    {COORDINATED("", ""), TRAINJOB_NAMED("@'" NAME_26 "a'", "'tune'", ""),
     GANG_CODE_DERIVED_NAME_TOO_LONG, "metadata.name"},
    {COORDINATED(",'podIndex':100", ""),
     TRAINJOB_NAMED("@'" NAME_26 "'", "'tune'", TRAINER("'numNodes':101")),
     GANG_CODE_DERIVED_NAME_TOO_LONG, "metadata.name"},
    {COORDINATED("", "'network':{'subdomain':'" NAME_26 "ab'},"),
     TRAINJOB_NAMED("@'" NAME_26 "'", "'tune'", ""), GANG_CODE_DERIVED_NAME_TOO_LONG,
     "metadata.name"},
};

START_TEST(coordinator_is_a_pod_of_the_jobset)
{
    check_remark(&coordinators[_i], COMPATIBILITY_NONE, GANG_SEVERITY_ERROR);
    /* as the operator, which sends the JobSet to the API server and writes the PodGroup */
    check_remark(&coordinators[_i], COMPATIBILITY_KUBEFLOW_TRAINER, GANG_SEVERITY_WARNING);
}
END_TEST

static const struct remark good_coordinators[] = {
    {COORDINATED(",'podIndex':2", ""), NODES("3"), GANG_CODE_REFUSED_BY_OPERATOR, NULL},
    {COORDINATED("", ""), TRAINJOB_NAMED("'" NAME_26 "'", "'tune'", ""),
     GANG_CODE_DERIVED_NAME_TOO_LONG, NULL},
    {COORDINATED("", "'network':{'subdomain':'net'},"),
     TRAINJOB_NAMED("'" NAME_26 "abcdefghijklmnopqrstuv'", "'tune'", ""),
     GANG_CODE_DERIVED_NAME_TOO_LONG, NULL},
};

START_TEST(good_coordinators_pass)
{
    check_no_remark(&good_coordinators[_i], COMPATIBILITY_NONE);
}
END_TEST

/* The name of the job stands twice in <trainjob>-node-0-0.<trainjob>, and once before a subdomain.
 */
static const struct {
    const char *runtime;
    const char *trainjob;
    const char *message; /* the end of it */
    const char *hint;
} refused_coordinators[] = {
    {COORDINATED("", ""), TRAINJOB_NAMED("'" NAME_26 "abcd'", "'tune'", ""),
     "role node will have 70 characters, more than 63", "shorten it by 4 characters"},
    {COORDINATED("", "'network':{'subdomain':'" NAME_26 "abcd'},"),
     TRAINJOB_NAMED("'" NAME_26 "abcd'", "'tune'", ""),
     "role node will have 70 characters, more than 63", "shorten it by 7 characters"},
    {COORDINATED(",'podIndex':2", ""), NODES("2"), "podIndex 2 is invalid for replicatedJob node",
     NULL},
};

START_TEST(coordinators_say_what_is_wrong)
{
    const char *wanted = refused_coordinators[_i].message;
    struct front front;
    const char *found;

    front_open(&front, refused_coordinators[_i].runtime, refused_coordinators[_i].trainjob,
               COMPATIBILITY_NONE);
    front.report.count = 0;
    jobset_rules_check(&front.job, &front.wishes, &front.report);
    ck_assert_uint_eq(front.report.count, 1);
    found = front.report.items[0].message;
    ck_assert_uint_ge(strlen(found), strlen(wanted));
    ck_assert_str_eq(found + strlen(found) - strlen(wanted), wanted);
    ck_assert_pstr_eq(front.report.items[0].hint, refused_coordinators[_i].hint);
    front_close(&front);
}
END_TEST

/* A runtime that is sound by itself, and a patch that breaks a rule: the JobSet is judged as it
 * became. */
static const struct remark patched[] = {
    {RUNTIME("", BARE("a") "," BARE("b")),
     TRAINJOB(PATCHES(PATCH_JOBS("x", "{'name':'C','template':{}}"))), GANG_CODE_INVALID_ROLE_NAME,
     "spec.runtimePatches[0].trainingRuntimeSpec.template.spec.replicatedJobs[0].name"},
};

START_TEST(patched_jobset_is_checked_again)
{
    struct front front;
    bool found = false;

    front_open(&front, patched[_i].runtime, patched[_i].trainjob, COMPATIBILITY_KUBEFLOW_TRAINER);
    ck_assert(front.runtime->jobset_is_sound);
    jobset_rules_check(&front.job, &front.wishes, &front.report);
    for (size_t i = 0; i < front.report.count; i++)
        found |= front.report.items[i].code == patched[_i].code &&
                 strcmp(front.report.items[i].path, patched[_i].path) == 0;
    ck_assert(found);
    front_close(&front);
}
END_TEST

/* One rule of each kind: a runtime that violates it is invalid, and every job reports it. */
static const char *const unsound[] = {
    RUNTIME("", BARE("A")),
    RUNTIME("", WAITS("a", "'b'") "," BARE("b")),
    RUNTIME("", ROLE("a", "'groupName':'1st',", PLAIN, "", NODE_POD)),
};

START_TEST(invalid_runtime_is_checked_for_each_job)
{
    struct front front;

    front_open(&front, unsound[_i], TRAINJOB(""), COMPATIBILITY_NONE);
    ck_assert(!front.runtime->jobset_is_sound);
    front.report.count = 0;
    jobset_rules_check(&front.job, &front.wishes, &front.report);
    ck_assert_uint_gt(front.report.count, 0);
    front_close(&front);
}
END_TEST

/* ---- jobset references ---- */

#define SPEC "    spec:\n      replicatedJobs:"
#define WITH(line) "    spec:\n      " line "\n      replicatedJobs:"
#define TEMPLATE "spec.template.spec."

static const struct document_case refused[] = {
    {SPEC, WITH("successPolicy: {operator: All, targetReplicatedJobs: [nodes]}"),
     GANG_CODE_UNKNOWN_ROLE, TEMPLATE "successPolicy.targetReplicatedJobs[0]", 13, 61},
    {SPEC,
     WITH("failurePolicy: {rules: [{name: a, action: FailJobSet, targetReplicatedJobs: [data, "
          "nodes]}]}"),
     GANG_CODE_UNKNOWN_ROLE, TEMPLATE "failurePolicy.rules[0].targetReplicatedJobs[1]", 13, 90},
    {SPEC, WITH("coordinator: {replicatedJob: nodes}"), GANG_CODE_UNKNOWN_ROLE,
     TEMPLATE "coordinator.replicatedJob", 13, 36},
    {SPEC, WITH("network: {subdomain: Net}"), GANG_CODE_INVALID_ROLE_NAME,
     TEMPLATE "network.subdomain", 13, 28},
    {SPEC, WITH("network: {subdomain: a.b}"), GANG_CODE_INVALID_ROLE_NAME,
     TEMPLATE "network.subdomain", 13, 28},
    {"      - name: data\n", "      - name: data\n        groupName: 1st\n",
     GANG_CODE_INVALID_ROLE_NAME, TEMPLATE "replicatedJobs[0].groupName", 15, 20},
};

static const char as_upstream[] =
    "{\"apiVersion\":\"policy.libgang.dev/v1alpha1\",\"kind\":\"GangPolicy\","
    "\"metadata\":{\"name\":\"a\"},\"spec\":{\"compatibility\":\"KubeflowTrainer\"}}";

START_TEST(refuses_like_jobset_webhook)
{
    char text[DOCUMENT_SIZE];

    NEEDS_YAML();
    with_change(text, good_runtime, refused[_i].find, refused[_i].replace);
    check_wanted(run_texts(text, good_trainjob, NULL), &refused[_i], GANG_SEVERITY_ERROR);
    check_wanted(run_texts(text, good_trainjob, as_upstream), &refused[_i], GANG_SEVERITY_WARNING);
}
END_TEST

static const char *const accepted[] = {
    "successPolicy: {operator: All, targetReplicatedJobs: [node, data]}",
    "failurePolicy: {rules: [{name: a, action: FailJobSet, targetReplicatedJobs: [node]}]}",
    "coordinator: {replicatedJob: node}",
    "network: {subdomain: net}",
    "network: {}",
};

START_TEST(accepts_names_that_exist)
{
    char text[DOCUMENT_SIZE];
    char line[256];
    struct run run;

    NEEDS_YAML();
    snprintf(line, sizeof(line), "    spec:\n      %s\n      replicatedJobs:", accepted[_i]);
    run = run_texts(with_change(text, good_runtime, SPEC, line), good_trainjob, NULL);
    ck_assert_int_eq(run.result, GANG_OK);
    end_run(&run);
}
END_TEST

void
add_tests(TCase *cases)
{
    add_rows(cases, patched_jobset_is_checked_again, patched, runtime, trainjob);
    add_items(cases, invalid_runtime_is_checked_for_each_job, unsound);
    add_rows(cases, roles_depend_on_roles_before_them, dependencies, runtime, trainjob);
    add_rows(cases, good_dependencies_pass, good_dependencies, runtime, trainjob);
    add_items(cases, leaves_cycles_and_unknown_names_to_the_gang, left_to_others);
    add_rows(cases, role_names_are_parts_of_labels, role_names, name);
    add_rows(cases, generated_names_have_63_characters, lengths, mode, trainjob, replicas);
    tcase_add_test(cases, num_nodes_decide_the_last_pod);
    add_rows(cases, refuses_like_jobset_webhook, refused, find, replace);
    add_rows(cases, coordinator_is_a_pod_of_the_jobset, coordinators, runtime, trainjob);
    tcase_add_loop_test(cases, coordinators_say_what_is_wrong, 0, COUNT_OF(refused_coordinators));
    add_rows(cases, good_coordinators_pass, good_coordinators, runtime, trainjob);
    add_items(cases, accepts_names_that_exist, accepted);
}
