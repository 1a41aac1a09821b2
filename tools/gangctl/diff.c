/* SPDX-License-Identifier: Apache-2.0 */
#include "commands.h"
#include "exit.h"
#include "line_diff.h"
#include "live_objects.h"
#include "manifest.h"

/* Which side of the diff has the object. */
static bool
is_removed(int action)
{
    return action == GANG_ACTION_DELETE;
}

static bool
is_written(int action)
{
    return action == GANG_ACTION_CREATE || action == GANG_ACTION_APPLY ||
           action == GANG_ACTION_RECREATE;
}

static void
add_title(struct text *out, const struct gang_object *object, const char *side)
{
    const char *space = gang_object_get_namespace(object);
    struct text line = {0};

    text_addf(&line, "%s %s %s %s%s%s", side, gang_object_get_api_version(object),
              gang_object_get_kind(object), space ? space : "", space ? "/" : "",
              gang_object_get_name(object));
    text_add_printable(out, line.data);
    text_add(out, "\n");
    text_free(&line);
}

static void
add_object_diff(struct text *out, const struct gang_object *object, const struct live_objects *live)
{
    int action = gang_object_get_action(object);
    struct json_object *planned = is_written(action) ? object_as_json(object) : NULL;
    struct text old = {0};
    struct text new = {0};
    struct text hunks = {0};

    manifest_add(&old, live_objects_find(live, object));
    manifest_add(&new, planned);
    if ((is_written(action) || is_removed(action)) && line_diff_add(&hunks, &old, &new)) {
        add_title(out, object, "--- live");
        add_title(out, object, action == GANG_ACTION_RECREATE ? "+++ recreated" : "+++ planned");
        text_add_printable_lines(out, hunks.data, hunks.len);
    }
    json_object_put(planned);
    text_free(&old);
    text_free(&new);
    text_free(&hunks);
}

static void
add_diffs(struct text *out, struct workbench *bench, const struct options *options,
          const struct source *source)
{
    struct live_objects live = {0};

    (void)options;
    live_objects_read(&live, bench, source);
    for (size_t i = 0; i < bench->num_jobs; i++) {
        const struct gang_plan *plan = bench->jobs[i].plan;

        for (size_t j = 0; j < gang_plan_num_objects(plan); j++)
            add_object_diff(out, gang_plan_get_object(plan, j), &live);
    }
    live_objects_free(&live);
}

int
command_diff(const struct options *options)
{
    bool has_output = false;
    int status = reconcile_with(options, add_diffs, &has_output);

    return status == EXIT_DONE && has_output ? EXIT_FINDINGS : status;
}
