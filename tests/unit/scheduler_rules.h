/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TESTS_UNIT_SCHEDULER_RULES_H
#define TESTS_UNIT_SCHEDULER_RULES_H

#include "libgang/base/report.h"
#include "support/resolve.h"
#include "unit/plans.h"
#include "unit/suite.h"

/*
 * One job through the public interface: its documents in, marks and findings out. Texts have ' for
 * a double quote.
 */
struct scheduler_case {
    const char *roles;   /* items of replicatedJobs; roles labelled trainer have four pods */
    const char *job;     /* members of the trainjob's metadata behind its name */
    const char *policy;  /* members of the policy's spec; NULL: no policy */
    const char *cluster; /* members of the cluster's spec; NULL: no cluster facts */
    int64_t run;         /* less than 0: unknown */
    bool is_suspended;
    bool was_resumed;
};

#define RULE_STEP(step) "'trainer.kubeflow.org/trainjob-ancestor-step':'" step "'"
#define RULE_TRAINER RULE_STEP("trainer")
/*
 * Labels of the Job, members of the replicatedJob, of the Job's spec, of the pod's metadata, of its
 * spec, and requests.
 */
#define RULE_ROLE(name, step, members, job, metadata, pod, resources)                              \
    RULE_JOBS(name, "1", step, members, job, metadata, pod, resources)
/* The same with the number of Jobs. */
#define RULE_JOBS(name, replicas, step, members, job, metadata, pod, resources)                    \
    "{'name':'" name "','replicas':" replicas "," members                                          \
    "'template':{'metadata':{'labels':{" step "}},'spec':{" job                                    \
    "'template':{'metadata':{" metadata "},'spec':{" pod                                           \
    "'containers':[{'name':'node','image':'i','resources':{" resources "}}]}}}}}"
#define RULE_AFTER(role, status) "'dependsOn':[{'name':'" role "','status':'" status "'}],"
#define RULE_GPUS "'requests':{'cpu':'4','memory':'32Gi'},'limits':{'nvidia.com/gpu':8}"
#define RULE_NODE_WITH(metadata, pod)                                                              \
    RULE_ROLE("node", RULE_TRAINER, "", "", metadata, pod, RULE_GPUS)
#define RULE_NODE RULE_NODE_WITH("", "")
#define RULE_INITIALIZER                                                                           \
    "{'name':'data','replicas':1,'template':{'metadata':{'labels':{'trainer.kubeflow.org/"         \
    "trainjob-ancestor-step':'dataset-initializer'}},'spec':{'template':{'spec':{'containers':[{"  \
    "'name':'dataset-initializer','image':'i','resources':{'requests':{'cpu':'1'}}}]}}}}}"
#define RULE_LAUNCHER(metadata)                                                                    \
    RULE_ROLE("launcher", "", RULE_AFTER("node", "Ready"), "", metadata, "",                       \
              "'requests':{'cpu':'1'}")
#define RULE_SCHEDULER(name) "'schedulerName':'" name "',"

#define RULE_RUNTIME_OF(roles)                                                                     \
    "{'apiVersion':'trainer.kubeflow.org/v1alpha1','kind':'ClusterTrainingRuntime',"               \
    "'metadata':{'name':'r'},'spec':{'mlPolicy':{'numNodes':4},'template':{'spec':{"               \
    "'replicatedJobs':[" roles "]}}}}"

struct scheduler_play {
    struct gang_document *documents[4]; /* trainjob, runtime, policy, cluster */
    struct gang_decision *decision;
    struct gang_plan *plan; /* of a job that is refused, too */
    char text[DOCUMENT_SIZE];
};

#define RULE_DOCUMENT(kind, name)                                                                  \
    "{'apiVersion':'policy.libgang.dev/v1alpha1','kind':'" kind "','metadata':{'name':'" name      \
    "'},'spec':{%s}}"

static inline void
scheduler_write_job(const struct scheduler_case *row, char out[DOCUMENT_SIZE])
{
    snprintf(out, DOCUMENT_SIZE,
             "{'apiVersion':'trainer.kubeflow.org/v1alpha1','kind':'TrainJob','metadata':{'name':"
             "'bert'%s},'spec':{'suspend':%s,'runtimeRef':{'name':'r'}}%s}",
             row->job ? row->job : ",'namespace':'team-a'", row->is_suspended ? "true" : "false",
             row->was_resumed ? ",'status':{'conditions':[{'type':'Suspended','status':'False'}]}"
                              : "");
}

static inline struct gang_document *
scheduler_parse(const char *text)
{
    static char spelled[DOCUMENT_SIZE];
    struct gang_document *document = NULL;
    struct gang_error *error = NULL;

    spell(spelled, text);
    if (gang_document_parse(NULL, spelled, strlen(spelled), 0, &document, &error))
        ck_abort_msg("%s: %s", spelled,
                     gang_diagnostic_get_message(gang_error_get_diagnostic(error, 0)));
    return document;
}

static inline void
scheduler_read(struct scheduler_play *play, const struct scheduler_case *row)
{
    static char text[DOCUMENT_SIZE];

    scheduler_write_job(row, text);
    play->documents[0] = scheduler_parse(text);
    snprintf(text, sizeof(text), RULE_RUNTIME_OF("%s"), row->roles);
    play->documents[1] = scheduler_parse(text);
    snprintf(text, sizeof(text), RULE_DOCUMENT("GangPolicy", "p"), row->policy ? row->policy : "");
    play->documents[2] = row->policy ? scheduler_parse(text) : NULL;
    snprintf(text, sizeof(text), RULE_DOCUMENT("GangCluster", "c"),
             row->cluster ? row->cluster : "");
    play->documents[3] = row->cluster ? scheduler_parse(text) : NULL;
}

/* Ends with scheduler_end(). */
static inline struct scheduler_play
scheduler_play(struct scheduler_case row)
{
    struct scheduler_play play = {.decision = NULL};
    struct gang_inputs *inputs;

    scheduler_read(&play, &row);
    inputs = inputs_of(&play.documents[1], 3);
    ck_assert_int_eq(gang_inputs_set_run_number(inputs, row.run), GANG_OK);
    ck_assert_int_ge(gang_resolve(NULL, play.documents[0], inputs, 0, &play.decision, NULL),
                     GANG_ERROR_DENIED);
    gang_inputs_free(inputs);
    ck_assert_ptr_nonnull(play.decision);
    ck_assert_int_eq(gang_render(NULL, play.decision, 0, &play.plan, NULL), GANG_OK);
    return play;
}

static inline void
scheduler_end(struct scheduler_play *play)
{
    gang_plan_unref(play->plan);
    gang_decision_unref(play->decision);
    for (size_t i = 0; i < ITEMS_OF(play->documents); i++)
        gang_document_unref(play->documents[i]);
}

/* The patch of a role: `key=value` a line, labels before annotations before fields. */
static inline const char *
scheduler_marks(struct scheduler_play *play, const char *role)
{
    static const int sections[] = {GANG_PATCH_LABELS, GANG_PATCH_ANNOTATIONS, GANG_PATCH_SPEC};
    size_t len = 0;

    play->text[0] = '\0';
    for (size_t i = 0; i < gang_plan_num_patches(play->plan); i++) {
        const struct gang_patch *patch = gang_plan_get_patch(play->plan, i);

        if (strcmp(gang_patch_get_role(patch), role) != 0)
            continue;
        for (size_t s = 0; s < ITEMS_OF(sections); s++)
            for (size_t k = 0; k < gang_patch_num_fields(patch, sections[s]); k++)
                len += (size_t)snprintf(play->text + len, sizeof(play->text) - len, "%s=%s\n",
                                        gang_patch_get_key(patch, sections[s], k),
                                        gang_patch_get_value(patch, sections[s], k));
    }
    return play->text;
}

/* The value of one mark of a role; NULL without it. */
static inline const char *
scheduler_mark(struct scheduler_play *play, const char *role, const char *key)
{
    size_t len = strlen(key);

    for (char *at = (char *)(uintptr_t)scheduler_marks(play, role); *at;
         at += strcspn(at, "\n") + 1) {
        if (strncmp(at, key, len) != 0 || at[len] != '=')
            continue;
        at[strcspn(at, "\n")] = '\0';
        return at + len + 1;
    }
    return NULL;
}

static inline void
scheduler_marks_are(struct scheduler_play *play, const char *role, const char *expected)
{
    char spelled[DOCUMENT_SIZE];

    check_text(scheduler_marks(play, role), spell(spelled, expected));
}

/* The diagnostics, each as `severity Reason`, with spaces at both ends: " info LateMembers ". */
static inline const char *
scheduler_findings(struct scheduler_play *play)
{
    size_t len = (size_t)snprintf(play->text, sizeof(play->text), " ");

    for (size_t i = 0; i < gang_decision_num_diagnostics(play->decision); i++) {
        const struct gang_diagnostic *one = gang_decision_get_diagnostic(play->decision, i);
        const struct diagnostic_entry *entry =
            diagnostic_entry_of((enum gang_code)gang_diagnostic_get_code(one));

        len +=
            (size_t)snprintf(play->text + len, sizeof(play->text) - len, "%s %s ",
                             gang_severity_name(gang_diagnostic_get_severity(one)), entry->reason);
    }
    return play->text;
}

static inline bool
scheduler_finds(struct scheduler_play *play, const char *finding)
{
    char wanted[128];

    snprintf(wanted, sizeof(wanted), " %s ", finding);
    return strstr(scheduler_findings(play), wanted) != NULL;
}

/* The job is played, and the finding is expected or must be absent. */
static inline void
scheduler_expect(struct scheduler_case row, const char *finding, bool is_expected)
{
    struct scheduler_play play = scheduler_play(row);

    ck_assert_msg(scheduler_finds(&play, finding) == is_expected, "%s: %s", finding,
                  scheduler_findings(&play));
    scheduler_end(&play);
}

#endif
