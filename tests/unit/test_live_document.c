/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/document/document.h"
#include "support/pods.h"
#include "unit/live_reading.h"
#include "unit/squeeze.h"
#include "unit/suite.h"

/* ---- live reader ---- */

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
    /* not a list, with any kind */
    {"{'apiVersion':'g/v1','kind':'BlackList','metadata':{'name':'a'}}", "1:1 BlackList a;", ""},
    {"{'apiVersion':'g/v1','kind':'List','metadata':{'name':'a'},'items':{}}", "1:1 List a;", ""},
    {"{'kind':'List','items':[1,null,{}]}", "", "863 1:25 863 1:27 863 1:32 "},
    {"{'apiVersion':'g/v1','kind':'K'}\n{'kind':'K','metadata':{'name':'a'}}", "",
     "863 1:1 863 2:1 "},
    {"{'apiVersion':'g/v1','metadata':{'name':'a'}}", "", "863 1:1 "},
    {OBJECT("a") " {'a':1,'a':2}", "1:1 K a;", "112 1:65 "},
    {"{'a':1}\n\n  [1]", "", "101 3:3 "},
    {"{'a':x}\n" OBJECT("b"), "2:1 K b;", "101 1:6 "},
    {OBJECT("a") "\n{'a':x}\n" OBJECT("b"), "1:1 K a;3:1 K b;", "101 2:6 "},
    {"{'a':1,'a':2} " OBJECT("b") "\n---\n" OBJECT("c"), "1:15 K b;3:1 K c;", "112 1:8 "},
    {OBJECT("a") "\n---\n" OBJECT("b") " x", "1:1 K a;", "101 3:58 "},
};

static const char *
live_object_places(const struct live_reading *live)
{
    const char *out = "";

    for (size_t i = 0; i < live->objects.count; i++) {
        const struct live_object *object = &live->objects.items[i];

        out = arena_format(live->arena, "%s%u:%u %.*s %.*s;", out, (unsigned)object->root->line,
                           (unsigned)object->root->column, SLICE_ARG(object->kind),
                           SLICE_ARG(object->name));
    }
    return out;
}

static const char *
live_finding_places(const struct live_reading *live)
{
    const char *out = "";

    for (size_t i = 0; i < live->report.count; i++) {
        const struct gang_diagnostic *finding = &live->report.items[i];

        out = arena_format(live->arena, "%s%d %u:%u ", out, (int)finding->code,
                           (unsigned)finding->line, (unsigned)finding->column);
    }
    return out;
}

static void
check_places(const char *text, const char *places, const char *findings)
{
    struct live_reading live = read_live(text);

    ck_assert_str_eq(live_object_places(&live), places);
    ck_assert_str_eq(live_finding_places(&live), findings);
    end_live(&live);
}

START_TEST(reads_output_of_kubectl)
{
    check_places(texts[_i].text, texts[_i].objects, texts[_i].findings);
}
END_TEST

/* Of the item of a list, as of a document, the path starts at the object; its lines are those of
 * the whole text. */
START_TEST(paths_start_at_the_object)
{
    struct live_reading live =
        read_live("\n{'kind':'List','items':[" OBJECT("a") "," OBJECT("b") "]}");
    const struct node *name;

    ck_assert_uint_eq(live.objects.count, 2);
    name = node_at(live.objects.items[1].root, "metadata.name");
    ck_slice_eq(path_of(live.arena, name), "metadata.name");
    ck_assert_uint_eq(name->line, 2);
    ck_assert_ptr_null(live.objects.items[0].root->next);
    end_live(&live);
}
END_TEST

static const struct {
    enum gang_limit limit;
    uint64_t value;
    int code;     /* 0: none */
    size_t count; /* of findings: a bound of all ends it, a bound of one is found in both */
    size_t objects;
} bounds[] = {
    {GANG_LIMIT_LIVE_BYTES, 10, GANG_CODE_LIMIT_STREAM_BYTES, 1, 0},
    {GANG_LIMIT_LIVE_OBJECTS, 1, GANG_CODE_LIMIT_STREAM_DOCUMENTS, 1, 1},
    {GANG_LIMIT_DEPTH, 1, GANG_CODE_LIMIT_DEPTH, 2, 0},
    {GANG_LIMIT_NODES, 4, GANG_CODE_LIMIT_NODES, 2, 0},
    /* of texts that are one document or a stream */
    {GANG_LIMIT_DOCUMENT_BYTES, 20, 0, 0, 2},
    {GANG_LIMIT_STREAM_BYTES, 20, 0, 0, 2},
    {GANG_LIMIT_STREAM_DOCUMENTS, 1, 0, 0, 2},
};

START_TEST(obeys_limits)
{
    struct limits limits = standard_limits;
    struct live_reading live;

    limits.value[bounds[_i].limit] = bounds[_i].value;
    live = read_live_within(OBJECT("a") OBJECT("b"), &limits);
    ck_assert_uint_eq(live.objects.count, bounds[_i].objects);
    ck_assert_uint_eq(live.report.count, bounds[_i].count);
    for (size_t i = 0; i < live.report.count; i++) {
        ck_assert_int_eq(live.report.items[i].code, bounds[_i].code);
        ck_assert_int_eq(live.report.items[i].document, GANG_DOCUMENT_LIVE);
    }
    end_live(&live);
}
END_TEST

/* As many as the limit allows. */
START_TEST(the_limit_itself_is_allowed)
{
    struct limits limits = standard_limits;
    struct live_reading live;

    limits.value[GANG_LIMIT_LIVE_OBJECTS] = 2;
    limits.value[GANG_LIMIT_LIVE_BYTES] = 2 * strlen(OBJECT("a"));
    live = read_live_within(OBJECT("a") OBJECT("b"), &limits);
    ck_assert_uint_eq(live.report.count, 0);
    ck_assert_uint_eq(live.objects.count, 2);
    end_live(&live);
}
END_TEST

/* A message that names a second place names it in the whole text. */
START_TEST(other_places_are_counted_from_the_start)
{
    struct live_reading live = read_live(OBJECT("a") "\n\n{'a':1,\n'a':2}");

    ck_assert_uint_eq(live.report.count, 1);
    ck_assert_uint_eq(live.report.items[0].line, 4);
    ck_assert_str_eq(live.report.items[0].message,
                     "duplicate field \"a\": already set on line 3, column 2");
    end_live(&live);
}
END_TEST

START_TEST(text_behind_a_separator_is_refused)
{
    struct live_reading live = read_live(OBJECT("a") "\n--- x\n" OBJECT("b"));

    ck_assert_str_eq(live_finding_places(&live),
                     arena_format(live.arena, "%d 2:1 ", (int)GANG_CODE_DOCUMENT_SEPARATOR));
    ck_assert_int_eq(live.report.items[0].document, GANG_DOCUMENT_LIVE);
    ck_assert_uint_eq(live.objects.count, 2);
    end_live(&live);
}
END_TEST

/* More than the first block holds. */
START_TEST(many_objects)
{
    struct live_reading live;
    struct buffer text = {0};

    for (int i = 0; i < 40; i++)
        buffer_append_slice(&text, SLICE(OBJECT("a")));
    buffer_append_byte(&text, '\0');
    live = read_live(text.data);
    ck_assert_uint_eq(live.objects.count, 40);
    ck_slice_eq(live.objects.items[39].name, "a");
    buffer_clear(&text);
    end_live(&live);
}
END_TEST

/* The items of a list are read one by one, so the limits of one document are those of an item. */
static const struct {
    enum gang_limit limit;
    uint64_t value;
    size_t count; /* of findings */
    const char *path;
} item_bounds[] = {
    /* values of the list: itself, kind, items; of an item: itself, apiVersion, kind, metadata, name
     */
    {GANG_LIMIT_NODES, 8, 0, ""},
    {GANG_LIMIT_NODES, 7, 1, "items[0].metadata"},
    {GANG_LIMIT_LIST_ITEMS, 1, 0, ""},
    {GANG_LIMIT_LIVE_OBJECTS, 2, 0, ""},
    {GANG_LIMIT_LIVE_OBJECTS, 1, 1, "items"},
    {GANG_LIMIT_DEPTH, 4, 0, ""},
    {GANG_LIMIT_DEPTH, 3, 1, "items[0]"},
};

static const char *const two_in_a_list[] = {
    "{'kind':'List','items':[" OBJECT("a") "," OBJECT("b") "]}",
    "kind: List\nitems:\n- " OBJECT("a") "\n- " OBJECT("b") "\n",
};

static void
check_item_bound(const char *text, size_t row, bool has_path)
{
    struct limits limits = standard_limits;
    struct live_reading live;

    limits.value[item_bounds[row].limit] = item_bounds[row].value;
    live = read_live_within(text, &limits);
    ck_assert_uint_eq(live.report.count, item_bounds[row].count);
    ck_assert_uint_eq(live.objects.count, live.report.count ? 0 : 2);
    if (live.report.count && has_path)
        ck_assert_str_eq(live.report.items[0].path, item_bounds[row].path);
    end_live(&live);
}

START_TEST(limits_count_each_item)
{
    check_item_bound(two_in_a_list[0], (size_t)_i, true);
}
END_TEST

/* The YAML reader names the value, the JSON reader the value around it. */
START_TEST(limits_count_each_item_of_yaml)
{
    NEEDS_YAML();
    check_item_bound(two_in_a_list[1], (size_t)_i, false);
}
END_TEST

/* As the texts above. An alias would be a value with two positions. */
static const struct {
    const char *text, *objects, *findings;
} yaml_texts[] = {
    {"apiVersion: v1\nitems:\n- apiVersion: g/v1\n  kind: K\n  metadata:\n    name: a\n"
     "- apiVersion: g/v1\n  kind: K\n  metadata: {name: b}\nkind: List\n",
     "3:3 K a;7:3 K b;", ""},
    {"apiVersion: v1\nkind: PodList\nitems: []\n", "", ""},
    {"apiVersion: v1\nkind: PodList\nitems:\n", "", ""},
    {"apiVersion: v1\nkind: PodList\n", "", "863 1:1 "},
    {"kind: List\nitems:\n- kind: List\n  items:\n  - " OBJECT("a") "\n- " OBJECT("b") "\n",
     "5:5 K a;6:3 K b;", ""},
    {"kind: List\nitems: [1, null, {}]\n", "", "863 2:9 863 2:12 863 2:18 "},
    {"kind: List\nitems:\n- &a " OBJECT("a") "\n", "", "206 3:3 "},
    {"apiVersion: g/v1\nkind: K\nmetadata:\n  name: a\nitems:\n- " OBJECT("b") "\n", "1:1 K a;",
     ""},
    {"kind: List\nitems:\n- " OBJECT("a") "\n- {a: 1, a: 2}\n", "", "112 4:10 "},
    {"---\n" OBJECT("a") "\n---\nkind: List\nitems:\n- " OBJECT("b") "\n", "2:1 K a;6:3 K b;", ""},
};

START_TEST(reads_lists_in_yaml)
{
    NEEDS_YAML();
    check_places(yaml_texts[_i].text, yaml_texts[_i].objects, yaml_texts[_i].findings);
}
END_TEST

/* kubectl writes `kind` of the list behind the items. */
static const struct {
    const char *text, *objects, *findings;
} json_lists[] = {
    {"{'apiVersion':'v1','items':[" OBJECT("a") "," OBJECT("b") "],'kind':'List'}",
     "1:29 K a;1:86 K b;", ""},
    {"{'apiVersion':'g/v1','items':[" OBJECT("b") "],'kind':'K','metadata':{'name':'a'}}",
     "1:1 K a;", ""},
    {"{'items':[" OBJECT("b") "],'kind':'K'}", "", "863 1:1 "},
    {"{'kind':'List','apiVersion':'v1','metadata':{},'items':null}", "", ""},
    {"{'items':null,'kind':'K'}", "", "863 1:1 "},
    {"{'items':[" OBJECT("a") "],'kind':'List','items':[" OBJECT("b") "]}", "", "112 1:83 "},
    {"{'kind':'List','items':[" OBJECT("a") ",{'a':1,'a':2}," OBJECT("b") "]}", "", "112 1:89 "},
    {"{'kind':'List','items':[" OBJECT("a") " " OBJECT("b") "]}", "", "101 1:82 "},
    {"{'kind':'List','items':[" OBJECT("a") ",]}", "", "101 1:82 "},
    {"{'kind':'List','metadata':{'items':[" OBJECT("a") "]},'items':[" OBJECT("b") "]}",
     "1:105 K b;", ""},
    /* items of a list of one kind, as kubernetes/kubernetes:staging/src/k8s.io/apimachinery/pkg/
     * apis/meta/v1/unstructured/helpers.go decodeToList(): a type that they lack is the list's */
    {"{'kind':'KList','apiVersion':'g/v1','items':[{'metadata':{'name':'a'}}," OBJECT("b") "]}",
     "1:46 K a;1:72 K b;", ""},
    {"{'kind':'KList','apiVersion':'g/v1','items':[{'kind':'L','metadata':{'name':'a'}}]}", "",
     "863 1:46 "},
    {"{'kind':'List','apiVersion':'v1','items':[{'metadata':{'name':'a'}}]}", "", "863 1:43 "},
    {"{'kind':'KList','items':[{'metadata':{'name':'a'}}]}", "", "863 1:26 "},
    {"{'kind':'KList','apiVersion':'g/v1','items':[{}, 1]}", "", "863 1:46 863 1:50 "},
    {"{'kind':'KList','apiVersion':'g/v1','items':[{'metadata':{'name':'a'},'items':[1]}]}",
     "1:46 K a;", ""},
    {"{'items':[{'metadata':{'name':'a'}}],'kind':'KList','apiVersion':'g/v1'}", "", "863 1:11 "},
};

START_TEST(reads_lists_in_json)
{
    check_places(json_lists[_i].text, json_lists[_i].objects, json_lists[_i].findings);
}
END_TEST

/* ---- live document ---- */

static struct gang_document *
live_parse(const char *text, int *result, struct gang_error **error)
{
    struct arena *arena = arena_new(0);
    const char *quoted = workload_quoted(arena, text);
    struct gang_document *live;

    *result = gang_document_parse_live(NULL, quoted, strlen(quoted), 0, &live, error);
    arena_free(arena);
    return live;
}

START_TEST(a_live_document_is_a_document)
{
    int result;
    struct gang_document *live = live_parse(two_in_a_list[0], &result, NULL);

    ck_assert_int_eq(result, GANG_OK);
    ck_assert_int_eq(gang_document_get_type(live), GANG_DOCUMENT_LIVE);
    ck_assert_ptr_null(gang_document_get_kind(live));
    ck_assert_ptr_null(gang_document_get_name(live));
    ck_assert_ptr_null(gang_document_get_reference(live, "Topology"));
    ck_assert_ptr_null(gang_policy_get_stamp(live));
    ck_assert_uint_eq(gang_document_num_diagnostics(live), 0);
    ck_assert_uint_eq(live_objects_of(live)->count, 2);
    ck_assert_ptr_eq(gang_document_ref(live), live);
    gang_document_unref(live);
    ck_slice_eq(live_objects_of(live)->items[1].name, "b");
    gang_document_unref(live);
    ck_assert_uint_eq(live_objects_of(NULL)->count, 0);
}
END_TEST

START_TEST(nothing_exists)
{
    struct gang_document *live = NULL;

    ck_assert_int_eq(gang_document_parse_live(NULL, NULL, 0, 0, &live, NULL), GANG_OK);
    ck_assert_uint_eq(live_objects_of(live)->count, 0);
    gang_document_unref(live);
}
END_TEST

static const struct {
    const char *data;
    size_t len;
    uint32_t flags;
    bool has_out;
    int result;
} misuses[] = {
    {NULL, 1, 0, true, GANG_ERROR_INVALID_ARGUMENT},
    {"", 0, 0, false, GANG_ERROR_INVALID_ARGUMENT},
    {"", 0, 2, true, GANG_ERROR_UNSUPPORTED_FLAG},
    {"", 0, 1u << 31, true, GANG_ERROR_UNSUPPORTED_FLAG},
    {"{", 1, 0, true, GANG_ERROR_SYNTAX},
    {"{}", 2, 0, true, GANG_ERROR_INVALID},
};

START_TEST(what_cannot_be_parsed)
{
    struct gang_document *live = (struct gang_document *)(uintptr_t)&misuses;
    struct gang_error *error = NULL;

    ck_assert_int_eq(gang_document_parse_live(NULL, misuses[_i].data, misuses[_i].len,
                                              misuses[_i].flags, misuses[_i].has_out ? &live : NULL,
                                              &error),
                     misuses[_i].result);
    ck_assert_int_eq(gang_error_get_code(error), misuses[_i].result);
    if (misuses[_i].has_out)
        ck_assert_ptr_null(live);
    gang_error_free(error);
}
END_TEST

/* The object of a finding is named even though its text is released. */
START_TEST(a_finding_names_its_object)
{
    int result;
    struct gang_error *error = NULL;
    const struct gang_diagnostic *finding;

    live_parse(OBJECT("a") "\n{'kind':'K','metadata':{'namespace':'n','name':'b'},'a':1,'a':2}",
               &result, &error);
    finding = gang_error_get_diagnostic(error, 0);
    ck_assert_str_eq(gang_diagnostic_get_kind(finding), "K");
    ck_assert_str_eq(gang_diagnostic_get_namespace(finding), "n");
    ck_assert_str_eq(gang_diagnostic_get_name(finding), "b");
    gang_error_free(error);
}
END_TEST

static const enum gang_limit memory_limits[] = {GANG_LIMIT_MEMORY_BYTES,
                                                GANG_LIMIT_LIVE_MEMORY_BYTES};

START_TEST(too_little_memory_is_a_limit)
{
    struct gang_config *config = gang_config_new();
    struct gang_context *context = NULL;
    struct gang_error *error = NULL;
    struct gang_document *live = NULL;
    char text[] = OBJECT("a");

    for (char *at = text; *at; at++)
        *at = *at == '\'' ? '"' : *at;
    ck_assert_int_eq(gang_config_set_limit(config, (int)memory_limits[_i], 64), GANG_OK);
    ck_assert_int_eq(gang_context_new(config, &context), GANG_OK);
    ck_assert_int_eq(gang_document_parse_live(context, text, strlen(text), 0, &live, &error),
                     GANG_ERROR_LIMIT);
    ck_assert_ptr_null(live);
    ck_assert_uint_eq(gang_error_num_diagnostics(error), 1);
    ck_assert_int_eq(gang_diagnostic_get_code(gang_error_get_diagnostic(error, 0)),
                     GANG_CODE_LIMIT_MEMORY);
    gang_error_free(error);
    gang_context_unref(context);
    gang_config_free(config);
}
END_TEST

static bool
live_squeezed(const struct gang_context *context, const void *input, int *result,
              struct gang_error **error)
{
    struct gang_document *live = NULL;

    *result = gang_document_parse_live(context, input, strlen(input), 0, &live, error);
    gang_document_unref(live);
    return live != NULL;
}

START_TEST(every_allocation_of_an_object_is_checked)
{
    struct arena *arena = arena_new(0);

    ck_assert_int_eq(squeeze(live_squeezed, workload_quoted(arena, two_in_a_list[_i])), GANG_OK);
    arena_free(arena);
}
END_TEST

/* Returns the memory of the objects that are read. */
static size_t
live_memory(struct text text, size_t count)
{
    struct live_reading live =
        read_live_bytes((struct slice){text.data, text.len}, arena_new(0), &standard_limits);
    size_t bytes = live.arena->total;

    ck_assert_uint_eq(live.report.count, 0);
    ck_assert_uint_eq(live.objects.count, count);
    ck_assert_uint_eq(live.objects.pods.count, count);
    end_live(&live);
    free(text.data);
    return bytes;
}

static void
check_memory(struct text (*make)(size_t count), size_t count)
{
    enum { BYTES_OF_A_POD = 4700, LARGEST_CHUNK = 256 * 1024 };
    size_t half = live_memory(make(count / 2), count / 2);
    size_t bytes = live_memory(make(count), count);

    ck_assert_uint_le(bytes * 10, half * 22);
    /* AddressSanitizer puts a gap behind every value */
    if (!ARENA_GAP)
        ck_assert_uint_le(bytes, count * BYTES_OF_A_POD + LARGEST_CHUNK);
}

/* As many as the documentation says, each of 5 KB. */
START_TEST(memory_is_proportional_to_the_pods)
{
    check_memory(pods_in_json, 10000);
}
END_TEST

START_TEST(memory_is_proportional_to_the_pods_in_yaml)
{
    NEEDS_YAML();
    check_memory(pods_in_yaml, 2000);
}
END_TEST

void
add_tests(TCase *cases)
{
    add_rows(cases, reads_output_of_kubectl, texts, text);
    tcase_add_test(cases, paths_start_at_the_object);
    add_rows(cases, obeys_limits, bounds, limit, value);
    tcase_add_test(cases, the_limit_itself_is_allowed);
    tcase_add_test(cases, other_places_are_counted_from_the_start);
    tcase_add_test(cases, text_behind_a_separator_is_refused);
    tcase_add_test(cases, many_objects);
    add_rows(cases, limits_count_each_item, item_bounds, limit, value);
    add_rows(cases, limits_count_each_item_of_yaml, item_bounds, limit, value);
    add_rows(cases, reads_lists_in_yaml, yaml_texts, text);
    add_rows(cases, reads_lists_in_json, json_lists, text);
    tcase_add_test(cases, a_live_document_is_a_document);
    tcase_add_test(cases, nothing_exists);
    add_rows(cases, what_cannot_be_parsed, misuses, data, len, flags);
    tcase_add_test(cases, a_finding_names_its_object);
    tcase_add_loop_test(cases, too_little_memory_is_a_limit, 0, 2);
    tcase_add_loop_test(cases, every_allocation_of_an_object_is_checked, 0, 1);
    tcase_add_test(cases, memory_is_proportional_to_the_pods);
    tcase_add_test(cases, memory_is_proportional_to_the_pods_in_yaml);
}
