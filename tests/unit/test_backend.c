/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/backend/backend.h"

#include "unit/job.h"

/* The table that users see; scheduler names are those of the projects' own charts. */
static const struct {
    const char *name;
    const char *type;
    const char *api_version;
    const char *scheduler_name;
    const char *gang_policy_member;
} backends[] = {
    {"coscheduling", "Coscheduling", "scheduling.x-k8s.io/v1alpha1", "scheduler-plugins-scheduler",
     "coscheduling"},
    {"volcano", "Volcano", "scheduling.volcano.sh/v1beta1", "volcano", "volcano"},
    {"kai", "KAI", "scheduling.run.ai/v2alpha2", "kai-scheduler", "kaiScheduler"},
    {"workload", "Workload", NULL, "default-scheduler", "workload"},
};

START_TEST(knows_each_backend_by_its_names)
{
    const struct backend *backend = backend_table[_i];

    ck_assert_uint_eq(backend_count, (size_t)COUNT_OF(backends));
    ck_slice_eq(backend->descriptor->name, backends[_i].name);
    ck_slice_eq(backend->descriptor->type, backends[_i].type);
    ck_slice_eq(backend->descriptor->api_version, backends[_i].api_version);
    ck_assert_ptr_eq(catalog[_i], backend->descriptor);
    ck_assert_ptr_eq(backend_of(catalog[_i]), backend);
    ck_assert_ptr_eq(backend_by_type(backend->descriptor->type), backend);
    ck_assert_ptr_eq(backend_by_name(slice_from_text(backends[_i].name)), backend);
    ck_slice_eq(backend->descriptor->scheduler_name, backends[_i].scheduler_name);
    /* what every pod has that says nothing chooses nothing */
    ck_assert_ptr_eq(backend_by_scheduler(backend->descriptor->scheduler_name),
                     strcmp(backends[_i].scheduler_name, "default-scheduler") ? backend : NULL);
    ck_slice_eq(backend->descriptor->member.name, backends[_i].gang_policy_member);
}
END_TEST

static const char *const strangers[] = {"",         "Volcano",           "volcan",
                                        "volcanoo", "default-scheduler", "kai-scheduler2"};

START_TEST(knows_no_other_names)
{
    struct slice name = slice_from_text(strangers[_i]);

    ck_assert_ptr_null(backend_by_name(name));
    ck_assert_ptr_null(backend_by_scheduler(name));
    ck_assert_ptr_null(backend_of(NULL));
}
END_TEST

static const struct {
    const char *namespace_;
    const char *uid;
    const char *manifest;
} manifests[] = {
    {"ml", NULL,
     "{\"apiVersion\":\"g/"
     "v1\",\"kind\":\"Group\",\"metadata\":{\"name\":\"llama\",\"namespace\":\"ml\"}}"},
    {NULL, NULL, "{\"apiVersion\":\"g/v1\",\"kind\":\"Group\",\"metadata\":{\"name\":\"llama\"}}"},
    {"ml", "",
     "{\"apiVersion\":\"g/"
     "v1\",\"kind\":\"Group\",\"metadata\":{\"name\":\"llama\",\"namespace\":\"ml\"}}"},
    {"ml", "b5e1",
     "{\"apiVersion\":\"g/"
     "v1\",\"kind\":\"Group\",\"metadata\":{\"name\":\"llama\",\"namespace\":\"ml\","
     "\"ownerReferences\":[{\"apiVersion\":\"trainer.kubeflow.org/v1alpha1\",\"kind\":\"TrainJob\","
     "\"name\":\"llama\",\"uid\":\"b5e1\",\"controller\":true,\"blockOwnerDeletion\":true}]}}"},
};

START_TEST(starts_manifests_with_their_owner)
{
    struct job job = job_form("a");
    struct builder manifest;

    job.gang.owner.namespace_ = slice_from_text(manifests[_i].namespace_);
    job.gang.owner.uid = slice_from_text(manifests[_i].uid);
    manifest = backend_manifest(&job.gang, job.arena, SLICE("g/v1"), SLICE("Group"));
    ck_assert_str_eq(job_print(job.arena, manifest.node), manifests[_i].manifest);
    job_free(&job);
}
END_TEST

START_TEST(the_gang_may_have_a_scheduler_of_its_own)
{
    const struct backend *backend = backend_table[_i];
    struct job job = job_form("a b!my-scheduler");

    ck_slice_eq(backend_scheduler_name(backend, &job.gang), backends[_i].scheduler_name);
    job.gang.scheduler_name = SLICE("my-scheduler");
    ck_slice_eq(backend_scheduler_name(backend, &job.gang), "my-scheduler");
    job.report.count = 0;
    job_validate(&job, backend);
    ck_assert_ptr_nonnull(job_finding(&job, GANG_CODE_SCHEDULER_NAME_SET));
    ck_slice_eq(job_render(&job, backend).patches[0].scheduler_name, "my-scheduler");
    job_free(&job);
}
END_TEST

/* Of a backend that writes one version a policy may name it; the others judge what it names. */
START_TEST(takes_the_version_that_a_policy_names)
{
    const struct backend *backend = backend_table[_i];
    struct job job = job_form("a");
    struct backend_call call = {.gang = &job.gang};

    if (backend->choose_api_version) {
        ck_assert_ptr_eq(backend, &workload_backend);
    } else {
        ck_slice_eq(backend_api_version(backend, &call, &job.report), backends[_i].api_version);
        call.api_version = SLICE("g/v2");
        ck_slice_eq(backend_api_version(backend, &call, &job.report), "g/v2");
    }
    job_free(&job);
}
END_TEST

/* Out of memory at any allocation: nothing is written past the end, and the arena says so. */
START_TEST(survives_every_failed_allocation)
{
    const struct backend *backend = backend_table[_i];
    struct job job = job_form("a+cpu=1+memory=1Gi b<a:R");
    struct backend_call call = job_call(&job, backend);
    struct plan_content content = {0};
    size_t limit = 10 * 1024;
    bool failed = true;

    job.gang.owner.uid = SLICE("uid");
    for (size_t filler = 0; failed && filler <= limit; filler += 64) {
        struct arena *arena = arena_new(limit);

        arena_alloc(arena, limit - filler);
        if (plan_content_init(&content, arena, &job.gang))
            backend_render(backend, &call, &content);
        failed = arena_failed(arena);
        arena_free(arena);
    }
    ck_assert(!failed);
    job_free(&job);
}
END_TEST

void
add_tests(TCase *cases)
{
    add_rows(cases, knows_each_backend_by_its_names, backends, name, type);
    add_items(cases, knows_no_other_names, strangers);
    add_rows(cases, starts_manifests_with_their_owner, manifests, namespace_, uid);
    add_rows(cases, the_gang_may_have_a_scheduler_of_its_own, backends, name, type);
    add_rows(cases, takes_the_version_that_a_policy_names, backends, name, type);
    add_rows(cases, survives_every_failed_allocation, backends, name, type);
}
