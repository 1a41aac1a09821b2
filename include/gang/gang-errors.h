/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file gang-errors.h
 * @brief Stable numbers of all diagnostics.
 *
 * Generated from doc/diagnostics.yaml by tools/generate-diagnostics.
 */
#ifndef GANG_GANG_ERRORS_H
#define GANG_GANG_ERRORS_H

/**
 * The code of a diagnostic. A number keeps its meaning in all releases. doc/diagnostics.md explains
 * each code.
 */
enum gang_code {
    /** An allocation failed. @since 0.1 */
    GANG_CODE_OUT_OF_MEMORY = 1,
    /** The calling program passed an invalid argument. @since 0.1 */
    GANG_CODE_API_MISUSE = 2,
    /**
     * There are more diagnostics than the limit. The omitted diagnostics are not more severe than
     * the listed ones. The severity of this diagnostic is that of the most severe omitted one.
     * @since 0.1
     */
    GANG_CODE_TOO_MANY_DIAGNOSTICS = 3,
    /** A role has no schedulerName, so libgang sets the scheduler of the gang. @since 0.1 */
    GANG_CODE_SCHEDULER_NAME_SET = 4,
    /** A field is absent, so libgang uses the default of the API server. @since 0.1 */
    GANG_CODE_DEFAULT_APPLIED = 5,
    /** The job has no uid, so the objects have no owner reference. @since 0.1 */
    GANG_CODE_NO_OWNER_UID = 6,
    /** Two explicit settings choose different backends. @since 0.1 */
    GANG_CODE_BACKEND_CONFLICT = 7,
    /**
     * The schedulerName of a role is not the scheduler of the chosen backend, so its pods would not
     * be part of the gang. @since 0.1
     */
    GANG_CODE_SCHEDULER_MISMATCH = 8,
    /** Roles of one job have different schedulers. @since 0.1 */
    GANG_CODE_SCHEDULERS_DISAGREE = 9,
    /**
     * Members of one gang have different priority classes. A warning with Volcano and KAI, which
     * sort gangs; an error with schedulers that sort pods: parts of two gangs can then hold the
     * room that each other needs. @since 0.1
     */
    GANG_CODE_PRIORITIES_DISAGREE = 10,
    /**
     * A document sets a label, annotation or field of gang membership that only libgang may set. In
     * the pod templates of a job that is no TrainJob, those of its own plan are accepted. @since
     * 0.1
     */
    GANG_CODE_RESERVED_MARK = 11,
    /**
     * Deadlock: the gang waits for pods that are created only after the gang has started. @since
     * 0.1
     */
    GANG_CODE_STRUCTURAL_DEADLOCK = 12,
    /**
     * Some members are created after the first wave and do not count for the minimum. @since 0.1
     */
    GANG_CODE_LATE_MEMBERS = 13,
    /**
     * minResources is omitted, because the scheduler would reserve the resources while the pods
     * cannot use them. @since 0.1
     */
    GANG_CODE_MIN_RESOURCES_LEFT_OUT = 14,
    /**
     * If a Job retries a pod after the other pods of the gang have ended, the scheduler holds the
     * new pod forever. @since 0.1
     */
    GANG_CODE_RETRIED_POD_WAITS = 16,
    /**
     * Roles labelled `trainer` are before and after a Complete dependency, so they never run
     * together. @since 0.1
     */
    GANG_CODE_GANG_STAGE_AMBIGUOUS = 17,
    /** The stage that would be the gang has no members. @since 0.1 */
    GANG_CODE_EMPTY_GANG = 18,
    /** The start order has a cycle: roles wait for each other. @since 0.1 */
    GANG_CODE_START_ORDER_CYCLE = 19,
    /** A role depends on a role that does not exist. @since 0.1 */
    GANG_CODE_UNKNOWN_DEPENDENCY = 20,
    /** A number of pods exceeds 2147483647. @since 0.1 */
    GANG_CODE_COUNT_OVERFLOW = 22,
    /**
     * With runLauncherAsNode and one node the operator creates two pods, a launcher and a node.
     * @since 0.1
     */
    GANG_CODE_LAUNCHER_NODE_MINIMUM = 25,
    /**
     * mlPolicy.numNodes scales the role labelled `trainer`, which is the launcher in this runtime.
     * The node role keeps its own count. @since 0.1
     */
    GANG_CODE_LAUNCHER_SCALED = 26,
    /** The operator does not apply resourcesPerNode to the training roles. @since 0.1 */
    GANG_CODE_RESOURCES_NOT_APPLIED = 27,
    /** The operator counts the pods of one replica only. @since 0.1 */
    GANG_CODE_REPLICAS_IGNORED = 28,
    /** numNodes is zero or negative. @since 0.1 */
    GANG_CODE_NUM_NODES_NOT_POSITIVE = 29,
    /** Roles have different priority classes, and the operator uses the last one. @since 0.1 */
    GANG_CODE_PRIORITY_LAST_WINS = 30,
    /**
     * The operator sets completions to the number of pods and ignores the value in the template.
     * @since 0.1
     */
    GANG_CODE_COMPLETIONS_OVERWRITTEN = 31,
    /** numNodes of the TrainJob applies only to the first role labelled `trainer`. @since 0.1 */
    GANG_CODE_SECOND_TRAINER_KEEPS_COUNT = 32,
    /**
     * Resources with a limit and no request are missing in the minResources of the operator. @since
     * 0.1
     */
    GANG_CODE_LIMITS_NOT_COUNTED = 33,
    /**
     * No schedulerName is set, so the default scheduler starts the pods one by one and ignores the
     * PodGroup. @since 0.1
     */
    GANG_CODE_SCHEDULER_NAME_MISSING = 34,
    /** `managedBy` names another controller, so the operator creates nothing. @since 0.1 */
    GANG_CODE_MANAGED_ELSEWHERE = 35,
    /** The runtime is not the runtime that the TrainJob refers to. @since 0.1 */
    GANG_CODE_RUNTIME_MISMATCH = 36,
    /** The queue annotation is empty. @since 0.1 */
    GANG_CODE_EMPTY_QUEUE = 37,
    /** The chosen backend does not support this field, so its value is lost. @since 0.1 */
    GANG_CODE_FIELD_LOST = 38,
    /** scheduleTimeoutSeconds is 0, which means the default of the scheduler. @since 0.1 */
    GANG_CODE_TIMEOUT_IS_DEFAULT = 39,
    /**
     * The scheduler does not accept this scheduleTimeoutSeconds: it would reject every pod, or use
     * its own timeout. @since 0.1
     */
    GANG_CODE_NEGATIVE_TIMEOUT = 40,
    /**
     * A runtimePatch names a role or container that the runtime does not have. The operator would
     * add it. @since 0.1
     */
    GANG_CODE_PATCH_TARGET_UNKNOWN = 41,
    /** The scheduler does not enforce this topology constraint as it is written. @since 0.1 */
    GANG_CODE_TOPOLOGY_NOT_ENFORCED = 42,
    /**
     * The operator also labels the pods of a role outside the gang, so they count for the gang or
     * wait for it. @since 0.1
     */
    GANG_CODE_MARK_ON_WAITING_ROLE = 43,
    /** The policy overrides a value of the job. @since 0.1 */
    GANG_CODE_OVERRIDDEN_BY_POLICY = 44,
    /** The job names a queue in a form that its backend does not read. @since 0.1 */
    GANG_CODE_QUEUE_OF_ANOTHER_BACKEND = 45,
    /** The job has both a Kueue queue and a queue of its scheduler. @since 0.1 */
    GANG_CODE_TWO_QUEUES = 46,
    /** The backend does not support this kind of topology level. @since 0.1 */
    GANG_CODE_TOPOLOGY_LEVEL = 47,
    /** Two places of the same precedence name different queues. @since 0.1 */
    GANG_CODE_QUEUES_DISAGREE = 48,
    /** The job's own value takes precedence over a different value of the rule. @since 0.1 */
    GANG_CODE_RULE_OVERRIDDEN = 49,
    /**
     * A document that the job needs is not among the inputs, or an input is passed twice or has a
     * kind that the job cannot use. @since 0.1
     */
    GANG_CODE_WRONG_INPUT = 50,
    /** The target `job` or `runtime` has no place for a part of the plan. @since 0.1 */
    GANG_CODE_NOT_IN_TARGET = 51,
    /**
     * The TrainJob's entry of `libgang.dev/gang` in `spec.runtimePatches` is not what the plan
     * sets: the policy, the runtime or the job has changed since it was written, or somebody else
     * has written it. @since 0.1
     */
    GANG_CODE_PATCH_OUTDATED = 52,
    /**
     * A role waits until all pods of an elastic role are ready, while the gang starts with fewer of
     * them. @since 0.1
     */
    GANG_CODE_READY_OF_ELASTIC_ROLE = 53,
    /** A role depends on a role without pods. The dependency holds at once. @since 0.1 */
    GANG_CODE_EMPTY_DEPENDENCY = 54,
    /**
     * The gang starts with fewer pods than exist, and the scheduler has no place for a part of
     * that: a minimum of the whole gang or of a role, or the unit of a role. @since 0.1
     */
    GANG_CODE_ELASTIC_LOST = 55,
    /**
     * A role or a group names a group that `spec.groups` of the GangJob does not have. @since 0.1
     */
    GANG_CODE_GROUP_NOT_FOUND = 56,
    /** A group of a GangJob contains itself: its parents lead back to it. @since 0.1 */
    GANG_CODE_GROUP_CYCLE = 57,
    /** No role and no group belongs to a group of a GangJob. @since 0.1 */
    GANG_CODE_GROUP_EMPTY = 58,
    /** The minimum of a group is greater than the number of its roles and groups. @since 0.1 */
    GANG_CODE_GROUP_MINIMUM = 59,
    /** An existing object did not belong to the job and is taken over, as requested. @since 0.1 */
    GANG_CODE_OBJECT_ADOPTED = 60,
    /**
     * A group can start without one of its subgroups, and KAI evicts all pods of a gang of which a
     * subgroup has fewer pods than its minimum for longer than the grace period. @since 0.1
     */
    GANG_CODE_OPTIONAL_GROUP_EVICTED = 61,
    /**
     * Two components of an AppWrapper would have gangs of the same name, so the pods of both would
     * join one group. @since 0.1
     */
    GANG_CODE_COMPONENTS_SHARE_NAME = 62,
    /** A role has a label that tells its units apart, and no unit of several pods. @since 0.1 */
    GANG_CODE_UNIT_LABEL_ALONE = 63,
    /**
     * The release of the scheduler is not known, or newer than libgang knows, so libgang assumes
     * the newest release that it knows. @since 0.1
     */
    GANG_CODE_RELEASE_ASSUMED = 66,
    /** The release of the scheduler does not read what libgang renders for a gang. @since 0.1 */
    GANG_CODE_SCHEDULER_TOO_OLD = 67,
    /**
     * If the JobSet restarts the job, the scheduler may start the new pods one by one. @since 0.1
     */
    GANG_CODE_RESTART_IS_NO_GANG = 68,
    /**
     * A pod template has a label or annotation that the scheduler ignores, because libgang sets
     * another one with the same meaning. @since 0.1
     */
    GANG_CODE_RIVAL_KEY = 69,
    /** The text is not well-formed. @since 0.1 */
    GANG_CODE_SYNTAX = 101,
    /** The text is not UTF-8. @since 0.1 */
    GANG_CODE_ENCODING = 102,
    /** The text contains a control character. @since 0.1 */
    GANG_CODE_CONTROL_CHARACTER = 103,
    /** The input must be one document but contains several. @since 0.1 */
    GANG_CODE_MULTIPLE_DOCUMENTS = 104,
    /** The document is empty. @since 0.1 */
    GANG_CODE_EMPTY_DOCUMENT = 105,
    /** The text contains a YAML directive. Directives are not accepted. @since 0.1 */
    GANG_CODE_DIRECTIVE = 106,
    /** The YAML tag is not accepted, or does not match its value. @since 0.1 */
    GANG_CODE_TAG = 107,
    /** An anchor contains itself. @since 0.1 */
    GANG_CODE_ALIAS_CYCLE = 108,
    /** An alias names an anchor that is not defined before the alias. @since 0.1 */
    GANG_CODE_ALIAS_UNKNOWN = 109,
    /** Merge keys are not allowed in this document. @since 0.1 */
    GANG_CODE_MERGE_FORBIDDEN = 110,
    /** The value of a merge key is not a mapping or a list of mappings. @since 0.1 */
    GANG_CODE_MERGE_INVALID = 111,
    /** A mapping contains the same key twice. @since 0.1 */
    GANG_CODE_DUPLICATE_KEY = 112,
    /** A key of a mapping is not a string. @since 0.1 */
    GANG_CODE_KEY_TYPE = 113,
    /** A number has more digits than can be stored exactly. @since 0.1 */
    GANG_CODE_NUMBER_PRECISION = 114,
    /** Infinity and NaN are not valid in a Kubernetes document. @since 0.1 */
    GANG_CODE_NON_FINITE_NUMBER = 115,
    /** There is text after a document separator. @since 0.1 */
    GANG_CODE_DOCUMENT_SEPARATOR = 116,
    /** This build of the library reads JSON only. @since 0.1 */
    GANG_CODE_YAML_NOT_BUILT = 117,
    /** An escape sequence contains half of a surrogate pair. @since 0.1 */
    GANG_CODE_LONE_SURROGATE = 118,
    /** The document has another kind or API version than expected. @since 0.1 */
    GANG_CODE_WRONG_DOCUMENT = 119,
    /** The document is larger than the limit. @since 0.1 */
    GANG_CODE_LIMIT_DOCUMENT_BYTES = 201,
    /** The stream, or the text of the live objects, is larger than the limit. @since 0.1 */
    GANG_CODE_LIMIT_STREAM_BYTES = 202,
    /** The stream has more documents, or there are more live objects, than the limit. @since 0.1 */
    GANG_CODE_LIMIT_STREAM_DOCUMENTS = 203,
    /** The document nests deeper than the limit. @since 0.1 */
    GANG_CODE_LIMIT_DEPTH = 204,
    /** With its aliases expanded, the document has more values than the limit. @since 0.1 */
    GANG_CODE_LIMIT_NODES = 205,
    /** The document has more anchors than the limit. @since 0.1 */
    GANG_CODE_LIMIT_ANCHORS = 206,
    /** The document has more aliases than the limit. @since 0.1 */
    GANG_CODE_LIMIT_ALIASES = 207,
    /** A mapping has more keys than the limit. @since 0.1 */
    GANG_CODE_LIMIT_MAP_KEYS = 208,
    /** A list has more items than the limit. @since 0.1 */
    GANG_CODE_LIMIT_LIST_ITEMS = 209,
    /** A scalar is longer than the limit. @since 0.1 */
    GANG_CODE_LIMIT_SCALAR_BYTES = 210,
    /** A key is longer than the limit. @since 0.1 */
    GANG_CODE_LIMIT_KEY_BYTES = 211,
    /** A role has more pods than the limit. @since 0.1 */
    GANG_CODE_LIMIT_COUNT_VALUE = 212,
    /** The job has more roles than the limit. @since 0.1 */
    GANG_CODE_LIMIT_ROLES = 213,
    /** A pod has more containers than the limit. @since 0.1 */
    GANG_CODE_LIMIT_CONTAINERS = 214,
    /** Reading the input needs more memory than the limit. @since 0.1 */
    GANG_CODE_LIMIT_MEMORY = 216,
    /** The output is larger than the limit. @since 0.1 */
    GANG_CODE_LIMIT_OUTPUT_BYTES = 217,
    /** The document makes more work than the limit on steps allows. @since 0.1 */
    GANG_CODE_LIMIT_STEPS = 218,
    /** The API has no field of this name here. The API server would drop it. @since 0.1 */
    GANG_CODE_UNKNOWN_FIELD = 301,
    /** The type of the value does not match the field. @since 0.1 */
    GANG_CODE_WRONG_TYPE = 302,
    /** A required field is missing or empty. @since 0.1 */
    GANG_CODE_REQUIRED_FIELD = 303,
    /** The field does not support this value. @since 0.1 */
    GANG_CODE_UNSUPPORTED_VALUE = 304,
    /** The number is outside the range of the field. @since 0.1 */
    GANG_CODE_VALUE_OUT_OF_RANGE = 305,
    /** The text is longer than the field allows. @since 0.1 */
    GANG_CODE_VALUE_TOO_LONG = 306,
    /** The list or mapping has more entries than the field allows. @since 0.1 */
    GANG_CODE_TOO_MANY_ITEMS = 307,
    /** Two items of a list have the same key. @since 0.1 */
    GANG_CODE_DUPLICATE_ITEM = 308,
    /** The text does not match the pattern of the field. @since 0.1 */
    GANG_CODE_PATTERN_MISMATCH = 309,
    /** An item of a list is null. @since 0.1 */
    GANG_CODE_NULL_ITEM = 310,
    /**
     * The API server refuses a fractional number in a CRD, but accepts it as a string. In its own
     * kinds, such as Job, it accepts both. @since 0.1
     */
    GANG_CODE_FRACTIONAL_NUMBER = 311,
    /** podGroupPolicy has a member that libgang does not know. @since 0.1 */
    GANG_CODE_UNKNOWN_GANG_POLICY = 312,
    /** The list or mapping has fewer entries than the field requires. @since 0.1 */
    GANG_CODE_TOO_FEW_ITEMS = 313,
    /** A name or key contains a NUL character. @since 0.1 */
    GANG_CODE_NUL_CHARACTER = 314,
    /**
     * The value of a free key, such as a label, is null. The API server drops the key. @since 0.1
     */
    GANG_CODE_NULL_VALUE = 315,
    /** The text is not a quantity. @since 0.1 */
    GANG_CODE_QUANTITY_SYNTAX = 401,
    /** The exponent of a quantity is outside the range -64 to 64. @since 0.1 */
    GANG_CODE_QUANTITY_RANGE = 402,
    /** A quantity or a sum of quantities exceeds 2^63-1. @since 0.1 */
    GANG_CODE_QUANTITY_OVERFLOW = 403,
    /** A request or limit is negative. @since 0.1 */
    GANG_CODE_QUANTITY_NEGATIVE = 404,
    /** The text of a quantity is longer than 64 bytes. @since 0.1 */
    GANG_CODE_QUANTITY_TOO_LONG = 405,
    /** A binary quantity above 2^63-1 is capped at 2^63-1. @since 0.1 */
    GANG_CODE_QUANTITY_CAPPED = 406,
    /**
     * The API server would refuse the pods: a container requests more than its limit, or requests
     * an extended resource or huge pages without a limit of the same quantity. A LimitRange or a
     * webhook can still add the limit. @since 0.1
     */
    GANG_CODE_LIMIT_MISMATCH = 407,
    /** A name does not follow the naming rules of its kind. @since 0.1 */
    GANG_CODE_INVALID_NAME = 411,
    /** The key of a label or annotation is not a qualified name. @since 0.1 */
    GANG_CODE_INVALID_LABEL_KEY = 412,
    /** A label value does not follow the rules of Kubernetes. @since 0.1 */
    GANG_CODE_INVALID_LABEL_VALUE = 413,
    /** The annotations of one object exceed 262144 bytes. @since 0.1 */
    GANG_CODE_ANNOTATIONS_TOO_LARGE = 414,
    /**
     * A name that JobSet derives from the name of the job, the name of the role and two numbers
     * exceeds 63 characters. @since 0.1
     */
    GANG_CODE_DERIVED_NAME_TOO_LONG = 415,
    /** JobSet cannot use the name of the role as a part of other names. @since 0.1 */
    GANG_CODE_INVALID_ROLE_NAME = 416,
    /** mlPolicy has more than one member. @since 0.1 */
    GANG_CODE_SEVERAL_POLICIES = 501,
    /** startupPolicy InOrder and dependsOn cannot be combined. @since 0.1 */
    GANG_CODE_START_ORDER_CONFLICT = 502,
    /** A role with an ancestor label must have one replica. @since 0.1 */
    GANG_CODE_ANCESTOR_REPLICAS = 503,
    /**
     * A role with an ancestor label does not have the container of the required name. @since 0.1
     */
    GANG_CODE_ANCESTOR_CONTAINER = 504,
    /** A dependency breaks a rule of JobSet. @since 0.1 */
    GANG_CODE_DEPENDENCY_RULE = 505,
    /** The manager of a runtimePatch is not a domain-prefixed path. @since 0.1 */
    GANG_CODE_PATCH_MANAGER = 506,
    /** A runtimePatch sets env on a container whose env the operator sets. @since 0.1 */
    GANG_CODE_PATCH_ENV_FORBIDDEN = 507,
    /** runLauncherAsNode with several nodes requires the roles launcher and node. @since 0.1 */
    GANG_CODE_MPI_ROLES_MISSING = 508,
    /** The TrainJob configures an initializer that the runtime does not have. @since 0.1 */
    GANG_CODE_INITIALIZER_ROLE_MISSING = 509,
    /** The TrainJob sets an environment variable that the operator sets. @since 0.1 */
    GANG_CODE_RESERVED_ENV = 510,
    /** The TrainJob requests something from torchtune that the operator refuses. @since 0.1 */
    GANG_CODE_TORCH_TUNE_RULE = 511,
    /** replicas times parallelism of a role exceeds 2147483647. @since 0.1 */
    GANG_CODE_PODS_OVERFLOW = 512,
    /** The runtime has the label for deprecated runtimes. @since 0.1 */
    GANG_CODE_DEPRECATED_RUNTIME = 513,
    /** The flux plugin of the operator crashes if the TrainJob has no numNodes. @since 0.1 */
    GANG_CODE_FLUX_NEEDS_NUM_NODES = 514,
    /** The operator does not support this MPI implementation. @since 0.1 */
    GANG_CODE_MPI_IMPLEMENTATION = 515,
    /**
     * The TrainJob uses a superseded form of patches that the current API does not have. @since 0.1
     */
    GANG_CODE_SUPERSEDED_PATCHES = 516,
    /** runtimeRef names an API group and kind that the operator does not know. @since 0.1 */
    GANG_CODE_UNSUPPORTED_RUNTIME_REF = 517,
    /**
     * The ancestor label is on the pod template, where the operator does not read it. @since 0.1
     */
    GANG_CODE_MISPLACED_ANCESTOR = 518,
    /** envInjection names a role or container that the runtime does not have. @since 0.1 */
    GANG_CODE_ENV_TARGET_MISSING = 519,
    /** envInjection names the container that always gets the environment variables. @since 0.1 */
    GANG_CODE_ENV_TARGET_FORBIDDEN = 520,
    /** A policy of the JobSet names a role that does not exist. @since 0.1 */
    GANG_CODE_UNKNOWN_ROLE = 521,
    /** A field of pods is in the spec of the JobSet, where the API server drops it. @since 0.1 */
    GANG_CODE_POD_FIELD_OF_JOBSET = 522,
    /**
     * The annotation `alpha.jobset.sigs.k8s.io/exclusive-topology` makes JobSet create one pod of
     * each Job first, and the others when that one has a node. Only the first ones can start
     * together. @since 0.1
     */
    GANG_CODE_EXCLUSIVE_TOPOLOGY = 523,
    /**
     * A Job with `alpha.jobset.sigs.k8s.io/exclusive-topology` has `completionMode: NonIndexed`.
     * JobSet's webhook refuses all its pods. @since 0.1
     */
    GANG_CODE_EXCLUSIVE_NOT_INDEXED = 524,
    /**
     * The policy gives the backend YuniKorn another schedulerName. YuniKorn ignores pods whose
     * schedulerName is not `yunikorn`. @since 0.1
     */
    GANG_CODE_YUNIKORN_SCHEDULER_NAME = 540,
    /**
     * The job has no namespace, so its application id may not be unique in the cluster. A second
     * job with the same id is not scheduled as a gang. @since 0.1
     */
    GANG_CODE_APP_ID_WITHOUT_NAMESPACE = 541,
    /**
     * The run number of the job is not known, so 0 is assumed. The application id of YuniKorn must
     * change after every resume. @since 0.1
     */
    GANG_CODE_RUN_UNKNOWN = 542,
    /**
     * The job was resumed and its run number is not known. With the application id of the earlier
     * pods, the new pods may start one by one, or never. @since 0.1
     */
    GANG_CODE_RUN_UNKNOWN_AFTER_RESUME = 543,
    /** The minimum of a role is greater than the number of its pods. @since 0.1 */
    GANG_CODE_MINIMUM_ABOVE_COUNT = 544,
    /**
     * `reserve: Always` holds the room of a late member from the start of the gang until the
     * timeout. @since 0.1
     */
    GANG_CODE_LATE_ROOM_IS_HELD = 545,
    /**
     * With the style Hard, a restart of YuniKorn may fail the running pods of the gang, and each
     * timeout fails all its waiting pods. @since 0.1
     */
    GANG_CODE_HARD_STYLE = 546,
    /** With the style Soft, the gang may start in part after the timeout. @since 0.1 */
    GANG_CODE_SOFT_STYLE = 547,
    /**
     * A waiting gang of YuniKorn holds the nodes that it has. Gangs of different queues can block
     * each other until the timeout, and a restart of YuniKorn reserves room for running gangs once
     * more. @since 0.1
     */
    GANG_CODE_PLACEHOLDERS_HOLD_ROOM = 548,
    /**
     * The scheduler uses the queue of the job only if its configuration allows it, and another one
     * otherwise. @since 0.1
     */
    GANG_CODE_QUEUE_MAY_BE_IGNORED = 549,
    /**
     * The cluster facts do not contain the queue. YuniKorn uses another queue or sets the pods to
     * Failed. @since 0.1
     */
    GANG_CODE_QUEUE_NOT_CONFIGURED = 550,
    /**
     * A queue or the quota of the namespace allows less than the gang needs. YuniKorn would refuse
     * the job and set its pods to Failed. @since 0.1
     */
    GANG_CODE_GANG_ABOVE_QUEUE = 551,
    /**
     * The queue does not have the sort policy fifo. YuniKorn would refuse the job and set its pods
     * to Failed. @since 0.1
     */
    GANG_CODE_QUEUE_SORT_POLICY = 552,
    /**
     * A ResourceQuota does not have room for the gang and its placeholders. YuniKorn would start
     * the pods one by one. @since 0.1
     */
    GANG_CODE_QUOTA_WITHOUT_PLACEHOLDERS = 553,
    /**
     * The pods of a member request nothing, so the scheduler reserves no resources for them. @since
     * 0.1
     */
    GANG_CODE_GANG_WITHOUT_RESOURCES = 554,
    /**
     * The pods of a member have only the requests of a LimitRange. If it changes, the pods do not
     * fit their placeholders, and the gang starts in part. @since 0.1
     */
    GANG_CODE_RESOURCES_OF_LIMIT_RANGE = 555,
    /** The annotation with the task groups is longer than the API server allows. @since 0.1 */
    GANG_CODE_TASK_GROUPS_TOO_LONG = 556,
    /**
     * The minimum of a role is less than the number of its pods. Koordinator never starts pods
     * beyond the minimum that exist when the gang starts. @since 0.1
     */
    GANG_CODE_ELASTIC_MINIMUM = 557,
    /**
     * The policy sets `reserve: Always`, but the scheduler reserves no room for pods that do not
     * exist. @since 0.1
     */
    GANG_CODE_RESERVE_NOT_POSSIBLE = 558,
    /** The scheduler accepts scheduleTimeoutSeconds, but it has no effect. @since 0.1 */
    GANG_CODE_TIMEOUT_WITHOUT_EFFECT = 559,
    /** Kueue places the pods of a role together, as its annotations say. @since 0.1 */
    GANG_CODE_KUEUE_TOPOLOGY = 560,
    /**
     * Kueue manages the job, and its webhook refuses labels, annotations or fields of it. @since
     * 0.1
     */
    GANG_CODE_KUEUE_REFUSES_JOB = 561,
    /**
     * The template of a role's pods or Job has Kueue's queue label. Kueue would queue them beside
     * their TrainJob, or admit the pods of a gang one by one. @since 0.1
     */
    GANG_CODE_KUEUE_QUEUE_ON_PODS = 562,
    /** The pods that Kueue may admit and the pods that the gang waits for differ. @since 0.1 */
    GANG_CODE_KUEUE_ADMITS_PART = 563,
    /**
     * The gang starts with fewer pods than the job has, but Kueue admits all of them or none.
     * @since 0.1
     */
    GANG_CODE_KUEUE_ADMITS_ALL = 564,
    /**
     * Kueue counts the job as ready only when its last role has started. With waitForPodsReady,
     * which is on since Kueue v0.19, it evicts a job that is not ready in time. @since 0.1
     */
    GANG_CODE_KUEUE_READINESS = 565,
    /**
     * Kueue or JobSet chooses nodes for the pods of a role, and the scheduler does not know it when
     * it reserves room for the gang. @since 0.1
     */
    GANG_CODE_PLACED_BY_OTHERS = 566,
    /** The policy does not enable a backend of this name. @since 0.1 */
    GANG_CODE_BACKEND_NOT_ENABLED = 601,
    /** The minimum of a range is larger than its maximum. @since 0.1 */
    GANG_CODE_EMPTY_RANGE = 602,
    /** The option belongs to a backend of another type, or is set twice. @since 0.1 */
    GANG_CODE_MISPLACED_OPTION = 603,
    /** The setting can never have an effect at this place. @since 0.1 */
    GANG_CODE_SETTING_WITHOUT_EFFECT = 604,
    /** The queue has more than one source. @since 0.1 */
    GANG_CODE_SEVERAL_QUEUE_SOURCES = 605,
    /** A name pattern contains a character that no such name contains. @since 0.1 */
    GANG_CODE_GLOB_SYNTAX = 606,
    /** The policy would set a reserved label or annotation on objects. @since 0.1 */
    GANG_CODE_RESERVED_OUTPUT_KEY = 607,
    /**
     * Two backends have the same schedulerName, so no template can choose between them. @since 0.1
     */
    GANG_CODE_SCHEDULER_OF_SEVERAL_BACKENDS = 608,
    /** Nothing selects this backend. @since 0.1 */
    GANG_CODE_UNREACHABLE_BACKEND = 609,
    /** No gang can satisfy this constraint. @since 0.1 */
    GANG_CODE_UNSATISFIABLE_CONSTRAINT = 610,
    /** The setting has no effect at this place. @since 0.1 */
    GANG_CODE_IDLE_SETTING = 611,
    /** The exclude of a rule or constraint excludes every job that its match selects. @since 0.1 */
    GANG_CODE_DEAD_RULE = 612,
    /**
     * The rule is shadowed: an earlier rule matches every job that this rule matches. @since 0.1
     */
    GANG_CODE_SHADOWED_RULE = 613,
    /**
     * The rules have too many entries, so libgang did not compare each rule with all earlier rules.
     * @since 0.1
     */
    GANG_CODE_RULES_NOT_COMPARED = 614,
    /** The policy has more rules or constraints than the limit of 1000. @since 0.1 */
    GANG_CODE_LIMIT_RULES = 615,
    /**
     * A rule or constraint has more entries in match and exclude than the limit of 100. @since 0.1
     */
    GANG_CODE_LIMIT_SELECTORS = 616,
    /** The policy has more backends than the limit of 16. @since 0.1 */
    GANG_CODE_LIMIT_BACKENDS = 617,
    /** A name pattern is longer than the limit of 253 characters. @since 0.1 */
    GANG_CODE_LIMIT_GLOB = 618,
    /**
     * A constraint of the policy denies every job that gets the backend of this rule. @since 0.1
     */
    GANG_CODE_BACKEND_FORBIDDEN = 619,
    /** The rule has no match, so it selects every job. @since 0.1 */
    GANG_CODE_RULE_WITHOUT_MATCH = 620,
    /** A constraint of the policy denies every job that gets the queue of this rule. @since 0.1 */
    GANG_CODE_QUEUE_FORBIDDEN = 621,
    /**
     * A constraint of the policy denies every job that gets the priority class of this rule. @since
     * 0.1
     */
    GANG_CODE_PRIORITY_FORBIDDEN = 622,
    /** The cluster facts do not contain the fact that this check needs. @since 0.1 */
    GANG_CODE_NOT_CHECKED = 640,
    /** The API server refuses the pods because of a LimitRange in the namespace. @since 0.1 */
    GANG_CODE_LIMIT_RANGE_VIOLATED = 641,
    /**
     * Several LimitRanges in the namespace set different defaults for a container. The API server
     * may use any of them. @since 0.1
     */
    GANG_CODE_LIMIT_RANGES_DISAGREE = 642,
    /**
     * The cluster has no RuntimeClass of this name, so the API server refuses the pods. @since 0.1
     */
    GANG_CODE_UNKNOWN_RUNTIME_CLASS = 643,
    /**
     * The overhead of the pod differs from the overhead of its RuntimeClass, so the API server
     * refuses the pod. @since 0.1
     */
    GANG_CODE_OVERHEAD_MISMATCH = 644,
    /**
     * The cluster has no PriorityClass of this name, so the API server refuses the pods. @since 0.1
     */
    GANG_CODE_UNKNOWN_PRIORITY_CLASS = 645,
    /**
     * The members have no priority class, so they get the default class of the cluster. @since 0.1
     */
    GANG_CODE_DEFAULT_PRIORITY_CLASS = 646,
    /** The scheduler has no queue of this name. @since 0.1 */
    GANG_CODE_UNKNOWN_QUEUE = 647,
    /** The Job controller creates a second gang for the same pods. @since 0.1 */
    GANG_CODE_SECOND_GANG = 648,
    /** The API server does not serve the objects of the chosen backend. @since 0.1 */
    GANG_CODE_NOT_SERVED = 649,
    /** A rule of the policy denies the job. @since 0.1 */
    GANG_CODE_RULE_DENIES = 670,
    /** The policy needs a namespace or its labels, and they are unknown. @since 0.1 */
    GANG_CODE_NAMESPACE_NOT_KNOWN = 671,
    /**
     * The policy derives the queue from a label or namespace that the job does not have, or from a
     * label that its namespace does not have. @since 0.1
     */
    GANG_CODE_QUEUE_NOT_DERIVED = 672,
    /** The policy requires a podGroupPolicy, and the runtime has none. @since 0.1 */
    GANG_CODE_GANG_POLICY_REQUIRED = 673,
    /** The runtime names a type with several enabled backends. @since 0.1 */
    GANG_CODE_BACKEND_AMBIGUOUS = 674,
    /** The gang breaks a constraint of the policy. @since 0.1 */
    GANG_CODE_CONSTRAINT_DENIES = 675,
    /** The gang breaks a constraint of the policy with `enforcement: Warn`. @since 0.1 */
    GANG_CODE_CONSTRAINT_WARNS = 676,
    /** Two controllers would each create a gang for the same pods. @since 0.1 */
    GANG_CODE_TWO_CONTROLLERS = 701,
    /**
     * No release of Kubeflow Trainer has this field yet. Its API server would drop the field.
     * @since 0.1
     */
    GANG_CODE_UNRELEASED_FIELD = 702,
    /**
     * The installed CRDs of JobSet or Trainer drop the pod field that refers to the group, so no
     * pod would join the group. @since 0.1
     */
    GANG_CODE_POD_FIELD_PRUNED = 703,
    /**
     * A feature gate that gangs need is off, so the API server silently drops the pod field that
     * refers to the group. @since 0.1
     */
    GANG_CODE_GATE_OFF = 704,
    /**
     * A field is omitted because its feature gate is off. The API server would silently drop it.
     * @since 0.1
     */
    GANG_CODE_GATED_FIELD_LOST = 705,
    /**
     * The version of the Workload API that the cluster serves does not have the field. @since 0.1
     */
    GANG_CODE_FIELD_NOT_IN_VERSION = 706,
    /** The Workload would have more than eight groups. @since 0.1 */
    GANG_CODE_TOO_MANY_GROUPS = 707,
    /** Two groups of one Workload would have the same name. @since 0.1 */
    GANG_CODE_DUPLICATE_GROUP = 708,
    /**
     * The name of a group is too long: the name of the PodGroup, at most 63 characters, has no
     * space for the name of the job. @since 0.1
     */
    GANG_CODE_NO_ROOM_FOR_NAME = 709,
    /** More fields of a union are set than allowed, or none where one is required. @since 0.1 */
    GANG_CODE_SCHEDULING_UNION = 710,
    /** A count that libgang computes from the roles of a group is set explicitly. @since 0.1 */
    GANG_CODE_COMPUTED_COUNT = 711,
    /**
     * disruptionMode `all` requires a gang. With `basic` API servers accept it, and no scheduler
     * applies it. @since 0.1
     */
    GANG_CODE_DISRUPTION_OF_BASIC = 712,
    /**
     * A pod template sets the priority number. Admission refuses it unless it equals the value of
     * the priority class. @since 0.1
     */
    GANG_CODE_PRIORITY_PRESET = 713,
    /**
     * Pods, their group and their priority class have different preemptionPolicies. The API server
     * refuses them, or the scheduler never schedules them. @since 0.1
     */
    GANG_CODE_PREEMPTION_MISMATCH = 714,
    /**
     * The pods do not have a resource claim of the group with the same name and source, so each pod
     * would reserve its own. @since 0.1
     */
    GANG_CODE_CLAIM_MISMATCH = 715,
    /** A pod in a group must not have evictionResponders. @since 0.1 */
    GANG_CODE_EVICTION_RESPONDERS = 716,
    /** A late member is scheduled individually, and no capacity is reserved for it. @since 0.1 */
    GANG_CODE_LATE_MEMBER_UNRESERVED = 717,
    /** The policy refuses members that are created after the first wave. @since 0.1 */
    GANG_CODE_LATE_MEMBERS_REFUSED = 718,
    /** The job has no uid, so the names differ from the names in the cluster. @since 0.1 */
    GANG_CODE_NAME_NOT_FINAL = 719,
    /**
     * Without the uid of the Workload, a PodGroup has no owner reference to its Workload. @since
     * 0.1
     */
    GANG_CODE_WORKLOAD_UID_NEEDED = 720,
    /** Every role must belong to exactly one group. @since 0.1 */
    GANG_CODE_TARGETED_ONCE = 721,
    /**
     * Roles of one group are before and after a Complete dependency, so they never run together.
     * @since 0.1
     */
    GANG_CODE_GROUP_SPANS_STAGES = 722,
    /**
     * The policy requests a CompositePodGroup if the cluster serves it, and libgang does not create
     * one. @since 0.1
     */
    GANG_CODE_COMPOSITE_NOT_MADE = 723,
    /**
     * Retired, no longer reported. The operator creates no Workloads, so `compatibility:
     * KubeflowTrainer` counts every role without a model to follow. @since 0.1
     */
    GANG_CODE_NO_UPSTREAM_GANG = 724,
    /**
     * The group has the policy basic, which is not a gang: its pods start one by one. @since 0.1
     */
    GANG_CODE_BASIC_GROUP = 725,
    /**
     * The priority class of the pods is above 1000000000, such as `system-node-critical`. The API
     * server accepts such pods, and refuses their PodGroup. @since 0.1
     */
    GANG_CODE_SYSTEM_PRIORITY = 726,
    /** With the PodGroup of KAI's podgrouper some pods of the job wait forever. @since 0.1 */
    GANG_CODE_KAI_DELEGATE_STUCK = 752,
    /** With the PodGroup of KAI's podgrouper the job runs but is not a gang. @since 0.1 */
    GANG_CODE_KAI_DELEGATE_NO_GANG = 753,
    /**
     * With the PodGroup of KAI's podgrouper the scheduler may evict the gang while a role has no
     * pods. @since 0.1
     */
    GANG_CODE_KAI_DELEGATE_EVICTED = 754,
    /**
     * libgang creates the PodGroup, because the PodGroup of KAI's podgrouper is not suitable.
     * @since 0.1
     */
    GANG_CODE_KAI_GROUP_CREATED = 755,
    /** This KAI release always moves pods to the podgrouper's own PodGroups. @since 0.1 */
    GANG_CODE_KAI_CREATE_UNSUPPORTED = 756,
    /**
     * This KAI release ignores finished pods and evicts a gang that seems to be incomplete. @since
     * 0.1
     */
    GANG_CODE_KAI_IGNORES_FINISHED = 757,
    /** KAI's webhook would refuse the PodGroup. @since 0.1 */
    GANG_CODE_KAI_GROUP_REFUSED = 758,
    /** KAI's webhook would report a warning for the PodGroup. @since 0.1 */
    GANG_CODE_KAI_GROUP_WARNING = 759,
    /** `podGroupPolicy.kai` is the superseded spelling of `kaiScheduler`. @since 0.1 */
    GANG_CODE_KAI_SUPERSEDED = 760,
    /** The plan does not show the PodGroup that KAI's podgrouper would create. @since 0.1 */
    GANG_CODE_KAI_NOT_PREDICTED = 761,
    /**
     * libgang sets the number of pods in an annotation of the JobSet, so that KAI's podgrouper
     * creates a gang. @since 0.1
     */
    GANG_CODE_KAI_MIN_MEMBER = 762,
    /**
     * A PodGroup of an earlier KAI release exists. The podgrouper keeps its shape, with which the
     * job is not a gang. @since 0.1
     */
    GANG_CODE_KAI_STAYS_FLAT = 763,
    /**
     * A label names a priority class that the cluster does not have. The scheduler then uses its
     * own default class. @since 0.1
     */
    GANG_CODE_PRIORITY_LABEL_UNKNOWN = 764,
    /**
     * The PodCliqueSet that controls the PodGang is unknown, so the queue is also unknown. @since
     * 0.1
     */
    GANG_CODE_PODGANG_OWNER = 801,
    /** The PodCliqueSet is not the one that controls the PodGang. @since 0.1 */
    GANG_CODE_PODCLIQUESET_MISMATCH = 802,
    /**
     * A PodGang, PodCliqueSet or ClusterTopologyBinding names a scheduler that is not enabled.
     * @since 0.1
     */
    GANG_CODE_SCHEDULER_NOT_ENABLED = 803,
    /**
     * The label of the PodGang names no enabled scheduler, so libgang uses the default, as Grove's
     * reconciler does. @since 0.1
     */
    GANG_CODE_SCHEDULER_FALLS_BACK = 804,
    /** Grove renders no PodGroup for this scheduler, so the pods start one by one. @since 0.1 */
    GANG_CODE_SCHEDULER_WITHOUT_GANGS = 805,
    /**
     * Neither the PodCliqueSet nor its cliques name a queue. KAI has no default queue. @since 0.1
     */
    GANG_CODE_GROVE_QUEUE_MISSING = 806,
    /** The PodCliqueSet and its cliques name different queues. @since 0.1 */
    GANG_CODE_GROVE_QUEUE_CONFLICT = 807,
    /**
     * Grove would use another queue than the queue of the PodCliqueSet or its cliques. @since 0.1
     */
    GANG_CODE_GROVE_QUEUE_NOT_READ = 808,
    /**
     * Retired, no longer reported. The policy has rules or constraints that apply to TrainJobs
     * only, so a PodGang would bypass them. @since 0.1
     */
    GANG_CODE_POLICY_NOT_FOR_PODGANGS = 809,
    /** Grove's backend for this scheduler does not accept topology constraints. @since 0.1 */
    GANG_CODE_GROVE_TOPOLOGY_REFUSED = 810,
    /** A topology constraint has no topology name. @since 0.1 */
    GANG_CODE_TOPOLOGY_NAME_MISSING = 811,
    /**
     * A topologyConstraintGroupConfig names a podgroup that the PodGang does not have, so the group
     * could never be complete. @since 0.1
     */
    GANG_CODE_PODGROUP_UNKNOWN = 812,
    /**
     * A podgroup is in two topologyConstraintGroupConfigs, so one of the groups could never be
     * complete. @since 0.1
     */
    GANG_CODE_PODGROUP_IN_TWO_CONFIGS = 813,
    /** The PodGroup of this Volcano version has no subGroupPolicy. @since 0.1 */
    GANG_CODE_VOLCANO_WITHOUT_SUB_GROUPS = 814,
    /** The layout Aggregate needs the base PodGang of the replica, and it is missing. @since 0.1 */
    GANG_CODE_BASE_PODGANG_MISSING = 815,
    /**
     * A PodGang does not have a Grove label that identifies its place in the replica. @since 0.1
     */
    GANG_CODE_GROVE_LABEL_MISSING = 816,
    /** PodGangs of one replica have different priority classes or topologies. @since 0.1 */
    GANG_CODE_PODGANGS_DISAGREE = 817,
    /** The PodGang is a part of the PodGroup in the plan of its base PodGang. @since 0.1 */
    GANG_CODE_IN_AGGREGATE = 818,
    /**
     * The policy needs the requests of the pods, and the PodCliqueSet that contains them is
     * missing. @since 0.1
     */
    GANG_CODE_REQUESTS_NOT_KNOWN = 819,
    /** The policy chooses a backend for a PodGang that Grove does not support. @since 0.1 */
    GANG_CODE_BACKEND_NOT_FOR_PODGANGS = 820,
    /**
     * A match combines properties that no kind of job has together, such as labels of PodGangs and
     * a runtime, so it never matches, or not for one of its kinds. @since 0.1
     */
    GANG_CODE_MATCH_OF_TWO_KINDS = 821,
    /** A pod does not have a Grove label that its scheduler needs to find its gang. @since 0.1 */
    GANG_CODE_POD_LABEL_MISSING = 822,
    /** The pod does not belong to the resolved PodGang. @since 0.1 */
    GANG_CODE_POD_OF_ANOTHER_GANG = 823,
    /** KAI would refuse the levels of the Topology for a ClusterTopologyBinding. @since 0.1 */
    GANG_CODE_TOPOLOGY_LEVELS_REFUSED = 824,
    /**
     * A Topology with the name of the binding exists, and the ClusterTopologyBinding does not
     * control it. libgang does not change it. @since 0.1
     */
    GANG_CODE_TOPOLOGY_NOT_OWNED = 825,
    /** The Topology that a ClusterTopologyBinding names for KAI does not exist. @since 0.1 */
    GANG_CODE_TOPOLOGY_NOT_FOUND = 826,
    /**
     * The Topology that a ClusterTopologyBinding names for KAI has other levels than the binding.
     * @since 0.1
     */
    GANG_CODE_TOPOLOGY_DRIFT = 827,
    /**
     * An object of this name exists, and another owner controls it. libgang does not change it.
     * @since 0.1
     */
    GANG_CODE_OBJECT_OF_ANOTHER = 851,
    /** An object of this name exists and belongs to an earlier job of the same name. @since 0.1 */
    GANG_CODE_OBJECT_OF_FORMER_JOB = 852,
    /**
     * An object of this name exists and has no controller, so libgang cannot know whether it
     * belongs to the job. @since 0.1
     */
    GANG_CODE_OBJECT_WITHOUT_OWNER = 853,
    /** An immutable field must change while pods of the gang exist. @since 0.1 */
    GANG_CODE_IMMUTABLE_FIELD = 854,
    /**
     * An immutable field must change in this object or in another object of its gang, so the object
     * is deleted and created again. @since 0.1
     */
    GANG_CODE_OBJECT_RECREATED = 855,
    /** The object is being deleted and can be created again only after it is gone. @since 0.1 */
    GANG_CODE_OBJECT_TERMINATING = 856,
    /**
     * A field of an existing object never changes, because the controllers of the scheduler keep
     * its first value. @since 0.1
     */
    GANG_CODE_FIELD_STAYS = 857,
    /**
     * The existing job has another uid than the rendered job, so objects of the old job would be
     * garbage-collected. @since 0.1
     */
    GANG_CODE_JOB_RECREATED = 858,
    /**
     * The uid of the job is unknown, so libgang identifies objects by the name of their owner and
     * deletes none. @since 0.1
     */
    GANG_CODE_OWNERSHIP_BY_NAME = 859,
    /** libgang does not create the object, because the job has no pods to schedule. @since 0.1 */
    GANG_CODE_OBJECT_WITHHELD = 860,
    /** An object that is no longer needed stays while pods refer to its group. @since 0.1 */
    GANG_CODE_OBJECT_STAYS = 861,
    /**
     * Under `compatibility: KubeflowTrainer` an existing object changes only while the job is
     * suspended, as with the operator. @since 0.1
     */
    GANG_CODE_WRITTEN_WHILE_SUSPENDED = 862,
    /** A document among the existing objects is not a Kubernetes object. @since 0.1 */
    GANG_CODE_NOT_AN_OBJECT = 863,
    /**
     * The JobSet exists with another scheduler, gang, priority class or number of pods than the
     * plan, and does not allow a change. Its pods cannot start, or the job cannot be resumed.
     * @since 0.1
     */
    GANG_CODE_JOB_SET_FROZEN = 864,
    /**
     * The JobSet exists with another scheduler, gang, priority class or number of pods than the
     * plan, and does not allow a change. The job keeps the gang that it has. @since 0.1
     */
    GANG_CODE_GANG_KEPT = 865,
    /**
     * The TrainJob is suspended, and no suspended JobSet is among the existing objects. @since 0.1
     */
    GANG_CODE_SUSPENSION_NOT_SEEN = 866,
    /**
     * libgang does not create or change the object, because another object of the plan is in
     * conflict, or because the pods of the JobSet keep the gang that they have. @since 0.1
     */
    GANG_CODE_OBJECT_HELD_BACK = 867,
    /**
     * The JobSet exists, and its pods name no group of any scheduler: the job is no gang, and its
     * pods start one by one. The JobSet was created without the marks of the plan, or its CRD
     * dropped the field `schedulingGroup`, as before JobSet v0.12. @since 0.1
     */
    GANG_CODE_PODS_WITHOUT_GANG = 868,
    /**
     * A number of a role does not fit its other numbers, such as a minCount above count. @since 0.1
     */
    GANG_CODE_ROLE_COUNTS_DISAGREE = 901,
    /** A role has both a pod template and requests. @since 0.1 */
    GANG_CODE_TEMPLATE_AND_REQUESTS = 902,
    /**
     * A role has neither a pod template nor requests, so its pods count without resources. @since
     * 0.1
     */
    GANG_CODE_ROLE_REQUESTS_UNKNOWN = 903,
    /** The job has fewer gangs than the index says. @since 0.1 */
    GANG_CODE_NO_SUCH_GANG = 904,
    /**
     * The operator of the job runs with an option with which it makes a PodGroup of every job
     * itself: the GangCluster or a PodGroup of the operator says so. libgang makes no second gang
     * of a job if the GangCluster says it, and never deletes the operator's PodGroup. @since 0.1
     */
    GANG_CODE_OPERATOR_MAKES_GANG = 905,
    /**
     * Kubernetes or the operator makes the gang of this job, because a field of the job asks for
     * it, so libgang renders nothing. @since 0.1
     */
    GANG_CODE_NATIVE_GANG = 920,
    /**
     * The pods of a Job need not start together, so it has no gang: only a Job with
     * `completionMode: Indexed` and `parallelism` equal to `completions` is one by itself. @since
     * 0.1
     */
    GANG_CODE_JOB_IS_NO_GANG = 921,
    /** An annotation has a value that cannot be used. @since 0.1 */
    GANG_CODE_ANNOTATION_NOT_USED = 922,
    /**
     * A job will have fewer pods than its gang needs before it ends. Pods that start then wait
     * forever. @since 0.1
     */
    GANG_CODE_GANG_OUTLIVES_PODS = 923,
    /** A StatefulSet creates its pods one after another, so it has no gang. @since 0.1 */
    GANG_CODE_ORDERED_PODS = 924,
    /** A component of an AppWrapper is of a kind that is not read, so it has no gang. @since 0.1 */
    GANG_CODE_COMPONENT_IS_NO_JOB = 926,
    /**
     * KubeRay creates another number of replicas of a worker group than the document says, because
     * of minReplicas and maxReplicas. @since 0.1
     */
    GANG_CODE_RAY_REPLICAS_LIMITED = 931,
    /**
     * The label `ray.io/gang-scheduling-enabled` asks KubeRay for a gang of its own, so libgang
     * makes none. @since 0.1
     */
    GANG_CODE_RAY_OWN_GANG = 932,
    /**
     * During an upgrade of a RayService, the pods of two RayClusters are in one gang. @since 0.1
     */
    GANG_CODE_RAY_CLUSTERS_SHARE_GANG = 933,
    /**
     * A worker group has no pods now, and pods that the autoscaler adds to it will have another
     * priority class or scheduler than the head. The gang must agree only on the pods that it has.
     * @since 0.1
     */
    GANG_CODE_RAY_GROWTH_DIFFERS = 934,
    /**
     * The LeaderWorkerSet has `spec.scheduling`, so LWS creates a PodGroup for each group and
     * libgang renders none. @since 0.1
     */
    GANG_CODE_LWS_OWN_GANG = 935,
    /**
     * The LeaderWorkerSet is for a scheduler that LWS has a schedulerProvider for. With it, LWS
     * creates PodGroups of its own for the same pods. @since 0.1
     */
    GANG_CODE_LWS_PROVIDER_ON = 936,
    /**
     * The operator of the job has an option with which it creates a PodGroup itself. Both would
     * have the same name, and the operator would overwrite the one that libgang creates. @since 0.1
     */
    GANG_CODE_OPERATOR_GANG_OPTION = 940,
    /**
     * The job sets the resources of its PodGroup, which libgang computes from the pods. @since 0.1
     */
    GANG_CODE_MIN_RESOURCES_COMPUTED = 941,
    /** The operator or its webhook refuses the job. @since 0.1 */
    GANG_CODE_REFUSED_BY_OPERATOR = 942,
    /**
     * A replica type is written in another case than the webhook of the operator accepts. @since
     * 0.1
     */
    GANG_CODE_REPLICA_TYPE_CASE = 943,
    /**
     * A size or a factor of Spark's memory cannot be read. Sizes are those of the JVM: `1g` is 1Gi.
     * @since 0.1
     */
    GANG_CODE_JAVA_SIZE = 944,
    /** The job asks its operator for a group of its own, so libgang makes none. @since 0.1 */
    GANG_CODE_GANG_OF_OPERATOR = 945,
    /** The driver of a SparkApplication in the mode client is no pod of the job. @since 0.1 */
    GANG_CODE_DRIVER_IN_OPERATOR = 946,
    /**
     * A group of pods has fewer pods that can run than the annotation
     * `kueue.x-k8s.io/pod-group-total-count` says. @since 0.1
     */
    GANG_CODE_POD_GROUP_INCOMPLETE = 947,
    /** A pod has a scheduling gate, so the scheduler ignores it, and its gang waits. @since 0.1 */
    GANG_CODE_POD_HAS_GATE = 948,
    /** Two labels or annotations of a pod name different groups. @since 0.1 */
    GANG_CODE_POD_IN_TWO_GROUPS = 949,
    /**
     * A group of pods has more pods than the annotation `kueue.x-k8s.io/pod-group-total-count`
     * says. Kueue deletes those that were created last. @since 0.1
     */
    GANG_CODE_EXCESS_PODS = 950,
    /** A pod of a list is in no gang, because no label or annotation names its group. @since 0.1 */
    GANG_CODE_POD_WITHOUT_GROUP = 951,
    /**
     * The operator labels the pods of a unit only with a feature gate. A scheduler that reads the
     * label does not start the gang without it. @since 0.1
     */
    GANG_CODE_UNIT_LABEL_OF_GATE = 952,
    /**
     * A subgroup of a LeaderWorkerSet has the leader and workers, so the subgroups are not units of
     * one role. All pods of a group start together, except with the startupPolicy LeaderReady and
     * with exclusive-topology: then parts of subgroups may start. @since 0.1
     */
    GANG_CODE_SUBGROUPS_OF_TWO_ROLES = 953,
    /**
     * A role of a JobSet waits for Jobs that never complete, because their parallelism is 0. The
     * operator never creates it, so the gang does not count it. @since 0.1
     */
    GANG_CODE_ROLE_NEVER_CREATED = 954
};

#endif
