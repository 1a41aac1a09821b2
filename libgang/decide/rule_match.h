/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LIBGANG_DECIDE_RULE_MATCH_H
#define LIBGANG_DECIDE_RULE_MATCH_H

#include "libgang/decide/decision.h"
#include "libgang/gang/gang.h"
#include "libgang/policy/cluster.h"
#include "libgang/policy/policy.h"

/* What rules and constraints ask of a job. Everything is borrowed. */
struct match_facts {
    struct slice namespace_;   /* unset: not known */
    struct slice runtime;      /* its name */
    struct slice framework;    /* value of the runtime's label; unset without it */
    const struct node *labels; /* of the trainjob or podgang */
    const struct node *runtime_labels;
    int64_t nodes;
    bool is_podgang; /* which has no runtime and no nodes: a match that asks for them is not about
                        it */
    bool is_kueue_managed;
    const struct gang *gang; /* its roles request something */
    const struct gang_cluster *cluster;
    const struct node *metadata; /* of the trainjob or podgang, for findings */
};

/* MATCH_UNKNOWN: what would decide is not known, so the answer must be an error. */
enum match_answer { MATCH_NO, MATCH_YES, MATCH_UNKNOWN };

/*
 * Whether a job is meant: every part of `match` agrees and, with an exclude in force, some part of
 * that does not. What is known stands before what is not: UNKNOWN is answered only when nothing
 * that is known decides.
 */
enum match_answer match_decide(const struct policy_match *match, const struct policy_match *exclude,
                               const struct match_facts *facts);

/* Reports why match_decide() could not tell. `owner` is how the message calls the rule: `rule
 * prod`. */
void match_report_unknown(const struct policy_match *match, const struct policy_match *exclude,
                          const struct match_facts *facts, const char *owner,
                          struct report *report);

/*
 * The first rule that matches, NULL for none. One that cannot be decided is reported and ends the
 * search: `*undecided` is set and no rule is returned.
 */
const struct policy_rule *rule_match_first(const struct gang_policy *policy,
                                           const struct match_facts *facts, bool *undecided,
                                           struct report *report);

/*
 * What a decision's documents say that a policy may ask: trainjob and runtime, or the PodGang, for
 * which its PodCliqueSet stands in where it is alone. The roles must stand in the decision's gang.
 */
struct match_facts job_facts_of(const struct gang_decision *decision);

/* Whose namespace and labels decide. */
const struct object_meta *job_facts_meta(const struct gang_decision *decision);

/* The name of the Kueue queue that the job waits in; NULL when Kueue does not manage it. */
const struct node *job_facts_kueue_queue(const struct gang_decision *decision);

#endif
