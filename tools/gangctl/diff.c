/* SPDX-License-Identifier: Apache-2.0 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "commands.h"
#include "live.h"

enum { CONTEXT_LINES = 3 };
/* Of the table of common lines. Larger texts are shown as removed and added. */
#define MOST_CELLS ((size_t)16 << 20)

/* One line of a text, or of the result: ' ', '-' or '+'. */
struct edit {
    char mark;
    struct slice line;
};

struct edits {
    struct edit *items;
    size_t count;
};

static struct edits
split(const struct text *text)
{
    struct edits lines = {0};
    const char *at = text->data;
    const char *end = at ? at + text->len : NULL;
    struct slice line;

    while (next_line(&at, end, &line))
        APPEND(lines.items, lines.count, (struct edit){' ', line});
    return lines;
}

/* Counts the common lines behind each pair; there are none behind the end of a text. */
static struct edits
compare(const struct edits *old, const struct edits *new)
{
    const size_t width = new->count + 1;
    const bool is_small = old->count + 1 < MOST_CELLS / width;
    uint32_t *cells =
        is_small ? must_allocate_zeros((old->count + 1) * width, sizeof(*cells)) : NULL;
    struct edits edits = {0};
    size_t i = 0;
    size_t j = 0;

    for (size_t row = cells ? old->count : 0; row-- > 0;)
        for (size_t column = new->count; column-- > 0;) {
            uint32_t *cell = &cells[row * width + column];
            const uint32_t down = cell[width];
            const uint32_t right = cell[1];

            if (slice_equal(old->items[row].line, new->items[column].line))
                *cell = cell[width + 1] + 1;
            else
                *cell = down > right ? down : right;
        }
    while (i < old->count || j < new->count) {
        bool has_both = i < old->count && j < new->count;

        if (cells && has_both && slice_equal(old->items[i].line, new->items[j].line)) {
            APPEND(edits.items, edits.count, old->items[i++]);
            j++;
        } else if (j == new->count || (has_both && (!cells || cells[(i + 1) * width + j] >=
                                                                  cells[i * width + j + 1]))) {
            APPEND(edits.items, edits.count, (struct edit){'-', old->items[i++].line});
        } else {
            APPEND(edits.items, edits.count, (struct edit){'+', new->items[j++].line});
        }
    }
    give_back(cells);
    return edits;
}

/* Adds " -4,7" or " +4": the first line and the number of lines of one side. */
static void
add_range(struct text *out, char mark, const struct edits *edits, size_t from, size_t to)
{
    size_t counts[] = {0, 0}; /* before the hunk, and in it */

    for (size_t i = 0; i < to; i++)
        counts[i >= from] += edits->items[i].mark == mark || edits->items[i].mark == ' ';
    text_addf(out, " %c%zu", mark, counts[0] + (counts[1] > 0));
    if (counts[1] != 1)
        text_addf(out, ",%zu", counts[1]);
}

/* Adds the hunks of a unified diff between two texts, with three lines of context. */
static void
line_diff_add(struct text *out, const struct text *old, const struct text *new)
{
    const struct edits old_lines = split(old);
    const struct edits new_lines = split(new);
    const struct edits edits = compare(&old_lines, &new_lines);

    for (size_t i = 0; i < edits.count; i++) {
        const size_t from = i > CONTEXT_LINES ? i - CONTEXT_LINES : 0;
        size_t end = i; /* behind the last change of the hunk, then behind its context */

        if (edits.items[i].mark == ' ')
            continue;
        for (size_t j = i; j < edits.count && j < end + 2 * (size_t)CONTEXT_LINES + 1; j++)
            if (edits.items[j].mark != ' ')
                end = j + 1;
        end = end + CONTEXT_LINES < edits.count ? end + CONTEXT_LINES : edits.count;
        text_add(out, "@@");
        add_range(out, '-', &edits, from, end);
        add_range(out, '+', &edits, from, end);
        text_add(out, " @@\n");
        for (i = from; i < end; i++)
            text_addf(out, "%c%.*s\n", edits.items[i].mark, (int)edits.items[i].line.len,
                      edits.items[i].line.data);
        i--;
    }
}

/* ---- what differs ---- */

static void
add_title(struct text *out, const char *mark, const char *side, struct json_object *tree)
{
    struct json_object *metadata = tree_member(tree, "metadata");
    const char *version = tree_text(tree, "apiVersion");
    const char *kind = tree_text(tree, "kind");
    const char *place = place_of(tree_text(metadata, "namespace"), tree_text(metadata, "name"));

    text_add_line(out, formatted("%s %s %s %s %s", mark, side, version ? version : "-",
                                 kind ? kind : "-", place));
}

static struct json_object *
change_as_tree(const char *word, struct json_object *old, struct json_object *new)
{
    struct json_object *document = new ? new : old;
    struct json_object *metadata = tree_member(document, "metadata");
    struct json_object *tree = tree_map();

    tree_put_text(tree, "change", word);
    tree_put_text(tree, "apiVersion", tree_text(document, "apiVersion"));
    tree_put_text(tree, "kind", tree_text(document, "kind"));
    tree_put_text(tree, "namespace", tree_text(metadata, "namespace"));
    tree_put_text(tree, "name", tree_text(metadata, "name"));
    if (old && new)
        tree_put(tree, "fields", manifest_list_changes(old, new));
    return tree;
}

void
changes_add(struct changes *changes, struct json_object *old, struct json_object *new,
            const char *word)
{
    struct step step;
    struct text *one;
    struct text *other;

    word = !old ? "Added" : !new ? "Removed" : word ? word : "Changed";
    step_start(&step);
    manifest_add(one = text_new(), old);
    manifest_add(other = text_new(), new);
    if (old && new &&is_same_text(one->data, other->data)) {
        changes->equal++;
    } else if (changes->document) {
        json_object_array_add(tree_member(changes->document, "changes"),
                              change_as_tree(word, old, new));
        changes->count++;
    } else {
        struct text *hunks = text_new();

        line_diff_add(hunks, one, other);
        add_title(changes->out, "---", changes->old_side, old ? old : new);
        add_title(changes->out, "+++",
                  strcmp(word, "Recreated") == 0 ? "recreated" : changes->new_side,
                  new ? new : old);
        text_add_printable_lines(changes->out, hunks->data, hunks->len);
        changes->count++;
    }
    step_end(&step);
}

static struct changes
changes_start(struct run *run, const char *old_side, const char *new_side)
{
    struct changes changes = {.out = &run->out, .old_side = old_side, .new_side = new_side};

    if (run->options->output == OUTPUT_JSON || run->options->output == OUTPUT_YAML) {
        changes.document = tree_map_of_step();
        tree_put_list(changes.document, "changes");
    }
    return changes;
}

static void
changes_end(const struct changes *changes, enum output output)
{
    static const char *const totals[] = {"added", "removed", "changed", "recreated"};
    struct json_object *document = changes->document;

    if (!document)
        return;
    for (size_t i = 0; i < COUNT_OF(totals); i++) {
        size_t count = 0;

        for (TREE_EACH(change, tree_member(document, "changes")))
            count += strcasecmp(text_of(*change, "change"), totals[i]) == 0;
        tree_put_number(document, totals[i], count);
    }
    tree_put_number(document, "equal", changes->equal);
    tree_move(changes->out, json_object_get(document), output, JSON_C_TO_STRING_PRETTY);
}

/* ---- what reconcile changes ---- */

static bool
is_written(int action)
{
    return action == GANG_ACTION_CREATE || action == GANG_ACTION_APPLY ||
           action == GANG_ACTION_RECREATE;
}

/* Adds an object of a plan; `planned` is NULL if it is not to exist. */
static void
add_object(struct changes *changes, const struct object_name *name, int action,
           struct json_object *planned, struct json_object *live)
{
    struct json_object *existing = live_objects_find(live, name);

    if (!existing && !planned)
        return;
    changes_add(changes, existing, planned, action == GANG_ACTION_RECREATE ? "Recreated" : NULL);
}

static void
add_diffs(struct run *run, const struct source *source)
{
    struct workbench *bench = &run->bench;
    struct changes changes = changes_start(run, "live", "planned");
    struct json_object *live = live_objects_read(bench, source);

    for (size_t i = 0; i < bench->topologies.count; i++) {
        const struct object_name name = name_of_topology(&bench->topologies.items[i]);
        int action = (int)bench->topologies.items[i].action;

        if (is_written(action))
            add_object(&changes, &name, action, topology_object(&bench->topologies.items[i]), live);
    }
    for (size_t i = 0; i < bench->num_jobs; i++) {
        const struct gang_plan *plan = bench->jobs[i].plan;

        for (size_t j = 0; j < gang_plan_num_objects(plan); j++) {
            const struct gang_object *object = gang_plan_get_object(plan, j);
            const struct object_name name = name_of_object(object);
            int action = gang_object_get_action(object);

            if (is_written(action) || action == GANG_ACTION_DELETE)
                add_object(&changes, &name, action,
                           is_written(action) ? object_as_json(object) : NULL, live);
            else
                changes.equal += action == GANG_ACTION_LEAVE;
        }
    }
    changes_add_marks(&changes, bench, live);
    changes_end(&changes, run->options->output);
    bench->has_changes = changes.count > 0;
}

/* ---- two folders of answers ---- */

/* The documents of a file or folder, and their order by name. */
struct side {
    struct source_list sources;
    struct documents documents;
    const struct document **sorted;
    size_t count;
};

/* Compares what identifies a document: its API group, kind, namespace and name. */
static int
compare_names(const struct document *a, const struct document *b)
{
    int order = slice_compare(api_group(a->api_version), api_group(b->api_version));

    if (!order)
        order = strcmp(or_empty(a->kind), or_empty(b->kind));
    if (!order)
        order = strcmp(or_empty(a->namespace_), or_empty(b->namespace_));
    return order ? order : strcmp(or_empty(a->name), or_empty(b->name));
}

static int
compare_documents(const void *a, const void *b)
{
    const struct document *one = *(const struct document *const *)a;
    const struct document *other = *(const struct document *const *)b;
    int order = compare_names(one, other);

    return order ? order : (one > other) - (one < other);
}

static bool
side_read(struct workbench *bench, struct side *side, const char *name)
{
    if (!source_list_read(&side->sources, name, bench->options->walk))
        return false;
    for (size_t i = 0; i < side->sources.count; i++)
        workbench_add_source(bench, &side->documents, side->sources.items[i]);
    for (size_t i = 0; i < side->documents.count; i++)
        if (side->documents.items[i].kind) /* not one of comments alone */
            APPEND(side->sorted, side->count, &side->documents.items[i]);
    if (side->count)
        qsort(side->sorted, side->count, sizeof(*side->sorted), compare_documents);
    return true;
}

static struct json_object *
tree_of(const struct document *document)
{
    return document ? tree_must(document_tree(document->data, document->len)) : NULL;
}

static int
compare_folders(struct run *run)
{
    const struct options *options = run->options;
    struct changes changes = changes_start(run, "old", "new");
    struct step step;
    struct side old = {0};
    struct side new = {0};
    size_t i = 0;
    size_t j = 0;

    workbench_start(&run->bench, options, 0);
    if (!side_read(&run->bench, &old, options->inputs[0]) ||
        !side_read(&run->bench, &new, options->inputs[1]) ||
        complaints_print(&run->bench.complaints) != EXIT_DONE)
        return EXIT_COULD_NOT_RUN;
    /* The second of two documents with one name is paired with the second of the other side. */
    while (i < old.count || j < new.count) {
        const struct document *before = i < old.count ? old.sorted[i] : NULL;
        const struct document *after = j < new.count ? new.sorted[j] : NULL;
        const int order = !before ? 1 : !after ? -1 : compare_names(before, after);

        before = order > 0 ? NULL : before;
        after = order < 0 ? NULL : after;
        step_start(&step);
        changes_add(&changes, tree_of(before), tree_of(after), NULL);
        step_end(&step);
        i += before != NULL;
        j += after != NULL;
    }
    changes_end(&changes, options->output);
    return changes.count ? EXIT_FINDINGS : EXIT_DONE;
}

/* ---- the command ---- */

int
command_diff(struct run *run)
{
    int status;

    if (!run->options->live)
        return compare_folders(run);
    status = reconcile_with(run, add_diffs);
    return status == EXIT_DONE && run->bench.has_changes ? EXIT_FINDINGS : status;
}
