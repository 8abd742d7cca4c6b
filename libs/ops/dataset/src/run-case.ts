import { type ArenaContext, injectFailure, prepareArena } from "@microremed/arena";
import { type Environment, type GroundTruth, truthOf, unionOfTruths } from "@microremed/catalogue";
import type { Cluster } from "@microremed/cluster";
import { type LoadOrder, type LoadPattern, noFailure } from "@microremed/contracts";
import { AppError, createRng, type Rng, silentLogger } from "@microremed/core";
import { eligibleTargets } from "@microremed/planner";
import type { Catalogue } from "@microremed/registry";
import { type Collector, createCollector, type TelemetryWindow } from "@microremed/telemetry";
import type { PlannedCase, Recipe, TimedIncident } from "./dataset.types.ts";
import { drawTimes, stretchBefore } from "./draw-times.ts";
import type { CaseLabels } from "./labels.ts";
import { withSamplingNoise } from "./sampling-noise.ts";
import { type Course, drawCourse, withCourse } from "./varied-load.ts";

/** The telemetry of one case and what is known of it. */
export interface RunCase {
  readonly window: TelemetryWindow;
  readonly labels: CaseLabels;
}

/** What cases are run with. */
export interface CaseDeps {
  readonly catalogue: Pick<Catalogue, "environments" | "faults" | "noises" | "oracles">;
  readonly signal: AbortSignal;
  readonly openCluster: OpenCluster;
}

/**
 * Opens an embedded cluster of the case's own, on which the environment can be deployed. Its time goes only while a caller
 * waits; the same seed and the same calls make the same cluster.
 */
export type OpenCluster = (options: {
  readonly seed: string;
  /** Cluster time at the start, ms since the epoch. */
  readonly startAt: number;
  readonly environment: Environment;
  /** How often pods are measured, ms of cluster time. */
  readonly metricsEveryMs: number;
}) => AsyncDisposable & { readonly cluster: Cluster };

/** Cluster time after the roll-out until the system is measured, and between two readings of what is forgotten soon, s. */
const settleSeconds = 60;
const collectSeconds = 60;
/** Cluster time until a system must be healthy, and until a fault must act, s. */
const prepareSeconds = 600;
const injectionSeconds = 180;

/**
 * Runs a case on an embedded cluster of its own: a fault-free stretch under load, the fault, a faulty stretch. A healthy
 * case goes through the same steps with the fault `none`. An incident without effect is replaced by the next of the case.
 * Returned is also why none of them had any.
 */
export async function runCase(
  planned: PlannedCase,
  recipe: Recipe,
  deps: CaseDeps,
): Promise<RunCase | { readonly skipped: readonly string[] }> {
  const replaced: string[] = [];
  const choices = planned.incidents.length > 0 ? planned.incidents : [[]];
  for (const incident of choices) {
    const run = await runIncident(planned, incident, { ...deps, recipe });
    if (typeof run === "object") return { ...run, labels: { ...run.labels, replaced } };
    const what = incident.map(({ fault, target }) => `${fault} on ${target}`).join(" and ");
    replaced.push(`${what}: ${run}`);
    deps.signal.throwIfAborted();
  }
  return { skipped: replaced };
}

interface Setup extends CaseDeps {
  readonly recipe: Recipe;
}

/** The run, or why it came to nothing. */
async function runIncident(
  planned: PlannedCase,
  incident: readonly TimedIncident[],
  setup: Setup,
): Promise<RunCase | string> {
  const { recipe, catalogue, signal } = setup;
  const clusterSeed = `${recipe.seed}/${planned.index}`;
  const rng = createRng(clusterSeed, "case");
  const environment = catalogue.environments.get(planned.environment);
  const course = drawCourse(rng.fork("load"));
  const times = drawTimes(recipe, rng.fork("times"));
  await using opened = setup.openCluster({
    seed: clusterSeed,
    startAt: times.startAt,
    environment: withCourse(environment, course),
    metricsEveryMs: recipe.stepSeconds === 1 ? 1_000 : 5_000,
  });
  const { cluster } = opened;
  await prepareArena(arenaOf(cluster, environment, setup), {
    ...{ redeploy: false, timeoutSeconds: prepareSeconds },
  });
  await cluster.clock.sleep(settleSeconds * 1000, signal);
  const place = { cluster, namespace: environment.namespace, timeoutMs: 30_000, signal };
  const settledAt = await cluster.clock.now();
  const collector = createCollector(place, settledAt);
  const watched = watching(cluster, collector, settledAt);
  const injected = await inject(arenaOf(watched, environment, setup), incident, {
    ...{ catalogue, rng: rng.fork("healthy"), seed: clusterSeed },
    historySeconds: stretchBefore(recipe).most,
    workload: incident.length > 0 ? incident[0]?.workload : planned.workload,
  });
  if (typeof injected === "string") return injected;
  const { faults, load } = injected;
  const at = faults[0]?.injectedAt ?? (await cluster.clock.now()) + times.lateMs;
  const from = at - beforeMs(times.beforeMs, faults, recipe);
  const to = from + (recipe.beforeSeconds + recipe.afterSeconds) * 1000;
  const left = to - (await cluster.clock.now());
  if (left > 0) await watched.clock.sleep(left, signal);
  const exact = await collector.window({ from, to, stepSeconds: recipe.stepSeconds });
  const window = recipe.noise === "none" ? exact : withSamplingNoise(exact, rng.fork("noise"));
  const truths = incident.map((part) => truthOfPart(part, environment, catalogue));
  const known = { planned, incident, injected: faults, course, clusterSeed, truths, workload: load };
  return { window, labels: labelsOf(window, known, catalogue) };
}

/** As drawn; sooner where the later faults of an incident would come too close to the window's end. */
function beforeMs(drawn: number, faults: readonly Injected[], recipe: Recipe): number {
  const all = faults.map(({ injectedAt }) => injectedAt);
  const lasting = Math.max(0, ...all.map((at) => at - (all[0] ?? at)));
  const { least, most } = stretchBefore(recipe);
  return Math.max(least * 1000, Math.min(drawn, most * 1000 - lasting));
}

/** The cluster; while its time is waited for, what it forgets soon is collected. `now`: cluster time, ms. */
function watching(cluster: Cluster, collector: Collector, now: number): Cluster {
  const { clock } = cluster;
  let due = now + collectSeconds * 1000;
  const sleep = async (ms: number, signal?: AbortSignal): Promise<void> => {
    const from = await clock.now();
    for (let at = from; at < from + ms; ) {
      await clock.sleep(Math.max(0, Math.min(from + ms, due) - at), signal);
      at = await clock.now();
      if (at < due) continue;
      due = at + collectSeconds * 1000;
      await collector.collect();
    }
  };
  return { ...cluster, clock: { ...clock, sleep } };
}

function arenaOf(
  cluster: Cluster,
  environment: Environment,
  { catalogue, signal }: Pick<CaseDeps, "catalogue" | "signal">,
): ArenaContext {
  return {
    ...{ cluster, range: "dataset", environment, catalogue, signal },
    namespace: environment.namespace,
    lease: { slot: 0, fence: 1 },
    log: silentLogger,
    assertLease: async () => {},
  };
}

interface Injected {
  /** Cluster time, ms. */
  readonly injectedAt: number;
  readonly expiresAt: number | null;
}

interface InjectWith {
  readonly catalogue: CaseDeps["catalogue"];
  /** Draws the workload that is measured where nothing is injected. */
  readonly rng: Rng;
  readonly seed: string;
  readonly historySeconds: number;
  readonly workload: LoadPattern | undefined;
}

/** What came of an incident. */
interface InjectedCase {
  /** When each fault acted; empty: nothing was injected. */
  readonly faults: readonly Injected[];
  readonly load: LoadOrder | undefined;
}

/** Measures the system, lets its history pass and injects the faults, if there are any. A text: why one did not act. */
async function inject(
  arena: ArenaContext,
  [first, ...others]: readonly TimedIncident[],
  { catalogue, rng, ...options }: InjectWith,
): Promise<InjectedCase | string> {
  const healthy = (): string => rng.pick(eligibleTargets(catalogue.faults.get(noFailure), arena.environment));
  const further = others.map((one) => ({
    ...{ failure: one.fault, target: one.target, at: one.at },
    ...(one.parameters && { parameters: one.parameters }),
  }));
  try {
    const body = await injectFailure(arena, {
      ...{ ...options, timeoutSeconds: injectionSeconds, concealment: "neutral" },
      ...{ failure: first?.fault ?? noFailure, target: first?.target ?? healthy() },
      ...(first?.parameters && { parameters: first.parameters }),
      ...(further.length > 0 && { further }),
    });
    if (body.status !== "ok") return body.reason;
    const { injection, baseline } = body;
    const faults = [injection, ...(injection.further ?? [])].map(({ injectedAt, expiresAt }) => ({
      ...{ injectedAt, expiresAt },
    }));
    return { faults: first ? faults : [], load: baseline.load };
  } catch (error) {
    // What the system did in this cluster is a reason to take another target; anything else is a defect.
    if (error instanceof AppError && error.code !== "internal") return error.message;
    throw error;
  }
}

function truthOfPart(
  { fault, target, parameters }: TimedIncident,
  environment: Environment,
  { faults }: CaseDeps["catalogue"],
): GroundTruth {
  return truthOf(faults.get(fault), environment, { target, parameters });
}

interface Known {
  readonly planned: PlannedCase;
  /** Its faults; none: a healthy system. */
  readonly incident: readonly TimedIncident[];
  readonly injected: readonly Injected[];
  readonly course: Course;
  readonly clusterSeed: string;
  readonly truths: readonly GroundTruth[];
  readonly workload: LoadOrder | undefined;
}

function labelsOf(
  { from, to, stepSeconds, left }: TelemetryWindow,
  known: Known,
  { faults }: Pick<Catalogue, "faults">,
): CaseLabels {
  const { planned, incident, injected, course, clusterSeed, truths, workload } = known;
  const [first, ...further] = incident.flatMap(({ fault, target, parameters, service }, place) => {
    const when = injected[place];
    const set = faults.get(fault).parameters.parse(parameters ?? {});
    return when ? [{ ...{ fault, target, parameters: set, service }, ...when }] : [];
  });
  return {
    version: 1,
    ...{ index: planned.index, part: planned.part, folder: folderOf(planned, incident) },
    ...{ environment: planned.environment, clusterSeed, stepSeconds },
    incident: first ?? null,
    ...(further.length > 0 && { further }),
    windows: stretches(from, to, injected),
    truth: unionOfTruths(truths),
    truths: [...truths],
    load: { amplitude: course.amplitude, periodSeconds: course.periodSeconds },
    ...(workload && { workload: { pattern: workload.pattern, origin: workload.origin } }),
    ...{ replaced: [], left },
  };
}

/** Faulty is from the first fault on, until every one has ended by itself. */
function stretches(from: number, to: number, injected: readonly Injected[]): CaseLabels["windows"] {
  const at = injected[0]?.injectedAt ?? to;
  const end = Math.min(to, Math.max(...injected.map(({ expiresAt }) => expiresAt ?? to), at));
  const all: CaseLabels["windows"] = [
    { label: "fault-free", from, to: at },
    { label: "faulty", from: at, to: end },
    { label: "after", from: end, to },
  ];
  return all.filter((one) => one.to > one.from);
}

/**
 * RCAEval's `<service>_<fault>/<number>`, under the system. What it has no place for is beside them: healthy systems, and
 * cases with several root causes.
 */
function folderOf({ environment, index }: PlannedCase, [first, ...others]: readonly TimedIncident[]): string {
  const number = String(index).padStart(4, "0");
  if (!first) return `fault-free/${environment}/${number}`;
  if (others.length > 0) return `several-faults/${environment}/${number}`;
  return `${environment}/${first.service}_${first.fault}/${number}`;
}
