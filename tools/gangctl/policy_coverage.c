/* SPDX-License-Identifier: Apache-2.0 */
#include "policy_test.h"

#include <string.h>

#include "edit.h"

/*
 * Which rules, constraints and settings of the policies the cases reached. What a case reached is
 * `policy` of its GangDecision, which the library writes from the trace.
 */

/* ---- the parts of a policy ---- */

static void
add_part(struct covered_policy *policy, enum covered_kind kind, const struct placed_value *value,
         const char *path)
{
    const char *name = tree_text(value->tree, "name");
    struct covered_part part = {.kind = kind, .path = copy_text(path)};
    const struct place place = place_in(policy->document, value->key);

    if (kind != COVERED_SETTING)
        part.name = copy_text(name ? name : "-");
    if (value->key)
        part.spot = spot_of(&policy->document->origin, place.line, place.column);
    APPEND(policy->parts, policy->count, part);
}

static void
add_setting(struct covered_policy *policy, const struct placed_value *block, const char *path,
            const char *name)
{
    const struct placed_value setting = member_of(block, name);

    if (setting.tree)
        add_part(policy, COVERED_SETTING, &setting, formatted("%s.%s", path, name));
}

/* Adds the members as settings, except those with these names. */
static void
add_settings(struct covered_policy *policy, const struct placed_value *block, const char *path,
             const char *const *others)
{
    if (!json_object_is_type(block->tree, json_type_object))
        return;
    json_object_object_foreach(block->tree, name, value)
    {
        if (value && !is_among(name, others))
            add_setting(policy, block, path, name);
    }
}

static void
add_backend(struct covered_policy *policy, const struct placed_value *backend, const char *path)
{
    static const char *const settings[] = {"schedulerName", "queue", "priorityClassName"};

    for (size_t i = 0; i < COUNT_OF(settings); i++)
        add_setting(policy, backend, path, settings[i]);
    if (!json_object_is_type(backend->tree, json_type_object))
        return;
    json_object_object_foreach(backend->tree, name, options)
    {
        const struct placed_value block = member_of(backend, name);

        (void)options;
        add_setting(policy, &block, formatted("%s.%s", path, name), "scheduleTimeoutSeconds");
    }
}

/* Adds the rules, the constraints, or the settings of the backends. */
static void
add_items(struct covered_policy *policy, const struct placed_value *spec, const char *name,
          enum covered_kind kind)
{
    static const char *const others[] = {"name",    "match",    "exclude", "action",
                                         "message", "override", NULL};
    const struct placed_value list = member_of(spec, name);

    for (size_t i = 0; i < tree_length(list.tree); i++) {
        const struct placed_value item = item_of(&list, i);
        const char *path = formatted("spec.%s[%zu]", name, i);

        if (kind == COVERED_SETTING)
            add_backend(policy, &item, path);
        else
            add_part(policy, kind, &item, path);
        if (kind == COVERED_RULE)
            add_settings(policy, &item, path, others);
    }
}

/* ---- what cases reach ---- */

/* Returns the policy with its parts, which are read once for each file. */
static struct covered_policy *
policy_of_file(struct coverage *coverage, const struct document *document)
{
    static const char *const others[] = {"override", NULL};
    struct covered_policy *policy;
    struct placed_value spec;
    struct placed_value defaults;

    for (size_t i = 0; i < coverage->count; i++)
        if (strcmp(coverage->policies[i].file, document->origin.file) == 0)
            return &coverage->policies[i];
    APPEND(coverage->policies, coverage->count,
           (struct covered_policy){.file = copy_text(document->origin.file), .document = document});
    policy = &coverage->policies[coverage->count - 1];
    spec = root_of(document);
    spec = member_of(&spec, "spec");
    defaults = member_of(&spec, "defaults");
    if (tree_text_is(spec.tree, "compatibility", "KubeflowTrainer")) /* not the default */
        add_setting(policy, &spec, "spec", "compatibility");
    add_items(policy, &spec, "backends", COVERED_SETTING);
    add_setting(policy, &spec, "spec", "defaultBackend");
    add_settings(policy, &defaults, "spec.defaults", others);
    add_items(policy, &spec, "rules", COVERED_RULE);
    add_items(policy, &spec, "constraints", COVERED_CONSTRAINT);
    for (size_t i = 0; i < policy->count; i++)
        policy->parts[i].spot.file = policy->file;
    return policy;
}

/* `use` has the path, and of a constraint the verdict. */
static void
reach(struct covered_policy *policy, struct json_object *use)
{
    for (EACH(struct covered_part, part, policy->parts, policy->count)) {
        if (!tree_text_is(use, "path", part->path) || tree_text_is(use, "verdict", "Unknown"))
            continue;
        part->cases++;
        part->held += (size_t)tree_text_is(use, "verdict", "Held");
        part->broken += (size_t)tree_text_is(use, "verdict", "Broken");
    }
}

void
coverage_take(struct coverage *coverage, const struct document *document,
              struct json_object *decision)
{
    struct covered_policy *policy = policy_of_file(coverage, document);
    struct json_object *use = tree_member(decision, "policy");
    struct json_object *settings = tree_member(use, "settings");
    struct json_object *constraints = tree_member(use, "constraints");

    reach(policy, tree_member(use, "rule"));
    for (TREE_EACH(item, settings))
        reach(policy, *item);
    for (TREE_EACH(item, constraints))
        reach(policy, *item);
}

/* ---- what is printed ---- */

/* How many parts of policies are reached. */
struct sum {
    size_t reached;
    size_t total;
    unsigned percent; /* rounded down, so that only a complete coverage is 100; 0 of nothing */
};

static struct sum
sum_of(const struct covered_policy *policies, size_t count)
{
    struct sum sum = {0};

    for (size_t i = 0; i < count; i++)
        for (size_t k = 0; k < policies[i].count; k++, sum.total++)
            sum.reached += policies[i].parts[k].cases > 0;
    sum.percent = sum.total ? (unsigned)(100 * sum.reached / sum.total) : 0;
    return sum;
}

bool
coverage_is_enough(const struct coverage *coverage)
{
    return sum_of(coverage->policies, coverage->count).percent >= coverage->at_least;
}

/* Returns what is to say of a part; NULL of one that is reached in every way. */
static const char *
words_about(const struct covered_part *part)
{
    if (part->kind == COVERED_CONSTRAINT && part->held && !part->broken)
        return formatted("no case breaks the constraint %s", part->name);
    if (part->kind == COVERED_CONSTRAINT && part->broken && !part->held)
        return formatted("every case breaks the constraint %s", part->name);
    if (part->cases)
        return NULL;
    if (part->kind == COVERED_SETTING)
        return "the setting decides no case";
    return formatted(part->kind == COVERED_CONSTRAINT ? "the constraint %s judges no case"
                                                      : "the rule %s matches no case",
                     part->name);
}

static void
add_complaint(struct complaints *found, int severity, const struct covered_part *part,
              const char *words)
{
    const struct spot spot = part ? part->spot : (struct spot){0};

    APPEND(found->items, found->count,
           (struct complaint){
               .severity = severity,
               .file = spot.file,
               .line = spot.line,
               .column = spot.column,
               .id = SARIF_RULE_OF_COVERAGE,
               .path = part ? copy_text(part->path) : NULL,
               .message = copy_text(words),
           });
}

void
coverage_add_complaints(struct complaints *found, const struct coverage *coverage)
{
    const struct sum sum = sum_of(coverage->policies, coverage->count);

    for (size_t i = 0; i < coverage->count; i++)
        for (EACH(const struct covered_part, part, coverage->policies[i].parts,
                  coverage->policies[i].count)) {
            const char *words = words_about(part);

            if (words)
                add_complaint(found, part->cases ? GANG_SEVERITY_INFO : GANG_SEVERITY_WARNING, part,
                              words);
        }
    if (!coverage_is_enough(coverage))
        add_complaint(found, GANG_SEVERITY_ERROR, NULL,
                      sum.total
                          ? formatted("the cases reach %u %% of the policies, less than %u %%",
                                      sum.percent, coverage->at_least)
                          : "no case has a policy with a rule, a constraint or a setting");
}

static void
add_sum(struct text *out, const char *of, struct sum sum)
{
    if (sum.total)
        text_addf(out, "%3u %% reached, %zu of %zu: ", sum.percent, sum.reached, sum.total);
    else
        text_add(out, "nothing to reach: ");
    text_add_line(out, of);
}

void
coverage_add_text(struct text *out, const struct coverage *coverage)
{
    struct complaints found = {0};

    coverage_add_complaints(&found, coverage);
    for (size_t i = 0; i < found.count; i++)
        complaint_add_text(out, &found.items[i]);
    for (size_t i = 0; i < coverage->count; i++)
        add_sum(out, coverage->policies[i].file, sum_of(&coverage->policies[i], 1));
    add_sum(out, "all policies", sum_of(coverage->policies, coverage->count));
}

static void
put_sum(struct json_object *map, struct sum sum)
{
    tree_put_number(map, "percent", sum.percent);
    tree_put_number(map, "reached", sum.reached);
    tree_put_number(map, "total", sum.total);
}

struct json_object *
coverage_value(const struct coverage *coverage)
{
    static const char *const kinds[] = {"rule", "constraint", "setting"};
    struct json_object *root = tree_map();
    struct json_object *policies;

    put_sum(root, sum_of(coverage->policies, coverage->count));
    policies = tree_put_list(root, "policies");
    for (EACH(const struct covered_policy, policy, coverage->policies, coverage->count)) {
        struct json_object *map = tree_map();
        struct json_object *parts;

        tree_put_text(map, "file", policy->file);
        put_sum(map, sum_of(policy, 1));
        parts = tree_put_list(map, "parts");
        json_object_array_add(policies, map);
        for (EACH(const struct covered_part, part, policy->parts, policy->count)) {
            map = tree_map();
            tree_put_text(map, "kind", kinds[part->kind]);
            tree_put_text(map, "name", part->name);
            tree_put_text(map, "path", part->path);
            if (part->spot.line) {
                tree_put_number(map, "line", part->spot.line);
                tree_put_number(map, "column", part->spot.column);
            }
            tree_put_number(map, "cases", part->cases);
            if (part->kind == COVERED_CONSTRAINT) {
                tree_put_number(map, "held", part->held);
                tree_put_number(map, "broken", part->broken);
            }
            json_object_array_add(parts, map);
        }
    }
    return root;
}
