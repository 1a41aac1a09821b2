/* SPDX-License-Identifier: Apache-2.0 */
#include "schedulers.h"

#include <gang/gang.h>

#include "commands.h"
#include "decision_json.h"
#include "tree.h"

const char *scheduler_names[SCHEDULERS_MOST + 1];

void
schedulers_list_names(void)
{
    for (size_t i = 0; gang_backend_name(i) && i < SCHEDULERS_MOST; i++)
        scheduler_names[i] = gang_backend_name(i);
}

struct json_object *
schedulers_read(void)
{
    struct gang_blob *blob = NULL;
    struct json_object *document;
    struct json_object *list;
    struct text json = {0};
    const char *data;
    size_t len;

    if (gang_backends_serialize(NULL, GANG_FORMAT_JSON, 0, &blob, NULL))
        out_of_memory();
    data = gang_blob_get_data(blob, &len);
    text_add_bytes(&json, data, len);
    gang_blob_unref(blob);
    document = tree_must(json_read(&json));
    list = json_object_get(tree_member(document, "backends"));
    json_object_put(document);
    text_free(&json);
    return list;
}

struct json_object *
schedulers_find(struct json_object *schedulers, const char *name)
{
    for (size_t i = 0; i < tree_length(schedulers); i++) {
        struct json_object *scheduler = json_object_array_get_idx(schedulers, i);

        if (tree_text_is(scheduler, "name", name))
            return scheduler;
    }
    return NULL;
}
