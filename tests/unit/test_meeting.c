/* SPDX-License-Identifier: Apache-2.0 */
#include "unit/reconciliations.h"
#include "unit/suite.h"

#define COSCHEDULING "scheduling.x-k8s.io/v1alpha1"
#define VOLCANO "scheduling.volcano.sh/v1beta1"
#define COSCHEDULED(metadata, spec) LIVE(COSCHEDULING, "PodGroup", "my-job", metadata, spec)
#define VOLCANO_GROUP(metadata, spec) LIVE(VOLCANO, "PodGroup", "my-job", metadata, spec)
#define AS_COSCHEDULED "'minMember':8,'minResources':{'cpu':'8'},'scheduleTimeoutSeconds':60"
#define AS_VOLCANO "'minMember':8,'minResources':{'cpu':'8'}"

#define C "{'coscheduling':{}}"
#define V "{'volcano':{}}"
#define PODGROUP(action) #action " PodGroup my-job\n"

#define OTHERS(kind, uid) ",'ownerReferences':[" OWNER_OF(kind, uid) "]"

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
    /* ended: nothing would be written, so nothing stands against it */
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

void
add_tests(TCase *cases)
{
    add_rows(cases, changes_only_objects_of_the_job, owners, gang_policy, trainjob, policy);
}
