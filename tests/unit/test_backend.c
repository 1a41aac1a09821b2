/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/backend/backend.h"

#include "libgang/document/writer.h"

#include "unit/suite.h"
#include "unit/job.h"
#include "unit/workloads.h"
#include "unit/tree.h"

/* ---- backend ---- */

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
    {"yunikorn", "YuniKorn", NULL, "yunikorn", "yunikorn"},
    {"koordinator", "Koordinator", "scheduling.sigs.k8s.io/v1alpha1", "koord-scheduler",
     "koordinator"},
};

static const struct backend *
backend_of_type(const char *type)
{
    return backend_of(catalog_of_type(slice_from_text(type)));
}

START_TEST(finds_each_backend_by_its_names)
{
    const struct backend *backend = backend_of_type(backends[_i].type);

    ck_assert_ptr_nonnull(backend);
    ck_slice_eq(backend->descriptor->name, backends[_i].name);
    ck_slice_eq(backend->descriptor->api_version, backends[_i].api_version);
    ck_assert_ptr_eq(backend_of(backend->descriptor), backend);
    ck_slice_eq(backend->descriptor->scheduler_name, backends[_i].scheduler_name);
    /* the default schedulerName chooses no backend */
    ck_assert_ptr_eq(backend_by_scheduler(backend->descriptor->scheduler_name),
                     strcmp(backends[_i].scheduler_name, "default-scheduler") ? backend : NULL);
    ck_slice_eq(backend->descriptor->member.name, backends[_i].gang_policy_member);
}
END_TEST

static const char *const strangers[] = {"",         "Volcano",           "volcan",
                                        "volcanoo", "default-scheduler", "kai-scheduler2"};

START_TEST(finds_no_backend_for_other_names)
{
    struct slice name = slice_from_text(strangers[_i]);

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
    const struct backend_call call = {.gang = &job.gang, .api_version = SLICE("g/v1")};
    struct plan_content content;
    const struct node *manifest;

    job.wishes->owner.namespace_ = slice_from_text(manifests[_i].namespace_);
    job.wishes->owner.uid = slice_from_text(manifests[_i].uid);
    ck_assert(plan_content_init(&content, job.arena, &job.gang));
    backend_add_object(&call, SLICE("Group"), NULL, &content);
    manifest = edit_member(job.arena, content.objects[0].manifest, SLICE("spec"), NULL);
    ck_assert_str_eq(job_print(job.arena, manifest), manifests[_i].manifest);
    job_free(&job);
}
END_TEST

START_TEST(the_gang_may_have_a_scheduler_of_its_own)
{
    const struct backend *backend = backend_of_type(backends[_i].type);
    struct job job = job_form("a b!my-scheduler");

    ck_slice_eq(backend_scheduler_name(backend, &job.gang), backends[_i].scheduler_name);
    job.wishes->scheduler_name = SLICE("my-scheduler");
    ck_slice_eq(backend_scheduler_name(backend, &job.gang), "my-scheduler");
    job.report.count = 0;
    job_validate(&job, backend);
    ck_assert_ptr_nonnull(job_finding(&job, GANG_CODE_SCHEDULER_NAME_SET));
    ck_slice_eq(job_render(&job, backend).patches[0].scheduler_name, "my-scheduler");
    job_free(&job);
}
END_TEST

/* A policy may name the version of a backend with one version; other backends check the version. */
START_TEST(takes_the_version_that_a_policy_names)
{
    const struct backend *backend = backend_of_type(backends[_i].type);
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

/*
 * Out of memory at any allocation: nothing is written past the end, and the arena reports the
 * failure.
 */
START_TEST(survives_every_failed_allocation)
{
    const struct backend *backend = backend_of_type(backends[_i].type);
    struct job job = job_form("a+cpu=1+memory=1Gi b<a:R");
    struct backend_call call = job_call(&job, backend);
    struct plan_content content = {0};
    size_t limit = 10 * 1024;
    bool failed = true;

    job.wishes->owner.uid = SLICE("uid");
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

/* ---- backend list ---- */

/* Volcano and coscheduling have one version; Kubernetes' own gangs have four, each with what it has
 * and lacks. */
static const char *const parts[] = {
    "{'name':'coscheduling','type':'Coscheduling','podGroupPolicy':'coscheduling','schedulerName':'"
    "scheduler-"
    "plugins-"
    "scheduler','versions':[{'apiVersion':'scheduling.x-k8s.io/"
    "v1alpha1','objects':['PodGroup'],'mark':'label "
    "scheduling.x-k8s.io/"
    "pod-group'}],'lacks':['queue','topology','roles[].minCount','roles[].unit','"
    "groups[]'],'options':['scheduleTimeoutSeconds'],'apiGroup':'"
    "scheduling.x-"
    "k8s.io','component':{'name':'"
    "schedulerPlugins','apiGroups':['scheduling.x-k8s.io'],'image':'scheduler-plugins/"
    "kube-scheduler'},"
    "'starter':'coscheduling: {scheduleTimeoutSeconds: "
    "120}','sleepsOnRoom':true,'features':{'wholeOrNothing':'yes',"
    "'lateMember':'marked, not counted','initializers':'outside, no mark','suspend':'updated',"
    "'topology':'no','subgroups':'no','elasticMinimum':'of all pods'}}",
    "'versions':[{'apiVersion':'scheduling.volcano.sh/"
    "v1beta1','objects':['PodGroup'],'mark':'annotation "
    "scheduling.k8s.io/group-name'}],'lacks':['scheduleTimeoutSeconds']",
    "'options':['layout','minMemberAnnotation','podGroup'],'experimental':'layout: Aggregate',"
    "'apiGroup':'scheduling.run.ai','component':{'name':'kai','apiGroups':['scheduling.run.ai',"
    "'kai.scheduler'],'image':'kai-scheduler/scheduler'},'queueParent':'parentQueue',",
    "{'apiVersion':'scheduling.k8s.io/v1beta1','kubernetes':'1.37 and "
    "later','objects':['Workload','PodGroup','CompositePodGroup'],'mark':"
    "'spec.schedulingGroup','gates':['GenericWorkload'],'fields':[{'name':'schedulingConstraints','"
    "gate':"
    "'TopologyAwareWorkloadScheduling'},{'name':'resourceClaims','gate':'DRAWorkloadResourceClaims'"
    "},{'name':"
    "'disruptionMode'},{'name':'priorityClassName'},{'name':'preemptionPolicy','gate':'"
    "PodGroupPreemptionPolicy'}]}",
    "{'apiVersion':'scheduling.k8s.io/v1alpha3','kubernetes':'1.37 and "
    "later','objects':['Workload','PodGroup',"
    "'CompositePodGroup'],'mark':'spec.schedulingGroup'",
    "{'apiVersion':'scheduling.k8s.io/"
    "v1alpha2','kubernetes':'1.36','objects':['Workload','PodGroup'],'mark':"
    "'spec.schedulingGroup','gates':['GenericWorkload','GangScheduling'],",
    "{'name':'disruptionMode','gate':'WorkloadAwarePreemption'},{'name':'priorityClassName','gate':"
    "'WorkloadAwarePreemption'}]}",
    "{'apiVersion':'scheduling.k8s.io/"
    "v1alpha1','kubernetes':'1.35','objects':['Workload'],'mark':'spec.workloadRef',"
    "'gates':['GenericWorkload','GangScheduling'],'fields':[]}",
    "'lacks':['queue','scheduleTimeoutSeconds','resources','reserve','roles[].unit'],'options':['"
    "composite','"
    "disruptionMode','groups',"
    "'initializers','lateMembers','nameStyle','preemptionPolicy','resourceClaims','topologyKey'],'"
    "apiGroup':'"
    "scheduling.k8s.io','starter':",
    "'schedulerName':'yunikorn','versions':[{'objects':[],'mark':'label yunikorn.apache.org/"
    "app-id'}],'lacks':['topology','resources','minimum','roles[].unit','groups[]'],'options':['"
    "placeholderTimeoutSeconds'"
    ",'style'],'component':{"
    "'name':'yunikorn','apiGroups':[],'image':'apache/yunikorn'},'starter':",
    "'schedulerName':'koord-scheduler','versions':[{'apiVersion':'scheduling.sigs.k8s.io/v1alpha1',"
    "'objects':['PodGroup'],'mark':'label "
    "pod-group.scheduling.sigs.k8s.io'}],'lacks':['topology','resources','reserve','roles[]."
    "minCount','roles[].unit','"
    "groups[]'],"
    "'options':['matchPolicy'],'apiGroup':'scheduling.sigs.k8s.io','component':{'name':"
    "'koordinator','apiGroups':['scheduling.sigs.k8s.io','scheduling.koordinator.sh'],'image':"
    "'koordinator-sh/koord-scheduler'},'starter':",
    "'forgets':'PodGroup','features':",
    "'forgets':'30s','parts':'yunikorn.apache.org/task-groups',"
    "'placeholders':'internal.yunikorn.apache.org/placeholder','features':",
};

START_TEST(lists_every_backend_from_its_tables)
{
    struct arena *arena = arena_new(0);
    struct gang_blob *blob = NULL;
    const char *wanted;

    ck_assert_int_eq(gang_backends_serialize(NULL, GANG_FORMAT_JSON, 0, &blob, NULL), GANG_OK);
    wanted = workload_quoted(arena, parts[_i]);
    ck_assert_msg(strstr(gang_blob_get_data(blob, NULL), wanted) != NULL, "no %s", wanted);
    gang_blob_unref(blob);
    arena_free(arena);
}
END_TEST

START_TEST(has_an_entry_for_each_backend)
{
    struct arena *arena = arena_new(0);
    const struct node *list = node_member(backend_list_build(arena), SLICE("backends"));

    ck_assert_uint_eq(node_count(list), backend_count);
    for (NODE_EACH(item, list)) {
        ck_slice_eq(node_string(node_member(item, SLICE("name"))), gang_backend_name(item->index));
        ck_assert_uint_ge(node_count(node_member(item, SLICE("versions"))), 1);
    }
    arena_free(arena);
}
END_TEST

START_TEST(misuse_is_refused)
{
    struct gang_blob *blob = NULL;
    struct gang_error *error = NULL;

    ck_assert_int_eq(gang_backends_serialize(NULL, GANG_FORMAT_JSON, 0, NULL, &error),
                     GANG_ERROR_INVALID_ARGUMENT);
    gang_error_free(error);
    ck_assert_int_eq(gang_backends_serialize(NULL, 99, 0, &blob, &error),
                     GANG_ERROR_INVALID_ARGUMENT);
    gang_error_free(error);
    ck_assert_int_eq(gang_backends_serialize(NULL, GANG_FORMAT_YAML, 1, &blob, &error),
                     GANG_ERROR_UNSUPPORTED_FLAG);
    gang_error_free(error);
    ck_assert_ptr_null(blob);
    ck_assert_int_eq(gang_backends_serialize(NULL, GANG_FORMAT_YAML, 0, &blob, NULL), GANG_OK);
    gang_blob_unref(blob);
}
END_TEST

/* ---- loss ---- */

static const struct loss all_losses[] = {
    {LOSS_QUEUE, "no queues"},
    {LOSS_TIMEOUT, "no timeout"},
    {LOSS_TOPOLOGY, "no topology"},
};

enum { ALL_LOSSES = ITEMS_OF(all_losses) };

/* Everything is set; `written`: in a document. */
static struct job
make_lossy_job(bool written)
{
    struct job job = job_make("a");
    const struct node *source = written ? job.gang.roles[0].source : NULL;

    job.gang.queue = SLICE("research");
    job.gang.queue_source = source;
    job.gang.has_timeout = true;
    job.gang.timeout_seconds = -7;
    job.gang.timeout_source = source;
    job.gang.topology = (struct gang_topology){.is_set = true,
                                               .mode = SLICE("hard"),
                                               .has_tier = true,
                                               .highest_tier = 2,
                                               .source = source};
    return job;
}

static const struct {
    const char *field;
    const char *value;
    const char *reason;
    const char *message;
} expected[] = {
    {"queue", "research", "no queues", "queue \"research\" is lost: no queues"},
    {"scheduleTimeoutSeconds", "-7", "no timeout",
     "scheduleTimeoutSeconds \"-7\" is lost: no timeout"},
    {"topology", "hard/2", "no topology", "topology \"hard/2\" is lost: no topology"},
};

START_TEST(lists_lost_fields)
{
    struct job job = make_lossy_job(true);
    struct loss_sink sink = {.report = &job.report};

    loss_find(all_losses, ALL_LOSSES, &job.gang, &sink);
    ck_assert_uint_eq(sink.losses.count, ALL_LOSSES);
    ck_slice_eq(sink.losses.items[_i].field, expected[_i].field);
    ck_slice_eq(sink.losses.items[_i].value, expected[_i].value);
    ck_assert_str_eq(sink.losses.items[_i].reason, expected[_i].reason);
    job_free(&job);
}
END_TEST

START_TEST(warns_of_lost_fields)
{
    struct job job = make_lossy_job(true);
    struct loss_sink sink = {.report = &job.report};

    loss_find(all_losses, ALL_LOSSES, &job.gang, &sink);
    ck_assert_str_eq(job_findings(&job), "FieldLost FieldLost FieldLost");
    ck_assert_str_eq(job.report.items[_i].message, expected[_i].message);
    ck_assert_str_eq(job.report.items[_i].path, "replicatedJobs[0]");
    ck_assert_int_eq(job.report.items[_i].severity, GANG_SEVERITY_WARNING);
    job_free(&job);
}
END_TEST

START_TEST(defaults_are_not_lost)
{
    struct job job = make_lossy_job(false);
    struct loss_sink sink = {.report = &job.report};

    loss_find(all_losses, ALL_LOSSES, &job.gang, &sink);
    ck_assert_uint_eq(sink.losses.count, 0);
    ck_assert_uint_eq(job.report.count, 0);
    job_free(&job);
}
END_TEST

START_TEST(unset_fields_are_not_lost)
{
    struct job job = job_make("a");
    struct loss_sink sink = {.report = &job.report};

    job.gang.queue = SLICE("");
    job.gang.queue_source = job.gang.timeout_source = job.gang.topology.source =
        job.gang.roles[0].source;
    loss_find(all_losses, ALL_LOSSES, &job.gang, &sink);
    ck_assert_uint_eq(job.report.count, 0);
    job_free(&job);
}
END_TEST

START_TEST(a_topology_may_have_no_tier)
{
    struct job job = make_lossy_job(true);
    struct loss_sink sink = {.report = &job.report};

    job.gang.topology.has_tier = false;
    loss_find(&all_losses[2], 1, &job.gang, &sink);
    ck_assert_str_eq(job.report.items[0].message, "topology \"hard\" is lost: no topology");
    job_free(&job);
}
END_TEST

/* ---- manifest labels ---- */

/* Sorted by byte. Values that are no text are not there. */
static const struct {
    const char *pairs; /* NULL: none */
    const char *expected;
} copies[] = {
    {NULL, "{}"},
    {"{}", "{}"},
    {"{\"b\":\"1\",\"a\":\"2\"}", "{\"labels\":{\"a\":\"2\",\"b\":\"1\"}}"},
    {"{\"b\":\"1\",\"a\":null}", "{\"labels\":{\"b\":\"1\"}}"},
    {"{\"a\":null}", "{}"},
    {"{\"a\":\"2\",\"B\":\"1\",\"b\":\"\"}", "{\"labels\":{\"B\":\"1\",\"a\":\"2\",\"b\":\"\"}}"},
};

START_TEST(copies_sorted)
{
    struct arena *arena = arena_new(0);
    struct builder metadata = build_map(arena);
    struct buffer out = {0};

    manifest_copy_pairs(&metadata, SLICE("labels"),
                        copies[_i].pairs ? tree_of(arena, copies[_i].pairs) : NULL);
    json_write(&out, metadata.node);
    ck_slice_eq(((struct slice){out.data, out.len}), copies[_i].expected);
    buffer_clear(&out);
    arena_free(arena);
}
END_TEST

/* doc/kinds.md: a role with neither template nor requests. */
START_TEST(unknown_requests_have_no_sum)
{
    struct job job = job_make("node*2@trainer");
    struct plan_content content;

    job.wishes->roles[0].lacks_requests = true;
    job_form_again(&job);
    content = job_render(&job, backend_of_type(backends[_i].type));
    for (size_t i = 0; i < content.num_objects; i++)
        ck_assert_ptr_null(node_at(content.objects[i].manifest, "spec.minResources"));
    job_free(&job);
}
END_TEST

void
add_tests(TCase *cases)
{
    add_rows(cases, finds_each_backend_by_its_names, backends, name, type);
    add_items(cases, finds_no_backend_for_other_names, strangers);
    add_rows(cases, starts_manifests_with_their_owner, manifests, namespace_, uid);
    add_rows(cases, the_gang_may_have_a_scheduler_of_its_own, backends, name, type);
    add_rows(cases, takes_the_version_that_a_policy_names, backends, name, type);
    add_rows(cases, survives_every_failed_allocation, backends, name, type);
    add_items(cases, lists_every_backend_from_its_tables, parts);
    tcase_add_test(cases, has_an_entry_for_each_backend);
    tcase_add_test(cases, misuse_is_refused);
    add_rows(cases, lists_lost_fields, expected, field, value);
    add_rows(cases, warns_of_lost_fields, expected, field, value);
    tcase_add_test(cases, defaults_are_not_lost);
    tcase_add_test(cases, unset_fields_are_not_lost);
    tcase_add_test(cases, a_topology_may_have_no_tier);
    add_rows(cases, copies_sorted, copies, pairs);
    add_rows(cases, unknown_requests_have_no_sum, backends, name, type);
}
