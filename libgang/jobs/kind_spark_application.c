/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/jobs/job_kinds.h"
#include "libgang/kube/strategic_merge.h"

static const struct {
    struct slice suffix;
    int shift;
} java_size_units[] = {
    {SLICE_INIT("b"), 0},   {SLICE_INIT("k"), 10}, {SLICE_INIT("kb"), 10}, {SLICE_INIT("m"), 20},
    {SLICE_INIT("mb"), 20}, {SLICE_INIT("g"), 30}, {SLICE_INIT("gb"), 30}, {SLICE_INIT("t"), 40},
    {SLICE_INIT("tb"), 40}, {SLICE_INIT("p"), 50}, {SLICE_INIT("pb"), 50},
};

bool
java_size_parse(struct slice text, int64_t unit, int64_t *bytes)
{
    size_t digits = 0;
    int64_t number, product;

    while (digits < text.len && ascii_is(text.data[digits], ASCII_DIGIT))
        digits++;
    if (!digits || !integer_parse((struct slice){text.data, digits}, &number))
        return false;
    if (digits < text.len) {
        const struct slice suffix = slice_after(text, digits);

        unit = 0;
        for (size_t i = 0; !unit && i < COUNT_OF(java_size_units); i++)
            if (ascii_equal(suffix, java_size_units[i].suffix))
                unit = INT64_C(1) << java_size_units[i].shift;
    }
    if (!unit || __builtin_mul_overflow(number, unit, &product))
        return false;
    *bytes = product;
    return true;
}

/*
 * SparkApplication of Spark operator. Sources: kubeflow/spark-operator@v2.5.2,
 * api/v1beta2/defaults.go (defaults), internal/controller/sparkapplication/submission.go (what
 * spark-submit is told), pkg/util/sparkapplication.go (executors), internal/webhook (checks), and
 * internal/scheduler/yunikorn/resourceusage (requests, as Spark computes them).
 *
 * The driver creates the executors, so a gang with both would never fill. The gang is that of the
 * executors; the driver is outside.
 */

/* The driver, or the executors: where their pods are described. */
struct spark_side {
    struct slice name; /* of the role, and of the member of the spec */
    const char *container;
    struct slice memory; /* keys of sparkConf */
    struct slice overhead;
    struct slice overhead_factor;
    struct slice cores;
    struct slice core_request;
    struct slice resource; /* what the keys of extended resources begin with */
};

#define SPARK_SIDE(word)                                                                           \
    {                                                                                              \
        .name = SLICE_INIT(word), .container = "spark-kubernetes-" word,                           \
        .memory = SLICE_INIT("spark." word ".memory"),                                             \
        .overhead = SLICE_INIT("spark." word ".memoryOverhead"),                                   \
        .overhead_factor = SLICE_INIT("spark." word ".memoryOverheadFactor"),                      \
        .cores = SLICE_INIT("spark." word ".cores"),                                               \
        .core_request = SLICE_INIT("spark.kubernetes." word ".request.cores"),                     \
        .resource = SLICE_INIT("spark." word ".resource."),                                        \
    }
static const struct spark_side spark_driver_side = SPARK_SIDE("driver");
static const struct spark_side spark_executor_side = SPARK_SIDE("executor");

/* An application while it is translated. */
struct spark_app {
    const struct job_source *source;
    const struct node *conf; /* sparkConf */
};

/* ---- settings ---- */

/* Returns a field, or else the setting of sparkConf: the operator passes both, the field last. */
static const struct node *
spark_setting(const struct spark_app *app, const struct node *map, struct slice field,
              struct slice key)
{
    const struct node *value = node_member(map, field);

    return value ? value : node_member(app->conf, key);
}

/*
 * Source: toBoolean in
 * apache/spark:core/src/main/scala/org/apache/spark/internal/config/ConfigBuilder.scala@v3.5.0
 */
static bool
spark_is_on(const struct spark_app *app, struct slice key)
{
    return ascii_equal(text_trim(node_string(node_member(app->conf, key))), SLICE("true"));
}

/* Reads a number of pods, which is a text in sparkConf; `absent` without one. */
static int64_t
spark_number(const struct spark_app *app, const struct node *map, struct slice field,
             struct slice key, int64_t absent)
{
    const struct node *value = spark_setting(app, map, field, key);
    int64_t number;

    if (!integer_parse(node_text(value), &number))
        return absent;
    return job_field_pods(number, value, app->source->report);
}

/* Reports the default of a field that is neither in the spec nor in sparkConf. */
static void
spark_note_default(const struct spark_app *app, const struct node *side, struct slice field,
                   const char *value)
{
    if (!side)
        return; /* which is an error: the field is required */
    find_note_below(app->source->report, side, field, MESSAGE_DEFAULT_APPLIED_WEBHOOK, value);
}

static int64_t
spark_size(const struct spark_app *app, const struct node *value, int64_t unit)
{
    int64_t bytes = 0;

    if (value && !java_size_parse(node_string(value), unit, &bytes))
        find_invalid(app->source->report, value, MESSAGE_JAVA_SIZE_MEMORY);
    return bytes;
}

/* ---- memory ---- */

enum { SPARK_LEAST_OVERHEAD_MEBIBYTES = 384 };

/*
 * The overhead as a share of the heap. Since Spark 3.3 the driver and the executors have settings
 * of their own, which come before the common one. Source: BasicDriverFeatureStep.
 */
static struct quantity
spark_overhead_factor(const struct spark_app *app, const struct spark_side *side)
{
    const struct slice type = node_string(node_member(app->source->spec, SLICE("type")));
    const struct quantity tenths = {.nanos = !type.len || slice_equal(type, SLICE("Java")) ||
                                                     slice_equal(type, SLICE("Scala"))
                                                 ? 100000000
                                                 : 400000000};
    const struct node *own = node_member(app->conf, side->overhead_factor);
    const struct node *given =
        own ? own
            : spark_setting(app, app->source->spec, SLICE("memoryOverheadFactor"),
                            SLICE("spark.kubernetes.memoryOverheadFactor"));
    const struct slice text = node_string(given);
    struct quantity factor;

    if (!text.len)
        return tenths;
    if (quantity_parse(text, &factor) == QUANTITY_OK && factor.units >= 0 &&
        !ascii_is(text.data[text.len - 1], ASCII_LETTER))
        return factor;
    find_invalid(app->source->report, given, MESSAGE_JAVA_SIZE_NUMBER);
    return (struct quantity){0};
}

static int64_t
spark_overhead(const struct spark_app *app, const struct spark_side *side, const struct node *pod,
               int64_t heap)
{
    const struct node *given = spark_setting(app, pod, SLICE("memoryOverhead"), side->overhead);
    const int64_t least = SPARK_LEAST_OVERHEAD_MEBIBYTES * JAVA_MEBIBYTE;
    struct quantity share;

    if (given)
        return spark_size(app, given, JAVA_MEBIBYTE);
    share = spark_overhead_factor(app, side);
    if (!quantity_multiply(&share, heap))
        return INT64_MAX; /* reported by spark_memory() */
    return share.units > least ? share.units : least;
}

/* What executors have besides heap and overhead: the memory of Python, and memory off the heap. */
static int64_t
spark_executor_memory(const struct spark_app *app)
{
    const struct slice type = node_string(node_member(app->source->spec, SLICE("type")));
    int64_t bytes = 0;

    if (slice_equal(type, SLICE("Python")))
        bytes = spark_size(app, node_member(app->conf, SLICE("spark.executor.pyspark.memory")),
                           JAVA_MEBIBYTE);
    if (spark_is_on(app, SLICE("spark.memory.offHeap.enabled")))
        bytes = integer_add_capped(
            bytes, spark_size(app, node_member(app->conf, SLICE("spark.memory.offHeap.size")), 1));
    return bytes;
}

/* Spark requests whole mebibytes. */
static struct slice
spark_memory(const struct spark_app *app, const struct spark_side *side, const struct node *pod)
{
    const struct node *given = spark_setting(app, pod, SLICE("memory"), side->memory);
    int64_t heap = given ? spark_size(app, given, JAVA_MEBIBYTE) : 1024 * JAVA_MEBIBYTE;
    int64_t bytes = integer_add_capped(heap, spark_overhead(app, side, pod, heap));

    if (!given)
        spark_note_default(app, pod, SLICE("memory"), "1g");
    if (side == &spark_executor_side)
        bytes = integer_add_capped(bytes, spark_executor_memory(app));
    if (bytes == INT64_MAX)
        find_note(app->source->report, pod, MESSAGE_QUANTITY_OVERFLOW_MEMORY);
    return ARENA_SLICE(app->source->arena, "%lldMi", (long long)(bytes / JAVA_MEBIBYTE));
}

static struct slice
spark_cpu(const struct spark_app *app, const struct spark_side *side, const struct node *pod)
{
    const struct node *request = spark_setting(app, pod, SLICE("coreRequest"), side->core_request);
    const struct node *cores = spark_setting(app, pod, SLICE("cores"), side->cores);

    if (request || cores) {
        const struct node *given = request ? request : cores;
        struct report *report = app->source->report;
        const size_t before = report->count;
        struct quantity amount;

        if (!slice_is_set(node_text(given)))
            return SLICE("1"); /* which is an error: the type is wrong */
        return resource_amount_read(given, &amount, report) && report->count == before
                   ? node_text(given)
                   : SLICE("1");
    }
    spark_note_default(app, pod, SLICE("cores"), "1");
    return SLICE("1");
}

/* ---- pods ---- */

/*
 * Adds the extended resources of sparkConf, `<vendor>/<name>`. Without a vendor Spark creates no
 * pod. Sources: parseAllResourceRequests in
 * apache/spark:core/src/main/scala/org/apache/spark/resource/ResourceUtils.scala@v3.5.0,
 * BasicDriverFeatureStep and BasicExecutorFeatureStep
 */
static const struct node *
spark_with_resources(const struct spark_app *app, const struct spark_side *side,
                     const struct node *limits)
{
    const struct slice end = SLICE(".amount");
    struct arena *arena = app->source->arena;

    for (NODE_EACH(amount, app->conf)) {
        const struct slice key = node_key(amount);
        struct slice stem = key;
        struct slice name, vendor;
        int64_t number;

        if (key.len <= side->resource.len + end.len || !slice_has_prefix(key, side->resource) ||
            !slice_has_suffix(key, end) || !integer_parse(node_string(amount), &number) ||
            number <= 0)
            continue;
        stem.len -= end.len;
        name = slice_after(stem, side->resource.len);
        vendor =
            node_string(node_member(app->conf, ARENA_SLICE(arena, "%.*s.vendor", SLICE_ARG(stem))));
        if (vendor.len)
            limits = edit_member(
                arena, limits, ARENA_SLICE(arena, "%.*s/%.*s", SLICE_ARG(vendor), SLICE_ARG(name)),
                amount);
    }
    return limits;
}

/*
 * Spark replaces the CPU and memory of its own container, and keeps the rest of a template. The
 * memory request is the limit, too. Source: BasicDriverFeatureStep and BasicExecutorFeatureStep in
 * apache/spark:resource-managers/kubernetes
 */
static const struct node *
spark_container(const struct spark_app *app, const struct spark_side *side, const struct node *pod,
                const struct node *container)
{
    struct arena *arena = app->source->arena;
    const struct node *memory = edit_string(arena, spark_memory(app, side, pod));
    const struct node *cpu = edit_string(arena, spark_cpu(app, side, pod));
    const struct node *resources = node_member(container, SLICE("resources"));
    const struct node *requests = node_member(resources, SLICE("requests"));
    const struct node *limits = node_member(resources, SLICE("limits"));

    requests = edit_member(arena, requests, SLICE("cpu"), cpu);
    requests = edit_member(arena, requests, SLICE("memory"), memory);
    limits = edit_member(arena, limits, SLICE("memory"), memory);
    limits = spark_with_resources(app, side, limits);
    resources = edit_member(arena, resources, SLICE("requests"), requests);
    resources = edit_member(arena, resources, SLICE("limits"), limits);
    return edit_member(arena, container, SLICE("resources"), resources);
}

/* Adds the items of a list that have no namesake in another one. */
static const struct node *
spark_joined(const struct node *list, const struct node *more, struct arena *arena)
{
    const struct node_index named = node_index_make(list, arena);
    struct builder joined = build_list(arena);

    if (!more)
        return list;
    for (NODE_EACH(item, list))
        build_node_item(&joined, item);
    for (NODE_EACH(item, more))
        if (!node_index_find(&named, node_name(item)))
            build_node_item(&joined, item);
    return joined.node;
}

static const struct node *
spark_containers(const struct spark_app *app, const struct spark_side *side, const struct node *pod,
                 const struct node *containers)
{
    /* The template's container with that name, or else its first. */
    const struct node *named = node_item_named(containers, slice_from_text(side->container));
    const struct node *own = named ? named : node_first(containers);
    const struct node *made = spark_container(app, side, pod, own);
    const struct node *gpu = node_member(pod, SLICE("gpu"));
    const struct node *amount = node_member(gpu, SLICE("quantity"));
    struct arena *arena = app->source->arena;
    struct builder list = build_list(arena);
    int64_t number;

    /* Source: addGPU in internal/webhook/sparkpod_defaulter.go */
    if (node_name(gpu).len && node_int(amount, &number) && number > 0)
        made =
            edit_at(arena, made, "resources.limits",
                    edit_member(arena, node_at(made, "resources.limits"), node_name(gpu), amount));

    if (!own)
        build_node_item(&list, made);
    for (NODE_EACH(item, containers))
        build_node_item(&list, item == own ? made : item);
    return spark_joined(list.node, node_member(pod, SLICE("sidecars")), arena);
}

/* Copies the fields that take the place of those of the template. */
static const struct node *
spark_with_fields(const struct node *base, const struct node *pod, struct arena *arena)
{
    static const char *const fields[][2] = {{"schedulerName", "spec.schedulerName"},
                                            {"priorityClassName", "spec.priorityClassName"},
                                            {"affinity", "spec.affinity"}};

    for (size_t i = 0; i < COUNT_OF(fields); i++) {
        const struct node *given = node_member(pod, slice_from_text(fields[i][0]));

        if (node_string(given).len || node_count(given))
            base = edit_at(arena, base, fields[i][1], given);
    }
    return base;
}

/* Adds a map to one of the template, if there is any. */
static const struct node *
spark_with_map(const struct node *base, const char *path, const struct node *given,
               struct arena *arena)
{
    const struct node *own = node_at(base, path);

    if (!given)
        return base;
    return edit_at(arena, base, path, own ? strategic_merge(arena, own, given, NULL) : given);
}

/*
 * The operator's pod webhook sets these fields, with a template and without one. Source:
 * mutateSparkPod in internal/webhook/sparkpod_defaulter.go; spark-submit sets the labels, and the
 * nodeSelector of the application.
 */
static const struct node *
spark_pod(const struct spark_app *app, const struct spark_side *side, const struct node *pod,
          const struct node *base)
{
    struct arena *arena = app->source->arena;
    const struct node *first = spark_joined(node_at(base, "spec.initContainers"),
                                            node_member(pod, SLICE("initContainers")), arena);
    const struct node *tolerations = node_member(pod, SLICE("tolerations"));

    base = edit_at(arena, base, "spec.containers",
                   spark_containers(app, side, pod, node_at(base, "spec.containers")));
    if (first)
        base = edit_at(arena, base, "spec.initContainers", first);
    if (node_count(tolerations)) {
        struct builder joined = build_list(arena);

        for (NODE_EACH(item, node_at(base, "spec.tolerations")))
            build_node_item(&joined, item);
        for (NODE_EACH(item, tolerations))
            build_node_item(&joined, item);
        base = edit_at(arena, base, "spec.tolerations", joined.node);
    }
    base = spark_with_fields(base, pod, arena);
    base = spark_with_map(base, "metadata.labels", node_member(pod, SLICE("labels")), arena);
    base =
        spark_with_map(base, "metadata.annotations", node_member(pod, SLICE("annotations")), arena);
    base = spark_with_map(base, "spec.nodeSelector",
                          node_member(app->source->spec, SLICE("nodeSelector")), arena);
    return spark_with_map(base, "spec.nodeSelector", node_member(pod, SLICE("nodeSelector")),
                          arena);
}

static struct role *
spark_add_role(const struct spark_app *app, const struct spark_side *side, struct gang_wishes *job)
{
    const struct node *pod = node_member(app->source->spec, side->name);
    const struct node *pod_template = node_member(pod, SLICE("template"));
    struct role *role =
        gang_job_add_role(job, 2, side->name, pod ? pod : app->source->spec, app->source->arena);

    if (!role || !pod)
        return role;
    role->marked_is_flat = !node_member(pod_template, SLICE("spec"));
    role->marked = role->marked_is_flat ? pod : pod_template;
    role->pod_template = spark_pod(app, side, pod, role->marked_is_flat ? NULL : pod_template);
    return role;
}

/* ---- executors ---- */

/*
 * Sources: GetInitialExecutorNumber, and spark-submit for what is in sparkConf. `allocation` is
 * NULL if the field is not on.
 */
static void
spark_count_dynamic(const struct spark_app *app, const struct node *allocation,
                    const struct node *executor, struct role *role)
{
    const int64_t least = spark_number(app, allocation, SLICE("minExecutors"),
                                       SLICE("spark.dynamicAllocation.minExecutors"), 0);
    const int64_t initial = spark_number(app, allocation, SLICE("initialExecutors"),
                                         SLICE("spark.dynamicAllocation.initialExecutors"), 0);
    const int64_t instances =
        spark_number(app, executor, SLICE("instances"), SLICE("spark.executor.instances"), 0);
    const int64_t started = least > initial ? least : initial;

    gang_job_set_count(role, started > instances ? started : instances);
    role->min_count = role->first_count = least;
}

static void
spark_add_executors(const struct spark_app *app, bool has_driver, struct gang_wishes *job)
{
    const struct node *allocation = node_member(app->source->spec, SLICE("dynamicAllocation"));
    const struct node *executor = node_member(app->source->spec, SLICE("executor"));
    const struct dependency edge = {
        .role = SLICE("driver"), .status = DEPENDENCY_READY, .source = executor};
    struct role *role = spark_add_role(app, &spark_executor_side, job);
    int64_t pending;

    if (!role)
        return;
    if (has_driver)
        gang_job_add_edge(role, 1, &edge, app->source->arena);
    /* Source: dynamicAllocationOption, which passes nothing of a field that is not on. */
    if (!node_is_true(node_member(allocation, SLICE("enabled"))))
        allocation = NULL;
    if (allocation || spark_is_on(app, SLICE("spark.dynamicAllocation.enabled"))) {
        spark_count_dynamic(app, allocation, executor, role);
        if (role->min_count <= 0)
            gang_job_stand_back(job, allocation ? allocation : executor,
                                "dynamic allocation may run without executors");
    } else {
        gang_job_set_count(role, spark_number(app, executor, SLICE("instances"),
                                              SLICE("spark.executor.instances"), 1));
        if (!spark_setting(app, executor, SLICE("instances"), SLICE("spark.executor.instances")))
            spark_note_default(app, executor, SLICE("instances"), "1");
    }
    /* Source: onNewSnapshots of ExecutorPodsAllocator, which counts the pods that do not run. */
    pending = spark_number(app, NULL, SLICE(""),
                           SLICE("spark.kubernetes.allocation.maxPendingPods"), INT32_MAX);
    if (pending > 0 && pending < role->first_count)
        role->first_count = pending;
}

static void
spark_check_spec(const struct job_source *source)
{
    const struct node *driver = node_member(source->spec, spark_driver_side.name);
    const struct node *executor = node_member(source->spec, spark_executor_side.name);
    const struct node *version = node_member(source->spec, SLICE("sparkVersion"));
    const struct node *nodes = node_member(source->spec, SLICE("nodeSelector"));
    const struct slice text = node_string(version);

    /* Each version before 3.0.0 begins with one of these digits and a dot. */
    if ((node_member(driver, SLICE("template")) || node_member(executor, SLICE("template"))) &&
        text.len > 1 && text.data[0] >= '0' && text.data[0] < '3' && text.data[1] == '.')
        find_note(source->report, version, MESSAGE_REFUSED_BY_OPERATOR_POD_TEMPLATE);
    if (nodes && (node_member(driver, SLICE("nodeSelector")) ||
                  node_member(executor, SLICE("nodeSelector"))))
        find_note(source->report, nodes, MESSAGE_REFUSED_BY_OPERATOR_NODE_SELECTOR);
}

static void
spark_application_translate(const struct job_source *source, struct gang_wishes *job)
{
    const struct spark_app app = {source, node_member(source->spec, SLICE("sparkConf"))};
    const struct node *mode = node_member(source->spec, SLICE("mode"));
    const bool has_driver = !slice_equal(node_string(mode), SLICE("client"));
    const struct slice name = source->meta->name;
    struct name_problems problems;
    const struct node *options = node_member(source->spec, SLICE("batchSchedulerOptions"));
    const struct node *resources = node_member(options, SLICE("resources"));
    const struct node *own = node_member(source->spec, SLICE("batchScheduler"));

    job->name = ARENA_SLICE(source->arena, "%.*s-exec", SLICE_ARG(source->meta->name));
    job->suspended = node_is_true(node_member(source->spec, SLICE("suspend")));
    job->queue_request = gang_job_wish(node_member(options, SLICE("queue")));
    job->priority_request = gang_job_wish(node_member(options, SLICE("priorityClassName")));
    if (resources)
        find_note(source->report, resources, MESSAGE_MIN_RESOURCES_COMPUTED);
    if (node_string(own).len) {
        find_note(source->report, own, MESSAGE_GANG_OF_OPERATOR_SPARK);
        gang_job_stand_back(job, own, "the job has a batchScheduler");
    } else {
        find_note(source->report, source->spec, MESSAGE_OPERATOR_GANG_OPTION_SPARK);
    }
    if (has_driver) {
        struct role *role = spark_add_role(&app, &spark_driver_side, job);

        if (role)
            role->wish = WISH_OUTSIDE;
    } else {
        find_note(source->report, mode, MESSAGE_DRIVER_IN_OPERATOR);
    }
    spark_add_executors(&app, has_driver, job);
    if (name.len && !name_check(NAME_DNS1035_LABEL, name, &problems))
        for (size_t i = 0; i < problems.count; i++)
            find_note(source->report, source->meta->name_source, MESSAGE_INVALID_NAME_SPARK,
                      SLICE_ARG(name), problems.text[i]);
    spark_check_spec(source);
}

const struct job_kind spark_application_job_kind = {
    .api_versions = {SLICE_INIT("sparkoperator.k8s.io/v1beta2")},
    .kind = SLICE_INIT("SparkApplication"),
    .schema = &spark_application_schema,
    .translate = spark_application_translate,
};
