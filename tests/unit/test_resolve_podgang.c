/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/decide/decision.h"

#include "unit/grove.h"
#include "unit/squeeze.h"
#include "unit/suite.h"
#include "unit/typed.h"

static const char volcano_queues[] = "apiVersion: policy.libgang.dev/v1alpha1\n"
                                     "kind: GangCluster\n"
                                     "metadata: {name: c}\n"
                                     "spec: {queues: [{name: gpu, type: Volcano}]}\n";

/* `find` becomes `replace` in one of the two documents; this finding must come of it. */
static const struct {
    bool in_set;
    struct document_case finding;
    enum gang_severity severity;
} remarks[] = {
    {false,
     {"scheduler-name: volcano", "scheduler-name: kai", GANG_CODE_SCHEDULER_NOT_ENABLED,
      "metadata.labels[grove.io/scheduler-name]", 8, 30},
     GANG_SEVERITY_ERROR},
    {false,
     {"    name: job\n", "    name: other\n", GANG_CODE_PODCLIQUESET_MISMATCH,
      "metadata.ownerReferences[0]", 11, 5},
     GANG_SEVERITY_ERROR},
    {false,
     {"scheduler-name: volcano", "scheduler-name: default-scheduler",
      GANG_CODE_SCHEDULER_WITHOUT_GANGS, "", 0, 0},
     GANG_SEVERITY_INFO},
    {false,
     {"[job-0-sg-0-decode]", "[nobody]", GANG_CODE_PODGROUP_UNKNOWN,
      "spec.topologyConstraintGroupConfigs[0].podGroupNames[0]", 27, 21},
     GANG_SEVERITY_ERROR},
    {false,
     {"    podGroupNames: [job-0-sg-0-decode]\n",
      "    podGroupNames: [job-0-sg-0-decode]\n  - {name: g, podGroupNames: [job-0-sg-0-decode]}\n",
      GANG_CODE_PODGROUP_IN_TWO_CONFIGS, "spec.topologyConstraintGroupConfigs[1].podGroupNames[0]",
      28, 31},
     GANG_SEVERITY_ERROR},
    {false,
     {"  - name: job-0-sg-0\n", "  - name: job-0-router\n", GANG_CODE_DUPLICATE_ITEM,
      "spec.podgroups[0].name", 19, 11},
     GANG_SEVERITY_ERROR},
    {false, {"  uid: u-gang\n", "", GANG_CODE_NO_OWNER_UID, "", 0, 0}, GANG_SEVERITY_INFO},
    /* ai-dynamo/grove:operator/internal/scheduler/volcano/queue_test.go@fcc3b3bb: missing queue */
    {false,
     {"  labels:\n", "  annotations: {scheduling.grove.io/volcano-queue: nope}\n  labels:\n",
      GANG_CODE_UNKNOWN_QUEUE, "metadata.annotations[scheduling.grove.io/volcano-queue]", 7, 52},
     GANG_SEVERITY_ERROR},
    {true,
     {"        podSpec:\n", "        podSpec:\n          schedulerName: lpx-scheduler\n",
      GANG_CODE_SCHEDULERS_DISAGREE, "spec.template.cliques[1]", 21, 7},
     GANG_SEVERITY_ERROR},
    {true,
     {"        podSpec:\n", "        podSpec:\n          schedulerName: lpx-scheduler\n",
      GANG_CODE_SCHEDULER_MISMATCH, "spec.template.cliques[0].spec.podSpec.schedulerName", 16, 26},
     GANG_SEVERITY_ERROR},
    {true,
     {"  template:\n", "  template:\n    topologyConstraint: {pack: {required: rack}}\n",
      GANG_CODE_GROVE_TOPOLOGY_REFUSED, "spec.template.topologyConstraint", 10, 25},
     GANG_SEVERITY_ERROR},
    {true,
     {"    - name: decode\n",
      "    - name: decode\n      annotations: {scheduling.grove.io/volcano-queue: gpu}\n",
      GANG_CODE_GROVE_QUEUE_CONFLICT,
      "spec.template.cliques[1].annotations[scheduling.grove.io/volcano-queue]", 21, 56},
     GANG_SEVERITY_ERROR},
};

START_TEST(remarks_stand_where_the_fault_is)
{
    const struct document_case *finding = &remarks[_i].finding;
    char text[DOCUMENT_SIZE];
    struct grove_texts texts = {
        .podgang = good_podgang, .podcliqueset = good_podcliqueset, .cluster = volcano_queues};

    NEEDS_YAML();
    with_change(text, remarks[_i].in_set ? good_podcliqueset : good_podgang, finding->find,
                finding->replace);
    if (remarks[_i].in_set)
        texts.podcliqueset = text;
    else
        texts.podgang = text;
    if (remarks[_i].severity != GANG_SEVERITY_ERROR)
        texts.cluster = NULL;
    check_wanted(run_grove(texts), finding, remarks[_i].severity);
}
END_TEST

static const struct {
    const char *label;
    uint32_t flags;
    enum gang_outcome outcome;
    const char *backend;
} outcomes[] = {
    {"volcano", 0, GANG_OUTCOME_GANG, "volcano"},
    {"default-scheduler", 0, GANG_OUTCOME_NO_GANG, NULL},
    {"lpx-scheduler", 0, GANG_OUTCOME_NO_GANG, NULL},
    {"kai", 0, GANG_OUTCOME_INVALID, NULL},
    {"kai", GANG_RESOLVE_FALL_BACK, GANG_OUTCOME_NO_GANG, NULL},
};

START_TEST(outcomes_by_label)
{
    char text[DOCUMENT_SIZE];
    struct run run;

    NEEDS_YAML();
    with_change(text, good_podgang, "volcano", outcomes[_i].label);
    run = run_grove((struct grove_texts){.podgang = text, .flags = outcomes[_i].flags});
    ck_assert_int_eq(gang_decision_get_outcome(run.decision), outcomes[_i].outcome);
    ck_assert_pstr_eq(gang_decision_get_backend(run.decision), outcomes[_i].backend);
    end_run(&run);
}
END_TEST

START_TEST(sums_of_a_gang)
{
    struct run run;
    const struct gang *gang;

    NEEDS_YAML();
    run =
        run_grove((struct grove_texts){.podgang = good_podgang, .podcliqueset = good_podcliqueset});
    gang = &run.decision->gang;
    ck_assert_int_eq(gang->minimum, 3);
    ck_assert_int_eq(gang->members, 5);
    ck_assert_int_eq(gang->pods, 5);
    ck_assert_int_eq(gang->late_members, 0);
    ck_assert_uint_eq(gang->resources.count, 2);
    ck_assert_uint_eq(gang->num_groups, 3);
    end_run(&run);
}
END_TEST

/* The PodCliqueSet alone: its admission, and never a gang. */
START_TEST(a_set_alone_is_judged)
{
    struct run run;

    NEEDS_YAML();
    run = run_grove((struct grove_texts){.podcliqueset = good_podcliqueset});
    ck_assert_int_eq(run.result, GANG_OK);
    ck_assert_int_eq(gang_decision_get_outcome(run.decision), GANG_OUTCOME_NO_GANG);
    ck_slice_eq(run.decision->gang.owner.kind, "PodCliqueSet");
    end_run(&run);
}
END_TEST

/* The Job controller joins only pods of Jobs. */
START_TEST(no_second_gang)
{
    static const char cluster[] =
        "apiVersion: policy.libgang.dev/v1alpha1\nkind: GangCluster\nmetadata: {name: c}\n"
        "spec: {kubernetesVersion: \"1.36\", featureGates: {WorkloadWithJob: true}}\n";
    struct run run;

    NEEDS_YAML();
    run = run_grove((struct grove_texts){.podgang = good_podgang, .cluster = cluster});
    ck_assert_int_eq(run.result, GANG_OK);
    ck_assert_ptr_null(message_of(&run, GANG_CODE_SECOND_GANG));
    end_run(&run);
}
END_TEST

/* Under the layout Aggregate the plan of the base PodGang has the others; without the base there is
 * none. */
static const struct {
    const char *base; /* its name */
    enum gang_outcome outcome;
    enum gang_code code;
} scaled[] = {
    {"job-0", GANG_OUTCOME_NO_GANG, GANG_CODE_IN_AGGREGATE},
    {"job-1", GANG_OUTCOME_INVALID, GANG_CODE_BASE_PODGANG_MISSING},
};

static struct gang_podgang *
scaled_podgang(const char *name)
{
    static const char head[] =
        "apiVersion: scheduler.grove.io/v1alpha1\nkind: PodGang\n"
        "metadata:\n  name: %s\n  labels: {grove.io/scheduler-name: kai-scheduler, "
        "grove.io/podcliqueset-replica-index: \"0\", grove.io/podcliquescalinggroup: sg}\n"
        "  ownerReferences: [{apiVersion: grove.io/v1alpha1, kind: PodCliqueSet, name: job, "
        "uid: u, controller: true}]\nspec: {podgroups: []}\n";
    struct gang_podgang *podgang = NULL;
    char text[DOCUMENT_SIZE];

    snprintf(text, sizeof(text), head, name);
    ck_assert_int_eq(parse_podgang(NULL, text, strlen(text), 0, &podgang, NULL), GANG_OK);
    return podgang;
}

START_TEST(a_scaled_podgang_is_left_to_its_base)
{
    static const char policy_text[] =
        "apiVersion: policy.libgang.dev/v1alpha1\nkind: GangPolicy\n"
        "metadata: {name: p}\n"
        "spec: {backends: [{name: kai, type: KAI, kai: {layout: Aggregate}}]}\n";
    struct gang_podgang *podgangs[2];
    struct gang_podcliqueset *set = NULL;
    struct gang_policy *policy = NULL;
    struct run run = {0};
    char text[DOCUMENT_SIZE];

    NEEDS_YAML();
    podgangs[0] = scaled_podgang("job-0-sg-0");
    podgangs[1] = scaled_podgang(scaled[_i].base);
    with_change(text, good_podcliqueset, "  uid: u-set\n", "  labels: {kai.scheduler/queue: q}\n");
    ck_assert_int_eq(parse_podcliqueset(NULL, text, strlen(text), 0, &set, NULL), GANG_OK);
    ck_assert_int_eq(parse_policy(NULL, policy_text, strlen(policy_text), 0, &policy, NULL),
                     GANG_OK);
    run.result = resolve_with(NULL, podgangs[0], (const void *const[]){podgangs[1], set, policy}, 3,
                              0, &run.decision, &run.error);
    ck_assert_int_eq(gang_decision_get_outcome(run.decision), scaled[_i].outcome);
    ck_assert_ptr_nonnull(message_of(&run, scaled[_i].code));
    end_run(&run);
    unref_podgang(podgangs[0]);
    unref_podgang(podgangs[1]);
    unref_podcliqueset(set);
    unref_policy(policy);
}
END_TEST

static const struct {
    bool has_podgang, has_out;
    uint32_t flags;
    int result;
} misuses[] = {
    {false, true, 0, GANG_ERROR_INVALID_ARGUMENT},
    {true, false, 0, GANG_ERROR_INVALID_ARGUMENT},
    {true, true, 2, GANG_ERROR_UNSUPPORTED_FLAG},
};

START_TEST(misuse_is_refused)
{
    static const char text[] =
        "{\"apiVersion\":\"scheduler.grove.io/v1alpha1\",\"kind\":\"PodGang\",\"metadata\":{"
        "\"name\":\"g\"},\"spec\":{\"podgroups\":[]}}";
    struct gang_podgang *podgang = NULL;
    struct gang_decision *decision = (struct gang_decision *)&podgang;
    struct gang_error *error = NULL;

    ck_assert_int_eq(parse_podgang(NULL, text, strlen(text), 0, &podgang, NULL), GANG_OK);
    ck_assert_int_eq(resolve_podgang_with(NULL, misuses[_i].has_podgang ? podgang : NULL, NULL,
                                          NULL, NULL, misuses[_i].flags,
                                          misuses[_i].has_out ? &decision : NULL, &error),
                     misuses[_i].result);
    ck_assert_ptr_nonnull(error);
    if (misuses[_i].has_out)
        ck_assert_ptr_null(decision);
    gang_error_free(error);
    unref_podgang(podgang);
}
END_TEST

/* Compatibility is with another operator: it changes nothing here. */
START_TEST(compatibility_is_not_for_grove)
{
    static const char policy_text[] =
        "apiVersion: policy.libgang.dev/v1alpha1\nkind: GangPolicy\n"
        "metadata: {name: p}\nspec: {compatibility: KubeflowTrainer}\n";
    struct gang_podgang *podgang = NULL;
    struct gang_policy *policy = NULL;
    struct gang_decision *decision = NULL;

    NEEDS_YAML();
    ck_assert_int_eq(parse_podgang(NULL, good_podgang, strlen(good_podgang), 0, &podgang, NULL),
                     GANG_OK);
    ck_assert_int_eq(parse_policy(NULL, policy_text, strlen(policy_text), 0, &policy, NULL),
                     GANG_OK);
    ck_assert_int_eq(resolve_podgang_with(NULL, podgang, NULL, policy, NULL, 0, &decision, NULL),
                     GANG_OK);
    ck_assert_int_eq(decision->gang.compatibility, COMPATIBILITY_NONE);
    gang_decision_unref(decision);
    unref_policy(policy);
    unref_podgang(podgang);
}
END_TEST

/* Everything of Grove once, so that every part of it runs out of memory once: documents, an
 * aggregate, its plan, a pod. */
#define SCALED(name, more)                                                                         \
    "{\"apiVersion\":\"scheduler.grove.io/"                                                        \
    "v1alpha1\",\"kind\":\"PodGang\",\"metadata\":{\"name\":\"" name                               \
    "\",\"namespace\":\"ml\",\"uid\":\"u\",\"labels\":{\"grove.io/"                                \
    "scheduler-name\":\"kai-scheduler\","                                                          \
    "\"grove.io/podcliqueset-replica-index\":\"0\",\"grove.io/podcliquescalinggroup\":\"sg\"},"    \
    "\"annotations\":{\"grove.io/topology-name\":\"t\"},\"ownerReferences\":[{\"apiVersion\":"     \
    "\"grove.io/"                                                                                  \
    "v1alpha1\",\"kind\":\"PodCliqueSet\",\"name\":\"job\",\"uid\":\"u\",\"controller\":true}]},"  \
    "\"spec\":{\"topologyConstraint\":{\"packConstraint\":{\"required\":\"z\",\"preferred\":"      \
    "\"y\"}}," more "}}"
#define PODGROUP(name) "{\"name\":\"" name "\",\"minReplicas\":1,\"podReferences\":[]}"

static const struct {
    const char *base, *scaled, *set, *topology, *policy, *cluster, *pod;
} crowded = {
    SCALED("job-0",
           "\"podgroups\":[" PODGROUP("job-0-sg-0-a") "," PODGROUP(
               "job-0-b") "],"
                          "\"topologyConstraintGroupConfigs\":[{\"name\":\"c\",\"podGroupNames\":["
                          "\"job-0-sg-0-a\"]}]"),
    SCALED("job-0-sg-0", "\"podgroups\":[" PODGROUP("job-0-sg-1-a") "]"),
    "{\"apiVersion\":\"grove.io/"
    "v1alpha1\",\"kind\":\"PodCliqueSet\",\"metadata\":{\"name\":\"job\",\"namespace\":\"ml\","
    "\"uid\":\"u\"},\"spec\":{\"template\":{\"cliques\":["
    "{\"name\":\"a\",\"labels\":{\"kai.scheduler/"
    "queue\":\"q\"},\"spec\":{\"roleName\":\"a\",\"podSpec\":{\"containers\":"
    "[{\"name\":\"m\",\"resources\":{\"limits\":{\"cpu\":1}}}]}}},"
    "{\"name\":\"b\",\"labels\":{\"kai.scheduler/"
    "queue\":\"q\"},\"spec\":{\"roleName\":\"b\",\"podSpec\":{\"containers\":"
    "[]}}}],\"podCliqueScalingGroups\":[{\"name\":\"sg\",\"cliqueNames\":[\"a\"]}]}}}",
    "{\"apiVersion\":\"grove.io/"
    "v1alpha1\",\"kind\":\"ClusterTopologyBinding\",\"metadata\":{\"name\":\"t\"},"
    "\"spec\":{\"levels\":[{\"domain\":\"z\",\"key\":\"z\"}]}}",
    "{\"apiVersion\":\"policy.libgang.dev/"
    "v1alpha1\",\"kind\":\"GangPolicy\",\"metadata\":{\"name\":\"p\"},"
    "\"spec\":{\"backends\":[{\"name\":\"kai\",\"type\":\"KAI\",\"kai\":{\"layout\":\"Aggregate\"}}"
    "],"
    "\"rules\":[{\"name\":\"r\",\"match\":{},\"resources\":\"RequestsOnly\"}]}}",
    "{\"apiVersion\":\"policy.libgang.dev/"
    "v1alpha1\",\"kind\":\"GangCluster\",\"metadata\":{\"name\":\"c\"},"
    "\"spec\":{\"limitRanges\":[{\"namespace\":\"ml\",\"name\":\"l\",\"limits\":[{\"type\":"
    "\"Container\","
    "\"defaultRequest\":{\"memory\":\"1Gi\"}}]}]}}",
    "{\"apiVersion\":\"v1\",\"kind\":\"Pod\",\"metadata\":{\"name\":\"p\",\"labels\":{\"grove.io/"
    "podgang\":\"job-0\","
    "\"grove.io/podclique\":\"job-0-b\",\"app.kubernetes.io/part-of\":\"job\","
    "\"grove.io/podcliqueset-replica-index\":\"0\"}},\"spec\":{}}",
};

struct crowd {
    struct gang_podgang *podgangs[2];
    struct gang_podcliqueset *set;
    struct gang_topologybinding *topology;
    struct gang_policy *policy;
    struct gang_cluster *cluster;
    struct gang_decision *decision;
};

static int
crowd_read(struct crowd *crowd, const struct gang_context *context, struct gang_error **error)
{
    int result =
        parse_podgang(context, crowded.base, strlen(crowded.base), 0, &crowd->podgangs[0], error);

    if (!result)
        result = parse_podgang(context, crowded.scaled, strlen(crowded.scaled), 0,
                               &crowd->podgangs[1], error);
    if (!result)
        result =
            parse_podcliqueset(context, crowded.set, strlen(crowded.set), 0, &crowd->set, error);
    if (!result)
        result = parse_topologybinding(context, crowded.topology, strlen(crowded.topology), 0,
                                       &crowd->topology, error);
    if (!result)
        result =
            parse_policy(NULL, crowded.policy, strlen(crowded.policy), 0, &crowd->policy, error);
    if (!result)
        result = parse_cluster(NULL, crowded.cluster, strlen(crowded.cluster), 0, &crowd->cluster,
                               error);
    return result;
}

static int
crowd_resolve(struct crowd *crowd, const struct gang_context *context, struct gang_error **error)
{
    const void *const inputs[] = {crowd->podgangs[1], crowd->set, crowd->topology, crowd->policy,
                                  crowd->cluster};

    return resolve_with(context, crowd->podgangs[0], inputs, 5, 0, &crowd->decision, error);
}

static int
crowd_prepare(struct crowd *crowd, const struct gang_context *context, struct gang_error **error)
{
    struct gang_blob *blob = NULL;
    int result = gang_decision_prepare_pod(context, crowd->decision, crowded.pod,
                                           strlen(crowded.pod), GANG_FORMAT_JSON, 0, &blob, error);

    gang_blob_unref(blob);
    return result;
}

static int
crowd_render(struct crowd *crowd, const struct gang_context *context, struct gang_error **error)
{
    struct gang_plan *plan = NULL;
    int result = gang_render(context, crowd->decision, 0, &plan, error);

    gang_plan_unref(plan);
    return result;
}

static void
crowd_free(struct crowd *crowd)
{
    gang_decision_unref(crowd->decision);
    for (int i = 0; i < 2; i++) {
        unref_podgang(crowd->podgangs[i]);
    }
    unref_podcliqueset(crowd->set);
    unref_topologybinding(crowd->topology);
    unref_policy(crowd->policy);
    unref_cluster(crowd->cluster);
}

/* The step that is squeezed stands last; those before it have all the memory they want. */
static int (*const crowd_steps[])(struct crowd *crowd, const struct gang_context *context,
                                  struct gang_error **error) = {crowd_read, crowd_resolve,
                                                                crowd_prepare, crowd_render};

static bool
crowd_squeeze(const struct gang_context *context, const void *input, int *result,
              struct gang_error **error)
{
    const int last = *(const int *)input;
    struct crowd crowd = {.set = NULL};

    *result = GANG_OK;
    for (int i = 0; i <= last && !*result; i++)
        *result = crowd_steps[i](&crowd, i == last ? context : NULL, error);
    crowd_free(&crowd);
    return *result == GANG_OK;
}

START_TEST(ends_cleanly_at_every_limit_of_memory)
{
    const int last = _i;

    ck_assert_int_eq(squeeze(crowd_squeeze, &last), GANG_OK);
}
END_TEST

void
add_tests(TCase *cases)
{
    tcase_add_loop_test(cases, ends_cleanly_at_every_limit_of_memory, 0, COUNT_OF(crowd_steps));
    add_rows(cases, remarks_stand_where_the_fault_is, remarks, in_set, finding.find,
             finding.replace);
    add_rows(cases, outcomes_by_label, outcomes, label, flags);
    tcase_add_test(cases, sums_of_a_gang);
    tcase_add_test(cases, a_set_alone_is_judged);
    tcase_add_test(cases, no_second_gang);
    add_rows(cases, a_scaled_podgang_is_left_to_its_base, scaled, base);
    add_rows(cases, misuse_is_refused, misuses, has_podgang, has_out, flags);
    tcase_add_test(cases, compatibility_is_not_for_grove);
}
