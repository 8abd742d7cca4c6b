import { defineNoise, deploymentsWithoutData, kinds, onDeployment, z } from "@microremed/catalogue";

const parameters = z.object({
  more: z.int().min(1).max(3).default(1).describe("replicas that are added"),
});

export default defineNoise({
  name: "scaled-out",
  title: "A service that was scaled out",
  description:
    "A Deployment got one more replica. The new pod is younger than the others and takes a part of the load.",
  parameters,
  changes: ["spec.replicas"],
  logs: ["scale"],
  ...onDeployment,
  // Another replica of a store would have data of its own.
  targets: deploymentsWithoutData,
  async place({ cluster, namespace, environment, target, parameters: { more } }) {
    const replicas = (environment.workloads[target]?.replicas ?? 1) + more;
    await cluster.patch(kinds.deployment, namespace, target, { type: "merge", body: { spec: { replicas } } });
  },
});
