/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/decide/choice.h"

#include "libgang/decide/decision.h"

#include "unit/resolutions.h"
#include "unit/grove_documents.h"
#include "unit/grove_policy.h"
#include "unit/grove_resolutions.h"
#include "unit/job_decisions.h"
#include "unit/lists.h"

/* ---- backend choice ---- */

/* Two equal roles; the fields that choose a backend are on lines 5, 9 and 13. */
static const char *
pair_runtime(char out[DOCUMENT_SIZE], const char *gang_policy, const char *first,
             const char *second)
{
    snprintf(out, DOCUMENT_SIZE,
             "{'apiVersion': 'trainer.kubeflow.org/v1alpha1',\n"             /* 1 */
             " 'kind': 'ClusterTrainingRuntime',\n"                          /* 2 */
             " 'metadata': {'name': 'tune'},\n"                              /* 3 */
             " 'spec': {'podGroupPolicy':\n"                                 /* 4 */
             "%s,\n"                                                         /* 5 */
             "  'template': {'spec': {'replicatedJobs': [\n"                 /* 6 */
             "   {'name': 'a', 'replicas': 1, 'template': {\n"               /* 7 */
             "    'spec': {'backoffLimit': 0, 'template': {'spec': {\n"      /* 8 */
             "%s%s%s\n"                                                      /* 9 */
             "     'containers': [{'name': 'c', 'image': 'i'}]}}}}},\n"      /* 10 */
             "   {'name': 'b', 'replicas': 1, 'template': {\n"               /* 11 */
             "    'spec': {'backoffLimit': 0, 'template': {'spec': {\n"      /* 12 */
             "%s%s%s\n"                                                      /* 13 */
             "     'containers': [{'name': 'c', 'image': 'i'}]}}}}}]}}}}\n", /* 14 */
             gang_policy ? gang_policy : "null", first ? "'schedulerName': '" : "",
             first ? first : "", first ? "'," : "", second ? "'schedulerName': '" : "",
             second ? second : "", second ? "'," : "");
    return out;
}

static const char elsewhere_trainjob[] =
    "{'apiVersion': 'trainer.kubeflow.org/v1alpha1',\n"
    " 'kind': 'TrainJob',\n"
    " 'metadata': {'name': 'llama', 'namespace': 'ml'},\n"
    " 'spec': {'managedBy': 'kueue.x-k8s.io/multikueue',\n"
    "  'runtimeRef': {'apiGroup': 'trainer.kubeflow.org', 'kind': 'ClusterTrainingRuntime',\n"
    "                 'name': 'tune'}}}\n";

#define COSCHEDULER "scheduler-plugins-scheduler"

/* Candidates in order of precedence: value, path and line, verdict, reason. */
#define GANG_POLICY(name, rest) name " runtime spec.podGroupPolicy." name rest "\n"
#define CHOSEN(name) GANG_POLICY(name, ":5 Chosen set in the runtime's podGroupPolicy")
#define NO_MEMBER_AT(line)                                                                         \
    "- runtime spec.podGroupPolicy" line " Unset the runtime's podGroupPolicy names no backend\n"
#define NO_MEMBER NO_MEMBER_AT("")
#define UNHEARD(name, member)                                                                      \
    name                                                                                           \
        " runtime spec.podGroupPolicy." member                                                     \
        ":5 Refused with KubeflowTrainer compatibility no such member of podGroupPolicy is read\n"
#define FIRST(value, rest)                                                                         \
    value " runtime "                                                                              \
          "spec.template.spec.replicatedJobs[0].template.spec.template.spec.schedulerName:9 " rest \
          "\n"
#define SECOND(value, rest)                                                                        \
    value                                                                                          \
        " runtime "                                                                                \
        "spec.template.spec.replicatedJobs[1].template.spec.template.spec.schedulerName:13 " rest  \
        "\n"
#define NO_TEMPLATE "- runtime Unset no template names a scheduler\n"
#define NO_SCHEDULER NO_TEMPLATE
#define NAMES_IT "Chosen the schedulerName of the templates is this backend's"
#define UNKNOWN "Refused no backend has a scheduler of this name"
#define BEHIND "Overridden the runtime's podGroupPolicy has precedence"
#define COMMON "Refused default-scheduler never chooses a backend"
#define IGNORED "Refused with KubeflowTrainer compatibility only podGroupPolicy chooses"
#define SEVERAL "Ambiguous the templates name the schedulers of several backends"
#define ELSEWHERE "Overridden managedBy names another controller"
#define MANAGED_ROW                                                                                \
    "- trainjob spec.managedBy:4 Refused managedBy names another controller; the operator "        \
    "creates nothing\n"

enum { DEFAULT_MODE, COMPATIBLE, MANAGED };

static const struct choice_case {
    const char *gang_policy, *first, *second;
    int mode;
    enum gang_outcome outcome;
    const char *backend;
    int code; /* that must be among the findings; 0: no finding but infos */
    enum gang_severity severity;
    const char *candidates;
} choices[] = {
    /* podGroupPolicy: each member, empty objects count. */
    {"{'volcano': {}}", NULL, NULL, DEFAULT_MODE, GANG_OUTCOME_GANG, "volcano", 0, 0,
     CHOSEN("volcano") NO_TEMPLATE},
    {"{'coscheduling': {}}", NULL, NULL, DEFAULT_MODE, GANG_OUTCOME_GANG, "coscheduling", 0, 0,
     CHOSEN("coscheduling") NO_TEMPLATE},
    {"{'volcano': {}, 'coscheduling': null}", NULL, NULL, DEFAULT_MODE, GANG_OUTCOME_GANG,
     "volcano", 0, 0, CHOSEN("volcano") NO_TEMPLATE},
    {"{'volcano': {}}", NULL, NULL, COMPATIBLE, GANG_OUTCOME_GANG, "volcano",
     GANG_CODE_SCHEDULER_NAME_MISSING, GANG_SEVERITY_WARNING, CHOSEN("volcano") NO_TEMPLATE},
    {"{'coscheduling': {}}", NULL, NULL, COMPATIBLE, GANG_OUTCOME_GANG, "coscheduling",
     GANG_CODE_SCHEDULER_NAME_MISSING, GANG_SEVERITY_WARNING, CHOSEN("coscheduling") NO_TEMPLATE},
    /* Nothing chooses. */
    {NULL, NULL, NULL, DEFAULT_MODE, GANG_OUTCOME_NO_GANG, NULL, 0, 0, NO_MEMBER NO_TEMPLATE},
    {"{}", NULL, NULL, DEFAULT_MODE, GANG_OUTCOME_NO_GANG, NULL, 0, 0,
     NO_MEMBER_AT(":5") NO_TEMPLATE},
    /* A scheduler that belongs to one backend. */
    {NULL, "volcano", "volcano", DEFAULT_MODE, GANG_OUTCOME_GANG, "volcano", 0, 0,
     NO_MEMBER FIRST("volcano", NAMES_IT)},
    {NULL, COSCHEDULER, COSCHEDULER, DEFAULT_MODE, GANG_OUTCOME_GANG, "coscheduling", 0, 0,
     NO_MEMBER FIRST("coscheduling", NAMES_IT)},
    {NULL, "volcano", NULL, DEFAULT_MODE, GANG_OUTCOME_GANG, "volcano", 0, 0,
     NO_MEMBER FIRST("volcano", NAMES_IT)},
    {NULL, NULL, "volcano", DEFAULT_MODE, GANG_OUTCOME_GANG, "volcano", 0, 0,
     NO_MEMBER SECOND("volcano", NAMES_IT)},
    /* One that belongs to none, default-scheduler among them, never chooses. */
    {NULL, "default-scheduler", "default-scheduler", DEFAULT_MODE, GANG_OUTCOME_NO_GANG, NULL, 0, 0,
     NO_MEMBER FIRST("-", COMMON)},
    {NULL, "my-scheduler", "other", DEFAULT_MODE, GANG_OUTCOME_NO_GANG, NULL, 0, 0,
     NO_MEMBER FIRST("-", UNKNOWN) SECOND("-", UNKNOWN)},
    {NULL, "Volcano", NULL, DEFAULT_MODE, GANG_OUTCOME_NO_GANG, NULL, 0, 0,
     NO_MEMBER FIRST("-", UNKNOWN)},
    /* Roles must have one scheduler. */
    {NULL, "volcano", "default-scheduler", DEFAULT_MODE, GANG_OUTCOME_INVALID, NULL,
     GANG_CODE_SCHEDULERS_DISAGREE, GANG_SEVERITY_ERROR,
     NO_MEMBER FIRST("volcano", NAMES_IT) SECOND("-", COMMON)},
    {NULL, "volcano", COSCHEDULER, DEFAULT_MODE, GANG_OUTCOME_INVALID, NULL,
     GANG_CODE_SCHEDULERS_DISAGREE, GANG_SEVERITY_ERROR,
     NO_MEMBER FIRST("volcano", SEVERAL) SECOND("coscheduling", SEVERAL)},
    /* podGroupPolicy has precedence schedulerName; where they disagree it is an error. */
    {"{'volcano': {}}", "volcano", "volcano", DEFAULT_MODE, GANG_OUTCOME_GANG, "volcano", 0, 0,
     CHOSEN("volcano") FIRST("volcano", BEHIND)},
    {"{'volcano': {}}", COSCHEDULER, NULL, DEFAULT_MODE, GANG_OUTCOME_INVALID, NULL,
     GANG_CODE_SCHEDULER_MISMATCH, GANG_SEVERITY_ERROR,
     CHOSEN("volcano") FIRST("coscheduling", BEHIND)},
    {"{'coscheduling': {}}", NULL, "default-scheduler", DEFAULT_MODE, GANG_OUTCOME_INVALID, NULL,
     GANG_CODE_SCHEDULER_MISMATCH, GANG_SEVERITY_ERROR, CHOSEN("coscheduling") SECOND("-", COMMON)},
    /* Both at once, in either mode. */
    {"{'volcano': {}, 'coscheduling': {}}", NULL, NULL, DEFAULT_MODE, GANG_OUTCOME_INVALID, NULL,
     GANG_CODE_BACKEND_CONFLICT, GANG_SEVERITY_ERROR,
     GANG_POLICY("coscheduling", ":5 Ambiguous podGroupPolicy names more than one")
         GANG_POLICY("volcano", ":5 Ambiguous podGroupPolicy names more than one") NO_TEMPLATE},
    {"{'volcano': {}, 'coscheduling': {}}", NULL, NULL, COMPATIBLE, GANG_OUTCOME_INVALID, NULL,
     GANG_CODE_BACKEND_CONFLICT, GANG_SEVERITY_ERROR,
     GANG_POLICY("coscheduling", ":5 Ambiguous podGroupPolicy names more than one")
         GANG_POLICY("volcano", ":5 Ambiguous podGroupPolicy names more than one") NO_TEMPLATE},
    /* A member that no backend reads. */
    {"{'vulcano': {}}", NULL, NULL, DEFAULT_MODE, GANG_OUTCOME_INVALID, NULL,
     GANG_CODE_UNKNOWN_GANG_POLICY, GANG_SEVERITY_ERROR, NO_MEMBER_AT(":5") NO_TEMPLATE},
    {"{'vulcano': {}}", NULL, NULL, COMPATIBLE, GANG_OUTCOME_NO_GANG, NULL,
     GANG_CODE_UNKNOWN_GANG_POLICY, GANG_SEVERITY_WARNING, NO_MEMBER_AT(":5") NO_TEMPLATE},
    {"{'volcano': {}, 'vulcano': {}}", NULL, NULL, DEFAULT_MODE, GANG_OUTCOME_INVALID, NULL,
     GANG_CODE_UNKNOWN_GANG_POLICY, GANG_SEVERITY_ERROR, CHOSEN("volcano") NO_TEMPLATE},
    {"{'volcano': {}, 'vulcano': {}}", NULL, NULL, COMPATIBLE, GANG_OUTCOME_GANG, "volcano",
     GANG_CODE_UNKNOWN_GANG_POLICY, GANG_SEVERITY_WARNING, CHOSEN("volcano") NO_TEMPLATE},
    /* Members that the operator's CRDs do not have: its API server drops them and uses the rest. */
    {"{'kai': {}}", NULL, NULL, COMPATIBLE, GANG_OUTCOME_NO_GANG, NULL, GANG_CODE_UNRELEASED_FIELD,
     GANG_SEVERITY_INFO, UNHEARD("kai", "kai") NO_TEMPLATE},
    {"{'kaiScheduler': {}, 'volcano': null}", NULL, NULL, COMPATIBLE, GANG_OUTCOME_NO_GANG, NULL,
     GANG_CODE_UNRELEASED_FIELD, GANG_SEVERITY_INFO, UNHEARD("kai", "kaiScheduler") NO_TEMPLATE},
    {"{'workload': {}}", NULL, NULL, COMPATIBLE, GANG_OUTCOME_NO_GANG, NULL,
     GANG_CODE_UNRELEASED_FIELD, GANG_SEVERITY_INFO, UNHEARD("workload", "workload") NO_TEMPLATE},
    {"{'coscheduling': {}, 'kai': {}}", NULL, NULL, COMPATIBLE, GANG_OUTCOME_GANG, "coscheduling",
     GANG_CODE_SCHEDULER_NAME_MISSING, GANG_SEVERITY_WARNING,
     CHOSEN("coscheduling") UNHEARD("kai", "kai") NO_TEMPLATE},
    /* Compatibility looks at podGroupPolicy alone; the operator never reads schedulerName. */
    {NULL, "volcano", "volcano", COMPATIBLE, GANG_OUTCOME_NO_GANG, NULL, 0, 0,
     NO_MEMBER FIRST("volcano", IGNORED)},
    {NULL, "volcano", COSCHEDULER, COMPATIBLE, GANG_OUTCOME_NO_GANG, NULL, 0, 0,
     NO_MEMBER FIRST("volcano", IGNORED) SECOND("coscheduling", IGNORED)},
    {NULL, "my-scheduler", NULL, COMPATIBLE, GANG_OUTCOME_NO_GANG, NULL, 0, 0,
     NO_MEMBER FIRST("-", UNKNOWN)},
    {"{'volcano': {}}", COSCHEDULER, COSCHEDULER, COMPATIBLE, GANG_OUTCOME_GANG, "volcano",
     GANG_CODE_SCHEDULER_MISMATCH, GANG_SEVERITY_WARNING,
     CHOSEN("volcano") FIRST("coscheduling", IGNORED)},
    /* Another controller's job has no gang here, with any runtime. */
    {"{'volcano': {}}", "volcano", NULL, MANAGED, GANG_OUTCOME_NO_GANG, NULL,
     GANG_CODE_MANAGED_ELSEWHERE, GANG_SEVERITY_INFO,
     MANAGED_ROW GANG_POLICY("volcano", ":5 " ELSEWHERE) FIRST("volcano", ELSEWHERE)},
    {NULL, "volcano", COSCHEDULER, MANAGED, GANG_OUTCOME_NO_GANG, NULL, GANG_CODE_MANAGED_ELSEWHERE,
     GANG_SEVERITY_INFO,
     MANAGED_ROW NO_MEMBER FIRST("volcano", SEVERAL) SECOND("coscheduling", SEVERAL)},
    {"{'volcano': {}, 'coscheduling': {}}", NULL, NULL, MANAGED, GANG_OUTCOME_NO_GANG, NULL,
     GANG_CODE_MANAGED_ELSEWHERE, GANG_SEVERITY_INFO,
     MANAGED_ROW GANG_POLICY("coscheduling", ":5 Ambiguous podGroupPolicy names more than one")
         GANG_POLICY("volcano", ":5 Ambiguous podGroupPolicy names more than one") NO_TEMPLATE},
};

static struct run
run_choice(const struct choice_case *row)
{
    char runtime[DOCUMENT_SIZE];

    pair_runtime(runtime, row->gang_policy, row->first, row->second);
    return run_spelled(runtime, NULL, NULL,
                       row->mode == MANAGED ? elsewhere_trainjob : tune_trainjob,
                       row->mode == COMPATIBLE ? compatibility_policy : NULL);
}

static void
check_finding(const struct run *run, const struct choice_case *row)
{
    bool found = !row->code;

    for (size_t i = 0; i < run_num_findings(run); i++) {
        const struct gang_diagnostic *finding = run_finding(run, i);

        found |= gang_diagnostic_get_code(finding) == row->code &&
                 gang_diagnostic_get_severity(finding) == (int)row->severity;
        ck_assert_msg(row->code || gang_diagnostic_get_severity(finding) == GANG_SEVERITY_INFO,
                      "%s", gang_diagnostic_get_message(finding));
    }
    ck_assert_msg(found, "GANG%03d was not found, or is of another severity", row->code);
}

START_TEST(chooses_in_order_of_precedence)
{
    struct run run = run_choice(&choices[_i]);

    ck_assert_ptr_nonnull(run.decision);
    check_finding(&run, &choices[_i]);
    ck_assert_int_eq(gang_decision_get_outcome(run.decision), choices[_i].outcome);
    ck_assert_pstr_eq(gang_decision_get_backend(run.decision), choices[_i].backend);
    ck_assert_int_eq(run.result,
                     choices[_i].outcome == GANG_OUTCOME_INVALID ? GANG_ERROR_INVALID : GANG_OK);
    ck_assert_int_eq(run.error != NULL, choices[_i].outcome == GANG_OUTCOME_INVALID);
    end_run(&run);
}
END_TEST

START_TEST(trace_has_every_candidate)
{
    struct run run = run_choice(&choices[_i]);

    check_trace(run.decision, TRACE_BACKEND, choices[_i].candidates);
    end_run(&run);
}
END_TEST

/* ---- with a policy ---- */

#define OF_GANG_POLICY(name, rest) name " runtime spec.podGroupPolicy." name rest "\n"
#define NAMED(name) OF_GANG_POLICY(name, ":3 Chosen set in the runtime's podGroupPolicy")
#define NAMED_BUT(name, verdict) OF_GANG_POLICY(name, ":3 " verdict)
#define TEMPLATE "spec.template.spec.replicatedJobs[0].template.spec.template.spec.schedulerName:5"
#define OTHER_TEMPLATE                                                                             \
    "spec.template.spec.replicatedJobs[1].template.spec.template.spec.schedulerName:6"
#define OF_TEMPLATE(value, verdict) value " runtime " TEMPLATE " " verdict "\n"
#define OF_RULE(value, verdict) value " policy spec.rules[0].backend:1 " verdict "\n"
#define OF_DEFAULTS(value, verdict) value " policy spec.defaults.backend:1 " verdict "\n"
#define LAST(value, verdict) value " policy spec.defaultBackend:1 " verdict "\n"
#define NO_LAST "- policy spec.defaultBackend Unset the policy has no defaultBackend\n"
#define NO_RULE "- policy spec.rules Unset no rule matches\n"
#define SILENT "- policy spec.rules[0].backend:1 Unset rule r does not set it\n"
#define STRICT "Overridden rule r with override Always has precedence"
#define BEHIND_RULE "Overridden rule r has precedence"
#define TEMPLATES_STAND "the schedulerName of the templates has precedence"
#define BEHIND_TEMPLATES "Overridden " TEMPLATES_STAND
#define INSIST "; set override: Always to give the rule precedence"
#define LAST_RESORT "Chosen the policy's defaultBackend"
#define COMPATIBLE_ONLY "Refused with KubeflowTrainer compatibility only podGroupPolicy chooses"

#define VOLCANO_GANG "gang={'volcano':{}}"
#define CO_GANG "gang={'coscheduling':{}}"
#define R(members) "'rules':[{'name':'r','match':{}" members "}]"
#define TWO                                                                                        \
    "'backends':[{'name':'slow','type':'Volcano','schedulerName':'volcano-slow'},"                 \
    "{'name':'fast','type':'Volcano','schedulerName':'volcano-fast'}]"
#define ONLY_CO "'backends':[{'name':'co','type':'Coscheduling'}]"
#define WITH_NONE "'backends':[{'name':'v','type':'Volcano'},{'name':'off','type':'None'}]"
#define NO_VOLCANO "'servedVersions':[{'groupVersion':'scheduling.x-k8s.io/v1alpha1'}]"
#define NOT_SERVED "NotServed the cluster does not serve its objects"
#define OPERATOR "SchedulerNameMissing MarkOnWaitingRole LimitsNotCounted StructuralDeadlock"

static const struct resolution policies[] = {
    /* Each step of the precedence alone. */
    {"'defaultBackend':'volcano'", "", NULL, GANG_OUTCOME_GANG, "",
     NO_MEMBER NO_TEMPLATE LAST("volcano", LAST_RESORT)},
    {"'defaults':{'backend':'volcano'}", "", NULL, GANG_OUTCOME_GANG, "",
     NO_MEMBER NO_TEMPLATE OF_DEFAULTS("volcano", "Chosen the policy's defaults") NO_LAST},
    {R(",'backend':'volcano'"), "", NULL, GANG_OUTCOME_GANG, "",
     NO_MEMBER NO_TEMPLATE OF_RULE("volcano", "Chosen rule r") NO_LAST},
    {R(",'backend':'volcano','override':'IfUnset'"), "", NULL, GANG_OUTCOME_GANG, "",
     NO_MEMBER NO_TEMPLATE OF_RULE("volcano", "Chosen rule r") NO_LAST},
    {R(",'backend':'volcano','override':'Always'"), "", NULL, GANG_OUTCOME_GANG, "",
     OF_RULE("volcano", "Chosen rule r (Always)") NO_MEMBER NO_TEMPLATE NO_LAST},
    {"'runtimePolicy':'Honor'", CO_GANG, NULL, GANG_OUTCOME_GANG, "",
     NAMED("coscheduling") NO_TEMPLATE NO_LAST},
    {"'runtimePolicy':'Honor'", "data='schedulerName':'volcano',", NULL, GANG_OUTCOME_GANG, "",
     NO_MEMBER OF_TEMPLATE("volcano", NAMES_IT) NO_LAST},
    {"'runtimePolicy':'Honor'", "", NULL, GANG_OUTCOME_NO_GANG, "", NO_MEMBER NO_TEMPLATE NO_LAST},
    /* Each step before the next. */
    {"'defaults':{'backend':'volcano'},'defaultBackend':'coscheduling'", "", NULL,
     GANG_OUTCOME_GANG, "",
     NO_MEMBER NO_TEMPLATE OF_DEFAULTS("volcano", "Chosen the policy's defaults")
         LAST("coscheduling", "Overridden the policy's defaults have precedence")},
    {R(",'backend':'coscheduling'") ",'defaults':{'backend':'volcano'}", "", NULL,
     GANG_OUTCOME_GANG, "",
     NO_MEMBER NO_TEMPLATE OF_RULE("coscheduling", "Chosen rule r")
         OF_DEFAULTS("volcano", BEHIND_RULE) NO_LAST},
    {R(",'backend':'coscheduling'") ",'defaultBackend':'volcano'", "", NULL, GANG_OUTCOME_GANG, "",
     NO_MEMBER NO_TEMPLATE OF_RULE("coscheduling", "Chosen rule r") LAST("volcano", BEHIND_RULE)},
    {R(",'backend':'volcano'"), "data='schedulerName':'volcano',", NULL, GANG_OUTCOME_GANG, "",
     NO_MEMBER OF_TEMPLATE("volcano", NAMES_IT)
         OF_RULE("volcano", "Overridden rule r: " TEMPLATES_STAND) NO_LAST},
    {R(",'backend':'coscheduling'"), "data='schedulerName':'volcano',", NULL, GANG_OUTCOME_GANG, "",
     NO_MEMBER OF_TEMPLATE("volcano", NAMES_IT)
         OF_RULE("coscheduling", "Overridden rule r: " TEMPLATES_STAND INSIST) NO_LAST},
    {R(",'backend':'coscheduling'"), VOLCANO_GANG, NULL, GANG_OUTCOME_GANG, "",
     NAMED("volcano") NO_TEMPLATE OF_RULE(
         "coscheduling", "Overridden rule r: the runtime's podGroupPolicy has precedence" INSIST)
         NO_LAST},
    {"'defaultBackend':'coscheduling'", VOLCANO_GANG, NULL, GANG_OUTCOME_GANG, "",
     NAMED("volcano") NO_TEMPLATE LAST("coscheduling", BEHIND)},
    {"'defaults':{'backend':'coscheduling'}", VOLCANO_GANG, NULL, GANG_OUTCOME_GANG, "",
     NAMED("volcano") NO_TEMPLATE OF_DEFAULTS("coscheduling", BEHIND) NO_LAST},
    {R(",'backend':'coscheduling','override':'Always'"), VOLCANO_GANG, NULL, GANG_OUTCOME_GANG,
     "OverriddenByPolicy",
     OF_RULE("coscheduling", "Chosen rule r (Always)") NAMED_BUT("volcano", STRICT)
         NO_TEMPLATE NO_LAST},
    {R(",'backend':'volcano','override':'Always'"), VOLCANO_GANG, NULL, GANG_OUTCOME_GANG, "",
     OF_RULE("volcano", "Chosen rule r (Always)") NAMED_BUT("volcano", STRICT) NO_TEMPLATE NO_LAST},
    {R(",'backend':'coscheduling','override':'Always'"), "data='schedulerName':'volcano',", NULL,
     GANG_OUTCOME_GANG, "OverriddenByPolicy",
     OF_RULE("coscheduling", "Chosen rule r (Always)") NO_MEMBER OF_TEMPLATE("volcano", STRICT)
         NO_LAST},
    {R(",'backend':'volcano','override':'Always'") ",'defaultBackend':'coscheduling'", "", NULL,
     GANG_OUTCOME_GANG, "",
     OF_RULE("volcano", "Chosen rule r (Always)")
         NO_MEMBER NO_TEMPLATE LAST("coscheduling", STRICT)},
    /* The first rule that matches counts, whole: nothing is taken from the next. */
    {"'rules':[{'name':'r','match':{},'queue':{'name':'q'}},{'name':'s','match':{'namespaces':['ml'"
     "]},"
     "'backend':'volcano'}],'defaultBackend':'coscheduling'",
     "", NULL, GANG_OUTCOME_GANG, "FieldLost",
     NO_MEMBER NO_TEMPLATE SILENT LAST("coscheduling", LAST_RESORT)},
    {"'rules':[{'name':'r','match':{'namespaces':['other']},'backend':'coscheduling'},"
     "{'name':'s','match':{},'backend':'volcano'}]",
     "", NULL, GANG_OUTCOME_GANG, "",
     NO_MEMBER NO_TEMPLATE "volcano policy spec.rules[1].backend:1 Chosen rule s\n" NO_LAST},
    {"'rules':[{'name':'r','match':{'namespaces':['other']},'backend':'volcano'}]", "", NULL,
     GANG_OUTCOME_NO_GANG, "", NO_MEMBER NO_TEMPLATE NO_RULE NO_LAST},
    /* Skip and Deny have precedence over everything. */
    {R(",'action':'Skip'"), VOLCANO_GANG, NULL, GANG_OUTCOME_NO_GANG, "",
     "- policy spec.rules[0].action:1 Refused rule r\n" NAMED_BUT(
         "volcano", "Overridden rule r skips the job") NO_TEMPLATE SILENT NO_LAST},
    {R(",'action':'Skip','message':'not here'") ",'defaultBackend':'volcano'", "", NULL,
     GANG_OUTCOME_NO_GANG, "",
     "- policy spec.rules[0].action:1 Refused rule r: not here\n" NO_MEMBER NO_TEMPLATE SILENT LAST(
         "volcano", "Overridden rule r skips the job")},
    {R(",'action':'Deny'"), "", NULL, GANG_OUTCOME_DENIED, "RuleDenies",
     "- policy spec.rules[0].action:1 Refused rule r\n" NO_MEMBER NO_TEMPLATE SILENT NO_LAST},
    {R(",'action':'Deny','message':'go away'"), VOLCANO_GANG, NULL, GANG_OUTCOME_DENIED,
     "RuleDenies",
     "- policy spec.rules[0].action:1 Refused rule r: go away\n" NAMED_BUT(
         "volcano", "Overridden rule r denies the job") NO_TEMPLATE SILENT NO_LAST},
    {R(",'action':'Skip'"), "job='managedBy':'kueue.x-k8s.io/multikueue',", NULL,
     GANG_OUTCOME_NO_GANG, "",
     "- policy spec.rules[0].action:1 Refused rule r\n"
     "- trainjob spec.managedBy:1 Refused managedBy names another controller; the operator creates "
     "nothing\n" NO_MEMBER NO_TEMPLATE SILENT NO_LAST},
    {R(",'action':'Deny'"), "job='managedBy':'kueue.x-k8s.io/multikueue',", NULL,
     GANG_OUTCOME_DENIED, "RuleDenies",
     "- policy spec.rules[0].action:1 Refused rule r\n"
     "- trainjob spec.managedBy:1 Refused managedBy names another controller; the operator creates "
     "nothing\n" NO_MEMBER NO_TEMPLATE SILENT NO_LAST},
    {R(",'backend':'volcano','override':'Always'"), "job='managedBy':'kueue.x-k8s.io/multikueue',",
     NULL, GANG_OUTCOME_NO_GANG, "",
     "- trainjob spec.managedBy:1 Refused managedBy names another controller; the operator creates "
     "nothing\n" OF_RULE("volcano", "Overridden rule r: managedBy names another controller")
         NO_MEMBER NO_TEMPLATE NO_LAST},
    /* What the job does wrong does not save it from a rule that denies, and does not undo one that
       skips. */
    {R(",'action':'Deny'"), "gang={'volcano':{},'coscheduling':{}}", NULL, GANG_OUTCOME_DENIED,
     "RuleDenies",
     "- policy spec.rules[0].action:1 Refused rule r\n" NAMED_BUT(
         "coscheduling", "Ambiguous podGroupPolicy names more than one")
         NAMED_BUT("volcano", "Ambiguous podGroupPolicy names more than one")
             NO_TEMPLATE SILENT NO_LAST},
    /* The weight of the runtime. */
    {"'runtimePolicy':'Ignore'", VOLCANO_GANG, NULL, GANG_OUTCOME_NO_GANG, "",
     NAMED_BUT("volcano", "Refused the policy ignores podGroupPolicy") NO_TEMPLATE NO_LAST},
    {"'runtimePolicy':'Ignore','defaultBackend':'coscheduling'", VOLCANO_GANG, NULL,
     GANG_OUTCOME_GANG, "",
     NAMED_BUT("volcano", "Refused the policy ignores podGroupPolicy")
         NO_TEMPLATE LAST("coscheduling", LAST_RESORT)},
    {"'runtimePolicy':'Ignore','defaultBackend':'volcano'", "gang={'volcano':{},'coscheduling':{}}",
     NULL, GANG_OUTCOME_GANG, "",
     NAMED_BUT("coscheduling", "Refused the policy ignores podGroupPolicy")
         NAMED_BUT("volcano", "Refused the policy ignores podGroupPolicy")
             NO_TEMPLATE LAST("volcano", LAST_RESORT)},
    {"'runtimePolicy':'Require'", VOLCANO_GANG, NULL, GANG_OUTCOME_GANG, "",
     NAMED("volcano") NO_TEMPLATE NO_LAST},
    {"'runtimePolicy':'Require','defaultBackend':'volcano'", "", NULL, GANG_OUTCOME_INVALID,
     "GangPolicyRequired", NO_MEMBER NO_TEMPLATE LAST("volcano", LAST_RESORT)},
    {"'runtimePolicy':'Require'," R(",'action':'Skip'"), "", NULL, GANG_OUTCOME_NO_GANG, "",
     "- policy spec.rules[0].action:1 Refused rule r\n" NO_MEMBER NO_TEMPLATE SILENT NO_LAST},
    /* Two explicit answers stay an error under a rule that has precedence over both. */
    {R(",'backend':'volcano','override':'Always'"), "gang={'volcano':{},'coscheduling':{}}", NULL,
     GANG_OUTCOME_INVALID, "BackendConflict",
     OF_RULE("volcano", "Chosen rule r (Always)")
         NAMED_BUT("coscheduling", "Ambiguous podGroupPolicy names more than one") NAMED_BUT(
             "volcano", "Ambiguous podGroupPolicy names more than one") NO_TEMPLATE NO_LAST},
    /* Only what is enabled; nothing is chosen instead. */
    {ONLY_CO ",'defaultBackend':'co'", VOLCANO_GANG, NULL, GANG_OUTCOME_INVALID,
     "BackendNotEnabled",
     NAMED_BUT("volcano", "NotEnabled the policy does not enable a backend of this type")
         NO_TEMPLATE LAST("co", BEHIND)},
    {ONLY_CO ",'defaultBackend':'co'", "data='schedulerName':'volcano',", NULL,
     GANG_OUTCOME_INVALID, "BackendNotEnabled",
     NO_MEMBER OF_TEMPLATE("-", "NotEnabled the policy enables no backend with this scheduler")
         LAST("co", BEHIND_TEMPLATES)},
    {ONLY_CO "," R(",'backend':'co','override':'Always'"), VOLCANO_GANG, NULL, GANG_OUTCOME_GANG,
     "",
     OF_RULE("co", "Chosen rule r (Always)")
         NAMED_BUT("volcano", "NotEnabled the policy does not enable a backend of this type")
             NO_TEMPLATE NO_LAST},
    {ONLY_CO, "data='schedulerName':'mine',", NULL, GANG_OUTCOME_NO_GANG, "",
     NO_MEMBER OF_TEMPLATE("-", UNKNOWN) NO_LAST},
    {ONLY_CO, CO_GANG, NULL, GANG_OUTCOME_GANG, "",
     "co runtime spec.podGroupPolicy.coscheduling:3 Chosen set in the runtime's "
     "podGroupPolicy\n" NO_TEMPLATE NO_LAST},
    /* The type None: no gang is what was chosen. */
    {WITH_NONE ",'defaultBackend':'off'", "", NULL, GANG_OUTCOME_NO_GANG, "",
     NO_MEMBER NO_TEMPLATE LAST("off", LAST_RESORT)},
    {WITH_NONE ",'defaultBackend':'v'," R(",'backend':'off'"), "", NULL, GANG_OUTCOME_NO_GANG, "",
     NO_MEMBER NO_TEMPLATE OF_RULE("off", "Chosen rule r") LAST("v", BEHIND_RULE)},
    {WITH_NONE "," R(",'backend':'off','override':'Always'"), VOLCANO_GANG, NULL,
     GANG_OUTCOME_NO_GANG, "OverriddenByPolicy",
     OF_RULE("off", "Chosen rule r (Always)") "v runtime spec.podGroupPolicy.volcano:3 " STRICT
                                              "\n" NO_TEMPLATE NO_LAST},
    /* Several of one type: the templates choose one; else it is ambiguous. */
    {TWO, VOLCANO_GANG, NULL, GANG_OUTCOME_INVALID, "BackendAmbiguous",
     NAMED_BUT("volcano", "Ambiguous the policy enables several backends of this type")
         NO_TEMPLATE NO_LAST},
    {TWO, VOLCANO_GANG ";data='schedulerName':'volcano-fast',", NULL, GANG_OUTCOME_GANG, "",
     "fast runtime spec.podGroupPolicy.volcano:3 Chosen set in the runtime's "
     "podGroupPolicy\n" OF_TEMPLATE("fast", BEHIND) NO_LAST},
    {TWO, VOLCANO_GANG ";data='schedulerName':'volcano-slow',", NULL, GANG_OUTCOME_GANG, "",
     "slow runtime spec.podGroupPolicy.volcano:3 Chosen set in the runtime's "
     "podGroupPolicy\n" OF_TEMPLATE("slow", BEHIND) NO_LAST},
    {TWO, "data='schedulerName':'volcano-fast',", NULL, GANG_OUTCOME_GANG, "",
     NO_MEMBER OF_TEMPLATE("fast", NAMES_IT) NO_LAST},
    {TWO, "data='schedulerName':'volcano-fast',;node='schedulerName':'volcano-slow',", NULL,
     GANG_OUTCOME_INVALID, "SchedulersDisagree",
     NO_MEMBER OF_TEMPLATE("fast", SEVERAL) "slow runtime " OTHER_TEMPLATE " " SEVERAL
                                            "\n" NO_LAST},
    {TWO, "data='schedulerName':'volcano',", NULL, GANG_OUTCOME_INVALID, "BackendNotEnabled",
     NO_MEMBER OF_TEMPLATE("-", "NotEnabled the policy enables no backend with this scheduler")
         NO_LAST},
    /* Two with one scheduler: its name chooses neither. */
    {"'backends':[{'name':'a','type':'Volcano','schedulerName':'s'},{'name':'b','type':'"
     "Coscheduling',"
     "'schedulerName':'s'}]",
     "data='schedulerName':'s',", NULL, GANG_OUTCOME_NO_GANG, "",
     NO_MEMBER OF_TEMPLATE("-", "Ambiguous several enabled backends have this scheduler") NO_LAST},
    {"'backends':[{'name':'a','type':'Volcano','schedulerName':'s'},{'name':'b','type':'"
     "Coscheduling',"
     "'schedulerName':'s'}],'defaultBackend':'b'",
     "data='schedulerName':'s',", NULL, GANG_OUTCOME_GANG, "",
     NO_MEMBER OF_TEMPLATE("-", "Ambiguous several enabled backends have this scheduler")
         LAST("b", LAST_RESORT)},
    /* Not served by the cluster: whoever chose it. */
    {NULL, VOLCANO_GANG, NO_VOLCANO, GANG_OUTCOME_INVALID, "NotServed",
     NAMED_BUT("volcano", NOT_SERVED) NO_TEMPLATE},
    {NULL, "data='schedulerName':'volcano',", NO_VOLCANO, GANG_OUTCOME_INVALID, "NotServed",
     NO_MEMBER OF_TEMPLATE("volcano", NOT_SERVED)},
    {R(",'backend':'volcano'") ",'defaultBackend':'coscheduling'", "", NO_VOLCANO,
     GANG_OUTCOME_INVALID, "NotServed",
     NO_MEMBER NO_TEMPLATE OF_RULE("volcano",
                                   "NotServed rule r: the cluster does not serve its objects")
         LAST("coscheduling", BEHIND_RULE)},
    {R(",'backend':'volcano','override':'Always'"), "", NO_VOLCANO, GANG_OUTCOME_INVALID,
     "NotServed",
     OF_RULE("volcano", "NotServed rule r: the cluster does not serve its objects")
         NO_MEMBER NO_TEMPLATE NO_LAST},
    {"'defaults':{'backend':'volcano'}", "", NO_VOLCANO, GANG_OUTCOME_INVALID, "NotServed",
     NO_MEMBER NO_TEMPLATE OF_DEFAULTS("volcano", NOT_SERVED) NO_LAST},
    {"'defaultBackend':'volcano'", "", NO_VOLCANO, GANG_OUTCOME_INVALID, "NotServed",
     NO_MEMBER NO_TEMPLATE LAST("volcano", NOT_SERVED)},
    {NULL, CO_GANG, NO_VOLCANO, GANG_OUTCOME_GANG, "", NAMED("coscheduling") NO_TEMPLATE},
    {NULL, VOLCANO_GANG, "'kubernetesVersion':'1.36'", GANG_OUTCOME_GANG, "",
     NAMED("volcano") NO_TEMPLATE},
    /* Compatibility: podGroupPolicy alone, but a rule may still skip or deny. */
    {"'compatibility':'KubeflowTrainer','defaultBackend':'volcano'", "", NULL, GANG_OUTCOME_NO_GANG,
     "LimitsNotCounted", NO_MEMBER NO_TEMPLATE LAST("volcano", COMPATIBLE_ONLY)},
    {"'compatibility':'KubeflowTrainer'," R(",'backend':'coscheduling','override':'Always'"),
     VOLCANO_GANG, NULL, GANG_OUTCOME_GANG, OPERATOR,
     OF_RULE("coscheduling",
             "Refused rule r: with KubeflowTrainer compatibility only podGroupPolicy chooses")
         NAMED("volcano") NO_TEMPLATE},
    {"'compatibility':'KubeflowTrainer'," R(
         ",'backend':'coscheduling'") ",'defaults':{'backend':'volcano'}",
     "", NULL, GANG_OUTCOME_NO_GANG, "LimitsNotCounted",
     NO_MEMBER NO_TEMPLATE OF_RULE(
         "coscheduling",
         "Refused rule r: with KubeflowTrainer compatibility only podGroupPolicy chooses")
         OF_DEFAULTS("volcano", COMPATIBLE_ONLY)},
    {"'compatibility':'KubeflowTrainer'," R(",'action':'Skip'"), VOLCANO_GANG, NULL,
     GANG_OUTCOME_NO_GANG, "LimitsNotCounted",
     "- policy spec.rules[0].action:1 Refused rule r\n" NAMED_BUT(
         "volcano", "Overridden rule r skips the job") NO_TEMPLATE SILENT},
    {"'compatibility':'KubeflowTrainer'," ONLY_CO, VOLCANO_GANG, NULL, GANG_OUTCOME_INVALID,
     "BackendNotEnabled LimitsNotCounted",
     NAMED_BUT("volcano", "NotEnabled the policy does not enable a backend of this type")
         NO_TEMPLATE},
    /* A rule that cannot be decided. */
    {"'rules':[{'name':'r','match':{'namespaceSelector':{'matchLabels':{'a':'b'}}},'backend':'"
     "volcano'}]",
     VOLCANO_GANG, NULL, GANG_OUTCOME_INVALID, "NamespaceNotKnown",
     "- policy spec.rules Refused a rule needs facts that are unknown\n" NAMED_BUT(
         "volcano", "Overridden a rule that cannot be decided has precedence")
         NO_TEMPLATE NO_RULE NO_LAST},
};

START_TEST(a_policy_chooses_in_order_of_precedence)
{
    check_resolution(&policies[_i], TRACE_BACKEND);
}
END_TEST

/* The text of a refusal. */
static const struct {
    const char *policy, *job, *cluster;
    enum gang_code code;
    const char *message;
} refusals[] = {
    {ONLY_CO ",'defaultBackend':'co'", VOLCANO_GANG, NULL, GANG_CODE_BACKEND_NOT_ENABLED,
     "spec.podGroupPolicy.volcano: Unsupported value: \"volcano\": the backend is not enabled in "
     "the policy "
     "p: "
     "supported values: \"co\""},
    {TWO, CO_GANG, NULL, GANG_CODE_BACKEND_NOT_ENABLED,
     "spec.podGroupPolicy.coscheduling: Unsupported value: \"coscheduling\": the backend is not "
     "enabled in "
     "the "
     "policy p: supported values: \"slow\", \"fast\""},
    {TWO, "data='schedulerName':'volcano',", NULL, GANG_CODE_BACKEND_NOT_ENABLED,
     "spec.template.spec.replicatedJobs[0].template.spec.template.spec.schedulerName: Invalid "
     "value: "
     "\"volcano\": schedulerName must be that of an enabled backend; the policy p enables: "
     "\"volcano-slow\", "
     "\"volcano-fast\""},
    {TWO, VOLCANO_GANG, NULL, GANG_CODE_BACKEND_AMBIGUOUS,
     "spec.podGroupPolicy.volcano: the policy p enables several backends of this type: \"slow\", "
     "\"fast\""},
    {"'runtimePolicy':'Require'", "", NULL, GANG_CODE_GANG_POLICY_REQUIRED,
     "spec.podGroupPolicy: Required value: the policy p requires that every runtime names its "
     "backend"},
    {R(",'action':'Deny'"), "", NULL, GANG_CODE_RULE_DENIES,
     "spec.rules[0].action: rule r denies the job"},
    {R(",'action':'Deny','message':'go away'"), "", NULL, GANG_CODE_RULE_DENIES,
     "spec.rules[0].action: rule r denies the job: go away"},
    {NULL, VOLCANO_GANG, NO_VOLCANO, GANG_CODE_NOT_SERVED,
     "spec.servedVersions: the cluster does not serve podgroups of scheduling.volcano.sh/v1beta1, "
     "which the "
     "backend volcano renders"},
    {R(",'backend':'coscheduling','override':'Always'"), VOLCANO_GANG, NULL,
     GANG_CODE_OVERRIDDEN_BY_POLICY,
     "spec.podGroupPolicy.volcano: volcano is overridden by the policy: rule r chooses "
     "coscheduling"},
};

START_TEST(refusal_lists_enabled_backends)
{
    const struct resolution row = {
        refusals[_i].policy, refusals[_i].job, refusals[_i].cluster, 0, "", ""};
    struct run run = run_resolution(&row);

    check_message(run.decision, refusals[_i].code, refusals[_i].message);
    end_run(&run);
}
END_TEST

/* A job can name the backend itself, so its name can be wrong without a policy, too. */
START_TEST(a_job_names_a_backend_that_is_none)
{
    struct gang_decision *decision =
        resolve_job_in(GANG_JOB(JOB_ROLES(JOB_PODS("")) ",'backend':'vol'"), 0, NULL, NULL);

    ck_assert_int_eq(gang_decision_get_outcome(decision), GANG_OUTCOME_INVALID);
    check_message(
        decision, GANG_CODE_BACKEND_NOT_ENABLED,
        with_list("spec.backend: Unsupported value: \"vol\": supported values: @schedulers", "\"",
                  ", "));
    gang_decision_unref(decision);
}
END_TEST

/* ---- podgang choice ---- */

#define CLIQUE_WITH(name, scheduler)                                                               \
    "{'name': '" name "', 'spec': {'roleName': 'r', 'podSpec': {'schedulerName': '" scheduler "'}" \
    "}}"
#define CLIQUE_PLAIN(name) CLIQUE_TEXT(name, "")
#define SET_OF(cliques) SET_TEXT("", "'cliques': [" cliques "]")
#define LABELLED(scheduler)                                                                        \
    PODGANG_TEXT(", 'labels': {'grove.io/scheduler-name': '" scheduler "'}", "'podgroups': []")
#define PLAIN_PODGANG PODGANG_TEXT("", "'podgroups': []")

#define SCHEDULER_OF(index) "spec.template.cliques[" #index "].spec.podSpec.schedulerName"
#define DISABLED(name, enabled)                                                                    \
    "Invalid value: \"" name                                                                       \
    "\": schedulerName must be an enabled scheduler backend; enabled: " enabled
#define SAME "the schedulerName for all pods have to be the same"

/*
 * ai-dynamo/grove:operator/internal/webhook/admission/pcs/validation/podcliqueset_test.go,
 * .../registry_test.go and operator/internal/controller/podgang/reconciler.go, all @fcc3b3bb.
 * `policy` NULL: none, so all are enabled.
 */
static const struct {
    const char *policy;
    const char *podgang;
    const char *set;
    uint32_t flags;
    const char *scheduler; /* NULL: none was found */
    const char *findings;
} choices_of_podgang_choice[] = {
    /* one rule after the other */
    {NULL, PLAIN_PODGANG, NULL, 0, "default-scheduler", ""},
    {NULL, LABELLED("volcano"), NULL, 0, "volcano", ""},
    {NULL, LABELLED("lpx-scheduler"), NULL, 0, "lpx-scheduler", ""},
    {NULL, LABELLED("volcano"), SET_OF(CLIQUE_WITH("a", "lpx-scheduler")), 0, "volcano", ""},
    {NULL, PLAIN_PODGANG, SET_OF(CLIQUE_WITH("a", "volcano")), 0, "volcano", ""},
    {NULL, NULL, SET_OF(CLIQUE_WITH("a", "volcano")), 0, "volcano", ""},
    {"*volcano,default-scheduler", PLAIN_PODGANG, NULL, 0, "volcano", ""},
    {"*volcano,default-scheduler", PLAIN_PODGANG, SET_OF(CLIQUE_PLAIN("a")), 0, "volcano", ""},
    {"volcano", PLAIN_PODGANG, NULL, 0, "default-scheduler", ""},
    {"*lpx-scheduler", PLAIN_PODGANG, NULL, 0, "lpx-scheduler", ""},
    /* names of schedulers: the admission of PodCliqueSets */
    {"*default-scheduler", NULL,
     SET_OF(CLIQUE_WITH("a", "default-scheduler") ", " CLIQUE_WITH("b", "default-scheduler")), 0,
     "default-scheduler", ""},
    {"*default-scheduler", NULL, SET_OF(CLIQUE_PLAIN("a") ", " CLIQUE_PLAIN("b")), 0,
     "default-scheduler", ""},
    {"*volcano,default-scheduler", NULL, SET_OF(CLIQUE_PLAIN("a") ", " CLIQUE_PLAIN("b")), 0,
     "volcano", ""},
    {"*default-scheduler", NULL,
     SET_OF(CLIQUE_PLAIN("a") ", " CLIQUE_WITH("b", "default-scheduler")), 0, "default-scheduler",
     ""},
    {"*default-scheduler,volcano", NULL,
     SET_OF(CLIQUE_WITH("a", "default-scheduler") ", " CLIQUE_WITH("b", "volcano")), 0,
     "default-scheduler",
     "GANG009 " SCHEDULER_OF(1) ": Invalid value: \"default-scheduler, volcano\": " SAME},
    {"*default-scheduler,volcano", NULL, SET_OF(CLIQUE_PLAIN("a") ", " CLIQUE_WITH("b", "volcano")),
     0, "default-scheduler",
     "GANG009 " SCHEDULER_OF(1) ": Invalid value: \"default-scheduler, volcano\": " SAME},
    {"*default-scheduler,volcano", NULL, SET_OF(CLIQUE_WITH("a", "volcano") ", " CLIQUE_PLAIN("b")),
     0, "volcano",
     "GANG009 spec.template.cliques[1]: Invalid value: \"volcano, default-scheduler\": " SAME},
    {"*default-scheduler", NULL, SET_OF(CLIQUE_WITH("a", "volcano")), 0, NULL,
     "GANG803 " SCHEDULER_OF(0) ": " DISABLED("volcano", "\"default-scheduler\"")},
    {"volcano", NULL, SET_OF(CLIQUE_WITH("a", "unknown-scheduler")), 0, NULL,
     "GANG803 " SCHEDULER_OF(0) ": " DISABLED("unknown-scheduler",
                                              "\"volcano\", \"default-scheduler\"")},
    {"volcano", NULL, SET_OF(CLIQUE_WITH("a", " ")), 0, NULL,
     "GANG803 " SCHEDULER_OF(0) ": " DISABLED(" ", "\"volcano\", \"default-scheduler\"")},
    {"volcano", NULL, SET_OF(CLIQUE_WITH("a", "unknown") ", " CLIQUE_WITH("b", "volcano")), 0, NULL,
     "GANG009 " SCHEDULER_OF(1) ": Invalid value: \"unknown, volcano\": " SAME "\n"
                                "GANG803 " SCHEDULER_OF(0) ": " DISABLED(
                                    "unknown", "\"volcano\", \"default-scheduler\"")},
    {"volcano", NULL,
     SET_OF(CLIQUE_WITH("a", "volcano") ", " CLIQUE_WITH("b", "unknown") ", " CLIQUE_WITH(
         "c", "unknown")),
     0, "volcano", "GANG009 " SCHEDULER_OF(1) ": Invalid value: \"volcano, unknown\": " SAME},
    {"volcano", NULL,
     SET_OF(CLIQUE_WITH("a", "volcano") ", " CLIQUE_WITH("b", "other") ", " CLIQUE_PLAIN("c")), 0,
     "volcano",
     "GANG009 " SCHEDULER_OF(1) ": Invalid value: \"volcano, other, default-scheduler\": " SAME},
    /* a label that names none: refused, or Grove's fallback */
    {"volcano", LABELLED("kai"), NULL, 0, NULL,
     "GANG803 metadata.labels[grove.io/scheduler-name]: Invalid value: \"kai\": must be an enabled "
     "scheduler "
     "backend; "
     "enabled: \"volcano\", \"default-scheduler\""},
    {"*volcano", LABELLED("kai"), NULL, GANG_RESOLVE_FALL_BACK, "volcano",
     "GANG804 metadata.labels[grove.io/scheduler-name]: Invalid value: \"kai\": not an enabled "
     "scheduler backend, so the default is used: \"volcano\""},
    {"volcano", LABELLED("kai"), NULL, GANG_RESOLVE_FALL_BACK, "default-scheduler",
     "GANG804 metadata.labels[grove.io/scheduler-name]: Invalid value: \"kai\": not an enabled "
     "scheduler backend, so the default is used: \"default-scheduler\""},
    {"volcano", LABELLED("volcano"), NULL, GANG_RESOLVE_FALL_BACK, "volcano", ""},
};

/* Runs the choice alone on documents that were read. */
static void
choose_backend(struct gang_decision *decision, struct grove_documents *documents)
{
    decision->front_end = front_end_of(&decision->inputs, &decision->wishes.meta);
    decision->arena = documents->arena;
    decision->report = arena_alloc(documents->arena, sizeof(*decision->report));
    ck_assert_ptr_nonnull(decision->report);
    report_init(decision->report, documents->arena, &standard_limits);
    backend_choose(decision);
}

START_TEST(chooses_the_same_backend_as_grove)
{
    struct grove_documents documents =
        grove_documents(choices_of_podgang_choice[_i].podgang, choices_of_podgang_choice[_i].set);
    struct grove_policy policy;
    struct gang_decision decision = {.inputs.podgang = documents.podgang,
                                     .inputs.podcliqueset = documents.podcliqueset,
                                     .flags = choices_of_podgang_choice[_i].flags};

    grove_policy_read(
        &policy, choices_of_podgang_choice[_i].policy ? choices_of_podgang_choice[_i].policy : "");
    if (choices_of_podgang_choice[_i].policy)
        decision.inputs.policy = &policy.policy;
    choose_backend(&decision, &documents);
    check_findings(decision.report, choices_of_podgang_choice[_i].findings);
    ck_assert_int_eq(decision.grove_scheduler != NULL,
                     choices_of_podgang_choice[_i].scheduler != NULL);
    if (choices_of_podgang_choice[_i].scheduler) {
        ck_slice_eq(decision.wishes.scheduler_name, choices_of_podgang_choice[_i].scheduler);
        ck_assert_int_eq(decision.backend != NULL,
                         strcmp(choices_of_podgang_choice[_i].scheduler, "volcano") == 0);
    }
    grove_documents_free(&documents);
}
END_TEST

/* A policy gives a scheduler another name; its type identifies the Grove scheduler. */
static const struct {
    struct policy_backend entry;
    const char *label;
    const char *rules; /* NULL: not enabled */
} entries[] = {
    {{.name = SLICE_INIT("v"), .scheduler_name = SLICE_INIT("my-volcano")},
     "my-volcano",
     "volcano"},
    {{.name = SLICE_INIT("v"), .scheduler_name = SLICE_INIT("my-volcano")}, "volcano", NULL},
    {{.name = SLICE_INIT("none")}, "default-scheduler", "default-scheduler"},
    {{.name = SLICE_INIT("none"), .scheduler_name = SLICE_INIT("mine")},
     "mine",
     "default-scheduler"},
    {{.name = SLICE_INIT("none"), .scheduler_name = SLICE_INIT("lpx-scheduler")},
     "lpx-scheduler",
     "lpx-scheduler"},
    {{.name = SLICE_INIT("none"), .scheduler_name = SLICE_INIT("kai-scheduler")},
     "kai-scheduler",
     "default-scheduler"},
    {{.name = SLICE_INIT("c"), .scheduler_name = SLICE_INIT("co")}, "co", NULL},
};
static const char *const entry_types[] = {"Volcano", "Volcano", NULL,          NULL,
                                          NULL,      NULL,      "Coscheduling"};

START_TEST(policies_name_schedulers)
{
    struct policy_backend entry = entries[_i].entry;
    struct gang_policy policy = {.lists_backends = true, .backends = &entry, .num_backends = 1};
    char podgang[DOCUMENT_SIZE];
    struct grove_documents documents;
    struct gang_decision decision = {.inputs.policy = &policy};

    if (entry_types[_i])
        entry.descriptor = catalog_of_type(slice_from_text(entry_types[_i]));
    with_change(podgang, LABELLED("@"), "@", entries[_i].label);
    documents = grove_documents(podgang, NULL);
    decision.inputs.podgang = documents.podgang;
    choose_backend(&decision, &documents);
    ck_assert_int_eq(decision.grove_scheduler != NULL, entries[_i].rules != NULL);
    if (entries[_i].rules)
        ck_slice_eq(decision.grove_scheduler->grove->name, entries[_i].rules);
    grove_documents_free(&documents);
}
END_TEST

/* "verdict value" of each candidate. */
static const struct {
    const char *policy;
    const char *podgang;
    const char *set;
    uint32_t flags;
    const char *candidates;
} traces[] = {
    {NULL, PLAIN_PODGANG, NULL, 0, "Unset -, Chosen default-scheduler"},
    {NULL, LABELLED("volcano"), NULL, 0, "Chosen volcano, Overridden default-scheduler"},
    {NULL, LABELLED("volcano"),
     SET_OF(CLIQUE_WITH("a", "lpx-scheduler") ", " CLIQUE_WITH("b", "lpx-scheduler")), 0,
     "Chosen volcano, Overridden lpx-scheduler, Overridden default-scheduler"},
    {NULL, PLAIN_PODGANG, SET_OF(CLIQUE_PLAIN("a") ", " CLIQUE_WITH("b", "volcano")), 0,
     "Unset -, Refused volcano, Chosen default-scheduler"},
    {NULL, NULL, SET_OF(CLIQUE_WITH("a", "nobody")), 0,
     "NotEnabled nobody, Overridden default-scheduler"},
    {NULL, LABELLED("nobody"), NULL, GANG_RESOLVE_FALL_BACK,
     "NotEnabled nobody, Chosen default-scheduler"},
    {"*volcano", PLAIN_PODGANG, SET_OF(CLIQUE_PLAIN("a")), 0, "Unset -, Chosen volcano"},
};

START_TEST(traces_every_candidate)
{
    struct grove_documents documents = grove_documents(traces[_i].podgang, traces[_i].set);
    struct grove_policy policy;
    struct trace trace = {.arena = documents.arena};
    struct gang_decision decision = {.inputs.podgang = documents.podgang,
                                     .inputs.podcliqueset = documents.podcliqueset,
                                     .flags = traces[_i].flags};
    const struct trace_entry *entry = &trace.entries[TRACE_BACKEND];
    const char *text = "";

    grove_policy_read(&policy, traces[_i].policy ? traces[_i].policy : "");
    if (traces[_i].policy)
        decision.inputs.policy = &policy.policy;
    choose_backend(&decision, &documents);
    choice_trace(&decision, &backend_attribute, TRACE_BACKEND, &trace);
    for (size_t i = 0; i < entry->count; i++) {
        struct slice value = entry->candidates[i].value;

        text = arena_format(documents.arena, "%s%s%s %.*s", text, i ? ", " : "",
                            trace_verdict_names[entry->candidates[i].verdict],
                            SLICE_ARG(slice_is_set(value) ? value : SLICE("-")));
    }
    ck_assert_str_eq(text, traces[_i].candidates);
    grove_documents_free(&documents);
}
END_TEST

#define BACKENDS                                                                                   \
    "'backends':[{'name':'v','type':'Volcano'},{'name':'k','type':'KAI'},{'name':'co','type':'"    \
    "Coscheduling'"                                                                                \
    "},"                                                                                           \
    "{'name':'none','type':'None'}]"
#define RULE(members) BACKENDS ",'rules':[{'name':'r','match':{}," members "}]"
#define QUEUED ";set=,'labels':{'kai.scheduler/queue':'q'}"
#define LABEL_UNSET "- podgang metadata.labels:1 Unset no label names a scheduler\n"
#define LABEL_OF(backend) backend " podgang metadata.labels[grove.io/scheduler-name]:1 "
#define TEMPLATE_OF(backend)                                                                       \
    backend " podcliqueset spec.template.cliques[0].spec.podSpec.schedulerName:1 "
#define RULE_OF(backend) backend " policy spec.rules[0].backend:1 "
#define RULE_IS_SILENT "- policy spec.rules[0].backend:1 Unset rule r does not set it\n"
#define NO_DEFAULT(verdict) "default-scheduler - " verdict "\n"
#define OF_GROVE "Chosen Grove's default scheduler"
#define PODGANG_CHOICE_TEMPLATE(name) ";router='schedulerName':'" name "',"

/*
 * The precedence of the policy among the documents. Coscheduling is enabled, but Grove cannot drive
 * it.
 */
static const struct resolution of_policies[] = {
    /* a rule gives way to the label and to the templates */
    {RULE("'backend':'k'"), "scheduler=-" QUEUED, NULL, GANG_OUTCOME_GANG, "",
     LABEL_UNSET RULE_OF("k") "Chosen rule r\n" NO_DEFAULT("Overridden rule r has precedence")},
    {RULE("'backend':'k'"), "scheduler=volcano", NULL, GANG_OUTCOME_GANG, "",
     LABEL_OF("v") "Chosen set in the PodGang's label\n" RULE_OF(
         "k") "Overridden rule r: the PodGang's label has precedence; set override: Always to give "
              "the rule precedence\n" NO_DEFAULT("Overridden the PodGang's label has precedence")},
    /* and has precedence over both with Always */
    {RULE("'backend':'k','override':'Always'"), "scheduler=volcano" QUEUED, NULL, GANG_OUTCOME_GANG,
     "OverriddenByPolicy",
     RULE_OF("k") "Chosen rule r (Always)\n" LABEL_OF("v") "Overridden rule r with override Always "
                                                           "has precedence\n" NO_DEFAULT(
                                                               "Overridden rule r with override "
                                                               "Always has precedence")},
    {RULE("'backend':'v','override':'Always'"), "scheduler=volcano", NULL, GANG_OUTCOME_GANG, "",
     RULE_OF("v") "Chosen rule r (Always)\n" LABEL_OF("v") "Overridden rule r with override Always "
                                                           "has precedence\n" NO_DEFAULT(
                                                               "Overridden rule r with override "
                                                               "Always has precedence")},
    {RULE("'backend':'v','override':'Always'"), "scheduler=nobody", NULL, GANG_OUTCOME_GANG, "",
     RULE_OF("v") "Chosen rule r (Always)\n" LABEL_OF(
         "nobody") "NotEnabled no enabled backend has a scheduler of "
                   "this name\n" NO_DEFAULT(
                       "Overridden rule r with override Always has precedence")},
    {RULE("'backend':'none','override':'Always'"), "scheduler=volcano", NULL, GANG_OUTCOME_NO_GANG,
     "OverriddenByPolicy",
     RULE_OF("none") "Chosen rule r (Always)\n" LABEL_OF("v") "Overridden rule r with override "
                                                              "Always has precedence\n" NO_DEFAULT(
                                                                  "Overridden rule r with override "
                                                                  "Always has precedence")},
    /* defaults and defaultBackend are behind the rule */
    {BACKENDS ",'rules':[{'name':'r','match':{}}],'defaults':{'backend':'v'}", "scheduler=-", NULL,
     GANG_OUTCOME_GANG, "",
     LABEL_UNSET "- policy spec.rules[0].backend:1 Unset rule r does not set it\n"
                 "v policy spec.defaults.backend:1 Chosen the policy's defaults\n" NO_DEFAULT(
                     "Overridden the policy's defaults have precedence")},
    {BACKENDS ",'defaultBackend':'v'", "scheduler=-", NULL, GANG_OUTCOME_GANG, "",
     LABEL_UNSET "v policy spec.defaultBackend:1 Chosen the policy's defaultBackend\n"},
    {BACKENDS ",'rules':[{'name':'r','match':{'minNodes':1},'backend':'k'}]", "scheduler=-", NULL,
     GANG_OUTCOME_NO_GANG, "",
     LABEL_UNSET "- policy spec.rules Unset no rule matches\n" NO_DEFAULT(OF_GROVE)},
    /* what Grove cannot drive is reported */
    {RULE("'backend':'co'"), "scheduler=-", NULL, GANG_OUTCOME_INVALID, "BackendNotForPodgangs",
     LABEL_UNSET RULE_OF("co") "Refused rule r: Grove has no backend of this type\n" NO_DEFAULT(
         "Overridden rule r has precedence")},
    {RULE("'backend':'co','override':'Always'"), "scheduler=volcano", NULL, GANG_OUTCOME_INVALID,
     "BackendNotForPodgangs",
     RULE_OF("co") "Refused rule r: Grove has no backend of this type\n" LABEL_OF(
         "v") "Overridden rule r with override "
              "Always has precedence\n" NO_DEFAULT(
                  "Overridden rule r with override Always has precedence")},
    {RULE("'backend':'co'"), "scheduler=volcano", NULL, GANG_OUTCOME_GANG, "",
     LABEL_OF("v") "Chosen set in the PodGang's label\n" RULE_OF(
         "co") "Refused rule r: Grove has no backend of this "
               "type\n" NO_DEFAULT("Overridden the PodGang's label has precedence")},
    {BACKENDS ",'defaultBackend':'co'", "scheduler=-", NULL, GANG_OUTCOME_INVALID,
     "BackendNotForPodgangs",
     LABEL_UNSET "co policy spec.defaultBackend:1 Refused Grove has no backend of this type\n"},
    {BACKENDS ",'rules':[{'name':'r','match':{}}],'defaults':{'backend':'co'}", "scheduler=-", NULL,
     GANG_OUTCOME_INVALID, "BackendNotForPodgangs",
     LABEL_UNSET RULE_IS_SILENT
     "co policy spec.defaults.backend:1 Refused Grove has no backend of this type\n" NO_DEFAULT(
         "Overridden the policy's defaults have precedence")},
    /* an unknown label leaves the choice to the rule, where it may */
    {RULE("'backend':'v'"), "scheduler=nobody;flags=fall-back", NULL, GANG_OUTCOME_GANG,
     "SchedulerFallsBack",
     LABEL_OF("nobody") "NotEnabled no enabled backend has a scheduler of this name\n" RULE_OF(
         "v") "Chosen rule r\n" NO_DEFAULT("Overridden rule r has precedence")},
    /* templates that name none take the rule's, and must agree with it */
    {RULE("'backend':'v'"), "scheduler=-" PODGANG_CHOICE_TEMPLATE("volcano"), NULL,
     GANG_OUTCOME_GANG, "",
     LABEL_UNSET TEMPLATE_OF("v") "Chosen set in the templates of the PodCliqueSet\n" RULE_OF(
         "v") "Overridden rule r: the templates have precedence\n" NO_DEFAULT("Overridden the "
                                                                              "templates have "
                                                                              "precedence")},
    {RULE("'backend':'k'"), "scheduler=-" PODGANG_CHOICE_TEMPLATE("volcano"), NULL,
     GANG_OUTCOME_INVALID, "SchedulersDisagree",
     LABEL_UNSET TEMPLATE_OF("v") "Chosen set in the templates of the PodCliqueSet\n" RULE_OF(
         "k") "Overridden rule r: the templates have precedence; set override: Always to give the "
              "rule precedence\n" NO_DEFAULT("Overridden the templates have precedence")},
    /* no gang, or none at all */
    {RULE("'action':'Skip'"), "", NULL, GANG_OUTCOME_NO_GANG, "",
     "- policy spec.rules[0].action:1 Refused rule r\n" LABEL_OF(
         "v") "Overridden rule r skips the job\n" RULE_IS_SILENT
         NO_DEFAULT("Overridden rule r skips the job")},
    {RULE("'action':'Deny','message':'not here'"), "", NULL, GANG_OUTCOME_DENIED, "RuleDenies",
     "- policy spec.rules[0].action:1 Refused rule r: not here\n" LABEL_OF(
         "v") "Overridden rule r denies the job\n" RULE_IS_SILENT
         NO_DEFAULT("Overridden rule r denies the job")},
    {RULE("'action':'Deny'"), "documents=set", NULL, GANG_OUTCOME_DENIED, "RuleDenies",
     "- policy spec.rules[0].action:1 Refused rule r\n" RULE_IS_SILENT NO_DEFAULT(
         "Overridden rule r denies the job")},
};

START_TEST(policy_has_same_precedence_for_podgangs_and_trainjobs)
{
    check_grove_resolution(&of_policies[_i], TRACE_BACKEND);
}
END_TEST

void
add_tests(TCase *cases)
{
    add_rows(cases, chooses_in_order_of_precedence, choices, gang_policy, first, second);
    add_rows(cases, trace_has_every_candidate, choices, gang_policy, first, second);
    add_rows(cases, a_policy_chooses_in_order_of_precedence, policies, policy, job, cluster);
    add_rows(cases, refusal_lists_enabled_backends, refusals, policy, job, cluster);
    tcase_add_test(cases, a_job_names_a_backend_that_is_none);
    add_rows(cases, chooses_the_same_backend_as_grove, choices_of_podgang_choice, policy, podgang,
             set);
    add_rows(cases, policies_name_schedulers, entries, entry.name, label);
    add_rows(cases, traces_every_candidate, traces, policy, podgang, set);
    add_rows(cases, policy_has_same_precedence_for_podgangs_and_trainjobs, of_policies, policy, job,
             cluster);
}
