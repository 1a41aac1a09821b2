/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LIBGANG_DECIDE_PODGANG_CHOICE_H
#define LIBGANG_DECIDE_PODGANG_CHOICE_H

#include "libgang/decide/choice.h"
#include "libgang/decide/decision.h"
#include "libgang/grove/scheduler.h"

/* A scheduler that is enabled for the pods of Grove. */
struct podgang_scheduler {
    struct slice name;                   /* of the scheduler, as pods name it; unset: none was found */
    const struct grove_scheduler *rules; /* Grove's own for it */
    const struct backend *backend;       /* NULL: it has no gangs */
    const struct policy_backend *entry;  /* that enables it; NULL without one */
    bool is_strict;                      /* the policy chose it, whatever the documents name */
};

/*
 * Chooses the scheduler as Grove does: by the PodGang's label, else by the templates of the PodCliqueSet, else the
 * default, which the policy's rule for the PodGang may name; the cliques must agree, and the scheduler be enabled. A rule
 * that overrides stands before all of them. A label that names no enabled scheduler is an error, or, with
 * GANG_RESOLVE_FALL_BACK, a warning after which the default stands in, as in Grove's reconciler. Without a name after
 * errors, and where the rule skips or denies the PodGang.
 */
struct podgang_scheduler podgang_choose(const struct gang_decision *decision, struct report *report);

/* Whether a scheduler of this name is enabled; without a policy all of Grove's are. */
bool podgang_enables(const struct gang_policy *policy, struct slice name);

/* The names of all that are enabled, for messages. */
const char *podgang_enabled_names(const struct gang_policy *policy, struct arena *arena);

/* Writes down what became of the label, the templates and the default. */
void podgang_choice_trace(const struct gang_decision *decision, struct trace *trace);

/*
 * Gives the gang of a PodGang what its scheduler and the policy decide: the queue that a rule with override Always makes,
 * else that of the documents, of a rule, of the policy's defaults, of Grove; so with the priority class; timeout and
 * topology, which no object of Grove's schedulers takes from a policy, so that they are reported as lost. A queue that the
 * documents lack is an error only where no policy makes one.
 */
void podgang_attributes_choose(struct gang_decision *decision, const struct podgang_scheduler *scheduler);

/* Writes down where queue, priority, timeout, members and topology come from. */
void podgang_attributes_trace(const struct gang_decision *decision, struct trace *trace);

/* Writes down where everything about the gang of a PodGang comes from. */
void podgang_trace(const struct gang_decision *decision, struct trace *trace);

#endif
