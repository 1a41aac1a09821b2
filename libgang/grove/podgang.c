/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/grove/grove.h"

/* ---- placement ---- */

/* An empty text is like an absent one, because Go omits it. */
static struct slice
grove_placement_level(const struct node *pack, struct slice key)
{
    const struct slice level = node_string(node_member(pack, key));

    return level.len ? level : NO_SLICE;
}

struct gang_placement
grove_placement_of(const struct node *part, struct slice topology)
{
    const struct node *pack =
        node_member(node_member(part, SLICE("topologyConstraint")), SLICE("packConstraint"));

    return (struct gang_placement){
        .is_set = pack != NULL,
        .topology = pack ? topology : NO_SLICE,
        .required = grove_placement_level(pack, SLICE("required")),
        .preferred = grove_placement_level(pack, SLICE("preferred")),
        .source = pack,
    };
}

/* ---- podgang ---- */

static struct podgang_podgroup
podgang_read_podgroup(const struct node *source, struct report *report)
{
    const struct node *minimum = node_member(source, SLICE("minReplicas"));
    struct podgang_podgroup podgroup = {
        .name = node_name(source),
        .num_pods = node_count(node_member(source, SLICE("podReferences"))),
        .source = source,
    };

    if (!node_int(minimum, &podgroup.minimum) || podgroup.minimum >= 0)
        return podgroup;
    find_invalid(report, minimum, MESSAGE_VALUE_OUT_OF_RANGE_NEGATIVE);
    podgroup.minimum = 0;
    return podgroup;
}

void
podgang_compile(struct gang_document *document, struct parse_call *call)
{
    struct gang_podgang *podgang = (struct gang_podgang *)document;
    struct report *report = &call->report;
    const struct node *owner;
    const struct node *list;

    schema_check(&podgang_schema, call->root, report);
    podgang->meta = object_meta_read(call->root, NAMES_WRITTEN, report);
    object_meta_check_name(&podgang->meta, NAME_DNS1123_SUBDOMAIN, GANG_CODE_INVALID_NAME, report);
    owner = object_meta_controller(podgang->meta.source);
    podgang->controller = (struct podgang_controller){
        .api_version = node_string(node_member(owner, SLICE("apiVersion"))),
        .kind = node_string(node_member(owner, SLICE("kind"))),
        .name = node_name(owner),
        .uid = node_string(node_member(owner, SLICE("uid"))),
        .source = owner,
    };
    podgang->spec = node_member(call->root, SLICE("spec"));
    list = node_member(podgang->spec, SLICE("podgroups"));
    podgang->podgroups = roles_array(list, sizeof(*podgang->podgroups), report);
    if (podgang->podgroups) {
        for (NODE_EACH(item, list))
            podgang->podgroups[podgang->num_podgroups++] = podgang_read_podgroup(item, report);
    }
    list = node_member(podgang->spec, SLICE("topologyConstraintGroupConfigs"));
    podgang->configs = roles_array(list, sizeof(*podgang->configs), report);
    if (!podgang->configs)
        return;
    for (NODE_EACH(item, list))
        podgang->configs[podgang->num_configs++] = (struct podgang_config){
            .name = node_name(item),
            .members = node_member(item, SLICE("podGroupNames")),
            .source = item,
        };
}

struct slice
podgang_refers_to(const struct gang_document *document, struct slice kind)
{
    const struct gang_podgang *podgang = podgang_of(document);

    if (slice_equal(kind, SLICE(GANG_KIND_PODCLIQUESET)) &&
        slice_equal(podgang->controller.kind, kind))
        return podgang->controller.name;
    if (slice_equal(kind, SLICE(GANG_KIND_TOPOLOGYBINDING)))
        return node_string(node_text_member(podgang->meta.annotations, GROVE_ANNOTATION_TOPOLOGY));
    return NO_SLICE;
}

/* ---- grove job ---- */

const char *
grove_job_full_name(const struct object_meta *meta, struct arena *arena)
{
    return arena_format(arena, "%.*s%s%.*s", SLICE_ARG(meta->namespace_),
                        meta->namespace_.len ? "/" : "", SLICE_ARG(meta->name));
}

const struct node *
grove_job_label_place(const struct object_meta *meta, struct slice *missing)
{
    *missing = meta->labels ? SLICE("") : SLICE("labels");
    return meta->labels ? meta->labels : meta->source;
}

static bool
grove_job_is_set(const struct podgang_controller *controller)
{
    return slice_equal(controller->api_version, SLICE(GANG_GROVE_API_VERSION)) &&
           slice_equal(controller->kind, SLICE(GANG_KIND_PODCLIQUESET));
}

void
grove_job_check_set(const struct grove_job *job, struct report *report)
{
    const struct podgang_controller *controller = &job->podgang->controller;
    const struct gang_podcliqueset *set = job->podcliqueset;

    if (!set || !grove_job_is_set(controller))
        return;
    if (!slice_equal(controller->name, set->meta.name))
        find_note(report, controller->source, MESSAGE_PODCLIQUESET_MISMATCH_OWNER,
                  SLICE_ARG(controller->name), SLICE_ARG(set->meta.name));
    else if (!namespaces_meet(job->podgang->meta.namespace_, set->meta.namespace_))
        find_note(report, controller->source, MESSAGE_PODCLIQUESET_MISMATCH_NAMESPACE,
                  SLICE_ARG(job->podgang->meta.namespace_), SLICE_ARG(set->meta.namespace_));
}

/* Source: ai-dynamo/grove:operator/internal/scheduler/kai/backend.go@fcc3b3bb */
bool
grove_job_require_set(const struct grove_job *job, struct report *report)
{
    const struct gang_podgang *podgang = job->podgang;
    const struct podgang_controller *controller = &podgang->controller;
    const struct object_meta set = {.namespace_ = podgang->meta.namespace_,
                                    .name = controller->name};
    const char *name = grove_job_full_name(&podgang->meta, report->arena);

    if (!controller->source)
        find_note_below(report, podgang->meta.source, SLICE("ownerReferences"),
                        MESSAGE_PODGANG_OWNER_ABSENT, name);
    else if (!grove_job_is_set(controller))
        find_note(report, controller->source, MESSAGE_PODGANG_OWNER_OTHER, name,
                  SLICE_ARG(controller->api_version), SLICE_ARG(controller->kind));
    else if (!job->podcliqueset)
        find_note(report, controller->source, MESSAGE_PODGANG_OWNER_NOT_PASSED,
                  grove_job_full_name(&set, report->arena));
    else
        return true;
    return false;
}
