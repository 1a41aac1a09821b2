/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file gang-errors.h
 * @brief Stable numbers of all diagnostics. Generated from doc/diagnostics.yaml by tools/generate-diagnostics.
 */
#ifndef GANG_GANG_ERRORS_H
#define GANG_GANG_ERRORS_H

/** What a diagnostic is about. Numbers keep their meaning for ever; doc/diagnostics.md explains each. */
enum gang_code {
    GANG_CODE_OUT_OF_MEMORY = 1, /**< An allocation failed. @since 0.1 */
    GANG_CODE_API_MISUSE = 2, /**< The calling program passed an argument that the function does not take. @since 0.1 */
    GANG_CODE_TOO_MANY_DIAGNOSTICS = 3, /**< More findings were made than are listed, none graver than those that are. It is as grave as the gravest of them. @since 0.1 */
    GANG_CODE_SCHEDULER_NAME_SET = 4, /**< A role without a schedulerName was given the gang's. @since 0.1 */
    GANG_CODE_DEFAULT_APPLIED = 5, /**< A field that the API server would fill in was given its default. @since 0.1 */
    GANG_CODE_NO_OWNER_UID = 6, /**< The trainjob has no uid so the objects carry no owner reference. @since 0.1 */
    GANG_CODE_BACKEND_CONFLICT = 7, /**< Two explicit choices name different backends. @since 0.1 */
    GANG_CODE_SCHEDULER_MISMATCH = 8, /**< A role's schedulerName is not the chosen backend's; its pods would not be in the gang. @since 0.1 */
    GANG_CODE_SCHEDULERS_DISAGREE = 9, /**< Roles of one job name different schedulers. @since 0.1 */
    GANG_CODE_PRIORITIES_DISAGREE = 10, /**< Members of one gang name different priority classes. @since 0.1 */
    GANG_CODE_RESERVED_MARK = 11, /**< A document sets a mark of gang membership that only libgang may set. @since 0.1 */
    GANG_CODE_STRUCTURAL_DEADLOCK = 12, /**< The gang waits for pods that are only created after the gang has started. @since 0.1 */
    GANG_CODE_LATE_MEMBERS = 13, /**< Some members join after the first wave and are not in the minimum. @since 0.1 */
    GANG_CODE_MIN_RESOURCES_LEFT_OUT = 14, /**< minResources is not rendered, because the scheduler would reserve it before or after the pods can use it. @since 0.1 */
    GANG_CODE_RETRIED_POD_WAITS = 16, /**< A pod that its Job retries after its siblings have ended is held for ever by this backend. @since 0.1 */
    GANG_CODE_GANG_STAGE_AMBIGUOUS = 17, /**< Roles labelled trainer stand on two sides of a Complete dependency, so they never run together. @since 0.1 */
    GANG_CODE_EMPTY_GANG = 18, /**< The stage that should be the gang has no members. @since 0.1 */
    GANG_CODE_START_ORDER_CYCLE = 19, /**< Roles wait for each other. @since 0.1 */
    GANG_CODE_UNKNOWN_DEPENDENCY = 20, /**< A role depends on a role that does not exist. @since 0.1 */
    GANG_CODE_COUNT_OVERFLOW = 22, /**< A number of pods passes 2147483647. @since 0.1 */
    GANG_CODE_LAUNCHER_NODE_MINIMUM = 25, /**< With runLauncherAsNode and one node the operator still creates a launcher and a node, two pods. @since 0.1 */
    GANG_CODE_LAUNCHER_SCALED = 26, /**< mlPolicy.numNodes scales the role labelled trainer, which is the launcher here; the nodes keep their own count. @since 0.1 */
    GANG_CODE_RESOURCES_NOT_APPLIED = 27, /**< The operator does not apply resourcesPerNode to the roles that train. @since 0.1 */
    GANG_CODE_REPLICAS_IGNORED = 28, /**< The operator counts the pods of one replica only. @since 0.1 */
    GANG_CODE_NUM_NODES_NOT_POSITIVE = 29, /**< numNodes is zero or negative. @since 0.1 */
    GANG_CODE_PRIORITY_LAST_WINS = 30, /**< Roles name different priority classes and the operator takes the last one. @since 0.1 */
    GANG_CODE_COMPLETIONS_OVERWRITTEN = 31, /**< The operator sets completions to the number of pods, whatever the template says. @since 0.1 */
    GANG_CODE_SECOND_TRAINER_KEEPS_COUNT = 32, /**< The trainjob's numNodes reaches only the first role labelled trainer. @since 0.1 */
    GANG_CODE_LIMITS_NOT_COUNTED = 33, /**< Resources that stand only under limits are missing from the operator's minResources. @since 0.1 */
    GANG_CODE_SCHEDULER_NAME_MISSING = 34, /**< No schedulerName is set; the default scheduler starts the pods one by one beside an ignored PodGroup. @since 0.1 */
    GANG_CODE_MANAGED_ELSEWHERE = 35, /**< `managedBy` names another controller; the operator creates nothing. @since 0.1 */
    GANG_CODE_RUNTIME_MISMATCH = 36, /**< The runtime is not the one that the trainjob refers to. @since 0.1 */
    GANG_CODE_EMPTY_QUEUE = 37, /**< The queue annotation is present and empty. @since 0.1 */
    GANG_CODE_FIELD_LOST = 38, /**< The chosen backend has no place for this field. @since 0.1 */
    GANG_CODE_TIMEOUT_IS_DEFAULT = 39, /**< scheduleTimeoutSeconds 0 means the scheduler's own default. @since 0.1 */
    GANG_CODE_NEGATIVE_TIMEOUT = 40, /**< A negative scheduleTimeoutSeconds makes the scheduler reject every pod. @since 0.1 */
    GANG_CODE_PATCH_TARGET_UNKNOWN = 41, /**< A runtimePatch names a role or container that the runtime does not have; the operator would add it. @since 0.1 */
    GANG_CODE_TOPOLOGY_NOT_ENFORCED = 42, /**< The scheduler does not enforce this topology as written. @since 0.1 */
    GANG_CODE_MARK_ON_WAITING_ROLE = 43, /**< The operator marks a role outside the gang too; its pods count for the gang or wait for it. @since 0.1 */
    GANG_CODE_QUEUE_OF_ANOTHER_BACKEND = 45, /**< The job names a queue in a form that its backend does not read. @since 0.1 */
    GANG_CODE_SYNTAX = 101, /**< The text is not well-formed. @since 0.1 */
    GANG_CODE_ENCODING = 102, /**< The text is not UTF-8. @since 0.1 */
    GANG_CODE_CONTROL_CHARACTER = 103, /**< The text holds a control character. @since 0.1 */
    GANG_CODE_MULTIPLE_DOCUMENTS = 104, /**< One document was expected and several were found. @since 0.1 */
    GANG_CODE_EMPTY_DOCUMENT = 105, /**< The document has no content. @since 0.1 */
    GANG_CODE_DIRECTIVE = 106, /**< YAML directives are not accepted. @since 0.1 */
    GANG_CODE_TAG = 107, /**< The YAML tag is not accepted or does not fit its value. @since 0.1 */
    GANG_CODE_ALIAS_CYCLE = 108, /**< An anchor contains itself. @since 0.1 */
    GANG_CODE_ALIAS_UNKNOWN = 109, /**< An alias names an anchor that was not seen before it. @since 0.1 */
    GANG_CODE_MERGE_FORBIDDEN = 110, /**< Merge keys are not allowed in this document. @since 0.1 */
    GANG_CODE_MERGE_INVALID = 111, /**< The value of a merge key is not a mapping or a list of mappings. @since 0.1 */
    GANG_CODE_DUPLICATE_KEY = 112, /**< A key stands twice in one mapping. @since 0.1 */
    GANG_CODE_KEY_TYPE = 113, /**< The key of a mapping is not a string. @since 0.1 */
    GANG_CODE_NUMBER_PRECISION = 114, /**< A number has more digits than can be kept exactly. @since 0.1 */
    GANG_CODE_NON_FINITE_NUMBER = 115, /**< Infinity and NaN have no place in a Kubernetes document. @since 0.1 */
    GANG_CODE_DOCUMENT_SEPARATOR = 116, /**< Text stands behind a document separator. @since 0.1 */
    GANG_CODE_YAML_NOT_BUILT = 117, /**< This build of the library reads JSON only. @since 0.1 */
    GANG_CODE_LONE_SURROGATE = 118, /**< An escape names half of a surrogate pair. @since 0.1 */
    GANG_CODE_WRONG_DOCUMENT = 119, /**< The document is of another kind or API version than expected. @since 0.1 */
    GANG_CODE_LIMIT_DOCUMENT_BYTES = 201, /**< The document is larger than the limit. @since 0.1 */
    GANG_CODE_LIMIT_STREAM_BYTES = 202, /**< The stream is larger than the limit. @since 0.1 */
    GANG_CODE_LIMIT_STREAM_DOCUMENTS = 203, /**< The stream has more documents than the limit. @since 0.1 */
    GANG_CODE_LIMIT_DEPTH = 204, /**< The document nests deeper than the limit. @since 0.1 */
    GANG_CODE_LIMIT_NODES = 205, /**< The document has more values than the limit once its aliases are written out. @since 0.1 */
    GANG_CODE_LIMIT_ANCHORS = 206, /**< The document has more anchors than the limit. @since 0.1 */
    GANG_CODE_LIMIT_ALIASES = 207, /**< The document has more aliases than the limit. @since 0.1 */
    GANG_CODE_LIMIT_MAP_KEYS = 208, /**< A mapping has more keys than the limit. @since 0.1 */
    GANG_CODE_LIMIT_LIST_ITEMS = 209, /**< A list has more items than the limit. @since 0.1 */
    GANG_CODE_LIMIT_SCALAR_BYTES = 210, /**< A scalar is longer than the limit. @since 0.1 */
    GANG_CODE_LIMIT_KEY_BYTES = 211, /**< A key is longer than the limit. @since 0.1 */
    GANG_CODE_LIMIT_COUNT_VALUE = 212, /**< A role has more pods than the limit. @since 0.1 */
    GANG_CODE_LIMIT_ROLES = 213, /**< The job has more roles than the limit. @since 0.1 */
    GANG_CODE_LIMIT_CONTAINERS = 214, /**< A pod has more containers than the limit. @since 0.1 */
    GANG_CODE_LIMIT_MEMORY = 216, /**< Reading the input needs more memory than the limit. @since 0.1 */
    GANG_CODE_LIMIT_OUTPUT_BYTES = 217, /**< The output is larger than the limit. @since 0.1 */
    GANG_CODE_UNKNOWN_FIELD = 301, /**< The API has no field of this name here and would drop it. @since 0.1 */
    GANG_CODE_WRONG_TYPE = 302, /**< The value has another type than the field. @since 0.1 */
    GANG_CODE_REQUIRED_FIELD = 303, /**< A required field is missing or empty. @since 0.1 */
    GANG_CODE_UNSUPPORTED_VALUE = 304, /**< The value is not one of those that the field takes. @since 0.1 */
    GANG_CODE_VALUE_OUT_OF_RANGE = 305, /**< The number is outside the range of the field. @since 0.1 */
    GANG_CODE_VALUE_TOO_LONG = 306, /**< The text is longer than the field takes. @since 0.1 */
    GANG_CODE_TOO_MANY_ITEMS = 307, /**< The list or mapping has more entries than the field takes. @since 0.1 */
    GANG_CODE_DUPLICATE_ITEM = 308, /**< Two items of a list have the same key. @since 0.1 */
    GANG_CODE_PATTERN_MISMATCH = 309, /**< The text does not have the form that the field demands. @since 0.1 */
    GANG_CODE_NULL_ITEM = 310, /**< An item of a list is null. @since 0.1 */
    GANG_CODE_FRACTIONAL_NUMBER = 311, /**< The API server refuses a fractional number here and takes it as a string. @since 0.1 */
    GANG_CODE_UNKNOWN_GANG_POLICY = 312, /**< podGroupPolicy has a member that this library does not know. @since 0.1 */
    GANG_CODE_TOO_FEW_ITEMS = 313, /**< The list or mapping has fewer entries than the field needs. @since 0.1 */
    GANG_CODE_NUL_CHARACTER = 314, /**< A name or key holds a NUL character. @since 0.1 */
    GANG_CODE_NULL_VALUE = 315, /**< The value of a free key, such as a label, is null; the API server drops the key. @since 0.1 */
    GANG_CODE_QUANTITY_SYNTAX = 401, /**< The text is not a quantity. @since 0.1 */
    GANG_CODE_QUANTITY_RANGE = 402, /**< The exponent of a quantity is not between -64 and 64. @since 0.1 */
    GANG_CODE_QUANTITY_OVERFLOW = 403, /**< A quantity or a sum of quantities passes 2^63-1. @since 0.1 */
    GANG_CODE_QUANTITY_NEGATIVE = 404, /**< A request or limit is negative. @since 0.1 */
    GANG_CODE_QUANTITY_TOO_LONG = 405, /**< The text of a quantity is longer than 64 bytes. @since 0.1 */
    GANG_CODE_QUANTITY_CAPPED = 406, /**< A binary quantity above 2^63-1 is read as 2^63-1. @since 0.1 */
    GANG_CODE_INVALID_NAME = 411, /**< A name does not follow the rules of its kind. @since 0.1 */
    GANG_CODE_INVALID_LABEL_KEY = 412, /**< The key of a label or annotation is not a qualified name. @since 0.1 */
    GANG_CODE_INVALID_LABEL_VALUE = 413, /**< A label value does not follow the rules. @since 0.1 */
    GANG_CODE_ANNOTATIONS_TOO_LARGE = 414, /**< The annotations of one object pass 262144 bytes. @since 0.1 */
    GANG_CODE_DERIVED_NAME_TOO_LONG = 415, /**< A name that JobSet makes of the job's, the role's and two numbers passes 63 characters. @since 0.1 */
    GANG_CODE_INVALID_ROLE_NAME = 416, /**< A role's name cannot be part of the names that JobSet makes. @since 0.1 */
    GANG_CODE_SEVERAL_POLICIES = 501, /**< mlPolicy has more than one source. @since 0.1 */
    GANG_CODE_START_ORDER_CONFLICT = 502, /**< startupPolicy InOrder and dependsOn exclude each other. @since 0.1 */
    GANG_CODE_ANCESTOR_REPLICAS = 503, /**< A role with an ancestor label must have one replica. @since 0.1 */
    GANG_CODE_ANCESTOR_CONTAINER = 504, /**< A role with an ancestor label lacks the container of the fixed name. @since 0.1 */
    GANG_CODE_DEPENDENCY_RULE = 505, /**< A dependency breaks a rule of JobSet. @since 0.1 */
    GANG_CODE_PATCH_MANAGER = 506, /**< The manager of a runtimePatch is not a domain-prefixed path. @since 0.1 */
    GANG_CODE_PATCH_ENV_FORBIDDEN = 507, /**< A runtimePatch sets env on a container whose env belongs to the operator. @since 0.1 */
    GANG_CODE_MPI_ROLES_MISSING = 508, /**< runLauncherAsNode with several nodes needs the roles launcher and node. @since 0.1 */
    GANG_CODE_INITIALIZER_ROLE_MISSING = 509, /**< The trainjob configures an initializer that the runtime does not have. @since 0.1 */
    GANG_CODE_RESERVED_ENV = 510, /**< The trainjob sets an environment variable that the operator sets. @since 0.1 */
    GANG_CODE_TORCH_TUNE_RULE = 511, /**< The trainjob asks torchtune for something that the operator refuses. @since 0.1 */
    GANG_CODE_PODS_OVERFLOW = 512, /**< replicas times parallelism of a role passes 2147483647. @since 0.1 */
    GANG_CODE_DEPRECATED_RUNTIME = 513, /**< The runtime is labelled as deprecated. @since 0.1 */
    GANG_CODE_FLUX_NEEDS_NUM_NODES = 514, /**< The flux plugin of the operator crashes without the trainjob's numNodes. @since 0.1 */
    GANG_CODE_MPI_IMPLEMENTATION = 515, /**< The operator does not support this MPI implementation. @since 0.1 */
    GANG_CODE_SUPERSEDED_PATCHES = 516, /**< The trainjob uses a form of patches that the current API has dropped. @since 0.1 */
    GANG_CODE_UNSUPPORTED_RUNTIME_REF = 517, /**< runtimeRef names a group and kind that the operator does not know. @since 0.1 */
    GANG_CODE_MISPLACED_ANCESTOR = 518, /**< The ancestor label stands on the pod template, where the operator does not read it. @since 0.1 */
    GANG_CODE_ENV_TARGET_MISSING = 519, /**< envInjection names a role or container that the runtime does not have. @since 0.1 */
    GANG_CODE_ENV_TARGET_FORBIDDEN = 520, /**< envInjection names the container that always gets the variables. @since 0.1 */
    GANG_CODE_UNKNOWN_ROLE = 521, /**< A policy of the JobSet names a role that does not exist. @since 0.1 */
};

#endif
