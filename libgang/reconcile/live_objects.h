/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LIBGANG_RECONCILE_LIVE_OBJECTS_H
#define LIBGANG_RECONCILE_LIVE_OBJECTS_H

#include "libgang/base/report.h"
#include "libgang/decide/decision.h"
#include "libgang/document/node.h"

/* An object as the API server has it. Texts are unset where absent. */
struct live_object {
    const struct node *root;
    const struct node *metadata;
    struct slice group; /* "" for Kubernetes' own first one */
    struct slice api_version;
    struct slice kind;
    struct slice name;
    struct slice namespace_;
    struct slice uid;
    bool is_terminating;
    const struct node *controller; /* of its owner references; NULL for none */
};

struct live_objects {
    struct live_object *items;
    size_t count;
};

/*
 * Reads a text as `kubectl get -o yaml` or `-o json` prints it: documents one behind the other, lists taken apart. What is
 * not well-formed or no object is reported; places count from the start of the text, and paths from the object. The
 * trees live in `arena`.
 */
struct live_objects live_objects_read(struct slice text, const struct limits *limits, struct arena *arena,
                                      struct report *report);

/* Which object is meant, in whatever version of its API. */
struct live_key {
    struct slice group;
    struct slice kind;
    struct slice namespace_; /* unset or empty: "default" */
    struct slice name;
};

/* The first; NULL for none. */
const struct live_object *live_objects_find(const struct live_objects *objects, const struct live_key *key);

/* The part of an apiVersion before the slash; "" without one. */
struct slice live_group_of(struct slice api_version);
/* Whether both name one namespace, of which "default" may go without saying. */
bool live_same_namespace(struct slice a, struct slice b);

/* The job whose objects these should be. */
struct live_owner {
    struct live_key key;
    struct slice uid;          /* unset: not known, and the name has to do */
    struct slice own_uid;      /* of what owns nothing but this plan's objects; unset: not known */
    bool leaves_no_references; /* the policy renders none */
};

enum live_ownership {
    OWNERSHIP_OURS,
    OWNERSHIP_OF_FORMER, /* a job of the same name that is no more */
    OWNERSHIP_OF_OTHER,
    OWNERSHIP_OF_NOBODY,
};

/* `job` is the job itself as the API server has it; NULL when it is not among the live objects. */
struct live_owner live_owner_of(const struct gang_decision *decision, const struct live_object *job);

/* Goes by the owner reference with `controller: true`, of which there is one at most. */
enum live_ownership live_ownership_of(const struct live_owner *owner, const struct live_object *object);

/*
 * Whether the object is certain to be of this plan alone, by uid. Those of a PodCliqueSet are not: a plan has the groups of
 * one replica, and what it lacks may be another's. Its PodGang owns what was made for it under the other layout.
 */
bool live_is_certain(const struct live_owner *owner, const struct live_object *object);

/* What has become of the job itself. */
struct live_job {
    const struct live_object *object; /* NULL: not among the live objects */
    bool is_finished;                 /* complete or failed, for good */
    bool is_terminating;
    bool has_pods; /* of the gang's members, by the job's status */
};

/*
 * Finds the job of a decision. Without it among the live objects, what the decision's trainjob says of its status
 * counts. Source: kubeflow/trainer:pkg/apis/trainer/v1alpha1/trainjob_types.go@v2.3.0 TrainJobStatus.
 */
struct live_job live_job_find(const struct gang_decision *decision, const struct live_objects *objects);

/* The name of the group that a pod is marked for, by whatever backend; unset for none, and for a pod that has ended. */
struct slice live_pod_group(const struct live_object *object);

#endif
