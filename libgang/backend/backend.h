/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LIBGANG_BACKEND_BACKEND_H
#define LIBGANG_BACKEND_BACKEND_H

#include "libgang/gang/gang.h"
#include "libgang/plan/plan.h"

/*
 * The contract of a scheduler backend. A new one is one file with the same inner order as its neighbours (keys and
 * versions with their sources, validate, render, the table), and one line in backend.c.
 */
struct backend {
    struct slice name;           /* in policies and in podGroupPolicy: "volcano" */
    struct slice type;           /* "Volcano" */
    struct slice api_version;    /* of the objects it renders */
    struct slice scheduler_name; /* where no policy says otherwise */
    struct slice gang_policy_member; /* the member of podGroupPolicy that chooses it */

    /* Reports what this backend cannot do with the gang, and what its scheduler is known to do wrong with it. */
    void (*validate)(const struct gang *gang, struct report *report);
    /* Writes objects, marks and losses. Called only for a gang without errors. */
    void (*render)(const struct gang *gang, struct plan_content *content);
};

extern const struct backend *const backend_table[];
extern const size_t backend_count;

const struct backend *backend_by_name(struct slice name);
const struct backend *backend_by_scheduler(struct slice scheduler_name);
const struct backend *backend_by_gang_policy_member(struct slice member);

/* Starts a manifest: apiVersion, kind, metadata with name, namespace and (with a uid) the owner reference. */
struct builder backend_manifest(const struct gang *gang, struct arena *arena, struct slice api_version,
                                struct slice kind);

#endif
