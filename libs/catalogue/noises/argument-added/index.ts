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
  argument: z
    .string()
    .regex(/^--[a-z-]+ \d+(mb)?$/)
    .default("--tcp-keepalive 240")
    .describe("option of redis-server with its value"),
});

export default defineNoise({
  name: "argument-added",
  title: "One more option of a cache",
  description:
    "A Redis was rolled out with one more option in its arguments, which leaves it enough of everything. What it held in memory is gone, as after any rollout of it.",
  parameters,
  changes: ["spec.template.spec.containers[].args"],
  drawn: {
    // Values that a cache of a small system never feels.
    argument: (rng) =>
      rng.pick([
        `--maxmemory ${64 + rng.int(96)}mb`,
        `--tcp-keepalive ${60 + rng.int(230)}`,
        `--hz ${11 + rng.int(50)}`,
        `--maxclients ${2_000 + rng.int(7_000)}`,
        `--maxmemory-samples ${6 + rng.int(5)}`,
      ]),
  },
  ...onDeployment,
  targets: (environment) => rollableDeployments(environment).filter((name) => startsRedis(environment, name)),
  async place(context) {
    const { args = [] } = firstContainer(context.environment, context.target) ?? {};
    await patchContainer(context, { args: [...args, ...context.parameters.argument.split(" ")] });
  },
});
