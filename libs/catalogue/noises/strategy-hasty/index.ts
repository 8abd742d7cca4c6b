import {
  defineNoise,
  drawnName,
  isRolledOut,
  objectName,
  onDeployment,
  patchWorkload,
  untilRolledOut,
  waitForNewService,
  withoutInitContainers,
  z,
} from "@microremed/catalogue";

const parameters = z.object({
  maxUnavailable: z
    .string()
    .regex(/^(\d+|100%)$/)
    .default("100%")
    .describe("of its replicas"),
  waits: objectName.default("wait-schema").describe("name of the init container"),
  service: objectName.default("schema-jobs").describe("what it waits for, which is made"),
});

export default defineNoise({
  name: "strategy-hasty",
  title: "A rollout that may end all old pods first",
  description:
    "A Deployment was rolled out with an init container that waits for a new Service, which is there. When its new pods were ready, its strategy was changed: its next rollout may end all old pods first.",
  parameters,
  changes: ["spec.strategy", "spec.template.spec.initContainers"],
  logs: ["created", "rollout", "rollout"],
  alone: true,
  drawn: {
    maxUnavailable: (rng) => (rng.int(8) === 0 ? "100%" : String(2 + rng.int(40))),
    waits: drawnName("wait", "init", "migrate", "check"),
    service: drawnName("migration", "schema", "jobs", "db"),
  },
  ...onDeployment,
  targets: withoutInitContainers,
  decoys: ({ target, parameters: { service } }) => [
    { kind: "Deployment", name: target },
    { kind: "Service", name: service },
  ],
  async place(context) {
    const { maxUnavailable, waits, service } = context.parameters;
    await waitForNewService(context, { container: waits, service });
    await untilRolledOut(context);
    const unavailable = maxUnavailable.endsWith("%") ? maxUnavailable : Number(maxUnavailable);
    await patchWorkload(context, {
      strategy: { type: "RollingUpdate", rollingUpdate: { maxUnavailable: unavailable, maxSurge: 0 } },
    });
  },
  isSettled: (context) => isRolledOut(context, context.target),
});
