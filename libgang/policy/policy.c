/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/policy/policy.h"

#include "libgang/document/finding.h"
#include "libgang/document/schema.h"
#include "libgang/kube/names.h"
#include "libgang/kube/object_meta.h"

/* In the order of enum gang_compatibility. */
const char *const compatibility_names[] = {"None", "KubeflowTrainer", NULL};

static const struct schema policy_text = {.type = SCHEMA_STRING};
static const struct schema policy_metadata = {.type = SCHEMA_ANY};
static const struct schema policy_compatibility = {.type = SCHEMA_STRING, .enumeration = compatibility_names};

static const struct schema_field policy_spec_fields[] = {
    {"compatibility", &policy_compatibility, false},
};
static const struct schema policy_spec = {
    .type = SCHEMA_OBJECT,
    .fields = policy_spec_fields,
    .num_fields = sizeof(policy_spec_fields) / sizeof(policy_spec_fields[0]),
};

static const struct schema_field policy_fields[] = {
    {"apiVersion", &policy_text, true},
    {"kind", &policy_text, true},
    {"metadata", &policy_metadata, true},
    {"spec", &policy_spec, false},
};
static const struct schema policy_schema = {
    .type = SCHEMA_OBJECT,
    .fields = policy_fields,
    .num_fields = sizeof(policy_fields) / sizeof(policy_fields[0]),
};

static const struct slice policy_kinds[] = {SLICE_INIT(GANG_KIND_POLICY)};

static enum gang_compatibility
policy_compatibility_of(const struct node *text)
{
    for (size_t i = 0; compatibility_names[i]; i++)
        if (slice_equal(node_string(text), slice_from_text(compatibility_names[i])))
            return (enum gang_compatibility)i;
    return COMPATIBILITY_NONE;
}

/* A policy is valid in the whole cluster, so a namespace would promise what it does not keep. */
static void
policy_check_metadata(const struct object_meta *meta, struct report *report)
{
    const struct node *namespace_ = node_member(meta->source, SLICE("namespace"));
    struct name_problems problems;

    if (namespace_)
        find_forbidden(report, GANG_CODE_UNKNOWN_FIELD, namespace_, NULL, "a policy has no namespace");
    if (!slice_is_set(meta->name) || name_check(NAME_DNS1123_SUBDOMAIN, meta->name, &problems))
        return;
    for (size_t i = 0; i < problems.count; i++)
        find_invalid(report, GANG_CODE_INVALID_NAME, node_member(meta->source, SLICE("name")), NULL, "%s",
                     problems.text[i]);
}

static void
policy_read(struct document_handle *handle, struct parse_call *call)
{
    struct gang_policy *policy = (struct gang_policy *)handle;
    struct object_meta meta;

    object_meta_check_kind(call->root, SLICE(GANG_API_VERSION), policy_kinds, 1, &call->report);
    schema_check(&policy_schema, call->root, &call->report);
    meta = object_meta_read(call->root, &call->report);
    policy_check_metadata(&meta, &call->report);
    policy->name = arena_copy(call->arena, meta.name);
    policy->compatibility_source = node_at(call->root, "spec.compatibility");
    policy->compatibility = policy_compatibility_of(policy->compatibility_source);
}

int
gang_policy_parse(const struct gang_context *context, const char *data, size_t len, uint32_t flags,
                  struct gang_policy **out, struct gang_error **err)
{
    const struct parse_input input = {
        context, data, len, flags | GANG_PARSE_STRICT, GANG_DOCUMENT_POLICY, false, out != NULL};
    struct document_handle *handle;
    int result = document_parse(&input, sizeof(**out), policy_read, &handle, err);

    if (out)
        *out = (struct gang_policy *)handle;
    return result;
}

struct gang_policy *
gang_policy_ref(struct gang_policy *policy)
{
    document_handle_ref((struct document_handle *)policy);
    return policy;
}

void
gang_policy_unref(struct gang_policy *policy)
{
    document_handle_unref((struct document_handle *)policy);
}

const char *
gang_policy_get_name(const struct gang_policy *policy)
{
    return policy ? policy->name.data : NULL;
}

size_t
gang_policy_num_diagnostics(const struct gang_policy *policy)
{
    return document_handle_num_findings((const struct document_handle *)policy);
}

const struct gang_diagnostic *
gang_policy_get_diagnostic(const struct gang_policy *policy, size_t index)
{
    return document_handle_finding((const struct document_handle *)policy, index);
}
