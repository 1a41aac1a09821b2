/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LIBGANG_BASE_REPORT_H
#define LIBGANG_BASE_REPORT_H

#include <gang/gang.h>
#include <stdint.h>

#include "libgang/base/arena.h"

enum { LIMIT_COUNT = GANG_LIMIT_STEPS + 1 };

/* One value per `enum gang_limit`; index 0 is unused. */
struct limits {
    uint64_t value[LIMIT_COUNT];
    struct workspace *workspace; /* borrowed; NULL: none */
};

struct gang_context {
    struct refcount references;
    struct limits limits;
};

struct limit_entry {
    const char *name; /* the name in messages and in the manual */
    uint64_t standard;
    uint64_t ceiling;
    enum gang_code code; /* the code of the diagnostic if a document exceeds the limit */
};

extern const struct limit_entry limit_table[LIMIT_COUNT];
extern const struct limits standard_limits;

/* Returns the limits of a context; the default limits for NULL. */
const struct limits *context_limits(const struct gang_context *context);

static inline uint64_t
limit_of(const struct limits *limits, enum gang_limit limit)
{
    return limits->value[limit];
}

/*
 * Memory for one handle, with the limits on bytes and steps. `host` is the arena of a finished
 * handle that this one keeps alive; NULL if there is none. Returns NULL if out of memory.
 */
struct arena *arena_new_within(const struct limits *limits, struct arena *host);

/* For the output of one call. */
static inline struct buffer
buffer_within(const struct limits *limits)
{
    return (struct buffer){.limit = (size_t)limit_of(limits, GANG_LIMIT_OUTPUT_BYTES),
                           .workspace = limits->workspace};
}

struct node;
struct schema;

/* The document of a finding. NUL-terminated, borrowed from its tree; NULL if absent. */
struct document_identity {
    const char *kind;
    const char *namespace_;
    const char *name;
};

/* Text fields are NUL-terminated; `path` and `message` are never NULL. */
struct gang_diagnostic {
    enum gang_code code;
    enum gang_severity severity;
    enum gang_document_type document;
    uint32_t line; /* 1-based; 0 if unknown */
    uint32_t column;
    const char *path;
    const char *message;
    const char *hint; /* NULL if absent */
    const char *job;  /* "namespace/name", for a finding in a policy or cluster; NULL if absent */
    struct document_identity identity; /* the document, as far as it is known */
};

enum { REPORT_ROOTS = GANG_DOCUMENT_JOB + 1 };

/*
 * The location of a finding. `path` is NUL-terminated, and constant or lives as long as the
 * report's arena.
 */
struct report_place {
    enum gang_document_type document;
    uint32_t line;
    uint32_t column;
    struct slice path;
    struct document_identity identity;
};

/* The path of a node that many findings name, made before them. */
struct report_path {
    const struct node *node;
    struct slice text; /* as that of a place */
};

struct report_more_field {
    const char *beside; /* a field that each type with the new one has, and no other */
    const char *name;   /* NULL ends the table */
};

/* Fields of a type that the CRDs with the same parts do not have. */
struct report_more {
    const struct schema *metadata; /* NULL: that of the CRDs */
    const struct report_more_field *fields;
};

/* The job of the findings of one decision. */
struct report_job {
    struct slice namespace_; /* unset if absent */
    struct slice name;       /* unset: the report is about no job */
    const char *text;        /* created for the first finding that needs it */
};

/*
 * Collects findings instead of stopping at the first. Messages are in `arena`, with control
 * characters escaped, so that text of a document cannot look like a separate finding. Beyond
 * `largest`, the most severe findings are kept. Severity follows the registry's column for the
 * mode: the strict flag turns `strict` codes into errors, and compatibility turns what the upstream
 * operator accepts into warnings.
 */
struct report {
    struct arena *arena;
    const struct limits *limits; /* borrowed for the call that reports */
    struct gang_diagnostic *items;
    size_t count;
    /*
     * Limit; after it, one last entry with the highest severity left out says that more findings
     * exist.
     */
    size_t largest;
    /* Findings of this severity, and less severe ones, are left out; 0: none is. */
    enum gang_severity is_full_for;
    size_t errors;
    bool strict;
    bool compatibility;
    const struct report_more *more; /* besides what the schema has; or NULL */
    bool built_in;          /* the type is no CRD: any number is a quantity, and null is zero */
    bool is_brief;          /* only errors have text, see report_writes() */
    bool has_unknown_field; /* schema_check() has found one, also if the finding was left out */
    struct report_job job;
    /*
     * The documents of the call, indexed by enum gang_document_type, for findings about a complete
     * document.
     */
    const struct node *roots[REPORT_ROOTS];
    /* The root that the last finding was below and its identity: most findings share one. */
    const struct node *last_root;
    struct document_identity last_identity;
    const struct report_path *paths; /* borrowed */
    size_t num_paths;
};

void report_init(struct report *report, struct arena *arena, const struct limits *limits);

/*
 * A hint with arguments stands behind the message, in one format: HINT_IN_MESSAGE is the hint then,
 * and HINT_MARK is between the two, which format_text() writes as a NUL.
 */
extern const char hint_in_message[];
#define HINT_IN_MESSAGE hint_in_message
#define HINT_MARK "%%\v"

/* Shortens a text with such a hint to the message, and returns the hint; NULL if it was cut. */
const char *hint_split(struct slice *text);

/* `format` and `hint` are constants or live as long as the arena. */
LIKE_PRINTF(5, 6)
SELDOM void report_add(struct report *report, enum gang_code code, const struct report_place *place,
                       const char *hint, const char *format, ...);
LIKE_PRINTF(5, 0)
void report_add_list(struct report *report, enum gang_code code, const struct report_place *place,
                     const char *hint, const char *format, va_list arguments);
/* The same with the arguments behind `format`, the last parameter of the function. */
#define REPORT_ADD_ARGUMENTS(report, code, place, hint, format)                                    \
    do {                                                                                           \
        va_list arguments;                                                                         \
                                                                                                   \
        va_start(arguments, format);                                                               \
        report_add_list((report), (code), (place), (hint), (format), arguments);                   \
        va_end(arguments);                                                                         \
    } while (0)

/*
 * Sets the identity of all findings so far that have none: those reported before the tree exists.
 */
void report_identify(struct report *report, const struct document_identity *identity);

/* Adds every finding of another report. Severities are set again by the mode of this report. */
void report_merge(struct report *report, const struct gang_diagnostic *items, size_t count);

/*
 * Takes mode, job and documents of a report that is complete, and adds its findings with the
 * severities that they have there: some may be softened.
 */
SELDOM void report_continue(struct report *report, const struct report *former);

/* Turns the errors of this code that were reported so far into warnings. */
void report_soften(struct report *report, enum gang_code code);

/*
 * Sorts by document, position, code, job and identity, and removes duplicates. The order is total,
 * so equal inputs produce equal bytes.
 */
void report_sort(struct report *report);

/*
 * Whether a finding with this code would be kept: work for one that is not would have no bound but
 * the size of the document.
 */
bool report_keeps(struct report *report, enum gang_code code);
/* The same, and it needs a path, a message and a hint. */
bool report_writes(struct report *report, enum gang_code code);

static inline bool
report_has_errors(const struct report *report)
{
    return report->errors > 0;
}

/*
 * Formats text that outlives the call, for messages built in steps. NUL-terminated; "" if the arena
 * has failed.
 */
LIKE_PRINTF(2, 3)
const char *arena_format(struct arena *arena, const char *format, ...);
#define ARENA_SLICE(...) slice_from_text(arena_format(__VA_ARGS__))

/* Without pointers, so that the table needs no relocations. */
struct diagnostic_entry {
    uint16_t code;                  /* enum gang_code */
    char id[9];                     /* "GANG012" */
    char reason[27];                /* "StructuralDeadlock" */
    uint8_t severity;               /* enum gang_severity, as the two below */
    uint8_t strict_severity;        /* 0: as `severity` */
    uint8_t compatibility_severity; /* 0: as `severity` */
};

/* The registry, doc/diagnostics.yaml, in ascending order of code. */
extern const struct diagnostic_entry diagnostic_table[];
extern const size_t diagnostic_table_size;

/* The row of each code; 0 for numbers that are none. */
extern const uint16_t diagnostic_rows[];
extern const size_t diagnostic_rows_size;

/* Never NULL: an unknown code yields the first row. */
const struct diagnostic_entry *diagnostic_entry_of(enum gang_code code);

/*
 * Each of these stores an error in `*out` (optional, may be NULL) and returns `code`, so that a
 * function can end in `return error_from_report(...)`. If out of memory, the error is the static
 * one and the code is GANG_ERROR_NO_MEMORY.
 */
int error_from_report(struct gang_error **out, int code, struct report *report);
/* The same for findings that are sorted and that other threads may read. */
int error_from_findings(struct gang_error **out, int code, const struct report *findings);
int error_no_memory(struct gang_error **out);
/* A misuse of the API by the calling program, not an error in a document. */
int error_misuse(struct gang_error **out, int code, const char *message);

/* Clears `*err`, and checks what all public calls check: see CALL_BEGIN(). */
static inline int
call_check(struct gang_error **err, bool is_given, const char *needed, uint32_t flags,
           uint32_t known)
{
    if (err)
        *err = NULL;
    if (!is_given)
        return error_misuse(err, GANG_ERROR_INVALID_ARGUMENT, needed);
    if (flags & ~known)
        return error_misuse(err, GANG_ERROR_UNSUPPORTED_FLAG, "flags has an unknown bit");
    return GANG_OK;
}

static inline void
call_clear(void *out, size_t size)
{
    if (out)
        memset(out, 0, size);
}

/*
 * Begins a public call: clears `*out` and `*err`, each unless it is NULL. Returns GANG_OK, or
 * reports that arguments are not given, `needed` says which, or a flag that is not among `known`.
 */
#define CALL_BEGIN(out, err, is_given, needed, flags, known)                                       \
    (call_clear((out), sizeof(*(out))), call_check((err), (is_given), (needed), (flags), (known)))

/* A limit exceeded outside of any document. */
int error_limit(struct gang_error **out, enum gang_code code, const char *message);

/* Out of memory, or GANG_ERROR_LIMIT if the handle's own memory budget is exhausted. */
int error_from_arena(struct gang_error **out, const struct arena *arena);
/* The same, and without steps left the error names the document. */
int error_from_work(struct gang_error **out, const struct arena *arena,
                    const struct report_place *subject);

#endif
