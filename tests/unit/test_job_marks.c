/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/render/render.h"

#include "unit/job_plans.h"
#include "unit/job_roles.h"
#include "unit/squeeze.h"
#include "unit/suite.h"

#define VOLCANO "'defaultBackend':'volcano'"
#define COSCHEDULING "'defaultBackend':'coscheduling'"
#define WORKLOAD "'backends':[{'name':'workload','type':'Workload'}],'defaultBackend':'workload'"
#define KAI "'defaultBackend':'kai'"

#define PLAIN_POD "{'spec':{'restartPolicy':'Never','containers':[{'name':'c','image':'i'}]}}"
/* What Volcano and coscheduling read in a pod. */
#define ON_VOLCANO(group)                                                                          \
    "{'spec':{'restartPolicy':'Never','containers':[{'name':'c','image':'i'}],"                    \
    "'schedulerName':'volcano'},"                                                                  \
    "'metadata':{'annotations':{'scheduling.k8s.io/group-name':'" group "'}}}"
#define ON_COSCHEDULING(group)                                                                     \
    "{'spec':{'restartPolicy':'Never','containers':[{'name':'c','image':'i'}],"                    \
    "'schedulerName':'scheduler-plugins-scheduler'},"                                              \
    "'metadata':{'labels':{'scheduling.x-k8s.io/pod-group':'" group "'}}}"
#define OUTSIDE_OF_VOLCANO                                                                         \
    "{'spec':{'restartPolicy':'Never','containers':[{'name':'c','image':'i'}],"                    \
    "'schedulerName':'volcano'}}"

#define JOB(pod) JOB_WITH(",'uid':'u'", pod)
#define NEW_JOB(pod) JOB_WITH("", pod)
#define JOB_WITH(uid, pod)                                                                         \
    "{'apiVersion':'batch/v1','kind':'Job','metadata':{'name':'j'" uid "},'spec':{"                \
    "'completionMode':'Indexed','parallelism':2,'completions':2,'template':" pod "}}"
#define MPI_JOB(launcher, worker)                                                                  \
    "{'apiVersion':'kubeflow.org/v2beta1','kind':'MPIJob','metadata':{'name':'j','uid':'u'},"      \
    "'spec':{'mpiReplicaSpecs':{'Launcher':{'replicas':1,'template':" launcher                     \
    "},'Worker':{'replicas':2,'template':" worker "}}}}"
/* prepare, then train, then export: two gangs, and a stage of one pod */
#define STAGE(name, pods, after, pod)                                                              \
    "{'name':'" name "'," after "'template':{'spec':{'completionMode':'Indexed',"                  \
    "'parallelism':" pods ",'completions':" pods ",'template':" pod "}}}"
#define AFTER(name) "'dependsOn':[{'name':'" name "','status':'Complete'}],"
#define PIPELINE(prepare, train, export)                                                           \
    JOBSET(STAGE("prepare", "2", "", prepare) "," STAGE(                                           \
        "train", "3", AFTER("prepare"), train) "," STAGE("export", "1", AFTER("train"), export))
#define JOBSET(stages)                                                                             \
    "{'apiVersion':'jobset.x-k8s.io/v1alpha2','kind':'JobSet','metadata':{'name':'j','uid':'u'},"  \
    "'spec':{'replicatedJobs':[" stages "]}}"
#define ONE_STAGE(pod) JOBSET(STAGE("a", "2", "", pod))
#define THREE_TASKS(name, pod)                                                                     \
    STAGE(name "1", "1", "", pod)                                                                  \
    "," STAGE(name "2", "1", "", pod) "," STAGE(name "3", "1", "", pod)
#define NINE_TASKS(pod)                                                                            \
    JOBSET(THREE_TASKS("a", pod) "," THREE_TASKS("b", pod) "," THREE_TASKS("c", pod))
#define PLAIN_JOB                                                                                  \
    "{'apiVersion':'batch/v1','kind':'Job','metadata':{'name':'j','uid':'u'},'spec':{"             \
    "'parallelism':1,'template':" PLAIN_POD "}}"
#define OF_CLASS(group, class_name)                                                                \
    "{'spec':{'restartPolicy':'Never','containers':[{'name':'c','image':'i'}],"                    \
    "'schedulerName':'scheduler-plugins-scheduler','priorityClassName':'" class_name               \
    "'},'metadata':{'labels':{'scheduling.x-k8s.io/pod-group':'" group "'}}}"
#define SPARK(driver, executor)                                                                    \
    "{'apiVersion':'sparkoperator.k8s.io/v1beta2','kind':'SparkApplication','metadata':{"          \
    "'name':'j','uid':'u'},'spec':{'type':'Scala','mode':'cluster','sparkVersion':'3.5.0',"        \
    "'mainApplicationFile':'local:///a.jar','driver':{'cores':1" driver                            \
    "},'executor':{'instances':2" executor "}}}"
#define LWS                                                                                        \
    "{'apiVersion':'leaderworkerset.x-k8s.io/v1','kind':'LeaderWorkerSet','metadata':{"            \
    "'name':'j','uid':'u'},'spec':{'replicas':1,'leaderWorkerTemplate':{'size':2,"                 \
    "'workerTemplate':" PLAIN_POD "}}}"
#define ROLE_BASED_GROUP(of_a, of_b)                                                               \
    "{'apiVersion':'workloads.x-k8s.io/v1alpha2','kind':'RoleBasedGroup','metadata':{'name':'j',"  \
    "'uid':'u'},'spec':{'roleTemplates':[{'name':'t','template':" PLAIN_POD "}],'roles':["         \
    "{'name':'a','replicas':2,'standalonePattern':{'templateRef':{'name':'t','patch':" of_a "}}}," \
    "{'name':'b','replicas':2,'standalonePattern':{'templateRef':{'name':'t','patch':" of_b        \
    "}}}]}}"
#define RBG_LABEL "'metadata':{'labels':{'scheduling.x-k8s.io/pod-group':'j-gang'}}"
#define RBG_SCHEDULER "'schedulerName':'scheduler-plugins-scheduler'"
#define RAY_JOB(submitter)                                                                         \
    "{'apiVersion':'ray.io/v1','kind':'RayJob','metadata':{'name':'j','uid':'u'},'spec':{"         \
    "'rayClusterSpec':{'headGroupSpec':{'template':" PLAIN_POD "},'workerGroupSpecs':[{"           \
    "'groupName':'w','replicas':1,'minReplicas':1,'maxReplicas':1,'template':" PLAIN_POD           \
    "}]}" submitter "}}"

#define JAX_JOB(queue, spec, metadata)                                                             \
    "{'apiVersion':'kubeflow.org/v1','kind':'JAXJob','metadata':{'name':'j','uid':'u','labels':{"  \
    "'kai.scheduler/queue':'" queue "'}},'spec':{'jaxReplicaSpecs':{'Worker':{'replicas':2,"       \
    "'template':{'spec':{'containers':[{'name':'jax','image':'i'}]" spec "}" metadata "}}}}}"
#define PYTORCH_POD(spec, metadata)                                                                \
    "{'replicas':1,'template':{'spec':{'containers':[{'name':'pytorch','image':'i'}]" spec         \
    "}" metadata "}}"
#define PYTORCH_JOB(spec, metadata)                                                                \
    "{'apiVersion':'kubeflow.org/v1','kind':'PyTorchJob','metadata':{'name':'j','uid':'u'},"       \
    "'spec':{'pytorchReplicaSpecs':{'Master':" PYTORCH_POD(                                        \
        spec, metadata) ",'Worker':" PYTORCH_POD(spec, metadata) "}}}"
/* a list of pods: two of one group, one of another, one of none */
#define ITEM(name, metadata, spec)                                                                 \
    "{'apiVersion':'v1','kind':'Pod','metadata':{'name':'" name "'" metadata                       \
    "},'spec':{'containers':[{'name':'c','image':'i'}]" spec "}}"
#define OF_GROUP(group) ",'labels':{'kueue.x-k8s.io/pod-group-name':'" group "'}"
#define TOTAL(count) "'kueue.x-k8s.io/pod-group-total-count':'" count "'"
#define PODS(mark_of_g, mark_of_h, spec)                                                           \
    "{'apiVersion':'v1','kind':'PodList','items':[" ITEM(                                          \
        "a", OF_GROUP("g") ",'annotations':{" TOTAL("2") mark_of_g "}",                            \
        spec) "," ITEM("b", OF_GROUP("h") ",'annotations':{" TOTAL("1") mark_of_h "}",             \
                       spec) "," ITEM("c", "",                                                     \
                                      "") "," ITEM("d",                                            \
                                                   OF_GROUP("g") ",'annotations':{" TOTAL("2")     \
                                                       mark_of_g "}",                              \
                                                   spec) "]}"
#define TWO_ROLES(marks, spec)                                                                     \
    "{'apiVersion':'v1','kind':'PodList','items':[" OF_CPU("a", "1", marks, spec) "," OF_CPU(      \
        "b", "2", marks, spec) "," OF_CPU("c", "1", marks, spec) "]}"
#define OF_CPU(name, cpu, marks, spec)                                                             \
    "{'apiVersion':'v1','kind':'Pod','metadata':{'name':'" name                                    \
    "','labels':{'policy.libgang.dev/group':'g'}" marks "},'spec':{'containers':[{'name':'c',"     \
    "'resources':{'requests':{'cpu':'" cpu "'}}}]" spec "}}"
#define DROPPED(field)                                                                             \
    "spec.replicatedJobs[0].template.spec.template: spec.workloadRef." field                       \
    " of the role a: the CRD of JobSet drops it from the template"

/*
 * Each mark is from the table of its scheduler in doc/backends.md. The hash is fnv32a("u/gang")
 * in decimal, as SafeEncodeString() of kubernetes/apimachinery:pkg/util/rand/rand.go writes it.
 */
static const struct {
    const char *policy;
    const char *job;
    uint64_t gang;
    const char *expected; /* the document, or the errors */
} rows[] = {
    {VOLCANO, JOB(PLAIN_POD), 0, JOB(ON_VOLCANO("j"))},
    {COSCHEDULING, JOB(PLAIN_POD), 0, JOB(ON_COSCHEDULING("j"))},
    {VOLCANO, MPI_JOB(PLAIN_POD, PLAIN_POD), 0, MPI_JOB(ON_VOLCANO("j"), ON_VOLCANO("j"))},
    /* the marks of all gangs, whichever was resolved */
    {VOLCANO, PIPELINE(PLAIN_POD, PLAIN_POD, PLAIN_POD), 0,
     PIPELINE(ON_VOLCANO("j"), ON_VOLCANO("j-s1"), OUTSIDE_OF_VOLCANO)},
    {VOLCANO, PIPELINE(PLAIN_POD, PLAIN_POD, PLAIN_POD), 1,
     PIPELINE(ON_VOLCANO("j"), ON_VOLCANO("j-s1"), OUTSIDE_OF_VOLCANO)},
    /* The operator copies these fields to the pods. The driver is outside the gang. */
    {COSCHEDULING, SPARK("", ""), 0,
     SPARK(",'schedulerName':'scheduler-plugins-scheduler'",
           ",'labels':{'scheduling.x-k8s.io/pod-group':'j-exec'},"
           "'schedulerName':'scheduler-plugins-scheduler'")},
    /* With a template the operator's webhook does not set them. */
    {COSCHEDULING, SPARK("", ",'template':" PLAIN_POD), 0,
     SPARK(",'schedulerName':'scheduler-plugins-scheduler'",
           ",'template':" ON_COSCHEDULING("j-exec"))},
    /* the patches of a shared template, which the operator merges into it */
    {COSCHEDULING, ROLE_BASED_GROUP("{}", "{'spec':{'nodeName':'n'}}"), 0,
     ROLE_BASED_GROUP("{" RBG_LABEL ",'spec':{" RBG_SCHEDULER "}}",
                      "{'spec':{'nodeName':'n'," RBG_SCHEDULER "}," RBG_LABEL "}")},
    /* built-in templates have every field, those of MPIJobs no schedulingGroup */
    {WORKLOAD, JOB(PLAIN_POD), 0,
     JOB("{'spec':{'restartPolicy':'Never','containers':[{'name':'c','image':'i'}],"
         "'schedulingGroup':{'podGroupName':'j-gang-6dc4fbf494'}}}")},
    /* the mark that the pods must have is another one: its hash is that of the uid */
    {WORKLOAD, NEW_JOB(PLAIN_POD), 0,
     "spec.template: spec.schedulingGroup.podGroupName of the role main: the name of the group "
     "depends on the uid, which the job does not have yet"},
    {WORKLOAD, MPI_JOB(PLAIN_POD, PLAIN_POD), 0,
     "spec.mpiReplicaSpecs.Launcher.template: spec.schedulingGroup.podGroupName of the role "
     "launcher: the CRD of MPIJob drops it from the template\n"
     "spec.mpiReplicaSpecs.Worker.template: spec.schedulingGroup.podGroupName of the role worker: "
     "the CRD of MPIJob drops it from the template"},
    {VOLCANO, PODS("", "", ""), 0,
     PODS(",'scheduling.k8s.io/group-name':'g'", ",'scheduling.k8s.io/group-name':'h'",
          ",'schedulerName':'volcano'")},
    /* a pod's spec needs containers, and the plan has none */
    {COSCHEDULING, JOB("{}"), 0,
     "spec.template.spec: Required value: the plan sets schedulerName in it"},
    /* KAI's podgrouper reads the job's label first */
    {"'backends':[{'name':'kai','type':'KAI','kai':{'podGroup':'Delegate'}}],'defaultBackend':"
     "'kai','rules':[{'name':'r','match':{'kinds':['JAXJob']},'queue':{'name':'team','override':"
     "'Always'}}]",
     JAX_JOB("mine", "", ""), 0,
     JAX_JOB("team", ",'schedulerName':'kai-scheduler'",
             ",'metadata':{'labels':{'kai.scheduler/queue':'team'}}")},
    {COSCHEDULING, NEW_JOB(PLAIN_POD), 0, NEW_JOB(ON_COSCHEDULING("j"))},
    /* JobSet's CRD has schedulingGroup, and not the field of Kubernetes 1.35 */
    {WORKLOAD, ONE_STAGE(PLAIN_POD), 0,
     ONE_STAGE("{'spec':{'restartPolicy':'Never','containers':[{'name':'c','image':'i'}],"
               "'schedulingGroup':{'podGroupName':'j-gang-6dc4fbf494'}}}")},
    {"'backends':[{'name':'w','type':'Workload','apiVersion':'scheduling.k8s.io/v1alpha1'}],"
     "'defaultBackend':'w'",
     ONE_STAGE(PLAIN_POD), 0, DROPPED("name") "\n" DROPPED("podGroup")},
    /* a class that a rule forces on the pods */
    {COSCHEDULING ",'rules':[{'name':'r','match':{},'priorityClassName':{'name':'high','override':"
                  "'Always'}}]",
     MPI_JOB(PLAIN_POD, PLAIN_POD), 0, MPI_JOB(OF_CLASS("j", "high"), OF_CLASS("j", "high"))},
    /* the operator adds an init container to the workers, which is not in the document */
    {VOLCANO, PYTORCH_JOB("", ""), 0,
     PYTORCH_JOB(",'schedulerName':'volcano'",
                 ",'metadata':{'annotations':{'scheduling.k8s.io/group-name':'j'}}")},
    {VOLCANO, NINE_TASKS(PLAIN_POD), 0, NINE_TASKS(ON_VOLCANO("j"))},
    /* two roles in one group */
    {VOLCANO, TWO_ROLES("", ""), 0,
     TWO_ROLES(",'annotations':{'scheduling.k8s.io/group-name':'g'}",
               ",'schedulerName':'volcano'")},
    /* pods have every field, and a list of pods has no uid: the hash is fnv32a("g" "gang") */
    {WORKLOAD, TWO_ROLES("", ""), 0,
     TWO_ROLES("", ",'schedulingGroup':{'podGroupName':'g-gang-75784f5bcc'}")},
    /* no gang: the pods need not start together */
    {VOLCANO, PLAIN_JOB, 0, PLAIN_JOB},
    {VOLCANO, LWS, 0,
     "metadata: several gangs share the pod templates, so the templates cannot have the marks"},
    {VOLCANO, RAY_JOB(""), 0, "spec: the role submitter has no pod template in the document"},
    {VOLCANO, RAY_JOB(",'managedBy':'kueue.x-k8s.io/multikueue'"), 0,
     RAY_JOB(",'managedBy':'kueue.x-k8s.io/multikueue'")},
};

START_TEST(the_templates_get_the_marks)
{
    char text[DOCUMENT_SIZE];
    struct job_plan opened;

    job_plan_open(&opened, rows[_i].job, rows[_i].policy, rows[_i].gang);
    ck_assert_int_eq(opened.result, GANG_OK);
    ck_assert_str_eq(job_plan_target(&opened, text), rows[_i].expected);
    job_plan_close(&opened);
}
END_TEST

/* The document with its marks has the same marks. */
START_TEST(the_result_is_a_fixed_point)
{
    char once[DOCUMENT_SIZE];
    char twice[DOCUMENT_SIZE];
    struct job_plan opened;

    if (rows[_i].expected[0] != '{')
        return;
    job_plan_open(&opened, rows[_i].job, rows[_i].policy, rows[_i].gang);
    job_plan_target(&opened, once);
    job_plan_close(&opened);
    job_plan_open(&opened, once, rows[_i].policy, rows[_i].gang);
    ck_assert_int_eq(opened.result, GANG_OK);
    ck_assert_str_eq(job_plan_target(&opened, twice), once);
    job_plan_close(&opened);
}
END_TEST

/* The second gang is too large; in one case there is a warning before the error. */
static const char *const refused[] = {
    PIPELINE(PLAIN_POD, PLAIN_POD, PLAIN_POD),
    PIPELINE(PLAIN_POD,
             "{'spec':{'restartPolicy':'Never','containers':[{'name':'c','image':'i','resources':{"
             "'requests':{'nvidia.com/gpu':1}}}]}}",
             PLAIN_POD),
};

/* A constraint denies the second gang, so the job as a whole cannot be applied. */
START_TEST(a_refused_gang_refuses_the_document)
{
    char text[DOCUMENT_SIZE];
    struct job_plan opened;

    job_plan_open(&opened, refused[_i],
                  VOLCANO ",'constraints':[{'name':'small','match':{},'maxMembers':2}]", 0);
    ck_assert_int_eq(opened.result, GANG_OK);
    job_plan_target(&opened, text);
    ck_assert_msg(strstr(text, "gang 1 of the job is refused: "), "%s", text);
    ck_assert_msg(strstr(text, "3 members are more than the 2 allowed"), "%s", text);
    job_plan_close(&opened);
}
END_TEST

/* Without a backend no gang changes the document, and there are more of them than can be counted.
 */
START_TEST(the_search_of_other_gangs_ends_without_steps)
{
    enum { COMPONENTS = 40 };
    char text[DOCUMENT_SIZE] =
        "{'apiVersion':'workload.codeflare.dev/v1beta2','kind':'AppWrapper','metadata':{"
        "'name':'w','uid':'u'},'spec':{'components':[";
    struct job_plan opened;

    for (int i = 0; i < COMPONENTS; i++)
        job_roles_add(text, sizeof(text),
                      "%s{'template':{'apiVersion':'leaderworkerset.x-k8s.io/v1','kind':"
                      "'LeaderWorkerSet','metadata':{'name':'s%d'},'spec':{'replicas':2147483647,"
                      "'leaderWorkerTemplate':{'size':1,'workerTemplate':" PLAIN_POD "}}}}",
                      i ? "," : "", i);
    job_roles_add(text, sizeof(text), "%s", "]}}");
    job_plan_open(&opened, text, "", 0);
    ck_assert_str_eq(job_plan_target(&opened, text), ": steps: more than the limit of 10000000");
    job_plan_close(&opened);
}
END_TEST

static bool
squeeze_target(const struct gang_context *context, const void *input, int *result,
               struct gang_error **error)
{
    struct gang_blob *blob = NULL;
    bool is_written;

    *result =
        gang_plan_serialize(context, input, GANG_TARGET_JOB, GANG_FORMAT_JSON, 0, &blob, error);
    is_written = blob != NULL;
    gang_blob_unref(blob);
    return is_written;
}

START_TEST(memory_can_run_out_at_every_allocation)
{
    static const char *const jobs[] = {PIPELINE(PLAIN_POD, PLAIN_POD, PLAIN_POD), PODS("", "", "")};
    struct gang_plan *plan = NULL;
    struct job_plan opened;

    job_plan_open(&opened, jobs[_i], VOLCANO, 0);
    ck_assert_int_eq(gang_render(NULL, opened.decision, 0, &plan, NULL), GANG_OK);
    ck_assert_int_eq(squeeze(squeeze_target, plan), GANG_OK);
    gang_plan_unref(plan);
    job_plan_close(&opened);
}
END_TEST

void
add_tests(TCase *cases)
{
    tcase_add_loop_test(cases, memory_can_run_out_at_every_allocation, 0, 2);
    add_rows(cases, the_templates_get_the_marks, rows, job);
    add_rows(cases, the_result_is_a_fixed_point, rows, job);
    add_items(cases, a_refused_gang_refuses_the_document, refused);
    tcase_add_test(cases, the_search_of_other_gangs_ends_without_steps);
}
