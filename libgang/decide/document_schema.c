/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/document/writer.h"
#include "libgang/jobs/gang_job_schema.h"
#include "libgang/policy/policy.h"

static bool
document_schema_is_of_job(const char *kind)
{
    return kind && strcmp(kind, GANG_KIND_JOB) == 0;
}

static const struct node *
document_schema_build(const char *kind, struct arena *arena)
{
    return document_schema_is_of_job(kind) ? gang_job_describe(arena)
                                           : policy_describe(kind, arena);
}

int
gang_schema_serialize(const struct gang_context *context, const char *kind, int format,
                      uint32_t flags, struct gang_blob **out, struct gang_error **err)
{
    struct buffer buffer = {.limit =
                                (size_t)context_limits(context)->value[GANG_LIMIT_OUTPUT_BYTES]};
    const struct node *document;
    struct arena *arena;

    if (err)
        *err = NULL;
    if (out)
        *out = NULL;
    if (!out || !(document_schema_is_of_job(kind) || policy_is_described(kind)) ||
        !document_format_is_known(format))
        return error_misuse(err, GANG_ERROR_INVALID_ARGUMENT,
                            "out, a known format, and the kind GangPolicy, GangCluster or GangJob "
                            "are needed");
    if (flags)
        return error_misuse(err, GANG_ERROR_UNSUPPORTED_FLAG, "flags has an unknown bit");
    arena = arena_new(0);
    document = arena ? document_schema_build(kind, arena) : NULL;
    if (document)
        document_write(&buffer, document, (enum gang_format)format);
    arena_free(arena);
    return document ? document_hand_out(&buffer, out, err) : error_no_memory(err);
}
