import { kinds } from "@microremed/cluster";
import { chaosObject } from "../chaos-object.ts";
import { defineFault, targetOf } from "../fault.ts";

/** Every second file operation on the fault path takes 5 s. */
export const diskIo = defineFault({
  name: "disk-io",
  title: "Slow disk",
  description: "disk-io: file operations of the service are slow",
  symptom: "disk",
  recovery: ["ready", "serving", "disk"],
  rightActions: ["remove-cause", "leave-node"],
  ineligible(environment, target) {
    const found = targetOf(environment, target);
    if (!found) return `${environment.name} has no workload ${JSON.stringify(target)}`;
    if (!environment.targets["disk-io"].includes(target)) {
      return `${target} is not among the disk-io targets of ${environment.name}`;
    }
    if (environment.faultPath in found.container.volumeMounts) return undefined;
    return `${target} has nothing mounted at ${environment.faultPath}`;
  },
  ...chaosObject({
    kind: kinds.ioChaos,
    name: "disk-io",
    spec: ({ environment: { faultPath } }) => ({
      action: "latency",
      volumePath: faultPath,
      path: `${faultPath}/**/*`,
      delay: "5s",
      percent: 50,
    }),
  }),
});
