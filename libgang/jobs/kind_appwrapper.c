/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/jobs/job_kinds.h"

/* Source: project-codeflare/appwrapper:api/v1beta2/appwrapper_types.go@v1.2.2 */
#define APPWRAPPER_MANAGER SLICE("workload.codeflare.dev/appwrapper-controller")

/* ---- components ---- */

/* A component of a kind that is read. An AppWrapper, a GangJob or a list is none. */
static const struct job_kind *
appwrapper_kind_of(const struct node *wrapped)
{
    const struct job_kind *kind =
        job_kind_find(node_string(node_member(wrapped, SLICE("apiVersion"))),
                      node_string(node_member(wrapped, SLICE("kind"))));

    return kind == &appwrapper_job_kind || kind == &gang_job_job_kind || (kind && kind->is_list)
               ? NULL
               : kind;
}

/* The component as a document of its own. */
static struct job_source
appwrapper_open(const struct job_source *source, const struct node *wrapped,
                struct object_meta *meta)
{
    struct job_source inner = *source;

    *meta = object_meta_read(wrapped, NAMES_GENERATED_TOO, source->report);
    inner.root = wrapped;
    inner.spec = node_member(wrapped, SLICE("spec"));
    inner.meta = meta;
    return inner;
}

/* The translation of the gang that is asked for reports the same, so this one reports nothing. */
static struct gang_wishes
appwrapper_translate_quietly(const struct job_kind *kind, const struct job_source *source)
{
    struct gang_wishes job = {.num_gangs = 0};
    struct report unread;
    struct job_source quiet = *source;

    gang_job_start(source, &job);
    report_init(&unread, source->arena, source->limits);
    quiet.report = &unread;
    quiet.gang = 0;
    job.name = source->meta->name;
    kind->translate(&quiet, &job);
    return job;
}

static uint64_t
appwrapper_count_in(const struct job_source *source, const struct node *wrapped)
{
    const struct job_kind *kind = appwrapper_kind_of(wrapped);
    struct object_meta meta;
    struct job_source inner;

    if (!kind)
        return 0;
    inner = appwrapper_open(source, wrapped, &meta);
    if (inner.spec && kind->has_stages)
        return appwrapper_translate_quietly(kind, &inner).num_gangs;
    return job_kind_count_gangs(kind, &inner);
}

static uint64_t
appwrapper_count_gangs(const struct job_source *source)
{
    uint64_t gangs = 0;

    for (NODE_EACH(component, node_member(source->spec, SLICE("components"))))
        gangs += appwrapper_count_in(source, node_member(component, SLICE("template")));
    return gangs;
}

/* ---- names of the gangs ---- */

/* A component with gangs. */
struct appwrapper_part {
    const struct job_kind *kind;
    struct job_source source; /* of the component */
    struct object_meta meta;
    struct slice first; /* the name of its first gang */
    uint64_t gangs;
    bool is_refused; /* it has the name of a gang of another component */
};

/* The name of a gang, and the component that has it. */
struct appwrapper_named {
    struct slice name;
    struct appwrapper_part *part;
};

struct appwrapper_names {
    struct appwrapper_part *parts;
    size_t num_parts;
    struct appwrapper_named *items;
    const void **sorted; /* the items */
    size_t count;
};

/* Adds a component, unless it has no gang. */
static void
appwrapper_add_part(const struct job_source *source, const struct node *wrapped,
                    struct appwrapper_names *names)
{
    struct appwrapper_part *part = &names->parts[names->num_parts];
    struct gang_wishes job;

    part->kind = appwrapper_kind_of(wrapped);
    if (!part->kind)
        return;
    part->source = appwrapper_open(source, wrapped, &part->meta);
    if (!part->source.spec)
        return;
    job = appwrapper_translate_quietly(part->kind, &part->source);
    part->first = job.name;
    part->gangs =
        part->kind->has_stages ? job.num_gangs : job_kind_count_gangs(part->kind, &part->source);
    names->num_parts += !job.why_no_gang && part->first.len > 0 && !part->meta.name_is_generated;
}

/* Only stages are few: of replicas, the first one stands for all. */
static uint64_t
appwrapper_count_names(const struct appwrapper_part *part)
{
    return part->kind->has_stages ? part->gangs : 1;
}

/* Fills in the names of all components. Returns false if out of memory. */
static bool
appwrapper_read_names(const struct job_source *source, struct appwrapper_names *names)
{
    const struct node *components = node_member(source->spec, SLICE("components"));
    size_t most = 0;

    names->parts = arena_array(source->arena, node_count(components), sizeof(*names->parts));
    if (!names->parts)
        return false;
    for (NODE_EACH(component, components))
        appwrapper_add_part(source, node_member(component, SLICE("template")), names);
    for (size_t i = 0; i < names->num_parts; i++)
        most += (size_t)appwrapper_count_names(&names->parts[i]);
    names->items = arena_array(source->arena, most, sizeof(*names->items));
    if (!names->items)
        return false;
    for (size_t i = 0; i < names->num_parts; i++) {
        struct appwrapper_part *part = &names->parts[i];

        for (uint64_t gang = 0; gang < appwrapper_count_names(part); gang++)
            names->items[names->count++] = (struct appwrapper_named){
                gang_job_name_of_stage(part->first, gang, source->arena), part};
    }
    names->sorted = stable_sort_array(names->items, names->count, sizeof(*names->items),
                                      slice_compare_first, NULL, source->arena);
    return !arena_failed(source->arena);
}

static void
appwrapper_refuse_part(const struct job_source *source, struct appwrapper_part *part,
                       struct slice gang)
{
    if (!part->is_refused)
        find_invalid(source->report, part->meta.name_source, MESSAGE_COMPONENTS_SHARE_NAME,
                     SLICE_ARG(gang));
    part->is_refused = true;
}

/* The replicas of a LeaderWorkerSet can be a million, so their names are looked for. */
static void
appwrapper_compare_replicas(const struct job_source *source, const struct appwrapper_names *names,
                            struct appwrapper_part *part)
{
    const struct slice start = {part->first.data, part->meta.name.len + 1};

    for (size_t i = sorted_search(names->sorted, names->count, &start, slice_compare_first, NULL);
         i < names->count; i++) {
        const struct appwrapper_named *item = names->sorted[i];
        struct slice end;
        struct slice digits;
        int64_t number;

        if (!slice_has_prefix(item->name, start))
            break;
        /*
         * The name may be that of a replica: the first one is `start` and 0, and perhaps more.
         */
        end = slice_after(part->first, start.len + 1);
        digits = (struct slice){item->name.data + start.len, item->name.len - start.len - end.len};
        if (item->part != part && item->name.len > start.len + end.len &&
            slice_equal((struct slice){digits.data + digits.len, end.len}, end) &&
            (digits.data[0] != '0' || digits.len == 1) && integer_parse(digits, &number) &&
            number >= 0 && (uint64_t)number < part->gangs)
            appwrapper_refuse_part(source, item->part > part ? item->part : part, item->name);
    }
}

/* Gangs of one name would have their pods in one group: the AppWrapper owns all of them. */
static void
appwrapper_check_names(const struct job_source *source)
{
    struct appwrapper_names names = {.parts = NULL};

    if (!appwrapper_read_names(source, &names))
        return;
    for (size_t i = 1; i < names.count; i++) {
        const struct appwrapper_named *one = names.sorted[i];

        if (slice_compare_first(names.sorted[i - 1], one, NULL) == 0)
            appwrapper_refuse_part(source, one->part, one->name);
    }
    for (size_t i = 0; i < names.num_parts; i++)
        if (!names.parts[i].kind->has_stages && names.parts[i].gangs > 1)
            appwrapper_compare_replicas(source, &names, &names.parts[i]);
}

/* ---- the gang ---- */

/* Returns the number of components that are read. */
static size_t
appwrapper_check_components(const struct job_source *source)
{
    size_t jobs = 0;

    for (NODE_EACH(component, node_member(source->spec, SLICE("components")))) {
        const struct node *wrapped = node_member(component, SLICE("template"));
        const struct node *place = node_at(wrapped, "metadata.namespace");
        const struct job_kind *kind = appwrapper_kind_of(wrapped);

        /* internal/webhook/appwrapper_webhook.go validateAppWrapperCreate */
        if (node_string(place).len &&
            !namespaces_meet(source->meta->namespace_, node_string(place)))
            find_forbidden(source->report, place, GANG_CODE_REFUSED_BY_OPERATOR, NULL,
                           "AppWrappers cannot create objects in other namespaces");
        if (kind) {
            /* The name of the component is that of its group. */
            job_kind_check_schema(kind, wrapped, source->report);
            name_check_node(node_at(wrapped, "metadata.name"), NAME_DNS1123_SUBDOMAIN,
                            GANG_CODE_INVALID_NAME, NULL, source->report);
            jobs++;
        } else if (wrapped) {
            const struct slice name = node_string(node_member(wrapped, SLICE("kind")));

            find_note(source->report, wrapped, MESSAGE_COMPONENT_IS_NO_JOB, SLICE_ARG(name));
            if (job_kind_find(node_string(node_member(wrapped, SLICE("apiVersion"))), name) ==
                &appwrapper_job_kind)
                find_forbidden(source->report, wrapped, GANG_CODE_REFUSED_BY_OPERATOR, NULL,
                               "Nested AppWrappers are forbidden");
        }
    }
    return jobs;
}

static void
appwrapper_translate(const struct job_source *source, struct gang_wishes *job)
{
    const struct node *manager = node_member(source->spec, SLICE("managedBy"));
    uint64_t before = 0;

    if (!source->gang && appwrapper_check_components(source) > 1)
        appwrapper_check_names(source);
    for (NODE_EACH(component, node_member(source->spec, SLICE("components")))) {
        const struct node *wrapped = node_member(component, SLICE("template"));
        const uint64_t count = appwrapper_count_in(source, wrapped);

        if (source->gang - before < count) {
            const struct job_kind *kind = appwrapper_kind_of(wrapped);
            struct object_meta *meta = arena_array(source->arena, 1, sizeof(*meta));
            struct job_source inner;

            if (!meta)
                return;
            inner = appwrapper_open(source, wrapped, meta);
            /*
             * The AppWrapper stays the owner: the component does not exist yet, so it has no uid.
             */
            inner.gang -= before;
            job->name = meta->name;
            job->named_by = meta;
            job->template_fields = kind->template_fields;
            source->report->built_in = kind->is_built_in;
            kind->translate(&inner, job);
            break;
        }
        before += count;
    }
    job->suspended |= node_is_true(node_member(source->spec, SLICE("suspend")));
    /* Any text: neither the CRD nor the webhook has a rule for it. */
    if (manager && !slice_equal(node_string(manager), APPWRAPPER_MANAGER))
        job->managed_elsewhere = manager;
}

const struct job_kind appwrapper_job_kind = {
    .api_versions = {SLICE_INIT("workload.codeflare.dev/v1beta2")},
    .kind = SLICE_INIT("AppWrapper"),
    .schema = &appwrapper_schema,
    .count_gangs = appwrapper_count_gangs,
    .translate = appwrapper_translate,
};
