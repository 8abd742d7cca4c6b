import {
  type BaselineValues,
  baselineEdges,
  edgesBetween,
  type FaultContext,
  isWhole,
  type OracleContext,
  type RequestsReading,
  type Round,
} from "@microremed/catalogue";
import type { Baseline, EdgeBaseline } from "@microremed/contracts";
import { isLate, terminal } from "@microremed/core";
import type { JudgedFault } from "./judged-fault.ts";
import { keptOutText } from "./kept-out.ts";
import { entryCounters } from "./requests/read-entry.ts";
import { startRound } from "./round.ts";
import { subjectOf } from "./subject-of.ts";
import { unlikeRecord } from "./unlike-record.ts";
import { waitForBaseline } from "./wait-for-baseline.ts";

/** Cluster time over which requests are counted: at the two a second of the shipped systems some sixty. */
const countMs = 30_000;
/** A system that fails more of its users' requests than this has no baseline to come back to. */
const leastSuccess = 0.95;

/**
 * Measures the healthy target: what the fault's oracles compare with later. All of them must pass now, so that a
 * symptom can only come from the fault. Throws `environment-unhealthy` (terminal) when they don't within 180 s
 * and eight checks.
 */
export async function measureBaseline(context: FaultContext, judged: JudgedFault): Promise<Baseline> {
  const { cluster, target, signal } = context;
  const since = await cluster.clock.now();
  let last = "";
  let counted: RequestsReading | undefined;
  const check = async (): Promise<Baseline | undefined> => {
    const round = await startRound(contextOf(context, judged, since));
    if (!counted || round.state.at - counted.at < countMs) {
      counted ??= await round.requests();
      last = "requests are being counted";
      await cluster.clock.sleep(countMs, signal);
      return undefined;
    }
    const values = await readValues(round, judged);
    const healthy: Round = { ...round, context: { ...round.context, baseline: values } };
    for (const oracle of judged.oracles) {
      const verdict = await oracle.measure(healthy);
      if (verdict.passed) continue;
      last = `${verdict.oracle}: ${verdict.reason}`;
      return undefined;
    }
    const unlike = unlikeRecord(await round.changes());
    if (unlike !== undefined) {
      last = unlike;
      return undefined;
    }
    const edges = await readEdges(counted, round);
    if (typeof edges === "string") {
      last = edges;
      counted = undefined;
      return undefined;
    }
    return { takenAt: round.state.at, values: { ...values }, ...(edges.length > 0 && { edges }) };
  };
  // Its measurements then fail on a system that is healthy.
  const keptOut = keptOutText(context.environment, target);
  const describe = (): string => (keptOut === undefined ? last : `${last}; ${keptOut}`);
  return waitForBaseline(context, `a healthy baseline of ${target}`, check, describe).catch(
    (error: unknown) => {
      throw isLate(error) ? terminal("environment-unhealthy", error.message) : error;
    },
  );
}

function contextOf(context: FaultContext, { fault }: JudgedFault, since: number): OracleContext {
  return {
    ...context,
    ...subjectOf(fault, context),
    baseline: {},
    edges: [],
    requestsBefore: undefined,
    since,
    resourcesMayDiffer: false,
  };
}

/** A text says why the two readings make no baseline. */
async function readEdges(counted: RequestsReading, round: Round): Promise<EdgeBaseline[] | string> {
  const now = await round.requests();
  if (!isWhole(counted, now)) return "a program reports its requests at one of two readings only";
  const edges = baselineEdges(edgesBetween(counted, now));
  const entry = entryCounters(round.context.environment, edges)?.baseline;
  const fails = entry !== undefined && entry.success < leastSuccess;
  return fails ? `more than ${Math.round(100 * (1 - leastSuccess))} % of the entry's requests fail` : edges;
}

/** Expensive measurements wait until the cheap oracles pass. */
async function readValues(round: Round, judged: JudgedFault): Promise<BaselineValues> {
  const values: Record<string, number> = {};
  for (const oracle of judged.oracles) {
    Object.assign(values, await oracle.baseline?.(round));
    if (oracle.name !== "ready") continue;
    const verdict = await oracle.measure({ ...round, context: { ...round.context, baseline: values } });
    if (!verdict.passed) return values;
  }
  return values;
}
