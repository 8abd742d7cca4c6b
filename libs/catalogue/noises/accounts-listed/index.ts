import {
  accountArguments,
  defineNoise,
  drawnPassword,
  drawnWord,
  firstContainer,
  onDeployment,
  patchContainer,
  rollableDeployments,
  startsRedis,
  z,
} from "@microremed/catalogue";

const parameters = z.object({
  name: z
    .string()
    .regex(/^[a-z][a-z0-9]*$/)
    .default("reports")
    .describe("of a second user"),
  password: z
    .string()
    .regex(/^\w{4,40}$/)
    .default("pW7xk2Qd")
    .describe("of the second user; clients need none"),
  isFirst: z.boolean().default(true).describe("whether the user of the clients is listed first"),
});

export default defineNoise({
  name: "accounts-listed",
  title: "A cache that lists its users",
  description:
    "A Redis was rolled out with a password and a list of its users. The user of its clients needs no password, so they are served as before. What it held in memory is gone, as after any rollout of it.",
  parameters,
  changes: ["spec.template.spec.containers[].args"],
  drawn: {
    name: (rng) => `${drawnWord(rng)}app`,
    password: drawnPassword,
    isFirst: (rng) => rng.int(2) === 0,
  },
  ...onDeployment,
  targets: (environment) => rollableDeployments(environment).filter((name) => startsRedis(environment, name)),
  async place(context) {
    const { isFirst, ...account } = context.parameters;
    const { args = [] } = firstContainer(context.environment, context.target) ?? {};
    await patchContainer(context, {
      args: [...args, ...accountArguments(account, { openTo: "default", isFirst })],
    });
  },
});
