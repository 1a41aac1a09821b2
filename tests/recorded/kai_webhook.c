/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/backend/kai/kai.h"

#include "recorded/recorded.h"
#include "support/kai_pod_group.h"
#include "support/kai_webhook.h"

static struct recorded recorded;

/* The texts of one kind, joined as the API server shows them. */
static const char *
joined(const struct kai_webhook_answer *answer, bool warnings, struct arena *arena)
{
    const char *text = "";

    for (size_t i = 0; i < answer->count; i++)
        if (answer->problems[i].is_warning == warnings)
            text = arena_format(arena, "%s%s%s", text, *text ? "\n" : "", answer->problems[i].text);
    return text;
}

static const char *
joined_list(const struct node *list, struct arena *arena)
{
    const char *text = "";

    for (NODE_EACH(item, list))
        text =
            arena_format(arena, "%s%s%.*s", text, *text ? "\n" : "", SLICE_ARG(node_string(item)));
    return text;
}

static void
check_answer(const struct node *source, const struct node *out, const struct release *release,
             enum kai_webhook_call call)
{
    struct arena *arena = recorded.arena;
    const char *name = call == KAI_WEBHOOK_CREATE ? "create" : "update";
    const char *warnings = arena_format(arena, "%sWarnings", name);
    struct kai_pod_group group = kai_pod_group_read(node_member(source, SLICE("spec")), arena);
    struct kai_webhook_answer answer = kai_webhook_check(&group, release, call, arena);

    ck_assert_str_eq(joined(&answer, false, arena),
                     arena_format(arena, "%.*s", SLICE_ARG(recorded_member(out, name))));
    ck_assert_str_eq(joined(&answer, true, arena),
                     joined_list(node_member(out, slice_from_text(warnings)), arena));
}

START_TEST(answers_as_the_webhook_does)
{
    const struct node *source = recorded.cases[_i];

    for (NODE_EACH(out, node_member(source, SLICE("out"))))
        for (NODE_EACH(version, node_member(out, SLICE("versions")))) {
            struct release release = recorded_release(version);

            check_answer(source, out, &release, KAI_WEBHOOK_CREATE);
            check_answer(source, out, &release, KAI_WEBHOOK_UPDATE);
        }
}
END_TEST

/* What is read of a spec and written again is the same, where the release has all of it. */
START_TEST(writes_what_it_reads)
{
    const struct node *spec = node_member(recorded.cases[_i], SLICE("spec"));
    struct kai_pod_group group = kai_pod_group_read(spec, recorded.arena);
    struct builder again = build_map(recorded.arena);
    struct builder known = build_map(recorded.arena);

    kai_pod_group_build(&group, &(struct release){0}, &again);
    for (NODE_EACH(member, spec))
        if (!slice_equal(node_key(member), SLICE("markUnschedulable")) &&
            !slice_equal(node_key(member), SLICE("schedulingBackoff")) &&
            node_count(member) + node_text(member).len)
            build_node(&known, node_key(member), member);
    if (node_member(spec, SLICE("topologyConstraint")) &&
        !node_count(node_member(spec, SLICE("topologyConstraint"))))
        build_map_member(&known, SLICE("topologyConstraint"));
    ck_assert_msg(node_equal(again.node, known.node), "%s is not %s",
                  job_print(recorded.arena, again.node), job_print(recorded.arena, known.node));
}
END_TEST

void
add_tests(TCase *cases)
{
    recorded = recorded_load(RECORDED "/kai/webhook.ndjson");
    tcase_add_loop_test(cases, answers_as_the_webhook_does, 0, recorded.count);
    tcase_add_loop_test(cases, writes_what_it_reads, 0, recorded.count);
}
