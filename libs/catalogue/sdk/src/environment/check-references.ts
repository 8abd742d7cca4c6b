import { parseQuantity } from "@microremed/cluster";
import { likelyNames } from "@microremed/core";
import { valueAt } from "../field-change.ts";
import { checkBehaviours } from "./check-behaviour.ts";
import { checkCalls, checkJobCalls } from "./check-calls.ts";
import { checkLoad } from "./check-load.ts";
import { missingNeeds } from "./check-needs.ts";
import { endlessCalls } from "./endless-calls.ts";
import type { ContainerSpec, Environment, WorkloadSpec } from "./environment.types.ts";
import { hasOthersKinds } from "./manifest.ts";
import { inModel, ofManifest } from "./places.ts";
import { workloadsBehind } from "./selectors.ts";
import { likewise } from "./shape-problems.ts";

/**
 * What the shape alone cannot say: every name that is used is defined. One sentence a problem, none when sound. What the
 * API server checks in a manifest is left to it.
 */
export function checkReferences(environment: Environment): string[] {
  const problems = [
    ...checkTargets(environment),
    ...checkServices(environment),
    ...checkNeeds(environment),
    ...Object.entries(environment.workloads).flatMap(([name, workload]) => [
      ...checkWorkload(environment, name, workload),
      ...checkBehaviours(environment, name, workload),
      ...checkCalls(environment, name, workload),
      ...checkOperated(environment, name, workload),
    ]),
    ...Object.entries(environment.jobs).flatMap(([name, job]) => checkJobCalls(environment, name, job)),
    ...checkLoad(environment),
  ];
  return problems.length > 0 ? problems : checkLoops(environment);
}

function checkLoops(environment: Environment): string[] {
  const loop = endlessCalls(environment);
  return loop
    ? [
        `${inModel(`workloads.${loop[0]}.calls`)}: ${loop.join(" calls ")}, and each request leads to another one without an end; lower a perRequest among these calls below 1, or leave one out`,
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
  const possible = Object.keys(workloads).filter((name) => workloads[name]?.kind !== "DaemonSet");
  const unknown = targets.flatMap((name, index) => {
    const kind = workloads[name]?.kind;
    const at = inModel(`targets[${index}]`);
    if (kind === undefined)
      return [
        `${at}: the manifests have no Deployment or StatefulSet ${JSON.stringify(name)}; ${likelyNames(name, possible)}`,
      ];
    return kind === "DaemonSet"
      ? [`${at}: "${name}" is a DaemonSet; faults act on Deployments and StatefulSets; leave it out`]
      : [];
  });
  const mounts = Object.entries(dataMounts).flatMap(([name, path]) => {
    const at = inModel(`workloads.${name}.dataMount`);
    const [first] = workloads[name]?.containers ?? [];
    if (!(path in (first?.volumeMounts ?? {})))
      return [
        `${at}: its first container has nothing mounted at ${JSON.stringify(path)}; ${likelyNames(path, Object.keys(first?.volumeMounts ?? {}))}`,
      ];
    return first && canBeWritten(first)
      ? []
      : [
          `${at}: writes there are measured inside its first container, whose behaviour has no shell or lacks dd, seq or rm; add what its image has, for example tools: [coreutils], or leave dataMount out`,
        ];
  });
  return [...unknown, ...mounts];
}

function checkWorkload(environment: Environment, name: string, workload: WorkloadSpec): string[] {
  const at = placeOf(environment, name, workload);
  const containers = [...workload.initContainers, ...workload.containers];
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
    ...containers.flatMap((one) => unnamedPorts(at, one)),
  ];
}

function placeOf({ manifests, made }: Environment, name: string, { kind }: WorkloadSpec): string {
  const manifest = [...manifests, ...made].find((one) => one.kind === kind && one.metadata.name === name);
  return manifest ? ofManifest(manifest) : `manifests, ${kind} ${name}`;
}

/** What several workloads need and there is not is one mistake. */
function checkNeeds(environment: Environment): string[] {
  const all = Object.entries(environment.workloads).flatMap(([name, workload]) =>
    missingNeeds(environment, workload).map((text) => ({ text, name, workload })),
  );
  return [...Map.groupBy(all, ({ text }) => text)].flatMap(([text, [first, ...others]]) =>
    first
      ? [
          `${placeOf(environment, first.name, first.workload)}: ${text}${likewise(others.map(({ name }) => name))}`,
        ]
      : [],
  );
}

/** Probes of ports by names that their container does not give to any. */
const unnamedPorts = (at: string, container: ContainerSpec): string[] =>
  (["readinessProbe", "livenessProbe", "startupProbe"] as const).flatMap((which) => {
    const probe = container[which];
    return probe && "port" in probe && Number.isNaN(probe.port)
      ? [
          `${at}: container ${container.name}: ${which} names a port that is none of its ports; write its number, or give one this name`,
        ]
      : [];
  });

/** Ports of Services by names that no container behind them gives to any. */
function checkServices(environment: Environment): string[] {
  if (hasOthersKinds(environment.manifests)) return [];
  return Object.entries(environment.services).flatMap(([name, { ports }]) => {
    const behind = workloadsBehind(environment, name).flatMap(
      (workload) => environment.workloads[workload]?.containers ?? [],
    );
    const known = behind.flatMap((one) => one.ports.flatMap((port) => port.name ?? []));
    const manifest = environment.manifests.find(
      (one) => one.kind === "Service" && one.metadata.name === name,
    );
    return ports.flatMap(({ targetPort }, index) =>
      behind.length === 0 || typeof targetPort === "number" || known.includes(targetPort) || !manifest
        ? []
        : [
            `${ofManifest(manifest)}: spec.ports[${index}].targetPort: no container behind it has a port with the name ${JSON.stringify(targetPort)}; write a number, or a name: ${likelyNames(targetPort, known)}`,
          ],
    );
  });
}

function checkOperated({ manifests, workloads }: Environment, name: string, { operated }: WorkloadSpec) {
  if (!operated) return [];
  const { by, kind, name: resource, part } = operated;
  const at = inModel(`workloads.${name}.operated`);
  const found = manifests.find((one) => one.kind === kind && one.metadata.name === resource);
  if (!(by in workloads))
    return [`${at}.by: the manifests have no workload "${by}"; ${likelyNames(by, Object.keys(workloads))}`];
  if (!found)
    return [
      `${at}: the manifests have no ${kind} ${resource}; write the kind and the name of one that they have`,
    ];
  return valueAt(found, part) === undefined
    ? [`${at}.part: ${kind} ${resource} has nothing at "${part}"; write a JSON pointer to a part that it has`]
    : [];
}
