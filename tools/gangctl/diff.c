/* SPDX-License-Identifier: Apache-2.0 */
#include "commands.h"
#include "exit.h"
#include "line_diff.h"
#include "live_objects.h"
#include "manifest.h"
#include "topologies.h"

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
add_title(struct text *out, const struct object_name *name, const char *side)
{
    struct text line = {0};

    text_addf(&line, "%s %s %s %s%s%s", side, name->api_version, name->kind,
              name->space ? name->space : "", name->space ? "/" : "", name->name);
    text_add_printable(out, line.data);
    text_add(out, "\n");
    text_free(&line);
}

/* Adds the diff of an object, which is NULL on the side that does not have it. */
static void
add_sides(struct text *out, const struct object_name *name, int action, struct json_object *live,
          struct json_object *planned)
{
    struct text old = {0};
    struct text new = {0};
    struct text hunks = {0};

    manifest_add(&old, live);
    manifest_add(&new, planned);
    if ((is_written(action) || is_removed(action)) && line_diff_add(&hunks, &old, &new)) {
        add_title(out, name, "--- live");
        add_title(out, name, action == GANG_ACTION_RECREATE ? "+++ recreated" : "+++ planned");
        text_add_printable_lines(out, hunks.data, hunks.len);
    }
    text_free(&old);
    text_free(&new);
    text_free(&hunks);
}

static void
add_object_diff(struct text *out, const struct gang_object *object, const struct live_objects *live)
{
    const struct object_name name = name_of_object(object);
    int action = gang_object_get_action(object);
    struct json_object *planned = is_written(action) ? object_as_json(object) : NULL;

    add_sides(out, &name, action, live_objects_find(live, &name), planned);
    json_object_put(planned);
}

static void
add_topology_diff(struct text *out, const struct topology *topology,
                  const struct live_objects *live)
{
    const struct object_name name = {TOPOLOGY_API_VERSION, TOPOLOGY_KIND, NULL,
                                     topology_name(topology)};
    int action = (int)topology->action;
    struct json_object *planned = is_written(action) ? topology_object(topology) : NULL;

    add_sides(out, &name, action, live_objects_find(live, &name), planned);
    json_object_put(planned);
}

static void
add_diffs(struct text *out, struct workbench *bench, const struct options *options,
          const struct source *source)
{
    struct live_objects live = {0};

    (void)options;
    live_objects_read(&live, bench, source);
    for (size_t i = 0; i < bench->num_topologies; i++)
        add_topology_diff(out, &bench->topologies[i], &live);
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
