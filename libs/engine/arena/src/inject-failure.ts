import {
  atPeak,
  type Fault,
  type FaultContext,
  otherNodes,
  podsOf,
  selectorText,
  targetOf,
} from "@microremed/catalogue";
import { type Kind, kinds, type Workload } from "@microremed/cluster";
import {
  type Baseline,
  type Concealment,
  type FurtherEvidence,
  type InjectionEvidence,
  type LoadPattern,
  noFailure,
  type OracleVerdict,
  type PlannedNoise,
  type RequestReading,
  type ResultOf,
} from "@microremed/contracts";
import { readKnownStores, rewriteRecord } from "@microremed/inventory";
import {
  countEntry,
  cycleMs,
  firstPart,
  furtherParts,
  hideTraces,
  type Incident,
  type IncidentPart,
  measureBaseline,
  proveInjection,
} from "@microremed/verification";
import type { ArenaContext } from "./arena.ts";
import { historyUntil, onDrawnFraction } from "./history.ts";
import { setLoad, underLoad } from "./load.ts";
import { markInjected } from "./measure-damage.ts";
import { passHistory, secondsBefore, untilDrawnFraction } from "./pass-history.ts";
import { type NoisesToCome, noisesToCome, removeNoise } from "./place-noise.ts";
import { placeSetting } from "./place-setting.ts";
import { renewSystem } from "./renew-system.ts";
import { sleepUntil } from "./sleep-until.ts";

/**
 * The incident, its targets as `targetText` writes them, and `timeoutSeconds` of cluster time until each fault must act,
 * and as long again until its symptom must be measured.
 */
export interface InjectOptions extends Incident {
  readonly concealment?: Concealment | undefined;
  /** Harmless oddities, placed after the baseline was measured, before the first fault or after it. */
  readonly noise?: readonly PlannedNoise[] | undefined;
  /** Cluster time from the last fault, or from when it would be, to the question, s. Default: 0, all is proven. */
  readonly askedAfter?: number | undefined;
  readonly timeoutSeconds: number;
  /** Cluster time of which agents see the history. Default: 0, they see it from the baseline on. */
  readonly historySeconds?: number | undefined;
  /** Load that the system is under from the baseline on; absent: its own. */
  readonly workload?: LoadPattern | undefined;
  /** Of what is drawn: how old the system gets before the fault, and what of the load is drawn. */
  readonly seed?: string | undefined;
}

/** Cluster time, ms, to put back what an interrupted injection has left. */
export const resetMs = 300_000;
const pollMs = 1_000;
/** A fault that is seen to act so soon after its order acts from its order on, ms. */
const soonMs = 2_000;
/** Cluster time between the last measurement of the faults and the question, ms, so that measuring delays no question. */
const marginMs = 20_000;

/**
 * What an injection came to: `ok` with the baseline and the proof, or `no-effect` with the reason. A failure is
 * thrown.
 */
export type InjectBody = Exclude<ResultOf<"inject">["body"], { status: "failed" }>;

/**
 * Measures the healthy targets, injects the faults, each at its time, proves that each bites, and lets pass what is left
 * until the question, whose moment thus does not say when the last fault was. A fault that is over by then, such as a load on a
 * container that its probe has restarted, counts as one without effect. A fault that an interrupted run of the same
 * command left behind is removed first, so that the baseline is one.
 */
export async function injectFailure(arena: ArenaContext, options: InjectOptions): Promise<InjectBody> {
  const { cluster } = arena;
  const shown = async () => historyUntil(await cluster.clock.now(), options);
  const { concealment = "none", timeoutSeconds, noise = [] } = options;
  const place = { ...arena, concealment };
  const first = firstPart(place, options, arena.catalogue);
  const { context, judged } = first;
  const others = furtherParts(place, options, arena.catalogue);
  await arena.assertLease();
  await removeLeft([first, ...others]);
  await removeNoise(arena, noise, resetMs);
  await placeSetting(arena, [first, ...others]);
  const [baseline, ...baselines] = await healthyUnderLoad(arena, [first, ...others], options);
  await passHistory(arena, options);
  const stores = await readKnownStores(cluster, arena.namespace, arena.environment);
  const requests = await countEntry(context, baseline);
  const { clock } = cluster;
  await untilDrawnFraction(arena, options);
  const origin = await clock.now();
  const noises = noisesToCome(arena, noise, origin);
  const { askedAfter } = options;
  const untilAsked = async (last: number): Promise<Pick<InjectionEvidence, "askedFrom">> => {
    await noises.before(Number.POSITIVE_INFINITY);
    if (askedAfter === undefined) return {};
    await sleepUntil(clock, onDrawnFraction(last + askedAfter * 1000, options, "question"), arena.signal);
    return { askedFrom: await clock.now() };
  };
  if (judged.fault.control) {
    const injection = {
      ...nothingInjected(noise.length > 0 ? origin : baseline.takenAt, requests),
      concealment,
      ...(await untilAsked(origin)),
    };
    await markInjected(arena, stores, options, injection);
    return { status: "ok", baseline, injection, ...(await shown()) };
  }
  const proven = await injectAndProve(arena, first, baseline, { timeoutSeconds, noises, requests });
  const provenAt = [await clock.now()];
  const proofs =
    "reason" in proven
      ? proven
      : await injectOthers(arena, [first, ...others], baselines, {
          ...{ options, noises, provenAt },
          firstAt: proven.injectedAt,
        });
  // None if one of them was not proven.
  const acting = "reason" in proven || "reason" in proofs ? [] : [proven, ...proofs];
  // How soon the first fault is seen to act says which one it is.
  const last = Math.max(
    0,
    ...acting.map(({ injectedAt }) => (injectedAt - origin < soonMs ? origin : injectedAt)),
  );
  const ran = await containersOf([first, ...others]);
  const early =
    acting.length > 0 && askedAfter !== undefined
      ? await firstOver(arena, [first, ...others], [baseline, ...baselines], {
          ...{ noises, timeoutSeconds, due: last + askedAfter * 1000 },
          took: acting.map(({ injectedAt }, i) => (provenAt[i] ?? injectedAt) - injectedAt),
        })
      : undefined;
  const asked = acting.length === 0 || early ? {} : await untilAsked(last);
  const over =
    early ??
    (acting.length > 0 && askedAfter !== undefined
      ? await overByRestart([first, ...others], [baseline, ...baselines], ran, timeoutSeconds)
      : undefined);
  const marked = "reason" in proven ? { injectedAt: baseline.takenAt, expiresAt: null } : proven;
  await markInjected(arena, stores, options, marked, "reason" in proofs ? [] : proofs);
  if (concealment === "neutral") await hideTraces(cluster, arena.namespace);
  if ("reason" in proven) return { status: "no-effect", baseline, ...proven };
  if ("reason" in proofs) return { status: "no-effect", baseline, ...proofs };
  if (over) return { status: "no-effect", baseline, ...over };
  const injection = { ...proven, concealment, ...(proofs.length > 0 && { further: proofs }), ...asked };
  return { status: "ok", baseline, injection, ...(await shown()) };
}

/**
 * The first fault that does not show any more when the question is due, at `due` on the cluster's clock in ms; undefined: all do. Each is
 * measured as late as its proof lets expect: the question is not to come later than where nothing is wrong. One whose proof is so fresh
 * that there is no time for another is not measured again, nor one that comes and goes: it may rest.
 */
async function firstOver(
  { cluster: { clock }, signal }: ArenaContext,
  parts: readonly IncidentPart[],
  baselines: readonly Baseline[],
  {
    due,
    took,
    noises,
    timeoutSeconds,
  }: Pick<FurtherOptions, "noises"> & {
    readonly timeoutSeconds: number;
    readonly due: number;
    /** Cluster time that the proof of each has taken, ms. */
    readonly took: readonly number[];
  },
): Promise<Unproven | undefined> {
  const from = due - marginMs - took.reduce((sum, one) => sum + one, 0);
  await noises.before(from);
  await sleepUntil(clock, from, signal);
  for (const [i, { context, judged }] of parts.entries()) {
    const [baseline, ms = 0] = [baselines[i], took[i]];
    if (!baseline) throw new RangeError(`there is no baseline of part ${i} of the incident`);
    if (cycleMs(context) > 0 || (await clock.now()) + ms > due) continue;
    const proof = await noises.during(() => proveInjection(context, judged, baseline, timeoutSeconds));
    if (proof.status !== "proven")
      return { reason: `was over before the question was due: ${proof.reason}`, verdict: proof.verdict };
  }
  return undefined;
}

/** The containers in the pods of each fault's target: which pod, which container of it, and how often it was started. */
const containersOf = (parts: readonly IncidentPart[]): Promise<string[]> =>
  Promise.all(
    parts.map(async ({ context }) => {
      const pods = await podsOf(context);
      return JSON.stringify(
        pods.map(({ metadata, status }) => [
          metadata.uid,
          status?.containerStatuses?.map(({ name, restartCount }) => [name, restartCount]),
        ]),
      );
    }),
  );

/**
 * The first fault that does not show any more after a container of its target was started again since `ran`, which is what ends
 * a fault in a moment; undefined: all do. Measured at once, for nothing else is late.
 */
async function overByRestart(
  parts: readonly IncidentPart[],
  baselines: readonly Baseline[],
  ran: readonly string[],
  timeoutSeconds: number,
): Promise<Unproven | undefined> {
  const runs = await containersOf(parts);
  for (const [i, { context, judged }] of parts.entries()) {
    const baseline = baselines[i];
    if (!baseline || runs[i] === ran[i] || cycleMs(context) > 0) continue;
    const proof = await proveInjection(context, judged, baseline, timeoutSeconds);
    if (proof.status !== "proven")
      return { reason: `was over before the question: ${proof.reason}`, verdict: proof.verdict };
  }
  return undefined;
}

/**
 * What the healthy system is like, for each fault. Where the load changes, it is measured while the load is at its highest:
 * what the system cannot serve then is no agent's fault. From then on the load follows its pattern.
 */
export async function healthyUnderLoad(
  arena: ArenaContext,
  [first, ...others]: readonly [IncidentPart, ...IncidentPart[]],
  options: Pick<InjectOptions, "workload" | "noise" | "historySeconds" | "seed">,
): Promise<[Baseline, ...Baseline[]]> {
  const { workload, seed = "" } = options;
  if (workload) await setLoad(arena, atPeak(workload), seed, await arena.cluster.clock.now());
  const measure = ({ context, judged }: IncidentPart) => measureBaseline(context, judged);
  const baselines: [Baseline, ...Baseline[]] = [await measure(first)];
  for (const part of others) baselines.push(await measure(part));
  if (!workload) return baselines;
  const origin = (await arena.cluster.clock.now()) + secondsBefore(options) * 1000;
  const order = await setLoad(arena, workload, seed, origin);
  const [one, ...more] = baselines;
  const { factor } = atPeak(workload);
  return [underLoad(one, order, factor), ...more.map((baseline) => underLoad(baseline, order, factor))];
}

/** Removes what an interrupted run has injected, the last fault first. */
export async function removeLeft(parts: readonly IncidentPart[]): Promise<void> {
  for (const { context, judged } of parts.toReversed())
    if ((await judged.fault.status(context)).present) await judged.fault.remove(context);
}

interface FurtherOptions {
  readonly options: InjectOptions;
  /** Cluster time of the first fault, ms. */
  readonly firstAt: number;
  readonly noises: NoisesToCome;
  /** Cluster time at which each fault was proven, ms; those that are proven now are added. */
  readonly provenAt: number[];
}

/**
 * Injects the further faults, each at its time after the first or after the one that must act then, until one was not seen
 * to act. `parts`: of all faults, the first included.
 */
async function injectOthers(
  arena: ArenaContext,
  parts: readonly IncidentPart[],
  baselines: readonly Baseline[],
  { options, firstAt, noises, provenAt }: FurtherOptions,
): Promise<FurtherEvidence[] | Unproven> {
  const { further = [], timeoutSeconds } = options;
  const proofs: FurtherEvidence[] = [];
  const begun = [firstAt];
  for (const [i, { failure, target, at, after }] of further.entries()) {
    const [part, baseline, cause] = [parts[i + 1], baselines[i], parts[after ?? 0]];
    if (!part || !baseline || !cause) throw new RangeError(`there is no part ${i} of the incident`);
    const startsAt = (begun[after ?? 0] ?? firstAt) + at * 1000;
    await noises.before(startsAt);
    await sleepUntil(arena.cluster.clock, startsAt, arena.signal);
    if (after !== undefined && !(await acts(cause, timeoutSeconds)))
      return {
        reason: `${cause.judged.fault.name} did not act any more when ${failure} was to begin`,
        verdict: null,
      };
    await untilDrawnFraction(arena, options);
    const proof = await injectAndProve(arena, part, baseline, { timeoutSeconds, noises });
    if ("reason" in proof) return proof;
    begun.push(proof.injectedAt);
    provenAt.push(await arena.cluster.clock.now());
    proofs.push({ failure, target, baseline, ...proof });
  }
  return proofs;
}

/** Whether a fault acts, or does so again soon: one that comes and goes may rest now. */
async function acts({ context, judged }: IncidentPart, timeoutSeconds: number): Promise<boolean> {
  const { clock } = context.cluster;
  const until = (await clock.now()) + timeoutSeconds * 1000 + cycleMs(context);
  for (;;) {
    if ((await judged.fault.status(context)).injected) return true;
    if ((await clock.now()) >= until) return false;
    await clock.sleep(pollMs, context.signal);
  }
}

interface Unproven {
  readonly reason: string;
  readonly verdict: OracleVerdict | null;
}

/**
 * Injects one fault of an incident, and places noises at their times while it is proven. Where it was not seen to act: the reason,
 * with what was measured.
 */
export async function injectAndProve(
  arena: ArenaContext,
  { context, judged }: IncidentPart,
  baseline: Baseline,
  {
    timeoutSeconds,
    noises,
    requests,
  }: Pick<FurtherOptions, "noises"> & {
    readonly timeoutSeconds: number;
    readonly requests?: RequestReading | undefined;
  },
): Promise<InjectionEvidence | Unproven> {
  await arena.assertLease();
  await renewSystem(arena, { context, judged });
  await judged.fault.inject(context);
  await rewriteRecord(arena.cluster, arena.namespace);
  const proof = await noises.during(() =>
    proveInjection(context, judged, baseline, timeoutSeconds, requests),
  );
  if (proof.status !== "proven") return { reason: proof.reason, verdict: proof.verdict };
  return { ...proof.injection, ...(await nodesHit(context, judged.fault)) };
}

/** A control needs no proof: that the system is healthy is what the baseline has just shown. */
export function nothingInjected(injectedAt: number, requests: RequestReading | undefined): InjectionEvidence {
  const reason = "nothing was injected: a control";
  return {
    injectedAt,
    expiresAt: null,
    verdict: { oracle: noFailure, passed: true, reason, measurements: [] },
    ...(requests && { requests }),
  };
}

/** Where the fault has hit and how many nodes are left, for faults that a workload can be moved away from. */
async function nodesHit(
  context: FaultContext,
  fault: Fault,
): Promise<Pick<InjectionEvidence, "nodes" | "otherNodes">> {
  const place = targetOf(context.environment, context.target);
  if (!place || !fault.rightActions.some(({ needsNodes }) => needsNodes)) return {};
  const { cluster, namespace } = context;
  const labelSelector = selectorText(place.workload.selector);
  const kind: Kind<Workload> = place.workload.kind === "StatefulSet" ? kinds.statefulSet : kinds.deployment;
  const [status, pods, all, workload] = await Promise.all([
    fault.status(context),
    cluster.list(kinds.pod, { namespace, labelSelector }),
    cluster.list(kinds.node, {}),
    cluster.get(kind, namespace, place.name),
  ]);
  const hit = pods.filter(({ metadata }) => status.pods.includes(metadata.name));
  const nodes = [...new Set(hit.flatMap(({ spec }) => spec?.nodeName ?? []))];
  const template = workload?.spec?.template?.spec;
  return { nodes, ...(template && { otherNodes: otherNodes(template, all, nodes) }) };
}
