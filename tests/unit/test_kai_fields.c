/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/backend/kai/kai_pod_group.h"

#include "unit/suite.h"

/* In the order of enum kai_feature: minSubGroup, external groups, delays, root of 0, finished pods
 * forgotten. */
static const struct {
    const char *release;
    const char *has;
} features[] = {
    {"v0.12.23", "-----"}, {"v0.14.7", "-----"}, {"v0.15.0", "++---"}, {"v0.15.3", "++---"},
    {"v0.16.0", "++---"},  {"v0.16.1", "++---"}, {"v0.16.2", "++--+"}, {"v0.16.8", "++--+"},
    {"v0.16.9", "++-++"},  {"v0.17.0", "+++-+"}, {"v0.17.1", "++++-"}, {"v0.18.0", "++++-"},
    {"v1.0.0", "++++-"},
};

START_TEST(knows_what_each_release_has)
{
    struct release release;

    ck_assert(release_parse(slice_from_text(features[_i].release), &release));
    for (int feature = KAI_MIN_SUB_GROUP; feature <= KAI_FORGETS_FINISHED; feature++)
        ck_assert_msg(kai_has((enum kai_feature)feature, &release) ==
                          (features[_i].has[feature] == '+'),
                      "feature %d in %s", feature, features[_i].release);
}
END_TEST

START_TEST(spells_a_release)
{
    struct arena *arena = arena_new(0);

    ck_assert_str_eq(kai_release_text(&kai_newest_release, arena), "v0.17.0");
    arena_free(arena);
}
END_TEST

void
add_tests(TCase *cases)
{
    add_rows(cases, knows_what_each_release_has, features, release);
    tcase_add_test(cases, spells_a_release);
}
