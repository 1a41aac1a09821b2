/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/document/writer.h"
#include "libgang/render/plan_document.h"
#include "unit/job.h"
#include "unit/plans.h"

/* A list as JSON. */
static const char *
printed(struct arena *arena, const struct builder *document, char out[DOCUMENT_SIZE])
{
    struct buffer buffer = {.limit = DOCUMENT_SIZE - 1};

    ck_assert(!arena_failed(arena));
    json_write(&buffer, node_first(document->node));
    ck_assert(!buffer.failed);
    snprintf(out, DOCUMENT_SIZE, "%.*s", (int)buffer.len, buffer.data);
    buffer_clear(&buffer);
    return out;
}

#define ROLE(name, rest) "{'name':'" name "'," rest "}"

/* Only what the role has, in the order of the interface; membership, stage and wave of its gang. */
static const struct {
    const char *job, *roles;
} roles[] = {
    {"node*4@trainer+nvidia.com/gpu=8+cpu=500m",
     ROLE("node",
          "'ancestor':'trainer','count':4,'membership':'Member','stage':0,'wave':0,'dependsOn':[],"
          "'requests':{'cpu':'500m','nvidia.com/gpu':'8'}")},
    {"plain",
     ROLE("plain",
          "'count':1,'membership':'Member','stage':0,'wave':0,'dependsOn':[],'requests':{}")},
    {"plain@other",
     ROLE("plain",
          "'ancestor':'other','count':1,'membership':'Member','stage':0,'wave':0,'dependsOn':[],"
          "'requests':{}")},
    {"a!volcano^high",
     ROLE("a", "'count':1,'membership':'Member','stage':0,'wave':0,'dependsOn':[],'requests':{},"
               "'schedulerName':'volcano','priorityClassName':'high'")},
    {"data@dataset-initializer node@trainer<data:C",
     ROLE("data",
          "'ancestor':'dataset-initializer','count':1,'membership':'Outside','stage':0,'wave':0,"
          "'dependsOn':[],'requests':{}") "," ROLE("node",
                                                   "'ancestor':'trainer','count':1,'"
                                                   "membership':'Member','stage':1,'wave':0,"
                                                   "'dependsOn':[{'role':'data','status':'"
                                                   "Complete'}],'requests':{}")},
    {"launcher@trainer<node:R node*2",
     ROLE("launcher", "'ancestor':'trainer','count':1,'membership':'"
                      "LateMember','stage':0,'wave':1,"
                      "'dependsOn':[{'role':'node','status':'Ready'}],'"
                      "requests':{}") "," ROLE("node", "'count':2,'membership':'"
                                                       "Member','stage':0,'wave':"
                                                       "0,'dependsOn':[],'"
                                                       "requests':{}")},
};

START_TEST(roles_in_the_order_of_the_input)
{
    struct job job = job_form(roles[_i].job);
    struct builder document = build_map(job.arena);
    char expected[DOCUMENT_SIZE];
    char wanted[DOCUMENT_SIZE];
    char text[DOCUMENT_SIZE];

    plan_document_roles(&job.gang, &document);
    ck_slice_eq(node_key(node_first(document.node)), "roles");
    snprintf(expected, sizeof(expected), "[%s]", roles[_i].roles);
    check_text(printed(job.arena, &document, text), spell(wanted, expected));
    job_free(&job);
}
END_TEST

/* Only what the candidate has. A value that is not there is named below the map that lacks it. */
static const struct {
    const char *value;
    enum gang_document_type document;
    bool has_source;
    const char *missing;
    enum trace_verdict verdict;
    const char *text;
} candidates[] = {
    {"q", GANG_DOCUMENT_NONE, true, NULL, VERDICT_CHOSEN,
     "{'value':'q','document':'policy','path':'spec.queue','line':7,'verdict':'Chosen','reason':'"
     "why'}"},
    {"q", GANG_DOCUMENT_NONE, false, NULL, VERDICT_CHOSEN,
     "{'value':'q','verdict':'Chosen','reason':'why'}"},
    {NULL, GANG_DOCUMENT_RUNTIME, false, "spec.x", VERDICT_UNSET,
     "{'document':'runtime','path':'spec.x','verdict':'Unset','reason':'why'}"},
    {NULL, GANG_DOCUMENT_NONE, true, "default", VERDICT_UNSET,
     "{'document':'policy','path':'spec.queue.default','line':7,'verdict':'Unset','reason':'why'}"},
    {NULL, GANG_DOCUMENT_TRAINJOB, false, NULL, VERDICT_REFUSED,
     "{'document':'trainjob','verdict':'Refused','reason':'why'}"},
    {"", GANG_DOCUMENT_NONE, false, NULL, VERDICT_OVERRIDDEN,
     "{'value':QUOTES,'verdict':'Overridden','reason':'why'}"},
};

static const struct node *
policy_queue(struct arena *arena)
{
    struct builder root = build_map(arena);
    struct builder spec = build_map_member(&root, SLICE("spec"));

    build_string(&spec, SLICE("queue"), SLICE("q"));
    spec.last->line = 7;
    spec.last->document = GANG_DOCUMENT_POLICY;
    return spec.last;
}

static void
add_candidate(struct trace *trace, int row)
{
    struct trace_candidate candidate = {
        .document = candidates[row].document,
        .source = candidates[row].has_source ? policy_queue(trace->arena) : NULL,
        .verdict = candidates[row].verdict,
        .reason = "why",
    };

    if (candidates[row].value)
        candidate.value = slice_from_text(candidates[row].value);
    if (candidates[row].missing)
        candidate.missing = slice_from_text(candidates[row].missing);
    trace_add(trace, TRACE_QUEUE, candidate);
}

START_TEST(a_candidate_in_the_trace)
{
    struct trace trace = {.arena = arena_new(0)};
    struct builder document = build_map(trace.arena);
    char expected[DOCUMENT_SIZE];
    char wanted[DOCUMENT_SIZE];
    char text[DOCUMENT_SIZE];

    add_candidate(&trace, _i);
    plan_document_trace(&trace, &document);
    printed(trace.arena, &document, text);
    snprintf(expected, sizeof(expected), "'candidates':[%s]},{'attribute':'priorityClassName'",
             candidates[_i].text);
    spell(wanted, expected);
    if (strstr(wanted, "QUOTES"))
        with_change(wanted, spell(expected, candidates[_i].text), "QUOTES", "\"\"");
    ck_assert_msg(strstr(text, wanted) != NULL, "no %s in %s", wanted, text);
    arena_free(trace.arena);
}
END_TEST

/* Every attribute stands there, in order, with or without candidates. */
START_TEST(an_empty_trace_names_every_attribute)
{
    struct trace trace = {.arena = arena_new(0)};
    struct builder document = build_map(trace.arena);
    char wanted[DOCUMENT_SIZE];
    char text[DOCUMENT_SIZE];

    plan_document_trace(&trace, &document);
    ck_slice_eq(node_key(node_first(document.node)), "trace");
    check_text(
        printed(trace.arena, &document, text),
        spell(wanted,
              "[{'attribute':'backend','candidates':[]},{'attribute':'schedulerName','candidates':["
              "]},"
              "{'attribute':'queue','candidates':[]},{'attribute':'priorityClassName','candidates':"
              "[]},"
              "{'attribute':'scheduleTimeoutSeconds','candidates':[]},"
              "{'attribute':'members','candidates':[]},{'attribute':'topology','candidates':[]}]"));
    arena_free(trace.arena);
}
END_TEST

void
add_tests(TCase *cases)
{
    add_rows(cases, roles_in_the_order_of_the_input, roles, job, roles);
    add_rows(cases, a_candidate_in_the_trace, candidates, value, text);
    tcase_add_test(cases, an_empty_trace_names_every_attribute);
}
