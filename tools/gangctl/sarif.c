/* SPDX-License-Identifier: Apache-2.0 */
#include "findings.h"

#include <inttypes.h>
#include <string.h>

#include "commands.h"
#include "tree.h"

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

static const char *const levels[] = {
    [GANG_SEVERITY_ERROR] = "error",
    [GANG_SEVERITY_WARNING] = "warning",
    [GANG_SEVERITY_INFO] = "note",
};

static void
put_message(struct json_object *object, const char *key, const char *text)
{
    tree_put_text(tree_map_in(object, key), "text", text);
}

static struct json_object *
new_list(struct json_object *object, const char *key)
{
    struct json_object *list = tree_must(json_object_new_array());

    tree_put(object, key, list);
    return list;
}

static struct json_object *
rule_value(const char *id)
{
    struct json_object *rule = tree_map();
    struct diagnostic_page page;
    struct text uri = {0};

    tree_put_text(rule, "id", id);
    for (size_t i = 0; i < sizeof(own_rules) / sizeof(*own_rules); i++)
        if (strcmp(id, own_rules[i].id) == 0)
            put_message(rule, "shortDescription", own_rules[i].description);
    if (!diagnostic_page_find(&page, id))
        return rule;
    tree_put_text(rule, "name", page.reason);
    put_message(rule, "shortDescription", page.reason);
    put_message(rule, "fullDescription", page.parts[PAGE_SUMMARY].data);
    put_message(rule, "help", page.parts[PAGE_FIX].data);
    diagnostic_page_free(&page);
    if (*GANGCTL_HOMEPAGE) {
        text_addf(&uri, GANGCTL_HOMEPAGE "/diagnostics.html#%s", id);
        tree_put_text(rule, "helpUri", uri.data);
        text_free(&uri);
    }
    return rule;
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
static int64_t
index_of_rule(struct json_object *rules, const char *id)
{
    size_t count = tree_length(rules);

    for (size_t i = 0; i < count; i++)
        if (tree_text_is(json_object_array_get_idx(rules, i), "id", id))
            return (int64_t)i;
    json_object_array_add(rules, rule_value(id));
    return (int64_t)count;
}

/* Adds a file name as a relative URI reference. Of "./a" only "a" is the name in a repository. */
static void
add_uri(struct text *out, const char *file)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                                "-._~/";

    while (strncmp(file, "./", 2) == 0)
        file += 2;
    for (; *file; file++) {
        if (strchr(plain, *file))
            text_add_bytes(out, file, 1);
        else
            text_addf(out, "%%%02X", (unsigned)(unsigned char)*file);
    }
}

static void
put_region(struct json_object *place, const struct complaint *complaint)
{
    struct json_object *region;

    if (!complaint->line)
        return;
    region = tree_map_in(place, "region");
    tree_put(region, "startLine", tree_must(json_object_new_int64(complaint->line)));
    if (complaint->column)
        tree_put(region, "startColumn", tree_must(json_object_new_int64(complaint->column)));
}

static void
put_file(struct json_object *location, const struct complaint *complaint)
{
    struct json_object *place;
    struct text uri = {0};

    if (!complaint->file)
        return;
    place = tree_map_in(location, "physicalLocation");
    add_uri(&uri, strcmp(complaint->file, "<stdin>") == 0 ? "stdin" : complaint->file);
    tree_put_text(tree_map_in(place, "artifactLocation"), "uri", uri.data);
    put_region(place, complaint);
    text_free(&uri);
}

/* The path in the document, or the name of a case, is a logical location. */
static void
put_path(struct json_object *location, const struct complaint *complaint)
{
    struct json_object *logical;

    if (!complaint->path || !*complaint->path)
        return;
    logical = tree_map();
    tree_put_text(logical, "fullyQualifiedName", complaint->path);
    tree_put_text(logical, "kind", is_of_test(complaint) ? "function" : "property");
    json_object_array_add(new_list(location, "logicalLocations"), logical);
}

static void
put_location(struct json_object *result, const struct complaint *complaint)
{
    struct json_object *location = tree_map();

    put_file(location, complaint);
    put_path(location, complaint);
    json_object_array_add(new_list(result, "locations"), location);
}

/* FNV-1a, which the text ends with a NUL. */
static uint64_t
hash_more(uint64_t hash, const char *text)
{
    do
        hash = (hash ^ (unsigned char)(text ? *text : 0)) * 0x100000001b3;
    while (text && *text++);
    return hash;
}

/*
 * What is equal for a finding that moves to another line, so that a reader knows it again. A case
 * of a test is the same one whatever its answer is.
 */
static void
put_fingerprint(struct json_object *result, const struct complaint *complaint)
{
    const char *const parts[] = {rule_of(complaint), complaint->file, complaint->job,
                                 complaint->path,
                                 is_of_test(complaint) ? NULL : complaint->message};
    uint64_t hash = 0xcbf29ce484222325;
    struct text text = {0};

    for (size_t i = 0; i < sizeof(parts) / sizeof(*parts); i++)
        hash = hash_more(hash, parts[i]);
    text_addf(&text, "%016" PRIx64, hash);
    tree_put_text(tree_map_in(result, "partialFingerprints"), "finding/v1", text.data);
    text_free(&text);
}

static struct json_object *
result_value(const struct complaint *complaint, struct json_object *rules)
{
    struct json_object *result = tree_map();
    struct text message = {0};
    int64_t rule = index_of_rule(rules, rule_of(complaint));

    complaint_add_message(&message, complaint);
    tree_put_text(result, "ruleId", rule_of(complaint));
    tree_put(result, "ruleIndex", tree_must(json_object_new_int64(rule)));
    tree_put_text(result, "level", levels[complaint->severity]);
    put_message(result, "message", message.data);
    put_location(result, complaint);
    put_fingerprint(result, complaint);
    if (complaint->job)
        tree_put_text(tree_map_in(result, "properties"), "job", complaint->job);
    if (complaint->more_jobs)
        tree_put(tree_map_in(result, "properties"), "moreJobs",
                 tree_must(json_object_new_int64((int64_t)complaint->more_jobs)));
    text_free(&message);
    return result;
}

static struct json_object *
run_value(const struct complaints *complaints)
{
    struct json_object *run = tree_map();
    struct json_object *driver = tree_map_in(tree_map_in(run, "tool"), "driver");
    struct json_object *rules;
    struct json_object *results;

    tree_put_text(driver, "name", "gangctl");
    if (*GANGCTL_HOMEPAGE)
        tree_put_text(driver, "informationUri", GANGCTL_HOMEPAGE);
    tree_put_text(driver, "semanticVersion", gang_version_string());
    rules = new_list(driver, "rules");
    tree_put_text(run, "columnKind", "unicodeCodePoints");
    results = new_list(run, "results");
    for (size_t i = 0; i < complaints->count; i++)
        json_object_array_add(results, result_value(&complaints->items[i], rules));
    return run;
}

void
sarif_add(struct text *out, const struct complaints *complaints)
{
    struct json_object *log = tree_map();

    tree_put_text(log, "$schema", SARIF_SCHEMA);
    tree_put_text(log, "version", "2.1.0");
    json_object_array_add(new_list(log, "runs"), run_value(complaints));
    tree_add_json(out, log, JSON_C_TO_STRING_PRETTY | JSON_C_TO_STRING_SPACED);
    text_add(out, "\n");
    json_object_put(log);
}
