import { type ArenaContext, injectFailure, prepareArena, setLoad } from "@microremed/arena";
import { type Environment, type GroundTruth, unionOfTruths } from "@microremed/catalogue";
import type { Cluster } from "@microremed/cluster";
import type { LoadOrder, LoadPattern } from "@microremed/contracts";
import { AppError, createRng, silentLogger } from "@microremed/core";
import type { Catalogue } from "@microremed/registry";
import { type Collector, createCollector, type TelemetryWindow } from "@microremed/telemetry";
import type { PlannedCase, Recipe, TimedIncident } from "./dataset.types.ts";
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
  readonly environment: Environment;
  /** How often pods are measured, ms of cluster time. */
  readonly metricsEveryMs: number;
}) => AsyncDisposable & { readonly cluster: Cluster };

/** Cluster time after the roll-out until telemetry counts, and between two readings of what is forgotten soon, s. */
const settleSeconds = 60;
const collectSeconds = 60;
/** Cluster time until a system must be healthy, and until a fault must act, s. */
const prepareSeconds = 600;
const injectionSeconds = 180;

/**
 * Runs a case on an embedded cluster of its own: a fault-free stretch under load, the fault, a faulty stretch. An incident
 * without effect is replaced by the next of the case. Returned is also why none of them had any.
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
  await using opened = setup.openCluster({
    seed: clusterSeed,
    environment: withCourse(environment, course),
    metricsEveryMs: recipe.stepSeconds === 1 ? 1_000 : 5_000,
  });
  const { cluster } = opened;
  const arena = arenaOf(cluster, environment, setup);
  await prepareArena(arena, { redeploy: false, timeoutSeconds: prepareSeconds });
  const workload = incident.length > 0 ? incident[0]?.workload : planned.workload;
  const followed = workload && (await followLoad(arena, workload, clusterSeed, recipe));
  await cluster.clock.sleep(settleSeconds * 1000, signal);
  const place = { cluster, namespace: arena.namespace, timeoutMs: 30_000, signal };
  const collector = createCollector(place, await cluster.clock.now());
  const watch = watchOn(cluster, collector, signal);
  await watch((await cluster.clock.now()) + recipe.beforeSeconds * 1000);
  const injected = await inject(arena, incident);
  if (typeof injected === "string") return injected;
  const at = injected[0]?.injectedAt ?? (await cluster.clock.now());
  const [from, to] = [at - recipe.beforeSeconds * 1000, at + recipe.afterSeconds * 1000];
  await watch(to);
  const exact = await collector.window({ from, to, stepSeconds: recipe.stepSeconds });
  const window = recipe.noise === "none" ? exact : withSamplingNoise(exact, rng.fork("noise"));
  const truths = incident.map((part) => truthOf(part, environment, catalogue));
  const known = { planned, incident, injected, course, clusterSeed, truths, workload: followed };
  return { window, labels: labelsOf(window, known) };
}

/** The times of a pattern count from about the first fault, whether there is one or not. */
async function followLoad(
  arena: ArenaContext,
  pattern: LoadPattern,
  seed: string,
  { beforeSeconds }: Recipe,
): Promise<LoadOrder> {
  const now = await arena.cluster.clock.now();
  return setLoad(arena, pattern, seed, now + (settleSeconds + beforeSeconds) * 1000);
}

/** Lets time pass until a moment (cluster time, ms) and reads meanwhile. */
function watchOn(cluster: Cluster, collector: Collector, signal: AbortSignal) {
  return async (until: number): Promise<void> => {
    for (let now = await cluster.clock.now(); now < until; now = await cluster.clock.now()) {
      await cluster.clock.sleep(Math.min(collectSeconds * 1000, until - now), signal);
      await collector.collect();
    }
  };
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

/** When each fault acted, or why one did not; nothing of a healthy system. */
async function inject(
  arena: ArenaContext,
  [first, ...others]: readonly TimedIncident[],
): Promise<readonly Injected[] | string> {
  if (!first) return [];
  const { fault, target, parameters } = first;
  const further = others.map((one) => ({
    ...{ failure: one.fault, target: one.target, at: one.at },
    ...(one.parameters && { parameters: one.parameters }),
  }));
  const options = { failure: fault, target, parameters, timeoutSeconds: injectionSeconds };
  try {
    const body = await injectFailure(arena, {
      ...options,
      ...(further.length > 0 && { further }),
      concealment: "neutral",
    });
    if (body.status !== "ok") return body.reason;
    const { injection } = body;
    return [injection, ...(injection.further ?? [])].map(({ injectedAt, expiresAt }) => ({
      ...{ injectedAt, expiresAt },
    }));
  } catch (error) {
    // What the system did in this cluster is a reason to take another target; anything else is a defect.
    if (error instanceof AppError && error.code !== "internal") return error.message;
    throw error;
  }
}

function truthOf(
  { fault, target, parameters }: TimedIncident,
  environment: Environment,
  { faults }: CaseDeps["catalogue"],
): GroundTruth {
  return faults.get(fault).truth({ environment, target, ...(parameters && { parameters }) });
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

function labelsOf({ from, to, stepSeconds, left }: TelemetryWindow, known: Known): CaseLabels {
  const { planned, incident, injected, course, clusterSeed, truths, workload } = known;
  const [first, ...further] = incident.flatMap(({ fault, target, parameters = null, service }, place) => {
    const when = injected[place];
    return when ? [{ ...{ fault, target, parameters, service }, ...when }] : [];
  });
  return {
    version: 1,
    ...{ index: planned.index, part: planned.part, folder: folderOf(planned, incident) },
    ...{ environment: planned.environment, clusterSeed, stepSeconds },
    incident: first ?? null,
    ...(further.length > 0 && { further }),
    windows: stretches(from, to, injected),
    truth: unionOfTruths(truths),
    ...(truths.length > 1 && { truths: [...truths] }),
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
