/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TESTS_UNIT_UPDATES_H
#define TESTS_UNIT_UPDATES_H

#include "unit/workloads.h"
#include "unit/typed.h"

/* The rules of a backend, on manifests of which only metadata or spec are of interest. Quotes are
 * apostrophes. */
struct update_run {
    struct arena *arena;
    struct gang_cluster *cluster;
    struct gang_wishes wishes;
    struct gang gang;
    struct backend_call call;
    const struct update_rules *rules;
    bool is_finished;
};

/* `release` is of KAI; NULL: nothing is known. */
static inline struct update_run
update_open(const struct backend *backend, bool is_grouped, const char *release)
{
    struct update_run run = {.arena = arena_new(0), .wishes = {.is_grouped = is_grouped}};

    if (release)
        run.cluster = workload_cluster(
            run.arena, arena_format(run.arena, "'components':{'kai':'%s'}", release));
    run.gang.wishes = &run.wishes;
    run.call = (struct backend_call){.gang = &run.gang, .cluster = run.cluster};
    run.rules = backend_update_rules(backend->updates, &run.call, backend->descriptor->kinds[0]);
    return run;
}

static inline void
update_close(struct update_run *run)
{
    unref_cluster(run->cluster);
    arena_free(run->arena);
}

static inline const struct node *
update_manifest(struct update_run *run, const char *metadata, const char *spec)
{
    struct builder manifest = build_map(run->arena);

    build_string(&manifest, SLICE("apiVersion"), SLICE("a/v1"));
    build_string(&manifest, SLICE("kind"), SLICE("PodGroup"));
    build_node(&manifest, SLICE("metadata"), workload_tree(run->arena, metadata));
    build_node(&manifest, SLICE("spec"), workload_tree(run->arena, spec));
    return manifest.node;
}

static inline struct update_result
update_of(struct update_run *run, const char *rendered_metadata, const char *rendered,
          const char *live_metadata, const char *live)
{
    struct update_call call = {
        .kind = SLICE("PodGroup"), .is_finished = run->is_finished, .arena = run->arena};

    run->gang.wishes = &run->wishes; /* the run may have moved */
    run->call.gang = &run->gang;
    call.backend = &run->call;
    return update_apply(run->rules, &call, update_manifest(run, rendered_metadata, rendered),
                        update_manifest(run, live_metadata, live));
}

static inline void
update_check_text(struct update_run *run, const struct node *node, const char *expected)
{
    struct buffer out = {0};

    json_write(&out, node);
    buffer_append_byte(&out, '\0');
    ck_assert_str_eq(out.data, workload_quoted(run->arena, expected));
    buffer_clear(&out);
}

/* `spec` as rendered, as it is, and as it becomes. */
struct update_row {
    const char *name, *rendered, *live, *result;
    bool is_changed;
    size_t num_kept;
};

static inline void
update_check(struct update_run *run, const struct update_row *row)
{
    struct update_result result = update_of(run, "{}", row->rendered, "{}", row->live);

    update_check_text(run, node_member(result.manifest, SLICE("spec")), row->result);
    ck_assert_int_eq(result.is_changed, row->is_changed);
    ck_assert_uint_eq(result.num_kept, row->num_kept);
    ck_assert_uint_eq(result.num_frozen, 0);
}

/* ",'name':value" or "" for none. */
static inline const char *
update_member(struct update_run *run, const char *name, const char *value)
{
    return value ? arena_format(run->arena, ",'%s':%s}", name, value) : "}";
}

/* The same for specs in two pieces. */
static inline void
update_check_spec(struct update_run *run, const char *rendered, const char *rendered_end,
                  const char *live, const char *live_end, const char *result,
                  const char *result_end)
{
    struct update_result update =
        update_of(run, "{}", arena_format(run->arena, "%s%s", rendered, rendered_end), "{}",
                  arena_format(run->arena, "%s%s", live, live_end));

    update_check_text(run, node_member(update.manifest, SLICE("spec")),
                      arena_format(run->arena, "%s%s", result, result_end));
    ck_assert_int_eq(update.is_changed, strcmp(live_end, result_end) != 0);
}

#endif
