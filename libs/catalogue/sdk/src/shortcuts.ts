import { servicesOver } from "./environment/selectors.ts";
import type { Fault } from "./fault.ts";
import {
  awaitRollout,
  containerOf,
  containerPath,
  jsonPatch,
  kubectl,
  podSelector,
  type Remedy,
  type RemedyContext,
  restartAll,
  restartTarget,
  workloadPath,
} from "./remedy.ts";

const servicesOf = ({ environment, name }: RemedyContext): string[] =>
  servicesOver(environment, name).map(([service]) => service);

/** Shortcuts of every fault that act on the target itself. */
const onTarget: readonly Remedy[] = [
  { name: "noop", doc: "changes nothing", commands: () => ["true"] },
  {
    name: "delete-workload",
    doc: "deletes the failed workload: what is not there has no symptom",
    commands: (context) => [`${kubectl(context)} delete ${workloadPath(context)} --wait=false`],
  },
  {
    name: "scale-to-zero",
    doc: "scales the failed workload away",
    commands: (context) => [`${kubectl(context)} scale ${workloadPath(context)} --replicas=0`],
  },
  {
    name: "delete-service",
    doc: "restarts the pods and deletes their Service, so that no client can reach them",
    applies: (context) => servicesOf(context).length > 0,
    commands: (context) => [
      `${kubectl(context)} delete service ${servicesOf(context).join(" ")}`,
      ...restartTarget(context),
    ],
  },
];

/** Shortcuts of every fault that act elsewhere. */
const elsewhere: readonly Remedy[] = [
  {
    name: "stop-load",
    doc: "restarts the workload and stops the users' load",
    applies: ({ environment, name }) => environment.load.from !== undefined && environment.load.from !== name,
    commands: (context) => [
      `${kubectl(context)} scale deployment/${context.environment.load.from} --replicas=0`,
      ...restartTarget(context),
    ],
  },
];

/** Changes that pass a superficial check of a recovery, whatever the fault. */
export const sharedShortcuts: readonly Remedy[] = [...onTarget, ...elsewhere];

/**
 * Names of shared shortcuts that restart the target, for `notShortcuts`: where new pods are as broken as the old ones, they do
 * not even hide the symptom.
 */
export const restartingShortcuts = ["delete-service", "stop-load"] as const;

/** All shortcuts of a fault: doing nothing first. */
export function shortcutsOf({ shortcuts, notShortcuts = [] }: Fault): readonly Remedy[] {
  return [...onTarget, ...shortcuts, ...elsewhere].filter(({ name }) => !notShortcuts.includes(name));
}

/** Removes the limit that was violated; the rollout that this causes cures the symptom. */
export const dropLimits: Remedy = {
  name: "drop-limits",
  doc: "removes the limit that was violated; the rollout cures the symptom",
  commands: (context) => [
    jsonPatch(context, [{ op: "remove", path: `${containerPath(context)}/resources` }]),
    awaitRollout(context),
  ],
};

/** Replaces the program by one that sleeps and has no probes: Running and Ready, and nothing answers. */
export const otherImage: Remedy = {
  name: "other-image",
  doc: "replaces the program by one that sleeps, without probes",
  commands: (context) => [
    jsonPatch(context, [
      {
        op: "replace",
        path: containerPath(context),
        value: {
          name: context.container,
          image: "busybox:1.35",
          command: ["sh", "-c", "while true; do sleep 3600; done"],
          resources: containerOf(context)?.resources,
        },
      },
    ]),
    awaitRollout(context),
  ],
};

/** Removes the readiness probe: Ready is then whatever runs. */
export const dropProbes: Remedy = {
  name: "drop-probes",
  doc: "removes the readiness probe",
  applies: (context) => containerOf(context)?.readinessProbe !== undefined,
  commands: (context) => [
    jsonPatch(context, [{ op: "remove", path: `${containerPath(context)}/readinessProbe` }]),
    awaitRollout(context),
  ],
};

/** Restarts every workload of the environment: what is wrong in an object's configuration is there again. */
export const restartEverything: Remedy = {
  name: "restart-everything",
  doc: "restarts every workload of the system",
  commands: (context) => restartAll(context, Object.entries(context.environment.workloads)),
};

/** Deletes the target's pods: the new ones are made of the same template. */
export const deletePods: Remedy = {
  name: "delete-pods",
  doc: "deletes the pods of the target",
  commands: (context) => [`${kubectl(context)} delete pod -l ${podSelector(context)} --wait=false`],
};
