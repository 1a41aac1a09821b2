/* SPDX-License-Identifier: Apache-2.0 */
#include "findings.h"

#include <string.h>

#include "text.h"
#include "tree.h"

static void
add_names(struct text *out, const struct complaint *complaint)
{
    struct text name = {0};

    text_add(&name, complaint->id ? complaint->id : "gangctl");
    if (complaint->path && *complaint->path)
        text_addf(&name, " %s", complaint->path);
    xml_add_attribute(out, "classname", complaint->file ? complaint->file : "-");
    xml_add_attribute(out, "name", name.data);
    text_free(&name);
}

static void
add_case(struct text *out, const struct complaint *complaint)
{
    bool is_error = complaint->severity == GANG_SEVERITY_ERROR;
    const char *tag = is_error ? "failure" : "system-out";
    struct text message = {0};
    struct text text = {0};

    complaint_add_message(&message, complaint);
    complaint_add_text(&text, complaint);
    text_add(out, "  <testcase");
    add_names(out, complaint);
    text_addf(out, ">\n    <%s", tag);
    if (is_error) {
        xml_add_attribute(out, "type", complaint->reason ? complaint->reason : "error");
        xml_add_attribute(out, "message", message.data);
    }
    text_add(out, ">");
    xml_add(out, text.data);
    text_addf(out, "</%s>\n  </testcase>\n", tag);
    text_free(&message);
    text_free(&text);
}

/*
 * Adds settled complaints as a test suite: a test for each of them, and one for all documents. An
 * error is a failure, a warning the output of a test that passes.
 */
static void
findings_add_junit(struct text *out, const struct complaints *complaints,
                   const struct finding_counts *counts)
{
    text_add(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n");
    text_addf(out,
              "<testsuite name=\"gangctl lint\" tests=\"%zu\" failures=\"%zu\" errors=\"0\">\n",
              complaints->count + 1, counts->errors);
    text_addf(out, "  <testcase classname=\"gangctl lint\" name=\"%zu documents checked\"/>\n",
              counts->documents);
    for (size_t i = 0; i < complaints->count; i++)
        add_case(out, &complaints->items[i]);
    text_add(out, "</testsuite>\n</testsuites>\n");
}

static void
count_findings(const struct complaints *complaints, struct finding_counts *counts)
{
    for (size_t i = 0; i < complaints->count; i++) {
        int severity = complaints->items[i].severity;

        counts->errors += severity == GANG_SEVERITY_ERROR;
        counts->warnings += severity == GANG_SEVERITY_WARNING;
        counts->infos += severity == GANG_SEVERITY_INFO;
    }
}

static void
add_count(struct text *out, size_t count, const char *what, const char *after)
{
    text_addf(out, "%zu %s%s%s", count, what, count == 1 ? "" : "s", after);
}

static void
add_resolved(struct text *out, const struct finding_counts *counts)
{
    const struct {
        const char *kind;
        size_t count;
    } kinds[] = {{GANG_KIND_TRAINJOB, counts->trainjobs},
                 {"other job", counts->other_jobs},
                 {GANG_KIND_PODGANG, counts->podgangs},
                 {GANG_KIND_PODCLIQUESET, counts->podcliquesets}};
    const char *separator = "";

    for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
        if (kinds[i].count) {
            text_add(out, separator);
            add_count(out, kinds[i].count, kinds[i].kind, "");
            separator = ", ";
        }
    if (!*separator)
        add_count(out, 0, "job", "");
    text_add(out, " resolved: ");
}

static void
add_text(struct text *out, const struct complaints *complaints, const struct finding_counts *counts)
{
    for (size_t i = 0; i < complaints->count; i++)
        complaint_add_text(out, &complaints->items[i]);
    add_count(out, counts->documents, "document", " checked, ");
    add_resolved(out, counts);
    add_count(out, counts->errors, "error", ", ");
    add_count(out, counts->warnings, "warning", "\n");
}

/* Adds the field unless it has no value. */
static void
add_string(struct json_object *object, const char *key, const char *value)
{
    if (value && *value)
        json_object_object_add(object, key, json_object_new_string(value));
}

static void
add_number(struct json_object *object, const char *key, size_t value)
{
    json_object_object_add(object, key, json_object_new_int64((int64_t)value));
}

static struct json_object *
finding_as_json(const struct complaint *complaint)
{
    struct json_object *finding = json_object_new_object();

    add_string(finding, "severity", gang_severity_name(complaint->severity));
    add_string(finding, "code", complaint->id);
    add_string(finding, "reason", complaint->reason);
    add_string(finding, "job", complaint->job);
    if (complaint->more_jobs)
        add_number(finding, "moreJobs", complaint->more_jobs);
    add_string(finding, "file", complaint->file);
    if (complaint->line)
        add_number(finding, "line", complaint->line);
    if (complaint->line && complaint->column)
        add_number(finding, "column", complaint->column);
    add_string(finding, "path", complaint->path);
    add_string(finding, "message", complaint->message);
    add_string(finding, "hint", complaint->hint);
    return finding;
}

static void
add_json(struct text *out, const struct complaints *complaints, const struct finding_counts *counts)
{
    struct json_object *root = json_object_new_object();
    struct json_object *findings = json_object_new_array();

    add_number(root, "documents", counts->documents);
    add_number(root, "resolved",
               counts->trainjobs + counts->other_jobs + counts->podgangs + counts->podcliquesets);
    add_number(root, "errors", counts->errors);
    add_number(root, "warnings", counts->warnings);
    for (size_t i = 0; i < complaints->count; i++)
        json_object_array_add(findings, finding_as_json(&complaints->items[i]));
    json_object_object_add(root, "diagnostics", findings);
    tree_add_json(out, root, JSON_C_TO_STRING_PLAIN);
    text_add(out, "\n");
    json_object_put(root);
}

static void
add_yaml(struct text *out, const struct complaints *complaints, const struct finding_counts *counts)
{
    struct text json = {0};

    add_json(&json, complaints, counts);
    text_add_as_yaml(out, &json);
    text_free(&json);
}

/*
 * Escapes what the GitHub runner unescapes: `%`, CR and LF everywhere, `:` and `,` in properties
 * (actions/toolkit, packages/core/src/command.ts).
 */
static void
add_escaped(struct text *out, const char *text, const char *special)
{
    for (; *text; text++) {
        if (strchr(special, *text))
            text_addf(out, "%%%02X", (unsigned)*text);
        else
            text_add_bytes(out, text, 1);
    }
}

#define SPECIAL_IN_MESSAGE "%\r\n"
#define SPECIAL_IN_PROPERTY "%\r\n:,"

static const char *const annotation_words[] = {
    [GANG_SEVERITY_ERROR] = "error",
    [GANG_SEVERITY_WARNING] = "warning",
    [GANG_SEVERITY_INFO] = "notice",
};

/* Adds a place in standard input to the message: "<stdin>:12:3: " is not a file. */
static void
add_place_in_stream(struct text *out, const struct complaint *complaint)
{
    text_addf(out, "%s:", complaint->file);
    if (complaint->line)
        text_addf(out, "%lu:", (unsigned long)complaint->line);
    if (complaint->line && complaint->column)
        text_addf(out, "%lu:", (unsigned long)complaint->column);
    text_add(out, " ");
}

static void
add_properties(struct text *out, const struct complaint *complaint)
{
    const char *before = " ";

    if (complaint->file) {
        text_add(out, " file=");
        add_escaped(out, complaint->file, SPECIAL_IN_PROPERTY);
        before = ",";
    }
    if (complaint->file && complaint->line)
        text_addf(out, ",line=%lu", (unsigned long)complaint->line);
    if (complaint->file && complaint->line && complaint->column)
        text_addf(out, ",col=%lu", (unsigned long)complaint->column);
    if (complaint->id)
        text_addf(out, "%stitle=%s", before, complaint->id);
}

void
annotation_add(struct text *out, const struct complaint *complaint)
{
    struct complaint shown = *complaint;
    bool is_stream = shown.file && strcmp(shown.file, "<stdin>") == 0;

    if (is_stream)
        shown.file = NULL;
    text_addf(out, "::%s", annotation_words[shown.severity]);
    add_properties(out, &shown);
    text_add(out, "::");
    if (is_stream)
        add_place_in_stream(out, complaint);
    if (shown.path && *shown.path) {
        add_escaped(out, shown.path, SPECIAL_IN_MESSAGE);
        text_add(out, ": ");
    }
    add_escaped(out, shown.message, SPECIAL_IN_MESSAGE);
    if (shown.job) {
        struct text job = {0};

        complaint_add_job(&job, &shown);
        add_escaped(out, job.data, SPECIAL_IN_MESSAGE);
        text_free(&job);
    }
    if (shown.hint) {
        text_add(out, "%0Ahint: ");
        add_escaped(out, shown.hint, SPECIAL_IN_MESSAGE);
    }
    text_add(out, "\n");
}

void
findings_add(struct text *out, const struct complaints *complaints, struct finding_counts *counts,
             enum output output)
{
    count_findings(complaints, counts);
    if (output == OUTPUT_JSON)
        add_json(out, complaints, counts);
    else if (output == OUTPUT_YAML)
        add_yaml(out, complaints, counts);
    else if (output == OUTPUT_SARIF)
        sarif_add(out, complaints);
    else if (output == OUTPUT_JUNIT)
        findings_add_junit(out, complaints, counts);
    else if (output == OUTPUT_GITHUB)
        for (size_t i = 0; i < complaints->count; i++)
            annotation_add(out, &complaints->items[i]);
    else
        add_text(out, complaints, counts);
}
