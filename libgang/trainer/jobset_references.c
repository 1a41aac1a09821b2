/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/trainer/jobset_references.h"

#include "libgang/document/finding.h"
#include "libgang/kube/names.h"

static void
check_reference(const struct jobset *jobset, const struct node *name, const char *sentence,
                struct report *report)
{
    if (name && !jobset_find(jobset, node_string(name)))
        find_invalid(report, GANG_CODE_UNKNOWN_ROLE, name, "write the name of one of the replicatedJobs",
                     "%s", sentence);
}

static void
check_targets(const struct jobset *jobset, const struct node *policy, const char *sentence,
              struct report *report)
{
    for (NODE_EACH(name, node_member(policy, SLICE("targetReplicatedJobs"))))
        check_reference(jobset, name, sentence, report);
}

static void
check_dns_name(enum name_rule rule, const struct node *name, struct report *report)
{
    struct name_problems problems;

    if (!node_string(name).len || name_check(rule, node_string(name), &problems))
        return;
    for (size_t i = 0; i < problems.count; i++)
        find_invalid(report, GANG_CODE_INVALID_ROLE_NAME, name, NULL, "%s", problems.text[i]);
}

void
jobset_references_check(const struct jobset *jobset, struct report *report)
{
    const struct node *subdomain = node_at(jobset->source, "network.subdomain");

    check_targets(jobset, node_member(jobset->source, SLICE("successPolicy")),
                  "invalid replicatedJob name does not appear in .spec.ReplicatedJobs", report);
    for (NODE_EACH(rule, node_at(jobset->source, "failurePolicy.rules")))
        check_targets(jobset, rule,
                      "invalid replicatedJob name in failure policy does not appear in .spec.ReplicatedJobs",
                      report);
    check_reference(jobset, node_at(jobset->source, "coordinator.replicatedJob"),
                    "coordinator replicatedJob does not exist", report);
    check_dns_name(NAME_DNS1123_SUBDOMAIN, subdomain, report);
    check_dns_name(NAME_DNS1035_LABEL, subdomain, report);
    for (size_t i = 0; i < jobset->count; i++)
        check_dns_name(NAME_DNS1035_LABEL, node_member(jobset->jobs[i].source, SLICE("groupName")), report);
}
