/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/jobs/job_kinds.h"

#include "unit/job_roles.h"
#include "unit/job_squeeze.h"
#include "unit/schema_order.h"

/*
 * RoleBasedGroups. Expected values follow from sgl-project/rbg, of 2026-08: helper.go
 * ComputeSubGroupSize (pods of an instance), pkg/reconciler/roleinstanceset_reconciler.go (leader,
 * workers and components), pkg/dependency and pkg/reconciler/roleinstance (what is created when),
 * rolebasedgroup_validation.go and roletemplate_validation.go (messages).
 */
#define RBG(metadata, spec)                                                                        \
    "{'apiVersion':'workloads.x-k8s.io/v1alpha2','kind':'RoleBasedGroup',\n'metadata':{'name':"    \
    "'chat','namespace':'ml'" metadata "},\n'spec':{" spec "}}"
#define RBG_ROLES(roles) RBG("", "'roles':[" roles "]")
#define RBG_ROLE(name, replicas, members) "{'name':'" name "','replicas':" replicas "," members "}"
#define RBG_POD "{'spec':{'containers':[{'name':'c','resources':{'requests':{'cpu':'8'}}}]}}"
#define RBG_ALONE "'standalonePattern':{'template':" RBG_POD "}"
#define RBG_GROUP(size, members)                                                                   \
    "'leaderWorkerPattern':{'size':" size ",'template':" RBG_POD members "}"
#define RBG_PATCH ",'leaderTemplatePatch':{'spec':{'containers':[{'name':'c'}]}}"
#define RBG_LABELS                                                                                 \
    ",'leaderTemplatePatch':{'metadata':{'labels':{'a':'b'}}},'workerTemplatePatch':{}"
#define RBG_COMPONENT(name, size, members)                                                         \
    "{'name':'" name "','size':" size ",'template':" RBG_POD members "}"
#define RBG_COMPONENTS(items) "'customComponentsPattern':{'components':[" items "]}"
#define RBG_AFTER(value)                                                                           \
    ",'annotations':{'rolebasedgroup.workloads.x-k8s.io/component-depends-on':'" value "'}"
#define RBG_TYPE(type) ",'annotations':{'rbg.workloads.x-k8s.io/role-workload-type':'" type "'}"
#define RBG_BY " by rbg.workloads.x-k8s.io/role-instance-name"
#define RBG_REFERENCE(name, members)                                                               \
    "'standalonePattern':{'templateRef':{'name':'" name "'" members "}}"
#define RBG_SHARED(roles)                                                                          \
    RBG("", "'roleTemplates':[{'name':'pods','template':" RBG_POD "}],'roles':[" roles "]")

#define RBG_AFTERS(x, y)                                                                           \
    RBG_ROLES(RBG_ROLE("a", "2",                                                                   \
                       RBG_COMPONENTS(RBG_COMPONENT("x", "1", RBG_AFTER(x)) "," RBG_COMPONENT(     \
                           "y", "1", RBG_AFTER(y)))))
#define RBG_CYCLE                                                                                  \
    "a-x 2, a-y 2", "EmptyDependency spec.roles[0].customComponentsPattern.components", NULL
#define RBG_RESTARTS                                                                               \
    ",'restartPolicy':'None','restartPolicyConfig':{'type':'None','baseDelaySeconds':5}"
#define RBG_ORDERED ",'podManagementPolicy':'OrderedReady'"
#define RBG_STATELESS ",'annotations':{'rbg.workloads.x-k8s.io/role-instance-pattern':'Stateless'}"

static const struct job_reading rbg_readings[] = {
    {RBG_ROLES(RBG_ROLE("a", "3", RBG_ALONE)), "a 3", "", NULL},
    {RBG_ROLES("{'name':'a'," RBG_ALONE "}"), "a 1", "DefaultApplied spec.roles[0].replicas", NULL},
    {RBG_ROLES(RBG_ROLE("a", "2", RBG_GROUP("4", ""))), "a 8 unit 4" RBG_BY, "", NULL},
    /* the form of v0.7.0 again, and the one that replaces it: restartpolicy_test.go@4f94d944 */
    {RBG_ROLES(RBG_ROLE("a", "2", RBG_GROUP("4", RBG_RESTARTS))), "a 8 unit 4" RBG_BY, "", NULL},
    {RBG_ROLES(RBG_ROLE("a", "2",
                        "'customComponentsPattern':{'components':[" RBG_COMPONENT(
                            "x", "1", "") "]" RBG_RESTARTS "}")),
     "a-x 2", "", NULL},
    {RBG_ROLES(RBG_ROLE("a", "2", RBG_GROUP("4", RBG_LABELS))), "a 8 unit 4" RBG_BY, "", NULL},
    {RBG_ROLES(RBG_ROLE("a", "2", RBG_GROUP("4", RBG_PATCH))),
     "a-leader 2, a-worker 6 unit 3" RBG_BY, "", NULL},
    {RBG_ROLES(RBG_ROLE("a", "2", RBG_GROUP("1", RBG_PATCH))), "a-leader 2", "", NULL},
    {RBG_ROLES(RBG_ROLE("a", "2", RBG_GROUP("0", ""))), "a 2", "", NULL},
    {RBG_ROLES(RBG_ROLE("a", "2", "'leaderWorkerPattern':{'template':" RBG_POD "}")), "a 2",
     "DefaultApplied spec.roles[0].leaderWorkerPattern.size", NULL},
    {RBG_ROLES(RBG_ROLE(
         "a", "3", RBG_COMPONENTS(RBG_COMPONENT("x", "2", "") "," RBG_COMPONENT("y", "1", "")))),
     "a-x 6 unit 2" RBG_BY ", a-y 3", "", NULL},
    /* only pods of a RoleInstanceSet have the label of their instance */
    {RBG_ROLES(RBG_ROLE(
         "a", "2", RBG_GROUP("4", "") RBG_TYPE("leaderworkerset.x-k8s.io/v1/LeaderWorkerSet"))),
     "a 8 unit 4", "", NULL},
    {RBG_ROLES(RBG_ROLE(
         "a", "2", RBG_GROUP("4", "") RBG_TYPE("workloads.x-k8s.io/v1alpha2/RoleInstanceSet"))),
     "a 8 unit 4" RBG_BY, "", NULL},
    /* each instance is created when the one before it is ready */
    {RBG_ROLES(RBG_ROLE("a", "2", RBG_GROUP("4", "") ",'podManagementPolicy':'OrderedReady'")),
     "a 8 unit 4" RBG_BY " first 4", "", NULL},
    {RBG_ROLES(RBG_ROLE("a", "2", RBG_GROUP("4", "") ",'podManagementPolicy':'Parallel'")),
     "a 8 unit 4" RBG_BY, "", NULL},
    {RBG_ROLES(RBG_ROLE("a", "2", RBG_GROUP("4", "") RBG_ORDERED RBG_STATELESS)),
     "a 8 unit 4" RBG_BY, "", NULL},
    {RBG_ROLES(RBG_ROLE("a", "2", RBG_ALONE RBG_ORDERED RBG_TYPE("apps/v1/StatefulSet"))), "a 2",
     "", NULL},
    /* a role is created when those that it depends on are ready */
    {RBG_ROLES(RBG_ROLE("r", "2", RBG_ALONE ",'dependencies':['a','a']") "," RBG_ROLE(
         "a", "1", RBG_GROUP("2", RBG_PATCH))),
     "r 2 after a-leader Ready after a-worker Ready, a-leader 1, a-worker 1", "", NULL},
    {RBG_ROLES(RBG_ROLE("a", "1", RBG_ALONE ",'dependencies':['b']") "," RBG_ROLE(
         "b", "1", RBG_ALONE ",'dependencies':['c']") "," RBG_ROLE("c", "0", RBG_ALONE)),
     "a 1 after b Ready, b 1 after c Ready, c 0", "", NULL},
    {RBG_ROLES(RBG_ROLE("a", "2",
                        RBG_COMPONENTS(RBG_COMPONENT("x", "1", "") "," RBG_COMPONENT(
                            "y", "1", RBG_AFTER("{\\\"startAfter\\\":[\\\"x\\\",\\\"x\\\"]}"))))),
     "a-x 2, a-y 2 after a-x Ready", "", NULL},
    /* with a cycle, of startAfter or of deleteAfter, all components are created at once */
    {RBG_AFTERS("{\\\"startAfter\\\":[\\\"y\\\"]}", "{\\\"startAfter\\\":[\\\"x\\\"]}"), RBG_CYCLE},
    {RBG_AFTERS("{}", "{\\\"startAfter\\\":[\\\"x\\\",\\\"y\\\"]}"), RBG_CYCLE},
    {RBG_AFTERS("{}", "{\\\"startAfter\\\":[\\\"x\\\"],\\\"deleteAfter\\\":[\\\"x\\\"]}"),
     RBG_CYCLE},
    {RBG_AFTERS("{\\\"deleteAfter\\\":[\\\"y\\\"]}", "{\\\"startAfter\\\":[\\\"x\\\"]}"),
     "a-x 2, a-y 2 after a-x Ready", "", NULL},
    /* a component that is not created is never ready */
    {RBG_AFTERS("{\\\"startAfter\\\":[\\\"z\\\"]}", "{\\\"startAfter\\\":[\\\"x\\\"]}"),
     "a-x 2 Outside, a-y 2 Outside after a-x Ready",
     "RoleNeverCreated spec.roles[0].customComponentsPattern.components[0], "
     "RoleNeverCreated spec.roles[0].customComponentsPattern.components[1]",
     NULL},
    {RBG_ROLES(RBG_ROLE("a", "2",
                        RBG_COMPONENTS(RBG_COMPONENT("x", "0", "") "," RBG_COMPONENT(
                            "y", "1", RBG_AFTER("{\\\"startAfter\\\":[\\\"x\\\"]}"))))),
     "a-x 0, a-y 2 Outside", "RoleNeverCreated spec.roles[0].customComponentsPattern.components[1]",
     "the job has no pods"},
    {RBG_ROLES(RBG_ROLE(
         "a", "2",
         RBG_COMPONENTS(RBG_COMPONENT("x", "1", RBG_AFTER("{\\\"deleteAfter\\\":[\\\"y\\\"]}"))))),
     "a-x 2", "", NULL},
    /* templates */
    {RBG_SHARED(RBG_ROLE("a", "2", RBG_REFERENCE("pods", ""))), "a 2", "", NULL},
    {RBG_SHARED(RBG_ROLE("a", "2", RBG_REFERENCE("pods", ",'patch':{'spec':{'$patch':'merge'}}"))),
     "a 2", "RoleRequestsUnknown spec.roles[0]", NULL},
    {RBG_ROLES(RBG_ROLE("a", "2", RBG_ALONE ",'engineRuntimes':[{'profileName':'p'}]")), "a 2",
     "PartElsewhere spec.roles[0].engineRuntimes", NULL},
    /* the operator's own gang */
    {RBG(",'annotations':{'rbg.workloads.x-k8s.io/group-gang-scheduling':'true'}",
         "'roles':[" RBG_ROLE("a", "2", RBG_ALONE) "]"),
     "a 2", "GangOfOperator metadata.annotations[rbg.workloads.x-k8s.io/group-gang-scheduling]",
     "the operator makes the gang: group-gang-scheduling is set"},
    {RBG(",'annotations':{'rbg.workloads.x-k8s.io/group-gang-scheduling':'false'}",
         "'roles':[" RBG_ROLE("a", "2", RBG_ALONE) "]"),
     "a 2", "", NULL},
};

START_TEST(roles_are_those_of_the_operator)
{
    job_check_reading(&rbg_readings[_i]);
}
END_TEST

static const struct job_verdict rbg_refusals[] = {
    {RBG_ROLES(RBG_ROLE("a", "1", RBG_ALONE ",'dependencies':['b']")), true,
     "RefusedByOperator spec.roles[0].dependencies[0]"},
    {RBG_ROLES(RBG_ROLE("a", "1", RBG_ALONE ",'dependencies':['a']")), true,
     "RefusedByOperator spec.roles[0].dependencies[0]"},
    {RBG_SHARED(RBG_ROLE("a", "2", RBG_REFERENCE("pod", ""))), true,
     "RoleRequestsUnknown spec.roles[0], RefusedByOperator "
     "spec.roles[0].standalonePattern.templateRef.name"},
    {"{'apiVersion':'workloads.x-k8s.io/"
     "v1alpha2','kind':'RoleBasedGroup','metadata':{'name':'a.b'},"
     "'spec':{'roles':[" RBG_ROLE("a", "1", RBG_ALONE) "]}}",
     true, "RefusedByOperator metadata.name"},
    {RBG_ROLES("{'name':'a','replicas':1}"), true, "RefusedByOperator spec.roles[0]"},
    /* the rules and the enumeration of the CRD, api/workloads/v1alpha2/rolebasedgroup_types.go */
    {RBG_ROLES(RBG_ROLE("a", "1", RBG_ALONE "," RBG_GROUP("2", ""))), true,
     "RefusedByOperator spec.roles[0]"},
    {RBG_SHARED(RBG_ROLE(
         "a", "1", "'standalonePattern':{'template':" RBG_POD ",'templateRef':{'name':'pods'}}")),
     true, "RefusedByOperator spec.roles[0].standalonePattern"},
    {RBG_SHARED(RBG_ROLE("a", "1", RBG_GROUP("2", ",'templateRef':{'name':'pods'}"))), true,
     "RefusedByOperator spec.roles[0].leaderWorkerPattern"},
    {RBG_ROLES(RBG_ROLE("a", "1", RBG_ALONE ",'podManagementPolicy':'Ordered'")), true,
     "UnsupportedValue spec.roles[0].podManagementPolicy"},
    {RBG_ROLES(RBG_ROLE("a", "1", RBG_COMPONENTS("{'name':'x','size':1}"))), true,
     "RequiredField spec.roles[0].customComponentsPattern.components[0].template, "
     "RoleRequestsUnknown spec.roles[0].customComponentsPattern.components[0]"},
    {RBG_ROLES(RBG_ROLE("a", "1", RBG_COMPONENTS("{'name':'x','template':" RBG_POD "}"))), true,
     "RequiredField spec.roles[0].customComponentsPattern.components[0].size"},
    {RBG_ROLES(RBG_ROLE("a", "-1", RBG_ALONE)), true, "ValueOutOfRange spec.roles[0].replicas"},
    {RBG_ROLES(RBG_ROLE("a", "1", RBG_COMPONENTS(RBG_COMPONENT("x", "1", RBG_AFTER("[x]"))))), true,
     "RefusedByOperator spec.roles[0].customComponentsPattern.components[0].annotations"
     "[rolebasedgroup.workloads.x-k8s.io/component-depends-on]"},
};

START_TEST(refuses_what_the_operator_refuses)
{
    job_check_verdict(&rbg_refusals[_i]);
}
END_TEST

/* The operator deletes a PodGroup with the group's own name. */
START_TEST(the_gang_has_a_name_of_its_own)
{
    struct job_case opened;

    job_open_good(&opened, RBG_ROLES(RBG_ROLE("a", "3", RBG_ALONE)));
    ck_slice_eq(opened.job->name, "chat-gang");
    job_close(&opened);
}
END_TEST

/* Marks of the leaders and the workers have places of their own, although they share a template. */
START_TEST(patches_have_the_marks)
{
    struct job_case opened;
    const struct node *pattern;

    job_open_good(
        &opened, RBG_SHARED(RBG_ROLE("a", "1",
                                     "'leaderWorkerPattern':{'size':2,'templateRef':{'name':'pods',"
                                     "'patch':{'metadata':{}}}" RBG_PATCH "}")));
    pattern = node_at(opened.job->owner.name_source->parent->parent, "spec.roles");
    pattern = node_at(node_first(pattern), "leaderWorkerPattern");
    ck_assert_ptr_eq(opened.job->roles[0].marked, node_at(pattern, "leaderTemplatePatch"));
    ck_assert_ptr_eq(opened.job->roles[1].marked, node_at(pattern, "templateRef.patch"));
    job_close(&opened);
}
END_TEST

START_TEST(a_component_has_labels_of_its_own)
{
    struct job_case opened;
    const struct role *role;
    const struct node *labels;

    job_open_good(&opened,
                  RBG_ROLES(RBG_ROLE("a", "1",
                                     RBG_COMPONENTS("{'name':'x','size':1,'labels':{'p':'1'},"
                                                    "'template':{'metadata':{'labels':{'p':'2',"
                                                    "'q':'3'}},'spec':{'containers':[]}}}"))));
    role = &opened.job->roles[0];
    labels = node_at(role->pod_template, "metadata.labels");
    ck_slice_eq(node_string(node_member(labels, SLICE("p"))), "1");
    ck_slice_eq(node_string(node_member(labels, SLICE("q"))), "3");
    ck_assert_ptr_eq(role->marked, node_member(role->source, SLICE("template")));
    job_close(&opened);
}
END_TEST

enum { RBG_TEXT_SIZE = 128 * 1024, RBG_MANY = 32 };

static void
rbg_write_components(char *text)
{
    job_roles_add(text, RBG_TEXT_SIZE, "'customComponentsPattern':{'components':[");
    for (int i = 0; i < RBG_MANY; i++)
        job_roles_add(text, RBG_TEXT_SIZE, "%s" RBG_COMPONENT("c%d", "1", ""), i ? "," : "", i);
    job_roles_add(text, RBG_TEXT_SIZE, "]}");
}

/* Parses two roles of many components, of which the second names the first `times` times. */
static int
rbg_parse_dependencies(int times, struct gang_error **error)
{
    char *text = calloc(1, RBG_TEXT_SIZE);

    ck_assert_ptr_nonnull(text);
    job_roles_add(text, RBG_TEXT_SIZE, "%s",
                  "{'apiVersion':'workloads.x-k8s.io/v1alpha2','kind':'RoleBasedGroup','metadata':"
                  "{'name':'chat'},'spec':{'roles':[{'name':'a','replicas':1,");
    rbg_write_components(text);
    job_roles_add(text, RBG_TEXT_SIZE, "},{'name':'b','replicas':1,");
    rbg_write_components(text);
    for (int i = 0; i < times; i++)
        job_roles_add(text, RBG_TEXT_SIZE, "%s'a'", i ? "," : ",'dependencies':[");
    job_roles_add(text, RBG_TEXT_SIZE, "]}]}}");
    return job_parse_long(text, error);
}

/* A dependency that is named again adds no edge, but is compared with those that exist. */
START_TEST(repeated_dependencies_draw_steps)
{
    struct gang_error *error = NULL;

    ck_assert_int_eq(rbg_parse_dependencies(1, &error), GANG_OK);
    ck_assert_int_eq(rbg_parse_dependencies(10000, &error), GANG_ERROR_LIMIT);
    ck_assert_int_eq(gang_diagnostic_get_code(gang_error_get_diagnostic(error, 0)),
                     GANG_CODE_LIMIT_STEPS);
    gang_error_free(error);
}
END_TEST

#define RBG_NODE_PATCH ",'patch':{'spec':{'nodeName':null}}"

START_TEST(memory_can_run_out_at_every_allocation)
{
    job_squeeze(RBG_SHARED(RBG_ROLE("a", "1", RBG_REFERENCE("pods", RBG_NODE_PATCH)) "," RBG_ROLE(
        "b", "2",
        RBG_COMPONENTS(RBG_COMPONENT("x", "2", "") "," RBG_COMPONENT(
            "y", "1", RBG_AFTER("{\\\"startAfter\\\":[\\\"x\\\"]}"))) ",'dependencies':['a']")));
}
END_TEST

START_TEST(fields_are_sorted)
{
    check_schema_order(role_based_group_job_kind.schema);
}
END_TEST

void
add_tests(TCase *cases)
{
    add_rows(cases, roles_are_those_of_the_operator, rbg_readings, text);
    add_rows(cases, refuses_what_the_operator_refuses, rbg_refusals, text);
    tcase_add_test(cases, the_gang_has_a_name_of_its_own);
    tcase_add_test(cases, patches_have_the_marks);
    tcase_add_test(cases, a_component_has_labels_of_its_own);
    tcase_add_test(cases, repeated_dependencies_draw_steps);
    tcase_add_test(cases, memory_can_run_out_at_every_allocation);
    tcase_add_test(cases, fields_are_sorted);
}
