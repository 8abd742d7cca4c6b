import { kinds } from "@microremed/cluster";
import { chaosObject } from "../chaos-object.ts";
import { defineFault, notDrawable, targetOf } from "../fault.ts";

/** Ten busy workers in the container's cgroup: its CPU quota is used up. */
export const cpuStress = defineFault({
  name: "cpu-stress",
  title: "CPU saturation",
  description: "cpu-stress: the CPU of the service is saturated",
  symptom: "cpu",
  recovery: ["ready", "serving", "cpu"],
  rightActions: ["remove-cause"],
  ineligible: (environment, target) =>
    notDrawable(environment, target) ??
    (targetOf(environment, target)?.container.resources.limits.cpu === undefined
      ? `${target} has no CPU limit, so the stress would take the node and not the container`
      : undefined),
  ...chaosObject({
    kind: kinds.stressChaos,
    name: "cpu-stress",
    spec: () => ({ stressors: { cpu: { workers: 10, load: 100 } } }),
  }),
});
