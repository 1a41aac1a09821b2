/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LIBGANG_BACKEND_UPDATE_RULES_H
#define LIBGANG_BACKEND_UPDATE_RULES_H

#include "libgang/document/node.h"

/*
 * How a field of `spec` changes if the object already exists. A field without a rule belongs to
 * another writer and stays unchanged.
 */
enum update_class {
    UPDATE_OURS,    /* set to the rendered value; removed if none is rendered */
    UPDATE_GIVEN,   /* the same, but kept if none is rendered: a default, or another's value */
    UPDATE_KEPT,    /* never changed and never added, whatever is rendered */
    UPDATE_FROZEN,  /* the API server rejects every change */
    UPDATE_ONCE,    /* the same, except a first value for an absent field */
    UPDATE_COUNTED, /* the same, except changes of `gang.minCount` anywhere in it */
};

struct update_field {
    struct slice name;
    enum update_class class;
    bool is_resources; /* resource amounts, of which "1" and 1000m are equal */
    bool omits_zero;   /* an integer with omitempty in the Go type: 0 equals absent */
};

#define UPDATE_FIELD(name_, ...)                                                                   \
    {                                                                                              \
        .name = SLICE_INIT(name_), .class = __VA_ARGS__                                            \
    }

/* A label whose live value is kept, whatever is rendered. */
struct update_label {
    struct slice key;
    bool is_never_added; /* and that stays absent if it is absent */
};

struct backend_call;

/* The facts about the object that a rule may use. */
struct update_call {
    const struct backend_call *backend;
    struct slice kind;
    bool is_finished; /* the job has finished */
    bool wakes;       /* count the annotation up that wakes the scheduler */
    struct arena *arena;
};

/* How objects of one kind are updated. */
struct update_rules {
    const struct update_field *fields;
    size_t num_fields;
    const struct update_label *labels;
    size_t num_labels;
    bool replaces_owners; /* rendered owner references replace the live ones; else they are added */
    /*
     * The kind has no status subresource, so a PUT replaces the status too: a changed object has
     * the live one. With the subresource the API server ignores the status.
     */
    bool keeps_status;
    /*
     * Optional. Returns the spec to reach, given the live one: with fields that the server fills in
     * or drops, and fields that the backend leaves to others. NULL: the rendered spec.
     */
    const struct node *(*expect)(const struct update_call *call, const struct node *rendered,
                                 const struct node *live);
};

enum { UPDATE_MOST_FIELDS = 16 };

struct update_result {
    const struct node *manifest; /* to PUT; NULL if the arena failed */
    bool is_changed;
    const struct update_field *frozen[UPDATE_MOST_FIELDS]; /* their changes need a new object */
    size_t num_frozen;
    const struct update_field *kept[UPDATE_MOST_FIELDS]; /* kept, though another is rendered */
    size_t num_kept;
};

/* Updates a live object by the rules. Both manifests must outlive the result. */
struct update_result update_apply(const struct update_rules *rules, const struct update_call *call,
                                  const struct node *rendered, const struct node *live);

/*
 * Returns a live object without its status and without what only the server manages: the result of
 * update_apply() if nothing changes.
 */
const struct node *update_without_status(const struct node *live, struct arena *arena);

#endif
