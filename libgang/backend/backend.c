/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/backend/backend.h"

#include "libgang/backend/losses.h"
#include "libgang/document/writer.h"
#include "libgang/gang/gang.h"

/* ---- manifest labels ---- */

static int
manifest_compare_keys(const void *a, const void *b, const void *context)
{
    (void)context;
    return slice_compare(node_key(a), node_key(b));
}

/* Skips keys with a null value: the API server drops them. */
void
manifest_copy_pairs(struct builder *metadata, struct slice key, const struct node *pairs)
{
    const void **sorted = arena_array(metadata->arena, node_count(pairs), sizeof(*sorted));
    const void **scratch = arena_array(metadata->arena, node_count(pairs), sizeof(*scratch));
    size_t count = 0;
    struct builder map;

    if (!sorted || !scratch)
        return;
    for (NODE_EACH(pair, pairs))
        if (slice_is_set(node_text(pair)))
            sorted[count++] = pair;
    if (!count)
        return;
    stable_sort(sorted, scratch, count, manifest_compare_keys, NULL);
    map = build_map_member(metadata, key);
    for (size_t i = 0; i < count; i++)
        build_string(&map, node_key(sorted[i]), node_text(sorted[i]));
}

/* ---- retries ---- */

void
retries_report(const struct gang *gang, struct report *report)
{
    const struct node *source = NULL;
    struct wording roles;

    wording_start(&roles);
    for (size_t i = 0; i < gang->num_roles; i++) {
        const struct role *role = &gang->roles[i];

        if (gang->parts[i].membership == ROLE_OUTSIDE || !role->retries)
            continue;
        wording_add(&roles, ", ", role->name);
        source = source ? source : role->source;
    }
    if (roles.len)
        find_note(
            report, GANG_CODE_RETRIED_POD_WAITS, source,
            "set backoffLimit: 0 in the Job template and let the JobSet's failurePolicy "
            "restart the job",
            "a pod that its Job retries after the other pods have succeeded waits forever: %s",
            wording_end_list(&roles));
}

/* ---- release ---- */

void
release_report_assumed(const struct backend_call *call, size_t component,
                       const struct release *newest, struct report *report)
{
    struct release release = cluster_component(call->cluster, component);
    struct slice type = catalog[component]->type;

    if (!release.is_known)
        find_in_document(report, GANG_CODE_RELEASE_ASSUMED, GANG_DOCUMENT_CLUSTER,
                         arena_format(report->arena, "set components.%.*s in the GangCluster",
                                      SLICE_ARG(catalog[component]->component.name)),
                         "the release of %.*s is unknown; libgang assumes v%u.%u.%u, the newest "
                         "that it knows",
                         SLICE_ARG(type), newest->major, newest->minor, newest->patch);
    else if (release_at_least(&release, newest->major, newest->minor + 1))
        find_note(
            report, GANG_CODE_RELEASE_ASSUMED, cluster_component_source(call->cluster, component),
            NULL,
            "this release of %.*s is newer than v%u.%u.%u, the newest that libgang knows, and "
            "is assumed to do the same",
            SLICE_ARG(type), newest->major, newest->minor, newest->patch);
}

/* ---- rival key ---- */

void
rival_key_report(const struct rival_key *rival, const struct role *role, struct slice value,
                 struct report *report)
{
    struct slice pairs = rival->place == MARK_LABEL ? SLICE("labels") : SLICE("annotations");
    const struct node *found = node_member(node_member(role->pod_metadata, pairs), rival->key);

    if (found && value.len && !slice_equal(node_string(found), value))
        find_note_at_key(report, GANG_CODE_RIVAL_KEY, found, "remove it",
                         "the scheduler ignores %.*s, because the pods have %.*s",
                         SLICE_ARG(rival->key), SLICE_ARG(rival->wins));
}

/* ---- backend list ---- */

void
backend_list_version(const struct backend_listing *listing, struct builder *list)
{
    struct builder item = build_map_item(list);
    struct builder objects;

    build_string_if_set(&item, SLICE("apiVersion"), listing->api_version);
    build_string_if_set(&item, SLICE("kubernetes"), listing->kubernetes);
    objects = build_list_member(&item, SLICE("objects"));
    for (size_t i = 0; i < COUNT_OF(listing->kinds); i++)
        if (slice_is_set(listing->kinds[i]))
            build_string_item(&objects, listing->kinds[i]);
    build_string(&item, SLICE("mark"), listing->mark);
    if (listing->list_more)
        listing->list_more(listing, &item);
}

/* Lists the fields that the backend's objects cannot express. */
static void
backend_list_losses(const struct descriptor *descriptor, struct builder *item)
{
    struct builder list = build_list_member(item, SLICE("lacks"));

    for (size_t i = 0; i < descriptor->num_losses; i++)
        if (descriptor->losses[i].field != LOSS_ROLE_MINIMUM_BESIDE)
            build_string_item(&list, loss_field_name(descriptor->losses[i].field));
    if (descriptor->why_no_units)
        build_string_item(&list, SLICE("roles[].unit"));
    if (descriptor->why_no_groups)
        build_string_item(&list, SLICE("groups[]"));
}

static void
backend_list_options(const struct schema *options, struct builder *item)
{
    struct builder list = build_list_member(item, SLICE("options"));

    for (size_t i = 0; options && i < options->num_fields; i++)
        build_string_item(&list, options->fields[i].name);
}

/* Returns what marks a pod as a member: "label x", "annotation x", "spec.x". */
static struct slice
backend_list_mark(const struct descriptor *descriptor, struct arena *arena)
{
    static const char *const places[] = {
        [MARK_LABEL] = "label ", [MARK_ANNOTATION] = "annotation ", [MARK_POD_FIELD] = "spec."};
    const struct descriptor_mark *mark = descriptor->marks;

    return slice_from_text(
        arena_format(arena, "%s%.*s", places[mark->place], SLICE_ARG(mark->key)));
}

static void
backend_list_versions(const struct backend *backend, struct builder *list)
{
    const struct descriptor *descriptor = backend->descriptor;
    struct backend_listing listing = {.api_version = descriptor->api_version};

    if (backend->list_versions) {
        backend->list_versions(list);
        return;
    }
    listing.mark = backend_list_mark(descriptor, list->arena);
    memcpy(listing.kinds, descriptor->kinds, sizeof(listing.kinds));
    backend_list_version(&listing, list);
}

/* Lists how to detect the scheduler and its release in a cluster. */
static void
backend_list_component(const struct descriptor *descriptor, struct builder *item)
{
    const struct descriptor_component *component = &descriptor->component;
    struct builder map;
    struct builder groups;

    if (!slice_is_set(component->name))
        return;
    map = build_map_member(item, SLICE("component"));
    build_string(&map, SLICE("name"), component->name);
    groups = build_list_member(&map, SLICE("apiGroups"));
    for (size_t i = 0; i < DESCRIPTOR_MOST_GROUPS; i++)
        if (slice_is_set(component->groups[i]))
            build_string_item(&groups, component->groups[i]);
    build_string(&map, SLICE("image"), component->image);
}

static void
backend_list_starter(const struct descriptor_starter *starter, struct builder *item)
{
    struct builder map;

    if (!slice_is_set(starter->entry) && !slice_is_set(starter->defaults))
        return;
    map = build_map_member(item, SLICE("starter"));
    build_string_if_set(&map, SLICE("entry"), starter->entry);
    build_string_if_set(&map, SLICE("defaults"), starter->defaults);
}

static void
backend_list_features(const struct descriptor_features *features, struct builder *item)
{
    struct builder map = build_map_member(item, SLICE("features"));

    build_string(&map, SLICE("wholeOrNothing"), features->whole_or_nothing);
    build_string(&map, SLICE("lateMember"), features->late_member);
    build_string(&map, SLICE("initializers"), features->initializers);
    build_string(&map, SLICE("suspend"), features->suspend);
    build_string(&map, SLICE("topology"), features->topology);
    build_string(&map, SLICE("subgroups"), features->subgroups);
    build_string(&map, SLICE("elasticMinimum"), features->elastic_minimum);
}

const struct node *
backend_list_build(struct arena *arena)
{
    struct builder document = build_map(arena);
    struct builder list = build_list_member(&document, SLICE("backends"));

    for (size_t i = 0; i < backend_count; i++) {
        const struct descriptor *descriptor = backend_table[i]->descriptor;
        struct builder item = build_map_item(&list);
        struct builder versions;

        build_string(&item, SLICE("name"), descriptor->name);
        build_string(&item, SLICE("type"), descriptor->type);
        build_string(&item, SLICE("podGroupPolicy"), descriptor->member.name);
        build_string(&item, SLICE("schedulerName"), descriptor->scheduler_name);
        versions = build_list_member(&item, SLICE("versions"));
        backend_list_versions(backend_table[i], &versions);
        backend_list_losses(descriptor, &item);
        backend_list_options(descriptor->options, &item);
        build_string_if_set(&item, SLICE("experimental"), descriptor->experimental);
        build_string_if_set(&item, SLICE("apiGroup"), descriptor->group);
        backend_list_component(descriptor, &item);
        build_string_if_set(&item, SLICE("queueParent"), descriptor->queue_parent);
        backend_list_starter(&descriptor->starter, &item);
        if (descriptor->sleeps_on_room)
            build_bool(&item, SLICE("sleepsOnRoom"), true);
        backend_list_features(&descriptor->features, &item);
    }
    return document.node;
}

int
gang_backends_serialize(const struct gang_context *context, int format, uint32_t flags,
                        struct gang_blob **out, struct gang_error **err)
{
    struct buffer buffer = {.limit =
                                (size_t)context_limits(context)->value[GANG_LIMIT_OUTPUT_BYTES]};
    const struct node *root;
    struct arena *arena;
    bool is_built;

    if (err)
        *err = NULL;
    if (out)
        *out = NULL;
    if (!out || !document_format_is_known(format))
        return error_misuse(err, GANG_ERROR_INVALID_ARGUMENT, "out and a known format are needed");
    if (flags)
        return error_misuse(err, GANG_ERROR_UNSUPPORTED_FLAG, "flags has an unknown bit");
    arena = arena_new(0);
    root = arena ? backend_list_build(arena) : NULL;
    is_built = root && !arena_failed(arena);
    if (is_built)
        document_write(&buffer, root, (enum gang_format)format);
    arena_free(arena);
    return is_built ? document_hand_out(&buffer, out, err) : error_no_memory(err);
}

/* ---- backend ---- */

#define BACKEND_ROW(name) &name##_backend,
const struct backend *const backend_table[] = {CATALOG_SCHEDULERS(BACKEND_ROW)};
const size_t backend_count = COUNT_OF(backend_table);

const struct backend *
backend_by_name(struct slice name)
{
    for (size_t i = 0; i < backend_count; i++)
        if (slice_equal(backend_table[i]->descriptor->name, name))
            return backend_table[i];
    return NULL;
}

const struct backend *
backend_by_type(struct slice type)
{
    for (size_t i = 0; i < backend_count; i++)
        if (slice_equal(backend_table[i]->descriptor->type, type))
            return backend_table[i];
    return NULL;
}

const struct backend *
backend_by_scheduler(struct slice scheduler_name)
{
    /*
     * pods without a schedulerName get this name, and pod templates that set it rarely choose a
     * backend by it
     */
    if (slice_equal(scheduler_name, SLICE(SCHEDULER_NAME_OF_KUBERNETES)))
        return NULL;
    for (size_t i = 0; i < backend_count; i++)
        if (slice_equal(backend_table[i]->descriptor->scheduler_name, scheduler_name))
            return backend_table[i];
    return NULL;
}

const struct backend *
backend_of(const struct descriptor *descriptor)
{
    for (size_t i = 0; i < backend_count; i++)
        if (backend_table[i]->descriptor == descriptor)
            return backend_table[i];
    return NULL;
}

const struct backend *
backend_of_kind(struct slice group, struct slice kind, size_t *rank)
{
    for (size_t i = 0; i < backend_count; i++) {
        const struct descriptor *descriptor = backend_table[i]->descriptor;

        for (size_t k = 0; slice_equal(descriptor->group, group) && k < DESCRIPTOR_MOST_KINDS; k++)
            if (slice_is_set(descriptor->kinds[k]) && slice_equal(descriptor->kinds[k], kind)) {
                *rank = k;
                return backend_table[i];
            }
    }
    return NULL;
}

struct slice
backend_scheduler_name(const struct backend *backend, const struct gang *gang)
{
    return slice_is_set(gang->wishes->scheduler_name) ? gang->wishes->scheduler_name
                                                      : backend->descriptor->scheduler_name;
}

void
backend_validate(const struct backend *backend, struct backend_call *call, struct report *report)
{
    scheduler_name_check(call->gang->wishes, backend_scheduler_name(backend, call->gang), report);
    call->state = backend->open ? backend->open(call, report) : NULL;
    backend_report_losses(backend, call, report);
    backend->validate(call, report);
}

/* Patches members whose priority class differs from the gang's. */
static void
backend_patch_priority(const struct gang *gang, struct plan_content *content)
{
    for (size_t i = 0; gang->gives_priority && i < gang->num_roles; i++)
        if (gang->parts[i].membership != ROLE_OUTSIDE &&
            !slice_equal(gang->roles[i].priority_class_name, gang->priority_class_name))
            content->patches[i].priority_class_name = gang->priority_class_name;
}

/* The plan of another gang has the patches of these pods. */
static void
backend_leave_elsewhere(const struct gang *gang, struct plan_content *content)
{
    for (size_t i = 0; i < gang->num_roles; i++)
        if (gang->roles[i].elsewhere)
            plan_patch_clear(&content->patches[i]);
}

void
backend_render(const struct backend *backend, const struct backend_call *call,
               struct plan_content *content)
{
    scheduler_name_patch(call->gang->wishes, backend_scheduler_name(backend, call->gang), content);
    backend_patch_priority(call->gang, content);
    backend_render_losses(backend, call, content);
    backend->render(call, content);
    backend_leave_elsewhere(call->gang, content);
}

struct slice
backend_api_version(const struct backend *backend, const struct backend_call *call,
                    struct report *report)
{
    if (backend->choose_api_version)
        return backend->choose_api_version(call, report);
    return slice_is_set(call->api_version) ? call->api_version : backend->descriptor->api_version;
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
backend_add_owners(const struct gang_owner *job, const struct backend_owner *second,
                   struct builder *metadata)
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
backend_manifest(const struct gang *gang, struct arena *arena, struct slice api_version,
                 struct slice kind)
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
    build_string_if_set(&metadata, SLICE("namespace"), gang->wishes->owner.namespace_);
    if (gang->wishes->labels)
        manifest_copy_pairs(&metadata, SLICE("labels"), gang->wishes->labels);
    if (gang->annotations)
        manifest_copy_pairs(&metadata, SLICE("annotations"), gang->annotations);
    backend_add_owners(&gang->wishes->owner, second, &metadata);
    return manifest;
}

const char *
gang_backend_name(size_t index)
{
    return index < backend_count ? backend_table[index]->descriptor->name.data : NULL;
}
