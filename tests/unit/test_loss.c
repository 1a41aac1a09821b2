/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/backend/backend.h"

#include "unit/job.h"

static const struct loss all_losses[] = {
    {LOSS_QUEUE, "no queues"},
    {LOSS_TIMEOUT, "no timeout"},
    {LOSS_TOPOLOGY, "no topology"},
};

enum { ALL_LOSSES = COUNT_OF(all_losses) };

/* Everything set; `written` says whether somebody wrote it. */
static struct job
make_lossy_job(bool written)
{
    struct job job = job_make("a");
    const struct node *source = written ? job.gang.roles[0].source : NULL;

    job.gang.queue = SLICE("research");
    job.gang.queue_source = source;
    job.gang.has_timeout = true;
    job.gang.timeout_seconds = -7;
    job.gang.timeout_source = source;
    job.gang.topology = (struct gang_topology){.is_set = true,
                                               .mode = SLICE("hard"),
                                               .has_tier = true,
                                               .highest_tier = 2,
                                               .source = source};
    return job;
}

static const struct {
    const char *field;
    const char *value;
    const char *reason;
    const char *message;
} expected[] = {
    {"queue", "research", "no queues", "queue \"research\" is lost: no queues"},
    {"scheduleTimeoutSeconds", "-7", "no timeout",
     "scheduleTimeoutSeconds \"-7\" is lost: no timeout"},
    {"topology", "hard/2", "no topology", "topology \"hard/2\" is lost: no topology"},
};

START_TEST(lists_what_is_lost)
{
    struct job job = make_lossy_job(true);
    struct plan_content content;

    ck_assert(plan_content_init(&content, job.arena, &job.gang));
    loss_render(all_losses, ALL_LOSSES, &job.gang, &content);
    ck_assert_uint_eq(content.num_losses, ALL_LOSSES);
    ck_slice_eq(content.losses[_i].field, expected[_i].field);
    ck_slice_eq(content.losses[_i].value, expected[_i].value);
    ck_assert_str_eq(content.losses[_i].reason, expected[_i].reason);
    job_free(&job);
}
END_TEST

START_TEST(warns_of_what_is_lost)
{
    struct job job = make_lossy_job(true);

    loss_report(all_losses, ALL_LOSSES, &job.gang, &job.report);
    ck_assert_str_eq(job_findings(&job), "FieldLost FieldLost FieldLost");
    ck_assert_str_eq(job.report.items[_i].message, expected[_i].message);
    ck_assert_str_eq(job.report.items[_i].path, "replicatedJobs[0]");
    ck_assert_int_eq(job.report.items[_i].severity, GANG_SEVERITY_WARNING);
    job_free(&job);
}
END_TEST

START_TEST(a_default_is_no_loss)
{
    struct job job = make_lossy_job(false);
    struct plan_content content;

    ck_assert(plan_content_init(&content, job.arena, &job.gang));
    loss_render(all_losses, ALL_LOSSES, &job.gang, &content);
    loss_report(all_losses, ALL_LOSSES, &job.gang, &job.report);
    ck_assert_uint_eq(content.num_losses, 0);
    ck_assert_uint_eq(job.report.count, 0);
    job_free(&job);
}
END_TEST

START_TEST(nothing_set_is_no_loss)
{
    struct job job = job_make("a");

    job.gang.queue = SLICE("");
    job.gang.queue_source = job.gang.timeout_source = job.gang.topology.source =
        job.gang.roles[0].source;
    loss_report(all_losses, ALL_LOSSES, &job.gang, &job.report);
    ck_assert_uint_eq(job.report.count, 0);
    job_free(&job);
}
END_TEST

START_TEST(a_topology_may_have_no_tier)
{
    struct job job = make_lossy_job(true);

    job.gang.topology.has_tier = false;
    loss_report(&all_losses[2], 1, &job.gang, &job.report);
    ck_assert_str_eq(job.report.items[0].message, "topology \"hard\" is lost: no topology");
    job_free(&job);
}
END_TEST

void
add_tests(TCase *cases)
{
    add_rows(cases, lists_what_is_lost, expected, field, value);
    add_rows(cases, warns_of_what_is_lost, expected, field, value);
    tcase_add_test(cases, a_default_is_no_loss);
    tcase_add_test(cases, nothing_set_is_no_loss);
    tcase_add_test(cases, a_topology_may_have_no_tier);
}
