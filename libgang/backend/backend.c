/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/backend/backend.h"

#include "libgang/backend/manifest_labels.h"
#include "libgang/backend/scheduler_name.h"

const struct backend *const backend_table[] = {
    &coscheduling_backend,
    &volcano_backend,
    &kai_backend,
    &workload_backend,
};
const size_t backend_count = sizeof(backend_table) / sizeof(backend_table[0]);

const struct backend *
backend_by_name(struct slice name)
{
    for (size_t i = 0; i < backend_count; i++)
        if (slice_equal(backend_table[i]->identity.name, name))
            return backend_table[i];
    return NULL;
}

const struct backend *
backend_by_type(struct slice type)
{
    for (size_t i = 0; i < backend_count; i++)
        if (slice_equal(backend_table[i]->identity.type, type))
            return backend_table[i];
    return NULL;
}

const struct backend *
backend_by_scheduler(struct slice scheduler_name)
{
    /* a pod template says it by saying nothing, and most who say it mean nothing by it */
    if (slice_equal(scheduler_name, SLICE(SCHEDULER_NAME_OF_KUBERNETES)))
        return NULL;
    for (size_t i = 0; i < backend_count; i++)
        if (slice_equal(backend_table[i]->identity.scheduler_name, scheduler_name))
            return backend_table[i];
    return NULL;
}

const struct backend *
backend_by_gang_policy_member(struct slice member)
{
    for (size_t i = 0; i < backend_count; i++)
        if (slice_equal(backend_table[i]->gang_policy_member, member))
            return backend_table[i];
    return NULL;
}

const struct backend *
backend_of_kind(struct slice group, struct slice kind, size_t *rank)
{
    for (size_t i = 0; i < backend_count; i++)
        for (size_t k = 0; k < BACKEND_MOST_KINDS; k++)
            if (slice_is_set(backend_table[i]->updates->kinds[k]) &&
                slice_equal(backend_table[i]->updates->group, group) &&
                slice_equal(backend_table[i]->updates->kinds[k], kind)) {
                *rank = k;
                return backend_table[i];
            }
    return NULL;
}

struct slice
backend_scheduler_name(const struct backend *backend, const struct gang *gang)
{
    return slice_is_set(gang->scheduler_name) ? gang->scheduler_name : backend->identity.scheduler_name;
}

void
backend_validate(const struct backend *backend, const struct backend_call *call, struct report *report)
{
    scheduler_name_check(call->gang, backend_scheduler_name(backend, call->gang), report);
    loss_report(backend->losses, backend->num_losses, call->gang, report);
    backend->validate(call, report);
}

/* Members that do not name the gang's priority class themselves. */
static void
backend_patch_priority(const struct gang *gang, struct plan_content *content)
{
    for (size_t i = 0; gang->gives_priority && i < gang->num_roles; i++)
        if (gang->roles[i].membership != ROLE_OUTSIDE &&
            !slice_equal(gang->roles[i].priority_class_name, gang->priority_class_name))
            content->patches[i].priority_class_name = gang->priority_class_name;
}

void
backend_render(const struct backend *backend, const struct backend_call *call, struct plan_content *content)
{
    scheduler_name_patch(call->gang, backend_scheduler_name(backend, call->gang), content);
    backend_patch_priority(call->gang, content);
    loss_render(backend->losses, backend->num_losses, call->gang, content);
    backend->render(call, content);
}

struct slice
backend_api_version(const struct backend *backend, const struct backend_call *call, struct report *report)
{
    if (backend->choose_api_version)
        return backend->choose_api_version(call, report);
    return slice_is_set(call->api_version) ? call->api_version : backend->identity.api_version;
}

const struct backend_identity *
backend_identity_at(size_t index)
{
    return index < backend_count ? &backend_table[index]->identity : NULL;
}

const struct backend_identity *
backend_identity_of_type(struct slice type)
{
    const struct backend *backend = backend_by_type(type);

    return backend ? &backend->identity : NULL;
}

void
backend_prepare(const struct backend *backend, const struct backend_call *call, struct gang *gang,
                struct arena *arena)
{
    if (backend->prepare)
        backend->prepare(call, gang, arena);
}

static struct builder
backend_add_owner(const struct backend_owner *owner, struct builder *references)
{
    struct builder reference = build_map_item(references);

    build_string(&reference, SLICE("apiVersion"), owner->api_version);
    build_string(&reference, SLICE("kind"), owner->kind);
    build_string(&reference, SLICE("name"), owner->name);
    build_string(&reference, SLICE("uid"), owner->uid);
    return reference;
}

static void
backend_add_owners(const struct gang_owner *job, const struct backend_owner *second, struct builder *metadata)
{
    const struct backend_owner first = {job->api_version, job->kind, job->name, job->uid};
    bool has_second = second && second->uid.len;
    struct builder references;
    struct builder reference;

    if (!first.uid.len && !has_second)
        return;
    references = build_list_member(metadata, SLICE("ownerReferences"));
    if (first.uid.len) {
        reference = backend_add_owner(&first, &references);
        build_bool(&reference, SLICE("controller"), true);
        build_bool(&reference, SLICE("blockOwnerDeletion"), true);
    }
    if (has_second)
        backend_add_owner(second, &references);
}

struct builder
backend_manifest(const struct gang *gang, struct arena *arena, struct slice api_version, struct slice kind)
{
    return backend_manifest_named(gang, arena, api_version, kind, gang->name, NULL);
}

struct builder
backend_manifest_named(const struct gang *gang, struct arena *arena, struct slice api_version,
                       struct slice kind, struct slice name, const struct backend_owner *second)
{
    struct builder manifest = build_map(arena);
    struct builder metadata;

    build_string(&manifest, SLICE("apiVersion"), api_version);
    build_string(&manifest, SLICE("kind"), kind);
    metadata = build_map_member(&manifest, SLICE("metadata"));
    build_string(&metadata, SLICE("name"), name);
    build_string_if_set(&metadata, SLICE("namespace"), gang->owner.namespace_);
    if (gang->labels)
        manifest_copy_pairs(&metadata, SLICE("labels"), gang->labels);
    if (gang->annotations)
        manifest_copy_pairs(&metadata, SLICE("annotations"), gang->annotations);
    backend_add_owners(&gang->owner, second, &metadata);
    return manifest;
}

size_t
gang_num_backends(void)
{
    return backend_count;
}

const char *
gang_backend_name(size_t index)
{
    return index < backend_count ? backend_table[index]->identity.name.data : NULL;
}
