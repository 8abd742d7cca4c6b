import { prepareArena } from "@microremed/arena";
import {
  callsPerRequest,
  type Environment,
  type LoadRequest,
  loadRequests,
  namedLoad,
  selectorText,
} from "@microremed/catalogue";
import { type Cluster, type ExecResult, harnessNamespace, kinds } from "@microremed/cluster";
import { AppError, silentLogger } from "@microremed/core";
import { readTraces } from "@microremed/kubectl/over-cluster";
import type { Catalogue } from "@microremed/registry";
import { type CheckedBaseline, checkBaselines } from "./check-baselines.ts";
import { type CheckedFault, checkFault } from "./check-fault.ts";
import { type CheckedJob, checkJobs, startCronJobs } from "./check-jobs.ts";
import { edgesIn } from "./edges-in.ts";
import { isReady, reasonOf, restartsOf } from "./pod-state.ts";

/** Where an environment is checked. */
export interface CheckPlace {
  readonly environment: Environment;
  readonly cluster: Cluster;
  readonly catalogue: Pick<Catalogue, "faults" | "noises" | "oracles">;
  readonly signal: AbortSignal;
  /** Cluster time, s: until it must be healthy, and under load after that. */
  readonly readySeconds: number;
  readonly loadSeconds: number;
}

/** A workload after the check. */
export interface CheckedWorkload {
  readonly name: string;
  readonly kind: string;
  /** Pods that are Ready. */
  readonly ready: number;
  readonly wanted: number;
  readonly restarts: number;
  /** Why a pod is not Ready, in the kubelet's or the scheduler's words; empty: all are. */
  readonly why: string;
}

/** A call of the model, and what traces show of it. */
export interface CheckedCall {
  readonly from: string;
  readonly to: string;
  readonly declared: number;
  /** Calls for each request of the caller; null: it was not seen. */
  readonly measured: number | null;
  /** How many requests of the caller the traces show: with none, no call of it can be seen. */
  readonly requests: number;
}

/** A path of a load, once for all loads that ask for it alike, and whether it was answered as the load expects. */
export interface CheckedJourney {
  /** Of the load; absent: the system's own. */
  readonly load?: string;
  readonly method: LoadRequest["method"];
  readonly path: string;
  readonly answered: boolean;
}

/** What a check has measured. */
export interface EnvironmentCheck {
  /** Empty: everything is Ready. */
  readonly problem: string;
  /** Cluster time from the first object to everything being Ready, s; null: it never was. */
  readonly readyAfterSeconds: number | null;
  readonly workloads: readonly CheckedWorkload[];
  /** Jobs that have not ended well, and CronJobs of which a run has not. */
  readonly jobs: readonly CheckedJob[];
  /** Users' requests; null: none was traced. */
  readonly requests: {
    readonly traced: number;
    /** 0..1 */
    readonly answered: number;
    readonly medianMs: number;
    readonly p95Ms: number;
    /** Where requests failed, the most frequent first: the caller, what it asked for, the error. */
    readonly failures: readonly { readonly what: string; readonly requests: number }[];
  } | null;
  /** Targets that have no baseline, so that no fault can be judged there. Empty also where not everything is Ready. */
  readonly baselines: readonly CheckedBaseline[];
  /** What users ask for, each asked once. */
  readonly journeys: readonly CheckedJourney[];
  readonly calls: readonly CheckedCall[];
  /** How many targets each fault has, those with none last. */
  readonly faults: readonly CheckedFault[];
}

const mostTraces = 1_500;
const traceTimeoutMs = 60_000;
const askTimeoutMs = 30_000;

/** Deploys an environment on a cluster, drives it, and says what works. */
export async function checkEnvironment(place: CheckPlace): Promise<EnvironmentCheck> {
  const { environment, cluster, catalogue, readySeconds, loadSeconds, signal } = place;
  const { namespace } = environment;
  const lease = { slot: 0, fence: 1 };
  const arena = {
    ...{ cluster, range: "check", namespace, lease, environment, catalogue, signal, log: silentLogger },
    assertLease: async () => {},
  };
  const startedAt = await cluster.clock.now();
  const problem = await prepareArena(arena, { redeploy: false, timeoutSeconds: readySeconds }).then(
    () => "",
    (error: unknown) => messageOf(error),
  );
  const readyAt = await cluster.clock.now();
  await startCronJobs(environment, cluster);
  await cluster.clock.sleep(loadSeconds * 1000, signal);
  const workloads = await checkWorkloads(place);
  const jobs = await checkJobs(environment, cluster);
  const journeys = await askJourneys(place);
  const traces = await readTraces(
    { limit: mostTraces },
    { now: await cluster.clock.now(), from: readyAt, to: await cluster.clock.now() },
    { cluster, namespace, timeoutMs: traceTimeoutMs, signal },
  );
  const baselines = problem === "" ? await checkBaselines(place) : [];
  const faults = catalogue.faults.all().map((fault) => checkFault(environment, fault));
  return {
    problem,
    readyAfterSeconds: problem === "" ? (readyAt - startedAt) / 1000 : null,
    workloads,
    jobs,
    requests: requestsIn(traces),
    baselines,
    journeys,
    calls: callsIn(environment, traces),
    faults: faults.toSorted((a, b) => b.targets - a.targets),
  };
}

function messageOf(error: unknown): string {
  const { code, message } = AppError.from(error);
  if (code === "cancelled") throw error;
  return message;
}

/** Asks for each path from the harness's pod, as a user outside of the arena. */
async function askJourneys({ environment, cluster }: CheckPlace): Promise<CheckedJourney[]> {
  const { load, namespace } = environment;
  const [prober] = await cluster.list(kinds.pod, {
    namespace: harnessNamespace,
    labelSelector: "app=prober",
  });
  if (!prober) return [];
  const [host = "", port = "80"] = load.entry.split(":");
  const where = { namespace: harnessNamespace, pod: prober.metadata.name, container: "prober" };
  const asked: CheckedJourney[] = [];
  const known = new Set<string>();
  for (const name of [undefined, ...Object.keys(load.loads ?? {})])
    for (const request of loadRequests(namedLoad(load, name))) {
      const { method, path, body: form = "", expect } = request;
      const same = JSON.stringify([method, path, form, expect]);
      if (known.has(same)) continue;
      known.add(same);
      const body = method === "POST" ? ["--post-data", form] : [];
      const url = `http://${host}.${namespace}:${port}${path}`;
      const command = ["wget", "-q", "-S", "-T", "5", "-O", "-", ...body, url];
      const answer = await cluster.exec({ ...where, command, timeoutMs: askTimeoutMs });
      const answered = isRight(answer, expect);
      asked.push({ ...(name !== undefined && { load: name }), method, path, answered });
    }
  return asked;
}

/** Whether wget shows what the load expects; it names the status of each answer, redirections first. */
function isRight(
  { exitCode, stdout, stderr }: Pick<ExecResult, "exitCode" | "stdout" | "stderr">,
  { status, content = "" }: NonNullable<LoadRequest["expect"]> = {},
): boolean {
  const first = Number(/^\s*HTTP\/\S+ (\d{3})/.exec(stderr)?.[1]);
  const isExpected = status ? status.includes(first) : exitCode === 0;
  return isExpected && stdout.includes(content);
}

async function checkWorkloads({ environment, cluster }: CheckPlace): Promise<CheckedWorkload[]> {
  const { namespace } = environment;
  return Promise.all(
    Object.entries(environment.workloads).map(async ([name, { kind, replicas, selector }]) => {
      const pods = await cluster.list(kinds.pod, { namespace, labelSelector: selectorText(selector) });
      const ready = pods.filter(isReady);
      const [sick] = pods.filter((pod) => !isReady(pod));
      return {
        ...{
          name,
          kind,
          ready: ready.length,
          wanted: Math.max(replicas, kind === "DaemonSet" ? pods.length : 0),
        },
        restarts: pods.reduce((sum, pod) => sum + restartsOf(pod), 0),
        why: sick ? await reasonOf(cluster, namespace, sick) : pods.length === 0 ? "there are no pods" : "",
      };
    }),
  );
}

type Traces = Awaited<ReturnType<typeof readTraces>>;

function requestsIn(traces: Traces): EnvironmentCheck["requests"] {
  const roots = traces.flatMap(({ spans }) => spans.filter(([, , , , , parent]) => parent < 0).slice(0, 1));
  if (roots.length === 0) return null;
  const times = roots.map(([, , , , took]) => took).toSorted((a, b) => a - b);
  const at = (share: number): number =>
    times[Math.min(times.length - 1, Math.floor(share * times.length))] ?? 0;
  return {
    traced: roots.length,
    answered: roots.filter(([, , , , , , error]) => error === "").length / roots.length,
    medianMs: at(0.5),
    p95Ms: at(0.95),
    failures: failuresIn(traces),
  };
}

/** Kinds of failures that are named. */
const mostFailures = 3;

/** The errors of traces that no error of a call within explains. */
function failuresIn(traces: Traces): NonNullable<EnvironmentCheck["requests"]>["failures"] {
  const counts = new Map<string, number>();
  for (const { spans } of traces) {
    const explained = new Set(spans.flatMap(([, , , , , parent, error]) => (error === "" ? [] : [parent])));
    const first = spans.filter(([, , , , , , error], index) => error !== "" && !explained.has(index));
    for (const what of new Set(
      first.map(([service, operation, , , , , error]) => `${service}: ${operation}: ${error}`),
    ))
      counts.set(what, (counts.get(what) ?? 0) + 1);
  }
  return [...counts]
    .map(([what, requests]) => ({ what, requests }))
    .toSorted((a, b) => b.requests - a.requests)
    .slice(0, mostFailures);
}

const round3 = (value: number): number => Math.round(1000 * value) / 1000;

/** The calls of the model, and those that traces show and the model has not. */
function callsIn(environment: Environment, traces: Traces): CheckedCall[] {
  const { workloads } = environment;
  const { edges, served } = edgesIn(traces, Object.keys(workloads));
  const requests = (from: string): number => served.get(from) ?? 0;
  const declared = Object.entries(workloads).flatMap(([from, { calls }]) =>
    [...Map.groupBy(calls, ({ to }) => to)].map(([to, some]) => ({
      ...{ from, to },
      declared: round3(some.reduce((sum, call) => sum + callsPerRequest(environment, from, call), 0)),
    })),
  );
  const measured = (from: string, to: string): number | null =>
    edges.find((one) => one.from === from && one.to === to)?.perRequest ?? null;
  const known = new Set(declared.map(({ from, to }) => `${from} ${to}`));
  return [
    ...declared.map((call) => ({
      ...call,
      measured: measured(call.from, call.to),
      requests: requests(call.from),
    })),
    ...edges
      .filter(({ from, to }) => !known.has(`${from} ${to}`))
      .map(({ from, to, perRequest }) => ({
        ...{ from, to, declared: 0, measured: perRequest },
        requests: requests(from),
      })),
  ];
}
