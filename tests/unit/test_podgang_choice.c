/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/decide/backend_choice.h"
#include "libgang/decide/front_end.h"

#include "unit/grove_documents.h"
#include "unit/grove_policy.h"
#include "unit/grove_resolutions.h"

#define CLIQUE_WITH(name, scheduler)                                                               \
    "{'name': '" name "', 'spec': {'roleName': 'r', 'podSpec': {'schedulerName': '" scheduler "'}" \
    "}}"
#define CLIQUE_PLAIN(name) CLIQUE_TEXT(name, "")
#define SET_OF(cliques) SET_TEXT("", "'cliques': [" cliques "]")
#define LABELLED(scheduler)                                                                        \
    PODGANG_TEXT(", 'labels': {'grove.io/scheduler-name': '" scheduler "'}", "'podgroups': []")
#define PLAIN_PODGANG PODGANG_TEXT("", "'podgroups': []")

#define SCHEDULER_OF(index) "spec.template.cliques[" #index "].spec.podSpec.schedulerName"
#define DISABLED(name, enabled)                                                                    \
    "Invalid value: \"" name                                                                       \
    "\": schedulerName must be an enabled scheduler backend; enabled: " enabled
#define SAME "the schedulerName for all pods have to be the same"

/*
 * ai-dynamo/grove:operator/internal/webhook/admission/pcs/validation/podcliqueset_test.go,
 * .../registry_test.go and operator/internal/controller/podgang/reconciler.go, all @fcc3b3bb.
 * `policy` NULL: none, so all are enabled.
 */
static const struct {
    const char *policy;
    const char *podgang;
    const char *set;
    uint32_t flags;
    const char *scheduler; /* NULL: none was found */
    const char *findings;
} choices[] = {
    /* one rule after the other */
    {NULL, PLAIN_PODGANG, NULL, 0, "default-scheduler", ""},
    {NULL, LABELLED("volcano"), NULL, 0, "volcano", ""},
    {NULL, LABELLED("lpx-scheduler"), NULL, 0, "lpx-scheduler", ""},
    {NULL, LABELLED("volcano"), SET_OF(CLIQUE_WITH("a", "lpx-scheduler")), 0, "volcano", ""},
    {NULL, PLAIN_PODGANG, SET_OF(CLIQUE_WITH("a", "volcano")), 0, "volcano", ""},
    {NULL, NULL, SET_OF(CLIQUE_WITH("a", "volcano")), 0, "volcano", ""},
    {"*volcano,default-scheduler", PLAIN_PODGANG, NULL, 0, "volcano", ""},
    {"*volcano,default-scheduler", PLAIN_PODGANG, SET_OF(CLIQUE_PLAIN("a")), 0, "volcano", ""},
    {"volcano", PLAIN_PODGANG, NULL, 0, "default-scheduler", ""},
    {"*lpx-scheduler", PLAIN_PODGANG, NULL, 0, "lpx-scheduler", ""},
    /* names of schedulers: the admission of PodCliqueSets */
    {"*default-scheduler", NULL,
     SET_OF(CLIQUE_WITH("a", "default-scheduler") ", " CLIQUE_WITH("b", "default-scheduler")), 0,
     "default-scheduler", ""},
    {"*default-scheduler", NULL, SET_OF(CLIQUE_PLAIN("a") ", " CLIQUE_PLAIN("b")), 0,
     "default-scheduler", ""},
    {"*volcano,default-scheduler", NULL, SET_OF(CLIQUE_PLAIN("a") ", " CLIQUE_PLAIN("b")), 0,
     "volcano", ""},
    {"*default-scheduler", NULL,
     SET_OF(CLIQUE_PLAIN("a") ", " CLIQUE_WITH("b", "default-scheduler")), 0, "default-scheduler",
     ""},
    {"*default-scheduler,volcano", NULL,
     SET_OF(CLIQUE_WITH("a", "default-scheduler") ", " CLIQUE_WITH("b", "volcano")), 0,
     "default-scheduler",
     "GANG009 " SCHEDULER_OF(1) ": Invalid value: \"default-scheduler, volcano\": " SAME},
    {"*default-scheduler,volcano", NULL, SET_OF(CLIQUE_PLAIN("a") ", " CLIQUE_WITH("b", "volcano")),
     0, "default-scheduler",
     "GANG009 " SCHEDULER_OF(1) ": Invalid value: \"default-scheduler, volcano\": " SAME},
    {"*default-scheduler,volcano", NULL, SET_OF(CLIQUE_WITH("a", "volcano") ", " CLIQUE_PLAIN("b")),
     0, "volcano",
     "GANG009 spec.template.cliques[1]: Invalid value: \"volcano, default-scheduler\": " SAME},
    {"*default-scheduler", NULL, SET_OF(CLIQUE_WITH("a", "volcano")), 0, NULL,
     "GANG803 " SCHEDULER_OF(0) ": " DISABLED("volcano", "\"default-scheduler\"")},
    {"volcano", NULL, SET_OF(CLIQUE_WITH("a", "unknown-scheduler")), 0, NULL,
     "GANG803 " SCHEDULER_OF(0) ": " DISABLED("unknown-scheduler",
                                              "\"volcano\", \"default-scheduler\"")},
    {"volcano", NULL, SET_OF(CLIQUE_WITH("a", " ")), 0, NULL,
     "GANG803 " SCHEDULER_OF(0) ": " DISABLED(" ", "\"volcano\", \"default-scheduler\"")},
    {"volcano", NULL, SET_OF(CLIQUE_WITH("a", "unknown") ", " CLIQUE_WITH("b", "volcano")), 0, NULL,
     "GANG009 " SCHEDULER_OF(1) ": Invalid value: \"unknown, volcano\": " SAME "\n"
                                "GANG803 " SCHEDULER_OF(0) ": " DISABLED(
                                    "unknown", "\"volcano\", \"default-scheduler\"")},
    {"volcano", NULL,
     SET_OF(CLIQUE_WITH("a", "volcano") ", " CLIQUE_WITH("b", "unknown") ", " CLIQUE_WITH(
         "c", "unknown")),
     0, "volcano", "GANG009 " SCHEDULER_OF(1) ": Invalid value: \"volcano, unknown\": " SAME},
    {"volcano", NULL,
     SET_OF(CLIQUE_WITH("a", "volcano") ", " CLIQUE_WITH("b", "other") ", " CLIQUE_PLAIN("c")), 0,
     "volcano",
     "GANG009 " SCHEDULER_OF(1) ": Invalid value: \"volcano, other, default-scheduler\": " SAME},
    /* a label that names none: refused, or Grove's fallback */
    {"volcano", LABELLED("kai"), NULL, 0, NULL,
     "GANG803 metadata.labels[grove.io/scheduler-name]: Invalid value: \"kai\": must be an enabled "
     "scheduler "
     "backend; "
     "enabled: \"volcano\", \"default-scheduler\""},
    {"*volcano", LABELLED("kai"), NULL, GANG_RESOLVE_FALL_BACK, "volcano",
     "GANG804 metadata.labels[grove.io/scheduler-name]: Invalid value: \"kai\": not an enabled "
     "scheduler "
     "backend, so the "
     "default stands in: \"volcano\""},
    {"volcano", LABELLED("kai"), NULL, GANG_RESOLVE_FALL_BACK, "default-scheduler",
     "GANG804 metadata.labels[grove.io/scheduler-name]: Invalid value: \"kai\": not an enabled "
     "scheduler "
     "backend, so the "
     "default stands in: \"default-scheduler\""},
    {"volcano", LABELLED("volcano"), NULL, GANG_RESOLVE_FALL_BACK, "volcano", ""},
};

/* Runs the choice alone on documents that were read. */
static void
choose_backend(struct gang_decision *decision, struct grove_documents *documents)
{
    decision->front_end = front_end_of(&decision->inputs);
    decision->arena = documents->arena;
    report_init(&decision->report, documents->arena, &standard_limits);
    backend_choose(decision);
}

START_TEST(chooses_as_grove_does)
{
    struct grove_documents documents = grove_documents(choices[_i].podgang, choices[_i].set);
    struct grove_policy policy;
    struct gang_decision decision = {.inputs.podgang = documents.podgang,
                                     .inputs.podcliqueset = documents.podcliqueset,
                                     .flags = choices[_i].flags};

    grove_policy_read(&policy, choices[_i].policy ? choices[_i].policy : "");
    if (choices[_i].policy)
        decision.inputs.policy = &policy.policy;
    choose_backend(&decision, &documents);
    check_findings(&decision.report, choices[_i].findings);
    ck_assert_int_eq(decision.grove_scheduler != NULL, choices[_i].scheduler != NULL);
    if (choices[_i].scheduler) {
        ck_slice_eq(decision.gang.scheduler_name, choices[_i].scheduler);
        ck_assert_int_eq(decision.backend != NULL, strcmp(choices[_i].scheduler, "volcano") == 0);
    }
    grove_documents_free(&documents);
}
END_TEST

/* A policy gives a scheduler another name; its type says what Grove makes of it. */
static const struct {
    struct policy_backend entry;
    const char *label;
    const char *rules; /* NULL: not enabled */
} entries[] = {
    {{.name = SLICE_INIT("v"), .scheduler_name = SLICE_INIT("my-volcano")},
     "my-volcano",
     "volcano"},
    {{.name = SLICE_INIT("v"), .scheduler_name = SLICE_INIT("my-volcano")}, "volcano", NULL},
    {{.name = SLICE_INIT("none")}, "default-scheduler", "default-scheduler"},
    {{.name = SLICE_INIT("none"), .scheduler_name = SLICE_INIT("mine")},
     "mine",
     "default-scheduler"},
    {{.name = SLICE_INIT("none"), .scheduler_name = SLICE_INIT("lpx-scheduler")},
     "lpx-scheduler",
     "lpx-scheduler"},
    {{.name = SLICE_INIT("none"), .scheduler_name = SLICE_INIT("kai-scheduler")},
     "kai-scheduler",
     "default-scheduler"},
    {{.name = SLICE_INIT("c"), .scheduler_name = SLICE_INIT("co")}, "co", NULL},
};
static const char *const entry_types[] = {"Volcano", "Volcano", NULL,          NULL,
                                          NULL,      NULL,      "Coscheduling"};

START_TEST(policies_name_schedulers)
{
    struct policy_backend entry = entries[_i].entry;
    struct gang_policy policy = {.lists_backends = true, .backends = &entry, .num_backends = 1};
    char podgang[DOCUMENT_SIZE];
    struct grove_documents documents;
    struct gang_decision decision = {.inputs.policy = &policy};

    if (entry_types[_i])
        entry.descriptor = catalog_of_type(slice_from_text(entry_types[_i]));
    with_change(podgang, LABELLED("@"), "@", entries[_i].label);
    documents = grove_documents(podgang, NULL);
    decision.inputs.podgang = documents.podgang;
    choose_backend(&decision, &documents);
    ck_assert_int_eq(decision.grove_scheduler != NULL, entries[_i].rules != NULL);
    if (entries[_i].rules)
        ck_slice_eq(decision.grove_scheduler->grove->name, entries[_i].rules);
    grove_documents_free(&documents);
}
END_TEST

/* "verdict value" of each candidate. */
static const struct {
    const char *policy;
    const char *podgang;
    const char *set;
    uint32_t flags;
    const char *candidates;
} traces[] = {
    {NULL, PLAIN_PODGANG, NULL, 0, "Unset -, Chosen default-scheduler"},
    {NULL, LABELLED("volcano"), NULL, 0, "Chosen volcano, Overridden default-scheduler"},
    {NULL, LABELLED("volcano"),
     SET_OF(CLIQUE_WITH("a", "lpx-scheduler") ", " CLIQUE_WITH("b", "lpx-scheduler")), 0,
     "Chosen volcano, Overridden lpx-scheduler, Overridden default-scheduler"},
    {NULL, PLAIN_PODGANG, SET_OF(CLIQUE_PLAIN("a") ", " CLIQUE_WITH("b", "volcano")), 0,
     "Unset -, Refused volcano, Chosen default-scheduler"},
    {NULL, NULL, SET_OF(CLIQUE_WITH("a", "nobody")), 0,
     "NotEnabled nobody, Overridden default-scheduler"},
    {NULL, LABELLED("nobody"), NULL, GANG_RESOLVE_FALL_BACK,
     "NotEnabled nobody, Chosen default-scheduler"},
    {"*volcano", PLAIN_PODGANG, SET_OF(CLIQUE_PLAIN("a")), 0, "Unset -, Chosen volcano"},
};

START_TEST(traces_every_candidate)
{
    struct grove_documents documents = grove_documents(traces[_i].podgang, traces[_i].set);
    struct grove_policy policy;
    struct trace trace = {.arena = documents.arena};
    struct gang_decision decision = {.inputs.podgang = documents.podgang,
                                     .inputs.podcliqueset = documents.podcliqueset,
                                     .flags = traces[_i].flags};
    const struct trace_entry *entry = &trace.entries[TRACE_BACKEND];
    const char *text = "";

    grove_policy_read(&policy, traces[_i].policy ? traces[_i].policy : "");
    if (traces[_i].policy)
        decision.inputs.policy = &policy.policy;
    choose_backend(&decision, &documents);
    choice_trace(&decision, &backend_attribute, TRACE_BACKEND, &trace);
    for (size_t i = 0; i < entry->count; i++) {
        struct slice value = entry->candidates[i].value;

        text = arena_format(documents.arena, "%s%s%s %.*s", text, i ? ", " : "",
                            trace_verdict_names[entry->candidates[i].verdict],
                            SLICE_ARG(slice_is_set(value) ? value : SLICE("-")));
    }
    ck_assert_str_eq(text, traces[_i].candidates);
    grove_documents_free(&documents);
}
END_TEST

#define BACKENDS                                                                                   \
    "'backends':[{'name':'v','type':'Volcano'},{'name':'k','type':'KAI'},{'name':'co','type':'"    \
    "Coscheduling'"                                                                                \
    "},"                                                                                           \
    "{'name':'none','type':'None'}]"
#define RULE(members) BACKENDS ",'rules':[{'name':'r','match':{}," members "}]"
#define QUEUED ";set=,'labels':{'kai.scheduler/queue':'q'}"
#define LABEL_UNSET "- podgang metadata.labels:1 Unset no label names a scheduler\n"
#define LABEL_OF(backend) backend " podgang metadata.labels[grove.io/scheduler-name]:1 "
#define TEMPLATE_OF(backend)                                                                       \
    backend " podcliqueset spec.template.cliques[0].spec.podSpec.schedulerName:1 "
#define RULE_OF(backend) backend " policy spec.rules[0].backend:1 "
#define RULE_IS_SILENT "- policy spec.rules[0].backend:1 Unset rule r does not say\n"
#define NO_DEFAULT(verdict) "default-scheduler - " verdict "\n"
#define OF_GROVE "Chosen the default of Grove"
#define TEMPLATE(name) ";router='schedulerName':'" name "',"

/* What the policy says, between what the documents say. Coscheduling is enabled, but Grove cannot
 * drive it. */
static const struct resolution of_policies[] = {
    /* a rule gives way to the label and to the templates */
    {RULE("'backend':'k'"), "scheduler=-" QUEUED, NULL, GANG_OUTCOME_GANG, "",
     LABEL_UNSET RULE_OF("k") "Chosen rule r\n" NO_DEFAULT("Overridden rule r stands before")},
    {RULE("'backend':'k'"), "scheduler=volcano", NULL, GANG_OUTCOME_GANG, "",
     LABEL_OF("v") "Chosen the PodGang's label names it\n" RULE_OF(
         "k") "Overridden rule r: the PodGang's label stands "
              "before; write override: Always to choose first\n" NO_DEFAULT(
                  "Overridden the PodGang's label stands before")},
    /* and stands before both with Always */
    {RULE("'backend':'k','override':'Always'"), "scheduler=volcano" QUEUED, NULL, GANG_OUTCOME_GANG,
     "OverriddenByPolicy",
     RULE_OF("k") "Chosen rule r (Always)\n" LABEL_OF(
         "v") "Overridden rule r with override Always stands "
              "before\n" NO_DEFAULT("Overridden rule r with override Always stands before")},
    {RULE("'backend':'v','override':'Always'"), "scheduler=volcano", NULL, GANG_OUTCOME_GANG, "",
     RULE_OF("v") "Chosen rule r (Always)\n" LABEL_OF(
         "v") "Overridden rule r with override Always stands "
              "before\n" NO_DEFAULT("Overridden rule r with override Always stands before")},
    {RULE("'backend':'v','override':'Always'"), "scheduler=nobody", NULL, GANG_OUTCOME_GANG, "",
     RULE_OF("v") "Chosen rule r (Always)\n" LABEL_OF(
         "nobody") "NotEnabled no enabled backend has a scheduler of "
                   "this name\n" NO_DEFAULT(
                       "Overridden rule r with override Always stands before")},
    {RULE("'backend':'none','override':'Always'"), "scheduler=volcano", NULL, GANG_OUTCOME_NO_GANG,
     "OverriddenByPolicy",
     RULE_OF("none") "Chosen rule r (Always)\n" LABEL_OF(
         "v") "Overridden rule r with override Always stands "
              "before\n" NO_DEFAULT("Overridden rule r with override Always stands before")},
    /* defaults and defaultBackend are behind the rule */
    {BACKENDS ",'rules':[{'name':'r','match':{}}],'defaults':{'backend':'v'}", "scheduler=-", NULL,
     GANG_OUTCOME_GANG, "",
     LABEL_UNSET "- policy spec.rules[0].backend:1 Unset rule r does not say\n"
                 "v policy spec.defaults.backend:1 Chosen the policy's defaults\n" NO_DEFAULT(
                     "Overridden the policy's defaults stand before")},
    {BACKENDS ",'defaultBackend':'v'", "scheduler=-", NULL, GANG_OUTCOME_GANG, "",
     LABEL_UNSET "v policy spec.defaultBackend:1 Chosen the policy's defaultBackend\n"},
    {BACKENDS ",'rules':[{'name':'r','match':{'minNodes':1},'backend':'k'}]", "scheduler=-", NULL,
     GANG_OUTCOME_NO_GANG, "",
     LABEL_UNSET "- policy spec.rules Unset no rule matches\n" NO_DEFAULT(OF_GROVE)},
    /* what Grove cannot drive is not passed over in silence */
    {RULE("'backend':'co'"), "scheduler=-", NULL, GANG_OUTCOME_INVALID, "BackendNotForPodgangs",
     LABEL_UNSET RULE_OF("co") "Refused rule r: Grove has no backend of this type\n" NO_DEFAULT(
         "Overridden rule r stands before")},
    {RULE("'backend':'co','override':'Always'"), "scheduler=volcano", NULL, GANG_OUTCOME_INVALID,
     "BackendNotForPodgangs",
     RULE_OF("co") "Refused rule r: Grove has no backend of this type\n" LABEL_OF(
         "v") "Overridden rule r with override "
              "Always stands before\n" NO_DEFAULT(
                  "Overridden rule r with override Always stands before")},
    {RULE("'backend':'co'"), "scheduler=volcano", NULL, GANG_OUTCOME_GANG, "",
     LABEL_OF("v") "Chosen the PodGang's label names it\n" RULE_OF(
         "co") "Refused rule r: Grove has no backend of this "
               "type\n" NO_DEFAULT("Overridden the PodGang's label stands before")},
    {BACKENDS ",'defaultBackend':'co'", "scheduler=-", NULL, GANG_OUTCOME_INVALID,
     "BackendNotForPodgangs",
     LABEL_UNSET "co policy spec.defaultBackend:1 Refused Grove has no backend of this type\n"},
    {BACKENDS ",'rules':[{'name':'r','match':{}}],'defaults':{'backend':'co'}", "scheduler=-", NULL,
     GANG_OUTCOME_INVALID, "BackendNotForPodgangs",
     LABEL_UNSET RULE_IS_SILENT
     "co policy spec.defaults.backend:1 Refused Grove has no backend of this type\n" NO_DEFAULT(
         "Overridden the policy's defaults stand before")},
    /* an unknown label leaves the choice to the rule, where it may */
    {RULE("'backend':'v'"), "scheduler=nobody;flags=fall-back", NULL, GANG_OUTCOME_GANG,
     "SchedulerFallsBack",
     LABEL_OF("nobody") "NotEnabled no enabled backend has a scheduler of this name\n" RULE_OF(
         "v") "Chosen rule r\n" NO_DEFAULT("Overridden rule r stands before")},
    /* templates that name none take the rule's, and must agree with it */
    {RULE("'backend':'v'"), "scheduler=-" TEMPLATE("volcano"), NULL, GANG_OUTCOME_GANG, "",
     LABEL_UNSET TEMPLATE_OF("v") "Chosen the templates of the PodCliqueSet name it\n" RULE_OF(
         "v") "Overridden rule r: the templates stand before\n" NO_DEFAULT("Overridden the "
                                                                           "templates stand "
                                                                           "before")},
    {RULE("'backend':'k'"), "scheduler=-" TEMPLATE("volcano"), NULL, GANG_OUTCOME_INVALID,
     "SchedulersDisagree",
     LABEL_UNSET TEMPLATE_OF("v") "Chosen the templates of the PodCliqueSet name it\n" RULE_OF(
         "k") "Overridden rule r: the templates stand before; write override: Always to choose "
              "first\n" NO_DEFAULT("Overridden the templates stand before")},
    /* no gang, or none at all */
    {RULE("'action':'Skip'"), "", NULL, GANG_OUTCOME_NO_GANG, "",
     "- policy spec.rules[0].action:1 Refused rule r\n" LABEL_OF(
         "v") "Overridden rule r skips the job\n" RULE_IS_SILENT
         NO_DEFAULT("Overridden rule r skips the job")},
    {RULE("'action':'Deny','message':'not here'"), "", NULL, GANG_OUTCOME_DENIED, "RuleDenies",
     "- policy spec.rules[0].action:1 Refused rule r: not here\n" LABEL_OF(
         "v") "Overridden rule r denies the job\n" RULE_IS_SILENT
         NO_DEFAULT("Overridden rule r denies the job")},
    {RULE("'action':'Deny'"), "documents=set", NULL, GANG_OUTCOME_DENIED, "RuleDenies",
     "- policy spec.rules[0].action:1 Refused rule r\n" RULE_IS_SILENT NO_DEFAULT(
         "Overridden rule r denies the job")},
};

START_TEST(a_policy_stands_where_it_stands_for_trainjobs)
{
    check_grove_resolution(&of_policies[_i], TRACE_BACKEND);
}
END_TEST

void
add_tests(TCase *cases)
{
    add_rows(cases, chooses_as_grove_does, choices, policy, podgang, set);
    add_rows(cases, policies_name_schedulers, entries, entry.name, label);
    add_rows(cases, traces_every_candidate, traces, policy, podgang, set);
    add_rows(cases, a_policy_stands_where_it_stands_for_trainjobs, of_policies, policy, job,
             cluster);
}
