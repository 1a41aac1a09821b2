/* SPDX-License-Identifier: Apache-2.0 */
/* A browser checks the fragment in tests/playground. */
#include "unit/plans.h"
#include "unit/suite.h"

static const char denying_policy[] =
    "{'apiVersion': 'policy.libgang.dev/v1alpha1', 'kind': 'GangPolicy',\n"
    " 'metadata': {'name': 'lab'}, 'spec': {'rules': [{'name': 'closed', 'match': {},\n"
    "  'action': 'Deny', 'message': '<script>alert(1)</script> & \\u202e\\''}]}}\n";

static struct gang_blob *
write_run(const struct run *run, enum gang_format format, const struct gang_context *context,
          int expected)
{
    struct gang_error *error = NULL;
    struct gang_blob *blob = NULL;

    ck_assert_int_eq(gang_decision_serialize(context, run->decision, (int)format, 0, &blob, &error),
                     expected);
    ck_assert_int_eq(error == NULL, expected == GANG_OK);
    gang_error_free(error);
    return blob;
}

static const struct {
    const char *runtime, *trainjob, *policy;
    const char *shown;
} fragments[] = {
    {tune_runtime, tune_trainjob, NULL,
     "<caption><b>TrainJob ml/llama</b> runtime ClusterTrainingRuntime/tune  policy "
     "none</caption>"},
    {tune_runtime, tune_trainjob, NULL,
     "<tr><th scope=\"row\" rowspan=\"1\">backend</th><td>volcano</td>"
     "<td>runtime podGroupPolicy.volcano</td><td colspan=\"2\">over: "},
    {tune_runtime, tune_trainjob, NULL,
     "<th scope=\"row\" rowspan=\"4\">order</th><td>stage 0</td><td>dataset-initializer 1</td>"
     "<td colspan=\"2\"></td></tr>\n<tr><td></td><td>model-initializer 1</td>"},
    {tune_runtime, tune_trainjob, NULL, "<tr><td colspan=\"4\">\xe2\x86\x93 Complete</td></tr>"},
    {plain_runtime, plain_trainjob, denying_policy,
     "&lt;script&gt;alert(1)&lt;/script&gt; &amp; \\xe2\\x80\\xae"},
    {plain_runtime, plain_trainjob, compatibility_policy, "<td colspan=\"4\"><code>GANG0"},
};

/* Whether each element that is opened is closed, in the right order. */
static void
check_balance(const char *html)
{
    const char *open[16];
    size_t depth = 0;

    for (const char *at = html; (at = strchr(at, '<')); at++) {
        const size_t len = strcspn(at + 1, " >/");

        if (at[1] == '/') {
            ck_assert_uint_gt(depth, 0);
            depth--;
            ck_assert_int_eq(strncmp(open[depth] + 1, at + 2, strcspn(at + 2, ">")), 0);
        } else if (len != 2 || strncmp(at + 1, "br", 2) != 0) {
            ck_assert_uint_lt(depth, ITEMS_OF(open));
            open[depth++] = at;
        }
    }
    ck_assert_uint_eq(depth, 0);
}

START_TEST(a_fragment_escapes_all_text)
{
    struct run run = run_spelled(fragments[_i].runtime, NULL, NULL, fragments[_i].trainjob,
                                 fragments[_i].policy);
    struct gang_blob *blob = write_run(&run, GANG_FORMAT_HTML, NULL, GANG_OK);
    const char *html = gang_blob_get_data(blob, NULL);
    static const char *const absent[] = {"<script", "http", "url(", "\xe2\x80\xae", "color:#"};

    ck_assert_msg(strstr(html, fragments[_i].shown) != NULL, "%s is not in %s", fragments[_i].shown,
                  html);
    for (size_t i = 0; i < ITEMS_OF(absent); i++)
        ck_assert_msg(!strstr(html, absent[i]), "%s is in %s", absent[i], html);
    check_balance(html);
    gang_blob_unref(blob);
    end_run(&run);
}
END_TEST

/* No line of a finding is longer than 110 characters, and each but the first is indented. */
START_TEST(long_findings_are_wrapped)
{
    struct run run = run_spelled(tune_runtime, NULL, NULL, tune_trainjob, compatibility_policy);
    struct gang_blob *blob = write_run(&run, GANG_FORMAT_TEXT, NULL, GANG_OK);
    const char *line = strstr(gang_blob_get_data(blob, NULL), "\nwarning ");
    size_t wrapped = 0;

    ck_assert_ptr_nonnull(line);
    for (line++; *line; line += strcspn(line, "\n") + 1) {
        ck_assert_uint_le(strcspn(line, "\n"), 110);
        ck_assert(strncmp(line, "warning   GANG", 14) == 0 || strspn(line, " ") == 10);
        wrapped += line[0] == ' ';
    }
    ck_assert_uint_gt(wrapped, 0);
    gang_blob_unref(blob);
    end_run(&run);
}
END_TEST

static const enum gang_format limited_formats[] = {GANG_FORMAT_TEXT, GANG_FORMAT_HTML};

START_TEST(an_explanation_has_a_size_limit)
{
    struct run run = run_spelled(tune_runtime, NULL, NULL, tune_trainjob, NULL);
    struct gang_context *context = context_with_output_limit(100);

    ck_assert_ptr_null(write_run(&run, limited_formats[_i], context, GANG_ERROR_LIMIT));
    gang_context_unref(context);
    end_run(&run);
}
END_TEST

void
add_tests(TCase *cases)
{
    add_rows(cases, a_fragment_escapes_all_text, fragments, shown, policy);
    tcase_add_test(cases, long_findings_are_wrapped);
    add_items(cases, an_explanation_has_a_size_limit, limited_formats);
}
