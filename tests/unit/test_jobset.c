/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/kube/jobset.h"
#include "libgang/kube/strategic_merge.h"

#include "unit/resource_text.h"
#include "unit/tree.h"

struct jobset_reading {
    struct arena *arena;
    struct report report;
    struct limits limits;
    const struct node *spec;
    struct jobset jobset;
};

static void
jobset_open(struct jobset_reading *reading, const char *text)
{
    reading->arena = arena_new(0);
    reading->limits = standard_limits;
    report_init(&reading->report, reading->arena, &reading->limits);
    reading->spec = tree_of(reading->arena, text);
    reading->jobset = jobset_read(reading->spec, NULL, &reading->report);
}

#define JOBS(items) "{\"replicatedJobs\":[" items "]}"
#define JOB(ahead, spec, pod)                                                                      \
    "{\"name\":\"a\"," ahead "\"template\":{\"spec\":{" spec "\"template\":{\"spec\":{" pod "}}}}" \
    "}"

#define FAILURE_RULE(action)                                                                       \
    "\"podFailurePolicy\":{\"rules\":[{\"action\":\"Count\"},{\"action\":\"" action "\"}]},"

/* Defaults: api/jobset/v1alpha2/jobset_types.go of jobset v0.12.0, batch/v1 JobSpec. */
static const struct {
    const char *text;
    int replicas;
    int parallelism;
    bool has_completions;
    bool retries;
} jobs[] = {
    {JOBS(JOB("", "", "")), 1, 1, false, true},
    {JOBS(JOB("\"replicas\":1,", "\"parallelism\":1,", "")), 1, 1, false, true},
    {JOBS(JOB("\"replicas\":2,", "\"parallelism\":7,", "")), 2, 7, false, true},
    {JOBS(JOB("\"replicas\":0,", "\"parallelism\":0,", "")), 1, 0, false, true},
    {JOBS(JOB("\"replicas\":null,", "\"parallelism\":null,", "")), 1, 1, false, true},
    {JOBS(JOB("\"replicas\":-1,", "\"parallelism\":-4,", "")), -1, -4, false, true},
    {JOBS(JOB("", "\"completions\":0,", "")), 1, 1, true, true},
    {JOBS(JOB("", "\"completions\":null,", "")), 1, 1, false, true},
    {JOBS(JOB("", "\"backoffLimit\":0,", "")), 1, 1, false, false},
    {JOBS(JOB("", "\"backoffLimit\":1,", "")), 1, 1, false, true},
    {JOBS(JOB("", "\"backoffLimit\":null,", "")), 1, 1, false, true},
    /* pkg/controller/job/pod_failure_policy.go of Kubernetes v1.36.3 */
    {JOBS(JOB("", "\"backoffLimit\":0," FAILURE_RULE("Ignore"), "")), 1, 1, false, true},
    {JOBS(JOB("", "\"backoffLimit\":0," FAILURE_RULE("FailJob"), "")), 1, 1, false, false},
    {JOBS("{\"name\":\"a\"}"), 1, 1, false, true},
};

START_TEST(reads_a_job)
{
    struct jobset_reading reading;

    jobset_open(&reading, jobs[_i].text);
    ck_assert_uint_eq(reading.jobset.count, 1);
    ck_slice_eq(reading.jobset.jobs[0].name, "a");
    ck_assert_int_eq(reading.jobset.jobs[0].replicas, jobs[_i].replicas);
    ck_assert_int_eq(reading.jobset.jobs[0].parallelism, jobs[_i].parallelism);
    ck_assert_int_eq(reading.jobset.jobs[0].has_completions, jobs[_i].has_completions);
    ck_assert_int_eq(reading.jobset.jobs[0].retries, jobs[_i].retries);
    ck_assert_uint_eq(reading.report.count, 0);
    arena_free(reading.arena);
}
END_TEST

START_TEST(reads_names_and_sources)
{
    struct jobset_reading reading;
    const struct replicated_job *job;

    jobset_open(&reading, JOBS(JOB("\"dependsOn\":[],", "",
                                   "\"schedulerName\":\"s\",\"priorityClassName\":\"p\"")));
    job = &reading.jobset.jobs[0];
    ck_assert_ptr_nonnull(job->depends_on);
    ck_assert_ptr_nonnull(job->pod_spec);
    ck_assert_ptr_null(job->pod_metadata);
    ck_assert_ptr_nonnull(job->job_spec);
    ck_assert_ptr_null(job->job_metadata);
    ck_assert_ptr_eq(job->source, reading.jobset.jobs[0].name_source->parent);
    arena_free(reading.arena);
}
END_TEST

static const struct {
    const char *text;
    bool in_order;
} orders[] = {
    {"{}", false},
    {"{\"startupPolicy\":null}", false},
    {"{\"startupPolicy\":{}}", false},
    {"{\"startupPolicy\":{\"startupPolicyOrder\":\"AnyOrder\"}}", false},
    {"{\"startupPolicy\":{\"startupPolicyOrder\":\"InOrder\"}}", true},
    {"{\"startupPolicy\":{\"startupPolicyOrder\":\"inOrder\"}}", false},
    {"{\"startupPolicy\":{\"startupPolicyOrder\":true}}", false},
};

START_TEST(reads_the_order)
{
    struct jobset_reading reading;

    jobset_open(&reading, orders[_i].text);
    ck_assert_uint_eq(reading.jobset.count, 0);
    ck_assert_int_eq(reading.jobset.in_order != NULL, orders[_i].in_order);
    arena_free(reading.arena);
}
END_TEST

/* Limits of three: two and three pass, four do not. */
static const int counts[] = {2, 3, 4};

static const char *
list_of(struct arena *arena, int count)
{
    const char *text = "";

    for (int i = 0; i < count; i++)
        text = arena_format(arena, "%s%s{\"name\":\"n%d\"}", text, i ? "," : "", i);
    return text;
}

static void
check_limit(struct jobset_reading *reading, bool passes, enum gang_code code, const char *path)
{
    reading->report.count = 0;
    reading->jobset = jobset_read(reading->spec, NULL, &reading->report);
    ck_assert_uint_eq(reading->report.count, !passes);
    if (!passes) {
        ck_assert_int_eq(reading->report.items[0].code, code);
        ck_assert_int_eq(reading->report.items[0].severity, GANG_SEVERITY_ERROR);
        ck_assert_str_eq(reading->report.items[0].path, path);
        ck_assert_str_eq(reading->report.items[0].message,
                         "Too many: 4: must have at most 3 items");
    }
}

START_TEST(roles_are_limited)
{
    struct arena *arena = arena_new(0);
    struct jobset_reading reading;

    jobset_open(&reading,
                arena_format(arena, "{\"replicatedJobs\":[%s]}", list_of(arena, counts[_i])));
    reading.limits.value[GANG_LIMIT_ROLES] = 3;
    check_limit(&reading, counts[_i] <= 3, GANG_CODE_LIMIT_ROLES, "replicatedJobs");
    ck_assert_uint_eq(reading.jobset.count, counts[_i] <= 3 ? (unsigned)counts[_i] : 0);
    arena_free(reading.arena);
    arena_free(arena);
}
END_TEST

START_TEST(containers_are_limited)
{
    static const char *const lists[] = {"containers", "initContainers"};

    for (int i = 0; i < ITEMS_OF(lists); i++) {
        struct arena *arena = arena_new(0);
        struct jobset_reading reading;

        jobset_open(&reading, arena_format(arena,
                                           "{\"replicatedJobs\":[{\"name\":\"a\",\"template\":{"
                                           "\"spec\":{\"template\":{\"spec\":{"
                                           "\"%s\":[%s]}}}}}]}",
                                           lists[i], list_of(arena, counts[_i])));
        reading.limits.value[GANG_LIMIT_CONTAINERS] = 3;
        check_limit(
            &reading, counts[_i] <= 3, GANG_CODE_LIMIT_CONTAINERS,
            arena_format(arena, "replicatedJobs[0].template.spec.template.spec.%s", lists[i]));
        arena_free(reading.arena);
        arena_free(arena);
    }
}
END_TEST

/* Which sum matters depends on the mode: the overflow waits for the resolve. */
START_TEST(an_overflow_is_remembered)
{
    struct jobset_reading reading;

    jobset_open(
        &reading,
        JOBS(JOB("", "",
                 "\"containers\":[{\"name\":\"a\",\"resources\":{\"requests\":{\"cpu\":\"5E\"}}},{"
                 "\"name\":\"b\",\"resources\":{\"requests\":{\"cpu\":\"5E\"}}}]")));
    ck_assert_uint_eq(reading.report.count, 0);
    ck_assert(!reading.jobset.jobs[0].sums[POD_REQUESTS_ONLY].fits);
    ck_assert(!reading.jobset.jobs[0].sums[POD_REQUESTS_EFFECTIVE].fits);
    ck_assert_ptr_eq(reading.jobset.jobs[0].requests_source, reading.jobset.jobs[0].pod_spec);
    arena_free(reading.arena);
}
END_TEST

#define HALF_KIB_TWICE                                                                             \
    "\"containers\":[{\"name\":\"a\",\"resources\":{\"requests\":{\"memory\":\"0.5Ki\"}}},"        \
    "{\"name\":\"b\",\"resources\":{\"requests\":{\"memory\":\"0.5Ki\"}}}]"

/* A merge sends every amount through JSON: of jobs that it did not touch too. */
static const struct {
    const char *merged;
    const char *requests;
} merges[] = {
    {JOBS(JOB("", "", HALF_KIB_TWICE)), "memory=1024"},
    {JOBS(JOB(
         "", "",
         "\"containers\":[{\"name\":\"a\",\"resources\":{\"requests\":{\"memory\":\"1Ki\"}}}]")),
     "memory=1Ki"},
    {JOBS(JOB("", "", "")), ""},
};

START_TEST(a_merged_job_has_been_through_json)
{
    struct jobset_reading known;
    struct jobset merged;
    struct resources_text text;

    jobset_open(&known, JOBS(JOB("", "", HALF_KIB_TWICE)));
    ck_assert_str_eq(resources_print(&text, &known.jobset.jobs[0].sums[POD_REQUESTS_ONLY].requests),
                     "memory=1Ki");
    merged = jobset_read(tree_of(known.arena, merges[_i].merged), &known.jobset, &known.report);
    ck_assert_str_eq(resources_print(&text, &merged.jobs[0].sums[POD_REQUESTS_ONLY].requests),
                     merges[_i].requests);
    merged = jobset_read(known.spec, &known.jobset, &known.report);
    ck_assert_str_eq(resources_print(&text, &merged.jobs[0].sums[POD_REQUESTS_ONLY].requests),
                     "memory=1024");
    ck_assert_str_eq(resources_print(&text, &known.jobset.jobs[0].sums[POD_REQUESTS_ONLY].requests),
                     "memory=1Ki");
    arena_free(known.arena);
}
END_TEST

#define CPUS(count) "{\"requests\":{\"cpu\":\"" count "\"}}"

/*
 * Each field that the requests of a pod are made of, changed by a patch. A pod requests what its
 * containers do, or one initContainer if that is more, or what its own resources say, and the
 * overhead. Source: kubernetes/kubernetes:staging/src/k8s.io/component-helpers/resource/helpers.go
 */
static const struct {
    const char *patch;
    const char *requests;
    bool keeps; /* those of the job before the merge are taken */
} patched[] = {
    {"\"nodeSelector\":{\"a\":\"b\"}", "cpu=3", true},
    {"\"containers\":[{\"name\":\"a\",\"resources\":" CPUS("4") "}]", "cpu=5", false},
    {"\"initContainers\":[{\"name\":\"i\",\"resources\":" CPUS("8") "}]", "cpu=9", false},
    {"\"resources\":" CPUS("16"), "cpu=17", false},
    {"\"overhead\":{\"cpu\":\"32\"}", "cpu=34", false},
};

START_TEST(a_patched_job_requests_what_its_pod_does)
{
    struct jobset_reading known;
    struct jobset merged;
    struct resources_text text;
    const struct node *patch;

    jobset_open(&known, JOBS(JOB("", "",
                                 "\"containers\":[{\"name\":\"a\",\"resources\":" CPUS(
                                     "1") "}],"
                                          "\"initContainers\":[{\"name\":\"i\",\"resources\":" CPUS(
                                              "2") "}],"
                                                   "\"overhead\":{\"cpu\":\"1\"}")));
    patch =
        tree_of(known.arena, arena_format(known.arena, JOBS(JOB("", "", "%s")), patched[_i].patch));
    merged = jobset_read(strategic_merge(known.arena, known.spec, patch, NULL), &known.jobset,
                         &known.report);
    ck_assert_str_eq(resources_print(&text, &merged.jobs[0].sums[POD_REQUESTS_EFFECTIVE].requests),
                     patched[_i].requests);
    ck_assert_int_eq(merged.jobs[0].resources.containers ==
                         known.jobset.jobs[0].resources.containers,
                     patched[_i].keeps);
    ck_assert_ptr_eq(merged.jobs[0].requests_source, merged.jobs[0].pod_spec);
    arena_free(known.arena);
}
END_TEST

START_TEST(merged_spec_may_have_more_jobs)
{
    struct jobset_reading known;
    struct jobset merged;

    jobset_open(&known, JOBS("{\"name\":\"a\"}"));
    merged =
        jobset_read(tree_of(known.arena, JOBS("{\"name\":\"x\"},{\"name\":\"a\",\"replicas\":3}")),
                    &known.jobset, &known.report);
    ck_assert_uint_eq(merged.count, 2);
    ck_slice_eq(merged.jobs[0].name, "x");
    ck_slice_eq(merged.jobs[1].name, "a");
    ck_assert_int_eq(merged.jobs[1].replicas, 3);
    arena_free(known.arena);
}
END_TEST

START_TEST(jobs_and_containers_are_found_by_name)
{
    struct jobset_reading reading;
    const struct replicated_job *job;

    jobset_open(&reading, JOBS(JOB("", "",
                                   "\"initContainers\":[{\"name\":\"i\"}],\"containers\":[{"
                                   "\"name\":\"c\"},{\"name\":\"d\"}]")));
    job = jobset_find(&reading.jobset, SLICE("a"));
    ck_assert_ptr_eq(job, &reading.jobset.jobs[0]);
    ck_assert_ptr_null(jobset_find(&reading.jobset, SLICE("b")));
    ck_assert_ptr_null(jobset_find(&reading.jobset, SLICE("")));
    ck_assert_ptr_nonnull(replicated_job_container(job, SLICE("d")));
    ck_assert_ptr_null(replicated_job_container(job, SLICE("i")));
    ck_assert(replicated_job_has_container(job, SLICE("c")));
    ck_assert(replicated_job_has_container(job, SLICE("i")));
    ck_assert(!replicated_job_has_container(job, SLICE("x")));
    arena_free(reading.arena);
}
END_TEST

#define EXCLUSIVE(value) "\"alpha.jobset.sigs.k8s.io/exclusive-topology\":" value
#define SELECTOR "\"alpha.jobset.sigs.k8s.io/node-selector\":\"true\""

/*
 * labelAndAnnotateObject() copies exclusive-topology of the JobSet, then of the Job template, into
 * the pods, each with the node-selector beside it; the pods' own annotations stay.
 */
static const struct {
    const char *set;
    const char *job;
    const char *pod;
    const char *value; /* of the annotation that applies; NULL if all pods are created at once */
} placements[] = {
    {"", "", "", NULL},
    {EXCLUSIVE("\"rack\""), "", "", "rack"},
    {"", EXCLUSIVE("\"zone\""), "", "zone"},
    {"", "", EXCLUSIVE("\"host\""), "host"},
    {EXCLUSIVE("\"rack\""), EXCLUSIVE("\"zone\""), EXCLUSIVE("\"host\""), "zone"},
    {EXCLUSIVE("\"rack\""), "", EXCLUSIVE("\"host\""), "rack"},
    /* the value does not matter, but the API server drops a key without one */
    {EXCLUSIVE("\"\""), "", "", ""},
    {EXCLUSIVE("null"), "", "", NULL},
    /* node-selector beside it, at any place */
    {EXCLUSIVE("\"rack\"") "," SELECTOR, "", "", NULL},
    {"", EXCLUSIVE("\"rack\"") "," SELECTOR, "", NULL},
    {"", "", EXCLUSIVE("\"rack\"") "," SELECTOR, NULL},
    {EXCLUSIVE("\"rack\""), "", SELECTOR, NULL},
    {EXCLUSIVE("\"rack\"") "," SELECTOR, EXCLUSIVE("\"zone\""), "", NULL},
    {EXCLUSIVE("\"rack\""), EXCLUSIVE("\"zone\"") "," SELECTOR, "", NULL},
    /* alone, node-selector does not reach the pods from the JobSet or the Job template */
    {SELECTOR, EXCLUSIVE("\"zone\""), "", "zone"},
    {EXCLUSIVE("\"rack\""), SELECTOR, "", "rack"},
    {SELECTOR, SELECTOR, EXCLUSIVE("\"host\""), "host"},
    {SELECTOR, SELECTOR, SELECTOR, NULL},
};

START_TEST(knows_jobs_that_create_one_pod_first)
{
    struct jobset_reading reading;
    char text[1024];
    const struct node *annotations;
    const struct node *found;

    snprintf(text, sizeof(text),
             "{\"set\":{%s},\"replicatedJobs\":[{\"name\":\"a\",\"template\":{\"metadata\":"
             "{\"annotations\":{%s}},\"spec\":{\"template\":{\"metadata\":{\"annotations\":{%s}},"
             "\"spec\":{}}}}}]}",
             placements[_i].set, placements[_i].job, placements[_i].pod);
    jobset_open(&reading, text);
    annotations = node_member(reading.spec, SLICE("set"));
    found = jobset_exclusive_find(&reading.jobset.jobs[0], annotations, 2, &reading.report);
    ck_assert_int_eq(found != NULL, placements[_i].value != NULL);
    if (found)
        ck_slice_eq(node_string(found), placements[_i].value);
    arena_free(reading.arena);
}
END_TEST

START_TEST(a_jobset_without_annotations_creates_all_pods)
{
    struct jobset_reading reading;

    jobset_open(&reading, JOBS("{\"name\":\"a\"}"));
    ck_assert_ptr_null(jobset_exclusive_find(&reading.jobset.jobs[0], NULL, 2, &reading.report));
    arena_free(reading.arena);
}
END_TEST

void
add_tests(TCase *cases)
{
    add_rows(cases, knows_jobs_that_create_one_pod_first, placements, set, job, pod);
    tcase_add_test(cases, a_jobset_without_annotations_creates_all_pods);
    add_rows(cases, reads_a_job, jobs, text, replicas, parallelism);
    tcase_add_test(cases, reads_names_and_sources);
    add_rows(cases, reads_the_order, orders, text);
    add_items(cases, roles_are_limited, counts);
    add_items(cases, containers_are_limited, counts);
    tcase_add_test(cases, an_overflow_is_remembered);
    add_rows(cases, a_merged_job_has_been_through_json, merges, merged);
    add_rows(cases, a_patched_job_requests_what_its_pod_does, patched, patch);
    tcase_add_test(cases, merged_spec_may_have_more_jobs);
    tcase_add_test(cases, jobs_and_containers_are_found_by_name);
}
