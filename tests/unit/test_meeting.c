/* SPDX-License-Identifier: Apache-2.0 */
#include "unit/pod_groups.h"
#include "unit/suite.h"

/* kubeflow/trainer, kuberay and training-operator share one name with others and look at no owner;
 * we do. */
static const struct reconciliation owners[] = {
    {C, NULL, NULL, NULL, COSCHEDULED(OTHERS("PyTorchJob", "p-1"), "'minMember':2"),
     PODGROUP(Conflict), "ObjectOfAnother", NULL},
    {C, NULL, NULL, NULL, COSCHEDULED(OTHERS("PyTorchJob", "p-1"), AS_COSCHEDULED),
     PODGROUP(Conflict), "ObjectOfAnother", NULL},
    {C, SUSPENDED, NULL, NULL, COSCHEDULED(OTHERS("PyTorchJob", "p-1"), "'minMember':2"),
     PODGROUP(Conflict), "ObjectOfAnother", NULL},
    {V, NULL, NULL, NULL, VOLCANO_GROUP(OTHERS("PyTorchJob", "p-1") GOING, ""), PODGROUP(Conflict),
     "ObjectOfAnother", NULL},
    {C, NULL, NULL, NULL, COSCHEDULED(OTHERS("TrainJob", "u-0"), AS_COSCHEDULED),
     PODGROUP(Conflict), "ObjectOfFormerJob", NULL},
    {C, NULL, NULL, NULL, COSCHEDULED(OTHERS("TrainJob", "u-0") GOING, AS_COSCHEDULED),
     PODGROUP(Conflict), "ObjectOfFormerJob", NULL},
    {C, NULL, NULL, NULL, COSCHEDULED("", AS_COSCHEDULED), PODGROUP(Conflict), "ObjectWithoutOwner",
     NULL},
    {C, NULL, NULL, NULL, COSCHEDULED(GOING, AS_COSCHEDULED), PODGROUP(Conflict),
     "ObjectWithoutOwner", NULL},
    {C, NULL, NULL, NULL,
     COSCHEDULED(",'ownerReferences':[{'apiVersion':'trainer.kubeflow.org/"
                 "v1alpha1','kind':'TrainJob','name':'my-job',"
                 "'uid':'" TRAINJOB_UID "'}]",
                 AS_COSCHEDULED),
     PODGROUP(Conflict), "ObjectWithoutOwner", NULL},
    /* what exists stays, also what the plan no longer has */
    {C, NULL, NULL, NULL,
     COSCHEDULED(OTHERS("PyTorchJob", "p-1"), AS_COSCHEDULED) VOLCANO_GROUP(OURS, AS_VOLCANO),
     PODGROUP(Conflict) PODGROUP(Leave), "ObjectOfAnother ObjectStays", NULL},
    /* ended: nothing would be written, so there is no conflict */
    {C, FINISHED, NULL, NULL, COSCHEDULED(OTHERS("PyTorchJob", "p-1"), ""), "", "ObjectWithheld",
     NULL},
    /* without the uid of the job the owner's name has to do, and without references the object's
       own */
    {C, WITHOUT_UID, NULL, NULL, COSCHEDULED(OTHERS("TrainJob", "u-0"), AS_COSCHEDULED),
     PODGROUP(Leave), "OwnershipByName", NULL},
    {C, WITHOUT_UID, NULL, NULL, COSCHEDULED("", AS_COSCHEDULED), PODGROUP(Leave),
     "OwnershipByName", NULL},
    {C, WITHOUT_UID, NULL, NULL, COSCHEDULED(OTHERS("PyTorchJob", "u-0"), AS_COSCHEDULED),
     PODGROUP(Conflict), "OwnershipByName ObjectOfAnother", NULL},
    {C, WITHOUT_UID, NULL, NULL,
     COSCHEDULED(OTHERS("TrainJob", "u-0"), AS_COSCHEDULED) LIVE_JOB("," UID_OF_JOB, ""),
     PODGROUP(Conflict), "ObjectOfFormerJob", NULL},
    {C, WITHOUT_UID, NULL, NULL, COSCHEDULED(OURS, AS_COSCHEDULED) LIVE_JOB("," UID_OF_JOB, ""),
     PODGROUP(Leave), "", NULL},
    {C, NULL, "'output':{'ownerReferences':'Never'}", NULL, COSCHEDULED("", AS_COSCHEDULED),
     PODGROUP(Leave), "", NULL},
    {C, NULL, "'output':{'ownerReferences':'Never'}", NULL,
     COSCHEDULED(OTHERS("PyTorchJob", "p-1"), AS_COSCHEDULED), PODGROUP(Conflict),
     "ObjectOfAnother", NULL},
    /* the plan is for a job that was there before */
    {C, NULL, NULL, NULL, LIVE_JOB(",'uid':'u-2'", ""), NULL, "JobRecreated", NULL},
    {C, NULL, NULL, NULL, LIVE_JOB("," UID_OF_JOB, ""), PODGROUP(Create), "", NULL},
    {C, NULL, NULL, NULL, LIVE_JOB("", ""), PODGROUP(Create), "", NULL},
};

START_TEST(changes_only_objects_of_the_job)
{
    check_reconciliation(&owners[_i]);
}
END_TEST

#define C_POD(metadata, spec, phase)                                                               \
    LIVE_POD(",'labels':{'scheduling.x-k8s.io/pod-group':'my-job'}" metadata, spec, phase)
#define BOUND "'nodeName':'n'"
#define GROUP COSCHEDULED(OURS, AS_COSCHEDULED)
#define WOKEN ",'annotations':{'policy.libgang.dev/wake':'4'}"

/*
 * kubernetes-sigs/scheduler-plugins:pkg/coscheduling registers no event of nodes, so a gang that
 * was refused for room waits for the flush of the queue, five minutes. Volcano, KAI and
 * kube-scheduler look again in every cycle, or when a node comes.
 */
static const struct {
    const char *gang_policy, *trainjob, *policy, *live;
    const char *actions; /* with the flag */
    const char *wake;    /* the annotation of the first object; NULL: none */
} wakings[] = {
    /* some of its pods have no node */
    {C, NULL, NULL, GROUP C_POD("", "", "Pending"), PODGROUP(Apply), "1"},
    {C, NULL, NULL, COSCHEDULED(OURS WOKEN, AS_COSCHEDULED) C_POD("", "", "Pending"),
     PODGROUP(Apply), "5"},
    {C, NULL, NULL, GROUP C_POD("", BOUND, "Running") C_POD("", "", "Pending"), PODGROUP(Apply),
     "1"},
    {C, NULL, NULL, COSCHEDULED(OURS, "'minMember':2") C_POD("", "", "Pending"), PODGROUP(Apply),
     "1"},
    /* none waits for room */
    {C, NULL, NULL, GROUP, PODGROUP(Leave), NULL},
    {C, NULL, NULL, COSCHEDULED(OURS WOKEN, AS_COSCHEDULED), PODGROUP(Leave), "4"},
    {C, NULL, NULL, GROUP C_POD("", BOUND, "Running"), PODGROUP(Leave), NULL},
    {C, NULL, NULL, GROUP C_POD(GOING, "", "Pending"), PODGROUP(Leave), NULL},
    {C, NULL, NULL, GROUP C_POD("", "", "Failed"), PODGROUP(Leave), NULL},
    {C, NULL, NULL,
     GROUP LIVE_POD(",'labels':{'scheduling.x-k8s.io/pod-group':'other'}", "", "Pending"),
     PODGROUP(Leave), NULL},
    {C, NULL, NULL, C_POD("", "", "Pending"), PODGROUP(Create), NULL},
    {C, FINISHED, NULL, GROUP C_POD("", "", "Pending"), PODGROUP(Leave), NULL},
    /* it is being deleted, and pods may keep it */
    {C, NULL, NULL, COSCHEDULED(OURS GOING, "'minMember':2") C_POD("", "", "Pending"),
     PODGROUP(Apply), "1"},
    {C, NULL, NULL, COSCHEDULED(OURS GOING, "'minMember':2"), PODGROUP(Recreate), NULL},
    /* the operator writes only while the job is suspended */
    {C, NULL, "'compatibility':'KubeflowTrainer'", GROUP C_POD("", "", "Pending"), PODGROUP(Leave),
     NULL},
    {C, NULL, "'compatibility':'KubeflowTrainer'",
     COSCHEDULED(OURS GOING, "'minMember':2") C_POD("", "", "Pending"), PODGROUP(Recreate), NULL},
    /* a scheduler that does not sleep */
    {V, NULL, NULL,
     VOLCANO_GROUP(OURS, AS_VOLCANO)
         LIVE_POD(",'annotations':{'scheduling.k8s.io/group-name':'my-job'}", "", "Pending"),
     PODGROUP(Leave), NULL},
};

START_TEST(wakes_gangs_that_wait_for_room)
{
    const struct reconciliation row = {wakings[_i].gang_policy,
                                       wakings[_i].trainjob,
                                       wakings[_i].policy,
                                       NULL,
                                       wakings[_i].live,
                                       "",
                                       "",
                                       NULL};
    struct comparison comparison = compare_live(&row);
    struct gang_plan *plan = NULL;
    struct gang_document *live = NULL;
    char text[DOCUMENT_SIZE];
    const struct node *annotations;

    spell(text, wakings[_i].live);
    ck_assert_int_eq(gang_document_parse_live(NULL, text, strlen(text), 0, &live, NULL), GANG_OK);
    ck_assert_int_eq(gang_reconcile(NULL, comparison.plan, live, GANG_RECONCILE_WAKE, &plan, NULL),
                     GANG_OK);
    check_text(actions_in_words(plan, comparison.arena), wakings[_i].actions);
    for (size_t i = 0; i < gang_plan_num_diagnostics(plan);
         i++) /* the wake alone is no difference */
        ck_assert_int_ne(gang_diagnostic_get_code(gang_plan_get_diagnostic(plan, i)),
                         GANG_CODE_WRITTEN_WHILE_SUSPENDED);
    annotations = node_at(plan->content.objects[0].manifest, "metadata.annotations");
    ck_assert_int_eq(node_member(annotations, SLICE(GANG_ANNOTATION_WAKE)) != NULL,
                     wakings[_i].wake != NULL);
    if (wakings[_i].wake)
        ck_slice_eq(node_string(node_member(annotations, SLICE(GANG_ANNOTATION_WAKE))),
                    wakings[_i].wake);
    gang_plan_unref(plan);
    gang_document_unref(live);
    end_comparison(&comparison);
}
END_TEST

/*
 * With GANG_RECONCILE_ADOPT. Grove sets the controller of an object that has none, and replaces
 * another one only for PodGangs under KAI (tests/recorded/grove.c): not for a trainjob.
 */
static const struct {
    const char *gang_policy, *trainjob, *policy, *live;
    const char *actions;
    bool is_adopted;
} adoptions[] = {
    {C, NULL, NULL, COSCHEDULED("", AS_COSCHEDULED), PODGROUP(Apply), true},
    {C, NULL, NULL, COSCHEDULED("", "'minMember':2"), PODGROUP(Apply), true},
    {V, NULL, NULL, VOLCANO_GROUP("", AS_VOLCANO), PODGROUP(Apply), true},
    {V, SUSPENDED, NULL, VOLCANO_GROUP("", AS_VOLCANO), PODGROUP(Apply), true},
    /* an owner that is not the controller */
    {C, NULL, NULL,
     COSCHEDULED(",'ownerReferences':[{'apiVersion':'v1','kind':'ConfigMap','name':'m',"
                 "'uid':'m-1'}]",
                 AS_COSCHEDULED),
     PODGROUP(Apply), true},
    /* nothing to adopt */
    {C, NULL, NULL, "", PODGROUP(Create), false},
    {C, NULL, NULL, COSCHEDULED(OURS, AS_COSCHEDULED), PODGROUP(Leave), false},
    {C, NULL, "'output':{'ownerReferences':'Never'}", COSCHEDULED("", AS_COSCHEDULED),
     PODGROUP(Leave), false},
    {C, FINISHED, NULL, COSCHEDULED("", AS_COSCHEDULED), "", false},
    /* not adopted: of another controller, of a former job, on its way out */
    {C, NULL, NULL, COSCHEDULED(OTHERS("PyTorchJob", "p-1"), AS_COSCHEDULED), PODGROUP(Conflict),
     false},
    {V, NULL, NULL, VOLCANO_GROUP(OTHERS("PyTorchJob", "p-1"), AS_VOLCANO), PODGROUP(Conflict),
     false},
    {"{'kaiScheduler':{}}", NULL,
     "'backends':[{'name':'kai','type':'KAI','kai':{'podGroup':'Create'}}],'defaultBackend':'kai'",
     LIVE("scheduling.run.ai/v2alpha2", "PodGroup", "my-job.ml", OTHERS("PyTorchJob", "p-1"), ""),
     "Conflict PodGroup my-job.ml\n", false},
    {C, NULL, NULL, COSCHEDULED(OTHERS("TrainJob", "u-0"), AS_COSCHEDULED), PODGROUP(Conflict),
     false},
    {C, NULL, NULL, COSCHEDULED(GOING, AS_COSCHEDULED), PODGROUP(Conflict), false},
    /* the operator writes only while the job is suspended: not yet */
    {C, NULL, "'compatibility':'KubeflowTrainer'", COSCHEDULED("", "'minMember':2"),
     PODGROUP(Leave), false},
    {C, SUSPENDED, "'compatibility':'KubeflowTrainer'", COSCHEDULED("", "'minMember':2"),
     PODGROUP(Apply), true},
};

static bool
tells_adoption(const struct gang_plan *plan)
{
    for (size_t i = 0; i < gang_plan_num_diagnostics(plan); i++)
        if (gang_diagnostic_get_code(gang_plan_get_diagnostic(plan, i)) == GANG_CODE_OBJECT_ADOPTED)
            return true;
    return false;
}

START_TEST(adopts_objects_without_a_controller)
{
    const struct reconciliation row = {.gang_policy = adoptions[_i].gang_policy,
                                       .trainjob = adoptions[_i].trainjob,
                                       .policy = adoptions[_i].policy,
                                       .live = adoptions[_i].live};
    struct comparison comparison = compare_live(&row);
    struct gang_plan *plan = NULL;
    struct gang_document *live = NULL;
    char text[DOCUMENT_SIZE];
    const struct node *owners_now;

    spell(text, adoptions[_i].live);
    ck_assert_int_eq(gang_document_parse_live(NULL, text, strlen(text), 0, &live, NULL), GANG_OK);
    ck_assert_int_eq(gang_reconcile(NULL, comparison.plan, live, GANG_RECONCILE_ADOPT, &plan, NULL),
                     strstr(adoptions[_i].actions, "Conflict") ? GANG_ERROR_INVALID : GANG_OK);
    ck_assert_ptr_nonnull(plan);
    check_text(actions_in_words(plan, comparison.arena), adoptions[_i].actions);
    ck_assert_int_eq(tells_adoption(plan), adoptions[_i].is_adopted);
    if (adoptions[_i].is_adopted) {
        owners_now = node_at(plan->content.objects[0].manifest, "metadata.ownerReferences");
        ck_assert_uint_ge(node_count(owners_now), 1);
        ck_slice_eq(node_string(node_member(owners_now->as.first->next ? owners_now->as.first->next
                                                                       : owners_now->as.first,
                                            SLICE("uid"))),
                    TRAINJOB_UID);
    }
    gang_plan_unref(plan);
    gang_document_unref(live);
    end_comparison(&comparison);
}
END_TEST

/* Every other scheduler reacts to nodes. */
START_TEST(coscheduling_alone_sleeps)
{
    for (size_t i = 0; i < backend_count; i++)
        ck_assert_int_eq(backend_table[i]->descriptor->sleeps_on_room,
                         backend_table[i] == &coscheduling_backend);
}
END_TEST

void
add_tests(TCase *cases)
{
    add_rows(cases, wakes_gangs_that_wait_for_room, wakings, gang_policy, trainjob, live);
    tcase_add_test(cases, coscheduling_alone_sleeps);
    add_rows(cases, adopts_objects_without_a_controller, adoptions, gang_policy, trainjob, live);
    add_rows(cases, changes_only_objects_of_the_job, owners, gang_policy, trainjob, policy);
}
