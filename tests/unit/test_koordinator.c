/* SPDX-License-Identifier: Apache-2.0 */
#include "unit/job.h"
#include "unit/reconciliations.h"
#include "unit/scheduler_rules.h"

/*
 * One test for each rule of what a real scheduler (koord-scheduler v1.8.0) was seen to do. Expected
 * objects are those that were run there.
 */

#define CHOSEN "'defaultBackend':'koordinator'"
#define MATCH(policy)                                                                              \
    "'backends':[{'name':'koordinator','type':'Koordinator','koordinator':{'matchPolicy':'" policy \
    "'}}]," CHOSEN
#define LABEL "pod-group.scheduling.sigs.k8s.io=bert\n"
#define QUOTA "quota.scheduling.koordinator.sh/name=research\n"
#define NAMED "schedulerName=koord-scheduler\n"
#define POD_GROUP(policy, minimum, more)                                                           \
    "{'apiVersion':'scheduling.sigs.k8s.io/v1alpha1','kind':'PodGroup','metadata':{'name':'bert'," \
    "'namespace':'team-a','annotations':{'gang.scheduling.koordinator.sh/match-policy':'" policy   \
    "','gang.scheduling.koordinator.sh/mode':'Strict',"                                            \
    "'gang.scheduling.koordinator.sh/total-number':'" minimum                                      \
    "'}},'spec':{'minMember':" minimum more "}}\n"
#define RETRIED RULE_NODE
#define NOT_RETRIED RULE_ROLE("node", RULE_TRAINER, "", "'backoffLimit':0,", "", "", RULE_GPUS)

static const struct scheduler_case usual = {
    .roles = RETRIED, .policy = CHOSEN, .cluster = NULL, .run = 0};

static struct scheduler_case
with(const char *roles, const char *policy)
{
    struct scheduler_case row = usual;

    row.roles = roles;
    row.policy = policy;
    return row;
}

static const char staged_roles[] =
    RULE_INITIALIZER "," RULE_ROLE("node", RULE_TRAINER, RULE_AFTER("data", "Complete"), "", "", "",
                                   RULE_GPUS) "," RULE_LAUNCHER("");

/* The only object of the plan. */
static void
check_object(const struct scheduler_play *play, const char *expected)
{
    struct gang_blob *blob = NULL;
    char spelled[DOCUMENT_SIZE];

    ck_assert_uint_eq(gang_plan_num_objects(play->plan), 1);
    ck_assert_int_eq(gang_object_serialize(NULL, gang_plan_get_object(play->plan, 0),
                                           GANG_FORMAT_JSON, 0, &blob, NULL),
                     GANG_OK);
    check_text(gang_blob_get_data(blob, NULL), spell(spelled, expected));
    gang_blob_unref(blob);
}

START_TEST(k01_every_role_has_the_scheduler)
{
    struct scheduler_play play = scheduler_play(with(staged_roles, CHOSEN));

    ck_assert_str_eq(scheduler_mark(&play, "data", "schedulerName"), "koord-scheduler");
    ck_assert_str_eq(scheduler_mark(&play, "node", "schedulerName"), "koord-scheduler");
    ck_assert_str_eq(scheduler_mark(&play, "launcher", "schedulerName"), "koord-scheduler");
    scheduler_end(&play);
    scheduler_expect(with(RULE_NODE_WITH("", RULE_SCHEDULER("other")), CHOSEN),
                     "error SchedulerMismatch", true);
}
END_TEST

START_TEST(k02_the_gang_is_a_pod_group_and_a_label)
{
    struct scheduler_play play = scheduler_play(usual);

    check_object(&play, POD_GROUP("once-satisfied", "4", ""));
    scheduler_marks_are(&play, "node", LABEL NAMED);
    scheduler_end(&play);
}
END_TEST

START_TEST(k03_one_pod_group_has_all_roles_of_the_first_wave)
{
    struct scheduler_play play = scheduler_play(
        with(RETRIED "," RULE_ROLE("helper", RULE_TRAINER, "", "", "", "", ""), CHOSEN));

    check_object(&play, POD_GROUP("once-satisfied", "8", ""));
    scheduler_marks_are(&play, "node", LABEL NAMED);
    scheduler_marks_are(&play, "helper", LABEL NAMED);
    scheduler_end(&play);
}
END_TEST

static const struct {
    int64_t minimum;
    const char *finding; /* NULL: none */
} minimums[] = {{4, "ElasticMinimum"}, {5, NULL}, {6, "MinimumAboveCount"}};

START_TEST(k04_an_elastic_minimum_is_an_error)
{
    struct job job = job_make("node*5@trainer!koord-scheduler+cpu=1");

    job.wishes->groups = arena_array(job.arena, 1, sizeof(*job.wishes->groups));
    job.wishes->groups[0] = (struct gang_group){
        .name = SLICE("g"), .minimum = minimums[_i].minimum, .parent = GROUP_OF_GANG};
    job.wishes->num_groups = 1;
    job_form_again(&job);
    job_validate(&job, &koordinator_backend);
    ck_assert_int_eq(report_has_errors(&job.report), minimums[_i].finding != NULL);
    if (minimums[_i].finding)
        ck_assert_ptr_nonnull(strstr(job_findings(&job), minimums[_i].finding));
    job_free(&job);
}
END_TEST

/* Pods that are created after the gang has started join it. */
static const struct {
    const char *roles;
    bool fills;
} parts[] = {
    {"node*12$3@trainer!koord-scheduler", true},
    {"node*12%6@trainer!koord-scheduler", false},
    {"node*12%6$3@trainer!koord-scheduler", true},
    {"node*12%12@trainer!koord-scheduler", true},
};

START_TEST(k04_pods_of_a_later_wave_join)
{
    struct job job = job_form(parts[_i].roles);

    job_validate(&job, &koordinator_backend);
    ck_assert_int_eq(strstr(job_findings(&job), "ElasticMinimum") == NULL, parts[_i].fills);
    job_free(&job);
}
END_TEST

/* A minimum that the documents set must be all pods that exist, too, whatever the roles need. */
static const struct {
    const char *roles;
    int64_t minimum;
    bool fills;
} wholes[] = {
    {"a*2!koord-scheduler b*12$3!koord-scheduler", 4, false},
    {"a*2!koord-scheduler b*12$3!koord-scheduler", 5, true},
    {"a*2!koord-scheduler b*4%2!koord-scheduler", 5, false},
    {"a*2!koord-scheduler b*4%2!koord-scheduler", 6, true},
};

START_TEST(k04_a_minimum_of_the_gang_is_that_of_all_pods)
{
    struct job job = job_make(wholes[_i].roles);

    job.wishes->minimum = wholes[_i].minimum;
    job.wishes->minimum_source = job.wishes->owner.name_source;
    job_form_again(&job);
    job_validate(&job, &koordinator_backend);
    ck_assert_int_eq(strstr(job_findings(&job), "ElasticMinimum") == NULL, wholes[_i].fills);
    job_free(&job);
}
END_TEST

START_TEST(k05_roles_before_and_late_roles_have_no_label)
{
    struct scheduler_play play = scheduler_play(with(staged_roles, CHOSEN));

    scheduler_marks_are(&play, "data", NAMED);
    scheduler_marks_are(&play, "node", LABEL NAMED);
    scheduler_marks_are(&play, "launcher", NAMED);
    check_object(&play, POD_GROUP("once-satisfied", "4", ""));
    scheduler_end(&play);
}
END_TEST

START_TEST(k06_room_for_late_roles_cannot_be_reserved)
{
    struct scheduler_play play =
        scheduler_play(with(staged_roles, CHOSEN ",'defaults':{'reserve':'Always'}"));

    ck_assert(scheduler_finds(&play, "warning FieldLost"));
    ck_assert(scheduler_finds(&play, "warning ReserveNotPossible"));
    scheduler_marks_are(&play, "launcher", NAMED);
    check_object(&play, POD_GROUP("once-satisfied", "4", ""));
    scheduler_end(&play);
    scheduler_expect(with(staged_roles, CHOSEN ",'defaults':{'reserve':'Never'}"),
                     "warning ReserveNotPossible", false);
}
END_TEST

/* Initializers and late roles may retry; only members matter. */
static const struct {
    const char *roles;
    const char *policy;
    const char *match;
    const char *finding; /* NULL: neither of the two */
} match_policies[] = {
    {RETRIED, CHOSEN, "once-satisfied", NULL},
    {NOT_RETRIED, CHOSEN, "waiting-and-running", NULL},
    {RULE_INITIALIZER "," RULE_ROLE("node", RULE_TRAINER, RULE_AFTER("data", "Complete"),
                                    "'backoffLimit':0,", "", "", RULE_GPUS) "," RULE_LAUNCHER(""),
     CHOSEN, "waiting-and-running", NULL},
    /* one member that retries its pods is enough */
    {NOT_RETRIED "," RULE_ROLE("reader", RULE_TRAINER, "", "'backoffLimit':1,", "", "", RULE_GPUS),
     CHOSEN, "once-satisfied", NULL},
    {NOT_RETRIED "," RULE_ROLE("reader", RULE_TRAINER, "", "'backoffLimit':0,", "", "", RULE_GPUS),
     CHOSEN, "waiting-and-running", NULL},
    {RETRIED, MATCH("Auto"), "once-satisfied", NULL},
    {RETRIED, MATCH("waiting-and-running"), "waiting-and-running", "info RetriedPodWaits"},
    {NOT_RETRIED, MATCH("waiting-and-running"), "waiting-and-running", NULL},
    {NOT_RETRIED, MATCH("once-satisfied"), "once-satisfied", NULL},
    {RETRIED "],'failurePolicy':{'maxRestarts':3},'volumeClaimPolicies':[", CHOSEN,
     "once-satisfied", "info RestartIsNoGang"},
    {NOT_RETRIED "],'failurePolicy':{'maxRestarts':3},'volumeClaimPolicies':[", CHOSEN,
     "waiting-and-running", NULL},
};

START_TEST(k07_the_match_policy_fits_the_restarts)
{
    struct scheduler_play play =
        scheduler_play(with(match_policies[_i].roles, match_policies[_i].policy));
    struct gang_blob *blob = blob_of(play.plan, GANG_TARGET_OBJECTS, GANG_FORMAT_JSON);
    char wanted[128];
    static const char *const findings[] = {"info RetriedPodWaits", "info RestartIsNoGang"};

    snprintf(wanted, sizeof(wanted), "match-policy\":\"%s\"", match_policies[_i].match);
    ck_assert_ptr_nonnull(strstr(gang_blob_get_data(blob, NULL), wanted));
    gang_blob_unref(blob);
    for (int i = 0; i < ITEMS_OF(findings); i++)
        ck_assert_int_eq(scheduler_finds(&play, findings[i]),
                         match_policies[_i].finding &&
                             strcmp(match_policies[_i].finding, findings[i]) == 0);
    scheduler_end(&play);
}
END_TEST

static const char *const refused_matches[] = {MATCH("only-waiting"), MATCH("Never"), MATCH("auto")};

START_TEST(k07_only_waiting_is_refused)
{
    char text[1024];
    char spelled[DOCUMENT_SIZE];
    struct gang_document *policy = NULL;

    snprintf(text, sizeof(text), RULE_DOCUMENT("GangPolicy", "p"), refused_matches[_i]);
    spell(spelled, text);
    ck_assert_int_eq(gang_document_parse(NULL, spelled, strlen(spelled), 0, &policy, NULL),
                     GANG_ERROR_INVALID);
    gang_document_unref(policy);
}
END_TEST

/* A live PodGroup, JobSet and pod of the job `my-job`, and what becomes of the PodGroup. */
#define LIVE_GROUP_WITH(minimum, more)                                                             \
    LIVE("scheduling.sigs.k8s.io/v1alpha1", "PodGroup", "my-job",                                  \
         ",'annotations':{'gang.scheduling.koordinator.sh/match-policy':'waiting-and-running',"    \
         "'gang.scheduling.koordinator.sh/mode':'Strict',"                                         \
         "'gang.scheduling.koordinator.sh/total-number':'" minimum                                 \
         "','gang.scheduling.koordinator.sh/bind-gang-x':'1'}" OURS,                               \
         "'minMember':" minimum more)
#define LIVE_GROUP(minimum) LIVE_GROUP_WITH(minimum, "")
#define MARKED_PODS "'labels':{'pod-group.scheduling.sigs.k8s.io':'my-job'}"
#define MARKED_JOBSET(state) LIVE_JOBSET(state, MARKED_PODS, "'schedulerName':'koord-scheduler'")
#define MARKED_POD(phase) LIVE_POD("," MARKED_PODS, "", phase)
#define GANG_POLICY "{'koordinator':{}}"

static const struct reconciliation lifetimes[] = {
    /* the first run */
    {GANG_POLICY, USUAL, NULL, NULL, "", "Create PodGroup my-job\n", "", NULL},
    /* suspended: it goes when no pod of the gang is left */
    {GANG_POLICY, SUSPENDED, NULL, NULL,
     LIVE_GROUP("8") MARKED_JOBSET(STOPPED) MARKED_POD("Pending"), "Leave PodGroup my-job\n",
     "ObjectStays", NULL},
    {GANG_POLICY, SUSPENDED, NULL, NULL,
     LIVE_GROUP("8") MARKED_JOBSET(STOPPED) MARKED_POD("Running"), "Leave PodGroup my-job\n",
     "ObjectStays", NULL},
    {GANG_POLICY, SUSPENDED, NULL, NULL,
     LIVE_GROUP("8") MARKED_JOBSET(STOPPED) MARKED_POD("Succeeded"), "Delete PodGroup my-job\n", "",
     NULL},
    {GANG_POLICY, SUSPENDED, NULL, NULL, LIVE_GROUP("8") MARKED_JOBSET(STOPPED),
     "Delete PodGroup my-job\n", "", NULL},
    {GANG_POLICY, SUSPENDED, NULL, NULL, MARKED_JOBSET(STOPPED), "", "ObjectWithheld", NULL},
    /* resumed: it is made again */
    {GANG_POLICY, USUAL, NULL, NULL, MARKED_JOBSET(RUNS), "Create PodGroup my-job\n", "", NULL},
    /* a PodGroup of pods that wait or run is neither deleted nor made again */
    {GANG_POLICY, USUAL, NULL, NULL, LIVE_GROUP("8") MARKED_JOBSET(RUNS) MARKED_POD("Pending"),
     "Leave PodGroup my-job\n", "", NULL},
    {GANG_POLICY, USUAL, NULL, NULL, LIVE_GROUP("8") MARKED_JOBSET(RUNS) MARKED_POD("Running"),
     "Leave PodGroup my-job\n", "", NULL},
    /* what nobody asks for is another's value, and stays */
    {GANG_POLICY, USUAL, NULL, NULL, LIVE_GROUP_WITH("8", ",'scheduleTimeoutSeconds':300"),
     "Leave PodGroup my-job\n", "", NULL},
};

START_TEST(k08_each_run_has_a_pod_group_of_its_own)
{
    check_reconciliation(&lifetimes[_i]);
}
END_TEST

/* The PodGroup may come after the pods, which wait for it without a condition. */
static const struct reconciliation missing_group = {GANG_POLICY,
                                                    USUAL,
                                                    NULL,
                                                    NULL,
                                                    MARKED_JOBSET(RUNS) MARKED_POD("Pending"),
                                                    "Create PodGroup my-job\n",
                                                    "",
                                                    NULL};

START_TEST(k09_a_missing_pod_group_is_created)
{
    check_reconciliation(&missing_group);
}
END_TEST

static const struct reconciliation lowered = {GANG_POLICY,
                                              USUAL,
                                              NULL,
                                              NULL,
                                              LIVE_GROUP("9") MARKED_POD("Pending"),
                                              "Apply PodGroup my-job\n",
                                              "",
                                              NULL};

START_TEST(k10_the_minimum_of_a_waiting_gang_can_change)
{
    check_reconciliation(&lowered);
}
END_TEST

START_TEST(k11_no_resources_and_only_an_asked_for_timeout)
{
    struct scheduler_play play = scheduler_play(usual);

    check_object(&play, POD_GROUP("once-satisfied", "4", ""));
    ck_assert(!scheduler_finds(&play, "info TimeoutWithoutEffect"));
    scheduler_end(&play);
    play = scheduler_play(with(RETRIED, CHOSEN ",'defaults':{'scheduleTimeoutSeconds':20}"));
    check_object(&play, POD_GROUP("once-satisfied", "4", ",'scheduleTimeoutSeconds':20"));
    ck_assert(scheduler_finds(&play, "info TimeoutWithoutEffect"));
    scheduler_end(&play);
}
END_TEST

/* GetWaitTimeDuration in pkg/scheduler/plugins/coscheduling/util/gang_helper.go: only above 0. */
static const int64_t illegal_timeouts[] = {0, -1};

START_TEST(k11_an_illegal_timeout_is_left_out)
{
    struct job job = job_form("node*2@trainer!koord-scheduler+cpu=1");

    job.gang.has_timeout = true;
    job.gang.timeout_seconds = illegal_timeouts[_i];
    ck_assert_ptr_null(strstr(job_manifest(&job, &koordinator_backend), "scheduleTimeoutSeconds"));
    job_free(&job);
}
END_TEST

START_TEST(k12_every_role_has_the_quota)
{
    struct scheduler_case row = with(staged_roles, CHOSEN);
    struct scheduler_play play;

    scheduler_expect(row, "info QueueMayBeIgnored", false);
    row.job = ",'namespace':'team-a','labels':{'quota.scheduling.koordinator.sh/name':'research'}";
    play = scheduler_play(row);
    scheduler_marks_are(&play, "data", QUOTA NAMED);
    scheduler_marks_are(&play, "node", LABEL QUOTA NAMED);
    scheduler_marks_are(&play, "launcher", QUOTA NAMED);
    ck_assert(scheduler_finds(&play, "info QueueMayBeIgnored"));
    scheduler_end(&play);
}
END_TEST

static const struct {
    const char *name;
    const char *group;
} long_names[] = {
    {"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
     "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"},
    {"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
     "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa-d96f0f85"},
};

START_TEST(k13_a_long_name_is_cut_for_both)
{
    struct job job = job_form("node*2@trainer!koord-scheduler+cpu=1");
    char wanted[256];

    job.gang.name = slice_from_text(long_names[_i].name);
    snprintf(wanted, sizeof(wanted), "\"name\":\"%s\"", long_names[_i].group);
    ck_assert_ptr_nonnull(strstr(job_manifest(&job, &koordinator_backend), wanted));
    snprintf(wanted, sizeof(wanted), "label pod-group.scheduling.sigs.k8s.io=%s;",
             long_names[_i].group);
    ck_assert_ptr_nonnull(strstr(job_patches(&job, &koordinator_backend), wanted));
    job_free(&job);
}
END_TEST

/* A member's label wins; without the label the key would be read. */
static const struct {
    const char *roles;
    const char *finding;
    bool is_found;
} rivals[] = {
    {RULE_NODE_WITH("'annotations':{'gang.scheduling.koordinator.sh/name':'other'}", ""),
     "warning RivalKey", true},
    {RULE_NODE_WITH("'annotations':{'gang.scheduling.koordinator.sh/name':'bert'}", ""),
     "warning RivalKey", false},
    {RULE_NODE_WITH("'labels':{'pod-group.scheduling.sigs.k8s.io/name':'other'}", ""),
     "warning RivalKey", true},
    {RULE_NODE_WITH("'labels':{'scheduling.x-k8s.io/pod-group':'other'}", ""), "error ReservedMark",
     true},
    {RULE_NODE_WITH("'labels':{'pod-group.scheduling.sigs.k8s.io':'other'}", ""),
     "error ReservedMark", true},
    {RETRIED "," RULE_LAUNCHER("'annotations':{'gang.scheduling.koordinator.sh/name':'bert'}"),
     "error ReservedMark", true},
};

START_TEST(k14_other_marks_are_told)
{
    scheduler_expect(with(rivals[_i].roles, CHOSEN), rivals[_i].finding, rivals[_i].is_found);
}
END_TEST

/* The scheduler ignores the label of coscheduling: where a policy accepts it, it is a warning. */
START_TEST(k14_an_accepted_mark_is_a_warning)
{
    const struct scheduler_case row =
        with(RULE_NODE_WITH("'labels':{'scheduling.x-k8s.io/pod-group':'other'}", ""),
             CHOSEN ",'constraints':[{'name':'c','match':{},'reservedKeys':'Warn'}]");

    scheduler_expect(row, "warning ReservedMark", true);
    scheduler_expect(row, "error ReservedMark", false);
}
END_TEST

/* What the scheduler writes is not rendered, and stays in an object that changes. */
static const struct reconciliation bound = {
    GANG_POLICY,
    USUAL,
    NULL,
    NULL,
    LIVE_GROUP("9"),
    "Apply PodGroup my-job\n",
    "",
    "{'name':'my-job','namespace':'ml','uid':'o-1','resourceVersion':'7',"
    "'annotations':{'gang.scheduling.koordinator.sh/bind-gang-x':'1',"
    "'gang.scheduling.koordinator.sh/match-policy':'waiting-and-running',"
    "'gang.scheduling.koordinator.sh/mode':'Strict',"
    "'gang.scheduling.koordinator.sh/total-number':'8'}" OURS "} {'minMember':8}"};

START_TEST(k15_marks_of_the_scheduler_stay)
{
    struct scheduler_play play = scheduler_play(usual);
    struct gang_blob *blob = blob_of(play.plan, GANG_TARGET_PLAN, GANG_FORMAT_JSON);

    ck_assert_ptr_null(strstr(gang_blob_get_data(blob, NULL), "bind-gang"));
    gang_blob_unref(blob);
    scheduler_end(&play);
    check_reconciliation(&bound);
}
END_TEST

/* Beside the rules. */

static const struct {
    const char *roles;
    const char *cluster;
    const char *finding;
    bool is_found;
} releases[] = {
    {RETRIED, NULL, "info ReleaseAssumed", true},
    {RETRIED, "'components':{'koordinator':'v1.9.0'}", "info ReleaseAssumed", true},
    {RETRIED, "'components':{'koordinator':'v1.8.0'}", "info ReleaseAssumed", false},
    {NOT_RETRIED, "'components':{'koordinator':'v1.2.0'}", "warning FieldLost", true},
    {NOT_RETRIED, "'components':{'koordinator':'v1.4.1'}", "warning FieldLost", true},
    {NOT_RETRIED, "'components':{'koordinator':'v1.5.0'}", "warning FieldLost", false},
    {RETRIED, "'components':{'koordinator':'v1.2.0'}", "warning FieldLost", false},
};

START_TEST(releases_are_told)
{
    struct scheduler_case row = with(releases[_i].roles, CHOSEN);

    row.cluster = releases[_i].cluster;
    scheduler_expect(row, releases[_i].finding, releases[_i].is_found);
}
END_TEST

void
add_tests(TCase *cases)
{
    tcase_add_test(cases, k01_every_role_has_the_scheduler);
    tcase_add_test(cases, k02_the_gang_is_a_pod_group_and_a_label);
    tcase_add_test(cases, k03_one_pod_group_has_all_roles_of_the_first_wave);
    add_rows(cases, k04_an_elastic_minimum_is_an_error, minimums, minimum);
    add_rows(cases, k04_pods_of_a_later_wave_join, parts, roles);
    add_rows(cases, k04_a_minimum_of_the_gang_is_that_of_all_pods, wholes, roles, minimum);
    tcase_add_test(cases, k05_roles_before_and_late_roles_have_no_label);
    tcase_add_test(cases, k06_room_for_late_roles_cannot_be_reserved);
    add_rows(cases, k07_the_match_policy_fits_the_restarts, match_policies, roles, policy);
    add_items(cases, k07_only_waiting_is_refused, refused_matches);
    add_rows(cases, k08_each_run_has_a_pod_group_of_its_own, lifetimes, trainjob, live);
    tcase_add_test(cases, k09_a_missing_pod_group_is_created);
    tcase_add_test(cases, k10_the_minimum_of_a_waiting_gang_can_change);
    tcase_add_test(cases, k11_no_resources_and_only_an_asked_for_timeout);
    tcase_add_loop_test(cases, k11_an_illegal_timeout_is_left_out, 0, ITEMS_OF(illegal_timeouts));
    tcase_add_test(cases, k12_every_role_has_the_quota);
    add_rows(cases, k13_a_long_name_is_cut_for_both, long_names, name);
    add_rows(cases, k14_other_marks_are_told, rivals, roles);
    tcase_add_test(cases, k14_an_accepted_mark_is_a_warning);
    tcase_add_test(cases, k15_marks_of_the_scheduler_stay);
    add_rows(cases, releases_are_told, releases, roles, cluster);
}
