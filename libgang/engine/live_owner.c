/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/engine/live_owner.h"

static struct slice
live_own_uid(const struct gang_decision *decision, struct slice uid)
{
    if (!slice_equal(decision->gang.owner.kind, SLICE(GANG_KIND_PODCLIQUESET)))
        return uid;
    return decision->inputs.podgang ? decision->inputs.podgang->meta.uid : NO_SLICE;
}

struct live_owner
live_owner_of(const struct gang_decision *decision, const struct live_object *job)
{
    const struct gang_owner *source = &decision->gang.owner;
    struct live_owner owner = {
        .key = {live_group_of(source->api_version), source->kind, source->namespace_, source->name},
        .leaves_no_references = decision->inputs.policy && decision->inputs.policy->output.omits_owner,
    };

    if (source->uid.len)
        owner.uid = source->uid;
    else if (job && job->uid.len)
        owner.uid = job->uid;
    owner.own_uid = live_own_uid(decision, owner.uid);
    return owner;
}

static bool
live_has_owner_name(const struct live_owner *owner, const struct node *reference)
{
    struct slice api_version = node_string(node_member(reference, SLICE("apiVersion")));

    return slice_equal(node_string(node_member(reference, SLICE("name"))), owner->key.name) &&
           slice_equal(node_string(node_member(reference, SLICE("kind"))), owner->key.kind) &&
           slice_equal(live_group_of(api_version), owner->key.group);
}

/* Without a uid we render no references, so an object that nobody owns may be what we have rendered. */
enum live_ownership
live_ownership_of(const struct live_owner *owner, const struct live_object *object)
{
    struct slice uid = node_string(node_member(object->controller, SLICE("uid")));

    if (!object->controller)
        return owner->leaves_no_references || !owner->uid.len ? OWNERSHIP_OURS : OWNERSHIP_OF_NOBODY;
    if (owner->uid.len ? slice_equal(uid, owner->uid) : live_has_owner_name(owner, object->controller))
        return OWNERSHIP_OURS;
    return live_has_owner_name(owner, object->controller) ? OWNERSHIP_OF_FORMER : OWNERSHIP_OF_OTHER;
}

bool
live_is_certain(const struct live_owner *owner, const struct live_object *object)
{
    return owner->own_uid.len && object->controller &&
           slice_equal(node_string(node_member(object->controller, SLICE("uid"))), owner->own_uid);
}
