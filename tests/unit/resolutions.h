/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TESTS_UNIT_RESOLUTIONS_H
#define TESTS_UNIT_RESOLUTIONS_H

#include "libgang/decide/choice.h"

#include "unit/plans.h"
#include "unit/suite.h"
#include "unit/typed.h"

/*
 * Whole resolves in one row: what a policy's spec holds, what is special about the job, what it
 * comes to, and why.
 *
 * The job has an initializer `data` and, behind it, the trainer `node` of two pods that ask for
 * GPUs and memory. What is special about it are words `slot=text` with `;` between them; the texts
 * go into these places:
 *
 *   runtime.labels   members of the runtime's metadata.labels
 *   gang             podGroupPolicy
 *   template         members of spec.template.metadata
 *   data, node       members of the role's pod spec
 *   ml               members of mlPolicy
 *   namespace        the trainjob's namespace; `-` for none
 *   labels           members of the trainjob's metadata.labels
 *   job              members of the trainjob's spec, each with a comma behind
 *
 * Policy, cluster and trainjob stand on one line each, the runtime on six: 3 is the podGroupPolicy,
 * 4 the template's metadata, 5 the role data, 6 the role node.
 */
struct resolution {
    const char *policy; /* members of spec; NULL: no policy */
    const char *job;
    const char *cluster; /* members of spec; NULL: no cluster facts */
    enum gang_outcome outcome;
    const char
        *findings; /* reasons of errors and warnings in their order, with a space between them */
    const char *trace; /* of the attribute that the test is about */
};

#define RESOLUTION_POLICY                                                                          \
    "{'apiVersion':'policy.libgang.dev/"                                                           \
    "v1alpha1','kind':'GangPolicy','metadata':{'name':'p'},'spec':{%s}}"
#define RESOLUTION_CLUSTER                                                                         \
    "{'apiVersion':'policy.libgang.dev/"                                                           \
    "v1alpha1','kind':'GangCluster','metadata':{'name':'c'},'spec':{%s}}"
#define RESOLUTION_ROLE(name, ancestor, before)                                                    \
    "{'name':'" name "'," before                                                                   \
    "'template':{'metadata':{'labels':{'trainer.kubeflow.org/trainjob-ancestor-step':'" ancestor   \
    "'}},'spec':{'backoffLimit':0,'template':{'spec':{%s'containers':[{'name':'"
#define RESOLUTION_RUNTIME                                                                         \
    "{'apiVersion':'trainer.kubeflow.org/v1alpha1','kind':'ClusterTrainingRuntime',\n"             \
    "'metadata':{'name':'tune','labels':{%s}},'spec':{'mlPolicy':{%s},\n"                          \
    "'podGroupPolicy':%s,\n"                                                                       \
    "'template':{'metadata':{%s},'spec':{'replicatedJobs':[\n" RESOLUTION_ROLE(                    \
        "data", "dataset-initializer", "") "dataset-initializer','image':'i'}]}}}}},"              \
                                           "\n" RESOLUTION_ROLE("node", "trainer",                 \
                                                                "'dependsOn':[{'name':'data','"    \
                                                                "status':'Complete'}],") "node','" \
                                                                                         "image':" \
                                                                                         "'"       \
                                                                                         "i','"    \
                                                                                         "resourc" \
                                                                                         "e"       \
                                                                                         "s':{'"   \
                                                                                         "request" \
                                                                                         "s"       \
                                                                                         "':{"     \
                                                                                         "'memory" \
                                                                                         "'"       \
                                                                                         ":'1Gi'}" \
                                                                                         ","       \
                                                                                         "'limits" \
                                                                                         "'"       \
                                                                                         ":{'"     \
                                                                                         "nvidia." \
                                                                                         "com/"    \
                                                                                         "gpu':"   \
                                                                                         "2}}}]}}" \
                                                                                         "}"       \
                                                                                         "}}]}}}}" \
                                                                                         "\n"
#define RESOLUTION_TRAINJOB                                                                        \
    "{'apiVersion':'trainer.kubeflow.org/"                                                         \
    "v1alpha1','kind':'TrainJob','metadata':{'name':'llama',%s"                                    \
    "'uid':'u-1','labels':{%s}},'spec':{%s'runtimeRef':{'name':'tune'}}}\n"

enum { RESOLUTION_SLOT_SIZE = 2048 };

/* The text of a slot, in `out`; `fallback` when the row does not give it. */
static inline const char *
resolution_slot(const char *job, const char *slot, const char *fallback,
                char out[RESOLUTION_SLOT_SIZE])
{
    size_t len = strlen(slot);

    for (const char *at = job; at && *at; at += strcspn(at, ";"), at += *at == ';')
        if (strncmp(at, slot, len) == 0 && at[len] == '=') {
            snprintf(out, RESOLUTION_SLOT_SIZE, "%.*s", (int)strcspn(at + len + 1, ";"),
                     at + len + 1);
            return out;
        }
    return fallback;
}

struct resolution_texts {
    char runtime[DOCUMENT_SIZE];
    char trainjob[DOCUMENT_SIZE];
    char policy[DOCUMENT_SIZE];
    char cluster[DOCUMENT_SIZE];
};

static inline void
resolution_write_runtime(const char *job, char out[DOCUMENT_SIZE])
{
    static char slots[6][RESOLUTION_SLOT_SIZE];
    char text[DOCUMENT_SIZE];

    snprintf(text, sizeof(text), RESOLUTION_RUNTIME,
             resolution_slot(job, "runtime.labels", "", slots[0]),
             resolution_slot(job, "ml", "'numNodes':2", slots[1]),
             resolution_slot(job, "gang", "null", slots[2]),
             resolution_slot(job, "template", "", slots[3]),
             resolution_slot(job, "data", "", slots[4]),
             resolution_slot(job, "node", "", slots[5]));
    spell(out, text);
}

static inline void
resolution_write_trainjob(const char *job, char out[DOCUMENT_SIZE])
{
    static char slots[3][RESOLUTION_SLOT_SIZE];
    const char *namespace_ = resolution_slot(job, "namespace", "ml", slots[0]);
    char member[RESOLUTION_SLOT_SIZE];
    char text[DOCUMENT_SIZE];

    snprintf(member, sizeof(member), "'namespace':'%.100s',", namespace_);
    snprintf(text, sizeof(text), RESOLUTION_TRAINJOB, strcmp(namespace_, "-") == 0 ? "" : member,
             resolution_slot(job, "labels", "", slots[1]),
             resolution_slot(job, "job", "", slots[2]));
    spell(out, text);
}

static inline void
resolution_write(const char *format, const char *spec, char out[DOCUMENT_SIZE])
{
    char text[DOCUMENT_SIZE];

    snprintf(text, sizeof(text), "%.*s%s%s", (int)(strstr(format, "%s") - format), format, spec,
             strstr(format, "%s") + 2);
    spell(out, text);
}

static inline void
resolution_must_parse(int result, const struct gang_error *error, const char *text)
{
    if (result != GANG_OK)
        ck_abort_msg("%s\n%s: %s", text,
                     gang_diagnostic_get_path(gang_error_get_diagnostic(error, 0)),
                     gang_diagnostic_get_message(gang_error_get_diagnostic(error, 0)));
}

/* Policy and cluster of the row, as far as it has them. The cluster is the caller's. */
static inline struct gang_cluster *
resolution_read_policy(const struct resolution *row, struct resolution_texts *texts,
                       struct run *run)
{
    struct gang_cluster *cluster = NULL;

    if (row->policy) {
        resolution_write(RESOLUTION_POLICY, row->policy, texts->policy);
        run->result =
            parse_policy(NULL, texts->policy, strlen(texts->policy), 0, &run->policy, &run->error);
        resolution_must_parse(run->result, run->error, texts->policy);
    }
    if (row->cluster) {
        resolution_write(RESOLUTION_CLUSTER, row->cluster, texts->cluster);
        run->result =
            parse_cluster(NULL, texts->cluster, strlen(texts->cluster), 0, &cluster, &run->error);
        resolution_must_parse(run->result, run->error, texts->cluster);
    }
    return cluster;
}

/* Ends with end_run(). */
static inline struct run
run_resolution(const struct resolution *row)
{
    static struct resolution_texts texts;
    struct gang_cluster *cluster;
    struct run run = {0};

    resolution_write_runtime(row->job, texts.runtime);
    resolution_write_trainjob(row->job, texts.trainjob);
    run.result =
        parse_runtime(NULL, texts.runtime, strlen(texts.runtime), 0, &run.runtime, &run.error);
    resolution_must_parse(run.result, run.error, texts.runtime);
    run.result =
        parse_trainjob(NULL, texts.trainjob, strlen(texts.trainjob), 0, &run.trainjob, &run.error);
    resolution_must_parse(run.result, run.error, texts.trainjob);
    cluster = resolution_read_policy(row, &texts, &run);
    run.result = resolve_trainjob_with(NULL, run.runtime, run.trainjob, run.policy, cluster, 0,
                                       &run.decision, &run.error);
    unref_cluster(cluster);
    ck_assert_ptr_nonnull(run.decision);
    return run;
}

/* Reasons of errors and warnings, those of the policy's own parse left out. */
static inline const char *
findings_in_words(const struct gang_decision *decision, struct arena *arena)
{
    const char *text = "";

    for (size_t i = 0; i < decision->report->count; i++) {
        const struct gang_diagnostic *finding = &decision->report->items[i];
        bool is_lint = finding->code > 600 && finding->code < 670 &&
                       finding->severity == GANG_SEVERITY_WARNING;

        if (finding->severity != GANG_SEVERITY_INFO && !is_lint)
            text = arena_format(arena, "%s%s%s", text, text[0] ? " " : "",
                                diagnostic_entry_of(finding->code)->reason);
    }
    return text;
}

static inline const char *
trace_place(struct arena *arena, const struct trace_candidate *candidate)
{
    static const char *const documents[] = {
        [GANG_DOCUMENT_NONE] = "-",
        [GANG_DOCUMENT_RUNTIME] = "runtime",
        [GANG_DOCUMENT_TRAINJOB] = "trainjob",
        [GANG_DOCUMENT_POLICY] = "policy",
        [GANG_DOCUMENT_CLUSTER] = "cluster",
        [GANG_DOCUMENT_PODGANG] = "podgang",
        [GANG_DOCUMENT_PODCLIQUESET] = "podcliqueset",
    };
    struct slice path = path_below(arena, candidate->source, candidate->missing);

    return arena_format(arena, "%s%s%.*s%s", documents[candidate->document], path.len ? " " : "",
                        SLICE_ARG(path),
                        candidate->source && candidate->source->line
                            ? arena_format(arena, ":%u", (unsigned)candidate->source->line)
                            : "");
}

/* One line for each candidate: value (`-` for none), document, path and line, verdict, reason. */
static inline void
trace_in_words(const struct gang_decision *decision, enum trace_attribute attribute,
               struct arena *arena, char out[DOCUMENT_SIZE])
{
    struct trace trace = {.arena = arena};
    const struct trace_entry *entry = &trace.entries[attribute];
    size_t len = 0;

    out[0] = '\0';
    attributes_trace(decision, &trace);
    for (size_t i = 0; i < entry->count; i++) {
        const struct trace_candidate *candidate = &entry->candidates[i];
        struct slice value = slice_is_set(candidate->value) ? candidate->value : SLICE("-");

        len += (size_t)snprintf(out + len, DOCUMENT_SIZE - len, "%.*s %s %s %s\n", SLICE_ARG(value),
                                trace_place(arena, candidate),
                                trace_verdict_names[candidate->verdict], candidate->reason);
    }
}

static inline void
check_trace(const struct gang_decision *decision, enum trace_attribute attribute,
            const char *expected)
{
    struct arena *arena = arena_new(0);
    char text[DOCUMENT_SIZE];

    trace_in_words(decision, attribute, arena, text);
    check_text(text, expected);
    arena_free(arena);
}

/* `path: message` of the first finding of that code. */
static inline void
check_message(const struct gang_decision *decision, enum gang_code code, const char *expected)
{
    char text[DOCUMENT_SIZE] = "";

    for (size_t i = 0; !text[0] && i < decision->report->count; i++)
        if (decision->report->items[i].code == code)
            snprintf(text, sizeof(text), "%s: %s", decision->report->items[i].path,
                     decision->report->items[i].message);
    check_text(text, expected);
}

static inline void
check_outcome_of(const struct run *run, const struct resolution *row)
{
    struct arena *arena = arena_new(0);

    check_text(findings_in_words(run->decision, arena), row->findings);
    ck_assert_int_eq(gang_decision_get_outcome(run->decision), row->outcome);
    ck_assert_int_eq(run->result, row->outcome == GANG_OUTCOME_INVALID  ? GANG_ERROR_INVALID
                                  : row->outcome == GANG_OUTCOME_DENIED ? GANG_ERROR_DENIED
                                                                        : GANG_OK);
    arena_free(arena);
}

/* Outcome, findings and the whole trace of the attribute; ends the run. */
static inline void
check_run(struct run run, const struct resolution *row, enum trace_attribute attribute)
{
    check_outcome_of(&run, row);
    check_trace(run.decision, attribute, row->trace);
    end_run(&run);
}

static inline void
check_outcome(const struct resolution *row)
{
    struct run run = run_resolution(row);

    check_outcome_of(&run, row);
    end_run(&run);
}

static inline void
check_resolution(const struct resolution *row, enum trace_attribute attribute)
{
    check_run(run_resolution(row), row, attribute);
}

#endif
