/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/reconcile/live.h"

#include "unit/job_decisions.h"
#include "unit/job_roles.h"
#include "unit/jobs.h"
#include "unit/live_reading.h"
#include "unit/tree.h"

#define CONDITION(type, status)                                                                    \
    "{\"conditions\":[{\"type\":\"Other\",\"status\":\"True\"},"                                   \
    "{\"type\":\"" type "\",\"status\":\"" status "\"}]}"

static const struct {
    const char *group, *kind, *status;
    bool has_ended;
} ends[] = {
    {"trainer.kubeflow.org", "TrainJob", CONDITION("Complete", "True"), true},
    {"trainer.kubeflow.org", "TrainJob", CONDITION("Failed", "True"), true},
    {"trainer.kubeflow.org", "TrainJob", CONDITION("Suspended", "True"), false},
    {"jobset.x-k8s.io", "JobSet", CONDITION("Completed", "True"), true},
    {"jobset.x-k8s.io", "JobSet", CONDITION("Failed", "True"), true},
    {"jobset.x-k8s.io", "JobSet", CONDITION("Completed", "False"), false},
    {"jobset.x-k8s.io", "JobSet", CONDITION("Complete", "True"), false},
    {"batch", "Job", CONDITION("Complete", "True"), true},
    {"batch", "Job", CONDITION("Failed", "True"), true},
    /* its pods still end */
    {"batch", "Job", CONDITION("FailureTarget", "True"), false},
    {"batch", "Job", CONDITION("Suspended", "True"), false},
    {"batch.volcano.sh", "Job", CONDITION("Complete", "True"), false},
    {"ray.io", "RayJob", "{\"jobDeploymentStatus\":\"Complete\",\"jobStatus\":\"SUCCEEDED\"}",
     true},
    {"ray.io", "RayJob", "{\"jobDeploymentStatus\":\"Failed\"}", true},
    /* the next try follows */
    {"ray.io", "RayJob", "{\"jobDeploymentStatus\":\"Retrying\",\"jobStatus\":\"FAILED\"}", false},
    {"ray.io", "RayJob", "{\"jobDeploymentStatus\":\"Running\"}", false},
    {"ray.io", "RayCluster", "{\"state\":\"failed\"}", false},
    {"ray.io", "RayService", CONDITION("Failed", "True"), false},
    {"kubeflow.org", "MPIJob", CONDITION("Succeeded", "True"), true},
    {"kubeflow.org", "MPIJob", CONDITION("Failed", "True"), true},
    {"kubeflow.org", "MPIJob", CONDITION("Running", "True"), false},
    {"kubeflow.org", "PyTorchJob", CONDITION("Succeeded", "True"), true},
    {"kubeflow.org", "TFJob", CONDITION("Failed", "True"), true},
    {"kubeflow.org", "XGBoostJob", CONDITION("Succeeded", "True"), true},
    {"kubeflow.org", "PaddleJob", CONDITION("Succeeded", "True"), true},
    {"kubeflow.org", "JAXJob", CONDITION("Restarting", "True"), false},
    {"sparkoperator.k8s.io", "SparkApplication", "{\"applicationState\":{\"state\":\"COMPLETED\"}}",
     true},
    {"sparkoperator.k8s.io", "SparkApplication", "{\"applicationState\":{\"state\":\"FAILED\"}}",
     true},
    {"sparkoperator.k8s.io", "SparkApplication", "{\"applicationState\":{\"state\":\"FAILING\"}}",
     false},
    {"sparkoperator.k8s.io", "SparkApplication",
     "{\"applicationState\":{\"state\":\"SUBMISSION_FAILED\"}}", false},
    {"workload.codeflare.dev", "AppWrapper", "{\"phase\":\"Succeeded\"}", true},
    {"workload.codeflare.dev", "AppWrapper", "{\"phase\":\"Failed\"}", true},
    {"workload.codeflare.dev", "AppWrapper", "{\"phase\":\"Resetting\"}", false},
    /* kinds that do not end, and one that nobody knows */
    {"leaderworkerset.x-k8s.io", "LeaderWorkerSet", CONDITION("Failed", "True"), false},
    {"apps", "StatefulSet", CONDITION("Complete", "True"), false},
    {"a.io", "Other", CONDITION("Complete", "True"), false},
    {"batch", "Job", "{}", false},
    {"ray.io", "RayJob", "{}", false},
};

START_TEST(a_status_says_that_a_job_has_ended)
{
    struct arena *arena = arena_new(0);

    ck_assert_int_eq(live_status_has_ended(slice_from_text(ends[_i].group),
                                           slice_from_text(ends[_i].kind),
                                           tree_of(arena, ends[_i].status)),
                     ends[_i].has_ended);
    ck_assert(!live_status_has_ended(slice_from_text(ends[_i].group),
                                     slice_from_text(ends[_i].kind), NULL));
    arena_free(arena);
}
END_TEST

/* A gang with the member `a` and the role `b` outside. */
static const struct {
    const char *group, *kind, *status;
    bool has_pods;
} pods[] = {
    {"trainer.kubeflow.org", "TrainJob", "{\"jobsStatus\":[{\"name\":\"a\",\"active\":1}]}", true},
    {"jobset.x-k8s.io", "JobSet", "{\"replicatedJobsStatus\":[{\"name\":\"a\",\"ready\":2}]}",
     true},
    {"jobset.x-k8s.io", "JobSet", "{\"replicatedJobsStatus\":[{\"name\":\"b\",\"active\":2}]}",
     false},
    {"jobset.x-k8s.io", "JobSet",
     "{\"replicatedJobsStatus\":[{\"name\":\"a\",\"succeeded\":2,\"active\":0}]}", false},
    {"batch", "Job", "{\"active\":1}", true},
    {"batch", "Job", "{\"active\":0,\"succeeded\":1}", false},
    {"kubeflow.org", "MPIJob", "{\"replicaStatuses\":{\"Worker\":{\"active\":3}}}", true},
    {"kubeflow.org", "PyTorchJob",
     "{\"replicaStatuses\":{\"Master\":{\"succeeded\":1},\"Worker\":{\"active\":1}}}", true},
    {"kubeflow.org", "PyTorchJob", "{\"replicaStatuses\":{\"Master\":{\"succeeded\":1}}}", false},
    {"ray.io", "RayJob", "{\"active\":1}", false},
    {"a.io", "Other", "{\"active\":1}", false},
};

START_TEST(a_status_counts_pods)
{
    struct arena *arena = arena_new(0);
    const struct role roles[] = {{.name = SLICE_INIT("a")}, {.name = SLICE_INIT("b")}};
    struct role_part parts[] = {{.membership = ROLE_MEMBER}, {.membership = ROLE_OUTSIDE}};
    const struct gang gang = {.roles = roles, .num_roles = 2, .parts = parts};

    ck_assert_int_eq(live_status_has_pods(slice_from_text(pods[_i].group),
                                          slice_from_text(pods[_i].kind), &gang,
                                          tree_of(arena, pods[_i].status), arena),
                     pods[_i].has_pods);
    arena_free(arena);
}
END_TEST

/* Every kind of job with a status that ends is kept of the live objects. */
START_TEST(a_status_is_read)
{
    ck_assert(live_status_is_read(SLICE("ray.io"), SLICE("RayJob")));
    ck_assert(!live_status_is_read(SLICE("ray.io"), SLICE("RayCluster")));
    ck_assert(!live_status_is_read(SLICE("other.io"), SLICE("RayJob")));
}
END_TEST

#define SERVING(labels, replicas)                                                                  \
    "{'apiVersion':'leaderworkerset.x-k8s.io/v1','kind':'LeaderWorkerSet','metadata':{'name':"     \
    "'chat','namespace':'ml'" labels "},'spec':{'replicas':" replicas ",'leaderWorkerTemplate':"   \
    "{'size':2,'workerTemplate':{'spec':{'containers':[{'name':'c','image':'i'}]}}}}}"
#define SLICES(slices)                                                                             \
    "{'apiVersion':'disaggregatedset.x-k8s.io/v1','kind':'DisaggregatedSet','metadata':{'name':"   \
    "'chat','namespace':'ml'},'spec':{'slices':" slices ",'roles':[{'name':'p','spec':{"           \
    "'leaderWorkerTemplate':{'size':2,'workerTemplate':{'spec':{'containers':[{'name':'c',"        \
    "'image':'i'}]}}}}},{'name':'d','spec':{'leaderWorkerTemplate':{'size':2,'workerTemplate':{"   \
    "'spec':{'containers':[{'name':'c','image':'i'}]}}}}}]}}"
#define REVISION ",'labels':{'leaderworkerset.sigs.k8s.io/template-revision-hash':'abc'}"
#define TWO_STAGES                                                                                 \
    JOB_ROLES(JOB_ROLE("a", ",'count':2,'requests':{}") "," JOB_ROLE(                              \
        "b", ",'count':2,'requests':{},'dependsOn':[{'role':'a','status':'Complete'}]"))
#define STAGES GANG_JOB(TWO_STAGES)
#define STAGES_OF_GROUP GANG_JOB("'groupName':'chat-1'," TWO_STAGES)
#define COMPONENT(name)                                                                            \
    "{'template':{'apiVersion':'ray.io/v1','kind':'RayCluster','metadata':{'name':'" name "'},"    \
    "'spec':{'headGroupSpec':{'template':{'spec':{'containers':[{'name':'c','image':'i'}]}}}}}}"
#define WRAPPED_JOBS(components)                                                                   \
    "{'apiVersion':'workload.codeflare.dev/v1beta2','kind':'AppWrapper','metadata':{'name':'job'," \
    "'namespace':'ml'},'spec':{'components':[" components "]}}"
#define WRAPPED_TWO(one, other) WRAPPED_JOBS(COMPONENT(one) "," COMPONENT(other))
#define WRAPPED_THREE(one, two, three)                                                             \
    WRAPPED_JOBS(COMPONENT(one) "," COMPONENT(two) "," COMPONENT(three))
#define WRAPPED WRAPPED_THREE("x", "y", "y-s1")
/* One gang of an owner that may have others. */
#define OF_GROUP GANG_JOB("'groupName':'chat-1'," JOB_ROLES(JOB_PODS(",'count':2")))

static const struct {
    const char *job;
    uint64_t own;
    const char *object;
    uint64_t gang;
} rows[] = {
    {GANG_JOB(JOB_ROLES(JOB_PODS(",'count':2"))), 0, "anything", 0},
    {SERVING("", "3"), 1, "chat-0", 0},
    {SERVING("", "3"), 1, "chat-2", 2},
    {SERVING("", "3"), 1, "chat-7", 7},
    {SERVING("", "3"), 0, "chat-2-gang", 2},
    {SERVING("", "3"), 0, "chat-2-old-revision", 2},
    {SERVING("", "3"), 0, "chat-2.ml", 2},
    {SERVING("", "3"), 0, "chat-x", LIVE_GANG_UNKNOWN},
    {SERVING("", "3"), 0, "chat-2x", LIVE_GANG_UNKNOWN},
    {SERVING("", "3"), 0, "chat-", LIVE_GANG_UNKNOWN},
    {SERVING("", "3"), 0, "chat", LIVE_GANG_UNKNOWN},
    {SERVING("", "3"), 0, "other-1", LIVE_GANG_UNKNOWN},
    {SERVING("", "3"), 0, "chat--1", LIVE_GANG_UNKNOWN},
    {SERVING("", "3"), 0, "chat-99999999999999999999", LIVE_GANG_UNKNOWN},
    /* of one gang: others are those of groups that the job had */
    {SERVING("", "1"), 0, "chat-0", 0},
    {SERVING("", "1"), 0, "leader.chat-0.ml", 0},
    {SERVING("", "1"), 0, "chat-2", 2},
    {SERVING("", "1"), 0, "chat", LIVE_GANG_UNKNOWN},
    {SERVING(REVISION, "1"), 0, "chat-2-xyz", 2},
    {SERVING("", "0"), 0, "chat-2", 0}, /* none: every object of the job */
    {SLICES("1"), 0, "chat-1", 1},
    {SLICES("1"), 0, "chat-0", 0},
    {SERVING(REVISION, "1000000"), 5, "chat-999999-abc", 999999},
    {SERVING(REVISION, "2"), 0, "chat-1-xyz", 1},
    {STAGES, 0, "job", 0},
    {STAGES, 0, "job-s1", 1},
    {STAGES, 1, "job-s1-gang", 1},
    {STAGES, 0, "job-s2", 2},
    {STAGES, 0, "job.ml", 0},
    {STAGES, 0, "job-s1.ml", 1},
    {STAGES, 0, "job-gang", 0},
    {STAGES, 0, "job-server", 0},
    {STAGES, 0, "jobs", LIVE_GANG_UNKNOWN},
    /* KAI's group of a role outside the gang */
    {STAGES, 0, "server.job.ml", 0},
    {STAGES, 0, "server.job-s1.ml", 1},
    {STAGES, 0, "server.jobs.ml", LIVE_GANG_UNKNOWN},
    {SERVING("", "3"), 0, "leader.chat-2.ml", 2},
    {WRAPPED, 0, "head.y.ml", 1},
    {WRAPPED, 0, "head.z.ml", LIVE_GANG_UNKNOWN},
    {WRAPPED, 0, "x", 0},
    {WRAPPED, 0, "y", 1},
    {WRAPPED, 0, "z", LIVE_GANG_UNKNOWN},
    {WRAPPED, 0, "y.ml", 1},
    {WRAPPED, 0, "y-gang-5f8d9c6b7", 1},
    {WRAPPED, 0, "yy", LIVE_GANG_UNKNOWN},
    {WRAPPED, 0, "y-s1-gang-5f8d9c6b7", 2}, /* not of `y` */
    {OF_GROUP, 0, "chat-1", 0},
    {OF_GROUP, 0, "chat-1.ml", 0},
    {OF_GROUP, 0, "chat-1-gang-5f8d9c6b7", 0},
    {OF_GROUP, 0, "chat-10", LIVE_GANG_UNKNOWN},
    {OF_GROUP, 0, "chat-0", LIVE_GANG_UNKNOWN},
    {OF_GROUP, 0, "job", LIVE_GANG_UNKNOWN},
    /* names that have something in common, and are not those of replicas or stages */
    {WRAPPED_TWO("x-0", "x-2"), 0, "x-2", 1},
    {WRAPPED_TWO("x-0a", "x-1b"), 0, "x-1b", 1},
    {WRAPPED_TWO("x-0a", "x-1b"), 0, "x-2", LIVE_GANG_UNKNOWN},
    {WRAPPED_TWO("x-0", "x-10"), 0, "x-10", 1},
    {WRAPPED_TWO("x", "xy"), 0, "xy", 1},
    {WRAPPED_TWO("xy", "x"), 0, "x", 1},
    {WRAPPED_TWO("y-s1", "y"), 0, "y-s1-gang-5f8d9c6b7", 0},
    /* the first two are called as replicas or stages are, the third is not */
    {WRAPPED_THREE("x0", "x1", "x1-s1"), 1, "x1-s1", 2},
    {WRAPPED_THREE("x0", "x1", "x1-s1"), 1, "x1-gang-5f8d9c6b7", 1},
    {WRAPPED_THREE("x-0", "x-1", "x-0-y"), 0, "x-0-y", 2},
    {WRAPPED_THREE("x", "x-s1", "y"), 0, "y", 2},
    {WRAPPED_THREE("x", "x-s1", "x-y"), 0, "x-y", 2},
    {WRAPPED_THREE("x0", "x1", "x2"), 0, "x3", 3},
};

/* What the names of the objects start with that a plan decides about. */
static const struct {
    const char *job;
    uint64_t own;
    const char *start; /* NULL: any name */
} starts[] = {
    {SERVING("", "3"), 0, NULL},
    {SERVING("", "3"), 2, "chat-2"},
    {SERVING(REVISION, "1000000"), 999999, "chat-999999"},
    {STAGES, 0, NULL},
    {STAGES, 1, "job-s1"},
    {WRAPPED, 1, NULL},
    {OF_GROUP, 0, NULL},
    {GANG_JOB(JOB_ROLES(JOB_PODS(",'count':2"))), 0, NULL},
};

START_TEST(a_plan_decides_about_names)
{
    struct gang_decision *decision =
        resolve_job_with(starts[_i].job, starts[_i].own, "'defaultBackend':'volcano'");
    struct arena *arena = arena_new(0);
    const struct live_gangs gangs = live_gangs_of(decision, arena);

    ck_slice_eq(live_gangs_start_of_own(&gangs, arena), starts[_i].start ? starts[_i].start : "");
    gang_decision_unref(decision);
    arena_free(arena);
}
END_TEST

#define GROUP_OF(api, name, spec)                                                                  \
    "{'apiVersion':'" api "','kind':'PodGroup','metadata':{'namespace':'ml','name':'" name         \
    "'},'spec':{" spec "}}\n"
#define PLAIN_GROUP(name) GROUP_OF("scheduling.x-k8s.io/v1alpha1", name, "")
#define KAI_GROUP(name) GROUP_OF("scheduling.run.ai/v2alpha2", name, "")
#define KUBERNETES_GROUP(version, name, spec) GROUP_OF("scheduling.k8s.io/" version, name, spec)

static const struct {
    const char *job;
    const char *object;
    bool is_certain;
} certain[] = {
    {GANG_JOB(JOB_ROLES(JOB_PODS(",'count':2"))), PLAIN_GROUP("anything"), true},
    {STAGES, PLAIN_GROUP("job-gang"), true},
    {WRAPPED, PLAIN_GROUP("y-gang-5f8d9c6b7"), true},
    {STAGES_OF_GROUP, PLAIN_GROUP("chat-1-s1-gang-5f8d9c6b7"), true},
    {OF_GROUP, PLAIN_GROUP("chat-1"), true},
    {OF_GROUP, PLAIN_GROUP("chat-1-s1"), false}, /* perhaps of a later stage */
    {OF_GROUP, PLAIN_GROUP("chat-1.ml"), false}, /* or of a group with a dot in its name */
    {OF_GROUP, KUBERNETES_GROUP("v1beta1", "chat-1-gang-5f8d9c6b7", ""), false},
    /* the Workload of the group is that of this gang, or of another one */
    {OF_GROUP,
     KUBERNETES_GROUP("v1beta1", "chat-1-gang-5f8d9c6b7",
                      "'workloadRef':{'workloadName':'chat-1'}"),
     true},
    {OF_GROUP,
     KUBERNETES_GROUP("v1beta1", "chat-1-gang-5f8d9c6b7",
                      "'workloadRef':{'workloadName':'chat-1-gang'}"),
     false},
    {OF_GROUP,
     KUBERNETES_GROUP("v1alpha2", "chat-1-gang-5f8d9c6b7",
                      "'podGroupTemplateRef':{'workload':{'workloadName':'chat-1'}}"),
     true},
    /* the podgrouper's names end with the namespace */
    {OF_GROUP, KAI_GROUP("chat-1.ml"), true},
    {OF_GROUP, KAI_GROUP("head.chat-1.ml"), true},
    {OF_GROUP, KAI_GROUP("chat-1-s1.ml"), false},
    {OF_GROUP, KAI_GROUP("chat-1.other"), false},
    {OF_GROUP, KAI_GROUP("chat-1.ml.ml"), false},
    {OF_GROUP, KAI_GROUP("head.chat-10.ml"), false},
};

START_TEST(a_name_may_be_of_another_gang_of_the_owner)
{
    struct gang_decision *decision =
        resolve_job_with(certain[_i].job, 0, "'defaultBackend':'volcano'");
    struct arena *arena = arena_new(0);
    const struct live_gangs gangs = live_gangs_of(decision, arena);
    struct live_reading live = read_live(certain[_i].object);

    ck_assert_int_eq(live_gang_is_certain(&gangs, &live.objects.items[0]), certain[_i].is_certain);
    end_live(&live);
    gang_decision_unref(decision);
    arena_free(arena);
}
END_TEST

START_TEST(the_name_of_an_object_tells_its_gang)
{
    struct gang_decision *decision =
        resolve_job_with(rows[_i].job, rows[_i].own, "'defaultBackend':'volcano'");
    struct arena *arena = arena_new(0);
    const struct live_gangs gangs = live_gangs_of(decision, arena);

    ck_assert_uint_eq(gangs.own, rows[_i].own);
    ck_assert_uint_eq(live_gang_of(&gangs, slice_from_text(rows[_i].object)), rows[_i].gang);
    gang_decision_unref(decision);
    arena_free(arena);
}
END_TEST

/* The names of the first 64 gangs are known, so what begins with one of them may be another. */
START_TEST(names_of_many_gangs_are_compared_alone)
{
    static const struct {
        const char *object;
        uint64_t gang;
    } objects[] = {
        {"ac", 2},
        {"cl", 63},
        {"cm", LIVE_GANG_UNKNOWN},
        {"ac-gang-5f8d9c6b7", LIVE_GANG_UNKNOWN},
    };
    char components[DOCUMENT_SIZE - 1024] = "";
    char text[DOCUMENT_SIZE];
    struct arena *arena = arena_new(0);
    struct gang_decision *decision;
    struct live_gangs gangs;

    for (int i = 0; i < 65; i++)
        job_roles_add(components, sizeof(components), "%s" COMPONENT("%c%c"), i ? "," : "",
                      'a' + i / 26, 'a' + i % 26);
    snprintf(text, sizeof(text), WRAPPED_JOBS("%s"), components);
    decision = resolve_job_with(text, 0, "'defaultBackend':'volcano'");
    gangs = live_gangs_of(decision, arena);
    for (size_t i = 0; i < COUNT_OF(objects); i++)
        ck_assert_uint_eq(live_gang_of(&gangs, slice_from_text(objects[i].object)),
                          objects[i].gang);
    gang_decision_unref(decision);
    arena_free(arena);
}
END_TEST

/* Beyond 64 gangs not every name is compared, so none follows from those of the first two. */
START_TEST(numbers_say_nothing_of_more_gangs_than_are_compared)
{
    static const struct {
        int count; /* of components: c0, c1, ..., and then the last one with -s1 */
        const char *last;
        uint64_t gang;
    } jobs[] = {{64, "c62-s1", 63}, {65, "c63-s1", LIVE_GANG_UNKNOWN}};
    char components[DOCUMENT_SIZE - 1024] = "";
    char text[DOCUMENT_SIZE];
    struct arena *arena = arena_new(0);
    struct gang_decision *decision;
    struct live_gangs gangs;

    for (int i = 0; i < jobs[_i].count - 1; i++)
        job_roles_add(components, sizeof(components), COMPONENT("c%d") ",", i);
    job_roles_add(components, sizeof(components), COMPONENT("%s"), jobs[_i].last);
    snprintf(text, sizeof(text), WRAPPED_JOBS("%s"), components);
    decision = resolve_job_with(text, 1, "'defaultBackend':'volcano'");
    gangs = live_gangs_of(decision, arena);
    ck_assert_uint_eq(live_gang_of(&gangs, slice_from_text(jobs[_i].last)), jobs[_i].gang);
    gang_decision_unref(decision);
    arena_free(arena);
}
END_TEST

static const char *const several[] = {SERVING("", "3"), STAGES, WRAPPED, SERVING("", "1")};

/* Either the arena has failed, or the last gang is found by its name. */
START_TEST(memory_can_run_out_at_every_allocation)
{
    const size_t step = 16;
    struct gang_decision *decision = resolve_job_with(several[_i], 0, "'defaultBackend':'volcano'");
    const struct slice names[] = {SLICE("chat-1"), SLICE("job-s1"), SLICE("y"), SLICE("chat-1")};
    bool is_enough = false;

    for (size_t limit = step; !is_enough; limit += step) {
        struct arena *arena = arena_new(limit);
        const struct live_gangs gangs = live_gangs_of(decision, arena);

        is_enough = !arena_failed(arena);
        ck_assert(!is_enough || live_gang_of(&gangs, names[_i]) == 1);
        arena_free(arena);
    }
    gang_decision_unref(decision);
}
END_TEST

void
add_tests(TCase *cases)
{
    add_rows(cases, a_status_says_that_a_job_has_ended, ends, kind, status);
    add_rows(cases, a_status_counts_pods, pods, kind, status);
    tcase_add_test(cases, a_status_is_read);
    tcase_add_test(cases, names_of_many_gangs_are_compared_alone);
    tcase_add_loop_test(cases, numbers_say_nothing_of_more_gangs_than_are_compared, 0, 2);
    add_items(cases, memory_can_run_out_at_every_allocation, several);
    add_rows(cases, the_name_of_an_object_tells_its_gang, rows, job, object);
    add_rows(cases, a_plan_decides_about_names, starts, job, own);
    add_rows(cases, a_name_may_be_of_another_gang_of_the_owner, certain, job, object);
}
