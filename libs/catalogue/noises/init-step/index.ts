import {
  defineNoise,
  type Environment,
  onDeployment,
  patchTemplate,
  rollableDeployments,
  serviceOf,
  waitingContainer,
  z,
} from "@microremed/catalogue";

const parameters = z.object({
  service: z
    .string()
    .regex(/^([a-z]([a-z0-9-]{0,50}[a-z0-9])?)?$/)
    .default("")
    .describe("the Service that is waited for, which is there; empty: the first one of the system"),
});

const servicesOf = (environment: Environment): string[] =>
  Object.keys(environment.workloads).flatMap((target) => serviceOf({ environment, target })?.name ?? []);

export default defineNoise({
  name: "init-step",
  title: "One more step before the start",
  description:
    "A Deployment was rolled out with an init container that waits for a Service of the system. The Service is there, so it ends at once.",
  parameters,
  changes: ["spec.template.spec.initContainers"],
  drawn: { service: (rng, { environment }) => rng.pick(servicesOf(environment)) },
  ...onDeployment,
  targets: (environment) => (servicesOf(environment).length === 0 ? [] : rollableDeployments(environment)),
  async place(context) {
    const service = context.parameters.service || servicesOf(context.environment)[0];
    if (service === undefined) return;
    await patchTemplate(context, { initContainers: [waitingContainer(`wait-for-${service}`, service)] });
  },
});
