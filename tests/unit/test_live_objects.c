/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/reconcile/live_objects.h"
#include "libgang/document/finding.h"
#include "unit/suite.h"
#include "unit/workloads.h"

#define OBJECT(name) "{'apiVersion':'g/v1','kind':'K','metadata':{'name':'" name "'}}"

/* The objects as `line:column kind name`, and the findings as `code line:column`. Quotes are
 * apostrophes. */
static const struct {
    const char *text, *objects, *findings;
} texts[] = {
    {"", "", ""},
    {"\n \n", "", ""},
    {OBJECT("a"), "1:1 K a;", ""},
    {OBJECT("a") OBJECT("b") "\n  " OBJECT("c"), "1:1 K a;1:57 K b;2:3 K c;", ""},
    {"---\n" OBJECT("a") "\n---\n" OBJECT("b") "\n", "2:1 K a;4:1 K b;", ""},
    {"{'kind':'List','items':[]}", "", ""},
    {"{'apiVersion':'v1','kind':'List','items':[" OBJECT("a") ",\n" OBJECT("b") "]}",
     "1:43 K a;2:1 K b;", ""},
    {"{'kind':'KList','items':[{'kind':'List','items':[" OBJECT("a") "]}]}", "1:50 K a;", ""},
    /* no list, whatever it is called */
    {"{'apiVersion':'g/v1','kind':'BlackList','metadata':{'name':'a'}}", "1:1 BlackList a;", ""},
    {"{'apiVersion':'g/v1','kind':'List','metadata':{'name':'a'},'items':{}}", "1:1 List a;", ""},
    {"{'kind':'List','items':[1,null,{}]}", "", "863 1:25 863 1:27 863 1:32 "},
    {"{'apiVersion':'g/v1','kind':'K'}\n{'kind':'K','metadata':{'name':'a'}}", "",
     "863 1:1 863 2:1 "},
    {"{'apiVersion':'g/v1','metadata':{'name':'a'}}", "", "863 1:1 "},
    {OBJECT("a") " {'a':1,'a':2}", "1:1 K a;", "112 1:65 "},
    {"{'a':1}\n\n  [1]", "", "101 3:3 "},
};

static const char *
live_object_places(const struct live_objects *objects, struct arena *arena)
{
    const char *out = "";

    for (size_t i = 0; i < objects->count; i++)
        out = arena_format(arena, "%s%u:%u %.*s %.*s;", out, (unsigned)objects->items[i].root->line,
                           (unsigned)objects->items[i].root->column,
                           SLICE_ARG(objects->items[i].kind), SLICE_ARG(objects->items[i].name));
    return out;
}

static const char *
live_finding_places(const struct report *report, struct arena *arena)
{
    const char *out = "";

    for (size_t i = 0; i < report->count; i++)
        out = arena_format(arena, "%s%d %u:%u ", out, (int)report->items[i].code,
                           (unsigned)report->items[i].line, (unsigned)report->items[i].column);
    return out;
}

START_TEST(reads_what_kubectl_prints)
{
    struct arena *arena = arena_new(0);
    struct report report;
    struct live_objects objects;

    report_init(&report, arena, &standard_limits);
    objects = live_objects_read(slice_from_text(workload_quoted(arena, texts[_i].text)),
                                &standard_limits, arena, &report);
    ck_assert_str_eq(live_object_places(&objects, arena), texts[_i].objects);
    ck_assert_str_eq(live_finding_places(&report, arena), texts[_i].findings);
    arena_free(arena);
}
END_TEST

/* Of the item of a list, as of a document, the path starts at the object; its lines are those of
 * the whole text. */
START_TEST(paths_start_at_the_object)
{
    struct arena *arena = arena_new(0);
    struct report report;
    struct live_objects objects;

    report_init(&report, arena, &standard_limits);
    objects = live_objects_read(
        slice_from_text(
            workload_quoted(arena, "\n{'kind':'List','items':[" OBJECT("a") "," OBJECT("b") "]}")),
        &standard_limits, arena, &report);
    ck_assert_uint_eq(objects.count, 2);
    ck_slice_eq(path_of(arena, node_at(objects.items[1].root, "metadata.name")), "metadata.name");
    ck_assert_uint_eq(node_at(objects.items[1].root, "metadata.name")->line, 2);
    ck_assert_ptr_null(objects.items[0].root->next);
    arena_free(arena);
}
END_TEST

#define WHOLE                                                                                      \
    "{'apiVersion':'g.example/"                                                                    \
    "v1','kind':'K','metadata':{'name':'a','namespace':'n','uid':'u','deletionTimestamp':'t',"     \
    "'ownerReferences':[{'uid':'x'},{'uid':'y','controller':true},{'uid':'z','controller':true}]}" \
    "}"

START_TEST(knows_the_parts_of_an_object)
{
    struct arena *arena = arena_new(0);
    struct report report;
    struct live_objects objects;

    report_init(&report, arena, &standard_limits);
    objects = live_objects_read(slice_from_text(workload_quoted(arena, WHOLE OBJECT("b"))),
                                &standard_limits, arena, &report);
    ck_slice_eq(objects.items[0].group, "g.example");
    ck_slice_eq(objects.items[0].api_version, "g.example/v1");
    ck_slice_eq(objects.items[0].namespace_, "n");
    ck_slice_eq(objects.items[0].uid, "u");
    ck_assert(objects.items[0].is_terminating);
    ck_slice_eq(node_string(node_member(objects.items[0].controller, SLICE("uid"))), "y");
    ck_assert(!slice_is_set(objects.items[1].uid));
    ck_assert(!objects.items[1].is_terminating);
    ck_assert_ptr_null(objects.items[1].controller);
    arena_free(arena);
}
END_TEST

static const struct {
    const char *group, *kind, *space, *name;
    bool is_found;
} keys[] = {
    {"g.example", "K", "n", "a", true},  {"g.example", "K", "", "a", false},
    {"g.example", "K", "n", "b", false}, {"g.example", "L", "n", "a", false},
    {"g", "K", "n", "a", false},         {"g", "K", "", "b", true},
    {"g", "K", "default", "b", true},    {"g", "K", "n", "b", false},
};

START_TEST(finds_by_everything_but_the_version)
{
    struct arena *arena = arena_new(0);
    struct report report;
    struct live_objects objects;
    const struct live_key key = {slice_from_text(keys[_i].group), slice_from_text(keys[_i].kind),
                                 slice_from_text(keys[_i].space), slice_from_text(keys[_i].name)};

    report_init(&report, arena, &standard_limits);
    objects = live_objects_read(slice_from_text(workload_quoted(arena, WHOLE OBJECT("b"))),
                                &standard_limits, arena, &report);
    ck_assert_int_eq(live_objects_find(&objects, &key) != NULL, keys[_i].is_found);
    arena_free(arena);
}
END_TEST

START_TEST(group_of_a_version)
{
    ck_slice_eq(live_group_of(SLICE("apps/v1")), "apps");
    ck_slice_eq(live_group_of(SLICE("v1")), "");
    ck_slice_eq(live_group_of(NO_SLICE), "");
}
END_TEST

static const struct {
    enum gang_limit limit;
    uint64_t value;
    enum gang_code code;
    size_t count; /* of findings: a bound of all ends it, a bound of one is found in both */
    size_t objects;
} bounds[] = {
    {GANG_LIMIT_STREAM_BYTES, 10, GANG_CODE_LIMIT_STREAM_BYTES, 1, 0},
    {GANG_LIMIT_STREAM_DOCUMENTS, 1, GANG_CODE_LIMIT_STREAM_DOCUMENTS, 1, 1},
    {GANG_LIMIT_DEPTH, 1, GANG_CODE_LIMIT_DEPTH, 2, 0},
    {GANG_LIMIT_DOCUMENT_BYTES, 20, GANG_CODE_LIMIT_DOCUMENT_BYTES, 2, 0},
};

START_TEST(obeys_limits)
{
    struct arena *arena = arena_new(0);
    struct limits limits = standard_limits;
    struct report report;
    struct live_objects objects;

    limits.value[bounds[_i].limit] = bounds[_i].value;
    report_init(&report, arena, &limits);
    objects = live_objects_read(slice_from_text(workload_quoted(arena, OBJECT("a") OBJECT("b"))),
                                &limits, arena, &report);
    ck_assert_uint_eq(objects.count, bounds[_i].objects);
    ck_assert_uint_eq(report.count, bounds[_i].count);
    ck_assert_int_eq(report.items[0].code, bounds[_i].code);
    ck_assert_int_eq(report.items[0].document, GANG_DOCUMENT_LIVE);
    arena_free(arena);
}
END_TEST

/* As many as the limit allows. */
START_TEST(the_limit_itself_is_allowed)
{
    struct arena *arena = arena_new(0);
    struct limits limits = standard_limits;
    struct report report;
    struct live_objects objects;

    limits.value[GANG_LIMIT_STREAM_DOCUMENTS] = 2;
    limits.value[GANG_LIMIT_STREAM_BYTES] = 2 * strlen(OBJECT("a"));
    report_init(&report, arena, &limits);
    objects = live_objects_read(slice_from_text(workload_quoted(arena, OBJECT("a") OBJECT("b"))),
                                &limits, arena, &report);
    ck_assert_uint_eq(report.count, 0);
    ck_assert_uint_eq(objects.count, 2);
    arena_free(arena);
}
END_TEST

/* A message that names a second place names it in the whole text. */
START_TEST(other_places_are_counted_from_the_start)
{
    struct arena *arena = arena_new(0);
    struct report report;

    report_init(&report, arena, &standard_limits);
    live_objects_read(slice_from_text(workload_quoted(arena, OBJECT("a") "\n\n{'a':1,\n'a':2}")),
                      &standard_limits, arena, &report);
    ck_assert_uint_eq(report.count, 1);
    ck_assert_uint_eq(report.items[0].line, 4);
    ck_assert_str_eq(report.items[0].message,
                     "duplicate field \"a\": already set on line 3, column 2");
    arena_free(arena);
}
END_TEST

START_TEST(text_behind_a_separator_is_refused)
{
    struct arena *arena = arena_new(0);
    struct report report;
    struct live_objects objects;

    report_init(&report, arena, &standard_limits);
    objects = live_objects_read(
        slice_from_text(workload_quoted(arena, OBJECT("a") "\n--- x\n" OBJECT("b"))),
        &standard_limits, arena, &report);
    ck_assert_str_eq(live_finding_places(&report, arena),
                     arena_format(arena, "%d 2:1 ", (int)GANG_CODE_DOCUMENT_SEPARATOR));
    ck_assert_int_eq(report.items[0].document, GANG_DOCUMENT_LIVE);
    ck_assert_uint_eq(objects.count, 2);
    arena_free(arena);
}
END_TEST

/* More than the first block holds. */
START_TEST(many_objects)
{
    struct arena *arena = arena_new(0);
    struct report report;
    struct live_objects objects;
    struct buffer text = {0};

    for (int i = 0; i < 40; i++)
        buffer_append_slice(&text, slice_from_text(workload_quoted(arena, OBJECT("a"))));
    report_init(&report, arena, &standard_limits);
    objects =
        live_objects_read((struct slice){text.data, text.len}, &standard_limits, arena, &report);
    ck_assert_uint_eq(objects.count, 40);
    ck_slice_eq(objects.items[39].name, "a");
    buffer_clear(&text);
    arena_free(arena);
}
END_TEST

void
add_tests(TCase *cases)
{
    add_rows(cases, reads_what_kubectl_prints, texts, text);
    tcase_add_test(cases, paths_start_at_the_object);
    tcase_add_test(cases, knows_the_parts_of_an_object);
    add_rows(cases, finds_by_everything_but_the_version, keys, group, kind, name);
    tcase_add_test(cases, group_of_a_version);
    add_rows(cases, obeys_limits, bounds, limit, value);
    tcase_add_test(cases, the_limit_itself_is_allowed);
    tcase_add_test(cases, other_places_are_counted_from_the_start);
    tcase_add_test(cases, text_behind_a_separator_is_refused);
    tcase_add_test(cases, many_objects);
}
