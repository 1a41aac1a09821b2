/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/backend/volcano/volcano.h"

#include "libgang/document/writer.h"

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

/* Roles a of 1 pod, b and c, and more fields of the job. */
#define UNIT_ROLES(b, c, more)                                                                     \
    GANG_JOB(JOB_ROLES(JOB_PODS("") "," JOB_ROLE("b", ",'requests':{}" b) "," JOB_ROLE(            \
        "c", ",'requests':{}" c)) more)
#define BY_SLICE ",'unitLabel':'x.io/slice'"

/* Units, and what of the roles must start. Each unit as `units x pods by label`. */
static const struct {
    const char *text;
    bool is_elastic;
    const char *policies;
    const char *lost; /* of role b; NULL: nothing */
} unit_cases[] = {
    {UNIT_ROLES(",'count':8,'minCount':4,'unit':2" BY_SLICE, "", ""), true,
     "b 4 2x2 by x.io/slice: b; a 1: a; c 1: c", NULL},
    {UNIT_ROLES(",'count':8,'minCount':0,'unit':2" BY_SLICE, "", ""), true,
     "b 0 0x2 by x.io/slice: b; a 1: a; c 1: c", NULL},
    /* all pods start together, and so do the pods of each unit */
    {UNIT_ROLES(",'count':8,'unit':4" BY_SLICE, "", ""), false, "", NULL},
    {UNIT_ROLES(",'count':8,'unit':4" BY_SLICE, ",'count':2,'minCount':1", ""), true, "", NULL},
    {UNIT_ROLES(",'count':8,'minCount':4,'unit':2" BY_SLICE,
                ",'count':6,'minCount':3,'unit':3,'unitLabel':'x.io/rack'", ""),
     true, "b 4 2x2 by x.io/slice: b; c 3 1x3 by x.io/rack: c; a 1: a", NULL},
    /* the documents want fewer pods than all roles need: no number of units is asked for */
    {UNIT_ROLES(",'count':8,'minCount':4,'unit':2" BY_SLICE, "", ",'minimum':5"), false,
     "b 4 0x2 by x.io/slice: b", NULL},
    {UNIT_ROLES(",'count':8,'unit':4" BY_SLICE, "", ",'minimum':5"), false,
     "b 8 0x4 by x.io/slice: b", NULL},
    {UNIT_ROLES(",'count':8,'minCount':4,'unit':2" BY_SLICE, "", ",'minimum':7"), false,
     "b 4 2x2 by x.io/slice: b", NULL},
    /* late units start later, each as a whole */
    {UNIT_ROLES(",'count':8,'unit':4" BY_SLICE LATE, "", ""), false, "b 0 0x4 by x.io/slice: b",
     NULL},
    {UNIT_ROLES(",'count':0,'unit':4" BY_SLICE, "", ""), false, "", NULL},
    {UNIT_ROLES(",'count':8,'unit':4,'membership':'Outside'" BY_SLICE, "", ""), false, "", NULL},
    /* pods without a label, pods that wait for others of their unit, pods of a placed group */
    {UNIT_ROLES(",'count':8,'minCount':4,'unit':2", "", ""), true, "",
     "Volcano tells units apart by a label of the pods: set unitLabel of the role"},
    {UNIT_ROLES(",'count':6,'firstCount':2,'unit':3" BY_SLICE, "", ""), false, "",
     "pods of a unit are created only when others of it have a node"},
    {UNIT_ROLES(",'count':8,'minCount':4,'unit':2" BY_SLICE OF("g"), "",
                ",'groups':[{'name':'g'" TIER("1") "}]"),
     true, "g 4 hard/1: b; a 1: a; c 1: c",
     "a pod is in one subGroupPolicy, which is that of its group with a topology"},
    /* of a group without a policy, and beside one with it */
    {UNIT_ROLES(",'count':8,'minCount':4,'unit':2" BY_SLICE OF("g"), "",
                ",'groups':[{'name':'g'}]"),
     true, "b 4 2x2 by x.io/slice: b; a 1: a; c 1: c", NULL},
    {UNIT_ROLES(",'count':8,'minCount':4,'unit':2" BY_SLICE, OF("g"),
                ",'groups':[{'name':'g'" TIER("1") "}]"),
     true, "g 1 hard/1: c; b 4 2x2 by x.io/slice: b; a 1: a", NULL},
};

static const char *
policies_text(const struct volcano_policies *policies, const struct gang *gang, struct arena *arena)
{
    const char *text = "";

    for (size_t i = 0; i < policies->count; i++) {
        const struct volcano_policy *policy = &policies->items[i];

        text = arena_format(arena, "%s%s%.*s %lld", text, i ? "; " : "", SLICE_ARG(policy->name),
                            (long long)policy->size);
        if (policy->unit)
            text = arena_format(arena, "%s %lldx%lld by %.*s", text, (long long)policy->units,
                                (long long)policy->unit, SLICE_ARG(policy->unit_label));
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

START_TEST(roles_with_units_have_policies)
{
    struct formed_job made;
    struct volcano_policies policies;
    struct backend_call call = {.gang = &made.gang};
    const char *lost;

    formed_job_open(&made, unit_cases[_i].text);
    policies = volcano_policies_make(&call, unit_cases[_i].is_elastic, made.arena);
    ck_assert_str_eq(policies_text(&policies, &made.gang, made.arena), unit_cases[_i].policies);
    lost = volcano_why_unit_is_lost(&call, 1);
    ck_assert_str_eq(lost ? lost : "", unit_cases[_i].lost ? unit_cases[_i].lost : "");
    formed_job_close(&made);
}
END_TEST

/* Whether the release decides how the gang starts, which is not so if all its pods start at once.
 */
static const struct {
    const char *text;
    bool matters;
} assumptions[] = {
    {UNIT_ROLES(",'count':8,'minCount':4,'unit':2" BY_SLICE, "", ""), true},
    {UNIT_ROLES(",'count':8,'unit':2" BY_SLICE LATE, "", ""), true},
    {UNIT_ROLES(OF("g"), "", ",'groups':[{'name':'g'" TIER("1") "}]"), true},
    {UNIT_ROLES(",'count':8,'unit':2" BY_SLICE, "", ""), false},
    {UNIT_ROLES(",'count':8,'minCount':4,'unit':2", "", ""), false},
};

START_TEST(a_release_is_assumed_if_it_matters)
{
    struct formed_job made;
    size_t assumed = 0;

    formed_job_open(&made, assumptions[_i].text);
    backend_validate(&volcano_backend, &(struct backend_call){.gang = &made.gang}, &made.report);
    for (size_t i = 0; i < made.report.count; i++)
        assumed += made.report.items[i].code == GANG_CODE_RELEASE_ASSUMED;
    ck_assert_uint_eq(assumed, assumptions[_i].matters);
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
    formed_job_open(&made, unit_cases[0].text);
    ck_assert_uint_eq(volcano_policies_make(&call, false, made.arena).count,
                      releases[_i].has_policies);
    ck_assert_int_eq(!volcano_why_unit_is_lost(&call, 1), releases[_i].has_policies);
    formed_job_close(&made);
    gang_document_unref(document);
}
END_TEST

static const char *
policies_json(const struct volcano_policies *policies, struct arena *arena)
{
    struct builder spec = build_map(arena);
    struct buffer out = {0};
    const char *text;

    volcano_policies_build(policies, &spec);
    json_write(&out, spec.node);
    buffer_append_byte(&out, '\0');
    text = arena_format(arena, "%s", out.data);
    buffer_clear(&out);
    return text;
}

START_TEST(a_unit_is_selected_by_the_role_and_told_apart_by_its_label)
{
    struct formed_job made;
    struct volcano_policies policies;
    struct builder list;

    formed_job_open(&made, unit_cases[0].text);
    policies = volcano_policies_make(&(struct backend_call){.gang = &made.gang}, false, made.arena);
    ck_assert_str_eq(policies_json(&policies, made.arena),
                     "{\"subGroupPolicy\":[{\"name\":\"b\",\"labelSelector\":{\"matchLabels\":{"
                     "\"policy.libgang.dev/group\":\"b\"}},\"matchLabelKeys\":[\"x.io/slice\"],"
                     "\"subGroupSize\":2,\"minSubGroups\":2}]}");
    list = build_list(made.arena);
    volcano_policies_list(&(struct backend_call){.gang = &made.gang, .state = &policies}, &list);
    ck_assert_uint_eq(node_count(list.node), 1);
    formed_job_close(&made);
}
END_TEST

START_TEST(a_policy_selects_the_label_that_the_pods_have)
{
    struct formed_job made;
    struct volcano_policies policies;
    struct plan_content content;

    formed_job_open(&made, cases[0].text);
    policies = volcano_policies_make(&(struct backend_call){.gang = &made.gang}, false, made.arena);
    ck_assert_str_eq(policies_json(&policies, made.arena),
                     "{\"subGroupPolicy\":[{\"name\":\"g\",\"labelSelector\":{\"matchLabels\":{"
                     "\"policy.libgang.dev/group\":\"g\"}},\"matchLabelKeys\":["
                     "\"policy.libgang.dev/group\"],\"subGroupSize\":3,\"minSubGroups\":1,"
                     "\"networkTopology\":{\"mode\":\"hard\",\"highestTierAllowed\":1}}]}");
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
    add_rows(tcase, roles_with_units_have_policies, unit_cases, text);
    add_rows(tcase, a_release_is_assumed_if_it_matters, assumptions, text);
    tcase_add_test(tcase, a_unit_is_selected_by_the_role_and_told_apart_by_its_label);
    tcase_add_test(tcase, a_policy_selects_the_label_that_the_pods_have);
}
