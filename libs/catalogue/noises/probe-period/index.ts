import {
  between,
  defineNoise,
  deploymentsWith,
  firstContainer,
  onDeployment,
  patchContainer,
  z,
} from "@microremed/catalogue";
import { longerPeriod } from "./longer-period.ts";

const parameters = z.object({
  more: z.int().min(1).max(20).default(2).describe("seconds that are added to the period"),
});

export default defineNoise({
  name: "probe-period",
  title: "A probe that asks less often",
  description:
    "A Deployment was rolled out with a readiness probe whose period is a few seconds longer, at most so long that it still notices failures in time. It asks the same question.",
  parameters,
  changes: ["spec.template.spec.containers[].readinessProbe"],
  drawn: { more: between(1, 9) },
  ...onDeployment,
  targets: deploymentsWith("readinessProbe"),
  async place(context) {
    const probe = firstContainer(context.environment, context.target)?.readinessProbe ?? {};
    await patchContainer(context, {
      readinessProbe: { periodSeconds: longerPeriod(probe, context.parameters.more) },
    });
  },
});
