import {
  defineNoise,
  firstContainer,
  onDeployment,
  patchContainer,
  rollableDeployments,
  z,
} from "@microremed/catalogue";

const parameters = z.object({
  resource: z.enum(["memory", "cpu", "both"]).default("both"),
  requests: z.boolean().default(true).describe("whether its request is raised as much"),
  factor: z.number().min(1.1).max(3).default(1.5).describe("times the limit that it had"),
});

export default defineNoise({
  name: "limits-raised",
  title: "A limit that was raised",
  description:
    "A Deployment was rolled out with a higher limit of memory or CPU, which its program does not need; the request may be higher too, and nodes have room for it.",
  parameters,
  changes: [
    "spec.template.spec.containers[].resources.limits",
    "spec.template.spec.containers[].resources.requests",
  ],
  drawn: {
    resource: (rng) => rng.pick(["memory", "cpu", "both"]),
    requests: (rng) => rng.int(2) === 0,
    factor: (rng) => (115 + rng.int(110)) / 100,
  },
  ...onDeployment,
  targets: (environment) =>
    rollableDeployments(environment).filter((name) => {
      const { requests, limits } = firstContainer(environment, name)?.resources ?? {};
      // Without a request of its own a container asks for as much as its limit.
      return ["memory", "cpu"].every(
        (one) => times(requests?.[one], 2) !== undefined && times(limits?.[one], 2) !== undefined,
      );
    }),
  async place(context) {
    const { resource, factor, requests: isBoth } = context.parameters;
    const { requests, limits } = firstContainer(context.environment, context.target)?.resources ?? {};
    const names = resource === "both" ? ["memory", "cpu"] : [resource];
    const raised = (of: typeof limits) =>
      Object.fromEntries(names.map((name) => [name, times(of?.[name], factor)]));
    const resources = { limits: raised(limits), ...(isBoth && { requests: raised(requests) }) };
    await patchContainer(context, { resources });
  },
});

/** A quantity times a factor in the same unit, a whole number; undefined: it is none, or not one of whole numbers. */
function times(quantity: string | undefined, factor: number): string | undefined {
  const [, number, unit = ""] = /^(\d+)([A-Za-z]*)$/.exec(quantity ?? "") ?? [];
  return number === undefined ? undefined : `${Math.ceil(Number(number) * factor)}${unit}`;
}
