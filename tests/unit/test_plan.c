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

    for (int i = 0; i < 100; i++) {
        plan_add_object(&content, &manifests[i]);
        plan_add_loss(&content, SLICE("queue"), SLICE("q"), "why");
    }
    ck_assert_uint_eq(content.num_objects, 100);
    for (int i = 0; i < 100; i++) {
        ck_assert_ptr_eq(content.objects[i].manifest, &manifests[i]);
        ck_assert_int_eq(content.objects[i].action, GANG_ACTION_CREATE);
        ck_slice_eq(content.losses[i].field, "queue");
        ck_slice_eq(content.losses[i].value, "q");
    }
    job_free(&job);
}
END_TEST

START_TEST(keeps_losses_in_order)
{
    struct job job = job_make("a");
    struct plan_content content = make_content(&job);

    for (int i = 0; i < 33; i++)
        plan_add_loss(&content, SLICE("queue"), slice_from_text(arena_format(job.arena, "%d", i)), "why");
    ck_assert_uint_eq(content.num_losses, 33);
    ck_slice_eq(content.losses[0].value, "0");
    ck_slice_eq(content.losses[32].value, "32");
    ck_slice_eq(content.losses[32].field, "queue");
    ck_assert_str_eq(content.losses[32].reason, "why");
    job_free(&job);
}
END_TEST

/* Added in this order, printed sorted by byte. */
START_TEST(sorts_pairs_by_key)
{
    struct plan_patch patch = {0};
    bool (*put)(struct plan_patch *, struct slice, struct slice) =
        _i ? plan_patch_label : plan_patch_annotation;
    const struct plan_pair *pairs = _i ? patch.labels : patch.annotations;

    ck_assert(put(&patch, SLICE("b"), SLICE("2")));
    ck_assert(put(&patch, SLICE("Z"), SLICE("0")));
    ck_assert(put(&patch, SLICE("ba"), SLICE("3")));
    ck_assert(put(&patch, SLICE("a"), SLICE("1")));
    ck_assert_uint_eq(patch.num_labels, _i ? 4 : 0);
    ck_assert_uint_eq(patch.num_annotations, _i ? 0 : 4);
    ck_slice_eq(pairs[0].key, "Z");
    ck_slice_eq(pairs[1].key, "a");
    ck_slice_eq(pairs[2].key, "b");
    ck_slice_eq(pairs[3].key, "ba");
    ck_slice_eq(pairs[3].value, "3");
}
END_TEST

START_TEST(a_key_stands_once)
{
    struct plan_patch patch = {0};

    plan_patch_label(&patch, SLICE("a"), SLICE("1"));
    plan_patch_label(&patch, SLICE("b"), SLICE("2"));
    plan_patch_label(&patch, SLICE("a"), SLICE("3"));
    ck_assert_uint_eq(patch.num_labels, 2);
    ck_slice_eq(patch.labels[0].value, "3");
}
END_TEST

START_TEST(says_when_a_patch_is_full)
{
    static const char keys[] = "abcdefghi";
    struct plan_patch patch = {0};

    for (int i = 0; i < PATCH_MOST_PAIRS; i++)
        ck_assert(plan_patch_label(&patch, (struct slice){&keys[i], 1}, SLICE("")));
    ck_assert(!plan_patch_label(&patch, SLICE("i"), SLICE("")));
    ck_assert(plan_patch_label(&patch, SLICE("a"), SLICE("new")));
    ck_assert_uint_eq(patch.num_labels, PATCH_MOST_PAIRS);
}
END_TEST

START_TEST(any_change_makes_a_patch)
{
    struct plan_patch patches[6] = {0};

    plan_patch_label(&patches[0], SLICE("a"), SLICE(""));
    plan_patch_annotation(&patches[1], SLICE("a"), SLICE(""));
    patches[2].scheduler_name = SLICE("volcano");
    patches[3].priority_class_name = SLICE("high");
    patches[4].scheduling_group = SLICE("llama-trainer-5db777ff55");
    patches[5].workload_ref = (struct plan_workload_ref){SLICE("llama"), SLICE("trainer")};
    ck_assert_int_eq(plan_patch_has_spec(&patches[_i]), _i > 1);
    ck_assert(!plan_patch_is_empty(&patches[_i]));
}
END_TEST

START_TEST(survives_a_failed_arena)
{
    struct job job = job_make("a");
    struct plan_content content = {.arena = arena_new(1)};

    plan_add_object(&content, NULL);
    plan_add_loss(&content, SLICE("queue"), SLICE("q"), "why");
    ck_assert(!plan_content_init(&content, content.arena, &job.gang));
    ck_assert_uint_eq(content.num_objects, 0);
    ck_assert_uint_eq(content.num_losses, 0);
    ck_assert(arena_failed(content.arena));
    arena_free(content.arena);
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
    tcase_add_test(cases, a_key_stands_once);
    tcase_add_test(cases, says_when_a_patch_is_full);
    tcase_add_loop_test(cases, any_change_makes_a_patch, 0, 6);
    tcase_add_test(cases, survives_a_failed_arena);
}
