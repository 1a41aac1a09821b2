/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/backend/volcano/volcano_groups.h"

#include "libgang/document/writer.h"
#include "libgang/policy/cluster.h"

#include "unit/formed_jobs.h"

/* Roles a, b, c of 1, 2 and 4 pods, the last one elastic, and the groups of the job. */
#define PLACED_ROLES(of_a, of_b, of_c, groups)                                                     \
    GANG_JOB(                                                                                      \
        JOB_ROLES(JOB_PODS(of_a) "," JOB_ROLE("b", ",'requests':{},'count':2" of_b) "," JOB_ROLE(  \
            "c", ",'requests':{},'count':4,'minCount':3" of_c)) ",'groups':[" groups "]")
#define OF(group) ",'group':'" group "'"
#define TIER(level) ",'topology':{'required':'" level "'}"
#define LATE ",'dependsOn':[{'role':'a','status':'Ready'}]"

/*
 * Each policy as `name size`, with what was placed, and the roles. Source of the rules:
 * volcano-sh/volcano:pkg/scheduler/api/job_info.go@v1.14.0: a pod is in one sub group at most.
 */
static const struct {
    const char *text;
    bool is_elastic;
    const char *policies;
} cases[] = {
    {PLACED_ROLES(OF("g"), OF("g"), "", "{'name':'g'" TIER("1") "}"), false, "g 3 hard/1: a b"},
    {PLACED_ROLES(OF("g"), OF("g"), "", "{'name':'g','topology':{'preferred':'2'}}"), false,
     "g 3 soft/2: a b"},
    /* without a topology that Volcano has, a group says nothing */
    {PLACED_ROLES(OF("g"), OF("g"), "", "{'name':'g'}"), false, ""},
    {PLACED_ROLES(OF("g"), OF("g"), "", "{'name':'g'" TIER("rack") "}"), false, ""},
    {PLACED_ROLES(OF("g"), OF("g"), "", "{'name':'g'" TIER("-1") "}"), false, ""},
    /* a group has all roles below it, unless one of them is placed by itself */
    {PLACED_ROLES(OF("h"), OF("g"), "", "{'name':'g'" TIER("1") "},{'name':'h','parent':'g'}"),
     false, "g 3 hard/1: a b"},
    {PLACED_ROLES(OF("h"), OF("g"), "",
                  "{'name':'g'" TIER("2") "},{'name':'h','parent':'g'" TIER("1") "}"),
     false, "h 1 hard/1: a"},
    {PLACED_ROLES(OF("g"), OF("h"), "", "{'name':'g'" TIER("1") "},{'name':'h'" TIER("1") "}"),
     false, "g 1 hard/1: a; h 2 hard/1: b"},
    /* minTaskMember must not be combined with policies, so every role has one */
    {PLACED_ROLES(OF("g"), OF("g"), "", "{'name':'g'" TIER("1") "}"), true,
     "g 3 hard/1: a b; c 3: c"},
    {PLACED_ROLES("", "", OF("g"), "{'name':'g'" TIER("1") "}"), true,
     "g 3 hard/1: c; a 1: a; b 2: b"},
    {PLACED_ROLES("", OF("g"), OF("g"), "{'name':'g'" TIER("1") "}"), true,
     "g 5 hard/1: b c; a 1: a; shared"},
    /* late roles are placed, and not counted */
    {PLACED_ROLES("", OF("g") LATE, OF("g"), "{'name':'g'" TIER("1") "}"), false,
     "g 3 hard/1: b c"},
    {PLACED_ROLES("", OF("g") LATE, "", "{'name':'g'" TIER("1") "}"), false, "g 0 hard/1: b"},
    {PLACED_ROLES("", OF("g") ",'membership':'Outside'", OF("g"), "{'name':'g'" TIER("1") "}"),
     false, "g 3 hard/1: c"},
};

static const char *
policies_text(const struct volcano_policies *policies, const struct gang *gang, struct arena *arena)
{
    const char *text = "";

    for (size_t i = 0; i < policies->count; i++) {
        const struct volcano_policy *policy = &policies->items[i];

        text = arena_format(arena, "%s%s%.*s %lld", text, i ? "; " : "", SLICE_ARG(policy->name),
                            (long long)policy->size);
        if (policy->placement && slice_is_set(policy->placement->required))
            text =
                arena_format(arena, "%s hard/%.*s", text, SLICE_ARG(policy->placement->required));
        else if (policy->placement)
            text =
                arena_format(arena, "%s soft/%.*s", text, SLICE_ARG(policy->placement->preferred));
        text = arena_format(arena, "%s:", text);
        for (size_t k = 0; k < gang->num_roles; k++)
            if (policies->of_role[k] == i)
                text = arena_format(arena, "%s %.*s", text, SLICE_ARG(gang->roles[k].name));
    }
    return policies->shares ? arena_format(arena, "%s; shared", text) : text;
}

START_TEST(groups_with_a_tier_have_policies)
{
    struct formed_job made;
    struct volcano_policies policies;

    formed_job_open(&made, cases[_i].text);
    policies = volcano_policies_make(&(struct backend_call){.gang = &made.gang},
                                     cases[_i].is_elastic, made.arena);
    ck_assert_str_eq(policies_text(&policies, &made.gang, made.arena), cases[_i].policies);
    formed_job_close(&made);
}
END_TEST

/* What an API server of the release would drop. */
static const struct {
    const char *release;
    bool has_minima;
    bool has_topology;
    bool has_policies;
} releases[] = {
    {"v1.4.0", false, false, false},    {"v1.5.0", true, false, false},
    {"v1.11.2", true, false, false},    {"v1.12.0", true, true, false},
    {"v1.13.1", true, true, false},     {"v1.14.0", true, true, true},
    {"v1.14.0-rc.1", true, true, true}, {"v1.15.0", true, true, true},
};

START_TEST(a_release_has_its_fields)
{
    char text[DOCUMENT_SIZE];
    struct gang_document *document = NULL;
    const struct gang_cluster *cluster;
    struct formed_job made;
    struct backend_call call = {.gang = &made.gang};

    snprintf(text, sizeof(text),
             "{\"apiVersion\":\"policy.libgang.dev/v1alpha1\",\"kind\":\"GangCluster\","
             "\"metadata\":{\"name\":\"c\"},\"spec\":{\"components\":{\"volcano\":\"%s\"}}}",
             releases[_i].release);
    ck_assert_int_eq(gang_document_parse(NULL, text, strlen(text), 0, &document, NULL), GANG_OK);
    cluster = cluster_of(document);
    ck_assert_int_eq(!volcano_why_no_field(cluster, VOLCANO_MIN_TASK_MEMBER),
                     releases[_i].has_minima);
    ck_assert_int_eq(!volcano_why_no_field(cluster, VOLCANO_NETWORK_TOPOLOGY),
                     releases[_i].has_topology);
    ck_assert_int_eq(!volcano_why_no_field(cluster, VOLCANO_SUB_GROUP_POLICY),
                     releases[_i].has_policies);
    formed_job_open(&made, cases[0].text);
    call.cluster = cluster;
    ck_assert_uint_eq(volcano_policies_make(&call, false, made.arena).count,
                      releases[_i].has_policies);
    ck_assert_int_eq(!volcano_why_group_is_lost(&call, 0, GROUP_TOPOLOGY),
                     releases[_i].has_policies);
    ck_assert_ptr_nonnull(volcano_why_group_is_lost(&call, 0, GROUP_MINIMUM));
    formed_job_close(&made);
    gang_document_unref(document);
}
END_TEST

START_TEST(a_policy_selects_the_label_that_the_pods_have)
{
    struct formed_job made;
    struct volcano_policies policies;
    struct plan_content content;
    struct builder spec;
    struct buffer out = {0};

    formed_job_open(&made, cases[0].text);
    policies = volcano_policies_make(&(struct backend_call){.gang = &made.gang}, false, made.arena);
    spec = build_map(made.arena);
    volcano_policies_build(&policies, &spec);
    json_write(&out, spec.node);
    buffer_append_byte(&out, '\0');
    ck_assert_str_eq(out.data,
                     "{\"subGroupPolicy\":[{\"name\":\"g\",\"labelSelector\":{\"matchLabels\":{"
                     "\"policy.libgang.dev/group\":\"g\"}},\"matchLabelKeys\":["
                     "\"policy.libgang.dev/group\"],\"subGroupSize\":3,\"minSubGroups\":1,"
                     "\"networkTopology\":{\"mode\":\"hard\",\"highestTierAllowed\":1}}]}");
    buffer_clear(&out);
    ck_assert(plan_content_init(&content, made.arena, &made.gang));
    for (size_t i = 0; i < made.gang.num_roles; i++)
        volcano_policies_mark(&policies, i, &content.patches[i]);
    ck_slice_eq(content.patches[1].labels[0].key, "policy.libgang.dev/group");
    ck_slice_eq(content.patches[1].labels[0].value, "g");
    ck_assert_uint_eq(content.patches[2].num_labels, 0);
    formed_job_close(&made);
}
END_TEST

void
add_tests(TCase *tcase)
{
    add_rows(tcase, groups_with_a_tier_have_policies, cases, text);
    add_rows(tcase, a_release_has_its_fields, releases, release);
    tcase_add_test(tcase, a_policy_selects_the_label_that_the_pods_have);
}
