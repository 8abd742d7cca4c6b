import { between, defineNoise, onDeployment, patchTemplate, z } from "@microremed/catalogue";

const parameters = z.object({
  more: z.int().min(1).max(60).default(15).describe("seconds that are added"),
});

export default defineNoise({
  name: "grace-raised",
  title: "A longer grace period",
  description: "A Deployment was rolled out whose pods get a few seconds longer to end.",
  parameters,
  changes: ["spec.template.spec.terminationGracePeriodSeconds"],
  drawn: { more: between(3, 45) },
  ...onDeployment,
  async place(context) {
    const {
      environment,
      target,
      parameters: { more },
    } = context;
    const before = environment.workloads[target]?.terminationGracePeriodSeconds ?? 30;
    await patchTemplate(context, { terminationGracePeriodSeconds: before + more });
  },
});
