/* SPDX-License-Identifier: Apache-2.0 */
#include "facts.h"

#include <stdlib.h>
#include <string.h>

#include <gang/gang.h>

#include "tree.h"

/* The state of facts_document(). */
struct facts_writer {
    struct facts *facts;
    struct json_object *spec;
    struct text unknown; /* "a, b" */
};

static void
leave_unknown(struct facts_writer *writer, const char *fact)
{
    text_addf(&writer->unknown, "%s%s", writer->unknown.len ? ", " : "", fact);
}

static void
write_served_versions(struct facts_writer *writer)
{
    struct facts *facts = writer->facts;
    struct json_object *list;
    const char **keys;
    size_t count;

    if (!facts->group_versions) {
        leave_unknown(writer, "servedVersions");
        return;
    }
    list = tree_list();
    keys = tree_sorted_keys(facts->group_versions, &count);
    for (size_t i = 0; i < count; i++) {
        struct json_object *item = tree_map();
        struct json_object *resources = tree_member(facts->resources, keys[i]);

        tree_put_text(item, "groupVersion", keys[i]);
        if (resources)
            tree_put(item, "resources", tree_sorted_names(resources));
        json_object_array_add(list, item);
    }
    free(keys);
    tree_put(writer->spec, "servedVersions", list);
}

static void
write_kept_fields(struct facts_writer *writer)
{
    const struct kept_fields *kept = &writer->facts->kept;
    struct json_object *list;

    if (!kept->is_known[OWNER_JOBSET] || !kept->is_known[OWNER_TRAINER]) {
        leave_unknown(writer, "podTemplateFields");
        return;
    }
    list = tree_list();
    for (size_t i = 0; i < POD_FIELD_COUNT; i++) {
        if (kept->bits[OWNER_JOBSET] & kept->bits[OWNER_TRAINER] & (1u << i))
            json_object_array_add(list,
                                  tree_new_text(pod_field_names[i], strlen(pod_field_names[i])));
    }
    tree_put(writer->spec, "podTemplateFields", list);
}

static const struct {
    const char *name;
    bool is_never_empty; /* every cluster has some, so none means that they were not in the input */
    bool is_optional;    /* an absent list means the same as an empty one */
} fact_lists[FACT_LIST_COUNT] = {
    [FACTS_DEVICE_CLASSES] = {"deviceClasses", false, false},
    [FACTS_NAMESPACES] = {"namespaces", true, false},
    [FACTS_NODES] = {"nodes", true, true},
    [FACTS_QUEUES] = {"queues", false, false},
    [FACTS_PRIORITY_CLASSES] = {"priorityClasses", true, false},
    [FACTS_RUNTIME_CLASSES] = {"runtimeClasses", false, false},
    [FACTS_LIMIT_RANGES] = {"limitRanges", false, false},
    [FACTS_RESOURCE_QUOTAS] = {"resourceQuotas", false, true},
};

static bool
has_queue(const struct facts *facts, const char *type)
{
    size_t len = strlen(type);

    json_object_object_foreach(facts->lists[FACTS_QUEUES], key, value)
    {
        (void)value;
        if (strncmp(key, type, len) == 0 && key[len] == '\n')
            return true;
    }
    return false;
}

static bool
serves_group(const struct facts *facts, const char *group)
{
    size_t len = strlen(group);

    json_object_object_foreach(facts->group_versions, key, value)
    {
        (void)value;
        if (strncmp(key, group, len) == 0 && key[len] == '/')
            return true;
    }
    return false;
}

/*
 * Whether the queues of all schedulers are known. One list has them all, so for each scheduler some
 * queue was read or its API is not served.
 */
static bool
knows_queues(const struct facts *facts)
{
    for (size_t i = 0; i < tree_length(facts->schedulers); i++) {
        struct json_object *scheduler = json_object_array_get_idx(facts->schedulers, i);

        if (tree_text(scheduler, "queueParent") &&
            !has_queue(facts, tree_text(scheduler, "type")) &&
            (!facts->group_versions || serves_group(facts, tree_text(scheduler, "apiGroup"))))
            return false;
    }
    return true;
}

static bool
knows_no_devices(const struct facts *facts)
{
    return facts->group_versions && !serves_group(facts, "resource.k8s.io");
}

/* Devices matter only for what nodes have. */
static bool
matters(const struct facts *facts, enum fact_list list)
{
    return list != FACTS_DEVICE_CLASSES || json_object_object_length(facts->lists[FACTS_NODES]) > 0;
}

static void
write_list(struct facts_writer *writer, enum fact_list list, bool complete)
{
    struct json_object *items = writer->facts->lists[list];
    bool known = json_object_object_length(items) > 0;

    if (list == FACTS_QUEUES)
        known = knows_queues(writer->facts);
    if (list == FACTS_DEVICE_CLASSES && knows_no_devices(writer->facts))
        known = true;
    if (!known && fact_lists[list].is_optional)
        return;
    if (known || (complete && !fact_lists[list].is_never_empty))
        tree_put(writer->spec, fact_lists[list].name, tree_sorted_values(items));
    else
        leave_unknown(writer, fact_lists[list].name);
}

static void
write_spec(struct facts_writer *writer, bool complete)
{
    struct facts *facts = writer->facts;
    struct json_object *components = tree_sorted_map(facts->components);

    if (facts->kubernetes)
        tree_put_text(writer->spec, "kubernetesVersion", facts->kubernetes);
    else
        leave_unknown(writer, "kubernetesVersion");
    write_served_versions(writer);
    if (facts->gates)
        tree_put(writer->spec, "featureGates", tree_sorted_map(facts->gates));
    else
        leave_unknown(writer, "featureGates");
    if (json_object_object_length(components))
        tree_share(writer->spec, "components", components);
    else
        leave_unknown(writer, "components");
    json_object_put(components);
    if (json_object_object_length(facts->operators))
        tree_put(writer->spec, "operatorGangs", tree_sorted_map(facts->operators));
    write_kept_fields(writer);
    for (size_t i = 0; i < FACT_LIST_COUNT; i++)
        if (matters(facts, (enum fact_list)i))
            write_list(writer, (enum fact_list)i, complete);
}

static void
note_ignored(struct facts *facts)
{
    size_t count;
    const char **kinds = tree_sorted_keys(facts->ignored, &count);

    for (size_t i = 0; i < count; i++) {
        text_addf(&facts->notes, "%s%lld ", i ? ", " : "note: ignored: ",
                  (long long)json_object_get_int64(tree_member(facts->ignored, kinds[i])));
        text_add_printable(&facts->notes, kinds[i]);
    }
    if (count)
        text_add(&facts->notes, "\n");
    free(kinds);
}

struct json_object *
facts_document(struct facts *facts, bool complete)
{
    struct facts_writer writer = {.facts = facts, .spec = tree_map()};
    struct json_object *document = tree_map();
    struct json_object *metadata = tree_map();

    write_spec(&writer, complete);
    tree_put_text(document, "apiVersion", GANG_API_VERSION);
    tree_put_text(document, "kind", GANG_KIND_CLUSTER);
    tree_put_text(metadata, "name", "cluster");
    tree_put(document, "metadata", metadata);
    tree_put(document, "spec", writer.spec);
    note_ignored(facts);
    if (writer.unknown.len)
        text_addf(&facts->notes, "note: not known: %s\n", writer.unknown.data);
    text_free(&writer.unknown);
    return document;
}
