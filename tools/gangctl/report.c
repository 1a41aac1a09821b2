/* SPDX-License-Identifier: Apache-2.0 */
#include "report.h"

#include <ctype.h>
#include <stdbool.h>
#include <string.h>

#include "jobs.h"
#include "tree.h"

/*
 * order     stage 0          data 1
 *              v Complete
 *           stage 1  wave 0  node 3      after data is Complete
 *              v Ready
 *                    wave 1  launcher 1  after node is Ready
 */
enum { LABEL_COLUMNS = 10, STAGE_COLUMNS = 9, WAVE_COLUMNS = 8 };

struct order {
    struct json_object *roles;
    int last_stage;
    int last_wave;
    size_t name_columns;
    bool has_edges;
    bool is_first; /* no line was added */
};

static int
number_of(struct json_object *role, const char *key)
{
    return (int)json_object_get_int64(tree_member(role, key));
}

static const char *
or_empty(const char *text)
{
    return text ? text : "";
}

static void
add_name(struct text *out, struct json_object *role)
{
    text_addf(out, "%s %d", or_empty(tree_text(role, "name")), number_of(role, "count"));
}

static struct order
measure(struct json_object *roles)
{
    struct order order = {.roles = roles, .is_first = true};

    for (size_t i = 0; i < tree_length(roles); i++) {
        struct json_object *role = json_object_array_get_idx(roles, i);
        struct text name = {0};

        add_name(&name, role);
        if (name.len > order.name_columns)
            order.name_columns = name.len;
        if (number_of(role, "stage") > order.last_stage)
            order.last_stage = number_of(role, "stage");
        if (number_of(role, "wave") > order.last_wave)
            order.last_wave = number_of(role, "wave");
        if (tree_length(tree_member(role, "dependsOn")))
            order.has_edges = true;
        text_free(&name);
    }
    return order;
}

static void
add_column(struct text *out, const char *word, int number, size_t columns)
{
    struct text cell = {0};

    if (word)
        text_addf(&cell, "%s %d", word, number);
    text_addf(out, "%-*s", (int)columns, word ? cell.data : "");
    text_free(&cell);
}

/* Adds "after a is Ready, b is Complete", aligned. */
static void
add_edges(struct text *out, struct json_object *role, size_t padding)
{
    struct json_object *edges = tree_member(role, "dependsOn");

    if (!tree_length(edges))
        return;
    text_addf(out, "%*s  after", (int)padding, "");
    for (size_t i = 0; i < tree_length(edges); i++) {
        struct json_object *edge = json_object_array_get_idx(edges, i);

        text_addf(out, "%s %s is %s", i ? "," : "", or_empty(tree_text(edge, "role")),
                  or_empty(tree_text(edge, "status")));
    }
}

/* The columns before the name: the stage and the wave are those of the first role in them. */
static void
add_place_in_order(struct text *out, const struct order *order, struct json_object *role,
                   bool starts_stage, bool starts_wave)
{
    text_addf(out, "%-*s", LABEL_COLUMNS, order->is_first ? "order" : "");
    add_column(out, starts_stage ? "stage" : NULL, number_of(role, "stage"), STAGE_COLUMNS);
    if (order->last_wave)
        add_column(out, starts_wave ? "wave" : NULL, number_of(role, "wave"), WAVE_COLUMNS);
}

static void
add_role(struct text *out, struct order *order, struct json_object *role, bool starts_stage,
         bool starts_wave)
{
    struct text name = {0};

    add_place_in_order(out, order, role, starts_stage, starts_wave);
    add_name(&name, role);
    text_add(out, name.data);
    add_edges(out, role, order->name_columns - name.len);
    text_add(out, "\n");
    text_free(&name);
    order->is_first = false;
}

static bool
is_in_wave(struct json_object *role, int stage, int wave)
{
    return number_of(role, "stage") == stage && number_of(role, "wave") == wave;
}

static bool
waits_until_ready(struct json_object *role)
{
    struct json_object *edges = tree_member(role, "dependsOn");

    for (size_t i = 0; i < tree_length(edges); i++)
        if (strcmp(or_empty(tree_text(json_object_array_get_idx(edges, i), "status")), "Ready") ==
            0)
            return true;
    return false;
}

/* What the roles of a wave other than the first wait for. */
static const char *
wave_status(const struct order *order, int stage, int wave)
{
    for (size_t i = 0; i < tree_length(order->roles); i++) {
        struct json_object *role = json_object_array_get_idx(order->roles, i);

        if (is_in_wave(role, stage, wave) && waits_until_ready(role))
            return "Ready";
    }
    return "Scheduled";
}

/* Returns whether there are roles of this stage and wave. */
static bool
add_wave(struct text *out, struct order *order, int stage, int wave, bool starts_stage)
{
    bool is_first = true;

    for (size_t i = 0; i < tree_length(order->roles); i++) {
        struct json_object *role = json_object_array_get_idx(order->roles, i);

        if (!is_in_wave(role, stage, wave))
            continue;
        if (is_first && !order->is_first)
            text_addf(out, "%*s v %s\n", LABEL_COLUMNS, "",
                      starts_stage ? "Complete" : wave_status(order, stage, wave));
        add_role(out, order, role, is_first && starts_stage, is_first);
        is_first = false;
    }
    return !is_first;
}

/*
 * Adds the roles of a job in the order in which they start, with their stages and waves; nothing if
 * all start at once.
 */
static void
report_order(struct text *out, struct json_object *roles)
{
    struct order order = measure(roles);

    if (!order.has_edges)
        return;
    for (int stage = 0; stage <= order.last_stage; stage++) {
        bool starts_stage = true;

        for (int wave = 0; wave <= order.last_wave; wave++)
            if (add_wave(out, &order, stage, wave, starts_stage))
                starts_stage = false;
    }
}

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

/* Adds the left column, as wide as its longest word. */
static void
add_label(struct text *out, const char *label)
{
    text_addf(out, "%-*s", REPORT_INDENT, label);
}

/* Adds the documents of the job: "runtime TrainingRuntime/x", "podcliqueset y". */
static void
add_companion(struct text *out, const struct job *job)
{
    if (gang_document_num_gangs(job->handle) > 1)
        text_addf(out, "  gang #%llu of %llu", (unsigned long long)job->gang,
                  (unsigned long long)gang_document_num_gangs(job->handle));
    if (job->runtime)
        text_addf(out, "  runtime %s/%s", gang_document_get_kind(job->runtime->handle),
                  gang_document_get_name(job->runtime->handle));
    else if (job->podgang)
        text_addf(out, "  podcliqueset %s",
                  job->set ? gang_document_get_name(job->set->handle) : "not known");
}

static void
add_head(struct text *out, struct json_object *decision, const struct job *job,
         const struct report_options *options)
{
    struct json_object *metadata = json_object_object_get(decision, "metadata");
    const char *space = member_text(metadata, "namespace");

    text_addf(out, "%s %s%s%s", job->document->kind, space, *space ? "/" : "",
              member_text(metadata, "name"));
    add_companion(out, job);
    text_addf(out, "  policy %s", options->policy ? options->policy : "none");
    if (options->cluster)
        text_addf(out, "  cluster %s", options->cluster);
    if (strcmp(member_text(decision, "compatibility"), "None") != 0)
        text_addf(out, "  compatibility %s", member_text(decision, "compatibility"));
    text_add(out, "\n");
}

static size_t
count_severity(const struct gang_decision *decision, int severity)
{
    size_t count = 0;

    for (size_t i = 0; i < gang_decision_num_diagnostics(decision); i++)
        count +=
            gang_diagnostic_get_severity(gang_decision_get_diagnostic(decision, i)) == severity;
    return count;
}

void
add_outcome_name(struct text *out, int value)
{
    const char *outcome = gang_outcome_name(value);

    for (size_t i = 0; outcome && outcome[i]; i++) {
        char upper = (char)toupper((unsigned char)outcome[i]);

        if (i && isupper((unsigned char)outcome[i]))
            text_add(out, "_");
        text_add_bytes(out, &upper, 1);
    }
}

static void
add_outcome(struct text *out, const struct gang_decision *decision)
{
    size_t errors = count_severity(decision, GANG_SEVERITY_ERROR);
    size_t warnings = count_severity(decision, GANG_SEVERITY_WARNING);

    add_label(out, "OUTCOME");
    add_outcome_name(out, gang_decision_get_outcome(decision));
    text_add(out, ": ");
    add_reason(out, decision);
    text_addf(out, " (%zu error%s, %zu warning%s)\n", errors, errors == 1 ? "" : "s", warnings,
              warnings == 1 ? "" : "s");
}

/* Adds "node 4 + launcher 1", the roles of one membership. Returns the number of their pods. */
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
add_group_of_roles(struct text *out, struct json_object *roles, const char *label,
                   const char *membership, const char *note)
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
    text_add(out, is_first ? "none requested\n" : "\n");
}

/* There is no minimum if a runtime has groups that do not wait. */
static void
add_minimum(struct text *out, const struct gang_decision *decision)
{
    long long minimum = (long long)gang_decision_get_minimum(decision);

    if (minimum == 0)
        text_add(out, "none: pods start one by one\n");
    else
        text_addf(out, "%lld of %lld pods start together or not at all\n", minimum,
                  (long long)gang_decision_get_pods(decision));
}

/* The pods of the job: those of the gang, those that join it later, and the others. */
static void
add_pods(struct text *out, struct json_object *decision)
{
    struct json_object *roles = json_object_object_get(decision, "roles");
    struct text choice = {0};

    text_add(&choice, "     members: ");
    add_members_choice(&choice, json_object_object_get(decision, "trace"));
    add_group_of_roles(out, roles, "members", "Member",
                       choice.data[choice.len - 1] == ' ' ? "" : choice.data);
    text_free(&choice);
    add_group_of_roles(out, roles, "late", "LateMember", "     join after the gang has started");
    add_group_of_roles(out, roles, "outside", "Outside",
                       "     not in the gang: not counted, no labels");
}

static bool
has_members(struct json_object *roles)
{
    for (size_t i = 0; i < list_length(roles); i++)
        if (strcmp(member_text(json_object_array_get_idx(roles, i), "membership"), "Outside") != 0)
            return true;
    return false;
}

/* Volcano's bound of a hard topology. */
static void
add_tier(struct text *out, struct json_object *gang)
{
    struct json_object *topology = json_object_object_get(gang, "topology");
    struct json_object *tier = json_object_object_get(topology, "highestTierAllowed");

    if (!tier)
        return;
    add_label(out, "");
    text_addf(out, "highestTierAllowed %s\n", json_object_get_string(tier));
}

static void
add_run(struct text *out, struct json_object *number)
{
    if (!number)
        return;
    add_label(out, "run");
    text_addf(out, "%s     resumes or restarts before\n", json_object_get_string(number));
}

static void
add_gang(struct text *out, struct json_object *decision, const struct job *job)
{
    struct json_object *gang = json_object_object_get(decision, "gang");
    struct json_object *roles = json_object_object_get(decision, "roles");
    int outcome = gang_decision_get_outcome(job->decision);

    if (outcome == GANG_OUTCOME_GANG || has_members(roles))
        add_pods(out, decision);
    else if (outcome != GANG_OUTCOME_INVALID)
        add_group_of_roles(out, roles, "pods", "Outside", "");
    if (outcome != GANG_OUTCOME_GANG)
        return;
    add_label(out, "minimum");
    add_minimum(out, job->decision);
    add_resources(out, json_object_object_get(gang, "resources"));
}

/* Adds "apiVersion kind name", what a controller creates from the pods. */
static void
add_prediction(struct text *out, struct json_object *prediction, bool is_first)
{
    struct json_object *object = json_object_object_get(prediction, "object");
    struct json_object *metadata = json_object_object_get(object, "metadata");
    const char *name = member_text(metadata, "name");

    add_label(out, is_first ? "predicted" : "");
    text_addf(out, "%s %s %s%s, which %s %s creates\n", member_text(object, "apiVersion"),
              member_text(object, "kind"), *name ? name : member_text(metadata, "generateName"),
              *name ? "" : "*", member_text(prediction, "controller"),
              member_text(prediction, "version"));
}

static void
add_predictions(struct text *out, struct json_object *predictions)
{
    for (size_t i = 0; i < list_length(predictions); i++)
        add_prediction(out, json_object_array_get_idx(predictions, i), i == 0);
}

static void
add_objects(struct text *out, const struct gang_plan *plan, const struct gang_decision *decision)
{
    if (plan && !gang_plan_num_objects(plan) &&
        gang_decision_get_outcome(decision) == GANG_OUTCOME_GANG) {
        add_label(out, "objects");
        text_add(out, "none\n");
    }
    for (size_t i = 0; i < gang_plan_num_objects(plan); i++) {
        const struct gang_object *object = gang_plan_get_object(plan, i);
        struct text line = {0};

        text_addf(&line, "%s %s %s %s", gang_action_name(gang_object_get_action(object)),
                  gang_object_get_api_version(object), gang_object_get_kind(object),
                  gang_object_get_name(object));
        add_label(out, i ? "" : "objects");
        text_add_printable(out, line.data);
        text_add(out, "\n");
        text_free(&line);
    }
}

/* What the backend cannot express. */
static void
add_losses(struct text *out, struct json_object *losses)
{
    for (size_t i = 0; i < list_length(losses); i++) {
        struct json_object *loss = json_object_array_get_idx(losses, i);
        const char *value = member_text(loss, "value");

        add_label(out, i ? "" : "lost");
        text_addf(out, "%s%s%s: %s\n", member_text(loss, "field"), *value ? "=" : "", value,
                  member_text(loss, "reason"));
    }
}

enum { LINE_WIDTH = 110 };

/* The following lines of a finding are aligned with its first words. */
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

/* Adds one line if it fits; otherwise the place, and the message on the next line. */
static void
add_diagnostic(struct text *out, const struct gang_diagnostic *diagnostic,
               const struct origins *origins)
{
    const char *path = gang_diagnostic_get_path(diagnostic);
    const char *message = gang_diagnostic_get_message(diagnostic);
    const char *hint = gang_diagnostic_get_hint(diagnostic);
    size_t start = out->len;

    add_label(out, gang_severity_name(gang_diagnostic_get_severity(diagnostic)));
    text_addf(out, "%s ", gang_diagnostic_get_id(diagnostic));
    add_place(out, origins_of(origins, gang_diagnostic_get_document(diagnostic)),
              gang_diagnostic_get_line(diagnostic), gang_diagnostic_get_column(diagnostic));
    text_addf(out, "%s:", *path ? path : gang_code_name(gang_diagnostic_get_code(diagnostic)));
    if (out->len - start + 1 + strlen(message) <= LINE_WIDTH) {
        text_addf(out, " %s\n", message);
    } else {
        size_t kind = kind_of_error(message);

        text_addf(out, "%s%.*s\n", kind ? " " : "", kind ? (int)kind - 1 : 0, message);
        add_wrapped(out, message + kind);
    }
    if (hint) {
        struct text text = {0};

        text_addf(&text, "hint: %s", hint);
        add_wrapped(out, text.data);
        text_free(&text);
    }
}

static void
add_diagnostics(struct text *out, int severity, const struct job *job)
{
    for (size_t i = 0; i < gang_decision_num_diagnostics(job->decision); i++) {
        const struct gang_diagnostic *diagnostic = gang_decision_get_diagnostic(job->decision, i);

        if (gang_diagnostic_get_severity(diagnostic) == severity)
            add_diagnostic(out, diagnostic, &job->origins);
    }
}

void
report_job(struct text *out, struct json_object *decision, struct json_object *plan,
           const struct job *job, const struct report_options *options)
{
    int last = options->verbose ? GANG_SEVERITY_INFO : GANG_SEVERITY_WARNING;

    add_head(out, decision, job, options);
    add_outcome(out, job->decision);
    report_trace(out, json_object_object_get(decision, "trace"), &job->origins, options->verbose);
    add_tier(out, json_object_object_get(decision, "gang"));
    report_unmatched(out, json_object_object_get(decision, "unmatchedRules"), &job->origins,
                     options->verbose);
    add_run(out, json_object_object_get(decision, "runNumber"));
    add_gang(out, decision, job);
    report_order(out, json_object_object_get(decision, "roles"));
    add_objects(out, job->plan, job->decision);
    add_predictions(out, json_object_object_get(plan, "predictions"));
    add_losses(out, json_object_object_get(plan, "losses"));
    for (int severity = GANG_SEVERITY_ERROR; severity <= last; severity++)
        add_diagnostics(out, severity, job);
}
