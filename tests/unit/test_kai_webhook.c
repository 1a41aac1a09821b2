/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/backend/kai/kai.h"

#include "support/kai_pod_group.h"
#include "support/kai_webhook.h"
#include "unit/job.h"
#include "unit/tree.h"

#define A_CANNOT "minSubGroup cannot be set on a leaf SubGroup (no child SubGroups)"
#define MID_LEVEL                                                                                  \
    "subgroup \"parent\": minMember cannot be set on a mid-level SubGroup (has child SubGroups); " \
    "use "                                                                                         \
    "minSubGroup instead"
#define TWO_LEVEL                                                                                  \
    "[{'name':'decode','minSubGroup':2},{'name':'leaders','parent':'decode','minMember':1},"       \
    "{'name':'workers','parent':'decode','minMember':4},{'name':'prefill','minSubGroup':2},"       \
    "{'name':'pleaders','parent':'prefill','minMember':1},{'name':'pworkers','parent':'prefill',"  \
    "'minMember':4}]"

/* The cases of upstream's own tests: pkg/apis/scheduling/v2alpha2/podgroup_webhook_test.go. */
static const struct {
    const char *name;
    const char *spec;
    const char *create; /* errors, joined by a line end */
    const char *warnings;
} golden[] = {
    {"single root",
     "{'subGroups':[{'name':'a','minSubGroup':1},{'name':'b','parent':'a','minSubGroup':1},"
     "{'name':'c','parent':'b','minMember':1}]}",
     "", ""},
    {"multiple roots",
     "{'subGroups':[{'name':'a','minSubGroup':1},{'name':'b','minSubGroup':1},{'name':'c',"
     "'parent':'a','minMember':1},{'name':'d','parent':'b','minMember':1}]}",
     "", ""},
    {"missing parent", "{'subGroups':[{'name':'b','parent':'x','minMember':1}]}",
     "parent x of b was not found", ""},
    {"empty list", "{'subGroups':[]}", "", ""},
    {"nil min on leaf", "{'subGroups':[{'name':'a'}]}", "subgroup a: minMember is required", ""},
    {"parent omits min", "{'subGroups':[{'name':'p'},{'name':'l','parent':'p','minMember':1}]}", "",
     ""},
    {"leaf child without min", "{'subGroups':[{'name':'p'},{'name':'l','parent':'p'}]}",
     "subgroup l: minMember is required", ""},
    {"duplicate", "{'subGroups':[{'name':'a','minMember':1},{'name':'a','minMember':1}]}",
     "duplicate subgroup name a", ""},
    {"duplicate before cycle",
     "{'subGroups':[{'name':'b','parent':'b'},{'name':'a','minMember':1},{'name':'a','minMember':1}"
     "]}",
     "duplicate subgroup name a", ""},
    {"self parent", "{'subGroups':[{'name':'a','parent':'a','minMember':1}]}",
     "cycle detected in subgroups", ""},
    {"cycle of three",
     "{'subGroups':[{'name':'a','parent':'c'},{'name':'b','parent':'a'},{'name':'c','parent':'b'}]"
     "}",
     "cycle detected in subgroups", ""},
    {"two cycles",
     "{'subGroups':[{'name':'a','parent':'b'},{'name':'b','parent':'a'},{'name':'c','parent':'d'},"
     "{'name':'d','parent':'c'}]}",
     "cycle detected in subgroups", ""},
    {"mid-level 2 of 2",
     "{'subGroups':[{'name':'parent','minSubGroup':2},{'name':'a','parent':'parent','minMember':4},"
     "{'name':'b','parent':'parent','minMember':4}]}",
     "", ""},
    {"leaf minSubGroup 1", "{'subGroups':[{'name':'A','minSubGroup':1}]}",
     "subgroup \"A\": " A_CANNOT "\nsubgroup A: minMember is required", ""},
    {"leaf minSubGroup 0", "{'subGroups':[{'name':'A','minSubGroup':0}]}",
     "subgroup \"A\": " A_CANNOT "\nsubgroup A: minMember is required", ""},
    {"mid-level minMember",
     "{'subGroups':[{'name':'parent','minMember':2},{'name':'a','parent':'parent','minMember':4},"
     "{'name':'b','parent':'parent','minMember':4}]}",
     MID_LEVEL, ""},
    {"both on a subgroup",
     "{'subGroups':[{'name':'parent','minMember':2,'minSubGroup':1},{'name':'a','parent':'parent',"
     "'minMember':1}]}",
     "subgroup \"parent\": minMember and minSubGroup are mutually exclusive", ""},
    {"minSubGroup 3 of 2",
     "{'subGroups':[{'name':'parent','minSubGroup':3},{'name':'a','parent':'parent','minMember':4},"
     "{'name':'b','parent':'parent','minMember':4}]}",
     "", "subgroup \"parent\": minSubGroup (3) exceeds the number of direct child SubGroups (2)"},
    {"two levels", "{'subGroups':" TWO_LEVEL "}", "", ""},
    {"minMember 4, no subgroups", "{'minMember':4}", "", ""},
    {"root 3 of 4",
     "{'minSubGroup':3,'subGroups':[{'name':'a','minMember':1},{'name':'b','minMember':1},{'name':'"
     "c',"
     "'minMember':1},{'name':'d','minMember':1}]}",
     "", ""},
    {"root 2 of 2",
     "{'minSubGroup':2,'subGroups':[{'name':'a','minMember':1},{'name':'b','minMember':1}]}", "",
     ""},
    {"root 0", "{'minSubGroup':0,'subGroups':[{'name':'a','minMember':1}]}", "", ""},
    {"two levels under a root", "{'minSubGroup':2,'subGroups':" TWO_LEVEL "}", "", ""},
    {"empty spec", "{}", "", ""},
    {"the first double by name too",
     "{'subGroups':[{'name':'a','minMember':1},{'name':'a','minMember':1},{'name':'b','minMember':"
     "1},"
     "{'name':'b','minMember':1}]}",
     "duplicate subgroup name a", ""},
    {"the first double of the list",
     "{'subGroups':[{'name':'b','minMember':1},{'name':'b','minMember':1},{'name':'a','minMember':"
     "1},"
     "{'name':'a','minMember':1}]}",
     "duplicate subgroup name b", ""},
    {"both at root", "{'minMember':24,'minSubGroup':3}",
     "minMember and minSubGroup are mutually exclusive: set minMember (24) to schedule a fixed "
     "number of "
     "pods, or set minSubGroup to require a minimum number of child SubGroups, but not both",
     ""},
    {"root 5 of 4",
     "{'minSubGroup':5,'subGroups':[{'name':'a','minMember':1},{'name':'b','minMember':1},{'name':'"
     "c',"
     "'minMember':1},{'name':'d','minMember':1}]}",
     "", "minSubGroup (5) exceeds the number of direct child SubGroups (4)"},
    {"root 1 with none", "{'minSubGroup':1}", "",
     "minSubGroup (1) exceeds the number of direct child SubGroups (0)"},
    {"create rejects what update warns of",
     "{'subGroups':[{'name':'parent','minMember':2},{'name':'child','parent':'parent','minMember':"
     "1}]}",
     MID_LEVEL, ""},
};

static const char *
double_quoted(struct arena *arena, const char *text)
{
    char *out = arena_alloc(arena, strlen(text) + 1);

    for (size_t i = 0; text[i]; i++)
        out[i] = text[i] == '\'' ? '"' : text[i];
    return out;
}

static const char *
answer_of(struct arena *arena, const char *spec, enum kai_webhook_call call, bool warnings)
{
    const struct release main_branch = {.is_known = true, .minor = 18};
    struct kai_pod_group group =
        kai_pod_group_read(tree_of(arena, double_quoted(arena, spec)), arena);
    struct kai_webhook_answer answer = kai_webhook_check(&group, &main_branch, call, arena);
    const char *text = "";

    for (size_t i = 0; i < answer.count; i++)
        if (answer.problems[i].is_warning == warnings)
            text = arena_format(arena, "%s%s%s", text, *text ? "\n" : "", answer.problems[i].text);
    return text;
}

START_TEST(golden_cases)
{
    struct arena *arena = arena_new(0);

    ck_assert_msg(
        !strcmp(answer_of(arena, golden[_i].spec, KAI_WEBHOOK_CREATE, false), golden[_i].create),
        "%s: %s", golden[_i].name, answer_of(arena, golden[_i].spec, KAI_WEBHOOK_CREATE, false));
    ck_assert_msg(
        !strcmp(answer_of(arena, golden[_i].spec, KAI_WEBHOOK_CREATE, true), golden[_i].warnings),
        "%s: %s", golden[_i].name, answer_of(arena, golden[_i].spec, KAI_WEBHOOK_CREATE, true));
    arena_free(arena);
}
END_TEST

START_TEST(an_update_only_warns_of_a_minimum_in_the_middle)
{
    struct arena *arena = arena_new(0);
    const char *spec = "{'subGroups':[{'name':'parent','minMember':2},{'name':'child','parent':'"
                       "parent','minMember':1}]}";

    ck_assert_str_eq(answer_of(arena, spec, KAI_WEBHOOK_UPDATE, false), "");
    ck_assert_str_eq(answer_of(arena, spec, KAI_WEBHOOK_UPDATE, true), MID_LEVEL);
    arena_free(arena);
}
END_TEST

/* A root of 0 is refused up to v0.16.8 and v0.17.0, and is no gang from v0.16.9 and v0.17.1 on. */
static const struct {
    unsigned minor;
    unsigned patch;
    const char *error; /* NULL: none */
} roots_of_zero[] = {
    {15, 3, "minSubGroup at the podgroup level must be equal to or greater than 1"},
    {16, 8, "minSubGroup at the podgroup level must be equal to or greater than 1"},
    {16, 9, NULL},
    {17, 0, "minSubGroup at the podgroup level must be equal to or greater than 1"},
    {17, 1, NULL},
};

START_TEST(a_root_of_zero_depends_on_the_release)
{
    struct arena *arena = arena_new(0);
    const struct release release = {
        .is_known = true, .minor = roots_of_zero[_i].minor, .patch = roots_of_zero[_i].patch};
    struct kai_pod_group group = kai_pod_group_read(
        tree_of(arena,
                double_quoted(arena, "{'minSubGroup':0,'subGroups':[{'name':'a','minMember':1}]}")),
        arena);
    struct kai_webhook_answer answer =
        kai_webhook_check(&group, &release, KAI_WEBHOOK_CREATE, arena);

    ck_assert_uint_eq(answer.count, roots_of_zero[_i].error != NULL);
    if (roots_of_zero[_i].error) {
        ck_assert(!answer.problems[0].is_warning);
        ck_assert_str_eq(answer.problems[0].text, roots_of_zero[_i].error);
    }
    arena_free(arena);
}
END_TEST

START_TEST(names_the_first_missing_parent)
{
    struct arena *arena = arena_new(0);

    ck_assert_str_eq(answer_of(arena,
                               "{'subGroups':[{'name':'z','parent':'y','minMember':1},{'name':'b',"
                               "'parent':'x','minMember':1}]}",
                               KAI_WEBHOOK_CREATE, false),
                     "parent x of b was not found");
    arena_free(arena);
}
END_TEST

/* Without memory there are no further findings, and the arena reports the failure. */
START_TEST(survives_every_failed_allocation)
{
    enum { LIMIT = 1 << 16 };
    struct arena *arena = arena_new(0);
    struct arena *small = arena_new(LIMIT);
    struct kai_pod_group group =
        kai_pod_group_read(tree_of(arena, "{\"subGroups\":[{\"name\":\"a\"}]}"), arena);

    arena_alloc(small, LIMIT - 16 * (size_t)_i);
    kai_webhook_check(&group, &(struct release){.is_known = true, .minor = 18}, KAI_WEBHOOK_CREATE,
                      small);
    ck_assert(arena_failed(small));
    arena_free(small);
    arena_free(arena);
}
END_TEST

void
add_tests(TCase *cases)
{
    add_rows(cases, golden_cases, golden, name);
    tcase_add_test(cases, an_update_only_warns_of_a_minimum_in_the_middle);
    add_rows(cases, a_root_of_zero_depends_on_the_release, roots_of_zero, error, minor, patch);
    tcase_add_test(cases, names_the_first_missing_parent);
    tcase_add_loop_test(cases, survives_every_failed_allocation, 1, 10);
}
