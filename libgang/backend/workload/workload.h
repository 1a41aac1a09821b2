/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LIBGANG_BACKEND_WORKLOAD_WORKLOAD_H
#define LIBGANG_BACKEND_WORKLOAD_WORKLOAD_H

#include "libgang/backend/backend.h"

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
    struct slice gate;      /* unset if none; off: the API server drops the field silently */
    uint32_t ungated_minor; /* the first Kubernetes 1.x without the gate; 0: none */
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
    bool has_composites;   /* it has CompositePodGroup, which a server may not serve */
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

/* Whether the API server keeps the field of a PodGroup; no if the version, or NULL, has it not. */
enum cluster_answer workload_keeps_field(const struct workload_version *version,
                                         enum workload_field field,
                                         const struct gang_cluster *cluster);

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
void workload_version_check(const struct workload_version *version, enum template_fields fields,
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

/*
 * WorkloadMaxPodGroupTemplates of kubernetes/api:scheduling/v1beta1/types.go, equal in all
 * versions.
 */
enum { WORKLOAD_MOST_GROUPS = 8 };
#define WORKLOAD_NO_GROUP SIZE_MAX

/* Why a group lacks a field that workload_wish_lost() returns. */
extern const char workload_basic_reason[];

/* A field that a document or a fact asks for on a group. */
struct workload_wish {
    struct slice value;        /* unset: not wanted; of claims, the name of the first */
    const struct node *source; /* NULL if it follows from a fact and no document sets it */
};

struct workload_group {
    struct slice template_name;
    struct slice object_name; /* of its PodGroup; unset if no name fits */
    bool is_basic;            /* its pods wait only for the PodGroup */
    bool is_first;            /* it has pods of the job's first wave */
    bool has_members;         /* it has pods of the gang, including late ones */
    int64_t minimum;
    const struct role *late; /* the first role to join after the group's first wave, or NULL */
    struct workload_wish wishes[WORKLOAD_FIELD_COUNT];
    const struct node *source; /* the document's node that asks for it; NULL for the job's own */
    size_t parent;             /* index of the composite that it is in; WORKLOAD_NO_GROUP: none */
};

/* How a job's pods are divided into groups. Names do not depend on the version. */
struct workload_groups {
    struct slice workload_name;
    struct workload_group *items; /* NULL if the arena failed */
    size_t count;
    size_t *of_role; /* index of each role's group, or WORKLOAD_NO_GROUP */
    /* That of all groups, then those of the groups of the job, each after its parent. `minimum`
     * counts groups. */
    struct workload_group *composites;
    size_t num_composites;
    int64_t pods; /* that must start together, with composites of the groups of the job */
    /* which groups of the job have a PodGroup; NULL without composites */
    const bool *in_tree;
    const char *why_no_tree; /* why there are none; NULL if there are, or no groups of the job */
    const char *why_no_composite; /* NULL if none was asked for, or if one is made */
};

/*
 * Returns the key of a node label that the policy's settings ask for; unset if there is none or if
 * it is only preferred.
 */
struct slice workload_topology_level(const struct gang *gang);

/*
 * Returns what the policy wants of every gang if some group of members does not get it because it
 * is basic. What a runtime wants is never lost.
 */
struct workload_wish workload_wish_lost(const struct workload_groups *groups,
                                        enum workload_field field, const struct backend_call *call);

/*
 * Applies `lateMembers: Exclude` to the entries of spec.scheduling: roles that join after the first
 * wave of their own group are left out.
 */
void workload_groups_leave_late_out(struct gang_wishes *wishes, struct arena *arena);

/* `version` is the one to render. The gang must be formed. */
struct workload_groups workload_groups_make(const struct backend_call *call,
                                            const struct workload_version *version,
                                            struct arena *arena);

/*
 * A runtime's spec.scheduling: kubeflow/trainer KEP-3015 in its newest form, with the three levels
 * of JobSet (kubernetes-sigs/jobset KEP-969). Level 1 applies to the whole job, level 2 to groups
 * of roles, level 3 to the Jobs of one role. The runtime's schema has checked the types.
 */

/* What a level asks for on a group. Fields that it does not set are NULL or false. */
struct workload_block {
    bool is_basic; /* false: a gang, also if no policy is set */
    const struct node *topology_key;
    const struct node *disruption; /* `single` or `all` below disruptionMode */
    const struct node *claims;
    const struct node *source;
};

/* Reads `scheduling` of level 1, an entry of replicatedJobs of level 2, or its `job` of level 3. */
struct workload_block workload_block_read(const struct node *source);

/* Returns the entries of levels 2 and 3; NULL at level 1 and without spec.scheduling. */
const struct node *workload_scheduling_entries(const struct node *scheduling);
/*
 * Reports what Kubernetes or JobSet would reject: unions with no member or several, counts that
 * only the controller may set, and roles that are targeted twice, not at all, or do not exist. Uses
 * the words of `version`; of the newest version if NULL.
 */
void workload_scheduling_check(const struct gang *gang, const struct workload_version *version,
                               struct report *report);

/*
 * Reports claims with none or both of their sources, and invalid names; also for a policy's
 * options. `claims` may be NULL.
 */
void workload_check_claims(const struct node *claims, struct report *report);
/* Reports a topology key that is not a label key. `key` may be NULL. */
void workload_check_topology_key(const struct node *key, struct report *report);

/*
 * Reports pod fields that conflict with the groups: another controller's groups, priorities,
 * claims, eviction responders. `version` is NULL if none could be chosen.
 */
void workload_check_pods(const struct workload_groups *groups, const struct backend_call *call,
                         const struct workload_version *version, struct report *report);

/*
 * What happens to a field that is wanted on a group. A field that no document sets is silently
 * omitted if the version does not have it.
 */
enum workload_fate {
    WORKLOAD_RENDERED,
    WORKLOAD_NOT_WANTED,
    WORKLOAD_LOST,    /* its gate is off, so the API server would silently drop it */
    WORKLOAD_UNKNOWN, /* rendered, but it is not known whether the gate is on */
    WORKLOAD_NO_PLACE /* the version does not have it */
};

enum workload_fate workload_fate_of(const struct workload_group *group, enum workload_field field,
                                    const struct workload_version *version,
                                    const struct gang_cluster *cluster);

/* Reports names, counts and fields of the groups that Kubernetes would reject or drop. */
void workload_check_groups(const struct workload_groups *groups, const struct backend_call *call,
                           const struct workload_version *version, struct report *report);

/* Reports groups that can never start or are no gang, and members that join late. */
void workload_check_order(const struct workload_groups *groups, const struct backend_call *call,
                          struct report *report);

/*
 * What each version of scheduling.k8s.io allows to change, and what its server fills in or drops.
 * Sources: kubernetes/api:scheduling/{v1alpha1,v1alpha2,v1alpha3,v1beta1}/types.go@v0.35.7,
 * @v0.36.3 and @10b39a3; for the lifecycle and for differences that are no drift,
 * kubernetes-sigs/jobset:keps/969-GangScheduling and kubernetes/enhancements KEP-5547.
 */
extern const struct backend_updates workload_updates;

/* The values of `backends[].workload` in a policy. A node is NULL if the option is absent. */
struct workload_options {
    bool is_hashed; /* nameStyle: Hashed */
    enum gang_late late;
    const struct node *late_source;
    bool groups_initializers; /* initializers: Basic */
    const struct node *initializers_source;
    bool by_role;   /* groups: Role */
    bool composite; /* composite: WhereServed */
    const struct node *composite_source;
    const struct node *topology_key;
    const struct node *disruption_mode; /* "Single" or "All" */
    const struct node *preemption_policy;
    const struct node *resource_claims;
};

/* `options` is NULL if the block is absent. */
struct workload_options workload_options_read(const struct node *options);

#endif
