/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LIBGANG_DECIDE_RULE_MATCH_H
#define LIBGANG_DECIDE_RULE_MATCH_H

#include "libgang/decide/decision.h"

/* The values of a job that rules and constraints match. Everything is borrowed. */
struct match_facts {
    struct slice namespace_;   /* unset if not known */
    struct slice runtime;      /* its name */
    struct slice framework;    /* value of the runtime's label; unset if absent */
    const struct node *labels; /* of the job */
    const struct node *runtime_labels;
    int64_t nodes;      /* of a TrainJob; pods in the gang of another job; 0 for a PodGang */
    job_kind_set kinds; /* of the job, and of the owner of a GangJob */
    bool is_kueue_managed;
    const struct gang_wishes *wishes; /* with the requests of the roles */
    const struct gang_cluster *cluster;
    const struct node *metadata; /* of the job, for findings */
    struct arena *arena;         /* whose budget of steps comparing draws from */
};

/*
 * MATCH_UNKNOWN: a value that the result depends on is not known, so the caller must report an
 * error.
 */
enum match_answer { MATCH_NO, MATCH_YES, MATCH_UNKNOWN };

/*
 * Whether a rule applies to a job: every part of `match` matches and, if there is an exclude, some
 * part of it does not. Known values have precedence: UNKNOWN is returned only if no known value
 * decides.
 */
enum match_answer match_decide(const struct policy_match *match, const struct policy_match *exclude,
                               const struct match_facts *facts);

/*
 * Reports why match_decide() returned MATCH_UNKNOWN. `owner` is the name of the rule in the
 * message, such as `rule prod`.
 */
void match_report_unknown(const struct policy_match *match, const struct policy_match *exclude,
                          const struct match_facts *facts, const char *owner,
                          struct report *report);

/*
 * Returns the first rule that matches; NULL if none does. A rule that cannot be decided is reported
 * and ends the search: `*undecided` is set and NULL is returned.
 */
const struct policy_rule *rule_match_first(const struct gang_policy *policy,
                                           const struct match_facts *facts, bool *undecided,
                                           struct report *report);

/*
 * Returns the values that a policy can match: of trainjob and runtime, of the PodGang, or of a
 * PodCliqueSet without a PodGang. The roles must be in the decision's wishes.
 */
/* Comparing draws steps from the arena, which must be that of the call. */
struct match_facts job_facts_of(const struct gang_decision *decision, struct arena *arena);

/* The metadata whose namespace and labels the rules match. */
const struct object_meta *job_facts_meta(const struct gang_decision *decision);

/* Returns the name of the Kueue queue of the job; NULL if it names none. */
const struct node *job_facts_kueue_queue(const struct gang_decision *decision);

/*
 * Returns what shows that Kueue manages the job: the name of its queue, or the entry that Kueue's
 * webhook adds to the patches of every trainjob that it manages; NULL if Kueue does not manage it.
 */
const struct node *job_facts_kueue_manager(const struct gang_decision *decision);

#endif
