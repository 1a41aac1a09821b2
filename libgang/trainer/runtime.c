/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/trainer/runtime.h"

#include "libgang/document/finding.h"
#include "libgang/document/parse_call.h"
#include "libgang/document/schema.h"
#include "libgang/kube/names.h"
#include "libgang/trainer/jobset_rules.h"
#include "libgang/trainer/queue_sources.h"
#include "libgang/trainer/reserved_marks.h"
#include "libgang/trainer/runtime_rules.h"
#include "libgang/trainer/runtime_schema.h"

static const struct slice runtime_kinds[] = {
    SLICE_INIT(GANG_KIND_TRAINING_RUNTIME),
    SLICE_INIT(GANG_KIND_CLUSTER_TRAINING_RUNTIME),
};

static struct slice
runtime_check_kind(const struct node *root, struct report *report)
{
    return object_meta_check_kind(root, SLICE(GANG_TRAINER_API_VERSION), runtime_kinds,
                                  sizeof(runtime_kinds) / sizeof(runtime_kinds[0]), report);
}

static void
runtime_check_name(const struct object_meta *meta, struct report *report)
{
    struct name_problems problems;
    const struct node *name = node_member(meta->source, SLICE("name"));

    if (!slice_is_set(meta->name) || name_check(NAME_DNS1123_SUBDOMAIN, meta->name, &problems))
        return;
    for (size_t i = 0; i < problems.count; i++)
        find_invalid(report, GANG_CODE_INVALID_NAME, name, NULL, "%s", problems.text[i]);
}

static void
runtime_check_marks(const struct gang_runtime *runtime, struct report *report)
{
    reserved_marks_check_metadata(runtime->template_metadata, report);
    for (size_t i = 0; i < runtime->jobset.count; i++) {
        const struct replicated_job *job = &runtime->jobset.jobs[i];

        reserved_marks_check_metadata(job->job_metadata, report);
        reserved_marks_check_metadata(node_member(job->pod_template, SLICE("metadata")), report);
        reserved_marks_check_pod_spec(job->pod_spec, report);
    }
}

static void
runtime_note_replicas(const struct gang_runtime *runtime, struct report *report)
{
    for (size_t i = 0; i < runtime->jobset.count; i++)
        if (!node_member(runtime->jobset.jobs[i].source, SLICE("replicas")))
            find_note_below(report, GANG_CODE_DEFAULT_APPLIED, runtime->jobset.jobs[i].source,
                            SLICE("replicas"), NULL, "defaults to 1, as in the API server");
}

/* Everything is read even after an error, so that one call reports them all. */
static void
runtime_compile(struct document_handle *handle, struct parse_call *call)
{
    struct gang_runtime *runtime = (struct gang_runtime *)handle;
    const struct node *spec = node_member(call->root, SLICE("spec"));
    const struct node *job_template = node_member(spec, SLICE("template"));
    struct report *report = &call->report;

    runtime->kind = runtime_check_kind(call->root, report);
    schema_check(&training_runtime_schema, call->root, report);
    runtime->meta = object_meta_read(call->root, report);
    runtime->name = runtime->meta.name;
    runtime->namespace_ = runtime->meta.namespace_;
    runtime_check_name(&runtime->meta, report);
    runtime->ml_policy = ml_policy_read(spec, report);
    runtime->pod_group_policy = pod_group_policy_read(spec, report);
    runtime->template_metadata = node_member(job_template, SLICE("metadata"));
    runtime->jobset =
        jobset_read(node_member(job_template, SLICE("spec")), call->arena, call->limits, report);
    runtime->roles = jobset_roles_read(&runtime->jobset, call->arena);
    runtime->jobset_is_sound = jobset_rules_find_nothing(&runtime->jobset, call->arena);
    runtime->queue_places = queue_places_in_runtime(runtime, call->arena);
    runtime_check_marks(runtime, report);
    runtime_note_replicas(runtime, report);
    runtime_rules_check(runtime, report);
}

int
gang_runtime_parse(const struct gang_context *context, const char *data, size_t len, uint32_t flags,
                   struct gang_runtime **out, struct gang_error **err)
{
    const struct parse_input input = {context, data, len, flags, GANG_DOCUMENT_RUNTIME, true, out != NULL};
    struct document_handle *handle;
    int result = document_parse(&input, sizeof(**out), runtime_compile, &handle, err);

    if (out)
        *out = (struct gang_runtime *)handle;
    return result;
}

struct gang_runtime *
gang_runtime_ref(struct gang_runtime *runtime)
{
    document_handle_ref((struct document_handle *)runtime);
    return runtime;
}

void
gang_runtime_unref(struct gang_runtime *runtime)
{
    document_handle_unref((struct document_handle *)runtime);
}

const char *
gang_runtime_get_kind(const struct gang_runtime *runtime)
{
    return runtime ? runtime->kind.data : NULL;
}

const char *
gang_runtime_get_name(const struct gang_runtime *runtime)
{
    return runtime ? runtime->name.data : NULL;
}

const char *
gang_runtime_get_namespace(const struct gang_runtime *runtime)
{
    return runtime ? runtime->namespace_.data : NULL;
}

size_t
gang_runtime_num_diagnostics(const struct gang_runtime *runtime)
{
    return document_handle_num_findings((const struct document_handle *)runtime);
}

const struct gang_diagnostic *
gang_runtime_get_diagnostic(const struct gang_runtime *runtime, size_t index)
{
    return document_handle_finding((const struct document_handle *)runtime, index);
}
