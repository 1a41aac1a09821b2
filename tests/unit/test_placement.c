/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/grove/podgang.h"

#include "unit/suite.h"
#include "unit/tree.h"

/* ai-dynamo/grove:operator/internal/scheduler/kai/backend.go: a constraint without packConstraint
 * is none. */
static const struct {
    const char *parent;
    bool is_set;
    const char *required;
    const char *preferred;
} placements[] = {
    {"{}", false, NULL, NULL},
    {"{\"topologyConstraint\":null}", false, NULL, NULL},
    {"{\"topologyConstraint\":{}}", false, NULL, NULL},
    {"{\"topologyConstraint\":{\"packConstraint\":null}}", false, NULL, NULL},
    {"{\"topologyConstraint\":{\"packConstraint\":{}}}", true, NULL, NULL},
    {"{\"topologyConstraint\":{\"packConstraint\":{\"required\":\"zone\"}}}", true, "zone", NULL},
    {"{\"topologyConstraint\":{\"packConstraint\":{\"preferred\":\"rack\"}}}", true, NULL, "rack"},
    {"{\"topologyConstraint\":{\"packConstraint\":{\"required\":\"\",\"preferred\":\"rack\"}}}",
     true, NULL, "rack"},
    {"{\"topologyConstraint\":{\"packConstraint\":{\"required\":\"zone\",\"preferred\":\"rack\"}}}",
     true, "zone", "rack"},
};

static void
check_level(struct slice level, const char *expected)
{
    ck_assert_int_eq(slice_is_set(level), expected != NULL);
    if (expected)
        ck_slice_eq(level, expected);
}

START_TEST(pack_constraint_is_the_placement)
{
    struct arena *arena = arena_new(0);
    struct grove_placement read = grove_placement_read(tree_of(arena, placements[_i].parent));
    struct gang_placement placement = grove_placement_in(&read, SLICE("topo"));

    ck_assert_int_eq(placement.is_set, placements[_i].is_set);
    check_level(placement.required, placements[_i].required);
    check_level(placement.preferred, placements[_i].preferred);
    check_level(placement.topology, placements[_i].is_set ? "topo" : NULL);
    arena_free(arena);
}
END_TEST

void
add_tests(TCase *cases)
{
    add_rows(cases, pack_constraint_is_the_placement, placements, parent);
}
