/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A process that forks while another thread is in the library: the child must answer as the parent
 * does, with handles of the parent and with its own. The library has no locks and no caches, so
 * there is nothing that a fork could leave half done. TAP, one line for each folder. fork FOLDER...
 */
#define _POSIX_C_SOURCE 200809L

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include <gang/gang.h>

#include "support/cases.h"
#include "support/digest.h"
#include "support/resolve.h"

enum { FORKS = 8, DOCUMENTS = 4 };

struct busy {
    struct gang_document *documents[DOCUMENTS]; /* the job first */
    uint64_t expected;
    atomic_bool stop;
};

static struct gang_document *
parse(struct text text)
{
    struct gang_document *document = NULL;

    if (text.data && gang_document_parse(NULL, text.data, text.len, 0, &document, NULL))
        document = NULL;
    return document;
}

static uint64_t
digest_answer(struct gang_document *const *documents)
{
    struct gang_decision *decision;
    struct gang_error *error;
    struct gang_plan *plan = NULL;
    uint64_t digest = DIGEST_START;
    int code = resolve_job(NULL, documents[0], documents + 1, DOCUMENTS - 1, 0, &decision, &error);

    digest = digest_error(digest_number(digest, code), error);
    gang_error_free(error);
    if (decision) {
        digest = digest_decision(digest, decision);
        digest = digest_number(digest, gang_render(NULL, decision, 0, &plan, NULL));
    }
    if (plan)
        digest = digest_plan(digest, plan);
    gang_plan_unref(plan);
    gang_decision_unref(decision);
    return digest;
}

static void
parse_all(const struct test_case *input, struct gang_document **documents)
{
    documents[0] = parse(input->trainjob);
    documents[1] = parse(input->runtime);
    documents[2] = parse(input->policy);
    documents[3] = parse(input->cluster);
}

static void
unref_all(struct gang_document *const *documents)
{
    for (int i = 0; i < DOCUMENTS; i++)
        gang_document_unref(documents[i]);
}

static void *
answer_until_stopped(void *data)
{
    struct busy *busy = data;

    while (!atomic_load(&busy->stop))
        if (digest_answer(busy->documents) != busy->expected)
            return busy;
    return NULL;
}

/* Ends the child: 0 if both answers are those of the parent. */
static void
answer_in_child(const struct test_case *input, const struct busy *busy)
{
    struct gang_document *own[DOCUMENTS];
    bool equal = digest_answer(busy->documents) == busy->expected;

    parse_all(input, own);
    equal &= digest_answer(own) == busy->expected;
    unref_all(own);
    _exit(equal ? 0 : 1);
}

static bool
forks_answer(const struct test_case *input, struct busy *busy)
{
    pthread_t thread;
    void *failed = NULL;
    bool equal = true;

    if (pthread_create(&thread, NULL, answer_until_stopped, busy))
        exit(2);
    for (int i = 0; i < FORKS && equal; i++) {
        int status = 1;
        const pid_t child = fork();

        if (child == 0)
            answer_in_child(input, busy);
        equal = child > 0 && waitpid(child, &status, 0) == child && status == 0;
    }
    atomic_store(&busy->stop, true);
    pthread_join(thread, &failed);
    return equal && !failed;
}

int
main(int argc, char **argv)
{
    struct test_cases cases = cases_load(argc - 1, argv + 1);
    bool passed = cases.count > 0;

    printf("1..%zu\n", cases.count);
    for (size_t i = 0; i < cases.count; i++) {
        struct busy busy = {.stop = false};
        bool equal;

        parse_all(&cases.items[i], busy.documents);
        busy.expected = busy.documents[0] ? digest_answer(busy.documents) : 0;
        equal = busy.documents[0] && forks_answer(&cases.items[i], &busy);
        passed &= equal;
        printf("%sok %zu - fork beside %s\n", equal ? "" : "not ", i + 1, cases.items[i].name);
        fflush(stdout);
        unref_all(busy.documents);
    }
    cases_free(&cases);
    return passed ? 0 : 1;
}
