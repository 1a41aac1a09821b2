/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file gang-names.h
 * @brief Names that callers compare with: API groups, backends, marks.
 */
#ifndef GANG_GANG_NAMES_H
#define GANG_GANG_NAMES_H

/** API version of GangPolicy, GangCluster, GangJob, GangPlan and GangDecision. @since 0.1 */
#define GANG_API_VERSION "policy.libgang.dev/v1alpha1"
/** @since 0.1 */
#define GANG_KIND_POLICY "GangPolicy"
/** @since 0.1 */
#define GANG_KIND_PLAN "GangPlan"
/** @since 0.1 */
#define GANG_KIND_DECISION "GangDecision"
/** @since 0.1 */
#define GANG_KIND_CLUSTER "GangCluster"
/** @since 0.1 */
#define GANG_KIND_JOB "GangJob"

/** API version of runtimes and trainjobs. Source: kubeflow/trainer:pkg/apis/trainer/v1alpha1.
 * @since 0.1 */
#define GANG_TRAINER_API_VERSION "trainer.kubeflow.org/v1alpha1"
/** @since 0.1 */
#define GANG_KIND_TRAINJOB "TrainJob"
/** @since 0.1 */
#define GANG_KIND_TRAINING_RUNTIME "TrainingRuntime"
/** @since 0.1 */
#define GANG_KIND_CLUSTER_TRAINING_RUNTIME "ClusterTrainingRuntime"

/** API version of PodGangs. Source: ai-dynamo/grove:scheduler/api/core/v1alpha1. @since 0.1 */
#define GANG_PODGANG_API_VERSION "scheduler.grove.io/v1alpha1"
/** API version of PodCliqueSets. Source: ai-dynamo/grove:operator/api/core/v1alpha1. @since 0.1 */
#define GANG_GROVE_API_VERSION "grove.io/v1alpha1"
/** @since 0.1 */
#define GANG_KIND_PODGANG "PodGang"
/** @since 0.1 */
#define GANG_KIND_PODCLIQUESET "PodCliqueSet"
/** @since 0.1 */
#define GANG_KIND_TOPOLOGYBINDING "ClusterTopologyBinding"

/** @since 0.1 */
#define GANG_BACKEND_COSCHEDULING "coscheduling"
/** @since 0.1 */
#define GANG_BACKEND_VOLCANO "volcano"
/** @since 0.1 */
#define GANG_BACKEND_KAI "kai"
/** Kubernetes' own scheduler with its Workload API. @since 0.1 */
#define GANG_BACKEND_WORKLOAD "workload"

/** @since 0.1 */
#define GANG_BACKEND_YUNIKORN "yunikorn"
/** @since 0.1 */
#define GANG_BACKEND_KOORDINATOR "koordinator"

/**
 * Annotation of a PodGroup that #GANG_RECONCILE_WAKE counts up, so that the scheduler considers a
 * waiting gang again. @since 0.1
 */
#define GANG_ANNOTATION_WAKE "policy.libgang.dev/wake"

/** Pod label that names the role of the pod in a GangJob, for gang_decision_prepare_pod().
 * @since 0.1 */
#define GANG_LABEL_ROLE "policy.libgang.dev/role"
/** Pod label with the name of the pod's group, which subGroupPolicy of a Volcano PodGroup selects.
 * @since 0.1 */
#define GANG_LABEL_GROUP "policy.libgang.dev/group"

/** Pod label that joins a coscheduling gang. @since 0.1 */
#define GANG_LABEL_COSCHEDULING_POD_GROUP "scheduling.x-k8s.io/pod-group"
/** Pod annotation that joins a Volcano gang. @since 0.1 */
#define GANG_ANNOTATION_VOLCANO_GROUP_NAME "scheduling.k8s.io/group-name"
/** Label that names the queue of KAI Scheduler: on pods, or on what owns them. @since 0.1 */
#define GANG_LABEL_KAI_QUEUE "kai.scheduler/queue"
/** Pod annotation that joins a PodGroup of KAI Scheduler. @since 0.1 */
#define GANG_ANNOTATION_KAI_GROUP_NAME "pod-group-name"
/** Pod label that joins a subgroup of it. @since 0.1 */
#define GANG_LABEL_KAI_SUBGROUP_NAME "kai.scheduler/subgroup-name"
/** Pod annotation that keeps KAI's podgrouper away. @since 0.1 */
#define GANG_ANNOTATION_KAI_SKIP_PODGROUPER "kai.scheduler/skip-podgrouper"
/** Pod label that joins an application of YuniKorn. @since 0.1 */
#define GANG_LABEL_YUNIKORN_APP_ID "yunikorn.apache.org/app-id"
/** Pod label that names the queue of YuniKorn. @since 0.1 */
#define GANG_LABEL_YUNIKORN_QUEUE "yunikorn.apache.org/queue"
/** Pod annotation that names the task group of the pod. @since 0.1 */
#define GANG_ANNOTATION_YUNIKORN_TASK_GROUP "yunikorn.apache.org/task-group-name"
/** Pod annotation with all task groups of the application, as JSON. @since 0.1 */
#define GANG_ANNOTATION_YUNIKORN_TASK_GROUPS "yunikorn.apache.org/task-groups"
/** Pod annotation with the style and the timeout of the gang. @since 0.1 */
#define GANG_ANNOTATION_YUNIKORN_PARAMETERS "yunikorn.apache.org/schedulingPolicyParameters"
/** Pod label that joins a PodGroup of Koordinator. @since 0.1 */
#define GANG_LABEL_KOORDINATOR_POD_GROUP "pod-group.scheduling.sigs.k8s.io"
/** Pod label that names the quota of Koordinator. @since 0.1 */
#define GANG_LABEL_KOORDINATOR_QUOTA "quota.scheduling.koordinator.sh/name"

#endif
