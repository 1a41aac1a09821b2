/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reads the documents of each folder as trees and writes the plan as trees, while each allocation
 * in turn fails, those of json-c included. A call then returns GANG_ERROR_NO_MEMORY and no result,
 * or succeeds because json-c goes on without a locale of its own, and nothing is leaked. TAP, one
 * line for each folder. oom FOLDER...
 */
#include <stdint.h>
#include <stdio.h>

#include "support/allocator.h"
#include "trees.h"

/* NULL, or what a call broke. */
static const char *
judge(int code, const void *out, struct gang_error *error)
{
    const bool is_starved = code == GANG_ERROR_NO_MEMORY;
    const bool has_error = error && gang_error_get_code(error) == code;

    gang_error_free(error);
    if (is_starved && out)
        return "fails with a result";
    if (code == GANG_OK && !out)
        return "succeeds without a result";
    return code == GANG_OK || has_error ? NULL : "fails without its error";
}

/* Writes the plan as trees; `starved` is set if the memory did not suffice. */
static const char *
write_plan(const struct gang_plan *plan, bool *starved)
{
    const char *broken = NULL;

    for (int target = GANG_TARGET_PLAN; target <= GANG_TARGET_JOB && !*starved && !broken;
         target++) {
        struct json_object *tree = NULL;
        struct gang_error *error = NULL;
        int code = gang_plan_to_json_c(NULL, plan, target, &tree, &error);

        *starved = code == GANG_ERROR_NO_MEMORY;
        broken = judge(code, tree, error);
        json_object_put(tree);
    }
    return broken;
}

static const char *
read_trees(const struct trees *trees, bool *starved)
{
    const char *broken = NULL;

    for (size_t i = 0; i < trees->count && !*starved && !broken; i++) {
        struct gang_document *document = NULL;
        struct gang_error *error = NULL;
        int code = gang_document_parse_json_c(NULL, trees->items[i], 0, &document, &error);

        *starved = code == GANG_ERROR_NO_MEMORY;
        broken = judge(code, document, error);
        gang_document_unref(document);
    }
    return broken;
}

static const char *
starve(const struct trees *trees, const struct gang_plan *plan)
{
    const char *broken = NULL;
    bool has_failed = true;

    for (uint64_t number = 1; has_failed && !broken; number++) {
        const int64_t before = allocator_counts.live;
        bool starved = false;

        allocator_fail(number, ALLOCATOR_FAILS_ONCE);
        broken = read_trees(trees, &starved);
        if (plan && !starved && !broken)
            broken = write_plan(plan, &starved);
        has_failed = allocator_recover();
        if (starved && !has_failed && !broken)
            broken = "reports a failed allocation without one";
        if (allocator_counts.live != before && !broken)
            broken = "leaks";
    }
    return broken;
}

static struct gang_plan *
plan_of(const struct trees *trees)
{
    struct gang_document *documents[TREES_MOST] = {NULL};
    struct gang_decision *decision = NULL;
    struct gang_plan *plan = NULL;
    int code = trees->count ? GANG_OK : GANG_ERROR_INVALID;

    for (size_t i = 0; i < trees->count && code == GANG_OK; i++)
        code = gang_document_parse_json_c(NULL, trees->items[i], 0, &documents[i], NULL);
    if (code == GANG_OK && is_job(documents[0]) &&
        resolve_job(NULL, documents[0], documents + 1, TREES_MOST - 1, 0, &decision, NULL) ==
            GANG_OK &&
        gang_render(NULL, decision, 0, &plan, NULL) != GANG_OK)
        plan = NULL;
    for (size_t i = 0; i < TREES_MOST; i++)
        gang_document_unref(documents[i]);
    gang_decision_unref(decision);
    return plan;
}

int
main(int argc, char **argv)
{
    struct test_cases cases = cases_load(argc - 1, argv + 1);
    int failed = 0;

    printf("1..%zu\n", cases.count);
    for (size_t i = 0; i < cases.count; i++) {
        struct trees trees = trees_of(&cases.items[i]);
        struct gang_plan *plan = plan_of(&trees);
        const char *broken = starve(&trees, plan);

        failed += broken != NULL;
        printf("%s %zu - %s%s%s\n", broken ? "not ok" : "ok", i + 1, cases.items[i].name,
               broken ? ": " : "", broken ? broken : "");
        gang_plan_unref(plan);
        trees_free(&trees);
    }
    cases_free(&cases);
    return failed != 0;
}
