import {
  between,
  defineNoise,
  firstContainer,
  kinds,
  type NoiseContext,
  onDeployment,
  parseQuantity,
  patchContainer,
  rollableDeployments,
  z,
} from "@microremed/catalogue";

const parameters = z.object({
  permille: z
    .int()
    .min(1)
    .max(60)
    .default(40)
    .describe("of the memory of the smallest node: what each pod asks for, if that is more than before"),
});

export default defineNoise({
  name: "memory-reserved",
  title: "Pods that ask for much memory",
  description:
    "A Deployment was rolled out whose pods ask for a good deal more memory than before, and may use it. Every node has room for them.",
  parameters,
  changes: [
    "spec.template.spec.containers[].resources.requests.memory",
    "spec.template.spec.containers[].resources.limits.memory",
  ],
  drawn: { permille: between(20, 60) },
  ...onDeployment,
  targets: (environment) =>
    rollableDeployments(environment).filter((name) => {
      const { requests, limits } = firstContainer(environment, name)?.resources ?? {};
      return requests?.memory !== undefined && limits?.memory !== undefined;
    }),
  async place(context) {
    const { requests, limits } = firstContainer(context.environment, context.target)?.resources ?? {};
    const asked = Math.floor(((await leastMemory(context)) * context.parameters.permille) / 1000);
    if (asked <= (parseQuantity(requests?.memory) ?? 0)) return;
    const mebibytes = (bytes: number): string => `${Math.floor(bytes / 2 ** 20)}Mi`;
    const limit = asked + (parseQuantity(limits?.memory) ?? 0);
    await patchContainer(context, {
      resources: { requests: { memory: mebibytes(asked) }, limits: { memory: mebibytes(limit) } },
    });
  },
});

/** Memory that pods may have on the smallest node, bytes. */
async function leastMemory({ cluster }: NoiseContext): Promise<number> {
  const nodes = await cluster.list(kinds.node, {});
  const sizes = nodes.map((node) => {
    const { allocatable } = (node["status"] ?? {}) as { readonly allocatable?: { readonly memory?: string } };
    return parseQuantity(allocatable?.memory) ?? 0;
  });
  return Math.min(...sizes);
}
