/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LIBGANG_GANG_GANG_H
#define LIBGANG_GANG_GANG_H

#include "libgang/base/report.h"
#include "libgang/kube/names.h"
#include "libgang/kube/pod_requests.h"

/*
 * SCHEDULED: every pod of the role has a node. Like READY, it holds while the pods run; COMPLETE
 * holds only after they have ended.
 */
enum dependency_status { DEPENDENCY_READY, DEPENDENCY_COMPLETE, DEPENDENCY_SCHEDULED };
extern const char *const dependency_status_names[]; /* NULL-terminated, as the next names */

/* An edge of the start order: the role that has it is created when `role` has reached `status`. */
struct dependency {
    struct slice role;
    size_t index; /* of the role; ROLE_NONE if no role has this name, or the role has no pods */
    enum dependency_status status;
    const struct node *source;
};

#define ROLE_NONE SIZE_MAX

enum membership { ROLE_MEMBER, ROLE_LATE_MEMBER, ROLE_OUTSIDE };

enum ancestor {
    ANCESTOR_NONE,
    ANCESTOR_TRAINER,
    ANCESTOR_DATASET_INITIALIZER,
    ANCESTOR_MODEL_INITIALIZER
};

/*
 * What a field of the documents, or a label of the template, says about the membership of a role.
 * The start order decides the rest. The gang is of the stage of a role declared a member.
 */
enum membership_wish { WISH_AUTO, WISH_MEMBER, WISH_OUTSIDE };
/* The last name is that of a role outside which the plan of another gang has: `elsewhere`. */
extern const char *const membership_wish_names[];

/*
 * The label of Trainer on a Job template says which roles train. Source:
 * kubeflow/trainer:pkg/constants/constants.go@v2.3.0.
 */
#define TRAINER_ANCESTOR_LABEL SLICE("trainer.kubeflow.org/trainjob-ancestor-step")

struct ancestor_entry {
    struct slice value; /* of the ancestor label */
    enum ancestor ancestor;
    enum membership_wish wish;
    struct slice container; /* container that the role must have */
};

extern const struct ancestor_entry ancestor_table[];
extern const size_t ancestor_table_size;

/* Returns NULL for any other value. The operator treats these as no ancestor but keeps the text. */
const struct ancestor_entry *ancestor_entry_of(struct slice value);

/* One kind of pod in the job, as the front end reads it. */
struct role {
    struct slice name;
    struct slice ancestor_text; /* any value of the label; unset if absent */
    enum ancestor ancestor;
    enum membership_wish wish;
    int64_t count; /* pods that will exist */
    /*
     * The next fields are optional: where they are 0, every pod must start, all of them are created
     * at once, and each is of use alone. While a job is translated they are never 0 for this.
     */
    int64_t min_count;   /* if `has_min_count`: the pods that must start, 0 to `count` */
    int64_t first_count; /* pods created before any of them has a node, at most the former; or 0 */
    int64_t unit;        /* pods that are of use only together; divides the others; or 0 */
    /* key of a label of the pods with the same value only in one unit; unset if there is none */
    struct slice unit_label;
    int64_t operator_count; /* pods that the upstream operator counts */
    struct resource_list requests;
    struct dependency *dependencies;
    size_t num_dependencies;
    struct slice scheduler_name;
    struct slice priority_class_name;
    struct slice group;        /* the name of its group; unset if the gang itself is */
    const struct node *source; /* the replicatedJob, the podclique: for findings about the role */
    const struct node *scheduler_name_source; /* NULL if unset */
    const struct node *priority_class_source;
    const struct node *job_spec; /* NULL if its pods are not from a Job, as the next field */
    const struct node *pod_spec;
    const struct node *job_metadata; /* of the templates of its Job and its pods; NULL if absent */
    const struct node *pod_metadata;
    bool lacks_requests;        /* the requests of its pods are unknown */
    bool requests_are_defaults; /* its pods name none; admission to the namespace sets them */
    bool has_min_count;
    bool retries;   /* its Job replaces failed pods */
    bool left_out;  /* the backend's options exclude it from the gang */
    bool elsewhere; /* outside, and a member of another gang of the job, which marks its pods */
    bool marked_is_flat;  /* it has labels, annotations and schedulerName as its own members */
    bool marked_is_patch; /* of a template, and so it need not have containers */
    bool has_marks;       /* the template has marks of a gang: see own_marks_check() */
    uint32_t stage;       /* set by the start order alone, see start_order_stages() */
    /*
     * Where a translation finds the pods: a template, or what a template would say. Without both
     * the requests are unknown.
     */
    const struct node *pod_template;    /* a map with metadata and spec; NULL if absent */
    const struct node *requests_source; /* a map of quantities; NULL if absent, as the next one */
    const struct node *extra_source;    /* for containers that an operator or a webhook adds */
    /* What in the document gets the marks of the pods; NULL: the template. */
    const struct node *marked;
    /* Read from these when the translation is done, see gang_job_read_pods(). */
    const struct pod_resources *resources; /* of the template; NULL without one */
    struct resource_list extra;
};

/* Returns how many of its pods must start, at first or later. */
static inline int64_t
role_min_count(const struct role *role)
{
    return role->has_min_count ? role->min_count : role->count;
}

/* Returns how many of its pods a gang counts that waits for this role: those that can exist. */
static inline int64_t
role_first_count(const struct role *role)
{
    return role->first_count ? role->first_count : role_min_count(role);
}

/* Returns how many of its pods are created before any of them has a node. */
static inline int64_t
role_pods_at_first(const struct role *role)
{
    return role->first_count ? role->first_count : role->count;
}

static inline bool
role_is_elastic(const struct role *role)
{
    return role_min_count(role) < role->count;
}

/* Adds the list `dependsOn` of documents. */
void role_build_dependencies(const struct role *role, struct builder *parent);

/* What forming the gang decides about a role. */
struct role_part {
    enum membership membership;
    uint32_t wave;
};

/* Labels and annotations of an object; NULL if absent. */
struct chain_metadata {
    const struct node *labels;
    const struct node *annotations;
};

/*
 * The owners of the pods, for schedulers that read their labels and annotations: the job itself and
 * the JobSet that its operator creates. The metadata in a role's templates is in struct role.
 */
struct owner_chain {
    struct chain_metadata job;
    struct chain_metadata set;
    const struct node *job_owners; /* owner references of the job itself; NULL if it has none */
    bool in_order;                 /* the JobSet starts its roles in order */
    /*
     * Another operator creates the pods, and `set` is the job. How a scheduler would group them by
     * itself is not predicted.
     */
    bool is_foreign;
};

/* Topology constraint of pods. A level is the node label whose values are the domains. */
struct gang_placement {
    bool is_set;
    struct slice topology;  /* name of the cluster's topology object */
    struct slice required;  /* unset if absent */
    struct slice preferred; /* unset if absent */
    const struct node *source;
};

/* The level of topology that the gang's pods share, as backends read it. */
struct gang_topology {
    bool is_set;
    struct slice mode;
    bool has_tier;
    int64_t highest_tier;
    /* as a policy names it: a tier's number or a node label key; unset if absent */
    struct slice level;
    const struct node *source;
};

/* The value of an attribute that the job's documents ask for, and what the trace says of it. */
struct job_request {
    struct slice value;        /* unset if absent */
    const struct node *source; /* of the value, or the map without it; NULL if neither exists */
    struct slice missing;      /* path of a value without a source */
    const char *reason;        /* why it is set or not; NULL: an absent value is not shown */
    const char *overrides;     /* why later values lose */
    enum gang_document_type document; /* of a value without a source; else may be NONE */
    bool is_set;
    bool can_be_ignored; /* by a policy that ignores the runtime's podGroupPolicy */
};

#define GROUP_OF_GANG SIZE_MAX

/* A part of the gang that starts as a whole: the pods of one role, or several groups. */
struct gang_group {
    struct slice name;
    /*
     * pods if the group is of a role, otherwise direct subgroups; 0: none of its members must start
     */
    int64_t minimum;
    size_t parent; /* index of the parent group, which precedes it; GROUP_OF_GANG if it has none */
    size_t role;   /* index; ROLE_NONE if it contains groups */
    struct gang_placement placement;
    const struct node *source;
};

enum gang_compatibility { COMPATIBILITY_NONE, COMPATIBILITY_KUBEFLOW_TRAINER };

/*
 * Which roles are members; how pod requests are counted; whether capacity is reserved before the
 * pods exist.
 */
enum gang_members { MEMBERS_AUTO, MEMBERS_ALL, MEMBERS_TRAINER_ONLY };
enum gang_resources { RESOURCES_EFFECTIVE, RESOURCES_REQUESTS_ONLY };
/* How members after the first wave are handled: marked but not counted, left out, or refused. */
enum gang_late { LATE_JOIN, LATE_EXCLUDE, LATE_REFUSE };
enum gang_reserve { RESERVE_AUTO, RESERVE_ALWAYS, RESERVE_NEVER };

/* Which fields of a pod's spec the API server keeps in the templates of a job. */
enum template_fields {
    TEMPLATE_WITHOUT_GROUP, /* those of a CRD without schedulingGroup */
    TEMPLATE_WITH_GROUP,    /* those of a CRD with it */
    TEMPLATE_OF_JOBSET,     /* those of the CRDs of JobSet, which differ by release */
    TEMPLATE_OF_TRAINER,    /* the same, of JobSet and Trainer */
    TEMPLATE_BUILT_IN       /* all that it has in a pod */
};

/* A pod in the list that is the job's document. */
struct job_pod {
    const struct node *node; /* an item of the list */
    size_t role;             /* index of its role */
};

/* How often the job was resumed or restarted before its present pods, as the caller says. */
struct gang_run {
    bool is_known;
    int64_t number; /* 0 if unknown */
};

/* The job that owns the rendered objects. */
struct gang_owner {
    struct slice api_version;
    struct slice kind;
    struct slice name;
    struct slice namespace_;
    struct slice uid;  /* unset: no owner reference */
    bool is_no_object; /* kind and name are for people: no object owns the gang */
    const struct node *name_source;
};

/* The object with this metadata as the owner. */
static inline struct gang_owner
gang_owner_of(const struct object_meta *meta, struct slice api_version, struct slice kind)
{
    return (struct gang_owner){
        .api_version = api_version,
        .kind = kind,
        .name = meta->name,
        .namespace_ = meta->namespace_,
        .uid = meta->uid,
        .name_source = meta->name_source,
    };
}

/*
 * What the job's documents, the policy and the backend's options ask of a gang before it exists: a
 * GangJob document has the same fields. The front end, which every kind of job has, translates the
 * documents into them; texts and nodes are borrowed. The caller sets `run`; the choices of
 * the decide room set `scheduler_name`, `overrides_schedulers` and the fields of the four enums;
 * the backend's prepare() changes what its options change. gang_form() reads the result, and
 * nothing changes it afterwards.
 */
struct gang_wishes {
    struct gang_owner owner;
    const struct object_meta *meta; /* of the owner: rules match it, queue keys are read in it */
    struct slice name;              /* name of the group in the pods; unset: the owner's name */
    const struct object_meta *named_by;   /* of the object with that name; NULL: `meta` */
    const struct node *managed_elsewhere; /* the field that says so; NULL if absent */
    /* why there is no gang although there are pods; NULL if there is one */
    const char *why_no_gang;
    const struct node *why_source;
    struct job_pod *pods; /* all of them, if the roles are pods */
    size_t num_pods;
    uint64_t num_gangs; /* of the job, as its stages have them; 1 for a job that is not divided */
    enum template_fields template_fields;
    enum gang_compatibility compatibility;
    enum gang_members members_choice;
    enum gang_resources resources_choice;
    enum gang_reserve reserve;
    enum gang_late late;
    int64_t minimum; /* pods that must start together, as the documents say; 0: computed */
    const struct node *minimum_source;
    struct slice trains_too; /* name of a role that trains without the label; unset if absent */
    struct gang_run run;
    bool marks_pods;     /* several gangs share a template, so the caller marks each pod */
    bool roles_are_pods; /* the templates are pods, whose marks are those of the gang */
    bool suspended;
    bool was_resumed; /* its status says that it was suspended before */
    bool is_of_jobs;  /* its pods are created by Jobs of Kubernetes */
    bool is_in_order; /* of a JobSet: it starts its roles in order */
    bool has_units;   /* a role has */
    /* the documents say which roles are members, not labels of the templates */
    bool declares_members;
    bool is_ordered; /* wishes_order_roles() has set the next field and the stages */
    /* indices of the roles, each after the roles it waits for; NULL if no role waits */
    const uint32_t *start_order;
    struct role *roles;
    size_t num_roles;
    const struct owner_chain *chain; /* the owners of the pods; NULL if no backend reads them */
    struct gang_group *groups;       /* NULL if the front end has no groups */
    size_t num_groups;
    /*
     * the groups set what must start; the job's operator creates the scheduler's object from them:
     * it has compared the schedulerNames of the templates, and the object has a class of its own
     */
    bool is_grouped;
    bool overrides_schedulers;   /* `scheduler_name` replaces that of the templates */
    struct slice scheduler_name; /* schedulerName for the pods; unset: the backend's scheduler */
    /* direct subgroups that must start; 0: pods are counted, see the minimum of the gang */
    int64_t minimum_groups;
    struct gang_placement placement; /* of all members */
    /* key of the pod label whose value is the role's name; unset if absent */
    struct slice role_label;
    const struct node *labels; /* copied to the group's object; NULL if absent */
    const struct node *annotations;
    struct slice priority_class_name; /* of the group in the job's document */
    const struct node *priority_class_source;
    /* What the documents ask for the attributes of the gang's objects; the decide room chooses. */
    struct job_request backend_request; /* name of an enabled backend */
    struct job_request queue_request;
    struct job_request priority_request;
    struct job_request timeout_request;
    int64_t timeout_seconds; /* its value, as the next one is of a topology that is requested */
    struct job_request topology_request;
    struct gang_topology topology;
    /* the key that selects the backend in an older spelling; NULL if absent */
    const struct node *superseded;
    const struct node *scheduling; /* the runtime's own groups (KEP-3015); NULL if absent */
    /* the key that makes another controller create groups of the same pods; NULL if absent */
    const struct node *rival;
    /* the number of restarts that create all pods again without the caller; NULL if there are none
     */
    const struct node *restarts;
};

/*
 * Whether the roles must agree with this one: a role without pods has no say, and neither has one
 * of another gang, which may have another scheduler. The upstream operator reads all roles.
 */
static inline bool
wishes_heed(const struct gang_wishes *wishes, const struct role *role)
{
    return (role->count && !role->elsewhere) ||
           wishes->compatibility == COMPATIBILITY_KUBEFLOW_TRAINER;
}

/* Returns the first role of that name; NULL if there is none. */
struct role *wishes_find_role(const struct gang_wishes *wishes, struct slice name);

/*
 * Links the start order and sets the stages, unless this is done already. Returns false, with all
 * roles in one stage, if roles wait for each other. Reports cycles and unknown dependencies,
 * dependencies on roles without pods, which hold at once and are dropped, and those that wait until
 * more pods of a role are ready than must start.
 */
bool wishes_order_roles(struct gang_wishes *wishes, struct report *report);

/*
 * The gang that is made of the wishes. Every backend reads it. gang_form() sets the first part; the
 * attributes of the second part only appear in the rendered objects and are chosen afterwards.
 */
struct gang {
    const struct gang_wishes *wishes;
    struct slice name;              /* name of the group in the pods */
    const struct node *annotations; /* of the group's object; NULL if absent */
    const struct role *roles;       /* of the wishes */
    size_t num_roles;
    struct role_part *parts;        /* one for each role */
    int64_t minimum;                /* pods that must start together */
    int64_t members;                /* pods with the gang mark */
    int64_t late_members;           /* of them, those created after the first wave has started */
    int64_t pods;                   /* all pods of the job */
    struct resource_list resources; /* total of the members */

    struct slice queue; /* unset if not requested */
    const struct node *queue_source;
    struct slice priority_class_name; /* until it is chosen, that of the wishes */
    const struct node *priority_class_source;
    /* a label of the job, or the scheduler's configuration, gives the class, not the members */
    bool has_priority_label;
    bool gives_priority;  /* the class is not from the members, so it is set on their pods */
    bool lacks_resources; /* `resources` is not the whole sum: requests of a role are unknown */
    bool has_timeout;
    int64_t timeout_seconds;
    const struct node *timeout_source; /* NULL: a default value */
    struct gang_topology topology;
};

/* Whether the gang is that of the upstream operator, with its defects. */
static inline bool
gang_is_compatible(const struct gang *gang)
{
    return gang->wishes->compatibility == COMPATIBILITY_KUBEFLOW_TRAINER;
}

/* The pods of a member of the first wave that the minimum includes. */
static inline int64_t
gang_pods_of_minimum(const struct gang *gang, const struct role *role)
{
    return gang_is_compatible(gang) ? role->operator_count : role_first_count(role);
}

/*
 * Forms the gang: decides the membership and wave of every role, and computes minimum, members,
 * pods and resources. The minimum counts the pods of the first wave that must start and that can
 * exist at first, unless the wishes have one; the resources are those of all pods that must start.
 * `roles`, `owner` and `compatibility` of the wishes must be set, and their roles in order
 * (wishes_order_roles()). Reports ambiguous stages, empty gangs, late members, gangs that can never
 * fill, and overflows.
 *
 * With `members_choice` All, every role is a member and counts for the minimum. TrainerOnly
 * excludes roles of the stage that do not train.
 *
 * In compatibility mode the gang is the one of the upstream operator: every role is a member and
 * counts for the minimum, with `operator_count` pods each.
 *
 * If the groups of the wishes set how many pods of each role must start, every role is a member and
 * none is late.
 *
 * The gang borrows the wishes, which must not change any more.
 */
void gang_form(const struct gang_wishes *wishes, struct gang *gang, struct report *report);

/*
 * Instead of gang_form(), for a job without a gang of its own: gives every role the same
 * membership, and counts nothing.
 */
void gang_leave_unformed(const struct gang_wishes *wishes, enum membership membership,
                         struct gang *gang, struct arena *arena);

/*
 * Returns how many pods of a role must start together: what a group of the role says, or the role's
 * part of the minimum if it is in the first wave. `role` is an index.
 */
int64_t gang_role_minimum(const struct gang *gang, size_t role);

/*
 * Returns what the roles of the first wave contribute to a minimum: the gang's, unless the
 * documents set another one.
 */
int64_t gang_sum_of_role_minima(const struct gang *gang);

/* `role` is one of gang->roles. */
static inline enum membership
gang_membership(const struct gang *gang, const struct role *role)
{
    return gang->parts[role - gang->roles].membership;
}

/*
 * Makes every role of the gang's stage ROLE_MEMBER, except roles declared outside, and every other
 * role ROLE_OUTSIDE. The gang's stage is the stage of the declared members, or the last stage if
 * there are none: the label trainer declares a member, the label of an initializer a role outside.
 * Needs the stages. Reports declared members in several stages and a gang without members.
 */
void membership_decide(struct gang *gang, struct report *report);

/*
 * Returns how many pods membership_decide() makes members, before there is a gang: the pods of the
 * gang if no policy changes who is a member. Needs the stages.
 */
int64_t membership_pods(const struct gang_wishes *wishes);

/*
 * Makes every role a member, like the upstream operator. Reports the roles that membership_decide()
 * had made ROLE_OUTSIDE.
 */
void membership_take_all(struct gang *gang, struct report *report);

/*
 * Makes members after the first wave ROLE_LATE_MEMBER, or what the gang's enum gang_late selects,
 * and reports them. Needs the waves.
 */
void membership_split_waves(struct gang *gang, struct report *report);

/*
 * Returns the index-th member that sets a priority class, including late members, in order of
 * precedence; NULL if there are no more. Roles outside the gang are ignored. Needs the memberships.
 * In compatibility mode every role is a member and the last role has precedence.
 */
const struct role *priority_named_by(const struct gang *gang, size_t index);

/*
 * Reports members with different priority classes, or members without a class if others have one:
 * schedulers order pods by priority before they form groups.
 */
SELDOM void priority_report_disagreement(const struct gang *gang, struct report *report);

/*
 * Returns the first role that has another class than the last role with a class, or has none; NULL
 * if all agree.
 */
const struct role *priority_overruled_role(const struct gang *gang);

/*
 * Describes why a role is not created at once, role by role: `"launcher" waits for "node" to be
 * Ready, which waits for "data" to be Complete`. Returns "" for a role that waits for nothing. The
 * roles must be linked.
 */
const char *wait_in_words(const struct role *roles, size_t count, size_t role, struct arena *arena);

/*
 * Reports a gang that can never fill: none of its members runs before it starts, so a role that
 * waits for a member is not created, nor are the pods of a member beyond its first ones, and the
 * pods that exist are fewer than its minimum. The roles must be in the order of
 * wishes_order_roles(), with memberships and minimum set.
 */
void wait_check_gang(const struct gang *gang, struct report *report);

/*
 * The roles of that report, in its order: each waits for the next, and the last one waits for the
 * gang. `chain` has room for every role. Returns their number; 0 if the gang can fill.
 */
size_t wait_chain(const struct gang *gang, struct arena *arena, size_t *chain);

enum { WORDING_SIZE = 1024, WORDING_FULL = 280 };

/*
 * A list of role names for a message: `"a", "b" and 7 more`, or `"a" waits for "b" waits for "c"`.
 * Names beyond a length limit are counted instead of listed. `text` is always NUL-terminated.
 */
struct wording {
    size_t len;
    size_t left_out;
    char text[WORDING_SIZE];
};

/* Makes the text empty. Same as {0}, without clearing the whole buffer. */
static inline void
wording_start(struct wording *words)
{
    words->len = 0;
    words->left_out = 0;
    words->text[0] = '\0';
}

/* Appends a name. `joint` separates it from the previous name and is not used for the first. */
void wording_add(struct wording *words, const char *joint, struct slice name);
/* Appends the end of a chain, which is always shown. */
void wording_add_last(struct wording *words, const char *joint, struct slice name);
/* Appends text that is not a name. */
void wording_add_text(struct wording *words, const char *text);
/* Ends a list with the number of names that were left out. Returns the text. */
const char *wording_end_list(struct wording *words);

/*
 * Returns the indices of the linked roles, each after all roles it waits for. Roles of one cycle
 * are adjacent. NULL if no role waits for another, or if the arena has failed.
 */
const uint32_t *start_order_sort(const struct role *roles, size_t count, struct arena *arena);

/*
 * Sets `dependencies[].index` of every role, and `*order` as start_order_sort() returns it; it
 * stays one if dependencies are dropped later. Reports unknown names, self-edges, and cycles with
 * their members in order. Returns false, without an order, if there is a cycle: stages and waves
 * are then undefined.
 */
bool start_order_link(struct role *roles, size_t count, struct report *report,
                      const uint32_t **order);

/*
 * Drops dependencies on roles without pods, because they hold at once, and reports them. Reports
 * dependencies on elastic roles, which hold when all their pods are ready. The roles must be linked
 * and have their counts.
 */
void start_order_check_counts(struct role *roles, size_t count, struct report *report);

/*
 * stage(r): the largest number of Complete edges on a path to r. The roles must be linked and
 * acyclic; `order` is the result of start_order_sort().
 */
void start_order_stages(struct role *roles, size_t count, const uint32_t *order);

/*
 * wave(r): the longest chain of members on a path, through any role, that leads to r from another
 * member; 0 for the first wave. Roles that are ROLE_OUTSIDE get 0. `parts` has the
 * memberships, and wave 0 for every role.
 */
void start_order_waves(const struct role *roles, struct role_part *parts, size_t count,
                       const uint32_t *order);

/*
 * Links and sorts the roles and sets their stages, once for all gangs that use them. Returns false,
 * without a report, if the order has an error; start_order_link() reports it.
 */
bool start_order_settle(struct role *roles, size_t count, struct arena *arena,
                        const uint32_t **order);

#endif
