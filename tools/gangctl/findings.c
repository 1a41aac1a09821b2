/* SPDX-License-Identifier: Apache-2.0 */
#include <inttypes.h>
#include <string.h>

#include "commands.h"

static void
add_case(struct text *out, const struct complaint *complaint)
{
    bool is_error = complaint->severity == GANG_SEVERITY_ERROR;
    const char *id = complaint->id ? complaint->id : "gangctl";
    const char *path = or_empty(complaint->path);
    struct text *message = text_new();
    struct text *text = text_new();

    complaint_add_message(message, complaint);
    complaint_add_text(text, complaint);
    text_add(out, "  <testcase");
    xml_add_attribute(out, "classname", complaint->file ? complaint->file : "-");
    xml_add_attribute(out, "name", formatted("%s%s%s", id, *path ? " " : "", path));
    text_add(out, ">\n");
    xml_add_element(out, is_error ? "failure" : "system-out",
                    !is_error           ? NULL
                    : complaint->reason ? complaint->reason
                                        : "error",
                    is_error ? message->data : NULL, text->data);
    text_add(out, "  </testcase>\n");
}

static void
add_count(struct text *out, size_t count, const char *what, const char *after)
{
    text_addf(out, "%zu %s%s%s", count, what, count == 1 ? "" : "s", after);
}

static void
add_text(struct text *out, const struct complaints *complaints, const struct finding_counts *counts)
{
    static const struct {
        const char *kind;
        enum gang_document_type type;
    } kinds[] = {{GANG_KIND_TRAINJOB, GANG_DOCUMENT_TRAINJOB},
                 {"other job", GANG_DOCUMENT_JOB},
                 {GANG_KIND_PODGANG, GANG_DOCUMENT_PODGANG},
                 {GANG_KIND_PODCLIQUESET, GANG_DOCUMENT_PODCLIQUESET}};
    const char *separator = "";

    for (size_t i = 0; i < complaints->count; i++)
        complaint_add_text(out, &complaints->items[i]);
    add_count(out, counts->documents, "document", " checked, ");
    for (size_t i = 0; i < COUNT_OF(kinds); i++)
        if (counts->resolved[kinds[i].type]) {
            text_add(out, separator);
            add_count(out, counts->resolved[kinds[i].type], kinds[i].kind, "");
            separator = ", ";
        }
    text_add(out, *separator ? " resolved: " : "0 jobs resolved: ");
    add_count(out, counts->errors, "error", ", ");
    add_count(out, counts->warnings, "warning", "\n");
}

static struct json_object *
finding_as_json(const struct complaint *complaint)
{
    const struct {
        const char *key;
        const char *text; /* NULL or empty: it is left out, like a number that is 0 */
        size_t number;
    } members[] = {
        {"severity", gang_severity_name(complaint->severity), 0},
        {"code", complaint->id, 0},
        {"reason", complaint->reason, 0},
        {"job", complaint->job, 0},
        {"moreJobs", NULL, complaint->more_jobs},
        {"file", complaint->file, 0},
        {"line", NULL, complaint->line},
        {"column", NULL, complaint->line ? complaint->column : 0},
        {"path", complaint->path, 0},
        {"message", complaint->message, 0},
        {"hint", complaint->hint, 0},
    };
    struct json_object *finding = tree_map();

    for (size_t i = 0; i < COUNT_OF(members); i++)
        if (members[i].number)
            tree_put_number(finding, members[i].key, members[i].number);
        else if (*or_empty(members[i].text))
            tree_put_text(finding, members[i].key, members[i].text);
    return finding;
}

static void
add_document(struct text *out, const struct complaints *complaints,
             const struct finding_counts *counts, enum output output)
{
    struct json_object *root = tree_map();
    struct json_object *findings;
    size_t resolved = 0;

    for (size_t i = 0; i < NUM_DOCUMENT_TYPES; i++)
        resolved += counts->resolved[i];
    tree_put_number(root, "documents", counts->documents);
    tree_put_number(root, "resolved", resolved);
    tree_put_number(root, "errors", counts->errors);
    tree_put_number(root, "warnings", counts->warnings);
    findings = tree_put_list(root, "diagnostics");
    for (size_t i = 0; i < complaints->count; i++)
        json_object_array_add(findings, finding_as_json(&complaints->items[i]));
    tree_move(out, root, output, JSON_C_TO_STRING_PLAIN);
}

/* Adds a text with `%XX` for those of its bytes that are among others, or are not. */
static void
add_percent(struct text *out, const char *text, const char *bytes, bool are_escaped)
{
    for (; *text; text++)
        if ((strchr(bytes, *text) != NULL) == are_escaped)
            text_addf(out, "%%%02X", (unsigned)(unsigned char)*text);
        else
            text_add_bytes(out, text, 1);
}

/*
 * What the GitHub runner unescapes: `%`, CR and LF everywhere, `:` and `,` in properties
 * (actions/toolkit, packages/core/src/command.ts).
 */
#define SPECIAL_IN_MESSAGE "%\r\n"
#define SPECIAL_IN_PROPERTY "%\r\n:,"

/* The words of GitHub's annotations, and of SARIF's levels. */
static const struct {
    const char *annotation;
    const char *level;
} severities[] = {
    [GANG_SEVERITY_ERROR] = {"error", "error"},
    [GANG_SEVERITY_WARNING] = {"warning", "warning"},
    [GANG_SEVERITY_INFO] = {"notice", "note"},
};

void
annotation_add(struct text *out, const struct complaint *complaint)
{
    struct complaint shown = *complaint;
    bool is_stream = shown.file && strcmp(shown.file, "<stdin>") == 0;
    bool has_file = shown.file && !is_stream;
    struct text *message = text_new();

    text_addf(out, "::%s", severities[shown.severity].annotation);
    if (has_file) {
        text_add(out, " file=");
        add_percent(out, shown.file, SPECIAL_IN_PROPERTY, true);
    }
    if (has_file && shown.line)
        text_addf(out, ",line=%lu", (unsigned long)shown.line);
    if (has_file && shown.line && shown.column)
        text_addf(out, ",col=%lu", (unsigned long)shown.column);
    if (shown.id)
        text_addf(out, "%ctitle=%s", has_file ? ',' : ' ', shown.id);
    text_add(out, "::");
    if (is_stream)
        complaint_add_place(out, complaint);
    shown.hint = NULL; /* it has a line of its own */
    complaint_add_message(message, &shown);
    if (complaint->hint)
        text_addf(message, "\nhint: %s", complaint->hint);
    add_percent(out, message->data, SPECIAL_IN_MESSAGE, true);
    text_add(out, "\n");
}

void
findings_add(struct text *out, const struct complaints *complaints, struct finding_counts *counts,
             enum output output)
{
    for (size_t i = 0; i < complaints->count; i++) {
        int severity = complaints->items[i].severity;

        counts->errors += severity == GANG_SEVERITY_ERROR;
        counts->warnings += severity == GANG_SEVERITY_WARNING;
    }
    if (output == OUTPUT_JSON || output == OUTPUT_YAML)
        add_document(out, complaints, counts, output);
    else if (output == OUTPUT_SARIF)
        sarif_add(out, complaints);
    else if (output == OUTPUT_JUNIT) {
        text_addf(out,
                  XML_TESTSUITES
                  "<testsuite name=\"gangctl lint\" tests=\"%zu\" failures=\"%zu\" errors=\"0\">\n",
                  complaints->count + 1, counts->errors);
        text_addf(out, "  <testcase classname=\"gangctl lint\" name=\"%zu documents checked\"/>\n",
                  counts->documents);
        for (size_t i = 0; i < complaints->count; i++)
            add_case(out, &complaints->items[i]);
        text_add(out, "</testsuite>\n</testsuites>\n");
    } else if (output == OUTPUT_GITHUB)
        for (size_t i = 0; i < complaints->count; i++)
            annotation_add(out, &complaints->items[i]);
    else
        add_text(out, complaints, counts);
}

/*
 * OASIS, Static Analysis Results Interchange Format (SARIF) 2.1.0. GitHub's code scanning reads
 * tool.driver.rules and results with a physicalLocation.
 */
#define SARIF_SCHEMA                                                                               \
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"

/* The rule of complaints of gangctl itself, such as a duplicate name. */
static const char own_rule[] = "gangctl";

/* The rules that are no diagnostics of the library. */
static const struct {
    const char *id;
    const char *description;
} own_rules[] = {
    {own_rule, "gangctl cannot use the input as it is."},
    {SARIF_RULE_OF_TESTS, "A case of a GangPolicyTest has another answer than it expects."},
    {SARIF_RULE_OF_COVERAGE, "No case of the policy tests reaches this part of the policy."},
};

static void
put_message(struct json_object *object, const char *key, const char *text)
{
    tree_put_text(tree_map_in(object, key), "text", text);
}

static const char *
rule_of(const struct complaint *complaint)
{
    return complaint->id ? complaint->id : own_rule;
}

static bool
is_of_test(const struct complaint *complaint)
{
    return strcmp(rule_of(complaint), SARIF_RULE_OF_TESTS) == 0;
}

/* Returns the index of the rule, which is added once. */
static size_t
index_of_rule(struct json_object *rules, const char *id)
{
    struct diagnostic_page page;
    struct json_object *rule;
    size_t index = 0;

    for (; index < tree_length(rules); index++)
        if (tree_text_is(json_object_array_get_idx(rules, index), "id", id))
            return index;
    rule = tree_map();
    json_object_array_add(rules, rule);
    tree_put_text(rule, "id", id);
    for (size_t i = 0; i < COUNT_OF(own_rules); i++)
        if (strcmp(id, own_rules[i].id) == 0)
            put_message(rule, "shortDescription", own_rules[i].description);
    if (!diagnostic_page_find(&page, id))
        return index;
    tree_put_text(rule, "name", page.reason);
    put_message(rule, "shortDescription", page.reason);
    put_message(rule, "fullDescription", page.parts[PAGE_SUMMARY].data);
    put_message(rule, "help", page.parts[PAGE_FIX].data);
    if (*GANGCTL_HOMEPAGE)
        tree_put_text(rule, "helpUri", formatted(GANGCTL_HOMEPAGE "/diagnostics.html#%s", id));
    return index;
}

/* The path in the document, or the name of a case, is a logical location. */
static void
put_location(struct json_object *result, const struct complaint *complaint)
{
    struct json_object *location = tree_map();

    if (complaint->file) {
        struct json_object *place = tree_map_in(location, "physicalLocation");
        struct text *uri = text_new();
        const char *file = strcmp(complaint->file, "<stdin>") == 0 ? "stdin" : complaint->file;
        static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                                    "-._~/";

        while (strncmp(file, "./", 2) == 0)
            file += 2;
        add_percent(uri, file, plain, false);
        tree_put_text(tree_map_in(place, "artifactLocation"), "uri", uri->data);
        if (complaint->line)
            tree_put_number(tree_map_in(place, "region"), "startLine", complaint->line);
        if (complaint->line && complaint->column)
            tree_put_number(tree_map_in(place, "region"), "startColumn", complaint->column);
    }
    if (*or_empty(complaint->path)) {
        struct json_object *logical = tree_map();

        tree_put_text(logical, "fullyQualifiedName", complaint->path);
        tree_put_text(logical, "kind", is_of_test(complaint) ? "function" : "property");
        json_object_array_add(tree_put_list(location, "logicalLocations"), logical);
    }
    json_object_array_add(tree_put_list(result, "locations"), location);
}

static struct json_object *
result_value(const struct complaint *complaint, struct json_object *rules)
{
    struct json_object *result = tree_map();
    struct text *message = text_new();
    const char *const parts[] = {rule_of(complaint), complaint->file, complaint->job,
                                 complaint->path,
                                 is_of_test(complaint) ? NULL : complaint->message};
    uint64_t hash = FNV1A_START;

    complaint_add_message(message, complaint);
    tree_put_text(result, "ruleId", rule_of(complaint));
    tree_put_number(result, "ruleIndex", index_of_rule(rules, rule_of(complaint)));
    tree_put_text(result, "level", severities[complaint->severity].level);
    put_message(result, "message", message->data);
    put_location(result, complaint);
    /*
     * What is equal for a finding that moves to another line, so that a reader knows it again. A
     * case of a test is the same one whatever its answer is.
     */
    for (size_t i = 0; i < COUNT_OF(parts); i++)
        hash = fnv1a_add(hash, (struct slice){or_empty(parts[i]), strlen(or_empty(parts[i])) + 1});
    tree_put_text(tree_map_in(result, "partialFingerprints"), "finding/v1",
                  formatted("%016" PRIx64, hash));
    if (complaint->job)
        tree_put_text(tree_map_in(result, "properties"), "job", complaint->job);
    if (complaint->more_jobs)
        tree_put_number(tree_map_in(result, "properties"), "moreJobs", complaint->more_jobs);
    return result;
}

void
sarif_add(struct text *out, const struct complaints *complaints)
{
    struct json_object *log = tree_map();
    struct json_object *run = tree_map();
    struct json_object *driver = tree_map_in(tree_map_in(run, "tool"), "driver");
    struct json_object *rules;
    struct json_object *results;

    tree_put_text(log, "$schema", SARIF_SCHEMA);
    tree_put_text(log, "version", "2.1.0");
    tree_put_text(driver, "name", "gangctl");
    if (*GANGCTL_HOMEPAGE)
        tree_put_text(driver, "informationUri", GANGCTL_HOMEPAGE);
    tree_put_text(driver, "semanticVersion", gang_version_string());
    rules = tree_put_list(driver, "rules");
    tree_put_text(run, "columnKind", "unicodeCodePoints");
    results = tree_put_list(run, "results");
    for (size_t i = 0; i < complaints->count; i++)
        json_object_array_add(results, result_value(&complaints->items[i], rules));
    json_object_array_add(tree_put_list(log, "runs"), run);
    tree_move(out, log, OUTPUT_SARIF, JSON_C_TO_STRING_PRETTY | JSON_C_TO_STRING_SPACED);
}
