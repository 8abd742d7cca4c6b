import type { Execution } from "@microremed/contracts";
import { clipMiddle } from "@microremed/core";
import { checkPlaybook, type Violation } from "./guard/check-playbook.ts";
import { type ParsedPlaybook, parsePlaybook } from "./parse-playbook.ts";
import type { PlaybookRun } from "./runner.types.ts";

const defaultMaxOutput = 32 * 1024;

/** What a run's output is clipped to. */
export function clipOutput(
  output: string,
  { maxOutput = defaultMaxOutput }: Pick<PlaybookRun, "maxOutput">,
): string {
  return clipMiddle(output, maxOutput);
}

/** The playbook as its run may have it; or the execution that says why it is not run at all. The same for every runner. */
export async function readPlaybook(
  run: Pick<PlaybookRun, "playbook" | "guard" | "maxOutput">,
): Promise<Extract<ParsedPlaybook, { ok: true }> | { readonly ok: false; readonly execution: Execution }> {
  const parsed = parsePlaybook(run.playbook);
  if (!parsed.ok) return rejected("playbook", `The playbook was not run: ${parsed.reason}.`, run);
  const violations = run.guard ? await checkPlaybook(parsed.plays, run.guard) : [];
  const [first] = violations;
  if (!first || !run.guard) return parsed;
  return rejected(first.rule, explainViolations(violations, run.guard.policyName), run);
}

function rejected(rule: string, why: string, run: Pick<PlaybookRun, "maxOutput">) {
  const output = clipOutput(why, run);
  const execution: Execution = { status: "rejected", exitCode: null, output, wallSeconds: 0, rule };
  return { ok: false, execution } as const;
}

function explainViolations(violations: readonly Violation[], policy: string): string {
  const list = violations.map(({ rule, place, message }) => `- ${place}: ${message} (rule ${rule})`);
  return [`The playbook was not run: the policy "${policy}" does not allow it.`, ...list].join("\n");
}
