/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/jobs/job_kinds.h"

#include "unit/job_roles.h"
#include "unit/jobs.h"
#include "unit/kinds.h"
#include "unit/tree.h"

#define OWNED(version, kind, controller)                                                           \
    "{'apiVersion':'batch/v1','kind':'Job','metadata':{'name':'j','ownerReferences':[{"            \
    "'apiVersion':'" version "','kind':'" kind "','name':'o','uid':'u','controller':" controller   \
    "}]},'spec':{'completionMode':'Indexed','parallelism':2,'completions':2," JOB_TEMPLATE "}}"

static const struct {
    const char *text;
    bool is_part;
} owners[] = {
    {OWNED("jobset.x-k8s.io/v1alpha2", "JobSet", "true"), true},
    {OWNED("kubeflow.org/v2beta1", "MPIJob", "true"), true},
    {OWNED("ray.io/v1", "RayJob", "true"), true},
    {OWNED("ray.io/v1", "RayCluster", "true"), true},
    {OWNED("trainer.kubeflow.org/v1alpha1", "TrainJob", "true"), true},
    {OWNED("leaderworkerset.x-k8s.io/v1", "LeaderWorkerSet", "true"), true},
    {OWNED("v1", "Pod", "true"), true},
    /* these make Jobs that stand alone */
    {OWNED("batch/v1", "CronJob", "true"), false},
    {OWNED("workload.codeflare.dev/v1beta2", "AppWrapper", "true"), false},
    {OWNED("argoproj.io/v1alpha1", "Workflow", "true"), false},
    {OWNED("example.io/v1", "JobSet", "true"), false},
    {OWNED("jobset.x-k8s.io/v1alpha2", "JobSet", "false"), false},
};

START_TEST(the_parts_of_another_job_have_no_gang_of_their_own)
{
    struct job_case opened;

    job_open_good(&opened, owners[_i].text);
    ck_assert_int_eq(opened.job->why_no_gang != NULL, owners[_i].is_part);
    job_close(&opened);
}
END_TEST

static const struct {
    const char *text;
    int64_t number;
} numbers[] = {
    {"{\"n\":3}", 3},
    {"{}", 7},
    {"{\"n\":null}", 7},
    {"{\"n\":\"3\"}", 7},
    {"{\"n\":2147483647}", INT32_MAX},
    {"{\"n\":2147483648}", INT32_MAX},
    {"{\"n\":9223372036854775807}", INT32_MAX},
    {"{\"n\":-9223372036854775808}", INT32_MIN},
};

START_TEST(a_number_beyond_int32_is_the_nearest_one)
{
    struct arena *arena = arena_new(0);
    const struct node *map = tree_of(arena, numbers[_i].text);

    ck_assert_int_eq(job_field_number(map, SLICE("n"), 7), numbers[_i].number);
    arena_free(arena);
}
END_TEST

#define LAUNCHER "'Launcher':{'replicas':1," PODS_OF("l", "") "}"
#define JOB_WITH(policy)                                                                           \
    "{'apiVersion':'kubeflow.org/v2beta1','kind':'MPIJob','metadata':{'name':'j'},"                \
    "'spec':{'runPolicy':{" policy "},'mpiReplicaSpecs':{" LAUNCHER "}}}"
#define ROLES "'roles':[{'name':'launcher','count':1,'requests':{}}]"

/* Source: kubeflow/mpi-operator:pkg/apis/kubeflow/v2beta1/types.go@v0.8.2 */
static const struct job_translation policies[] = {
    {JOB_WITH(""), ROLES, "OperatorGangOption spec"},
    {JOB_WITH("'suspend':true"), "'suspend':true," ROLES, "OperatorGangOption spec"},
    {JOB_WITH("'suspend':false"), ROLES, "OperatorGangOption spec"},
    {JOB_WITH("'managedBy':'kubeflow.org/mpi-operator'"), ROLES, "OperatorGangOption spec"},
    {JOB_WITH("'managedBy':'kueue.x-k8s.io/multikueue','schedulingPolicy':{'queue':'q'}"),
     "'managedElsewhere':true," ROLES, ""},
    /* kubeflow/mpi-operator:pkg/apis/kubeflow/validation/validation.go@v0.8.2 validManagedBy */
    {JOB_WITH("'managedBy':''"), NULL, "UnsupportedValue spec.runPolicy.managedBy"},
    {JOB_WITH("'managedBy':'x'"), NULL, "UnsupportedValue spec.runPolicy.managedBy"},
    {JOB_WITH("'managedBy':5"), NULL,
     "OperatorGangOption spec, WrongType spec.runPolicy.managedBy"},
    {JOB_WITH("'schedulingPolicy':{'queue':'q','priorityClass':'high','scheduleTimeoutSeconds':60,"
              "'minAvailable':1}"),
     "'queue':'q','priorityClassName':'high','scheduleTimeoutSeconds':60,'minimum':1," ROLES,
     "OperatorGangOption spec.runPolicy.schedulingPolicy"},
    {JOB_WITH("'schedulingPolicy':{'queue':'','priorityClass':''}"), ROLES,
     "OperatorGangOption spec.runPolicy.schedulingPolicy"},
    {JOB_WITH("'schedulingPolicy':{'minResources':{'cpu':'1'}}"), ROLES,
     "MinResourcesComputed spec.runPolicy.schedulingPolicy.minResources, "
     "OperatorGangOption spec.runPolicy.schedulingPolicy"},
    {JOB_WITH("'schedulingPolicy':{'minAvailable':0}"), NULL,
     "OperatorGangOption spec.runPolicy.schedulingPolicy, "
     "ValueOutOfRange spec.runPolicy.schedulingPolicy.minAvailable"},
    {JOB_WITH("'schedulingPolicy':{'minMember':1}"), ROLES,
     "UnknownField spec.runPolicy.schedulingPolicy.minMember, "
     "OperatorGangOption spec.runPolicy.schedulingPolicy"},
    /* fields inside the pods are checked, too */
    {"{'apiVersion':'kubeflow.org/v2beta1','kind':'MPIJob','metadata':{'name':'j'},'spec':{"
     "'mpiReplicaSpecs':{'Launcher':{'replicas':1,'template':{'spec':{'containers':[{'name':'l',"
     "'imagePullPolice':'Never'}]}}}}}}",
     ROLES,
     "UnknownField spec.mpiReplicaSpecs.Launcher.template.spec.containers[0].imagePullPolice, "
     "OperatorGangOption spec"},
};

START_TEST(wishes)
{
    job_check_translation(&policies[_i]);
}
END_TEST

START_TEST(the_option_of_the_operator_is_named)
{
    job_check_message(JOB_WITH(""), "OperatorGangOption",
                      "mpi-operator must run without --gang-scheduling, with which it creates a "
                      "PodGroup of this job itself");
}
END_TEST

static const struct {
    const char *key;
    const char *type;
    bool is_found;
} types[] = {
    {"Worker", "Worker", true},   {"worker", "Worker", true},   {"WORKER", "Worker", true},
    {"Workers", "Worker", false}, {"Work\1r", "WorkEr", false}, {"PS", "Ps", true},
};

START_TEST(types_are_found_without_case)
{
    struct arena *arena = arena_new(0);
    struct builder map = build_map(arena);
    struct builder other = build_map_member(&map, SLICE("Evaluator"));
    struct builder one = build_map_member(&map, slice_from_text(types[_i].key));
    const struct node *found = replica_spec_find(map.node, slice_from_text(types[_i].type));

    ck_assert_ptr_nonnull(other.node);
    if (types[_i].is_found)
        ck_assert_ptr_eq(found, one.node);
    else
        ck_assert_ptr_null(found);
    arena_free(arena);
}
END_TEST

START_TEST(an_exact_type_has_precedence)
{
    struct arena *arena = arena_new(0);
    struct builder map = build_map(arena);
    struct builder other = build_map_member(&map, SLICE("worker"));
    struct builder exact = build_map_member(&map, SLICE("Worker"));

    ck_assert_ptr_nonnull(other.node);
    ck_assert_ptr_eq(replica_spec_find(map.node, SLICE("Worker")), exact.node);
    arena_free(arena);
}
END_TEST

/* A pod template, containers that are added to it, and what it requests then. */
struct added_case {
    const char *spec;
    struct {
        bool is_init;
        const char *cpu; /* NULL: not added */
        const char *memory;
    } added[2];
    const char *expected; /* NULL: the sum is beyond a quantity */
};

#define ADDED_POD(containers) "'containers':[" containers "]"
#define ADDED_WITH(amounts) "{'name':'a','resources':{'requests':{" amounts "}}}"
#define ADDED_ONE(amounts) ADDED_POD(ADDED_WITH(amounts))
#define ADDED_MOST ADDED_WITH("'cpu':'9223372036854775807'")

static const struct added_case added_cases[] = {
    {ADDED_ONE("'cpu':'1'"), {{false, "500m", "1Gi"}}, "cpu 1500m, memory 1Gi"},
    {ADDED_ONE("'cpu':'1'"),
     {{false, "500m", "1Gi"}, {false, "1", "1Gi"}},
     "cpu 2500m, memory 2Gi"},
    {ADDED_ONE("'cpu':'1','memory':'1Gi'"), {{true, "500m", "1Gi"}}, "cpu 1, memory 1Gi"},
    {ADDED_ONE("'cpu':'1'"), {{true, "3", "1Gi"}}, "cpu 3, memory 1Gi"},
    {ADDED_ONE("'cpu':'4','memory':'4Gi'"),
     {{true, "1", "1Gi"}, {true, "5", "5Gi"}},
     "cpu 5, memory 5Gi"},
    {ADDED_ONE("'cpu':'4','memory':'4Gi'"),
     {{true, "1", "1Gi"}, {false, "1", "1Gi"}},
     "cpu 5, memory 5Gi"},
    {"", {{true, "3", "1Gi"}}, "cpu 3, memory 1Gi"},
    /* the template's init container is the peak, so there is room beside the container */
    {ADDED_ONE("'cpu':'1'") ",'initContainers':[{'name':'i','resources':{'requests':{'cpu':'4',"
                            "'memory':'9Gi'}}}]",
     {{false, "2", "1Gi"}},
     "cpu 4, memory 9Gi"},
    /* a sidecar runs beside the init containers, and the overhead is added to all of them */
    {ADDED_ONE("'cpu':'1','memory':'1Gi'") ",'initContainers':[{'name':'s','restartPolicy':"
                                           "'Always','resources':{'requests':{'cpu':'1'}}}]",
     {{true, "2", "1Gi"}},
     "cpu 3, memory 1Gi"},
    {ADDED_ONE("'cpu':'2','memory':'1Gi'") ",'overhead':{'cpu':'1'}",
     {{true, "3", "1Gi"}},
     "cpu 4, memory 1Gi"},
    /* a limit of the pod stands only for requests that no container has */
    {ADDED_ONE("'memory':'1Gi'") ",'resources':{'limits':{'cpu':'4'}}",
     {{true, "1", "1Gi"}},
     "cpu 1, memory 1Gi"},
    /* the pod's own amounts are for all containers together */
    {ADDED_ONE("'cpu':'1'") ",'resources':{'requests':{'cpu':'4','memory':'9Gi'}}",
     {{false, "2", "1Gi"}},
     "cpu 4, memory 9Gi"},
    {ADDED_POD(ADDED_MOST "," ADDED_MOST), {{false, "1", "1Gi"}}, NULL},
    {ADDED_POD(ADDED_MOST), {{false, "1", "1Gi"}}, NULL},
};

static const struct node *
added_amounts(const char *cpu, const char *memory, struct arena *arena)
{
    struct builder resources = build_map(arena);
    struct builder requests = build_map_member(&resources, SLICE("requests"));

    build_string(&requests, SLICE("cpu"), slice_from_text(cpu));
    build_string(&requests, SLICE("memory"), slice_from_text(memory));
    return resources.node;
}

START_TEST(containers_raise_the_requests)
{
    const struct added_case *one = &added_cases[_i];
    char text[DOCUMENT_SIZE];
    struct job_case opened;
    struct added_container added[2];
    struct job_source source;
    struct resource_list sum;
    struct report report;
    struct role role;
    size_t count = 0;

    snprintf(text, sizeof(text), GANG_JOB(JOB_ROLES(JOB_ROLE("a", ",'template':{'spec':{%s}}"))),
             one->spec);
    job_open_good(&opened, text);
    report_init(&report, opened.document->arena, context_limits(NULL));
    source = (struct job_source){
        .arena = opened.document->arena, .limits = context_limits(NULL), .report = &report};
    for (; count < COUNT_OF(added) && one->added[count].cpu; count++)
        added[count] = (struct added_container){
            one->added[count].is_init,
            added_amounts(one->added[count].cpu, one->added[count].memory, source.arena), NULL};
    role = (struct role){.pod_template = opened.job->roles[0].pod_template};
    added_containers(&role, added, count, &source);
    ck_assert_int_eq(
        gang_job_sum_requests(&role, role.resources, POD_REQUESTS_EFFECTIVE, source.arena, &sum),
        one->expected != NULL);
    if (one->expected)
        ck_assert_str_eq(resource_list_in_words(&sum, source.arena), one->expected);
    job_close(&opened);
}
END_TEST

/* As the API server does: a missing request takes the limit. */
START_TEST(a_limit_of_an_init_container_is_its_request)
{
    struct job_case opened;
    struct job_source source;
    struct resource_list sum;
    struct report report;
    struct builder resources;
    struct builder limits;
    struct added_container added = {.is_init = true};
    struct role role;

    job_open_good(
        &opened,
        GANG_JOB(JOB_ROLES(JOB_ROLE("a", ",'template':{'spec':{" ADDED_ONE("'cpu':'1'") "}}"))));
    report_init(&report, opened.document->arena, context_limits(NULL));
    source = (struct job_source){
        .arena = opened.document->arena, .limits = context_limits(NULL), .report = &report};
    resources = build_map(source.arena);
    limits = build_map_member(&resources, SLICE("limits"));
    build_string(&limits, SLICE("cpu"), SLICE("3"));
    added.resources = resources.node;
    role = (struct role){.pod_template = opened.job->roles[0].pod_template};
    added_containers(&role, &added, 1, &source);
    ck_assert(
        gang_job_sum_requests(&role, role.resources, POD_REQUESTS_EFFECTIVE, source.arena, &sum));
    ck_assert_str_eq(resource_list_in_words(&sum, source.arena), "cpu 3");
    job_close(&opened);
}
END_TEST

void
add_tests(TCase *cases)
{
    add_rows(cases, a_number_beyond_int32_is_the_nearest_one, numbers, text);
    add_rows(cases, the_parts_of_another_job_have_no_gang_of_their_own, owners, text);
    add_rows(cases, wishes, policies, text);
    tcase_add_test(cases, the_option_of_the_operator_is_named);
    add_rows(cases, types_are_found_without_case, types, key);
    tcase_add_test(cases, an_exact_type_has_precedence);
    add_rows(cases, containers_raise_the_requests, added_cases, spec);
    tcase_add_test(cases, a_limit_of_an_init_container_is_its_request);
}
