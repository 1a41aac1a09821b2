/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LIBGANG_CATALOG_OPERATOR_OPTIONS_H
#define LIBGANG_CATALOG_OPERATOR_OPTIONS_H

#include "libgang/base/text.h"

/*
 * An option with which the operator of a kind of job makes a PodGroup of every job itself. It is
 * not in the job: a GangCluster has it in `operatorGangs`.
 */
struct operator_option {
    struct slice key;      /* of the operator in `operatorGangs` */
    const char *operator_; /* for people */
    const char *option;
    struct slice makes; /* the one value with which it makes PodGroups of all jobs; unset: any */
    struct slice none;  /* a value that is as good as no option; unset: there is none */
    /* What is before and behind the name of the job in that of the PodGroup; unset: unknown. */
    struct slice prefix;
    struct slice suffix;
};

extern const struct operator_option operator_option_kuberay;
extern const struct operator_option operator_option_mpi;
extern const struct operator_option operator_option_training;
extern const struct operator_option operator_option_spark;
extern const struct operator_option operator_option_lws;

/* Whether the operator makes PodGroups itself with a value of its option. */
bool operator_option_makes_gangs(const struct operator_option *option, struct slice value);

/* Whether a PodGroup has the name that the operator gives to that of a job. */
bool operator_option_is_group(const struct operator_option *option, struct slice job,
                              struct slice group);

#endif
