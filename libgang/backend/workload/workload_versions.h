/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LIBGANG_BACKEND_WORKLOAD_WORKLOAD_VERSIONS_H
#define LIBGANG_BACKEND_WORKLOAD_WORKLOAD_VERSIONS_H

#include "libgang/base/arena.h"
#include "libgang/base/report.h"
#include "libgang/policy/cluster.h"

/* What a group may say beside its name and policy. */
enum workload_field {
    WORKLOAD_TOPOLOGY,   /* schedulingConstraints.topology[].key */
    WORKLOAD_CLAIMS,     /* resourceClaims */
    WORKLOAD_DISRUPTION, /* disruptionMode */
    WORKLOAD_PRIORITY,   /* priorityClassName */
    WORKLOAD_PREEMPTION, /* preemptionPolicy */
    WORKLOAD_FIELD_COUNT
};

extern const struct slice workload_field_names[WORKLOAD_FIELD_COUNT];

struct workload_field_support {
    bool is_there;
    struct slice
        gate; /* unset: none of its own. When it is off, the API server drops the field without a word */
};

enum workload_reference {
    WORKLOAD_REF_NONE,     /* there are no PodGroups */
    WORKLOAD_REF_TEMPLATE, /* podGroupTemplateRef.workload{workloadName, podGroupTemplateName} */
    WORKLOAD_REF_FLAT,     /* workloadRef{workloadName, templateName} */
};

/* One version of scheduling.k8s.io as libgang writes it. */
struct workload_version {
    struct slice api_version;
    uint32_t first_minor; /* of Kubernetes 1.x that serves it */
    uint32_t last_minor;
    bool has_pod_groups;    /* shape S; else the groups stand in the Workload alone, shape E */
    struct slice list;      /* of groups in spec of a Workload */
    struct slice policy;    /* of such a group */
    struct slice pod_field; /* what marks a pod */
    enum workload_reference reference;
    bool disrupts_by_word; /* disruptionMode is "Pod" or "PodGroup", not {single} or {all} */
    bool has_composites;   /* CompositePodGroup is served */
    bool one_priority;     /* all groups of a Workload must have one priority */
    struct slice gates[2]; /* without which there is no gang */
    struct workload_field_support fields[WORKLOAD_FIELD_COUNT];
};

/* In order of preference. */
extern const struct workload_version workload_versions[];
extern const size_t workload_version_count;

extern const struct slice workload_gate_composite;
extern const struct slice workload_gate_topology;
extern const struct slice workload_gate_preemption;
extern const struct slice workload_gate_eviction;

/* NULL for a version that libgang does not know. */
const struct workload_version *workload_version_of(struct slice api_version);

/*
 * Whether the cluster serves every resource that the version needs. Where the cluster does not say, the release of
 * Kubernetes decides what is out of the question; the rest is unknown.
 */
enum cluster_answer workload_is_served(const struct workload_version *version,
                                       const struct gang_cluster *cluster);
/* The same for CompositePodGroup, its gates included. */
enum cluster_answer workload_serves_composites(const struct workload_version *version,
                                               const struct gang_cluster *cluster);

/*
 * The version to write: `pinned` if it is set, else the first that is served. What is only not known to be served comes
 * after all that is. NULL, with an error reported, for none.
 */
const struct workload_version *workload_version_choose(const struct gang_cluster *cluster,
                                                       struct slice pinned, bool wants_composites,
                                                       struct report *report);

/* Reports gates that are off, pod fields that the installed CRDs drop, and what nobody could check. */
void workload_version_check(const struct workload_version *version, const struct gang_cluster *cluster,
                            struct report *report);

/*
 * 63 and not the 253 of an object's name: JobSet keeps to it, and users write the name into labels.
 */
enum { WORKLOAD_NAME_MOST = 63, WORKLOAD_HASH_SIZE = 10, WORKLOAD_DIGEST_SIZE = 10 };

/* One to ten characters of the alphabet of kubernetes/apimachinery's rand.SafeEncodeString. */
struct workload_hash {
    char text[WORKLOAD_HASH_SIZE];
    size_t len;
};

/*
 * SafeEncode(decimal(FNV-1a-32(texts, one behind the other))), as the Job controller of Kubernetes hashes: kubernetes/
 * kubernetes:pkg/controller/job. The alphabet has neither vowels nor what looks like one.
 */
struct workload_hash workload_hash_of(const struct slice *texts, size_t count);

/* The first ten hexadecimal digits of the SHA-1 of all of them, as JobSet hashes: kubernetes-sigs/jobset (KEP-969). */
void workload_digest_of(const struct slice *texts, size_t count, char out[WORKLOAD_DIGEST_SIZE]);

/* What every name of one job is made of. None of it depends on the API version. */
struct workload_naming {
    struct slice namespace_; /* unset without one */
    struct slice job;
    struct slice uid; /* unset: the names are not those that the job will have in the cluster */
    bool is_hashed;   /* nameStyle: Hashed */
};

/* `<job>`, or with nameStyle Hashed `<job>-<hash of the uid>`. */
struct slice workload_object_name(const struct workload_naming *naming, struct arena *arena);

/*
 * `<job>-<template>-<hash>`, the job's name cut so that all of it has 63 characters. The hash is of the uid and the
 * template, so that a job never meets the terminating group of one that had its name. Unset when the template leaves
 * no room for the job's name.
 */
struct slice workload_pod_group_name(const struct workload_naming *naming, struct slice template_name,
                                     struct arena *arena);

/*
 * The template of several roles: their names with `-` between them and JobSet's hash of a group of replicatedJobs
 * behind. The hash keeps ["a-b"] and ["a", "b"] apart.
 */
struct slice workload_joint_name(const struct workload_naming *naming, struct slice joined_roles,
                                 struct arena *arena);

#endif
