/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/trainer/runtime_patches.h"

#include "unit/suite.h"
#include "unit/tree.h"

static const struct {
    const char *list;
    enum patch_strategy strategy;
    const char *key;
} rules[] = {
    {"replicatedJobs", PATCH_MERGE_BY_KEY, "name"},
    {"hostAliases", PATCH_MERGE_BY_KEY, "ip"},
    {"topologySpreadConstraints", PATCH_MERGE_BY_KEY, "topologyKey"},
    {"ports", PATCH_MERGE_BY_KEY, "containerPort"},
    {"volumeMounts", PATCH_MERGE_BY_KEY, "mountPath"},
    {"volumeDevices", PATCH_MERGE_BY_KEY, "devicePath"},
    {"ownerReferences", PATCH_MERGE_BY_KEY, "uid"},
    {"finalizers", PATCH_MERGE_SCALARS, ""},
    {"tolerations", PATCH_REPLACE, NULL},
    {"containers2", PATCH_REPLACE, NULL},
    {"", PATCH_REPLACE, NULL},
};

START_TEST(knows_the_rule_of_a_list)
{
    struct patch_rule rule = patch_rule_of(slice_from_text(rules[_i].list));

    ck_assert_int_eq(rule.strategy, rules[_i].strategy);
    if (rules[_i].key)
        ck_slice_eq(rule.key, rules[_i].key);
}
END_TEST

static const struct {
    const char *parent;
    const char *member;
    bool omitted;
} members[] = {
    {"env", "{\"value\":\"\"}", true},
    {"env", "{\"value\":\"x\"}", false},
    {"labels", "{\"value\":\"\"}", false},
    {"env", "{\"valueFrom\":null}", true},
    {"env", "{\"valueFrom\":{}}", false},
    {"volumeMounts", "{\"readOnly\":false}", true},
    {"volumeMounts", "{\"readOnly\":true}", false},
    {"csi", "{\"readOnly\":false}", false},
    {"gcePersistentDisk", "{\"partition\":0}", true},
    {"gcePersistentDisk", "{\"partition\":1}", false},
    {"securityContext", "{\"runAsUser\":0}", false},
    {"spec", "{\"tolerations\":[]}", true},
    {"spec", "{\"tolerations\":[{}]}", false},
    {"projected", "{\"sources\":[]}", false},
};

START_TEST(knows_what_go_leaves_out)
{
    struct arena *arena = arena_new(0);
    const struct node *member = node_first(tree_of(arena, members[_i].member));

    ck_assert_int_eq(patch_omits(slice_from_text(members[_i].parent), member), members[_i].omitted);
    arena_free(arena);
}
END_TEST

void
add_tests(TCase *cases)
{
    add_rows(cases, knows_the_rule_of_a_list, rules, list, key);
    add_rows(cases, knows_what_go_leaves_out, members, parent, member);
}
