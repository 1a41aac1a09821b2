/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LIBGANG_BACKEND_WORKLOAD_WORKLOAD_VERSIONS_H
#define LIBGANG_BACKEND_WORKLOAD_WORKLOAD_VERSIONS_H

#include "libgang/base/arena.h"
#include "libgang/base/report.h"
#include "libgang/policy/cluster.h"

/* The fields that a group may have besides its name and policy. */
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
    struct slice gate; /* unset if none; off: the API server drops the field silently */
};

enum workload_reference {
    WORKLOAD_REF_NONE,     /* there are no PodGroups */
    WORKLOAD_REF_TEMPLATE, /* podGroupTemplateRef.workload{workloadName, podGroupTemplateName} */
    WORKLOAD_REF_FLAT,     /* workloadRef{workloadName, templateName} */
};

/* One version of scheduling.k8s.io, as libgang renders it. */
struct workload_version {
    struct slice api_version;
    uint32_t first_minor; /* the first Kubernetes 1.x that serves it */
    uint32_t last_minor;
    bool has_pod_groups;    /* shape S; else groups exist only inside the Workload, shape E */
    struct slice list;      /* the list of groups in the spec of a Workload */
    struct slice policy;    /* the policy of such a group */
    struct slice pod_field; /* the field that marks a pod */
    enum workload_reference reference;
    bool disrupts_by_word; /* disruptionMode is "Pod" or "PodGroup", not {single} or {all} */
    bool has_composites;   /* it serves CompositePodGroup */
    bool one_priority;     /* all groups of a Workload must have one priority */
    struct slice gates[2]; /* required for a gang */
    struct workload_field_support fields[WORKLOAD_FIELD_COUNT];
};

/* In order of preference. */
extern const struct workload_version workload_versions[];
extern const size_t workload_version_count;

extern const struct slice workload_gate_eviction;

/* Returns NULL for a version that libgang does not know. */
const struct workload_version *workload_version_of(struct slice api_version);

/* Whether it serves CompositePodGroup, whose gates must not be off. */
enum cluster_answer workload_serves_composites(const struct workload_version *version,
                                               const struct gang_cluster *cluster);

/*
 * Returns the version to render: `pinned` if it is set, else the first that is served. Versions
 * that are not known to be served come after all that are. Returns NULL and reports an error if
 * there is none.
 */
const struct workload_version *workload_version_choose(const struct gang_cluster *cluster,
                                                       struct slice pinned, bool wants_composites,
                                                       struct report *report);

/*
 * Reports gates that are off, pod fields that the installed CRDs drop, and what could not be
 * checked.
 */
void workload_version_check(const struct workload_version *version,
                            const struct gang_cluster *cluster, struct report *report);

/*
 * 63 rather than the 253 of an object's name: JobSet uses this limit, and users write the name into
 * labels.
 */
enum { WORKLOAD_NAME_MOST = 63, WORKLOAD_HASH_SIZE = 10, WORKLOAD_DIGEST_SIZE = 10 };

/* One to ten characters of the alphabet of kubernetes/apimachinery's rand.SafeEncodeString. */
struct workload_hash {
    char text[WORKLOAD_HASH_SIZE];
    size_t len;
};

/*
 * Returns SafeEncode(decimal(FNV-1a-32(texts, concatenated))), as the Job controller of Kubernetes
 * hashes: kubernetes/kubernetes:pkg/controller/job. The alphabet has no vowels and no characters
 * that look like vowels.
 */
struct workload_hash workload_hash_of(const struct slice *texts, size_t count);

/*
 * Writes the first ten hexadecimal digits of the SHA-1 of all texts, as JobSet hashes:
 * kubernetes-sigs/jobset (KEP-969).
 */
void workload_digest_of(const struct slice *texts, size_t count, char out[WORKLOAD_DIGEST_SIZE]);

/* The parts of every name of one job. They do not depend on the API version. */
struct workload_naming {
    struct slice namespace_; /* unset if absent */
    struct slice job;
    struct slice uid; /* unset: the names will differ from those in the cluster */
    bool is_hashed;   /* nameStyle: Hashed */
};

/* Returns `<job>`, or with nameStyle Hashed `<job>-<hash of the uid>`. */
struct slice workload_object_name(const struct workload_naming *naming, struct arena *arena);

/*
 * Returns `<job>-<template>-<hash>`, with the job's name cut so that the result has at most 63
 * characters. The hash is of the uid and the template, so that a job never uses the terminating
 * group of an earlier job with the same name. Unset if the template leaves no room for the job's
 * name.
 */
struct slice workload_pod_group_name(const struct workload_naming *naming,
                                     struct slice template_name, struct arena *arena);

/*
 * Returns the template name for several roles: their names joined by `-`, and JobSet's hash of a
 * group of replicatedJobs. The hash distinguishes ["a-b"] from ["a", "b"].
 */
struct slice workload_joint_name(const struct workload_naming *naming, struct slice joined_roles,
                                 struct arena *arena);

#endif
