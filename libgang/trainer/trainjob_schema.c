/* SPDX-License-Identifier: Apache-2.0 */
/* Generated from the CRDs of github.com/kubeflow/trainer/v2 v2.3.0 by tools/generate-schema. */
#include "libgang/trainer/trainjob_schema.h"

/* clang-format off */
static const struct schema trainjob_schema_0 = {.type = SCHEMA_STRING};
static const struct schema trainjob_schema_1 = {.type = SCHEMA_ANY};
static const struct schema trainjob_schema_2 = {.type = SCHEMA_INT64, .has_minimum = true, .minimum = 1};
static const struct schema trainjob_schema_3 = {.type = SCHEMA_STRING, .default_text = "\"\""};
static const struct schema trainjob_schema_4 = {.type = SCHEMA_BOOLEAN};
static const struct schema_field trainjob_schema_fields0[] = {
    {"key", &trainjob_schema_0, true},
    {"name", &trainjob_schema_3, false},
    {"optional", &trainjob_schema_4, false},
};
static const uint8_t trainjob_schema_lengths0[] = {3, 4, 8};
static const struct schema trainjob_schema_5 = {.type = SCHEMA_OBJECT, .fields = trainjob_schema_fields0, .num_fields = 3, .lengths = trainjob_schema_lengths0, .num_required = 1};
static const struct schema_field trainjob_schema_fields1[] = {
    {"apiVersion", &trainjob_schema_0, false},
    {"fieldPath", &trainjob_schema_0, true},
};
static const uint8_t trainjob_schema_lengths1[] = {10, 9};
static const struct schema trainjob_schema_6 = {.type = SCHEMA_OBJECT, .fields = trainjob_schema_fields1, .num_fields = 2, .lengths = trainjob_schema_lengths1, .num_required = 1};
static const struct schema trainjob_schema_7 = {.type = SCHEMA_BOOLEAN, .default_text = "false"};
static const struct schema_field trainjob_schema_fields2[] = {
    {"key", &trainjob_schema_0, true},
    {"optional", &trainjob_schema_7, false},
    {"path", &trainjob_schema_0, true},
    {"volumeName", &trainjob_schema_0, true},
};
static const uint8_t trainjob_schema_lengths2[] = {3, 8, 4, 10};
static const struct schema trainjob_schema_8 = {.type = SCHEMA_OBJECT, .fields = trainjob_schema_fields2, .num_fields = 4, .lengths = trainjob_schema_lengths2, .num_required = 3};
static const struct schema trainjob_schema_9 = {.type = SCHEMA_QUANTITY};
static const struct schema_field trainjob_schema_fields3[] = {
    {"containerName", &trainjob_schema_0, false},
    {"divisor", &trainjob_schema_9, false},
    {"resource", &trainjob_schema_0, true},
};
static const uint8_t trainjob_schema_lengths3[] = {13, 7, 8};
static const struct schema trainjob_schema_10 = {.type = SCHEMA_OBJECT, .fields = trainjob_schema_fields3, .num_fields = 3, .lengths = trainjob_schema_lengths3, .num_required = 1};
static const struct schema_field trainjob_schema_fields4[] = {
    {"configMapKeyRef", &trainjob_schema_5, false},
    {"fieldRef", &trainjob_schema_6, false},
    {"fileKeyRef", &trainjob_schema_8, false},
    {"resourceFieldRef", &trainjob_schema_10, false},
    {"secretKeyRef", &trainjob_schema_5, false},
};
static const uint8_t trainjob_schema_lengths4[] = {15, 8, 10, 16, 12};
static const struct schema trainjob_schema_11 = {.type = SCHEMA_OBJECT, .fields = trainjob_schema_fields4, .num_fields = 5, .lengths = trainjob_schema_lengths4};
static const struct schema_field trainjob_schema_fields5[] = {
    {"name", &trainjob_schema_0, true},
    {"value", &trainjob_schema_0, false},
    {"valueFrom", &trainjob_schema_11, false},
};
static const uint8_t trainjob_schema_lengths5[] = {4, 5, 9};
static const struct schema trainjob_schema_12 = {.type = SCHEMA_OBJECT, .fields = trainjob_schema_fields5, .num_fields = 3, .lengths = trainjob_schema_lengths5, .num_required = 1};
static const char *const trainjob_schema_texts0[] = {"name", NULL};
static const struct schema trainjob_schema_13 = {.type = SCHEMA_LIST, .values = &trainjob_schema_12, .keys = trainjob_schema_texts0, .max_length = 128};
static const struct schema_field trainjob_schema_fields6[] = {
    {"name", &trainjob_schema_3, false},
};
static const uint8_t trainjob_schema_lengths6[] = {4};
static const struct schema trainjob_schema_14 = {.type = SCHEMA_OBJECT, .fields = trainjob_schema_fields6, .num_fields = 1, .lengths = trainjob_schema_lengths6};
static const struct schema trainjob_schema_15 = {.type = SCHEMA_STRING, .max_length = 2048};
static const struct schema_field trainjob_schema_fields7[] = {
    {"env", &trainjob_schema_13, false},
    {"secretRef", &trainjob_schema_14, false},
    {"storageUri", &trainjob_schema_15, false},
};
static const uint8_t trainjob_schema_lengths7[] = {3, 9, 10};
static const struct schema trainjob_schema_16 = {.type = SCHEMA_OBJECT, .fields = trainjob_schema_fields7, .num_fields = 3, .lengths = trainjob_schema_lengths7};
static const struct schema_field trainjob_schema_fields8[] = {
    {"dataset", &trainjob_schema_16, false},
    {"model", &trainjob_schema_16, false},
};
static const uint8_t trainjob_schema_lengths8[] = {7, 5};
static const struct schema trainjob_schema_17 = {.type = SCHEMA_OBJECT, .fields = trainjob_schema_fields8, .num_fields = 2, .lengths = trainjob_schema_lengths8};
static const struct schema trainjob_schema_18 = {.type = SCHEMA_STRING, .max_length = 253, .default_text = "\"trainer.kubeflow.org/trainjob-controller\""};
static const struct schema trainjob_schema_19 = {.type = SCHEMA_STRING, .min_length = 1, .max_length = 253};
static const struct schema trainjob_schema_20 = {.type = SCHEMA_OBJECT, .values = &trainjob_schema_0};
static const struct schema trainjob_schema_21 = {.type = SCHEMA_LIST, .values = &trainjob_schema_0};
static const struct schema_field trainjob_schema_fields9[] = {
    {"annotations", &trainjob_schema_20, false},
    {"finalizers", &trainjob_schema_21, false},
    {"labels", &trainjob_schema_20, false},
    {"name", &trainjob_schema_0, false},
    {"namespace", &trainjob_schema_0, false},
};
static const uint8_t trainjob_schema_lengths9[] = {11, 10, 6, 4, 9};
static const struct schema trainjob_schema_22 = {.type = SCHEMA_OBJECT, .fields = trainjob_schema_fields9, .num_fields = 5, .lengths = trainjob_schema_lengths9};
static const struct schema_field trainjob_schema_fields10[] = {
    {"key", &trainjob_schema_0, true},
    {"operator", &trainjob_schema_0, true},
    {"values", &trainjob_schema_21, false},
};
static const uint8_t trainjob_schema_lengths10[] = {3, 8, 6};
static const struct schema trainjob_schema_23 = {.type = SCHEMA_OBJECT, .fields = trainjob_schema_fields10, .num_fields = 3, .lengths = trainjob_schema_lengths10, .num_required = 2};
static const struct schema trainjob_schema_24 = {.type = SCHEMA_LIST, .values = &trainjob_schema_23};
static const struct schema_field trainjob_schema_fields11[] = {
    {"matchExpressions", &trainjob_schema_24, false},
    {"matchFields", &trainjob_schema_24, false},
};
static const uint8_t trainjob_schema_lengths11[] = {16, 11};
static const struct schema trainjob_schema_25 = {.type = SCHEMA_OBJECT, .fields = trainjob_schema_fields11, .num_fields = 2, .lengths = trainjob_schema_lengths11};
static const struct schema trainjob_schema_26 = {.type = SCHEMA_INT32};
static const struct schema_field trainjob_schema_fields12[] = {
    {"preference", &trainjob_schema_25, true},
    {"weight", &trainjob_schema_26, true},
};
static const uint8_t trainjob_schema_lengths12[] = {10, 6};
static const struct schema trainjob_schema_27 = {.type = SCHEMA_OBJECT, .fields = trainjob_schema_fields12, .num_fields = 2, .lengths = trainjob_schema_lengths12, .num_required = 2};
static const struct schema trainjob_schema_28 = {.type = SCHEMA_LIST, .values = &trainjob_schema_27};
static const struct schema trainjob_schema_29 = {.type = SCHEMA_LIST, .values = &trainjob_schema_25};
static const struct schema_field trainjob_schema_fields13[] = {
    {"nodeSelectorTerms", &trainjob_schema_29, true},
};
static const uint8_t trainjob_schema_lengths13[] = {17};
static const struct schema trainjob_schema_30 = {.type = SCHEMA_OBJECT, .fields = trainjob_schema_fields13, .num_fields = 1, .lengths = trainjob_schema_lengths13, .num_required = 1};
static const struct schema_field trainjob_schema_fields14[] = {
    {"preferredDuringSchedulingIgnoredDuringExecution", &trainjob_schema_28, false},
    {"requiredDuringSchedulingIgnoredDuringExecution", &trainjob_schema_30, false},
};
static const uint8_t trainjob_schema_lengths14[] = {47, 46};
static const struct schema trainjob_schema_31 = {.type = SCHEMA_OBJECT, .fields = trainjob_schema_fields14, .num_fields = 2, .lengths = trainjob_schema_lengths14};
static const struct schema_field trainjob_schema_fields15[] = {
    {"matchExpressions", &trainjob_schema_24, false},
    {"matchLabels", &trainjob_schema_20, false},
};
static const struct schema trainjob_schema_32 = {.type = SCHEMA_OBJECT, .fields = trainjob_schema_fields15, .num_fields = 2, .lengths = trainjob_schema_lengths11};
static const struct schema_field trainjob_schema_fields16[] = {
    {"labelSelector", &trainjob_schema_32, false},
    {"matchLabelKeys", &trainjob_schema_21, false},
    {"mismatchLabelKeys", &trainjob_schema_21, false},
    {"namespaceSelector", &trainjob_schema_32, false},
    {"namespaces", &trainjob_schema_21, false},
    {"topologyKey", &trainjob_schema_0, true},
};
static const uint8_t trainjob_schema_lengths15[] = {13, 14, 17, 17, 10, 11};
static const struct schema trainjob_schema_33 = {.type = SCHEMA_OBJECT, .fields = trainjob_schema_fields16, .num_fields = 6, .lengths = trainjob_schema_lengths15, .num_required = 1};
static const struct schema_field trainjob_schema_fields17[] = {
    {"podAffinityTerm", &trainjob_schema_33, true},
    {"weight", &trainjob_schema_26, true},
};
static const uint8_t trainjob_schema_lengths16[] = {15, 6};
static const struct schema trainjob_schema_34 = {.type = SCHEMA_OBJECT, .fields = trainjob_schema_fields17, .num_fields = 2, .lengths = trainjob_schema_lengths16, .num_required = 2};
static const struct schema trainjob_schema_35 = {.type = SCHEMA_LIST, .values = &trainjob_schema_34};
static const struct schema trainjob_schema_36 = {.type = SCHEMA_LIST, .values = &trainjob_schema_33};
static const struct schema_field trainjob_schema_fields18[] = {
    {"preferredDuringSchedulingIgnoredDuringExecution", &trainjob_schema_35, false},
    {"requiredDuringSchedulingIgnoredDuringExecution", &trainjob_schema_36, false},
};
static const struct schema trainjob_schema_37 = {.type = SCHEMA_OBJECT, .fields = trainjob_schema_fields18, .num_fields = 2, .lengths = trainjob_schema_lengths14};
static const struct schema_field trainjob_schema_fields19[] = {
    {"nodeAffinity", &trainjob_schema_31, false},
    {"podAffinity", &trainjob_schema_37, false},
    {"podAntiAffinity", &trainjob_schema_37, false},
};
static const uint8_t trainjob_schema_lengths17[] = {12, 11, 15};
static const struct schema trainjob_schema_38 = {.type = SCHEMA_OBJECT, .fields = trainjob_schema_fields19, .num_fields = 3, .lengths = trainjob_schema_lengths17};
static const struct schema_field trainjob_schema_fields20[] = {
    {"localhostProfile", &trainjob_schema_0, false},
    {"type", &trainjob_schema_0, true},
};
static const uint8_t trainjob_schema_lengths18[] = {16, 4};
static const struct schema trainjob_schema_39 = {.type = SCHEMA_OBJECT, .fields = trainjob_schema_fields20, .num_fields = 2, .lengths = trainjob_schema_lengths18, .num_required = 1};
static const struct schema_field trainjob_schema_fields21[] = {
    {"add", &trainjob_schema_21, false},
    {"drop", &trainjob_schema_21, false},
};
static const uint8_t trainjob_schema_lengths19[] = {3, 4};
static const struct schema trainjob_schema_40 = {.type = SCHEMA_OBJECT, .fields = trainjob_schema_fields21, .num_fields = 2, .lengths = trainjob_schema_lengths19};
static const struct schema trainjob_schema_41 = {.type = SCHEMA_INT64};
static const struct schema_field trainjob_schema_fields22[] = {
    {"level", &trainjob_schema_0, false},
    {"role", &trainjob_schema_0, false},
    {"type", &trainjob_schema_0, false},
    {"user", &trainjob_schema_0, false},
};
static const uint8_t trainjob_schema_lengths20[] = {5, 4, 4, 4};
static const struct schema trainjob_schema_42 = {.type = SCHEMA_OBJECT, .fields = trainjob_schema_fields22, .num_fields = 4, .lengths = trainjob_schema_lengths20};
static const struct schema_field trainjob_schema_fields23[] = {
    {"gmsaCredentialSpec", &trainjob_schema_0, false},
    {"gmsaCredentialSpecName", &trainjob_schema_0, false},
    {"hostProcess", &trainjob_schema_4, false},
    {"runAsUserName", &trainjob_schema_0, false},
};
static const uint8_t trainjob_schema_lengths21[] = {18, 22, 11, 13};
static const struct schema trainjob_schema_43 = {.type = SCHEMA_OBJECT, .fields = trainjob_schema_fields23, .num_fields = 4, .lengths = trainjob_schema_lengths21};
static const struct schema_field trainjob_schema_fields24[] = {
    {"allowPrivilegeEscalation", &trainjob_schema_4, false},
    {"appArmorProfile", &trainjob_schema_39, false},
    {"capabilities", &trainjob_schema_40, false},
    {"privileged", &trainjob_schema_4, false},
    {"procMount", &trainjob_schema_0, false},
    {"readOnlyRootFilesystem", &trainjob_schema_4, false},
    {"runAsGroup", &trainjob_schema_41, false},
    {"runAsNonRoot", &trainjob_schema_4, false},
    {"runAsUser", &trainjob_schema_41, false},
    {"seLinuxOptions", &trainjob_schema_42, false},
    {"seccompProfile", &trainjob_schema_39, false},
    {"windowsOptions", &trainjob_schema_43, false},
};
static const uint8_t trainjob_schema_lengths22[] = {24, 15, 12, 10, 9, 22, 10, 12, 9, 14, 14, 14};
static const struct schema trainjob_schema_44 = {.type = SCHEMA_OBJECT, .fields = trainjob_schema_fields24, .num_fields = 12, .lengths = trainjob_schema_lengths22};
static const struct schema_field trainjob_schema_fields25[] = {
    {"mountPath", &trainjob_schema_0, true},
    {"mountPropagation", &trainjob_schema_0, false},
    {"name", &trainjob_schema_0, true},
    {"readOnly", &trainjob_schema_4, false},
    {"recursiveReadOnly", &trainjob_schema_0, false},
    {"subPath", &trainjob_schema_0, false},
    {"subPathExpr", &trainjob_schema_0, false},
};
static const uint8_t trainjob_schema_lengths23[] = {9, 16, 4, 8, 17, 7, 11};
static const struct schema trainjob_schema_45 = {.type = SCHEMA_OBJECT, .fields = trainjob_schema_fields25, .num_fields = 7, .lengths = trainjob_schema_lengths23, .num_required = 2};
static const struct schema trainjob_schema_46 = {.type = SCHEMA_LIST, .values = &trainjob_schema_45, .keys = trainjob_schema_texts0, .max_length = 128};
static const struct schema_field trainjob_schema_fields26[] = {
    {"env", &trainjob_schema_13, false},
    {"name", &trainjob_schema_19, true},
    {"securityContext", &trainjob_schema_44, false},
    {"volumeMounts", &trainjob_schema_46, false},
};
static const uint8_t trainjob_schema_lengths24[] = {3, 4, 15, 12};
static const struct schema trainjob_schema_47 = {.type = SCHEMA_OBJECT, .fields = trainjob_schema_fields26, .num_fields = 4, .lengths = trainjob_schema_lengths24, .num_required = 1};
static const struct schema trainjob_schema_48 = {.type = SCHEMA_LIST, .values = &trainjob_schema_47, .keys = trainjob_schema_texts0, .max_length = 64};
static const struct schema trainjob_schema_49 = {.type = SCHEMA_LIST, .values = &trainjob_schema_14, .keys = trainjob_schema_texts0, .max_length = 64};
static const struct schema_field trainjob_schema_fields27[] = {
    {"name", &trainjob_schema_0, true},
};
static const struct schema trainjob_schema_50 = {.type = SCHEMA_OBJECT, .fields = trainjob_schema_fields27, .num_fields = 1, .lengths = trainjob_schema_lengths6, .num_required = 1};
static const struct schema trainjob_schema_51 = {.type = SCHEMA_LIST, .values = &trainjob_schema_50, .keys = trainjob_schema_texts0, .max_length = 16};
static const struct schema trainjob_schema_52 = {.type = SCHEMA_LIST, .values = &trainjob_schema_41};
static const struct schema_field trainjob_schema_fields28[] = {
    {"name", &trainjob_schema_0, true},
    {"value", &trainjob_schema_0, true},
};
static const uint8_t trainjob_schema_lengths25[] = {4, 5};
static const struct schema trainjob_schema_53 = {.type = SCHEMA_OBJECT, .fields = trainjob_schema_fields28, .num_fields = 2, .lengths = trainjob_schema_lengths25, .num_required = 2};
static const struct schema trainjob_schema_54 = {.type = SCHEMA_LIST, .values = &trainjob_schema_53};
static const struct schema_field trainjob_schema_fields29[] = {
    {"appArmorProfile", &trainjob_schema_39, false},
    {"fsGroup", &trainjob_schema_41, false},
    {"fsGroupChangePolicy", &trainjob_schema_0, false},
    {"runAsGroup", &trainjob_schema_41, false},
    {"runAsNonRoot", &trainjob_schema_4, false},
    {"runAsUser", &trainjob_schema_41, false},
    {"seLinuxChangePolicy", &trainjob_schema_0, false},
    {"seLinuxOptions", &trainjob_schema_42, false},
    {"seccompProfile", &trainjob_schema_39, false},
    {"supplementalGroups", &trainjob_schema_52, false},
    {"supplementalGroupsPolicy", &trainjob_schema_0, false},
    {"sysctls", &trainjob_schema_54, false},
    {"windowsOptions", &trainjob_schema_43, false},
};
static const uint8_t trainjob_schema_lengths26[] = {15, 7, 19, 10, 12, 9, 19, 14, 14, 18, 24, 7, 14};
static const struct schema trainjob_schema_55 = {.type = SCHEMA_OBJECT, .fields = trainjob_schema_fields29, .num_fields = 13, .lengths = trainjob_schema_lengths26};
static const struct schema trainjob_schema_56 = {.type = SCHEMA_STRING, .max_length = 253};
static const struct schema trainjob_schema_57 = {.type = SCHEMA_INT64, .has_minimum = true, .minimum = 0};
static const struct schema_field trainjob_schema_fields30[] = {
    {"effect", &trainjob_schema_0, false},
    {"key", &trainjob_schema_0, false},
    {"operator", &trainjob_schema_0, false},
    {"tolerationSeconds", &trainjob_schema_41, false},
    {"value", &trainjob_schema_0, false},
};
static const uint8_t trainjob_schema_lengths27[] = {6, 3, 8, 17, 5};
static const struct schema trainjob_schema_58 = {.type = SCHEMA_OBJECT, .fields = trainjob_schema_fields30, .num_fields = 5, .lengths = trainjob_schema_lengths27};
static const struct schema trainjob_schema_59 = {.type = SCHEMA_LIST, .values = &trainjob_schema_58, .max_length = 128};
static const struct schema_field trainjob_schema_fields31[] = {
    {"fsType", &trainjob_schema_0, false},
    {"partition", &trainjob_schema_26, false},
    {"readOnly", &trainjob_schema_4, false},
    {"volumeID", &trainjob_schema_0, true},
};
static const uint8_t trainjob_schema_lengths28[] = {6, 9, 8, 8};
static const struct schema trainjob_schema_60 = {.type = SCHEMA_OBJECT, .fields = trainjob_schema_fields31, .num_fields = 4, .lengths = trainjob_schema_lengths28, .num_required = 1};
static const struct schema trainjob_schema_61 = {.type = SCHEMA_STRING, .default_text = "\"ext4\""};
static const struct schema_field trainjob_schema_fields32[] = {
    {"cachingMode", &trainjob_schema_0, false},
    {"diskName", &trainjob_schema_0, true},
    {"diskURI", &trainjob_schema_0, true},
    {"fsType", &trainjob_schema_61, false},
    {"kind", &trainjob_schema_0, false},
    {"readOnly", &trainjob_schema_7, false},
};
static const uint8_t trainjob_schema_lengths29[] = {11, 8, 7, 6, 4, 8};
static const struct schema trainjob_schema_62 = {.type = SCHEMA_OBJECT, .fields = trainjob_schema_fields32, .num_fields = 6, .lengths = trainjob_schema_lengths29, .num_required = 2};
static const struct schema_field trainjob_schema_fields33[] = {
    {"readOnly", &trainjob_schema_4, false},
    {"secretName", &trainjob_schema_0, true},
    {"shareName", &trainjob_schema_0, true},
};
static const uint8_t trainjob_schema_lengths30[] = {8, 10, 9};
static const struct schema trainjob_schema_63 = {.type = SCHEMA_OBJECT, .fields = trainjob_schema_fields33, .num_fields = 3, .lengths = trainjob_schema_lengths30, .num_required = 2};
static const struct schema_field trainjob_schema_fields34[] = {
    {"monitors", &trainjob_schema_21, true},
    {"path", &trainjob_schema_0, false},
    {"readOnly", &trainjob_schema_4, false},
    {"secretFile", &trainjob_schema_0, false},
    {"secretRef", &trainjob_schema_14, false},
    {"user", &trainjob_schema_0, false},
};
static const uint8_t trainjob_schema_lengths31[] = {8, 4, 8, 10, 9, 4};
static const struct schema trainjob_schema_64 = {.type = SCHEMA_OBJECT, .fields = trainjob_schema_fields34, .num_fields = 6, .lengths = trainjob_schema_lengths31, .num_required = 1};
static const struct schema_field trainjob_schema_fields35[] = {
    {"fsType", &trainjob_schema_0, false},
    {"readOnly", &trainjob_schema_4, false},
    {"secretRef", &trainjob_schema_14, false},
    {"volumeID", &trainjob_schema_0, true},
};
static const uint8_t trainjob_schema_lengths32[] = {6, 8, 9, 8};
static const struct schema trainjob_schema_65 = {.type = SCHEMA_OBJECT, .fields = trainjob_schema_fields35, .num_fields = 4, .lengths = trainjob_schema_lengths32, .num_required = 1};
static const struct schema_field trainjob_schema_fields36[] = {
    {"key", &trainjob_schema_0, true},
    {"mode", &trainjob_schema_26, false},
    {"path", &trainjob_schema_0, true},
};
static const uint8_t trainjob_schema_lengths33[] = {3, 4, 4};
static const struct schema trainjob_schema_66 = {.type = SCHEMA_OBJECT, .fields = trainjob_schema_fields36, .num_fields = 3, .lengths = trainjob_schema_lengths33, .num_required = 2};
static const struct schema trainjob_schema_67 = {.type = SCHEMA_LIST, .values = &trainjob_schema_66};
static const struct schema_field trainjob_schema_fields37[] = {
    {"defaultMode", &trainjob_schema_26, false},
    {"items", &trainjob_schema_67, false},
    {"name", &trainjob_schema_3, false},
    {"optional", &trainjob_schema_4, false},
};
static const uint8_t trainjob_schema_lengths34[] = {11, 5, 4, 8};
static const struct schema trainjob_schema_68 = {.type = SCHEMA_OBJECT, .fields = trainjob_schema_fields37, .num_fields = 4, .lengths = trainjob_schema_lengths34};
static const struct schema_field trainjob_schema_fields38[] = {
    {"driver", &trainjob_schema_0, true},
    {"fsType", &trainjob_schema_0, false},
    {"nodePublishSecretRef", &trainjob_schema_14, false},
    {"readOnly", &trainjob_schema_4, false},
    {"volumeAttributes", &trainjob_schema_20, false},
};
static const uint8_t trainjob_schema_lengths35[] = {6, 6, 20, 8, 16};
static const struct schema trainjob_schema_69 = {.type = SCHEMA_OBJECT, .fields = trainjob_schema_fields38, .num_fields = 5, .lengths = trainjob_schema_lengths35, .num_required = 1};
static const struct schema_field trainjob_schema_fields39[] = {
    {"fieldRef", &trainjob_schema_6, false},
    {"mode", &trainjob_schema_26, false},
    {"path", &trainjob_schema_0, true},
    {"resourceFieldRef", &trainjob_schema_10, false},
};
static const uint8_t trainjob_schema_lengths36[] = {8, 4, 4, 16};
static const struct schema trainjob_schema_70 = {.type = SCHEMA_OBJECT, .fields = trainjob_schema_fields39, .num_fields = 4, .lengths = trainjob_schema_lengths36, .num_required = 1};
static const struct schema trainjob_schema_71 = {.type = SCHEMA_LIST, .values = &trainjob_schema_70};
static const struct schema_field trainjob_schema_fields40[] = {
    {"defaultMode", &trainjob_schema_26, false},
    {"items", &trainjob_schema_71, false},
};
static const uint8_t trainjob_schema_lengths37[] = {11, 5};
static const struct schema trainjob_schema_72 = {.type = SCHEMA_OBJECT, .fields = trainjob_schema_fields40, .num_fields = 2, .lengths = trainjob_schema_lengths37};
static const struct schema_field trainjob_schema_fields41[] = {
    {"medium", &trainjob_schema_0, false},
    {"sizeLimit", &trainjob_schema_9, false},
};
static const uint8_t trainjob_schema_lengths38[] = {6, 9};
static const struct schema trainjob_schema_73 = {.type = SCHEMA_OBJECT, .fields = trainjob_schema_fields41, .num_fields = 2, .lengths = trainjob_schema_lengths38};
static const struct schema_field trainjob_schema_fields42[] = {
    {"apiGroup", &trainjob_schema_0, false},
    {"kind", &trainjob_schema_0, true},
    {"name", &trainjob_schema_0, true},
};
static const uint8_t trainjob_schema_lengths39[] = {8, 4, 4};
static const struct schema trainjob_schema_74 = {.type = SCHEMA_OBJECT, .fields = trainjob_schema_fields42, .num_fields = 3, .lengths = trainjob_schema_lengths39, .num_required = 2};
static const struct schema_field trainjob_schema_fields43[] = {
    {"apiGroup", &trainjob_schema_0, false},
    {"kind", &trainjob_schema_0, true},
    {"name", &trainjob_schema_0, true},
    {"namespace", &trainjob_schema_0, false},
};
static const uint8_t trainjob_schema_lengths40[] = {8, 4, 4, 9};
static const struct schema trainjob_schema_75 = {.type = SCHEMA_OBJECT, .fields = trainjob_schema_fields43, .num_fields = 4, .lengths = trainjob_schema_lengths40, .num_required = 2};
static const struct schema trainjob_schema_76 = {.type = SCHEMA_OBJECT, .values = &trainjob_schema_9};
static const struct schema_field trainjob_schema_fields44[] = {
    {"limits", &trainjob_schema_76, false},
    {"requests", &trainjob_schema_76, false},
};
static const uint8_t trainjob_schema_lengths41[] = {6, 8};
static const struct schema trainjob_schema_77 = {.type = SCHEMA_OBJECT, .fields = trainjob_schema_fields44, .num_fields = 2, .lengths = trainjob_schema_lengths41};
static const struct schema_field trainjob_schema_fields45[] = {
    {"accessModes", &trainjob_schema_21, false},
    {"dataSource", &trainjob_schema_74, false},
    {"dataSourceRef", &trainjob_schema_75, false},
    {"resources", &trainjob_schema_77, false},
    {"selector", &trainjob_schema_32, false},
    {"storageClassName", &trainjob_schema_0, false},
    {"volumeAttributesClassName", &trainjob_schema_0, false},
    {"volumeMode", &trainjob_schema_0, false},
    {"volumeName", &trainjob_schema_0, false},
};
static const uint8_t trainjob_schema_lengths42[] = {11, 10, 13, 9, 8, 16, 25, 10, 10};
static const struct schema trainjob_schema_78 = {.type = SCHEMA_OBJECT, .fields = trainjob_schema_fields45, .num_fields = 9, .lengths = trainjob_schema_lengths42};
static const struct schema_field trainjob_schema_fields46[] = {
    {"metadata", &trainjob_schema_22, false},
    {"spec", &trainjob_schema_78, true},
};
static const uint8_t trainjob_schema_lengths43[] = {8, 4};
static const struct schema trainjob_schema_79 = {.type = SCHEMA_OBJECT, .fields = trainjob_schema_fields46, .num_fields = 2, .lengths = trainjob_schema_lengths43, .num_required = 1};
static const struct schema_field trainjob_schema_fields47[] = {
    {"volumeClaimTemplate", &trainjob_schema_79, false},
};
static const uint8_t trainjob_schema_lengths44[] = {19};
static const struct schema trainjob_schema_80 = {.type = SCHEMA_OBJECT, .fields = trainjob_schema_fields47, .num_fields = 1, .lengths = trainjob_schema_lengths44};
static const struct schema_field trainjob_schema_fields48[] = {
    {"fsType", &trainjob_schema_0, false},
    {"lun", &trainjob_schema_26, false},
    {"readOnly", &trainjob_schema_4, false},
    {"targetWWNs", &trainjob_schema_21, false},
    {"wwids", &trainjob_schema_21, false},
};
static const uint8_t trainjob_schema_lengths45[] = {6, 3, 8, 10, 5};
static const struct schema trainjob_schema_81 = {.type = SCHEMA_OBJECT, .fields = trainjob_schema_fields48, .num_fields = 5, .lengths = trainjob_schema_lengths45};
static const struct schema_field trainjob_schema_fields49[] = {
    {"driver", &trainjob_schema_0, true},
    {"fsType", &trainjob_schema_0, false},
    {"options", &trainjob_schema_20, false},
    {"readOnly", &trainjob_schema_4, false},
    {"secretRef", &trainjob_schema_14, false},
};
static const uint8_t trainjob_schema_lengths46[] = {6, 6, 7, 8, 9};
static const struct schema trainjob_schema_82 = {.type = SCHEMA_OBJECT, .fields = trainjob_schema_fields49, .num_fields = 5, .lengths = trainjob_schema_lengths46, .num_required = 1};
static const struct schema_field trainjob_schema_fields50[] = {
    {"datasetName", &trainjob_schema_0, false},
    {"datasetUUID", &trainjob_schema_0, false},
};
static const uint8_t trainjob_schema_lengths47[] = {11, 11};
static const struct schema trainjob_schema_83 = {.type = SCHEMA_OBJECT, .fields = trainjob_schema_fields50, .num_fields = 2, .lengths = trainjob_schema_lengths47};
static const struct schema_field trainjob_schema_fields51[] = {
    {"fsType", &trainjob_schema_0, false},
    {"partition", &trainjob_schema_26, false},
    {"pdName", &trainjob_schema_0, true},
    {"readOnly", &trainjob_schema_4, false},
};
static const uint8_t trainjob_schema_lengths48[] = {6, 9, 6, 8};
static const struct schema trainjob_schema_84 = {.type = SCHEMA_OBJECT, .fields = trainjob_schema_fields51, .num_fields = 4, .lengths = trainjob_schema_lengths48, .num_required = 1};
static const struct schema_field trainjob_schema_fields52[] = {
    {"directory", &trainjob_schema_0, false},
    {"repository", &trainjob_schema_0, true},
    {"revision", &trainjob_schema_0, false},
};
static const uint8_t trainjob_schema_lengths49[] = {9, 10, 8};
static const struct schema trainjob_schema_85 = {.type = SCHEMA_OBJECT, .fields = trainjob_schema_fields52, .num_fields = 3, .lengths = trainjob_schema_lengths49, .num_required = 1};
static const struct schema_field trainjob_schema_fields53[] = {
    {"endpoints", &trainjob_schema_0, true},
    {"path", &trainjob_schema_0, true},
    {"readOnly", &trainjob_schema_4, false},
};
static const uint8_t trainjob_schema_lengths50[] = {9, 4, 8};
static const struct schema trainjob_schema_86 = {.type = SCHEMA_OBJECT, .fields = trainjob_schema_fields53, .num_fields = 3, .lengths = trainjob_schema_lengths50, .num_required = 2};
static const struct schema_field trainjob_schema_fields54[] = {
    {"path", &trainjob_schema_0, true},
    {"type", &trainjob_schema_0, false},
};
static const uint8_t trainjob_schema_lengths51[] = {4, 4};
static const struct schema trainjob_schema_87 = {.type = SCHEMA_OBJECT, .fields = trainjob_schema_fields54, .num_fields = 2, .lengths = trainjob_schema_lengths51, .num_required = 1};
static const struct schema_field trainjob_schema_fields55[] = {
    {"pullPolicy", &trainjob_schema_0, false},
    {"reference", &trainjob_schema_0, false},
};
static const struct schema trainjob_schema_88 = {.type = SCHEMA_OBJECT, .fields = trainjob_schema_fields55, .num_fields = 2, .lengths = trainjob_schema_lengths1};
static const struct schema trainjob_schema_89 = {.type = SCHEMA_STRING, .default_text = "\"default\""};
static const struct schema_field trainjob_schema_fields56[] = {
    {"chapAuthDiscovery", &trainjob_schema_4, false},
    {"chapAuthSession", &trainjob_schema_4, false},
    {"fsType", &trainjob_schema_0, false},
    {"initiatorName", &trainjob_schema_0, false},
    {"iqn", &trainjob_schema_0, true},
    {"iscsiInterface", &trainjob_schema_89, false},
    {"lun", &trainjob_schema_26, true},
    {"portals", &trainjob_schema_21, false},
    {"readOnly", &trainjob_schema_4, false},
    {"secretRef", &trainjob_schema_14, false},
    {"targetPortal", &trainjob_schema_0, true},
};
static const uint8_t trainjob_schema_lengths52[] = {17, 15, 6, 13, 3, 14, 3, 7, 8, 9, 12};
static const struct schema trainjob_schema_90 = {.type = SCHEMA_OBJECT, .fields = trainjob_schema_fields56, .num_fields = 11, .lengths = trainjob_schema_lengths52, .num_required = 3};
static const struct schema_field trainjob_schema_fields57[] = {
    {"path", &trainjob_schema_0, true},
    {"readOnly", &trainjob_schema_4, false},
    {"server", &trainjob_schema_0, true},
};
static const uint8_t trainjob_schema_lengths53[] = {4, 8, 6};
static const struct schema trainjob_schema_91 = {.type = SCHEMA_OBJECT, .fields = trainjob_schema_fields57, .num_fields = 3, .lengths = trainjob_schema_lengths53, .num_required = 2};
static const struct schema_field trainjob_schema_fields58[] = {
    {"claimName", &trainjob_schema_0, true},
    {"readOnly", &trainjob_schema_4, false},
};
static const uint8_t trainjob_schema_lengths54[] = {9, 8};
static const struct schema trainjob_schema_92 = {.type = SCHEMA_OBJECT, .fields = trainjob_schema_fields58, .num_fields = 2, .lengths = trainjob_schema_lengths54, .num_required = 1};
static const struct schema_field trainjob_schema_fields59[] = {
    {"fsType", &trainjob_schema_0, false},
    {"pdID", &trainjob_schema_0, true},
};
static const uint8_t trainjob_schema_lengths55[] = {6, 4};
static const struct schema trainjob_schema_93 = {.type = SCHEMA_OBJECT, .fields = trainjob_schema_fields59, .num_fields = 2, .lengths = trainjob_schema_lengths55, .num_required = 1};
static const struct schema_field trainjob_schema_fields60[] = {
    {"fsType", &trainjob_schema_0, false},
    {"readOnly", &trainjob_schema_4, false},
    {"volumeID", &trainjob_schema_0, true},
};
static const uint8_t trainjob_schema_lengths56[] = {6, 8, 8};
static const struct schema trainjob_schema_94 = {.type = SCHEMA_OBJECT, .fields = trainjob_schema_fields60, .num_fields = 3, .lengths = trainjob_schema_lengths56, .num_required = 1};
static const struct schema_field trainjob_schema_fields61[] = {
    {"labelSelector", &trainjob_schema_32, false},
    {"name", &trainjob_schema_0, false},
    {"optional", &trainjob_schema_4, false},
    {"path", &trainjob_schema_0, true},
    {"signerName", &trainjob_schema_0, false},
};
static const uint8_t trainjob_schema_lengths57[] = {13, 4, 8, 4, 10};
static const struct schema trainjob_schema_95 = {.type = SCHEMA_OBJECT, .fields = trainjob_schema_fields61, .num_fields = 5, .lengths = trainjob_schema_lengths57, .num_required = 1};
static const struct schema_field trainjob_schema_fields62[] = {
    {"items", &trainjob_schema_67, false},
    {"name", &trainjob_schema_3, false},
    {"optional", &trainjob_schema_4, false},
};
static const uint8_t trainjob_schema_lengths58[] = {5, 4, 8};
static const struct schema trainjob_schema_96 = {.type = SCHEMA_OBJECT, .fields = trainjob_schema_fields62, .num_fields = 3, .lengths = trainjob_schema_lengths58};
static const struct schema_field trainjob_schema_fields63[] = {
    {"items", &trainjob_schema_71, false},
};
static const uint8_t trainjob_schema_lengths59[] = {5};
static const struct schema trainjob_schema_97 = {.type = SCHEMA_OBJECT, .fields = trainjob_schema_fields63, .num_fields = 1, .lengths = trainjob_schema_lengths59};
static const struct schema_field trainjob_schema_fields64[] = {
    {"certificateChainPath", &trainjob_schema_0, false},
    {"credentialBundlePath", &trainjob_schema_0, false},
    {"keyPath", &trainjob_schema_0, false},
    {"keyType", &trainjob_schema_0, true},
    {"maxExpirationSeconds", &trainjob_schema_26, false},
    {"signerName", &trainjob_schema_0, true},
    {"userAnnotations", &trainjob_schema_20, false},
};
static const uint8_t trainjob_schema_lengths60[] = {20, 20, 7, 7, 20, 10, 15};
static const struct schema trainjob_schema_98 = {.type = SCHEMA_OBJECT, .fields = trainjob_schema_fields64, .num_fields = 7, .lengths = trainjob_schema_lengths60, .num_required = 2};
static const struct schema_field trainjob_schema_fields65[] = {
    {"audience", &trainjob_schema_0, false},
    {"expirationSeconds", &trainjob_schema_41, false},
    {"path", &trainjob_schema_0, true},
};
static const uint8_t trainjob_schema_lengths61[] = {8, 17, 4};
static const struct schema trainjob_schema_99 = {.type = SCHEMA_OBJECT, .fields = trainjob_schema_fields65, .num_fields = 3, .lengths = trainjob_schema_lengths61, .num_required = 1};
static const struct schema_field trainjob_schema_fields66[] = {
    {"clusterTrustBundle", &trainjob_schema_95, false},
    {"configMap", &trainjob_schema_96, false},
    {"downwardAPI", &trainjob_schema_97, false},
    {"podCertificate", &trainjob_schema_98, false},
    {"secret", &trainjob_schema_96, false},
    {"serviceAccountToken", &trainjob_schema_99, false},
};
static const uint8_t trainjob_schema_lengths62[] = {18, 9, 11, 14, 6, 19};
static const struct schema trainjob_schema_100 = {.type = SCHEMA_OBJECT, .fields = trainjob_schema_fields66, .num_fields = 6, .lengths = trainjob_schema_lengths62};
static const struct schema trainjob_schema_101 = {.type = SCHEMA_LIST, .values = &trainjob_schema_100};
static const struct schema_field trainjob_schema_fields67[] = {
    {"defaultMode", &trainjob_schema_26, false},
    {"sources", &trainjob_schema_101, false},
};
static const uint8_t trainjob_schema_lengths63[] = {11, 7};
static const struct schema trainjob_schema_102 = {.type = SCHEMA_OBJECT, .fields = trainjob_schema_fields67, .num_fields = 2, .lengths = trainjob_schema_lengths63};
static const struct schema_field trainjob_schema_fields68[] = {
    {"group", &trainjob_schema_0, false},
    {"readOnly", &trainjob_schema_4, false},
    {"registry", &trainjob_schema_0, true},
    {"tenant", &trainjob_schema_0, false},
    {"user", &trainjob_schema_0, false},
    {"volume", &trainjob_schema_0, true},
};
static const uint8_t trainjob_schema_lengths64[] = {5, 8, 8, 6, 4, 6};
static const struct schema trainjob_schema_103 = {.type = SCHEMA_OBJECT, .fields = trainjob_schema_fields68, .num_fields = 6, .lengths = trainjob_schema_lengths64, .num_required = 2};
static const struct schema trainjob_schema_104 = {.type = SCHEMA_STRING, .default_text = "\"/etc/ceph/keyring\""};
static const struct schema trainjob_schema_105 = {.type = SCHEMA_STRING, .default_text = "\"rbd\""};
static const struct schema trainjob_schema_106 = {.type = SCHEMA_STRING, .default_text = "\"admin\""};
static const struct schema_field trainjob_schema_fields69[] = {
    {"fsType", &trainjob_schema_0, false},
    {"image", &trainjob_schema_0, true},
    {"keyring", &trainjob_schema_104, false},
    {"monitors", &trainjob_schema_21, true},
    {"pool", &trainjob_schema_105, false},
    {"readOnly", &trainjob_schema_4, false},
    {"secretRef", &trainjob_schema_14, false},
    {"user", &trainjob_schema_106, false},
};
static const uint8_t trainjob_schema_lengths65[] = {6, 5, 7, 8, 4, 8, 9, 4};
static const struct schema trainjob_schema_107 = {.type = SCHEMA_OBJECT, .fields = trainjob_schema_fields69, .num_fields = 8, .lengths = trainjob_schema_lengths65, .num_required = 2};
static const struct schema trainjob_schema_108 = {.type = SCHEMA_STRING, .default_text = "\"xfs\""};
static const struct schema trainjob_schema_109 = {.type = SCHEMA_STRING, .default_text = "\"ThinProvisioned\""};
static const struct schema_field trainjob_schema_fields70[] = {
    {"fsType", &trainjob_schema_108, false},
    {"gateway", &trainjob_schema_0, true},
    {"protectionDomain", &trainjob_schema_0, false},
    {"readOnly", &trainjob_schema_4, false},
    {"secretRef", &trainjob_schema_14, true},
    {"sslEnabled", &trainjob_schema_4, false},
    {"storageMode", &trainjob_schema_109, false},
    {"storagePool", &trainjob_schema_0, false},
    {"system", &trainjob_schema_0, true},
    {"volumeName", &trainjob_schema_0, false},
};
static const uint8_t trainjob_schema_lengths66[] = {6, 7, 16, 8, 9, 10, 11, 11, 6, 10};
static const struct schema trainjob_schema_110 = {.type = SCHEMA_OBJECT, .fields = trainjob_schema_fields70, .num_fields = 10, .lengths = trainjob_schema_lengths66, .num_required = 3};
static const struct schema_field trainjob_schema_fields71[] = {
    {"defaultMode", &trainjob_schema_26, false},
    {"items", &trainjob_schema_67, false},
    {"optional", &trainjob_schema_4, false},
    {"secretName", &trainjob_schema_0, false},
};
static const uint8_t trainjob_schema_lengths67[] = {11, 5, 8, 10};
static const struct schema trainjob_schema_111 = {.type = SCHEMA_OBJECT, .fields = trainjob_schema_fields71, .num_fields = 4, .lengths = trainjob_schema_lengths67};
static const struct schema_field trainjob_schema_fields72[] = {
    {"fsType", &trainjob_schema_0, false},
    {"readOnly", &trainjob_schema_4, false},
    {"secretRef", &trainjob_schema_14, false},
    {"volumeName", &trainjob_schema_0, false},
    {"volumeNamespace", &trainjob_schema_0, false},
};
static const uint8_t trainjob_schema_lengths68[] = {6, 8, 9, 10, 15};
static const struct schema trainjob_schema_112 = {.type = SCHEMA_OBJECT, .fields = trainjob_schema_fields72, .num_fields = 5, .lengths = trainjob_schema_lengths68};
static const struct schema_field trainjob_schema_fields73[] = {
    {"fsType", &trainjob_schema_0, false},
    {"storagePolicyID", &trainjob_schema_0, false},
    {"storagePolicyName", &trainjob_schema_0, false},
    {"volumePath", &trainjob_schema_0, true},
};
static const uint8_t trainjob_schema_lengths69[] = {6, 15, 17, 10};
static const struct schema trainjob_schema_113 = {.type = SCHEMA_OBJECT, .fields = trainjob_schema_fields73, .num_fields = 4, .lengths = trainjob_schema_lengths69, .num_required = 1};
static const struct schema_field trainjob_schema_fields74[] = {
    {"awsElasticBlockStore", &trainjob_schema_60, false},
    {"azureDisk", &trainjob_schema_62, false},
    {"azureFile", &trainjob_schema_63, false},
    {"cephfs", &trainjob_schema_64, false},
    {"cinder", &trainjob_schema_65, false},
    {"configMap", &trainjob_schema_68, false},
    {"csi", &trainjob_schema_69, false},
    {"downwardAPI", &trainjob_schema_72, false},
    {"emptyDir", &trainjob_schema_73, false},
    {"ephemeral", &trainjob_schema_80, false},
    {"fc", &trainjob_schema_81, false},
    {"flexVolume", &trainjob_schema_82, false},
    {"flocker", &trainjob_schema_83, false},
    {"gcePersistentDisk", &trainjob_schema_84, false},
    {"gitRepo", &trainjob_schema_85, false},
    {"glusterfs", &trainjob_schema_86, false},
    {"hostPath", &trainjob_schema_87, false},
    {"image", &trainjob_schema_88, false},
    {"iscsi", &trainjob_schema_90, false},
    {"name", &trainjob_schema_0, true},
    {"nfs", &trainjob_schema_91, false},
    {"persistentVolumeClaim", &trainjob_schema_92, false},
    {"photonPersistentDisk", &trainjob_schema_93, false},
    {"portworxVolume", &trainjob_schema_94, false},
    {"projected", &trainjob_schema_102, false},
    {"quobyte", &trainjob_schema_103, false},
    {"rbd", &trainjob_schema_107, false},
    {"scaleIO", &trainjob_schema_110, false},
    {"secret", &trainjob_schema_111, false},
    {"storageos", &trainjob_schema_112, false},
    {"vsphereVolume", &trainjob_schema_113, false},
};
static const uint8_t trainjob_schema_lengths70[] = {20, 9, 9, 6, 6, 9, 3, 11, 8, 9, 2, 10, 7, 17, 7, 9, 8, 5, 5, 4, 3, 21, 20, 14, 9, 7, 3, 7, 6, 9, 13};
static const struct schema trainjob_schema_114 = {.type = SCHEMA_OBJECT, .fields = trainjob_schema_fields74, .num_fields = 31, .lengths = trainjob_schema_lengths70, .num_required = 1};
static const struct schema trainjob_schema_115 = {.type = SCHEMA_LIST, .values = &trainjob_schema_114, .keys = trainjob_schema_texts0, .max_length = 128};
static const struct schema_field trainjob_schema_fields75[] = {
    {"affinity", &trainjob_schema_38, false},
    {"containers", &trainjob_schema_48, false},
    {"imagePullSecrets", &trainjob_schema_49, false},
    {"initContainers", &trainjob_schema_48, false},
    {"nodeSelector", &trainjob_schema_20, false},
    {"schedulingGates", &trainjob_schema_51, false},
    {"securityContext", &trainjob_schema_55, false},
    {"serviceAccountName", &trainjob_schema_56, false},
    {"terminationGracePeriodSeconds", &trainjob_schema_57, false},
    {"tolerations", &trainjob_schema_59, false},
    {"volumes", &trainjob_schema_115, false},
};
static const uint8_t trainjob_schema_lengths71[] = {8, 10, 16, 14, 12, 15, 15, 18, 29, 11, 7};
static const struct schema trainjob_schema_116 = {.type = SCHEMA_OBJECT, .fields = trainjob_schema_fields75, .num_fields = 11, .lengths = trainjob_schema_lengths71};
static const struct schema_field trainjob_schema_fields76[] = {
    {"metadata", &trainjob_schema_22, false},
    {"spec", &trainjob_schema_116, false},
};
static const struct schema trainjob_schema_117 = {.type = SCHEMA_OBJECT, .fields = trainjob_schema_fields76, .num_fields = 2, .lengths = trainjob_schema_lengths43};
static const struct schema_field trainjob_schema_fields77[] = {
    {"template", &trainjob_schema_117, false},
};
static const uint8_t trainjob_schema_lengths72[] = {8};
static const struct schema trainjob_schema_118 = {.type = SCHEMA_OBJECT, .fields = trainjob_schema_fields77, .num_fields = 1, .lengths = trainjob_schema_lengths72};
static const struct schema_field trainjob_schema_fields78[] = {
    {"metadata", &trainjob_schema_22, false},
    {"spec", &trainjob_schema_118, false},
};
static const struct schema trainjob_schema_119 = {.type = SCHEMA_OBJECT, .fields = trainjob_schema_fields78, .num_fields = 2, .lengths = trainjob_schema_lengths43};
static const struct schema_field trainjob_schema_fields79[] = {
    {"name", &trainjob_schema_19, true},
    {"template", &trainjob_schema_119, false},
};
static const uint8_t trainjob_schema_lengths73[] = {4, 8};
static const struct schema trainjob_schema_120 = {.type = SCHEMA_OBJECT, .fields = trainjob_schema_fields79, .num_fields = 2, .lengths = trainjob_schema_lengths73, .num_required = 1};
static const struct schema trainjob_schema_121 = {.type = SCHEMA_LIST, .values = &trainjob_schema_120, .keys = trainjob_schema_texts0, .max_length = 100};
static const struct schema_field trainjob_schema_fields80[] = {
    {"replicatedJobs", &trainjob_schema_121, false},
};
static const uint8_t trainjob_schema_lengths74[] = {14};
static const struct schema trainjob_schema_122 = {.type = SCHEMA_OBJECT, .fields = trainjob_schema_fields80, .num_fields = 1, .lengths = trainjob_schema_lengths74};
static const struct schema_field trainjob_schema_fields81[] = {
    {"metadata", &trainjob_schema_22, false},
    {"spec", &trainjob_schema_122, false},
};
static const struct schema trainjob_schema_123 = {.type = SCHEMA_OBJECT, .fields = trainjob_schema_fields81, .num_fields = 2, .lengths = trainjob_schema_lengths43};
static const struct schema_field trainjob_schema_fields82[] = {
    {"template", &trainjob_schema_123, false},
};
static const struct schema trainjob_schema_124 = {.type = SCHEMA_OBJECT, .fields = trainjob_schema_fields82, .num_fields = 1, .lengths = trainjob_schema_lengths72};
static const struct schema_field trainjob_schema_fields83[] = {
    {"manager", &trainjob_schema_19, true},
    {"time", &trainjob_schema_0, false},
    {"trainingRuntimeSpec", &trainjob_schema_124, false},
};
static const uint8_t trainjob_schema_lengths75[] = {7, 4, 19};
static const struct schema trainjob_schema_125 = {.type = SCHEMA_OBJECT, .fields = trainjob_schema_fields83, .num_fields = 3, .lengths = trainjob_schema_lengths75, .num_required = 1};
static const char *const trainjob_schema_texts1[] = {"manager", NULL};
static const struct schema trainjob_schema_126 = {.type = SCHEMA_LIST, .values = &trainjob_schema_125, .keys = trainjob_schema_texts1, .max_length = 16};
static const struct schema trainjob_schema_127 = {.type = SCHEMA_STRING, .max_length = 253, .default_text = "\"trainer.kubeflow.org\""};
static const struct schema trainjob_schema_128 = {.type = SCHEMA_STRING, .max_length = 253, .default_text = "\"ClusterTrainingRuntime\""};
static const struct schema_field trainjob_schema_fields84[] = {
    {"apiGroup", &trainjob_schema_127, false},
    {"kind", &trainjob_schema_128, false},
    {"name", &trainjob_schema_19, true},
};
static const struct schema trainjob_schema_129 = {.type = SCHEMA_OBJECT, .fields = trainjob_schema_fields84, .num_fields = 3, .lengths = trainjob_schema_lengths39, .num_required = 1};
static const struct schema trainjob_schema_130 = {.type = SCHEMA_STRING, .max_length = 1048576};
static const struct schema trainjob_schema_131 = {.type = SCHEMA_LIST, .values = &trainjob_schema_130, .max_length = 128};
static const struct schema trainjob_schema_132 = {.type = SCHEMA_STRING, .max_length = 500};
static const struct schema_field trainjob_schema_fields85[] = {
    {"name", &trainjob_schema_0, true},
    {"request", &trainjob_schema_0, false},
};
static const uint8_t trainjob_schema_lengths76[] = {4, 7};
static const struct schema trainjob_schema_133 = {.type = SCHEMA_OBJECT, .fields = trainjob_schema_fields85, .num_fields = 2, .lengths = trainjob_schema_lengths76, .num_required = 1};
static const struct schema trainjob_schema_134 = {.type = SCHEMA_LIST, .values = &trainjob_schema_133, .keys = trainjob_schema_texts0};
static const struct schema_field trainjob_schema_fields86[] = {
    {"claims", &trainjob_schema_134, false},
    {"limits", &trainjob_schema_76, false},
    {"requests", &trainjob_schema_76, false},
};
static const uint8_t trainjob_schema_lengths77[] = {6, 6, 8};
static const struct schema trainjob_schema_135 = {.type = SCHEMA_OBJECT, .fields = trainjob_schema_fields86, .num_fields = 3, .lengths = trainjob_schema_lengths77};
static const struct schema_field trainjob_schema_fields87[] = {
    {"args", &trainjob_schema_131, false},
    {"command", &trainjob_schema_131, false},
    {"env", &trainjob_schema_13, false},
    {"image", &trainjob_schema_132, false},
    {"numNodes", &trainjob_schema_26, false},
    {"numProcPerNode", &trainjob_schema_26, false},
    {"resourcesPerNode", &trainjob_schema_135, false},
};
static const uint8_t trainjob_schema_lengths78[] = {4, 7, 3, 5, 8, 14, 16};
static const struct schema trainjob_schema_136 = {.type = SCHEMA_OBJECT, .fields = trainjob_schema_fields87, .num_fields = 7, .lengths = trainjob_schema_lengths78};
static const struct schema_field trainjob_schema_fields88[] = {
    {"activeDeadlineSeconds", &trainjob_schema_2, false},
    {"initializer", &trainjob_schema_17, false},
    {"managedBy", &trainjob_schema_18, false},
    {"runtimePatches", &trainjob_schema_126, false},
    {"runtimeRef", &trainjob_schema_129, true},
    {"suspend", &trainjob_schema_7, false},
    {"trainer", &trainjob_schema_136, false},
};
static const uint8_t trainjob_schema_lengths79[] = {21, 11, 9, 14, 10, 7, 7};
static const struct schema trainjob_schema_137 = {.type = SCHEMA_OBJECT, .fields = trainjob_schema_fields88, .num_fields = 7, .lengths = trainjob_schema_lengths79, .num_required = 1};
static const struct schema_field trainjob_schema_fields89[] = {
    {"apiVersion", &trainjob_schema_0, false},
    {"kind", &trainjob_schema_0, false},
    {"metadata", &trainjob_schema_1, false},
    {"spec", &trainjob_schema_137, false},
    {"status", &trainjob_schema_1, false},
};
static const uint8_t trainjob_schema_lengths80[] = {10, 4, 8, 4, 6};

const struct schema trainjob_schema = {.type = SCHEMA_OBJECT, .fields = trainjob_schema_fields89, .num_fields = 5, .lengths = trainjob_schema_lengths80};
/* clang-format on */
