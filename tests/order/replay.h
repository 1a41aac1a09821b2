/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TESTS_ORDER_REPLAY_H
#define TESTS_ORDER_REPLAY_H

#include <json-c/json.h>
#include <stdbool.h>
#include <stddef.h>

/*
 * Plays a plan through as JobSet and a gang scheduler would, knowing nothing of how it was made:
 *
 * - A role's pods are created when each of its edges allows: Ready and Scheduled, when all pods of
 * the other role run or have run; Complete, when they have finished. Of a role with a firstCount,
 * so many are created then, and the others when those run.
 * - A pod with a mark runs when its group exists and at least the group's minimum of pods with that
 * mark exist and have not finished: minMember, or what Kubernetes' PreEnqueue looks at, the
 * minCount of a gang of scheduling.k8s.io. A group with the policy basic has no minimum. Below a
 * CompositePodGroup at least its minGroupCount of groups must have theirs. A pod without a mark
 * runs at once. With a subGroupPolicy of Volcano, a pod of the policy's label runs when its sub
 * group has subGroupSize pods, and every policy has its minSubGroups.
 * Koordinator's scheduler starts exactly the minimum of the pods that exist; after that, new pods
 * run one by one.
 * - Work takes long against starting: pods finish only when nothing more can be created or started,
 * and those of the gang after those outside it.
 *
 * Room is never short: only the order can keep a pod from running.
 */
enum replay_verdict {
    REPLAY_COMPLETE, /* every role is created, runs and finishes */
    REPLAY_STUCK,
    REPLAY_NO_GANG, /* the plan has nothing to play */
    REPLAY_UNREADABLE
};

/*
 * `story` gets the reason, role by role, when it is stuck or unreadable; at most `size` bytes with
 * the NUL.
 */
enum replay_verdict replay_plan(struct json_object *plan, char *story, size_t size);

#endif
