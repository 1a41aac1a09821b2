/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/plan/plan.h"

#include "unit/job.h"

static struct plan_content
make_content(struct job *job)
{
    struct plan_content content;

    ck_assert(plan_content_init(&content, job->arena, &job->gang));
    return content;
}

START_TEST(holds_one_empty_patch_per_role)
{
    struct job job = job_make("a b c");
    struct plan_content content = make_content(&job);

    ck_assert_uint_eq(content.num_patches, 3);
    ck_slice_eq(content.patches[2].role, "c");
    for (size_t i = 0; i < 3; i++)
        ck_assert(plan_patch_is_empty(&content.patches[i]));
    job_free(&job);
}
END_TEST

/* Both lists grow at the same time, so that one that outgrew its memory would show in the other. */
START_TEST(keeps_objects_in_order)
{
    struct job job = job_make("a");
    struct plan_content content = make_content(&job);
    struct node manifests[100] = {0};
    struct plan_losses losses = {0};

    for (int i = 0; i < 100; i++) {
        plan_add_object(&content, &manifests[i]);
        plan_add_loss(&losses, (struct plan_loss){SLICE("queue"), SLICE("q"), "why"}, job.arena);
    }
    ck_assert_uint_eq(content.num_objects, 100);
    for (int i = 0; i < 100; i++) {
        ck_assert_ptr_eq(content.objects[i].manifest, &manifests[i]);
        ck_assert_int_eq(content.objects[i].action, GANG_ACTION_CREATE);
        ck_slice_eq(losses.items[i].field, "queue");
        ck_slice_eq(losses.items[i].value, "q");
    }
    job_free(&job);
}
END_TEST

START_TEST(keeps_losses_in_order)
{
    struct job job = job_make("a");
    struct plan_losses losses = {0};

    for (int i = 0; i < 33; i++)
        plan_add_loss(&losses,
                      (struct plan_loss){SLICE("queue"),
                                         slice_from_text(arena_format(job.arena, "%d", i)), "why"},
                      job.arena);
    ck_assert_uint_eq(losses.count, 33);
    ck_slice_eq(losses.items[0].value, "0");
    ck_slice_eq(losses.items[32].value, "32");
    ck_slice_eq(losses.items[32].field, "queue");
    ck_assert_str_eq(losses.items[32].reason, "why");
    job_free(&job);
}
END_TEST

/* Added in this order, printed sorted by byte. */
START_TEST(sorts_pairs_by_key)
{
    struct gang_patch patch = {0};
    void (*put)(struct gang_patch *, struct slice, struct slice) =
        _i ? plan_patch_label : plan_patch_annotation;
    const struct plan_pair *pairs = _i ? patch.labels : patch.annotations;

    put(&patch, SLICE("b"), SLICE("2"));
    put(&patch, SLICE("Z"), SLICE("0"));
    put(&patch, SLICE("ba"), SLICE("3"));
    put(&patch, SLICE("a"), SLICE("1"));
    ck_assert_uint_eq(patch.num_labels, _i ? 4 : 0);
    ck_assert_uint_eq(patch.num_annotations, _i ? 0 : 4);
    ck_slice_eq(pairs[0].key, "Z");
    ck_slice_eq(pairs[1].key, "a");
    ck_slice_eq(pairs[2].key, "b");
    ck_slice_eq(pairs[3].key, "ba");
    ck_slice_eq(pairs[3].value, "3");
}
END_TEST

START_TEST(keys_are_unique)
{
    struct gang_patch patch = {0};

    plan_patch_label(&patch, SLICE("a"), SLICE("1"));
    plan_patch_label(&patch, SLICE("b"), SLICE("2"));
    plan_patch_label(&patch, SLICE("a"), SLICE("3"));
    ck_assert_uint_eq(patch.num_labels, 2);
    ck_slice_eq(patch.labels[0].value, "3");
}
END_TEST

START_TEST(full_patch_takes_no_other_key)
{
    static const char keys[] = "abcdefghi";
    struct gang_patch patch = {0};

    for (int i = 0; i < PATCH_MOST_PAIRS; i++)
        plan_patch_label(&patch, (struct slice){&keys[i], 1}, SLICE(""));
    plan_patch_label(&patch, SLICE("i"), SLICE(""));
    plan_patch_label(&patch, SLICE("a"), SLICE("new"));
    ck_assert_uint_eq(patch.num_labels, PATCH_MOST_PAIRS);
    ck_slice_eq(patch.labels[0].value, "new");
    ck_slice_eq(patch.labels[PATCH_MOST_PAIRS - 1].key, "h");
}
END_TEST

START_TEST(any_change_makes_a_patch)
{
    struct gang_patch patches[6] = {0};

    plan_patch_label(&patches[0], SLICE("a"), SLICE(""));
    plan_patch_annotation(&patches[1], SLICE("a"), SLICE(""));
    patches[2].scheduler_name = SLICE("volcano");
    patches[3].priority_class_name = SLICE("high");
    patches[4].scheduling_group = SLICE("llama-trainer-5db777ff55");
    patches[5].workload_ref = (struct plan_workload_ref){SLICE("llama"), SLICE("trainer")};
    ck_assert_int_eq(plan_patch_has_spec(&patches[_i]), _i > 1);
    ck_assert_int_eq(plan_patch_has_marks(&patches[_i]), _i <= 1);
    ck_assert(!plan_patch_is_empty(&patches[_i]));
}
END_TEST

/* Which of the roles a, b and c have a patch, and whether the job object has one. */
static const struct {
    const char *roles;
    bool of_job;
} patched[] = {{"", false},  {"", true},   {"a", false},  {"b", false},  {"c", true},
               {"ab", true}, {"ac", true}, {"bc", false}, {"abc", true}, {"abc", false}};

START_TEST(finds_the_patch_of_each_role)
{
    struct job job = job_make("a b c");
    struct plan_content content = make_content(&job);
    size_t next = 0;

    for (const char *role = patched[_i].roles; *role; role++)
        plan_patch_label(&content.patches[*role - 'a'], SLICE("k"), (struct slice){role, 1});
    if (patched[_i].of_job)
        plan_patch_label(content.job_patch, SLICE("k"), SLICE("v"));
    plan_content_settle(&content);
    for (size_t i = 0; i < job.gang.num_roles; i++) {
        struct slice role = job.gang.roles[i].name;
        const struct gang_patch *patch = plan_next_patch(&content, role, &next);

        ck_assert_int_eq(patch != NULL, strchr(patched[_i].roles, role.data[0]) != NULL);
        if (patch)
            ck_assert(slice_equal(patch->role, role));
    }
    ck_assert_uint_eq(next, content.num_shown);
    job_free(&job);
}
END_TEST

START_TEST(survives_a_failed_arena)
{
    struct job job = job_make("a");
    struct plan_content content = {.arena = arena_new(1)};
    struct plan_losses losses = {0};

    plan_add_object(&content, NULL);
    plan_add_loss(&losses, (struct plan_loss){SLICE("queue"), SLICE("q"), "why"}, content.arena);
    ck_assert(!plan_content_init(&content, content.arena, &job.gang));
    ck_assert_uint_eq(content.num_objects, 0);
    ck_assert_uint_eq(losses.count, 0);
    ck_assert(arena_failed(content.arena));
    arena_free(content.arena);
    job_free(&job);
}
END_TEST

START_TEST(answers_of_an_object)
{
    struct job job = job_make("a");
    struct plan_content content = make_content(&job);
    struct builder manifest = build_map(job.arena);
    struct builder metadata;

    build_string(&manifest, SLICE("apiVersion"), SLICE("g/v1"));
    build_string(&manifest, SLICE("kind"), SLICE("K"));
    metadata = build_map_member(&manifest, SLICE("metadata"));
    build_string(&metadata, SLICE("name"), SLICE("n"));
    plan_add_object(&content, manifest.node);
    ck_assert_int_eq(gang_object_get_action(content.objects), GANG_ACTION_CREATE);
    ck_assert_str_eq(gang_object_get_api_version(content.objects), "g/v1");
    ck_assert_str_eq(gang_object_get_kind(content.objects), "K");
    ck_assert_ptr_null(gang_object_get_namespace(content.objects));
    ck_assert_str_eq(gang_object_get_name(content.objects), "n");
    build_string(&metadata, SLICE("namespace"), SLICE("s"));
    ck_assert_str_eq(gang_object_get_namespace(content.objects), "s");
    ck_assert_int_eq(gang_object_get_action(NULL), GANG_ACTION_NONE);
    ck_assert_ptr_null(gang_object_get_api_version(NULL));
    ck_assert_ptr_null(gang_object_get_kind(NULL));
    ck_assert_ptr_null(gang_object_get_namespace(NULL));
    ck_assert_ptr_null(gang_object_get_name(NULL));
    job_free(&job);
}
END_TEST

static const struct gang_patch full_patch = {
    .target = SLICE_INIT("Role"),
    .role = SLICE_INIT("r"),
    .num_labels = 2,
    .num_annotations = 1,
    .scheduler_name = SLICE_INIT("s"),
    .priority_class_name = SLICE_INIT("p"),
    .scheduling_group = SLICE_INIT("g"),
    .workload_ref = {SLICE_INIT("w"), SLICE_INIT("x")},
    .labels = {{SLICE_INIT("a"), SLICE_INIT("1")}, {SLICE_INIT("b"), SLICE_INIT("2")}},
    .annotations = {{SLICE_INIT("c"), SLICE_INIT("3")}},
};
static const struct gang_patch narrow_patch = {.target = SLICE_INIT("JobSet"),
                                               .scheduling_group = SLICE_INIT("g")};

static const struct {
    const struct gang_patch *patch;
    int section;
    const char *fields; /* key=value, with a space between them */
} patch_sections[] = {
    {&full_patch, GANG_PATCH_LABELS, "a=1 b=2"},
    {&full_patch, GANG_PATCH_ANNOTATIONS, "c=3"},
    {&full_patch, GANG_PATCH_SPEC,
     "schedulerName=s priorityClassName=p schedulingGroup.podGroupName=g workloadRef.name=w "
     "workloadRef.podGroup=x"},
    {&narrow_patch, GANG_PATCH_SPEC, "schedulingGroup.podGroupName=g"},
    {&narrow_patch, GANG_PATCH_LABELS, ""},
    {&full_patch, 0, ""},
    {&full_patch, GANG_PATCH_SPEC + 1, ""},
    {&full_patch, -1, ""},
    {NULL, GANG_PATCH_LABELS, ""},
    {NULL, GANG_PATCH_SPEC, ""},
};

START_TEST(answers_of_a_patch)
{
    const struct gang_patch *patch = patch_sections[_i].patch;
    int section = patch_sections[_i].section;
    size_t count = gang_patch_num_fields(patch, section);
    char fields[256] = "";

    for (size_t i = 0; i < count; i++)
        snprintf(fields + strlen(fields), sizeof(fields) - strlen(fields), "%s%s=%s", i ? " " : "",
                 gang_patch_get_key(patch, section, i), gang_patch_get_value(patch, section, i));
    ck_assert_str_eq(fields, patch_sections[_i].fields);
    ck_assert_ptr_null(gang_patch_get_key(patch, section, count));
    ck_assert_ptr_null(gang_patch_get_value(patch, section, count));
    ck_assert_ptr_null(gang_patch_get_key(patch, section, SIZE_MAX));
    ck_assert_ptr_null(gang_patch_get_value(patch, section, SIZE_MAX));
}
END_TEST

START_TEST(target_of_a_patch)
{
    ck_assert_str_eq(gang_patch_get_role(&full_patch), "r");
    ck_assert_str_eq(gang_patch_get_target(&full_patch), "Role");
    ck_assert_ptr_null(gang_patch_get_role(&narrow_patch));
    ck_assert_str_eq(gang_patch_get_target(&narrow_patch), "JobSet");
    ck_assert_ptr_null(gang_patch_get_role(NULL));
    ck_assert_ptr_null(gang_patch_get_target(NULL));
}
END_TEST

/* Of the patches of the job object and of the roles a, b and c those with a letter in `changed`; j
 * is the job object's. */
static const char *const settled[] = {"",   "j",  "a",  "ja",  "b",   "jb",  "ab",
                                      "jc", "ac", "bc", "jac", "abc", "jabc"};

START_TEST(unchanged_targets_have_no_patch)
{
    struct job job = job_make("a b c");
    struct plan_content content = make_content(&job);
    const char *changed = settled[_i];

    for (const char *at = changed; *at; at++)
        plan_patch_label(*at == 'j' ? content.job_patch : &content.patches[*at - 'a'], SLICE("k"),
                         (struct slice){at, 1});
    plan_content_settle(&content);
    ck_assert_uint_eq(content.num_shown, strlen(changed));
    for (size_t i = 0; i < content.num_shown; i++) {
        ck_assert_int_eq(content.shown[i].labels[0].value.data[0], changed[i]);
        ck_assert_int_eq(slice_is_set(content.shown[i].role), changed[i] != 'j');
        ck_assert_int_eq(slice_equal(content.shown[i].target, SLICE("Role")), changed[i] != 'j');
    }
    job_free(&job);
}
END_TEST

void
add_tests(TCase *cases)
{
    tcase_add_test(cases, holds_one_empty_patch_per_role);
    tcase_add_test(cases, keeps_objects_in_order);
    tcase_add_test(cases, keeps_losses_in_order);
    tcase_add_loop_test(cases, sorts_pairs_by_key, 0, 2);
    tcase_add_test(cases, keys_are_unique);
    tcase_add_test(cases, full_patch_takes_no_other_key);
    tcase_add_loop_test(cases, any_change_makes_a_patch, 0, 6);
    add_rows(cases, finds_the_patch_of_each_role, patched, roles, of_job);
    tcase_add_test(cases, survives_a_failed_arena);
    tcase_add_test(cases, answers_of_an_object);
    tcase_add_loop_test(cases, answers_of_a_patch, 0, ITEMS_OF(patch_sections));
    tcase_add_test(cases, target_of_a_patch);
    tcase_add_loop_test(cases, unchanged_targets_have_no_patch, 0, ITEMS_OF(settled));
}
