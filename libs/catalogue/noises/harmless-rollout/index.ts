import { defineNoise, onDeployment, patchContainer, z } from "@microremed/catalogue";

const parameters = z.object({
  variable: z
    .string()
    .regex(/^[A-Z][A-Z0-9_]{0,40}$/)
    .default("BUILD_CHANNEL")
    .describe("environment variable that is added, which no program reads"),
  value: z.string().min(1).max(40).default("stable").describe("its value"),
});

export default defineNoise({
  name: "harmless-rollout",
  title: "A harmless rollout",
  description:
    "A Deployment was rolled out with a new variable that its program does not read. The change log, the rollout history and events show it.",
  parameters,
  variants: [
    { variable: "RELEASE_TRACK", value: "main" },
    { variable: "OWNER_TEAM", value: "platform" },
    { variable: "BUILD_NUMBER", value: "1187" },
    { variable: "COST_CENTER", value: "4410" },
  ],
  ...onDeployment,
  place: (context) => {
    const { variable, value } = context.parameters;
    return patchContainer(context, { env: [{ name: variable, value }] });
  },
});
