import {
  defineNoise,
  deploymentsWithoutData,
  drawnValue,
  drawnVariable,
  onDeployment,
  patchContainer,
  z,
} from "@microremed/catalogue";

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
  changes: ["spec.template.spec.containers[].env[]"],
  drawn: { variable: drawnVariable, value: drawnValue },
  ...onDeployment,
  targets: deploymentsWithoutData,
  place: (context) => {
    const { variable, value } = context.parameters;
    return patchContainer(context, { env: [{ name: variable, value }] });
  },
});
