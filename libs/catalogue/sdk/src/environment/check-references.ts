import { parseQuantity } from "@microremed/cluster";
import type { ContainerSpec, Environment, WorkloadSpec } from "./format.ts";
import { workloadsBehind } from "./selectors.ts";

/** What the shape alone cannot say: every name that is used is defined. One sentence a problem, none when sound. */
export function checkReferences(environment: Environment): string[] {
  return [
    ...checkTargets(environment),
    ...Object.entries(environment.workloads).flatMap(([name, workload]) =>
      checkWorkload(environment, `workloads.${name}`, workload),
    ),
    ...checkServices(environment),
    ...checkLoad(environment),
  ];
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
  const known = (name: string): boolean => name in workloads;
  const expected = "is not a workload; use the name of one below workloads";
  const mounts = Object.entries(dataMounts).flatMap(([name, path]) => {
    if (!known(name)) return [`dataMounts.${name}: "${name}" ${expected}`];
    const [first] = workloads[name]?.containers ?? [];
    if (!(path in (first?.volumeMounts ?? {})))
      return [
        `dataMounts.${name}: its first container has nothing mounted at "${path}"; add it to volumeMounts`,
      ];
    return first && canBeWritten(first)
      ? []
      : [
          `dataMounts.${name}: writes there are measured inside its first container, whose behaviour has no shell or lacks dd, seq or rm; add what its image has, for example tools: [coreutils], or take the workload out of dataMounts`,
        ];
  });
  const unknown = targets.filter((name) => !known(name)).map((name) => `targets: "${name}" ${expected}`);
  return [...unknown, ...mounts];
}

function checkWorkload(environment: Environment, path: string, workload: WorkloadSpec): string[] {
  const problems: string[] = [];
  for (const [list, containers] of Object.entries({
    initContainers: workload.initContainers,
    containers: workload.containers,
  })) {
    const names = new Set<string>();
    containers.forEach((container, index) => {
      const at = `${path}.${list}[${index}]`;
      if (names.has(container.name))
        problems.push(`${at}.name: "${container.name}" is taken; rename one of the two`);
      names.add(container.name);
      problems.push(...checkContainer(environment, at, workload, container));
    });
  }
  for (const [name, volume] of Object.entries(workload.volumes)) {
    const at = `${path}.volumes.${name}`;
    if (volume.type === "configMap" && !(volume.name in environment.configMaps))
      problems.push(`${at}.name: "${volume.name}" is not a config map; define it below configMaps`);
    if (volume.type === "claim" && workload.kind !== "StatefulSet")
      problems.push(
        `${at}: a Deployment has no volume claims; make it a StatefulSet or the volume an emptyDir`,
      );
  }
  workload.calls.forEach((call, index) => {
    const at = `${path}.calls[${index}]`;
    if (!(call.to in environment.workloads))
      problems.push(`${at}.to: "${call.to}" is not a workload; use the name of one below workloads`);
    problems.push(...checkAddress(environment, `${at}.address`, call.address));
    if (
      call.env !== undefined &&
      !workload.containers.some((container) => call.env && call.env in container.env)
    )
      problems.push(
        `${at}.env: no container of the workload has a variable "${call.env}"; add it or leave env out`,
      );
  });
  const service = workload.serviceName;
  if (service !== undefined && !environment.services[service]?.headless)
    problems.push(`${path}.serviceName: "${service}" is not a headless service; define it below services`);
  return problems;
}

function checkContainer(
  environment: Environment,
  at: string,
  workload: WorkloadSpec,
  container: ContainerSpec,
): string[] {
  const problems: string[] = [];
  for (const [path, volume] of Object.entries(container.volumeMounts)) {
    if (!(volume in workload.volumes))
      problems.push(
        `${at}.volumeMounts.${path}: the workload has no volume "${volume}"; define it below volumes`,
      );
  }
  const { requests, limits } = container.resources;
  if (isBelow(limits.cpu, requests.cpu))
    problems.push(
      `${at}.resources: the CPU limit ${limits.cpu} is below the request ${requests.cpu}; raise it`,
    );
  if (isBelow(limits.memory, requests.memory))
    problems.push(
      `${at}.resources: the memory limit ${limits.memory} is below the request ${requests.memory}; raise it`,
    );
  const references = Object.values(container.env).filter((value) => typeof value === "object");
  for (const reference of references) {
    if ("secretKeyRef" in reference) {
      const { name, key } = reference.secretKeyRef;
      if (environment.secrets[name]?.[key] === undefined)
        problems.push(`${at}.env: no secret "${name}" has a key "${key}"; define it below secrets`);
    } else if ("configMapKeyRef" in reference) {
      const { name, key } = reference.configMapKeyRef;
      if (environment.configMaps[name]?.[key] === undefined)
        problems.push(`${at}.env: no config map "${name}" has a key "${key}"; define it below configMaps`);
    }
  }
  for (const source of container.envFrom) {
    if ("secret" in source && !(source.secret in environment.secrets))
      problems.push(`${at}.envFrom: "${source.secret}" is not a secret; define it below secrets`);
    if ("configMap" in source && !(source.configMap in environment.configMaps))
      problems.push(`${at}.envFrom: "${source.configMap}" is not a config map; define it below configMaps`);
  }
  return problems;
}

function checkServices(environment: Environment): string[] {
  return Object.keys(environment.services)
    .filter((name) => workloadsBehind(environment, name).length === 0)
    .map(
      (name) =>
        `services.${name}.selector: no workload's pods have these labels; use the workload's selector, by default app: <workload>`,
    );
}

function checkLoad({ load, services, workloads }: Environment): string[] {
  const problems = checkAddress({ services }, "load.entry", load.entry);
  if (load.from !== undefined && !(load.from in workloads))
    problems.push(
      `load.from: "${load.from}" is not a workload; use the name of one below workloads, or leave it out`,
    );
  return problems;
}

function checkAddress({ services }: Pick<Environment, "services">, at: string, address: string): string[] {
  const [host, port] = address.split(":");
  const service = host === undefined ? undefined : services[host];
  if (service === undefined)
    return [`${at}: "${address}" names no service; write <service>:<port> with a service below services`];
  if (!service.ports.some((entry) => String(entry.port) === port))
    return [`${at}: service "${host}" has no port ${port ?? "(none given)"}; write one of its ports`];
  return [];
}
