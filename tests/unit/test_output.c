/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/render/render.h"

#include "unit/resolutions.h"
#include "unit/typed.h"

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

/* The stamp stands among the policy's own annotations, in order. */
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

/* Who wants no owner references is not told that there is no uid for them. */
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
    add_rows(cases, metadata_of_the_objects, outputs, policy);
    tcase_add_test(cases, the_stamp_of_the_policy);
    tcase_add_test(cases, the_backends_own_keys_stay);
    add_rows(cases, a_missing_uid_matters_to_references, owners, policy);
}
