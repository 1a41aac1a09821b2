/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/catalog/catalog.h"

#define CATALOG_ROW(name) &name##_descriptor,

const struct descriptor *const catalog[CATALOG_COUNT] = {CATALOG_SCHEDULERS(CATALOG_ROW)};

const struct descriptor *
catalog_of_name(struct slice name)
{
    for (size_t i = 0; i < CATALOG_COUNT; i++)
        if (slice_equal(catalog[i]->name, name))
            return catalog[i];
    return NULL;
}

const struct descriptor *
catalog_of_type(struct slice type)
{
    for (size_t i = 0; i < CATALOG_COUNT; i++)
        if (slice_equal(catalog[i]->type, type))
            return catalog[i];
    return NULL;
}

const struct descriptor *
catalog_of_member(struct slice member)
{
    for (size_t i = 0; i < CATALOG_COUNT; i++)
        if (slice_equal(catalog[i]->member.name, member) ||
            (slice_is_set(catalog[i]->member.superseded) &&
             slice_equal(catalog[i]->member.superseded, member)))
            return catalog[i];
    return NULL;
}

const struct descriptor *
catalog_of_timeouts(void)
{
    for (size_t i = 0; i < CATALOG_COUNT; i++)
        if (slice_is_set(catalog[i]->member.timeout_path))
            return catalog[i];
    return NULL;
}

const struct descriptor *
catalog_of_network_topologies(void)
{
    for (size_t i = 0; i < CATALOG_COUNT; i++)
        if (slice_is_set(catalog[i]->member.topology_path))
            return catalog[i];
    return NULL;
}

const struct descriptor *
catalog_of_topologies(void)
{
    for (size_t i = 0; i < CATALOG_COUNT; i++)
        if (slice_is_set(catalog[i]->topology.group))
            return catalog[i];
    return NULL;
}
