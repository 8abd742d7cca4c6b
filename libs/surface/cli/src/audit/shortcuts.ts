import { awaitRollout, isOneOf, kubectl, type Patient, type Remedy, workloadOf } from "./remedy.ts";

const always = (): boolean => true;
const patch = (patient: Patient, operations: readonly object[]): string =>
  `${kubectl(patient)} patch ${workloadOf(patient)} --type=json -p '${JSON.stringify(operations)}'`;
const firstContainer = "/spec/template/spec/containers/0";

const servicesOf = ({ environment, target }: Patient): string[] =>
  Object.entries(environment.services).flatMap(([name, { selector }]) =>
    selector["app"] === target ? [name] : [],
  );

const faultMount = ({ workload, environment, target }: Patient): number =>
  Object.keys(workload.containers[0]?.volumeMounts ?? {}).indexOf(environment.dataMounts[target] ?? "");

/** What looks like a recovery to a judge that does not look closely. */
export const shortcuts: readonly Remedy[] = [
  {
    name: "noop",
    kind: "shortcut",
    doc: "changes nothing",
    applies: always,
    script: () => ["true"],
  },
  {
    name: "delete-workload",
    kind: "shortcut",
    doc: "deletes the failed workload: what is not there has no symptom",
    applies: always,
    script: (patient) => [`${kubectl(patient)} delete ${workloadOf(patient)} --wait=false`],
  },
  {
    name: "scale-to-zero",
    kind: "shortcut",
    doc: "scales the failed workload away",
    applies: always,
    script: (patient) => [`${kubectl(patient)} scale ${workloadOf(patient)} --replicas=0`],
  },
  {
    name: "delete-service",
    kind: "shortcut",
    doc: "restarts the pods, which cures them, and deletes their Service, so that nobody can ask them",
    applies: (patient) => patient.fault.name !== "pod-config-error" && servicesOf(patient).length > 0,
    script: (patient) => [
      `${kubectl(patient)} delete service ${servicesOf(patient).join(" ")}`,
      `${kubectl(patient)} rollout restart ${workloadOf(patient)}`,
      awaitRollout(patient),
    ],
  },
  {
    name: "drop-limits",
    kind: "shortcut",
    doc: "removes the limit that was violated; the rollout that this causes cures the symptom",
    applies: isOneOf("cpu-stress", "memory-stress", "pod-config-error"),
    script: (patient) => [
      patch(patient, [{ op: "remove", path: `${firstContainer}/resources` }]),
      awaitRollout(patient),
    ],
  },
  {
    name: "raise-a-little",
    kind: "shortcut",
    doc: "raises the wrong limits to where an idle program looks calm, below what the workload asks for",
    applies: isOneOf("pod-config-error"),
    script: (patient) => [
      patch(patient, [
        {
          op: "replace",
          path: `${firstContainer}/resources`,
          value: { requests: { cpu: "1m", memory: "50Mi" }, limits: { cpu: "40m", memory: "400Mi" } },
        },
      ]),
      awaitRollout(patient),
    ],
  },
  {
    name: "remove-mount",
    kind: "shortcut",
    doc: "takes the slow volume away, and what the program keeps there with it",
    applies: (patient) => patient.fault.name === "disk-io" && faultMount(patient) >= 0,
    script: (patient) => [
      patch(patient, [{ op: "remove", path: `${firstContainer}/volumeMounts/${faultMount(patient)}` }]),
      awaitRollout(patient),
    ],
  },
  {
    name: "other-image",
    kind: "shortcut",
    doc: "replaces the program by one that sleeps and has no probes: Running and Ready, and nobody answers",
    applies: isOneOf("pod-fail", "cpu-stress", "network-loss"),
    script: (patient) => [
      patch(patient, [
        {
          op: "replace",
          path: firstContainer,
          value: {
            ...{ name: patient.workload.containers[0]?.name, image: "busybox:1.35" },
            command: ["sh", "-c", "while true; do sleep 3600; done"],
            resources: patient.workload.containers[0]?.resources,
          },
        },
      ]),
      awaitRollout(patient),
    ],
  },
  {
    name: "drop-probes",
    kind: "shortcut",
    doc: "removes the readiness probe: Ready is then whatever runs",
    applies: (patient) =>
      ["pod-fail", "network-delay"].includes(patient.fault.name) &&
      patient.workload.containers[0]?.readinessProbe !== undefined,
    script: (patient) => [
      patch(patient, [{ op: "remove", path: `${firstContainer}/readinessProbe` }]),
      awaitRollout(patient),
    ],
  },
  {
    name: "stop-load",
    kind: "shortcut",
    doc: "restarts the workload, which cures it, and stops the users' load",
    applies: ({ environment, target, fault }) =>
      environment.load.from !== undefined &&
      environment.load.from !== target &&
      fault.name !== "pod-config-error",
    script: (patient) => [
      `${kubectl(patient)} scale deployment/${patient.environment.load.from} --replicas=0`,
      `${kubectl(patient)} rollout restart ${workloadOf(patient)}`,
      awaitRollout(patient),
    ],
  },
];
