import type { Baseline, CommandOf, InjectionEvidence, PlannedNoise } from "@microremed/contracts";
import type { Clock } from "@microremed/core";
import { readKnownStores } from "@microremed/inventory";
import { countEntry, firstPart, hideTraces, type IncidentPart } from "@microremed/verification";
import type { ArenaContext } from "./arena.ts";
import { historyUntil, onDrawnFraction } from "./history.ts";
import {
  healthyUnderLoad,
  type InjectBody,
  type InjectOptions,
  injectAndProve,
  nothingInjected,
  removeLeft,
  resetMs,
} from "./inject-failure.ts";
import { markInjected } from "./measure-damage.ts";
import { passHistory } from "./pass-history.ts";
import { noisesToCome, removeNoise } from "./place-noise.ts";
import { placeSetting } from "./place-setting.ts";
import { sleepUntil } from "./sleep-until.ts";

/** The incident, which has one fault at most, and the window of its watch that passes now. */
export interface WindowOptions extends InjectOptions {
  readonly window: NonNullable<CommandOf<"inject">["window"]>;
  /** By which every window takes equally long for who waits for it; absent: each takes what it takes. */
  readonly wall?: Pick<Clock, "now" | "sleep"> | undefined;
}

/** A window takes so many times the wall clock that measuring the healthy system has taken, which is more than a proof takes. */
const paceFactor = 2;
const leastPaceMs = 1_000;
/** Cluster time for what is read before a fault: it comes on time, as noises do. */
const readMs = 1_000;

type Before = NonNullable<WindowOptions["window"]["before"]>;

/**
 * Lets one window of a watch pass, and injects the fault in it at the time that the command says. A window takes as long
 * with a fault as without one, so that its length says nothing: a fault that was not proven by the window's end had
 * `no-effect`. The same holds by the wall clock if there is one: only where there is a fault it is proven. Where the command comes
 * again, a fault that was injected meanwhile is removed first.
 */
export async function watchWindow(arena: ArenaContext, options: WindowOptions): Promise<InjectBody> {
  const { window, wall, concealment = "none" } = options;
  const part = firstPart({ ...arena, concealment }, options, arena.catalogue);
  await arena.assertLease();
  const askedAt = await wall?.now();
  const before = window.before ?? (await healthy(arena, part, options));
  const startedAt = await wall?.now();
  const body = await pass(arena, options, part, before);
  if (!wall || startedAt === undefined || askedAt === undefined) return body;
  const usual = Math.max(leastPaceMs, paceFactor * (startedAt - askedAt));
  // Where cluster time is the wall clock's, a window takes its own length anyway.
  const paceMs = window.paceMs ?? Math.min(usual, window.seconds * 1000);
  await sleepUntil(wall, startedAt + paceMs, arena.signal);
  if (body.status !== "ok" || !body.window) return body;
  return { ...body, window: { ...body.window, paceMs } };
}

async function pass(
  arena: ArenaContext,
  options: WindowOptions,
  part: IncidentPart,
  before: Before,
): Promise<InjectBody> {
  const { cluster, signal } = arena;
  const { concealment = "none", window, timeoutSeconds } = options;
  if (window.faultAfter !== null) await removeLeft([part]);
  const from = onDrawnFraction(await cluster.clock.now(), options, "history");
  await sleepUntil(cluster.clock, from, signal);
  const to = from + window.seconds * 1000;
  const noises = noisesInWindow(arena, options, from);
  const { baseline } = before;
  const shown = window.before === undefined ? historyUntil(from, options) : {};
  const passed = { status: "ok", baseline, window: { from, to }, ...shown } as const;
  if (window.faultAfter === null) {
    await noises.before(to);
    await sleepUntil(cluster.clock, to, signal);
    return { ...passed, injection: before.injection };
  }
  const faultAt = from + window.faultAfter * 1000;
  await noises.before(faultAt - readMs);
  await sleepUntil(cluster.clock, faultAt - readMs, signal);
  const stores = await readKnownStores(cluster, arena.namespace, arena.environment);
  const requests = await countEntry(part.context, baseline);
  await noises.before(faultAt);
  await sleepUntil(cluster.clock, faultAt, signal);
  const proven = await injectAndProve(arena, part, baseline, { timeoutSeconds, noises, requests });
  const provenAt = await cluster.clock.now();
  if (!("reason" in proven)) await noises.before(to);
  const marked = "reason" in proven ? { injectedAt: from, expiresAt: null } : proven;
  await markInjected(arena, stores, options, marked);
  if (concealment === "neutral") await hideTraces(cluster, arena.namespace);
  if ("reason" in proven) return { status: "no-effect", baseline, ...proven };
  if (provenAt > to) return late(options, baseline, proven);
  await sleepUntil(cluster.clock, to, signal);
  return { ...passed, injection: { ...proven, concealment } };
}

/** Those that come in this window; noises that come after the first fault count from the beginning of a watch. */
function noisesInWindow(arena: ArenaContext, { noise = [], window }: WindowOptions, from: number) {
  const { passed = 0, seconds } = window;
  const isDue = ({ ago }: PlannedNoise): boolean => -ago >= passed && -ago < passed + seconds;
  return noisesToCome(arena, noise.filter(isDue), from - passed * 1000);
}

/** The beginning of a watch: the healthy system is measured, and its history passes, with the noises in it. */
async function healthy(arena: ArenaContext, part: IncidentPart, options: WindowOptions): Promise<Before> {
  const { concealment = "none" } = options;
  await removeLeft([part]);
  await removeNoise(arena, options.noise ?? [], resetMs);
  await placeSetting(arena, [part]);
  const [baseline] = await healthyUnderLoad(arena, [part], options);
  await passHistory(arena, options);
  const injection = nothingInjected(baseline.takenAt, await countEntry(part.context, baseline));
  return { baseline, injection: { ...injection, concealment } };
}

function late(
  { failure, window: { seconds } }: WindowOptions,
  baseline: Baseline,
  { verdict }: InjectionEvidence,
): InjectBody {
  const reason = `${failure} was proven only after the end of its window of ${seconds} s; make the windows longer`;
  return { status: "no-effect", baseline, reason, verdict };
}
