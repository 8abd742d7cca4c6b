import { kinds } from "@microremed/cluster";
import { bytes } from "@microremed/environments";
import { chaosObject } from "../chaos-object.ts";
import { defineFault, notDrawable, targetOf } from "../fault.ts";

const stressMi = 1280;

/** One worker that keeps 1280 MiB in the container's cgroup. */
export const memoryStress = defineFault({
  name: "memory-stress",
  title: "Memory saturation",
  description: "memory-stress: the memory of the service is saturated",
  symptom: "memory",
  recovery: ["ready", "serving", "memory"],
  rightActions: ["remove-cause"],
  ineligible(environment, target) {
    const reason = notDrawable(environment, target);
    const container = targetOf(environment, target)?.container;
    if (reason !== undefined || !container) return reason;
    const limit = container.resources.limits.memory;
    if (limit === undefined)
      return `${target} has no memory limit, so the stress would take the node's memory`;
    const needed = stressMi + container.behaviour.memoryMi;
    if (bytes(limit) > needed * 2 ** 20) return undefined;
    return `${target} has a memory limit of ${limit}; ${stressMi}Mi of stress over its own ${container.behaviour.memoryMi}Mi would be an OOM kill and no saturation`;
  },
  ...chaosObject({
    kind: kinds.stressChaos,
    name: "memory-stress",
    spec: () => ({ stressors: { memory: { workers: 1, size: `${stressMi}MiB` } } }),
  }),
});
