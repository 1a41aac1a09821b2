/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/trainer/trainer.h"

#include "unit/front.h"

#define QUEUE(value) "'annotations':{'scheduling.volcano.sh/queue-name':'" value "'}"
#define RUNTIME_OF(metadata)                                                                       \
    "{'apiVersion':'trainer.kubeflow.org/"                                                         \
    "v1alpha1','kind':'ClusterTrainingRuntime','metadata':{'name':'tune'," QUEUE(                  \
        "never") "},'spec':{'template':{" metadata "'spec':{'replicatedJobs':[" NODE_ROLE "]}}}}"
#define TEMPLATE(metadata) "'metadata':{" metadata "},"
#define PATCH_QUEUE(path, value) PATCH_METADATA(path, QUEUE(value))

/* Later patches win over earlier ones, and those over the runtime. Source: newRuntimeInfo@v2.3.0.
 */
static const struct {
    const char *runtime;
    const char *trainjob;
    const char *values; /* the one in force first, each with a space behind */
} queues[] = {
    {RUNTIME_OF(""), TRAINJOB(""), ""},
    {RUNTIME_OF(TEMPLATE("")), TRAINJOB(""), ""},
    {RUNTIME_OF(TEMPLATE(QUEUE("r"))), TRAINJOB(""), "r "},
    {RUNTIME_OF(""), TRAINJOB(PATCHES(PATCH_METADATA("x", QUEUE("1")))), "1 "},
    {RUNTIME_OF(TEMPLATE(QUEUE("r"))), TRAINJOB(PATCHES(PATCH_METADATA("x", QUEUE("1")))), "1 r "},
    {RUNTIME_OF(TEMPLATE(QUEUE("r"))),
     TRAINJOB(PATCHES(PATCH_METADATA("x", QUEUE("1")) "," PATCH_METADATA("y", QUEUE("2")))),
     "2 1 r "},
    {RUNTIME_OF(TEMPLATE(QUEUE("r"))),
     TRAINJOB(PATCHES(PATCH_METADATA("x", QUEUE("1")) "," PATCH_METADATA(
         "y", QUEUE("2")) "," PATCH_METADATA("z", "'annotations':{'other':'o'}"))),
     "2 1 r "},
    {RUNTIME_OF(TEMPLATE(QUEUE("r"))),
     TRAINJOB(PATCHES(PATCH_JOBS("x", "{'name':'node'}") "," PATCH_METADATA("y", QUEUE("2")))),
     "2 r "},
    {RUNTIME_OF(TEMPLATE(QUEUE("r"))),
     TRAINJOB(PATCHES(PATCH_METADATA("x", "'labels':{'scheduling.volcano.sh/queue-name':'1'}"))),
     "r "},
    {RUNTIME_OF(TEMPLATE("'labels':{'scheduling.volcano.sh/queue-name':'l'}")), TRAINJOB(""), ""},
    {RUNTIME_OF(TEMPLATE(QUEUE("r"))), TRAINJOB(PATCHES(PATCH_METADATA("x", QUEUE("")))), " r "},
    {RUNTIME_OF(TEMPLATE(QUEUE("r"))), TRAINJOB(PATCHES("{'manager':'m.io/x'}")), "r "},
};

static struct queue_values
found_by(const struct front *front, const struct descriptor *scheduler,
         enum queue_question question)
{
    const struct queue_owner owner = {.job = &front->job};

    return queue_sources_find(&owner, scheduler, question, front->arena);
}

START_TEST(first_source_has_precedence)
{
    struct front front;
    struct queue_values read;
    const char *values = "";

    front_open(&front, queues[_i].runtime, queues[_i].trainjob, COMPATIBILITY_NONE);
    read = found_by(&front, &volcano_descriptor, QUEUES_READ);
    for (size_t i = 0; i < read.count; i++)
        values = arena_format(front.arena, "%s%.*s ", values,
                              SLICE_ARG(node_string(read.items[i].value)));
    ck_assert_str_eq(values, queues[_i].values);
    front_close(&front);
}
END_TEST

/* Many patches: the array of values grows, and the order is kept. */
START_TEST(nine_patches_in_order)
{
    struct front front;
    struct queue_values read;

    /* clang-format off */
    front_open(&front, RUNTIME_OF(TEMPLATE(QUEUE("r"))),
               TRAINJOB(PATCHES(PATCH_QUEUE("a", "1") "," PATCH_QUEUE("b", "2") ","
                                PATCH_QUEUE("c", "3") "," PATCH_QUEUE("d", "4") ","
                                PATCH_QUEUE("e", "5") "," PATCH_QUEUE("f", "6") ","
                                PATCH_QUEUE("g", "7") "," PATCH_QUEUE("h", "8") ","
                                PATCH_QUEUE("i", "9"))),
               COMPATIBILITY_NONE);
    /* clang-format on */
    read = found_by(&front, &volcano_descriptor, QUEUES_READ);
    ck_assert_uint_eq(read.count, 10);
    for (size_t i = 0; i < 9; i++)
        ck_assert_int_eq(node_string(read.items[i].value).data[0], (int)('9' - i));
    ck_slice_eq(node_string(read.items[9].value), "r");
    front_close(&front);
}
END_TEST

#define KAI_LABEL(value) "'labels':{'kai.scheduler/queue':'" value "'}"
#define KAI_TRAINJOB(label, rest)                                                                  \
    "{'apiVersion':'trainer.kubeflow.org/"                                                         \
    "v1alpha1','kind':'TrainJob','metadata':{'name':'llama'," label                                \
    "},'spec':{'runtimeRef':{'name':'tune'}" rest "}}"
#define KAI_RUNTIME(gang_policy, metadata, pod_metadata)                                           \
    "{'apiVersion':'trainer.kubeflow.org/"                                                         \
    "v1alpha1','kind':'ClusterTrainingRuntime','metadata':{'name':'tune'},"                        \
    "'spec':{'podGroupPolicy':{" gang_policy "},'template':{'metadata':{" metadata                 \
    "},'spec':{'replicatedJobs':[{'name':'node','template':{'spec':{'template':{'metadata':"       \
    "{" pod_metadata "},'spec':{" NODE_POD "}}}}}]}}}}"

/* The podgrouper's order: the JobSet's label, the trainjob's, the pods'. */
START_TEST(the_order_of_kai)
{
    struct front front;
    struct queue_values read;
    const char *values = "";

    front_open(
        &front,
        KAI_RUNTIME("'kaiScheduler':{'queue':'field'}", KAI_LABEL("template"), KAI_LABEL("pod")),
        KAI_TRAINJOB(KAI_LABEL("job"), PATCHES(PATCH_METADATA("x", KAI_LABEL("patch")))),
        COMPATIBILITY_NONE);
    read = found_by(&front, &kai_descriptor, QUEUES_READ);
    for (size_t i = 0; i < read.count; i++)
        values = arena_format(front.arena, "%s%.*s ", values,
                              SLICE_ARG(node_string(read.items[i].value)));
    ck_assert_str_eq(values, "patch template job field pod ");
    ck_assert_uint_eq(found_by(&front, &kai_descriptor, QUEUES_OF_OTHERS).count, 0);
    ck_assert_uint_eq(found_by(&front, &volcano_descriptor, QUEUES_OF_OTHERS).count, 5);
    front_close(&front);
}
END_TEST

#define PROJECT(value) "'labels':{'project':'" value "'}"

/* Behind the queue labels in the same places. It is nobody else's queue, and an empty one is none.
 */
START_TEST(a_project_is_a_queue_of_kai)
{
    struct front front;
    struct queue_values read;
    const char *values = "";

    front_open(
        &front, KAI_RUNTIME("'kaiScheduler':{'queue':''}", PROJECT("template"), PROJECT("pod")),
        KAI_TRAINJOB(
            "'labels':{'project':'job','kai.scheduler/queue':'queue'}",
            PATCHES(PATCH_METADATA("x", PROJECT("patch")) "," PATCH_METADATA("y", PROJECT("")))),
        COMPATIBILITY_NONE);
    read = found_by(&front, &kai_descriptor, QUEUES_READ);
    for (size_t i = 0; i < read.count; i++)
        values = arena_format(front.arena, "%s%.*s ", values,
                              SLICE_ARG(node_string(read.items[i].value)));
    ck_assert_str_eq(values, "queue patch template job pod ");
    ck_assert_uint_eq(found_by(&front, &volcano_descriptor, QUEUES_OF_OTHERS).count, 1);
    ck_assert_uint_eq(found_by(&front, &coscheduling_descriptor, QUEUES_READ).count, 1);
    front_close(&front);
}
END_TEST

#define CLASS(value) "'labels':{'priorityClassName':'" value "'}"

START_TEST(labels_decide_the_class_of_kai)
{
    struct front front;
    struct queue_values read;
    const char *values = "";

    front_open(&front, KAI_RUNTIME("'kaiScheduler':{}", CLASS("template"), CLASS("pod")),
               KAI_TRAINJOB(CLASS("job"), PATCHES(PATCH_METADATA("x", CLASS("patch")))),
               COMPATIBILITY_NONE);
    read = found_by(&front, &kai_descriptor, QUEUES_PRIORITY);
    for (size_t i = 0; i < read.count; i++)
        values = arena_format(front.arena, "%s%.*s ", values,
                              SLICE_ARG(node_string(read.items[i].value)));
    ck_assert_str_eq(values, "patch template job pod ");
    ck_assert_uint_eq(found_by(&front, &volcano_descriptor, QUEUES_PRIORITY).count, 0);
    front_close(&front);
}
END_TEST

/* One place of a runtime at a time, and a key that is no queue's. */
static const struct {
    const char *runtime;
    unsigned places;
} runtime_places[] = {
    {KAI_RUNTIME("'kai':{}", "'labels':{'a':'b'}", "'annotations':{'a':'b'}"), 0},
    {KAI_RUNTIME("'kaiScheduler':{'queue':'q'}", "", ""), 1u << QUEUE_IN_GANG_POLICY},
    {KAI_RUNTIME("", KAI_LABEL("q"), ""), 1u << QUEUE_IN_TEMPLATE},
    {KAI_RUNTIME("", QUEUE("q"), ""), 1u << QUEUE_IN_TEMPLATE},
    {KAI_RUNTIME("", "", KAI_LABEL("q")), 1u << QUEUE_ON_POD_TEMPLATES},
    {KAI_RUNTIME("", "", QUEUE("q")), 1u << QUEUE_ON_POD_TEMPLATES},
    {KAI_RUNTIME("", QUEUE("q"), KAI_LABEL("q")),
     1u << QUEUE_IN_TEMPLATE | 1u << QUEUE_ON_POD_TEMPLATES},
    {RUNTIME_OF(""), 1u << QUEUE_ON_RUNTIME},
};

START_TEST(runtime_lists_its_queue_sources)
{
    struct front front;

    front_open(&front, runtime_places[_i].runtime, TRAINJOB(""), COMPATIBILITY_NONE);
    ck_assert_uint_eq(front.runtime->queue_places, runtime_places[_i].places);
    ck_assert_uint_eq(queue_places_in_runtime(front.runtime, front.arena),
                      runtime_places[_i].places);
    front_close(&front);
}
END_TEST

/* A backend without queues gets every queue of the job; none is then another backend's. */
START_TEST(a_backend_without_queues_reads_all)
{
    struct front front;
    struct queue_values read;

    front_open(&front, RUNTIME_OF(TEMPLATE(QUEUE("r"))), TRAINJOB(""), COMPATIBILITY_NONE);
    read = found_by(&front, &coscheduling_descriptor, QUEUES_READ);
    ck_assert_uint_eq(read.count, 1);
    ck_slice_eq(read.items[0].scheduler->name, "volcano");
    ck_assert_uint_eq(found_by(&front, &coscheduling_descriptor, QUEUES_OF_OTHERS).count, 0);
    ck_assert_uint_eq(found_by(&front, &volcano_descriptor, QUEUES_OF_OTHERS).count, 0);
    front_close(&front);
}
END_TEST

/* Those that are read come first, in order, and each that is not has a hint. */
START_TEST(the_tables_are_in_order)
{
    const struct queue_source *sources = catalog[_i]->queue_sources;

    for (size_t i = 0; i < catalog[_i]->num_queue_sources; i++) {
        bool is_read = sources[i].precedence != QUEUE_NOT_READ;

        ck_assert_int_eq(sources[i].hint == NULL, is_read);
        if (i && is_read)
            ck_assert_int_le(sources[i - 1].precedence, sources[i].precedence);
        if (i && is_read)
            ck_assert_int_ne(sources[i - 1].precedence, QUEUE_NOT_READ);
    }
}
END_TEST

void
add_tests(TCase *cases)
{
    tcase_add_test(cases, a_project_is_a_queue_of_kai);
    tcase_add_test(cases, labels_decide_the_class_of_kai);
    add_rows(cases, runtime_lists_its_queue_sources, runtime_places, runtime);
    add_rows(cases, first_source_has_precedence, queues, runtime, trainjob);
    tcase_add_test(cases, nine_patches_in_order);
    tcase_add_test(cases, the_order_of_kai);
    tcase_add_test(cases, a_backend_without_queues_reads_all);
    tcase_add_loop_test(cases, the_tables_are_in_order, 0, CATALOG_COUNT);
}
