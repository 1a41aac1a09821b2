/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Documents and plans as trees of json-c.
 *
 * For programs that hold their documents as `struct json_object`: libgang reads the tree, and
 * writes plans as trees, without a text between them. Link `libgang-json-c`, which needs libgang of
 * the same release; the dynamic linker refuses another one.
 */
#ifndef GANG_JSON_C_H
#define GANG_JSON_C_H

#include <gang/gang.h>
#include <json-c/json_object.h>

#ifdef __cplusplus
extern "C" {
#endif

/**
 * Like gang_document_parse(), for a document as a tree. The same tree as text gives an equal
 * document; only diagnostics have no line and no column.
 *
 * The tree is read during the call only, and does not change. Several threads may pass the same
 * tree while none changes it.
 * @param[in] context NULL: the default limits
 * @param[in] root borrowed; NULL is null, which is no document
 * @param[in] flags `enum gang_parse_flags`
 * @param[out] out not NULL; release with gang_document_unref()
 * @param[out] err may be NULL; lists every invalid place
 * @returns as gang_document_parse()
 * @since 0.1
 */
GANG_EXPORT
GANG_MUST_CHECK
int gang_document_parse_json_c(const struct gang_context *context, struct json_object *root,
                               uint32_t flags, struct gang_document **out, struct gang_error **err);

/**
 * Like gang_plan_serialize() with #GANG_FORMAT_JSON, as a tree: of #GANG_TARGET_OBJECTS an array of
 * the objects, of the other targets one object.
 *
 * @param[in] context NULL: the default limits
 * @param[in] plan not NULL; may be shared between threads
 * @param[in] target `enum gang_target`
 * @param[out] out not NULL; a new tree that shares nothing with the plan; release with
 *     json_object_put()
 * @param[out] err may be NULL
 * @returns as gang_plan_serialize()
 * @since 0.1
 */
GANG_EXPORT
GANG_MUST_CHECK
int gang_plan_to_json_c(const struct gang_context *context, const struct gang_plan *plan,
                        int target, struct json_object **out, struct gang_error **err);

#ifdef __cplusplus
}
#endif

#endif
