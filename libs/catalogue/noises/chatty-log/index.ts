import { createOnce, defineNoise, isRolledOut, scriptContainer, z } from "@microremed/catalogue";

const parameters = z.object({
  deployment: z.string().min(1).max(50).default("metrics-relay").describe("name of the Deployment"),
  everySeconds: z.number().min(1).max(600).default(4).describe("cluster time between two lines"),
});

export default defineNoise({
  name: "chatty-log",
  title: "A log full of harmless warnings",
  description:
    "A Deployment beside the system logs warnings about retries every few seconds, without an end. No service calls it.",
  parameters,
  variants: [
    { deployment: "log-shipper", everySeconds: 3 },
    { deployment: "audit-forwarder", everySeconds: 5 },
    { deployment: "mail-queue", everySeconds: 7 },
    { deployment: "usage-collector", everySeconds: 2 },
  ],
  decoys: ({ parameters: { deployment } }) => [{ kind: "Deployment", name: deployment }],
  place: (context) => {
    const { deployment: name, everySeconds } = context.parameters;
    const line =
      "WARN upstream answered late, batch is kept; ERROR flush failed: timeout (1 of 5), again in 1 s";
    const labels = { app: name };
    return createOnce(context, {
      apiVersion: "apps/v1",
      kind: "Deployment",
      metadata: { name, labels },
      spec: {
        replicas: 1,
        selector: { matchLabels: labels },
        template: {
          metadata: { labels },
          spec: {
            terminationGracePeriodSeconds: 2,
            containers: [
              scriptContainer("relay", `while true; do echo '${line}'; sleep ${everySeconds}; done`),
            ],
          },
        },
      },
    });
  },
  isSettled: (context) => isRolledOut(context, context.parameters.deployment),
});
