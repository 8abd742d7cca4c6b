import {
  defineNoise,
  drawnName,
  onDeployment,
  waitForNewService,
  withoutInitContainers,
  z,
} from "@microremed/catalogue";

const parameters = z.object({
  service: z
    .string()
    .regex(/^[a-z]([a-z0-9-]{0,50}[a-z0-9])?$/)
    .default("config-cache")
    .describe("the Service that is waited for, which is made"),
});

export default defineNoise({
  name: "wait-for-new",
  title: "A step before the start that waits for a new Service",
  description:
    "A Service was made that leads nowhere yet, and a Deployment was rolled out with an init container that waits until there is one of its name. It ends at once.",
  parameters,
  changes: ["spec.template.spec.initContainers"],
  logs: ["created", "rollout"],
  drawn: { service: drawnName("config", "server", "registry", "migrations", "db", "seed") },
  ...onDeployment,
  targets: withoutInitContainers,
  decoys: ({ target, parameters: { service } }) => [
    { kind: "Deployment", name: target },
    { kind: "Service", name: service },
  ],
  place: (context) => {
    const { service } = context.parameters;
    return waitForNewService(context, { container: `wait-for-${service}`, service });
  },
});
