/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LIBGANG_RENDER_RENDER_H
#define LIBGANG_RENDER_RENDER_H

#include "libgang/decide/choice.h"

/* The rendered result of a decision. */
struct gang_plan {
    struct refcount references;
    struct arena *arena;
    struct gang_decision *decision;
    struct gang_document *live;      /* of a reconciled plan; NULL: no object exists */
    const struct backend_live *seen; /* of a reconciled plan; NULL: nothing */
    struct plan_content content;
    const struct report *findings; /* the decision's; of a reconciled plan, these and its own */
    struct report own_findings;
    bool is_held;       /* an object, or the pods of the JobSet, conflict with the plan */
    bool omits_patches; /* the pods keep what the JobSet says */
};

/*
 * Returns an empty plan in its own arena. Fails as every later allocation can: out of memory, or at
 * the limit.
 */
struct gang_plan *plan_new(struct gang_decision *decision, const struct limits *limits, int *result,
                           struct gang_error **err);

/*
 * Renders into a new plan, or again. `created_uid` is the uid of the first object after it was
 * created; unset before.
 */
void plan_fill(struct gang_plan *plan, struct slice created_uid);

/*
 * Applies a policy's `output` to the metadata of every object of a plan: labels and annotations,
 * except keys that the backend sets itself; the policy's stamp; and no owner references if the
 * policy omits them.
 */
void output_apply(const struct gang_policy *policy, struct plan_content *content);

/*
 * Returns the GangPlan document as a tree in `arena`. The order of its keys is part of the
 * interface.
 */
const struct node *plan_document_build(const struct gang_plan *plan, struct arena *arena);

/* The same for a GangDecision document: the decision without rendered objects. */
const struct node *plan_document_build_decision(const struct gang_decision *decision,
                                                struct arena *arena);

/* Writes `gang.subgroups`. */
void plan_document_subgroups(const struct gang_wishes *wishes, struct builder *map);

/* Writes one of `patches` into the map `item`. */
void plan_document_patch(const struct gang_patch *patch, struct builder *item);
/* Writes the items of `diagnostics`. */
void plan_document_diagnostics(const struct gang_diagnostic *items, size_t count,
                               struct builder *list);

/* Writes the row of the decision in an audit. */
void audit_row_write(const void *decision, enum gang_format format, struct arena *arena,
                     struct buffer *row);

/* Write `roles` and `trace`. */
void plan_document_roles(const struct gang *gang, struct builder *document);
void plan_document_trace(const struct trace *trace, struct builder *document);

/*
 * The documents that a user applies instead of the plan's patches: the inputs with the patches in
 * them. Both functions return a tree in `arena` that shares what does not change with the input.
 * They report what the documents cannot contain; the result is then not to be used.
 */

/*
 * The runtime without podGroupPolicy, so that the operator creates no PodGroup, and with the
 * schedulerName and priorityClassName of the patches.
 */
const struct node *target_runtime_build(const struct gang_plan *plan, const struct limits *limits,
                                        struct arena *arena, struct report *report);

/*
 * The TrainJob with the labels and annotations of the patches in an entry of runtimePatches; a job
 * of another kind with the patches in its pod templates, see job_marks.h.
 */
const struct node *target_job_build(const struct gang_plan *plan, const struct limits *limits,
                                    struct arena *arena, struct report *report);

/*
 * Returns the document of a job that is not a TrainJob, with the patches in the pod templates of
 * its roles. A job with several gangs has those of all: the others are resolved with the same
 * inputs. The tree is in `arena` and shares what does not change with the document. Reports what
 * the document cannot contain; the result is then not to be used.
 */
const struct node *job_marks_build(const struct gang_plan *plan, const struct limits *limits,
                                   struct arena *arena, struct report *report);

#endif
