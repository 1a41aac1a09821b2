/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LIBGANG_PLAN_PLAN_H
#define LIBGANG_PLAN_PLAN_H

#include "libgang/document/build.h"
#include "libgang/gang/gang.h"
#include <gang/gang.h>

/* The public tag of what a plan has to write. */
struct gang_object {
    enum gang_action action;
    const struct node *manifest;
};

struct plan_pair {
    struct slice key;
    struct slice value;
};

enum { PATCH_MOST_PAIRS = 8 };

#define PLAN_TARGET_ROLE SLICE("Role")

/* A group inside a Workload, as pods of scheduling.k8s.io/v1alpha1 name it. */
struct plan_workload_ref {
    struct slice name; /* unset: none */
    struct slice pod_group;
};

/*
 * What to merge into the pods of one role, or into the job object; only what changes. Labels and annotations stay
 * sorted by key. Every text ends in NUL.
 */
struct gang_patch {
    struct slice target; /* PLAN_TARGET_ROLE, or the kind of the job object */
    struct slice role;   /* unset: the job object */
    size_t num_labels;
    size_t num_annotations;
    struct slice scheduler_name;
    struct slice priority_class_name;
    struct slice scheduling_group; /* spec.schedulingGroup.podGroupName */
    struct plan_workload_ref workload_ref;
    struct plan_pair
        labels[PATCH_MOST_PAIRS]; /* last: plan_content_init() does not clear what nobody reads */
    struct plan_pair annotations[PATCH_MOST_PAIRS];
};

/* What the backend or its version would drop in silence. */
struct plan_loss {
    struct slice field;
    struct slice value;
    const char *reason;
};

/* An object that another controller will make. */
struct plan_prediction {
    struct slice controller;
    struct slice version; /* of the controller, as it was stated or taken */
    const struct node *manifest;
};

/* What a backend writes into. One patch per role stands ready, in the order of the roles, empty. */
struct plan_content {
    struct arena *arena;
    struct gang_object *objects;
    size_t num_objects;
    struct gang_patch *patches;
    size_t num_patches;
    struct gang_patch
        *job_patch; /* of the job object itself, not of its pods; it stands in front of `patches` */
    const struct gang_patch *shown; /* those that change something, the job object's first */
    size_t num_shown;
    struct plan_prediction *predictions;
    size_t num_predictions;
    struct plan_loss *losses;
    size_t num_losses;
};

/* False when the arena has failed. */
bool plan_content_init(struct plan_content *content, struct arena *arena, const struct gang *gang);
void plan_add_object(struct plan_content *content, const struct node *manifest);
void plan_add_prediction(struct plan_content *content, struct plan_prediction prediction);
void plan_add_loss(struct plan_content *content, struct slice field, struct slice value, const char *reason);
/* False when the patch is full; a key that is there gets the new value. */
bool plan_patch_label(struct gang_patch *patch, struct slice key, struct slice value);
bool plan_patch_annotation(struct gang_patch *patch, struct slice key, struct slice value);
/* The field of the pod's spec that stands at `index` of those that change, its key a path with dots; unset past the end. */
struct plan_pair plan_patch_spec_field(const struct gang_patch *patch, size_t index);
/* Whether the pod's spec changes. */
bool plan_patch_has_spec(const struct gang_patch *patch);
bool plan_patch_is_empty(const struct gang_patch *patch);

/* After rendering: leaves out the patches that change nothing. `patches` no longer follow the roles then. */
void plan_content_settle(struct plan_content *content);

#endif
