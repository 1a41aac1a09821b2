/* SPDX-License-Identifier: Apache-2.0 */
/* tests/golden/picture_model.py checks the layout of every golden case. */
#include "unit/plans.h"
#include "unit/suite.h"

static const char denying_policy[] =
    "{'apiVersion': 'policy.libgang.dev/v1alpha1',\n"
    " 'kind': 'GangPolicy',\n"
    " 'metadata': {'name': 'lab'},\n"
    " 'spec': {'rules': [{'name': 'closed', 'match': {}, 'action': 'Deny',\n"
    "  'message': 'no <b>jobs</b> & no gangs'}]}}\n";

/* Of 48 characters with 15 pixels, 38 fit into a line of 580; letters are narrower. */
static const char wide_policy[] =
    "{'apiVersion': 'policy.libgang.dev/v1alpha1',\n"
    " 'kind': 'GangPolicy',\n"
    " 'metadata': {'name': 'lab'},\n"
    " 'spec': {'rules': [{'name': 'closed', 'match': {}, 'action': 'Deny',\n"
    "  'message': '训练任务训练任务训练任务训练任务训练任务训练任务训练任务训练任务"
    "训练任务训练任务训练任务训练任务'}]}}\n";

static const char skipping_policy[] = "{'apiVersion': 'policy.libgang.dev/v1alpha1',\n"
                                      " 'kind': 'GangPolicy',\n"
                                      " 'metadata': {'name': 'lab'},\n"
                                      " 'spec': {'rules': [{'name': 'open', 'match': {},\n"
                                      "  'action': 'Skip'}]}}\n";

static struct gang_blob *
draw(const struct run *run)
{
    struct gang_blob *blob = NULL;
    struct gang_error *error = NULL;

    ck_assert_int_eq(
        gang_decision_serialize(NULL, run->decision, GANG_FORMAT_SVG, 0, &blob, &error), GANG_OK);
    ck_assert_ptr_null(error);
    return blob;
}

static const struct {
    const char *runtime, *find, *replace, *trainjob, *policy;
    const char *shown;
    const char *not_shown; /* NULL: nothing */
} pictures[] = {
    {tune_runtime, NULL, NULL, tune_trainjob, NULL, ">ml/llama: Gang</text>", "class=\"bad\""},
    {tune_runtime, NULL, NULL, tune_trainjob, NULL,
     ">1 of 3 pods start together or not at all</text>", NULL},
    {tune_runtime, NULL, NULL, tune_trainjob, NULL, ">stage 1</text>", ", wave"},
    {tune_runtime, NULL, NULL, tune_trainjob, NULL, ">waits for 2 roles</text>", NULL},
    {tune_runtime, NULL, NULL, tune_trainjob, NULL,
     "<title>node: 1 pod, in the gang, each requests nvidia.com/gpu 2; after dataset-initializer "
     "is Complete, model-initializer is Complete</title>",
     NULL},
    {tune_runtime, NULL, NULL, tune_trainjob, compatibility_policy, "class=\"wait\"", NULL},
    {tune_runtime, NULL, NULL, tune_trainjob, compatibility_policy, "class=\"bad\" x=\"20\"", NULL},
    {plain_runtime, NULL, NULL, plain_trainjob, NULL, ">2 pods, in the gang</text>", "stage"},
    {plain_runtime, NULL, NULL, plain_trainjob, denying_policy,
     "no &lt;b&gt;jobs&lt;/b&gt; &amp; no gangs", "<b>"},
    {plain_runtime, NULL, NULL, plain_trainjob, denying_policy, ">ml/llama: Denied</text>", NULL},
    {plain_runtime, NULL, NULL, plain_trainjob, wide_policy,
     "训练</text>\n<text class=\"bad\" x=\"20\" y=\"92\">任务", NULL},
    {plain_runtime, NULL, NULL, plain_trainjob, skipping_policy, ">ml/llama: NoGang</text>",
     "class=\"frame\""},
};

START_TEST(shows_the_decision_in_words)
{
    struct run run = run_spelled(pictures[_i].runtime, pictures[_i].find, pictures[_i].replace,
                                 pictures[_i].trainjob, pictures[_i].policy);
    struct gang_blob *blob = draw(&run);
    size_t len;
    const char *svg = gang_blob_get_data(blob, &len);

    ck_assert_msg(strstr(svg, pictures[_i].shown) != NULL, "%s is not in %s", pictures[_i].shown,
                  svg);
    if (pictures[_i].not_shown)
        ck_assert_msg(!strstr(strstr(svg, "</style>"), pictures[_i].not_shown), "%s is in %s",
                      pictures[_i].not_shown, svg);
    gang_blob_unref(blob);
    end_run(&run);
}
END_TEST

START_TEST(has_a_size_limit)
{
    struct run run = run_spelled(tune_runtime, NULL, NULL, tune_trainjob, NULL);
    struct gang_context *context = context_with_output_limit(3000);
    struct gang_blob *blob = NULL;
    struct gang_error *error = NULL;

    ck_assert_int_eq(
        gang_decision_serialize(context, run.decision, GANG_FORMAT_SVG, 0, &blob, &error),
        GANG_ERROR_LIMIT);
    ck_assert_ptr_null(blob);
    gang_error_free(error);
    gang_context_unref(context);
    end_run(&run);
}
END_TEST

void
add_tests(TCase *cases)
{
    add_rows(cases, shows_the_decision_in_words, pictures, shown, policy);
    tcase_add_test(cases, has_a_size_limit);
}
