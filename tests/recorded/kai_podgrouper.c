/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/backend/kai/podgrouper/kai_prediction.h"

#include "libgang/backend/kai/kai.h"
#include "libgang/policy/cluster.h"
#include "recorded/recorded.h"
#include "unit/typed.h"

static struct recorded recorded;

/*
 * What the library intentionally does not predict:
 *
 * - defaults of priority and preemptibility in a ConfigMap of the podgrouper: libgang does not know
 * them;
 * - documents that set a mark of gang membership, which libgang refuses before;
 * - pods that no JobSet has made, or whose own metadata differ from pod to pod.
 */
static const char *const left_out[] = {"orphan", "podPer", "noPodLabels", "schedulerName"};

static bool
has_any(const struct node *map, const char *const *keys, int count)
{
    for (int i = 0; i < count; i++)
        if (node_member(map, slice_from_text(keys[i])))
            return true;
    return false;
}

/* A ConfigMap that decides: it names an owner of the pods, and no label has precedence over it. */
static bool
has_defaults(const struct node *source, struct slice version)
{
    static const char *const labelled[] = {"trainJob", "jobSet"};
    const struct node *first = node_item(node_member(source, SLICE("configMap")), 0);
    bool is_of_job = slice_equal(recorded_member(first, "typeName"), SLICE("Job"));

    return first && !has_any(source, labelled, ITEMS_OF(labelled)) &&
           (!is_of_job || slice_equal(version, SLICE("v0.12.23")));
}

/* Before v0.16 the PodGroup that is there in these cases has another name than the one that is
 * made. */
static bool
updates_a_group(const struct node *source, const struct release *release)
{
    return node_member(source, SLICE("existing")) && (release->major || release->minor >= 16);
}

static bool
sets_a_mark(const struct node *source)
{
    static const char *const places[] = {"trainJob", "jobSet", "job", "pod"};

    for (int i = 0; i < ITEMS_OF(places); i++) {
        const struct node *annotations =
            node_member(node_member(source, slice_from_text(places[i])), SLICE("annotations"));

        if (node_member(annotations, SLICE("pod-group-name")) ||
            slice_equal(recorded_member(annotations, "kai.scheduler/skip-podgrouper"),
                        SLICE("true")))
            return true;
    }
    return false;
}

static struct kai_minimum
number_at(const struct node *map, const char *key)
{
    struct kai_minimum number = {0};

    number.is_set = node_int(node_member(map, slice_from_text(key)), &number.value);
    return number;
}

static struct kai_metadata
metadata_at(const struct node *source, const char *key)
{
    const struct node *metadata = node_member(source, slice_from_text(key));

    return (struct kai_metadata){.labels = node_member(metadata, SLICE("labels")),
                                 .annotations = node_member(metadata, SLICE("annotations"))};
}

static const struct kai_job_role *
roles_of(const struct node *source, struct arena *arena)
{
    const struct node *list = node_member(source, SLICE("replicatedJobs"));
    struct kai_job_role *roles = arena_array(arena, node_count(list), sizeof(*roles));
    size_t count = 0;

    for (NODE_EACH(item, list)) {
        const struct node *spec = node_at(item, "template.spec");

        roles[count++] = (struct kai_job_role){
            .name = recorded_member(item, "name"),
            .replicas = number_at(item, "replicas"),
            .parallelism = number_at(spec, "parallelism"),
            .completions = number_at(spec, "completions"),
            .annotations = node_at(item, "template.metadata.annotations"),
            .pod = metadata_at(source, "pod"),
            .pod_priority_class = recorded_member(source, "podPriorityClass"),
        };
    }
    return roles;
}

static enum kai_order
order_of(const struct node *source)
{
    const struct node *order = node_member(source, SLICE("order"));

    return !order                                              ? KAI_ORDER_UNSET
           : slice_equal(node_string(order), SLICE("InOrder")) ? KAI_ORDER_IN_ORDER
                                                               : KAI_ORDER_ANY;
}

/* The classes of KAI's own installation replace those that the case does not name. */
static struct gang_cluster *
recorded_cluster(const struct node *source, const struct release *release, struct arena *arena)
{
    const struct node *named = node_member(source, SLICE("priorityClasses"));
    const char *list =
        named ? "" : "{\"name\":\"train\",\"value\":50},{\"name\":\"build\",\"value\":100}";
    struct gang_cluster *cluster = NULL;
    struct gang_error *error = NULL;
    const char *text;

    for (NODE_EACH(item, named))
        list = arena_format(arena, "%s%s{\"name\":\"%.*s\",\"value\":1}", list, *list ? "," : "",
                            SLICE_ARG(node_string(item)));
    text = arena_format(
        arena,
        "{\"apiVersion\":\"policy.libgang.dev/v1alpha1\",\"kind\":\"GangCluster\",\"metadata\":"
        "{\"name\":\"c\"},\"spec\":{\"priorityClasses\":[%s]}}",
        list);
    ck_assert_int_eq(parse_cluster(NULL, text, strlen(text), 0, &cluster, &error), GANG_OK);
    cluster->components[CATALOG_AT_kai] = *release;
    return cluster;
}

static struct kai_job
job_of(const struct node *source, const struct release *release, const struct gang_cluster *cluster,
       struct arena *arena)
{
    struct slice uid = recorded_member(source, "uid");

    return (struct kai_job){
        .release = *release,
        .name = SLICE("test-job"),
        .namespace_ = SLICE("default"),
        .jobset_uid = slice_is_set(uid) ? uid : SLICE("uid-js"),
        .trainjob_uid = SLICE("uid-tj"),
        .jobset = metadata_at(source, "jobSet"),
        .trainjob = metadata_at(source, node_member(source, SLICE("topOwner")) ? "" : "trainJob"),
        .order = order_of(source),
        .roles = roles_of(source, arena),
        .num_roles = node_count(node_member(source, SLICE("replicatedJobs"))),
        .cluster = cluster,
    };
}

/* Every PodGroup that was made is predicted, and none besides those that were there before. */
static void
check_groups(const struct kai_job *job, const struct kai_prediction *prediction,
             const struct node *out, size_t before, struct arena *arena)
{
    const struct node *groups = node_member(out, SLICE("podGroups"));

    ck_assert_uint_eq(prediction->count + before, node_count(groups));
    for (size_t i = 0; i < prediction->count; i++) {
        const struct node *manifest = kai_predicted_manifest(job, prediction, i, arena);
        const struct node *name = node_at(manifest, "metadata.name");
        const struct node *found = NULL;

        for (NODE_EACH(group, groups))
            if (node_equal(node_at(group, "metadata.name"), name))
                found = group;
        ck_assert_msg(found && node_equal(manifest, found), "%s\nis not\n%s",
                      job_print(arena, manifest), job_print(arena, groups));
    }
}

/* The pod is `<jobset>-<role>-<replica>-<index>-xyz`. */
static bool
is_pod_of(struct slice pod, const char *prefix)
{
    return slice_has_prefix(pod, slice_from_text(prefix)) &&
           !memchr(pod.data + strlen(prefix), '-', 1);
}

static void
check_pods(const struct kai_job *job, const struct kai_prediction *prediction,
           const struct node *out, struct arena *arena)
{
    for (NODE_EACH(pod, node_member(out, SLICE("pods")))) {
        bool found = false;

        for (size_t i = 0; i < job->num_roles; i++)
            for (int64_t replica = 0; replica < kai_grouping_replicas(&job->roles[i]); replica++) {
                const char *prefix =
                    arena_format(arena, "test-job-%.*s-%lld-", SLICE_ARG(job->roles[i].name),
                                 (long long)replica);
                struct slice subgroup =
                    kai_predicted_subgroup(prediction, job->roles[i].name, replica, arena);
                size_t group = prediction->shape == KAI_SHAPE_PER_ROLE ? i : 0;

                if (!is_pod_of(node_key(pod), prefix))
                    continue;
                found = true;
                ck_assert(slice_equal(recorded_member(pod, "subgroup"), subgroup));
                ck_assert(node_equal(node_member(pod, SLICE("group")),
                                     node_at(kai_predicted_manifest(job, prediction, group, arena),
                                             "metadata.name")));
            }
        ck_assert_msg(found, "no role for %.*s", SLICE_ARG(node_key(pod)));
    }
}

static void
check_failure(const struct kai_prediction *prediction, const struct node *out)
{
    const struct node *error = node_first(node_member(out, SLICE("errors")));

    ck_assert_msg(slice_equal(slice_from_text(prediction->failure), node_string(error)),
                  "%s is not %.*s", prediction->failure ? prediction->failure : "nothing",
                  SLICE_ARG(node_string(error)));
}

/* Cases `update/flat/...` were made by the podgrouper's default plugin, one pod for a group; all
 * else is the same. */
static const struct node *
flattened(const struct node *manifest, struct arena *arena)
{
    struct builder flat = build_map(arena);

    for (NODE_EACH(member, manifest)) {
        struct builder spec;

        if (!slice_equal(node_key(member), SLICE("spec"))) {
            build_node(&flat, node_key(member), member);
            continue;
        }
        spec = build_map_member(&flat, SLICE("spec"));
        build_int(&spec, SLICE("minMember"), 1);
        for (NODE_EACH(field, member))
            if (!slice_equal(node_key(field), SLICE("minSubGroup")) &&
                !slice_equal(node_key(field), SLICE("subGroups")))
                build_node(&spec, node_key(field), field);
    }
    return flat.node;
}

/* What a prediction becomes where the PodGroup is there already: the rules that PodGroups of our
 * own are kept up to date by. */
static void
check_update(const struct kai_job *job, const struct kai_prediction *prediction,
             const struct node *source, const struct node *out, struct arena *arena)
{
    const struct node *live = node_item(node_member(source, SLICE("existing")), 0);
    const struct node *expected = node_item(node_member(out, SLICE("podGroups")), 0);
    const struct gang_wishes wishes = {.is_grouped = false};
    const struct gang gang = {.wishes = &wishes};
    const struct backend_call backend = {.gang = &gang, .cluster = job->cluster};
    const struct update_call call = {
        .backend = &backend, .kind = SLICE("PodGroup"), .arena = arena};
    const struct node *made = kai_predicted_manifest(job, prediction, 0, arena);
    struct update_result update;

    if (slice_has_prefix(recorded_member(source, "id"), SLICE("update/flat/")))
        made = flattened(made, arena);
    update = update_apply(kai_updates.rules(&backend, call.kind), &call, made, live);
    ck_assert_uint_eq(prediction->count, 1);
    ck_assert_uint_eq(node_count(node_member(out, SLICE("podGroups"))), 1);
    ck_assert(update.is_changed);
    ck_assert_msg(node_equal(update.manifest, expected), "%s\nis not\n%s",
                  job_print(arena, update.manifest), job_print(arena, expected));
}

static void
check_version(const struct node *source, const struct node *out, const struct node *version)
{
    struct arena *arena = arena_new(0);
    struct release release = recorded_release(version);
    struct gang_cluster *cluster = recorded_cluster(source, &release, arena);
    struct kai_job job = job_of(source, &release, cluster, arena);
    struct kai_grouping grouping = kai_grouping_of(&job, arena);
    struct kai_prediction prediction = kai_predict(&job, &grouping, arena);

    check_failure(&prediction, out);
    if (updates_a_group(source, &release))
        check_update(&job, &prediction, source, out, arena);
    else
        check_groups(&job, &prediction, out, node_count(node_member(source, SLICE("existing"))),
                     arena);
    if (!prediction.failure && !updates_a_group(source, &release))
        check_pods(&job, &prediction, out, arena);
    unref_cluster(cluster);
    arena_free(arena);
}

/* A JobSet without a TrainJob: the same from v0.13 on. */
static bool
is_left_out(const struct node *source, const struct node *version)
{
    struct slice text = node_string(version);

    return has_any(source, left_out, ITEMS_OF(left_out)) || sets_a_mark(source) ||
           has_defaults(source, text) ||
           (node_member(source, SLICE("topOwner")) && slice_equal(text, SLICE("v0.12.23")));
}

/* How many of the case's answers are, and how many were looked at. */
static int
check_case(const struct node *source, int *compared)
{
    int skipped = 0;

    for (NODE_EACH(out, node_member(source, SLICE("out"))))
        for (NODE_EACH(version, node_member(out, SLICE("versions"))))
            if (is_left_out(source, version)) {
                skipped++;
            } else {
                check_version(source, out, version);
                (*compared)++;
            }
    return skipped;
}

START_TEST(predicts_what_the_podgrouper_made)
{
    int compared = 0;

    check_case(recorded.cases[_i], &compared);
}
END_TEST

/* So that what is left out cannot grow unseen: cases without any answer, and answers in all. */
START_TEST(leaves_out_few)
{
    int cases = 0;
    int answers = 0;
    int all = 0;

    for (int i = 0; i < recorded.count; i++) {
        int compared = 0;

        answers += check_case(recorded.cases[i], &compared);
        cases += compared == 0;
        all += compared;
    }
    ck_assert_int_eq(recorded.count, 304);
    ck_assert_int_eq(cases, 10);
    ck_assert_int_eq(answers, 73);
    ck_assert_int_eq(all, 304 * 7 - 73);
}
END_TEST

void
add_tests(TCase *cases)
{
    recorded = recorded_load(RECORDED "/kai/podgrouper.ndjson");
    tcase_add_loop_test(cases, predicts_what_the_podgrouper_made, 0, recorded.count);
    tcase_add_test(cases, leaves_out_few);
}
