import type { LoadPattern } from "@microremed/contracts";
import type { Environment } from "./environment.types.ts";
import { k6Image, loadScript } from "./k6-script.ts";
import { loadCurve } from "./load-curve.ts";
import type { LoadSpec } from "./load-format.ts";
import type { Manifest } from "./manifest.ts";
import { replayedAt } from "./replay.ts";
import { pausesPerSession, sessionsOf, stepsPerSession } from "./sessions.ts";

/** Seconds until a user gives up. */
const timeoutSeconds = 10;
/** Requests at work at once for each request a second, when all are as slow as users bear. */
const mostPerRate = timeoutSeconds;
const unitSeconds = 60;
/** At the end requests at work are waited for. */
const gracefulStop = `${timeoutSeconds}s`;

/** How much load a Job makes. */
export interface LoadPlan {
  /** Of the Job. */
  readonly namespace: string;
  /** Namespace of the system that gets the requests; default: the Job's own. */
  readonly to?: string | undefined;
  /** Requests a second, of a closed loop users, each held for `secondsEach`, one after the other. */
  readonly rates: readonly number[];
  /** Whole seconds. */
  readonly secondsEach: number;
}

/**
 * A Job of k6 that sends an environment's load on a real cluster: its own mix or journeys, in its open or closed loop, at the rates of
 * `plan`. An answer that is not what the load expects counts as failed, and the Job fails with more than 1 % of those. The ConfigMap
 * has the script.
 */
export function loadJob(environment: Environment, plan: LoadPlan): readonly Manifest[] {
  const { namespace } = plan;
  const name = `${environment.name}-load`;
  const labels = { app: name };
  const metadata = { name, namespace, labels };
  const container = {
    name: "k6",
    image: k6Image,
    args: ["run", "--quiet", "--no-usage-report", "/load/script.js"],
    resources: { requests: { cpu: "200m", memory: "128Mi" }, limits: { memory: "1Gi" } },
    volumeMounts: [{ name: "script", mountPath: "/load" }],
  };
  return [
    { apiVersion: "v1", kind: "ConfigMap", metadata, data: { "script.js": jobScript(environment, plan) } },
    {
      apiVersion: "batch/v1",
      kind: "Job",
      metadata,
      spec: {
        backoffLimit: 0,
        template: {
          metadata: { labels },
          spec: {
            restartPolicy: "Never",
            containers: [container],
            volumes: [{ name: "script", configMap: { name } }],
          },
        },
      },
    },
  ] as unknown as readonly Manifest[];
}

/**
 * An environment's requests a second, or users of a closed loop, over a time, on average of each `secondsEach`: its own, times its own
 * day, bursts and replay or, with a pattern, times that. A pattern's `at` counts from the start, as replays do; the first burst
 * of each stretch is at its start.
 */
export function loadRates(
  { requestsPerSecond, users, diurnal, bursts, replay }: LoadSpec,
  pattern: LoadPattern | undefined,
  { seconds, secondsEach }: { readonly seconds: number; readonly secondsEach: number },
): number[] {
  const ordered = pattern && loadCurve({ pattern, seed: "load", origin: 0 });
  const own = (now: number): number => {
    const { amplitude = 0, periodSeconds = 1, peakAtSeconds = 0 } = diurnal ?? {};
    const day = 1 + amplitude * Math.cos((2 * Math.PI * (now - peakAtSeconds)) / periodSeconds);
    const burst = bursts && now % bursts.everySeconds < bursts.durationSeconds ? bursts.factor : 1;
    return day * burst * (replay?.rows ? replayedAt(replay.rows, now).perSecond / requestsPerSecond : 1);
  };
  const factorAt = (now: number): number => (ordered ? ordered(1000 * now) : own(now));
  return Array.from({ length: Math.ceil(seconds / secondsEach) }, (_, at) => {
    const moments = Array.from({ length: secondsEach }, (_, second) => at * secondsEach + second + 0.5);
    const sum = moments.reduce((total, now) => total + factorAt(now), 0);
    return ((users ?? requestsPerSecond) * sum) / secondsEach;
  });
}

/** The script of the Job. */
function jobScript({ load }: Environment, { rates, secondsEach, to }: LoadPlan): string {
  const options = {
    scenarios: {
      users: load.users === undefined ? openLoop(load, rates, secondsEach) : closedLoop(rates, secondsEach),
    },
    // Of requests: each has two checks, of which one may fail alone.
    thresholds: { answered: ["rate>=0.99"] },
    // A Service that was made again has another address.
    dns: { ttl: "0" },
  };
  return loadScript(load, {
    options,
    timeoutSeconds,
    to,
    clock: "exec.instance.currentTestRunDuration / 1000",
  });
}

function openLoop(load: LoadSpec, rates: readonly number[], secondsEach: number) {
  const sessions = sessionsOf(load);
  const [steps, pauses] = [stepsPerSession(sessions), pausesPerSession(sessions)];
  const highest = Math.max(1, ...rates) / steps;
  const perUnit = (rate: number): number => Math.round((rate / steps) * unitSeconds);
  return {
    executor: "ramping-arrival-rate",
    gracefulStop,
    timeUnit: `${unitSeconds}s`,
    startRate: perUnit(rates[0] ?? 0),
    preAllocatedVUs: Math.ceil(highest * (1 + pauses)),
    maxVUs: Math.ceil(highest * (steps * mostPerRate + pauses)),
    stages: heldStages(rates.map(perUnit), secondsEach),
  };
}

const closedLoop = (users: readonly number[], secondsEach: number) => ({
  executor: "ramping-vus",
  gracefulStop,
  // Users above a lower number are gone at once, as on embedded clusters.
  gracefulRampDown: "0s",
  startVUs: Math.round(users[0] ?? 0),
  stages: heldStages(users.map(Math.round), secondsEach),
});

/** Each is jumped to, and held. */
const heldStages = (targets: readonly number[], secondsEach: number) =>
  targets.flatMap((target) => [
    { target, duration: "0s" },
    { target, duration: `${secondsEach}s` },
  ]);
