import type { Environment } from "./environment.types.ts";
import type { WorkloadModel } from "./format.ts";
import { usualOf } from "./implied-behaviour.ts";
import { k6Image, loadScript } from "./k6-script.ts";
import type { LoadSpec } from "./load-format.ts";
import { barePath, loadRequests } from "./load-requests.ts";
import type { Manifest } from "./manifest.ts";
import { inOrder } from "./read-manifests.ts";
import { dataOf } from "./read-services.ts";
import { readWorkload } from "./read-workload.ts";
import { replayedSeconds } from "./replay.ts";
import { workloadAtEntry } from "./selectors.ts";
import { pausesPerSession, sessionsOf, stepsPerSession } from "./sessions.ts";

const container = "k6";
/** Seconds until a user gives up. */
const timeoutSeconds = 10;
/** Requests at work at once: each takes memory, up to 5 MiB. */
const mostUsers = 200;
/** The same where users think most of the time. */
const mostWithPauses = 1000;
const mebibytesEach = 3;
const unitSeconds = 60;
/** Ten years: k6 wants an end. */
const duration = "87600h";

const known = new WeakMap<Environment, Environment>();

/**
 * The environment with a workload that sends its load without an end, where nothing in its manifests does and no other client
 * will: a Deployment of k6 that is like any other of the system's, but no target of faults. One that has a generator stays
 * what it is. The same environment gives the same one each time.
 */
export function withLoadGenerator(environment: Environment): Environment {
  if (environment.load.from !== undefined) return environment;
  const made = known.get(environment) ?? addGenerator(environment);
  known.set(environment, made);
  return made;
}

/** The environment as an arena of a cluster has it: with a load generator where no other client sends its load. */
export const environmentOn = (
  { sendsLoad }: { readonly sendsLoad: boolean },
  environment: Environment,
): Environment => (sendsLoad ? environment : withLoadGenerator(environment));

function addGenerator(environment: Environment): Environment {
  const { manifests, workloads, configMaps, load } = environment;
  const name = freeName(environment);
  const file = `${environment.name}.js`;
  const data = { [file]: scriptOf(load) };
  const script: Manifest = { apiVersion: "v1", kind: "ConfigMap", metadata: { name }, data };
  const deployment = deploymentOf(name, file, usersOf(load).atMost);
  const all = inOrder([...manifests, script, deployment]);
  const workload = readWorkload(deployment, modelOf(environment), all);
  if (Array.isArray(workload)) throw new TypeError(workload.join("\n"));
  return {
    ...environment,
    manifests: all,
    workloads: { ...workloads, [name]: workload },
    configMaps: { ...configMaps, [name]: dataOf(script) },
    load: { ...load, from: name },
  };
}

function freeName({ manifests, made }: Environment): string {
  const taken = new Set([...manifests, ...made].map(({ metadata }) => metadata.name));
  const usual = "load-generator";
  for (let number = 1; ; number += 1) {
    const name = number === 1 ? usual : `${usual}-${number}`;
    if (!taken.has(name)) return name;
  }
}

/** How many come at the most, and what k6 needs for them. */
function usersOf(load: LoadSpec) {
  const { requestsPerSecond, users, diurnal, bursts, replay } = load;
  const recorded = replay?.rows ? replayedSeconds(replay.rows).map(({ perSecond }) => perSecond) : [];
  const highest = Math.max(...recorded, 0) / requestsPerSecond || 1;
  const most = (1 + (diurnal?.amplitude ?? 0)) * Math.max(1, bursts?.factor ?? 1) * highest;
  if (users !== undefined) {
    const vus = Math.ceil(users * most);
    return { most, recorded, atMost: vus, executor: { executor: "constant-vus", vus, duration } };
  }
  const sessions = sessionsOf(load);
  const pauses = pausesPerSession(sessions);
  const rate = (requestsPerSecond * most) / stepsPerSession(sessions);
  const mostAtOnce = pauses > 0 ? mostWithPauses : mostUsers;
  const atMost = Math.min(mostAtOnce, Math.ceil(rate * (timeoutSeconds + pauses)));
  const executor = {
    executor: "constant-arrival-rate",
    rate: Math.max(1, Math.round(rate * unitSeconds)),
    timeUnit: `${unitSeconds}s`,
    duration,
    preAllocatedVUs: Math.min(atMost, Math.ceil(rate * (1 + pauses))),
    maxVUs: atMost,
  };
  return { most, recorded, atMost, executor };
}

/** Users come at the highest rate, and as many of them go again without a request as the moment has fewer. */
function scriptOf(load: LoadSpec): string {
  const { diurnal, bursts, requestsPerSecond } = load;
  const { most, recorded, atMost: vus, executor } = usersOf(load);
  const share = `
const recordedRates = ${JSON.stringify(recorded)};

function share() {
  const now = Date.now() / 1000;
  const day = ${diurnal ? `1 + ${diurnal.amplitude} * Math.cos((2 * Math.PI * (now - ${diurnal.peakAtSeconds})) / ${diurnal.periodSeconds})` : "1"};
  const burst = ${bursts ? `now % ${bursts.everySeconds} < ${bursts.durationSeconds} ? ${bursts.factor} : 1` : "1"};
  const replay = ${recorded.length > 0 ? `recordedRates[Math.floor(now) % ${recorded.length}] / ${requestsPerSecond}` : "1"};
  return (day * burst * replay) / ${most};
}
`;
  const options = { scenarios: { users: executor }, dns: { ttl: "0" } };
  const clock = "Date.now() / 1000";
  return loadScript(load, { options, timeoutSeconds, clock, vus, ...(most > 1 && { share }) });
}

/** Without any right: no token of an account, no user that is root, nothing to write to. */
const deploymentOf = (name: string, file: string, atMost: number): Manifest =>
  ({
    apiVersion: "apps/v1",
    kind: "Deployment",
    metadata: { name, labels: { app: name } },
    spec: {
      replicas: 1,
      selector: { matchLabels: { app: name } },
      template: {
        metadata: { labels: { app: name } },
        spec: {
          automountServiceAccountToken: false,
          terminationGracePeriodSeconds: 5,
          securityContext: {
            runAsNonRoot: true,
            runAsUser: 12_345,
            seccompProfile: { type: "RuntimeDefault" },
          },
          containers: [
            {
              name: container,
              image: k6Image,
              args: [
                "run",
                "--quiet",
                // Its own API could pause it; what it would count for a summary grows without an end.
                ...["--address", "", "--summary-mode=disabled", "--no-thresholds", "--no-usage-report"],
                `/load/${file}`,
              ],
              resources: {
                requests: { cpu: "200m", memory: "128Mi" },
                limits: { memory: `${Math.max(1024, mebibytesEach * atMost)}Mi` },
              },
              securityContext: {
                allowPrivilegeEscalation: false,
                capabilities: { drop: ["ALL"] },
                readOnlyRootFilesystem: true,
              },
              volumeMounts: [{ name: "script", mountPath: "/load", readOnly: true }],
            },
          ],
          volumes: [{ name: "script", configMap: { name } }],
        },
      },
    },
  }) as unknown as Manifest;

const modelOf = (environment: Environment): WorkloadModel => {
  const { load } = environment;
  const paths = [...new Set(loadRequests(load).map(({ path }) => barePath(path)))];
  return {
    containers: {
      [container]: {
        runtime: "go",
        ...usualOf("go"),
        ...{ memoryMi: 60, memoryMiPerConcurrentRequest: 3, writesPerRequest: {} },
        ...{ listens: [], paths: [], concurrency: usersOf(load).atMost, tools: ["busybox"], shell: "sh" },
      },
    },
    calls: [
      {
        to: workloadAtEntry(environment) ?? "",
        address: load.entry,
        ...{ protocol: "http", discovery: "dns", perRequest: 1, required: true },
        ...{ paths, timeoutSeconds },
      },
    ],
  };
};
