import {
  awaitRollout,
  chaosFault,
  containerOf,
  containerPath,
  defineFault,
  jsonPatch,
  kinds,
  leaveNode,
  type Remedy,
  type RemedyContext,
  removeCause,
  targetOf,
  workloadsWhere,
  z,
} from "@microremed/catalogue";
import { slowMounts } from "./evidence.ts";

const parameters = z.object({
  delaySeconds: z.int().min(1).max(60).default(5).describe("time that a slow operation takes longer, s"),
  percent: z.int().min(1).max(100).default(50).describe("share of the operations that are slow, percent"),
});

const mountOf = ({ environment, name }: RemedyContext): string => environment.dataMounts[name] ?? "";

const removeMount: Remedy = {
  name: "remove-mount",
  doc: "takes the slow volume away, and what the program keeps there with it",
  commands: (context) => {
    const index = Object.keys(containerOf(context)?.volumeMounts ?? {}).indexOf(mountOf(context));
    const path = `${containerPath(context)}/volumeMounts/${index}`;
    return [jsonPatch(context, [{ op: "remove", path }]), awaitRollout(context)];
  },
};

/** A share of the file operations on the workload's data takes seconds. */
export default defineFault({
  name: "disk-io",
  title: "Slow disk",
  description: "disk-io: file operations of the service are slow",
  parameters,
  strengths: [
    { name: "20 %", parameters: { percent: 20 } },
    { name: "1 s", parameters: { delaySeconds: 1 } },
    { name: "all, 20 s", parameters: { percent: 100, delaySeconds: 20 } },
  ],
  symptom: "disk",
  recovery: ["ready", "serving", "disk"],
  rightActions: [removeCause, leaveNode],
  published: { check: "writes", timeoutSeconds: 10, readyFirst: true },
  ...workloadsWhere(({ name }, environment) =>
    name in environment.dataMounts
      ? undefined
      : `${name} is not among the dataMounts of ${environment.name}: it keeps no files that it waits for`,
  ),
  ...chaosFault<z.output<typeof parameters>>({
    kind: kinds.ioChaos,
    name: "disk-io",
    spec: ({ environment, target, parameters: { delaySeconds, percent } }) => {
      const path = environment.dataMounts[targetOf(environment, target)?.name ?? ""];
      return {
        action: "latency",
        volumePath: path,
        path: `${path}/**/*`,
        delay: `${delaySeconds}s`,
        percent,
      };
    },
    wrong: ({ target, parameters: { delaySeconds, percent } }) => ({
      field: "spec.delay",
      value: `${delaySeconds} s for ${percent} % of the file operations in one pod of ${target}`,
      explanation: `file operations on the data of ${target} take seconds, so what waits for them is late`,
    }),
    mechanism: "storage-slow",
    systemLevel: "Operating System",
    faultType: "Network/Storage Issue",
    evidence: slowMounts,
  }),
  shortcuts: [removeMount],
});
