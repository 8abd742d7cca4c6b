import { type ArenaContext, injectFailure, prepareArena } from "@microremed/arena";
import { type Environment, type GroundTruth, nothingWrong } from "@microremed/catalogue";
import type { Cluster } from "@microremed/cluster";
import { AppError, createRng, silentLogger } from "@microremed/core";
import type { Catalogue } from "@microremed/registry";
import { type Collector, createCollector, type TelemetryWindow } from "@microremed/telemetry";
import type { Incident, PlannedCase, Recipe } from "./dataset.types.ts";
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
  readonly catalogue: Pick<Catalogue, "environments" | "faults" | "oracles">;
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
  const choices = planned.incidents.length > 0 ? planned.incidents : [undefined];
  for (const incident of choices) {
    const run = await runIncident(planned, incident, { ...deps, recipe });
    if (typeof run === "object") return { ...run, labels: { ...run.labels, replaced } };
    replaced.push(`${incident?.fault} on ${incident?.target}: ${run}`);
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
  incident: Incident | undefined,
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
  await cluster.clock.sleep(settleSeconds * 1000, signal);
  const place = { cluster, namespace: arena.namespace, timeoutMs: 30_000, signal };
  const collector = createCollector(place, await cluster.clock.now());
  const watch = watchOn(cluster, collector, signal);
  await watch((await cluster.clock.now()) + recipe.beforeSeconds * 1000);
  const injected = incident && (await inject(arena, incident));
  if (typeof injected === "string") return injected;
  const at = injected?.at ?? (await cluster.clock.now());
  const [from, to] = [at - recipe.beforeSeconds * 1000, at + recipe.afterSeconds * 1000];
  await watch(to);
  const exact = await collector.window({ from, to, stepSeconds: recipe.stepSeconds });
  const window = recipe.noise === "none" ? exact : withSamplingNoise(exact, rng.fork("noise"));
  const truth = incident ? truthOf(incident, environment, catalogue) : nothingWrong;
  const known = { planned, incident, injected, course, clusterSeed, truth };
  return { window, labels: labelsOf(window, known) };
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
    ...{ cluster, environment, catalogue, signal },
    namespace: environment.namespace,
    lease: { slot: 0, fence: 1 },
    log: silentLogger,
    assertLease: async () => {},
  };
}

interface Injected {
  /** Cluster time, ms. */
  readonly at: number;
  readonly expiresAt: number | null;
}

/** When the fault acted, or why it did not. */
async function inject(
  arena: ArenaContext,
  { fault, target, parameters }: Incident,
): Promise<Injected | string> {
  const options = { failure: fault, target, parameters, timeoutSeconds: injectionSeconds };
  try {
    const body = await injectFailure(arena, { ...options, concealment: "neutral" });
    if (body.status !== "ok") return body.reason;
    return { at: body.injection.injectedAt, expiresAt: body.injection.expiresAt };
  } catch (error) {
    // What the system did in this cluster is a reason to take another target; anything else is a defect.
    if (error instanceof AppError && error.code !== "internal") return error.message;
    throw error;
  }
}

function truthOf(
  { fault, target, parameters }: Incident,
  environment: Environment,
  { faults }: CaseDeps["catalogue"],
): GroundTruth {
  return faults.get(fault).truth({ environment, target, ...(parameters && { parameters }) });
}

interface Known {
  readonly planned: PlannedCase;
  readonly incident: Incident | undefined;
  readonly injected: Injected | undefined;
  readonly course: Course;
  readonly clusterSeed: string;
  readonly truth: GroundTruth;
}

function labelsOf({ from, to, stepSeconds, left }: TelemetryWindow, known: Known): CaseLabels {
  const { planned, incident, injected, course, clusterSeed, truth } = known;
  return {
    version: 1,
    ...{ index: planned.index, part: planned.part, folder: folderOf(planned, incident) },
    ...{ environment: planned.environment, clusterSeed, stepSeconds },
    incident:
      incident && injected
        ? {
            ...{ fault: incident.fault, target: incident.target, parameters: incident.parameters ?? null },
            ...{ service: incident.service, injectedAt: injected.at, expiresAt: injected.expiresAt },
          }
        : null,
    windows: injected ? stretches(from, to, injected) : [{ label: "fault-free", from, to }],
    ...{ truth, load: { amplitude: course.amplitude, periodSeconds: course.periodSeconds } },
    ...{ replaced: [], left },
  };
}

function stretches(from: number, to: number, { at, expiresAt }: Injected): CaseLabels["windows"] {
  const end = Math.min(to, expiresAt ?? to);
  const all: CaseLabels["windows"] = [
    { label: "fault-free", from, to: at },
    { label: "faulty", from: at, to: end },
    { label: "after", from: end, to },
  ];
  return all.filter((one) => one.to > one.from);
}

/** RCAEval's `<service>_<fault>/<number>`, under the system; healthy systems are beside them. */
function folderOf({ environment, index }: PlannedCase, incident: Incident | undefined): string {
  const number = String(index).padStart(4, "0");
  return incident
    ? `${environment}/${incident.service}_${incident.fault}/${number}`
    : `fault-free/${environment}/${number}`;
}
