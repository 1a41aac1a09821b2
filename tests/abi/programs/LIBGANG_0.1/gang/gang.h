/* SPDX-License-Identifier: Apache-2.0 */
/* clang-format off */
#ifndef GANG_GANG_VERSION_H
#define GANG_GANG_VERSION_H
#define GANG_VERSION_MAJOR 0
#define GANG_VERSION_MINOR 1
#define GANG_VERSION_PATCH 0
#define GANG_VERSION_TEXT "0.1.0"
#define GANG_VERSION_AT_LEAST(major, minor, patch)                                                 \
    (GANG_VERSION_MAJOR > (major) ||                                                               \
     (GANG_VERSION_MAJOR == (major) &&                                                             \
      (GANG_VERSION_MINOR > (minor) ||                                                             \
       (GANG_VERSION_MINOR == (minor) && GANG_VERSION_PATCH >= (patch)))))
#endif
#ifndef GANG_GANG_ERRORS_H
#define GANG_GANG_ERRORS_H
enum gang_code {
    GANG_CODE_OUT_OF_MEMORY = 1,
    GANG_CODE_API_MISUSE = 2,
    GANG_CODE_TOO_MANY_DIAGNOSTICS = 3,
    GANG_CODE_SCHEDULER_NAME_SET = 4,
    GANG_CODE_DEFAULT_APPLIED = 5,
    GANG_CODE_NO_OWNER_UID = 6,
    GANG_CODE_BACKEND_CONFLICT = 7,
    GANG_CODE_SCHEDULER_MISMATCH = 8,
    GANG_CODE_SCHEDULERS_DISAGREE = 9,
    GANG_CODE_PRIORITIES_DISAGREE = 10,
    GANG_CODE_RESERVED_MARK = 11,
    GANG_CODE_STRUCTURAL_DEADLOCK = 12,
    GANG_CODE_LATE_MEMBERS = 13,
    GANG_CODE_MIN_RESOURCES_LEFT_OUT = 14,
    GANG_CODE_RETRIED_POD_WAITS = 16,
    GANG_CODE_GANG_STAGE_AMBIGUOUS = 17,
    GANG_CODE_EMPTY_GANG = 18,
    GANG_CODE_START_ORDER_CYCLE = 19,
    GANG_CODE_UNKNOWN_DEPENDENCY = 20,
    GANG_CODE_COUNT_OVERFLOW = 22,
    GANG_CODE_LAUNCHER_NODE_MINIMUM = 25,
    GANG_CODE_LAUNCHER_SCALED = 26,
    GANG_CODE_RESOURCES_NOT_APPLIED = 27,
    GANG_CODE_REPLICAS_IGNORED = 28,
    GANG_CODE_NUM_NODES_NOT_POSITIVE = 29,
    GANG_CODE_PRIORITY_LAST_WINS = 30,
    GANG_CODE_COMPLETIONS_OVERWRITTEN = 31,
    GANG_CODE_SECOND_TRAINER_KEEPS_COUNT = 32,
    GANG_CODE_LIMITS_NOT_COUNTED = 33,
    GANG_CODE_SCHEDULER_NAME_MISSING = 34,
    GANG_CODE_MANAGED_ELSEWHERE = 35,
    GANG_CODE_RUNTIME_MISMATCH = 36,
    GANG_CODE_EMPTY_QUEUE = 37,
    GANG_CODE_FIELD_LOST = 38,
    GANG_CODE_TIMEOUT_IS_DEFAULT = 39,
    GANG_CODE_NEGATIVE_TIMEOUT = 40,
    GANG_CODE_PATCH_TARGET_UNKNOWN = 41,
    GANG_CODE_TOPOLOGY_NOT_ENFORCED = 42,
    GANG_CODE_MARK_ON_WAITING_ROLE = 43,
    GANG_CODE_OVERRIDDEN_BY_POLICY = 44,
    GANG_CODE_QUEUE_OF_ANOTHER_BACKEND = 45,
    GANG_CODE_TWO_QUEUES = 46,
    GANG_CODE_TOPOLOGY_LEVEL = 47,
    GANG_CODE_QUEUES_DISAGREE = 48,
    GANG_CODE_RULE_OVERRIDDEN = 49,
    GANG_CODE_WRONG_INPUT = 50,
    GANG_CODE_NOT_IN_TARGET = 51,
    GANG_CODE_PATCH_OUTDATED = 52,
    GANG_CODE_READY_OF_ELASTIC_ROLE = 53,
    GANG_CODE_EMPTY_DEPENDENCY = 54,
    GANG_CODE_ELASTIC_LOST = 55,
    GANG_CODE_GROUP_NOT_FOUND = 56,
    GANG_CODE_GROUP_CYCLE = 57,
    GANG_CODE_GROUP_EMPTY = 58,
    GANG_CODE_GROUP_MINIMUM = 59,
    GANG_CODE_OBJECT_ADOPTED = 60,
    GANG_CODE_OPTIONAL_GROUP_EVICTED = 61,
    GANG_CODE_COMPONENTS_SHARE_NAME = 62,
    GANG_CODE_UNIT_LABEL_ALONE = 63,
    GANG_CODE_RELEASE_ASSUMED = 66,
    GANG_CODE_SCHEDULER_TOO_OLD = 67,
    GANG_CODE_RESTART_IS_NO_GANG = 68,
    GANG_CODE_RIVAL_KEY = 69,
    GANG_CODE_SYNTAX = 101,
    GANG_CODE_ENCODING = 102,
    GANG_CODE_CONTROL_CHARACTER = 103,
    GANG_CODE_MULTIPLE_DOCUMENTS = 104,
    GANG_CODE_EMPTY_DOCUMENT = 105,
    GANG_CODE_DIRECTIVE = 106,
    GANG_CODE_TAG = 107,
    GANG_CODE_ALIAS_CYCLE = 108,
    GANG_CODE_ALIAS_UNKNOWN = 109,
    GANG_CODE_MERGE_FORBIDDEN = 110,
    GANG_CODE_MERGE_INVALID = 111,
    GANG_CODE_DUPLICATE_KEY = 112,
    GANG_CODE_KEY_TYPE = 113,
    GANG_CODE_NUMBER_PRECISION = 114,
    GANG_CODE_NON_FINITE_NUMBER = 115,
    GANG_CODE_DOCUMENT_SEPARATOR = 116,
    GANG_CODE_YAML_NOT_BUILT = 117,
    GANG_CODE_LONE_SURROGATE = 118,
    GANG_CODE_WRONG_DOCUMENT = 119,
    GANG_CODE_LIMIT_DOCUMENT_BYTES = 201,
    GANG_CODE_LIMIT_STREAM_BYTES = 202,
    GANG_CODE_LIMIT_STREAM_DOCUMENTS = 203,
    GANG_CODE_LIMIT_DEPTH = 204,
    GANG_CODE_LIMIT_NODES = 205,
    GANG_CODE_LIMIT_ANCHORS = 206,
    GANG_CODE_LIMIT_ALIASES = 207,
    GANG_CODE_LIMIT_MAP_KEYS = 208,
    GANG_CODE_LIMIT_LIST_ITEMS = 209,
    GANG_CODE_LIMIT_SCALAR_BYTES = 210,
    GANG_CODE_LIMIT_KEY_BYTES = 211,
    GANG_CODE_LIMIT_COUNT_VALUE = 212,
    GANG_CODE_LIMIT_ROLES = 213,
    GANG_CODE_LIMIT_CONTAINERS = 214,
    GANG_CODE_LIMIT_MEMORY = 216,
    GANG_CODE_LIMIT_OUTPUT_BYTES = 217,
    GANG_CODE_LIMIT_STEPS = 218,
    GANG_CODE_UNKNOWN_FIELD = 301,
    GANG_CODE_WRONG_TYPE = 302,
    GANG_CODE_REQUIRED_FIELD = 303,
    GANG_CODE_UNSUPPORTED_VALUE = 304,
    GANG_CODE_VALUE_OUT_OF_RANGE = 305,
    GANG_CODE_VALUE_TOO_LONG = 306,
    GANG_CODE_TOO_MANY_ITEMS = 307,
    GANG_CODE_DUPLICATE_ITEM = 308,
    GANG_CODE_PATTERN_MISMATCH = 309,
    GANG_CODE_NULL_ITEM = 310,
    GANG_CODE_FRACTIONAL_NUMBER = 311,
    GANG_CODE_UNKNOWN_GANG_POLICY = 312,
    GANG_CODE_TOO_FEW_ITEMS = 313,
    GANG_CODE_NUL_CHARACTER = 314,
    GANG_CODE_NULL_VALUE = 315,
    GANG_CODE_QUANTITY_SYNTAX = 401,
    GANG_CODE_QUANTITY_RANGE = 402,
    GANG_CODE_QUANTITY_OVERFLOW = 403,
    GANG_CODE_QUANTITY_NEGATIVE = 404,
    GANG_CODE_QUANTITY_TOO_LONG = 405,
    GANG_CODE_QUANTITY_CAPPED = 406,
    GANG_CODE_LIMIT_MISMATCH = 407,
    GANG_CODE_INVALID_NAME = 411,
    GANG_CODE_INVALID_LABEL_KEY = 412,
    GANG_CODE_INVALID_LABEL_VALUE = 413,
    GANG_CODE_ANNOTATIONS_TOO_LARGE = 414,
    GANG_CODE_DERIVED_NAME_TOO_LONG = 415,
    GANG_CODE_INVALID_ROLE_NAME = 416,
    GANG_CODE_SEVERAL_POLICIES = 501,
    GANG_CODE_START_ORDER_CONFLICT = 502,
    GANG_CODE_ANCESTOR_REPLICAS = 503,
    GANG_CODE_ANCESTOR_CONTAINER = 504,
    GANG_CODE_DEPENDENCY_RULE = 505,
    GANG_CODE_PATCH_MANAGER = 506,
    GANG_CODE_PATCH_ENV_FORBIDDEN = 507,
    GANG_CODE_MPI_ROLES_MISSING = 508,
    GANG_CODE_INITIALIZER_ROLE_MISSING = 509,
    GANG_CODE_RESERVED_ENV = 510,
    GANG_CODE_TORCH_TUNE_RULE = 511,
    GANG_CODE_PODS_OVERFLOW = 512,
    GANG_CODE_DEPRECATED_RUNTIME = 513,
    GANG_CODE_FLUX_NEEDS_NUM_NODES = 514,
    GANG_CODE_MPI_IMPLEMENTATION = 515,
    GANG_CODE_SUPERSEDED_PATCHES = 516,
    GANG_CODE_UNSUPPORTED_RUNTIME_REF = 517,
    GANG_CODE_MISPLACED_ANCESTOR = 518,
    GANG_CODE_ENV_TARGET_MISSING = 519,
    GANG_CODE_ENV_TARGET_FORBIDDEN = 520,
    GANG_CODE_UNKNOWN_ROLE = 521,
    GANG_CODE_POD_FIELD_OF_JOBSET = 522,
    GANG_CODE_EXCLUSIVE_TOPOLOGY = 523,
    GANG_CODE_EXCLUSIVE_NOT_INDEXED = 524,
    GANG_CODE_SUPERSEDED_FIELD = 525,
    GANG_CODE_YUNIKORN_SCHEDULER_NAME = 540,
    GANG_CODE_APP_ID_WITHOUT_NAMESPACE = 541,
    GANG_CODE_RUN_UNKNOWN = 542,
    GANG_CODE_RUN_UNKNOWN_AFTER_RESUME = 543,
    GANG_CODE_MINIMUM_ABOVE_COUNT = 544,
    GANG_CODE_LATE_ROOM_IS_HELD = 545,
    GANG_CODE_HARD_STYLE = 546,
    GANG_CODE_SOFT_STYLE = 547,
    GANG_CODE_PLACEHOLDERS_HOLD_ROOM = 548,
    GANG_CODE_QUEUE_MAY_BE_IGNORED = 549,
    GANG_CODE_QUEUE_NOT_CONFIGURED = 550,
    GANG_CODE_GANG_ABOVE_QUEUE = 551,
    GANG_CODE_QUEUE_SORT_POLICY = 552,
    GANG_CODE_QUOTA_WITHOUT_PLACEHOLDERS = 553,
    GANG_CODE_GANG_WITHOUT_RESOURCES = 554,
    GANG_CODE_RESOURCES_OF_LIMIT_RANGE = 555,
    GANG_CODE_TASK_GROUPS_TOO_LONG = 556,
    GANG_CODE_ELASTIC_MINIMUM = 557,
    GANG_CODE_RESERVE_NOT_POSSIBLE = 558,
    GANG_CODE_TIMEOUT_WITHOUT_EFFECT = 559,
    GANG_CODE_KUEUE_TOPOLOGY = 560,
    GANG_CODE_KUEUE_REFUSES_JOB = 561,
    GANG_CODE_KUEUE_QUEUE_ON_PODS = 562,
    GANG_CODE_KUEUE_ADMITS_PART = 563,
    GANG_CODE_KUEUE_ADMITS_ALL = 564,
    GANG_CODE_KUEUE_READINESS = 565,
    GANG_CODE_PLACED_BY_OTHERS = 566,
    GANG_CODE_BACKEND_NOT_ENABLED = 601,
    GANG_CODE_EMPTY_RANGE = 602,
    GANG_CODE_MISPLACED_OPTION = 603,
    GANG_CODE_SETTING_WITHOUT_EFFECT = 604,
    GANG_CODE_SEVERAL_QUEUE_SOURCES = 605,
    GANG_CODE_GLOB_SYNTAX = 606,
    GANG_CODE_RESERVED_OUTPUT_KEY = 607,
    GANG_CODE_SCHEDULER_OF_SEVERAL_BACKENDS = 608,
    GANG_CODE_UNREACHABLE_BACKEND = 609,
    GANG_CODE_UNSATISFIABLE_CONSTRAINT = 610,
    GANG_CODE_IDLE_SETTING = 611,
    GANG_CODE_DEAD_RULE = 612,
    GANG_CODE_SHADOWED_RULE = 613,
    GANG_CODE_RULES_NOT_COMPARED = 614,
    GANG_CODE_LIMIT_RULES = 615,
    GANG_CODE_LIMIT_SELECTORS = 616,
    GANG_CODE_LIMIT_BACKENDS = 617,
    GANG_CODE_LIMIT_GLOB = 618,
    GANG_CODE_BACKEND_FORBIDDEN = 619,
    GANG_CODE_RULE_WITHOUT_MATCH = 620,
    GANG_CODE_QUEUE_FORBIDDEN = 621,
    GANG_CODE_PRIORITY_FORBIDDEN = 622,
    GANG_CODE_NOT_CHECKED = 640,
    GANG_CODE_LIMIT_RANGE_VIOLATED = 641,
    GANG_CODE_LIMIT_RANGES_DISAGREE = 642,
    GANG_CODE_UNKNOWN_RUNTIME_CLASS = 643,
    GANG_CODE_OVERHEAD_MISMATCH = 644,
    GANG_CODE_UNKNOWN_PRIORITY_CLASS = 645,
    GANG_CODE_DEFAULT_PRIORITY_CLASS = 646,
    GANG_CODE_UNKNOWN_QUEUE = 647,
    GANG_CODE_SECOND_GANG = 648,
    GANG_CODE_NOT_SERVED = 649,
    GANG_CODE_RULE_DENIES = 670,
    GANG_CODE_NAMESPACE_NOT_KNOWN = 671,
    GANG_CODE_QUEUE_NOT_DERIVED = 672,
    GANG_CODE_GANG_POLICY_REQUIRED = 673,
    GANG_CODE_BACKEND_AMBIGUOUS = 674,
    GANG_CODE_CONSTRAINT_DENIES = 675,
    GANG_CODE_CONSTRAINT_WARNS = 676,
    GANG_CODE_TWO_CONTROLLERS = 701,
    GANG_CODE_UNRELEASED_FIELD = 702,
    GANG_CODE_POD_FIELD_PRUNED = 703,
    GANG_CODE_GATE_OFF = 704,
    GANG_CODE_GATED_FIELD_LOST = 705,
    GANG_CODE_FIELD_NOT_IN_VERSION = 706,
    GANG_CODE_TOO_MANY_GROUPS = 707,
    GANG_CODE_DUPLICATE_GROUP = 708,
    GANG_CODE_NO_ROOM_FOR_NAME = 709,
    GANG_CODE_SCHEDULING_UNION = 710,
    GANG_CODE_COMPUTED_COUNT = 711,
    GANG_CODE_DISRUPTION_OF_BASIC = 712,
    GANG_CODE_PRIORITY_PRESET = 713,
    GANG_CODE_PREEMPTION_MISMATCH = 714,
    GANG_CODE_CLAIM_MISMATCH = 715,
    GANG_CODE_EVICTION_RESPONDERS = 716,
    GANG_CODE_LATE_MEMBER_UNRESERVED = 717,
    GANG_CODE_LATE_MEMBERS_REFUSED = 718,
    GANG_CODE_NAME_NOT_FINAL = 719,
    GANG_CODE_WORKLOAD_UID_NEEDED = 720,
    GANG_CODE_TARGETED_ONCE = 721,
    GANG_CODE_GROUP_SPANS_STAGES = 722,
    GANG_CODE_COMPOSITE_NOT_MADE = 723,
    GANG_CODE_NO_UPSTREAM_GANG = 724,
    GANG_CODE_BASIC_GROUP = 725,
    GANG_CODE_SYSTEM_PRIORITY = 726,
    GANG_CODE_KAI_DELEGATE_STUCK = 752,
    GANG_CODE_KAI_DELEGATE_NO_GANG = 753,
    GANG_CODE_KAI_DELEGATE_EVICTED = 754,
    GANG_CODE_KAI_GROUP_CREATED = 755,
    GANG_CODE_KAI_CREATE_UNSUPPORTED = 756,
    GANG_CODE_KAI_IGNORES_FINISHED = 757,
    GANG_CODE_KAI_GROUP_REFUSED = 758,
    GANG_CODE_KAI_GROUP_WARNING = 759,
    GANG_CODE_KAI_SUPERSEDED = 760,
    GANG_CODE_KAI_NOT_PREDICTED = 761,
    GANG_CODE_KAI_MIN_MEMBER = 762,
    GANG_CODE_KAI_STAYS_FLAT = 763,
    GANG_CODE_PRIORITY_LABEL_UNKNOWN = 764,
    GANG_CODE_PODGANG_OWNER = 801,
    GANG_CODE_PODCLIQUESET_MISMATCH = 802,
    GANG_CODE_SCHEDULER_NOT_ENABLED = 803,
    GANG_CODE_SCHEDULER_FALLS_BACK = 804,
    GANG_CODE_SCHEDULER_WITHOUT_GANGS = 805,
    GANG_CODE_GROVE_QUEUE_MISSING = 806,
    GANG_CODE_GROVE_QUEUE_CONFLICT = 807,
    GANG_CODE_GROVE_QUEUE_NOT_READ = 808,
    GANG_CODE_POLICY_NOT_FOR_PODGANGS = 809,
    GANG_CODE_GROVE_TOPOLOGY_REFUSED = 810,
    GANG_CODE_TOPOLOGY_NAME_MISSING = 811,
    GANG_CODE_PODGROUP_UNKNOWN = 812,
    GANG_CODE_PODGROUP_IN_TWO_CONFIGS = 813,
    GANG_CODE_VOLCANO_WITHOUT_SUB_GROUPS = 814,
    GANG_CODE_BASE_PODGANG_MISSING = 815,
    GANG_CODE_GROVE_LABEL_MISSING = 816,
    GANG_CODE_PODGANGS_DISAGREE = 817,
    GANG_CODE_IN_AGGREGATE = 818,
    GANG_CODE_REQUESTS_NOT_KNOWN = 819,
    GANG_CODE_BACKEND_NOT_FOR_PODGANGS = 820,
    GANG_CODE_MATCH_OF_TWO_KINDS = 821,
    GANG_CODE_POD_LABEL_MISSING = 822,
    GANG_CODE_POD_OF_ANOTHER_GANG = 823,
    GANG_CODE_TOPOLOGY_LEVELS_REFUSED = 824,
    GANG_CODE_TOPOLOGY_NOT_OWNED = 825,
    GANG_CODE_TOPOLOGY_NOT_FOUND = 826,
    GANG_CODE_TOPOLOGY_DRIFT = 827,
    GANG_CODE_OBJECT_OF_ANOTHER = 851,
    GANG_CODE_OBJECT_OF_FORMER_JOB = 852,
    GANG_CODE_OBJECT_WITHOUT_OWNER = 853,
    GANG_CODE_IMMUTABLE_FIELD = 854,
    GANG_CODE_OBJECT_RECREATED = 855,
    GANG_CODE_OBJECT_TERMINATING = 856,
    GANG_CODE_FIELD_STAYS = 857,
    GANG_CODE_JOB_RECREATED = 858,
    GANG_CODE_OWNERSHIP_BY_NAME = 859,
    GANG_CODE_OBJECT_WITHHELD = 860,
    GANG_CODE_OBJECT_STAYS = 861,
    GANG_CODE_WRITTEN_WHILE_SUSPENDED = 862,
    GANG_CODE_NOT_AN_OBJECT = 863,
    GANG_CODE_JOB_SET_FROZEN = 864,
    GANG_CODE_GANG_KEPT = 865,
    GANG_CODE_SUSPENSION_NOT_SEEN = 866,
    GANG_CODE_OBJECT_HELD_BACK = 867,
    GANG_CODE_PODS_WITHOUT_GANG = 868,
    GANG_CODE_ROLE_COUNTS_DISAGREE = 901,
    GANG_CODE_TEMPLATE_AND_REQUESTS = 902,
    GANG_CODE_ROLE_REQUESTS_UNKNOWN = 903,
    GANG_CODE_NO_SUCH_GANG = 904,
    GANG_CODE_OPERATOR_MAKES_GANG = 905,
    GANG_CODE_NATIVE_GANG = 920,
    GANG_CODE_JOB_IS_NO_GANG = 921,
    GANG_CODE_ANNOTATION_NOT_USED = 922,
    GANG_CODE_GANG_OUTLIVES_PODS = 923,
    GANG_CODE_ORDERED_PODS = 924,
    GANG_CODE_COMPONENT_IS_NO_JOB = 926,
    GANG_CODE_RAY_REPLICAS_LIMITED = 931,
    GANG_CODE_RAY_OWN_GANG = 932,
    GANG_CODE_RAY_CLUSTERS_SHARE_GANG = 933,
    GANG_CODE_RAY_GROWTH_DIFFERS = 934,
    GANG_CODE_LWS_OWN_GANG = 935,
    GANG_CODE_LWS_PROVIDER_ON = 936,
    GANG_CODE_OPERATOR_GANG_OPTION = 940,
    GANG_CODE_MIN_RESOURCES_COMPUTED = 941,
    GANG_CODE_REFUSED_BY_OPERATOR = 942,
    GANG_CODE_REPLICA_TYPE_CASE = 943,
    GANG_CODE_JAVA_SIZE = 944,
    GANG_CODE_GANG_OF_OPERATOR = 945,
    GANG_CODE_DRIVER_IN_OPERATOR = 946,
    GANG_CODE_POD_GROUP_INCOMPLETE = 947,
    GANG_CODE_POD_HAS_GATE = 948,
    GANG_CODE_POD_IN_TWO_GROUPS = 949,
    GANG_CODE_EXCESS_PODS = 950,
    GANG_CODE_POD_WITHOUT_GROUP = 951,
    GANG_CODE_UNIT_LABEL_OF_GATE = 952,
    GANG_CODE_SUBGROUPS_OF_TWO_ROLES = 953,
    GANG_CODE_ROLE_NEVER_CREATED = 954,
    GANG_CODE_PART_ELSEWHERE = 955,
    GANG_CODE_FIELD_OF_LATER_RELEASE = 956,
    GANG_CODE_JOB_FINISHED = 1001,
    GANG_CODE_GANG_STARTED = 1002,
    GANG_CODE_JOB_SUSPENDED = 1003,
    GANG_CODE_QUOTA_NOT_RESERVED = 1004,
    GANG_CODE_KUEUE_WORKLOAD_MISSING = 1005,
    GANG_CODE_ADMISSION_CHECK_OPEN = 1006,
    GANG_CODE_FLAVOR_OR_TOPOLOGY_EXCLUDED = 1007,
    GANG_CODE_QUOTA_NEVER_SUFFICES = 1008,
    GANG_CODE_KUEUE_QUEUE_UNUSABLE = 1009,
    GANG_CODE_WORKLOAD_EVICTED = 1010,
    GANG_CODE_QUOTA_REFUSES_PODS = 1011,
    GANG_CODE_WEBHOOK_REFUSES_PODS = 1012,
    GANG_CODE_PRIORITY_CLASS_MISSING = 1013,
    GANG_CODE_PODS_REFUSED = 1014,
    GANG_CODE_OPERATOR_SILENT = 1015,
    GANG_CODE_PODS_WAIT_FOR_GROUP = 1016,
    GANG_CODE_PODS_COMING = 1017,
    GANG_CODE_EARLIER_STAGE_RUNS = 1018,
    GANG_CODE_EARLIER_STAGE_STUCK = 1019,
    GANG_CODE_MEMBERS_GATED = 1021,
    GANG_CODE_SCHEDULER_NAME_WRONG = 1022,
    GANG_CODE_SCHEDULERS_DIFFER = 1023,
    GANG_CODE_MARKS_MISSING = 1024,
    GANG_CODE_GROUP_MISSING = 1025,
    GANG_CODE_GROUP_ELSEWHERE = 1026,
    GANG_CODE_GROUP_OF_ANOTHER = 1027,
    GANG_CODE_GROUP_STALE = 1028,
    GANG_CODE_TASK_MINIMUM_UNMET = 1029,
    GANG_CODE_FIELD_PRUNED = 1030,
    GANG_CODE_MINIMUM_ABOVE_JOB = 1031,
    GANG_CODE_SUBGROUP_UNKNOWN = 1032,
    GANG_CODE_GROUPER_FAILED = 1033,
    GANG_CODE_GANG_SWITCHED_OFF = 1034,
    GANG_CODE_GROUP_KIND_NOT_SERVED = 1035,
    GANG_CODE_MINIMUM_COUNTS_LATER_PODS = 1036,
    GANG_CODE_MEMBER_RETRIED_AFTER_SUCCESS = 1037,
    GANG_CODE_QUORUM_SHORT = 1038,
    GANG_CODE_SUBGROUPS_EMPTY = 1039,
    GANG_CODE_MINIMUM_COUNTS_ENDED_PODS = 1040,
    GANG_CODE_QUEUE_MISSING = 1041,
    GANG_CODE_QUEUE_CLOSED = 1042,
    GANG_CODE_ABOVE_QUEUE_LIMIT = 1043,
    GANG_CODE_QUEUE_USED_UP = 1044,
    GANG_CODE_ROOM_RESERVED = 1045,
    GANG_CODE_NON_PREEMPTIBLE_OVER_QUOTA = 1046,
    GANG_CODE_MAY_NOT_PREEMPT = 1048,
    GANG_CODE_QUOTA_OF_USER = 1049,
    GANG_CODE_NOT_ENQUEUED = 1050,
    GANG_CODE_POD_TOO_LARGE = 1051,
    GANG_CODE_RESOURCE_NOWHERE = 1052,
    GANG_CODE_NODES_EXCLUDED = 1053,
    GANG_CODE_NEVER_TOGETHER = 1054,
    GANG_CODE_NO_ROOM_NOW = 1055,
    GANG_CODE_FRAGMENTED = 1056,
    GANG_CODE_TOPOLOGY_TOO_SMALL = 1057,
    GANG_CODE_ONE_PER_NODE = 1058,
    GANG_CODE_VOLUME_NOT_READY = 1059,
    GANG_CODE_CLAIM_NOT_ALLOCATED = 1060,
    GANG_CODE_MEMBERS_FAILED = 1061,
    GANG_CODE_MEMBERS_DO_NOT_RUN = 1063,
    GANG_CODE_MEMBERS_STARTING = 1064,
    GANG_CODE_BELOW_MINIMUM_AFTER_LOSS = 1065,
    GANG_CODE_SCHEDULER_ASLEEP = 1066,
    GANG_CODE_GANG_TIMED_OUT = 1067,
    GANG_CODE_SCHEDULER_SILENT = 1068,
    GANG_CODE_SCHEDULING_NOW = 1069,
    GANG_CODE_NOTHING_SEEN = 1070,
    GANG_CODE_PODS_OF_TASK_DIFFER = 1071,
    GANG_CODE_BEHIND_OTHERS = 1072,
    GANG_CODE_WORKLOAD_DEACTIVATED = 1073,
    GANG_CODE_STARTED_IN_PART = 1074,
    GANG_CODE_PODS_ELSEWHERE = 1075
};
#endif
#ifndef GANG_GANG_NAMES_H
#define GANG_GANG_NAMES_H
#define GANG_API_VERSION "policy.libgang.dev/v1alpha1"
#define GANG_KIND_POLICY "GangPolicy"
#define GANG_KIND_PLAN "GangPlan"
#define GANG_KIND_DECISION "GangDecision"
#define GANG_KIND_CLUSTER "GangCluster"
#define GANG_KIND_JOB "GangJob"
#define GANG_TRAINER_API_VERSION "trainer.kubeflow.org/v1alpha1"
#define GANG_KIND_TRAINJOB "TrainJob"
#define GANG_KIND_TRAINING_RUNTIME "TrainingRuntime"
#define GANG_KIND_CLUSTER_TRAINING_RUNTIME "ClusterTrainingRuntime"
#define GANG_PODGANG_API_VERSION "scheduler.grove.io/v1alpha1"
#define GANG_GROVE_API_VERSION "grove.io/v1alpha1"
#define GANG_KIND_PODGANG "PodGang"
#define GANG_KIND_PODCLIQUESET "PodCliqueSet"
#define GANG_KIND_TOPOLOGYBINDING "ClusterTopologyBinding"
#define GANG_BACKEND_COSCHEDULING "coscheduling"
#define GANG_BACKEND_VOLCANO "volcano"
#define GANG_BACKEND_KAI "kai"
#define GANG_BACKEND_WORKLOAD "workload"
#define GANG_BACKEND_YUNIKORN "yunikorn"
#define GANG_BACKEND_KOORDINATOR "koordinator"
#define GANG_ANNOTATION_WAKE "policy.libgang.dev/wake"
#define GANG_LABEL_ROLE "policy.libgang.dev/role"
#define GANG_LABEL_GROUP "policy.libgang.dev/group"
#define GANG_LABEL_COSCHEDULING_POD_GROUP "scheduling.x-k8s.io/pod-group"
#define GANG_ANNOTATION_VOLCANO_GROUP_NAME "scheduling.k8s.io/group-name"
#define GANG_LABEL_KAI_QUEUE "kai.scheduler/queue"
#define GANG_ANNOTATION_KAI_GROUP_NAME "pod-group-name"
#define GANG_LABEL_KAI_SUBGROUP_NAME "kai.scheduler/subgroup-name"
#define GANG_ANNOTATION_KAI_SKIP_PODGROUPER "kai.scheduler/skip-podgrouper"
#define GANG_LABEL_YUNIKORN_APP_ID "yunikorn.apache.org/app-id"
#define GANG_LABEL_YUNIKORN_QUEUE "yunikorn.apache.org/queue"
#define GANG_ANNOTATION_YUNIKORN_TASK_GROUP "yunikorn.apache.org/task-group-name"
#define GANG_ANNOTATION_YUNIKORN_TASK_GROUPS "yunikorn.apache.org/task-groups"
#define GANG_ANNOTATION_YUNIKORN_PARAMETERS "yunikorn.apache.org/schedulingPolicyParameters"
#define GANG_LABEL_KOORDINATOR_POD_GROUP "pod-group.scheduling.sigs.k8s.io"
#define GANG_LABEL_KOORDINATOR_QUOTA "quota.scheduling.koordinator.sh/name"
#endif
#ifndef GANG_GANG_H
#define GANG_GANG_H
#include <stddef.h>
#include <stdint.h>
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
#if defined(GANG_NO_DEPRECATED)
#define GANG_DEPRECATED(use)
#elif defined(__GNUC__)
#define GANG_DEPRECATED(use) __attribute__((deprecated(use)))
#else
#define GANG_DEPRECATED(use)
#endif
struct gang_config;
struct gang_context;
struct gang_stream;
struct gang_document;
struct gang_inputs;
struct gang_decision;
struct gang_plan;
struct gang_object;
struct gang_patch;
struct gang_error;
struct gang_diagnostic;
struct gang_blob;
enum gang_result {
    GANG_OK = 0,
    GANG_ERROR_NO_MEMORY = -1,
    GANG_ERROR_INVALID_ARGUMENT = -2,
    GANG_ERROR_UNSUPPORTED_FLAG = -3,
    GANG_ERROR_SYNTAX = -4,
    GANG_ERROR_LIMIT = -5,
    GANG_ERROR_INVALID = -6,
    GANG_ERROR_DENIED = -7
};
enum gang_format {
    GANG_FORMAT_JSON = 1,
    GANG_FORMAT_YAML = 2,
    GANG_FORMAT_SVG = 3,
    GANG_FORMAT_ROW = 4,
    GANG_FORMAT_TEXT = 5,
    GANG_FORMAT_HTML = 6
};
enum gang_serialize_flags {
    GANG_SERIALIZE_NO_FLAGS = 0,
    GANG_SERIALIZE_VERBOSE = 1
};
GANG_EXPORT
uint32_t
gang_version(void);
GANG_EXPORT
const char *
gang_version_string(void);
GANG_EXPORT
int
gang_has_yaml(void);
GANG_EXPORT
const char *
gang_backend_name(size_t index);
GANG_EXPORT
GANG_MUST_CHECK
int
gang_backends_serialize(const struct gang_context *context, int format, uint32_t flags,
                        struct gang_blob **out, struct gang_error **err);
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
    GANG_LIMIT_STEPS = 21
};
GANG_EXPORT
GANG_MUST_CHECK
struct gang_config *
gang_config_new(void);
GANG_EXPORT
GANG_MUST_CHECK
int
gang_config_set_limit(struct gang_config *config, int limit, uint64_t value);
GANG_EXPORT
GANG_MUST_CHECK
int
gang_config_set_workspace(struct gang_config *config, uint64_t bytes);
GANG_EXPORT
void
gang_config_free(struct gang_config *config);
GANG_EXPORT
GANG_MUST_CHECK
int
gang_context_new(const struct gang_config *config, struct gang_context **out);
GANG_EXPORT
struct gang_context *
gang_context_ref(const struct gang_context *context);
GANG_EXPORT
void
gang_context_unref(const struct gang_context *context);
GANG_EXPORT
GANG_MUST_CHECK
int
gang_stream_parse(const struct gang_context *context, const char *data, size_t len, uint32_t flags,
                  struct gang_stream **out, struct gang_error **err);
GANG_EXPORT
struct gang_stream *
gang_stream_ref(const struct gang_stream *stream);
GANG_EXPORT
void
gang_stream_unref(const struct gang_stream *stream);
GANG_EXPORT
size_t
gang_stream_num_documents(const struct gang_stream *stream);
GANG_EXPORT
const char *
gang_stream_get_api_version(const struct gang_stream *stream, size_t index);
GANG_EXPORT
const char *
gang_stream_get_kind(const struct gang_stream *stream, size_t index);
GANG_EXPORT
const char *
gang_stream_get_name(const struct gang_stream *stream, size_t index);
GANG_EXPORT
const char *
gang_stream_get_namespace(const struct gang_stream *stream, size_t index);
GANG_EXPORT
const char *
gang_stream_get_data(const struct gang_stream *stream, size_t index, size_t *len);
GANG_EXPORT
uint32_t
gang_stream_get_line(const struct gang_stream *stream, size_t index);
GANG_EXPORT
GANG_MUST_CHECK
int
gang_stream_serialize(const struct gang_context *context, const struct gang_stream *stream,
                      size_t index, int format, uint32_t flags, struct gang_blob **out,
                      struct gang_error **err);
enum gang_document_type {
    GANG_DOCUMENT_NONE = 0,
    GANG_DOCUMENT_RUNTIME = 1,
    GANG_DOCUMENT_TRAINJOB = 2,
    GANG_DOCUMENT_POLICY = 3,
    GANG_DOCUMENT_CLUSTER = 4,
    GANG_DOCUMENT_PODGANG = 5,
    GANG_DOCUMENT_PODCLIQUESET = 6,
    GANG_DOCUMENT_LIVE = 7,
    GANG_DOCUMENT_POD = 8,
    GANG_DOCUMENT_TOPOLOGYBINDING = 9,
    GANG_DOCUMENT_JOB = 10
};
enum gang_parse_flags {
    GANG_PARSE_NO_FLAGS = 0,
    GANG_PARSE_STRICT = 1
};
GANG_EXPORT
GANG_MUST_CHECK
int
gang_document_parse(const struct gang_context *context, const char *data, size_t len,
                    uint32_t flags, struct gang_document **out, struct gang_error **err);
enum gang_live_flags {
    GANG_LIVE_NO_FLAGS = 0,
    GANG_LIVE_DIAGNOSE = 1
};
GANG_EXPORT
GANG_MUST_CHECK
int
gang_document_parse_named(const struct gang_context *context, const char *data, size_t len,
                          const char *name, uint32_t line, uint32_t column, uint32_t flags,
                          struct gang_document **out, struct gang_error **err);
GANG_EXPORT
GANG_MUST_CHECK
int
gang_document_parse_live(const struct gang_context *context, const char *data, size_t len,
                         uint32_t flags, struct gang_document **out, struct gang_error **err);
GANG_EXPORT
struct gang_document *
gang_document_ref(const struct gang_document *document);
GANG_EXPORT
void
gang_document_unref(const struct gang_document *document);
GANG_EXPORT
int
gang_document_get_type(const struct gang_document *document);
GANG_EXPORT
const char *
gang_document_get_api_version(const struct gang_document *document);
GANG_EXPORT
const char *
gang_document_get_kind(const struct gang_document *document);
GANG_EXPORT
const char *
gang_document_get_namespace(const struct gang_document *document);
GANG_EXPORT
const char *
gang_document_get_name(const struct gang_document *document);
GANG_EXPORT
const char *
gang_document_get_uid(const struct gang_document *document);
GANG_EXPORT
const char *
gang_document_get_reference(const struct gang_document *document, const char *kind);
GANG_EXPORT
int
gang_document_type_of(const char *api_version, const char *kind);
GANG_EXPORT
uint64_t
gang_document_num_gangs(const struct gang_document *document);
GANG_EXPORT
GANG_MUST_CHECK
int
gang_job_serialize(const struct gang_context *context, const struct gang_document *job,
                   uint64_t gang_index, int format, uint32_t flags, struct gang_blob **out,
                   struct gang_error **err);
GANG_EXPORT
const char *
gang_policy_get_stamp(const struct gang_document *policy);
GANG_EXPORT
size_t
gang_document_num_diagnostics(const struct gang_document *document);
GANG_EXPORT
const struct gang_diagnostic *
gang_document_get_diagnostic(const struct gang_document *document, size_t index);
GANG_EXPORT
GANG_MUST_CHECK
int
gang_schema_serialize(const struct gang_context *context, const char *kind, int format,
                      uint32_t flags, struct gang_blob **out, struct gang_error **err);
GANG_EXPORT
GANG_MUST_CHECK
struct gang_inputs *
gang_inputs_new(void);
GANG_EXPORT
GANG_MUST_CHECK
int
gang_inputs_add(struct gang_inputs *inputs, const struct gang_document *document);
GANG_EXPORT
GANG_MUST_CHECK
int
gang_inputs_set_created_uid(struct gang_inputs *inputs, const char *uid);
GANG_EXPORT
GANG_MUST_CHECK
int
gang_inputs_set_run_number(struct gang_inputs *inputs, int64_t run_number);
GANG_EXPORT
GANG_MUST_CHECK
int
gang_inputs_set_gang_index(struct gang_inputs *inputs, uint64_t gang_index);
GANG_EXPORT
void
gang_inputs_free(struct gang_inputs *inputs);
enum gang_resolve_flags {
    GANG_RESOLVE_NO_FLAGS = 0,
    GANG_RESOLVE_FALL_BACK = 1
};
enum gang_outcome {
    GANG_OUTCOME_NONE = 0,
    GANG_OUTCOME_GANG = 1,
    GANG_OUTCOME_NO_GANG = 2,
    GANG_OUTCOME_DENIED = 3,
    GANG_OUTCOME_INVALID = 4
};
GANG_EXPORT
GANG_MUST_CHECK
int
gang_resolve(const struct gang_context *context, const struct gang_document *job,
             const struct gang_inputs *inputs, uint32_t flags, struct gang_decision **out,
             struct gang_error **err);
GANG_EXPORT
struct gang_decision *
gang_decision_ref(const struct gang_decision *decision);
GANG_EXPORT
void
gang_decision_unref(const struct gang_decision *decision);
GANG_EXPORT
int
gang_decision_get_outcome(const struct gang_decision *decision);
GANG_EXPORT
const char *
gang_decision_get_backend(const struct gang_decision *decision);
GANG_EXPORT
const char *
gang_decision_get_scheduler_name(const struct gang_decision *decision);
GANG_EXPORT
const char *
gang_decision_get_queue(const struct gang_decision *decision);
GANG_EXPORT
const char *
gang_decision_get_reason(const struct gang_decision *decision);
GANG_EXPORT
int64_t
gang_decision_get_minimum(const struct gang_decision *decision);
GANG_EXPORT
int64_t
gang_decision_get_members(const struct gang_decision *decision);
GANG_EXPORT
int64_t
gang_decision_get_pods(const struct gang_decision *decision);
GANG_EXPORT
size_t
gang_decision_num_diagnostics(const struct gang_decision *decision);
GANG_EXPORT
const struct gang_diagnostic *
gang_decision_get_diagnostic(const struct gang_decision *decision, size_t index);
GANG_EXPORT
GANG_MUST_CHECK
int
gang_decision_serialize(const struct gang_context *context, const struct gang_decision *decision,
                        int format, uint32_t flags, struct gang_blob **out,
                        struct gang_error **err);
GANG_EXPORT
GANG_MUST_CHECK
int
gang_audit(const struct gang_context *context, const char *const *jobs, const size_t *lengths,
           size_t count, const struct gang_inputs *inputs, uint32_t flags, struct gang_blob **out,
           struct gang_error **err);
GANG_EXPORT
GANG_MUST_CHECK
int
gang_decision_prepare_pod(const struct gang_context *context, const struct gang_decision *decision,
                          const char *data, size_t len, int format, uint32_t flags,
                          struct gang_blob **out, struct gang_error **err);
enum gang_target {
    GANG_TARGET_PLAN = 1,
    GANG_TARGET_OBJECTS = 2,
    GANG_TARGET_RUNTIME = 3,
    GANG_TARGET_JOB = 4
};
GANG_EXPORT
GANG_MUST_CHECK
int
gang_render(const struct gang_context *context, const struct gang_decision *decision,
            uint32_t flags, struct gang_plan **out, struct gang_error **err);
GANG_EXPORT
struct gang_plan *
gang_plan_ref(const struct gang_plan *plan);
GANG_EXPORT
void
gang_plan_unref(const struct gang_plan *plan);
GANG_EXPORT
size_t
gang_plan_num_objects(const struct gang_plan *plan);
GANG_EXPORT
const struct gang_object *
gang_plan_get_object(const struct gang_plan *plan, size_t index);
GANG_EXPORT
size_t
gang_plan_num_patches(const struct gang_plan *plan);
GANG_EXPORT
const struct gang_patch *
gang_plan_get_patch(const struct gang_plan *plan, size_t index);
GANG_EXPORT
size_t
gang_plan_num_diagnostics(const struct gang_plan *plan);
GANG_EXPORT
const struct gang_diagnostic *
gang_plan_get_diagnostic(const struct gang_plan *plan, size_t index);
GANG_EXPORT
GANG_MUST_CHECK
int
gang_plan_serialize(const struct gang_context *context, const struct gang_plan *plan, int target,
                    int format, uint32_t flags, struct gang_blob **out, struct gang_error **err);
enum gang_action {
    GANG_ACTION_NONE = 0,
    GANG_ACTION_CREATE = 1,
    GANG_ACTION_APPLY = 2,
    GANG_ACTION_LEAVE = 3,
    GANG_ACTION_RECREATE = 4,
    GANG_ACTION_DELETE = 5,
    GANG_ACTION_CONFLICT = 6
};
GANG_EXPORT
int
gang_object_get_action(const struct gang_object *object);
GANG_EXPORT
const char *
gang_object_get_api_version(const struct gang_object *object);
GANG_EXPORT
const char *
gang_object_get_kind(const struct gang_object *object);
GANG_EXPORT
const char *
gang_object_get_namespace(const struct gang_object *object);
GANG_EXPORT
const char *
gang_object_get_name(const struct gang_object *object);
GANG_EXPORT
GANG_MUST_CHECK
int
gang_object_serialize(const struct gang_context *context, const struct gang_object *object,
                      int format, uint32_t flags, struct gang_blob **out, struct gang_error **err);
enum gang_patch_section {
    GANG_PATCH_LABELS = 1,
    GANG_PATCH_ANNOTATIONS = 2,
    GANG_PATCH_SPEC = 3
};
GANG_EXPORT
const char *
gang_patch_get_role(const struct gang_patch *patch);
GANG_EXPORT
const char *
gang_patch_get_target(const struct gang_patch *patch);
GANG_EXPORT
size_t
gang_patch_num_fields(const struct gang_patch *patch, int section);
GANG_EXPORT
const char *
gang_patch_get_key(const struct gang_patch *patch, int section, size_t index);
GANG_EXPORT
const char *
gang_patch_get_value(const struct gang_patch *patch, int section, size_t index);
GANG_EXPORT
GANG_MUST_CHECK
int
gang_patch_serialize(const struct gang_context *context, const struct gang_patch *patch, int format,
                     uint32_t flags, struct gang_blob **out, struct gang_error **err);
enum gang_reconcile_flags {
    GANG_RECONCILE_NO_FLAGS = 0,
    GANG_RECONCILE_WAKE = 1,
    GANG_RECONCILE_ADOPT = 2
};
GANG_EXPORT
GANG_MUST_CHECK
int
gang_reconcile(const struct gang_context *context, const struct gang_plan *plan,
               const struct gang_document *live, uint32_t flags, struct gang_plan **out,
               struct gang_error **err);
GANG_EXPORT
GANG_MUST_CHECK
int
gang_diagnose(const struct gang_context *context, const struct gang_document *job,
              const struct gang_inputs *inputs, const struct gang_document *live, const char *now,
              int format, uint32_t flags, struct gang_blob **out, struct gang_error **err);
GANG_EXPORT
GANG_MUST_CHECK
int
gang_topologybinding_check(const struct gang_context *context, const struct gang_document *binding,
                           const struct gang_document *policy, uint32_t flags,
                           struct gang_error **err);
GANG_EXPORT
GANG_MUST_CHECK
int
gang_topologybinding_serialize(const struct gang_context *context,
                               const struct gang_document *binding, int format, uint32_t flags,
                               struct gang_blob **out, struct gang_error **err);
GANG_EXPORT
GANG_MUST_CHECK
int
gang_topologybinding_compare(const struct gang_context *context,
                             const struct gang_document *binding, const struct gang_document *live,
                             uint32_t flags, int *out, struct gang_error **err);
enum gang_severity {
    GANG_SEVERITY_NONE = 0,
    GANG_SEVERITY_ERROR = 1,
    GANG_SEVERITY_WARNING = 2,
    GANG_SEVERITY_INFO = 3
};
GANG_EXPORT
int
gang_error_get_code(const struct gang_error *error);
GANG_EXPORT
size_t
gang_error_num_diagnostics(const struct gang_error *error);
GANG_EXPORT
const struct gang_diagnostic *
gang_error_get_diagnostic(const struct gang_error *error, size_t index);
GANG_EXPORT
GANG_MUST_CHECK
int
gang_error_serialize(const struct gang_context *context, const struct gang_error *error, int format,
                     uint32_t flags, struct gang_blob **out, struct gang_error **err);
GANG_EXPORT
void
gang_error_free(struct gang_error *error);
GANG_EXPORT
int
gang_diagnostic_get_code(const struct gang_diagnostic *diagnostic);
GANG_EXPORT
const char *
gang_diagnostic_get_id(const struct gang_diagnostic *diagnostic);
GANG_EXPORT
int
gang_diagnostic_get_severity(const struct gang_diagnostic *diagnostic);
GANG_EXPORT
int
gang_diagnostic_get_document(const struct gang_diagnostic *diagnostic);
GANG_EXPORT
const char *
gang_diagnostic_get_kind(const struct gang_diagnostic *diagnostic);
GANG_EXPORT
const char *
gang_diagnostic_get_namespace(const struct gang_diagnostic *diagnostic);
GANG_EXPORT
const char *
gang_diagnostic_get_name(const struct gang_diagnostic *diagnostic);
GANG_EXPORT
const char *
gang_diagnostic_get_job(const struct gang_diagnostic *diagnostic);
GANG_EXPORT
const char *
gang_diagnostic_get_path(const struct gang_diagnostic *diagnostic);
GANG_EXPORT
uint32_t
gang_diagnostic_get_line(const struct gang_diagnostic *diagnostic);
GANG_EXPORT
uint32_t
gang_diagnostic_get_column(const struct gang_diagnostic *diagnostic);
GANG_EXPORT
const char *
gang_diagnostic_get_message(const struct gang_diagnostic *diagnostic);
GANG_EXPORT
const char *
gang_diagnostic_get_hint(const struct gang_diagnostic *diagnostic);
GANG_EXPORT
struct gang_blob *
gang_blob_ref(const struct gang_blob *blob);
GANG_EXPORT
void
gang_blob_unref(const struct gang_blob *blob);
GANG_EXPORT
const char *
gang_blob_get_data(const struct gang_blob *blob, size_t *len);
GANG_EXPORT
const char *
gang_result_name(int result);
GANG_EXPORT
const char *
gang_severity_name(int severity);
GANG_EXPORT
const char *
gang_document_type_name(int type);
GANG_EXPORT
const char *
gang_limit_name(int limit);
GANG_EXPORT
const char *
gang_outcome_name(int outcome);
GANG_EXPORT
const char *
gang_action_name(int action);
GANG_EXPORT
const char *
gang_target_name(int target);
GANG_EXPORT
const char *
gang_format_name(int format);
GANG_EXPORT
const char *
gang_patch_section_name(int section);
GANG_EXPORT
const char *
gang_code_name(int code);
#ifdef __cplusplus
}
#endif
#endif
