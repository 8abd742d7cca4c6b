import type { Baseline, ResultOf } from "@microremed/contracts";
import { findFault } from "@microremed/faults";
import { measureBaseline, proveInjection } from "@microremed/oracles";
import type { ArenaContext } from "../arena/arena.ts";

export interface InjectOptions {
  readonly failure: string;
  readonly target: string;
  readonly timeoutSeconds: number;
}

export type InjectBody = Exclude<ResultOf<"inject">["body"], { status: "failed" }>;

/**
 * Measures the healthy target, injects the failure and proves that it bites. A fault that an interrupted run of the
 * same command left behind is removed first, so that the baseline is one.
 */
export async function injectFailure(arena: ArenaContext, options: InjectOptions): Promise<InjectBody> {
  const { cluster } = arena;
  const fault = findFault(options.failure);
  const context = { ...arena, target: options.target };
  await using _hold = await cluster.clock.hold();
  await arena.assertLease();
  if ((await fault.status(context)).present) await fault.remove(context);
  const baseline: Baseline = await measureBaseline(context, fault);
  await arena.assertLease();
  await fault.inject(context);
  const proof = await proveInjection(context, fault, baseline, options.timeoutSeconds);
  if (proof.status === "proven") return { status: "ok", baseline, injection: proof.injection };
  return { status: "no-effect", reason: proof.reason, baseline, verdict: proof.verdict };
}
