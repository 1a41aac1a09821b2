/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/decide/kueue.h"

#include "unit/plans.h"
#include "unit/resolutions.h"
#include "unit/suite.h"
#include "unit/tree.h"

#define KUEUE "kueue.x-k8s.io/"
#define QUEUED ";labels='" KUEUE "queue-name':'research'"
#define PATCH(roles)                                                                               \
    "job='runtimePatches':[{'manager':'a.b/c','trainingRuntimeSpec':{'template':{'spec':{"         \
    "'replicatedJobs':[" roles "]}}}}],"
#define PODS(role, metadata)                                                                       \
    "{'name':'" role "','template':{'spec':{'template':{'metadata':{" metadata "}}}}}"
#define ANNOTATED(role, annotations) PODS(role, "'annotations':{" annotations "}")
#define NODE(annotations) PATCH(ANNOTATED("node", annotations))
#define BOTH(data, node) PATCH(ANNOTATED("data", data) "," ANNOTATED("node", node))
#define RACK "'" KUEUE "podset-required-topology':'example.com/rack'"
#define BLOCK "'" KUEUE "podset-preferred-topology':'example.com/block'"
#define GROUP(name) "'" KUEUE "podset-group-name':'" name "'"
#define SLICE_OF(level) "'" KUEUE "podset-slice-required-topology':'" level "'"
#define SIZE(size) "'" KUEUE "podset-slice-size':'" size "'"
#define LEVELS "'" KUEUE "podset-slice-required-topology-constraints':'[]'"

#define IN_RACK "GANG560 Kueue places the pods of role \"node\" within one example.com/rack"
#define UNMANAGED ", but only of a job that it manages, and this one has no queue"
#define NOT_READY                                                                                  \
    "GANG565 Kueue counts the job as ready only when its last role has started: with "             \
    "waitForPodsReady, which is on since v0.19 with 30 minutes, it evicts a job whose earlier "    \
    "roles take longer\n"
#define SLICED(size, level)                                                                        \
    "GANG560 Kueue places the pods of role \"node\" in slices of " size                            \
    " pods, each within one " level "\n"

#define NO_LEVELS                                                                                  \
    "GANG561 Invalid value: \"[]\": topology constraints must contain between 1 and 3 entries\n"
#define DISAGREES(other)                                                                           \
    "GANG561 must specify '" KUEUE "podset-required-topology' or '" KUEUE                          \
    "podset-preferred-topology' topology consistent with 'spec.runtimePatches[0]."                 \
    "trainingRuntimeSpec.template.spec.replicatedJobs[" other                                      \
    "].template.spec.template.metadata.annotations' in group 'all'\n"

/*
 * The job has a role `data` of one pod, which must complete before `node`, of two pods. The
 * messages about labels and annotations are those of Kueue's webhook:
 * kubernetes-sigs/kueue:pkg/controller/jobframework/tas_validation.go@v0.19.2.
 */
static const struct kueue_case {
    const char *job, *policy; /* the backend; NULL: coscheduling */
    const char *findings;     /* "GANG560 message" of Kueue's findings */
} cases_of_kueue[] = {
    /* nothing of Kueue */
    {"", NULL, ""},
    {"labels='team':'a'", NULL, ""},
    {"labels='" KUEUE "queue-name':\"\"", NULL, ""},
    {PATCH(PODS("node", "'labels':{'team':'a'},'annotations':{'x':'y'}")), NULL, ""},
    /* a queue: readiness, because node waits for data */
    {QUEUED, NULL, NOT_READY},
    {"job='runtimePatches':[{'manager':'" KUEUE "manager','trainingRuntimeSpec':{}}],", NULL,
     NOT_READY},
    /* placement */
    {NODE(RACK), NULL, IN_RACK UNMANAGED "\n"},
    {NODE(RACK) QUEUED, NULL, NOT_READY IN_RACK "\n"},
    {NODE(BLOCK) QUEUED, NULL,
     NOT_READY "GANG560 Kueue places the pods of role \"node\" within one example.com/block if "
               "possible\n"},
    {NODE("'" KUEUE "podset-unconstrained-topology':'true'") QUEUED, NULL,
     NOT_READY "GANG560 Kueue places the pods of role \"node\" wherever it finds room in the "
               "topology\n"},
    {NODE(SLICE_OF("x") "," SIZE("2")) QUEUED, NULL, NOT_READY SLICED("2", "x")},
    {NODE(LEVELS) QUEUED, NULL,
     NOT_READY "GANG560 Kueue places the pods of role \"node\" in slices of several "
               "levels\n" NO_LEVELS},
    {BOTH(RACK "," GROUP("all"), RACK "," GROUP("all")) QUEUED, NULL,
     NOT_READY
     "GANG560 Kueue places the pods of role \"data\" within one example.com/rack, with the "
     "other role of the group all\n" IN_RACK ", with the other role of the group all\n"},
    /* only a group's name requests nothing; and a job without a queue is not refused */
    {NODE(GROUP("all")), NULL, ""},
    /* two placements */
    {NODE(RACK) QUEUED, "yunikorn",
     NOT_READY IN_RACK "\nGANG566 Kueue gives each pod a node after it was created; the "
                       "placeholders of YuniKorn do not "
                       "have it, so the gang may hold other nodes and start in part\n"},
    {NODE(RACK) QUEUED ";gang={'volcano':{'networkTopology':{'mode':'hard'}}}", "volcano",
     NOT_READY IN_RACK
     "\nGANG566 Kueue chooses the nodes of the pods, and the backend volcano chooses "
     "a topology for the same pods\n"},
    {NODE(RACK) ";gang={'volcano':{'networkTopology':{'mode':'hard'}}}", "volcano",
     IN_RACK UNMANAGED "\n"},
    {PATCH(ANNOTATED("data", RACK)) QUEUED, "yunikorn",
     NOT_READY "GANG560 Kueue places the pods of role \"data\" within one example.com/rack\n"},
    /* what the webhook refuses */
    {NODE(RACK "," BLOCK) QUEUED, NULL,
     NOT_READY "GANG561 must not contain more than one topology annotation: [\"" KUEUE
               "podset-required-topology\", \"" KUEUE "podset-preferred-topology\", \"" KUEUE
               "podset-unconstrained-topology\"]\n" IN_RACK "\n"},
    {NODE("'" KUEUE "podset-required-topology':'a b'") QUEUED, NULL,
     NOT_READY "GANG560 Kueue places the pods of role \"node\" within one a b\n"
               "GANG561 Invalid value: \"a b\": name part must consist of alphanumeric characters, "
               "'-', '_' or '.', and must start and end with an alphanumeric character (e.g. "
               "'MyName',  or 'my.name',  or '123-abc', regex used for validation is "
               "'([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')\n"},
    {NODE("'" KUEUE "podset-unconstrained-topology':'yes'") QUEUED, NULL,
     NOT_READY "GANG560 Kueue places the pods of role \"node\" wherever it finds room in the "
               "topology\nGANG561 Invalid value: \"yes\": must be a boolean value\n"},
    {NODE("'" KUEUE "podset-unconstrained-topology':'yes'"), NULL,
     "GANG560 Kueue places the pods of role \"node\" wherever it finds room in the "
     "topology" UNMANAGED "\n"},
    {NODE(SLICE_OF("x")) QUEUED, NULL,
     NOT_READY "GANG561 Required value: must be set when '" KUEUE
               "podset-slice-required-topology' is specified\n" SLICED("", "x")},
    {NODE(SIZE("1")) QUEUED, NULL,
     NOT_READY "GANG561 Forbidden: may not be set when '" KUEUE
               "podset-slice-required-topology' is not specified\n"},
    {NODE(SLICE_OF("x") "," SIZE("two")) QUEUED, NULL,
     NOT_READY SLICED("two", "x") "GANG561 Invalid value: \"two\": must be a numeric value\n"},
    {NODE(SLICE_OF("x") "," SIZE("0")) QUEUED, NULL,
     NOT_READY SLICED("0",
                      "x") "GANG561 Invalid value: \"0\": must be greater than or equal to 1\n"},
    {NODE(SLICE_OF("x") "," SIZE("+2")) QUEUED, NULL, NOT_READY SLICED("+2", "x")},
    {NODE(SLICE_OF("x") "," SIZE("3")) QUEUED, NULL,
     NOT_READY SLICED(
         "3", "x") "GANG561 Invalid value: \"3\": must not be greater than pod set count 2\n"},
    {NODE(LEVELS "," SLICE_OF("x") "," SIZE("2")) QUEUED, NULL,
     NOT_READY
     "GANG561 Forbidden: may not be set when '" KUEUE
     "podset-slice-required-topology' is specified\nGANG561 Forbidden: may not be set when "
     "'" KUEUE "podset-slice-size' is specified\n" NO_LEVELS SLICED("2", "x")},
    {BOTH(RACK "," GROUP("7"), RACK "," GROUP("7")) QUEUED, NULL,
     NOT_READY
     "GANG560 Kueue places the pods of role \"data\" within one example.com/rack, with the "
     "other role of the group 7\nGANG561 Invalid value: \"7\": must not be a number\n" IN_RACK
     ", with the other role of the group 7\nGANG561 Invalid value: \"7\": must not be a "
     "number\n"},
    {NODE(RACK "," GROUP("all")) QUEUED, NULL,
     NOT_READY IN_RACK
     ", with the other role of the group all\n"
     "GANG561 Invalid value: \"all\": can only define groups of exactly 2 pod sets, "
     "got: 1 pod set(s)\n"},
    {BOTH(RACK "," GROUP("all"), BLOCK "," GROUP("all")) QUEUED, NULL,
     NOT_READY DISAGREES("1") "GANG560 Kueue places the pods of role \"data\" within one "
                              "example.com/rack, with the other role of the group all\n" DISAGREES(
                                  "0") "GANG560 Kueue places the pods of role \"node\" within one "
                                       "example.com/block if possible, with the other role of "
                                       "the group all\n"},
    {NODE(GROUP("all")) QUEUED, NULL,
     NOT_READY "GANG561 Forbidden: may not be set when neither '" KUEUE
               "podset-preferred-topology' nor '" KUEUE "podset-required-topology' is specified\n"},
    {";labels='" KUEUE "queue-name':'Research'", NULL,
     NOT_READY
     "GANG561 Invalid value: \"Research\": a lowercase RFC 1123 subdomain must consist of lower "
     "case "
     "alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character "
     "(e.g. 'example.com', regex used for validation is "
     "'[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')\n"},
    {QUEUED ",'" KUEUE "max-exec-time-seconds':'0'", NULL,
     NOT_READY "GANG561 Invalid value: \"0\": should be greater than 0\n"},
    {QUEUED ",'" KUEUE "max-exec-time-seconds':'one'", NULL,
     NOT_READY "GANG561 Invalid value: \"one\": must be a numeric value\n"},
    {QUEUED ",'" KUEUE "max-exec-time-seconds':'60'", NULL, NOT_READY},
    /* the queue on the pods */
    {PATCH(PODS("node", "'labels':{'" KUEUE "queue-name':'research'}")) QUEUED, NULL,
     NOT_READY
     "GANG562 Kueue would queue the pods of role \"node\" twice: with the TrainJob, and by "
     "this label\n"},
    {PATCH(PODS("node", "'labels':{'" KUEUE "queue-name':'research'}")), NULL,
     "GANG562 Kueue would queue the pods of role \"node\" apart from each other, and the gang "
     "would "
     "wait for the ones that it does not admit\n"},
    {PATCH("{'name':'node','template':{'metadata':{'labels':{'" KUEUE "queue-name':'research'}}}}")
         QUEUED,
     NULL,
     NOT_READY
     "GANG562 Kueue would queue the pods of role \"node\" twice: with the TrainJob, and by "
     "this label\n"},
    /* a minimum that Kueue does not read of a TrainJob */
    {PATCH("{'name':'node','template':{'metadata':{'annotations':{'" KUEUE
           "job-min-parallelism':'1'}}}}") QUEUED,
     NULL,
     NOT_READY
     "GANG563 has no effect: Kueue admits this TrainJob with all its pods or not at all; only a "
     "Job that it manages can be admitted in part\n"},
};

/* "GANG560 message" of the findings about Kueue, without their paths. */
static void
kueue_in_words(const struct gang_decision *decision, char out[DOCUMENT_SIZE])
{
    size_t len = 0;

    out[0] = '\0';
    for (size_t i = 0; i < decision->report->count; i++) {
        const struct gang_diagnostic *finding = &decision->report->items[i];

        if (finding->code >= GANG_CODE_KUEUE_TOPOLOGY &&
            finding->code <= GANG_CODE_PLACED_BY_OTHERS)
            len += (size_t)snprintf(out + len, DOCUMENT_SIZE - len, "GANG%d %s\n",
                                    (int)finding->code, finding->message);
    }
}

START_TEST(kueue_beside_the_gang)
{
    const struct kueue_case *row = &cases_of_kueue[_i];
    char policy[200];
    const struct resolution resolution = {.policy = policy, .job = row->job};
    char text[DOCUMENT_SIZE];
    struct run run;

    snprintf(policy, sizeof(policy), "'defaultBackend':'%s'",
             row->policy ? row->policy : "coscheduling");
    run = run_resolution(&resolution);
    kueue_in_words(run.decision, text);
    check_text(text, row->findings);
    ck_assert_int_eq(run.result, strstr(text, "GANG561 ") ? GANG_ERROR_INVALID : GANG_OK);
    end_run(&run);
}
END_TEST

/* Whether one of the two pods of `node` is enough, as the role or the job says. */
START_TEST(kueue_admits_all_pods_of_an_elastic_gang)
{
    const struct resolution row = {.policy = "'defaultBackend':'coscheduling'", .job = QUEUED};
    struct run run = run_resolution(&row);
    struct gang_decision *decision = run.decision;
    char text[DOCUMENT_SIZE];

    if (_i)
        decision->wishes.minimum = 1;
    decision->wishes.roles[1].has_min_count = !_i;
    decision->wishes.roles[1].min_count = 1;
    decision->gang.minimum = 1;
    decision->report->count = 0;
    kueue_checks_run(decision);
    kueue_in_words(decision, text);
    check_text(text,
               "GANG564 the gang starts with 1 pods, but Kueue admits the job only with room for "
               "all 3\n" NOT_READY);
    end_run(&run);
}
END_TEST

/* A job without a gang is none of libgang's business; MultiKueue runs one in another cluster. */
static const char *const jobs_without_gang[] = {
    QUEUED ";job='managedBy':'kueue.x-k8s.io/multikueue',",
    "skip",
};

START_TEST(says_nothing_without_a_gang)
{
    bool skips = strcmp(jobs_without_gang[_i], "skip") == 0;
    const struct resolution row = {
        .policy = skips ? "'rules':[{'name':'k','match':{'kueue':'Managed'},'action':'Skip'}],"
                          "'defaultBackend':'coscheduling'"
                        : "'defaultBackend':'coscheduling'",
        .job = skips ? NODE(RACK "," BLOCK) QUEUED : jobs_without_gang[_i],
    };
    struct run run = run_resolution(&row);
    char text[DOCUMENT_SIZE];

    kueue_in_words(run.decision, text);
    check_text(text, "");
    ck_assert_int_eq(gang_decision_get_outcome(run.decision), GANG_OUTCOME_NO_GANG);
    end_run(&run);
}
END_TEST

START_TEST(only_what_kueue_reads_is_looked_at)
{
    const struct resolution row = {.policy = "'defaultBackend':'coscheduling'", .job = ""};
    struct run run = run_resolution(&row);
    const struct node patch = {.kind = NODE_MAP};
    struct gang_decision decision = *run.decision;
    struct gang_trainjob bare = *decision.inputs.trainjob;

    decision.inputs.trainjob = &bare;
    bare.meta.labels = NULL;
    ck_assert(!kueue_checks_apply(&decision));
    bare.kueue_patch = &patch;
    ck_assert(kueue_checks_apply(&decision));
    bare.kueue_patch = NULL;
    decision.job.jobset.has_pod_metadata = true;
    ck_assert(kueue_checks_apply(&decision));
    decision.inputs.trainjob = NULL;
    ck_assert(!kueue_checks_apply(&decision)); /* a job of Grove */
    end_run(&run);
}
END_TEST

/* ---- a live Workload of Kueue ---- */

#define SETS(node) "'spec':{'podSets':[{'name':'data','count':1},{'name':'node'," node "}]}"
#define ADMITTED(node)                                                                             \
    ",'status':{'admission':{'podSetAssignments':[{'name':'data','count':1},{'name':'node'," node  \
    "}]}}"

/* The gang waits for the two pods of `node`. */
static const struct {
    const char *workload;
    const char *finding;
} workloads[] = {
    {"{" SETS("'count':2") "}", ""},
    {"{" SETS("'count':2,'minCount':2") "}", ""},
    {"{" SETS("'count':2,'minCount':1") "}",
     "GANG563 Kueue may admit 1 pods of the first wave, but the gang waits for 2: it would never "
     "start\n"},
    {"{" SETS("'count':2,'minCount':1") ADMITTED("'count':2") "}", ""},
    {"{" SETS("'count':2,'minCount':1") ADMITTED("'count':1") "}",
     "GANG563 Kueue has admitted 1 pods of the first wave, but the gang waits for 2: it would "
     "never "
     "start\n"},
    {"{" SETS("'count':2,'minCount':1") ADMITTED("'count':3") "}", ""},
    /* of the role outside the gang; of a role that the job lacks; nothing */
    {"{'spec':{'podSets':[{'name':'data','count':1,'minCount':0}]}}", ""},
    {"{'spec':{'podSets':[{'name':'other','count':9,'minCount':1}]}}", ""},
    {"{'spec':{'podSets':[{'name':'node','minCount':'1'}]}}", ""},
    {"{}", ""},
};

START_TEST(what_a_workload_admits)
{
    const struct resolution row = {.policy = "'defaultBackend':'coscheduling'", .job = ""};
    struct run run = run_resolution(&row);
    struct arena *arena = arena_new(0);
    char text[DOCUMENT_SIZE];

    kueue_checks_workload(run.decision, tree_of(arena, spell(text, workloads[_i].workload)),
                          run.decision->report);
    kueue_in_words(run.decision, text);
    check_text(text, workloads[_i].finding);
    end_run(&run);
    arena_free(arena);
}
END_TEST

void
add_tests(TCase *cases)
{
    add_rows(cases, kueue_beside_the_gang, cases_of_kueue, job, policy);
    tcase_add_loop_test(cases, kueue_admits_all_pods_of_an_elastic_gang, 0, 2);
    add_items(cases, says_nothing_without_a_gang, jobs_without_gang);
    tcase_add_test(cases, only_what_kueue_reads_is_looked_at);
    add_rows(cases, what_a_workload_admits, workloads, workload);
}
