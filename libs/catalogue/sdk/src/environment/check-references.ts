import { parseQuantity } from "@microremed/cluster";
import { valueAt } from "../field-change.ts";
import { endlessCalls } from "./endless-calls.ts";
import type { ContainerSpec, Environment, JobSpec, WorkloadSpec } from "./environment.types.ts";
import type { CallSpec } from "./format.ts";
import type { LoadSpec } from "./load-format.ts";
import { allLoads, barePath, loadRequests, namedLoad } from "./load-requests.ts";
import { hasOthersKinds } from "./manifest.ts";
import { workloadAtEntry } from "./selectors.ts";
import { serviceOfHost } from "./service-of-host.ts";
import { variablesFrom } from "./variables-from.ts";

/**
 * What the shape alone cannot say: every name that is used is defined. One sentence a problem, none when sound. What the
 * API server checks in a manifest is left to it.
 */
export function checkReferences(environment: Environment): string[] {
  const problems = [
    ...checkTargets(environment),
    ...Object.entries(environment.workloads).flatMap(([name, workload]) => [
      ...checkWorkload(environment, name, workload),
      ...checkCalls(environment, name, workload),
      ...checkOperated(environment, name, workload),
    ]),
    ...Object.entries(environment.jobs).flatMap(([name, job]) => checkJob(environment, name, job)),
    ...checkLoad(environment),
  ];
  return problems.length > 0 ? problems : checkLoops(environment);
}

function checkLoops(environment: Environment): string[] {
  const loop = endlessCalls(environment);
  return loop
    ? [
        `workloads.${loop[0]}.calls: ${loop.join(" calls ")}, and each request leads to another one without an end; lower a perRequest among these calls below 1, or leave one out`,
      ]
    : [];
}

/** Whether both are set and the limit allows less than is requested. */
function isBelow(limit: string | undefined, request: string | undefined): boolean {
  const [most, wanted] = [parseQuantity(limit), parseQuantity(request)];
  return most !== undefined && wanted !== undefined && most < wanted;
}

/** Whether the image has what the disk oracle's script runs: without it the workload has no baseline of its writes. */
function canBeWritten({ behaviour: { shell, tools } }: ContainerSpec): boolean {
  const has = (name: string): boolean => tools.includes(name);
  return shell !== "none" && (has("busybox") || has("coreutils") || ["dd", "seq", "rm"].every(has));
}

function checkTargets({ targets, dataMounts, workloads }: Environment): string[] {
  const unknown = targets.flatMap((name) => {
    const kind = workloads[name]?.kind;
    if (kind === undefined) return [`targets: the manifests have no Deployment or StatefulSet "${name}"`];
    return kind === "DaemonSet"
      ? [`targets: "${name}" is a DaemonSet; faults act on Deployments and StatefulSets`]
      : [];
  });
  const mounts = Object.entries(dataMounts).flatMap(([name, path]) => {
    const at = `workloads.${name}.dataMount`;
    const [first] = workloads[name]?.containers ?? [];
    if (!(path in (first?.volumeMounts ?? {})))
      return [`${at}: its first container has nothing mounted at "${path}"; name one of its volumeMounts`];
    return first && canBeWritten(first)
      ? []
      : [
          `${at}: writes there are measured inside its first container, whose behaviour has no shell or lacks dd, seq or rm; add what its image has, for example tools: [coreutils], or leave dataMount out`,
        ];
  });
  return [...unknown, ...mounts];
}

function checkWorkload(environment: Environment, name: string, workload: WorkloadSpec): string[] {
  const at = `manifests: ${workload.kind} ${name}`;
  const containers = [...workload.initContainers, ...workload.containers];
  const missing = hasOthersKinds(environment.manifests) ? [] : missingSources(environment, workload);
  return [
    ...containers.flatMap(({ name: container, resources: { requests, limits } }) =>
      (["cpu", "memory"] as const).flatMap((resource) =>
        isBelow(limits[resource], requests[resource])
          ? [
              `${at}: container ${container}: the limit of ${resource}, ${limits[resource]}, is below the request, ${requests[resource]}; raise it`,
            ]
          : [],
      ),
    ),
    ...missing.map((text) => `${at}: ${text}`),
  ];
}

/** ConfigMaps, Secrets and keys without which its containers do not start. With custom resources, controllers make some. */
function missingSources({ configMaps, secrets }: Environment, workload: WorkloadSpec): string[] {
  const found = new Set<string>();
  const need = (kind: "ConfigMap" | "Secret", name: string, optional?: boolean, key?: string): void => {
    const object = (kind === "Secret" ? secrets : configMaps)[name];
    if (optional || (kind === "ConfigMap" && name === "kube-root-ca.crt")) return;
    if (object === undefined) found.add(`there is no ${kind} ${name}, which it needs`);
    else if (key !== undefined && object[key] === undefined)
      found.add(`the ${kind} ${name} has no key ${key}, which it needs`);
  };
  for (const { env, envFrom } of [...workload.initContainers, ...workload.containers]) {
    for (const value of Object.values(env)) {
      if (typeof value === "string") continue;
      if ("secretKeyRef" in value)
        need("Secret", value.secretKeyRef.name, value.secretKeyRef.optional, value.secretKeyRef.key);
      if ("configMapKeyRef" in value)
        need(
          "ConfigMap",
          value.configMapKeyRef.name,
          value.configMapKeyRef.optional,
          value.configMapKeyRef.key,
        );
    }
    for (const from of envFrom)
      if ("secret" in from) need("Secret", from.secret, from.optional);
      else need("ConfigMap", from.configMap, from.optional);
  }
  for (const volume of Object.values(workload.volumes)) {
    if (volume.type === "configMap") need("ConfigMap", volume.name, volume.optional);
    if (volume.type === "secret") need("Secret", volume.name, volume.optional);
  }
  return [...found];
}

function checkOperated({ manifests, workloads }: Environment, name: string, { operated }: WorkloadSpec) {
  if (!operated) return [];
  const { by, kind, name: resource, part } = operated;
  const at = `workloads.${name}.operated`;
  const found = manifests.find((one) => one.kind === kind && one.metadata.name === resource);
  if (!(by in workloads)) return [`${at}.by: the manifests have no workload "${by}"`];
  if (!found) return [`${at}: the manifests have no ${kind} ${resource}`];
  return valueAt(found, part) === undefined
    ? [`${at}.part: ${kind} ${resource} has nothing at "${part}"`]
    : [];
}

function checkCalls(environment: Environment, name: string, { calls, containers }: WorkloadSpec): string[] {
  const asked = new Set(
    allLoads(environment.load).flatMap((load) => loadRequests(load).map(({ path }) => barePath(path))),
  );
  return calls.flatMap((call, index) => {
    const at = `workloads.${name}.calls[${index}]`;
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
            : `${at}.onPaths: workload.yaml asks for no path "${path}"`,
        ),
    ];
  });
}

/** Calls of a Job in one run at most. */
const mostCallsOfJob = 1_000;
/** Keys of a call that say what a program does that serves requests. */
const serversKeys = ["onPaths", "atStart", "reads"] as const;

function checkJob(environment: Environment, name: string, { calls, containers }: JobSpec): string[] {
  const total = calls.reduce((sum, { perRequest }) => sum + perRequest, 0);
  return [
    ...calls.flatMap((call, index) => {
      const at = `jobs.${name}.calls[${index}]`;
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
      ? [`jobs.${name}.calls: ${total} calls in a run, at most ${mostCallsOfJob} are made; lower perRequest`]
      : []),
  ];
}

/** `containers`: of those that make it. */
function checkCall(
  environment: Environment,
  at: string,
  { to, address, env, topic }: CallSpec,
  containers: readonly ContainerSpec[],
): string[] {
  const isSet = (variable: string): boolean =>
    containers.some(
      (container) =>
        variable in container.env ||
        container.envFrom.some((from) => variable in variablesFrom(from, valuesOf(environment, from))),
    );
  return [
    ...(to in environment.workloads ? [] : [`${at}.to: the manifests have no workload "${to}"`]),
    ...checkAddress(environment, `${at}.address`, address),
    ...(topic === undefined || !(to in environment.workloads) || isKafka(environment.workloads[to])
      ? []
      : [
          `${at}.topic: no container of "${to}" has the runtime kafka, so it has no topics; leave topic and reads out`,
        ]),
    ...(env === undefined || isSet(env)
      ? []
      : [`${at}.env: none of its containers has a variable "${env}"; leave env out`]),
  ];
}

const isKafka = (workload: WorkloadSpec | undefined): boolean =>
  workload?.containers.some(({ behaviour }) => behaviour.runtime === "kafka") ?? false;

const valuesOf = (
  { configMaps, secrets }: Environment,
  from: ContainerSpec["envFrom"][number],
): Readonly<Record<string, string>> | undefined =>
  "secret" in from ? secrets[from.secret] : configMaps[from.configMap];

function checkLoad(environment: Environment): string[] {
  const { load, workloads } = environment;
  const problems = checkAddress(environment, "workload.yaml, entry", load.entry);
  if (load.from !== undefined && !(load.from in workloads))
    problems.push(
      `workload.yaml, from: the manifests have no workload "${load.from}"; name one, or leave it out`,
    );
  const named = Object.keys(load.loads ?? {}).flatMap((name) =>
    checkReplay(namedLoad(load, name), `workload.yaml, loads.${name}.replay`),
  );
  return [...problems, ...checkReplay(load, "workload.yaml, replay"), ...named];
}

/** What a replay asks for and its mix has not. */
function checkReplay(load: LoadSpec, at: string): string[] {
  const { rows, file } = load.replay ?? {};
  if (load.replay && !rows?.length) return [`${at}: expected a file with lines`];
  const known = new Set(loadRequests(load).map(({ path }) => path));
  const unknown = rows?.find(({ path }) => path !== undefined && !known.has(path));
  return unknown
    ? [`${at}: ${file ?? "a row"} asks for ${unknown.path}, which is no path of its requests`]
    : [];
}

function checkAddress(environment: Environment, at: string, address: string): string[] {
  const [host = "", port] = address.split(":");
  const service = serviceOfHost(environment, host);
  const spec = service === undefined ? undefined : environment.services[service];
  if (spec === undefined)
    return [`${at}: "${address}" names no Service; write <service>:<port> with a Service of the manifests`];
  if (!spec.ports.some((entry) => String(entry.port) === port))
    return [`${at}: Service "${host}" has no port ${port ?? "(none given)"}; write one of its ports`];
  return [];
}
