/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/render/render.h"

#include "libgang/document/writer.h"

#include "unit/suite.h"
#include "unit/plans.h"
#include "unit/job.h"

/* ---- plan document ---- */

#define HEAD                                                                                       \
    "{'apiVersion':'policy.libgang.dev/"                                                           \
    "v1alpha1','kind':'GangPlan','metadata':{'name':'llama','namespace':'ml'},"
#define OWNER                                                                                      \
    "'owner':{'apiVersion':'trainer.kubeflow.org/v1alpha1','kind':'TrainJob','name':'llama'"
#define ROLES "spec.template.spec.replicatedJobs"
#define POD_SPEC ROLES "[0].template.spec.template.spec"

#define NO_UID                                                                                     \
    "{'code':'GANG006','reason':'NoOwnerUid','severity':'info','document':'trainjob',"             \
    "'message':'metadata.uid is not set: the objects carry no owner reference',"                   \
    "'hint':'pass the trainjob as the API server returns it'}"

/* Nothing was chosen, so nothing else was asked. */
#define NOT_ASKED                                                                                  \
    "{'attribute':'schedulerName','candidates':[]},{'attribute':'queue','candidates':[]},"         \
    "{'attribute':'priorityClassName','candidates':[]},{'attribute':'scheduleTimeoutSeconds','"    \
    "candidates':["                                                                                \
    "]},"                                                                                          \
    "{'attribute':'members','candidates':[]},{'attribute':'topology','candidates':[]}]}\n"

#define UNSET_QUEUE                                                                                \
    "{'attribute':'queue','value':'default','candidates':[{'document':'runtime','verdict':'Unset'" \
    ","                                                                                            \
    "'reason':'neither the trainjob nor the runtime names a "                                      \
    "queue'},{'value':'default','verdict':'Chosen',"                                               \
    "'reason':'the scheduler''s own default'}]},"
#define UNSET_PRIORITY                                                                             \
    "{'attribute':'priorityClassName','candidates':[{'document':'runtime','verdict':'Unset',"      \
    "'reason':'no template names a priority class'}]},"
#define UNSET_TIMEOUT                                                                              \
    "{'attribute':'scheduleTimeoutSeconds','candidates':[{'document':'runtime',"                   \
    "'path':'spec.podGroupPolicy.coscheduling.scheduleTimeoutSeconds','verdict':'Unset',"          \
    "'reason':'the backend has no timeout'}]},"
#define UNSET_TOPOLOGY                                                                             \
    "{'attribute':'topology','candidates':[{'document':'runtime',"                                 \
    "'path':'spec.podGroupPolicy.volcano.networkTopology','verdict':'Unset',"                      \
    "'reason':'no topology is requested'}]}]}\n"

#define VOLCANO                                                                                    \
    "'backend':{'name':'volcano','type':'Volcano','apiVersion':'scheduling.volcano.sh/v1beta1',"   \
    "'schedulerName':'volcano'},"
#define VOLCANO_CHOSEN                                                                             \
    "{'attribute':'backend','value':'volcano','candidates':["                                      \
    "{'value':'volcano','document':'runtime','path':'spec.podGroupPolicy.volcano','line':6,'"      \
    "verdict':'"                                                                                   \
    "Chosen',"                                                                                     \
    "'reason':'set in the runtime''s podGroupPolicy'},"                                            \
    "{'document':'runtime','verdict':'Unset','reason':'no template names a scheduler'}]},"

/* Three roles in two stages; only the trainer is the gang, and the GPU limit is its request. */
static const char tune_result[] = HEAD
    "'outcome':'Gang','compatibility':'None'," OWNER "}," VOLCANO
    "'gang':{'name':'llama','minimum':1,'members':1,'lateMembers':0,'pods':3,"
    "'resources':{'nvidia.com/gpu':'2'},'subgroups':[]},"
    "'roles':[{'name':'dataset-initializer','ancestor':'dataset-initializer','count':1,'membership'"
    ":'Outside'"
    ","
    "'stage':0,'wave':0,'dependsOn':[],'requests':{}},"
    "{'name':'model-initializer','ancestor':'model-initializer','count':1,'membership':'Outside',"
    "'stage':0,'wave':0,'dependsOn':[],'requests':{}},"
    "{'name':'node','ancestor':'trainer','count':1,'membership':'Member','stage':1,'wave':0,"
    "'dependsOn':[{'role':'dataset-initializer','status':'Complete'},"
    "{'role':'model-initializer','status':'Complete'}],'requests':{'nvidia.com/gpu':'2'}}],"
    "'objects':[{'action':'Create','object':{'apiVersion':'scheduling.volcano.sh/"
    "v1beta1','kind':'PodGroup',"
    "'metadata':{'name':'llama','namespace':'ml'},'spec':{'minMember':1}}}],"
    "'patches':[{'target':'Role','role':'dataset-initializer','spec':{'schedulerName':'volcano'}},"
    "{'target':'Role','role':'model-initializer','spec':{'schedulerName':'volcano'}},"
    "{'target':'Role','role':'node','metadata':{'annotations':{'scheduling.k8s.io/"
    "group-name':'llama'}},"
    "'spec':{'schedulerName':'volcano'}}],"
    "'predictions':[],'losses':[],";
static const char tune_reasons[] =
    "'diagnostics':["
    "{'code':'GANG004','reason':'SchedulerNameSet','severity':'info','document':'runtime','path':"
    "'" ROLES "[0]',"
    "'line':8,'column':4,'message':'schedulerName \\'volcano\\' was set on roles "
    "\\'dataset-initializer\\', "
    "\\'model-initializer\\', \\'node\\''},"
    "{'code':'GANG014','reason':'MinResourcesLeftOut','severity':'info','document':'runtime','path'"
    ":'" ROLES "[2]',"
    "'line':16,'column':4,'message':'minResources is omitted, because Volcano would reserve it "
    "from now on: the gang is created later: \\'node\\' waits for \\'dataset-initializer\\' to be "
    "Complete'}," NO_UID "],"
    "'trace':[" VOLCANO_CHOSEN "{'attribute':'schedulerName','value':'volcano','candidates':[{'"
    "value':'volcano','verdict':'Chosen',"
    "'reason':'the backend''s default'}]}," UNSET_QUEUE UNSET_PRIORITY UNSET_TIMEOUT
    "{'attribute':'members','value':'Auto','candidates':[{'value':'Auto','verdict':'Chosen',"
    "'reason':'the roles that run together; the first wave is the minimum'}]}," UNSET_TOPOLOGY;

/* The operator's arithmetic: every role counted and marked, requests alone, schedulerName left
 * alone. */
static const char tune_compatible_result[] = HEAD
    "'outcome':'Gang','compatibility':'KubeflowTrainer'," OWNER "}," VOLCANO
    "'gang':{'name':'llama','minimum':3,'members':3,'lateMembers':0,'pods':3,'resources':{},'"
    "subgroups':[]},"
    "'roles':[{'name':'dataset-initializer','ancestor':'dataset-initializer','count':1,'membership'"
    ":'Member',"
    "'stage':0,'wave':0,'dependsOn':[],'requests':{}},"
    "{'name':'model-initializer','ancestor':'model-initializer','count':1,'membership':'Member',"
    "'stage':0,'wave':0,'dependsOn':[],'requests':{}},"
    "{'name':'node','ancestor':'trainer','count':1,'membership':'Member','stage':1,'wave':1,"
    "'dependsOn':[{'role':'dataset-initializer','status':'Complete'},"
    "{'role':'model-initializer','status':'Complete'}],'requests':{}}],"
    "'objects':[{'action':'Create','object':{'apiVersion':'scheduling.volcano.sh/"
    "v1beta1','kind':'PodGroup',"
    "'metadata':{'name':'llama','namespace':'ml'},'spec':{'minMember':3,'minResources':{}}}}],"
    "'patches':[{'target':'Role','role':'dataset-initializer','metadata':{'annotations':{'"
    "scheduling.k8s.io/"
    "group-name':'llama'}}},"
    "{'target':'Role','role':'model-initializer','metadata':{'annotations':{'scheduling.k8s.io/"
    "group-name':'llama'}}},"
    "{'target':'Role','role':'node','metadata':{'annotations':{'scheduling.k8s.io/"
    "group-name':'llama'}}}],"
    "'predictions':[],'losses':[],";
static const char tune_compatible_reasons[] =
    "'diagnostics':["
    "{'code':'GANG034','reason':'SchedulerNameMissing','severity':'warning','document':'runtime',"
    "'path':'" ROLES
    "[0]','line':8,'column':4,'message':'schedulerName \\'volcano\\' is missing, so the default "
    "scheduler starts the pods one by one: \\'dataset-initializer\\', \\'model-initializer\\', "
    "\\'node\\'',"
    "'hint':'write `schedulerName: volcano` in the runtime''s pod templates'},"
    "{'code':'GANG043','reason':'MarkOnWaitingRole','severity':'warning','document':'runtime','"
    "path':'" ROLES "[0]',"
    "'line':8,'column':4,'message':'the operator counts and labels roles that do not run with the "
    "trainer: "
    "\\'dataset-initializer\\', \\'model-initializer\\''},"
    "{'code':'GANG033','reason':'LimitsNotCounted','severity':'warning','document':'runtime','path'"
    ":'" ROLES "[2]',"
    "'line':16,'column':4,'message':'resources under limits alone are missing from minResources'},"
    "{'code':'GANG012','reason':'StructuralDeadlock','severity':'warning','document':'runtime',"
    "'path':'" ROLES "[2].dependsOn[0]','line':17,'column':19,'message':'the gang can never start: "
    "\\'node\\' waits for \\'dataset-initializer\\' to be Complete, which waits until 3 pods of "
    "the gang "
    "exist, "
    "but only 2 can exist before that'}," NO_UID "],"
    "'trace':[" VOLCANO_CHOSEN
    "{'attribute':'schedulerName','candidates':[{'value':'volcano','verdict':'Overridden',"
    "'reason':'with KubeflowTrainer compatibility schedulerName is not changed'}]}," UNSET_QUEUE
        UNSET_PRIORITY UNSET_TIMEOUT
    "{'attribute':'members','value':'All','candidates':[{'value':'All','document':'policy',"
    "'path':'spec.compatibility','line':4,'verdict':'Chosen',"
    "'reason':'with KubeflowTrainer compatibility every role is counted and "
    "labelled'}]}," UNSET_TOPOLOGY;

#define PLAIN_ROLE(membership)                                                                     \
    "'roles':[{'name':'node','ancestor':'trainer','count':2,'membership':'" membership             \
    "','stage':0,'wave':0,"                                                                        \
    "'dependsOn':[],'requests':{'cpu':'1500m','memory':'1536Mi'},"                                 \
    "'schedulerName':'scheduler-plugins-scheduler','priorityClassName':'high'}],"

/* An owner reference, a lost queue, a timeout; cpu 2 x 1500m, memory 2 x 1536Mi. */
static const char plain_result[] =
    HEAD "'outcome':'Gang','compatibility':'None'," OWNER ",'uid':'u-1'},"
         "'backend':{'name':'coscheduling','type':'Coscheduling','apiVersion':'scheduling.x-k8s.io/"
         "v1alpha1',"
         "'schedulerName':'scheduler-plugins-scheduler'},"
         "'gang':{'name':'llama','minimum':2,'members':2,'lateMembers':0,'pods':2,"
         "'resources':{'cpu':'3','memory':'3Gi'},'queue':'research','priorityClassName':'high',"
         "'scheduleTimeoutSeconds':300,'subgroups':[]}," PLAIN_ROLE(
             "Member") "'objects':[{'action':'Create','object':{'apiVersion':'scheduling.x-k8s.io/"
                       "v1alpha1','kind':'PodGroup',"
                       "'metadata':{'name':'llama','namespace':'ml','ownerReferences':[{'"
                       "apiVersion':'trainer."
                       "kubeflow.org/v1alpha1',"
                       "'kind':'TrainJob','name':'llama','uid':'u-1','controller':true,'"
                       "blockOwnerDeletion':true}]"
                       "},"
                       "'spec':{'minMember':2,'minResources':{'cpu':'3','memory':'3Gi'},'"
                       "scheduleTimeoutSeconds':"
                       "300}}}],"
                       "'patches':[{'target':'Role','role':'node','metadata':{'labels':{'"
                       "scheduling.x-k8s.io/"
                       "pod-group':'llama'}}}],"
                       "'predictions':[],"
                       "'losses':[{'field':'queue','value':'research','reason':'coscheduling has "
                       "no queues'}],";
static const char plain_reasons[] =
    "'diagnostics':[{'code':'GANG038','reason':'FieldLost','severity':'warning','document':'"
    "runtime',"
    "'path':'spec.template.metadata.annotations[scheduling.volcano.sh/"
    "queue-name]','line':8,'column':69,"
    "'message':'queue \\'research\\' is lost: coscheduling has no queues',"
    "'hint':'remove the field, or choose a backend that supports it'}],"
    "'trace':[{'attribute':'backend','value':'coscheduling','candidates':["
    "{'value':'coscheduling','document':'runtime','path':'spec.podGroupPolicy.coscheduling','line':"
    "6,"
    "'verdict':'Chosen','reason':'set in the runtime''s podGroupPolicy'},"
    "{'value':'coscheduling','document':'runtime','path':'" POD_SPEC ".schedulerName','line':13,"
    "'verdict':'Overridden','reason':'the runtime''s podGroupPolicy has precedence'}]},"
    "{'attribute':'schedulerName','value':'scheduler-plugins-scheduler','candidates':["
    "{'value':'scheduler-plugins-scheduler','document':'runtime','path':'" POD_SPEC
    ".schedulerName','line':13,"
    "'verdict':'Chosen','reason':'the template names the backend''s scheduler'},"
    "{'value':'scheduler-plugins-scheduler','verdict':'Overridden','reason':'every template names "
    "a "
    "scheduler'}]},"
    "{'attribute':'queue','value':'research','candidates':[{'value':'research','document':'runtime'"
    ","
    "'path':'spec.template.metadata.annotations[scheduling.volcano.sh/"
    "queue-name]','line':8,'verdict':'Chosen',"
    "'reason':'set in the runtime''s template'}]},"
    "{'attribute':'priorityClassName','value':'high','candidates':[{'value':'high','document':'"
    "runtime',"
    "'path':'" POD_SPEC ".priorityClassName','line':14,'verdict':'Chosen',"
    "'reason':'the members'' priority class'}]},"
    "{'attribute':'scheduleTimeoutSeconds','value':'300','candidates':[{'value':'300','document':'"
    "runtime',"
    "'path':'spec.podGroupPolicy.coscheduling.scheduleTimeoutSeconds','line':6,'verdict':'Chosen',"
    "'reason':'the runtime''s podGroupPolicy'}]},"
    "{'attribute':'members','value':'Auto','candidates':[{'value':'Auto','verdict':'Chosen',"
    "'reason':'the roles that run together; the first wave is the minimum'}]}," UNSET_TOPOLOGY;

/* Another controller manages the job. */
static const char elsewhere_result[] =
    HEAD "'outcome':'NoGang','compatibility':'None'," OWNER ",'uid':'u-1'}," PLAIN_ROLE(
        "Outside") "'objects':[],'patches':[],'predictions':[],'losses':[],";
static const char elsewhere_reasons[] =
    "'diagnostics':[{'code':'GANG035','reason':'ManagedElsewhere','severity':'info','document':'"
    "trainjob',"
    "'path':'spec.managedBy','line':4,'column':24,"
    "'message':'another controller manages this trainjob; the operator creates nothing here'}],"
    "'trace':[{'attribute':'backend','candidates':["
    "{'document':'trainjob','path':'spec.managedBy','line':4,"
    "'verdict':'Refused','reason':'managedBy names another controller; the operator creates "
    "nothing'},"
    "{'value':'coscheduling','document':'runtime','path':'spec.podGroupPolicy.coscheduling','line':"
    "6,"
    "'verdict':'Overridden','reason':'managedBy names another controller'},"
    "{'value':'coscheduling','document':'runtime','path':'" POD_SPEC ".schedulerName','line':13,"
    "'verdict':'Overridden','reason':'managedBy names another controller'}]}," NOT_ASKED;

/* Both members of podGroupPolicy. */
static const char conflict_result[] =
    HEAD "'outcome':'Invalid','compatibility':'None'," OWNER ",'uid':'u-1'}," PLAIN_ROLE(
        "Outside") "'objects':[],'patches':[],'predictions':[],'losses':[],";
static const char conflict_reasons[] =
    "'diagnostics':[{'code':'GANG007','reason':'BackendConflict','severity':'error','document':'"
    "runtime',"
    "'path':'spec.podGroupPolicy','line':6,'column':21,"
    "'message':'Invalid value: \\'coscheduling, volcano\\': at most one may be set',"
    "'hint':'keep the one whose scheduler must run the job'}],"
    "'trace':[{'attribute':'backend','candidates':["
    "{'value':'coscheduling','document':'runtime','path':'spec.podGroupPolicy.coscheduling','line':"
    "6,"
    "'verdict':'Ambiguous','reason':'podGroupPolicy names more than one'},"
    "{'value':'volcano','document':'runtime','path':'spec.podGroupPolicy.volcano','line':6,"
    "'verdict':'Ambiguous','reason':'podGroupPolicy names more than one'},"
    "{'value':'coscheduling','document':'runtime','path':'" POD_SPEC ".schedulerName','line':13,"
    "'verdict':'Overridden','reason':'the runtime''s podGroupPolicy has precedence\'"
    "}]}," NOT_ASKED;

static const char plain_trainjob_elsewhere[] =
    "{'apiVersion': 'trainer.kubeflow.org/v1alpha1',\n"
    " 'kind': 'TrainJob',\n"
    " 'metadata': {'name': 'llama', 'namespace': 'ml', 'uid': 'u-1'},\n"
    " 'spec': {'managedBy': 'kueue.x-k8s.io/multikueue',\n"
    "  'runtimeRef': {'apiGroup': 'trainer.kubeflow.org', 'kind': 'TrainingRuntime',\n"
    "                 'name': 'plain'}}}\n";

static const struct {
    const char *runtime, *find, *replace, *trainjob, *policy, *result, *reasons;
} plans[] = {
    {tune_runtime, NULL, NULL, tune_trainjob, NULL, tune_result, tune_reasons},
    {tune_runtime, NULL, NULL, tune_trainjob, compatibility_policy, tune_compatible_result,
     tune_compatible_reasons},
    {plain_runtime, NULL, NULL, plain_trainjob, NULL, plain_result, plain_reasons},
    {plain_runtime, NULL, NULL, plain_trainjob_elsewhere, NULL, elsewhere_result,
     elsewhere_reasons},
    {plain_runtime, "300}}", "300}, 'volcano': {}}", plain_trainjob, NULL, conflict_result,
     conflict_reasons},
};

START_TEST(the_whole_document_byte_for_byte)
{
    struct run run = run_spelled(plans[_i].runtime, plans[_i].find, plans[_i].replace,
                                 plans[_i].trainjob, plans[_i].policy);
    struct gang_plan *plan = plan_of(&run);
    char expected[DOCUMENT_SIZE];

    snprintf(expected, sizeof(expected), "%s%s", plans[_i].result, plans[_i].reasons);
    check_plan_text(plan, GANG_TARGET_PLAN, GANG_FORMAT_JSON, expected);
    gang_plan_unref(plan);
    end_run(&run);
}
END_TEST

/* One part of the document after one change of the plain runtime; the rest is as above. */
static const struct {
    const char *find, *replace, *part;
} parts[] = {
    /* No key without a value, and no namespace. */
    {"'priorityClassName': 'high',\n", "",
     "'requests':{'cpu':'1500m','memory':'1536Mi'},'schedulerName':'scheduler-"
     "plugins-scheduler'}],'objects'"},
    {"'metadata': {'labels': {'trainer.kubeflow.org/trainjob-ancestor-step': 'trainer'}},\n", "",
     "'roles':[{'name':'node','count':1,'membership'"},
    /* A lost topology; tier and mode are the API's defaults. */
    {"'coscheduling': {'scheduleTimeoutSeconds': 300}", "'volcano': {'networkTopology': {}}",
     "'topology':{'mode':'hard','highestTierAllowed':1},'subgroups':[]},"},
    /* Queues are no loss to Volcano. */
    {"'coscheduling': {'scheduleTimeoutSeconds': 300}},\n", "'volcano': {}},\n", "'losses':[],"},
    /* Zero is the scheduler's own default: asked for, but not rendered. */
    {"300", "0", "'priorityClassName':'high','scheduleTimeoutSeconds':0,'subgroups':[]},"},
    {"300", "0", "'spec':{'minMember':2,'minResources':{'cpu':'3','memory':'3Gi'}}}}],"},
    /* The API server's default. */
    {"{'scheduleTimeoutSeconds': 300}", "{}",
     "{'value':'60','document':'runtime','path':'spec.podGroupPolicy.coscheduling."
     "scheduleTimeoutSeconds',"
     "'verdict':'Chosen','reason':'the API server''s default'}"},
    /* Nothing is requested: the map is there all the same. */
    {"'requests': {'memory': '1536Mi', 'cpu': '1500m'}", "", "'pods':2,'resources':{},'queue'"},
    {"'requests': {'memory': '1536Mi', 'cpu': '1500m'}", "",
     "'spec':{'minMember':2,'minResources':{},"},
    {"'requests': {'memory': '1536Mi', 'cpu': '1500m'}", "",
     "'dependsOn':[],'requests':{},'schedulerName'"},
    /* Sorted by byte: capitals, then small letters; a dot before a slash. */
    {"'requests': {'memory': '1536Mi', 'cpu': '1500m'}",
     "'limits': {'memory': '1536Mi', 'a/b': 1, 'a.b/c': 1, 'Zz': 1}",
     "'resources':{'Zz':'2','a.b/c':'2','a/b':'2','memory':'3Gi'}"},
};

static const struct {
    const char *find, *replace;
} default_scheduler = {"      'schedulerName': 'scheduler-plugins-scheduler',\n", "\n"};

START_TEST(one_part_of_the_document)
{
    bool volcano = strstr(parts[_i].replace, "volcano") != NULL;
    char runtime[DOCUMENT_SIZE];
    char part[DOCUMENT_SIZE];
    struct run run;
    struct gang_plan *plan;
    struct gang_blob *blob;

    with_change(runtime, plain_runtime, parts[_i].find, parts[_i].replace);
    run = run_spelled(runtime, volcano ? default_scheduler.find : NULL, default_scheduler.replace,
                      plain_trainjob, NULL);
    plan = plan_of(&run);
    blob = blob_of(plan, GANG_TARGET_PLAN, GANG_FORMAT_JSON);
    ck_assert_msg(strstr(gang_blob_get_data(blob, NULL), spell(part, parts[_i].part)) != NULL,
                  "no %s in\n%.3000s", part, gang_blob_get_data(blob, NULL));
    gang_blob_unref(blob);
    gang_plan_unref(plan);
    end_run(&run);
}
END_TEST

static const struct {
    enum gang_document_type document;
    const char *name;
} documents[] = {
    {GANG_DOCUMENT_NONE, NULL},
    {GANG_DOCUMENT_RUNTIME, "runtime"},
    {GANG_DOCUMENT_TRAINJOB, "trainjob"},
    {GANG_DOCUMENT_POLICY, "policy"},
    {GANG_DOCUMENT_CLUSTER, "cluster"},
    {GANG_DOCUMENT_PODGANG, "podgang"},
    {GANG_DOCUMENT_PODCLIQUESET, "podcliqueset"},
};

START_TEST(names_of_the_documents)
{
    ck_assert_pstr_eq(gang_document_type_name((int)documents[_i].document), documents[_i].name);
}
END_TEST

/* ---- plan document groups ---- */

static struct role roles[] = {
    {.name = SLICE_INIT("a")}, {.name = SLICE_INIT("b")}, {.name = SLICE_INIT("c")}};

/* One group of two roles, one of none, a role by itself; three deep. */
static struct gang_group groups[] = {
    {.name = SLICE_INIT("g"), .minimum = 2, .parent = GROUP_OF_GANG, .role = ROLE_NONE},
    {.name = SLICE_INIT("h"),
     .minimum = 1,
     .parent = 0,
     .role = ROLE_NONE,
     .placement = {.is_set = true, .topology = SLICE_INIT("t"), .required = SLICE_INIT("rack")}},
    {.name = SLICE_INIT("a"), .minimum = 3, .parent = 1, .role = 0},
    {.name = SLICE_INIT("b"),
     .minimum = 0,
     .parent = 0,
     .role = 1,
     .placement = {.is_set = true, .preferred = SLICE_INIT("host")}},
    {.name = SLICE_INIT("c"), .minimum = 1, .parent = GROUP_OF_GANG, .role = 2},
};

static const struct {
    size_t count;
    const char *expected;
} trees[] = {
    {0, "{\"subgroups\":[]}"},
    {5, "{\"subgroups\":["
        "{\"name\":\"g\",\"minimum\":2,\"roles\":[],\"subgroups\":["
        "{\"name\":\"h\",\"minimum\":1,\"roles\":[],\"topology\":{\"topology\":\"t\",\"required\":"
        "\"rack\"},"
        "\"subgroups\":["
        "{\"name\":\"a\",\"minimum\":3,\"roles\":[\"a\"],\"subgroups\":[]}]},"
        "{\"name\":\"b\",\"minimum\":0,\"roles\":[\"b\"],\"topology\":{\"preferred\":\"host\"},"
        "\"subgroups\":"
        "[]}]},"
        "{\"name\":\"c\",\"minimum\":1,\"roles\":[\"c\"],\"subgroups\":[]}]}"},
};

START_TEST(groups_nest)
{
    struct arena *arena = arena_new(0);
    struct builder map = build_map(arena);
    const struct gang_wishes wishes = {
        .roles = roles, .num_roles = 3, .groups = groups, .num_groups = trees[_i].count};
    struct buffer out = {0};

    plan_document_subgroups(&wishes, &map);
    json_write(&out, map.node);
    ck_slice_eq(((struct slice){out.data, out.len}), trees[_i].expected);
    buffer_clear(&out);
    arena_free(arena);
}
END_TEST

/* ---- plan document lists ---- */

/* A list as JSON. */
static const char *
printed(struct arena *arena, const struct builder *document, char out[DOCUMENT_SIZE])
{
    struct buffer buffer = {.limit = DOCUMENT_SIZE - 1};

    ck_assert(!arena_failed(arena));
    json_write(&buffer, node_first(document->node));
    ck_assert(!buffer.failed);
    snprintf(out, DOCUMENT_SIZE, "%.*s", (int)buffer.len, buffer.data);
    buffer_clear(&buffer);
    return out;
}

#define ROLE(name, rest) "{'name':'" name "'," rest "}"

/* Only what the role has, in the order of the interface; membership, stage and wave of its gang. */
static const struct {
    const char *job, *roles;
} roles_of_plan_document_lists[] = {
    {"node*4@trainer+nvidia.com/gpu=8+cpu=500m",
     ROLE("node",
          "'ancestor':'trainer','count':4,'membership':'Member','stage':0,'wave':0,'dependsOn':[],"
          "'requests':{'cpu':'500m','nvidia.com/gpu':'8'}")},
    {"plain",
     ROLE("plain",
          "'count':1,'membership':'Member','stage':0,'wave':0,'dependsOn':[],'requests':{}")},
    {"plain@other",
     ROLE("plain",
          "'ancestor':'other','count':1,'membership':'Member','stage':0,'wave':0,'dependsOn':[],"
          "'requests':{}")},
    {"a!volcano^high",
     ROLE("a", "'count':1,'membership':'Member','stage':0,'wave':0,'dependsOn':[],'requests':{},"
               "'schedulerName':'volcano','priorityClassName':'high'")},
    {"data@dataset-initializer node@trainer<data:C",
     ROLE("data",
          "'ancestor':'dataset-initializer','count':1,'membership':'Outside','stage':0,'wave':0,"
          "'dependsOn':[],'requests':{}") "," ROLE("node",
                                                   "'ancestor':'trainer','count':1,'"
                                                   "membership':'Member','stage':1,'wave':0,"
                                                   "'dependsOn':[{'role':'data','status':'"
                                                   "Complete'}],'requests':{}")},
    {"launcher@trainer<node:R node*2",
     ROLE("launcher", "'ancestor':'trainer','count':1,'membership':'"
                      "LateMember','stage':0,'wave':1,"
                      "'dependsOn':[{'role':'node','status':'Ready'}],'"
                      "requests':{}") "," ROLE("node", "'count':2,'membership':'"
                                                       "Member','stage':0,'wave':"
                                                       "0,'dependsOn':[],'"
                                                       "requests':{}")},
};

START_TEST(roles_in_the_order_of_the_input)
{
    struct job job = job_form(roles_of_plan_document_lists[_i].job);
    struct builder document = build_map(job.arena);
    char expected[DOCUMENT_SIZE];
    char wanted[DOCUMENT_SIZE];
    char text[DOCUMENT_SIZE];

    plan_document_roles(&job.gang, &document);
    ck_slice_eq(node_key(node_first(document.node)), "roles");
    snprintf(expected, sizeof(expected), "[%s]", roles_of_plan_document_lists[_i].roles);
    check_text(printed(job.arena, &document, text), spell(wanted, expected));
    job_free(&job);
}
END_TEST

/* Only what the candidate has. A value that is not there is named below the map that lacks it. */
static const struct {
    const char *value;
    enum gang_document_type document;
    bool has_source;
    const char *missing;
    enum trace_verdict verdict;
    const char *text;
} candidates[] = {
    {"q", GANG_DOCUMENT_NONE, true, NULL, VERDICT_CHOSEN,
     "{'value':'q','document':'policy','path':'spec.queue','line':7,'verdict':'Chosen','reason':'"
     "why'}"},
    {"q", GANG_DOCUMENT_NONE, false, NULL, VERDICT_CHOSEN,
     "{'value':'q','verdict':'Chosen','reason':'why'}"},
    {NULL, GANG_DOCUMENT_RUNTIME, false, "spec.x", VERDICT_UNSET,
     "{'document':'runtime','path':'spec.x','verdict':'Unset','reason':'why'}"},
    {NULL, GANG_DOCUMENT_NONE, true, "default", VERDICT_UNSET,
     "{'document':'policy','path':'spec.queue.default','line':7,'verdict':'Unset','reason':'why'}"},
    {NULL, GANG_DOCUMENT_TRAINJOB, false, NULL, VERDICT_REFUSED,
     "{'document':'trainjob','verdict':'Refused','reason':'why'}"},
    {"", GANG_DOCUMENT_NONE, false, NULL, VERDICT_OVERRIDDEN,
     "{'value':QUOTES,'verdict':'Overridden','reason':'why'}"},
};

static const struct node *
policy_queue(struct arena *arena)
{
    struct builder root = build_map(arena);
    struct builder spec = build_map_member(&root, SLICE("spec"));

    build_string(&spec, SLICE("queue"), SLICE("q"));
    spec.last->line = 7;
    spec.last->document = GANG_DOCUMENT_POLICY;
    return spec.last;
}

static void
add_candidate(struct trace *trace, int row)
{
    struct trace_candidate candidate = {
        .document = candidates[row].document,
        .source = candidates[row].has_source ? policy_queue(trace->arena) : NULL,
        .verdict = candidates[row].verdict,
        .reason = "why",
    };

    if (candidates[row].value)
        candidate.value = slice_from_text(candidates[row].value);
    if (candidates[row].missing)
        candidate.missing = slice_from_text(candidates[row].missing);
    trace_add(trace, TRACE_QUEUE, candidate);
}

START_TEST(a_candidate_in_the_trace)
{
    struct trace trace = {.arena = arena_new(0)};
    struct builder document = build_map(trace.arena);
    char expected[DOCUMENT_SIZE];
    char wanted[DOCUMENT_SIZE];
    char text[DOCUMENT_SIZE];

    add_candidate(&trace, _i);
    plan_document_trace(&trace, &document);
    printed(trace.arena, &document, text);
    snprintf(expected, sizeof(expected), "'candidates':[%s]},{'attribute':'priorityClassName'",
             candidates[_i].text);
    spell(wanted, expected);
    if (strstr(wanted, "QUOTES"))
        with_change(wanted, spell(expected, candidates[_i].text), "QUOTES", "\"\"");
    ck_assert_msg(strstr(text, wanted) != NULL, "no %s in %s", wanted, text);
    arena_free(trace.arena);
}
END_TEST

/* Every attribute is listed, in order, with or without candidates. */
START_TEST(an_empty_trace_names_every_attribute)
{
    struct trace trace = {.arena = arena_new(0)};
    struct builder document = build_map(trace.arena);
    char wanted[DOCUMENT_SIZE];
    char text[DOCUMENT_SIZE];

    plan_document_trace(&trace, &document);
    ck_slice_eq(node_key(node_first(document.node)), "trace");
    check_text(
        printed(trace.arena, &document, text),
        spell(wanted,
              "[{'attribute':'backend','candidates':[]},{'attribute':'schedulerName','candidates':["
              "]},"
              "{'attribute':'queue','candidates':[]},{'attribute':'priorityClassName','candidates':"
              "[]},"
              "{'attribute':'scheduleTimeoutSeconds','candidates':[]},"
              "{'attribute':'members','candidates':[]},{'attribute':'topology','candidates':[]}]"));
    arena_free(trace.arena);
}
END_TEST

void
add_tests(TCase *cases)
{
    add_rows(cases, the_whole_document_byte_for_byte, plans, runtime, find, replace);
    add_rows(cases, one_part_of_the_document, parts, find, replace);
    add_rows(cases, names_of_the_documents, documents, document, name);
    add_rows(cases, groups_nest, trees, expected, count);
    add_rows(cases, roles_in_the_order_of_the_input, roles_of_plan_document_lists, job, roles);
    add_rows(cases, a_candidate_in_the_trace, candidates, value, text);
    tcase_add_test(cases, an_empty_trace_names_every_attribute);
}
