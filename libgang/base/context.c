/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/base/report.h"

#include <stdlib.h>

/* ---- limits ---- */

#define KIB ((uint64_t)1024)
#define MIB (1024 * KIB)

/*
 * Limits that keep the cost of hostile documents low. Document size: the API server refuses bodies
 * over 3 MiB. Depth: the deepest path in real documents (runtime, pod affinity, selector, values)
 * needs 19. Numbers of pods: 2^31-1, as in the API. Live objects: 10,000 pods of 5 KB with the
 * objects of their jobs, as `kubectl get -o json` indents them. Steps: a step is at most about 50
 * instructions, so the default is half a second of a core that executes 10^9 in a second, a quarter
 * of today's.
 */
#define LIMIT_ROWS(ROW)                                                                            \
    ROW(GANG_LIMIT_DOCUMENT_BYTES, "document bytes", MIB, 3 * MIB, GANG_CODE_LIMIT_DOCUMENT_BYTES) \
    ROW(GANG_LIMIT_STREAM_BYTES, "stream bytes", 16 * MIB, 64 * MIB, GANG_CODE_LIMIT_STREAM_BYTES) \
    ROW(GANG_LIMIT_STREAM_DOCUMENTS, "documents in a stream", 1000, 10000,                         \
        GANG_CODE_LIMIT_STREAM_DOCUMENTS)                                                          \
    ROW(GANG_LIMIT_DEPTH, "nesting depth", 64, 128, GANG_CODE_LIMIT_DEPTH)                         \
    ROW(GANG_LIMIT_NODES, "values after alias expansion", 100000, 500000, GANG_CODE_LIMIT_NODES)   \
    ROW(GANG_LIMIT_ANCHORS, "anchors", 64, 1024, GANG_CODE_LIMIT_ANCHORS)                          \
    ROW(GANG_LIMIT_ALIASES, "aliases", 256, 1024, GANG_CODE_LIMIT_ALIASES)                         \
    ROW(GANG_LIMIT_MAP_KEYS, "keys in one mapping", 4096, 4096, GANG_CODE_LIMIT_MAP_KEYS)          \
    ROW(GANG_LIMIT_LIST_ITEMS, "items in one list", 10000, 10000, GANG_CODE_LIMIT_LIST_ITEMS)      \
    ROW(GANG_LIMIT_SCALAR_BYTES, "bytes of one scalar", 256 * KIB, MIB,                            \
        GANG_CODE_LIMIT_SCALAR_BYTES)                                                              \
    ROW(GANG_LIMIT_KEY_BYTES, "bytes of one key", KIB, KIB, GANG_CODE_LIMIT_KEY_BYTES)             \
    ROW(GANG_LIMIT_COUNT_VALUE, "pods of one role", 1000000, INT32_MAX,                            \
        GANG_CODE_LIMIT_COUNT_VALUE)                                                               \
    ROW(GANG_LIMIT_ROLES, "roles", 64, 1024, GANG_CODE_LIMIT_ROLES)                                \
    ROW(GANG_LIMIT_CONTAINERS, "containers of one pod", 256, 1024, GANG_CODE_LIMIT_CONTAINERS)     \
    ROW(GANG_LIMIT_DIAGNOSTICS, "diagnostics", 64, 100, GANG_CODE_TOO_MANY_DIAGNOSTICS)            \
    ROW(GANG_LIMIT_MEMORY_BYTES, "bytes of memory for one handle", 32 * MIB, 256 * MIB,            \
        GANG_CODE_LIMIT_MEMORY)                                                                    \
    ROW(GANG_LIMIT_OUTPUT_BYTES, "output bytes", 4 * MIB, 16 * MIB, GANG_CODE_LIMIT_OUTPUT_BYTES)  \
    ROW(GANG_LIMIT_LIVE_BYTES, "bytes of live objects", 128 * MIB, 512 * MIB,                      \
        GANG_CODE_LIMIT_STREAM_BYTES)                                                              \
    ROW(GANG_LIMIT_LIVE_OBJECTS, "live objects", 20000, 500000, GANG_CODE_LIMIT_STREAM_DOCUMENTS)  \
    ROW(GANG_LIMIT_LIVE_MEMORY_BYTES, "bytes of memory for live objects", 128 * MIB, 512 * MIB,    \
        GANG_CODE_LIMIT_MEMORY)                                                                    \
    ROW(GANG_LIMIT_STEPS, "steps", 10000000, 1000000000, GANG_CODE_LIMIT_STEPS)

#define ENTRY(id, text, standard_value, ceiling_value, diagnostic)                                 \
    [id] = {.name = (text),                                                                        \
            .standard = (standard_value),                                                          \
            .ceiling = (ceiling_value),                                                            \
            .code = (diagnostic)},
#define STANDARD(id, text, standard_value, ceiling_value, diagnostic) [id] = (standard_value),

const struct limit_entry limit_table[LIMIT_COUNT] = {LIMIT_ROWS(ENTRY)};
const struct limits standard_limits = {.value = {LIMIT_ROWS(STANDARD)}};

/* ---- context ---- */

struct gang_config {
    struct limits limits;
    uint64_t workspace_bytes;
};

struct gang_config *
gang_config_new(void)
{
    struct gang_config *config = malloc(sizeof(*config));

    if (config)
        *config = (struct gang_config){.limits = standard_limits};
    return config;
}

void
gang_config_free(struct gang_config *config)
{
    free(config);
}

int
gang_config_set_limit(struct gang_config *config, int limit, uint64_t value)
{
    if (!config || limit <= 0 || limit >= LIMIT_COUNT || value == 0 ||
        value > limit_table[limit].ceiling)
        return GANG_ERROR_INVALID_ARGUMENT;
    config->limits.value[limit] = value;
    return GANG_OK;
}

int
gang_config_set_workspace(struct gang_config *config, uint64_t bytes)
{
    if (!config)
        return GANG_ERROR_INVALID_ARGUMENT;
    config->workspace_bytes = bytes;
    return GANG_OK;
}

int
gang_context_new(const struct gang_config *config, struct gang_context **out)
{
    const uint64_t bytes = config ? config->workspace_bytes : 0;
    struct workspace *workspace;
    struct gang_context *context;

    if (!out)
        return GANG_ERROR_INVALID_ARGUMENT;
    workspace = bytes ? workspace_new(bytes < SIZE_MAX ? (size_t)bytes : SIZE_MAX) : NULL;
    *out = context = bytes && !workspace ? NULL : malloc(sizeof(*context));
    if (!context) {
        workspace_drop(workspace);
        return GANG_ERROR_NO_MEMORY;
    }
    refcount_init(&context->references);
    context->limits = config ? config->limits : standard_limits;
    context->limits.workspace = workspace;
    return GANG_OK;
}

struct gang_context *
gang_context_ref(const struct gang_context *context)
{
    if (context)
        refcount_take(&context->references);
    return (struct gang_context *)context;
}

void
gang_context_unref(const struct gang_context *context)
{
    if (!context || !refcount_drop(&context->references))
        return;
    workspace_drop(context->limits.workspace);
    free((void *)context);
}

struct arena *
arena_new_within(const struct limits *limits, struct arena *host)
{
    struct arena *arena =
        arena_new_from(limits->workspace, host, (size_t)limit_of(limits, GANG_LIMIT_MEMORY_BYTES));

    if (arena)
        arena_start_steps(arena, limit_of(limits, GANG_LIMIT_STEPS));
    return arena;
}

const struct limits *
context_limits(const struct gang_context *context)
{
    return context ? &context->limits : &standard_limits;
}

/* ---- version ---- */

uint32_t
gang_version(void)
{
    return GANG_VERSION_MAJOR * 1000000u + GANG_VERSION_MINOR * 1000u + GANG_VERSION_PATCH;
}

const char *
gang_version_string(void)
{
    return GANG_VERSION_TEXT;
}

int
gang_has_yaml(void)
{
#ifdef GANG_WITH_YAML
    return 1;
#else
    return 0;
#endif
}
