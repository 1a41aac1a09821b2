/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/policy/policy_schema.h"

/* ---- policy reader ---- */

/* The schema reports empty names. */
POLICY_READ(policy_read_name)
{
    (void)schema;
    *(struct slice *)value = node_string(source);
    name_check_node(source, NAME_DNS1123_SUBDOMAIN, GANG_CODE_INVALID_NAME, NULL, reader->report);
}

static void
policy_find_not_enabled(struct schema_reader *reader, const struct node *name)
{
    const struct gang_policy *policy = policy_in(reader);
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

POLICY_READ(policy_read_backend)
{
    const struct policy_backend **found = value;
    const struct gang_policy *policy = policy_in(reader);

    (void)schema;
    if (!node_string(source).len)
        return;
    for (size_t i = 0; i < policy->num_backends; i++)
        if (slice_equal(policy->backends[i].name, node_string(source))) {
            *found = &policy->backends[i];
            return;
        }
    policy_find_not_enabled(reader, source);
}

/* ---- policy output ---- */

static void
output_check_keys(struct schema_reader *reader, const struct node *map)
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
policy_check_defaults(struct schema_reader *reader)
{
    const struct gang_policy *policy = policy_in(reader);
    const struct policy_settings *defaults = &policy->defaults;
    const struct node *overrides[] = {
        defaults->override_source,
        defaults->queue.override_source,
        defaults->priority.override_source,
    };

    for (size_t i = 0; i < COUNT_OF(overrides); i++)
        if (schema_word(override_names, overrides[i]) == OVERRIDE_ALWAYS)
            find_forbidden(reader->report, GANG_CODE_SETTING_WITHOUT_EFFECT, overrides[i],
                           "use a rule with `match: {}` after all other rules instead",
                           "defaults apply only if no other source sets a value");
    if (defaults->backend && policy->default_backend &&
        defaults->backend != policy->default_backend)
        find_note(reader->report, GANG_CODE_IDLE_SETTING, policy->default_backend_source,
                  "remove one of the two",
                  "it is never used: spec.defaults.backend has precedence");
}

/* Rules, defaults and constraints name backends, so these are read first. */
static void
policy_read_spec(struct schema_reader *reader, const struct node *spec)
{
    struct gang_policy *policy = policy_in(reader);
    const struct schema_field *field = schema_find_field(policy->schema, SLICE("spec"));

    policy_backends_read(reader, node_member(spec, SLICE("backends")));
    schema_read(field->schema, spec, policy, reader);
    policy_check_defaults(reader);
    policy->filters = rule_filters_make(policy->rules, policy->num_rules, reader->arena);
    object_meta_check_labels(policy->output.labels, reader->report);
    object_meta_check_annotations(policy->output.annotations, reader->report);
    output_check_keys(reader, policy->output.labels);
    output_check_keys(reader, policy->output.annotations);
    policy_backends_check_use(reader);
    shadow_check(reader);
}

void
policy_compile(struct gang_document *document, struct parse_call *call)
{
    struct gang_policy *policy = (struct gang_policy *)document;
    struct schema_reader reader = {call->arena, &call->report, policy};
    struct object_meta meta;

    policy->root = call->root;
    policy->schema = policy_schema(call->arena);
    if (!policy->schema)
        return;
    object_meta_check_kind(call->root, SLICE(GANG_API_VERSION), policy_kinds, 1, &call->report);
    schema_check(policy->schema, call->root, &call->report);
    meta = object_meta_read(call->root, &call->report);
    policy->name = meta.name;
    policy_check_metadata(&meta, &call->report);
    policy_read_spec(&reader, node_member(call->root, SLICE("spec")));
    if (!report_has_errors(&call->report))
        policy->stamp = policy_stamp(policy, call->arena);
}

const char *
gang_policy_get_stamp(const struct gang_document *document)
{
    return document_is(document, GANG_DOCUMENT_POLICY) ? policy_of(document)->stamp.data : NULL;
}
