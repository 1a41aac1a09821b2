/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/trainer/jobset_rules.h"

#include "unit/documents.h"
#include "unit/suite.h"

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

START_TEST(refuses_what_jobset_would)
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
    add_rows(cases, refuses_what_jobset_would, refused, find, replace);
    add_items(cases, accepts_names_that_exist, accepted);
}
