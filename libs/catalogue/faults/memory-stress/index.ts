import {
  chaosFault,
  defineFault,
  dropLimits,
  kinds,
  offeredWorkloads,
  parseQuantity,
  removeCause,
  z,
} from "@microremed/catalogue";
import { grownMemory } from "./evidence.ts";

const stressMi = 1280;
const parameters = z.object({
  sizeMi: z.int().min(1).max(65_536).default(stressMi).describe("memory that the worker keeps, MiB"),
});

/** One worker that keeps memory in the container's cgroup. */
export default defineFault({
  name: "memory-stress",
  title: "Memory saturation",
  description: "memory-stress: the memory of the service is saturated",
  parameters,
  strengths: [{ name: "1000 MiB", parameters: { sizeMi: 1000 } }],
  symptom: "memory",
  recovery: ["ready", "serving", "memory"],
  rightActions: [removeCause],
  published: { check: "memory", timeoutSeconds: 10, readyFirst: true },
  ...offeredWorkloads(({ name, container }) => {
    const limit = container.resources.limits.memory;
    const own = container.behaviour.memoryMi;
    if (limit === undefined) return `${name} has no memory limit, so the stress would take the node's memory`;
    if ((parseQuantity(limit) ?? 0) > (stressMi + own) * 2 ** 20) return undefined;
    return `${name} has a memory limit of ${limit}; ${stressMi}Mi of stress over its own ${own}Mi would be an OOM kill and no saturation`;
  }),
  ...chaosFault<z.output<typeof parameters>>({
    kind: kinds.stressChaos,
    name: "memory-stress",
    spec: ({ parameters: { sizeMi } }) => ({ stressors: { memory: { workers: 1, size: `${sizeMi}MiB` } } }),
    wrong: ({ target, parameters: { sizeMi } }) => ({
      field: "spec.stressors.memory",
      value: `${sizeMi} MiB in one pod of ${target}`,
      explanation: `a worker in a container of ${target} keeps memory that its own program may need`,
    }),
    mechanism: "resources-taken",
    systemLevel: "Operating System",
    faultType: "Operation Error",
    evidence: grownMemory,
  }),
  shortcuts: [dropLimits],
});
