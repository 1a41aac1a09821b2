/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TESTS_SUPPORT_CASES_H
#define TESTS_SUPPORT_CASES_H

#include <stddef.h>

#include "support/text.h"

/*
 * A folder of documents that belong together: the first runtime, trainjob (or job of another kind),
 * podgang, podcliqueset, policy and cluster found in its files, and the file live.* whole: what
 * exists of them. A text is empty (`data` NULL) when the folder has none.
 */
struct test_case {
    char *name;
    struct text *files; /* whole inputs, for the splitting of streams */
    size_t file_count;
    struct text runtime;
    struct text trainjob;
    struct text podgang;
    struct text podcliqueset;
    struct text policy;
    struct text cluster;
    struct text live;
};

struct test_cases {
    struct test_case *items;
    size_t count;
};

/* Every folder at or below these that holds inputs as YAML or JSON files, by name. Folders that do
 * not exist are passed over. */
struct test_cases cases_load(int count, char **folders);
void cases_free(struct test_cases *cases);

#endif
