/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/render/explanation.h"

/*
 * What was decided and why, for people: one walk over the decision's document makes rows, which
 * explanation_write() writes as text or as HTML.
 */

enum { EXPLAIN_STAGE_WIDTH = 9, EXPLAIN_WAVE_WIDTH = 8 };

/* ---- cells and rows ---- */

struct slice
explain_text(const struct node *map, const char *path)
{
    return node_text(node_at(map, path));
}

bool
explain_is(const struct node *map, const char *key, const char *text)
{
    return slice_equal(explain_text(map, key), slice_from_text(text));
}

void
explain_put(struct explain_walk *walk, struct slice text)
{
    buffer_append_slice(&walk->cell, text);
}

void
explain_put_number(struct explain_walk *walk, int64_t number)
{
    char text[INTEGER_TEXT_SIZE];

    explain_put(walk, integer_format(number, text));
}

void
explain_say(struct explain_walk *walk, const struct node *map, const char *words)
{
    size_t start = walk->cell.len;
    bool is_complete = true;

    for (; *words; words++) {
        if (*words == '[') {
            start = walk->cell.len;
            is_complete = true;
        } else if (*words == ']') {
            walk->cell.len = is_complete ? walk->cell.len : start;
        } else if (*words == '{') {
            char path[32] = "";
            const size_t len = strcspn(++words, "}");
            const struct slice value = explain_text(map, memcpy(path, words, len));

            is_complete &= value.len > 0;
            explain_put(walk, value);
            words += len;
        } else {
            buffer_append_byte(&walk->cell, *words);
        }
    }
}

struct slice
explain_take(struct explain_walk *walk)
{
    const struct slice raw = {walk->cell.data, walk->cell.len};
    const size_t len = raw.len ? quote_printable(raw, NULL) : 0;
    char *text = arena_take(walk->rows.arena, len + 1);

    walk->cell.len = 0;
    if (text && len)
        quote_printable(raw, text);
    return (struct slice){text ? text : "", text ? len : 0};
}

void
explain_add(struct explain_walk *walk, const struct explanation_row *row)
{
    ARENA_APPEND(walk->rows.arena, walk->rows.items, walk->rows.count, 32, *row);
}

void
explain_add_line(struct explain_walk *walk, const char *label, struct slice note)
{
    const struct explanation_row row = {
        .label = slice_from_text(label),
        .cells = {explain_take(walk), note.len ? note : NO_SLICE},
        .pads = {5},
    };

    if (row.cells[0].len)
        explain_add(walk, &row);
}

void
explain_pad(struct explanation_row *row, size_t cell, size_t width)
{
    row->pads[cell] = width > row->cells[cell].len ? width - row->cells[cell].len : 0;
}

/* ---- places ---- */

/* Returns the origin of the document of a type; that of the job if there is none. */
static const struct document_origin *
explain_origin(const struct explain_walk *walk, struct slice type)
{
    const struct decision_inputs *inputs = &walk->explained->decision->inputs;

    for (size_t i = 0; i < inputs->num_documents; i++) {
        const struct gang_document *document = inputs->documents[i];
        const char *name = gang_document_type_name((int)document->entry->type);

        if (slice_equal(slice_from_text(name), type))
            return &document->origin;
    }
    return &inputs->documents[0]->origin;
}

/* Puts "file:12:3"; a column of 0 is left out. */
static void
explain_put_place(struct explain_walk *walk, const struct document_origin *origin, uint32_t line,
                  uint32_t column)
{
    explain_put(walk, origin->name);
    explain_say(walk, NULL, ":");
    explain_put_number(walk, origin->lines_before + line);
    if (!column)
        return;
    explain_say(walk, NULL, ":");
    explain_put_number(walk, column + (line == origin->first_line ? origin->columns_before : 0));
}

void
explain_put_place_behind(struct explain_walk *walk, const struct node *source)
{
    const struct slice named = explain_text(source, "document");
    const struct document_origin *origin =
        explain_origin(walk, slice_is_set(named) ? named : SLICE("policy"));
    const uint32_t line = (uint32_t)node_int_or(node_at(source, "line"), 0);

    if (!walk->explained->is_verbose || !slice_is_set(origin->name) || !line)
        return;
    explain_put(walk, SLICE(" ["));
    explain_put_place(walk, origin, line, 0);
    explain_put(walk, SLICE("]"));
}

/* ---- head and outcome ---- */

/* "JobSet a/b", then "gang #1 of 2  policy p@12345678  cluster c" */
static void
explain_head(struct explain_walk *walk, const struct node *metadata)
{
    const struct gang_decision *decision = walk->explained->decision;
    const uint64_t gangs = gang_document_num_gangs(decision->inputs.documents[0]);
    struct explanation_row row = {.kind = EXPLANATION_HEAD, .pads = {2}};

    explain_put(walk, decision->inputs.documents[0]->kind);
    explain_say(walk, metadata, " [{namespace}/]{name}[{generateName}*]");
    row.cells[0] = explain_take(walk);
    if (gangs > 1) {
        explain_say(walk, NULL, "gang #");
        explain_put_number(walk, (int64_t)decision->gang_index);
        explain_say(walk, NULL, " of ");
        explain_put_number(walk, (int64_t)gangs);
        explain_say(walk, NULL, "  ");
    }
    if (decision->inputs.runtime)
        explain_say(walk, decision->inputs.runtime->document.root,
                    "runtime {kind}/{metadata.name}  ");
    else if (decision->inputs.podcliqueset && decision->inputs.podgang)
        explain_say(walk, decision->inputs.podcliqueset->document.root,
                    "podcliqueset {metadata.name}  ");
    else if (decision->inputs.podgang)
        explain_say(walk, NULL, "podcliqueset not known  ");
    explain_say(walk, NULL, "policy ");
    explain_put(walk,
                slice_from_text(decision->inputs.policy
                                    ? gang_policy_get_stamp(&decision->inputs.policy->document)
                                    : "none"));
    if (decision->inputs.cluster)
        explain_say(walk, decision->inputs.cluster->document.root, "  cluster {metadata.name}");
    if (!explain_is(walk->root, "compatibility", "None"))
        explain_say(walk, walk->root, "  compatibility {compatibility}");
    row.cells[1] = explain_take(walk);
    explain_add(walk, &row);
}

static void
explain_put_count(struct explain_walk *walk, enum gang_severity severity, const char *words)
{
    const struct report *findings = walk->explained->findings;
    int64_t count = 0;

    for (size_t i = 0; i < findings->count; i++)
        count += findings->items[i].severity == severity;
    explain_put_number(walk, count);
    explain_say(walk, NULL, words);
    explain_say(walk, NULL, count == 1 ? "" : "s");
}

static void
explain_outcome(struct explain_walk *walk, const struct node *outcome)
{
    static const char *const names[] = {
        [GANG_OUTCOME_GANG] = "GANG: ",
        [GANG_OUTCOME_NO_GANG] = "NO_GANG: ",
        [GANG_OUTCOME_DENIED] = "DENIED: ",
        [GANG_OUTCOME_INVALID] = "INVALID: ",
    };
    const struct gang_decision *decision = walk->explained->decision;

    (void)outcome;
    explain_say(walk, NULL, names[decision->outcome]);
    audit_put_reason(decision->report, decision->reason, &walk->cell);
    explain_say(walk, NULL, " (");
    explain_put_count(walk, GANG_SEVERITY_ERROR, " error");
    explain_say(walk, NULL, ", ");
    explain_put_count(walk, GANG_SEVERITY_WARNING, " warning");
    explain_say(walk, NULL, ")");
    explain_add_line(walk, "OUTCOME", NO_SLICE);
}

/* ---- pods ---- */

/* "5 = node 4 + launcher 1": the roles of one membership; nothing if there are none. */
static void
explain_group(struct explain_walk *walk, const struct node *roles, const char *label,
              const char *membership, struct slice note)
{
    struct slice listed;
    int64_t pods = 0;

    for (NODE_EACH(role, roles)) {
        if (!explain_is(role, "membership", membership))
            continue;
        explain_say(walk, role, walk->cell.len ? " + {name} {count}" : "{name} {count}");
        pods = integer_add_capped(pods, node_int_or(node_at(role, "count"), 0));
    }
    listed = explain_take(walk);
    if (!listed.len)
        return;
    explain_put_number(walk, pods);
    explain_say(walk, NULL, " = ");
    explain_put(walk, listed);
    explain_add_line(walk, label, note);
}

/* The pods of the job: those of the gang, those that join it later, and the others. */
static void
explain_pods(struct explain_walk *walk, const struct node *roles)
{
    const enum gang_outcome outcome = walk->explained->decision->outcome;
    bool has_members = outcome == GANG_OUTCOME_GANG;

    for (NODE_EACH(role, roles))
        has_members |= !explain_is(role, "membership", "Outside");
    if (has_members) {
        explain_group(walk, roles, "members", "Member", explain_members_choice(walk));
        explain_group(walk, roles, "late", "LateMember", SLICE("join after the gang has started"));
        explain_group(walk, roles, "outside", "Outside",
                      SLICE("not in the gang: not counted, no labels"));
    } else if (outcome != GANG_OUTCOME_INVALID) {
        explain_group(walk, roles, "pods", "Outside", NO_SLICE);
    }
}

/* There is no minimum if a runtime has groups that do not wait. */
static void
explain_gang(struct explain_walk *walk, const struct node *gang)
{
    if (!gang)
        return;
    explain_say(walk, gang,
                node_int_or(node_at(gang, "minimum"), 0)
                    ? "{minimum} of {pods} pods start together or not at all"
                    : "none: pods start one by one");
    explain_add_line(walk, "minimum", NO_SLICE);
    for (NODE_EACH(resource, node_at(gang, "resources"))) {
        explain_say(walk, NULL, walk->cell.len ? ", " : "");
        explain_put(walk, node_key(resource));
        explain_say(walk, NULL, " ");
        explain_put(walk, node_text(resource));
    }
    explain_say(walk, NULL, walk->cell.len ? "" : "none requested");
    explain_add_line(walk, "resources", NO_SLICE);
}

/* ---- order ---- */

/*
 * order     stage 0          data 1
 *              v Complete
 *           stage 1  wave 0  node 3      after data is Complete
 *              v Ready
 *                    wave 1  launcher 1  after node is Ready
 */

/* A role and its place in the order. */
struct explain_step {
    const struct node *role;
    int64_t stage;
    int64_t wave;
    struct slice name;
};

static int
explain_compare_steps(const void *a, const void *b, const void *context)
{
    const struct explain_step *one = a, *other = b;

    (void)context;
    if (one->stage != other->stage)
        return one->stage < other->stage ? -1 : 1;
    return (one->wave > other->wave) - (one->wave < other->wave);
}

/* Returns the roles as they start; NULL if none waits for another. */
static const void **
explain_steps(struct explain_walk *walk, const struct node *roles)
{
    const size_t count = node_count(roles);
    struct explain_step *steps = arena_array(walk->rows.arena, count, sizeof(*steps));
    bool has_edges = false;
    size_t i = 0;

    for (NODE_EACH(role, steps ? roles : NULL)) {
        explain_say(walk, role, "{name} {count}");
        steps[i++] =
            (struct explain_step){role, node_int_or(node_at(role, "stage"), 0),
                                  node_int_or(node_at(role, "wave"), 0), explain_take(walk)};
        has_edges |= node_count(node_at(role, "dependsOn")) > 0;
    }
    return has_edges ? stable_sort_array(steps, count, sizeof(*steps), explain_compare_steps, NULL,
                                         walk->rows.arena)
                     : NULL;
}

/* What the roles of a wave other than the first wait for. */
static struct slice
explain_wave_status(const void *const *steps, size_t count)
{
    for (size_t i = 0; i < count && !explain_compare_steps(steps[i], steps[0], NULL); i++) {
        const struct explain_step *step = steps[i];

        for (NODE_EACH(edge, node_at(step->role, "dependsOn")))
            if (explain_is(edge, "status", "Ready"))
                return SLICE("Ready");
    }
    return SLICE("Scheduled");
}

/* Adds the role; `before` is the one that starts before it. */
static void
explain_add_step(struct explain_walk *walk, const struct explain_step *step,
                 const struct explain_step *before, bool has_waves, size_t name_width)
{
    const bool starts_stage = !before || before->stage != step->stage;
    const bool starts_wave = starts_stage || before->wave != step->wave;
    struct explanation_row row = {.label = slice_from_text(before ? "" : "order")};
    size_t cell = 0;

    explain_say(walk, step->role, starts_stage ? "stage {stage}" : "");
    row.cells[cell] = explain_take(walk);
    explain_pad(&row, cell++, EXPLAIN_STAGE_WIDTH);
    if (has_waves) {
        explain_say(walk, step->role, starts_wave ? "wave {wave}" : "");
        row.cells[cell] = explain_take(walk);
        explain_pad(&row, cell++, EXPLAIN_WAVE_WIDTH);
    }
    row.cells[cell] = step->name;
    explain_pad(&row, cell++, name_width + 2);
    for (NODE_EACH(edge, node_at(step->role, "dependsOn")))
        explain_say(walk, edge,
                    walk->cell.len ? ", {role} is {status}" : "after {role} is {status}");
    row.cells[cell] = explain_take(walk);
    explain_add(walk, &row);
}

static void
explain_order(struct explain_walk *walk, const struct node *roles)
{
    const void **steps = explain_steps(walk, roles);
    const struct explain_step *before = NULL;
    const size_t count = steps ? node_count(roles) : 0;
    size_t name_width = 0;
    bool has_waves = false;

    for (size_t i = 0; i < count; i++) {
        const struct explain_step *step = steps[i];

        name_width = step->name.len > name_width ? step->name.len : name_width;
        has_waves |= step->wave > 0;
    }
    for (size_t i = 0; i < count; i++) {
        const struct explain_step *step = steps[i];

        if (before && explain_compare_steps(before, step, NULL)) {
            const bool starts_stage = before->stage != step->stage;

            explain_add(walk,
                        &(struct explanation_row){
                            .kind = EXPLANATION_ARROW,
                            .cells = {starts_stage ? SLICE("Complete")
                                                   : explain_wave_status(steps + i, count - i)},
                        });
        }
        explain_add_step(walk, step, before, has_waves, name_width);
        before = step;
    }
}

/* ---- findings ---- */

/* A finding and the document that it is about; the job if it is about none. */
struct explain_finding {
    const struct gang_diagnostic *is;
    const struct document_origin *origin;
};

/*
 * By severity, then by file and line, as findings of several files are listed everywhere. Without
 * names of files the order is that of the decision.
 */
static int
explain_compare_findings(const void *a, const void *b, const void *context)
{
    const struct explain_finding *one = a, *other = b;
    int64_t order = (int64_t)one->is->severity - (int64_t)other->is->severity;

    (void)context;
    if (!order)
        order = slice_compare(one->origin->name, other->origin->name);
    if (!order && slice_is_set(one->origin->name))
        order = (int64_t)(one->origin->lines_before + one->is->line) -
                (int64_t)(other->origin->lines_before + other->is->line);
    return (order > 0) - (order < 0);
}

static void
explain_add_finding(struct explain_walk *walk, const struct explain_finding *finding)
{
    const struct gang_diagnostic *is = finding->is;
    struct explanation_row row = {
        .kind = EXPLANATION_FINDING,
        .label = slice_from_text(gang_severity_name((int)is->severity)),
        .cells = {slice_from_text(gang_diagnostic_get_id(is))},
    };

    if (slice_is_set(finding->origin->name) && is->line && is->document != GANG_DOCUMENT_NONE) {
        explain_put_place(walk, finding->origin, is->line, is->column);
        explain_say(walk, NULL, " ");
    }
    explain_put(walk, slice_from_text(is->path[0] ? is->path : gang_code_name((int)is->code)));
    explain_say(walk, NULL, ":");
    row.cells[1] = explain_take(walk);
    explain_put(walk, slice_from_text(is->message));
    row.cells[2] = explain_take(walk);
    explain_say(walk, NULL, "hint: ");
    explain_put(walk, slice_from_text(is->hint));
    row.cells[3] = explain_take(walk);
    row.cells[3] = is->hint ? row.cells[3] : NO_SLICE;
    explain_add(walk, &row);
}

static void
explain_findings(struct explain_walk *walk, const struct node *unused)
{
    const struct report *findings = walk->explained->findings;
    struct arena *arena = walk->rows.arena;
    struct explain_finding *items = arena_array(arena, findings->count, sizeof(*items));
    const void **sorted;
    size_t count = 0;

    (void)unused;
    for (size_t i = 0; items && i < findings->count; i++) {
        const struct gang_diagnostic *is = &findings->items[i];
        const char *document = gang_document_type_name((int)is->document);

        if (is->severity == GANG_SEVERITY_INFO && !walk->explained->is_verbose)
            continue;
        items[count++] =
            (struct explain_finding){is, explain_origin(walk, slice_from_text(document))};
    }
    sorted = stable_sort_array(items, count, sizeof(*items), explain_compare_findings, NULL, arena);
    for (size_t i = 0; sorted && i < count; i++)
        explain_add_finding(walk, sorted[i]);
}

/* ---- sections ---- */

/*
 * In the order of the rows. A section is made by a function, or has a row of these words about a
 * member of the document, or about each item of a list.
 */
static const struct explain_section {
    const char *path; /* of the member, which may be absent */
    void (*add)(struct explain_walk *walk, const struct node *value);
    const char *label;
    const char *words;
    const char *empty; /* the words about an empty list of a gang; NULL: no row */
    const char *note;
} explain_sections[] = {
    {.path = "metadata", .add = explain_head},
    {.path = "outcome", .add = explain_outcome},
    {.path = "trace", .add = explain_trace},
    {.path = "gang.topology", .label = "", .words = "[highestTierAllowed {highestTierAllowed}]"},
    {.path = "unmatchedRules", .add = explain_unmatched},
    {.path = "runNumber", .label = "run", .note = "resumes or restarts before"},
    {.path = "roles", .add = explain_pods},
    {.path = "gang", .add = explain_gang},
    {.path = "roles", .add = explain_order},
    {.path = "objects",
     .label = "objects",
     .words = "{action} {object.apiVersion} {object.kind} {object.metadata.name}",
     .empty = "none"},
    {.path = "predictions",
     .label = "predicted",
     .words = "{object.apiVersion} {object.kind} {object.metadata.name}"
              "[{object.metadata.generateName}*], which {controller} {version} creates"},
    {.path = "losses", .label = "lost", .words = "{field}[={value}]: {reason}"},
    {.path = "diagnostics", .add = explain_findings},
};

static void
explain_section(struct explain_walk *walk, const struct explain_section *section)
{
    const struct node *value = node_at(walk->root, section->path);
    const bool is_list = node_is(value, NODE_LIST);
    const char *label = section->label;

    if (section->add) {
        section->add(walk, value);
        return;
    }
    if (value && !is_list) {
        explain_put(walk, node_text(value));
        explain_say(walk, value, section->words ? section->words : "");
        explain_add_line(walk, label, slice_from_text(section->note));
    }
    if (is_list && !node_count(value) && section->empty &&
        walk->explained->decision->outcome == GANG_OUTCOME_GANG)
        explain_say(walk, NULL, section->empty);
    for (NODE_EACH(item, value)) {
        explain_say(walk, item, section->words);
        explain_add_line(walk, label, NO_SLICE);
        label = "";
    }
    explain_add_line(walk, label, NO_SLICE);
}

struct explanation
explanation_make(const struct explained *explained, struct arena *arena)
{
    struct explain_walk walk = {
        .explained = explained,
        .root = plan_document_build_whole(explained->decision, explained->plan, arena),
        .rows.arena = arena,
        .cell = {.limit = arena->limit, .workspace = arena->workspace},
    };

    for (size_t i = 0; i < COUNT_OF(explain_sections) && !arena_failed(arena); i++)
        explain_section(&walk, &explain_sections[i]);
    if (walk.cell.failed && walk.cell.hit_limit)
        arena_fail_at_limit(arena);
    else if (walk.cell.failed)
        arena_fail(arena);
    buffer_clear(&walk.cell);
    return walk.rows;
}
