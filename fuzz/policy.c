/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The first byte selects the checks, the rest is a GangPolicy. A valid policy has one canonical
 * form, and decides a few jobs the same way in any other spelling. A rule after the one that
 * matches changes nothing.
 */
#include "fuzz/policy_forms.h"
#include "fuzz/policy_grammar.h"
#include "fuzz/policy_jobs.h"
#include "fuzz/policy_spelling.h"

size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max_size);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned int seed);

/*
 * Without LOOK_AT_ONE, as in every recorded input, all checks run. With it, one check runs, which
 * is faster.
 */
enum { LOOK_AT_ONE = 0x40, WITH_CLUSTER = 0x20 };

static const char last_rule[] =
    "{\"name\":\"zz-last\",\"match\":{},\"action\":\"Deny\",\"message\":\"zz-last\"}";

/* Whether a rule that denies everything, appended after all others, is the first to match. */
static bool
is_decided_by_last_rule(const struct gang_plan *plan)
{
    for (size_t i = 0; i < gang_decision_num_diagnostics(plan->decision); i++)
        if (strstr(gang_diagnostic_get_message(gang_decision_get_diagnostic(plan->decision, i)),
                   "zz-last"))
            return true;
    return false;
}

static void
check_job(struct gang_document *policy, struct gang_document *respelled,
          struct gang_document *longer, size_t job, bool with_cluster)
{
    struct gang_plan *plan = plan_job(policy, job, with_cluster);
    struct gang_plan *other = respelled ? plan_job(respelled, job, with_cluster) : NULL;
    struct gang_plan *more = longer ? plan_job(longer, job, with_cluster) : NULL;

    if (plan)
        must_be_valid_plan(plan);
    if (plan && other)
        must_be_equal_plans(plan, other);
    if (plan && more && !is_decided_by_last_rule(more))
        must_be_equal_plans(plan, more);
    gang_plan_unref(plan);
    gang_plan_unref(other);
    gang_plan_unref(more);
}

static void
check_policy(struct gang_document *policy, const char *text, size_t len, uint8_t choice)
{
    bool one = (choice & LOOK_AT_ONE) != 0;
    unsigned what = (choice >> 2) & 3;
    struct gang_document *respelled = !one || what == 1 ? spell_anew(text, len, NULL) : NULL;
    /* the policy stamp on the objects differs, because the policy does */
    struct gang_document *longer = (!one || what == 2) && !policy_of(policy)->output.policy_stamp
                                       ? spell_anew(text, len, last_rule)
                                       : NULL;

    must(!(!one || what == 1) || respelled);
    if (!one || what == 0)
        must_have_one_form(policy_of(policy));
    for (size_t job = 0; job < NUM_JOBS; job++) {
        if (one && job != (choice & 3u))
            continue;
        if (!one || !(choice & WITH_CLUSTER))
            check_job(policy, respelled, longer, job, false);
        if (!one || (choice & WITH_CLUSTER))
            check_job(policy, respelled, longer, job, true);
    }
    gang_document_unref(respelled);
    gang_document_unref(longer);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const char *text = (const char *)data + 1;
    struct gang_document *policy;
    struct gang_error *error;
    int code;

    fixed_jobs_open();
    if (size == 0)
        return 0;
    code = gang_document_parse(NULL, text, size - 1, 0, &policy, &error);
    must_agree(code, policy, error);
    if (policy_of(policy))
        check_policy(policy, text, size - 1, data[0]);
    gang_document_unref(policy);
    return 0;
}

/* One input in four is a new policy; libFuzzer mutates the others byte by byte. */
size_t
LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned int seed)
{
    if (max_size < 2 || (seed & 3) != 0)
        return LLVMFuzzerMutate(data, size, max_size);
    data[0] = (uint8_t)(LOOK_AT_ONE | (seed >> 8));
    return 1 + grammar_write((char *)data + 1, max_size - 1, seed * 2654435761u);
}
