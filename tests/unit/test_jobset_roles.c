/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/trainer/trainer.h"

#include "unit/front.h"

#define BARE(name) ROLE(name, "", PLAIN, "", NODE_POD)

#define JOBSET_ROLES_WAITS(name, edges) ROLE(name, "'dependsOn':[" edges "],", PLAIN, "", NODE_POD)
#define EDGE(name, status) "{'name':'" name "','status':'" status "'}"
#define CHAIN BARE("a") "," JOBSET_ROLES_WAITS("b", EDGE("a", "Complete"))

/* A cycle or an unknown name is not resolved in advance: each resolve must report it. */
static const struct {
    const char *runtime;
    bool is_ordered;
    bool waits;         /* some role for another */
    const char *stages; /* one digit for each role */
} runtimes[] = {
    {RUNTIME("", BARE("a")), true, false, "0"},
    {RUNTIME("", BARE("a") "," BARE("b")), true, false, "00"},
    {RUNTIME("", BARE("a") "," JOBSET_ROLES_WAITS("b", EDGE("a", "Ready"))), true, true, "00"},
    {RUNTIME("", CHAIN), true, true, "01"},
    {RUNTIME("", CHAIN "," JOBSET_ROLES_WAITS("c", EDGE("b", "Complete"))), true, true, "012"},
    {RUNTIME("", BARE("a") "," JOBSET_ROLES_WAITS("b", EDGE("ghost", "Ready"))), false, false, ""},
    {RUNTIME("", BARE("a") "," JOBSET_ROLES_WAITS("b", EDGE("b", "Ready"))), false, false, ""},
};

START_TEST(jobs_share_the_results_of_their_runtime)
{
    struct front front;

    front_open(&front, runtimes[_i].runtime, TRAINJOB(""), COMPATIBILITY_NONE);
    ck_assert_int_eq(front.runtime->roles.is_ordered, runtimes[_i].is_ordered);
    ck_assert_int_eq(front.runtime->roles.start_order != NULL, runtimes[_i].waits);
    ck_assert_int_eq(front.wishes.is_ordered, runtimes[_i].is_ordered);
    for (size_t i = 0; runtimes[_i].stages[i]; i++)
        ck_assert_uint_eq(front.wishes.roles[i].stage, (unsigned)(runtimes[_i].stages[i] - '0'));
    front_close(&front);
}
END_TEST

/* A runtime serves many jobs at once, so what a job fills in must be its own. */
START_TEST(job_with_changes_gets_its_own_roles)
{
    struct front front;

    front_open(&front, RUNTIME(ML("'torch':{}"), NODE_ROLE "," BARE("b")), NODES("4"),
               COMPATIBILITY_NONE);
    ck_assert_ptr_ne(front.wishes.roles, front.runtime->roles.roles);
    ck_assert_int_eq(front.wishes.roles[0].count, 4);
    ck_assert_int_eq(front.runtime->roles.roles[0].count, 0);
    front_close(&front);
}
END_TEST

START_TEST(patch_rebuilds_roles)
{
    struct front front;

    front_open(&front, RUNTIME("", CHAIN),
               TRAINJOB(PATCHES(
                   PATCH_JOBS("a", "{'name':'c','template':{'metadata':{'labels':{'x':'y'}}}}"))),
               COMPATIBILITY_KUBEFLOW_TRAINER);
    ck_assert_uint_eq(front.runtime->jobset.count, 2);
    ck_assert_uint_eq(front.wishes.num_roles, 3);
    ck_assert(front.wishes.is_ordered);
    ck_assert_ptr_ne(front.wishes.start_order, front.runtime->roles.start_order);
    front_close(&front);
}
END_TEST

START_TEST(without_memory_there_are_none)
{
    struct arena *arena = arena_new(1);
    struct jobset jobset = {.count = 1};

    ck_assert_ptr_null(jobset_roles_read(&jobset, arena).roles);
    ck_assert(!jobset_roles_read(&jobset, arena).is_ordered);
    arena_free(arena);
}
END_TEST

void
add_tests(TCase *cases)
{
    add_rows(cases, jobs_share_the_results_of_their_runtime, runtimes, runtime);
    tcase_add_test(cases, job_with_changes_gets_its_own_roles);
    tcase_add_test(cases, patch_rebuilds_roles);
    tcase_add_test(cases, without_memory_there_are_none);
}
