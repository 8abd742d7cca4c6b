import {
  defineNoise,
  firstContainer,
  onDeployment,
  patchContainer,
  rollableDeployments,
  startsRedis,
  z,
} from "@microremed/catalogue";

const parameters = z.object({
  maxmemory: z
    .string()
    .regex(/^\d{5}kb$/)
    .default("32768kb")
    .describe("many times as much as the cache of a small system holds"),
});

export default defineNoise({
  name: "cache-bounded",
  title: "A cache with a limit of memory",
  description:
    "A Redis was rolled out with a limit of memory, and evicts nothing. It needs a small part of it. What it held in memory is gone, as after any rollout of it.",
  parameters,
  changes: ["spec.template.spec.containers[].args"],
  drawn: { maxmemory: (rng) => `${20_000 + rng.int(79_000)}kb` },
  ...onDeployment,
  targets: (environment) => rollableDeployments(environment).filter((name) => startsRedis(environment, name)),
  async place(context) {
    const { maxmemory } = context.parameters;
    const { args = [] } = firstContainer(context.environment, context.target) ?? {};
    const limit = ["--maxmemory", maxmemory, "--maxmemory-policy", "noeviction"];
    await patchContainer(context, { args: [...args, ...limit] });
  },
});
