/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file gang.h
 * @brief Gang scheduling for Kubernetes jobs: documents in, scheduler objects out.
 *
 * Parse a job and the documents that belong to it, resolve them to a decision, render the decision
 * to a plan, serialize the plan. This header has one section for each type, in that order.
 *
 * @par Errors
 * - A function that can fail returns #GANG_OK (0) or a negative `enum gang_result`.
 * - Its arguments are the context, the inputs, the flags, the result pointer `out` and the error
 *   pointer `err`, in this order.
 * - `out` must not be NULL. `*out` is set to NULL when the function fails, with three exceptions:
 *   gang_resolve(), gang_reconcile() and gang_topologybinding_compare() say when they return a
 *   result together with an error.
 * - `err` may be NULL. Otherwise `*err` is set to NULL on success and to a new error on failure.
 *   Release the error with gang_error_free().
 * - Every fallible function can return #GANG_ERROR_NO_MEMORY and #GANG_ERROR_INVALID_ARGUMENT. One
 *   with `flags` can return #GANG_ERROR_UNSUPPORTED_FLAG. The other codes are documented for each
 *   function.
 *
 * @par Arguments
 * - A NULL context selects the default limits.
 * - A pointer must not be NULL unless its documentation says so. NULL where a pointer is needed is
 *   #GANG_ERROR_INVALID_ARGUMENT.
 * - A bit of `flags` that has no meaning is refused with #GANG_ERROR_UNSUPPORTED_FLAG. A function
 *   without flags of its own accepts only 0.
 * - An enumerator is passed and returned as `int`, so that the ABI does not depend on the size of
 *   an enumeration. A number that is not an enumerator is #GANG_ERROR_INVALID_ARGUMENT.
 * - Input text is copied. A pointer to text may be NULL if its length is 0.
 *
 * @par Getters
 * Functions named `_get_`, `_num_` and `_name` cannot fail. For NULL, or for an index past the end,
 * they return NULL, 0 or the enumerator with the value 0.
 *
 * @par Ownership
 * - An object whose type has `_ref` and `_unref` is immutable and reference-counted. The function
 *   that creates it returns one reference.
 * - A builder has `_new` and `_free` and belongs to the caller.
 * - Returned text is UTF-8, ends with a NUL and is borrowed: it is valid as long as the object that
 *   it was read from.
 * - `_ref`, `_unref` and `_free` accept NULL.
 *
 * @par Serialization
 * Functions named `_serialize` write `format`, an `enum gang_format`, to a new blob. Release it
 * with gang_blob_unref(). They return #GANG_ERROR_LIMIT if the text is longer than
 * #GANG_LIMIT_OUTPUT_BYTES. The argument that is written is not changed.
 *
 * @par Thread safety
 * The library has no global or thread-local state. Any number of threads may use one object at the
 * same time through parameters that are pointers to const, and may call `_ref` and `_unref` for it.
 * While a thread changes a builder (`_add`, `_set_`) or frees an object (`_free`), no other thread
 * may use that object.
 *
 * @par Purity
 * No function reads files, the environment, the clock or the locale, writes to a stream, or ends
 * the process. The same inputs and the same library version give the same bytes.
 */
#ifndef GANG_GANG_H
#define GANG_GANG_H

#include <stddef.h>
#include <stdint.h>

#include <gang/gang-errors.h>
#include <gang/gang-names.h>
#include <gang/gang-version.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__)
#define GANG_EXPORT __attribute__((visibility("default")))
#define GANG_MUST_CHECK __attribute__((warn_unused_result))
#else
#define GANG_EXPORT
#define GANG_MUST_CHECK
#endif

/**
 * Before a function that a later function replaces: its use is a warning, with the name of the
 * other one. No function of this release has it. @since 0.1
 */
#if defined(GANG_NO_DEPRECATED)
#define GANG_DEPRECATED(use)
#elif defined(__GNUC__)
#define GANG_DEPRECATED(use) __attribute__((deprecated(use)))
#else
#define GANG_DEPRECATED(use)
#endif

/** Limits of a context. Mutable builder. @since 0.1 */
struct gang_config;
/** Limits of the calls that it is passed to. Immutable, shareable. @since 0.1 */
struct gang_context;
/** The documents of one text. Immutable, shareable. @since 0.1 */
struct gang_stream;
/** One parsed document of any kind that the library reads. Immutable, shareable. @since 0.1 */
struct gang_document;
/** The documents that a job is resolved with. Mutable builder. @since 0.1 */
struct gang_inputs;
/** The chosen backend, the gang, and the reasons. Immutable, shareable. @since 0.1 */
struct gang_decision;
/** The objects to write and the patches for the pods. Immutable, shareable. @since 0.1 */
struct gang_plan;
/** One object of a plan. Borrowed from the plan. @since 0.1 */
struct gang_object;
/** The fields to set in the pods of one role, or in the job. Borrowed from its plan. @since 0.1 */
struct gang_patch;
/** The diagnostics of a failed call. Owned by the caller, does not change. @since 0.1 */
struct gang_error;
/** One problem or note. Borrowed from its error, document, decision or plan. @since 0.1 */
struct gang_diagnostic;
/** The bytes of a serialized object. Immutable, shareable. @since 0.1 */
struct gang_blob;

/** Return value of a function that can fail. A value never changes its meaning. @since 0.1 */
enum gang_result {
    /** The call succeeded. */
    GANG_OK = 0,
    /** An allocation failed. The same call may succeed later. */
    GANG_ERROR_NO_MEMORY = -1,
    /** A pointer or number that the function does not accept. */
    GANG_ERROR_INVALID_ARGUMENT = -2,
    /** A bit of `flags` that has no meaning. */
    GANG_ERROR_UNSUPPORTED_FLAG = -3,
    /** The text is not well-formed YAML or JSON, or uses a feature that the library refuses. */
    GANG_ERROR_SYNTAX = -4,
    /** The input or the output exceeds a limit of the context. */
    GANG_ERROR_LIMIT = -5,
    /** A document has an invalid value. The error has a diagnostic for each place. */
    GANG_ERROR_INVALID = -6,
    /** The policy forbids the job. */
    GANG_ERROR_DENIED = -7
};

/** Text format. @since 0.1 */
enum gang_format {
    GANG_FORMAT_JSON = 1, /**< Compact, one document per line. */
    GANG_FORMAT_YAML = 2, /**< Block style, with `---` between documents. */
    /**
     * A picture for people: roles by stage and wave, the start order, the gang, and in red what
     * waits for itself. Only gang_decision_serialize() writes it. The bytes are the same for the
     * same decision and release; the layout may change between releases.
     */
    GANG_FORMAT_SVG = 3,
    /** One line of JSON, a row of gang_audit(). Only gang_decision_serialize() writes it. */
    GANG_FORMAT_ROW = 4,
    /**
     * What was decided and why, as lines of text for people: `gangctl explain` prints it.
     * gang_decision_serialize() writes it, and gang_plan_serialize() for #GANG_TARGET_PLAN, with
     * the objects. Characters that a reader does not see are escaped, each byte as a backslash, `x`
     * and two digits. The bytes are the same for the same input and release; words and layout may
     * change between releases. Programs read JSON.
     */
    GANG_FORMAT_TEXT = 5,
    /**
     * The same as a fragment of HTML: one `div` of the class `libgang-explanation` with a style and
     * a table. It has no script, refers to nothing, escapes all text, and takes its colours from
     * the page, light or dark.
     */
    GANG_FORMAT_HTML = 6
};

/** Flags of gang_decision_serialize() and gang_plan_serialize(). @since 0.1 */
enum gang_serialize_flags {
    GANG_SERIALIZE_NO_FLAGS = 0,
    /**
     * In #GANG_FORMAT_TEXT and #GANG_FORMAT_HTML also infos, the place of each source, attributes
     * without a value, and all rules that do not match. Other formats refuse it.
     */
    GANG_SERIALIZE_VERBOSE = 1
};

/**
 * @defgroup library Library
 * Version and abilities of the library that the program runs with. These functions need no object
 * and may be called from any thread.
 * @{
 */

/** Version of the library: major * 1000000 + minor * 1000 + patch. @since 0.1 */
GANG_EXPORT
uint32_t
gang_version(void);

/** Version of the library as text, "0.1.0". Never NULL. @since 0.1 */
GANG_EXPORT
const char *
gang_version_string(void);

/** 1 if this build reads YAML, 0 if it reads only JSON. @since 0.1 */
GANG_EXPORT
int
gang_has_yaml(void);

/**
 * Name of a backend ("volcano"), in the order of the library's table.
 * @param[in] index 0 for the first
 * @returns constant text; NULL past the end
 * @since 0.1
 */
GANG_EXPORT
const char *
gang_backend_name(size_t index);

/**
 * Writes one document that lists what this library can render: `backends[]` with `name`, `type`,
 * the member of podGroupPolicy that chooses it, `schedulerName`, `versions[]` of its objects
 * (`apiVersion`, `kubernetes`, `objects[]`, the `mark` of pods, and for Kubernetes' own gangs
 * `gates[]` and `fields[]`), what it `lacks`, and its `options` in a policy. A scheduler that
 * counts the pods of a group that have ended, so that others are no gang meanwhile, `forgets` them
 * after a time ("30s"), or with the object of that kind ("PodGroup"). The annotations `parts`, a
 * JSON list of the parts of a gang with their `minMember`, and `placeholders` tell its members and
 * the pods that hold room for them.
 * @param[in] context NULL: the default limits
 * @param[in] format `enum gang_format`
 * @param[in] flags 0
 * @param[out] out not NULL; release with gang_blob_unref()
 * @param[out] err may be NULL
 * @returns #GANG_OK or #GANG_ERROR_LIMIT
 * @since 0.1
 */
GANG_EXPORT
GANG_MUST_CHECK
int
gang_backends_serialize(const struct gang_context *context, int format, uint32_t flags,
                        struct gang_blob **out, struct gang_error **err);

/** @} */

/**
 * @defgroup context Context
 * The limits that a call obeys and the memory that it uses again. Set them in a gang_config, then
 * create a gang_context from it. A context is optional: NULL selects the default limits.
 * @{
 */

/**
 * Bounds on what one call may read, hold or write. doc/limits.md has the defaults and ceilings.
 * @since 0.1
 */
enum gang_limit {
    GANG_LIMIT_DOCUMENT_BYTES = 1,
    GANG_LIMIT_STREAM_BYTES = 2,
    GANG_LIMIT_STREAM_DOCUMENTS = 3,
    GANG_LIMIT_DEPTH = 4,
    GANG_LIMIT_NODES = 5,
    GANG_LIMIT_ANCHORS = 6,
    GANG_LIMIT_ALIASES = 7,
    GANG_LIMIT_MAP_KEYS = 8,
    GANG_LIMIT_LIST_ITEMS = 9,
    GANG_LIMIT_SCALAR_BYTES = 10,
    GANG_LIMIT_KEY_BYTES = 11,
    GANG_LIMIT_COUNT_VALUE = 12,
    GANG_LIMIT_ROLES = 13,
    GANG_LIMIT_CONTAINERS = 14,
    GANG_LIMIT_DIAGNOSTICS = 15,
    GANG_LIMIT_MEMORY_BYTES = 16,
    GANG_LIMIT_OUTPUT_BYTES = 17,
    GANG_LIMIT_LIVE_BYTES = 18,
    GANG_LIMIT_LIVE_OBJECTS = 19,
    GANG_LIMIT_LIVE_MEMORY_BYTES = 20,
    /**
     * Steps of work for one call, or for one of the live objects or of the documents of a stream.
     * A step is about 50 instructions: the default is half a second of a slow core.
     */
    GANG_LIMIT_STEPS = 21
};

/**
 * Creates a config with the default limits.
 * @returns a config to release with gang_config_free(); NULL when out of memory
 * @since 0.1
 */
GANG_EXPORT
GANG_MUST_CHECK
struct gang_config *
gang_config_new(void);

/**
 * Sets one limit.
 * @param[in] config not NULL
 * @param[in] limit `enum gang_limit`
 * @param[in] value from 1 to the ceiling of the limit
 * @returns #GANG_OK, or #GANG_ERROR_INVALID_ARGUMENT for an unknown limit or a value out of range
 * @since 0.1
 */
GANG_EXPORT
GANG_MUST_CHECK
int
gang_config_set_limit(struct gang_config *config, int limit, uint64_t value);

/**
 * Gives each context of the config a workspace: memory of released handles that its calls use again
 * instead of allocating. A program that decides one job after the other then allocates nothing for
 * documents, decisions, plans and output; inputs, streams and errors are still allocated. Results
 * and limits are the same with a workspace.
 *
 * Threads may share the context and release handles on any thread. But a context per thread saves
 * more: when two threads use the same workspace at once, one allocates. Release a context to free
 * its workspace; handles that still exist stay valid, and free their memory when they are released.
 * @param[in,out] config not NULL
 * @param[in] bytes of unused memory that a context keeps, at most; 0, the default: none. 262144 are
 * enough for most jobs.
 * @returns #GANG_OK, or #GANG_ERROR_INVALID_ARGUMENT without a config
 * @since 0.1
 */
GANG_EXPORT
GANG_MUST_CHECK
int
gang_config_set_workspace(struct gang_config *config, uint64_t bytes);

/** Releases a config. NULL is allowed. @since 0.1 */
GANG_EXPORT
void
gang_config_free(struct gang_config *config);

/**
 * Creates a context with the limits of a config, and a workspace of its own. The config may be
 * changed or released afterwards.
 * @param[in] config NULL: the default limits
 * @param[out] out not NULL; release with gang_context_unref()
 * @returns #GANG_OK, #GANG_ERROR_INVALID_ARGUMENT or #GANG_ERROR_NO_MEMORY
 * @since 0.1
 */
GANG_EXPORT
GANG_MUST_CHECK
int
gang_context_new(const struct gang_config *config, struct gang_context **out);

/** Takes a reference. @returns its argument. @since 0.1 */
GANG_EXPORT
struct gang_context *
gang_context_ref(const struct gang_context *context);

/** Drops a reference. NULL is allowed. @since 0.1 */
GANG_EXPORT
void
gang_context_unref(const struct gang_context *context);

/** @} */

/**
 * @defgroup stream Stream
 * Several documents in one text, as `kustomize build` or `kubectl get -o yaml` prints them.
 * @{
 */

/**
 * Splits a text at its `---` lines and reads kind and name of each document. JSON texts may follow
 * one another. Empty documents are skipped.
 * @param[in] context NULL: the default limits
 * @param[in] data YAML or JSON, copied; may be NULL if `len` is 0
 * @param[in] len number of bytes
 * @param[in] flags 0
 * @param[out] out not NULL; release with gang_stream_unref()
 * @param[out] err may be NULL; lists every document that is not well-formed. Lines count from the
 * start of the stream
 * @returns #GANG_OK, #GANG_ERROR_SYNTAX, #GANG_ERROR_LIMIT or #GANG_ERROR_INVALID
 * @since 0.1
 */
GANG_EXPORT
GANG_MUST_CHECK
int
gang_stream_parse(const struct gang_context *context, const char *data, size_t len, uint32_t flags,
                  struct gang_stream **out, struct gang_error **err);

/** Takes a reference. @returns its argument. @since 0.1 */
GANG_EXPORT
struct gang_stream *
gang_stream_ref(const struct gang_stream *stream);

/** Drops a reference. NULL is allowed. @since 0.1 */
GANG_EXPORT
void
gang_stream_unref(const struct gang_stream *stream);

/** Number of documents that are not empty. @since 0.1 */
GANG_EXPORT
size_t
gang_stream_num_documents(const struct gang_stream *stream);

/** The `apiVersion` of a document. NULL if it has none. @since 0.1 */
GANG_EXPORT
const char *
gang_stream_get_api_version(const struct gang_stream *stream, size_t index);

/** The `kind` of a document. NULL if it has none. @since 0.1 */
GANG_EXPORT
const char *
gang_stream_get_kind(const struct gang_stream *stream, size_t index);

/** The `metadata.name` of a document. NULL if it has none. @since 0.1 */
GANG_EXPORT
const char *
gang_stream_get_name(const struct gang_stream *stream, size_t index);

/** The `metadata.namespace` of a document. NULL if it has none. @since 0.1 */
GANG_EXPORT
const char *
gang_stream_get_namespace(const struct gang_stream *stream, size_t index);

/**
 * The text of one document, as gang_document_parse() reads it.
 * @param[in] stream NULL: there is no document
 * @param[in] index of the document
 * @param[out] len number of bytes, 0 past the end; may be NULL
 * @returns borrowed text, which need not end with a NUL; NULL past the end
 * @since 0.1
 */
GANG_EXPORT
const char *
gang_stream_get_data(const struct gang_stream *stream, size_t index, size_t *len);

/** Line of the stream on which the text of a document starts, from 1. 0 past the end. @since 0.1 */
GANG_EXPORT
uint32_t
gang_stream_get_line(const struct gang_stream *stream, size_t index);

/**
 * Writes one document in another format, for a reader that knows only one of them. The order is
 * kept. Comments are dropped, and aliases and merge keys are replaced by their values.
 * @param[in] context NULL: the default limits
 * @param[in] stream not NULL
 * @param[in] index of a document; #GANG_ERROR_INVALID_ARGUMENT past the end
 * @param[in] format `enum gang_format`
 * @param[in] flags 0
 * @param[out] out not NULL; release with gang_blob_unref()
 * @param[out] err may be NULL
 * @returns #GANG_OK or #GANG_ERROR_LIMIT
 * @since 0.1
 */
GANG_EXPORT
GANG_MUST_CHECK
int
gang_stream_serialize(const struct gang_context *context, const struct gang_stream *stream,
                      size_t index, int format, uint32_t flags, struct gang_blob **out,
                      struct gang_error **err);

/** @} */

/**
 * @defgroup document Document
 * One parsed document. Parse it once and use it for any number of calls, in any thread.
 * @{
 */

/** What a document is, and which input a diagnostic refers to. @since 0.1 */
enum gang_document_type {
    GANG_DOCUMENT_NONE = 0,         /**< Unknown, or none. */
    GANG_DOCUMENT_RUNTIME = 1,      /**< A TrainingRuntime or ClusterTrainingRuntime. */
    GANG_DOCUMENT_TRAINJOB = 2,     /**< A TrainJob. */
    GANG_DOCUMENT_POLICY = 3,       /**< A GangPolicy. */
    GANG_DOCUMENT_CLUSTER = 4,      /**< A GangCluster. */
    GANG_DOCUMENT_PODGANG = 5,      /**< A PodGang of Grove. */
    GANG_DOCUMENT_PODCLIQUESET = 6, /**< A PodCliqueSet of Grove. */
    GANG_DOCUMENT_LIVE = 7,         /**< Existing objects, of gang_document_parse_live(). */
    /** The pod passed to gang_decision_prepare_pod(). */
    GANG_DOCUMENT_POD = 8,
    GANG_DOCUMENT_TOPOLOGYBINDING = 9, /**< A ClusterTopologyBinding of Grove. */
    GANG_DOCUMENT_JOB = 10             /**< A GangJob, or a job that is read as one. */
};

/** Flags of gang_document_parse(). @since 0.1 */
enum gang_parse_flags {
    GANG_PARSE_NO_FLAGS = 0,
    /** Unknown fields are errors, not warnings. A GangPolicy or GangCluster is always strict. */
    GANG_PARSE_STRICT = 1
};

/**
 * Parses and checks one document. Its `apiVersion` and `kind` select the type:
 *
 * - `trainer.kubeflow.org/v1alpha1`: TrainJob, TrainingRuntime, ClusterTrainingRuntime
 * - `scheduler.grove.io/v1alpha1`: PodGang
 * - `grove.io/v1alpha1`: ClusterTopologyBinding; PodCliqueSet, of whose pods only schedulerName,
 *   priorityClassName and resources are read
 * - `policy.libgang.dev/v1alpha1`: GangPolicy and GangCluster, which are always strict and cannot
 *   have YAML anchors, aliases and merge keys; GangJob, which is always strict
 * - the kinds of job that doc/kinds.md lists, of the operators that people run; they are translated
 *   to a GangJob, see gang_job_serialize()
 *
 * Sources: kubeflow/trainer:pkg/apis/trainer/v1alpha1,
 * ai-dynamo/grove:scheduler/api/core/v1alpha1/podgang.go,
 * operator/api/core/v1alpha1/podcliqueset.go and clustertopologybinding.go with their admission
 * webhooks.
 * @param[in] context NULL: the default limits
 * @param[in] data YAML or JSON, copied; may be NULL if `len` is 0
 * @param[in] len number of bytes
 * @param[in] flags `enum gang_parse_flags`
 * @param[out] out not NULL; release with gang_document_unref()
 * @param[out] err may be NULL; lists every invalid place
 * @returns #GANG_OK, #GANG_ERROR_SYNTAX, #GANG_ERROR_LIMIT, or #GANG_ERROR_INVALID, also for a kind
 * that is not in the list
 * @since 0.1
 */
GANG_EXPORT
GANG_MUST_CHECK
int
gang_document_parse(const struct gang_context *context, const char *data, size_t len,
                    uint32_t flags, struct gang_document **out, struct gang_error **err);

/** Flags of gang_document_parse_live(). @since 0.1 */
enum gang_live_flags {
    GANG_LIVE_NO_FLAGS = 0,
    /**
     * Keeps what gang_diagnose() reads, too: containers, conditions and events with their texts,
     * nodes, queues and quotas. It needs about twice the memory for each pod.
     */
    GANG_LIVE_DIAGNOSE = 1
};

/**
 * Like gang_document_parse(), for a text that people know as a part of a file. #GANG_FORMAT_TEXT
 * and #GANG_FORMAT_HTML then name the file, with its lines and columns, wherever they refer to the
 * document, and list the diagnostics of one severity by file and line. Lines and columns of
 * diagnostics still count from the start of the text.
 * @param[in] context NULL: the default limits
 * @param[in] data YAML or JSON, copied; may be NULL if `len` is 0
 * @param[in] len number of bytes
 * @param[in] name of the file, copied; NULL: none, as gang_document_parse()
 * @param[in] line of the file on which the text starts, from 1; 0 if the text has one line more
 * @param[in] column at which it starts, from 1; for a document that follows others on its line
 * @param[in] flags `enum gang_parse_flags`
 * @param[out] out not NULL; release with gang_document_unref()
 * @param[out] err may be NULL; lists every invalid place
 * @returns as gang_document_parse()
 * @since 0.1
 */
GANG_EXPORT
GANG_MUST_CHECK
int
gang_document_parse_named(const struct gang_context *context, const char *data, size_t len,
                          const char *name, uint32_t line, uint32_t column, uint32_t flags,
                          struct gang_document **out, struct gang_error **err);

/**
 * Parses the existing objects of a cluster once, for any number of calls of gang_reconcile(),
 * gang_diagnose() and gang_topologybinding_compare(). The type of the document is
 * #GANG_DOCUMENT_LIVE, and its other getters return NULL.
 *
 * - The text has documents or lists, as `kubectl get -o yaml` or `-o json` prints them. YAML
 *   anchors, aliases and merge keys are refused.
 * - Only what these calls use is kept: of a pod its metadata, scheduler, node, group, phase and
 *   conditions; of the schedulers' objects, JobSets and the jobs everything except
 *   `managedFields`; of other objects their identity. #GANG_LIVE_DIAGNOSE keeps more.
 * - The memory is proportional to what is kept, 4.7 KB for a pod of 5 KB. During the call a
 *   JSON text is copied in addition. doc/limits.md has the limits, which fit 10,000 pods. The
 *   limits of one document apply to each object.
 * - Diagnostics have the path within the object, and line and column in the whole text.
 * @param[in] context NULL: the default limits
 * @param[in] data YAML or JSON; not kept; may be NULL if `len` is 0
 * @param[in] len number of bytes; 0: no object exists
 * @param[in] flags `enum gang_live_flags`
 * @param[out] out not NULL; release with gang_document_unref()
 * @param[out] err may be NULL; lists every invalid place
 * @returns #GANG_OK, #GANG_ERROR_SYNTAX, #GANG_ERROR_LIMIT, or #GANG_ERROR_INVALID for a document
 * that is not an object
 * @since 0.1
 */
GANG_EXPORT
GANG_MUST_CHECK
int
gang_document_parse_live(const struct gang_context *context, const char *data, size_t len,
                         uint32_t flags, struct gang_document **out, struct gang_error **err);

/** Takes a reference. @returns its argument. @since 0.1 */
GANG_EXPORT
struct gang_document *
gang_document_ref(const struct gang_document *document);

/** Drops a reference. NULL is allowed. @since 0.1 */
GANG_EXPORT
void
gang_document_unref(const struct gang_document *document);

/** The `enum gang_document_type`. #GANG_DOCUMENT_NONE for NULL. @since 0.1 */
GANG_EXPORT
int
gang_document_get_type(const struct gang_document *document);

/** The `apiVersion`. @since 0.1 */
GANG_EXPORT
const char *
gang_document_get_api_version(const struct gang_document *document);

/** The `kind`. @since 0.1 */
GANG_EXPORT
const char *
gang_document_get_kind(const struct gang_document *document);

/** The `metadata.namespace`. NULL if it has none. @since 0.1 */
GANG_EXPORT
const char *
gang_document_get_namespace(const struct gang_document *document);

/** The `metadata.name`. NULL if the job has `metadata.generateName` instead. @since 0.1 */
GANG_EXPORT
const char *
gang_document_get_name(const struct gang_document *document);

/** The `metadata.uid`. NULL if it has none. @since 0.1 */
GANG_EXPORT
const char *
gang_document_get_uid(const struct gang_document *document);

/**
 * Name of the object of a kind that the document refers to. It tells a caller which other documents
 * to add to the inputs.
 *
 * - TrainJob: "TrainingRuntime" or "ClusterTrainingRuntime", whichever `spec.runtimeRef` names
 * - PodGang: "PodCliqueSet", the controller in its owner references; "ClusterTopologyBinding",
 * which the annotation `grove.io/topology-name` names
 * - ClusterTopologyBinding: "Topology", the one of KAI that `schedulerTopologyBindings` names, by
 *   default that with the name of the binding
 * @param[in] document NULL: there is no reference
 * @param[in] kind of the object; NULL: there is no reference
 * @returns borrowed; NULL if it refers to no object of that kind
 * @since 0.1
 */
GANG_EXPORT
const char *
gang_document_get_reference(const struct gang_document *document, const char *kind);

/**
 * The type that gang_document_parse() gives to a document, without parsing it.
 * @param[in] api_version NULL: unknown, then the kind alone decides
 * @param[in] kind NULL: unknown
 * @returns an `enum gang_document_type`; #GANG_DOCUMENT_NONE for a document that it does not read
 * @since 0.1
 */
GANG_EXPORT
int
gang_document_type_of(const char *api_version, const char *kind);

/**
 * How many gangs gang_inputs_set_gang_index() can select: one in most cases; of a kind whose
 * replicas are independent, such as a LeaderWorkerSet, one for each replica. The time for one gang
 * does not depend on their number. Whether there is a gang is decided later: a job that
 * gang_resolve() gives none, such as a Job that is not Indexed or has an owner with a gang, counts
 * as one.
 * @param[in] document NULL: there is no gang
 * @returns 0 if the replicas or stages that have gangs are absent, and for a document that is no
 * job and no PodGang
 * @since 0.1
 */
GANG_EXPORT
uint64_t
gang_document_num_gangs(const struct gang_document *document);

/**
 * Writes the GangJob that one gang of a job is read as: its roles with their counts and requests,
 * the start order, and what the job says about its gang. The result is a document for
 * gang_document_parse() and leads to the same plan. A job without pods of its own, such as a RayJob
 * with a clusterSelector, has no GangJob: #GANG_ERROR_INVALID_ARGUMENT.
 * @param[in] context NULL: the default limits
 * @param[in] job of the type #GANG_DOCUMENT_JOB; not NULL
 * @param[in] gang_index less than gang_document_num_gangs()
 * @param[in] format `enum gang_format`
 * @param[in] flags 0
 * @param[out] out not NULL; release with gang_blob_unref()
 * @param[out] err may be NULL
 * @returns #GANG_OK, #GANG_ERROR_LIMIT or #GANG_ERROR_INVALID
 * @since 0.1
 */
GANG_EXPORT
GANG_MUST_CHECK
int
gang_job_serialize(const struct gang_context *context, const struct gang_document *job,
                   uint64_t gang_index, int format, uint32_t flags, struct gang_blob **out,
                   struct gang_error **err);

/**
 * Tells versions of a GangPolicy apart: `<name>@<hash>`. Texts that differ in format, comments, the
 * order of fields, nulls, and scalars that equal the default of the schema have the same stamp. An
 * empty list or map, or a number as a string, changes it. The hash is the upper
 * 32 bits of a 64-bit FNV-1a hash, as 8 hexadecimal digits. It is no signature: whoever may write a
 * policy can write one with the stamp of another.
 * @param[in] policy NULL: there is no stamp
 * @returns borrowed; NULL for a document of another type
 * @since 0.1
 */
GANG_EXPORT
const char *
gang_policy_get_stamp(const struct gang_document *policy);

/**
 * Number of warnings and infos of the parser. They include problems that become errors unless a
 * policy asks for compatibility. A decision contains them with the severity that its policy gives
 * them, so this function is for documents that no job uses.
 * @since 0.1
 */
GANG_EXPORT
size_t
gang_document_num_diagnostics(const struct gang_document *document);

/** A diagnostic, in the order of detection. NULL past the end. Borrowed. @since 0.1 */
GANG_EXPORT
const struct gang_diagnostic *
gang_document_get_diagnostic(const struct gang_document *document, size_t index);

/**
 * Writes the JSON Schema (draft 2020-12) of a kind of document, for editors and other checks
 * without this library. gang_document_parse() also checks combinations of fields, so it may refuse
 * a document that the schema accepts.
 * @param[in] context NULL: the default limits
 * @param[in] kind "GangPolicy", "GangCluster" or "GangJob"; #GANG_ERROR_INVALID_ARGUMENT for
 * another
 * @param[in] format `enum gang_format`
 * @param[in] flags 0
 * @param[out] out not NULL; release with gang_blob_unref()
 * @param[out] err may be NULL
 * @returns #GANG_OK or #GANG_ERROR_LIMIT
 * @since 0.1
 */
GANG_EXPORT
GANG_MUST_CHECK
int
gang_schema_serialize(const struct gang_context *context, const char *kind, int format,
                      uint32_t flags, struct gang_blob **out, struct gang_error **err);

/** @} */

/**
 * @defgroup inputs Inputs
 * The documents that a job is resolved with. Any number of threads may resolve with the same inputs
 * while none changes them.
 * @{
 */

/**
 * Creates inputs without documents.
 * @returns inputs to release with gang_inputs_free(); NULL when out of memory
 * @since 0.1
 */
GANG_EXPORT
GANG_MUST_CHECK
struct gang_inputs *
gang_inputs_new(void);

/**
 * Adds a document. The order does not matter. gang_resolve() checks whether the job can use it. The
 * same handle counts once, however often it is added.
 * @param[in] inputs not NULL
 * @param[in] document not NULL; the inputs take a reference
 * @returns #GANG_OK, #GANG_ERROR_INVALID_ARGUMENT or #GANG_ERROR_NO_MEMORY
 * @since 0.1
 */
GANG_EXPORT
GANG_MUST_CHECK
int
gang_inputs_add(struct gang_inputs *inputs, const struct gang_document *document);

/**
 * Sets the uid that the API server gave to the first object of the plan, so that the other objects
 * can name it as their owner. The PodGroups of Kubernetes' Workload API have the Workload and the
 * job as owners, and garbage collection compares uids. Backends whose objects do not own each other
 * ignore the uid. gang_reconcile() reads it from the existing objects.
 * @param[in] inputs not NULL
 * @param[in] uid `metadata.uid`, copied; NULL or "": none
 * @returns #GANG_OK, #GANG_ERROR_INVALID_ARGUMENT or #GANG_ERROR_NO_MEMORY
 * @since 0.1
 */
GANG_EXPORT
GANG_MUST_CHECK
int
gang_inputs_set_created_uid(struct gang_inputs *inputs, const char *uid);

/**
 * Sets how often the job was resumed or restarted before: 0 for its first pods, one more after
 * every resume and every restart that creates all pods again. Some schedulers remember a gang by a
 * name in its pods, and never start other pods under the same name; for them the number is a part
 * of the name. Without this call the number counts as 0, and a diagnostic says where that matters.
 * @param[in] inputs not NULL
 * @param[in] run_number greater than or equal to 0; less than 0: unknown, as before the call
 * @returns #GANG_OK or #GANG_ERROR_INVALID_ARGUMENT
 * @since 0.1
 */
GANG_EXPORT
GANG_MUST_CHECK
int
gang_inputs_set_run_number(struct gang_inputs *inputs, int64_t run_number);

/**
 * Selects one gang of a job that has several, see gang_document_num_gangs(). Without this call the
 * first one is resolved. gang_resolve() refuses a number that the job does not have.
 * @param[in] inputs not NULL
 * @param[in] gang_index from 0
 * @returns #GANG_OK or #GANG_ERROR_INVALID_ARGUMENT
 * @since 0.1
 */
GANG_EXPORT
GANG_MUST_CHECK
int
gang_inputs_set_gang_index(struct gang_inputs *inputs, uint64_t gang_index);

/** Releases inputs. NULL is allowed. @since 0.1 */
GANG_EXPORT
void
gang_inputs_free(struct gang_inputs *inputs);

/** @} */

/**
 * @defgroup decision Decision
 * Which backend schedules a job, which pods start together, and why.
 * @{
 */

/** Flags of gang_resolve(). @since 0.1 */
enum gang_resolve_flags {
    GANG_RESOLVE_NO_FLAGS = 0,
    /**
     * For PodGangs: a label `grove.io/scheduler-name` that names no enabled scheduler is a warning,
     * and the default scheduler is used. Source:
     * ai-dynamo/grove:operator/internal/controller/podgang/reconciler.go, which does the same
     * without a warning.
     */
    GANG_RESOLVE_FALL_BACK = 1
};

/** Outcome of a decision. @since 0.1 */
enum gang_outcome {
    GANG_OUTCOME_NONE = 0,    /**< There is no decision. */
    GANG_OUTCOME_GANG = 1,    /**< There is a gang. */
    GANG_OUTCOME_NO_GANG = 2, /**< The job needs no gang. The trace has the reason. */
    GANG_OUTCOME_DENIED = 3,  /**< The policy forbids the job. */
    GANG_OUTCOME_INVALID = 4  /**< An input is invalid. */
};

/**
 * Chooses the backend and the gang of a job.
 *
 * - TrainJob: its runtime is needed. doc/policy.md has the rules.
 * - PodGang: the rules are those of Grove's operator. The first of these names the scheduler: a
 * rule of the policy with `override: Always`; the label `grove.io/scheduler-name`; the templates of
 * the PodCliqueSet; another rule, the defaults or the default backend of the policy;
 *   `default-scheduler`, which has no gangs. All cliques must name the same enabled scheduler. For
 *   KAI the queue comes from the PodCliqueSet, which is then needed, or from the policy. If the
 *   inputs have the ClusterTopologyBinding that the annotation `grove.io/topology-name` names, the
 *   topology constraints refer to the topology that it has for KAI. Otherwise they refer to a
 *   topology with the name of the binding. The layout `Aggregate` for KAI renders one PodGroup for
 *   all PodGangs of a replica and needs the other PodGangs.
 * - PodCliqueSet: the same checks as at its admission. The outcome is #GANG_OUTCOME_NO_GANG,
 *   #GANG_OUTCOME_INVALID or #GANG_OUTCOME_DENIED.
 * - A job of another kind: it has all its pods itself and needs no other document. doc/kinds.md has
 *   what libgang reads of each kind, doc/policy.md the rules. If its operator or Kubernetes makes a
 *   gang for it, the outcome is #GANG_OUTCOME_NO_GANG.
 *
 * Sources: ai-dynamo/grove:operator/internal/scheduler/registry/registry.go,
 * operator/internal/webhook/admission/pcs/validation,
 * operator/internal/controller/podgang/reconciler.go.
 * @param[in] context NULL: the default limits
 * @param[in] job not NULL; a TrainJob, PodGang, PodCliqueSet, or a job of another kind
 * (#GANG_DOCUMENT_JOB): a GangJob, or a kind of an operator that libgang translates to one. Of a
 * job with several gangs, gang_inputs_set_gang_index() selects one
 * @param[in] inputs NULL: no other documents. Every job can use a GangPolicy (without it every
 * backend is enabled and there is no default backend) and a GangCluster; a TrainJob its runtime; a
 * PodGang its PodCliqueSet, the ClusterTopologyBinding and other PodGangs, of which those of other
 * replicas are ignored. A document that is missing, a second one of a kind or one not usable for
 * the job is #GANG_ERROR_INVALID without a decision, and the error names both documents. The inputs
 * are not changed
 * @param[in] flags `enum gang_resolve_flags`
 * @param[out] out not NULL; release with gang_decision_unref(). Set on success, with
 * #GANG_ERROR_DENIED, and with #GANG_ERROR_INVALID if the inputs fit the job. The decision holds
 * references on the documents
 * @param[out] err may be NULL
 * @returns #GANG_OK, #GANG_ERROR_DENIED, #GANG_ERROR_INVALID or #GANG_ERROR_LIMIT
 * @since 0.1
 */
GANG_EXPORT
GANG_MUST_CHECK
int
gang_resolve(const struct gang_context *context, const struct gang_document *job,
             const struct gang_inputs *inputs, uint32_t flags, struct gang_decision **out,
             struct gang_error **err);

/** Takes a reference. @returns its argument. @since 0.1 */
GANG_EXPORT
struct gang_decision *
gang_decision_ref(const struct gang_decision *decision);

/** Drops a reference. NULL is allowed. @since 0.1 */
GANG_EXPORT
void
gang_decision_unref(const struct gang_decision *decision);

/** The `enum gang_outcome`. #GANG_OUTCOME_NONE for NULL. @since 0.1 */
GANG_EXPORT
int
gang_decision_get_outcome(const struct gang_decision *decision);

/**
 * The chosen backend as the policy names it, by default its type in lower case ("volcano"). NULL if
 * there is no gang.
 * @since 0.1
 */
GANG_EXPORT
const char *
gang_decision_get_backend(const struct gang_decision *decision);

/**
 * Name of the scheduler of the pods. NULL if none was chosen. A PodGang may have a scheduler
 * without a gang, if Grove does not use gangs with that scheduler.
 * @since 0.1
 */
GANG_EXPORT
const char *
gang_decision_get_scheduler_name(const struct gang_decision *decision);

/** The queue of the gang. NULL if it has none or there is no gang. @since 0.1 */
GANG_EXPORT
const char *
gang_decision_get_queue(const struct gang_decision *decision);

/**
 * Why the decision has its outcome: what chose the backend ("rule research"), why there is no
 * backend, or the message of the error that refuses the job. NULL only for a NULL decision. The
 * text may change between releases. The codes of diagnostics do not change.
 * @since 0.1
 */
GANG_EXPORT
const char *
gang_decision_get_reason(const struct gang_decision *decision);

/** Number of pods that must start together. 0 if none must, or there is no gang. @since 0.1 */
GANG_EXPORT
int64_t
gang_decision_get_minimum(const struct gang_decision *decision);

/** Number of pods that are members of the gang. 0 if there is no gang. @since 0.1 */
GANG_EXPORT
int64_t
gang_decision_get_members(const struct gang_decision *decision);

/** Number of all pods of the job, members and others. 0 if there is no gang. @since 0.1 */
GANG_EXPORT
int64_t
gang_decision_get_pods(const struct gang_decision *decision);

/** Number of diagnostics of any severity. @since 0.1 */
GANG_EXPORT
size_t
gang_decision_num_diagnostics(const struct gang_decision *decision);

/** A diagnostic, ordered by document, position, code. NULL past the end. Borrowed. @since 0.1 */
GANG_EXPORT
const struct gang_diagnostic *
gang_decision_get_diagnostic(const struct gang_decision *decision, size_t index);

/**
 * Writes the decision as a GangDecision document: outcome, reason, backend, gang, roles,
 * diagnostics and the trace, with the keys of a plan (doc/plan.md). Nothing is rendered for it.
 * #GANG_FORMAT_SVG writes a picture of its roles, their start order and the gang, #GANG_FORMAT_ROW
 * its row of an audit, #GANG_FORMAT_TEXT and #GANG_FORMAT_HTML what was decided and why, for
 * people.
 * @param[in] context NULL: the default limits
 * @param[in] decision not NULL
 * @param[in] format `enum gang_format`
 * @param[in] flags `enum gang_serialize_flags`
 * @param[out] out not NULL; release with gang_blob_unref()
 * @param[out] err may be NULL
 * @returns #GANG_OK or #GANG_ERROR_LIMIT
 * @since 0.1
 */
GANG_EXPORT
GANG_MUST_CHECK
int
gang_decision_serialize(const struct gang_context *context, const struct gang_decision *decision,
                        int format, uint32_t flags, struct gang_blob **out,
                        struct gang_error **err);

/**
 * Decides many jobs in one call: each is parsed, resolved and released, and leaves a row for each
 * of its gangs. For audits of clusters, and for bindings in which a call costs more than a
 * decision.
 *
 * A row is one line of JSON with these members, in this order; absent members are left out:
 * - `apiVersion`: of the row, #GANG_API_VERSION
 * - `namespace`, `name`: of the job, as far as they can be read
 * - `gang`, `gangs`: of a job with several gangs, the number of the row's gang from 0, and how many
 *   there are
 * - `kind`: of the job
 * - `outcome`: "Gang", "NoGang", "Denied" or "Invalid"
 * - `backend`, `queue`, `minimum`, `members`: of the gang
 * - `pods`, `gpus`: of all roles, whether or not there is a gang; of one gang of several, of its
 *   members. GPUs are the resources named `<vendor>/gpu` or `gpu.<vendor>/<model>`
 * - `schedulerName`: of the pods
 * - `reason`: why the job has its outcome; of a job that is refused, its first error with the path
 * - `diagnostics`: the codes of the errors and warnings, each once
 *
 * A job that cannot be parsed, has no runtime among the inputs, has more than 10,000 gangs or
 * exceeds a limit has one row with the outcome Invalid; the other jobs are not affected.
 * @param[in] context NULL: the default limits. They apply to each job, and #GANG_LIMIT_STEPS to all
 * of its gangs together. #GANG_LIMIT_OUTPUT_BYTES applies to all rows together: pass fewer jobs at
 * a time if they exceed it
 * @param[in] jobs `count` texts in YAML or JSON, each a TrainJob, PodGang, PodCliqueSet or another
 * job; may be NULL if `count` is 0. A text may be NULL if its length is 0
 * @param[in] lengths number of bytes of each text; may be NULL if `count` is 0
 * @param[in] count number of jobs
 * @param[in] inputs NULL: no documents. Unlike those of gang_resolve(), they may have any number of
 * runtimes: each TrainJob takes the one that it refers to. The uid of
 * gang_inputs_set_created_uid() and the numbers of gang_inputs_set_run_number() and
 * gang_inputs_set_gang_index() are ignored. The inputs are not changed
 * @param[in] flags of `enum gang_parse_flags`, for the jobs
 * @param[out] out not NULL; release with gang_blob_unref(). At least one line for each job, in the
 * order of the jobs and their gangs
 * @param[out] err may be NULL
 * @returns #GANG_OK, or #GANG_ERROR_LIMIT for rows that exceed a limit together
 * @since 0.1
 */
GANG_EXPORT
GANG_MUST_CHECK
int
gang_audit(const struct gang_context *context, const char *const *jobs, const size_t *lengths,
           size_t count, const struct gang_inputs *inputs, uint32_t flags, struct gang_blob **out,
           struct gang_error **err);

/**
 * Writes a pod as Grove's operator prepares it for the scheduler of the decision before it creates
 * the pod. The library sets the scheduler's name, the marks of membership that the pod's Grove
 * labels require, which replace existing marks, and the priority class if the policy has one. All
 * other fields are kept. Source: `PreparePod` of
 * ai-dynamo/grove:operator/internal/scheduler/{kai,volcano,kube,lpx}/backend.go; for the layout
 * `Aggregate` that of pull request 735.
 *
 * Of a job of the type #GANG_DOCUMENT_JOB, the pod gets what the plan's patch for its role has. The
 * pod names the role in its label #GANG_LABEL_ROLE. An operator whose gangs share one pod template
 * calls this for each pod, with the decision of the pod's gang.
 * @param[in] context NULL: the default limits
 * @param[in] decision not NULL; not of a TrainJob, with the outcome #GANG_OUTCOME_GANG or
 * #GANG_OUTCOME_NO_GANG
 * @param[in] data one Pod in YAML or JSON; may be NULL if `len` is 0
 * @param[in] len number of bytes
 * @param[in] format `enum gang_format`
 * @param[in] flags 0
 * @param[out] out not NULL; release with gang_blob_unref()
 * @param[out] err may be NULL; lists every label of Grove that the scheduler needs and the pod does
 * not have, and refuses a pod of another PodGang
 * @returns #GANG_OK, #GANG_ERROR_SYNTAX, #GANG_ERROR_LIMIT or #GANG_ERROR_INVALID
 * @since 0.1
 */
GANG_EXPORT
GANG_MUST_CHECK
int
gang_decision_prepare_pod(const struct gang_context *context, const struct gang_decision *decision,
                          const char *data, size_t len, int format, uint32_t flags,
                          struct gang_blob **out, struct gang_error **err);

/** @} */

/**
 * @defgroup plan Plan
 * The objects to write and the patches for the pods of a job.
 * @{
 */

/** What gang_plan_serialize() writes. @since 0.1 */
enum gang_target {
    GANG_TARGET_PLAN = 1, /**< The complete GangPlan document. */
    /** The objects to write (Create, Apply, Recreate), in the order to apply. */
    GANG_TARGET_OBJECTS = 2,
    /**
     * The runtime of a TrainJob without its podGroupPolicy, so that Kubeflow Trainer creates no
     * PodGroup of its own, and with the schedulerName and priorityClassName of the patches. All
     * else is kept. Jobs with equal patches share it.
     */
    GANG_TARGET_RUNTIME = 3,
    /**
     * The TrainJob with the labels and annotations of the patches in one entry of
     * `spec.runtimePatches`, whose manager is `libgang.dev/gang`. gang_resolve() decides without
     * this entry and refuses one that differs from the result (#GANG_CODE_PATCH_OUTDATED). The
     * operator accepts it in a new TrainJob, or while the TrainJob is suspended. A TrainJob that
     * another controller manages (`spec.managedBy`), or whose pods gang_reconcile() leaves as they
     * are, does not change.
     *
     * Of a job of another kind: its document with the patches of all of its gangs in the pod
     * templates. gang_resolve() accepts these marks and refuses others (#GANG_CODE_RESERVED_MARK).
     * An error with #GANG_CODE_NOT_IN_TARGET if a role has no template, if gangs share a template,
     * or if the CRD of the kind has no place for a field.
     *
     * `metadata.managedFields` of the job can be absent. A webhook keeps those that it was sent:
     * without them, a field that the next server-side apply leaves out is not removed.
     */
    GANG_TARGET_JOB = 4
};

/**
 * Renders a decision. A decision without a gang gives a plan without objects and patches.
 * @param[in] context NULL: the default limits
 * @param[in] decision not NULL; the plan takes a reference
 * @param[in] flags 0
 * @param[out] out not NULL; release with gang_plan_unref()
 * @param[out] err may be NULL
 * @returns #GANG_OK or #GANG_ERROR_LIMIT
 * @since 0.1
 */
GANG_EXPORT
GANG_MUST_CHECK
int
gang_render(const struct gang_context *context, const struct gang_decision *decision,
            uint32_t flags, struct gang_plan **out, struct gang_error **err);

/** Takes a reference. @returns its argument. @since 0.1 */
GANG_EXPORT
struct gang_plan *
gang_plan_ref(const struct gang_plan *plan);

/** Drops a reference. NULL is allowed. @since 0.1 */
GANG_EXPORT
void
gang_plan_unref(const struct gang_plan *plan);

/** Number of objects. @since 0.1 */
GANG_EXPORT
size_t
gang_plan_num_objects(const struct gang_plan *plan);

/** An object, in the order to apply. NULL past the end. Borrowed from the plan. @since 0.1 */
GANG_EXPORT
const struct gang_object *
gang_plan_get_object(const struct gang_plan *plan, size_t index);

/**
 * Number of patches. A patch that changes nothing is omitted. A plan with an object in Conflict has
 * no patches.
 * @since 0.1
 */
GANG_EXPORT
size_t
gang_plan_num_patches(const struct gang_plan *plan);

/**
 * A patch. That of the job object comes first, then those of the roles in the order of the input.
 * NULL past the end. Borrowed from the plan.
 * @since 0.1
 */
GANG_EXPORT
const struct gang_patch *
gang_plan_get_patch(const struct gang_plan *plan, size_t index);

/** Number of diagnostics: those of the decision and those of gang_reconcile(). @since 0.1 */
GANG_EXPORT
size_t
gang_plan_num_diagnostics(const struct gang_plan *plan);

/** A diagnostic, ordered by document, position, code. NULL past the end. Borrowed. @since 0.1 */
GANG_EXPORT
const struct gang_diagnostic *
gang_plan_get_diagnostic(const struct gang_plan *plan, size_t index);

/**
 * Writes the plan, only its objects, or the input documents with its patches in them. The targets
 * `runtime` and `job` belong together: the first has what the second cannot contain. What neither
 * can contain, such as `schedulingGroup`, is an error with #GANG_CODE_NOT_IN_TARGET.
 * @param[in] context NULL: the default limits
 * @param[in] plan not NULL
 * @param[in] target `enum gang_target`
 * @param[in] format `enum gang_format`; #GANG_FORMAT_TEXT and #GANG_FORMAT_HTML explain the
 * decision as gang_decision_serialize() does, and list the objects, only for #GANG_TARGET_PLAN
 * @param[in] flags `enum gang_serialize_flags`
 * @param[out] out not NULL; release with gang_blob_unref()
 * @param[out] err may be NULL
 * @returns #GANG_OK, #GANG_ERROR_LIMIT, or #GANG_ERROR_INVALID for the targets `runtime` and `job`:
 * the plan has errors, and `err` has its diagnostics; or the documents cannot contain it
 * @since 0.1
 */
GANG_EXPORT
GANG_MUST_CHECK
int
gang_plan_serialize(const struct gang_context *context, const struct gang_plan *plan, int target,
                    int format, uint32_t flags, struct gang_blob **out, struct gang_error **err);

/** @} */

/**
 * @defgroup object Object
 * One object of a plan. It is borrowed from the plan and has no references of its own.
 * @{
 */

/** What to do with an object of a plan. gang_render() gives only Create. @since 0.1 */
enum gang_action {
    GANG_ACTION_NONE = 0,
    GANG_ACTION_CREATE = 1, /**< It does not exist: create it. */
    /**
     * It exists and differs: write (PUT) the object of the plan, which is the existing one with the
     * changes and with its resourceVersion.
     */
    GANG_ACTION_APPLY = 2,
    GANG_ACTION_LEAVE = 3, /**< It needs no change, or must not be changed now. */
    /** The change is impossible: delete it, wait until it is gone, create it. */
    GANG_ACTION_RECREATE = 4,
    /** It belongs to the job and is not needed: delete it, with its uid as the precondition. */
    GANG_ACTION_DELETE = 5,
    /**
     * It belongs to another owner or is in use: a person must decide. The other objects of the plan
     * have actions that are correct meanwhile.
     */
    GANG_ACTION_CONFLICT = 6
};

/** The `enum gang_action`. #GANG_ACTION_NONE for NULL. @since 0.1 */
GANG_EXPORT
int
gang_object_get_action(const struct gang_object *object);

/** The `apiVersion`. @since 0.1 */
GANG_EXPORT
const char *
gang_object_get_api_version(const struct gang_object *object);

/** The `kind`. @since 0.1 */
GANG_EXPORT
const char *
gang_object_get_kind(const struct gang_object *object);

/** The `metadata.namespace`. NULL if it has none. @since 0.1 */
GANG_EXPORT
const char *
gang_object_get_namespace(const struct gang_object *object);

/** The `metadata.name`. @since 0.1 */
GANG_EXPORT
const char *
gang_object_get_name(const struct gang_object *object);

/**
 * Writes the manifest of the object, which is `objects[].object` of the plan. An object to delete
 * has no `spec`.
 * @param[in] context NULL: the default limits
 * @param[in] object not NULL
 * @param[in] format `enum gang_format`
 * @param[in] flags 0
 * @param[out] out not NULL; release with gang_blob_unref()
 * @param[out] err may be NULL
 * @returns #GANG_OK or #GANG_ERROR_LIMIT
 * @since 0.1
 */
GANG_EXPORT
GANG_MUST_CHECK
int
gang_object_serialize(const struct gang_context *context, const struct gang_object *object,
                      int format, uint32_t flags, struct gang_blob **out, struct gang_error **err);

/** @} */

/**
 * @defgroup patch Patch
 * The fields to set in the pod template of one role, or in the job object. A patch is borrowed from
 * its plan and has no references of its own.
 * @{
 */

/** The sections of a patch. @since 0.1 */
enum gang_patch_section {
    GANG_PATCH_LABELS = 1,      /**< `metadata.labels` */
    GANG_PATCH_ANNOTATIONS = 2, /**< `metadata.annotations` */
    GANG_PATCH_SPEC = 3 /**< `spec` of the pod: a key is a path, "schedulingGroup.podGroupName". */
};

/** Name of the role whose pod template it changes. NULL if it changes the job. @since 0.1 */
GANG_EXPORT
const char *
gang_patch_get_role(const struct gang_patch *patch);

/** "Role", or the kind of the object that it changes ("JobSet", "PodGang"). @since 0.1 */
GANG_EXPORT
const char *
gang_patch_get_target(const struct gang_patch *patch);

/**
 * Number of fields in a section.
 * @param[in] patch NULL: 0 is returned
 * @param[in] section `enum gang_patch_section`; 0 is returned for any other number
 * @since 0.1
 */
GANG_EXPORT
size_t
gang_patch_num_fields(const struct gang_patch *patch, int section);

/**
 * The key of a field. Labels and annotations are in the order of their bytes. In the section `spec`
 * the key is a path below the `spec` of the pod, with dots between its steps: "schedulerName",
 * "schedulingGroup.podGroupName".
 * @param[in] patch NULL: NULL is returned
 * @param[in] section `enum gang_patch_section`; NULL is returned for any other number
 * @param[in] index of the field
 * @returns borrowed from the plan; NULL past the end
 * @since 0.1
 */
GANG_EXPORT
const char *
gang_patch_get_key(const struct gang_patch *patch, int section, size_t index);

/** The value of the field with the same index, a string. NULL past the end. @since 0.1 */
GANG_EXPORT
const char *
gang_patch_get_value(const struct gang_patch *patch, int section, size_t index);

/**
 * Writes the patch, which is one item of `patches[]` of the plan.
 * @param[in] context NULL: the default limits
 * @param[in] patch not NULL
 * @param[in] format `enum gang_format`
 * @param[in] flags 0
 * @param[out] out not NULL; release with gang_blob_unref()
 * @param[out] err may be NULL
 * @returns #GANG_OK or #GANG_ERROR_LIMIT
 * @since 0.1
 */
GANG_EXPORT
GANG_MUST_CHECK
int
gang_patch_serialize(const struct gang_context *context, const struct gang_patch *patch, int format,
                     uint32_t flags, struct gang_blob **out, struct gang_error **err);

/** @} */

/**
 * @defgroup reconcile Reconcile
 * A plan compared with the existing objects.
 * @{
 */

/** Flags of gang_reconcile(). @since 0.1 */
enum gang_reconcile_flags {
    GANG_RECONCILE_NO_FLAGS = 0,
    /**
     * Wakes gangs that wait for room. A scheduler that does not consider a waiting gang again when
     * room appears (coscheduling: up to five minutes) does so when the PodGroup changes. If a pod
     * of the gang exists and is not bound to a node, the action is Apply and the annotation
     * #GANG_ANNOTATION_WAKE is counted up. Each call with this flag is one write and one scheduling
     * attempt of the gang's pods, so pass it when room may have appeared, or once in an interval.
     * Without the flag the annotation is kept and is no reason for a write. Other schedulers are
     * not affected.
     */
    GANG_RECONCILE_WAKE = 1,
    /**
     * Takes over objects of the plan's names that exist without a controller: the action is Apply
     * instead of Conflict, and the owner reference of the job is added. For PodGangs whose backend
     * replaces owner references (KAI), also objects of another controller. Grove does the same;
     * source: ai-dynamo/grove:operator/internal/scheduler/{kai,volcano}/backend.go. Each such
     * object is reported as #GANG_CODE_OBJECT_ADOPTED.
     */
    GANG_RECONCILE_ADOPT = 2
};

/**
 * Compares a plan with the existing objects and gives each object its `enum gang_action`. The
 * function does not connect to a cluster. The same objects give the same plan. After the plan is
 * written, the next comparison gives Leave.
 *
 * - An object belongs to the job if its owner reference with `controller: true` has the uid of the
 *   job. An object of another owner is never changed: the action is Conflict, and the diagnostic
 *   names the owner.
 * - In a plan with a Conflict no object is changed or deleted, and there are no patches. A missing
 *   object is still created, unless it names an object in Conflict.
 * - The role templates of an existing JobSet are immutable. If its pods have another scheduler,
 *   gang, priority class or number than the plan, the job keeps the gang that it has (a warning,
 *   and no patches), or this is a Conflict if these pods cannot start.
 * - A job is suspended when its JobSet is. Without the JobSet, `spec.suspend` of the TrainJob is
 *   used, and a diagnostic says so.
 * - Objects of the job, of any backend, that are not in the plan are deleted. They stay while pods
 *   of the gang exist.
 * - Of pods it only reads whether some name a group, and with #GANG_RECONCILE_WAKE whether one of
 *   them has no node. It does not count them, so one pod of each sort is enough.
 * - Fields that the backend does not render are kept.
 * - If the API version does not allow a field to change, the object is recreated. While pods of the
 *   gang exist this is a Conflict with the API server's message.
 * - doc/backends.md describes what each backend keeps, and what happens to its objects while the
 *   job is suspended and after it has ended.
 *
 * Sources: kubernetes/api:scheduling, KEP-5547 and KEP-969 for Kubernetes' own gangs;
 * kai-scheduler/KAI-Scheduler:pkg/podgrouper/podgroup/handler.go;
 * ai-dynamo/grove:operator/internal/scheduler;
 * ray-project/kuberay:ray-operator/controllers/ray/batchscheduler/volcano.
 * @param[in] context NULL: the default limits
 * @param[in] plan of gang_render(), not NULL
 * @param[in] live the existing objects, of gang_document_parse_live(); NULL: no object exists.
 * #GANG_ERROR_INVALID_ARGUMENT for another document. The scheduler's objects in the namespace of
 * the job, the job with its uid and status, its JobSet and its pods are used. Other objects are
 * ignored, and their number does not matter
 * @param[in] flags `enum gang_reconcile_flags`
 * @param[out] out not NULL; release with gang_plan_unref(). Set on success, and with
 * #GANG_ERROR_INVALID if all errors are conflicts. The new plan holds references on the
 * decision of `plan` and on `live`, of which it shares values
 * @param[out] err may be NULL
 * @returns #GANG_OK, #GANG_ERROR_LIMIT, or #GANG_ERROR_INVALID for a Conflict and for a plan of
 * another job with the same name
 * @since 0.1
 */
GANG_EXPORT
GANG_MUST_CHECK
int
gang_reconcile(const struct gang_context *context, const struct gang_plan *plan,
               const struct gang_document *live, uint32_t flags, struct gang_plan **out,
               struct gang_error **err);

/** @} */

/**
 * @defgroup diagnose Diagnose
 * Why the gang of a job does not start.
 * @{
 */

/**
 * Says why the gang of a job does not start: the one cause that keeps it from starting, what shows
 * it, and what to do. The document has the kind `GangWhy`; doc/why.md has its fields and all
 * causes.
 *
 * - The objects decide before the texts of schedulers. The first stage that fails is the cause:
 *   ended, suspended, not admitted, pods not created, not handed to the scheduler, too few pods,
 *   queue, nodes, containers.
 * - Pods are counted as the scheduler of the gang counts them.
 * - The job may have been marked by hand, and it may be one that gang_resolve() refuses.
 * - What was not given is listed, with what it would decide. Events are kept for one hour by a
 *   cluster, so their absence proves nothing.
 * @param[in] context NULL: the default limits
 * @param[in] job as for gang_resolve(), not NULL
 * @param[in] inputs as for gang_resolve(); NULL: no documents. A TrainJob without its runtime is
 * read from its JobSet among the live objects
 * @param[in] live the existing objects, of gang_document_parse_live() with #GANG_LIVE_DIAGNOSE, not
 * NULL; #GANG_ERROR_INVALID_ARGUMENT for another document
 * @param[in] now the time of the question, as `2026-11-25T08:30:00Z`; NULL: the newest time in the
 * live objects
 * @param[in] format #GANG_FORMAT_YAML, #GANG_FORMAT_JSON, or #GANG_FORMAT_SVG: the picture of the
 * decision with what exists of each role. A job that cannot be read has none: #GANG_ERROR_INVALID
 * @param[in] flags 0
 * @param[out] out not NULL; release with gang_blob_unref()
 * @param[out] err may be NULL
 * @returns #GANG_OK, #GANG_ERROR_LIMIT or, for a picture, #GANG_ERROR_INVALID
 * @since 0.1
 */
GANG_EXPORT
GANG_MUST_CHECK
int
gang_diagnose(const struct gang_context *context, const struct gang_document *job,
              const struct gang_inputs *inputs, const struct gang_document *live, const char *now,
              int format, uint32_t flags, struct gang_blob **out, struct gang_error **err);

/** @} */

/**
 * @defgroup topologybinding ClusterTopologyBinding
 * What Grove's operator does with a ClusterTopologyBinding. Each function needs a document of that
 * kind. #GANG_ERROR_INVALID_ARGUMENT is returned for another.
 * @{
 */

/**
 * Checks the schedulers that a binding names against the backends that a policy enables, as
 * gang_resolve() does for PodGangs. gang_document_parse() does not know the policy and refuses only
 * what no Grove accepts. Source: `validateSchedulerTopologyReferences` of
 * ai-dynamo/grove:operator/internal/webhook/admission/clustertopology/validation/validation.go,
 * where Grove's configuration lists the enabled schedulers.
 * @param[in] context NULL: the default limits
 * @param[in] binding not NULL
 * @param[in] policy NULL: all backends are enabled
 * @param[in] flags 0
 * @param[out] err may be NULL
 * @returns #GANG_OK, #GANG_ERROR_INVALID or #GANG_ERROR_LIMIT
 * @since 0.1
 */
GANG_EXPORT
GANG_MUST_CHECK
int
gang_topologybinding_check(const struct gang_context *context, const struct gang_document *binding,
                           const struct gang_document *policy, uint32_t flags,
                           struct gang_error **err);

/**
 * Writes the Topology of KAI (`kai.scheduler/v1alpha1`) that Grove's operator creates for the
 * binding, with its levels in their order. If the binding has a uid, it is the owner. The blob is
 * empty if `schedulerTopologyBindings` names a Topology of another owner. Source: `SyncTopology` of
 * ai-dynamo/grove:operator/internal/scheduler/kai/topology.go.
 * @param[in] context NULL: the default limits
 * @param[in] binding not NULL
 * @param[in] format `enum gang_format`
 * @param[in] flags 0
 * @param[out] out not NULL; release with gang_blob_unref()
 * @param[out] err may be NULL
 * @returns #GANG_OK or #GANG_ERROR_LIMIT
 * @since 0.1
 */
GANG_EXPORT
GANG_MUST_CHECK
int
gang_topologybinding_serialize(const struct gang_context *context,
                               const struct gang_document *binding, int format, uint32_t flags,
                               struct gang_blob **out, struct gang_error **err);

/**
 * Compares a binding with the existing Topology of KAI. The rules of ownership are those of
 * gang_reconcile(). If the binding has no uid, the name of the owner is compared, and an object
 * without a controller counts as the binding's.
 *
 * - Create: it does not exist. Write the result of gang_topologybinding_serialize().
 * - Leave: its levels are those of the binding. Other fields are not compared.
 * - Recreate: it belongs to the binding, and it is being deleted or its levels, which cannot
 * change, differ. Delete it, wait until it is gone, write the result of
 * gang_topologybinding_serialize().
 * - Conflict: the binding is not its controller.
 *
 * If `schedulerTopologyBindings` names a Topology of another owner, nothing is written. The action
 * is Leave, or Conflict if the Topology does not exist or has other levels.
 *
 * Source: `SyncTopology` and `CheckTopologyDrift` of
 * ai-dynamo/grove:operator/internal/scheduler/kai/topology.go.
 * @param[in] context NULL: the default limits
 * @param[in] binding not NULL
 * @param[in] live the existing objects, as for gang_reconcile(); only Topologies of KAI are used.
 * NULL: no object exists
 * @param[in] flags 0
 * @param[out] out not NULL; an `enum gang_action`. Also set with #GANG_ERROR_INVALID for a
 * Conflict. #GANG_ACTION_NONE on any other failure
 * @param[out] err may be NULL
 * @returns #GANG_OK, #GANG_ERROR_LIMIT, or #GANG_ERROR_INVALID for a Conflict
 * @since 0.1
 */
GANG_EXPORT
GANG_MUST_CHECK
int
gang_topologybinding_compare(const struct gang_context *context,
                             const struct gang_document *binding, const struct gang_document *live,
                             uint32_t flags, int *out, struct gang_error **err);

/** @} */

/**
 * @defgroup error Error and diagnostics
 * Why a call failed, and what was found in a document. An error belongs to the caller. A diagnostic
 * is borrowed from its error, document, decision or plan.
 * @{
 */

/** Severity of a diagnostic. @since 0.1 */
enum gang_severity {
    GANG_SEVERITY_NONE = 0,
    GANG_SEVERITY_ERROR = 1,   /**< Nothing is rendered. */
    GANG_SEVERITY_WARNING = 2, /**< The plan is rendered, but may not be what the user wants. */
    GANG_SEVERITY_INFO = 3     /**< A note, for instance that a default applies. */
};

/** The code that the failed function returned. #GANG_OK for NULL. @since 0.1 */
GANG_EXPORT
int
gang_error_get_code(const struct gang_error *error);

/** Number of diagnostics, with warnings and infos. @since 0.1 */
GANG_EXPORT
size_t
gang_error_num_diagnostics(const struct gang_error *error);

/** A diagnostic, ordered by document, position, code. NULL past the end. Borrowed. @since 0.1 */
GANG_EXPORT
const struct gang_diagnostic *
gang_error_get_diagnostic(const struct gang_error *error, size_t index);

/**
 * Writes all diagnostics as one list, with the keys of `diagnostics` in a plan (doc/plan.md).
 * @param[in] context NULL: the default limits
 * @param[in] error not NULL
 * @param[in] format `enum gang_format`
 * @param[in] flags 0
 * @param[out] out not NULL; release with gang_blob_unref()
 * @param[out] err may be NULL; must not point to the variable that holds `error`
 * @returns #GANG_OK or #GANG_ERROR_LIMIT
 * @since 0.1
 */
GANG_EXPORT
GANG_MUST_CHECK
int
gang_error_serialize(const struct gang_context *context, const struct gang_error *error, int format,
                     uint32_t flags, struct gang_blob **out, struct gang_error **err);

/** Releases an error and its diagnostics. NULL is allowed. @since 0.1 */
GANG_EXPORT
void
gang_error_free(struct gang_error *error);

/** The number of the diagnostic, an `enum gang_code`. 0 for NULL. @since 0.1 */
GANG_EXPORT
int
gang_diagnostic_get_code(const struct gang_diagnostic *diagnostic);

/** The number as text, "GANG012". @since 0.1 */
GANG_EXPORT
const char *
gang_diagnostic_get_id(const struct gang_diagnostic *diagnostic);

/** The `enum gang_severity`. #GANG_SEVERITY_NONE for NULL. @since 0.1 */
GANG_EXPORT
int
gang_diagnostic_get_severity(const struct gang_diagnostic *diagnostic);

/** The input that it refers to, an `enum gang_document_type`. @since 0.1 */
GANG_EXPORT
int
gang_diagnostic_get_document(const struct gang_diagnostic *diagnostic);

/** The `kind` of the document that it refers to. NULL if it has none. @since 0.1 */
GANG_EXPORT
const char *
gang_diagnostic_get_kind(const struct gang_diagnostic *diagnostic);

/** The `metadata.namespace` of that document. NULL if it has none. @since 0.1 */
GANG_EXPORT
const char *
gang_diagnostic_get_namespace(const struct gang_diagnostic *diagnostic);

/** The `metadata.name` of that document. NULL if it has none. @since 0.1 */
GANG_EXPORT
const char *
gang_diagnostic_get_name(const struct gang_diagnostic *diagnostic);

/**
 * The job that a diagnostic in a policy or a cluster is about, as "namespace/name", or "name" if
 * the job has no namespace. NULL for diagnostics in other documents and for those of the parser.
 * @since 0.1
 */
GANG_EXPORT
const char *
gang_diagnostic_get_job(const struct gang_diagnostic *diagnostic);

/**
 * The path of the field, "spec.trainer.numNodes". "" if it is about no field. Of a value that an
 * alias or a merge key of YAML repeats, the path and the line are those of its anchor. @since 0.1
 */
GANG_EXPORT
const char *
gang_diagnostic_get_path(const struct gang_diagnostic *diagnostic);

/** Line in the document, from 1. 0 if unknown. @since 0.1 */
GANG_EXPORT
uint32_t
gang_diagnostic_get_line(const struct gang_diagnostic *diagnostic);

/** Column in characters, from 1. 0 if unknown. @since 0.1 */
GANG_EXPORT
uint32_t
gang_diagnostic_get_column(const struct gang_diagnostic *diagnostic);

/** The problem, in Kubernetes' wording, without the path. May change in a release. @since 0.1 */
GANG_EXPORT
const char *
gang_diagnostic_get_message(const struct gang_diagnostic *diagnostic);

/** What to write instead. NULL if there is no hint. @since 0.1 */
GANG_EXPORT
const char *
gang_diagnostic_get_hint(const struct gang_diagnostic *diagnostic);

/** @} */

/**
 * @defgroup blob Blob
 * The bytes of a serialized object.
 * @{
 */

/** Takes a reference. @returns its argument. @since 0.1 */
GANG_EXPORT
struct gang_blob *
gang_blob_ref(const struct gang_blob *blob);

/** Drops a reference. NULL is allowed. @since 0.1 */
GANG_EXPORT
void
gang_blob_unref(const struct gang_blob *blob);

/**
 * The bytes, followed by a NUL.
 * @param[in] blob NULL: there are no bytes
 * @param[out] len number of bytes without the NUL; may be NULL
 * @returns borrowed; NULL for NULL
 * @since 0.1
 */
GANG_EXPORT
const char *
gang_blob_get_data(const struct gang_blob *blob, size_t *len);

/** @} */

/**
 * @defgroup names Names of enumerators
 * The name of an enumerator, for logs and messages. The text is constant and is never released.
 * NULL for a number that is not an enumerator, and for the `NONE` of an enumeration. These
 * functions may be called from any thread.
 * @{
 */

/** Name of an `enum gang_result`: "OK", "NoMemory", "InvalidArgument". @since 0.1 */
GANG_EXPORT
const char *
gang_result_name(int result);

/** Name of an `enum gang_severity`: "error", "warning", "info". @since 0.1 */
GANG_EXPORT
const char *
gang_severity_name(int severity);

/** Name of an `enum gang_document_type` in a plan: "runtime", "trainjob". @since 0.1 */
GANG_EXPORT
const char *
gang_document_type_name(int type);

/** Name of an `enum gang_limit` in messages: "document bytes", "nesting depth". @since 0.1 */
GANG_EXPORT
const char *
gang_limit_name(int limit);

/** Name of an `enum gang_outcome`: "Gang", "NoGang", "Denied", "Invalid". @since 0.1 */
GANG_EXPORT
const char *
gang_outcome_name(int outcome);

/** Name of an `enum gang_action`: "Create", "Apply". @since 0.1 */
GANG_EXPORT
const char *
gang_action_name(int action);

/** Name of an `enum gang_target`: "plan", "objects", "runtime", "job". @since 0.1 */
GANG_EXPORT
const char *
gang_target_name(int target);

/** Name of an `enum gang_format`: "json", "yaml", "svg", "row", "text", "html". @since 0.1 */
GANG_EXPORT
const char *
gang_format_name(int format);

/** Name of an `enum gang_patch_section`: "labels", "annotations", "spec". @since 0.1 */
GANG_EXPORT
const char *
gang_patch_section_name(int section);

/** The reason of an `enum gang_code`, "StructuralDeadlock". It never changes. @since 0.1 */
GANG_EXPORT
const char *
gang_code_name(int code);

/** @} */

#ifdef __cplusplus
}
#endif

#endif
