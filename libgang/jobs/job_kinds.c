/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/jobs/job_kinds.h"

#define JOB_KIND_ROW(name, kind, group) &name##_job_kind,
static const struct job_kind *const job_kinds[] = {JOB_KINDS(JOB_KIND_ROW)};

static bool
job_kind_is(const struct job_kind *kind, struct slice name)
{
    return slice_equal(kind->kind, name) ||
           (slice_is_set(kind->other_kind) && slice_equal(kind->other_kind, name));
}

const struct job_kind *
job_kind_find(struct slice api_version, struct slice kind)
{
    for (size_t i = 0; i < COUNT_OF(job_kinds); i++)
        if (job_kind_is(job_kinds[i], kind) && api_version.len &&
            slice_is_among(api_version, job_kinds[i]->api_versions, JOB_KIND_MOST_VERSIONS))
            return job_kinds[i];
    return NULL;
}

bool
job_kind_is_known(struct slice kind)
{
    for (size_t i = 0; i < COUNT_OF(job_kinds); i++)
        if (job_kind_is(job_kinds[i], kind))
            return true;
    return false;
}

/*
 * Fields of pods of other releases of Kubernetes than that of the schemas: kubernetes/api:
 * core/v1/types.go @v0.35.7, @v0.37.2, and `oci` of @v0.38.0-beta.0
 */
#define JOB_KIND_FORMER                                                                            \
    {                                                                                              \
        "schedulingGroup", FORMER_POD_FIELD                                                        \
    }
static const struct report_more_field job_kind_more_fields[] = {
    JOB_KIND_FORMER,
    {"schedulingGroup", "evictionResponders"},
    {"httpHeaders", "protocol"}, /* httpGet */
    {"service", "mode"},         /* grpc */
    {"subPathExpr", "bindMountOptions"},
    {"sizeLimit", "mode"}, /* emptyDir */
    {"defaultMode", "defaultUser"},
    {"mode", "user"},              /* a file of a volume */
    {"signerName", "user"},        /* clusterTrustBundle, podCertificate */
    {"expirationSeconds", "user"}, /* serviceAccountToken */
    {"localhostProfile", "oci"},
    {NULL, NULL},
};

static const struct report_more_field job_kind_former_fields[] = {JOB_KIND_FORMER, {NULL, NULL}};

static const struct report_more job_kind_more = {&object_meta_schema, job_kind_more_fields};
static const struct report_more job_kind_former = {NULL, job_kind_former_fields};

void
job_kind_check_schema(const struct job_kind *kind, const struct node *root, struct report *report)
{
    report->built_in = kind->is_built_in;
    report->more = kind->is_built_in            ? &job_kind_more
                   : kind->has_former_pod_field ? &job_kind_former
                                                : NULL;
    schema_check(kind->schema, root, report);
}

struct slice
job_kind_name(size_t index)
{
    return index < COUNT_OF(job_kinds) ? job_kinds[index]->kind : NO_SLICE;
}

uint64_t
job_kind_count_gangs(const struct job_kind *kind, const struct job_source *source)
{
    if (!source->spec && !kind->is_list)
        return 0;
    return kind->count_gangs ? kind->count_gangs(source) : 1;
}

/* ---- job document ---- */

/* Reports the API version of a kind that is read in other versions. */
SELDOM static void
job_kind_refuse_version(const struct node *root, struct slice kind, struct report *report)
{
    struct slice supported[COUNT_OF(job_kinds) * JOB_KIND_MOST_VERSIONS];
    const struct node *version = node_member(root, SLICE("apiVersion"));
    size_t count = 0;

    for (size_t i = 0; i < COUNT_OF(job_kinds); i++)
        for (size_t k = 0; k < JOB_KIND_MOST_VERSIONS; k++)
            if (job_kind_is(job_kinds[i], kind) && slice_is_set(job_kinds[i]->api_versions[k]))
                supported[count++] = job_kinds[i]->api_versions[k];
    if (version)
        find_unsupported(report, version, GANG_CODE_WRONG_DOCUMENT, NULL, supported, count);
    else
        find_missing(report, root, SLICE("apiVersion"));
}

enum { JOB_KIND_STEPS_OF_ROLE = 200 }; /* to translate and to decide it */

/* All fields of the job must be 0 before, here and below. */
static void
job_kind_translate(const struct job_kind *kind, const struct job_source *source,
                   struct gang_wishes *job)
{
    const struct role *idle;
    bool has_pods;

    gang_job_start(source, job);
    job->template_fields = kind->template_fields;
    source->report->built_in = kind->is_built_in;
    kind->translate(source, job);
    /* a job of many stages is translated for each of them, with all of its roles */
    if (!arena_spend(source->arena, JOB_KIND_STEPS_OF_ROLE * (uint64_t)job->num_roles))
        return;
    gang_job_read_pods(job, source);
    source->report->built_in = false;
    gang_job_check(job, source->report);
    /*
     * A gang without a pod that must start would be an object that waits for nothing, such as that
     * of 0 replicas; schedulers' APIs refuse it.
     */
    idle = NULL;
    has_pods = false;
    for (size_t i = 0; i < job->num_roles; i++) {
        const struct role *role = &job->roles[i];

        if (role->wish == WISH_OUTSIDE)
            continue;
        if (role->min_count > 0 || (role->count > 0 && job->minimum > 0))
            return;
        has_pods |= role->count > 0;
        idle = idle ? idle : role;
    }
    if (idle)
        gang_job_stand_back(job, idle->source,
                            has_pods ? "no pod of the job must start" : "the job has no pods");
}

void
job_document_compile(struct gang_document *document, struct parse_call *call)
{
    struct job_document *job = (struct job_document *)document;
    struct report *report = &call->report;
    const struct job_source source = {
        .root = call->root,
        .spec = node_member(call->root, SLICE("spec")),
        .meta = &job->meta,
        .limits = call->limits,
        .arena = call->arena,
        .report = report,
    };
    const struct slice version = node_string(node_member(call->root, SLICE("apiVersion")));

    job->kind = job_kind_find(version, call->written);
    if (!job->kind) {
        job_kind_refuse_version(call->root, call->written, report);
        return;
    }
    report->strict |= job->kind->is_strict;
    job_kind_check_schema(job->kind, call->root, report);
    job->meta = (struct object_meta){.source = call->root};
    if (!job->kind->is_list) { /* whose metadata says nothing about its items */
        job->meta = object_meta_read(call->root, NAMES_GENERATED_TOO, report);
        object_meta_check_name(&job->meta, NAME_DNS1123_SUBDOMAIN, GANG_CODE_INVALID_NAME, report);
    }
    job->num_gangs = job_kind_count_gangs(job->kind, &source);
    if (job->num_gangs) {
        job_kind_translate(job->kind, &source, &job->job);
    } else {
        /* A job with no gang at present, such as one with 0 replicas. */
        gang_job_start(&source, &job->job);
        gang_job_stand_back(&job->job, source.meta->source, "the job has no pods");
    }
    if (job->num_gangs && job->kind->has_stages)
        job->num_gangs = job->job.num_gangs;
    if (job->kind->is_list)
        job->meta = *job->job.meta;
}

const struct gang_wishes *
job_document_gang(const struct job_document *document, uint64_t gang, struct report *report)
{
    struct job_source source = {
        .root = document->document.root,
        .meta = &document->meta,
        .gang = gang,
        .limits = report->limits,
        .arena = report->arena,
        .report = report,
    };
    struct gang_wishes *job;

    if (gang == 0)
        return &document->job; /* translated when the document was parsed */
    job = arena_alloc(report->arena, sizeof(*job));
    if (!job)
        return &document->job; /* not read: the arena has failed */
    source.spec = node_member(source.root, SLICE("spec"));
    job_kind_translate(document->kind, &source, job);
    return job;
}
