/* SPDX-License-Identifier: Apache-2.0 */
#include "shim.h"

#include <errno.h>
#include <stdlib.h>

#include "libgang/document/document.h"
#include "libgang/document/writer.h"
#include "libgang/kube/pod_requests.h"
#include "libgang/trainer/trainer.h"

/* What one call allocates in and reports to. */
struct shim {
    struct arena *arena;
    struct report report;
};

static void
shim_start(struct shim *shim)
{
    shim->arena = arena_new(0);
    report_init(&shim->report, shim->arena, &standard_limits);
}

static int
shim_finish(struct shim *shim, int result)
{
    arena_free(shim->arena);
    return result;
}

static const struct node *
shim_read(struct shim *shim, const char *text)
{
    struct document_request request = {
        .arena = shim->arena,
        .limits = &standard_limits,
        .report = &shim->report,
        .document = GANG_DOCUMENT_RUNTIME,
    };

    return json_read(&request, slice_from_text(text));
}

static int
shim_answer_text(struct slice text, char **out)
{
    char *copy = malloc(text.len + 1);

    if (!copy)
        return 1;
    if (text.len)
        memcpy(copy, text.data, text.len);
    copy[text.len] = '\0';
    *out = copy;
    return 0;
}

static int
shim_answer_json(const struct shim *shim, const struct node *node, char **out)
{
    struct buffer buffer = {0};
    int result;

    if (report_has_errors(&shim->report) || arena_failed(shim->arena) || !node)
        return 1;
    json_write(&buffer, node);
    result = buffer.failed ? 1 : shim_answer_text((struct slice){buffer.data, buffer.len}, out);
    buffer_clear(&buffer);
    return result;
}

static bool
shim_parse_quantity(const char *text, struct quantity *out)
{
    enum quantity_result result = quantity_parse(slice_from_text(text), out);

    return result == QUANTITY_OK || result == QUANTITY_CAPPED;
}

static bool
shim_parse_factor(const char *text, int64_t *out)
{
    char *end;

    errno = 0;
    *out = strtoll(text, &end, 10);
    return errno == 0 && end != text && *end == '\0';
}

static int
shim_answer_quantity(const struct quantity *value, char **out)
{
    char text[QUANTITY_TEXT_SIZE];

    return shim_answer_text(quantity_print(value, text), out);
}

static int
shim_compare(const struct quantity *left, const struct quantity *right, char **out)
{
    int order = quantity_compare(left, right);

    if (order == 0)
        return shim_answer_text(SLICE("0"), out);
    return shim_answer_text(order < 0 ? SLICE("-1") : SLICE("1"), out);
}

static int
shim_with_factor(const char *op, struct quantity value, const char *factor_text, char **out)
{
    struct arena *arena = arena_new(0);
    int64_t factor;
    int result = 1;

    if (strcmp(op, "reread") == 0)
        value = quantity_reread(&value, arena);
    if (shim_parse_factor(factor_text, &factor) && quantity_multiply(&value, factor))
        result = shim_answer_quantity(&value, out);
    arena_free(arena);
    return result;
}

int
shim_quantity(const char *op, const char *a, const char *b, char **out)
{
    struct quantity left;
    struct quantity right = {0};

    if (!shim_parse_quantity(a, &left))
        return 1;
    if (strcmp(op, "string") == 0)
        return shim_answer_quantity(&left, out);
    if (strcmp(op, "mul") == 0 || strcmp(op, "reread") == 0)
        return shim_with_factor(op, left, b, out);
    if (strcmp(op, "canonical") != 0 && !shim_parse_quantity(b, &right))
        return 1;
    if (strcmp(op, "cmp") == 0)
        return shim_compare(&left, &right, out);
    if (strcmp(op, "sub") == 0)
        return quantity_subtract(&left, &right) ? shim_answer_quantity(&left, out) : 1;
    return quantity_add(&left, &right) ? shim_answer_quantity(&left, out) : 1;
}

int
shim_pod_requests(const char *pod_spec_json, char **out_json)
{
    struct shim shim;
    const struct node *spec;
    struct pod_resources pod;
    struct resource_list sum = {0};
    struct builder map;

    shim_start(&shim);
    spec = shim_read(&shim, pod_spec_json);
    pod = pod_resources_read(spec, &shim.report);
    if (!pod_requests_sum(&pod, POD_REQUESTS_ONLY, shim.arena, &sum))
        return shim_finish(&shim, 1);
    map = build_map(shim.arena);
    resource_list_build(&sum, &map);
    return shim_finish(&shim, shim_answer_json(&shim, map.node, out_json));
}

/* The patch as the only one of a trainjob. */
static const struct node *
shim_patches(struct shim *shim, const struct node *patch)
{
    struct builder patches = build_list(shim->arena);
    struct builder first = build_map_item(&patches);
    struct builder spec = build_map_member(&first, SLICE("trainingRuntimeSpec"));
    struct builder template = build_map_member(&spec, SLICE("template"));

    build_node(&template, SLICE("spec"), patch);
    return patches.node;
}

int
shim_strategic_merge(const char *jobset_spec_json, const char *patch_json, char **out_json)
{
    struct shim shim;
    const struct node *spec;
    const struct node *patches;

    shim_start(&shim);
    spec = shim_read(&shim, jobset_spec_json);
    patches = shim_patches(&shim, shim_read(&shim, patch_json));
    spec = runtime_patches_apply(shim.arena, spec, patches, true);
    return shim_finish(&shim, shim_answer_json(&shim, spec, out_json));
}
