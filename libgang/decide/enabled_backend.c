/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/decide/enabled_backend.h"

#include "libgang/base/text.h"

static const struct backend *
enabled_backend_of_identity(const struct backend_identity *identity)
{
    for (size_t i = 0; i < backend_count; i++)
        if (&backend_table[i]->identity == identity)
            return backend_table[i];
    return NULL;
}

static struct enabled_backend
enabled_backend_of_entry(const struct policy_backend *entry)
{
    const struct backend *backend = enabled_backend_of_identity(entry->identity);

    return (struct enabled_backend){
        .name = entry->name,
        .scheduler_name = entry->scheduler_name,
        .api_version = slice_is_set(entry->api_version) ? entry->api_version
                       : backend                        ? backend->identity.api_version
                                                        : NO_SLICE,
        .backend = backend,
        .entry = entry,
    };
}

static struct enabled_backend
enabled_backend_of_table(const struct backend *backend)
{
    return (struct enabled_backend){
        .name = backend->identity.name,
        .scheduler_name = backend->identity.scheduler_name,
        .api_version = backend->identity.api_version,
        .backend = backend,
    };
}

bool
enabled_backend_at(const struct gang_policy *policy, size_t index, struct enabled_backend *out)
{
    if (index >= (policy ? policy->num_backends : backend_count))
        return false;
    *out = policy ? enabled_backend_of_entry(&policy->backends[index])
                  : enabled_backend_of_table(backend_table[index]);
    return true;
}

bool
enabled_backend_of_name(const struct gang_policy *policy, struct slice name, struct enabled_backend *out)
{
    const struct backend *backend = policy ? NULL : backend_by_name(name);
    struct enabled_backend other;

    *out = backend ? enabled_backend_of_table(backend) : (struct enabled_backend){.name = NO_SLICE};
    for (size_t i = 0; policy && enabled_backend_at(policy, i, &other); i++)
        if (slice_equal(other.name, name)) {
            *out = other;
            return true;
        }
    return backend != NULL;
}

size_t
enabled_backend_of_type(const struct gang_policy *policy, const struct backend *type,
                        struct enabled_backend *out)
{
    struct enabled_backend other;
    size_t count = 0;

    if (!policy) {
        *out = enabled_backend_of_table(type);
        return 1;
    }
    for (size_t i = 0; enabled_backend_at(policy, i, &other); i++)
        if (other.backend == type && count++ == 0)
            *out = other;
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

static const char *
enabled_backend_add(const char *list, struct slice name, struct arena *arena)
{
    struct quoted quoted;

    return slice_is_set(name) ? arena_format(arena, "%s%s%s", list, list[0] ? ", " : "", quote(&quoted, name))
                              : list;
}

const char *
enabled_backend_names(const struct gang_policy *policy, struct arena *arena)
{
    struct enabled_backend other;
    const char *list = "";

    for (size_t i = 0; enabled_backend_at(policy, i, &other); i++)
        list = enabled_backend_add(list, other.name, arena);
    return list;
}

const char *
enabled_backend_schedulers(const struct gang_policy *policy, struct arena *arena)
{
    struct enabled_backend other;
    const char *list = "";

    for (size_t i = 0; enabled_backend_at(policy, i, &other); i++)
        if (other.backend)
            list = enabled_backend_add(list, other.scheduler_name, arena);
    return list;
}
