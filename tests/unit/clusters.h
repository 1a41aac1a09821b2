/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TESTS_UNIT_CLUSTERS_H
#define TESTS_UNIT_CLUSTERS_H

#include "unit/documents.h"
#include "unit/suite.h"

/* A cluster with one fact of each kind; a case changes one place in it. */
static const char good_cluster[] = "apiVersion: policy.libgang.dev/v1alpha1\n"         /* 1 */
                                   "kind: GangCluster\n"                               /* 2 */
                                   "metadata:\n"                                       /* 3 */
                                   "  name: lab\n"                                     /* 4 */
                                   "spec:\n"                                           /* 5 */
                                   "  kubernetesVersion: \"1.36\"\n"                   /* 6 */
                                   "  servedVersions:\n"                               /* 7 */
                                   "  - groupVersion: scheduling.k8s.io/v1alpha2\n"    /* 8 */
                                   "    resources: [workloads, podgroups]\n"           /* 9 */
                                   "  - groupVersion: scheduling.volcano.sh/v1beta1\n" /* 10 */
                                   "  featureGates:\n"                                 /* 11 */
                                   "    GenericWorkload: true\n"                       /* 12 */
                                   "    WorkloadWithJob: false\n"                      /* 13 */
                                   "  components:\n"                                   /* 14 */
                                   "    kai: v0.14.2\n"                                /* 15 */
                                   "    volcano: v1.15.0\n"                            /* 16 */
                                   "    jobset: v0.12.0\n"                             /* 17 */
                                   "    trainer: v2.3.0-rc.1\n"                        /* 18 */
                                   "    schedulerPlugins: v0.35.4-devel\n"             /* 19 */
                                   "  podTemplateFields: [schedulingGroup]\n"          /* 20 */
                                   "  namespaces:\n"                                   /* 21 */
                                   "  - name: ml\n"                                    /* 22 */
                                   "    labels: {team: red}\n"                         /* 23 */
                                   "  - name: kube-system\n"                           /* 24 */
                                   "  queues:\n"                                       /* 25 */
                                   "  - name: default\n"                               /* 26 */
                                   "    type: Volcano\n"                               /* 27 */
                                   "  - name: default\n"                               /* 28 */
                                   "    type: KAI\n"                                   /* 29 */
                                   "    parent: root\n"                                /* 30 */
                                   "  priorityClasses:\n"                              /* 31 */
                                   "  - name: train-high\n"                            /* 32 */
                                   "    value: 1000\n"                                 /* 33 */
                                   "    preemptionPolicy: Never\n"                     /* 34 */
                                   "  - name: everyday\n"                              /* 35 */
                                   "    value: 10\n"                                   /* 36 */
                                   "    globalDefault: true\n"                         /* 37 */
                                   "  runtimeClasses:\n"                               /* 38 */
                                   "  - name: kata\n"                                  /* 39 */
                                   "    overhead: {cpu: 250m, memory: 120Mi}\n"        /* 40 */
                                   "  - name: runc\n"                                  /* 41 */
                                   "  limitRanges:\n"                                  /* 42 */
                                   "  - name: limits\n"                                /* 43 */
                                   "    namespace: ml\n"                               /* 44 */
                                   "    limits:\n"                                     /* 45 */
                                   "    - type: Container\n"                           /* 46 */
                                   "      defaultRequest: {cpu: 500m}\n"               /* 47 */
                                   "      default: {cpu: 1}\n"                         /* 48 */
                                   "      min: {cpu: 100m}\n"                          /* 49 */
                                   "      max: {cpu: 8}\n"                             /* 50 */
                                   "    - type: Pod\n"                                 /* 51 */
                                   "      max: {cpu: 16}\n";                           /* 52 */

/* Parses the changed text, which must be refused with exactly this finding among those made. */
static inline void
check_refused_cluster(const struct document_case *wanted)
{
    struct gang_cluster *cluster = NULL;
    struct run run = {0};
    char text[DOCUMENT_SIZE];

    NEEDS_YAML();
    with_change(text, good_cluster, wanted->find, wanted->replace);
    run.result = parse_cluster(NULL, text, strlen(text), 0, &cluster, &run.error);
    ck_assert_ptr_null(cluster);
    check_wanted(run, wanted, GANG_SEVERITY_ERROR);
}

#endif
