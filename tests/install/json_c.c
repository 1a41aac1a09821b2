/* SPDX-License-Identifier: Apache-2.0 */
/* A caller with trees of json-c, against the installed libraries alone. */
#include <stdio.h>
#include <string.h>

#include <gang/gang-json-c.h>
#include <json-c/json.h>

static const char job_text[] =
    "{\"apiVersion\":\"batch/v1\",\"kind\":\"Job\",\"metadata\":{\"name\":\"consumer\","
    "\"namespace\":\"ml\"},\"spec\":{\"completionMode\":\"Indexed\",\"parallelism\":3,"
    "\"completions\":3,\"template\":{\"spec\":"
    "{\"containers\":[{\"name\":\"node\",\"image\":\"train\"}],\"restartPolicy\":\"Never\"}}}}";

static const char policy_text[] =
    "{\"apiVersion\":\"policy.libgang.dev/v1alpha1\",\"kind\":\"GangPolicy\",\"metadata\":"
    "{\"name\":\"p\"},\"spec\":{\"backends\":[{\"name\":\"volcano\",\"type\":\"Volcano\"}],"
    "\"defaultBackend\":\"volcano\"}}";

int
main(void)
{
    struct json_object *job_tree = json_tokener_parse(job_text);
    struct json_object *policy_tree = json_tokener_parse(policy_text);
    struct json_object *objects = NULL;
    struct gang_document *job = NULL;
    struct gang_document *policy = NULL;
    struct gang_inputs *inputs = gang_inputs_new();
    struct gang_decision *decision = NULL;
    struct gang_plan *plan = NULL;
    int wrong;

    if (gang_document_parse_json_c(NULL, job_tree, 0, &job, NULL) < 0 ||
        gang_document_parse_json_c(NULL, policy_tree, 0, &policy, NULL) < 0 ||
        gang_inputs_add(inputs, policy) < 0 ||
        gang_resolve(NULL, job, inputs, 0, &decision, NULL) < 0 ||
        gang_render(NULL, decision, 0, &plan, NULL) < 0 ||
        gang_plan_to_json_c(NULL, plan, GANG_TARGET_OBJECTS, &objects, NULL) < 0)
        return 2;
    wrong = strstr(json_object_to_json_string_ext(objects, JSON_C_TO_STRING_PLAIN),
                   "\"minMember\":3") == NULL;
    json_object_put(objects);
    gang_plan_unref(plan);
    gang_decision_unref(decision);
    gang_inputs_free(inputs);
    gang_document_unref(policy);
    gang_document_unref(job);
    json_object_put(policy_tree);
    json_object_put(job_tree);
    return wrong;
}
