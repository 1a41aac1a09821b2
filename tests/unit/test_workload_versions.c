/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/backend/workload/workload_versions.h"

#include "unit/workloads.h"
#include "unit/typed.h"

#define ALL "'workloads','podgroups'"
#define COMPOSITES ALL ",'compositepodgroups'"
#define KUBERNETES(version) "'kubernetesVersion':'" version "'"

static const struct {
    const char *facts; /* NULL: no cluster */
    const char *pinned;
    bool composites;
    const char *chosen; /* NULL: none */
    const char *findings;
} choices[] = {
    /* what is served decides, the best of it first */
    {SERVES(V1BETA1, ALL), NULL, false, V1BETA1, ""},
    {SERVES(V1ALPHA3, COMPOSITES), NULL, false, V1ALPHA3, ""},
    {SERVES(V1ALPHA2, ALL), NULL, false, V1ALPHA2, ""},
    {SERVES(V1ALPHA1, "'workloads'"), NULL, false, V1ALPHA1, ""},
    {"'servedVersions':[{'groupVersion':'" V1ALPHA3 "','resources':[" COMPOSITES
     "]},{'groupVersion':'" V1BETA1 "','resources':[" ALL "]}]",
     NULL, false, V1BETA1, ""},
    {"'servedVersions':[{'groupVersion':'" V1ALPHA3 "','resources':[" COMPOSITES
     "]},{'groupVersion':'" V1BETA1 "','resources':[" ALL "]}]",
     NULL, true, V1ALPHA3, ""},
    {"'servedVersions':[{'groupVersion':'" V1ALPHA3 "','resources':[" ALL
     "]},{'groupVersion':'" V1BETA1 "','resources':[" ALL "]}]",
     NULL, true, V1BETA1, ""},
    {"'servedVersions':[{'groupVersion':'" V1ALPHA2 "','resources':[" ALL
     "]},{'groupVersion':'" V1ALPHA1 "','resources':['workloads']}]",
     NULL, false, V1ALPHA2, ""},
    /* a version without PodGroups is no version of shape S; that of PriorityClass alone is none at
       all */
    {SERVES(V1BETA1, "'workloads'"), NULL, false, NULL, "NotServed"},
    {SERVES(V1ALPHA2, "'podgroups'"), NULL, false, NULL, "NotServed"},
    {SERVES(V1ALPHA1, "'priorityclasses'"), NULL, false, NULL, "NotServed"},
    {"'servedVersions':[]", NULL, false, NULL, "NotServed"},
    {SERVES("scheduling.k8s.io/v1", ALL), NULL, false, NULL, "NotServed"},
    /* without resources nobody knows, and what is known to be served goes first */
    {"'servedVersions':[{'groupVersion':'" V1BETA1 "'}]", NULL, false, V1BETA1, "NotChecked"},
    {"'servedVersions':[{'groupVersion':'" V1ALPHA1 "'}],'kubernetesVersion':'1.36'", NULL, false,
     NULL, "NotServed"},
    {"'servedVersions':[{'groupVersion':'" V1BETA1 "'},{'groupVersion':'" V1ALPHA2
     "','resources':[" ALL "]}]",
     NULL, false, V1ALPHA2, ""},
    /* the release tells what is out of the question */
    {KUBERNETES("1.34"), NULL, false, NULL, "NotServed"},
    {KUBERNETES("1.35"), NULL, false, V1ALPHA1, "NotChecked"},
    {KUBERNETES("v1.36.3"), NULL, false, V1ALPHA2, "NotChecked"},
    {KUBERNETES("1.37"), NULL, false, V1BETA1, "NotChecked"},
    {KUBERNETES("1.38"), NULL, false, V1BETA1, "NotChecked"},
    {KUBERNETES("2.0"), NULL, false, V1BETA1, "NotChecked"},
    {KUBERNETES("0.9"), NULL, false, NULL, "NotServed"},
    {KUBERNETES("1.35") "," SERVES(V1BETA1, ALL), NULL, false, V1BETA1, ""},
    /* nothing is known: the newest */
    {NULL, NULL, false, V1BETA1, "NotChecked"},
    {NULL, NULL, true, V1BETA1, "NotChecked"},
    {"", NULL, false, V1BETA1, "NotChecked"},
    /* a policy pins a version */
    {SERVES(V1BETA1, ALL), V1BETA1, false, V1BETA1, ""},
    {SERVES(V1BETA1, ALL), V1ALPHA2, false, V1ALPHA2, "NotServed"},
    {KUBERNETES("1.36"), V1BETA1, false, V1BETA1, "NotServed"},
    {SERVES(V1BETA1, ALL), "scheduling.k8s.io/v1", false, NULL, "NotServed"},
    {NULL, V1ALPHA1, false, V1ALPHA1, "NotChecked"},
};

START_TEST(chooses_a_version)
{
    struct job job = job_make("node");
    struct gang_cluster *cluster = workload_cluster(job.arena, choices[_i].facts);
    const struct workload_version *version = workload_version_choose(
        cluster, slice_from_text(choices[_i].pinned), choices[_i].composites, &job.report);

    ck_assert_int_eq(version != NULL, choices[_i].chosen != NULL);
    if (version)
        ck_slice_eq(version->api_version, choices[_i].chosen);
    ck_assert_str_eq(job_findings(&job), choices[_i].findings);
    unref_cluster(cluster);
    job_free(&job);
}
END_TEST

/* The API server's words for what it does not serve, and how to serve it. */
START_TEST(says_what_the_server_would_say)
{
    static const struct {
        const char *facts;
        const char *pinned;
        const char *message;
        const char *path;
    } refusals[] = {
        {"'servedVersions':[]", NULL,
         "the server could not find the requested resource: none of \"scheduling.k8s.io/v1beta1\", "
         "\"scheduling.k8s.io/v1alpha3\", \"scheduling.k8s.io/v1alpha2\", "
         "\"scheduling.k8s.io/v1alpha1\" is "
         "served "
         "with its Workloads and PodGroups",
         ""},
        {"'kubernetesVersion':'1.34'", V1BETA1,
         "the server could not find the requested resource: scheduling.k8s.io/v1beta1 is not "
         "served with its "
         "Workloads and PodGroups",
         "spec.kubernetesVersion"},
    };

    for (int i = 0; i < COUNT_OF(refusals); i++) {
        struct job job = job_make("node");
        struct gang_cluster *cluster = workload_cluster(job.arena, refusals[i].facts);
        const struct gang_diagnostic *finding;

        workload_version_choose(cluster, slice_from_text(refusals[i].pinned), false, &job.report);
        finding = job_finding(&job, GANG_CODE_NOT_SERVED);
        ck_assert_ptr_nonnull(strstr(finding->message, refusals[i].message));
        ck_assert_str_eq(finding->path, refusals[i].path);
        ck_assert_ptr_nonnull(
            strstr(finding->hint, "--runtime-config=scheduling.k8s.io/v1beta1=true"));
        unref_cluster(cluster);
        job_free(&job);
    }
}
END_TEST

#define GATES(generic, gang)                                                                       \
    "'featureGates':{'GenericWorkload':" generic ",'GangScheduling':" gang "}"
#define FIELDS(names) ",'podTemplateFields':[" names "]"
#define COMPONENTS(jobset, trainer) ",'components':{'jobset':'" jobset "','trainer':'" trainer "'}"
#define GATES_ON GATES("true", "true")

/* Gates, and what the CRDs of each release keep of a pod template. */
static const struct {
    const char *version;
    const char *facts; /* NULL: no cluster */
    const char *findings;
    const char *said; /* in the first message; NULL: anything */
} checks[] = {
    {V1BETA1, NULL, "", NULL},
    {V1BETA1, GATES_ON FIELDS("'schedulingGroup'"), "", NULL},
    {V1BETA1, GATES("true", "false") FIELDS("'schedulingGroup'"), "", NULL},
    {V1BETA1, GATES("false", "true") FIELDS("'schedulingGroup'"), "GateOff",
     "without the gate GenericWorkload there is no gang"},
    {V1ALPHA2, GATES("true", "false") FIELDS("'schedulingGroup'"), "GateOff",
     "without the gate GangScheduling there is no gang"},
    {V1ALPHA1, GATES("false", "false") FIELDS("'workloadRef'"), "GateOff GateOff", NULL},
    {V1ALPHA2, "'podTemplateFields':['schedulingGroup']", "NotChecked NotChecked",
     "not checked: whether the gate GenericWorkload is on"},
    {V1BETA1, GATES_ON FIELDS("'workloadRef'"), "PodFieldPruned",
     "the installed CRDs drop schedulingGroup"},
    {V1BETA1, GATES_ON FIELDS(""), "PodFieldPruned",
     ".spec.replicatedJobs[].template.spec.template.spec.schedulingGroup: field not declared in "
     "schema"},
    {V1ALPHA1, GATES_ON FIELDS("'schedulingGroup'"), "PodFieldPruned", "drop workloadRef"},
    {V1BETA1, GATES_ON COMPONENTS("v0.10.1", "v2.1.0"), "PodFieldPruned PodFieldPruned",
     "JobSet v0.10.1 drop"},
    {V1BETA1, GATES_ON COMPONENTS("v0.11.0", "v2.2.0"), "PodFieldPruned PodFieldPruned",
     "JobSet v0.11.0 drop"},
    {V1BETA1, GATES_ON COMPONENTS("v0.11.0", "v2.2.1"), "PodFieldPruned", "JobSet v0.11.0 drop"},
    {V1BETA1, GATES_ON COMPONENTS("v0.12.0", "v2.2.0"), "PodFieldPruned",
     "Kubeflow Trainer v2.2.0 drop"},
    {V1BETA1, GATES_ON COMPONENTS("v0.12.0", "v2.3.0"), "", NULL},
    {V1BETA1, GATES_ON COMPONENTS("v1.0.0", "v3.0.0"), "", NULL},
    {V1ALPHA1, GATES_ON COMPONENTS("v0.11.1", "v2.2.0"), "", NULL},
    {V1ALPHA1, GATES_ON COMPONENTS("v0.12.0", "v2.2.0"), "PodFieldPruned",
     "JobSet v0.12.0 drop workloadRef"},
    {V1ALPHA1, GATES_ON COMPONENTS("v0.11.0", "v2.3.0"), "PodFieldPruned",
     "Trainer v2.3.0 drop workloadRef"},
    {V1ALPHA1, GATES_ON COMPONENTS("v0.10.0", "v2.2.0"), "PodFieldPruned",
     "JobSet v0.10.0 drop workloadRef"},
    /* one component alone tells half of it */
    {V1BETA1, GATES_ON ",'components':{'jobset':'v0.12.0'}", "NotChecked",
     "not checked: whether the CRDs of JobSet and Trainer keep schedulingGroup"},
    {V1BETA1, GATES_ON ",'components':{'trainer':'v2.1.0'}", "PodFieldPruned NotChecked", NULL},
    /* what the CRDs were seen to keep goes before what their versions would tell */
    {V1BETA1, GATES_ON FIELDS("'schedulingGroup'") COMPONENTS("v0.10.0", "v2.1.0"), "", NULL},
    {V1BETA1, GATES_ON FIELDS("'workloadRef'") COMPONENTS("v0.12.0", "v2.3.0"), "PodFieldPruned",
     NULL},
};

START_TEST(checks_gates_and_pod_fields)
{
    struct job job = job_make("node");
    struct gang_cluster *cluster = workload_cluster(job.arena, checks[_i].facts);

    workload_version_check(workload_version_of(slice_from_text(checks[_i].version)), cluster,
                           &job.report);
    ck_assert_str_eq(job_findings(&job), checks[_i].findings);
    if (checks[_i].said)
        ck_assert_ptr_nonnull(strstr(job.report.items[0].message, checks[_i].said));
    unref_cluster(cluster);
    job_free(&job);
}
END_TEST

/* The hint names the versions that would keep the mark. */
START_TEST(says_which_releases_would_do)
{
    static const char *const hints[][2] = {
        {V1BETA1, "install JobSet v0.12.0 or later and Kubeflow Trainer v2.3.0 or later"},
        {V1ALPHA1, "install JobSet v0.11 and Kubeflow Trainer v2.2.0, the only ones that keep it"},
    };

    for (int i = 0; i < COUNT_OF(hints); i++) {
        struct job job = job_make("node");
        struct gang_cluster *cluster = workload_cluster(job.arena, GATES_ON FIELDS(""));

        workload_version_check(workload_version_of(slice_from_text(hints[i][0])), cluster,
                               &job.report);
        ck_assert_str_eq(job_finding(&job, GANG_CODE_POD_FIELD_PRUNED)->hint, hints[i][1]);
        ck_assert_str_eq(job.report.items[0].path, "spec.podTemplateFields");
        unref_cluster(cluster);
        job_free(&job);
    }
}
END_TEST

#define COMPOSITE_GATES(composite, topology)                                                       \
    ",'featureGates':{'CompositePodGroup':" composite                                              \
    ",'TopologyAwareWorkloadScheduling':" topology "}"

static const struct {
    const char *version;
    const char *facts;
    enum cluster_answer answer;
} composites[] = {
    {V1ALPHA3, SERVES(V1ALPHA3, COMPOSITES), CLUSTER_YES},
    {V1ALPHA3, SERVES(V1ALPHA3, COMPOSITES) COMPOSITE_GATES("true", "true"), CLUSTER_YES},
    {V1ALPHA3, SERVES(V1ALPHA3, COMPOSITES) COMPOSITE_GATES("false", "true"), CLUSTER_NO},
    {V1ALPHA3, SERVES(V1ALPHA3, COMPOSITES) COMPOSITE_GATES("true", "false"), CLUSTER_NO},
    {V1ALPHA3, SERVES(V1ALPHA3, ALL), CLUSTER_NO},
    {V1ALPHA3, SERVES(V1ALPHA3, "'compositepodgroups'"), CLUSTER_NO},
    {V1ALPHA3, NULL, CLUSTER_UNKNOWN},
    {V1BETA1, SERVES(V1BETA1, COMPOSITES), CLUSTER_NO},
    {V1ALPHA2, SERVES(V1ALPHA2, COMPOSITES), CLUSTER_NO},
};

START_TEST(knows_where_composites_are_served)
{
    struct arena *arena = arena_new(0);
    struct gang_cluster *cluster = workload_cluster(arena, composites[_i].facts);

    ck_assert_int_eq(workload_serves_composites(
                         workload_version_of(slice_from_text(composites[_i].version)), cluster),
                     composites[_i].answer);
    unref_cluster(cluster);
    arena_free(arena);
}
END_TEST

START_TEST(names_every_version)
{
    size_t count = 0;

    for (; workload_descriptor.api_versions[count]; count++)
        ck_assert_ptr_eq(
            workload_version_of(slice_from_text(workload_descriptor.api_versions[count])),
            &workload_versions[count]);
    ck_assert_uint_eq(count, workload_version_count);
}
END_TEST

void
add_tests(TCase *cases)
{
    tcase_add_test(cases, names_every_version);
    add_rows(cases, chooses_a_version, choices, facts, pinned);
    tcase_add_test(cases, says_what_the_server_would_say);
    add_rows(cases, checks_gates_and_pod_fields, checks, version, facts);
    tcase_add_test(cases, says_which_releases_would_do);
    add_rows(cases, knows_where_composites_are_served, composites, version, facts);
}
