/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Thousands of random role graphs through the library and through the start-order checker. Each
 * plan must run to completion, and its stages, waves, members and minimum must equal the
 * definitions. Prints TAP.
 */
#include <gang/gang.h>
#include <json-c/json.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "graph.h"
#include "replay.h"
#include "workload_shape.h"
#include "support/resolve.h"

enum { DOCUMENT_SIZE = 32768, STANDARD_CASES = 12000, MOST_COMPLAINTS = 5 };

struct tally {
    size_t gangs;
    size_t refused;
    size_t late;    /* plans with late members */
    size_t outside; /* plans with roles outside */
    size_t failures;
    size_t stuck; /* of the operator's own rules, where sticking is expected */
};

static int tests_run;
static int tests_failed;

static void
tap(bool passed, const char *name)
{
    tests_run++;
    tests_failed += !passed;
    printf("%sok %d - %s\n", passed ? "" : "not ", tests_run, name);
}

/* The library at work. */

static struct json_object *
serialize(struct gang_plan *plan)
{
    struct gang_blob *blob = NULL;
    struct json_object *json = NULL;

    if (gang_plan_serialize(NULL, plan, GANG_TARGET_PLAN, GANG_FORMAT_JSON, 0, &blob, NULL) ==
        GANG_OK)
        json = json_tokener_parse(gang_blob_get_data(blob, NULL));
    gang_blob_unref(blob);
    return json;
}

/* Of the first few cases; when something is broken, everything is. */
static void
print_error(struct gang_error *error)
{
    static size_t printed;

    for (size_t i = 0; printed < MOST_COMPLAINTS && i < gang_error_num_diagnostics(error); i++) {
        const struct gang_diagnostic *diagnostic = gang_error_get_diagnostic(error, i);

        printf("#   %s %s: %s\n", gang_diagnostic_get_id(diagnostic),
               gang_diagnostic_get_path(diagnostic), gang_diagnostic_get_message(diagnostic));
    }
    printed++;
    gang_error_free(error);
}

/* Facts of a cluster as JSON; NULL without any. */
static struct gang_document *
cluster_of(const char *text)
{
    struct gang_document *cluster = NULL;
    struct gang_error *error = NULL;

    if (text && gang_document_parse(NULL, text, strlen(text), 0, &cluster, &error))
        print_error(error);
    return cluster;
}

/*
 * The plan of two documents, also of a refused job; NULL, with the errors printed, when one cannot
 * be read.
 */
static struct json_object *
plan_in_cluster(const char *runtime_text, const char *trainjob_text, const char *policy_text,
                const char *cluster_text)
{
    struct gang_document *cluster = cluster_of(cluster_text);
    struct gang_document *runtime = NULL;
    struct gang_document *trainjob = NULL;
    struct gang_document *policy = NULL;
    struct gang_decision *decision = NULL;
    struct gang_plan *plan = NULL;
    struct gang_error *error = NULL;
    struct json_object *json = NULL;

    if (gang_document_parse(NULL, runtime_text, strlen(runtime_text), GANG_PARSE_STRICT, &runtime,
                            &error) ||
        gang_document_parse(NULL, trainjob_text, strlen(trainjob_text), GANG_PARSE_STRICT,
                            &trainjob, &error) ||
        (policy_text &&
         gang_document_parse(NULL, policy_text, strlen(policy_text), 0, &policy, &error))) {
        print_error(error);
    } else {
        if (resolve_job(NULL, trainjob, (struct gang_document *[]){runtime, policy, cluster}, 3, 0,
                        &decision, &error))
            gang_error_free(error);
        if (decision && gang_render(NULL, decision, 0, &plan, NULL) == GANG_OK)
            json = serialize(plan);
    }
    gang_plan_unref(plan);
    gang_decision_unref(decision);
    gang_document_unref(cluster);
    gang_document_unref(policy);
    gang_document_unref(trainjob);
    gang_document_unref(runtime);
    return json;
}

static struct json_object *
plan_of(const char *runtime_text, const char *trainjob_text, const char *policy_text)
{
    return plan_in_cluster(runtime_text, trainjob_text, policy_text, NULL);
}

/* Compares the plan with the definitions. */

static const char *
text_member(struct json_object *object, const char *key)
{
    struct json_object *value = json_object_object_get(object, key);

    return value ? json_object_get_string(value) : "";
}

static long long
int_member(struct json_object *object, const char *key)
{
    return json_object_get_int64(json_object_object_get(object, key));
}

static const char *
expected_membership(const struct graph_role *role)
{
    return !role->is_member ? "Outside" : role->wave ? "LateMember" : "Member";
}

static bool
edges_agree(const struct graph *graph, const struct graph_role *role, struct json_object *edges)
{
    if (json_object_array_length(edges) != role->num_edges)
        return false;
    for (size_t i = 0; i < role->num_edges; i++) {
        struct json_object *edge = json_object_array_get_idx(edges, i);

        if (strcmp(text_member(edge, "role"), graph->roles[role->edges[i].target].name) != 0 ||
            strcmp(text_member(edge, "status"),
                   role->edges[i].is_complete ? "Complete" : "Ready") != 0)
            return false;
    }
    return true;
}

/* One pod of each Job first. The operator sets the replicas of the roles that it knows to one. */
static long long
expected_first_count(const struct graph *graph, size_t index, long long count)
{
    const struct graph_role *role = &graph->roles[index];
    long long jobs = role->label == LABEL_NONE && role->replicas ? role->replicas : 1;

    return graph_is_staggered(graph, index) && count > jobs ? jobs : 0;
}

static bool
role_agrees(const struct graph *graph, const struct graph_role *role, struct json_object *said)
{
    return strcmp(text_member(said, "name"), role->name) == 0 &&
           strcmp(text_member(said, "ancestor"), graph_label_text(role->label)) == 0 &&
           strcmp(text_member(said, "membership"), expected_membership(role)) == 0 &&
           int_member(said, "stage") == role->stage && int_member(said, "wave") == role->wave &&
           edges_agree(graph, role, json_object_object_get(said, "dependsOn"));
}

static const char *
plain_text(struct json_object *plan)
{
    return json_object_to_json_string_ext(plan,
                                          JSON_C_TO_STRING_PLAIN | JSON_C_TO_STRING_NOSLASHESCAPE);
}

struct sums {
    long long minimum;
    long long members;
    long long late;
    long long pods;
};

static void
add_to_sums(struct sums *sums, const struct graph_role *role, long long count, long long first)
{
    sums->pods += count;
    if (!role->is_member)
        return;
    sums->members += count;
    if (role->wave)
        first = 0;
    else if (!first)
        first = count;
    sums->late += count - first;
    sums->minimum += first;
}

static bool
plan_agrees(const struct graph *graph, struct json_object *plan)
{
    struct json_object *roles = json_object_object_get(plan, "roles");
    struct json_object *gang = json_object_object_get(plan, "gang");
    struct sums sums = {0};

    if (json_object_array_length(roles) != graph->num_roles)
        return false;
    for (size_t i = 0; i < graph->num_roles; i++) {
        struct json_object *said = json_object_array_get_idx(roles, i);
        long long count;

        if (!role_agrees(graph, &graph->roles[i], said))
            return false;
        count = int_member(said, "count");
        if (int_member(said, "firstCount") != expected_first_count(graph, i, count))
            return false;
        add_to_sums(&sums, &graph->roles[i], count, int_member(said, "firstCount"));
    }
    return int_member(gang, "minimum") == sums.minimum &&
           int_member(gang, "members") == sums.members &&
           int_member(gang, "lateMembers") == sums.late && int_member(gang, "pods") == sums.pods &&
           sums.minimum > 0;
}

/* Every role uses the gang's scheduler, labelled or not. */
static bool
schedulers_agree(struct json_object *plan)
{
    struct json_object *patches = json_object_object_get(plan, "patches");
    const char *expected = text_member(json_object_object_get(plan, "backend"), "schedulerName");

    if (json_object_array_length(patches) !=
        json_object_array_length(json_object_object_get(plan, "roles")))
        return false;
    for (size_t i = 0; i < json_object_array_length(patches); i++) {
        struct json_object *patch = json_object_array_get_idx(patches, i);

        if (strcmp(text_member(json_object_object_get(patch, "spec"), "schedulerName"), expected) !=
            0)
            return false;
    }
    return true;
}

static const char *
judge(const struct graph *graph, struct json_object *plan, char *story, size_t size,
      struct tally *tally)
{
    bool must_refuse = graph->is_ambiguous || graph->is_empty;
    enum replay_verdict verdict;

    if (!plan)
        return "no plan";
    verdict = replay_plan(plan, story, size);
    tally->refused += verdict == REPLAY_NO_GANG;
    tally->gangs += verdict == REPLAY_COMPLETE;
    if (must_refuse)
        return strcmp(text_member(plan, "outcome"), "Invalid") == 0
                   ? NULL
                   : "a gang that cannot be was not refused";
    if (verdict == REPLAY_NO_GANG)
        return "refused without a reason";
    if (verdict != REPLAY_COMPLETE)
        return "stuck or unreadable";
    if (!plan_agrees(graph, plan))
        return "roles or sums are not as defined";
    tally->late += int_member(json_object_object_get(plan, "gang"), "lateMembers") > 0;
    tally->outside += strstr(plain_text(plan), "\"Outside\"") != NULL;
    return NULL;
}

static char runtime_text[DOCUMENT_SIZE];
static char trainjob_text[DOCUMENT_SIZE];

static void
check_graph(struct random *random, size_t number, struct tally *tally)
{
    char story[4096] = "";
    struct graph graph;
    struct json_object *plan;
    const char *fault;

    graph_make(&graph, random);
    graph_write_runtime(&graph, runtime_text, sizeof(runtime_text));
    graph_write_trainjob(&graph, trainjob_text, sizeof(trainjob_text));
    plan = plan_of(runtime_text, trainjob_text, NULL);
    fault = judge(&graph, plan, story, sizeof(story), tally);
    if (!fault && strcmp(text_member(plan, "outcome"), "Gang") == 0 && !schedulers_agree(plan))
        fault = "a role goes to another scheduler";
    if (fault && tally->failures++ < MOST_COMPLAINTS)
        printf("# case %zu: %s: %s\n# runtime %s\n# trainjob %s\n# plan %s\n", number, fault, story,
               runtime_text, trainjob_text, plan ? plain_text(plan) : "none");
    json_object_put(plan);
}

static void
check_generated(size_t cases)
{
    struct random random = {.state = 3};
    struct tally tally = {0};
    char name[200];

    for (size_t i = 0; i < cases; i++)
        check_graph(&random, i, &tally);
    snprintf(name, sizeof(name), "%zu generated graphs: %zu gangs complete, %zu refused", cases,
             tally.gangs, tally.refused);
    tap(tally.failures == 0, name);
    /* a run in which hardly anything happens proves nothing */
    tap(tally.gangs > cases / 2 && tally.late > cases / 20 && tally.outside > cases / 20 &&
            tally.refused > 0,
        "the graphs hold late members, roles outside and refusals in numbers");
    printf("# with late members %zu, with roles outside %zu\n", tally.late, tally.outside);
}

/* Kubernetes' own gangs, whose version decides the place of the minimum. */

#define CLUSTER_OF(version, resources, field)                                                      \
    "{\"apiVersion\":\"policy.libgang.dev/"                                                        \
    "v1alpha1\",\"kind\":\"GangCluster\",\"metadata\":{\"name\":\"lab\"},"                         \
    "\"spec\":{\"servedVersions\":[{\"groupVersion\":\"scheduling.k8s.io/" version                 \
    "\",\"resources\":[" resources "]}],\"podTemplateFields\":[\"" field                           \
    "\"],\"featureGates\":{\"GenericWorkload\":true,"                                              \
    "\"GangScheduling\":true}}}"

static const char *const workload_clusters[] = {
    CLUSTER_OF("v1alpha1", "\"workloads\"", "workloadRef"),
    CLUSTER_OF("v1alpha2", "\"workloads\",\"podgroups\"", "schedulingGroup"),
    CLUSTER_OF("v1alpha3", "\"workloads\",\"podgroups\",\"compositepodgroups\"", "schedulingGroup"),
    CLUSTER_OF("v1beta1", "\"workloads\",\"podgroups\"", "schedulingGroup"),
};
enum { CLUSTER_COUNT = sizeof(workload_clusters) / sizeof(*workload_clusters) };

#define POLICY_OF(options)                                                                         \
    "{\"apiVersion\":\"policy.libgang.dev/"                                                        \
    "v1alpha1\",\"kind\":\"GangPolicy\",\"metadata\":{\"name\":\"lab\"},"                          \
    "\"spec\":{\"backends\":[{\"name\":\"was\",\"type\":\"Workload\",\"workload\":{" options       \
    "}}]}}"

/* Members and late members carry the mark, and no other role does. */
static bool
marks_agree(const struct graph *graph, struct json_object *plan)
{
    struct json_object *patches = json_object_object_get(plan, "patches");
    size_t marked = 0;
    size_t members = 0;

    for (size_t i = 0; i < json_object_array_length(patches); i++) {
        struct json_object *spec =
            json_object_object_get(json_object_array_get_idx(patches, i), "spec");

        marked += json_object_object_get(spec, "schedulingGroup") ||
                  json_object_object_get(spec, "workloadRef");
    }
    for (size_t i = 0; i < graph->num_roles; i++)
        members += graph->roles[i].is_member;
    return marked == members && marked == json_object_array_length(patches);
}

static void
complain_of_graph(const char *fault, const char *story, size_t number, struct json_object *plan)
{
    printf("# case %zu: %s: %s\n# runtime %s\n# trainjob %s\n# plan %s\n", number, fault, story,
           runtime_text, trainjob_text, plan ? plain_text(plan) : "none");
}

/*
 * The same job for another version, each pair in turn, and for the same one again; now and then, as
 * the work is done twice.
 */
enum { GRAPHS_BETWEEN_VERSIONS = 5 };

static const char *
fault_in_another_version(size_t number, struct json_object *plan)
{
    size_t turn = number / GRAPHS_BETWEEN_VERSIONS / CLUSTER_COUNT;
    struct json_object *other;
    const char *fault;

    if (number % GRAPHS_BETWEEN_VERSIONS)
        return NULL;
    other = plan_in_cluster(runtime_text, trainjob_text, NULL,
                            workload_clusters[(number + turn) % CLUSTER_COUNT]);
    fault = workload_version_fault(plan, other);
    json_object_put(other);
    return fault;
}

static void
check_workload_graph(struct random *random, size_t number, struct tally *tally)
{
    char story[4096] = "";
    struct graph graph;
    struct json_object *plan;
    const char *fault;

    graph_make(&graph, random);
    graph.gang_policy = "workload";
    graph_write_runtime(&graph, runtime_text, sizeof(runtime_text));
    graph_write_trainjob(&graph, trainjob_text, sizeof(trainjob_text));
    plan = plan_in_cluster(runtime_text, trainjob_text, NULL,
                           workload_clusters[number % CLUSTER_COUNT]);
    fault = judge(&graph, plan, story, sizeof(story), tally);
    if (!fault && strcmp(text_member(plan, "outcome"), "Gang") == 0 && !marks_agree(&graph, plan))
        fault = "others than the members are marked";
    if (!fault)
        fault = workload_shape_fault(plan);
    if (!fault)
        fault = fault_in_another_version(number, plan);
    if (fault && tally->failures++ < MOST_COMPLAINTS)
        complain_of_graph(fault, story, number, plan);
    json_object_put(plan);
}

static void
check_workloads(size_t cases)
{
    struct random random = {.state = 5};
    struct tally tally = {0};
    char name[200];

    for (size_t i = 0; i < cases; i++)
        check_workload_graph(&random, i, &tally);
    snprintf(name, sizeof(name),
             "%zu generated graphs for the Workload API: %zu gangs complete, %zu refused", cases,
             tally.gangs, tally.refused);
    tap(tally.failures == 0 && tally.gangs > cases / 2 && tally.late > cases / 20, name);
}

static bool
is_marked(struct json_object *patches, const char *role)
{
    for (size_t i = 0; i < json_object_array_length(patches); i++) {
        struct json_object *patch = json_object_array_get_idx(patches, i);
        struct json_object *spec = json_object_object_get(patch, "spec");

        if (strcmp(text_member(patch, "role"), role) == 0)
            return json_object_object_get(spec, "schedulingGroup") ||
                   json_object_object_get(spec, "workloadRef");
    }
    return false;
}

/* What the plan counts as the gang's has its mark; a role outside may have that of a group of its
 * own. */
static const char *
fault_of_members(struct json_object *plan)
{
    struct json_object *roles = json_object_object_get(plan, "roles");
    long long members = 0;

    for (size_t i = 0; i < json_object_array_length(roles); i++) {
        struct json_object *role = json_object_array_get_idx(roles, i);

        if (strcmp(text_member(role, "membership"), "Outside") == 0)
            continue;
        members += int_member(role, "count");
        if (!is_marked(json_object_object_get(plan, "patches"), text_member(role, "name")))
            return "a member without a mark";
    }
    return members == int_member(json_object_object_get(plan, "gang"), "members")
               ? NULL
               : "the gang has other members than the roles";
}

static const char *
fault_of_divided(struct json_object *plan, enum replay_verdict verdict)
{
    if (verdict == REPLAY_STUCK || verdict == REPLAY_UNREADABLE || workload_shape_fault(plan))
        return "stuck, unreadable or misshapen";
    return verdict == REPLAY_NO_GANG ? NULL : fault_of_members(plan);
}

/*
 * Roles divided at random by spec.scheduling. Some divisions block each other forever and must be
 * refused; rendered plans must run to completion.
 */
static void
check_divided_graph(struct random *random, size_t number, struct tally *tally)
{
    char story[4096] = "";
    struct graph graph;
    struct json_object *plan;
    enum replay_verdict verdict;
    const char *policy = number % 2 ? POLICY_OF("\"lateMembers\":\"Exclude\"") : NULL;
    const char *fault;

    graph_make(&graph, random);
    graph_divide(&graph, random);
    graph_write_runtime(&graph, runtime_text, sizeof(runtime_text));
    graph_write_trainjob(&graph, trainjob_text, sizeof(trainjob_text));
    plan = plan_in_cluster(runtime_text, trainjob_text, policy,
                           workload_clusters[number / 2 % CLUSTER_COUNT]);
    verdict = plan ? replay_plan(plan, story, sizeof(story)) : REPLAY_UNREADABLE;
    tally->gangs += verdict == REPLAY_COMPLETE;
    tally->refused += verdict == REPLAY_NO_GANG;
    tally->stuck += plan && strstr(plain_text(plan), "\"StructuralDeadlock\"") != NULL;
    fault = fault_of_divided(plan, verdict);
    if (fault && tally->failures++ < MOST_COMPLAINTS)
        complain_of_graph(fault, story, number, plan);
    json_object_put(plan);
}

static void
check_divided(size_t cases)
{
    struct random random = {.state = 7};
    struct tally tally = {0};
    char name[200];

    for (size_t i = 0; i < cases; i++)
        check_divided_graph(&random, i, &tally);
    snprintf(
        name, sizeof(name),
        "%zu graphs divided at random: %zu complete, %zu refused, of them %zu held by each other",
        cases, tally.gangs, tally.refused, tally.stuck);
    tap(tally.failures == 0 && tally.gangs > cases / 5 && tally.stuck > 0, name);
}

/* Each option that divides the job or changes who is marked. */
static const char *const workload_policies[] = {
    POLICY_OF("\"lateMembers\":\"Exclude\""),
    POLICY_OF("\"lateMembers\":\"Error\""),
    POLICY_OF("\"groups\":\"Role\""),
    POLICY_OF("\"groups\":\"Role\",\"composite\":\"WhereServed\""),
    POLICY_OF("\"initializers\":\"Basic\""),
    POLICY_OF(
        "\"initializers\":\"Basic\",\"groups\":\"Role\",\"lateMembers\":\"Exclude\",\"composite\":"
        "\"WhereServed\""),
};
enum { POLICY_COUNT = sizeof(workload_policies) / sizeof(*workload_policies) };

/* v1alpha1 has no group for initializers, so those policies meet the other three versions. */
static const char *
cluster_for_policy(size_t number)
{
    bool groups_initializers = number % POLICY_COUNT >= 4;
    size_t cluster = number / POLICY_COUNT % CLUSTER_COUNT;

    return workload_clusters[groups_initializers && !cluster ? CLUSTER_COUNT - 1 : cluster];
}

static void
check_graph_with_options(struct random *random, size_t number, struct tally *tally)
{
    char story[4096] = "";
    struct graph graph;
    struct json_object *plan;
    enum replay_verdict verdict;
    const char *fault;

    graph_make(&graph, random);
    graph.gang_policy = "workload";
    graph_write_runtime(&graph, runtime_text, sizeof(runtime_text));
    graph_write_trainjob(&graph, trainjob_text, sizeof(trainjob_text));
    plan = plan_in_cluster(runtime_text, trainjob_text, workload_policies[number % POLICY_COUNT],
                           cluster_for_policy(number));
    verdict = plan ? replay_plan(plan, story, sizeof(story)) : REPLAY_UNREADABLE;
    tally->gangs += verdict == REPLAY_COMPLETE;
    tally->refused += verdict == REPLAY_NO_GANG;
    tally->late += plan && strstr(plain_text(plan), "\"LateMembersRefused\"") != NULL;
    tally->outside += plan && strstr(plain_text(plan), "\"CompositePodGroup\"") != NULL;
    fault = fault_of_divided(plan, verdict);
    if (fault && tally->failures++ < MOST_COMPLAINTS)
        complain_of_graph(fault, story, number, plan);
    json_object_put(plan);
}

static void
check_options(size_t cases)
{
    struct random random = {.state = 11};
    struct tally tally = {0};
    char name[200];

    for (size_t i = 0; i < cases; i++)
        check_graph_with_options(&random, i, &tally);
    snprintf(name, sizeof(name),
             "%zu graphs under every option: %zu complete, %zu refused; composites %zu", cases,
             tally.gangs, tally.refused, tally.outside);
    tap(tally.failures == 0 && tally.gangs > cases / 2 && tally.late > 0 && tally.outside > 0,
        name);
}

/* GangJobs: elastic roles, units, pods in two waves, declared members and Scheduled edges. */

static const char *const gang_job_backends[] = {"coscheduling", "volcano", "kai", "yunikorn"};

static struct json_object *
plan_of_gang_job(const char *text)
{
    struct gang_document *job = NULL;
    struct gang_decision *decision = NULL;
    struct gang_plan *plan = NULL;
    struct gang_error *error = NULL;
    struct json_object *json = NULL;

    if (gang_document_parse(NULL, text, strlen(text), GANG_PARSE_STRICT, &job, &error) ||
        resolve_job(NULL, job, (struct gang_document *[]){NULL}, 0, 0, &decision, &error))
        print_error(error);
    else if (gang_render(NULL, decision, 0, &plan, NULL) == GANG_OK)
        json = serialize(plan);
    gang_plan_unref(plan);
    gang_decision_unref(decision);
    gang_document_unref(job);
    return json;
}

/* By the definitions: what must start and can exist, and what comes after that. */
static struct sums
gang_job_sums(const struct graph *graph)
{
    struct sums sums = {0};

    for (size_t i = 0; i < graph->num_roles; i++) {
        const struct graph_role *role = &graph->roles[i];
        bool is_staggered = role->first_count < role->min_count;

        sums.pods += role->count;
        if (!role->is_member)
            continue;
        sums.members += role->count;
        if (role->wave)
            sums.late += role->count;
        else
            sums.minimum += role->first_count;
        if (!role->wave && is_staggered)
            sums.late += role->count - role->first_count;
    }
    return sums;
}

static const char *
fault_of_gang_job(const struct graph *graph, struct json_object *plan, char *story, size_t size)
{
    struct sums sums = gang_job_sums(graph);
    struct json_object *gang;

    if (!plan || replay_plan(plan, story, size) != REPLAY_COMPLETE)
        return "no plan, or stuck";
    gang = json_object_object_get(plan, "gang");
    for (size_t i = 0; i < graph->num_roles; i++)
        if (strcmp(text_member(json_object_array_get_idx(json_object_object_get(plan, "roles"), i),
                               "membership"),
                   expected_membership(&graph->roles[i])) != 0)
            return "memberships are not as defined";
    return int_member(gang, "minimum") == sums.minimum &&
                   int_member(gang, "members") == sums.members &&
                   int_member(gang, "lateMembers") == sums.late &&
                   int_member(gang, "pods") == sums.pods
               ? NULL
               : "sums are not as defined";
}

static void
check_gang_job(struct random *random, size_t number, struct tally *tally)
{
    char story[4096] = "";
    struct graph graph;
    struct json_object *plan;
    const char *fault;

    graph_make_gang_job(&graph, random);
    graph_write_gang_job(&graph, gang_job_backends[number % 4], runtime_text, sizeof(runtime_text));
    plan = plan_of_gang_job(runtime_text);
    fault = fault_of_gang_job(&graph, plan, story, sizeof(story));
    tally->gangs += !fault;
    tally->late += plan && strstr(plain_text(plan), "\"firstCount\"") != NULL;
    tally->outside += plan && strstr(plain_text(plan), "\"Scheduled\"") != NULL;
    if (fault && tally->failures++ < MOST_COMPLAINTS)
        printf("# case %zu: %s: %s\n# job %s\n# plan %s\n", number, fault, story, runtime_text,
               plan ? plain_text(plan) : "none");
    json_object_put(plan);
}

static void
check_gang_jobs(size_t cases)
{
    struct random random = {.state = 17};
    struct tally tally = {0};
    char name[200];

    for (size_t i = 0; i < cases; i++)
        check_gang_job(&random, i, &tally);
    snprintf(name, sizeof(name),
             "%zu generated GangJobs: %zu complete; with firstCount %zu, with Scheduled %zu", cases,
             tally.gangs, tally.late, tally.outside);
    tap(tally.failures == 0 && tally.late > cases / 5 && tally.outside > cases / 5, name);
}

static const char torchtune[] =
    "{\"apiVersion\":\"trainer.kubeflow.org/"
    "v1alpha1\",\"kind\":\"ClusterTrainingRuntime\",\"metadata\":{\"name\":"
    "\"random\"},\"spec\":{\"mlPolicy\":{\"numNodes\":4,\"torch\":{}},\"podGroupPolicy\":{"
    "\"volcano\":{}},"
    "\"template\":"
    "{\"spec\":{\"replicatedJobs\":["
    "{\"name\":\"dataset-initializer\",\"template\":{\"metadata\":{\"labels\":{"
    "\"trainer.kubeflow.org/"
    "trainjob-ancestor-step\":\"dataset-initializer\"}},\"spec\":{\"template\":{\"spec\":{"
    "\"containers\":[{\"name\":\"dataset-initializer\",\"image\":\"initializer:1\"}]}}}}},"
    "{\"name\":\"node\",\"dependsOn\":[{\"name\":\"dataset-initializer\",\"status\":\"Complete\"}],"
    "\"template\":{"
    "\"metadata\":{\"labels\":{\"trainer.kubeflow.org/"
    "trainjob-ancestor-step\":\"trainer\"}},\"spec\":{\"template\":{"
    "\"spec\":{\"containers\":[{\"name\":\"node\",\"image\":\"trainer:1\",\"resources\":{"
    "\"limits\":{"
    "\"nvidia.com/gpu\":2}}}]}}}}}]}}}}";

static const char small_job[] =
    "{\"apiVersion\":\"trainer.kubeflow.org/"
    "v1alpha1\",\"kind\":\"TrainJob\",\"metadata\":{\"name\":\"llama\"},"
    "\"spec\":{\"runtimeRef\":{\"name\":\"random\"}}}";

/* YuniKorn, whose pods alone describe the gang. */

#define SIMPLE_POLICY(spec)                                                                        \
    "{\"apiVersion\":\"policy.libgang.dev/v1alpha1\",\"kind\":\"GangPolicy\",\"metadata\":{"       \
    "\"name\":\"lab\"},\"spec\":{" spec "}}"

static const char *const reserve_policies[] = {
    NULL,
    SIMPLE_POLICY("\"defaults\":{\"reserve\":\"Never\"}"),
    SIMPLE_POLICY("\"defaults\":{\"reserve\":\"Always\"}"),
};

static void
check_graph_of(const char *backend, struct random *random, size_t number, struct tally *tally)
{
    char story[4096] = "";
    struct graph graph;
    struct json_object *plan;
    const char *fault;

    graph_make(&graph, random);
    graph.gang_policy = backend;
    graph_write_runtime(&graph, runtime_text, sizeof(runtime_text));
    graph_write_trainjob(&graph, trainjob_text, sizeof(trainjob_text));
    plan = plan_of(runtime_text, trainjob_text, reserve_policies[number % 3]);
    fault = judge(&graph, plan, story, sizeof(story), tally);
    if (!fault && strcmp(text_member(plan, "outcome"), "Gang") == 0 && !schedulers_agree(plan))
        fault = "a role goes to another scheduler";
    if (fault && tally->failures++ < MOST_COMPLAINTS)
        complain_of_graph(fault, story, number, plan);
    json_object_put(plan);
}

static void
check_graphs_of(const char *backend, size_t cases)
{
    struct random random = {.state = 13};
    struct tally tally = {0};
    char name[200];

    for (size_t i = 0; i < cases; i++)
        check_graph_of(backend, &random, i, &tally);
    snprintf(name, sizeof(name), "%zu generated graphs for %s: %zu gangs complete, %zu refused",
             cases, backend, tally.gangs, tally.refused);
    tap(tally.failures == 0 && tally.gangs > cases / 2 && tally.late > cases / 20 &&
            tally.outside > cases / 20,
        name);
}

/*
 * Plans with one fault, each of which a real scheduler did not start, or started in part. `find`
 * becomes `replace` in the plan of torchtune.
 */
struct plan_fault {
    const char *find;
    const char *replace;
};

static const struct plan_fault yunikorn_faults[] = {
    /* initializers in the application of the gang switch it off */
    {"-o\"", "\""},
    /* a group that is not defined, or none */
    {"\"yunikorn.apache.org/task-group-name\":\"node\"",
     "\"yunikorn.apache.org/task-group-name\":\"other\""},
    {"\"yunikorn.apache.org/task-group-name\"", "\"unknown\""},
    /* no gang without a minimum, or without minResource */
    {"\\\"minMember\\\":4", "\\\"minMember\\\":0"},
    {"\\\"minResource\\\"", "\\\"minResources\\\""},
    /* placeholders for more pods than come, and smaller ones */
    {"\\\"minMember\\\":4", "\\\"minMember\\\":5"},
    {"\\\"nvidia.com/gpu\\\":\\\"2\\\"", "\\\"nvidia.com/gpu\\\":\\\"1\\\""},
    {"\"spec\":{\"schedulerName\":\"yunikorn\"}", "\"spec\":{\"schedulerName\":\"other\"}"},
};

#define DATA_PATCH "\"role\":\"dataset-initializer\""
#define DATA_MARK ",\"metadata\":{\"labels\":{\"pod-group.scheduling.sigs.k8s.io\":\"llama\"}}"

static const struct plan_fault koordinator_faults[] = {
    /* pods beyond the minimum that exist, and a minimum above the pods */
    {"\"minMember\":4", "\"minMember\":3"},
    {"\"minMember\":4", "\"minMember\":5"},
    /* a label without its PodGroup */
    {"\"pod-group.scheduling.sigs.k8s.io\":\"llama\"",
     "\"pod-group.scheduling.sigs.k8s.io\":\"b\""},
    /* initializers with the label */
    {DATA_PATCH, DATA_PATCH DATA_MARK},
};

static bool
fault_is_seen(const char *plan_text, const struct plan_fault *fault)
{
    static char text[DOCUMENT_SIZE];
    char story[4096] = "";
    const char *at = strstr(plan_text, "\"patches\"");
    struct json_object *plan;
    bool stuck;

    at = at && strstr(at, fault->find) ? strstr(at, fault->find) : strstr(plan_text, fault->find);
    if (!at)
        return false;
    snprintf(text, sizeof(text), "%.*s%s%s", (int)(at - plan_text), plan_text, fault->replace,
             at + strlen(fault->find));
    plan = json_tokener_parse(text);
    stuck = plan && replay_plan(plan, story, sizeof(story)) == REPLAY_STUCK;
    if (!stuck)
        printf("# not seen: %s\n", fault->replace);
    json_object_put(plan);
    return stuck;
}

static bool
faults_are_seen(const char *policy, const struct plan_fault *faults, size_t count)
{
    char story[4096] = "";
    struct json_object *plan = plan_of(torchtune, small_job, policy);
    bool are_seen = plan && replay_plan(plan, story, sizeof(story)) == REPLAY_COMPLETE;

    for (size_t i = 0; are_seen && i < count; i++)
        are_seen = fault_is_seen(plain_text(plan), &faults[i]);
    json_object_put(plan);
    return are_seen;
}

static bool
yunikorn_faults_are_seen(void)
{
    return faults_are_seen(
        SIMPLE_POLICY("\"runtimePolicy\":\"Ignore\",\"defaultBackend\":\"yunikorn\""),
        yunikorn_faults, sizeof(yunikorn_faults) / sizeof(*yunikorn_faults));
}

static bool
koordinator_faults_are_seen(void)
{
    return faults_are_seen(
        SIMPLE_POLICY("\"runtimePolicy\":\"Ignore\",\"defaultBackend\":\"koordinator\""),
        koordinator_faults, sizeof(koordinator_faults) / sizeof(*koordinator_faults));
}

/* The checks of shape must be able to fail too: one object or mark of a good plan is replaced by a
 * text. */
static const struct {
    const char *path[4]; /* keys and, as digits, places in lists */
    const char *spoilt;
    const char *fault;
} misshapen[] = {
    {{"objects", "0", "object", "kind"}, "\"PodGroup\"", "the Workload is not the first object"},
    {{"objects", "0", "object", "spec"},
     "{\"podGroupTemplates\":[]}",
     "a Workload with no templates or too many"},
    {{"objects", "0", "object", "spec"},
     "{\"podGroupTemplates\":[{\"name\":\"other\"}]}",
     "a group refers to no template of its Workload"},
    {{"objects", "0", "object", "spec"},
     "{\"podGroupTemplates\":[{\"name\":\"trainer\"}]}",
     "a group says something else than its template"},
    {{"objects", "0", "object", "spec"},
     "{\"podGroups\":[{\"name\":\"trainer\"}]}",
     "not one object for each template"},
    {{"objects", "1", "object", "apiVersion"}, "\"v1\"", "objects of two versions"},
    {{"objects", "1", "object", "spec"},
     "{\"workloadRef\":{\"workloadName\":\"llama\",\"templateName\":\"trainer\"},"
     "\"schedulingPolicy\":{"
     "\"gang\":{\"minCount\":4}},\"parentCompositePodGroupName\":\"none\"}",
     "a group has not the composite as its parent"},
    {{"patches", "0", "spec", "schedulingGroup"},
     "{\"podGroupName\":\"other\"}",
     "a mark names no PodGroup that is rendered"},
    {{"patches", "0", "spec", "workloadRef"},
     "{\"name\":\"llama\",\"podGroup\":\"trainer\"}",
     "a mark names no group of the Workload"},
};

static void
spoil(struct json_object *plan, size_t index)
{
    struct json_object *at = plan;

    for (size_t i = 0; i + 1 < 4; i++) {
        const char *step = misshapen[index].path[i];

        at = *step >= '0' && *step <= '9' ? json_object_array_get_idx(at, strtoul(step, NULL, 10))
                                          : json_object_object_get(at, step);
    }
    json_object_object_add(at, misshapen[index].path[3],
                           json_tokener_parse(misshapen[index].spoilt));
}

static const char torch[] =
    "{\"apiVersion\":\"trainer.kubeflow.org/"
    "v1alpha1\",\"kind\":\"ClusterTrainingRuntime\",\"metadata\":{\"name\":\"random\"},"
    "\"spec\":{\"mlPolicy\":{\"numNodes\":4,\"torch\":{}},\"podGroupPolicy\":{\"workload\":{}},"
    "\"template\":{\"spec\":{\"replicatedJobs\":[{\"name\":\"node\",\"template\":{\"metadata\":{"
    "\"labels\":{\"trainer.kubeflow.org/"
    "trainjob-ancestor-step\":\"trainer\"}},\"spec\":{\"template\":{"
    "\"spec\":{\"containers\":[{\"name\":\"node\",\"image\":\"trainer:1\"}]}}}}}]}}}}";

static struct json_object *
plan_of_torch(size_t cluster)
{
    static const char trainjob[] =
        "{\"apiVersion\":\"trainer.kubeflow.org/"
        "v1alpha1\",\"kind\":\"TrainJob\",\"metadata\":{\"name\":\"llama\"},"
        "\"spec\":{\"runtimeRef\":{\"name\":\"random\"}}}";

    return plan_in_cluster(torch, trainjob, NULL, workload_clusters[cluster]);
}

static bool
is_fault(const char *fault, const char *wanted)
{
    bool same = fault && strcmp(fault, wanted) == 0;

    if (!same)
        printf("# not %s: %s\n", wanted, fault ? fault : "nothing");
    return same;
}

static bool
misshapen_plans_are_seen(void)
{
    bool seen = true;

    for (size_t i = 0; i < sizeof(misshapen) / sizeof(*misshapen); i++) {
        struct json_object *plan = plan_of_torch(CLUSTER_COUNT - 1);

        seen &= !workload_shape_fault(plan);
        spoil(plan, i);
        seen &= is_fault(workload_shape_fault(plan), misshapen[i].fault);
        json_object_put(plan);
    }
    return seen;
}

static struct json_object *
objects_of(struct json_object *plan)
{
    return json_object_object_get(plan, "objects");
}

/* The first patch of a plan has a value that no other plan has. */
static void
add_to_marks(struct json_object *plan)
{
    json_object_object_add(json_object_array_get_idx(json_object_object_get(plan, "patches"), 0),
                           "more", NULL);
}

static bool
versions_that_differ_are_seen(void)
{
    struct json_object *plans[] = {plan_of_torch(2), plan_of_torch(3), plan_of_torch(1),
                                   plan_of_torch(0)};
    bool seen = true;

    for (size_t i = 1; i < 4; i++)
        seen &= !workload_version_fault(plans[0], plans[i]);
    add_to_marks(plans[0]);
    seen &= is_fault(workload_version_fault(plans[0], plans[1]),
                     "v1alpha3 and v1beta1 differ in more than their names");
    seen &= is_fault(workload_version_fault(plans[0], plans[2]), "a version changes a mark");
    json_object_array_add(objects_of(plans[2]), json_object_new_object());
    seen &= is_fault(workload_version_fault(plans[2], plans[1]),
                     "a version changes how many objects there are");
    json_object_array_del_idx(objects_of(plans[2]), 0, 2);
    seen &= is_fault(workload_version_fault(plans[2], plans[1]), "a version changes a name");
    json_object_object_add(plans[2], "objects", json_object_new_array());
    seen &= is_fault(workload_version_fault(plans[1], plans[2]), "refused by one version alone");
    for (size_t i = 0; i < 4; i++)
        json_object_put(plans[i]);
    return seen;
}

/* The checker must be able to fail: what the operator does by itself. */

static const char compatibility_policy[] =
    "{\"apiVersion\":\"policy.libgang.dev/"
    "v1alpha1\",\"kind\":\"GangPolicy\",\"metadata\":{\"name\":\"upstream\"},"
    "\"spec\":{\"compatibility\":\"KubeflowTrainer\"}}";

static enum replay_verdict
verdict_of(const char *policy)
{
    char story[4096] = "";
    struct json_object *plan = plan_of(torchtune, small_job, policy);
    enum replay_verdict verdict =
        plan ? replay_plan(plan, story, sizeof(story)) : REPLAY_UNREADABLE;

    if (*story)
        printf("# %s\n", story);
    json_object_put(plan);
    return verdict;
}

/* Marking what is outside, without counting it, deadlocks just the same. */
static void
mark_every_role(struct json_object *plan)
{
    struct json_object *patches = json_object_object_get(plan, "patches");

    for (size_t i = 0; i < json_object_array_length(patches); i++) {
        struct json_object *metadata = json_object_new_object();
        struct json_object *annotations = json_object_new_object();

        json_object_object_add(annotations, "scheduling.k8s.io/group-name",
                               json_object_new_string("llama"));
        json_object_object_add(metadata, "annotations", annotations);
        json_object_object_add(json_object_array_get_idx(patches, i), "metadata", metadata);
    }
}

static bool
marked_plan_is_stuck(void)
{
    char story[4096] = "";
    struct json_object *plan = plan_of(torchtune, small_job, NULL);
    bool stuck;

    if (!plan)
        return false;
    mark_every_role(plan);
    stuck = replay_plan(plan, story, sizeof(story)) == REPLAY_STUCK;
    json_object_put(plan);
    return stuck;
}

/* The same through PreEnqueue: a member that is not counted waits all the same. */
static bool
marked_workload_is_stuck(void)
{
    char runtime[sizeof(torchtune) + 16];
    char story[4096] = "";
    const char *volcano = strstr(torchtune, "volcano");
    struct json_object *plan;
    struct json_object *patches;
    struct json_object *first;
    bool complete;
    bool stuck;

    snprintf(runtime, sizeof(runtime), "%.*sworkload%s", (int)(volcano - torchtune), torchtune,
             volcano + strlen("volcano"));
    plan = plan_in_cluster(runtime, small_job, NULL, workload_clusters[3]);
    if (!plan)
        return false;
    complete = replay_plan(plan, story, sizeof(story)) == REPLAY_COMPLETE;
    patches = json_object_object_get(plan, "patches");
    first = json_tokener_parse(json_object_to_json_string(json_object_array_get_idx(patches, 0)));
    json_object_object_add(first, "role", json_object_new_string("dataset-initializer"));
    json_object_array_add(patches, first);
    stuck = replay_plan(plan, story, sizeof(story)) == REPLAY_STUCK;
    json_object_put(plan);
    return complete && stuck;
}

/* What the proposal for the trainer would have rendered: minCount is numNodes, and one of them
 * comes late. */
static bool
counted_launcher_is_stuck(void)
{
    static const char plan_text[] =
        "{\"outcome\":\"Gang\",\"roles\":[{\"name\":\"node\",\"count\":7,\"dependsOn\":[]},"
        "{\"name\":\"launcher\",\"count\":1,\"dependsOn\":[{\"role\":\"node\",\"status\":\"Ready\"}"
        "]}],"
        "\"objects\":[{\"object\":{\"kind\":\"Workload\",\"metadata\":{\"name\":\"j\"},\"spec\":{"
        "\"podGroups\":["
        "{\"name\":\"trainer\",\"policy\":{\"gang\":{\"minCount\":8}}}]}}}],\"patches\":["
        "{\"role\":\"node\",\"spec\":{\"workloadRef\":{\"name\":\"j\",\"podGroup\":\"trainer\"}}},"
        "{\"role\":\"launcher\",\"spec\":{\"workloadRef\":{\"name\":\"j\",\"podGroup\":\"trainer\"}"
        "}}]}";
    char story[4096] = "";
    struct json_object *plan = json_tokener_parse(plan_text);
    bool stuck = replay_plan(plan, story, sizeof(story)) == REPLAY_STUCK;

    json_object_put(plan);
    return stuck;
}

/* How often the operator's own rules deadlock where ours do not, and never the other way round. */
static void
check_compatibility(size_t cases)
{
    struct random random = {.state = 3};
    struct tally tally = {0};
    char name[200];

    for (size_t i = 0; i < cases; i++) {
        char story[4096] = "";
        struct graph graph;
        struct json_object *plan;

        graph_make(&graph, &random);
        graph_write_runtime(&graph, runtime_text, sizeof(runtime_text));
        graph_write_trainjob(&graph, trainjob_text, sizeof(trainjob_text));
        plan = plan_of(runtime_text, trainjob_text, compatibility_policy);
        tally.failures += !plan;
        tally.stuck += plan && replay_plan(plan, story, sizeof(story)) == REPLAY_STUCK;
        json_object_put(plan);
    }
    snprintf(name, sizeof(name),
             "with the operator's own rules %zu of %zu graphs are seen to be stuck", tally.stuck,
             cases);
    tap(tally.failures == 0 && tally.stuck > cases / 4, name);
}

int
main(void)
{
    const char *wish = getenv("GANG_ORDER_CASES");
    size_t cases = wish ? strtoul(wish, NULL, 10) : STANDARD_CASES;

    printf("1..18\n");
    tap(verdict_of(NULL) == REPLAY_COMPLETE, "torchtune completes");
    tap(verdict_of(compatibility_policy) == REPLAY_STUCK,
        "torchtune by the operator's own rules is seen to be stuck");
    tap(marked_plan_is_stuck(), "torchtune with marked initializers is seen to be stuck");
    check_generated(cases);
    check_workloads(cases);
    check_divided(cases);
    check_options(cases);
    check_graphs_of("yunikorn", cases);
    check_graphs_of("koordinator", cases);
    check_gang_jobs(cases);
    check_compatibility(cases / 10);
    tap(yunikorn_faults_are_seen(), "plans that YuniKorn would not start whole are seen");
    tap(koordinator_faults_are_seen(), "plans that Koordinator would not start whole are seen");
    tap(misshapen_plans_are_seen(),
        "Workloads, groups and marks that do not fit together are seen");
    tap(versions_that_differ_are_seen(), "versions that differ are seen");
    tap(marked_workload_is_stuck(),
        "torchtune with initializers in its PodGroup is seen to be stuck");
    tap(counted_launcher_is_stuck(), "a minCount with a late launcher in it is seen to be stuck");
    return tests_failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
