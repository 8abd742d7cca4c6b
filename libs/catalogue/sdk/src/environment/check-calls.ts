import { likelyNames } from "@microremed/core";
import { checkAddress } from "./check-address.ts";
import { checkVariable, isSetIn } from "./check-variable.ts";
import type { ContainerSpec, Environment, JobSpec, WorkloadSpec } from "./environment.types.ts";
import type { CallSpec } from "./format.ts";
import { allLoads, barePath, loadRequests } from "./load-requests.ts";
import { inModel } from "./places.ts";
import { workloadAtEntry, workloadsBehind } from "./selectors.ts";
import { serviceOfHost } from "./service-of-host.ts";

/** What of a workload's calls names nothing that there is. */
export function checkCalls(
  environment: Environment,
  name: string,
  { calls, containers }: WorkloadSpec,
): string[] {
  const asked = new Set(
    allLoads(environment.load).flatMap((load) => loadRequests(load).map(({ path }) => barePath(path))),
  );
  return calls.flatMap((call, index) => {
    const at = inModel(`workloads.${name}.calls[${index}]`);
    return [
      ...checkCall(environment, at, call, containers),
      ...(call.onPaths && workloadAtEntry(environment) !== name
        ? [`${at}.onPaths: only for the workload at the entry it is known what is asked; use perRequest`]
        : []),
      ...(call.onPaths ?? [])
        .filter((path) => !asked.has(path))
        .map((path) =>
          asked.has(barePath(path))
            ? `${at}.onPaths: "${path}" has a query, on which no call depends; write "${barePath(path)}"`
            : `${at}.onPaths: workload.yaml asks for no path "${path}"; ${likelyNames(path, [...asked])}`,
        ),
    ];
  });
}

/** Calls of a Job in one run at most. */
const mostCallsOfJob = 1_000;
/** Keys of a call that say what a program does that serves requests. */
const serversKeys = ["onPaths", "atStart", "reads"] as const;

/** What of a Job's calls names nothing that there is, or is for programs that serve requests. */
export function checkJobCalls(
  environment: Environment,
  name: string,
  { calls, containers }: JobSpec,
): string[] {
  const total = calls.reduce((sum, { perRequest }) => sum + perRequest, 0);
  return [
    ...calls.flatMap((call, index) => {
      const at = inModel(`jobs.${name}.calls[${index}]`);
      return [
        ...checkCall(environment, at, call, containers),
        ...(Number.isInteger(call.perRequest)
          ? []
          : [
              `${at}.perRequest: expected how often a run makes it, a whole number; it is ${call.perRequest}`,
            ]),
        ...serversKeys
          .filter((key) => call[key] !== undefined)
          .map((key) => `${at}.${key}: a Job serves no requests and makes its calls in order; leave it out`),
      ];
    }),
    ...(total > mostCallsOfJob
      ? [
          `${inModel(`jobs.${name}.calls`)}: ${total} calls in a run, at most ${mostCallsOfJob} are made; lower perRequest`,
        ]
      : []),
  ];
}

/** `containers`: of those that make it. */
function checkCall(
  environment: Environment,
  at: string,
  call: CallSpec,
  containers: readonly ContainerSpec[],
): string[] {
  const { to, address } = call;
  const callee = environment.workloads[to];
  if (!callee)
    return [
      `${at}.to: the manifests have no workload ${JSON.stringify(to)}; ${likelyNames(to, Object.keys(environment.workloads))}`,
    ];
  // What is wrong with the address or the protocol makes the rest wrong, too.
  const checks = [
    () => checkAddress(environment, `${at}.address`, address),
    () => checkLeadsTo(environment, at, call),
    () => checkProtocol(at, call, callee),
    () => checkVariables(environment, at, call, containers),
  ];
  return checks.reduce<string[]>((found, check) => (found.length > 0 ? found : check()), []);
}

/** A Service over other pods than the callee's. One without a selector may lead anywhere. */
function checkLeadsTo(environment: Environment, at: string, { to, address }: CallSpec): string[] {
  const behind = behindAddress(environment, address);
  if (behind.length === 0 || behind.includes(to)) return [];
  const others = Object.entries(environment.services).flatMap(([service, { ports }]) =>
    workloadsBehind(environment, service).includes(to) ? ports.map(({ port }) => `${service}:${port}`) : [],
  );
  const cure = others.length > 0 ? `write ${others.slice(0, 3).join(" or ")}, or ` : "";
  return [
    `${at}.address: ${JSON.stringify(address)} leads to ${behind.join(" and ")}, not to ${to}; ${cure}correct \`to\``,
  ];
}

function behindAddress(environment: Environment, address: string): string[] {
  const service = serviceOfHost(environment, address.split(":")[0] ?? "");
  return service === undefined ? [] : workloadsBehind(environment, service);
}

/** Keys of calls by a protocol of their own. */
const keysOf = {
  topic: "kafka",
  login: "mysql",
  connectionString: "postgresql",
  table: "postgresql",
  credentials: "mongodb",
} as const;
/** What a server of one of these runtimes speaks, of the protocols of stores and brokers. */
const spoken: Readonly<Record<string, CallSpec["protocol"]>> = {
  redis: "redis",
  memcached: "memcached",
  mysql: "mysql",
  postgresql: "postgresql",
  mongodb: "mongodb",
  rabbitmq: "amqp",
  nats: "nats",
  kafka: "kafka",
};
const ofStores: ReadonlySet<string> = new Set(Object.values(spoken));

function checkProtocol(at: string, call: CallSpec, callee: WorkloadSpec): string[] {
  const { protocol, to } = call;
  const runtimes = callee.containers.map(({ behaviour }) => behaviour.runtime);
  const servers = runtimes.flatMap((runtime) => spoken[runtime] ?? []);
  if (ofStores.has(protocol) && servers.length > 0 && !servers.includes(protocol))
    return [
      `${at}.protocol: ${to} has the runtime ${runtimes.join(", ")}, which does not speak ${protocol}; write ${servers.join(" or ")}, or another runtime`,
    ];
  if (call.topic !== undefined && !runtimes.includes("kafka"))
    return [
      `${at}.topic: no container of ${JSON.stringify(to)} has the runtime kafka, so it has no topics; leave topic and reads out`,
    ];
  if (call.reads && call.topic === undefined)
    return [`${at}.reads: expected the topic that it reads beside it; add topic`];
  return (Object.keys(keysOf) as (keyof typeof keysOf)[])
    .filter((key) => call[key] !== undefined && protocol !== keysOf[key])
    .map((key) => `${at}.${key}: it is for the protocol ${keysOf[key]}, not ${protocol}; leave it out`);
}

/** The variables from which the call takes something. */
function checkVariables(
  environment: Environment,
  at: string,
  call: CallSpec,
  containers: readonly ContainerSpec[],
): string[] {
  const { env, connectionString, login } = call;
  const isSet = (key: string, variable: string): string[] =>
    isSetIn(environment, `${at}.${key}`, variable, containers);
  const wrong = [
    ...(env === undefined ? [] : isSet("env", env)),
    ...(connectionString === undefined || connectionString === env
      ? []
      : isSet("connectionString", connectionString)),
    ...Object.entries(login ?? {}).flatMap(([key, variable]) =>
      typeof variable === "string" ? isSet(`login.${key}`, variable) : [],
    ),
  ];
  return wrong.length > 0 ? wrong : checkVariable(environment, at, call, containers);
}
