/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file gang.h
 * @brief Gang scheduling for Kubernetes jobs: documents in, scheduler objects out.
 *
 * Parse a job and the documents that belong to it, resolve them to a decision, render the decision
 * to a plan, serialise the plan.
 *
 * @par Conventions
 * - Functions that can fail return #GANG_OK (0) or a negative `enum gang_result`. They take the
 * context, the inputs, the flags, then the result pointer, then the error pointer. The result
 * pointer must not be NULL; the error pointer may be.
 * - On failure the result is NULL, with three exceptions: gang_resolve() answers `Denied` and
 * `Invalid` with a decision *and* an error, gang_reconcile() a `Conflict` with a plan and an error,
 *   gang_topologybinding_compare() a `Conflict` with the action and an error.
 * - A NULL context means the default limits. Bits of `flags` without a meaning are refused.
 * - Functions named `_get_`, `_num_` and `_name` never fail. On NULL, or past the end, they return
 * NULL, 0 or the first enumerator.
 * - Returned text is UTF-8, NUL-terminated and borrowed: it lives as long as the object it was
 * asked from.
 * - Objects are opaque, immutable and reference-counted: `_ref` and `_unref` may be called on NULL.
 *
 * @par Thread safety
 * There is no global or thread-local state. Parsed documents, contexts, decisions, plans and blobs
 * may be used from any number of threads at once, `_ref` and `_unref` included. A gang_config,
 * gang_inputs, a gang_error: one thread at a time.
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

/** Limits of a context. Mutable builder. @since 0.1 */
struct gang_config;
/** Limits that later calls obey. Immutable, shareable. @since 0.1 */
struct gang_context;
/** The documents of one text, split and named. Immutable, shareable. @since 0.1 */
struct gang_stream;
/** One parsed document of any kind that is read. Immutable, shareable. @since 0.1 */
struct gang_document;
/** The documents that a decision is made with. Mutable builder. @since 0.1 */
struct gang_inputs;
/** What was chosen and why. Immutable, shareable. @since 0.1 */
struct gang_decision;
/** The objects to apply and the patches for the pods. Immutable, shareable. @since 0.1 */
struct gang_plan;
/** One object of a plan. Borrowed from the plan. @since 0.1 */
struct gang_object;
/** What to merge into the pods of one role, or into the job object. Borrowed from its plan. @since
 * 0.1 */
struct gang_patch;
/** One finding. Borrowed from its owner. @since 0.1 */
struct gang_diagnostic;
/** Every finding of a failed call. Owned by the caller, one thread at a time. @since 0.1 */
struct gang_error;
/** Bytes of a serialised object. Immutable, shareable. @since 0.1 */
struct gang_blob;

/** What a fallible function returns. Values keep their meaning for ever. @since 0.1 */
enum gang_result {
    GANG_OK = 0,                      /**< Done. */
    GANG_ERROR_NO_MEMORY = -1,        /**< An allocation failed; the same call may succeed later. */
    GANG_ERROR_INVALID_ARGUMENT = -2, /**< A pointer or number that the function does not take. */
    GANG_ERROR_UNSUPPORTED_FLAG = -3, /**< An unknown bit in `flags`. */
    GANG_ERROR_SYNTAX =
        -4, /**< The text is not well-formed YAML or JSON, or not what we read of them. */
    GANG_ERROR_LIMIT = -5,   /**< A limit of the context was passed. */
    GANG_ERROR_INVALID = -6, /**< A document says something wrong; the error lists every place. */
    GANG_ERROR_DENIED = -7   /**< The policy forbids it. */
};

/** How grave a diagnostic is. @since 0.1 */
enum gang_severity {
    GANG_SEVERITY_NONE = 0,
    GANG_SEVERITY_ERROR = 1,   /**< No objects are rendered. */
    GANG_SEVERITY_WARNING = 2, /**< Rendered, but probably not what was meant. */
    GANG_SEVERITY_INFO = 3     /**< A default applied, a trap near by. */
};

/** What a document is, and which input a diagnostic points into. @since 0.1 */
enum gang_document_type {
    GANG_DOCUMENT_NONE = 0,         /**< Not known, or none. */
    GANG_DOCUMENT_RUNTIME = 1,      /**< A TrainingRuntime or ClusterTrainingRuntime. */
    GANG_DOCUMENT_TRAINJOB = 2,     /**< A TrainJob. */
    GANG_DOCUMENT_POLICY = 3,       /**< A GangPolicy. */
    GANG_DOCUMENT_CLUSTER = 4,      /**< A GangCluster. */
    GANG_DOCUMENT_PODGANG = 5,      /**< A PodGang of Grove. */
    GANG_DOCUMENT_PODCLIQUESET = 6, /**< A PodCliqueSet of Grove. */
    /** The objects that exist, as they were passed to gang_reconcile() or
       gang_topologybinding_compare(). */
    GANG_DOCUMENT_LIVE = 7,
    /** A pod, as it was passed to gang_decision_prepare_pod(). */
    GANG_DOCUMENT_POD = 8,
    GANG_DOCUMENT_TOPOLOGYBINDING = 9 /**< A ClusterTopologyBinding of Grove. */
};

/** Bounds on what one call may read, hold or write. Defaults and ceilings: doc/limits.md. @since
 * 0.1 */
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
    GANG_LIMIT_OUTPUT_BYTES = 17
};

/** Flags of gang_document_parse(). @since 0.1 */
enum gang_parse_flags {
    GANG_PARSE_NO_FLAGS = 0,
    /** Unknown fields are errors instead of warnings. GangPolicy and GangCluster are always read
       so. */
    GANG_PARSE_STRICT = 1
};

/** Flags of gang_resolve(). @since 0.1 */
enum gang_resolve_flags {
    GANG_RESOLVE_NO_FLAGS = 0,
    /**
     * Of PodGangs: a label `grove.io/scheduler-name` that names no enabled scheduler is a warning,
     * and the default scheduler stands in. Source:
     * ai-dynamo/grove:operator/internal/controller/podgang/reconciler.go, which falls back in
     * silence.
     */
    GANG_RESOLVE_FALL_BACK = 1
};

/** What a decision came to. @since 0.1 */
enum gang_outcome {
    GANG_OUTCOME_NONE = 0,
    GANG_OUTCOME_GANG = 1,    /**< There is a gang. */
    GANG_OUTCOME_NO_GANG = 2, /**< None is wanted; the trace says why. */
    GANG_OUTCOME_DENIED = 3,  /**< The policy forbids it. */
    GANG_OUTCOME_INVALID = 4  /**< An input is wrong. */
};

/** What is to be done with an object of a plan. gang_render() knows only the first. @since 0.1 */
enum gang_action {
    GANG_ACTION_NONE = 0,
    GANG_ACTION_CREATE = 1, /**< It does not exist. */
    /**
     * It exists and differs: write (PUT) the object of the plan, which is the live one brought up
     * to date, with its resourceVersion.
     */
    GANG_ACTION_APPLY = 2,
    GANG_ACTION_LEAVE = 3, /**< It exists and is as it should be, or must not be changed now. */
    /** It cannot be changed into what it should be: delete it, wait until it is gone, create it. */
    GANG_ACTION_RECREATE = 4,
    /** It is the job's and no longer wanted: delete it, on the condition of its uid. */
    GANG_ACTION_DELETE = 5,
    /** Somebody else's, or in use: nothing of the plan must be written until a person has decided.
     */
    GANG_ACTION_CONFLICT = 6
};

/** What gang_plan_serialize() writes. @since 0.1 */
enum gang_target {
    GANG_TARGET_PLAN = 1, /**< The whole GangPlan document. */
    /** The Kubernetes objects to write (Create, Apply, Recreate), in the order to apply. */
    GANG_TARGET_OBJECTS = 2
};

/** Text format. @since 0.1 */
enum gang_format {
    GANG_FORMAT_JSON = 1, /**< Compact, one document per line. */
    GANG_FORMAT_YAML = 2  /**< Block style, documents parted by `---`. */
};

/** The parts of a patch. @since 0.1 */
enum gang_patch_section {
    GANG_PATCH_LABELS = 1,      /**< `metadata.labels` */
    GANG_PATCH_ANNOTATIONS = 2, /**< `metadata.annotations` */
    GANG_PATCH_SPEC = 3 /**< The pod's `spec`: a key is a path, "schedulingGroup.podGroupName". */
};

/**
 * @defgroup names Names
 * The name of each enumerator, for logs and messages. Constant text that is never freed; NULL for a
 * number without a name, and for the `NONE` of an enumeration. May be called from any thread.
 * @{
 */

/** "OK", "NoMemory", "InvalidArgument", ...: of an `enum gang_result`. @since 0.1 */
GANG_EXPORT const char *gang_result_name(int result);
/** "error", "warning", "info": of an `enum gang_severity`. @since 0.1 */
GANG_EXPORT const char *gang_severity_name(int severity);
/** "runtime", "trainjob", ...: of an `enum gang_document_type`, as the plan names it. @since 0.1 */
GANG_EXPORT const char *gang_document_type_name(int type);
/** "document bytes", "nesting depth", ...: of an `enum gang_limit`, as messages name it. @since 0.1
 */
GANG_EXPORT const char *gang_limit_name(int limit);
/** "Gang", "NoGang", "Denied", "Invalid": of an `enum gang_outcome`. @since 0.1 */
GANG_EXPORT const char *gang_outcome_name(int outcome);
/** "Create", "Apply", ...: of an `enum gang_action`. @since 0.1 */
GANG_EXPORT const char *gang_action_name(int action);
/** "plan", "objects": of an `enum gang_target`. @since 0.1 */
GANG_EXPORT const char *gang_target_name(int target);
/** "json", "yaml": of an `enum gang_format`. @since 0.1 */
GANG_EXPORT const char *gang_format_name(int format);
/** "labels", "annotations", "spec": of an `enum gang_patch_section`. @since 0.1 */
GANG_EXPORT const char *gang_patch_section_name(int section);
/** "StructuralDeadlock": the reason of an `enum gang_code`, which never changes. @since 0.1 */
GANG_EXPORT const char *gang_code_name(int code);
/** @} */

/**
 * @defgroup library Library
 * @{
 */

/** The running library's version, major * 1000000 + minor * 1000 + patch. @since 0.1 */
GANG_EXPORT uint32_t gang_version(void);
/** The running library's version as text, "0.1.0". Never NULL. @since 0.1 */
GANG_EXPORT const char *gang_version_string(void);
/** 1 when this build reads YAML, 0 when it reads JSON only. @since 0.1 */
GANG_EXPORT int gang_has_yaml(void);
/**
 * Name of a backend ("volcano"), in the order of the library's table.
 * @param[in] index 0 for the first
 * @returns a constant, NULL past the end
 * @since 0.1
 */
GANG_EXPORT const char *gang_backend_name(size_t index);
/** @} */

/**
 * @defgroup context Context
 * @{
 */

/** A config with the default limits; NULL when out of memory. Release with gang_config_free().
 * @since 0.1 */
GANG_EXPORT GANG_MUST_CHECK struct gang_config *gang_config_new(void);
/**
 * Sets one limit.
 * @param[in] config not NULL
 * @param[in] limit `enum gang_limit`
 * @param[in] value 1 up to the limit's ceiling
 * @returns #GANG_OK, or #GANG_ERROR_INVALID_ARGUMENT for an unknown limit or a value out of range
 * @since 0.1
 */
GANG_EXPORT GANG_MUST_CHECK int gang_config_set_limit(struct gang_config *config, int limit,
                                                      uint64_t value);
/** Releases a config; NULL is allowed. @since 0.1 */
GANG_EXPORT void gang_config_free(struct gang_config *config);

/**
 * Freezes a config into a context. The config may be changed or freed afterwards.
 * @param[in] config NULL means the default limits
 * @param[out] out release with gang_context_unref()
 * @since 0.1
 */
GANG_EXPORT GANG_MUST_CHECK int gang_context_new(const struct gang_config *config,
                                                 struct gang_context **out);
/** Takes a reference. @since 0.1 */
GANG_EXPORT struct gang_context *gang_context_ref(struct gang_context *context);
/** Drops a reference. @since 0.1 */
GANG_EXPORT void gang_context_unref(struct gang_context *context);
/** @} */

/**
 * @defgroup stream Stream
 * What `kustomize build` or `kubectl get -o yaml` prints: several documents in one text.
 * @{
 */

/**
 * Splits a text at its `---` lines and reads kind and name of each document. JSON texts may follow
 * one another. Empty documents are skipped. The bytes are copied.
 * @param[in] data may be NULL when `len` is 0
 * @param[in] flags 0
 * @param[out] out release with gang_stream_unref()
 * @param[out] err every document that is not well-formed; positions count from the start of the
 * stream
 * @since 0.1
 */
GANG_EXPORT GANG_MUST_CHECK int gang_stream_parse(const struct gang_context *context,
                                                  const char *data, size_t len, uint32_t flags,
                                                  struct gang_stream **out,
                                                  struct gang_error **err);
/** Takes a reference. @since 0.1 */
GANG_EXPORT struct gang_stream *gang_stream_ref(struct gang_stream *stream);
/** Drops a reference. @since 0.1 */
GANG_EXPORT void gang_stream_unref(struct gang_stream *stream);
/** Number of documents that are not empty. @since 0.1 */
GANG_EXPORT size_t gang_stream_num_documents(const struct gang_stream *stream);
/** The `apiVersion` of a document; NULL when it has none. @since 0.1 */
GANG_EXPORT const char *gang_stream_get_api_version(const struct gang_stream *stream, size_t index);
/** The `kind` of a document; NULL when it has none. @since 0.1 */
GANG_EXPORT const char *gang_stream_get_kind(const struct gang_stream *stream, size_t index);
/** The `metadata.name` of a document; NULL when it has none. @since 0.1 */
GANG_EXPORT const char *gang_stream_get_name(const struct gang_stream *stream, size_t index);
/** The `metadata.namespace` of a document; NULL when it has none. @since 0.1 */
GANG_EXPORT const char *gang_stream_get_namespace(const struct gang_stream *stream, size_t index);
/** The document's own text, ready for gang_document_parse(). `len` may be NULL. @since 0.1 */
GANG_EXPORT const char *gang_stream_get_data(const struct gang_stream *stream, size_t index,
                                             size_t *len);
/** Line of the stream on which the document's text starts, 1-based. @since 0.1 */
GANG_EXPORT uint32_t gang_stream_get_line(const struct gang_stream *stream, size_t index);
/**
 * Writes a document anew, for a reader that knows only one of the formats: comments and places are
 * gone, aliases and merge keys are replaced by what they stand for, everything else is kept in its
 * order.
 * @param[in] index of a document of the stream
 * @param[in] format `enum gang_format`
 * @param[in] flags 0
 * @param[out] out release with gang_blob_unref()
 * @since 0.1
 */
GANG_EXPORT GANG_MUST_CHECK int gang_stream_serialize(const struct gang_context *context,
                                                      const struct gang_stream *stream,
                                                      size_t index, int format, uint32_t flags,
                                                      struct gang_blob **out,
                                                      struct gang_error **err);
/** @} */

/**
 * @defgroup document Document
 * @{
 */

/**
 * Parses and compiles one document, for any number of later calls. Its `apiVersion` and `kind` say
 * what it is:
 *
 * - `trainer.kubeflow.org/v1alpha1`: TrainJob, TrainingRuntime, ClusterTrainingRuntime
 * - `scheduler.grove.io/v1alpha1`: PodGang
 * - `grove.io/v1alpha1`: PodCliqueSet, of whose pods only schedulerName, priorityClassName and
 * resources are read; ClusterTopologyBinding
 * - `policy.libgang.dev/v1alpha1`: GangPolicy and GangCluster, which are always read strictly, and
 * in YAML without anchors, aliases and merge keys
 *
 * Sources: kubeflow/trainer:pkg/apis/trainer/v1alpha1,
 * ai-dynamo/grove:scheduler/api/core/v1alpha1/podgang.go,
 * operator/api/core/v1alpha1/podcliqueset.go and clustertopologybinding.go with their admission
 * webhooks.
 * @param[in] context NULL: the default limits
 * @param[in] data YAML or JSON, copied; may be NULL when `len` is 0
 * @param[in] flags `enum gang_parse_flags`
 * @param[out] out not NULL; release with gang_document_unref()
 * @param[out] err every place that is wrong
 * @returns #GANG_OK, #GANG_ERROR_SYNTAX, #GANG_ERROR_LIMIT, #GANG_ERROR_INVALID (of another kind,
 * too), #GANG_ERROR_NO_MEMORY, #GANG_ERROR_INVALID_ARGUMENT or #GANG_ERROR_UNSUPPORTED_FLAG
 * @since 0.1
 */
GANG_EXPORT GANG_MUST_CHECK int gang_document_parse(const struct gang_context *context,
                                                    const char *data, size_t len, uint32_t flags,
                                                    struct gang_document **out,
                                                    struct gang_error **err);
/** Takes a reference. @returns its argument. @since 0.1 */
GANG_EXPORT struct gang_document *gang_document_ref(struct gang_document *document);
/** Drops a reference; NULL is allowed. @since 0.1 */
GANG_EXPORT void gang_document_unref(struct gang_document *document);
/** The `enum gang_document_type`; 0 for NULL. @since 0.1 */
GANG_EXPORT int gang_document_get_type(const struct gang_document *document);
/** The `apiVersion`. @since 0.1 */
GANG_EXPORT const char *gang_document_get_api_version(const struct gang_document *document);
/** The `kind`. @since 0.1 */
GANG_EXPORT const char *gang_document_get_kind(const struct gang_document *document);
/** The `metadata.namespace`; NULL when it has none. @since 0.1 */
GANG_EXPORT const char *gang_document_get_namespace(const struct gang_document *document);
/** The `metadata.name`. @since 0.1 */
GANG_EXPORT const char *gang_document_get_name(const struct gang_document *document);
/** The `metadata.uid`; NULL when it has none. @since 0.1 */
GANG_EXPORT const char *gang_document_get_uid(const struct gang_document *document);
/**
 * Name of the object of a kind that the document refers to, so that a caller knows which other
 * documents to pass with it.
 *
 * - a TrainJob: "TrainingRuntime" or "ClusterTrainingRuntime", whichever its `spec.runtimeRef`
 * names
 * - a PodGang: "PodCliqueSet", which controls it by its owner references; "ClusterTopologyBinding",
 * which its annotation `grove.io/topology-name` names
 * - a ClusterTopologyBinding: "Topology", that of KAI which its `schedulerTopologyBindings` names,
 * else its own name
 * @param[in] kind of the object
 * @returns borrowed; NULL where it refers to none, or `kind` is NULL
 * @since 0.1
 */
GANG_EXPORT const char *gang_document_get_reference(const struct gang_document *document,
                                                    const char *kind);
/**
 * Which policy a GangPolicy is: `<name>@<hash>`, the same for every spelling of what it says,
 * another for every other policy (but for one in four thousand millions).
 * @returns borrowed; NULL for any other document
 * @since 0.1
 */
GANG_EXPORT const char *gang_policy_get_stamp(const struct gang_document *policy);
/**
 * Number of warnings and infos that parsing found, and of what is an error unless a policy asks for
 * compatibility. A decision takes them over, judged by its policy; ask here about a document that
 * no job uses.
 * @since 0.1
 */
GANG_EXPORT size_t gang_document_num_diagnostics(const struct gang_document *document);
/** A diagnostic, in the order in which it was found; NULL past the end. Borrowed. @since 0.1 */
GANG_EXPORT const struct gang_diagnostic *
gang_document_get_diagnostic(const struct gang_document *document, size_t index);
/**
 * Writes the JSON Schema (draft 2020-12) of a kind of document, for editors and checks that do not
 * parse documents. What it accepts may still be refused by gang_document_parse(), which also judges
 * fields together.
 * @param[in] context NULL: the default limits
 * @param[in] kind "GangPolicy"; its schema has the backends of this library
 * @param[in] format `enum gang_format`; #GANG_FORMAT_JSON is compact, on one line
 * @param[in] flags 0
 * @param[out] out release with gang_blob_unref()
 * @returns #GANG_OK, #GANG_ERROR_INVALID_ARGUMENT (another kind, too), #GANG_ERROR_LIMIT,
 * #GANG_ERROR_NO_MEMORY or #GANG_ERROR_UNSUPPORTED_FLAG
 * @since 0.1
 */
GANG_EXPORT GANG_MUST_CHECK int gang_schema_serialize(const struct gang_context *context,
                                                      const char *kind, int format, uint32_t flags,
                                                      struct gang_blob **out,
                                                      struct gang_error **err);
/** @} */

/**
 * @defgroup inputs Inputs
 * @{
 */

/** Inputs without any document; NULL when out of memory. Release with gang_inputs_free(). @since
 * 0.1 */
GANG_EXPORT GANG_MUST_CHECK struct gang_inputs *gang_inputs_new(void);
/**
 * Adds a document, in any order. Whether the job can use it is judged by gang_resolve().
 * @param[in] inputs not NULL
 * @param[in] document not NULL; the inputs take a reference of their own
 * @returns #GANG_OK, #GANG_ERROR_INVALID_ARGUMENT or #GANG_ERROR_NO_MEMORY
 * @since 0.1
 */
GANG_EXPORT GANG_MUST_CHECK int gang_inputs_add(struct gang_inputs *inputs,
                                                struct gang_document *document);
/**
 * Sets the uid that the API server has given to the first object of the plan, so that the others
 * can name it as an owner: the PodGroups of Kubernetes' Workload API are owned by their Workload as
 * well as by the job, and garbage collection goes by the uid. Backends whose objects do not own
 * each other do not look at it; gang_reconcile() finds it by itself.
 * @param[in] inputs not NULL
 * @param[in] uid `metadata.uid`, copied; "" and NULL are none
 * @returns #GANG_OK, #GANG_ERROR_INVALID_ARGUMENT or #GANG_ERROR_NO_MEMORY
 * @since 0.1
 */
GANG_EXPORT GANG_MUST_CHECK int gang_inputs_set_created_uid(struct gang_inputs *inputs,
                                                            const char *uid);
/** Drops every document and the uid, as if the inputs were new; NULL is allowed. @since 0.1 */
GANG_EXPORT void gang_inputs_clear(struct gang_inputs *inputs);
/** Releases inputs; NULL is allowed. @since 0.1 */
GANG_EXPORT void gang_inputs_free(struct gang_inputs *inputs);
/** @} */

/**
 * @defgroup topologybinding ClusterTopologyBinding
 * What Grove's operator does with a ClusterTopologyBinding. Each function takes a document of that
 * kind.
 * @{
 */

/**
 * Judges the schedulers that a binding names by the backends that a policy enables, as
 * gang_resolve() judges those of PodGangs. gang_document_parse() knows no policy, and refuses only
 * what no Grove can have. Source: `validateSchedulerTopologyReferences` of
 * ai-dynamo/grove:operator/internal/webhook/admission/clustertopology/validation/validation.go,
 * where Grove's configuration says what is enabled.
 * @param[in] binding not NULL
 * @param[in] policy NULL: all are enabled
 * @param[in] flags 0
 * @returns #GANG_OK, #GANG_ERROR_INVALID, #GANG_ERROR_LIMIT, #GANG_ERROR_NO_MEMORY,
 * #GANG_ERROR_INVALID_ARGUMENT or #GANG_ERROR_UNSUPPORTED_FLAG
 * @since 0.1
 */
GANG_EXPORT GANG_MUST_CHECK int gang_topologybinding_check(const struct gang_context *context,
                                                           const struct gang_document *binding,
                                                           const struct gang_document *policy,
                                                           uint32_t flags, struct gang_error **err);
/**
 * Writes the Topology of KAI (`kai.scheduler/v1alpha1`) that Grove's operator makes of the binding:
 * its levels in order, owned by the binding where that has a uid. Empty when
 * `schedulerTopologyBindings` names one that somebody else makes. Source: `SyncTopology` of
 * ai-dynamo/grove:operator/internal/scheduler/kai/topology.go.
 * @param[in] binding not NULL
 * @param[in] flags 0
 * @param[out] out release with gang_blob_unref()
 * @since 0.1
 */
GANG_EXPORT GANG_MUST_CHECK int gang_topologybinding_serialize(const struct gang_context *context,
                                                               const struct gang_document *binding,
                                                               int format, uint32_t flags,
                                                               struct gang_blob **out,
                                                               struct gang_error **err);
/**
 * Compares a binding with the Topology of KAI that exists. Pure, as gang_reconcile() is, and by the
 * same rules of ownership: without a uid of the binding the name of the owner has to do, and an
 * object that nobody controls passes for the binding's.
 *
 * - Create: there is none; write what gang_topologybinding_serialize() gives.
 * - Leave: its levels are those of the binding. What else stands in it is not looked at.
 * - Recreate: it is the binding's, and its levels, which are immutable, are others, or it is being
 * deleted: delete it, wait until it is gone, write what gang_topologybinding_serialize() gives.
 * - Conflict: it is not controlled by the binding. Where `schedulerTopologyBindings` names one that
 * somebody else makes, that one does not exist or has other levels; nothing is written then, and
 * only Leave and Conflict are answered.
 *
 * Source: `SyncTopology` and `CheckTopologyDrift` of
 * ai-dynamo/grove:operator/internal/scheduler/kai/topology.go.
 * @param[in] binding not NULL
 * @param[in] live_data the objects that exist, as for gang_reconcile(); everything but Topologies
 * of KAI is passed over
 * @param[in] flags 0
 * @param[out] out not NULL; an `enum gang_action`, also set with #GANG_ERROR_INVALID for a
 * Conflict, and #GANG_ACTION_NONE on any other failure
 * @returns #GANG_OK, #GANG_ERROR_INVALID for a Conflict or for a document that is no object,
 * #GANG_ERROR_SYNTAX, #GANG_ERROR_LIMIT, #GANG_ERROR_NO_MEMORY, #GANG_ERROR_INVALID_ARGUMENT or
 * #GANG_ERROR_UNSUPPORTED_FLAG
 * @since 0.1
 */
GANG_EXPORT GANG_MUST_CHECK int gang_topologybinding_compare(const struct gang_context *context,
                                                             const struct gang_document *binding,
                                                             const char *live_data, size_t live_len,
                                                             uint32_t flags, int *out,
                                                             struct gang_error **err);
/** @} */

/**
 * @defgroup decision Decision
 * @{
 */

/**
 * Decides the backend and the gang of a job.
 *
 * - TrainJob: its runtime is needed. Rules: doc/policy.md.
 * - PodGang: by the rules of Grove's operator. The scheduler is that of the label
 * `grove.io/scheduler-name`, else that of the PodCliqueSet's templates, else what a rule, the
 * defaults or the default backend of the policy name, else `default-scheduler`, which has no gangs;
 * a rule with `override: Always` stands before all of them. All cliques must name the same enabled
 * scheduler. For KAI the queue comes from the PodCliqueSet, which is then needed, or from the
 * policy. With a ClusterTopologyBinding of the name that its annotation `grove.io/topology-name`
 * has, its topologyConstraints are in the topology that the binding has for KAI; without it the
 * name of the binding is taken for that of the topology. A policy that asks KAI for the layout
 * `Aggregate` renders one PodGroup for all PodGangs of a replica, and needs the others.
 * - PodCliqueSet: it alone is judged, as at its admission. The outcome is #GANG_OUTCOME_NO_GANG,
 * #GANG_OUTCOME_INVALID or #GANG_OUTCOME_DENIED.
 *
 * Sources: ai-dynamo/grove:operator/internal/scheduler/registry/registry.go,
 * operator/internal/webhook/admission/pcs/validation,
 * operator/internal/controller/podgang/reconciler.go.
 * @param[in] context NULL: the default limits
 * @param[in] job not NULL; what is decided about
 * @param[in] inputs what else is known; NULL: nothing. Each job can use a GangPolicy (without it
 * every backend is enabled, there is no default backend, and the semantics are safe) and a
 * GangCluster (without it nothing is known of the cluster); a TrainJob the runtime; a PodGang its
 * PodCliqueSet, the ClusterTopologyBinding and other PodGangs, of which those of other replicas are
 * left aside. What is missing, twice, or of a kind that the job cannot use is #GANG_ERROR_INVALID
 * without a decision; the error names both documents. The inputs are not changed
 * @param[in] flags `enum gang_resolve_flags`
 * @param[out] out release with gang_decision_unref(). Set on success, and also with
 * #GANG_ERROR_DENIED and with #GANG_ERROR_INVALID where the inputs fit. It holds references on the
 * documents
 * @since 0.1
 */
GANG_EXPORT GANG_MUST_CHECK int gang_resolve(const struct gang_context *context,
                                             struct gang_document *job,
                                             const struct gang_inputs *inputs, uint32_t flags,
                                             struct gang_decision **out, struct gang_error **err);
/**
 * Writes a pod as Grove's operator prepares it for the decision's scheduler before it creates it:
 * with the scheduler's name, the marks of membership that the labels of Grove on it stand for, in
 * place of any that it has, and the priority class where the policy gives one. Everything else is
 * kept. Source: `PreparePod` of
 * ai-dynamo/grove:operator/internal/scheduler/{kai,volcano,kube,lpx}/backend.go; for the layout
 * `Aggregate` that of pull request 735.
 * @param[in] decision of a PodGang or PodCliqueSet, and neither `Denied` nor `Invalid`. One of a
 * PodCliqueSet will do
 * @param[in] data one Pod in YAML or JSON; may be NULL when `len` is 0
 * @param[in] flags 0
 * @param[out] out release with gang_blob_unref()
 * @param[out] err every label of Grove that the scheduler needs and the pod lacks; a pod of another
 * PodGang
 * @returns #GANG_OK, #GANG_ERROR_SYNTAX, #GANG_ERROR_LIMIT, #GANG_ERROR_INVALID,
 * #GANG_ERROR_NO_MEMORY, #GANG_ERROR_INVALID_ARGUMENT or #GANG_ERROR_UNSUPPORTED_FLAG
 * @since 0.1
 */
GANG_EXPORT GANG_MUST_CHECK int gang_decision_prepare_pod(const struct gang_context *context,
                                                          const struct gang_decision *decision,
                                                          const char *data, size_t len, int format,
                                                          uint32_t flags, struct gang_blob **out,
                                                          struct gang_error **err);
/** Takes a reference. @since 0.1 */
GANG_EXPORT struct gang_decision *gang_decision_ref(struct gang_decision *decision);
/** Drops a reference. @since 0.1 */
GANG_EXPORT void gang_decision_unref(struct gang_decision *decision);
/** What it came to, an `enum gang_outcome`. @since 0.1 */
GANG_EXPORT int gang_decision_get_outcome(const struct gang_decision *decision);
/**
 * The chosen backend as the policy names it, else its type in lower case ("volcano"); NULL when
 * there is no gang.
 * @since 0.1
 */
GANG_EXPORT const char *gang_decision_get_backend(const struct gang_decision *decision);
/**
 * Name of the scheduler of the pods; NULL when none was chosen. A PodGang may have one without a
 * gang: then Grove gives that scheduler's pods no gangs.
 * @since 0.1
 */
GANG_EXPORT const char *gang_decision_get_scheduler_name(const struct gang_decision *decision);
/** The gang's queue; NULL when it has none, or when there is no gang. @since 0.1 */
GANG_EXPORT const char *gang_decision_get_queue(const struct gang_decision *decision);
/**
 * Why the outcome is what it is, in a few words: what chose the backend ("rule research"), why none
 * was chosen, or the message of the error that refuses the job. Never NULL for a decision. May
 * change between releases; the codes of diagnostics do not.
 * @since 0.1
 */
GANG_EXPORT const char *gang_decision_get_reason(const struct gang_decision *decision);
/** Pods that must start together; 0 when none waits for another, or when there is no gang. @since
 * 0.1 */
GANG_EXPORT int64_t gang_decision_get_minimum(const struct gang_decision *decision);
/** Pods that carry the gang's mark; 0 when there is no gang. @since 0.1 */
GANG_EXPORT int64_t gang_decision_get_members(const struct gang_decision *decision);
/** All pods of a job with a gang, its members and the others; 0 when there is no gang. @since 0.1
 */
GANG_EXPORT int64_t gang_decision_get_pods(const struct gang_decision *decision);
/**
 * Writes the decision as a GangDecision document: outcome, reason, backend, gang, roles,
 * diagnostics and the trace, with the keys of a plan (doc/plan.md). Nothing is rendered for it. May
 * be called for one decision from several threads at once.
 * @param[in] context NULL: the default limits
 * @param[in] decision not NULL
 * @param[in] format `enum gang_format`
 * @param[in] flags 0
 * @param[out] out release with gang_blob_unref()
 * @returns #GANG_OK, #GANG_ERROR_LIMIT, #GANG_ERROR_NO_MEMORY, #GANG_ERROR_INVALID_ARGUMENT or
 *          #GANG_ERROR_UNSUPPORTED_FLAG
 * @since 0.1
 */
GANG_EXPORT GANG_MUST_CHECK int gang_decision_serialize(const struct gang_context *context,
                                                        const struct gang_decision *decision,
                                                        int format, uint32_t flags,
                                                        struct gang_blob **out,
                                                        struct gang_error **err);
/** Number of diagnostics of any severity. @since 0.1 */
GANG_EXPORT size_t gang_decision_num_diagnostics(const struct gang_decision *decision);
/** A diagnostic, ordered by document, position, code; borrowed. @since 0.1 */
GANG_EXPORT const struct gang_diagnostic *
gang_decision_get_diagnostic(const struct gang_decision *decision, size_t index);
/** @} */

/**
 * @defgroup plan Plan
 * @{
 */

/**
 * Renders a decision. A decision without a gang gives a plan without objects and patches.
 * @param[in] decision not NULL
 * @param[in] flags 0
 * @param[out] out release with gang_plan_unref(). It holds a reference on the decision.
 * @since 0.1
 */
GANG_EXPORT GANG_MUST_CHECK int gang_render(const struct gang_context *context,
                                            struct gang_decision *decision, uint32_t flags,
                                            struct gang_plan **out, struct gang_error **err);
/**
 * Compares a plan with the objects that exist, and gives each object its `enum gang_action`. Pure:
 * nothing is asked of a cluster, nothing written; the same objects give the same plan, and what a
 * plan says to write makes the next one say Leave.
 *
 * An object is the job's when the owner reference with `controller: true` names the job by its uid.
 * Another's is never touched: the action is Conflict, and the diagnostic names the owner. The job's
 * objects of any backend that the plan does not have are deleted, unless pods of the gang exist,
 * which they then stay for. Fields that the backend does not render are other people's and stay. A
 * field that the API version freezes makes the object anew; while pods of the gang exist that is a
 * Conflict, in the API server's own words. What else each backend keeps, and what becomes of its
 * objects while the job is suspended and when it has ended, stands in doc/backends.md.
 *
 * Sources: kubernetes/api:scheduling, KEP-5547 and KEP-969 for Kubernetes' own gangs;
 * kai-scheduler/KAI-Scheduler:pkg/podgrouper/podgroup/handler.go;
 * ai-dynamo/grove:operator/internal/scheduler;
 * ray-project/kuberay:ray-operator/controllers/ray/batchscheduler/volcano.
 * @param[in] plan of gang_render(), not NULL
 * @param[in] live_data the objects that exist, YAML or JSON, documents or lists, as `kubectl get -o
 * yaml` prints them; copied. Of use are the scheduler's objects in the job's namespace, the job
 * itself (its uid and status) and its pods. Everything else is passed over. May be NULL when
 * `live_len` is 0: nothing exists
 * @param[in] flags 0
 * @param[out] out release with gang_plan_unref(). Set on success, and also with #GANG_ERROR_INVALID
 * when the only errors are objects in Conflict. It holds a reference on the plan's decision
 * @returns #GANG_OK, #GANG_ERROR_INVALID for a Conflict, for a plan of another job of the same
 * name, or for a document that is no object, #GANG_ERROR_SYNTAX, #GANG_ERROR_LIMIT,
 * #GANG_ERROR_NO_MEMORY, #GANG_ERROR_INVALID_ARGUMENT or #GANG_ERROR_UNSUPPORTED_FLAG
 * @since 0.1
 */
GANG_EXPORT GANG_MUST_CHECK int gang_reconcile(const struct gang_context *context,
                                               const struct gang_plan *plan, const char *live_data,
                                               size_t live_len, uint32_t flags,
                                               struct gang_plan **out, struct gang_error **err);
/** Takes a reference. @since 0.1 */
GANG_EXPORT struct gang_plan *gang_plan_ref(struct gang_plan *plan);
/** Drops a reference. @since 0.1 */
GANG_EXPORT void gang_plan_unref(struct gang_plan *plan);
/** Number of objects, each with an action. @since 0.1 */
GANG_EXPORT size_t gang_plan_num_objects(const struct gang_plan *plan);
/** An object, in the order to apply; NULL past the end. Borrowed from the plan. @since 0.1 */
GANG_EXPORT const struct gang_object *gang_plan_get_object(const struct gang_plan *plan,
                                                           size_t index);
/**
 * Number of patches. Only what changes something is one, and a plan in which an object is in
 * Conflict has none.
 * @since 0.1
 */
GANG_EXPORT size_t gang_plan_num_patches(const struct gang_plan *plan);
/**
 * A patch: that of the job object first, then those of the roles in the order of the input. NULL
 * past the end. Borrowed from the plan.
 * @since 0.1
 */
GANG_EXPORT const struct gang_patch *gang_plan_get_patch(const struct gang_plan *plan,
                                                         size_t index);
/** Number of diagnostics: the decision's, and what gang_reconcile() found. @since 0.1 */
GANG_EXPORT size_t gang_plan_num_diagnostics(const struct gang_plan *plan);
/** A diagnostic, ordered by document, position, code; NULL past the end. Borrowed. @since 0.1 */
GANG_EXPORT const struct gang_diagnostic *gang_plan_get_diagnostic(const struct gang_plan *plan,
                                                                   size_t index);
/**
 * Writes the plan as text. As gang_decision_serialize().
 * @param[in] plan not NULL
 * @param[in] target `enum gang_target`
 * @since 0.1
 */
GANG_EXPORT GANG_MUST_CHECK int
gang_plan_serialize(const struct gang_context *context, const struct gang_plan *plan, int target,
                    int format, uint32_t flags, struct gang_blob **out, struct gang_error **err);
/**
 * Lists what this library can render as one document: `backends[]` with `name`, `type`, the member
 * of podGroupPolicy that chooses it, `schedulerName`, `versions[]` of its objects (`apiVersion`,
 * `kubernetes`, `objects[]`, the `mark` of pods, and for Kubernetes' own gangs `gates[]` and
 * `fields[]`), what it `lacks`, and its `options` in a policy.
 * @param[in] flags 0
 * @param[out] out release with gang_blob_unref()
 * @since 0.1
 */
GANG_EXPORT GANG_MUST_CHECK int gang_backends_serialize(const struct gang_context *context,
                                                        int format, uint32_t flags,
                                                        struct gang_blob **out,
                                                        struct gang_error **err);
/** @} */

/**
 * @defgroup object Object
 * @{
 */

/** What is to be done with it, an `enum gang_action`; #GANG_ACTION_CREATE of gang_render(). @since
 * 0.1 */
GANG_EXPORT int gang_object_get_action(const struct gang_object *object);
/** Its `apiVersion`. @since 0.1 */
GANG_EXPORT const char *gang_object_get_api_version(const struct gang_object *object);
/** Its `kind`. @since 0.1 */
GANG_EXPORT const char *gang_object_get_kind(const struct gang_object *object);
/** Its `metadata.namespace`; NULL when it has none. @since 0.1 */
GANG_EXPORT const char *gang_object_get_namespace(const struct gang_object *object);
/** Its `metadata.name`. @since 0.1 */
GANG_EXPORT const char *gang_object_get_name(const struct gang_object *object);
/**
 * Writes the object's manifest, as the plan's `objects[].object` holds it: one to delete has no
 * `spec`. As gang_decision_serialize().
 * @param[in] object not NULL
 * @since 0.1
 */
GANG_EXPORT GANG_MUST_CHECK int gang_object_serialize(const struct gang_context *context,
                                                      const struct gang_object *object, int format,
                                                      uint32_t flags, struct gang_blob **out,
                                                      struct gang_error **err);
/** @} */

/**
 * @defgroup patch Patch
 * @{
 */

/** Name of the role whose pod template it is for; NULL: it is for the job object itself. @since 0.1
 */
GANG_EXPORT const char *gang_patch_get_role(const struct gang_patch *patch);
/** "Role", or the kind of the job object that it is for ("JobSet"). @since 0.1 */
GANG_EXPORT const char *gang_patch_get_target(const struct gang_patch *patch);
/**
 * Number of fields that it sets in a section.
 * @param[in] section `enum gang_patch_section`; 0 is answered for any other number
 * @since 0.1
 */
GANG_EXPORT size_t gang_patch_num_fields(const struct gang_patch *patch, int section);
/**
 * The key of a field, in the order of the bytes of labels and annotations. Of the section `spec` a
 * path below the pod's spec, its steps joined by dots: "schedulerName",
 * "schedulingGroup.podGroupName". NULL past the end. Borrowed from the plan.
 * @since 0.1
 */
GANG_EXPORT const char *gang_patch_get_key(const struct gang_patch *patch, int section,
                                           size_t index);
/** The value of the field with this index, a string; NULL past the end. @since 0.1 */
GANG_EXPORT const char *gang_patch_get_value(const struct gang_patch *patch, int section,
                                             size_t index);
/**
 * Writes the patch, as the plan's `patches[]` holds it. As gang_decision_serialize().
 * @param[in] patch not NULL
 * @since 0.1
 */
GANG_EXPORT GANG_MUST_CHECK int gang_patch_serialize(const struct gang_context *context,
                                                     const struct gang_patch *patch, int format,
                                                     uint32_t flags, struct gang_blob **out,
                                                     struct gang_error **err);
/** @} */

/**
 * @defgroup error Error and diagnostics
 * @{
 */

/** The code that the failed function returned. @since 0.1 */
GANG_EXPORT int gang_error_get_code(const struct gang_error *error);
/** Number of diagnostics, warnings included. @since 0.1 */
GANG_EXPORT size_t gang_error_num_diagnostics(const struct gang_error *error);
/** A diagnostic, ordered by document, position, code; NULL past the end. Borrowed. @since 0.1 */
GANG_EXPORT const struct gang_diagnostic *gang_error_get_diagnostic(const struct gang_error *error,
                                                                    size_t index);
/**
 * Writes all diagnostics as one list, with the keys of the plan's `diagnostics` (doc/plan.md). As
 * gang_decision_serialize().
 * @param[in] error not NULL; it is not changed
 * @param[out] err of this call; it may not be the place where `error` stands
 * @since 0.1
 */
GANG_EXPORT GANG_MUST_CHECK int gang_error_serialize(const struct gang_context *context,
                                                     const struct gang_error *error, int format,
                                                     uint32_t flags, struct gang_blob **out,
                                                     struct gang_error **err);
/** Releases an error; NULL is allowed. @since 0.1 */
GANG_EXPORT void gang_error_free(struct gang_error *error);

/** The stable number, an `enum gang_code`; gang_code_name() gives its reason. @since 0.1 */
GANG_EXPORT int gang_diagnostic_get_code(const struct gang_diagnostic *diagnostic);
/** The stable number as text, "GANG012". @since 0.1 */
GANG_EXPORT const char *gang_diagnostic_get_id(const struct gang_diagnostic *diagnostic);
/** How grave it is, an `enum gang_severity`. @since 0.1 */
GANG_EXPORT int gang_diagnostic_get_severity(const struct gang_diagnostic *diagnostic);
/** The input that it points into, an `enum gang_document_type`. @since 0.1 */
GANG_EXPORT int gang_diagnostic_get_document(const struct gang_diagnostic *diagnostic);
/**
 * The `kind` of the document that it points into, which tells one of several inputs of a type. NULL
 * when it points into none, or the document does not say.
 * @since 0.1
 */
GANG_EXPORT const char *gang_diagnostic_get_kind(const struct gang_diagnostic *diagnostic);
/** The `metadata.namespace` of that document; NULL when it has none. @since 0.1 */
GANG_EXPORT const char *gang_diagnostic_get_namespace(const struct gang_diagnostic *diagnostic);
/** The `metadata.name` of that document; NULL when it has none. @since 0.1 */
GANG_EXPORT const char *gang_diagnostic_get_name(const struct gang_diagnostic *diagnostic);
/**
 * The job that a finding in a policy or a cluster is about, as "namespace/name", or "name" where
 * the job has no namespace. NULL for findings in other documents, and for those of parsing, which
 * are about no job.
 * @since 0.1
 */
GANG_EXPORT const char *gang_diagnostic_get_job(const struct gang_diagnostic *diagnostic);
/** Field path, "spec.trainer.numNodes"; "" when the finding has none. @since 0.1 */
GANG_EXPORT const char *gang_diagnostic_get_path(const struct gang_diagnostic *diagnostic);
/** Line in the document, 1-based; 0 when unknown. @since 0.1 */
GANG_EXPORT uint32_t gang_diagnostic_get_line(const struct gang_diagnostic *diagnostic);
/** Column in characters, 1-based; 0 when unknown. @since 0.1 */
GANG_EXPORT uint32_t gang_diagnostic_get_column(const struct gang_diagnostic *diagnostic);
/** What is wrong, in Kubernetes' wording, without the path. May change between releases. @since 0.1
 */
GANG_EXPORT const char *gang_diagnostic_get_message(const struct gang_diagnostic *diagnostic);
/** What to write instead; NULL when there is nothing to add. @since 0.1 */
GANG_EXPORT const char *gang_diagnostic_get_hint(const struct gang_diagnostic *diagnostic);
/** @} */

/**
 * @defgroup blob Blob
 * @{
 */

/** The bytes, followed by a NUL that `len` does not count. `len` may be NULL. @since 0.1 */
GANG_EXPORT const char *gang_blob_get_data(const struct gang_blob *blob, size_t *len);
/** Takes a reference. @since 0.1 */
GANG_EXPORT struct gang_blob *gang_blob_ref(struct gang_blob *blob);
/** Drops a reference. @since 0.1 */
GANG_EXPORT void gang_blob_unref(struct gang_blob *blob);
/** @} */

#ifdef __cplusplus
}
#endif

#endif
