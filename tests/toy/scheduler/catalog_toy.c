/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/catalog/catalog.h"

static const struct descriptor_mark toy_marks[] = {
    {.place = MARK_LABEL, .key = SLICE_INIT("toy.example.com/group"), .names_group = true},
};

static const struct loss toy_losses[] = {
    {LOSS_QUEUE, "a Group of Toy has no queue"},
    {LOSS_TIMEOUT, "a Group of Toy has no timeout"},
    {LOSS_TOPOLOGY, "a Group of Toy has no topology"},
    {LOSS_RESOURCES, "a Group of Toy has no resources"},
    {LOSS_RESERVE, "a Group of Toy has no resources"},
};

const struct descriptor toy_descriptor = {
    .name = SLICE_INIT("toy"),
    .type = SLICE_INIT("Toy"),
    .scheduler_name = SLICE_INIT("toy-scheduler"),
    .group = SLICE_INIT("toy.example.com"),
    .kinds = {SLICE_INIT("Group")},
    .resource = SLICE_INIT("groups"),
    .api_version = SLICE_INIT("toy.example.com/v1"),
    .member = {.name = SLICE_INIT("toy"), .path = SLICE_INIT("spec.podGroupPolicy.toy")},
    .marks = toy_marks,
    .num_marks = sizeof(toy_marks) / sizeof(toy_marks[0]),
    .losses = toy_losses,
    .num_losses = sizeof(toy_losses) / sizeof(toy_losses[0]),
    .component = {.name = SLICE_INIT("toy"),
                  .groups = {SLICE_INIT("toy.example.com")},
                  .image = SLICE_INIT("toy/toy-scheduler")},
    .features =
        {
            .whole_or_nothing = SLICE_INIT("yes"),
            .late_member = SLICE_INIT("marked"),
            .initializers = SLICE_INIT("outside"),
            .suspend = SLICE_INIT("updated"),
            .topology = SLICE_INIT("no"),
            .subgroups = SLICE_INIT("no"),
            .elastic_minimum = SLICE_INIT("yes"),
        },
};
