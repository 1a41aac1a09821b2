/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/backend/backend.h"

#include "libgang/document/writer.h"

/* ---- manifest labels ---- */

/* Skips keys with a null value: the API server drops them. */
void
manifest_copy_pairs(struct builder *metadata, struct slice key, const struct node *pairs)
{
    const void **sorted = arena_array(metadata->arena, node_count(pairs), sizeof(*sorted));
    size_t count = 0;
    struct builder map;

    if (!sorted)
        return;
    for (NODE_EACH(pair, pairs))
        if (slice_is_set(node_text(pair)))
            sorted[count++] = pair;
    if (!count || !stable_sort(sorted, count, node_compare_keys, NULL, metadata->arena))
        return;
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
        find_note(report, source, MESSAGE_RETRIED_POD_WAITS, wording_end_list(&roles));
}

/* ---- release ---- */

SELDOM void
release_report_assumed(const struct backend_call *call, size_t component,
                       const struct release *newest, struct report *report)
{
    struct release release = cluster_component(call->cluster, component);
    struct slice type = catalog[component]->type;

    if (!release.is_known)
        find_in_document(report, GANG_DOCUMENT_CLUSTER, MESSAGE_RELEASE_ASSUMED_COMPONENT,
                         SLICE_ARG(type), newest->major, newest->minor, newest->patch,
                         SLICE_ARG(catalog[component]->component.name));
    else if (release_at_least(&release, newest->major, newest->minor + 1))
        find_note(report, cluster_component_source(call->cluster, component),
                  MESSAGE_RELEASE_ASSUMED_BACKEND, SLICE_ARG(type), newest->major, newest->minor,
                  newest->patch);
}

void
release_refuse_before(const struct backend_call *call, size_t component, uint32_t major,
                      uint32_t minor, struct report *report)
{
    const struct release release = cluster_component(call->cluster, component);
    const struct descriptor *scheduler = catalog[component];

    if (release.is_known && !release_at_least(&release, major, minor))
        find_note(report, cluster_component_source(call->cluster, component),
                  MESSAGE_SCHEDULER_TOO_OLD, SLICE_ARG(scheduler->type),
                  SLICE_ARG(scheduler->marks[0].key), major, minor);
}

/* ---- rival key ---- */

const struct node *
rival_key_find(const struct rival_key *rival, const struct role *role)
{
    struct slice pairs = rival->place == MARK_LABEL ? SLICE("labels") : SLICE("annotations");

    return node_member(node_member(role->pod_metadata, pairs), rival->key);
}

SELDOM void
rival_key_report(const struct rival_key *rival, const struct role *role, struct slice value,
                 struct report *report)
{
    const struct node *found = rival_key_find(rival, role);

    if (found && value.len && !slice_equal(node_string(found), value))
        find_note_at_key(report, found, MESSAGE_RIVAL_KEY, SLICE_ARG(rival->key),
                         SLICE_ARG(rival->wins));
}

/* ---- scheduler name ---- */

/* The API server treats an empty name as absent; the default scheduler runs pods without one. */

void
scheduler_name_compare_roles(const struct gang_wishes *wishes, struct report *report)
{
    const struct role *first = NULL;

    for (size_t i = 0; i < wishes->num_roles; i++) {
        const struct role *role = &wishes->roles[i];

        if (!role->scheduler_name.len || !wishes_heed(wishes, role))
            continue;
        first = first ? first : role;
        if (slice_equal(role->scheduler_name, first->scheduler_name))
            continue;
        find_note(report, role->scheduler_name_source, MESSAGE_SCHEDULERS_DISAGREE_ROLES,
                  SLICE_ARG(first->name), SLICE_ARG(first->scheduler_name), SLICE_ARG(role->name),
                  SLICE_ARG(role->scheduler_name));
        return;
    }
}

/* Reports all roles without a name in one finding. */
static void
scheduler_name_check_missing(const struct gang_wishes *wishes, struct slice wanted,
                             struct report *report)
{
    /* the graver of the two findings; their texts are not made for nothing */
    const bool is_written = report_writes(report, GANG_CODE_SCHEDULER_NAME_MISSING);
    const bool is_implied = slice_equal(wanted, SLICE(SCHEDULER_NAME_OF_KUBERNETES));
    const struct role *first = NULL;
    struct wording roles;

    wording_start(&roles);
    for (size_t i = 0; i < wishes->num_roles && !is_implied; i++) {
        const struct role *role = &wishes->roles[i];

        if (role->scheduler_name.len || role->elsewhere)
            continue;
        if (is_written)
            wording_add(&roles, ", ", role->name);
        first = first ? first : role;
    }
    if (!first)
        return;
    wording_end_list(&roles);
    if (wishes->compatibility == COMPATIBILITY_KUBEFLOW_TRAINER)
        find_note(report, first->source, MESSAGE_SCHEDULER_NAME_MISSING, SLICE_ARG(wanted),
                  roles.text, SLICE_ARG(wanted));
    else
        find_note(report, first->source, MESSAGE_SCHEDULER_NAME_SET, SLICE_ARG(wanted), roles.text);
}

void
scheduler_name_check(const struct gang_wishes *wishes, struct slice wanted, struct report *report)
{
    for (size_t i = 0; !wishes->overrides_schedulers && i < wishes->num_roles; i++) {
        const struct role *role = &wishes->roles[i];

        if (role->scheduler_name.len && wishes_heed(wishes, role) &&
            !slice_equal(role->scheduler_name, wanted)) {
            const struct backend *other = backend_by_scheduler(role->scheduler_name);

            find_invalid(
                report, role->scheduler_name_source, GANG_CODE_SCHEDULER_MISMATCH,
                other ? arena_format(report->arena,
                                     "remove schedulerName, or choose the backend %s instead",
                                     other->descriptor->name.data)
                      : arena_format(report->arena, "remove schedulerName, or set it to %-.*s",
                                     SLICE_ARG(wanted)),
                "the gang's scheduler is %-.*s; pods of another scheduler are not in the gang",
                SLICE_ARG(wanted));
        }
    }
    if (!wishes->is_grouped && !wishes->overrides_schedulers)
        scheduler_name_compare_roles(wishes, report);
    scheduler_name_check_missing(wishes, wanted, report);
}

void
scheduler_name_patch(const struct gang_wishes *wishes, struct slice wanted,
                     struct plan_content *content)
{
    if (wishes->compatibility == COMPATIBILITY_KUBEFLOW_TRAINER)
        return;
    for (size_t i = 0; i < wishes->num_roles; i++)
        if (wishes->roles[i].scheduler_name.len
                ? wishes->overrides_schedulers &&
                      !slice_equal(wishes->roles[i].scheduler_name, wanted)
                : !slice_equal(wanted, SLICE(SCHEDULER_NAME_OF_KUBERNETES)))
            content->patches[i].scheduler_name = wanted;
}

/* ---- backend list ---- */

struct builder
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
    return item;
}

/* Lists the version of a descriptor, with what marks a pod as a member. */
static void
backend_list_only_version(const struct descriptor *descriptor, struct builder *list)
{
    static const char *const places[] = {
        [MARK_LABEL] = "label ", [MARK_ANNOTATION] = "annotation ", [MARK_POD_FIELD] = "spec."};
    const struct descriptor_mark *mark = descriptor->marks;
    struct backend_listing listing = {
        .api_version = descriptor->api_version,
        .mark = ARENA_SLICE(list->arena, "%s%.*s", places[mark->place], SLICE_ARG(mark->key))};

    memcpy(listing.kinds, descriptor->kinds, sizeof(listing.kinds));
    backend_list_version(&listing, list);
}

/* Lists the fields that the backend's objects cannot express, and the policy's options. */
static void
backend_list_losses(const struct descriptor *descriptor, struct builder *item)
{
    const struct schema *options = descriptor->options;
    struct builder list = build_list_member(item, SLICE("lacks"));

    for (size_t i = 0; i < descriptor->num_losses; i++)
        if (descriptor->losses[i].field != LOSS_ROLE_MINIMUM_BESIDE)
            build_string_item(&list, loss_field_name(descriptor->losses[i].field));
    if (descriptor->why_no_units)
        build_string_item(&list, SLICE("roles[].unit"));
    if (descriptor->why_no_groups)
        build_string_item(&list, SLICE("groups[]"));
    list = build_list_member(item, SLICE("options"));
    for (size_t i = 0; options && i < options->num_fields; i++)
        build_string_item(&list, schema_row_name(schema_row(options, i)));
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
backend_list_features(const struct descriptor_features *features, struct builder *item)
{
    const struct plan_pair pairs[] = {
        {SLICE("wholeOrNothing"), features->whole_or_nothing},
        {SLICE("lateMember"), features->late_member},
        {SLICE("initializers"), features->initializers},
        {SLICE("suspend"), features->suspend},
        {SLICE("topology"), features->topology},
        {SLICE("subgroups"), features->subgroups},
        {SLICE("elasticMinimum"), features->elastic_minimum},
    };
    struct builder map = build_map_member(item, SLICE("features"));

    for (size_t i = 0; i < COUNT_OF(pairs); i++)
        build_string(&map, pairs[i].key, pairs[i].value);
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
        if (backend_table[i]->list_versions)
            backend_table[i]->list_versions(&versions);
        else
            backend_list_only_version(descriptor, &versions);
        backend_list_losses(descriptor, &item);
        build_string_if_set(&item, SLICE("experimental"), descriptor->experimental);
        build_string_if_set(&item, SLICE("apiGroup"), descriptor->group);
        backend_list_component(descriptor, &item);
        build_string_if_set(&item, SLICE("queueParent"), descriptor->queue_parent);
        build_string_if_set(&item, SLICE("starter"), descriptor->starter);
        if (descriptor->sleeps_on_room)
            build_bool(&item, SLICE("sleepsOnRoom"), true);
        build_string_if_set(&item, SLICE("forgets"), descriptor->forgets);
        build_string_if_set(&item, SLICE("parts"), descriptor->parts_annotation);
        build_string_if_set(&item, SLICE("placeholders"), descriptor->placeholder_annotation);
        backend_list_features(&descriptor->features, &item);
    }
    return document.node;
}

SELDOM int
gang_backends_serialize(const struct gang_context *context, int format, uint32_t flags,
                        struct gang_blob **out, struct gang_error **err)
{
    struct buffer buffer = buffer_within(context_limits(context));
    const struct node *root;
    struct arena *arena;
    bool is_built;
    int result = CALL_BEGIN(out, err, out && document_format_is_known(format),
                            "out and a known format are needed", flags, 0);

    if (result)
        return result;
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

SELDOM const struct backend *
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
    call->losses = backend_find_losses(backend, call, report);
    backend->validate(call, report);
}

void
backend_render(const struct backend *backend, const struct backend_call *call,
               struct plan_content *content)
{
    const struct gang *gang = call->gang;

    content->losses = call->losses.items;
    content->num_losses = call->losses.count;
    scheduler_name_patch(gang->wishes, backend_scheduler_name(backend, gang), content);
    for (size_t i = 0; gang->gives_priority && i < gang->num_roles; i++)
        if (gang->parts[i].membership != ROLE_OUTSIDE &&
            !slice_equal(gang->roles[i].priority_class_name, gang->priority_class_name))
            content->patches[i].priority_class_name = gang->priority_class_name;
    backend->render(call, content);
    for (size_t i = 0; i < gang->num_roles; i++)
        if (gang->roles[i].elsewhere) /* the plan of another gang has the patches of these pods */
            plan_patch_clear(&content->patches[i]);
}

struct slice
backend_api_version(const struct backend *backend, const struct backend_call *call,
                    struct report *report)
{
    if (backend->choose_api_version)
        return backend->choose_api_version(call, report);
    return slice_is_set(call->api_version) ? call->api_version : backend->descriptor->api_version;
}

void
backend_build_owner(const struct backend_owner *owner, bool is_controller, struct builder *metadata,
                    struct builder *list)
{
    static const struct node marks_of_controller[] = {
        NODE_CONSTANT_TRUE("controller", 4, &marks_of_controller[1]),
        NODE_CONSTANT_TRUE("blockOwnerDeletion", 5, NULL),
    };
    struct builder reference;

    if (!owner || !owner->uid.len)
        return; /* the API server refuses a reference without it */
    if (!list->arena)
        *list = build_list_member(metadata, SLICE("ownerReferences"));
    reference = build_map_item(list);
    build_string(&reference, SLICE("apiVersion"), owner->api_version);
    build_string(&reference, SLICE("kind"), owner->kind);
    build_string(&reference, SLICE("name"), owner->name);
    build_string(&reference, SLICE("uid"), owner->uid);
    if (!is_controller)
        return;
    build_end(&reference, marks_of_controller, COUNT_OF(marks_of_controller));
}

struct builder
backend_add_object(const struct backend_call *call, struct slice kind,
                   const struct backend_metadata *given, struct plan_content *content)
{
    const struct gang_owner *job = &call->gang->wishes->owner;
    const struct backend_owner first = {job->api_version, job->kind, job->name, job->uid};
    const struct backend_metadata own = {.name = call->gang->name,
                                         .labels = call->gang->wishes->labels,
                                         .annotations = call->gang->annotations};
    const struct backend_metadata *source = given ? given : &own;
    struct builder manifest = build_map(content->arena);
    struct builder metadata;
    struct builder owners = {0};

    build_string(&manifest, SLICE("apiVersion"), call->api_version);
    build_string(&manifest, SLICE("kind"), kind);
    metadata = build_map_member(&manifest, SLICE("metadata"));
    build_string(&metadata, SLICE("name"), source->name);
    build_string_if_set(&metadata, SLICE("namespace"), job->namespace_);
    if (source->labels)
        manifest_copy_pairs(&metadata, SLICE("labels"), source->labels);
    if (source->annotations)
        manifest_copy_pairs(&metadata, SLICE("annotations"), source->annotations);
    backend_build_owner(&first, true, &metadata, &owners);
    backend_build_owner(source->second, false, &metadata, &owners);
    plan_add_object(content, manifest.node);
    return build_map_member(&manifest, SLICE("spec"));
}

SELDOM struct builder
backend_list_subgroup(const struct backend_subgroup *subgroup, const struct gang *gang,
                      struct builder *list)
{
    struct builder item = build_map_item(list);
    struct builder roles;

    build_string(&item, SLICE("name"), subgroup->name);
    build_int(&item, SLICE("minimum"), subgroup->minimum);
    roles = build_list_member(&item, SLICE("roles"));
    for (size_t i = 0; subgroup->of_role && i < gang->num_roles; i++)
        if (subgroup->of_role[i] == subgroup->index)
            build_string_item(&roles, gang->roles[i].name);
    if (slice_is_set(subgroup->role))
        build_string_item(&roles, subgroup->role);
    group_tree_build_placement(&subgroup->placement, &item);
    return build_list_member(&item, SLICE("subgroups"));
}

const char *
gang_backend_name(size_t index)
{
    return index < backend_count ? backend_table[index]->descriptor->name.data : NULL;
}
