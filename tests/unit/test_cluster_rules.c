/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/policy/cluster.h"

#include "unit/clusters.h"
#include "unit/suite.h"
#include "unit/typed.h"

static const struct document_case refused[] = {
    {"  name: lab", "  name: La_b", GANG_CODE_INVALID_NAME, "metadata.name", 4, 9},
    {"  name: lab", "  name: lab\n  namespace: ml", GANG_CODE_UNKNOWN_FIELD, "metadata.namespace",
     5, 14},
    {"\"1.36\"", "\"latest\"", GANG_CODE_PATTERN_MISMATCH, "spec.kubernetesVersion", 6, 22},
    {"\"1.36\"", "\"1\"", GANG_CODE_PATTERN_MISMATCH, "spec.kubernetesVersion", 6, 22},
    {"kai: v0.14.2", "kai: newest", GANG_CODE_PATTERN_MISMATCH, "spec.components.kai", 15, 10},
    {"volcano: v1.15.0", "volcano: v1", GANG_CODE_PATTERN_MISMATCH, "spec.components.volcano", 16,
     14},
    {"jobset: v0.12.0", "jobset: v0.12.0/x", GANG_CODE_PATTERN_MISMATCH, "spec.components.jobset",
     17, 13},
    {"trainer: v2.3.0-rc.1", "trainer: v2.3.0-", GANG_CODE_PATTERN_MISMATCH,
     "spec.components.trainer", 18, 14},
    {"schedulerPlugins: v0.35.4-devel", "schedulerPlugins: devel", GANG_CODE_PATTERN_MISMATCH,
     "spec.components.schedulerPlugins", 19, 23},
    {"scheduling.k8s.io/v1alpha2", "scheduling.k8s.io", GANG_CODE_PATTERN_MISMATCH,
     "spec.servedVersions[0].groupVersion", 8, 19},
    {"scheduling.k8s.io/v1alpha2", "scheduling.k8s.io/", GANG_CODE_PATTERN_MISMATCH,
     "spec.servedVersions[0].groupVersion", 8, 19},
    {"scheduling.k8s.io/v1alpha2", "/v1alpha2", GANG_CODE_PATTERN_MISMATCH,
     "spec.servedVersions[0].groupVersion", 8, 19},
    {"scheduling.k8s.io/v1alpha2", "scheduling.k8s.io/v1alpha2/workloads",
     GANG_CODE_PATTERN_MISMATCH, "spec.servedVersions[0].groupVersion", 8, 19},
    {"scheduling.k8s.io/v1alpha2", "Scheduling.k8s.io/v1alpha2", GANG_CODE_PATTERN_MISMATCH,
     "spec.servedVersions[0].groupVersion", 8, 19},
    {"[workloads, podgroups]", "[workloads, PodGroup]", GANG_CODE_INVALID_NAME,
     "spec.servedVersions[0].resources[1]", 9, 28},
    {"  - name: ml", "  - name: ml.red", GANG_CODE_INVALID_NAME, "spec.namespaces[0].name", 22, 11},
    {"{team: red}", "{-team: red}", GANG_CODE_INVALID_LABEL_KEY, "spec.namespaces[0].labels[-team]",
     23, 14},
    {"{team: red}", "{team: a b}", GANG_CODE_INVALID_LABEL_VALUE, "spec.namespaces[0].labels[team]",
     23, 20},
    {"  - name: default", "  - name: Default", GANG_CODE_INVALID_NAME, "spec.queues[0].name", 26,
     11},
    {"parent: root", "parent: root_queue", GANG_CODE_INVALID_NAME, "spec.queues[1].parent", 30, 13},
    {"name: train-high", "name: train_high", GANG_CODE_INVALID_NAME, "spec.priorityClasses[0].name",
     32, 11},
    {"name: kata", "name: Kata", GANG_CODE_INVALID_NAME, "spec.runtimeClasses[0].name", 39, 11},
    {"name: limits", "name: -limits", GANG_CODE_INVALID_NAME, "spec.limitRanges[0].name", 43, 11},
    {"{cpu: 250m, memory: 120Mi}", "{cpu: 250x}", GANG_CODE_QUANTITY_SYNTAX,
     "spec.runtimeClasses[0].overhead[cpu]", 40, 21},
    {"{cpu: 250m, memory: 120Mi}", "{cpu: -1}", GANG_CODE_QUANTITY_NEGATIVE,
     "spec.runtimeClasses[0].overhead[cpu]", 40, 21},
    {"{cpu: 16}", "{cpu: 16 cores}", GANG_CODE_QUANTITY_SYNTAX,
     "spec.limitRanges[0].limits[1].max.cpu", 52, 18},
    {"      max: {cpu: 16}", "      max: {cpu: 16}\n      default: {cpu: 1}",
     GANG_CODE_UNKNOWN_FIELD, "spec.limitRanges[0].limits[1].default", 53, 16},
    {"      max: {cpu: 16}", "      max: {cpu: 16}\n      defaultRequest: {cpu: 1}",
     GANG_CODE_UNKNOWN_FIELD, "spec.limitRanges[0].limits[1].defaultRequest", 53, 23},
    {"namespace: ml", "namespace: m.l", GANG_CODE_INVALID_NAME, "spec.limitRanges[0].namespace", 44,
     16},
};

START_TEST(refuses_what_is_no_name_or_version)
{
    check_refused_cluster(&refused[_i]);
}
END_TEST

static const struct {
    const char *find;
    const char *replace;
} accepted[] = {
    {"scheduling.k8s.io/v1alpha2", "v1"},
    {"scheduling.k8s.io/v1alpha2", "apps/v1"},
    {"\"1.36\"", "\"v1.36.3+k3s1\""},
    {"{team: red}", "{}"},
    {"{team: red}", "{kubernetes.io/metadata.name: ml, team: \"\"}"},
    {"resources: [workloads, podgroups]", "resources: []"},
    /* A subdomain may start with a digit and hold dots, a label may start with a digit. */
    {"  - name: kube-system", "  - name: 9-system"},
    {"  - name: default", "  - name: 9.default"},
    {"parent: root", "parent: 9.root"},
    {"name: train-high", "name: 9.train-high"},
    {"name: kata", "name: 9.kata"},
    {"name: limits", "name: 9.limits"},
    {"namespace: ml", "namespace: 9-ml"},
    {"  name: lab", "  name: 9.lab"},
    {"      max: {cpu: 16}", "      max: {cpu: 16}\n      maxLimitRequestRatio: {cpu: 2}"},
    {"    - type: Pod", "    - type: PersistentVolumeClaim"},
    {"preemptionPolicy: Never", "preemptionPolicy: PreemptLowerPriority"},
};

START_TEST(accepts_what_clusters_have)
{
    struct gang_cluster *cluster = NULL;
    char text[DOCUMENT_SIZE];

    NEEDS_YAML();
    with_change(text, good_cluster, accepted[_i].find, accepted[_i].replace);
    ck_assert_int_eq(parse_cluster(NULL, text, strlen(text), 0, &cluster, NULL), GANG_OK);
    unref_cluster(cluster);
}
END_TEST

void
add_tests(TCase *cases)
{
    add_rows(cases, refuses_what_is_no_name_or_version, refused, find, replace);
    add_rows(cases, accepts_what_clusters_have, accepted, find, replace);
}
