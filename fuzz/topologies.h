/* SPDX-License-Identifier: Apache-2.0 */
#ifndef FUZZ_TOPOLOGIES_H
#define FUZZ_TOPOLOGIES_H

#include "fuzz/promises.h"

/* Returns the Topology for a binding; empty if another component makes it. */
static inline struct gang_blob *
topology_of(const struct gang_document *binding, enum gang_format format)
{
    struct gang_error *error;
    struct gang_blob *blob;
    int code = gang_topologybinding_serialize(NULL, binding, format, 0, &blob, &error);

    must(must_agree(code, blob, error));
    return blob;
}

/* Both formats must give the same Topology, and the binding must refer to it by its own name. */
static inline void
check_topology(const struct gang_document *binding)
{
    struct gang_blob *json = topology_of(binding, GANG_FORMAT_JSON);
    struct gang_blob *yaml = topology_of(binding, other_format());
    struct gang_blob *read;
    size_t len, len_yaml;

    gang_blob_get_data(json, &len);
    gang_blob_get_data(yaml, &len_yaml);
    must((len == 0) == (len_yaml == 0));
    must(!len || strcmp(gang_document_get_reference(binding, "Topology"),
                        gang_document_get_name(binding)) == 0);
    if (len) {
        read = must_be_one(yaml, "Topology");
        must_be_equal(json, read);
        gang_blob_unref(read);
    }
    gang_blob_unref(json);
    gang_blob_unref(yaml);
}

/* A binding that is printed and read again must give the same Topology. */
static inline void
check_printed(const struct gang_document *binding, const struct gang_stream *stream, size_t index)
{
    struct gang_document *again;
    struct gang_blob *printed, *one, *other;
    const char *text;
    size_t len;
    int code;

    if (gang_stream_serialize(NULL, stream, index, GANG_FORMAT_JSON, 0, &printed, NULL))
        return;
    text = gang_blob_get_data(printed, &len);
    code = gang_document_parse(NULL, text, len, 0, &again, NULL);
    must(code == GANG_OK || code == GANG_ERROR_LIMIT);
    if (again) {
        one = topology_of(binding, GANG_FORMAT_JSON);
        other = topology_of(again, GANG_FORMAT_JSON);
        must_be_equal(one, other);
        gang_blob_unref(one);
        gang_blob_unref(other);
    }
    gang_document_unref(again);
    gang_blob_unref(printed);
}

/* Returns the action for the live state. A conflict is an error that has an action. */
static inline int
compared(const struct gang_document *binding, const char *live, size_t len)
{
    struct gang_error *error;
    int action;
    int code = compare_topology_text(NULL, binding, live, len, &action, &error);

    must(gang_error_get_code(error) == code);
    must((code == GANG_OK) == (error == NULL));
    must(code != GANG_OK || action == GANG_ACTION_CREATE || action == GANG_ACTION_LEAVE ||
         action == GANG_ACTION_RECREATE);
    must(code == GANG_OK || action == GANG_ACTION_NONE ||
         (action == GANG_ACTION_CONFLICT && code == GANG_ERROR_INVALID));
    must(code == GANG_OK || gang_error_num_diagnostics(error) > 0);
    for (size_t i = 0; i < gang_error_num_diagnostics(error); i++)
        must_be_complete(gang_error_get_diagnostic(error, i));
    gang_error_free(error);
    return action;
}

/*
 * After the Topology is written in front of the earlier live state, nothing must be left to do if
 * that state can still be read.
 */
static inline void
check_written(const struct gang_document *binding, const char *before, size_t before_len)
{
    struct gang_blob *blob = topology_of(binding, GANG_FORMAT_JSON);
    size_t len;
    const char *text = gang_blob_get_data(blob, &len);
    char *live = malloc(len + 4 + before_len);
    int after;

    must(live != NULL && len > 0);
    must(compared(binding, text, len) == GANG_ACTION_LEAVE);
    memcpy(live, text, len);
    memcpy(live + len, "---\n", 4);
    memcpy(live + len + 4, before, before_len);
    after = compared(binding, live, len + 4 + before_len);
    must(after == GANG_ACTION_LEAVE || after == GANG_ACTION_NONE);
    gang_blob_unref(blob);
    free(live);
}

static inline void
check_comparison(const struct gang_document *binding, const char *live, size_t len)
{
    int action = compared(binding, live, len);

    must(action == compared(binding, live, len));
    if (action == GANG_ACTION_CREATE || action == GANG_ACTION_RECREATE)
        check_written(binding, live, len);
}

/* Without a policy, every scheduler that a binding may name is enabled. */
static inline void
check_schedulers(const struct gang_document *binding, const struct gang_document *policy)
{
    struct gang_error *error;
    int code = gang_topologybinding_check(NULL, binding, policy, 0, &error);

    must(code == GANG_OK || code == GANG_ERROR_INVALID);
    must_agree(code, code ? NULL : binding, error);
    must(gang_topologybinding_check(NULL, binding, NULL, 0, NULL) == GANG_OK);
}

#endif
