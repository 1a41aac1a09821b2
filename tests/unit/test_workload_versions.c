/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/backend/workload/workload.h"

#include "unit/suite.h"
#include "unit/workloads.h"
#include "unit/typed.h"

/* ---- workload versions ---- */

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
    {"'servedVersions':[{'groupVersion':'" V1ALPHA3 "','resources':[" COMPOSITES
     "]},{'groupVersion':'" V1BETA1 "','resources':[" COMPOSITES "]}]",
     NULL, true, V1BETA1, ""},
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
    /* without resources it is unknown, and versions known to be served have precedence */
    {"'servedVersions':[{'groupVersion':'" V1BETA1 "'}]", NULL, false, V1BETA1, "NotChecked"},
    {"'servedVersions':[{'groupVersion':'" V1ALPHA1 "'}],'kubernetesVersion':'1.36'", NULL, false,
     NULL, "NotServed"},
    {"'servedVersions':[{'groupVersion':'" V1BETA1 "'},{'groupVersion':'" V1ALPHA2
     "','resources':[" ALL "]}]",
     NULL, false, V1ALPHA2, ""},
    /* the release rules versions out */
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
START_TEST(message_of_the_api_server)
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

    for (int i = 0; i < ITEMS_OF(refusals); i++) {
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
    /* one component is not enough */
    {V1BETA1, GATES_ON ",'components':{'jobset':'v0.12.0'}", "NotChecked",
     "not checked: whether the CRDs of JobSet and Trainer keep schedulingGroup"},
    {V1BETA1, GATES_ON ",'components':{'trainer':'v2.1.0'}", "PodFieldPruned NotChecked", NULL},
    /* fields that the CRDs keep have precedence over their versions */
    {V1BETA1, GATES_ON FIELDS("'schedulingGroup'") COMPONENTS("v0.10.0", "v2.1.0"), "", NULL},
    {V1BETA1, GATES_ON FIELDS("'workloadRef'") COMPONENTS("v0.12.0", "v2.3.0"), "PodFieldPruned",
     NULL},
};

START_TEST(checks_gates_and_pod_fields)
{
    struct job job = job_make("node");
    struct gang_cluster *cluster = workload_cluster(job.arena, checks[_i].facts);

    workload_version_check(workload_version_of(slice_from_text(checks[_i].version)),
                           TEMPLATE_OF_TRAINER, cluster, &job.report);
    ck_assert_str_eq(job_findings(&job), checks[_i].findings);
    if (checks[_i].said)
        ck_assert_ptr_nonnull(strstr(job.report.items[0].message, checks[_i].said));
    unref_cluster(cluster);
    job_free(&job);
}
END_TEST

/* No CRD of Trainer is between a JobSet of a user and the API server. */
static const struct {
    const char *facts;
    const char *findings;
} jobset_checks[] = {
    {GATES_ON COMPONENTS("v0.12.0", "v2.1.0"), ""},
    {GATES_ON ",'components':{'jobset':'v0.12.0'}", ""},
    {GATES_ON COMPONENTS("v0.11.0", "v2.3.0"), "PodFieldPruned"},
    {GATES_ON ",'components':{'trainer':'v2.1.0'}", "NotChecked"},
};

START_TEST(a_jobset_has_no_fields_of_trainer)
{
    struct job job = job_make("node");
    struct gang_cluster *cluster = workload_cluster(job.arena, jobset_checks[_i].facts);

    workload_version_check(workload_version_of(SLICE(V1BETA1)), TEMPLATE_OF_JOBSET, cluster,
                           &job.report);
    ck_assert_str_eq(job_findings(&job), jobset_checks[_i].findings);
    unref_cluster(cluster);
    job_free(&job);
}
END_TEST

/* The hint names the versions that would keep the mark. */
START_TEST(hint_names_the_releases)
{
    static const char *const hints[][2] = {
        {V1BETA1, "install JobSet v0.12.0 or later and Kubeflow Trainer v2.3.0 or later"},
        {V1ALPHA1, "install JobSet v0.11 and Kubeflow Trainer v2.2.0, the only ones that keep it"},
    };

    for (int i = 0; i < ITEMS_OF(hints); i++) {
        struct job job = job_make("node");
        struct gang_cluster *cluster = workload_cluster(job.arena, GATES_ON FIELDS(""));

        workload_version_check(workload_version_of(slice_from_text(hints[i][0])),
                               TEMPLATE_OF_TRAINER, cluster, &job.report);
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
    {V1BETA1, SERVES(V1BETA1, COMPOSITES), CLUSTER_YES}, /* Kubernetes 1.38 */
    {V1BETA1, SERVES(V1BETA1, ALL), CLUSTER_NO},
    {V1ALPHA2, SERVES(V1ALPHA2, COMPOSITES), CLUSTER_NO},
};

START_TEST(finds_whether_composites_are_served)
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

/* ---- workload names ---- */

#define UID "11111111-2222-3333-4444-555555555555"

/* The Job controller's own FNV and alphabet, computed with Go's hash/fnv. */
static const struct {
    const char *texts[3];
    const char *hash;
} hashes[] = {
    {{"my-job", "trainer"}, "6797d4c558"},    {{"my-jobtrainer"}, "6797d4c558"},
    {{"my-job", "initializer"}, "dd447fbff"}, {{"my-job", "node"}, "98b88479c"},
    {{UID, "/", "trainer"}, "5db777ff55"},    {{UID, "/", "launcher"}, "dcdc86bb6"},
    {{UID, "/", "initializer"}, "94cd7f78"},  {{UID}, "685dcb5bdf"},
    {{"(types.UID)", UID}, "68d7549f75"},
};

START_TEST(hashes_like_the_job_controller)
{
    struct slice texts[3];
    struct workload_hash hash;
    size_t count = 0;

    while (count < 3 && hashes[_i].texts[count]) {
        texts[count] = slice_from_text(hashes[_i].texts[count]);
        count++;
    }
    hash = workload_hash_of(texts, count);
    ck_slice_eq(((struct slice){hash.text, hash.len}), hashes[_i].hash);
}
END_TEST

/* '0' is 48 and 48 mod 27 is 21, the letter 4; '9' is 57, mod 27 is 3, the letter f. */
START_TEST(encodes_only_with_safe_letters)
{
    for (int i = 0; i < 1000; i++) {
        char text[8];
        struct slice slice = {text, 0};
        struct workload_hash hash;

        for (int rest = i; rest || !slice.len; rest /= 10)
            text[slice.len++] = (char)('0' + rest % 10);
        hash = workload_hash_of(&slice, 1);
        ck_assert_uint_ge(hash.len, 1);
        ck_assert_uint_le(hash.len, WORKLOAD_HASH_SIZE);
        for (size_t k = 0; k < hash.len; k++)
            ck_assert_ptr_nonnull(memchr("456789bcdf", hash.text[k], 10));
    }
}
END_TEST

/* JobSet's names, by coreutils' sha1sum. */
static const struct {
    const char *text;
    const char *digest;
} digests[] = {
    {"JobSet/ml/my-job", "a819fba5d1"},
    {"ReplicatedJob/ml/my-job/node", "f9791c9771"},
    {"ReplicatedJobGroup/ml/my-job/launcher-node", "515625bd32"},
    {"Job/ml/my-job/node/0", "1d1e254abb"},
};

START_TEST(hashes_like_jobset)
{
    char out[WORKLOAD_DIGEST_SIZE];

    const struct slice text = slice_from_text(digests[_i].text);

    workload_digest_of(&text, 1, out);
    ck_slice_eq(((struct slice){out, sizeof(out)}), digests[_i].digest);
}
END_TEST

static struct workload_naming
naming_of(const char *job, const char *uid, bool is_hashed)
{
    return (struct workload_naming){
        .namespace_ = SLICE("ml"),
        .job = slice_from_text(job),
        .uid = slice_from_text(uid),
        .is_hashed = is_hashed,
    };
}

static const struct {
    const char *job;
    const char *uid;
    bool is_hashed;
    const char *workload;
    const char *template_name;
    const char *pod_group;
} names[] = {
    {"my-job", UID, false, "my-job", "trainer", "my-job-trainer-5db777ff55"},
    {"my-job", UID, false, "my-job", "initializer", "my-job-initializer-94cd7f78"},
    {"my-job", UID, false, "my-job", "launcher", "my-job-launcher-dcdc86bb6"},
    {"my-job", NULL, false, "my-job", "trainer", "my-job-trainer-6797d4c558"},
    {"my-job", NULL, false, "my-job", "node", "my-job-node-98b88479c"},
    {"my-job", UID, true, "my-job-685dcb5bdf", "trainer", "my-job-trainer-5db777ff55"},
    /* no name of a job, and refused as one, but it has to be read */
    {"--", UID, true, "-685dcb5bdf", "trainer", "-trainer-5db777ff55"},
};

START_TEST(names_workload_and_group)
{
    struct arena *arena = arena_new(0);
    struct workload_naming naming = naming_of(names[_i].job, names[_i].uid, names[_i].is_hashed);

    ck_slice_eq(workload_object_name(&naming, arena), names[_i].workload);
    ck_slice_eq(workload_pod_group_name(&naming, slice_from_text(names[_i].template_name), arena),
                names[_i].pod_group);
    arena_free(arena);
}
END_TEST

/* A job of 63 characters, template trainer, hash of 10: 44 characters of the job are left. */
START_TEST(cuts_the_job_to_63)
{
    struct arena *arena = arena_new(0);
    char job[64] = {0};
    struct workload_naming naming;
    struct slice name;

    memset(job, 'j', 63);
    naming = naming_of(job, UID, false);
    name = workload_pod_group_name(&naming, SLICE("trainer"), arena);
    ck_assert_uint_eq(name.len, 63);
    ck_assert(slice_has_prefix(name, (struct slice){job, 44}));
    ck_slice_eq(((struct slice){name.data + 44, name.len - 44}), "-trainer-5db777ff55");
    arena_free(arena);
}
END_TEST

/* No name has two dashes where it was cut. */
START_TEST(strips_dashes_at_the_cut)
{
    struct arena *arena = arena_new(0);
    char job[64] = {0};
    struct workload_naming naming;
    struct slice name;

    memset(job, 'j', 63);
    job[42] = job[43] = '-';
    naming = naming_of(job, UID, true);
    name = workload_pod_group_name(&naming, SLICE("trainer"), arena);
    ck_slice_eq(name, "jjjjjjjjjjjjjjjjjjjjjjjjjjjjjjjjjjjjjjjjjj-trainer-5db777ff55");
    name = workload_object_name(&naming, arena);
    ck_assert_uint_eq(name.len, 63);
    ck_slice_eq(((struct slice){name.data + 52, 11}), "-685dcb5bdf");
    arena_free(arena);
}
END_TEST

/* With a hash of 9 or 10: a template of 50 leaves a letter of the job at least, one of 52 none. */
static const struct {
    size_t template_len;
    bool has_room;
} budgets[] = {{40, true}, {49, true}, {50, true}, {52, false}, {63, false}};

START_TEST(needs_room_for_the_job)
{
    struct arena *arena = arena_new(0);
    struct workload_naming naming = naming_of("my-job", UID, false);
    char letters[64];
    struct slice name;

    memset(letters, 't', sizeof(letters));
    name =
        workload_pod_group_name(&naming, (struct slice){letters, budgets[_i].template_len}, arena);
    ck_assert_int_eq(slice_is_set(name), budgets[_i].has_room);
    ck_assert_uint_le(name.len, 63);
    arena_free(arena);
}
END_TEST

START_TEST(joins_roles_like_jobset)
{
    struct arena *arena = arena_new(0);
    struct workload_naming naming = naming_of("my-job", UID, false);
    char letters[100];
    struct slice name;

    ck_slice_eq(workload_joint_name(&naming, SLICE("launcher-node"), arena),
                "launcher-node-515625bd32");
    memset(letters, 'r', sizeof(letters));
    name = workload_joint_name(&naming, (struct slice){letters, sizeof(letters)}, arena);
    ck_assert_uint_eq(name.len, 63);
    ck_assert_int_eq(name.data[52], '-');
    arena_free(arena);
}
END_TEST

/* Without a namespace that part of the path is empty: sha1("ReplicatedJobGroup//my-job/a-b"). */
START_TEST(joins_roles_without_a_namespace)
{
    struct arena *arena = arena_new(0);
    struct workload_naming naming = {.job = SLICE("my-job")};

    ck_slice_eq(workload_joint_name(&naming, SLICE("a-b"), arena), "a-b-496d22fd80");
    arena_free(arena);
}
END_TEST

void
add_tests(TCase *cases)
{
    tcase_add_test(cases, names_every_version);
    add_rows(cases, chooses_a_version, choices, facts, pinned);
    tcase_add_test(cases, message_of_the_api_server);
    add_rows(cases, a_jobset_has_no_fields_of_trainer, jobset_checks, facts);
    add_rows(cases, checks_gates_and_pod_fields, checks, version, facts);
    tcase_add_test(cases, hint_names_the_releases);
    add_rows(cases, finds_whether_composites_are_served, composites, version, facts);
    add_rows(cases, hashes_like_the_job_controller, hashes, hash, texts[0], texts[1]);
    tcase_add_test(cases, encodes_only_with_safe_letters);
    add_rows(cases, hashes_like_jobset, digests, text);
    add_rows(cases, names_workload_and_group, names, job, uid);
    tcase_add_test(cases, cuts_the_job_to_63);
    tcase_add_test(cases, strips_dashes_at_the_cut);
    add_rows(cases, needs_room_for_the_job, budgets, template_len);
    tcase_add_test(cases, joins_roles_like_jobset);
    tcase_add_test(cases, joins_roles_without_a_namespace);
}
