/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/kube/runtime_class.h"

#include "libgang/document/finding.h"

struct runtime_class
runtime_class_read(const struct node *source, struct arena *arena, struct report *report)
{
    return (struct runtime_class){
        .name = node_string(node_member(source, SLICE("name"))),
        .overhead = resource_list_read(node_member(source, SLICE("overhead")), arena, report),
        .source = source,
    };
}

const struct runtime_class *
runtime_class_find(const struct runtime_class *classes, size_t count, struct slice name)
{
    size_t low = 0;
    size_t high = count;

    while (low < high) {
        size_t middle = low + (high - low) / 2;
        int order = slice_compare(classes[middle].name, name);

        if (order == 0)
            return &classes[middle];
        if (order < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return NULL;
}

static bool
runtime_class_agrees(const struct resource_list *overhead, const struct resource_list *pods_own)
{
    if (overhead->count != pods_own->count)
        return false;
    for (size_t i = 0; i < overhead->count; i++)
        if (!slice_equal(overhead->items[i].name, pods_own->items[i].name) ||
            quantity_compare(&overhead->items[i].quantity, &pods_own->items[i].quantity) != 0)
            return false;
    return true;
}

static void
runtime_class_add_overhead(const struct runtime_class *class, const struct node *name,
                           struct pod_resources *pod, struct report *report)
{
    pod->overhead = class->overhead;
    find_note(report, GANG_CODE_DEFAULT_APPLIED, name, NULL,
              "each pod requests the overhead of RuntimeClass \"%.*s\" too: %s", SLICE_ARG(class->name),
              resource_list_in_words(&class->overhead, report->arena));
}

void
runtime_class_apply(const struct runtime_class *classes, size_t count, const struct node *pod_spec,
                    struct pod_resources *pod, struct report *report)
{
    const struct node *name = node_member(pod_spec, SLICE("runtimeClassName"));
    const struct node *overhead = node_member(pod_spec, SLICE("overhead"));
    const struct runtime_class *class = name ? runtime_class_find(classes, count, node_string(name)) : NULL;

    if (name && !class)
        find_forbidden(report, GANG_CODE_UNKNOWN_RUNTIME_CLASS, name, NULL,
                       "pod rejected: RuntimeClass \"%.*s\" not found", SLICE_ARG(node_string(name)));
    else if (!class || !class->overhead.count) {
        if (pod->overhead.count)
            find_forbidden(
                report, GANG_CODE_OVERHEAD_MISMATCH, overhead, "remove it",
                "pod rejected: Pod Overhead set without corresponding RuntimeClass defined Overhead");
    } else if (pod->overhead.count && !runtime_class_agrees(&class->overhead, &pod->overhead))
        find_forbidden(report, GANG_CODE_OVERHEAD_MISMATCH, overhead, "remove it",
                       "pod rejected: Pod's Overhead doesn't match RuntimeClass's defined Overhead");
    else if (!pod->overhead.count)
        runtime_class_add_overhead(class, name, pod, report);
}
