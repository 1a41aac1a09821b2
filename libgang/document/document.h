/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LIBGANG_DOCUMENT_DOCUMENT_H
#define LIBGANG_DOCUMENT_DOCUMENT_H

#include <stdint.h>

#include "libgang/base/report.h"
#include "libgang/document/messages.h"
#include "libgang/document/node.h"

/*
 * Takes the items of the list `items` of the root one by one, so that a long list needs no more
 * memory than its largest item and what the taker keeps.
 */
struct item_taker {
    /* The reader releases the item after the call. False ends the read, after a report. */
    bool (*take)(struct item_taker *taker, const struct node *item);
};

/* The input of a reader; borrowed for the call. */
struct document_request {
    struct arena *arena; /* owns the tree and a copy of every text in it */
    /*
     * NULL: the tree has every list. With a taker the limits of one document apply to each item,
     * and the text and the number of items have the limits of live objects. Nothing else may
     * allocate from `arena` during the read; the report has its own.
     */
    struct item_taker *taker;
    const struct limits *limits;
    struct report *report; /* gets every finding, with `document` set */
    enum gang_document_type document;
    bool allow_merge;   /* YAML merge keys: allowed in runtimes and TrainJobs, not in policies */
    bool allow_aliases; /* YAML anchors and aliases: not allowed in policies */
    /*
     * Of JSON, `metadata.managedFields` of the root and of the taker's items may become an empty
     * list. Only the server writes it, often longer than the object, and no decision reads it.
     */
    bool skips_managed_fields;
    /* JSON alone: without the comments of YAML behind it that YAMLOrJSONDecoder passes over */
    bool is_only_json;
    /* lines of a stream before the text; only for a second place in a message */
    uint32_t lines_before;
    /*
     * NULL: the text ends with the document. Otherwise JSON may go on with another object, and this
     * is set to the length of what was read, if it is well-formed.
     */
    size_t *read_len;
};

/*
 * Reads one document: JSON if it starts with a brace and a text in double quotes, else YAML. Behind
 * JSON may be comments of YAML, as for kubernetes/apimachinery:pkg/util/yaml/decoder.go@v0.36.2.
 * Returns the root, which is always a map. Returns NULL after it has reported the problem
 * (report_has_errors() or arena_failed() is then true). Every text and key of the tree ends in NUL.
 */
const struct node *document_read(const struct document_request *request, struct slice text);

/* The two readers that document_read() calls. The root may have any node kind. */
const struct node *json_read(const struct document_request *request, struct slice text);
const struct node *yaml_read(const struct document_request *request, struct slice text);
/* Reads JSON that a field of a job has as its text. Reports nothing; NULL if it is none. */
const struct node *json_read_quietly(struct slice text, struct arena *arena,
                                     const struct limits *limits);

/*
 * Returns the result code of a public function for a report with errors: a limit, invalid text, or
 * invalid content.
 */
int document_result(const struct report *report);

struct parse_call;
struct gang_document;

/*
 * Reads the fields of a document from `call->root`. Continues after errors to report all of them.
 */
typedef void (*document_compile)(struct gang_document *document, struct parse_call *call);

/* A kind of document that libgang reads. */
struct document_kind {
    struct slice api_version; /* unset if the compile step checks it: kinds with several */
    struct slice kind;        /* unset: any kind; the compile step checks it */
    /* Whether a document of another kind is read in the same way; NULL: none is. */
    bool (*reads)(struct slice kind);
    /* All kinds that are read so, by an index; unset behind the last. NULL: only `kind`. */
    struct slice (*name)(size_t index);
    enum gang_document_type type;
    size_t size; /* of the struct, whose first member must be a gang_document */
    document_compile compile;
    /*
     * Returns the object of the given kind that the document refers to; unset if none. The function
     * is NULL if documents of this kind refer to no object.
     */
    struct slice (*reference)(const struct gang_document *document, struct slice kind);
    /*
     * Reports what decisions report about the document alone. It is called for a document that is
     * refused, which gets no decision, so that all its errors are reported at once. NULL if there
     * is nothing more to report.
     */
    void (*judge)(const struct gang_document *document, struct report *report);
    /*
     * documents of the administrator: strict regardless of flags, without anchors, aliases and
     * merge keys
     */
    bool is_administrators;
    bool is_written; /* its tree is written again, so it must be complete */
};

/* Where the text of a document is, for people. */
struct document_origin {
    struct slice name; /* of the file; unset if there is none */
    uint32_t lines_before;
    /* characters before the text on its line, which is the first one with a value */
    uint32_t columns_before;
    uint32_t first_line; /* of the text */
};

/*
 * A document that another library holds as a tree, such as libgang-json-c: how to walk it. Numbers
 * are decimal texts, as JSON has them; texts are borrowed until the next call.
 */
struct tree_value {
    enum node_kind kind;
    struct slice text; /* of a scalar; unset for null */
    char digits[32];   /* room for the text of a number */
};

struct tree_child {
    struct slice key; /* of a member of a map */
    const void *value;
};

/* Where the walk over a container is: zeroed before its first child. */
struct tree_place {
    const void *next;
    size_t index;
};

struct document_tree {
    const void *root;
    void (*look)(const void *value, struct tree_value *out);
    /* False behind the last child. */
    bool (*next)(const void *container, struct tree_place *place, struct tree_child *child);
};

/* Like document_read(), but the root may have any kind. Values have no line. */
const struct node *tree_read(const struct document_request *request,
                             const struct document_tree *tree);

/* The text of the member `kind` of the root; unset if there is none. */
struct slice document_tree_kind(const struct document_tree *tree);

/* The arguments of gang_document_parse_named() and the kinds that it reads. */
struct parse_input {
    const struct gang_context *context;
    const char *data;
    size_t len;
    const struct document_tree *tree;     /* instead of a text; NULL: none */
    const struct document_origin *origin; /* NULL: none */
    uint32_t flags;
    const struct document_kind *kinds;
    size_t num_kinds;
};

/* The state of one parse. */
struct parse_call {
    const struct limits *limits;
    struct arena *arena;
    struct report report;
    const struct document_kind *kind; /* NULL if not known yet or not supported */
    const struct node *root;
    struct slice written; /* the kind, as the document has it; unset if it is no text */
};

/*
 * A parsed document: the first member of the struct of each kind. It is allocated in its own arena
 * and freed with it.
 */
struct gang_document {
    struct refcount references;
    struct arena *arena;
    const struct document_kind *entry;
    const struct node *root;
    struct slice kind; /* as the document has it; unset if it is no text */
    struct document_origin origin;
    /* findings that are not errors in every mode; each resolve evaluates them again */
    struct report findings;
};

/*
 * Reads the text, finds its kind in `input`, allocates a zeroed document of the size of that kind,
 * compiles it, and stores it in `*out`. Stores NULL if a finding is an error under every policy, or
 * if a document of the administrator has any error.
 */
int document_parse(const struct parse_input *input, struct gang_document **out,
                   struct gang_error **err);

/* Returns `metadata.name`; unset if absent. */
struct slice document_name(const struct gang_document *document);

/* Returns `<kind> <namespace>/<name>` for a message; absent parts are omitted. */
SELDOM const char *document_full_name(const struct gang_document *document, struct arena *arena);

static inline bool
document_is(const struct gang_document *document, enum gang_document_type type)
{
    return document && document->entry->type == type;
}

/*
 * Findings about nodes, in the words of Kubernetes: `<path>: <Type>: <value>: <detail>`
 * (k8s.io/apimachinery, pkg/util/validation/field). Path, line and column are those of the node.
 * `hint` may be NULL. `at` is the wrong value; if a value is missing, `parent` is the map without
 * it. A MESSAGE_... of doc/diagnostics.yaml stands for code, hint and message.
 */

/* "Invalid value: <value>: <detail>" */
LIKE_PRINTF(5, 6)
void find_invalid(struct report *report, const struct node *at, enum gang_code code,
                  const char *hint, const char *detail, ...);
/* "Forbidden: <detail>" */
LIKE_PRINTF(5, 6)
void find_forbidden(struct report *report, const struct node *at, enum gang_code code,
                    const char *hint, const char *detail, ...);
/* "Duplicate value: <value>" */
SELDOM void find_duplicate(struct report *report, const struct node *at, enum gang_code code,
                           const char *hint);
/* "Unsupported value: <value>: supported values: "a", "b"" */
SELDOM void find_unsupported(struct report *report, const struct node *at, enum gang_code code,
                             const char *hint, const struct slice *supported, size_t count);
/*
 * "Required value" or "Required value: <detail>". `member` is the name of the missing member of
 * `parent`; "" for `parent` itself.
 */
LIKE_PRINTF(6, 7)
void find_required(struct report *report, const struct node *parent, struct slice member,
                   enum gang_code code, const char *hint, const char *detail, ...);
/* The same without a detail, about a field that its document must have. */
void find_missing(struct report *report, const struct node *parent, struct slice member);
/* A free message about a value. */
LIKE_PRINTF(5, 6)
void find_note(struct report *report, const struct node *at, enum gang_code code, const char *hint,
               const char *message, ...);
/* A free message about a map's member, marked at its key. */
LIKE_PRINTF(5, 6)
SELDOM void find_note_at_key(struct report *report, const struct node *at, enum gang_code code,
                             const char *hint, const char *message, ...);
/*
 * A free message about an absent member, or about several members joined by dots. Marked at the
 * last member that exists.
 */
LIKE_PRINTF(6, 7)
void find_note_below(struct report *report, const struct node *parent, struct slice member,
                     enum gang_code code, const char *hint, const char *message, ...);
/* Reports that the API server sets a field of the map, unless the map has it. */
void find_default(struct report *report, const struct node *map, struct slice field,
                  const char *value);
/* A free message about a complete document, or about no document (GANG_DOCUMENT_NONE). */
LIKE_PRINTF(5, 6)
void find_in_document(struct report *report, enum gang_document_type document, enum gang_code code,
                      const char *hint, const char *message, ...);

/* The same about the document with this root, which is one of several of its type. */
LIKE_PRINTF(5, 6)
void find_in_root(struct report *report, const struct node *root, enum gang_code code,
                  const char *hint, const char *message, ...);

/* Kind, namespace and name of a document. Nothing of NULL. */
struct document_identity finding_identity(const struct node *root);

/*
 * The text of a value in a message: strings quoted and cut, numbers and booleans unquoted, other
 * values by their kind.
 */
const char *finding_value(struct quoted *out, const struct node *node);

/*
 * Returns the path in Kubernetes' form: `spec.replicatedJobs[0].name`,
 * `metadata.annotations[a.b/c]`; "" for the root.
 */
struct slice path_of(struct arena *arena, const struct node *node);

/*
 * Returns the path of an absent member. `child` is a name, "" or several names joined by dots; of a
 * map with free keys, such as `annotations`, it is one key.
 */
struct slice path_below(struct arena *arena, const struct node *parent, struct slice child);

/*
 * Splits a text with several documents at `---` and `...` lines, and between consecutive JSON
 * objects. Documents without content are skipped. The text is not parsed, and a text that is not
 * well-formed is returned as one part.
 */
struct splitter {
    const char *at;
    const char *end;
    /* the end of the text between two separator lines, while it has more JSON objects */
    const char *chunk_end;
    /* a place in the current line and its column, so that a long line is counted once */
    const char *counted;
    uint32_t column;
    uint32_t line;
};

enum split_result { SPLIT_END, SPLIT_DOCUMENT, SPLIT_BAD_SEPARATOR };

struct split_part {
    struct slice text; /* the document; for an invalid separator, its line */
    uint32_t line;     /* the first line of the text, 1-based */
    uint32_t column;
    bool is_open;
};

struct splitter splitter_start(struct slice text);
/*
 * With `leaves_open`, the end of an object that may be the last one is not searched, because its
 * reader finds it: the part is open, and more objects may follow in its text. splitter_close() must
 * then be called with the length that was read; 0 if it is not known.
 */
enum split_result splitter_next(struct splitter *splitter, struct split_part *out,
                                bool leaves_open);
void splitter_close(struct splitter *splitter, size_t read_len);

#endif
