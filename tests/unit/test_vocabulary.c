/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/trainer/trainer_gang.h"

#include "unit/suite.h"

/* pkg/webhooks/trainingruntime_webhook.go@v2.3.0 expectedContainerNames;
 * pkg/constants/constants.go. */
static const struct {
    const char *value;
    enum ancestor ancestor;
    const char *container; /* NULL: no ancestor */
} values[] = {
    {"trainer", ANCESTOR_TRAINER, "node"},
    {"dataset-initializer", ANCESTOR_DATASET_INITIALIZER, "dataset-initializer"},
    {"model-initializer", ANCESTOR_MODEL_INITIALIZER, "model-initializer"},
    {"Trainer", ANCESTOR_NONE, NULL},
    {"trainers", ANCESTOR_NONE, NULL},
    {"train", ANCESTOR_NONE, NULL},
    {"node", ANCESTOR_NONE, NULL},
    {"launcher", ANCESTOR_NONE, NULL},
    {"", ANCESTOR_NONE, NULL},
};

START_TEST(finds_ancestors)
{
    const struct ancestor_entry *entry = ancestor_entry_of(slice_from_text(values[_i].value));

    ck_assert_int_eq(entry != NULL, values[_i].container != NULL);
    if (entry) {
        ck_assert_int_eq(entry->ancestor, values[_i].ancestor);
        ck_slice_eq(entry->container, values[_i].container);
    }
}
END_TEST

START_TEST(an_unset_label_is_no_ancestor)
{
    ck_assert_ptr_null(ancestor_entry_of(NO_SLICE));
}
END_TEST

START_TEST(words_are_those_of_the_operator)
{
    ck_slice_eq(TRAINER_ANCESTOR_LABEL, "trainer.kubeflow.org/trainjob-ancestor-step");
    ck_slice_eq(TRAINER_SUPPORT_LABEL, "trainer.kubeflow.org/support");
    ck_slice_eq(TRAINER_WEBHOOK_LABEL, "trainer.kubeflow.org/webhook-validation");
    ck_slice_eq(TRAINER_NODE, "node");
    ck_slice_eq(TRAINER_LAUNCHER, "launcher");
    ck_assert_uint_eq(ancestor_table_size, 3);
}
END_TEST

void
add_tests(TCase *cases)
{
    add_rows(cases, finds_ancestors, values, value, ancestor, container);
    tcase_add_test(cases, an_unset_label_is_no_ancestor);
    tcase_add_test(cases, words_are_those_of_the_operator);
}
