import type { LoadPattern } from "@microremed/contracts";
import type { Environment } from "./environment.types.ts";
import type { LoadSpec } from "./format.ts";
import { k6Image, loadScript } from "./k6-script.ts";
import { loadCurve } from "./load-curve.ts";
import type { Manifest } from "./manifest.ts";

/** Seconds until a user gives up. */
const timeoutSeconds = 10;
/** Requests at work at once for each request a second, when all are as slow as users bear. */
const mostPerRate = timeoutSeconds;
const unitSeconds = 60;

/** How much load a Job makes. */
export interface LoadPlan {
  /** Of the Job. */
  readonly namespace: string;
  /** Namespace of the system that gets the requests; default: the Job's own. */
  readonly to?: string | undefined;
  /** Requests a second, each held for `secondsEach`, one after the other. */
  readonly rates: readonly number[];
  /** Whole seconds. */
  readonly secondsEach: number;
}

/**
 * A Job of k6 that sends an environment's requests on a real cluster: its own mix, in an open loop at the rates of `plan`.
 * A request whose status is not 2xx or 3xx, or that has no content, counts as failed, and the Job fails with more than 1 % of
 * those. Requests come one by one, without cookies. The ConfigMap has the script.
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
 * An environment's requests a second over a time, each held for `secondsEach`: its own rate, times its own day and bursts or,
 * with a pattern, times that. A pattern's `at` counts from the start; the first burst of each stretch is at its start.
 */
export function loadRates(
  { requestsPerSecond, diurnal, bursts }: LoadSpec,
  pattern: LoadPattern | undefined,
  { seconds, secondsEach }: { readonly seconds: number; readonly secondsEach: number },
): number[] {
  const ordered = pattern && loadCurve({ pattern, seed: "load", origin: 0 });
  const own = (now: number): number => {
    const { amplitude = 0, periodSeconds = 1, peakAtSeconds = 0 } = diurnal ?? {};
    const day = 1 + amplitude * Math.cos((2 * Math.PI * (now - peakAtSeconds)) / periodSeconds);
    return bursts && now % bursts.everySeconds < bursts.durationSeconds ? day * bursts.factor : day;
  };
  return Array.from({ length: Math.ceil(seconds / secondsEach) }, (_, at) => {
    const middle = (at + 0.5) * secondsEach;
    return requestsPerSecond * (ordered ? ordered(1000 * middle) : own(middle));
  });
}

/** The script of the Job. */
function jobScript({ load }: Environment, { rates, secondsEach, to }: LoadPlan): string {
  const highest = Math.max(1, ...rates);
  const users = {
    executor: "ramping-arrival-rate",
    timeUnit: `${unitSeconds}s`,
    startRate: perUnit(rates[0] ?? 0),
    preAllocatedVUs: Math.ceil(highest),
    maxVUs: Math.ceil(highest * mostPerRate),
    // Each rate is jumped to, and held.
    stages: rates.flatMap((rate) => [
      { target: perUnit(rate), duration: "0s" },
      { target: perUnit(rate), duration: `${secondsEach}s` },
    ]),
  };
  const options = {
    scenarios: { users },
    // Of requests: each has two checks, of which one may fail alone.
    thresholds: { answered: ["rate>=0.99"] },
    // A Service that was made again has another address.
    dns: { ttl: "0" },
  };
  return loadScript(load, { options, timeoutSeconds, to });
}

const perUnit = (rate: number): number => Math.round(rate * unitSeconds);
