/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/base/error.h"
#include "libgang/document/document_write.h"
#include "libgang/engine/plan_document.h"

static bool
is_to_write(const struct plan_object *object)
{
    return object->action == GANG_ACTION_CREATE || object->action == GANG_ACTION_APPLY ||
           object->action == GANG_ACTION_RECREATE;
}

static void
write_objects(struct buffer *out, const struct gang_plan *plan, enum gang_format format)
{
    bool is_first = true;

    for (size_t i = 0; !plan->is_held && i < plan->content.num_objects; i++) {
        if (!is_to_write(&plan->content.objects[i]))
            continue;
        if (!is_first && format == GANG_FORMAT_YAML)
            buffer_append_slice(out, SLICE("---\n"));
        is_first = false;
        document_write(out, plan->content.objects[i].manifest, format);
    }
}

/* The document needs memory of its own: a plan is shared and frozen. */
static int
write_plan(struct buffer *out, const struct gang_plan *plan, enum gang_format format, struct gang_error **err)
{
    struct arena *arena = arena_new(0);
    const struct node *root = arena ? plan_document_build(plan, arena) : NULL;
    int result = GANG_OK;

    if (!root || arena_failed(arena))
        result = error_no_memory(err);
    else
        document_write(out, root, format);
    arena_free(arena);
    return result;
}

static bool
is_known_request(enum gang_target target, enum gang_format format)
{
    return (target == GANG_TARGET_PLAN || target == GANG_TARGET_OBJECTS) && document_format_is_known(format);
}

int
gang_plan_serialize(const struct gang_plan *plan, enum gang_target target, enum gang_format format,
                    uint32_t flags, struct gang_blob **out, struct gang_error **err)
{
    struct buffer buffer = {0};
    int result = GANG_OK;

    if (err)
        *err = NULL;
    if (out)
        *out = NULL;
    if (!out || !plan || !is_known_request(target, format))
        return error_misuse(err, GANG_ERROR_INVALID_ARGUMENT,
                            "plan, out, a known target and a known format are needed");
    if (flags)
        return error_misuse(err, GANG_ERROR_UNSUPPORTED_FLAG, "flags has an unknown bit");
    buffer.limit = (size_t)plan->largest_output;
    if (target == GANG_TARGET_PLAN)
        result = write_plan(&buffer, plan, format, err);
    else
        write_objects(&buffer, plan, format);
    if (!result)
        return document_hand_out(&buffer, out, err);
    buffer_clear(&buffer);
    return result;
}
