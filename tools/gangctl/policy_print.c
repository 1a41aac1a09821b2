/* SPDX-License-Identifier: Apache-2.0 */
#include "policy_test.h"

/* Adds "queue: expected "a", is "b"". */
static void
add_difference_text(struct text *out, struct json_object *difference)
{
    struct json_object *message = tree_member(difference, "message");
    struct json_object *actual = tree_member(difference, "actual");
    struct json_object *expected = tree_member(difference, "expected");

    if (message)
        text_add(out, json_object_get_string(message));
    else
        text_addf(out, "%s: expected %s, is %s",
                  json_object_get_string(tree_member(difference, "field")),
                  tree_in_words(expected, "nothing"), tree_in_words(actual, "nothing"));
}

/* Adds all differences of a verdict, with the separator between them. */
static void
add_differences(struct text *out, const struct verdict *verdict, const char *separator)
{
    for (size_t i = 0; i < tree_length(verdict->differences); i++) {
        text_add(out, i ? separator : "");
        add_difference_text(out, json_object_array_get_idx(verdict->differences, i));
    }
}

static bool
has_passed(const struct verdict *verdict)
{
    return tree_length(verdict->differences) == 0;
}

static void
add_text(struct text *out, const struct verdicts *verdicts)
{
    for (EACH(const struct verdict, verdict, verdicts->items, verdicts->count)) {
        const bool is_broken = verdict->item->fault;
        const char *word = is_broken ? "broken" : has_passed(verdict) ? "ok" : "failed";

        /* What is wrong with a broken case is on standard error. */
        text_add_line(out,
                      formatted("%-6s  %s: %s", word, verdict->item->test, verdict->item->name));
        for (size_t j = 0; !is_broken && j < tree_length(verdict->differences); j++) {
            struct text *line = text_new();

            add_difference_text(line, json_object_array_get_idx(verdict->differences, j));
            text_add(out, "        ");
            text_add_line(out, line->data);
        }
    }
    if (verdicts->coverage.is_wanted)
        coverage_add_text(out, &verdicts->coverage);
    text_addf(out, "%zu passed, %zu failed\n", verdicts->count - verdicts->failed,
              verdicts->failed);
}

static struct json_object *
verdicts_value(const struct verdicts *verdicts)
{
    struct json_object *root = tree_map();
    struct json_object *list;

    tree_put_number(root, "passed", verdicts->count - verdicts->failed);
    tree_put_number(root, "failed", verdicts->failed);
    list = tree_put_list(root, "cases");
    for (EACH(const struct verdict, verdict, verdicts->items, verdicts->count)) {
        struct json_object *item = tree_map();

        tree_put_text(item, "test", verdict->item->test);
        tree_put_text(item, "name", verdict->item->name);
        tree_put_text(item, "file", verdict->item->file);
        tree_put_number(item, "line", verdict->item->line);
        tree_put(item, "passed", tree_must(json_object_new_boolean(has_passed(verdict))));
        tree_share(item, "differences", verdict->differences);
        json_object_array_add(list, item);
    }
    if (verdicts->coverage.is_wanted)
        tree_put(root, "coverage", coverage_value(&verdicts->coverage));
    return root;
}

/*
 * Returns a complaint for each case that did not pass, and those about the coverage. The title of a
 * case is the name of the test for people, `rule` for programs.
 */
static struct complaints
complaints_of(const struct verdicts *verdicts, const char *rule)
{
    struct complaints found = {0};

    for (EACH(const struct verdict, verdict, verdicts->items, verdicts->count)) {
        struct text message = {0};

        if (has_passed(verdict))
            continue;
        add_differences(&message, verdict, "\n");
        APPEND(found.items, found.count,
               (struct complaint){
                   .severity = GANG_SEVERITY_ERROR,
                   .file = verdict->item->file,
                   .line = verdict->item->line,
                   .id = rule ? rule : verdict->item->test,
                   .path = copy_text(verdict->item->name),
                   .message = message.data,
               });
    }
    if (verdicts->coverage.is_wanted)
        coverage_add_complaints(&found, &verdicts->coverage);
    return found;
}

/* A case with an error in the test itself is an error, one with another answer a failure. */
static void
add_testcase(struct text *out, const struct verdict *verdict)
{
    const struct policy_case *item = verdict->item;
    struct text *first = text_new();
    struct text *all = text_new();

    text_add(out, "  <testcase");
    xml_add_attribute(out, "classname", item->test);
    xml_add_attribute(out, "name", item->name);
    xml_add_attribute(out, "file", item->file);
    text_addf(out, " line=\"%lu\"", (unsigned long)item->line);
    if (has_passed(verdict)) {
        text_add(out, "/>\n");
        return;
    }
    add_difference_text(first, json_object_array_get_idx(verdict->differences, 0));
    add_differences(all, verdict, "\n");
    text_add(out, ">\n");
    xml_add_element(out, item->fault ? "error" : "failure", NULL, first->data, all->data);
    text_add(out, "  </testcase>\n");
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

static void
add_junit(struct text *out, const struct verdicts *verdicts)
{
    text_add(out, XML_TESTSUITES);
    for (size_t i = 0; i < verdicts->count;)
        i = add_suite(out, verdicts, i);
    if (verdicts->coverage.is_wanted) {
        const struct coverage *coverage = &verdicts->coverage;
        const bool is_enough = coverage_is_enough(coverage);
        struct text *text = text_new();

        /* A test that fails if the coverage is not enough; its output is what is not reached. */
        coverage_add_text(text, coverage);
        text_addf(out, "<testsuite name=\"coverage\" tests=\"1\" failures=\"%d\" errors=\"0\">\n",
                  !is_enough);
        text_addf(out, "  <testcase classname=\"coverage\" name=\"at least %u %%\">\n",
                  coverage->at_least);
        xml_add_element(out, is_enough ? "system-out" : "failure", NULL,
                        is_enough ? NULL : "the cases reach too little of the policies",
                        text->data);
        text_add(out, "  </testcase>\n</testsuite>\n");
    }
    text_add(out, "</testsuites>\n");
}

void
verdicts_add(struct text *out, const struct verdicts *verdicts, enum output output)
{
    struct complaints found = {0};

    if (output == OUTPUT_JSON || output == OUTPUT_YAML) {
        tree_move(out, verdicts_value(verdicts), output, JSON_C_TO_STRING_PLAIN);
    } else if (output == OUTPUT_JUNIT) {
        add_junit(out, verdicts);
    } else if (output == OUTPUT_SARIF) {
        found = complaints_of(verdicts, SARIF_RULE_OF_TESTS);
        sarif_add(out, &found);
    } else if (output == OUTPUT_GITHUB) {
        found = complaints_of(verdicts, NULL);
        for (size_t i = 0; i < found.count; i++)
            annotation_add(out, &found.items[i]);
    } else {
        add_text(out, verdicts);
    }
}
