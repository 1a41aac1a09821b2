/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/render/render.h"

#include "unit/suite.h"
#include "unit/plans.h"
#include "unit/typed.h"
#include "unit/resolutions.h"

/* ---- render ---- */

#define BOTH "{'volcano': {}, 'coscheduling': {}}"

/* What a decision without a gang renders to, and one with a gang. */
static const struct {
    const char *gang_policy, *policy;
    enum gang_outcome outcome;
    size_t objects;
} renders[] = {
    {"{'volcano': {}}", NULL, GANG_OUTCOME_GANG, 1},
    {"{'volcano': {}}", compatibility_policy, GANG_OUTCOME_GANG, 1},
    {"{'coscheduling': {}}", NULL, GANG_OUTCOME_GANG, 1},
    {"{'coscheduling': {}}", compatibility_policy, GANG_OUTCOME_GANG, 1},
    {"{}", NULL, GANG_OUTCOME_NO_GANG, 0},
    {"{}", compatibility_policy, GANG_OUTCOME_NO_GANG, 0},
    {BOTH, NULL, GANG_OUTCOME_INVALID, 0},
    {BOTH, compatibility_policy, GANG_OUTCOME_INVALID, 0},
    {"{'volcano': {}, 'vulcano': {}}", NULL, GANG_OUTCOME_INVALID, 0},
};

START_TEST(only_a_gang_has_objects_and_patches)
{
    struct run run = run_spelled(tune_runtime, "{'volcano': {}}", renders[_i].gang_policy,
                                 tune_trainjob, renders[_i].policy);
    struct gang_plan *plan = plan_of(&run);
    struct gang_blob *blob = blob_of(plan, GANG_TARGET_PLAN, GANG_FORMAT_JSON);
    const char *text = gang_blob_get_data(blob, NULL);

    ck_assert_int_eq(gang_decision_get_outcome(run.decision), renders[_i].outcome);
    ck_assert_uint_eq(gang_plan_num_objects(plan), renders[_i].objects);
    ck_assert_int_eq(
        strstr(text, "\"objects\":[],\"patches\":[],\"predictions\":[],\"losses\":[],") == NULL,
        renders[_i].objects > 0);
    ck_assert_int_eq(strstr(text, "\"gang\":{") != NULL, renders[_i].objects > 0);
    gang_blob_unref(blob);
    gang_plan_unref(plan);
    end_run(&run);
}
END_TEST

static const struct {
    bool has_decision, has_out;
    uint32_t flags;
    int result;
} misuses[] = {
    {false, true, 0, GANG_ERROR_INVALID_ARGUMENT},
    {true, false, 0, GANG_ERROR_INVALID_ARGUMENT},
    {true, true, 1, GANG_ERROR_UNSUPPORTED_FLAG},
    {true, true, 1u << 31, GANG_ERROR_UNSUPPORTED_FLAG},
};

START_TEST(misuse_is_refused)
{
    struct run run = run_spelled(tune_runtime, NULL, NULL, tune_trainjob, NULL);
    struct gang_plan *plan = (struct gang_plan *)run.decision; /* must be overwritten */
    struct gang_error *error = NULL;

    for (int with_error = 0; with_error < 2; with_error++)
        ck_assert_int_eq(gang_render(NULL, misuses[_i].has_decision ? run.decision : NULL,
                                     misuses[_i].flags, misuses[_i].has_out ? &plan : NULL,
                                     with_error ? &error : NULL),
                         misuses[_i].result);
    if (misuses[_i].has_out)
        ck_assert_ptr_null(plan);
    ck_assert_int_eq(gang_error_get_code(error), misuses[_i].result);
    ck_assert_int_eq(gang_diagnostic_get_code(gang_error_get_diagnostic(error, 0)),
                     GANG_CODE_API_MISUSE);
    gang_error_free(error);
    end_run(&run);
}
END_TEST

START_TEST(memory_for_a_plan_is_limited)
{
    struct run run = run_spelled(tune_runtime, NULL, NULL, tune_trainjob, NULL);
    struct gang_config *config = gang_config_new();
    struct gang_context *context = NULL;
    struct gang_plan *plan = NULL;
    struct gang_error *error = NULL;

    ck_assert_int_eq(gang_config_set_limit(config, GANG_LIMIT_MEMORY_BYTES, 1), GANG_OK);
    ck_assert_int_eq(gang_context_new(config, &context), GANG_OK);
    ck_assert_int_eq(gang_render(context, run.decision, 0, &plan, &error), GANG_ERROR_LIMIT);
    ck_assert_ptr_null(plan);
    ck_assert_int_eq(gang_diagnostic_get_code(gang_error_get_diagnostic(error, 0)),
                     GANG_CODE_LIMIT_MEMORY);
    gang_error_free(error);
    gang_context_unref(context);
    gang_config_free(config);
    end_run(&run);
}
END_TEST

#define TRAINER "{'name': 'node', 'replicas': 1,"

/* Patches of many roles outgrow the first block, and the limit lets no second one be. */
START_TEST(no_memory_for_the_patches_of_many_roles)
{
    char jobs[DOCUMENT_SIZE];
    size_t len = 0;
    struct gang_config *config = gang_config_new();
    struct gang_context *context = NULL;
    struct gang_plan *plan = NULL;
    struct gang_error *error = NULL;
    struct run run;

    for (int i = 0; i < 20; i++)
        len += (size_t)snprintf(jobs + len, sizeof(jobs) - len,
                                "{'name': 'role-%d', 'template': {'spec': {'template': {'spec': "
                                "{'containers': [{'name': 'node', 'image': 'i'}]}}}}}, ",
                                i);
    snprintf(jobs + len, sizeof(jobs) - len, "%s", TRAINER);
    run = run_spelled(tune_runtime, TRAINER, jobs, tune_trainjob, NULL);
    ck_assert_int_eq(gang_decision_get_outcome(run.decision), GANG_OUTCOME_GANG);
    ck_assert_int_eq(gang_config_set_limit(config, GANG_LIMIT_MEMORY_BYTES, 10 * 1024), GANG_OK);
    ck_assert_int_eq(gang_context_new(config, &context), GANG_OK);
    ck_assert_int_eq(gang_render(context, run.decision, 0, &plan, &error), GANG_ERROR_LIMIT);
    ck_assert_ptr_null(plan);
    gang_error_free(error);
    gang_context_unref(context);
    gang_config_free(config);
    end_run(&run);
}
END_TEST

START_TEST(references_are_counted)
{
    struct run run = run_spelled(tune_runtime, NULL, NULL, tune_trainjob, NULL);
    struct gang_plan *plan = plan_of(&run);

    ck_assert_ptr_eq(gang_plan_ref(plan), plan);
    end_run(&run);
    gang_plan_unref(plan);
    ck_assert_uint_eq(gang_plan_num_objects(plan), 1);
    gang_plan_unref(plan);
}
END_TEST

START_TEST(null_is_accepted)
{
    ck_assert_ptr_null(gang_plan_ref(NULL));
    ck_assert_uint_eq(gang_plan_num_objects(NULL), 0);
    gang_plan_unref(NULL);
}
END_TEST

/* The PodGroup is owned by its Workload once that is there; other backends have one object. */
START_TEST(a_second_phase_names_the_first_object)
{
    static const struct {
        const char *gang_policy;
        const char *uid;
        bool owned;
    } phases[] = {{"{'workload': {}}", "5f6b", true},
                  {"{'workload': {}}", "", false},
                  {"{'volcano': {}}", "5f6b", false}};

    for (int i = 0; i < ITEMS_OF(phases); i++) {
        struct run run = run_spelled(tune_runtime, "{'volcano': {}}", phases[i].gang_policy,
                                     tune_trainjob, NULL);
        char uid[16];
        struct gang_inputs *inputs = gang_inputs_new();
        struct gang_decision *decision = NULL;
        struct gang_plan *plan = NULL;
        struct gang_blob *blob;

        strcpy(uid, phases[i].uid);
        ck_assert_int_eq(gang_inputs_add(inputs, document_of(run.runtime)), GANG_OK);
        ck_assert_int_eq(gang_inputs_set_created_uid(inputs, "another"), GANG_OK);
        ck_assert_int_eq(gang_inputs_set_created_uid(inputs, uid), GANG_OK);
        memset(uid, 'x', sizeof(uid)); /* the inputs have their own copy */
        ck_assert_int_eq(gang_resolve(NULL, document_of(run.trainjob), inputs, 0, &decision, NULL),
                         GANG_OK);
        gang_inputs_free(inputs); /* and so has the decision */
        ck_assert_int_eq(gang_render(NULL, decision, 0, &plan, NULL), GANG_OK);
        blob = blob_of(plan, GANG_TARGET_OBJECTS, GANG_FORMAT_JSON);
        ck_assert_int_eq(strstr(gang_blob_get_data(blob, NULL), "\"uid\":\"5f6b\"") != NULL,
                         phases[i].owned);
        gang_blob_unref(blob);
        gang_plan_unref(plan);
        gang_decision_unref(decision);
        end_run(&run);
    }
}
END_TEST

/* ---- output ---- */

#define OWNER                                                                                      \
    "'ownerReferences':[{'apiVersion':'trainer.kubeflow.org/"                                      \
    "v1alpha1','kind':'TrainJob','name':'llama',"                                                  \
    "'uid':'u-1','controller':true,'blockOwnerDeletion':true}]"
#define NAMED "'metadata':{'name':'llama','namespace':'ml'"
#define V "'defaultBackend':'volcano'"

/* The metadata of the PodGroup. */
static const struct {
    const char *policy, *metadata;
} outputs[] = {
    {V, NAMED "," OWNER "}"},
    {V ",'output':{}", NAMED "," OWNER "}"},
    {V ",'output':{'labels':{'b':'2','a':'1'}}", NAMED ",'labels':{'a':'1','b':'2'}," OWNER "}"},
    {V ",'output':{'annotations':{'z':'2','x.io/y':'1'}}",
     NAMED ",'annotations':{'x.io/y':'1','z':'2'}," OWNER "}"},
    {V ",'output':{'labels':{'a':'1'},'annotations':{'b':'2'}}",
     NAMED ",'labels':{'a':'1'},'annotations':{'b':'2'}," OWNER "}"},
    {V ",'output':{'ownerReferences':'Never'}", NAMED "}"},
    {V ",'output':{'ownerReferences':'IfUID'}", NAMED "," OWNER "}"},
    {V ",'output':{'policyStamp':'None'}", NAMED "," OWNER "}"},
};

static void
check_objects(const struct run *run, const char *expected)
{
    struct gang_plan *plan = plan_of(run);
    struct gang_blob *blob = blob_of(plan, GANG_TARGET_OBJECTS, GANG_FORMAT_JSON);
    char spelled[DOCUMENT_SIZE];

    ck_assert_msg(strstr(gang_blob_get_data(blob, NULL), spell(spelled, expected)), "%s",
                  gang_blob_get_data(blob, NULL));
    gang_blob_unref(blob);
    gang_plan_unref(plan);
}

START_TEST(metadata_of_the_objects)
{
    const struct resolution row = {outputs[_i].policy, "", NULL, 0, "", ""};
    struct run run = run_resolution(&row);

    check_objects(&run, outputs[_i].metadata);
    end_run(&run);
}
END_TEST

/* The stamp is among the policy's own annotations, in order. */
START_TEST(the_stamp_of_the_policy)
{
    const struct resolution row = {
        V ",'output':{'policyStamp':'Annotation','annotations':{'a':'1','z':'2'}}",
        "",
        NULL,
        0,
        "",
        ""};
    struct run run = run_resolution(&row);
    char expected[DOCUMENT_SIZE];

    ck_assert(slice_has_prefix(run.policy->stamp, SLICE("p@")));
    snprintf(expected, sizeof(expected),
             "'annotations':{'a':'1','policy.libgang.dev/policy':'%.*s','z':'2'}",
             SLICE_ARG(run.policy->stamp));
    check_objects(&run, expected);
    end_run(&run);
}
END_TEST

/* What a backend sets itself stays as it set it. */
START_TEST(the_backends_own_keys_stay)
{
    const struct resolution row = {
        V ",'output':{'labels':{'a':'policy','b':'policy'}}", "", NULL, 0, "", ""};
    struct run run = run_resolution(&row);
    struct arena *arena = arena_new(0);
    struct plan_content content = {.arena = arena};
    struct builder manifest = build_map(arena);
    struct builder metadata = build_map_member(&manifest, SLICE("metadata"));
    struct builder labels;

    build_string(&metadata, SLICE("name"), SLICE("n"));
    labels = build_map_member(&metadata, SLICE("labels"));
    build_string(&labels, SLICE("b"), SLICE("own"));
    build_string(&labels, SLICE("c"), SLICE("own"));
    plan_add_object(&content, manifest.node);
    output_apply(run.policy, &content);
    ck_slice_eq(node_string(node_at(content.objects[0].manifest, "metadata.labels.a")), "policy");
    ck_slice_eq(node_string(node_at(content.objects[0].manifest, "metadata.labels.b")), "own");
    ck_slice_eq(node_string(node_at(content.objects[0].manifest, "metadata.labels.c")), "own");
    ck_assert_uint_eq(node_count(node_at(content.objects[0].manifest, "metadata.labels")), 3);
    ck_slice_eq(node_string(node_at(content.objects[0].manifest, "metadata.name")), "n");
    arena_free(arena);
    end_run(&run);
}
END_TEST

/* Without owner references a missing uid is not reported. */
static const struct {
    const char *policy;
    bool is_told;
} owners[] = {{V, true}, {V ",'output':{'ownerReferences':'Never'}", false}};

START_TEST(a_missing_uid_matters_to_references)
{
    char policy[DOCUMENT_SIZE];
    struct run again;
    bool is_told = false;

    resolution_write(RESOLUTION_POLICY, owners[_i].policy, policy);
    again = run_spelled(tune_runtime, NULL, NULL, tune_trainjob, NULL);
    ck_assert_int_eq(parse_policy(NULL, policy, strlen(policy), 0, &again.policy, NULL), GANG_OK);
    gang_decision_unref(again.decision);
    again.decision = NULL;
    ck_assert_int_eq(resolve_trainjob_with(NULL, again.runtime, again.trainjob, again.policy, NULL,
                                           0, &again.decision, NULL),
                     GANG_OK);
    for (size_t i = 0; i < run_num_findings(&again); i++)
        is_told |= gang_diagnostic_get_code(run_finding(&again, i)) == GANG_CODE_NO_OWNER_UID;
    ck_assert_int_eq(is_told, owners[_i].is_told);
    end_run(&again);
}
END_TEST

void
add_tests(TCase *cases)
{
    tcase_add_test(cases, a_second_phase_names_the_first_object);
    add_rows(cases, only_a_gang_has_objects_and_patches, renders, gang_policy, policy);
    add_rows(cases, misuse_is_refused, misuses, has_decision, has_out, flags);
    tcase_add_test(cases, memory_for_a_plan_is_limited);
    tcase_add_test(cases, no_memory_for_the_patches_of_many_roles);
    tcase_add_test(cases, references_are_counted);
    tcase_add_test(cases, null_is_accepted);
    add_rows(cases, metadata_of_the_objects, outputs, policy);
    tcase_add_test(cases, the_stamp_of_the_policy);
    tcase_add_test(cases, the_backends_own_keys_stay);
    add_rows(cases, a_missing_uid_matters_to_references, owners, policy);
}
