/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TESTS_ARGUMENTS_PROLOGUE_H
#define TESTS_ARGUMENTS_PROLOGUE_H

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <gang/gang.h>

/* One valid object of each type, so that a call has one wrong argument at a time. */
static struct {
    struct gang_config *gang_config;
    struct gang_context *gang_context;
    struct gang_stream *gang_stream;
    struct gang_document *gang_document;
    struct gang_document *binding;
    struct gang_document *live;
    struct gang_inputs *gang_inputs;
    struct gang_decision *gang_decision;
    struct gang_plan *gang_plan;
    const struct gang_object *gang_object;
    const struct gang_patch *gang_patch;
    struct gang_error *gang_error;
    const struct gang_diagnostic *gang_diagnostic;
    struct gang_blob *gang_blob;
} fixture;

/* What the calls write to. */
static struct gang_context *made_gang_context;
static struct gang_stream *made_gang_stream;
static struct gang_document *made_gang_document;
static struct gang_decision *made_gang_decision;
static struct gang_plan *made_gang_plan;
static struct gang_blob *made_gang_blob;
static struct gang_error *err;
static int number;
static size_t size;
static int is_wrong;
static int has_failed;
static int finished;

static void
check(int holds, const char *title)
{
    if (holds)
        return;
    is_wrong = 1;
    fprintf(stderr, "# %s\n", title);
}

static void
release_results(void)
{
    gang_context_unref(made_gang_context);
    gang_stream_unref(made_gang_stream);
    gang_document_unref(made_gang_document);
    gang_decision_unref(made_gang_decision);
    gang_plan_unref(made_gang_plan);
    gang_blob_unref(made_gang_blob);
    gang_error_free(err);
    made_gang_context = NULL;
    made_gang_stream = NULL;
    made_gang_document = NULL;
    made_gang_decision = NULL;
    made_gang_plan = NULL;
    made_gang_blob = NULL;
    err = NULL;
}

static void
expect(int code, int must_fail, const char *title)
{
    check(code <= 0, title);
    check(!must_fail || code < 0, title);
    check(!err || gang_error_get_code(err) == code, title);
    release_results();
}

static void
finish(const char *name)
{
    printf("%s %d - %s\n", is_wrong ? "not ok" : "ok", ++finished, name);
    has_failed |= is_wrong;
    is_wrong = 0;
}

static void
need(int holds, const char *what)
{
    if (holds)
        return;
    printf("Bail out! no %s\n", what);
    exit(1);
}

static const char podgang_text[] =
    "{\"apiVersion\":\"scheduler.grove.io/v1alpha1\",\"kind\":\"PodGang\",\"metadata\":{\"name\":"
    "\"g\",\"namespace\":\"ns\",\"uid\":\"u\",\"labels\":{\"grove.io/scheduler-name\":\"volcano\"}}"
    ",\"spec\":{\"podgroups\":[{\"name\":\"a\",\"minReplicas\":1,\"podReferences\":[{\"namespace\":"
    "\"ns\",\"name\":\"a-0\"}]}]}}";
static const char binding_text[] =
    "{\"apiVersion\":\"grove.io/v1alpha1\",\"kind\":\"ClusterTopologyBinding\",\"metadata\":{"
    "\"name\":\"t\"},\"spec\":{\"levels\":[{\"domain\":\"host\",\"key\":\"kubernetes.io/hostname\"}"
    "]}}";

static void
fixture_start(void)
{
    size_t len = sizeof(podgang_text) - 1;

    fixture.gang_config = gang_config_new();
    fixture.gang_inputs = gang_inputs_new();
    need(fixture.gang_config && fixture.gang_inputs, "builders");
    need(!gang_context_new(NULL, &fixture.gang_context), "context");
    need(!gang_stream_parse(NULL, podgang_text, len, 0, &fixture.gang_stream, NULL), "stream");
    need(!gang_document_parse(NULL, podgang_text, len, 0, &fixture.gang_document, NULL), "PodGang");
    need(!gang_document_parse(NULL, binding_text, sizeof(binding_text) - 1, 0, &fixture.binding,
                              NULL),
         "binding");
    need(!gang_document_parse_live(NULL, binding_text, sizeof(binding_text) - 1, GANG_LIVE_DIAGNOSE,
                                   &fixture.live, NULL),
         "live objects");
    need(!gang_resolve(NULL, fixture.gang_document, NULL, 0, &fixture.gang_decision, NULL),
         "decision");
    need(!gang_render(NULL, fixture.gang_decision, 0, &fixture.gang_plan, NULL), "plan");
    need(gang_document_parse(NULL, "{}", 2, 0, &made_gang_document, &fixture.gang_error) < 0,
         "error");
    fixture.gang_diagnostic = gang_error_get_diagnostic(fixture.gang_error, 0);
    fixture.gang_object = gang_plan_get_object(fixture.gang_plan, 0);
    fixture.gang_patch = gang_plan_get_patch(fixture.gang_plan, 0);
    need(!gang_plan_serialize(NULL, fixture.gang_plan, GANG_TARGET_PLAN, GANG_FORMAT_JSON, 0,
                              &fixture.gang_blob, NULL),
         "blob");
    need(fixture.gang_object && fixture.gang_patch && fixture.gang_diagnostic, "object or patch");
}

static void
fixture_end(void)
{
    release_results();
    gang_config_free(fixture.gang_config);
    gang_inputs_free(fixture.gang_inputs);
    gang_context_unref(fixture.gang_context);
    gang_stream_unref(fixture.gang_stream);
    gang_document_unref(fixture.gang_document);
    gang_document_unref(fixture.binding);
    gang_document_unref(fixture.live);
    gang_decision_unref(fixture.gang_decision);
    gang_plan_unref(fixture.gang_plan);
    gang_error_free(fixture.gang_error);
    gang_blob_unref(fixture.gang_blob);
}

#endif
