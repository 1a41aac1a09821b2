/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/reconcile/live_objects.h"

#include "libgang/base/context.h"
#include "libgang/document/document.h"
#include "libgang/document/finding.h"
#include "libgang/document/stream.h"

/* ---- live objects ---- */

struct live_reader {
    const struct limits *limits;
    struct arena *arena;
    struct report *report;
    struct live_objects objects;
    size_t capacity;
};

struct slice
live_group_of(struct slice api_version)
{
    const char *slash = api_version.len ? memchr(api_version.data, '/', api_version.len) : NULL;

    return slash ? (struct slice){api_version.data, (size_t)(slash - api_version.data)} : SLICE("");
}

bool
live_same_namespace(struct slice a, struct slice b)
{
    return slice_equal(a.len ? a : SLICE("default"), b.len ? b : SLICE("default"));
}

static const struct node *
live_controller_of(const struct node *metadata)
{
    for (NODE_EACH(owner, node_member(metadata, SLICE("ownerReferences"))))
        if (node_is_true(node_member(owner, SLICE("controller"))))
            return owner;
    return NULL;
}

static struct live_object
live_object_of(const struct node *root)
{
    const struct node *metadata = node_member(root, SLICE("metadata"));
    struct live_object object = {
        .root = root,
        .metadata = metadata,
        .api_version = node_string(node_member(root, SLICE("apiVersion"))),
        .kind = node_string(node_member(root, SLICE("kind"))),
        .name = node_string(node_member(metadata, SLICE("name"))),
        .namespace_ = node_string(node_member(metadata, SLICE("namespace"))),
        .uid = node_string(node_member(metadata, SLICE("uid"))),
        .is_terminating = node_member(metadata, SLICE("deletionTimestamp")) != NULL,
        .controller = live_controller_of(metadata),
    };

    object.group = live_group_of(object.api_version);
    return object;
}

static void
live_add(struct live_reader *reader, const struct live_object *object)
{
    if (reader->objects.count == reader->capacity) {
        size_t capacity = reader->capacity ? 2 * reader->capacity : 8;
        struct live_object *grown = arena_grow(reader->arena, reader->objects.items,
                                               reader->objects.count, capacity, sizeof(*grown));

        if (!grown)
            return;
        reader->objects.items = grown;
        reader->capacity = capacity;
    }
    reader->objects.items[reader->objects.count++] = *object;
}

static bool
live_is_list(const struct live_object *object)
{
    static const char ending[] = "List";
    size_t len = sizeof(ending) - 1;

    return object->kind.len >= len &&
           memcmp(object->kind.data + object->kind.len - len, ending, len) == 0 &&
           node_is(node_member(object->root, SLICE("items")), NODE_LIST);
}

/*
 * Makes a list item a root, so that paths start at the object. No other code has access to the tree
 * yet, so it may be changed.
 */
static const struct node *
live_cut_out(struct arena *arena, const struct node *item)
{
    struct node *root = arena_take(arena, sizeof(*root));

    if (!root)
        return item;
    *root = *item;
    root->parent = NULL;
    root->next = NULL;
    for (struct node *child = (struct node *)node_first(root); child;
         child = (struct node *)child->next)
        child->parent = root;
    return root;
}

static void live_take(struct live_reader *reader, const struct node *root);

/*
 * The API server returns no lists inside lists. For other input, the readers' limit on depth bounds
 * the recursion.
 */
static void
live_take_items(struct live_reader *reader, const struct node *items)
{
    for (NODE_EACH(item, items))
        live_take(reader, live_cut_out(reader->arena, item));
}

static void
live_take(struct live_reader *reader, const struct node *root)
{
    struct live_object object = live_object_of(root);

    if (live_is_list(&object))
        live_take_items(reader, node_member(root, SLICE("items")));
    else if (object.api_version.len && object.kind.len && object.name.len)
        live_add(reader, &object);
    else
        find_note(reader->report, GANG_CODE_NOT_AN_OBJECT, root,
                  "pass what kubectl get -o yaml prints",
                  "an object of the cluster has apiVersion, kind and metadata.name");
}

/*
 * Converts positions: before the call they count from the start of the document, afterwards from
 * the start of the text.
 */
static void
live_move(const struct node *root, const struct split_part *part)
{
    struct node *node = (struct node *)root;

    if (node->line == 1)
        node->column += part->column - 1;
    node->line += part->line - 1;
    for (const struct node *child = node_first(root); child; child = child->next)
        live_move(child, part);
}

static void
live_move_findings(struct report *report, size_t from, const struct split_part *part)
{
    for (size_t i = from; i < report->count; i++) {
        struct gang_diagnostic *item = &report->items[i];

        if (!item->line)
            continue;
        if (item->line == 1)
            item->column += part->column - 1;
        item->line += part->line - 1;
    }
}

/* Does not resolve aliases, so that every node has one position. */
static void
live_read_document(struct live_reader *reader, const struct split_part *part)
{
    size_t before = reader->report->count;
    const struct document_request request = {
        .arena = reader->arena,
        .limits = reader->limits,
        .report = reader->report,
        .document = GANG_DOCUMENT_LIVE,
        .lines_before = part->line - 1,
    };
    const struct node *root = document_read(&request, part->text);

    live_move_findings(reader->report, before, part);
    if (!root)
        return;
    live_move(root, part);
    live_take(reader, root);
}

static bool
live_within(struct live_reader *reader, enum gang_limit limit, uint64_t value)
{
    uint64_t largest = limit_of(reader->limits, limit);

    if (value <= largest)
        return true;
    find_in_document(reader->report, limit_table[limit].code, GANG_DOCUMENT_LIVE, NULL,
                     "%s: %llu is more than the limit of %llu", limit_table[limit].name,
                     (unsigned long long)value, (unsigned long long)largest);
    return false;
}

static void
live_refuse_separator(struct live_reader *reader, const struct split_part *part)
{
    const struct report_place place = {.document = GANG_DOCUMENT_LIVE,
                                       .line = part->line,
                                       .column = part->column,
                                       .path = SLICE("")};

    report_add(reader->report, GANG_CODE_DOCUMENT_SEPARATOR, &place,
               "write `---` on a separate line", "unexpected text after a document separator");
}

static void
live_read_all(struct live_reader *reader, struct slice text)
{
    struct splitter splitter = splitter_start(text);
    struct split_part part;
    enum split_result result;
    uint64_t count = 0;

    if (!live_within(reader, GANG_LIMIT_STREAM_BYTES, text.len))
        return;
    while ((result = splitter_next(&splitter, &part)) != SPLIT_END &&
           !arena_failed(reader->arena)) {
        if (result == SPLIT_BAD_SEPARATOR)
            live_refuse_separator(reader, &part);
        else if (!live_within(reader, GANG_LIMIT_STREAM_DOCUMENTS, ++count))
            return;
        else
            live_read_document(reader, &part);
    }
}

struct live_objects
live_objects_read(struct slice text, const struct limits *limits, struct arena *arena,
                  struct report *report)
{
    struct live_reader reader = {.limits = limits, .arena = arena, .report = report};

    live_read_all(&reader, text);
    return reader.objects;
}

static bool
live_is_meant(const struct live_object *object, const struct live_key *key)
{
    return slice_equal(object->name, key->name) && slice_equal(object->kind, key->kind) &&
           slice_equal(object->group, key->group) &&
           live_same_namespace(object->namespace_, key->namespace_);
}

const struct live_object *
live_objects_find(const struct live_objects *objects, const struct live_key *key)
{
    for (size_t i = 0; i < objects->count; i++)
        if (live_is_meant(&objects->items[i], key))
            return &objects->items[i];
    return NULL;
}

/* ---- live owner ---- */

static struct slice
live_own_uid(const struct gang_decision *decision, struct slice uid)
{
    if (!slice_equal(decision->wishes.owner.kind, SLICE(GANG_KIND_PODCLIQUESET)))
        return uid;
    return decision->inputs.podgang ? decision->inputs.podgang->meta.uid : NO_SLICE;
}

struct live_owner
live_owner_of(const struct gang_decision *decision, const struct live_object *job)
{
    const struct gang_owner *source = &decision->wishes.owner;
    struct live_owner owner = {
        .key = {live_group_of(source->api_version), source->kind, source->namespace_, source->name},
        .leaves_no_references =
            decision->inputs.policy && decision->inputs.policy->output.omits_owner,
    };

    if (source->uid.len)
        owner.uid = source->uid;
    else if (job && job->uid.len)
        owner.uid = job->uid;
    owner.own_uid = live_own_uid(decision, owner.uid);
    return owner;
}

static bool
live_has_owner_name(const struct live_owner *owner, const struct node *reference)
{
    struct slice api_version = node_string(node_member(reference, SLICE("apiVersion")));

    return slice_equal(node_string(node_member(reference, SLICE("name"))), owner->key.name) &&
           slice_equal(node_string(node_member(reference, SLICE("kind"))), owner->key.kind) &&
           slice_equal(live_group_of(api_version), owner->key.group);
}

/*
 * If the uid of the job is not known, the rendered objects have no owner references. An object
 * without an owner may therefore be one of them.
 */
enum live_ownership
live_ownership_of(const struct live_owner *owner, const struct live_object *object)
{
    struct slice uid = node_string(node_member(object->controller, SLICE("uid")));

    if (!object->controller)
        return owner->leaves_no_references || !owner->uid.len ? OWNERSHIP_OURS
                                                              : OWNERSHIP_OF_NOBODY;
    if (owner->uid.len ? slice_equal(uid, owner->uid)
                       : live_has_owner_name(owner, object->controller))
        return OWNERSHIP_OURS;
    return live_has_owner_name(owner, object->controller) ? OWNERSHIP_OF_FORMER
                                                          : OWNERSHIP_OF_OTHER;
}

bool
live_is_certain(const struct live_owner *owner, const struct live_object *object)
{
    return owner->own_uid.len && object->controller &&
           slice_equal(node_string(node_member(object->controller, SLICE("uid"))), owner->own_uid);
}

/* ---- live job ---- */

static bool
live_job_has_condition(const struct node *status, struct slice type)
{
    for (NODE_EACH(condition, node_member(status, SLICE("conditions"))))
        if (slice_equal(node_string(node_member(condition, SLICE("type"))), type) &&
            slice_equal(node_string(node_member(condition, SLICE("status"))), SLICE("True")))
            return true;
    return false;
}

static bool
live_job_is_member(const struct gang *gang, struct slice role)
{
    for (size_t i = 0; i < gang->num_roles; i++)
        if (slice_equal(gang->roles[i].name, role))
            return gang->parts[i].membership != ROLE_OUTSIDE;
    return false;
}

/*
 * Reads counts of Jobs that have pods which have not ended. `active` does not include the ready
 * Jobs.
 */
static bool
live_job_has_pods(const struct node *job_status)
{
    int64_t active = 0;
    int64_t ready = 0;

    return (node_int(node_member(job_status, SLICE("active")), &active) && active > 0) ||
           (node_int(node_member(job_status, SLICE("ready")), &ready) && ready > 0);
}

static bool
live_job_has_members(const struct gang *gang, const struct node *status)
{
    for (NODE_EACH(job, node_member(status, SLICE("jobsStatus"))))
        if (live_job_is_member(gang, node_string(node_member(job, SLICE("name")))) &&
            live_job_has_pods(job))
            return true;
    return false;
}

static const struct node *
live_job_status(const struct gang_decision *decision, const struct live_object *object)
{
    const struct gang_trainjob *trainjob = decision->inputs.trainjob;

    if (object)
        return node_member(object->root, SLICE("status"));
    return trainjob && trainjob->spec ? node_member(trainjob->spec->parent, SLICE("status")) : NULL;
}

struct live_job
live_job_find(const struct gang_decision *decision, const struct live_objects *objects)
{
    const struct gang_owner *owner = &decision->wishes.owner;
    const struct live_key key = {live_group_of(owner->api_version), owner->kind, owner->namespace_,
                                 owner->name};
    struct live_job job = {.object = live_objects_find(objects, &key)};
    const struct node *status = live_job_status(decision, job.object);

    job.is_finished = live_job_has_condition(status, SLICE("Complete")) ||
                      live_job_has_condition(status, SLICE("Failed"));
    job.is_terminating = job.object && job.object->is_terminating;
    job.has_pods = live_job_has_members(&decision->gang, status);
    return job;
}

/* Returns the group that a mark of the pod names; unset without the mark. */
static struct slice
live_mark_of(const struct live_object *pod, const struct descriptor_mark *mark)
{
    const struct node *spec;

    switch (mark->place) {
    case MARK_LABEL:
        return node_string(node_member(node_at(pod->root, "metadata.labels"), mark->key));
    case MARK_ANNOTATION:
        return node_string(node_member(node_at(pod->root, "metadata.annotations"), mark->key));
    case MARK_POD_FIELD:
        spec = node_member(pod->root, SLICE("spec"));
        return node_string(node_member(node_member(spec, mark->key), mark->member));
    }
    return NO_SLICE;
}

static bool
live_pod_has_ended(const struct live_object *pod)
{
    struct slice phase = node_string(node_at(pod->root, "status.phase"));

    return slice_equal(phase, SLICE("Succeeded")) || slice_equal(phase, SLICE("Failed"));
}

struct slice
live_pod_group(const struct live_object *object)
{
    struct slice name = NO_SLICE;

    if (!slice_equal(object->kind, SLICE("Pod")) || object->group.len || live_pod_has_ended(object))
        return NO_SLICE;
    for (size_t i = 0; i < CATALOG_COUNT; i++)
        for (size_t k = 0; k < catalog[i]->num_marks && !name.len; k++)
            if (catalog[i]->marks[k].names_group)
                name = live_mark_of(object, &catalog[i]->marks[k]);
    return name;
}
