/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/base/sort.h"
#include "libgang/base/text.h"
#include "libgang/document/finding.h"
#include "libgang/jobs/job_fields.h"
#include "libgang/jobs/job_kinds.h"
#include "libgang/jobs/job_schemas.h"
#include "libgang/kube/names.h"

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

    *meta = object_meta_read(wrapped, source->report);
    inner.root = wrapped;
    inner.spec = node_member(wrapped, SLICE("spec"));
    inner.meta = meta;
    return inner;
}

/* The translation of the gang that is asked for reports the same, so this one reports nothing. */
static struct gang_job
appwrapper_translate_quietly(const struct job_kind *kind, const struct job_source *source)
{
    struct gang_job job = gang_job_start(source);
    struct report unread;
    struct job_source quiet = *source;

    report_init(&unread, source->arena, source->limits);
    quiet.report = &unread;
    job.group_name = source->meta->name;
    kind->translate(&quiet, 0, &job);
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

/* A component with a gang, and the name of its first one. */
struct appwrapper_named {
    struct slice name;
    const struct node *wrapped;
};

static int
appwrapper_compare_names(const void *a, const void *b, const void *context)
{
    const struct appwrapper_named *one = a;
    const struct appwrapper_named *other = b;

    (void)context;
    return slice_compare(one->name, other->name);
}

/* Returns the name of the component's first gang; unset if it has none. */
static struct slice
appwrapper_name_of(const struct job_source *source, const struct node *wrapped)
{
    const struct job_kind *kind = appwrapper_kind_of(wrapped);
    struct object_meta meta;
    struct job_source inner;
    struct gang_job job;

    if (!kind)
        return NO_SLICE;
    inner = appwrapper_open(source, wrapped, &meta);
    if (!inner.spec)
        return NO_SLICE;
    job = appwrapper_translate_quietly(kind, &inner);
    return job.why_no_gang ? NO_SLICE : job.group_name;
}

/* Components of one name would join their pods in one group: the AppWrapper owns all of them. */
static void
appwrapper_check_names(const struct job_source *source)
{
    const struct node *components = node_member(source->spec, SLICE("components"));
    const size_t most = node_count(components);
    struct appwrapper_named *named = arena_array(source->arena, most, sizeof(*named));
    const void **sorted = arena_array(source->arena, most, sizeof(*sorted));
    const void **scratch = arena_array(source->arena, most, sizeof(*scratch));
    size_t count = 0;
    struct quoted name;

    if (!named || !sorted || !scratch)
        return;
    for (NODE_EACH(component, components)) {
        const struct node *wrapped = node_member(component, SLICE("template"));

        named[count] = (struct appwrapper_named){appwrapper_name_of(source, wrapped), wrapped};
        if (named[count].name.len) {
            sorted[count] = &named[count];
            count++;
        }
    }
    stable_sort(sorted, scratch, count, appwrapper_compare_names, NULL);
    for (size_t i = 1; i < count; i++) {
        const struct appwrapper_named *one = sorted[i];

        if (appwrapper_compare_names(sorted[i - 1], one, NULL) == 0)
            find_invalid(source->report, GANG_CODE_COMPONENTS_SHARE_NAME,
                         node_at(one->wrapped, "metadata.name"), "give the component another name",
                         "another component has the gang %s, too", quote(&name, one->name));
    }
}

/* ---- the gang ---- */

/* The name of the component is that of its group. */
static void
appwrapper_check_job(const struct job_kind *kind, const struct node *wrapped, struct report *report)
{
    schema_check(kind->schema, wrapped, report);
    name_check_node(node_at(wrapped, "metadata.name"), NAME_DNS1123_SUBDOMAIN,
                    GANG_CODE_INVALID_NAME, NULL, report);
}

/* Returns the number of components that are read. */
static size_t
appwrapper_check_components(const struct job_source *source)
{
    size_t jobs = 0;

    for (NODE_EACH(component, node_member(source->spec, SLICE("components")))) {
        const struct node *wrapped = node_member(component, SLICE("template"));
        const struct job_kind *kind = appwrapper_kind_of(wrapped);
        struct quoted name;

        if (kind) {
            appwrapper_check_job(kind, wrapped, source->report);
            jobs++;
        } else if (wrapped) {
            find_note(source->report, GANG_CODE_COMPONENT_IS_NO_JOB, wrapped, NULL,
                      "the component has no gang: objects of kind %s are not read here",
                      quote(&name, node_string(node_member(wrapped, SLICE("kind")))));
        }
    }
    return jobs;
}

/* The AppWrapper stays the owner: the component does not exist yet, so it has no uid. */
static void
appwrapper_translate_in(const struct job_source *source, const struct node *wrapped, uint64_t gang,
                        struct gang_job *job)
{
    const struct job_kind *kind = appwrapper_kind_of(wrapped);
    struct object_meta meta;
    const struct job_source inner = appwrapper_open(source, wrapped, &meta);

    job->group_name = meta.name;
    job->template_fields = kind->template_fields;
    kind->translate(&inner, gang, job);
}

static void
appwrapper_translate(const struct job_source *source, uint64_t gang, struct gang_job *job)
{
    uint64_t before = 0;

    if (!gang && appwrapper_check_components(source) > 1)
        appwrapper_check_names(source);
    for (NODE_EACH(component, node_member(source->spec, SLICE("components")))) {
        const struct node *wrapped = node_member(component, SLICE("template"));
        const uint64_t count = appwrapper_count_in(source, wrapped);

        if (gang - before < count) {
            appwrapper_translate_in(source, wrapped, gang - before, job);
            break;
        }
        before += count;
    }
    job->suspended |= node_is_true(node_member(source->spec, SLICE("suspend")));
    job_field_read_manager(source, APPWRAPPER_MANAGER, job);
}

const struct job_kind appwrapper_job_kind = {
    .api_versions = {SLICE_INIT("workload.codeflare.dev/v1beta2")},
    .kind = SLICE_INIT("AppWrapper"),
    .schema = &appwrapper_schema,
    .count_gangs = appwrapper_count_gangs,
    .translate = appwrapper_translate,
};
