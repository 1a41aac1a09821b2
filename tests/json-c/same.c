/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reads the documents of each folder as trees of json-c and as the same text in JSON. Findings,
 * decisions and plans must be equal but for lines and columns, and a plan as a tree must be what
 * its text says, also if several threads read the trees. Each folder is also read with a wrong
 * value in some place. TAP, one line for each folder.
 * same FOLDER...
 */
#include <pthread.h>
#include <stdio.h>
#include <string.h>

#include "trees.h"

enum { THREADS = 4, SPOILED = 10 };

static bool
is_place(const char *key)
{
    return strcmp(key, "line") == 0 || strcmp(key, "column") == 0;
}

/* Removes lines and columns; the stamp of a document is that of its content. */
static void
remove_places(struct json_object *value)
{
    if (json_object_is_type(value, json_type_array))
        for (size_t i = 0; i < json_object_array_length(value); i++)
            remove_places(json_object_array_get_idx(value, i));
    if (!json_object_is_type(value, json_type_object))
        return;
    json_object_object_foreach(value, key, child)
    {
        if (is_place(key))
            json_object_object_del(value, key);
        else
            remove_places(child);
    }
}

static void
add_code(struct json_object *answers, int code, struct gang_error *error)
{
    struct gang_blob *blob;

    json_object_array_add(answers, json_object_new_int(code));
    if (error && gang_error_serialize(NULL, error, GANG_FORMAT_JSON, 0, &blob, NULL) == GANG_OK)
        json_object_array_add(answers, tree_of_blob(blob));
    gang_error_free(error);
}

static void
add_plan(struct json_object *answers, const struct gang_plan *plan, bool as_tree)
{
    for (int target = GANG_TARGET_PLAN; target <= GANG_TARGET_JOB; target++) {
        struct json_object *tree = NULL;
        struct gang_blob *blob = NULL;
        struct gang_error *error = NULL;
        int code;

        if (target == GANG_TARGET_OBJECTS)
            continue; /* JSON texts, one after the other: see objects_are_equal() */
        code = as_tree
                   ? gang_plan_to_json_c(NULL, plan, target, &tree, &error)
                   : gang_plan_serialize(NULL, plan, target, GANG_FORMAT_JSON, 0, &blob, &error);
        if (blob)
            tree = tree_of_blob(blob);
        add_code(answers, code, error);
        json_object_array_add(answers, tree);
    }
}

/* Each object of the tree is the text of the plan's next object that is to be written. */
static bool
objects_are_equal(const struct gang_plan *plan)
{
    struct json_object *list = NULL;
    size_t next = 0;
    bool are_equal = gang_plan_to_json_c(NULL, plan, GANG_TARGET_OBJECTS, &list, NULL) == GANG_OK;

    for (size_t i = 0; are_equal && i < gang_plan_num_objects(plan); i++) {
        const struct gang_object *object = gang_plan_get_object(plan, i);
        struct gang_blob *blob = NULL;
        struct json_object *text;

        if (gang_object_get_action(object) != GANG_ACTION_CREATE)
            continue;
        are_equal =
            gang_object_serialize(NULL, object, GANG_FORMAT_JSON, 0, &blob, NULL) == GANG_OK;
        text = tree_of_blob(blob);
        are_equal &= json_object_equal(json_object_array_get_idx(list, next++), text);
        json_object_put(text);
    }
    are_equal &= next == json_object_array_length(list);
    json_object_put(list);
    return are_equal;
}

static struct gang_document *
parse(struct json_object *answers, struct json_object *tree, bool as_tree)
{
    struct gang_document *document = NULL;
    struct gang_error *error = NULL;
    const char *text;
    int code;

    if (as_tree) {
        code = gang_document_parse_json_c(NULL, tree, 0, &document, &error);
    } else { /* json-c keeps the text in the tree, which threads share */
        text = json_object_to_json_string_ext(tree, JSON_C_TO_STRING_PLAIN);
        code = gang_document_parse(NULL, text, strlen(text), 0, &document, &error);
    }
    add_code(answers, code, error);
    return document;
}

static void
answer_job(struct json_object *answers, struct gang_document **documents, size_t count,
           bool as_tree)
{
    struct gang_decision *decision = NULL;
    struct gang_plan *plan = NULL;
    struct gang_error *error = NULL;
    struct gang_blob *blob = NULL;

    add_code(answers,
             resolve_job(NULL, documents[0], documents + 1, count - 1, 0, &decision, &error),
             error);
    if (decision &&
        gang_decision_serialize(NULL, decision, GANG_FORMAT_JSON, 0, &blob, NULL) == GANG_OK)
        json_object_array_add(answers, tree_of_blob(blob));
    error = NULL;
    if (decision)
        add_code(answers, gang_render(NULL, decision, 0, &plan, &error), error);
    if (plan) {
        add_plan(answers, plan, as_tree);
        json_object_array_add(answers, json_object_new_boolean(objects_are_equal(plan)));
    }
    gang_plan_unref(plan);
    gang_decision_unref(decision);
}

static struct json_object *
answers_of(const struct trees *trees, bool as_tree)
{
    struct json_object *answers = json_object_new_array();
    struct gang_document *documents[TREES_MOST];
    bool has_all = true;

    for (size_t i = 0; i < trees->count; i++) {
        documents[i] = parse(answers, trees->items[i], as_tree);
        has_all = has_all && documents[i];
    }
    if (has_all && trees->count && is_job(documents[0]))
        answer_job(answers, documents, trees->count, as_tree);
    for (size_t i = 0; i < trees->count; i++)
        gang_document_unref(documents[i]);
    remove_places(answers);
    return answers;
}

/* ---- threads ---- */

struct reader {
    const struct trees *trees;
    struct json_object *wanted;
    bool is_equal;
};

static void *
read_trees(void *data)
{
    struct reader *reader = data;
    struct json_object *list = answers_of(reader->trees, true);

    reader->is_equal = json_object_equal(list, reader->wanted);
    json_object_put(list);
    return NULL;
}

static bool
is_equal_in_threads(const struct trees *trees, struct json_object *wanted)
{
    struct reader readers[THREADS];
    pthread_t threads[THREADS];
    bool is_equal = true;

    for (size_t i = 0; i < THREADS; i++) {
        readers[i] = (struct reader){trees, wanted, false};
        if (pthread_create(&threads[i], NULL, read_trees, &readers[i]))
            exit(2);
    }
    for (size_t i = 0; i < THREADS; i++) {
        pthread_join(threads[i], NULL);
        is_equal &= readers[i].is_equal;
    }
    return is_equal;
}

/* ---- wrong values ---- */

static const char *const wrong_values[] = {"null",
                                           "true",
                                           "-1",
                                           "0",
                                           "2.5",
                                           "0.1",
                                           "1e300",
                                           "123456789012345678901",
                                           "18446744073709551615",
                                           "9223372036854775807",
                                           "1.2345678901234567",
                                           "0.1234567890123456",
                                           "-0.0",
                                           "3.0",
                                           "\"\"",
                                           "\"3\"",
                                           "\"a b\"",
                                           "\"\\u00e9\\u202e\"",
                                           "[]",
                                           "{}",
                                           "[null]",
                                           "[{\"name\":1}]",
                                           "{\"a\":{\"b\":[]}}"};

static struct json_object *
wrong_value(unsigned long seed)
{
    const size_t count = sizeof(wrong_values) / sizeof(*wrong_values);

    return json_tokener_parse(wrong_values[seed % count]);
}

static size_t
count_values(struct json_object *value)
{
    size_t count = 1;

    for (size_t i = 0;
         json_object_is_type(value, json_type_array) && i < json_object_array_length(value); i++)
        count += count_values(json_object_array_get_idx(value, i));
    if (json_object_is_type(value, json_type_object)) {
        json_object_object_foreach(value, key, child)
        {
            (void)key;
            count += count_values(child);
        }
    }
    return count;
}

/* Puts a wrong value in the place of a member or an item; `number` counts down to it. */
static void
spoil(struct json_object *value, size_t *number, unsigned long seed)
{
    for (size_t i = 0;
         json_object_is_type(value, json_type_array) && i < json_object_array_length(value); i++) {
        if ((*number)-- == 0)
            json_object_array_put_idx(value, i, wrong_value(seed));
        else
            spoil(json_object_array_get_idx(value, i), number, seed);
    }
    if (json_object_is_type(value, json_type_object)) {
        json_object_object_foreach(value, key, child)
        {
            if ((*number)-- == 0)
                json_object_object_add(value, key, wrong_value(seed));
            else
                spoil(child, number, seed);
        }
    }
}

static void
spoil_one(struct trees *trees, unsigned long seed)
{
    struct json_object *tree = trees->items[seed % trees->count];
    size_t number = (seed * 7919) % count_values(tree);

    spoil(tree, &number, seed / 5);
}

static bool
is_same(const struct test_case *input, unsigned long seed)
{
    struct trees trees = trees_of(input);
    struct json_object *of_text;
    struct json_object *of_trees;
    bool is_equal;

    if (seed && trees.count)
        spoil_one(&trees, seed);
    of_text = answers_of(&trees, false);
    of_trees = answers_of(&trees, true);
    is_equal = json_object_equal(of_text, of_trees);

    if (!is_equal)
        printf("# text: %s\n", json_object_to_json_string(of_text));
    if (!is_equal)
        printf("# tree: %s\n", json_object_to_json_string(of_trees));
    is_equal = is_equal && (seed || is_equal_in_threads(&trees, of_trees));
    json_object_put(of_text);
    json_object_put(of_trees);
    trees_free(&trees);
    return is_equal;
}

int
main(int argc, char **argv)
{
    struct test_cases cases = cases_load(argc - 1, argv + 1);
    int failed = 0;

    printf("1..%zu\n", cases.count);
    for (size_t i = 0; i < cases.count; i++) {
        bool is_ok = is_same(&cases.items[i], 0);

        for (unsigned long k = 1; k <= SPOILED; k++)
            is_ok &= is_same(&cases.items[i], i * SPOILED + k);
        failed += !is_ok;
        printf("%s %zu - %s\n", is_ok ? "ok" : "not ok", i + 1, cases.items[i].name);
    }
    cases_free(&cases);
    return failed != 0;
}
