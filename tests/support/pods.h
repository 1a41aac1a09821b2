/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TESTS_SUPPORT_PODS_H
#define TESTS_SUPPORT_PODS_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/text.h"

/*
 * A list of pods of 5 KB, as `kubectl get pods -o yaml` or -o json prints them: eight to a job,
 * each job with a group of coscheduling. In YAML, the pods are in flow style.
 */

enum { POD_TEXT_SIZE = 8 * 1024, POD_VARIABLES = 52 };

static const char pod_text[] =
    "{\"apiVersion\":\"v1\",\"kind\":\"Pod\",\"metadata\":{\"annotations\":"
    "{\"cni.projectcalico.org/podIP\":\"10.0.0.1/32\"},"
    "\"creationTimestamp\":\"2026-01-01T00:00:00Z\",\"generateName\":\"job-@j-node-0-\","
    "\"labels\":{\"batch.kubernetes.io/controller-uid\":\"11111111-2222-3333-4444-@j\","
    "\"batch.kubernetes.io/job-completion-index\":\"@i\","
    "\"batch.kubernetes.io/job-name\":\"job-@j-node-0\","
    "\"controller-uid\":\"11111111-2222-3333-4444-@j\",\"job-name\":\"job-@j-node-0\","
    "\"jobset.sigs.k8s.io/jobset-name\":\"job-@j\","
    "\"jobset.sigs.k8s.io/replicatedjob-name\":\"node\","
    "\"scheduling.x-k8s.io/pod-group\":\"job-@j\"},\"name\":\"job-@j-node-0-@i\","
    "\"namespace\":\"ml\",\"ownerReferences\":[{\"apiVersion\":\"batch/v1\","
    "\"blockOwnerDeletion\":true,\"controller\":true,\"kind\":\"Job\","
    "\"name\":\"job-@j-node-0\",\"uid\":\"99999999-2222-3333-4444-@j\"}],"
    "\"resourceVersion\":\"@j\",\"uid\":\"55555555-2222-000@i-4444-@j\"},"
    "\"spec\":{\"containers\":[{\"command\":[\"torchrun\",\"/workspace/train.py\"],\"env\":[@v],"
    "\"image\":\"registry.example.com/team/train:v1.2.3\",\"imagePullPolicy\":\"IfNotPresent\","
    "\"name\":\"node\",\"resources\":{\"limits\":{\"cpu\":\"8\",\"memory\":\"64Gi\"},"
    "\"requests\":{\"cpu\":\"8\",\"memory\":\"64Gi\"}}}],\"dnsPolicy\":\"ClusterFirst\","
    "\"nodeName\":\"node-@j\",\"priority\":0,\"restartPolicy\":\"Never\","
    "\"schedulerName\":\"scheduler-plugins-scheduler\",\"securityContext\":{}},"
    "\"status\":{\"conditions\":[@c],\"hostIP\":\"10.0.0.2\",\"phase\":\"Running\","
    "\"podIP\":\"10.0.0.1\",\"qosClass\":\"Guaranteed\"}}";

static const char *const pod_conditions[] = {"PodReadyToStartContainers", "Initialized", "Ready",
                                             "ContainersReady", "PodScheduled"};

static inline void
pod_lists(char variables[POD_TEXT_SIZE], char conditions[POD_TEXT_SIZE])
{
    size_t len = 0;

    for (int i = 0; i < POD_VARIABLES; i++)
        len += (size_t)snprintf(variables + len, POD_TEXT_SIZE - len,
                                "%s{\"name\":\"VARIABLE_NUMBER_%d\",\"value\":\"value-number-%d\"}",
                                i ? "," : "", i, i);
    len = 0;
    for (size_t i = 0; i < sizeof(pod_conditions) / sizeof(pod_conditions[0]); i++)
        len += (size_t)snprintf(conditions + len, POD_TEXT_SIZE - len,
                                "%s{\"lastProbeTime\":null,"
                                "\"lastTransitionTime\":\"2026-01-01T00:00:00Z\","
                                "\"status\":\"True\",\"type\":\"%s\"}",
                                i ? "," : "", pod_conditions[i]);
}

/* Writes a pod: `@j` is the number of its job, `@i` its own, `@v` and `@c` are lists. */
static inline size_t
pod_write(char *out, size_t number, const char *variables, const char *conditions)
{
    char *at = out;

    for (const char *from = pod_text; *from; from++) {
        if (*from != '@')
            *at++ = *from;
        else if (*++from == 'j')
            at += sprintf(at, "%012zu", number / 8);
        else if (*from == 'i')
            at += sprintf(at, "%zu", number % 8);
        else
            at += sprintf(at, "%s", *from == 'v' ? variables : conditions);
    }
    *at = '\0';
    return (size_t)(at - out);
}

/* Ends the process without memory. Release with text_free(). */
static inline struct text
pods_text(size_t count, const char *head, const char *separator, const char *tail)
{
    struct text text = {malloc(count * POD_TEXT_SIZE + POD_TEXT_SIZE), 0};
    char variables[POD_TEXT_SIZE];
    char conditions[POD_TEXT_SIZE];

    if (!text.data)
        exit(2);
    pod_lists(variables, conditions);
    text.len = (size_t)sprintf(text.data, "%s", head);
    for (size_t i = 0; i < count; i++) {
        text.len += (size_t)sprintf(text.data + text.len, "%s", i ? separator : "");
        text.len += pod_write(text.data + text.len, i, variables, conditions);
    }
    text.len += (size_t)sprintf(text.data + text.len, "%s", tail);
    return text;
}

static inline struct text
pods_in_json(size_t count)
{
    return pods_text(count, "{\"apiVersion\":\"v1\",\"items\":[", ",\n", "],\"kind\":\"List\"}\n");
}

static inline struct text
pods_in_yaml(size_t count)
{
    return pods_text(count, "apiVersion: v1\nitems:\n- ", "\n- ", "\nkind: List\n");
}

#endif
