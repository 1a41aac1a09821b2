/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/backend/volcano/volcano.h"

#include "libgang/gang/gang.h"

#include "unit/job.h"
#include "unit/grove_documents.h"
#include "unit/updates.h"
#include "unit/typed.h"

/* ---- volcano ---- */

#define HEAD                                                                                       \
    "{\"apiVersion\":\"scheduling.volcano.sh/"                                                     \
    "v1beta1\",\"kind\":\"PodGroup\",\"metadata\":{\"name\":\"llama\",\"namespace\":\"ml\"},"
#define POD_GROUP(spec) HEAD "\"spec\":{" spec "}}"

/* `mode` is NULL without a topology, `tier` negative without a tier. */
struct wishes {
    const char *queue;
    const char *mode;
    int64_t tier;
};

static void
set_wishes(struct job *job, const struct wishes *wishes)
{
    job->gang.queue = slice_from_text(wishes->queue);
    job->gang.queue_source = wishes->queue ? job->wishes->owner.name_source : NULL;
    job->gang.topology = (struct gang_topology){
        .is_set = wishes->mode != NULL,
        .mode = slice_from_text(wishes->mode),
        .has_tier = wishes->mode && wishes->tier >= 0,
        .highest_tier = wishes->tier,
        .source = wishes->mode ? job->wishes->owner.name_source : NULL,
    };
    job_take_priority(job);
}

static const struct {
    const char *roles;
    struct wishes wishes;
    const char *manifest;
} rendered[] = {
    {"node*8@trainer^high+cpu=4+memory=32Gi+nvidia.com/gpu=8",
     {"research", "hard", 2},
     POD_GROUP("\"minMember\":8,\"minResources\":{\"cpu\":\"32\",\"memory\":\"256Gi\",\"nvidia.com/"
               "gpu\":\"64\"},"
               "\"queue\":\"research\",\"priorityClassName\":\"high\","
               "\"networkTopology\":{\"mode\":\"hard\",\"highestTierAllowed\":2}")},
    /* what a late launcher leaves would stay reserved, so nothing is reserved */
    {"node*3+cpu=8+memory=64Gi+nvidia.com/gpu=8 "
     "launcher@trainer<node:R+cpu=8+memory=64Gi+nvidia.com/gpu=8",
     {"research", NULL, 0},
     POD_GROUP("\"minMember\":3,\"queue\":\"research\"")},
    /* what waits for an initializer reserves nothing meanwhile */
    {"d@dataset-initializer m@model-initializer node@trainer<d:C<m:C+nvidia.com/gpu=2",
     {NULL, NULL, 0},
     POD_GROUP("\"minMember\":1")},
    {"node*4@trainer", {NULL, NULL, 0}, POD_GROUP("\"minMember\":4,\"minResources\":{}")},
    {"node@trainer",
     {NULL, "soft", -1},
     POD_GROUP("\"minMember\":1,\"minResources\":{},\"networkTopology\":{\"mode\":\"soft\"}")},
    {"node@trainer",
     {NULL, "hard", 0},
     POD_GROUP("\"minMember\":1,\"minResources\":{},\"networkTopology\":{\"mode\":\"hard\","
               "\"highestTierAllowed\":0}")},
    /* pods of the elastic role must not start instead of the head: by name, sorted */
    {"head+cpu=2 gpu*8%4|2+cpu=8",
     {NULL, NULL, 0},
     POD_GROUP("\"minMember\":5,\"minTaskMember\":{\"gpu\":4,\"head\":1},"
               "\"minResources\":{\"cpu\":\"34\"}")},
    /* a late role is not in it, and a single role needs none, nor does one that may be empty */
    {"head gpu*8%4 submitter<head:R<gpu:R",
     {NULL, NULL, 0},
     POD_GROUP("\"minMember\":5,\"minTaskMember\":{\"gpu\":4,\"head\":1}")},
    {"gpu*8%4", {NULL, NULL, 0}, POD_GROUP("\"minMember\":4,\"minResources\":{}")},
    {"gpu*8%4 submitter<gpu:R", {NULL, NULL, 0}, POD_GROUP("\"minMember\":4")},
    {"head gpu*8%0",
     {NULL, NULL, 0},
     POD_GROUP("\"minMember\":1,\"minTaskMember\":{\"head\":1},\"minResources\":{}")},
    {"a*2 node*12%6$3",
     {NULL, NULL, 0},
     POD_GROUP("\"minMember\":5")}, /* all of the first wave must start */
    /* the priority of roles outside is not the gang's */
    {"node@trainer d@dataset-initializer^low",
     {NULL, NULL, 0},
     POD_GROUP("\"minMember\":1,\"minResources\":{}")},
};

START_TEST(renders_a_pod_group)
{
    struct job job = job_form(rendered[_i].roles);

    set_wishes(&job, &rendered[_i].wishes);
    ck_assert_str_eq(job_manifest(&job, &volcano_backend), rendered[_i].manifest);
    job_free(&job);
}
END_TEST

/* Numbers of the upstream operator's own tests and samples. */
static const struct {
    const char *roles;
    struct wishes wishes;
    const char *manifest;
} operator_rendered[] = {
    {"", {NULL, NULL, 0}, POD_GROUP("\"minMember\":0,\"minResources\":{}")},
    {"launcher^high-priority+cpu=300m+memory=1Gi worker*4+cpu=500m+memory=0.5Gi",
     {"q1", "hard", 1},
     POD_GROUP(
         "\"minMember\":5,\"minResources\":{\"cpu\":\"2300m\",\"memory\":\"3Gi\"},\"queue\":\"q1\","
         "\"priorityClassName\":\"high-priority\","
         "\"networkTopology\":{\"mode\":\"hard\",\"highestTierAllowed\":1}")},
    {"d^system-node-critical+cpu=1+memory=4Gi m^system-node-critical+cpu=1+memory=4Gi "
     "node*100^system-node-critical+cpu=1+memory=4Gi",
     {"q1", "soft", 2},
     POD_GROUP("\"minMember\":102,\"minResources\":{\"cpu\":\"102\",\"memory\":\"408Gi\"},"
               "\"queue\":\"q1\","
               "\"priorityClassName\":\"system-node-critical\","
               "\"networkTopology\":{\"mode\":\"soft\",\"highestTierAllowed\":2}")},
    {"node*4@trainer+cpu=1+memory=2Gi",
     {NULL, NULL, 0},
     POD_GROUP("\"minMember\":4,\"minResources\":{\"cpu\":\"4\",\"memory\":\"8Gi\"}")},
    {"d@dataset-initializer m@model-initializer node@trainer<d:C<m:C",
     {NULL, NULL, 0},
     POD_GROUP("\"minMember\":3,\"minResources\":{}")},
    /* the last class wins, an initializer's too; a mode is copied even when it is empty */
    {"node@trainer^high d@dataset-initializer^low",
     {NULL, "", 1},
     POD_GROUP("\"minMember\":2,\"minResources\":{},\"priorityClassName\":\"low\","
               "\"networkTopology\":{\"mode\":\"\",\"highestTierAllowed\":1}")},
};

START_TEST(renders_as_the_operator_in_compatibility)
{
    struct job job = job_form_for(operator_rendered[_i].roles, COMPATIBILITY_KUBEFLOW_TRAINER);

    job.wishes->suspended = true;
    set_wishes(&job, &operator_rendered[_i].wishes);
    ck_assert_str_eq(job_manifest(&job, &volcano_backend), operator_rendered[_i].manifest);
    job_free(&job);
}
END_TEST

#define TASK(role) "annotation volcano.sh/task-spec=" role ";"
#define MARK "annotation scheduling.k8s.io/group-name=llama;"
#define NAMED "scheduler volcano;"

static const struct {
    const char *roles;
    enum gang_compatibility mode;
    const char *patches;
} patched[] = {
    {"node@trainer", COMPATIBILITY_NONE, "node{" MARK NAMED "}"},
    {"node@trainer!volcano^high", COMPATIBILITY_NONE, "node{" MARK "}"},
    {"node launcher@trainer<node:R", COMPATIBILITY_NONE,
     "node{" MARK NAMED "} launcher{" MARK NAMED "}"},
    {"d@dataset-initializer m@model-initializer node@trainer<d:C<m:C", COMPATIBILITY_NONE,
     "d{" NAMED "} m{" NAMED "} node{" MARK NAMED "}"},
    {"d@dataset-initializer node@trainer<d:C", COMPATIBILITY_KUBEFLOW_TRAINER,
     "d{" MARK "} node{" MARK "}"},
    /* the key of minTaskMember, on late pods too: they are no pods of the head */
    {"head gpu*8%4 late<head:R driver&O", COMPATIBILITY_NONE,
     "head{" MARK TASK("head") NAMED "} gpu{" MARK TASK("gpu") NAMED "} late{" MARK TASK("late")
         NAMED "} driver{" NAMED "}"},
};

START_TEST(marks_members)
{
    struct job job = job_form_for(patched[_i].roles, patched[_i].mode);

    ck_assert_str_eq(job_patches(&job, &volcano_backend), patched[_i].patches);
    job_free(&job);
}
END_TEST

/* The scheduler ignores the minima of roles below another minimum of the gang. */
START_TEST(loses_minima_of_roles_beside_one_of_the_gang)
{
    struct job job = job_make("head gpu*8%4");

    job.wishes->minimum = 3 + _i;
    job.wishes->minimum_source = job.wishes->owner.name_source;
    job_form_again(&job);
    ck_assert_int_eq(strstr(job_manifest(&job, &volcano_backend), "minTaskMember") != NULL,
                     3 + _i == 5);
    job_validate(&job, &volcano_backend);
    ck_assert_int_eq(strstr(job_findings(&job), "ElasticLost") != NULL, 3 + _i != 5);
    job_free(&job);
}
END_TEST

/* Every role has the right scheduler, so that only what the backend finds itself is left. */
static const struct {
    const char *roles;
    enum gang_compatibility mode;
    struct wishes wishes;
    const char *findings;
    bool refused;
} validated[] = {
    {"node", COMPATIBILITY_NONE, {NULL, NULL, 0}, "", false},
    {"node~", COMPATIBILITY_NONE, {"default", "hard", 1}, "", false},
    {"node", COMPATIBILITY_NONE, {"", NULL, 0}, "EmptyQueue", true},
    {"node", COMPATIBILITY_KUBEFLOW_TRAINER, {"", NULL, 0}, "EmptyQueue", true},
    {"node", COMPATIBILITY_NONE, {"Team_A", NULL, 0}, "InvalidName", true},
    {"node", COMPATIBILITY_KUBEFLOW_TRAINER, {"Team_A", NULL, 0}, "", false},
    {"node", COMPATIBILITY_NONE, {NULL, "hard", -1}, "TopologyNotEnforced", false},
    {"node", COMPATIBILITY_NONE, {NULL, "soft", -1}, "", false},
    {"a^high b^low", COMPATIBILITY_KUBEFLOW_TRAINER, {NULL, NULL, 0}, "PriorityLastWins", false},
    {"a^high b^high", COMPATIBILITY_KUBEFLOW_TRAINER, {NULL, NULL, 0}, "", false},
    {"node launcher@trainer<node:R",
     COMPATIBILITY_NONE,
     {NULL, NULL, 0},
     "MinResourcesLeftOut",
     false},
    {"d@dataset-initializer node@trainer<d:C",
     COMPATIBILITY_NONE,
     {NULL, NULL, 0},
     "MinResourcesLeftOut",
     false},
    {"d@dataset-initializer node@trainer<d:R",
     COMPATIBILITY_NONE,
     {NULL, NULL, 0},
     "MinResourcesLeftOut",
     false},
    {"d@dataset-initializer node@trainer", COMPATIBILITY_NONE, {NULL, NULL, 0}, "", false},
    {"node@trainer eval<node:C", COMPATIBILITY_NONE, {NULL, NULL, 0}, "", false},
    {"node launcher@trainer<node:R", COMPATIBILITY_KUBEFLOW_TRAINER, {NULL, NULL, 0}, "", false},
};

START_TEST(reports_scheduler_defects)
{
    struct job job = job_form_for(validated[_i].roles, validated[_i].mode);

    for (size_t i = 0; i < job.gang.num_roles; i++)
        job.wishes->roles[i].scheduler_name = SLICE("volcano");
    set_wishes(&job, &validated[_i].wishes);
    job.report.count = job.report.errors = 0;
    job_validate(&job, &volcano_backend);
    ck_assert_str_eq(job_findings(&job), validated[_i].findings);
    ck_assert_int_eq(report_has_errors(&job.report), validated[_i].refused);
    job_free(&job);
}
END_TEST

/* Each reason not to reserve, with its message. */
static const struct {
    const char *roles;
    bool suspended;
    const char *reason; /* NULL: minResources is rendered */
} reservations[] = {
    {"node@trainer", false, NULL},
    {"node@trainer", true, "the job is suspended"},
    {"node launcher@trainer<node:R", false,
     "the gang has late members, and what finished members free would stay reserved"},
    {"node launcher@trainer<node:R", true,
     "the gang has late members, and what finished members free would stay reserved"},
    {"d@dataset-initializer node@trainer<d:C", false,
     "the gang is created later: \"node\" waits for \"d\" to be Complete"},
    {"d@dataset-initializer node@trainer<d:C", true,
     "the gang is created later: \"node\" waits for \"d\" to be Complete"},
    {"d@dataset-initializer x node@trainer<d:R", false,
     "the gang is created later: \"node\" waits for \"d\" to be Ready"},
    {"a b c<a:R<b:R", false,
     "the gang has late members, and what finished members free would stay reserved"},
    {"node*4%2@trainer", false, NULL},
    {"node*12$3@trainer", false,
     "the gang has late members, and what finished members free would stay reserved"},
    {"leader worker*7<leader:S", false,
     "the gang has late members, and what finished members free would stay reserved"},
    {"head gpu*8%4 submitter<head:R<gpu:R", false,
     "the gang has late members, and what finished members free would stay reserved"},
    {"driver&O executor*3<driver:R", false,
     "the gang is created later: \"executor\" waits for \"driver\" to be Ready"},
};

START_TEST(reserves_only_for_pods_created_at_once)
{
    struct job job = job_form(reservations[_i].roles);
    bool rendered_resources;

    job.wishes->suspended = reservations[_i].suspended;
    rendered_resources = strstr(job_manifest(&job, &volcano_backend), "minResources") != NULL;
    ck_assert_int_eq(rendered_resources, reservations[_i].reason == NULL);
    job.report.count = 0;
    job_validate(&job, &volcano_backend);
    if (reservations[_i].reason) {
        const struct gang_diagnostic *finding = job_finding(&job, GANG_CODE_MIN_RESOURCES_LEFT_OUT);

        ck_assert_int_eq(finding->severity, GANG_SEVERITY_INFO);
        ck_assert_ptr_nonnull(strstr(finding->message, reservations[_i].reason));
    } else {
        ck_assert_str_eq(job_findings(&job), "SchedulerNameSet");
    }
    job_free(&job);
}
END_TEST

START_TEST(reports_the_priority_that_is_used)
{
    struct job job = job_form_for("a!volcano^high b!volcano^low", COMPATIBILITY_KUBEFLOW_TRAINER);

    job_take_priority(&job);
    job_validate(&job, &volcano_backend);
    ck_assert_str_eq(job_finding(&job, GANG_CODE_PRIORITY_LAST_WINS)->message,
                     "the operator gives the PodGroup the last priority class named, \"low\", "
                     "which is not that of "
                     "role \"a\"");
    ck_assert_str_eq(job.report.items[0].path, "replicatedJobs[0].priorityClassName");
    job_free(&job);
}
END_TEST

START_TEST(refuses_an_empty_queue)
{
    struct job job = job_form("node!volcano");

    set_wishes(&job, &(struct wishes){"", NULL, 0});
    job_validate(&job, &volcano_backend);
    ck_assert_str_eq(job_finding(&job, GANG_CODE_EMPTY_QUEUE)->hint,
                     "name a queue, or remove the annotation");
    ck_assert_ptr_nonnull(
        strstr(job.report.items[0].message, "Volcano queue name must not be empty"));
    job_free(&job);
}
END_TEST

START_TEST(loses_the_timeout)
{
    struct job job = job_form("node!volcano");
    struct plan_content content;

    job.gang.has_timeout = true;
    job.gang.timeout_seconds = 300;
    job.gang.timeout_source = job.wishes->owner.name_source;
    job_validate(&job, &volcano_backend);
    ck_assert_str_eq(job_findings(&job), "FieldLost");
    content = job_render(&job, &volcano_backend);
    ck_assert_uint_eq(content.num_losses, 1);
    ck_slice_eq(content.losses[0].field, "scheduleTimeoutSeconds");
    ck_slice_eq(content.losses[0].value, "300");
    job_free(&job);
}
END_TEST

/* The group's name is that of an object: a subdomain of at most 253 characters. */
static const struct {
    const char *name;
    size_t length;
    bool accepted;
} named[] = {
    {"a.b-c", 5, true}, {NULL, 64, true}, {NULL, 253, true},
    {NULL, 254, false}, {"A", 1, false},  {"a_b", 3, false},
};

START_TEST(name_is_valid_for_an_object)
{
    struct job job = job_form("node!volcano");
    char letters[300];

    memset(letters, 'a', sizeof(letters));
    job.gang.name = (struct slice){named[_i].name ? named[_i].name : letters, named[_i].length};
    job_validate(&job, &volcano_backend);
    ck_assert_str_eq(job_findings(&job), named[_i].accepted ? "" : "InvalidName");
    job_free(&job);
}
END_TEST

/* ---- volcano podgang ---- */

#define PODGROUP(name, minimum)                                                                    \
    "{'name': '" name "', 'minReplicas': " minimum ", 'podReferences': []}"
#define LABELS ", 'labels': {'grove.io/scheduler-name': 'volcano', 'a': 'b'}"
#define POLICY(name, size)                                                                         \
    "{'name':'" name "','labelSelector':{'matchLabels':{'grove.io/podclique':'" name               \
    "'}},'matchLabelKeys':['grove.io/podclique'],'subGroupSize':" size ",'minSubGroups':1}"
#define MANIFEST(spec)                                                                             \
    "{'apiVersion':'scheduling.volcano.sh/"                                                        \
    "v1beta1','kind':'PodGroup','metadata':{'name':'job-0','namespace':'ml',"                      \
    "'labels':{'a':'b','grove.io/scheduler-name':'volcano'}},'spec':{" spec "}}\n"

/* ai-dynamo/grove:operator/internal/scheduler/volcano/backend_test.go@fcc3b3bb
 * TestBackend_SyncPodGang, and what it leaves open. */
static const struct {
    const char *name;
    const char *podgang;
    const char *expected;
} renderings[] = {
    {"SyncPodGang",
     PODGANG_TEXT(LABELS ", 'annotations': {'scheduling.grove.io/volcano-queue': 'gpu-training'}",
                  "'priorityClassName': 'high-priority', 'podgroups': [" PODGROUP(
                      "worker", "2") ", " PODGROUP("ps", "3") "]"),
     MANIFEST("'minMember':5,'queue':'gpu-training','priorityClassName':'high-priority','"
              "subGroupPolicy':[" POLICY("worker", "2") "," POLICY("ps", "3") "]")},
    {"SyncPodGang: no annotation",
     PODGANG_TEXT(LABELS, "'podgroups': [" PODGROUP("worker", "2") ", " PODGROUP("ps", "3") "]"),
     MANIFEST("'minMember':5,'queue':'default','subGroupPolicy':[" POLICY("worker", "2") "," POLICY(
         "ps", "3") "]")},
    {"one minimum of 0",
     PODGANG_TEXT(LABELS, "'podgroups': [" PODGROUP("worker", "0") ", " PODGROUP("ps", "3") "]"),
     MANIFEST("'minMember':3,'queue':'default','subGroupPolicy':[" POLICY("worker", "1") "," POLICY(
         "ps", "3") "]")},
    {"every minimum 0", PODGANG_TEXT(LABELS, "'podgroups': [" PODGROUP("worker", "0") "]"),
     MANIFEST("'minMember':1,'queue':'default','subGroupPolicy':[" POLICY("worker", "1") "]")},
    {"no podgroups", PODGANG_TEXT(LABELS, "'podgroups': []"),
     MANIFEST("'minMember':1,'queue':'default'")},
    {"a group of podgroups",
     PODGANG_TEXT(
         LABELS,
         "'priorityClassName': \"\", 'podgroups': [" PODGROUP(
             "a", "1") "], "
                       "'topologyConstraintGroupConfigs': [{'name': 'g', 'podGroupNames': ['a']}]"),
     MANIFEST("'minMember':1,'queue':'default','subGroupPolicy':[" POLICY("a", "1") "]")},
};

START_TEST(pod_group_of_a_podgang)
{
    struct gang_plan *plan = plan_of_grove(renderings[_i].podgang, NULL);

    check_plan_text(plan, GANG_TARGET_OBJECTS, GANG_FORMAT_JSON, renderings[_i].expected);
    gang_plan_unref(plan);
}
END_TEST

/* What has no place in it is a warning and a loss. */
START_TEST(topology_is_lost)
{
    struct gang_plan *plan = plan_of_grove(
        PODGANG_TEXT(
            LABELS,
            "'topologyConstraint': {'packConstraint': {'required': 'zone'}}, 'podgroups': "
            "[{'name': 'a', "
            "'minReplicas': 1, 'podReferences': [], 'topologyConstraint': {'packConstraint': "
            "{'preferred': "
            "'rack'}}}, {'name': 'b', 'minReplicas': 1, 'podReferences': [], 'topologyConstraint': "
            "{'packConstraint': {}}}]"),
        NULL);
    struct gang_blob *blob = blob_of(plan, GANG_TARGET_PLAN, GANG_FORMAT_JSON);
    char losses[DOCUMENT_SIZE];

    spell(losses,
          "'losses':[{'field':'topology','value':'zone','reason':'Volcano does not support "
          "topologies of node labels'},"
          "{'field':'topology','value':'rack','reason':'Volcano does not support topologies of "
          "node labels'},"
          "{'field':'topology','reason':'Volcano does not support topologies of node labels'}]");
    ck_assert_ptr_nonnull(strstr(gang_blob_get_data(blob, NULL), losses));
    gang_blob_unref(blob);
    gang_plan_unref(plan);
}
END_TEST

static bool
was_found(const struct gang_decision *decision, enum gang_code code)
{
    for (size_t i = 0; i < gang_decision_num_diagnostics(decision); i++)
        if (gang_diagnostic_get_code(gang_decision_get_diagnostic(decision, i)) == (int)code)
            return true;
    return false;
}

/* ai-dynamo/grove:operator/internal/scheduler/volcano/backend_test.go@fcc3b3bb TestBackend_Init: by
 * the release, for want of the CRD. */
static const struct {
    const char *name;
    const char *version;
    bool is_refused;
} versions[] = {
    {"Init: CRD without subGroupPolicy", "v1.13.2", true},
    {"Init: CRD with subGroupPolicy", "v1.14.0", false},
    {"a later one", "v1.15.0", false},
};

START_TEST(needs_sub_group_policy)
{
    struct grove_documents documents =
        grove_documents(PODGANG_TEXT(LABELS, "'podgroups': [" PODGROUP("a", "1") "]"), NULL);
    char text[DOCUMENT_SIZE];
    struct gang_cluster *cluster = NULL;
    struct gang_decision *decision = NULL;

    snprintf(text, sizeof(text),
             "{\"apiVersion\":\"policy.libgang.dev/"
             "v1alpha1\",\"kind\":\"GangCluster\",\"metadata\":{\"name\":\"c\"},"
             "\"spec\":{\"components\":{\"volcano\":\"%s\"}}}",
             versions[_i].version);
    ck_assert_int_eq(parse_cluster(NULL, text, strlen(text), 0, &cluster, NULL), GANG_OK);
    ck_assert_int_eq(
        resolve_podgang_with(NULL, documents.podgang, NULL, NULL, cluster, 0, &decision, NULL) < 0,
        versions[_i].is_refused);
    ck_assert_int_eq(was_found(decision, GANG_CODE_VOLCANO_WITHOUT_SUB_GROUPS),
                     versions[_i].is_refused);
    gang_decision_unref(decision);
    unref_cluster(cluster);
    grove_documents_free(&documents);
}
END_TEST

/* volcano-sh/volcano:config/crd/volcano/bases/scheduling.volcano.sh_podgroups.yaml */
static const struct {
    const char *release;
    bool has_topology;
} crds[] = {{"v1.11.2", false}, {"v1.12.0", true}};

START_TEST(a_topology_needs_its_field)
{
    struct job job = job_form("node*2@trainer");
    struct backend_call call = job_call(&job, &volcano_backend);
    struct gang_cluster *cluster = NULL;
    struct plan_content content;
    char text[DOCUMENT_SIZE];

    snprintf(text, sizeof(text),
             "{\"apiVersion\":\"policy.libgang.dev/v1alpha1\",\"kind\":\"GangCluster\","
             "\"metadata\":{\"name\":\"c\"},\"spec\":{\"components\":{\"volcano\":\"%s\"}}}",
             crds[_i].release);
    ck_assert_int_eq(parse_cluster(NULL, text, strlen(text), 0, &cluster, NULL), GANG_OK);
    call.cluster = cluster;
    job.gang.topology = (struct gang_topology){.is_set = true, .mode = SLICE("soft")};
    ck_assert(plan_content_init(&content, job.arena, &job.gang));
    backend_render(&volcano_backend, &call, &content);
    ck_assert_int_eq(node_at(content.objects[0].manifest, "spec.networkTopology") != NULL,
                     crds[_i].has_topology);
    unref_cluster(cluster);
    job_free(&job);
}
END_TEST

/* The reservation is optional: the PodGroup has the requests of the pods only on demand. */
static const struct {
    enum gang_reserve reserve;
    bool is_rendered;
} reserves[] = {{RESERVE_AUTO, false}, {RESERVE_ALWAYS, true}, {RESERVE_NEVER, false}};

START_TEST(reserves_on_demand)
{
    struct arena *arena = arena_new(0);
    struct report report;
    const struct gang_wishes wishes = {.is_grouped = true, .reserve = reserves[_i].reserve};
    struct gang gang = {.wishes = &wishes, .name = SLICE("g")};
    struct backend_call call = {.gang = &gang, .api_version = SLICE("v1")};
    struct plan_content content = {.arena = arena};
    const struct node *spec;

    resource_list_set(&gang.resources, arena, SLICE("cpu"), (struct quantity){.units = 1});
    report_init(&report, arena, &standard_limits);
    volcano_backend.validate(&call, &report);
    volcano_backend.render(&call, &content);
    spec = node_member(content.objects[0].manifest, SLICE("spec"));
    ck_assert_int_eq(node_member(spec, SLICE("minResources")) != NULL, reserves[_i].is_rendered);
    ck_assert_uint_eq(report.count, reserves[_i].is_rendered ? 0 : 1);
    arena_free(arena);
}
END_TEST

#define POLICIES                                                                                   \
    "'subGroupPolicy':[{'name':'worker','subGroupSize':2},{'name':'ps','subGroupSize':3}]"

/*
 * ai-dynamo/grove:operator/internal/scheduler/volcano/backend_test.go: a PodGroup that holds pods
 * together keeps doing so when every minReplicas becomes 0, and takes the new priority and queue.
 */
static const struct {
    struct update_row row;
    int64_t minimum;
} releases[] = {
    {{"SyncPodGang: then all minReplicas 0, priority released-priority",
      "{'minMember':1,'queue':'default','priorityClassName':'released-priority'}",
      "{'minMember':5,'queue':'gpu-training','priorityClassName':'high-priority'," POLICIES "}",
      "{'minMember':5,'queue':'default','priorityClassName':'released-priority'," POLICIES "}",
      true, 0},
     0},
    {{"policies alone", "{'minMember':1}", "{" POLICIES "}", "{" POLICIES "}", false, 0}, 0},
    {{"minMember alone", "{'minMember':1," POLICIES "}", "{'minMember':5}", "{'minMember':5}",
      false, 0},
     0},
    {{"nothing to keep", "{'minMember':1}", "{'minMember':0}", "{'minMember':1}", true, 0}, 0},
    {{"not released", "{'minMember':5," POLICIES "}", "{'minMember':4}",
      "{'minMember':5," POLICIES "}", true, 0},
     5},
    {{"no podgroups any more", "{'minMember':5}", "{'minMember':5," POLICIES "}", "{'minMember':5}",
      true, 0},
     5},
    {{"no annotation any more", "{'minMember':5,'queue':'default'}",
      "{'minMember':5,'queue':'gpu-training'}", "{'minMember':5,'queue':'default'}", true, 0},
     5},
    {{"resources that somebody else has written stay", "{'minMember':5}",
      "{'minMember':5,'minResources':{'cpu':'1'},'networkTopology':{}}",
      "{'minMember':5,'minResources':{'cpu':'1'},'networkTopology':{}}", false, 0},
     5},
};

START_TEST(keeps_constraints_of_a_released_podgang)
{
    struct update_run run = update_open(&volcano_backend, true, NULL);

    run.gang.minimum = releases[_i].minimum;
    update_check(&run, &releases[_i].row);
    update_close(&run);
}
END_TEST

void
add_tests(TCase *cases)
{
    add_rows(cases, renders_a_pod_group, rendered, roles, wishes.mode);
    add_rows(cases, renders_as_the_operator_in_compatibility, operator_rendered, roles,
             wishes.mode);
    add_rows(cases, marks_members, patched, roles, mode, patches);
    tcase_add_loop_test(cases, loses_minima_of_roles_beside_one_of_the_gang, 0, 4);
    add_rows(cases, reports_scheduler_defects, validated, roles, mode, wishes.mode);
    add_rows(cases, reserves_only_for_pods_created_at_once, reservations, roles, suspended);
    tcase_add_test(cases, reports_the_priority_that_is_used);
    tcase_add_test(cases, refuses_an_empty_queue);
    tcase_add_test(cases, loses_the_timeout);
    add_rows(cases, name_is_valid_for_an_object, named, name, length);
    add_rows(cases, keeps_constraints_of_a_released_podgang, releases, row.name, row.rendered,
             row.live);
    add_rows(cases, pod_group_of_a_podgang, renderings, name, podgang);
    tcase_add_test(cases, topology_is_lost);
    add_rows(cases, needs_sub_group_policy, versions, name, version);
    add_rows(cases, reserves_on_demand, reserves, reserve);
    add_rows(cases, a_topology_needs_its_field, crds, release);
}
