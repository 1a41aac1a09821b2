/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/backend/workload/workload.h"

#include "unit/formed_jobs.h"
#include "unit/workloads.h"

#define SERVES_COMPOSITES SERVES(V1ALPHA3, "'workloads','podgroups','compositepodgroups'")
#define WITH_INITIALIZERS "d@dataset-initializer m@model-initializer node*8@trainer<d:C<m:C"
#define TWO_WAVES "node*7 launcher@trainer<node:R"
#define TOGETHER "ps*2 worker*4@trainer"
#define ENTRIES(items) "{'replicatedJobs':[" items "]}"
#define ENTRY(names, more) "{'targetReplicatedJobs':[" names "]" more "}"
#define BASIC ",'schedulingPolicy':{'basic':{}}"

/* `name=minimum` or `name:basic` for each group, `!` behind one with pods at the start; then the
 * group of each role. */
static const char *
groups_text(const struct workload_groups *groups, const struct gang *gang, struct arena *arena)
{
    const char *text = "";

    for (size_t i = 0; i < groups->count; i++) {
        const struct workload_group *group = &groups->items[i];

        text = group->is_basic
                   ? arena_format(arena, "%s%.*s:basic", text, SLICE_ARG(group->template_name))
                   : arena_format(arena, "%s%.*s=%lld", text, SLICE_ARG(group->template_name),
                                  (long long)group->minimum);
        text = arena_format(arena, "%s%s ", text, group->is_first ? "!" : "");
    }
    for (size_t i = 0; i < gang->num_roles; i++)
        if (groups->of_role[i] == WORKLOAD_NO_GROUP)
            text = arena_format(arena, "%s-", text);
        else
            text = arena_format(arena, "%s%zu", text, groups->of_role[i]);
    return groups->num_composites ? arena_format(arena, "%s +%.*s=%lld", text,
                                                 SLICE_ARG(groups->composites[0].template_name),
                                                 (long long)groups->composites[0].minimum)
                                  : text;
}

static const struct {
    const char *roles;
    const char *options;
    const char *scheduling;
    const char *groups;
} divisions[] = {
    /* groups: Job, the default: one group of the members */
    {"node*8@trainer", NULL, NULL, "trainer=8! 0"},
    {TWO_WAVES, NULL, NULL, "trainer=7! 00"},
    {WITH_INITIALIZERS, NULL, NULL, "trainer=8! --0"},
    {TWO_WAVES, "{'lateMembers':'Exclude'}", NULL, "trainer=7! 0-"},
    {"d@dataset-initializer node@trainer<d:C eval<node:C", NULL, NULL, "trainer=1! -0-"},
    /* groups: Role */
    {TWO_WAVES, "{'groups':'Role'}", NULL, "node=7! launcher=1 01"},
    {TWO_WAVES, "{'groups':'Role','lateMembers':'Exclude'}", NULL, "node=7! launcher=1 01"},
    {TOGETHER, "{'groups':'Role'}", NULL, "ps=2! worker=4! 01"},
    {WITH_INITIALIZERS, "{'groups':'Role'}", NULL, "node=8! --0"},
    /* pods after the first ones of a role do not count */
    {"a*2@trainer node*12$3@trainer", NULL, NULL, "trainer=5! 00"},
    {"a*2@trainer node*12$3@trainer", "{'groups':'Role'}", NULL, "a=2! node=3! 01"},
    {"a*2@trainer node*12$3@trainer", NULL, ENTRIES(ENTRY("'a'", "") "," ENTRY("'node'", "")),
     "a=2! node=3! 01"},
    /* nor those that an elastic role can do without */
    {"a*2@trainer node*8%4@trainer", NULL, NULL, "trainer=6! 00"},
    {"a*2@trainer node*8%4@trainer", "{'groups':'Role'}", NULL, "a=2! node=4! 01"},
    {"ps*2@trainer worker*8%4@trainer", NULL, ENTRIES(ENTRY("'ps','worker'", "")),
     "ps-worker-3455d459f4=6! 00"},
    /* initializers: Basic */
    {WITH_INITIALIZERS, "{'initializers':'Basic'}", NULL, "trainer=8! initializer:basic 110"},
    {TOGETHER, "{'initializers':'Basic'}", NULL, "trainer=6! 00"},
    {"d@dataset-initializer node@trainer<d:C eval<node:C", "{'initializers':'Basic'}", NULL,
     "trainer=1! initializer:basic 10-"},
    /* spec.scheduling, level 1: the whole job, as podGroupPolicy.workload */
    {WITH_INITIALIZERS, NULL, "{}", "trainer=8! --0"},
    {TOGETHER, NULL, "{'schedulingPolicy':{'basic':{}}}", "trainer:basic! 00"},
    {TOGETHER, "{'groups':'Role'}", "{}", "trainer=6! 00"},
    /* level 2: groups of roles, each counted by its own first wave */
    {TOGETHER, NULL, ENTRIES(ENTRY("'ps','worker'", "")), "ps-worker-3455d459f4=6! 00"},
    {TOGETHER, NULL, ENTRIES(ENTRY("'ps'", "") "," ENTRY("'worker'", BASIC)),
     "ps=2! worker:basic! 01"},
    {TWO_WAVES, NULL, ENTRIES(ENTRY("'launcher','node'", "")), "launcher-node-515625bd32=7! 00"},
    {TWO_WAVES, "{'lateMembers':'Exclude'}", ENTRIES(ENTRY("'launcher','node'", "")),
     "launcher-node-515625bd32=7! 0-"},
    {"node*7 launcher@trainer<node:R eval*2<node:R", NULL,
     ENTRIES(ENTRY("'node','launcher','eval'", "")), "node-launcher-eval-ed3fa9d036=7! 000"},
    {"node*7 launcher@trainer<node:R eval*2<node:R", "{'lateMembers':'Exclude'}",
     ENTRIES(ENTRY("'node','launcher','eval'", "")), "node-launcher-eval-ed3fa9d036=7! 0--"},
    {TWO_WAVES, NULL, ENTRIES(ENTRY("'node'", "") "," ENTRY("'launcher'", "")),
     "node=7! launcher=1 01"},
    {WITH_INITIALIZERS, "{'initializers':'Basic'}",
     ENTRIES(ENTRY("'d'", BASIC) "," ENTRY("'m'", "") "," ENTRY("'node'", "")),
     "d:basic m=1 node=8! 012"},
    {WITH_INITIALIZERS, "{'initializers':'Basic'}",
     ENTRIES(ENTRY("'d'", "") "," ENTRY("'node'", "")), "d=1 node=8! initializer:basic 021"},
    /* level 3: the Jobs of one role */
    {TOGETHER, NULL,
     ENTRIES(ENTRY("'ps'", ",'job':{'schedulingPolicy':{'basic':{}}}") "," ENTRY("'worker'",
                                                                                 ",'job':{}")),
     "ps:basic! worker=4! 01"},
    /* composite: over groups that exist at the same time */
    {TOGETHER, "{'groups':'Role','composite':'WhereServed'}", NULL, "ps=2! worker=4! 01 +gang=2"},
    {"d@dataset-initializer a@trainer<d:C b@trainer<d:C",
     "{'groups':'Role','composite':'WhereServed'}", NULL, "a=1! b=1! -01 +gang=2"},
    {"ps*2 worker*4@trainer eval<worker:R", "{'groups':'Role','composite':'WhereServed'}", NULL,
     "ps=2! worker=4! eval=1 012 +gang=2"},
    {TOGETHER, "{'composite':'WhereServed'}", NULL, "trainer=6! 00"},
    {TWO_WAVES, "{'groups':'Role','composite':'WhereServed'}", NULL, "node=7! launcher=1 01"},
    {"d@dataset-initializer a@trainer<d:C b@trainer<d:C",
     "{'groups':'Role','composite':'WhereServed','initializers':'Basic'}", NULL,
     "a=1! b=1! initializer:basic 201"},
    {TOGETHER, "{'composite':'WhereServed'}",
     ENTRIES(ENTRY("'ps'", "") "," ENTRY("'worker'", BASIC)), "ps=2! worker:basic! 01"},
    {TOGETHER, "{'composite':'WhereServed'}", ENTRIES(ENTRY("'ps'", "") "," ENTRY("'worker'", "")),
     "ps=2! worker=4! 01 +gang=2"},
};

START_TEST(divides_the_roles)
{
    const struct workload_case job = {divisions[_i].roles,
                                      divisions[_i].options,
                                      SERVES_COMPOSITES,
                                      divisions[_i].scheduling,
                                      TRAINJOB_UID,
                                      NULL,
                                      NULL};
    struct workload_groups groups;
    struct workload_run run;

    workload_open(&run, &job);
    groups =
        workload_groups_make(&run.call, workload_version_of(run.call.api_version), run.job.arena);
    ck_assert_str_eq(groups_text(&groups, &run.job.gang, run.job.arena), divisions[_i].groups);
    workload_close(&run);
}
END_TEST

/* The roles of the plan if those after the first wave of their own group are outside. */
static const struct {
    const char *roles;
    const char *scheduling;
    enum gang_members members;
    const char *memberships; /* M member, L late, O outside, with the wave */
} exclusions[] = {
    {TWO_WAVES, ENTRIES(ENTRY("'node','launcher'", "")), MEMBERS_AUTO, "M0 O0"},
    {TWO_WAVES, ENTRIES(ENTRY("'node'", "") "," ENTRY("'launcher'", "")), MEMBERS_AUTO, "M0 L1"},
    {TWO_WAVES " eval<launcher:R", ENTRIES(ENTRY("'node','launcher'", "") "," ENTRY("'eval'", "")),
     MEMBERS_AUTO, "M0 O0 L1"},
    {TWO_WAVES " eval<launcher:R", ENTRIES(ENTRY("'node','eval'", "") "," ENTRY("'launcher'", "")),
     MEMBERS_AUTO, "M0 L1 O0"},
    {TWO_WAVES, ENTRIES(ENTRY("'node','launcher'", "")), MEMBERS_ALL, "M0 M1"},
    {TWO_WAVES, "{}", MEMBERS_AUTO, "M0 O0"},
};

static enum gang_members exclusions_members;

static void
exclusions_choose_members(struct job *job)
{
    job->wishes->members_choice = exclusions_members;
}

START_TEST(leaves_out_what_is_late_in_its_own_group)
{
    const struct workload_case job = {exclusions[_i].roles,
                                      "{'lateMembers':'Exclude'}",
                                      GOOD_1_37,
                                      exclusions[_i].scheduling,
                                      TRAINJOB_UID,
                                      NULL,
                                      NULL};
    static const char *const letters[] = {
        [ROLE_MEMBER] = "M", [ROLE_LATE_MEMBER] = "L", [ROLE_OUTSIDE] = "O"};
    struct workload_run run;
    const char *text = "";
    int64_t members = 0;

    exclusions_members = exclusions[_i].members;
    workload_open_with(&run, &job, exclusions_choose_members);
    for (size_t i = 0; i < run.job.gang.num_roles; i++) {
        const struct role_part *part = &run.job.gang.parts[i];

        text = arena_format(run.job.arena, "%s%s%s%lld", text, i ? " " : "",
                            letters[part->membership], (long long)part->wave);
        members += part->membership == ROLE_OUTSIDE ? 0 : run.job.gang.roles[i].count;
    }
    ck_assert_str_eq(text, exclusions[_i].memberships);
    ck_assert_int_eq(run.job.gang.members, members);
    workload_close(&run);
}
END_TEST

/* Why no composite was made, where a policy asked for one. */
static const struct {
    const char *roles;
    const char *options;
    const char *cluster;
    const char *reason; /* NULL: not requested, or created */
} composites[] = {
    {TOGETHER, "{'groups':'Role'}", SERVES_COMPOSITES, NULL},
    {TOGETHER, "{'groups':'Role','composite':'WhereServed'}", SERVES_COMPOSITES, NULL},
    {TOGETHER, "{'composite':'WhereServed'}", SERVES_COMPOSITES, "only one group"},
    {TOGETHER, "{'groups':'Role','composite':'WhereServed'}", GOOD_1_37,
     "is not known to be served"},
    {TOGETHER, "{'groups':'Role','composite':'WhereServed'}", NULL, "is not known to be served"},
    {TOGETHER, "{'groups':'Role','composite':'WhereServed'}",
     SERVES_COMPOSITES ",'featureGates':{'CompositePodGroup':false}", "is not known to be served"},
    {"d@dataset-initializer a@trainer<d:C b@trainer<d:C",
     "{'groups':'Role','composite':'WhereServed','initializers':'Basic'}", SERVES_COMPOSITES,
     "roles outside the gang have a group"},
};

START_TEST(reason_without_composite)
{
    const struct workload_case job = {composites[_i].roles,
                                      composites[_i].options,
                                      composites[_i].cluster,
                                      NULL,
                                      TRAINJOB_UID,
                                      NULL,
                                      NULL};
    struct workload_run run;

    workload_open(&run, &job);
    workload_findings(&run);
    if (composites[_i].reason)
        ck_assert_ptr_nonnull(strstr(job_finding(&run.job, GANG_CODE_COMPOSITE_NOT_MADE)->message,
                                     composites[_i].reason));
    else
        ck_assert_ptr_null(strstr(job_findings(&run.job), "CompositeNotMade"));
    workload_close(&run);
}
END_TEST

#define CHILD(name, count)                                                                         \
    "{'name':'" name "','schedulingPolicy':{'gang':{'minCount':" count                             \
    "}},'disruptionMode':{'all':{}},'priorityClassName':'high'}"
#define COMPOSITE_SPEC                                                                             \
    "'schedulingPolicy':{'gang':{'minGroupCount':2}},'schedulingConstraints':{'topology':[{'key':" \
    "'rack'}]},"                                                                                   \
    "'disruptionMode':{'all':{}},'priorityClassName':'high'"

/* kubernetes/api:scheduling/v1alpha3/types.go: one tree, the topology of the whole at its top. */
START_TEST(renders_a_composite)
{
    const struct workload_case job = {
        "ps*2^high worker*4@trainer^high",
        "{'groups':'Role','composite':'WhereServed','topologyKey':'rack','disruptionMode':'All'}",
        SERVES_COMPOSITES
        ",'featureGates':{'GenericWorkload':true,'CompositePodGroup':true,"
        "'TopologyAwareWorkloadScheduling':true},'podTemplateFields':['schedulingGroup']",
        NULL,
        TRAINJOB_UID,
        NULL,
        NULL};
    static const char *const parts[] = {
        "'compositePodGroupTemplates':[{'name':'gang'," COMPOSITE_SPEC
        ",'podGroupTemplates':[" CHILD("ps", "2") "," CHILD("worker", "4") "]}]",
        "'kind':'CompositePodGroup','metadata':{'name':'my-job-gang-",
        "'spec':{'workloadRef':{'workloadName':'my-job','templateName':'gang'}," COMPOSITE_SPEC
        "}}",
        "'spec':{'parentCompositePodGroupName':'my-job-gang-",
        "'workloadRef':{'workloadName':'my-job','templateName':'ps'},'schedulingPolicy':{'gang':{'"
        "minCount':"
        "2}},"
        "'disruptionMode':{'all':{}},'priorityClassName':'high'}}",
    };
    struct plan_content content;
    struct workload_run run;

    workload_open(&run, &job);
    ck_assert_str_eq(workload_findings(&run), "WorkloadUidNeeded");
    for (int i = 0; i < ITEMS_OF(parts); i++)
        ck_assert_msg(strstr(workload_text(&run), workload_quoted(run.job.arena, parts[i])) != NULL,
                      "%s", parts[i]);
    content = workload_render_all(&run);
    ck_assert_uint_eq(content.num_objects, 4);
    workload_close(&run);
}
END_TEST

/* What the children do not share stays with them. */
START_TEST(composite_has_the_common_fields_of_its_children)
{
    const struct workload_case job = {
        TOGETHER,
        "{'composite':'WhereServed'}",
        SERVES_COMPOSITES,
        ENTRIES(ENTRY("'ps'", ",'disruptionMode':{'all':{}}") "," ENTRY(
            "'worker'", ",'disruptionMode':{'single':{}},'schedulingConstraints':{"
                        "'topology':[{'key':'rack'}]}")),
        TRAINJOB_UID,
        NULL,
        NULL};
    struct workload_run run;
    struct workload_groups groups;

    workload_open(&run, &job);
    groups =
        workload_groups_make(&run.call, workload_version_of(run.call.api_version), run.job.arena);
    ck_assert_uint_eq(groups.num_composites, 1);
    ck_assert(!slice_is_set(groups.composites[0].wishes[WORKLOAD_DISRUPTION].value));
    ck_assert(!slice_is_set(groups.composites[0].wishes[WORKLOAD_TOPOLOGY].value));
    ck_slice_eq(groups.items[1].wishes[WORKLOAD_TOPOLOGY].value, "rack");
    ck_slice_eq(groups.items[0].wishes[WORKLOAD_DISRUPTION].value, "All");
    workload_close(&run);
}
END_TEST

/*
 * A runtime's value for a group has precedence over the policy's for all; a basic group ignores the
 * policy.
 */
START_TEST(runtime_has_precedence_over_the_policy)
{
    const struct workload_case job = {
        "a b@trainer c",
        "{'topologyKey':'zone','disruptionMode':'All','"
        "resourceClaims':[{'name':'p','resourceClaimName':'p'}]"
        "}",
        GOOD_1_37,
        ENTRIES(ENTRY("'a'", ",'job':{'schedulingConstraints':{'topology':[{'key':'"
                             "rack'}]},'disruptionMode':{'single':{}"
                             "},'resourceClaims':[{'name':'r','resourceClaimName':'r'}"
                             "]}") "," ENTRY("'b'", "") "," ENTRY("'c'", BASIC)),
        TRAINJOB_UID,
        NULL,
        NULL};
    static const char *const wanted[3][3] = {
        {"rack", "Single", "r"}, {"zone", "All", "p"}, {NULL, NULL, NULL}};
    static const enum workload_field fields[] = {WORKLOAD_TOPOLOGY, WORKLOAD_DISRUPTION,
                                                 WORKLOAD_CLAIMS};
    struct workload_run run;
    struct workload_groups groups;

    workload_open(&run, &job);
    groups =
        workload_groups_make(&run.call, workload_version_of(run.call.api_version), run.job.arena);
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++)
            ck_slice_eq(groups.items[i].wishes[fields[k]].value, wanted[i][k]);
    workload_close(&run);
}
END_TEST

/* Options of the policy that a basic group does not get are lost, and reported once. */
#define OPTIONS                                                                                    \
    "{'topologyKey':'zone','disruptionMode':'All','resourceClaims':[{'name':'p','"                 \
    "resourceClaimName':'p'}]}"
static const struct {
    const char *roles;
    const char *scheduling;
    const char *losses;
} lost[] = {
    {TOGETHER, NULL, ""},
    {TOGETHER, "{'schedulingPolicy':{'basic':{}}}",
     "schedulingConstraints=zone resourceClaims=p disruptionMode=All "},
    {TOGETHER,
     "{'schedulingPolicy':{'basic':{}},'disruptionMode':{'single':{}},'schedulingConstraints':{'"
     "topology':"
     "[{'key':'rack'}]}}",
     "resourceClaims=p "},
    {TOGETHER, ENTRIES(ENTRY("'ps'", BASIC) "," ENTRY("'worker'", BASIC)),
     "schedulingConstraints=zone resourceClaims=p disruptionMode=All "},
    {WITH_INITIALIZERS, ENTRIES(ENTRY("'d','m'", BASIC) "," ENTRY("'node'", "")), ""},
};

START_TEST(reports_options_that_a_basic_group_loses)
{
    const struct workload_case job = {lost[_i].roles, OPTIONS, GOOD_1_37, lost[_i].scheduling,
                                      TRAINJOB_UID,   NULL,    NULL};
    struct workload_run run;
    struct plan_content content;
    const char *losses = "";
    size_t found = 0;

    workload_open(&run, &job);
    content = workload_render_all(&run);
    for (size_t i = 0; i < content.num_losses; i++)
        losses =
            arena_format(run.job.arena, "%s%.*s=%.*s ", losses, SLICE_ARG(content.losses[i].field),
                         SLICE_ARG(content.losses[i].value));
    ck_assert_str_eq(losses, lost[_i].losses);
    workload_findings(&run);
    for (size_t i = 0; i < run.job.report.count; i++)
        found += run.job.report.items[i].code == GANG_CODE_FIELD_LOST;
    ck_assert_uint_eq(found, content.num_losses);
    workload_close(&run);
}
END_TEST

/* `null` of a union's member is none, and a member that no version has is dropped by the server. */
START_TEST(takes_the_mode_that_is_set)
{
    const struct workload_case job = {
        TOGETHER,     NULL, GOOD_1_37, "{'disruptionMode':{'single':null,'all':{}}}",
        TRAINJOB_UID, NULL, NULL};
    struct workload_run run;

    workload_open(&run, &job);
    ck_assert_ptr_nonnull(strstr(workload_text(&run), "\"disruptionMode\":{\"all\":{}}"));
    workload_close(&run);
}
END_TEST

/* Without memory there is nothing, and nothing breaks. */
START_TEST(survives_a_failed_allocation)
{
    const struct workload_case job = {TOGETHER, "{'groups':'Role'}", NULL, NULL, TRAINJOB_UID, NULL,
                                      NULL};
    struct workload_run run;

    workload_open(&run, &job);
    for (size_t room = 64; room < 4096; room += 64) {
        struct arena *arena = arena_new(room);
        struct workload_groups groups;

        if (!arena)
            continue;
        groups = workload_groups_make(&run.call, workload_version_of(run.call.api_version), arena);
        ck_assert(groups.items || arena_failed(arena));
        arena_free(arena);
    }
    workload_close(&run);
}
END_TEST

#define TREE_ROLES(of_a, of_b, of_c)                                                               \
    JOB_ROLES(JOB_PODS(of_a) "," JOB_ROLE("b", ",'requests':{},'count':2" of_b) "," JOB_ROLE(      \
        "c", ",'requests':{},'count':4" of_c))
#define IN_GROUP(group) ",'group':'" group "'"
#define AFTER_A ",'dependsOn':[{'role':'a','status':'Ready'}]"
#define COMPOSED "{'composite':'WhereServed'}"

/* Composites as `name=minimum<parent`, or why there are none. */
static const struct {
    const char *text;
    const char *options;
    const char *cluster;
    const char *composites;
} trees[] = {
    {GANG_JOB(TREE_ROLES(IN_GROUP("g"), IN_GROUP("g"), "") ",'groups':[{'name':'g'}]"), COMPOSED,
     SERVES_COMPOSITES, "gang=2 g=2"},
    {GANG_JOB(TREE_ROLES(IN_GROUP("h"), IN_GROUP("g"), "") ",'groups':[{'name':'h','parent':'g'},{"
                                                           "'name':'g'}]"),
     COMPOSED, SERVES_COMPOSITES, "gang=2 g=2 h=1<g"},
    /* a late role is no child that must be ready */
    {GANG_JOB(TREE_ROLES("", IN_GROUP("g") AFTER_A, IN_GROUP("g")) ",'groups':[{'name':'g'}]"),
     COMPOSED, SERVES_COMPOSITES, "gang=2 g=1"},
    {GANG_JOB(TREE_ROLES("", IN_GROUP("g") AFTER_A, "") ",'groups':[{'name':'g'}]"), COMPOSED,
     SERVES_COMPOSITES, "gang=2 g=1"},
    {GANG_JOB(TREE_ROLES(IN_GROUP("g"), IN_GROUP("g"), "") ",'groups':[{'name':'g','minimum':1}]"),
     COMPOSED, SERVES_COMPOSITES, "gang=2 g=1"},
    /* a role that needs no pod has no PodGroup, and a composite has at least one child */
    {GANG_JOB(TREE_ROLES("", IN_GROUP("g") ",'minCount':0", "") ",'groups':[{'name':'g'}]"),
     COMPOSED, SERVES_COMPOSITES, "gang=2"},
    {GANG_JOB(TREE_ROLES(IN_GROUP("h"), IN_GROUP("i") ",'minCount':0", "") //
              ",'groups':[{'name':'g'},{'name':'h','parent':'g'},{'name':'i','parent':'g'}]"),
     COMPOSED, SERVES_COMPOSITES, "gang=2 g=1 h=1<g"},
    {GANG_JOB(TREE_ROLES(IN_GROUP("g") ",'minCount':0", ",'minCount':0", ",'minCount':0") //
              ",'minimum':2,'groups':[{'name':'g'}]"),
     COMPOSED, SERVES_COMPOSITES, "no role has a minimum of its own: only the whole gang has one"},
    /* WorkloadMaxTreeDepth 4, at most 8 children: kubernetes/api:scheduling/v1alpha3/types.go */
    {GANG_JOB(TREE_ROLES(IN_GROUP("i"), "", "") ",'groups':[{'name':'g'},{'name':'h','parent':'g'},"
                                                "{'name':'i','parent':'h'}]"),
     COMPOSED, SERVES_COMPOSITES, "a Workload has at most two levels of groups below the gang"},
    {GANG_JOB(TREE_ROLES(IN_GROUP("gang"), "", "") ",'groups':[{'name':'gang'}]"), COMPOSED,
     SERVES_COMPOSITES,
     "the CompositePodGroup of the whole gang has the same name as one of its groups"},
    {GANG_JOB(TREE_ROLES(IN_GROUP("g"), "", "") ",'groups':[{'name':'g'}]"), NULL,
     SERVES_COMPOSITES,
     "the Workload API has groups of PodGroups only with the option composite: WhereServed"},
    {GANG_JOB(TREE_ROLES(IN_GROUP("g"), "", "") ",'groups':[{'name':'g'}]"), COMPOSED,
     SERVES(V1ALPHA3, "'workloads','podgroups'"),
     "scheduling.k8s.io with compositepodgroups and the gates CompositePodGroup and "
     "TopologyAwareWorkloadScheduling is not known to be served"},
    {GANG_JOB(TREE_ROLES(IN_GROUP("g"), "", "") ",'groups':[{'name':'g'}]"),
     "{'composite':'WhereServed','initializers':'Basic'}", SERVES_COMPOSITES,
     "a Workload has either a composite group or other groups, and the option initializers makes "
     "another one"},
};

static const char *
composites_text(const struct workload_groups *groups, struct arena *arena)
{
    const char *text = "";

    if (groups->why_no_tree)
        return groups->why_no_tree;
    for (size_t i = 0; i < groups->num_composites; i++) {
        const struct workload_group *group = &groups->composites[i];

        text = arena_format(arena, "%s%s%.*s=%lld", text, i ? " " : "",
                            SLICE_ARG(group->template_name), (long long)group->minimum);
        if (i && group->parent)
            text = arena_format(arena, "%s<%.*s", text,
                                SLICE_ARG(groups->composites[group->parent].template_name));
    }
    return text;
}

START_TEST(groups_of_a_job_are_composites)
{
    const struct workload_case wanted = {
        .roles = "node@trainer", .options = trees[_i].options, .cluster = trees[_i].cluster};
    struct workload_run run;
    struct formed_job made;
    struct workload_groups groups;

    workload_open(&run, &wanted);
    formed_job_open(&made, trees[_i].text);
    run.call.gang = &made.gang;
    groups = workload_groups_make(
        &run.call, workload_version_of(SLICE("scheduling.k8s.io/v1alpha3")), made.arena);
    ck_assert_str_eq(composites_text(&groups, made.arena), trees[_i].composites);
    formed_job_close(&made);
    workload_close(&run);
}
END_TEST

/* Its pods start alone, wherever there is room. */
START_TEST(the_topology_of_a_group_without_composite_is_lost)
{
    const struct workload_case wanted = {
        .roles = "node@trainer", .options = COMPOSED, .cluster = SERVES_COMPOSITES};
    struct workload_run run;
    struct formed_job made;
    struct workload_groups groups;

    workload_open(&run, &wanted);
    formed_job_open(&made,
                    GANG_JOB(TREE_ROLES(IN_GROUP("g"), IN_GROUP("h") ",'minCount':0", "") //
                             ",'groups':[{'name':'g','topology':{'required':'rack'}},{'name':'h',"
                             "'topology':{'required':'rack'}}]"));
    run.call.gang = &made.gang;
    groups = workload_groups_make(
        &run.call, workload_version_of(SLICE("scheduling.k8s.io/v1alpha3")), made.arena);
    run.call.state = &groups;
    for (size_t i = 0; i < made.gang.wishes->num_groups; i++)
        if (made.gang.wishes->groups[i].role == ROLE_NONE)
            ck_assert_pstr_eq(workload_backend.why_group_is_lost(&run.call, i, GROUP_TOPOLOGY),
                              slice_equal(made.gang.wishes->groups[i].name, SLICE("g"))
                                  ? NULL
                                  : "no pod of the group must start, and a PodGroup needs one");
    formed_job_close(&made);
    workload_close(&run);
}
END_TEST

/* The Workload of another gang of the owner has them. */
START_TEST(roles_of_other_gangs_are_no_initializers)
{
    const struct workload_case wanted = {
        .roles = "node@trainer", .options = "{'initializers':'Basic'}", .cluster = GOOD_1_37};
    struct workload_run run;
    struct formed_job made;
    struct workload_groups groups;

    workload_open(&run, &wanted);
    formed_job_open(
        &made, GANG_JOB(TREE_ROLES(",'membership':'Elsewhere'", ",'membership':'Outside'", "")));
    run.call.gang = &made.gang;
    groups = workload_groups_make(
        &run.call, workload_version_of(SLICE("scheduling.k8s.io/v1beta1")), made.arena);
    ck_assert_str_eq(groups_text(&groups, &made.gang, made.arena), "gang=4! initializer:basic -10");
    formed_job_close(&made);
    workload_close(&run);
}
END_TEST

void
add_tests(TCase *cases)
{
    tcase_add_test(cases, roles_of_other_gangs_are_no_initializers);
    add_rows(cases, groups_of_a_job_are_composites, trees, text);
    tcase_add_test(cases, the_topology_of_a_group_without_composite_is_lost);
    add_rows(cases, divides_the_roles, divisions, roles, options, scheduling);
    add_rows(cases, leaves_out_what_is_late_in_its_own_group, exclusions, roles, scheduling);
    add_rows(cases, reason_without_composite, composites, roles, options, cluster);
    tcase_add_test(cases, renders_a_composite);
    tcase_add_test(cases, composite_has_the_common_fields_of_its_children);
    tcase_add_test(cases, runtime_has_precedence_over_the_policy);
    add_rows(cases, reports_options_that_a_basic_group_loses, lost, roles, scheduling);
    tcase_add_test(cases, takes_the_mode_that_is_set);
    tcase_add_test(cases, survives_a_failed_allocation);
}
