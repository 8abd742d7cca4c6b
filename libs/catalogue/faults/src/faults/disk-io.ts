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
    if (environment.dataMounts[target] !== undefined) return undefined;
    return `${target} is not among the dataMounts of ${environment.name}: it keeps no files that it waits for`;
  },
  ...chaosObject({
    kind: kinds.ioChaos,
    name: "disk-io",
    spec: ({ environment, target }) => ({
      action: "latency",
      volumePath: environment.dataMounts[target],
      path: `${environment.dataMounts[target]}/**/*`,
      delay: "5s",
      percent: 50,
    }),
  }),
});
