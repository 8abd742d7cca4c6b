import type { Baseline } from "@microremed/contracts";
import { AppError, terminal, waitFor } from "@microremed/core";
import type { Fault, FaultContext } from "@microremed/faults";
import type { Oracle } from "./oracle.ts";
import type { BaselineValues } from "./oracle-context.ts";
import { oracles } from "./registry.ts";
import { type Round, startRound } from "./round.ts";

/** Cluster time: metrics come every 15 s, and a pod that just started needs two of them. */
const timeoutMs = 180_000;
const intervalMs = 5000;

/** The oracles that judge a fault, in the order of their cost. */
export function oraclesOf(fault: Fault): Oracle[] {
  return Object.values(oracles).filter(({ name }) => fault.recovery.includes(name));
}

/**
 * Measures the healthy target: what the fault's oracles compare with later. All of them must pass now, so that a
 * symptom can only come from the fault. Throws `environment-unhealthy` (terminal) when they don't within 180 s.
 */
export async function measureBaseline(context: FaultContext, fault: Fault): Promise<Baseline> {
  const { cluster, target, signal } = context;
  const since = await cluster.clock.now();
  let last = "";
  const look = async (): Promise<Baseline | undefined> => {
    const round = await startRound({ ...context, baseline: {}, since, limitsMayDiffer: false });
    const values = await readValues(round, fault);
    const healthy: Round = { ...round, context: { ...round.context, baseline: values } };
    for (const oracle of oraclesOf(fault)) {
      const verdict = await oracle.measure(healthy);
      if (verdict.passed) continue;
      last = `${verdict.oracle}: ${verdict.reason}`;
      return undefined;
    }
    return { takenAt: round.state.at, values: { ...values } };
  };
  const what = `a healthy baseline of ${target}`;
  try {
    return await waitFor(
      { clock: cluster.clock, what, timeoutMs, intervalMs, ...(signal && { signal }) },
      look,
      () => last,
    );
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== "deadline-exceeded") throw error;
    throw terminal("environment-unhealthy", error.message, error.details);
  }
}

/** Dear measurements are left out until the cheap oracles have seen the target whole. */
async function readValues(round: Round, fault: Fault): Promise<BaselineValues> {
  const values: Record<string, number> = {};
  for (const oracle of oraclesOf(fault)) {
    Object.assign(values, await oracle.baseline?.(round));
    if (oracle.name !== "ready") continue;
    const verdict = await oracle.measure({ ...round, context: { ...round.context, baseline: values } });
    if (!verdict.passed) return values;
  }
  return values;
}
