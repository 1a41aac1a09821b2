/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LIBGANG_BACKEND_UPDATE_RULES_H
#define LIBGANG_BACKEND_UPDATE_RULES_H

#include "libgang/base/arena.h"
#include "libgang/document/node.h"

/* What becomes of a field of `spec` when the object is there already. A field without a rule is somebody else's, and stays. */
enum update_class {
    UPDATE_OURS,    /* becomes what is rendered, and goes where nothing is */
    UPDATE_GIVEN,   /* the same, but stays where nothing is rendered: a default, or another's decision */
    UPDATE_KEPT,    /* stays as it is, absent too, whatever is rendered */
    UPDATE_FROZEN,  /* the API server refuses every change */
    UPDATE_ONCE,    /* the same, but for a first value where there was none */
    UPDATE_COUNTED, /* the same, but for `gang.minCount` anywhere in it */
};

struct update_field {
    struct slice name;
    enum update_class class;
    bool is_resources; /* amounts, of which "1" and 1000m are the same */
};

/* A label whose live value stays, whatever is rendered. */
struct update_label {
    struct slice key;
    bool is_never_added; /* and that stays absent */
};

struct backend_call;

/* What a rule may ask about the object. */
struct update_call {
    const struct backend_call *backend;
    struct slice kind;
    bool is_finished; /* the job has ended */
    struct arena *arena;
};

/* How objects of one kind are brought up to date. */
struct update_rules {
    const struct update_field *fields;
    size_t num_fields;
    const struct update_label *labels;
    size_t num_labels;
    bool replaces_owners; /* owner references become those rendered; else those rendered are added */
    /*
     * What the spec should come to, knowing the live one: with what the server fills in or drops, and what the backend
     * leaves to others. NULL: what is rendered.
     */
    const struct node *(*expect)(const struct update_call *call, const struct node *rendered,
                                 const struct node *live);
};

enum { UPDATE_MOST_FIELDS = 16 };

struct update_result {
    const struct node
        *manifest; /* the live object brought up to date, without status; NULL when the arena failed */
    bool is_changed;
    const struct update_field *frozen[UPDATE_MOST_FIELDS]; /* whose change needs a new object */
    size_t num_frozen;
    const struct update_field *kept[UPDATE_MOST_FIELDS]; /* that stay although another value is rendered */
    size_t num_kept;
};

/* Brings a live object up to date by the rules. Both manifests must outlive the result. */
struct update_result update_apply(const struct update_rules *rules, const struct update_call *call,
                                  const struct node *rendered, const struct node *live);

/* A live object as it is, without its status and what only the server manages: what update_apply() makes of no change. */
const struct node *update_without_status(const struct node *live, struct arena *arena);

#endif
