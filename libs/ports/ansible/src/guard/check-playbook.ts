import type { GuardContext, Rule } from "./rule.ts";
import { changes } from "./rules/changes.ts";
import { connections } from "./rules/connections.ts";
import { escalation } from "./rules/escalation.ts";
import { files } from "./rules/files.ts";
import { lookups } from "./rules/lookups.ts";
import { modules } from "./rules/modules.ts";
import { namespaces } from "./rules/namespaces.ts";
import { stepsOf } from "./step.ts";

const rules = {
  modules,
  lookups,
  connections,
  files,
  escalation,
  namespaces,
  changes,
} as const satisfies Record<string, Rule>;

/** What a playbook does that its policy does not allow. */
export interface Violation {
  readonly rule: string;
  /** e.g. `play 1 "Repair", task 2 "Read the key"`. */
  readonly place: string;
  readonly message: string;
}

const MAX_VIOLATIONS = 10;

/**
 * What in a playbook its policy does not allow, in the order of the text; empty when nothing is wrong. Pure: it reads
 * text, so it reports early and in words what the sandbox and the cluster would refuse, but is no security boundary.
 */
export async function checkPlaybook(
  plays: Parameters<typeof stepsOf>[0],
  context: GuardContext,
): Promise<Violation[]> {
  const violations: Violation[] = [];
  for (const step of stepsOf(plays)) {
    for (const [rule, check] of Object.entries(rules)) {
      const message = await check(step, context);
      if (message !== undefined) violations.push({ rule, place: step.place, message });
      if (violations.length >= MAX_VIOLATIONS) return violations;
    }
  }
  return violations;
}
