/* SPDX-License-Identifier: Apache-2.0 */
#include "unit/suite.h"
#include "unit/updates.h"

#define FIELD(class_, resources)                                                                   \
    {                                                                                              \
        .name = SLICE_INIT("f"), .class = (class_), .is_resources = (resources)                    \
    }

#define COUNT(class_)                                                                              \
    {                                                                                              \
        .name = SLICE_INIT("f"), .class = (class_), .omits_zero = true                             \
    }

/* One field `f` by each class: what is rendered, what is there, and what comes of it. */
static const struct {
    struct update_field field;
    const char *rendered, *live, *result;
    bool is_changed, is_frozen, is_kept;
} classes[] = {
    {FIELD(UPDATE_OURS, false), "{'f':1}", "{'f':1}", "{'f':1}", false, false, false},
    {FIELD(UPDATE_OURS, false), "{'f':1}", "{'f':2}", "{'f':1}", true, false, false},
    {FIELD(UPDATE_OURS, false), "{'f':1}", "{}", "{'f':1}", true, false, false},
    {FIELD(UPDATE_OURS, false), "{}", "{'f':2}", "{}", true, false, false},
    {FIELD(UPDATE_OURS, false), "{}", "{'f':null}", "{}", false, false, false},
    {FIELD(UPDATE_OURS, false), "{'f':''}", "{}", "{}", false, false, false},
    {FIELD(UPDATE_OURS, false), "{'f':'1'}", "{'f':1}", "{'f':'1'}", true, false, false},
    {FIELD(UPDATE_OURS, false), "{'f':{'a':1,'b':{}}}", "{'f':{'c':[],'a':1}}",
     "{'f':{'c':[],'a':1}}", false, false, false},
    {FIELD(UPDATE_OURS, false), "{'f':{'a':1}}", "{'f':{'a':1,'b':2}}", "{'f':{'a':1}}", true,
     false, false},
    {FIELD(UPDATE_OURS, false), "{'f':[1]}", "{'f':{'a':1}}", "{'f':[1]}", true, false, false},
    {FIELD(UPDATE_OURS, false), "{'f':[1,2]}", "{'f':[1,3]}", "{'f':[1,2]}", true, false, false},
    {FIELD(UPDATE_OURS, true), "{'f':{'cpu':'1'}}", "{'f':{'cpu':'1000m'}}", "{'f':{'cpu':'1'}}",
     false, false, false},
    {FIELD(UPDATE_OURS, true), "{'f':{'cpu':'1'}}", "{'f':{'cpu':1}}", "{'f':{'cpu':'1'}}", false,
     false, false},
    {FIELD(UPDATE_OURS, true), "{'f':{}}", "{}", "{'f':{}}", false, false, false},
    {FIELD(UPDATE_OURS, true), "{}", "{'f':{}}", "{'f':{}}", false, false, false},
    {FIELD(UPDATE_OURS, true), "{'f':{'cpu':'1'}}", "{'f':{'cpu':'2'}}", "{'f':{'cpu':'1'}}", true,
     false, false},
    {FIELD(UPDATE_OURS, true), "{'f':{'cpu':'1'}}", "{'f':{'cpu':'one'}}", "{'f':{'cpu':'1'}}",
     true, false, false},
    {FIELD(UPDATE_OURS, true), "{'f':{'cpu':'1'}}", "{'f':{'gpu':'1'}}", "{'f':{'cpu':'1'}}", true,
     false, false},
    {FIELD(UPDATE_GIVEN, false), "{}", "{'f':2}", "{'f':2}", false, false, false},
    {FIELD(UPDATE_GIVEN, false), "{'f':1}", "{'f':2}", "{'f':1}", true, false, false},
    {FIELD(UPDATE_GIVEN, false), "{'f':{'a':1}}", "{'f':{'a':1,'b':2}}", "{'f':{'a':1,'b':2}}",
     false, false, false},
    {FIELD(UPDATE_GIVEN, false), "{'f':{'a':1}}", "{'f':{'a':3,'b':2}}", "{'f':{'a':1}}", true,
     false, false},
    {FIELD(UPDATE_GIVEN, true), "{}", "{'f':{'cpu':'1'}}", "{'f':{'cpu':'1'}}", false, false,
     false},
    {FIELD(UPDATE_GIVEN, true), "{'f':{'cpu':'1'}}", "{'f':{'cpu':'1000m'}}", "{'f':{'cpu':'1'}}",
     false, false, false},
    {FIELD(UPDATE_GIVEN, true), "{'f':{'cpu':'1'}}", "{'f':{'cpu':'1','gpu':'1'}}",
     "{'f':{'cpu':'1'}}", true, false, false},
    {FIELD(UPDATE_KEPT, false), "{'f':1}", "{'f':2}", "{'f':2}", false, false, true},
    {FIELD(UPDATE_KEPT, false), "{'f':1}", "{}", "{}", false, false, true},
    {FIELD(UPDATE_KEPT, false), "{}", "{'f':2}", "{'f':2}", false, false, false},
    {FIELD(UPDATE_KEPT, false), "{'f':1}", "{'f':1}", "{'f':1}", false, false, false},
    {FIELD(UPDATE_FROZEN, false), "{'f':1}", "{'f':1}", "{'f':1}", false, false, false},
    {FIELD(UPDATE_FROZEN, false), "{}", "{'f':null}", "{}", false, false, false},
    {FIELD(UPDATE_FROZEN, false), "{'f':1}", "{'f':2}", "{'f':1}", true, true, false},
    {FIELD(UPDATE_FROZEN, false), "{'f':1}", "{}", "{'f':1}", true, true, false},
    {FIELD(UPDATE_FROZEN, false), "{}", "{'f':2}", "{}", true, true, false},
    {FIELD(UPDATE_FROZEN, false), "{'f':{'single':{}}}", "{'f':{'all':{}}}", "{'f':{'single':{}}}",
     true, true, false},
    /* null is absent at every depth: kube-apiserver 1.36 and 1.37 return it */
    {FIELD(UPDATE_FROZEN, false), "{'f':[{'n':'a'}]}", "{'f':[{'n':'a','c':null}]}",
     "{'f':[{'n':'a','c':null}]}", false, false, false},
    {FIELD(UPDATE_FROZEN, false), "{'f':[{'n':'a','d':1}]}", "{'f':[{'n':'a','c':null}]}",
     "{'f':[{'n':'a','d':1}]}", true, true, false},
    {FIELD(UPDATE_COUNTED, false), "{'f':[{'gang':{'minCount':1}}]}",
     "{'f':[{'c':null,'gang':{'minCount':1}}]}", "{'f':[{'c':null,'gang':{'minCount':1}}]}", false,
     false, false},
    {FIELD(UPDATE_COUNTED, false), "{'f':[{'gang':{'minCount':2}}]}",
     "{'f':[{'c':null,'gang':{'minCount':1}}]}", "{'f':[{'gang':{'minCount':2}}]}", true, false,
     false},
    {FIELD(UPDATE_COUNTED, false), "{'f':[{'gang':{'minCount':2}}]}",
     "{'f':[{'c':{},'gang':{'minCount':1}}]}", "{'f':[{'gang':{'minCount':2}}]}", true, true,
     false},
    {FIELD(UPDATE_OURS, false), "{'f':{'a':1}}", "{'f':{'a':1,'b':null}}", "{'f':{'a':1,'b':null}}",
     false, false, false},
    {FIELD(UPDATE_OURS, true), "{'f':{'cpu':'1'}}", "{'f':{'cpu':'1','gpu':null}}",
     "{'f':{'cpu':'1'}}", false, false, false},
    {FIELD(UPDATE_GIVEN, false), "{'f':{'a':1}}", "{'f':{'a':1,'b':null}}",
     "{'f':{'a':1,'b':null}}", false, false, false},
    {FIELD(UPDATE_ONCE, false), "{'f':1}", "{'f':null}", "{'f':1}", true, false, false},
    {FIELD(UPDATE_ONCE, false), "{'f':1}", "{}", "{'f':1}", true, false, false},
    {FIELD(UPDATE_ONCE, false), "{'f':1}", "{'f':2}", "{'f':1}", true, true, false},
    {FIELD(UPDATE_ONCE, false), "{'f':1}", "{'f':1}", "{'f':1}", false, false, false},
    {FIELD(UPDATE_COUNTED, false), "{'f':[{'gang':{'minCount':1}}]}",
     "{'f':[{'gang':{'minCount':2}}]}", "{'f':[{'gang':{'minCount':1}}]}", true, false, false},
    {FIELD(UPDATE_COUNTED, false), "{'f':[{'n':'a'}]}", "{'f':[{'n':'b'}]}", "{'f':[{'n':'a'}]}",
     true, true, false},
    {FIELD(UPDATE_COUNTED, false), "{'f':{'gang':{'minGroupCount':1}}}",
     "{'f':{'gang':{'minGroupCount':2}}}", "{'f':{'gang':{'minGroupCount':1}}}", true, true, false},
    {FIELD(UPDATE_COUNTED, false), "{'f':{'gang':{}}}", "{'f':{'basic':{}}}", "{'f':{'gang':{}}}",
     true, true, false},
    {FIELD(UPDATE_COUNTED, false), "{'f':[1]}", "{'f':[1,2]}", "{'f':[1]}", true, true, false},
    {FIELD(UPDATE_COUNTED, false), "{'f':[1]}", "{}", "{'f':[1]}", true, true, false},
    {FIELD(UPDATE_COUNTED, false), "{}", "{'f':[1]}", "{}", true, true, false},
    /* an integer that Go leaves out if it is 0 */
    {COUNT(UPDATE_OURS), "{'f':0}", "{}", "{}", false, false, false},
    {COUNT(UPDATE_OURS), "{}", "{'f':0}", "{'f':0}", false, false, false},
    {COUNT(UPDATE_OURS), "{'f':0}", "{'f':null}", "{}", false, false, false},
    {COUNT(UPDATE_OURS), "{'f':0}", "{'f':0}", "{'f':0}", false, false, false},
    {COUNT(UPDATE_OURS), "{'f':0}", "{'f':1}", "{'f':0}", true, false, false},
    {COUNT(UPDATE_OURS), "{'f':1}", "{}", "{'f':1}", true, false, false},
    {COUNT(UPDATE_OURS), "{'f':'0'}", "{}", "{'f':'0'}", true, false, false},
    {FIELD(UPDATE_OURS, false), "{'f':0}", "{}", "{'f':0}", true, false, false},
    /* a field without a rule is somebody else's */
    {FIELD(UPDATE_OURS, false), "{'f':1}", "{'g':2,'f':1,'h':null}", "{'f':1,'g':2}", false, false,
     false},
};

START_TEST(decides_by_class)
{
    const struct update_rules rules = {.fields = &classes[_i].field, .num_fields = 1};
    struct update_run run = update_open(&coscheduling_backend, false, NULL);
    struct update_result result;

    run.rules = &rules;
    result = update_of(&run, "{}", classes[_i].rendered, "{}", classes[_i].live);
    update_check_text(&run, node_member(result.manifest, SLICE("spec")), classes[_i].result);
    ck_assert_int_eq(result.is_changed, classes[_i].is_changed);
    ck_assert_uint_eq(result.num_frozen, classes[_i].is_frozen);
    ck_assert_uint_eq(result.num_kept, classes[_i].is_kept);
    update_close(&run);
}
END_TEST

/* Of owners the uid counts. `metadata` in and out. */
static const struct {
    const char *rendered, *live, *result;
    bool is_changed;
} owners[] = {
    {"{'ownerReferences':[{'uid':'a','controller':true}]}", "{'ownerReferences':[{'uid':'b'}]}",
     "{'ownerReferences':[{'uid':'b'},{'uid':'a','controller':true}]}", true},
    {"{'ownerReferences':[{'uid':'a','controller':true}]}", "{}",
     "{'ownerReferences':[{'uid':'a','controller':true}]}", true},
    {"{'ownerReferences':[{'uid':'a','apiVersion':'x/v2','controller':true}]}",
     "{'ownerReferences':[{'uid':'a','apiVersion':'x/v1'},{'uid':'b'}]}",
     "{'ownerReferences':[{'uid':'a','apiVersion':'x/v1'},{'uid':'b'}]}", false},
    /* the second owner of a new object is not added to one that exists */
    {"{'ownerReferences':[{'uid':'a','controller':true},{'uid':'w'}]}",
     "{'ownerReferences':[{'uid':'a'}]}", "{'ownerReferences':[{'uid':'a'}]}", false},
    {"{'ownerReferences':[{'uid':'a','controller':true},{'uid':'w'}]}",
     "{'ownerReferences':[{'uid':'b'}]}",
     "{'ownerReferences':[{'uid':'b'},{'uid':'a','controller':true}]}", true},
    {"{'labels':{'a':'1'},'annotations':{'b':'2'}}",
     "{'labels':{'a':'1','z':null},'annotations':{'b':null},'ownerReferences':null}",
     "{'labels':{'a':'1'},'annotations':{'b':'2'}}", true},
    {"{'name':'rendered','labels':{'b':'1'}}",
     "{'name':'live','managedFields':[{}],'finalizers':['f'],'labels':{'z':'2','a':'3'},'"
     "generation':4}",
     "{'name':'live','finalizers':['f'],'generation':4,'labels':{'a':'3','b':'1','z':'2'}}", true},
};

START_TEST(adds_owners_and_keeps_metadata)
{
    struct update_run run = update_open(&coscheduling_backend, false, NULL);
    struct update_result result = update_of(&run, owners[_i].rendered, "{}", owners[_i].live, "{}");

    update_check_text(&run, node_member(result.manifest, SLICE("metadata")), owners[_i].result);
    ck_assert_int_eq(result.is_changed, owners[_i].is_changed);
    update_close(&run);
}
END_TEST

START_TEST(writes_the_rendered_version)
{
    struct arena *arena = arena_new(0);
    const struct node *rendered =
        workload_tree(arena, "{'apiVersion':'g/v2','kind':'K','metadata':{},'spec':{}}");
    const struct node *live = workload_tree(
        arena, "{'apiVersion':'g/v1','kind':'K','metadata':{},'spec':{},'status':{'phase':'x'}}");
    const struct update_rules rules = {.fields = NULL};
    const struct update_call call = {.arena = arena};
    struct update_run run = {.arena = arena};

    update_check_text(&run, update_apply(&rules, &call, rendered, live).manifest,
                      "{'apiVersion':'g/v2','kind':'K','metadata':{},'spec':{}}");
    update_check_text(&run, update_without_status(live, arena),
                      "{'apiVersion':'g/v1','kind':'K','metadata':{},'spec':{}}");
    arena_free(arena);
}
END_TEST

/* The annotation that wakes a scheduler: any new value will do, so a strange one starts again. */
static const struct {
    const char *live, *result;
} wakes[] = {
    {"{}", "{'annotations':{'policy.libgang.dev/wake':'1'}}"},
    {"{'annotations':{'a':'b','policy.libgang.dev/wake':'1','z':'y'}}",
     "{'annotations':{'a':'b','policy.libgang.dev/wake':'2','z':'y'}}"},
    {"{'annotations':{'policy.libgang.dev/wake':'9'}}",
     "{'annotations':{'policy.libgang.dev/wake':'10'}}"},
    {"{'annotations':{'policy.libgang.dev/wake':'999999999'}}",
     "{'annotations':{'policy.libgang.dev/wake':'1000000000'}}"},
    {"{'annotations':{'policy.libgang.dev/wake':'1000000000'}}",
     "{'annotations':{'policy.libgang.dev/wake':'1'}}"},
    {"{'annotations':{'policy.libgang.dev/wake':'x'}}",
     "{'annotations':{'policy.libgang.dev/wake':'1'}}"},
    {"{'annotations':{'policy.libgang.dev/wake':'-1'}}",
     "{'annotations':{'policy.libgang.dev/wake':'1'}}"},
    {"{'annotations':{'policy.libgang.dev/wake':':'}}",
     "{'annotations':{'policy.libgang.dev/wake':'1'}}"},
    {"{'annotations':{'policy.libgang.dev/wake':''}}",
     "{'annotations':{'policy.libgang.dev/wake':'1'}}"},
    {"{'annotations':{'policy.libgang.dev/wake':null}}",
     "{'annotations':{'policy.libgang.dev/wake':'1'}}"},
};

START_TEST(counts_the_wake_up)
{
    struct arena *arena = arena_new(0);
    struct update_run run = {.arena = arena};
    struct builder live = build_map(arena);
    const struct node *rendered = workload_tree(arena, "{'metadata':{},'spec':{}}");
    const struct update_rules rules = {.fields = NULL};
    struct update_call call = {.arena = arena, .wakes = true};
    struct update_result result;

    build_node(&live, SLICE("metadata"), workload_tree(arena, wakes[_i].live));
    result = update_apply(&rules, &call, rendered, live.node);
    ck_assert(result.is_changed);
    update_check_text(&run, node_member(result.manifest, SLICE("metadata")), wakes[_i].result);
    /* without the flag it stays, and is no reason to write */
    call.wakes = false;
    ck_assert(!update_apply(&rules, &call, rendered, result.manifest).is_changed);
    update_check_text(&run,
                      node_member(update_apply(&rules, &call, rendered, result.manifest).manifest,
                                  SLICE("metadata")),
                      wakes[_i].result);
    arena_free(arena);
}
END_TEST

/* A PUT of a kind without a status subresource replaces the status. */
static const struct {
    bool keeps_status;
    const char *live, *status;
} statuses[] = {
    {true, "{'metadata':{},'spec':{'f':2},'status':{'phase':'Running'}}", "{'phase':'Running'}"},
    {true, "{'metadata':{},'spec':{'f':1},'status':{'phase':'Running'}}", NULL},
    {true, "{'metadata':{},'spec':{'f':2}}", NULL},
    {false, "{'metadata':{},'spec':{'f':2},'status':{'phase':'Running'}}", NULL},
};

START_TEST(keeps_the_status_where_a_put_replaces_it)
{
    struct arena *arena = arena_new(0);
    const struct node *rendered = workload_tree(arena, "{'metadata':{},'spec':{'f':1}}");
    const struct node *live = workload_tree(arena, statuses[_i].live);
    const struct update_field field = UPDATE_FIELD("f", UPDATE_OURS);
    const struct update_rules rules = {
        .fields = &field, .num_fields = 1, .keeps_status = statuses[_i].keeps_status};
    const struct update_call call = {.arena = arena};
    const struct node *status =
        node_member(update_apply(&rules, &call, rendered, live).manifest, SLICE("status"));

    ck_assert(
        node_equal(status, statuses[_i].status ? workload_tree(arena, statuses[_i].status) : NULL));
    arena_free(arena);
}
END_TEST

/*
 * The CRDs of volcano-sh/apis@v1.14.0 (config/crd/volcano/bases/scheduling.volcano.sh_podgroups)
 * have no status subresource; those of scheduler-plugins and KAI have, and Kubernetes itself.
 */
START_TEST(volcano_alone_has_no_status_subresource)
{
    for (size_t i = 0; i < backend_count; i++) {
        const struct gang_wishes wishes = {.is_grouped = false};
        const struct gang gang = {.wishes = &wishes};
        const struct backend_call call = {.gang = &gang,
                                          .api_version = SLICE("scheduling.k8s.io/v1beta1")};
        const struct update_rules *rules;

        if (!descriptor_has_objects(backend_table[i]->descriptor))
            continue;
        rules = backend_update_rules(backend_table[i]->updates, &call,
                                     backend_table[i]->descriptor->kinds[0]);
        ck_assert_int_eq(rules->keeps_status, backend_table[i] == &volcano_backend);
    }
}
END_TEST

/* Every backend lists its objects. */
START_TEST(every_backend_has_rules)
{
    for (size_t i = 0; i < backend_count; i++) {
        const struct descriptor *descriptor = backend_table[i]->descriptor;
        size_t rank = 99;

        ck_assert_int_eq(backend_table[i]->updates->rules || backend_table[i]->updates->same,
                         descriptor_has_objects(descriptor));
        if (!descriptor_has_objects(descriptor))
            continue;
        ck_assert_uint_gt(descriptor->group.len, 0);
        ck_assert_ptr_eq(backend_of_kind(descriptor->group, descriptor->kinds[0], &rank),
                         backend_table[i]);
        ck_assert_uint_eq(rank, 0);
    }
    ck_assert_ptr_null(backend_of_kind(SLICE("apps"), SLICE("PodGroup"), &(size_t){0}));
    ck_assert_ptr_null(
        backend_of_kind(SLICE("scheduling.k8s.io"), SLICE("PriorityClass"), &(size_t){0}));
    ck_assert_ptr_null(backend_of_kind(SLICE("scheduling.x-k8s.io"), SLICE(""), &(size_t){0}));
}
END_TEST

void
add_tests(TCase *cases)
{
    add_rows(cases, decides_by_class, classes, field.name, rendered, live);
    add_rows(cases, adds_owners_and_keeps_metadata, owners, rendered, live);
    tcase_add_test(cases, writes_the_rendered_version);
    add_rows(cases, counts_the_wake_up, wakes, live);
    add_rows(cases, keeps_the_status_where_a_put_replaces_it, statuses, live);
    tcase_add_test(cases, volcano_alone_has_no_status_subresource);
    tcase_add_test(cases, every_backend_has_rules);
}
