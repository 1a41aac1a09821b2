/* SPDX-License-Identifier: Apache-2.0 */
#include "report.h"

#include <ctype.h>
#include <string.h>

#include "report_trace.h"

static const char *
member_text(struct json_object *object, const char *key)
{
    struct json_object *value = json_object_object_get(object, key);

    return value ? json_object_get_string(value) : "";
}

static size_t
list_length(struct json_object *list)
{
    return json_object_is_type(list, json_type_array) ? json_object_array_length(list) : 0;
}

enum { REPORT_INDENT = 10 };

/* A left column as wide as the longest word in it. */
static void
add_label(struct text *out, const char *label)
{
    text_addf(out, "%-*s", REPORT_INDENT, label);
}

/* What stands beside the job: "runtime TrainingRuntime/x", "podcliqueset y". */
static void
add_companion(struct text *out, const struct job *job)
{
    if (job->handle)
        text_addf(out, "  runtime %s/%s", gang_document_get_kind(job->runtime->handle),
                  gang_document_get_name(job->runtime->handle));
    else if (job->podgang)
        text_addf(out, "  podcliqueset %s",
                  job->set ? gang_document_get_name(job->set->handle) : "not known");
}

static void
add_head(struct text *out, struct json_object *plan, const struct job *job,
         const struct report_options *options)
{
    struct json_object *metadata = json_object_object_get(plan, "metadata");
    const char *space = member_text(metadata, "namespace");

    text_addf(out, "%s %s%s%s", job->document->kind, space, *space ? "/" : "", member_text(metadata, "name"));
    add_companion(out, job);
    text_addf(out, "  policy %s", options->policy ? options->policy : "none");
    if (options->cluster)
        text_addf(out, "  cluster %s", options->cluster);
    if (strcmp(member_text(plan, "compatibility"), "None") != 0)
        text_addf(out, "  compatibility %s", member_text(plan, "compatibility"));
    text_add(out, "\n");
}

static size_t
count_severity(struct json_object *diagnostics, const char *severity)
{
    size_t count = 0;

    for (size_t i = 0; i < list_length(diagnostics); i++)
        count += strcmp(member_text(json_object_array_get_idx(diagnostics, i), "severity"), severity) == 0;
    return count;
}

static void
add_outcome(struct text *out, struct json_object *plan)
{
    struct json_object *diagnostics = json_object_object_get(plan, "diagnostics");
    size_t errors = count_severity(diagnostics, "error");
    size_t warnings = count_severity(diagnostics, "warning");
    const char *outcome = member_text(plan, "outcome");

    add_label(out, "OUTCOME");
    for (size_t i = 0; outcome[i]; i++) {
        char upper = (char)toupper((unsigned char)outcome[i]);

        if (i && isupper((unsigned char)outcome[i]))
            text_add(out, "_");
        text_add_bytes(out, &upper, 1);
    }
    text_addf(out, " (%zu error%s, %zu warning%s)\n", errors, errors == 1 ? "" : "s", warnings,
              warnings == 1 ? "" : "s");
}

/* "node 4 + launcher 1": the roles of one membership; how many pods they make. */
static long
add_roles(struct text *out, struct json_object *roles, const char *membership)
{
    bool is_first = true;
    long pods = 0;

    for (size_t i = 0; i < list_length(roles); i++) {
        struct json_object *role = json_object_array_get_idx(roles, i);

        if (strcmp(member_text(role, "membership"), membership) != 0)
            continue;
        text_addf(out, "%s%s %s", is_first ? "" : " + ", member_text(role, "name"),
                  member_text(role, "count"));
        pods += (long)json_object_get_int64(json_object_object_get(role, "count"));
        is_first = false;
    }
    return pods;
}

static void
add_group_of_roles(struct text *out, struct json_object *roles, const char *label, const char *membership,
                   const char *note)
{
    struct text list = {0};
    long pods = add_roles(&list, roles, membership);

    if (list.len) {
        add_label(out, label);
        text_addf(out, "%ld = %s%s\n", pods, list.data, note);
    }
    text_free(&list);
}

static void
add_resources(struct text *out, struct json_object *resources)
{
    bool is_first = true;

    add_label(out, "resources");
    json_object_object_foreach(resources, name, quantity)
    {
        text_addf(out, "%s%s %s", is_first ? "" : ", ", name, json_object_get_string(quantity));
        is_first = false;
    }
    text_add(out, is_first ? "none asked for\n" : "\n");
}

/* Where a runtime asks for groups that do not wait, there is no minimum. */
static void
add_minimum(struct text *out, struct json_object *gang)
{
    if (json_object_get_int64(json_object_object_get(gang, "minimum")) == 0)
        text_add(out, "none: every pod starts by itself\n");
    else
        text_addf(out, "%s of %s pods start together or not at all\n", member_text(gang, "minimum"),
                  member_text(gang, "pods"));
}

static void
add_gang(struct text *out, struct json_object *plan)
{
    struct json_object *gang = json_object_object_get(plan, "gang");
    struct json_object *roles = json_object_object_get(plan, "roles");

    struct text choice = {0};

    if (!gang)
        return;
    text_add(&choice, "     members: ");
    add_members_choice(&choice, json_object_object_get(plan, "trace"));
    add_group_of_roles(out, roles, "members", "Member",
                       choice.data[choice.len - 1] == ' ' ? "" : choice.data);
    text_free(&choice);
    add_group_of_roles(out, roles, "late", "LateMember", "     join after the gang has started");
    add_group_of_roles(out, roles, "outside", "Outside", "     not in the gang: neither counted nor marked");
    add_label(out, "minimum");
    add_minimum(out, gang);
    if (json_object_object_get(gang, "resources"))
        add_resources(out, json_object_object_get(gang, "resources"));
}

static void
add_start_order(struct text *out, struct json_object *roles)
{
    const char *label = "order";

    for (size_t i = 0; i < list_length(roles); i++) {
        struct json_object *role = json_object_array_get_idx(roles, i);
        struct json_object *edges = json_object_object_get(role, "dependsOn");

        if (!list_length(edges))
            continue;
        add_label(out, label);
        text_addf(out, "%s after", member_text(role, "name"));
        for (size_t j = 0; j < list_length(edges); j++) {
            struct json_object *edge = json_object_array_get_idx(edges, j);

            text_addf(out, "%s %s is %s", j ? "," : "", member_text(edge, "role"),
                      member_text(edge, "status"));
        }
        text_add(out, "\n");
        label = "";
    }
}

static void
add_objects(struct text *out, struct json_object *objects)
{
    for (size_t i = 0; i < list_length(objects); i++) {
        struct json_object *entry = json_object_array_get_idx(objects, i);
        struct json_object *object = json_object_object_get(entry, "object");

        add_label(out, i ? "" : "objects");
        text_addf(out, "%s %s %s %s\n", member_text(entry, "action"), member_text(object, "apiVersion"),
                  member_text(object, "kind"),
                  member_text(json_object_object_get(object, "metadata"), "name"));
    }
}

static void
add_losses(struct text *out, struct json_object *losses)
{
    for (size_t i = 0; i < list_length(losses); i++) {
        struct json_object *loss = json_object_array_get_idx(losses, i);

        add_label(out, i ? "" : "lost");
        text_addf(out, "%s=%s: %s\n", member_text(loss, "field"), member_text(loss, "value"),
                  member_text(loss, "reason"));
    }
}

enum { LINE_WIDTH = 110 };

/* The next lines of a finding stand below its first words. */
static void
add_wrapped(struct text *out, const char *text)
{
    size_t column = REPORT_INDENT;

    add_label(out, "");
    while (*text) {
        size_t word = strcspn(text, " ");

        if (column > REPORT_INDENT && column + 1 + word > LINE_WIDTH) {
            text_add(out, "\n");
            add_label(out, "");
            column = REPORT_INDENT;
        } else if (column > REPORT_INDENT) {
            text_add(out, " ");
            column++;
        }
        text_add_bytes(out, text, word);
        column += word;
        text += word;
        text += strspn(text, " ");
    }
    text_add(out, "\n");
}

/* "Forbidden: " and the like, the kinds of Kubernetes' field errors without a value, belong to the path. */
static size_t
kind_of_error(const char *message)
{
    static const char *const kinds[] = {"Forbidden: ", "Required value: "};

    for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
        if (strncmp(message, kinds[i], strlen(kinds[i])) == 0)
            return strlen(kinds[i]);
    }
    return 0;
}

/* One line where it fits; else the place, and below it what is to be said. */
static void
add_diagnostic(struct text *out, struct json_object *diagnostic, const struct origins *origins)
{
    const char *path = member_text(diagnostic, "path");
    const char *message = member_text(diagnostic, "message");
    const char *hint = member_text(diagnostic, "hint");
    size_t start = out->len;

    add_label(out, member_text(diagnostic, "severity"));
    text_addf(out, "%s ", member_text(diagnostic, "code"));
    add_place(out, diagnostic, origins);
    text_addf(out, "%s:", *path ? path : member_text(diagnostic, "reason"));
    if (out->len - start + 1 + strlen(message) <= LINE_WIDTH) {
        text_addf(out, " %s\n", message);
    } else {
        size_t kind = kind_of_error(message);

        text_addf(out, "%s%.*s\n", kind ? " " : "", kind ? (int)kind - 1 : 0, message);
        add_wrapped(out, message + kind);
    }
    if (*hint) {
        struct text text = {0};

        text_addf(&text, "hint: %s", hint);
        add_wrapped(out, text.data);
        text_free(&text);
    }
}

/* Defaults that the API server would fill in say nothing about the gang. */
static bool
is_of_interest(struct json_object *diagnostic, bool verbose)
{
    return verbose || strcmp(member_text(diagnostic, "reason"), "DefaultApplied") != 0;
}

/* What stops the job comes first. */
static const char *const severities[] = {"error", "warning", "info"};

static void
add_diagnostics(struct text *out, struct json_object *diagnostics, const char *severity,
                const struct job *job, bool verbose)
{
    for (size_t i = 0; i < list_length(diagnostics); i++) {
        struct json_object *diagnostic = json_object_array_get_idx(diagnostics, i);

        if (strcmp(member_text(diagnostic, "severity"), severity) == 0 && is_of_interest(diagnostic, verbose))
            add_diagnostic(out, diagnostic, &job->origins);
    }
}

void
report_job(struct text *out, struct json_object *plan, const struct job *job,
           const struct report_options *options)
{
    struct json_object *diagnostics = json_object_object_get(plan, "diagnostics");

    add_head(out, plan, job, options);
    add_outcome(out, plan);
    report_trace(out, json_object_object_get(plan, "trace"), &job->origins, options->verbose);
    add_gang(out, plan);
    add_start_order(out, json_object_object_get(plan, "roles"));
    add_objects(out, json_object_object_get(plan, "objects"));
    add_losses(out, json_object_object_get(plan, "losses"));
    for (size_t i = 0; i < sizeof(severities) / sizeof(severities[0]); i++)
        add_diagnostics(out, diagnostics, severities[i], job, options->verbose);
}
