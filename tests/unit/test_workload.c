/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/backend/workload/workload.h"

#include "unit/workloads.h"

/* Three jobs of eight nodes: one role; a launcher that waits for its workers; initializers before
 * the nodes. */
#define ONE_ROLE "node*8@trainer"
#define LATE_LAUNCHER "node*7 launcher@trainer<node:R"
#define LATE_LAUNCHER_HIGH "node*7^high launcher@trainer<node:R^high"
#define INITIALIZERS                                                                               \
    "dataset-initializer@dataset-initializer model-initializer@model-initializer "                 \
    "node*8@trainer<dataset-initializer:C<model-initializer:C"

#define OWNED_BY_JOB                                                                               \
    "{'apiVersion':'trainer.kubeflow.org/"                                                         \
    "v1alpha1','kind':'TrainJob','name':'my-job','uid':'" TRAINJOB_UID                             \
    "','controller':true,'blockOwnerDeletion':true}"
#define OWNED_BY_WORKLOAD(version)                                                                 \
    "{'apiVersion':'" version "','kind':'Workload','name':'my-job','uid':'" WORKLOAD_UID "'}"
#define HEAD(version, kind, name, owners)                                                          \
    "{'apiVersion':'" version "','kind':'" kind "','metadata':{'name':'" name                      \
    "','namespace':'ml','ownerReferences':[" owners "]},'spec':{"
#define WORKLOAD_HEAD(version)                                                                     \
    HEAD(version, "Workload", "my-job", OWNED_BY_JOB)                                              \
    "'controllerRef':{'apiGroup':'trainer.kubeflow.org','kind':'TrainJob','name':'my-job'},"
#define GROUP_HEAD(version, name)                                                                  \
    HEAD(version, "PodGroup", name, OWNED_BY_JOB "," OWNED_BY_WORKLOAD(version))
#define GANG(count) "'schedulingPolicy':{'gang':{'minCount':" count "}}"
#define TEMPLATES(items) "'podGroupTemplates':[" items "]}}\n"
#define OLD_REF(name)                                                                              \
    "'podGroupTemplateRef':{'workload':{'workloadName':'my-job','podGroupTemplateName':'" name     \
    "'}},"
#define REF(name) "'workloadRef':{'workloadName':'my-job','templateName':'" name "'},"
#define TRAINER_GROUP "my-job-trainer-5db777ff55"
#define INITIALIZER_GROUP "my-job-initializer-94cd7f78"
#define MARK(role) role "{group " TRAINER_GROUP "}"

#define RACK "'schedulingConstraints':{'topology':[{'key':'topology.example.com/rack'}]}"
#define WITH_TAS                                                                                   \
    SERVES(V1BETA1, "'workloads','podgroups'")                                                     \
    ",'featureGates':{'GenericWorkload':true,'TopologyAwareWorkloadScheduling':true}"
#define WITH_WAP                                                                                   \
    SERVES(V1ALPHA2, "'workloads','podgroups'")                                                    \
    ",'featureGates':{'GenericWorkload':true,'GangScheduling':true,'WorkloadAwarePreemption':"     \
    "true}"

/* v1alpha1 identifies the groups of a Workload by its name and theirs. */
#define EMBEDDED(count)                                                                            \
    WORKLOAD_HEAD(V1ALPHA1)                                                                        \
    "'podGroups':[{'name':'trainer','policy':{'gang':{'minCount':" count "}}}]}}\n"
/* From v1alpha2 on the PodGroup repeats its template. */
#define STANDALONE(version, reference, body)                                                       \
    WORKLOAD_HEAD(version)                                                                         \
    TEMPLATES("{'name':'trainer'," body "}")                                                       \
    GROUP_HEAD(version, TRAINER_GROUP) reference body "}}\n"

#define BASIC_INITIALIZERS                                                                         \
    WORKLOAD_HEAD(V1BETA1)                                                                         \
    TEMPLATES(                                                                                     \
        "{'name':'trainer'," GANG("8") "},{'name':'initializer','schedulingPolicy':{'basic':{}}}") \
    GROUP_HEAD(V1BETA1, TRAINER_GROUP)                                                             \
    REF("trainer")                                                                                 \
    GANG("8")                                                                                      \
    "}}\n" GROUP_HEAD(V1BETA1, INITIALIZER_GROUP)                                                  \
        REF("initializer") "'schedulingPolicy':{'basic':{}}}}\n"

/* Accepted unchanged by kube-apiserver 1.35.4, 1.36.3 and 1.37.1. */
static const struct {
    struct workload_case job;
    const char *plan;
} worked[] = {
    {{ONE_ROLE, NULL, GOOD_1_35, NULL, TRAINJOB_UID, WORKLOAD_UID, NULL},
     EMBEDDED("8") "node{ref my-job/trainer}"},
    {{LATE_LAUNCHER, NULL, GOOD_1_35, NULL, TRAINJOB_UID, WORKLOAD_UID, NULL},
     EMBEDDED("7") "node{ref my-job/trainer}launcher{ref my-job/trainer}"},
    {{INITIALIZERS, NULL, GOOD_1_35, NULL, TRAINJOB_UID, WORKLOAD_UID, NULL},
     EMBEDDED("8") "node{ref my-job/trainer}"},
    {{ONE_ROLE, NULL, GOOD_1_36, NULL, TRAINJOB_UID, WORKLOAD_UID, NULL},
     STANDALONE(V1ALPHA2, OLD_REF("trainer"), GANG("8")) MARK("node")},
    {{LATE_LAUNCHER_HIGH, "{'disruptionMode':'All'}", WITH_WAP, NULL, TRAINJOB_UID, WORKLOAD_UID,
      NULL},
     STANDALONE(V1ALPHA2, OLD_REF("trainer"),
                GANG("7") ",'disruptionMode':'PodGroup','priorityClassName':'high'") MARK("node")
         MARK("launcher")},
    {{INITIALIZERS, NULL, GOOD_1_36, NULL, TRAINJOB_UID, WORKLOAD_UID, NULL},
     STANDALONE(V1ALPHA2, OLD_REF("trainer"), GANG("8")) MARK("node")},
    {{ONE_ROLE, "{'topologyKey':'topology.example.com/rack'}", WITH_TAS, NULL, TRAINJOB_UID,
      WORKLOAD_UID, NULL},
     STANDALONE(V1BETA1, REF("trainer"), GANG("8") "," RACK) MARK("node")},
    {{LATE_LAUNCHER_HIGH, "{'disruptionMode':'All'}", GOOD_1_37, NULL, TRAINJOB_UID, WORKLOAD_UID,
      NULL},
     STANDALONE(V1BETA1, REF("trainer"),
                GANG("7") ",'disruptionMode':{'all':{}},'priorityClassName':'high'") MARK("node")
         MARK("launcher")},
    {{INITIALIZERS, "{'initializers':'Basic'}", GOOD_1_37, NULL, TRAINJOB_UID, WORKLOAD_UID, NULL},
     BASIC_INITIALIZERS "dataset-initializer{group " INITIALIZER_GROUP
                        "}model-initializer{group " INITIALIZER_GROUP "}" MARK("node")},
    /* the default renders only the half of the trainer */
    {{INITIALIZERS, NULL, GOOD_1_37, NULL, TRAINJOB_UID, WORKLOAD_UID, NULL},
     STANDALONE(V1BETA1, REF("trainer"), GANG("8")) MARK("node")},
};

START_TEST(renders_the_worked_examples)
{
    struct workload_run run;

    workload_open(&run, &worked[_i].job);
    workload_findings(&run);
    ck_assert_msg(!report_has_errors(&run.job.report), "%s", job_findings(&run.job));
    ck_assert_str_eq(workload_text(&run), workload_quoted(run.job.arena, worked[_i].plan));
    workload_close(&run);
}
END_TEST

static char *
replace_all(const char *text, const char *old, const char *new)
{
    char *out = calloc(1, 16384);

    for (const char *at; (at = strstr(text, old)); text = at + strlen(old)) {
        strncat(out, text, (size_t)(at - text));
        strcat(out, new);
    }
    return strcat(out, text);
}

/* The cluster of a case with v1alpha3 in place of v1beta1. */
START_TEST(v1alpha3_equals_v1beta1)
{
    struct workload_case other = worked[_i].job;
    char *cluster = replace_all(other.cluster, "v1beta1", "v1alpha3");
    char *plan =
        replace_all(worked[_i].plan, "scheduling.k8s.io/v1beta1", "scheduling.k8s.io/v1alpha3");
    struct workload_run run;

    other.cluster = cluster;
    workload_open(&run, &other);
    ck_assert_str_eq(workload_text(&run), workload_quoted(run.job.arena, plan));
    workload_close(&run);
    free(cluster);
    free(plan);
}
END_TEST

/* Launcher and nodes for numNodes 8: only the first wave counts. */
static const struct {
    const char *roles;
    const char *minimum;
    bool launcher_is_late;
} mpi[] = {
    {"node*7 launcher@trainer<node:R", "7", true},
    {"node*7@trainer launcher@trainer", "8", false},
    {"node*8@trainer launcher@trainer<node:R", "8", true},
    {"node*8@trainer launcher@trainer", "9", false},
};

static const char *const served[] = {GOOD_1_35, GOOD_1_36, GOOD_1_37_OF(V1ALPHA3), GOOD_1_37};

START_TEST(counts_mpi_by_its_first_wave)
{
    struct workload_case job = {
        mpi[_i / 4].roles, NULL, served[_i % 4], NULL, TRAINJOB_UID, NULL, NULL};
    struct workload_run run;
    const char *minimum;
    const char *text;
    size_t found = 0;

    workload_open(&run, &job);
    text = workload_text(&run);
    minimum = workload_quoted(run.job.arena,
                              arena_format(run.job.arena, "'minCount':%s}", mpi[_i / 4].minimum));
    for (const char *at = text; (at = strstr(at, "\"minCount\"")); at++, found++)
        ck_assert(strncmp(at, minimum, strlen(minimum)) == 0);
    ck_assert_uint_eq(found, _i % 4 == 0 ? 1 : 2);
    ck_assert_int_eq(strstr(workload_findings(&run), "LateMemberUnreserved") != NULL,
                     mpi[_i / 4].launcher_is_late);
    workload_close(&run);
}
END_TEST

/* Without uids: no owners, and a name that the Job controller would give. */
START_TEST(renders_without_uids)
{
    const struct workload_case job = {ONE_ROLE, NULL, GOOD_1_37, NULL, NULL, NULL, NULL};
    struct workload_run run;

    workload_open(&run, &job);
    ck_assert_str_eq(workload_findings(&run), "NameNotFinal WorkloadUidNeeded");
    ck_assert_int_eq(job_finding(&run.job, GANG_CODE_NAME_NOT_FINAL)->document,
                     GANG_DOCUMENT_TRAINJOB);
    ck_assert_ptr_null(strstr(workload_text(&run), "ownerReferences"));
    ck_assert_ptr_nonnull(strstr(workload_text(&run), "node{group my-job-trainer-6797d4c558}"));
    workload_close(&run);
}
END_TEST

/* Without hashes no name depends on the uid. */
START_TEST(plain_names_of_v1alpha1_need_no_uid)
{
    const struct workload_case job = {ONE_ROLE, NULL, GOOD_1_35, NULL, NULL, NULL, NULL};
    struct workload_run run;

    workload_open(&run, &job);
    ck_assert_str_eq(workload_findings(&run), "");
    ck_assert_ptr_nonnull(strstr(workload_text(&run), "node{ref my-job/trainer}"));
    workload_close(&run);
}
END_TEST

/* The Workload owns its PodGroups as soon as its uid is known, also when the job's is not. */
START_TEST(renders_in_two_phases)
{
    static const struct {
        const char *uid;
        const char *created;
        const char *owners;
    } phases[] = {
        {TRAINJOB_UID, NULL, "'ownerReferences':[" OWNED_BY_JOB "]},'spec':{'workloadRef'"},
        {TRAINJOB_UID, WORKLOAD_UID,
         "'ownerReferences':[" OWNED_BY_JOB
         "," OWNED_BY_WORKLOAD(V1BETA1) "]},'spec':{'workloadRef'"},
        {NULL, WORKLOAD_UID,
         "'ownerReferences':[" OWNED_BY_WORKLOAD(V1BETA1) "]},'spec':{'workloadRef'"},
    };

    for (int i = 0; i < ITEMS_OF(phases); i++) {
        const struct workload_case job = {ONE_ROLE,          NULL, GOOD_1_37, NULL, phases[i].uid,
                                          phases[i].created, NULL};
        struct workload_run run;

        workload_open(&run, &job);
        ck_assert_ptr_nonnull(
            strstr(workload_text(&run), workload_quoted(run.job.arena, phases[i].owners)));
        workload_close(&run);
    }
}
END_TEST

/* The group's name must outlive an upgrade: pod templates cannot be changed. */
START_TEST(no_version_changes_a_name)
{
    static const char group[] = "node{group " TRAINER_GROUP "}";

    for (int i = 1; i < ITEMS_OF(served); i++) {
        const struct workload_case job = {ONE_ROLE,     NULL, served[i], NULL,
                                          TRAINJOB_UID, NULL, NULL};
        struct workload_run run;

        workload_open(&run, &job);
        ck_assert_ptr_nonnull(strstr(workload_text(&run), group));
        workload_close(&run);
    }
}
END_TEST

START_TEST(renders_the_same_twice)
{
    struct workload_run run;
    const char *first;

    workload_open(&run, &worked[_i].job);
    first = workload_text(&run);
    ck_assert_str_eq(first, workload_text(&run));
    workload_close(&run);
}
END_TEST

/* nameStyle Hashed hashes the uid; without one, the name alone. */
START_TEST(hashes_the_workload_on_request)
{
    static const struct {
        const char *uid;
        const char *cluster;
        const char *name;
        const char *findings;
    } styles[] = {
        {TRAINJOB_UID, GOOD_1_37, "'workloadName':'my-job-685dcb5bdf'", "WorkloadUidNeeded"},
        {TRAINJOB_UID, GOOD_1_35, "'name':'my-job-685dcb5bdf'", ""},
        {NULL, GOOD_1_35, "'kind':'Workload','metadata':{'name':'my-job-", "NameNotFinal"},
    };

    for (int i = 0; i < ITEMS_OF(styles); i++) {
        const struct workload_case job = {
            ONE_ROLE, "{'nameStyle':'Hashed'}", styles[i].cluster, NULL, styles[i].uid, NULL, NULL};
        struct workload_run run;

        workload_open(&run, &job);
        ck_assert_str_eq(workload_findings(&run), styles[i].findings);
        ck_assert_ptr_nonnull(
            strstr(workload_text(&run), workload_quoted(run.job.arena, styles[i].name)));
        workload_close(&run);
    }
}
END_TEST

/* A scheduler of another name is set; Kubernetes' own needs no word. */
START_TEST(sets_only_another_scheduler)
{
    const struct workload_case job = {
        "d@dataset-initializer node@trainer<d:C", NULL, GOOD_1_37, NULL, TRAINJOB_UID, NULL, NULL};
    struct workload_run run;

    workload_open(&run, &job);
    ck_assert_ptr_null(strstr(workload_text(&run), "scheduler "));
    run.job.wishes->scheduler_name = SLICE("second-profile");
    ck_assert_ptr_nonnull(strstr(workload_text(&run), "d{scheduler second-profile;}"));
    ck_assert_ptr_nonnull(strstr(workload_findings(&run), "SchedulerNameSet"));
    workload_close(&run);
}
END_TEST

START_TEST(loses_queue_timeout_and_tiers)
{
    const struct workload_case job = {ONE_ROLE, NULL, GOOD_1_37, NULL, TRAINJOB_UID, NULL, NULL};
    struct workload_run run;
    struct gang *gang = &run.job.gang;

    workload_open(&run, &job);
    gang->queue = SLICE("research");
    gang->has_timeout = true;
    gang->timeout_seconds = 120;
    gang->topology.is_set = true;
    gang->topology.mode = SLICE("hard");
    gang->queue_source = gang->timeout_source = gang->topology.source =
        gang->wishes->owner.name_source;
    ck_assert_str_eq(workload_findings(&run), "FieldLost FieldLost FieldLost WorkloadUidNeeded");
    ck_assert_uint_eq(workload_render_all(&run).num_losses, 3);
    workload_close(&run);
}
END_TEST

/* A policy's setting names a tier of Volcano or the key of a label; only a key that must hold has a
 * place. */
START_TEST(takes_a_level_as_its_key)
{
    static const struct {
        const char *mode;
        const char *level;
        bool has_tier;
        bool rendered;
        const char *findings;
    } levels[] = {
        {"hard", "rack", false, true, "NotChecked WorkloadUidNeeded"},
        {"soft", "rack", false, false, "FieldLost WorkloadUidNeeded"},
        {"hard", "2", true, false, "FieldLost WorkloadUidNeeded"},
        {"hard", NULL, false, false, "FieldLost WorkloadUidNeeded"},
    };

    for (int i = 0; i < ITEMS_OF(levels); i++) {
        const struct workload_case job = {ONE_ROLE,     NULL, GOOD_1_37, NULL,
                                          TRAINJOB_UID, NULL, NULL};
        struct workload_run run;

        workload_open(&run, &job);
        run.job.gang.topology = (struct gang_topology){.is_set = true,
                                                       .mode = slice_from_text(levels[i].mode),
                                                       .level = slice_from_text(levels[i].level),
                                                       .has_tier = levels[i].has_tier,
                                                       .source = run.job.wishes->owner.name_source};
        ck_assert_str_eq(workload_findings(&run), levels[i].findings);
        ck_assert_int_eq(strstr(workload_text(&run), "\"topology\":[{\"key\":\"rack\"}]") != NULL,
                         levels[i].rendered);
        ck_assert_uint_eq(workload_render_all(&run).num_losses, !levels[i].rendered);
        workload_close(&run);
    }
}
END_TEST

/* Only live pods count, so a retried one waits for pods that have ended. */
START_TEST(reports_that_retried_pods_wait)
{
    const struct workload_case job = {"node*8@trainer~", NULL, GOOD_1_37, NULL,
                                      TRAINJOB_UID,      NULL, NULL};
    struct workload_run run;

    workload_open(&run, &job);
    ck_assert_str_eq(workload_findings(&run), "RetriedPodWaits WorkloadUidNeeded");
    workload_close(&run);
}
END_TEST

/* An owner without a group, as of the core API. */
START_TEST(refers_to_a_controller_without_a_group)
{
    const struct workload_case job = {ONE_ROLE, NULL, GOOD_1_37, NULL, TRAINJOB_UID, NULL, NULL};
    struct workload_run run;

    workload_open(&run, &job);
    run.job.wishes->owner.api_version = SLICE("v1");
    ck_assert_ptr_nonnull(strstr(workload_text(&run), "\"controllerRef\":{\"kind\":\"TrainJob\""));
    workload_close(&run);
}
END_TEST

/* Each kind of priority: 1.35 leaves it to the pods, 1.36 needs a gate, 1.37 has it. */
static const struct {
    const char *cluster;
    const char *facts;
    bool rendered;
    const char *findings;
    size_t losses;
} priorities[] = {
    {GOOD_1_35, "", false, "", 0},
    {GOOD_1_36, "", true, "NotChecked WorkloadUidNeeded", 0},
    {WITH_WAP ",'podTemplateFields':['schedulingGroup']", "", true, "WorkloadUidNeeded", 0},
    {SERVES(V1ALPHA2,
            "'workloads','podgroups'") ",'podTemplateFields':['schedulingGroup'],'featureGates':{"
                                       "'GenericWorkload':true,'GangScheduling':true,"
                                       "'WorkloadAwarePreemption':false}",
     "", false, "GatedFieldLost WorkloadUidNeeded", 1},
    {GOOD_1_37, "", true, "WorkloadUidNeeded", 0},
    {GOOD_1_37, ",'priorityClasses':[]", true, "WorkloadUidNeeded", 0},
    {GOOD_1_37, ",'priorityClasses':[{'name':'high','value':7}]", true, "WorkloadUidNeeded", 0},
};

START_TEST(renders_priority_in_versions_that_have_it)
{
    char facts[2048];
    const struct workload_case job = {"node*8@trainer^high", NULL, facts, NULL,
                                      TRAINJOB_UID,          NULL, NULL};
    struct workload_run run;

    strcat(strcpy(facts, priorities[_i].cluster), priorities[_i].facts);
    workload_open(&run, &job);
    ck_assert_str_eq(workload_findings(&run), priorities[_i].findings);
    ck_assert_int_eq(strstr(workload_text(&run), "priorityClassName") != NULL,
                     priorities[_i].rendered);
    ck_assert_uint_eq(workload_render_all(&run).num_losses, priorities[_i].losses);
    workload_close(&run);
}
END_TEST

#define POLICY_GATE(state)                                                                         \
    SERVES(V1BETA1, "'workloads','podgroups'")                                                     \
    ",'podTemplateFields':['schedulingGroup'],'featureGates':{'GenericWorkload':true,"             \
    "'PodGroupPreemptionPolicy':" state "}"
#define NO_POLICY_GATE GOOD_1_37
#define NEVER_CLASS ",'priorityClasses':[{'name':'high','value':7,'preemptionPolicy':'Never'}]"
#define NEVER_BY_DEFAULT                                                                           \
    ",'priorityClasses':[{'name':'low','value':1,'preemptionPolicy':'Never','globalDefault':true}" \
    "]"
#define POLITE_CLASS ",'priorityClasses':[{'name':'high','value':7}]"

/* With the gate on, 1.37 answers 403 to a PodGroup whose value differs from its class. */
static const struct {
    const char *roles;
    const char *options;
    const char *cluster;
    bool never;
    const char *findings;
} preemptions[] = {
    {"node^high", NULL, POLICY_GATE("true") NEVER_CLASS, true, "WorkloadUidNeeded"},
    {"node^high", NULL, POLICY_GATE("false") NEVER_CLASS, false, "WorkloadUidNeeded"},
    {"node^high", NULL, NO_POLICY_GATE NEVER_CLASS, true, "WorkloadUidNeeded"},
    {"node^high", NULL, POLICY_GATE("true") POLITE_CLASS, false, "WorkloadUidNeeded"},
    {"node", NULL, POLICY_GATE("true") NEVER_BY_DEFAULT, true, "WorkloadUidNeeded"},
    {"node", NULL, POLICY_GATE("true"), false, "WorkloadUidNeeded"},
    {"node^high", NULL, GOOD_1_36 NEVER_CLASS, false, "NotChecked WorkloadUidNeeded"},
    {"node^high", "{'preemptionPolicy':'Never'}", POLICY_GATE("true") NEVER_CLASS, true,
     "WorkloadUidNeeded"},
    {"node^high", "{'preemptionPolicy':'Never'}", POLICY_GATE("true"), true,
     "NotChecked WorkloadUidNeeded"},
    {"node^high", "{'preemptionPolicy':'Never'}", POLICY_GATE("true") POLITE_CLASS, true,
     "PreemptionMismatch WorkloadUidNeeded"},
    {"node^high", "{'preemptionPolicy':'PreemptLowerPriority'}", POLICY_GATE("true") NEVER_CLASS,
     false, "PreemptionMismatch WorkloadUidNeeded"},
    {"node", "{'preemptionPolicy':'Never'}", POLICY_GATE("true") ",'priorityClasses':[]", true,
     "PreemptionMismatch WorkloadUidNeeded"},
    /* kubernetes/kubernetes:pkg/registry/scheduling/podgroup/strategy.go@v1.38.0-beta.0 drops no
     * preemptionPolicy, and there is no gate for it */
    {"node^high", "{'preemptionPolicy':'Never'}",
     NO_POLICY_GATE NEVER_CLASS ",'kubernetesVersion':'1.37.2'", true,
     "NotChecked WorkloadUidNeeded"},
    {"node^high", "{'preemptionPolicy':'Never'}",
     NO_POLICY_GATE NEVER_CLASS ",'kubernetesVersion':'1.38.0'", true, "WorkloadUidNeeded"},
    {"node", "{'preemptionPolicy':'Never'}", POLICY_GATE("false"), false,
     "GatedFieldLost WorkloadUidNeeded"},
    {"node", "{'preemptionPolicy':'Never'}", NO_POLICY_GATE, true,
     "NotChecked NotChecked WorkloadUidNeeded"},
    {"node", "{'preemptionPolicy':'Never'}", GOOD_1_36, false,
     "FieldNotInVersion WorkloadUidNeeded"},
    {"node", "{'preemptionPolicy':'Never'}", GOOD_1_35, false, "FieldNotInVersion"},
};

START_TEST(uses_preemption_policy_of_the_class)
{
    const struct workload_case job = {preemptions[_i].roles,
                                      preemptions[_i].options,
                                      preemptions[_i].cluster,
                                      NULL,
                                      TRAINJOB_UID,
                                      NULL,
                                      NULL};
    struct workload_run run;

    workload_open(&run, &job);
    ck_assert_str_eq(workload_findings(&run), preemptions[_i].findings);
    ck_assert_int_eq(strstr(workload_text(&run), "\"preemptionPolicy\":\"Never\"") != NULL,
                     preemptions[_i].never);
    workload_close(&run);
}
END_TEST

#define CLAIM "'resourceClaims':[{'name':'gpu','resourceClaimTemplateName':'gpus'}]"
#define DRA(state)                                                                                 \
    SERVES(V1ALPHA2, "'workloads','podgroups'")                                                    \
    ",'podTemplateFields':['schedulingGroup'],'featureGates':{'GenericWorkload':true,'"            \
    "GangScheduling':true,"                                                                        \
    "'DRAWorkloadResourceClaims':" state ",'TopologyAwareWorkloadScheduling':" state               \
    ",'WorkloadAwarePreemption':" state "}"

/* What a policy asks for on every group, against every version. */
static const struct {
    const char *options;
    const char *cluster;
    const char *rendered; /* NULL: nowhere */
    const char *findings;
    const char *loss; /* NULL: none */
} optional_fields[] = {
    {"{'topologyKey':'rack'}", GOOD_1_35, NULL, "FieldNotInVersion", NULL},
    {"{'disruptionMode':'Single'}", GOOD_1_35, NULL, "FieldNotInVersion", NULL},
    {"{'topologyKey':'rack'}", DRA("true"), "'schedulingConstraints':{'topology':[{'key':'rack'}]}",
     "WorkloadUidNeeded", NULL},
    {"{'topologyKey':'rack'}", DRA("false"), NULL, "GatedFieldLost WorkloadUidNeeded",
     "schedulingConstraints=rack"},
    {"{'topologyKey':'rack'}", GOOD_1_36, "'schedulingConstraints':{'topology':[{'key':'rack'}]}",
     "NotChecked WorkloadUidNeeded", NULL},
    {"{'topologyKey':'rack'}", NULL, "'schedulingConstraints':{'topology':[{'key':'rack'}]}",
     "WorkloadUidNeeded", NULL},
    {"{'topologyKey':'no key'}", DRA("true"), "'key':'no key'", "InvalidLabelKey WorkloadUidNeeded",
     NULL},
    {"{'disruptionMode':'Single'}", DRA("true"), "'disruptionMode':'Pod'", "WorkloadUidNeeded",
     NULL},
    {"{'disruptionMode':'All'}", DRA("false"), NULL, "GatedFieldLost WorkloadUidNeeded",
     "disruptionMode=All"},
    {"{'disruptionMode':'Single'}", GOOD_1_37, "'disruptionMode':{'single':{}}",
     "WorkloadUidNeeded", NULL},
    {"{" CLAIM "}", GOOD_1_35, NULL, "ClaimMismatch FieldNotInVersion", NULL},
    {"{" CLAIM "}", DRA("true"), CLAIM, "ClaimMismatch WorkloadUidNeeded", NULL},
    {"{" CLAIM "}", DRA("false"), NULL, "ClaimMismatch GatedFieldLost WorkloadUidNeeded",
     "resourceClaims=gpu"},
    {"{'resourceClaims':[{'name':'gpu'}]}", DRA("true"), "'resourceClaims':[{'name':'gpu'}]",
     "SchedulingUnion ClaimMismatch WorkloadUidNeeded", NULL},
};

START_TEST(renders_fields_that_the_version_has)
{
    const struct workload_case job = {ONE_ROLE,
                                      optional_fields[_i].options,
                                      optional_fields[_i].cluster,
                                      NULL,
                                      TRAINJOB_UID,
                                      NULL,
                                      NULL};
    struct workload_run run;
    struct plan_content content;

    workload_open(&run, &job);
    ck_assert_str_eq(workload_findings(&run), optional_fields[_i].findings);
    if (optional_fields[_i].rendered)
        ck_assert_ptr_nonnull(strstr(workload_text(&run),
                                     workload_quoted(run.job.arena, optional_fields[_i].rendered)));
    else
        for (int field = 0; field < WORKLOAD_FIELD_COUNT; field++)
            ck_assert_ptr_null(strstr(workload_text(&run), workload_field_names[field].data));
    content = workload_render_all(&run);
    ck_assert_uint_eq(content.num_losses, optional_fields[_i].loss != NULL);
    if (optional_fields[_i].loss)
        ck_assert_str_eq(arena_format(run.job.arena, "%.*s=%.*s",
                                      SLICE_ARG(content.losses[0].field),
                                      SLICE_ARG(content.losses[0].value)),
                         optional_fields[_i].loss);
    workload_close(&run);
}
END_TEST

#define SUBGROUP(name, minimum, roles)                                                             \
    "{'name':'" name "','minimum':" minimum ",'roles':[" roles "],'subgroups':[]}"
#define TWO_ROLES "ps*2 worker*4@trainer"
#define SERVES_COMPOSITES SERVES(V1ALPHA3, "'workloads','podgroups','compositepodgroups'")
/* FNV-1a-32 of <uid>/ps is 178950175, of <uid>/worker 3633181052, of <uid>/gang 3104867585. */
#define PS_GROUP "my-job-ps-5cdf945c9"
#define WORKER_GROUP "my-job-worker-7b775d5496"

/* A version that a policy pins is judged as one that is picked: nothing is rendered for a server
 * that has it no more. */
static const struct {
    const char *facts; /* NULL: no cluster */
    const char *pinned;
    const char *findings;
} pins[] = {
    {GOOD_1_36, V1ALPHA2, "LateMembers"},
    {GOOD_1_37, V1ALPHA2, "LateMembers NotServed"},
    {SERVES(V1ALPHA2, "'workloads'"), V1ALPHA2, "LateMembers NotServed"},
    {"'kubernetesVersion':'1.37'", V1ALPHA2, "LateMembers NotServed"},
    {"'kubernetesVersion':'1.36'", V1ALPHA2, "LateMembers NotChecked"},
    {NULL, V1ALPHA1, "LateMembers NotChecked"},
};

START_TEST(checks_a_pinned_version)
{
    const struct workload_case job = {LATE_LAUNCHER, NULL, pins[_i].facts, NULL,
                                      TRAINJOB_UID,  NULL, pins[_i].pinned};
    struct workload_run run;

    workload_open(&run, &job);
    ck_assert_str_eq(job_findings(&run.job), pins[_i].findings);
    ck_slice_eq(run.call.api_version, pins[_i].pinned);
    workload_close(&run);
}
END_TEST

#define LEVELS(items) "{'replicatedJobs':[" items "]}"
#define LEVEL(names, more) "{'targetReplicatedJobs':[" names "]" more "}"
#define BASIC_POLICY "'schedulingPolicy':{'basic':{}}"

/*
 * How the plan shows a gang: by the name that its pods see, several groups by the name of their
 * Workload, and by the pods that wait for one another at the start, of which a basic group has
 * none.
 */
static const struct {
    const char *roles;
    const char *options;
    const char *cluster;
    const char *scheduling;
    const char *name;
    int64_t minimum;
    const char *subgroups;
} shown[] = {
    {ONE_ROLE, NULL, GOOD_1_37, NULL, TRAINER_GROUP, 8, "[]"},
    {ONE_ROLE, NULL, GOOD_1_35, NULL, "my-job", 8, "[]"},
    {LATE_LAUNCHER, NULL, GOOD_1_37, NULL, TRAINER_GROUP, 7, "[]"},
    {INITIALIZERS, "{'initializers':'Basic'}", GOOD_1_37, NULL, TRAINER_GROUP, 8, "[]"},
    {ONE_ROLE, NULL, GOOD_1_37, "{" BASIC_POLICY "}", TRAINER_GROUP, 0, "[]"},
    {ONE_ROLE, NULL, GOOD_1_35, "{" BASIC_POLICY "}", "my-job", 0, "[]"},
    {TWO_ROLES, "{'groups':'Role'}", GOOD_1_37, NULL, "my-job", 6,
     "[" SUBGROUP(PS_GROUP, "2", "'ps'") "," SUBGROUP(WORKER_GROUP, "4", "'worker'") "]"},
    {TWO_ROLES, "{'groups':'Role'}", GOOD_1_35, NULL, "my-job", 6,
     "[" SUBGROUP("ps", "2", "'ps'") "," SUBGROUP("worker", "4", "'worker'") "]"},
    {TWO_ROLES, "{'groups':'Role','composite':'WhereServed'}", SERVES_COMPOSITES, NULL,
     "my-job-gang-7548dbc9d9", 6,
     "[" SUBGROUP(PS_GROUP, "2", "'ps'") "," SUBGROUP(WORKER_GROUP, "4", "'worker'") "]"},
    {TWO_ROLES, NULL, GOOD_1_37, LEVELS(LEVEL("'ps'", "," BASIC_POLICY) "," LEVEL("'worker'", "")),
     WORKER_GROUP, 4, "[]"},
    {TWO_ROLES, NULL, GOOD_1_37,
     LEVELS(LEVEL("'ps'", ",'job':{" BASIC_POLICY "}") "," LEVEL("'worker'",
                                                                 ",'job':{" BASIC_POLICY "}")),
     PS_GROUP, 0, "[]"},
    /* a group that needs no pod is left out: a minCount is at least 1 */
    {"ps*2 worker*4@trainer idle*0 spare*3%0", "{'groups':'Role'}", GOOD_1_35, NULL, "my-job", 6,
     "[" SUBGROUP("ps", "2", "'ps'") "," SUBGROUP("worker", "4", "'worker'") "]"},
    /* a later group holds no pods at the start */
    {"ps*2 worker*4@trainer eval<worker:R", "{'groups':'Role'}", GOOD_1_35, NULL, "my-job", 6,
     "[" SUBGROUP("ps", "2", "'ps'") "," SUBGROUP("worker", "4", "'worker'") "," SUBGROUP(
         "eval", "1", "'eval'") "]"},
    {"ps*2 worker*4@trainer log", NULL, GOOD_1_35,
     LEVELS(LEVEL("'ps'", "") "," LEVEL("'worker'", "") "," LEVEL("'log'", "," BASIC_POLICY)),
     "my-job", 6, "[" SUBGROUP("ps", "2", "'ps'") "," SUBGROUP("worker", "4", "'worker'") "]"},
    /* each of two groups counts its own first wave: the roles a1 and a2 do not wait for each other
     */
    {"a1@trainer b1 a2<b1:R b2", NULL, GOOD_1_35,
     LEVELS(LEVEL("'a1','a2'", "") "," LEVEL("'b1'", "") "," LEVEL("'b2'", "")), "my-job", 4, NULL},
};

START_TEST(the_plan_shows_its_groups)
{
    const struct workload_case job = {shown[_i].roles,
                                      shown[_i].options,
                                      shown[_i].cluster,
                                      shown[_i].scheduling,
                                      TRAINJOB_UID,
                                      NULL,
                                      NULL};
    struct workload_run run;
    struct builder list;

    workload_open(&run, &job);
    ck_slice_eq(workload_backend.group_name(&run.call, run.job.arena), shown[_i].name);
    ck_assert_int_eq(workload_backend.count_minimum(&run.call), shown[_i].minimum);
    list = build_list(run.job.arena);
    workload_backend.list_subgroups(&run.call, &list);
    if (shown[_i].subgroups)
        ck_assert_str_eq(job_print(run.job.arena, list.node),
                         workload_quoted(run.job.arena, shown[_i].subgroups));
    workload_close(&run);
}
END_TEST

void
add_tests(TCase *cases)
{
    add_rows(cases, checks_a_pinned_version, pins, facts, pinned);
    add_rows(cases, the_plan_shows_its_groups, shown, roles, options, cluster);
    add_rows(cases, renders_the_worked_examples, worked, job.roles, job.options, job.cluster);
    tcase_add_loop_test(cases, v1alpha3_equals_v1beta1, 6, ITEMS_OF(worked));
    tcase_add_loop_test(cases, counts_mpi_by_its_first_wave, 0, 4 * ITEMS_OF(mpi));
    tcase_add_test(cases, renders_without_uids);
    tcase_add_test(cases, plain_names_of_v1alpha1_need_no_uid);
    tcase_add_test(cases, renders_in_two_phases);
    tcase_add_test(cases, no_version_changes_a_name);
    add_rows(cases, renders_the_same_twice, worked, job.roles, job.options, job.cluster);
    tcase_add_test(cases, hashes_the_workload_on_request);
    tcase_add_test(cases, sets_only_another_scheduler);
    tcase_add_test(cases, loses_queue_timeout_and_tiers);
    tcase_add_test(cases, takes_a_level_as_its_key);
    tcase_add_test(cases, reports_that_retried_pods_wait);
    tcase_add_test(cases, refers_to_a_controller_without_a_group);
    add_rows(cases, renders_priority_in_versions_that_have_it, priorities, cluster, facts,
             rendered);
    add_rows(cases, uses_preemption_policy_of_the_class, preemptions, roles, options, cluster);
    add_rows(cases, renders_fields_that_the_version_has, optional_fields, options, cluster,
             rendered);
}
