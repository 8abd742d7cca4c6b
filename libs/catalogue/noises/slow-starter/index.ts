import { createOnce, defineNoise, kinds, scriptContainer, z } from "@microremed/catalogue";

const parameters = z.object({
  deployment: z.string().min(1).max(50).default("search-indexer").describe("name of the Deployment"),
  seconds: z.int().min(1).max(3600).default(900).describe("cluster time until it is Ready"),
});

export default defineNoise({
  name: "slow-starter",
  title: "A Deployment that is slow to start",
  description:
    "The pod of a Deployment beside the system takes many minutes to become Ready; its probe gives warnings. No service calls it.",
  parameters,
  variants: [
    { deployment: "recommendation-cache", seconds: 1200 },
    { deployment: "report-builder", seconds: 1500 },
    { deployment: "geo-lookup", seconds: 1800 },
    { deployment: "fraud-model", seconds: 1000 },
  ],
  decoys: ({ parameters: { deployment } }) => [{ kind: "Deployment", name: deployment }],
  place: (context) => {
    const { deployment: name, seconds } = context.parameters;
    const labels = { app: name };
    const script = `echo 'index is being read'; sleep ${seconds}; touch /ready; echo 'serving'; while true; do sleep 3600; done`;
    const container = {
      ...scriptContainer("indexer", script),
      readinessProbe: { exec: { command: ["cat", "/ready"] }, periodSeconds: 15 },
    };
    return createOnce(context, {
      apiVersion: "apps/v1",
      kind: "Deployment",
      metadata: { name, labels },
      spec: {
        replicas: 1,
        selector: { matchLabels: labels },
        template: {
          metadata: { labels },
          spec: { terminationGracePeriodSeconds: 2, containers: [container] },
        },
      },
    });
  },
  async isSettled({ cluster, namespace, parameters: { deployment } }) {
    const pods = await cluster.list(kinds.pod, { namespace, labelSelector: `app=${deployment}` });
    return pods.some(({ status }) => status?.phase === "Running");
  },
});
