import {
  chaosFault,
  defineFault,
  dropLimits,
  kinds,
  offeredWorkloads,
  otherImage,
  removeCause,
  z,
} from "@microremed/catalogue";
import { saturatedCpu } from "./evidence.ts";

const parameters = z.object({
  workers: z.int().min(1).max(64).default(10).describe("busy workers in the container's cgroup"),
  load: z.int().min(1).max(100).default(100).describe("share of a core that each wants, percent"),
});

/** Busy workers in the container's cgroup: its CPU quota is used up. */
export default defineFault({
  name: "cpu-stress",
  title: "CPU saturation",
  description: "cpu-stress: the CPU of the service is saturated",
  parameters,
  strengths: [
    { name: "2 workers", parameters: { workers: 2 } },
    { name: "half a core each", parameters: { load: 50 } },
  ],
  symptom: "cpu",
  recovery: ["ready", "serving", "cpu"],
  rightActions: [removeCause],
  published: { check: "cpu", timeoutSeconds: 300, readyFirst: true },
  ...offeredWorkloads(({ name, container }) =>
    container.resources.limits.cpu === undefined
      ? `${name} has no CPU limit, so the stress would take the node and not the container`
      : undefined,
  ),
  ...chaosFault<z.output<typeof parameters>>({
    kind: kinds.stressChaos,
    name: "cpu-stress",
    spec: ({ parameters: { workers, load } }) => ({ stressors: { cpu: { workers, load } } }),
    wrong: ({ target, parameters: { workers } }) => ({
      field: "spec.stressors.cpu",
      value: `${workers} workers in one pod of ${target}`,
      explanation: `busy workers in a container of ${target} use up its CPU quota, so its own program is throttled`,
    }),
    mechanism: "resources-taken",
    systemLevel: "Operating System",
    faultType: "Operation Error",
    evidence: saturatedCpu,
  }),
  shortcuts: [dropLimits, otherImage],
});
