/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/render/render.h"

#include "libgang/gang/gang.h"

enum {
    PICTURE_MARGIN = 20,
    PICTURE_WIDTH = 620, /* at least, for the legend */
    BOX_WIDTH = 216,
    BOX_HEIGHT = 60, /* with three lines */
    BOX_GAP = 14,    /* between two rows */
    BOX_TEXT = 16,   /* from its left side */
    BOX_TEXT_WIDTH = BOX_WIDTH - BOX_TEXT - 8,
    COLUMN_GAP = 76,
    FRAME_HEAD = 26, /* the frame's name, above its boxes */
    FRAME_PADDING = 12,
    ROWS_MAX = 12, /* more boxes of a wave are beside each other */
    ERRORS_SHOWN = 5,
};

/* The roles of one stage and wave. */
struct picture_column {
    uint32_t stage;
    uint32_t wave;
    size_t inside; /* number of its roles in the gang */
    size_t outside;
    int64_t x;
};

struct picture_box {
    size_t column;
    size_t index; /* among the roles of its column that are in the gang, or among the others */
    struct svg_point at;
};

struct picture {
    const struct gang *gang;
    const struct picture_state *state; /* NULL: not known */
    struct arena *arena;
    struct buffer *out;
    struct picture_box *boxes; /* one for each role */
    struct picture_column *columns;
    size_t num_columns;
    size_t first_framed; /* the frame goes from this column */
    size_t end_framed;   /* to the one before this; 0 without a frame */
    size_t framed_rows;
    int64_t box_height;
    size_t *chain; /* roles of a deadlock, each waits for the next */
    size_t num_chain;
    bool *is_in_chain;
    int64_t width;
    int64_t end; /* below everything so far */
};

/* ---- layout ---- */

static int
layout_compare(const void *a, const void *b, const void *context)
{
    const struct gang *gang = context;
    const struct role *one = a, *other = b;
    uint32_t wave = gang->parts[one - gang->roles].wave;
    uint32_t other_wave = gang->parts[other - gang->roles].wave;

    if (one->stage != other->stage)
        return one->stage < other->stage ? -1 : 1;
    return (wave > other_wave) - (wave < other_wave);
}

static bool
layout_is_inside(const struct picture *picture, size_t role)
{
    return picture->gang->parts[role].membership != ROLE_OUTSIDE;
}

/* Puts the role into the last column, or into a new one. Roles come from left to right. */
static void
layout_put_role(struct picture *picture, size_t role)
{
    uint32_t stage = picture->gang->roles[role].stage;
    uint32_t wave = picture->gang->parts[role].wave;
    struct picture_column *column = picture->columns + picture->num_columns;

    if (picture->num_columns && column[-1].stage == stage && column[-1].wave == wave) {
        column--;
    } else {
        column->stage = stage;
        column->wave = wave;
        picture->num_columns++;
    }
    picture->boxes[role].column = (size_t)(column - picture->columns);
    picture->boxes[role].index =
        layout_is_inside(picture, role) ? column->inside++ : column->outside++;
}

static int64_t
layout_column_width(const struct picture_column *column)
{
    size_t most = column->inside > column->outside ? column->inside : column->outside;
    size_t beside = (most + ROWS_MAX - 1) / ROWS_MAX;

    return (int64_t)beside * (BOX_WIDTH + FRAME_PADDING) - FRAME_PADDING;
}

static void
layout_put_boxes(struct picture *picture, int64_t top)
{
    int64_t bottom = top;

    for (size_t i = 0; i < picture->gang->num_roles; i++) {
        struct picture_box *box = &picture->boxes[i];
        int64_t row = (int64_t)(box->index % ROWS_MAX);
        int64_t beside = (int64_t)(box->index / ROWS_MAX);
        int64_t band = top;

        /* Roles outside the gang are below the frame where it covers their column. */
        if (!layout_is_inside(picture, i) && box->column >= picture->first_framed &&
            box->column < picture->end_framed)
            band +=
                (int64_t)picture->framed_rows * (picture->box_height + BOX_GAP) + 2 * FRAME_PADDING;
        box->at.x = picture->columns[box->column].x + beside * (BOX_WIDTH + FRAME_PADDING);
        box->at.y = band + row * (picture->box_height + BOX_GAP);
        if (box->at.y + picture->box_height + BOX_GAP > bottom)
            bottom = box->at.y + picture->box_height + BOX_GAP;
    }
    picture->end = bottom + FRAME_PADDING;
}

static bool
layout_make(struct picture *picture)
{
    const struct gang *gang = picture->gang;
    /* From left to right; those of one column in their order. */
    const void **roles = stable_sort_array(gang->roles, gang->num_roles, sizeof(*gang->roles),
                                           layout_compare, gang, picture->arena);
    int64_t x;

    picture->boxes = arena_array(picture->arena, gang->num_roles, sizeof(*picture->boxes));
    picture->columns = arena_array(picture->arena, gang->num_roles, sizeof(*picture->columns));
    picture->chain = arena_array(picture->arena, gang->num_roles, sizeof(*picture->chain));
    picture->is_in_chain = arena_array(picture->arena, gang->num_roles, sizeof(bool));
    if (arena_failed(picture->arena))
        return false;
    for (size_t i = 0; i < gang->num_roles; i++)
        layout_put_role(picture, (size_t)((const struct role *)roles[i] - gang->roles));
    x = PICTURE_MARGIN + FRAME_PADDING;
    for (size_t i = 0; i < picture->num_columns; i++) {
        struct picture_column *column = &picture->columns[i];

        column->x = x;
        x += layout_column_width(column) + COLUMN_GAP;
        if (!column->inside)
            continue;
        if (!picture->end_framed)
            picture->first_framed = i;
        picture->end_framed = i + 1;
        if (picture->framed_rows < column->inside)
            picture->framed_rows = column->inside < ROWS_MAX ? column->inside : ROWS_MAX;
    }
    x += PICTURE_MARGIN + FRAME_PADDING - COLUMN_GAP;
    picture->width = x > PICTURE_WIDTH ? x : PICTURE_WIDTH;
    return true;
}

/* ---- drawing ---- */

static const char picture_style[] =
    "<style>\n"
    ".libgang{font:13px sans-serif}\n"
    ".libgang .page{fill:#fff}\n"
    ".libgang text{fill:#1b1f24}\n"
    ".libgang .title{font-weight:bold;font-size:15px}\n"
    ".libgang .name{font-weight:bold}\n"
    ".libgang .note{fill:#57606a}\n"
    ".libgang .bad{fill:#b3001b;font-weight:bold}\n"
    ".libgang .member{fill:#d4e9f7;stroke:#0072b2;stroke-width:2}\n"
    ".libgang .late{fill:#fdf0d5;stroke:#a05a00;stroke-width:2;stroke-dasharray:7 3}\n"
    ".libgang .outside{fill:#eef0f2;stroke:#6e7781}\n"
    ".libgang .frame{fill:none;stroke:#0072b2;stroke-width:1.5}\n"
    ".libgang .edge{fill:none;stroke:#57606a;stroke-width:1.5}\n"
    ".libgang .ready{stroke-dasharray:5 4}\n"
    ".libgang .wait{fill:none;stroke:#b3001b;stroke-width:3.5}\n"
    ".libgang marker{fill:#57606a}\n"
    "@media (prefers-color-scheme:dark){\n"
    ".libgang .page{fill:#0d1117}\n"
    ".libgang text{fill:#e6edf3}\n"
    ".libgang .note{fill:#9da7b3}\n"
    ".libgang .bad{fill:#ff7b86}\n"
    ".libgang .member{fill:#0b3a57;stroke:#56b4e9}\n"
    ".libgang .late{fill:#4a3000;stroke:#e69f00}\n"
    ".libgang .outside{fill:#21262d;stroke:#8b949e}\n"
    ".libgang .frame{stroke:#56b4e9}\n"
    ".libgang .edge{stroke:#9da7b3}\n"
    ".libgang .wait{stroke:#ff7b86}\n"
    ".libgang marker{fill:#9da7b3}\n"
    "}\n"
    "</style>\n"
    "<defs><marker id=\"libgang-arrow\" viewBox=\"0 0 8 8\" refX=\"8\" refY=\"4\" "
    "markerUnits=\"userSpaceOnUse\" markerWidth=\"10\" markerHeight=\"10\" orient=\"auto\">"
    "<path d=\"M0 0 L8 4 L0 8 z\"/></marker></defs>\n";

/* A late member has round ends, a role outside has square corners. */
static const struct membership_look {
    const char *class;
    int radius;
    struct slice words;
} membership_looks[] = {
    [ROLE_MEMBER] = {"member", 10, SLICE_INIT("in the gang")},
    [ROLE_LATE_MEMBER] = {"late", 24, SLICE_INIT("joins the gang late")},
    [ROLE_OUTSIDE] = {"outside", 0, SLICE_INIT("outside the gang")},
};

static const char *const edge_looks[] = {
    [DEPENDENCY_READY] = "edge ready",
    [DEPENDENCY_COMPLETE] = "edge",
    [DEPENDENCY_SCHEDULED] = "edge scheduled",
};

static void
draw_rectangle(struct buffer *out, const char *class, struct svg_point at, int64_t width,
               int64_t height, int radius)
{
    svg_put(out, "<rect class=\"%s\" x=\"%lld\" y=\"%lld\" width=\"%lld\" height=\"%lld\" ", class,
            (long long)at.x, (long long)at.y, (long long)width, (long long)height);
    svg_put(out, "rx=\"%d\"/>\n", radius);
}

/* Both ends are in the middle of a side. `bend` is how far the curve leaves each box. */
static void
draw_curve(struct buffer *out, const char *class, struct svg_point start, struct svg_point end,
           int64_t start_bend, int64_t end_bend)
{
    svg_put(out, "<path class=\"%s\" marker-end=\"url(#libgang-arrow)\" ", class);
    svg_put(out, "d=\"M%lld %lld C%lld %lld %lld %lld %lld %lld\"/>\n", (long long)start.x,
            (long long)start.y, (long long)(start.x + start_bend), (long long)start.y,
            (long long)(end.x + end_bend), (long long)end.y, (long long)end.x, (long long)end.y);
}

/* From the role that starts first to the role that waits for it. */
static void
draw_edge(const struct picture *picture, const char *class, size_t from, size_t to)
{
    struct svg_point start = picture->boxes[from].at;
    struct svg_point end = picture->boxes[to].at;
    /* within a column the curve stays in the frame, whose side is FRAME_PADDING away */
    enum { BEND = 44, SHORT_BEND = 14 };

    start.y += picture->box_height / 2;
    end.y += picture->box_height / 2;
    if (start.x < end.x) {
        start.x += BOX_WIDTH;
        draw_curve(picture->out, class, start, end, BEND, -BEND);
    } else if (start.x == end.x) {
        draw_curve(picture->out, class, start, end, -SHORT_BEND, -SHORT_BEND);
    } else {
        end.x += BOX_WIDTH;
        draw_curve(picture->out, class, start, end, -BEND, BEND);
    }
}

/* The box's title names all that the role waits for. */
static const char *
wait_in_short(const struct role *role, struct arena *arena)
{
    const struct dependency *edge = role->dependencies;

    if (!role->num_dependencies)
        return "starts at once";
    if (role->num_dependencies > 1)
        return arena_format(arena, "waits for %zu roles", role->num_dependencies);
    return arena_format(arena, "after %.*s is %s", SLICE_ARG(edge->role),
                        dependency_status_names[edge->status]);
}

static void
draw_box_title(const struct picture *picture, const struct role *role, const char *pods)
{
    struct buffer *out = picture->out;

    svg_put(out, "<title>");
    svg_put_text(out, role->name);
    svg_put(out, ": ");
    svg_put_text(out, slice_from_text(pods));
    svg_put(out, ", each requests ");
    svg_put_text(out, slice_from_text(resource_list_in_words(&role->requests, picture->arena)));
    svg_put(out, role->num_dependencies ? "; " : "");
    /* "after data is Complete, model is Ready" */
    for (size_t e = 0; e < role->num_dependencies; e++) {
        svg_put(out, e ? ", " : "after ");
        svg_put_text(out, role->dependencies[e].role);
        svg_put(out, " is %s", dependency_status_names[role->dependencies[e].status]);
    }
    svg_put(out, "</title>\n");
}

static const char *
box_words(const struct picture *picture, size_t index)
{
    const enum membership membership = picture->gang->parts[index].membership;
    const int64_t count = picture->gang->roles[index].count;

    return arena_format(picture->arena, "%lld pod%s, %s", (long long)count, count == 1 ? "" : "s",
                        membership_looks[membership].words.data);
}

/* What exists of the role; "" if it is not known. */
static const char *
box_state(const struct picture *picture, size_t index)
{
    const char *words = picture->state ? picture->state->roles[index].words : NULL;

    return words ? words : "";
}

static size_t
box_lines(const char *class, const char *text)
{
    struct slice rest = slice_from_text(text);
    size_t count = 0;

    while (svg_next_line(&rest, class, BOX_TEXT_WIDTH).len)
        count++;
    return count;
}

static void
draw_box(const struct picture *picture, size_t index)
{
    const struct role *role = &picture->gang->roles[index];
    const struct membership_look *look = &membership_looks[picture->gang->parts[index].membership];
    struct svg_point at = picture->boxes[index].at;
    struct svg_point line = {at.x + BOX_TEXT, at.y + 19};
    const char *words = box_words(picture, index);

    svg_put(picture->out, "<g>");
    draw_box_title(picture, role, words);
    draw_rectangle(picture->out, look->class, at, BOX_WIDTH, picture->box_height, look->radius);
    if (picture->is_in_chain[index])
        draw_rectangle(picture->out, "wait", at, BOX_WIDTH, picture->box_height, look->radius);
    svg_put_line(picture->out, line, "name", role->name, BOX_TEXT_WIDTH);
    line.y += SVG_LINE_HEIGHT - 1;
    line = svg_put_wrapped(picture->out, line, "line", slice_from_text(words), BOX_TEXT_WIDTH);
    line.y--;
    line = svg_put_wrapped(picture->out, line, "note",
                           slice_from_text(wait_in_short(role, picture->arena)), BOX_TEXT_WIDTH);
    if (picture->state)
        svg_put_wrapped(picture->out, line, "line", slice_from_text(box_state(picture, index)),
                        BOX_TEXT_WIDTH);
    svg_put(picture->out, "</g>\n");
}

static void
draw_frame(const struct picture *picture, struct slice gang_name, int64_t top)
{
    const struct picture_column *last = &picture->columns[picture->end_framed - 1];
    struct svg_point at = {picture->columns[picture->first_framed].x - FRAME_PADDING,
                           top - FRAME_HEAD};
    int64_t width = last->x + layout_column_width(last) + FRAME_PADDING - at.x;
    const char *name = arena_format(picture->arena, "gang %.*s", SLICE_ARG(gang_name));

    draw_rectangle(picture->out, "frame", at, width,
                   FRAME_HEAD + (int64_t)picture->framed_rows * (picture->box_height + BOX_GAP) -
                       BOX_GAP + FRAME_PADDING,
                   14);
    svg_put_line(picture->out, (struct svg_point){at.x + FRAME_PADDING, at.y + SVG_LINE_HEIGHT},
                 "note", slice_from_text(name), width - 2 * FRAME_PADDING);
}

/* "stage 1, wave 0", numbered as in the plan. Without a second one there is nothing to tell apart.
 */
static void
draw_column_heads(struct picture *picture)
{
    const struct picture_column *columns = picture->columns;
    size_t count = picture->num_columns;

    for (size_t i = 0; i < count && count > 1; i++) {
        bool has_waves = (i && columns[i - 1].stage == columns[i].stage) ||
                         (i + 1 < count && columns[i + 1].stage == columns[i].stage);
        struct svg_point at = {columns[i].x, picture->end};

        svg_put(picture->out, "<text class=\"note\" x=\"%lld\" y=\"%lld\">stage %u",
                (long long)at.x, (long long)at.y, columns[i].stage);
        if (has_waves)
            svg_put(picture->out, ", wave %u", columns[i].wave);
        svg_put(picture->out, "</text>\n");
    }
    if (count > 1)
        picture->end += SVG_LINE_HEIGHT;
}

/* ---- words ---- */

static void
draw_text(struct picture *picture, const char *class, const char *text)
{
    struct svg_point at = {PICTURE_MARGIN, picture->end};

    picture->end = svg_put_wrapped(picture->out, at, class, slice_from_text(text),
                                   picture->width - 2 * PICTURE_MARGIN)
                       .y;
}

static const char *
picture_title(const struct gang_decision *decision, const struct picture_state *state,
              struct arena *arena)
{
    struct slice space = decision->report->job.namespace_;
    struct slice name = decision->report->job.name;
    const char *gang = "";

    if (gang_document_num_gangs(decision->inputs.documents[0]) > 1)
        gang = arena_format(arena, "#%llu", (unsigned long long)decision->gang_index);
    return arena_format(arena, "%.*s%s%.*s%s: %s", SLICE_ARG(space), space.len ? "/" : "",
                        SLICE_ARG(name), gang,
                        state ? state->verdict : gang_outcome_name((int)decision->outcome));
}

static void
draw_head(struct picture *picture, const struct gang_decision *decision)
{
    bool is_refused =
        decision->outcome == GANG_OUTCOME_DENIED || decision->outcome == GANG_OUTCOME_INVALID;

    picture->end = PICTURE_MARGIN + SVG_LINE_HEIGHT;
    draw_text(picture, "title", picture_title(decision, picture->state, picture->arena));
    if (picture->state)
        draw_text(picture, picture->state->is_bad ? "bad" : "line", picture->state->cause);
    else if (decision->outcome == GANG_OUTCOME_GANG) {
        const struct gang *gang = picture->gang;
        struct arena *arena = picture->arena;

        draw_text(picture, "line",
                  arena_format(arena, "%lld of %lld pods start together or not at all",
                               (long long)decision->minimum, (long long)gang->pods));
        draw_text(picture, "note",
                  arena_format(arena, "backend %.*s%s%.*s; requests %s",
                               SLICE_ARG(decision_backend_name(decision)),
                               gang->queue.len ? ", queue " : "", SLICE_ARG(gang->queue),
                               resource_list_in_words(&gang->resources, arena)));
    } else
        draw_text(picture, is_refused ? "bad" : "line", decision->reason);
    picture->end += SVG_LINE_HEIGHT / 2;
}

static void
draw_legend(struct picture *picture)
{
    struct svg_point at = {PICTURE_MARGIN, picture->end};
    enum { KEY_WIDTH = 28, KEY_HEIGHT = 16 };

    for (int i = ROLE_MEMBER; i <= ROLE_OUTSIDE; i++) {
        const struct membership_look *look = &membership_looks[i];

        draw_rectangle(picture->out, look->class, at, KEY_WIDTH, KEY_HEIGHT,
                       look->radius * KEY_HEIGHT / BOX_HEIGHT);
        svg_put_line(picture->out, (struct svg_point){at.x + KEY_WIDTH + 6, at.y + 13}, "note",
                     look->words, PICTURE_WIDTH);
        at.x += KEY_WIDTH + 24 + svg_width("note", look->words);
    }
    at = (struct svg_point){PICTURE_MARGIN, at.y + SVG_LINE_HEIGHT + 8};
    for (int i = DEPENDENCY_READY; i <= DEPENDENCY_COMPLETE; i++) {
        struct slice words =
            ARENA_SLICE(picture->arena, "starts after it is %s", dependency_status_names[i]);
        struct svg_point end = {at.x + KEY_WIDTH, at.y + KEY_HEIGHT / 2};

        draw_curve(picture->out, edge_looks[i], (struct svg_point){at.x, end.y}, end, 0, 0);
        svg_put_line(picture->out, (struct svg_point){at.x + KEY_WIDTH + 6, at.y + 13}, "note",
                     words, PICTURE_WIDTH);
        at.x += KEY_WIDTH + 24 + svg_width("note", words);
    }
    picture->end = at.y + KEY_HEIGHT + SVG_LINE_HEIGHT + 6;
}

/* The reason of a job without a gang is told in the head. */
static bool
is_shown(const struct gang_diagnostic *finding, const struct gang_decision *decision)
{
    if (decision->outcome != GANG_OUTCOME_GANG && decision->reason &&
        strcmp(finding->message, decision->reason) == 0)
        return false;
    return finding->severity == GANG_SEVERITY_ERROR ||
           finding->code == GANG_CODE_STRUCTURAL_DEADLOCK;
}

/* ---- picture ---- */

static void
draw_roles(struct picture *picture, const struct gang_decision *decision)
{
    const struct gang *gang = picture->gang;
    int64_t top;
    size_t most = 2;

    /* All boxes have the height of the one with the most lines. */
    for (size_t i = 0; i < gang->num_roles; i++) {
        size_t lines = box_lines("line", box_words(picture, i)) +
                       box_lines("note", wait_in_short(&gang->roles[i], picture->arena)) +
                       box_lines("line", box_state(picture, i));

        if (lines > most)
            most = lines;
    }
    picture->box_height = BOX_HEIGHT + (int64_t)(most - 2) * SVG_LINE_HEIGHT;
    draw_column_heads(picture);
    top = picture->end + FRAME_HEAD;
    layout_put_boxes(picture, top);
    if (picture->end_framed)
        draw_frame(picture,
                   picture->state ? picture->state->group
                                  : decision_gang_name(decision, picture->arena),
                   top);
    for (size_t i = 0; i < gang->num_roles; i++)
        for (size_t e = 0; e < gang->roles[i].num_dependencies; e++) {
            const struct dependency *edge = &gang->roles[i].dependencies[e];

            if (edge->index != ROLE_NONE)
                draw_edge(picture, edge_looks[edge->status], edge->index, i);
        }
    for (size_t i = 0; i + 1 < picture->num_chain; i++)
        draw_edge(picture, "wait", picture->chain[i + 1], picture->chain[i]);
    for (size_t i = 0; i < gang->num_roles; i++)
        draw_box(picture, i);
    draw_legend(picture);
}

/* The size of the picture is known only when everything is drawn. */
static void
draw_root(const struct picture *picture, const char *title, const struct buffer *content)
{
    struct buffer *out = picture->out;

    svg_put(out, "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"libgang\" role=\"img\" ");
    svg_put(out, "width=\"%lld\" height=\"%lld\" viewBox=\"0 0 %lld %lld\">\n",
            (long long)picture->width, (long long)picture->end, (long long)picture->width,
            (long long)picture->end);
    svg_put(out, "<title>");
    svg_put_text(out, slice_from_text(title));
    svg_put(out, "</title>\n");
    buffer_append(out, picture_style, sizeof(picture_style) - 1);
    svg_put(out, "<rect class=\"page\" width=\"100%%\" height=\"100%%\"/>\n");
    buffer_append(out, content->data, content->len);
    svg_put(out, "</svg>\n");
}

/* Pods that exist are members of the group that they name, whatever was decided. */
static bool
picture_take_members(struct gang *gang, const struct picture_state *state, struct arena *arena)
{
    struct role_part *parts = arena_array(arena, gang->num_roles, sizeof(*parts));

    for (size_t i = 0; parts && i < gang->num_roles; i++) {
        parts[i] = gang->parts[i];
        if (!state->roles[i].is_member)
            parts[i].membership = ROLE_OUTSIDE;
        else if (parts[i].membership == ROLE_OUTSIDE)
            parts[i].membership = ROLE_MEMBER;
    }
    gang->parts = parts;
    return parts != NULL;
}

void
picture_write(const struct gang_decision *decision, const struct picture_state *state,
              struct arena *arena, struct buffer *out)
{
    struct gang gang = decision->gang;
    struct buffer content = {.limit = out->limit, .workspace = out->workspace};
    struct picture picture = {.gang = &gang, .state = state, .arena = arena, .out = &content};

    if ((state && !picture_take_members(&gang, state, arena)) || !layout_make(&picture))
        return;
    for (size_t i = 0; i < decision->report->count && !picture.num_chain; i++)
        if (decision->report->items[i].code == GANG_CODE_STRUCTURAL_DEADLOCK)
            picture.num_chain = wait_chain(picture.gang, picture.arena, picture.chain);
    for (size_t i = 0; i < picture.num_chain; i++)
        picture.is_in_chain[picture.chain[i]] = true;
    draw_head(&picture, decision);
    if (picture.gang->num_roles)
        draw_roles(&picture, decision);
    if (!state) {
        const struct report *report = decision->report;
        size_t found = 0;

        for (size_t j = 0; j < report->count; j++)
            if (is_shown(&report->items[j], decision) && ++found <= ERRORS_SHOWN)
                draw_text(&picture, "bad", report->items[j].message);
        if (found > ERRORS_SHOWN)
            draw_text(&picture, "bad",
                      arena_format(picture.arena, "and %zu more errors", found - ERRORS_SHOWN));
    }
    picture.out = out;
    out->failed |= content.failed;
    out->hit_limit |= content.hit_limit;
    draw_root(&picture, picture_title(decision, state, arena), &content);
    buffer_clear(&content);
}
