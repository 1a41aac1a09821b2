/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TESTS_UNIT_GROVE_RESOLUTIONS_H
#define TESTS_UNIT_GROVE_RESOLUTIONS_H

#include "unit/resolutions.h"
#include "unit/typed.h"

/*
 * The same rows for Grove: a PodGang of two podgroups, a `router` pod that asks for cpu and two
 * `decode` pods that ask for GPUs by their limits, and the PodCliqueSet that it belongs to. The
 * slots:
 *
 *   documents     `podgang` or `set`: that one alone
 *   scheduler     of the PodGang's label; `-` for none
 *   namespace     of both; `-` for none
 *   labels        members of the PodGang's metadata.labels, each with a comma behind
 *   annotations   members of the PodGang's metadata.annotations
 *   podgang       members of the PodGang's spec, each with a comma behind
 *   set           members of the PodCliqueSet's metadata, each with a comma before
 *   template      members of its spec.template, each with a comma behind
 *   router        members of the clique's pod spec, each with a comma behind
 *   flags         `fall-back`
 *
 * Every document stands on one line.
 */
#define GROVE_RESOLUTION_PODGANG                                                                   \
    "{'apiVersion':'scheduler.grove.io/"                                                           \
    "v1alpha1','kind':'PodGang','metadata':{'name':'job-0',%s'uid':'u-1',"                         \
    "'labels':{%s%s'app.kubernetes.io/part-of':'job'},'annotations':{%s},"                         \
    "'ownerReferences':[{'apiVersion':'grove.io/"                                                  \
    "v1alpha1','kind':'PodCliqueSet','name':'job','uid':'u-2',"                                    \
    "'controller':true}]},'spec':{%s'podgroups':["                                                 \
    "{'name':'job-0-router','minReplicas':1,'podReferences':[]},"                                  \
    "{'name':'job-0-decode','minReplicas':2,'podReferences':[]}]}}"
#define GROVE_RESOLUTION_SET                                                                       \
    "{'apiVersion':'grove.io/v1alpha1','kind':'PodCliqueSet','metadata':{%s'name':'job'%s},"       \
    "'spec':{'template':{%s'cliques':["                                                            \
    "{'name':'router','spec':{'roleName':'r','replicas':1,'podSpec':{%s'containers':[{'name':'m'," \
    "'resources':{'requests':{'cpu':'500m'}}}]}}},"                                                \
    "{'name':'decode','spec':{'roleName':'d','replicas':2,'podSpec':{'containers':[{'name':'m',"   \
    "'resources':{'limits':{'nvidia.com/gpu':4}}}]}}}]}}}"

static inline const char *
grove_resolution_member(const char *format, const char *value, char out[RESOLUTION_SLOT_SIZE])
{
    if (strcmp(value, "-") == 0)
        return "";
    snprintf(out, RESOLUTION_SLOT_SIZE, "'%s':'%.200s',", format, value);
    return out;
}

static inline void
grove_resolution_write_podgang(const char *job, char out[DOCUMENT_SIZE])
{
    static char slots[5][RESOLUTION_SLOT_SIZE];
    char namespace_[RESOLUTION_SLOT_SIZE];
    char scheduler[RESOLUTION_SLOT_SIZE];
    char text[DOCUMENT_SIZE];

    snprintf(text, sizeof(text), GROVE_RESOLUTION_PODGANG,
             grove_resolution_member("namespace", resolution_slot(job, "namespace", "ml", slots[0]),
                                     namespace_),
             grove_resolution_member("grove.io/scheduler-name",
                                     resolution_slot(job, "scheduler", "volcano", slots[1]),
                                     scheduler),
             resolution_slot(job, "labels", "", slots[2]),
             resolution_slot(job, "annotations", "", slots[3]),
             resolution_slot(job, "podgang", "", slots[4]));
    spell(out, text);
}

static inline void
grove_resolution_write_set(const char *job, char out[DOCUMENT_SIZE])
{
    static char slots[4][RESOLUTION_SLOT_SIZE];
    char namespace_[RESOLUTION_SLOT_SIZE];
    char text[DOCUMENT_SIZE];

    snprintf(text, sizeof(text), GROVE_RESOLUTION_SET,
             grove_resolution_member("namespace", resolution_slot(job, "namespace", "ml", slots[0]),
                                     namespace_),
             resolution_slot(job, "set", "", slots[1]),
             resolution_slot(job, "template", "", slots[2]),
             resolution_slot(job, "router", "", slots[3]));
    spell(out, text);
}

/* Ends with end_run(). */
static inline struct run
run_grove_resolution(const struct resolution *row)
{
    static struct resolution_texts texts;
    char slot[RESOLUTION_SLOT_SIZE];
    const char *documents = resolution_slot(row->job, "documents", "", slot);
    bool with_podgang = strcmp(documents, "set") != 0;
    bool with_set = strcmp(documents, "podgang") != 0;
    uint32_t flags = strstr(row->job, "flags=fall-back") ? GANG_RESOLVE_FALL_BACK : 0;
    struct gang_podgang *podgang = NULL;
    struct gang_podcliqueset *set = NULL;
    struct gang_cluster *cluster;
    struct run run = {0};

    grove_resolution_write_podgang(row->job, texts.trainjob);
    grove_resolution_write_set(row->job, texts.runtime);
    if (with_podgang)
        run.result =
            parse_podgang(NULL, texts.trainjob, strlen(texts.trainjob), 0, &podgang, &run.error);
    resolution_must_parse(run.result, run.error, texts.trainjob);
    if (with_set)
        run.result =
            parse_podcliqueset(NULL, texts.runtime, strlen(texts.runtime), 0, &set, &run.error);
    resolution_must_parse(run.result, run.error, texts.runtime);
    cluster = resolution_read_policy(row, &texts, &run);
    run.result = resolve_podgang_with(NULL, podgang, set, run.policy, cluster, flags, &run.decision,
                                      &run.error);
    unref_cluster(cluster);
    unref_podcliqueset(set);
    unref_podgang(podgang);
    ck_assert_ptr_nonnull(run.decision);
    return run;
}

/* Outcome and findings. */
static inline void
check_grove_outcome(const struct resolution *row)
{
    struct run run = run_grove_resolution(row);

    check_outcome_of(&run, row);
    end_run(&run);
}

static inline void
check_grove_resolution(const struct resolution *row, enum trace_attribute attribute)
{
    check_run(run_grove_resolution(row), row, attribute);
}

#endif
