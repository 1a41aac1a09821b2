/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/decide/decision.h"

/* Without a policy every backend is enabled. */
static size_t
enabled_backend_count(const struct gang_policy *policy)
{
    return policy ? policy->num_backends : backend_count;
}

static const struct backend *
enabled_backend_type(const struct gang_policy *policy, size_t index)
{
    return policy ? backend_of(policy->backends[index].descriptor) : backend_table[index];
}

bool
enabled_backend_at(const struct gang_policy *policy, size_t index, struct enabled_backend *out)
{
    const struct policy_backend *entry;
    const struct descriptor *type;

    if (index >= enabled_backend_count(policy))
        return false;
    *out = (struct enabled_backend){.backend = enabled_backend_type(policy, index)};
    type = out->backend ? out->backend->descriptor : NULL;
    entry = out->entry = policy ? &policy->backends[index] : NULL;
    out->name = entry ? entry->name : type->name;
    out->scheduler_name = entry ? entry->scheduler_name : type->scheduler_name;
    if (entry && slice_is_set(entry->api_version))
        out->api_version = entry->api_version;
    else if (type)
        out->api_version = type->api_version;
    return true;
}

bool
enabled_backend_of_name(const struct gang_policy *policy, struct slice name,
                        struct enabled_backend *out)
{
    for (size_t i = 0; i < enabled_backend_count(policy); i++)
        if (slice_equal(policy ? policy->backends[i].name : backend_table[i]->descriptor->name,
                        name))
            return enabled_backend_at(policy, i, out);
    *out = (struct enabled_backend){.name = NO_SLICE};
    return false;
}

size_t
enabled_backend_of_type(const struct gang_policy *policy, const struct backend *type,
                        struct enabled_backend *out)
{
    size_t count = 0;

    for (size_t i = 0; i < enabled_backend_count(policy); i++)
        if (enabled_backend_type(policy, i) == type && count++ == 0)
            enabled_backend_at(policy, i, out);
    return count;
}

size_t
enabled_backend_of_scheduler(const struct gang_policy *policy, struct slice scheduler_name,
                             struct enabled_backend *out)
{
    struct enabled_backend other;
    size_t count = 0;

    for (size_t i = 0; enabled_backend_at(policy, i, &other); i++)
        if (other.backend && slice_equal(other.scheduler_name, scheduler_name) && count++ == 0)
            *out = other;
    return count;
}

const char *
enabled_backend_list(const struct gang_policy *policy, bool of_schedulers, struct arena *arena)
{
    struct enabled_backend other;
    const char *list = "";

    for (size_t i = 0; enabled_backend_at(policy, i, &other); i++) {
        const struct slice name = of_schedulers ? other.scheduler_name : other.name;

        if (slice_is_set(name) && (other.backend || !of_schedulers))
            list = arena_format(arena, "%s%s%-.*s", list, list[0] ? ", " : "", SLICE_ARG(name));
    }
    return list;
}

/* ---- Grove ---- */

SELDOM struct enabled_backend
enabled_backend_of_grove_entry(const struct policy_backend *entry)
{
    struct enabled_backend enabled = {
        .name = entry->name, .scheduler_name = entry->scheduler_name, .entry = entry};

    if (entry->descriptor) {
        enabled.backend = backend_of(entry->descriptor);
        enabled.grove = grove_scheduler_of(entry->descriptor);
        return enabled;
    }
    if (!enabled.scheduler_name.len)
        enabled.scheduler_name = grove_scheduler_by_default()->grove->name;
    enabled.grove = grove_scheduler_without_gangs(enabled.scheduler_name);
    return enabled;
}

/* A policy that lists no backends enables every type once, so it has an entry for each backend. */
static struct enabled_backend
enabled_backend_built_in(const struct gang_policy *policy, const struct grove_scheduler *grove)
{
    struct enabled_backend enabled = {
        .name = grove->grove->name,
        .scheduler_name = grove->grove->name,
        .backend = backend_of(grove->descriptor),
        .grove = grove,
    };

    if (enabled.backend)
        enabled.name = enabled.backend->descriptor->name;
    for (size_t i = 0; policy && enabled.backend && i < policy->num_backends; i++)
        if (policy->backends[i].descriptor == grove->descriptor) {
            enabled.entry = &policy->backends[i];
            enabled.name = enabled.entry->name;
            break;
        }
    return enabled;
}

SELDOM struct enabled_backend
enabled_backend_of_grove(void)
{
    return enabled_backend_built_in(NULL, grove_scheduler_by_default());
}

/*
 * The index-th, including those that Grove does not support. The default is last if the policy does
 * not list it.
 */
SELDOM static bool
enabled_backend_for_grove_at(const struct gang_policy *policy, size_t index,
                             struct enabled_backend *out)
{
    if (!policy || !policy->lists_backends) {
        const struct grove_scheduler *grove = grove_scheduler_at(index);

        if (!grove)
            return false;
        *out = enabled_backend_built_in(policy, grove);
        return true;
    }
    if (index < policy->num_backends) {
        *out = enabled_backend_of_grove_entry(&policy->backends[index]);
        return true;
    }
    *out = enabled_backend_of_grove();
    for (size_t i = 0; i < policy->num_backends; i++)
        if (slice_equal(enabled_backend_of_grove_entry(&policy->backends[i]).scheduler_name,
                        out->scheduler_name))
            return false;
    return index == policy->num_backends;
}

bool
enabled_backend_for_grove(const struct gang_policy *policy, struct slice scheduler_name,
                          struct enabled_backend *out)
{
    for (size_t i = 0; enabled_backend_for_grove_at(policy, i, out); i++)
        if (out->grove && slice_equal(out->scheduler_name, scheduler_name))
            return true;
    *out = (struct enabled_backend){.name = NO_SLICE};
    return false;
}

const char *
enabled_backend_names_for_grove(const struct gang_policy *policy, struct arena *arena)
{
    struct enabled_backend enabled;
    struct wording names = {0};

    for (size_t i = 0; enabled_backend_for_grove_at(policy, i, &enabled); i++)
        if (enabled.grove)
            wording_add(&names, ", ", enabled.scheduler_name);
    return arena_format(arena, "%s", wording_end_list(&names));
}
