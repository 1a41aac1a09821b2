/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/jobs/job_kinds.h"

#include "unit/job_roles.h"
#include "unit/job_squeeze.h"
#include "unit/schema_order.h"

/*
 * LeaderWorkerSets. Expected values follow from kubernetes-sigs/lws@v0.9.0: pkg/controllers/
 * pod_controller.go (workers and what they wait for), pkg/webhooks/leaderworkerset_webhook.go
 * (messages), pkg/schedulerprovider/interface.go (names).
 */
#define LWS(metadata, spec)                                                                        \
    "{'apiVersion':'leaderworkerset.x-k8s.io/v1','kind':'LeaderWorkerSet',\n'metadata':{'name':"   \
    "'serve','namespace':'ml'" metadata "},\n'spec':{" spec "}}"
#define LWS_POD(amounts)                                                                           \
    "{'spec':{'containers':[{'name':'c','resources':{'requests':{" amounts "}}}]}}"
#define LWS_PODS(members)                                                                          \
    "'leaderWorkerTemplate':{" members ",'workerTemplate':" LWS_POD("'cpu':'8'") "}"
#define LWS_ALL ",'replicas':2,'startupPolicy':'LeaderCreated'"
#define LWS_SIZE(size) LWS("", LWS_PODS("'size':" size) LWS_ALL)
#define LWS_NAMED(name, size, replicas)                                                            \
    "{'apiVersion':'leaderworkerset.x-k8s.io/"                                                     \
    "v1','kind':'LeaderWorkerSet','metadata':{'name':'" name                                       \
    "','namespace':'ml'},'spec':{" LWS_PODS("'size':" size) ",'replicas':" replicas                \
                                                            ",'startupPolicy':'LeaderCreated'}}"
#define LWS_NAME_50 "abcdefghijklmnopqrstuvwxyz-abcdefghijklmnopqrstuvw"
#define LWS_EXCLUSIVE                                                                              \
    ",'annotations':{'leaderworkerset.sigs.k8s.io/exclusive-topology':'example.com/rack'}"

/* ---- roles ---- */

START_TEST(a_group_has_a_leader_and_workers)
{
    struct job_case opened;
    const struct gang_wishes *job;

    job_open_good(&opened,
                  LWS("", LWS_PODS("'size':4,'leaderTemplate':" LWS_POD("'cpu':'1'")) LWS_ALL));
    job = opened.job;
    ck_assert_uint_eq(job->num_roles, 2);
    ck_slice_eq(job->roles[0].name, "leader");
    ck_assert_int_eq(job->roles[0].count, 1);
    ck_slice_eq(job->roles[1].name, "worker");
    ck_assert_int_eq(job->roles[1].count, 3);
    ck_assert_int_eq(job->roles[1].min_count, 3);
    ck_assert_uint_eq(job->roles[1].num_dependencies, 0);
    ck_assert_ptr_ne(job->roles[0].pod_template, job->roles[1].pod_template);
    ck_assert(job->marks_pods);
    ck_assert(!job->suspended);
    job_close(&opened);
}
END_TEST

START_TEST(the_leader_can_have_the_template_of_the_workers)
{
    struct job_case opened;

    job_open_good(&opened, LWS_SIZE("2"));
    ck_assert_ptr_nonnull(opened.job->roles[0].pod_template);
    ck_assert_ptr_eq(opened.job->roles[0].pod_template, opened.job->roles[1].pod_template);
    job_close(&opened);
}
END_TEST

START_TEST(a_group_of_one_pod_has_no_workers)
{
    struct job_case opened;

    job_open_good(&opened, LWS_SIZE("1"));
    ck_assert_uint_eq(opened.job->num_roles, 1);
    job_close(&opened);
}
END_TEST

/* A document, and what the workers wait for the leader to be. */
struct lws_edge {
    const char *text;
    enum dependency_status status;
};

static const struct lws_edge lws_edges[] = {
    {LWS("", LWS_PODS("'size':3") ",'replicas':1,'startupPolicy':'LeaderReady'"), DEPENDENCY_READY},
    {LWS(LWS_EXCLUSIVE, LWS_PODS("'size':3") LWS_ALL), DEPENDENCY_SCHEDULED},
    {LWS(LWS_EXCLUSIVE, LWS_PODS("'size':3") ",'replicas':1,'startupPolicy':'LeaderReady'"),
     DEPENDENCY_READY},
};

START_TEST(workers_wait_for_the_leader)
{
    struct job_case opened;
    const struct role *worker;

    job_open_good(&opened, lws_edges[_i].text);
    worker = &opened.job->roles[1];
    ck_assert_uint_eq(worker->num_dependencies, 1);
    ck_slice_eq(worker->dependencies[0].role, "leader");
    ck_assert_int_eq(worker->dependencies[0].status, lws_edges[_i].status);
    job_close(&opened);
}
END_TEST

/* A policy for subgroups, and the unit of the workers. */
struct lws_unit_case {
    const char *text;
    int64_t unit;
};

#define LWS_SUBGROUPS(size, policy)                                                                \
    LWS("", LWS_PODS("'size':" size ",'subGroupPolicy':{" policy "}") LWS_ALL)

static const struct lws_unit_case lws_units[] = {
    {LWS_SUBGROUPS("5", "'subGroupSize':2"), 2}, /* the leader is one pod more in the first */
    {LWS_SUBGROUPS("5", "'subGroupSize':4,'subGroupPolicyType':'LeaderExcluded'"), 4},
    {LWS_SUBGROUPS("6", "'subGroupSize':3"), 1}, /* the leader and 2 workers, then 3 workers */
    {LWS_SUBGROUPS("6", "'subGroupSize':1"), 1},
};

START_TEST(subgroups_of_workers_are_units)
{
    const struct role *role;
    struct job_case opened;

    job_open_good(&opened, lws_units[_i].text);
    role = &opened.job->roles[1];
    ck_assert_int_eq(role->unit, lws_units[_i].unit);
    if (role->unit > 1)
        ck_slice_eq(role->unit_label, "leaderworkerset.sigs.k8s.io/subgroup-index");
    else
        ck_assert(!slice_is_set(role->unit_label));
    job_close(&opened);
}
END_TEST

/* ---- gangs ---- */

/* What a rollout may have, groups that the status counts, and gangs: rollingUpdateParameters. */
struct lws_surge_case {
    const char *surge;
    const char *status;
    uint64_t gangs;
    int replicas;
};

static const struct lws_surge_case lws_surges[] = {
    {"2", "'replicas':6", 6, 4},
    {"2", "'replicas':5", 5, 4},
    {"2", "'replicas':9", 6, 4},
    {"2", "'replicas':3", 4, 4},
    {"2", "", 4, 4},
    {"0", "'replicas':6", 4, 4},
    {"9", "'replicas':20", 8, 4},
    {"'26%'", "'replicas':20", 6, 4},
    {"'25%'", "'replicas':20", 5, 4},
    {"'500%'", "'replicas':9", 8, 4},
    {"'100%'", "'replicas':400", 400, 200},
    {"'x%'", "'replicas':9", 4, 4},
    {"'-9223372036854775807%'", "'replicas':9", 4, 4}, /* LWS refuses it; no product overflows */
    {"-1", "'replicas':9", 4, 4},
};

START_TEST(groups_of_a_surge_are_gangs_while_they_exist)
{
    const struct lws_surge_case *row = &lws_surges[_i];
    char text[1024];
    struct job_case opened;

    snprintf(
        text, sizeof(text),
        "{'apiVersion':'leaderworkerset.x-k8s.io/v1','kind':'LeaderWorkerSet','metadata':{"
        "'name':'serve','namespace':'ml'},'spec':{'replicas':%d,'startupPolicy':"
        "'LeaderCreated','rolloutStrategy':{'type':'RollingUpdate',"
        "'rollingUpdateConfiguration':{'maxSurge':%s}}," LWS_PODS("'size':2") "},'status':{%s}}",
        row->replicas, row->surge, row->status);
    job_open_good(&opened, text);
    ck_assert_uint_eq(gang_document_num_gangs(opened.document), row->gangs);
    job_close(&opened);
}
END_TEST

START_TEST(each_replica_is_a_gang)
{
    struct job_case opened;

    job_open_good(&opened, LWS_SIZE("2"));
    ck_assert_uint_eq(gang_document_num_gangs(opened.document), 2);
    ck_slice_eq(opened.job->name, "serve-0");
    job_close(&opened);
}
END_TEST

START_TEST(zero_replicas_are_no_gang)
{
    struct job_case opened;

    job_open_good(&opened, LWS("", LWS_PODS("'size':2") ",'replicas':0"));
    ck_assert_uint_eq(gang_document_num_gangs(opened.document), 0);
    ck_assert_str_eq(opened.job->why_no_gang, "the job has no pods");
    job_close(&opened);
}
END_TEST

/* The label has the revision of the pods, which LWS puts on them. */
START_TEST(a_revision_is_in_the_name)
{
    struct job_case opened;

    job_open_good(
        &opened, LWS(",'labels':{'leaderworkerset.sigs.k8s.io/template-revision-hash':'dd6699c7c'}",
                     LWS_PODS("'size':2") LWS_ALL));
    ck_slice_eq(opened.job->name, "serve-0-dd6699c7c");
    job_close(&opened);
}
END_TEST

/* Translates a gang of the job; returns the memory that it needs. */
static size_t
lws_bytes_of_gang(const char *text, uint64_t gang, const char *name)
{
    const struct limits *limits = context_limits(NULL);
    struct arena *arena = arena_new((size_t)limits->value[GANG_LIMIT_MEMORY_BYTES]);
    const struct gang_wishes *job;
    struct job_case opened;
    struct report report;
    size_t before, bytes;

    job_open_good(&opened, text);
    report_init(&report, arena, limits);
    before = arena->total;
    job = job_document_gang(opened.typed, gang, &report);
    bytes = arena->total - before;
    ck_assert_ptr_nonnull(job);
    ck_slice_eq(job->name, name);
    ck_assert_int_eq(job->roles[1].count, 3);
    ck_assert_uint_eq(report.count, 0); /* the first gang reported it */
    arena_free(arena);
    job_close(&opened);
    return bytes;
}

#define LWS_REPLICAS(count)                                                                        \
    LWS("", LWS_PODS("'size':4") ",'replicas':" count ",'startupPolicy':'LeaderCreated'")

START_TEST(the_memory_of_a_gang_does_not_depend_on_their_number)
{
    const size_t few = lws_bytes_of_gang(LWS_REPLICAS("2"), 1, "serve-1");
    const size_t many = lws_bytes_of_gang(LWS_REPLICAS("1000000"), 999999, "serve-999999");

    ck_assert_uint_le(many, few + 64); /* the name is longer */
}
END_TEST

/* ---- marks ---- */

/* Resolves a gang of the job for the backend. */
static struct gang_decision *
lws_decide(const struct job_case *opened, uint64_t gang, const char *backend)
{
    struct gang_inputs *inputs = gang_inputs_new();
    struct gang_decision *decision = NULL;
    struct gang_document *policy = NULL;
    char text[DOCUMENT_SIZE];

    snprintf(text, sizeof(text),
             "{\"apiVersion\":\"policy.libgang.dev/v1alpha1\",\"kind\":\"GangPolicy\","
             "\"metadata\":{\"name\":\"p\"},\"spec\":{\"defaultBackend\":\"%s\"}}",
             backend);
    ck_assert_int_eq(gang_document_parse(NULL, text, strlen(text), 0, &policy, NULL), GANG_OK);
    ck_assert_int_eq(gang_inputs_add(inputs, policy), GANG_OK);
    ck_assert_int_eq(gang_inputs_set_gang_index(inputs, gang), GANG_OK);
    ck_assert_int_eq(gang_resolve(NULL, opened->document, inputs, 0, &decision, NULL), GANG_OK);
    gang_document_unref(policy);
    gang_inputs_free(inputs);
    return decision;
}

/* A backend, and the mark of a worker in group 2. */
static const struct {
    const char *backend;
    const char *mark;
} lws_marks[] = {
    {"coscheduling", "\"scheduling.x-k8s.io/pod-group\":\"serve-2\""},
    {"volcano", "\"scheduling.k8s.io/group-name\":\"serve-2\""},
    {"kai", "\"pod-group-name\":\"serve-2.ml\""},
};

START_TEST(a_pod_has_the_mark_of_its_group)
{
    static const char pod[] = "{\"apiVersion\":\"v1\",\"kind\":\"Pod\",\"metadata\":{\"name\":"
                              "\"serve-2-1\",\"labels\":{\"policy.libgang.dev/role\":"
                              "\"worker\"}},\"spec\":{\"containers\":[{\"name\":\"c\"}]}}";
    struct gang_decision *decision;
    struct gang_blob *blob = NULL;
    struct job_case opened;

    job_open_good(&opened, LWS_REPLICAS("3"));
    decision = lws_decide(&opened, 2, lws_marks[_i].backend);
    ck_assert_int_eq(gang_decision_prepare_pod(NULL, decision, pod, strlen(pod), GANG_FORMAT_JSON,
                                               0, &blob, NULL),
                     GANG_OK);
    ck_assert_ptr_nonnull(strstr(gang_blob_get_data(blob, NULL), lws_marks[_i].mark));
    gang_blob_unref(blob);
    gang_decision_unref(decision);
    job_close(&opened);
}
END_TEST

/* ---- findings ---- */

static const struct job_verdict lws_verdicts[] = {
    {LWS_SIZE("2"), false, ""},
    /* kubernetes-sigs/lws#410: 50 characters, `-`, the group, `-`, and a hash of 10 */
    {LWS_NAMED(LWS_NAME_50, "2", "10"), false, ""},
    {LWS_NAMED(LWS_NAME_50, "2", "11"), false, "RoleNeverCreated metadata.name"},
    {LWS_NAMED(LWS_NAME_50 "xy", "1", "11"), false, ""},
    {LWS_NAMED(LWS_NAME_50 "xyz", "1", "11"), false, "RoleNeverCreated metadata.name"},
    {LWS_NAMED(LWS_NAME_50 "xyz", "1", "0"), false, ""},
    {LWS("", LWS_PODS("'restartPolicy':'None'")), false,
     "DefaultApplied spec.replicas, DefaultApplied spec.leaderWorkerTemplate.size, DefaultApplied "
     "spec.startupPolicy"},
    /* pkg/webhooks/leaderworkerset_webhook.go Default@v0.9.0 fills these */
    {LWS("", LWS_PODS("'size':2,'restartPolicy':''") LWS_ALL
         ",'rolloutStrategy':{'type':''},'networkConfig':{'subdomainPolicy':null}"),
     false, ""},
    {LWS("", LWS_PODS("'size':2") LWS_ALL ",'networkConfig':{'subdomainPolicy':''}"), true,
     "UnsupportedValue spec.networkConfig.subdomainPolicy"},
    {LWS("", LWS_PODS("'size':2") ",'replicas':1,'startupPolicy':''"), true,
     "UnsupportedValue spec.startupPolicy"},
    {LWS("", LWS_PODS("'size':2") LWS_ALL ",'scheduling':{}"), false, "LwsOwnGang spec.scheduling"},
    {LWS(",'annotations':{'scheduling.volcano.sh/queue-name':'q'}", LWS_PODS("'size':2") LWS_ALL),
     false, "LwsProviderOn metadata.annotations[scheduling.volcano.sh/queue-name]"},
    {LWS(",'annotations':{'volcano.sh/x':'y'}", LWS_PODS("'size':2") LWS_ALL), false,
     "LwsProviderOn metadata.annotations[volcano.sh/x]"},
    {LWS(",'annotations':{'volcano.sh.example/x':'y'}", LWS_PODS("'size':2") LWS_ALL), false, ""},
    {LWS("", "'leaderWorkerTemplate':{'size':2,'workerTemplate':{'spec':{'schedulerName':'volcano',"
             "'containers':[{'name':'c'}]}}}" LWS_ALL),
     false, "LwsProviderOn spec.leaderWorkerTemplate.workerTemplate.spec.schedulerName"},
    {LWS("", "'leaderWorkerTemplate':{'size':2,'leaderTemplate':{'spec':{'schedulerName':'volcano',"
             "'containers':[{'name':'c'}]}},'workerTemplate':{'spec':{'containers':[{'name':'c'}]}}"
             "}" LWS_ALL),
     false, "LwsProviderOn spec.leaderWorkerTemplate.leaderTemplate.spec.schedulerName"},
    {LWS("", LWS_PODS("'sizes':2") ",'replicas':1,'startupPolicy':'LeaderCreated'"), false,
     "UnknownField spec.leaderWorkerTemplate.sizes, DefaultApplied "
     "spec.leaderWorkerTemplate.size"},
    {LWS("",
         "'leaderWorkerTemplate':{'size':2,'workerTemplate':{'spec':{'container':[]}}}" LWS_ALL),
     true,
     "RequiredField spec.leaderWorkerTemplate.workerTemplate.spec.containers, UnknownField "
     "spec.leaderWorkerTemplate.workerTemplate.spec.container"},
    /* config/crd/bases/leaderworkerset.x-k8s.io_leaderworkersets.yaml@v0.8.0, @v0.9.0: no such
       field */
    {LWS("", "'leaderWorkerTemplate':{'size':2,'workerTemplate':{'spec':{'workloadRef':null,"
             "'containers':[{'name':'c'}]}}}" LWS_ALL),
     false, "UnknownField spec.leaderWorkerTemplate.workerTemplate.spec.workloadRef"},
    /* pkg/webhooks/leaderworkerset_webhook.go */
    {LWS("", LWS_PODS("'size':2") ",'replicas':-1,'startupPolicy':'LeaderCreated'"), true,
     "RefusedByOperator spec.replicas"},
    {LWS("", "'replicas':3"), true, "RequiredField spec.leaderWorkerTemplate"},
    {LWS_SIZE("0"), true, "RefusedByOperator spec.leaderWorkerTemplate.size"},
    {LWS_SUBGROUPS("0", "'subGroupSize':1"), true,
     "RefusedByOperator spec.leaderWorkerTemplate.size"},
    {LWS("", LWS_PODS("'size':4194304") ",'replicas':512,'startupPolicy':'LeaderCreated'"), true,
     "RefusedByOperator spec.replicas"},
    {LWS("", LWS_PODS("'size':4194304") ",'replicas':511,'startupPolicy':'LeaderCreated'"), false,
     ""},
    {LWS("", LWS_PODS("'size':1") ",'replicas':2147483647,'startupPolicy':'LeaderCreated'"), false,
     ""},
    {"{'apiVersion':'leaderworkerset.x-k8s.io/v1','kind':'LeaderWorkerSet','metadata':{'name':"
     "'1serve'},\n'spec':{" LWS_PODS("'size':2") LWS_ALL "}}",
     true, "RefusedByOperator metadata.name"},
    {LWS_SUBGROUPS("4", "'subGroupSize':0"), true,
     "RefusedByOperator spec.leaderWorkerTemplate.subGroupPolicy.subGroupSize"},
    {LWS_SUBGROUPS("4", ""), true, "RefusedByOperator spec.leaderWorkerTemplate.subGroupPolicy"},
    {LWS_SUBGROUPS("3", "'subGroupSize':4"), true,
     "RefusedByOperator spec.leaderWorkerTemplate.subGroupPolicy.subGroupSize"},
    {LWS_SUBGROUPS("6", "'subGroupSize':3"), false,
     "SubgroupsOfTwoRoles spec.leaderWorkerTemplate.subGroupPolicy.subGroupSize"},
    {LWS_SUBGROUPS("4", "'subGroupSize':2"), false,
     "SubgroupsOfTwoRoles spec.leaderWorkerTemplate.subGroupPolicy.subGroupSize"},
    {LWS_SUBGROUPS("1", "'subGroupSize':2"), true,
     "RefusedByOperator spec.leaderWorkerTemplate.subGroupPolicy.subGroupSize"},
    {LWS_SUBGROUPS("6", "'subGroupSize':6"), false, ""},
    {LWS_SUBGROUPS("6", "'subGroupSize':5"), false, ""},
    {LWS_SUBGROUPS("6", "'subGroupSize':4"), true,
     "RefusedByOperator spec.leaderWorkerTemplate.subGroupPolicy.subGroupSize"},
    {LWS_SUBGROUPS("6", "'subGroupSize':3,'subGroupPolicyType':'LeaderExcluded'"), true,
     "RefusedByOperator spec.leaderWorkerTemplate.subGroupPolicy.subGroupSize"},
    {LWS(",'annotations':{'leaderworkerset.sigs.k8s.io/subgroup-exclusive-topology':'a'}",
         LWS_PODS("'size':2") LWS_ALL),
     true,
     "RefusedByOperator "
     "metadata.annotations[leaderworkerset.sigs.k8s.io/subgroup-exclusive-topology]"},
    {LWS(",'annotations':{'leaderworkerset.sigs.k8s.io/subgroup-exclusive-topology':'a'}",
         LWS_PODS("'size':5,'subGroupPolicy':{'subGroupSize':2}") LWS_ALL),
     false, ""},
};

START_TEST(findings_about_a_leaderworkerset)
{
    job_check_verdict(&lws_verdicts[_i]);
}
END_TEST

START_TEST(lws_makes_the_gang_itself)
{
    struct arena *arena = arena_new(0);
    struct job_case opened;
    struct report report;

    job_open_good(&opened, LWS("", LWS_PODS("'size':2") LWS_ALL ",'scheduling':{}"));
    ck_assert_str_eq(opened.job->why_no_gang, "LWS makes the gang of each group");
    report_init(&report, arena, context_limits(NULL));
    ck_assert_str_eq(job_document_gang(opened.typed, 1, &report)->why_no_gang,
                     "LWS makes the gang of each group");
    ck_assert_uint_eq(report.count, 0); /* the first gang reported it */
    arena_free(arena);
    job_close(&opened);
}
END_TEST

START_TEST(memory_can_run_out_at_every_allocation)
{
    job_squeeze(LWS(LWS_EXCLUSIVE, LWS_PODS("'size':4") ",'replicas':3"));
}
END_TEST

/* ---- DisaggregatedSet ---- */

/*
 * Expected values follow from pkg/controllers/disaggregatedset/lws_manager.go@v0.9.0 (a
 * LeaderWorkerSet of each role) and api/disaggregatedset/v1/disaggregatedset_types.go@v0.10.0
 * (slices, and the rule for replicas). One group of each role must start: the review of
 * kubernetes-sigs/lws#844.
 */
#define DS(spec)                                                                                   \
    "{'apiVersion':'disaggregatedset.x-k8s.io/v1','kind':'DisaggregatedSet',\n'metadata':{'name':" \
    "'chat','namespace':'ml'},\n'spec':{" spec "}}"
#define DS_ROLE(name, replicas, size, members, more)                                               \
    "{'name':'" name "','spec':{'replicas':" replicas                                              \
    ",'startupPolicy':'LeaderCreated'," LWS_PODS("'size':" size members) "}" more "}"
#define DS_DECODE DS_ROLE("decode", "2", "1", "", "")
#define DS_OF(role) DS("'slices':1,'roles':[" role "," DS_DECODE "]")
#define DS_ONE(name) DS_ROLE(name, "1", "1", "", "")
#define DS_NINE                                                                                    \
    DS_ONE("a")                                                                                    \
    "," DS_ONE("b") "," DS_ONE("c") "," DS_ONE("d") "," DS_ONE("e") "," DS_ONE("f") "," DS_ONE(    \
        "g") "," DS_ONE("h") "," DS_ONE("i")
#define DS_BY " by leaderworkerset.sigs.k8s.io/group-index"
#define DS_LEADER ",'leaderTemplate':" LWS_POD("'cpu':'1'")

static const struct job_reading ds_readings[] = {
    {DS_OF(DS_ROLE("prefill", "3", "2", "", "")), "prefill 6 min 2 unit 2" DS_BY ", decode 2 min 1",
     "", NULL},
    {DS_OF(DS_ROLE("prefill", "3", "4", DS_LEADER, "")),
     "prefill-leader 3 min 1, prefill-worker 9 min 3 unit 3" DS_BY ", decode 2 min 1", "", NULL},
    {DS("'roles':[" DS_ROLE("prefill", "1", "2", "", "") "," DS_DECODE "]"),
     "prefill 2 unit 2" DS_BY ", decode 2 min 1", "", NULL},
    {DS("'slices':2,'roles':[" DS_ROLE("prefill", "1", "1", "", "") "," DS_DECODE "]"),
     "prefill 1, decode 2 min 1; chat-1: prefill 1, decode 2 min 1", "", NULL},
    /* workers that come when the leader has a node */
    {DS_OF(DS_ROLE("prefill", "2", "3", "",
                   ",'metadata':{'annotations':{'leaderworkerset.sigs.k8s.io/exclusive-topology':"
                   "'example.com/rack'}}")),
     "prefill-leader 2 min 1, prefill-worker 4 min 2 unit 2" DS_BY
     " after prefill-leader Scheduled, decode 2 min 1",
     "", NULL},
    {DS_OF(DS_ROLE("prefill", "7", "2", "", ",'scaling':{'mode':'External'}")),
     "prefill 2 unit 2" DS_BY ", decode 2 min 1", "PartElsewhere spec.roles[0].scaling.mode", NULL},
    {DS("'slices':1,'roles':[" DS_ROLE("a", "0", "2", "", "") "," DS_ROLE("b", "0", "2", "",
                                                                          "") "]"),
     "a 0 unit 2" DS_BY ", b 0 unit 2" DS_BY, "", "the job has no pods"},
    {DS_OF("{'name':'prefill','spec':{'replicas':1,'startupPolicy':'LeaderCreated',"
           "'scheduling':{}," LWS_PODS("'size':1") "}}"),
     "prefill 1, decode 2 min 1", "LwsOwnGang spec.roles[0].spec.scheduling",
     "LWS makes the gang of each group"},
};

START_TEST(one_group_of_each_role_must_start)
{
    struct job_case opened;

    job_check_reading(&ds_readings[_i]);
    job_open_good(&opened, ds_readings[_i].text);
    ck_slice_eq(opened.job->name, "chat-0");
    ck_assert(opened.job->marks_pods);
    job_close(&opened);
}
END_TEST

static const struct job_verdict ds_refusals[] = {
    {DS_OF(DS_ROLE("prefill", "0", "2", "", "")), true, "RefusedByOperator spec.roles"},
    {DS_OF(DS_ROLE("prefill", "-1", "2", "", "")), true,
     "RefusedByOperator spec.roles, RefusedByOperator spec.roles[0].spec.replicas, "
     "ValueOutOfRange "
     "spec.roles[0].spec.leaderWorkerTemplate"},
    {DS_OF(DS_ROLE("prefill", "1", "0", "", "")), true,
     "RefusedByOperator spec.roles[0].spec.leaderWorkerTemplate.size"},
    {DS("'slices':100,'roles':[" DS_ONE("a") "," DS_DECODE "]"), false, ""},
    {DS("'slices':101,'roles':[" DS_ONE("a") "," DS_DECODE "]"), true,
     "ValueOutOfRange spec.slices"},
    {DS("'slices':0,'roles':[" DS_ONE("a") "," DS_DECODE "]"), true, "ValueOutOfRange spec.slices"},
    {DS("'slices':1,'roles':[" DS_DECODE "]"), true, "TooFewItems spec.roles"},
    {DS_OF(DS_NINE), false, ""},
    {DS_OF(DS_NINE "," DS_ONE("j")), true, "TooManyItems spec.roles"},
    {DS("'slices':1,'roles':[{'name':'a'}," DS_DECODE "]"), true,
     "RequiredField spec.roles[0].spec"},
};

START_TEST(refuses_a_set_as_its_operator_does)
{
    job_check_verdict(&ds_refusals[_i]);
}
END_TEST

START_TEST(memory_can_run_out_in_a_set)
{
    job_squeeze(DS_OF(DS_ROLE("prefill", "2", "3", DS_LEADER, "")));
}
END_TEST

/* A part of another job, which has the gang. */
START_TEST(a_part_of_a_set_has_no_gang)
{
    struct job_case opened;

    job_open_good(&opened,
                  LWS(",'ownerReferences':[{'apiVersion':'disaggregatedset.x-k8s.io/v1','kind':"
                      "'DisaggregatedSet','name':'chat','uid':'u-1','controller':true}]",
                      LWS_PODS("'size':2") LWS_ALL));
    ck_assert_str_eq(opened.job->why_no_gang, "it is a part of another job, which has the gang");
    job_close(&opened);
}
END_TEST

START_TEST(lws_fields_are_sorted)
{
    check_schema_order(lws_job_kind.schema);
    check_schema_order(disaggregated_set_job_kind.schema);
}
END_TEST

void
add_tests(TCase *cases)
{
    tcase_add_test(cases, a_group_has_a_leader_and_workers);
    tcase_add_test(cases, the_leader_can_have_the_template_of_the_workers);
    tcase_add_test(cases, a_group_of_one_pod_has_no_workers);
    add_rows(cases, workers_wait_for_the_leader, lws_edges, text);
    add_rows(cases, subgroups_of_workers_are_units, lws_units, text);
    tcase_add_loop_test(cases, groups_of_a_surge_are_gangs_while_they_exist, 0,
                        COUNT_OF(lws_surges));
    tcase_add_test(cases, each_replica_is_a_gang);
    tcase_add_test(cases, zero_replicas_are_no_gang);
    tcase_add_test(cases, a_revision_is_in_the_name);
    tcase_add_test(cases, the_memory_of_a_gang_does_not_depend_on_their_number);
    add_rows(cases, a_pod_has_the_mark_of_its_group, lws_marks, backend);
    add_rows(cases, findings_about_a_leaderworkerset, lws_verdicts, text);
    tcase_add_test(cases, lws_makes_the_gang_itself);
    tcase_add_test(cases, memory_can_run_out_at_every_allocation);
    add_rows(cases, one_group_of_each_role_must_start, ds_readings, text);
    add_rows(cases, refuses_a_set_as_its_operator_does, ds_refusals, text);
    tcase_add_test(cases, memory_can_run_out_in_a_set);
    tcase_add_test(cases, a_part_of_a_set_has_no_gang);
    tcase_add_test(cases, lws_fields_are_sorted);
}
