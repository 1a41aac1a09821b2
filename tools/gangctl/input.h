/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GANGCTL_INPUT_H
#define GANGCTL_INPUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "complain.h"

/* The bytes of one file, or of standard input. */
struct source {
    char *name; /* as findings print it; printable */
    char *data;
    size_t len;
    const char *added_end; /* of the last line, which has none in the file; NULL if it has */
};

/* Look into subdirectories; read links that lead to files outside of the directory. */
enum walk_flag { WALK_RECURSIVE = 1, WALK_FOLLOW = 2 };

/* Called for each file, in the order to read them; "-" is standard input. False ends the walk. */
typedef bool (*visit_file)(void *context, const char *name);

/*
 * Visits a file, every manifest of a directory, or standard input. Returns false after reporting on
 * stderr what cannot be read, or if a visit returned false.
 */
bool input_walk(const char *name, unsigned flags, visit_file visit, void *context);

/*
 * Opens a file to read it more than once. What can be read only once, such as standard input, is
 * copied to a temporary file: then `*is_copy` is true. Returns NULL after reporting an error.
 */
FILE *input_open(const char *name, bool *is_copy);
/* The name as findings print it. */
char *input_title(const char *name);

/* In the order in which they are read. */
struct source_list {
    struct source **items;
    size_t count;
};

/* As input_walk(). Returns false after reporting on stderr what cannot be read. */
bool source_list_read(struct source_list *list, const char *name, unsigned flags);

/*
 * Splits a file of any size into documents, and lists of kubectl into their items, with the memory
 * of one document. It reads only the text: the library decides whether a document is well-formed.
 */

enum { WINDOW_BYTES = 1 << 17, KIND_BYTES = 64 };

/* One document, and its place in the file. */
struct chunk {
    struct text text;
    uint32_t lines_before; /* wraps around if the text has one more line than the file */
    uint32_t line;         /* of its first character, from 1 */
    uint32_t column;       /* 1 for a text in block style, in which every character keeps its own */
    /* as far as it can be seen without a parser; "" otherwise */
    char kind[KIND_BYTES];
};

enum list_style { NO_LIST, EMPTY_LIST, FLOW_LIST, BLOCK_LIST };

/* The reader of a file, or of a text. */
struct feed {
    FILE *file;   /* borrowed; NULL: the window is the text */
    char *buffer; /* of a file: the window, which moves */
    int problem;  /* errno of reading the file, or 0 */
    const char *window;
    size_t at; /* in the window; the same for the next two */
    size_t end;
    size_t from;          /* what the chunk does not have yet */
    struct chunk *chunk;  /* that gets what is read; NULL: none does */
    uint32_t line;        /* lines before `at` */
    size_t column;        /* characters before `at` on its line */
    enum list_style list; /* whose items are read */
    size_t indent;        /* of the dashes of a list in block style */
    bool is_one_list;     /* the text is a list, whatever its items are */
    bool is_yaml;         /* and each of them is YAML */
    /* Of a list, as far as it is known before its items; NULL otherwise. */
    const char *list_kind;
    const char *list_version;
};

/*
 * Finds the items of a `kind: List`, which must be well-formed, with their places in it. Returns
 * false if there is no list under `items`: it is absent, or an anchor, tag or alias.
 */
bool list_start(struct feed *feed, const char *data, size_t len);
/* Returns false behind the last item. */
bool list_next(struct feed *feed, struct chunk *item);

/* One document of the input. Strings are borrowed from its stream. */
struct document {
    struct origin origin;
    const char *api_version; /* NULL if absent */
    const char *kind;
    const char *name;
    const char *namespace_;
    const char *data;
    size_t len;
    enum gang_document_type role; /* how gangctl uses it, or NONE; set by the workbench */
    const char *list;             /* of a pod in a group: the text of its PodList */
    /* in the text that it was read from, of an item the whole list; NULL if made of others */
    const char *place;
    size_t place_len;
    bool is_beside;                /* no separator parts it from the document before it */
    bool is_nested;                /* an item of a list that is an item itself */
    size_t item;                   /* of a list, from 1; 0 for a document by itself */
    struct gang_document **parsed; /* of a shared file: where it is once it is parsed; or NULL */
};

/*
 * Documents in the order of the input; the items of a list replace the list. Owns
 * copied strings; the step in which they were added owns what they borrow.
 */
struct documents {
    struct document *items;
    size_t count;
    char **texts;
    size_t num_texts;
    struct document resource_list; /* of a KRM function, among whose items they are; or empty */
};

/* Whether objects of the kind are lists of others; kinds of any group, or NULL. */
bool is_list_kind(const char *kind);
/*
 * Adds kind and apiVersion to an item without them, as kubectl does: the API server leaves them out
 * of the items of a list of its own kinds, such as a JobList. Returns the kind, of the step; NULL
 * if nothing was added.
 */
const char *item_inherit(struct text *item, const char *list_kind, const char *list_version);
/* Splits a text into a stream of the step; NULL after adding to the complaints why it is none. */
struct gang_stream *parse_stream(const char *data, size_t len, const struct origin *origin,
                                 const struct gang_context *context, struct complaints *complaints);
/* Adds the documents of a text; those that are not well-formed to the complaints. */
void documents_add_text(struct documents *documents, const struct origin *origin, const char *data,
                        size_t len, const struct gang_context *context,
                        struct complaints *complaints);
/* Keeps memory as long as the documents. Returns it. */
char *documents_keep(struct documents *documents, char *memory);
/* Whether the library reads it as JSON: it starts with a brace and a double quote. */
bool document_is_json(const struct document *document);
/* Returns the generateName of a document without a name; NULL if it has none. */
const char *document_prefix(const struct document *document);
/* Returns the name, or `<generateName>*`; NULL if it has neither. */
const char *document_title(const struct document *document);
void documents_free(struct documents *documents);

/* A line and a column in the text of a document, from 1. */
struct place {
    uint32_t line;
    uint32_t column;
};

/* One part of a label selector, as kubectl writes them: "a=b", "a!=b", "a in (b,c)", "a", "!a". */
struct requirement {
    char *key;
    char **values; /* none: the key exists, or with `is_not` it does not */
    size_t num_values;
    bool is_not;
};

/* The jobs that --job, -n and -l name. Empty: all jobs. */
struct selection {
    const char *job; /* "name" or "namespace/name"; NULL: any */
    const char *namespace_;
    struct requirement *requirements;
    size_t num_requirements;
};

/* Returns false if the text is no label selector. */
bool selection_add_labels(struct selection *selection, const char *text);
/* Whether the selection has the job. Its labels are read only if they are needed. */
bool selection_has(const struct selection *selection, const struct document *job);

/* The chunk is only borrowed. */
typedef void (*take_chunk)(void *context, const struct chunk *chunk, const struct origin *origin);

/* Take each document. Return 0, or the errno of a file that cannot be read to its end. */
int feed_file(FILE *file, const char *title, take_chunk take, void *context);
void feed_source(const struct source *source, take_chunk take, void *context);

/* Whether it is a Pod whose text has the key of a label or annotation for its group. */
bool may_be_in_group(const struct document *document);

/*
 * Adds a PodList for each group of pods, which then is a job like others, and is the `list` of the
 * pods. Pods of Grove, and pods whose controller is a job that libgang reads, are left alone.
 */
void add_pod_groups(struct documents *documents);

#endif
