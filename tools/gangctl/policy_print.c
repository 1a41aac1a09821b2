/* SPDX-License-Identifier: Apache-2.0 */
#include "policy_test.h"

#include <string.h>

#include "findings.h"
#include "text.h"
#include "tree.h"

static const char *
value_text(struct json_object *value)
{
    return value ? json_object_to_json_string_ext(value, JSON_C_TO_STRING_PLAIN |
                                                             JSON_C_TO_STRING_NOSLASHESCAPE)
                 : "nothing";
}

/* Adds "queue: expected "a", is "b"". */
static void
add_difference_text(struct text *out, struct json_object *difference)
{
    struct json_object *message = json_object_object_get(difference, "message");
    struct json_object *actual = json_object_object_get(difference, "actual");
    struct json_object *expected = json_object_object_get(difference, "expected");

    if (message)
        text_add(out, json_object_get_string(message));
    else
        text_addf(out, "%s: expected %s, is %s",
                  json_object_get_string(json_object_object_get(difference, "field")),
                  value_text(expected), value_text(actual));
}

/* Adds all differences of a verdict, with the separator between them. */
static void
add_differences(struct text *out, const struct verdict *verdict, const char *separator)
{
    for (size_t i = 0; i < json_object_array_length(verdict->differences); i++) {
        text_add(out, i ? separator : "");
        add_difference_text(out, json_object_array_get_idx(verdict->differences, i));
    }
}

static bool
has_passed(const struct verdict *verdict)
{
    return json_object_array_length(verdict->differences) == 0;
}

/* What is wrong with a broken case is on standard error. */
static void
add_verdict_text(struct text *out, const struct verdict *verdict)
{
    const bool is_broken = verdict->item->fault;
    struct text line = {0};

    text_addf(&line, "%-6s  %s: %s",
              is_broken             ? "broken"
              : has_passed(verdict) ? "ok"
                                    : "failed",
              verdict->item->test, verdict->item->name);
    text_add_printable(out, line.data);
    text_add(out, "\n");
    text_free(&line);
    for (size_t i = 0; !is_broken && i < json_object_array_length(verdict->differences); i++) {
        add_difference_text(&line, json_object_array_get_idx(verdict->differences, i));
        text_add(out, "        ");
        text_add_printable(out, line.data);
        text_add(out, "\n");
        text_free(&line);
    }
}

static void
add_text(struct text *out, const struct verdicts *verdicts)
{
    for (size_t i = 0; i < verdicts->count; i++)
        add_verdict_text(out, &verdicts->items[i]);
    if (verdicts->coverage.is_wanted)
        coverage_add_text(out, &verdicts->coverage);
    text_addf(out, "%zu passed, %zu failed\n", verdicts->count - verdicts->failed,
              verdicts->failed);
}

static struct json_object *
verdict_value(const struct verdict *verdict)
{
    struct json_object *item = tree_map();

    tree_put_text(item, "test", verdict->item->test);
    tree_put_text(item, "name", verdict->item->name);
    tree_put_text(item, "file", verdict->item->file);
    tree_put(item, "line", tree_must(json_object_new_int64(verdict->item->line)));
    tree_put(item, "passed", tree_must(json_object_new_boolean(has_passed(verdict))));
    tree_share(item, "differences", verdict->differences);
    return item;
}

static void
add_json(struct text *out, const struct verdicts *verdicts)
{
    struct json_object *root = tree_map();
    struct json_object *list = tree_must(json_object_new_array());

    for (size_t i = 0; i < verdicts->count; i++)
        json_object_array_add(list, verdict_value(&verdicts->items[i]));
    tree_put(root, "passed",
             tree_must(json_object_new_int64((int64_t)(verdicts->count - verdicts->failed))));
    tree_put(root, "failed", tree_must(json_object_new_int64((int64_t)verdicts->failed)));
    tree_put(root, "cases", list);
    if (verdicts->coverage.is_wanted)
        tree_put(root, "coverage", coverage_value(&verdicts->coverage));
    tree_add_json(out, root, JSON_C_TO_STRING_PLAIN);
    text_add(out, "\n");
    json_object_put(root);
}

static void
add_yaml(struct text *out, const struct verdicts *verdicts)
{
    struct text json = {0};

    add_json(&json, verdicts);
    text_add_as_yaml(out, &json);
    text_free(&json);
}

/*
 * Adds a complaint for each case that did not pass, and those about the coverage. The title of a
 * case is the name of the test for people, `rule` for programs.
 */
static void
add_failures(struct complaints *found, const struct verdicts *verdicts, const char *rule)
{
    found->items = must_reallocate(NULL, verdicts->failed + 1, sizeof(*found->items));
    for (size_t i = 0; i < verdicts->count; i++) {
        const struct verdict *verdict = &verdicts->items[i];
        struct text message = {0};

        if (has_passed(verdict))
            continue;
        add_differences(&message, verdict, "\n");
        found->items[found->count++] = (struct complaint){
            .severity = GANG_SEVERITY_ERROR,
            .file = verdict->item->file,
            .line = verdict->item->line,
            .id = rule ? rule : verdict->item->test,
            .path = must_copy(verdict->item->name, strlen(verdict->item->name)),
            .message = message.data,
        };
    }
    if (verdicts->coverage.is_wanted)
        coverage_add_complaints(found, &verdicts->coverage);
}

static void
add_annotations(struct text *out, const struct verdicts *verdicts)
{
    struct complaints found = {0};

    add_failures(&found, verdicts, NULL);
    for (size_t i = 0; i < found.count; i++)
        annotation_add(out, &found.items[i]);
    complaints_free(&found);
}

static void
add_sarif(struct text *out, const struct verdicts *verdicts)
{
    struct complaints found = {0};

    add_failures(&found, verdicts, SARIF_RULE_OF_TESTS);
    sarif_add(out, &found);
    complaints_free(&found);
}

/* A case with an error in the test itself is an error, one with another answer a failure. */
static void
add_testcase(struct text *out, const struct verdict *verdict)
{
    const struct policy_case *item = verdict->item;
    const char *tag = item->fault ? "error" : "failure";
    struct text text = {0};

    text_add(out, "  <testcase");
    xml_add_attribute(out, "classname", item->test);
    xml_add_attribute(out, "name", item->name);
    xml_add_attribute(out, "file", item->file);
    text_addf(out, " line=\"%lu\"", (unsigned long)item->line);
    if (has_passed(verdict)) {
        text_add(out, "/>\n");
        return;
    }
    add_difference_text(&text, json_object_array_get_idx(verdict->differences, 0));
    text_addf(out, ">\n    <%s", tag);
    xml_add_attribute(out, "message", text.data);
    text_add(out, ">");
    text_free(&text);
    add_differences(&text, verdict, "\n");
    xml_add(out, text.data);
    text_addf(out, "</%s>\n  </testcase>\n", tag);
    text_free(&text);
}

/* Adds the suite of the document of the verdict at `first`; returns the index behind it. */
static size_t
add_suite(struct text *out, const struct verdicts *verdicts, size_t first)
{
    const struct document *document = verdicts->items[first].item->document;
    size_t end = first, failures = 0, errors = 0;

    for (; end < verdicts->count && verdicts->items[end].item->document == document; end++)
        if (verdicts->items[end].item->fault)
            errors++;
        else
            failures += !has_passed(&verdicts->items[end]);
    text_add(out, "<testsuite");
    xml_add_attribute(out, "name", verdicts->items[first].item->test);
    text_addf(out, " tests=\"%zu\" failures=\"%zu\" errors=\"%zu\">\n", end - first, failures,
              errors);
    for (size_t i = first; i < end; i++)
        add_testcase(out, &verdicts->items[i]);
    text_add(out, "</testsuite>\n");
    return end;
}

/* A test that fails if the coverage is not enough; its output is what is not reached. */
static void
add_coverage_suite(struct text *out, const struct coverage *coverage)
{
    const bool is_enough = coverage_is_enough(coverage);
    const char *tag = is_enough ? "system-out" : "failure";
    struct text text = {0};

    text_addf(out, "<testsuite name=\"coverage\" tests=\"1\" failures=\"%d\" errors=\"0\">\n",
              !is_enough);
    text_addf(out, "  <testcase classname=\"coverage\" name=\"at least %u %%\">\n    <%s",
              coverage->at_least, tag);
    if (!is_enough)
        xml_add_attribute(out, "message", "the cases reach too little of the policies");
    text_add(out, ">");
    coverage_add_text(&text, coverage);
    xml_add(out, text.data);
    text_addf(out, "</%s>\n  </testcase>\n</testsuite>\n", tag);
    text_free(&text);
}

static void
add_junit(struct text *out, const struct verdicts *verdicts)
{
    text_add(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n");
    for (size_t i = 0; i < verdicts->count;)
        i = add_suite(out, verdicts, i);
    if (verdicts->coverage.is_wanted)
        add_coverage_suite(out, &verdicts->coverage);
    text_add(out, "</testsuites>\n");
}

void
verdicts_add(struct text *out, const struct verdicts *verdicts, enum output output)
{
    static void (*const formats[])(struct text *, const struct verdicts *) = {
        [OUTPUT_UNSET] = add_text,  [OUTPUT_TEXT] = add_text,          [OUTPUT_JSON] = add_json,
        [OUTPUT_YAML] = add_yaml,   [OUTPUT_GITHUB] = add_annotations, [OUTPUT_JUNIT] = add_junit,
        [OUTPUT_SARIF] = add_sarif,
    };

    formats[output](out, verdicts);
}
