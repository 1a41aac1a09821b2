// SPDX-License-Identifier: Apache-2.0
// The members of GangDecision and GangPlan that the page shows. doc/plan.md has all.

export type Outcome = "Gang" | "NoGang" | "Denied" | "Invalid";

export interface Gang {
    minimum: number;
    pods: number;
}

export interface Choice {
    attribute: string;
    value?: string;
    candidates: { verdict: string; reason: string }[];
}

export interface Role {
    name: string;
    count: number;
    membership: "Member" | "LateMember" | "Outside";
    dependsOn: { role: string; status: string }[];
}

export interface Decision {
    outcome: Outcome;
    reason: string;
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

export interface Plan {
    objects: {
        action: string;
        object: { apiVersion: string; kind: string;
            metadata: { name: string; namespace?: string }; spec?: Record<string, unknown> };
    }[];
    patches: Patch[];
}
