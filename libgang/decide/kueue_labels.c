/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/decide/kueue.h"

/* Sources: kubernetes-sigs/kueue:pkg/controller/jobframework/validation.go@v0.19.2, and below. */

static void
kueue_check_name(const struct node *name, const char *hint, struct report *report)
{
    struct name_problems problems;

    if (!name || name_check(NAME_DNS1123_SUBDOMAIN, node_string(name), &problems))
        return;
    for (size_t i = 0; i < problems.count; i++)
        find_invalid(report, GANG_CODE_KUEUE_REFUSES_JOB, name, hint, "%s", problems.text[i]);
}

static void
kueue_check_max_time(const struct kueue_job *job)
{
    const struct node *seconds =
        node_member(job->meta->labels, SLICE("kueue.x-k8s.io/max-exec-time-seconds"));
    int64_t number;

    if (!seconds)
        return;
    if (!integer_parse_signed(node_string(seconds), &number))
        find_invalid(job->report, GANG_CODE_KUEUE_REFUSES_JOB, seconds, NULL,
                     "must be a numeric value");
    else if (number <= 0)
        find_invalid(job->report, GANG_CODE_KUEUE_REFUSES_JOB, seconds, NULL,
                     "should be greater than 0");
}

/* The annotation has precedence: the gate WorkloadIdentifierAnnotations is on by default. */
static void
kueue_check_workload_name(const struct kueue_job *job)
{
    const struct slice key = SLICE("kueue.x-k8s.io/prebuilt-workload-name");
    const struct node *annotation = node_member(job->meta->annotations, key);
    const struct node *name =
        node_string(annotation).len ? annotation : node_member(job->meta->labels, key);

    kueue_check_name(name, "name a Workload", job->report);
    if (node_string(name).len && !(job->traits & KUEUE_TAKES_WORKLOAD))
        find_forbidden(job->report, GANG_CODE_KUEUE_REFUSES_JOB, name, "remove it",
                       "Kueue does not support a prebuilt workload for a %.*s",
                       SLICE_ARG(job->kind));
}

static void
kueue_check_elastic(const struct kueue_job *job)
{
    if (job->is_elastic && !(job->traits & KUEUE_TAKES_ELASTIC))
        find_forbidden(job->report, GANG_CODE_KUEUE_REFUSES_JOB,
                       node_member(job->meta->annotations, SLICE("kueue.x-k8s.io/elastic-job")),
                       "remove the annotation", "a %.*s cannot be an elastic job of Kueue",
                       SLICE_ARG(job->kind));
}

/* ---- admission gates ---- */

/*
 * Sources: validateAdmissionGatedByAnnotationFormat in kubernetes-sigs/kueue:pkg/util/webhook and
 * Parse in pkg/util/csv, both @v0.19.2.
 */
enum { KUEUE_LONGEST_GATE = 63 };

struct kueue_gate {
    struct slice name;
    bool is_repeated;
};

struct kueue_gates {
    struct kueue_gate *items;
    size_t count;
};

static size_t
kueue_count_gates(struct slice text)
{
    size_t count = 1;

    for (size_t i = 0; i < text.len; i++)
        count += text.data[i] == ',';
    return count;
}

static int
kueue_compare_gates(const void *a, const void *b, const void *context)
{
    const struct kueue_gate *one = a;
    const struct kueue_gate *other = b;

    (void)context;
    return slice_compare(one->name, other->name);
}

/* Marks every gate that is equal to one before it. */
static void
kueue_mark_repeated(const struct kueue_gates *gates, struct arena *arena)
{
    const void **sorted = arena_array(arena, gates->count, sizeof(*sorted));
    const void **scratch = arena_array(arena, gates->count, sizeof(*scratch));

    if (!sorted || !scratch)
        return;
    for (size_t i = 0; i < gates->count; i++)
        sorted[i] = &gates->items[i];
    stable_sort(sorted, scratch, gates->count, kueue_compare_gates, NULL);
    for (size_t i = 1; i < gates->count; i++) {
        const size_t at = (size_t)((const struct kueue_gate *)sorted[i] - gates->items);

        gates->items[at].is_repeated = !kueue_compare_gates(sorted[i - 1], sorted[i], NULL);
    }
}

static struct kueue_gates
kueue_read_gates(struct slice text, struct arena *arena)
{
    struct kueue_gates gates = {arena_array(arena, kueue_count_gates(text), sizeof(*gates.items)),
                                0};
    size_t start = 0;

    if (!gates.items)
        return gates;
    for (size_t i = 0; i <= text.len; i++) {
        if (i < text.len && text.data[i] != ',')
            continue;
        gates.items[gates.count++] =
            (struct kueue_gate){text_trim((struct slice){text.data + start, i - start}), false};
        start = i + 1;
    }
    kueue_mark_repeated(&gates, arena);
    return gates;
}

static void
kueue_check_gate(const struct kueue_gate *gate, const struct node *at, struct report *report)
{
    struct name_problems problems;

    if (!gate->name.len || gate->is_repeated) {
        find_invalid(report, GANG_CODE_KUEUE_REFUSES_JOB, at, NULL, "%s%.*s",
                     gate->name.len ? "duplicate gate name: " : "cannot contain empty gate names",
                     SLICE_ARG(gate->name));
        return;
    }
    if (!name_check(NAME_DOMAIN_PREFIXED_PATH, gate->name, &problems))
        for (size_t i = 0; i < problems.count; i++)
            find_invalid(report, GANG_CODE_KUEUE_REFUSES_JOB, at, NULL, "%s", problems.text[i]);
    if (gate->name.len > KUEUE_LONGEST_GATE)
        find_note(report, GANG_CODE_KUEUE_REFUSES_JOB, at, NULL,
                  "Too long: may not be more than %d bytes", KUEUE_LONGEST_GATE);
}

static void
kueue_check_gates(const struct kueue_job *job)
{
    const struct node *at =
        node_member(job->meta->annotations, SLICE("kueue.x-k8s.io/admission-gated-by"));
    struct kueue_gates gates;

    if (!text_trim(node_string(at)).len)
        return;
    gates = kueue_read_gates(node_string(at), job->report->arena);
    for (size_t i = 0; i < gates.count; i++)
        kueue_check_gate(&gates.items[i], at, job->report);
}

/* ---- labels ---- */

void
kueue_labels_check(const struct kueue_job *job)
{
    kueue_check_name(job_facts_kueue_queue(job->decision), "name a LocalQueue", job->report);
    if (job->traits & KUEUE_READS_LABELS) {
        kueue_check_workload_name(job);
        kueue_check_max_time(job);
    }
    kueue_check_elastic(job);
    kueue_check_gates(job);
}
