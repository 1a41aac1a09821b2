/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/trainer/vocabulary.h"

const struct ancestor_entry ancestor_table[] = {
    {SLICE_INIT("trainer"), ANCESTOR_TRAINER, SLICE_INIT("node")},
    {SLICE_INIT("dataset-initializer"), ANCESTOR_DATASET_INITIALIZER, SLICE_INIT("dataset-initializer")},
    {SLICE_INIT("model-initializer"), ANCESTOR_MODEL_INITIALIZER, SLICE_INIT("model-initializer")},
};

const size_t ancestor_table_size = sizeof(ancestor_table) / sizeof(ancestor_table[0]);

const struct ancestor_entry *
ancestor_entry_of(struct slice value)
{
    for (size_t i = 0; i < ancestor_table_size; i++)
        if (slice_equal(ancestor_table[i].value, value))
            return &ancestor_table[i];
    return NULL;
}
