/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LIBGANG_BACKEND_BACKEND_H
#define LIBGANG_BACKEND_BACKEND_H

#include "libgang/plan/plan.h"
#include "libgang/policy/cluster.h"

/*
 * What gang_reconcile() found of a job, for a backend that predicts the objects of another
 * controller.
 */
struct backend_live {
    /* of the JobSet of the job, or what its objects say if it is not passed; unset if not known */
    struct slice set_uid;
    /* the live objects of the backend's kinds whose names predicted_names() begins */
    const struct node **objects;
    size_t count;
};

/* The input of a backend's functions. Everything is borrowed for the call. */
struct backend_call {
    const struct gang *gang;
    const struct gang_cluster *cluster; /* NULL if no cluster is given */
    const struct node *options;         /* the policy's, checked by the schema; NULL: defaults */
    struct slice api_version;           /* of the objects to render; on input, the policy's */
    struct slice created_uid;           /* of the plan's first object if it exists; unset before */
    const void *state;                  /* the result of the backend's open(); NULL without one */
    struct plan_losses losses;          /* set by backend_validate() */
    const struct backend_live *live;    /* NULL unless gang_reconcile() renders */
};

/* ---- losses ---- */

/* What a scheduler loses of a gang, on its way into the report and into the plan. */
struct loss_sink {
    struct report *report;
    struct plan_losses losses; /* allocated in the report's arena */
};

/* Adds a lost value to the plan alone; the caller reports it. */
void loss_add(struct loss_sink *sink, struct slice field, struct slice value, const char *reason);

/*
 * Finds the lost values of these rows, for rows that a backend adds to those of its descriptor.
 * Each has a source in a document.
 */
void loss_find(const struct loss *losses, size_t count, const struct gang *gang,
               struct loss_sink *sink);

/* The name of a field in the plan's trace. */
struct slice loss_field_name(enum loss_field field);

/*
 * Whether fewer pods must start than exist in the first wave. Otherwise the minima of single roles
 * are not lost.
 */
static inline bool
gang_may_start_in_part(const struct gang *gang)
{
    return gang->members - gang->late_members > gang->minimum;
}

/*
 * Whether the job asks for fewer pods than those whose requests `resources` sums: a scheduler that
 * waits for room for all of these would not start the minimum.
 */
static inline bool
gang_sums_beyond_minimum(const struct gang *gang)
{
    return gang->wishes->minimum && gang->minimum < gang_sum_of_role_minima(gang);
}
#define GANG_MINIMUM_IN_WORDS "the job may start with fewer pods than it counts"

/*
 * Whether a part of a unit of the role, an index, could start alone. Nothing is lost where all pods
 * of a role must start together: then all its units do.
 */
bool unit_may_be_parted(const struct gang *gang, size_t role);

/*
 * The groups of roles that the documents of a job divide its gang into, for schedulers that have a
 * place for them. Those of PodGangs are a backend's own: the job's operator renders them.
 */
static inline bool
group_tree_has_groups(const struct gang_wishes *wishes)
{
    return wishes->num_groups && !wishes->is_grouped;
}

/* What a group needs in this gang: other gangs of the job, and roles outside, do not count. */
struct group_need {
    /* of a group: its direct children with members; of a role: 1 if it is a member, else 0 */
    int64_t children;
    int64_t minimum; /* of them, those that must start; of a role: its pods */
};

struct group_tree {
    /* of each group of the wishes, in their order; NULL if there are none, or without memory */
    const struct group_need *needs;
    int64_t pods; /* the smallest number with which all groups have what they need */
};

/* The gang must be formed. */
struct group_tree group_tree_make(const struct gang *gang, struct arena *arena);

/*
 * Returns the placement of the whole gang that the job's own topology asks for; NULL if there is
 * none, or if the policy has chosen another topology.
 */
const struct gang_placement *group_tree_placement(const struct gang *gang);

/* Returns the required level, else the preferred one, else the name of the topology object. */
struct slice placement_level(const struct gang_placement *placement);

/* Write the topology object and the levels, and a member `topology` with them if there are any. */
void group_tree_build_levels(const struct gang_placement *placement, struct builder *topology);
void group_tree_build_placement(const struct gang_placement *placement, struct builder *holder);

/* ---- updates of existing objects ---- */

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
#define UPDATE_FIELDS(table) .fields = (table), .num_fields = COUNT_OF(table)

/* A label whose live value is kept, whatever is rendered. */
struct update_label {
    struct slice key;
    bool is_never_added; /* and that stays absent if it is absent */
};

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
    /* Optional. Whether `gang.minGroupCount` may change too, of UPDATE_COUNTED. */
    bool (*scales_groups)(const struct backend_call *call);
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

/* What happens to a backend's objects while the job has no pods to schedule. */
enum backend_rest {
    REST_AS_RENDERED, /* they are kept up to date */
    REST_UNTOUCHED,   /* they are neither created nor changed */
    REST_DELETED,     /* they are deleted, and created again with the pods */
};

/* A field of an object that names an object of the same plan. */
struct update_reference {
    const char *path;
    struct slice kind; /* of the named object */
};

/* How existing objects of a backend are kept up to date. */
struct backend_updates {
    enum backend_rest suspended;
    enum backend_rest finished;
    bool stays_with_pods;      /* REST_DELETED waits until the gang has no pods */
    bool is_replaced_whole;    /* if one object must be recreated, all are */
    bool names_have_namespace; /* `<gang>.<namespace>`, and `<role>.` before it for one outside */
    const struct update_reference *references; /* NULL: no object names another */
    size_t num_references;
    /*
     * What is before the uid of the owner in the name of a group which the scheduler makes for a
     * pod that names none; unset: it makes none.
     */
    struct slice own_prefix;
    /* Returns the name of the template that an object has or is made from. NULL: there is none. */
    struct slice (*template_of)(const struct node *object);
    /* Returns the rules for one of the kinds. NULL: `same` are those of all objects. */
    const struct update_rules *(*rules)(const struct backend_call *call, struct slice kind);
    const struct update_rules *same;
};

static inline const struct update_rules *
backend_update_rules(const struct backend_updates *updates, const struct backend_call *call,
                     struct slice kind)
{
    return updates->rules ? updates->rules(call, kind) : updates->same;
}

/* ---- the interface of a backend ---- */

/*
 * What decides the class of a gang's group, besides the labels in `priority_sources` of the
 * descriptor and the classes of the pods: defaults in the scheduler's configuration, which is a
 * fact about the cluster. A default counts only if its class exists.
 */
struct backend_classes {
    bool pods_first; /* label and class of the pods precede the labels of the JobSet and the job */
    const struct node *before_job; /* precedes the job's own label, not the JobSet's; NULL: none */
    const struct node *after_job;  /* precedes the labels of the pods, not the job's; NULL: none */
    const struct node *at_last;    /* for a group that no other source gives a class; NULL: none */
};

/* The parts of a group of roles that a scheduler may have no place for. */
enum group_part { GROUP_MINIMUM, GROUP_TOPOLOGY };

/*
 * The interface of a scheduler backend. A new backend is one file with the same inner order as the
 * others (keys and versions with their sources, validate, render, update rules, the table) and a
 * row of CATALOG_SCHEDULERS. The descriptor holds everything about the scheduler that a table can
 * express. All functions but validate and render are optional.
 */
struct backend {
    const struct descriptor *descriptor;

    /*
     * Applies the policy's options to the wishes before gang_form() makes the gang of them: all
     * other wishes are set, and their roles are in order if `is_ordered` is set. The functions
     * below are called with the gang.
     */
    void (*prepare)(const struct node *options, struct gang_wishes *wishes, struct arena *arena);
    /*
     * Chooses one of several API versions by the cluster, or checks the version in the call.
     * Returns unset and reports an error if none fits. NULL: there is one version.
     */
    struct slice (*choose_api_version)(const struct backend_call *call, struct report *report);
    /*
     * Computes once, for a formed gang, what the functions below share. The result is allocated in
     * the report's arena, which is the decision's, and is constant afterwards. The functions find
     * it in `call->state`.
     */
    const void *(*open)(const struct backend_call *call, struct report *report);
    /* Finds what is lost beside what the descriptor's rows and the functions below say. */
    void (*find_losses)(const struct backend_call *call, struct loss_sink *sink);
    /* Reports what this backend cannot do with the gang, and known defects of its scheduler. */
    void (*validate)(const struct backend_call *call, struct report *report);
    /* The same of every PodGang. Called for a PodCliqueSet too, whose PodGangs are not known. */
    void (*validate_podgangs)(const struct backend_call *call, struct report *report);
    /* Renders objects and marks. Called only for a gang without errors. */
    void (*render)(const struct backend_call *call, struct plan_content *content);
    /* Returns the name of the gang's group, as pods refer to it. NULL: it is the gang's. */
    struct slice (*group_name)(const struct backend_call *call, struct arena *arena);
    /* Returns the timeout that is rendered for a gang that has none. NULL: none is. */
    int64_t (*default_timeout)(const struct backend_call *call);
    /* Counts the pods that must start together; 0 if no pod waits. NULL: the gang's minimum. */
    int64_t (*count_minimum)(const struct backend_call *call);
    /*
     * Returns why a part of a group of roles, an index of the wishes, is not rendered; NULL if it
     * is. GROUP_OF_GANG: of the job's own topology. The group has members, and its documents set
     * the part. NULL: the descriptor has the reason for every group. Not called for PodGangs.
     */
    const char *(*why_group_is_lost)(const struct backend_call *call, size_t group,
                                     enum group_part part);
    /*
     * Returns why the scheduler may start a part of a unit of the role, an index; NULL if it does
     * not. NULL: the descriptor has the reason for every role.
     */
    const char *(*why_unit_is_lost)(const struct backend_call *call, size_t role);
    /* Lists the subgroups of the gang, by backend_list_subgroup(). NULL: it has none. */
    void (*list_subgroups)(const struct backend_call *call, struct builder *list);
    /*
     * Adds the marks of one pod to `patch`, for an operator that asks for them pod by pod: the name
     * of its group and, if the scheduler has subgroups, of its subgroup.
     */
    void (*mark_pod)(struct gang_patch *patch, struct slice group, struct slice subgroup);
    /* NULL: there is nothing else, and the labels precede the pods. */
    struct backend_classes (*classes)(const struct gang_wishes *wishes,
                                      const struct gang_cluster *cluster);
    /*
     * Fills the spec of the descriptor's topology kind with the keys of node labels, widest level
     * first. NULL: there is no such kind.
     */
    void (*render_topology)(const struct node *levels, struct builder *spec);
    /*
     * Returns the start of the names that another controller gives to its objects for the job,
     * whose JobSet has the given uid; without the uid it is shorter. Unset if they cannot be known.
     */
    struct slice (*predicted_names)(const struct backend_call *call, struct slice set_uid,
                                    struct arena *arena);
    /* Reports what the live objects change of the prediction; `call->live` is set. */
    void (*report_live)(const struct backend_call *call, struct report *report);
    /*
     * Lists the API versions that the backend renders, for users, each with
     * backend_list_version(). NULL: the descriptor's version.
     */
    void (*list_versions)(struct builder *list);
    const struct backend_updates *updates;
    bool reads_owners; /* the gang's `chain`; not set for other backends */
};

#define BACKEND_DECLARE(name) extern const struct backend name##_backend;
CATALOG_SCHEDULERS(BACKEND_DECLARE)

/* In the order of the catalog. */
extern const struct backend *const backend_table[];
extern const size_t backend_count;

const struct backend *backend_by_scheduler(struct slice scheduler_name);
/* Returns the backend that renders for the scheduler; NULL for NULL. */
const struct backend *backend_of(const struct descriptor *descriptor);

/*
 * Returns the backend whose object this is, or NULL. `rank` is the position of the kind in creation
 * order.
 */
const struct backend *backend_of_kind(struct slice group, struct slice kind, size_t *rank);

/*
 * Called when a gang is decided and rendered. Run the backend's own function and what all backends
 * share (scheduler names, losses). backend_validate() sets state and losses of the call; later the
 * call is only read.
 */
void backend_validate(const struct backend *backend, struct backend_call *call,
                      struct report *report);
void backend_render(const struct backend *backend, const struct backend_call *call,
                    struct plan_content *content);

/* The part of backend_validate() that finds the losses; the backend's state must be set. */
struct plan_losses backend_find_losses(const struct backend *backend,
                                       const struct backend_call *call, struct report *report);

/*
 * Returns the API version of the objects for this call: the backend's choice, which also checks a
 * version that a policy sets; else the policy's version; else the only one. Returns unset and
 * reports an error if there is none.
 */
struct slice backend_api_version(const struct backend *backend, const struct backend_call *call,
                                 struct report *report);

/* Returns the schedulerName for the gang's pods: the gang's own choice, else the backend's. */
struct slice backend_scheduler_name(const struct backend *backend, const struct gang *gang);

/* ---- what backends share ---- */

/* An owner of an object. */
struct backend_owner {
    struct slice api_version;
    struct slice kind;
    struct slice name;
    struct slice uid;
};

/*
 * Adds the owner, unless it is NULL or has no uid, to the ownerReferences in `list`, which is made
 * with the first one.
 */
void backend_build_owner(const struct backend_owner *owner, bool is_controller,
                         struct builder *metadata, struct builder *list);

/* What the metadata of an object has. */
struct backend_metadata {
    struct slice name;
    const struct node *labels; /* NULL if absent */
    const struct node *annotations;
    const struct backend_owner *second; /* NULL: the job is the only owner */
};

/*
 * Adds an object to the plan: apiVersion, kind, and metadata with namespace and (with a uid) the
 * owner reference. NULL: the metadata is the gang's own. Returns the spec, to be filled.
 */
struct builder backend_add_object(const struct backend_call *call, struct slice kind,
                                  const struct backend_metadata *given,
                                  struct plan_content *content);

/* A subgroup in the plan's view: of the roles with the value `index` in `of_role`, or of `role`. */
struct backend_subgroup {
    struct slice name;
    int64_t minimum;
    const size_t *of_role; /* NULL: only of `role` */
    size_t index;
    struct slice role; /* unset: of no role */
    struct gang_placement placement;
};

/* Returns the list of the subgroups below it. */
struct builder backend_list_subgroup(const struct backend_subgroup *subgroup,
                                     const struct gang *gang, struct builder *list);

/* One version of a backend's objects, as `gangctl backends` shows it. */
struct backend_listing {
    struct slice api_version;
    struct slice kubernetes; /* the releases that serve it; unset: installed separately */
    struct slice kinds[3];
    struct slice mark; /* of pods: "label x", "annotation x", or a field */
};
/* Returns its item, for more members. */
struct builder backend_list_version(const struct backend_listing *listing, struct builder *list);

/* Builds the output of gang_backends_serialize(): every backend, from the tables it works by. */
SELDOM const struct node *backend_list_build(struct arena *arena);

/*
 * Writes a copy of labels or annotations as the member `key`, sorted by byte. Writes nothing if
 * there are none.
 */
void manifest_copy_pairs(struct builder *metadata, struct slice key, const struct node *pairs);

/*
 * For schedulers whose quorum counts only live pods, so that succeeded pods no longer count:
 * reports the members whose Jobs create new pods for failed ones.
 */
void retries_report(const struct gang *gang, struct report *report);

/*
 * Reports that the release of a scheduler is unknown, or newer than `newest`, the newest that
 * libgang knows: libgang assumes that one. `component` is an index of the catalog.
 */
void release_report_assumed(const struct backend_call *call, size_t component,
                            const struct release *newest, struct report *report);

/* Refuses a release of the scheduler that does not read the first mark of its descriptor. */
void release_refuse_before(const struct backend_call *call, size_t component, uint32_t major,
                           uint32_t minor, struct report *report);

/*
 * A label or annotation of a pod that the scheduler reads only if the pod has no label or
 * annotation `wins`.
 */
struct rival_key {
    enum mark_place place;
    struct slice key;
    struct slice wins;
};

/* Returns such a key in the pod template of the role; NULL if it is absent. */
const struct node *rival_key_find(const struct rival_key *rival, const struct role *role);
/*
 * Reports such a key with another value than `value`, which the pods get for `wins`. Unset or
 * empty: they get none.
 */
void rival_key_report(const struct rival_key *rival, const struct role *role, struct slice value,
                      struct report *report);

/*
 * Every role of the job, members or not, must go to the gang's scheduler, so that one scheduler
 * accounts for the free space of a node. Roles that name another scheduler are reported. Roles that
 * name none get it from the patches, except in compatibility, which only warns, because the
 * upstream operator sets none. If the gang overrides schedulers, the patches replace the names of
 * the roles instead.
 */
void scheduler_name_check(const struct gang_wishes *wishes, struct slice wanted,
                          struct report *report);
void scheduler_name_patch(const struct gang_wishes *wishes, struct slice wanted,
                          struct plan_content *content);

/* Reports roles that name different schedulers: the part of the check that needs no backend. */
void scheduler_name_compare_roles(const struct gang_wishes *wishes, struct report *report);

#endif
