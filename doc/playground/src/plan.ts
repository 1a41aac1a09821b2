// SPDX-License-Identifier: Apache-2.0
// The members of GangDecision and GangPlan that the page shows. doc/plan.md has all.

export type Outcome = "Gang" | "NoGang" | "Denied" | "Invalid";

export interface Backend {
    name: string;
    type: string;
    apiVersion?: string;
    schedulerName?: string;
}

export interface Gang {
    name: string;
    minimum: number;
    members: number;
    lateMembers: number;
    pods: number;
    resources: Record<string, string>;
    queue?: string;
    priorityClassName?: string;
    scheduleTimeoutSeconds?: number;
}

export interface Candidate {
    value?: string;
    document?: string;
    path?: string;
    line?: number;
    verdict: string;
    reason: string;
}

export interface Choice {
    attribute: string;
    value?: string;
    candidates: Candidate[];
}

export interface Role {
    name: string;
    count: number;
    membership: "Member" | "LateMember" | "Outside";
    dependsOn: { role: string; status: string }[];
}

export interface Decision {
    metadata: { name: string; namespace?: string };
    outcome: Outcome;
    reason: string;
    compatibility: string;
    backend?: Backend;
    gang?: Gang;
    roles: Role[];
    trace: Choice[];
}

/** The value of a field of `spec` is a text or, below schedulingGroup, an object of texts. */
export interface Patch {
    target: string;
    role?: string;
    metadata?: { labels?: Record<string, string>; annotations?: Record<string, string> };
    spec?: Record<string, unknown>;
}

export interface Loss {
    field: string;
    value?: unknown;
    reason: string;
}

export interface Plan {
    objects: {
        action: string;
        object: { apiVersion: string; kind: string;
            metadata: { name: string; namespace?: string }; spec?: Record<string, unknown> };
    }[];
    patches: Patch[];
    predictions: unknown[];
    losses: Loss[];
}
