/* SPDX-License-Identifier: Apache-2.0 */
#include "unit/job.h"
#include "unit/reconciliations.h"
#include "unit/scheduler_rules.h"

/*
 * One test for each rule of what real schedulers (YuniKorn k8shim v1.8.0) were seen to do. Expected
 * texts are those that were run there.
 */

#define CHOSEN "'defaultBackend':'yunikorn'"
#define OPTIONS(options)                                                                           \
    "'backends':[{'name':'yunikorn','type':'YuniKorn','yunikorn':{" options "}}]," CHOSEN
#define HOUR "'placeholderTimeoutSeconds':3600"
#define ID "yunikorn.apache.org/app-id="
#define QUEUE "yunikorn.apache.org/queue="
#define PARAMETERS "yunikorn.apache.org/schedulingPolicyParameters="
#define GROUP "yunikorn.apache.org/task-group-name="
#define GROUPS "yunikorn.apache.org/task-groups="
#define NAMED "schedulerName=yunikorn\n"
#define SOFT_HOUR PARAMETERS "placeholderTimeoutInSeconds=3600 gangSchedulingStyle=Soft\n"
#define MIN_RESOURCE "'minResource':{'cpu':'4','memory':'32Gi','nvidia.com/gpu':'8'}"
#define NODE_GROUP "{'name':'node','minMember':4," MIN_RESOURCE "}"

static const struct scheduler_case usual = {
    .roles = RULE_NODE, .policy = OPTIONS(HOUR), .cluster = NULL, .run = 0};

static struct scheduler_case
with_roles(const char *roles)
{
    struct scheduler_case row = usual;

    row.roles = roles;
    return row;
}

static struct scheduler_case
with_policy(const char *policy)
{
    struct scheduler_case row = usual;

    row.policy = policy;
    return row;
}

static struct scheduler_case
with_job(const char *job)
{
    struct scheduler_case row = usual;

    row.job = job;
    return row;
}

static struct scheduler_case
with_cluster(const char *cluster)
{
    struct scheduler_case row = usual;

    row.job = ",'namespace':'team-a','labels':{'yunikorn.apache.org/queue':'root.research'}";
    row.cluster = cluster;
    return row;
}

static const char staged_roles[] =
    RULE_INITIALIZER "," RULE_ROLE("node", RULE_TRAINER, RULE_AFTER("data", "Complete"), "", "", "",
                                   RULE_GPUS) "," RULE_LAUNCHER("");

START_TEST(y01_every_role_has_the_scheduler)
{
    struct scheduler_play play = scheduler_play(with_roles(staged_roles));

    ck_assert_str_eq(scheduler_mark(&play, "data", "schedulerName"), "yunikorn");
    ck_assert_str_eq(scheduler_mark(&play, "node", "schedulerName"), "yunikorn");
    ck_assert_str_eq(scheduler_mark(&play, "launcher", "schedulerName"), "yunikorn");
    scheduler_end(&play);
    scheduler_expect(with_roles(RULE_NODE_WITH("", RULE_SCHEDULER("other"))),
                     "error SchedulerMismatch", true);
    scheduler_expect(with_policy("'backends':[{'name':'yk','type':'YuniKorn','schedulerName':'y'}],"
                                 "'defaultBackend':'yk'"),
                     "error YunikornSchedulerName", true);
}
END_TEST

START_TEST(y02_there_is_no_object)
{
    struct scheduler_case row = usual;
    struct scheduler_play play;

    for (int suspended = 0; suspended < 2; suspended++) {
        row.is_suspended = suspended;
        play = scheduler_play(row);
        ck_assert_uint_eq(gang_plan_num_objects(play.plan), 0);
        ck_assert_int_eq(gang_decision_get_outcome(play.decision), GANG_OUTCOME_GANG);
        scheduler_end(&play);
    }
}
END_TEST

/* The hash of "team-a/bert/0" is published with the golden examples. */
static const struct {
    const char *job;
    int64_t run;
    const char *app_id;
} app_ids[] = {
    {",'namespace':'team-a'", 0, "team-a-bert-23ec80b3"},
    {",'namespace':'team-a'", -1, "team-a-bert-23ec80b3"},
    /* the next run and the next job of the same name are other applications */
    {",'namespace':'team-a'", 1, "team-a-bert-22ec7f20"},
    {",'namespace':'team-a','uid':'u-1'", 0, "team-a-bert-0f5a8751"},
    /* other namespaces make another id, even if namespace and name together are the same text */
    {",'namespace':'team-b'", 0, "team-b-bert-9ccbf9dc"},
    {"", 0, "default-bert-9f3b136b"},
    /* cut to 52 characters before the hash */
    {",'namespace':'nnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnn'", 0,
     "nnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnn-d3224246"},
    {",'namespace':'nnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnn'", 0,
     "nnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnn-fd7ef176"},
};

START_TEST(y03_the_application_id_is_unique_and_a_dns_label)
{
    struct scheduler_case row = usual;
    struct scheduler_play play;
    const char *app_id;

    row.job = app_ids[_i].job;
    row.run = app_ids[_i].run;
    play = scheduler_play(row);
    app_id = scheduler_mark(&play, "node", "yunikorn.apache.org/app-id");
    ck_assert_str_eq(app_id, app_ids[_i].app_id);
    ck_assert_uint_le(strlen(app_id), 61);
    ck_assert_uint_eq(strspn(app_id, "abcdefghijklmnopqrstuvwxyz0123456789-"), strlen(app_id));
    scheduler_end(&play);
}
END_TEST

START_TEST(y03_a_missing_namespace_is_reported)
{
    scheduler_expect(with_job(""), "warning AppIdWithoutNamespace", true);
    scheduler_expect(usual, "warning AppIdWithoutNamespace", false);
}
END_TEST

START_TEST(y04_the_run_number_matters)
{
    struct scheduler_case row = usual;

    scheduler_expect(row, "info RunUnknown", false);
    row.was_resumed = true;
    scheduler_expect(row, "warning RunUnknownAfterResume", false);
    row.run = -1;
    scheduler_expect(row, "warning RunUnknownAfterResume", true);
    scheduler_expect(row, "info RunUnknown", false);
    row.was_resumed = false;
    scheduler_expect(row, "info RunUnknown", true);
}
END_TEST

/* What follows the list of the roles in the spec of the JobSet. */
static const struct {
    const char *spec;
    bool is_told;
} restarts[] = {
    {"", false},
    {"],'failurePolicy':{'maxRestarts':0},'volumeClaimPolicies':[", false},
    {"],'failurePolicy':{'maxRestarts':2},'volumeClaimPolicies':[", true},
};

START_TEST(y04_a_restart_by_the_jobset_is_told)
{
    char roles[DOCUMENT_SIZE];

    snprintf(roles, sizeof(roles), "%s%s", RULE_NODE, restarts[_i].spec);
    scheduler_expect(with_roles(roles), "info RestartIsNoGang", restarts[_i].is_told);
}
END_TEST

START_TEST(y05_members_have_the_same_task_groups)
{
    struct scheduler_play play = scheduler_play(with_roles(
        RULE_NODE "," RULE_ROLE("helper", RULE_TRAINER, "", "", "", "", "'requests':{'cpu':'1'}")));
    char groups[1024];

    snprintf(groups, sizeof(groups), "%s",
             scheduler_mark(&play, "node", "yunikorn.apache.org/task-groups"));
    ck_assert_str_eq(scheduler_mark(&play, "helper", "yunikorn.apache.org/task-groups"), groups);
    scheduler_marks_are(&play, "node",
                        ID "team-a-bert-23ec80b3\n" SOFT_HOUR GROUP "node\n" GROUPS "[" NODE_GROUP
                           ",{'name':'helper','minMember':4,'minResource':{'cpu':"
                           "'1'}}]\n" NAMED);
    scheduler_marks_are(&play, "helper",
                        ID "team-a-bert-23ec80b3\n" SOFT_HOUR GROUP "helper\n" GROUPS "[" NODE_GROUP
                           ",{'name':'helper','minMember':4,'minResource':{'cpu':"
                           "'1'}}]\n" NAMED);
    scheduler_end(&play);
}
END_TEST

/* At most 20 characters, without '.' and '_'. Names of roles that differ stay different. */
static const struct {
    const char *role;
    const char *group;
} group_names[] = {
    {"node", "node"},
    {"abcdefghij0123456789", "abcdefghij0123456789"},
    {"abcdefghij0123456789k", "abcdefghij0-13852c62"},
    {"abcdefghij0123456789l", "abcdefghij0-0e852483"},
    {"Node", "node-3468032d"},
    {"no_de", "no-de-25864a2c"},
    {"no.de", "no-de-33e20197"},
};

START_TEST(y06_every_member_has_a_group_of_a_plain_name)
{
    char wanted[256];
    struct job job;
    const char *patches;

    snprintf(wanted, sizeof(wanted), "%s@trainer", group_names[_i].role);
    job = job_form(wanted);
    patches = job_patches(&job, &yunikorn_backend);
    snprintf(wanted, sizeof(wanted), "task-group-name=%s;", group_names[_i].group);
    ck_assert_msg(strstr(patches, wanted) != NULL, "%s is not in %s", wanted, patches);
    snprintf(wanted, sizeof(wanted), "{\"name\":\"%s\",", group_names[_i].group);
    ck_assert_msg(strstr(patches, wanted) != NULL, "%s is not in %s", wanted, patches);
    job_free(&job);
}
END_TEST

/* A group of the role with another minimum than its count, as of a job that is elastic. */
static struct job
elastic_job(const char *text, int64_t minimum)
{
    struct job job = job_make(text);

    job.wishes->groups = arena_array(job.arena, 1, sizeof(*job.wishes->groups));
    job.wishes->groups[0] =
        (struct gang_group){.name = SLICE("g"), .minimum = minimum, .parent = GROUP_OF_GANG};
    job.wishes->num_groups = 1;
    job_form_again(&job);
    return job;
}

START_TEST(y07_the_minimum_of_a_group_is_its_count_or_less)
{
    struct job job = elastic_job("node*5@trainer!yunikorn+cpu=1", 3);

    ck_assert_ptr_nonnull(strstr(job_patches(&job, &yunikorn_backend), "\"minMember\":3,"));
    job_validate(&job, &yunikorn_backend);
    ck_assert(!report_has_errors(&job.report));
    job_free(&job);
    job = elastic_job("node*5@trainer!yunikorn+cpu=1", 6);
    job_validate(&job, &yunikorn_backend);
    job_finding(&job, GANG_CODE_MINIMUM_ABOVE_COUNT);
    ck_assert(report_has_errors(&job.report));
    job_free(&job);
    job = job_form("head+cpu=1 gpu*8%4$2|2+cpu=8");
    ck_assert_ptr_nonnull(
        strstr(job_patches(&job, &yunikorn_backend), "{\"name\":\"gpu\",\"minMember\":2,"));
    job_free(&job);
    job = job_form("node*4@trainer+cpu=1 none*0@trainer+cpu=1");
    ck_assert_ptr_null(strstr(job_patches(&job, &yunikorn_backend), "\"none\""));
    job_free(&job);
}
END_TEST

/* Each task group has its minimum, whatever the documents say about the whole gang. */
START_TEST(y07_a_minimum_of_the_gang_is_lost)
{
    struct job job = job_make("head+cpu=1 gpu*8%4|2+cpu=8");
    struct backend_call call;

    job.wishes->minimum = 3;
    job.wishes->minimum_source = job.wishes->owner.name_source;
    job_form_again(&job);
    call = job_call(&job, &yunikorn_backend);
    ck_assert_int_eq(yunikorn_backend.count_minimum(&call), 5);
    job_validate(&job, &yunikorn_backend);
    ck_assert_str_eq(job_finding(&job, GANG_CODE_ELASTIC_LOST)->message,
                     "minimum 3 is lost: each role has a minimum of its own: 5 pods must start");
    job_free(&job);
}
END_TEST

/* Requests, limits and init containers of a pod, and what a placeholder must have. */
static const struct {
    const char *resources;
    const char *pod;
    const char *group;
} min_resources[] = {
    {RULE_GPUS, "", MIN_RESOURCE},
    {"'limits':{'nvidia.com/gpu':8}", "", "'minResource':{'nvidia.com/gpu':'8'}"},
    {"'requests':{'cpu':'500m'}",
     "'initContainers':[{'name':'x','image':'i','resources':{'requests':{'cpu':'3'}}}],",
     "'minResource':{'cpu':'3'}"},
    {"'requests':{'cpu':'1'}",
     "'initContainers':[{'name':'x','image':'i','restartPolicy':'Always','resources':{'requests':"
     "{'cpu':'2'}}}],'overhead':{'cpu':'250m'},",
     "'minResource':{'cpu':'3250m'}"},
    {"", "", "'minResource':{}"},
};

START_TEST(y08_a_placeholder_is_as_large_as_its_pod)
{
    static const char format[] = RULE_ROLE("node", RULE_TRAINER, "", "", "", "%s", "%s");
    char roles[DOCUMENT_SIZE];
    char expected[512];
    char spelled[DOCUMENT_SIZE];
    struct scheduler_play play;

    snprintf(roles, sizeof(roles), format, min_resources[_i].pod, min_resources[_i].resources);
    play = scheduler_play(with_roles(roles));
    snprintf(expected, sizeof(expected), "[{'name':'node','minMember':4,%s}]",
             min_resources[_i].group);
    ck_assert_str_eq(scheduler_mark(&play, "node", "yunikorn.apache.org/task-groups"),
                     spell(spelled, expected));
    scheduler_end(&play);
}
END_TEST

/* The policy cannot make placeholders smaller, and `pods` and negative amounts are refused. */
START_TEST(y08_a_placeholder_is_never_smaller)
{
    struct scheduler_case row =
        with_policy(OPTIONS(HOUR) ",'defaults':{'resources':'RequestsOnly'}");
    struct scheduler_play play = scheduler_play(row);
    struct job job = job_form("node*2@trainer+cpu=1+pods=1");
    char spelled[DOCUMENT_SIZE];

    ck_assert_ptr_nonnull(strstr(scheduler_mark(&play, "node", "yunikorn.apache.org/task-groups"),
                                 spell(spelled, MIN_RESOURCE)));
    ck_assert(scheduler_finds(&play, "warning FieldLost"));
    scheduler_end(&play);
    ck_assert_ptr_nonnull(
        strstr(job_patches(&job, &yunikorn_backend), "\"minResource\":{\"cpu\":\"1\"}"));
    job_free(&job);
    scheduler_expect(
        with_roles(RULE_ROLE("node", RULE_TRAINER, "", "", "", "", "'requests':{'cpu':'-1'}")),
        "error QuantityNegative", true);
}
END_TEST

#define SELECTOR "'nodeSelector':{'pool':'a'}"
#define TOLERATIONS "'tolerations':[{'key':'nvidia.com/gpu','operator':'Exists'}]"
#define AFFINITY "'affinity':{'podAffinity':{}}"
#define SPREAD                                                                                     \
    "'topologySpreadConstraints':[{'maxSkew':1,'topologyKey':'zone',"                              \
    "'whenUnsatisfiable':'DoNotSchedule'}]"

START_TEST(y09_a_placeholder_fits_where_its_pod_fits)
{
    struct scheduler_play play = scheduler_play(
        with_roles(RULE_NODE_WITH("", SPREAD "," AFFINITY "," TOLERATIONS "," SELECTOR ",")));
    char spelled[DOCUMENT_SIZE];

    ck_assert_str_eq(scheduler_mark(&play, "node", "yunikorn.apache.org/task-groups"),
                     spell(spelled, "[{'name':'node','minMember':4," MIN_RESOURCE "," SELECTOR
                                    "," TOLERATIONS "," AFFINITY "," SPREAD "}]"));
    scheduler_end(&play);
}
END_TEST

/*
 * Labels that a template gets after its marks: generateSelector in
 * kubernetes/kubernetes:pkg/registry/batch/job/strategy.go@v1.36.3, getPodSetsInfoFromStatus in
 * kubernetes-sigs/kueue:pkg/controller/jobframework/reconciler.go@v0.19.2, and newPlaceholder in
 * apache/yunikorn-k8shim:pkg/cache/placeholder.go@v1.8.0.
 */
static const char *const later_labels[] = {
    "yunikorn.apache.org/app-id",
    "yunikorn.apache.org/queue",
    "controller-uid",
    "job-name",
    "batch.kubernetes.io/controller-uid",
    "batch.kubernetes.io/job-name",
    "kueue.x-k8s.io/cluster-queue-name",
    "kueue.x-k8s.io/local-queue-name",
    "kueue.x-k8s.io/podset",
    "policy.libgang.dev/mark",
};

START_TEST(y09_labels_that_come_later_are_left_out)
{
    struct job job = job_form("node*2@trainer+cpu=1");
    struct builder metadata = build_map(job.arena);
    struct builder labels = build_map_member(&metadata, SLICE("labels"));

    build_string(&labels, SLICE("tier"), SLICE("a"));
    build_string(&labels, slice_from_text(later_labels[_i]), SLICE("b"));
    job.wishes->roles[0].pod_metadata = metadata.node;
    ck_assert_ptr_nonnull(
        strstr(job_patches(&job, &yunikorn_backend), "\"labels\":{\"tier\":\"a\"}}]"));
    job_free(&job);
}
END_TEST

#define WITH_QUEUE ",'queue':{'name':'root.research'}"
#define QUEUED "'queue':{'name':'root.research'}"

START_TEST(y10_roles_before_the_gang_are_another_application)
{
    struct scheduler_case row = with_roles(staged_roles);
    struct scheduler_play play;

    row.policy = OPTIONS(HOUR) ",'defaults':{" QUEUED "}";
    play = scheduler_play(row);
    scheduler_marks_are(&play, "data", ID "team-a-bert-23ec80b3-o\n" QUEUE "root.research\n" NAMED);
    scheduler_end(&play);
}
END_TEST

static const char *const not_reserved[] = {"Auto", "Never"};

START_TEST(y11_a_late_role_joins_without_a_group)
{
    struct scheduler_case row = with_roles(staged_roles);
    struct scheduler_play play;
    char policy[512];

    snprintf(policy, sizeof(policy), "%s,'defaults':{" QUEUED ",'reserve':'%s'}", OPTIONS(HOUR),
             not_reserved[_i]);
    row.policy = policy;
    play = scheduler_play(row);
    scheduler_marks_are(&play, "launcher",
                        ID "team-a-bert-23ec80b3\n" QUEUE "root.research\n" NAMED);
    scheduler_marks_are(&play, "node",
                        ID "team-a-bert-23ec80b3\n" QUEUE "root.research\n" SOFT_HOUR GROUP
                           "node\n" GROUPS "[" NODE_GROUP "]\n" NAMED);
    ck_assert(!scheduler_finds(&play, "warning LateRoomIsHeld"));
    scheduler_end(&play);
}
END_TEST

START_TEST(y12_reserve_always_gives_a_late_role_a_group)
{
    struct scheduler_case row = with_roles(staged_roles);
    struct scheduler_play play;

    row.policy = OPTIONS(HOUR) ",'defaults':{'reserve':'Always'}";
    play = scheduler_play(row);
    scheduler_marks_are(&play, "launcher", ID "team-a-bert-23ec80b3\n" GROUP "launcher\n" NAMED);
    scheduler_marks_are(&play, "node",
                        ID "team-a-bert-23ec80b3\n" SOFT_HOUR GROUP "node\n" GROUPS "[" NODE_GROUP
                           ",{'name':'launcher','minMember':1,'minResource':{"
                           "'cpu':'1'}}]\n" NAMED);
    ck_assert(scheduler_finds(&play, "warning LateRoomIsHeld"));
    scheduler_end(&play);
}
END_TEST

/* The default is 3600 seconds and a spread, 0x23ec80b3 % 360 = 83. */
static const struct {
    const char *policy;
    const char *parameters;
} parameters[] = {
    {CHOSEN, "placeholderTimeoutInSeconds=3683 gangSchedulingStyle=Soft"},
    {OPTIONS("'style':'Soft'"), "placeholderTimeoutInSeconds=3683 gangSchedulingStyle=Soft"},
    {OPTIONS("'style':'Hard'"), "placeholderTimeoutInSeconds=3683 gangSchedulingStyle=Hard"},
    {OPTIONS("'placeholderTimeoutSeconds':1"),
     "placeholderTimeoutInSeconds=1 gangSchedulingStyle=Soft"},
    {OPTIONS("'style':'Hard',"
             "'placeholderTimeoutSeconds':600") ",'defaults':{'scheduleTimeoutSeconds':20}",
     "placeholderTimeoutInSeconds=20 gangSchedulingStyle=Hard"},
};

START_TEST(y13_style_and_timeout_are_explicit)
{
    struct scheduler_play play = scheduler_play(with_policy(parameters[_i].policy));

    ck_assert_str_eq(
        scheduler_mark(&play, "node", "yunikorn.apache.org/schedulingPolicyParameters"),
        parameters[_i].parameters);
    scheduler_end(&play);
}
END_TEST

static const char *const refused_options[] = {
    OPTIONS("'placeholderTimeoutSeconds':0"),
    OPTIONS("'placeholderTimeoutSeconds':-5"),
    OPTIONS("'style':'hard'"),
    OPTIONS("'styles':'Hard'"),
};

START_TEST(y13_other_options_are_refused)
{
    char text[1024];
    char spelled[DOCUMENT_SIZE];
    struct gang_document *policy = NULL;

    snprintf(text, sizeof(text), RULE_DOCUMENT("GangPolicy", "p"), refused_options[_i]);
    spell(spelled, text);
    ck_assert_int_eq(gang_document_parse(NULL, spelled, strlen(spelled), 0, &policy, NULL),
                     GANG_ERROR_INVALID);
    gang_document_unref(policy);
}
END_TEST

static const int64_t no_timeouts[] = {0, -1};

START_TEST(y13_a_timeout_must_be_positive)
{
    struct job job = job_form("node*2@trainer!yunikorn+cpu=1");

    job.gang.has_timeout = true;
    job.gang.timeout_seconds = no_timeouts[_i];
    job.gang.timeout_source = job.wishes->owner.name_source;
    job_validate(&job, &yunikorn_backend);
    job_finding(&job, GANG_CODE_NEGATIVE_TIMEOUT);
    ck_assert(report_has_errors(&job.report));
    job_free(&job);
}
END_TEST

START_TEST(y14_both_styles_are_told)
{
    scheduler_expect(usual, "info SoftStyle", true);
    scheduler_expect(usual, "warning HardStyle", false);
    scheduler_expect(with_policy(OPTIONS("'style':'Hard'")), "warning HardStyle", true);
    scheduler_expect(with_policy(OPTIONS("'style':'Hard'")), "info SoftStyle", false);
}
END_TEST

/* The message and the hint of the first finding of that code, on two lines. */
static const char *
words_of(struct scheduler_play *play, enum gang_code code)
{
    play->text[0] = '\0';
    for (size_t i = 0; i < gang_decision_num_diagnostics(play->decision); i++) {
        const struct gang_diagnostic *one = gang_decision_get_diagnostic(play->decision, i);
        const char *hint = gang_diagnostic_get_hint(one);

        if (gang_diagnostic_get_code(one) != (int)code)
            continue;
        snprintf(play->text, sizeof(play->text), "%s\n%s", gang_diagnostic_get_message(one),
                 hint ? hint : "");
        break;
    }
    return play->text;
}

/* Hard: a restart fails running pods, and each timeout counts as failures of the Jobs' pods. */
START_TEST(y14_the_words_name_what_happens_and_what_to_set)
{
    struct scheduler_play hard = scheduler_play(with_policy(OPTIONS("'style':'Hard'")));
    struct scheduler_play soft = scheduler_play(with_policy(OPTIONS(HOUR)));

    check_text(
        words_of(&hard, GANG_CODE_HARD_STYLE),
        "a restart of YuniKorn may fail the running pods of the gang, and each timeout fails "
        "all its waiting pods\n"
        "use style: Soft, or set backoffLimit or maxRestarts of the job above 0");
    check_text(words_of(&soft, GANG_CODE_SOFT_STYLE),
               "if the gang has no room until the timeout of 3600 seconds, the pods that fit start "
               "without the others\n");
    scheduler_end(&hard);
    scheduler_end(&soft);
}
END_TEST

/* The places of a queue, from the one with precedence to the last. */
static const struct {
    const char *job;
    const char *metadata;
    const char *queue; /* NULL: none */
} queues[] = {
    {NULL, "", NULL},
    {",'namespace':'team-a','labels':{'yunikorn.apache.org/queue':'root.a'}", "", "root.a"},
    {",'namespace':'team-a','labels':{'yunikorn.apache.org/queue':'root.a'}",
     "'labels':{'yunikorn.apache.org/queue':'root.b'}", "root.a"},
    {NULL, "'labels':{'yunikorn.apache.org/queue':'root.b'}", "root.b"},
    {NULL, "'annotations':{'yunikorn.apache.org/queue':'root.c'}", "root.c"},
    {NULL, "'labels':{'queue':'root.d'}", "root.d"},
    {NULL, "'labels':{'queue':'root.d'},'annotations':{'yunikorn.apache.org/queue':'root.c'}",
     "root.c"},
};

START_TEST(y15_the_queue_is_the_users)
{
    char roles[DOCUMENT_SIZE];
    struct scheduler_case row = usual;
    struct scheduler_play play;
    const char *queue;

    snprintf(roles, sizeof(roles), RULE_NODE_WITH("%s", ""), queues[_i].metadata);
    row.roles = roles;
    row.job = queues[_i].job;
    play = scheduler_play(row);
    queue = scheduler_mark(&play, "node", "yunikorn.apache.org/queue");
    ck_assert_int_eq(queue != NULL, queues[_i].queue != NULL);
    if (queue)
        ck_assert_str_eq(queue, queues[_i].queue);
    ck_assert_int_eq(scheduler_finds(&play, "info QueueMayBeIgnored"), queues[_i].queue != NULL);
    scheduler_end(&play);
}
END_TEST

/* The label of releases before v1.6 is also a label of other programs. */
START_TEST(y15_other_backends_do_not_read_a_common_label)
{
    struct scheduler_case row = with_roles(RULE_NODE_WITH("'labels':{'queue':'root.d'}", ""));

    row.policy = "'defaultBackend':'volcano'";
    scheduler_expect(row, "warning QueueOfAnotherBackend", false);
    row.policy = "'defaultBackend':'coscheduling'";
    scheduler_expect(row, "warning FieldLost", false);
    row = with_roles(RULE_NODE_WITH("'labels':{'yunikorn.apache.org/queue':'root.d'}", ""));
    row.policy = "'defaultBackend':'volcano'";
    scheduler_expect(row, "warning QueueOfAnotherBackend", true);
}
END_TEST

#define YUNIKORN_QUEUE_FACT(name, more) "{'name':'" name "','type':'YuniKorn'" more "}"
#define QUEUES(list) "'queues':[" list "]"
#define MAX(gpus) ",'max':{'nvidia.com/gpu':" gpus "}"

static const struct {
    const char *cluster;
    const char *finding;
    bool is_found;
} cluster_facts[] = {
    {QUEUES(YUNIKORN_QUEUE_FACT("root.other", "")), "warning QueueNotConfigured", true},
    {QUEUES("{'name':'research','type':'Volcano'}"), "warning QueueNotConfigured", false},
    {QUEUES(""), "warning QueueNotConfigured", false},
    {QUEUES(YUNIKORN_QUEUE_FACT("root.research", "")), "warning QueueNotConfigured", false},
    {"'kubernetesVersion':'1.36'", "warning QueueNotConfigured", false},
    /* four pods of eight GPUs */
    {QUEUES(YUNIKORN_QUEUE_FACT("root.research", MAX("31"))), "error GangAboveQueue", true},
    {QUEUES(YUNIKORN_QUEUE_FACT("root.research", MAX("32"))), "error GangAboveQueue", false},
    {QUEUES(YUNIKORN_QUEUE_FACT("root.research", "") "," YUNIKORN_QUEUE_FACT("root", MAX("31"))),
     "error GangAboveQueue", true},
    {QUEUES(YUNIKORN_QUEUE_FACT("root.other", MAX("31"))), "error GangAboveQueue", false},
    {"'namespaces':[{'name':'team-a','quota':{'cpu':'15'}}]", "error GangAboveQueue", true},
    {"'namespaces':[{'name':'team-a','quota':{'cpu':'16'}}]", "error GangAboveQueue", false},
    {"'namespaces':[{'name':'team-b','quota':{'cpu':'15'}}]", "error GangAboveQueue", false},
    {QUEUES(YUNIKORN_QUEUE_FACT("root.research", ",'sortPolicy':'fair'")), "error QueueSortPolicy",
     true},
    {QUEUES(YUNIKORN_QUEUE_FACT("root.research", ",'sortPolicy':'fifo'")), "error QueueSortPolicy",
     false},
    {"'resourceQuotas':[{'name':'q','namespace':'team-a','hard':{'requests.cpu':'31'}}]",
     "warning QuotaWithoutPlaceholders", true},
    {"'resourceQuotas':[{'name':'q','namespace':'team-a','hard':{'requests.cpu':'32'}}]",
     "warning QuotaWithoutPlaceholders", false},
    {"'resourceQuotas':[{'name':'q','namespace':'team-a','hard':{'cpu':'40'},'used':{'cpu':'9'}}]",
     "warning QuotaWithoutPlaceholders", true},
    {"'resourceQuotas':[{'name':'a','namespace':'team-a','hard':{'pods':'100'}},"
     "{'name':'q','namespace':'team-a','hard':{'pods':'7'}}]",
     "warning QuotaWithoutPlaceholders", true},
    {"'resourceQuotas':[{'name':'q','namespace':'team-b','hard':{'pods':'1'}}]",
     "warning QuotaWithoutPlaceholders", false},
};

START_TEST(y16_queues_and_quotas_have_room)
{
    scheduler_expect(with_cluster(cluster_facts[_i].cluster), cluster_facts[_i].finding,
                     cluster_facts[_i].is_found);
}
END_TEST

#define CPU_DEFAULT                                                                                \
    "'limitRanges':[{'name':'l','namespace':'team-a','limits':[{'type':'Container',"               \
    "'defaultRequest':{'cpu':'1'}}]}]"

START_TEST(y17_a_gang_without_requests_is_told)
{
    struct scheduler_case row = with_roles(RULE_ROLE("node", RULE_TRAINER, "", "", "", "", ""));

    scheduler_expect(row, "warning GangWithoutResources", true);
    scheduler_expect(usual, "warning GangWithoutResources", false);
    row.cluster = CPU_DEFAULT;
    scheduler_expect(row, "warning GangWithoutResources", false);
    scheduler_expect(row, "warning ResourcesOfLimitRange", true);
    row.roles = RULE_NODE;
    scheduler_expect(row, "warning ResourcesOfLimitRange", false);
}
END_TEST

static size_t
count_findings(struct scheduler_case row, const char *finding)
{
    struct scheduler_play play = scheduler_play(row);
    size_t count = 0;

    for (const char *at = scheduler_findings(&play); (at = strstr(at, finding)); at++)
        count++;
    scheduler_end(&play);
    return count;
}

/* Beside the finding about a gang that waits, which every gang has (y19). */
static const struct {
    const char *cluster;
    size_t count;
} queue_facts[] = {
    {QUEUES(YUNIKORN_QUEUE_FACT("root.research", "")), 1},
    {QUEUES(YUNIKORN_QUEUE_FACT("root", "") "," YUNIKORN_QUEUE_FACT("root.research", "")), 1},
    {QUEUES(YUNIKORN_QUEUE_FACT("root.research", "") "," YUNIKORN_QUEUE_FACT("root.re", "")), 2},
    {QUEUES(YUNIKORN_QUEUE_FACT("root.research", "") "," YUNIKORN_QUEUE_FACT("root.b", "")), 2},
    {QUEUES(YUNIKORN_QUEUE_FACT("root.research", "") ",{'name':'b','type':'Volcano'}"), 1},
};

START_TEST(y18_queues_can_block_each_other)
{
    ck_assert_uint_eq(
        count_findings(with_cluster(queue_facts[_i].cluster), "info PlaceholdersHoldRoom"),
        queue_facts[_i].count);
}
END_TEST

START_TEST(y19_a_waiting_gang_holds_nodes)
{
    scheduler_expect(usual, "info PlaceholdersHoldRoom", true);
}
END_TEST

static const struct {
    const char *metadata;
    bool is_told;
} old_keys[] = {
    {"'labels':{'applicationId':'a'}", true},
    {"'labels':{'applicationId':'team-a-bert-23ec80b3'}", false},
    {"'labels':{'spark-app-selector':'a'}", true},
    {"'labels':{'queue':'root.b','yunikorn.apache.org/queue':'root.a'}", true},
    {"'labels':{'queue':'root.a','yunikorn.apache.org/queue':'root.a'}", false},
    {"'labels':{'yunikorn.apache.org/queue':'root.a'},'annotations':{'yunikorn.apache.org/"
     "queue':'root.b'}",
     true},
};

START_TEST(y20_older_keys_are_told_and_not_rendered)
{
    char roles[DOCUMENT_SIZE];
    struct scheduler_play play;

    snprintf(roles, sizeof(roles), RULE_NODE_WITH("%s", ""), old_keys[_i].metadata);
    play = scheduler_play(with_roles(roles));
    ck_assert_int_eq(scheduler_finds(&play, "warning RivalKey"), old_keys[_i].is_told);
    ck_assert_ptr_null(scheduler_mark(&play, "node", "applicationId"));
    ck_assert_ptr_null(scheduler_mark(&play, "node", "queue"));
    ck_assert_ptr_null(scheduler_mark(&play, "node", "spark-app-selector"));
    scheduler_end(&play);
}
END_TEST

/* Beside the rules. */

static const struct {
    const char *cluster;
    const char *finding;
} releases[] = {
    {NULL, "info ReleaseAssumed"},
    {"'components':{'yunikorn':'v1.9.0'}", "info ReleaseAssumed"},
    {"'components':{'yunikorn':'v1.5.2'}", "error SchedulerTooOld"},
};

START_TEST(releases_are_told)
{
    struct scheduler_case row = usual;

    row.cluster = releases[_i].cluster;
    scheduler_expect(row, releases[_i].finding, true);
    row.cluster = "'components':{'yunikorn':'v1.6.0'}";
    scheduler_expect(row, releases[_i].finding, false);
}
END_TEST

static const char *const reserved[] = {
    "'labels':{'yunikorn.apache.org/app-id':'a'}",
    "'annotations':{'yunikorn.apache.org/task-group-name':'a'}",
    "'annotations':{'yunikorn.apache.org/task-groups':'[]'}",
    "'annotations':{'yunikorn.apache.org/schedulingPolicyParameters':'a=b'}",
};

START_TEST(the_marks_are_reserved)
{
    char roles[DOCUMENT_SIZE];

    snprintf(roles, sizeof(roles), RULE_NODE_WITH("%s", ""), reserved[_i]);
    scheduler_expect(with_roles(roles), "error ReservedMark", true);
}
END_TEST

START_TEST(a_queue_is_a_label_value)
{
    scheduler_expect(
        with_policy(OPTIONS(HOUR) ",'defaults':{'queue':{'name':'root.0123456789012345678901234567"
                                  "8901234567890123456789012345678901234'}}"),
        "error InvalidLabelValue", true);
}
END_TEST

START_TEST(the_plan_shows_the_application_and_its_groups)
{
    struct scheduler_case row = with_roles(staged_roles);
    struct scheduler_play play;
    struct gang_blob *blob = NULL;
    char spelled[DOCUMENT_SIZE];
    const char *text;

    row.policy = OPTIONS(HOUR) ",'defaults':{'reserve':'Always'}";
    play = scheduler_play(row);
    blob = blob_of(play.plan, GANG_TARGET_PLAN, GANG_FORMAT_JSON);
    text = gang_blob_get_data(blob, NULL);
    ck_assert_ptr_nonnull(
        strstr(text, spell(spelled, "'backend':{'name':'yunikorn','type':'YuniKorn',"
                                    "'schedulerName':'yunikorn'}")));
    ck_assert_ptr_nonnull(
        strstr(text, spell(spelled, "'gang':{'name':'team-a-bert-23ec80b3','minimum':4,")));
    ck_assert_ptr_nonnull(
        strstr(text, spell(spelled, "'subgroups':[{'name':'node','minimum':4,'roles':['node'],"
                                    "'subgroups':[]},{'name':'launcher','minimum':1,'roles':["
                                    "'launcher'],'subgroups':[]}]")));
    gang_blob_unref(blob);
    scheduler_end(&play);
}
END_TEST

/*
 * The pods of a JobSet are the gang: with other marks than the plan's they keep theirs while they
 * run, and get the new ones, of the next run, while the JobSet is suspended.
 */
#define JOBSET_OF(state, app_id)                                                                   \
    LIVE_JOBSET(state, "'labels':{'yunikorn.apache.org/app-id':'" app_id "'}",                     \
                "'schedulerName':'yunikorn'")

static const struct reconciliation jobsets[] = {
    {"{'yunikorn':{}}", USUAL, NULL, NULL, "", "", "", NULL},
    {"{'yunikorn':{}}", SUSPENDED, NULL, NULL, JOBSET_OF(STOPPED, "ml-my-job-0"), "", "", NULL},
    {"{'yunikorn':{}}", USUAL, NULL, NULL, JOBSET_OF(RUNS, "ml-my-job-0"), "", "GangKept", NULL},
};

START_TEST(a_running_jobset_keeps_its_application)
{
    check_reconciliation(&jobsets[_i]);
}
END_TEST

/* The API server's limit for the annotations of an object is 256 KiB. */
START_TEST(task_groups_fit_an_annotation)
{
    enum { VALUE_SIZE = 256 * 1024 };
    struct job job = job_form("node*2@trainer!yunikorn+cpu=1");
    struct builder pod = build_map(job.arena);
    struct builder selector = build_map_member(&pod, SLICE("nodeSelector"));
    char *value = arena_alloc(job.arena, VALUE_SIZE + 1);

    memset(value, 'v', VALUE_SIZE);
    build_string(&selector, SLICE("pool"), slice_from_text(value));
    job_validate(&job, &yunikorn_backend);
    ck_assert(!report_has_errors(&job.report));
    job.wishes->roles[0].pod_spec = pod.node;
    job_validate(&job, &yunikorn_backend);
    job_finding(&job, GANG_CODE_TASK_GROUPS_TOO_LONG);
    job_free(&job);
}
END_TEST

void
add_tests(TCase *cases)
{
    tcase_add_test(cases, y01_every_role_has_the_scheduler);
    tcase_add_test(cases, y02_there_is_no_object);
    add_rows(cases, y03_the_application_id_is_unique_and_a_dns_label, app_ids, job, run);
    tcase_add_test(cases, y03_a_missing_namespace_is_reported);
    tcase_add_test(cases, y04_the_run_number_matters);
    add_rows(cases, y04_a_restart_by_the_jobset_is_told, restarts, spec);
    tcase_add_test(cases, y05_members_have_the_same_task_groups);
    add_rows(cases, y06_every_member_has_a_group_of_a_plain_name, group_names, role);
    tcase_add_test(cases, y07_the_minimum_of_a_group_is_its_count_or_less);
    tcase_add_test(cases, y07_a_minimum_of_the_gang_is_lost);
    add_rows(cases, y08_a_placeholder_is_as_large_as_its_pod, min_resources, resources, pod);
    tcase_add_test(cases, y08_a_placeholder_is_never_smaller);
    tcase_add_test(cases, y09_a_placeholder_fits_where_its_pod_fits);
    tcase_add_loop_test(cases, y09_labels_that_come_later_are_left_out, 0, ITEMS_OF(later_labels));
    tcase_add_test(cases, y10_roles_before_the_gang_are_another_application);
    add_items(cases, y11_a_late_role_joins_without_a_group, not_reserved);
    tcase_add_test(cases, y12_reserve_always_gives_a_late_role_a_group);
    add_rows(cases, y13_style_and_timeout_are_explicit, parameters, policy);
    add_items(cases, y13_other_options_are_refused, refused_options);
    add_items(cases, y13_a_timeout_must_be_positive, no_timeouts);
    tcase_add_test(cases, y14_both_styles_are_told);
    tcase_add_test(cases, y14_the_words_name_what_happens_and_what_to_set);
    add_rows(cases, y15_the_queue_is_the_users, queues, job, metadata);
    tcase_add_test(cases, y15_other_backends_do_not_read_a_common_label);
    add_rows(cases, y16_queues_and_quotas_have_room, cluster_facts, cluster, finding);
    tcase_add_test(cases, y17_a_gang_without_requests_is_told);
    add_rows(cases, y18_queues_can_block_each_other, queue_facts, cluster);
    tcase_add_test(cases, y19_a_waiting_gang_holds_nodes);
    add_rows(cases, y20_older_keys_are_told_and_not_rendered, old_keys, metadata);
    add_rows(cases, releases_are_told, releases, cluster);
    add_items(cases, the_marks_are_reserved, reserved);
    tcase_add_test(cases, a_queue_is_a_label_value);
    tcase_add_test(cases, the_plan_shows_the_application_and_its_groups);
    add_rows(cases, a_running_jobset_keeps_its_application, jobsets, trainjob, live);
    tcase_add_test(cases, task_groups_fit_an_annotation);
}
