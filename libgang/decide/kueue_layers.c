/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/decide/kueue.h"

/*
 * Sources: validateSliceRequiredTopologyConstraintsAnnotation and
 * ValidateSliceSizeAnnotationUpperBound in
 * kubernetes-sigs/kueue:pkg/controller/jobframework/tas_validation.go@v0.19.2
 */

enum { KUEUE_MOST_LAYERS = 3 };

struct kueue_layer {
    struct slice topology;
    int64_t size;
};

struct kueue_layers {
    struct kueue_layer items[KUEUE_MOST_LAYERS]; /* the first ones */
    size_t count;
    const struct node *annotation;
    const char *hint;
    struct report *report;
};

/* ---- reading ---- */

/* Reads as encoding/json: what is absent or null is empty. Returns false for other types. */
static bool
kueue_read_layer(const struct node *item, struct kueue_layer *out)
{
    const struct node *topology = node_member(item, SLICE("topology"));
    const struct node *size = node_member(item, SLICE("size"));

    *out = (struct kueue_layer){node_string(topology), 0};
    if (!node_is_absent(item) && !node_is(item, NODE_MAP))
        return false;
    if (topology && !node_is(topology, NODE_STRING))
        return false;
    return !size ||
           (node_int(size, &out->size) && out->size >= INT32_MIN && out->size <= INT32_MAX);
}

static const struct node *
kueue_read_json(const struct kueue_job *job, struct slice text)
{
    struct report unread;
    const struct document_request request = {
        .arena = job->report->arena,
        .limits = job->decision->limits,
        .report = &unread,
        .document = GANG_DOCUMENT_JOB,
    };

    report_init(&unread, job->report->arena, job->decision->limits);
    return json_read(&request, text);
}

static bool
kueue_read_layers(const struct node *list, struct kueue_layers *out)
{
    struct kueue_layer layer;

    if (!node_is(list, NODE_LIST))
        return node_is(list, NODE_NULL);
    for (NODE_EACH(item, list)) {
        if (!kueue_read_layer(item, &layer))
            return false;
        if (out->count < KUEUE_MOST_LAYERS)
            out->items[out->count] = layer;
        out->count++;
    }
    return true;
}

/* ---- checks ---- */

static void
kueue_check_level(const struct kueue_layers *layers, size_t i)
{
    const struct slice topology = layers->items[i].topology;
    struct name_problems problems;
    struct quoted quoted;

    if (name_check(NAME_QUALIFIED, topology, &problems))
        return;
    for (size_t k = 0; k < problems.count; k++)
        find_note(layers->report, GANG_CODE_KUEUE_REFUSES_JOB, layers->annotation, layers->hint,
                  "[%zu].topology: Invalid value: %s: %s", i, quote(&quoted, topology),
                  problems.text[k]);
}

static void
kueue_check_layer_size(const struct kueue_layers *layers, size_t i)
{
    const int64_t size = layers->items[i].size;
    const int64_t above = i ? layers->items[i - 1].size : 0;

    if (size < 1)
        find_note(layers->report, GANG_CODE_KUEUE_REFUSES_JOB, layers->annotation, layers->hint,
                  "[%zu].size: Invalid value: %lld: must be greater than or equal to 1", i,
                  (long long)size);
    else if (above % size != 0)
        find_note(layers->report, GANG_CODE_KUEUE_REFUSES_JOB, layers->annotation, layers->hint,
                  "[%zu].size: Invalid value: %lld: must evenly divide the parent layer size %lld",
                  i, (long long)size, (long long)above);
}

static void
kueue_check_repeated(const struct kueue_layers *layers, size_t i)
{
    struct quoted quoted;
    size_t first = 0;

    while (!slice_equal(layers->items[first].topology, layers->items[i].topology))
        first++;
    if (first < i)
        find_note(layers->report, GANG_CODE_KUEUE_REFUSES_JOB, layers->annotation, layers->hint,
                  "[%zu].topology: Duplicate value: %s, as in [%zu]", i,
                  quote(&quoted, layers->items[i].topology), first);
}

void
kueue_layers_check(const struct kueue_job *job, const struct node *annotation, int64_t pods,
                   const char *hint)
{
    struct kueue_layers layers = {.annotation = annotation, .hint = hint, .report = job->report};
    const struct node *list = kueue_read_json(job, node_string(annotation));

    if (!kueue_read_layers(list, &layers)) {
        find_invalid(job->report, GANG_CODE_KUEUE_REFUSES_JOB, annotation, hint,
                     "must be a valid JSON array of layers with \"topology\" and \"size\"");
        return;
    }
    if (layers.count == 0 || layers.count > KUEUE_MOST_LAYERS)
        find_invalid(job->report, GANG_CODE_KUEUE_REFUSES_JOB, annotation, hint,
                     "topology constraints must contain between 1 and %d entries",
                     KUEUE_MOST_LAYERS);
    for (size_t i = 0; layers.count <= KUEUE_MOST_LAYERS && i < layers.count; i++) {
        kueue_check_level(&layers, i);
        kueue_check_layer_size(&layers, i);
        kueue_check_repeated(&layers, i);
    }
    if (layers.count && pods >= 0 && layers.items[0].size > pods)
        find_invalid(job->report, GANG_CODE_KUEUE_REFUSES_JOB, annotation, hint,
                     "must not be greater than pod set count %lld", (long long)pods);
}
