/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GANGCTL_POLICY_TEST_H
#define GANGCTL_POLICY_TEST_H

#include <stdbool.h>

#include <json-c/json.h>

#include "complain.h"
#include "input.h"

#define KIND_POLICY_TEST "GangPolicyTest"

/* One case of a GangPolicyTest. Strings are borrowed from its tree; it owns the paths. */
struct policy_case {
    const struct document *document;
    const char *test; /* the metadata.name of its document */
    const char *name;
    char *policy; /* NULL if absent; the same for the next */
    char *cluster;
    const char *job;  /* NULL: the only one in the inputs */
    const char *gang; /* number or name, of a job with several gangs; NULL if absent */
    const char **inputs;
    size_t num_inputs;
    struct json_object *expect; /* borrowed; an object with known keys only */
    uint32_t line;              /* in the file */
};

struct policy_cases {
    struct policy_case *items;
    size_t count;
    size_t broken; /* cases with an error, which are not among the items */
    struct json_object **trees;
    size_t num_trees;
    char **paths;
    size_t num_paths;
};

/*
 * Adds the cases of a GangPolicyTest. Errors are added to the complaints. A case with an error is
 * not added; none is if the error is outside of the cases.
 */
void policy_cases_read(struct policy_cases *cases, const struct document *document,
                       struct complaints *complaints);
void policy_cases_free(struct policy_cases *cases);

enum { MOST_FIELDS = 32 };

/* Lists the keys that `expect` of a case can have, and returns their number. */
size_t expectation_list_keys(const char *keys[MOST_FIELDS]);

/* Adds the keys as properties of a JSON Schema; any value may be expected. */
void expectation_add_schema(struct json_object *properties);

#endif
