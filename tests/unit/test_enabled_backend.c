/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/decide/decision.h"

#include "unit/resolutions.h"

#define LISTED                                                                                     \
    "'backends':[{'name':'a','type':'Volcano','schedulerName':'s'},{'name':'b','type':'Volcano'}," \
    "{'name':'c','type':'Coscheduling','schedulerName':'s','apiVersion':'scheduling.x-k8s.io/"     \
    "v1alpha1'},"                                                                                  \
    "{'name':'off','type':'None'}]"

static struct run listed;

static void
open_policy(void)
{
    const struct resolution row = {LISTED, "", NULL, 0, "", ""};

    listed = run_resolution(&row);
}

static void
close_policy(void)
{
    end_run(&listed);
}

/* In the order of the policy, as it calls them. */
static const struct {
    const char *name, *scheduler, *type, *api_version;
} entries[] = {
    {"a", "s", "Volcano", "scheduling.volcano.sh/v1beta1"},
    {"b", "volcano", "Volcano", "scheduling.volcano.sh/v1beta1"},
    {"c", "s", "Coscheduling", "scheduling.x-k8s.io/v1alpha1"},
    {"off", NULL, NULL, NULL},
};

START_TEST(backends_have_the_names_of_the_policy)
{
    struct enabled_backend at;
    struct enabled_backend named;

    ck_assert(enabled_backend_at(listed.policy, (size_t)_i, &at));
    ck_assert(enabled_backend_of_name(listed.policy, slice_from_text(entries[_i].name), &named));
    ck_assert_ptr_eq(at.entry, named.entry);
    ck_assert_ptr_eq(at.entry, &listed.policy->backends[_i]);
    ck_slice_eq(at.name, entries[_i].name);
    ck_assert_int_eq(at.backend != NULL, entries[_i].type != NULL);
    if (!entries[_i].type)
        return;
    ck_slice_eq(at.backend->descriptor->type, entries[_i].type);
    ck_slice_eq(at.scheduler_name, entries[_i].scheduler);
    ck_slice_eq(at.api_version, entries[_i].api_version);
}
END_TEST

START_TEST(counts_enabled_backends)
{
    struct enabled_backend first;

    ck_assert(!enabled_backend_at(listed.policy, ITEMS_OF(entries), &first));
    ck_assert_uint_eq(enabled_backend_of_type(listed.policy, &volcano_backend, &first), 2);
    ck_slice_eq(first.name, "a");
    ck_assert_uint_eq(enabled_backend_of_type(listed.policy, &coscheduling_backend, &first), 1);
    ck_slice_eq(first.name, "c");
    ck_assert_uint_eq(enabled_backend_of_scheduler(listed.policy, SLICE("s"), &first), 2);
    ck_slice_eq(first.name, "a");
    ck_assert_uint_eq(enabled_backend_of_scheduler(listed.policy, SLICE("volcano"), &first), 1);
    ck_slice_eq(first.name, "b");
    ck_assert_uint_eq(enabled_backend_of_scheduler(listed.policy, SLICE("other"), &first), 0);
    ck_assert(!enabled_backend_of_name(listed.policy, SLICE("volcano"), &first));
    ck_assert_ptr_null(first.backend);
    ck_assert(enabled_backend_of_name(NULL, SLICE("volcano"), &first));
    ck_assert_ptr_eq(first.backend, &volcano_backend);
    ck_assert(!enabled_backend_of_name(NULL, SLICE("slurm"), &first));
    ck_assert_ptr_null(first.backend);
}
END_TEST

START_TEST(list_of_names_in_messages)
{
    struct arena *arena = arena_new(0);

    ck_assert_str_eq(enabled_backend_list(listed.policy, false, arena),
                     "\"a\", \"b\", \"c\", \"off\"");
    ck_assert_str_eq(enabled_backend_list(listed.policy, true, arena), "\"s\", \"volcano\", \"s\"");
    arena_free(arena);
}
END_TEST

/* Without a policy all of the table, under their own names. */
START_TEST(without_a_policy_every_backend)
{
    struct enabled_backend at;

    ck_assert(enabled_backend_at(NULL, (size_t)_i, &at));
    ck_assert_ptr_eq(at.backend, backend_table[_i]);
    ck_assert_ptr_null(at.entry);
    ck_assert(slice_equal(at.name, backend_table[_i]->descriptor->name));
    ck_assert(slice_equal(at.scheduler_name, backend_table[_i]->descriptor->scheduler_name));
    ck_assert_uint_eq(enabled_backend_of_type(NULL, backend_table[_i], &at), 1);
    ck_assert(!enabled_backend_at(NULL, backend_count, &at));
}
END_TEST

void
add_tests(TCase *cases)
{
    tcase_add_checked_fixture(cases, open_policy, close_policy);
    add_rows(cases, backends_have_the_names_of_the_policy, entries, name, type);
    tcase_add_test(cases, counts_enabled_backends);
    tcase_add_test(cases, list_of_names_in_messages);
    tcase_add_loop_test(cases, without_a_policy_every_backend, 0, (int)backend_count);
}
