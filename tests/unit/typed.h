/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TESTS_UNIT_TYPED_H
#define TESTS_UNIT_TYPED_H

#include <check.h>

#include "libgang/decide/decision.h"

/*
 * Documents as the structs of their kinds, for tests that look into them. A document that parses
 * and is of another kind than the asked one fails the test.
 */

static inline struct gang_document *
document_of(const void *typed)
{
    return (struct gang_document *)(size_t)typed;
}

static inline int
parse_typed(const struct gang_context *context, const char *data, size_t len, uint32_t flags,
            enum gang_document_type type, void **out, struct gang_error **err)
{
    struct gang_document *document = NULL;
    int result = gang_document_parse(context, data, len, flags, out ? &document : NULL, err);

    if (document)
        ck_assert_int_eq(gang_document_get_type(document), (int)type);
    if (out)
        *out = document;
    return result;
}

#define TYPED_DOCUMENT(name, type)                                                                 \
    static inline int parse_##name(const struct gang_context *context, const char *data,           \
                                   size_t len, uint32_t flags, struct gang_##name **out,           \
                                   struct gang_error **err)                                        \
    {                                                                                              \
        void *document = NULL;                                                                     \
        int result = parse_typed(context, data, len, flags, type, out ? &document : NULL, err);    \
                                                                                                   \
        if (out)                                                                                   \
            *out = (struct gang_##name *)document;                                                 \
        return result;                                                                             \
    }                                                                                              \
    static inline struct gang_##name *ref_##name(struct gang_##name *typed)                        \
    {                                                                                              \
        gang_document_ref(document_of(typed));                                                     \
        return typed;                                                                              \
    }                                                                                              \
    static inline void unref_##name(const struct gang_##name *typed)                               \
    {                                                                                              \
        gang_document_unref(document_of(typed));                                                   \
    }

TYPED_DOCUMENT(runtime, GANG_DOCUMENT_RUNTIME)
TYPED_DOCUMENT(trainjob, GANG_DOCUMENT_TRAINJOB)
TYPED_DOCUMENT(podgang, GANG_DOCUMENT_PODGANG)
TYPED_DOCUMENT(podcliqueset, GANG_DOCUMENT_PODCLIQUESET)
TYPED_DOCUMENT(topologybinding, GANG_DOCUMENT_TOPOLOGYBINDING)
TYPED_DOCUMENT(policy, GANG_DOCUMENT_POLICY)
TYPED_DOCUMENT(cluster, GANG_DOCUMENT_CLUSTER)

/* NULL entries of the array are passed over. */
static inline struct gang_inputs *
inputs_with(const void *const *typed, size_t count)
{
    struct gang_inputs *inputs = gang_inputs_new();

    ck_assert_ptr_nonnull(inputs);
    for (size_t i = 0; i < count; i++)
        if (typed[i])
            ck_assert_int_eq(gang_inputs_add(inputs, document_of(typed[i])), GANG_OK);
    return inputs;
}

static inline int
resolve_with(const struct gang_context *context, const void *job, const void *const *typed,
             size_t count, uint32_t flags, struct gang_decision **out, struct gang_error **err)
{
    struct gang_inputs *inputs = inputs_with(typed, count);
    int result = gang_resolve(context, document_of(job), inputs, flags, out, err);

    gang_inputs_free(inputs);
    return result;
}

/* Of a TrainJob. */
static inline int
resolve_trainjob_with(const struct gang_context *context, const struct gang_runtime *runtime,
                      const struct gang_trainjob *trainjob, const struct gang_policy *policy,
                      const struct gang_cluster *cluster, uint32_t flags,
                      struct gang_decision **out, struct gang_error **err)
{
    const void *const typed[] = {runtime, policy, cluster};

    return resolve_with(context, trainjob, typed, 3, flags, out, err);
}

/* Of a PodGang, or of a PodCliqueSet alone. */
static inline int
resolve_podgang_with(const struct gang_context *context, const struct gang_podgang *podgang,
                     const struct gang_podcliqueset *set, const struct gang_policy *policy,
                     const struct gang_cluster *cluster, uint32_t flags, struct gang_decision **out,
                     struct gang_error **err)
{
    const void *const typed[] = {policy, cluster, podgang ? set : NULL};

    return resolve_with(context, podgang ? (const void *)podgang : (const void *)set, typed, 3,
                        flags, out, err);
}

#endif
