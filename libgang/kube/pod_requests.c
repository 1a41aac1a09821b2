/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/kube/pod_requests.h"

static void
pod_requests_read_containers(struct pod_resources *pod, const struct node *list, bool is_init,
                             struct report *report)
{
    for (NODE_EACH(item, list)) {
        const struct node *resources = node_member(item, SLICE("resources"));

        pod->containers[pod->num_containers++] = (struct container_resources){
            .name = node_name(item),
            .is_init = is_init,
            .restarts_always =
                is_init && slice_equal(node_string(node_member(item, SLICE("restartPolicy"))),
                                       SLICE("Always")),
            .requests = resource_list_read(node_member(resources, SLICE("requests")), report),
            .limits = resource_list_read(node_member(resources, SLICE("limits")), report),
            .source = item,
        };
    }
}

struct pod_resources
pod_resources_read(const struct node *pod_spec, struct report *report)
{
    static const struct slice lists[] = {SLICE_INIT("containers"), SLICE_INIT("initContainers")};
    const struct node *resources = node_member(pod_spec, SLICE("resources"));
    const struct node *found[COUNT_OF(lists)];
    struct pod_resources pod = {0};
    size_t most = 0;

    for (size_t i = 0; i < COUNT_OF(lists); i++) {
        const struct node *list = node_member(pod_spec, lists[i]);

        found[i] = node_is(list, NODE_LIST) ? list : NULL;
        most += node_count(found[i]);
    }
    pod.containers = arena_array(report->arena, most, sizeof(*pod.containers));
    for (size_t i = 0; pod.containers && i < COUNT_OF(lists); i++)
        pod_requests_read_containers(&pod, found[i], i > 0, report);
    if (resources) {
        pod.pod_requests = resource_list_read(node_member(resources, SLICE("requests")), report);
        pod.pod_limits = resource_list_read(node_member(resources, SLICE("limits")), report);
    }
    pod.overhead = resource_list_read(node_member(pod_spec, SLICE("overhead")), report);
    return pod;
}

struct container_resources *
pod_container_find(const struct pod_resources *pod, struct slice name)
{
    struct container_resources *found = FIND_TEXT(pod->containers, pod->num_containers, name, name);

    return found && !found->is_init ? found : NULL;
}

struct container_resources *
pod_containers_copy(const struct pod_resources *pod, struct arena *arena)
{
    return arena_grow(arena, pod->containers, pod->num_containers, pod->num_containers,
                      sizeof(*pod->containers));
}

struct pod_requests_run {
    enum pod_requests_mode mode;
    struct arena *arena;
    struct resource_list sum;      /* requests of the containers that run after initialization */
    struct resource_list sidecars; /* requests of the sidecars started so far */
    struct resource_list peak;     /* the maximum over all steps of initialization */
};

/* Returns a copy that the caller may change. */
static struct resource_list
pod_requests_of(const struct pod_requests_run *run, const struct container_resources *container)
{
    const struct resource_list none = {0};

    return resource_list_union(run->arena, &container->requests,
                               run->mode == POD_REQUESTS_ONLY ? &none : &container->limits);
}

static bool
pod_requests_add_containers(struct pod_requests_run *run, const struct pod_resources *pod)
{
    for (size_t i = 0; i < pod->num_containers; i++) {
        struct resource_list requests;

        if (pod->containers[i].is_init)
            continue;
        requests = pod_requests_of(run, &pod->containers[i]);
        if (!run->sum.count)
            run->sum = requests;
        else if (!resource_list_add(&run->sum, run->arena, &requests))
            return false;
    }
    return true;
}

/* A sidecar runs beside all that start after it; the others run one by one. */
static bool
pod_requests_add_init_containers(struct pod_requests_run *run, const struct pod_resources *pod)
{
    for (size_t i = 0; i < pod->num_containers; i++) {
        const struct container_resources *container = &pod->containers[i];
        struct resource_list requests;
        bool fits;

        if (!container->is_init)
            continue;
        requests = pod_requests_of(run, container);
        if (container->restarts_always)
            fits = resource_list_add(&run->sum, run->arena, &requests) &&
                   resource_list_add(&run->sidecars, run->arena, &requests);
        else
            fits = resource_list_add(&requests, run->arena, &run->sidecars);
        if (!fits)
            return false;
        resource_list_maximum(&run->peak, run->arena,
                              container->restarts_always ? &run->sidecars : &requests);
    }
    resource_list_maximum(&run->sum, run->arena, &run->peak);
    return true;
}

/* kubernetes/component-helpers:resource/helpers.go SupportedPodLevelResources */
bool
pod_requests_is_pod_level(struct slice name)
{
    return slice_equal(name, SLICE("cpu")) || slice_equal(name, SLICE("memory")) ||
           slice_has_prefix(name, SLICE("hugepages-"));
}

/*
 * The API server uses a pod-level limit as a missing pod-level request only if no container
 * requests the resource. For huge pages it always uses the limit. Source:
 * kubernetes/kubernetes:pkg/apis/core/v1/defaults.go defaultPodRequests
 */
static bool
pod_requests_takes_pod_limit(const struct pod_requests_run *run, const struct pod_resources *pod,
                             struct slice name)
{
    if (run->mode == POD_REQUESTS_ONLY || !pod_requests_is_pod_level(name) ||
        resource_list_get(&pod->pod_requests, name))
        return false;
    return slice_has_prefix(name, SLICE("hugepages-")) || !resource_list_get(&run->sum, name);
}

bool
pod_requests_sum(const struct pod_resources *pod, enum pod_requests_mode mode, struct arena *arena,
                 struct resource_list *out)
{
    struct pod_requests_run run = {.mode = mode, .arena = arena};

    *out = (struct resource_list){0};
    if (!pod_requests_add_containers(&run, pod) || !pod_requests_add_init_containers(&run, pod))
        return false;
    for (size_t i = 0; i < pod->pod_limits.count; i++) {
        const struct resource *limit = &pod->pod_limits.items[i];

        if (pod_requests_takes_pod_limit(&run, pod, limit->name))
            resource_list_set(&run.sum, run.arena, limit->name, limit->quantity);
    }
    for (size_t i = 0; i < pod->pod_requests.count; i++) {
        const struct resource *request = &pod->pod_requests.items[i];

        if (pod_requests_is_pod_level(request->name))
            resource_list_set(&run.sum, run.arena, request->name, request->quantity);
    }
    if (!resource_list_add(&run.sum, arena, &pod->overhead))
        return false;
    *out = run.sum;
    return true;
}

/* ---- json passage ---- */

static struct resource_list
resource_list_after_json(const struct resource_list *source, struct arena *arena)
{
    struct resource_list list = resource_list_copy(arena, source);

    for (size_t i = 0; i < list.count; i++)
        list.items[i].quantity = quantity_reread(&list.items[i].quantity, arena);
    return list;
}

static bool
resource_list_survives_json(const struct resource_list *list, struct arena *arena)
{
    for (size_t i = 0; i < list->count; i++)
        if (quantity_reread(&list->items[i].quantity, arena).format !=
            list->items[i].quantity.format)
            return false;
    return true;
}

bool
pod_resources_survive_json(const struct pod_resources *pod, struct arena *arena)
{
    for (size_t i = 0; i < pod->num_containers; i++)
        if (!resource_list_survives_json(&pod->containers[i].requests, arena) ||
            !resource_list_survives_json(&pod->containers[i].limits, arena))
            return false;
    return resource_list_survives_json(&pod->pod_requests, arena) &&
           resource_list_survives_json(&pod->pod_limits, arena) &&
           resource_list_survives_json(&pod->overhead, arena);
}

struct pod_resources
pod_resources_after_json(const struct pod_resources *pod, struct arena *arena)
{
    struct pod_resources copy = {
        .containers = pod_containers_copy(pod, arena),
        .pod_requests = resource_list_after_json(&pod->pod_requests, arena),
        .pod_limits = resource_list_after_json(&pod->pod_limits, arena),
        .overhead = resource_list_after_json(&pod->overhead, arena),
    };

    copy.num_containers = copy.containers ? pod->num_containers : 0;
    for (size_t i = 0; i < copy.num_containers; i++) {
        struct container_resources *container = &copy.containers[i];

        container->requests = resource_list_after_json(&container->requests, arena);
        container->limits = resource_list_after_json(&container->limits, arena);
    }
    return copy;
}
