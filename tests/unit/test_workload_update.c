/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/backend/workload/workload.h"

#include "unit/suite.h"
#include "unit/reconciliations.h"
#include "unit/updates.h"
#include "unit/workloads.h"

/* ---- workload update ---- */

#define W "{'workload':{}}"
#define GROUP_NAME "my-job-trainer-5db777ff55"
#define CONTROLLER                                                                                 \
    "'controllerRef':{'apiGroup':'trainer.kubeflow.org','kind':'TrainJob','name':'my-job'}"
#define GANG(count) "{'gang':{'minCount':" count "}}"

/* What kubernetes/api:scheduling has in each version, as in the worked example of one role of eight
 * pods. */
#define WORKLOAD_1_35(owners, spec) LIVE(V1ALPHA1, "Workload", "my-job", owners, spec)
#define GROUPS_1_35(count) CONTROLLER ",'podGroups':[{'name':'trainer','policy':" GANG(count) "}]"
#define WORKLOAD_1_36(owners, spec) LIVE(V1ALPHA2, "Workload", "my-job", owners, spec)
#define TEMPLATES(count, rest)                                                                     \
    CONTROLLER ",'podGroupTemplates':[{'name':'trainer','schedulingPolicy':" GANG(count) rest "}]"
#define GROUP_1_36(owners, count, rest)                                                            \
    LIVE(V1ALPHA2, "PodGroup", GROUP_NAME, owners,                                                 \
         "'podGroupTemplateRef':{'workload':{'workloadName':'my-job','podGroupTemplateName':'"     \
         "trainer'}},"                                                                             \
         "'schedulingPolicy':" GANG(count) rest)
#define WORKLOAD_1_37(owners, spec) LIVE(V1BETA1, "Workload", "my-job", owners, spec)
#define GROUP_1_37_OF(version, owners, count, rest)                                                \
    LIVE(version, "PodGroup", GROUP_NAME, owners,                                                  \
         "'workloadRef':{'workloadName':'my-job','templateName':'trainer'},'schedulingPolicy'"     \
         ":" GANG(count) rest)
#define JOBSET_1_37(state)                                                                         \
    LIVE_JOBSET(state, "", "'schedulingGroup':{'podGroupName':'" GROUP_NAME "'}")
#define GROUP_1_37(owners, count, rest) GROUP_1_37_OF(V1BETA1, owners, count, rest)

/* The second owner, of which only the uid counts. */
#define BOTH_OWNERS                                                                                \
    ",'ownerReferences':[" OUR_OWNER ",{'apiVersion':'" V1BETA1                                    \
    "','kind':'Workload','name':'my-job','uid':'o-1'}]"

#define LIVE_1_35(count) WORKLOAD_1_35(OURS, GROUPS_1_35(count))
#define LIVE_1_36(count)                                                                           \
    WORKLOAD_1_36(OURS, TEMPLATES(count, "")) GROUP_1_36(BOTH_OWNERS, count, "")
#define LIVE_1_37(count)                                                                           \
    WORKLOAD_1_37(OURS, TEMPLATES(count, "")) GROUP_1_37(BOTH_OWNERS, count, "")

#define ONE(action) #action " Workload my-job\n"
#define BOTH(action) #action " Workload my-job\n" #action " PodGroup " GROUP_NAME "\n"
#define GROUP(action) #action " PodGroup " GROUP_NAME "\n"
#define BOTH_GO "Delete PodGroup " GROUP_NAME "\nDelete Workload my-job\n"

#define WAITING_POD_1_35                                                                           \
    LIVE_POD("", "'workloadRef':{'name':'my-job','podGroup':'trainer'}", "Pending")
#define WAITING_POD LIVE_POD("", "'schedulingGroup':{'podGroupName':'" GROUP_NAME "'}", "Pending")
#define ENDED_POD LIVE_POD("", "'schedulingGroup':{'podGroupName':'" GROUP_NAME "'}", "Succeeded")
#define NODES_RUN LIVE_JOB("," UID_OF_JOB, "'jobsStatus':[{'name':'node','ready':0,'active':1}]")
#define NODES_DONE                                                                                 \
    LIVE_JOB("," UID_OF_JOB, "'jobsStatus':[{'name':'node','ready':0,'active':0,'succeeded':1}]")
#define OTHERS_RUN LIVE_JOB("," UID_OF_JOB, "'jobsStatus':[{'name':'loader','ready':1,'active':1}]")
#define NODES_READY LIVE_JOB("," UID_OF_JOB, "'jobsStatus':[{'name':'node','ready':1}]")

/* One line for each event and version of the lifecycle that kubernetes/enhancements KEP-5547 and
 * KEP-4671 ask for. */
static const struct reconciliation events[] = {
    /* create */
    {W, NULL, NULL, GOOD_1_35, "", ONE(Create), "", NULL},
    {W, NULL, NULL, GOOD_1_36, "", BOTH(Create), "", NULL},
    {W, NULL, NULL, GOOD_1_37, "", BOTH(Create), "", NULL},
    /* as created; a JobSet that restarts finds the same group */
    {W, NULL, NULL, GOOD_1_35, LIVE_1_35("8"), ONE(Leave), "", NULL},
    {W, NULL, NULL, GOOD_1_36, LIVE_1_36("8"), BOTH(Leave), "", NULL},
    {W, NULL, NULL, GOOD_1_37, LIVE_1_37("8"), BOTH(Leave), "", NULL},
    {W, NULL, NULL, GOOD_1_35, LIVE_1_35("8") WAITING_POD_1_35, ONE(Leave), "", NULL},
    {W, NULL, NULL, GOOD_1_36, LIVE_1_36("8") WAITING_POD, BOTH(Leave), "", NULL},
    {W, NULL, NULL, GOOD_1_37, LIVE_1_37("8") WAITING_POD, BOTH(Leave), "", NULL},
    /* suspended at creation: withheld, so that priorities are resolved close to the pods */
    {W, SUSPENDED, NULL, GOOD_1_35, "", "", "ObjectWithheld", NULL},
    {W, SUSPENDED, NULL, GOOD_1_36, "", "", "ObjectWithheld ObjectWithheld", NULL},
    {W, SUSPENDED, NULL, GOOD_1_37, "", "", "ObjectWithheld ObjectWithheld", NULL},
    /* suspended later: the PodGroup is deleted first */
    {W, SUSPENDED, NULL, GOOD_1_35, LIVE_1_35("8"), "Delete Workload my-job\n", "SuspensionNotSeen",
     "{'name':'my-job','namespace':'ml','uid':'o-1'}"},
    {W, SUSPENDED, NULL, GOOD_1_36, LIVE_1_36("8"), BOTH_GO, "SuspensionNotSeen", NULL},
    {W, SUSPENDED, NULL, GOOD_1_37, LIVE_1_37("8"), BOTH_GO, "SuspensionNotSeen", NULL},
    {W, SUSPENDED, NULL, GOOD_1_37, WORKLOAD_1_37(OURS GOING, "") GROUP_1_37(OURS GOING, "8", ""),
     BOTH(Leave), "SuspensionNotSeen", NULL},
    {W, SUSPENDED, "'output':{'ownerReferences':'Never'}", GOOD_1_35, WORKLOAD_1_35("", ""),
     "Delete Workload my-job\n", "SuspensionNotSeen", NULL},
    {W, SUSPENDED_WITHOUT_UID, NULL, GOOD_1_35, LIVE_1_35("8"), ONE(Leave),
     "OwnershipByName SuspensionNotSeen", NULL},
    /* only the JobSet knows whether the pods are stopped; without it pods prove that they are not
     */
    {W, SUSPENDED, NULL, GOOD_1_37, LIVE_1_37("8") WAITING_POD, BOTH(Leave), "SuspensionNotSeen",
     NULL},
    {W, SUSPENDED, NULL, GOOD_1_37, LIVE_1_37("8") JOBSET_1_37(STOPPED), BOTH_GO, "", NULL},
    {W, SUSPENDED, NULL, GOOD_1_37, LIVE_1_37("8") JOBSET_1_37(STOPPED) WAITING_POD, BOTH_GO, "",
     NULL},
    {W, SUSPENDED, NULL, GOOD_1_37, LIVE_1_37("8") JOBSET_1_37(RUNS), BOTH(Leave),
     "SuspensionNotSeen", NULL},
    {W, SUSPENDED, NULL, GOOD_1_37, JOBSET_1_37(RUNS), BOTH(Create), "", NULL},
    {W, NULL, NULL, GOOD_1_37, JOBSET_1_37(STOPPED), BOTH(Create), "", NULL},
    {W, SUSPENDED, NULL, GOOD_1_35,
     WORKLOAD_1_35(",'ownerReferences':[" OWNER_OF("Job", "j-1") "]", ""), ONE(Conflict),
     "ObjectOfAnother", NULL},
    {W, SUSPENDED, NULL, GOOD_1_37,
     WORKLOAD_1_37(OURS, TEMPLATES("8", "")) GROUP_1_37(
         ",'ownerReferences':[" OWNER_OF("Job", "j-1") "]", "8", "") JOBSET_1_37(STOPPED),
     ONE(Leave) GROUP(Conflict), "ObjectHeldBack ObjectOfAnother", NULL},
    /* resumed: the same names, and what is still going must be gone first */
    {W, NULL, NULL, GOOD_1_35, WORKLOAD_1_35(OURS GOING, GROUPS_1_35("8")), ONE(Recreate),
     "ObjectTerminating", NULL},
    {W, NULL, NULL, GOOD_1_36, GROUP_1_36(OURS GOING, "8", ""), ONE(Create) GROUP(Recreate),
     "ObjectTerminating", NULL},
    {W, NULL, NULL, GOOD_1_37, GROUP_1_37(OURS GOING, "8", ""), ONE(Create) GROUP(Recreate),
     "ObjectTerminating", NULL},
    /*
     * Deleted by hand: the PodGroup is there until its pods have ended. Source:
     * k8s.io/kubernetes:pkg/controller/scheduling/podgroupprotection/podgroup_protection_controller.go
     * @v1.36.3. Meanwhile its Workload stays, and so does the PodGroup of a Workload that is going.
     */
    {W, NULL, NULL, GOOD_1_36,
     WORKLOAD_1_36(OURS, TEMPLATES("8", "")) GROUP_1_36(OURS GOING, "8", ""),
     ONE(Leave) GROUP(Recreate), "ObjectTerminating", NULL},
    {W, NULL, NULL, GOOD_1_36,
     WORKLOAD_1_36(OURS, TEMPLATES("8", "")) GROUP_1_36(OURS GOING, "8", "") WAITING_POD,
     ONE(Leave) GROUP(Recreate), "ObjectTerminating", NULL},
    {W, NULL, NULL, GOOD_1_37,
     WORKLOAD_1_37(OURS, TEMPLATES("8", "")) GROUP_1_37(OURS GOING, "8", "") WAITING_POD,
     ONE(Leave) GROUP(Recreate), "ObjectTerminating", NULL},
    /* a new number of nodes meanwhile: only minCount of 1.37 can be updated */
    {W, NULL, NULL, GOOD_1_36,
     WORKLOAD_1_36(OURS, TEMPLATES("8", "")) GROUP_1_36(OURS GOING, "4", "") WAITING_POD,
     ONE(Leave) GROUP(Recreate), "ObjectTerminating", NULL},
    {W, NULL, NULL, GOOD_1_37,
     WORKLOAD_1_37(OURS, TEMPLATES("4", "")) GROUP_1_37(OURS GOING, "4", "") WAITING_POD,
     BOTH(Apply), "ObjectTerminating", NULL},
    {W, NULL, NULL, GOOD_1_37,
     WORKLOAD_1_37(OURS, TEMPLATES("8", "")) GROUP_1_37(OURS GOING, "4", ""),
     ONE(Leave) GROUP(Recreate), "ObjectTerminating", NULL},
    {W, NULL, NULL, GOOD_1_36,
     WORKLOAD_1_36(OURS GOING, TEMPLATES("8", "")) GROUP_1_36(BOTH_OWNERS, "8", "") WAITING_POD,
     ONE(Recreate) GROUP(Leave), "ObjectTerminating", NULL},
    /* another number of nodes */
    {W, NULL, NULL, GOOD_1_35, LIVE_1_35("4"), ONE(Recreate), "ObjectRecreated", NULL},
    {W, NULL, NULL, GOOD_1_36, LIVE_1_36("4"), BOTH(Recreate), "ObjectRecreated ObjectRecreated",
     NULL},
    {W, NULL, NULL, GOOD_1_37, LIVE_1_37("4"), BOTH(Apply), "", NULL},
    {W, NULL, NULL, GOOD_1_35, LIVE_1_35("4") WAITING_POD_1_35, ONE(Conflict), "ImmutableField",
     NULL},
    {W, NULL, NULL, GOOD_1_36, LIVE_1_36("4") WAITING_POD, BOTH(Conflict),
     "ImmutableField ImmutableField", NULL},
    {W, NULL, NULL, GOOD_1_37, LIVE_1_37("4") WAITING_POD, BOTH(Apply), "", NULL},
    {W, NULL, NULL, GOOD_1_36, LIVE_1_36("4") ENDED_POD, BOTH(Recreate),
     "ObjectRecreated ObjectRecreated", NULL},
    {W, NULL, NULL, GOOD_1_36, LIVE_1_36("4") NODES_RUN, BOTH(Conflict),
     "ImmutableField ImmutableField", NULL},
    {W, NULL, NULL, GOOD_1_36, LIVE_1_36("4") NODES_READY, BOTH(Conflict),
     "ImmutableField ImmutableField", NULL},
    {W, NULL, NULL, GOOD_1_36, LIVE_1_36("4") NODES_DONE, BOTH(Recreate),
     "ObjectRecreated ObjectRecreated", NULL},
    {W, NULL, NULL, GOOD_1_36, LIVE_1_36("4") OTHERS_RUN, BOTH(Recreate),
     "ObjectRecreated ObjectRecreated", NULL},
    {W, WITHOUT_UID, NULL, GOOD_1_35, LIVE_1_35("4") WAITING_POD_1_35, ONE(Conflict),
     "OwnershipByName ImmutableField", NULL},
    /* ended, or deleted: the garbage collector's */
    {W, FINISHED, NULL, GOOD_1_35, LIVE_1_35("4"), ONE(Leave), "", NULL},
    {W, FINISHED, NULL, GOOD_1_36, LIVE_1_36("4"), BOTH(Leave), "", NULL},
    {W, FINISHED, NULL, GOOD_1_37, LIVE_1_37("4"), BOTH(Leave), "", NULL},
    {W, FINISHED, NULL, GOOD_1_37, "", "", "ObjectWithheld ObjectWithheld", NULL},
    {W, AS_USUAL ",'suspend':true},'status':{" CONDITION("Complete") "}", NULL, GOOD_1_37,
     LIVE_1_37("8"), BOTH(Leave), "", NULL},
    {W, NULL, NULL, GOOD_1_37, LIVE_1_37("4") LIVE_JOB("," UID_OF_JOB GOING, ""), BOTH(Leave), "",
     NULL},
};

START_TEST(follows_the_lifecycle)
{
    check_reconciliation(&events[_i]);
}
END_TEST

#define WISH(option) "'backends':[{'name':'workload','type':'Workload','workload':{" option "}}]"
#define ALL WISH("'disruptionMode':'All'")
#define RACK WISH("'topologyKey':'t.example/rack'")
#define NEVER WISH("'preemptionPolicy':'Never'")
#define GATED(version, gates)                                                                      \
    SERVES(version, "'workloads','podgroups'")                                                     \
    ",'featureGates':{'GenericWorkload':true,'GangScheduling':true," gates                         \
    "},'podTemplateFields':['schedulingGroup']"
#define RACK_FIELD ",'schedulingConstraints':{'topology':[{'key':'t.example/rack'}]}"
#define FILLED_IN                                                                                  \
    ",'priority':0,'preemptionPolicy':'PreemptLowerPriority','priorityClassName':'usual','"        \
    "disruptionMode':{"                                                                            \
    "'single':{}}"
#define RECREATED "ObjectRecreated"

/* Any change but minCount; what admission fills in and gates drop is none (KEP-969, "drift"). */
static const struct reconciliation drifts[] = {
    /* filled in by the server */
    {W, NULL, NULL, GOOD_1_36,
     WORKLOAD_1_36(OURS, TEMPLATES("8", "")) GROUP_1_36(
         BOTH_OWNERS, "8", ",'disruptionMode':'Pod','priorityClassName':'usual','priority':0"),
     BOTH(Leave), "", NULL},
    {W, NULL, NULL, GOOD_1_37,
     WORKLOAD_1_37(OURS, TEMPLATES("8", FILLED_IN)) GROUP_1_37(BOTH_OWNERS, "8", FILLED_IN),
     BOTH(Leave), "", NULL},
    /* and it stays when minCount is written, as a PUT without it is refused */
    {W, NULL, NULL, GOOD_1_37,
     WORKLOAD_1_37(OURS, TEMPLATES("4", FILLED_IN)) GROUP_1_37(BOTH_OWNERS, "4", FILLED_IN),
     BOTH(Apply), "",
     "{'name':'my-job','namespace':'ml','uid':'o-1','resourceVersion':'7'" OURS
     "} {" TEMPLATES("8", FILLED_IN) "}"},
    /* asked for, and not there: dropped, unless the gate is known to be on */
    {W, NULL, ALL, GOOD_1_36, LIVE_1_36("8"), BOTH(Leave), "", NULL},
    {W, NULL, ALL, GOOD_1_36,
     WORKLOAD_1_36(OURS, TEMPLATES("8", ""))
         GROUP_1_36(BOTH_OWNERS, "8", ",'disruptionMode':'Pod'"),
     BOTH(Leave), "", NULL},
    {W, NULL, ALL, GATED(V1ALPHA2, "'WorkloadAwarePreemption':true"),
     WORKLOAD_1_36(OURS, TEMPLATES("8", ""))
         GROUP_1_36(BOTH_OWNERS, "8", ",'disruptionMode':'Pod'"),
     BOTH(Recreate), RECREATED " " RECREATED, NULL},
    {W, NULL, ALL, GOOD_1_37, LIVE_1_37("8"), BOTH(Recreate), RECREATED " " RECREATED, NULL},
    {W, NULL, ALL, GOOD_1_37, LIVE_1_37("8") WAITING_POD, BOTH(Conflict),
     "ImmutableField ImmutableField", NULL},
    {W, NULL, RACK, GOOD_1_36, LIVE_1_36("8"), BOTH(Leave), "", NULL},
    {W, NULL, RACK, GATED(V1ALPHA2, "'TopologyAwareWorkloadScheduling':true"), LIVE_1_36("8"),
     BOTH(Recreate), RECREATED " " RECREATED, NULL},
    {W, NULL, RACK, GOOD_1_37, LIVE_1_37("8"), BOTH(Leave), "", NULL},
    {W, NULL, RACK, GATED(V1BETA1, "'TopologyAwareWorkloadScheduling':true"), LIVE_1_37("8"),
     BOTH(Recreate), RECREATED " " RECREATED, NULL},
    {W, NULL, NEVER, GOOD_1_37, LIVE_1_37("8"), BOTH(Leave), "", NULL},
    {W, NULL, NEVER, GATED(V1BETA1, "'PodGroupPreemptionPolicy':true"), LIVE_1_37("8"),
     BOTH(Recreate), RECREATED " " RECREATED, NULL},
    {W, NULL, NEVER, GOOD_1_37 ",'kubernetesVersion':'1.38.0'", LIVE_1_37("8"), BOTH(Recreate),
     RECREATED " " RECREATED, NULL},
    /* there, and no longer asked for */
    {W, NULL, NULL, GOOD_1_37,
     WORKLOAD_1_37(OURS, TEMPLATES("8", RACK_FIELD)) GROUP_1_37(BOTH_OWNERS, "8", RACK_FIELD),
     BOTH(Recreate), RECREATED " " RECREATED, NULL},
    {W, NULL, NULL, GOOD_1_37,
     WORKLOAD_1_37(OURS, TEMPLATES("8", ""))
         GROUP_1_37(BOTH_OWNERS, "8", ",'disruptionMode':{'all':{}}"),
     BOTH(Recreate), RECREATED " " RECREATED, NULL},
    /* a Workload that could be written is deleted with the PodGroup that cannot */
    {W, NULL, NULL, GOOD_1_37,
     WORKLOAD_1_37(OURS, TEMPLATES("4", ""))
         GROUP_1_37(BOTH_OWNERS, "8", ",'disruptionMode':{'all':{}}"),
     BOTH(Recreate), RECREATED " " RECREATED, NULL},
    /* another list of templates: neither added nor removed */
    {W, NULL, NULL, GOOD_1_37,
     WORKLOAD_1_37(OURS,
                   CONTROLLER ",'podGroupTemplates':[{'name':'trainer','schedulingPolicy':" GANG(
                       "8") "},{'name':'b','schedulingPolicy':{'basic':{}}}]")
         GROUP_1_37(BOTH_OWNERS, "8", ""),
     BOTH(Recreate), RECREATED " " RECREATED, NULL},
    {W, NULL, NULL, GOOD_1_37,
     WORKLOAD_1_37(OURS, CONTROLLER
                   ",'podGroupTemplates':[{'name':'other','schedulingPolicy':" GANG("8") "}]")
         GROUP_1_37(BOTH_OWNERS, "8", ""),
     BOTH(Recreate), RECREATED " " RECREATED, NULL},
    /* a gang stays a gang */
    {W, NULL, NULL, GOOD_1_37,
     WORKLOAD_1_37(OURS, TEMPLATES("8", ""))
         LIVE(V1BETA1, "PodGroup", GROUP_NAME, BOTH_OWNERS,
              "'workloadRef':{'workloadName':'my-job','templateName':'trainer'},'schedulingPolicy':"
              "{'basic':{}}"),
     BOTH(Recreate), RECREATED " " RECREATED, NULL},
    {W, NULL, NULL, GOOD_1_37,
     WORKLOAD_1_37(OURS, TEMPLATES("8", ""))
         LIVE(V1BETA1, "PodGroup", GROUP_NAME, BOTH_OWNERS,
              "'workloadRef':{'workloadName':'my-job','templateName':'"
              "trainer'},'schedulingPolicy':{'gang':{'minCount':'8'}}"),
     BOTH(Recreate), RECREATED " " RECREATED, NULL},
    /* the controller of a Workload: may come later in 1.35 alone, and nowhere change */
    {W, NULL, NULL, GOOD_1_35,
     WORKLOAD_1_35(OURS, "'podGroups':[{'name':'trainer','policy':" GANG("8") "}]"), ONE(Apply), "",
     NULL},
    {W, NULL, NULL, GOOD_1_35,
     WORKLOAD_1_35(
         OURS,
         "'controllerRef':{'kind':'Job','name':'x'},'podGroups':[{'name':'trainer','policy':" GANG(
             "8") "}]"),
     ONE(Recreate), RECREATED, NULL},
    {W, NULL, NULL, GOOD_1_36,
     WORKLOAD_1_36(OURS, "'podGroupTemplates':[{'name':'trainer','schedulingPolicy':" GANG(
                             "8") "}]") GROUP_1_36(BOTH_OWNERS, "8", ""),
     BOTH(Recreate), RECREATED " " RECREATED, NULL},
    {W, NULL, NULL, GOOD_1_37,
     WORKLOAD_1_37(OURS, "'podGroupTemplates':[{'name':'trainer','schedulingPolicy':" GANG(
                             "8") "}]") GROUP_1_37(BOTH_OWNERS, "8", ""),
     BOTH(Recreate), RECREATED " " RECREATED, NULL},
    /*
     * an upgrade: v1alpha3 and v1beta1 are one object, v1alpha2 is created again under the same
     * name
     */
    {W, NULL, NULL, GOOD_1_37,
     LIVE(V1ALPHA3, "Workload", "my-job", OURS, TEMPLATES("8", ""))
         GROUP_1_37_OF(V1ALPHA3, BOTH_OWNERS, "8", ""),
     BOTH(Leave), "", NULL},
    {W, NULL, NULL, GOOD_1_37, LIVE_1_36("8"), BOTH(Recreate), RECREATED " " RECREATED, NULL},
    /* a stranger's Workload is not adopted, and its PodGroup waits with it */
    {W, NULL, NULL, GOOD_1_37,
     WORKLOAD_1_37(",'ownerReferences':[" OWNER_OF("Job", "j-1") "]", TEMPLATES("8", "")),
     "Conflict Workload my-job\n", "ObjectHeldBack ObjectOfAnother", NULL},
    /* whatever exists stays as it is, though it could be changed */
    {W, NULL, NULL, GOOD_1_37,
     WORKLOAD_1_37(",'ownerReferences':[" OWNER_OF("Job", "j-1") "]", TEMPLATES("8", ""))
         GROUP_1_37(OURS, "4", ""),
     "Conflict Workload my-job\nLeave PodGroup " GROUP_NAME "\n", "ObjectOfAnother ObjectHeldBack",
     NULL},
    {W, NULL, NULL, GOOD_1_37,
     WORKLOAD_1_37(OURS, TEMPLATES("4", ""))
         GROUP_1_37(",'ownerReferences':[" OWNER_OF("Job", "j-1") "]", "8", ""),
     "Leave Workload my-job\nConflict PodGroup " GROUP_NAME "\n", "ObjectHeldBack ObjectOfAnother",
     NULL},
    /* of an unchanged Workload, a missing PodGroup is made */
    {W, NULL, NULL, GOOD_1_37, WORKLOAD_1_37(OURS, TEMPLATES("8", "")) WAITING_POD,
     "Leave Workload my-job\nCreate PodGroup " GROUP_NAME "\n", "", NULL},
    {W, NULL, NULL, GOOD_1_36,
     WORKLOAD_1_36(OURS, TEMPLATES("8", ",'schedulingConstraints':null")) WAITING_POD,
     "Leave Workload my-job\nCreate PodGroup " GROUP_NAME "\n", "", NULL},
    /* of a Workload that cannot change while pods run it is not: it would have other counts */
    {W, NULL, NULL, GOOD_1_36,
     WORKLOAD_1_36(OURS, TEMPLATES("4", ""))
         LIVE_JOB("," UID_OF_JOB, "'jobsStatus':[{'name':'node','active':1}]"),
     "Conflict Workload my-job\n", "ObjectHeldBack ImmutableField", NULL},
    /* left over of the hashed name style, with its group */
    {W, NULL, NULL, GOOD_1_37,
     LIVE_1_37("8") LIVE(V1BETA1, "Workload", "my-job-x", OURS, "")
         LIVE(V1BETA1, "PodGroup", "my-job-x-g", OURS, "")
             LIVE(V1ALPHA3, "PodGroup", "my-job-x-g", OURS, ""),
     BOTH(Leave) "Delete PodGroup my-job-x-g\nDelete Workload my-job-x\n", "", NULL},
};

START_TEST(immutable_fields)
{
    check_reconciliation(&drifts[_i]);
}
END_TEST

#define TEMPLATE(list, fields) "{'" list "':[{'name':'a'," fields "}]}"

/* kubernetes/api:scheduling, field by field: what each version refuses to change, by "field is
 * immutable". */
static const struct {
    const char *version;
    const char *kind;
    const char *rendered, *live;
    const char *frozen; /* the field; NULL: none, it is written */
} fields[] = {
    {V1ALPHA1, "Workload", "{'controllerRef':{'name':'a'}}", "{}", NULL},
    {V1ALPHA1, "Workload", "{'controllerRef':{'name':'a'}}", "{'controllerRef':{'name':'b'}}",
     "controllerRef"},
    {V1ALPHA1, "Workload", TEMPLATE("podGroups", "'policy':{'gang':{'minCount':1}}"),
     TEMPLATE("podGroups", "'policy':{'gang':{'minCount':2}}"), "podGroups"},
    {V1ALPHA2, "Workload", "{'controllerRef':{'name':'a'}}", "{}", "controllerRef"},
    {V1ALPHA2, "Workload",
     TEMPLATE("podGroupTemplates", "'schedulingPolicy':{'gang':{'minCount':1}}"),
     TEMPLATE("podGroupTemplates", "'schedulingPolicy':{'gang':{'minCount':2}}"),
     "podGroupTemplates"},
    {V1ALPHA2, "PodGroup", "{'podGroupTemplateRef':{'workload':{'workloadName':'a'}}}",
     "{'podGroupTemplateRef':{'workload':{'workloadName':'b'}}}", "podGroupTemplateRef"},
    {V1ALPHA2, "PodGroup", "{'schedulingPolicy':{'gang':{'minCount':1}}}",
     "{'schedulingPolicy':{'gang':{'minCount':2}}}", "schedulingPolicy"},
    {V1ALPHA2, "PodGroup", "{'podGroupTemplateRef':{'workload':{'workloadName':'a'}}}", "{}",
     "podGroupTemplateRef"},
    {V1ALPHA2, "PodGroup", "{'schedulingPolicy':{'gang':{'minCount':1}}}", "{}",
     "schedulingPolicy"},
    {V1ALPHA2, "PodGroup", "{'resourceClaims':[{'name':'a'}]}", "{'resourceClaims':[]}",
     "resourceClaims"},
    {V1ALPHA2, "Workload", TEMPLATE("podGroupTemplates", "'schedulingPolicy':{'basic':{}}"), "{}",
     "podGroupTemplates"},
    {V1ALPHA2, "PodGroup", "{'schedulingConstraints':{'topology':[{'key':'a'}]}}",
     "{'schedulingConstraints':{'topology':[{'key':'b'}]}}", "schedulingConstraints"},
    {V1ALPHA2, "PodGroup", "{'resourceClaims':[{'name':'a'}]}", "{'resourceClaims':[{'name':'b'}]}",
     "resourceClaims"},
    {V1ALPHA2, "PodGroup", "{}", "{'disruptionMode':'PodGroup'}", "disruptionMode"},
    {V1ALPHA2, "PodGroup", "{'priorityClassName':'a'}", "{'priorityClassName':'b'}",
     "priorityClassName"},
    {V1ALPHA2, "PodGroup", "{'priority':1}", "{'priority':2}", "priority"},
    {V1ALPHA3, "Workload", "{'controllerRef':{'name':'a'}}", "{}", "controllerRef"},
    {V1ALPHA3, "Workload",
     TEMPLATE("podGroupTemplates", "'schedulingPolicy':{'gang':{'minCount':1}}"),
     TEMPLATE("podGroupTemplates", "'schedulingPolicy':{'gang':{'minCount':2}}"), NULL},
    {V1ALPHA3, "Workload",
     TEMPLATE("compositePodGroupTemplates",
              "'podGroupTemplates':[{'name':'b','schedulingPolicy':{'gang':{'minCount':1}}}]"),
     TEMPLATE("compositePodGroupTemplates",
              "'podGroupTemplates':[{'name':'b','schedulingPolicy':{'gang':{'minCount':2}}}]"),
     NULL},
    {V1ALPHA3, "Workload",
     TEMPLATE("compositePodGroupTemplates", "'schedulingPolicy':{'gang':{'minGroupCount':1}}"),
     TEMPLATE("compositePodGroupTemplates", "'schedulingPolicy':{'gang':{'minGroupCount':2}}"),
     "compositePodGroupTemplates"},
    {V1ALPHA3, "CompositePodGroup", "{'schedulingPolicy':{'gang':{'minGroupCount':1}}}",
     "{'schedulingPolicy':{'gang':{'minGroupCount':2}}}", "schedulingPolicy"},
    {V1BETA1, "PodGroup", "{'parentCompositePodGroupName':'a'}", "{}",
     "parentCompositePodGroupName"},
    {V1BETA1, "PodGroup", "{'workloadRef':{'workloadName':'a'}}",
     "{'workloadRef':{'workloadName':'b'}}", "workloadRef"},
    {V1BETA1, "PodGroup", "{'schedulingPolicy':{'gang':{'minCount':1}}}",
     "{'schedulingPolicy':{'gang':{'minCount':2}}}", NULL},
    {V1BETA1, "PodGroup", "{'schedulingPolicy':{'basic':{}}}",
     "{'schedulingPolicy':{'gang':{'minCount':2}}}", "schedulingPolicy"},
    {V1BETA1, "PodGroup", "{}", "{'schedulingConstraints':{'topology':[{'key':'b'}]}}",
     "schedulingConstraints"},
    {V1BETA1, "PodGroup", "{'resourceClaims':[{'name':'a'}]}", "{'resourceClaims':[{'name':'b'}]}",
     "resourceClaims"},
    {V1BETA1, "PodGroup", "{'disruptionMode':{'single':{}}}", "{'disruptionMode':{'all':{}}}",
     "disruptionMode"},
    {V1BETA1, "PodGroup", "{'priorityClassName':'a'}", "{'priorityClassName':'b'}",
     "priorityClassName"},
    {V1BETA1, "PodGroup", "{'priority':1}", "{'priority':2}", "priority"},
    {V1BETA1, "PodGroup", "{'preemptionPolicy':'Never'}",
     "{'preemptionPolicy':'PreemptLowerPriority'}", "preemptionPolicy"},
};

START_TEST(every_field_has_an_update_rule)
{
    struct update_run run = update_open(&kai_backend, false, NULL);
    struct update_result result;

    run.call.gang = &run.gang;
    run.call.api_version = slice_from_text(fields[_i].version);
    run.rules =
        backend_update_rules(workload_backend.updates, &run.call, slice_from_text(fields[_i].kind));
    result = update_of(&run, "{}", fields[_i].rendered, "{}", fields[_i].live);
    ck_assert(result.is_changed);
    ck_assert_uint_eq(result.num_frozen, fields[_i].frozen != NULL);
    if (fields[_i].frozen)
        ck_slice_eq(result.frozen[0]->name, fields[_i].frozen);
    update_close(&run);
}
END_TEST

#define COUNT_OF_GROUPS(count) "{'schedulingPolicy':{'gang':{'minGroupCount':" count "}}}"
#define COUNT_IN_TEMPLATE(count)                                                                   \
    TEMPLATE("compositePodGroupTemplates",                                                         \
             "'schedulingPolicy':{'gang':{'minGroupCount':" count "}}")

/* minGroupCount is mutable in kubernetes/api:scheduling/v1beta1/types.go@v0.38.0-beta.0, and not in
 * v1alpha3 of @v0.37.2. Without a release it is not known to be. */
static const struct {
    const char *release; /* NULL: not known */
    const char *kind;
    const char *rendered, *live;
    bool is_mutable;
} group_counts[] = {
    {NULL, "CompositePodGroup", COUNT_OF_GROUPS("1"), COUNT_OF_GROUPS("2"), false},
    {"1.37", "CompositePodGroup", COUNT_OF_GROUPS("1"), COUNT_OF_GROUPS("2"), false},
    {"1.38", "CompositePodGroup", COUNT_OF_GROUPS("1"), COUNT_OF_GROUPS("2"), true},
    {"1.37", "Workload", COUNT_IN_TEMPLATE("1"), COUNT_IN_TEMPLATE("2"), false},
    {"1.38", "Workload", COUNT_IN_TEMPLATE("1"), COUNT_IN_TEMPLATE("2"), true},
};

START_TEST(group_counts_change_since_1_38)
{
    struct update_run run = update_open(&kai_backend, false, NULL);
    struct gang_cluster *cluster = NULL;
    struct update_result result;
    char text[DOCUMENT_SIZE];

    if (group_counts[_i].release) {
        snprintf(text, sizeof(text),
                 "{\"apiVersion\":\"policy.libgang.dev/v1alpha1\",\"kind\":\"GangCluster\","
                 "\"metadata\":{\"name\":\"c\"},\"spec\":{\"kubernetesVersion\":\"%s\"}}",
                 group_counts[_i].release);
        ck_assert_int_eq(parse_cluster(NULL, text, strlen(text), 0, &cluster, NULL), GANG_OK);
    }
    run.call.gang = &run.gang;
    run.call.cluster = cluster;
    run.call.api_version = slice_from_text(V1BETA1);
    run.rules = backend_update_rules(workload_backend.updates, &run.call,
                                     slice_from_text(group_counts[_i].kind));
    result = update_of(&run, "{}", group_counts[_i].rendered, "{}", group_counts[_i].live);
    ck_assert(result.is_changed);
    ck_assert_uint_eq(result.num_frozen, !group_counts[_i].is_mutable);
    update_close(&run);
    unref_cluster(cluster);
}
END_TEST

/*
 * All at once, in the order of the API's types. The live PodGroup has another creator, and only
 * default values.
 */
static const struct {
    const char *version;
    const char *kind;
    const char *rendered;
    const char *frozen;
} orders[] = {
    {V1ALPHA1, "Workload", "{'controllerRef':{'name':'a'},'podGroups':[{'name':'a'}]}",
     "controllerRef podGroups "},
    {V1ALPHA2, "Workload", "{'controllerRef':{'name':'a'},'podGroupTemplates':[{'name':'a'}]}",
     "controllerRef podGroupTemplates "},
    {V1ALPHA3, "Workload",
     "{'controllerRef':{'name':'a'},'podGroupTemplates':[{'name':'a'}],"
     "'compositePodGroupTemplates':[{'name':'a'}]}",
     "controllerRef podGroupTemplates compositePodGroupTemplates "},
    {V1ALPHA2, "PodGroup",
     "{'podGroupTemplateRef':{'workload':{'workloadName':'a'}},'schedulingPolicy':{'basic':{}},"
     "'schedulingConstraints':{'topology':[{'key':'a'}]},'resourceClaims':[{'name':'a'}],'"
     "disruptionMode':'"
     "Pod',"
     "'priorityClassName':'a','priority':1}",
     "podGroupTemplateRef schedulingPolicy schedulingConstraints resourceClaims disruptionMode "
     "priorityClassName priority "},
    {V1BETA1, "PodGroup",
     "{'parentCompositePodGroupName':'a','workloadRef':{'workloadName':'a'},'schedulingPolicy':{'"
     "basic':{}},"
     "'schedulingConstraints':{'topology':[{'key':'a'}]},'resourceClaims':[{'name':'a'}],"
     "'disruptionMode':{'single':{}},'priorityClassName':'a','priority':1,'preemptionPolicy':'"
     "Never'}",
     "parentCompositePodGroupName workloadRef schedulingPolicy schedulingConstraints "
     "resourceClaims "
     "disruptionMode priorityClassName priority preemptionPolicy "},
};

START_TEST(immutable_fields_are_reported_in_order)
{
    static const char stranger[] =
        "{'controllerRef':{'name':'x'},'schedulingConstraints':{},'resourceClaims':[],'"
        "disruptionMode':'"
        "PodGroup','priority':9,"
        "'priorityClassName':'x','preemptionPolicy':'x','parentCompositePodGroupName':'x'}";
    struct update_run run = update_open(&kai_backend, false, NULL);
    struct update_result result;
    const char *told = "";

    run.call.gang = &run.gang;
    run.call.api_version = slice_from_text(orders[_i].version);
    run.rules =
        backend_update_rules(workload_backend.updates, &run.call, slice_from_text(orders[_i].kind));
    result = update_of(&run, "{}", orders[_i].rendered, "{}", stranger);
    for (size_t i = 0; i < result.num_frozen; i++)
        told = arena_format(run.arena, "%s%.*s ", told, SLICE_ARG(result.frozen[i]->name));
    check_text(told, orders[_i].frozen);
    update_close(&run);
}
END_TEST

/* Nor may a first value come later, where the server is known to keep the field. */
static const struct {
    const char *version;
    const char *rendered;
    const char *frozen;
} first_values[] = {
    {V1ALPHA2, "{'schedulingConstraints':{'topology':[{'key':'a'}]}}", "schedulingConstraints"},
    {V1ALPHA2, "{'resourceClaims':[{'name':'a'}]}", "resourceClaims"},
    {V1ALPHA2, "{'disruptionMode':'PodGroup'}", "disruptionMode"},
    {V1ALPHA2, "{'priorityClassName':'a'}", "priorityClassName"},
    {V1ALPHA2, "{'priority':1}", "priority"},
    {V1BETA1, "{'workloadRef':{'workloadName':'a'}}", "workloadRef"},
    {V1BETA1, "{'parentCompositePodGroupName':'a'}", "parentCompositePodGroupName"},
    {V1BETA1, "{'schedulingPolicy':{'gang':{'minCount':1}}}", "schedulingPolicy"},
    {V1BETA1, "{'schedulingConstraints':{'topology':[{'key':'a'}]}}", "schedulingConstraints"},
    {V1BETA1, "{'resourceClaims':[{'name':'a'}]}", "resourceClaims"},
    {V1BETA1, "{'disruptionMode':{'all':{}}}", "disruptionMode"},
    {V1BETA1, "{'priorityClassName':'a'}", "priorityClassName"},
    {V1BETA1, "{'priority':1}", "priority"},
    {V1BETA1, "{'preemptionPolicy':'Never'}", "preemptionPolicy"},
};

START_TEST(a_first_value_is_refused_too)
{
    struct update_run run = update_open(&kai_backend, false, NULL);
    struct update_result result;

    run.cluster = workload_cluster(
        run.arena,
        "'featureGates':{'TopologyAwareWorkloadScheduling':true,'WorkloadAwarePreemption':true,"
        "'DRAWorkloadResourceClaims':true,'PodGroupPreemptionPolicy':true}");
    run.call.cluster = run.cluster;
    run.call.gang = &run.gang;
    run.call.api_version = slice_from_text(first_values[_i].version);
    run.rules = backend_update_rules(workload_backend.updates, &run.call, SLICE("PodGroup"));
    result = update_of(&run, "{}", first_values[_i].rendered, "{}", "{}");
    ck_assert_uint_eq(result.num_frozen, 1);
    ck_slice_eq(result.frozen[0]->name, first_values[_i].frozen);
    update_close(&run);
}
END_TEST

/*
 * The uid of a Workload that stays owns a new PodGroup; of one that is created again it is not
 * known yet. An existing PodGroup keeps its owners.
 */
static const struct {
    const char *live;
    bool is_owned;
} second_owners[] = {
    {"", false},
    {WORKLOAD_1_37(OURS, TEMPLATES("8", "")), true},
    {WORKLOAD_1_37(OURS, TEMPLATES("8", "")) GROUP_1_37(OURS, "8", ""), false},
    {WORKLOAD_1_37(OURS, TEMPLATES("8", RACK_FIELD)) GROUP_1_37(OURS, "8", ""), false},
    {WORKLOAD_1_37(OURS GOING, TEMPLATES("8", "")), false},
    {WORKLOAD_1_37(OURS GOING, TEMPLATES("4", "")) NODES_RUN, false}, /* stays until they end */
    {WORKLOAD_1_37(",'ownerReferences':[" OWNER_OF("Job", "j-1") "]", TEMPLATES("8", "")), false},
};

START_TEST(the_workload_owns_its_groups)
{
    const struct reconciliation row = {W,  NULL, NULL, GOOD_1_37, second_owners[_i].live,
                                       "", "",   NULL};
    struct comparison comparison = compare_live(&row);
    /* Nothing is created below a Workload of another owner. */
    const struct node *group = comparison.reconciled->content.num_objects > 1
                                   ? comparison.reconciled->content.objects[1].manifest
                                   : NULL;
    const struct node *second = node_item(node_at(group, "metadata.ownerReferences"), 1);

    ck_assert_int_eq(second != NULL, second_owners[_i].is_owned);
    if (second)
        ck_slice_eq(node_string(node_member(second, SLICE("uid"))), "o-1");
    end_comparison(&comparison);
}
END_TEST

/* The server's own words, at the place in what was passed in. */
static const struct {
    const char *cluster, *live, *path, *message;
} refusals[] = {
    {GOOD_1_36, LIVE_1_36("4") WAITING_POD, "spec.podGroupTemplates",
     "Invalid value: [...]: field is immutable; pods of the gang exist"},
    {GOOD_1_37,
     WORKLOAD_1_37(OURS, "'podGroupTemplates':[{'name':'trainer','schedulingPolicy':" GANG(
                             "8") "}]") WAITING_POD NODES_RUN,
     "spec.controllerRef", "Invalid value: null: field is immutable; pods of the gang exist"},
};

START_TEST(refusal_has_the_message_of_the_api_server)
{
    const struct reconciliation row = {W,  NULL, NULL, refusals[_i].cluster, refusals[_i].live,
                                       "", "",   NULL};
    struct comparison comparison = compare_live(&row);
    bool is_there = false;

    for (size_t i = 0; i < gang_error_num_diagnostics(comparison.error); i++) {
        const struct gang_diagnostic *finding = gang_error_get_diagnostic(comparison.error, i);

        if (gang_diagnostic_get_code(finding) != GANG_CODE_IMMUTABLE_FIELD ||
            strcmp(gang_diagnostic_get_path(finding), refusals[_i].path) != 0)
            continue;
        is_there = true;
        ck_assert_str_eq(gang_diagnostic_get_message(finding), refusals[_i].message);
        ck_assert_uint_eq(gang_diagnostic_get_line(finding), 1);
    }
    ck_assert(is_there);
    end_comparison(&comparison);
}
END_TEST

/* ---- workload options ---- */

START_TEST(defaults_are_those_of_the_table)
{
    struct workload_options options = workload_options_read(NULL);

    ck_assert(!options.is_hashed && !options.by_role && !options.composite &&
              !options.groups_initializers);
    ck_assert_int_eq(options.late, LATE_JOIN);
    ck_assert_ptr_null(options.topology_key);
    ck_assert_ptr_null(options.disruption_mode);
    ck_assert_ptr_null(options.preemption_policy);
    ck_assert_ptr_null(options.resource_claims);
}
END_TEST

/* Each option, at its default and at the other values. */
static const struct {
    const char *text;
    bool is_hashed, by_role, composite, groups_initializers;
    enum gang_late late;
} choices[] = {
    {"{'nameStyle':'Plain','lateMembers':'Join','initializers':'Outside','groups':'Job','composite'"
     ":'Never'}",
     false, false, false, false, LATE_JOIN},
    {"{'nameStyle':'Hashed'}", true, false, false, false, LATE_JOIN},
    {"{'groups':'Role'}", false, true, false, false, LATE_JOIN},
    {"{'composite':'WhereServed'}", false, false, true, false, LATE_JOIN},
    {"{'initializers':'Basic'}", false, false, false, true, LATE_JOIN},
    {"{'lateMembers':'Exclude'}", false, false, false, false, LATE_EXCLUDE},
    {"{'lateMembers':'Error'}", false, false, false, false, LATE_REFUSE},
};

START_TEST(reads_every_choice)
{
    struct arena *arena = arena_new(0);
    struct workload_options options = workload_options_read(workload_tree(arena, choices[_i].text));

    ck_assert_int_eq(options.is_hashed, choices[_i].is_hashed);
    ck_assert_int_eq(options.by_role, choices[_i].by_role);
    ck_assert_int_eq(options.composite, choices[_i].composite);
    ck_assert_int_eq(options.groups_initializers, choices[_i].groups_initializers);
    ck_assert_int_eq(options.late, choices[_i].late);
    arena_free(arena);
}
END_TEST

#define CLAIM(name) "{'name':'" name "','resourceClaimName':'c'}"

static const struct {
    const char *text;
    const char *findings;
} blocks[] = {
    {"{}", ""},
    {"{'topologyKey':'topology.kubernetes.io/"
     "zone','disruptionMode':'All','preemptionPolicy':'Never',"
     "'resourceClaims':[" CLAIM("a") "," CLAIM("b") "," CLAIM("c") "," CLAIM("d") "]}",
     ""},
    {"{'disruptionMode':'Single','preemptionPolicy':'PreemptLowerPriority','resourceClaims':[]}",
     ""},
    {"{'nameStyle':'plain'}", "UnsupportedValue"},
    {"{'lateMembers':'Refuse'}", "UnsupportedValue"},
    {"{'initializers':'Gang'}", "UnsupportedValue"},
    {"{'groups':'Pod'}", "UnsupportedValue"},
    {"{'composite':'Always'}", "UnsupportedValue"},
    {"{'disruptionMode':'PodGroup'}", "UnsupportedValue"},
    {"{'preemptionPolicy':'never'}", "UnsupportedValue"},
    /* the number of a priority must not be set */
    {"{'priority':1000}", "UnknownField"},
    {"{'topologyKey':''}", "RequiredField"},
    {"{'topologyKeys':'zone'}", "UnknownField"},
    {"{'resourceClaims':[{'resourceClaimName':'c'}]}", "RequiredField"},
    {"{'resourceClaims':[" CLAIM("a") "," CLAIM("a") "]}", "DuplicateItem"},
    {"{'resourceClaims':[" CLAIM("a") "," CLAIM("b") "," CLAIM("c") "," CLAIM("d") "," CLAIM(
         "e") "]}",
     "TooManyItems"},
};

START_TEST(checks_a_policy_block)
{
    struct job job = job_make("node");

    schema_check(workload_descriptor.options, workload_tree(job.arena, blocks[_i].text),
                 &job.report);
    ck_assert_str_eq(job_findings(&job), blocks[_i].findings);
    job_free(&job);
}
END_TEST

void
add_tests(TCase *cases)
{
    add_rows(cases, follows_the_lifecycle, events, gang_policy, trainjob, policy);
    add_rows(cases, immutable_fields, drifts, gang_policy, trainjob, policy);
    add_rows(cases, group_counts_change_since_1_38, group_counts, release, kind);
    add_rows(cases, every_field_has_an_update_rule, fields, version, kind, rendered);
    add_rows(cases, a_first_value_is_refused_too, first_values, version, rendered);
    add_rows(cases, immutable_fields_are_reported_in_order, orders, version, kind, rendered);
    add_rows(cases, the_workload_owns_its_groups, second_owners, live);
    add_rows(cases, refusal_has_the_message_of_the_api_server, refusals, cluster, live);
    tcase_add_test(cases, defaults_are_those_of_the_table);
    add_rows(cases, reads_every_choice, choices, text);
    add_rows(cases, checks_a_policy_block, blocks, text);
}
