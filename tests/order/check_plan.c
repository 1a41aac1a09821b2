/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reads plans from standard input, one JSON document a line, and reports for each whether every
 * role is finally created, runs and finishes. Exits 0 if all do, 1 if one is stuck, 2 if one cannot
 * be read.
 */
#include <json-c/json.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "replay.h"

static const char *const verdict_words[] = {
    [REPLAY_COMPLETE] = "complete",
    [REPLAY_STUCK] = "STUCK",
    [REPLAY_NO_GANG] = "no gang",
    [REPLAY_UNREADABLE] = "UNREADABLE",
};

static const char *
plan_name(struct json_object *plan)
{
    struct json_object *metadata = json_object_object_get(plan, "metadata");
    struct json_object *name = json_object_object_get(metadata, "name");

    return name ? json_object_get_string(name) : "?";
}

static int
check_line(const char *line)
{
    char story[4096] = "not JSON";
    struct json_object *plan = json_tokener_parse(line);
    enum replay_verdict verdict =
        plan ? replay_plan(plan, story, sizeof(story)) : REPLAY_UNREADABLE;

    printf("%s: %s%s%s\n", plan ? plan_name(plan) : "?", verdict_words[verdict], *story ? ": " : "",
           story);
    json_object_put(plan);
    return verdict == REPLAY_STUCK ? 1 : verdict == REPLAY_UNREADABLE ? 2 : 0;
}

int
main(void)
{
    char *line = NULL;
    size_t capacity = 0;
    int worst = 0;

    while (getline(&line, &capacity, stdin) != -1) {
        int status = line[strspn(line, " \t\r\n")] ? check_line(line) : 0;

        if (status > worst)
            worst = status;
    }
    free(line);
    return worst;
}
