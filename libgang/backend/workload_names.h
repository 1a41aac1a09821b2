/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LIBGANG_BACKEND_WORKLOAD_NAMES_H
#define LIBGANG_BACKEND_WORKLOAD_NAMES_H

#include "libgang/base/arena.h"

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
