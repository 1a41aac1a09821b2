/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TESTS_UNIT_GROVE_H
#define TESTS_UNIT_GROVE_H

#include "unit/documents.h"
#include "unit/typed.h"

/* A PodGang for Volcano and the PodCliqueSet that it belongs to; a case changes one place in one of
 * them. */
static const char good_podgang[] = "apiVersion: scheduler.grove.io/v1alpha1\n" /* 1 */
                                   "kind: PodGang\n"                           /* 2 */
                                   "metadata:\n"                               /* 3 */
                                   "  name: job-0\n"                           /* 4 */
                                   "  namespace: ml\n"                         /* 5 */
                                   "  uid: u-gang\n"                           /* 6 */
                                   "  labels:\n"                               /* 7 */
                                   "    grove.io/scheduler-name: volcano\n"    /* 8 */
                                   "    app.kubernetes.io/part-of: job\n"      /* 9 */
                                   "  ownerReferences:\n"                      /* 10 */
                                   "  - apiVersion: grove.io/v1alpha1\n"       /* 11 */
                                   "    kind: PodCliqueSet\n"                  /* 12 */
                                   "    name: job\n"                           /* 13 */
                                   "    uid: u-set\n"                          /* 14 */
                                   "    controller: true\n"                    /* 15 */
                                   "spec:\n"                                   /* 16 */
                                   "  priorityClassName: high\n"               /* 17 */
                                   "  podgroups:\n"                            /* 18 */
                                   "  - name: job-0-router\n"                  /* 19 */
                                   "    minReplicas: 1\n"                      /* 20 */
                                   "    podReferences: []\n"                   /* 21 */
                                   "  - name: job-0-sg-0-decode\n"             /* 22 */
                                   "    minReplicas: 2\n"                      /* 23 */
                                   "    podReferences: []\n"                   /* 24 */
                                   "  topologyConstraintGroupConfigs:\n"       /* 25 */
                                   "  - name: job-0-sg-0\n"                    /* 26 */
                                   "    podGroupNames: [job-0-sg-0-decode]\n" /* 27 */;

static const char good_podcliqueset[] = "apiVersion: grove.io/v1alpha1\n"             /* 1 */
                                        "kind: PodCliqueSet\n"                        /* 2 */
                                        "metadata:\n"                                 /* 3 */
                                        "  name: job\n"                               /* 4 */
                                        "  namespace: ml\n"                           /* 5 */
                                        "  uid: u-set\n"                              /* 6 */
                                        "spec:\n"                                     /* 7 */
                                        "  replicas: 1\n"                             /* 8 */
                                        "  template:\n"                               /* 9 */
                                        "    cliques:\n"                              /* 10 */
                                        "    - name: router\n"                        /* 11 */
                                        "      spec:\n"                               /* 12 */
                                        "        roleName: router\n"                  /* 13 */
                                        "        replicas: 3\n"                       /* 14 */
                                        "        podSpec:\n"                          /* 15 */
                                        "          containers:\n"                     /* 16 */
                                        "          - name: main\n"                    /* 17 */
                                        "            resources:\n"                    /* 18 */
                                        "              requests: {cpu: 500m}\n"       /* 19 */
                                        "    - name: decode\n"                        /* 20 */
                                        "      spec:\n"                               /* 21 */
                                        "        roleName: decode\n"                  /* 22 */
                                        "        replicas: 2\n"                       /* 23 */
                                        "        minAvailable: 2\n"                   /* 24 */
                                        "        podSpec:\n"                          /* 25 */
                                        "          containers:\n"                     /* 26 */
                                        "          - name: main\n"                    /* 27 */
                                        "            resources:\n"                    /* 28 */
                                        "              limits: {nvidia.com/gpu: 4}\n" /* 29 */
                                        "    podCliqueScalingGroups:\n"               /* 30 */
                                        "    - name: sg\n"                            /* 31 */
                                        "      cliqueNames: [decode]\n"               /* 32 */
                                        "      replicas: 2\n" /* 33 */;

/* Documents that may be NULL: those that are not passed in. */
struct grove_texts {
    const char *podgang;
    const char *podcliqueset;
    const char *cluster;
    uint32_t flags;
};

/* What the first parse that fails found, else the resolve. Ends with end_run(). */
static inline struct run
run_grove(struct grove_texts texts)
{
    struct gang_podgang *podgang = NULL;
    struct gang_podcliqueset *set = NULL;
    struct gang_cluster *cluster = NULL;
    struct run run = {0};

    if (texts.podgang)
        run.result =
            parse_podgang(NULL, texts.podgang, strlen(texts.podgang), 0, &podgang, &run.error);
    if (!run.result && texts.podcliqueset)
        run.result = parse_podcliqueset(NULL, texts.podcliqueset, strlen(texts.podcliqueset), 0,
                                        &set, &run.error);
    if (!run.result && texts.cluster)
        run.result =
            parse_cluster(NULL, texts.cluster, strlen(texts.cluster), 0, &cluster, &run.error);
    if (!run.result)
        run.result = resolve_podgang_with(NULL, podgang, set, NULL, cluster, texts.flags,
                                          &run.decision, &run.error);
    unref_cluster(cluster);
    unref_podcliqueset(set);
    unref_podgang(podgang);
    return run;
}

/* The message of the finding of this code; NULL when it was not made. */
static inline const char *
message_of(const struct run *run, enum gang_code code)
{
    for (size_t i = 0; i < run_num_findings(run); i++)
        if (gang_diagnostic_get_code(run_finding(run, i)) == (int)code)
            return gang_diagnostic_get_message(run_finding(run, i));
    return NULL;
}

#endif
