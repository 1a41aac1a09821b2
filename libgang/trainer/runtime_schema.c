/* SPDX-License-Identifier: Apache-2.0 */
/* Generated from the CRDs of github.com/kubeflow/trainer/v2 v2.3.0 by tools/generate-schema. */
#include "libgang/trainer/runtime_schema.h"

/* clang-format off */
static const struct schema runtime_schema_0 = {.type = SCHEMA_STRING};
static const struct schema runtime_schema_1 = {.type = SCHEMA_ANY};
static const struct schema runtime_schema_2 = {.type = SCHEMA_INT32, .default_text = "1"};
static const struct schema_field runtime_schema_fields0[] = {
    {"numProcPerNode", &runtime_schema_2, false},
};
static const uint8_t runtime_schema_lengths0[] = {14};
static const struct schema runtime_schema_3 = {.type = SCHEMA_OBJECT, .fields = runtime_schema_fields0, .num_fields = 1, .lengths = runtime_schema_lengths0};
static const struct schema runtime_schema_4 = {.type = SCHEMA_OBJECT};
static const char *const runtime_schema_texts0[] = {"OpenMPI", "", NULL};
static const struct schema runtime_schema_5 = {.type = SCHEMA_STRING, .enumeration = runtime_schema_texts0, .default_text = "\"OpenMPI\""};
static const struct schema runtime_schema_6 = {.type = SCHEMA_BOOLEAN, .default_text = "false"};
static const struct schema runtime_schema_7 = {.type = SCHEMA_STRING, .max_length = 4096, .default_text = "\"/root/.ssh\""};
static const struct schema_field runtime_schema_fields1[] = {
    {"mpiImplementation", &runtime_schema_5, false},
    {"numProcPerNode", &runtime_schema_2, false},
    {"runLauncherAsNode", &runtime_schema_6, false},
    {"sshAuthMountPath", &runtime_schema_7, false},
};
static const uint8_t runtime_schema_lengths1[] = {17, 14, 17, 16};
static const struct schema runtime_schema_8 = {.type = SCHEMA_OBJECT, .fields = runtime_schema_fields1, .num_fields = 4, .lengths = runtime_schema_lengths1};
static const struct schema runtime_schema_9 = {.type = SCHEMA_INT32};
static const struct schema runtime_schema_10 = {.type = SCHEMA_STRING, .max_length = 63};
static const struct schema runtime_schema_11 = {.type = SCHEMA_LIST, .values = &runtime_schema_10, .is_set = true, .min_length = 1, .max_length = 8};
static const struct schema runtime_schema_12 = {.type = SCHEMA_STRING, .min_length = 1, .max_length = 253};
static const struct schema_field runtime_schema_fields2[] = {
    {"containerNames", &runtime_schema_11, true},
    {"jobName", &runtime_schema_12, true},
};
static const uint8_t runtime_schema_lengths2[] = {14, 7};
static const struct schema runtime_schema_13 = {.type = SCHEMA_OBJECT, .fields = runtime_schema_fields2, .num_fields = 2, .lengths = runtime_schema_lengths2, .num_required = 2};
static const char *const runtime_schema_texts1[] = {"jobName", NULL};
static const struct schema runtime_schema_14 = {.type = SCHEMA_LIST, .values = &runtime_schema_13, .keys = runtime_schema_texts1, .max_length = 16};
static const struct schema_field runtime_schema_fields3[] = {
    {"targets", &runtime_schema_14, false},
};
static const uint8_t runtime_schema_lengths3[] = {7};
static const struct schema runtime_schema_15 = {.type = SCHEMA_OBJECT, .fields = runtime_schema_fields3, .num_fields = 1, .lengths = runtime_schema_lengths3};
static const struct schema_field runtime_schema_fields4[] = {
    {"envInjection", &runtime_schema_15, false},
};
static const uint8_t runtime_schema_lengths4[] = {12};
static const struct schema runtime_schema_16 = {.type = SCHEMA_OBJECT, .fields = runtime_schema_fields4, .num_fields = 1, .lengths = runtime_schema_lengths4};
static const struct schema_field runtime_schema_fields5[] = {
    {"flux", &runtime_schema_3, false},
    {"jax", &runtime_schema_4, false},
    {"mpi", &runtime_schema_8, false},
    {"numNodes", &runtime_schema_9, false},
    {"torch", &runtime_schema_16, false},
    {"xgboost", &runtime_schema_4, false},
};
static const uint8_t runtime_schema_lengths5[] = {4, 3, 3, 8, 5, 7};
static const struct schema runtime_schema_17 = {.type = SCHEMA_OBJECT, .fields = runtime_schema_fields5, .num_fields = 6, .lengths = runtime_schema_lengths5};
static const struct schema runtime_schema_18 = {.type = SCHEMA_INT32, .default_text = "60"};
static const struct schema_field runtime_schema_fields6[] = {
    {"scheduleTimeoutSeconds", &runtime_schema_18, false},
};
static const uint8_t runtime_schema_lengths6[] = {22};
static const struct schema runtime_schema_19 = {.type = SCHEMA_OBJECT, .fields = runtime_schema_fields6, .num_fields = 1, .lengths = runtime_schema_lengths6};
static const struct schema runtime_schema_20 = {.type = SCHEMA_INT64, .default_text = "1"};
static const char *const runtime_schema_texts2[] = {"hard", "soft", NULL};
static const struct schema runtime_schema_21 = {.type = SCHEMA_STRING, .enumeration = runtime_schema_texts2, .default_text = "\"hard\""};
static const struct schema_field runtime_schema_fields7[] = {
    {"highestTierAllowed", &runtime_schema_20, false},
    {"mode", &runtime_schema_21, false},
};
static const uint8_t runtime_schema_lengths7[] = {18, 4};
static const struct schema runtime_schema_22 = {.type = SCHEMA_OBJECT, .fields = runtime_schema_fields7, .num_fields = 2, .lengths = runtime_schema_lengths7};
static const struct schema_field runtime_schema_fields8[] = {
    {"networkTopology", &runtime_schema_22, false},
};
static const uint8_t runtime_schema_lengths8[] = {15};
static const struct schema runtime_schema_23 = {.type = SCHEMA_OBJECT, .fields = runtime_schema_fields8, .num_fields = 1, .lengths = runtime_schema_lengths8};
static const struct schema_field runtime_schema_fields9[] = {
    {"coscheduling", &runtime_schema_19, false},
    {"volcano", &runtime_schema_23, false},
    {"workload", &runtime_schema_4, false},
};
static const uint8_t runtime_schema_lengths9[] = {12, 7, 8};
static const struct schema runtime_schema_24 = {.type = SCHEMA_OBJECT, .fields = runtime_schema_fields9, .num_fields = 3, .lengths = runtime_schema_lengths9, .open = true};
static const struct schema_field runtime_schema_fields10[] = {
    {"all", &runtime_schema_4, false},
    {"single", &runtime_schema_4, false},
};
static const uint8_t runtime_schema_lengths10[] = {3, 6};
static const struct schema runtime_schema_25 = {.type = SCHEMA_OBJECT, .fields = runtime_schema_fields10, .num_fields = 2, .lengths = runtime_schema_lengths10};
static const struct schema_field runtime_schema_fields11[] = {
    {"name", &runtime_schema_0, true},
    {"resourceClaimName", &runtime_schema_0, false},
    {"resourceClaimTemplateName", &runtime_schema_0, false},
};
static const uint8_t runtime_schema_lengths11[] = {4, 17, 25};
static const struct schema runtime_schema_26 = {.type = SCHEMA_OBJECT, .fields = runtime_schema_fields11, .num_fields = 3, .lengths = runtime_schema_lengths11, .num_required = 1};
static const char *const runtime_schema_texts3[] = {"name", NULL};
static const struct schema runtime_schema_27 = {.type = SCHEMA_LIST, .values = &runtime_schema_26, .keys = runtime_schema_texts3, .max_length = 4};
static const struct schema_field runtime_schema_fields12[] = {
    {"key", &runtime_schema_0, true},
};
static const uint8_t runtime_schema_lengths12[] = {3};
static const struct schema runtime_schema_28 = {.type = SCHEMA_OBJECT, .fields = runtime_schema_fields12, .num_fields = 1, .lengths = runtime_schema_lengths12, .num_required = 1};
static const struct schema runtime_schema_29 = {.type = SCHEMA_LIST, .values = &runtime_schema_28, .max_length = 1};
static const struct schema_field runtime_schema_fields13[] = {
    {"topology", &runtime_schema_29, false},
};
static const uint8_t runtime_schema_lengths13[] = {8};
static const struct schema runtime_schema_30 = {.type = SCHEMA_OBJECT, .fields = runtime_schema_fields13, .num_fields = 1, .lengths = runtime_schema_lengths13};
static const struct schema_field runtime_schema_fields14[] = {
    {"minCount", &runtime_schema_9, false},
};
static const struct schema runtime_schema_31 = {.type = SCHEMA_OBJECT, .fields = runtime_schema_fields14, .num_fields = 1, .lengths = runtime_schema_lengths13};
static const struct schema_field runtime_schema_fields15[] = {
    {"basic", &runtime_schema_4, false},
    {"gang", &runtime_schema_31, false},
};
static const uint8_t runtime_schema_lengths14[] = {5, 4};
static const struct schema runtime_schema_32 = {.type = SCHEMA_OBJECT, .fields = runtime_schema_fields15, .num_fields = 2, .lengths = runtime_schema_lengths14};
static const struct schema_field runtime_schema_fields16[] = {
    {"disruptionMode", &runtime_schema_25, false},
    {"resourceClaims", &runtime_schema_27, false},
    {"schedulingConstraints", &runtime_schema_30, false},
    {"schedulingPolicy", &runtime_schema_32, false},
};
static const uint8_t runtime_schema_lengths15[] = {14, 14, 21, 16};
static const struct schema runtime_schema_33 = {.type = SCHEMA_OBJECT, .fields = runtime_schema_fields16, .num_fields = 4, .lengths = runtime_schema_lengths15};
static const struct schema_field runtime_schema_fields17[] = {
    {"minCount", &runtime_schema_9, false},
    {"minGroupCount", &runtime_schema_9, false},
};
static const uint8_t runtime_schema_lengths16[] = {8, 13};
static const struct schema runtime_schema_34 = {.type = SCHEMA_OBJECT, .fields = runtime_schema_fields17, .num_fields = 2, .lengths = runtime_schema_lengths16};
static const struct schema_field runtime_schema_fields18[] = {
    {"basic", &runtime_schema_4, false},
    {"gang", &runtime_schema_34, false},
};
static const struct schema runtime_schema_35 = {.type = SCHEMA_OBJECT, .fields = runtime_schema_fields18, .num_fields = 2, .lengths = runtime_schema_lengths14};
static const struct schema runtime_schema_36 = {.type = SCHEMA_LIST, .values = &runtime_schema_0, .min_length = 1};
static const struct schema_field runtime_schema_fields19[] = {
    {"disruptionMode", &runtime_schema_25, false},
    {"job", &runtime_schema_33, false},
    {"schedulingConstraints", &runtime_schema_30, false},
    {"schedulingPolicy", &runtime_schema_35, false},
    {"targetReplicatedJobs", &runtime_schema_36, true},
};
static const uint8_t runtime_schema_lengths17[] = {14, 3, 21, 16, 20};
static const struct schema runtime_schema_37 = {.type = SCHEMA_OBJECT, .fields = runtime_schema_fields19, .num_fields = 5, .lengths = runtime_schema_lengths17, .num_required = 1};
static const struct schema runtime_schema_38 = {.type = SCHEMA_LIST, .values = &runtime_schema_37, .min_length = 1, .max_length = 8};
static const struct schema_field runtime_schema_fields20[] = {
    {"disruptionMode", &runtime_schema_25, false},
    {"replicatedJobs", &runtime_schema_38, false},
    {"schedulingConstraints", &runtime_schema_30, false},
    {"schedulingPolicy", &runtime_schema_35, false},
};
static const struct schema runtime_schema_39 = {.type = SCHEMA_OBJECT, .fields = runtime_schema_fields20, .num_fields = 4, .lengths = runtime_schema_lengths15};
static const struct schema runtime_schema_40 = {.type = SCHEMA_OBJECT, .values = &runtime_schema_0};
static const struct schema runtime_schema_41 = {.type = SCHEMA_LIST, .values = &runtime_schema_0};
static const struct schema_field runtime_schema_fields21[] = {
    {"annotations", &runtime_schema_40, false},
    {"finalizers", &runtime_schema_41, false},
    {"labels", &runtime_schema_40, false},
    {"name", &runtime_schema_0, false},
    {"namespace", &runtime_schema_0, false},
};
static const uint8_t runtime_schema_lengths18[] = {11, 10, 6, 4, 9};
static const struct schema runtime_schema_42 = {.type = SCHEMA_OBJECT, .fields = runtime_schema_fields21, .num_fields = 5, .lengths = runtime_schema_lengths18};
static const struct schema runtime_schema_43 = {.type = SCHEMA_INT64};
static const struct schema_field runtime_schema_fields22[] = {
    {"jobIndex", &runtime_schema_43, false},
    {"podIndex", &runtime_schema_43, false},
    {"replicatedJob", &runtime_schema_0, true},
};
static const uint8_t runtime_schema_lengths19[] = {8, 8, 13};
static const struct schema runtime_schema_44 = {.type = SCHEMA_OBJECT, .fields = runtime_schema_fields22, .num_fields = 3, .lengths = runtime_schema_lengths19, .num_required = 1};
static const char *const runtime_schema_texts4[] = {"Recreate", "BlockingRecreate", "InPlaceRestart", NULL};
static const struct schema runtime_schema_45 = {.type = SCHEMA_STRING, .enumeration = runtime_schema_texts4, .default_text = "\"Recreate\""};
static const char *const runtime_schema_texts5[] = {"FailJobSet", "RestartJobSet", "RestartJobSetAndIgnoreMaxRestarts", "RestartJob", "RestartJobAndIgnoreMaxRestarts", NULL};
static const struct schema runtime_schema_46 = {.type = SCHEMA_STRING, .enumeration = runtime_schema_texts5};
static const struct schema_field runtime_schema_fields23[] = {
    {"action", &runtime_schema_46, true},
    {"name", &runtime_schema_0, true},
    {"onJobFailureMessagePatterns", &runtime_schema_41, false},
    {"onJobFailureReasons", &runtime_schema_41, false},
    {"targetReplicatedJobs", &runtime_schema_41, false},
};
static const uint8_t runtime_schema_lengths20[] = {6, 4, 27, 19, 20};
static const struct schema runtime_schema_47 = {.type = SCHEMA_OBJECT, .fields = runtime_schema_fields23, .num_fields = 5, .lengths = runtime_schema_lengths20, .num_required = 2};
static const struct schema runtime_schema_48 = {.type = SCHEMA_LIST, .values = &runtime_schema_47};
static const struct schema_field runtime_schema_fields24[] = {
    {"maxRestarts", &runtime_schema_9, false},
    {"restartStrategy", &runtime_schema_45, false},
    {"rules", &runtime_schema_48, false},
};
static const uint8_t runtime_schema_lengths21[] = {11, 15, 5};
static const struct schema runtime_schema_49 = {.type = SCHEMA_OBJECT, .fields = runtime_schema_fields24, .num_fields = 3, .lengths = runtime_schema_lengths21};
static const struct schema runtime_schema_50 = {.type = SCHEMA_BOOLEAN};
static const struct schema_field runtime_schema_fields25[] = {
    {"enableDNSHostnames", &runtime_schema_50, false},
    {"publishNotReadyAddresses", &runtime_schema_50, false},
    {"subdomain", &runtime_schema_0, false},
};
static const uint8_t runtime_schema_lengths22[] = {18, 24, 9};
static const struct schema runtime_schema_51 = {.type = SCHEMA_OBJECT, .fields = runtime_schema_fields25, .num_fields = 3, .lengths = runtime_schema_lengths22};
static const char *const runtime_schema_texts6[] = {"Ready", "Complete", NULL};
static const struct schema runtime_schema_52 = {.type = SCHEMA_STRING, .enumeration = runtime_schema_texts6};
static const struct schema_field runtime_schema_fields26[] = {
    {"name", &runtime_schema_0, true},
    {"status", &runtime_schema_52, true},
};
static const uint8_t runtime_schema_lengths23[] = {4, 6};
static const struct schema runtime_schema_53 = {.type = SCHEMA_OBJECT, .fields = runtime_schema_fields26, .num_fields = 2, .lengths = runtime_schema_lengths23, .num_required = 2};
static const struct schema runtime_schema_54 = {.type = SCHEMA_LIST, .values = &runtime_schema_53, .keys = runtime_schema_texts3, .max_length = 5};
static const struct schema runtime_schema_55 = {.type = SCHEMA_STRING, .default_text = "\"default\""};
static const struct schema runtime_schema_56 = {.type = SCHEMA_LIST, .values = &runtime_schema_9, .is_set = true};
static const struct schema_field runtime_schema_fields27[] = {
    {"containerName", &runtime_schema_0, false},
    {"operator", &runtime_schema_0, true},
    {"values", &runtime_schema_56, true},
};
static const uint8_t runtime_schema_lengths24[] = {13, 8, 6};
static const struct schema runtime_schema_57 = {.type = SCHEMA_OBJECT, .fields = runtime_schema_fields27, .num_fields = 3, .lengths = runtime_schema_lengths24, .num_required = 2};
static const struct schema_field runtime_schema_fields28[] = {
    {"status", &runtime_schema_0, false},
    {"type", &runtime_schema_0, true},
};
static const uint8_t runtime_schema_lengths25[] = {6, 4};
static const struct schema runtime_schema_58 = {.type = SCHEMA_OBJECT, .fields = runtime_schema_fields28, .num_fields = 2, .lengths = runtime_schema_lengths25, .num_required = 1};
static const struct schema runtime_schema_59 = {.type = SCHEMA_LIST, .values = &runtime_schema_58};
static const struct schema_field runtime_schema_fields29[] = {
    {"action", &runtime_schema_0, true},
    {"onExitCodes", &runtime_schema_57, false},
    {"onPodConditions", &runtime_schema_59, false},
};
static const uint8_t runtime_schema_lengths26[] = {6, 11, 15};
static const struct schema runtime_schema_60 = {.type = SCHEMA_OBJECT, .fields = runtime_schema_fields29, .num_fields = 3, .lengths = runtime_schema_lengths26, .num_required = 1};
static const struct schema runtime_schema_61 = {.type = SCHEMA_LIST, .values = &runtime_schema_60};
static const struct schema_field runtime_schema_fields30[] = {
    {"rules", &runtime_schema_61, true},
};
static const uint8_t runtime_schema_lengths27[] = {5};
static const struct schema runtime_schema_62 = {.type = SCHEMA_OBJECT, .fields = runtime_schema_fields30, .num_fields = 1, .lengths = runtime_schema_lengths27, .num_required = 1};
static const struct schema_field runtime_schema_fields31[] = {
    {"key", &runtime_schema_0, true},
    {"operator", &runtime_schema_0, true},
    {"values", &runtime_schema_41, false},
};
static const uint8_t runtime_schema_lengths28[] = {3, 8, 6};
static const struct schema runtime_schema_63 = {.type = SCHEMA_OBJECT, .fields = runtime_schema_fields31, .num_fields = 3, .lengths = runtime_schema_lengths28, .num_required = 2};
static const struct schema runtime_schema_64 = {.type = SCHEMA_LIST, .values = &runtime_schema_63};
static const struct schema_field runtime_schema_fields32[] = {
    {"matchExpressions", &runtime_schema_64, false},
    {"matchLabels", &runtime_schema_40, false},
};
static const uint8_t runtime_schema_lengths29[] = {16, 11};
static const struct schema runtime_schema_65 = {.type = SCHEMA_OBJECT, .fields = runtime_schema_fields32, .num_fields = 2, .lengths = runtime_schema_lengths29};
static const struct schema_field runtime_schema_fields33[] = {
    {"succeededCount", &runtime_schema_9, false},
    {"succeededIndexes", &runtime_schema_0, false},
};
static const uint8_t runtime_schema_lengths30[] = {14, 16};
static const struct schema runtime_schema_66 = {.type = SCHEMA_OBJECT, .fields = runtime_schema_fields33, .num_fields = 2, .lengths = runtime_schema_lengths30};
static const struct schema runtime_schema_67 = {.type = SCHEMA_LIST, .values = &runtime_schema_66};
static const struct schema_field runtime_schema_fields34[] = {
    {"rules", &runtime_schema_67, true},
};
static const struct schema runtime_schema_68 = {.type = SCHEMA_OBJECT, .fields = runtime_schema_fields34, .num_fields = 1, .lengths = runtime_schema_lengths27, .num_required = 1};
static const struct schema_field runtime_schema_fields35[] = {
    {"matchExpressions", &runtime_schema_64, false},
    {"matchFields", &runtime_schema_64, false},
};
static const struct schema runtime_schema_69 = {.type = SCHEMA_OBJECT, .fields = runtime_schema_fields35, .num_fields = 2, .lengths = runtime_schema_lengths29};
static const struct schema_field runtime_schema_fields36[] = {
    {"preference", &runtime_schema_69, true},
    {"weight", &runtime_schema_9, true},
};
static const uint8_t runtime_schema_lengths31[] = {10, 6};
static const struct schema runtime_schema_70 = {.type = SCHEMA_OBJECT, .fields = runtime_schema_fields36, .num_fields = 2, .lengths = runtime_schema_lengths31, .num_required = 2};
static const struct schema runtime_schema_71 = {.type = SCHEMA_LIST, .values = &runtime_schema_70};
static const struct schema runtime_schema_72 = {.type = SCHEMA_LIST, .values = &runtime_schema_69};
static const struct schema_field runtime_schema_fields37[] = {
    {"nodeSelectorTerms", &runtime_schema_72, true},
};
static const uint8_t runtime_schema_lengths32[] = {17};
static const struct schema runtime_schema_73 = {.type = SCHEMA_OBJECT, .fields = runtime_schema_fields37, .num_fields = 1, .lengths = runtime_schema_lengths32, .num_required = 1};
static const struct schema_field runtime_schema_fields38[] = {
    {"preferredDuringSchedulingIgnoredDuringExecution", &runtime_schema_71, false},
    {"requiredDuringSchedulingIgnoredDuringExecution", &runtime_schema_73, false},
};
static const uint8_t runtime_schema_lengths33[] = {47, 46};
static const struct schema runtime_schema_74 = {.type = SCHEMA_OBJECT, .fields = runtime_schema_fields38, .num_fields = 2, .lengths = runtime_schema_lengths33};
static const struct schema_field runtime_schema_fields39[] = {
    {"labelSelector", &runtime_schema_65, false},
    {"matchLabelKeys", &runtime_schema_41, false},
    {"mismatchLabelKeys", &runtime_schema_41, false},
    {"namespaceSelector", &runtime_schema_65, false},
    {"namespaces", &runtime_schema_41, false},
    {"topologyKey", &runtime_schema_0, true},
};
static const uint8_t runtime_schema_lengths34[] = {13, 14, 17, 17, 10, 11};
static const struct schema runtime_schema_75 = {.type = SCHEMA_OBJECT, .fields = runtime_schema_fields39, .num_fields = 6, .lengths = runtime_schema_lengths34, .num_required = 1};
static const struct schema_field runtime_schema_fields40[] = {
    {"podAffinityTerm", &runtime_schema_75, true},
    {"weight", &runtime_schema_9, true},
};
static const uint8_t runtime_schema_lengths35[] = {15, 6};
static const struct schema runtime_schema_76 = {.type = SCHEMA_OBJECT, .fields = runtime_schema_fields40, .num_fields = 2, .lengths = runtime_schema_lengths35, .num_required = 2};
static const struct schema runtime_schema_77 = {.type = SCHEMA_LIST, .values = &runtime_schema_76};
static const struct schema runtime_schema_78 = {.type = SCHEMA_LIST, .values = &runtime_schema_75};
static const struct schema_field runtime_schema_fields41[] = {
    {"preferredDuringSchedulingIgnoredDuringExecution", &runtime_schema_77, false},
    {"requiredDuringSchedulingIgnoredDuringExecution", &runtime_schema_78, false},
};
static const struct schema runtime_schema_79 = {.type = SCHEMA_OBJECT, .fields = runtime_schema_fields41, .num_fields = 2, .lengths = runtime_schema_lengths33};
static const struct schema_field runtime_schema_fields42[] = {
    {"nodeAffinity", &runtime_schema_74, false},
    {"podAffinity", &runtime_schema_79, false},
    {"podAntiAffinity", &runtime_schema_79, false},
};
static const uint8_t runtime_schema_lengths36[] = {12, 11, 15};
static const struct schema runtime_schema_80 = {.type = SCHEMA_OBJECT, .fields = runtime_schema_fields42, .num_fields = 3, .lengths = runtime_schema_lengths36};
static const struct schema runtime_schema_81 = {.type = SCHEMA_STRING, .default_text = "\"\""};
static const struct schema_field runtime_schema_fields43[] = {
    {"key", &runtime_schema_0, true},
    {"name", &runtime_schema_81, false},
    {"optional", &runtime_schema_50, false},
};
static const uint8_t runtime_schema_lengths37[] = {3, 4, 8};
static const struct schema runtime_schema_82 = {.type = SCHEMA_OBJECT, .fields = runtime_schema_fields43, .num_fields = 3, .lengths = runtime_schema_lengths37, .num_required = 1};
static const struct schema_field runtime_schema_fields44[] = {
    {"apiVersion", &runtime_schema_0, false},
    {"fieldPath", &runtime_schema_0, true},
};
static const uint8_t runtime_schema_lengths38[] = {10, 9};
static const struct schema runtime_schema_83 = {.type = SCHEMA_OBJECT, .fields = runtime_schema_fields44, .num_fields = 2, .lengths = runtime_schema_lengths38, .num_required = 1};
static const struct schema_field runtime_schema_fields45[] = {
    {"key", &runtime_schema_0, true},
    {"optional", &runtime_schema_6, false},
    {"path", &runtime_schema_0, true},
    {"volumeName", &runtime_schema_0, true},
};
static const uint8_t runtime_schema_lengths39[] = {3, 8, 4, 10};
static const struct schema runtime_schema_84 = {.type = SCHEMA_OBJECT, .fields = runtime_schema_fields45, .num_fields = 4, .lengths = runtime_schema_lengths39, .num_required = 3};
static const struct schema runtime_schema_85 = {.type = SCHEMA_QUANTITY};
static const struct schema_field runtime_schema_fields46[] = {
    {"containerName", &runtime_schema_0, false},
    {"divisor", &runtime_schema_85, false},
    {"resource", &runtime_schema_0, true},
};
static const uint8_t runtime_schema_lengths40[] = {13, 7, 8};
static const struct schema runtime_schema_86 = {.type = SCHEMA_OBJECT, .fields = runtime_schema_fields46, .num_fields = 3, .lengths = runtime_schema_lengths40, .num_required = 1};
static const struct schema_field runtime_schema_fields47[] = {
    {"configMapKeyRef", &runtime_schema_82, false},
    {"fieldRef", &runtime_schema_83, false},
    {"fileKeyRef", &runtime_schema_84, false},
    {"resourceFieldRef", &runtime_schema_86, false},
    {"secretKeyRef", &runtime_schema_82, false},
};
static const uint8_t runtime_schema_lengths41[] = {15, 8, 10, 16, 12};
static const struct schema runtime_schema_87 = {.type = SCHEMA_OBJECT, .fields = runtime_schema_fields47, .num_fields = 5, .lengths = runtime_schema_lengths41};
static const struct schema_field runtime_schema_fields48[] = {
    {"name", &runtime_schema_0, true},
    {"value", &runtime_schema_0, false},
    {"valueFrom", &runtime_schema_87, false},
};
static const uint8_t runtime_schema_lengths42[] = {4, 5, 9};
static const struct schema runtime_schema_88 = {.type = SCHEMA_OBJECT, .fields = runtime_schema_fields48, .num_fields = 3, .lengths = runtime_schema_lengths42, .num_required = 1};
static const struct schema runtime_schema_89 = {.type = SCHEMA_LIST, .values = &runtime_schema_88, .keys = runtime_schema_texts3};
static const struct schema_field runtime_schema_fields49[] = {
    {"name", &runtime_schema_81, false},
    {"optional", &runtime_schema_50, false},
};
static const uint8_t runtime_schema_lengths43[] = {4, 8};
static const struct schema runtime_schema_90 = {.type = SCHEMA_OBJECT, .fields = runtime_schema_fields49, .num_fields = 2, .lengths = runtime_schema_lengths43};
static const struct schema_field runtime_schema_fields50[] = {
    {"configMapRef", &runtime_schema_90, false},
    {"prefix", &runtime_schema_0, false},
    {"secretRef", &runtime_schema_90, false},
};
static const uint8_t runtime_schema_lengths44[] = {12, 6, 9};
static const struct schema runtime_schema_91 = {.type = SCHEMA_OBJECT, .fields = runtime_schema_fields50, .num_fields = 3, .lengths = runtime_schema_lengths44};
static const struct schema runtime_schema_92 = {.type = SCHEMA_LIST, .values = &runtime_schema_91};
static const struct schema_field runtime_schema_fields51[] = {
    {"command", &runtime_schema_41, false},
};
static const struct schema runtime_schema_93 = {.type = SCHEMA_OBJECT, .fields = runtime_schema_fields51, .num_fields = 1, .lengths = runtime_schema_lengths3};
static const struct schema_field runtime_schema_fields52[] = {
    {"name", &runtime_schema_0, true},
    {"value", &runtime_schema_0, true},
};
static const uint8_t runtime_schema_lengths45[] = {4, 5};
static const struct schema runtime_schema_94 = {.type = SCHEMA_OBJECT, .fields = runtime_schema_fields52, .num_fields = 2, .lengths = runtime_schema_lengths45, .num_required = 2};
static const struct schema runtime_schema_95 = {.type = SCHEMA_LIST, .values = &runtime_schema_94};
static const struct schema runtime_schema_96 = {.type = SCHEMA_INT_OR_STRING};
static const struct schema_field runtime_schema_fields53[] = {
    {"host", &runtime_schema_0, false},
    {"httpHeaders", &runtime_schema_95, false},
    {"path", &runtime_schema_0, false},
    {"port", &runtime_schema_96, true},
    {"scheme", &runtime_schema_0, false},
};
static const uint8_t runtime_schema_lengths46[] = {4, 11, 4, 4, 6};
static const struct schema runtime_schema_97 = {.type = SCHEMA_OBJECT, .fields = runtime_schema_fields53, .num_fields = 5, .lengths = runtime_schema_lengths46, .num_required = 1};
static const struct schema_field runtime_schema_fields54[] = {
    {"seconds", &runtime_schema_43, true},
};
static const struct schema runtime_schema_98 = {.type = SCHEMA_OBJECT, .fields = runtime_schema_fields54, .num_fields = 1, .lengths = runtime_schema_lengths3, .num_required = 1};
static const struct schema_field runtime_schema_fields55[] = {
    {"host", &runtime_schema_0, false},
    {"port", &runtime_schema_96, true},
};
static const uint8_t runtime_schema_lengths47[] = {4, 4};
static const struct schema runtime_schema_99 = {.type = SCHEMA_OBJECT, .fields = runtime_schema_fields55, .num_fields = 2, .lengths = runtime_schema_lengths47, .num_required = 1};
static const struct schema_field runtime_schema_fields56[] = {
    {"exec", &runtime_schema_93, false},
    {"httpGet", &runtime_schema_97, false},
    {"sleep", &runtime_schema_98, false},
    {"tcpSocket", &runtime_schema_99, false},
};
static const uint8_t runtime_schema_lengths48[] = {4, 7, 5, 9};
static const struct schema runtime_schema_100 = {.type = SCHEMA_OBJECT, .fields = runtime_schema_fields56, .num_fields = 4, .lengths = runtime_schema_lengths48};
static const struct schema_field runtime_schema_fields57[] = {
    {"postStart", &runtime_schema_100, false},
    {"preStop", &runtime_schema_100, false},
    {"stopSignal", &runtime_schema_0, false},
};
static const uint8_t runtime_schema_lengths49[] = {9, 7, 10};
static const struct schema runtime_schema_101 = {.type = SCHEMA_OBJECT, .fields = runtime_schema_fields57, .num_fields = 3, .lengths = runtime_schema_lengths49};
static const struct schema_field runtime_schema_fields58[] = {
    {"port", &runtime_schema_9, true},
    {"service", &runtime_schema_81, false},
};
static const uint8_t runtime_schema_lengths50[] = {4, 7};
static const struct schema runtime_schema_102 = {.type = SCHEMA_OBJECT, .fields = runtime_schema_fields58, .num_fields = 2, .lengths = runtime_schema_lengths50, .num_required = 1};
static const struct schema_field runtime_schema_fields59[] = {
    {"exec", &runtime_schema_93, false},
    {"failureThreshold", &runtime_schema_9, false},
    {"grpc", &runtime_schema_102, false},
    {"httpGet", &runtime_schema_97, false},
    {"initialDelaySeconds", &runtime_schema_9, false},
    {"periodSeconds", &runtime_schema_9, false},
    {"successThreshold", &runtime_schema_9, false},
    {"tcpSocket", &runtime_schema_99, false},
    {"terminationGracePeriodSeconds", &runtime_schema_43, false},
    {"timeoutSeconds", &runtime_schema_9, false},
};
static const uint8_t runtime_schema_lengths51[] = {4, 16, 4, 7, 19, 13, 16, 9, 29, 14};
static const struct schema runtime_schema_103 = {.type = SCHEMA_OBJECT, .fields = runtime_schema_fields59, .num_fields = 10, .lengths = runtime_schema_lengths51};
static const struct schema runtime_schema_104 = {.type = SCHEMA_STRING, .default_text = "\"TCP\""};
static const struct schema_field runtime_schema_fields60[] = {
    {"containerPort", &runtime_schema_9, true},
    {"hostIP", &runtime_schema_0, false},
    {"hostPort", &runtime_schema_9, false},
    {"name", &runtime_schema_0, false},
    {"protocol", &runtime_schema_104, false},
};
static const uint8_t runtime_schema_lengths52[] = {13, 6, 8, 4, 8};
static const struct schema runtime_schema_105 = {.type = SCHEMA_OBJECT, .fields = runtime_schema_fields60, .num_fields = 5, .lengths = runtime_schema_lengths52, .num_required = 1};
static const char *const runtime_schema_texts7[] = {"containerPort", "protocol", NULL};
static const struct schema runtime_schema_106 = {.type = SCHEMA_LIST, .values = &runtime_schema_105, .keys = runtime_schema_texts7};
static const struct schema_field runtime_schema_fields61[] = {
    {"resourceName", &runtime_schema_0, true},
    {"restartPolicy", &runtime_schema_0, true},
};
static const uint8_t runtime_schema_lengths53[] = {12, 13};
static const struct schema runtime_schema_107 = {.type = SCHEMA_OBJECT, .fields = runtime_schema_fields61, .num_fields = 2, .lengths = runtime_schema_lengths53, .num_required = 2};
static const struct schema runtime_schema_108 = {.type = SCHEMA_LIST, .values = &runtime_schema_107};
static const struct schema_field runtime_schema_fields62[] = {
    {"name", &runtime_schema_0, true},
    {"request", &runtime_schema_0, false},
};
static const struct schema runtime_schema_109 = {.type = SCHEMA_OBJECT, .fields = runtime_schema_fields62, .num_fields = 2, .lengths = runtime_schema_lengths50, .num_required = 1};
static const struct schema runtime_schema_110 = {.type = SCHEMA_LIST, .values = &runtime_schema_109, .keys = runtime_schema_texts3};
static const struct schema runtime_schema_111 = {.type = SCHEMA_OBJECT, .values = &runtime_schema_85};
static const struct schema_field runtime_schema_fields63[] = {
    {"claims", &runtime_schema_110, false},
    {"limits", &runtime_schema_111, false},
    {"requests", &runtime_schema_111, false},
};
static const uint8_t runtime_schema_lengths54[] = {6, 6, 8};
static const struct schema runtime_schema_112 = {.type = SCHEMA_OBJECT, .fields = runtime_schema_fields63, .num_fields = 3, .lengths = runtime_schema_lengths54};
static const struct schema_field runtime_schema_fields64[] = {
    {"operator", &runtime_schema_0, true},
    {"values", &runtime_schema_56, false},
};
static const uint8_t runtime_schema_lengths55[] = {8, 6};
static const struct schema runtime_schema_113 = {.type = SCHEMA_OBJECT, .fields = runtime_schema_fields64, .num_fields = 2, .lengths = runtime_schema_lengths55, .num_required = 1};
static const struct schema_field runtime_schema_fields65[] = {
    {"action", &runtime_schema_0, true},
    {"exitCodes", &runtime_schema_113, false},
};
static const uint8_t runtime_schema_lengths56[] = {6, 9};
static const struct schema runtime_schema_114 = {.type = SCHEMA_OBJECT, .fields = runtime_schema_fields65, .num_fields = 2, .lengths = runtime_schema_lengths56, .num_required = 1};
static const struct schema runtime_schema_115 = {.type = SCHEMA_LIST, .values = &runtime_schema_114};
static const struct schema_field runtime_schema_fields66[] = {
    {"localhostProfile", &runtime_schema_0, false},
    {"type", &runtime_schema_0, true},
};
static const uint8_t runtime_schema_lengths57[] = {16, 4};
static const struct schema runtime_schema_116 = {.type = SCHEMA_OBJECT, .fields = runtime_schema_fields66, .num_fields = 2, .lengths = runtime_schema_lengths57, .num_required = 1};
static const struct schema_field runtime_schema_fields67[] = {
    {"add", &runtime_schema_41, false},
    {"drop", &runtime_schema_41, false},
};
static const uint8_t runtime_schema_lengths58[] = {3, 4};
static const struct schema runtime_schema_117 = {.type = SCHEMA_OBJECT, .fields = runtime_schema_fields67, .num_fields = 2, .lengths = runtime_schema_lengths58};
static const struct schema_field runtime_schema_fields68[] = {
    {"level", &runtime_schema_0, false},
    {"role", &runtime_schema_0, false},
    {"type", &runtime_schema_0, false},
    {"user", &runtime_schema_0, false},
};
static const uint8_t runtime_schema_lengths59[] = {5, 4, 4, 4};
static const struct schema runtime_schema_118 = {.type = SCHEMA_OBJECT, .fields = runtime_schema_fields68, .num_fields = 4, .lengths = runtime_schema_lengths59};
static const struct schema_field runtime_schema_fields69[] = {
    {"gmsaCredentialSpec", &runtime_schema_0, false},
    {"gmsaCredentialSpecName", &runtime_schema_0, false},
    {"hostProcess", &runtime_schema_50, false},
    {"runAsUserName", &runtime_schema_0, false},
};
static const uint8_t runtime_schema_lengths60[] = {18, 22, 11, 13};
static const struct schema runtime_schema_119 = {.type = SCHEMA_OBJECT, .fields = runtime_schema_fields69, .num_fields = 4, .lengths = runtime_schema_lengths60};
static const struct schema_field runtime_schema_fields70[] = {
    {"allowPrivilegeEscalation", &runtime_schema_50, false},
    {"appArmorProfile", &runtime_schema_116, false},
    {"capabilities", &runtime_schema_117, false},
    {"privileged", &runtime_schema_50, false},
    {"procMount", &runtime_schema_0, false},
    {"readOnlyRootFilesystem", &runtime_schema_50, false},
    {"runAsGroup", &runtime_schema_43, false},
    {"runAsNonRoot", &runtime_schema_50, false},
    {"runAsUser", &runtime_schema_43, false},
    {"seLinuxOptions", &runtime_schema_118, false},
    {"seccompProfile", &runtime_schema_116, false},
    {"windowsOptions", &runtime_schema_119, false},
};
static const uint8_t runtime_schema_lengths61[] = {24, 15, 12, 10, 9, 22, 10, 12, 9, 14, 14, 14};
static const struct schema runtime_schema_120 = {.type = SCHEMA_OBJECT, .fields = runtime_schema_fields70, .num_fields = 12, .lengths = runtime_schema_lengths61};
static const struct schema_field runtime_schema_fields71[] = {
    {"devicePath", &runtime_schema_0, true},
    {"name", &runtime_schema_0, true},
};
static const uint8_t runtime_schema_lengths62[] = {10, 4};
static const struct schema runtime_schema_121 = {.type = SCHEMA_OBJECT, .fields = runtime_schema_fields71, .num_fields = 2, .lengths = runtime_schema_lengths62, .num_required = 2};
static const char *const runtime_schema_texts8[] = {"devicePath", NULL};
static const struct schema runtime_schema_122 = {.type = SCHEMA_LIST, .values = &runtime_schema_121, .keys = runtime_schema_texts8};
static const struct schema_field runtime_schema_fields72[] = {
    {"mountPath", &runtime_schema_0, true},
    {"mountPropagation", &runtime_schema_0, false},
    {"name", &runtime_schema_0, true},
    {"readOnly", &runtime_schema_50, false},
    {"recursiveReadOnly", &runtime_schema_0, false},
    {"subPath", &runtime_schema_0, false},
    {"subPathExpr", &runtime_schema_0, false},
};
static const uint8_t runtime_schema_lengths63[] = {9, 16, 4, 8, 17, 7, 11};
static const struct schema runtime_schema_123 = {.type = SCHEMA_OBJECT, .fields = runtime_schema_fields72, .num_fields = 7, .lengths = runtime_schema_lengths63, .num_required = 2};
static const char *const runtime_schema_texts9[] = {"mountPath", NULL};
static const struct schema runtime_schema_124 = {.type = SCHEMA_LIST, .values = &runtime_schema_123, .keys = runtime_schema_texts9};
static const struct schema_field runtime_schema_fields73[] = {
    {"args", &runtime_schema_41, false},
    {"command", &runtime_schema_41, false},
    {"env", &runtime_schema_89, false},
    {"envFrom", &runtime_schema_92, false},
    {"image", &runtime_schema_0, false},
    {"imagePullPolicy", &runtime_schema_0, false},
    {"lifecycle", &runtime_schema_101, false},
    {"livenessProbe", &runtime_schema_103, false},
    {"name", &runtime_schema_0, true},
    {"ports", &runtime_schema_106, false},
    {"readinessProbe", &runtime_schema_103, false},
    {"resizePolicy", &runtime_schema_108, false},
    {"resources", &runtime_schema_112, false},
    {"restartPolicy", &runtime_schema_0, false},
    {"restartPolicyRules", &runtime_schema_115, false},
    {"securityContext", &runtime_schema_120, false},
    {"startupProbe", &runtime_schema_103, false},
    {"stdin", &runtime_schema_50, false},
    {"stdinOnce", &runtime_schema_50, false},
    {"terminationMessagePath", &runtime_schema_0, false},
    {"terminationMessagePolicy", &runtime_schema_0, false},
    {"tty", &runtime_schema_50, false},
    {"volumeDevices", &runtime_schema_122, false},
    {"volumeMounts", &runtime_schema_124, false},
    {"workingDir", &runtime_schema_0, false},
};
static const uint8_t runtime_schema_lengths64[] = {4, 7, 3, 7, 5, 15, 9, 13, 4, 5, 14, 12, 9, 13, 18, 15, 12, 5, 9, 22, 24, 3, 13, 12, 10};
static const struct schema runtime_schema_125 = {.type = SCHEMA_OBJECT, .fields = runtime_schema_fields73, .num_fields = 25, .lengths = runtime_schema_lengths64, .num_required = 1};
static const struct schema runtime_schema_126 = {.type = SCHEMA_LIST, .values = &runtime_schema_125, .keys = runtime_schema_texts3};
static const struct schema_field runtime_schema_fields74[] = {
    {"name", &runtime_schema_0, false},
    {"value", &runtime_schema_0, false},
};
static const struct schema runtime_schema_127 = {.type = SCHEMA_OBJECT, .fields = runtime_schema_fields74, .num_fields = 2, .lengths = runtime_schema_lengths45};
static const struct schema runtime_schema_128 = {.type = SCHEMA_LIST, .values = &runtime_schema_127};
static const struct schema_field runtime_schema_fields75[] = {
    {"nameservers", &runtime_schema_41, false},
    {"options", &runtime_schema_128, false},
    {"searches", &runtime_schema_41, false},
};
static const uint8_t runtime_schema_lengths65[] = {11, 7, 8};
static const struct schema runtime_schema_129 = {.type = SCHEMA_OBJECT, .fields = runtime_schema_fields75, .num_fields = 3, .lengths = runtime_schema_lengths65};
static const struct schema_field runtime_schema_fields76[] = {
    {"args", &runtime_schema_41, false},
    {"command", &runtime_schema_41, false},
    {"env", &runtime_schema_89, false},
    {"envFrom", &runtime_schema_92, false},
    {"image", &runtime_schema_0, false},
    {"imagePullPolicy", &runtime_schema_0, false},
    {"lifecycle", &runtime_schema_101, false},
    {"livenessProbe", &runtime_schema_103, false},
    {"name", &runtime_schema_0, true},
    {"ports", &runtime_schema_106, false},
    {"readinessProbe", &runtime_schema_103, false},
    {"resizePolicy", &runtime_schema_108, false},
    {"resources", &runtime_schema_112, false},
    {"restartPolicy", &runtime_schema_0, false},
    {"restartPolicyRules", &runtime_schema_115, false},
    {"securityContext", &runtime_schema_120, false},
    {"startupProbe", &runtime_schema_103, false},
    {"stdin", &runtime_schema_50, false},
    {"stdinOnce", &runtime_schema_50, false},
    {"targetContainerName", &runtime_schema_0, false},
    {"terminationMessagePath", &runtime_schema_0, false},
    {"terminationMessagePolicy", &runtime_schema_0, false},
    {"tty", &runtime_schema_50, false},
    {"volumeDevices", &runtime_schema_122, false},
    {"volumeMounts", &runtime_schema_124, false},
    {"workingDir", &runtime_schema_0, false},
};
static const uint8_t runtime_schema_lengths66[] = {4, 7, 3, 7, 5, 15, 9, 13, 4, 5, 14, 12, 9, 13, 18, 15, 12, 5, 9, 19, 22, 24, 3, 13, 12, 10};
static const struct schema runtime_schema_130 = {.type = SCHEMA_OBJECT, .fields = runtime_schema_fields76, .num_fields = 26, .lengths = runtime_schema_lengths66, .num_required = 1};
static const struct schema runtime_schema_131 = {.type = SCHEMA_LIST, .values = &runtime_schema_130, .keys = runtime_schema_texts3};
static const struct schema_field runtime_schema_fields77[] = {
    {"hostnames", &runtime_schema_41, false},
    {"ip", &runtime_schema_0, true},
};
static const uint8_t runtime_schema_lengths67[] = {9, 2};
static const struct schema runtime_schema_132 = {.type = SCHEMA_OBJECT, .fields = runtime_schema_fields77, .num_fields = 2, .lengths = runtime_schema_lengths67, .num_required = 1};
static const char *const runtime_schema_texts10[] = {"ip", NULL};
static const struct schema runtime_schema_133 = {.type = SCHEMA_LIST, .values = &runtime_schema_132, .keys = runtime_schema_texts10};
static const struct schema_field runtime_schema_fields78[] = {
    {"name", &runtime_schema_81, false},
};
static const uint8_t runtime_schema_lengths68[] = {4};
static const struct schema runtime_schema_134 = {.type = SCHEMA_OBJECT, .fields = runtime_schema_fields78, .num_fields = 1, .lengths = runtime_schema_lengths68};
static const struct schema runtime_schema_135 = {.type = SCHEMA_LIST, .values = &runtime_schema_134, .keys = runtime_schema_texts3};
static const struct schema_field runtime_schema_fields79[] = {
    {"name", &runtime_schema_0, true},
};
static const struct schema runtime_schema_136 = {.type = SCHEMA_OBJECT, .fields = runtime_schema_fields79, .num_fields = 1, .lengths = runtime_schema_lengths68, .num_required = 1};
static const struct schema_field runtime_schema_fields80[] = {
    {"conditionType", &runtime_schema_0, true},
};
static const uint8_t runtime_schema_lengths69[] = {13};
static const struct schema runtime_schema_137 = {.type = SCHEMA_OBJECT, .fields = runtime_schema_fields80, .num_fields = 1, .lengths = runtime_schema_lengths69, .num_required = 1};
static const struct schema runtime_schema_138 = {.type = SCHEMA_LIST, .values = &runtime_schema_137};
static const struct schema runtime_schema_139 = {.type = SCHEMA_LIST, .values = &runtime_schema_26, .keys = runtime_schema_texts3};
static const struct schema runtime_schema_140 = {.type = SCHEMA_LIST, .values = &runtime_schema_136, .keys = runtime_schema_texts3};
static const struct schema_field runtime_schema_fields81[] = {
    {"podGroupName", &runtime_schema_0, false},
};
static const struct schema runtime_schema_141 = {.type = SCHEMA_OBJECT, .fields = runtime_schema_fields81, .num_fields = 1, .lengths = runtime_schema_lengths4};
static const struct schema runtime_schema_142 = {.type = SCHEMA_LIST, .values = &runtime_schema_43};
static const struct schema_field runtime_schema_fields82[] = {
    {"appArmorProfile", &runtime_schema_116, false},
    {"fsGroup", &runtime_schema_43, false},
    {"fsGroupChangePolicy", &runtime_schema_0, false},
    {"runAsGroup", &runtime_schema_43, false},
    {"runAsNonRoot", &runtime_schema_50, false},
    {"runAsUser", &runtime_schema_43, false},
    {"seLinuxChangePolicy", &runtime_schema_0, false},
    {"seLinuxOptions", &runtime_schema_118, false},
    {"seccompProfile", &runtime_schema_116, false},
    {"supplementalGroups", &runtime_schema_142, false},
    {"supplementalGroupsPolicy", &runtime_schema_0, false},
    {"sysctls", &runtime_schema_95, false},
    {"windowsOptions", &runtime_schema_119, false},
};
static const uint8_t runtime_schema_lengths70[] = {15, 7, 19, 10, 12, 9, 19, 14, 14, 18, 24, 7, 14};
static const struct schema runtime_schema_143 = {.type = SCHEMA_OBJECT, .fields = runtime_schema_fields82, .num_fields = 13, .lengths = runtime_schema_lengths70};
static const struct schema_field runtime_schema_fields83[] = {
    {"effect", &runtime_schema_0, false},
    {"key", &runtime_schema_0, false},
    {"operator", &runtime_schema_0, false},
    {"tolerationSeconds", &runtime_schema_43, false},
    {"value", &runtime_schema_0, false},
};
static const uint8_t runtime_schema_lengths71[] = {6, 3, 8, 17, 5};
static const struct schema runtime_schema_144 = {.type = SCHEMA_OBJECT, .fields = runtime_schema_fields83, .num_fields = 5, .lengths = runtime_schema_lengths71};
static const struct schema runtime_schema_145 = {.type = SCHEMA_LIST, .values = &runtime_schema_144};
static const struct schema_field runtime_schema_fields84[] = {
    {"labelSelector", &runtime_schema_65, false},
    {"matchLabelKeys", &runtime_schema_41, false},
    {"maxSkew", &runtime_schema_9, true},
    {"minDomains", &runtime_schema_9, false},
    {"nodeAffinityPolicy", &runtime_schema_0, false},
    {"nodeTaintsPolicy", &runtime_schema_0, false},
    {"topologyKey", &runtime_schema_0, true},
    {"whenUnsatisfiable", &runtime_schema_0, true},
};
static const uint8_t runtime_schema_lengths72[] = {13, 14, 7, 10, 18, 16, 11, 17};
static const struct schema runtime_schema_146 = {.type = SCHEMA_OBJECT, .fields = runtime_schema_fields84, .num_fields = 8, .lengths = runtime_schema_lengths72, .num_required = 3};
static const char *const runtime_schema_texts11[] = {"topologyKey", "whenUnsatisfiable", NULL};
static const struct schema runtime_schema_147 = {.type = SCHEMA_LIST, .values = &runtime_schema_146, .keys = runtime_schema_texts11};
static const struct schema_field runtime_schema_fields85[] = {
    {"fsType", &runtime_schema_0, false},
    {"partition", &runtime_schema_9, false},
    {"readOnly", &runtime_schema_50, false},
    {"volumeID", &runtime_schema_0, true},
};
static const uint8_t runtime_schema_lengths73[] = {6, 9, 8, 8};
static const struct schema runtime_schema_148 = {.type = SCHEMA_OBJECT, .fields = runtime_schema_fields85, .num_fields = 4, .lengths = runtime_schema_lengths73, .num_required = 1};
static const struct schema runtime_schema_149 = {.type = SCHEMA_STRING, .default_text = "\"ext4\""};
static const struct schema_field runtime_schema_fields86[] = {
    {"cachingMode", &runtime_schema_0, false},
    {"diskName", &runtime_schema_0, true},
    {"diskURI", &runtime_schema_0, true},
    {"fsType", &runtime_schema_149, false},
    {"kind", &runtime_schema_0, false},
    {"readOnly", &runtime_schema_6, false},
};
static const uint8_t runtime_schema_lengths74[] = {11, 8, 7, 6, 4, 8};
static const struct schema runtime_schema_150 = {.type = SCHEMA_OBJECT, .fields = runtime_schema_fields86, .num_fields = 6, .lengths = runtime_schema_lengths74, .num_required = 2};
static const struct schema_field runtime_schema_fields87[] = {
    {"readOnly", &runtime_schema_50, false},
    {"secretName", &runtime_schema_0, true},
    {"shareName", &runtime_schema_0, true},
};
static const uint8_t runtime_schema_lengths75[] = {8, 10, 9};
static const struct schema runtime_schema_151 = {.type = SCHEMA_OBJECT, .fields = runtime_schema_fields87, .num_fields = 3, .lengths = runtime_schema_lengths75, .num_required = 2};
static const struct schema_field runtime_schema_fields88[] = {
    {"monitors", &runtime_schema_41, true},
    {"path", &runtime_schema_0, false},
    {"readOnly", &runtime_schema_50, false},
    {"secretFile", &runtime_schema_0, false},
    {"secretRef", &runtime_schema_134, false},
    {"user", &runtime_schema_0, false},
};
static const uint8_t runtime_schema_lengths76[] = {8, 4, 8, 10, 9, 4};
static const struct schema runtime_schema_152 = {.type = SCHEMA_OBJECT, .fields = runtime_schema_fields88, .num_fields = 6, .lengths = runtime_schema_lengths76, .num_required = 1};
static const struct schema_field runtime_schema_fields89[] = {
    {"fsType", &runtime_schema_0, false},
    {"readOnly", &runtime_schema_50, false},
    {"secretRef", &runtime_schema_134, false},
    {"volumeID", &runtime_schema_0, true},
};
static const uint8_t runtime_schema_lengths77[] = {6, 8, 9, 8};
static const struct schema runtime_schema_153 = {.type = SCHEMA_OBJECT, .fields = runtime_schema_fields89, .num_fields = 4, .lengths = runtime_schema_lengths77, .num_required = 1};
static const struct schema_field runtime_schema_fields90[] = {
    {"key", &runtime_schema_0, true},
    {"mode", &runtime_schema_9, false},
    {"path", &runtime_schema_0, true},
};
static const uint8_t runtime_schema_lengths78[] = {3, 4, 4};
static const struct schema runtime_schema_154 = {.type = SCHEMA_OBJECT, .fields = runtime_schema_fields90, .num_fields = 3, .lengths = runtime_schema_lengths78, .num_required = 2};
static const struct schema runtime_schema_155 = {.type = SCHEMA_LIST, .values = &runtime_schema_154};
static const struct schema_field runtime_schema_fields91[] = {
    {"defaultMode", &runtime_schema_9, false},
    {"items", &runtime_schema_155, false},
    {"name", &runtime_schema_81, false},
    {"optional", &runtime_schema_50, false},
};
static const uint8_t runtime_schema_lengths79[] = {11, 5, 4, 8};
static const struct schema runtime_schema_156 = {.type = SCHEMA_OBJECT, .fields = runtime_schema_fields91, .num_fields = 4, .lengths = runtime_schema_lengths79};
static const struct schema_field runtime_schema_fields92[] = {
    {"driver", &runtime_schema_0, true},
    {"fsType", &runtime_schema_0, false},
    {"nodePublishSecretRef", &runtime_schema_134, false},
    {"readOnly", &runtime_schema_50, false},
    {"volumeAttributes", &runtime_schema_40, false},
};
static const uint8_t runtime_schema_lengths80[] = {6, 6, 20, 8, 16};
static const struct schema runtime_schema_157 = {.type = SCHEMA_OBJECT, .fields = runtime_schema_fields92, .num_fields = 5, .lengths = runtime_schema_lengths80, .num_required = 1};
static const struct schema_field runtime_schema_fields93[] = {
    {"fieldRef", &runtime_schema_83, false},
    {"mode", &runtime_schema_9, false},
    {"path", &runtime_schema_0, true},
    {"resourceFieldRef", &runtime_schema_86, false},
};
static const uint8_t runtime_schema_lengths81[] = {8, 4, 4, 16};
static const struct schema runtime_schema_158 = {.type = SCHEMA_OBJECT, .fields = runtime_schema_fields93, .num_fields = 4, .lengths = runtime_schema_lengths81, .num_required = 1};
static const struct schema runtime_schema_159 = {.type = SCHEMA_LIST, .values = &runtime_schema_158};
static const struct schema_field runtime_schema_fields94[] = {
    {"defaultMode", &runtime_schema_9, false},
    {"items", &runtime_schema_159, false},
};
static const uint8_t runtime_schema_lengths82[] = {11, 5};
static const struct schema runtime_schema_160 = {.type = SCHEMA_OBJECT, .fields = runtime_schema_fields94, .num_fields = 2, .lengths = runtime_schema_lengths82};
static const struct schema_field runtime_schema_fields95[] = {
    {"medium", &runtime_schema_0, false},
    {"sizeLimit", &runtime_schema_85, false},
};
static const struct schema runtime_schema_161 = {.type = SCHEMA_OBJECT, .fields = runtime_schema_fields95, .num_fields = 2, .lengths = runtime_schema_lengths56};
static const struct schema_field runtime_schema_fields96[] = {
    {"apiGroup", &runtime_schema_0, false},
    {"kind", &runtime_schema_0, true},
    {"name", &runtime_schema_0, true},
};
static const uint8_t runtime_schema_lengths83[] = {8, 4, 4};
static const struct schema runtime_schema_162 = {.type = SCHEMA_OBJECT, .fields = runtime_schema_fields96, .num_fields = 3, .lengths = runtime_schema_lengths83, .num_required = 2};
static const struct schema_field runtime_schema_fields97[] = {
    {"apiGroup", &runtime_schema_0, false},
    {"kind", &runtime_schema_0, true},
    {"name", &runtime_schema_0, true},
    {"namespace", &runtime_schema_0, false},
};
static const uint8_t runtime_schema_lengths84[] = {8, 4, 4, 9};
static const struct schema runtime_schema_163 = {.type = SCHEMA_OBJECT, .fields = runtime_schema_fields97, .num_fields = 4, .lengths = runtime_schema_lengths84, .num_required = 2};
static const struct schema_field runtime_schema_fields98[] = {
    {"limits", &runtime_schema_111, false},
    {"requests", &runtime_schema_111, false},
};
static const uint8_t runtime_schema_lengths85[] = {6, 8};
static const struct schema runtime_schema_164 = {.type = SCHEMA_OBJECT, .fields = runtime_schema_fields98, .num_fields = 2, .lengths = runtime_schema_lengths85};
static const struct schema_field runtime_schema_fields99[] = {
    {"accessModes", &runtime_schema_41, false},
    {"dataSource", &runtime_schema_162, false},
    {"dataSourceRef", &runtime_schema_163, false},
    {"resources", &runtime_schema_164, false},
    {"selector", &runtime_schema_65, false},
    {"storageClassName", &runtime_schema_0, false},
    {"volumeAttributesClassName", &runtime_schema_0, false},
    {"volumeMode", &runtime_schema_0, false},
    {"volumeName", &runtime_schema_0, false},
};
static const uint8_t runtime_schema_lengths86[] = {11, 10, 13, 9, 8, 16, 25, 10, 10};
static const struct schema runtime_schema_165 = {.type = SCHEMA_OBJECT, .fields = runtime_schema_fields99, .num_fields = 9, .lengths = runtime_schema_lengths86};
static const struct schema_field runtime_schema_fields100[] = {
    {"metadata", &runtime_schema_42, false},
    {"spec", &runtime_schema_165, true},
};
static const uint8_t runtime_schema_lengths87[] = {8, 4};
static const struct schema runtime_schema_166 = {.type = SCHEMA_OBJECT, .fields = runtime_schema_fields100, .num_fields = 2, .lengths = runtime_schema_lengths87, .num_required = 1};
static const struct schema_field runtime_schema_fields101[] = {
    {"volumeClaimTemplate", &runtime_schema_166, false},
};
static const uint8_t runtime_schema_lengths88[] = {19};
static const struct schema runtime_schema_167 = {.type = SCHEMA_OBJECT, .fields = runtime_schema_fields101, .num_fields = 1, .lengths = runtime_schema_lengths88};
static const struct schema_field runtime_schema_fields102[] = {
    {"fsType", &runtime_schema_0, false},
    {"lun", &runtime_schema_9, false},
    {"readOnly", &runtime_schema_50, false},
    {"targetWWNs", &runtime_schema_41, false},
    {"wwids", &runtime_schema_41, false},
};
static const uint8_t runtime_schema_lengths89[] = {6, 3, 8, 10, 5};
static const struct schema runtime_schema_168 = {.type = SCHEMA_OBJECT, .fields = runtime_schema_fields102, .num_fields = 5, .lengths = runtime_schema_lengths89};
static const struct schema_field runtime_schema_fields103[] = {
    {"driver", &runtime_schema_0, true},
    {"fsType", &runtime_schema_0, false},
    {"options", &runtime_schema_40, false},
    {"readOnly", &runtime_schema_50, false},
    {"secretRef", &runtime_schema_134, false},
};
static const uint8_t runtime_schema_lengths90[] = {6, 6, 7, 8, 9};
static const struct schema runtime_schema_169 = {.type = SCHEMA_OBJECT, .fields = runtime_schema_fields103, .num_fields = 5, .lengths = runtime_schema_lengths90, .num_required = 1};
static const struct schema_field runtime_schema_fields104[] = {
    {"datasetName", &runtime_schema_0, false},
    {"datasetUUID", &runtime_schema_0, false},
};
static const uint8_t runtime_schema_lengths91[] = {11, 11};
static const struct schema runtime_schema_170 = {.type = SCHEMA_OBJECT, .fields = runtime_schema_fields104, .num_fields = 2, .lengths = runtime_schema_lengths91};
static const struct schema_field runtime_schema_fields105[] = {
    {"fsType", &runtime_schema_0, false},
    {"partition", &runtime_schema_9, false},
    {"pdName", &runtime_schema_0, true},
    {"readOnly", &runtime_schema_50, false},
};
static const uint8_t runtime_schema_lengths92[] = {6, 9, 6, 8};
static const struct schema runtime_schema_171 = {.type = SCHEMA_OBJECT, .fields = runtime_schema_fields105, .num_fields = 4, .lengths = runtime_schema_lengths92, .num_required = 1};
static const struct schema_field runtime_schema_fields106[] = {
    {"directory", &runtime_schema_0, false},
    {"repository", &runtime_schema_0, true},
    {"revision", &runtime_schema_0, false},
};
static const uint8_t runtime_schema_lengths93[] = {9, 10, 8};
static const struct schema runtime_schema_172 = {.type = SCHEMA_OBJECT, .fields = runtime_schema_fields106, .num_fields = 3, .lengths = runtime_schema_lengths93, .num_required = 1};
static const struct schema_field runtime_schema_fields107[] = {
    {"endpoints", &runtime_schema_0, true},
    {"path", &runtime_schema_0, true},
    {"readOnly", &runtime_schema_50, false},
};
static const uint8_t runtime_schema_lengths94[] = {9, 4, 8};
static const struct schema runtime_schema_173 = {.type = SCHEMA_OBJECT, .fields = runtime_schema_fields107, .num_fields = 3, .lengths = runtime_schema_lengths94, .num_required = 2};
static const struct schema_field runtime_schema_fields108[] = {
    {"path", &runtime_schema_0, true},
    {"type", &runtime_schema_0, false},
};
static const struct schema runtime_schema_174 = {.type = SCHEMA_OBJECT, .fields = runtime_schema_fields108, .num_fields = 2, .lengths = runtime_schema_lengths47, .num_required = 1};
static const struct schema_field runtime_schema_fields109[] = {
    {"pullPolicy", &runtime_schema_0, false},
    {"reference", &runtime_schema_0, false},
};
static const struct schema runtime_schema_175 = {.type = SCHEMA_OBJECT, .fields = runtime_schema_fields109, .num_fields = 2, .lengths = runtime_schema_lengths38};
static const struct schema_field runtime_schema_fields110[] = {
    {"chapAuthDiscovery", &runtime_schema_50, false},
    {"chapAuthSession", &runtime_schema_50, false},
    {"fsType", &runtime_schema_0, false},
    {"initiatorName", &runtime_schema_0, false},
    {"iqn", &runtime_schema_0, true},
    {"iscsiInterface", &runtime_schema_55, false},
    {"lun", &runtime_schema_9, true},
    {"portals", &runtime_schema_41, false},
    {"readOnly", &runtime_schema_50, false},
    {"secretRef", &runtime_schema_134, false},
    {"targetPortal", &runtime_schema_0, true},
};
static const uint8_t runtime_schema_lengths95[] = {17, 15, 6, 13, 3, 14, 3, 7, 8, 9, 12};
static const struct schema runtime_schema_176 = {.type = SCHEMA_OBJECT, .fields = runtime_schema_fields110, .num_fields = 11, .lengths = runtime_schema_lengths95, .num_required = 3};
static const struct schema_field runtime_schema_fields111[] = {
    {"path", &runtime_schema_0, true},
    {"readOnly", &runtime_schema_50, false},
    {"server", &runtime_schema_0, true},
};
static const uint8_t runtime_schema_lengths96[] = {4, 8, 6};
static const struct schema runtime_schema_177 = {.type = SCHEMA_OBJECT, .fields = runtime_schema_fields111, .num_fields = 3, .lengths = runtime_schema_lengths96, .num_required = 2};
static const struct schema_field runtime_schema_fields112[] = {
    {"claimName", &runtime_schema_0, true},
    {"readOnly", &runtime_schema_50, false},
};
static const uint8_t runtime_schema_lengths97[] = {9, 8};
static const struct schema runtime_schema_178 = {.type = SCHEMA_OBJECT, .fields = runtime_schema_fields112, .num_fields = 2, .lengths = runtime_schema_lengths97, .num_required = 1};
static const struct schema_field runtime_schema_fields113[] = {
    {"fsType", &runtime_schema_0, false},
    {"pdID", &runtime_schema_0, true},
};
static const struct schema runtime_schema_179 = {.type = SCHEMA_OBJECT, .fields = runtime_schema_fields113, .num_fields = 2, .lengths = runtime_schema_lengths25, .num_required = 1};
static const struct schema_field runtime_schema_fields114[] = {
    {"fsType", &runtime_schema_0, false},
    {"readOnly", &runtime_schema_50, false},
    {"volumeID", &runtime_schema_0, true},
};
static const uint8_t runtime_schema_lengths98[] = {6, 8, 8};
static const struct schema runtime_schema_180 = {.type = SCHEMA_OBJECT, .fields = runtime_schema_fields114, .num_fields = 3, .lengths = runtime_schema_lengths98, .num_required = 1};
static const struct schema_field runtime_schema_fields115[] = {
    {"labelSelector", &runtime_schema_65, false},
    {"name", &runtime_schema_0, false},
    {"optional", &runtime_schema_50, false},
    {"path", &runtime_schema_0, true},
    {"signerName", &runtime_schema_0, false},
};
static const uint8_t runtime_schema_lengths99[] = {13, 4, 8, 4, 10};
static const struct schema runtime_schema_181 = {.type = SCHEMA_OBJECT, .fields = runtime_schema_fields115, .num_fields = 5, .lengths = runtime_schema_lengths99, .num_required = 1};
static const struct schema_field runtime_schema_fields116[] = {
    {"items", &runtime_schema_155, false},
    {"name", &runtime_schema_81, false},
    {"optional", &runtime_schema_50, false},
};
static const uint8_t runtime_schema_lengths100[] = {5, 4, 8};
static const struct schema runtime_schema_182 = {.type = SCHEMA_OBJECT, .fields = runtime_schema_fields116, .num_fields = 3, .lengths = runtime_schema_lengths100};
static const struct schema_field runtime_schema_fields117[] = {
    {"items", &runtime_schema_159, false},
};
static const struct schema runtime_schema_183 = {.type = SCHEMA_OBJECT, .fields = runtime_schema_fields117, .num_fields = 1, .lengths = runtime_schema_lengths27};
static const struct schema_field runtime_schema_fields118[] = {
    {"certificateChainPath", &runtime_schema_0, false},
    {"credentialBundlePath", &runtime_schema_0, false},
    {"keyPath", &runtime_schema_0, false},
    {"keyType", &runtime_schema_0, true},
    {"maxExpirationSeconds", &runtime_schema_9, false},
    {"signerName", &runtime_schema_0, true},
    {"userAnnotations", &runtime_schema_40, false},
};
static const uint8_t runtime_schema_lengths101[] = {20, 20, 7, 7, 20, 10, 15};
static const struct schema runtime_schema_184 = {.type = SCHEMA_OBJECT, .fields = runtime_schema_fields118, .num_fields = 7, .lengths = runtime_schema_lengths101, .num_required = 2};
static const struct schema_field runtime_schema_fields119[] = {
    {"audience", &runtime_schema_0, false},
    {"expirationSeconds", &runtime_schema_43, false},
    {"path", &runtime_schema_0, true},
};
static const uint8_t runtime_schema_lengths102[] = {8, 17, 4};
static const struct schema runtime_schema_185 = {.type = SCHEMA_OBJECT, .fields = runtime_schema_fields119, .num_fields = 3, .lengths = runtime_schema_lengths102, .num_required = 1};
static const struct schema_field runtime_schema_fields120[] = {
    {"clusterTrustBundle", &runtime_schema_181, false},
    {"configMap", &runtime_schema_182, false},
    {"downwardAPI", &runtime_schema_183, false},
    {"podCertificate", &runtime_schema_184, false},
    {"secret", &runtime_schema_182, false},
    {"serviceAccountToken", &runtime_schema_185, false},
};
static const uint8_t runtime_schema_lengths103[] = {18, 9, 11, 14, 6, 19};
static const struct schema runtime_schema_186 = {.type = SCHEMA_OBJECT, .fields = runtime_schema_fields120, .num_fields = 6, .lengths = runtime_schema_lengths103};
static const struct schema runtime_schema_187 = {.type = SCHEMA_LIST, .values = &runtime_schema_186};
static const struct schema_field runtime_schema_fields121[] = {
    {"defaultMode", &runtime_schema_9, false},
    {"sources", &runtime_schema_187, false},
};
static const uint8_t runtime_schema_lengths104[] = {11, 7};
static const struct schema runtime_schema_188 = {.type = SCHEMA_OBJECT, .fields = runtime_schema_fields121, .num_fields = 2, .lengths = runtime_schema_lengths104};
static const struct schema_field runtime_schema_fields122[] = {
    {"group", &runtime_schema_0, false},
    {"readOnly", &runtime_schema_50, false},
    {"registry", &runtime_schema_0, true},
    {"tenant", &runtime_schema_0, false},
    {"user", &runtime_schema_0, false},
    {"volume", &runtime_schema_0, true},
};
static const uint8_t runtime_schema_lengths105[] = {5, 8, 8, 6, 4, 6};
static const struct schema runtime_schema_189 = {.type = SCHEMA_OBJECT, .fields = runtime_schema_fields122, .num_fields = 6, .lengths = runtime_schema_lengths105, .num_required = 2};
static const struct schema runtime_schema_190 = {.type = SCHEMA_STRING, .default_text = "\"/etc/ceph/keyring\""};
static const struct schema runtime_schema_191 = {.type = SCHEMA_STRING, .default_text = "\"rbd\""};
static const struct schema runtime_schema_192 = {.type = SCHEMA_STRING, .default_text = "\"admin\""};
static const struct schema_field runtime_schema_fields123[] = {
    {"fsType", &runtime_schema_0, false},
    {"image", &runtime_schema_0, true},
    {"keyring", &runtime_schema_190, false},
    {"monitors", &runtime_schema_41, true},
    {"pool", &runtime_schema_191, false},
    {"readOnly", &runtime_schema_50, false},
    {"secretRef", &runtime_schema_134, false},
    {"user", &runtime_schema_192, false},
};
static const uint8_t runtime_schema_lengths106[] = {6, 5, 7, 8, 4, 8, 9, 4};
static const struct schema runtime_schema_193 = {.type = SCHEMA_OBJECT, .fields = runtime_schema_fields123, .num_fields = 8, .lengths = runtime_schema_lengths106, .num_required = 2};
static const struct schema runtime_schema_194 = {.type = SCHEMA_STRING, .default_text = "\"xfs\""};
static const struct schema runtime_schema_195 = {.type = SCHEMA_STRING, .default_text = "\"ThinProvisioned\""};
static const struct schema_field runtime_schema_fields124[] = {
    {"fsType", &runtime_schema_194, false},
    {"gateway", &runtime_schema_0, true},
    {"protectionDomain", &runtime_schema_0, false},
    {"readOnly", &runtime_schema_50, false},
    {"secretRef", &runtime_schema_134, true},
    {"sslEnabled", &runtime_schema_50, false},
    {"storageMode", &runtime_schema_195, false},
    {"storagePool", &runtime_schema_0, false},
    {"system", &runtime_schema_0, true},
    {"volumeName", &runtime_schema_0, false},
};
static const uint8_t runtime_schema_lengths107[] = {6, 7, 16, 8, 9, 10, 11, 11, 6, 10};
static const struct schema runtime_schema_196 = {.type = SCHEMA_OBJECT, .fields = runtime_schema_fields124, .num_fields = 10, .lengths = runtime_schema_lengths107, .num_required = 3};
static const struct schema_field runtime_schema_fields125[] = {
    {"defaultMode", &runtime_schema_9, false},
    {"items", &runtime_schema_155, false},
    {"optional", &runtime_schema_50, false},
    {"secretName", &runtime_schema_0, false},
};
static const uint8_t runtime_schema_lengths108[] = {11, 5, 8, 10};
static const struct schema runtime_schema_197 = {.type = SCHEMA_OBJECT, .fields = runtime_schema_fields125, .num_fields = 4, .lengths = runtime_schema_lengths108};
static const struct schema_field runtime_schema_fields126[] = {
    {"fsType", &runtime_schema_0, false},
    {"readOnly", &runtime_schema_50, false},
    {"secretRef", &runtime_schema_134, false},
    {"volumeName", &runtime_schema_0, false},
    {"volumeNamespace", &runtime_schema_0, false},
};
static const uint8_t runtime_schema_lengths109[] = {6, 8, 9, 10, 15};
static const struct schema runtime_schema_198 = {.type = SCHEMA_OBJECT, .fields = runtime_schema_fields126, .num_fields = 5, .lengths = runtime_schema_lengths109};
static const struct schema_field runtime_schema_fields127[] = {
    {"fsType", &runtime_schema_0, false},
    {"storagePolicyID", &runtime_schema_0, false},
    {"storagePolicyName", &runtime_schema_0, false},
    {"volumePath", &runtime_schema_0, true},
};
static const uint8_t runtime_schema_lengths110[] = {6, 15, 17, 10};
static const struct schema runtime_schema_199 = {.type = SCHEMA_OBJECT, .fields = runtime_schema_fields127, .num_fields = 4, .lengths = runtime_schema_lengths110, .num_required = 1};
static const struct schema_field runtime_schema_fields128[] = {
    {"awsElasticBlockStore", &runtime_schema_148, false},
    {"azureDisk", &runtime_schema_150, false},
    {"azureFile", &runtime_schema_151, false},
    {"cephfs", &runtime_schema_152, false},
    {"cinder", &runtime_schema_153, false},
    {"configMap", &runtime_schema_156, false},
    {"csi", &runtime_schema_157, false},
    {"downwardAPI", &runtime_schema_160, false},
    {"emptyDir", &runtime_schema_161, false},
    {"ephemeral", &runtime_schema_167, false},
    {"fc", &runtime_schema_168, false},
    {"flexVolume", &runtime_schema_169, false},
    {"flocker", &runtime_schema_170, false},
    {"gcePersistentDisk", &runtime_schema_171, false},
    {"gitRepo", &runtime_schema_172, false},
    {"glusterfs", &runtime_schema_173, false},
    {"hostPath", &runtime_schema_174, false},
    {"image", &runtime_schema_175, false},
    {"iscsi", &runtime_schema_176, false},
    {"name", &runtime_schema_0, true},
    {"nfs", &runtime_schema_177, false},
    {"persistentVolumeClaim", &runtime_schema_178, false},
    {"photonPersistentDisk", &runtime_schema_179, false},
    {"portworxVolume", &runtime_schema_180, false},
    {"projected", &runtime_schema_188, false},
    {"quobyte", &runtime_schema_189, false},
    {"rbd", &runtime_schema_193, false},
    {"scaleIO", &runtime_schema_196, false},
    {"secret", &runtime_schema_197, false},
    {"storageos", &runtime_schema_198, false},
    {"vsphereVolume", &runtime_schema_199, false},
};
static const uint8_t runtime_schema_lengths111[] = {20, 9, 9, 6, 6, 9, 3, 11, 8, 9, 2, 10, 7, 17, 7, 9, 8, 5, 5, 4, 3, 21, 20, 14, 9, 7, 3, 7, 6, 9, 13};
static const struct schema runtime_schema_200 = {.type = SCHEMA_OBJECT, .fields = runtime_schema_fields128, .num_fields = 31, .lengths = runtime_schema_lengths111, .num_required = 1};
static const struct schema runtime_schema_201 = {.type = SCHEMA_LIST, .values = &runtime_schema_200, .keys = runtime_schema_texts3};
static const struct schema_field runtime_schema_fields129[] = {
    {"activeDeadlineSeconds", &runtime_schema_43, false},
    {"affinity", &runtime_schema_80, false},
    {"automountServiceAccountToken", &runtime_schema_50, false},
    {"containers", &runtime_schema_126, true},
    {"dnsConfig", &runtime_schema_129, false},
    {"dnsPolicy", &runtime_schema_0, false},
    {"enableServiceLinks", &runtime_schema_50, false},
    {"ephemeralContainers", &runtime_schema_131, false},
    {"hostAliases", &runtime_schema_133, false},
    {"hostIPC", &runtime_schema_50, false},
    {"hostNetwork", &runtime_schema_50, false},
    {"hostPID", &runtime_schema_50, false},
    {"hostUsers", &runtime_schema_50, false},
    {"hostname", &runtime_schema_0, false},
    {"hostnameOverride", &runtime_schema_0, false},
    {"imagePullSecrets", &runtime_schema_135, false},
    {"initContainers", &runtime_schema_126, false},
    {"nodeName", &runtime_schema_0, false},
    {"nodeSelector", &runtime_schema_40, false},
    {"os", &runtime_schema_136, false},
    {"overhead", &runtime_schema_111, false},
    {"preemptionPolicy", &runtime_schema_0, false},
    {"priority", &runtime_schema_9, false},
    {"priorityClassName", &runtime_schema_0, false},
    {"readinessGates", &runtime_schema_138, false},
    {"resourceClaims", &runtime_schema_139, false},
    {"resources", &runtime_schema_112, false},
    {"restartPolicy", &runtime_schema_0, false},
    {"runtimeClassName", &runtime_schema_0, false},
    {"schedulerName", &runtime_schema_0, false},
    {"schedulingGates", &runtime_schema_140, false},
    {"schedulingGroup", &runtime_schema_141, false},
    {"securityContext", &runtime_schema_143, false},
    {"serviceAccount", &runtime_schema_0, false},
    {"serviceAccountName", &runtime_schema_0, false},
    {"setHostnameAsFQDN", &runtime_schema_50, false},
    {"shareProcessNamespace", &runtime_schema_50, false},
    {"subdomain", &runtime_schema_0, false},
    {"terminationGracePeriodSeconds", &runtime_schema_43, false},
    {"tolerations", &runtime_schema_145, false},
    {"topologySpreadConstraints", &runtime_schema_147, false},
    {"volumes", &runtime_schema_201, false},
};
static const uint8_t runtime_schema_lengths112[] = {21, 8, 28, 10, 9, 9, 18, 19, 11, 7, 11, 7, 9, 8, 16, 16, 14, 8, 12, 2, 8, 16, 8, 17, 14, 14, 9, 13, 16, 13, 15, 15, 15, 14, 18, 17, 21, 9, 29, 11, 25, 7};
static const struct schema runtime_schema_202 = {.type = SCHEMA_OBJECT, .fields = runtime_schema_fields129, .num_fields = 42, .lengths = runtime_schema_lengths112, .num_required = 1};
static const struct schema_field runtime_schema_fields130[] = {
    {"metadata", &runtime_schema_42, false},
    {"spec", &runtime_schema_202, false},
};
static const struct schema runtime_schema_203 = {.type = SCHEMA_OBJECT, .fields = runtime_schema_fields130, .num_fields = 2, .lengths = runtime_schema_lengths87};
static const struct schema_field runtime_schema_fields131[] = {
    {"activeDeadlineSeconds", &runtime_schema_43, false},
    {"backoffLimit", &runtime_schema_9, false},
    {"backoffLimitPerIndex", &runtime_schema_9, false},
    {"completionMode", &runtime_schema_0, false},
    {"completions", &runtime_schema_9, false},
    {"managedBy", &runtime_schema_0, false},
    {"manualSelector", &runtime_schema_50, false},
    {"maxFailedIndexes", &runtime_schema_9, false},
    {"parallelism", &runtime_schema_9, false},
    {"podFailurePolicy", &runtime_schema_62, false},
    {"podReplacementPolicy", &runtime_schema_0, false},
    {"selector", &runtime_schema_65, false},
    {"successPolicy", &runtime_schema_68, false},
    {"suspend", &runtime_schema_50, false},
    {"template", &runtime_schema_203, true},
    {"ttlSecondsAfterFinished", &runtime_schema_9, false},
};
static const uint8_t runtime_schema_lengths113[] = {21, 12, 20, 14, 11, 9, 14, 16, 11, 16, 20, 8, 13, 7, 8, 23};
static const struct schema runtime_schema_204 = {.type = SCHEMA_OBJECT, .fields = runtime_schema_fields131, .num_fields = 16, .lengths = runtime_schema_lengths113, .num_required = 1};
static const struct schema_field runtime_schema_fields132[] = {
    {"metadata", &runtime_schema_42, false},
    {"spec", &runtime_schema_204, false},
};
static const struct schema runtime_schema_205 = {.type = SCHEMA_OBJECT, .fields = runtime_schema_fields132, .num_fields = 2, .lengths = runtime_schema_lengths87};
static const struct schema_field runtime_schema_fields133[] = {
    {"dependsOn", &runtime_schema_54, false},
    {"groupName", &runtime_schema_55, false},
    {"name", &runtime_schema_0, true},
    {"replicas", &runtime_schema_2, false},
    {"template", &runtime_schema_205, true},
};
static const uint8_t runtime_schema_lengths114[] = {9, 9, 4, 8, 8};
static const struct schema runtime_schema_206 = {.type = SCHEMA_OBJECT, .fields = runtime_schema_fields133, .num_fields = 5, .lengths = runtime_schema_lengths114, .num_required = 2};
static const struct schema runtime_schema_207 = {.type = SCHEMA_LIST, .values = &runtime_schema_206, .keys = runtime_schema_texts3};
static const char *const runtime_schema_texts12[] = {"AnyOrder", "InOrder", NULL};
static const struct schema runtime_schema_208 = {.type = SCHEMA_STRING, .enumeration = runtime_schema_texts12};
static const struct schema_field runtime_schema_fields134[] = {
    {"startupPolicyOrder", &runtime_schema_208, true},
};
static const uint8_t runtime_schema_lengths115[] = {18};
static const struct schema runtime_schema_209 = {.type = SCHEMA_OBJECT, .fields = runtime_schema_fields134, .num_fields = 1, .lengths = runtime_schema_lengths115, .num_required = 1};
static const char *const runtime_schema_texts13[] = {"All", "Any", NULL};
static const struct schema runtime_schema_210 = {.type = SCHEMA_STRING, .enumeration = runtime_schema_texts13};
static const struct schema_field runtime_schema_fields135[] = {
    {"operator", &runtime_schema_210, true},
    {"targetReplicatedJobs", &runtime_schema_41, false},
};
static const uint8_t runtime_schema_lengths116[] = {8, 20};
static const struct schema runtime_schema_211 = {.type = SCHEMA_OBJECT, .fields = runtime_schema_fields135, .num_fields = 2, .lengths = runtime_schema_lengths116, .num_required = 1};
static const struct schema runtime_schema_212 = {.type = SCHEMA_INT32, .has_minimum = true, .minimum = 0};
static const char *const runtime_schema_texts14[] = {"Delete", "Retain", NULL};
static const struct schema runtime_schema_213 = {.type = SCHEMA_STRING, .enumeration = runtime_schema_texts14, .default_text = "\"Delete\""};
static const struct schema_field runtime_schema_fields136[] = {
    {"whenDeleted", &runtime_schema_213, false},
};
static const uint8_t runtime_schema_lengths117[] = {11};
static const struct schema runtime_schema_214 = {.type = SCHEMA_OBJECT, .fields = runtime_schema_fields136, .num_fields = 1, .lengths = runtime_schema_lengths117};
static const struct schema_field runtime_schema_fields137[] = {
    {"lastProbeTime", &runtime_schema_0, false},
    {"lastTransitionTime", &runtime_schema_0, false},
    {"message", &runtime_schema_0, false},
    {"reason", &runtime_schema_0, false},
    {"status", &runtime_schema_0, true},
    {"type", &runtime_schema_0, true},
};
static const uint8_t runtime_schema_lengths118[] = {13, 18, 7, 6, 6, 4};
static const struct schema runtime_schema_215 = {.type = SCHEMA_OBJECT, .fields = runtime_schema_fields137, .num_fields = 6, .lengths = runtime_schema_lengths118, .num_required = 2};
static const char *const runtime_schema_texts15[] = {"type", NULL};
static const struct schema runtime_schema_216 = {.type = SCHEMA_LIST, .values = &runtime_schema_215, .keys = runtime_schema_texts15};
static const struct schema_field runtime_schema_fields138[] = {
    {"status", &runtime_schema_0, true},
    {"targetVolumeAttributesClassName", &runtime_schema_0, false},
};
static const uint8_t runtime_schema_lengths119[] = {6, 31};
static const struct schema runtime_schema_217 = {.type = SCHEMA_OBJECT, .fields = runtime_schema_fields138, .num_fields = 2, .lengths = runtime_schema_lengths119, .num_required = 1};
static const struct schema_field runtime_schema_fields139[] = {
    {"accessModes", &runtime_schema_41, false},
    {"allocatedResourceStatuses", &runtime_schema_40, false},
    {"allocatedResources", &runtime_schema_111, false},
    {"capacity", &runtime_schema_111, false},
    {"conditions", &runtime_schema_216, false},
    {"currentVolumeAttributesClassName", &runtime_schema_0, false},
    {"modifyVolumeStatus", &runtime_schema_217, false},
    {"phase", &runtime_schema_0, false},
};
static const uint8_t runtime_schema_lengths120[] = {11, 25, 18, 8, 10, 32, 18, 5};
static const struct schema runtime_schema_218 = {.type = SCHEMA_OBJECT, .fields = runtime_schema_fields139, .num_fields = 8, .lengths = runtime_schema_lengths120};
static const struct schema_field runtime_schema_fields140[] = {
    {"apiVersion", &runtime_schema_0, false},
    {"kind", &runtime_schema_0, false},
    {"metadata", &runtime_schema_42, false},
    {"spec", &runtime_schema_165, false},
    {"status", &runtime_schema_218, false},
};
static const uint8_t runtime_schema_lengths121[] = {10, 4, 8, 4, 6};
static const struct schema runtime_schema_219 = {.type = SCHEMA_OBJECT, .fields = runtime_schema_fields140, .num_fields = 5, .lengths = runtime_schema_lengths121};
static const struct schema runtime_schema_220 = {.type = SCHEMA_LIST, .values = &runtime_schema_219, .max_length = 50};
static const struct schema_field runtime_schema_fields141[] = {
    {"retentionPolicy", &runtime_schema_214, false},
    {"templates", &runtime_schema_220, false},
};
static const uint8_t runtime_schema_lengths122[] = {15, 9};
static const struct schema runtime_schema_221 = {.type = SCHEMA_OBJECT, .fields = runtime_schema_fields141, .num_fields = 2, .lengths = runtime_schema_lengths122};
static const struct schema runtime_schema_222 = {.type = SCHEMA_LIST, .values = &runtime_schema_221, .max_length = 50};
static const struct schema_field runtime_schema_fields142[] = {
    {"coordinator", &runtime_schema_44, false},
    {"failurePolicy", &runtime_schema_49, false},
    {"managedBy", &runtime_schema_0, false},
    {"network", &runtime_schema_51, false},
    {"replicatedJobs", &runtime_schema_207, false},
    {"startupPolicy", &runtime_schema_209, false},
    {"successPolicy", &runtime_schema_211, false},
    {"suspend", &runtime_schema_50, false},
    {"ttlSecondsAfterFinished", &runtime_schema_212, false},
    {"volumeClaimPolicies", &runtime_schema_222, false},
};
static const uint8_t runtime_schema_lengths123[] = {11, 13, 9, 7, 14, 13, 13, 7, 23, 19};
static const struct schema runtime_schema_223 = {.type = SCHEMA_OBJECT, .fields = runtime_schema_fields142, .num_fields = 10, .lengths = runtime_schema_lengths123};
static const struct schema_field runtime_schema_fields143[] = {
    {"metadata", &runtime_schema_42, false},
    {"spec", &runtime_schema_223, false},
};
static const struct schema runtime_schema_224 = {.type = SCHEMA_OBJECT, .fields = runtime_schema_fields143, .num_fields = 2, .lengths = runtime_schema_lengths87, .min_length = 1};
static const struct schema_field runtime_schema_fields144[] = {
    {"mlPolicy", &runtime_schema_17, false},
    {"podGroupPolicy", &runtime_schema_24, false},
    {"scheduling", &runtime_schema_39, false},
    {"template", &runtime_schema_224, false},
};
static const uint8_t runtime_schema_lengths124[] = {8, 14, 10, 8};
static const struct schema runtime_schema_225 = {.type = SCHEMA_OBJECT, .fields = runtime_schema_fields144, .num_fields = 4, .lengths = runtime_schema_lengths124, .min_length = 1};
static const struct schema_field runtime_schema_fields145[] = {
    {"apiVersion", &runtime_schema_0, false},
    {"kind", &runtime_schema_0, false},
    {"metadata", &runtime_schema_1, false},
    {"spec", &runtime_schema_225, false},
    {"status", &runtime_schema_1, false},
};

const struct schema training_runtime_schema = {.type = SCHEMA_OBJECT, .fields = runtime_schema_fields145, .num_fields = 5, .lengths = runtime_schema_lengths121};
/* clang-format on */
