/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LIBGANG_RENDER_RENDER_H
#define LIBGANG_RENDER_RENDER_H

#include "libgang/decide/choice.h"
#include "libgang/decide/decision.h"

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
struct gang_plan *plan_new(const struct gang_decision *decision, const struct limits *limits,
                           int *result, struct gang_error **err);

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

/* Returns the gang's name as its pods and the scheduler have it; the job's if there is no gang. */
struct slice decision_gang_name(const struct gang_decision *decision, struct arena *arena);

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

/*
 * Returns the members of both documents, those of the plan if there is one (not NULL), for readers
 * within the library.
 */
const struct node *plan_document_build_whole(const struct gang_decision *decision,
                                             const struct gang_plan *plan, struct arena *arena);

/* Takes documents, which it copies; false if it is out of memory. */
struct node_taker {
    bool (*take)(void *data, const struct node *root);
    void *data;
};

/*
 * Gives the document of a target of gang_plan_serialize() to the taker; of GANG_TARGET_OBJECTS,
 * NULL and then each object. Not in gang.h: for libgang-json-c of the same release.
 */
GANG_EXPORT
int gang_private_plan_take(const struct gang_context *context, const struct gang_plan *plan,
                           int target, const struct node_taker *taker, struct gang_error **err);

/*
 * Appends why a decision has its outcome: the first error with its path, unless it is one of the
 * policy, whose message names the rule.
 */
void audit_put_reason(const struct report *findings, const char *otherwise, struct buffer *out);

/*
 * Returns the length of a prefix such as "Forbidden: ": one of the types of Kubernetes' field
 * errors without a value.
 */
size_t audit_kind_of_error(struct slice message);

/* Writes the row of the decision in an audit. */
void audit_row_write(const void *decision, enum gang_format format, struct arena *arena,
                     struct buffer *row);

/* Write `roles` and `trace`. */
void plan_document_roles(const struct gang *gang, struct builder *document);
void plan_document_trace(const struct trace *trace, struct builder *document);

/*
 * Returns the document of a job that is not a TrainJob, with the patches in the pod templates of
 * its roles. A job with several gangs has those of all: the others are resolved with the same
 * inputs. The tree shares what does not change with the document. Reports what the document cannot
 * contain; the result is then not to be used.
 */
const struct node *job_marks_build(const struct gang_plan *plan, struct report *report);

struct svg_point {
    int64_t x;
    int64_t y;
};

/* Appends elements. `format` has only numbers and constant texts, and at most 255 bytes. */
LIKE_PRINTF(2, 3)
void svg_put(struct buffer *out, const char *format, ...);

/*
 * Appends text that XML accepts anywhere: markup characters become entities, and each character
 * that is unprintable or not UTF-8 becomes U+FFFD.
 */
void svg_put_text(struct buffer *out, struct slice text);

/*
 * How many pixels the text is wide at most, whatever font a browser uses. `class` is that of the
 * element, a constant; its style is in picture.c.
 */
int64_t svg_width(const char *class, struct slice text);

/* Appends a line of text. What is wider than `width` is cut, and its title is the whole text. */
void svg_put_line(struct buffer *out, struct svg_point at, const char *class, struct slice text,
                  int64_t width);

/*
 * Appends text as lines that fit into `width`, split at spaces. Returns the position of the line
 * after the last one.
 */
struct svg_point svg_put_wrapped(struct buffer *out, struct svg_point at, const char *class,
                                 struct slice text, int64_t width);
/* Takes the next of these lines off the text; empty at the end. */
struct slice svg_next_line(struct slice *text, const char *class, int64_t width);

enum { SVG_LINE_HEIGHT = 18 };

/*
 * Writes the decision as one SVG document: a box for each role, stages and waves from left to
 * right, the start order as arrows, and the gang as a frame around its members. A gang that can
 * never start has the roles of the deadlock in red. Same decision, same bytes. The colours follow
 * the reader's light or dark scheme; shape and words say what the colours say.
 */
struct picture_role {
    const char *words; /* what exists of it; NULL: nothing is known */
    bool is_member;
};

/* What exists of a job, drawn into the picture of its decision. */
struct picture_state {
    const char *verdict;
    const char *cause;
    bool is_bad;
    struct slice group;               /* unset: there is none */
    const struct picture_role *roles; /* as those of the gang */
};

/* `state`: NULL if what exists is not known. */
void picture_write(const struct gang_decision *decision, const struct picture_state *state,
                   struct arena *arena, struct buffer *out);

/* What is explained. */
struct explained {
    const struct gang_decision *decision;
    const struct gang_plan *plan; /* NULL: nothing is rendered */
    const struct report *findings;
    bool is_verbose; /* also infos, places of sources, and attributes without a value */
};

enum { EXPLANATION_CELLS = 4 };

enum explanation_kind {
    EXPLANATION_LINE,
    EXPLANATION_HEAD,    /* the first row; without a label */
    EXPLANATION_ARROW,   /* between two waves */
    EXPLANATION_FINDING, /* code, place, message, hint */
};

/* One row of an explanation, whose texts are printable. */
struct explanation_row {
    enum explanation_kind kind;
    struct slice label;                    /* empty: that of the row before */
    struct slice cells[EXPLANATION_CELLS]; /* unset: absent, as are those behind it */
    size_t pads[EXPLANATION_CELLS];        /* spaces behind the cell that align a text */
};

struct explanation {
    struct arena *arena;
    struct explanation_row *items;
    size_t count;
};

/* Returns the rows, in `arena`. Incomplete if the arena has failed. */
struct explanation explanation_make(const struct explained *explained, struct arena *arena);

/* Writes the rows of a struct explained as GANG_FORMAT_TEXT or GANG_FORMAT_HTML. */
void explanation_write(const void *explained, enum gang_format format, struct arena *arena,
                       struct buffer *out);

#endif
