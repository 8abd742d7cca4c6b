import {
  between,
  defineNoise,
  deploymentsWith,
  firstContainer,
  noticesTooLate,
  onDeployment,
  type ProbeTimes,
  patchContainer,
  z,
} from "@microremed/catalogue";

const parameters = z.object({
  periodSeconds: z.int().min(1).max(10).default(2).describe("from one question to the next"),
  more: z.int().min(0).max(60).default(10).describe("seconds that a program gets longer than before"),
});

export default defineNoise({
  name: "liveness-period",
  title: "A liveness probe that asks more often",
  description:
    "A Deployment was rolled out with a liveness probe that asks the same question more often, and fails so much more often before a restart that a program gets longer than before.",
  parameters,
  changes: ["spec.template.spec.containers[].livenessProbe"],
  drawn: { periodSeconds: between(1, 3), more: between(5, 40) },
  ...onDeployment,
  targets: deploymentsWith("livenessProbe"),
  async place(context) {
    const { periodSeconds, more } = context.parameters;
    const probe: ProbeTimes = firstContainer(context.environment, context.target)?.livenessProbe ?? {};
    const { periodSeconds: period = 10, failureThreshold: failures = 3 } = probe;
    let failureThreshold = Math.ceil((period * failures + more) / periodSeconds);
    while (failureThreshold > 1 && noticesTooLate(probe, { ...probe, periodSeconds, failureThreshold }))
      failureThreshold--;
    await patchContainer(context, { livenessProbe: { periodSeconds, failureThreshold } });
  },
});
