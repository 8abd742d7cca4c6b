import { likelyNames } from "@microremed/core";
import { checkAddress } from "./check-address.ts";
import type { ContainerSpec, Environment, WorkloadSpec } from "./environment.types.ts";
import type { FlagEffect } from "./format.ts";
import { allLoads, barePath, loadRequests } from "./load-requests.ts";
import { inModel } from "./places.ts";

/** What of the behaviour of a workload's containers names nothing that there is. */
export const checkBehaviours = (
  environment: Environment,
  name: string,
  { containers, initContainers }: WorkloadSpec,
): string[] => [
  ...initContainers.flatMap((one) => checkBehaviour(environment, atOf(name, one), one, true)),
  ...containers.flatMap((one) => checkBehaviour(environment, atOf(name, one), one, false)),
];

const atOf = (workload: string, { name }: ContainerSpec): string =>
  inModel(`workloads.${workload}.containers.${name}`);

function checkBehaviour(
  environment: Environment,
  at: string,
  { behaviour, volumeMounts }: ContainerSpec,
  isInit: boolean,
): string[] {
  const { waitsFor, writesPerRequest, flags = {}, versions = {}, switches = {} } = behaviour;
  const mounts = Object.keys(volumeMounts);
  const effects = Object.entries({ flags, versions, switches }).flatMap(([key, some]) =>
    Object.entries(some).map(([name, effect]) => [`${at}.${key}.${name}`, effect] as const),
  );
  return [
    ...(waitsFor === undefined
      ? []
      : isInit
        ? checkAddress(environment, `${at}.waitsFor`, waitsFor)
        : [`${at}.waitsFor: only init containers end when an address answers; leave it out`]),
    ...Object.keys(writesPerRequest)
      .filter((path) => !mounts.includes(path))
      .map(
        (path) =>
          `${at}.writesPerRequest: nothing is mounted at ${JSON.stringify(path)}; ${likelyNames(path, mounts)}`,
      ),
    ...effects.flatMap(([place, effect]) => checkEffect(environment, place, effect)),
  ];
}

function checkEffect(environment: Environment, at: string, effect: FlagEffect): string[] {
  const workloads = Object.keys(environment.workloads);
  const known = allLoads(environment.load).flatMap((load) =>
    loadRequests(load).map(({ path }) => barePath(path)),
  );
  const unknown = (key: string, name: string): string[] =>
    workloads.includes(name)
      ? []
      : [
          `${at}.${key}: the manifests have no workload ${JSON.stringify(name)}; ${likelyNames(name, workloads)}`,
        ];
  return [
    ...(effect.target === undefined ? [] : unknown("target", effect.target)),
    ...effect.calls.flatMap(({ to }, index) => unknown(`calls[${index}].to`, to)),
    ...effect.requests.flatMap(({ path }, index) =>
      known.includes(barePath(path))
        ? []
        : [
            `${at}.requests[${index}].path: workload.yaml asks for no path ${JSON.stringify(path)}; ${likelyNames(path, known)}`,
          ],
    ),
  ];
}
