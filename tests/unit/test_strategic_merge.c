/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/trainer/trainer.h"

#include <stdio.h>

#include "unit/suite.h"
#include "unit/tree.h"

/* Items of a merged list, in the order of the result; the wanted texts are those of `key`, or of
 * the items. */
static void
check_order(const struct node *list, const char *key, const char *wanted)
{
    char actual[512] = "";

    for (NODE_EACH(item, list)) {
        struct slice text = node_text(*key ? node_member(item, slice_from_text(key)) : item);
        size_t len = strlen(actual);

        snprintf(actual + len, sizeof(actual) - len, "%s%.*s", len ? " " : "", SLICE_ARG(text));
    }
    ck_assert_str_eq(actual, wanted);
}

static struct slice
join(struct arena *arena, const char *list, const char *items)
{
    char *text = arena_alloc(arena, strlen(list) + strlen(items) + 16);

    return (struct slice){text, (size_t)sprintf(text, "{\"%s\":%s}", list, items)};
}

static const struct node *
merge_texts(struct arena *arena, const char *original, const char *patch)
{
    const struct node *merged =
        strategic_merge(arena, tree_of(arena, original), tree_of(arena, patch), patch_omits);

    ck_assert_ptr_nonnull(merged);
    return merged;
}

/* Each list that is merged by a key: one item of each side changed, kept and added. */
static const struct {
    const char *list;
    const char *key;
} keyed_lists[] = {
    {"replicatedJobs", "name"},
    {"dependsOn", "name"},
    {"containers", "name"},
    {"initContainers", "name"},
    {"ephemeralContainers", "name"},
    {"imagePullSecrets", "name"},
    {"schedulingGates", "name"},
    {"volumes", "name"},
    {"resourceClaims", "name"},
    {"hostAliases", "ip"},
    {"topologySpreadConstraints", "topologyKey"},
    {"env", "name"},
    {"ports", "containerPort"},
    {"volumeMounts", "mountPath"},
    {"volumeDevices", "devicePath"},
    {"ownerReferences", "uid"},
};

START_TEST(merges_by_key)
{
    struct arena *arena = arena_new(0);
    const char *list = keyed_lists[_i].list;
    const char *key = keyed_lists[_i].key;
    char original[256];
    char patch[256];
    const struct node *merged;
    const struct node *second;

    snprintf(original, sizeof(original), "[{\"%s\":\"A\",\"x\":1},{\"%s\":\"B\",\"x\":1}]", key,
             key);
    snprintf(patch, sizeof(patch), "[{\"%s\":\"A\",\"y\":2},{\"%s\":\"C\",\"y\":2}]", key, key);
    merged = merge_texts(arena, join(arena, list, original).data, join(arena, list, patch).data);
    merged = node_member(merged, slice_from_text(list));
    check_order(merged, key, "A C B");
    ck_assert_uint_eq(merged->len, 3);
    second = node_first(merged);
    ck_slice_eq(node_text(node_at(second, "x")), "1");
    ck_slice_eq(node_text(node_at(second, "y")), "2");
    ck_assert_ptr_null(node_at(second->next, "x"));
    ck_assert_ptr_null(node_at(second->next->next, "y"));
    arena_free(arena);
}
END_TEST

static const char *const replaced_lists[] = {
    "tolerations",
    "command",
    "args",
    "nodeSelectorTerms",
    "envFrom",
    "matchExpressions",
    "sources",
    "items",
    "preferredDuringSchedulingIgnoredDuringExecution",
    "requiredDuringSchedulingIgnoredDuringExecution",
    "rules",
    "volumeClaimPolicies",
    "resizePolicy",
    "readinessGates",
    "supplementalGroups",
    "claims",
    "targetReplicatedJobs",
    "containers2",
    "",
};

START_TEST(replaces_whole)
{
    struct arena *arena = arena_new(0);
    const char *list = replaced_lists[_i];
    struct slice original = join(arena, list, "[{\"name\":\"a\"},{\"name\":\"b\"}]");
    const struct node *merged =
        merge_texts(arena, original.data, join(arena, list, "[{\"name\":\"c\"}]").data);

    check_order(node_member(merged, slice_from_text(list)), "name", "c");
    arena_free(arena);
}
END_TEST

#define E(name) "{\"name\":\"" name "\"}"

/* The order of a list that is merged by name. */
static const struct {
    const char *original;
    const char *patch;
    const char *order;
} orders[] = {
    {"[" E("a") "," E("b") "," E("c") "]", "[" E("c") "," E("a") "]", "b c a"},
    {"[" E("a") "," E("b") "]", "[" E("x") "]", "x a b"},
    {"[" E("A") "," E("B") "]", "[" E("A") "," E("C") "]", "A C B"},
    {"[" E("a") "," E("b") "," E("c") "]", "[" E("b") "]", "a b c"},
    {"[" E("a") "," E("b") "," E("c") "]", "[" E("c") "," E("x") "]", "a b c x"},
    {"[" E("a") "," E("b") "," E("c") "]", "[" E("x") "," E("c") "]", "x a b c"},
    {"[" E("a") "," E("b") "," E("c") "]", "[" E("a") "," E("b") "," E("c") "]", "a b c"},
    {"[" E("a") "," E("b") "," E("c") "]", "[" E("c") "," E("b") "," E("a") "]", "c b a"},
    {"[" E("a") "]", "[]", "a"},
    {"[]", "[" E("b") "," E("a") "," E("b") "]", "b a b"},
    /* Equal keys: the original's are kept and the first is merged; the patch's become one. */
    {"[" E("a") "," E("b") "," E("a") "]", "[" E("x") "]", "x a a b"},
    {"[" E("a") "," E("b") "," E("a") "]", "[" E("a") "]", "a a b"},
    {"[" E("a") "]", "[" E("x") "," E("x") "]", "x a"},
};

START_TEST(keeps_the_order_of_the_patch)
{
    struct arena *arena = arena_new(0);
    struct slice original = join(arena, "initContainers", orders[_i].original);
    const struct node *merged =
        merge_texts(arena, original.data, join(arena, "initContainers", orders[_i].patch).data);

    check_order(node_at(merged, "initContainers"), "name", orders[_i].order);
    arena_free(arena);
}
END_TEST

START_TEST(merges_sets_of_scalars)
{
    struct arena *arena = arena_new(0);
    const struct node *merged = merge_texts(arena, "{\"finalizers\":[\"a\",\"b\",\"a\"]}",
                                            "{\"finalizers\":[\"c\",\"a\",\"c\"]}");

    check_order(node_at(merged, "finalizers"), "", "c a b");
    arena_free(arena);
}
END_TEST

/* What is left of a value after a merge; `path` leads to it, NULL text means absent. */
static const struct {
    const char *original;
    const char *patch;
    const char *path;
    const char *text;
} values[] = {
    {"{\"labels\":{\"a\":\"1\",\"b\":\"2\"}}", "{\"labels\":{\"b\":\"3\",\"c\":\"4\"}}", "labels.a",
     "1"},
    {"{\"labels\":{\"a\":\"1\",\"b\":\"2\"}}", "{\"labels\":{\"b\":\"3\",\"c\":\"4\"}}", "labels.b",
     "3"},
    {"{\"labels\":{\"a\":\"1\",\"b\":\"2\"}}", "{\"labels\":{\"b\":\"3\",\"c\":\"4\"}}", "labels.c",
     "4"},
    {"{\"labels\":{\"a\":\"1\"}}", "{\"labels\":{\"a\":\"\"}}", "labels.a", ""},
    {"{\"affinity\":{\"x\":{\"y\":\"1\"}}}", "{\"affinity\":{\"x\":{\"z\":\"2\"}}}", "affinity.x.y",
     "1"},
    {"{\"affinity\":{\"x\":{\"y\":\"1\"}}}", "{\"affinity\":{\"x\":{\"z\":\"2\"}}}", "affinity.x.z",
     "2"},
    {"{\"securityContext\":{\"runAsUser\":1}}", "{\"securityContext\":{\"runAsUser\":0}}",
     "securityContext.runAsUser", "0"},
    {"{\"securityContext\":{\"privileged\":true}}", "{\"securityContext\":{\"privileged\":false}}",
     "securityContext.privileged", "false"},
    /* null and absent never delete */
    {"{\"serviceAccountName\":\"a\"}", "{\"serviceAccountName\":null}", "serviceAccountName", "a"},
    {"{\"serviceAccountName\":\"a\"}", "{}", "serviceAccountName", "a"},
    {"{\"serviceAccountName\":\"a\"}", "{\"hostname\":\"b\",\"serviceAccountName\":null}",
     "serviceAccountName", "a"},
    {"{\"securityContext\":{\"runAsUser\":1}}", "{\"securityContext\":null}",
     "securityContext.runAsUser", "1"},
    {"{\"securityContext\":{\"runAsUser\":1}}", "{\"securityContext\":{}}",
     "securityContext.runAsUser", "1"},
    {"{}", "{\"securityContext\":{\"runAsUser\":1}}", "securityContext.runAsUser", "1"},
    {"{\"securityContext\":null}", "{\"securityContext\":{\"runAsUser\":1}}",
     "securityContext.runAsUser", "1"},
    /* a pointer keeps its zero, other fields leave it out */
    {"{\"serviceAccountName\":\"a\"}", "{\"serviceAccountName\":\"\"}", "serviceAccountName", ""},
    {"{\"seLinuxOptions\":{\"level\":\"a\"}}", "{\"seLinuxOptions\":{\"level\":\"\"}}",
     "seLinuxOptions.level", "a"},
    {"{\"emptyDir\":{\"medium\":\"Memory\"}}", "{\"emptyDir\":{\"medium\":\"\"}}",
     "emptyDir.medium", "Memory"},
    {"{\"emptyDir\":{\"medium\":\"Memory\"}}",
     "{\"emptyDir\":{\"sizeLimit\":\"1Gi\",\"medium\":\"\"}}", "emptyDir.medium", "Memory"},
    {"{\"nfs\":{\"readOnly\":true}}", "{\"nfs\":{\"readOnly\":false}}", "nfs.readOnly", "true"},
    {"{\"csi\":{\"readOnly\":true}}", "{\"csi\":{\"readOnly\":false}}", "csi.readOnly", "false"},
    {"{\"hostPath\":{\"path\":\"/a\"}}", "{\"hostPath\":{\"path\":\"\"}}", "hostPath.path", ""},
    {"{\"metadata\":{\"name\":\"a\"}}", "{\"metadata\":{\"name\":\"\"}}", "metadata.name", "a"},
    /* a value of another kind is kept */
    {"{\"x\":{\"y\":\"1\"}}", "{\"x\":\"2\"}", "x", "2"},
};

START_TEST(merges_maps_by_key)
{
    struct arena *arena = arena_new(0);
    const struct node *merged = merge_texts(arena, values[_i].original, values[_i].patch);

    ck_slice_eq(node_text(node_at(merged, values[_i].path)), values[_i].text);
    arena_free(arena);
}
END_TEST

/*
 * A patch that is merged as it is written: null deletes, and zeros replace. Source: mergeMap of
 * k8s.io/apimachinery/pkg/util/strategicpatch/patch.go, with IgnoreUnmatchedNulls.
 */
static const struct {
    const char *original;
    const char *patch;
    const char *path;
    const char *text; /* NULL: absent */
} written_values[] = {
    {"{\"nodeName\":\"a\"}", "{\"nodeName\":null}", "nodeName", NULL},
    {"{\"labels\":{\"a\":\"1\"}}", "{\"labels\":null}", "labels.a", NULL},
    {"{\"labels\":{\"a\":\"1\",\"b\":\"2\"}}", "{\"labels\":{\"a\":null}}", "labels.a", NULL},
    {"{\"labels\":{\"a\":\"1\",\"b\":\"2\"}}", "{\"labels\":{\"a\":null}}", "labels.b", "2"},
    {"{}", "{\"labels\":{\"a\":null,\"b\":\"2\"}}", "labels.a", NULL},
    {"{}", "{\"labels\":{\"a\":null,\"b\":\"2\"}}", "labels.b", "2"},
    {"{\"nodeName\":\"a\"}", "{}", "nodeName", "a"},
    {"{\"emptyDir\":{\"medium\":\"Memory\"}}", "{\"emptyDir\":{\"medium\":\"\"}}",
     "emptyDir.medium", ""},
    {"{\"nfs\":{\"readOnly\":true}}", "{\"nfs\":{\"readOnly\":false}}", "nfs.readOnly", "false"},
};

START_TEST(merges_a_patch_as_written)
{
    struct arena *arena = arena_new(0);
    const struct node *merged = strategic_merge(arena, tree_of(arena, written_values[_i].original),
                                                tree_of(arena, written_values[_i].patch), NULL);
    const struct node *value = node_at(merged, written_values[_i].path);

    ck_assert_ptr_nonnull(merged);
    if (written_values[_i].text)
        ck_slice_eq(node_text(value), written_values[_i].text);
    else
        ck_assert(node_is_absent(value));
    arena_free(arena);
}
END_TEST

/* An empty list has no meaning, except those that Go always writes. */
static const struct {
    const char *list;
    size_t count;
} empty_lists[] = {{"tolerations", 1},
                   {"containers", 1},
                   {"nodeSelectorTerms", 0},
                   {"sources", 0},
                   {"monitors", 0}};

START_TEST(leaves_out_empty_lists)
{
    struct arena *arena = arena_new(0);
    struct slice original = join(arena, empty_lists[_i].list, "[{\"name\":\"a\"}]");
    const struct node *merged =
        merge_texts(arena, original.data, join(arena, empty_lists[_i].list, "[]").data);

    ck_assert_uint_eq(node_count(node_member(merged, slice_from_text(empty_lists[_i].list))),
                      empty_lists[_i].count);
    arena_free(arena);
}
END_TEST

START_TEST(keeps_both_volume_sources)
{
    struct arena *arena = arena_new(0);
    const struct node *merged =
        merge_texts(arena, "{\"volumes\":[{\"name\":\"v\",\"emptyDir\":{}}]}",
                    "{\"volumes\":[{\"name\":\"v\",\"hostPath\":{\"path\":\"/\"}}]}");
    const struct node *volume = node_item(node_at(merged, "volumes"), 0);

    ck_assert_ptr_nonnull(node_at(volume, "emptyDir"));
    ck_assert_ptr_nonnull(node_at(volume, "hostPath"));
    arena_free(arena);
}
END_TEST

START_TEST(merges_a_later_equal_key_into_the_first)
{
    struct arena *arena = arena_new(0);
    const struct node *merged =
        merge_texts(arena, "{\"env\":[{\"name\":\"O\"}]}",
                    "{\"env\":[{\"name\":\"A\",\"x\":\"1\"},{\"name\":\"A\",\"y\":\"2\"}]}");
    const struct node *first = node_item(node_at(merged, "env"), 0);

    ck_slice_eq(node_text(node_at(first, "x")), "1");
    ck_slice_eq(node_text(node_at(first, "y")), "2");
    arena_free(arena);
}
END_TEST

START_TEST(shares_unpatched_values)
{
    struct arena *arena = arena_new(0);
    const struct node *original =
        tree_of(arena, "{\"replicatedJobs\":[{\"name\":\"a\",\"template\":{}},{\"name\":\"b\","
                       "\"template\":{\"spec\":{}}}],"
                       "\"network\":{\"subdomain\":\"s\"}}");
    const struct node *jobs = node_at(original, "replicatedJobs");
    const struct node *patch = tree_of(arena, "{\"replicatedJobs\":[{\"name\":\"b\",\"template\":{"
                                              "\"metadata\":{\"labels\":{\"x\":\"y\"}}}}]}");
    const struct node *merged = strategic_merge(arena, original, patch, patch_omits);
    const struct node *merged_jobs = node_at(merged, "replicatedJobs");
    const struct node *touched = node_item(merged_jobs, 1);

    ck_assert_ptr_eq(node_item(merged_jobs, 0)->as.first, node_item(jobs, 0)->as.first);
    ck_assert_ptr_eq(node_at(merged, "network")->as.first, node_at(original, "network")->as.first);
    ck_assert_ptr_ne(touched->as.first, node_item(jobs, 1)->as.first);
    ck_assert_ptr_eq(node_at(touched, "template.spec")->parent,
                     node_at(node_item(jobs, 1), "template"));
    ck_assert_ptr_eq(node_at(touched, "template.metadata")->parent,
                     node_at(node_item(node_at(patch, "replicatedJobs"), 0), "template"));
    ck_assert_uint_eq(touched->index, 1);
    ck_assert_ptr_eq(touched->parent, jobs);
    ck_assert_ptr_null(node_at(node_item(jobs, 1), "template.metadata"));
    arena_free(arena);
}
END_TEST

START_TEST(absent_side_gives_the_other)
{
    struct arena *arena = arena_new(0);
    const struct node *tree = tree_of(arena, "{\"a\":1}");

    ck_assert_ptr_eq(strategic_merge(arena, tree, NULL, NULL), tree);
    ck_assert_ptr_eq(strategic_merge(arena, NULL, tree, NULL), tree);
    arena_free(arena);
}
END_TEST

static struct slice
many_items(struct arena *arena, size_t count, size_t step)
{
    char *text = arena_alloc(arena, count * 24 + 32);
    size_t len = (size_t)sprintf(text, "{\"volumes\":[");

    for (size_t i = 0; i < count; i++)
        len +=
            (size_t)sprintf(text + len, "%s{\"name\":\"v%05zu\"}", i ? "," : "", i * step % count);
    len += (size_t)sprintf(text + len, "]}");
    return (struct slice){text, len};
}

/* The keys of up to 16 items, those of both lists, are compared one by one, and of more sorted. */
static const size_t list_lengths[] = {8, 9, 10000};

START_TEST(merges_lists_of_all_lengths)
{
    const size_t count = list_lengths[_i];
    struct arena *arena = arena_new(0);
    const struct node *merged = merge_texts(arena, many_items(arena, count, 1).data,
                                            many_items(arena, count, count - 1).data);
    const struct node *volumes = node_at(merged, "volumes");
    size_t place = 0;

    ck_assert_uint_eq(volumes->len, count);
    for (NODE_EACH(volume, volumes)) { /* in the order of the patch */
        char name[16];

        snprintf(name, sizeof(name), "v%05zu", place++ * (count - 1) % count);
        ck_slice_eq(node_text(node_at(volume, "name")), name);
    }
    arena_free(arena);
}
END_TEST

/* Every limit at which the arena may fail gives NULL, none a half-merged tree. */
START_TEST(fails_cleanly_without_memory)
{
    struct arena *source = arena_new(0);
    const struct node *original = tree_of(
        source, "{\"env\":[{\"name\":\"a\",\"x\":1},{\"name\":\"b\"}],\"labels\":{\"a\":\"1\"}}");
    const struct node *patch = tree_of(
        source, "{\"env\":[{\"name\":\"c\"},{\"name\":\"a\",\"y\":1}],\"labels\":{\"b\":\"1\"}}");
    size_t failures = 0;
    bool done = false;

    for (size_t limit = 64; !done; limit += 64) {
        struct arena *arena = arena_new(limit);
        const struct node *merged =
            arena ? strategic_merge(arena, original, patch, patch_omits) : NULL;

        done = merged != NULL;
        failures += !done;
        if (done)
            check_order(node_at(merged, "env"), "name", "c a b");
        arena_free(arena);
    }
    ck_assert_uint_gt(failures, 0);
    arena_free(source);
}
END_TEST

void
add_tests(TCase *cases)
{
    add_rows(cases, merges_by_key, keyed_lists, list, key);
    add_items(cases, replaces_whole, replaced_lists);
    add_rows(cases, keeps_the_order_of_the_patch, orders, original, patch);
    tcase_add_test(cases, merges_sets_of_scalars);
    add_rows(cases, merges_maps_by_key, values, original, patch, text);
    add_rows(cases, merges_a_patch_as_written, written_values, original, patch, path);
    add_rows(cases, leaves_out_empty_lists, empty_lists, list);
    tcase_add_test(cases, keeps_both_volume_sources);
    tcase_add_test(cases, merges_a_later_equal_key_into_the_first);
    tcase_add_test(cases, shares_unpatched_values);
    tcase_add_test(cases, absent_side_gives_the_other);
    tcase_add_loop_test(cases, merges_lists_of_all_lengths, 0, COUNT_OF(list_lengths));
    tcase_add_test(cases, fails_cleanly_without_memory);
}
