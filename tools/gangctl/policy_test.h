/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GANGCTL_POLICY_TEST_H
#define GANGCTL_POLICY_TEST_H

#include <stdbool.h>

#include "jobs.h"

#define KIND_POLICY_TEST "GangPolicyTest"

/* One case of a GangPolicyTest. Strings are borrowed from its tree and from the cases. */
struct policy_case {
    const struct document *document; /* NULL if the file is not well-formed */
    const char *file;
    const char *test;   /* the metadata.name of its document; "-" without one */
    const char *name;   /* the place of the case if it has no name */
    const char *fault;  /* what is wrong with the case itself, which is not tried; NULL: nothing */
    const char *policy; /* NULL if absent; the same for the next */
    const char *cluster;
    const char *job;  /* NULL: the only one in the inputs */
    const char *gang; /* number or name, of a job with several gangs; NULL if absent */
    const char **inputs;
    size_t num_inputs;
    struct json_object *expect; /* an object with known keys only */
    uint32_t line;              /* in the file */
};

struct policy_cases {
    struct policy_case *items;
    size_t count;
};

/*
 * Adds the cases of a GangPolicyTest. Errors are added to the complaints, and are the fault of
 * their case; one outside of the cases is the fault of all of them, and of a document without
 * cases.
 */
void policy_cases_read(struct policy_cases *cases, const struct document *document,
                       struct complaints *complaints);
/* Adds a broken case for each complaint about the files. */
void policy_cases_add_faults(struct policy_cases *cases, const struct complaints *complaints);

/* Returns the JSON Schema of a GangPolicyTest, of the step. */
struct json_object *policy_test_schema(void);
/* Adds the keys that `expect` can have to the properties of a JSON Schema, with any value. */
void expectation_add_schema(struct json_object *properties);

/* The result of one case. */
struct verdict {
    const struct policy_case *item;
    struct json_object *differences; /* a list of {field, expected, actual}, or of {message} */
};

enum covered_kind { COVERED_RULE, COVERED_CONSTRAINT, COVERED_SETTING };

/* A part of a policy, and the number of cases that reached it. */
struct covered_part {
    enum covered_kind kind;
    char *path; /* "spec.rules[0].queue" */
    char *name; /* NULL for a setting */
    struct spot spot;
    size_t cases;
    size_t held; /* of a constraint, by its verdict */
    size_t broken;
};

struct covered_policy {
    char *file;
    const struct document *document; /* while its parts are read */
    struct covered_part *parts;      /* in the order of the reference: backends first */
    size_t count;
};

struct coverage {
    bool is_wanted;
    unsigned at_least; /* percent of the parts of all policies */
    struct covered_policy *policies;
    size_t count;
};

/* Adds what the decision (a GangDecision) about a case used of the policy in the document. */
void coverage_take(struct coverage *coverage, const struct document *document,
                   struct json_object *decision);
bool coverage_is_enough(const struct coverage *coverage);
/* Adds a complaint for each part that is not reached, and an error if that are too many. */
void coverage_add_complaints(struct complaints *found, const struct coverage *coverage);
/* Adds the same as text, and the sums. */
void coverage_add_text(struct text *out, const struct coverage *coverage);
/* Returns all parts and sums. */
struct json_object *coverage_value(const struct coverage *coverage);

struct verdicts {
    struct verdict *items;
    size_t count;
    size_t failed;      /* those with differences */
    bool could_not_run; /* a file could not be read, which was reported */
    struct coverage coverage;
};

/*
 * Returns what a case can expect of the present answer; NULL after adding to the verdict, which has
 * no differences yet, why there is none. Files that the cases before it did not name are added.
 */
struct json_object *case_record(struct verdict *verdict, const struct options *options,
                                struct shared_files *files);

/* Prints a GangPolicyTest with the present answers for the jobs of -f; returns an exit status. */
int policy_record(struct run *run);

/* Adds the results of the cases in the requested format. */
void verdicts_add(struct text *out, const struct verdicts *verdicts, enum output output);

#endif
