/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Texts made to exhaust a parser. Each is read in a process of its own, which must answer with a
 * diagnostic of the expected code within half a second of processor time and 64 MiB of memory.
 */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <gang/gang.h>

#include "support/live.h"
#include "support/resolve.h"

enum { MIB = 1024 * 1024, MOST_GROWTH_KIB = 64 * 1024, MOST_MILLISECONDS = 500, ACCEPTED = -1 };

struct text {
    char *data;
    size_t len;
    size_t capacity;
};

static void
add(struct text *text, const char *data, size_t len)
{
    if (text->len + len > text->capacity) {
        text->capacity = 2 * (text->len + len);
        text->data = realloc(text->data, text->capacity);
        if (!text->data)
            exit(3);
    }
    if (len) /* at first, an empty piece has no memory to go to */
        memcpy(text->data + text->len, data, len);
    text->len += len;
}

static void
add_text(struct text *text, const char *piece)
{
    add(text, piece, strlen(piece));
}

static void
repeat(struct text *text, const char *piece, size_t count)
{
    while (count-- > 0)
        add_text(text, piece);
}

static void
add_numbered(struct text *text, const char *format, size_t count)
{
    char piece[64];

    for (size_t i = 0; i < count; i++) {
        /* The formats are constants of this file with exactly one %zu. */
        const char *mark = strstr(format, "%zu");

        snprintf(piece, sizeof(piece), "%zu", i);
        add(text, format, (size_t)(mark - format));
        add_text(text, piece);
        add_text(text, mark + 3);
    }
}

static void
yaml_list_lines(struct text *text)
{
    add_text(text, "a:\n");
    for (int i = 0; i < 50; i++) {
        repeat(text, "[", 10000);
        add_text(text, "\n");
    }
}

static void
alias_bomb(struct text *text)
{
    char line[128];

    add_text(text, "a0: &a0 [x,x,x,x,x,x,x,x,x,x]\n");
    for (int i = 1; i < 10; i++) {
        snprintf(line, sizeof(line),
                 "a%d: &a%d [*a%d,*a%d,*a%d,*a%d,*a%d,*a%d,*a%d,*a%d,*a%d,*a%d]\n", i, i, i - 1,
                 i - 1, i - 1, i - 1, i - 1, i - 1, i - 1, i - 1, i - 1, i - 1);
        add_text(text, line);
    }
}

/* Each merges all before it. */
static void
merge_bomb(struct text *text)
{
    char piece[32];

    add_text(text, "m0: &m0 {");
    add_numbered(text, "k%zu: 0, ", 2000);
    add_text(text, "}\n");
    for (int i = 1; i < 60; i++) {
        snprintf(piece, sizeof(piece), "m%d: &m%d {<<: [", i, i);
        add_text(text, piece);
        for (int j = 0; j < i && j < 4; j++) {
            snprintf(piece, sizeof(piece), "*m%d, ", i - 1 - j);
            add_text(text, piece);
        }
        snprintf(piece, sizeof(piece), "], n%d: 0}\n", i);
        add_text(text, piece);
    }
}

static void
many_full_maps(struct text *text)
{
    add_text(text, "{\"z\":0");
    for (int i = 0; i < 24; i++) {
        char piece[32];

        snprintf(piece, sizeof(piece), ",\"m%d\":{\"z\":0", i);
        add_text(text, piece);
        add_numbered(text, ",\"k%zu\":0", 4000);
        add_text(text, "}");
    }
    add_text(text, "}");
}

static void
utf16(struct text *text)
{
    add(text, "\xFF\xFE", 2);
    for (int i = 0; i < MIB / 2 - 10; i++)
        add(text, "a\0", 2);
}

#define OWNED_BY_THE_JOB                                                                           \
    "\"namespace\":\"ml\",\"ownerReferences\":[{\"kind\":\"TrainJob\",\"name\":\"j\",\"uid\":"     \
    "\"u\","                                                                                       \
    "\"controller\":true}]"
#define A_POD                                                                                      \
    "{\"apiVersion\":\"v1\",\"kind\":\"Pod\",\"metadata\":{\"name\":\"p\",\"namespace\":\"ml\","

/* Objects that exist, each of them the job's, and a pod for each that is in none of them. */
static void
owned_objects(struct text *text)
{
    add_text(
        text,
        "{\"kind\":\"List\",\"items\":[{\"apiVersion\":\"v1\",\"kind\":\"ConfigMap\",\"metadata\":"
        "{\"name\":\"c\"}}");
    add_numbered(text,
                 ",{\"apiVersion\":\"scheduling.volcano.sh/"
                 "v1beta1\",\"kind\":\"PodGroup\",\"metadata\":{" OWNED_BY_THE_JOB
                 ",\"name\":\"g%zu\"}}",
                 4000);
    add_text(text, "]}\n{\"kind\":\"List\",\"items\":[");
    add_numbered(text, A_POD "\"annotations\":{\"pod-group-name\":\"x%zu\"}}},", 4000);
    add_text(text, A_POD "\"uid\":\"p\"}}]}");
}

static void
nested_object_lists(struct text *text)
{
    repeat(text, "{\"kind\":\"List\",\"items\":[", 30);
    repeat(text, "]}", 30);
}

#define PODGANG_HEAD                                                                               \
    "{\"apiVersion\":\"scheduler.grove.io/"                                                        \
    "v1alpha1\",\"kind\":\"PodGang\",\"metadata\":{\"name\":\"g-0\",\"labels\":{"                  \
    "\"grove.io/scheduler-name\":\"volcano\"}},\"spec\":{"

#define PODGROUPS "\"podgroups\":[{\"name\":\"p\",\"minReplicas\":1,\"podReferences\":[]}"
#define PODGROUP ",{\"name\":\"p%zu\",\"minReplicas\":1,\"podReferences\":[]}"

/* As many as may be, each in every config, which no PodGang may do. */
static void
podgroups_in_all_configs(struct text *text)
{
    add_text(text, PODGANG_HEAD PODGROUPS);
    add_numbered(text, PODGROUP, 60);
    add_text(text, "],\"topologyConstraintGroupConfigs\":[");
    for (int i = 0; i < 60; i++) {
        add_text(text, i ? ",{\"name\":\"c\",\"podGroupNames\":[\"p\""
                         : "{\"name\":\"c\",\"podGroupNames\":[\"p\"");
        add_numbered(text, ",\"p%zu\"", 60);
        add_text(text, "]}");
    }
    add_text(text, "]}}");
}

/* What reads the text. */
enum reader { READ_AS_STREAM, READ_AS_LIVE, READ_AS_GROVE };

struct hostile_case {
    const char *name;
    int code;
    void (*make)(struct text *); /* NULL: `before`, `piece` `count` times, `after` */
    const char *before;
    const char *piece; /* %zu is the number of the piece */
    size_t count;
    const char *after;
};

#define MADE(make) make, NULL, NULL, 0, NULL
#define REPEATED(before, piece, count, after) NULL, before, piece, count, after
#define JSON_LISTS REPEATED("{\"a\":", "[", MIB - 10, "")
#define MANY_DOCUMENTS REPEATED("", "{}", 2 * MIB, "")

static void
make_repeated(const struct hostile_case *hostile, struct text *text)
{
    add_text(text, hostile->before);
    if (strstr(hostile->piece, "%zu"))
        add_numbered(text, hostile->piece, hostile->count);
    else
        repeat(text, hostile->piece, hostile->count);
    add_text(text, hostile->after);
}

static const struct hostile_case live_cases[] = {
    {"thousands of owned objects and pods", ACCEPTED, MADE(owned_objects)},
    {"one object thousands of times", ACCEPTED,
     REPEATED("{\"kind\":\"List\",\"items\":[",
              "{\"apiVersion\":\"scheduling.volcano.sh/"
              "v1beta1\",\"kind\":\"PodGroup\",\"metadata\":{" OWNED_BY_THE_JOB
              ",\"name\":\"j\"}},",
              4000, A_POD "\"uid\":\"p\"}}]}")},
    {"an object with thousands of labels", ACCEPTED,
     REPEATED("{\"apiVersion\":\"scheduling.volcano.sh/"
              "v1beta1\",\"kind\":\"PodGroup\",\"metadata\":{" OWNED_BY_THE_JOB
              ",\"name\":\"j\",\"labels\":{\"a\":\"b\"",
              ",\"k%zu\":\"v\"", 4000, "}}}")},
    {"lists of lists of objects", ACCEPTED, MADE(nested_object_lists)},
    {"objects beyond the limit", GANG_CODE_LIMIT_STREAM_DOCUMENTS,
     REPEATED("{\"kind\":\"List\",\"items\":[0", ",0", 20000, "]}")},
    {"thousands that are no objects", GANG_CODE_NOT_AN_OBJECT,
     REPEATED("{\"kind\":\"List\",\"items\":[0", ",0", 9000, "]}")},
    {"aliases among objects", GANG_CODE_LIMIT_ANCHORS,
     REPEATED("", "", 0,
              "kind: List\nitems:\n- &a {apiVersion: v1, kind: Pod, metadata: {name: p}}\n- *a\n")},
    {"nested lists instead of objects", GANG_CODE_LIMIT_DEPTH, JSON_LISTS},
    {"many documents instead of objects", GANG_CODE_NOT_AN_OBJECT, MANY_DOCUMENTS},
};

/* Documents of Grove; what their kind does not take is refused with a place. */
static const struct hostile_case grove_cases[] = {
    {"podgroups beyond the limit", GANG_CODE_LIMIT_ROLES,
     REPEATED(PODGANG_HEAD PODGROUPS, PODGROUP, 9000, "]}}")},
    {"podgroups, each in every config", GANG_CODE_PODGROUP_IN_TWO_CONFIGS,
     MADE(podgroups_in_all_configs)},
    {"thousands of pods of one podgroup", ACCEPTED,
     REPEATED(PODGANG_HEAD "\"podgroups\":[{\"name\":\"p\",\"minReplicas\":1,\"podReferences\":[{"
                           "\"namespace\":\"ml\",\"name\":\"x\"}",
              ",{\"namespace\":\"ml\",\"name\":\"x%zu\"}", 9000, "]}]}}")},
    {"cliques beyond the limit", GANG_CODE_LIMIT_ROLES,
     REPEATED("{\"apiVersion\":\"grove.io/"
              "v1alpha1\",\"kind\":\"PodCliqueSet\",\"metadata\":{\"name\":\"g\"},\"spec\":{"
              "\"template\":{\"cliques\":[0",
              ",{\"name\":\"c%zu\",\"spec\":{\"roleName\":\"r\",\"podSpec\":{\"containers\":[]}}}",
              5000, "]}}}")},
    {"levels beyond the limit", GANG_CODE_TOPOLOGY_LEVELS_REFUSED,
     REPEATED("{\"apiVersion\":\"grove.io/"
              "v1alpha1\",\"kind\":\"ClusterTopologyBinding\",\"metadata\":{\"name\":\"t\"},"
              "\"spec\":{\"levels\":[{\"domain\":\"d\",\"key\":\"k\"}",
              ",{\"domain\":\"d%zu\",\"key\":\"k\"}", 9000, "]}}")},
    {"a pod with thousands of labels", ACCEPTED,
     REPEATED("{\"apiVersion\":\"v1\",\"kind\":\"Pod\",\"spec\":{},\"metadata\":{\"name\":\"p\","
              "\"labels\":{\"grove.io/podgang\":\"g-0\"",
              ",\"k%zu\":\"v\"", 4000, "}}}")},
    {"nested lists instead of a PodGang", GANG_CODE_LIMIT_DEPTH, JSON_LISTS},
    {"aliases in a PodGang", GANG_CODE_LIMIT_NODES, MADE(alias_bomb)},
};

static const struct hostile_case cases[] = {
    {"nested JSON lists", GANG_CODE_LIMIT_DEPTH, JSON_LISTS},
    {"nested JSON maps", GANG_CODE_LIMIT_DEPTH, REPEATED("", "{\"a\":", MIB / 5, "")},
    {"nested YAML flow lists", GANG_CODE_LIMIT_DEPTH, REPEATED("a: ", "[", MIB - 10, "")},
    {"nested YAML flow maps", GANG_CODE_LIMIT_DEPTH, REPEATED("a: ", "{a: ", MIB / 4 - 10, "")},
    {"lines of YAML flow lists", GANG_CODE_SYNTAX, MADE(yaml_list_lines)},
    {"nested YAML block lists", GANG_CODE_LIMIT_DEPTH, REPEATED("", "- ", MIB / 2 - 10, "")},
    {"nested explicit keys", GANG_CODE_KEY_TYPE, REPEATED("", "? ", MIB / 2 - 10, "")},
    {"ten to the tenth by aliases", GANG_CODE_LIMIT_NODES, MADE(alias_bomb)},
    {"aliases of one anchor", GANG_CODE_LIMIT_ALIASES,
     REPEATED("a: &a x\nb: [", "*a,", MIB / 3 - 20, "]")},
    {"anchors", GANG_CODE_LIMIT_ANCHORS, REPEATED("a:\n", "- &a%zu x\n", 60000, "")},
    {"merges of merges", GANG_CODE_LIMIT_NODES, MADE(merge_bomb)},
    {"items of a JSON list", GANG_CODE_LIMIT_LIST_ITEMS,
     REPEATED("{\"a\":[0", ",0", MIB / 2 - 10, "]}")},
    {"empty maps in a JSON list", GANG_CODE_LIMIT_LIST_ITEMS,
     REPEATED("{\"a\":[{}", ",{}", MIB / 3 - 10, "]}")},
    {"items of a YAML list", GANG_CODE_LIMIT_LIST_ITEMS,
     REPEATED("a:\n", "- x\n", MIB / 4 - 10, "")},
    {"keys of a JSON map", GANG_CODE_LIMIT_MAP_KEYS,
     REPEATED("{\"z\":0", ",\"k%zu\":0", 60000, "}")},
    {"keys of a YAML map", GANG_CODE_LIMIT_MAP_KEYS, REPEATED("", "k%zu: 0\n", 60000, "")},
    {"full maps within the limits", ACCEPTED, MADE(many_full_maps)},
    {"8 MiB JSON string", GANG_CODE_LIMIT_DOCUMENT_BYTES,
     REPEATED("{\"a\":\"", "xxxxxxxx", MIB, "\"}")},
    {"8 MiB YAML string", GANG_CODE_LIMIT_DOCUMENT_BYTES, REPEATED("a: \"", "xxxxxxxx", MIB, "\"")},
    {"1 MiB YAML string", GANG_CODE_LIMIT_SCALAR_BYTES, REPEATED("a: ", "x", MIB - 10, "")},
    {"1 MiB YAML key", GANG_CODE_LIMIT_SCALAR_BYTES, REPEATED("", "x", MIB - 10, ": 1")},
    {"%TAG lines", GANG_CODE_DIRECTIVE, REPEATED("", "%TAG !t%zu! x\n", 60000, "---\na: 1\n")},
    {"%TAG lines behind content", GANG_CODE_DIRECTIVE,
     REPEATED("a: 1\n", "%TAG !t%zu! x\n", 60000, "---\na: 1\n")},
    {"%TAG lines behind the end", GANG_CODE_DIRECTIVE,
     REPEATED("a: |\n  x\n...\n", "%TAG !t%zu! x\n", 60000, "---\na: 1\n")},
    {"JSON escapes", GANG_CODE_LIMIT_SCALAR_BYTES,
     REPEATED("{\"a\":\"", "\\u00e9", MIB / 6 - 10, "\"}")},
    {"YAML escapes", ACCEPTED, REPEATED("a: \"", "\\x41", MIB / 4 - 10, "\"")},
    {"backslashes without an end", GANG_CODE_SYNTAX,
     REPEATED("{\"a\":\"", "\\\\", MIB / 2 - 10, "\\")},
    {"1 MiB of comments", GANG_CODE_SYNTAX,
     REPEATED("", "# comment\n", MIB / 10 - 10, "a: b: c\n")},
    {"16 MiB of separators", GANG_CODE_LIMIT_STREAM_BYTES,
     REPEATED("", "---\n", 4 * MIB, "a: b: c\n")},
    {"two million documents", GANG_CODE_LIMIT_STREAM_DOCUMENTS, MANY_DOCUMENTS},
    {"documents that do not end", GANG_CODE_SYNTAX, REPEATED("", "{\n---\n", 100000, "")},
    {"UTF-16", GANG_CODE_ENCODING, MADE(utf16)},
    {"broken UTF-8 at the end", GANG_CODE_ENCODING,
     REPEATED("a: \xC3\xA9\n", "# \xC3\xA9\xC3\xA9\n", MIB / 8, "\xC0\x80")},
    {"long number", GANG_CODE_NUMBER_PRECISION, REPEATED("{\"a\":1", "0", 200000, "1}")},
    {"long exponent", GANG_CODE_NUMBER_PRECISION, REPEATED("{\"a\":1e", "9", 200000, "}")},
    {"long YAML exponent", GANG_CODE_NUMBER_PRECISION, REPEATED("a: [1e-", "9", 200000, "]")},
    {"thousands of duplicate keys", GANG_CODE_DUPLICATE_KEY,
     REPEATED("{\"a\":0", ",\"a\":0", 4000, "}")},
    {"unclosed quotes", GANG_CODE_SYNTAX, REPEATED("a: [", "\"\n", MIB / 4, "")},
};

static const char live_runtime[] =
    "{\"apiVersion\":\"trainer.kubeflow.org/"
    "v1alpha1\",\"kind\":\"ClusterTrainingRuntime\",\"metadata\":{\"name\":\"r\"},"
    "\"spec\":{\"podGroupPolicy\":{\"volcano\":{}},\"template\":{\"spec\":{\"replicatedJobs\":[{"
    "\"name\":"
    "\"node\",\"template\":"
    "{\"metadata\":{\"labels\":{\"trainer.kubeflow.org/"
    "trainjob-ancestor-step\":\"trainer\"}},\"spec\":{\"template\":{\"spec\":"
    "{\"containers\":[{\"name\":\"node\",\"image\":\"i\"}]}}}}}]}}}}";
static const char live_trainjob[] =
    "{\"apiVersion\":\"trainer.kubeflow.org/"
    "v1alpha1\",\"kind\":\"TrainJob\",\"metadata\":{\"name\":\"j\",\"namespace\":\"ml\","
    "\"uid\":\"u\"},\"spec\":{\"runtimeRef\":{\"name\":\"r\"}}}";

/*
 * Compares a small plan with the existing objects in the text; runs in the child, which frees
 * nothing.
 */
static int
read_as_live(const struct text *text, struct gang_error **error)
{
    struct gang_document *runtime;
    struct gang_document *trainjob;
    struct gang_decision *decision;
    struct gang_plan *plan;
    struct gang_plan *reconciled;

    if (gang_document_parse(NULL, live_runtime, strlen(live_runtime), 0, &runtime, NULL) ||
        gang_document_parse(NULL, live_trainjob, strlen(live_trainjob), 0, &trainjob, NULL) ||
        resolve_job(NULL, trainjob, &runtime, 1, 0, &decision, NULL) ||
        gang_render(NULL, decision, 0, &plan, NULL))
        exit(3);
    return reconcile_text(NULL, plan, text->data, text->len, &reconciled, error);
}

static bool
holds(const struct text *text, const char *word)
{
    size_t len = strlen(word);

    for (size_t i = 0; i + len <= text->len && i < 200; i++)
        if (memcmp(text->data + i, word, len) == 0)
            return true;
    return false;
}

static const char grove_podgang[] =
    PODGANG_HEAD "\"podgroups\":[{\"name\":\"p\",\"minReplicas\":1,\"podReferences\":[]}]}}";

/* By its kind, up to the decision; runs in the child, which frees nothing. */
static int
read_as_grove(const struct text *text, struct gang_error **error)
{
    struct gang_document *document;
    struct gang_decision *decision;
    struct gang_blob *blob;
    bool is_podgang;
    int result;

    if (!holds(text, "\"Pod\"")) {
        result = gang_document_parse(NULL, text->data, text->len, 0, &document, error);
        is_podgang = gang_document_get_type(document) == GANG_DOCUMENT_PODGANG;
        return is_podgang ? gang_resolve(NULL, document, NULL, 0, &decision, error) : result;
    }
    if (gang_document_parse(NULL, grove_podgang, strlen(grove_podgang), 0, &document, NULL) ||
        gang_resolve(NULL, document, NULL, 0, &decision, NULL))
        exit(3);
    return gang_decision_prepare_pod(NULL, decision, text->data, text->len, GANG_FORMAT_JSON, 0,
                                     &blob, error);
}

/* Whether the answer is the expected one; runs in the child. */
static int
answers(const struct text *text, int code, enum reader reader)
{
    struct gang_stream *stream = NULL;
    struct gang_error *error = NULL;
    int result = reader == READ_AS_LIVE ? read_as_live(text, &error)
                 : reader == READ_AS_GROVE
                     ? read_as_grove(text, &error)
                     : gang_stream_parse(NULL, text->data, text->len, 0, &stream, &error);

    if (code == ACCEPTED || result == GANG_OK)
        return code == ACCEPTED && result == GANG_OK;
    for (size_t i = 0; i < gang_error_num_diagnostics(error); i++) {
        const struct gang_diagnostic *found = gang_error_get_diagnostic(error, i);

        if (gang_diagnostic_get_code(found) == code && gang_diagnostic_get_line(found) > 0)
            return 1;
    }
    fprintf(stderr, "# first code %d: %s\n",
            gang_diagnostic_get_code(gang_error_get_diagnostic(error, 0)),
            gang_diagnostic_get_message(gang_error_get_diagnostic(error, 0)));
    return 0;
}

static long
milliseconds(const struct rusage *usage)
{
    return (usage->ru_utime.tv_sec + usage->ru_stime.tv_sec) * 1000L +
           (usage->ru_utime.tv_usec + usage->ru_stime.tv_usec) / 1000L;
}

/* The text is made before the fork, so that the child's usage is the library's. */
static int
run(const struct hostile_case *hostile, enum reader reader, const char **why, long *used)
{
    struct text text = {0};
    struct rusage before;
    struct rusage usage;
    int status = 0;
    pid_t child;

    if (hostile->make)
        hostile->make(&text);
    else
        make_repeated(hostile, &text);
    getrusage(RUSAGE_SELF, &before);
    child = fork();
    if (child == 0)
        _exit(answers(&text, hostile->code, reader) ? 0 : 1);
    if (child < 0 || wait4(child, &status, 0, &usage) != child)
        exit(3);
    free(text.data);
    *used = milliseconds(&usage);
    *why = !WIFEXITED(status)                                     ? "died"
           : WEXITSTATUS(status)                                  ? "another answer"
           : milliseconds(&usage) > MOST_MILLISECONDS             ? "too slow"
           : usage.ru_maxrss - before.ru_maxrss > MOST_GROWTH_KIB ? "too much memory"
                                                                  : NULL;
    return *why == NULL;
}

/* The number of cases that gave another answer. */
static int
run_all(const struct hostile_case *table, int count, enum reader reader, int number)
{
    int failed = 0;

    for (int i = 0; i < count; i++) {
        const char *why;
        long used;
        int ok = run(&table[i], reader, &why, &used);

        failed += !ok;
        printf("%sok %d - %s (%ld ms)%s%s\n", ok ? "" : "not ", number + i, table[i].name, used,
               why ? ": " : "", why ? why : "");
        fflush(stdout);
    }
    return failed;
}

int
main(void)
{
    const int count = (int)(sizeof(cases) / sizeof(cases[0]));
    const int live_count = (int)(sizeof(live_cases) / sizeof(live_cases[0]));
    const int grove_count = (int)(sizeof(grove_cases) / sizeof(grove_cases[0]));
    int failed;

    printf("1..%d\n", count + live_count + grove_count);
    failed = run_all(cases, count, READ_AS_STREAM, 1);
    failed += run_all(live_cases, live_count, READ_AS_LIVE, count + 1);
    failed += run_all(grove_cases, grove_count, READ_AS_GROVE, count + live_count + 1);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
