/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LIBGANG_PLAN_PLAN_H
#define LIBGANG_PLAN_PLAN_H

#include "libgang/gang/gang.h"

/* One object that a plan has to write. The tag is public. */
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

/* A group inside a Workload, as pods of scheduling.k8s.io/v1alpha1 refer to it. */
struct plan_workload_ref {
    struct slice name; /* unset: none */
    struct slice pod_group;
};

/*
 * The changes to merge into the pods of one role, or into the job object. Labels and annotations
 * are sorted by key. Every text ends in NUL.
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
    struct plan_pair labels[PATCH_MOST_PAIRS]; /* last: plan_content_init() does not clear it */
    struct plan_pair annotations[PATCH_MOST_PAIRS];
};

/* A value that the backend or its version would silently drop. */
struct plan_loss {
    struct slice field;
    struct slice value;
    const char *reason;
};

struct plan_losses {
    struct plan_loss *items;
    size_t count;
};

/* An object that another controller will make. */
struct plan_prediction {
    struct slice controller;
    struct slice version; /* of the controller, as stated or assumed */
    const struct node *manifest;
};

/* The output of a backend. It starts with one empty patch per role, in the order of the roles. */
struct plan_content {
    struct arena *arena;
    struct gang_object *objects;
    size_t num_objects;
    struct gang_patch *patches;
    size_t num_patches;
    struct gang_patch *job_patch;   /* of the job object, not of its pods; precedes `patches` */
    const struct gang_patch *shown; /* patches with changes, the job object's first */
    size_t num_shown;
    struct plan_prediction *predictions;
    size_t num_predictions;
    const struct plan_loss *losses;
    size_t num_losses;
};

/* Returns false if the arena failed. */
bool plan_content_init(struct plan_content *content, struct arena *arena, const struct gang *gang);
void plan_add_object(struct plan_content *content, const struct node *manifest);
void plan_add_prediction(struct plan_content *content, struct plan_prediction prediction);
void plan_add_loss(struct plan_losses *losses, struct plan_loss loss, struct arena *arena);
/* Add nothing if the patch is full. An existing key gets the new value. */
void plan_patch_label(struct gang_patch *patch, struct slice key, struct slice value);
void plan_patch_annotation(struct gang_patch *patch, struct slice key, struct slice value);
/*
 * Returns the field at `index` among the changed fields of the pod's spec. Its key is a path with
 * dots. Unset past the end.
 */
struct plan_pair plan_patch_spec_field(const struct gang_patch *patch, size_t index);
/* Makes a patch that changes nothing. */
void plan_patch_clear(struct gang_patch *patch);
/* Whether the patch changes the pod's spec. */
bool plan_patch_has_spec(const struct gang_patch *patch);
/* Whether the patch changes the metadata of the pod or of the job object. */
bool plan_patch_has_marks(const struct gang_patch *patch);
bool plan_patch_is_empty(const struct gang_patch *patch);
/* Adds the member `metadata` with the labels and annotations of the patch, if it has any. */
void plan_patch_build_metadata(const struct gang_patch *patch, struct builder *map);

/*
 * Returns the patch of a role; NULL if it changes nothing. The callers ask for the roles in their
 * order; `*next`, at first 0, is the patch to look at next.
 */
const struct gang_patch *plan_next_patch(const struct plan_content *content, struct slice role,
                                         size_t *next);

/*
 * Called after rendering. Removes the patches that change nothing; after that, `patches` do not
 * follow the roles.
 */
void plan_content_settle(struct plan_content *content);

/* Where a map has what a pod has. */
enum pod_layout {
    POD_LAYOUT_POD, /* metadata and spec, as a pod or a pod template */
    POD_LAYOUT_FLAT /* labels, annotations and the fields of the spec as its own members */
};

/*
 * Returns a copy of the pod with the patch of its role in it. It shares what does not change with
 * `pod`, which may be NULL, and borrows nothing from the patch. NULL after a failed allocation.
 */
const struct node *pod_patch_apply(const struct gang_patch *patch, const struct node *pod,
                                   enum pod_layout layout, struct arena *arena);

#endif
