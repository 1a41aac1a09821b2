/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/catalog/catalog.h"

#include "unit/suite.h"

/* Names, marks and kinds of the projects' own sources. */
static const struct {
    const char *name, *type, *member, *superseded, *mark, *kind, *component;
    bool has_queues;
} schedulers[] = {
    {"coscheduling", "Coscheduling", "coscheduling", NULL, "scheduling.x-k8s.io/pod-group",
     "PodGroup", "schedulerPlugins", false},
    {"volcano", "Volcano", "volcano", NULL, "scheduling.k8s.io/group-name", "PodGroup", "volcano",
     true},
    {"kai", "KAI", "kaiScheduler", "kai", "pod-group-name", "PodGroup", "kai", true},
    {"workload", "Workload", "workload", NULL, "schedulingGroup", "Workload", NULL, false},
};

START_TEST(describes_each_scheduler)
{
    const struct descriptor *found = catalog[_i];

    ck_assert_int_eq(CATALOG_COUNT, COUNT_OF(schedulers));
    ck_slice_eq(found->name, schedulers[_i].name);
    ck_slice_eq(found->type, schedulers[_i].type);
    ck_slice_eq(found->member.name, schedulers[_i].member);
    ck_slice_eq(found->marks[0].key, schedulers[_i].mark);
    ck_slice_eq(found->kinds[0], schedulers[_i].kind);
    ck_slice_eq(found->component.name, schedulers[_i].component);
    ck_assert_int_eq(found->num_queue_sources > 0, schedulers[_i].has_queues);
    ck_assert_int_eq(slice_is_set(found->queue_parent), schedulers[_i].has_queues);
    ck_assert_ptr_eq(catalog_of_name(found->name), found);
    ck_assert_ptr_eq(catalog_of_type(found->type), found);
    ck_assert_ptr_eq(catalog_of_member(found->member.name), found);
    if (schedulers[_i].superseded)
        ck_assert_ptr_eq(catalog_of_member(slice_from_text(schedulers[_i].superseded)), found);
}
END_TEST

/* Everything is compared exactly, and an unset name is nobody's. */
static const char *const strangers[] = {"", "KAi", "volcan", "Volcano ", "kueue"};

START_TEST(knows_no_others)
{
    struct slice name = slice_from_text(strangers[_i]);

    ck_assert_ptr_null(catalog_of_name(name));
    ck_assert_ptr_null(catalog_of_type(name));
    ck_assert_ptr_null(catalog_of_member(name));
    ck_assert_ptr_null(catalog_of_member(NO_SLICE));
}
END_TEST

/* What gangctl, the checks of marks and reconciliation rely on, whatever the scheduler. */
START_TEST(describes_enough)
{
    const struct descriptor *found = catalog[_i];
    size_t names = 0;

    ck_assert(slice_is_set(found->scheduler_name));
    ck_assert(slice_is_set(found->group));
    ck_assert(slice_is_set(found->resource));
    ck_assert(slice_is_set(found->member.path));
    ck_assert_int_eq(slice_is_set(found->api_version), found->api_versions == NULL);
    ck_assert_int_eq(slice_is_set(found->member.superseded),
                     found->member.superseded_schema != NULL);
    for (size_t i = 0; i < found->num_marks; i++) {
        names += found->marks[i].names_group;
        ck_assert_int_eq(slice_is_set(found->marks[i].member),
                         found->marks[i].place == MARK_POD_FIELD);
    }
    ck_assert_uint_gt(names, 0);
    ck_assert(found->marks[0].names_group);
    for (int i = 0; i < _i; i++) {
        ck_assert(!slice_equal(catalog[i]->name, found->name));
        ck_assert(!slice_equal(catalog[i]->type, found->type));
        ck_assert(!slice_is_set(found->grove.name) || !slice_is_set(catalog[i]->grove.name) ||
                  catalog[i]->grove.place != found->grove.place);
    }
}
END_TEST

START_TEST(knows_who_has_what)
{
    ck_assert_ptr_eq(catalog_of_timeouts(), &coscheduling_descriptor);
    ck_assert_ptr_eq(catalog_of_network_topologies(), &volcano_descriptor);
    ck_assert_ptr_eq(catalog_of_topologies(), &kai_descriptor);
}
END_TEST

void
add_tests(TCase *cases)
{
    add_rows(cases, describes_each_scheduler, schedulers, name, type);
    add_items(cases, knows_no_others, strangers);
    tcase_add_loop_test(cases, describes_enough, 0, CATALOG_COUNT);
    tcase_add_test(cases, knows_who_has_what);
}
