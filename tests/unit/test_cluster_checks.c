/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/decide/decision.h"

#include "unit/job_decisions.h"
#include "unit/plans.h"
#include "unit/suite.h"
#include "unit/typed.h"

/* A cluster in which all is well for the plain runtime, with either backend. */
static const char good_facts[] =
    "{'apiVersion': 'policy.libgang.dev/v1alpha1', 'kind': 'GangCluster', 'metadata': {'name': "
    "'lab'},\n"
    " 'spec': {'kubernetesVersion': '1.36',\n"
    "  'servedVersions': [{'groupVersion': 'scheduling.x-k8s.io/v1alpha1', 'resources': "
    "['podgroups']},\n"
    "                     {'groupVersion': 'scheduling.volcano.sh/v1beta1'}],\n"
    "  'featureGates': {'WorkloadWithJob': false},\n"
    "  'queues': [{'name': 'research', 'type': 'Volcano'}, {'name': 'other', 'type': 'KAI'}],\n"
    "  'priorityClasses': [{'name': 'high', 'value': 10}, {'name': 'low', 'value': 1}],\n"
    "  'runtimeClasses': [{'name': 'kata', 'overhead': {'cpu': '250m'}}],\n"
    "  'limitRanges': []}}";

#define VOLCANO "'coscheduling': {'scheduleTimeoutSeconds': 300}", "'volcano': {}"
#define VOLCANO_RUNTIME                                                                            \
    "'schedulerName': 'scheduler-plugins-scheduler'", "'schedulerName': 'volcano'"
#define POD_LEVEL                                                                                  \
    "'priorityClassName'", "'resources': {'limits': {'cpu': '2'}}, 'priorityClassName'"
#define AT_POD "spec.template.spec.replicatedJobs[0].template.spec.template.spec"

/* Any of the changes may be NULL. What is expected is a line for each finding of this file: code,
 * severity, place. */
struct facts_case {
    bool volcano;
    const char *find; /* in the facts */
    const char *replace;
    const char *runtime_find;
    const char *runtime_replace;
    const char *findings;
};

static const struct facts_case facts[] = {
    {false, NULL, NULL, NULL, NULL, ""},
    {true, NULL, NULL, NULL, NULL, ""},
    /* priority classes */
    {false, NULL, NULL, "'high'", "'gold'", "645 error runtime " AT_POD ".priorityClassName\n"},
    {true, NULL, NULL, "'high'", "'gold'", "645 error runtime " AT_POD ".priorityClassName\n"},
    {false, NULL, NULL, "'high'", "'system-node-critical'", ""},
    {false, "'name': 'high'", "'name': 'higher'", NULL, NULL,
     "645 error runtime " AT_POD ".priorityClassName\n"},
    {false, "[{'name': 'high', 'value': 10}, {'name': 'low', 'value': 1}]", "[]", NULL, NULL,
     "645 error runtime " AT_POD ".priorityClassName\n"},
    {false, "'priorityClasses': [{'name': 'high', 'value': 10}, {'name': 'low', 'value': 1}],", "",
     NULL, NULL, "640 info cluster spec.priorityClasses\n"},
    {false, "'priorityClasses': [{'name': 'high', 'value': 10}, {'name': 'low', 'value': 1}],", "",
     "'high'", "'system-node-critical'", ""},
    {false, "'priorityClasses': [{'name': 'high', 'value': 10}, {'name': 'low', 'value': 1}],", "",
     "'priorityClassName': 'high',", "", ""},
    {false, "'value': 1}", "'value': 1, 'globalDefault': true}", "'priorityClassName': 'high',", "",
     "646 info cluster spec.priorityClasses[1].globalDefault\n"},
    {false, "'value': 1}", "'value': 1, 'globalDefault': true}", NULL, NULL, ""},
    /* queues */
    {true, "'research'", "'other'", NULL, NULL,
     "647 error runtime spec.template.metadata.annotations[scheduling.volcano.sh/queue-name]\n"},
    {true, "'research', 'type': 'Volcano'", "'research', 'type': 'KAI'", NULL, NULL,
     "647 error runtime spec.template.metadata.annotations[scheduling.volcano.sh/queue-name]\n"},
    {true, "[{'name': 'research', 'type': 'Volcano'}, {'name': 'other', 'type': 'KAI'}]", "[]",
     NULL, NULL,
     "647 error runtime spec.template.metadata.annotations[scheduling.volcano.sh/queue-name]\n"},
    {true, "'queues': [{'name': 'research', 'type': 'Volcano'}, {'name': 'other', 'type': 'KAI'}],",
     "", NULL, NULL, "640 info cluster spec.queues\n"},
    {true, "'queues': [{'name': 'research', 'type': 'Volcano'}, {'name': 'other', 'type': 'KAI'}],",
     "", "'metadata': {'annotations': {'scheduling.volcano.sh/queue-name': 'research'}},", "", ""},
    /* coscheduling reads no queue, so none is checked */
    {false, "'research'", "'none'", NULL, NULL, ""},
    /* what is served */
    {false, "scheduling.x-k8s.io/v1alpha1", "scheduling.x-k8s.io/v1", NULL, NULL,
     "649 error cluster spec.servedVersions\n"},
    {false, "['podgroups']", "['elasticquotas']", NULL, NULL,
     "649 error cluster spec.servedVersions\n"},
    {false, ", 'resources': ['podgroups']", "", NULL, NULL, ""},
    {true, "{'groupVersion': 'scheduling.volcano.sh/v1beta1'}", "{'groupVersion': 'v1'}", NULL,
     NULL, "649 error cluster spec.servedVersions\n"},
    {true, "'servedVersions'", "'podTemplateFields': [], 'servedVersions'", NULL, NULL, ""},
    /* a second gang: Kubernetes 1.36 alone */
    {false, "'WorkloadWithJob': false", "'WorkloadWithJob': true", NULL, NULL,
     "648 warning cluster spec.featureGates.WorkloadWithJob\n"},
    {true, "'WorkloadWithJob': false", "'WorkloadWithJob': true", NULL, NULL,
     "648 warning cluster spec.featureGates.WorkloadWithJob\n"},
    {true, "'WorkloadWithJob': false", "'GenericWorkload': true", NULL, NULL,
     "640 info cluster spec.featureGates.WorkloadWithJob\n"},
    {true, "'kubernetesVersion': '1.36',", "", NULL, NULL, ""},
    {true, "'kubernetesVersion': '1.36',\n  'servedVersions'",
     "'kubernetesVersion': '1.37',\n 'servedVersions'", NULL, NULL, ""},
    {true, "'1.36',\n  'servedVersions'", "'1.37',\n  'servedVersions'", NULL, NULL, ""},
    {true, "'kubernetesVersion': '1.36'",
     "'featureGates': {'WorkloadWithJob': true}, 'components': {}}}", NULL, NULL,
     "640 info cluster spec.kubernetesVersion\n640 info cluster spec.limitRanges\n"
     "640 info cluster spec.priorityClasses\n640 info cluster spec.queues\n"
     "640 info cluster spec.servedVersions\n"},
    /* resources of whole pods */
    {false, "'1.36'", "'1.31'", POD_LEVEL, "956 error runtime " AT_POD ".resources\n"},
    {false, "'1.36'", "'1.33'", POD_LEVEL, "640 info runtime " AT_POD ".resources\n"},
    {false, "'1.36'", "'1.34'", POD_LEVEL, ""},
    {false, "'WorkloadWithJob': false", "'WorkloadWithJob': false, 'PodLevelResources': false",
     POD_LEVEL, "956 error runtime " AT_POD ".resources\n"},
    {false, "'1.36',", "'1.33', 'components': {},", "'priorityClassName'",
     "'resources': {}, 'priorityClassName'", ""},
    /* a scheduler that reads another label */
    {false, "'1.36',", "'1.36', 'components': {'schedulerPlugins': 'v0.24.9'},", NULL, NULL,
     "67 error cluster spec.components.schedulerPlugins\n"},
    {false, "'1.36',", "'1.36', 'components': {'schedulerPlugins': 'v0.25.7'},", NULL, NULL, ""},
    {true, "'1.36',", "'1.36', 'components': {'schedulerPlugins': 'v0.24.9'},", NULL, NULL, ""},
    /* pods and their namespace */
    {false, "'limitRanges': []", "'components': {}", NULL, NULL,
     "640 info cluster spec.limitRanges\n"},
    {false, NULL, NULL, "'containers'", "'runtimeClassName': 'gvisor', 'containers'",
     "643 error runtime " AT_POD ".runtimeClassName\n"},
    {false, "'runtimeClasses': [{'name': 'kata', 'overhead': {'cpu': '250m'}}],", "",
     "'containers'", "'runtimeClassName': 'gvisor', 'containers'",
     "640 info runtime " AT_POD ".runtimeClassName\n"},
    {false, NULL, NULL, "'containers'", "'overhead': {'cpu': '1'}, 'containers'",
     "644 error runtime " AT_POD ".overhead\n"},
    {false, "'limitRanges': []",
     "'limitRanges': [{'name': 'a', 'namespace': 'ml', 'limits': [{'type': 'Pod', 'min': {'cpu': "
     "'2'}}]}]",
     NULL, NULL, "641 error runtime " AT_POD "\n"},
    {false, "'limitRanges': []",
     "'limitRanges': [{'name': 'a', 'namespace': 'other', 'limits': [{'type': 'Pod', 'min': "
     "{'cpu': '2'}}]}]",
     NULL, NULL, ""},
    {false, "'limitRanges': []",
     "'limitRanges': [{'name': 'b', 'namespace': 'ml', 'limits': [{'type': 'Container', 'default': "
     "{'cpu': "
     "'4'}, 'defaultRequest': {'cpu': '1'}}]}, {'name': 'a', 'namespace': 'ml', 'limits': "
     "[{'type': "
     "'Container', 'default': {'cpu': '4'}, 'defaultRequest': {'cpu': '2'}}]}]",
     NULL, NULL, "642 warning cluster spec.limitRanges[0]\n"},
    {false, " 'spec': {'kubernetesVersion'", " 'spec': {}}", NULL, NULL,
     "640 info cluster spec.kubernetesVersion\n640 info cluster spec.limitRanges\n"
     "640 info cluster spec.priorityClasses\n640 info cluster spec.servedVersions\n"},
};

static const char *const severities[] = {"", "error", "warning", "info"};
static const char *const documents[] = {"none", "runtime", "trainjob", "policy", "cluster"};

struct facts_run {
    struct run run;
    struct gang_cluster *cluster;
};

/* A replacement that closes the document drops the rest. */
static void
change_facts(char out[DOCUMENT_SIZE], const struct facts_case *row)
{
    const size_t len = row->replace ? strlen(row->replace) : 0;
    char *end;

    if (!row->find) {
        snprintf(out, DOCUMENT_SIZE, "%s", good_facts);
        return;
    }
    with_change(out, good_facts, row->find, row->replace);
    if (len > 2 && strcmp(row->replace + len - 2, "}}") == 0) {
        end = strstr(out, row->replace);
        end[len] = '\0';
    }
}

static struct facts_run
resolve_facts(const char *runtime, const char *trainjob, const char *policy, const char *cluster)
{
    struct facts_run facts_run = {.run = {0}};
    char text[DOCUMENT_SIZE];

    facts_run.run = run_spelled(runtime, NULL, NULL, trainjob, policy);
    gang_decision_unref(facts_run.run.decision);
    gang_error_free(facts_run.run.error);
    facts_run.run.decision = NULL;
    facts_run.run.error = NULL;
    spell(text, cluster);
    ck_assert_int_eq(parse_cluster(NULL, text, strlen(text), 0, &facts_run.cluster, NULL), GANG_OK);
    facts_run.run.result = resolve_trainjob_with(
        NULL, facts_run.run.runtime, facts_run.run.trainjob, facts_run.run.policy,
        facts_run.cluster, 0, &facts_run.run.decision, &facts_run.run.error);
    ck_assert_ptr_nonnull(facts_run.run.decision);
    return facts_run;
}

static void
end_facts(struct facts_run *facts_run)
{
    end_run(&facts_run->run);
    unref_cluster(facts_run->cluster);
}

static int
compare_lines(const void *a, const void *b)
{
    return strcmp(a, b);
}

enum { MOST_LINES = 8, LINE_SIZE = 256 };

/* The findings about the cluster, sorted. */
static void
list_findings(char out[MOST_LINES * LINE_SIZE], const struct gang_decision *decision)
{
    char lines[MOST_LINES][LINE_SIZE];
    size_t count = 0;

    for (size_t i = 0; i < gang_decision_num_diagnostics(decision); i++) {
        const struct gang_diagnostic *finding = gang_decision_get_diagnostic(decision, i);
        int code = gang_diagnostic_get_code(finding);

        if ((code < GANG_CODE_NOT_CHECKED || code > GANG_CODE_NOT_SERVED) &&
            code != GANG_CODE_SCHEDULER_TOO_OLD && code != GANG_CODE_FIELD_OF_LATER_RELEASE)
            continue;
        ck_assert_uint_lt(count, MOST_LINES);
        snprintf(lines[count++], LINE_SIZE, "%d %s %s %s\n", code,
                 severities[gang_diagnostic_get_severity(finding)],
                 documents[gang_diagnostic_get_document(finding)],
                 gang_diagnostic_get_path(finding));
    }
    qsort(lines, count, LINE_SIZE, compare_lines);
    out[0] = '\0';
    for (size_t i = 0; i < count; i++)
        strcat(out, lines[i]);
}

START_TEST(compares_gang_with_cluster_facts)
{
    const struct facts_case *row = &facts[_i];
    char cluster[DOCUMENT_SIZE];
    char runtime[2][DOCUMENT_SIZE];
    char found[MOST_LINES * LINE_SIZE];
    struct facts_run facts_run;

    change_facts(cluster, row);
    snprintf(runtime[0], DOCUMENT_SIZE, "%s", plain_runtime);
    if (row->volcano) {
        with_change(runtime[1], runtime[0], VOLCANO);
        with_change(runtime[0], runtime[1], VOLCANO_RUNTIME);
    }
    if (row->runtime_find) {
        with_change(runtime[1], runtime[0], row->runtime_find, row->runtime_replace);
        snprintf(runtime[0], DOCUMENT_SIZE, "%s", runtime[1]);
    }
    facts_run = resolve_facts(runtime[0], plain_trainjob, NULL, cluster);
    list_findings(found, facts_run.run.decision);
    ck_assert_str_eq(found, row->findings);
    ck_assert_int_eq(facts_run.run.result, strstr(found, "error") ? GANG_ERROR_INVALID : GANG_OK);
    end_facts(&facts_run);
}
END_TEST

/* 1.36 is meant, and no other 36. */
static const struct {
    const char *version;
    bool warns;
} versions[] = {
    {"1.35.9", false}, {"1.36", true},  {"v1.36.3+k3s1", true},
    {"1.37.0", false}, {"2.36", false}, {"0.36", false},
};

START_TEST(only_kubernetes_1_36_creates_a_second_gang)
{
    char version[64];
    char changed[2][DOCUMENT_SIZE];
    char found[MOST_LINES * LINE_SIZE];
    struct facts_run facts_run;

    snprintf(version, sizeof(version), "'%s'", versions[_i].version);
    with_change(changed[0], good_facts, "'1.36'", version);
    with_change(changed[1], changed[0], "'WorkloadWithJob': false", "'WorkloadWithJob': true");
    facts_run = resolve_facts(plain_runtime, plain_trainjob, NULL, changed[1]);
    list_findings(found, facts_run.run.decision);
    ck_assert_str_eq(
        found, versions[_i].warns ? "648 warning cluster spec.featureGates.WorkloadWithJob\n" : "");
    end_facts(&facts_run);
}
END_TEST

/* Pods are made without a gang too, so the API server's own checks are made; those of a backend are
 * not. */
START_TEST(pods_are_checked_without_a_gang)
{
    char runtime[DOCUMENT_SIZE];
    char other[DOCUMENT_SIZE];
    char found[MOST_LINES * LINE_SIZE];
    struct facts_run facts_run;

    with_change(other, plain_runtime,
                "'podGroupPolicy': {'coscheduling': {'scheduleTimeoutSeconds': 300}},", "");
    with_change(runtime, other, "'schedulerName': 'scheduler-plugins-scheduler',", "");
    with_change(other, runtime, "'high'", "'gold'");
    facts_run = resolve_facts(other, plain_trainjob, NULL, good_facts);
    list_findings(found, facts_run.run.decision);
    ck_assert_str_eq(found, "645 error runtime " AT_POD ".priorityClassName\n");
    end_facts(&facts_run);
}
END_TEST

/* The policy's class replaces that of the members, known or not. */
static const struct {
    const char *class_name;
    const char *findings;
} given[] = {
    {"low", ""},
    {"gold", "645 error policy spec.rules[0].priorityClassName\n"},
};

START_TEST(priority_class_of_the_policy_is_checked)
{
    static const char policy[] =
        "{'apiVersion': 'policy.libgang.dev/v1alpha1', 'kind': 'GangPolicy', 'metadata': {'name': "
        "'lab'},\n"
        " 'spec': {'backends': [{'name': 'c', 'type': 'Coscheduling', 'schedulerName': "
        "'scheduler-plugins-scheduler'}],\n"
        "  'rules': [{'name': 'all', 'match': {}, 'priorityClassName': {'name': 'CLASS', "
        "'override': "
        "'Always'}}]}}";
    char text[DOCUMENT_SIZE];
    char runtime[DOCUMENT_SIZE];
    char found[MOST_LINES * LINE_SIZE];
    struct facts_run facts_run;

    with_change(text, policy, "CLASS", given[_i].class_name);
    with_change(runtime, plain_runtime, "'high'", "'never-heard-of'");
    facts_run = resolve_facts(runtime, plain_trainjob, text, good_facts);
    list_findings(found, facts_run.run.decision);
    ck_assert_str_eq(found, given[_i].findings);
    end_facts(&facts_run);
}
END_TEST

/* In compatibility the job goes on as upstream lets it; what the API server will say is a warning.
 */
START_TEST(compatibility_only_warns)
{
    char cluster[DOCUMENT_SIZE];
    char found[MOST_LINES * LINE_SIZE];
    struct facts_run facts_run;

    with_change(cluster, good_facts, "'name': 'high'", "'name': 'higher'");
    facts_run = resolve_facts(plain_runtime, plain_trainjob, compatibility_policy, cluster);
    list_findings(found, facts_run.run.decision);
    ck_assert_str_eq(found, "645 warning runtime " AT_POD ".priorityClassName\n");
    ck_assert_int_eq(facts_run.run.result, GANG_OK);
    end_facts(&facts_run);
}
END_TEST

/* The pods of a managed job come to be in another cluster. */
START_TEST(a_job_managed_elsewhere_is_not_checked)
{
    char trainjob[DOCUMENT_SIZE];
    char found[MOST_LINES * LINE_SIZE];
    char cluster[DOCUMENT_SIZE];
    struct facts_run facts_run;

    with_change(cluster, good_facts, "'name': 'high'", "'name': 'higher'");
    with_change(trainjob, plain_trainjob, "'runtimeRef'",
                "'managedBy': 'kueue.x-k8s.io/multikueue', 'runtimeRef'");
    facts_run = resolve_facts(plain_runtime, trainjob, NULL, cluster);
    list_findings(found, facts_run.run.decision);
    ck_assert_str_eq(found, "");
    end_facts(&facts_run);
}
END_TEST

START_TEST(without_a_namespace_no_limit_range_is_checked)
{
    char trainjob[DOCUMENT_SIZE];
    char found[MOST_LINES * LINE_SIZE];
    struct facts_run facts_run;

    with_change(trainjob, plain_trainjob, "'namespace': 'ml', ", "");
    facts_run = resolve_facts(plain_runtime, trainjob, NULL, good_facts);
    list_findings(found, facts_run.run.decision);
    ck_assert_str_eq(found, "640 info trainjob metadata.name\n");
    end_facts(&facts_run);
}
END_TEST

static const struct {
    const char *find;
    const char *replace;
    int code;
    const char *message;
    const char *hint;
} words[] = {
    {"'name': 'high'", "'name': 'higher'", GANG_CODE_UNKNOWN_PRIORITY_CLASS,
     "Invalid value: \"high\": no PriorityClass with name high was found",
     "the cluster has \"higher\", \"low\""},
    {"[{'name': 'high', 'value': 10}, {'name': 'low', 'value': 1}]", "[]",
     GANG_CODE_UNKNOWN_PRIORITY_CLASS,
     "Invalid value: \"high\": no PriorityClass with name high was found", "the cluster has none"},
    {"[{'name': 'high', 'value': 10}, {'name': 'low', 'value': 1}]",
     "[{'name':'a','value':1},{'name':'b','value':1},{'name':'c','value':1},{'name':'d','value':1},"
     "{'name':'e','value':1},{'name':'f','value':1},{'name':'g','value':1},{'name':'h','value':1},"
     "{'name':'i','value':1},{'name':'j','value':1}]",
     GANG_CODE_UNKNOWN_PRIORITY_CLASS,
     "Invalid value: \"high\": no PriorityClass with name high was found",
     "the cluster has \"a\", \"b\", \"c\", \"d\", \"e\", \"f\", \"g\", \"h\" and 2 more"},
    {"'name': 'high', 'value': 10}", "'name': 'high', 'value': 10, 'globalDefault': true}",
     GANG_CODE_DEFAULT_PRIORITY_CLASS,
     "the members name no priority class and get this one, \"high\" with the value 10", NULL},
    {"'research'", "'batch'", GANG_CODE_UNKNOWN_QUEUE,
     "Invalid value: \"research\": Volcano has no queue research", "the cluster has \"batch\""},
    {"scheduling.volcano.sh/v1beta1", "scheduling.volcano.sh/v1", GANG_CODE_NOT_SERVED,
     "the cluster does not serve podgroups of scheduling.volcano.sh/v1beta1, which the backend "
     "volcano "
     "renders",
     "install its CRDs, or choose another backend"},
    {"'WorkloadWithJob': false", "'WorkloadWithJob': true", GANG_CODE_SECOND_GANG,
     "with WorkloadWithJob the Job controller of Kubernetes 1.36 creates a second gang and joins "
     "the "
     "pods to "
     "it, "
     "beside that of Volcano",
     "turn the gate off, or use the Workload backend"},
};

START_TEST(exact_messages)
{
    char cluster[DOCUMENT_SIZE];
    char runtime[2][DOCUMENT_SIZE];
    const struct gang_diagnostic *finding = NULL;
    struct facts_run facts_run;

    with_change(cluster, good_facts, words[_i].find, words[_i].replace);
    with_change(runtime[0], plain_runtime, VOLCANO);
    with_change(runtime[1], runtime[0], VOLCANO_RUNTIME);
    if (words[_i].code == GANG_CODE_DEFAULT_PRIORITY_CLASS)
        with_change(runtime[0], runtime[1], "'priorityClassName': 'high',", "");
    facts_run = resolve_facts(runtime[words[_i].code != GANG_CODE_DEFAULT_PRIORITY_CLASS],
                              plain_trainjob, NULL, cluster);
    for (size_t i = 0; i < gang_decision_num_diagnostics(facts_run.run.decision); i++)
        if (gang_diagnostic_get_code(gang_decision_get_diagnostic(facts_run.run.decision, i)) ==
            words[_i].code)
            finding = gang_decision_get_diagnostic(facts_run.run.decision, i);
    ck_assert_ptr_nonnull(finding);
    ck_assert_str_eq(gang_diagnostic_get_message(finding), words[_i].message);
    ck_assert_pstr_eq(gang_diagnostic_get_hint(finding), words[_i].hint);
    end_facts(&facts_run);
}
END_TEST

#define OPERATORS(members)                                                                         \
    "{'apiVersion':'policy.libgang.dev/v1alpha1','kind':'GangCluster','metadata':{'name':'lab'},"  \
    "'spec':{'operatorGangs':{" members "}}}"
#define OF_OWNER(version, kind)                                                                    \
    "{'apiVersion':'policy.libgang.dev/v1alpha1','kind':'GangJob','metadata':{'name':'j',"         \
    "'namespace':'ml'},'spec':{'owner':{'apiVersion':'" version "','kind':'" kind                  \
    "'}," JOB_ROLES(JOB_PODS(",'count':2")) "}}"
#define RAY_CLUSTER                                                                                \
    "{'apiVersion':'ray.io/v1','kind':'RayCluster','metadata':{'name':'c','namespace':'ml'},"      \
    "'spec':{'headGroupSpec':{'template':{'spec':{'containers':[{'name':'c','image':'i'}]}}},"     \
    "'workerGroupSpecs':[]}}"

/* Operators that make the gang of a job themselves, by the option in the GangCluster. */
static const struct {
    const char *job;
    const char *cluster;
    const char *message; /* of the finding; NULL: libgang makes the gang */
} operators[] = {
    {RAY_CLUSTER, OPERATORS("'kuberay':'volcano'"),
     "KubeRay makes a PodGroup of this job itself, because its option --batch-scheduler is "
     "\"volcano\", so there is no second one; run it without the option"},
    {OF_OWNER("ray.io/v1", "RayJob"), OPERATORS("'kuberay':'volcano'"),
     "KubeRay makes a PodGroup of this job itself, because its option --batch-scheduler is "
     "\"volcano\", so there is no second one; run it without the option"},
    {OF_OWNER("kubeflow.org/v2beta1", "MPIJob"), OPERATORS("'mpiOperator':'any'"),
     "mpi-operator makes a PodGroup of this job itself, because its option --gang-scheduling is "
     "\"any\", so there is no second one; run it without the option"},
    {RAY_CLUSTER, OPERATORS("'kuberay':''"), NULL},
    {RAY_CLUSTER, OPERATORS("'kuberay':'kai-scheduler'"), NULL},
    {RAY_CLUSTER, OPERATORS("'mpiOperator':'volcano'"), NULL},
    {RAY_CLUSTER, OPERATORS(""), NULL},
    {RAY_CLUSTER, NULL, NULL},
    {OF_OWNER("example.com/v1", "RayJob"), OPERATORS("'kuberay':'volcano'"), NULL},
};

START_TEST(an_operator_makes_the_gang_itself)
{
    struct gang_decision *decision =
        resolve_job_in(operators[_i].job, 0, "'defaultBackend':'volcano'", operators[_i].cluster);
    const struct gang_diagnostic *finding = NULL;

    for (size_t i = 0; i < gang_decision_num_diagnostics(decision); i++)
        if (gang_diagnostic_get_code(gang_decision_get_diagnostic(decision, i)) ==
            GANG_CODE_OPERATOR_MAKES_GANG)
            finding = gang_decision_get_diagnostic(decision, i);
    ck_assert_int_eq(gang_decision_get_outcome(decision),
                     operators[_i].message ? GANG_OUTCOME_NO_GANG : GANG_OUTCOME_GANG);
    ck_assert_pstr_eq(finding ? gang_diagnostic_get_message(finding) : NULL, operators[_i].message);
    if (finding) {
        ck_assert_int_eq(gang_diagnostic_get_document(finding), GANG_DOCUMENT_CLUSTER);
        ck_assert_str_eq(gang_decision_get_reason(decision),
                         "the operator of the job makes its gang itself");
    }
    gang_decision_unref(decision);
}
END_TEST

#define RELEASE(component, version)                                                                \
    "{'apiVersion':'policy.libgang.dev/v1alpha1','kind':'GangCluster','metadata':{'name':'lab'},"  \
    "'spec':{'components':{'" component "':'" version "'}}}"
#define A_JOB(version, kind, spec)                                                                 \
    "{'apiVersion':'" version "','kind':'" kind                                                    \
    "','metadata':{'name':'j','namespace':'ml'},'spec':{" spec "}}"
#define A_POD(name)                                                                                \
    "{'spec':{'restartPolicy':'Never','containers':[{'name':'" name "','image':'i'}]}}"
#define RAY_PODS(group, cluster)                                                                   \
    "'headGroupSpec':{'rayStartParams':{},'template':" A_POD(                                      \
        "c") "},"                                                                                  \
             "'workerGroupSpecs':[{'groupName':'g','replicas':2,'rayStartParams':{}" group         \
             ",'template':" A_POD("c") "}]" cluster
#define COLLECTOR ",'historyServerOptions':{'collectorOptions':{}}"
#define A_RAY_CLUSTER(group, cluster) A_JOB("ray.io/v1", "RayCluster", RAY_PODS(group, cluster))
#define A_RAY_JOB(group, cluster)                                                                  \
    A_JOB("ray.io/v1", "RayJob",                                                                   \
          "'entrypoint':'x','rayClusterSpec':{" RAY_PODS(group, "") "}" cluster)
#define A_RAY_SERVICE(group, cluster)                                                              \
    A_JOB("ray.io/v1", "RayService", "'rayClusterConfig':{" RAY_PODS(group, "") "}" cluster)
#define AN_LWS(policy)                                                                             \
    A_JOB("leaderworkerset.x-k8s.io/v1", "LeaderWorkerSet",                                        \
          "'leaderWorkerTemplate':{'size':3,'workerTemplate':" A_POD("c") policy "}")
#define A_DISAGGREGATED_SET(more)                                                                  \
    A_JOB("disaggregatedset.x-k8s.io/v1", "DisaggregatedSet",                                      \
          "'roles':[" A_DISAGGREGATED_ROLE("a") "," A_DISAGGREGATED_ROLE("b") "]" more)
#define A_DISAGGREGATED_ROLE(name)                                                                 \
    "{'name':'" name "','spec':{'leaderWorkerTemplate':{'size':2,'workerTemplate':" A_POD("c") "}" \
                                                                                               "}" \
                                                                                               "}"
#define AN_MPI_JOB(more)                                                                           \
    A_JOB("kubeflow.org/v2beta1", "MPIJob",                                                        \
          "'mpiReplicaSpecs':{'Launcher':{'template':" A_POD("c") "},'Worker':{'replicas':2,"      \
                                                                  "'template':" A_POD(             \
                                                                      "c") "}}" more)
#define A_PYTORCH_JOB(more)                                                                        \
    A_JOB("kubeflow.org/v1", "PyTorchJob",                                                         \
          "'pytorchReplicaSpecs':{'Worker':{'replicas':2,'template':" A_POD("pytorch") "}}" more)
#define A_SPARK_APPLICATION(more)                                                                  \
    A_JOB("sparkoperator.k8s.io/v1beta2", "SparkApplication",                                      \
          "'type':'Scala','mode':'cluster','sparkVersion':'4.0.4','image':'i','mainClass':'m',"    \
          "'mainApplicationFile':'local:///a.jar','driver':{},'executor':{'instances':2}" more)
#define A_JOBSET(more)                                                                             \
    A_JOB("jobset.x-k8s.io/v1alpha2", "JobSet",                                                    \
          "'replicatedJobs':[{'name':'a','template':{'spec':{'template':" A_POD(                   \
              "c") "}}},"                                                                          \
                   "{'name':'b','template':{'spec':{'template':" A_POD("c") "}}" more "}]")
#define A_SCHEDULED_JOBSET                                                                         \
    A_JOB("jobset.x-k8s.io/v1alpha2", "JobSet",                                                    \
          "'scheduling':{},'replicatedJobs':[{'name':'a','template':{'spec':{'template':" A_POD(   \
              "c") "}}}]")
#define A_SCHEDULED_JOB                                                                            \
    A_JOB("batch/v1", "Job",                                                                       \
          "'completionMode':'Indexed','parallelism':2,'completions':2,'template':" A_POD(          \
              "c") ",'scheduling':{'schedulingPolicy':{'gang':{}}}")
#define A_CLUSTER(spec)                                                                            \
    "{'apiVersion':'policy.libgang.dev/v1alpha1','kind':'GangCluster','metadata':{'name':'c'},"    \
    "'spec':{" spec "}}"
#define KUBERNETES(release) A_CLUSTER("'kubernetesVersion':'" release "'")
/* A_SCHEDULED_JOB with an owner, and more metadata */
#define A_SCHEDULED_JOB_OF(version, kind, controller, more)                                        \
    "{'apiVersion':'batch/v1','kind':'Job','metadata':{'name':'j','namespace':'ml',"               \
    "'ownerReferences':[{'apiVersion':'" version "','kind':'" kind "','name':'o','uid':'u',"       \
    "'controller':" controller "}]" more "},'spec':{'completionMode':'Indexed','parallelism':2,"   \
    "'completions':2,'template':" A_POD("c") ",'scheduling':{'schedulingPolicy':{'gang':{}}}}}"
#define A_WRAPPER(job)                                                                             \
    A_JOB("workload.codeflare.dev/v1beta2", "AppWrapper", "'components':[{'template':" job "}]")

/* A job with a field that the CRD of the operator has since a release, and the place of the finding
 * with that release: NULL if the field or the release changes nothing. */
static const struct {
    const char *job;
    const char *cluster;
    const char *place;
    const char *message;
} releases[] = {
    {A_RAY_CLUSTER(",'suspend':true", ""), RELEASE("kuberay", "v1.2.2"),
     "spec.workerGroupSpecs[0].suspend",
     "Forbidden: KubeRay v1.2.2 does not have the field, so the API server drops it; v1.3 has it"},
    {A_RAY_CLUSTER(",'suspend':true", ""), RELEASE("kuberay", "v1.3.0"), NULL, NULL},
    {A_RAY_CLUSTER(",'suspend':false", ""), RELEASE("kuberay", "v1.2.2"), NULL, NULL},
    {A_RAY_CLUSTER(",'suspend':null", ""), RELEASE("kuberay", "v1.2.2"), NULL, NULL},
    {A_RAY_CLUSTER(",'suspend':true", ""), RELEASE("lws", "v0.1.0"), NULL, NULL},
    {A_RAY_CLUSTER(",'suspend':true", ""), NULL, NULL, NULL},
    {A_RAY_CLUSTER("", COLLECTOR), RELEASE("kuberay", "v1.6.2"),
     "spec.historyServerOptions.collectorOptions",
     "Forbidden: KubeRay v1.6.2 does not have the field, so the API server drops it; v1.7 has it"},
    {A_RAY_CLUSTER("", COLLECTOR), RELEASE("kuberay", "v1.7.0"), NULL, NULL},
    {A_RAY_CLUSTER("", ",'managedBy':'kueue.x-k8s.io/multikueue'"), RELEASE("kuberay", "1.2"),
     "spec.managedBy",
     "Forbidden: KubeRay v1.2.0 does not have the field, so the API server drops it; v1.3 has it"},
    {A_RAY_CLUSTER("", ",'managedBy':'ray.io/kuberay-operator'"), RELEASE("kuberay", "1.2"), NULL,
     NULL},
    {A_RAY_JOB(",'suspend':true", ""), RELEASE("kuberay", "v1.2.2"),
     "spec.rayClusterSpec.workerGroupSpecs[0].suspend",
     "Forbidden: KubeRay v1.2.2 does not have the field, so the API server drops it; v1.3 has it"},
    {A_RAY_SERVICE("", ",'suspend':true"), RELEASE("kuberay", "v1.6.2"), "spec.suspend",
     "Forbidden: KubeRay v1.6.2 does not have the field, so the API server drops it; v1.7 has it"},
    {A_RAY_SERVICE("", ",'suspend':true"), RELEASE("kuberay", "v1.7.0"), NULL, NULL},
    {A_RAY_SERVICE("", ",'managedBy':'kueue.x-k8s.io/multikueue'"), RELEASE("kuberay", "v1.5.1"),
     "spec.managedBy",
     "Forbidden: KubeRay v1.5.1 does not have the field, so the API server drops it; v1.6 has it"},
    {AN_LWS(",'subGroupPolicy':{'subGroupSize':2,'subGroupPolicyType':'LeaderExcluded'}"),
     RELEASE("lws", "v0.5.1"), "spec.leaderWorkerTemplate.subGroupPolicy.subGroupPolicyType",
     "Forbidden: LWS v0.5.1 does not have the field, so the API server drops it; v0.6 has it"},
    {AN_LWS(",'subGroupPolicy':{'subGroupSize':3,'subGroupPolicyType':'LeaderWorker'}"),
     RELEASE("lws", "v0.5.1"), NULL, NULL},
    {A_DISAGGREGATED_SET(",'slices':2"), RELEASE("lws", "v0.9.0"), "spec.slices",
     "Forbidden: LWS v0.9.0 does not have the field, so the API server drops it; v0.10 has it"},
    {A_DISAGGREGATED_SET(",'slices':1"), RELEASE("lws", "v0.9.0"), NULL, NULL},
    {A_DISAGGREGATED_SET(",'slices':2"), RELEASE("lws", "v0.10.0"), NULL, NULL},
    {AN_MPI_JOB(",'launcherCreationPolicy':'WaitForWorkersReady'"),
     RELEASE("mpiOperator", "v0.4.0"), "spec.launcherCreationPolicy",
     "Forbidden: mpi-operator v0.4.0 does not have the field, so the API server drops it; v0.5 has "
     "it"},
    {AN_MPI_JOB(",'launcherCreationPolicy':'WaitForWorkersReady'"),
     RELEASE("mpiOperator", "v0.5.0"), NULL, NULL},
    {AN_MPI_JOB(",'runPolicy':{'managedBy':'kueue.x-k8s.io/multikueue'}"),
     RELEASE("mpiOperator", "v0.5.0"), "spec.runPolicy.managedBy",
     "Forbidden: mpi-operator v0.5.0 does not have the field, so the API server drops it; v0.6 has "
     "it"},
    {A_PYTORCH_JOB(",'runPolicy':{'managedBy':'kueue.x-k8s.io/multikueue'}"),
     RELEASE("trainingOperator", "v1.8.1"), "spec.runPolicy.managedBy",
     "Forbidden: training-operator v1.8.1 does not have the field, so the API server drops it; "
     "v1.9 has it"},
    {A_PYTORCH_JOB(",'runPolicy':{'managedBy':'kueue.x-k8s.io/multikueue'}"),
     RELEASE("trainingOperator", "v1.9.0"), NULL, NULL},
    {A_SPARK_APPLICATION(",'suspend':true"), RELEASE("sparkOperator", "2.3.0"), "spec.suspend",
     "Forbidden: spark-operator v2.3.0 does not have the field, so the API server drops it; v2.4 "
     "has it"},
    {A_SPARK_APPLICATION(",'suspend':true"), RELEASE("sparkOperator", "2.4.0"), NULL, NULL},
    {A_JOBSET(",'dependsOn':[{'name':'a','status':'Ready'}]"), RELEASE("jobset", "v0.7.3"),
     "spec.replicatedJobs[1].dependsOn",
     "Forbidden: JobSet v0.7.3 does not have the field, so the API server drops it; v0.8 has it"},
    {A_JOBSET(",'dependsOn':[{'name':'a','status':'Ready'}]"), RELEASE("jobset", "v0.8.0"), NULL,
     NULL},
    {A_JOBSET(",'dependsOn':[]"), RELEASE("jobset", "v0.7.3"), NULL, NULL},
    {A_WRAPPER(A_RAY_CLUSTER(",'suspend':true", "")), RELEASE("kuberay", "v1.2.2"),
     "spec.components[0].template.spec.workerGroupSpecs[0].suspend",
     "Forbidden: KubeRay v1.2.2 does not have the field, so the API server drops it; v1.3 has it"},
    {OF_OWNER("ray.io/v1", "RayCluster"), RELEASE("kuberay", "v1.2.2"), NULL, NULL},
    /* Kubernetes itself would make the gang, if its API server kept the field */
    {A_SCHEDULED_JOBSET, RELEASE("jobset", "v0.12.0"), "spec.scheduling",
     "Forbidden: JobSet v0.12.0 does not have the field, so the API server drops it; v0.13 has "
     "it"},
    {A_SCHEDULED_JOBSET, RELEASE("jobset", "v0.13.0"), NULL, NULL},
    {A_SCHEDULED_JOB, A_CLUSTER("'kubernetesVersion':'1.36.3'"), "spec.scheduling",
     "Forbidden: Kubernetes v1.36.3 does not have the field, so the API server drops it; v1.37 "
     "has it"},
    {A_SCHEDULED_JOB, A_CLUSTER("'kubernetesVersion':'1.37.1'"), NULL, NULL},
    {A_SCHEDULED_JOB,
     A_CLUSTER("'kubernetesVersion':'1.37.1','featureGates':{'WorkloadWithJob':true}"), NULL, NULL},
    {A_SCHEDULED_JOB,
     A_CLUSTER("'kubernetesVersion':'1.37.1','featureGates':{'WorkloadWithJob':false}"),
     "spec.scheduling",
     "Forbidden: the feature gate WorkloadWithJob is off, so the API server drops the field"},
    {A_SCHEDULED_JOB, A_CLUSTER("'featureGates':{'WorkloadWithJob':false}"), "spec.scheduling",
     "Forbidden: the feature gate WorkloadWithJob is off, so the API server drops the field"},
    /* kubernetes/kubernetes:pkg/controller/job/job_scheduling_manager.go@v1.37.2 getManagementMode,
     * whose 1.38 honors the field of each Job */
    {A_SCHEDULED_JOB_OF("batch/v1", "CronJob", "true", ""), KUBERNETES("1.37.2"), "spec.scheduling",
     "Forbidden: Kubernetes v1.37.2 does not schedule a job that another object controls as a "
     "gang; v1.38 does"},
    {A_SCHEDULED_JOB_OF("batch/v1", "CronJob", "true", ""), KUBERNETES("1.38.0"), NULL, NULL},
    {A_SCHEDULED_JOB_OF("batch/v1", "CronJob", "true", ""), NULL, NULL, NULL},
    {A_SCHEDULED_JOB_OF("batch/v1", "CronJob", "false", ""), KUBERNETES("1.37.2"), NULL, NULL},
    {A_SCHEDULED_JOB_OF("batch/v1", "CronJob", "true",
                        ",'annotations':{'scheduling.k8s.io/group-template-name':'t'}"),
     KUBERNETES("1.37.2"), NULL, NULL},
    {A_SCHEDULED_JOB_OF("jobset.x-k8s.io/v1alpha2", "JobSet", "true", ""), KUBERNETES("1.37.2"),
     NULL, NULL},
    /* project-codeflare/appwrapper:internal/controller/appwrapper/resource_management.go@v1.1.2 */
    {A_WRAPPER(A_SCHEDULED_JOB), KUBERNETES("1.37.2"),
     "spec.components[0].template.spec.scheduling",
     "Forbidden: Kubernetes v1.37.2 does not schedule a job that another object controls as a "
     "gang; v1.38 does"},
    {A_WRAPPER(A_SCHEDULED_JOB), KUBERNETES("1.38.0"), NULL, NULL},
    {A_WRAPPER(A_SCHEDULED_JOB), A_CLUSTER("'kubernetesVersion':'1.36.3'"),
     "spec.components[0].template.spec.scheduling",
     "Forbidden: Kubernetes v1.36.3 does not have the field, so the API server drops it; v1.37 "
     "has it"},
};

/* The translation reads the field, and the pods are created without it, so there is no gang. */
START_TEST(an_older_release_drops_fields)
{
    struct gang_decision *decision =
        resolve_job_in(releases[_i].job, 0, "'defaultBackend':'volcano'", releases[_i].cluster);
    const struct gang_diagnostic *finding = NULL;

    for (size_t i = 0; i < gang_decision_num_diagnostics(decision); i++) {
        const struct gang_diagnostic *diagnostic = gang_decision_get_diagnostic(decision, i);

        if (gang_diagnostic_get_code(diagnostic) == GANG_CODE_FIELD_OF_LATER_RELEASE)
            finding = diagnostic;
        /* a field without a gate */
        ck_assert_ptr_null(strstr(gang_diagnostic_get_message(diagnostic), "gate ,"));
    }
    ck_assert_pstr_eq(finding ? gang_diagnostic_get_path(finding) : NULL, releases[_i].place);
    ck_assert_pstr_eq(finding ? gang_diagnostic_get_message(finding) : NULL, releases[_i].message);
    if (finding) {
        ck_assert_int_eq(gang_diagnostic_get_severity(finding), GANG_SEVERITY_ERROR);
        ck_assert_int_eq(gang_decision_get_outcome(decision), GANG_OUTCOME_INVALID);
    }
    gang_decision_unref(decision);
}
END_TEST

/* Without the gate among the facts it is said that nobody knows whether the field is kept. */
START_TEST(a_gate_that_is_not_known)
{
    static const char *const clusters[] = {"'kubernetesVersion':'1.37.1'",
                                           "'featureGates':{'GenericWorkload':true}",
                                           "'featureGates':{'WorkloadWithJob':true}"};

    for (size_t i = 0; i < COUNT_OF(clusters); i++) {
        char cluster[DOCUMENT_SIZE];
        struct gang_decision *decision;
        int found = 0;

        snprintf(cluster, sizeof(cluster), A_CLUSTER("%s"), clusters[i]);
        decision = resolve_job_in(A_SCHEDULED_JOB, 0, "'defaultBackend':'volcano'", cluster);
        for (size_t k = 0; k < gang_decision_num_diagnostics(decision); k++) {
            const struct gang_diagnostic *one = gang_decision_get_diagnostic(decision, k);

            found += gang_diagnostic_get_code(one) == GANG_CODE_NOT_CHECKED &&
                     strcmp(gang_diagnostic_get_path(one), "spec.scheduling") == 0;
        }
        ck_assert_int_eq(found, i < 2);
        gang_decision_unref(decision);
    }
}
END_TEST

/* What the namespace adds to a pod enters the requests of the role and of the gang, in the default
 * mode alone. */
static const struct {
    const char *policy;
    const char *cpu;
    const char *storage;
    const char *total;
} counted[] = {
    {NULL, "1750m", "1Gi", "3500m"},
    {compatibility_policy, "1500m", NULL, "3"},
};

static void
check_amount(const struct resource_list *list, const char *name, const char *wanted)
{
    const struct quantity *amount = resource_list_get(list, slice_from_text(name));
    char text[QUANTITY_TEXT_SIZE];

    ck_assert((amount != NULL) == (wanted != NULL));
    if (amount)
        ck_slice_eq(quantity_print(amount, text), wanted);
}

START_TEST(counts_what_admission_adds)
{
    char cluster[DOCUMENT_SIZE];
    char runtime[DOCUMENT_SIZE];
    struct facts_run facts_run;

    with_change(cluster, good_facts, "'limitRanges': []",
                "'limitRanges': [{'name': 'a', 'namespace': 'ml', 'limits': [{'type': 'Container',"
                "'default': {'ephemeral-storage': '2Gi'}, 'defaultRequest': {'ephemeral-storage': "
                "'1Gi'}}]}]");
    with_change(runtime, plain_runtime, "'containers'", "'runtimeClassName': 'kata', 'containers'");
    facts_run = resolve_facts(runtime, plain_trainjob, counted[_i].policy, cluster);
    ck_assert_int_eq(facts_run.run.result, GANG_OK);
    check_amount(&facts_run.run.decision->gang.roles[0].requests, "cpu", counted[_i].cpu);
    check_amount(&facts_run.run.decision->gang.roles[0].requests, "ephemeral-storage",
                 counted[_i].storage);
    check_amount(&facts_run.run.decision->gang.resources, "cpu", counted[_i].total);
    end_facts(&facts_run);
}
END_TEST

void
add_tests(TCase *cases)
{
    add_rows(cases, compares_gang_with_cluster_facts, facts, volcano, find, replace);
    add_rows(cases, only_kubernetes_1_36_creates_a_second_gang, versions, version);
    add_rows(cases, an_older_release_drops_fields, releases, job, cluster);
    tcase_add_test(cases, pods_are_checked_without_a_gang);
    tcase_add_test(cases, a_gate_that_is_not_known);
    add_rows(cases, priority_class_of_the_policy_is_checked, given, class_name);
    tcase_add_test(cases, compatibility_only_warns);
    tcase_add_test(cases, a_job_managed_elsewhere_is_not_checked);
    tcase_add_test(cases, without_a_namespace_no_limit_range_is_checked);
    add_rows(cases, exact_messages, words, find, replace);
    add_rows(cases, counts_what_admission_adds, counted, policy);
    add_rows(cases, an_operator_makes_the_gang_itself, operators, job, cluster);
}
