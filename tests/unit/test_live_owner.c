/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/reconcile/live_objects.h"
#include "unit/suite.h"
#include "unit/workloads.h"

#define REFERENCE(api, kind, name, uid)                                                            \
    "[{'apiVersion':'" api "','kind':'" kind "','name':'" name "','uid':'" uid                     \
    "','controller':true}]"

/* The job is TrainJob `j` of trainer.kubeflow.org with uid `u`, unless `uid` says that none is
 * known. */
static const struct {
    const char *references; /* NULL: none */
    const char *uid;        /* NULL: not known */
    bool leaves_none;
    enum live_ownership ownership;
    bool is_certain;
} rows[] = {
    {REFERENCE("trainer.kubeflow.org/v1alpha1", "TrainJob", "j", "u"), "u", false, OWNERSHIP_OURS,
     true},
    {REFERENCE("trainer.kubeflow.org/v2", "TrainJob", "renamed", "u"), "u", false, OWNERSHIP_OURS,
     true},
    {REFERENCE("trainer.kubeflow.org/v1alpha1", "TrainJob", "j", "v"), "u", false,
     OWNERSHIP_OF_FORMER, false},
    {REFERENCE("trainer.kubeflow.org/v2", "TrainJob", "j", "v"), "u", false, OWNERSHIP_OF_FORMER,
     false},
    {REFERENCE("trainer.kubeflow.org/v1alpha1", "TrainJob", "k", "v"), "u", false,
     OWNERSHIP_OF_OTHER, false},
    {REFERENCE("trainer.kubeflow.org/v1alpha1", "PyTorchJob", "j", "v"), "u", false,
     OWNERSHIP_OF_OTHER, false},
    {REFERENCE("kubeflow.org/v1", "TrainJob", "j", "v"), "u", false, OWNERSHIP_OF_OTHER, false},
    {REFERENCE("v1", "TrainJob", "j", "v"), "u", false, OWNERSHIP_OF_OTHER, false},
    {"[{'uid':'u'}]", "u", false, OWNERSHIP_OF_NOBODY, false},
    {"[{'uid':'u','controller':false}]", "u", false, OWNERSHIP_OF_NOBODY, false},
    {NULL, "u", false, OWNERSHIP_OF_NOBODY, false},
    {NULL, "u", true, OWNERSHIP_OURS, false},
    {"[{'controller':true}]", "u", false, OWNERSHIP_OF_OTHER, false},
    {NULL, NULL, false, OWNERSHIP_OURS, false},
    {REFERENCE("trainer.kubeflow.org/v1alpha1", "TrainJob", "j", "v"), NULL, false, OWNERSHIP_OURS,
     false},
    {REFERENCE("trainer.kubeflow.org/v1alpha1", "TrainJob", "k", "v"), NULL, false,
     OWNERSHIP_OF_OTHER, false},
};

START_TEST(tells_whose_an_object_is)
{
    struct arena *arena = arena_new(0);
    const struct node *references = workload_tree(
        arena, rows[_i].references ? arena_format(arena, "{'r':%s}", rows[_i].references) : "{}");
    struct live_owner owner = {
        .key = {SLICE("trainer.kubeflow.org"), SLICE("TrainJob"), SLICE("ml"), SLICE("j")},
        .uid = slice_from_text(rows[_i].uid),
        .own_uid = slice_from_text(rows[_i].uid),
        .leaves_no_references = rows[_i].leaves_none,
    };
    struct live_object object = {.root = references};

    for (NODE_EACH(reference, node_member(references, SLICE("r"))))
        if (node_is_true(node_member(reference, SLICE("controller"))))
            object.controller = reference;
    ck_assert_int_eq(live_ownership_of(&owner, &object), rows[_i].ownership);
    ck_assert_int_eq(live_is_certain(&owner, &object), rows[_i].is_certain);
    arena_free(arena);
}
END_TEST

/* The uid of the decision counts before that of the job that exists. */
static const struct {
    const char *decided, *live;
    const char *uid;
} uids[] = {
    {"a", "b", "a"},  {"a", NULL, "a"}, {"", "b", "b"},
    {NULL, "b", "b"}, {NULL, "", NULL}, {NULL, NULL, NULL},
};

START_TEST(takes_the_uid_that_is_known)
{
    struct gang_decision decision = {.gang = {.owner = {.api_version = SLICE("g/v1"),
                                                        .kind = SLICE("K"),
                                                        .name = SLICE("n"),
                                                        .namespace_ = SLICE("s"),
                                                        .uid = slice_from_text(uids[_i].decided)}}};
    struct live_object job = {.uid = slice_from_text(uids[_i].live)};
    struct live_owner owner = live_owner_of(&decision, uids[_i].live ? &job : NULL);

    ck_assert_int_eq(slice_is_set(owner.uid), uids[_i].uid != NULL);
    if (uids[_i].uid)
        ck_slice_eq(owner.uid, uids[_i].uid);
    ck_slice_eq(owner.key.group, "g");
    ck_assert(!owner.leaves_no_references);
}
END_TEST

/* A PodCliqueSet owns the groups of all replicas, its PodGang those of the other layout. */
START_TEST(a_podcliqueset_is_not_alone)
{
    struct gang_podgang podgang = {.meta = {.uid = SLICE("g")}};
    struct gang_decision decision = {
        .gang = {.owner = {.api_version = SLICE(GANG_GROVE_API_VERSION),
                           .kind = SLICE(GANG_KIND_PODCLIQUESET),
                           .name = SLICE("n"),
                           .uid = SLICE("s")}}};
    struct live_owner owner = live_owner_of(&decision, NULL);

    ck_slice_eq(owner.uid, "s");
    ck_assert(!slice_is_set(owner.own_uid));
    decision.inputs.podgang = &podgang;
    owner = live_owner_of(&decision, NULL);
    ck_slice_eq(owner.uid, "s");
    ck_slice_eq(owner.own_uid, "g");
}
END_TEST

void
add_tests(TCase *cases)
{
    tcase_add_test(cases, a_podcliqueset_is_not_alone);
    add_rows(cases, tells_whose_an_object_is, rows, references, uid);
    add_rows(cases, takes_the_uid_that_is_known, uids, decided, live, uid);
}
