/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Compares what the getters answer about a decision, its plan, the plan's objects and patches, and
 * their diagnostics, with the text of the same plan, as json-c reads it. TAP, one line for each
 * folder of documents. accessors FOLDER...
 */
#include <json-c/json.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include <gang/gang.h>

#include "support/cases.h"
#include "support/live.h"

/* One folder; `broken` is the first field that differs, NULL for none. */
enum { DOCUMENTS = 6 };

struct comparison {
    struct gang_document *documents[DOCUMENTS]; /* of the case, the job first */
    size_t num_documents;
    struct gang_decision *decision;
    struct gang_plan *plan;
    struct gang_error *error; /* of the resolve */
    size_t fields;
    const char *broken;
};

static void
expect(struct comparison *compared, const char *field, bool is_equal)
{
    compared->fields++;
    if (!is_equal && !compared->broken)
        compared->broken = field;
}

static bool
are_equal(const char *a, const char *b)
{
    return a && b ? strcmp(a, b) == 0 : a == b;
}

/* Absent in one means absent in the other. */
static void
expect_text(struct comparison *compared, struct json_object *map, const char *key, const char *text)
{
    struct json_object *value = json_object_object_get(map, key);

    expect(compared, key, are_equal(value ? json_object_get_string(value) : NULL, text));
}

static void
expect_number(struct comparison *compared, struct json_object *map, const char *key, int64_t number)
{
    expect(compared, key, json_object_get_int64(json_object_object_get(map, key)) == number);
}

/* Takes over the blob. */
static struct json_object *
tree_of(int code, struct gang_blob *blob)
{
    struct json_object *tree =
        code == GANG_OK ? json_tokener_parse(gang_blob_get_data(blob, NULL)) : NULL;

    gang_blob_unref(blob);
    return tree;
}

static void
expect_tree(struct comparison *compared, const char *field, struct json_object *expected,
            struct json_object *actual)
{
    expect(compared, field, expected && actual && json_object_equal(expected, actual));
}

static void
compare_object(struct comparison *compared, struct json_object *entry,
               const struct gang_object *object)
{
    struct json_object *manifest = json_object_object_get(entry, "object");
    struct json_object *metadata = json_object_object_get(manifest, "metadata");
    struct json_object *written;
    struct gang_blob *blob;
    int code = gang_object_serialize(NULL, object, GANG_FORMAT_JSON, 0, &blob, NULL);

    written = tree_of(code, blob);
    expect_tree(compared, "object", manifest, written);
    json_object_put(written);
    expect_text(compared, entry, "action", gang_action_name(gang_object_get_action(object)));
    expect_text(compared, manifest, "apiVersion", gang_object_get_api_version(object));
    expect_text(compared, manifest, "kind", gang_object_get_kind(object));
    expect_text(compared, metadata, "namespace", gang_object_get_namespace(object));
    expect_text(compared, metadata, "name", gang_object_get_name(object));
}

static const char *
label_of(const struct gang_patch *patch, int section, const char *key)
{
    for (size_t i = 0; i < gang_patch_num_fields(patch, section); i++)
        if (strcmp(gang_patch_get_key(patch, section, i), key) == 0)
            return gang_patch_get_value(patch, section, i);
    return NULL;
}

/* The leaves below `map`, whose keys are joined by dots where they are nested. Returns how many. */
static size_t
compare_section(struct comparison *compared, struct json_object *map,
                const struct gang_patch *patch, int section, const char *before)
{
    size_t count = 0;

    if (!map)
        return 0;
    json_object_object_foreach(map, key, value)
    {
        char path[512];

        snprintf(path, sizeof(path), "%s%s%s", before, *before ? "." : "", key);
        if (json_object_is_type(value, json_type_object)) {
            count += compare_section(compared, value, patch, section, path);
            continue;
        }
        expect_text(compared, map, key, label_of(patch, section, path));
        count++;
    }
    return count;
}

static void
compare_patch(struct comparison *compared, struct json_object *entry,
              const struct gang_patch *patch)
{
    struct json_object *metadata = json_object_object_get(entry, "metadata");
    struct json_object *sections[] = {
        [GANG_PATCH_LABELS] = json_object_object_get(metadata, "labels"),
        [GANG_PATCH_ANNOTATIONS] = json_object_object_get(metadata, "annotations"),
        [GANG_PATCH_SPEC] = json_object_object_get(entry, "spec"),
    };
    struct json_object *written;
    struct gang_blob *blob;
    int code = gang_patch_serialize(NULL, patch, GANG_FORMAT_JSON, 0, &blob, NULL);

    written = tree_of(code, blob);
    expect_tree(compared, "patch", entry, written);
    json_object_put(written);
    expect_text(compared, entry, "role", gang_patch_get_role(patch));
    expect(compared, "target",
           (strcmp(gang_patch_get_target(patch), "Role") == 0) ==
               (gang_patch_get_role(patch) != NULL));
    for (int section = GANG_PATCH_LABELS; section <= GANG_PATCH_SPEC; section++)
        expect(compared, gang_patch_section_name(section),
               compare_section(compared, sections[section], patch, section, "") ==
                   gang_patch_num_fields(patch, section));
}

static void
compare_diagnostic(struct comparison *compared, struct json_object *entry,
                   const struct gang_diagnostic *diagnostic)
{
    const char *path = gang_diagnostic_get_path(diagnostic);

    expect_text(compared, entry, "code", gang_diagnostic_get_id(diagnostic));
    expect_text(compared, entry, "reason", gang_code_name(gang_diagnostic_get_code(diagnostic)));
    expect_text(compared, entry, "severity",
                gang_severity_name(gang_diagnostic_get_severity(diagnostic)));
    expect_text(compared, entry, "document",
                gang_document_type_name(gang_diagnostic_get_document(diagnostic)));
    expect_text(compared, entry, "job", gang_diagnostic_get_job(diagnostic));
    expect_text(compared, entry, "path", *path ? path : NULL);
    expect_number(compared, entry, "line", gang_diagnostic_get_line(diagnostic));
    expect_number(compared, entry, "column", gang_diagnostic_get_column(diagnostic));
    expect_text(compared, entry, "message", gang_diagnostic_get_message(diagnostic));
    expect_text(compared, entry, "hint", gang_diagnostic_get_hint(diagnostic));
}

/* A finding in an input names the input, which distinguishes it from the others of its kind. */
static void
compare_identity(struct comparison *compared, const struct gang_diagnostic *diagnostic)
{
    for (size_t i = 0; i < compared->num_documents; i++) {
        const struct gang_document *document = compared->documents[i];

        if (gang_document_get_type(document) != gang_diagnostic_get_document(diagnostic))
            continue;
        expect(compared, "kind of a finding's document",
               are_equal(gang_diagnostic_get_kind(diagnostic), gang_document_get_kind(document)));
        expect(compared, "namespace of a finding's document",
               are_equal(gang_diagnostic_get_namespace(diagnostic),
                         gang_document_get_namespace(document)));
        expect(compared, "name of a finding's document",
               are_equal(gang_diagnostic_get_name(diagnostic), gang_document_get_name(document)));
    }
}

static void
compare_lists(struct comparison *compared, struct json_object *tree, const struct gang_plan *plan)
{
    struct json_object *objects = json_object_object_get(tree, "objects");
    struct json_object *patches = json_object_object_get(tree, "patches");
    struct json_object *diagnostics = json_object_object_get(tree, "diagnostics");

    expect(compared, "objects", json_object_array_length(objects) == gang_plan_num_objects(plan));
    expect(compared, "patches", json_object_array_length(patches) == gang_plan_num_patches(plan));
    expect(compared, "diagnostics",
           json_object_array_length(diagnostics) == gang_plan_num_diagnostics(plan));
    for (size_t i = 0; i < gang_plan_num_objects(plan) && !compared->broken; i++)
        compare_object(compared, json_object_array_get_idx(objects, i),
                       gang_plan_get_object(plan, i));
    for (size_t i = 0; i < gang_plan_num_patches(plan) && !compared->broken; i++)
        compare_patch(compared, json_object_array_get_idx(patches, i),
                      gang_plan_get_patch(plan, i));
    for (size_t i = 0; i < gang_plan_num_diagnostics(plan) && !compared->broken; i++) {
        compare_diagnostic(compared, json_object_array_get_idx(diagnostics, i),
                           gang_plan_get_diagnostic(plan, i));
        compare_identity(compared, gang_plan_get_diagnostic(plan, i));
    }
}

static void
compare_decision(struct comparison *compared, struct json_object *tree)
{
    struct json_object *gang = json_object_object_get(tree, "gang");
    struct json_object *backend = json_object_object_get(tree, "backend");
    const struct gang_decision *decision = compared->decision;
    bool is_gang = gang_decision_get_outcome(decision) == GANG_OUTCOME_GANG;

    expect_text(compared, tree, "outcome", gang_outcome_name(gang_decision_get_outcome(decision)));
    expect_text(compared, is_gang ? backend : NULL, "name", gang_decision_get_backend(decision));
    if (backend)
        expect_text(compared, backend, "schedulerName", gang_decision_get_scheduler_name(decision));
    expect_text(compared, gang, "queue", gang_decision_get_queue(decision));
    expect_number(compared, gang, "minimum", gang_decision_get_minimum(decision));
    expect_number(compared, gang, "members", gang_decision_get_members(decision));
    expect_number(compared, gang, "pods", gang_decision_get_pods(decision));
}

/* The keys that a GangDecision has in common with the plan are equal. */
static void
compare_written_decision(struct comparison *compared, struct json_object *plan)
{
    struct gang_blob *blob;
    int code = gang_decision_serialize(NULL, compared->decision, GANG_FORMAT_JSON, 0, &blob, NULL);
    struct json_object *tree = tree_of(code, blob);
    struct json_object *found = NULL;
    const size_t rules = (size_t)json_object_object_get_ex(tree, "unmatchedRules", &found);
    const size_t own = 2 + rules + (size_t)json_object_object_get_ex(tree, "policy", &found);
    size_t common = 0;

    expect_text(compared, tree, "kind", GANG_KIND_DECISION);
    expect_text(compared, tree, "reason", gang_decision_get_reason(compared->decision));
    expect(compared, "a reason", *gang_decision_get_reason(compared->decision));
    json_object_object_foreach(plan, key, value)
    {
        struct json_object *said = json_object_object_get(tree, key);

        if (!said || strcmp(key, "kind") == 0)
            continue;
        expect_tree(compared, key, value, said);
        common++;
    }
    expect(compared, "fields of a GangDecision",
           tree && (size_t)json_object_object_length(tree) == common + own);
    json_object_put(tree);
}

/* What a refused job's error writes is what its plan writes. */
static void
compare_error(struct comparison *compared, struct json_object *plan)
{
    struct json_object *tree;
    struct gang_blob *blob;
    int code;

    if (!compared->error)
        return;
    code = gang_error_serialize(NULL, compared->error, GANG_FORMAT_JSON, 0, &blob, NULL);
    tree = tree_of(code, blob);
    expect_tree(compared, "diagnostics of the error", json_object_object_get(plan, "diagnostics"),
                tree);
    for (size_t i = 0; i < gang_error_num_diagnostics(compared->error); i++)
        compare_identity(compared, gang_error_get_diagnostic(compared->error, i));
    json_object_put(tree);
}

static void
compare_plan(struct comparison *compared, const struct gang_plan *plan, bool is_rendered)
{
    struct gang_blob *blob;
    int code = gang_plan_serialize(NULL, plan, GANG_TARGET_PLAN, GANG_FORMAT_JSON, 0, &blob, NULL);
    struct json_object *tree = tree_of(code, blob);

    expect(compared, "a plan", tree);
    if (tree) {
        compare_decision(compared, tree);
        compare_lists(compared, tree, plan);
    }
    if (tree && is_rendered) {
        compare_written_decision(compared, tree);
        compare_error(compared, tree);
    }
    json_object_put(tree);
}

/* The document that is decided about has precedence over those that it is decided with. */
static bool
read_documents(struct comparison *compared, const struct test_case *input)
{
    const struct text *const texts[DOCUMENTS] = {&input->trainjob,     &input->podgang,
                                                 &input->podcliqueset, &input->runtime,
                                                 &input->policy,       &input->cluster};

    for (size_t i = 0; i < DOCUMENTS; i++) {
        if (!texts[i]->data)
            continue;
        if (gang_document_parse(NULL, texts[i]->data, texts[i]->len, 0,
                                &compared->documents[compared->num_documents], NULL) != GANG_OK)
            return false;
        compared->num_documents++;
    }
    return compared->num_documents > 0;
}

/* False: the case has no decision. */
static bool
decide(struct comparison *compared, const struct test_case *input)
{
    struct gang_inputs *inputs = gang_inputs_new();
    bool is_ready = inputs && read_documents(compared, input);
    int code;

    for (size_t i = 1; is_ready && i < compared->num_documents; i++)
        is_ready = gang_inputs_add(inputs, compared->documents[i]) == GANG_OK;
    if (is_ready) {
        code = gang_resolve(NULL, compared->documents[0], inputs, 0, &compared->decision,
                            &compared->error);
        expect(compared, "result of the resolve", code == gang_error_get_code(compared->error));
    }
    gang_inputs_free(inputs);
    return compared->decision &&
           gang_render(NULL, compared->decision, 0, &compared->plan, NULL) == GANG_OK;
}

static void
compare_reconciled(struct comparison *compared, const struct test_case *input)
{
    struct gang_plan *reconciled;

    if (!input->live.data || !compared->plan)
        return;
    if (reconcile_text(NULL, compared->plan, input->live.data, input->live.len, &reconciled,
                       NULL) != GANG_OK &&
        !reconciled)
        return;
    compare_plan(compared, reconciled, false);
    gang_plan_unref(reconciled);
}

static void
release(struct comparison *compared)
{
    gang_error_free(compared->error);
    gang_plan_unref(compared->plan);
    gang_decision_unref(compared->decision);
    for (size_t i = 0; i < compared->num_documents; i++)
        gang_document_unref(compared->documents[i]);
}

/* A folder without a decision, whose documents are refused, is no case. */
static bool
run_case(const struct test_case *input, int *number)
{
    struct comparison compared = {.broken = NULL};

    if (decide(&compared, input)) {
        compare_plan(&compared, compared.plan, true);
        compare_reconciled(&compared, input);
        printf("%s %d - %s: %zu fields", compared.broken ? "not ok" : "ok", ++*number, input->name,
               compared.fields);
        printf("%s%s\n", compared.broken ? "; differs in " : "",
               compared.broken ? compared.broken : "");
    }
    release(&compared);
    return !compared.broken;
}

int
main(int argc, char **argv)
{
    struct test_cases cases = cases_load(argc - 1, argv + 1);
    bool is_equal = true;
    int number = 0;

    for (size_t i = 0; i < cases.count; i++)
        is_equal &= run_case(&cases.items[i], &number);
    printf("1..%d\n", number);
    cases_free(&cases);
    return !is_equal || !number;
}
