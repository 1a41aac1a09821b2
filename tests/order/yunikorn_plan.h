/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TESTS_ORDER_YUNIKORN_PLAN_H
#define TESTS_ORDER_YUNIKORN_PLAN_H

#include "replay.h"

/*
 * Plays a plan for YuniKorn through as its scheduler was seen to do (k8shim v1.8.0):
 *
 * - The first pod of an application decides its task groups. Without them, or with a bad one, the
 * pods of the application start one by one: no gang.
 * - The scheduler holds room for all pods of all task groups, by their minResource. A pod that
 * names no group or one that does not exist never starts while the room is held, nor does a pod
 * that needs more than its group's minResource.
 * - A pod without task groups and without a group name starts as soon as it exists.
 * - A pod of a group must not wait for the end of another pod of the application: the room for it
 * is held from the start.
 *
 * What breaks one of these counts as stuck.
 */
enum replay_verdict yunikorn_plan_replay(struct json_object *plan, char *story, size_t size);

#endif
