/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LIBGANG_DIAGNOSE_DIAGNOSE_H
#define LIBGANG_DIAGNOSE_DIAGNOSE_H

#include "libgang/fit/fit.h"
#include "libgang/reconcile/live.h"
#include "libgang/render/render.h"

/*
 * The stages between a job and its running gang, in the order in which they fail: the cause is of
 * the first stage that has one.
 */
enum why_stage {
    STAGE_FINISH,
    STAGE_SUSPEND,
    STAGE_ADMISSION,
    STAGE_CREATE,
    STAGE_HAND_OVER,
    STAGE_QUORUM,
    STAGE_QUEUE,
    STAGE_NODE,
    STAGE_RUN
};

enum why_verdict {
    VERDICT_STARTED,
    VERDICT_FINISHED,
    VERDICT_WAITING,
    VERDICT_STUCK,
    VERDICT_IMPOSSIBLE,
    VERDICT_CANNOT_TELL
};

/* A cause: generated from the registry of diagnostics. */
struct why_row {
    enum gang_code code;
    enum why_stage stage;
    enum why_verdict verdict;
    const char *message; /* each %s stands for a value */
    const char *fix;
    const char *command; /* with $NS, $KIND, $NAME and $GROUP; NULL: there is none */
};

extern const struct why_row why_rows[];
extern const size_t num_why_rows;

/* Proven by the objects; said by a scheduler or controller; from the absence of something. */
enum why_certainty { CERTAINTY_PROVEN, CERTAINTY_REPORTED, CERTAINTY_LIKELY };

/* What shows a cause. */
struct why_evidence {
    const struct live_object *object;
    struct slice path; /* below the object; unset: of an event, its reason */
    struct slice value;
    bool is_stale; /* the objects no longer agree with it */
};

enum { WHY_MOST_EVIDENCE = 6, WHY_MOST_COUNTS = 4, WHY_MOST_CAUSES = 24 };

struct why_count {
    const char *name;
    int64_t value;
};

struct why_cause {
    const struct why_row *row;
    enum why_certainty certainty;
    const char *message;
    struct why_evidence evidence[WHY_MOST_EVIDENCE];
    size_t num_evidence;
    struct why_count counts[WHY_MOST_COUNTS];
    size_t num_counts;
    size_t order;     /* among the causes of one stage and certainty: the least is the first */
    bool is_of_nodes; /* of one that is reported: the nodes that are given can contradict it */
};

enum why_pod_state {
    POD_GATED,
    POD_PENDING,
    POD_BOUND, /* has a node and does not run */
    POD_RUNNING,
    POD_SUCCEEDED,
    POD_FAILED,
    POD_ENDING, /* is being deleted */
    POD_STATES
};

/* A pod of the job, or one that names its group. */
struct why_pod {
    const struct live_object *object;
    enum why_pod_state state;
    size_t role;    /* ROLE_NONE: not known */
    bool is_member; /* names the group of the gang */
    bool is_of_job;
};

/* What the job says of a role, and what exists of it. */
struct why_role {
    struct slice name;
    const struct role *role; /* NULL: only its pods are known */
    int64_t expected;        /* pods that the job will have; -1: not known */
    int64_t counts[POD_STATES];
    int64_t exist;   /* all pods */
    int64_t marked;  /* of them, those in the group */
    bool is_member;  /* its pods name the group, or will */
    bool is_held;    /* created only when a pod of the group has started or ended */
    bool is_later;   /* created only when a role outside the group has got somewhere */
    bool is_outside; /* no pod of it shall be in the group */
    const struct dependency *waits_for; /* of a role that is held or later */
    const struct node *template_;       /* in the JobSet, with the marks that its pods will have */
};

/* The group that the members name. */
struct why_group {
    const struct descriptor *scheduler; /* NULL: there is no group */
    struct slice name;
    const struct live_object *object;    /* NULL: not among the live objects */
    const struct live_object *elsewhere; /* of the same name, in another namespace or API group */
    int64_t minimum;                     /* 0: not known */
    const struct node *minimum_source;
    int64_t counted; /* pods, as the scheduler counts them for the minimum */
    int64_t live;    /* members that have not ended */
    int64_t bound;   /* of them, those with a node */
    int64_t pending; /* of them, those without, gated ones too */
    int64_t held;    /* placeholders with a node, which stand for members that may not exist */
    int64_t counts[POD_STATES];
};

/* Pods that have not ended. */
struct why_tally {
    int64_t bound; /* have a node */
    int64_t running;
    int64_t waiting;
    const struct why_pod *last; /* one of them; NULL: there is none */
};

struct diagnosis {
    struct arena *arena;
    const struct limits *limits;
    const struct live_objects *live;
    struct gang_decision *decision; /* of the job; NULL: it could not be read */
    struct gang_decision *set;      /* of its JobSet; NULL */
    struct live_key key;            /* of the job */
    const struct live_object *job;  /* NULL: not among the live objects */
    const struct live_object *jobset;
    const struct node *parent; /* the job that the job is a part of, if it is not given; or NULL */
    const struct node *status; /* of the job */
    const struct live_object **owned; /* of the job, and of what it owns; no pods */
    size_t num_owned;
    struct why_pod *pods;
    size_t num_pods;
    struct why_role *roles;
    size_t num_roles;
    struct why_group group;
    bool has_events; /* some event is given */
    bool has_nodes;
    int64_t now;      /* seconds; 0: not known */
    bool has_now;     /* it is that of the question, not the newest one in the objects */
    int64_t youngest; /* age in seconds of the youngest pending pod; -1: there is none */
    int64_t oldest;   /* of the oldest pending pod */
    bool runs_alone;  /* as many pods run as the group needs, and none was placed with the others */
    struct why_cause causes[WHY_MOST_CAUSES];
    size_t num_causes;
    struct fit room;
    bool set_is_too_large;  /* the JobSet exceeds a limit, and is not read */
    bool lacks_kueue;       /* the job waits in a queue of Kueue, whose object is not given */
    const struct node *fit; /* what the nodes prove; NULL: nothing */
    bool may_fit;           /* they were looked at, and prove nothing against the gang */
    const struct live_object *newest_node; /* with room for a pod; NULL: none is known */
};

/* ---- state.c: the live objects as one model ---- */

/* Reads job, roles, pods and group. */
void why_read(struct diagnosis *why);

/* Seconds since 1970 of a time in RFC 3339 with `Z`; 0: it is none. */
int64_t why_seconds_of(struct slice time);
/* The age of an object in seconds; -1: not known. */
int64_t why_age_of(const struct diagnosis *why, const struct live_object *object);
/* The number of pods that the roles with an expected count will have; -1: not known. */
int64_t why_expected(const struct diagnosis *why);
struct slice why_text_at(const struct live_object *object, const char *path);
/* Whether an event about the object is given. */
bool why_has_events(const struct diagnosis *why, const struct live_object *object);
/* When an event was seen last; unset: the object is none. */
struct slice why_event_time(const struct live_object *event);
/* The text of an event, and the path of it. */
struct slice why_event_text(const struct live_object *event, struct slice *path);
/* Whether a pod has a node or has ended. */
bool why_is_waiting(const struct why_pod *pod);
/* "Pod/job-0". */
const char *why_name(const struct diagnosis *why, const struct live_object *object);

void state_add_pod(struct diagnosis *why, const struct live_object *pod, bool is_of_job);

/* ---- group.c: the group, in the order of the calls ---- */

/* Whether the job has other gangs, too. */
bool group_is_one_of_several(const struct diagnosis *why);
/* The group that the templates name; NULL: they name none. */
const struct descriptor *group_of_templates(const struct diagnosis *why, struct slice *name);
void group_find_name(struct diagnosis *why);
/* The object of the group, and its minimum. */
void group_find_object(struct diagnosis *why);
/* Adds pods of other jobs that are in the group. */
void group_take_members(struct diagnosis *why);
void group_count_members(struct diagnosis *why);
/* The parts of a gang without an object as a pod has them; NULL: it has none that can be read. */
const struct node *group_parts_of(const struct diagnosis *why, const struct live_object *pod);

/* ---- phrases.c: what schedulers and controllers say ---- */

/* Adds the causes that texts of conditions and events report and the objects do not contradict. */
void why_read_words(struct diagnosis *why);

/* ---- causes.c, stages.c ---- */

/* Adds all causes that the objects prove or suggest. */
void why_look(struct diagnosis *why);

/*
 * Adds a cause with the values of its message, ended by NULL. Never NULL. A cause that is there
 * already stays as it is, and is returned.
 */
struct why_cause *why_add(struct diagnosis *why, enum why_certainty certainty, enum gang_code code,
                          const char *const *values);
#define WHY_ADD(why, certainty, code, ...)                                                         \
    why_add(why, certainty, code, (const char *const[]){__VA_ARGS__, NULL})

/* Replaces what was reported by what the objects prove. */
void why_restate(const struct diagnosis *why, struct why_cause *cause, const char *const *values);

/* Values of messages. */
const char *why_number(const struct diagnosis *why, int64_t number);
const char *why_text(const struct diagnosis *why, struct slice text);
const char *why_quoted(const struct diagnosis *why, struct slice text);

void why_show(struct why_cause *cause, const struct live_object *object, const char *path,
              struct slice value);
void why_show_words(struct why_cause *cause, const struct live_object *object, struct slice path,
                    struct slice value);
void why_count(struct why_cause *cause, const char *name, int64_t value);
const struct why_row *why_row_of(enum gang_code code);
/* The cause, where it was found already; else NULL. */
struct why_cause *why_cause_of(struct diagnosis *why, enum gang_code code);
/* Removes a cause that the objects contradict. */
void why_drop(struct diagnosis *why, enum gang_code code);
void why_sort(struct diagnosis *why);

/* Binding and starting take seconds; a scheduler that runs has said something after a minute. */
enum { STAGE_MOMENT = 5, STAGE_SECONDS = 10, STAGE_SILENCE = 60 };

/* What several stages ask. */
const char *stage_group_name(const struct diagnosis *why);
/* The condition of a type; NULL: the object has none. */
const struct node *stage_condition(const struct live_object *object, struct slice type);
bool stage_contains(struct slice text, const char *wanted);
/* What all members ask for. False if a pod cannot be read. */
bool stage_sum(const struct diagnosis *why, struct resource_list *sum);
/* A member without a node that has not ended; NULL: there is none. */
const struct why_pod *stage_waiting_member(const struct diagnosis *why);
/* The members, or the pods of the job that are none and that no rule has outside the gang. */
struct why_tally stage_tally(const struct diagnosis *why, bool are_members);
/* Pods that the controller of the role creates before a pod of the group has a node. */
int64_t stage_creatable(const struct diagnosis *why, const struct why_role *role);
/* Pods that could exist now and do not. */
int64_t stage_missing(const struct diagnosis *why);

/* ---- admission.c ---- */

/*
 * Returns whether the job is suspended, held by Kueue, or has its pods in another cluster: then
 * nothing else is a cause.
 */
bool stage_suspended(struct diagnosis *why);

/* ---- hand_over.c: from the pods to the queue ---- */

void stage_hand_over(struct diagnosis *why);
void stage_quorum(struct diagnosis *why);
/* Subgroups with fewer pods than their minimum; those without pods are looked at alone. */
void stage_subgroups(struct diagnosis *why, bool are_empty);
/* The task of a pod; unset: it has none. */
struct slice stage_task_of(const struct live_object *pod);
/* Whether the members name a scheduler that does not know their group. */
bool stage_is_misdirected(const struct diagnosis *why);
/* Whether a scheduler of the catalog has this name by default. */
bool stage_is_known(struct slice scheduler);
struct slice stage_scheduler_of(const struct live_object *pod);

/* ---- room.c ---- */

void stage_queue(struct diagnosis *why);
/* Adds what the nodes prove, if they are given. */
void why_fit(struct diagnosis *why);

#endif
