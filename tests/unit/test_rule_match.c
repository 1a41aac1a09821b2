/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/decide/decision.h"

#include "unit/grove_resolutions.h"
#include "unit/job_decisions.h"
#include "unit/resolutions.h"

/* ---- rule match ---- */

#define MATCH(members) "'match':{" members "}"
#define EXCLUDE(members) "'match':{},'exclude':{" members "}"
#define NAMESPACES                                                                                 \
    "'namespaces':[{'name':'ml','labels':{'tier':'prod','team':'red'}},{'name':'plain'}]"
#define TIER(value) "'namespaceSelector':{'matchLabels':{'tier':'" value "'}}"
#define EXPRESSION(field, key, operator, values)                                                   \
    "'" field "':{'matchExpressions':[{'key':'" key "','operator':'" operator"'" values "}]}"
#define GPU "'resources':['nvidia.com/gpu']"

/* One rule that chooses Volcano, and whether it is about the job. */
static const struct match_case {
    const char *rule, *job, *cluster;
    enum match_answer answer;
} matches[] = {
    /* Nothing asked matches everything. */
    {MATCH(""), "", NULL, MATCH_YES},
    /* Namespaces: whole names, stars anywhere, letter by letter. */
    {MATCH("'namespaces':['ml']"), "", NULL, MATCH_YES},
    {MATCH("'namespaces':['ml']"), "namespace=ml2", NULL, MATCH_NO},
    {MATCH("'namespaces':['ml']"), "namespace=m", NULL, MATCH_NO},
    {MATCH("'namespaces':['other','ml']"), "", NULL, MATCH_YES},
    {MATCH("'namespaces':['other']"), "", NULL, MATCH_NO},
    {MATCH("'namespaces':['*']"), "", NULL, MATCH_YES},
    {MATCH("'namespaces':['research-*']"), "namespace=research-nlp", NULL, MATCH_YES},
    {MATCH("'namespaces':['research*']"), "namespace=research", NULL, MATCH_YES},
    {MATCH("'namespaces':['research-*']"), "namespace=research", NULL, MATCH_NO},
    {MATCH("'namespaces':['research-*']"), "namespace=my-research-nlp", NULL, MATCH_NO},
    {MATCH("'namespaces':['*-prod']"), "namespace=team-prod", NULL, MATCH_YES},
    {MATCH("'namespaces':['*-prod']"), "namespace=team-prod-2", NULL, MATCH_NO},
    {MATCH("'namespaces':['a*b*c']"), "namespace=a-b-b-c", NULL, MATCH_YES},
    {MATCH("'namespaces':['a*b*c']"), "namespace=a-c-b", NULL, MATCH_NO},
    /* Without a namespace only a star decides. */
    {MATCH("'namespaces':['*']"), "namespace=-", NULL, MATCH_YES},
    {MATCH("'namespaces':['ml']"), "namespace=-", NULL, MATCH_UNKNOWN},
    {MATCH("'namespaces':['ml*']"), "namespace=-", NULL, MATCH_UNKNOWN},
    {MATCH("'namespaces':['ml'],'minNodes':3"), "namespace=-", NULL, MATCH_NO},
    {MATCH("'minNodes':1"), "namespace=-", NULL, MATCH_YES},
    /* Labels of the namespace. One that is not listed has none; without a list nothing is known. */
    {MATCH(TIER("prod")), "", NAMESPACES, MATCH_YES},
    {MATCH(TIER("dev")), "", NAMESPACES, MATCH_NO},
    {MATCH(TIER("prod")), "namespace=plain", NAMESPACES, MATCH_NO},
    {MATCH(TIER("prod")), "namespace=other", NAMESPACES, MATCH_NO},
    {MATCH(TIER("prod")), "namespace=other", "'namespaces':[]", MATCH_NO},
    {MATCH(EXPRESSION("namespaceSelector", "tier", "DoesNotExist", "")), "namespace=other",
     NAMESPACES, MATCH_YES},
    {MATCH(EXPRESSION("namespaceSelector", "tier", "NotIn", ",'values':['prod']")), "", NAMESPACES,
     MATCH_NO},
    {MATCH(EXPRESSION("namespaceSelector", "tier", "NotIn", ",'values':['prod']")),
     "namespace=plain", NAMESPACES, MATCH_YES},
    {MATCH(EXPRESSION("namespaceSelector", "tier", "Exists", "")), "", NAMESPACES, MATCH_YES},
    {MATCH(TIER("prod")), "", NULL, MATCH_UNKNOWN},
    {MATCH(TIER("prod")), "", "'kubernetesVersion':'1.36'", MATCH_UNKNOWN},
    {MATCH(TIER("prod")), "namespace=-", NAMESPACES, MATCH_UNKNOWN},
    {MATCH("'namespaces':['other']," TIER("prod")), "", NULL, MATCH_NO},
    {MATCH("'namespaces':['ml']," TIER("prod")), "", NULL, MATCH_UNKNOWN},
    {MATCH("'maxNodes':1," TIER("prod")), "", NULL, MATCH_NO},
    {MATCH("'namespaceSelector':{}"), "", NULL, MATCH_YES},
    /* Runtimes. */
    {MATCH("'runtimes':['tune']"), "", NULL, MATCH_YES},
    {MATCH("'runtimes':['t*e']"), "", NULL, MATCH_YES},
    {MATCH("'runtimes':['torch*']"), "", NULL, MATCH_NO},
    {MATCH("'runtimes':['torch*','tune']"), "", NULL, MATCH_YES},
    {MATCH("'runtimeSelector':{'matchLabels':{'kind':'llm'}}"), "runtime.labels='kind':'llm'", NULL,
     MATCH_YES},
    {MATCH("'runtimeSelector':{'matchLabels':{'kind':'llm'}}"), "runtime.labels='kind':'cnn'", NULL,
     MATCH_NO},
    {MATCH("'runtimeSelector':{'matchLabels':{'kind':'llm'}}"), "labels='kind':'llm'", NULL,
     MATCH_NO},
    {MATCH("'frameworks':['torch']"), "runtime.labels='trainer.kubeflow.org/framework':'torch'",
     NULL, MATCH_YES},
    {MATCH("'frameworks':['mpi','torch']"),
     "runtime.labels='trainer.kubeflow.org/framework':'torch'", NULL, MATCH_YES},
    {MATCH("'frameworks':['torch']"), "runtime.labels='trainer.kubeflow.org/framework':'torch2'",
     NULL, MATCH_NO},
    {MATCH("'frameworks':['torch']"), "", NULL, MATCH_NO},
    /* Labels of the trainjob. */
    {MATCH("'trainJobSelector':{'matchLabels':{'gang':'was'}}"), "labels='gang':'was'", NULL,
     MATCH_YES},
    {MATCH("'trainJobSelector':{'matchLabels':{'gang':'was'}}"), "labels='gang':'Was'", NULL,
     MATCH_NO},
    {MATCH("'trainJobSelector':{'matchLabels':{'gang':'was'}}"), "", NULL, MATCH_NO},
    {MATCH("'trainJobSelector':{'matchLabels':{'gang':'was'}}"), "runtime.labels='gang':'was'",
     NULL, MATCH_NO},
    {MATCH(EXPRESSION("trainJobSelector", "gang", "In", ",'values':['a','was']")),
     "labels='gang':'was'", NULL, MATCH_YES},
    {MATCH(EXPRESSION("trainJobSelector", "gang", "NotIn", ",'values':['a','was']")),
     "labels='gang':'was'", NULL, MATCH_NO},
    /* Kinds, and labels of a job of any kind. */
    {MATCH("'kinds':['TrainJob']"), "", NULL, MATCH_YES},
    {MATCH("'kinds':['TrainJob.trainer.kubeflow.org']"), "", NULL, MATCH_YES},
    {MATCH("'kinds':['*']"), "", NULL, MATCH_YES},
    {MATCH("'kinds':['Job','JobSet']"), "", NULL, MATCH_NO},
    {MATCH("'kinds':['*'],'minNodes':2"), "", NULL, MATCH_YES},
    {MATCH("'kinds':['TrainJob','JobSet'],'minNodes':3"), "", NULL, MATCH_NO},
    {MATCH("'objectSelector':{'matchLabels':{'gang':'was'}}"), "labels='gang':'was'", NULL,
     MATCH_YES},
    {MATCH("'objectSelector':{'matchLabels':{'gang':'was'}}"), "", NULL, MATCH_NO},
    {EXCLUDE("'kinds':['TrainJob']"), "", NULL, MATCH_NO},
    /* Nodes: the trainjob's, else the runtime's, else one. */
    {MATCH("'minNodes':2"), "", NULL, MATCH_YES},
    {MATCH("'minNodes':3"), "", NULL, MATCH_NO},
    {MATCH("'maxNodes':2"), "", NULL, MATCH_YES},
    {MATCH("'maxNodes':1"), "", NULL, MATCH_NO},
    {MATCH("'minNodes':2,'maxNodes':2"), "", NULL, MATCH_YES},
    {MATCH("'minNodes':8"), "job='trainer':{'numNodes':8},", NULL, MATCH_YES},
    {MATCH("'maxNodes':2"), "job='trainer':{'numNodes':8},", NULL, MATCH_NO},
    {MATCH("'maxNodes':1"), "ml=", NULL, MATCH_YES},
    {MATCH("'minNodes':2"), "ml=", NULL, MATCH_NO},
    /* Resources: any of those named, requested by any role, limits standing in. */
    {MATCH(GPU), "", NULL, MATCH_YES},
    {MATCH("'resources':['memory']"), "", NULL, MATCH_YES},
    {MATCH("'resources':['cpu']"), "", NULL, MATCH_NO},
    {MATCH("'resources':['cpu','memory']"), "", NULL, MATCH_YES},
    {MATCH("'resources':['gpu']"), "", NULL, MATCH_NO},
    {MATCH("'resources':['cpu']"), "job='trainer':{'resourcesPerNode':{'requests':{'cpu':'4'}}},",
     NULL, MATCH_YES},
    {MATCH("'resources':['cpu']"), "job='trainer':{'resourcesPerNode':{'requests':{'cpu':'0'}}},",
     NULL, MATCH_NO},
    /* Kueue: by the trainjob's label; an empty one is none. */
    {MATCH("'kueue':'Managed'"), "labels='kueue.x-k8s.io/queue-name':'q'", NULL, MATCH_YES},
    {MATCH("'kueue':'Managed'"), "", NULL, MATCH_NO},
    {MATCH("'kueue':'Managed'"), "labels='kueue.x-k8s.io/queue-name':\"\"", NULL, MATCH_NO},
    {MATCH("'kueue':'Unmanaged'"), "labels='kueue.x-k8s.io/queue-name':'q'", NULL, MATCH_NO},
    {MATCH("'kueue':'Unmanaged'"), "", NULL, MATCH_YES},
    /* or by the entry that Kueue's webhook adds to the patches, here without a queue */
    {MATCH("'kueue':'Managed'"),
     "job='runtimePatches':[{'manager':'kueue.x-k8s.io/manager','trainingRuntimeSpec':{}}],", NULL,
     MATCH_YES},
    {MATCH("'kueue':'Unmanaged'"),
     "job='runtimePatches':[{'manager':'kueue.x-k8s.io/manager','trainingRuntimeSpec':{}}],", NULL,
     MATCH_NO},
    {MATCH("'kueue':'Managed'"),
     "job='runtimePatches':[{'manager':'a.b/kueue','trainingRuntimeSpec':{}}],", NULL, MATCH_NO},
    {MATCH("'kueue':'Managed'"), "runtime.labels='kueue.x-k8s.io/queue-name':'q'", NULL, MATCH_NO},
    /* Every part must agree. */
    {MATCH("'namespaces':['ml'],'minNodes':2,'kueue':'Unmanaged'," GPU), "", NULL, MATCH_YES},
    {MATCH("'namespaces':['ml'],'minNodes':2,'kueue':'Managed'," GPU), "", NULL, MATCH_NO},
    {MATCH("'namespaces':['ml'],'minNodes':2,'kueue':'Unmanaged','resources':['cpu']"), "", NULL,
     MATCH_NO},
    {MATCH("'namespaces':['x'],'minNodes':2,'kueue':'Unmanaged'," GPU), "", NULL, MATCH_NO},
    {MATCH("'namespaces':['ml'],'runtimes':['x']"), "", NULL, MATCH_NO},
    /* An exclude takes back what all of its parts are about. */
    {EXCLUDE("'namespaces':['ml']"), "", NULL, MATCH_NO},
    {EXCLUDE("'namespaces':['other']"), "", NULL, MATCH_YES},
    {EXCLUDE("'namespaces':['ml'],'minNodes':3"), "", NULL, MATCH_YES},
    {EXCLUDE("'namespaces':['ml'],'minNodes':2"), "", NULL, MATCH_NO},
    {"'match':{'namespaces':['ml']},'exclude':{'kueue':'Managed'}", "", NULL, MATCH_YES},
    {"'match':{'namespaces':['ml']},'exclude':{'kueue':'Managed'}",
     "labels='kueue.x-k8s.io/queue-name':'q'", NULL, MATCH_NO},
    {"'match':{'namespaces':['x']},'exclude':{'kueue':'Managed'}", "", NULL, MATCH_NO},
    /* What is known has precedence over what is not. */
    {EXCLUDE(TIER("prod")), "", NULL, MATCH_UNKNOWN},
    {EXCLUDE(TIER("prod")), "", NAMESPACES, MATCH_NO},
    {EXCLUDE(TIER("prod")), "namespace=plain", NAMESPACES, MATCH_YES},
    {EXCLUDE("'minNodes':3," TIER("prod")), "", NULL, MATCH_YES},
    {"'match':{" TIER("prod") "},'exclude':{'namespaces':['ml']}", "", NULL, MATCH_NO},
    {"'match':{" TIER("prod") "},'exclude':{'namespaces':['x']}", "", NULL, MATCH_UNKNOWN},
    {"'match':{'namespaces':['x']},'exclude':{" TIER("prod") "}", "", NULL, MATCH_NO},
};

#define NOTHING_ELSE                                                                               \
    "- runtime spec.podGroupPolicy Unset the runtime's podGroupPolicy names no backend\n"          \
    "- runtime Unset no template names a scheduler\n"
#define NO_LAST "- policy spec.defaultBackend Unset the policy has no defaultBackend\n"

static const struct {
    enum gang_outcome outcome;
    const char *findings;
    const char *trace;
} answers[] = {
    [MATCH_NO] = {GANG_OUTCOME_NO_GANG, "",
                  NOTHING_ELSE "- policy spec.rules Unset no rule matches\n" NO_LAST},
    [MATCH_YES] = {GANG_OUTCOME_GANG, "",
                   NOTHING_ELSE "volcano policy spec.rules[0].backend:1 Chosen rule r\n" NO_LAST},
    [MATCH_UNKNOWN] =
        {GANG_OUTCOME_INVALID, "NamespaceNotKnown",
         "- policy spec.rules Refused a rule needs facts that are unknown\n" NOTHING_ELSE
         "- policy spec.rules Unset no rule matches\n" NO_LAST},
};

START_TEST(rules_match_trainjobs)
{
    const struct match_case *row = &matches[_i];
    char policy[RESOLUTION_SLOT_SIZE];
    struct resolution resolution = {.policy = policy, .job = row->job, .cluster = row->cluster};

    snprintf(policy, sizeof(policy), "'rules':[{'name':'r',%s,'backend':'volcano'}]", row->rule);
    resolution.outcome = answers[row->answer].outcome;
    resolution.findings = answers[row->answer].findings;
    resolution.trace = answers[row->answer].trace;
    check_resolution(&resolution, TRACE_BACKEND);
}
END_TEST

/* The same for PodGangs, of which no part that asks for a runtime or for nodes ever holds. */
static const struct match_case podgang_matches[] = {
    {MATCH(""), "", NULL, MATCH_YES},
    {MATCH("'namespaces':['ml']"), "", NULL, MATCH_YES},
    {MATCH("'namespaces':['other']"), "", NULL, MATCH_NO},
    {MATCH("'namespaces':['ml']"), "namespace=-", NULL, MATCH_UNKNOWN},
    {MATCH(TIER("prod")), "", NAMESPACES, MATCH_YES},
    {MATCH(TIER("dev")), "", NAMESPACES, MATCH_NO},
    {MATCH(TIER("prod")), "", NULL, MATCH_UNKNOWN},
    {MATCH("'podGangSelector':{}"), "", NULL, MATCH_YES},
    {MATCH("'kinds':['PodGang']"), "", NULL, MATCH_YES},
    {MATCH("'kinds':['PodCliqueSet']"), "", NULL, MATCH_YES},
    {MATCH("'kinds':['PodGang.scheduler.grove.io']"), "documents=set", NULL, MATCH_YES},
    {MATCH("'kinds':['*']"), "", NULL, MATCH_YES},
    {MATCH("'kinds':['*'],'minNodes':1"), "", NULL, MATCH_NO},
    {MATCH("'kinds':['TrainJob','GangJob']"), "", NULL, MATCH_NO},
    {MATCH("'objectSelector':{'matchLabels':{'team':'red'}}"), "labels='team':'red',", NULL,
     MATCH_YES},
    {MATCH("'objectSelector':{'matchLabels':{'team':'red'}}"), "", NULL, MATCH_NO},
    {MATCH("'podGangSelector':{'matchLabels':{'team':'red'}}"), "labels='team':'red',", NULL,
     MATCH_YES},
    {MATCH("'podGangSelector':{'matchLabels':{'team':'red'}}"), "labels='team':'blue',", NULL,
     MATCH_NO},
    {MATCH("'podGangSelector':{'matchLabels':{'team':'red'}}"), "", NULL, MATCH_NO},
    {MATCH(EXPRESSION("podGangSelector", "grove.io/scheduler-name", "In", ",'values':['volcano']")),
     "", NULL, MATCH_YES},
    {MATCH("'podGangSelector':{'matchLabels':{'team':'red'}}"), "set=,'labels':{'team':'red'}",
     NULL, MATCH_NO},
    /* a PodCliqueSet alone: Grove copies its labels to its PodGangs */
    {MATCH("'podGangSelector':{'matchLabels':{'team':'red'}}"),
     "documents=set;set=,'labels':{'team':'red'}", NULL, MATCH_YES},
    {MATCH("'namespaces':['ml']"), "documents=set", NULL, MATCH_YES},
    {MATCH("'trainJobSelector':{}"), "", NULL, MATCH_NO},
    {MATCH("'trainJobSelector':{'matchLabels':{'team':'red'}}"), "labels='team':'red',", NULL,
     MATCH_NO},
    {MATCH("'runtimeSelector':{}"), "", NULL, MATCH_NO},
    {MATCH("'runtimes':['*']"), "", NULL, MATCH_NO},
    {MATCH("'frameworks':['torch']"), "labels='trainer.kubeflow.org/framework':'torch',", NULL,
     MATCH_NO},
    {MATCH("'minNodes':1"), "", NULL, MATCH_NO},
    {MATCH("'maxNodes':100"), "", NULL, MATCH_NO},
    {MATCH(GPU), "", NULL, MATCH_YES},
    {MATCH("'resources':['cpu']"), "", NULL, MATCH_YES},
    {MATCH("'resources':['memory']"), "", NULL, MATCH_NO},
    {MATCH(GPU), "documents=set", NULL, MATCH_YES},
    {MATCH("'kueue':'Managed'"), "labels='kueue.x-k8s.io/queue-name':'q',", NULL, MATCH_YES},
    {MATCH("'kueue':'Managed'"), "", NULL, MATCH_NO},
    {MATCH("'kueue':'Unmanaged'"), "", NULL, MATCH_YES},
    {EXCLUDE("'podGangSelector':{'matchLabels':{'team':'red'}}"), "labels='team':'red',", NULL,
     MATCH_NO},
    {EXCLUDE("'podGangSelector':{'matchLabels':{'team':'red'}}"), "", NULL, MATCH_YES},
    {EXCLUDE("'podGangSelector':{}"), "", NULL, MATCH_NO},
    {EXCLUDE("'minNodes':1"), "", NULL, MATCH_YES},
    {EXCLUDE("'trainJobSelector':{}"), "", NULL, MATCH_YES},
};
static const char *const podgang_findings[] = {
    [MATCH_NO] = "", [MATCH_YES] = "RuleDenies", [MATCH_UNKNOWN] = "NamespaceNotKnown"};
static const enum gang_outcome podgang_outcomes[] = {[MATCH_NO] = GANG_OUTCOME_GANG,
                                                     [MATCH_YES] = GANG_OUTCOME_DENIED,
                                                     [MATCH_UNKNOWN] = GANG_OUTCOME_INVALID};

START_TEST(rules_match_podgangs)
{
    const struct match_case *row = &podgang_matches[_i];
    char policy[RESOLUTION_SLOT_SIZE];
    struct resolution resolution = {.policy = policy,
                                    .job = row->job,
                                    .cluster = row->cluster,
                                    .outcome = podgang_outcomes[row->answer],
                                    .findings = podgang_findings[row->answer]};

    snprintf(policy, sizeof(policy), "'rules':[{'name':'r',%s,'action':'Deny'}]", row->rule);
    check_grove_outcome(&resolution);
}
END_TEST

/* A rule about PodGangs is about no trainjob. */
static const char *const podgang_selectors[] = {
    "'podGangSelector':{}", "'podGangSelector':{'matchLabels':{'team':'red'}}",
    EXPRESSION("podGangSelector", "team", "DoesNotExist", "")};

START_TEST(no_trainjob_is_a_podgang)
{
    char policy[RESOLUTION_SLOT_SIZE];
    const struct resolution row = {policy, "labels='team':'red'", NULL, GANG_OUTCOME_NO_GANG, "",
                                   ""};

    snprintf(policy, sizeof(policy), "'rules':[{'name':'r','match':{%s},'action':'Deny'}]",
             podgang_selectors[_i]);
    check_outcome(&row);
}
END_TEST

/* Without the PodCliqueSet the requests of the pods are unknown; known fields have precedence. */
static const struct {
    const char *rule, *findings, *message;
} unknown_requests[] = {
    {MATCH(GPU), "RequestsNotKnown",
     "spec.rules[0].match.resources: rule r depends on the requests of the pods, which are unknown "
     "without the PodCliqueSet"},
    {EXCLUDE(GPU), "RequestsNotKnown",
     "spec.rules[0].exclude.resources: rule r depends on the requests of the pods, which are "
     "unknown without the PodCliqueSet"},
    {MATCH(GPU "," TIER("prod")), "RequestsNotKnown",
     "spec.rules[0].match.resources: rule r depends on the requests of the pods, which are unknown "
     "without the PodCliqueSet"},
    {MATCH("'namespaces':['other']," GPU), "", ""},
    {MATCH("'kueue':'Managed'," GPU), "", ""},
};

START_TEST(unknown_requests_are_undecided)
{
    char policy[RESOLUTION_SLOT_SIZE];
    bool is_decided = !unknown_requests[_i].findings[0];
    const struct resolution row = {policy,
                                   "documents=podgang",
                                   NULL,
                                   is_decided ? GANG_OUTCOME_GANG : GANG_OUTCOME_INVALID,
                                   unknown_requests[_i].findings,
                                   ""};
    struct run run;

    snprintf(policy, sizeof(policy), "'rules':[{'name':'r',%s,'action':'Deny'}]",
             unknown_requests[_i].rule);
    run = run_grove_resolution(&row);
    check_outcome_of(&run, &row);
    check_message(run.decision, GANG_CODE_REQUESTS_NOT_KNOWN, unknown_requests[_i].message);
    end_run(&run);
}
END_TEST

/* ---- other jobs ---- */

#define OTHER(version, kind, labels, spec)                                                         \
    "{'apiVersion':'" version "','kind':'" kind "','metadata':{'name':'job','namespace':'ml',"     \
    "'labels':{" labels "}},'spec':{" spec "}}"
#define OTHER_PODS(resources)                                                                      \
    "'template':{'spec':{'containers':[{'name':'c','image':'i','resources':{" resources "}}]}}"
#define REPLICATED(name, replicas, more, resources)                                                \
    "{'name':'" name "','replicas':" replicas more                                                 \
    ",'template':{'spec':{" OTHER_PODS(resources) "}}}"
/* Two stages with a gang each: 2 pods, and 8 pods with GPUs. */
#define STAGES                                                                                     \
    OTHER("jobset.x-k8s.io/v1alpha2", "JobSet", "'team':'red'",                                    \
          "'replicatedJobs':[" REPLICATED(                                                         \
              "prepare", "2", "",                                                                  \
              "'requests':{'cpu':'1'}") "," REPLICATED("train", "8",                               \
                                                       ",'dependsOn':[{'name':'prepare','status':" \
                                                       "'Complete'}]",                             \
                                                       "'limits':{'nvidia.com/gpu':'8'}") "]")
/* One pod, and then the gang. */
#define PREPARED                                                                                   \
    OTHER("jobset.x-k8s.io/v1alpha2", "JobSet", "",                                                \
          "'replicatedJobs':[" REPLICATED("prepare", "1", "", "") "," REPLICATED(                  \
              "train", "3", ",'dependsOn':[{'name':'prepare','status':'Complete'}]", "") "]")
#define SERVE                                                                                      \
    OTHER("leaderworkerset.x-k8s.io/v1", "LeaderWorkerSet", "'kueue.x-k8s.io/queue-name':'q'",     \
          "'replicas':1000,'leaderWorkerTemplate':{'size':4,'worker"                               \
          "Template':"                                                                             \
          "{'spec':{'containers':[{'name':'c','image':'i'}]}}}")
#define BATCH                                                                                      \
    OTHER("batch/v1", "Job", "",                                                                   \
          "'completions':2,'parallelism':2,'completionMode':"                                      \
          "'Indexed'," OTHER_PODS("'requests':{'cpu':'1'}"))
#define OF_RAY(name, more)                                                                         \
    "{'apiVersion':'policy.libgang.dev/v1alpha1','kind':'GangJob','metadata':{'name':'job',"       \
    "'namespace':'ml'},'spec':{'owner':{'apiVersion':'ray.io/v1','kind':'" name "'},"              \
    "'roles':[{'name':'driver','membership':'Outside','requests':{}},"                             \
    "{'name':'a','count':5,'requests':{}" more "}]}}"

static const struct {
    const char *rule, *job;
    uint64_t gang;
    enum match_answer answer;
} other_matches[] = {
    {MATCH(""), STAGES, 0, MATCH_YES},
    /* without kinds, as it was before there were kinds */
    {MATCH("'minNodes':1"), STAGES, 0, MATCH_NO},
    {MATCH("'maxNodes':1000"), STAGES, 0, MATCH_NO},
    {MATCH("'trainJobSelector':{}"), STAGES, 0, MATCH_NO},
    {MATCH("'podGangSelector':{}"), STAGES, 0, MATCH_NO},
    {MATCH("'runtimes':['*']"), STAGES, 0, MATCH_NO},
    /* kinds */
    {MATCH("'kinds':['JobSet']"), STAGES, 0, MATCH_YES},
    {MATCH("'kinds':['JobSet']"), STAGES, 1, MATCH_YES},
    {MATCH("'kinds':['Job']"), STAGES, 0, MATCH_NO},
    {MATCH("'kinds':['Job','JobSet.jobset.x-k8s.io']"), STAGES, 0, MATCH_YES},
    {MATCH("'kinds':['*']"), STAGES, 0, MATCH_YES},
    {MATCH("'kinds':['TrainJob','PodGang']"), STAGES, 0, MATCH_NO},
    {MATCH("'kinds':['Job.batch']"), BATCH, 0, MATCH_YES},
    {MATCH("'kinds':['JobSet']"), BATCH, 0, MATCH_NO},
    {MATCH("'kinds':['LeaderWorkerSet']"), SERVE, 999, MATCH_YES},
    /* a GangJob is also of the kind of its owner */
    {MATCH("'kinds':['GangJob']"), OF_RAY("RayJob", ""), 0, MATCH_YES},
    {MATCH("'kinds':['RayJob']"), OF_RAY("RayJob", ""), 0, MATCH_YES},
    {MATCH("'kinds':['RayCluster']"), OF_RAY("RayJob", ""), 0, MATCH_NO},
    {MATCH("'kinds':['GangJob']"), OF_RAY("Other", ""), 0, MATCH_YES},
    {MATCH("'kinds':['GangJob']"), STAGES, 0, MATCH_NO},
    /* the pods of the gang */
    {MATCH("'kinds':['JobSet'],'minNodes':3"), STAGES, 0, MATCH_NO},
    {MATCH("'kinds':['JobSet'],'maxNodes':2"), STAGES, 0, MATCH_YES},
    {MATCH("'kinds':['JobSet'],'minNodes':8"), STAGES, 1, MATCH_YES},
    {MATCH("'kinds':['JobSet'],'minNodes':9"), STAGES, 1, MATCH_NO},
    {MATCH("'kinds':['*'],'maxNodes':7"), STAGES, 1, MATCH_NO},
    {MATCH("'kinds':['*'],'minNodes':3,'maxNodes':3"), PREPARED, 0, MATCH_YES},
    {MATCH("'kinds':['*'],'minNodes':4,'maxNodes':4"), SERVE, 7, MATCH_YES},
    {MATCH("'kinds':['*'],'minNodes':5,'maxNodes':5"), OF_RAY("RayJob", ",'minCount':2"), 0,
     MATCH_YES},
    /* labels of the job, of any kind */
    {MATCH("'objectSelector':{'matchLabels':{'team':'red'}}"), STAGES, 0, MATCH_YES},
    {MATCH("'objectSelector':{'matchLabels':{'team':'blue'}}"), STAGES, 0, MATCH_NO},
    {MATCH("'objectSelector':{}"), BATCH, 0, MATCH_YES},
    {MATCH(EXPRESSION("objectSelector", "team", "DoesNotExist", "")), BATCH, 0, MATCH_YES},
    /* the rest, as for a TrainJob */
    {MATCH("'namespaces':['m*']"), STAGES, 0, MATCH_YES},
    {MATCH("'namespaces':['x']"), STAGES, 0, MATCH_NO},
    {MATCH(GPU), STAGES, 1, MATCH_YES},
    {MATCH("'kueue':'Managed'"), SERVE, 0, MATCH_YES},
    {MATCH("'kueue':'Managed'"), STAGES, 0, MATCH_NO},
    {EXCLUDE("'kinds':['JobSet']"), STAGES, 0, MATCH_NO},
    {EXCLUDE("'kinds':['Job']"), STAGES, 0, MATCH_YES},
    {EXCLUDE("'kinds':['JobSet'],'minNodes':8"), STAGES, 0, MATCH_YES},
    {EXCLUDE("'kinds':['JobSet'],'minNodes':8"), STAGES, 1, MATCH_NO},
};

START_TEST(rules_match_other_jobs)
{
    char policy[RESOLUTION_SLOT_SIZE];
    struct gang_decision *decision;

    snprintf(policy, sizeof(policy), "'rules':[{'name':'r',%s,'action':'Deny'}]",
             other_matches[_i].rule);
    decision = resolve_job_with(other_matches[_i].job, other_matches[_i].gang, policy);
    ck_assert_int_eq(gang_decision_get_outcome(decision) == GANG_OUTCOME_DENIED,
                     other_matches[_i].answer == MATCH_YES);
    ck_assert_int_ne(gang_decision_get_outcome(decision), GANG_OUTCOME_INVALID);
    gang_decision_unref(decision);
}
END_TEST

/* A constraint with the kinds of jobs that it is for. */
static const struct {
    const char *constraint, *job;
    bool is_denied;
} constraints_of_kinds[] = {
    {"'match':{'kinds':['JobSet']},'maxMembers':1", STAGES, true},
    {"'match':{'kinds':['Job']},'maxMembers':1", STAGES, false},
    {"'match':{'kinds':['*'],'minNodes':3},'maxMembers':1", STAGES, false},
    {"'match':{'kinds':['*'],'maxNodes':2},'maxMembers':1", STAGES, true},
    {"'match':{},'exclude':{'kinds':['JobSet']},'maxMembers':1", STAGES, false},
};

START_TEST(constraints_match_other_jobs)
{
    char policy[RESOLUTION_SLOT_SIZE];
    struct gang_decision *decision;

    snprintf(policy, sizeof(policy), "'defaultBackend':'volcano','constraints':[{'name':'c',%s}]",
             constraints_of_kinds[_i].constraint);
    decision = resolve_job_with(constraints_of_kinds[_i].job, 0, policy);
    ck_assert_int_eq(gang_decision_get_outcome(decision),
                     constraints_of_kinds[_i].is_denied ? GANG_OUTCOME_DENIED : GANG_OUTCOME_GANG);
    gang_decision_unref(decision);
}
END_TEST

/* Where the answer is missing, and what would give it. */
static const struct {
    const char *rule, *job, *cluster, *message;
} unknowns[] = {
    {MATCH(TIER("prod")), "", NULL,
     "spec.rules[0].match.namespaceSelector: rule r depends on the labels of the namespace ml, "
     "which the cluster facts do not contain"},
    {EXCLUDE(TIER("prod")), "", NULL,
     "spec.rules[0].exclude.namespaceSelector: rule r depends on the labels of the namespace ml, "
     "which the cluster facts do not contain"},
    {MATCH("'namespaces':['ml']"), "namespace=-", NULL,
     "metadata.namespace: Required value: rule r decides by it"},
    {MATCH(TIER("prod")), "namespace=-", NAMESPACES,
     "metadata.namespace: Required value: rule r decides by it"},
};

START_TEST(unknown_facts_are_reported)
{
    char policy[RESOLUTION_SLOT_SIZE];
    const struct resolution row = {
        policy, unknowns[_i].job, unknowns[_i].cluster, GANG_OUTCOME_INVALID, "", ""};
    struct run run;

    snprintf(policy, sizeof(policy), "'rules':[{'name':'r',%s,'backend':'volcano'}]",
             unknowns[_i].rule);
    run = run_resolution(&row);
    check_message(run.decision, GANG_CODE_NAMESPACE_NOT_KNOWN, unknowns[_i].message);
    end_run(&run);
}
END_TEST

/* A rule behind one that matches is not asked, one before it is. */
static const struct {
    const char *rules;
    enum gang_outcome outcome;
} orders[] = {
    {"{'name':'a','match':{},'backend':'volcano'},{'name':'b','match':{" TIER(
         "x") "},'backend':'volcano'}",
     GANG_OUTCOME_GANG},
    {"{'name':'b','match':{" TIER(
         "x") "},'backend':'volcano'},{'name':'a','match':{},'backend':'volcano'}",
     GANG_OUTCOME_INVALID},
    {"{'name':'a','match':{'namespaces':['x']},'action':'Deny'},{'name':'b','match':{},'backend':'"
     "volcano'}",
     GANG_OUTCOME_GANG},
    {"{'name':'b','match':{},'backend':'volcano'},{'name':'a','match':{'namespaces':['ml']},'"
     "action':'Deny'}",
     GANG_OUTCOME_GANG},
    {"{'name':'a','match':{'namespaces':['ml']},'action':'Deny'},{'name':'b','match':{},'backend':'"
     "volcano'}",
     GANG_OUTCOME_DENIED},
};

START_TEST(the_first_rule_that_matches)
{
    char policy[RESOLUTION_SLOT_SIZE];
    const struct resolution row = {policy, "", NULL, orders[_i].outcome, "", ""};
    struct run run;

    snprintf(policy, sizeof(policy), "'rules':[%s]", orders[_i].rules);
    run = run_resolution(&row);
    ck_assert_int_eq(gang_decision_get_outcome(run.decision), orders[_i].outcome);
    end_run(&run);
}
END_TEST

/* ---- job facts ---- */

static const struct {
    const char *job;
    const char *namespace_; /* NULL: unset */
    const char *framework;  /* the same */
    int64_t nodes;
    const char *kueue; /* the same */
} facts_of_jobs[] = {
    {"", "ml", NULL, 2, NULL},
    {"namespace=-", NULL, NULL, 2, NULL},
    {"namespace=x;ml=", "x", NULL, 1, NULL},
    {"job='trainer':{'numNodes':7},", "ml", NULL, 7, NULL},
    {"job='trainer':{},", "ml", NULL, 2, NULL},
    {"runtime.labels='trainer.kubeflow.org/framework':'torch'", "ml", "torch", 2, NULL},
    {"labels='trainer.kubeflow.org/framework':'torch'", "ml", NULL, 2, NULL},
    {"labels='kueue.x-k8s.io/queue-name':'q'", "ml", NULL, 2, "q"},
    {"labels='kueue.x-k8s.io/queue-name':\"\"", "ml", NULL, 2, NULL},
};

static void
check_optional(struct slice actual, const char *expected)
{
    if (expected)
        ck_slice_eq(actual, expected);
    else
        ck_assert(!actual.len);
}

START_TEST(match_fields)
{
    const struct resolution row = {NULL, facts_of_jobs[_i].job, NULL, 0, "", ""};
    struct run run = run_resolution(&row);
    struct match_facts facts = job_facts_of(run.decision, run.decision->arena);

    check_optional(facts.namespace_, facts_of_jobs[_i].namespace_);
    check_optional(facts.framework, facts_of_jobs[_i].framework);
    check_optional(node_string(job_facts_kueue_queue(run.decision)), facts_of_jobs[_i].kueue);
    ck_assert_int_eq(facts.nodes, facts_of_jobs[_i].nodes);
    ck_assert_int_eq(facts.is_kueue_managed, facts_of_jobs[_i].kueue != NULL);
    ck_slice_eq(facts.runtime, "tune");
    ck_assert_uint_eq(facts.wishes->num_roles, 2);
    end_run(&run);
}
END_TEST

/* ---- rule mismatch ---- */

/* The rules of a policy, a TrainJob of two nodes, and the list, one `name path: reason` a line. */
static const struct {
    const char *rules;
    const char *job;
    const char *unmatched;
} rows[] = {
    {"{'name':'a','match':{}}", "", ""},
    {"{'name':'a','match':{'minNodes':3}},{'name':'b','match':{}}", "",
     "a match.minNodes: the job has 2 nodes\n"},
    {"{'name':'a','match':{'maxNodes':1}}", "", "a match.maxNodes: the job has 2 nodes\n"},
    {"{'name':'a','match':{'minNodes':2}}", "ml=", "a match.minNodes: the job has 1 node\n"},
    {"{'name':'a','match':{'namespaces':['x']}},{'name':'b','match':{'runtimes':['x']}}", "",
     "a match.namespaces: the namespace is ml\nb match.runtimes: the runtime is tune\n"},
    {"{'name':'a','match':{'kinds':['Job']}},{'name':'b','match':{'podGangSelector':{}}}", "",
     "a match.kinds: the job has kind TrainJob\nb match.podGangSelector: the job has kind "
     "TrainJob\n"},
    {"{'name':'a','match':{'kueue':'Managed'}}", "",
     "a match.kueue: Kueue does not manage the job\n"},
    {"{'name':'a','match':{'kueue':'Unmanaged'}}", "labels='kueue.x-k8s.io/queue-name':'q'",
     "a match.kueue: Kueue manages the job\n"},
    {"{'name':'a','match':{'frameworks':['mpi']}}", "",
     "a match.frameworks: the runtime names no framework\n"},
    {"{'name':'a','match':{'frameworks':['mpi']}}",
     "runtime.labels='trainer.kubeflow.org/framework':'torch'",
     "a match.frameworks: the framework is torch\n"},
    {"{'name':'a','match':{'runtimeSelector':{'matchLabels':{'a':'b'}}}}", "",
     "a match.runtimeSelector: the labels of the runtime differ\n"},
    {"{'name':'a','match':{'trainJobSelector':{'matchLabels':{'a':'b'}}}}", "",
     "a match.trainJobSelector: the labels of the job differ\n"},
    {"{'name':'a','match':{'objectSelector':{'matchLabels':{'a':'b'}}}}", "",
     "a match.objectSelector: the labels of the job differ\n"},
    {"{'name':'a','match':{'resources':['cpu']}}", "", "a match.resources: no pod requests it\n"},
    {"{'name':'a','match':{},'exclude':{'namespaces':['ml']}}", "",
     "a exclude: the rule excludes the job\n"},
    /* the first field that differs, and nothing behind a rule that cannot be decided */
    {"{'name':'a','match':{'minNodes':9,'namespaces':['x'],'resources':['cpu']}}", "",
     "a match.namespaces: the namespace is ml\n"},
    {"{'name':'a','match':{'minNodes':9}},{'name':'b','match':{'namespaces':['ml']}},"
     "{'name':'c','match':{'minNodes':9}}",
     "namespace=-", "a match.minNodes: the job has 2 nodes\n"},
};

static void
add_line(const struct node *rule, char *out, size_t size)
{
    const struct slice path = node_string(node_member(rule, SLICE("path")));
    const size_t len = strlen(out);

    ck_assert(slice_has_prefix(path, SLICE("spec.rules[")));
    snprintf(out + len, size - len, "%s %s: %s\n",
             node_string(node_member(rule, SLICE("name"))).data, strchr(path.data, '.') + 10,
             node_string(node_member(rule, SLICE("reason"))).data);
}

START_TEST(says_why_rules_do_not_match)
{
    char policy[RESOLUTION_SLOT_SIZE];
    char found[1024] = "";
    const struct resolution row = {policy, rows[_i].job, NULL, 0, "", ""};
    struct run run;
    struct builder document;
    struct arena *arena = arena_new(0);

    snprintf(policy, sizeof(policy), "'rules':[%s]", rows[_i].rules);
    run = run_resolution(&row);
    document = build_map(arena);
    rule_mismatch_build(run.decision, &document);
    for (NODE_EACH(rule, node_member(document.node, SLICE("unmatchedRules"))))
        add_line(rule, found, sizeof(found));
    ck_assert_str_eq(found, rows[_i].unmatched);
    end_run(&run);
    arena_free(arena);
}
END_TEST

void
add_tests(TCase *cases)
{
    add_rows(cases, rules_match_podgangs, podgang_matches, rule, job, cluster);
    add_items(cases, no_trainjob_is_a_podgang, podgang_selectors);
    add_rows(cases, unknown_requests_are_undecided, unknown_requests, rule);
    add_rows(cases, rules_match_trainjobs, matches, rule, job, cluster);
    add_rows(cases, rules_match_other_jobs, other_matches, rule, job);
    add_rows(cases, constraints_match_other_jobs, constraints_of_kinds, constraint, job);
    add_rows(cases, unknown_facts_are_reported, unknowns, rule, job, cluster);
    add_rows(cases, the_first_rule_that_matches, orders, rules);
    add_rows(cases, match_fields, facts_of_jobs, job, namespace_, framework);
    add_rows(cases, says_why_rules_do_not_match, rows, rules, job);
}
