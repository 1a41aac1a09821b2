/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/policy/policy.h"

#include "libgang/policy/policy_backends.h"
#include "libgang/policy/policy_print.h"
#include "libgang/policy/policy_schema.h"
#include "libgang/policy/shadow.h"

/* ---- policy reader ---- */

int
policy_choice(const struct node *word, const char *const *names)
{
    for (int i = 0; names[i]; i++)
        if (slice_equal(node_string(word), slice_from_text(names[i])))
            return i;
    return 0;
}

int64_t
policy_number(const struct node *number)
{
    int64_t value;

    return node_int(number, &value) ? value : 0;
}

void
policy_check_name(struct policy_reader *reader, const struct node *name, enum name_rule rule)
{
    name_check_node(name, rule, GANG_CODE_INVALID_NAME, NULL, reader->report);
}

static void
policy_find_not_enabled(struct policy_reader *reader, const struct node *name)
{
    const struct gang_policy *policy = reader->policy;
    struct slice *enabled = arena_array(reader->arena, policy->num_backends, sizeof(*enabled));
    const char *nearest;
    size_t count = 0;

    if (!enabled)
        return;
    for (size_t i = 0; i < policy->num_backends; i++)
        if (slice_is_set(policy->backends[i].name))
            enabled[count++] = policy->backends[i].name;
    nearest = schema_nearest_text(enabled, count, node_string(name));
    find_unsupported(reader->report, GANG_CODE_BACKEND_NOT_ENABLED, name,
                     nearest ? schema_did_you_mean(reader->arena, nearest)
                             : "enable it under spec.backends",
                     enabled, count);
}

const struct policy_backend *
policy_read_backend(struct policy_reader *reader, const struct node *name)
{
    const struct gang_policy *policy = reader->policy;

    if (!node_string(name).len)
        return NULL;
    for (size_t i = 0; i < policy->num_backends; i++)
        if (slice_equal(policy->backends[i].name, node_string(name)))
            return &policy->backends[i];
    policy_find_not_enabled(reader, name);
    return NULL;
}

/* ---- policy output ---- */

static void
output_check_keys(struct policy_reader *reader, const struct node *map)
{
    for (NODE_EACH(member, map))
        if (reserved_marks_has_key(node_key(member)))
            find_forbidden(reader->report, GANG_CODE_RESERVED_OUTPUT_KEY, member, "remove it",
                           "%.*s is a mark of gang membership", SLICE_ARG(node_key(member)));
        else if (slice_equal(node_key(member), SLICE(POLICY_STAMP_KEY)))
            find_forbidden(reader->report, GANG_CODE_RESERVED_OUTPUT_KEY, member,
                           "write policyStamp: Annotation instead", "%s is the policy's own stamp",
                           POLICY_STAMP_KEY);
}

static struct policy_output
policy_output_read(struct policy_reader *reader, const struct node *source)
{
    struct policy_output output = {
        .labels = node_member(source, SLICE("labels")),
        .annotations = node_member(source, SLICE("annotations")),
        .policy_stamp = policy_choice(node_member(source, SLICE("policyStamp")), stamp_names) == 1,
        .omits_owner =
            policy_choice(node_member(source, SLICE("ownerReferences")), owner_names) == 1,
        .source = source,
    };

    object_meta_check_labels(output.labels, reader->report);
    object_meta_check_annotations(output.annotations, reader->report);
    output_check_keys(reader, output.labels);
    output_check_keys(reader, output.annotations);
    return output;
}

/* ---- policy ---- */

static const struct slice policy_kinds[] = {SLICE_INIT(GANG_KIND_POLICY)};

/* A policy applies to the whole cluster, so a namespace would have no effect. */
static void
policy_check_metadata(const struct object_meta *meta, struct report *report)
{
    const struct node *namespace_ = node_member(meta->source, SLICE("namespace"));

    if (namespace_)
        find_forbidden(report, GANG_CODE_UNKNOWN_FIELD, namespace_, NULL,
                       "a policy has no namespace");
    name_check_node(meta->name_source, NAME_DNS1123_SUBDOMAIN, GANG_CODE_INVALID_NAME, NULL,
                    report);
}

/* Defaults have the lowest precedence, so `override: Always` has no effect there. */
static void
policy_check_defaults(struct policy_reader *reader, const struct node *defaults)
{
    const struct gang_policy *policy = reader->policy;
    const struct node *overrides[] = {
        node_at(defaults, "override"),
        node_at(defaults, "queue.override"),
        node_at(defaults, "priorityClassName.override"),
    };

    for (size_t i = 0; i < COUNT_OF(overrides); i++)
        if (policy_choice(overrides[i], override_names) == OVERRIDE_ALWAYS)
            find_forbidden(reader->report, GANG_CODE_SETTING_WITHOUT_EFFECT, overrides[i],
                           "use a rule with `match: {}` after all other rules instead",
                           "defaults apply only if no other source sets a value");
    if (policy->defaults.backend && policy->default_backend &&
        policy->defaults.backend != policy->default_backend)
        find_note(reader->report, GANG_CODE_IDLE_SETTING, policy->default_backend_source,
                  "remove one of the two",
                  "it is never used: spec.defaults.backend has precedence");
}

static void
policy_read_rules(struct policy_reader *reader, const struct node *list)
{
    struct gang_policy *policy = reader->policy;

    policy->rules = arena_array(reader->arena, node_count(list), sizeof(*policy->rules));
    if (policy->rules)
        for (NODE_EACH(item, list))
            policy->rules[policy->num_rules++] = rule_read(reader, item);
}

static void
policy_read_constraints(struct policy_reader *reader, const struct node *list)
{
    struct gang_policy *policy = reader->policy;

    policy->constraints =
        arena_array(reader->arena, node_count(list), sizeof(*policy->constraints));
    if (policy->constraints)
        for (NODE_EACH(item, list))
            policy->constraints[policy->num_constraints++] = constraint_read(reader, item);
}

static void
policy_read_spec(struct policy_reader *reader, const struct node *spec)
{
    struct gang_policy *policy = reader->policy;
    const struct node *defaults = node_member(spec, SLICE("defaults"));

    policy->compatibility_source = node_member(spec, SLICE("compatibility"));
    policy->compatibility =
        (enum gang_compatibility)policy_choice(policy->compatibility_source, compatibility_names);
    policy->runtime_policy_source = node_member(spec, SLICE("runtimePolicy"));
    policy->runtime_policy =
        (enum runtime_policy)policy_choice(policy->runtime_policy_source, runtime_policy_names);
    policy_backends_read(reader, node_member(spec, SLICE("backends")));
    policy->default_backend_source = node_member(spec, SLICE("defaultBackend"));
    policy->default_backend = policy_read_backend(reader, policy->default_backend_source);
    policy->defaults = settings_read(reader, defaults);
    policy_check_defaults(reader, defaults);
    policy_read_rules(reader, node_member(spec, SLICE("rules")));
    policy->filters = rule_filters_make(policy->rules, policy->num_rules, reader->arena);
    policy_read_constraints(reader, node_member(spec, SLICE("constraints")));
    policy->output = policy_output_read(reader, node_member(spec, SLICE("output")));
    policy_backends_check_use(reader);
    shadow_check(reader);
}

void
policy_compile(struct gang_document *document, struct parse_call *call)
{
    struct gang_policy *policy = (struct gang_policy *)document;
    struct policy_reader reader = {policy, call->arena, &call->report};
    struct object_meta meta;

    policy->root = call->root;
    policy->schema = policy_schema(call->arena);
    object_meta_check_kind(call->root, SLICE(GANG_API_VERSION), policy_kinds, 1, &call->report);
    if (policy->schema)
        schema_check(policy->schema, call->root, &call->report);
    meta = object_meta_read(call->root, &call->report);
    policy->name = meta.name;
    policy_check_metadata(&meta, &call->report);
    policy_read_spec(&reader, node_member(call->root, SLICE("spec")));
    if (policy->schema && !report_has_errors(&call->report))
        policy->stamp = policy_stamp(policy, call->arena);
}

const char *
gang_policy_get_stamp(const struct gang_document *document)
{
    return document_is(document, GANG_DOCUMENT_POLICY) ? policy_of(document)->stamp.data : NULL;
}
