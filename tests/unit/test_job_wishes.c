/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/decide/job_wishes.h"

#include "unit/jobs.h"

#define WISHES_POLICY(spec)                                                                        \
    "{'apiVersion':'policy.libgang.dev/v1alpha1','kind':'GangPolicy','metadata':{'name':'p'},"     \
    "'spec':{" spec "}}"

/* A job before a policy, and the attributes of its gang: `queue class timeout level`. */
static const struct {
    const char *text;   /* members of spec */
    const char *policy; /* members of spec */
    const char *attributes;
} rows[] = {
    {"", "'defaultBackend':'volcano'", "- - - -"},
    {"'queue':'q','priorityClassName':'high','scheduleTimeoutSeconds':60,'topology':{'required':"
     "'2'},",
     "'defaultBackend':'volcano'", "q high 60 2"},
    {"'topology':{'preferred':'rack'},", "'defaultBackend':'coscheduling'", "- - - rack"},
    {"'topology':{'preferred':'rack','required':'zone'},", "'defaultBackend':'coscheduling'",
     "- - - zone"},
    /* defaults of a policy give way, a strict rule does not */
    {"'queue':'q','priorityClassName':'high','scheduleTimeoutSeconds':60,",
     "'defaultBackend':'volcano','defaults':{'queue':{'name':'d'},'priorityClassName':{'name':"
     "'low'},'scheduleTimeoutSeconds':9}",
     "q high 60 -"},
    {"'queue':'q','scheduleTimeoutSeconds':60,",
     "'rules':[{'name':'r','match':{},'override':'Always','backend':'volcano','queue':{'name':'d',"
     "'override':'Always'},'scheduleTimeoutSeconds':9}]",
     "d - 9 -"},
    {"", "'defaultBackend':'volcano','defaults':{'queue':{'name':'d'},'scheduleTimeoutSeconds':9}",
     "d - 9 -"},
    /* and with runtimePolicy Ignore the job's wishes are not read */
    {"'queue':'q','priorityClassName':'high','scheduleTimeoutSeconds':60,'topology':{'required':"
     "'2'},",
     "'defaultBackend':'volcano','runtimePolicy':'Ignore'", "- - - -"},
};

static const char *
text_or_dash(struct slice text)
{
    return text.len ? text.data : "-";
}

static struct gang_decision *
resolve_row(const char *job, const char *policy)
{
    char texts[2][DOCUMENT_SIZE];
    char spelled[DOCUMENT_SIZE];
    struct front_place unused;
    struct gang_document *document = NULL;
    struct gang_inputs *inputs = gang_inputs_new();
    struct gang_decision *decision = NULL;
    struct job_case opened;

    snprintf(texts[0], DOCUMENT_SIZE, GANG_JOB("%s" JOB_ROLES(JOB_PODS(""))), job);
    snprintf(texts[1], DOCUMENT_SIZE, WISHES_POLICY("%s"), policy);
    front_text(spelled, texts[1], &unused);
    ck_assert_int_eq(gang_document_parse(NULL, spelled, strlen(spelled), 0, &document, NULL),
                     GANG_OK);
    ck_assert_int_eq(gang_inputs_add(inputs, document), GANG_OK);
    gang_document_unref(document);
    job_open_good(&opened, texts[0]);
    ck_assert_int_eq(gang_resolve(NULL, opened.document, inputs, 0, &decision, &opened.error),
                     GANG_OK);
    job_close(&opened);
    gang_inputs_free(inputs);
    return decision;
}

START_TEST(a_job_sets_attributes_of_its_gang)
{
    struct gang_decision *decision = resolve_row(rows[_i].text, rows[_i].policy);
    const struct gang *gang = &decision->gang;
    char timeout[32] = "-";
    char found[256];

    if (gang->has_timeout)
        snprintf(timeout, sizeof(timeout), "%lld", (long long)gang->timeout_seconds);
    snprintf(found, sizeof(found), "%s %s %s %s", text_or_dash(gang->queue),
             text_or_dash(gang->priority_class_name), timeout, text_or_dash(gang->topology.level));
    ck_assert_str_eq(found, rows[_i].attributes);
    gang_decision_unref(decision);
}
END_TEST

START_TEST(a_required_level_is_a_hard_topology)
{
    struct gang_topology topology =
        job_wish_gang_topology(&(struct gang_job_topology){.required = SLICE("2")});

    ck_assert(topology.is_set);
    ck_slice_eq(topology.mode, "hard");
    ck_assert(topology.has_tier);
    ck_assert_int_eq(topology.highest_tier, 2);
    topology = job_wish_gang_topology(&(struct gang_job_topology){.preferred = SLICE("rack")});
    ck_slice_eq(topology.mode, "soft");
    ck_slice_eq(topology.level, "rack");
    ck_assert(!topology.has_tier);
}
END_TEST

void
add_tests(TCase *cases)
{
    add_rows(cases, a_job_sets_attributes_of_its_gang, rows, text, policy);
    tcase_add_test(cases, a_required_level_is_a_hard_topology);
}
