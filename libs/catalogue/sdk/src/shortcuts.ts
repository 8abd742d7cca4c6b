import { servicesOver } from "./environment/selectors.ts";
import type { Fault } from "./fault.ts";
import {
  awaitRollout,
  containerOf,
  containerPath,
  jsonPatch,
  kubectl,
  type Patient,
  type Remedy,
  workloadPath,
} from "./remedy.ts";

const servicesOf = ({ environment, name }: Patient): string[] =>
  servicesOver(environment, name).map(([service]) => service);

/** Shortcuts of every fault that act on the target itself. */
const onTarget: readonly Remedy[] = [
  { name: "noop", doc: "changes nothing", commands: () => ["true"] },
  {
    name: "delete-workload",
    doc: "deletes the failed workload: what is not there has no symptom",
    commands: (patient) => [`${kubectl(patient)} delete ${workloadPath(patient)} --wait=false`],
  },
  {
    name: "scale-to-zero",
    doc: "scales the failed workload away",
    commands: (patient) => [`${kubectl(patient)} scale ${workloadPath(patient)} --replicas=0`],
  },
  {
    name: "delete-service",
    doc: "restarts the pods and deletes their Service, so that no client can reach them",
    applies: (patient) => servicesOf(patient).length > 0,
    commands: (patient) => [
      `${kubectl(patient)} delete service ${servicesOf(patient).join(" ")}`,
      `${kubectl(patient)} rollout restart ${workloadPath(patient)}`,
      awaitRollout(patient),
    ],
  },
];

/** Shortcuts of every fault that act elsewhere. */
const elsewhere: readonly Remedy[] = [
  {
    name: "stop-load",
    doc: "restarts the workload and stops the users' load",
    applies: ({ environment, name }) => environment.load.from !== undefined && environment.load.from !== name,
    commands: (patient) => [
      `${kubectl(patient)} scale deployment/${patient.environment.load.from} --replicas=0`,
      `${kubectl(patient)} rollout restart ${workloadPath(patient)}`,
      awaitRollout(patient),
    ],
  },
];

/** Changes that pass a superficial check of a recovery, whatever the fault. */
export const sharedShortcuts: readonly Remedy[] = [...onTarget, ...elsewhere];

/** All shortcuts of a fault: doing nothing first. */
export function shortcutsOf({ shortcuts, notShortcuts = [] }: Fault): readonly Remedy[] {
  return [...onTarget, ...shortcuts, ...elsewhere].filter(({ name }) => !notShortcuts.includes(name));
}

/** Removes the limit that was violated; the rollout that this causes cures the symptom. */
export const dropLimits: Remedy = {
  name: "drop-limits",
  doc: "removes the limit that was violated; the rollout cures the symptom",
  commands: (patient) => [
    jsonPatch(patient, [{ op: "remove", path: `${containerPath(patient)}/resources` }]),
    awaitRollout(patient),
  ],
};

/** Replaces the program by one that sleeps and has no probes: Running and Ready, and nothing answers. */
export const otherImage: Remedy = {
  name: "other-image",
  doc: "replaces the program by one that sleeps, without probes",
  commands: (patient) => [
    jsonPatch(patient, [
      {
        op: "replace",
        path: containerPath(patient),
        value: {
          name: patient.container,
          image: "busybox:1.35",
          command: ["sh", "-c", "while true; do sleep 3600; done"],
          resources: containerOf(patient)?.resources,
        },
      },
    ]),
    awaitRollout(patient),
  ],
};

/** Removes the readiness probe: Ready is then whatever runs. */
export const dropProbes: Remedy = {
  name: "drop-probes",
  doc: "removes the readiness probe",
  applies: (patient) => containerOf(patient)?.readinessProbe !== undefined,
  commands: (patient) => [
    jsonPatch(patient, [{ op: "remove", path: `${containerPath(patient)}/readinessProbe` }]),
    awaitRollout(patient),
  ],
};
